/* base: spans, buffers, arena, UTF-8, files. */
#include "base/base.h"
#include "base/day.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistr.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/files.h"
#include "base/output_file.h"
#include "base/random.h"
#include "base/utf8.h"
#include "tests/unit/unit.h"

TEST(cuts_spans)
{
    struct span rest = SPAN("a,,b,"), part;
    static const char *const expected[] = {"a", "", "b"};

    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_true(span_cut(&rest, ',', &part));
        assert_true(span_eq(part, span_of(expected[i])));
    }
    assert_false(span_cut(&rest, ',', &part)); /* no empty part behind the last delimiter */
    rest = (struct span){0};
    assert_false(span_cut(&rest, ',', &part));
}

TEST(orders_spans)
{
    const struct span empty = {NULL, 0};

    assert_true(span_order(SPAN("ab"), SPAN("abc")) < 0);
    assert_true(span_order(SPAN("abc"), SPAN("ab")) > 0);
    assert_true(span_order(SPAN("b"), SPAN("abc")) > 0);
    assert_true(span_order(SPAN("\xc3"), SPAN("z")) > 0); /* bytes are unsigned */
    assert_int_equal(span_order(SPAN("ab"), SPAN("ab")), 0);
    assert_true(span_order(empty, SPAN("a")) < 0);
    assert_int_equal(span_order(empty, empty), 0);
}

TEST(cuts_the_day)
{
    assert_true(span_eq(day_of(SPAN("2021-03-04T12:30:00.000Z")), SPAN("2021-03-04")));
    assert_true(span_eq(day_of(SPAN("2021")), SPAN("2021")));
    assert_int_equal(day_of((struct span){NULL, 0}).len, 0);
}

TEST(trims_and_finds)
{
    assert_true(span_eq(span_trim(SPAN(" \t\r\n x y \v\f")), SPAN("x y")));
    assert_int_equal(span_trim(SPAN(" \n ")).len, 0);
    assert_true(span_starts(SPAN("tensorflow2"), SPAN("tensorflow")));
    assert_false(span_starts(SPAN("tf"), SPAN("tensorflow")));
    assert_int_equal(span_find(SPAN("abcabd"), SPAN("abd")), 3);
    assert_true(span_find(SPAN("abc"), SPAN("abd")) == SIZE_MAX);
    assert_int_equal(span_find(SPAN("abc"), SPAN("")), 0);
    assert_int_equal(span_find_any_case(SPAN("xaBcABd"), SPAN("Abd")), 4);
    assert_true(span_find_any_case(SPAN("ab"), SPAN("abc")) == SIZE_MAX);
    assert_true(span_find_any_case(SPAN("a[b"), SPAN("a{b")) == SIZE_MAX); /* which differ by the bit of the case */
    assert_int_equal(span_find_any_case(SPAN("abc"), SPAN("")), 0);
    assert_true(span_eq_any_case(SPAN("aBc"), SPAN("Abc")));
    assert_false(span_eq_any_case(SPAN("ab"), SPAN("abc")));
    assert_true(span_eq_any_case(SPAN(""), (struct span){0}));
    assert_true(span_has(SPAN("abcabd"), "abd"));
    assert_false(span_has(SPAN("abcabd"), "abda"));
    assert_false(span_has((struct span){"abcabd", 5}, "abd"));
    assert_true(span_has((struct span){0}, "") && !span_has((struct span){0}, "a"));
    static const char *const texts[] = {"abc", "bd"};
    assert_true(span_is_any(SPAN("bd"), texts, 2));
    assert_false(span_is_any(SPAN("ab"), texts, 2));
    assert_false(span_is_any(SPAN("bd"), texts, 1));
    assert_true(span_has_any(SPAN("xabcx"), texts, 2));
    assert_false(span_has_any(SPAN("xbcd"), texts, 2));
    assert_true(span_is_word(SPAN("bd"), "abc bd"));
    assert_false(span_is_word(SPAN("ab"), "abc bd"));
    assert_false(span_is_word(SPAN(""), "abc bd"));
    assert_true(span_has_word(SPAN("xabcx"), "bd abc"));
    assert_false(span_has_word(SPAN("xbcd"), "abc bd"));
    assert_true(span_ends(SPAN("a.bc"), SPAN("bc")) && span_ends(SPAN("bc"), SPAN("bc")));
    assert_false(span_ends(SPAN("c"), SPAN("bc")) || span_ends(SPAN("bcd"), SPAN("bc")));
    assert_true(span_eq(span_after_last(SPAN("a.b.cd"), '.'), SPAN("cd")));
    assert_true(span_eq(span_after_last(SPAN("cd"), '.'), SPAN("cd")));
    assert_true(span_eq(span_after_last(SPAN("cd."), '.'), SPAN("")));
    assert_true(span_eq((struct span){0}, SPAN("")));
}

