/* export: the tables that are published, one by one. */
#include "db/publish.h"
#include "report/package.h"

#include <errno.h>

const char *const report_data_names[DB_TABLES + 1] = {
    [DB_TABLE_PROBLEMS] = "problems",
    [DB_TABLE_IDENTIFICATION] = "identification",
    [DB_TABLE_CODING] = "coding",
    [DB_TABLE_DECISIONS] = "decisions",
    [DB_TABLE_CANDIDATES] = "candidates",
    [DB_TABLE_KEYWORDS] = "keywords",
    [DB_TABLE_CODEBOOK] = "codebook",
    [DB_TABLE_DISAMBIGUATION] = "disambiguation",
    [DB_TABLE_CODE_CHANGES] = "code_changes",
    [DB_TABLE_ASSESSMENT] = "assessment",
    [DB_TABLE_BENCH_SETUPS] = "bench_setups",
    [DB_TABLE_BENCH_RESULTS] = "bench_results",
    [DB_TABLE_BENCH_RUNS] = "bench_runs",
    [DB_TABLE_ATTRIBUTION] = "attribution",
    [DB_TABLE_RUNS] = "runs",
    [DB_TABLE_SETTINGS] = "settings",
    [DB_TABLE_TEXTS] = "texts",
    [DB_TABLE_PROJECTS] = "projects",
    [DB_TABLE_SCANS] = "scans",
    [DB_TABLE_FINDINGS] = "findings",
    [DB_TABLE_FINDING_SEEN] = "finding_seen",
    [DB_TABLE_FINDING_STATES] = "finding_states",
};

static struct span file_of(enum db_table table, char *name, size_t size)
{
    snprintf(name, size, "data/%s.csv", report_data_names[table]);
    return span_of(name);
}

void report_data_meaning(enum db_table table, struct buf *out)
{
    char name[64];
    struct dictionary d;
    struct err e;

    if (dictionary_load(&d, &e) == ST_OK) {
        const struct dictionary_row *row =
            dictionary_find(&d, file_of(table, name, sizeof name), SPAN(""));
        if (row != NULL)
            buf_add_span(out, row->meaning);
    }
    dictionary_clear(&d);
}

/* --- cells --- */

enum { COLUMNS_MAX = 32 };

struct writer {
    enum report_data_format format;
    FILE *out;
    const char *name; /* of the stream */
    size_t n_columns, n_rows;
    struct {
        struct span name;
        bool number, boolean;
    } columns[COLUMNS_MAX];
    struct buf line, clean;
};

/* U+FFFD for what is no UTF-8, and for NUL, which readers of CSV refuse. */
static struct span cleaned(struct writer *w, struct span s)
{
    size_t valid = utf8_valid_prefix(s);

    if (valid == s.len && (s.len == 0 || memchr(s.ptr, '\0', s.len) == NULL))
        return s;
    buf_reset(&w->clean);
    while (s.len > 0) {
        const char *nul = memchr(s.ptr, '\0', valid);
        size_t good = nul != NULL ? (size_t)(nul - s.ptr) : valid;
        buf_add(&w->clean, s.ptr, good);
        if (good == s.len)
            break;
        buf_add_text(&w->clean, "\xef\xbf\xbd");
        s = (struct span){s.ptr + good + 1, s.len - good - 1};
        valid = utf8_valid_prefix(s);
    }
    return buf_span(&w->clean);
}

static void add_csv_cell(struct writer *w, size_t column, struct span cell)
{
    cell = cleaned(w, cell);
    size_t start = w->line.len;
    bool formula = cell.len > 0 && !w->columns[column].number &&
                   strchr("=+-@\t\r", cell.ptr[0]) != NULL; /* a NUL is none any more */

    buf_add_csv(&w->line, cell);
    if (formula && w->line.ptr[start] != '"') { /* it holds nothing that is doubled */
        buf_add_text(&w->line, "\"\"");
        memmove(w->line.ptr + start + 1, w->line.ptr + start, cell.len);
        w->line.ptr[start] = '"';
    }
}

