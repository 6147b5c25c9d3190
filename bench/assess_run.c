/* assess_run: measures what XLA and the Profiler do about a case. */
#include "base/log.h"
#include "bench/results.h"
#include "bench/runs.h"

#include <math.h>
#include <stdlib.h>

struct work {
    const struct bench_case *c;
    const struct bench_setting *s;
    struct bench_assessment *out;
    struct buf texts[BENCH_SIDES];
    struct buf pythons[BENCH_SIDES];
    struct scratch scratch;
    struct bench_numbers compilations, compile_seconds, nets, works, buggy_works;
};

/* --- a run --- */

static const double BUSY_LEAST = 0.5;

static void push(struct bench_numbers *list, double value)
{
    if (!isnan(value))
        array_add(list, value);
}

static double median(const struct bench_numbers *list)
{
    return stat_median(list->at, list->n);
}

/* ST_IO for a run that got too little of the processors to say something. A hang uses none anyway. */
static enum status run_one(struct work *w, enum bench_way way, int side, struct bench_process *p, struct err *e)
{
    enum status status = run_script(p, w->s, w->c, buf_cstr(&w->pythons[side]), way, buf_cstr(&w->scratch.path),
                                    bench_script_names[side], buf_span(&w->texts[side]), e);

    w->out->n_runs++;
    w->out->n_grouped += p->grouped;
    if (status == ST_OK && p->end == BENCH_TIMED_OUT && w->c->metric != BENCH_HANG &&
        p->user_seconds + p->system_seconds < p->wall * BUSY_LEAST)
        return err_set(e, ST_IO,
                       "the machine is too busy: %s had %.0f s of a processor in %.0f s; run it"
                       " again, or with --patience",
                       bench_script_names[side], p->user_seconds + p->system_seconds, p->wall);
    return status;
}

static bool ended_well(const struct bench_run *run)
{
    return run->end == BENCH_EXITED && run->code == 0;
}

static void say_failure(char *said, size_t size, const struct bench_run *run)
{
    switch (run->end) {
    case BENCH_TIMED_OUT:
        snprintf(said, size, "still running after %.0f s", run->wall);
        break;
    case BENCH_OUT_OF_MEMORY:
        snprintf(said, size, "went over %u MB",
                 (unsigned)((run->grouped && run->group_peak_kb > run->sampled_peak_kb ? run->group_peak_kb
                                                                                       : run->sampled_peak_kb) /
                            1024));
        break;
    case BENCH_SIGNALLED:
        snprintf(said, size, "signal %d", run->code);
        break;
    default:
        snprintf(said, size, "exit code %d: %.250s", run->code, run->said);
    }
}

/* --- the Profiler --- */

static void add_entry(struct bench_profile *p, struct span line)
{
    struct span seconds, number;
    char text[64], *end;
    struct bench_entry entry = {0};

    if (!span_cut(&line, ' ', &seconds) || !span_cut(&line, ' ', &number) || line.len == 0 ||
        seconds.len >= sizeof text || !span_u64(number, UINT64_MAX, &entry.count))
        return;
    snprintf(text, sizeof text, "%.*s", (int)seconds.len, seconds.ptr);
    entry.seconds = strtod(text, &end);
    if (*end != '\0' || !isfinite(entry.seconds))
        return;
    entry.name = arena_text(&p->arena, line);
    p->entries[p->n++] = entry;
}

static enum status profile(struct work *w, int side, struct err *e)
{
    struct bench_profile *out = &w->out->profiles[side];
    AT_END(bench_process_clear) struct bench_process p;
    AT_END(run_clear) struct bench_run run = {0};
    enum status status = run_one(w, BENCH_PROFILED, side, &p, e);

    if (status == ST_OK) {
        struct span rest = buf_span(&p.marks.entries), line;
        out->entries = mem_zero(BENCH_ENTRIES_MAX, sizeof *out->entries);
        while (out->n < BENCH_ENTRIES_MAX && span_cut(&rest, '\n', &line))
            add_entry(out, line);
        run_keep(&run, w->c, &p);
        out->ran = ended_well(&run);
        if (!out->ran)
            say_failure(out->said, sizeof out->said, &run);
    }
    return status;
}

/* --- XLA --- */

/* The figure without what of the compiling was in the marked part. Several threads compile at the same time, so the
 * sum may be more than the figure: a thousandth of it is kept. */
static double net_of(const struct bench_marks *m, double figure)
{
    double in_work = 0;

    for (size_t i = 0; i < m->compiled_at.n; i++)
        if (isnan(m->compiled_at.at[i]) || isnan(m->work_began) ||
            (m->compiled_at.at[i] >= m->work_began && m->compiled_at.at[i] <= m->work_began + m->work_seconds))
            in_work += m->compile_seconds.at[i];
    return figure - in_work > figure / 1000 ? figure - in_work : figure / 1000;
}

