/* PP614: a module, optimizer or loader of PyTorch is made anew at every step. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* A class, by its name; not a module of those that are there, in a row. */
static bool is_layer_class(struct span name)
{
    size_t at = name.len;

    while (at > 0 && name.ptr[at - 1] != '.')
        at--;
    return at < name.len && name.ptr[at] >= 'A' && name.ptr[at] <= 'Z' && !span_eq(name, SPAN("torch.nn.Sequential")) &&
           !span_eq(name, SPAN("torch.nn.ModuleList"));
}

/* torchvision.models.resnet18 */
static bool is_network(struct span name)
{
    struct span family = SPAN("torchvision.models.");

    return span_starts(name, family) && memchr(name.ptr + family.len, '.', name.len - family.len) == NULL;
}

/* Does it make a layer of PyTorch's with weights, or a whole network? */
static bool makes_layer(struct project *p, const struct py_file *f, uint32_t call, const struct word *w)
{
    if (!word_has(w, TRAIT_LAYER) || w->framework != FRAMEWORK_TORCH || word_has(w, TRAIT_WEIGHTLESS) ||
        word_has(w, TRAIT_WRAPS_MODULE))
        return false;
    return word_has(w, TRAIT_LOADS_MODEL) || is_network(fact_name(p, f, call)) || is_layer_class(fact_name(p, f, call));
}

/* What the call makes, in words; NULL: nothing that takes time to make, or that keeps what it learned. */
static const char *made(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    struct value v = fact_value(p, f, call);

    if (word_has(w, TRAIT_LOADER))
        return "a DataLoader, with its workers,";
    if (word_has(w, TRAIT_OPTIMIZER))
        return "an optimizer";
    bool own = v.kind == VALUE_INSTANCE && fact_value(p, f, py_child(f, call, FIELD_FUNCTION)).kind == VALUE_CLASS;
    if (own && fact_module(p, f, call) == CERTAIN && fact_has_weights(p, f, call))
        return "a module with weights";
    if (word_has(w, TRAIT_COMPILES))
        return "a compiled module";
    if (v.kind == VALUE_MODEL && makes_layer(p, f, call, w))
        return word_has(w, TRAIT_LOADS_MODEL) ? "a loaded module" : "a module with weights";
    return NULL;
}

/* Is the method one that runs once in the life of its object? */
static bool builds(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"init",  "make",  "build",     "create", "setup", "get_", "conv",
                                        "block", "layer", "configure", "load",   "main",  "run"};
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && span_has_any(py_text(f, name), words, ARRAY_LEN(words));
}

static bool in_forward(const struct py_file *f, uint32_t n)
{
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && py_is(f, name, "forward");
}

/* --- the whole of a replay memory --- */

/* The class of a replay memory, by its name, of whose methods n is in one that is no constructor; otherwise 0. */
static uint32_t memory_of(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"memory", "buffer", "replay", NULL};
    uint32_t class = py_up(f, n, PY_CLASS), name = class != 0 ? py_child(f, class, FIELD_NAME) : 0;
    uint32_t method = class != 0 ? py_child(f, py_function_of(f, n), FIELD_NAME) : 0;

    return method != 0 && guess_word(py_text(f, name), words) && !py_is(f, method, "__init__") ? class : 0;
}

/* self.x, or self.x[:n]: no method, no number that something is raised to. */
static bool is_whole(const struct py_file *f, uint32_t n)
{
    uint32_t object = py_kind(f, n) == PY_ATTRIBUTE ? py_child(f, n, FIELD_OBJECT) : 0, up = py_parent(f, n);
    uint32_t index = py_kind(f, up) == PY_SUBSCRIPT ? py_child(f, up, FIELD_SUBSCRIPT) : 0;

    return object != 0 && py_is(f, object, "self") && py_kind(f, up) != PY_ATTRIBUTE && py_kind(f, up) != PY_CALL &&
           f->nodes[n].field != FIELD_RIGHT && (index == 0 || py_kind(f, index) == PY_SLICE);
}

static bool goes_through_own(const struct py_file *f, uint32_t n, int depth);

/* Does one of the assignments that bind the name, in its function, compute with a whole attribute of self? */
static bool is_bound_to_own(const struct py_file *f, uint32_t name, int depth)
{
    enum { DEFS_MAX = 4 };
    uint32_t defs[DEFS_MAX];
    size_t count = py_reaching(f, name, defs, DEFS_MAX);

    for (size_t i = 0; i < count; i++) {
        const struct py_def *def = &f->defs[defs[i]];
        if ((def->kind == DEF_ASSIGN || def->kind == DEF_AUGMENT) && def->value != 0 &&
            py_function_of(f, def->node) == py_function_of(f, name) && goes_through_own(f, def->value, depth + 1))
            return true;
    }
    return false;
}

