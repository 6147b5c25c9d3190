/* PP621: a module of PyTorch runs again on what it ran on before, and gives the same. */
#include "check/facts/training.h"
#include "check/rules/gradients.h"
#include "check/rules/rule.h"

enum { DEFS_MAX = 4 };

/* A module, as far as is known with weights, that the call runs; 0: none. */
static uint32_t module_of(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t module = fact_module_run(p, f, call, NULL), name = py_child(f, py_function_of(f, call), FIELD_NAME);

    if (module == 0 || (name != 0 && py_is(f, name, "__init__")) /* it makes a module: layer(width) */ ||
        (fact_value(p, f, module).kind != VALUE_UNKNOWN && !fact_has_weights(p, f, module)))
        return 0;
    return module;
}

/* x, self.x, x[0], x, mask: names alone, and at least one. */
static bool gets_names(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);
    bool named = false;

    for (uint32_t n = list; list != 0 && n < f->nodes[list].after; n++) {
        enum py_kind kind = py_kind(f, n);
        named = named || kind == PY_IDENTIFIER;
        if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE && kind != PY_SUBSCRIPT && kind != PY_INTEGER &&
            kind != PY_KEYWORD_ARGUMENT && kind != PY_ARGUMENT_LIST)
            return false;
    }
    return named;
}

/* What is measured, warmed up, or drawn by chance is run again on purpose. */
static bool is_on_purpose(struct span text)
{
    static const char *const words[] = {"time(",   "perf_counter", "synchronize", "warm", "Event(", "dropout",
                                        "Dropout", "sample",       "ensemble",    "seed", "noise",  "random"};

    return span_has_any(text, words, ARRAY_LEN(words));
}

static bool is_result_used(const struct py_file *f, uint32_t call)
{
    return py_kind(f, py_parent(f, call)) != PY_EXPRESSION_STATEMENT;
}

/* --- twice in one function --- */

/* Does the first call always run before the second, in the same function, and not in another round of a loop? */
static bool runs_before(const struct py_file *f, uint32_t first, uint32_t second)
{
    uint32_t statement = py_statement(f, first), block = py_parent(f, statement);

    for (uint32_t up = py_parent(f, first); up > statement; up = py_parent(f, up)) {
        enum py_kind kind = py_kind(f, up);
        if (kind == PY_LAMBDA || kind == PY_CONDITIONAL || kind == PY_BOOLEAN_OPERATOR ||
            kind == PY_LIST_COMPREHENSION || kind == PY_GENERATOR || kind == PY_DICTIONARY_COMPREHENSION)
            return false;
    }
    return py_function_of(f, first) == py_function_of(f, second) && py_statement(f, second) != statement &&
           py_inside(f, second, block) && second > f->nodes[statement].after - 1;
}

/* Is the name bound by the same in both places, and by nothing between them? */
static bool is_same_name(const struct py_file *f, uint32_t a, uint32_t b)
{
    uint32_t defs[DEFS_MAX], others[DEFS_MAX];
    size_t n = py_reaching(f, a, defs, DEFS_MAX), m = py_reaching(f, b, others, DEFS_MAX);

    if (n != m)
        return false;
    for (size_t i = 0; i < n; i++)
        if (defs[i] != others[i] || (f->defs[defs[i]].node > a && f->defs[defs[i]].node < b))
            return false;
    return true;
}

/* The two calls have the same text: are all names in them the same? */
static bool are_same_names(const struct py_file *f, uint32_t first, uint32_t second)
{
    uint32_t a = first, b = second;

    for (; a < f->nodes[first].after && b < f->nodes[second].after; a++, b++)
        if (py_kind(f, a) == PY_IDENTIFIER && f->nodes[a].field != FIELD_ATTRIBUTE && !is_same_name(f, a, b))
            return false;
    return true;
}

/* The name that the expression begins with: x of x.data[0]. */
static uint32_t base_of(const struct py_file *f, uint32_t n)
{
    while (n != 0 && (py_kind(f, n) == PY_ATTRIBUTE || py_kind(f, n) == PY_SUBSCRIPT))
        n = py_child(f, n, py_kind(f, n) == PY_ATTRIBUTE ? FIELD_OBJECT : FIELD_VALUE);
    return n != 0 && py_is_named(f, n) ? n : 0;
}

