/* PP434: a model's weights go through NumPy into another model at every step. */
#include "check/facts/training.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

/* Are the weights of another model asked for in n: model.get_weights(), not build().get_weights()? */
static bool asks_weights(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        uint32_t receiver = py_method(f, at, "get_weights");
        if (receiver != 0 && py_kind(f, receiver) != PY_CALL)
            return true;
    }
    return false;
}

/* The loop of steps that runs the call in each round, not now and then; 0: none is seen. */
static uint32_t loop_of_steps(struct project *p, const struct py_file *f, uint32_t call, const struct py_file **where)
{
    struct steps steps;

    if (fact_steps(p, f, call, &steps) == NOT_SEEN)
        return 0;
    uint32_t at = steps.entry != 0 ? steps.entry : call;
    uint32_t function = py_function_of(f, call);
    if (fact_guarded(steps.entry != 0 ? steps.entry_file : f, at, steps.loop.node) ||
        (steps.entry != 0 && function > ROOT && fact_guarded(f, call, function)) ||
        fact_epoch_of_steps(p, steps.file, steps.loop.node) ||
        (fact_training_steps(p, steps.file, steps.loop) == NOT_SEEN &&
         !fact_trains_within(p, steps.file, steps.loop.node)))
        return 0;
    *where = steps.file;
    return steps.loop.node;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *where = f;
    uint32_t receiver = py_method(f, call, "set_weights"), function = py_function_of(f, call);
    uint32_t given = py_argument(f, call, 0);

    if (receiver == 0)
        return;
    /* on_train_batch_end(self, batch, logs) of a callback: Keras calls it at each step, and it goes through all layers
     * at each call, not for some batches. */
    uint32_t within = fact_loop(p, f, call).node, class = py_up(f, function, PY_CLASS);
    if (span_is_word(py_title(f, function), "on_train_batch_begin on_train_batch_end on_batch_begin on_batch_end") &&
        class != 0 && fact_derives(p, f, class, TRAIT_CALLBACK) &&
        !fact_guarded(f, within != 0 ? within : call, function) && asks_weights(f, function)) {
        rule_report(r, call, CHECK_MEDIUM, "weights of %s go through NumPy at every step of training",
                    RULE_TEXT(f, receiver));
        return;
    }
    if (!rule_needs(r, call, call,
                    given != 0 &&
                        (asks_weights(f, given) || (py_kind(f, given) == PY_IDENTIFIER && asks_weights(f, function))),
                    "it is not seen to get what get_weights() gave") ||
        !rule_needs(r, call, call, !fact_in_graph_function(p, f, call), "it is part of a graph"))
        return;
    enum certainty sure = fact_model(p, f, receiver);
    bool now_and_then = function > ROOT && fact_guarded(f, call, function);
    uint32_t loop = sure == NOT_SEEN || now_and_then ? 0 : rounds_in_environment(p, f, call, &where);
    if (loop == 0)
        loop = sure != NOT_SEEN ? loop_of_steps(p, f, call, &where) : 0;
    if (!rule_needs(r, call, receiver, sure != NOT_SEEN, "it is not known to be a Keras model") ||
        !rule_needs(r, call, call, loop != 0, "no loop is seen that runs it at every step, not now and then"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "all weights of %s go through NumPy at every step of %s", RULE_TEXT(f, receiver),
                RULE_PLACE(f, where, loop));
    rule_unsure(r, sure != CERTAIN);
}

const struct rule_looks rule_PP434 = {.call = check_call};
