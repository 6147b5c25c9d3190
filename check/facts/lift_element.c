/* Which names hold an element of a batch, for check/facts/lift.h. */
#include "check/facts/lift.h"

void lift_name(struct lift *l, uint32_t sym)
{
    if (l->n_names < LIFT_NAMES_MAX && sym != 0)
        l->names[l->n_names++] = sym;
}

bool lift_holds_element(const struct lift *l, uint32_t sym)
{
    for (size_t i = 0; i < l->n_names; i++)
        if (l->names[i] == sym)
            return true;
    return false;
}

bool lift_reads(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_IDENTIFIER && f->nodes[n].field != FIELD_ATTRIBUTE &&
           !(f->nodes[n].field == FIELD_NAME && py_kind(f, py_parent(f, n)) == PY_KEYWORD_ARGUMENT);
}

bool lift_depends(const struct lift *l, uint32_t n)
{
    for (uint32_t at = n; at < l->f->nodes[n].after; at++)
        if (lift_reads(l->f, at) && (l->f->nodes[at].sym == l->place || lift_holds_element(l, l->f->nodes[at].sym)))
            return true;
    return false;
}
