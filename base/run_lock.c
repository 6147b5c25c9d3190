/* run_lock: one process at a time. */
#include "base/run_lock.h"

#include "base/log.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long read_pid(int fd)
{
    char text[32] = "";
    uint64_t pid;
    ssize_t got = pread(fd, text, sizeof text - 1, 0);

    if (got <= 0 || !span_u64(span_trim((struct span){text, (size_t)got}), INT32_MAX, &pid))
        return 0;
    return (long)pid;
}

/* Another user's file is opened for reading, which a lock needs no more than. In a folder that all may
 * write to somebody could have put a link or a FIFO there. */
static int open_file(const char *file)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    struct stat info;
    int fd = open(file, O_RDWR | flags);

    if (fd < 0 && errno == ENOENT)
        fd = open(file, O_RDWR | O_CREAT | flags, 0644);
    if (fd < 0 && errno == EACCES)
        fd = open(file, O_RDONLY | flags);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

/* `about`: what the lock is on, for messages. */
static enum status take(const char *file, const char *about, int *fd, struct err *e)
{
    enum status status = ST_OK;

    *fd = open_file(file);
    if (*fd < 0) {
        status = err_set(e, ST_IO, "%s: %s", file, strerror(errno));
    } else if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? err_set(e, ST_NO, "%s: another run is at work (process %ld)", about, read_pid(*fd))
                     : err_set(e, ST_IO, "%s: %s", file, strerror(errno));
        run_lock_release(*fd);
        *fd = -1;
    } else {
        char text[32];
        int len = snprintf(text, sizeof text, "%ld\n", (long)getpid());

        /* For people who look; nothing depends on it. */
        if (ftruncate(*fd, 0) != 0 || write(*fd, text, (size_t)len) != len)
            log_debug("the lock file cannot be written: %s", strerror(errno));
    }
    return status;
}

enum status run_lock_take(const char *path, const char *name, int *fd, struct err *e)
{
    char real[PATH_MAX];

    AT_END(mem_end) char *file = mem_addf("%s-%s", realpath(path, real) != NULL ? real : path, name);
    return take(file, path, fd, e);
}

/* By asking again and again: a signal that comes just before a call that waits would be missed. */
enum status run_lock_wait(const char *file, const char *about, int *fd, struct err *e)
{
    const struct timespec pause = {0, 100000000};
    struct err busy = {0};
    enum status status = take(file, about, fd, &busy);

    if (status == ST_NO)
        log_warn("%s; waiting for its end", busy.text);
    while (status == ST_NO && !signals_stop_asked()) {
        nanosleep(&pause, NULL);
        status = take(file, about, fd, &busy);
    }
    if (status != ST_OK && status != ST_NO)
        *e = busy;
    return status;
}

void run_lock_release(int fd)
{
    if (fd >= 0)
        close(fd);
}
