/* Calls, for check/facts/lift.h: which function of the project runs, with what, and what it may do. */
#include "check/facts/lift.h"
#include "check/facts/project.h"

enum { PURE_DEPTH = 3, RANKS_MAX = 8, RANK_NODES_MAX = 4000 };

/* --- what runs --- */

bool lift_function_of(struct lift *l, uint32_t n, struct function *function, unsigned *bound)
{
    if (!fact_certain(l->f, n) || fact_value(l->p, l->f, n).kind != VALUE_FUNCTION ||
        !fact_function(l->p, l->f, n, function))
        return false;
    /* So many parameters an object or class fills when the function is called through it. */
    const struct py_file *f = function->f;
    bool method = py_kind(f, function->n) == PY_FUNCTION && fact_has_self(f, function->n);
    *bound = method && py_kind(l->f, n) == PY_ATTRIBUTE &&
             (fact_decorated(f, function->n, "classmethod") ||
              fact_value(l->p, l->f, py_child(l->f, n, FIELD_OBJECT)).kind == VALUE_INSTANCE);
    return true;
}

bool lift_follows(struct lift *l, uint32_t call, struct function *function, unsigned *bound)
{
    uint32_t callee = py_child(l->f, call, FIELD_FUNCTION);
    enum py_kind kind = py_kind(l->f, callee);

    if ((kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || !lift_function_of(l, callee, function, bound))
        return false;
    if (py_kind(function->f, function->n) == PY_LAMBDA)
        return true;
    /* By another name it may be what functools.partial made of it, with other parameters. */
    uint32_t last = kind == PY_ATTRIBUTE ? py_child(l->f, callee, FIELD_ATTRIBUTE) : callee;
    return span_eq(py_text(l->f, last), py_text(function->f, py_child(function->f, function->n, FIELD_NAME)));
}

/* --- what it is given --- */

/* The name that a parameter binds, and its default; 0 for * and the like. */
static uint32_t name_of_parameter(const struct py_file *f, uint32_t parameter, uint32_t *value)
{
    *value = 0;
    switch (py_kind(f, parameter)) {
    case PY_IDENTIFIER:
        return parameter;
    case PY_DEFAULT_PARAMETER:
    case PY_TYPED_DEFAULT_PARAMETER:
        *value = py_child(f, parameter, FIELD_VALUE);
        return py_child(f, parameter, FIELD_NAME);
    case PY_TYPED_PARAMETER:
        parameter = py_first(f, parameter);
        return parameter != 0 && py_kind(f, parameter) == PY_IDENTIFIER ? parameter : 0;
    default:
        return 0;
    }
}

static bool flag_of(const struct lift *l, uint32_t n, enum py_kind *literal)
{
    for (size_t i = 0; py_kind(l->f, n) == PY_IDENTIFIER && i < l->n_flags; i++)
        if (l->flags[i].sym == l->f->nodes[n].sym) {
            *literal = l->flags[i].literal;
            return true;
        }
    return false;
}

/* What the parameter holds, when `value` of the file f is handed over. */
static void bind_one(const struct lift *l, uint32_t value, bool is_default, uint32_t function, struct lift *inner,
                     uint32_t sym)
{
    const struct py_file *f = is_default ? inner->f : l->f;
    enum py_kind literal = py_kind(f, value);

    if (!is_default && lift_depends(l, value)) {
        lift_name(inner, sym);
        return;
    }
    if (!is_default)
        (void)flag_of(l, value, &literal);
    uint32_t def = py_def_in(inner->f, inner->f->nodes[function].sym, sym);
    bool flag = literal == PY_TRUE || literal == PY_FALSE || literal == PY_NONE_LITERAL;
    if (flag && def != 0 && inner->f->defs[def].next == 0 && inner->n_flags < LIFT_FLAGS_MAX)
        inner->flags[inner->n_flags++] = (struct lift_flag){sym, literal};
}

bool lift_bind(const struct lift *l, uint32_t call, uint32_t function, unsigned bound, struct lift *inner)
{
    const struct py_file *f = inner->f;
    uint32_t list = py_child(f, function, FIELD_PARAMETERS), arguments = py_child(l->f, call, FIELD_ARGUMENTS);
    uint32_t all = 0, standard; /* *all */
    size_t position = 0, given = 0, n = 0;

    for (uint32_t a = py_first(l->f, arguments); a != 0; a = py_next(l->f, a)) {
        if (py_kind(l->f, a) == PY_DICTIONARY_SPLAT)
            return false;
        bool splat = py_kind(l->f, a) == PY_LIST_SPLAT;
        all = splat ? a : all;
        n += !splat;
    }
    /* A function in a function: the names around it hold what they hold there. */
    if (f == l->f && py_function_of(f, py_parent(f, function)) > 1)
        for (size_t i = 0; i < l->n_names; i++)
            lift_name(inner, l->names[i]);
    for (uint32_t at = py_first(f, list); at != 0; at = py_next(f, at)) {
        uint32_t name = name_of_parameter(f, at, &standard);
        if (bound > 0) {
            bound--;
            continue;
        }
        if (name == 0)
            continue;
        uint32_t value = py_argument(l->f, call, position++);
        if (value == 0)
            value = py_keyword_of(l->f, call, py_text(f, name));
        given += value != 0;
        if (value != 0)
            bind_one(l, value, false, function, inner, f->nodes[name].sym);
        else if (all != 0)
            lift_name(inner, f->nodes[name].sym);
        else if (standard != 0)
            bind_one(l, standard, true, function, inner, f->nodes[name].sym);
        else
            return false;
    }
    return given == n && inner->n_names < LIFT_NAMES_MAX;
}

/* --- conditions --- */

static int truth_of_literal(enum py_kind literal)
{
    return literal == PY_TRUE ? 1 : literal == PY_FALSE || literal == PY_NONE_LITERAL ? 0 : -1;
}

/* x is None, x is not None: an element is not. */
static int truth_of_comparison(const struct lift *l, uint32_t n)
{
    uint32_t left = py_first(l->f, n), right = py_next(l->f, left);
    enum py_kind literal;

    if (py_kind(l->f, right) != PY_NONE_LITERAL || py_next(l->f, right) != 0)
        return -1;
    struct span between = py_between(l->f, left, right);
    bool negated = span_has(between, "not");
    if (!span_has(between, "is"))
        return -1;
    if (flag_of(l, left, &literal))
        return (literal == PY_NONE_LITERAL) != negated;
    return py_kind(l->f, left) == PY_IDENTIFIER && lift_depends(l, left) ? negated : -1;
}

int lift_truth(const struct lift *l, uint32_t condition)
{
    uint32_t n = py_bare(l->f, condition);
    enum py_kind literal = py_kind(l->f, n);

    if (literal == PY_NOT_OPERATOR && py_first(l->f, n) != 0) {
        int truth = lift_truth(l, py_first(l->f, n));
        return truth < 0 ? truth : !truth;
    }
    if (literal == PY_COMPARISON)
        return truth_of_comparison(l, n);
    if (literal == PY_IDENTIFIER)
        return flag_of(l, n, &literal) ? truth_of_literal(literal) : -1;
    return truth_of_literal(literal);
}

/* --- the same each time --- */

static bool named_pure(const struct word *w)
{
    return w->op == OP_PURE || w->op == OP_CHEAP || (word_has(w, TRAIT_REPEATABLE) && w->framework != FRAMEWORK_NUMPY);
}

static bool calls_pure(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    (void)ctx;
    if (fact_name(p, f, call).len > 0)
        return named_pure(fact_word(p, f, call));
    return fact_method(f, call, TRAIT_REPEATABLE) != 0 || fact_callee(p, f, call, NULL);
}

bool lift_pure(const struct lift *l, uint32_t call)
{
    uint32_t callee = py_child(l->f, call, FIELD_FUNCTION);
    struct function to;
    bool pure;

    if (fact_name(l->p, l->f, call).len > 0)
        return named_pure(fact_word(l->p, l->f, call));
    if (fact_method(l->f, call, TRAIT_REPEATABLE) != 0) /* of strings, dictionaries or tensors */
        return true;
    if (!fact_certain(l->f, callee) || fact_value(l->p, l->f, callee).kind != VALUE_FUNCTION ||
        !fact_callee(l->p, l->f, call, &to))
        return false;
    if (answer_find(l->p, (uintptr_t)calls_pure, to.f, to.n, 0, &pure))
        return pure;
    struct mapper m = fact_mapper(l->p, l->f, callee);
    pure = m.known && !m.random && !m.stateful && !m.python && !m.reads && !m.nested && !m.model &&
           fact_visit_calls(l->p, to.f, to.n, PURE_DEPTH, calls_pure, NULL);
    return answer_keep(l->p, (uintptr_t)calls_pure, to.f, to.n, 0, pure);
}

/* --- ranks --- */

static bool names_element(const struct lift *l, uint32_t n)
{
    return py_kind(l->f, n) == PY_IDENTIFIER && lift_holds_element(l, l->f->nodes[n].sym);
}

/* The o of o.rank, of an attribute of one of the names; 0 for all else. */
static uint32_t object_of(const struct py_file *f, uint32_t n, const char *names)
{
    return py_kind(f, n) == PY_ATTRIBUTE && span_is_word(py_name(f, n), names) ? py_child(f, n, FIELD_OBJECT) : 0;
}

/* x.shape, x.get_shape() */
static bool is_shape(const struct lift *l, uint32_t n)
{
    return names_element(l, object_of(l->f, n, "shape")) || names_element(l, py_method(l->f, n, "get_shape"));
}

/* len(x.shape), x.shape.rank, x.shape.ndims, x.ndim, tf.rank(x) */
static bool is_rank(const struct lift *l, uint32_t n)
{
    uint32_t of = py_kind(l->f, n) == PY_CALL ? py_argument(l->f, n, 0) : 0;

    if (of != 0)
        return (fact_has(l->p, l->f, n, TRAIT_ASKS_LENGTH) && is_shape(l, of)) ||
               (fact_has(l->p, l->f, n, TRAIT_ASKS_RANK) && names_element(l, of));
    return is_shape(l, object_of(l->f, n, "rank ndims")) || names_element(l, object_of(l->f, n, "ndim"));
}

/* The whole numbers that a rank, or a name that one is bound to, is compared with in n. */
static void compared(const struct lift *l, uint32_t n, const uint32_t *names, size_t n_names, int64_t *low,
                     int64_t *high)
{
    bool ranks = false;
    int64_t value;

    for (uint32_t at = n + 1; at < l->f->nodes[n].after; at++) {
        ranks = ranks || is_rank(l, at);
        for (size_t i = 0; py_kind(l->f, at) == PY_IDENTIFIER && i < n_names; i++)
            ranks = ranks || names[i] == l->f->nodes[at].sym;
    }
    for (uint32_t at = n + 1; ranks && at < l->f->nodes[n].after; at++)
        if (py_kind(l->f, at) == PY_INTEGER && py_integer(l->f, at, &value)) {
            *low = value < *low ? value : *low;
            *high = value > *high ? value : *high;
        }
}

bool lift_asks_rank(const struct lift *inner, uint32_t function)
{
    const struct py_file *f = inner->f;
    uint32_t body = py_child(f, function, FIELD_BODY), names[RANKS_MAX];
    int64_t low = INT64_MAX, high = INT64_MIN;
    size_t n_names = 0;

    if (f->nodes[body].after - body > RANK_NODES_MAX)
        return false;
    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        uint32_t left = py_child_of(f, n, PY_ASSIGNMENT, FIELD_LEFT);
        uint32_t right = left != 0 ? py_child(f, n, FIELD_RIGHT) : 0;
        if (right != 0 && py_kind(f, left) == PY_IDENTIFIER && is_rank(inner, right) && n_names < RANKS_MAX)
            names[n_names++] = f->nodes[left].sym;
        if (py_kind(f, n) == PY_COMPARISON)
            compared(inner, n, names, n_names, &low, &high);
    }
    return low < high;
}
