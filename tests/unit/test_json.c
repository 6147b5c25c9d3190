/* fetch/json against jansson, an independent reader: on documents made by chance and broken by
 * chance, both must see the same tree, or none. */
#include "fetch/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

/* --- both trees as one kind of text --- */

static void add_text(struct buf *out, struct span s)
{
    buf_addf(out, "%zu:", s.len);
    buf_add_span(out, s);
}

static void write_ours(const struct json *v, struct buf *out)
{
    switch (v->kind) {
    case JS_NULL:
    case JS_FALSE:
    case JS_TRUE:
        buf_add_char(out, "nft"[v->kind]);
        return;
    case JS_INT:
        buf_addf(out, "i%lld", (long long)v->as.integer);
        return;
    case JS_REAL:
        buf_addf(out, "r%.17g", v->as.real);
        return;
    case JS_TEXT:
        add_text(out, json_text(v));
        return;
    case JS_LIST:
    case JS_OBJECT:
        buf_addf(out, "%c%zu", v->kind == JS_LIST ? '[' : '{', v->as.list.n);
        for (const struct json *e = v->as.list.first; e != NULL; e = e->next) {
            if (v->kind == JS_OBJECT)
                add_text(out, e->name);
            write_ours(e, out);
        }
    }
}

static void write_theirs(json_t *v, struct buf *out)
{
    const char *key;
    size_t key_len, i;
    json_t *e;

    if (json_is_null(v) || json_is_boolean(v))
        buf_add_char(out, json_is_null(v) ? 'n' : json_is_true(v) ? 't' : 'f');
    if (json_is_integer(v))
        buf_addf(out, "i%lld", (long long)json_integer_value(v));
    if (json_is_real(v))
        buf_addf(out, "r%.17g", json_real_value(v));
    if (json_is_string(v))
        add_text(out, (struct span){json_string_value(v), json_string_length(v)});
    if (json_is_array(v)) {
        buf_addf(out, "[%zu", json_array_size(v));
        json_array_foreach(v, i, e)
            write_theirs(e, out);
    }
    if (json_is_object(v)) {
        buf_addf(out, "{%zu", json_object_size(v));
        json_object_keylen_foreach(v, key, key_len, e) {
            add_text(out, (struct span){key, key_len});
            write_theirs(e, out);
        }
    }
}

/* What this reader takes and jansson does not, on purpose. */
static bool may_differ(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_numeric_overflow:
    case json_error_duplicate_key:
    case json_error_null_byte_in_key:
        return true;
    case json_error_invalid_syntax:
        return strstr(error->text, "invalid Unicode") != NULL; /* half a surrogate pair */
    default:
        return false;
    }
}

/* Whether both took it. */
static bool compare(struct span bytes)
{
    struct arena arena = {0};
    struct buf ours = {0}, theirs = {0};
    json_error_t error;
    const struct json *a = json_read(bytes, &arena);
    json_t *b = json_loadb(bytes.ptr, bytes.len,
                           JSON_ALLOW_NUL | JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);

    if (a == NULL && b != NULL)
        fail_msg("refused: %.*s", (int)bytes.len, bytes.ptr);
    if (a != NULL && b == NULL && !may_differ(&error))
        fail_msg("taken, although %s: %.*s", error.text, (int)bytes.len, bytes.ptr);
    bool both = a != NULL && b != NULL;
    if (both) {
        write_ours(a, &ours);
        write_theirs(b, &theirs);
        if (!span_eq(buf_span(&ours), buf_span(&theirs)))
            fail_msg("%.*s\nis %s\nnot %s", (int)bytes.len, bytes.ptr, buf_cstr(&ours),
                     buf_cstr(&theirs));
    }
    json_decref(b);
    arena_clear(&arena);
    buf_clear(&ours);
    buf_clear(&theirs);
    return both;
}

/* --- documents by chance --- */

static void add_string(struct random *r, struct buf *out)
{
    static const char *const pieces[] = {"a", "long text without any escapes in it", "\\n", "\\\"",
                                         "\\\\", "\\/", "\\u0041", "\\u00e9", "\xc3\xa9",
                                         "\\ud83d\\ude00", "\xf0\x9f\x98\x80", "\\u0000", "\\b",
                                         "\\f\\r\\t", "<p>&amp;</p>", "\xef\xbf\xbd", "\x7f", "//"};
    buf_add_char(out, '"');
    for (uint64_t n = random_below(r, 6); n > 0; n--)
        buf_add_text(out, pieces[random_below(r, ARRAY_LEN(pieces))]);
    buf_add_char(out, '"');
}

static void add_value(struct random *r, struct buf *out, int depth)
{
    static const char *const words[] = {"null", "true", "false", "0", "-1", "12345678901", "0.5",
                                        "-1.5e-3", "2E2", "9223372036854775807",
                                        "-9223372036854775807"};
    uint64_t kind = random_below(r, depth > 5 ? 2 : 4), n = random_below(r, 5);

    if (kind == 0)
        buf_add_text(out, words[random_below(r, ARRAY_LEN(words))]);
    if (kind == 1)
        add_string(r, out);
    if (kind < 2)
        return;
    buf_add_char(out, kind == 2 ? '[' : '{');
    for (uint64_t i = 0; i < n; i++) {
        buf_add_text(out, i > 0 ? ", " : "");
        if (kind == 3)
            buf_addf(out, "\"key%d\" : ", (int)i);
        add_value(r, out, depth + 1);
    }
    buf_add_char(out, kind == 2 ? ']' : '}');
}