TEST(finds_lines)
{
    static const struct {
        const char *text;
        uint32_t n, starts[4];
    } cases[] = {
        {"", 1, {0}},
        {"a", 1, {0}},
        {"\n", 2, {0, 1}},
        {"a\n\nb", 3, {0, 2, 3}},
        {"a\r\nb\rc\n", 3, {0, 3, 7}},
        {"\n\n\n", 4, {0, 1, 2, 3}},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span text = span_of(cases[i].text);
        uint32_t n, *starts = span_lines(text, &n), line = 0;
        assert_int_equal(n, cases[i].n);
        assert_memory_equal(starts, cases[i].starts, n * sizeof *starts);
        for (size_t at = 0; at <= text.len; at++) { /* the end stands in the last line */
            assert_int_equal(span_line_at(starts, n, at), line);
            line += at < text.len && text.ptr[at] == '\n';
        }
        mem_free(starts);
    }
    uint32_t n;
    uint32_t *starts = span_lines(span_of(NULL), &n);
    assert_int_equal(n, 1);
    assert_int_equal(span_line_at(starts, n, 99), 0);
    mem_free(starts);
}

TEST(reads_numbers)
{
    uint64_t u = 7;
    int64_t i = 7;

    assert_true(span_u64(SPAN("18446744073709551615"), UINT64_MAX, &u) && u == UINT64_MAX);
    assert_false(span_u64(SPAN("18446744073709551616"), UINT64_MAX, &u));
    assert_true(span_u64(SPAN("255"), 255, &u) && u == 255);
    assert_false(span_u64(SPAN("256"), 255, &u));
    assert_false(span_u64(SPAN(""), 255, &u));
    assert_false(span_u64(SPAN("+1"), 255, &u));
    assert_false(span_u64(SPAN("1 "), 255, &u));
    assert_true(span_i64(SPAN("-42"), &i) && i == -42);
    assert_true(span_i64(SPAN("9223372036854775807"), &i) && i == INT64_MAX);
    assert_false(span_i64(SPAN("9223372036854775808"), &i));
    assert_false(span_i64(SPAN("-"), &i));
    assert_false(span_i64(SPAN("--1"), &i));
}

/* A number above a small maximum must be refused, whichever digit takes it over. */
TEST(reads_numbers_below_any_maximum)
{
    char text[16];
    uint64_t value;

    for (unsigned max = 0; max < 130; max++)
        for (unsigned n = 0; n < 130; n++) {
            snprintf(text, sizeof text, "%u", n);
            assert_int_equal(span_u64(span_of(text), max, &value), n <= max);
        }
}

TEST(grows_buffers)
{
    struct buf b = {0};

    for (int i = 0; i < 1000; i++)
        buf_addf(&b, "%d,", i);
    assert_int_equal(b.len, 10 * 2 + 90 * 3 + 900 * 4);
    assert_string_equal(buf_cstr(&b) + b.len - 4, "999,");
    buf_reset(&b);
    buf_add_span(&b, (struct span){0});
    assert_string_equal(buf_cstr(&b), "");
    buf_clear(&b);
    assert_null(b.ptr);
}

TEST(writes_json_strings)
{
    struct buf b = {0};

    buf_add_json(&b, SPAN("a\"b\\c\n\x01\xc3\xa9\xff"
                          "d"));
    assert_string_equal(buf_cstr(&b), "\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\xef\xbf\xbd"
                                      "d\"");
    buf_clear(&b);
}

/* --- what a spreadsheet would compute --- */

TEST(knows_formulas)
{
    static const char *const formulas[] = {"=1+1",
                                           "+1+1",
                                           "-1+1",
                                           "@SUM(1)",
                                           "\tx",
                                           "\rx",
                                           "\nx",
                                           " =1",
                                           "\"=1",
                                           "'=1",
                                           "' \"+a",
                                           "-",
                                           "+",
                                           "--1",
                                           "-1.5.2",
                                           "-1e",
                                           "-1.5 ",
                                           " -1.5",
                                           "'-1.5",
                                           "-e5",
                                           "\xc2\xa0=1",
                                           ("\xef\xbc\x9d"
                                            "1"),
                                           "\xef\xbc\xa0x",
                                           "+49 170",
                                           "-.",
                                           "-1%%"};
    static const char *const texts[] = {"",     "a",    "1",        "-1.5",   "+1",  "-.5", "-1.", "-1e-10",
                                        "+2E5", "-20%", "a=1",      "'",      "''",  "\"",  " ",   "'a",
                                        "(=1)", "\xc2", "\xef\xbc", "\xff=1", "#=1", "%"};

    for (size_t i = 0; i < ARRAY_LEN(formulas); i++)
        if (!csv_is_formula(span_of(formulas[i])))
            fail_msg("'%s' is a formula", formulas[i]);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (csv_is_formula(span_of(texts[i])))
            fail_msg("'%s' is no formula", texts[i]);
    assert_false(csv_is_formula((struct span){0}));
    assert_false(csv_is_formula((struct span){"=1", 0}));
}

