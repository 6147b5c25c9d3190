/* ndjson: the records of a file of JSON: lines, indented objects, elements of lists. */
#include "fetch/fetch.h"
#include "fetch/json.h"

/* --- records --- */

enum { CHUNK = 256 * 1024 };

struct records {
    const struct ndjson_handler *handler;
    struct buf in;
    uint64_t offset; /* of `in` */
    size_t record;   /* where the record begins in `in` */
    size_t done;     /* the lines before it were looked at */
    bool in_block;   /* the record is an indented one, of several lines */
    bool too_long;   /* the rest of the record is passed over */
};

/* Without a byte order mark. */
static struct span without_mark(struct span text)
{
    if (span_starts(text, SPAN("\xef\xbb\xbf")))
        return (struct span){text.ptr + 3, text.len - 3};
    return text;
}

bool ndjson_begins(struct span head)
{
    head = span_trim(without_mark(head));
    return head.len > 0 && head.ptr[0] == '{';
}

static enum status take_record(struct records *r, size_t end, struct err *e)
{
    struct span record = {r->in.ptr + r->record, end - r->record};
    uint64_t offset = r->offset + r->record;
    bool too_long = r->too_long;

    r->in_block = r->too_long = false;
    if (offset == 0)
        record = without_mark(record);
    if (too_long || span_trim(record).len == 0)
        return ST_OK;
    return r->handler->record(r->handler->ctx, span_trim(record), offset, e);
}

/* Takes a line, which ends the record but within an indented one. */
static enum status take_line(struct records *r, size_t end, struct err *e)
{
    struct span line = {r->in.ptr + r->done, end - r->done};
    enum status status = ST_OK;

    if (r->offset + r->done == 0)
        line = without_mark(line);
    while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
        line.len--;
    if (!r->in_block && span_eq(line, SPAN("{")))
        r->in_block = true;
    else if (!r->in_block || span_eq(line, SPAN("}")))
        status = take_record(r, end, e);
    r->done = end + 1;
    if (!r->in_block)
        r->record = r->done;
    return status;
}

/* Notes a record that grew too long, and forgets what is there of it. */
static void bound_record(struct records *r)
{
    if (r->in.len - r->record <= NDJSON_RECORD_MAX && !r->too_long)
        return;
    if (!r->too_long)
        r->handler->refused(r->handler->ctx, r->offset + r->record, "longer than 64 MiB");
    r->too_long = true;
    r->record = r->done; /* the line is kept until it ends, or is as long as that */
    if (r->in.len - r->done > NDJSON_RECORD_MAX)
        r->record = r->done = r->in.len;
}

/* Takes the whole lines off the input; `from` is where no line end was looked for yet. */
static enum status take_lines(struct records *r, size_t from, struct err *e)
{
    enum status status = ST_OK;
    const char *end;

    while (status == ST_OK && from < r->in.len &&
           (end = memchr(r->in.ptr + from, '\n', r->in.len - from)) != NULL) {
        from = (size_t)(end - r->in.ptr) + 1;
        status = take_line(r, from - 1, e);
    }
    bound_record(r);
    memmove(r->in.ptr, r->in.ptr + r->record, r->in.len - r->record);
    r->in.len -= r->record;
    r->offset += r->record;
    r->done -= r->record;
    r->record = 0;
    return status;
}

/* The last record, after which no line ends. */
static enum status take_last(struct records *r, const char *name, struct err *e)
{
    struct span record = span_trim((struct span){r->in.ptr + r->record, r->in.len - r->record});

    if (r->offset + r->record == 0)
        record = span_trim(without_mark(record));
    uint64_t end = r->offset + r->in.len;

    if (!r->too_long && json_is_cut(record))
        return err_set(e, ST_INPUT, "%s: ends in the middle of a record: the file is truncated (byte %llu)", name,
                       (unsigned long long)end);
    return take_record(r, r->in.len, e);
}

enum status ndjson_each(struct source *s, const struct ndjson_handler *handler, uint64_t *bytes,
                        struct err *e)
{
    struct records r = {.handler = handler};
    enum status status = ST_OK;
    size_t got = 1;

    while (status == ST_OK && got > 0) {
        buf_reserve(&r.in, CHUNK);
        status = source_read(s, r.in.ptr + r.in.len, CHUNK, &got, e);
        if (status != ST_OK)
            break;
        size_t from = r.in.len;
        r.in.len += got;
        status = take_lines(&r, from, e);
    }
    if (status == ST_OK)
        status = take_last(&r, source_name(s), e);
    if (bytes != NULL)
        *bytes = r.offset + r.in.len;
    buf_clear(&r.in);
    return status;
}
