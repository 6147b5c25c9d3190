/* bench_report: the last results of a machine, beside what the study found for the same problems. */
#include "bench/store/store.h"

#include <math.h>

static const char *const approach_names[] = {"profiler", "xla", "documentation"};
static const char *const approach_titles[] = {"Profiler", "XLA", "documentation"};

/* What the report is made of. */
struct state {
    const struct bench_cases *cases;
    const struct bench_study *study;
    const struct bench_results *results;
};

/* --- each case --- */

static void add_case(struct table *t, const struct state *s, size_t i)
{
    const struct bench_summary *last = &s->results->items[i];
    struct bench_problem p = bench_study_find(s->study, s->cases->items.at[i].id);

    /* What was measured then: the case may have another metric by now. */
    const char *metric = bench_summary_is(last) ? last->metric : bench_metric_names[s->cases->items.at[i].metric];
    table_add_row(t, table_text(span_of(last->id)), table_some(p.group),
                  table_text(bench_summary_is(last) ? span_of(bench_verdict_names[last->verdict]) : SPAN("not run")),
                  table_text(span_of(bench_fidelity_names[s->cases->items.at[i].fidelity])),
                  table_text(span_of(metric)), table_real(last->medians[BENCH_BUGGY]),
                  table_real(last->medians[BENCH_FIXED]), table_some(span_of(last->unit)), table_real(last->ratio),
                  table_real(last->low), table_real(last->high));
    for (size_t k = 0; k < BENCH_APPROACHES; k++)
        table_add_row(t, table_some(p.approaches[k]));
    table_add_row(t, table_some(span_of(last->date)), table_some(span_of(last->why)));
}

/* --- counts --- */

static void add_verdicts(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-verdicts", "Cases by verdict");
    size_t counts[BENCH_VERDICTS + 1][BENCH_FIDELITIES] = {0};

    for (size_t i = 0; i < s->cases->items.n; i++) {
        const struct bench_summary *last = &s->results->items[i];
        counts[bench_summary_is(last) ? last->verdict : BENCH_VERDICTS][s->cases->items.at[i].fidelity]++;
    }
    table_columns(t, "verdict = Verdict; faithful int = Faithful cases; stand_in int = stand-ins; "
                     "not_stated int = not stated");
    for (size_t i = 0; i <= BENCH_VERDICTS; i++)
        table_add_row(t, table_text(span_of(i < BENCH_VERDICTS ? bench_verdict_names[i] : "not run")),
                      table_int((int64_t)counts[i][BENCH_FAITHFUL]), table_int((int64_t)counts[i][BENCH_STAND_IN]),
                      table_int((int64_t)counts[i][BENCH_FIDELITY_UNKNOWN]));
    table_note(t, "Faithful: it shows what label, title and comment of the study say; no reader saw the post. A"
                  " stand-in shows another problem; case.ini says why. The count of reproduced problems is that of the"
                  " faithful cases.");
}

/* The problem's case is one of ours, shows that problem, and is reproduced here. */
static bool is_reproduced(const struct state *s, struct span id)
{
    for (size_t i = 0; i < s->cases->items.n; i++)
        if (span_eq(span_of(s->cases->items.at[i].id), id))
            return bench_summary_is(&s->results->items[i]) && s->results->items[i].verdict == BENCH_REPRODUCED &&
                   s->cases->items.at[i].fidelity != BENCH_STAND_IN;
    return false;
}

