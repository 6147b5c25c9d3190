/* Copies a folder for runs, and makes the copy as it was before the next one. */
#include "bench/copy.h"

#include "base/files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct copying {
    const struct copy_spec *spec;
    uint64_t copied;
    struct buf path; /* of where it is, from the top: for messages and for spec->linked */
    struct err *e;
};

static enum status failed(struct copying *c, const char *what)
{
    return err_set(c->e, ST_IO, "%s cannot be %s: %s", c->path.len > 0 ? buf_cstr(&c->path) : ".", what,
                   strerror(errno));
}

/* The folder to be read from its first entry, wherever the place of `fd` is. */
static DIR *open_again(int fd)
{
    int again = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;

    if (folder != NULL)
        rewinddir(folder);
    else
        fd_end(&again);
    return folder;
}

/* --- removing --- */

static void remove_entry(int dir, const char *name, int depth)
{
    if (unlinkat(dir, name, 0) == 0 || depth > COPY_DEPTH_MAX || fchmodat(dir, name, S_IRWXU, 0) != 0)
        return;
    AT_END(fd_end) int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    AT_END(dir_end) DIR *folder = open_again(fd);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (!span_is_word(span_of(entry->d_name), ". .."))
            remove_entry(fd, entry->d_name, depth + 1);
    unlinkat(dir, name, AT_REMOVEDIR);
}

/* --- copying --- */

static bool pour(int from, int to)
{
    char chunk[65536];
    ssize_t n;

    while ((n = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0)) > 0) {
    }
    if (n == 0)
        return true;
    /* Not between these file systems, or not of this file. */
    while ((n = read(from, chunk, sizeof chunk)) > 0)
        for (ssize_t at = 0, done; at < n; at += done)
            if ((done = write(to, chunk + at, (size_t)(n - at))) < 0)
                return false;
    return n == 0;
}

static enum status copy_file(struct copying *c, int from, int to, const char *name, const struct stat *info)
{
    const struct timespec times[2] = {info->st_atim, info->st_mtim};

    c->copied += (uint64_t)info->st_size;
    if (c->copied > c->spec->most)
        return err_set(c->e, ST_INPUT,
                       "this folder has more than %.1f GB; --link NAME links what the command only"
                       " reads, such as a folder of data, instead of copying it",
                       (double)c->spec->most / 1e9);
    AT_END(fd_end) int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0)
        return failed(c, "read");
    remove_entry(to, name, 0);
    int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     (info->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) | S_IRUSR | S_IWUSR);
    enum status status = ST_OK;
    if (out < 0 || !pour(in, out) || futimens(out, times) != 0)
        status = failed(c, "copied");
    if (out >= 0 && close(out) != 0 && status == ST_OK)
        status = failed(c, "copied");
    return status;
}

static enum status copy_link(struct copying *c, int from, int to, const char *name)
{
    char there[4096], here[4096];
    ssize_t n = readlinkat(from, name, there, sizeof there - 1);
    ssize_t old = readlinkat(to, name, here, sizeof here - 1);

    if (n < 0)
        return failed(c, "read");
    there[n] = '\0';
    if (old == n && memcmp(here, there, (size_t)n) == 0)
        return ST_OK;
    remove_entry(to, name, 0);
    return symlinkat(there, to, name) == 0 ? ST_OK : failed(c, "linked");
}

/* What stands at the place of the folder's path in `from`, wherever that is. */
static enum status link_to(struct copying *c, int from, int to, const char *name)
{
    char proc[64], dir[4096];
    struct stat info;

    if (fstatat(to, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode))
        return ST_OK;
    snprintf(proc, sizeof proc, "/proc/self/fd/%d", from);
    ssize_t n = readlink(proc, dir, sizeof dir - 1);
    if (n <= 0)
        return failed(c, "linked");
    AT_END(mem_end) char *target = mem_addf("%.*s/%s", (int)n, dir, name);
    remove_entry(to, name, 0);
    return symlinkat(target, to, name) == 0 ? ST_OK : failed(c, "linked");
}

static enum status copy_entries(struct copying *c, int from, int to, int depth);

static enum status copy_below(struct copying *c, int from, int to, const char *name, int depth)
{
    if (depth >= COPY_DEPTH_MAX)
        return err_set(c->e, ST_INPUT, "%s: more than %d folders in each other", buf_cstr(&c->path),
                       (int)COPY_DEPTH_MAX);
    struct stat there;
    if (fstatat(to, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISDIR(there.st_mode))
        remove_entry(to, name, 0);
    if ((mkdirat(to, name, S_IRWXU) != 0 && errno != EEXIST) || fchmodat(to, name, S_IRWXU, 0) != 0)
        return failed(c, "made");
    AT_END(fd_end) int in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    AT_END(fd_end) int out = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return in >= 0 && out >= 0 ? copy_entries(c, in, out, depth + 1) : failed(c, "opened");
}

static enum status copy_entry(struct copying *c, int from, int to, const char *name, int depth)
{
    struct stat info, there;

    if (fstatat(from, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? ST_OK : failed(c, "read");
    if (span_is_any(buf_span(&c->path), c->spec->linked, c->spec->n_linked))
        return link_to(c, from, to, name);
    if (S_ISDIR(info.st_mode))
        return copy_below(c, from, to, name, depth);
    if (S_ISLNK(info.st_mode))
        return copy_link(c, from, to, name);
    if (!S_ISREG(info.st_mode)) {
        remove_entry(to, name, 0); /* a file of before */
        return ST_OK;
    }
    bool same = fstatat(to, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(there.st_mode) &&
                there.st_size == info.st_size && there.st_mtim.tv_sec == info.st_mtim.tv_sec &&
                there.st_mtim.tv_nsec == info.st_mtim.tv_nsec;
    return same ? ST_OK : copy_file(c, from, to, name, &info);
}

static enum status copy_entries(struct copying *c, int from, int to, int depth)
{
    AT_END(dir_end) DIR *folder = open_again(from);
    const struct dirent *entry;
    enum status status = ST_OK;
    size_t len = c->path.len;

    if (folder == NULL)
        return failed(c, "read");
    while (status == ST_OK && (entry = readdir(folder)) != NULL) {
        if (span_is_word(span_of(entry->d_name), ". .. .git __pycache__"))
            continue;
        buf_addf(&c->path, "%s%s", len > 0 ? "/" : "", entry->d_name);
        status = copy_entry(c, from, to, entry->d_name, depth);
        c->path.len = len;
    }
    if (status != ST_OK)
        return status;
    /* Entries of `to` that are not in `from`. */
    AT_END(dir_end) DIR *copy = open_again(to);
    struct stat info;
    while (copy != NULL && (entry = readdir(copy)) != NULL)
        if (!span_is_word(span_of(entry->d_name), ". .. __pycache__") &&
            fstatat(from, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            remove_entry(to, entry->d_name, 0);
    return ST_OK;
}

enum status copy_folder(const char *from, const char *to, const struct copy_spec *spec, struct err *e)
{
    struct copying c = {.spec = spec, .e = e};

    if (mkdir(to, S_IRWXU) != 0 && errno != EEXIST)
        return err_set(e, ST_IO, "%s cannot be made: %s", to, strerror(errno));
    AT_END(fd_end) int in = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    AT_END(fd_end) int out = open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0 || out < 0)
        return err_set(e, ST_IO, "%s cannot be read: %s", in < 0 ? from : to, strerror(errno));
    enum status status = copy_entries(&c, in, out, 0);
    buf_clear(&c.path);
    return status;
}
