/*
 * For LD_PRELOAD: ends the process with SIGKILL right before its n-th call that changes a file,
 * n from $KILL_AT_WRITE. With $COUNT_WRITES the number of such calls is written to that file when
 * the process ends. Only files count, not pipes and terminals: what a program says kills nobody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls;

static void step(int fd)
{
    const char *last = getenv("KILL_AT_WRITE");
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || fd <= STDERR_FILENO)
        return;
    calls++;
    if (last != NULL && calls == strtol(last, NULL, 10))
        kill(getpid(), SIGKILL);
}

static void __attribute__((destructor)) report(void)
{
    const char *path = getenv("COUNT_WRITES");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;

    if (file == NULL)
        return;
    fprintf(file, "%ld\n", calls);
    fclose(file);
}

/* Defines the function `name`, which does as the C library's does, but takes a step before. */
#define STEP_BEFORE(result, name, parameters, arguments) \
    result name parameters; \
    result name parameters \
    { \
        static result(*real) parameters; \
        if (real == NULL) \
            *(void **)&real = dlsym(RTLD_NEXT, #name); \
        step(fd); \
        return real arguments; \
    }

STEP_BEFORE(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size))
STEP_BEFORE(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t at), (fd, bytes, size, at))
STEP_BEFORE(ssize_t, pwrite64, (int fd, const void *bytes, size_t size, off64_t at), (fd, bytes, size, at))
STEP_BEFORE(int, fsync, (int fd), (fd))
STEP_BEFORE(int, fdatasync, (int fd), (fd))
STEP_BEFORE(int, ftruncate, (int fd, off_t size), (fd, size))
STEP_BEFORE(int, ftruncate64, (int fd, off64_t size), (fd, size))
