/* bench report: the last results, beside what the study found for the same problems. */
#include "cli/bench_cases.h"

#include "report/report.h"

#include <math.h>

static const char *const formats[] = {"text", "csv", "markdown", "html", "json", NULL};
static const enum report_format kinds[] = {REPORT_AS_TEXT, REPORT_AS_CSV, REPORT_AS_MARKDOWN,
                                           REPORT_AS_HTML, REPORT_AS_JSON};

static const char *const approach_names[] = {"profiler", "xla", "documentation"};
static const char *const approach_titles[] = {"Profiler", "XLA", "documentation"};

/* What the report is made of. */
struct state {
    const struct bench_cases *cases;
    struct bench_study study;
    struct bench_summary *last;
    struct arena arena;
};

static bool has_result(const struct bench_summary *s)
{
    return s->metric[0] != '\0';
}

static void add_text_or_none(struct report_table *t, struct span text)
{
    report_add_text(t, text.len > 0 ? text : (struct span){0});
}

/* --- each case --- */

static void add_case_columns(struct report_table *t)
{
    report_column_add(t, "problem_id", "Problem", REPORT_TEXT);
    report_column_add(t, "root_cause", "Root cause", REPORT_TEXT);
    report_column_add(t, "verdict", "Verdict", REPORT_TEXT);
    report_column_add(t, "metric", "Metric", REPORT_TEXT);
    report_column_add(t, "buggy", "Buggy", REPORT_REAL);
    report_column_add(t, "fixed", "Fixed", REPORT_REAL);
    report_column_add(t, "unit", "Unit", REPORT_TEXT);
    report_column_add(t, "ratio", "Ratio", REPORT_REAL);
    report_column_add(t, "ratio_low", "Low", REPORT_REAL);
    report_column_add(t, "ratio_high", "High", REPORT_REAL);
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        report_column_add(t, approach_names[i], approach_titles[i], REPORT_TEXT);
    report_column_add(t, "date", "Date", REPORT_TEXT);
    report_column_add(t, "why", "Why", REPORT_TEXT);
}

static void add_case(struct report_table *t, const struct state *s, size_t i)
{
    const struct bench_summary *last = &s->last[i];
    struct bench_problem p = bench_study_find(&s->study, s->cases->items[i].id);

    report_add_text(t, span_of(last->id));
    add_text_or_none(t, p.root_cause);
    report_add_text(t, has_result(last) ? span_of(bench_verdict_names[last->verdict])
                                        : SPAN("not run"));
    report_add_text(t, span_of(bench_metric_names[s->cases->items[i].metric]));
    report_add_real(t, last->medians[BENCH_BUGGY]);
    report_add_real(t, last->medians[BENCH_FIXED]);
    add_text_or_none(t, span_of(last->unit));
    report_add_real(t, last->ratio);
    report_add_real(t, last->low);
    report_add_real(t, last->high);
    for (size_t k = 0; k < BENCH_APPROACHES; k++)
        add_text_or_none(t, p.approaches[k]);
    add_text_or_none(t, span_of(last->date));
    add_text_or_none(t, span_of(last->why));
}

/* --- counts --- */

static void add_verdicts(struct report *r, const struct state *s)
{
    struct report_table *t = report_table_add(r, "bench-verdicts", "Cases by verdict");
    size_t counts[BENCH_VERDICTS + 1] = {0};

    for (size_t i = 0; i < s->cases->n; i++)
        counts[has_result(&s->last[i]) ? s->last[i].verdict : BENCH_VERDICTS]++;
    report_column_add(t, "verdict", "Verdict", REPORT_TEXT);
    report_column_add(t, "cases", "Cases", REPORT_INT);
    for (size_t i = 0; i <= BENCH_VERDICTS; i++) {
        report_add_text(t, span_of(i < BENCH_VERDICTS ? bench_verdict_names[i] : "not run"));
        report_add_int(t, (int64_t)counts[i]);
    }
}

/* The problem's case is one of ours, and is reproduced here. */
static bool is_reproduced(const struct state *s, struct span id)
{
    for (size_t i = 0; i < s->cases->n; i++)
        if (span_eq(span_of(s->cases->items[i].id), id))
            return has_result(&s->last[i]) && s->last[i].verdict == BENCH_REPRODUCED;
    return false;
}

