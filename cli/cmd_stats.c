/* stats: the study's tables and plots. */
#include "cli/command.h"

#include "report/report.h"

static const char *const rq_names[] = {"all", "1", "2", "3", "4", NULL};
static const char *const by_names[] = {"nothing", "tag", "year", NULL};

static enum status read_wanted(const struct invocation *in, struct report_wanted *w,
                               struct err *e)
{
    size_t rq = 0, by = REPORT_BY_NOTHING, table = SIZE_MAX;
    uint64_t confidence = 95;
    enum status status = option_choice(in, "rq", rq_names, &rq, e);

    if (status == ST_OK && option_given(in, "by"))
        status = option_choice(in, "by", by_names + 1, &by, e);
    if (status == ST_OK)
        status = option_choice(in, "table", report_table_ids, &table, e);
    if (status == ST_OK)
        status = option_number(in, "confidence", 50, 99, &confidence, e);
    if (status == ST_OK)
        status = option_number(in, "seed", 0, UINT64_MAX, &w->seed, e);
    if (status != ST_OK)
        return status;
    w->rq = rq == 0 ? ~0U : 1U << rq;
    w->by = option_given(in, "by") ? (enum report_by)(by + 1) : REPORT_BY_NOTHING;
    w->table = table < SIZE_MAX ? report_table_ids[table] : NULL;
    w->confidence = (double)confidence / 100;
    if (w->by != REPORT_BY_NOTHING && rq > 2)
        return err_set(e, ST_USAGE, "stats: --by goes with --rq 1 and 2 only");
    if (w->by != REPORT_BY_NOTHING && w->table != NULL && strncmp(w->table, "rq1", 3) != 0 &&
        strncmp(w->table, "rq2", 3) != 0)
        return err_set(e, ST_USAGE, "stats: --by goes with tables rq1-… and rq2-… only");
    return ST_OK;
}

static enum status print_tables(const struct report_data *d, const struct report_wanted *w,
                                const struct table_output *out)
{
    struct table_list r = {0};

    report_study(&r, d, w);
    table_list_print(&r, out);
    table_list_clear(&r);
    return ST_OK;
}

static enum status run_stats(struct invocation *in, struct err *e)
{
    struct report_wanted wanted = {.seed = 1};
    struct report_data d = {0};
    struct table_output out;
    const char *plots = option_text(in, "plot", NULL);
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = read_wanted(in, &wanted, e);
    if (status == ST_OK)
        status = invocation_open_db(in, DB_READ, e);
    if (status == ST_OK)
        status = report_data_load(&d, in->db, e);
    if (status == ST_OK && d.n_problems == 0) {
        log_warn("%s has no labelled problems; those of coders count once they are settled:"
                 " `ppmine label resolve --agreed`", in->db_path);
        status = ST_NO;
    }
    if (status == ST_OK)
        status = print_tables(&d, &wanted, &out);
    if (status == ST_OK && plots != NULL)
        status = report_plot(&d, plots, true, e);
    report_data_clear(&d);
    return status;
}

static const struct option_spec options[] = {
    {"rq", '\0', "N", "print the tables of a research question, 1 to 4, or all (default)"},
    {"table", 't', "ID", "print this table only: rq1-category, tests, …"},
    {"by", '\0', "GROUP", "print symptoms and root causes for each tag or year"},
    {"confidence", '\0', "PERCENT", "level of the intervals (default: 95)"},
    {"plot", '\0', "DIR", "draw plots into DIR as SVG and PDF, with gnuplot"},
    {"seed", '\0', "N", "seed of sampled tests (default: 1)"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine stats", "all tables, for reading"},
    {"ppmine stats --table rq1-category --format csv", NULL},
    {"ppmine stats --rq 2 --by year", "root causes, year by year"},
    {"ppmine stats --format latex --plot plots > tables.tex", "for a paper"},
    {NULL, NULL},
};

const struct command command_stats = {
    .name = "stats",
    .summary = "Print the tables of the study, and draw its plots",
    .options = options,
    .description =
        "Counts the labelled problems of the database: symptoms (RQ1), root causes (RQ2), stages\n"
        "(RQ3), what existing approaches do about the benchmark (RQ4), years and totals. Shares\n"
        "have Wilson intervals; tables of two facets have tests of independence.\n"
        "\n"
        "The tables: totals, year, rq1-category, rq1-code, rq2-category, rq2-code, symptom-cause,\n"
        "rq3-stage, rq3-matrix, rq3-order, cause-stage, tests, rq4.",
    .examples = examples,
    .nothing = "the database has no labelled problems",
    .needs = NEEDS_DB_PATH,
    .run = run_stats,
};
