/* results: the study's tables, in all or by group; each count leads to its problems. */
#include "db/posts.h"
#include "report/report.h"
#include "web/figures.h"

enum { SEED = 1, LISTED_MAX = 500 }; /* the seed of ppmine stats: the same figures */

static const double confidence = 0.95;

/* What a page of results is made of. */
struct results {
    struct figures figures;
    struct report_data data;
    struct report_plan plan;
    struct table_links links;
    enum report_by by;
};

/* --- reading --- */

/* With all tables, or the one of that id. ST_NO without any problem. results_clear in any case. */
static enum status MUST_USE fill(struct results *r, struct visit *v, const char *id, struct err *e)
{
    *r = (struct results){.figures = {.v = v, .path = "/results"}, .by = REPORT_BY_NOTHING};
    for (size_t i = 0; report_by_names[i] != NULL; i++)
        if (span_eq(field_of(&v->query, "by"), span_of(report_by_names[i])))
            r->by = (enum report_by)(i + 1);
    /* clang-format off */
    const struct report_wanted wanted = {
        .questions = ~0U, .confidence = confidence, .seed = SEED, .by = r->by,
        .table = id,
    };
    /* clang-format on */
    enum status status = report_data_load(&r->data, v->worker->db, e);

    THEN(status, report_plan_of_db(&r->plan, v->worker->db, e));
    if (status == ST_OK && r->data.n_problems == 0)
        status = ST_NO;
    if (status == ST_OK)
        report_study(&r->figures.tables, &r->data, &r->plan, &wanted);
    return status;
}

static void results_clear(struct results *r)
{
    report_plan_clear(&r->plan);
    report_data_clear(&r->data);
    table_list_clear(&r->figures.tables);
}

static void add_query(const struct results *r, struct buf *out)
{
    if (r->by != REPORT_BY_NOTHING)
        buf_addf(out, "by=%s", report_by_names[r->by - 1]);
}

/* --- the page --- */

/* The results of a test lead to the table that is tested, on the same page. */
static bool link_test(const struct results *r, const struct table *t, size_t row, size_t column, struct buf *out)
{
    bool without_unknown, is_test = false;

    for (size_t i = 0; i < r->plan.n; i++)
        is_test |= r->plan.items[i].kind == REPORT_TESTS && strcmp(r->plan.items[i].id, t->id) == 0;
    if (!is_test || strcmp(t->columns[column].name, "n") == 0)
        return false;
    const struct report_statistic *tested = report_tested(&r->data, &r->plan, row, &without_unknown);
    if (column == 0 && tested != NULL)
        buf_addf(out, "#%s", tested->id);
    return tested != NULL;
}

static void link_cell(void *ctx, const struct table *t, size_t row, size_t column, struct buf *out)
{
    const struct results *r = ctx;
    const struct table_cell *cell = table_cell_at(t, row, column);
    struct report_cell found;

    if (link_test(r, t, row, column, out) || cell->is != TABLE_IS_INT || cell->integer == 0 ||
        !report_cell_find(&found, &r->data, &r->plan, r->by, t, row, span_of(t->columns[column].name)))
        return;
    buf_addf(out, "/results/problems?table=%s&row=%zu&column=", t->id, row);
    page_encoded(out, span_of(t->columns[column].name));
    buf_add_text(out, r->by != REPORT_BY_NOTHING ? "&" : "");
    add_query(r, out);
}

enum status results_page(struct visit *v)
{
    AT_END(buf_clear) struct buf query = {0};
    AT_END(results_clear) struct results r;
    enum status status = fill(&r, v, NULL, &v->error);
    bool any = status == ST_OK;

