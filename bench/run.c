/* Runs cases: each script several times, in turns. */
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "bench/cgroup.h"
#include "bench/results.h"
#include "bench/runs.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VARIABLES_MAX = 20 + BENCH_VARIABLES_MAX };

/* --- one script --- */

/* What a way of running needs. XLA compiles clusters on the CPU only when asked; the log reports each compilation. */
static const struct {
    const char *driver; /* the module that runs the script; NULL: none */
    bool log;
    const char *flags;
    unsigned slower, larger; /* how many times the limits are those of the case */
} ways[BENCH_WAYS] = {
    [BENCH_PLAIN] = {NULL, false, "", 1, 1},
    [BENCH_SMALL] = {NULL, false, "", 1, 1},
    [BENCH_XLA_CLUSTERS] = {NULL, true, "--tf_xla_auto_jit=2 --tf_xla_cpu_global_jit", 2, 2},
    [BENCH_XLA_FUNCTIONS] = {"ppxla", true, "", 2, 2},
    [BENCH_PROFILED] = {"ppprofile", false, "", 4, 2},
};

uint64_t run_threads(const struct bench_setting *s)
{
    return s->threads > 0 ? s->threads : BENCH_THREADS;
}

/* The last of n variables and one takes the place of one of the same name; returns how many there are. */
static size_t put_last(const char **variables, size_t n)
{
    size_t name = strcspn(variables[n], "=") + 1;

    for (size_t i = 0; i < n; i++)
        if (strncmp(variables[i], variables[n], name) == 0) {
            variables[i] = variables[n];
            return n;
        }
    return n + 1;
}

/* The same world for every run, whoever runs it. Texts of the arena, given ones in place of those of the same name. */
static void make_environment(const char *variables[VARIABLES_MAX], const struct bench_setting *s,
                             const struct bench_case *c, enum bench_way way, const char *home, struct arena *arena)
{
    const char *path = getenv("PATH"), *devices = getenv("CUDA_VISIBLE_DEVICES");
    char threads[24];
    size_t n = 0;

    snprintf(threads, sizeof threads, "%u", (unsigned)run_threads(s));
    const char *libraries = arena_addf(arena, "%s/../lib:%s", s->cases_dir, s->cases_dir).ptr;
    const char *const all[][3] = {
        {"LC_ALL=", "C.UTF-8", ""},
        {"TZ=", "UTC", ""},
        {"TERM=", "dumb", ""},
        {"PYTHONHASHSEED=", "0", ""},
        {"PYTHONDONTWRITEBYTECODE=", "1", ""},
        {"PYTHONNOUSERSITE=", "1", ""},
        {"PYTHONPATH=", libraries, "/../../lib"},
        {"TF_NUM_INTRAOP_THREADS=", threads, ""},
        {"TF_NUM_INTEROP_THREADS=", threads, ""},
        {"TF_CPP_MIN_LOG_LEVEL=", ways[way].log ? "0" : "3", ""},
        {"TF_CPP_VMODULE=", ways[way].log ? "device_compiler=1" : "", ""},
        {"TF_XLA_FLAGS=", ways[way].flags, ""},
        {"CUDA_VISIBLE_DEVICES=", s->gpu ? devices != NULL ? devices : "0" : "", ""},
        {"PATH=", path != NULL ? path : "/usr/bin:/bin", ""},
        {"HOME=", home, ""},
        {"TMPDIR=", home, ""},
    };

    _Static_assert(ARRAY_LEN(all) + 1 + BENCH_VARIABLES_MAX < VARIABLES_MAX, "room for all and a NULL");
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        variables[n++] = arena_addf(arena, "%s%s%s", all[i][0], all[i][1], all[i][2]).ptr;
    if (c != NULL && c->pytorch > 0)
        variables[n++] = arena_addf(arena, "OMP_NUM_THREADS=%s", threads).ptr;
    for (size_t i = 0; i < s->n_variables; i++) {
        /* "NAME" has the value that this process has, if it has one; "NAME=VALUE" is taken as it is. */
        bool whole = strchr(s->variables[i], '=') != NULL;
        const char *value = whole ? "" : getenv(s->variables[i]);
        if (value == NULL)
            continue;
        variables[n] = arena_addf(arena, "%s%s%s", s->variables[i], whole ? "" : "=", value).ptr;
        n = put_last(variables, n);
    }
    variables[n] = NULL;
}

