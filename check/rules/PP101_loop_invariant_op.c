/* PP101: an op in a loop whose result is the same in every round. */
#include "check/rules/rule.h"

/* An expression, and the loop before which it could stand. */
struct place {
    uint32_t node, loop;
    enum trip trip;
};

/* An op that hands on what it gets, perhaps in another shape or type: no work to save. */
static bool hands_on(struct project *p, const struct py_file *f, uint32_t call)
{
    bool is = fact_has(p, f, call, TRAIT_HANDS_ON);

    for (uint32_t n = call + 1; is && n < f->nodes[call].after; n++)
        is = py_kind(f, n) != PY_CALL || fact_op(p, f, n) != OP_PURE;
    return is;
}

/* Is the call part of a larger invariant expression, or of one that makes state: tf.Variable(tf.zeros([3]))? Then that
 * one is judged. `loop`: 0 where the loop is behind calls. */
static bool part_of_other(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = py_parent(f, n); at > loop; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        struct behind ignored;
        if (kind == PY_BLOCK || kind == PY_FUNCTION || kind == PY_LAMBDA || kind == PY_CLASS)
            return false;
        if (kind != PY_CALL)
            continue;
        enum op_kind op = fact_op(p, f, at);
        struct value v = fact_value(p, f, at);
        if (op == OP_STATEFUL || v.kind == VALUE_MODEL || v.kind == VALUE_SESSION)
            return true;
        if (op == OP_PURE && (loop != 0 ? fact_invariant_through(p, f, at, loop)
                                        : !hands_on(p, f, at) && fact_behind(p, f, at, &ignored)))
            return true;
        if (loop != 0 && py_method(f, at, "run") != 0)
            return true; /* PP103 speaks of it */
    }
    return false;
}

/* A branch between the loop and the node, which may be taken in few rounds, or in none. */
static bool in_branch(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at > loop; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_IF || kind == PY_ELIF || kind == PY_CONDITIONAL || kind == PY_EXCEPT || kind == PY_RAISE ||
            kind == PY_ASSERT || kind == PY_RETURN || kind == PY_MATCH)
            return true;
    }
    return fact_first_time(f, n, loop);
}

static bool in_with_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop, enum trait trait)
{
    for (uint32_t at = py_parent(f, n); at > loop; at = py_parent(f, at)) {
        uint32_t clause = py_kind(f, at) == PY_WITH ? py_first(f, at) : 0;
        for (uint32_t c = clause; clause != 0 && c < f->nodes[clause].after; c++)
            if (py_kind(f, c) == PY_CALL && (trait == TRAIT_NONE || fact_has(p, f, c, trait)))
                return true;
    }
    return false;
}

/* Does the loop run a session: is it the loop of steps of a TF1 program? */
static bool runs_session(const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t receiver = py_method(f, n, "run");
        if (receiver != 0 && span_has(py_text(f, receiver), "sess"))
            return true;
    }
    return false;
}

/* The function's outermost loop where the expression is invariant, as in all between. A comprehension may need a tensor
 * for each element. */
static bool find_place(struct project *p, const struct py_file *f, uint32_t n, struct place *place)
{
    bool loops = false;

    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (!fact_invariant_through(p, f, n, loop.node) || in_branch(f, n, loop.node) ||
            fact_own_graph(p, f, n, loop.node) || in_with_of(p, f, n, loop.node, TRAIT_TAPE) ||
            part_of_other(p, f, n, loop.node))
            break;
        loops = loops || py_is_loop(f, loop.node);
        place->trip = place->node == 0 || loop.trip >= place->trip ? loop.trip : place->trip;
        place->node = n;
        place->loop = loop.node;
    }
    return loops;
}

/* Is there an op in it whose work grows faster than what goes in? */
static bool is_costly(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_CALL && fact_has(p, f, at, TRAIT_SUPERLINEAR))
            return true;
    return false;
}

/* Is a part of it bound in the loop, to more than a literal? Of three such findings that were read none
 * saved much: other ops of the round do the same to a batch of them. */
static bool made_in_loop(const struct py_file *f, const struct place *at)
{
    for (uint32_t n = at->node; n < f->nodes[at->node].after; n++) {
        const struct py_def *def = f->nodes[n].field != FIELD_ATTRIBUTE ? py_bound(f, n) : NULL;
        if (def == NULL || !py_inside(f, def->node, at->loop))
            continue;
        enum py_kind kind = py_kind(f, def->value);
        if (kind != PY_INTEGER && kind != PY_FLOAT && kind != PY_STRING)
            return true;
    }
    return false;
}

/* Is it noticeable work: an op whose work grows fast, in a loop of steps; or, in a graph, a node in each round? Hardly
 * any finding of small ops that was read was worth the change. */
