#define _GNU_SOURCE
#include "cli/run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static void write_pid(int fd)
{
    char text[32];
    int len = snprintf(text, sizeof text, "%ld\n", (long)getpid());

    /* For people who look; nothing depends on it. */
    if (ftruncate(fd, 0) != 0 || write(fd, text, (size_t)len) != len)
        log_debug("the lock file cannot be written: %s", strerror(errno));
}

static long read_pid(int fd)
{
    char text[32] = "";
    uint64_t pid;
    ssize_t got = pread(fd, text, sizeof text - 1, 0);

    if (got <= 0 || !span_u64(span_trim((struct span){text, (size_t)got}), INT32_MAX, &pid))
        return 0;
    return (long)pid;
}

enum status run_lock_take(const char *path, const char *name, int *fd, struct err *e)
{
    struct buf file = {0};
    enum status status = ST_OK;
    char real[PATH_MAX];

    buf_addf(&file, "%s-%s", realpath(path, real) != NULL ? real : path, name);
    *fd = open(buf_cstr(&file), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (*fd < 0) {
        status = err_set(e, ST_IO, "%s: %s", buf_cstr(&file), strerror(errno));
    } else if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK
                     ? err_set(e, ST_NO, "%s: another run is at work (process %ld)", path,
                               read_pid(*fd))
                     : err_set(e, ST_IO, "%s: %s", buf_cstr(&file), strerror(errno));
        run_lock_release(*fd);
        *fd = -1;
    } else {
        write_pid(*fd);
    }
    buf_clear(&file);
    return status;
}

void run_lock_release(int fd)
{
    if (fd >= 0)
        close(fd);
}