static void add_approach(struct table *t, const struct state *s, size_t approach)
{
    bool is_run = approach != BENCH_DOCUMENTATION; /* the study says of documentation that it applies, no more */
    int64_t counts[2][3] = {{0}}; /* of all problems, of those that are reproduced here: all, applied, helped */

    for (size_t i = 0; i < s->study->problems.n; i++) {
        const struct bench_problem *p = &s->study->problems.at[i].value;
        struct span status = p->approaches[approach];
        bool applied = status.len > 0 && !span_eq(status, SPAN("not applied"));
        bool helped = span_eq(status, SPAN("partially solved")) || span_eq(status, SPAN("solved"));
        for (int here = 0; here <= is_reproduced(s, p->id); here++) {
            counts[here][0] += status.len > 0;
            counts[here][1] += applied;
            counts[here][2] += helped;
        }
    }
    table_add_text(t, span_of(approach_titles[approach]));
    for (int here = 0; here < 2; here++) {
        table_add_row(t, table_int(counts[here][0]), table_int(counts[here][1]));
        if (is_run)
            table_add_int(t, counts[here][2]);
        else
            table_add_absent(t);
    }
}

static void add_approaches(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-approaches", "What approaches did, as published");

    table_columns(t, "approach = Approach; problems int = Problems; applied int = applied; "
                     "partially_solved int = partially solved; reproduced int = Reproduced here; "
                     "applied_reproduced int = of the applied; partially_solved_reproduced int = of the solved");
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

static void add_cases(struct table_list *r, const struct state *s)
{
    struct table *t = table_list_add(r, "bench-cases", "Cases");
    struct bench_versions versions = {0};
    AT_END(buf_clear) struct buf changed = {0}; /* cases whose result has another metric than they have now */

    table_columns(t,
                  "problem_id = Problem; %s = %s; verdict = Verdict; fidelity = Fidelity; metric = Metric;"
                  " buggy real = Buggy; fixed real = Fixed; unit = Unit; ratio real = Ratio; ratio_low real = Low;"
                  " ratio_high real = High",
                  s->study->group.column, s->study->group.facet->title.ptr);
    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        table_column_add(t, approach_names[i], approach_titles[i], TABLE_TEXT);
    table_columns(t, "date = Date; why = Why");
    for (size_t i = 0; i < s->cases->items.n; i++) {
        const struct bench_case *c = &s->cases->items.at[i];
        const struct bench_summary *last = &s->results->items[i];
        add_case(t, s, i);
        if (!bench_summary_is(last))
            continue;
        bench_versions_count(&versions, s->cases, c, last->case_sha256);
        if (strcmp(last->metric, bench_metric_names[c->metric]) != 0)
            buf_addf(&changed, "%s%s by %s", changed.len > 0 ? ", " : "", last->id, bench_metric_names[c->metric]);
    }
    table_note(t, "Results of %s.", s->results->name);
    if (changed.len > 0)
        table_note(t, "Measured in another way since: %s.", buf_cstr(&changed));
    if (s->results->n_others > 0)
        table_note(t, "The database has results of %zu more; --machine NAME shows them.", s->results->n_others);
    bench_versions_note(t, &versions, "results");
}

void bench_report(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                  const struct bench_results *results)
{
    struct state s = {cases, study, results};

    add_cases(r, &s);
    add_verdicts(r, &s);
    add_approaches(r, &s);
}

/* --- the results of two machines, compared: what can be --- */

struct both {
    const struct bench_summary *a, *b;
};

/* A ratio of memory says nothing beside one of time. */
static bool same_metric(const struct both *p)
{
    return !bench_summary_is(p->a) || !bench_summary_is(p->b) || strcmp(p->a->metric, p->b->metric) == 0;
}

/* Unless both say that they ran other scripts. */
static bool same_case(const struct both *p)
{
    return p->a->case_sha256[0] == '\0' || p->b->case_sha256[0] == '\0' ||
           strcmp(p->a->case_sha256, p->b->case_sha256) == 0;
}

static bool are_comparable(const struct both *p)
{
    return same_metric(p) && same_case(p);
}

static bool both_have_ratios(const struct both *p)
{
    return are_comparable(p) && !isnan(p->a->low) && !isnan(p->b->low) && !isnan(p->a->high) && !isnan(p->b->high);
}

static bool are_apart(const struct both *p)
{
    return p->a->low > p->b->high || p->b->low > p->a->high;
}

/* --- the same, each case --- */

static void add_side(struct table *t, const struct bench_summary *s)
{
    table_add_row(t, table_text(bench_summary_is(s) ? span_of(bench_verdict_names[s->verdict]) : SPAN("not run")),
                  table_real(s->ratio), table_real(s->low), table_real(s->high));
}

static void add_compared(struct table *t, const struct bench_case *c, const struct bench_study *study,
                         const struct both *p)
{
    struct span group = bench_study_find(study, c->id).group;

    table_add_row(t, table_text(span_of(c->id)), table_some(group));
    const struct bench_summary *measured = bench_summary_is(p->a) ? p->a : p->b;
    table_add_text(t, span_of(bench_summary_is(measured) ? measured->metric : bench_metric_names[c->metric]));
    add_side(t, p->a);
    add_side(t, p->b);
    table_add_real(t, are_comparable(p) ? p->b->ratio / p->a->ratio : NAN);
    if (!same_metric(p))
        table_add_text(t, SPAN("other metric"));
    else if (!same_case(p))
        table_add_text(t, SPAN("other version"));
    else if (both_have_ratios(p))
        table_add_text(t, are_apart(p) ? SPAN("apart") : SPAN("overlap"));
    else
        table_add_absent(t);
}

/* --- the same, counts --- */

static const char *const agreements[] = {"reproduced on both",    "reproduced on A only", "reproduced on B only",
                                         "reproduced on neither", "not run on both",      "intervals overlap",
                                         "intervals apart",       "different metrics",    "different versions"};

enum { ON_BOTH, ON_A, ON_B, ON_NEITHER, NOT_ON_BOTH, OVERLAP, APART, OTHER_METRIC, OTHER_VERSION, AGREEMENTS };

static void count(size_t counts[AGREEMENTS], const struct both *p)
{
    bool a = p->a->verdict == BENCH_REPRODUCED, b = p->b->verdict == BENCH_REPRODUCED;

    if (!bench_summary_is(p->a) || !bench_summary_is(p->b)) {
        counts[NOT_ON_BOTH]++;
        return;
    }
    if (!are_comparable(p)) {
        counts[same_metric(p) ? OTHER_VERSION : OTHER_METRIC]++;
        return;
    }
    counts[a && b ? ON_BOTH : a ? ON_A : b ? ON_B : ON_NEITHER]++;
    if (both_have_ratios(p))
        counts[are_apart(p) ? APART : OVERLAP]++;
}

void bench_compare(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2])
{
    struct table *t = table_list_add(r, "bench-compare", "Two machines side by side");
    size_t counts[AGREEMENTS] = {0};

    table_columns(t,
                  "problem_id = Problem; %s = %s; metric = Metric; verdict_a = Verdict A; ratio_a real = Ratio A;"
                  " low_a real = Low A; high_a real = High A; verdict_b = Verdict B; ratio_b real = Ratio B;"
                  " low_b real = Low B; high_b real = High B; b_over_a real = B over A; intervals = Intervals",
                  study->group.column, study->group.facet->title.ptr);
    for (size_t i = 0; i < cases->items.n; i++) {
        struct both p = {&of[0].items[i], &of[1].items[i]};
        add_compared(t, &cases->items.at[i], study, &p);
        count(counts, &p);
    }
    table_note(t, "A: %s. B: %s. Ratios are buggy over fixed, with 95 %% intervals.", of[0].name, of[1].name);
    struct table *sums = table_list_add(r, "bench-agreement", "Do the machines agree?");

    table_columns(sums, "what = What; cases int = Cases");
    for (size_t i = 0; i < AGREEMENTS; i++)
        table_add_row(sums, table_text(span_of(agreements[i])), table_int((int64_t)counts[i]));
    table_note(
        sums,
        "Two 95 %% intervals that are apart speak for ratios that differ; that they overlap"
        " does not speak for equal ones. Ratios of different metrics, or of different versions of a case, are not compared.");
}
