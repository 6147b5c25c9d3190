/* Runs one script under limits, and samples what it uses. */
#include "bench/runs.h"

#include "base/files.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "base/signals.h"
#include "bench/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TAIL_MAX = 4096, READ_MAX = 64 * 1024, OUT = 0, ERR = 1 };

static const double SAMPLE_SECONDS = 0.02, SCAN_SECONDS = 0.2;
/* A look at all of /proc may take this share of the time. */
static const double SCAN_SHARE = 0.02;

struct watch {
    struct bench_process *p;
    const struct bench_command *c;
    pid_t pid;
    int fds[2];
    double started, next_sample, next_scan, next_kept, keep_every;
    uint64_t others_kb; /* in all but the first process, when last looked at */
    bool killed;
    struct cgroup_run group;
    struct gpu *gpu; /* NULL: none, or none is looked at */
    uint64_t gpu_before_kb;
    sigset_t before; /* the signals that were blocked */
    char *chunk;
    struct buf unsaid; /* with echo: the first bytes of a character */
};

/* --- the start --- */

/* In the child. Returns only when something fails, with errno. */
static void become(const struct bench_command *c, pid_t parent, int out, int err)
{
    const struct rlimit none = {0, 0};
    sigset_t blocked;
    int null = open("/dev/null", O_RDONLY);

    setsid();
    /* A runner that is killed takes the run along. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXFSZ, SIG_DFL);
    sigemptyset(&blocked);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 ||
        (c->dir != NULL && chdir(c->dir) != 0))
        return;
    close(null);
    if (c->sandbox != NULL && !sandbox_enter(&c->sandbox, 1, SANDBOX_STRANGER)) {
        errno = EPERM;
        return;
    }
    /* exec does not change words and variables; its type is older than const. */
    char *const *argv = (char *const *)c->argv;
    if (c->environment != NULL)
        execvpe(argv[0], argv, (char *const *)c->environment);
    else
        execvp(argv[0], argv);
}

static enum status open_pipes(int pipes[3][2], const struct bench_command *c, struct err *e)
{
    for (int i = 0; i < 3; i++)
        if (pipe2(pipes[i], O_CLOEXEC) != 0) {
            int error = errno;
            for (; i > 0; i--) {
                close(pipes[i - 1][0]);
                close(pipes[i - 1][1]);
            }
            return err_set(e, ST_IO, "%s: cannot make a pipe: %s", c->argv[0], strerror(error));
        }
    return ST_OK;
}

static enum status start(struct watch *w, struct err *e)
{
    int pipes[3][2];
    pid_t parent = getpid();
    enum status status = open_pipes(pipes, w->c, e);

    if (status != ST_OK)
        return status;
    /* A group of its own costs the run nothing: it is made before, and the child begins in it. */
    w->p->grouped = w->c->memory_kb > 0 && cgroup_run_open(&w->group, w->c->groups, w->c->memory_kb);
    w->started = time_monotonic();
    w->pid = w->p->grouped ? cgroup_run_fork(&w->group) : fork();
    if (w->pid < 0 && w->p->grouped) {
        w->p->grouped = false;
        cgroup_run_close(&w->group);
        w->started = time_monotonic();
        w->pid = fork();
    }
    if (w->pid == 0) {
        become(w->c, parent, pipes[OUT][1], pipes[ERR][1]);
        int error = errno;
        _exit(write(pipes[2][1], &error, sizeof error) > 0 ? 127 : 126);
    }
    int error = w->pid < 0 ? errno : 0;
    for (int i = 0; i < 3; i++)
        close(pipes[i][1]);
    /* What exec failed with comes through a pipe that exec closes. */
    while (w->pid > 0 && read(pipes[2][0], &error, sizeof error) < 0 && errno == EINTR) {
    }
    close(pipes[2][0]);
    for (int i = OUT; i <= ERR; i++) {
        w->fds[i] = pipes[i][0];
        fcntl(w->fds[i], F_SETFL, O_NONBLOCK);
    }
    if (error != 0)
        status = err_set(e, ST_IO, "%s: cannot be run: %s", w->c->argv[0], strerror(error));
    return status;
}

/* --- what it prints --- */

static void keep_head(struct buf *b, const char *bytes, size_t len)
{
    size_t room = BENCH_HEAD_MAX - b->len;

    buf_add(b, bytes, len < room ? len : room);
}

static void keep_tail(struct buf *b, const char *bytes, size_t len)
{
    if (len > TAIL_MAX) {
        bytes += len - TAIL_MAX;
        len = TAIL_MAX;
    }
    if (b->len + len > TAIL_MAX) {
        size_t keep = TAIL_MAX - len < b->len ? TAIL_MAX - len : b->len;
        memmove(b->ptr, b->ptr + b->len - keep, keep);
        b->len = keep;
    }
    buf_add(b, bytes, len);
}

