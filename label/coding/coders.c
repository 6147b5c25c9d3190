/* coders: who is known to the database as a coder. */
#include "label/coding/coders.h"

#include "label/coding/decisions.h"

enum { CODERS_MAX = 1000 }; /* a slip is looked for among these */

struct coders {
    struct span sought;
    bool known, is_merged;
    const char *names[CODERS_MAX];
    size_t n;
    struct arena arena;
};

static void add_coder(void *ctx, struct span coder, bool is_merged)
{
    struct coders *c = ctx;

    if (span_eq(coder, c->sought)) {
        c->known = true;
        c->is_merged = is_merged;
    }
    if (c->n < CODERS_MAX)
        c->names[c->n++] = arena_text(&c->arena, coder);
}

static enum status MUST_USE look_up(struct db *db, struct span coder, struct coders **out, struct err *e)
{
    *out = mem_zero(1, sizeof **out);
    (*out)->sought = coder;
    return db_coder_each(db, add_coder, *out, e);
}

static void coders_free(struct coders *c)
{
    arena_clear(&c->arena);
    mem_free(c);
}

enum status coder_known(struct db *db, struct span coder, bool *is_merged, struct buf *near, struct err *e)
{
    struct coders *c;
    enum status status = look_up(db, coder, &c, e);

    *is_merged = c->is_merged || (!c->known && span_eq(coder, SPAN("merged")));
    const char *nearest = c->known ? NULL : span_nearest(coder, c->names, c->n);
    if (status == ST_OK && nearest != NULL)
        buf_add_text(near, nearest);
    coders_free(c);
    return status;
}

enum status coder_must_exist(struct db *db, struct span coder, struct err *e)
{
    struct coders *c;
    enum status status = look_up(db, coder, &c, e);
    const char *near = span_nearest(coder, c->names, c->n);

    if (status == ST_OK && !c->known)
        status = err_set(e, ST_INPUT, "there is no coder '%.*s'%s%s%s", SPAN_ARG(coder),
                         near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
    coders_free(c);
    return status;
}