static void assert_cell(const char *text, const char *guarded, const char *raw)
{
    struct buf b = {0};

    buf_add_csv(&b, span_of(text));
    assert_string_equal(buf_cstr(&b), guarded);
    buf_reset(&b);
    buf_add_csv_raw(&b, span_of(text));
    assert_string_equal(buf_cstr(&b), raw);
    buf_clear(&b);
}

TEST(guards_cells)
{
    assert_cell("plain", "plain", "plain");
    assert_cell("-1.5", "-1.5", "-1.5");
    assert_cell("=1+1", "'=1+1", "=1+1");
    assert_cell("'=1+1", "''=1+1", "'=1+1");
    assert_cell("'quoted'", "'quoted'", "'quoted'");
    assert_cell("=A(\"x\",1)", "\"'=A(\"\"x\"\",1)\"", "\"=A(\"\"x\"\",1)\"");
    assert_cell("\rx", "\"'\rx\"", "\"\rx\"");
    assert_cell("a;=1+1;b", "a;'=1+1;b", "a;=1+1;b");
    assert_cell("a\t \"@b, c", "\"a\t' \"\"@b, c\"", "\"a\t \"\"@b, c\"");
    assert_true(span_eq(csv_unguarded(SPAN("'=1")), SPAN("=1")));
    assert_true(span_eq(csv_unguarded(SPAN("''=1")), SPAN("'=1")));
    assert_true(span_eq(csv_unguarded(SPAN("'-1.5")), SPAN("'-1.5")));
    assert_true(span_eq(csv_unguarded(SPAN("'")), SPAN("'")));
    assert_int_equal(csv_unguarded((struct span){0}).len, 0);
}

/* Of the parts of a cell, as ';' and tabs cut it, but for the first one: those that are formulas; bare ones have no
 * apostrophe. */
static size_t formulas_within(struct span s, bool bare)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        size_t at = i + 1;
        while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '"' || s.ptr[at] == '\'' ||
                              (unsigned char)s.ptr[at] == 0xc2 || (unsigned char)s.ptr[at] == 0xa0))
            at++;
        bool apostrophe = bare && i + 1 < s.len && s.ptr[i + 1] == '\'';
        n += (s.ptr[i] == ';' || s.ptr[i] == '\t') && at < s.len && !apostrophe &&
             (strchr("=+-@", s.ptr[at]) != NULL ||
              span_starts((struct span){s.ptr + at, s.len - at}, SPAN("\xef\xbc\x9d")));
    }
    return n;
}

/* Every text comes back, and no cell that is written is a formula. */
TEST(gives_guarded_texts_back)
{
    static const char *const parts[] = {"'", "\"", "=", "+", "-", "@", "\t", "\r", "\n",           " ",
                                        ",", ";",  "0", "1", ".", "e", "%",  "a",  "\xef\xbc\x9d", "\xc2\xa0"};
    struct random r;
    struct buf text = {0}, file = {0};

    random_seed(&r, 1);
    for (int round = 0; round < 50000; round++) {
        struct csv_reader reader;
        struct err e;
        buf_reset(&text);
        buf_reset(&file);
        for (uint64_t n = random_below(&r, 7); n > 0; n--)
            buf_add_text(&text, parts[random_below(&r, ARRAY_LEN(parts))]);
        buf_add_text(&file, "a,b\nx,");
        buf_add_csv(&file, buf_span(&text));
        buf_add_text(&file, "\n");
        csv_open_verbatim(&reader, buf_span(&file), "verbatim");
        assert_int_equal(csv_next(&reader, &e), ST_OK);
        assert_int_equal(csv_next(&reader, &e), ST_OK);
        struct span written = reader.fields.at[1];
        bool guarded = csv_is_formula(buf_span(&text));
        assert_int_equal(written.len, text.len + guarded + formulas_within(buf_span(&text), false));
        assert_int_equal(formulas_within(written, true), 0);
        assert_true(!guarded || written.ptr[0] == '\'');
        csv_close(&reader);
        csv_open(&reader, buf_span(&file), "read");
        assert_int_equal(csv_next(&reader, &e), ST_OK);
        assert_int_equal(csv_next(&reader, &e), ST_OK);
        assert_true(span_eq(reader.fields.at[1], buf_span(&text)));
        csv_close(&reader);
    }
    buf_clear(&text);
    buf_clear(&file);
}

