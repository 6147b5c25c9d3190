/* markdown: tables as GitHub, pandoc and Jupyter read them. */
#include "report/render.h"

static void add_escaped(struct buf *out, struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '&') {
            buf_add_text(out, "&amp;");
            continue;
        }
        if (s.ptr[i] == '<') {
            buf_add_text(out, "&lt;");
            continue;
        }
        if (strchr("\\`*_[]|~#>", s.ptr[i]) != NULL)
            buf_add_char(out, '\\');
        buf_add_char(out, s.ptr[i]);
    }
}

static void add_cell(struct buf *out, const struct report_table *t, size_t row, size_t column)
{
    struct buf cell = {0};

    cell_for_people(&cell, report_cell_at(t, row, column), t->columns[column].kind);
    buf_add_text(out, " ");
    add_escaped(out, buf_span(&cell));
    buf_add_text(out, " |");
    buf_clear(&cell);
}

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];

    buf_add_text(out, i > 0 ? "\n### " : "### ");
    add_escaped(out, t->title);
    buf_add_text(out, "\n\n|");
    for (size_t k = 0; k < t->n_columns; k++) {
        buf_add_char(out, ' ');
        add_escaped(out, t->columns[k].title);
        buf_add_text(out, " |");
    }
    buf_add_text(out, "\n|");
    for (size_t k = 0; k < t->n_columns; k++)
        buf_add_text(out, kind_is_number(t->columns[k].kind) ? "---:|" : "---|");
    buf_add_char(out, '\n');
    for (size_t row = 0; row < report_rows(t); row++) {
        buf_add_char(out, '|');
        for (size_t k = 0; k < t->n_columns; k++)
            add_cell(out, t, row, k);
        buf_add_char(out, '\n');
    }
    if (t->note.len > 0) {
        buf_add_char(out, '\n');
        add_escaped(out, t->note);
        buf_add_char(out, '\n');
    }
}

const struct renderer render_markdown = {NULL, add_table, NULL};
