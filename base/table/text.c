/* Text: aligned columns, for reading. */
#include "base/table/render.h"
#include "base/visible.h"

enum { LINE_WIDTH = 100 };

/* What heads the column. Of a plain table it is the name that programs see as well. */
static struct span heading(struct table_printer *p, const struct table *t, size_t column)
{
    const struct table_column *c = &t->columns[column];

    buf_reset(&p->cell);
    buf_add_clean(&p->cell, p->plain ? span_of(c->name) : title_of(c));
    return buf_span(&p->cell);
}

static void add_cell(struct table_printer *p, const struct table *t, size_t column, struct span s)
{
    size_t width = p->widths[column];
    bool right = table_kind_is_number(t->columns[column].kind);

    if (column > 0)
        buf_add_text(&p->text, "  ");
    if (text_width(s) <= width) {
        buf_add_padded(&p->text, s, width, right);
        return;
    }
    size_t taken;
    buf_add_span(&p->text, text_cut(s, width - 1, &taken));
    buf_add_text(&p->text, "…");
    for (; taken + 1 < width; taken++) /* no room for the half of a wide character */
        buf_add_char(&p->text, ' ');
}

static void end_line(struct buf *out)
{
    while (out->len > 0 && out->ptr[out->len - 1] == ' ')
        out->len--;
    buf_add_char(out, '\n');
}

static void head(struct table_printer *p, const struct table *t)
{
    p->widths = mem_zero(t->n_columns + 1, sizeof *p->widths);
    for (size_t i = 0; i < t->n_columns; i++) {
        size_t most = p->plain ? t->columns[i].max_width : 0, width = text_width(heading(p, t, i));
        for (size_t row = 0; row < table_rows(t); row++) {
            size_t w = text_width(cell_for_people(p, t, row, i));
            width = w > width ? w : width;
        }
        p->widths[i] = most > 0 && width > most ? most : width;
    }
    if (!p->plain) {
        buf_add_text(&p->text, p->n_tables > 0 ? "\n" : "");
        buf_reset(&p->cell);
        buf_add_clean(&p->cell, t->title);
        buf_add_text(&p->cell, " (");
        buf_add_clean(&p->cell, span_of(t->id));
        buf_add_char(&p->cell, ')');
        buf_add_wrapped(&p->text, buf_span(&p->cell), 0, LINE_WIDTH);
        buf_add_char(&p->text, '\n');
    }
    for (size_t i = 0; i < t->n_columns; i++)
        add_cell(p, t, i, heading(p, t, i));
    end_line(&p->text);
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        struct span s = cell_for_people(p, t, row, i);
        add_cell(p, t, i, p->plain || cell_is_present(t, row, i) ? s : SPAN("-"));
    }
    end_line(&p->text);
}

static void foot(struct table_printer *p, const struct table *t)
{
    if (p->plain || t->note.len == 0)
        return;
    buf_reset(&p->cell);
    buf_add_clean(&p->cell, t->note);
    buf_add_char(&p->text, '\n');
    buf_add_wrapped(&p->text, buf_span(&p->cell), 0, LINE_WIDTH);
}

const struct renderer render_text = {.people = true, .head = head, .row = row_of, .foot = foot};
