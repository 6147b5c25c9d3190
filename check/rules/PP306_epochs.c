/* PP306, PP307, PP308: epochs that decode images anew, take all rows as a batch, or as many steps as examples. */
#include "check/facts/shape.h"
#include "check/rules/stages.h"

/* --- PP306 --- */

/* A function that decodes or scales images: worth keeping what it gives. */
static bool scales(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_SCALES);
}

/* The last map before the repeat whose costly work could be kept; NULL: no costly map. */
static const struct stage *costly_map(struct project *p, const struct stage *repeat, const struct stage *up, size_t n)
{
    const struct stage *map = NULL;

    for (size_t i = 0; i < n; i++) {
        enum stage_kind kind = up[i].kind;
        if (kind == STAGE_CACHE || kind == STAGE_REPEAT || kind == STAGE_INTERLEAVE || kind == STAGE_FLAT_MAP)
            return NULL;
        if (kind != STAGE_MAP)
            continue;
        struct mapper m = stage_mapper(p, &up[i]); /* where it may give another thing, only what follows may be kept */
        if (m.random || m.stateful || !m.known || m.nested || stage_opens_files(p, &up[i]) ||
            up[i].file != repeat->file)
            map = NULL;
        else if (map == NULL && stage_calls(p, &up[i], scales))
            map = &up[i];
    }
    return map;
}

/* from_tensor_slices(x).map(decode).repeat(n): each epoch decodes again what is in memory. */
static void check_repeat(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage repeat, up[STAGES_MAX];

    if (py_method(f, call, "repeat") == 0 || !fact_stage(p, f, call, &repeat) ||
        stage_counts_one(f, py_argument_or(f, call, 0, "count")))
        return;
    size_t n = fact_upstream(p, f, py_receiver(f, call, NULL), up);
    if (!rule_needs(r, call, call, n > 0 && word_has(up[n - 1].made, TRAIT_SLICES),
                    "it is not seen to repeat what is in memory, as from_tensor_slices() gives it"))
        return;
    const struct stage *map = costly_map(p, &repeat, up, n);
    if (!rule_needs(r, call, call, map != NULL,
                    "no costly map() is seen before it that gives the same in each round and is not cached"))
        return;
    rule_report(r, call, CHECK_LOW, "each round repeats the work of the map() in line %u", stage_line(map));
    rule_point_at_method(r, call);
}

const struct rule_looks rule_PP306 = {.call = check_repeat};

/* --- PP307 --- */

enum { ONE_BATCH_MAX = 512 }; /* rows */

/* from_tensors((images, labels)) that goes to fit() as it is: all of it is one batch. */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool one = fact_has(p, f, call, TRAIT_ONE_ELEMENT);
    uint32_t given = one ? py_argument_or(f, call, 0, "tensors") : 0;
    struct flow flow;

    if (given != 0 && py_kind(f, given) == PY_TUPLE)
        given = py_first(f, given);
    struct shape s = given != 0 ? shape_of(p, f, given) : (struct shape){0};
    if (given == 0 || !rule_needs(r, call, given, s.rank != 0 && s.dims[0] >= ONE_BATCH_MAX,
                                  "it is not known to have so many rows that a batch of all is wrong"))
        return;
    fact_downstream(p, f, call, &flow);
    uint32_t fit = flow.n_stages == 0 && flow.consumer == CONSUMER_FIT
                       ? py_up(flow.consumer_file, py_parent(flow.consumer_file, flow.consumed), PY_CALL)
                       : 0;
    if (rule_needs(r, call, call, fit != 0 && py_method(flow.consumer_file, fit, "fit") != 0,
                   "it is not seen to go to fit() as it is"))
        rule_report(r, call, CHECK_HIGH, "the data set has one element, of %lld rows", (long long)s.dims[0]);
}

const struct rule_looks rule_PP307 = {.call = check_call};

/* --- PP308 --- */

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

    if (steps == 0 || py_method(f, call, "fit") == 0 ||
        !rule_needs(r, call, data, fact_value(p, f, data).kind == VALUE_DATASET,
                    "it is not known to be a tf.data.Dataset"))
        return;
    size_t n = fact_upstream(p, f, data, up);
    if (rule_needs(r, call, data, n > 0 && gives_batches(up, n), "it is not seen to give batches of arrays") &&
        rule_needs(r, call, steps, counts_rows_of(p, f, steps, &up[n - 1]),
                   "it is not known to be the number of examples"))
        rule_report(r, steps, CHECK_HIGH, "%s is the number of examples, not of batches", RULE_TEXT(f, steps));
}

const struct rule_looks rule_PP308 = {.call = check_fit};
