/* Markdown: tables as GitHub, pandoc and Jupyter read them. */
#include "base/table/render.h"
#include "base/visible.h"

void table_escape_markdown(struct buf *out, struct span s)
{
    AT_END(buf_clear) struct buf clean = {0};

    buf_add_clean(&clean, s);
    for (size_t i = 0; i < clean.len; i++) {
        /* A backslash before ASCII punctuation is always that punctuation (CommonMark 2.4). */
        static const char special[] = "\\`*_[]|~#>$^@";

        if (clean.ptr[i] == '&')
            buf_add_text(out, "&amp;");
        else if (clean.ptr[i] == '<')
            buf_add_text(out, "&lt;");
        else if (strchr(special, clean.ptr[i]) != NULL)
            buf_addf(out, "\\%c", clean.ptr[i]);
        else
            buf_add_char(out, clean.ptr[i]);
    }
}

static void add_cell(struct buf *out, struct span s)
{
    buf_add_char(out, ' ');
    table_escape_markdown(out, s);
    buf_add_text(out, " |");
}

static void head(struct table_printer *p, const struct table *t)
{
    struct buf *out = &p->text;

    if (t->title.len > 0) {
        buf_add_text(out, p->n_tables > 0 ? "\n### " : "### ");
        table_escape_markdown(out, t->title);
        buf_add_text(out, "\n\n");
    }
    buf_add_char(out, '|');
    for (size_t i = 0; i < t->n_columns; i++)
        add_cell(out, title_of(&t->columns[i]));
    buf_add_text(out, "\n|");
    for (size_t i = 0; i < t->n_columns; i++)
        buf_add_text(out, table_kind_is_number(t->columns[i].kind) ? "---:|" : "---|");
    buf_add_char(out, '\n');
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    buf_add_char(&p->text, '|');
    for (size_t i = 0; i < t->n_columns; i++)
        add_cell(&p->text, cell_for_people(p, t, row, i));
    buf_add_char(&p->text, '\n');
}

static void foot(struct table_printer *p, const struct table *t)
{
    if (t->note.len == 0)
        return;
    buf_add_char(&p->text, '\n');
    table_escape_markdown(&p->text, t->note);
    buf_add_char(&p->text, '\n');
}

const struct renderer render_markdown = {.people = true, .head = head, .row = row_of, .foot = foot};
