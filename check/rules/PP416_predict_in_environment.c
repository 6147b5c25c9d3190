/* PP416: predict() at every step of an environment, whose next state depends on the answer. */
#include "check/rules/rule.h"

enum { ROOT = 1, CALLERS_DEEP = 3 };

/* state, reward, done, info = env.step(action): that many names, and no step of an optimizer. */
static bool steps_environment(const struct py_file *f, uint32_t assignment)
{
    enum { PARTS_MIN = 4, PARTS_MAX = 5 };
    uint32_t left = py_child(f, assignment, FIELD_LEFT), right = py_child(f, assignment, FIELD_RIGHT);
    struct span method;
    size_t parts = 0;

    right = right != 0 ? py_bare(f, right) : 0;
    if (left == 0 || right == 0 || py_kind(f, right) != PY_CALL || py_receiver(f, right, &method) == 0 ||
        !span_eq(method, SPAN("step")) || py_kind(f, left) == PY_IDENTIFIER)
        return false;
    for (uint32_t c = py_first(f, left); c != 0; c = py_next(f, c))
        parts++;
    return parts >= PARTS_MIN && parts <= PARTS_MAX;
}

/* Does each round of the loop, not of one in it, step an environment? */
static bool plays(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_ASSIGNMENT && steps_environment(f, n) && fact_loop(p, f, n).node == loop)
            return true;
    return false;
}

/* The loop around n, or around a call that leads to n, that steps an environment; 0: none is seen. */
static uint32_t environment_loop(struct project *p, const struct py_file *f, uint32_t n, int depth,
                                 const struct py_file **where)
{
    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_first_time(f, n, loop.node))
            return 0;
        if (fact_once(p, f, loop.node, plays)) {
            *where = f;
            return loop.node;
        }
    }
    uint32_t function = py_function_of(f, n);
    size_t n_callers = 0;
    const struct call_site *callers =
        function > ROOT && depth < CALLERS_DEEP ? fact_callers(p, f, function, &n_callers) : NULL;
    for (size_t i = 0; i < n_callers; i++) {
        uint32_t loop =
            environment_loop(p, fact_file(p, callers[i].file), callers[i].call, depth + 1, where);
        if (loop != 0)
            return loop;
    }
    return 0;
}

/* The Keras model whose predict() is called; 0: it is no such call. */
static uint32_t asked_model(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);
    bool asks = receiver != 0 && span_eq(method, SPAN("predict")) && py_argument_or(f, call, 0, "x") != 0;

    return asks && fact_model(p, f, receiver) != NOT_SEEN ? receiver : 0;
}

/* Is predict() called before it in the same function? That call has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t function = py_function_of(f, call);

    for (uint32_t n = function > ROOT ? function : loop; n < call; n++)
        if (py_kind(f, n) == PY_CALL && py_function_of(f, n) == function && asked_model(p, f, n) != 0 &&
            (function > ROOT || py_inside(f, n, loop)))
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t model = asked_model(p, f, call);
    const struct py_file *where = f;

    if (model == 0 || fact_mode(p, f) == MODE_GRAPH || fact_in_graph_function(p, f, call))
        return;
    uint32_t loop = environment_loop(p, f, call, 0, &where);
    if (loop == 0 || said_before(p, f, call, where == f ? loop : ROOT))
        return;
    rule_report(r, call, fact_mode(p, f) == MODE_EAGER ? CHECK_HIGH : CHECK_MEDIUM,
                "predict() of %s runs at every step of the environment in %s", RULE_TEXT(f, model),
                RULE_PLACE(f, where, loop));
}

const struct rule rule_PP416 = {
    .about = {
        .id = "PP416",
        .name = "predict-in-environment",
        .summary = "predict() is called at every step of an environment",
        .why = "Each call makes a data set, an iterator and callbacks for a few numbers; the model takes less.",
        .advice = "Call the model itself, model(x, training=False), in a tf.function; in old Keras use "
                  "predict_on_batch().",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
