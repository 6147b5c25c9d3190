/* What decides an expression's value from one call of its function to the next: only parameters. All that is not seen
 * through counts as changing, as does what a model's training changes, by value or by name. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

enum { STEPS_MAX = 600, DEPTH_MAX = 40, REACHING_MAX = 8, RUNNING_MAX = 24 };

struct ask {
    struct project *p;
    const struct py_file *f;
    uint32_t function; /* the one whose parameters count; 1: the module */
    uint32_t root;     /* the expression */
    struct depends *out;
    unsigned *steps;
    unsigned depth;
    uint32_t running[RUNNING_MAX]; /* definitions that are being looked at */
    size_t n_running;
};

static bool fixed(struct ask *a, uint32_t n);
static bool object_fixed(struct ask *a, uint32_t n);

static bool hidden_state(struct value v)
{
    return v.kind == VALUE_VARIABLE || v.kind == VALUE_ITERATOR || v.kind == VALUE_SESSION || v.kind == VALUE_DATASET ||
           v.kind == VALUE_MODEL || v.kind == VALUE_INSTANCE || v.kind == VALUE_FUNCTION;
}

static bool may_be_trained(struct value v, struct span name)
{
    /* A number may have a name that speaks of such, too: kernel_size. */
    return v.kind == VALUE_UNKNOWN && guess_trained(name) &&
           !span_has_word(name, "size dim num shape decay rate len n_ coef scale type name");
}

/* --- names --- */

/* What decides whether a definition was made, of several: the conditions around it. */
static bool branches_fixed(struct ask *a, uint32_t def, uint32_t use)
{
    const struct py_file *f = a->f;
    uint32_t node = f->defs[def].node;

    for (uint32_t at = py_parent(f, node); at > a->function; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if ((kind == PY_IF || kind == PY_ELIF) && !fixed(a, py_child(f, at, FIELD_CONDITION)))
            return false;
        for (uint32_t c = kind == PY_IF ? py_first(f, at) : 0; c != 0; c = py_next(f, c)) /* and those before it */
            if (py_kind(f, c) == PY_ELIF && c < node && !fixed(a, py_child(f, c, FIELD_CONDITION)))
                return false;
        if ((kind == PY_FOR || kind == PY_WHILE || kind == PY_TRY || kind == PY_MATCH) && !py_inside(f, use, at))
            return false;
    }
    return true;
}

/* The value that a definition of the function's own gives. */
static bool def_fixed(struct ask *a, uint32_t def, uint32_t n)
{
    const struct py_def *d = &a->f->defs[def];

    if (d->kind == DEF_PARAM) {
        if (d->index < 0 || d->index >= 64 || may_be_trained(fact_value(a->p, a->f, n), py_text(a->f, n)))
            return false;
        a->out->params |= UINT64_C(1) << d->index;
        return true;
    }
    if (d->kind == DEF_IMPORT || d->kind == DEF_FROM || d->kind == DEF_CLASS)
        return true;
    if ((d->kind != DEF_ASSIGN && d->kind != DEF_UNPACK && d->kind != DEF_AUGMENT) || a->n_running == RUNNING_MAX)
        return false;
    for (size_t i = 0; i < a->n_running; i++)
        if (a->running[i] == def)
            return false; /* it depends on itself: on rounds before */
    a->running[a->n_running++] = def;
    bool is = fixed(a, d->value) && (d->kind != DEF_AUGMENT || fixed(a, d->node));
    a->n_running--;
    return is;
}

bool bound_by_function(const struct py_file *f, uint32_t n)
{
    for (uint32_t d = py_def_of(f, n); d != 0; d = f->defs[d].next)
        if (py_function_of(f, f->defs[d].node) != 1)
            return true;
    return false;
}

static bool own_name_fixed(struct ask *a, uint32_t n)
{
    struct py_defs d = py_reaching(a->f, n, REACHING_MAX);

    if (d.all == 0 || d.all == REACHING_MAX || (a->function == 1 && bound_by_function(a->f, n)) ||
        changes_in(a->p, a->f, a->function, a->f->nodes[n].sym))
        return false;
    while (py_take_def(&d))
        if (!def_fixed(a, d.number, n) || (d.all > 1 && d.def->kind != DEF_PARAM && !branches_fixed(a, d.number, n)))
            return false;
    return true;
}

