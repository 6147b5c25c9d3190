#define _GNU_SOURCE /* strcasecmp */
#include "fetch/encoding.h"

#include <errno.h>
#include <strings.h>

enum { HEAD_SIZE = 1024, CHUNK = 64 * 1024 };

/* The value of encoding="…" in an XML declaration. */
static struct span declared_encoding(struct span head)
{
    struct span none = {0};
    size_t end = span_find(head, SPAN("?>"));

    if (span_starts(head, SPAN("\xef\xbb\xbf"))) {
        head.ptr += 3;
        head.len -= 3;
    }
    if (!span_starts(head, SPAN("<?xml")) || end == SIZE_MAX)
        return none;
    size_t name = span_find(head, SPAN("encoding="));
    if (name == SIZE_MAX || name + 10 >= head.len)
        return none;
    struct span value = {head.ptr + name + 10, head.len - name - 10};
    const char *quote = memchr(value.ptr, head.ptr[name + 9], value.len);
    if (quote == NULL)
        return none;
    return (struct span){value.ptr, (size_t)(quote - value.ptr)};
}

static bool is_utf8(const char *name)
{
    return name[0] == '\0' || strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0 ||
           strcasecmp(name, "us-ascii") == 0 || strcasecmp(name, "ascii") == 0;
}

static enum status read_pending(struct encoded_source *s, size_t size, struct err *e)
{
    size_t got;

    buf_reserve(&s->pending, size);
    enum status status = source_read(s->source, s->pending.ptr + s->pending.len, size, &got, e);
    if (status != ST_OK)
        return status;
    s->pending.len += got;
    s->ended = got == 0;
    return ST_OK;
}

enum status encoded_open(struct encoded_source *s, struct source *source, struct err *e)
{
    char name[64] = "";
    enum status status = ST_OK;

    *s = (struct encoded_source){.source = source};
    while (status == ST_OK && s->pending.len < HEAD_SIZE && !s->ended)
        status = read_pending(s, HEAD_SIZE, e);
    if (status != ST_OK)
        return status;
    struct span head = buf_span(&s->pending);
    struct span declared = declared_encoding(head);
    if (span_starts(head, SPAN("\xff\xfe")) || span_starts(head, SPAN("\xfe\xff")))
        snprintf(name, sizeof name, "UTF-16");
    else if (declared.len > 0 && declared.len < sizeof name)
        snprintf(name, sizeof name, "%.*s", (int)declared.len, declared.ptr);
    if (is_utf8(name))
        return ST_OK;
    s->converter = iconv_open("UTF-8", name);
    if (s->converter == (iconv_t)-1) /* NOLINT: POSIX gives the error value as a cast */
        return err_set(e, ST_INPUT, "%s: unknown encoding '%s'", source_name(source), name);
    s->converting = true;
    return ST_OK;
}

static size_t hand_out(struct encoded_source *s, char *bytes, size_t size)
{
    size_t left = s->pending.len - s->used;
    size_t len = left < size ? left : size;

    memcpy(bytes, s->pending.ptr + s->used, len);
    s->used += len;
    return len;
}

static enum status convert(struct encoded_source *s, char *bytes, size_t size, size_t *got,
                           struct err *e)
{
    for (;;) {
        char *in = s->pending.ptr + s->used, *out = bytes;
        size_t in_left = s->pending.len - s->used, out_left = size;
        size_t result = iconv(s->converter, &in, &in_left, &out, &out_left);
        s->used = s->pending.len - in_left;
        *got = size - out_left;
        if (result == (size_t)-1 && errno == EILSEQ)
            return err_set(e, ST_INPUT, "%s: bytes that are not in the declared encoding",
                           source_name(s->source));
        if (*got > 0)
            return ST_OK;
        memmove(s->pending.ptr, s->pending.ptr + s->used, in_left);
        s->pending.len = in_left;
        s->used = 0;
        if (s->ended && in_left > 0)
            return err_set(e, ST_INPUT, "%s: ends in the middle of a character",
                           source_name(s->source));
        if (s->ended)
            return ST_OK;
        enum status status = read_pending(s, CHUNK, e);
        if (status != ST_OK)
            return status;
    }
}

enum status encoded_read(struct encoded_source *s, char *bytes, size_t size, size_t *got,
                         struct err *e)
{
    if (s->converting)
        return convert(s, bytes, size, got, e);
    if (s->used < s->pending.len) {
        *got = hand_out(s, bytes, size);
        return ST_OK;
    }
    return source_read(s->source, bytes, size, got, e);
}

void encoded_close(struct encoded_source *s)
{
    if (s->converting)
        iconv_close(s->converter);
    buf_clear(&s->pending);
}
