/* PP405: models that are compiled, loaded or built again and again. */
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

/* --- compile --- */

/* The attribute (self.model) is assigned in the loop, or in what it calls by a method. */
static bool rebuilt_in(struct project *p, const struct py_file *f, uint32_t model, uint32_t loop)
{
    if (fact_has_call(p, f, loop, TRAIT_BUILDS_MODEL))
        return true;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t left = py_child_of(f, n, PY_ASSIGNMENT, FIELD_LEFT);
        if (left != 0 && span_eq(py_text(f, left), py_text(f, model)))
            return true;
    }
    return false;
}

static void check_compile(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t model)
{
    for (struct loop loop = fact_loop(p, f, call); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (rounds_reach(f, model, loop.node) || rebuilt_in(p, f, model, loop.node) ||
            fact_first_time(f, call, loop.node))
            return;
        if (loop.trip == TRIP_SHORT || !fact_has_call(p, f, loop.node, TRAIT_RUNS_MODEL))
            continue;
        /* Do the arguments differ from round to round? compile is the way to try them. */
        bool settings = rounds_reach(f, py_child(f, call, FIELD_ARGUMENTS), loop.node);
        rule_report(r, call, settings ? CHECK_LOW : CHECK_HIGH, "%s compiles in each round of the loop in %s",
                    RULE_TEXT(f, call), RULE_PLACE(f, f, loop.node));
        rule_why(r, "The training function is built again each time, and the optimizer's state is lost.");
        rule_advice(r, "%s",
                    settings ? "Set a learning rate with model.optimizer.learning_rate."
                             : "Compile once, before the loop.");
        return;
    }
}

/* --- load_model --- */

/* The file is named by a literal, or by what the program sets once: the same each time. */
static bool constant_path(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS), function = py_function_of(f, call);

    for (uint32_t n = list; n < f->nodes[list].after; n++) {
        uint32_t def = py_is_variable(f, n) ? py_def_of(f, n) : 0;
        if (def == 0 || f->defs[def].kind == DEF_IMPORT || f->defs[def].kind == DEF_FROM)
            continue;
        if ((f->scopes[f->defs[def].scope].kind != SCOPE_MODULE && function > 1) || f->defs[def].next != 0 ||
            fact_value(p, f, n).kind == VALUE_INSTANCE)
            return false;
    }
    return list != 0;
}

/* Is the model trained there, so that each round wants a fresh one? */
static bool trains(struct project *p, const struct py_file *f, uint32_t n)
{
    return fact_has_call(p, f, n, TRAIT_TRAINS) || fact_has_call(p, f, n, TRAIT_CHANGES_WEIGHTS) ||
           fact_has_call(p, f, n, TRAIT_COMPILES_MODEL);
}

static bool clears(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_FREES_MODELS) || fact_method(f, call, TRAIT_FREES_MODELS) != 0;
}

/* The loop in the function itself, over which the same file is loaded; 0: none. */
static uint32_t loop_of_load(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (struct loop loop = fact_loop(p, f, call); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_first_time(f, call, loop.node) || !fact_invariant(p, f, list, loop.node))
            return 0;
        if (trains(p, f, loop.node) || fact_reaches(p, f, py_body(f, loop.node), clears))
            return 0;
        if (loop.trip != TRIP_SHORT)
            return loop.node;
    }
    return 0;
}

/* The handler of requests that the function is, or that calls it; 0: none is seen. */
static uint32_t handler_of(struct project *p, const struct py_file *f, uint32_t function, int depth,
                           const struct py_file **where)
{
    enum { DEEP_MAX = 4 };

    *where = f;
    if (function <= 1 || depth > DEEP_MAX || fact_cached(f, function))
        return 0;
    if (fact_handles_requests(f, function))
        return function;
    for (struct call_sites site = fact_callers(p, f, function); fact_take(&site);) {
        uint32_t around = py_function_of(site.file, site.call);
        uint32_t handler = fact_first_time(site.file, site.call, around)
                               ? 0
                               : handler_of(p, site.file, around, depth + 1, where);
        if (handler != 0)
            return handler;
    }
    return 0;
}

static bool loads_for_request(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                              uint32_t function)
{
    const struct py_file *where;
    uint32_t handler = handler_of(p, f, function, 0, &where);

    if (handler == 0)
        return false;
    rule_report(r, call, fact_role(p, f) == ROLE_CODE ? CHECK_HIGH : CHECK_LOW,
                "%s loads the same model at each request", RULE_TEXT(f, call));
    rule_sure(r);
    rule_why(r, "The handler in %s runs it, and the request waits for it.", RULE_PLACE(f, where, handler));
    rule_advice(r, "Load it once, when the service starts.");
    return true;
}