static bool bound_in_loop(const struct ask *a, uint32_t def)
{
    return fact_loop(a->p, a->f, a->f->defs[def].node).node != 0;
}

/* A name of the module: bound once, outside of functions and loops. */
static bool global_fixed(const struct ask *a, uint32_t def)
{
    const struct py_def *d = &a->f->defs[def];

    if (d->kind == DEF_IMPORT || d->kind == DEF_FROM || d->kind == DEF_CLASS)
        return true;
    return d->next == 0 && (d->kind == DEF_ASSIGN || d->kind == DEF_UNPACK) && py_function_of(a->f, d->node) == 1 &&
           !bound_in_loop(a, def);
}

/* A name of a function around this one: bound once, before the loops that may call this one. */
static bool closure_fixed(struct ask *a, uint32_t def)
{
    const struct py_def *d = &a->f->defs[def];
    uint32_t around = a->f->scopes[d->scope].node;

    if (d->next != 0 || bound_in_loop(a, def) ||
        (d->kind != DEF_ASSIGN && d->kind != DEF_UNPACK && d->kind != DEF_PARAM))
        return false;
    if (a->out->inside == 0 || py_inside(a->f, around, a->out->inside))
        a->out->inside = around;
    return true;
}

static bool names_module_thing(struct value v)
{
    return v.kind == VALUE_NAME || v.kind == VALUE_MODULE || v.kind == VALUE_CLASS;
}

static bool identifier_fixed(struct ask *a, uint32_t n)
{
    const struct py_file *f = a->f;
    struct value v = fact_value(a->p, f, n);
    uint32_t def = py_def_of(f, n);

    if (hidden_state(v))
        return false;
    if (def == 0)
        return names_module_thing(v);
    uint32_t scope = f->defs[def].scope, home = f->scopes[scope].node;
    if (f->scopes[scope].kind == SCOPE_COMPREHENSION)
        return home > a->root && py_inside(f, home, a->root); /* bound by the expression itself */
    if (home == a->function)
        return own_name_fixed(a, n);
    if (scope != 1)
        return f->scopes[scope].kind == SCOPE_FUNCTION && !may_be_trained(v, py_text(f, n)) &&
               !changes_in(a->p, f, home, f->nodes[n].sym) && closure_fixed(a, def);
    if (f->defs[def].kind == DEF_FROM && v.kind == VALUE_UNKNOWN)
        return false;
    return names_module_thing(v) ||
           (global_fixed(a, def) && !may_be_trained(v, py_text(f, n)) && !changes_in(a->p, f, 1, f->nodes[n].sym));
}

/* --- attributes --- */

/* Every value that __init__ or the class gives the attribute follows from what the object was made with. */
static bool member_fixed(struct ask *a, struct value instance, struct span name)
{
    const struct py_file *f;
    uint32_t def = class_member_def(a->p, a->p->files[instance.file], instance.node, name, &f);

    if (def == 0 || changes_attribute(a->p, name))
        return false;
    for (; def != 0; def = f->defs[def].next) {
        const struct py_def *d = &f->defs[def];
        struct depends ignored = {0};
        if ((d->kind != DEF_ASSIGN && d->kind != DEF_UNPACK) || a->depth + 1 >= DEPTH_MAX)
            return false;
        struct ask made = {a->p, f, py_function_of(f, d->value), d->value, &ignored, a->steps, a->depth + 1, {0}, 0};
        if (!fixed(&made, d->value) || ignored.inside != 0)
            return false;
    }
    return true;
}

static bool attribute_fixed(struct ask *a, uint32_t n)
{
    const struct py_file *f = a->f;
    uint32_t object = py_child(f, n, FIELD_OBJECT), last = py_child(f, n, FIELD_ATTRIBUTE);
    struct value v = fact_value(a->p, f, n);

    if (names_module_thing(v))
        return true;
    if (hidden_state(v))
        return false;
    struct span name = py_text(f, last);
    struct value of = fact_value(a->p, f, object);
    if (of.kind == VALUE_MODULE)
        return (v.kind == VALUE_CONSTANT || v.kind == VALUE_TENSOR) && !changes_binds(a->p, name);
    if (py_is(f, last, "shape") || py_is(f, last, "dtype") || py_is(f, last, "ndim"))
        return fixed(a, object);
    if (may_be_trained(v, name))
        return false;
    /* A bag of options, that nobody changes on the way. */
    static const char options[] = "config Config hparams args FLAGS opt cfg conf options spec hps params";
    bool holds = of.kind == VALUE_INSTANCE || of.kind == VALUE_CLASS
                     ? member_fixed(a, of, name)
                     : of.kind == VALUE_UNKNOWN && span_has_word(py_name(f, object), options) &&
                           !changes_attribute(a->p, name);
    return holds && object_fixed(a, object);
}