struct xla_run {
    struct bench_run run;
    size_t compilations;
    double compile_seconds, net;
};

static enum status run_xla(struct work *w, enum bench_way way, struct xla_run *out, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process p;
    enum status status = run_one(w, way, BENCH_BUGGY, &p, e);

    *out = (struct xla_run){.net = NAN};
    if (status == ST_OK) {
        for (size_t i = 0; i < p.marks.compile_seconds.n; i++)
            out->compile_seconds += p.marks.compile_seconds.at[i];
        out->compilations = p.marks.compile_seconds.n;
        run_keep(&out->run, w->c, &p);
        out->net = w->c->metric == BENCH_WORK_TIME ? net_of(&p.marks, out->run.metric) : out->run.metric;
        log_debug("%s: with XLA: %zu compilations, %.3f s", w->c->id, out->compilations, out->run.wall);
    }
    return status;
}

static void keep_xla_run(struct work *w, const struct xla_run *x)
{
    push(&w->compilations, (double)x->compilations);
    push(&w->compile_seconds, x->compile_seconds);
    push(&w->nets, x->net);
    push(&w->works, x->run.work_seconds);
    push(&w->out->xla.runs[2], x->run.metric);
}

/* Something to judge by: the end, the failure that the case is about, or none in a long time. */
static bool says_something(const struct bench_case *c, const struct bench_run *run)
{
    return ended_well(run) || bench_fails_so(c->metric, run) || run->end == BENCH_TIMED_OUT;
}

/* Which of the two runs is the better one? What failed, or was not compiled, is none. */
static bool is_better(const struct bench_case *c, const struct xla_run *x, const struct xla_run *best)
{
    if (x->compilations == 0 || !says_something(c, &x->run))
        return false;
    if (best->compilations == 0)
        return true;
    if (ended_well(&x->run) != ended_well(&best->run))
        return ended_well(&x->run);
    return x->net < best->net;
}

/* Tries each way once, and leaves the run of the better one in *best. */
static enum status choose_way(struct work *w, struct xla_run *best, struct err *e)
{
    static const enum bench_way ways[] = {BENCH_XLA_CLUSTERS, BENCH_XLA_FUNCTIONS};
    struct bench_xla *x = &w->out->xla;
    /* Sessions have no functions for XLA to compile. */
    bool has_functions = w->c->tensorflow != 1 && span_has_word(buf_span(&w->texts[BENCH_BUGGY]), "tf.function keras");
    enum status status = ST_OK;
    bool tried = false;

    for (size_t i = 0; i < ARRAY_LEN(ways) && status == ST_OK; i++) {
        struct xla_run one;
        if (ways[i] == BENCH_XLA_FUNCTIONS && !has_functions)
            continue;
        status = run_xla(w, ways[i], &one, e);
        if (status != ST_OK)
            break;
        bool fine = says_something(w->c, &one.run);
        if (!ended_well(&one.run))
            say_failure(x->said, sizeof x->said, &one.run);
        tried |= fine;
        if (is_better(w->c, &one, best)) {
            struct xla_run worse = *best;
            *best = one;
            one = worse;
            x->way = ways[i];
        }
        run_clear(&one.run);
    }
    x->failed = !tried;
    if (x->way != BENCH_PLAIN)
        x->said[0] = '\0';
    if (best->run.end == BENCH_TIMED_OUT)
        say_failure(x->said, sizeof x->said, &best->run);
    return status;
}

/* A run of a side without XLA. Its metric, NAN when it failed. */
static enum status run_plain(struct work *w, int side, struct bench_run *run, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process p;
    enum status status = run_one(w, BENCH_PLAIN, side, &p, e);

    *run = (struct bench_run){0};
    if (status == ST_OK) {
        run_keep(run, w->c, &p);
        push(&w->out->xla.runs[side], run->metric);
        if (side == BENCH_BUGGY)
            push(&w->buggy_works, run->work_seconds);
    }
    if (status == ST_OK && isnan(run->metric)) {
        char said[300];
        say_failure(said, sizeof said, run);
        status = err_set(e, ST_IO, "%s failed without XLA (%s), so there is nothing to compare with",
                         bench_script_names[side], said);
    }
    return status;
}

/* The first run with XLA is that of choose_way, so the rounds begin with buggy. */
static enum status compare(struct work *w, const struct xla_run *first, struct err *e)
{
    enum status status = ST_OK;

