/* The verdict on a case, from the runs of its buggy and its fixed script. */
#include "bench/results.h"
#include "bench/runs.h"

#include <math.h>
#include <stdarg.h>

const char *const bench_verdict_names[] = {
    "reproduced", "not reproduced here", "not runnable here", "not equivalent", "broken", NULL};

static const double RATIO_LEAST = 1.5, LOW_LEAST = 1.2;
/* One run of each side gives a ratio, but no interval and so no verdict. */
enum { RUNS_LEAST = 2 };
/* Below these there is only noise. */
static const double FLOOR_SECONDS = 0.001, FLOOR_PEAK_KB = 1024, FLOOR_STEP_KB = 16;

/* --- the metric of a run --- */

static double at_least(double value, double floor)
{
    return isnan(value) || value > floor ? value : floor;
}

double bench_metric_of(enum bench_metric metric, const struct bench_process *p)
{
    const struct bench_marks *m = &p->marks;
    const struct bench_numbers *steps = &m->step_seconds;

    switch (metric) {
    case BENCH_CPU_TIME:
        return at_least(p->user_seconds + p->system_seconds, FLOOR_SECONDS);
    case BENCH_INIT_TIME:
        return at_least(m->ready, FLOOR_SECONDS);
    case BENCH_MEMORY_GROWTH:
        return at_least(stat_slope(m->step_rss_kb.at, m->step_rss_kb.n), FLOOR_STEP_KB);
    case BENCH_PEAK_MEMORY:
        return at_least(m->work_peak_rss_kb - m->work_rss_before_kb, FLOOR_PEAK_KB);
    case BENCH_PEAK_MEMORY_TOTAL:
        return at_least((double)p->peak_kb, FLOOR_PEAK_KB);
    case BENCH_STEP_GROWTH:
        return at_least(1 + stat_slope(steps->at, steps->n) * (double)(steps->n - 1) /
                                at_least(stat_median(steps->at, steps->n), 1e-9),
                        1);
    case BENCH_WORK_TIME:
        return at_least(m->work_seconds, m->work_rounds >= 1 ? FLOOR_SECONDS / m->work_rounds : FLOOR_SECONDS);
    default: /* of failures too the time is of interest */
        return at_least(p->wall, FLOOR_SECONDS);
    }
}

/* What a script must print for it; the others need nothing. */
static const char *const marks_of[BENCH_METRICS] = {
    [BENCH_INIT_TIME] = "ready",
    [BENCH_MEMORY_GROWTH] = "step_rss_kb with two figures or more",
    [BENCH_STEP_GROWTH] = "step_seconds with two figures or more",
    [BENCH_PEAK_MEMORY] = "work_rss_before_kb and work_peak_rss_kb",
    [BENCH_WORK_TIME] = "work_seconds",
};

/* --- failures --- */

/* Returns ST_NO, so that what follows is not looked at. */
static PRINTF_LIKE(3, 4) enum status verdict(struct bench_result *r, enum bench_verdict v, const char *fmt, ...)
{
    va_list arguments;

    r->verdict = v;
    va_start(arguments, fmt);
    vsnprintf(r->why, sizeof r->why, fmt, arguments);
    va_end(arguments);
    return ST_NO;
}

static enum status say_failure(struct bench_result *r, const struct bench_case *c, int side,
                               const struct bench_run *run)
{
    const char *colon = run->said[0] != '\0' ? ": " : "";
    char name[40];

    snprintf(name, sizeof name, "%s%s", bench_script_names[side], run->small ? " at the small size" : "");
    switch (run->end) {
    case BENCH_TIMED_OUT:
        return verdict(r, BENCH_BROKEN, "%s was still running at its limit of %u s", name, (unsigned)c->seconds);
    case BENCH_OUT_OF_MEMORY:
        return verdict(r, BENCH_BROKEN, "%s went over its limit of %u MB", name, (unsigned)c->memory_mb);
    case BENCH_SIGNALLED:
        return verdict(r, BENCH_BROKEN, "%s was ended by signal %d%s%s", name, run->code, colon, run->said);
    default:
        return verdict(r, BENCH_BROKEN, "%s failed with exit code %d%s%s", name, run->code, colon, run->said);
    }
}

