/* PP421: a checkpoint is written at every step or episode of training. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* saver.save(sess, path), model.save(path), manager.save() */
static bool writes_checkpoint(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const savers[] = {"saver", "ckpt", "checkpoint", "manager", NULL};
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method), first = py_argument(f, call, 0);

    if (receiver == 0 || (!span_eq(method, SPAN("save")) && !span_eq(method, SPAN("save_weights"))))
        return false;
    if (first != 0 && fact_value(p, f, first).kind == VALUE_SESSION)
        return true;
    return guess_word(py_text(f, receiver), savers) || fact_model(p, f, receiver) == CERTAIN;
}

/* for episode in range(10000): so many that a checkpoint for each is too many. */
static bool counts_episodes(const struct py_file *f, struct loop loop)
{
    static const char *const words[] = {"episode", NULL};
    enum { MANY = 100 };
    uint32_t left = py_kind(f, loop.node) == PY_FOR ? py_child(f, loop.node, FIELD_LEFT) : 0;

    return left != 0 && guess_word(py_text(f, left), words) && (loop.rounds < 0 || loop.rounds >= MANY);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (!writes_checkpoint(p, f, call))
        return;
    struct loop loop = fact_loop(p, f, call);
    if (loop.node == 0 || loop.trip == TRIP_SHORT || fact_epoch_loop(f, loop.node) ||
        fact_guarded(f, call, loop.node) || fact_first_time(f, call, loop.node))
        return;
    bool steps = fact_training_steps(p, f, loop) == CERTAIN;
    if (!steps && !counts_episodes(f, loop))
        return;
    rule_report(r, call, steps ? CHECK_HIGH : CHECK_MEDIUM, "a checkpoint is written in each round of the loop in %s",
                RULE_PLACE(f, f, loop.node));
}

const struct rule rule_PP421 = {
    .about = {
        .id = "PP421",
        .name = "checkpoint-at-every-step",
        .summary = "A checkpoint is written at every step or episode of training",
        .why = "Each one copies all weights, and those of the optimizer, to Python and writes them to disk.",
        .advice = "Write one every some minutes, or every thousand steps.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
