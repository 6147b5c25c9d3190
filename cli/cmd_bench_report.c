/* bench report: the last results, beside what the study found for the same problems. */
#include "cli/bench_compare.h"

#include <math.h>

enum { MACHINES_MAX = 2 };

static const char *const approach_names[] = {"profiler", "xla", "documentation"};
static const char *const approach_titles[] = {"Profiler", "XLA", "documentation"};

/* What the report is made of. */
struct state {
    const struct bench_cases *cases;
    struct bench_study study;
    struct bench_results of[MACHINES_MAX];
    size_t n; /* machines */
    const struct bench_summary *last; /* of the first */
};

static bool has_result(const struct bench_summary *s)
{
    return s->metric[0] != '\0';
}

static void add_text_or_none(struct table *t, struct span text)
{
    table_add_text(t, text.len > 0 ? text : (struct span){0});
}

/* --- each case --- */

static void add_case_columns(struct table *t, const struct bench_study *study)
{
    table_column_add(t, "problem_id", "Problem", TABLE_TEXT);
    table_column_add(t, study->group.column, study->group.facet->title.ptr, TABLE_TEXT);
    table_column_add(t, "verdict", "Verdict", TABLE_TEXT);
    table_column_add(t, "fidelity", "Fidelity", TABLE_TEXT);
    table_column_add(t, "metric", "Metric", TABLE_TEXT);
    table_column_add(t, "buggy", "Buggy", TABLE_REAL);
    table_column_add(t, "fixed", "Fixed", TABLE_REAL);
    table_column_add(t, "unit", "Unit", TABLE_TEXT);
    table_column_add(t, "ratio", "Ratio", TABLE_REAL);
    table_column_add(t, "ratio_low", "Low", TABLE_REAL);
    table_column_add(t, "ratio_high", "High", TABLE_REAL);
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        table_column_add(t, approach_names[i], approach_titles[i], TABLE_TEXT);
    table_column_add(t, "date", "Date", TABLE_TEXT);
    table_column_add(t, "why", "Why", TABLE_TEXT);
}

static void add_case(struct table *t, const struct state *s, size_t i)
{
    const struct bench_summary *last = &s->last[i];
    struct bench_problem p = bench_study_find(&s->study, s->cases->items.at[i].id);

    table_add_text(t, span_of(last->id));
    add_text_or_none(t, p.group);
    table_add_text(t, has_result(last) ? span_of(bench_verdict_names[last->verdict])
                                        : SPAN("not run"));
    table_add_text(t, span_of(bench_fidelity_names[s->cases->items.at[i].fidelity]));
    table_add_text(t, span_of(bench_metric_names[s->cases->items.at[i].metric]));
    table_add_real(t, last->medians[BENCH_BUGGY]);
    table_add_real(t, last->medians[BENCH_FIXED]);
    add_text_or_none(t, span_of(last->unit));
    table_add_real(t, last->ratio);
    table_add_real(t, last->low);
    table_add_real(t, last->high);
    for (size_t k = 0; k < BENCH_APPROACHES; k++)
        add_text_or_none(t, p.approaches[k]);
    add_text_or_none(t, span_of(last->date));
    add_text_or_none(t, span_of(last->why));
}

/* --- counts --- */

static void add_verdicts(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-verdicts", "Cases by verdict");
    size_t counts[BENCH_VERDICTS + 1][BENCH_FIDELITIES] = {0};

    for (size_t i = 0; i < s->cases->items.n; i++)
        counts[has_result(&s->last[i]) ? s->last[i].verdict : BENCH_VERDICTS]
              [s->cases->items.at[i].fidelity]++;
    table_column_add(t, "verdict", "Verdict", TABLE_TEXT);
    table_column_add(t, "faithful", "Faithful cases", TABLE_INT);
    table_column_add(t, "stand_in", "stand-ins", TABLE_INT);
    table_column_add(t, "not_stated", "not stated", TABLE_INT);
    for (size_t i = 0; i <= BENCH_VERDICTS; i++) {
        table_add_text(t, span_of(i < BENCH_VERDICTS ? bench_verdict_names[i] : "not run"));
        table_add_int(t, (int64_t)counts[i][BENCH_FAITHFUL]);
        table_add_int(t, (int64_t)counts[i][BENCH_STAND_IN]);
        table_add_int(t, (int64_t)counts[i][BENCH_FIDELITY_UNKNOWN]);
    }
    table_note(t, "A stand-in shows another problem than the study's label says; case.ini says why."
                  " The count of reproduced problems is that of the faithful cases.");
}

/* The problem's case is one of ours, shows that problem, and is reproduced here. */
static bool is_reproduced(const struct state *s, struct span id)
{
    for (size_t i = 0; i < s->cases->items.n; i++)
        if (span_eq(span_of(s->cases->items.at[i].id), id))
            return has_result(&s->last[i]) && s->last[i].verdict == BENCH_REPRODUCED &&
                   s->cases->items.at[i].fidelity != BENCH_STAND_IN;
    return false;
}

