/* What is changed where, other than by binding a name: found for each file when asked. */
#include "base/bitset.h"
#include "check/facts/project.h"

/* Of a node that is a name or attribute: o.x = … binds the attribute; x[i] = …, x.append(…) change what x is. */
enum { BINDS = 1, CHANGES = 2 };

struct changes {
    uint8_t **files;              /* for each node these bits; NULL: not known yet */
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
        mem_free(p->changes->files[i]);
    bitset_clear(&p->changes->bound);
    bitset_clear(&p->changes->changed);
    mem_free(p->changes->files);
    mem_free(p->changes);
}

/* What is assigned to, or deleted: o.x binds the attribute, x[i] changes x. */
static void add_target(const struct py_file *f, uint32_t target, uint8_t *bits)
{
    uint32_t of = target;

    switch (py_kind(f, target)) {
    case PY_ATTRIBUTE:
        bits[target] |= BINDS;
        return;
    case PY_SUBSCRIPT:
        while (py_kind(f, of) == PY_SUBSCRIPT)
            of = py_child(f, of, FIELD_VALUE);
        bits[of] |= CHANGES;
        return;
    case PY_IDENTIFIER:
        return;
    default:
        for (uint32_t t = py_first(f, target); t != 0; t = py_next(f, t))
            add_target(f, t, bits);
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

static const uint8_t *know(struct project *p, const struct py_file *f)
{
    uint8_t **bits = &p->changes->files[f->number];

    if (*bits != NULL)
        return *bits;
    *bits = mem_zero(f->n_nodes, sizeof **bits);
    for (uint32_t n = 1; n < f->n_nodes; n++)
        switch (py_kind(f, n)) {
        case PY_ASSIGNMENT:
        case PY_AUGMENTED_ASSIGNMENT:
        case PY_FOR:
            add_target(f, py_child(f, n, FIELD_LEFT), *bits);
            break;
        case PY_DELETE:
        case PY_AS_PATTERN_TARGET:
            for (uint32_t t = py_first(f, n); t != 0; t = py_next(f, t))
                add_target(f, t, *bits);
            break;
        case PY_CALL:
            (*bits)[changes_receiver(f, n)] |= CHANGES;
            break;
        default:
            break;
        }
    return *bits;
}

bool changes_in(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym)
{
    const uint8_t *bits = know(p, f);

    /* o.x = … changes no x; a method of a module changes nothing: tf.zeros(…) is not a change of tf. */
    for (struct py_nodes use = py_uses(f, sym, within); py_take(&use);) {
        if ((bits[use.n] & CHANGES) == 0 || py_kind(f, use.n) != PY_IDENTIFIER)
            continue;
        struct value v = fact_value(p, f, use.n);
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
    const uint8_t *bits = know(p, f);

    for (uint32_t sym = 1; sym <= f->n_syms; sym++) {
        unsigned found = 0;
        for (struct py_nodes use = py_uses(f, sym, 1); py_take(&use);)
            if (bits[use.n] != 0 && py_kind(f, use.n) == PY_ATTRIBUTE)
                found |= in_constructor(f, use.n) ? bits[use.n] & CHANGES : bits[use.n];
        if ((found & BINDS) != 0)
            bitset_add(&p->changes->bound, attribute_name(p, f->syms[sym]));
        if ((found & CHANGES) != 0)
            bitset_add(&p->changes->changed, attribute_name(p, f->syms[sym]));
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