/* --- which object --- */

static bool identifier_object(struct ask *a, uint32_t n)
{
    const struct py_file *f = a->f;
    uint32_t def = py_def_of(f, n);

    if (def == 0)
        return false;
    uint32_t scope = f->defs[def].scope;
    if (scope == 1)
        return global_fixed(a, def);
    if (f->scopes[scope].node != a->function)
        return f->scopes[scope].kind == SCOPE_FUNCTION && closure_fixed(a, def);
    const struct py_def *param = py_bound(f, n);
    if (param == NULL || param->kind != DEF_PARAM || param->index < 0 || param->index >= 64)
        return false;
    a->out->params |= UINT64_C(1) << param->index;
    return true;
}

static bool object_fixed(struct ask *a, uint32_t n)
{
    n = py_bare(a->f, n);
    if ((*a->steps)++ > STEPS_MAX || a->depth >= DEPTH_MAX)
        return false;
    if (py_kind(a->f, n) == PY_IDENTIFIER)
        return identifier_object(a, n);
    if (py_kind(a->f, n) != PY_ATTRIBUTE)
        return false;
    uint32_t object = py_child(a->f, n, FIELD_OBJECT), last = py_child(a->f, n, FIELD_ATTRIBUTE);
    if (names_module_thing(fact_value(a->p, a->f, n)))
        return true;
    if (changes_binds(a->p, py_text(a->f, last)))
        return false;
    a->depth++;
    bool is = object_fixed(a, object);
    a->depth--;
    return is;
}

/* --- calls --- */

bool call_repeats(struct project *p, const struct py_file *f, uint32_t call, uint32_t *receiver)
{
    const struct word *w = fact_word(p, f, call);
    struct span method;

    *receiver = 0;
    if (fact_name(p, f, call).len > 0)
        return w->op == OP_PURE || w->op == OP_CHEAP || word_has(w, TRAIT_REPEATABLE);
    *receiver = py_receiver(f, call, &method);
    return *receiver != 0 && vocabulary_method_has(method, TRAIT_LOOKS) &&
           !vocabulary_method_has(method, TRAIT_HAS_EFFECT);
}

static bool kind_fixed(struct ask *a, uint32_t n)
{
    uint32_t receiver;

    switch (py_kind(a->f, n)) {
    case PY_IDENTIFIER:
        return identifier_fixed(a, n);
    case PY_ATTRIBUTE:
        return attribute_fixed(a, n);
    case PY_CALL:
        return call_repeats(a->p, a->f, n, &receiver) && (receiver == 0 || fixed(a, receiver)) &&
               fixed(a, py_child(a->f, n, FIELD_ARGUMENTS));
    case PY_KEYWORD_ARGUMENT:
        return fixed(a, py_child(a->f, n, FIELD_VALUE));
    case PY_FOR_IN: /* its target is bound here */
        return fixed(a, py_child(a->f, n, FIELD_RIGHT));
    case PY_AWAIT:
    case PY_YIELD:
    case PY_NAMED_EXPRESSION:
    case PY_LAMBDA:
    case PY_ERROR:
        return false;
    default:
        for (uint32_t c = py_first(a->f, n); c != 0; c = py_next(a->f, c))
            if (!fixed(a, c))
                return false;
        return true;
    }
}

static bool fixed(struct ask *a, uint32_t n)
{
    if (a->depth >= DEPTH_MAX || (*a->steps)++ > STEPS_MAX)
        return false;
    a->depth++;
    bool is = kind_fixed(a, n);
    a->depth--;
    return is;
}

bool depends_on(struct project *p, const struct py_file *f, uint32_t n, enum depends_what what, struct depends *out)
{
    unsigned steps = 0;
    struct ask a = {p, f, py_function_of(f, n), n, out, &steps, 0, {0}, 0};

    return what == DEPENDS_OBJECT ? object_fixed(&a, n) : fixed(&a, n);
}
