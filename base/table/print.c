/* Printing: which format prints what, and how cells are written. */
#include "base/table/render.h"

#include "base/files.h"
#include "base/visible.h"

#include <errno.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

const char *const table_formats[] = {
    [TABLE_AS_TEXT] = "text",     [TABLE_AS_CSV] = "csv",           [TABLE_AS_JSON] = "json",
    [TABLE_AS_NDJSON] = "ndjson", [TABLE_AS_MARKDOWN] = "markdown", [TABLE_AS_LATEX] = "latex",
    [TABLE_AS_HTML] = "html",     [TABLE_AS_XLSX] = "xlsx",         NULL};

static const struct renderer *const renderers[] = {
    [TABLE_AS_TEXT] = &render_text,     [TABLE_AS_CSV] = &render_csv,           [TABLE_AS_JSON] = &render_json,
    [TABLE_AS_NDJSON] = &render_ndjson, [TABLE_AS_MARKDOWN] = &render_markdown, [TABLE_AS_LATEX] = &render_latex,
    [TABLE_AS_HTML] = &render_html,     [TABLE_AS_XLSX] = &render_xlsx,
};

/* --- cells --- */

bool cell_is_present(const struct table *t, size_t row, size_t column)
{
    return table_cell_at(t, row, column)->is != TABLE_ABSENT;
}

static void add_integer(struct buf *out, int64_t value)
{
    char text[24];
    size_t at = sizeof text;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do
        text[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        text[--at] = '-';
    buf_add(out, text + at, sizeof text - at);
}

/* No "-0.0000" of what is rounded to nothing. */
static void add_rounded(struct buf *out, double value, int decimals)
{
    char text[352];

    snprintf(text, sizeof text, "%.*f", decimals, value);
    bool nothing = text[0] == '-' && text[strspn(text, "-0.")] == '\0';
    buf_add_text(out, text + nothing);
}

static void add_real(struct buf *out, double value, const struct table_column *column)
{
    switch (column->kind) {
    case TABLE_SHARE:
        add_rounded(out, value * 100, 1);
        buf_add_char(out, '%');
        break;
    case TABLE_P:
        buf_addf(out, value < 0.0001 ? "<0.0001" : "%.4f", value);
        break;
    default:
        add_rounded(out, value, column->decimals > 0 ? column->decimals : 4);
    }
}

struct span cell_for_people(struct table_printer *p, const struct table *t, size_t row, size_t column)
{
    buf_reset(&p->cell);
    const struct table_cell *cell = table_cell_at(t, row, column);
    if (cell->is == TABLE_IS_INT)
        add_integer(&p->cell, cell->integer);
    else if (cell->is == TABLE_IS_REAL)
        add_real(&p->cell, cell->real, &t->columns[column]);
    else if (cell->is == TABLE_IS_TEXT && t->columns[column].kind == TABLE_BOOLEAN)
        buf_add_text(&p->cell, span_eq(cell->text, SPAN("1")) ? "yes" : "no");
    else if (cell->is == TABLE_IS_TEXT)
        buf_add_clean(&p->cell, cell->text);
    return buf_span(&p->cell);
}

bool cell_is_words(const struct table *t, size_t row, size_t column)
{
    enum table_kind kind = t->columns[column].kind;

    return table_cell_at(t, row, column)->is == TABLE_IS_TEXT && kind != TABLE_NUMBER && kind != TABLE_BOOLEAN;
}

void cell_for_programs(struct buf *out, const struct table *t, size_t row, size_t column)
{
    const struct table_cell *cell = table_cell_at(t, row, column);
    int decimals = t->columns[column].decimals;

    if (cell->is == TABLE_IS_TEXT) {
        buf_add_span(out, cell->text);
    } else if (cell->is == TABLE_IS_INT) {
        add_integer(out, cell->integer);
    } else if (cell->is == TABLE_IS_REAL && decimals > 0) {
        add_rounded(out, cell->real, decimals);
    } else if (cell->is == TABLE_IS_REAL) {
        /* As many digits as it takes to read the same number again. */
        char text[32];
        int digits = 15;

        do
            snprintf(text, sizeof text, "%.*g", digits, cell->real);
        while (strtod(text, NULL) != cell->real && ++digits <= 17);
        buf_add_text(out, text);
    }
}

struct span title_of(const struct table_column *column)
{
    return span_of(column->title != NULL ? column->title : column->name);
}

void add_anchor(struct buf *out, const char *id)
{
    static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

    for (; *id != '\0'; id++)
        buf_add_char(out, strchr(fine, *id) != NULL ? *id : '-');
}

/* A table that borrows the other one's texts; without absent columns, or with the caveat: rows alone carry what their
 * title would say. */
static struct table changed(const struct table *t, bool spared, bool with_caveat)
{
    struct table out = {.id = t->id, .title = t->title, .note = t->note};
    AT_END(mem_end) size_t *kept = mem_zero(t->n_columns + 1, sizeof *kept);

    out.columns = mem_zero(t->n_columns + 1, sizeof *out.columns);
    out.cells = mem_zero(t->n_cells + table_rows(t) + 1, sizeof *out.cells);
    for (size_t i = 0; i < t->n_columns; i++) {
        size_t row = 0;
        while (spared && row < table_rows(t) && !cell_is_present(t, row, i))
            row++;
        if (spared && row > 0 && row == table_rows(t)) /* absent in every row: readers are spared it */
            continue;
        kept[out.n_columns] = i;
        out.columns[out.n_columns++] = t->columns[i];
    }
    size_t n = out.n_columns;
    if (with_caveat)
        out.columns[out.n_columns++] = (struct table_column){.name = "not_counted", .title = "not counted"};
    for (size_t row = 0; row < table_rows(t); row++) {
        for (size_t i = 0; i < n; i++)
            out.cells[out.n_cells++] = *table_cell_at(t, row, kept[i]);
        if (with_caveat)
            out.cells[out.n_cells++] = table_text(t->caveat);
    }
    return out;
}

/* --- printing --- */

static void begin(struct table_printer *p, const struct table_output *out, bool plain)
{
    int fd = fileno(out->file);

    *p = (struct table_printer){
        .renderer = renderers[out->format], .file = out->file, .plain = plain, .raw = out->raw, .bom = out->bom};
    p->terminal = fd >= 0 && isatty(fd) == 1;
}

/* Writes what there is when it is much, or `all`. */
static void flush(struct table_printer *p, bool all)
{
    size_t len = p->text.len;

    if (p->file == NULL || len == 0 || (!all && len < CHUNK))
        return;
    errno = 0;
    if (fwrite(p->text.ptr, 1, len, p->file) < len && p->error == 0)
        p->error = errno != 0 ? errno : EIO;
    buf_reset(&p->text);
}

static void call(void (*step)(struct table_printer *p), struct table_printer *p)
{
    if (step != NULL)
        step(p);
}

static void print_head(struct table_printer *p, const struct table *t)
{
    p->n_rows = 0;
    if (p->renderer->head != NULL)
        p->renderer->head(p, t);
}

static void print_rows(struct table_printer *p, const struct table *t)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        p->renderer->row(p, t, row);
        p->n_rows++;
        flush(p, false);
    }
}

