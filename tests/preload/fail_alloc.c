/*
 * For LD_PRELOAD: the $FAIL_ALLOC-th call of malloc, calloc or realloc, and with $FAIL_ALLOC_ON all that
 * follow, finds no memory. How many there were goes to the file $COUNT_ALLOCS.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own, so that no dlsym, which allocates, is needed. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_long calls;
static long failing;
static int goes_on, is_set_up;
static pid_t counted;

static void __attribute__((constructor)) set_up(void)
{
    const char *number = getenv("FAIL_ALLOC");

    failing = number != NULL ? strtol(number, NULL, 10) : 0;
    goes_on = getenv("FAIL_ALLOC_ON") != NULL;
    counted = getpid();
    is_set_up = 1;
}

static int fails(void)
{
    if (!is_set_up)
        return 0;
    long call = ++calls;
    if (failing == 0 || (goes_on ? call < failing : call != failing))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}

static void __attribute__((destructor)) at_end(void)
{
    const char *name = getenv("COUNT_ALLOCS");
    long n = calls;

    is_set_up = 0;
    FILE *file = name != NULL && getpid() == counted ? fopen(name, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", n);
    fclose(file);
}
