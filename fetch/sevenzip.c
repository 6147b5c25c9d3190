/* Decompresses 7z archives by the program 7z, on all processors. */
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ, prlimit */
#include "fetch/sevenzip.h"

#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, MEMORY_MAX = 1 << 30, MEMORY_PER_PROCESSOR = 64 << 20 };

/* What an archive may ask for is checked before (sevenzip_memory.c). This is for what it does not say, as the
 * windows of newer methods: the limit is wide, since 7z takes memory for each processor. Set from here just
 * after it began, as posix_spawn sets no limits; Linux only. */
static void limit_memory(pid_t pid)
{
#ifdef __linux__
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    rlim_t most = (rlim_t)MEMORY_MAX + (rlim_t)(processors > 0 ? processors : 1) * MEMORY_PER_PROCESSOR;

    if (prlimit(pid, RLIMIT_DATA, &(struct rlimit){most, most}, NULL) != 0)
        log_debug("7z runs without a limit of memory: %s", strerror(errno));
#else
    (void)pid;
#endif
}

bool sevenzip_start(struct sevenzip *z, const char *path, const char *member)
{
    static const char *const programs[] = {"7z", "7zz", "7za"};
    bool started = false;
    int ends[2];

    *z = (struct sevenzip){.fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(programs) && !started; i++) {
        /* -so: to standard output; -spd: no wildcards in the member's name; -y: ask nothing. */
        const char *const argv[] = {programs[i], "e", "-so", "-spd", "-y", "--", path, member, NULL};
        started = program_start(argv, NULL, -1, ends[1], true, &z->pid) == 0;
    }
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        z->pid = 0;
        return false;
    }
    limit_memory(z->pid);
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE); /* fewer changes between the processes; no must */
    z->fd = ends[0];
    return true;
}

bool sevenzip_succeeded(struct sevenzip *z)
{
    pid_t pid = z->pid;

    z->pid = 0;
    return program_end(pid) == 0;
}

void sevenzip_close(struct sevenzip *z)
{
    if (z->pid != 0) {
        kill(z->pid, SIGTERM);
        close(z->fd);
        if (program_end(z->pid) != 0)
            log_debug("7z was ended before its end");
    } else if (z->fd > STDERR_FILENO) {
        close(z->fd);
    }
    *z = (struct sevenzip){.fd = -1};
}