TEST(keeps_copies_in_an_arena)
{
    struct arena a = {0};
    struct span copies[300];
    char text[300];

    for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
        memset(text, 'a' + (int)(i % 26), sizeof text);
        copies[i] = arena_copy(&a, (struct span){text, i});
        assert_int_equal((uintptr_t)copies[i].ptr % sizeof(void *), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(copies); i++)
        for (size_t k = 0; k < copies[i].len; k++)
            assert_int_equal(copies[i].ptr[k], 'a' + (int)(i % 26));
    memset(arena_alloc(&a, 1 << 20), 1, 1 << 20); /* larger than a block */
    arena_reset(&a);
    assert_non_null(arena_alloc(&a, 1));
    arena_clear(&a);
    arena_clear(&a);
}

TEST(knows_valid_utf8)
{
    static const struct {
        const char *bytes;
        size_t valid;
    } cases[] = {
        {"ascii only, longer than eight bytes", 35},
        {"12345678\xc3\xa9", 10},
        {"\xc2\x80", 2},
        {"\xc0\x80", 0},     /* overlong */
        {"\xe0\x9f\xbf", 0}, /* overlong */
        {"\xed\xa0\x80", 0}, /* surrogate */
        {"\xee\x80\x80", 3},
        {"\xf0\x8f\xbf\xbf", 0}, /* overlong */
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\x80", 0},
        {"ab\xe2\x82", 2}, /* cut */
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(utf8_valid_prefix(span_of(cases[i].bytes)), cases[i].valid);
}

/* Each first and each second byte, the others at the edges of ranges; against libunistring. */
TEST(agrees_with_libunistring)
{
    static const unsigned char edges[] = {0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};

    for (unsigned start = 0; start < 0x10000; start++)
        for (size_t i = 0; i < ARRAY_LEN(edges) * ARRAY_LEN(edges); i++) {
            uint8_t bytes[] = {(uint8_t)(start >> 8), (uint8_t)start, edges[i / ARRAY_LEN(edges)],
                               edges[i % ARRAY_LEN(edges)]};
            const uint8_t *wrong = u8_check(bytes, sizeof bytes);
            size_t valid = wrong != NULL ? (size_t)(wrong - bytes) : sizeof bytes;
            if (utf8_valid_prefix((struct span){(const char *)bytes, sizeof bytes}) != valid)
                fail_msg("%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
        }
}

TEST(mends_utf8)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"abc\xc3\xa4", "abc\xc3\xa4"},
        {"\xff", "\xef\xbf\xbd"},
        {"a\xe2\x82z", "a\xef\xbf\xbd\xef\xbf\xbdz"}, /* one for each byte */
        {"\x80\x80 \xc3", "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct span rest = span_of(cases[i][0]);
        struct buf out = {0};
        while (rest.len > 0)
            buf_add_span(&out, utf8_cut(&rest));
        assert_string_equal(buf_cstr(&out), cases[i][1]);
        assert_int_equal(utf8_cut(&rest).len, 0);
        buf_clear(&out);
    }
}

TEST(encodes_what_it_decodes)
{
    char bytes[4];
    uint32_t decoded;

    for (uint32_t cp = 0; cp < 0x110010; cp++) {
        size_t len = utf8_put(cp, bytes);
        if ((cp >= 0xd800 && cp <= 0xdfff) || cp > 0x10ffff) {
            assert_int_equal(len, 0);
            continue;
        }
        if (utf8_valid_prefix((struct span){bytes, len}) != len || utf8_decode(bytes, bytes + len, &decoded) != len ||
            decoded != cp)
            fail_msg("U+%04X does not come back", cp);
    }
}

TEST(reads_files_up_to_a_size)
{
    char path[] = "test_base_XXXXXX";
    int fd = mkstemp(path);
    struct buf content = {0};
    struct err e = {0};

    assert_true(fd >= 0 && write(fd, "hello", 5) == 5 && close(fd) == 0);
    assert_int_equal(file_read(path, 5, &content, &e), ST_OK);
    assert_string_equal(buf_cstr(&content), "hello");
    buf_reset(&content);
    assert_int_equal(file_read(path, 4, &content, &e), ST_INPUT);
    unlink(path);
    assert_int_equal(file_read(path, 4, &content, &e), ST_IO);
    assert_non_null(strstr(e.text, path));
    buf_clear(&content);
}

