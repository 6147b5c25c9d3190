/* PP403: a tf.function that is made anew again and again traces anew each time. */
#include "check/facts/guess.h"
#include "check/rules/rule.h"

/* strategy.run(step, args=…) calls what it is given. */
static bool runs_strategy(const struct py_file *f, uint32_t identifier)
{
    uint32_t list = py_parent(f, identifier), call = py_parent(f, list);
    struct span method;

    return py_kind(f, list) == PY_ARGUMENT_LIST && py_argument(f, call, 0) == identifier &&
           py_receiver(f, call, &method) != 0 && vocabulary_method_has(method, TRAIT_RUNS_REPLICA);
}

/* The sym is read in n outside of `not_in`, other than being bound. */
static bool is_called(const struct py_file *f, uint32_t n, uint32_t not_in, uint32_t sym)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        if (c == not_in) {
            c = f->nodes[c].after - 1;
            continue;
        }
        uint32_t callee = py_kind(f, c) == PY_CALL ? py_child(f, c, FIELD_FUNCTION) : 0;
        if (callee != 0 && py_kind(f, callee) == PY_IDENTIFIER && f->nodes[callee].sym == sym)
            return true;
        if (py_kind(f, c) == PY_IDENTIFIER && f->nodes[c].sym == sym && runs_strategy(f, c))
            return true;
    }
    return false;
}

/* Is the name handed on here: returned, stored, given to other code? */
static bool use_keeps(const struct py_file *f, uint32_t name)
{
    switch (py_kind(f, py_parent(f, name))) {
    case PY_RETURN:
    case PY_YIELD:
    case PY_ASSIGNMENT:
    case PY_PAIR:
    case PY_LIST:
    case PY_TUPLE:
    case PY_EXPRESSION_LIST:
    case PY_ARGUMENT_LIST:
    case PY_KEYWORD_ARGUMENT:
        return f->nodes[name].field != FIELD_FUNCTION && f->nodes[name].field != FIELD_LEFT && !runs_strategy(f, name);
    default:
        return false;
    }
}

/* The sym is handed on in n. Then it may be kept. */
static bool is_kept(const struct py_file *f, uint32_t n, uint32_t not_in, uint32_t sym)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        if (c == not_in)
            c = f->nodes[c].after - 1;
        else if (py_kind(f, c) == PY_IDENTIFIER && f->nodes[c].sym == sym && use_keeps(f, c))
            return true;
    }
    return false;
}

/* Is a model, optimizer or variable made there, too? A function of its own is right for it. */
static bool makes_model(struct project *p, const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"build", "create", "make", "get_model", "load", "export", "save", "new_", NULL};

    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        uint32_t callee = py_kind(f, c) == PY_CALL ? py_child(f, c, FIELD_FUNCTION) : 0;
        if (callee == 0)
            continue;
        struct value v = fact_value(p, f, c);
        if (v.kind == VALUE_VARIABLE || v.kind == VALUE_MODEL ||
            (v.kind == VALUE_INSTANCE && py_kind(f, callee) == PY_IDENTIFIER))
            return true;
        if (v.kind == VALUE_OBJECT && fact_name_word(p, v.name)->framework == FRAMEWORK_KERAS)
            return true;
        if (py_kind(f, callee) == PY_IDENTIFIER && guess_word(py_text(f, callee), words))
            return true;
    }
    return false;
}

struct made {
    uint32_t node;  /* to report */
    uint32_t whole; /* the definition with its decorators, or the call */
    uint32_t sym;   /* the name it is given, or 0 */
    bool at_once;   /* called where it is made: tf.function(f)(x) */
};

static void report(struct rule_run *r, const struct py_file *f, const struct made *m, const struct repeated *where)
{
    struct rule_finding *found = rule_report(r, m->node, CHECK_HIGH, "this makes a new tf.function each time it runs");

    rule_why(found, "The loop in %s %s it, and each tf.function is traced again.",
             RULE_PLACE(f, where->file, where->loop.node), where->by_call ? "calls" : "repeats");
}

