/* door: the page that brings a browser to a link. */
#define _DEFAULT_SOURCE /* mkstemps */
#include "cli/door.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "ppmine-serve-";

/* "ppmine-serve-1234-a1b2c3.html" of a process that has ended. */
static bool is_left(const char *name)
{
    struct span rest = span_of(name), pid;
    uint64_t number;

    if (!span_starts(rest, span_of(prefix)))
        return false;
    rest = (struct span){rest.ptr + strlen(prefix), rest.len - strlen(prefix)};
    return span_cut(&rest, '-', &pid) && span_u64(pid, INT32_MAX, &number) && number > 0 &&
           rest.len == strlen("a1b2c3.html") && strcmp(rest.ptr + strlen("a1b2c3"), ".html") == 0 &&
           kill((pid_t)number, 0) != 0 && errno == ESRCH;
}

enum status door_write(struct span link, struct buf *path, struct err *e)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat info;

    const char *folder = runtime != NULL && runtime[0] == '/' && stat(runtime, &info) == 0 && S_ISDIR(info.st_mode) &&
                                 info.st_uid == geteuid()
                             ? runtime
                             : "/tmp";
    AT_END(buf_clear) struct buf page = {0};

    /* Of this user alone: in /tmp the system lets nobody remove another's. */
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct stat about;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (is_left(entry->d_name) && fstatat(dirfd(dir), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode) && about.st_uid == geteuid())
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    buf_reset(path);
    buf_addf(path, "%s/%s%ld-XXXXXX.html", folder, prefix, (long)getpid());
    buf_add_char(path, '\0'); /* mkstemps writes into it */
    path->len--;
    int fd = mkstemps(path->ptr, (int)strlen(".html"));
    if (fd < 0) {
        enum status status = err_set(e, ST_IO, "cannot make %s", path->ptr);
        buf_reset(path);
        return status;
    }
    buf_addf(&page, "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0;url=%.*s\">\n", SPAN_ARG(link));
    bool done = write(fd, page.ptr, page.len) == (ssize_t)page.len;
    done = close(fd) == 0 && done;
    enum status status = done ? ST_OK : err_set(e, ST_IO, "cannot write %s", buf_cstr(path));
    if (!done)
        door_remove(path);
    return status;
}

void door_remove(struct buf *path)
{
    if (path->len > 0)
        unlink(buf_cstr(path));
    buf_reset(path);
}