static void holds(const char *path, const char *text)
{
    struct buf content = {0};
    struct err e = {0};

    assert_int_equal(file_read(path, 99, &content, &e), ST_OK);
    assert_string_equal(buf_cstr(&content), text);
    buf_clear(&content);
}

TEST(writes_files)
{
    char dir[] = "test_base_XXXXXX", path[64], beside[128];
    struct err e = {0};

    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/file", dir);
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    assert_int_equal(file_write(path, true, SPAN("first"), path, &e), ST_OK);
    holds(path, "first");
    assert_int_equal(file_write(path, true, SPAN("second"), path, &e), ST_IO);
    assert_non_null(strstr(e.text, path));
    holds(path, "first");
    assert_int_equal(file_write(path, false, (struct span){0}, path, &e), ST_OK);
    holds(path, "");
    assert_int_equal(file_write("/dev/full", false, SPAN("x"), "a name", &e), ST_IO);
    assert_string_equal(e.text, "a name: No space left on device");
    assert_int_equal(output_file_write(path, OUTPUT_REPLACE, SPAN("third"), &e), ST_OK);
    holds(path, "third");
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(output_file_write(path, OUTPUT_REPLACE, SPAN("a folder is there"), &e), ST_IO);
    assert_int_equal(access(beside, F_OK), -1);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(output_file_write(path, OUTPUT_REPLACE, SPAN("no folder"), &e), ST_IO);
    assert_int_equal(strncmp(e.text, path, strlen(path)), 0);
}

TEST(owns_the_clock)
{
    char now[TIME_TEXT_SIZE];

    setenv("PPMINE_NOW", "2020-02-29T23:59:59.999Z", 1);
    time_now(now);
    assert_string_equal(now, "2020-02-29T23:59:59.999Z");
    unsetenv("PPMINE_NOW");
    time_now(now);
    assert_int_equal(strlen(now), TIME_TEXT_SIZE - 1);
    assert_true(now[10] == 'T' && now[23] == 'Z');
}