static bool is_worth(struct project *p, const struct py_file *f, const struct place *at)
{
    uint32_t block = py_child(f, at->loop, FIELD_BODY), first = py_first(f, block), does = py_first(f, first);
    /* Is it all that the loop does? Then somebody measures how long it takes. */
    bool measured = py_kind(f, block) == PY_BLOCK && py_next(f, first) == 0 &&
                    py_kind(f, first) == PY_EXPRESSION_STATEMENT &&
                    (does == at->node || py_child_of(f, does, PY_ASSIGNMENT, FIELD_RIGHT) == at->node);

    if (at->trip == TRIP_SHORT || measured || made_in_loop(f, at) || fact_in_graph_function(p, f, at->node))
        return false;
    if (fact_mode(p, f) == MODE_GRAPH)
        return runs_session(f, at->loop) && (at->trip == TRIP_STEPS || is_costly(p, f, at->node));
    return is_costly(p, f, at->node);
}

/* --- the fix --- */

/* Every name in the expression is known to hold a tensor, a literal or a module, and was bound before the loop. */
static bool names_are_safe(struct project *p, const struct py_file *f, const struct place *at)
{
    for (uint32_t n = at->node; n < f->nodes[at->node].after; n++) {
        enum { DEFS_MAX = 8 };
        if (py_kind(f, n) == PY_LAMBDA || py_kind(f, n) == PY_FOR_IN)
            return false;
        if (py_kind(f, n) != PY_IDENTIFIER || f->nodes[n].field == FIELD_ATTRIBUTE ||
            py_kind(f, py_parent(f, n)) == PY_KEYWORD_ARGUMENT)
            continue;
        struct value v = fact_value(p, f, n);
        if (v.kind != VALUE_TENSOR && v.kind != VALUE_CONSTANT && v.kind != VALUE_NAME)
            return false;
        for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);)
            if (f->nodes[d.def->node].start >= f->nodes[at->loop].start)
                return false;
    }
    return true;
}

/* An expression that a fix gives a name to before a loop: eye_once, eye_once2, … */
struct hoisted {
    uint32_t loop;
    struct span text, op; /* op: the last part of its name */
    unsigned number;
};

enum { HOISTED_MAX = 256 };

/* Those of one file; one that comes again before the same loop gets the name that it has. */
struct hoists {
    struct hoisted all[HOISTED_MAX];
    size_t n;
};

static void name_hoisted(const struct hoisted *h, struct buf *out)
{
    buf_set(out, h->op);
    buf_add_text(out, "_once");
    if (h->number > 1)
        buf_addf(out, "%u", h->number);
}

/* The name for the expression before the loop, in *name. False when no more are to be had. */
static bool hoist(struct hoists *hoists, const struct py_file *f, struct hoisted h, struct buf *name)
{
    enum { NUMBER_MAX = 100 };

    for (size_t i = 0; i < hoists->n; i++)
        if (hoists->all[i].loop == h.loop && span_eq(hoists->all[i].text, h.text)) {
            name_hoisted(&hoists->all[i], name);
            return true;
        }
    for (h.number = 1; h.number < NUMBER_MAX && hoists->n < HOISTED_MAX; h.number++) {
        name_hoisted(&h, name);
        bool given = py_sym(f, buf_span(name)) != 0;
        for (size_t i = 0; i < hoists->n && !given; i++)
            given = span_eq(hoists->all[i].op, h.op) && hoists->all[i].number == h.number;
        if (!given) {
            hoists->all[hoists->n++] = h;
            return true;
        }
    }
    return false;
}

static void add_fix(struct rule_run *r, struct project *p, const struct py_file *f, const struct place *at,
                    struct span op, struct hoists *hoists)
{
    enum { BLANKS_MAX = 200 }; /* more than anybody writes */
    AT_END(buf_clear) struct buf name = {0}, statement = {0};
    struct hoisted h = {.loop = at->loop, .text = py_text(f, at->node), .op = span_after_last(op, '.')};

    struct span before = rule_before(f, at->loop);

    if (h.text.len > 500 || span_has(h.text, "\n") || before.len > BLANKS_MAX || span_trim(before).len > 0 ||
        in_with_of(p, f, at->node, at->loop, TRAIT_NONE) || py_up(f, at->node, PY_TRY) > at->loop ||
        !names_are_safe(p, f, at) || !py_is_loop(f, at->loop))
        return;
    if (hoist(hoists, f, h, &name)) {
        buf_addf(&statement, "%s = %.*s", buf_cstr(&name), SPAN_ARG(h.text));
        rule_fix(r, "compute it once before the loop");
        rule_statement(r, at->loop, buf_span(&statement));
        rule_edit(r, f->nodes[at->node].start, f->nodes[at->node].end, "%s", buf_cstr(&name));
    }
}

