/* Fixes: edits of files, all of a finding's or none. */
#define _GNU_SOURCE

#include "check/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* An edit with the finding that it belongs to. */
struct planned {
    const struct check_edit *edit;
    size_t finding;
};

static int by_start(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;

    if (x->edit->start != y->edit->start)
        return x->edit->start < y->edit->start ? -1 : 1;
    if (x->edit->end != y->edit->end)
        return x->edit->end < y->edit->end ? -1 : 1;
    return (x->finding > y->finding) - (x->finding < y->finding);
}

static bool clash(const struct check_edit *a, const struct check_edit *b)
{
    return a->start == b->start || (a->start < b->end && b->start < a->end);
}

/* The first of two findings whose edits clash is fixed; the other is left for the next run. */
static bool fits_beside(const struct check_run *c, const bool *taken, size_t finding)
{
    const struct check_finding *f = &c->findings[finding];

    for (size_t i = finding; i-- > 0 && c->findings[i].path == f->path;)
        for (size_t a = 0; taken[i] && a < c->findings[i].n_edits; a++)
            for (size_t b = 0; b < f->n_edits; b++)
                if (clash(&c->findings[i].edits[a], &f->edits[b]))
                    return false;
    return true;
}

/* Does the result parse at least as well as the original did? */
static bool still_parses(const struct source *s, struct span fixed)
{
    struct py_parser *parser = py_parser_new();
    struct py_file f = {.path = s->path, .code = fixed};

    if (parser == NULL)
        return false;
    bool fine = py_read(parser, &f) && (!f.has_errors || s->file.has_errors);
    py_clear(&f);
    py_parser_free(parser);
    return fine;
}

static size_t plan(const struct check_run *c, const char *path, struct planned **edits,
                   size_t *fixed)
{
    bool *taken = mem_zero(c->n_findings + 1, sizeof *taken);
    size_t n = 0, capacity = 0;

    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        if (f->path != path || f->n_edits == 0 || !fits_beside(c, taken, i))
            continue;
        taken[i] = true;
        ++*fixed;
        for (size_t k = 0; k < f->n_edits; k++) {
            if (n >= capacity) {
                capacity = capacity == 0 ? 16 : capacity * 2;
                *edits = mem_resize(*edits, capacity, sizeof **edits);
            }
            (*edits)[n++] = (struct planned){&f->edits[k], i};
        }
    }
    mem_free(taken);
    if (n > 1)
        qsort(*edits, n, sizeof **edits, by_start);
    return n;
}

bool fixed_content(const struct check_run *c, const char *path, struct buf *out, size_t *fixed)
{
    const struct source *s = source_find(c, path);
    struct planned *edits = NULL;
    size_t at = 0, count = 0;

    *fixed = 0;
    if (s == NULL || s->cells != NULL)
        return false; /* fixes are for files of code */
    size_t n = plan(c, s->path, &edits, &count);
    struct span bytes = source_bytes(s);
    for (size_t i = 0; i < n; i++) {
        const struct check_edit *e = edits[i].edit;
        buf_add(out, bytes.ptr + at, e->start - at);
        buf_add_span(out, e->text);
        at = e->end;
    }
    mem_free(edits);
    if (n == 0)
        return false;
    buf_add(out, bytes.ptr + at, bytes.len - at);
    if (!still_parses(s, buf_span(out))) {
        log_warn("%s: left as it is, since the fixed code would not parse", path);
        buf_reset(out);
        return false;
    }
    *fixed = count;
    return true;
}

/* Writes beside the file and renames, so that no half-written file is left; links are followed. */
static enum status replace_file(const char *path, struct span content, struct err *e)
{
    char *real = realpath(path, NULL);
    struct buf name = {0};
    struct stat st;
    enum status status = ST_OK;

    if (real == NULL || stat(real, &st) != 0) {
        status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        mem_free(real);
        return status;
    }
    buf_addf(&name, "%s.XXXXXX", real);
    int fd = mkstemp(name.ptr);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL) {
        status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
    } else {
        fwrite(content.ptr, 1, content.len, file);
        status = stream_check(file, path, e);
        if (status == ST_OK && fchmod(fd, st.st_mode & 07777) != 0)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        if (fclose(file) != 0 && status == ST_OK)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        if (status == ST_OK && rename(name.ptr, real) != 0)
            status = err_set(e, ST_IO, "%s: %s", path, strerror(errno));
        if (status != ST_OK)
            unlink(name.ptr);
    }
    buf_clear(&name);
    mem_free(real);
    return status;
}

enum status check_fix(const struct check_run *c, size_t *fixed, struct err *e)
{
    enum status status = ST_OK;
    const char *last = NULL;

    *fixed = 0;
    for (size_t i = 0; i < c->n_findings && status == ST_OK; i++) {
        const char *path = c->findings[i].path;
        struct buf out = {0};
        size_t count;
        if (path == last)
            continue;
        last = path;
        const struct source *s = source_find(c, path);
        if (s != NULL && !s->has_given && fixed_content(c, path, &out, &count)) {
            status = replace_file(path, buf_span(&out), e);
            *fixed += count;
        }
        buf_clear(&out);
    }
    return status;
}