static void take(struct watch *w, int which, const char *bytes, size_t len)
{
    if (which == OUT) {
        w->p->n_out += len;
        keep_head(&w->p->out, bytes, len);
        bench_marks_feed(&w->p->marks, (struct span){bytes, len});
    } else {
        w->p->n_err += len;
        keep_head(&w->p->err, bytes, len);
        keep_tail(&w->p->err_tail, bytes, len);
        if (w->c->reads_log)
            bench_marks_feed_log(&w->p->marks, (struct span){bytes, len});
    }
    if (!w->c->echo)
        return;
    buf_add(&w->unsaid, bytes, len);
    size_t said = log_output(buf_span(&w->unsaid));
    memmove(w->unsaid.ptr, w->unsaid.ptr + said, w->unsaid.len - said);
    w->unsaid.len -= said;
}

/* At most `times` chunks, so that a process that never stops printing is still watched. */
static void drain(struct watch *w, int which, int times)
{
    for (int i = 0; i < times && w->fds[which] >= 0; i++) {
        ssize_t got = read(w->fds[which], w->chunk, READ_MAX);
        if (got > 0) {
            take(w, which, w->chunk, (size_t)got);
        } else if (got == 0 || errno != EINTR) {
            if (got < 0 && errno == EAGAIN)
                return;
            close(w->fds[which]);
            w->fds[which] = -1;
        }
    }
}

/* --- limits --- */

static void kill_all(struct watch *w, enum bench_end why)
{
    if (w->killed)
        return;
    w->killed = true;
    w->p->end = why;
    cgroup_run_kill(&w->group);
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL); /* before it has a group */
}

static void keep_sample(struct watch *w, double at, uint64_t kb)
{
    struct bench_process *p = w->p;

    if (at < w->next_kept)
        return;
    if (p->n_samples == BENCH_SAMPLES_MAX) {
        for (size_t i = 0; i < BENCH_SAMPLES_MAX / 2; i++)
            p->samples[i] = p->samples[2 * i];
        p->n_samples = BENCH_SAMPLES_MAX / 2;
        w->keep_every *= 2;
    }
    p->samples[p->n_samples].at = at;
    p->samples[p->n_samples++].kb = kb;
    w->next_kept = at + w->keep_every;
}

static void sample(struct watch *w, double now)
{
    struct bench_process *p = w->p;
    struct gpu_state state;
    uint64_t own = proc_resident_kb(w->pid), all;

    w->next_sample = now + SAMPLE_SECONDS;
    if (now >= w->next_scan) {
        if (w->gpu != NULL && gpu_look(w->gpu, &state)) {
            uint64_t used = state.used_kb > w->gpu_before_kb ? state.used_kb - w->gpu_before_kb : 0;
            p->gpu_peak_kb = used > p->gpu_peak_kb ? used : p->gpu_peak_kb;
            p->n_gpu++;
            p->gpu_busy_percent += (state.busy_percent - p->gpu_busy_percent) / (double)p->n_gpu;
        }
        all = proc_family_kb(w->pid);
        w->others_kb = all > own ? all - own : 0;
        double cost = time_monotonic() - now, pause = cost / SCAN_SHARE;
        w->next_scan = now + (pause > SCAN_SECONDS ? pause : SCAN_SECONDS);
    }
    all = own + w->others_kb;
    if (all > p->sampled_peak_kb)
        p->sampled_peak_kb = all;
    keep_sample(w, now - w->started, all);
    if (w->c->memory_kb > 0 && !p->grouped && all > w->c->memory_kb)
        kill_all(w, BENCH_OUT_OF_MEMORY);
}

static bool has_ended(const struct watch *w)
{
    siginfo_t info = {0};

    /* Not reaped yet: its number stands for its group until that is killed. */
    return waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == w->pid;
}

void process_let_in(sigset_t *mask, bool stops)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (stops)
            sigdelset(mask, numbers[i]);
        else
            sigaddset(mask, numbers[i]);
}

void process_shut_out(sigset_t *before)
{
    sigset_t blocked;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    process_let_in(&blocked, false);
    sigprocmask(SIG_BLOCK, &blocked, before);
}

static void wait_for_news(struct watch *w)
{
    struct pollfd fds[2] = {{w->fds[OUT], POLLIN, 0}, {w->fds[ERR], POLLIN, 0}};
    double pause = w->next_sample - time_monotonic();
    struct timespec timeout = {0};
    sigset_t open_mask = w->before;

    if (pause > 0)
        timeout.tv_nsec = (long)(pause * 1e9) % 1000000000;
    sigdelset(&open_mask, SIGCHLD);
    process_let_in(&open_mask, !w->killed);
    ppoll(fds, 2, &timeout, &open_mask);
}

/* --- the end --- */

static void add_usage(struct bench_process *p, const struct rusage *usage)
{
    p->user_seconds += (double)usage->ru_utime.tv_sec + (double)usage->ru_utime.tv_usec / 1e6;
    p->system_seconds += (double)usage->ru_stime.tv_sec + (double)usage->ru_stime.tv_usec / 1e6;
    if ((uint64_t)usage->ru_maxrss > p->peak_kb)
        p->peak_kb = (uint64_t)usage->ru_maxrss;
}

