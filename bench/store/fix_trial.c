/* Measures the fixes and proposals of check with a command of the user. */
#include "bench/store/fix_trial.h"

#include "base/log.h"
#include "base/visible.h"

#include <math.h>

static const char *title_of(const struct check_finding *f)
{
    return f->n_edits > 0 ? f->fix : f->proposal;
}

static enum status try_chosen(struct fix_trial *t, struct command_pair *pair, const bool *chosen,
                              struct command_result *result, bool *changes_something, struct err *e)
{
    AT_END(array_end) struct ARRAY_OF(struct command_change) changes = {0};
    AT_END(arena_clear) struct arena arena = {0}; /* of the changed files */

    /* Findings of a file follow each other. */
    size_t n;
    const struct check_finding *found = check_findings(t->run, &n);
    const char *last = NULL;
    AT_END(buf_clear) struct buf absolute = {0};

    for (size_t i = 0; i < n; i++) {
        if (!chosen[i] || found[i].path == last)
            continue;
        last = found[i].path;
        AT_END(buf_clear) struct buf text = {0};
        const char *path = check_below(t->spec->folder, last, &absolute);
        if (path != NULL && check_changed(t->run, last, chosen, &text, NULL))
            array_add(&changes, {arena_text(&arena, span_of(path)), arena_copy(&arena, buf_span(&text))});
    }
    *changes_something = changes.n > 0;
    return *changes_something ? command_pair_try(pair, changes.at, changes.n, result, e) : ST_OK;
}

/* --- rows --- */

void fix_trial_columns(struct table *rows)
{
    table_columns(rows, "place = Place; rule = Rule; change = Change; result = Result; "
                        "times_faster real = Times faster; low real = from; high real = to; "
                        "seconds_before real = s before; seconds_after real = s after; mb_before real = MB before; "
                        "mb_after real = MB after; why = Why");
}

static void add_place(struct buf *out, const struct check_finding *f)
{
    buf_addf(out, "%s:%u", f->path, (unsigned)f->line);
}

static void add_result(struct table *rows, const struct command_result *r)
{
    table_add_row(rows, table_text(span_of(command_verdicts[r->verdict])), table_real(r->time.ratio),
                  table_real(r->time.low), table_real(r->time.high));
    for (int side = 0; side < BENCH_SIDES; side++)
        table_add_real(rows, r->seconds[side]);
    for (int side = 0; side < BENCH_SIDES; side++)
        table_add_real(rows, r->peak_kb[side] / 1024);
    table_add_row(rows, table_some(span_of(r->why)));
    if (r->others > 0.5)
        log_warn("others used %.1f processors in the meantime: measure again on a quiet machine", r->others);
}

/* --- the patch --- */

/* A message that says what was measured, then the diff. */
static void write_patch(struct fix_trial *t, const bool *chosen, const struct command_result *all,
                        const struct command_result *results)
{
    struct buf *out = &t->patch;
    size_t n;
    const struct check_finding *found = check_findings(t->run, &n);

    buf_addf(out, "Make the run %.2f times faster\n\n", all->time.ratio);
    for (size_t i = 0; i < t->spec->n_argv; i++)
        buf_addf_clean(out, "%s%s", i > 0 ? " " : "", t->spec->argv[i]);
    buf_addf(out,
             "\ntook %.2f s and takes %.2f s: %.2f times faster, 95 %% interval %.2f to %.2f,"
             " %llu runs\neach, in turn. Peak memory was %.0f MB and is %.0f MB.\n",
             all->seconds[BENCH_BUGGY], all->seconds[BENCH_FIXED], all->time.ratio, all->time.low, all->time.high,
             (unsigned long long)t->spec->runs, all->peak_kb[BENCH_BUGGY] / 1024, all->peak_kb[BENCH_FIXED] / 1024);
    buf_add_text(out, "The same before and after");
    if (t->spec->tolerance > 0)
        buf_addf(out, " (numbers within %g)", t->spec->tolerance);
    for (size_t i = 0; i < t->spec->n_patterns; i++)
        buf_addf(out, "%s printed '%s'", i > 0 ? "," : ":", t->spec->patterns[i]);
    for (size_t i = 0; i < t->spec->n_files; i++)
        buf_addf(out, "%s file %s", i + t->spec->n_patterns > 0 ? "," : ":", t->spec->files[i]);
    buf_add_text(out, ".\n\n");
    for (size_t i = 0; i < n; i++)
        if (chosen[i]) {
            buf_add_text(out, "- ");
            add_place(out, &found[i]);
            buf_addf(out, ": %s (%s): %.2f times faster alone\n", title_of(&found[i]), found[i].rule->id,
                     results[i].time.ratio);
        }
    buf_add_char(out, '\n');
    check_add_diff(t->run, chosen, out);
}