enum status run_script(struct bench_process *p, const struct bench_setting *s, const struct bench_case *c,
                       const char *python, enum bench_way way, const char *scratch, const char *name, struct span text,
                       struct err *e)
{
    AT_END(buf_clear) struct buf small = {0};
    AT_END(arena_clear) struct arena arena = {0};
    const char *variables[VARIABLES_MAX];
    const char *const plain[] = {python, name, NULL};
    const char *const driven[] = {python, "-m", ways[way].driver, name, NULL};
    struct bench_command command = {.argv = ways[way].driver != NULL ? driven : plain,
                                    .environment = variables,
                                    .groups = s->groups,
                                    .gpu = s->gpu,
                                    .reads_log = ways[way].log};

    *p = (struct bench_process){0};
    AT_END(mem_end) char *dir = mem_addf("%s/run", scratch);
    AT_END(mem_end) char *path = mem_addf("%s/%s", dir, name);
    enum status status = ST_OK;
    if ((mkdir(scratch, 0700) != 0 && errno != EEXIST) || mkdir(dir, 0700) != 0)
        status = err_set(e, ST_IO, "%s: %s", dir, strerror(errno));
    if (way == BENCH_SMALL) {
        /* Adds the script with its small size. */
        struct span beginning = {c->small, (size_t)(strstr(c->small, " = ") - c->small) + 3}, line;

        while (span_cut(&text, '\n', &line)) {
            buf_add_span(&small, span_starts(line, beginning) ? span_of(c->small) : line);
            buf_add_char(&small, '\n');
        }
    }
    THEN(status, file_write(path, true, way == BENCH_SMALL ? buf_span(&small) : text, path, e));
    make_environment(variables, s, c, way, dir, &arena);
    command.dir = dir;
    double patience = s->patience > 0 ? (double)s->patience : 1;
    bool hang = c != NULL && c->metric == BENCH_HANG;
    bool exhaustion = c != NULL && c->metric == BENCH_EXHAUSTION;

    command.seconds = patience * (c != NULL ? (double)c->seconds * (hang ? 1 : ways[way].slower) : 120);
    command.memory_kb = c != NULL ? c->memory_mb * 1024 * (exhaustion ? 1 : ways[way].larger) : 0;
    THEN(status, bench_process_run(p, &command, e));
    scratch_remove_tree(dir);
    return status;
}

/* --- the versions --- */

/* Python before 3.8 has no importlib.metadata; there pip's own module tells. */
static const char version_script[] = "import platform, sys\n"
                                     "print('ppcase version python', platform.python_version())\n"
                                     "try:\n"
                                     "    from importlib.metadata import version\n"
                                     "except ImportError:\n"
                                     "    from pkg_resources import get_distribution\n"
                                     "    def version(name):\n"
                                     "        return get_distribution(name).version\n"
                                     "for name in ('tensorflow', 'tensorflow-cpu', 'keras', 'torch', 'numpy'):\n"
                                     "    try:\n"
                                     "        print('ppcase version', name, version(name))\n"
                                     "    except Exception:\n"
                                     "        pass\n";

/* Adds lines "python 3.11.2". */
static enum status ask_versions(const struct bench_setting *s, const char *python, struct buf *versions, struct err *e)
{
    struct scratch scratch = {0};
    AT_END(bench_process_clear) struct bench_process p = {0};
    sigset_t before;

    process_shut_out(&before); /* a second Ctrl-C would leave the folder */
    enum status status = scratch_open(&scratch, e);
    THEN(status, run_script(&p, s, NULL, python, BENCH_PLAIN, buf_cstr(&scratch.path), "versions.py",
                            span_of(version_script), e));
    if (status == ST_OK && p.marks.versions.len == 0)
        status = err_set(e, ST_INPUT, "%s does not say its version; --python FILE wants a Python, 3.6 or later",
                         python);
    if (status == ST_OK)
        buf_add_span(versions, buf_span(&p.marks.versions));
    scratch_close(&scratch);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

enum status bench_ask_versions(struct bench_setting *s, struct err *e)
{
    enum status status = ask_versions(s, s->python, &s->versions, e);
    struct span rest = buf_span(&s->versions), line, major;

