/* PP620: a recurrent network goes through its input step by step in Python, though all of the input is there. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { PAIR_MAX = 2 };

/* x[t] of x[t].unsqueeze(0), of x[t].view(1, 1, -1): the same numbers in another shape. */
static uint32_t without_shape(const struct py_file *f, uint32_t n)
{
    uint32_t of;

    n = py_bare(f, n);
    while ((of = py_method(f, n, "unsqueeze view reshape")) != 0)
        n = py_bare(f, of);
    return n;
}

/* Is the node the loop's own name, or indexed by it: x[t], x[:, t]? */
static bool is_of_step(const struct py_file *f, uint32_t n, uint32_t target)
{
    n = without_shape(f, n);
    if (py_kind(f, n) == PY_IDENTIFIER)
        return f->nodes[n].sym == f->nodes[target].sym;
    if (py_kind(f, n) != PY_SUBSCRIPT)
        return false;
    for (uint32_t at = f->nodes[py_child(f, n, FIELD_VALUE)].after; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_IDENTIFIER && f->nodes[at].sym == f->nodes[target].sym)
            return true;
    return false;
}

/* Does the loop give one part of a tensor after the other: x.split(1, dim=1), range(…)? */
static bool goes_over_steps(struct project *p, const struct py_file *f, uint32_t loop, uint32_t *target)
{
    uint32_t over = py_child(f, loop, FIELD_RIGHT), left = py_child(f, loop, FIELD_LEFT);

    if (py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_ENUMERATES)) {
        over = py_argument(f, over, 0);
        left = py_last(f, left);
    }
    *target = left;
    if (py_kind(f, left) != PY_IDENTIFIER || py_kind(f, over) != PY_CALL)
        return false;
    return fact_has(p, f, over, TRAIT_RANGE) || py_method(f, over, "split chunk unbind") != 0;
}

/* A recurrent layer of PyTorch; or a module of the project that has one. *cell: one that only takes steps. */
static bool is_recurrent(struct project *p, const struct py_file *f, uint32_t module, bool *cell)
{
    struct value v = fact_value(p, f, module);
    struct span name = fact_name_text(p, v.name);

    *cell = span_has(name, "Cell");
    if (v.kind == VALUE_MODEL)
        return span_starts(name, SPAN("torch.nn.LSTM")) || span_starts(name, SPAN("torch.nn.GRU")) ||
               span_starts(name, SPAN("torch.nn.RNN"));
    if (v.kind != VALUE_INSTANCE)
        return false;
    const struct py_file *file = fact_file(p, v.file);
    bool makes = false;
    for (uint32_t n = v.node; n < file->nodes[v.node].after && !makes; n++)
        makes = py_kind(file, n) == PY_CALL &&
                span_is_word(fact_name(p, file, n), "torch.nn.GRU torch.nn.LSTM torch.nn.RNN");
    return makes && !span_has(py_text(file, v.node), "tten");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t loop = fact_loop(p, f, call).node, target = 0;
    uint32_t module = loop != 0 && py_kind(f, loop) == PY_FOR ? fact_module_run(p, f, call) : 0;
    uint32_t input = module != 0 ? py_argument(f, call, 0) : 0, state = module != 0 ? py_argument(f, call, 1) : 0;
    uint32_t element = without_shape(f, input), left = py_child_of(f, py_parent(f, call), PY_ASSIGNMENT, FIELD_LEFT);
    bool cell = false;

    if (input == 0 || state == 0 || py_argument(f, call, PAIR_MAX) != 0 ||
        !rule_needs(r, call, loop, goes_over_steps(p, f, loop, &target), "it is not seen to go over steps in time") ||
        !rule_needs(r, call, input, is_of_step(f, input, target), "it is not seen to be the input of one step") ||
        !rule_needs(r, call, state, left != 0 && py_shares_name(f, left, state), /* out, h = rnn(x[t], h) */
                    "it is not seen to go from round to round") ||
        !rule_needs(r, call, input, /* does the loop feed back what the call gave, into what x[t] is a part of? */
                    py_kind(f, element) != PY_SUBSCRIPT ||
                        !fact_depends(f, py_child(f, element, FIELD_VALUE), call, loop),
                    "it depends on what the step before gave"))
        return;
    bool known = is_recurrent(p, f, module, &cell);
    bool encoder = py_is_named(f, module) && span_eq(py_name(f, module), SPAN("encoder")); /* by its name alone */
    if (!rule_needs(r, call, module, known || encoder, "it is not known to be a recurrent layer"))
        return;
    bool shown = fact_only_shown(p, f, py_function_of(f, call)); /* one text, for somebody to look at */
    rule_report(r, call, shown ? CHECK_LOW : CHECK_HIGH, "%s() takes one step in each round, of an input that is there",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
    struct span name = fact_name_text(p, fact_value(p, f, module).name);
    if (cell)
        rule_advice(r, "Use nn.%s with the whole sequence, for as many layers as there are cells.",
                    span_has(name, "LSTM")  ? "LSTM"
                    : span_has(name, "GRU") ? "GRU"
                                            : "RNN");
}

const struct rule_looks rule_PP620 = {.call = check_call};