static void like_jansson(void **state)
{
    static const char bytes[] = "\"\\{}[],:0123456789eE+-.untrfals \n\t\x01\x80\xc3\xff/dD";
    struct random r;
    struct buf whole = {0}, broken = {0};
    size_t n_taken = 0, n_broken = 0;

    (void)state;
    random_seed(&r, 20261121);
    for (int i = 0; i < 3000; i++) {
        buf_reset(&whole);
        add_value(&r, &whole, 0);
        if (!compare(buf_span(&whole)))
            fail_msg("refused by both: %s", buf_cstr(&whole));
        for (int j = 0; j < 10; j++) {
            buf_reset(&broken);
            buf_add_span(&broken, buf_span(&whole));
            for (uint64_t n = random_below(&r, 3); n > 0; n--)
                broken.ptr[random_below(&r, broken.len)] =
                    bytes[random_below(&r, sizeof bytes - 1)];
            if (random_below(&r, 4) == 0)
                broken.len = random_below(&r, broken.len + 1);
            n_broken++;
            n_taken += compare(buf_span(&broken));
        }
    }
    assert_true(n_taken > n_broken / 10 && n_taken < n_broken * 9 / 10);
    buf_clear(&whole);
    buf_clear(&broken);
}

static void corners(void **state)
{
    static const char *const cases[] = {
        "", " ", "0", " 1 ", "01", "-", "-0", "1.", ".5", "1e", "1e+", "+1", "0x1", "1 2", "nul",
        "nullx", "truefalse", "[", "]", "[]", "[1,]", "[,1]", "{}", "{\"a\"}", "{\"a\":}",
        "{\"a\":1,}", "{a:1}", "{1:1}", "\"", "\"\\\"", "\"\\u12\"", "\"\\u123g\"", "\"\\x\"",
        "\"\t\"", "\"\x7f\"", "\"\\ud83d\\ude00\"", "\"1234567\\n12345678\\\"1234567\"", "NaN",
        "Infinity", "\"a\"b", "[1]]", "\"abcdefg\x1f\"", "\"\x80\"", "\"\xed\xa0\x80\""};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        compare(span_of(cases[i]));
    compare((struct span){"[1]\0", 4});
    compare((struct span){"\"a\0b\"", 5});
    /* jansson passes over a NUL behind a number. */
    struct arena arena = {0};
    assert_null(json_read((struct span){"[1\0]", 4}, &arena));
    assert_null(json_read((struct span){"1\0", 2}, &arena));
    arena_clear(&arena);
}

/* --- where it does not do as jansson does --- */

static void expect(const char *text, const char *expected)
{
    struct arena arena = {0};
    struct buf out = {0};
    const struct json *v = json_read(span_of(text), &arena);

    if (v != NULL)
        write_ours(v, &out);
    else
        fail_msg("refused: %s", text);
    assert_string_equal(buf_cstr(&out), expected);
    buf_clear(&out);
    arena_clear(&arena);
}

static void forgives(void **state)
{
    (void)state;
    expect("\"\\ud83d \\ude00 \\ud83d\\ud83d\\ude00\"",
           "15:\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd\xf0\x9f\x98\x80");
    expect("\"\\ud83d\\u0041\"", "4:\xef\xbf\xbd" "A");
    expect("[99999999999999999999]", "[1r1e+20");
}

static void nests(void **state)
{
    enum { DEEP = 1000000 };
    struct buf text = {0};
    struct arena arena = {0};

    (void)state;
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        buf_add_char(&text, '[');
    buf_add_char(&text, '1');
    for (int i = 0; i < JSON_DEPTH_MAX; i++)
        buf_add_char(&text, ']');
    assert_non_null(json_read(buf_span(&text), &arena));
    buf_reset(&text);
    for (int i = 0; i < DEEP; i++)
        buf_add_text(&text, "{\"a\":");
    assert_null(json_read(buf_span(&text), &arena));
    buf_clear(&text);
    arena_clear(&arena);
}

static void looks(void **state)
{
    struct arena arena = {0};
    const struct json *v = json_read(SPAN("{\"a\":[1,\"\"],\"b\":{},\"a\":2}"), &arena);

    (void)state;
    assert_int_equal(json_length(json_member(v, "a")), 2);
    assert_int_equal(json_elements(json_member(v, "a"))->as.integer, 1);
    assert_non_null(json_text(json_elements(json_member(v, "a"))->next).ptr);
    assert_null(json_text(json_member(v, "b")).ptr);
    assert_null(json_elements(json_member(v, "b")));
    assert_null(json_elements(v));
    assert_int_equal(json_length(v), 0);
    assert_null(json_member(v, "c"));
    assert_null(json_member(json_member(v, "a"), "a"));
    assert_null(json_member(NULL, "a"));
    arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_jansson), cmocka_unit_test(corners), cmocka_unit_test(forgives),
        cmocka_unit_test(nests),        cmocka_unit_test(looks),
    };

    return cmocka_run_group_tests_name("fetch/json", tests, NULL, NULL);
}
