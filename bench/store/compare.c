/* bench_compare: the results of two machines, compared. */
#include "bench/store/compare.h"

#include <math.h>

struct both {
    const struct bench_summary *a, *b;
};

static bool has_result(const struct bench_summary *s)
{
    return s->metric[0] != '\0';
}

/* A ratio of memory says nothing beside one of time. */
static bool same_metric(const struct both *p)
{
    return !has_result(p->a) || !has_result(p->b) || strcmp(p->a->metric, p->b->metric) == 0;
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

/* --- each case --- */

static void add_side(struct table *t, const struct bench_summary *s)
{
    table_add_row(t, table_text(has_result(s) ? span_of(bench_verdict_names[s->verdict]) : SPAN("not run")),
                  table_real(s->ratio), table_real(s->low), table_real(s->high));
}

static void add_case(struct table *t, const struct bench_case *c, const struct bench_study *study, const struct both *p)
{
    struct span group = bench_study_find(study, c->id).group;

    table_add_row(t, table_text(span_of(c->id)), table_text(group.len > 0 ? group : (struct span){0}));
    const struct bench_summary *measured = has_result(p->a) ? p->a : p->b;
    table_add_text(t, span_of(has_result(measured) ? measured->metric : bench_metric_names[c->metric]));
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

/* --- counts --- */

static const char *const agreements[] = {"reproduced on both",    "reproduced on A only", "reproduced on B only",
                                         "reproduced on neither", "not run on both",      "intervals overlap",
                                         "intervals apart",       "different metrics",    "different versions"};

enum { ON_BOTH, ON_A, ON_B, ON_NEITHER, NOT_ON_BOTH, OVERLAP, APART, OTHER_METRIC, OTHER_VERSION, AGREEMENTS };

static void count(size_t counts[AGREEMENTS], const struct both *p)
{
    bool a = p->a->verdict == BENCH_REPRODUCED, b = p->b->verdict == BENCH_REPRODUCED;

    if (!has_result(p->a) || !has_result(p->b)) {
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

static void add_counts(struct table_list *r, const size_t counts[AGREEMENTS])
{
    struct table *t = table_list_add(r, "bench-agreement", "Do the machines agree?");

    table_add_columns(t, {"what", "What", TABLE_TEXT}, {"cases", "Cases", TABLE_INT});
    for (size_t i = 0; i < AGREEMENTS; i++) {
        table_add_row(t, table_text(span_of(agreements[i])), table_int((int64_t)counts[i]));
    }
    table_note(
        t,
        "Two 95 %% intervals that are apart speak for ratios that differ; that they overlap"
        " does not speak for equal ones. Ratios of different metrics, or of different versions of a case, are not compared.");
}

void bench_compare(struct table_list *r, const struct bench_cases *cases, const struct bench_study *study,
                   const struct bench_results of[2])
{
    struct table *t = table_list_add(r, "bench-compare", "Two machines side by side");
    size_t counts[AGREEMENTS] = {0};

    table_add_columns(
        t, {"problem_id", "Problem", TABLE_TEXT}, {study->group.column, study->group.facet->title.ptr, TABLE_TEXT},
        {"metric", "Metric", TABLE_TEXT}, {"verdict_a", "Verdict A", TABLE_TEXT}, {"ratio_a", "Ratio A", TABLE_REAL},
        {"low_a", "Low A", TABLE_REAL}, {"high_a", "High A", TABLE_REAL}, {"verdict_b", "Verdict B", TABLE_TEXT},
        {"ratio_b", "Ratio B", TABLE_REAL}, {"low_b", "Low B", TABLE_REAL}, {"high_b", "High B", TABLE_REAL},
        {"b_over_a", "B over A", TABLE_REAL}, {"intervals", "Intervals", TABLE_TEXT});
    for (size_t i = 0; i < cases->items.n; i++) {
        struct both p = {&of[0].items[i], &of[1].items[i]};
        add_case(t, &cases->items.at[i], study, &p);
        count(counts, &p);
    }
    table_note(t, "A: %s. B: %s. Ratios are buggy over fixed, with 95 %% intervals.", of[0].name, of[1].name);
    add_counts(r, counts);
}
