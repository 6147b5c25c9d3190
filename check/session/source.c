/* The files of a run. */
#include "check/session/run.h"

struct source *source_add(struct check_run *c, struct span path)
{
    if (c->n_sources >= c->capacity) {
        c->capacity = c->capacity == 0 ? 64 : c->capacity * 2;
        c->sources = mem_resize(c->sources, c->capacity, sizeof *c->sources);
    }
    c->sources[c->n_sources] = (struct source){.path = mem_text(path)};
    return &c->sources[c->n_sources++];
}

struct source *source_of(const struct check_run *c, const struct py_file *f)
{
    return &c->sources[c->parsed[f->number]];
}

struct span source_bytes(const struct source *s)
{
    return s->has_given ? s->given : buf_span(&s->content);
}

struct span source_code(const struct source *s)
{
    return s->cells != NULL ? buf_span(&s->code) : source_bytes(s);
}

const struct source *source_find(const struct check_run *c, const char *path)
{
    for (size_t i = 0; i < c->n_sources; i++)
        if (strcmp(c->sources[i].path, path) == 0)
            return &c->sources[i];
    return NULL;
}
