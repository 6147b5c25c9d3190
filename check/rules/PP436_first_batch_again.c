/* PP436: an iterator over a data set is made for one batch, at every step. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* iter(loader): the loader; 0: another call. */
static uint32_t iterated_by(const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};

    if (call == 0 || py_kind(f, call) != PY_CALL)
        return 0;
    if (py_is(f, py_child(f, call, FIELD_FUNCTION), "iter"))
        return py_argument(f, call, 0);
    uint32_t receiver = py_receiver(f, call, &method);
    return receiver != 0 && (span_eq(method, SPAN("__iter__")) || span_eq(method, SPAN("as_numpy_iterator"))) ? receiver : 0;
}

/* Is it a data set of TensorFlow, or a loader of PyTorch? */
static enum certainty gives_batches(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);

    if (v.kind == VALUE_DATASET)
        return v.guessed ? LIKELY : CERTAIN;
    return fact_is_loader(p, f, n);
}

/* def batch_of(data): return iter(tf.data.Dataset.from_tensor_slices(data)…): what the function iterates over; 0: it does more. */
static uint32_t returned_iterator(const struct py_file *f, uint32_t function)
{
    uint32_t found = 0;

    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        if (py_kind(f, n) == PY_YIELD)
            return 0;
        if (py_kind(f, n) != PY_RETURN || py_function_of(f, n) != function)
            continue;
        uint32_t over = iterated_by(f, py_first(f, n));
        if (over == 0 || found != 0)
            return 0;
        found = over;
    }
    return found;
}

/* Does the loop bind none of the names of n, and set none of its attributes? A data set that is iterated over stays the same. */
static bool is_same(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        size_t n_uses = 0;
        const uint32_t *uses = py_is_named(f, at) ? py_uses(f, f->nodes[at].sym, loop, &n_uses) : NULL;
        for (size_t i = 0; i < n_uses; i++)
            if (py_def_at(f, uses[i]) != 0 && py_kind(f, uses[i]) == py_kind(f, at))
                return false;
    }
    return true;
}

/* What next() gets its batch of, where that iterator is made for it, the same in each round of the loop; 0: it is another. */
static uint32_t made_for_it(struct project *p, const struct py_file *f, uint32_t made, uint32_t loop, enum certainty *sure)
{
    uint32_t over = iterated_by(f, made), function;
    const struct py_file *file;

    if (over != 0) {
        *sure = gives_batches(p, f, over);
        return *sure != NOT_SEEN && is_same(f, over, loop) ? over : 0;
    }
    if (!fact_callee(p, f, made, &file, &function) || py_kind(file, function) != PY_FUNCTION ||
        !is_same(f, made, loop))
        return 0;
    over = returned_iterator(file, function);
    *sure = over != 0 ? gives_batches(p, file, over) : NOT_SEEN;
    return *sure != NOT_SEEN ? made : 0;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t made = py_is(f, py_child(f, call, FIELD_FUNCTION), "next") ? py_argument(f, call, 0) : 0;
    struct loop loop = made != 0 && py_kind(f, made) == PY_CALL ? fact_loop(p, f, call) : (struct loop){0};
    enum certainty sure = NOT_SEEN;

    while (loop.node != 0 && loop.trip == TRIP_SHORT)
        loop = fact_outer_loop(p, f, loop);
    if (loop.node == 0 || (py_kind(f, loop.node) != PY_FOR && py_kind(f, loop.node) != PY_WHILE) ||
        fact_guarded(f, call, loop.node) || fact_first_time(f, call, loop.node) || fact_epoch_of_steps(p, f, loop.node))
        return;
    uint32_t over = made_for_it(p, f, made, loop.node, &sure);
    if (over == 0)
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_HIGH, "%s is started again for one batch, in each round of %s",
                                             RULE_TEXT(f, over), RULE_PLACE(f, f, loop.node));
    if (sure != CERTAIN && (!fact_in_program(p, f, call) || fact_epoch_loop(f, loop.node)))
        rule_unsure(found);
}

const struct rule rule_PP436 = {
    .about = {
        .id = "PP436",
        .name = "first-batch-again",
        .summary = "An iterator over a data set is made for one batch, at every step",
        .why = "Each iterator starts workers, shuffles and prefetches again; without a shuffle it gives the same batch.",
        .advice = "Make the iterator before the loop, and a new one only where it ends; of tf.data, iter(data.repeat()).",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TENSORFLOW | USES_TORCH,
    .call = check_call,
};
