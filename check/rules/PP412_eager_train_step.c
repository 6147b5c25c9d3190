/* PP412: a train step of a tape that runs eagerly at every step, op by op from Python. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* env.step(action), env.reset(): what no graph can run. */
static bool plays(const struct py_file *f, uint32_t n)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++)
        if (span_is_word(py_name(f, py_method(f, c, "step reset")), "env environment _env game simulator"))
            return true;
    return false;
}

/* Does the function give the gradients of its tape, for its caller to apply: return tape.gradient(…)? Not those by
 * what it watches: they are a penalty, part of a loss. */
static bool gives_gradients(const struct py_file *f, uint32_t function)
{
    bool gradients = false, gives = false;

    if (span_has(py_text(f, function), ".watch("))
        return false;
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        gives = gives || (py_kind(f, n) == PY_RETURN && py_first(f, n) != 0);
        gradients = gradients || py_method(f, n, "gradient") != 0;
    }
    return gradients && gives;
}

/* Is the function called inside another tape: a penalty of gradients, which is part of a step? */
static bool within_tape(struct project *p, const struct py_file *f, uint32_t function)
{
    struct call_sites site = fact_callers(p, f, function);

    while (fact_take(&site)) {
        uint32_t around = py_function_of(site.file, site.call);
        if (py_up(site.file, site.call, PY_WITH) > around ||
            (around > ROOT && fact_has_call(p, site.file, around, TRAIT_TAPE)))
            return true;
        if (py_kind(site.file, py_parent(site.file, site.call)) == PY_RETURN) /* handed on, who knows where to */
            return true;
    }
    return site.all == 0;
}

static void propose_function(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t step,
                             uint32_t tape)
{
    struct span tf = fact_tf_name(p, f, tape);
    AT_END(buf_clear) struct buf line = {0};

    if (tf.len == 0 || py_kind(f, py_parent(f, step)) == PY_DECORATED)
        return;
    buf_addf(&line, "@%.*s.function", SPAN_ARG(tf));
    rule_statement(r, step, buf_span(&line));
    rule_propose(r, "compile the step with tf.function");
}

/* optimizer.minimize(loss, variables), of a function, in a loop of steps: it makes the tape by itself. */
static void check_minimize(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver = py_method(f, call, "minimize"), loss = py_argument_or(f, call, 0, "loss");
    struct function to;
    struct steps steps;

    if (receiver == 0 || loss == 0 || py_argument_or(f, call, 1, "var_list") == 0 || py_kind(f, loss) == PY_CALL ||
        !fact_function(p, f, loss, &to) || fact_may_be_traced(p, f, call) || fact_mode(p, f) == MODE_GRAPH)
        return;
    struct value v = fact_value(p, f, receiver);
    enum framework of = v.name != 0 ? fact_name_word(p, v.name)->framework : FRAMEWORK_OTHER;
    if (of != FRAMEWORK_KERAS && of != FRAMEWORK_TENSORFLOW)
        return;
    struct loop loop = fact_loop(p, f, call);
    const struct py_file *where = f;
    if ((loop.trip != TRIP_STEPS) && fact_steps(p, f, call, &steps) != NOT_SEEN) {
        loop = steps.loop;
        where = steps.file;
    }
    if (loop.trip != TRIP_STEPS)
        return;
    rule_report(r, call, CHECK_HIGH, "%s runs eagerly at every step of the loop in %s", RULE_TEXT(f, call),
                RULE_PLACE(f, where, loop.node));
    rule_advice(r, "Move it into a function with @tf.function before it, and call that in the loop.");
}

/* The tf.range() that the loop goes over; otherwise 0. */
static uint32_t range_of(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t over = py_child_of(f, loop, PY_FOR, FIELD_RIGHT);

    return over != 0 && py_kind(f, over) == PY_CALL && fact_is(p, f, over, "tf.range") ? over : 0;
}

static bool is_op(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_op(p, f, call) == OP_PURE;
}

/* for i in tf.range(n): written for a graph, but the program that runs it makes none. The outermost has the finding. */
static void check_range(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t loop = py_parent(f, call), function = py_function_of(f, call);
    struct repeated around;

    if (range_of(p, f, loop) != call || fact_mode(p, f) == MODE_GRAPH || fact_may_be_traced(p, f, call) ||
        !fact_in_program(p, f, call) || fact_loop(p, f, py_first(f, py_body(f, loop))).trip == TRIP_SHORT ||
        (fact_repeated(p, f, loop, &around) && range_of(p, around.file, around.loop.node) != 0) ||
        !fact_reaches(p, f, py_body(f, loop), is_op))
        return;
    rule_report(r, call, CHECK_MEDIUM, "the loop over %s runs eagerly", RULE_TEXT(f, call));
    rule_why(r, "No tf.function makes a graph of it, so that Python starts each op of each round by itself.");
    if (function > ROOT)
        propose_function(r, p, f, function, call);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct steps steps;

    check_minimize(r, p, f, call);
    check_range(r, p, f, call);
    if (!fact_has(p, f, call, TRAIT_TAPE) || py_up(f, call, PY_WITH) == 0)
        return;
    /* where its gradients are applied: its function, or at the top of a file the loop around it */
    uint32_t function = py_function_of(f, call), step = function > ROOT ? function : fact_loop(p, f, call).node;
    if (step == 0 || !fact_has_call(p, f, step, TRAIT_TRAIN_STEP)) {
        /* or in the loop that calls its function, which gives them */
        bool gives = function > ROOT && py_kind(f, function) == PY_FUNCTION && gives_gradients(f, function) &&
                     fact_steps(p, f, call, &steps) != NOT_SEEN && steps.entry != 0 && !within_tape(p, f, function) &&
                     (fact_has_call(p, steps.file, steps.loop.node, TRAIT_TRAIN_STEP) ||
                      fact_trains_within(p, steps.file, steps.loop.node));
        step = gives ? function : 0;
    }
    if (!rule_needs(r, call, call, step != 0, "no gradients that are applied are seen to come of the tape") ||
        !rule_needs(r, call, call, !fact_may_be_traced(p, f, call) && fact_mode(p, f) != MODE_GRAPH,
                    "a tf.function may run it, or the file uses graphs and sessions") ||
        !rule_needs(r, call, call, fact_steps(p, f, call, &steps) != NOT_SEEN && steps.loop.node != 0,
                    "no loop of steps is seen that runs it"))
        return;
    enum check_impact impact = plays(f, step) ? CHECK_LOW : CHECK_HIGH;
    if (py_kind(f, step) != PY_FUNCTION || steps.entry == 0) { /* the body of the loop is the step */
        rule_report(r, call, impact, "this train step runs eagerly in the loop of steps of %s",
                    RULE_PLACE(f, steps.file, steps.loop.node));
        rule_advice(r, "Move the step into its own function with @tf.function before it.");
        return;
    }
    uint32_t name = py_child(f, step, FIELD_NAME);
    rule_report(r, step, impact, "%s() runs eagerly at every step of training",
                name != 0 ? RULE_TEXT(f, name) : "this function");
    if (name != 0)
        rule_point_at(r, f->nodes[name].start, f->nodes[name].end);
    rule_why(r, "The call in %s runs it, in the loop of steps of %s; Python starts each op by itself.",
             RULE_PLACE(f, steps.entry_file, steps.entry), RULE_PLACE(f, steps.file, steps.loop.node));
    propose_function(r, p, f, step, call);
}

const struct rule_looks rule_PP412 = {.call = check_call};