    s->has_tensorflow = span_has(rest, "tensorflow");
    s->pytorch = 0;
    while (span_cut(&rest, '\n', &line))
        if (span_starts(line, SPAN("torch "))) { /* "torch 1.13.1" */
            line = span_after(line, 6);
            if (!span_cut(&line, '.', &major) || !span_u64(major, 1000, &s->pytorch))
                s->pytorch = 0;
        }
    return status;
}

/* --- one case --- */

static bool says_no_memory(struct span text)
{
    static const char *const words[] = {
        "MemoryError", "ResourceExhaustedError", "OOM when allocating", "std::bad_alloc", "Cannot allocate memory",
    };

    return span_has_any(text, words, ARRAY_LEN(words));
}

/* Gives the list away. */
static struct bench_numbers move_numbers(struct bench_numbers *list)
{
    struct bench_numbers moved = *list;

    *list = (struct bench_numbers){0};
    return moved;
}

void run_keep(struct bench_run *run, const struct bench_case *c, struct bench_process *p)
{
    bool failed = p->end != BENCH_EXITED || p->code != 0;

    *run = (struct bench_run){
        .end = p->end,
        .code = p->code,
        .wall = p->wall,
        .user_seconds = p->user_seconds,
        .system_seconds = p->system_seconds,
        .others = p->others,
        .peak_kb = p->peak_kb,
        .sampled_peak_kb = p->sampled_peak_kb,
        .grouped = p->grouped,
        .group_peak_kb = p->group_peak_kb,
        .n_gpu = p->n_gpu,
        .gpu_peak_kb = p->gpu_peak_kb,
        .gpu_busy_percent = p->gpu_busy_percent,
        .n_out = p->n_out,
        .n_err = p->n_err,
        .work_seconds = p->marks.work_seconds,
        .ready = p->marks.ready,
        .work_rounds = p->marks.work_rounds >= 1 && p->marks.work_rounds <= BENCH_STEPS_MAX
                           ? (uint64_t)p->marks.work_rounds
                           : 1,
        .work_rss_before_kb = p->marks.work_rss_before_kb,
        .work_peak_rss_kb = p->marks.work_peak_rss_kb,
        .metric = failed ? NAN : bench_metric_of(c->metric, p),
    };
    memcpy(run->digest, p->marks.digest, sizeof run->digest);
    memcpy(run->exact, p->marks.exact, sizeof run->exact);
    run->values = move_numbers(&p->marks.values);
    run->step_seconds = move_numbers(&p->marks.step_seconds);
    run->step_rss_kb = move_numbers(&p->marks.step_rss_kb);
    for (size_t i = 0; i < p->n_samples; i++) {
        array_add(&run->samples_at, p->samples[i].at);
        array_add(&run->samples_kb, (double)p->samples[i].kb);
    }
    if (failed) {
        /* The last line that is not empty; what is not text is left out. */
        struct span text = span_trim(buf_span(&p->err_tail));
        size_t n = 0, begin = text.len;

        while (begin > 0 && text.ptr[begin - 1] != '\n')
            begin--;
        for (size_t i = begin; i < text.len && n + 1 < sizeof run->said; i++)
            if ((unsigned char)text.ptr[i] >= 0x20 && (unsigned char)text.ptr[i] < 0x7f)
                run->said[n++] = text.ptr[i];
        run->said[n] = '\0';
    }
    /* The kernel, too, kills for want of memory, by SIGKILL. */
    run->lacked_memory = (p->end == BENCH_SIGNALLED && p->code == SIGKILL) ||
                         (failed && p->end != BENCH_TIMED_OUT &&
                          (says_no_memory(buf_span(&p->err)) || says_no_memory(buf_span(&p->err_tail))));
}

struct work {
    const struct bench_case *c;
    const struct bench_setting *s;
    struct bench_result *out;
    struct buf texts[BENCH_SIDES];
    struct buf pythons[BENCH_SIDES];
    struct scratch scratch;
    size_t n_counted, n_aside; /* rounds */
};

static enum status run_side(struct work *w, int side, bool warm_up, struct err *e)
{
    AT_END(bench_process_clear) struct bench_process p;
    struct bench_result *r = w->out;
    bool small = warm_up && bench_is_failure(w->c->metric);
    enum status status = run_script(&p, w->s, w->c, buf_cstr(&w->pythons[side]), small ? BENCH_SMALL : BENCH_PLAIN,
                                    buf_cstr(&w->scratch.path), bench_script_names[side], buf_span(&w->texts[side]), e);

