/* Preloaded into the program: the file $PROC_STAT is read for /proc/stat. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    const char *instead = getenv("PROC_STAT");
    va_list arguments;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "open");
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return real(instead != NULL && strcmp(path, "/proc/stat") == 0 ? instead : path, flags, mode);
}
