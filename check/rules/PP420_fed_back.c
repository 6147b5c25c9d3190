/* PP420: a sequence is made step by step from outside the model, which starts anew at each step. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* In what the call gives is the name bound. */
static bool comes_of(const struct py_file *f, uint32_t n, uint32_t call)
{
    enum { DEFS_MAX = 8 };

    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (at == call)
            return true;
        for (struct py_defs d = py_reaching(f, at, DEFS_MAX); py_take_def(&d);)
            if ((d.def->kind == DEF_ASSIGN || d.def->kind == DEF_UNPACK) && py_inside(f, call, d.def->value))
                return true;
    }
    return false;
}

/* done[:, j] = given[:, j], with the loop's j, and the call gets `done`: only one place of its result is kept. */
static bool keeps_one_place(const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t target = py_child_of(f, loop, PY_FOR, FIELD_LEFT), place = f->nodes[target].sym;
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    if (target == 0 || py_kind(f, target) != PY_IDENTIFIER)
        return false;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t left = py_child_of(f, n, PY_ASSIGNMENT, FIELD_LEFT);
        uint32_t right = py_child_of(f, n, PY_ASSIGNMENT, FIELD_RIGHT);
        uint32_t done = py_child_of(f, left, PY_SUBSCRIPT, FIELD_VALUE);
        if (py_kind(f, done) == PY_IDENTIFIER && py_uses(f, place, left).all > 0 &&
            py_uses(f, f->nodes[done].sym, list).all > 0 && py_uses(f, place, right).all > 0 &&
            comes_of(f, right, call))
            return true;
    }
    return false;
}

/* Games and cameras give the next item, and what trains changes the model. */
static bool plays(struct project *p, const struct py_file *f, uint32_t loop)
{
    return span_has_word(py_text(f, loop), ".read( imshow( .step(") || fact_has_call(p, f, loop, TRAIT_ACTS) ||
           fact_has_call(p, f, loop, TRAIT_TRAINS) || fact_training_run(p, f, loop) != 0;
}

/* Does the model's predict() get, in this loop, what came of an earlier answer? */
static bool predicts_on(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t model = py_method(f, call, "predict");

    return model != 0 && fact_model(p, f, model) != NOT_SEEN && fact_mode(p, f) != MODE_GRAPH &&
           fact_depends(f, py_child(f, call, FIELD_ARGUMENTS), call, loop);
}

static bool asks_model(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t asked = fact_method(f, call, TRAIT_ASKS_MODEL);

    return fact_runs_session(p, f, call) || (asked != 0 && fact_model(p, f, asked) != NOT_SEEN) ||
           fact_model(p, f, py_child(f, call, FIELD_FUNCTION)) != NOT_SEEN;
}

/* Does the loop ask another model, of whose answer the input comes? */
static bool follows_another(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    for (uint32_t n = loop; n < call; n++)
        if (py_kind(f, n) == PY_CALL && f->nodes[n].after <= call && asks_model(p, f, n) &&
            !span_eq(py_text(f, py_child(f, n, FIELD_FUNCTION)), py_text(f, py_child(f, call, FIELD_FUNCTION))) &&
            fact_depends(f, py_child(f, call, FIELD_ARGUMENTS), n, loop))
            return true;
    return false;
}

/* Is there such a call before it in the loop? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    for (uint32_t n = loop; n < call; n++)
        if (py_kind(f, n) == PY_CALL && f->nodes[n].after <= call && predicts_on(p, f, n, loop))
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = fact_loop(p, f, call);
    bool many = loop.node != 0 && loop.trip != TRIP_SHORT;

    if ((!many && !rule_asked(r, call)) || !asks_model(p, f, call) ||
        !rule_needs(r, call, call, many, "no loop of many rounds is seen that asks the model in each") ||
        !rule_needs(r, call, call, !fact_first_time(f, call, loop.node), "it runs the first time only") ||
        !rule_needs(r, call, call, !fact_in_graph_function(p, f, call), "it is part of a graph") ||
        !py_is_loop(f, loop.node) ||
        !rule_needs(r, call, loop.node, !fact_once(p, f, loop.node, plays),
                    "it trains, or a game or camera gives the next input") ||
        !rule_needs(r, call, call, !follows_another(p, f, call, loop.node),
                    "its input comes of another model's answer"))
        return;
    bool place = keeps_one_place(f, call, loop.node);
    if (place) {
        rule_report(r, call, CHECK_HIGH, "each round of %s computes the whole sequence to keep one place",
                    RULE_PLACE(f, f, loop.node));
        rule_why(r, "The work grows with the square of the length.");
        rule_advice(r, "Keep the decoder's state between the steps, or loop inside the graph with tf.while_loop.");
    } else if (!rule_needs(r, call, call, predicts_on(p, f, call, loop.node),
                           "it is not seen to be predict() of a Keras model on what it gave in an earlier round") ||
               !rule_needs(r, call, call, !said_before(p, f, call, loop.node), "a call before it is reported")) {
        return;
    } else {
        rule_report(r, call, CHECK_MEDIUM, "predict() runs at each step of %s, on what it gave before",
                    RULE_PLACE(f, f, loop.node));
    }
    rule_unsure(r, !fact_in_program(p, f, call));
}

const struct rule_looks rule_PP420 = {.call = check_call};