TEST(keeps_the_error)
{
    struct err e = {0};
    char long_text[3000];

    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(err_set(&e, ST_INPUT, "%s", long_text), ST_INPUT);
    assert_int_equal(e.status, ST_INPUT);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

TEST(finds_the_nearest_name)
{
    static const char *const names[] = {"algorithm", "db", "quiet", "threads", "tokens"};

    assert_string_equal(span_nearest(SPAN("algoritm"), names, 5), "algorithm");
    assert_string_equal(span_nearest(SPAN("alg"), names, 5), "algorithm");
    assert_string_equal(span_nearest(SPAN("thread"), names, 5), "threads");
    assert_string_equal(span_nearest(SPAN("quite"), names, 5), "quiet");
    assert_null(span_nearest(SPAN("xyzzy"), names, 5));
    assert_null(span_nearest(SPAN(""), names, 5));
    assert_null(span_nearest(SPAN("x"), names, 0));
}

/* --- CSV --- */

/* All rows: fields joined by '|', each row with the line where it began; an error ends it. */
static void read_csv(struct span content, struct buf *out)
{
    struct csv_reader r;
    struct err e;
    enum status status;

    csv_open(&r, content, "f.csv");
    while ((status = csv_next(&r, &e)) == ST_OK) {
        buf_addf(out, "%zu:", r.line);
        for (size_t i = 0; i < r.fields.n; i++) {
            buf_add_text(out, i > 0 ? "|" : "");
            buf_add_span(out, r.fields.at[i]);
        }
        buf_add_char(out, '\n');
    }
    if (status == ST_INPUT)
        buf_add_text(out, e.text);
    else
        assert_int_equal(status, ST_NO);
    csv_close(&r);
}

static void expect_csv(struct span content, const char *expected)
{
    struct buf out = {0};
    /* A copy of its exact size, so that a sanitizer sees a read behind the end. */
    char *copy = mem_alloc(content.len > 0 ? content.len : 1);

    memcpy(copy, content.ptr, content.len);
    read_csv((struct span){copy, content.len}, &out);
    assert_string_equal(buf_cstr(&out), expected);
    mem_free(copy);
    buf_clear(&out);
}

TEST(reads_csv)
{
    expect_csv(SPAN(""), "");
    expect_csv(SPAN("\xef\xbb\xbf"), "");
    expect_csv(SPAN("a,b\n1,2\n"), "1:a|b\n2:1|2\n");
    expect_csv(SPAN("a,b\n1,2"), "1:a|b\n2:1|2\n");
    expect_csv(SPAN("a,b\r\n1,\r\n,2"), "1:a|b\n2:1|\n3:|2\n");
    expect_csv(SPAN("a,b\r1,2\r"), "1:a|b\n2:1|2\n"); /* CR only */
    expect_csv(SPAN("\xef\xbb\xbf\"a\",b\n"), "1:a|b\n");
    expect_csv(SPAN("a;b\n1,5;2\n"), "1:a|b\n2:1,5|2\n");
    expect_csv(SPAN("a\tb,c\td\n1\t2\t3\n"), "1:a|b,c|d\n2:1|2|3\n");
    expect_csv(SPAN("\"a;b;c\",d\n1,2\n"), "1:a;b;c|d\n2:1|2\n"); /* quoted ones do not count */
    expect_csv(SPAN("a\n\n \n\r\n\"\"\nb\n"), "1:a\n3: \n6:b\n");
    expect_csv(SPAN("a,b\n,,,\n1,2\n"), "1:a|b\n3:1|2\n");
    expect_csv(SPAN("a b , \" c\" \n"), "1:a b | \" c\" \n"); /* blanks count, quotes behind do not */
}

TEST(reads_quoted_csv)
{
    expect_csv(SPAN("\"a\"\"b\",\"\"\"\",\"\",x\n"), "1:a\"b|\"||x\n");
    expect_csv(SPAN("\"a,b\",\"c\nd\r\ne\rf\"\ng\n"), "1:a,b|c\nd\r\ne\rf\n5:g\n");
    expect_csv(SPAN("x,\"a\n\n\"\n\ny\n"), "1:x|a\n\n\n5:y\n");
    expect_csv(SPAN("\"\"\"a\"\"\",\"b\"\"\"\n"), "1:\"a\"|b\"\n");
    expect_csv(SPAN("a\"b\"\"c,d\n"), "1:a\"b\"\"c|d\n"); /* literal where the field has none */
}

TEST(refuses_csv)
{
    expect_csv(SPAN("a\nb,\"c\n\nd\n"), "1:a\nf.csv:2: the quote that begins here is never closed");
    expect_csv(SPAN("\""), "f.csv:1: the quote that begins here is never closed");
    expect_csv(SPAN("\"\"\""), "f.csv:1: the quote that begins here is never closed");
    expect_csv(SPAN("a,\"x\ny\"\"\n"), "f.csv:1: the quote that begins here is never closed");
    expect_csv(SPAN("a\n\"b\nc\"d,e\n"),
               "1:a\nf.csv:3: there is text after the closing quote of field 1; a quote inside"
               " of quotes is written twice");
    expect_csv(SPAN("a,\"b\" ,c\n"), "f.csv:1: there is text after the closing quote of field 2; a quote inside of"
                                     " quotes is written twice");
    expect_csv(SPAN("a\nb\0c\n"), "1:a\nf.csv:2: a NUL; the file must be UTF-8 text");
    expect_csv(SPAN("a\n\"b\r\n\xff\"\n"), "1:a\nf.csv:3: invalid UTF-8; the file must be UTF-8 text");
    expect_csv(SPAN("a,\xc3"), "f.csv:1: invalid UTF-8; the file must be UTF-8 text");
    expect_csv(SPAN("\xff\xfe"
                    "a\0"),
               "f.csv:1: invalid UTF-8; the file must be UTF-8 text");
}

/* Every prefix of a hostile file comes to an end, without a read behind it. */
TEST(survives_cut_csv)
{
    static const char hostile[] = "\xef\xbb\xbf"
                                  "a;\"b\"\"\r\n\";\n\"\"\"\";\r\xe2\x82\xac;\"\xff";

    for (size_t len = 0; len < sizeof hostile; len++) {
        struct buf out = {0};
        char *copy = mem_alloc(len > 0 ? len : 1);
        memcpy(copy, hostile, len);
        read_csv((struct span){copy, len}, &out);
        mem_free(copy);
        buf_clear(&out);
    }
}

/* The delimiter of a file that was written is the one that is read, whatever the names of its columns are. */
TEST(writes_names_that_are_read)
{
    static const char *const names[] = {"a\tb\tc\td", "x;y;z;", ",,,,", "one \"two;\tthree", "\"", "=1;2", "plain"};
    static const char delimiters[] = {',', ';', '\t'};
    struct buf content = {0};
    struct csv_reader r;
    struct err e;

    for (size_t d = 0; d < ARRAY_LEN(delimiters); d++) {
        buf_reset(&content);
        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            if (i > 0)
                buf_add_char(&content, delimiters[d]);
            buf_add_csv_name(&content, span_of(names[i]), delimiters[d]);
        }
        csv_open(&r, buf_span(&content), "f.csv");
        assert_int_equal(r.delimiter, delimiters[d]);
        assert_int_equal(csv_next(&r, &e), ST_OK);
        assert_int_equal(r.fields.n, ARRAY_LEN(names));
        for (size_t i = 0; i < ARRAY_LEN(names); i++)
            assert_true(span_eq(r.fields.at[i], span_of(names[i])));
        csv_close(&r);
    }
    /* A quote within a field opens nothing. */
    csv_open(&r, SPAN("a\"b;c;d,\n1,2,3,4,5\n"), "f.csv");
    assert_int_equal(r.delimiter, ';');
    csv_close(&r);
    buf_clear(&content);
}

