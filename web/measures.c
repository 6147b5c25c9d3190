/* measures: the benchmark's results, and what became of the findings of check, as tables. */
#include "check/campaign/findings.h"
#include "report/report.h"
#include "bench/store/store.h"
#include "web/figures.h"

enum { FINDINGS_MAX = 500 }; /* on a page */

static const double confidence = 0.95;

/* --- benchmark --- */

/* A case is a problem of a post. */
static void link_case(void *ctx, const struct table *t, size_t row, size_t column, struct buf *out)
{
    const struct table_cell *cell = table_cell_at(t, row, column);
    char id[POST_ID_TEXT_SIZE];
    int64_t post_id;

    (void)ctx;
    if (strcmp(t->columns[column].name, "problem_id") == 0 && cell->is == TABLE_IS_TEXT &&
        problem_id_read(cell->text, &post_id))
        buf_addf(out, "/code/%s?problem=%.*s", post_id_text(post_id, id), (int)cell->text.len, cell->text.ptr);
}

static enum status MUST_USE fill_benchmark(struct visit *v, struct table_list *tables, struct err *e)
{
    const struct bench_results_wanted wanted = {.db_path = v->web->options.db_path};
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    AT_END(bench_study_clear) struct bench_study study = {0};
    AT_END(bench_results_clear) struct bench_results results = {0};
    AT_END(buf_clear) struct buf path = {0};

    bench_data_path(&path, "cases");
    enum status status = bench_cases_load(&cases, buf_cstr(&path), e);
    if (status == ST_IO) /* they are not installed */
        status = ST_NO;
    THEN(status, bench_study_load(&study, e));
    THEN(status, bench_results_load(&results, &cases, &wanted, &v->worker->db, e));
    if (status == ST_OK)
        bench_report(tables, &cases, &study, &results);
    return status;
}

/* --- campaign --- */

static enum status MUST_USE fill_campaign(struct visit *v, struct table_list *tables, struct err *e)
{
    return report_campaign(tables, v->worker->db, NULL, confidence, e);
}

/* A project or rule leads to its findings. */
static void link_findings(void *ctx, const struct table *t, size_t row, size_t column, struct buf *out)
{
    const struct table_cell *name = table_cell_at(t, row, 0);
    const char *by = t->columns[0].name, *seen = t->columns[column].name;

    (void)ctx;
    if ((strcmp(by, "project") != 0 && strcmp(by, "rule") != 0) || name->is != TABLE_IS_TEXT ||
        (strcmp(seen, "findings") != 0 && strcmp(seen, "gone") != 0) || table_cell_at(t, row, column)->integer == 0)
        return;
    buf_addf(out, "/campaign/findings?%s=", by);
    page_encoded(out, name->text);
    buf_add_text(out, strcmp(seen, "gone") == 0 ? "&seen=gone" : "");
}

struct listing {
    struct visit *v;
    struct buf *out;
    size_t n;
};

static void add_finding(void *ctx, const struct db_finding *f)
{
    struct listing *l = ctx;

    if (l->n++ >= FINDINGS_MAX)
        return;
    html(l->out, SPAN("finding"), f->finding_id, f->project, f->rule, f->file, html_number(l->v, f->line), f->message,
         f->seen, f->state);
}

enum status campaign_findings(struct visit *v)
{
    const struct db_finding_query query = {.project = field_text(&v->query, "project"),
                                           .rule = field_text(&v->query, "rule"),
                                           .seen = field_text(&v->query, "seen")};
    struct listing l = {.v = v, .out = v->out};

    page_begin(v, "Findings", "campaign");
    page_table(v->out, "Finding;Project;Rule;Place;Message;Seen;State");
    enum status status = db_finding_each(v->worker->db, &query, add_finding, &l, &v->error);
    buf_addf(v->out, "</tbody></table>\n<p>%zu findings%s.</p>\n", l.n,
             l.n > FINDINGS_MAX ? ", the first ones of which are shown" : "");
    buf_add_text(v->out, "<p><a href=\"/campaign\">All figures</a></p>\n");
    page_end(v);
    return status;
}

/* --- both --- */

static const struct measure {
    const char *path, *name, *title, *none;
    enum status (*fill)(struct visit *v, struct table_list *tables, struct err *e);
    struct table_links links;
} benchmark = {"/benchmark",
               "benchmark",
               "Benchmark",
               "<p>There are no cases where this server runs: they are in <code>bench/cases</code>, or"
               " installed.</p>\n",
               fill_benchmark,
               {link_case, NULL}},
  campaign = {"/campaign",   "campaign",
              "Campaign",    "<p>No project was checked yet: <code>ppmine check -d FILE</code>.</p>\n",
              fill_campaign, {link_findings, NULL}};

static enum status MUST_USE show(struct visit *v, const struct measure *m)
{
    AT_END(figures_clear) struct figures f = {.v = v, .path = m->path, .links = &m->links};
    enum status status = m->fill(v, &f.tables, &v->error);
    bool any = false;

    if (status != ST_OK && status != ST_NO)
        return status;
    if (v->path.len > strlen(m->path))
        return figures_send(&f);
    page_begin(v, m->title, m->name);
    for (size_t i = 0; i < f.tables.n; i++)
        any |= table_rows(f.tables.tables[i]) > 0;
    if (!any)
        buf_add_text(v->out, m->none);
    for (size_t i = 0; i < f.tables.n; i++)
        figures_add(&f, f.tables.tables[i]);
    page_end(v);
    return ST_OK;
}

enum status benchmark_page(struct visit *v)
{
    return show(v, &benchmark);
}

enum status campaign_page(struct visit *v)
{
    return show(v, &campaign);
}
