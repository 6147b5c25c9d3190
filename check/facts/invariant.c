/* Whether an expression gives the same in every round of a loop. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

enum { DEPTH_MAX = 12, NODES_MAX = 30000 };

struct asked {
    struct project *p;
    const struct py_file *f;
    uint32_t loop;
    bool through; /* names that the loop binds, too */
    bool *unseen; /* on the way: an object that is not seen through was taken for unchanged */
};

static bool invariant(const struct asked *a, uint32_t n, int depth);

/* Does an assignment to `target` change what sym names, a variable or an attribute of any object? x[i] = … changes x;
 * x.a = … changes a. */
static bool target_changes(const struct py_file *f, uint32_t target, uint32_t sym)
{
    enum py_kind kind = py_kind(f, target);

    if (kind == PY_SUBSCRIPT)
        return target_changes(f, py_child(f, target, FIELD_VALUE), sym);
    if (kind == PY_ATTRIBUTE || kind == PY_IDENTIFIER)
        return f->nodes[target].sym == sym;
    for (uint32_t c = py_first(f, target); c != 0; c = py_next(f, c))
        if (target_changes(f, c, sym))
            return true;
    return false;
}

/* What the node binds or assigns to, or 0. */
static uint32_t target_of(const struct py_file *f, uint32_t n)
{
    switch (py_kind(f, n)) {
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
    case PY_FOR:
    case PY_FOR_IN:
        return py_child(f, n, FIELD_LEFT);
    case PY_NAMED_EXPRESSION:
    case PY_FUNCTION:
    case PY_CLASS:
        return py_child(f, n, FIELD_NAME);
    case PY_AS_PATTERN_TARGET:
    case PY_DELETE:
    case PY_GLOBAL:
    case PY_NONLOCAL:
    case PY_CASE:
        return n;
    default:
        return 0;
    }
}

/* Does the use of the name stand where the loop binds or changes what it names? */
static bool changed_by(struct project *p, const struct py_file *f, uint32_t loop, uint32_t use, uint32_t sym)
{
    for (uint32_t at = use;; at = py_parent(f, at)) {
        uint32_t target = target_of(f, at);
        if (target != 0 && py_inside(f, use, target) && target_changes(f, target, sym))
            return true;
        uint32_t receiver = py_kind(f, at) == PY_CALL ? changes_receiver(f, at) : 0;
        if (receiver != 0 && f->nodes[receiver].sym == sym && fact_name(p, f, at).len == 0)
            return true;
        if (at <= loop)
            return false;
    }
}

/* Is the name bound or changed anywhere in the loop? */
static bool changed(struct project *p, const struct py_file *f, uint32_t loop, uint32_t sym)
{
    for (struct py_nodes use = py_uses(f, sym, loop); py_take(&use);)
        if (changed_by(p, f, loop, use.n, sym))
            return true;
    return sym == 0;
}

/* Is the call an op that changes no state, or does it what cannot reach a variable? */
static bool computes(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return w->op == OP_PURE || w->op == OP_CHEAP || w->op == OP_RANDOM || py_method(f, call, "append") != 0 ||
           word_has(w, TRAIT_REPEATABLE) || word_has(w, TRAIT_PRINTS) || w->framework == FRAMEWORK_NUMPY;
}

static bool computes_or_is_followed(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    (void)ctx;
    return computes(p, f, call) || fact_callee(p, f, call, NULL);
}

/* Is there nothing in the loop, and in the functions of the project that it calls, but that? */
static bool only_computes(struct project *p, const struct py_file *f, uint32_t loop)
{
    enum { CALLS_DEEP = 4 };

    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct function to;
        if (py_kind(f, n) == PY_CALL && !computes(p, f, n) &&
            (!fact_callee(p, f, n, &to) || !fact_visit_calls(p, to.f, to.n, CALLS_DEEP, computes_or_is_followed, NULL)))
            return false;
    }
    return true;
}