/* Is a part of what the name stands for bound in the place: x[0] = …, x.mask += …? */
static bool is_written(const struct py_file *f, uint32_t place)
{
    while (py_kind(f, py_parent(f, place)) == PY_SUBSCRIPT || py_kind(f, py_parent(f, place)) == PY_ATTRIBUTE)
        place = py_parent(f, place);
    enum py_kind around = py_kind(f, py_parent(f, place));
    return f->nodes[place].field == FIELD_LEFT && (around == PY_ASSIGNMENT || around == PY_AUGMENTED_ASSIGNMENT);
}

/* Is there between the two what gives the module other weights, or another mode, or writes to its input? */
static bool changes_between(const struct py_file *f, uint32_t first, uint32_t second)
{
    static const char *const words[] = {"step(",   "backward(", ".train(", ".eval(", "load_state",
                                        "_update", "update_",   "reset",   "copy_("};
    struct span between = {f->code.ptr + f->nodes[first].end, f->nodes[second].start - f->nodes[first].end};
    uint32_t base = base_of(f, py_argument(f, first, 0));
    size_t n = 0;

    if (span_has_any(between, words, ARRAY_LEN(words)) || is_on_purpose(between))
        return true;
    const uint32_t *uses = base != 0 ? py_uses(f, f->nodes[base].sym, py_function_of(f, first), &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (uses[i] > first && uses[i] < second && is_written(f, uses[i]))
            return true;
    return false;
}

/* The call before this one, of the same function, that gave the same; 0: none. */
static uint32_t earlier(struct project *p, const struct py_file *f, uint32_t call)
{
    enum { LOOKED_AT_MAX = 64 };
    size_t n, at = 0;
    const uint32_t *calls = fact_calls(p, f, &n);
    struct span text = py_text(f, call);

    while (at < n && calls[at] < call)
        at++;
    for (size_t i = 0; i < LOOKED_AT_MAX && at > 0; i++) {
        uint32_t other = calls[--at];
        if (other < py_function_of(f, call))
            break;
        if (span_eq(py_text(f, other), text) && runs_before(f, other, call) && is_result_used(f, other) &&
            are_same_names(f, other, call) && !changes_between(f, other, call))
            return other;
    }
    return 0;
}

/* --- the same in each round --- */

/* Is the loop's own name used in its body, so that rounds differ? */
static bool uses_its_name(const struct py_file *f, uint32_t loop)
{
    uint32_t target = py_kind(f, loop) == PY_FOR ? py_child(f, loop, FIELD_LEFT) : 0,
             body = py_child(f, loop, FIELD_BODY);

    for (uint32_t n = target; target != 0 && body != 0 && n < f->nodes[target].after; n++) {
        size_t n_uses = 0;
        if (py_kind(f, n) == PY_IDENTIFIER)
            (void)py_uses(f, f->nodes[n].sym, body, &n_uses);
        if (n_uses > 0)
            return true;
    }
    return false;
}

/* Does the optimizer step what the module gets: optim.Adam([picture])? */
static bool steps_input(const struct py_file *f, const struct gradient_optimizer *o, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = list; n < f->nodes[list].after; n++)
        for (uint32_t w = o->weights; py_is_named(f, n) && w < f->nodes[o->weights].after; w++)
            if (py_is_named(f, w) && f->nodes[w].sym == f->nodes[n].sym)
                return true;
    return false;
}

/* Do optimizers, all of whose weights are seen, leave the module and what it gets as they are; and is it set to evaluate, so that nothing in
 * it is drawn by chance? */
