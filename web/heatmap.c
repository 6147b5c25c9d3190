/* heatmap: a confusion matrix whose cells lead to the problems that are counted in them. */
#include <inttypes.h>

#include "label/label.h"
#include "base/table/table.h"
#include "web/site.h"

enum { SHADES = 5, LISTED_MAX = 200 };

static const char confusion_prefix[] = "confusion-";

bool heatmap_is_one(const struct table *t)
{
    return span_starts(span_of(t->id), span_of(confusion_prefix));
}

static int64_t greatest(const struct table *t)
{
    int64_t most = 1;

    for (size_t row = 0; row < table_rows(t); row++)
        for (size_t column = 1; column < t->n_columns; column++)
            if (table_cell_at(t, row, column)->integer > most)
                most = table_cell_at(t, row, column)->integer;
    return most;
}

/* What both coders gave is no disagreement, and leads nowhere. */
static void add_count(struct buf *out, const struct table *t, size_t pair, size_t row, size_t column, int64_t most)
{
    int64_t n = table_cell_at(t, row, column)->integer;

    buf_addf(out, "<td class=\"n heat-%" PRId64 "\">", n > 0 ? 1 + (n * SHADES - 1) / most : 0);
    if (n > 0 && !span_eq(table_cell_at(t, row, 0)->text, span_of(t->columns[column].name)))
        buf_addf(out, "<a href=\"/agreement?pair=%zu&amp;row=%zu&amp;column=%zu\">%" PRId64 "</a>", pair, row, column,
                 n);
    else
        buf_addf(out, "%" PRId64, n);
    buf_add_text(out, "</td>");
}

void heatmap_add(struct buf *out, const struct table *t, size_t pair)
{
    int64_t most = greatest(t);

    page_text(out, "<section id=\"", span_of(t->id), "\">\n");
    page_text(out, "<table class=\"heat\">\n<caption>", t->title, "</caption>\n<thead><tr>");
    for (size_t column = 0; column < t->n_columns; column++)
        page_text(out, "<th scope=\"col\">", span_of(t->columns[column].name), "</th>");
    buf_add_text(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < table_rows(t); row++) {
        page_text(out, "<tr><th scope=\"row\">", table_cell_at(t, row, 0)->text, "</th>");
        for (size_t column = 1; column < t->n_columns; column++)
            add_count(out, t, pair, row, column, most);
        buf_add_text(out, "</tr>\n");
    }
    buf_add_text(out, "</tbody>\n</table>\n");
    if (t->note.len > 0)
        page_text(out, "<p class=\"note\">", t->note, "</p>\n");
    buf_add_text(out, "</section>\n");
}

/* --- what a cell counts --- */

static const struct table *nth_confusion(const struct table_list *tables, size_t pair)
{
    for (size_t i = 0; i < tables->n; i++)
        if (heatmap_is_one(tables->tables[i]) && pair-- == 0)
            return tables->tables[i];
    return NULL;
}

static const struct table *table_of(const struct table_list *tables, const char *id)
{
    for (size_t i = 0; i < tables->n; i++)
        if (strcmp(tables->tables[i]->id, id) == 0)
            return tables->tables[i];
    return NULL;
}

/* Facet and coders of a row of the list are those of the pair, and its codes those of the cell. */
static bool is_counted(const struct table *list, size_t i, const struct table *pairs, size_t pair, struct span code_a,
                       struct span code_b)
{
    for (size_t column = 0; column < 3; column++)
        if (!span_eq(table_cell_at(list, i, column)->text, table_cell_at(pairs, pair, column)->text))
            return false;
    return span_eq(table_cell_at(list, i, 4)->text, code_a) && span_eq(table_cell_at(list, i, 5)->text, code_b);
}

static void add_subject(struct buf *out, struct span subject)
{
    int64_t post_id;

    if (!problem_id_read(subject, &post_id))
        return;
    buf_addf(out, "<li><a href=\"/code/%" PRId64 "?problem=", post_id);
    page_text(out, "", subject, "\">");
    page_text(out, "", subject, "</a></li>\n");
}

bool heatmap_list(struct buf *out, const struct table_list *tables, size_t pair, size_t row, size_t column)
{
    const struct table *t = nth_confusion(tables, pair), *list = table_of(tables, "disagreements");
    const struct table *pairs = table_of(tables, "agreement");
    size_t n = 0;

    if (t == NULL || list == NULL || pairs == NULL || pair >= table_rows(pairs) || row >= table_rows(t) ||
        column == 0 || column >= t->n_columns)
        return false;
    struct span a = table_cell_at(t, row, 0)->text, b = span_of(t->columns[column].name);
    page_text(out, "<p>", t->title, "</p>\n");
    page_text(out, "<p><strong>", table_cell_at(pairs, pair, 1)->text, "</strong>: ");
    page_text(out, "", a, "; ");
    page_text(out, "<strong>", table_cell_at(pairs, pair, 2)->text, "</strong>: ");
    page_text(out, "", b, "</p>\n<ul>\n");
    for (size_t i = 0; i < table_rows(list); i++)
        if (is_counted(list, i, pairs, pair, a, b) && n++ < LISTED_MAX)
            add_subject(out, table_cell_at(list, i, 3)->text);
    buf_add_text(out, "</ul>\n");
    if (n > LISTED_MAX)
        buf_addf(out, "<p>and %zu more</p>\n", n - LISTED_MAX);
    buf_add_text(out, "<p><a href=\"/agreement\">All figures</a></p>\n");
    return true;
}
