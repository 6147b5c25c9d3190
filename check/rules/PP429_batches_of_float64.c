/* PP429: batches of images are filled in float64, which the framework converts at each step. */
#include "check/rules/rule.h"

enum { RANK_MIN = 3 };

/* np.zeros((batch, height, width, 3)): without a type, of that rank at least. */
static bool makes_float64(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const names[] = {"numpy.zeros", "numpy.ones", "numpy.empty"};
    uint32_t shape = py_argument_or(f, call, 0, "shape");
    uint32_t type = py_argument_or(f, call, 1, "dtype");
    size_t rank = 0;

    if (!span_is_any(fact_name(p, f, call), names, ARRAY_LEN(names)) || shape == 0)
        return false;
    if (type != 0 && !py_is(f, type, "float") && !span_has(py_text(f, type), "float64"))
        return false;
    if (py_kind(f, shape) != PY_TUPLE && py_kind(f, shape) != PY_LIST)
        return false;
    for (uint32_t c = py_first(f, shape); c != 0; c = py_next(f, c))
        rank += py_kind(f, c) == PY_LIST_SPLAT ? RANK_MIN : 1;
    return rank >= RANK_MIN;
}

/* Is it a generator, or what gives a batch of a Sequence? */
static bool gives_batches(const struct py_file *f, uint32_t function)
{
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    if (name == 0)
        return false;
    if (py_is(f, name, "__getitem__"))
        return true;
    for (uint32_t n = function; n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD && py_function_of(f, n) == function)
            return true;
    return false;
}

/* Is it what the batch is put into, or computed with, where it is given away: (x / 255, labels)? */
static bool is_wrapping(const struct py_file *f, uint32_t n)
{
    enum py_kind kind = py_kind(f, n);

    return kind == PY_TUPLE || kind == PY_LIST || kind == PY_EXPRESSION_LIST || kind == PY_PARENTHESIZED ||
           kind == PY_BINARY_OPERATOR; /* NumPy's arithmetic keeps the wider type */
}

/* Is the name part of what the function yields or returns, and filled before: x[i] = …? */
static bool is_given(const struct py_file *f, uint32_t function, uint32_t name)
{
    size_t n;
    const uint32_t *uses = py_uses(f, f->nodes[name].sym, function, &n);
    bool given = false, filled = false;

    for (size_t i = 0; i < n; i++) {
        uint32_t at = uses[i], up = py_parent(f, at);
        if (py_kind(f, up) == PY_ATTRIBUTE && f->nodes[at].field == FIELD_OBJECT)
            return false; /* x.astype(…) */
        while (is_wrapping(f, up))
            up = py_parent(f, up);
        given = given || py_kind(f, up) == PY_YIELD || py_kind(f, up) == PY_RETURN;
        filled = filled || (py_kind(f, up) == PY_SUBSCRIPT && f->nodes[up].field == FIELD_LEFT);
    }
    return given && filled;
}

/* The name of the batch that the call makes; 0: it makes none. */
static uint32_t batch_of(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t assignment = py_parent(f, call), function = py_function_of(f, call);
    uint32_t name = py_kind(f, assignment) == PY_ASSIGNMENT ? py_child(f, assignment, FIELD_LEFT) : 0;
    bool given = name != 0 && py_kind(f, name) == PY_IDENTIFIER && makes_float64(p, f, call) &&
                 gives_batches(f, function) && is_given(f, function, name);

    return given ? name : 0;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t name = batch_of(p, f, call), function = py_function_of(f, call);

    for (uint32_t n = function; name != 0 && n < call; n++) /* of several the first has the finding */
        if (py_kind(f, n) == PY_CALL && py_function_of(f, n) == function && batch_of(p, f, n) != 0)
            return;
    if (name != 0)
        rule_report(r, call, CHECK_MEDIUM, "the batches of %s are float64, which the model converts at each step",
                    RULE_TEXT(f, name));
}

const struct rule rule_PP429 = {
    .about = {
        .id = "PP429",
        .name = "batches-of-float64",
        .summary = "Batches are filled in float64, which the framework converts at each step",
        .why = "NumPy's default type takes twice the memory and time to fill, and each batch is copied to float32.",
        .advice = "Pass dtype=np.float32 to it; for labels and bytes the smaller type.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
