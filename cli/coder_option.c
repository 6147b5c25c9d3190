#include "cli/coder_option.h"

#include "db/decisions.h"
#include "label/label.h"

#include <stdlib.h>

enum status coder_option(const struct invocation *in, struct buf *name, struct err *e)
{
    const char *typed = option_text(in, "coder", getenv("PPMINE_CODER"));
    struct err why = {0};

    if (typed == NULL || typed[0] == '\0')
        return err_set(e, ST_USAGE, "%s: who codes? Give --coder NAME or set PPMINE_CODER",
                       in->command->name);
    if (coder_name_check(span_of(typed), name, &why) == ST_OK)
        return ST_OK;
    return err_set(e, ST_USAGE, "%s: the name with --coder %s", in->command->name, why.text);
}

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
    if (c->n < CODERS_MAX) {
        char *name = arena_alloc(&c->arena, coder.len + 1);
        memcpy(name, coder.ptr, coder.len);
        name[coder.len] = '\0';
        c->names[c->n++] = name;
    }
}

static enum status MUST_USE look_up(struct db *db, struct span coder, struct coders **out,
                                    struct err *e)
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

enum status coder_known(struct db *db, struct span coder, bool *known, bool *is_merged,
                        struct err *e)
{
    struct coders *c;
    enum status status = look_up(db, coder, &c, e);

    *known = c->known;
    *is_merged = c->is_merged;
    const char *near = c->known ? NULL : span_nearest(coder, c->names, c->n);
    if (status == ST_OK && near != NULL)
        log_warn("'%.*s' is a new coder; if you are '%s': ppmine label undo --coder '%.*s'",
                 (int)coder.len, coder.ptr, near, (int)coder.len, coder.ptr);
    coders_free(c);
    return status;
}

enum status coder_must_exist(struct db *db, struct span coder, struct err *e)
{
    struct coders *c;
    enum status status = look_up(db, coder, &c, e);
    const char *near = span_nearest(coder, c->names, c->n);

    if (status == ST_OK && !c->known)
        status = err_set(e, ST_INPUT, "there is no coder '%.*s'%s%s%s", (int)coder.len, coder.ptr,
                         near != NULL ? " (did you mean '" : "", near != NULL ? near : "",
                         near != NULL ? "'?)" : "");
    coders_free(c);
    return status;
}
