/* What is changed where, other than by binding a name: one list for each file, made when asked. */
#include "check/facts/project.h"

#include <stdlib.h>

struct changes {
    const struct py_file *f;
    struct change *list;
    size_t n, capacity;
};

static void add(struct changes *c, uint32_t node, bool binds)
{
    uint32_t sym = c->f->nodes[node].sym;

    if (sym == 0)
        return;
    if (c->n >= c->capacity) {
        c->capacity = c->capacity == 0 ? 64 : c->capacity * 2;
        c->list = mem_resize(c->list, c->capacity, sizeof *c->list);
    }
    c->list[c->n++] = (struct change){sym, node, binds};
}

/* What is assigned to, or deleted: o.x binds the attribute, x[i] changes x. */
static void add_target(struct changes *c, uint32_t target)
{
    const struct py_file *f = c->f;
    uint32_t of = target;

    switch (py_kind(f, target)) {
    case PY_ATTRIBUTE:
        add(c, target, true);
        return;
    case PY_SUBSCRIPT:
        while (of != 0 && py_kind(f, of) == PY_SUBSCRIPT)
            of = py_child(f, of, FIELD_VALUE);
        if (of != 0 && (py_kind(f, of) == PY_IDENTIFIER || py_kind(f, of) == PY_ATTRIBUTE))
            add(c, of, false);
        return;
    case PY_IDENTIFIER:
        return;
    default:
        for (uint32_t t = py_first(f, target); t != 0; t = py_next(f, t))
            add_target(c, t);
    }
}

static void look_at(struct changes *c, uint32_t n)
{
    const struct py_file *f = c->f;
    uint32_t left, receiver;
    struct span method;

    switch (py_kind(f, n)) {
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
    case PY_FOR:
        left = py_child(f, n, FIELD_LEFT);
        if (left != 0)
            add_target(c, left);
        break;
    case PY_DELETE:
    case PY_AS_PATTERN_TARGET:
        for (uint32_t t = py_first(f, n); t != 0; t = py_next(f, t))
            add_target(c, t);
        break;
    case PY_CALL:
        receiver = py_receiver(f, n, &method);
        if (receiver != 0 && !vocabulary_method_has(method, TRAIT_LOOKS) &&
            (py_kind(f, receiver) == PY_IDENTIFIER || py_kind(f, receiver) == PY_ATTRIBUTE))
            add(c, receiver, false);
        break;
    default:
        break;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->sym != y->sym)
        return x->sym < y->sym ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void know(struct project *p, const struct py_file *f)
{
    struct file_facts *facts = &p->facts[f->number];
    struct changes c = {.f = f};

    if (facts->changes_known)
        return;
    for (uint32_t n = 1; n < f->n_nodes; n++)
        look_at(&c, n);
    if (c.n > 1)
        qsort(c.list, c.n, sizeof *c.list, by_name);
    facts->changes = c.list;
    facts->n_changes = (uint32_t)c.n;
    facts->changes_known = true;
}

bool changes_in(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym)
{
    struct change key = {sym, within, false};

    know(p, f);
    const struct file_facts *facts = &p->facts[f->number];
    uint32_t low = 0, high = facts->n_changes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_name(&facts->changes[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* o.x = … changes no x; a method of a module changes nothing: tf.zeros(…) is no change of tf. */
    for (; low < facts->n_changes && facts->changes[low].sym == sym &&
           facts->changes[low].node < f->nodes[within].after; low++) {
        if (py_kind(f, facts->changes[low].node) != PY_IDENTIFIER)
            continue;
        struct value v = fact_value(p, f, facts->changes[low].node);
        if (v.kind != VALUE_NAME && v.kind != VALUE_MODULE && v.kind != VALUE_TENSOR)
            return true;
    }
    return false;
}

/* --- attributes, by name --- */

static bool in_init(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && py_is(f, name, "__init__");
}

/* A name in the project's table that no dotted name of a module equals. */
static uint32_t attribute_name(struct project *p, struct span name)
{
    char text[128] = ".";

    if (name.len + 1 > sizeof text)
        return 0;
    memcpy(text + 1, name.ptr, name.len);
    return name_of(p, (struct span){text, name.len + 1});
}

static void collect(struct project *p)
{
    for (size_t i = 0; i < p->n_files && !p->attributes_known; i++) {
        const struct py_file *f = p->files[i];
        uint32_t bound = 0, changed = 0;
        know(p, f);
        for (uint32_t c = 0; c < p->facts[i].n_changes; c++) {
            const struct change *change = &p->facts[i].changes[c];
            uint32_t *said = change->binds ? &bound : &changed;
            if (py_kind(f, change->node) != PY_ATTRIBUTE || *said == change->sym ||
                (change->binds && in_init(f, change->node)))
                continue;
            *said = change->sym;
            bitset_add(change->binds ? &p->bound_attributes : &p->changed_attributes,
                       attribute_name(p, f->syms[change->sym]));
        }
    }
    p->attributes_known = true;
}

bool changes_binds(struct project *p, struct span attribute)
{
    collect(p);
    uint32_t name = attribute_name(p, attribute);
    return name == 0 || bitset_has(&p->bound_attributes, name);
}

bool changes_attribute(struct project *p, struct span attribute)
{
    return changes_binds(p, attribute) ||
           bitset_has(&p->changed_attributes, attribute_name(p, attribute));
}

void changes_free(struct project *p)
{
    for (size_t i = 0; i < p->n_files; i++)
        mem_free(p->facts[i].changes);
    bitset_clear(&p->bound_attributes);
    bitset_clear(&p->changed_attributes);
}
