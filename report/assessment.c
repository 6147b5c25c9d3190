/* assessment: research question 4, what existing approaches do about the benchmark's problems. */
#include "report/tables.h"

enum outcome { NOT_APPLIED, NOT_SOLVED, PARTIALLY_SOLVED, OUTCOMES };

static const char *const outcome_names[OUTCOMES] = {"not applied", "not solved", "partially solved"};

static const char ANY[] = "any approach";

/* Documentation is not run but read: it applies to a problem when it says something about it, and solves none. */
static bool is_run(struct span approach)
{
    return !span_eq(approach, SPAN("documentation"));
}

static int outcome_of(struct span status)
{
    return (int)span_place(status, outcome_names, OUTCOMES);
}

/* For an approach that is run, "not solved" says that it was applied. For documentation, the published data write
 * "partially solved" when it applies, and "not solved" when it does not. */
static bool is_applied(const struct report_assessment *a)
{
    int outcome = outcome_of(a->status);

    return is_run(a->approach) ? outcome != NOT_APPLIED : outcome >= PARTIALLY_SOLVED;
}

bool assessment_is_in(const struct report_assessment *a, struct span column)
{
    bool run = is_run(a->approach);

    if (span_eq(column, SPAN("applied")))
        return is_applied(a);
    if (span_eq(column, SPAN("not_applied")))
        return run ? outcome_of(a->status) == NOT_APPLIED : !is_applied(a);
    if (span_eq(column, SPAN("not_solved")))
        return run && outcome_of(a->status) == NOT_SOLVED;
    if (span_eq(column, SPAN("partially_solved")))
        return run && outcome_of(a->status) == PARTIALLY_SOLVED;
    return span_eq(column, SPAN("problems"));
}

struct approach {
    struct span name;
    int64_t n, applied, outcomes[OUTCOMES];
};

enum { APPROACHES_MAX = 64 };

/* --- the best of each problem, by any approach --- */

enum best { NONE_APPLIED, ONE_APPLIED, NONE_SOLVED, ONE_HELPED };

struct best_of {
    struct span problem_id;
    bool is[ONE_HELPED + 1];
};

/* By problem; *n: how many. The caller frees it. */
static struct best_of *best_of(const struct report_data *d, size_t *n)
{
    AT_END(mem_end) struct report_assessment *sorted = mem_zero(d->n_assessments + 1, sizeof *sorted);
    struct best_of *all = mem_zero(d->n_assessments + 1, sizeof *all);

    for (size_t i = 0; i < d->n_assessments; i++)
        sorted[i] = d->assessments[i];
    qsort(sorted, d->n_assessments, sizeof *sorted, text_order);
    *n = 0;
    for (size_t i = 0; i < d->n_assessments;) {
        struct best_of *best = &all[(*n)++];
        bool run = false;
        best->problem_id = sorted[i].problem_id;
        for (; i < d->n_assessments && span_eq(sorted[i].problem_id, best->problem_id); i++) {
            bool runs = is_run(sorted[i].approach), applies = is_applied(&sorted[i]);
            best->is[ONE_APPLIED] |= applies;
            run |= runs && applies;
            best->is[ONE_HELPED] |= runs && outcome_of(sorted[i].status) >= PARTIALLY_SOLVED;
        }
        best->is[NONE_APPLIED] = !best->is[ONE_APPLIED];
        best->is[NONE_SOLVED] = run && !best->is[ONE_HELPED];
    }
    return all;
}

bool assessment_is_any(struct span approach)
{
    return span_eq(approach, SPAN(ANY));
}

size_t assessment_any(const struct report_data *d, struct span column, struct span *out)
{
    static const char *const columns[] = {[NONE_APPLIED] = "not_applied",
                                          [ONE_APPLIED] = "applied",
                                          [NONE_SOLVED] = "not_solved",
                                          [ONE_HELPED] = "partially_solved"};
    size_t what = span_place(column, columns, ARRAY_LEN(columns)), n_all, n = 0;
    AT_END(mem_end) struct best_of *all = best_of(d, &n_all);

    for (size_t i = 0; i < n_all; i++)
        if (what == ARRAY_LEN(columns) || all[i].is[what])
            out[n++] = all[i].problem_id;
    return n;
}

void add_assessment(const struct tables *s, const struct report_statistic *what)
{
    struct table *t = table_list_add(s->report, what->id, what->title);
    struct approach all[APPROACHES_MAX + 1]; /* and the last row */
    size_t n = 0, n_best;
    AT_END(mem_end) struct best_of *best = best_of(s->data, &n_best);

    for (size_t i = 0; i < s->data->n_assessments; i++) {
        const struct report_assessment *from = &s->data->assessments[i];
        size_t place = items_find(all, n, name, from->approach);
        int outcome = outcome_of(from->status);
        if (place == APPROACHES_MAX)
            continue;
        if (place == n)
            all[n++] = (struct approach){.name = from->approach};
        all[place].n++;
        all[place].applied += is_applied(from);
        if (outcome < OUTCOMES)
            all[place].outcomes[outcome]++;
    }
    struct approach any = {.name = SPAN(ANY), .n = (int64_t)n_best};
    for (size_t i = 0; i < n_best; i++) {
        any.applied += best[i].is[ONE_APPLIED];
        any.outcomes[NOT_APPLIED] += best[i].is[NONE_APPLIED];
        any.outcomes[NOT_SOLVED] += best[i].is[NONE_SOLVED];
        any.outcomes[PARTIALLY_SOLVED] += best[i].is[ONE_HELPED];
    }
    if (n > 1)
        all[n++] = any;

    table_columns(t, "approach; problems int; not_applied int = not applied; not_solved int = not solved; "
                     "partially_solved int = partially solved");
    share_columns(t, "applied", NULL, s->wanted->confidence);
    for (size_t i = 0; i < n; i++) {
        const struct approach *a = &all[i];
        bool run = is_run(a->name);
        table_add_row(t, table_text(a->name), table_int(a->n),
                      table_int(run ? a->outcomes[NOT_APPLIED] : a->n - a->applied),
                      run ? table_int(a->outcomes[NOT_SOLVED]) : table_absent(),
                      run ? table_int(a->outcomes[PARTIALLY_SOLVED]) : table_absent());
        add_share(t, a->applied, a->n, s->wanted->confidence);
    }
    table_note(t, "Applied: not solved or partially solved. Documentation is read and not run: it applies"
                  " or not. The last row takes the best of each problem; where documentation alone applies,"
                  " the problem is neither solved nor not.");
}