bool bench_fails_so(enum bench_metric metric, const struct bench_run *run)
{
    if (run->small)
        return false;
    if (metric == BENCH_HANG)
        return run->end == BENCH_TIMED_OUT;
    return metric == BENCH_EXHAUSTION && (run->end == BENCH_OUT_OF_MEMORY || run->lacked_memory);
}

static enum status check_runs(const struct bench_case *c, struct bench_result *r)
{
    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < r->n_runs[side]; i++) {
            const struct bench_run *run = &r->runs[side][i];
            if (bench_fails_so(c->metric, run))
                continue;
            if (!(run->end == BENCH_EXITED && run->code == 0))
                return say_failure(r, c, side, run);
            if (isnan(run->metric) && marks_of[c->metric] != NULL)
                return verdict(r, BENCH_BROKEN, "%s printed no %s", bench_script_names[side], marks_of[c->metric]);
        }
    return ST_OK;
}

/* --- do they compute the same? --- */

bool bench_runs_agree(const struct bench_case *c, const struct bench_run *a, const struct bench_run *b)
{
    if (strcmp(a->digest, b->digest) == 0)
        return true;
    if (c->exact || a->values.n == 0 || a->values.n != b->values.n || strcmp(a->exact, b->exact) != 0)
        return false;
    for (size_t i = 0; i < a->values.n; i++) {
        double x = a->values.at[i], y = b->values.at[i];
        if (!(fabs(x - y) <= c->tolerance * fmax(fabs(x), fabs(y))))
            return false;
    }
    return true;
}

static enum status check_digests(const struct bench_case *c, struct bench_result *r)
{
    const struct bench_run *firsts[2] = {NULL, NULL}; /* of a plain and of a small size */

    for (int side = BENCH_FIXED; side >= BENCH_BUGGY && !c->uncompared; side--)
        for (size_t i = 0; i < r->n_runs[side]; i++) {
            const struct bench_run *run = &r->runs[side][i];
            if (bench_fails_so(c->metric, run))
                continue;
            if (run->digest[0] == '\0')
                return verdict(r, BENCH_BROKEN, "%s printed no digest", bench_script_names[side]);
            const struct bench_run **first = &firsts[run->small];
            *first = *first != NULL ? *first : run;
            if (bench_runs_agree(c, *first, run))
                continue;
            if (side == BENCH_FIXED)
                return verdict(r, BENCH_BROKEN, "fixed.py does not compute the same each time");
            return verdict(r, BENCH_NOT_EQUIVALENT, "buggy.py does not compute what fixed.py does");
        }
    return ST_OK;
}

/* --- the verdict --- */

void bench_judge_failure(enum bench_metric metric, struct bench_result *r)
{
    size_t failed[BENCH_SIDES] = {0}, of[BENCH_SIDES] = {0};
    char more[60] = "";

    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < r->n_runs[side]; i++) {
            of[side] += !r->runs[side][i].warm_up;
            failed[side] += !r->runs[side][i].warm_up && bench_fails_so(metric, &r->runs[side][i]);
        }
    bool enough = of[BENCH_BUGGY] >= RUNS_LEAST && of[BENCH_FIXED] >= RUNS_LEAST;
    bool reproduced = enough && failed[BENCH_BUGGY] == of[BENCH_BUGGY] && failed[BENCH_FIXED] == 0;
    if (!enough)
        snprintf(more, sizeof more, "; a verdict needs at least %d runs of each", RUNS_LEAST);
    verdict(r, reproduced ? BENCH_REPRODUCED : BENCH_NOT_REPRODUCED,
            "buggy.py %s in %zu of %zu runs, fixed.py in %zu of %zu%s",
            metric == BENCH_HANG ? "ran into the time limit" : "lacked memory", failed[BENCH_BUGGY], of[BENCH_BUGGY],
            failed[BENCH_FIXED], of[BENCH_FIXED], more);
}

