/* PP427: a program reads and decodes all images or sounds of a data set one after the other, into a list. */
#include "check/facts/training.h"
#include "check/rules/python_work.h"

/* Does the call read and decode a file, itself or through what it calls? */
static bool reads(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span last = callee != 0 ? py_name(f, callee) : (struct span){"", 0};

    return word_has(w, TRAIT_READS_IMAGE) || word_has(w, TRAIT_READS_SOUND) || span_eq(last, SPAN("imread")) ||
           span_eq(fact_name(p, f, call), SPAN("librosa.load"));
}

/* Is what the loop makes appended to a list, written into an array, or the list itself? */
static bool keeps(const struct py_file *f, uint32_t loop, uint32_t call)
{
    if (py_kind(f, loop) == PY_LIST_COMPREHENSION)
        return true;
    for (uint32_t n = py_statement(f, call); n < f->nodes[loop].after; n++) {
        struct span method;
        uint32_t left = py_kind(f, n) == PY_ASSIGNMENT ? py_child(f, n, FIELD_LEFT) : 0;
        if (py_kind(f, n) == PY_CALL && py_receiver(f, n, &method) != 0 && span_eq(method, SPAN("append")))
            return true;
        if (left != 0 && py_kind(f, left) == PY_SUBSCRIPT && py_child(f, left, FIELD_VALUE) != 0)
            return true;
    }
    return py_up(f, call, PY_ARGUMENT_LIST) > loop; /* images.append(imread(path)) */
}

/* A batch of a Sequence, or of a generator: not all of the data. */
static bool gives_batches(const struct py_file *f, uint32_t function)
{
    uint32_t name = py_child(f, function, FIELD_NAME);

    if (name != 0 && py_is(f, name, "__getitem__"))
        return true;
    for (uint32_t n = function; n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD)
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (!reads(p, f, call))
        return;
    struct loop loop = fact_loop(p, f, call);
    if (loop.node == 0 || (loop.trip == TRIP_SHORT && loop.rounds >= 0) || py_kind(f, loop.node) == PY_WHILE ||
        !keeps(f, loop.node, call) || fact_guarded(f, call, loop.node) || gives_batches(f, py_function_of(f, call)))
        return;
    for (struct loop around = loop; around.node != 0; around = fact_outer_loop(p, f, around))
        if (fact_training_steps(p, f, around) != NOT_SEEN) /* the data of each step: another change */
            return;
    rule_report(r, call, CHECK_MEDIUM, "%s reads the files of the loop in %s one after the other",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)), RULE_PLACE(f, f, loop.node));
}

const struct rule rule_PP427 = {
    .about =
        {
            .id = "PP427",
            .name = "loaded-one-by-one",
            .summary = "All files of a data set are read and decoded one after the other, into a list",
            .why = "One processor decodes all of them before the first step, at each start, and all stay in memory.",
            .advice =
                "Decode in tf.data's map(num_parallel_calls=...), or in a pool of processes; or keep the array in a file.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_LIKELY,
            .on = true,
        },
    .call = check_call,
};
