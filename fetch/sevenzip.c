/* Decompresses 7z archives by the program 7z, on all processors. */
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ, environ, prlimit */
#include "fetch/sevenzip.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, MEMORY_MAX = 1 << 30, MEMORY_PER_PROCESSOR = 64 << 20 };

/* Runs the program with `out` as its standard output and everything else on /dev/null; in a
 * process group of its own, so that a Ctrl-C reaches only us. */
static bool spawn(const char *program, char *const argv[], int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(pid, program, &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error == 0;
}

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
    int ends[2];

    *z = (struct sevenzip){.fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    /* -so: to standard output; -spd: no wildcards in the member's name; -y: ask nothing. */
    /* clang-format off */
    char *argv[] = {NULL,        mem_text(SPAN("e")),  mem_text(SPAN("-so")),
                    mem_text(SPAN("-spd")), mem_text(SPAN("-y")), mem_text(SPAN("--")),
                    mem_text(span_of(path)), mem_text(span_of(member)), NULL};
    /* clang-format on */
    bool started = false;
    for (size_t i = 0; i < ARRAY_LEN(programs) && !started; i++) {
        argv[0] = mem_text(span_of(programs[i]));
        started = spawn(programs[i], argv, ends[1], &z->pid);
        mem_free(argv[0]);
    }
    for (size_t i = 1; argv[i] != NULL; i++)
        mem_free(argv[i]);
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

static int wait_for(pid_t pid)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

bool sevenzip_succeeded(struct sevenzip *z)
{
    int status = wait_for(z->pid);

    z->pid = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void sevenzip_close(struct sevenzip *z)
{
    if (z->pid != 0) {
        kill(z->pid, SIGTERM);
        close(z->fd);
        wait_for(z->pid);
    } else if (z->fd > STDERR_FILENO) {
        close(z->fd);
    }
    *z = (struct sevenzip){.fd = -1};
}
