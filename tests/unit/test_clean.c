/* base: what people see has no character that a terminal takes for a command, and fits its columns. */
#include "base/base.h"

#include <locale.h>
#include <stdlib.h>
#include <unictype.h>
#include <unistd.h>
#include <wchar.h>

#include "base/log.h"
#include "base/random.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "tests/unit/unit.h"

/* By Unicode's own properties, which the table in clean.c was not made from. */
static bool is_told(uint32_t c)
{
    return uc_is_general_category(c, UC_CONTROL) || uc_is_general_category(c, UC_LINE_SEPARATOR) ||
           uc_is_general_category(c, UC_PARAGRAPH_SEPARATOR) || uc_is_property_bidi_control(c) ||
           (c >= 0x206a && c <= 0x206f) || (c >= 0xfff9 && c <= 0xfffb);
}

TEST(knows_command_characters)
{
    size_t n = 0;

    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        if (is_command_character(c) != is_told(c))
            fail_msg("U+%04X: %d", c, is_command_character(c));
        n += is_command_character(c);
    }
    assert_int_equal(n, 65 + 2 + 12 + 6 + 3);
}

static void assert_clean(const char *text, const char *line, const char *lines)
{
    struct buf b = {0};

    buf_add_clean(&b, span_of(text));
    assert_string_equal(buf_cstr(&b), line);
    assert_true(text_is_clean(buf_span(&b)));
    assert_int_equal(text_is_clean(span_of(text)), strcmp(text, line) == 0);
    buf_reset(&b);
    buf_add_clean_lines(&b, span_of(text));
    assert_string_equal(buf_cstr(&b), lines);
    buf_clear(&b);
}

TEST(cleans_text)
{
    assert_clean("", "", "");
    assert_clean("grüße, 日本 🎉", "grüße, 日本 🎉", "grüße, 日本 🎉");
    assert_clean("a\033[31mb", "a?[31mb", "a?[31mb");
    assert_clean("a\xc2\x9b"
                 "31mb",
                 "a?31mb", "a?31mb"); /* CSI as one character */
    assert_clean("a\tb\nc\r\n", "a?b?c??", "a\tb\nc?\n");
    assert_clean("\x7f"
                 "a\xe2\x80\xae"
                 "b\xe2\x81\xa6\xd8\x9c\xe2\x81\xa9\xe2\x80\xac",
                 "?a?b????", "?a?b????");
    assert_clean("a\x9b"
                 "b\xff",
                 "a\xef\xbf\xbd"
                 "b\xef\xbf\xbd",
                 "a\xef\xbf\xbd"
                 "b\xef\xbf\xbd");
    assert_clean("\xe2\x80", "\xef\xbf\xbd\xef\xbf\xbd", "\xef\xbf\xbd\xef\xbf\xbd");
    /* Joiners make one picture of several, and are needed to write Persian. */
    assert_clean("👩\xe2\x80\x8d💻", "👩\xe2\x80\x8d💻", "👩\xe2\x80\x8d💻");
}

/* Any bytes: what comes out is valid UTF-8 without command characters, and stays as it is. */
TEST(cleans_anything)
{
    struct random r;
    struct buf in = {0}, out = {0}, again = {0};

    random_seed(&r, 1);
    for (int round = 0; round < 20000; round++) {
        static const char *const parts[] = {"\x1b", "\xc2", "\x80", "\x9b", "\xe2", "\xae", "a", "\n"};
        buf_reset(&in);
        buf_reset(&out);
        buf_reset(&again);
        for (uint64_t n = random_below(&r, 12); n > 0; n--)
            if (random_below(&r, 4) == 0)
                buf_add_char(&in, (char)random_next(&r));
            else
                buf_add_text(&in, parts[random_below(&r, ARRAY_LEN(parts))]);
        buf_add_clean(&out, buf_span(&in));
        assert_int_equal(utf8_valid_prefix(buf_span(&out)), out.len);
        assert_true(text_is_clean(buf_span(&out)));
        buf_add_clean(&again, buf_span(&out));
        assert_true(span_eq(buf_span(&again), buf_span(&out)));
        assert_int_equal(text_is_clean(buf_span(&in)), span_eq(buf_span(&in), buf_span(&out)));
    }
    buf_clear(&in);
    buf_clear(&out);
    buf_clear(&again);
}

TEST(escapes_commands_in_json)
{
    struct buf b = {0};

    buf_add_json(&b, SPAN("a\x7f\xc2\x9b\xe2\x80\xae\xef\xbf\xb9é\xe2\x80\xac\xff\""));
    assert_string_equal(buf_cstr(&b), "\"a\\u007f\\u009b\\u202e\\ufff9é\\u202c\xef\xbf\xbd\\\"\"");
    buf_reset(&b);
    buf_add_json_kept(&b, SPAN("a\x7f\xc2\x9b\xe2\x80\xaeé\xe2\x80\xac\xff\""));
    assert_string_equal(buf_cstr(&b), "\"a\\u007f\xc2\x9b\xe2\x80\xaeé\xe2\x80\xac\xef\xbf\xbd\\\"\"");
    buf_clear(&b);
}

TEST(cleans_what_is_formatted)
{
    struct buf b = {0};

    buf_addf_clean(&b, "%.*s, %d%s", 2, "a\nb", 7, "\xc2\x9b");
    assert_string_equal(buf_cstr(&b), "a?, 7?");
    buf_reset(&b);
    buf_add_json_text(&b, SPAN("[\"a\xe2\x80\xae\\n\xc2\x9b\xff\x7f\",\n {\"é\": 1}]"));
    assert_string_equal(buf_cstr(&b), "[\"a\\u202e\\n\\u009b\xef\xbf\xbd\\u007f\",\n {\"é\": 1}]");
    buf_clear(&b);
}