static bool helps(struct span status)
{
    return span_eq(status, SPAN("partially solved")) || span_eq(status, SPAN("solved"));
}

static bool is_applied(struct span status)
{
    return status.len > 0 && !span_eq(status, SPAN("not applied"));
}

static void add_count(struct table *t, int64_t n, bool is_counted)
{
    if (is_counted)
        table_add_int(t, n);
    else
        table_add_absent(t);
}

static void add_approach(struct table *t, const struct state *s, size_t approach)
{
    bool is_run = approach != BENCH_DOCUMENTATION; /* the study says of documentation that it applies, no more */
    int64_t n = 0, applied = 0, helped = 0, here = 0, applied_here = 0, helped_here = 0;

    for (size_t i = 0; i < s->study.problems.n; i++) {
        struct span status = s->study.problems.at[i].value.approaches[approach];
        bool reproduced = is_reproduced(s, s->study.problems.at[i].value.id);
        n += status.len > 0;
        applied += is_applied(status);
        helped += helps(status);
        here += status.len > 0 && reproduced;
        applied_here += is_applied(status) && reproduced;
        helped_here += helps(status) && reproduced;
    }
    table_add_text(t, span_of(approach_titles[approach]));
    table_add_int(t, n);
    table_add_int(t, applied);
    add_count(t, helped, is_run);
    table_add_int(t, here);
    table_add_int(t, applied_here);
    add_count(t, helped_here, is_run);
}

static void add_approaches(struct table_list *r, const struct state *s)
{
    struct table *t =
        table_list_add(r, "bench-approaches", "What approaches did, as published");

    table_column_add(t, "approach", "Approach", TABLE_TEXT);
    table_column_add(t, "problems", "Problems", TABLE_INT);
    table_column_add(t, "applied", "applied", TABLE_INT);
    table_column_add(t, "partially_solved", "partially solved", TABLE_INT);
    table_column_add(t, "reproduced", "Reproduced here", TABLE_INT);
    table_column_add(t, "applied_reproduced", "of the applied", TABLE_INT);
    table_column_add(t, "partially_solved_reproduced", "of the solved", TABLE_INT);
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        add_approach(t, s, i);
    table_note(t, "Problems, applied and partially solved are the study's figures. Documentation is"
                   " read and not run: the study says where it applies, and not what it solves.");
}

/* --- plots --- */

static struct report_ratio ratio_of(const struct state *s, size_t i)
{
    struct report_ratio ratio = {.name = span_of(s->cases->items.at[i].id),
                                 .group = bench_study_find(&s->study, s->cases->items.at[i].id)
                                              .group};

    for (size_t k = 0; k < s->n; k++) {
        const struct bench_summary *last = &s->of[k].items[i];
        bool reproduced = has_result(last) && last->verdict == BENCH_REPRODUCED;
        ratio.of[k].ratio = last->ratio;
        ratio.of[k].low = last->low;
        ratio.of[k].high = last->high;
        ratio.of[k].clear = reproduced;
        ratio.of[k].fails = reproduced && isnan(last->ratio);
    }
    return ratio;
}

static enum status plot(const struct state *s, const char *folder, struct err *e)
{
    struct report_ratio *items = mem_zero(s->cases->items.n + 1, sizeof *items);
    struct report_ratios ratios = {.items = items, .n = s->cases->items.n, .n_series = s->n,
                                   .least = 1.5};

    for (size_t i = 0; i < s->cases->items.n; i++)
        items[i] = ratio_of(s, i);
    for (size_t k = 0; k < s->n; k++)
        ratios.series[k] = span_of(s->of[k].name);
    enum status status = report_plot_ratios(&ratios, folder, true, e);
    if (status == ST_NO)
        log_warn("there is no ratio to plot yet; 'bench run' measures them");
    mem_free(items);
    return status;
}

/* --- the command --- */

/* What is asked for: folders, or parts of names of machines. */
struct wanted {
    const char *dirs[GIVEN_MAX];
    const char *machines[MACHINES_MAX];
    size_t n_dirs, n;
};

static enum status read_wanted(struct wanted *w, const struct invocation *in, struct err *e)
{
    bool compare = option_given(in, "compare");

