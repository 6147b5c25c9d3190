/* What is written for one element, seen as work on a whole batch. */
#include "check/facts/lift.h"

enum { DEPTH_MAX = 40, CALLS_MAX = 3, NODES_MAX = 2000 };

/* --- which names hold an element of a batch --- */

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

bool lift_depends(const struct lift *l, uint32_t n)
{
    for (uint32_t at = n; at < l->f->nodes[n].after; at++)
        if (py_is_variable(l->f, at) && (l->f->nodes[at].sym == l->place || lift_holds_element(l, l->f->nodes[at].sym)))
            return true;
    return false;
}

/* --- what comes from outside --- */

/* The same for all elements: no draw, no effect, nothing that one round hands to the next. */
static bool is_constant(const struct lift *l, uint32_t n)
{
    enum { DEFS_MAX = 8 };

    for (uint32_t at = n; at < l->f->nodes[n].after; at++) {
        enum py_kind kind = py_kind(l->f, at);
        if (kind == PY_YIELD || kind == PY_AWAIT || kind == PY_NAMED_EXPRESSION || kind == PY_LAMBDA ||
            kind == PY_ERROR || (kind == PY_CALL && !lift_pure(l, at)))
            return false;
        if (l->loop == 0 || !py_is_variable(l->f, at))
            continue;
        /* A name that is bound in the loop carries something from round to round. */
        for (struct py_defs d = py_reaching(l->f, at, DEFS_MAX); py_take_def(&d);)
            if (py_inside(l->f, d.def->node, l->loop))
                return false;
    }
    return true;
}

/* x.shape, x.get_shape(), tf.shape(x), len(x): of tensors that were one, all elements have the same. */
static bool tells_shape(const struct lift *l, uint32_t n)
{
    uint32_t around = py_parent(l->f, n), call = py_parent(l->f, around);

    if (py_kind(l->f, around) == PY_ATTRIBUTE && l->f->nodes[n].field == FIELD_OBJECT)
        return span_is_word(py_name(l->f, around), "shape dtype get_shape");
    return py_kind(l->f, around) == PY_ARGUMENT_LIST && py_kind(l->f, call) == PY_CALL &&
           (fact_has(l->p, l->f, call, TRAIT_ASKS_SHAPE) || fact_has(l->p, l->f, call, TRAIT_ASKS_RANK) ||
            fact_has(l->p, l->f, call, TRAIT_ASKS_LENGTH));
}

/* Does the expression ask only for the elements' shapes? In loops elements may come from lists, each with its own. */
static bool of_shapes(const struct lift *l, uint32_t n)
{
    bool any = false;

    for (uint32_t at = n; l->loop == 0 && at < l->f->nodes[n].after; at++) {
        if (!py_is_variable(l->f, at) || !lift_holds_element(l, l->f->nodes[at].sym))
            continue;
        if (!tells_shape(l, at))
            return false;
        any = true;
    }
    return any;
}

/* --- expressions --- */

static bool lifts(struct lift *l, uint32_t n, int depth, int calls);

static bool all_lift(struct lift *l, uint32_t n, int depth, int calls)
{
    for (uint32_t c = py_first(l->f, n); c != 0; c = py_next(l->f, c))
        if (!lifts(l, c, depth + 1, calls))
            return false;
    return true;
}

/* Does the index mention the counter, outside of further picks? And does it hold a slice? */
static void look_at_index(const struct lift *l, uint32_t n, bool *counter, bool *slice)
{
    if (py_kind(l->f, n) == PY_SLICE)
        *slice = true;
    if (py_kind(l->f, n) == PY_SUBSCRIPT)
        return;
    if (py_is_variable(l->f, n) && l->place != 0 && l->f->nodes[n].sym == l->place)
        *counter = true;
    for (uint32_t c = py_first(l->f, n); c != 0; c = py_next(l->f, c))
        look_at_index(l, c, counter, slice);
}

/* One index of x[…]: a number, a slice of such, or a place that depends on the element: gather. */
static bool index_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    enum py_kind kind = py_kind(l->f, n);

    if (kind == PY_SLICE)
        return !lift_depends(l, n) && is_constant(l, n);
    if (py_kind(l->f, n) == PY_IDENTIFIER && l->f->nodes[n].sym == l->place && l->place != 0)
        return true;
    if (kind == PY_BINARY_OPERATOR) { /* x[i + 1] */
        for (uint32_t c = py_first(l->f, n); c != 0; c = py_next(l->f, c))
            if (!index_lifts(l, c, depth + 1, calls))
                return false;
        return true;
    }
    return lifts(l, n, depth + 1, calls);
}