static void add_status_row(struct report_table *t, const struct state *s, size_t approach,
                           struct span status)
{
    int64_t published = 0, here = 0;

    for (size_t i = 0; i < s->study.n; i++)
        if (span_eq(s->study.items[i].approaches[approach], status)) {
            published++;
            here += is_reproduced(s, s->study.items[i].id);
        }
    if (published == 0)
        return;
    report_add_text(t, span_of(approach_titles[approach]));
    report_add_text(t, status);
    report_add_int(t, published);
    report_add_int(t, here);
}

/* "applied" is every status but "not applied", as the study counts. */
static void add_applied_row(struct report_table *t, const struct state *s, size_t approach)
{
    int64_t published = 0, here = 0;

    for (size_t i = 0; i < s->study.n; i++) {
        struct span status = s->study.items[i].approaches[approach];
        if (status.len == 0 || span_eq(status, SPAN("not applied")))
            continue;
        published++;
        here += is_reproduced(s, s->study.items[i].id);
    }
    report_add_text(t, span_of(approach_titles[approach]));
    report_add_text(t, SPAN("applied"));
    report_add_int(t, published);
    report_add_int(t, here);
}

static void add_approaches(struct report *r, const struct state *s)
{
    static const char *const statuses[] = {"solved", "partially solved", "not solved",
                                           "not applied"};
    struct report_table *t =
        report_table_add(r, "bench-approaches", "What approaches did, as published");

    report_column_add(t, "approach", "Approach", REPORT_TEXT);
    report_column_add(t, "status", "Status", REPORT_TEXT);
    report_column_add(t, "published", "Problems", REPORT_INT);
    report_column_add(t, "reproduced", "reproduced here", REPORT_INT);
    for (size_t i = 0; i < BENCH_APPROACHES; i++) {
        add_applied_row(t, s, i);
        for (size_t k = 0; k < ARRAY_LEN(statuses); k++)
            add_status_row(t, s, i, span_of(statuses[k]));
    }
    report_note(t, "Applied: solved, partially solved or not solved.");
}

/* --- the command --- */

static enum status load(struct state *s, const char *results, struct err *e)
{
    enum status status = bench_study_load(&s->study, e);

    s->last = mem_zero(s->cases->n, sizeof *s->last);
    for (size_t i = 0; i < s->cases->n && status == ST_OK; i++)
        status = bench_last_result(&s->last[i], results, s->cases->items[i].id, &s->arena, e);
    return status;
}

static void print(const struct state *s, enum report_format format)
{
    struct report r = {0};
    struct report_table *t = report_table_add(&r, "bench-cases", "Cases");

    add_case_columns(t);
    for (size_t i = 0; i < s->cases->n; i++)
        add_case(t, s, i);
    add_verdicts(&r, s);
    add_approaches(&r, s);
    report_print(&r, format, stdout);
    report_clear(&r);
}

static enum status run_bench_report(struct invocation *in, struct err *e)
{
    size_t format = 0;
    struct bench_cases cases = {0};
    struct state s = {.cases = &cases};
    enum status status = option_choice(in, "format", formats, &format, e);

    if (status == ST_OK)
        status = bench_cases_given(&cases, in, e);
    if (status == ST_OK)
        status = load(&s, bench_results_given(in), e);
    if (status == ST_OK)
        print(&s, kinds[format]);
    mem_free(s.last);
    arena_clear(&s.arena);
    bench_study_clear(&s.study);
    bench_cases_clear(&cases);
    return status;
}

static const struct option_spec options[] = {
    BENCH_CASES_OPTION,
    BENCH_RESULTS_OPTION,
    {"format", 'f', "FORMAT", "text, csv, markdown, html or json"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine bench report", "the last results, and the study's own"},
    {"ppmine bench report --format html > bench.html", NULL},
    {NULL, NULL},
};

const struct command command_bench_report = {
    .name = "bench report",
    .summary = "Print the last results beside what the study found",
    .options = options,
    .description =
        "Three tables: every case with its last result and with what the study found for profiler,\n"
        "XLA and documentation; how many cases came to each verdict; how many problems each approach\n"
        "was published to be applied to and to solve, and how many of those are reproduced here.",
    .examples = examples,
    .needs = NEEDS_NO_DB,
    .run = run_bench_report,
};
