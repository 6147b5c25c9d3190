/* What is changed where, other than by binding a name: one list for each file, made when asked. */
#include "base/bitset.h"
#include "check/facts/project.h"

#include <stdlib.h>

/* A place that changes a thing without binding a name: x[i] = …, o.x = …, x.append(…). */
struct change {
    uint32_t sym, node;
    bool binds; /* o.x = … */
};

/* Those of a file, ordered by name, then place. */
struct file_changes {
    const struct py_file *f; /* NULL: not known yet */
    struct ARRAY_OF(struct change) list;
};

struct changes {
    struct file_changes *files;
    struct bitset bound, changed; /* attributes, by their names' numbers */
    bool attributes_known;
};

void changes_new(struct project *p)
{
    p->changes = mem_zero(1, sizeof *p->changes);
    p->changes->files = mem_zero(p->n_files + 1, sizeof *p->changes->files);
}

void changes_free(struct project *p)
{
    for (size_t i = 0; i < p->n_files; i++)
        array_clear(&p->changes->files[i].list);
    bitset_clear(&p->changes->bound);
    bitset_clear(&p->changes->changed);
    mem_free(p->changes->files);
    mem_free(p->changes);
}

static void add(struct file_changes *c, uint32_t node, bool binds)
{
    uint32_t sym = c->f->nodes[node].sym;

    if (sym != 0)
        array_add(&c->list, {sym, node, binds});
}

/* What is assigned to, or deleted: o.x binds the attribute, x[i] changes x. */
static void add_target(struct file_changes *c, uint32_t target)
{
    const struct py_file *f = c->f;
    uint32_t of = target;

    switch (py_kind(f, target)) {
    case PY_ATTRIBUTE:
        add(c, target, true);
        return;
    case PY_SUBSCRIPT:
        while (py_kind(f, of) == PY_SUBSCRIPT)
            of = py_child(f, of, FIELD_VALUE);
        if (py_kind(f, of) == PY_IDENTIFIER || py_kind(f, of) == PY_ATTRIBUTE)
            add(c, of, false);
        return;
    case PY_IDENTIFIER:
        return;
    default:
        for (uint32_t t = py_first(f, target); t != 0; t = py_next(f, t))
            add_target(c, t);
    }
}

uint32_t changes_receiver(const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver == 0 || vocabulary_method_has(method, TRAIT_LOOKS))
        return 0;
    while (py_kind(f, receiver) == PY_SUBSCRIPT &&
           span_is_word(method, "append extend insert pop remove clear add update"))
        receiver = py_child(f, receiver, FIELD_VALUE); /* x["a"].append(…) */
    return py_kind(f, receiver) == PY_IDENTIFIER || py_kind(f, receiver) == PY_ATTRIBUTE ? receiver : 0;
}

static void look_at(struct file_changes *c, uint32_t n)
{
    const struct py_file *f = c->f;

    switch (py_kind(f, n)) {
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
    case PY_FOR:
        add_target(c, py_child(f, n, FIELD_LEFT));
        break;
    case PY_DELETE:
    case PY_AS_PATTERN_TARGET:
        for (uint32_t t = py_first(f, n); t != 0; t = py_next(f, t))
            add_target(c, t);
        break;
    case PY_CALL:
        add(c, changes_receiver(f, n), false);
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

static const struct file_changes *know(struct project *p, const struct py_file *f)
{
    struct file_changes *c = &p->changes->files[f->number];

    if (c->f != NULL)
        return c;
    c->f = f;
    for (uint32_t n = 1; n < f->n_nodes; n++)
        look_at(c, n);
    if (c->list.n > 1)
        qsort(c->list.at, c->list.n, sizeof *c->list.at, by_name);
    return c;
}

/* The first change in the subtree of the name, or the place where it would be. */
static size_t first_change(const struct file_changes *c, uint32_t within, uint32_t sym)
{
    struct change key = {sym, within, false};
    size_t low = 0, high = c->list.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_name(&c->list.at[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool changes_in(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym)
{
    const struct file_changes *c = know(p, f);
    const struct change *at = c->list.at;

    /* o.x = … changes no x; a method of a module changes nothing: tf.zeros(…) is not a change of tf. */
    for (size_t i = first_change(c, within, sym);
         i < c->list.n && at[i].sym == sym && at[i].node < f->nodes[within].after; i++) {
        if (py_kind(f, at[i].node) != PY_IDENTIFIER)
            continue;
        struct value v = fact_value(p, f, at[i].node);
        if (v.kind != VALUE_NAME && v.kind != VALUE_MODULE && v.kind != VALUE_TENSOR)
            return true;
    }
    return false;
}

/* --- attributes, by name --- */

bool in_constructor(const struct py_file *f, uint32_t n)
{
    return span_eq(py_title(f, py_function_of(f, n)), SPAN("__init__"));
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

static void collect_file(struct project *p, const struct py_file *f)
{
    const struct file_changes *c = know(p, f);
    uint32_t bound = 0, changed = 0;

    for (size_t i = 0; i < c->list.n; i++) {
        const struct change *change = &c->list.at[i];
        uint32_t *said = change->binds ? &bound : &changed;
        if (py_kind(f, change->node) != PY_ATTRIBUTE || *said == change->sym ||
            (change->binds && in_constructor(f, change->node)))
            continue;
        *said = change->sym;
        bitset_add(change->binds ? &p->changes->bound : &p->changes->changed, attribute_name(p, f->syms[change->sym]));
    }
}

bool changes_binds(struct project *p, struct span attribute)
{
    for (size_t i = 0; i < p->n_files && !p->changes->attributes_known; i++)
        collect_file(p, p->files[i]);
    p->changes->attributes_known = true;
    uint32_t name = attribute_name(p, attribute);
    return name == 0 || bitset_has(&p->changes->bound, name);
}

bool changes_attribute(struct project *p, struct span attribute)
{
    return changes_binds(p, attribute) || bitset_has(&p->changes->changed, attribute_name(p, attribute));
}
