/* PP309: from_generator where TensorFlow takes the data itself. */
#include "check/rules/python_work.h"

/* `for … in …: yield …` and no more: *loop, and what is yielded. */
static bool only_yields(const struct py_file *f, uint32_t function, uint32_t *loop, uint32_t *yield)
{
    uint32_t body = py_child(f, function, FIELD_BODY), inner = 0;

    *loop = *yield = 0;
    for (uint32_t s = body != 0 ? py_first(f, body) : 0; s != 0; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_first(f, s) != 0 && py_kind(f, py_first(f, s)) == PY_STRING)
            continue; /* its documentation */
        if (py_kind(f, s) != PY_FOR || *loop != 0)
            return false;
        *loop = s;
    }
    inner = *loop != 0 ? py_child(f, *loop, FIELD_BODY) : 0;
    if (inner == 0 || py_first(f, inner) == 0 || py_next(f, py_first(f, inner)) != 0)
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
    if (over != 0 && py_kind(f, over) == PY_IDENTIFIER)
        return true;
    return over != 0 && py_kind(f, over) == PY_CALL &&
           (fact_has(p, f, over, TRAIT_RANGE) || fact_has(p, f, over, TRAIT_ZIPS));
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

/* Packs parts of what the loop's variable holds: x, x["image"], tuple(x[key] for key in keys). */
static bool only_packs(struct project *p, const struct py_file *f, uint32_t yield)
{
    for (uint32_t n = yield + 1; n < f->nodes[yield].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_BINARY_OPERATOR || kind == PY_UNARY_OPERATOR || kind == PY_CONDITIONAL || kind == PY_LAMBDA ||
            kind == PY_IF_CLAUSE || kind == PY_AWAIT)
            return false;
        if (kind == PY_CALL && !fact_has(p, f, n, TRAIT_CONTAINER))
            return false;
    }
    return py_first(f, yield) != 0;
}

/* list(dataset), list(iter(dataset)), [x for x in dataset] */
static bool lists_dataset(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t of = 0, body = 0, target = 0;

    if (n != 0 && py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_CONTAINER)) {
        of = py_argument(f, n, 0);
        if (of != 0 && py_kind(f, of) == PY_CALL && fact_has(p, f, of, TRAIT_ITERATOR))
            of = py_argument(f, of, 0);
    } else if (!python_comprehension(f, n, &body, &target, &of) || !span_eq(py_text(f, body), py_text(f, target))) {
        return false;
    }
    return of != 0 && fact_value(p, f, of).kind == VALUE_DATASET;
}

/* Is the list that the loop goes over known to hold all of a data set: bound so once, to a name of
 * the function around the generator or to an attribute there, and not changed by it otherwise?
 * *made: where. */
static bool holds_dataset(struct project *p, const struct py_file *f, uint32_t over, uint32_t *made)
{
    uint32_t around = py_function_of(f, py_parent(f, py_function_of(f, over)));
    enum py_kind kind = py_kind(f, over);
    enum { AROUND_MAX = 20000 };
    size_t bound = 0;

    if ((kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || f->nodes[around].after - around > AROUND_MAX)
        return false;
    for (uint32_t n = around; n < f->nodes[around].after; n++) {
        struct span method;
        if (py_kind(f, n) == PY_CALL && py_receiver(f, n, &method) != 0 &&
            span_eq(py_text(f, py_receiver(f, n, NULL)), py_text(f, over)))
            return false; /* shuffled, sorted, appended to */
        uint32_t left = py_kind(f, n) == PY_ASSIGNMENT ? py_child(f, n, FIELD_LEFT) : 0;
        if (left == 0 || !span_eq(py_text(f, left), py_text(f, over)))
            continue;
        if (bound++ > 0 || !lists_dataset(p, f, py_child(f, n, FIELD_RIGHT)))
            return false;
        *made = n;
    }
    return bound == 1;
}

static void check_generator(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t argument = py_argument_or(f, call, 0, "generator"), function, loop, yield, made = 0;
    const struct py_file *file;
    struct python_work seen = {0};

    if (argument == 0 || !fact_certain(f, argument))
        return;
    if (!fact_function(p, f, argument, &file, &function))
        return;
    if (py_kind(file, function) == PY_LAMBDA) {
        uint32_t body = py_child(file, function, FIELD_BODY);
        if (body == 0 || py_kind(file, body) != PY_CALL || !fact_callee(p, file, body, &file, &function))
            return;
    }
    bool yields = only_yields(file, function, &loop, &yield);
    if (yields && only_slices(p, file, loop, yield) && slices_arrays(p, file, loop)) {
        rule_report(r, call, CHECK_MEDIUM, "the generator only takes arrays apart in Python, one element at a time");
        return;
    }
    if (yields && only_packs(p, file, yield) && holds_dataset(p, file, py_child(file, loop, FIELD_RIGHT), &made)) {
        struct rule_finding *found = rule_report(
            r, call, CHECK_LOW, "the generator only gives out, in Python, a list of a data set's elements");
        rule_why(found, "The elements were put into a list in %s.", RULE_PLACE(f, file, made));
        rule_advice(found, "Use cache(), which keeps them in memory inside the pipeline.");
        return;
    }
    fact_visit_calls(p, file, function, PYTHON_CALLS_DEEP, python_look, &seen);
    if (seen.instead != NULL)
        python_report_reader(r, call, SPAN("the generator"), &seen);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (fact_has(p, f, call, TRAIT_FROM_GENERATOR))
        check_generator(r, p, f, call);
}

const struct rule_looks rule_PP309 = {.call = check_call};
