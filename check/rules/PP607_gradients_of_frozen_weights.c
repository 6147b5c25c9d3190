/* PP607: backward() computes gradients of weights that no optimizer has. */
#include "check/facts/training.h"
#include "check/rules/gradients.h"
#include "check/rules/rule.h"

/* Where the name was bound last before n, at the top or in the function: what it is bound to. */
static uint32_t made_at(const struct py_file *f, uint32_t module)
{
    uint32_t def = py_kind(f, module) == PY_IDENTIFIER ? py_def_of(f, module) : 0;

    return def != 0 && f->defs[def].kind == DEF_ASSIGN ? f->defs[def].value : 0;
}

/* vgg19().features.eval().requires_grad_(False): frozen where it is made. */
static bool is_made_frozen(const struct py_file *f, uint32_t made)
{
    return span_has(py_text(f, made), ".requires_grad_(");
}

/* Is the module, by its text, asked for its weights or stepped anywhere: by an optimizer, for a list? */
static bool weights_are_asked_for(const struct py_file *f, struct span module)
{
    struct span rest = f->code;
    size_t at;

    while ((at = span_find(rest, module)) != SIZE_MAX) {
        rest.ptr += at + module.len;
        rest.len -= at + module.len;
        if (span_starts(rest, SPAN(".parameters(")) || span_starts(rest, SPAN(".named_parameters(")) ||
            span_starts(rest, SPAN(".requires_grad_(")) || span_starts(rest, SPAN(".state_dict(")))
            return true;
    }
    return false;
}

/* target_net(s): a copy of the weights, which is set, not trained. Is it stepped by an optimizer? */
static bool is_target(const struct py_file *f, struct span module, const struct gradient_optimizer *all, size_t n)
{
    if (!span_has(module, "target"))
        return false;
    for (size_t i = 0; i < n; i++)
        if (gradient_steps(f, &all[i], module))
            return false;
    return true;
}

static void check_flow(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t loss,
                       const struct gradient_optimizer *optimizers, size_t n_optimizers)
{
    struct gradient_flow flow;

    gradient_flow_of(p, f, loss, &flow);
    for (size_t i = 0; i < flow.n; i++) {
        enum certainty sure;
        uint32_t module = fact_module_run(p, f, flow.calls[i], &sure);
        if (is_target(f, py_text(f, module), optimizers, n_optimizers)) {
            rule_advice(rule_report(r, flow.calls[i], CHECK_MEDIUM, "backward() goes through %s, which is not trained",
                                    RULE_TEXT(f, module)),
                        "Run it under torch.no_grad(): that is what a target is, and records no graph.");
            continue;
        }
        uint32_t made = sure == CERTAIN ? made_at(f, module) : 0;
        if (made == 0 || is_made_frozen(f, made) || !fact_has_weights(p, f, module) || weights_are_asked_for(f, py_text(f, module)))
            continue;
        struct rule_finding *found =
            rule_report(r, made, CHECK_MEDIUM, "no optimizer has the weights of %s, but backward() fills their gradients",
                        RULE_TEXT(f, module));
        if (py_kind(f, made) == PY_CALL) {
            rule_edit(found, f->nodes[made].end, f->nodes[made].end, ".requires_grad_(False)");
            rule_propose(found, "freeze the weights");
        }
    }
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    struct gradient_optimizer optimizers[OPTIMIZERS_MAX];
    size_t n, n_optimizers = gradient_optimizers(p, f, optimizers);
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n_optimizers; i++)
        if (!optimizers[i].known)
            return;
    for (size_t i = 0; i < n && n_optimizers > 0; i++) {
        struct span method = {"", 0};
        uint32_t receiver = py_receiver(f, calls[i], &method);
        if (receiver != 0 && span_eq(method, SPAN("backward")) && gradient_round(p, f, calls[i]) != 0)
            check_flow(r, p, f, receiver, optimizers, n_optimizers);
    }
}

const struct rule rule_PP607 = {
    .about = {
        .id = "PP607",
        .name = "gradients-of-frozen-weights",
        .summary = "backward() computes gradients of weights that no optimizer has",
        .why = "It takes time and memory for gradients that nobody uses.",
        .advice = "Freeze the weights: requires_grad_(False).",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .run = look,
};
