/* Integers and shapes of arrays, as far as the source text tells them. */
#include "check/facts/shape.h"

/* Where a question asks several others it counts as several levels, so that their number is bounded. */
enum { DEPTH_MAX = 28, FORK = 4, REACHING_MAX = 4 };

static const struct shape no_shape = {0, {0}};

static bool integer(struct project *p, const struct py_file *f, uint32_t n, int64_t *value, int depth);
static struct shape shape(struct project *p, const struct py_file *f, uint32_t n, int depth);

static bool is_list(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) == PY_TUPLE || py_kind(f, n) == PY_LIST || py_kind(f, n) == PY_EXPRESSION_LIST;
}

/* The value of an identifier's only assignment. `x += y` keeps the shape of x, but not its number. */
static uint32_t bound_to(const struct py_file *f, uint32_t n, bool augmented)
{
    struct py_defs reaching = py_reaching(f, n, REACHING_MAX);
    uint32_t found = 0;

    while (py_take_def(&reaching)) {
        if (augmented && reaching.def->kind == DEF_AUGMENT)
            continue;
        if (found != 0)
            return 0;
        found = reaching.number;
    }
    if (found == 0 && reaching.all > 0)
        for (uint32_t d = py_def_of(f, n); d != 0 && f->defs[d].node < n; d = f->defs[d].next)
            if (f->defs[d].kind != DEF_AUGMENT)
                found = d;
    return found != 0 && f->defs[found].kind == DEF_ASSIGN ? f->defs[found].value : 0;
}

/* --- integers --- */

static bool is_small(int64_t value)
{
    return value > -SHAPE_NUMBER_MAX && value < SHAPE_NUMBER_MAX;
}

static bool of_operator(struct project *p, const struct py_file *f, uint32_t n, int64_t *value, int depth)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    struct span sign = py_between(f, left, right);
    int64_t a, b;

    if (!integer(p, f, left, &a, depth + FORK) || !integer(p, f, right, &b, depth + FORK) || !is_small(a) ||
        !is_small(b))
        return false;
    if (span_eq(sign, SPAN("+")))
        *value = a + b;
    else if (span_eq(sign, SPAN("-")))
        *value = a - b;
    else if (span_eq(sign, SPAN("*")))
        return !__builtin_mul_overflow(a, b, value);
    else if (span_eq(sign, SPAN("//")) && b > 0 && a >= 0)
        *value = a / b;
    else if (span_eq(sign, SPAN("%")) && b > 0 && a >= 0)
        *value = a % b;
    else if (span_eq(sign, SPAN("**")) && b >= 0 && b < 63 && a == 2)
        *value = (int64_t)1 << b;
    else if (span_eq(sign, SPAN("**")) && b == 2)
        return !__builtin_mul_overflow(a, a, value);
    else
        return false;
    return true;
}

/* x.shape[0], SIZES[1] */
static bool of_subscript(struct project *p, const struct py_file *f, uint32_t n, int64_t *value, int depth)
{
    uint32_t of = py_child(f, n, FIELD_VALUE), index = py_child(f, n, FIELD_SUBSCRIPT);
    struct shape s = no_shape;
    int64_t i;

    if (index == 0 || !py_integer(f, index, &i))
        return false;
    if (py_kind(f, of) == PY_ATTRIBUTE && py_is(f, py_child(f, of, FIELD_ATTRIBUTE), "shape")) {
        s = shape(p, f, py_child(f, of, FIELD_OBJECT), depth + 1);
    } else if (py_kind(f, of) == PY_IDENTIFIER) {
        uint32_t whole = bound_to(f, of, false);
        if (is_list(f, whole))
            s = shape_from(p, f, whole);
    }
    i = i < 0 ? i + (int64_t)s.rank : i;
    if (i < 0 || i >= (int64_t)s.rank || s.dims[i] < 0)
        return false;
    *value = s.dims[i];
    return true;
}

/* int(n), len(x) */
static bool of_call(struct project *p, const struct py_file *f, uint32_t call, int64_t *value, int depth)
{
    uint32_t argument = py_argument(f, call, 0);

    if (argument == 0)
        return false;
    if (fact_has(p, f, call, TRAIT_PYTHON_NUMBER))
        return integer(p, f, argument, value, depth + 1);
    if (!fact_has(p, f, call, TRAIT_ASKS_LENGTH))
        return false;
    struct shape s = shape(p, f, argument, depth + 1);
    *value = s.rank > 0 ? s.dims[0] : -1;
    return *value >= 0;
}

/* A name that is bound once, in another function or module, to a literal. */
static bool of_literal(struct project *p, const struct py_file *f, uint32_t n, int64_t *value)
{
    const struct py_file *file;
    uint32_t literal = fact_literal(p, f, n, &file);

    return literal != 0 && fact_certain(f, n) && py_integer(file, literal, value);
}