static bool called_in_loop(struct project *p, const struct py_file *f, uint32_t body, const struct made *m)
{
    for (uint32_t c = body; c < f->nodes[body].after; c++) {
        if (c == m->whole) {
            c = f->nodes[c].after - 1;
            continue;
        }
        uint32_t callee = py_kind(f, c) == PY_CALL ? py_child(f, c, FIELD_FUNCTION) : 0;
        if (callee != 0 && py_kind(f, callee) == PY_IDENTIFIER && f->nodes[callee].sym == m->sym &&
            fact_loop(p, f, c).node != 0)
            return true;
    }
    return false;
}

static bool is_tensor_range(struct project *p, const struct py_file *f, uint32_t over)
{
    const struct word *w = fact_word(p, f, over);

    return word_has(w, TRAIT_COUNTS) && w->framework == FRAMEWORK_TENSORFLOW;
}

/* Is it made in the first round only, cached, or together with a model of its own? */
static bool is_made_once(struct project *p, const struct py_file *f, const struct made *m, uint32_t home)
{
    return fact_first_time(f, m->whole, home) || fact_cached(f, py_function_of(f, m->whole)) ||
           fact_once(p, f, py_body(f, home), makes_model);
}

/* Is the function called in the body, and kept nowhere? */
static bool only_called(const struct py_file *f, uint32_t body, const struct made *m)
{
    return m->at_once || (m->sym != 0 && is_called(f, body, m->whole, m->sym) && !is_kept(f, body, m->whole, m->sym));
}

/* `for _ in tf.range(n)` runs in a graph: it is traced once, however many rounds it makes. */
static bool runs_in_graph(struct project *p, const struct repeated *where)
{
    uint32_t over = py_child(where->file, where->loop.node, FIELD_RIGHT);

    return (over != 0 && is_tensor_range(p, where->file, over)) ||
           fact_in_graph_function(p, where->file, where->loop.node);
}

static void judge(struct rule_run *r, struct project *p, const struct py_file *f, const struct made *m)
{
    struct repeated where;
    uint32_t function = py_function_of(f, m->whole);

    if (fact_in_graph_function(p, f, m->whole) || !fact_repeated(p, f, m->whole, &where))
        return;
    uint32_t home = where.by_call || where.file != f ? function : where.loop.node;
    uint32_t body = py_body(f, home);
    if (home <= 1 || is_made_once(p, f, m, home) || !only_called(f, body, m))
        return;
    if ((where.by_call && fact_role(p, where.file) != ROLE_CODE) || runs_in_graph(p, &where))
        return;
    /* Called in a loop of its own function: one trace serves many rounds. */
    if (home == function && m->sym != 0 && called_in_loop(p, f, body, m))
        return;
    report(r, f, m, &where);
}

static void check_definition(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t decorator = fact_graph_decorator(p, f, function);
    uint32_t name = py_child(f, function, FIELD_NAME);

    if (decorator == 0 || name == 0)
        return;
    struct made m = {decorator, py_parent(f, function), f->nodes[name].sym, false};
    judge(r, p, f, &m);
}

static bool makes_function(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);

    return first != 0 && callee != 0 && py_kind(f, callee) != PY_CALL && fact_has(p, f, call, TRAIT_GRAPH_FUNCTION);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (!makes_function(p, f, call) || py_up(f, call, PY_DECORATOR) != 0)
        return;
    uint32_t around = py_parent(f, call);
    struct made m = {call, call, 0, false};
    m.at_once = py_kind(f, around) == PY_CALL && f->nodes[call].field == FIELD_FUNCTION;
    uint32_t left = py_kind(f, around) == PY_ASSIGNMENT ? py_child(f, around, FIELD_LEFT) : 0;
    if (left != 0 && py_kind(f, left) == PY_IDENTIFIER) {
        m.sym = f->nodes[left].sym;
        m.whole = around;
    }
    judge(r, p, f, &m);
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (uint32_t c = 1; c < f->n_nodes; c++)
        if (py_kind(f, c) == PY_FUNCTION)
            check_definition(r, p, f, c);
    for (size_t i = 0; i < n; i++)
        check_call(r, p, f, calls[i]);
}

const struct rule rule_PP403 = {
    .about =
        {
            .id = "PP403",
            .name = "function-in-loop",
            .summary = "A tf.function is made, and traced, in each round",
            .why = "Each new tf.function is traced again, which takes far longer than a step.",
            .advice = "Make it once, outside of the loop, and pass what changes as tensors.",
            .impact = CHECK_HIGH,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .run = run,
};
