/* PP628: a loss is computed for one element in each round of a loop, where it takes all at once. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { NODES_MAX = 4000 };

/* F.mse_loss(…), criterion(…), self.loss_fn(…)? */
static bool is_loss_call(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const ends[] = {"_loss", "cross_entropy", "binary_cross_entropy_with_logits", "kl_div"};
    static const char *const names[] = {"criterion", "loss_fn", "loss_func", "loss_function",
                                        "crit",      "mse",     "bce",       "ce_loss"};
    struct span name = fact_name(p, f, call), last = py_name(f, py_child(f, call, FIELD_FUNCTION));

    if (py_argument(f, call, 1) == 0)
        return false;
    if (span_starts(name, SPAN("torch.nn.functional.")))
        return span_has_any(last, ends, ARRAY_LEN(ends));
    return name.len == 0 && span_is_any(last, names, ARRAY_LEN(names));
}

/* Is the identifier the loop's own variable: its target, or a part of it? */
static bool is_target(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t target = py_child(f, loop, FIELD_LEFT), defs[2];

    return target != 0 && py_reaching(f, n, defs, 2) == 1 && py_inside(f, f->defs[defs[0]].node, target);
}

/* Is n made of the loop's variables and of what the loop does not bind: v, out[i], torch.tensor([R])? *own: is a
 * variable of the loop in it? */
static bool is_element(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop, bool *own)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (py_kind(f, at) == PY_CALL && (fact_module_run(p, f, at, NULL) != 0 || is_loss_call(p, f, at)))
            return false;
        if (py_kind(f, at) != PY_IDENTIFIER || f->nodes[at].field == FIELD_ATTRIBUTE ||
            f->nodes[at].field == FIELD_NAME)
            continue;
        if (is_target(f, at, loop)) {
            *own = true;
            continue;
        }
        uint32_t defs[4];
        size_t count = py_reaching(f, at, defs, 4);
        for (size_t i = 0; i < count; i++)
            if (py_inside(f, f->defs[defs[i]].node, loop))
                return false;
    }
    return true;
}

/* Have all elements one shape: out[i] of a tensor, or one made of a number, torch.tensor([R])? Feature maps of many layers
 * have not. */
static bool has_one_shape(struct project *p, const struct py_file *f, uint32_t argument)
{
    argument = py_bare(f, argument);
    if (py_kind(f, argument) == PY_SUBSCRIPT) {
        uint32_t whole = py_child(f, argument, FIELD_VALUE);
        return whole != 0 && fact_torch_tensor(p, f, whole) == CERTAIN;
    }
    return py_kind(f, argument) == PY_CALL && fact_has(p, f, argument, TRAIT_FROM_LIST);
}

/* Are all tensors that the loss gets elements, and one of them by the loop's variable? */
static bool gets_elements(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    bool own = false;

    for (unsigned i = 0; i < 2; i++)
        if (!is_element(p, f, py_argument(f, call, i), loop, &own))
            return false;
    return own && (has_one_shape(p, f, py_argument(f, call, 0)) || has_one_shape(p, f, py_argument(f, call, 1)));
}

/* -log_prob * advantage, of the loop's variables alone? */
static bool is_product(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    bool own = false;

    n = py_bare(f, n);
    if (py_kind(f, n) == PY_UNARY_OPERATOR)
        n = py_bare(f, py_last(f, n));
    if (py_kind(f, n) != PY_BINARY_OPERATOR || !span_starts(span_trim(py_text(f, n)), SPAN("-")))
        return false;
    return span_has(py_text(f, n), "log") && is_element(p, f, n, loop, &own) && own;
}

