/* PP603: a tensor's value is fetched at each step of training with PyTorch, or in a forward(). */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { NODES_MAX = 20000 };

static bool is_loss_name(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"loss", "err", NULL};

    while (n != 0 && (py_kind(f, n) == PY_ATTRIBUTE || py_kind(f, n) == PY_CALL || py_kind(f, n) == PY_SUBSCRIPT)) {
        if (py_kind(f, n) == PY_ATTRIBUTE && guess_word(py_name(f, n), words))
            return true;
        n = py_kind(f, n) == PY_CALL        ? py_child(f, n, FIELD_FUNCTION)
            : py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE)
                                            : py_child(f, n, FIELD_OBJECT);
    }
    return n != 0 && py_kind(f, n) == PY_IDENTIFIER && guess_word(py_text(f, n), words);
}

static bool is_on_device(struct project *p, const struct py_file *f, uint32_t n)
{
    return is_loss_name(f, n) || fact_torch_tensor(p, f, n) != NOT_SEEN;
}

/* The tensor whose value the call waits for, and the words for it; otherwise 0. */
static uint32_t fetched(struct project *p, const struct py_file *f, uint32_t call, const char **how)
{
    static const char *const methods[] = {".item()", ".tolist()", ".cpu()"};
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method), first = py_argument(f, call, 0);

    for (size_t i = 0; receiver != 0 && first == 0 && i < ARRAY_LEN(methods); i++) {
        struct span name = {methods[i] + 1, strlen(methods[i]) - 3};
        if (!span_eq(method, name))
            continue;
        *how = methods[i];
        return is_on_device(p, f, receiver) ? receiver : 0;
    }
    *how = "float()";
    return first != 0 && receiver == 0 && fact_is(p, f, call, "builtins.float") && is_on_device(p, f, first)
               ? first
               : 0;
}

/* A world outside PyTorch needs the value: a game, a simulator; or the host decides by it. */
static bool needs_values(struct project *p, const struct py_file *f, uint32_t loop)
{
    static const char *const words[] = {"env", "simulator", "game", "gym", "agent", NULL};

    (void)p;
    for (uint32_t n = loop; n < f->nodes[loop].after && n - loop < NODES_MAX; n++) {
        struct span method = {"", 0};
        uint32_t receiver = py_kind(f, n) == PY_CALL ? py_receiver(f, n, &method) : 0;
        if (receiver != 0 && (guess_word(py_text(f, receiver), words) ||
                              vocabulary_method_has(method, TRAIT_ACTS)))
            return true;
    }
    return false;
}

static bool decides(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t up = n; up != 0 && up != loop; up = py_parent(f, up))
        if (f->nodes[up].field == FIELD_CONDITION || py_kind(f, up) == PY_COMPARISON)
            return true;
    return false;
}

/* The loop of steps, of n's own function, that runs n in each round and goes backward; 0: there is none. */
static uint32_t training_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_epoch_of_steps(p, f, loop.node) || fact_guarded(f, n, loop.node))
            return 0;
        if (loop.trip != TRIP_SHORT && (py_kind(f, loop.node) == PY_FOR || py_kind(f, loop.node) == PY_WHILE) &&
            fact_goes_backward(p, f, loop.node))
            return loop.node;
    }
    return 0;
}

/* Does the loop fetch another value in a statement before this one? That one is where it waits first. */
static bool waits_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t statement = py_statement(f, call);
    const char *how;

    for (uint32_t n = loop; n < statement && n - loop < NODES_MAX; n++)
        if (py_kind(f, n) == PY_CALL && fetched(p, f, n, &how) != 0 && training_loop(p, f, n) == loop)
            return true;
    return false;
}

/* Of a statement the first call says it. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    const char *how;

    for (uint32_t n = py_statement(f, call); n < call; n++)
        if (py_kind(f, n) == PY_CALL && fetched(p, f, n, &how) != 0)
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const char *how = "";
    uint32_t what = fact_on_device(p, f) ? fetched(p, f, call, &how) : 0;
    uint32_t loop = what != 0 ? training_loop(p, f, call) : 0;

    if (loop == 0 || fact_without_grad(p, f, call) || decides(f, call, loop) || said_before(p, f, call) ||
        fact_once(p, f, loop, needs_values))
        return;
    bool before = waits_before(p, f, call, loop);
    rule_report(r, call, before ? CHECK_LOW : CHECK_MEDIUM, "%s waits for the device at every step of %s",
                how, RULE_PLACE(f, f, loop));
}

/* --- assert (a == b).all(), in a forward() --- */

static bool is_in_forward(const struct py_file *f, uint32_t n)
{
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && py_is(f, name, "forward");
}

static bool asks_all(struct project *p, const struct py_file *f, uint32_t n)
{
    struct span method = {"", 0};
    uint32_t receiver = py_kind(f, n) == PY_CALL ? py_receiver(f, n, &method) : 0;
    bool asks = span_eq(method, SPAN("all")) || span_eq(method, SPAN("any")) || span_eq(method, SPAN("item"));

    receiver = receiver != 0 ? py_bare(f, receiver) : 0;
    if (receiver != 0 && asks && py_kind(f, receiver) == PY_COMPARISON)
        receiver = py_first(f, receiver);
    if (receiver != 0 && asks)
        return fact_torch_tensor(p, f, receiver) != NOT_SEEN || is_in_forward(f, n);
    return py_kind(f, n) == PY_CALL &&
           (fact_is(p, f, n, "torch.allclose") || fact_is(p, f, n, "torch.equal"));
}

static bool is_test(const struct py_file *f, uint32_t n)
{
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && span_has(py_text(f, name), "test");
}

static void check_assertions(struct rule_run *r, struct project *p, const struct py_file *f)
{
    struct steps steps;

    for (uint32_t n = 1; n < f->n_nodes; n++) {
        uint32_t asked = py_kind(f, n) == PY_ASSERT ? py_first(f, n) : 0;
        asked = asked != 0 ? py_bare(f, asked) : 0;
        if (asked == 0 || !asks_all(p, f, asked) || !fact_on_device(p, f) || is_test(f, n) ||
            fact_steps(p, f, n, &steps) == NOT_SEEN)
            continue;
        rule_advice(rule_report(r, n, CHECK_MEDIUM, "assert needs a tensor's value at every step"),
                    "Compare shapes, or check values outside of the loop of steps.");
    }
}

const struct rule rule_PP603 = {
    .about = {
        .id = "PP603",
        .name = "value-at-every-step",
        .summary = "A PyTorch tensor's value is fetched at every step of training",
        .why = "Python waits for the device before it can start the next step.",
        .advice = "Keep the tensor, and fetch it every n steps or after the loop.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .run = check_assertions,
    .call = check_call,
};
