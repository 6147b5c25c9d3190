/* PP422: an array is filled element by element in nested Python loops, where NumPy does all at once. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* for i in range(n): its i; 0: another kind of loop. */
static uint32_t counter(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t target = py_kind(f, loop) == PY_FOR ? py_child(f, loop, FIELD_LEFT) : 0;
    uint32_t over = target != 0 ? py_child(f, loop, FIELD_RIGHT) : 0;
    bool counts = over != 0 && py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_RANGE);

    return counts && py_kind(f, target) == PY_IDENTIFIER ? target : 0;
}

/* Goes the range over an axis: range(image.shape[0]), range(height)? */
static bool over_axis(struct project *p, const struct py_file *f, uint32_t loop)
{
    static const char *const names[] = {
        "h",     "w",     "H",          "W",         "height",       "width",       "rows",  "cols",
        "img_h", "img_w", "img_height", "img_width", "image_height", "image_width", "nrows", "ncols"};
    uint32_t over = py_child(f, loop, FIELD_RIGHT), first = py_argument(f, over, 0), second = py_argument(f, over, 1);
    uint32_t end = second != 0 ? second : first;

    (void)p;
    return end != 0 && (span_has(py_text(f, end), ".shape[") || span_is_any(py_name(f, end), names, ARRAY_LEN(names)));
}

static bool holds_name(const struct py_file *f, uint32_t n, uint32_t sym)
{
    size_t uses;

    (void)py_uses(f, sym, n, &uses);
    return uses > 0;
}

/* Calls that NumPy has for whole arrays. */
static bool is_simple_call(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const names[] = {"int", "float", "abs", "min", "max", "round", "range", "len", "pow", "math"};
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span name = fact_name(p, f, call), module = {"", 0};

    if (fact_word(p, f, call)->framework == FRAMEWORK_NUMPY)
        return !word_has(fact_word(p, f, call), TRAIT_DRAWS) && !span_has(name, "random");
    if (callee != 0 && py_kind(f, callee) == PY_IDENTIFIER && py_def_of(f, callee) == 0)
        return span_is_any(py_text(f, callee), names, ARRAY_LEN(names));
    return span_cut(&name, '.', &module) && span_eq(module, SPAN("math"));
}

/* im[r, c, 0] of im[r, c]? */
static bool is_part_of(const struct py_file *f, uint32_t read, uint32_t left)
{
    struct span whole = py_text(f, left);

    whole.len--; /* the bracket */
    return span_starts(py_text(f, read), whole) && py_text(f, read).len > whole.len &&
           py_text(f, read).ptr[whole.len] == ',';
}

/* Is the array read at another place than it is written to? Then the order matters. */
static bool reads_itself(const struct py_file *f, uint32_t body, uint32_t left, uint32_t array)
{
    size_t n;
    const uint32_t *uses = py_uses(f, f->nodes[array].sym, body, &n);

    for (size_t i = 0; i < n; i++) {
        uint32_t at = py_parent(f, uses[i]);
        while (py_kind(f, py_parent(f, at)) == PY_SUBSCRIPT && py_child(f, py_parent(f, at), FIELD_VALUE) == at)
            at = py_parent(f, at);
        if (uses[i] != array && py_kind(f, at) == PY_SUBSCRIPT && !span_eq(py_text(f, at), py_text(f, left)) &&
            !is_part_of(f, at, left))
            return true;
    }
    return false;
}

/* The array of a[i, j] or a[i][j]; 0: it is something else. */
static uint32_t array_of(const struct py_file *f, uint32_t left)
{
    uint32_t n = left;

    while (py_kind(f, n) == PY_SUBSCRIPT)
        n = py_child(f, n, FIELD_VALUE);
    return n != left && py_kind(f, n) == PY_IDENTIFIER ? n : 0;
}

/* same += 1: counts elements; the name is not read in the loops. */
static bool counts(const struct py_file *f, uint32_t n, uint32_t body)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    size_t uses = 0;

    if (left == 0 || right == 0 || py_kind(f, left) != PY_IDENTIFIER || py_kind(f, right) != PY_INTEGER)
        return false;
    (void)py_uses(f, f->nodes[left].sym, body, &uses);
    return uses == 1;
}

/* Does the node do more than compute and assign? */
static bool does_more(struct project *p, const struct py_file *f, uint32_t n, uint32_t body)
{
    switch (py_kind(f, n)) {
    case PY_WHILE:
    case PY_BREAK:
    case PY_RETURN:
    case PY_YIELD:
    case PY_WITH:
    case PY_PRINT:
        return true;
    case PY_AUGMENTED_ASSIGNMENT:
        return !counts(f, n, body);
    case PY_CALL:
        return !is_simple_call(p, f, n);
    default:
        return false;
    }
}

/* What the inner loop fills, an element, or counts; 0: neither, or more is done there than that. */
static uint32_t fills(struct project *p, const struct py_file *f, uint32_t inner, uint32_t i, uint32_t j)
{
    uint32_t body = py_body(f, inner), filled = 0, counted = 0;

    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        if (does_more(p, f, n, body))
            return 0;
        if (py_kind(f, n) == PY_AUGMENTED_ASSIGNMENT)
            counted = py_child(f, n, FIELD_LEFT);
        uint32_t left = py_kind(f, n) == PY_ASSIGNMENT ? py_child(f, n, FIELD_LEFT) : 0;
        uint32_t array = left != 0 && py_kind(f, left) == PY_SUBSCRIPT ? array_of(f, left) : 0;
        if (array == 0)
            continue;
        if (!holds_name(f, left, i) || !holds_name(f, left, j) || reads_itself(f, body, left, array))
            return 0;
        filled = filled != 0 ? filled : left;
    }
    return filled != 0 ? filled : counted;
}

/* In __getitem__() of a data set, or __call__() of a transform, which run for each item. */
static bool makes_item(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && (py_is(f, name, "__getitem__") || py_is(f, name, "__call__"));
}

/* for i in range(image.shape[0]): for j in range(image.shape[1]): */
static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++) {
        uint32_t i = counter(p, f, n), inner = i != 0 ? py_first(f, py_body(f, n)) : 0;
        uint32_t j = inner != 0 && py_next(f, inner) == 0 ? counter(p, f, inner) : 0;
        if (j == 0 || fact_loop(p, f, inner).trip == TRIP_SHORT || fact_loop(p, f, i).trip == TRIP_SHORT ||
            !over_axis(p, f, n) || !over_axis(p, f, inner))
            continue;
        uint32_t filled = fills(p, f, inner, f->nodes[i].sym, f->nodes[j].sym);
        if (filled == 0)
            continue;
        struct rule_finding *found = rule_report(r, n, CHECK_MEDIUM, "%s is computed element by element in Python",
                                                 RULE_TEXT(f, array_of(f, filled) != 0 ? array_of(f, filled) : filled));
        if (!fact_in_program(p, f, n) && !makes_item(f, n))
            rule_unsure(found);
    }
}

const struct rule rule_PP422 = {
    .about =
        {
            .id = "PP422",
            .name = "pixels-one-by-one",
            .summary = "An array is computed element by element in nested Python loops",
            .why = "Each element takes a microsecond or more in Python, and some nanoseconds in NumPy.",
            .advice = "Compute whole arrays: slices, np.where() for the conditions, broadcasting for the indices.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .uses = USES_TENSORFLOW | USES_TORCH,
    .run = run,
};