/* What the loop may change without naming it: a model's variables, what objects compute anew, parameters' insides. */
static bool has_hidden_state(const struct asked *a, uint32_t n)
{
    struct value v = fact_value(a->p, a->f, n);

    return v.kind == VALUE_ITERATOR || v.kind == VALUE_SESSION ||
           (v.kind == VALUE_VARIABLE && !fact_once(a->p, a->f, a->loop, only_computes));
}

/* Does the loop train: may what a variable holds differ from round to round? */
static bool has_update(struct project *p, const struct py_file *f, uint32_t loop)
{
    (void)p;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (fact_may_change_weights(py_called(f, n)))
            return true;
    return false;
}

/* Is the attribute assigned outside __init__, while the loop calls methods of the object? */
static bool methods_change(const struct asked *a, struct value instance, struct span name)
{
    const struct py_file *file = fact_file(a->p, instance.file);
    uint32_t scope = file->nodes[instance.node].sym;

    for (uint32_t d = py_def_in(file, scope, py_sym(file, name)); d != 0; d = file->defs[d].next) {
        uint32_t function = py_function_of(file, file->defs[d].node);
        if (file->defs[d].attribute && !span_is_word(py_title(file, function), "__init__ build"))
            return true;
    }
    return false;
}

/* May the value be held, and changed, by nobody else: a number, a string, a tensor, what another thing
 * keeps? A list or array that is made in the loop may be filled by whoever it is handed to. */
static bool cannot_be_filled(struct project *p, const struct py_file *f, uint32_t n)
{
    n = py_bare(f, n);
    switch (py_kind(f, n)) {
    case PY_CALL:
        return fact_name(p, f, n).len > 0 && !fact_has(p, f, n, TRAIT_FILLABLE);
    case PY_IDENTIFIER:
    case PY_ATTRIBUTE:
    case PY_SUBSCRIPT:
    case PY_INTEGER:
    case PY_FLOAT:
    case PY_STRING:
    case PY_TRUE:
    case PY_FALSE:
    case PY_BINARY_OPERATOR:
    case PY_UNARY_OPERATOR:
        return true;
    default:
        return false;
    }
}

static bool identifier_invariant(const struct asked *a, uint32_t n, int depth)
{
    uint32_t def = py_def_of(a->f, n);
    struct value v = fact_value(a->p, a->f, n);

    if (v.kind == VALUE_NAME || v.kind == VALUE_FUNCTION || v.kind == VALUE_CLASS || v.kind == VALUE_MODULE)
        return def == 0 || !py_inside(a->f, a->f->defs[def].node, a->loop);
    if (def == 0 || has_hidden_state(a, n) || (a->f->defs[def].scope == 1 && bound_by_function(a->f, n)))
        return false;
    uint32_t home = a->f->scopes[a->f->defs[def].scope].node;
    if (py_inside(a->f, home, a->loop) && home != a->loop)
        return true; /* bound by a lambda or comprehension in the expression itself */
    /* A parameter, named like weights or losses, in a loop that trains. */
    if (v.kind == VALUE_UNKNOWN && a->f->defs[def].kind == DEF_PARAM && fact_once(a->p, a->f, a->loop, has_update) &&
        guess_trained(py_text(a->f, n)))
        return false;
    if (v.kind == VALUE_UNKNOWN || v.kind == VALUE_OBJECT)
        *a->unseen = true;
    if (!fact_once_of(a->p, a->f, a->loop, a->f->nodes[n].sym, changed))
        return true;
    /* Bound in the loop before it is read, by one assignment of the same value each time, and then not changed. */
    const struct py_def *own = a->through ? py_bound(a->f, n) : NULL;
    return own != NULL && own->kind == DEF_ASSIGN && own->node < n && py_inside(a->f, own->node, a->loop) &&
           a->f->scopes[own->scope].node < a->loop && cannot_be_filled(a->p, a->f, own->value) &&
           !changes_in(a->p, a->f, a->loop, a->f->nodes[n].sym) && invariant(a, own->value, depth + 1);
}

