/*
 * For LD_PRELOAD: the $FAIL_ALLOC-th call of malloc, calloc or realloc, and with $FAIL_ALLOC_ON all that
 * follow, finds no memory. How many there were goes to the file $COUNT_ALLOCS. Those that liblinear makes
 * succeed: it looks at no answer, and the program asks for as much before it calls it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, so that no dlsym, which allocates, is needed. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_long calls;
static long failing;
static int goes_on, is_set_up, report = -1;
static pid_t counted;

static void __attribute__((constructor)) set_up(void)
{
    const char *number = getenv("FAIL_ALLOC");

    failing = number != NULL ? strtol(number, NULL, 10) : 0;
    goes_on = getenv("FAIL_ALLOC_ON") != NULL;
    counted = getpid();
    /* Now: a command may later forbid itself to open files. */
    const char *name = getenv("COUNT_ALLOCS");
    if (name != NULL)
        report = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    is_set_up = 1;
}

/* liblinear's own calls, and those of operator new, which nothing else here uses. */
static int is_liblinear(const void *caller)
{
    Dl_info where;

    return dladdr(caller, &where) != 0 && where.dli_fname != NULL &&
           (strstr(where.dli_fname, "liblinear") != NULL || strstr(where.dli_fname, "libstdc++") != NULL);
}

/* The first that may fail, from the number on. */
static int fails(const void *caller)
{
    static atomic_int one_failed;

    if (!is_set_up)
        return 0;
    long call = ++calls;
    if (failing == 0 || call < failing || (!goes_on && one_failed) || is_liblinear(caller))
        return 0;
    one_failed = 1;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

static void __attribute__((destructor)) at_end(void)
{
    long n = calls;

    is_set_up = 0;
    if (report < 0 || getpid() != counted || ftruncate(report, 0) != 0)
        return;
    dprintf(report, "%ld\n", n);
    close(report);
}