    if (status == ST_OK) {
        struct bench_run *run = &r->runs[side][r->n_runs[side]++];
        run_keep(run, w->c, &p);
        run->warm_up = warm_up;
        run->small = small;
        log_debug("%s: %s%s: %.3f s, peak %.1f MB, memory limit: %s", w->c->id, bench_script_names[side],
                  small     ? " (small)"
                  : warm_up ? " (warm-up)"
                            : "",
                  run->wall, (double)run->peak_kb / 1024, result_limit(1, run->grouped));
    }
    return status;
}

/* A case that is broken by now, or not equivalent, is not run on. */
static bool is_lost(struct work *w)
{
    bench_judge(w->c, w->out);
    return w->out->verdict == BENCH_BROKEN || w->out->verdict == BENCH_NOT_EQUIVALENT;
}

static enum status run_round(struct work *w, bool warm_up, struct err *e)
{
    enum status status = ST_OK;

    if (w->s->when == BENCH_WHEN_IDLE)
        status = machine_wait_idle(w->s->when, w->c->id, e);
    THEN(status, run_side(w, BENCH_BUGGY, warm_up, e));
    THEN(status, run_side(w, BENCH_FIXED, warm_up, e));
    if (status != ST_OK || warm_up)
        return status;
    struct bench_run *buggy = &w->out->runs[BENCH_BUGGY][w->out->n_runs[BENCH_BUGGY] - 1];
    struct bench_run *fixed = &w->out->runs[BENCH_FIXED][w->out->n_runs[BENCH_FIXED] - 1];
    bool disturbed = buggy->others > MACHINE_OTHERS_MOST || fixed->others > MACHINE_OTHERS_MOST;
    /* A round during which others came is put aside, as long as it may be run again. */
    if (disturbed && w->s->when == BENCH_WHEN_IDLE && w->n_aside < w->s->n_runs) {
        buggy->warm_up = buggy->disturbed = fixed->warm_up = fixed->disturbed = true;
        w->n_aside++;
    } else {
        w->n_counted++;
    }
    return ST_OK;
}

/* Is there enough, as the rounds have been judged? */
static bool is_enough(const struct work *w)
{
    const struct stat_ratio *ratio = &w->out->ratio;

    if (w->n_counted < w->s->n_runs)
        return false;
    return w->n_counted >= w->s->most_runs || isnan(ratio->low) || ratio->high <= ratio->low * w->s->narrow;
}

static enum status run_all(struct work *w, struct err *e)
{
    size_t most = w->s->most_runs > w->s->n_runs ? w->s->most_runs : w->s->n_runs;
    enum status status = bench_case_scripts(w->texts, w->c, w->s->cases_dir, e);

    if (status == ST_OK)
        bench_case_sha256(w->out->case_sha256, w->c, w->texts);
    for (int side = 0; side < BENCH_SIDES; side++)
        w->out->runs[side] = mem_zero(1 + most + w->s->n_runs, sizeof *w->out->runs[side]);
    THEN(status, scratch_open(&w->scratch, e));
    if (status == ST_OK && !bench_is_failure(w->c->metric))
        status = run_round(w, true, e);
    while (status == ST_OK && !is_lost(w) && !is_enough(w))
        status = run_round(w, false, e);
    if (status == ST_OK && bench_is_failure(w->c->metric) && w->c->small[0] != '\0' && !is_lost(w))
        status = run_round(w, true, e);
    if (status == ST_OK)
        bench_judge(w->c, w->out);
    scratch_close(&w->scratch);
    return status;
}

enum status run_pythons_find(struct buf out[BENCH_SIDES], const struct bench_case *c, const struct bench_setting *s,
                             struct err *e)
{
    struct bench_environment environment;
    AT_END(arena_clear) struct arena arena = {0};
    enum status status = ST_OK;

