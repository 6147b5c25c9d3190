/* stats: the study's tables and plots. */
#include "cli/command.h"
#include "cli/options.h"

#include "label/coding/disputes.h"
#include "screen/stored.h"
#include "report/report.h"
#include "base/log.h"

static bool is_grouped(const struct report_plan *p, const struct report_wanted *w)
{
    for (size_t i = 0; i < p->n; i++)
        if (report_can_group(&p->items[i]) &&
            (w->table != NULL ? p->items[i].id == w->table
                              : (w->questions & p->items[i].questions) != 0 || w->questions == ~0U))
            return true;
    return false;
}

static enum status MUST_USE check_by(const struct report_plan *p, const struct report_wanted *w, struct err *e)
{
    struct report_wanted without = *w;
    AT_END(buf_clear) struct buf names = {0}, part = {0};

    without.table = NULL;
    if (w->by == REPORT_BY_NOTHING || is_grouped(p, w))
        return ST_OK;
    bool tables = is_grouped(p, &without);
    /* "1 and 2": the research questions with tables for each group; or "rq1-… and rq2-…", how their tables begin. */
    for (size_t i = 0; i < p->n; i++) {
        const struct report_statistic *s = &p->items[i];
        if (!report_can_group(s))
            continue;
        buf_reset(&part);
        if (tables)
            buf_addf(&part, "%.*s-…", (int)strcspn(s->id, "-"), s->id);
        for (unsigned q = 1; !tables && s->questions >> q != 0; q++)
            if (s->questions & 1U << q)
                buf_addf(&part, "%u", q);
        if (part.len > 0 && span_find(buf_span(&names), buf_span(&part)) == SIZE_MAX)
            buf_addf(&names, "%s%s", names.len > 0 ? " and " : "", buf_cstr(&part));
    }
    return err_set(e, ST_USAGE, tables ? "stats: --by is only for tables %s" : "stats: --by is only for --rq %s",
                   buf_cstr(&names));
}

/* Of what coders coded, settled or not. */
static enum status MUST_USE print_saturation(struct invocation *in, const struct report_data *d, struct err *e)
{
    AT_END(report_saturation_clear) struct report_saturation plot = {0};
    AT_END(table_list_clear) struct table_list r = {0};
    enum status status = report_saturation_add(&r, &plot, d, in->db, e);

    if (status == ST_OK && plot.titles.len == 0) {
        log_warn("%s: nobody has given a code yet: `ppmine label code`", in->db_path);
        status = ST_NO;
    }
    if (status == ST_OK)
        table_list_print(&r, &in->out);
    if (status == ST_OK && in->values.plot != NULL)
        status = report_plot_saturation(&plot, in->values.plot, e);
    return status;
}

static enum status MUST_USE print_study(struct invocation *in, const struct report_data *d,
                                        const struct report_plan *plan, const struct report_wanted *wanted,
                                        struct err *e)
{
    AT_END(table_list_clear) struct table_list r = {0};
    AT_END(db_disputes_clear) struct db_disputes open = {0};

    if (d->n_problems == 0) {
        log_warn("%s has no labelled problems; those of coders count once they are settled:"
                 " `ppmine label resolve --agreed`",
                 in->db_path);
        return ST_NO;
    }
    /* Shares of posts that were picked are not those of all posts. */
    struct db_screen_strata n;
    enum status status = db_screen_problems(in->db, &n, e);

    if (status == ST_OK && n.n_picked > 0)
        log_warn("%lld of the %lld posts with problems were found by ranking, %lld by keyword: shares"
                 " and intervals describe the posts that were read, not all posts; `ppmine screen"
                 " estimate` says what was missed, with --facet how common codes are among all",
                 (long long)n.n_ranked, (long long)n.n_posts, (long long)n.n_keyword);
    THEN(status, warn_of_answers(in, e));
    /* Codes of problems that not all coders see are compared by nothing. */
    THEN(status, db_segments_read(in->db, DB_DISPUTED, 0, &open, e));
    if (status != ST_OK)
        return status;
    if (open.n > 0)
        log_warn("posts in which coders see different problems: %zu, such as %.*s; the tables count"
                 " only what is settled: `ppmine label resolve`",
                 open.n, SPAN_ARG(open.items[0].subject));
    report_study(&r, d, plan, wanted);
    table_list_print(&r, &in->out);
    return in->values.plot != NULL ? report_plot(d, plan, in->values.plot, true, e) : ST_OK;
}

