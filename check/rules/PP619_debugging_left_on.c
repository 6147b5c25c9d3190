/* PP619: what is there to find mistakes, or to measure, runs at every step. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* What makes the whole device wait, or gives its memory back. */
static const struct {
    const char *name, *why, *advice;
} waits[] = {
    {"torch.cuda.empty_cache", "It waits for the device, and the next step has to ask for the memory again.",
     "Leave it out: PyTorch uses the memory again by itself."},
    {"torch.cuda.synchronize", "Python waits for the device before it can start what comes next.",
     "Leave it out; to measure, use torch.cuda.Event or the profiler."},
    {"gc.collect", "Python looks at all of its objects, which takes longer the more there are.",
     "Leave it out, or call it once in an epoch."},
};

/* Does a loop inside of it go backward, so that its rounds are episodes or the like? */
static bool holds_steps(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop + 1; n < f->nodes[loop].after; n++)
        if (py_is_loop(f, n) && fact_goes_backward(p, f, n))
            return true;
    return false;
}

static void check_wait(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, size_t i)
{
    struct loop loop = fact_loop(p, f, call);
    bool trains = loop.node != 0 && fact_goes_backward(p, f, loop.node);
    bool steps = trains || (loop.node != 0 && fact_loader(p, f, loop.node) != 0);
    bool waits_only = span_eq(span_of(waits[i].name), SPAN("torch.cuda.synchronize"));

    if (!rule_needs(r, call, call, steps,
                    "no loop that goes backward or over a loader is seen to run it at each step") ||
        !rule_needs(r, call, loop.node,
                    !fact_epoch_loop(f, loop.node) && !fact_epoch_of_steps(p, f, loop.node) &&
                        !holds_steps(p, f, loop.node),
                    "its rounds are epochs or the like") ||
        !rule_needs(r, call, call, !fact_now_and_then(f, call, loop.node), "it runs now and then only"))
        return;
    /* a loop that measures has to wait */
    bool measures = span_has_word(py_text(f, loop.node), "time. timer Timer perf_counter elapsed bench");
    for (uint32_t n = loop.node; waits_only && n < f->nodes[loop.node].after && !measures; n++)
        measures = py_kind(f, n) == PY_CALL && span_starts(fact_name(p, f, n), SPAN("time."));
    if (!rule_needs(r, call, loop.node, !waits_only || !measures, "it measures time"))
        return;
    bool own = py_uses(f, py_sym(f, SPAN("backward")), loop.node).all > 0;
    /* its rounds may be longer than a step where another function goes backward */
    bool step = trains && (own || fact_loader(p, f, loop.node) != 0);
    rule_report(r, call, step && !waits_only ? CHECK_MEDIUM : CHECK_LOW, "%s() runs at every step of %s", waits[i].name,
                RULE_PLACE(f, f, loop.node));
    if (py_kind(f, py_parent(f, call)) == PY_EXPRESSION_STATEMENT) {
        rule_edit(r, f->nodes[call].start, f->nodes[call].end, "pass");
        rule_propose(r, "leave the call out");
    }
    rule_why(r, "%s", waits[i].why);
    rule_advice(r, "%s", waits[i].advice);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = fact_name(p, f, call);
    bool block = span_is_word(name, "torch.autograd.detect_anomaly torch.autograd.anomaly_mode.detect_anomaly");
    bool set = span_is_word(name, "torch.autograd.set_detect_anomaly torch.autograd.anomaly_mode.set_detect_anomaly");
    uint32_t flag = block || set ? py_argument_or(f, call, 0, "mode") : 0;

    /* set_detect_anomaly(True), with detect_anomaly(): not by a setting, or to find one mistake */
    if ((block || set) &&
        rule_needs(r, call, flag, (block && flag == 0) || py_kind(f, flag) == PY_TRUE, "it is not always on") &&
        rule_needs(r, call, call, !fact_guarded(f, call, py_function_of(f, call)), "it is in a branch")) {
        rule_report(r, call, CHECK_HIGH, "anomaly detection is left on");
        if (flag != 0) {
            rule_edit(r, f->nodes[flag].start, f->nodes[flag].end, "False");
            rule_propose(r, "turn anomaly detection off");
        }
        rule_advice(r, "Turn it on to find a mistake, by an option that is off by default.");
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(waits); i++)
        if (fact_is(p, f, call, waits[i].name))
            check_wait(r, p, f, call, i);
}

const struct rule_looks rule_PP619 = {.call = check_call};
