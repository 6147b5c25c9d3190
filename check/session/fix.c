/* Fixes: edits of files, all of a finding's or none. */
#include "base/bitset.h"
#include "base/files.h"
#include "base/output_file.h"
#include "base/log.h"
#include "check/session/run.h"

/* An edit with the finding that it belongs to. */
struct planned {
    const struct check_edit *edit;
    size_t finding;
};

struct plan ARRAY_OF(struct planned);

static int by_start(const void *a, const void *b)
{
    const struct planned *x = a, *y = b;

    if (x->edit->start != y->edit->start)
        return x->edit->start < y->edit->start ? -1 : 1;
    if (x->edit->end != y->edit->end)
        return x->edit->end < y->edit->end ? -1 : 1;
    return (x->finding > y->finding) - (x->finding < y->finding);
}

/* The bytes of a file that fixes have taken. */
struct taken {
    struct bitset starts;     /* where edits begin */
    struct bitset statements; /* of them, where whole statements are put in */
    struct bitset replaced;
};

/* Statements may stand one behind the other; no other two edits at the same place can be put in order. */
static bool clashes(const struct taken *t, const struct check_edit *e)
{
    if (bitset_has(&t->starts, (uint32_t)e->start) && !(e->statement && bitset_has(&t->statements, (uint32_t)e->start)))
        return true;
    if (e->start == e->end && bitset_has(&t->replaced, (uint32_t)e->start))
        return true;
    for (size_t at = e->start; at < e->end; at++)
        if (bitset_has(&t->replaced, (uint32_t)at) || (at > e->start && bitset_has(&t->starts, (uint32_t)at)))
            return true;
    return false;
}

/* The first of two findings whose edits clash is fixed; the other is left for the next run. */
static bool take_all(struct taken *t, const struct check_edit *edits, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (clashes(t, &edits[k]))
            return false;
    for (const struct check_edit *e = edits; e < edits + n; e++) {
        bitset_add(&t->starts, (uint32_t)e->start);
        if (e->statement)
            bitset_add(&t->statements, (uint32_t)e->start);
        for (size_t at = e->start; at < e->end; at++)
            bitset_add(&t->replaced, (uint32_t)at);
    }
    return true;
}

/* Does the result parse at least as well as the original did? */
static bool still_parses(const struct source *s, struct span fixed)
{
    struct py_parser *parser = py_parser_new();
    AT_END(py_clear) struct py_file f = {.path = s->path, .code = fixed};

    if (parser == NULL)
        return false;
    bool fine = py_read(parser, &f) && (!f.has_errors || s->file.has_errors);
    py_parser_free(parser);
    return fine;
}

static void plan(struct plan *out, const struct check_run *c, const char *path, const bool *chosen)
{
    struct taken taken = {0};

    for (size_t i = 0; i < c->n_findings; i++) {
        const struct check_finding *f = &c->findings[i];
        if (f->path != path || (chosen != NULL && !chosen[i]))
            continue;
        bool proposed = chosen != NULL && f->n_edits == 0;
        const struct check_edit *edits = proposed ? f->proposed : f->edits;
        size_t n = proposed ? f->n_proposed : f->n_edits;
        if (n == 0 || !take_all(&taken, edits, n))
            continue;
        for (size_t k = 0; k < n; k++)
            array_add(out, (struct planned){&edits[k], i});
    }
    bitset_clear(&taken.starts);
    bitset_clear(&taken.statements);
    bitset_clear(&taken.replaced);
    array_sort(out, by_start);
}

bool check_changed(const struct check_run *c, const char *path, const bool *chosen, struct buf *out, bool *taken)
{
    const struct source *s = source_find(c, path);
    AT_END(array_end) struct plan p = {0};
    size_t at = 0;

    if (s == NULL || s->cells != NULL)
        return false; /* fixes are for files of code */
    plan(&p, c, s->path, chosen);
    struct span bytes = source_bytes(s);
    for (size_t i = 0; i < p.n; i++) {
        const struct check_edit *e = p.at[i].edit;
        bool stands = false; /* a finding before puts the same statement in at the same place */
        for (size_t k = i; e->statement && k-- > 0 && p.at[k].edit->start == e->start;)
            stands |= p.at[k].edit->statement && span_eq(p.at[k].edit->text, e->text);
        if (stands)
            continue;
        buf_add(out, bytes.ptr + at, e->start - at);
        buf_add_span(out, e->text);
        at = e->end;
    }
    if (p.n == 0)
        return false;
    buf_add(out, bytes.ptr + at, bytes.len - at);
    if (!still_parses(s, buf_span(out))) {
        log_warn("%s: left as it is, since the fixed code would not parse", path);
        buf_reset(out);
        return false;
    }
    for (size_t i = 0; i < p.n && taken != NULL; i++)
        taken[p.at[i].finding] = true;
    return true;
}

size_t first_of_path(const struct check_run *c, const char *path)
{
    size_t i = 0;

    while (i < c->n_findings && c->findings[i].path != path)
        i++;
    return i;
}

/* Others may have written the file since, and what is read-only is so on purpose; NULL: it can be written. */
static const char *why_not_written(const struct source *s)
{
    AT_END(buf_clear) struct buf now = {0};
    struct stat st;
    struct err why;

    if (stat(s->path, &st) == 0 && (st.st_mode & 0222) == 0)
        return "it is read-only";
    if (file_read(s->path, FILE_BYTES_MAX, &now, &why) != ST_OK || !span_eq(buf_span(&now), source_bytes(s)))
        return "it changed since it was read";
    return NULL;
}

enum status check_fix(const struct check_run *c, bool *fixed, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < c->n_findings && status == ST_OK; i++) {
        const char *path = c->findings[i].path;
        AT_END(buf_clear) struct buf out = {0};
        const struct source *s = i == first_of_path(c, path) ? source_find(c, path) : NULL;
        if (s == NULL || s->has_given)
            continue;
        const char *why = why_not_written(s);
        if (!check_changed(c, path, NULL, &out, why == NULL ? fixed : NULL))
            continue;
        if (why != NULL)
            log_warn("%s: left as it is: %s", path, why);
        else
            status = output_file_write(path, OUTPUT_REPLACE, buf_span(&out), e);
    }
    return status;
}
