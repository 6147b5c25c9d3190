/* Reads CSV: RFC 4180, and what spreadsheets make of it. */
#include "base/csv.h"
#include "base/utf8.h"

/* The delimiter that is most often in the first line outside quotes. A quote within a field is a plain character. */
static char sniff(struct span content)
{
    static const char delimiters[] = {',', ';', '\t'};
    size_t counts[ARRAY_LEN(delimiters)] = {0}, best = 0;
    bool quoted = false, begins = true;

    for (size_t i = 0; i < content.len; i++) {
        char c = content.ptr[i];
        bool is_delimiter = false;
        if (c == '"' && (quoted || begins))
            quoted = !quoted;
        else if (!quoted && (c == '\n' || c == '\r'))
            break;
        for (size_t d = 0; d < ARRAY_LEN(delimiters) && !quoted; d++) {
            counts[d] += c == delimiters[d];
            is_delimiter |= c == delimiters[d];
        }
        begins = is_delimiter || c == '"'; /* a doubled quote opens again */
    }
    for (size_t d = 1; d < ARRAY_LEN(delimiters); d++)
        if (counts[d] > counts[best])
            best = d;
    return delimiters[best];
}

/* Bytes of the line end that `s` begins with: LF, CRLF, or a lone CR of old spreadsheets. */
static size_t line_end(struct span s)
{
    if (s.len == 0)
        return 0;
    if (s.ptr[0] == '\r')
        return s.len > 1 && s.ptr[1] == '\n' ? 2 : 1;
    return s.ptr[0] == '\n';
}

void csv_open(struct csv_reader *r, struct span content, const char *name)
{
    static const struct span key = {"sep=", 4};

    if (span_starts(content, SPAN("\xef\xbb\xbf")))
        content = span_after(content, 3);
    *r = (struct csv_reader){.rest = content, .name = name, .delimiter = sniff(content)};
    /* A first line "sep=;" tells spreadsheets the delimiter. */
    if (!span_starts(content, key) || content.len == key.len)
        return;
    struct span after = span_after(content, key.len + 1);
    size_t end = line_end(after);
    if (end > 0 && strchr(",;\t", content.ptr[key.len]) != NULL) {
        r->delimiter = content.ptr[key.len];
        r->rest = span_after(after, end);
        r->lines_seen = 1;
    }
}

void csv_open_verbatim(struct csv_reader *r, struct span content, const char *name)
{
    csv_open(r, content, name);
    r->verbatim = true;
}

void csv_close(struct csv_reader *r)
{
    array_clear(&r->fields);
    buf_clear(&r->unquoted);
    mem_free(r->columns);
    r->columns = NULL;
}

static size_t count_lines(struct span s)
{
    size_t lines = 0;

    for (size_t i = 0; i < s.len; i++) {
        size_t n = line_end(span_after(s, i));
        lines += n > 0;
        i += n > 0 ? n - 1 : 0;
    }
    return lines;
}

/* Takes the next field off the rest. A quoted one is kept without its quotes, with what it holds still doubled. */
static enum status MUST_USE take_field(struct csv_reader *r, struct err *e)
{
    if (r->rest.len == 0 || r->rest.ptr[0] != '"') {
        size_t len = 0;
        while (len < r->rest.len && r->rest.ptr[len] != r->delimiter && r->rest.ptr[len] != '\n' &&
               r->rest.ptr[len] != '\r')
            len++;
        array_add(&r->fields, (struct span){r->rest.ptr, len});
        if (len > 0)
            r->rest = span_after(r->rest, len);
        return ST_OK;
    }
    /* From its first quote to behind its last; 0: never closed. */
    size_t line = r->lines_seen + 1, len = 0;
    for (size_t i = 1; i < r->rest.len && len == 0; i++) {
        const char *quote = memchr(r->rest.ptr + i, '"', r->rest.len - i);
        if (quote == NULL)
            break;
        i = (size_t)(quote - r->rest.ptr) + 1;
        if (i == r->rest.len || r->rest.ptr[i] != '"')
            len = i;
    }
    if (len == 0)
        return err_set(e, ST_INPUT, "%s:%zu: the quote that begins here is never closed", r->name, line);
    array_add(&r->fields, (struct span){r->rest.ptr + 1, len - 2});
    r->lines_seen += count_lines(r->fields.at[r->fields.n - 1]);
    r->rest = span_after(r->rest, len);
    if (r->rest.len > 0 && r->rest.ptr[0] != r->delimiter && line_end(r->rest) == 0)
        return err_set(e, ST_INPUT,
                       "%s:%zu: there is text after the closing quote of field"
                       " %zu; a quote inside of quotes is written twice",
                       r->name, r->lines_seen + 1, r->fields.n);
    return ST_OK;
}