static bool subscript_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    uint32_t of = py_child(l->f, n, FIELD_VALUE);
    bool counter = false, slice = false;
    size_t indices = 0;

    if (of == 0)
        return false;
    for (uint32_t i = py_next(l->f, of); i != 0; i = py_next(l->f, i), indices++) {
        look_at_index(l, i, &counter, &slice);
        if (!index_lifts(l, i, depth, calls))
            return false;
    }
    if (lift_depends(l, of))
        return lifts(l, of, depth + 1, calls);
    if (!is_constant(l, of))
        return false;
    enum value_kind kind = fact_value(l->p, l->f, of).kind;
    bool tensor = kind == VALUE_TENSOR || kind == VALUE_VARIABLE;
    /* x.shape[i] and the like are numbers, no work. */
    if (counter && span_find(py_text(l->f, of), SPAN("shape")) != SIZE_MAX)
        return false;
    l->picks = l->picks || counter;
    l->tensors = l->tensors || tensor;
    /* Lists are not indexed on several axes at once. */
    l->unsure = l->unsure || (!tensor && indices < 2);
    return kind != VALUE_DATASET && kind != VALUE_MODEL && kind != VALUE_INSTANCE;
}

/* The branches of tf.cond: lambdas of no parameter. */
static bool branch_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    uint32_t body = py_child_of(l->f, n, PY_LAMBDA, FIELD_BODY);

    return py_child(l->f, n, FIELD_PARAMETERS) == 0 && lifts(l, body, depth + 1, calls);
}

/* Arguments that depend on an element lift; the others are the same each time. */
static bool arguments_lift(struct lift *l, uint32_t call, int depth, int calls)
{
    uint32_t list = py_child(l->f, call, FIELD_ARGUMENTS);

    for (uint32_t a = py_first(l->f, list); a != 0; a = py_next(l->f, a)) {
        enum py_kind kind = py_kind(l->f, a);
        uint32_t value = kind == PY_KEYWORD_ARGUMENT ? py_child(l->f, a, FIELD_VALUE) : a;
        if (kind == PY_LIST_SPLAT)
            value = py_first(l->f, a);
        if (kind == PY_DICTIONARY_SPLAT || !lifts(l, value, depth + 1, calls))
            return false;
    }
    return true;
}

bool lift_of_two(const struct py_file *f, uint32_t call)
{
    return py_keyword(f, call, "a_is_sparse") != 0 || py_keyword(f, call, "b_is_sparse") != 0;
}

static bool named_call_lifts(struct lift *l, uint32_t n, const struct word *w, int depth, int calls)
{
    l->ops++;
    l->tensors = l->tensors || w->framework == FRAMEWORK_TENSORFLOW;
    if (word_has(w, TRAIT_BRANCHES))
        return lifts(l, py_argument(l->f, n, 0), depth + 1, calls) &&
               branch_lifts(l, py_argument_or(l->f, n, 1, "true_fn"), depth, calls) &&
               branch_lifts(l, py_argument_or(l->f, n, 2, "false_fn"), depth, calls);
    if (word_has(w, TRAIT_SELECTS))
        return py_argument(l->f, n, 2) != 0 && arguments_lift(l, n, depth, calls);
    if (lift_of_two(l->f, n))
        return false;
    /* One number for each element is as many numbers for all of them. */
    if (w->op == OP_RANDOM && word_has(w, TRAIT_TAKES_SHAPE)) {
        uint32_t shape = py_argument_or(l->f, n, 0, "shape");
        bool list = py_kind(l->f, shape) == PY_LIST || py_kind(l->f, shape) == PY_TUPLE;
        return list && py_first(l->f, shape) == 0 && arguments_lift(l, n, depth, calls);
    }
    return (word_has(w, TRAIT_ELEMENTWISE) || word_has(w, TRAIT_TAKES_AXIS)) && arguments_lift(l, n, depth, calls);
}

static bool body_lifts(struct lift *l, uint32_t function, int depth, int calls);

static bool call_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    struct function to;
    unsigned bound;

    if (fact_name(l->p, l->f, n).len > 0)
        return named_call_lifts(l, n, fact_word(l->p, l->f, n), depth, calls);
    if (!lift_follows(l, n, &to, &bound) || !arguments_lift(l, n, depth, calls))
        return false;
    struct lift inner = {.p = l->p, .f = to.f, .nodes = l->nodes, .strict = l->strict || l->loop != 0};
    if (!lift_bind(l, n, to.n, bound, &inner))
        return false;
    if (!inner.strict && lift_asks_rank(&inner, to.n)) {
        l->guessed = true;
        l->ops++;
        return true;
    }
    bool lifted = calls < CALLS_MAX && body_lifts(&inner, to.n, depth + 1, calls + 1);
    l->ops += inner.ops;
    l->tensors = l->tensors || inner.tensors;
    l->guessed = l->guessed || inner.guessed;
    l->nodes = inner.nodes;
    return lifted;
}

