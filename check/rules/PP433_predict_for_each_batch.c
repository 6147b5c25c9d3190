/* PP433: predict() is called for each batch of a loop, and starts again each time. */
#include "check/facts/training.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"
#include "check/rules/single.h"

/* The Keras model whose predict() is called, not for one item: that is PP401's; 0: it is no such call. */
static uint32_t asked(struct project *p, const struct py_file *f, uint32_t call, enum certainty *sure)
{
    uint32_t receiver = py_method(f, call, "predict");
    uint32_t item = receiver != 0 ? py_argument_or(f, call, 0, "x") : 0;

    if (item == 0 || single_item(p, f, item) || fact_callee(p, f, call, NULL) /* one of the project */)
        return 0;
    *sure = fact_model(p, f, receiver);
    return *sure != NOT_SEEN ? receiver : 0;
}

/* Is it a long loop, over batches, that runs eagerly? An environment, a camera must be asked one by one: PP416 and
 * PP401 speak of them. */
static bool is_repeated(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                        const struct loop *loop)
{
    return rule_needs(r, call, call, loop->node != 0, "no loop is seen that runs it in each round") &&
           rule_needs(r, call, loop->node, !is_handful(*loop), "a handful of rounds") &&
           rule_needs(r, call, call, !fact_guarded(f, call, loop->node), "it does not run in each round") &&
           rule_needs(r, call, loop->node,
                      !fact_epoch_of_steps(p, f, loop->node) && !fact_has_call(p, f, loop->node, TRAIT_ACTS) &&
                          !fact_has_call(p, f, loop->node, TRAIT_ONE_BY_ONE),
                      "its rounds are epochs, or it must ask one by one, as of an environment or a camera") &&
           rule_needs(r, call, call, fact_mode(p, f) != MODE_GRAPH && !fact_in_graph_function(p, f, call),
                      "it is part of a graph");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    enum certainty sure = NOT_SEEN, ignored;
    uint32_t model = asked(p, f, call, &sure);
    struct loop loop = model != 0 ? fact_loop(p, f, call) : (struct loop){.node = 0};

    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);
    if (model == 0 && rule_asked(r, call) && py_method(f, call, "predict") != 0) {
        uint32_t item = py_argument_or(f, call, 0, "x");
        rule_lacks(r, call, py_method(f, call, "predict"),
                   item == 0                 ? "it gets nothing"
                   : single_item(p, f, item) ? "it gets one item, for which PP401 is"
                                             : "it is not known to be a Keras model");
    }
    if (model == 0 || !is_repeated(r, p, f, call, &loop) ||
        !rule_needs(r, call, model,
                    !rounds_bind(f, model, loop.node) && !fact_has_call(p, f, loop.node, TRAIT_REPLACES_MODEL) &&
                        !fact_has_call(p, f, loop.node, TRAIT_BUILDS_MODEL),
                    "another model in each round") ||
        !rule_needs(r, call, list, !fact_depends(f, list, call, loop.node), "it gets what it gave, for which PP420 is"))
        return;
    bool said = false; /* A call of predict() before it in the same loop has the finding. */
    for (uint32_t n = loop.node; n < call && !said; n++)
        said = py_kind(f, n) == PY_CALL && f->nodes[n].after <= call && fact_loop(p, f, n).node == loop.node &&
               asked(p, f, n, &ignored) != 0;
    /* train_on_batch(), a tape; not fit(), which takes longer than predict() does */
    bool fits = span_has(py_text(f, loop.node), ".fit(");
    bool trains = fact_has_call(p, f, loop.node, TRAIT_TRAIN_STEP) && !fits;
    if (!rule_needs(r, call, call, !said, "a call before it is reported") ||
        !rule_needs(r, call, loop.node, trains || !(fact_epoch_loop(f, loop.node) || fits),
                    "its rounds are epochs, or call fit(), which takes longer") ||
        !rule_needs(r, call, list, trains || rounds_bind(f, list, loop.node),
                    "the loop is not seen to give its batches"))
        return;
    rule_report(r, call, trains ? CHECK_MEDIUM : CHECK_LOW,
                "predict() of %s starts again in each round of the loop in %s", RULE_TEXT(f, model),
                RULE_PLACE(f, f, loop.node));
    if (!trains)
        rule_advice(r,
                    "Pass all batches to one predict(), as an array or a data set, or call model(x, training=False).");
    rule_unsure(r, sure != CERTAIN || (!trains && !fact_in_program(p, f, call)));
}

const struct rule_looks rule_PP433 = {.call = check_call};
