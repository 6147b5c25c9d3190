/* Indexes where a file binds and uses each name, so that a question about one need not go through the whole file: a
 * stranger's file may bind a name ten thousand times. */
#include "check/python/scope.h"

#include <stdlib.h>

static int by_node(const void *a, const void *b, void *file)
{
    const struct py_def *defs = ((const struct py_file *)file)->defs;
    uint32_t x = defs[*(const uint32_t *)a].node, y = defs[*(const uint32_t *)b].node;

    return (x > y) - (x < y);
}

/* Puts the definitions that follow `first`, of its name and scope, from *at on. */
static void order_chain(struct py_file *f, uint32_t first, uint32_t *at)
{
    struct py_def *head = &f->defs[first];

    head->begin = *at;
    for (int attribute = 0; attribute <= 1; attribute++) {
        uint32_t from = *at;
        for (uint32_t d = first; d != 0; d = f->defs[d].next)
            if (f->defs[d].attribute == (attribute != 0))
                f->def_order[(*at)++] = d;
        qsort_r(f->def_order + from, *at - from, sizeof *f->def_order, by_node, f);
        if (attribute != 0)
            head->n_attributes = *at - from;
        else
            head->n_names = *at - from;
    }
}

void uses_build(struct py_file *f)
{
    uint32_t at = 0;

    f->def_order = mem_alloc((f->n_defs + 1) * sizeof *f->def_order);
    for (uint32_t d = 1; d <= f->n_defs; d++)
        if (py_def_in(f, f->defs[d].scope, f->defs[d].sym) == d)
            order_chain(f, d, &at);

    f->first_uses = mem_zero(f->n_syms + 2, sizeof *f->first_uses);
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_is_named(f, n))
            f->first_uses[f->nodes[n].sym]++;
    for (uint32_t s = 1; s <= f->n_syms + 1; s++) /* where each ends */
        f->first_uses[s] += f->first_uses[s - 1];
    f->uses = mem_alloc((f->first_uses[f->n_syms + 1] + 1) * sizeof *f->uses);
    for (uint32_t n = f->n_nodes; n-- > 1;) /* from there back to where it begins */
        if (py_is_named(f, n))
            f->uses[--f->first_uses[f->nodes[n].sym]] = n;
}

/* How many of the list stand before `node`: nodes in their order, or definitions in that of theirs. */
static size_t count_before(const struct py_file *f, const uint32_t *list, size_t n, bool are_defs, uint32_t node)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((are_defs ? f->defs[list[middle]].node : list[middle]) < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct py_nodes py_uses(const struct py_file *f, uint32_t sym, uint32_t within)
{
    if (sym == 0)
        return (struct py_nodes){0};
    const uint32_t *uses = f->uses + f->first_uses[sym];
    size_t all = f->first_uses[sym + 1] - f->first_uses[sym];
    size_t first = count_before(f, uses, all, false, within);
    return (struct py_nodes){uses + first, count_before(f, uses, all, false, f->nodes[within].after) - first, 0, 0};
}

const uint32_t *py_defs_before(const struct py_file *f, uint32_t first, uint32_t node, size_t *n)
{
    const struct py_def *head = &f->defs[py_def_in(f, f->defs[first].scope, f->defs[first].sym)];
    const uint32_t *defs = f->def_order + head->begin;

    *n = count_before(f, defs, head->n_names, true, node);
    return defs;
}

/* The definition among those of `first`'s name and scope that binds the node, or 0. */
static uint32_t def_at(const struct py_file *f, uint32_t first, uint32_t node)
{
    const struct py_def *head = &f->defs[first];
    const uint32_t *defs = f->def_order + head->begin;
    size_t n = head->n_names, i = count_before(f, defs, n, true, node);

    if (i >= n || f->defs[defs[i]].node != node) {
        defs += n;
        n = head->n_attributes;
        i = count_before(f, defs, n, true, node);
    }
    return i < n && f->defs[defs[i]].node == node ? defs[i] : 0;
}

uint32_t py_def_at(const struct py_file *f, uint32_t target)
{
    uint32_t sym = f->nodes[target].sym, def = 0;

    for (uint32_t scope = py_scope_of(f, target); scope != 0 && def == 0; scope = f->scopes[scope].parent) {
        uint32_t first = py_def_in(f, scope, sym);
        def = first != 0 ? def_at(f, first, target) : 0;
    }
    return def;
}

bool py_mentions(const struct py_file *f, uint32_t n, uint32_t sym)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_IDENTIFIER && f->nodes[at].sym == sym)
            return true;
    return false;
}

bool py_shares_name(const struct py_file *f, uint32_t a, uint32_t b)
{
    for (uint32_t at = a; at < f->nodes[a].after; at++)
        if (py_kind(f, at) == PY_IDENTIFIER && py_mentions(f, b, f->nodes[at].sym))
            return true;
    return false;
}
