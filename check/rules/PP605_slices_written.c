/* PP605: a loop writes its results into slices of a tensor, and each write copies the gradient of all. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* Does the index name what the loop counts? */
static bool index_moves(const struct py_file *f, uint32_t subscript, uint32_t loop)
{
    uint32_t target = py_kind(f, loop) == PY_FOR ? py_child(f, loop, FIELD_LEFT) : 0;
    uint32_t object = py_child(f, subscript, FIELD_VALUE);

    for (uint32_t n = f->nodes[object].after; target != 0 && n < f->nodes[subscript].after; n++)
        for (uint32_t t = target; t < f->nodes[target].after; t++)
            if (py_kind(f, n) == PY_IDENTIFIER && py_kind(f, t) == PY_IDENTIFIER && f->nodes[n].sym != 0 &&
                f->nodes[n].sym == f->nodes[t].sym)
                return true;
    return false;
}

/* Is the tensor made before the loop, blank, in the same function? */
static bool made_blank(struct project *p, const struct py_file *f, uint32_t object, uint32_t loop)
{
    enum { DEFS_MAX = 4 };
    uint32_t defs[DEFS_MAX];
    size_t n = py_kind(f, object) == PY_IDENTIFIER ? py_reaching(f, object, defs, DEFS_MAX) : 0;

    for (size_t i = 0; i < n; i++) {
        const struct py_def *def = &f->defs[defs[i]];
        if (def->kind != DEF_ASSIGN || def->node > loop || py_function_of(f, def->node) != py_function_of(f, loop))
            continue;
        struct value v = fact_value(p, f, def->value);
        if (v.kind == VALUE_TENSOR && word_has(fact_name_word(p, v.name), TRAIT_BLANK_TENSOR))
            return true;
    }
    return false;
}

/* Is a module run in the loop, with a graph, for what is written? */
static bool comes_of_module(struct project *p, const struct py_file *f, uint32_t value, uint32_t loop)
{
    enum { NODES_MAX = 5000 };
    struct span text = py_text(f, value);

    if (span_has(text, "detach") || span_has(text, ".data") || span_has(text, "item()") || span_has(text, "argmax"))
        return false;
    for (uint32_t n = loop; n < f->nodes[loop].after && n - loop < NODES_MAX; n++)
        if (py_kind(f, n) == PY_CALL && fact_module_run(p, f, n, NULL) != 0 && !fact_without_grad(p, f, n) &&
            fact_depends(f, value, n, loop))
            return true;
    return false;
}

static void check_assignment(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    uint32_t object = left != 0 && py_kind(f, left) == PY_SUBSCRIPT ? py_child(f, left, FIELD_VALUE) : 0;
    uint32_t loop = object != 0 && right != 0 ? fact_loop(p, f, n).node : 0;

    if (loop == 0 ||
        !rule_needs(r, n, left, index_moves(f, left, loop), "its index is not seen to move with the loop") ||
        !rule_needs(r, n, object, made_blank(p, f, object, loop),
                    "it is not seen to be made by torch.zeros() or the like") ||
        !rule_needs(r, n, n, !fact_without_grad(p, f, n), "it runs without gradients") ||
        !rule_needs(r, n, right, comes_of_module(p, f, right, loop),
                    "no module that runs in the loop is seen to give it"))
        return;
    rule_report(r, n, CHECK_MEDIUM, "%s is written slice by slice in a loop", RULE_TEXT(f, left));
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_kind(f, n) == PY_ASSIGNMENT)
            check_assignment(r, p, f, n);
}

const struct rule_looks rule_PP605 = {.says_lacks = true, .run = look};
