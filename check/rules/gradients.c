/* Which modules of PyTorch a loss goes back through, and which an optimizer steps. */
#include "check/rules/gradients.h"

#include "check/facts/training.h"

enum { DEFS_MAX = 64, DEEP_MAX = 12, REACHING_MAX = 6, NODES_MAX = 4000 };

/* --- what a loss depends on --- */

struct collecting {
    struct project *p;
    const struct py_file *f;
    struct gradient_flow *out;
    uint32_t function;
    uint32_t defs[DEFS_MAX];
    size_t n_defs;
    unsigned nodes;
};

static void collect(struct collecting *c, uint32_t n, int depth);

/* x.detach(), x.data, x.argmax(1): no gradient goes further. */
static bool cuts(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"detach", "data", "item", "argmax", "tolist", "numpy", "size", "shape"};
    uint32_t callee = py_kind(f, n) == PY_CALL ? py_child(f, n, FIELD_FUNCTION) : n;

    return callee != 0 && py_kind(f, callee) == PY_ATTRIBUTE &&
           span_is_any(py_name(f, callee), words, ARRAY_LEN(words));
}

static bool is_new(struct collecting *c, uint32_t def)
{
    for (size_t i = 0; i < c->n_defs; i++)
        if (c->defs[i] == def)
            return false;
    if (c->n_defs == DEFS_MAX)
        return false;
    c->defs[c->n_defs++] = def;
    return true;
}

/* Is one of the definitions before n in its loop? Then those after it are overwritten in each round, where
 * branches do not part them. */
static bool bound_before(struct collecting *c, uint32_t n, const uint32_t *defs, size_t count)
{
    uint32_t loop = fact_loop(c->p, c->f, n).node;

    for (size_t i = 0; i < count; i++)
        if (c->f->defs[defs[i]].node < n && c->f->defs[defs[i]].node > loop)
            return true;
    return false;
}

static void collect_name(struct collecting *c, uint32_t n, int depth)
{
    uint32_t defs[REACHING_MAX];
    size_t count = py_reaching(c->f, n, defs, REACHING_MAX);
    bool before = bound_before(c, n, defs, count);

    for (size_t i = 0; i < count; i++) {
        const struct py_def *def = &c->f->defs[defs[i]];
        if (before && def->node > n)
            continue;
        bool value = def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK || def->kind == DEF_AUGMENT ||
                     def->kind == DEF_FOR;
        if (value && def->value != 0 && py_function_of(c->f, def->node) == c->function && is_new(c, defs[i]) &&
            !fact_without_grad(c->p, c->f, def->node))
            collect(c, def->value, depth + 1);
    }
}

static void add_call(struct collecting *c, uint32_t call)
{
    for (size_t i = 0; i < c->out->n; i++)
        if (c->out->calls[i] == call)
            return;
    if (c->out->n < GRADIENT_MODULES_MAX)
        c->out->calls[c->out->n++] = call;
}

static void collect(struct collecting *c, uint32_t n, int depth)
{
    const struct py_file *f = c->f;

    for (uint32_t at = n; n != 0 && at < f->nodes[n].after && depth < DEEP_MAX && c->nodes++ < NODES_MAX; at++) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_LAMBDA || ((kind == PY_CALL || kind == PY_ATTRIBUTE) && cuts(f, at))) {
            at = f->nodes[at].after - 1;
            continue;
        }
        if (kind == PY_CALL && fact_module_run(c->p, f, at, NULL) != 0)
            add_call(c, at);
        if (kind == PY_IDENTIFIER && py_def_at(f, at) == 0 && f->nodes[at].field != FIELD_ATTRIBUTE)
            collect_name(c, at, depth);
    }
}

void gradient_flow_of(struct project *p, const struct py_file *f, uint32_t n, struct gradient_flow *out)
{
    struct collecting c = {.p = p, .f = f, .out = out};

    c.function = py_function_of(f, n);
    out->n = 0;
    collect(&c, n, 0);
}

struct span gradient_module(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t module = fact_module_run(p, f, call, NULL);

    return module != 0 ? py_text(f, module) : (struct span){"", 0};
}

uint32_t gradient_round(struct project *p, const struct py_file *f, uint32_t backward)
{
    static const char *const steps[] = {"learn", "update", "optimize", "optimize_model", "optimize_parameters"};
    uint32_t loop = fact_loop(p, f, backward).node, function = py_function_of(f, backward);
    uint32_t name = function > 1 && py_kind(f, function) == PY_FUNCTION ? py_child(f, function, FIELD_NAME) : 0;
    struct repeated where;

    if (loop != 0 || name == 0)
        return loop;
    bool step = fact_name_steps(py_text(f, name)) >= LIKELY || span_is_any(py_text(f, name), steps, ARRAY_LEN(steps));
    return step || fact_repeated(p, f, backward, &where) ? function : 0;
}

/* --- optimizers --- */

/* What the call is bound to. */
static struct span bound_name(const struct py_file *f, uint32_t call)
{
    uint32_t up = py_parent(f, call), left = py_kind(f, up) == PY_ASSIGNMENT ? py_child(f, up, FIELD_LEFT) : 0;

    return left != 0 ? py_text(f, left) : (struct span){"", 0};
}

/* What the optimizer is given, through a name that is bound once. */
static uint32_t given(const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument_or(f, call, 0, "params"), defs[2];

    if (first != 0 && py_kind(f, first) == PY_IDENTIFIER && py_reaching(f, first, defs, 2) == 1 &&
        f->defs[defs[0]].kind == DEF_ASSIGN)
        return f->defs[defs[0]].value;
    return first;
}

static bool asks_parameters(const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};

    return py_kind(f, call) == PY_CALL && py_receiver(f, call, &method) != 0 &&
           (span_eq(method, SPAN("parameters")) || span_eq(method, SPAN("named_parameters")));
}

/* Are all weights seen: of modules, or tensors in a list? */
static bool all_seen(const struct py_file *f, uint32_t n)
{
    if (n == 0)
        return false;
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (asks_parameters(f, at))
            return true;
    if (py_kind(f, n) != PY_LIST)
        return false;
    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c))
        if (py_kind(f, c) != PY_IDENTIFIER)
            return false;
    return true;
}

size_t gradient_optimizers(struct project *p, const struct py_file *f, struct gradient_optimizer out[OPTIMIZERS_MAX])
{
    size_t n = 0, n_calls;
    const uint32_t *calls = fact_calls(p, f, &n_calls);

    for (size_t i = 0; i < n_calls && n < OPTIMIZERS_MAX; i++) {
        if (!fact_has(p, f, calls[i], TRAIT_OPTIMIZER))
            continue;
        uint32_t weights = given(f, calls[i]);
        out[n++] = (struct gradient_optimizer){calls[i], bound_name(f, calls[i]), weights, all_seen(f, weights)};
    }
    return n;
}

bool gradient_steps(const struct py_file *f, const struct gradient_optimizer *o, struct span module)
{
    struct span method = {"", 0};

    for (uint32_t n = o->weights; n != 0 && n < f->nodes[o->weights].after; n++) {
        uint32_t receiver = asks_parameters(f, n) ? py_receiver(f, n, &method) : 0;
        struct span text = receiver != 0 ? py_text(f, receiver) : (struct span){"", 0};
        if (text.len > 0 && (span_eq(text, module) || (span_starts(text, module) && text.ptr[module.len] == '.')))
            return true;
    }
    return false;
}
