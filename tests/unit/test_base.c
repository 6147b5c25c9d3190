/* base: spans, buffers, arena, UTF-8, files. */
#define _GNU_SOURCE /* mkstemp, setenv */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void cuts_spans(void **state)
{
    struct span rest = SPAN("a,,b,"), part;
    static const char *const expected[] = {"a", "", "b"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_true(span_cut(&rest, ',', &part));
        assert_true(span_eq(part, span_of(expected[i])));
    }
    assert_false(span_cut(&rest, ',', &part)); /* no empty part behind the last delimiter */
    rest = (struct span){0};
    assert_false(span_cut(&rest, ',', &part));
}

static void trims_and_finds(void **state)
{
    (void)state;
    assert_true(span_eq(span_trim(SPAN(" \t\r\n x y \v\f")), SPAN("x y")));
    assert_int_equal(span_trim(SPAN(" \n ")).len, 0);
    assert_true(span_starts(SPAN("tensorflow2"), SPAN("tensorflow")));
    assert_false(span_starts(SPAN("tf"), SPAN("tensorflow")));
    assert_int_equal(span_find(SPAN("abcabd"), SPAN("abd")), 3);
    assert_true(span_find(SPAN("abc"), SPAN("abd")) == SIZE_MAX);
    assert_int_equal(span_find(SPAN("abc"), SPAN("")), 0);
    assert_true(span_eq((struct span){0}, SPAN("")));
}

static void reads_numbers(void **state)
{
    uint64_t u = 7;
    int64_t i = 7;

    (void)state;
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
static void reads_numbers_below_any_maximum(void **state)
{
    char text[16];
    uint64_t value;

    (void)state;
    for (unsigned max = 0; max < 130; max++)
        for (unsigned n = 0; n < 130; n++) {
            snprintf(text, sizeof text, "%u", n);
            assert_int_equal(span_u64(span_of(text), max, &value), n <= max);
        }
}

static void grows_buffers(void **state)
{
    struct buf b = {0};

    (void)state;
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

static void writes_json_strings(void **state)
{
    struct buf b = {0};

    (void)state;
    buf_add_json(&b, SPAN("a\"b\\c\n\x01\xc3\xa9\xff" "d"));
    assert_string_equal(buf_cstr(&b), "\"a\\\"b\\\\c\\n\\u0001\xc3\xa9\xef\xbf\xbd" "d\"");
    buf_clear(&b);
}

static void keeps_copies_in_an_arena(void **state)
{
    struct arena a = {0};
    struct span copies[300];
    char text[300];

    (void)state;
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

static void knows_valid_utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t valid;
    } cases[] = {
        {"ascii only, longer than eight bytes", 35},
        {"12345678\xc3\xa9", 10},
        {"\xc2\x80", 2},
        {"\xc0\x80", 0},             /* overlong */
        {"\xe0\x9f\xbf", 0},         /* overlong */
        {"\xed\xa0\x80", 0},         /* surrogate */
        {"\xee\x80\x80", 3},
        {"\xf0\x8f\xbf\xbf", 0},     /* overlong */
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\xf4\x90\x80\x80", 0},     /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 0},
        {"\x80", 0},
        {"ab\xe2\x82", 2},           /* cut */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(utf8_valid_prefix(span_of(cases[i].bytes)), cases[i].valid);
}

static void encodes_what_it_decodes(void **state)
{
    char bytes[4];
    uint32_t decoded;

    (void)state;
    for (uint32_t cp = 0; cp < 0x110010; cp++) {
        size_t len = utf8_encode(cp, bytes);
        if ((cp >= 0xd800 && cp <= 0xdfff) || cp > 0x10ffff) {
            assert_int_equal(len, 0);
            continue;
        }
        if (utf8_valid_prefix((struct span){bytes, len}) != len ||
            utf8_decode(bytes, bytes + len, &decoded) != len || decoded != cp)
            fail_msg("U+%04X does not come back", cp);
    }
}

static void reads_files_up_to_a_size(void **state)
{
    char path[] = "test_base_XXXXXX";
    int fd = mkstemp(path);
    struct buf content = {0};
    struct err e = {0};

    (void)state;
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

static void owns_the_clock(void **state)
{
    char now[TIME_TEXT_SIZE];

    (void)state;
    setenv("PPMINE_NOW", "2020-02-29T23:59:59.999Z", 1);
    time_now(now);
    assert_string_equal(now, "2020-02-29T23:59:59.999Z");
    unsetenv("PPMINE_NOW");
    time_now(now);
    assert_int_equal(strlen(now), TIME_TEXT_SIZE - 1);
    assert_true(now[10] == 'T' && now[23] == 'Z');
}

static void keeps_the_error(void **state)
{
    struct err e = {0};
    char long_text[3000];

    (void)state;
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(err_set(&e, ST_INPUT, "%s", long_text), ST_INPUT);
    assert_int_equal(e.status, ST_INPUT);
    assert_int_equal(strlen(e.text), sizeof e.text - 1);
}

static void finds_the_nearest_name(void **state)
{
    static const char *const names[] = {"algorithm", "db", "quiet", "threads", "tokens"};

    (void)state;
    assert_string_equal(span_nearest(SPAN("algoritm"), names, 5), "algorithm");
    assert_string_equal(span_nearest(SPAN("alg"), names, 5), "algorithm");
    assert_string_equal(span_nearest(SPAN("thread"), names, 5), "threads");
    assert_string_equal(span_nearest(SPAN("quite"), names, 5), "quiet");
    assert_null(span_nearest(SPAN("xyzzy"), names, 5));
    assert_null(span_nearest(SPAN(""), names, 5));
    assert_null(span_nearest(SPAN("x"), names, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_nearest_name),
        cmocka_unit_test(cuts_spans),
        cmocka_unit_test(trims_and_finds),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(reads_numbers_below_any_maximum),
        cmocka_unit_test(grows_buffers),
        cmocka_unit_test(writes_json_strings),
        cmocka_unit_test(keeps_copies_in_an_arena),
        cmocka_unit_test(knows_valid_utf8),
        cmocka_unit_test(encodes_what_it_decodes),
        cmocka_unit_test(reads_files_up_to_a_size),
        cmocka_unit_test(owns_the_clock),
        cmocka_unit_test(keeps_the_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
