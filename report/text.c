/* text: aligned columns, for reading. */
#include "report/render.h"

enum { LINE_WIDTH = 100 };

static size_t column_width(const struct report_table *t, size_t column, struct buf *scratch)
{
    size_t width = width_of(t->columns[column].title);

    for (size_t row = 0; row < report_rows(t); row++) {
        buf_reset(scratch);
        cell_for_people(scratch, report_cell_at(t, row, column), t->columns[column].kind);
        size_t w = width_of(buf_span(scratch));
        width = w > width ? w : width;
    }
    return width;
}

static void add_padded(struct buf *out, struct span s, size_t width, bool right)
{
    size_t blanks = width - width_of(s);

    if (right)
        buf_addf(out, "%*s", (int)blanks, "");
    buf_add_span(out, s);
    if (!right)
        buf_addf(out, "%*s", (int)blanks, "");
}

static void end_line(struct buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
}

static void add_row(struct buf *out, const struct report_table *t, const size_t *widths,
                    const size_t *row)
{
    struct buf scratch = {0};

    for (size_t i = 0; i < t->n_columns; i++) {
        buf_reset(&scratch);
        if (row == NULL)
            buf_add_span(&scratch, t->columns[i].title);
        else
            cell_for_people(&scratch, report_cell_at(t, *row, i), t->columns[i].kind);
        if (row != NULL && !report_cell_at(t, *row, i)->present)
            buf_add_char(&scratch, '-');
        if (i > 0)
            buf_add_text(out, "  ");
        add_padded(out, buf_span(&scratch), widths[i], kind_is_number(t->columns[i].kind));
    }
    end_line(out);
    buf_clear(&scratch);
}

/* Words in lines that are not too long. */
static void add_wrapped(struct buf *out, struct span text)
{
    size_t width = 0;
    struct span word;

    while (span_cut(&text, ' ', &word)) {
        if (width > 0 && width + 1 + width_of(word) > LINE_WIDTH) {
            buf_add_char(out, '\n');
            width = 0;
        }
        if (width > 0)
            buf_add_char(out, ' ');
        buf_add_span(out, word);
        width += width_of(word) + (width > 0);
    }
    buf_add_char(out, '\n');
}

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];
    size_t *widths = mem_zero(t->n_columns + 1, sizeof *widths);
    struct buf scratch = {0};

    for (size_t k = 0; k < t->n_columns; k++)
        widths[k] = column_width(t, k, &scratch);
    if (i > 0)
        buf_add_char(out, '\n');
    buf_add_span(out, t->title);
    buf_addf(out, " (%s)\n\n", t->id);
    add_row(out, t, widths, NULL);
    for (size_t row = 0; row < report_rows(t); row++)
        add_row(out, t, widths, &row);
    if (t->note.len > 0) {
        buf_add_char(out, '\n');
        add_wrapped(out, t->note);
    }
    buf_clear(&scratch);
    mem_free(widths);
}

const struct renderer render_text = {NULL, add_table, NULL};
