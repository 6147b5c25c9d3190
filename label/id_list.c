/* id_list: ids of posts or problems that a file lists. */
#include "label/id_list.h"

struct listed {
    struct id_list *list;
    struct span coder; /* ptr NULL: all */
};

static enum status take(void *ctx, const struct id_row *row, struct err *e)
{
    const struct listed *of = ctx;
    struct id_list *l = of->list;
    struct span names = row->coders, name; /* "ann;bob" */
    bool is_named = false;

    (void)e;
    while (row->has_coders && span_cut(&names, ';', &name)) {
        name = span_trim(name);
        is_named |= span_eq(name, of->coder);
        if (name.len > 0 && span_among(name, l->coders.at, l->coders.n) == l->coders.n)
            array_add(&l->coders, arena_copy(&l->arena, name));
    }
    if (row->has_coders && !is_named && of->coder.ptr != NULL)
        return ST_OK;
    l->ids = array_room(l->ids, l->n, 1, &l->capacity, sizeof *l->ids);
    l->ids[l->n++] = arena_copy(&l->arena, row->id);
    return ST_OK;
}

size_t id_list_find(const struct id_list *l, struct span id)
{
    const struct span *found = l->n > 0 ? bsearch(&id, l->ids, l->n, sizeof *l->ids, text_order) : NULL;

    return found != NULL ? (size_t)(found - l->ids) : SIZE_MAX;
}

/* Sorts; of an id that comes twice the first place counts. */
static void order(struct id_list *l)
{
    size_t n = l->n, n_ordered = 0;
    AT_END(mem_end) struct span *as_read = mem_zero(n + 1, sizeof *as_read);
    AT_END(mem_end) bool *seen = mem_zero(n + 1, sizeof *seen);

    if (n > 0) {
        memcpy(as_read, l->ids, n * sizeof *as_read);
        qsort(l->ids, n, sizeof *l->ids, text_order);
    }
    l->n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !span_eq(l->ids[i], l->ids[l->n - 1]))
            l->ids[l->n++] = l->ids[i];
    l->order = mem_zero(l->n + 1, sizeof *l->order);
    for (size_t i = 0; i < n; i++) {
        size_t place = id_list_find(l, as_read[i]);
        if (!seen[place])
            l->order[n_ordered++] = place;
        seen[place] = true;
    }
}

enum status id_list_read_of(struct id_list *out, const char *path, struct span coder, struct err *e)
{
    struct listed l = {out, coder};

    *out = (struct id_list){0};
    enum status status = id_rows_each(path, NULL, NULL, take, &l, e);
    order(out);
    if (status != ST_OK || out->n > 0)
        return status;
    AT_END(buf_clear) struct buf names = {0};
    for (size_t i = 0; i < out->coders.n; i++)
        buf_addf(&names, "%s%.*s", i > 0 ? ", " : "", SPAN_ARG(out->coders.at[i]));
    return err_set(e, ST_INPUT, "%s: no post is assigned to '%.*s'; the column 'coders' names %s", path,
                   SPAN_ARG(coder), names.len > 0 ? buf_cstr(&names) : "nobody");
}

void id_list_clear(struct id_list *l)
{
    mem_free(l->ids);
    mem_free(l->order);
    array_clear(&l->coders);
    arena_clear(&l->arena);
    *l = (struct id_list){0};
}
