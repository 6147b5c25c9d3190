/* PP614: a module, optimizer or loader of PyTorch is made anew at every step. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* A class, by its name; not a module of those that are there, in a row. */
static bool is_layer_class(struct span name)
{
    size_t at = name.len;

    while (at > 0 && name.ptr[at - 1] != '.')
        at--;
    return at < name.len && name.ptr[at] >= 'A' && name.ptr[at] <= 'Z' &&
           !span_eq(name, SPAN("torch.nn.Sequential")) && !span_eq(name, SPAN("torch.nn.ModuleList"));
}

/* torchvision.models.resnet18 */
static bool is_network(struct span name)
{
    struct span family = SPAN("torchvision.models.");

    return span_starts(name, family) &&
           memchr(name.ptr + family.len, '.', name.len - family.len) == NULL;
}

/* Does it make a layer of PyTorch's with weights, or a whole network? */
static bool makes_layer(struct project *p, const struct py_file *f, uint32_t call, const struct word *w)
{
    if (!word_has(w, TRAIT_LAYER) || w->framework != FRAMEWORK_TORCH || word_has(w, TRAIT_WEIGHTLESS) ||
        word_has(w, TRAIT_WRAPS_MODULE))
        return false;
    return word_has(w, TRAIT_LOADS_MODEL) || is_network(fact_name(p, f, call)) ||
           is_layer_class(fact_name(p, f, call));
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
    static const char *const words[] = {"init", "make", "build", "create", "setup", "get_", "conv", "block",
                                        "layer", "configure", "load", "main", "run"};
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && span_has_any(py_text(f, name), words, ARRAY_LEN(words));
}

static bool in_forward(const struct py_file *f, uint32_t n)
{
    uint32_t name = py_child(f, py_function_of(f, n), FIELD_NAME);

    return name != 0 && py_is(f, name, "forward");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const char *what = made(p, f, call);
    struct steps steps;

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
    rule_report(r, call, CHECK_HIGH, "%s is made again %s", what,
                forward ? "in each forward()" : "at every step");
}

const struct rule rule_PP614 = {
    .about = {
        .id = "PP614",
        .name = "made-at-every-step",
        .summary = "A PyTorch module, optimizer or loader is made at every step",
        .why = "Making it takes longer than using it, and what it learned is lost.",
        .advice = "Make it once, before the loop or in the constructor.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .call = check_call,
};
