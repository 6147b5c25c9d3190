/* figures: agreement of coders and results of the study, as tables; each as a file too. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdio.h>

#include "report/report.h"
#include "web/site.h"

enum { RESAMPLES = 2000, SEED = 1 }; /* as ppmine agree has them: the same figures */

static const double confidence = 0.95;

/* --- agreement --- */

static enum status MUST_USE fill_agreement(struct visit *v, struct table_list *tables,
                                           struct err *e)
{
    struct report_ratings *ratings = mem_zero(FACETS_MAX, sizeof *ratings);
    static const struct report_agreement wanted = {
        .resamples = RESAMPLES, .seed = SEED, .confusion = true, .per_code = true,
        .disagreements = false,
    };
    const struct report_rated rated = {0};
    const struct facets *facets = NULL;
    size_t n_spelled[FACETS_MAX] = {0};
    enum status status = db_facets(v->worker->db, &facets, e);

    if (status == ST_OK)
        status = report_ratings_load(ratings, v->worker->db, 0, facets->n, &rated, n_spelled, e);
    if (status == ST_OK && !report_agree(tables, ratings, facets->n, &wanted))
        status = ST_NO;
    for (size_t i = 0; i < FACETS_MAX; i++)
        report_ratings_clear(&ratings[i]);
    mem_free(ratings);
    return status;
}

static void add_tables(struct visit *v, const struct table_list *tables, bool files)
{
    static const char *const formats[] = {"csv", "json", "markdown", "latex"};

    for (size_t i = 0; i < tables->n; i++) {
        table_add_html(v->out, tables->tables[i]);
        if (!files)
            continue;
        buf_add_text(v->out, "<p class=\"files\">");
        for (size_t k = 0; k < ARRAY_LEN(formats); k++) {
            page_text(v->out, "<a href=\"/results/", span_of(tables->tables[i]->id), "");
            buf_addf(v->out, ".%s\">%s</a> ", formats[k], formats[k]);
        }
        buf_add_text(v->out, "</p>\n");
    }
}

void agreement_page(struct visit *v)
{
    struct table_list tables = {0};

    if (!settling_must_be_open(v, "Agreement", "agreement"))
        return;
    enum status status = fill_agreement(v, &tables, &v->error);
    if (status == ST_OK || status == ST_NO) {
        page_begin(v, "Agreement", "agreement");
        if (status == ST_NO)
            buf_add_text(v->out, "<p>Nothing was coded by two coders.</p>\n");
        add_tables(v, &tables, false);
        page_end(v);
    } else {
        answer_fault(v, status);
    }
    table_list_clear(&tables);
}

/* --- results --- */

/* The tables of the study, or the one of this id; ST_NO without any problem. */
static enum status MUST_USE fill_results(struct visit *v, const char *id,
                                         struct table_list *tables, struct err *e)
{
    struct report_data data = {0};
    struct report_plan plan = {.n = 0};
    const struct report_wanted wanted = {
        .questions = ~0U, .confidence = confidence, .seed = SEED, .table = id,
    };
    enum status status = report_data_load(&data, v->worker->db, e);

    if (status == ST_OK)
        status = report_plan_of_db(&plan, v->worker->db, e);
    if (status == ST_OK && data.n_problems == 0)
        status = ST_NO;
    if (status == ST_OK)
        report_study(tables, &data, &plan, &wanted);
    report_plan_clear(&plan);
    report_data_clear(&data);
    return status;
}

void results_page(struct visit *v)
{
    struct table_list tables = {0};

    if (!settling_must_be_open(v, "Results", "results"))
        return;
    enum status status = fill_results(v, NULL, &tables, &v->error);
    if (status == ST_OK || status == ST_NO) {
        page_begin(v, "Results", "results");
        if (status == ST_NO)
            buf_add_text(v->out, "<p>No problem is settled yet.</p>\n");
        add_tables(v, &tables, true);
        page_end(v);
    } else {
        answer_fault(v, status);
    }
    table_list_clear(&tables);
}

static void print_file(struct visit *v, const struct table *t, enum table_format format)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&bytes, &n);
    struct table_output out = {.format = format, .file = file};

    if (file == NULL) {
        answer_refuse(v, 500, "no memory");
        return;
    }
    table_print(t, &out);
    bool done = fclose(file) == 0;
    answer_begin(v, 200, format == TABLE_AS_CSV    ? "text/csv; charset=utf-8"
                         : format == TABLE_AS_JSON ? "application/json"
                                                   : "text/plain; charset=utf-8");
    if (done)
        buf_add(v->out, bytes, n);
    else
        answer_refuse(v, 500, "no memory");
    mem_free(bytes);
}

/* "/results/rq1-code.csv". Not as HTML: that is a page with a style of its own. */
void results_file(struct visit *v)
{
    struct span rest = {v->path.ptr + strlen("/results/"), v->path.len - strlen("/results/")}, id;
    struct table_list tables = {0};
    size_t format = 0;

    if (!settling_must_be_open(v, "Results", "results"))
        return;
    bool named = span_cut(&rest, '.', &id);
    while (table_formats[format] != NULL && !span_eq(rest, span_of(table_formats[format])))
        format++;
    enum status status = fill_results(v, NULL, &tables, &v->error);
    const struct table *found = NULL;
    for (size_t i = 0; named && i < tables.n; i++)
        if (span_eq(id, span_of(tables.tables[i]->id)))
            found = tables.tables[i];
    if (status != ST_OK && status != ST_NO)
        answer_fault(v, status);
    else if (found == NULL || table_formats[format] == NULL || format == TABLE_AS_HTML)
        answer_refuse(v, 404, "There is no such table, or no such format.");
    else
        print_file(v, found, (enum table_format)format);
    table_list_clear(&tables);
}
