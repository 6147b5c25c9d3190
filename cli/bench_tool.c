/* The scores of a checker of others: each case, and precision and recall with intervals. */
#include "cli/bench_tool.h"

#include "bench/tool.h"

#include <math.h>

struct totals {
    uint64_t cases, found, at_place, silent;
    uint64_t findings, findings_at_place;
};

static const double CONFIDENCE = 0.95;

/* --- each case --- */

static void add_yes(struct table *t, bool yes)
{
    table_add_text(t, yes ? SPAN("yes") : SPAN("no"));
}

/* A stand-in shows another problem than its label says, so it is shown and not counted. */
static void count(struct totals *to, const struct bench_case *c, const struct bench_score *s)
{
    if (c->fidelity == BENCH_STAND_IN)
        return;
    to->cases++;
    to->found += s->found;
    to->at_place += s->at_place;
    to->silent += s->silent;
    to->findings += s->n_buggy;
    to->findings_at_place += s->n_at_place;
}

/* --- all together --- */

static void add_share(struct table *t, const char *what, uint64_t n, uint64_t of)
{
    struct proportion share;

    wilson_interval(n, of, CONFIDENCE, &share);
    table_add_row(t, table_text(span_of(what)), table_int((int64_t)n), table_int((int64_t)of),
                  table_real(of > 0 ? share.share : NAN), table_real(of > 0 ? share.low : NAN),
                  table_real(of > 0 ? share.high : NAN));
}

enum status bench_tool_assess(const char *path, const struct bench_chosen *chosen, const char *cases_dir,
                              const struct table_output *out, struct err *e)
{
    AT_END(bench_tool_clear) struct bench_tool tool;
    AT_END(table_list_clear) struct table_list r = {0};
    struct totals totals = {.cases = 0};
    enum status status = bench_tool_read(&tool, path, e);
    struct table *t = table_list_add(&r, "tool-cases", "Cases");

    table_columns(t, "problem_id = Problem; fidelity = Fidelity; found = Found; at_place = at the place; "
                     "silent_on_fixed = silent on fixed; rule = Rule; findings_buggy int = Findings in buggy; "
                     "findings_fixed int = in fixed");
    for (size_t i = 0; i < chosen->n && status == ST_OK; i++) {
        struct bench_score score;
        struct err why = {0};
        status = bench_tool_score(&score, &tool, chosen->items[i], cases_dir, &tool.arena, &why);
        if (status == ST_OK) {
            table_add_row(t, table_text(span_of(chosen->items[i]->id)),
                          table_text(span_of(bench_fidelity_names[chosen->items[i]->fidelity])));
            add_yes(t, score.found);
            add_yes(t, score.at_place);
            add_yes(t, score.silent);
            table_add_row(t, table_some(span_of(score.rule)), table_int((int64_t)score.n_buggy),
                          table_int((int64_t)score.n_fixed));
            count(&totals, chosen->items[i], &score);
        } else if (status != ST_NO) {
            status = err_set(e, status, "%s: %s", chosen->items[i]->id, why.text);
        }
    }
    if (out->format != TABLE_AS_CSV) {
        struct table *summary = table_list_add(&r, "tool-summary", "Scores");

        table_columns(summary,
                      "score = Score; n int = n; of int = of; share share = Share; low share = Low; high share = High");
        add_share(summary, "recall: found", totals.found, totals.cases);
        add_share(summary, "recall: found at the place", totals.at_place, totals.cases);
        add_share(summary, "silent on fixed", totals.silent, totals.cases);
        add_share(summary, "precision: findings at the place", totals.findings_at_place, totals.findings);
        table_note(summary,
                   "Tool: %s. Stand-ins are not counted. Found: a rule has more findings in buggy.py"
                   " than in fixed.py. At the place: one of them is at most %d lines from a line that"
                   " the fix changes. Intervals: Wilson, 95 %%.",
                   tool.name, BENCH_PLACE_NEAR);
    }
    if (status == ST_OK)
        table_list_print(&r, out);
    return status;
}
