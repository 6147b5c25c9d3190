/* output_file: a file that is there whole or not at all, and stays after a power cut. */
#include "base/output_file.h"

#include "base/files.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENDING "-unfinished"
#define NAME_DIGITS 16

static enum status exists_error(const char *path, struct err *e)
{
    return err_set(e, ST_IO,
                   "%s: there is such a file already, and it may be what somebody filled"
                   " in; give another name, or remove it",
                   path);
}

/* --- the folder --- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static int open_folder(const char *path)
{
    AT_END(buf_clear) struct buf folder = {0};
    size_t len = (size_t)(last_part(path) - path);

    buf_add(&folder, path, len);
    return open(len > 0 ? buf_cstr(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void folder_sync(const char *path)
{
    int fd = open_folder(path);

    if (fd < 0)
        return;
    if (fsync(fd) != 0) /* some file systems cannot: nothing more can be done */
        log_debug("%s: its folder cannot be synced: %s", path, strerror(errno));
    close(fd);
}

/* NAME.0123456789abcdef-unfinished */
static bool is_unfinished(const char *entry, const char *name)
{
    size_t len = strlen(name);

    if (strncmp(entry, name, len) != 0 || entry[len] != '.')
        return false;
    const char *digits = entry + len + 1;
    return strspn(digits, "0123456789abcdef") == NAME_DIGITS && strcmp(digits + NAME_DIGITS, ENDING) == 0;
}

/* Who makes it keeps it locked, so what can be locked was left by a process that was killed. */
static void remove_if_left(int folder, const char *path, const char *entry, void (*remove)(const char *name))
{
    struct buf name = {0};
    struct stat info;
    int fd = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        buf_add(&name, path, (size_t)(last_part(path) - path));
        buf_add_text(&name, entry);
        remove(buf_cstr(&name));
        log_debug("%s: left by a process that was killed; removed", buf_cstr(&name));
        buf_clear(&name);
    }
    close(fd);
}

void unfinished_remove_left(const char *path, void (*remove)(const char *name))
{
    int fd = open_folder(path);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    if (folder == NULL) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(folder)) != NULL)
        if (is_unfinished(entry->d_name, last_part(path)))
            remove_if_left(fd, path, entry->d_name, remove);
    closedir(folder);
}

/* --- beginning --- */

/* Another process may have taken it away in between for one that was left. */
int unfinished_make(const char *path, enum unfinished kind, struct buf *name)
{
    enum { TRIES = 8 };

    for (int i = 0; i < TRIES; i++) {
        struct stat info;
        uint64_t number;
        /* Nobody can put a link where the file will be written: the name is not known before. */
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            number = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid() << 16;
        }
        buf_reset(name);
        buf_addf(name, "%s.%016llx" ENDING, path, (unsigned long long)number);
        const char *made = buf_cstr(name);
        mode_t mode = kind == UNFINISHED_PRIVATE ? 0600 : 0666;
        int fd = -1;
        /* A private file is private from its first moment: whoever opened it before its mode is set could read it ever
         * after. */
        if (kind != UNFINISHED_FOLDER)
            fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        else if (mkdir(made, 0777) == 0)
            fd = open(made, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
            return -1;
        bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (!locked && errno != EWOULDBLOCK)
            return fd; /* a file system without locks */
        if (locked && fstat(fd, &info) == 0 && info.st_nlink > 0)
            return fd;
        (void)(kind == UNFINISHED_FOLDER ? rmdir(buf_cstr(name)) : unlink(buf_cstr(name)));
        close(fd);
    }
    errno = EAGAIN;
    return -1;
}

/* --- ended by a signal --- */

/* The names of files that are being written, for the handler of a signal. More than these are left to the next run. */
static _Atomic(const char *) in_work[4];

static void note(const char *before, const char *after)
{
    for (size_t i = 0; i < ARRAY_LEN(in_work); i++)
        if (atomic_compare_exchange_strong(&in_work[i], &(const char *){before}, after))
            return;
}

void output_files_forsake(void)
{
    for (size_t i = 0; i < ARRAY_LEN(in_work); i++) {
        const char *name = in_work[i];
        if (name != NULL)
            unlink(name);
    }
}

static void remove_file(const char *name)
{
    unlink(name);
}

/* The file that a link leads to is what is replaced. */
static enum status MUST_USE find_target(struct output_file *f, const struct stat *there, struct err *e)
{
    AT_END(mem_end) char *real = there != NULL && S_ISLNK(there->st_mode) ? realpath(f->path, NULL) : NULL;
    struct stat info;