/* --- behind calls --- */

enum { FEEDS_NODES_MAX = 5000 };

/* Does all that is made of the op's result, kept in a variable, go into ops that are reported? */
static bool feeds_reported(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t statement = py_statement(f, n), assignment = py_first(f, statement);
    uint32_t function = py_function_of(f, n);
    uint32_t left = py_child_of(f, assignment, PY_ASSIGNMENT, FIELD_LEFT);

    if (left == 0 || py_kind(f, left) != PY_IDENTIFIER || f->nodes[function].after - function > FEEDS_NODES_MAX)
        return false;
    bool fed = false;
    uint32_t def = py_def_in(f, f->nodes[function].sym, f->nodes[left].sym);
    if (def == 0 || f->defs[def].next != 0)
        return false;
    for (struct py_nodes u = py_uses(f, f->nodes[left].sym, function); py_take(&u);) {
        uint32_t use = u.n;
        if (use <= left || py_kind(f, use) != PY_IDENTIFIER || f->nodes[use].field == FIELD_ATTRIBUTE)
            continue;
        if (py_inside(f, use, n) || !part_of_other(p, f, use, 0))
            return false;
        fed = true;
    }
    return fed;
}

static bool is_worth_behind(struct project *p, const struct py_file *f, uint32_t call, const struct behind *at)
{
    enum py_kind kind = py_kind(at->file, at->loop.node);

    bool graph = fact_mode(p, at->file) == MODE_GRAPH;
    /* Graphs that grow are PP102's where it looks; what builds a graph once needs nothing, where the loop runs no session. */
    if (fact_mode(p, f) == MODE_GRAPH ||
        (graph && !fact_reaches(p, at->file, py_body(at->file, at->loop.node), fact_runs_session)) ||
        fact_has(p, f, call, TRAIT_FROM_LIST)) /* it may get a tensor already */
        return false;
    return graph || (at->loop.trip == TRIP_STEPS && (kind == PY_FOR || kind == PY_WHILE) &&
                     !fact_epoch_loop(at->file, at->loop.node) && fact_runs_eagerly(p, at->file, at->loop.node) &&
                     is_costly(p, f, call));
}

static void check_behind(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct behind at;
    char way[64] = "";

    if (hands_on(p, f, call) ||
        !rule_needs(r, call, call, fact_behind(p, f, call, &at),
                    "no loop is seen that calls its function with all that it depends on unchanged") ||
        !rule_needs(r, call, call, is_worth_behind(p, f, call, &at),
                    "the loop that calls its function builds a graph, or is not seen to run eagerly for many steps") ||
        part_of_other(p, f, call, 0) || feeds_reported(p, f, call))
        return;
    uint32_t entry = py_child(at.entry_file, at.entry, FIELD_NAME);
    struct span name = entry != 0 ? py_text(at.entry_file, entry) : SPAN("a lambda");
    if (at.calls > 1)
        (void)snprintf(way, sizeof way, " (%u calls away)", at.calls);
    rule_report(r, call, CHECK_MEDIUM, "%s gives the same at each call, in a loop", RULE_TEXT(f, call));
    rule_why(r, "The loop in %s calls %.*s()%s, and nothing that this depends on changes there.",
             RULE_PLACE(f, at.file, at.loop.node), SPAN_ARG(name), way);
    rule_advice(r, "Compute it once, before the loop, and pass it to the function.");
}

static void check_op(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                     struct hoists *hoists)
{
    struct place at = {0};

    if (fact_op(p, f, call) != OP_PURE || fact_has(p, f, call, TRAIT_PYTHON_OBJECT))
        return;
    if (!find_place(p, f, call, &at)) {
        uint32_t loop = fact_loop(p, f, call).node;
        rule_needs(r, call, loop != 0 ? loop : call, loop == 0,
                   "in that loop what it gives may change, it is in a branch, or it is part of another op");
        if (at.node == 0)
            check_behind(r, p, f, call);
        return;
    }
    if (!rule_needs(r, call, at.loop, is_worth(p, f, &at),
                    "few rounds, a graph that is built once, or an op of little cost"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s is the same in every round of the loop in %s", RULE_TEXT(f, call),
                RULE_PLACE(f, f, at.loop));
    add_fix(r, p, f, &at, fact_name(p, f, call), hoists);
}

static void check_file(struct rule_run *r, struct project *p, const struct py_file *f)
{
    struct hoists hoists;

    hoists.n = 0;
    for (struct py_nodes call = fact_calls(p, f); py_take(&call);)
        check_op(r, p, f, call.n, &hoists);
}

const struct rule_looks rule_PP101 = {.run = check_file};
