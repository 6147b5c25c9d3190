/* json: members of JSON objects that strangers wrote. */
#include "fetch/json.h"

#include "base/post/post.h"
#include "base/utf8.h"

#include <math.h>

static json_t *load(struct span bytes, size_t flags, json_error_t *error)
{
    return json_loadb(bytes.ptr, bytes.len, JSON_ALLOW_NUL | flags, error);
}

/* Python writes NaN where a table has nothing: null. */
static void add_without_nan(struct buf *out, struct span json)
{
    bool in_text = false;

    for (size_t i = 0; i < json.len; i++) {
        bool is_nan = !in_text && span_starts((struct span){json.ptr + i, json.len - i}, SPAN("NaN"));
        in_text = in_text != (json.ptr[i] == '"');
        if (is_nan)
            buf_add_text(out, "null");
        else
            buf_add_char(out, json.ptr[i]);
        if (in_text && json.ptr[i] == '\\' && i + 1 < json.len)
            buf_add_char(out, json.ptr[++i]);
        i += is_nan ? 2 : 0;
    }
}

json_t *json_read_first(struct span *rest)
{
    json_error_t error;
    json_t *root = load(*rest, JSON_DISABLE_EOF_CHECK, &error);
    size_t len = root != NULL ? (size_t)error.position : 0;

    *rest = (struct span){rest->ptr + len, rest->len - len};
    return root;
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
        AT_END(buf_clear) struct buf plain = {0};
        buf_add_json_mended(&mended, bytes);
        add_without_nan(&plain, buf_span(&mended));
        root = load(buf_span(&plain), 0, &error);
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
    for (json_t *root; (root = json_read_first(&bytes)) != NULL; bytes = span_trim(bytes))
        json_decref(root);
    if (bytes.len == 0 || bytes.ptr[0] != '{' || load(bytes, 0, &error) != NULL)
        return false;
    /* Within a word or an escape the end is an error like others, but for its place. */
    return json_error_code(&error) == json_error_premature_end_of_input ||
           ((size_t)error.position == bytes.len && bytes.ptr[bytes.len - 1] != '}');
}

int64_t json_number(const json_t *object, const char *field)
{
    const json_t *value = json_object_get(object, field);
    if (json_is_integer(value))
        return (int64_t)json_integer_value(value);
    if (!json_is_real(value))
        return POST_ABSENT;
    double real = ceil(json_real_value(value)); /* a backoff of 0.2 was seen */
    return real > -1e15 && real < 1e15 ? (int64_t)real : POST_ABSENT;
}

struct span json_text(const json_t *object, const char *field)
{
    const json_t *value = json_object_get(object, field);

    if (!json_is_string(value))
        return (struct span){0};
    return (struct span){json_string_value(value), json_string_length(value)};
}

struct span json_without_nul(struct arena *arena, struct span s)
{
    struct span part;
    AT_END(buf_clear) struct buf out = {0};

    if (s.len == 0 || memchr(s.ptr, '\0', s.len) == NULL)
        return s;
    while (span_cut(&s, '\0', &part)) {
        buf_add_span(&out, part);
        if (s.ptr > part.ptr + part.len)
            buf_add_text(&out, "\xef\xbf\xbd");
    }
    return arena_copy(arena, buf_span(&out));
}
