#include "cli/coding.h"

const struct coding_spec coding_specs[CODING_COLUMNS] = {
    [CODING_PROBLEM_ID] = {"problem_id", NULL, DB_FACETS, 0, 13},
    [CODING_POST_ID] = {"post_id", NULL, DB_FACETS, 0, 11},
    [CODING_CODER] = {"coder", NULL, DB_FACETS, 0, 12},
    [CODING_IS_PROBLEM] = {"is_problem", NULL, DB_IDENTIFICATION, 0, 11},
    [CODING_SYMPTOM1] = {"symptom1", "symptom", DB_SYMPTOM, 0, 26},
    [CODING_SYMPTOM2] = {"symptom2", "symptom", DB_SYMPTOM, 1, 26},
    [CODING_ROOT_CAUSE] = {"root_cause", "root cause", DB_ROOT_CAUSE, 0, 30},
    [CODING_INTRODUCING] = {"introducing_stage", "stage", DB_INTRODUCING_STAGE, 0, 20},
    [CODING_EXPOSING] = {"exposing_stage", "stage", DB_EXPOSING_STAGE, 0, 20},
    [CODING_DECIDED_AT] = {"decided_at", NULL, DB_FACETS, 0, 25},
    [CODING_URL] = {"url", NULL, DB_FACETS, 0, 46},
    [CODING_TITLE] = {"title", NULL, DB_FACETS, 0, 80},
    [CODING_ERROR] = {"error", NULL, DB_FACETS, 0, 80},
};

static void add_code(void *ctx, const struct db_code *code)
{
    struct coding_codes *c = ctx;

    if (c->n == c->capacity) {
        c->capacity = c->capacity > 0 ? 2 * c->capacity : 64;
        c->codes = mem_resize(c->codes, c->capacity, sizeof *c->codes);
    }
    c->codes[c->n++] = (struct coding_code){
        .code_id = code->code_id,
        .facet = arena_copy(&c->arena, code->facet),
        .name = arena_copy(&c->arena, code->name),
    };
}

enum status coding_codes_read(struct coding_codes *out, struct db *db, struct err *e)
{
    *out = (struct coding_codes){0};
    return db_code_each(db, add_code, out, e);
}

void coding_codes_clear(struct coding_codes *c)
{
    mem_free(c->codes);
    arena_clear(&c->arena);
    *c = (struct coding_codes){0};
}

struct span coding_code_name(const struct coding_codes *c, int64_t code_id)
{
    for (size_t i = 0; code_id != 0 && i < c->n; i++)
        if (c->codes[i].code_id == code_id)
            return c->codes[i].name;
    return (struct span){0};
}

int64_t coding_code_id(const struct coding_codes *c, const char *facet, struct span name)
{
    for (size_t i = 0; i < c->n; i++)
        if (span_eq(c->codes[i].facet, span_of(facet)) && span_eq(c->codes[i].name, name))
            return c->codes[i].code_id;
    return 0;
}

enum status coder_option(const struct invocation *in, struct buf *name, struct err *e)
{
    struct err why = {0};
    enum status status = coder_name_check(span_of(option_text(in, "coder", NULL)), name, &why);

    if (status != ST_OK)
        return err_set(e, ST_USAGE, "%s: the name with --coder %s", in->command->name, why.text);
    return ST_OK;
}