static bool is_left_alone(struct project *p, const struct py_file *f, uint32_t call, uint32_t module)
{
    struct gradient_optimizer optimizers[OPTIMIZERS_MAX];
    size_t n = gradient_optimizers(p, f, optimizers), n_uses;

    for (size_t i = 0; i < n; i++)
        if (!optimizers[i].known || gradient_steps(f, &optimizers[i], py_text(f, module)) ||
            steps_input(f, &optimizers[i], call))
            return false;
    const uint32_t *uses = py_uses(f, py_sym(f, SPAN("train")), 1, &n_uses);
    for (size_t i = 0; i < n_uses; i++)
        if (py_kind(f, uses[i]) == PY_ATTRIBUTE)
            return false;
    (void)py_uses(f, py_sym(f, SPAN("eval")), 1, &n_uses);
    return n > 0 && n < OPTIMIZERS_MAX && n_uses > 0;
}

/* Is it a loop whose rounds differ, and leave the module as it is? */
static bool leaves_module(struct project *p, const struct py_file *f, uint32_t loop, uint32_t call, uint32_t module)
{
    if (fact_goes_backward(p, f, loop))
        return is_left_alone(p, f, call, module);
    return uses_its_name(f, loop) && !is_on_purpose(py_text(f, loop));
}

/* Is it a name that the loop only hands over, so that nothing but the callee could change what it stands for? */
static bool is_handed_over(const struct py_file *f, uint32_t n, uint32_t loop)
{
    size_t n_uses;
    const uint32_t *uses = py_uses(f, f->nodes[n].sym, loop, &n_uses);

    for (size_t i = 0; i < n_uses; i++)
        if (py_kind(f, uses[i]) == PY_IDENTIFIER && py_kind(f, py_parent(f, uses[i])) != PY_ARGUMENT_LIST)
            return false;
    return py_kind(f, n) == PY_IDENTIFIER;
}

/* The loop that runs the call on the same in each round, and leaves the module as it is; 0: none. */
static uint32_t same_each_round(struct project *p, const struct py_file *f, uint32_t call, uint32_t module,
                                enum certainty *sure)
{
    struct loop loop = fact_loop(p, f, call);
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    if (loop.node == 0 || loop.trip == TRIP_SHORT || fact_first_time(f, call, loop.node) ||
        fact_guarded(f, call, loop.node) || fact_invariant(p, f, module, loop.node) == NOT_SEEN ||
        !leaves_module(p, f, loop.node, call, module))
        return 0;
    for (uint32_t a = py_first(f, list); a != 0; a = py_next(f, a)) {
        uint32_t value = py_kind(f, a) == PY_KEYWORD_ARGUMENT ? py_child(f, a, FIELD_VALUE) : a;
        enum certainty same = fact_invariant(p, f, value, loop.node);
        if (same == NOT_SEEN)
            return 0;
        if (!is_handed_over(f, value, loop.node))
            *sure = same < *sure ? same : *sure;
    }
    return loop.node;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t module = gets_names(f, call) && is_result_used(f, call) ? module_of(p, f, call) : 0;
    uint32_t before = module != 0 ? earlier(p, f, call) : 0, loop = 0;
    enum certainty sure = module != 0 ? fact_module(p, f, module) : NOT_SEEN;
    struct rule_finding *found = NULL;
    struct steps steps;

    if (module == 0)
        return;
    if (before != 0) {
        bool seen = fact_steps(p, f, call, &steps) != NOT_SEEN;
        found = rule_report(r, call, seen ? CHECK_MEDIUM : CHECK_LOW, "%s gives the same as in %s", RULE_TEXT(f, call),
                            RULE_PLACE(f, f, before));
        rule_advice(found, "Keep the first result in a name.");
    } else if ((loop = same_each_round(p, f, call, module, &sure)) != 0) {
        found = rule_report(r, call, CHECK_MEDIUM, "%s gives the same in each round of the loop in %s",
                            RULE_TEXT(f, call), RULE_PLACE(f, f, loop));
    }
    if (found != NULL && loop != 0 && sure != CERTAIN)
        rule_unsure(found);
}

const struct rule rule_PP621 = {
    .about =
        {
            .id = "PP621",
            .name = "same-result-again",
            .summary = "A PyTorch module runs again on the same input",
            .why = "The module computes for a second time what is there already.",
            .advice = "Run it once, before the loop, and keep the result.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .uses = USES_TORCH,
    .call = check_call,
};
