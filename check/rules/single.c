/* single: is an expression a batch of one item? */
#include "check/rules/single.h"

#include "check/rules/rule.h"

enum { RESOLVE_MAX = 6 };

static bool is_number(const struct py_file *f, uint32_t n, int64_t number)
{
    int64_t value;

    return py_integer(f, n, &value) && value == number;
}

bool single_is_slice(const struct py_file *f, uint32_t subscript)
{
    uint32_t slice = py_child(f, subscript, FIELD_SUBSCRIPT);
    uint32_t low = py_kind(f, slice) == PY_SLICE ? py_first(f, slice) : 0;
    uint32_t high = low != 0 ? py_next(f, low) : 0;

    if (high == 0 || py_kind(f, high) != PY_BINARY_OPERATOR)
        return false;
    uint32_t left = py_child(f, high, FIELD_LEFT), right = py_child(f, high, FIELD_RIGHT);
    return is_number(f, right, 1) && py_kind(f, low) == PY_IDENTIFIER && span_eq(py_text(f, left), py_text(f, low));
}

bool single_in_list(const struct py_file *f, uint32_t list)
{
    uint32_t first = is_sequence(f, list) ? py_first(f, list) : 0;
    enum py_kind kind = py_kind(f, first);

    return (kind == PY_IDENTIFIER || kind == PY_SUBSCRIPT || kind == PY_LIST || kind == PY_CALL) &&
           py_next(f, first) == 0;
}

/* shape[0] = 1 somewhere before the name is read: a shape of one item. */
static bool shape_starts_with_one(const struct py_file *f, uint32_t shape)
{
    uint32_t function = py_function_of(f, shape);

    for (uint32_t n = function; py_kind(f, shape) == PY_IDENTIFIER && n < shape; n++) {
        uint32_t left = py_child_of(f, n, PY_ASSIGNMENT, FIELD_LEFT);
        if (left != 0 && py_kind(f, left) == PY_SUBSCRIPT &&
            f->nodes[py_child(f, left, FIELD_VALUE)].sym == f->nodes[shape].sym &&
            is_number(f, py_child(f, left, FIELD_SUBSCRIPT), 0) && is_number(f, py_child(f, n, FIELD_RIGHT), 1))
            return true;
    }
    return false;
}

/* (1,) + x.shape */
static bool adds_to_shape(const struct py_file *f, uint32_t shape)
{
    uint32_t left = py_child_of(f, shape, PY_BINARY_OPERATOR, FIELD_LEFT);

    return is_sequence(f, left) && is_number(f, py_first(f, left), 1) && py_next(f, py_first(f, left)) == 0;
}

static bool call_makes_one(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    uint32_t first = py_argument(f, call, 0), second = py_argument(f, call, 1);

    if (word_has(w, TRAIT_ADDS_AXIS))
        return is_number(f, py_argument_or(f, call, 1, "axis"), 0);
    if (word_has(w, TRAIT_FROM_LIST))
        return single_in_list(f, first);
    if (word_has(w, TRAIT_RESHAPES)) {
        uint32_t shape = py_argument_or(f, call, 1, "shape");
        return is_number(f, py_first(f, shape), 1) || adds_to_shape(f, shape) || shape_starts_with_one(f, shape);
    }
    if (fact_name(p, f, call).len == 0 && py_method(f, call, "reshape") != 0) {
        uint32_t one = is_sequence(f, first) ? py_first(f, first) : first,
                 next = one != first ? py_next(f, one) : second;
        return adds_to_shape(f, first) || (is_number(f, one, 1) && next != 0);
    }
    return false;
}

static bool single(struct project *p, const struct py_file *f, uint32_t n, int depth);

/* The name was last bound to one item, by the nearest earlier assignment that always runs; only arithmetic since. */
static bool bound_to_single(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    enum { DEFS_MAX = 8 };
    const struct py_def *nearest = NULL;
    uint32_t changed = 0;

    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);) {
        uint32_t node = d.def->node;
        if (node > n || py_inside(f, n, py_statement(f, node))) /* of the round before */
            continue;
        if (d.def->kind == DEF_AUGMENT) /* x /= 255: as many as x */
            changed = node;
        else if (nearest != NULL || d.def->kind != DEF_ASSIGN)
            return false;
        else
            nearest = d.def;
    }
    if (nearest == NULL && changed != 0)
        return single(p, f, changed, depth + 1);
    return nearest != NULL && py_inside(f, n, py_parent(f, py_statement(f, nearest->node))) &&
           single(p, f, nearest->value, depth + 1);
}

/* Of a call: what it makes, or what it passes on. */
static bool call_single(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    if (call_makes_one(p, f, n))
        return true;
    /* preprocess_input(x), x.astype(…): as many as went in */
    struct span name = fact_name(p, f, n);
    uint32_t cast = py_method(f, n, "astype");
    if (name.len == 0 && cast != 0)
        return single(p, f, cast, depth + 1);
    bool keeps = fact_has(p, f, n, TRAIT_CONVERTS) || span_has(name, "preprocess_input");
    return keeps && single(p, f, py_argument(f, n, 0), depth + 1);
}

static bool single(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = py_bare(f, n);
    if (depth > RESOLVE_MAX)
        return false;
    uint32_t index = py_child(f, n, FIELD_SUBSCRIPT);
    switch (py_kind(f, n)) {
    case PY_IDENTIFIER:
        return bound_to_single(p, f, n, depth);
    case PY_SUBSCRIPT: /* x[None], x[np.newaxis, …]: the first index makes the batch */
        return py_kind(f, index) == PY_NONE_LITERAL || (index != 0 && fact_has(p, f, index, TRAIT_NEW_AXIS)) ||
               single_is_slice(f, n);
    case PY_LIST: /* several inputs, each of one item; a plain [x] may be one input */
        return single(p, f, py_first(f, n), depth + 1);
    case PY_CALL:
        return call_single(p, f, n, depth);
    case PY_BINARY_OPERATOR: /* x / 255 */
        return single(p, f, py_child(f, n, FIELD_LEFT), depth + 1);
    default:
        return false;
    }
}

bool single_draws_sample(const struct py_file *f, uint32_t n)
{
    return span_eq(py_called(f, py_kind(f, n) == PY_IDENTIFIER ? py_assigned(f, n) : n), SPAN("sample"));
}

bool single_item(struct project *p, const struct py_file *f, uint32_t n)
{
    return single(p, f, n, 0);
}
