/* PP417: pictures or sounds are read and transformed in Python between two training steps. */
#include "check/facts/training.h"
#include "check/rules/python_work.h"

/* The function itself, or what it calls; asked once of each. */
static bool function_prepares(struct project *p, const struct py_file *f, uint32_t function)
{
    return python_calls_prepare(p, f, function);
}

static bool prepares(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *file;
    uint32_t function;

    return python_prepares(p, f, call) ||
           (fact_callee(p, f, call, &file, &function) && fact_once(p, file, function, function_prepares));
}

/* The loop plays a game or a simulation, whose frames come one by one. */
static bool plays(struct project *p, const struct py_file *f, uint32_t loop)
{
    enum { PARTS_MIN = 3 };

    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        /* image, reward, end = game.frame_step(action) */
        uint32_t left = py_kind(f, n) == PY_ASSIGNMENT ? py_child(f, n, FIELD_LEFT) : 0;
        uint32_t right = left != 0 ? py_child(f, n, FIELD_RIGHT) : 0;
        struct span method;
        size_t parts = 0;
        if (right == 0 || py_kind(f, right) != PY_CALL || py_receiver(f, right, &method) == 0 || !span_has(method, "step"))
            continue;
        for (uint32_t c = py_first(f, left); c != 0 && py_kind(f, left) != PY_IDENTIFIER; c = py_next(f, c))
            parts++;
        if (parts >= PARTS_MIN)
            return true;
    }
    return fact_has_call(p, f, loop, TRAIT_ACTS);
}

/* Does what the loop goes over, a generator, prepare each batch in this thread? */
static bool iterates_over(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t over = py_kind(f, loop) == PY_FOR ? py_child(f, loop, FIELD_RIGHT) : 0;
    const struct py_file *file;
    uint32_t function;

    if (over == 0 || !py_inside(f, call, over) || !fact_callee(p, f, call, &file, &function))
        return false;
    for (uint32_t n = function; n < file->nodes[function].after; n++)
        if (py_kind(file, n) == PY_YIELD)
            return true;
    return false;
}

/* The loop of steps that runs the call in each of its rounds; node 0: none. Rounds of loops in it are
 * the items of a batch. */
static struct loop loop_of_steps(struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = fact_loop(p, f, call);

    for (uint32_t at = py_up(f, call, PY_FOR); at != 0 && at != loop.node; at = py_up(f, py_parent(f, at), PY_FOR)) {
        uint32_t body = py_first(f, py_body(f, at));
        struct loop over = body != 0 && iterates_over(p, f, call, at) ? fact_loop(p, f, body) : (struct loop){0};
        if (over.node == at && fact_training_steps(p, f, over) == CERTAIN)
            return over;
    }
    for (; loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_guarded(f, call, loop.node) || fact_first_time(f, call, loop.node))
            break;
        if (fact_training_steps(p, f, loop) == CERTAIN)
            return loop;
    }
    return (struct loop){0};
}

/* Is there such a call before it in the loop? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    for (uint32_t n = loop; n < call; n++)
        if (py_kind(f, n) == PY_CALL && (f->nodes[n].after <= call || py_inside(f, call, n)) && prepares(p, f, n) &&
            loop_of_steps(p, f, n).node == loop)
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = py_up(f, call, PY_FOR) != 0 || py_up(f, call, PY_WHILE) != 0
                           ? loop_of_steps(p, f, call)
                           : (struct loop){0};

    if (loop.node == 0 || !prepares(p, f, call) || plays(p, f, loop.node) || said_before(p, f, call, loop.node))
        return;
    rule_report(r, call, CHECK_HIGH, "%s prepares data between the training steps of %s",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)), RULE_PLACE(f, f, loop.node));
}

const struct rule rule_PP417 = {
    .about = {
        .id = "PP417",
        .name = "data-between-steps",
        .summary = "Images or sounds are prepared in Python between two training steps",
        .why = "The device waits while one thread of Python reads and transforms the items of the next batch.",
        .advice = "Prepare batches ahead: tf.data with map(num_parallel_calls=...) and prefetch, or worker processes.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
