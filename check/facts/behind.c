/* Loops behind calls: from a function up to the loops that call it. A question is a function and what an expression of
 * it depends on. Answers are remembered: the work grows with the number of questions, bounded by the project's size. */
#include "check/facts/project.h"

enum { CALLS_MAX = 12, SITES_MAX = 64, BODY_NODES_MAX = 20000 };

/* A function, and what is the same at each call. */
struct way_key {
    uint64_t function;
    struct depends depends;
};

static bool same_way(struct way_key a, struct way_key b)
{
    return a.function == b.function && a.depends.params == b.depends.params && a.depends.inside == b.depends.inside;
}

#include "base/map.h"

static uint64_t hash_way(struct way_key key, const struct map_secret *secret)
{
    uint64_t hash = map_hash_number(key.function, secret);

    hash = map_hash_number(hash + key.depends.params, secret);
    return map_hash_number(hash + key.depends.inside, secret);
}

/* The best loop from which the function is called so; file NULL: there is none, or it is being looked for. */
#define MEMO_NAME way_memo
#define MEMO_KEY struct way_key
#define MEMO_ANSWER struct behind
#define MEMO_HASH hash_way
#define MEMO_EQUAL same_way
#include "base/memo.h"

void ways_new(struct project *p)
{
    p->ways = mem_zero(1, sizeof *p->ways);
}

void ways_free(struct project *p)
{
    way_memo_clear(p->ways);
    mem_free(p->ways);
}

/* --- functions that are followed --- */

/* Makes layers or variables, or is a generator, whose body runs at other times than the call. */
static bool makes_or_yields(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t body = py_child(f, function, FIELD_BODY);

    if (f->nodes[body].after - body > BODY_NODES_MAX || fact_has_call(p, f, body, TRAIT_MAKES_VARIABLE))
        return true;
    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_YIELD && py_function_of(f, n) == function)
            return true;
        if (kind != PY_CALL)
            continue;
        const struct word *w = fact_word(p, f, n);
        if (word_has(w, TRAIT_LAYER) || word_has(w, TRAIT_LAYER_FUNCTION) || word_has(w, TRAIT_MODEL) ||
            word_has(w, TRAIT_MAKES_VARIABLE))
            return true;
    }
    return false;
}

static bool follows(struct project *p, const struct py_file *f, uint32_t function)
{
    /* Decorators that leave a call what it is. Others may remember, trace or replace the function. */
    static const char harmless[] =
        "staticmethod classmethod configurable override with_name_scope no_gradient deprecated "
        "export do_not_convert abstractmethod typechecked";
    uint32_t class = py_child(f, function, FIELD_NAME) != 0 ? py_class_of(f, function) : 0;

    /* Methods that run when objects are made, or when a framework likes to. */
    if (span_is_word(py_title(f, function), "__init__ __new__ __del__ setUp setUpClass build init reset") ||
        (class != 0 && (fact_derives(p, f, class, TRAIT_LAYER) || fact_derives(p, f, class, TRAIT_CALLBACK) ||
                        fact_derives(p, f, class, TRAIT_TEST_CASE))))
        return false;
    return !py_decorated(f, function, harmless, false) && !makes_or_yields(p, f, function) &&
           !fact_in_graph_function(p, f, py_child(f, function, FIELD_BODY));
}

/* --- on the way up --- */

/* `if …: return` before the statement, in its block: what follows is for some calls only. */
static bool returns_before(const struct py_file *f, uint32_t statement)
{
    for (uint32_t s = py_first(f, py_parent(f, statement)); s != 0 && s < statement; s = py_next(f, s))
        for (uint32_t n = s; py_kind(f, s) == PY_IF && n < f->nodes[s].after; n++)
            if (py_kind(f, n) == PY_RETURN && py_function_of(f, n) == py_function_of(f, s))
                return true;
    return false;
}

