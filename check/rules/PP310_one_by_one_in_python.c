/* PP310, PP311, PP312: what a comprehension of Python does one by one: rows that are copied, files that are read, elements of
 * a data set that are counted. */
#include "check/facts/shape.h"
#include "check/rules/python_work.h"

/* __getitem__ of a Keras sequence, or a generator: it runs for each batch. */
static bool makes_batches(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t class = function > 1 ? py_up(f, function, PY_CLASS) : 0;

    if (class != 0 && span_eq(py_title(f, function), SPAN("__getitem__")))
        return fact_derives(p, f, class, TRAIT_SEQUENCE_CLASS);
    for (uint32_t n = function; function > 1 && n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD)
            return true;
    return false;
}

/* Does the call make one array or tensor of a list? */
static bool joins(const struct word *w, enum framework framework)
{
    return w->framework == framework && (word_has(w, TRAIT_STACKS) || word_has(w, TRAIT_FROM_LIST));
}

/* np.array([codes[i] for i in rows]) for each batch: an array takes all the rows at once. */
static void check_rows(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (!joins(fact_word(p, f, call), FRAMEWORK_NUMPY) ||
        !python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) || py_kind(f, body) != PY_SUBSCRIPT ||
        !makes_batches(p, f, py_function_of(f, call)))
        return;
    uint32_t array = py_child(f, body, FIELD_VALUE), index = py_child(f, body, FIELD_SUBSCRIPT);
    bool bound = py_kind(f, index) == PY_IDENTIFIER && py_mentions(f, target, f->nodes[index].sym);
    if (!bound || py_next(f, index) != 0 || py_kind(f, array) != PY_IDENTIFIER ||
        (!python_is_array(p, f, array) && shape_of(p, f, array).rank == 0))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s is copied row by row in Python for each batch",
                                             RULE_TEXT(f, array));
    rule_advice(found, "Take all rows at once: %s[rows], or tf.gather in a tf.data.Dataset.", RULE_TEXT(f, array));
}

const struct rule_looks rule_PP310 = {.call = check_rows};

static bool reads_a_file(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return word_has(w, TRAIT_READS_FILE) && w->framework == FRAMEWORK_TENSORFLOW;
}

/* tf.stack([decoded(name) for name in names]), outside of a pipeline. */
static void check_files(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (joins(fact_word(p, f, call), FRAMEWORK_TENSORFLOW) &&
        python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) &&
        !(fact_loop(p, f, body).rounds >= 0 && fact_loop(p, f, body).trip == TRIP_SHORT) &&
        fact_reaches(p, f, body, reads_a_file))
        rule_report(r, call, CHECK_LOW, "the files are read and decoded one after the other in Python");
}

const struct rule_looks rule_PP311 = {.call = check_files};

/* sum(1 for _ in dataset): the data set comes to Python, element by element, to be counted. */
static void check_count(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;
    int64_t one;

    if (fact_has(p, f, call, TRAIT_SUMS) && python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) &&
        py_integer(f, body, &one) && one == 1 &&
        (fact_value(p, f, over).kind == VALUE_DATASET ||
         (py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_READS_RECORDS))))
        rule_report(r, call, CHECK_LOW, "each element goes to Python only to be counted");
}

const struct rule_looks rule_PP312 = {.call = check_count};
