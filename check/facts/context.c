/* Does it train, run a graph, a model? What calls and names say, for all who ask. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

enum certainty fact_name_steps(struct span name)
{
    if (vocabulary_method_has(name, TRAIT_TRAIN_STEP))
        return CERTAIN;
    return span_has_word(name,
                         "apply_gradients train_on_batch minimize train_step training_step train_one_step update_step "
                         "train_batch optimization_step distributed_train")
               ? LIKELY
               : NOT_SEEN;
}

enum certainty fact_name_trains(struct span name)
{
    if (vocabulary_method_has(name, TRAIT_TRAINS))
        return CERTAIN;
    if (fact_name_steps(name) == LIKELY)
        return LIKELY;
    return span_has_word(name, "train fit learn optimize update_ step") ? POSSIBLE : NOT_SEEN;
}

bool fact_may_change_weights(struct span name)
{
    return fact_name_trains(name) != NOT_SEEN || vocabulary_method_has(name, TRAIT_CHANGES_WEIGHTS) ||
           span_has_word(name, "assign update");
}

/* train = optimizer.minimize(loss), anywhere in the file: what the name is bound to gives an op that trains. */
static bool is_bound_to_training(const struct py_file *f, uint32_t name)
{
    enum { ROOT = 1, USES_MAX = 64 };
    struct py_nodes use = py_uses(f, f->nodes[name].sym, ROOT);

    while (use.taken < USES_MAX && py_take(&use)) {
        uint32_t target = f->nodes[use.n].field == FIELD_ATTRIBUTE ? py_parent(f, use.n) : use.n;
        uint32_t up = py_parent(f, target);
        uint32_t value = py_kind(f, up) == PY_ASSIGNMENT && f->nodes[target].field == FIELD_LEFT
                             ? py_bare(f, py_child(f, up, FIELD_RIGHT))
                             : 0;
        uint32_t callee = py_child_of(f, value, PY_CALL, FIELD_FUNCTION);
        if (callee != 0 && span_is_word(py_name(f, callee), "minimize apply_gradients create_train_op optimize_loss"))
            return true;
    }
    return false;
}

/* Parts of the names of ops that sessions run to train, in small letters. */
bool fact_fetches_training(const struct py_file *f, uint32_t fetches)
{
    for (uint32_t n = fetches; fetches != 0 && n < f->nodes[fetches].after; n++)
        if (py_kind(f, n) == PY_IDENTIFIER &&
            (guess_word(py_text(f, n), "train optim minimize apply_grad solver update opt_op") ||
             is_bound_to_training(f, n)))
            return true;
    return false;
}

bool fact_handles_requests(const struct py_file *f, uint32_t function)
{
    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;) {
        uint32_t call = py_first(f, d), path = py_argument(f, call, 0);
        struct span text = py_kind(f, path) == PY_STRING ? py_text(f, path) : (struct span){"", 0};
        if (py_method(f, call, "route get post put patch api_route") != 0 && text.len > 2 && text.ptr[1] == '/')
            return true;
    }
    return false;
}

/* --- loops --- */

enum certainty fact_trains(struct project *p, const struct py_file *f, uint32_t loop)
{
    enum certainty sure = NOT_SEEN;

    for (uint32_t n = loop; n < f->nodes[loop].after && sure == NOT_SEEN; n++) {
        uint32_t callee = py_child_of(f, n, PY_CALL, FIELD_FUNCTION);
        if (callee != 0 && fact_loop(p, f, n).node == loop)
            sure = fact_has(p, f, n, TRAIT_TAPE) ? CERTAIN : fact_name_steps(py_name(f, callee));
    }
    return sure;
}

/* ctx: NULL in what a replica runs, which runs no replicas itself. */
static bool not_training(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);
    struct function to;

    if (vocabulary_method_has(py_called(f, call), TRAIT_TRAIN_STEP))
        return false;
    /* strategy.run(f, args): the function that each replica runs. */
    return ctx == NULL || first == 0 || fact_method(f, call, TRAIT_RUNS_REPLICA) == 0 ||
           !fact_function(p, f, first, &to) || fact_visit_calls(p, to.f, to.n, 1, not_training, NULL);
}

bool fact_trains_within(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct function to;
        if (py_kind(f, n) == PY_CALL && fact_loop(p, f, n).node == loop && fact_callee(p, f, n, &to) &&
            !fact_visit_calls(p, to.f, to.n, 2, not_training, p))
            return true;
    }
    return false;
}

/* --- sessions and models --- */

enum certainty fact_session_run(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    bool run = span_eq(method, SPAN("run")), eval = span_eq(method, SPAN("eval"));
    if (receiver == 0 || (!run && !eval && !span_eq(method, SPAN("get_value"))))
        return NOT_SEEN;
    if (fact_name(p, f, call).len > 0)
        return fact_has(p, f, call, TRAIT_FETCHES) ? CERTAIN : NOT_SEEN;
    if (!run && !eval)
        return NOT_SEEN;
    if (py_keyword(f, call, "feed_dict") != 0 || py_keyword(f, call, "session") != 0)
        return CERTAIN;
    struct value v = fact_value(p, f, receiver);
    if (eval)
        return v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE ? CERTAIN : NOT_SEEN;
    if (v.kind == VALUE_SESSION)
        return v.guessed ? LIKELY : CERTAIN;
    return v.kind == VALUE_UNKNOWN && guess_word(py_text(f, receiver), "sess") ? LIKELY : NOT_SEEN;
}

bool fact_runs_session(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_session_run(p, f, call) != NOT_SEEN;
}

enum certainty fact_model(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);
    enum py_kind kind = py_kind(f, n);

    if (v.kind == VALUE_MODEL)
        return CERTAIN;
    if (v.kind == VALUE_INSTANCE)
        return fact_derives_from(p, fact_file(p, v.file), v.node, FRAMEWORK_KERAS) ? CERTAIN : NOT_SEEN;
    if (v.kind != VALUE_UNKNOWN || (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || !fact_mentions(p, f, "keras") ||
        fact_mentions(p, f, "sklearn|import torch|xgboost|lightgbm"))
        return NOT_SEEN;
    static const char words[] = "model network generator discriminator classifier encoder decoder";
    return guess_word(f->syms[f->nodes[n].sym], words) ? LIKELY : NOT_SEEN;
}