static bool lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    n = py_bare(l->f, n);
    if (n == 0 || depth > DEPTH_MAX || l->nodes++ > NODES_MAX)
        return false;
    if (!lift_depends(l, n) || of_shapes(l, n))
        return is_constant(l, n);
    switch (py_kind(l->f, n)) {
    case PY_IDENTIFIER: /* the counter itself is not an element */
        return lift_holds_element(l, l->f->nodes[n].sym);
    case PY_BINARY_OPERATOR:
    case PY_COMPARISON:
    case PY_UNARY_OPERATOR:
        l->ops++;
        return all_lift(l, n, depth, calls);
    case PY_TUPLE:
    case PY_LIST:
    case PY_EXPRESSION_LIST:
        return all_lift(l, n, depth, calls);
    case PY_ATTRIBUTE:
        return span_is_word(py_name(l->f, n), "values indices dtype") &&
               lifts(l, py_child(l->f, n, FIELD_OBJECT), depth + 1, calls);
    case PY_SUBSCRIPT:
        return subscript_lifts(l, n, depth, calls);
    case PY_CALL:
        return call_lifts(l, n, depth, calls);
    default:
        return false;
    }
}

bool lift_expression(struct lift *l, uint32_t n)
{
    return lifts(l, n, 0, 0);
}

/* --- statements --- */

/* a = …, a, b = …: what is bound depends on the element from here on. */
static bool assignment_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    uint32_t left = py_child(l->f, n, FIELD_LEFT), right = py_child(l->f, n, FIELD_RIGHT);

    if (!lifts(l, right, depth + 1, calls))
        return false;
    if (l->loop == 0 && (!lift_depends(l, right) || of_shapes(l, right)))
        return true; /* the same for all elements */
    if (py_kind(l->f, left) == PY_IDENTIFIER) {
        lift_name(l, l->f->nodes[left].sym);
        return true;
    }
    if (py_kind(l->f, left) != PY_PATTERN_LIST && py_kind(l->f, left) != PY_TUPLE_PATTERN)
        return false;
    for (uint32_t c = py_first(l->f, left); c != 0; c = py_next(l->f, c)) {
        if (py_kind(l->f, c) != PY_IDENTIFIER)
            return false;
        lift_name(l, l->f->nodes[c].sym);
    }
    return true;
}

static uint32_t statement_of(const struct py_file *f, uint32_t s)
{
    uint32_t inner = py_kind(f, s) == PY_EXPRESSION_STATEMENT ? py_first(f, s) : s;

    return inner != 0 ? inner : s;
}

/* How a block ends. */
enum ending { FAILS, GOES_ON, RETURNS };

static enum ending block_ends(struct lift *l, uint32_t block, int depth, int calls);

/* One branch is taken for all elements, which is known, or each of them must do. */
static enum ending branches_end(struct lift *l, uint32_t n, int depth, int calls)
{
    bool goes_on = true, all_return = true;

    for (uint32_t at = n; at != 0; at = at == n ? py_child(l->f, n, FIELD_ALTERNATIVE) : py_next(l->f, at)) {
        bool otherwise = py_kind(l->f, at) == PY_ELSE;
        uint32_t test = otherwise ? 0 : py_child(l->f, at, FIELD_CONDITION);
        uint32_t block = py_child(l->f, at, otherwise ? FIELD_BODY : FIELD_CONSEQUENCE);
        int truth = test != 0 ? lift_truth(l, test) : 1;
        if (truth < 0 && ((lift_depends(l, test) && !of_shapes(l, test)) || !is_constant(l, test)))
            return FAILS; /* it is not the same for all */
        if (truth == 0)
            continue;
        enum ending end = block_ends(l, block, depth + 1, calls);
        if (end == FAILS)
            return FAILS;
        all_return = all_return && end == RETURNS;
        if (truth == 1) {
            goes_on = false;
            break;
        }
    }
    return all_return && !goes_on ? RETURNS : GOES_ON;
}

/* y /= total */
static bool augmented_lifts(struct lift *l, uint32_t n, int depth, int calls)
{
    uint32_t left = py_child(l->f, n, FIELD_LEFT), right = py_child(l->f, n, FIELD_RIGHT);

    if (left == 0 || right == 0 || py_kind(l->f, left) != PY_IDENTIFIER || !lifts(l, right, depth + 1, calls))
        return false;
    if (lift_depends(l, right) && !of_shapes(l, right))
        lift_name(l, l->f->nodes[left].sym);
    l->ops++;
    return true;
}

