/* json: members of JSON objects that strangers wrote. */
#include "fetch/json.h"

#include "base/post/post.h"
#include "base/utf8.h"

#include <math.h>

static json_t *load(struct span bytes, size_t flags, json_error_t *error)
{
    return json_loadb(bytes.ptr, bytes.len, JSON_ALLOW_NUL | flags, error);
}

json_t *json_read(struct span bytes, bool *invalid_utf8)
{
    json_error_t error;
    struct buf mended = {0};
    json_t *root = json_read_plain(bytes);

    if (root == NULL)
        root = load(bytes, 0, &error);
    /* One number that no integer holds must not make a hundred posts unreadable. */
    if (root == NULL && json_error_code(&error) == json_error_numeric_overflow)
        root = load(bytes, JSON_DECODE_INT_AS_REAL, &error);
    if (root == NULL && json_error_code(&error) == json_error_invalid_syntax) {
        buf_add_json_mended(&mended, bytes);
        root = load(buf_span(&mended), 0, &error);
        buf_clear(&mended);
    }
    if (invalid_utf8 != NULL)
        *invalid_utf8 = root == NULL && json_error_code(&error) == json_error_invalid_utf8;
    return root;
}

bool json_is_cut(struct span bytes)
{
    json_error_t error;

    bytes.len = utf8_whole(bytes);
    json_t *root = load(bytes, JSON_DISABLE_EOF_CHECK, &error);
    bool is_read = root != NULL;
    json_decref(root);
    if (is_read || bytes.len == 0 || bytes.ptr[0] != '{')
        return false;
    /* Within a word or an escape the end is an error like others, but for its place. */
    return json_error_code(&error) == json_error_premature_end_of_input ||
           ((size_t)error.position == bytes.len && bytes.ptr[bytes.len - 1] != '}');
}

static int64_t number_of(const json_t *value)
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
    return number_of(json_object_get(object, field));
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
