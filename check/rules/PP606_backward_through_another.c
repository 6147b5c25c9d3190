/* PP606: a loss goes backward through a module whose gradients the step of its optimizer does not use. */
#include "check/facts/training.h"
#include "check/rules/gradients.h"
#include "check/rules/rule.h"

struct looking {
    struct project *p;
    const struct py_file *f;
    struct gradient_optimizer optimizers[OPTIMIZERS_MAX];
    size_t n;
};

static bool is_call_of(const struct py_file *f, uint32_t call, const char *method, struct span *receiver)
{
    struct span name = {"", 0};
    uint32_t n = py_kind(f, call) == PY_CALL ? py_receiver(f, call, &name) : 0;

    if (n == 0 || !span_eq(name, span_of(method)))
        return false;
    *receiver = py_text(f, n);
    return true;
}

static const struct gradient_optimizer *named(const struct looking *l, struct span name)
{
    for (size_t i = 0; i < l->n; i++)
        if (name.len > 0 && span_eq(l->optimizers[i].name, name))
            return &l->optimizers[i];
    return NULL;
}

static const struct gradient_optimizer *of_module(const struct looking *l, struct span module)
{
    for (size_t i = 0; i < l->n; i++)
        if (gradient_steps(l->f, &l->optimizers[i], module))
            return &l->optimizers[i];
    return NULL;
}

/* The optimizer that steps next after the call, in its loop. */
static const struct gradient_optimizer *next_step(const struct looking *l, uint32_t call, uint32_t loop)
{
    struct span receiver;

    for (uint32_t n = call + 1; n < l->f->nodes[loop].after; n++)
        if (is_call_of(l->f, n, "step", &receiver) && named(l, receiver) != NULL)
            return named(l, receiver);
    return NULL;
}

static bool is_zero(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span receiver;

    (void)p;
    return is_call_of(f, call, "zero_grad", &receiver);
}

/* Are the gradients of the module set to zero after the call, and before its optimizer steps? The loop
 * begins anew at its end. */
static bool drops_gradients(const struct looking *l, uint32_t call, uint32_t loop, struct span module,
                            const struct gradient_optimizer *own)
{
    const struct py_file *f = l->f;
    uint32_t length = f->nodes[loop].after - loop, from = call + 1 - loop;
    struct span receiver;

    for (uint32_t i = 0; i < length; i++) {
        uint32_t n = loop + (from + i) % length;
        if (py_kind(f, n) != PY_CALL)
            continue;
        if (is_call_of(f, n, "zero_grad", &receiver) &&
            (span_eq(receiver, own->name) || span_eq(receiver, module)))
            return true;
        if (is_call_of(f, n, "step", &receiver) && span_eq(receiver, own->name))
            return false;
        const struct py_file *file;
        uint32_t callee;
        if (fact_callee(l->p, f, n, &file, &callee) && fact_reaches(l->p, file, callee, is_zero))
            return true;
    }
    return false;
}

/* Does any call of the flow run a module that the optimizer steps? */
static bool flows_through(const struct looking *l, const struct gradient_flow *flow,
                          const struct gradient_optimizer *o)
{
    for (size_t i = 0; i < flow->n; i++)
        if (gradient_steps(l->f, o, gradient_module(l->p, l->f, flow->calls[i])))
            return true;
    return false;
}

/* The argument of `run` that brings in the graph of another module, which the backward pass of `o` has no
 * use for; 0: there is none. *module: its text. */
static uint32_t needless_argument(const struct looking *l, uint32_t run, uint32_t backward, uint32_t loop,
                                  const struct gradient_optimizer *o, struct span *module)
{
    uint32_t list = py_child(l->f, run, FIELD_ARGUMENTS);
    struct gradient_flow flow, before;

    for (uint32_t a = list != 0 ? py_first(l->f, list) : 0; a != 0; a = py_next(l->f, a)) {
        gradient_flow_of(l->p, l->f, a, &flow);
        if (flow.n == 0 || flows_through(l, &flow, o))
            continue;
        for (size_t i = 0; i < flow.n; i++) {
            *module = gradient_module(l->p, l->f, flow.calls[i]);
            const struct gradient_optimizer *own = of_module(l, *module);
            gradient_flow_of(l->p, l->f, py_child(l->f, flow.calls[i], FIELD_ARGUMENTS), &before);
            if (own != NULL && own != o && !flows_through(l, &before, o) &&
                drops_gradients(l, backward, loop, *module, own))
                return a;
        }
    }
    return 0;
}

/* discriminator(fake.detach()) */
static void propose_detached(struct rule_finding *found, const struct py_file *f, uint32_t argument)
{
    enum py_kind kind = py_kind(f, argument);

    if (kind != PY_IDENTIFIER && kind != PY_CALL && kind != PY_ATTRIBUTE && kind != PY_SUBSCRIPT)
        return;
    rule_edit(found, f->nodes[argument].end, f->nodes[argument].end, ".detach()");
    rule_propose(found, "end the graph there");
}

static void check_backward(struct rule_run *r, const struct looking *l, uint32_t call, uint32_t loss)
{
    uint32_t loop = gradient_round(l->p, l->f, call);
    const struct gradient_optimizer *o = loop != 0 ? next_step(l, call, loop) : NULL;
    struct gradient_flow flow;
    struct span module;

    if (o == NULL || !o->known)
        return;
    gradient_flow_of(l->p, l->f, loss, &flow);
    for (size_t i = 0; i < flow.n; i++) {
        struct span own = gradient_module(l->p, l->f, flow.calls[i]);
        uint32_t argument = gradient_steps(l->f, o, own)
                                ? needless_argument(l, flow.calls[i], call, loop, o, &module)
                                : 0;
        if (argument == 0)
            continue;
        struct rule_finding *found =
            rule_report(r, flow.calls[i], CHECK_MEDIUM, "backward() in %s goes through %.*s, too",
                        RULE_PLACE(l->f, l->f, call), (int)(module.len < 30 ? module.len : 30),
                        module.ptr);
        propose_detached(found, l->f, argument);
        rule_advice(found, "Detach %s.",
                    py_kind(l->f, argument) == PY_IDENTIFIER ? RULE_TEXT(l->f, argument) : "its input");
        return;
    }
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    struct looking l = {.p = p, .f = f};
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    l.n = gradient_optimizers(p, f, l.optimizers);
    for (size_t i = 0; i < n && l.n > 1; i++) {
        struct span method = {"", 0};
        uint32_t receiver = py_receiver(f, calls[i], &method);
        uint32_t first = py_argument(f, calls[i], 0);
        if (receiver == 0 || !vocabulary_method_has(method, TRAIT_GOES_BACKWARD))
            continue;
        bool given = first != 0 && py_kind(f, first) != PY_KEYWORD_ARGUMENT && !span_eq(method, SPAN("backward"));
        check_backward(r, &l, calls[i], given ? first : receiver);
    }
}

const struct rule rule_PP606 = {
    .about = {
        .id = "PP606",
        .name = "backward-through-another",
        .summary = "A loss goes backward through a module whose gradients are dropped",
        .why = "It computes gradients that are dropped before anybody uses them.",
        .advice = "Detach the input.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .run = look,
};
