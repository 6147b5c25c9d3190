/* The encoding of a dump: known by its mark or declaration, turned into UTF-8. */
#include "fetch/encoding.h"

#include <errno.h>
#include <strings.h>

enum {
    HEAD_SIZE = 1024,
    CHUNK = 64 * 1024,
    TEXT_SIZE = 4 * (CHUNK + 2 * HEAD_SIZE) /* no byte becomes more than four */
};

/* The value of encoding="…" in an XML declaration. */
static struct span declared_encoding(struct span head)
{
    struct span none = {0}, bom = SPAN("\xef\xbb\xbf"), key = SPAN("encoding");

    if (span_starts(head, bom))
        head = (struct span){head.ptr + bom.len, head.len - bom.len};
    size_t end = span_find(head, SPAN("?>"));
    if (!span_starts(head, SPAN("<?xml")) || end == SIZE_MAX)
        return none;
    head.len = end;
    size_t found = span_find(head, key);
    if (found == SIZE_MAX)
        return none;
    found += key.len;
    struct span rest = span_trim(span_after(head, found));
    if (!span_starts(rest, SPAN("=")))
        return none;
    rest = span_trim(span_after(rest, 1));
    const char *close = rest.len > 0 ? memchr(rest.ptr + 1, *rest.ptr, rest.len - 1) : NULL;
    if (close == NULL)
        return none;
    return (struct span){rest.ptr + 1, (size_t)(close - rest.ptr) - 1};
}

static enum status read_raw(struct encoded_source *s, size_t size, struct err *e)
{
    size_t got;

    buf_reserve(&s->raw, size);
    enum status status = source_read(s->source, s->raw.ptr + s->raw.len, size, &got, e);
    if (status != ST_OK)
        return status;
    s->raw.len += got;
    s->ended = got == 0;
    return ST_OK;
}

/* Of units of two or four bytes: by the mark, or by the zeros around the first letters, which are ASCII. */
static const char *wide_encoding(struct span head)
{
    static const struct {
        struct span begin;
        const char *name;
    } known[] = {{{"\xff\xfe\0\0", 4}, "UTF-32"},
                 {{"\0\0\xfe\xff", 4}, "UTF-32"},
                 {{"\xff\xfe", 2}, "UTF-16"},
                 {{"\xfe\xff", 2}, "UTF-16"}};
    int zeros = 0;

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (span_starts(head, known[i].begin))
            return known[i].name;
    for (size_t i = 0; i < 4 && head.len >= 4; i++)
        zeros |= head.ptr[i] == '\0' ? 1 << i : 0;
    return zeros == 10   ? "UTF-16LE"
           : zeros == 5  ? "UTF-16BE"
           : zeros == 14 ? "UTF-32LE"
           : zeros == 7  ? "UTF-32BE"
                         : NULL;
}

enum status encoded_open(struct encoded_source *s, struct source *source, struct err *e)
{
    char name[64] = "";
    enum status status = ST_OK;

    *s = (struct encoded_source){.source = source};
    while (status == ST_OK && s->raw.len < HEAD_SIZE && !s->ended)
        status = read_raw(s, HEAD_SIZE, e);
    if (status != ST_OK)
        return status;
    struct span head = buf_span(&s->raw);
    struct span declared = declared_encoding(head);
    if (wide_encoding(head) != NULL)
        snprintf(name, sizeof name, "%s", wide_encoding(head));
    else if (declared.len > 0 && declared.len < sizeof name)
        snprintf(name, sizeof name, "%.*s", SPAN_ARG(declared));
    if (name[0] == '\0' || strcasecmp(name, "utf-8") == 0 || strcasecmp(name, "utf8") == 0 ||
        strcasecmp(name, "us-ascii") == 0 || strcasecmp(name, "ascii") == 0) {
        s->text = s->raw;
        s->raw = (struct buf){0};
        return ST_OK;
    }
    s->converter = iconv_open("UTF-8", name);
    if (s->converter == (iconv_t)-1) /* NOLINT: POSIX gives the error value as a cast */
        return err_set(e, ST_INPUT, "%s: unknown encoding '%s'", source_name(source), name);
    s->converting = true;
    return ST_OK;
}

/* Converts until there is text to hand out; none at the end. */
static enum status convert(struct encoded_source *s, struct err *e)
{
    for (;;) {
        if (!s->ended && s->raw.len < CHUNK) {
            enum status status = read_raw(s, CHUNK, e);
            if (status != ST_OK)
                return status;
        }
        if (s->raw.len == 0)
            return ST_OK;
        buf_reset(&s->text);
        buf_reserve(&s->text, TEXT_SIZE);
        s->used = 0;
        char *in = s->raw.ptr, *out = s->text.ptr;
        size_t in_left = s->raw.len, out_left = TEXT_SIZE;
        int result = iconv(s->converter, &in, &in_left, &out, &out_left) == (size_t)-1 ? errno : 0;
        s->text.len = TEXT_SIZE - out_left;
        s->converted += s->raw.len - in_left;
        memmove(s->raw.ptr, s->raw.ptr + s->raw.len - in_left, in_left);
        s->raw.len = in_left;
        if (s->text.len > 0) /* what comes before an error is good */
            return ST_OK;
        if (result == EILSEQ || (s->ended && s->raw.len > 0))
            return err_set(e, ST_INPUT, "%s: %s (byte %llu)", source_name(s->source),
                           result == EILSEQ ? "bytes that are not in the declared encoding"
                                            : "ends in the middle of a character",
                           (unsigned long long)s->converted);
    }
}

enum status encoded_read(struct encoded_source *s, char *bytes, size_t size, size_t *got, struct err *e)
{
    *got = 0;
    if (s->used == s->text.len && !s->converting)
        return source_read(s->source, bytes, size, got, e);
    if (s->used == s->text.len) {
        enum status status = convert(s, e);
        if (status != ST_OK)
            return status;
    }
    size_t left = s->text.len - s->used;
    *got = left < size ? left : size;
    if (*got > 0)
        memcpy(bytes, s->text.ptr + s->used, *got);
    s->used += *got;
    return ST_OK;
}

void encoded_close(struct encoded_source *s)
{
    if (s->converting)
        iconv_close(s->converter);
    buf_clear(&s->raw);
    buf_clear(&s->text);
}