    AT_END(mem_end) char *folder = mem_addf("%s/../environments", s->cases_dir);
    for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++)
        if (c->environments[side][0] == '\0') {
            buf_add_text(&out[side], s->python);
        } else {
            status = bench_environment_named(&environment, folder, c->environments[side], &arena, e);
            THEN(status, bench_environment_python(&out[side], &environment, e));
        }
    return status;
}

/* The Python of the setting need have no TensorFlow when the case has its own environments. */
bool run_may(const struct bench_case *c, const struct bench_setting *s, struct err *why)
{
    AT_END(bench_sides_clear) struct buf pythons[BENCH_SIDES] = {{0}, {0}};
    enum status status = ST_OK;

    if (c->reason[0] != '\0')
        status = err_set(why, ST_NO, "%s", c->reason);
    else if (c->gpu && !s->gpu)
        status = err_set(why, ST_NO, "it needs a GPU, and cases are run on the CPU unless --gpu is given");
    else if (c->environments[BENCH_BUGGY][0] != '\0')
        status = run_pythons_find(pythons, c, s, why);
    else if (c->tensorflow > 0 && !s->has_tensorflow)
        status = err_set(why, ST_NO, "this Python has no TensorFlow; ppmine bench setup makes one that has");
    else if (c->pytorch > 0 && s->pytorch == 0)
        status = err_set(why, ST_NO, "this Python has no PyTorch; --python FILE names one that has");
    else if (c->pytorch > s->pytorch)
        status = err_set(why, ST_NO, "it needs PyTorch %u, and this Python has PyTorch %u", (unsigned)c->pytorch,
                         (unsigned)s->pytorch);
    return status == ST_OK;
}

/* Runs one case: one warm-up each, then buggy, fixed, buggy, fixed, …, each in a new folder with copies of the scripts.
 * ST_NO when SIGINT or SIGTERM came: nothing is judged then. */
static enum status MUST_USE run_case(struct bench_result *out, const struct bench_case *c,
                                     const struct bench_setting *s, struct err *e)
{
    struct work w = {.c = c, .s = s, .out = out};
    struct err why = {0};
    enum status status = ST_OK;

    *out = (struct bench_result){.seed = s->seed};
    if (!run_may(c, s, &why)) {
        bench_judge(c, out); /* no runs: sets what there is none of */
        out->verdict = BENCH_NOT_RUNNABLE;
        snprintf(out->why, sizeof out->why, "%.500s", why.text);
    } else {
        status = run_pythons_find(w.pythons, c, s, e);
        /* Of a side in an environment of its own, what is installed there. */
        for (int side = 0; side < BENCH_SIDES && status == ST_OK; side++)
            if (c->environments[side][0] != '\0')
                status = ask_versions(s, buf_cstr(&w.pythons[side]), &out->versions[side], e);
        THEN(status, run_all(&w, e));
    }
    bench_sides_clear(&w.pythons);
    bench_sides_clear(&w.texts);
    return status;
}

/* --- all cases, each below a worker --- */

static enum status work_on(const struct bench_case *c, const struct bench_setting *s)
{
    AT_END(bench_result_clear) struct bench_result r;
    struct err e = {0};
    enum status status = run_case(&r, c, s, &e);

    THEN(status, bench_result_write(&r, c, s, &e));
    if (status == ST_OK)
        log_info("%s: %s: %s", c->id, bench_verdict_names[r.verdict], r.why);
    else if (status != ST_NO)
        log_error("%s: %s", c->id, e.text);
    return status;
}

struct workers {
    pid_t pids[64];
    size_t n;
    bool told; /* to stop */
    enum status worst;
    sigset_t before;
};

