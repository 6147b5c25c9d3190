/* What depends, in a loop, on what a call gave. */
#include "base/bitset.h"
#include "check/facts/project.h"

enum { DEPTH_MAX = 40 };

struct slice {
    const struct py_file *f;
    uint32_t on, loop;
    struct bitset defs, syms;
};

static bool follow(struct slice *s, uint32_t n, int depth);

/* The name that an object goes by: x of x, o.x, x[i]; 0 for others. */
static uint32_t key_of(const struct py_file *f, uint32_t n)
{
    while (py_kind(f, n) == PY_SUBSCRIPT || py_kind(f, n) == PY_PARENTHESIZED)
        n = py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE) : py_first(f, n);
    if (py_kind(f, n) != PY_IDENTIFIER && py_kind(f, n) != PY_ATTRIBUTE)
        return 0;
    return f->nodes[n].sym;
}

/* What a statement of the loop does to the thing that goes by the name, other than binding it. */
static uint32_t change_of(const struct py_file *f, uint32_t n, uint32_t sym)
{
    enum py_kind kind = py_kind(f, n);

    if (kind == PY_CALL) {
        struct span method;
        uint32_t receiver = py_receiver(f, n, &method);
        /* data.label_to_name(i): a method that only asks, by its name */
        bool looks = span_starts(method, SPAN("get_")) || span_starts(method, SPAN("load_")) ||
                     span_starts(method, SPAN("has_")) || span_starts(method, SPAN("is_")) || span_has(method, "_to_");
        if (receiver != 0 && key_of(f, receiver) == sym && !looks)
            return py_child(f, n, FIELD_ARGUMENTS);
    } else if (kind == PY_ASSIGNMENT || kind == PY_AUGMENTED_ASSIGNMENT) {
        uint32_t left = py_child(f, n, FIELD_LEFT);
        for (uint32_t c = left; c < f->nodes[left].after; c++)
            if ((py_kind(f, c) == PY_SUBSCRIPT || py_kind(f, c) == PY_ATTRIBUTE) && key_of(f, c) == sym)
                return n; /* x[i] = y: by i, too */
    }
    return 0;
}

static bool follow_changes(struct slice *s, uint32_t sym, int depth)
{
    if (sym == 0 || bitset_has(&s->syms, sym))
        return false;
    bitset_add(&s->syms, sym);
    for (struct py_nodes use = py_uses(s->f, sym, s->loop); py_take(&use);)
        for (uint32_t at = use.n; at > s->loop; at = py_parent(s->f, at)) {
            uint32_t change = change_of(s->f, at, sym);
            if (change != 0 && follow(s, change, depth + 1))
                return true;
        }
    return false;
}

static bool follow_name(struct slice *s, uint32_t n, int depth)
{
    enum { DEFS_MAX = 16 };
    struct py_defs d = py_reaching(s->f, n, DEFS_MAX);
    bool imported = d.all > 0; /* np in np.sort(x): what a module's functions are given does not change it */

    while (py_take_def(&d))
        imported = imported && (d.def->kind == DEF_IMPORT || d.def->kind == DEF_FROM);
    if (imported)
        return false;
    for (d.taken = 0; py_take_def(&d);) {
        if (!py_inside(s->f, d.def->node, s->loop) || bitset_has(&s->defs, d.number))
            continue;
        bitset_add(&s->defs, d.number);
        if (d.def->kind != DEF_FUNCTION && d.def->kind != DEF_CLASS && follow(s, d.def->value, depth + 1))
            return true;
    }
    return follow_changes(s, s->f->nodes[n].sym, depth);
}

static bool follow(struct slice *s, uint32_t n, int depth)
{
    if (py_inside(s->f, s->on, n))
        return true;
    if (depth > DEPTH_MAX)
        return true; /* who knows */
    for (uint32_t c = n; c < s->f->nodes[n].after; c++) {
        if ((py_is_variable(s->f, c) && follow_name(s, c, depth)) ||
            (py_kind(s->f, c) == PY_ATTRIBUTE && follow_changes(s, s->f->nodes[c].sym, depth)))
            return true;
    }
    return false;
}

bool fact_depends(const struct py_file *f, uint32_t n, uint32_t on, uint32_t loop)
{
    struct slice s = {.f = f, .on = on, .loop = loop};
    bool found = follow(&s, n, 0);

    bitset_clear(&s.defs);
    bitset_clear(&s.syms);
    return found;
}
