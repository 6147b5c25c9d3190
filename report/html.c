/* html: one page that needs nothing beside it. */
#include "report/render.h"

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>ppmine: tables</title>\n"
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto;\n"
    "       padding: 0 1rem; }\n"
    "section { margin: 0 0 3rem; overflow-x: auto; }\n"
    "table { border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid; }\n"
    "caption { text-align: left; font-weight: 600; padding: 0 0 .5rem; white-space: nowrap; }\n"
    "th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }\n"
    "th { font-weight: 600; }\n"
    "thead th { border-bottom: 1px solid; }\n"
    "tbody th { font-weight: normal; }\n"
    ".n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
    "tbody tr:hover { background: #8882; }\n"
    "p { max-width: 45rem; font-size: .875rem; }\n"
    "nav ul { columns: 18rem; padding-left: 1.2rem; }\n"
    "</style>\n"
    "</head>\n"
    "<body>\n";

static void add_escaped(struct buf *out, struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        switch (s.ptr[i]) {
        case '&':
            buf_add_text(out, "&amp;");
            break;
        case '<':
            buf_add_text(out, "&lt;");
            break;
        case '>':
            buf_add_text(out, "&gt;");
            break;
        case '"':
            buf_add_text(out, "&quot;");
            break;
        case '\'':
            buf_add_text(out, "&#39;");
            break;
        default:
            buf_add_char(out, s.ptr[i]);
        }
}

static void begin(struct buf *out, const struct report *r)
{
    buf_add_text(out, head);
    if (r->n_tables < 2)
        return;
    buf_add_text(out, "<nav><ul>\n");
    for (size_t i = 0; i < r->n_tables; i++) {
        buf_addf(out, "<li><a href=\"#%s\">", r->tables[i]->id);
        add_escaped(out, r->tables[i]->title);
        buf_add_text(out, "</a></li>\n");
    }
    buf_add_text(out, "</ul></nav>\n");
}

static void add_cell(struct buf *out, const struct report_table *t, size_t row, size_t column)
{
    struct buf cell = {0};
    bool heads_row = column == 0 && t->columns[0].kind == REPORT_TEXT;

    cell_for_people(&cell, report_cell_at(t, row, column), t->columns[column].kind);
    if (heads_row)
        buf_add_text(out, "<th scope=\"row\">");
    else
        buf_add_text(out, kind_is_number(t->columns[column].kind) ? "<td class=\"n\">" : "<td>");
    if (!report_cell_at(t, row, column)->present)
        buf_add_text(out, "–");
    add_escaped(out, buf_span(&cell));
    buf_add_text(out, heads_row ? "</th>" : "</td>");
    buf_clear(&cell);
}

static void add_table(struct buf *out, const struct report *r, size_t i)
{
    const struct report_table *t = r->tables[i];

    buf_addf(out, "<section id=\"%s\">\n<table>\n<caption>", t->id);
    add_escaped(out, t->title);
    buf_add_text(out, "</caption>\n<thead><tr>");
    for (size_t k = 0; k < t->n_columns; k++) {
        buf_addf(out, "<th scope=\"col\"%s>",
                 kind_is_number(t->columns[k].kind) ? " class=\"n\"" : "");
        add_escaped(out, t->columns[k].title);
        buf_add_text(out, "</th>");
    }
    buf_add_text(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < report_rows(t); row++) {
        buf_add_text(out, "<tr>");
        for (size_t k = 0; k < t->n_columns; k++)
            add_cell(out, t, row, k);
        buf_add_text(out, "</tr>\n");
    }
    buf_add_text(out, "</tbody>\n</table>\n");
    if (t->note.len > 0) {
        buf_add_text(out, "<p>");
        add_escaped(out, t->note);
        buf_add_text(out, "</p>\n");
    }
    buf_add_text(out, "</section>\n");
}

static void end(struct buf *out, const struct report *r)
{
    (void)r;
    buf_add_text(out, "</body>\n</html>\n");
}

const struct renderer render_html = {begin, add_table, end};