/* --- columns --- */

TEST(measures_text)
{
    static const struct {
        const char *text;
        size_t width;
    } cases[] = {
        {"", 0},  {"abc", 3}, {"é", 1},    {"e\xcc\x81", 1}, {"日本", 4},         {"ﾊﾝ", 2},  {"Ａ", 2},
        {"🎉", 2}, {"α", 1},   {"한글", 4}, {"–…", 2},        {"\xe2\x80\x8d", 0}, {"क्षि", 3}, {"\xef\xbf\xbd", 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(text_width(span_of(cases[i].text)), cases[i].width);
}

/* The C library has a table of its own; its Unicode version may be another one, so that only scripts
 * that have been settled for long are compared. */
TEST(measures_as_the_c_library_does)
{
    static const struct {
        uint32_t first, last;
    } scripts[] = {
        {0x20, 0x7e},     {0xa1, 0xac},     {0xae, 0x17f},      {0x300, 0x36f},     {0x391, 0x3a1},
        {0x410, 0x44f},   {0x5d0, 0x5ea},   {0x3041, 0x3096},   {0x30a1, 0x30fa},   {0x4e00, 0x9fcc},
        {0xac00, 0xd7a3}, {0xff01, 0xff60}, {0x1f600, 0x1f64f}, {0x20000, 0x2a6d6},
    };
    char bytes[4];

    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
        skip();
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++)
        for (uint32_t c = scripts[i].first; c <= scripts[i].last; c++) {
            struct span s = {bytes, utf8_put(c, bytes)};
            if ((int)text_width(s) != wcwidth((wchar_t)c))
                fail_msg("U+%04X: %zu, the C library says %d", c, text_width(s), wcwidth((wchar_t)c));
        }
    setlocale(LC_CTYPE, "C");
}

static void assert_cut(const char *text, size_t width, const char *expected)
{
    size_t taken;
    struct span s = text_cut(span_of(text), width, &taken);

    assert_true(span_eq(s, span_of(expected)));
    assert_int_equal(taken, text_width(s));
    assert_true(taken <= width);
}

TEST(cuts_text)
{
    assert_cut("abc", 3, "abc");
    assert_cut("abc", 2, "ab");
    assert_cut("abc", 0, "");
    assert_cut("日本", 3, "日"); /* never half a character */
    assert_cut("日本", 1, "");
    assert_cut("e\xcc\x81x", 1, "e\xcc\x81"); /* marks stay with their letter */
    assert_cut("grüße", 4, "grüß");
}

TEST(pads_text)
{
    struct buf b = {0};

    buf_add_padded(&b, SPAN("日"), 4, false);
    buf_add_padded(&b, SPAN("é"), 3, true);
    buf_add_padded(&b, SPAN("abc"), 2, true);
    assert_string_equal(buf_cstr(&b), "日    éabc");
    buf_clear(&b);
}

/* --- what is said --- */

TEST(cleans_errors)
{
    static char text[3000];
    struct err e;

    err_set(&e, ST_INPUT, "a%sb%s", "\033]0;x\a", "\xc2\x9b\n\xff");
    assert_string_equal(e.text, "a?]0;x?b??\xef\xbf\xbd");
    err_set(&e, ST_INPUT, "%s", "");
    assert_string_equal(e.text, "");
    /* Cut at a character, also when cleaning makes it longer. */
    for (size_t before = 1010; before < 1024; before++) {
        memset(text, 'x', sizeof text);
        strncpy(text + before, "日本日本日本日本日本日本", 40);
        err_set(&e, ST_INPUT, "%s", text);
        assert_true(text_is_clean(span_of(e.text)));
        assert_null(strstr(e.text, "\xef\xbf\xbd"));
        assert_in_range(strlen(e.text), sizeof e.text - 4, sizeof e.text - 1);
    }
    memset(text, 0xff, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    err_set(&e, ST_INPUT, "%s", text);
    assert_true(text_is_clean(span_of(e.text)));
    assert_int_equal(strlen(e.text) % 3, 0);
    /* A record's own words may be among the arguments. */
    err_set(&e, ST_INPUT, "inner");
    err_set(&e, ST_INPUT, "outer: %s", e.text);
    assert_string_equal(e.text, "outer: inner");
}

/* What is on stderr while `say` runs. */
static void hear(void (*say)(void), struct buf *out)
{
    FILE *file = tmpfile();
    int old = dup(STDERR_FILENO);
    char bytes[4096];

    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    say();
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    buf_add(out, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

static void say_hostile(void)
{
    static const char hostile[] = "\033[2J\xc2\x9b\xe2\x80\xae\n\xff";

    log_error("%s.", hostile);
    log_warn("%s.", hostile);
    log_info("%s.", hostile);
    log_output(SPAN("one\n\ttwo\033\r\n"));
    assert_int_equal(log_output(SPAN("x\xe6\x97")), 1); /* the rest of the character comes later */
}

TEST(cleans_what_is_logged)
{
    struct buf said = {0};

    hear(say_hostile, &said);
    assert_string_equal(buf_cstr(&said), "ppmine: error: ?[2J???\xef\xbf\xbd.\n"
                                         "ppmine: warning: ?[2J???\xef\xbf\xbd.\n"
                                         "ppmine: ?[2J???\xef\xbf\xbd.\n"
                                         "one\n\ttwo??\nx");
    buf_clear(&said);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
