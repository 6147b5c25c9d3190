/* json: members of JSON objects that strangers wrote. */
#include "fetch/json.h"

#include "post/post.h"

#include <math.h>

static unsigned hex4(const char *p)
{
    unsigned value = 0;

    for (int i = 0; i < 4; i++) {
        char c = p[i];
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 0x10000U;
        value = value << 4 | digit;
    }
    return value;
}

/* The code unit of a "\uD834" at p; 0 for anything else (and for \u0000). */
static unsigned code_unit(const char *p, const char *end)
{
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return 0;
    unsigned unit = hex4(p + 2);
    return unit <= 0xffff ? unit : 0;
}

/* Half a surrogate pair is no character, and one in a post must not make a hundred others
 * unreadable: it becomes U+FFFD. */
static void mend_surrogates(struct span bytes, struct buf *out)
{
    const char *p = bytes.ptr, *end = p + bytes.len;

    while (p < end) {
        unsigned unit = code_unit(p, end);
        bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
        unsigned next = high ? code_unit(p + 6, end) : 0;
        size_t len = *p == '\\' && end - p > 1 ? 2 : 1; /* "\\u" is no reference */
        if (high && next >= 0xdc00 && next < 0xe000) {
            len = 12;
        } else if (high || low) {
            buf_add_text(out, "\\ufffd");
            p += 6;
            continue;
        }
        buf_add(out, p, len);
        p += len;
    }
}

static json_t *load(struct span bytes, size_t flags, json_error_t *error)
{
    return json_loadb(bytes.ptr, bytes.len, JSON_ALLOW_NUL | flags, error);
}

json_t *json_read(struct span bytes, bool *invalid_utf8)
{
    json_error_t error;
    struct buf mended = {0};
    json_t *root = load(bytes, 0, &error);

    /* One number that no integer holds must not make a hundred posts unreadable. */
    if (root == NULL && json_error_code(&error) == json_error_numeric_overflow)
        root = load(bytes, JSON_DECODE_INT_AS_REAL, &error);
    if (root == NULL && json_error_code(&error) == json_error_invalid_syntax) {
        mend_surrogates(bytes, &mended);
        root = load(buf_span(&mended), 0, &error);
        buf_clear(&mended);
    }
    if (invalid_utf8 != NULL)
        *invalid_utf8 = root == NULL && json_error_code(&error) == json_error_invalid_utf8;
    return root;
}

int64_t json_number_of(const json_t *value)
{
    if (json_is_integer(value))
        return (int64_t)json_integer_value(value);
    if (!json_is_real(value))
        return POST_ABSENT;
    double real = ceil(json_real_value(value)); /* a backoff of 0.2 was seen */
    return real > -1e15 && real < 1e15 ? (int64_t)real : POST_ABSENT;
}

int64_t json_number(const json_t *object, const char *field)
{
    return json_number_of(json_object_get(object, field));
}

struct span json_text(const json_t *object, const char *field)
{
    const json_t *value = json_object_get(object, field);

    if (!json_is_string(value))
        return (struct span){0};
    return (struct span){json_string_value(value), json_string_length(value)};
}

struct span json_whole_text(struct arena *arena, const json_t *object, const char *field)
{
    struct span s = json_text(object, field), part;
    struct buf out = {0};

    if (s.len == 0 || memchr(s.ptr, '\0', s.len) == NULL)
        return s;
    while (span_cut(&s, '\0', &part)) {
        buf_add_span(&out, part);
        if (s.ptr > part.ptr + part.len)
            buf_add_text(&out, "\xef\xbf\xbd");
    }
    s = arena_copy(arena, buf_span(&out));
    buf_clear(&out);
    return s;
}