    if (!any && status != ST_NO)
        return status;
    add_query(&r, &query);
    r.links = (struct table_links){link_cell, &r};
    r.figures.links = &r.links;
    r.figures.query = buf_span(&query);
    page_begin(v, "Results", "results");
    buf_add_text(v->out, "<nav aria-label=\"Groups\">\n");
    for (size_t i = 0; i == 0 || report_by_names[i - 1] != NULL; i++)
        buf_addf(v->out, "<a href=\"/results%s%s\"%s>%s%s</a>\n", i > 0 ? "?by=" : "",
                 i > 0 ? report_by_names[i - 1] : "", i == (size_t)r.by ? " aria-current=\"true\"" : "",
                 i > 0 ? "by " : "all", i > 0 ? report_by_names[i - 1] : "");
    buf_add_text(v->out, "</nav>\n");
    status = figures_add_settled(v, &r.data);
    html(v->out, any ? SPAN("results") : SPAN("no-results"));
    for (size_t i = 0; i < r.figures.tables.n; i++)
        figures_add(&r.figures, r.figures.tables.tables[i]);
    figures_add_charts(v);
    page_end(v);
    return status;
}

/* --- the problems of a count --- */

struct listing {
    struct visit *v;
    size_t n, n_posts;
    int64_t last;
    enum status status;
};

static void add_problem(void *ctx, struct span problem_id, int64_t post_id)
{
    struct listing *l = ctx;
    AT_END(buf_clear) struct buf title = {0};

    l->n_posts += l->n == 0 || l->last != post_id;
    l->last = post_id;
    if (l->status != ST_OK || l->n++ >= LISTED_MAX)
        return;
    l->status = db_post_title(l->v->worker->db, post_id, &title, &l->v->error);
    if (page_subject(l->v->out, "<tr><td>", problem_id, "</td><td>"))
        page_text(l->v->out, "", buf_span(&title), "</td></tr>\n");
}

static enum status MUST_USE list_problems(struct results *r, const struct table *t, size_t row)
{
    struct visit *v = r->figures.v;
    struct listing l = {.v = v};
    struct report_cell cell;

    if (!report_cell_find(&cell, &r->data, &r->plan, r->by, t, row, field_of(&v->query, "column")))
        return answer_refuse(v, 404, "This number is not a count.");
    page_begin(v, "What is counted", "results");
    page_text(v->out, "<p>", t->title, "</p>\n<p><strong>");
    for (size_t i = 0; i < t->n_columns; i++)
        if (table_cell_at(t, row, i)->is == TABLE_IS_TEXT)
            page_text(v->out, i > 0 ? ", " : "", table_cell_at(t, row, i)->text, "");
    page_text(v->out, "</strong>; ", cell.column, "</p>\n");
    page_table(v->out, "Of;Title");
    report_cell_each(&r->data, &cell, add_problem, &l);
    buf_addf(v->out, "</tbody></table>\n<p>%zu %s in %zu posts%s.</p>\n", l.n,
             r->data.called.len > 0 ? r->data.called.ptr : "problems", l.n_posts,
             l.n > LISTED_MAX ? ", the first ones of which are shown" : "");
    if (span_eq(cell.column, SPAN("labels")))
        buf_add_text(v->out, "<p>The figure counts labels; each of these may have several.</p>\n");
    buf_add_text(v->out, "<p><a href=\"/results\">All figures</a></p>\n");
    page_end(v);
    return l.status;
}

/* "/results/problems?…", "/results/rq1-code.csv" */
enum status results_file(struct visit *v)
{
    struct span rest = web_rest(v, "/results/"), id = {0};
    bool lists = span_eq(rest, SPAN("problems"));
    uint64_t row;
    AT_END(results_clear) struct results r;

    if (lists)
        id = field_of(&v->query, "table");
    else if (!span_cut(&rest, '.', &id))
        id = (struct span){0};
    enum status status = fill(&r, v, arena_text(&v->arena, id), &v->error);
    if (status != ST_OK && status != ST_NO)
        return status;
    if (!lists)
        return figures_send(&r.figures);
    for (size_t i = 0; i < r.figures.tables.n; i++) {
        const struct table *t = r.figures.tables.tables[i];
        if (span_eq(id, span_of(t->id)) && span_u64(field_of(&v->query, "row"), UINT32_MAX, &row) &&
            row < table_rows(t))
            return list_problems(&r, t, (size_t)row);
    }
    return answer_refuse(v, 404, "There is no such table or row.");
}
