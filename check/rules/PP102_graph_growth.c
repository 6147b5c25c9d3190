/* PP102: a TF1 graph that grows while it runs. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { CALLERS_DEPTH_MAX = 6, CALLERS_BUDGET = 400, BARREN_PLACES = 1024 };

/* What makes nodes, or costs as much, other than plain ops. */
static const struct {
    enum trait trait;
    const char *harm;
} kinds[] = {
    {TRAIT_SAVES, "adds save and restore ops for all variables"},
    {TRAIT_BACKWARD, "adds the backward pass once more"},
    {TRAIT_MAKES_FUNCTION, "adds a function with its own nodes"},
    {TRAIT_MAKES_VARIABLE, "adds a variable that is never freed"},
    {TRAIT_PLACEHOLDER, "adds a placeholder"},
    {TRAIT_INITIALIZES, "adds an initializer of all variables"},
};

static bool has_names(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = list; n < f->nodes[list].after; n++)
        if (py_kind(f, n) == PY_IDENTIFIER && py_kind(f, py_parent(f, n)) != PY_ATTRIBUTE &&
            f->nodes[n].field != FIELD_NAME)
            return true;
    return false;
}

/* v.assign(x) of something that is not known: variables that come out of a list, a zip(), a function.
 * Nothing else that is usual beside TensorFlow has such a method of one argument. */
static bool assigns(const struct py_file *f, uint32_t call, struct span method)
{
    uint32_t first = py_argument(f, call, 0);

    if (!vocabulary_method_has(method, TRAIT_ASSIGNS))
        return false;
    for (uint32_t a = first != 0 ? py_next(f, first) : 0; a != 0; a = py_next(f, a))
        if (py_kind(f, a) != PY_KEYWORD_ARGUMENT)
            return false;
    return first != 0 && py_kind(f, first) != PY_STRING && py_kind(f, first) != PY_DICTIONARY &&
           py_kind(f, first) != PY_LIST_SPLAT && py_kind(f, first) != PY_DICTIONARY_SPLAT;
}

/* v.assign(…), optimizer.minimize(…), iterator.get_next(): methods that make nodes. */
static const char *harm_of_method(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver == 0)
        return NULL;
    struct value v = fact_value(p, f, receiver);
    if (v.kind == VALUE_VARIABLE && span_starts(method, SPAN("assign")))
        return "adds an assign op";
    if (v.kind == VALUE_UNKNOWN && assigns(f, call, method))
        return "adds an assign op";
    if (v.kind == VALUE_ITERATOR && span_eq(method, SPAN("get_next")))
        return "adds a node that reads the data set";
    if (v.kind == VALUE_OBJECT && span_eq(method, SPAN("minimize")) &&
        fact_name_word(p, v.name)->framework == FRAMEWORK_TENSORFLOW)
        return "adds the backward pass once more";
    return NULL;
}

/* What the call does to the graph; NULL: nothing. */
static const char *harm_of(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    if (fact_name(p, f, call).len == 0)
        return harm_of_method(p, f, call);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (word_has(w, kinds[i].trait))
            return kinds[i].harm;
    if (word_has(w, TRAIT_NO_NODES))
        return NULL;
    if (word_has(w, TRAIT_DATA_MODULE) && fact_value(p, f, call).kind == VALUE_DATASET)
        return "adds the nodes of a data set and of its iterator";
    switch (w->op) {
    case OP_CHEAP:
        return has_names(f, call) && !word_has(w, TRAIT_PYTHON_OBJECT) ? "adds a node" : NULL;
    case OP_SESSION:
        return "opens another session";
    case OP_PURE:
    case OP_RANDOM:
    case OP_STATEFUL:
        return "adds nodes";
    default:
        return NULL;
    }
}

/* What session.run or eval is to fetch is PP103's. */
static bool is_fetched(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_parent(f, n); at != 0; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_BLOCK || kind == PY_FUNCTION || kind == PY_LAMBDA)
            return false;
        if (kind == PY_CALL && fact_runs_session(p, f, at))
            return true;
    }
    return false;
}

/* Functions from which no caller leads to a loop that grows a graph, as found out before at this depth;
 * most nodes of a file stand in few functions. Each has one place, which others may take. */
struct barren {
    uint32_t file, function, depth;
};

