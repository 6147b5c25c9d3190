/* What a run read of a project for the sake of the files that it was asked for, kept for the next run. */
#define _GNU_SOURCE

#include "check/session/run.h"

struct check_kept {
    struct source *sources; /* in the order of their absolute paths */
    size_t n;
};

struct check_kept *check_kept_new(void)
{
    return mem_zero(1, sizeof(struct check_kept));
}

static void clear(struct check_kept *k)
{
    for (size_t i = 0; i < k->n; i++)
        source_clear(&k->sources[i]);
    mem_free(k->sources);
    *k = (struct check_kept){0};
}

void check_kept_free(struct check_kept *k)
{
    if (k != NULL)
        clear(k);
    mem_free(k);
}

void check_keep(struct check_run *c, struct check_kept *k)
{
    c->kept = k;
}

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void kept_take(struct check_run *c)
{
    struct check_kept *k = c->kept;

    for (size_t i = 0; i < c->n_sources && k != NULL; i++) {
        struct source *s = &c->sources[i], *found;
        if (s->asked || s->has_given || stat(s->path, &s->stat) != 0)
            continue;
        found = source_at(k->sources, k->n, s->absolute);
        if (found == NULL || !is_unchanged(&found->stat, &s->stat))
            continue;
        struct source fresh = *s; /* an exchange: what is left in k is freed with it */
        *s = *found;
        *found = fresh;
    }
}

void kept_leave(struct check_run *c)
{
    struct check_kept *k = c->kept;
    size_t asked = 0;

    if (k == NULL)
        return;
    clear(k);
    k->sources = mem_zero(c->n_sources + 1, sizeof *k->sources);
    for (size_t i = 0; i < c->n_sources; i++)
        if (c->sources[i].asked || c->sources[i].has_given)
            c->sources[asked++] = c->sources[i];
        else
            k->sources[k->n++] = c->sources[i];
    c->n_sources = asked;
}