/* with tf.name_scope(…): */
static bool only_names(const struct lift *l, uint32_t n)
{
    for (uint32_t at = n; at < l->f->nodes[n].after; at++)
        if (py_kind(l->f, at) == PY_CALL)
            return fact_has(l->p, l->f, at, TRAIT_NAME_SCOPE);
    return false;
}

static enum ending statement_ends(struct lift *l, uint32_t n, int depth, int calls)
{
    switch (py_kind(l->f, n)) {
    case PY_RETURN:
        return py_first(l->f, n) != 0 && lifts(l, py_first(l->f, n), depth + 1, calls) ? RETURNS : FAILS;
    case PY_RAISE:
        return RETURNS;
    case PY_ASSIGNMENT:
        return assignment_lifts(l, n, depth, calls) ? GOES_ON : FAILS;
    case PY_AUGMENTED_ASSIGNMENT:
        return augmented_lifts(l, n, depth, calls) ? GOES_ON : FAILS;
    case PY_IF:
        return branches_end(l, n, depth, calls);
    case PY_WITH:
        return only_names(l, n) ? block_ends(l, py_child(l->f, n, FIELD_BODY), depth + 1, calls) : FAILS;
    case PY_STRING:
    case PY_PASS:
    case PY_ASSERT:
    case PY_FUNCTION: /* looked at where it is called */
    case PY_IMPORT:
    case PY_IMPORT_FROM:
        return GOES_ON;
    default:
        return FAILS;
    }
}

static enum ending block_ends(struct lift *l, uint32_t block, int depth, int calls)
{
    if (depth > DEPTH_MAX)
        return FAILS;
    for (uint32_t s = py_first(l->f, block); s != 0; s = py_next(l->f, s)) {
        enum ending end = l->nodes++ > NODES_MAX ? FAILS : statement_ends(l, statement_of(l->f, s), depth, calls);
        if (end != GOES_ON)
            return end;
    }
    return GOES_ON;
}

static bool body_lifts(struct lift *l, uint32_t function, int depth, int calls)
{
    uint32_t body = py_child(l->f, function, FIELD_BODY);

    if (body == 0)
        return false;
    if (py_kind(l->f, function) == PY_LAMBDA)
        return lifts(l, body, depth + 1, calls);
    return block_ends(l, body, depth, calls) == RETURNS;
}

bool lift_function(struct lift *l, uint32_t function)
{
    return body_lifts(l, function, 0, 0);
}

/* total += …, all.append(…): neither is read in the loop otherwise. */
static bool keeps(struct lift *l, uint32_t n, unsigned *kept)
{
    uint32_t to = 0, value = 0;

    if (py_kind(l->f, n) == PY_AUGMENTED_ASSIGNMENT) {
        to = py_child(l->f, n, FIELD_LEFT);
        value = py_child(l->f, n, FIELD_RIGHT);
    } else if ((to = py_method(l->f, n, "append")) != 0) {
        value = py_argument(l->f, n, 0);
    }
    if (to == 0 || value == 0 || py_kind(l->f, to) != PY_IDENTIFIER || lift_holds_element(l, l->f->nodes[to].sym) ||
        !lift_depends(l, value) || !lifts(l, value, 0, 0))
        return false;
    for (uint32_t at = value; at < l->f->nodes[value].after; at++)
        if (py_is_variable(l->f, at) && l->f->nodes[at].sym == l->f->nodes[to].sym)
            return false;
    ++*kept;
    return true;
}

/* if … else, each of whose branches is such a block. */
static bool branches_lift(struct lift *l, uint32_t n, unsigned *kept)
{
    uint32_t test = py_child(l->f, n, FIELD_CONDITION);

    if (!lift_depends(l, test) || !lifts(l, test, 0, 0))
        return false;
    for (uint32_t c = py_next(l->f, test); c != 0; c = py_next(l->f, c)) {
        uint32_t branch = py_kind(l->f, c) == PY_ELSE ? py_child(l->f, c, FIELD_BODY) : c;
        if (py_kind(l->f, c) == PY_ELIF || !lift_block(l, branch, kept))
            return false;
    }
    return true;
}

bool lift_block(struct lift *l, uint32_t block, unsigned *kept)
{
    for (uint32_t s = py_first(l->f, block); s != 0; s = py_next(l->f, s)) {
        uint32_t n = statement_of(l->f, s);
        enum py_kind kind = py_kind(l->f, n);
        if (l->nodes++ > NODES_MAX)
            return false;
        if (kind == PY_STRING || (kind == PY_ASSIGNMENT && assignment_lifts(l, n, 0, 0)) ||
            ((kind == PY_AUGMENTED_ASSIGNMENT || kind == PY_CALL) && keeps(l, n, kept)))
            continue;
        if (kind != PY_IF || !branches_lift(l, n, kept))
            return false;
    }
    return true;
}
