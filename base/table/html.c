/* HTML: one page that needs nothing beside it. */
#include "base/table/render.h"
#include "base/visible.h"

static const char page_head[] =
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

static void escape(struct buf *out, struct span s, void (*add_clean)(struct buf *b, struct span s))
{
    AT_END(buf_clear) struct buf clean = {0};

    add_clean(&clean, s);
    for (size_t i = 0; i < clean.len; i++)
        buf_add_markup(out, clean.ptr[i]);
}

void table_escape_html(struct buf *out, struct span s)
{
    escape(out, s, buf_add_clean);
}

void table_escape_html_lines(struct buf *out, struct span s)
{
    escape(out, s, buf_add_clean_lines);
}

static void begin(struct table_printer *p)
{
    struct buf *out = &p->text;
    size_t n = p->list != NULL ? p->list->n : 1;

    buf_add_text(out, page_head);
    if (n < 2)
        return;
    buf_add_text(out, "<nav><ul>\n");
    for (size_t i = 0; i < n; i++) {
        buf_add_text(out, "<li><a href=\"#");
        add_anchor(out, p->list->tables[i]->id);
        buf_add_text(out, "\">");
        table_escape_html(out, p->list->tables[i]->title);
        buf_add_text(out, "</a></li>\n");
    }
    buf_add_text(out, "</ul></nav>\n");
}

static void head(struct table_printer *p, const struct table *t)
{
    struct buf *out = &p->text;

    buf_add_text(out, "<section id=\"");
    add_anchor(out, t->id);
    buf_add_text(out, "\">\n<table>\n<caption>");
    table_escape_html(out, t->title);
    buf_add_text(out, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < t->n_columns; i++) {
        bool number = table_kind_is_number(t->columns[i].kind);
        buf_addf(out, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
        table_escape_html(out, title_of(&t->columns[i]));
        buf_add_text(out, "</th>");
    }
    buf_add_text(out, "</tr></thead>\n<tbody>\n");
}

static void row_of(struct table_printer *p, const struct table *t, size_t row)
{
    buf_add_text(&p->text, "<tr>");
    for (size_t i = 0; i < t->n_columns; i++) {
        bool heads_row = i == 0 && t->columns[0].kind == TABLE_TEXT;
        bool number = table_kind_is_number(t->columns[i].kind);

        buf_add_text(&p->text, heads_row ? "<th scope=\"row\">" : number ? "<td class=\"n\">" : "<td>");
        AT_END(buf_clear) struct buf href = {0};

        if (p->links != NULL)
            p->links->href(p->links->ctx, t, row, i, &href);
        bool linked = href.len > 0;
        if (linked) {
            buf_add_text(&p->text, "<a href=\"");
            table_escape_html(&p->text, buf_span(&href));
            buf_add_text(&p->text, "\">");
        }
        if (cell_is_present(t, row, i))
            table_escape_html(&p->text, cell_for_people(p, t, row, i));
        else
            buf_add_text(&p->text, "–");
        buf_add_text(&p->text, linked ? "</a>" : "");
        buf_add_text(&p->text, heads_row ? "</th>" : "</td>");
    }
    buf_add_text(&p->text, "</tr>\n");
}

static void foot(struct table_printer *p, const struct table *t)
{
    buf_add_text(&p->text, "</tbody>\n</table>\n");
    if (t->note.len > 0) {
        buf_add_text(&p->text, "<p>");
        table_escape_html(&p->text, t->note);
        buf_add_text(&p->text, "</p>\n");
    }
    buf_add_text(&p->text, "</section>\n");
}

static void end(struct table_printer *p)
{
    buf_add_text(&p->text, "</body>\n</html>\n");
}

const struct renderer render_html = {
    .people = true, .begin = begin, .head = head, .row = row_of, .foot = foot, .end = end};
