/* PP415: switches for looking for mistakes that are left on: all runs eagerly, or each op is logged. */
#include "check/rules/rule.h"

static bool is_true(const struct py_file *f, uint32_t n)
{
    return n != 0 && py_kind(f, n) == PY_TRUE;
}

/* Run with the flag off, to be measured. */
static void propose_off(struct rule_finding *found, const struct py_file *f, uint32_t flag)
{
    rule_edit(found, f->nodes[flag].start, f->nodes[flag].end, "False");
    rule_propose(found, "turn the flag off");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);
    uint32_t eagerly = receiver != 0 && span_eq(method, SPAN("compile")) ? py_keyword(f, call, "run_eagerly") : 0;
    uint32_t all = py_argument_or(f, call, 0, "run_eagerly");

    if (is_true(f, eagerly))
        propose_off(rule_report(r, eagerly, CHECK_HIGH, "run_eagerly=True runs each step op by op from Python"), f,
                    eagerly);
    else if (fact_has(p, f, call, TRAIT_MAKES_ALL_EAGER) && is_true(f, all))
        propose_off(rule_report(r, call, CHECK_HIGH, "every tf.function runs op by op from Python after this"), f, all);
}

const struct rule rule_PP415 = {
    .about =
        {
            .id = "PP415",
            .name = "eager-flag-left-on",
            .summary = "A debugging switch makes everything run eagerly",
            .why = "Python starts each op by itself, so nothing is compiled, fused or run ahead.",
            .advice = "Leave it out, or switch it on by an option while looking for a mistake.",
            .impact = CHECK_HIGH,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .call = check_call,
};