static void check_load(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct repeated where = {0};
    uint32_t function = py_function_of(f, call), loop = loop_of_load(p, f, call);

    if (loop != 0) {
        rule_report(r, call, CHECK_HIGH, "%s loads the same model in each round of the loop in %s", RULE_TEXT(f, call),
                    RULE_PLACE(f, f, loop));
        return;
    }
    if (!rule_needs(r, call, call, fact_loop(p, f, call).node == 0,
                    "its loop loads another model in each round, keeps it, trains it or clears it away") ||
        !rule_needs(r, call, call, function > 1 && constant_path(p, f, call),
                    "it is not in a function that loads the same file at each call") ||
        !rule_needs(r, call, function,
                    !trains(p, f, function) && !fact_cached(f, function) && !fact_first_time(f, call, function),
                    "the function trains the model, or keeps what it gives") ||
        loads_for_request(r, p, f, call, function) ||
        !rule_needs(r, call, function,
                    fact_repeated(p, f, call, &where) && !py_is(f, py_child(f, function, FIELD_NAME), "__init__"),
                    "no loop is seen that calls the function, nor a request") ||
        !rule_needs(r, call, function,
                    !trains(p, where.file, where.loop.node) &&
                        !fact_reaches(p, where.file, py_body(where.file, where.loop.node), clears),
                    "the loop that calls the function trains, or clears the session") ||
        !rule_needs(r, call, function, fact_has_call(p, f, function, TRAIT_RUNS_MODEL),
                    "the function is not seen to run the model"))
        return;
    rule_report(r, call, fact_role(p, where.file) == ROLE_CODE ? CHECK_HIGH : CHECK_LOW,
                "%s loads the same model at each call of the function", RULE_TEXT(f, call));
    rule_why(r, "The loop in %s calls it.", RULE_PLACE(f, where.file, where.loop.node));
    rule_advice(r, "Load it once, outside, and pass it to the function.");
}

/* --- models without clear_session --- */

static bool makes_model(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_MAKES_MODEL);
}

static bool trains_model(struct project *p, const struct py_file *f, uint32_t call)
{
    (void)p;
    return fact_method(f, call, TRAIT_FITS) != 0;
}

/* Does this use keep the model: in a list, a dictionary, an attribute, or by returning it? */
static bool use_keeps(const struct py_file *f, uint32_t n)
{
    uint32_t up = py_parent(f, n);

    switch (py_kind(f, up)) {
    case PY_RETURN:
    case PY_YIELD:
    case PY_PAIR:
    case PY_LIST:
    case PY_TUPLE:
    case PY_EXPRESSION_LIST:
    case PY_DELETE:
        return true;
    case PY_ASSIGNMENT:
        return f->nodes[n].field == FIELD_RIGHT;
    case PY_ARGUMENT_LIST:
        return py_method(f, py_parent(f, up), "append add") != 0;
    default:
        return false;
    }
}

/* The model outlives the round. */
static bool is_kept(const struct py_file *f, uint32_t loop, uint32_t sym)
{
    for (struct py_nodes use = py_uses(f, sym, loop); py_take(&use);)
        if (py_kind(f, use.n) == PY_IDENTIFIER && use_keeps(f, use.n))
            return true;
    return false;
}

/* Each round builds, compiles and traces the same model anew, after clearing; setting its weights back would do. */
static void check_same_model(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                             uint32_t loop)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    if (!fact_has_call(p, f, loop, TRAIT_CLEARS_SESSION) || !fact_invariant(p, f, list, loop) ||
        !fact_callee(p, f, call, NULL) || fact_mode(p, f) == MODE_GRAPH ||
        !fact_reaches(p, f, py_body(f, loop), trains_model))
        return;
    rule_report(r, call, CHECK_LOW, "%s builds the same model in each round of the loop in %s", RULE_TEXT(f, call),
                RULE_PLACE(f, f, loop));
    rule_why(r, "Its functions are traced again in each round.");
    rule_advice(r, "Build it once, keep get_weights(), and set_weights() at the start of each round.");
}

