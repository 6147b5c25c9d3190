/* Rows of CSV and of Comments.xml as records, and what a file is. */
#include "fetch/encoding.h"

#include "base/csv.h"
#include "base/utf8.h"
#include "fetch/json.h"
#include "fetch/row.h"

#include <ctype.h>

enum { CHUNK = 256 * 1024, TABLE_MAX = 1 << 30 };

/* --- what a file is --- */

/* The root element of XML, after declarations and comments. */
static struct span root_of(struct span head)
{
    size_t at, len = 0;

    while ((at = span_find(head, SPAN("<"))) != SIZE_MAX) {
        head = (struct span){head.ptr + at + 1, head.len - at - 1};
        if (head.len > 0 && *head.ptr != '?' && *head.ptr != '!')
            break;
    }
    while (len < head.len && isalpha((unsigned char)head.ptr[len]))
        len++;
    return (struct span){head.ptr, len};
}

/* A line of names with an id among them. */
static bool is_header(struct span head)
{
    struct span line, rest = head;
    size_t names = 1;
    bool has_id = false;

    if (!span_cut(&rest, '\n', &line) || rest.ptr == line.ptr + line.len)
        return false; /* a header that goes on is none, nor is a line alone */
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.ptr[i];
        if (c < ' ' && c != '\t' && c != '\r')
            return false;
        names += c == ',' || c == ';' || c == '\t';
        has_id = has_id || ((c | 0x20) == 'i' && i + 1 < line.len && (line.ptr[i + 1] | 0x20) == 'd');
    }
    return names > 1 && has_id;
}

enum records_kind records_kind(struct span head)
{
    AT_END(buf_clear) struct buf ascii = {0};
    struct span mark = SPAN("\xef\xbb\xbf");
    enum records_kind kind = RECORDS_NONE;
    bool wide = head.len > 1 && (head.ptr[0] == '\0' || head.ptr[1] == '\0' || span_starts(head, SPAN("\xff\xfe")) ||
                                 span_starts(head, SPAN("\xfe\xff")));

    for (size_t i = 0; i < head.len; i++)
        if (!wide || (head.ptr[i] != '\0' && (unsigned char)head.ptr[i] < 0xfe))
            buf_add_char(&ascii, head.ptr[i]);
    head = buf_span(&ascii);
    if (span_starts(head, mark))
        head = (struct span){head.ptr + mark.len, head.len - mark.len};
    while (head.len > 0 && isspace((unsigned char)*head.ptr))
        head = (struct span){head.ptr + 1, head.len - 1};
    if (span_starts(head, SPAN("{")))
        kind = RECORDS_LINES;
    else if (span_starts(head, SPAN("[")))
        kind = RECORDS_LIST;
    else if (span_starts(head, SPAN("<")))
        kind = span_eq(root_of(head), SPAN("comments")) || span_eq(root_of(head), SPAN("postlinks")) ? RECORDS_XML
                                                                                                     : RECORDS_NONE;
    else if (is_header(head))
        kind = RECORDS_CSV;
    return kind;
}

bool ndjson_begins(struct span head)
{
    return records_kind(head) != RECORDS_NONE;
}

/* --- CSV --- */

/* A list or object as Python prints it, {'user_id': 9, 'link': None}, in JSON; false: it is a text. */
static bool add_literal(struct buf *out, struct span value)
{
    static const char *const python[] = {"None", "True", "False"}, *const json[] = {"null", "true", "false"};
    AT_END(buf_clear) struct buf text = {0};
    char quote = '\0';

    if (value.len < 2 || (*value.ptr != '[' && *value.ptr != '{') || strchr("['\"{", value.ptr[1]) == NULL ||
        value.ptr[value.len - 1] != *value.ptr + 2)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        struct span rest = {value.ptr + i, value.len - i};
        char c = *rest.ptr;
        size_t word = quote == '\0' ? 0 : ARRAY_LEN(python);
        while (word < ARRAY_LEN(python) && !span_starts(rest, span_of(python[word])))
            word++;
        if (word < ARRAY_LEN(python)) {
            buf_add_text(&text, json[word]);
            i += strlen(python[word]) - 1;
        } else if (c == '\\' && quote != '\0' && rest.len > 1) {
            buf_add(&text, rest.ptr + (rest.ptr[1] == '\''), rest.ptr[1] == '\'' ? 1 : 2);
            i++;
        } else if ((c == '\'' || c == '"') && (quote == '\0' || quote == c)) {
            quote = quote == '\0' ? c : '\0';
            buf_add_char(&text, '"');
        } else {
            buf_add_text(&text, c == '"' ? "\\" : "");
            buf_add_char(&text, c);
        }
    }
    json_t *read = json_read(buf_span(&text), NULL);
    if (read != NULL)
        buf_add_span(out, buf_span(&text));
    json_decref(read);
    return read != NULL;
}

static void add_member(struct buf *out, struct span name, struct span value)
{
    if (value.len == 0)
        return;
    buf_add_char(out, out->len == 1 ? ' ' : ',');
    buf_add_json_kept(out, name);
    buf_add_char(out, ':');
    if (!add_literal(out, value))
        buf_add_json_kept(out, value);
}

