/* PP309: from_generator where TensorFlow takes the data itself. */
#include "check/rules/python_work.h"

/* `for … in …: yield …` and no more: *loop, and what is yielded. */
static bool only_yields(const struct py_file *f, uint32_t function, uint32_t *loop, uint32_t *yield)
{
    uint32_t body = py_child(f, function, FIELD_BODY), inner = 0;

    *loop = *yield = 0;
    for (uint32_t s = py_first(f, body); s != 0; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_first(f, s) != 0 && py_kind(f, py_first(f, s)) == PY_STRING)
            continue; /* its documentation */
        if (py_kind(f, s) != PY_FOR || *loop != 0)
            return false;
        *loop = s;
    }
    inner = *loop != 0 ? py_child(f, *loop, FIELD_BODY) : 0;
    if (py_first(f, inner) == 0 || py_next(f, py_first(f, inner)) != 0)
        return false;
    *yield = py_first(f, inner);
    if (py_kind(f, *yield) == PY_EXPRESSION_STATEMENT)
        *yield = py_first(f, *yield);
    return *yield != 0 && py_kind(f, *yield) == PY_YIELD;
}

/* `for i in range(len(x)): yield x[i]`, `for a in zip(x, y): yield a`, `for a in x: yield a`: the
 * arrays are there, from_tensor_slices takes them. */
static bool only_slices(struct project *p, const struct py_file *f, uint32_t loop, uint32_t yield)
{
    for (uint32_t n = yield + 1; n < f->nodes[yield].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind != PY_TUPLE && kind != PY_EXPRESSION_LIST && kind != PY_IDENTIFIER && kind != PY_SUBSCRIPT &&
            kind != PY_PARENTHESIZED && kind != PY_ATTRIBUTE)
            return false;
    }
    uint32_t over = py_child(f, loop, FIELD_RIGHT);
    if (py_kind(f, over) == PY_IDENTIFIER)
        return true;
    return py_kind(f, over) == PY_CALL && (fact_has(p, f, over, TRAIT_RANGE) || fact_has(p, f, over, TRAIT_ZIPS));
}

static bool slices_arrays(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool any = false;
    uint32_t over = py_child(f, loop, FIELD_RIGHT);

    if (py_kind(f, over) == PY_IDENTIFIER)
        return python_is_array(p, f, over);
    if (fact_has(p, f, over, TRAIT_ZIPS)) {
        for (size_t i = 0; py_argument(f, over, i) != 0; i++, any = true)
            if (!python_is_array(p, f, py_argument(f, over, i)))
                return false;
        return any;
    }
    for (uint32_t n = py_child(f, loop, FIELD_BODY); n < f->nodes[loop].after; n++) {
        if (py_kind(f, n) != PY_SUBSCRIPT)
            continue;
        if (!python_is_array(p, f, py_child(f, n, FIELD_VALUE)))
            return false;
        any = true;
    }
    return any;
}

static void check_generator(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t argument = py_argument_or(f, call, 0, "generator"), function, loop, yield;
    const struct py_file *file;
    struct python_work seen = {0};

    if (!fact_has(p, f, call, TRAIT_FROM_GENERATOR) || !fact_certain(f, argument) ||
        !fact_function(p, f, argument, &file, &function))
        return;
    if (py_kind(file, function) == PY_LAMBDA) {
        uint32_t body = py_child(file, function, FIELD_BODY);
        if (py_kind(file, body) != PY_CALL || !fact_callee(p, file, body, &file, &function))
            return;
    }
    if (only_yields(file, function, &loop, &yield) && only_slices(p, file, loop, yield) &&
        slices_arrays(p, file, loop)) {
        rule_report(r, call, CHECK_MEDIUM, "the generator only takes arrays apart in Python, one element at a time");
        return;
    }
    fact_visit_calls(p, file, function, PYTHON_CALLS_DEEP, python_look, &seen);
    if (seen.instead != NULL)
        python_report_reader(r, call, SPAN("the generator"), &seen);
}

const struct rule_looks rule_PP309 = {.call = check_generator};
