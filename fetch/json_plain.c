/*
 * Reads the JSON that programs write; what is out of the ordinary is left to jansson. Of 54 MB of posts, on a busy machine,
 * jansson reads 55 MB/s, this 460 to 720, yyjson 0.12 1360 to 2280. Of the time of a load, which was 95 MB/s there, this is a
 * fifth: SQLite, the disk, the table of forms and hashes are the rest.
 */
#include "fetch/json.h"

#include "base/utf8.h"

#include <stdlib.h>

enum { DEPTH_MAX = 64, DIGITS_MAX = 18, NUMBER_MAX = 40 };

struct text {
    const char *at, *end;
    struct buf plain; /* of a string with escapes */
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
    buf_add(&t->plain, bytes, len);
    return len > 0;
}

/* Over the bytes that are themselves in a string; eight at a time, of which none is a quote, a backslash or below a blank. */
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
        buf_add(&t->plain, from, (size_t)(t->at - from));
        if (t->at == t->end || *t->at == '"')
            break;
        if (*t->at != '\\' || t->end - t->at < 2)
            return false;
        const char *name = memchr(names, t->at[1], sizeof names - 1);
        bool is_unit = t->at[1] == 'u';
        t->at += 2;
        if (name != NULL)
            buf_add_char(&t->plain, values[name - names]);
        else if (!is_unit || !add_unit(t))
            return false;
    }
    return t->at < t->end;
}

/* The string whose quote was passed over, a span of the text or of t->plain. */
static bool read_string(struct text *t, struct span *out)
{
    const char *from = t->at;

    pass_plain(t);
    *out = (struct span){from, (size_t)(t->at - from)};
    if (t->at < t->end && *t->at == '\\') {
        buf_set(&t->plain, *out);
        if (!add_escapes(t))
            return false;
        *out = buf_span(&t->plain);
    }
    return t->at++ < t->end && t->at[-1] == '"';
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

static json_t *read_number(struct text *t)
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
        return NULL;
    memcpy(copy, from, len);
    copy[len] = '\0';
    if (!point && !exponent)
        return json_integer(strtoll(copy, NULL, 10));
    return json_real(strtod(copy, NULL)); /* NULL where it is not finite */
}

static json_t *read_word(struct text *t)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t left = (size_t)(t->end - t->at);

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t len = strlen(words[i]);
        if (left < len || memcmp(t->at, words[i], len) != 0)
            continue;
        t->at += len;
        return i == 2 ? json_null() : json_boolean(i == 0);
    }
    return NULL;
}

/* Those of an object or a list are the same but for names. */
static json_t *read_members(struct text *t, json_t *out, char close, int depth)
{
    bool is_object = close == '}', fine = true;

    if (take(t, close))
        return out;
    do {
        struct span name = {0};
        bool named = !is_object || (take(t, '"') && read_string(t, &name) && name.ptr != t->plain.ptr && take(t, ':'));
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
    struct span string;

    if (take(t, '"'))
        return read_string(t, &string) ? json_stringn_nocheck(string.ptr, string.len) : NULL;
    if (take(t, '{'))
        return read_members(t, json_object(), '}', depth);
    if (take(t, '['))
        return read_members(t, json_array(), ']', depth);
    if (t->at < t->end && (*t->at == '-' || (*t->at >= '0' && *t->at <= '9')))
        return read_number(t);
    return read_word(t);
}

json_t *json_read_plain(struct span bytes)
{
    struct text t = {.at = bytes.ptr, .end = bytes.ptr + bytes.len};

    if (bytes.len == 0 || utf8_valid_prefix(bytes) != bytes.len)
        return NULL;
    json_t *root = read_value(&t, 0);
    pass_blanks(&t);
    bool whole = t.at == t.end && (json_is_object(root) || json_is_array(root));
    buf_clear(&t.plain);
    if (!whole) {
        json_decref(root);
        root = NULL;
    }
    return root;
}
