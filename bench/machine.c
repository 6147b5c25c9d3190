/* machine: whether others use the processors, from /proc/stat. */
#define _GNU_SOURCE
#include "bench/runs.h"

#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "bench/process.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* The kernel counts in ticks of 10 ms or so: a shorter look sees one of them or none. */
static const double LOOK_SECONDS = 1;

double machine_busy_seconds(void)
{
    /* The fields of the line "cpu": user, nice, system, idle, iowait, irq, softirq, steal; what comes
     * then is in user and nice already. */
    enum { IDLE = 3, IOWAIT = 4, FIELDS = 8 };
    char text[512];
    uint64_t ticks, busy = 0;
    int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
    struct span line = {text, got > 0 ? (size_t)got : 0}, rest, word;
    int field = 0;

    if (fd >= 0)
        close(fd);
    if (!span_cut(&line, '\n', &rest) || !span_starts(rest, SPAN("cpu ")))
        return NAN;
    rest = span_trim((struct span){rest.ptr + 4, rest.len - 4});
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

/* How many processors others use on the mean over `seconds`, while this process and its children do
 * nothing: "0.5" is half of one. NAN: not known. Ends early when it is told to stop. */
static double others_used(double seconds)
{
    double busy = machine_busy_seconds(), began = time_monotonic();

    /* Signals that stop are let in meanwhile, and end it. */
    double end = time_monotonic() + seconds, left;
    sigset_t mask;

    sigprocmask(SIG_BLOCK, NULL, &mask);
    process_let_in(&mask, true);
    while (!signals_stop_asked() && (left = end - time_monotonic()) > 0) {
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

    while (when != BENCH_ANYWAY && (others = others_used(LOOK_SECONDS)) > MACHINE_OTHERS_MOST) {
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
