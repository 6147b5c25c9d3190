/* PP428: a session fetches values at each step that nothing reads. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* Is the name, which the unpacking binds, read anywhere in its function? */
static bool is_read(const struct py_file *f, uint32_t name)
{
    size_t n;
    const uint32_t *uses = py_uses(f, f->nodes[name].sym, py_function_of(f, name), &n);

    for (size_t i = 0; i < n; i++)
        if (py_kind(f, uses[i]) == PY_IDENTIFIER && py_def_at(f, uses[i]) == 0)
            return true;
    return span_starts(py_text(f, name), SPAN("_"));
}

/* The i-th part of what is fetched; 0: it is no list. */
static uint32_t fetched_at(const struct py_file *f, uint32_t fetches, size_t i)
{
    uint32_t c = py_kind(f, fetches) == PY_LIST || py_kind(f, fetches) == PY_TUPLE ? py_first(f, fetches) : 0;

    for (; c != 0 && i > 0; i--)
        c = py_next(f, c);
    return c;
}

/* What has to run, whether its value is read or not. */
static bool has_effect(const struct py_file *f, uint32_t fetch)
{
    static const char *const words[] = {"train",    "optim",  "update", "assign",  "apply", "step", "op",
                                        "minimize", "solver", "inc",    "enqueue", "init",  "ema"};

    return fact_fetches_training(f, fetch) || span_has_any(py_text(f, fetch), words, ARRAY_LEN(words)) ||
           py_kind(f, fetch) == PY_CALL;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t assignment = py_parent(f, call);
    uint32_t left = py_kind(f, assignment) == PY_ASSIGNMENT ? py_child(f, assignment, FIELD_LEFT) : 0;
    uint32_t fetches = py_argument_or(f, call, 0, "fetches");
    struct steps steps;

    if (left == 0 || fetches == 0 || py_kind(f, left) == PY_IDENTIFIER || py_receiver(f, call, NULL) == 0 ||
        !fact_runs_session(p, f, call) || fact_steps(p, f, call, &steps) == NOT_SEEN)
        return;
    uint32_t name = py_first(f, left);
    for (size_t i = 0; name != 0; i++, name = py_next(f, name)) {
        uint32_t fetch = fetched_at(f, fetches, i);
        if (fetch == 0 || py_kind(f, name) != PY_IDENTIFIER || is_read(f, name) || has_effect(f, fetch))
            continue;
        rule_report(r, call, CHECK_LOW, "%s is fetched at each step, and nothing reads %s", RULE_TEXT(f, fetch),
                    RULE_TEXT(f, name));
        return;
    }
}

const struct rule rule_PP428 = {
    .about =
        {
            .id = "PP428",
            .name = "fetched-not-used",
            .summary = "A session fetches values at each step that nothing reads",
            .why = "They are computed, where nothing else needs them, and copied to Python at each step.",
            .advice = "Leave them out of the fetches.",
            .impact = CHECK_LOW,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .call = check_call,
};