static enum status run_stats(struct invocation *in, struct err *e)
{
    struct report_wanted wanted = {.seed = in->values.seed};
    AT_END(report_plan_clear) struct report_plan plan = {.n = 0};
    AT_END(report_data_clear) struct report_data d = {.level = in->values.level};
    /* What is wrong with the command line is said first, by the built-in study where there is no database. */
    struct err why = {0};
    size_t question = 0, by = REPORT_BY_NOTHING, table = SIZE_MAX;
    enum status opened = invocation_open_db(in, DB_READ, &why);
    enum status status = report_plan_of_db(&plan, opened == ST_OK ? in->db : NULL, e);

    THEN(status, option_choice(in, &in->values.rq, plan.questions, &question, e));
    THEN(status, option_choice(in, &in->values.by, report_by_names, &by, e));
    THEN(status, option_choice(in, &in->values.table, plan.ids, &table, e));
    wanted.questions = question == 0 ? ~0U : 1U << question;
    wanted.by = in->values.by != NULL ? (enum report_by)(by + 1) : REPORT_BY_NOTHING;
    wanted.table = status == ST_OK && table < SIZE_MAX ? plan.ids[table] : NULL;
    wanted.confidence = (double)in->values.confidence_whole / 100;
    THEN(status, check_by(&plan, &wanted, e));
    if (status == ST_OK && opened != ST_OK)
        *e = why;
    THEN(status, opened);

    if (status == ST_OK && in->values.saturation &&
        (in->values.rq != NULL || in->values.table != NULL || in->values.by != NULL))
        status = usage_error(in, e, "--saturation prints one table: not with --rq, --table or --by");
    THEN(status, report_data_load(&d, in->db, e));
    THEN(status, in->values.saturation ? print_saturation(in, &d, e) : print_study(in, &d, &plan, &wanted, e));
    return status;
}

const struct command command_stats = {
    .name = "stats",
    .summary = "Print the tables of the study, and draw its plots",
    .options = OPTIONS(
        TEXT("rq", rq, "N", "print the tables of a research question, by number, or all (default)"),
        TEXT("table", table, "ID", "print this table only (a wrong ID lists them all)", 't'),
        TEXT("by", by, "GROUP", "print codes and categories for each tag, year or site"), LEVEL_OPTION,
        NUMBER("confidence", confidence_whole, "PERCENT", 50, 99, 95, "level of the intervals (default: 95)"),
        TEXT("plot", plot, "DIR", "draw plots into DIR as SVG and PDF, with gnuplot"),
        FLAG("saturation", saturation,
             "print how many new codes each further ten problems brought, and no other table"),
        NUMBER("seed", seed, "N", 0, UINT64_MAX, 1, "seed of sampled tests (default: 1)"), OUTPUT_OPTIONS),
    .description = "Counts the labelled problems of the database. The tables are those that the study's\n"
                   "statistics.csv lists; those of the built-in study answer its research questions: symptoms\n"
                   "(RQ1), root causes (RQ2), stages (RQ3), what existing approaches do about the benchmark\n"
                   "(RQ4), years and totals. Shares have Wilson intervals; tables of two facets have tests of\n"
                   "independence. Only what is settled is counted: where it is not everything, the title of\n"
                   "each table and plot says how much is not; in CSV and NDJSON the last column does.\n\n"
                   "A category 'A > B' is B within A, to any depth. Tables count it as itself; with --level 1 as A.",
    .examples = EXAMPLES(
        {"ppmine stats", "all tables, for reading"}, {"ppmine stats --table rq1-category --format csv", NULL},
        {"ppmine stats --table rq1-category --level 1", "categories within others as the outermost ones"},
        {"ppmine stats --rq 2 --by year", "root causes, year by year"},
        {"ppmine stats --saturation --plot plots", "whether new codes still turned up when coding stopped"},
        {"ppmine stats --format latex --plot plots > tables.tex", "for a paper"}),
    .nothing = "the database has no labelled problems",
    .needs = NEEDS_DB_PATH,
    .run = run_stats,
};
