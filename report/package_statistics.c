/* package_statistics: the numbers of a package, as `stats` and `agree --all` print them. */
#include "base/log.h"
#include "label/coding/disputes.h"
#include "label/facet_table.h"
#include "report/package.h"

static enum status write_report(const struct package *p, const struct table_list *r, enum table_format format,
                                const char *name, struct err *e)
{
    FILE *file;
    enum status status = package_open(p, name, &file, e);

    if (status != ST_OK)
        return status;
    table_list_print(r, &(struct table_output){.format = format, .file = file});
    return package_close(file, name, ST_OK, e);
}

static enum status write_all(struct package *p, const struct table_list *r, const char *command, const char *text,
                             const char *json, struct err *e)
{
    /* Each table is a CSV file of its own. */
    enum status status = ST_OK;

    for (size_t i = 0; i < r->n && status == ST_OK; i++) {
        struct table_list one = {.tables = &r->tables[i], .n = 1};
        struct span name = arena_addf(&p->arena, "statistics/%s.csv", r->tables[i]->id);
        status = write_report(p, &one, TABLE_AS_CSV, name.ptr, e);
        package_claim(p, r->tables[i], command);
        dictionary_describe(&p->dictionary, r->tables[i]);
    }
    THEN(status, write_report(p, r, TABLE_AS_TEXT, text, e));
    return status == ST_OK ? write_report(p, r, TABLE_AS_JSON, json, e) : status;
}

static enum status write_study(struct package *p, struct err *e)
{
    struct report_wanted wanted = {.questions = ~0U, .confidence = PACKAGE_CONFIDENCE, .seed = PACKAGE_SEED};
    AT_END(report_data_clear) struct report_data d = {0};
    AT_END(table_list_clear) struct table_list r = {0};
    AT_END(report_plan_clear) struct report_plan plan;
    enum status status = report_plan_of_db(&plan, p->copy, e);

    THEN(status, report_data_load(&d, p->copy, e));
    p->n_problems = d.n_problems;
    p->n_codes = 0;
    for (size_t i = 0; i < d.n_codes; i++) /* a number or a yes has a list too, but no code of the codebook */
        p->n_codes += facets_writing(d.facets, d.facets->lists[d.codes[i].list]) == NULL;
    if (status == ST_OK) {
        report_study(&r, &d, &plan, &wanted);
        status = write_all(p, &r, "ppmine -d ppmine.db stats --table %s", "statistics/stats.txt",
                           "statistics/stats.json", e);
    }
    if (status != ST_OK || !p->wanted->plots || p->n_problems == 0)
        return status;
    if (!report_can_plot()) {
        log_warn("the package gets no plots: gnuplot is not installed (Debian: gnuplot-nox)");
        return ST_OK;
    }
    AT_END(buf_clear) struct buf path = {0};
    package_path(p, "statistics/plots", &path);
    status = report_plot(&d, &plan, buf_cstr(&path), false, e);
    p->plotted = status == ST_OK;
    return status;
}

static enum status write_agreement(struct package *p, struct err *e)
{
    struct report_agreement wanted = {.measures = 0};
    struct report_rated rated = {.n_coders = 0};
    struct report_ratings ratings[FACETS_MAX] = {0};
    AT_END(table_list_clear) struct table_list r = {0};
    AT_END(db_disputes_clear) struct db_disputes posts = {0};
    size_t n_spelled[FACETS_MAX] = {0};
    const struct facets *facets;
    enum status status = db_facets(p->copy, &facets, e);

    THEN(status, report_ratings_load(ratings, p->copy, FACET_JUDGES, facets->n, &rated, n_spelled, e));
    THEN(status, db_segments_read(p->copy, DB_SAID, 0, &posts, e));
    if (status == ST_OK) { /* as `agree --all` does */
        report_agree(&r, ratings, facets->n, &wanted);
        report_segments(&r, &posts, &rated, &wanted);
        status = write_all(p, &r, "ppmine -d ppmine.db agree --all", "statistics/agreement.txt",
                           "statistics/agreement.json", e);
    }
    for (size_t i = 0; i < FACETS_MAX; i++)
        report_ratings_clear(&ratings[i]);
    return status;
}

enum status package_statistics(struct package *p, struct err *e)
{
    enum status status = package_folder(p, "statistics", e);

    package_claims_begin(p);
    THEN(status, write_study(p, e));
    return status == ST_OK ? write_agreement(p, e) : status;
}
