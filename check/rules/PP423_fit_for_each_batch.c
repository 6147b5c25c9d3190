/* PP423: fit() is called for one epoch on each item or batch of a loop. */
#include "check/rules/rounds.h"
#include "check/rules/rule.h"
#include "check/rules/single.h"

/* One epoch: epochs=1, or no word of it. */
static bool one_epoch(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t epochs = py_keyword(f, call, "epochs") != 0 ? py_keyword(f, call, "epochs")
                                                         : py_keyword(f, call, "nb_epoch");
    const struct py_file *file;
    int64_t n;

    if (py_has_splat(f, call) || py_keyword(f, call, "steps_per_epoch") != 0)
        return false;
    uint32_t literal = epochs != 0 ? fact_literal(p, f, epochs, &file) : 0;
    return epochs == 0 || (literal != 0 && py_integer(file, literal, &n) && n == 1);
}

/* Made or loaded in the loop: another model in each round. */
static bool makes_model(struct project *p, const struct py_file *f, uint32_t loop)
{
    return fact_has_call(p, f, loop, TRAIT_REPLACES_MODEL) || fact_has_call(p, f, loop, TRAIT_BUILDS_MODEL) ||
           fact_has_call(p, f, loop, TRAIT_COMPILES_MODEL);
}

/* Is it a long loop over batches, of which each round makes `data` for the same model? */
static bool goes_over_batches(const struct py_file *f, const struct loop *loop, uint32_t data, uint32_t receiver)
{
    if (loop->node == 0 || is_handful(*loop) || fact_epoch_loop(f, loop->node))
        return false;
    /* x[i:i + n]: a slice with both ends, of which the loop's next is another one; not x[:i], all so far */
    uint32_t index = py_child_of(f, data, PY_SUBSCRIPT, FIELD_SUBSCRIPT);
    uint32_t start = py_kind(f, index) == PY_SLICE ? py_first(f, index) : 0;
    /* or the head of the loop says that each round is an item or batch */
    uint32_t over = py_child_of(f, loop->node, PY_FOR, FIELD_RIGHT), from = f->nodes[loop->node].start;
    struct span head = {f->code.ptr + from, over != 0 ? f->nodes[over].end - from : 0};
    return (single_draws_sample(f, over) ||
            span_has_word(head, "batch Batch sample memory replay transition experience") ||
            (start != 0 && py_next(f, start) != 0)) &&
           rounds_bind(f, data, loop->node) && !rounds_bind(f, receiver, loop->node);
}

/* states, actions = self.buffer.sample(): is a name in the expression bound to what a memory gives? */
static bool is_drawn(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        const struct py_def *def = f->nodes[at].field != FIELD_ATTRIBUTE ? py_bound(f, at) : NULL;
        if (def != NULL && def->value != 0 && (def->kind == DEF_UNPACK || def->kind == DEF_ASSIGN) &&
            single_draws_sample(f, def->value))
            return true;
    }
    return false;
}

/* fit(states, targets) in a method of the model, which others call again and again with batches that they draw. */
static void check_drawn(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t data)
{
    uint32_t at = call;
    const struct py_def *def = py_bound(f, data);
    const struct py_file *file = f;
    struct repeated where;

    if (def != NULL && def->kind == DEF_PARAM) {
        struct call_sites site = fact_callers(p, f, py_function_of(f, call));
        if (site.all != 1 || !fact_take(&site))
            return;
        file = site.file;
        at = site.call;
        data = fact_argument(file, at, f, def);
    }
    if (data == 0 ||
        !rule_needs(r, call, call, is_drawn(file, data),
                    "its data are not seen to be one batch of a loop over batches") ||
        !rule_needs(r, call, call,
                    fact_repeated(p, file, at, &where) && !fact_guarded(f, call, py_function_of(f, call)),
                    "no loop is seen that repeats it in each round"))
        return;
    rule_report(r, call, CHECK_HIGH, "fit() starts again for each drawn batch, by the call in %s",
                RULE_PLACE(f, file, at));
    rule_advice(r, "Call train_on_batch(), which makes the step alone.");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver = py_method(f, call, "fit"), data = receiver != 0 ? py_argument_or(f, call, 0, "x") : 0;

    if (data == 0 ||
        !rule_needs(r, call, receiver, fact_model(p, f, receiver) != NOT_SEEN, "it is not known to be a Keras model") ||
        !rule_needs(r, call, call, one_epoch(p, f, call), "it is for more than one epoch"))
        return;
    struct loop loop = fact_loop(p, f, call);
    uint32_t over = py_child_of(f, loop.node, PY_FOR, FIELD_RIGHT);
    /* np.array([x]), np.expand_dims(x, 0): PP401 says it of single items that show. */
    if (span_has_word(py_text(f, data), "expand_dims newaxis [None array([ reshape(1 reshape((1") &&
        (over == 0 || !single_draws_sample(f, over))) {
        rule_lacks(r, call, data, "it is one item, for which PP401 is");
        return;
    }
    if (!goes_over_batches(f, &loop, data, receiver)) {
        const struct py_file *where = f;
        uint32_t steps = rounds_in_environment(p, f, call, &where);
        if (steps != 0) { /* on a batch of the memory */
            rule_report(r, call, CHECK_HIGH, "fit() starts again at every step of the environment in %s",
                        RULE_PLACE(f, where, steps));
            rule_advice(r, "Call train_on_batch() of %s, which makes the step alone.", RULE_TEXT(f, receiver));
        }
        check_drawn(r, p, f, call, data);
        return;
    }
    if (!rule_needs(r, call, call, !fact_guarded(f, call, loop.node), "it does not run in each round") ||
        !rule_needs(r, call, loop.node, !fact_once(p, f, loop.node, makes_model),
                    "the loop makes a model in each round"))
        return;
    rule_report(r, call, CHECK_HIGH, "fit() starts again in each round of the loop in %s, for one batch",
                RULE_PLACE(f, f, loop.node));
}

const struct rule_looks rule_PP423 = {.call = check_call};