static bool integer(struct project *p, const struct py_file *f, uint32_t n, int64_t *value, int depth)
{
    n = py_bare(f, n);
    if (n == 0 || depth > DEPTH_MAX)
        return false;
    if (py_integer(f, n, value))
        return true;
    switch (py_kind(f, n)) {
    case PY_IDENTIFIER: {
        uint32_t to = bound_to(f, n, false);
        return to != 0 ? integer(p, f, to, value, depth + 1) : of_literal(p, f, n, value);
    }
    case PY_ATTRIBUTE:
        return of_literal(p, f, n, value);
    case PY_BINARY_OPERATOR:
        return of_operator(p, f, n, value, depth);
    case PY_SUBSCRIPT:
        return of_subscript(p, f, n, value, depth);
    case PY_CALL:
        return of_call(p, f, n, value, depth);
    default:
        return false;
    }
}

bool shape_integer(struct project *p, const struct py_file *f, uint32_t n, int64_t *value)
{
    return integer(p, f, n, value, 0) && is_small(*value);
}

/* --- shapes --- */

static void add_dim(struct shape *s, int64_t dim)
{
    if (s->rank < SHAPE_RANK_MAX)
        s->dims[s->rank] = dim;
    s->rank++;
}

static int64_t dim_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    int64_t value;

    return integer(p, f, n, &value, depth + FORK) && value >= 0 && value < SHAPE_NUMBER_MAX ? value : -1;
}

static struct shape shape_list(struct project *p, const struct py_file *f, uint32_t first, int depth)
{
    struct shape s = no_shape;

    for (uint32_t c = first; c != 0; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_LIST_SPLAT)
            return no_shape;
        if (py_kind(f, c) != PY_KEYWORD_ARGUMENT)
            add_dim(&s, dim_of(p, f, c, depth));
    }
    return s.rank <= SHAPE_RANK_MAX ? s : no_shape;
}

static struct shape from_node(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    struct shape s = no_shape;

    n = py_bare(f, n);
    if (depth > DEPTH_MAX)
        return no_shape;
    if (py_kind(f, n) == PY_IDENTIFIER) {
        uint32_t to = bound_to(f, n, false);
        if (is_list(f, py_bare(f, to)))
            return from_node(p, f, to, depth + 1);
    }
    if (is_list(f, n))
        return shape_list(p, f, py_first(f, n), depth);
    int64_t one = dim_of(p, f, n, depth);
    if (one >= 0)
        add_dim(&s, one);
    return s;
}

struct shape shape_from(struct project *p, const struct py_file *f, uint32_t n)
{
    return from_node(p, f, n, 0);
}

/* Functions that are given the shape of what they make: as which argument. */
static const struct {
    enum trait trait;
    uint8_t position;
    const char *keyword;
} makers[] = {
    {TRAIT_TAKES_SHAPE, 0, "shape"},
    {TRAIT_TAKES_DIMS, 0, "dims"},
    {TRAIT_TAKES_SIZE, 0, "size"},
    {TRAIT_TAKES_SIZE_THIRD, 2, "size"},
};

static struct shape expanded(struct shape s, int64_t axis)
{
    if (s.rank == 0 || s.rank >= SHAPE_RANK_MAX)
        return no_shape;
    axis = axis < 0 ? axis + (int64_t)s.rank + 1 : axis;
    if (axis < 0 || axis > (int64_t)s.rank)
        return no_shape;
    for (unsigned i = s.rank; i > (unsigned)axis; i--)
        s.dims[i] = s.dims[i - 1];
    s.dims[axis] = 1;
    s.rank++;
    return s;
}

static struct shape of_named_call(struct project *p, const struct py_file *f, uint32_t call, const struct word *w,
                                  int depth)
{
    uint32_t first = py_argument(f, call, 0), axis = py_argument_or(f, call, 1, "axis");
    struct shape s = no_shape;
    int64_t value;

    for (size_t i = 0; i < ARRAY_LEN(makers); i++)
        if (word_has(w, makers[i].trait))
            return from_node(p, f, py_argument_or(f, call, makers[i].position, makers[i].keyword), depth + 1);
    if (word_has(w, TRAIT_KEEPS_SHAPE_OF_FIRST))
        return shape(p, f, first, depth + 1);
    if (word_has(w, TRAIT_TAKES_DIMS_APART))
        return shape_list(p, f, first, depth);
    if (word_has(w, TRAIT_COUNTS)) {
        if (py_argument(f, call, 1) == 0)
            add_dim(&s, dim_of(p, f, first, depth));
        return s;
    }
    if (word_has(w, TRAIT_RESHAPES))
        return from_node(p, f, py_argument_or(f, call, 1, "shape"), depth + 1);
    if (word_has(w, TRAIT_ADDS_AXIS) && py_integer(f, axis, &value))
        return expanded(shape(p, f, first, depth + 1), value);
    return no_shape;
}

static struct shape of_method(struct project *p, const struct py_file *f, uint32_t call, int depth)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method), first = py_argument(f, call, 0);

    if (receiver == 0)
        return no_shape;
    if (span_is_word(method, "astype copy numpy"))
        return shape(p, f, receiver, depth + 1);
    if (span_eq(method, SPAN("reshape"))) {
        if (py_argument(f, call, 1) != 0)
            return shape_list(p, f, first, depth);
        return from_node(p, f, first, depth + 1);
    }
    struct value v = fact_value(p, f, receiver);
    if (v.kind != VALUE_OBJECT || !word_has(fact_name_word(p, v.name), TRAIT_RANDOM_GENERATOR))
        return no_shape;
    bool size_is_third = span_is_word(method, "normal uniform integers randint");
    if (size_is_third || span_is_word(method, "random standard_normal random_sample"))
        return from_node(p, f, py_argument_or(f, call, size_is_third ? 2 : 0, "size"), depth + 1);
    return span_is_word(method, "rand randn") ? shape_list(p, f, first, depth) : no_shape;
}

