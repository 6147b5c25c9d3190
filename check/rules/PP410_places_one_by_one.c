/* PP410: a variable that is set place by place in a loop. */
#include "check/facts/lift.h"
#include "check/rules/rule.h"

/* Pieces, perhaps of many sizes. */
static bool takes_pieces(struct project *p, const struct py_file *f, uint32_t place, uint32_t loop)
{
    for (uint32_t n = place; n < f->nodes[place].after; n++)
        if (py_kind(f, n) == PY_SLICE && !fact_invariant(p, f, n, loop))
            return true;
    return false;
}

/* v[i].assign(x) in a loop over places. */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    enum { LINES_MAX = 10 };
    uint32_t receiver = py_method(f, call, "assign");
    struct loop loop = fact_loop(p, f, call);

    if (py_kind(f, receiver) != PY_SUBSCRIPT || fact_name(p, f, call).len > 0 ||
        !rule_needs(r, call, call, loop.node != 0 && py_kind(f, loop.node) == PY_FOR,
                    "no loop over places is seen that runs it in each round") ||
        !rule_needs(r, call, loop.node, loop.trip != TRIP_SHORT, "a handful of rounds") ||
        !rule_needs(r, call, receiver, !takes_pieces(p, f, receiver, loop.node),
                    "it is a piece, which may have another size in each round"))
        return;
    struct lift l = {.p = p, .f = f, .loop = loop.node}; /* what the loop counts with changes in each round */
    uint32_t target = py_child(f, loop.node, FIELD_LEFT);
    bool one = py_kind(f, target) == PY_IDENTIFIER;
    for (uint32_t t = one ? target : py_first(f, target); t != 0; t = one ? 0 : py_next(f, t))
        if (py_kind(f, t) == PY_IDENTIFIER)
            lift_name(&l, f->nodes[t].sym);
    uint32_t of = py_child(f, receiver, FIELD_VALUE);
    /* A loop that does much else goes on from what it found in earlier rounds, and needs the places before its end. */
    uint32_t lines = py_line(f, f->nodes[loop.node].end) - py_line(f, f->nodes[loop.node].start);
    if (!rule_needs(r, call, of, fact_value(p, f, of).kind == VALUE_VARIABLE, "it is not known to be a tf.Variable") ||
        !rule_needs(r, call, receiver, !lift_depends(&l, of) && lift_depends(&l, receiver),
                    "it is not seen to be another place of the same variable in each round") ||
        !rule_needs(r, call, loop.node, lines <= LINES_MAX, "a long loop, which may read what it has set"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s sets one place in each round of the loop in %s", RULE_TEXT(f, receiver),
                RULE_PLACE(f, f, loop.node));
}

const struct rule_looks rule_PP410 = {.call = check_call};
