/* PP308: as many steps in an epoch as there are examples, though each step takes a batch of them. */
#include "check/facts/shape.h"
#include "check/rules/stages.h"

/* Is the number that of the rows of an array: by value, or as len(array), array.shape[0]? */
static bool counts_rows(struct project *p, const struct py_file *f, uint32_t number, const struct py_file *g,
                        uint32_t array)
{
    struct shape s = shape_of(p, g, array);
    int64_t value;
    uint32_t of = 0;

    if (s.rank > 0 && s.dims[0] > 1 && shape_integer(p, f, number, &value) && value == s.dims[0])
        return true;
    if (py_kind(f, number) == PY_CALL && fact_has(p, f, number, TRAIT_ASKS_LENGTH))
        of = py_argument(f, number, 0);
    if (py_kind(f, number) == PY_SUBSCRIPT && py_kind(f, py_first(f, number)) == PY_ATTRIBUTE &&
        py_is(f, py_child(f, py_first(f, number), FIELD_ATTRIBUTE), "shape") &&
        py_is(f, py_child(f, number, FIELD_SUBSCRIPT), "0"))
        of = py_child(f, py_first(f, number), FIELD_OBJECT);
    return of != 0 && f == g && py_kind(f, of) == PY_IDENTIFIER && span_eq(py_text(f, of), py_text(g, array));
}

/* Does the pipeline give batches of the rows that it begins with? */
static bool gives_batches(const struct stage *up, size_t n)
{
    bool batched = false;

    for (size_t i = 0; i < n; i++) {
        const struct stage *s = &up[i];
        if (s->kind == STAGE_UNBATCH || s->kind == STAGE_FLAT_MAP || s->kind == STAGE_WINDOW ||
            s->kind == STAGE_INTERLEAVE)
            return false;
        if (s->kind == STAGE_BATCH && span_eq(s->method, SPAN("batch")) &&
            !stage_counts_one(s->file, py_argument_or(s->file, s->call, 0, "batch_size")))
            batched = true;
    }
    return batched && word_has(up[n - 1].made, TRAIT_SLICES);
}

/* Is the number that of the rows of one of the arrays that are sliced? */
static bool counts_rows_of(struct project *p, const struct py_file *f, uint32_t number, const struct stage *source)
{
    const struct py_file *g = source->file;
    uint32_t given = py_argument_or(g, source->call, 0, "tensors");

    if (py_kind(g, given) != PY_TUPLE)
        return counts_rows(p, f, number, g, given);
    for (uint32_t a = py_first(g, given); a != 0; a = py_next(g, a))
        if (counts_rows(p, f, number, g, a))
            return true;
    return false;
}

/* fit(dataset, steps_per_epoch=number of examples), where the data set holds batches of them. */
static void check_fit(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t steps = py_keyword(f, call, "steps_per_epoch"), data = py_argument_or(f, call, 0, "x");
    struct stage up[STAGES_MAX];

    if (steps == 0 || py_method(f, call, "fit") == 0 || fact_value(p, f, data).kind != VALUE_DATASET)
        return;
    size_t n = fact_upstream(p, f, data, up);
    if (n > 0 && gives_batches(up, n) && counts_rows_of(p, f, steps, &up[n - 1]))
        rule_report(r, steps, CHECK_HIGH, "%s is the number of examples, not of batches", RULE_TEXT(f, steps));
}

const struct rule_looks rule_PP308 = {.call = check_fit};
