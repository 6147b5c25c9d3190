/* bench_report: the last results of a machine, beside what the study found for the same problems. */
#include "bench/store/report.h"

static const char *const approach_names[] = {"profiler", "xla", "documentation"};
static const char *const approach_titles[] = {"Profiler", "XLA", "documentation"};

/* What the report is made of. */
struct state {
    const struct bench_cases *cases;
    const struct bench_study *study;
    const struct bench_results *results;
    const struct bench_summary *last; /* of each case */
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
    table_add_columns(
        t, {"problem_id", "Problem", TABLE_TEXT}, {study->group.column, study->group.facet->title.ptr, TABLE_TEXT},
        {"verdict", "Verdict", TABLE_TEXT}, {"fidelity", "Fidelity", TABLE_TEXT}, {"metric", "Metric", TABLE_TEXT},
        {"buggy", "Buggy", TABLE_REAL}, {"fixed", "Fixed", TABLE_REAL}, {"unit", "Unit", TABLE_TEXT},
        {"ratio", "Ratio", TABLE_REAL}, {"ratio_low", "Low", TABLE_REAL}, {"ratio_high", "High", TABLE_REAL});
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        table_column_add(t, approach_names[i], approach_titles[i], TABLE_TEXT);
    table_add_columns(t, {"date", "Date", TABLE_TEXT}, {"why", "Why", TABLE_TEXT});
}

static void add_case(struct table *t, const struct state *s, size_t i)
{
    const struct bench_summary *last = &s->last[i];
    struct bench_problem p = bench_study_find(s->study, s->cases->items.at[i].id);

    table_add_text(t, span_of(last->id));
    add_text_or_none(t, p.group);
    table_add_row(t, table_text(has_result(last) ? span_of(bench_verdict_names[last->verdict]) : SPAN("not run")),
                  table_text(span_of(bench_fidelity_names[s->cases->items.at[i].fidelity])));
    /* What was measured then: the case may have another metric by now. */
    table_add_row(
        t, table_text(span_of(has_result(last) ? last->metric : bench_metric_names[s->cases->items.at[i].metric])),
        table_real(last->medians[BENCH_BUGGY]), table_real(last->medians[BENCH_FIXED]));
    add_text_or_none(t, span_of(last->unit));
    table_add_row(t, table_real(last->ratio), table_real(last->low), table_real(last->high));
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
        counts[has_result(&s->last[i]) ? s->last[i].verdict : BENCH_VERDICTS][s->cases->items.at[i].fidelity]++;
    table_add_columns(t, {"verdict", "Verdict", TABLE_TEXT}, {"faithful", "Faithful cases", TABLE_INT},
                      {"stand_in", "stand-ins", TABLE_INT}, {"not_stated", "not stated", TABLE_INT});
    for (size_t i = 0; i <= BENCH_VERDICTS; i++) {
        table_add_row(t, table_text(span_of(i < BENCH_VERDICTS ? bench_verdict_names[i] : "not run")),
                      table_int((int64_t)counts[i][BENCH_FAITHFUL]), table_int((int64_t)counts[i][BENCH_STAND_IN]),
                      table_int((int64_t)counts[i][BENCH_FIDELITY_UNKNOWN]));
    }
    table_note(t, "Faithful: it shows what label, title and comment of the study say; no reader saw the post. A"
                  " stand-in shows another problem; case.ini says why. The count of reproduced problems is that of the"
                  " faithful cases.");
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

    for (size_t i = 0; i < s->study->problems.n; i++) {
        struct span status = s->study->problems.at[i].value.approaches[approach];
        bool reproduced = is_reproduced(s, s->study->problems.at[i].value.id);
        n += status.len > 0;
        applied += is_applied(status);
        helped += helps(status);
        here += status.len > 0 && reproduced;
        applied_here += is_applied(status) && reproduced;
        helped_here += helps(status) && reproduced;
    }
    table_add_row(t, table_text(span_of(approach_titles[approach])), table_int(n), table_int(applied));
    add_count(t, helped, is_run);
    table_add_row(t, table_int(here), table_int(applied_here));
    add_count(t, helped_here, is_run);
}

static void add_approaches(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-approaches", "What approaches did, as published");

    table_add_columns(t, {"approach", "Approach", TABLE_TEXT}, {"problems", "Problems", TABLE_INT},
                      {"applied", "applied", TABLE_INT}, {"partially_solved", "partially solved", TABLE_INT},
                      {"reproduced", "Reproduced here", TABLE_INT}, {"applied_reproduced", "of the applied", TABLE_INT},
                      {"partially_solved_reproduced", "of the solved", TABLE_INT});
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        add_approach(t, s, i);
    table_note(t, "Problems, applied and partially solved are the study's figures. Documentation is"
                  " read and not run: the study says where it applies, and not what it solves.");
}

void bench_versions_count(struct bench_versions *v, const struct bench_cases *cases, const struct bench_case *c,
                          const char *case_sha256)
{
    bool is_known = case_sha256[0] != '\0';

    v->n++;
    v->unknown += !is_known;
    v->changed += is_known && !bench_case_is(c, cases->dir, case_sha256);
}

void bench_versions_note(struct table *t, const struct bench_versions *v, const char *what)
{
    if (v->changed > 0)
        table_note(t,
                   "%zu of %zu %s are of earlier versions of their cases: what was measured is as it was then, what the"
                   " case is said to show is as it is now.",
                   v->changed, v->n, what);
    if (v->unknown > 0)
        table_note(t, "%zu of %zu %s do not say of which version of their cases they are.", v->unknown, v->n, what);
}

/* Cases whose result has another metric than they have now. */
static void add_remeasured(struct table *t, const struct state *s)
{
    AT_END(buf_clear) struct buf names = {0};

    for (size_t i = 0; i < s->cases->items.n; i++)
        if (has_result(&s->last[i]) && strcmp(s->last[i].metric, bench_metric_names[s->cases->items.at[i].metric]) != 0)
            buf_addf(&names, "%s%s by %s", names.len > 0 ? ", " : "", s->last[i].id,
                     bench_metric_names[s->cases->items.at[i].metric]);
    if (names.len > 0)
        table_note(t, "Measured in another way since: %s.", buf_cstr(&names));
}

static void add_cases(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-cases", "Cases");
    struct bench_versions versions = {0};

    add_case_columns(t, s->study);
    for (size_t i = 0; i < s->cases->items.n; i++)
        add_case(t, s, i);
    for (size_t i = 0; i < s->cases->items.n; i++)
        if (has_result(&s->last[i]))
            bench_versions_count(&versions, s->cases, &s->cases->items.at[i], s->last[i].case_sha256);
    table_note(t, "Results of %s.", s->results->name);
    add_remeasured(t, s);
    if (s->results->n_others > 0)
        table_note(t, "The database has results of %zu more; --machine NAME shows them.", s->results->n_others);
    bench_versions_note(t, &versions, "results");
}

void bench_report(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                  const struct bench_results *results)
{
    struct state s = {cases, study, results, results->items};

    add_cases(r, &s);
    add_verdicts(r, &s);
    add_approaches(r, &s);
}