static enum status MUST_USE check_text(const struct csv_reader *r, struct span row, struct err *e)
{
    size_t valid = utf8_valid_prefix(row);
    const char *nul = row.len > 0 ? memchr(row.ptr, '\0', valid) : NULL;

    if (nul != NULL)
        valid = (size_t)(nul - row.ptr);
    if (valid == row.len)
        return ST_OK;
    return err_set(e, ST_INPUT, "%s:%zu: %s; the file must be UTF-8 text", r->name,
                   r->line + count_lines((struct span){row.ptr, valid}), nul != NULL ? "a NUL" : "invalid UTF-8");
}

static enum status MUST_USE take_row(struct csv_reader *r, struct err *e)
{
    struct span row = r->rest;
    enum status status = ST_OK;
    bool more = true;

    r->fields.n = 0;
    r->line = r->lines_seen + 1;
    while (status == ST_OK && more) {
        status = take_field(r, e);
        if (status == ST_OK && r->fields.n > CSV_FIELDS_MAX)
            return err_set(e, ST_INPUT, "%s:%zu: more than %zu fields in a row", r->name, r->line, CSV_FIELDS_MAX);
        more = status == ST_OK && r->rest.len > 0 && r->rest.ptr[0] == r->delimiter;
        if (more)
            r->rest = span_after(r->rest, 1);
    }
    row.len = (size_t)(r->rest.ptr - row.ptr);
    r->row = row;
    THEN(status, check_text(r, row, e));
    if (status != ST_OK)
        return status;
    /* Of a field that was quoted the doubled quotes become single ones. */
    buf_reset(&r->unquoted);
    buf_reserve(&r->unquoted, 2 * row.len); /* so that nothing moves while fields point into it */
    for (size_t i = 0; i < r->fields.n; i++) {
        struct span *field = &r->fields.at[i];
        if (field->len == 0 || field->ptr == row.ptr || field->ptr[-1] != '"' ||
            memchr(field->ptr, '"', field->len) == NULL)
            continue;
        size_t start = r->unquoted.len;
        for (size_t at = 0; at < field->len; at++) {
            buf_add_char(&r->unquoted, field->ptr[at]);
            at += field->ptr[at] == '"';
        }
        *field = (struct span){r->unquoted.ptr + start, r->unquoted.len - start};
    }
    for (size_t i = 0; i < r->fields.n && !r->verbatim; i++) {
        struct span *field = &r->fields.at[i];
        size_t start = r->unquoted.len;
        *field = csv_unguarded(*field);
        if (buf_add_unguarded_within(&r->unquoted, *field))
            *field = (struct span){r->unquoted.ptr + start, r->unquoted.len - start};
    }
    size_t end = line_end(r->rest);
    r->lines_seen += end > 0;
    r->no_line_end = end == 0;
    r->rest = span_after(r->rest, end);
    return ST_OK;
}

