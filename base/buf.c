#include "base/base.h"

#include <stdarg.h>

void buf_reserve(struct buf *b, size_t more)
{
    if (b->capacity - b->len >= more)
        return;
    size_t capacity = b->capacity < 64 ? 64 : b->capacity;
    while (capacity - b->len < more)
        capacity += capacity / 2;
    b->ptr = mem_resize(b->ptr, capacity, 1);
    b->capacity = capacity;
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

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list args, again;

    va_start(args, fmt);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len > 0) {
        buf_reserve(b, (size_t)len + 1);
        vsnprintf(b->ptr + b->len, (size_t)len + 1, fmt, again);
        b->len += (size_t)len;
    }
    va_end(again);
}

static void add_json_char(struct buf *b, unsigned char c)
{
    static const char short_form[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
                                      ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};

    if (c < sizeof short_form && short_form[c] != '\0') {
        buf_add_char(b, '\\');
        buf_add_char(b, short_form[c]);
    } else if (c < 0x20 || c == 0x7f) {
        buf_addf(b, "\\u%04x", c);
    } else {
        buf_add_char(b, (char)c);
    }
}

void buf_add_json(struct buf *b, struct span s)
{
    buf_add_char(b, '"');
    while (s.len > 0) {
        struct span part = utf8_cut(&s);
        for (size_t i = 0; i < part.len; i++)
            add_json_char(b, (unsigned char)part.ptr[i]);
    }
    buf_add_char(b, '"');
}

void buf_add_csv(struct buf *out, struct span s)
{
    bool plain = true;

    for (size_t i = 0; i < s.len && plain; i++)
        plain = strchr(",\"\r\n", s.ptr[i]) == NULL;
    if (plain) {
        buf_add_span(out, s);
        return;
    }
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, s.ptr[i]);
    }
    buf_add_char(out, '"');
}

void buf_reset(struct buf *b)
{
    b->len = 0;
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