    keep_xla_run(w, first);
    for (uint64_t i = 0; i < w->s->n_runs && status == ST_OK; i++) {
        AT_END(run_clear) struct bench_run buggy = {0}, fixed = {0};
        status = run_plain(w, BENCH_BUGGY, &buggy, e);
        if (status == ST_OK && i == 0)
            w->out->xla.differs = !bench_runs_agree(w->c, &buggy, &first->run);
        if (status == ST_OK && i > 0) {
            struct xla_run x;
            status = run_xla(w, w->out->xla.way, &x, e);
            if (status == ST_OK)
                keep_xla_run(w, &x);
            run_clear(&x.run);
        }
        THEN(status, run_plain(w, BENCH_FIXED, &fixed, e));
    }
    return status;
}

static enum status try_xla(struct work *w, struct err *e)
{
    struct xla_run best = {.net = NAN};
    enum status status = choose_way(w, &best, e);

    if (status == ST_OK && w->out->xla.way != BENCH_PLAIN) {
        w->out->xla.fails_so = bench_fails_so(w->c->metric, &best.run);
        w->out->xla.too_long = best.run.end == BENCH_TIMED_OUT;
        if (bench_is_failure(w->c->metric) || w->out->xla.too_long)
            keep_xla_run(w, &best);
        else
            status = compare(w, &best, e);
    }
    if (status == ST_OK) {
        struct bench_xla *x = &w->out->xla;
        const struct bench_numbers *fixed = &x->runs[BENCH_FIXED];

        x->compilations = median(&w->compilations);
        x->compile_seconds = median(&w->compile_seconds);
        x->buggy = median(&x->runs[BENCH_BUGGY]);
        x->fixed = x->fixed_worst = median(fixed);
        x->figure = median(&x->runs[2]);
        x->net = median(&w->nets);
        x->work = median(&w->works);
        x->buggy_work = median(&w->buggy_works);
        for (size_t i = 0; i < fixed->n; i++)
            x->fixed_worst = fixed->at[i] > x->fixed_worst ? fixed->at[i] : x->fixed_worst;
    }
    run_clear(&best.run);
    return status;
}

/* --- a case --- */

static void clear_work(struct work *w)
{
    scratch_close(&w->scratch);
    bench_sides_clear(&w->pythons);
    bench_sides_clear(&w->texts);
    array_clear(&w->compilations);
    array_clear(&w->compile_seconds);
    array_clear(&w->nets);
    array_clear(&w->works);
    array_clear(&w->buggy_works);
}

static enum status assess_case(struct bench_assessment *out, const struct bench_case *c, const struct bench_setting *s,
                               struct err *e)
{
    AT_END(clear_work) struct work w = {.c = c, .s = s, .out = out};
    struct err why = {0};

    if (!run_may(c, s, &why)) {
        out->xla_opinion.grade = BENCH_NOT_APPLICABLE;
        snprintf(out->xla_opinion.why, sizeof out->xla_opinion.why, "%.390s", why.text);
        out->profile_opinion = out->xla_opinion;
        return ST_OK;
    }
    enum status status = run_pythons_find(w.pythons, c, s, e);
    THEN(status, bench_case_scripts(w.texts, c, s->cases_dir, e));
    if (status == ST_OK)
        bench_case_sha256(out->case_sha256, c, w.texts);
    THEN(status, scratch_open(&w.scratch, e));
    for (int side = 0; side < BENCH_SIDES && status == ST_OK && c->costly[0] != '\0'; side++)
        status = profile(&w, side, e);
    THEN(status, try_xla(&w, e));
    if (status == ST_OK) {
        const struct bench_entry *found = NULL;
        out->xla_opinion = bench_judge_xla(c, &out->xla);
        out->profile_opinion = bench_judge_profiles(c, &out->profiles[BENCH_BUGGY], &out->profiles[BENCH_FIXED],
                                                    &out->place, &found);
        out->entry = found != NULL ? found->name : "";
    }
    return status;
}

static enum status work_on(const struct bench_case *c, const struct bench_setting *s)
{
    AT_END(bench_assessment_clear) struct bench_assessment a;
    struct err e = {0};

    assess_init(&a);
    enum status status = assess_case(&a, c, s, &e);
    THEN(status, assess_write(&a, c, s, &e));
    if (status == ST_OK)
        log_info("%s: XLA: %s (%s); Profiler: %s (%s)", c->id, bench_grade_names[a.xla_opinion.grade],
                 a.xla_opinion.why, bench_grade_names[a.profile_opinion.grade], a.profile_opinion.why);
    else if (status != ST_NO)
        log_error("%s: %s", c->id, e.text);
    return status;
}

enum status bench_assess_cases(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                               struct err *e)
{
    static const struct run_kind kind = {work_on, assess_stands};

    return run_below_workers(cases, n, s, 1, &kind, e);
}
