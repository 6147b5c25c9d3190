/* The files of a run. */
#include "base/bitset.h"
#include "check/session/run.h"

struct source *source_add(struct check_run *c, struct span path, bool asked)
{
    c->sources = array_room(c->sources, c->n_sources, 1, &c->capacity, sizeof *c->sources);
    AT_END(buf_clear) struct buf absolute = {0};
    char *shown = mem_text(path);
    check_absolute(shown, &absolute);
    c->sources[c->n_sources] = (struct source){
        .path = shown, .absolute = mem_text(buf_span(&absolute)), .asked = asked};
    return &c->sources[c->n_sources++];
}

void source_clear(struct source *s)
{
    py_clear(&s->file);
    buf_clear(&s->content);
    buf_clear(&s->code);
    bitset_clear(&s->used);
    mem_free(s->cells);
    mem_free(s->path);
    mem_free(s->absolute);
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
