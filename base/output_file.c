/* output_file: a file that is there whole or not at all. */
#define _POSIX_C_SOURCE 200809L
#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status exists_error(const char *path, struct err *e)
{
    return err_set(e, ST_IO, "%s: there is such a file already, and it may be what somebody filled"
                   " in; give another name, or remove it", path);
}

enum status output_file_begin(struct output_file *f, const char *path, bool replace, struct err *e)
{
    struct stat st;
    bool there = lstat(path, &st) == 0;

    *f = (struct output_file){.path = path, .replace = replace};
    if (there && !replace)
        return exists_error(path, e);
    if (there && !S_ISREG(st.st_mode))
        return err_set(e, ST_IO, "%s: no regular file; without -o it is printed", path);
    buf_addf(&f->unfinished, "%s.%ld-unfinished", path, (long)getpid());
    unlink(output_file_path(f));
    int fd = open(output_file_path(f), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        err_set(e, ST_IO, "%s: cannot be created: %s", path, strerror(errno));
        buf_clear(&f->unfinished);
        return ST_IO;
    }
    close(fd);
    return ST_OK;
}

const char *output_file_path(struct output_file *f)
{
    return buf_cstr(&f->unfinished);
}

static enum status MUST_USE publish(struct output_file *f, struct err *e)
{
    if (!f->replace) {
        if (link(output_file_path(f), f->path) == 0)
            return ST_OK;
        if (errno == EEXIST)
            return exists_error(f->path, e);
    }
    /* To be replaced, or the file system knows no links. */
    if (rename(output_file_path(f), f->path) != 0)
        return err_set(e, ST_IO, "%s: %s", f->path, strerror(errno));
    return ST_OK;
}

enum status output_file_end(struct output_file *f, enum status status, struct err *e)
{
    if (f->unfinished.len == 0)
        return status;
    if (status == ST_OK)
        status = publish(f, e);
    unlink(output_file_path(f)); /* not there any more after a rename */
    buf_clear(&f->unfinished);
    return status;
}

enum status output_file_write(const char *path, bool replace, struct span bytes, struct err *e)
{
    struct output_file f;
    enum status status = output_file_begin(&f, path, replace, e);

    if (status == ST_OK)
        status = file_write(output_file_path(&f), false, bytes, path, e);
    return output_file_end(&f, status, e);
}
