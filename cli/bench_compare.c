#include "cli/bench_compare.h"

#include <math.h>

struct both {
    const struct bench_summary *a, *b;
};

static bool has_result(const struct bench_summary *s)
{
    return s->metric[0] != '\0';
}

static bool both_have_ratios(const struct both *p)
{
    return !isnan(p->a->low) && !isnan(p->b->low) && !isnan(p->a->high) && !isnan(p->b->high);
}

static bool are_apart(const struct both *p)
{
    return p->a->low > p->b->high || p->b->low > p->a->high;
}

/* --- each case --- */

static void add_columns(struct report_table *t)
{
    static const struct {
        const char *name, *title;
        enum report_kind kind;
    } columns[] = {
        {"problem_id", "Problem", REPORT_TEXT},   {"root_cause", "Root cause", REPORT_TEXT},
        {"metric", "Metric", REPORT_TEXT},        {"verdict_a", "Verdict A", REPORT_TEXT},
        {"ratio_a", "Ratio A", REPORT_REAL},      {"low_a", "Low A", REPORT_REAL},
        {"high_a", "High A", REPORT_REAL},        {"verdict_b", "Verdict B", REPORT_TEXT},
        {"ratio_b", "Ratio B", REPORT_REAL},      {"low_b", "Low B", REPORT_REAL},
        {"high_b", "High B", REPORT_REAL},        {"b_over_a", "B over A", REPORT_REAL},
        {"intervals", "Intervals", REPORT_TEXT},
    };

    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        report_column_add(t, columns[i].name, columns[i].title, columns[i].kind);
}

static void add_side(struct report_table *t, const struct bench_summary *s)
{
    report_add_text(t, has_result(s) ? span_of(bench_verdict_names[s->verdict]) : SPAN("not run"));
    report_add_real(t, s->ratio);
    report_add_real(t, s->low);
    report_add_real(t, s->high);
}

static void add_case(struct report_table *t, const struct bench_case *c,
                     const struct bench_study *study, const struct both *p)
{
    struct span root_cause = bench_study_find(study, c->id).root_cause;

    report_add_text(t, span_of(c->id));
    report_add_text(t, root_cause.len > 0 ? root_cause : (struct span){0});
    report_add_text(t, span_of(bench_metric_names[c->metric]));
    add_side(t, p->a);
    add_side(t, p->b);
    report_add_real(t, p->b->ratio / p->a->ratio);
    if (both_have_ratios(p))
        report_add_text(t, are_apart(p) ? SPAN("apart") : SPAN("overlap"));
    else
        report_add_absent(t);
}

/* --- counts --- */

static const char *const agreements[] = {
    "reproduced on both", "reproduced on A only", "reproduced on B only", "reproduced on neither",
    "not run on both",    "intervals overlap",    "intervals apart",
};

enum { ON_BOTH, ON_A, ON_B, ON_NEITHER, NOT_ON_BOTH, OVERLAP, APART, AGREEMENTS };

static void count(size_t counts[AGREEMENTS], const struct both *p)
{
    bool a = p->a->verdict == BENCH_REPRODUCED, b = p->b->verdict == BENCH_REPRODUCED;

    if (!has_result(p->a) || !has_result(p->b)) {
        counts[NOT_ON_BOTH]++;
        return;
    }
    counts[a && b ? ON_BOTH : a ? ON_A : b ? ON_B : ON_NEITHER]++;
    if (both_have_ratios(p))
        counts[are_apart(p) ? APART : OVERLAP]++;
}

static void add_counts(struct report *r, const size_t counts[AGREEMENTS])
{
    struct report_table *t = report_table_add(r, "bench-agreement", "Do the machines agree?");

    report_column_add(t, "what", "What", REPORT_TEXT);
    report_column_add(t, "cases", "Cases", REPORT_INT);
    for (size_t i = 0; i < AGREEMENTS; i++) {
        report_add_text(t, span_of(agreements[i]));
        report_add_int(t, (int64_t)counts[i]);
    }
    report_note(t, "Two 95 %% intervals that are apart speak for ratios that differ; that they overlap"
                   " does not speak for equal ones.");
}

void bench_compare(struct report *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2])
{
    struct report_table *t = report_table_add(r, "bench-compare", "Two machines side by side");
    size_t counts[AGREEMENTS] = {0};

    add_columns(t);
    for (size_t i = 0; i < cases->items.n; i++) {
        struct both p = {&of[0].items[i], &of[1].items[i]};
        add_case(t, &cases->items.at[i], study, &p);
        count(counts, &p);
    }
    report_note(t, "A: %s. B: %s. Ratios are buggy over fixed, with 95 %% intervals.", of[0].name,
                of[1].name);
    add_counts(r, counts);
}