/* Does the node run what is directly in it, `from`, each time? `loop`: in a loop, not a function. */
static bool runs_each_time(struct project *p, const struct py_file *f, uint32_t at, uint32_t from, bool loop)
{
    enum py_kind kind = py_kind(f, at);

    switch (kind) {
    case PY_IF: /* its condition is asked, its body may not be reached */
        return f->nodes[from].field == FIELD_CONDITION;
    case PY_BOOLEAN_OPERATOR:
        return from == py_first(f, at);
    case PY_RETURN:
        return !loop;
    case PY_WITH: /* a block in which work is done on purpose: recorded, ordered, in a graph of its own */
        return !fact_has_call(p, f, py_first(f, at), TRAIT_KEEPS_BLOCK) ||
               fact_has_call(p, f, py_first(f, at), TRAIT_NAMES_BLOCK);
    case PY_BLOCK:
        return loop || !returns_before(f, from);
    default:
        return kind != PY_ELIF && kind != PY_ELSE && kind != PY_CASE && kind != PY_MATCH && kind != PY_CONDITIONAL &&
               kind != PY_EXCEPT && kind != PY_RAISE && kind != PY_ASSERT && kind != PY_LAMBDA && kind != PY_FUNCTION &&
               kind != PY_CLASS;
    }
}

/* Is n reached each time that `top`, a loop or function around it, runs its body? */
static bool reached_each_time(struct project *p, const struct py_file *f, uint32_t n, uint32_t top)
{
    bool loop = py_kind(f, top) != PY_FUNCTION && py_kind(f, top) != PY_LAMBDA;

    for (uint32_t at = py_parent(f, n), from = n; at > top; from = at, at = py_parent(f, at))
        if (!runs_each_time(p, f, at, from, loop))
            return false;
    return !fact_first_time(f, n, top) && !fact_own_graph(p, f, n, top);
}

/* Does it call the function itself, not one made of it (partial(f, …), tf.function(f)), nor Class.method(object, …)? */
static bool calls_itself(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), def = 0;
    const struct py_file *file = f;

    if (py_kind(f, callee) == PY_IDENTIFIER) {
        def = py_def_of(f, callee);
    } else if (py_kind(f, callee) == PY_ATTRIBUTE) {
        uint32_t object = py_child(f, callee, FIELD_OBJECT);
        struct value of = fact_value(p, f, object);
        if (of.kind == VALUE_MODULE)
            return true;
        if (of.kind == VALUE_INSTANCE)
            def = class_member_def(p, fact_file(p, of.file), of.node, f->syms[f->nodes[callee].sym], &file);
    }
    bool is = def != 0;
    for (; def != 0; def = file->defs[def].next) { /* do all give a function as it was written? */
        enum def_kind kind = (enum def_kind)file->defs[def].kind;
        uint32_t value = file->defs[def].value;
        is = is &&
             (kind == DEF_FUNCTION || kind == DEF_FROM || (kind == DEF_ASSIGN && py_kind(file, value) == PY_LAMBDA));
    }
    return is;
}

/* --- what a call hands over --- */

struct site {
    struct project *p;
    const struct py_file *f; /* of the call */
    uint32_t call;
    const struct py_file *callee_file;
    uint32_t callee;
    bool method; /* its first parameter is what stands before the dot */
};

/* The call's argument for the parameter; false: not seen. *argument 0: none, the default counts. */
static bool argument_of(const struct site *s, unsigned index, uint32_t *argument)
{
    const struct py_file *f = s->callee_file;
    uint32_t list = py_child(f, s->callee, FIELD_PARAMETERS), scope = f->nodes[s->callee].sym;

    for (uint32_t n = list; n < f->nodes[list].after; n++) {
        uint32_t number = py_kind(f, n) == PY_IDENTIFIER ? py_def_in(f, scope, f->nodes[n].sym) : 0;
        const struct py_def *def = &f->defs[number];
        if (number == 0 || def->kind != DEF_PARAM || def->index != (int)index)
            continue;
        *argument = fact_argument(s->f, s->call, f, def);
        return *argument != 0 || (!py_has_splat(s->f, s->call) && def->value != 0);
    }
    return false;
}

/* What stands before the dot is the same object in each round. */
static bool object_stays(const struct site *s, uint32_t loop)
{
    uint32_t object = py_receiver(s->f, s->call, NULL);
    struct depends ignored = {0};

    if (object == 0)
        return false;
    if (depends_on(s->p, s->f, object, DEPENDS_OBJECT, &ignored))
        return true;
    const struct py_def *def = py_bound(s->f, object);
    return def != NULL && def->kind == DEF_ASSIGN && !py_inside(s->f, def->node, loop);
}

/* Are all parameters in the set the same in every round of the loop around the call; with `loop` 0: on what of the
 * caller do they depend? */
