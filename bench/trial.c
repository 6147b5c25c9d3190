/* Runs a script in place of that of a case, and says whether it computes the same. */
#include "bench/runs.h"

/* One run of a script at a size where it ends, with what fixed.py runs with. */
static enum status run_text(struct bench_run *run, const struct bench_case *c, const struct bench_setting *s,
                            const char *python, struct scratch *scratch, struct span text, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process p;
    enum status status = run_script(&p, s, c, python, c->small[0] != '\0' ? BENCH_SMALL : BENCH_PLAIN,
                                    buf_cstr(&scratch->path), bench_script_names[BENCH_FIXED], text, e);

    if (status == ST_OK)
        run_keep(run, c, &p);
    return status;
}

static void set_outcome(struct bench_trial *t, const struct bench_case *c, const struct bench_run *fixed,
                        const struct bench_run *run)
{
    t->outcome = BENCH_TRIAL_FAILS;
    if (run->end == BENCH_TIMED_OUT)
        snprintf(t->why, sizeof t->why, "still running after %u s", (unsigned)c->seconds);
    else if (run->end == BENCH_OUT_OF_MEMORY)
        snprintf(t->why, sizeof t->why, "needs more than %u MB", (unsigned)c->memory_mb);
    else if (run->end == BENCH_SIGNALLED)
        snprintf(t->why, sizeof t->why, "ended by signal %d", run->code);
    else if (run->code != 0)
        snprintf(t->why, sizeof t->why, "%s", run->said);
    else if (run->digest[0] == '\0')
        snprintf(t->why, sizeof t->why, "printed no digest");
    else
        t->outcome = bench_runs_agree(c, fixed, run) ? BENCH_TRIAL_SAME : BENCH_TRIAL_DIFFERS;
}

static enum status run_trials(const struct bench_case *c, const struct bench_setting *s, const char *python,
                              const struct buf *fixed_text, struct bench_trial *trials, size_t n, struct err *e)
{
    AT_END(scratch_close) struct scratch scratch = {0};
    AT_END(run_clear) struct bench_run fixed = {0};
    struct bench_trial own = {0};
    enum status status = scratch_open(&scratch, e);

    THEN(status, run_text(&fixed, c, s, python, &scratch, buf_span(fixed_text), e));
    set_outcome(&own, c, &fixed, &fixed);
    if (status == ST_OK && own.outcome != BENCH_TRIAL_SAME)
        status = err_set(e, ST_INPUT, "%s: fixed.py fails: %s", c->id, own.why);
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        AT_END(run_clear) struct bench_run run = {0};
        status = run_text(&run, c, s, python, &scratch, trials[i].text, e);
        if (status == ST_OK)
            set_outcome(&trials[i], c, &fixed, &run);
    }
    return status;
}

const char *const bench_trial_names[] = {"same", "differs", "fails", NULL};

enum status bench_try(const struct bench_case *c, const struct bench_setting *s, struct bench_trial *trials, size_t n,
                      struct err *e)
{
    AT_END(bench_sides_clear) struct buf texts[BENCH_SIDES] = {{0}, {0}};
    AT_END(bench_sides_clear) struct buf pythons[BENCH_SIDES] = {{0}, {0}};
    struct err why = {0};
    sigset_t before;
    enum status status = ST_OK;

    if (!run_may(c, s, &why))
        return err_set(e, ST_INPUT, "%s: %s", c->id, why.text);
    status = bench_case_scripts(texts, c, s->cases_dir, e);
    process_shut_out(&before); /* a second Ctrl-C would leave the folder */
    THEN(status, run_pythons_find(pythons, c, s, e));
    THEN(status, run_trials(c, s, buf_cstr(&pythons[BENCH_FIXED]), &texts[BENCH_FIXED], trials, n, e));
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
