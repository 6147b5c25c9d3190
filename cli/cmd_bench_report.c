/* bench report: the last results, beside what the study found for the same problems. */
#include "cli/options.h"
#include "bench/store/store.h"
#include "report/report.h"
#include "base/log.h"

#include <math.h>

enum { MACHINES_MAX = 2 };

/* What the report is made of. */
struct state {
    const struct bench_cases *cases;
    struct bench_study study;
    struct bench_results of[MACHINES_MAX];
    size_t n; /* machines */
};

/* --- plots --- */

static enum status plot(const struct state *s, const char *folder, struct err *e)
{
    AT_END(mem_end) struct report_ratio *items = mem_zero(s->cases->items.n + 1, sizeof *items);
    struct report_ratios ratios = {.items = items, .n = s->cases->items.n, .n_series = s->n, .least = 1.5};

    for (size_t i = 0; i < s->cases->items.n; i++) {
        struct report_ratio ratio = {.name = span_of(s->cases->items.at[i].id),
                                     .group = bench_study_find(&s->study, s->cases->items.at[i].id).group};

        for (size_t k = 0; k < s->n; k++) {
            const struct bench_summary *last = &s->of[k].items[i];
            bool reproduced = bench_summary_is(last) && last->verdict == BENCH_REPRODUCED;
            ratio.of[k].ratio = last->ratio;
            ratio.of[k].low = last->low;
            ratio.of[k].high = last->high;
            ratio.of[k].clear = reproduced;
            ratio.of[k].fails = reproduced && isnan(last->ratio);
        }
        items[i] = ratio;
    }
    for (size_t k = 0; k < s->n; k++)
        ratios.series[k] = span_of(s->of[k].name);
    enum status status = report_plot_ratios(&ratios, folder, true, e);
    if (status == ST_NO)
        log_warn("there is no ratio to plot yet; 'bench run' measures them");
    return status;
}

/* --- the command --- */

/* What is asked for: folders, or parts of names of machines. */
struct wanted {
    const char **dirs;
    const char *machines[MACHINES_MAX];
    size_t n_dirs, n;
};

static enum status read_wanted(struct wanted *w, const struct invocation *in, struct err *e)
{
    bool compare = in->values.compare;

    w->dirs = in->values.results_list.at;
    w->n_dirs = in->values.results_list.n;
    w->n = w->n_dirs > 0 ? w->n_dirs : 1;
    w->machines[0] = in->values.machine;
    if (w->n_dirs > MACHINES_MAX)
        return usage_error(in, e, "--results %d times at most", MACHINES_MAX);
    if (in->n_operands > 0 && !compare)
        return usage_error(in, e, "unexpected argument '%s'; machines are named with --machine, or two with --compare",
                           in->operands[0]);
    if (w->n_dirs > 0 && (in->n_operands > 0 || w->machines[0] != NULL))
        return usage_error(in, e, "machines are those of the database; without --results");
    if (!compare || w->n_dirs == MACHINES_MAX)
        return ST_OK;
    if (in->n_operands != MACHINES_MAX || w->machines[0] != NULL)
        return usage_error(in, e,
                           "--compare MACHINE MACHINE names two machines of the database; two folders are --results DIR"
                           " --results DIR");
    w->n = MACHINES_MAX;
    for (size_t i = 0; i < MACHINES_MAX; i++)
        w->machines[i] = in->operands[i];
    return ST_OK;
}

static enum status run_bench_report(struct invocation *in, struct err *e)
{
    const char *plots = in->values.plot;
    AT_END(bench_cases_clear) struct bench_cases cases = {0};
    struct state s = {.cases = &cases};
    struct wanted wanted = {.n = 0};
    enum status status = read_wanted(&wanted, in, e);

    THEN(status, bench_cases_given(&cases, in, e));
    THEN(status, bench_study_load(&s.study, e));
    for (; s.n < wanted.n && status == ST_OK; s.n++) {
        struct bench_results_wanted of = {wanted.n_dirs > 0 ? wanted.dirs[s.n] : NULL, bench_db_path(in),
                                          wanted.machines[s.n]};
        status = name_command(in, bench_results_load(&s.of[s.n], s.cases, &of, &in->db, e), e);
    }
    if (status == ST_OK) {
        AT_END(table_list_clear) struct table_list r = {0};

        if (s.n == MACHINES_MAX)
            bench_compare(&r, s.cases, &s.study, s.of);
        else
            bench_report(&r, s.cases, &s.study, &s.of[0]);
        table_list_print(&r, &in->out);
    }
    if (status == ST_OK && plots != NULL)
        status = plot(&s, plots, e);
    for (size_t i = 0; i < MACHINES_MAX; i++)
        bench_results_clear(&s.of[i]);
    bench_study_clear(&s.study);
    return status;
}

const struct command command_bench_report = {
    .name = "bench report",
    .summary = "Print the last results beside those of the study",
    .operands = "[MACHINE MACHINE]",
    .options = OPTIONS(
        FLAG("compare", compare, "compare two machines of the database"), BENCH_CASES_OPTION,
        TEXTS("results", results_list, "DIR…", "results in this folder, not those of the database; two are compared"),
        BENCH_MACHINE_READ_OPTION, TEXT("plot", plot, "DIR", "draw ratios into DIR as SVG and PDF, with gnuplot"),
        OUTPUT_OPTIONS),
    .description = "Prints three tables. The first has every case with its last result and the study's grades\n"
                   "for profiler, XLA and documentation. The second counts cases by verdict. The third says\n"
                   "how many problems each approach was published to apply to and to solve, and how many of\n"
                   "those are reproduced here.\n\n"
                   "It prints the results of the machine that ran last, from the database or, if that has\n"
                   "none, from the folder bench-results. With --compare, or with two folders, it compares two\n"
                   "machines. A part of a machine's name is enough.",
    .examples = EXAMPLES({"ppmine bench report", "the last results beside those of the study"},
                         {"ppmine bench report --format html > bench.html", NULL},
                         {"ppmine -d so.db bench report --compare laptop server", "ratios side by side"},
                         {"ppmine bench report --results mine --results theirs", "the same of two folders"},
                         {"ppmine bench report --plot plots", "ratios with their intervals"}),
    .nothing = "with --plot: there is nothing to plot",
    .needs = NEEDS_DB_PATH,
    .run = run_bench_report,
};
