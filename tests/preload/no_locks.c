/* Preloaded into the program: no file can be locked, as on NFS without its lock service. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

static int call(const char *name, int fd, int command, void *argument)
{
    int (*real)(int, int, ...);

    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW) {
        errno = ENOLCK;
        return -1;
    }
    *(void **)&real = dlsym(RTLD_NEXT, name);
    return real(fd, command, argument);
}

#define REPLACE(name) \
    int name(int fd, int command, ...) \
    { \
        va_list args; \
        va_start(args, command); \
        void *argument = va_arg(args, void *); \
        va_end(args); \
        return call(#name, fd, command, argument); \
    }
REPLACE(fcntl)
REPLACE(fcntl64)

int flock(int fd, int operation)
{
    (void)fd;
    (void)operation;
    errno = ENOLCK;
    return -1;
}
