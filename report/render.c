#include "report/render.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const report_formats[] = {"text",     "csv",   "json", "ndjson",
                                      "markdown", "latex", "html", NULL};

static const struct renderer *const renderers[] = {
    [REPORT_AS_TEXT] = &render_text,         [REPORT_AS_CSV] = &render_csv,
    [REPORT_AS_JSON] = &render_json,         [REPORT_AS_NDJSON] = &render_ndjson,
    [REPORT_AS_MARKDOWN] = &render_markdown, [REPORT_AS_LATEX] = &render_latex,
    [REPORT_AS_HTML] = &render_html,
};

/* --- columns that are absent in every row, which readers are spared --- */

static bool is_absent(const struct report_table *t, size_t column)
{
    size_t rows = report_rows(t), row = 0;

    while (row < rows && !report_cell_at(t, row, column)->present)
        row++;
    return rows > 0 && row == rows;
}

/* The same texts, fewer columns. */
static struct report_table *without_absent(const struct report_table *t)
{
    struct report_table *out = mem_zero(1, sizeof *out);
    size_t *kept = mem_zero(t->n_columns + 1, sizeof *kept);

    *out = (struct report_table){.id = t->id, .title = t->title, .note = t->note};
    out->columns = mem_zero(t->n_columns + 1, sizeof *out->columns);
    out->cells = mem_zero(t->n_cells + 1, sizeof *out->cells);
    for (size_t i = 0; i < t->n_columns; i++)
        if (!is_absent(t, i)) {
            kept[out->n_columns] = i;
            out->columns[out->n_columns++] = t->columns[i];
        }
    for (size_t row = 0; row < report_rows(t); row++)
        for (size_t i = 0; i < out->n_columns; i++)
            out->cells[out->n_cells++] = *report_cell_at(t, row, kept[i]);
    mem_free(kept);
    return out;
}

static struct report for_people(const struct report *r)
{
    struct report out = {.tables = mem_zero(r->n_tables + 1, sizeof(struct report_table *)),
                         .n_tables = r->n_tables};

    for (size_t i = 0; i < r->n_tables; i++)
        out.tables[i] = without_absent(r->tables[i]);
    return out;
}

/* --- printing --- */

static void print(const struct report *r, const struct renderer *renderer, FILE *out)
{
    struct buf text = {0};

    if (renderer->begin != NULL)
        renderer->begin(&text, r);
    for (size_t i = 0; i < r->n_tables; i++)
        renderer->table(&text, r, i);
    if (renderer->end != NULL)
        renderer->end(&text, r);
    if (text.len > 0)
        fwrite(text.ptr, 1, text.len, out);
    buf_clear(&text);
}

void report_print(const struct report *r, enum report_format format, FILE *out)
{
    bool programs =
        format == REPORT_AS_CSV || format == REPORT_AS_JSON || format == REPORT_AS_NDJSON;

    if (programs) {
        print(r, renderers[format], out);
        return;
    }
    struct report shown = for_people(r);
    print(&shown, renderers[format], out);
    report_clear(&shown);
}

bool kind_is_number(enum report_kind kind)
{
    return kind != REPORT_TEXT;
}

size_t width_of(struct span s)
{
    size_t width = 0;

    for (size_t i = 0; i < s.len; i++)
        width += ((unsigned char)s.ptr[i] & 0xc0) != 0x80;
    return width;
}

/* Control characters would break lines, or move a terminal's cursor. */
static void add_safe(struct buf *out, struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        buf_add_char(out, c < 0x20 || c == 0x7f ? '?' : (char)c);
    }
}

void cell_for_people(struct buf *out, const struct report_cell *cell, enum report_kind kind)
{
    if (!cell->present)
        return;
    switch (kind) {
    case REPORT_TEXT:
        add_safe(out, cell->text);
        break;
    case REPORT_INT:
        buf_addf(out, "%" PRId64, cell->integer);
        break;
    case REPORT_SHARE:
        buf_addf(out, "%.1f%%", cell->real * 100);
        break;
    case REPORT_REAL:
        buf_addf(out, "%.4f", cell->real);
        break;
    case REPORT_P:
        if (cell->real < 0.0001)
            buf_add_text(out, "<0.0001");
        else
            buf_addf(out, "%.4f", cell->real);
    }
}

void cell_for_programs(struct buf *out, const struct report_cell *cell, enum report_kind kind)
{
    char text[32];

    if (!cell->present)
        return;
    if (kind == REPORT_TEXT) {
        buf_add_span(out, cell->text);
    } else if (kind == REPORT_INT) {
        buf_addf(out, "%" PRId64, cell->integer);
    } else {
        int digits = 15;
        do
            snprintf(text, sizeof text, "%.*g", digits, cell->real);
        while (strtod(text, NULL) != cell->real && ++digits <= 17);
        buf_add_text(out, text);
    }
}

void row_as_json(struct buf *out, const struct report_table *t, size_t row, bool with_id)
{
    buf_add_char(out, '{');
    if (with_id) {
        buf_add_text(out, "\"table\":");
        buf_add_json(out, span_of(t->id));
    }
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct report_cell *cell = report_cell_at(t, row, i);
        if (i > 0 || with_id)
            buf_add_char(out, ',');
        buf_add_json(out, t->columns[i].name);
        buf_add_char(out, ':');
        if (!cell->present)
            buf_add_text(out, "null");
        else if (t->columns[i].kind == REPORT_TEXT)
            buf_add_json(out, cell->text);
        else
            cell_for_programs(out, cell, t->columns[i].kind);
    }
    buf_add_char(out, '}');
}