static size_t metrics_of(const struct bench_result *r, int side, double *out)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_runs[side]; i++)
        if (!r->runs[side][i].warm_up)
            out[n++] = r->runs[side][i].metric;
    return n;
}

void bench_judge_ratio(struct bench_result *r)
{
    AT_END(mem_end) double *buggy = mem_zero(r->n_runs[BENCH_BUGGY] + 1, sizeof *buggy);
    AT_END(mem_end) double *fixed = mem_zero(r->n_runs[BENCH_FIXED] + 1, sizeof *fixed);
    size_t n_buggy = metrics_of(r, BENCH_BUGGY, buggy), n_fixed = metrics_of(r, BENCH_FIXED, fixed);

    r->medians[BENCH_BUGGY] = stat_median(buggy, n_buggy);
    r->medians[BENCH_FIXED] = stat_median(fixed, n_fixed);
    r->ratio = stat_ratio(buggy, n_buggy, fixed, n_fixed, r->seed);
    if (n_buggy < RUNS_LEAST || n_fixed < RUNS_LEAST) {
        r->ratio.low = r->ratio.high = NAN;
        verdict(r, BENCH_NOT_REPRODUCED, "buggy over fixed is %.2f; a verdict needs at least %d runs of each",
                r->ratio.ratio, RUNS_LEAST);
        return;
    }
    bool reproduced = r->ratio.ratio >= RATIO_LEAST && r->ratio.low > LOW_LEAST;
    verdict(r, reproduced ? BENCH_REPRODUCED : BENCH_NOT_REPRODUCED, "buggy over fixed is %.2f (%.2f to %.2f)%s",
            r->ratio.ratio, r->ratio.low, r->ratio.high,
            reproduced ? "" : "; at least 1.5 is asked for, the lower end above 1.2");
}

void bench_judge(const struct bench_case *c, struct bench_result *r)
{
    r->medians[BENCH_BUGGY] = r->medians[BENCH_FIXED] = NAN;
    r->ratio = (struct stat_ratio){NAN, NAN, NAN};
    if (check_runs(c, r) != ST_OK || check_digests(c, r) != ST_OK)
        return;
    if (bench_is_failure(c->metric))
        bench_judge_failure(c->metric, r);
    else
        bench_judge_ratio(r);
    if (c->metric == BENCH_WORK_TIME) {
        /* The shortest that was timed of a side, all rounds of a run together. */
        double least = INFINITY;
        size_t len = strlen(r->why);

        for (const struct bench_run *run = r->runs[BENCH_FIXED]; run < r->runs[BENCH_FIXED] + r->n_runs[BENCH_FIXED];
             run++)
            least = fmin(least, run->work_seconds * (double)run->work_rounds);
        if (least < BENCH_LEAST_SECONDS)
            snprintf(r->why + len, sizeof r->why - len,
                     "; only %.3f s of fixed.py are timed, so much of it may be a first call", least);
    }
}

void run_clear(struct bench_run *run)
{
    array_clear(&run->values);
    array_clear(&run->step_seconds);
    array_clear(&run->step_rss_kb);
    array_clear(&run->samples_at);
    array_clear(&run->samples_kb);
}

void bench_result_clear(struct bench_result *r)
{
    for (int side = 0; side < BENCH_SIDES; side++) {
        buf_clear(&r->versions[side]);
        for (size_t i = 0; i < r->n_runs[side]; i++)
            run_clear(&r->runs[side][i]);
        mem_free(r->runs[side]);
    }
    *r = (struct bench_result){0};
}