/* Is what the attribute holds filled anywhere in its class: self.x.append(…), self.x[i] = …? */
static bool filled_in_class(const struct asked *a, struct value instance, struct span name)
{
    const struct py_file *f = fact_file(a->p, instance.file);
    uint32_t sym = py_sym(f, name), end = f->nodes[instance.node].after;

    for (uint32_t n = instance.node, seen = 0; n < end; n++, seen++) {
        struct span method = {"", 0};
        uint32_t of = 0;
        if (seen > NODES_MAX)
            return true;
        if (py_kind(f, n) == PY_CALL && (of = py_receiver(f, n, &method)) != 0 && py_kind(f, of) == PY_ATTRIBUTE &&
            f->nodes[of].sym == sym && !vocabulary_method_has(method, TRAIT_LOOKS))
            return true;
        if (py_kind(f, n) != PY_ASSIGNMENT && py_kind(f, n) != PY_AUGMENTED_ASSIGNMENT)
            continue;
        uint32_t left = py_child(f, n, FIELD_LEFT);
        if (py_kind(f, left) == PY_SUBSCRIPT && target_changes(f, left, sym))
            return true;
    }
    return false;
}

static bool attribute_invariant(const struct asked *a, uint32_t n, int depth)
{
    uint32_t object = py_child(a->f, n, FIELD_OBJECT);
    struct value v = fact_value(a->p, a->f, n);

    if (v.kind == VALUE_NAME || v.kind == VALUE_FUNCTION || v.kind == VALUE_CLASS)
        return true;
    if (has_hidden_state(a, n))
        return false;
    struct value of = fact_value(a->p, a->f, object);
    /* weights, losses, trainable_variables: a training step changes what they hold. */
    if (of.kind == VALUE_MODEL || of.kind == VALUE_VARIABLE)
        return false;
    if (of.kind == VALUE_INSTANCE && methods_change(a, of, a->f->syms[a->f->nodes[n].sym]))
        return false;
    if (of.kind == VALUE_UNKNOWN && fact_once(a->p, a->f, a->loop, has_update))
        return false;
    /* self.size in a loop that calls methods of self is the same if bound only where the object is made, not filled. */
    struct span name = a->f->syms[a->f->nodes[n].sym];
    uint32_t def = py_kind(a->f, object) == PY_IDENTIFIER ? py_def_of(a->f, object) : 0;
    bool set_once = of.kind == VALUE_INSTANCE && def != 0 && a->f->defs[def].kind == DEF_PARAM &&
                    !py_inside(a->f, a->f->defs[def].node, a->loop) && !guess_trained(name) &&
                    !fact_once(a->p, a->f, a->loop, has_update) && !filled_in_class(a, of, name);
    return (set_once || invariant(a, object, depth + 1)) &&
           !fact_once_of(a->p, a->f, a->loop, a->f->nodes[n].sym, changed);
}

static bool call_invariant(const struct asked *a, uint32_t n, int depth)
{
    uint32_t receiver;

    if (!call_repeats(a->p, a->f, n, &receiver))
        return false;
    if (receiver != 0 && py_method(a->f, n, "get") != 0 && py_argument(a->f, n, 0) == 0)
        return false; /* of a queue */
    return (receiver == 0 || invariant(a, receiver, depth + 1)) &&
           invariant(a, py_child(a->f, n, FIELD_ARGUMENTS), depth + 1);
}

/* --- items of a list or dictionary --- */

enum { HANDED_DEEP = 3 };

static bool items_change(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym, int depth);

/* Is the container given to a function that changes its items, as far as that is seen? */
static bool changed_by_callee(struct project *p, const struct py_file *f, uint32_t use, uint32_t call, int depth)
{
    struct function to;

    if (depth >= HANDED_DEEP || !fact_callee(p, f, call, &to))
        return false;
    for (uint32_t d = 1; d <= to.f->n_defs; d++) {
        const struct py_def *param = &to.f->defs[d];
        if (param->kind == DEF_PARAM && to.f->scopes[param->scope].node == to.n &&
            fact_argument(f, call, to.f, param) == use)
            return changes_in(p, to.f, to.n, param->sym) || items_change(p, to.f, to.n, param->sym, depth + 1);
    }
    return false;
}

