/* Strings are unescaped in place, in a copy of the bytes that ends with a NUL: no escape is shorter
 * than what it stands for, and the NUL, which JSON has nowhere, ends every loop. */
#include "fetch/json.h"

#include <stdlib.h>

struct reader {
    char *p;
    const char *end; /* here is the NUL */
    struct arena *arena;
    unsigned depth;
};

static void skip_blanks(struct reader *r)
{
    while (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t')
        r->p++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

/* --- strings --- */

/* The first byte from p on that is a quote, a backslash or a control character. Eight bytes at a
 * time: in a word from which a byte's value was taken (by xor), that byte is 0, and subtracting 1
 * from each byte borrows from the top bit of exactly the first zero; see "Determine if a word has a
 * zero byte", Anderson, Bit Twiddling Hacks. Bytes above it may be hits that are none, so the byte is
 * looked for again. */
static char *plain_end(char *p, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;

    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
        uint64_t hits = ((quote - ones) & ~quote) | ((slash - ones) & ~slash) |
                        ((word - ones * 0x20) & ~word);
        if ((hits & tops) != 0)
            break;
        p += 8;
    }
    while (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    return p;
}

/* Four hexadecimal digits; above 0xffff for what is none. */
static uint32_t hex4(const char *p)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        char c = p[i];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : UINT32_MAX;
        if (digit > 15) /* the NUL, too: nothing behind it is looked at */
            return UINT32_MAX;
        value = value << 4 | digit;
    }
    return value;
}

/* r->p is behind "\u". Half a surrogate pair is no character, and one in a post must not make a
 * hundred others unreadable: it becomes U+FFFD. */
static bool read_code_point(struct reader *r, char **out)
{
    uint32_t unit = hex4(r->p);

    if (unit > 0xffff)
        return false;
    r->p += 4;
    if (unit >= 0xd800 && unit < 0xdc00 && r->p[0] == '\\' && r->p[1] == 'u') {
        uint32_t low = hex4(r->p + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            r->p += 6;
        }
    }
    if (unit >= 0xd800 && unit < 0xe000)
        unit = 0xfffd;
    *out += utf8_encode(unit, *out);
    return true;
}

/* r->p is behind a backslash. */
static bool read_escape(struct reader *r, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char letter = *r->p;

    if (letter == '\0')
        return false;
    r->p++;
    if (letter == 'u')
        return read_code_point(r, out);
    const char *found = strchr(letters, letter);
    if (found == NULL)
        return false;
    *(*out)++ = meant[found - letters];
    return true;
}

/* r->p is behind the first quote. */
static bool read_string(struct reader *r, struct span *text)
{
    char *start = r->p, *out = plain_end(start, r->end);

    r->p = out;
    while (*r->p == '\\') {
        r->p++;
        if (!read_escape(r, &out))
            return false;
        char *stop = plain_end(r->p, r->end);
        size_t len = (size_t)(stop - r->p);
        memmove(out, r->p, len);
        out += len;
        r->p = stop;
    }
    if (*r->p != '"')
        return false;
    r->p++;
    *text = (struct span){start, (size_t)(out - start)};
    return true;
}

/* --- numbers --- */

static bool skip_digits(struct reader *r)
{
    const char *start = r->p;

    while (*r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > start;
}

static bool read_number(struct reader *r, struct json *value)
{
    const char *start = r->p;
    bool is_real = false;

    r->p += *r->p == '-';
    if (*r->p == '0')
        r->p++; /* no digit may follow */
    else if (!skip_digits(r))
        return false;
    if (*r->p == '.') {
        is_real = true;
        r->p++;
        if (!skip_digits(r))
            return false;
    }
    if (*r->p == 'e' || *r->p == 'E') {
        is_real = true;
        r->p++;
        r->p += *r->p == '+' || *r->p == '-';
        if (!skip_digits(r))
            return false;
    }
    value->kind = JS_INT;
    if (!is_real && span_i64((struct span){start, (size_t)(r->p - start)}, &value->as.integer))
        return true;
    value->kind = JS_REAL;
    value->as.real = strtod(start, NULL);
    return true;
}

/* --- values --- */

static bool read_value(struct reader *r, struct json *value);

static bool read_name(struct reader *r, struct json *value)
{
    return take(r, '"') && read_string(r, &value->name) && take(r, ':');
}

/* r->p is behind the bracket. */
static bool read_elements(struct reader *r, struct json *value, bool named, char close)
{
    const struct json **end = &value->as.list.first;

    *end = NULL;
    value->as.list.n = 0;
    if (take(r, close))
        return true;
    if (++r->depth > JSON_DEPTH_MAX)
        return false;
    do {
        struct json *element = arena_alloc(r->arena, sizeof *element);
        *element = (struct json){.kind = JS_NULL};
        if ((named && !read_name(r, element)) || !read_value(r, element))
            return false;
        *end = element;
        end = &element->next;
        value->as.list.n++;
    } while (take(r, ','));
    r->depth--;
    return take(r, close);
}

static bool read_word(struct reader *r, struct json *value)
{
    static const struct {
        struct span word;
        enum json_kind kind;
    } words[] = {{{"null", 4}, JS_NULL}, {{"true", 4}, JS_TRUE}, {{"false", 5}, JS_FALSE}};
    struct span rest = {r->p, (size_t)(r->end - r->p)};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (span_starts(rest, words[i].word)) {
            r->p += words[i].word.len;
            value->kind = words[i].kind;
            return true;
        }
    return false;
}

static bool read_value(struct reader *r, struct json *value)
{
    skip_blanks(r);
    switch (*r->p) {
    case '"':
        r->p++;
        value->kind = JS_TEXT;
        return read_string(r, &value->as.text);
    case '[':
        r->p++;
        value->kind = JS_LIST;
        return read_elements(r, value, false, ']');
    case '{':
        r->p++;
        value->kind = JS_OBJECT;
        return read_elements(r, value, true, '}');
    case 'n':
    case 't':
    case 'f':
        return read_word(r, value);
    default:
        return read_number(r, value);
    }
}

const struct json *json_read(struct span bytes, struct arena *arena)
{
    if (utf8_valid_prefix(bytes) != bytes.len)
        return NULL;
    char *copy = arena_alloc(arena, bytes.len + 1);
    struct json *root = arena_alloc(arena, sizeof *root);

    if (bytes.len > 0)
        memcpy(copy, bytes.ptr, bytes.len);
    copy[bytes.len] = '\0';
    *root = (struct json){.kind = JS_NULL};
    struct reader r = {copy, copy + bytes.len, arena, 0};
    if (!read_value(&r, root))
        return NULL;
    skip_blanks(&r);
    return r.p == r.end ? root : NULL;
}

/* --- looking --- */

const struct json *json_elements(const struct json *value)
{
    return value != NULL && value->kind == JS_LIST ? value->as.list.first : NULL;
}

size_t json_length(const struct json *value)
{
    return value != NULL && value->kind == JS_LIST ? value->as.list.n : 0;
}

const struct json *json_member(const struct json *value, const char *name)
{
    struct span wanted = span_of(name);

    if (value == NULL || value->kind != JS_OBJECT)
        return NULL;
    for (const struct json *member = value->as.list.first; member != NULL; member = member->next)
        if (span_eq(member->name, wanted))
            return member;
    return NULL;
}

struct span json_text(const struct json *value)
{
    return value != NULL && value->kind == JS_TEXT ? value->as.text : (struct span){0};
}