static void check_loop(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t sym)
{
    struct loop loop = fact_loop(p, f, call);

    if (!py_is_loop(f, loop.node))
        return;
    for (struct loop outer = loop; outer.node != 0; outer = fact_outer_loop(p, f, outer)) {
        if (!rule_needs(r, call, outer.node, !fact_first_time(f, call, outer.node), "it runs the first time only"))
            return;
        if (fact_own_graph(p, f, call, outer.node) || fact_reaches(p, f, py_body(f, outer.node), clears)) {
            if (outer.trip != TRIP_SHORT && !is_kept(f, outer.node, sym))
                check_same_model(r, p, f, call, outer.node);
            rule_lacks(r, call, outer.node, "each round has its own graph, or clears the session or the model");
            return;
        }
        if (outer.trip != TRIP_SHORT)
            loop = outer;
    }
    if (!rule_needs(r, call, loop.node, !is_kept(f, loop.node, sym), "the loop keeps the models") ||
        !rule_needs(r, call, loop.node, fact_reaches(p, f, py_body(f, loop.node), trains_model),
                    "nothing in the loop is seen to train a model"))
        return;
    rule_report(r, call, loop.trip == TRIP_SHORT ? CHECK_LOW : CHECK_HIGH,
                "%s gives a model in each round of the loop in %s", RULE_TEXT(f, call), RULE_PLACE(f, f, loop.node));
    rule_why(r, "Keras keeps what belongs to all of them, so memory grows and rounds get slower.");
    rule_advice(r, "Call keras.backend.clear_session() at the start of each round.");
}

/* The same in a function that a loop calls: def run(rate): m = Sequential(…); m.fit(…). */
static void check_called(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t sym)
{
    uint32_t function = py_function_of(f, call);
    struct repeated where = {0};

    if (function <= 1 || py_kind(f, function) != PY_FUNCTION || !makes_model(p, f, call) ||
        !rule_needs(r, call, function, fact_has_call(p, f, function, TRAIT_FITS), "the function trains nothing") ||
        !rule_needs(r, call, function,
                    !is_kept(f, function, sym) && !fact_first_time(f, call, function) && !fact_cached(f, function),
                    "the function keeps the model, or makes it the first time only") ||
        !rule_needs(r, call, function, !fact_own_graph(p, f, call, function) && !fact_reaches(p, f, function, clears),
                    "the function has its own graph, or clears the session or the model") ||
        !rule_needs(r, call, function, fact_repeated(p, f, call, &where) && where.by_call,
                    "no loop is seen that calls the function") ||
        !rule_needs(r, call, function,
                    !fact_own_graph(p, where.file, where.loop.node, 1) &&
                        !fact_reaches(p, where.file, py_body(where.file, where.loop.node), clears),
                    "the loop that calls the function clears the session, or has its own graph"))
        return;
    rule_report(r, call, fact_mode(p, f) == MODE_GRAPH ? CHECK_HIGH : CHECK_LOW,
                "%s gives a model at each call of the function", RULE_TEXT(f, call));
    rule_why(r, "The loop in %s calls it, and Keras keeps what belongs to all of the models.",
             RULE_PLACE(f, where.file, where.loop.node));
    rule_advice(r, "Call keras.backend.clear_session() at the start of each round.");
}

/* m = Sequential(…), m = build(…) */
static void check_build(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t left = py_child_of(f, py_parent(f, call), PY_ASSIGNMENT, FIELD_LEFT);
    struct function to;

    if (left == 0 || py_kind(f, left) != PY_IDENTIFIER)
        return;
    if (fact_loop(p, f, call).node == 0) {
        check_called(r, p, f, call, f->nodes[left].sym);
        return;
    }
    bool builds = makes_model(p, f, call);
    if (!builds && fact_value(p, f, call).kind == VALUE_MODEL && fact_callee(p, f, call, &to))
        builds = fact_reaches(p, to.f, to.n, makes_model);
    if (builds)
        check_loop(r, p, f, call, f->nodes[left].sym);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = fact_name(p, f, call);
    uint32_t model = py_method(f, call, "compile");
    bool compiles = model != 0 && fact_name(p, f, call).len == 0 && /* a known model, or what only Keras is given */
                    (fact_value(p, f, model).kind == VALUE_MODEL || py_keyword(f, call, "loss") != 0 ||
                     py_keyword(f, call, "optimizer") != 0);

    if (compiles)
        check_compile(r, p, f, call, model);
    /* keras.applications.… is a model, or one of the two functions around it */
    else if (vocabulary_has(name, TRAIT_LOADS_MODEL) && !span_has_word(name, "preprocess decode"))
        check_load(r, p, f, call);
    else
        check_build(r, p, f, call);
}

const struct rule_looks rule_PP405 = {.call = check_call};