struct growth {
    struct project *p;
    struct barren *barren; /* BARREN_PLACES */
    uint32_t call;         /* that makes nodes, and what it does */
    const char *harm;
    size_t more;                /* calls like it in the same loop */
    const struct py_file *file; /* of the loop */
    uint32_t loop;
    bool by_call;
    bool conditional; /* behind an if on the way: perhaps only sometimes */
    unsigned budget;
};

static bool grows(struct growth *g, const struct py_file *f, uint32_t n, int depth);

/* The graph is thrown away in the loop, even if only at its end. */
static bool is_reset(struct project *p, const struct py_file *f, uint32_t within)
{
    return fact_has_call(p, f, within, TRAIT_RESETS_GRAPH);
}

/* A condition that may fail in some rounds; `step % 100 == 0` recurs, but `and` may switch it off. */
static bool is_conditional(const struct py_file *f, uint32_t n, uint32_t within)
{
    for (uint32_t at = py_parent(f, n); at > within; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        uint32_t test = py_child(f, at, FIELD_CONDITION);
        if (kind == PY_CONDITIONAL)
            return true;
        if ((kind == PY_IF || kind == PY_ELIF) && !py_inside(f, n, test) &&
            (!span_has(py_text(f, test), "%") || span_has(py_text(f, test), " and ")))
            return true;
    }
    return false;
}

/* In graph mode, Keras' models run the session as well. */
static bool runs_graph(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_runs_session(p, f, call) ||
           fact_value(p, f, fact_method(f, call, TRAIT_RUNS_MODEL)).kind == VALUE_MODEL;
}

/* The loops of n's own function. *stop: each round has its own graph, or n seldom runs. */
static bool grows_in_loops(struct growth *g, const struct py_file *f, uint32_t n, bool *stop)
{
    for (struct loop loop = fact_loop(g->p, f, n); loop.node != 0; loop = fact_outer_loop(g->p, f, loop)) {
        *stop = fact_own_graph(g->p, f, n, loop.node) || fact_first_time(f, n, loop.node) ||
                fact_once(g->p, f, loop.node, is_reset);
        if (*stop)
            return false;
        if (loop.trip != TRIP_SHORT && loop.rounds != 0 && fact_reaches(g->p, f, py_body(f, loop.node), runs_graph)) {
            g->file = f;
            g->loop = loop.node;
            g->conditional = is_conditional(f, n, loop.node);
            return true;
        }
    }
    return false;
}

/* The graph that the clause enters, with graph.as_default(); 0: none. */
static uint32_t entered(struct project *p, const struct py_file *f, uint32_t clause)
{
    for (uint32_t n = clause; n < f->nodes[clause].after; n++) {
        uint32_t graph = py_method(f, n, "as_default");
        if (graph != 0 && (span_has(py_text(f, graph), "raph") ||
                           word_has(fact_name_word(p, fact_value(p, f, graph).name), TRAIT_MAKES_GRAPH)))
            return graph;
    }
    return 0;
}

/* A `with …graph….as_default()` around n: the growing graph is not the loop's, unless it is the object's own: *kept. */
static bool in_graph_block(struct project *p, const struct py_file *f, uint32_t n, uint32_t function, bool *kept)
{
    for (uint32_t at = py_parent(f, n); at > function; at = py_parent(f, at)) {
        uint32_t clause = py_kind(f, at) == PY_WITH ? py_first(f, at) : 0;
        uint32_t graph = clause != 0 ? entered(p, f, clause) : 0;
        if (graph == 0)
            continue;
        *kept = fact_kept_graph(p, f, graph);
        return !*kept;
    }
    return false;
}

/* Is another object of the method's class made in the loop that was found: with a graph of its own? */
static bool makes_object(const struct growth *g, const struct py_file *f, uint32_t method)
{
    struct span class = py_title(f, py_up(f, method, PY_CLASS));

    for (uint32_t n = g->loop; class.len > 0 && n < g->file->nodes[g->loop].after; n++)
        if (span_eq(py_called(g->file, n), class))
            return true;
    return false;
}

