/* PP613: losses are added up or kept with their graphs. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* loss = loss.detach(): is the name bound, before it is kept, to what has no graph? */
static bool is_bound_without(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"detach()", ".item()", ".data", "float(", ".numpy()", ".tolist()"};
    uint32_t defs[4];
    size_t count = py_reaching(f, n, defs, ARRAY_LEN(defs));

    for (size_t i = 0; i < count; i++)
        if (f->defs[defs[i]].value != 0 &&
            span_has_any(py_text(f, f->defs[defs[i]].value), words, ARRAY_LEN(words)))
            return true;
    return false;
}

/* Is the expression the loss itself, whose graph it has: a name on which the loop calls backward()? */
static bool is_loss_of(const struct py_file *f, uint32_t n, uint32_t loop)
{
    n = py_bare(f, n);
    if (py_kind(f, n) == PY_BINARY_OPERATOR && py_child(f, n, FIELD_LEFT) != 0)
        n = py_child(f, n, FIELD_LEFT); /* loss * batch_size */
    if (py_kind(f, n) != PY_IDENTIFIER || is_bound_without(f, n))
        return false;
    return fact_backward_of(f, n, loop);
}

/* Is the sum used for backward() as well, or set anew in the loop? */
static bool goes_backward_itself(const struct py_file *f, uint32_t sum, uint32_t loop)
{
    size_t count;
    const uint32_t *uses = py_uses(f, f->nodes[sum].sym, loop, &count);

    if (fact_backward_of(f, sum, loop))
        return true;
    for (size_t i = 0; i < count; i++) {
        uint32_t def = py_kind(f, uses[i]) == PY_IDENTIFIER ? py_def_at(f, uses[i]) : 0;
        if (def != 0 && f->defs[def].kind == DEF_ASSIGN)
            return true;
    }
    return false;
}

static uint32_t step_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    struct loop loop = fact_loop(p, f, n);

    return loop.node != 0 && loop.trip != TRIP_SHORT && !fact_epoch_of_steps(p, f, loop.node) ? loop.node : 0;
}

static void report(struct rule_run *r, const struct py_file *f, uint32_t n, uint32_t loss)
{
    rule_report(r, n, CHECK_MEDIUM, "%s is kept with its graph in each round", RULE_TEXT(f, loss));
}

/* total += loss */
static void check_sum(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    uint32_t loop = left != 0 && right != 0 ? step_loop(p, f, n) : 0;

    if (loop == 0 || !py_is_named(f, left) || !is_loss_of(f, right, loop) || goes_backward_itself(f, left, loop) ||
        fact_without_grad(p, f, n))
        return;
    report(r, f, n, right);
}

/* losses.append(loss) */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method), first = py_argument(f, call, 0);
    uint32_t loop = receiver != 0 && first != 0 && span_eq(method, SPAN("append")) ? step_loop(p, f, call) : 0;

    if (loop == 0 || py_kind(f, first) != PY_IDENTIFIER || !is_loss_of(f, first, loop) ||
        (py_is_named(f, receiver) && goes_backward_itself(f, receiver, loop)))
        return;
    report(r, f, call, first);
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_kind(f, n) == PY_AUGMENTED_ASSIGNMENT)
            check_sum(r, p, f, n);
}

const struct rule rule_PP613 = {
    .about = {
        .id = "PP613",
        .name = "graph-kept",
        .summary = "Losses are added up or kept with their graphs",
        .why = "What hangs on the loss stays in memory as long as the sum or list does.",
        .advice = "Keep loss.detach(); fetch the value after the loop.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .run = look,
    .call = check_call,
};
