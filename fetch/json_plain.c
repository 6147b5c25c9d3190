/* Reads the JSON that programs usually write; leaves the rest to jansson. For 54 MB of posts on a busy machine, in
 * MB/s: jansson 55, this 460 to 720, yyjson 0.12 1360 to 2280. Half of the work makes objects, which json_read_flat
 * avoids. */
#include "fetch/json.h"

#include "base/utf8.h"

#include <math.h>

enum { DEPTH_MAX = 64, DIGITS_MAX = 18, NUMBER_MAX = 40 };

struct text {
    const char *at, *end;
    struct buf *plain; /* of strings with escapes */
};

static json_t *read_value(struct text *t, int depth);

static void pass_blanks(struct text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\r' || *t->at == '\t'))
        t->at++;
}

/* Is the next one, after blanks, this? It is passed over. */
static bool take(struct text *t, char c)
{
    pass_blanks(t);
    bool is_next = t->at < t->end && *t->at == c;
    t->at += is_next;
    return is_next;
}

/* The four digits at `at`; -1: they are none. */
static int32_t unit_at(const struct text *t, const char *at)
{
    int32_t value = 0;

    if (t->end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* The character after a backslash and 'u', which t->at is behind then; half of a pair is none. */
static bool add_unit(struct text *t)
{
    int32_t c = unit_at(t, t->at), low;
    char bytes[4];

    t->at += 4;
    if (c >= 0xd800 && c < 0xdc00 && t->end - t->at >= 6 && t->at[0] == '\\' && t->at[1] == 'u' &&
        (low = unit_at(t, t->at + 2)) >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + (c - 0xd800) * 0x400 + (low - 0xdc00);
        t->at += 6;
    }
    size_t len = c >= 0 ? utf8_put((uint32_t)c, bytes) : 0;
    buf_add(t->plain, bytes, len);
    return len > 0;
}

/* Skips the bytes that are themselves in a string: eight at a time with no quote, backslash or control character. */
static void pass_plain(struct text *t)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones * 0x80;

    for (uint64_t w; t->end - t->at >= (ptrdiff_t)sizeof w; t->at += sizeof w) {
        memcpy(&w, t->at, sizeof w);
        uint64_t quote = w ^ ones * '"', slash = w ^ ones * '\\';
        if ((((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((w - ones * ' ') & ~w)) & high)
            break;
    }
    while (t->at < t->end && *t->at != '"' && *t->at != '\\' && (unsigned char)*t->at >= ' ')
        t->at++;
}

/* From the first backslash on. */
static bool add_escapes(struct text *t)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";

    while (t->at < t->end && *t->at != '"') {
        const char *from = t->at;
        pass_plain(t);
        buf_add(t->plain, from, (size_t)(t->at - from));
        if (t->at == t->end || *t->at == '"')
            break;
        if (*t->at != '\\' || t->end - t->at < 2)
            return false;
        const char *name = memchr(names, t->at[1], sizeof names - 1);
        bool is_unit = t->at[1] == 'u';
        t->at += 2;
        if (name != NULL)
            buf_add_char(t->plain, values[name - names]);
        else if (!is_unit || !add_unit(t))
            return false;
    }
    return t->at < t->end;
}

/* The string whose quote was passed over, a span of the text or of what is added to t->plain. */
static bool read_string(struct text *t, struct span *out, bool *escaped)
{
    const char *from = t->at;
    size_t before = t->plain->len;

    pass_plain(t);
    *out = (struct span){from, (size_t)(t->at - from)};
    *escaped = t->at < t->end && *t->at == '\\';
    if (*escaped) {
        buf_add_span(t->plain, *out);
        if (!add_escapes(t))
            return false;
        *out = (struct span){t->plain->ptr + before, t->plain->len - before};
    }
    return t->at++ < t->end && t->at[-1] == '"';
}

static bool read_name(struct text *t, struct span *name)
{
    bool escaped;

    return take(t, '"') && read_string(t, name, &escaped) && !escaped && take(t, ':');
}

static size_t pass_digits(struct text *t)
{
    const char *from = t->at;

    while (t->at < t->end && *t->at >= '0' && *t->at <= '9')
        t->at++;
    return (size_t)(t->at - from);
}

static bool pass_any(struct text *t, char a, char b)
{
    bool is_next = t->at < t->end && (*t->at == a || *t->at == b);

    t->at += is_next;
    return is_next;
}

static bool read_number(struct text *t, struct json_value *out)
{
    const char *from = t->at;
    char copy[NUMBER_MAX + 1];

    pass_any(t, '-', '-');
    bool zero = t->at < t->end && *t->at == '0', point = false, exponent = false;
    size_t n = pass_digits(t);
    bool fine = n > 0 && n <= DIGITS_MAX && (!zero || n == 1);
    if ((point = pass_any(t, '.', '.')))
        fine = fine && pass_digits(t) > 0;
    if ((exponent = pass_any(t, 'e', 'E'))) {
        pass_any(t, '-', '+');
        fine = fine && pass_digits(t) > 0;
    }
    size_t len = (size_t)(t->at - from);
    if (!fine || len > NUMBER_MAX)
        return false;
    *out = (struct json_value){.type = point || exponent ? JSON_REAL : JSON_INTEGER};
    if (!point && !exponent)
        return span_i64((struct span){from, len}, &out->integer);
    memcpy(copy, from, len);
    copy[len] = '\0';
    out->real = strtod(copy, NULL);
    return isfinite(out->real);
}

/* A value without parts. */
static bool read_single(struct text *t, struct json_value *out)
{
    bool escaped;

    *out = (struct json_value){.type = JSON_STRING};
    if (take(t, '"'))
        return read_string(t, &out->text, &escaped);
    if (t->at < t->end && (*t->at == '-' || (*t->at >= '0' && *t->at <= '9')))
        return read_number(t, out);
    static const char *const words[] = {"true", "false", "null"};
    static const json_type types[] = {JSON_TRUE, JSON_FALSE, JSON_NULL};
    size_t left = (size_t)(t->end - t->at);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t len = strlen(words[i]);
        if (left < len || memcmp(t->at, words[i], len) != 0)
            continue;
        t->at += len;
        out->type = types[i];
        return true;
    }
    return false;
}

/* Those of an object or a list are the same but for names. */
static json_t *read_members(struct text *t, json_t *out, char close, int depth)
{
    bool is_object = close == '}', fine = true;

    if (take(t, close))
        return out;
    do {
        struct span name = {0};
        bool named = !is_object || read_name(t, &name);
        json_t *value = named && depth < DEPTH_MAX ? read_value(t, depth + 1) : NULL;
        fine = value != NULL && (is_object ? json_object_setn_new_nocheck(out, name.ptr, name.len, value)
                                           : json_array_append_new(out, value)) == 0;
    } while (fine && take(t, ','));
    if (fine && take(t, close))
        return out;
    json_decref(out);
    return NULL;
}

static json_t *read_value(struct text *t, int depth)
{
    struct json_value value;

    if (take(t, '{'))
        return read_members(t, json_object(), '}', depth);
    if (take(t, '['))
        return read_members(t, json_array(), ']', depth);
    buf_reset(t->plain);
    if (!read_single(t, &value))
        return NULL;
    switch (value.type) {
    case JSON_STRING:
        return json_stringn_nocheck(value.text.ptr, value.text.len);
    case JSON_INTEGER:
        return json_integer(value.integer);
    case JSON_REAL:
        return json_real(value.real);
    default:
        return value.type == JSON_NULL ? json_null() : json_boolean(value.type == JSON_TRUE);
    }
}

json_t *json_read_plain(struct span bytes)
{
    struct buf plain = {0};
    struct text t = {.at = bytes.ptr, .end = bytes.ptr + bytes.len, .plain = &plain};

    if (bytes.len == 0 || utf8_valid_prefix(bytes) != bytes.len)
        return NULL;
    json_t *root = read_value(&t, 0);
    pass_blanks(&t);
    bool whole = t.at == t.end && (json_is_object(root) || json_is_array(root));
    buf_clear(&plain);
    if (!whole) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* --- without objects in memory --- */

/* A list, whose bracket was passed over. */
static bool pass_strings(struct text *t, struct json_value *out)
{
    const char *from = t->at;
    struct span one;
    bool escaped = false;

    if (!take(t, ']')) {
        do {
            if (!take(t, '"') || !read_string(t, &one, &escaped) || escaped)
                return false;
        } while (take(t, ','));
        if (!take(t, ']'))
            return false;
    }
    *out = (struct json_value){.type = JSON_ARRAY, .text = {from, (size_t)(t->at - from) - 1}};
    return true;
}

bool json_read_flat(struct json_flat *out, struct span bytes)
{
    struct text t = {.at = bytes.ptr, .end = bytes.ptr + bytes.len, .plain = &out->plain};
    bool fine = take(&t, '{') && utf8_valid_prefix(bytes) == bytes.len;

    out->members.n = 0;
    buf_reset(&out->names);
    buf_reset(&out->plain);
    buf_reserve(&out->plain, bytes.len); /* what is read is never longer, so that it stays where it is */
    if (fine && take(&t, '}'))
        return false; /* an empty one */
    do {
        struct json_member m;
        fine = fine && read_name(&t, &m.name) &&
               (take(&t, '[') ? pass_strings(&t, &m.value) : read_single(&t, &m.value));
        if (!fine)
            return false;
        array_add(&out->members, m);
        buf_add_span(&out->names, m.name);
        buf_add_char(&out->names, '\0');
    } while (take(&t, ','));
    fine = take(&t, '}');
    pass_blanks(&t);
    return fine && t.at == t.end;
}

void json_flat_clear(struct json_flat *f)
{
    array_clear(&f->members);
    buf_clear(&f->names);
    buf_clear(&f->plain);
}

struct json_value json_value_of(const json_t *value)
{
    if (value == NULL)
        return (struct json_value){.type = JSON_NULL};
    return (struct json_value){.type = json_typeof(value),
                               .text = {json_string_value(value), json_string_length(value)},
                               .integer = json_integer_value(value),
                               .real = json_real_value(value),
                               .json = json_is_object(value) || json_is_array(value) ? value : NULL};
}