/* Whether a caller of the function has a loop that grows the graph. */
static bool grows_in_callers(struct growth *g, const struct py_file *f, uint32_t function, int depth)
{
    uint64_t hash = ((uint64_t)f->number << 32 | function) * UINT64_C(0x9e3779b97f4a7c15);
    struct barren *place = &g->barren[((hash >> 40) + (uint64_t)depth) % BARREN_PLACES];

    if (place->file == f->number && place->function == function && place->depth == (uint32_t)depth)
        return false;
    for (struct call_sites site = fact_callers(g->p, f, function); fact_take(&site);)
        if (!fact_in_graph_function(g->p, site.file, site.call) && grows(g, site.file, site.call, depth + 1))
            return true;
    if (g->budget > 0) /* all were looked at */
        *place = (struct barren){f->number, function, (uint32_t)depth};
    return false;
}

static bool grows(struct growth *g, const struct py_file *f, uint32_t n, int depth)
{
    bool stop = false, kept = false;

    if (g->budget == 0 || depth > CALLERS_DEPTH_MAX)
        return false;
    g->budget--;
    if (grows_in_loops(g, f, n, &stop))
        return true;
    uint32_t function = py_function_of(f, n);
    if (stop || function <= 1 || fact_once(g->p, f, function, is_reset) || fact_own_graph(g->p, f, n, function) ||
        fact_first_time(f, n, function) || fact_cached(f, function) || in_graph_block(g->p, f, n, function, &kept))
        return false;
    if (!grows_in_callers(g, f, function, depth) || (kept && makes_object(g, f, function)))
        return false;
    g->by_call = true;
    g->conditional = g->conditional || is_conditional(f, n, function);
    return true;
}

static void report(struct rule_run *r, const struct py_file *f, const struct growth *g)
{
    struct project *p = g->p;
    enum file_role role = fact_role(p, g->file);
    bool session = span_has(span_of(g->harm), "session");
    bool little = (role != ROLE_CODE && role != ROLE_NOTEBOOK) || g->conditional ||
                  fact_has(p, f, g->call, TRAIT_DOES_NOTHING) ||
                  span_starts(py_title(g->file, py_function_of(g->file, g->loop)), SPAN("test")) ||
                  fact_once_in_epoch(p, g->file, g->loop) ||
                  (session && fact_has_call(p, g->file, g->loop, TRAIT_RESTORES));
    char others[64] = "";

    if (g->more > 0)
        (void)snprintf(others, sizeof others, " and %zu more like it", g->more);
    rule_report(r, g->call, little ? CHECK_LOW : CHECK_HIGH, "%s %s each time it runs", RULE_TEXT(f, g->call), g->harm);
    rule_why(r, "The loop in %s %s it%s, so each step is slower than the one before and memory grows.",
             RULE_PLACE(f, g->file, g->loop), g->by_call ? "calls" : "repeats", others);
    rule_unsure(r, !fact_in_program(p, g->file, g->loop));
}

enum { TOLD_MAX = 256 };

/* There is one finding for each loop: the first node, or the first that is not conditional. */
static void tell(struct growth *told, size_t *n, const struct growth *g)
{
    for (size_t i = 0; i < *n; i++) {
        size_t more = told[i].more + 1;
        if (told[i].file != g->file || told[i].loop != g->loop)
            continue;
        if (told[i].conditional && !g->conditional)
            told[i] = *g;
        told[i].more = more;
        return;
    }
    if (*n < TOLD_MAX)
        told[(*n)++] = *g;
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n_told = 0;

    if (fact_mode(p, f) != MODE_GRAPH)
        return;
    AT_END(mem_end) struct growth *told = mem_zero(TOLD_MAX, sizeof *told);
    AT_END(mem_end) struct barren *barren = mem_zero(BARREN_PLACES, sizeof *barren); /* function 0 is none */
    for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
        struct growth g = {
            .p = p, .barren = barren, .budget = CALLERS_BUDGET, .call = call.n, .harm = harm_of(p, f, call.n)};
        if (g.harm != NULL && !is_fetched(p, f, call.n) &&
            rule_needs(r, call.n, call.n, !fact_in_graph_function(p, f, call.n), "it runs in a tf.function") &&
            rule_needs(r, call.n, call.n, grows(&g, f, call.n, 0),
                       "no loop that runs a session repeats it, itself or by calls; or each round has its own graph"))
            tell(told, &n_told, &g);
    }
    for (size_t i = 0; i < n_told; i++)
        report(r, f, &told[i]);
}

const struct rule_looks rule_PP102 = {.run = run};
