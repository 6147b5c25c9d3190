/* machine: that one process at a time measures on it, and whether others use the processors, from /proc/stat. */
#include "bench/runs.h"

#include "base/files.h"
#include "base/log.h"
#include "base/run_lock.h"
#include "base/signals.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum status bench_lock(struct bench_lock *lock, const char *results_dir, struct err *e)
{
    const char *machine = getenv("PPMINE_BENCH_LOCK");
    enum status status = results_dir != NULL ? folders_make(results_dir, e) : ST_OK;

    /* Debian lets all write to /run/lock; where nobody but root may, all use /tmp. */
    if (machine == NULL || machine[0] == '\0')
        machine = access("/run/lock/.", W_OK) == 0 || access("/run/lock/ppmine-bench.lock", F_OK) == 0
                      ? "/run/lock/ppmine-bench.lock"
                      : "/tmp/ppmine-bench.lock";
    *lock = (struct bench_lock){-1, -1};
    THEN(status, run_lock_wait(machine, "this machine", &lock->machine, e));
    AT_END(mem_end) char *file = mem_addf("%s/.run-lock", results_dir != NULL ? results_dir : "");
    if (status == ST_OK && results_dir != NULL)
        status = run_lock_wait(file, results_dir, &lock->results, e);
    return status;
}

void bench_unlock(const struct bench_lock *lock)
{
    run_lock_release(lock->results);
    run_lock_release(lock->machine);
}

/* The kernel counts in ticks of 10 ms or so: a shorter look sees one of them or none. */
static const double LOOK_SECONDS = 1;

double machine_busy_seconds(void)
{
    /* The line "cpu": user, nice, system, idle, iowait, irq, softirq, steal; user and nice include what follows. */
    enum { IDLE = 3, IOWAIT = 4, FIELDS = 8 };
    char text[512];
    uint64_t ticks, busy = 0;
    AT_END(fd_end) int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
    struct span line = {text, got > 0 ? (size_t)got : 0}, rest, word;
    int field = 0;

    if (!span_cut(&line, '\n', &rest) || !span_starts(rest, SPAN("cpu ")))
        return NAN;
    rest = span_trim(span_after(rest, 4));
    while (field < FIELDS && span_cut(&rest, ' ', &word) && span_u64(word, UINT64_MAX, &ticks)) {
        busy += field != IDLE && field != IOWAIT ? ticks : 0;
        field++;
    }
    return field > IDLE ? (double)busy / (double)sysconf(_SC_CLK_TCK) : NAN;
}

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

double machine_own_seconds(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
}

/* Processors that others use, mean over LOOK_SECONDS, while this process and its children are idle; NAN: not known.
 * Ends early when it is told to stop. */
static double others_used(void)
{
    double busy = machine_busy_seconds(), began = time_monotonic(), left;
    sigset_t mask;

    /* Signals that stop are let in meanwhile, and end it. */
    sigprocmask(SIG_BLOCK, NULL, &mask);
    process_let_in(&mask, true);
    while (!signals_stop_asked() && (left = began + LOOK_SECONDS - time_monotonic()) > 0) {
        struct timespec pause = {(time_t)left, (long)((left - floor(left)) * 1e9)};
        ppoll(NULL, 0, &pause, &mask);
    }
    double took = time_monotonic() - began, used = machine_busy_seconds() - busy;
    return took > 0 && used > 0 ? used / took : used > 0 ? NAN : used;
}

enum status machine_wait_idle(enum bench_when when, const char *what, struct err *e)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool said = false;
    double others;

    while (when != BENCH_ANYWAY && (others = others_used()) > MACHINE_OTHERS_MOST) {
        if (signals_stop_asked())
            return ST_NO;
        if (when == BENCH_REFUSE_BUSY)
            return err_set(e, ST_IO,
                           "others use %.1f of %ld processors, so times would be theirs as well;"
                           " --when-idle waits for them, --anyway measures and records it",
                           others, processors);
        if (!said)
            log_info("%s: others use %.1f of %ld processors; waiting until they do not", what, others, processors);
        said = true;
    }
    return signals_stop_asked() ? ST_NO : ST_OK;
}