TEST(reads_huge_csv)
{
    const size_t rows = 300000, bytes = (size_t)8 << 20;
    struct buf content = {0};
    struct csv_reader r;
    struct err e;
    size_t n = 0;

    for (size_t i = 0; i < rows; i++)
        buf_add_text(&content, "1,\"a \"\"quoted\"\" word\",x\n");
    buf_add_char(&content, '"');
    for (size_t i = 0; i < bytes; i++)
        buf_add_text(&content, "\"\"");
    buf_add_char(&content, '"');
    for (size_t i = 1; i < CSV_FIELDS_MAX; i++)
        buf_add_char(&content, ',');
    csv_open(&r, buf_span(&content), "f.csv");
    for (; csv_next(&r, &e) == ST_OK; n++)
        if (n < rows)
            assert_true(r.fields.n == 3 && span_eq(r.fields.at[1], SPAN("a \"quoted\" word")));
        else
            assert_true(r.fields.at[0].len == bytes && r.fields.n == CSV_FIELDS_MAX);
    assert_int_equal(n, rows + 1);
    csv_close(&r);
    buf_add_char(&content, ',');
    csv_open(&r, buf_span(&content), "f.csv");
    for (n = 0; csv_next(&r, &e) == ST_OK; n++)
        continue;
    assert_int_equal(n, rows);
    assert_string_equal(e.text, "f.csv:300001: more than 1048576 fields in a row");
    csv_close(&r);
    buf_clear(&content);
}

static void header_error(const char *content, const char *words)
{
    static const char *const names[] = {"facet", "code", "rule"};
    struct csv_reader r;
    struct err e;
    enum status status = ST_OK;
    size_t n = 0;

    csv_open(&r, span_of(content), "f.csv");
    for (; csv_walk(&r, names, ARRAY_LEN(names), &status, &e); n++)
        assert_true(span_eq(csv_cell(&r, 0), SPAN("3")) && span_eq(csv_cell(&r, 1), SPAN("1")) &&
                    span_eq(csv_cell(&r, 2), SPAN("2")));
    assert_int_equal(status, words == NULL ? ST_OK : ST_INPUT);
    if (words == NULL)
        assert_int_equal(n, 1);
    else
        assert_string_equal(e.text, words);
}

TEST(reads_csv_headers)
{
    header_error("code, rule ,facet\n1,2,3\n", NULL);
    header_error("", "f.csv: empty; the first line names the columns");
    header_error("\ncode,facet\n", "f.csv:2: the column 'rule' is missing");
    header_error("code,facet,rule,code\n", "f.csv:1: the column 'code' occurs a second time");
    header_error("code,fcaet,rule\n", "f.csv:1: unknown column 'fcaet' (did you mean 'facet'?)");
    header_error("code,facet,rule,number\n", "f.csv:1: unknown column 'number'; the columns are: facet, code, rule");
    header_error("code,rule,facet\n1,2,3\n\n1,2\n", "f.csv:4: 2 fields under a header of 3 columns");
}

/* What spreadsheets write in front of a table. */
TEST(reads_told_delimiters)
{
    static const struct {
        const char *content;
        size_t n_fields, line;
    } files[] = {
        {"sep=;\na,b;c\n", 2, 2},  {"sep=,\r\na;b;c,d\r\n", 2, 2},
        {"sep=\t\ra\tb\tc", 3, 2}, {"\xef\xbb\xbfsep=;\na", 1, 2},
        {"sep=|\na", 1, 1},        {"sep=;", 2, 1},
        {"sep=;x\na,b\n", 2, 1},   {"sep=", 1, 1},
    };
    struct csv_reader r;
    struct err e;

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        csv_open(&r, span_of(files[i].content), "f.csv");
        assert_int_equal(csv_next(&r, &e), ST_OK);
        assert_int_equal(r.fields.n, files[i].n_fields);
        assert_int_equal(r.line, files[i].line);
        csv_close(&r);
    }
}