static void add_json_cell(struct writer *w, size_t column, struct span cell)
{
    buf_add_json(&w->line, w->columns[column].name);
    buf_add_char(&w->line, ':');
    if (cell.ptr == NULL)
        buf_add_text(&w->line, "null");
    else if (w->columns[column].boolean)
        buf_add_text(&w->line, span_eq(cell, SPAN("1")) ? "true" : "false");
    else if (w->columns[column].number)
        buf_add_span(&w->line, cell);
    else
        buf_add_json(&w->line, cell);
}

static enum status put_line(struct writer *w, struct err *e)
{
    size_t len = w->line.len;

    buf_reset(&w->line);
    if (len > 0 && fwrite(w->line.ptr, 1, len, w->out) < len)
        return err_set(e, ST_IO, "%s: %s", w->name, strerror(errno));
    return ST_OK;
}

static enum status write_row(void *ctx, const struct span *cells, size_t n, struct err *e)
{
    struct writer *w = ctx;
    bool csv = w->format == REPORT_DATA_CSV;

    if (!csv)
        buf_add_text(&w->line, w->format == REPORT_DATA_NDJSON ? "{"
                               : w->n_rows > 0                 ? ",\n {"
                                                               : "{");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            buf_add_char(&w->line, ',');
        if (csv)
            add_csv_cell(w, i, cells[i]);
        else
            add_json_cell(w, i, cells[i]);
    }
    if (!csv)
        buf_add_char(&w->line, '}');
    if (w->format != REPORT_DATA_JSON)
        buf_add_char(&w->line, '\n');
    w->n_rows++;
    return put_line(w, e);
}

/* --- tables --- */

/* Types are the dictionary's; a column that it does not know is a fault of the program. */
static enum status read_columns(struct writer *w, struct db *db, enum db_table table,
                                const struct dictionary *d, struct err *e)
{
    char file[64];
    const char *name;

    file_of(table, file, sizeof file);
    while (w->n_columns < COLUMNS_MAX && (name = db_table_column(db, table, w->n_columns)) != NULL) {
        const struct dictionary_row *row = dictionary_find(d, span_of(file), span_of(name));
        if (row == NULL)
            return err_set(e, ST_DATABASE, "%s: the dictionary lacks the column %s", file, name);
        w->columns[w->n_columns].name = span_of(name);
        w->columns[w->n_columns].boolean = span_eq(row->type, SPAN("boolean"));
        w->columns[w->n_columns++].number =
            span_eq(row->type, SPAN("integer")) || span_eq(row->type, SPAN("real"));
    }
    return ST_OK;
}

static void add_header(struct writer *w)
{
    if (w->format == REPORT_DATA_JSON)
        buf_add_char(&w->line, '[');
    for (size_t i = 0; i < w->n_columns && w->format == REPORT_DATA_CSV; i++) {
        buf_add_span(&w->line, w->columns[i].name);
        buf_add_char(&w->line, i + 1 < w->n_columns ? ',' : '\n');
    }
}

enum status report_data_write(struct db *db, enum db_table table, enum report_data_format format,
                              FILE *out, const char *name, struct err *e)
{
    struct writer w = {.format = format, .out = out, .name = name};
    struct dictionary d;
    enum status status = dictionary_load(&d, e);

    if (status == ST_OK)
        status = read_columns(&w, db, table, &d, e);
    if (status == ST_OK) {
        add_header(&w);
        status = db_table_each(db, table, write_row, &w, e);
    }
    if (status == ST_OK && format == REPORT_DATA_JSON)
        buf_add_text(&w.line, "]\n");
    if (status == ST_OK)
        status = put_line(&w, e);
    if (status == ST_OK)
        status = stream_check(out, name, e);
    buf_clear(&w.line);
    buf_clear(&w.clean);
    dictionary_clear(&d);
    return status;
}
