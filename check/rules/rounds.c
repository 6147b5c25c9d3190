/* What differs from round to round of a loop. */
#include "check/rules/rounds.h"

bool rounds_bind(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        size_t uses = 0;
        const uint32_t *of = py_kind(f, at) == PY_IDENTIFIER ? py_uses(f, f->nodes[at].sym, loop, &uses) : NULL;
        for (size_t i = 0; i < uses; i++)
            if (py_def_at(f, of[i]) != 0)
                return true;
    }
    return false;
}

bool rounds_reach(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t defs[8];

    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (py_kind(f, at) != PY_IDENTIFIER || f->nodes[at].field == FIELD_ATTRIBUTE)
            continue;
        size_t count = py_reaching(f, at, defs, ARRAY_LEN(defs));
        for (size_t i = 0; i < count; i++)
            if (py_inside(f, f->defs[defs[i]].node, loop))
                return true;
    }
    return false;
}

bool rounds_ask(const struct py_file *f, uint32_t n, uint32_t within)
{
    for (uint32_t up = n; up > within; up = py_parent(f, up))
        if (f->nodes[up].field == FIELD_CONDITION || py_kind(f, up) == PY_COMPARISON)
            return true;
    return false;
}