/* The bytes of the table are those that Python's codecs give. */
TEST(decodes_text)
{
    static const struct {
        struct span bytes;
        const char *text; /* or words of the error */
        enum text_encoding encoding;
        enum status status;
        const char *named;
    } files[] = {
        {{"", 0}, "", TEXT_UTF8, ST_OK, NULL},
        {{"a", 1}, "a", TEXT_UTF8, ST_OK, NULL},
        {{"na\xc3\xafve", 6}, "na\xc3\xafve", TEXT_UTF8, ST_OK, NULL},
        {{"\xef\xbb\xbf"
          "a\xc3\xb6",
          6},
         "a\xc3\xb6",
         TEXT_UTF8_MARKED,
         ST_OK,
         NULL},
        {{"\xef\xbb\xbf"
          "a\xf6",
          5},
         "a\xf6",
         TEXT_UTF8_MARKED,
         ST_OK,
         NULL},
        {{"\xff\xfe"
          "a\0\xac\x20",
          6},
         "a\xe2\x82\xac",
         TEXT_UTF16,
         ST_OK,
         NULL},
        {{"\xfe\xff\0a\x20\xac", 6}, "a\xe2\x82\xac", TEXT_UTF16, ST_OK, NULL},
        {{"a\0\x3d\xd8\0\xde", 6}, "a\xf0\x9f\x98\x80", TEXT_UTF16, ST_OK, NULL},
        {{"\0a\xd8\x3d\xde\0", 6}, "a\xf0\x9f\x98\x80", TEXT_UTF16, ST_OK, NULL},
        {{"a\0\n\0\0\xde", 6}, "f.csv:2: half a character", TEXT_UTF16, ST_INPUT, NULL},
        {{"a\0\x3d\xd8"
          "b\0",
          6},
         "f.csv:1: half a character",
         TEXT_UTF16,
         ST_INPUT,
         NULL},
        {{"a\0\x3d\xd8", 4}, "f.csv:1: half a character", TEXT_UTF16, ST_INPUT, NULL},
        {{"a\0b", 3}, "f.csv:1: half a character", TEXT_UTF16, ST_INPUT, NULL},
        {{"\x80 na\xefve \x9f\xff", 10},
         "\xe2\x82\xac na\xc3\xafve \xc5\xb8\xc3\xbf",
         TEXT_NAMED,
         ST_OK,
         "windows-1252"},
        {{"a\nb\x81", 4}, "f.csv:2: the byte 81 is not windows-1252", TEXT_NAMED, ST_INPUT, "windows-1252"},
        {{"\xe5\xe4\xe8", 3}, "\xd0\xb5\xd0\xb4\xd0\xb8", TEXT_NAMED, ST_OK, "windows-1251"},
        {{"Gr\x9a\xa7"
          "e",
          5},
         "Gr\xc3\xb6\xc3\x9f"
         "e",
         TEXT_NAMED,
         ST_OK,
         "macintosh"},
        {{"a", 1}, "'nothing' is not known", TEXT_NAMED, ST_USAGE, "nothing"},
        {{"a\nb\xe5", 4}, "f.csv:2: the byte e5 is not UTF-8", TEXT_UTF8, ST_INPUT, NULL},
    };
    struct buf out = {0};
    struct err e;

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        enum text_encoding encoding = TEXT_UTF8;
        struct span text;
        buf_reset(&out);
        assert_int_equal(text_decode(files[i].bytes, files[i].named, "f.csv", &out, &text, &encoding, &e),
                         files[i].status);
        assert_int_equal(encoding, files[i].encoding);
        if (files[i].status == ST_OK)
            assert_true(span_eq(text, span_of(files[i].text)));
        else
            assert_non_null(strstr(e.text, files[i].text));
    }
    buf_clear(&out);
}

/* A folder whose name begins as another one's is another one; a link is what it leads to. */
TEST(knows_what_is_inside_a_folder)
{
    assert_int_equal(mkdir("house", 0777) | mkdir("house/room", 0777) | mkdir("house-beside", 0777), 0);
    assert_int_equal(symlink("../house-beside", "house/out") | symlink("room", "house/in"), 0);
    assert_true(path_is_inside("house", "house"));
    assert_true(path_is_inside("house", "house/room"));
    assert_true(path_is_inside("house", "house/in"));
    assert_true(path_is_inside("house/", "house/room/../room"));
    assert_true(path_is_inside("/", "house"));
    assert_false(path_is_inside("house", "house-beside"));
    assert_false(path_is_inside("house", "house/out"));
    assert_false(path_is_inside("house", "house/room/../../house-beside"));
    assert_false(path_is_inside("house/room", "house"));
    assert_false(path_is_inside("house", "house/missing"));
    assert_false(path_is_inside("missing", "house"));
    assert_int_equal(
        unlink("house/out") | unlink("house/in") | rmdir("house/room") | rmdir("house") | rmdir("house-beside"), 0);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