/* One index of x[…], applied to the dimension *at of s; the result grows in *to. */
static bool apply_index(struct project *p, const struct py_file *f, uint32_t index, const struct shape *s, unsigned *at,
                        unsigned left, struct shape *to)
{
    enum py_kind kind = py_kind(f, index);
    int64_t value;

    if (kind == PY_NONE_LITERAL || fact_has(p, f, index, TRAIT_NEW_AXIS)) {
        add_dim(to, 1);
        return true;
    }
    if (kind == PY_ELLIPSIS) {
        for (; *at + left < s->rank; ++*at)
            add_dim(to, s->dims[*at]);
        return true;
    }
    if (*at >= s->rank)
        return false;
    if (kind == PY_SLICE) {
        add_dim(to, py_first(f, index) == 0 ? s->dims[*at] : -1);
        ++*at;
        return true;
    }
    if (!py_integer(f, index, &value) && (kind != PY_IDENTIFIER || !integer(p, f, index, &value, 0)))
        return false; /* it may be an array of places */
    ++*at;
    return true;
}

static struct shape of_indexing(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    struct shape s = shape(p, f, py_child(f, n, FIELD_VALUE), depth + 1), to = no_shape;
    unsigned at = 0, left = 0;

    if (s.rank == 0)
        return no_shape;
    /* The indices are all children but the first; those that make no axis count as taken. */
    uint32_t value = py_child(f, n, FIELD_VALUE), first = py_next(f, value);
    if (py_kind(f, first) == PY_TUPLE)
        first = py_first(f, first);
    for (uint32_t i = first; i != 0; i = py_next(f, i))
        left += py_kind(f, i) != PY_NONE_LITERAL && py_kind(f, i) != PY_ELLIPSIS && !fact_has(p, f, i, TRAIT_NEW_AXIS);
    for (uint32_t i = first; i != 0; i = py_next(f, i)) {
        unsigned before = at;
        bool ellipsis = py_kind(f, i) == PY_ELLIPSIS;
        if (!apply_index(p, f, i, &s, &at, left, &to))
            return no_shape;
        left -= !ellipsis && at > before;
    }
    for (; at < s.rank; at++)
        add_dim(&to, s.dims[at]);
    return to.rank <= SHAPE_RANK_MAX ? to : no_shape;
}

/* Of a + b: that of the one with more axes, when the other has none or fewer. */
static struct shape of_arithmetic(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    struct shape a = shape(p, f, py_child(f, n, FIELD_LEFT), depth + FORK);
    struct shape b = shape(p, f, py_child(f, n, FIELD_RIGHT), depth + FORK);
    struct shape s = a.rank >= b.rank ? a : b, other = a.rank >= b.rank ? b : a;

    for (unsigned i = 0; i < other.rank; i++) {
        int64_t *dim = &s.dims[s.rank - 1 - i], of = other.dims[other.rank - 1 - i];
        if (of > *dim)
            *dim = *dim < 0 && of <= 1 ? -1 : of;
    }
    return s;
}

static struct shape shape(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = py_bare(f, n);
    if (n == 0 || depth > DEPTH_MAX)
        return no_shape;
    switch (py_kind(f, n)) {
    case PY_IDENTIFIER:
        return shape(p, f, bound_to(f, n, true), depth + 1);
    case PY_CALL: {
        bool named = fact_name(p, f, n).len > 0;
        return named ? of_named_call(p, f, n, fact_word(p, f, n), depth) : of_method(p, f, n, depth);
    }
    case PY_SUBSCRIPT:
        return of_indexing(p, f, n, depth);
    case PY_BINARY_OPERATOR:
        return of_arithmetic(p, f, n, depth);
    case PY_UNARY_OPERATOR:
        return shape(p, f, py_first(f, n), depth + 1);
    case PY_LIST: {
        struct shape s = no_shape;
        bool flat = true;
        for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c), s.dims[0]++)
            flat = flat && (py_kind(f, c) == PY_INTEGER || py_kind(f, c) == PY_FLOAT);
        s.rank = flat && s.dims[0] > 0;
        return s;
    }
    default:
        return no_shape;
    }
}

struct shape shape_of(struct project *p, const struct py_file *f, uint32_t n)
{
    return shape(p, f, n, 0);
}

int64_t shape_numbers(struct shape s)
{
    int64_t numbers = 1;

    if (s.rank == 0)
        return -1;
    for (unsigned i = 0; i < s.rank; i++)
        if (s.dims[i] < 0 || __builtin_mul_overflow(numbers, s.dims[i], &numbers) || numbers > SHAPE_NUMBER_MAX)
            return -1;
    return numbers;
}
