/* PP103: sess.run(tf.op(…)) in a loop adds nodes to the graph at every step. */
#include "check/rules/rule.h"

/* The first op that is made inside what session.run is to fetch. */
static uint32_t op_in(struct project *p, const struct py_file *f, uint32_t fetches, struct span *name)
{
    for (uint32_t n = fetches; n < f->nodes[fetches].after; n++) {
        if (py_kind(f, n) == PY_LAMBDA) {
            n = f->nodes[n].after - 1;
            continue;
        }
        if (py_kind(f, n) != PY_CALL)
            continue;
        *name = fact_name(p, f, n);
        enum op_kind op = fact_op(p, f, n);
        if (op != OP_NONE && op != OP_SESSION &&
            (!fact_has(p, f, n, TRAIT_VARIABLE) || fact_has(p, f, n, TRAIT_MAKES_VARIABLE)))
            return n;
    }
    return 0;
}

/* --- for v in variables: sess.run(tf.assign(v, …)) --- */

/* A call in the fetches that assigns to what the loop goes through; 0: there is none. */
static uint32_t assigns_each(const struct py_file *f, uint32_t fetches, uint32_t loop)
{
    uint32_t target = py_child_of(f, loop, PY_FOR, FIELD_LEFT);

    for (uint32_t n = fetches; target != 0 && n < f->nodes[fetches].after; n++) {
        uint32_t callee = py_child_of(f, n, PY_CALL, FIELD_FUNCTION);
        if (!span_eq(py_name(f, callee), SPAN("assign")))
            continue;
        uint32_t object = py_child(f, callee, FIELD_OBJECT);
        uint32_t first = py_argument_or(f, n, 0, "ref");
        for (uint32_t t = target; t < f->nodes[target].after; t++)
            if (py_kind(f, t) == PY_IDENTIFIER &&
                ((f->nodes[object].sym == f->nodes[t].sym) || f->nodes[first].sym == f->nodes[t].sym))
                return n;
    }
    return 0;
}

/* A network has some dozens of variables, and often they are set once: a note. */
static void check_assigns(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                          uint32_t fetches)
{
    struct loop loop = fact_loop(p, f, call);
    uint32_t made = loop.node != 0 && loop.rounds < 0 ? assigns_each(f, fetches, loop.node) : 0;

    if (made == 0 || fact_own_graph(p, f, call, loop.node))
        return;
    rule_report(r, made, CHECK_LOW, "%s makes and runs one op for each variable, one by one", RULE_TEXT(f, made));
    rule_why(r, "The loop in %s runs each op alone, and another call of this adds them again.",
             RULE_PLACE(f, f, loop.node));
    rule_advice(r, "Make these ops once, fed by placeholders, and run them together.");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t session = py_method(f, call, "run"), receiver = py_receiver(f, call, NULL);
    struct value v = session != 0 ? fact_value(p, f, session) : (struct value){0};
    struct repeated where;
    struct span op;

    /* Of a parameter or attribute nothing may be known but its name. */
    bool run = v.kind == VALUE_UNKNOWN ? span_has(py_text(f, session), "sess") : v.kind == VALUE_SESSION;
    uint32_t fetches = run ? py_argument_or(f, call, 0, "fetches") : py_method(f, call, "eval");
    if (fetches == 0 || (!run && py_kind(f, fetches) != PY_CALL)) /* tf.argmax(x, 1).eval() */
        return;
    uint32_t made = op_in(p, f, fetches, &op);
    rule_needs(r, call, fetches, made != 0, "no call in it is known to make an op");
    if (made != 0 && rule_needs(r, call, call, fact_repeated(p, f, call, &where), "no loop is seen that repeats it")) {
        uint32_t within = where.by_call ? py_function_of(f, call) : where.loop.node;
        bool here = where.by_call || where.file == f;
        if (here && fact_own_graph(p, f, call, within))
            return;
        /* One initializer for each model, scope or restart hardly makes a graph grow. */
        bool rare = fact_has_call(p, where.file, where.loop.node, TRAIT_WAITS) ||
                    vocabulary_has(op, TRAIT_INITIALIZER_OP) || fact_once_in_epoch(p, where.file, where.loop.node);
        rule_report(r, made, rare ? CHECK_LOW : CHECK_HIGH,
                    "%.*s() inside %s adds a node to the graph each time this runs", SPAN_ARG(op),
                    run ? "session.run" : "eval()");
        rule_why(r, "%s in %s, so every step is slower than the one before.",
                 where.by_call ? "It is called in the loop" : "It is in the loop",
                 RULE_PLACE(f, where.file, where.loop.node));
        return;
    }
    if (run)
        check_assigns(r, p, f, call, fetches);
    /* A method that is there to be called again and again, with the session that its object keeps: each call adds to
     * the graph, though no loop around it is seen. */
    bool again = py_is(f, py_child_of(f, receiver, PY_ATTRIBUTE, FIELD_OBJECT), "self") &&
                 span_has_word(py_title(f, py_function_of(f, call)),
                               "predict step infer classify act encode decode evaluate score sample generate embed "
                               "transform recognize detect");
    if (made != 0 && run && again && !vocabulary_has(op, TRAIT_INITIALIZER_OP))
        rule_report(r, made, CHECK_LOW, "%.*s() adds a node to the graph at each call of this method", SPAN_ARG(op));
}

const struct rule_looks rule_PP103 = {.call = check_call};