static enum status MUST_USE take_rows(struct csv_reader *r, const struct ndjson_handler *handler, struct span content,
                                      struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(array_end) struct ARRAY_OF(struct span) names = {0};
    AT_END(buf_clear) struct buf record = {0};
    bool is_own = false;
    enum status status = csv_next(r, e);

    for (size_t i = 0; status == ST_OK && i < r->fields.n; i++)
        array_add(&names, arena_copy(&arena, span_trim(r->fields.at[i])));
    for (size_t i = 0; i < names.n; i++)
        is_own = is_own || span_eq(names.at[i], SPAN("body_html"));
    for (size_t i = 0; status == ST_OK && i < names.n; i++)
        for (size_t k = 0; k < i && names.at[i].len > 0; k++)
            if (span_eq(names.at[i], names.at[k]))
                status = err_set(e, ST_INPUT, "%s:%zu: the column '%.*s' occurs a second time", r->name, r->line,
                                 SPAN_ARG(names.at[i]));
    while (status == ST_OK && (status = csv_next(r, e)) == ST_OK) {
        uint64_t offset = (uint64_t)(r->row.ptr - content.ptr);
        if (handler->line != NULL)
            *handler->line = r->line;
        if (r->fields.n != names.n) {
            handler->refused(handler->ctx, offset, "a row with more or fewer fields than the header");
            continue;
        }
        buf_reset(&record);
        buf_add_char(&record, '{');
        for (size_t i = 0; i < names.n; i++)
            if (is_own || !csv_is_na(r->fields.at[i]) || span_eq(names.at[i], SPAN("Title")))
                add_member(&record, names.at[i], r->fields.at[i]);
        buf_add_char(&record, '}');
        status = handler->record(handler->ctx, buf_span(&record), offset, e);
    }
    return status == ST_NO ? ST_OK : status;
}

enum status records_csv(struct encoded_source *s, const struct ndjson_handler *handler, uint64_t *bytes, struct err *e)
{
    const char *name = source_name(s->source);
    AT_END(buf_clear) struct buf raw = {0}, room = {0};
    struct span text;
    enum text_encoding encoding = TEXT_NAMED;
    struct csv_reader r;
    enum status status = ST_OK;

    for (size_t got = 1; status == ST_OK && got > 0;) {
        buf_reserve(&raw, CHUNK);
        status = encoded_read(s, raw.ptr + raw.len, CHUNK, &got, e);
        raw.len += status == ST_OK ? got : 0;
        if (raw.len > TABLE_MAX)
            status = err_set(e, ST_INPUT, "%s: a table of more than 1 GiB; split it", name);
    }
    THEN(status, text_decode(buf_span(&raw), NULL, name, &room, &text, &encoding, e));
    if (status == ST_INPUT && encoding == TEXT_UTF8)
        status = err_set(e, ST_INPUT,
                         "%s: not UTF-8, and nothing says what else: convert it, with iconv -f"
                         " WINDOWS-1252 -t UTF-8 if that is what it is",
                         name);
    *bytes = raw.len;
    if (status == ST_OK) {
        csv_open(&r, text, name);
        status = take_rows(&r, handler, text, e);
        csv_close(&r);
    }
    return status;
}

/* --- rows of XML --- */

/* The length of the row that begins here, with its "/>"; 0: its end is not there yet. */
static size_t row_length(struct span row)
{
    char quote = '\0';

    for (size_t i = 0; i < row.len; i++) {
        char c = row.ptr[i];
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '>')
            return i + 1;
    }
    return 0;
}

static enum status MUST_USE take_row(struct span row, uint64_t offset, const struct ndjson_handler *handler,
                                     struct err *e)
{
    struct span rest = {row.ptr + 4, row.len - 4}, name, value;
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(buf_clear) struct buf record = {0};
    enum attribute_step step;
    enum status status = ST_OK;

    buf_add_char(&record, '{');
    while ((step = row_next_attribute(&rest, &name, &value)) == ATTRIBUTE_FOUND)
        add_member(&record, name, row_unescape(&arena, value));
    buf_add_char(&record, '}');
    if (step == ATTRIBUTE_BROKEN)
        handler->refused(handler->ctx, offset, "not well-formed XML");
    else
        status = handler->record(handler->ctx, buf_span(&record), offset, e);
    return status;
}

enum status records_xml(struct encoded_source *s, const struct ndjson_handler *handler, uint64_t *bytes, struct err *e)
{
    AT_END(buf_clear) struct buf in = {0};
    struct span row = SPAN("<row"), ends[] = {SPAN("</comments"), SPAN("</postlinks")}, end = ends[1];
    enum status status = ST_OK;
    bool ended = false;
    size_t got = 1;

    *bytes = 0;
    while (status == ST_OK && got > 0) {
        buf_reserve(&in, CHUNK);
        status = encoded_read(s, in.ptr + in.len, CHUNK, &got, e);
        in.len += status == ST_OK ? got : 0;
        struct span rest = buf_span(&in);
        size_t at, len = 1;
        while (status == ST_OK && (at = span_find(rest, row)) != SIZE_MAX) {
            rest = (struct span){rest.ptr + at, rest.len - at};
            len = row_length(rest);
            if (len == 0)
                break;
            status = take_row((struct span){rest.ptr, len}, *bytes + (uint64_t)(rest.ptr - in.ptr), handler, e);
            rest = (struct span){rest.ptr + len, rest.len - len};
        }
        ended = ended || (len > 0 && (span_find(rest, ends[0]) != SIZE_MAX || span_find(rest, ends[1]) != SIZE_MAX));
        if (len > 0 && rest.len > end.len) /* a mark may be cut */
            rest = (struct span){rest.ptr + rest.len - end.len, end.len};
        *bytes += (uint64_t)(rest.ptr - in.ptr);
        if (rest.len > DUMP_ROW_MAX)
            status = err_set(e, ST_INPUT, "%s: a row longer than 8 MiB (byte %llu)", source_name(s->source),
                             (unsigned long long)*bytes);
        memmove(in.ptr, rest.ptr, rest.len);
        in.len = rest.len;
    }
    *bytes += in.len;
    if (status == ST_OK && !ended)
        status = err_set(e, ST_INPUT,
                         "%s: ends before the end tag of the root element: the file is truncated (byte %llu)",
                         source_name(s->source), (unsigned long long)*bytes);
    return status;
}