static void print_foot(struct table_printer *p, const struct table *t)
{
    if (p->renderer->foot != NULL)
        p->renderer->foot(p, t);
    p->n_tables++;
    mem_free(p->widths);
    p->widths = NULL;
}

static void end(struct table_printer *p)
{
    flush(p, true);
    if (p->error != 0)
        stream_failed(p->file, p->error);
    buf_clear(&p->text);
    buf_clear(&p->cell);
    xlsx_clear(&p->xlsx);
}

static void print_one(struct table_printer *p, const struct table *t)
{
    bool people = p->renderer->people && !p->plain, untitled = p->renderer->rows_only || p->plain;
    bool caveat = !people && untitled && t->caveat.len > 0;
    struct table shown = people || caveat ? changed(t, people, caveat) : *t;

    print_head(p, &shown);
    print_rows(p, &shown);
    print_foot(p, &shown);
    if (shown.columns != t->columns) {
        mem_free(shown.columns);
        mem_free(shown.cells);
    }
}

static void print_list(const struct table_list *l, const struct table_output *out, bool plain)
{
    struct table_printer p;

    begin(&p, out, plain);
    p.list = l;
    call(p.renderer->begin, &p);
    for (size_t i = 0; i < l->n; i++)
        print_one(&p, l->tables[i]);
    call(p.renderer->end, &p);
    end(&p);
}

void table_list_print(const struct table_list *l, const struct table_output *out)
{
    print_list(l, out, false);
}

void table_print(const struct table *t, const struct table_output *out)
{
    struct table copy = *t, *only = &copy;

    print_list(&(struct table_list){.tables = &only, .n = 1}, out, true);
}

void table_add_html_linked(struct buf *out, const struct table *t, const struct table_links *links)
{
    struct table_printer p = {.renderer = &render_html, .links = links};

    print_one(&p, t);
    buf_add_span(out, buf_span(&p.text));
    buf_clear(&p.text);
    buf_clear(&p.cell);
}

void table_print_with(struct table *t, const struct table_list *more, const struct table_output *out)
{
    struct table_list all = {0};

    if (out->format != TABLE_AS_JSON) {
        table_print(t, out);
        return;
    }
    all.tables = array_room(all.tables, 0, more->n + 1, &all.capacity, sizeof(struct table *));
    all.tables[all.n++] = t;
    for (size_t i = 0; i < more->n; i++)
        all.tables[all.n++] = more->tables[i];
    table_list_print(&all, out);
    mem_free(all.tables);
}

enum status table_end(struct table *t, enum status status, const struct table_output *out)
{
    if (status == ST_OK) {
        table_print(t, out);
        status = table_rows(t) > 0 ? ST_OK : ST_NO;
    }
    table_clear(t);
    return status;
}

/* --- while it is filled --- */

void table_stream_begin(struct table_stream *s, struct table *t, const struct table_output *out)
{
    *s = (struct table_stream){t, mem_alloc(sizeof *s->printer)};
    begin(s->printer, out, true);
    if (!s->printer->renderer->streams)
        return;
    call(s->printer->renderer->begin, s->printer);
    print_head(s->printer, t);
}

static enum status check(const struct table_stream *s, const char *name, struct err *e)
{
    if (s->printer->error == 0)
        return ST_OK;
    return err_set(e, ST_IO, "%s: %s", name, strerror(s->printer->error));
}

enum status table_stream_rows(struct table_stream *s, const char *name, struct err *e)
{
    if (!s->printer->renderer->streams)
        return ST_OK;
    print_rows(s->printer, s->table);
    s->table->n_cells = 0;
    arena_reset(&s->table->texts);
    return check(s, name, e);
}

enum status table_stream_end(struct table_stream *s, enum status status, const char *name, struct err *e)
{
    struct table_printer *p = s->printer;

    if (status == ST_OK && !p->renderer->streams) {
        call(p->renderer->begin, p);
        print_head(p, s->table);
    }
    if (status == ST_OK) {
        print_rows(p, s->table);
        print_foot(p, s->table);
        call(p->renderer->end, p);
        flush(p, true);
        status = check(s, name, e);
    }
    buf_reset(&p->text); /* of what failed no more is written */
    end(p);
    mem_free(p->widths);
    s->printer = NULL;
    mem_free(p);
    return status;
}
