/* coders: who is known to the database as a coder. */
#include "label/coding/coders.h"

#include "label/coding/decisions.h"

enum { CODERS_MAX = 1000 }; /* a slip is looked for among these */

struct coders {
    struct span sought;
    bool known, is_merged;
    struct ARRAY_OF(const char *) names;
    struct arena arena;
};

static void add_coder(void *ctx, struct span coder, bool is_merged)
{
    struct coders *c = ctx;

    if (span_eq(coder, c->sought)) {
        c->known = true;
        c->is_merged = is_merged;
    }
    if (c->names.n < CODERS_MAX)
        array_add(&c->names, arena_text(&c->arena, coder));
}

static void coders_clear(struct coders *c)
{
    array_clear(&c->names);
    arena_clear(&c->arena);
}

enum status coder_known(struct db *db, struct span coder, bool *is_merged, struct buf *near, struct err *e)
{
    AT_END(coders_clear) struct coders c = {.sought = coder};
    enum status status = db_coder_each(db, add_coder, &c, e);

    *is_merged = c.is_merged || (!c.known && span_eq(coder, SPAN("merged")));
    const char *nearest = c.known ? NULL : span_nearest(coder, c.names.at, c.names.n);
    if (status == ST_OK && nearest != NULL)
        buf_add_text(near, nearest);
    return status;
}

enum status coder_must_exist(struct db *db, struct span coder, struct err *e)
{
    AT_END(coders_clear) struct coders c = {.sought = coder};
    enum status status = db_coder_each(db, add_coder, &c, e);
    const char *near = span_nearest(coder, c.names.at, c.names.n);

    if (status != ST_OK || c.known)
        return status;
    return err_set(e, ST_INPUT, "there is no coder '%.*s'%s%s%s", SPAN_ARG(coder),
                   near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
}