    buf_add_text(&f->target, real != NULL ? real : f->path);
    if (there != NULL && (stat(f->path, &info) != 0 || !S_ISREG(info.st_mode)))
        return err_set(e, ST_IO, "%s: not a regular file; name another one", f->path);
    return ST_OK;
}

enum status output_file_begin(struct output_file *f, const char *path, enum output how, struct err *e)
{
    struct stat st;
    bool there = lstat(path, &st) == 0, replace = how != OUTPUT_NEW;
    /* What is replaced may be private, too. */
    enum unfinished kind = there || how == OUTPUT_PRIVATE ? UNFINISHED_PRIVATE : UNFINISHED_FILE;

    *f = (struct output_file){.path = path, .replace = replace, .fd = -1};
    if (there && !replace) {
        unfinished_remove_left(path, remove_file); /* killed, or the power cut, when it had its name */
        return exists_error(path, e);
    }
    enum status status = find_target(f, there ? &st : NULL, e);
    if (status == ST_OK)
        unfinished_remove_left(buf_cstr(&f->target), remove_file);
    if (status == ST_OK && (f->fd = unfinished_make(buf_cstr(&f->target), kind, &f->unfinished)) < 0) {
        status = err_set(e, ST_IO, "%s: cannot be created: %s", path, strerror(errno));
        buf_reset(&f->unfinished);
    }
    if (status == ST_OK)
        note(NULL, output_file_path(f));
    if (status == ST_OK && there && stat(path, &st) == 0 && fchmod(f->fd, st.st_mode & 07777) != 0)
        log_debug("%s: its mode cannot be kept: %s", path, strerror(errno));
    if (status == ST_OK && !there && how == OUTPUT_PRIVATE && (status = file_make_private(f->fd, path, e)) != ST_OK)
        return output_file_end(f, status, e);
    if (status != ST_OK) {
        buf_clear(&f->unfinished);
        buf_clear(&f->target);
    }
    return status;
}

const char *output_file_path(struct output_file *f)
{
    return buf_cstr(&f->unfinished);
}

/* --- ending --- */

static enum status MUST_USE publish(struct output_file *f, struct err *e)
{
    if (fsync(f->fd) != 0)
        return err_set(e, ST_IO, "%s: %s", f->path, strerror(errno));
    if (!f->replace) {
        if (link(output_file_path(f), f->path) == 0)
            return ST_OK;
        if (errno == EEXIST)
            return exists_error(f->path, e);
    }
    /* To be replaced, or the file system knows no links. */
    if (rename(output_file_path(f), buf_cstr(&f->target)) != 0)
        return err_set(e, ST_IO, "%s: %s", f->path, strerror(errno));
    return ST_OK;
}

enum status output_file_end(struct output_file *f, enum status status, struct err *e)
{
    if (f->unfinished.len == 0)
        return status;
    THEN(status, publish(f, e));
    note(output_file_path(f), NULL);
    unlink(output_file_path(f)); /* not there any more after a rename */
    if (status == ST_OK)
        folder_sync(buf_cstr(&f->target));
    close(f->fd);
    buf_clear(&f->unfinished);
    buf_clear(&f->target);
    return status;
}

enum status output_file_write(const char *path, enum output how, struct span bytes, struct err *e)
{
    struct output_file f;
    enum status status = output_file_begin(&f, path, how, e);

    AT_END(buf_clear) struct buf old = {0};
    struct err why;
    if (status != ST_OK && how == OUTPUT_NEW && file_read_regular(path, bytes.len, &old, &why) == ST_OK &&
        span_eq(buf_span(&old), bytes))
        return ST_OK; /* of several files, a run that was cut off made the first */
    THEN(status, file_write(output_file_path(&f), false, bytes, path, e));
    return output_file_end(&f, status, e);
}

enum status file_make_private(int fd, const char *path, struct err *e)
{
    const char *text = getenv("PPMINE_FILE_MODE");
    mode_t mode = 0600;
    char *end;

    if (text != NULL && text[0] != '\0') {
        unsigned long number = strtoul(text, &end, 8);
        if (*end != '\0' || strspn(text, "01234567") != strlen(text) || number > 0666 || (number & 0600) != 0600)
            return err_set(e, ST_USAGE, "PPMINE_FILE_MODE '%s' is not a mode from 600 to 666, such as 660", text);
        mode = (mode_t)number;
    }
    if (fchmod(fd, mode) != 0)
        log_warn("%s: others may read it, its mode cannot be set: %s", path, strerror(errno));
    return ST_OK;
}