/* torch.stack(losses).sum(), torch.cat(losses), sum(losses): is the list, in its function, brought together so? */
static bool is_stacked(struct project *p, const struct py_file *f, uint32_t list, uint32_t loop)
{
    size_t n;
    const uint32_t *uses = py_uses(f, f->nodes[list].sym, py_function_of(f, loop), &n);

    for (size_t i = 0; i < n; i++) {
        uint32_t call = py_parent(f, py_parent(f, uses[i]));
        if (uses[i] < loop || py_kind(f, call) != PY_CALL || py_inside(f, call, loop))
            continue;
        struct span name = fact_name(p, f, call);
        if (span_eq(name, SPAN("torch.stack")) || span_eq(name, SPAN("torch.cat")) ||
            span_eq(name, SPAN("builtins.sum")))
            return true;
    }
    return false;
}

/* The list that the call adds to: losses.append(x); 0: another call. */
static uint32_t list_of(const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t list = py_receiver(f, call, &method);

    return list != 0 && span_eq(method, SPAN("append")) && py_kind(f, list) == PY_IDENTIFIER ? list : 0;
}

/* Is the call, in the loop, what is added up: loss += criterion(out[i], y[i]), losses.append(criterion(v, r))? */
static bool is_added_up(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t up = py_parent(f, call);

    while (py_kind(f, up) == PY_BINARY_OPERATOR || py_kind(f, up) == PY_PARENTHESIZED)
        up = py_parent(f, up);
    if (py_kind(f, up) == PY_AUGMENTED_ASSIGNMENT || py_kind(f, up) == PY_ASSIGNMENT) {
        uint32_t left = py_child(f, up, FIELD_LEFT);
        return left != 0 && py_kind(f, left) == PY_IDENTIFIER &&
               (py_kind(f, up) == PY_AUGMENTED_ASSIGNMENT ||
                span_starts(py_text(f, py_child(f, up, FIELD_RIGHT)), py_text(f, left)));
    }
    uint32_t append = py_kind(f, up) == PY_ARGUMENT_LIST ? py_parent(f, up) : 0;
    uint32_t list = append != 0 && py_kind(f, append) == PY_CALL ? list_of(f, append) : 0;
    return list != 0 && is_stacked(p, f, list, loop);
}

/* The loop over elements, in none of whose rounds anything goes backward or is stepped; node 0: none. */
static struct loop element_loop(struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = fact_loop(p, f, call);

    if (loop.node == 0 || py_kind(f, loop.node) != PY_FOR || (loop.trip == TRIP_SHORT && loop.rounds >= 0) ||
        f->nodes[loop.node].after - loop.node > NODES_MAX || fact_has_call(p, f, loop.node, TRAIT_GOES_BACKWARD) ||
        fact_loader(p, f, loop.node) != 0 || fact_without_grad(p, f, call) || fact_guarded(f, call, loop.node))
        loop.node = 0;
    return loop;
}

/* Layers, heads and scales have their own shapes: they cannot be stacked. */
static bool over_parts(const struct py_file *f, uint32_t loop)
{
    static const char *const words[] = {"layer", "scale", "output", "feature", "head", "level", "aux", "stage"};
    uint32_t over = py_child(f, loop, FIELD_RIGHT), target = py_child(f, loop, FIELD_LEFT);

    return span_has_any(py_text(f, over), words, ARRAY_LEN(words)) ||
           span_has_any(py_text(f, target), words, ARRAY_LEN(words));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool loss = is_loss_call(p, f, call);
    uint32_t list = loss ? 0 : list_of(f, call), first = list != 0 ? py_argument(f, call, 0) : 0;

    if (!loss && first == 0)
        return;
    struct loop loop = element_loop(p, f, call);
    if (loop.node == 0 || over_parts(f, loop.node))
        return;
    bool found = loss ? gets_elements(p, f, call, loop.node) && is_added_up(p, f, call, loop.node)
                      : is_product(p, f, first, loop.node) && is_stacked(p, f, list, loop.node);
    if (found)
        rule_report(r, call, CHECK_MEDIUM, "the loss of one element is computed in each round of the loop in %s",
                    RULE_PLACE(f, f, loop.node));
}

const struct rule_looks rule_PP628 = {.call = check_call};
