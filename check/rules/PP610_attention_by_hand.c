/* PP610: attention that is spelled out, or whose weights nobody uses. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEEP_MAX = 8 };

static bool is_product(struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) == PY_BINARY_OPERATOR)
        return span_has(py_between(f, py_child(f, n, FIELD_LEFT), py_child(f, n, FIELD_RIGHT)), "@");
    return py_kind(f, n) == PY_CALL &&
           (span_is_word(fact_name(p, f, n), "torch.matmul torch.bmm") || py_method(f, n, "matmul bmm") != 0);
}

/* The left (0) or right (1) side of the product. */
static uint32_t side_of(struct project *p, const struct py_file *f, uint32_t product, size_t i)
{
    if (py_kind(f, product) == PY_BINARY_OPERATOR)
        return py_child(f, product, i == 0 ? FIELD_LEFT : FIELD_RIGHT);
    if (fact_name(p, f, product).len > 0)
        return py_argument(f, product, i);
    return i == 0 ? py_receiver(f, product, NULL) : py_argument(f, product, 0);
}

/* q @ k.transpose(-2, -1): the second is turned. */
static bool is_score(struct project *p, const struct py_file *f, uint32_t n)
{
    return is_product(p, f, n) &&
           span_has_word(py_text(f, side_of(p, f, n, 1)), ".transpose( .permute( .mT .swapaxes( .t()");
}

/* Is there such a node in the expression's sources, by names of its function? `from`: only names bound before it. */
static bool comes_from(struct project *p, const struct py_file *f, uint32_t n, uint32_t from, int depth,
                       bool (*is)(struct project *, const struct py_file *, uint32_t))
{
    enum { DEFS_MAX = 4 };

    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (is(p, f, at))
            return true;
        bool ends = depth >= DEEP_MAX || py_def_at(f, at) != 0;
        for (struct py_defs d = py_reaching(f, ends ? 0 : at, DEFS_MAX); py_take_def(&d);)
            if (d.def->kind == DEF_ASSIGN && d.def->node < from &&
                py_function_of(f, d.def->node) == py_function_of(f, n) &&
                comes_from(p, f, d.def->value, d.def->node, depth + 1, is))
                return true;
    }
    return false;
}

/* Softmax of scores. */
static bool is_weights(struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) != PY_CALL)
        return false;
    struct span name = fact_name(p, f, n);
    if (!span_is_word(name, "torch.softmax torch.nn.functional.softmax") && py_method(f, n, "softmax") == 0) {
        struct value v = fact_value(p, f, py_child(f, n, FIELD_FUNCTION));
        if (v.kind != VALUE_MODEL || !span_eq(fact_name_text(p, v.name), SPAN("torch.nn.Softmax")))
            return false;
    }
    uint32_t receiver = py_receiver(f, n, NULL), first = py_argument(f, n, 0);
    bool method = name.len == 0 && receiver != 0 && fact_module_run(p, f, n) == 0;
    return comes_from(p, f, method ? receiver : first, n, 0, is_score);
}

static void check_product(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = is_product(p, f, n) ? side_of(p, f, n, 0) : 0;

    if (left == 0 ||
        !rule_needs(r, n, n, !fact_mentions(p, f, "scaled_dot_product_attention|flash"),
                    "the file names a fused attention") ||
        !rule_needs(r, n, left, comes_from(p, f, left, n, 0, is_weights),
                    "it is not seen to be the softmax of a product with a transposed tensor"))
        return;
    uint32_t weights = py_bare(f, left), sym = py_kind(f, weights) == PY_IDENTIFIER ? f->nodes[weights].sym : 0;
    bool used = false; /* again, after the product */
    for (struct py_nodes use = py_uses(f, sym, py_function_of(f, n)); py_take(&use);)
        used = used || (use.n >= f->nodes[n].after && py_kind(f, use.n) == PY_IDENTIFIER &&
                        f->nodes[use.n].field != FIELD_ATTRIBUTE);
    rule_report(r, n, used ? CHECK_LOW : CHECK_MEDIUM, "attention is spelled out: scores, softmax, and their product");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct value v = fact_value(p, f, py_child(f, call, FIELD_FUNCTION));

    if (v.kind != VALUE_MODEL || !span_eq(fact_name_text(p, v.name), SPAN("torch.nn.MultiheadAttention")))
        return;
    /* self.attn(q, k, v)[0], x, _ = self.attn(q, k, v) */
    uint32_t up = py_parent(f, call), last = py_last(f, py_child_of(f, up, PY_ASSIGNMENT, FIELD_LEFT));
    bool dropped = py_is(f, py_child_of(f, up, PY_SUBSCRIPT, FIELD_SUBSCRIPT), "0") || py_is(f, last, "_");
    if (!rule_needs(r, call, call, py_keyword(f, call, "need_weights") == 0 && !py_has_splat(f, call),
                    "need_weights is given, or may be") ||
        !rule_needs(r, call, call, dropped, "the weights that it gives are not seen to be dropped"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s() computes weights of attention, which are dropped",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
    rule_advice(r, "Give it need_weights=False: then it may use a fused kernel.");
}

const struct rule_looks rule_PP610 = {.node = check_product, .call = check_call};
