/* PP305: a data set that is built anew in each epoch, from the same things. */
#include "check/rules/rule.h"

/* The statement-wide chain of transformations that begins with the call: its outermost call. */
static uint32_t whole_chain(struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage stage;

    for (;;) {
        uint32_t attribute = py_parent(f, call), outer = py_parent(f, attribute);
        if (py_kind(f, attribute) != PY_ATTRIBUTE || f->nodes[call].field != FIELD_OBJECT ||
            py_kind(f, outer) != PY_CALL || !fact_stage(p, f, outer, &stage))
            return call;
        call = outer;
    }
}

/* numpy.random.shuffle(x), random.shuffle(x), x = x[perm], load(x): changes that the call does not
 * show by a name on its left. */
static bool handed_to_shuffle(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t sym = f->nodes[n].sym;

    for (uint32_t at = loop; at < f->nodes[loop].after; at++) {
        if (py_kind(f, at) != PY_CALL)
            continue;
        uint32_t callee = py_child(f, at, FIELD_FUNCTION);
        uint32_t list = py_child(f, at, FIELD_ARGUMENTS);
        if (list == 0 || !span_has(py_name(f, callee), "shuffle"))
            continue;
        for (uint32_t a = list; a < f->nodes[list].after; a++)
            if (py_kind(f, a) == PY_IDENTIFIER && f->nodes[a].sym == sym)
                return true;
    }
    return false;
}

/* Each argument of the call is the same in each round. */
static bool same_arguments(struct project *p, const struct py_file *f, uint32_t call,
                           uint32_t loop)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t a = list != 0 ? py_first(f, list) : 0; a != 0; a = py_next(f, a)) {
        uint32_t value =
            py_kind(f, a) == PY_KEYWORD_ARGUMENT ? py_child(f, a, FIELD_VALUE) : a;
        if (value == 0 || py_kind(f, value) == PY_DICTIONARY_SPLAT)
            return false;
        if (py_kind(f, value) != PY_LAMBDA && !fact_invariant(p, f, value, loop))
            return false;
        for (uint32_t n = value; n < f->nodes[value].after; n++)
            if (py_kind(f, n) == PY_IDENTIFIER && handed_to_shuffle(f, n, loop))
                return false;
    }
    return true;
}

/* What a function returns depends on more than its arguments: random numbers, files that others
 * write, attributes that change. */
struct purity {
    bool random;
    bool maps; /* traces a function, fills a buffer, copies arrays */
};

static bool look(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    struct purity *purity = ctx;
    const struct word *w = fact_word(p, f, call);
    struct stage stage;

    if (word_has(w, TRAIT_DRAWS) || word_has(w, TRAIT_ASKS_OUTSIDE))
        purity->random = true;
    if (fact_name(p, f, call).len == 0 && fact_stage(p, f, call, &stage) &&
        (stage.kind == STAGE_MAP || stage.kind == STAGE_CACHE || stage.kind == STAGE_INTERLEAVE))
        purity->maps = true;
    if (word_has(w, TRAIT_SLICES) || word_has(w, TRAIT_ONE_ELEMENT))
        purity->maps = true;
    return !purity->random;
}

/* Does the body read attributes of self that are set again after __init__, or globals? */
static bool reads_state(const struct py_file *f, uint32_t function)
{
    uint32_t scope = f->scopes[f->nodes[function].sym].parent;

    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        if (py_kind(f, n) == PY_GLOBAL || py_kind(f, n) == PY_NONLOCAL ||
            py_kind(f, n) == PY_YIELD)
            return true;
        if (py_kind(f, n) != PY_ATTRIBUTE || !py_is(f, py_child(f, n, FIELD_OBJECT), "self"))
            continue;
        for (uint32_t d = py_def_in(f, scope, f->nodes[n].sym); d != 0; d = f->defs[d].next) {
            uint32_t setter = py_function_of(f, f->defs[d].node);
            uint32_t name = setter > 1 ? py_child(f, setter, FIELD_NAME) : 0;
            if (f->defs[d].attribute && name != 0 && !py_is(f, name, "__init__"))
                return true;
        }
    }
    return false;
}

