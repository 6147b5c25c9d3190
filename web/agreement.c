/* agreement: how far coders agree, with the posts on which they do not. */
#include <stdlib.h>

#include "report/report.h"
#include "web/figures.h"

enum { LISTED_MAX = 200, COLUMNS_MAX = 64 };

/* ST_NO when no two coders coded anything in common. */
static enum status MUST_USE fill(struct visit *v, const struct report_agreement *wanted, struct table_list *tables,
                                 struct err *e)
{
    const struct report_rated rated = {.times = wanted->segments};
    bool common = false;
    enum status status = report_agree_load(tables, v->worker->db, &rated, wanted, &common, e);

    return status == ST_OK && !common ? ST_NO : status;
}

/* --- a cell of a confusion matrix --- */

static bool is_confusion(const struct table *t)
{
    return span_starts(span_of(t->id), SPAN("confusion-"));
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

/* The nth table, from 0, whose id begins with these words; NULL: fewer do. */
static const struct table *nth_table(const struct table_list *tables, const char *words, size_t nth)
{
    for (size_t i = 0; i < tables->n; i++)
        if (span_starts(span_of(tables->tables[i]->id), span_of(words)) && nth-- == 0)
            return tables->tables[i];
    return NULL;
}

static bool read_place(const struct visit *v, const char *name, size_t *out)
{
    uint64_t value;
    bool read = span_u64(field_of(&v->query, name), UINT16_MAX, &value);

    *out = read ? (size_t)value : 0;
    return read;
}

/* The problems that a cell of a confusion matrix counts. */
static enum status MUST_USE show_cell(struct visit *v)
{
    static const struct report_agreement wanted = {.confusion = true, .disagreements = true};
    AT_END(table_list_clear) struct table_list tables = {0};
    size_t pair, row, column, n = 0;
    bool known = read_place(v, "pair", &pair) && read_place(v, "row", &row) && read_place(v, "column", &column);
    enum status status = fill(v, &wanted, &tables, &v->error);

    if (status != ST_OK && status != ST_NO)
        return status;
    const struct table *t = nth_table(&tables, "confusion-", pair), *list = nth_table(&tables, "disagreements", 0);
    const struct table *pairs = nth_table(&tables, "agreement", 0);
    if (!known || t == NULL || list == NULL || pairs == NULL || pair >= table_rows(pairs) || row >= table_rows(t) ||
        column == 0 || column >= t->n_columns)
        return answer_refuse(v, 404, "There is no such cell.");
    struct span a = table_cell_at(t, row, 0)->text, b = span_of(t->columns[column].name);
    page_begin(v, "Where two coders disagree", "agreement");
    html(v->out, SPAN("cell"), t->title, table_cell_at(pairs, pair, 1)->text, a, table_cell_at(pairs, pair, 2)->text,
         b);
    for (size_t i = 0; i < table_rows(list); i++)
        if (is_counted(list, i, pairs, pair, a, b) && n++ < LISTED_MAX)
            (void)page_subject(v->out, "<li>", table_cell_at(list, i, 3)->text, "</li>\n");
    buf_add_text(v->out, "</ul>\n");
    if (n > LISTED_MAX)
        buf_addf(v->out, "<p>and %zu more</p>\n", n - LISTED_MAX);
    buf_add_text(v->out, "<p><a href=\"/agreement\">All figures</a></p>\n");
    page_end(v);
    return ST_OK;
}

/* --- all figures --- */

/* What both coders gave is not a disagreement, and leads nowhere. */
static void link_cell(void *ctx, const struct table *t, size_t row, size_t column, struct buf *out)
{
    const struct figures *f = ctx;
    size_t pair = 0;

    if (!is_confusion(t) || column == 0 || table_cell_at(t, row, column)->integer == 0 ||
        span_eq(table_cell_at(t, row, 0)->text, span_of(t->columns[column].name)))
        return;
    for (size_t i = 0; i < f->tables.n && strcmp(f->tables.tables[i]->id, t->id) != 0; i++)
        pair += is_confusion(f->tables.tables[i]);
    buf_addf(out, "/agreement?pair=%zu&row=%zu&column=%zu", pair, row, column);
}

struct cell {
    size_t row, column;
    int64_t n;
};

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row) : (x->column > y->column) - (x->column < y->column);
}

/* A matrix that is wider than any screen: the cells where coders differ, those of most posts first. */
static void add_folded(struct figures *f, const struct table *t)
{
    struct buf *out = f->v->out;
    AT_END(array_end) struct ARRAY_OF(struct cell) cells = {0};

    for (size_t row = 0; row < table_rows(t); row++)
        for (size_t column = 1; column < t->n_columns; column++) {
            int64_t n = table_cell_at(t, row, column)->integer;
            if (n > 0 && !span_eq(table_cell_at(t, row, 0)->text, span_of(t->columns[column].name)))
                array_add(&cells, (struct cell){row, column, n});
        }
    if (cells.n > 0)
        qsort(cells.at, cells.n, sizeof *cells.at, compare_cells);
    page_text(out, "<h2>", t->title, "</h2>\n");
    page_table(out, "Row;Column;n");
    for (size_t i = 0; i < cells.n && i < LISTED_MAX; i++) {
        const struct cell *c = &cells.at[i];
        AT_END(buf_clear) struct buf link = {0};
        link_cell(f, t, c->row, c->column, &link);
        html(out, SPAN("folded"), table_cell_at(t, c->row, 0)->text, span_of(t->columns[c->column].name),
             buf_span(&link), html_number(f->v, c->n));
    }
    buf_addf(out, "</tbody></table>\n<p>%zu ways to differ, of %zu by %zu%s.</p>\n", cells.n, table_rows(t),
             t->n_columns - 1, cells.n > LISTED_MAX ? "; the most frequent are shown, the files have all" : "");
    figures_add_files(f, t);
}

enum status agreement_page(struct visit *v)
{
    if (field_of(&v->query, "pair").len > 0)
        return show_cell(v);
    AT_END(figures_clear) struct figures f = {.v = v, .path = "/agreement"};
    const struct table_links links = {link_cell, &f};
    const bool all = v->path.len == strlen(f.path); /* or the file of one table */
    const struct report_agreement wanted = {
        .confusion = all || span_starts(v->path, SPAN("/agreement/confusion-")),
        .per_code = all || span_starts(v->path, SPAN("/agreement/per-code.")),
        .segments = all || span_starts(v->path, SPAN("/agreement/segmentation.")) ||
                    span_starts(v->path, SPAN("/agreement/drift.")),
    };
    enum status status = fill(v, &wanted, &f.tables, &v->error);

    if (status != ST_OK && status != ST_NO)
        return status;
    if (!all)
        return figures_send(&f);
    page_begin(v, "Agreement", "agreement");
    bool any = status == ST_OK;
    status = figures_add_settled(v, NULL);
    if (!any)
        buf_add_text(v->out, "<p>No post was coded by two coders.</p>\n");
    f.links = &links;
    for (size_t i = 0; i < f.tables.n; i++)
        if (is_confusion(f.tables.tables[i]) && f.tables.tables[i]->n_columns > COLUMNS_MAX)
            add_folded(&f, f.tables.tables[i]);
        else if (table_rows(f.tables.tables[i]) > 0)
            figures_add(&f, f.tables.tables[i]);
    figures_add_charts(v);
    page_end(v);
    return status;
}
