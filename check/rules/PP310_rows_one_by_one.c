/* PP310: np.array([x[i] for i in rows]) for each batch: an array takes all rows at once. */
#include "check/facts/shape.h"
#include "check/rules/python_work.h"

/* __getitem__ of a Keras sequence, or a generator: it runs for each batch. */
static bool makes_batches(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t class = function > 1 ? py_up(f, function, PY_CLASS) : 0;
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    if (class != 0 && py_is(f, name, "__getitem__"))
        return fact_derives(p, f, class, TRAIT_SEQUENCE_CLASS);
    for (uint32_t n = function; function > 1 && n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD)
            return true;
    return false;
}

/* np.array([codes[i] for i in rows]): an array takes all the rows at once. */
static void check_rows(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (!python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) || py_kind(f, body) != PY_SUBSCRIPT ||
        !makes_batches(p, f, py_function_of(f, call)))
        return;
    uint32_t array = py_child(f, body, FIELD_VALUE), index = py_child(f, body, FIELD_SUBSCRIPT);
    bool bound = false;
    for (uint32_t t = target; index != 0 && t < f->nodes[target].after; t++)
        bound = bound || (py_kind(f, t) == PY_IDENTIFIER && py_kind(f, index) == PY_IDENTIFIER &&
                          f->nodes[t].sym == f->nodes[index].sym);
    if (!bound || py_next(f, index) != 0 || py_kind(f, array) != PY_IDENTIFIER ||
        (!python_is_array(p, f, array) && shape_of(p, f, array).rank == 0))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s is copied row by row in Python for each batch",
                                             RULE_TEXT(f, array));
    rule_advice(found, "Take all rows at once: %s[rows], or tf.gather in a tf.data.Dataset.", RULE_TEXT(f, array));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    if (w->framework == FRAMEWORK_NUMPY && (word_has(w, TRAIT_STACKS) || word_has(w, TRAIT_FROM_LIST)))
        check_rows(r, p, f, call);
}

const struct rule_looks rule_PP310 = {.call = check_call};