enum status csv_next(struct csv_reader *r, struct err *e)
{
    while (r->rest.len > 0) {
        enum status status = take_row(r, e);
        if (status != ST_OK) {
            r->rest.len = 0;
            r->fields.n = 0;
            return status;
        }
        for (size_t i = 0; i < r->fields.n; i++)
            if (r->fields.at[i].len > 0)
                return ST_OK; /* else it is what spreadsheets leave behind the last row */
    }
    r->fields.n = 0;
    return ST_NO;
}

/* --- rows under a header --- */

static enum status MUST_USE read_header(struct csv_reader *r, const char *const *names, size_t n, struct err *e)
{
    enum status status = csv_next(r, e);
    size_t *columns = r->columns = mem_zero(n, sizeof *columns);

    if (status == ST_NO)
        return err_set(e, ST_INPUT, "%s: empty; the first line names the columns", r->name);
    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        columns[i] = SIZE_MAX;
    for (size_t i = 0; i < r->fields.n; i++) {
        struct span name = span_trim(r->fields.at[i]);
        size_t place = span_place(name, names, n);
        if (place == n) {
            const char *near = span_nearest(name, names, n);
            AT_END(buf_clear) struct buf list = {0};

            for (size_t k = 0; k < n; k++)
                buf_addf(&list, "%s%s", k > 0 ? ", " : "", names[k]);
            if (near != NULL)
                err_set(e, ST_INPUT, "%s:%zu: unknown column '%.*s' (did you mean '%s'?)", r->name, r->line,
                        SPAN_ARG(name), near);
            else
                err_set(e, ST_INPUT, "%s:%zu: unknown column '%.*s'; the columns are: %s", r->name, r->line,
                        SPAN_ARG(name), buf_cstr(&list));
            return ST_INPUT;
        }
        if (columns[place] != SIZE_MAX)
            return err_set(e, ST_INPUT, "%s:%zu: the column '%s' occurs a second time", r->name, r->line, names[place]);
        columns[place] = i;
    }
    for (size_t i = 0; i < n; i++)
        if (columns[i] == SIZE_MAX && i < 64 && (r->may_lack >> i & 1) != 0)
            columns[i] = r->fields.n;
        else if (columns[i] == SIZE_MAX)
            return err_set(e, ST_INPUT, "%s:%zu: the column '%s' is missing", r->name, r->line, names[i]);
    r->n_columns = r->fields.n;
    return ST_OK;
}

bool csv_walk(struct csv_reader *r, const char *const *names, size_t n, enum status *status, struct err *e)
{
    if (r->columns == NULL)
        THEN(*status, read_header(r, names, n, e));
    THEN(*status, csv_next(r, e));
    if (*status == ST_OK && r->fields.n != r->n_columns)
        *status = err_set(e, ST_INPUT, "%s:%zu: %zu fields under a header of %zu columns", r->name, r->line,
                          r->fields.n, r->n_columns);
    if (*status == ST_OK) { /* what columns that may be missing stand for */
        array_add(&r->fields, SPAN(""));
        r->fields.n--;
        return true;
    }
    csv_close(r);
    *status = *status == ST_NO ? ST_OK : *status;
    return false;
}

struct span csv_cell(const struct csv_reader *r, size_t i)
{
    return span_trim(r->fields.at[r->columns[i]]);
}

enum status csv_rows_read(struct csv_rows *out, struct span content, const char *name, const char *const *names,
                          size_t n, struct err *e)
{
    struct csv_reader csv;
    enum status status = ST_OK;

    *out = (struct csv_rows){0};
    if (content.ptr == NULL)
        return ST_OK;
    csv_open_verbatim(&csv, content, name);
    while (csv_walk(&csv, names, n, &status, e)) {
        struct csv_row row = {csv.line, arena_alloc(&out->arena, n * sizeof *row.cells)};
        for (size_t i = 0; i < n; i++)
            row.cells[i] = arena_copy(&out->arena, csv_cell(&csv, i));
        array_add(&out->items, row);
    }
    return status;
}

void csv_rows_clear(struct csv_rows *r)
{
    array_clear(&r->items);
    arena_clear(&r->arena);
}