/* Is the expression computed from a whole attribute of self, or all of it up to a place? */
static bool goes_through_own(const struct py_file *f, uint32_t n, int depth)
{
    enum { DEEP_MAX = 4 };

    for (uint32_t at = n; depth < DEEP_MAX && at < f->nodes[n].after; at++) {
        bool name = py_kind(f, at) == PY_IDENTIFIER && f->nodes[at].field != FIELD_ATTRIBUTE && !py_is(f, at, "self");
        if (is_whole(f, at) || (name && is_bound_to_own(f, at, depth)))
            return true;
    }
    return false;
}

/* np.random.choice(len(self.buffer), n, p=probs), where probs is computed from all priorities. */
static void check_memory(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t weights = fact_is(p, f, call, "numpy.random.choice") ? py_argument_or(f, call, 3, "p") : 0;

    if (weights == 0 || memory_of(f, call) == 0 || !goes_through_own(f, weights, 0))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s are made of the whole memory for each batch",
                                             RULE_TEXT(f, weights));
    rule_why(found, "All priorities are computed with, and choice() adds them up, to draw a few.");
    rule_advice(found,
                "Keep the priorities in a sum tree: it draws, and changes one, in as many steps as it has levels.");
}

/* self.priorities.max(), for each transition that is stored. */
static void check_largest(struct rule_run *r, const struct py_file *f, uint32_t call)
{
    static const char *const words[] = {"prio", NULL};
    struct span method = {"", 0};
    uint32_t all = py_receiver(f, call, &method), object;

    object = all != 0 && py_kind(f, all) == PY_ATTRIBUTE ? py_child(f, all, FIELD_OBJECT) : 0;
    if (object == 0 || !py_is(f, object, "self") || py_argument(f, call, 0) != 0 ||
        !guess_word(py_name(f, all), words) || !(span_eq(method, SPAN("max")) || span_eq(method, SPAN("sum"))) ||
        memory_of(f, call) == 0)
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s goes through the whole memory each time",
                                             RULE_TEXT(f, call));
    rule_why(found, "A memory has up to millions of priorities; one of them changes.");
    rule_advice(found, "Keep the largest in a number, or the sums in a tree.");
}

/* Is n run at each step: by itself, or in a function that a forward() calls? */
static bool at_each_step(struct project *p, const struct py_file *f, uint32_t n)
{
    enum { SITES_MAX = 8 };
    uint32_t function = py_function_of(f, n);
    struct steps steps;
    size_t n_sites = 0;

    if (fact_steps(p, f, n, &steps) != NOT_SEEN)
        return true;
    const struct call_site *sites = function > 1 ? fact_callers(p, f, function, &n_sites) : NULL;
    for (size_t i = 0; i < n_sites && i < SITES_MAX; i++)
        if (in_forward(fact_file(p, sites[i].file), sites[i].call))
            return true;
    return false;
}

static bool in_constructor(const struct py_file *f, uint32_t n)
{
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && py_is(f, name, "__init__");
}

/* torch.triu(torch.ones(n, n), 1): which tokens come later; the same for all inputs of a length. */
static void check_mask(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t of = fact_is(p, f, call, "torch.triu") || fact_is(p, f, call, "torch.tril") ? py_argument(f, call, 0) : 0;

    if (of == 0 || py_kind(f, of) != PY_CALL || !fact_has(p, f, of, TRAIT_BLANK_TENSOR) || in_constructor(f, call) ||
        !at_each_step(p, f, call) || fact_first_time(f, call, py_function_of(f, call)))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_LOW, "the same triangular mask is made at every step");
    rule_why(found, "It depends on the length alone, and takes as many numbers as its square.");
    rule_advice(found,
                "Make it once for the greatest length, as a buffer of the module, and cut it; or pass is_causal=True.");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const char *what = made(p, f, call);
    struct steps steps;

    check_memory(r, p, f, call);
    check_largest(r, f, call);
    check_mask(r, p, f, call);
    if (what == NULL || builds(f, call) || fact_steps(p, f, call, &steps) == NOT_SEEN)
        return;
    bool forward = in_forward(f, call);
    if (forward && fact_has(p, f, call, TRAIT_OPTIMIZER)) /* it fits something by itself */
        return;
    if (!forward && (steps.entry != 0 || fact_loader(p, steps.file, steps.loop.node) == 0 ||
                     fact_first_time(f, call, steps.loop.node) || fact_guarded(f, call, steps.loop.node)))
        return;
    if (forward && fact_first_time(f, call, py_function_of(f, call)))
        return;
    rule_report(r, call, CHECK_HIGH, "%s is made again %s", what, forward ? "in each forward()" : "at every step");
}

const struct rule_looks rule_PP614 = {.call = check_call};