static void start_worker(struct workers *w, const struct bench_case *c, const struct bench_setting *s, run_work *work)
{
    pid_t parent = getpid(), pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        /* SIGTERM, not SIGKILL: it takes its run along. */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        enum status status = getppid() == parent ? work(c, s) : ST_NO;
        fflush(stderr);
        _exit((int)status);
    }
    if (pid > 0) {
        w->pids[w->n++] = pid;
    } else {
        log_error("%s: no process can be started: %s", c->id, strerror(errno));
        w->worst = ST_IO;
    }
}

static void wait_for_worker(struct workers *w)
{
    struct timespec tick = {0, 200000000};
    int how;
    pid_t pid = waitpid(-1, &how, WNOHANG);

    if (pid > 0) {
        enum status status = WIFEXITED(how) ? (enum status)WEXITSTATUS(how) : ST_IO;

        for (size_t i = 0; i < w->n; i++)
            if (w->pids[i] == pid) {
                w->pids[i] = w->pids[--w->n];
                if (WIFSIGNALED(how))
                    log_error("a worker was ended by signal %d", WTERMSIG(how));
                if (status != ST_NO)
                    w->worst = status > w->worst ? status : w->worst;
            }
        return;
    }
    sigset_t open_mask = w->before;
    sigdelset(&open_mask, SIGCHLD);
    process_let_in(&open_mask, !w->told);
    ppoll(NULL, 0, &tick, &open_mask);
    if (w->told || !signals_stop_asked())
        return;
    w->told = true;
    for (size_t i = 0; i < w->n; i++)
        kill(w->pids[i], SIGTERM);
}

static void no_action(int signal_number)
{
    (void)signal_number;
}

/* Until each case has been given to a worker, or one may not begin, and all workers have ended. */
static enum status run_cases(struct workers *w, const struct bench_case *const *cases, size_t n,
                             const struct bench_setting *s, unsigned jobs, const struct run_kind *kind, struct err *e)
{
    enum status busy = ST_OK;
    struct err why;

    for (size_t i = 0; (i < n && !w->told) || w->n > 0;) {
        if (i < n && s->resume && kind->stands(cases[i], s)) {
            log_info("%s: has a result already", cases[i++]->id);
        } else if (i < n && !w->told && w->n < jobs) {
            /* Cases that run side by side are each other's others, so only the first of them waits. */
            if (w->n == 0 && run_may(cases[i], s, &why))
                busy = machine_wait_idle(s->when, cases[i]->id, e);
            w->told = busy != ST_OK; /* what has been measured stays */
            if (busy == ST_OK)
                start_worker(w, cases[i++], s, kind->work);
        } else {
            wait_for_worker(w);
        }
    }
    return busy;
}

enum status run_below_workers(const struct bench_case *const *cases, size_t n, const struct bench_setting *setting,
                              unsigned jobs, const struct run_kind *kind, struct err *e)
{
    struct workers w = {0};
    struct cgroup_home groups;
    struct bench_setting own = *setting, *s = &own;
    struct sigaction action = {.sa_handler = no_action}, child_before;

    sigaction(SIGCHLD, &action, &child_before);
    process_shut_out(&w.before);
    scratch_remove_left();
    s->groups = cgroup_open(&groups, "") ? &groups : NULL;
    if (jobs > ARRAY_LEN(w.pids))
        jobs = ARRAY_LEN(w.pids);
    enum status busy = run_cases(&w, cases, n, s, jobs, kind, e);
    process_reap_rest(NULL); /* of a worker that was killed */
    cgroup_close(&groups);
    sigaction(SIGCHLD, &child_before, NULL);
    sigprocmask(SIG_SETMASK, &w.before, NULL);
    if (signals_stop_asked())
        return ST_NO;
    if (busy != ST_OK)
        return busy;
    return w.worst == ST_OK ? ST_OK : err_set(e, w.worst, "some cases have no result; see the words above");
}

enum status bench_run_cases(const struct bench_case *const *cases, size_t n, const struct bench_setting *s,
                            unsigned jobs, struct err *e)
{
    static const struct run_kind kind = {work_on, bench_result_stands};

    return run_below_workers(cases, n, s, jobs, &kind, e);
}