    w->n_dirs = option_texts(in, "results", w->dirs);
    w->n = w->n_dirs > 0 ? w->n_dirs : 1;
    w->machines[0] = option_text(in, "machine", NULL);
    if (w->n_dirs > MACHINES_MAX)
        return err_set(e, ST_USAGE, "bench report: --results %d times at most", MACHINES_MAX);
    if (in->n_operands > 0 && !compare)
        return err_set(e, ST_USAGE, "bench report: unexpected argument '%s'; machines are named with"
                                    " --machine, or two with --compare", in->operands[0]);
    if (w->n_dirs > 0 && (in->n_operands > 0 || w->machines[0] != NULL))
        return err_set(e, ST_USAGE, "bench report: machines are those of the database; without"
                                    " --results");
    if (!compare || w->n_dirs == MACHINES_MAX)
        return ST_OK;
    if (in->n_operands != MACHINES_MAX || w->machines[0] != NULL)
        return err_set(e, ST_USAGE, "bench report: --compare MACHINE MACHINE names two machines of"
                                    " the database; two folders are --results DIR --results DIR");
    w->n = MACHINES_MAX;
    for (size_t i = 0; i < MACHINES_MAX; i++)
        w->machines[i] = in->operands[i];
    return ST_OK;
}

static enum status load(struct state *s, const struct wanted *w, struct invocation *in,
                        struct err *e)
{
    enum status status = bench_study_load(&s->study, e);

    for (; s->n < w->n && status == ST_OK; s->n++) {
        struct bench_results_wanted of = {w->n_dirs > 0 ? w->dirs[s->n] : NULL, bench_db_path(in),
                                          w->machines[s->n]};
        status = bench_results_load(&s->of[s->n], s->cases, &of, &in->db, e);
        status = name_command(in, status, e);
    }
    s->last = s->of[0].items;
    return status;
}

static void add_cases(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-cases", "Cases");

    add_case_columns(t, &s->study);
    for (size_t i = 0; i < s->cases->items.n; i++)
        add_case(t, s, i);
    table_note(t, "Results of %s.", s->of[0].name);
    if (s->of[0].n_others > 0)
        table_note(t, "The database has results of %zu more; --machine NAME shows them.",
                    s->of[0].n_others);
}

static void print(const struct state *s, const struct table_output *out)
{
    struct table_list r = {0};

    if (s->n == MACHINES_MAX) {
        bench_compare(&r, s->cases, &s->study, s->of);
    } else {
        add_cases(&r, s);
        add_verdicts(&r, s);
        add_approaches(&r, s);
    }
    table_list_print(&r, out);
    table_list_clear(&r);
}

static enum status run_bench_report(struct invocation *in, struct err *e)
{
    struct table_output out;
    const char *plots = option_text(in, "plot", NULL);
    struct bench_cases cases = {0};
    struct state s = {.cases = &cases};
    struct wanted wanted = {.n = 0};
    enum status status = output_option(in, TABLE_AS_TEXT, &out, e);

    if (status == ST_OK)
        status = read_wanted(&wanted, in, e);
    if (status == ST_OK)
        status = bench_cases_given(&cases, in, e);
    if (status == ST_OK)
        status = load(&s, &wanted, in, e);
    if (status == ST_OK)
        print(&s, &out);
    if (status == ST_OK && plots != NULL)
        status = plot(&s, plots, e);
    for (size_t i = 0; i < MACHINES_MAX; i++)
        bench_results_clear(&s.of[i]);
    bench_study_clear(&s.study);
    bench_cases_clear(&cases);
    return status;
}

static const struct option_spec options[] = {
    {"compare", '\0', NULL, "compare two machines of the database"},
    BENCH_CASES_OPTION,
    {"results", '\0', "DIR…", "results in this folder, not those of the database; two are compared"},
    BENCH_MACHINE_READ_OPTION,
    {"plot", '\0', "DIR", "draw ratios into DIR as SVG and PDF, with gnuplot"},
    OUTPUT_OPTIONS,
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine bench report", "the last results, and the study's own"},
    {"ppmine bench report --format html > bench.html", NULL},
    {"ppmine -d so.db bench report --compare laptop server", "ratios side by side"},
    {"ppmine bench report --results mine --results theirs", "the same of two folders"},
    {"ppmine bench report --plot plots", "ratios with their intervals"},
    {NULL, NULL},
};

const struct command command_bench_report = {
    .name = "bench report",
    .summary = "Print the last results, with what the study found",
    .operands = "[MACHINE MACHINE]",
    .min_operands = 0,
    .max_operands = MACHINES_MAX,
    .options = options,
    .description =
        "Prints three tables. The first has every case with its last result and the study's grades\n"
        "for profiler, XLA and documentation. The second counts cases by verdict. The third says\n"
        "how many problems each approach was published to apply to and to solve, and how many of\n"
        "those are reproduced here.\n"
        "\n"
        "Results are those of the database, of the machine that ran last; if it has none, those of\n"
        "the folder bench-results. With --compare, or with two folders, it compares two machines. A\n"
        "part of a machine's name is enough.",
    .examples = examples,
    .nothing = "with --plot: there is nothing to plot",
    .needs = NEEDS_DB_PATH,
    .run = run_bench_report,
};
