/* ndjson: the records of a file of JSON: lines, indented objects, elements of lists. */
#include "fetch/encoding.h"
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
    size_t counted;  /* bytes of `in` whose line ends are in `line` */
    uint64_t line;
    int depth; /* of a list: within how many brackets */
    bool in_text, escaped;
};

/* Without a byte order mark. */
static struct span without_mark(struct span text)
{
    if (span_starts(text, SPAN("\xef\xbb\xbf")))
        return (struct span){text.ptr + 3, text.len - 3};
    return text;
}

/* A number in the file of the line on which the record begins. */
static void count_lines(struct records *r, size_t end)
{
    const char *p = r->in.ptr + r->counted, *stop = r->in.ptr + end;

    for (; p < stop && (p = memchr(p, '\n', (size_t)(stop - p))) != NULL; p++)
        r->line++;
    r->counted = end;
}

static enum status take_record(struct records *r, size_t end, struct err *e)
{
    struct span record = {r->in.ptr + r->record, end - r->record};
    uint64_t offset = r->offset + r->record;
    bool too_long = r->too_long;

    r->in_block = r->too_long = false;
    count_lines(r, r->record);
    if (r->handler->line != NULL)
        *r->handler->line = r->line + 1;
    if (offset == 0)
        record = without_mark(record);
    if (too_long || span_trim(record).len == 0)
        return ST_OK;
    return r->handler->record(r->handler->ctx, span_trim(record), offset, e);
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

static void drop_records(struct records *r)
{
    count_lines(r, r->record);
    memmove(r->in.ptr, r->in.ptr + r->record, r->in.len - r->record);
    r->in.len -= r->record;
    r->offset += r->record;
    r->done -= r->record;
    r->record = r->counted = 0;
}

/* Takes the whole lines off the input; the search for line ends continues at `from`. A line ends the record, unless it
 * is within an indented one. */
static enum status take_lines(struct records *r, size_t from, struct err *e)
{
    enum status status = ST_OK;
    const char *end;

    while (status == ST_OK && from < r->in.len && (end = memchr(r->in.ptr + from, '\n', r->in.len - from)) != NULL) {
        size_t at = (size_t)(end - r->in.ptr);
        struct span line = {r->in.ptr + r->done, at - r->done};
        if (r->offset + r->done == 0)
            line = without_mark(line);
        while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
            line.len--;
        if (!r->in_block && span_eq(line, SPAN("{")))
            r->in_block = true;
        else if (!r->in_block || span_eq(line, SPAN("}")))
            status = take_record(r, at, e);
        from = r->done = at + 1;
        if (!r->in_block)
            r->record = r->done;
    }
    bound_record(r);
    drop_records(r);
    return status;
}

/* --- a list --- */

/* Of the byte at `i`, whether an element of the list ends before or with it. */
static bool ends_element(struct records *r, size_t i, size_t *end)
{
    char c = r->in.ptr[i];

    if (r->in_text) {
        r->in_text = r->escaped || c != '"';
        r->escaped = !r->escaped && c == '\\';
    } else if (c == '"') {
        r->in_text = true;
    } else if (c == '{' || c == '[') {
        r->depth++;
    } else if (r->depth == 1 && (c == ',' || c == ']' || ascii_is_data_space(c))) {
        *end = i;
        return true;
    } else if (c == '}' || c == ']') {
        r->depth--;
        *end = i + 1;
        return r->depth == 1;
    }
    return false;
}

/* Takes the elements of a list, or of several, one after the other, off the input. */
static enum status take_elements(struct records *r, const char *name, struct err *e)
{
    enum status status = ST_OK;
    size_t i = r->done;

    for (; status == ST_OK && i < r->in.len; i++) {
        char c = r->in.ptr[i];
        size_t end;
        if (r->in_block) {
            if (!ends_element(r, i, &end))
                continue;
            bool is_read = r->in.ptr[r->record] == '{' || r->in.ptr[r->record] == '[' ||
                           r->too_long; /* pages are lists in one */
            status = is_read ? take_record(r, end, e) : ST_OK;
            if (!is_read)
                r->handler->refused(r->handler->ctx, r->offset + r->record,
                                    "an element of a list that is not an object");
            r->in_block = r->too_long = false;
            r->record = end;
            if (end == i)
                i--; /* the comma or bracket is looked at again */
        } else if (c == '[' && r->depth == 0) {
            r->depth = 1;
        } else if (c == ']' && r->depth == 1) {
            r->depth = 0;
        } else if (!ascii_is_data_space(c) && (c != ',' || r->depth == 0)) {
            if (r->depth == 0)
                return err_set(e, ST_INPUT, "%s: something else follows the list (byte %llu)", name,
                               (unsigned long long)r->offset + i);
            r->record = i--;
            r->in_block = true;
        }
    }
    r->done = i;
    if (!r->in_block)
        r->record = r->done;
    bound_record(r);
    drop_records(r);
    return status;
}

static enum status read_json(struct encoded_source *s, const struct ndjson_handler *handler, bool is_list,
                             uint64_t *bytes, struct err *e)
{
    const char *name = source_name(s->source);
    struct records r = {.handler = handler};
    enum status status = ST_OK;
    size_t got = 1;

    while (status == ST_OK && got > 0) {
        buf_reserve(&r.in, CHUNK);
        status = encoded_read(s, r.in.ptr + r.in.len, CHUNK, &got, e);
        if (status != ST_OK)
            break;
        size_t from = r.in.len;
        r.in.len += got;
        if (is_list && r.offset == 0 && r.done == 0 && span_starts(buf_span(&r.in), SPAN("\xef\xbb\xbf")))
            r.done = 3;
        status = is_list ? take_elements(&r, name, e) : take_lines(&r, from, e);
    }
    if (status == ST_OK && is_list && r.depth > 0)
        status = err_set(e, ST_INPUT, "%s: ends in the middle of a list: the file is truncated (byte %llu)", name,
                         (unsigned long long)r.offset + r.in.len);
    if (status == ST_OK && !is_list) { /* the last record, after which no line ends */
        struct span record = {r.in.ptr + r.record, r.in.len - r.record};
        record = span_trim(r.offset + r.record == 0 ? without_mark(span_trim(record)) : record);
        if (!r.too_long && json_is_cut(record))
            status = err_set(e, ST_INPUT, "%s: ends in the middle of a record: the file is truncated (byte %llu)", name,
                             (unsigned long long)r.offset + r.in.len);
        else
            status = take_record(&r, r.in.len, e);
    }
    *bytes = r.offset + r.in.len;
    buf_clear(&r.in);
    return status;
}

enum status ndjson_each(struct source *s, const struct ndjson_handler *handler, uint64_t *bytes, struct err *e)
{
    struct encoded_source text;
    enum records_kind kind = records_kind(source_head(s));
    uint64_t n = 0;
    enum status status = encoded_open(&text, s, e);

    if (status == ST_OK && kind == RECORDS_CSV)
        status = records_csv(&text, handler, &n, e);
    else if (status == ST_OK && kind == RECORDS_XML)
        status = records_xml(&text, handler, &n, e);
    else if (status == ST_OK)
        status = read_json(&text, handler, kind == RECORDS_LIST, &n, e);
    if (bytes != NULL)
        *bytes = n;
    encoded_close(&text);
    return status;
}