static void reap_first(struct watch *w)
{
    struct rusage usage = {0};
    int status = 0;

    kill(-w->pid, SIGKILL);
    while (wait4(w->pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    add_usage(w->p, &usage);
    w->p->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (!w->killed)
        w->p->end = WIFEXITED(status) ? BENCH_EXITED : BENCH_SIGNALLED;
}

void process_reap_rest(struct bench_process *p)
{
    const struct timespec pause = {0, 1000000};
    struct rusage usage;
    int status;

    for (;;) {
        pid_t pid = wait4(-1, &status, WNOHANG, &usage);
        if (pid < 0 && errno == ECHILD)
            return;
        if (pid > 0) {
            if (p != NULL)
                add_usage(p, &usage);
        } else {
            proc_kill_children();
            nanosleep(&pause, NULL);
        }
    }
}

static void no_action(int signal_number)
{
    (void)signal_number;
}

static void close_outputs(struct watch *w)
{
    for (int i = OUT; i <= ERR; i++)
        if (w->fds[i] >= 0)
            close(w->fds[i]);
}

/* Ticks of 10 ms are counted: of a run of a few of them nothing is known. */
static double others_of(const struct watch *w, double busy, double own)
{
    const double LEAST = 0.25;
    double seconds = w->p->wall;
    double used = busy - own - w->p->user_seconds - w->p->system_seconds;

    if (isnan(used) || seconds < LEAST)
        return NAN;
    return used > 0 ? used / seconds : 0;
}

static enum status watch_it(struct watch *w, struct err *e)
{
    double busy = machine_busy_seconds(), own = machine_own_seconds();
    enum status status = start(w, e);

    if (w->pid <= 0) {
        cgroup_run_close(&w->group);
        close_outputs(w);
        return status;
    }
    w->next_sample = w->started;
    w->next_scan = w->started + SCAN_SECONDS;
    w->keep_every = SAMPLE_SECONDS;
    for (;;) {
        wait_for_news(w);
        /* First of all, so that nothing that is done here counts as its time. */
        w->p->wall = time_monotonic() - w->started;
        if (has_ended(w))
            break;
        for (int i = OUT; i <= ERR; i++)
            drain(w, i, 16);
        double now = time_monotonic();

        if (signals_stop_asked())
            kill_all(w, BENCH_STOPPED);
        else if (w->c->seconds > 0 && now - w->started >= w->c->seconds)
            kill_all(w, BENCH_TIMED_OUT);
        if (now >= w->next_sample)
            sample(w, now);
    }
    reap_first(w);
    process_reap_rest(w->p);
    w->p->others = others_of(w, machine_busy_seconds() - busy, machine_own_seconds() - own);
    /* Behind the reaping, so that the group is empty. */
    struct cgroup_usage usage = cgroup_run_close(&w->group);
    w->p->group_peak_kb = usage.peak_kb;
    if (usage.out_of_memory && w->p->end == BENCH_SIGNALLED && w->p->code == SIGKILL)
        w->p->end = BENCH_OUT_OF_MEMORY;
    for (int i = OUT; i <= ERR; i++)
        drain(w, i, 1024); /* a pipe that nobody writes to any more holds a chunk or two */
    close_outputs(w);
    return status;
}

enum status bench_process_run(struct bench_process *p, const struct bench_command *c, struct err *e)
{
    struct watch w = {.p = p, .c = c, .fds = {-1, -1}};
    struct sigaction child_before;

    *p = (struct bench_process){0};
    bench_marks_init(&p->marks);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* SIGCHLD must have a handler to end a wait; signals that stop are let in only while waiting, so that
     * not even a second Ctrl-C ends this process between a start and its reaping. */
    struct sigaction action = {.sa_handler = no_action};

    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, &child_before);
    process_shut_out(&w.before);
    w.chunk = mem_alloc(READ_MAX);
    struct gpu_state before = {0};
    w.gpu = c->gpu ? gpu_open() : NULL;
    if (w.gpu != NULL && gpu_look(w.gpu, &before))
        w.gpu_before_kb = before.used_kb;
    enum status status = watch_it(&w, e);
    if (status == ST_OK && p->end == BENCH_STOPPED)
        status = ST_NO;
    gpu_close(w.gpu);
    mem_free(w.chunk);
    buf_clear(&w.unsaid);
    sigaction(SIGCHLD, &child_before, NULL);
    sigprocmask(SIG_SETMASK, &w.before, NULL);
    return status;
}

void bench_process_clear(struct bench_process *p)
{
    buf_clear(&p->out);
    buf_clear(&p->err);
    buf_clear(&p->err_tail);
    bench_marks_clear(&p->marks);
    *p = (struct bench_process){0};
}