/* --- all of it --- */

/* Has it a change, to a file that is in the folder? */
static bool can_be_tried(const struct fix_trial *t, const struct check_finding *f)
{
    AT_END(buf_clear) struct buf absolute = {0};
    return f->n_edits + f->n_proposed > 0 && check_below(t->spec->folder, f->path, &absolute) != NULL;
}

static enum status try_each(struct fix_trial *t, struct command_pair *pair, size_t total, bool *helped,
                            struct command_result *results, struct table *rows, struct err *e)
{
    size_t n;
    const struct check_finding *found = check_findings(t->run, &n);
    bool *chosen = mem_zero(n + 1, sizeof *chosen), changed;
    enum status status = ST_OK;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        if (!can_be_tried(t, &found[i]))
            continue;
        chosen[i] = true;
        log_info("%zu of %zu: %s:%u: %s", t->n_tried + 1, total, found[i].path, (unsigned)found[i].line,
                 title_of(&found[i]));
        status = try_chosen(t, pair, chosen, &results[i], &changed, e);
        chosen[i] = false;
        if (status != ST_OK || !changed)
            continue;
        t->n_tried++;
        helped[i] = results[i].verdict == COMMAND_FASTER;
        t->n_helped += helped[i];
        AT_END(buf_clear) struct buf place = {0};
        add_place(&place, &found[i]);
        table_add_row(rows, table_text(buf_span(&place)), table_text(span_of(found[i].rule->id)),
                      table_text(span_of(title_of(&found[i]))));
        add_result(rows, &results[i]);
    }
    mem_free(chosen);
    return status;
}

/* Fixes that help one by one may not help together. */
static enum status try_together(struct fix_trial *t, struct command_pair *pair, bool *helped,
                                const struct command_result *results, struct table *rows, struct err *e)
{
    struct command_result all = {.verdict = COMMAND_NO_FASTER};
    bool changed;
    size_t n, best = SIZE_MAX;

    check_findings(t->run, &n);
    if (t->n_helped > 1) {
        log_info("all %zu that help, together", t->n_helped);
        enum status status = try_chosen(t, pair, helped, &all, &changed, e);
        if (status != ST_OK)
            return status;
        table_add_row(rows, table_absent(), table_absent(), table_text(SPAN("all that help")));
        add_result(rows, &all);
    }
    if (t->n_helped > 1 && all.verdict == COMMAND_FASTER) {
        write_patch(t, helped, &all, results);
        return ST_OK;
    }
    /* The best one alone. */
    for (size_t i = 0; i < n; i++)
        if (helped[i] && (best == SIZE_MAX || results[i].time.ratio > results[best].time.ratio))
            best = i;
    for (size_t i = 0; i < n; i++)
        helped[i] = i == best;
    write_patch(t, helped, &results[best], results);
    return ST_OK;
}

enum status fix_trial(struct fix_trial *t, struct table *rows, struct err *e)
{
    struct command_pair *pair = NULL;
    const char *outside = NULL; /* a file that has a change, but is not in the folder */
    size_t n, total = 0;
    const struct check_finding *found = check_findings(t->run, &n);

    for (size_t i = 0; i < n; i++)
        if (can_be_tried(t, &found[i]))
            total++;
        else if (found[i].n_edits + found[i].n_proposed > 0)
            outside = found[i].path;
    if (total == 0) {
        if (outside != NULL)
            return err_set(e, ST_INPUT,
                           "%s is not in %s, which the command runs in a copy of: call check from the"
                           " folder of the project, which contains both",
                           outside, t->spec->folder);
        return err_set(e, ST_INPUT,
                       "none of the findings has a change to try; --all tries those that are"
                       " less certain, too");
    }
    if (outside != NULL)
        log_warn("changes to files outside of this folder, such as %s, are not tried", outside);
    AT_END(mem_end) bool *helped = mem_zero(n + 1, sizeof *helped);
    AT_END(mem_end) struct command_result *results = mem_zero(n + 1, sizeof *results);
    log_info("%zu change%s to try; the command runs %llu times for each", total, total == 1 ? "" : "s",
             2 * (unsigned long long)t->spec->runs + 1);
    enum status status = command_pair_begin(&pair, t->spec, e);
    THEN(status, try_each(t, pair, total, helped, results, rows, e));
    if (status == ST_OK && t->n_helped > 0)
        status = try_together(t, pair, helped, results, rows, e);
    command_pair_end(pair);
    return status;
}