static bool hands_same(const struct site *s, uint64_t params, uint32_t loop, struct depends *out)
{
    uint32_t object = py_receiver(s->f, s->call, NULL);

    for (unsigned i = 0; i < 64; i++) {
        uint32_t argument = 0;
        bool same = false;
        if ((params >> i & 1) == 0)
            continue;
        if (i == 0 && s->method)
            same = loop != 0 ? object_stays(s, loop)
                             : object != 0 && depends_on(s->p, s->f, object, DEPENDS_OBJECT, out);
        else if (argument_of(s, i, &argument))
            same = loop != 0 ? argument == 0 || fact_invariant(s->p, s->f, argument, loop)
                             : depends_on(s->p, s->f, argument, DEPENDS_VALUE, out);
        if (!same)
            return false;
    }
    return true;
}

/* --- the search --- */

static bool find(struct project *p, const struct py_file *f, uint32_t function, struct depends d, unsigned calls,
                 struct behind *where);

static bool way_through(const struct site *s, struct depends d, unsigned calls, struct behind *where)
{
    if (d.inside != 0 && (s->f != s->callee_file || !py_inside(s->f, s->call, d.inside)))
        return false;
    for (struct loop loop = fact_loop(s->p, s->f, s->call); loop.node != 0; loop = fact_outer_loop(s->p, s->f, loop)) {
        if (!reached_each_time(s->p, s->f, s->call, loop.node) || !hands_same(s, d.params, loop.node, NULL) ||
            fact_in_graph_function(s->p, s->f, s->call))
            return false;
        if (loop.trip == TRIP_SHORT || loop.rounds == 0)
            continue;
        *where = (struct behind){s->f, loop, s->callee_file, s->callee, 1};
        return true;
    }
    uint32_t caller = py_function_of(s->f, s->call);
    if (caller <= 1 || d.inside == caller || !reached_each_time(s->p, s->f, s->call, caller))
        return false;
    struct depends up = {0, d.inside};
    if (!hands_same(s, d.params, 0, &up) || !find(s->p, s->f, caller, up, calls + 1, where))
        return false;
    where->calls++;
    return true;
}

static struct behind best_way(struct project *p, const struct py_file *f, uint32_t function, struct depends d,
                              unsigned calls)
{
    struct behind best = {0};
    size_t n_counted = 0, n_fit = 0;

    if (!fact_once(p, f, function, follows) || fact_cached(f, function))
        return best;
    for (struct call_sites site = fact_callers(p, f, function); site.taken < SITES_MAX && fact_take(&site);) {
        struct site s = {p, site.file, site.call, f, function, fact_has_self(f, function)};
        struct behind found;
        /* Tests, examples and vendored code are no reason to change the project's own. */
        if (fact_role(p, f) == ROLE_CODE && fact_role(p, s.f) != ROLE_CODE)
            continue;
        n_counted++;
        if (!calls_itself(p, s.f, s.call) || !way_through(&s, d, calls, &found))
            continue;
        n_fit++;
        bool oftener = found.loop.trip > best.loop.trip;
        if (best.file == NULL || oftener || (found.loop.trip == best.loop.trip && found.calls < best.calls))
            best = found;
    }
    /* A function that others call with other arguments is a tool, which one of them should not change. */
    uint64_t params = fact_has_self(f, function) ? d.params & ~UINT64_C(1) : d.params;
    return params == 0 || n_fit * 2 >= n_counted ? best : (struct behind){0};
}

static bool find(struct project *p, const struct py_file *f, uint32_t function, struct depends d, unsigned calls,
                 struct behind *where)
{
    struct way_memo *memo = p->ways;
    struct way_key key = {place_key(f, function), d};

    if (calls > CALLS_MAX)
        return false;
    if (!way_memo_known(memo, key, where)) {
        (void)way_memo_keep(memo, key, (struct behind){.file = NULL});
        *where = best_way(p, f, function, d, calls);
        (void)way_memo_keep(memo, key, *where);
    }
    return where->file != NULL;
}

bool fact_behind(struct project *p, const struct py_file *f, uint32_t n, struct behind *where)
{
    uint32_t function = py_function_of(f, n);
    struct depends d = {0};
    struct repeated repeated;

    return function > 1 && fact_repeated(p, f, n, &repeated) && fact_once(p, f, function, follows) &&
           depends_on(p, f, n, DEPENDS_VALUE, &d) && reached_each_time(p, f, n, function) &&
           find(p, f, function, d, 1, where);
}