/* Does anything in the subtree change an item of the list or dictionary of the name, by another way than the name itself? */
static bool items_change(struct project *p, const struct py_file *f, uint32_t within, uint32_t sym, int depth)
{
    for (struct py_nodes use = py_uses(f, sym, within); py_take(&use);) {
        uint32_t at = use.n, up = py_parent(f, at);
        if (py_kind(f, up) == PY_ARGUMENT_LIST || py_kind(f, up) == PY_KEYWORD_ARGUMENT) {
            uint32_t call = py_kind(f, up) == PY_ARGUMENT_LIST ? py_parent(f, up) : py_parent(f, py_parent(f, up));
            if (py_kind(f, call) == PY_CALL && changed_by_callee(p, f, at, call, depth))
                return true;
            continue;
        }
        while (py_kind(f, up) == PY_SUBSCRIPT || py_kind(f, up) == PY_ATTRIBUTE || py_kind(f, up) == PY_CALL) {
            at = up;
            up = py_parent(f, at);
        }
        if ((py_kind(f, up) != PY_ASSIGNMENT && py_kind(f, up) != PY_FOR) || f->nodes[at].field != FIELD_RIGHT)
            continue;
        uint32_t left = py_child(f, up, FIELD_LEFT);
        for (uint32_t n = left; n < f->nodes[left].after; n++) /* row = rows[0]; row.append(…) */
            if (py_kind(f, n) == PY_IDENTIFIER && changes_in(p, f, within, f->nodes[n].sym))
                return true;
    }
    return false;
}

/* rows[0]: nobody changes the items in the loop. Tensors have none that anybody could. */
static bool items_stay(const struct asked *a, uint32_t n)
{
    uint32_t of = py_child(a->f, n, FIELD_VALUE);
    bool change;

    while (py_kind(a->f, of) == PY_SUBSCRIPT)
        of = py_child(a->f, of, FIELD_VALUE);
    if (py_kind(a->f, of) != PY_IDENTIFIER || fact_value(a->p, a->f, of).kind == VALUE_TENSOR)
        return true;
    uint32_t sym = a->f->nodes[of].sym;
    if (!answer_find(a->p, (uintptr_t)items_change, a->f, a->loop, sym, &change))
        change = answer_keep(a->p, (uintptr_t)items_change, a->f, a->loop, sym,
                             items_change(a->p, a->f, a->loop, sym, 0));
    return !change;
}

static bool children_invariant(const struct asked *a, uint32_t n, int depth)
{
    for (uint32_t c = py_first(a->f, n); c != 0; c = py_next(a->f, c))
        if (!invariant(a, c, depth + 1))
            return false;
    return true;
}

static bool invariant(const struct asked *a, uint32_t n, int depth)
{
    if (depth > DEPTH_MAX)
        return false;
    switch (py_kind(a->f, n)) {
    case PY_IDENTIFIER:
        return identifier_invariant(a, n, depth);
    case PY_ATTRIBUTE:
        return attribute_invariant(a, n, depth);
    case PY_CALL:
        return call_invariant(a, n, depth);
    case PY_SUBSCRIPT:
        return items_stay(a, n) && children_invariant(a, n, depth);
    case PY_KEYWORD_ARGUMENT:
        return invariant(a, py_child(a->f, n, FIELD_VALUE), depth + 1);
    case PY_AWAIT:
    case PY_YIELD:
    case PY_NAMED_EXPRESSION:
    case PY_LAMBDA:
    case PY_ERROR:
        return false;
    default:
        return children_invariant(a, n, depth);
    }
}

static enum certainty ask(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop, bool through)
{
    bool unseen = false;
    struct asked a = {p, f, loop, through, &unseen};

    if (!invariant(&a, n, 0))
        return NOT_SEEN;
    return unseen ? LIKELY : CERTAIN;
}

enum certainty fact_invariant(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    return ask(p, f, n, loop, false);
}

enum certainty fact_invariant_through(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    return ask(p, f, n, loop, true);
}
