/* A growing byte buffer, and strings of JSON in it. */
#include "base/utf8.h"
#include "base/visible.h"

void buf_reserve(struct buf *b, size_t more)
{
    b->ptr = array_room(b->ptr, b->len, more, &b->capacity, 1);
}

void buf_add(struct buf *b, const char *bytes, size_t len)
{
    if (len == 0)
        return;
    buf_reserve(b, len);
    memcpy(b->ptr + b->len, bytes, len);
    b->len += len;
}

void buf_add_span(struct buf *b, struct span s)
{
    buf_add(b, s.ptr, s.len);
}

void buf_add_char(struct buf *b, char c)
{
    buf_reserve(b, 1);
    b->ptr[b->len++] = c;
}

void buf_add_text(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

void buf_addv(struct buf *b, const char *fmt, va_list args)
{
    va_list again;

    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (len <= 0)
        return;
    buf_reserve(b, (size_t)len + 1);
    vsnprintf(b->ptr + b->len, (size_t)len + 1, fmt, args);
    b->len += (size_t)len;
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(b, fmt, args);
    va_end(args);
}

/* One of C0, DEL, the quote or the backslash. */
static void add_json_escape(struct buf *b, unsigned char c)
{
    static const char short_form[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};

    if (c < sizeof short_form && short_form[c] != '\0') {
        buf_add_char(b, '\\');
        buf_add_char(b, short_form[c]);
    } else {
        buf_addf(b, "\\u%04x", c);
    }
}

/* Adds what is valid UTF-8. `kept`: escapes only what JSON must have, and DEL. */
static void add_json_text(struct buf *b, struct span s, bool kept)
{
    size_t done = 0, i = 0;

    while (i < s.len) {
        unsigned char c = (unsigned char)s.ptr[i];
        uint32_t code_point = c;
        size_t len = c < 0x80 || kept ? 1 : utf8_decode(s.ptr + i, s.ptr + s.len, &code_point);
        bool is_ascii = c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
        if (is_ascii || (len > 1 && is_command_character(code_point))) {
            buf_add(b, s.ptr + done, i - done);
            if (is_ascii)
                add_json_escape(b, c);
            else
                buf_addf(b, "\\u%04x", (unsigned)code_point);
            done = i + len;
        }
        i += len;
    }
    buf_add(b, s.ptr + done, s.len - done);
}

static void add_json(struct buf *b, struct span s, bool kept)
{
    buf_add_char(b, '"');
    while (s.len > 0)
        add_json_text(b, utf8_cut(&s), kept);
    buf_add_char(b, '"');
}

void buf_add_json(struct buf *b, struct span s)
{
    add_json(b, s, false);
}

void buf_add_json_form(struct buf *b, const char *form, const struct span *texts)
{
    for (; *form != '\0'; form++)
        if (*form == '?' || *form == '!') {
            if (*form == '!' && texts->ptr == NULL)
                buf_add_text(b, "null");
            else
                buf_add_json(b, *texts);
            texts++;
        } else {
            buf_add_char(b, *form == '\'' ? '"' : *form);
        }
}

/* Command characters other than white space are only found in strings of JSON. */
void buf_add_json_text(struct buf *b, struct span json)
{
    while (json.len > 0) {
        struct span part = utf8_cut(&json);
        for (size_t i = 0, len; i < part.len; i += len) {
            uint32_t c;
            len = utf8_decode(part.ptr + i, part.ptr + part.len, &c);
            if (c >= 0x7f && is_command_character(c))
                buf_addf(b, "\\u%04x", (unsigned)c);
            else
                buf_add(b, part.ptr + i, len);
        }
    }
}

/* The code unit of a "\uD834" at p; 0 for anything else (and for \u0000). */
static unsigned code_unit(const char *p, const char *end)
{
    unsigned unit = 0;

    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return 0;
    for (int i = 2; i < 6; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return 0;
        unit = unit << 4 | (unsigned)digit;
    }
    return unit;
}

void buf_add_json_mended(struct buf *b, struct span json)
{
    const char *p = json.ptr, *end = p + json.len;

    while (p < end) {
        unsigned unit = code_unit(p, end);
        bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
        unsigned next = high ? code_unit(p + 6, end) : 0;
        size_t len = *p == '\\' && end - p > 1 ? 2 : 1; /* "\\u" is not a reference */
        if (high && next >= 0xdc00 && next < 0xe000) {
            len = 12;
        } else if (high || low) {
            buf_add_text(b, "\\ufffd");
            p += 6;
            continue;
        }
        buf_add(b, p, len);
        p += len;
    }
}

void buf_add_json_kept(struct buf *b, struct span s)
{
    add_json(b, s, true);
}

void buf_reset(struct buf *b)
{
    b->len = 0;
}

void buf_set(struct buf *b, struct span s)
{
    buf_reset(b);
    buf_add_span(b, s);
}

void buf_clear(struct buf *b)
{
    mem_free(b->ptr);
    *b = (struct buf){0};
}

struct span buf_span(const struct buf *b)
{
    return (struct span){b->ptr, b->len};
}

const char *buf_cstr(struct buf *b)
{
    buf_reserve(b, 1);
    b->ptr[b->len] = '\0';
    return b->ptr;
}