/* A function of the project that makes a data set from its arguments alone. */
static bool makes_dataset(struct project *p, const struct py_file *f, uint32_t call,
                          struct purity *purity)
{
    const struct py_file *file;
    uint32_t function;

    if (fact_value(p, f, call).kind != VALUE_DATASET ||
        !fact_callee(p, f, call, &file, &function) || py_kind(file, function) != PY_FUNCTION || reads_state(file, function))
        return false;
    fact_visit_calls(p, file, function, 3, look, purity);
    return !purity->random;
}

/* All transformations of the chain in this expression have arguments that stay the same. */
static bool chain_is_same(struct project *p, const struct py_file *f, uint32_t source,
                          uint32_t chain, uint32_t loop, struct purity *purity)
{
    for (uint32_t at = chain;; at = py_receiver(f, at, NULL)) {
        if (!same_arguments(p, f, at, loop))
            return false;
        look(purity, p, f, at);
        if (at == source)
            return true;
        if (py_receiver(f, at, NULL) == 0 || py_kind(f, py_receiver(f, at, NULL)) != PY_CALL)
            return false;
    }
}

static bool iterated_or_kept(const struct py_file *f, uint32_t chain)
{
    uint32_t around = py_parent(f, chain);
    enum py_kind kind = py_kind(f, around);

    /* Element of a list, key of a dictionary: it may be one of many, made for later. */
    return kind != PY_LIST && kind != PY_PAIR && kind != PY_RETURN && kind != PY_YIELD;
}

static uint32_t epoch_loop(struct project *p, const struct py_file *f, uint32_t call)
{
    for (struct loop loop = fact_loop(p, f, call); loop.node != 0;
         loop = fact_outer_loop(p, f, loop))
        if (fact_epoch_loop(f, loop.node))
            return loop.node;
    return 0;
}

/* Methods may be called on it, a data set's maker being one; another object is another data set. */
static bool bound_in(const struct py_file *f, uint32_t identifier, uint32_t loop)
{
    for (uint32_t d = py_def_of(f, identifier); d != 0; d = f->defs[d].next)
        if (f->defs[d].node > loop && f->defs[d].node < f->nodes[loop].after)
            return true;
    return false;
}

/* A data set from files or arrays, or what a function of the project makes. */
static bool begins_pipeline(struct project *p, const struct py_file *f, uint32_t call,
                            uint32_t loop, struct purity *purity)
{
    const struct word *w = fact_word(p, f, call);
    uint32_t receiver = py_receiver(f, call, NULL);

    if (word_has(w, TRAIT_DATA_MODULE) && fact_value(p, f, call).kind == VALUE_DATASET &&
        !word_has(w, TRAIT_ZIPS_DATASETS) && !word_has(w, TRAIT_DRAWS))
        return true;
    /* self.make(…): the object has to be the same. */
    return makes_dataset(p, f, call, purity) &&
           (receiver == 0 ||
            (py_kind(f, receiver) == PY_IDENTIFIER && !bound_in(f, receiver, loop)));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    struct purity purity = {0};
    struct stage stage;
    uint32_t loop = epoch_loop(p, f, call);

    if (loop == 0 || fact_stage(p, f, call, &stage) ||
        !begins_pipeline(p, f, call, loop, &purity))
        return;
    uint32_t chain = whole_chain(p, f, call);
    if (!iterated_or_kept(f, chain) || fact_guarded(f, chain, loop) ||
        fact_own_graph(p, f, call, loop) ||
        !chain_is_same(p, f, call, chain, loop, &purity) || purity.random)
        return;
    struct rule_finding *found =
        rule_report(r, call, purity.maps ? CHECK_HIGH : CHECK_LOW,
                    "%s is built again in each epoch (loop in %s)", RULE_TEXT(f, chain),
                    RULE_PLACE(f, f, loop));
    if (!purity.maps)
        rule_why(found, "Its arguments are the same in each epoch, but there is little work in it.");
}

const struct rule rule_PP305 = {
    .about = {
        .id = "PP305",
        .name = "pipeline-in-epoch-loop",
        .summary = "A data set is built again in each epoch",
        .why = "Its arguments are the same in each epoch; arrays are copied, functions "
               "traced, caches filled again.",
        .advice = "Build it once, before the loop, and iterate over it in each epoch.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
