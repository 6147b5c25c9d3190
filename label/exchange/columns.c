/* columns: the columns of a sheet of codings. */
#include "label/exchange/columns.h"

/* Those that every study has; in the place of CODING_CODE are those of the facets. */
static const struct {
    const char *name;
    double width;
} fixed[CODING_KINDS] = {
    [CODING_PROBLEM_ID] = {"problem_id", 13},
    [CODING_POST_ID] = {"post_id", 11},
    [CODING_CODER] = {"coder", 12},
    [CODING_JUDGEMENT] = {NULL, 11},
    [CODING_CODE] = {NULL, 26},
    [CODING_REASON] = {"reason", 40},
    [CODING_NOTE] = {"note", 40},
    [CODING_DECIDED_AT] = {"decided_at", 25},
    [CODING_URL] = {"url", 46},
    [CODING_TITLE] = {"title", 80},
    [CODING_ERROR] = {"error", 80},
};

static void add(struct coding_columns *c, enum coding_kind kind, size_t facet, size_t place)
{
    AT_END(buf_clear) struct buf name = {0};

    if (fixed[kind].name != NULL)
        buf_add_text(&name, fixed[kind].name);
    else
        facet_column(&c->facets->items[facet], place, &name);
    if (c->at[kind] == SIZE_MAX)
        c->at[kind] = c->n;
    c->items[c->n++] = (struct coding_column){
        .name = arena_text(&c->arena, buf_span(&name)),
        .kind = kind,
        .facet = facet,
        .place = place,
        .width = fixed[kind].width,
    };
}

void coding_columns_make(struct coding_columns *out, const struct facets *facets)
{
    size_t most = CODING_KINDS;

    *out = (struct coding_columns){.facets = facets};
    for (size_t i = 0; i < facets->n; i++)
        most += facets->items[i].most;
    out->items = arena_alloc(&out->arena, most * sizeof *out->items);
    for (size_t kind = 0; kind < CODING_KINDS; kind++)
        out->at[kind] = SIZE_MAX;
    for (size_t kind = 0; kind < CODING_KINDS; kind++) {
        if (kind != CODING_CODE)
            add(out, (enum coding_kind)kind, FACET_JUDGES, 0);
        for (size_t i = 0; i < facets->n && kind == CODING_CODE; i++)
            for (size_t k = 0; k < facets->items[i].most && i != FACET_JUDGES; k++)
                add(out, CODING_CODE, i, k);
    }
}

void coding_columns_clear(struct coding_columns *c)
{
    arena_clear(&c->arena);
    *c = (struct coding_columns){0};
}
