/* Functions of PyTorch that train or evaluate, as they are told. */
#include "check/rules/phases.h"

#include "check/facts/guess.h"
#include "check/facts/training.h"

enum { ROOT = 1, THROUGH_MAX = 3, SITES_MAX = 12 };

static const char evaluating[] = "val test eval dev infer";
static const char training[] = "train optim backward update learn";

/* if train, if phase == "train", if optimizer is not None: does the test ask what the code is for? */
static bool asks_phase(const struct py_file *f, uint32_t test)
{
    struct span text = py_text(f, test);
    bool asks = guess_word(text, "train phase optim eval valid split");

    for (uint32_t n = test; n < f->nodes[test].after; n++) {
        if (py_kind(f, n) == PY_CALL)
            return false;
        asks = asks || (py_kind(f, n) == PY_IDENTIFIER && py_is(f, n, "mode"));
    }
    return asks && !span_has(text, "%");
}

/* The `if` around n, in the function, that asks for the phase, and runs n when the answer is yes; otherwise 0. */
static uint32_t phase_branch(const struct py_file *f, uint32_t n, uint32_t function)
{
    for (uint32_t at = n, up; at > function; at = up) {
        up = py_parent(f, at);
        if (py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_CONSEQUENCE &&
            asks_phase(f, py_child(f, up, FIELD_CONDITION)))
            return up;
    }
    return 0;
}

/* The first `if` that asks for the phase, where all that goes backward in the function itself is in such; or 0. */
static uint32_t training_branch(const struct py_file *f, uint32_t function)
{
    uint32_t first = 0;

    for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("backward")), function); py_take(&use);) {
        if (py_kind(f, use.n) != PY_ATTRIBUTE || py_method(f, py_parent(f, use.n), "backward") == 0 ||
            py_function_of(f, use.n) != function)
            continue;
        uint32_t branch = phase_branch(f, use.n, function);
        if (branch == 0)
            return 0;
        first = first != 0 ? first : branch;
    }
    return first;
}

static bool runs_weights(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t module = fact_module_run(p, f, call);

    return module != 0 && (fact_value(p, f, module).kind != VALUE_INSTANCE || fact_has_weights(p, f, module));
}

/* Does the function run a module, and go backward in some of its calls only, as it is told? */
static bool serves_phases(struct project *p, const struct py_file *f, uint32_t function)
{
    bool runs = false;

    if (training_branch(f, function) == 0 || /* it says itself whether to record a graph */
        span_has_word(py_text(f, function), "no_grad set_grad_enabled inference_mode volatile"))
        return false;
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        if (py_kind(f, n) != PY_CALL || phase_branch(f, n, function) != 0)
            continue;
        struct function to;
        if (fact_callee(p, f, n, &to) && fact_goes_backward(p, to.f, to.n))
            return false;
        runs = runs || runs_weights(p, f, n);
    }
    return runs;
}

/* The definition, a parameter or what a loop goes over, by which the test is decided; NULL: it is not seen. */
static const struct py_def *decided_by(const struct py_file *f, uint32_t test, int depth)
{
    for (uint32_t n = test; depth < THROUGH_MAX && n < f->nodes[test].after; n++) {
        const struct py_def *def = f->nodes[n].field != FIELD_ATTRIBUTE ? py_bound(f, n) : NULL;
        if (def != NULL && def->kind == DEF_ASSIGN)
            def = decided_by(f, def->value, depth + 1);
        if (def != NULL && (def->kind == DEF_PARAM || def->kind == DEF_FOR))
            return def;
    }
    return NULL;
}

/* The parameter or loop that tells the function its phase; NULL: nothing that is seen. */
static const struct py_def *told_by(struct project *p, const struct py_file *f, uint32_t function)
{
    if (function <= ROOT || !fact_once(p, f, function, serves_phases))
        return NULL;
    return decided_by(f, py_child(f, training_branch(f, function), FIELD_CONDITION), 0);
}

/* What the call hands over for the parameter, or its default; *file: where that is. */
static uint32_t handed_over(const struct py_file *f, uint32_t call, const struct py_file *callee_file,
                            const struct py_def *param, const struct py_file **file)
{
    *file = f;
    if (param->index < 0 || py_has_splat(f, call))
        return 0;
    uint32_t argument = fact_argument(f, call, callee_file, param);
    if (argument != 0)
        return argument;
    *file = callee_file;
    return param->value;
}

/* Does the literal tell a function, whose parameter has the name, to evaluate? */
static bool says_evaluate(const struct py_file *f, uint32_t literal, struct span name)
{
    struct span text = py_text(f, literal);

    switch (py_kind(f, literal)) {
    case PY_STRING:
        return guess_word(text, evaluating) && !guess_word(text, training);
    case PY_FALSE:
        return guess_word(name, training);
    case PY_TRUE:
        return guess_word(name, evaluating) && !guess_word(name, training);
    case PY_NONE_LITERAL:
        return guess_word(name, training);
    default:
        return false;
    }
}

bool phases_evaluates(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *of;
    struct function to;
    const struct py_def *told = fact_callee(p, f, call, &to) ? told_by(p, to.f, to.n) : NULL;

    if (told == NULL || told->kind != DEF_PARAM || to.f->scopes[told->scope].node != to.n)
        return false;
    uint32_t argument = handed_over(f, call, to.f, told, &of);
    return says_evaluate(of, argument, to.f->syms[told->sym]) && !fact_without_grad(p, f, call);
}

/* for phase in ["train", "val"], for phase, loader in loaders.items() */
static bool goes_over_phases(const struct py_file *f, const struct py_def *def)
{
    return def->kind == DEF_FOR &&
           (guess_word(py_text(f, def->value), evaluating) || guess_word(f->syms[def->sym], "phase mode split"));
}

/* Does a caller tell the function its phase in a loop over phases, where a graph is recorded? */
static bool told_by_loop(struct project *p, const struct py_file *f, const struct py_def *param)
{
    for (struct call_sites site = fact_callers(p, f, f->scopes[param->scope].node);
         site.taken < SITES_MAX && fact_take(&site);) {
        const struct py_file *caller = site.file, *of;
        uint32_t argument = handed_over(caller, site.call, f, param, &of);
        const struct py_def *def = of == caller ? decided_by(caller, argument, 0) : NULL;
        if (def != NULL && goes_over_phases(caller, def) && !fact_without_grad(p, caller, site.call))
            return true;
    }
    return false;
}

bool phases_records_in_each(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);
    const struct py_def *def = runs_weights(p, f, call) ? told_by(p, f, function) : NULL;

    if (def == NULL || phase_branch(f, call, function) != 0 || fact_without_grad(p, f, call))
        return false;
    for (uint32_t n = function; n < call; n++)
        if (py_kind(f, n) == PY_CALL && phase_branch(f, n, function) == 0 && runs_weights(p, f, n))
            return false; /* it has the finding */
    return def->kind == DEF_FOR ? goes_over_phases(f, def) : told_by_loop(p, f, def);
}
