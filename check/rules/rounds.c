/* What differs from round to round of a loop. */
#include "check/rules/rounds.h"

bool rounds_of(const struct py_file *f, uint32_t comprehension, struct rounds *rounds)
{
    size_t clauses = 0;

    *rounds = (struct rounds){.loop = comprehension, .body = py_child(f, comprehension, FIELD_BODY)};
    for (uint32_t c = py_first(f, comprehension); c != 0; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_FOR_IN) {
            rounds->target = py_child(f, c, FIELD_LEFT);
            rounds->over = py_child(f, c, FIELD_RIGHT);
        }
        clauses += py_kind(f, c) == PY_FOR_IN || py_kind(f, c) == PY_IF_CLAUSE;
    }
    return (py_kind(f, comprehension) == PY_LIST_COMPREHENSION || py_kind(f, comprehension) == PY_GENERATOR) &&
           clauses == 1 && rounds->body != 0 && rounds->target != 0 && rounds->over != 0;
}

bool rounds_bind(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (py_kind(f, at) != PY_IDENTIFIER)
            continue;
        for (struct py_nodes use = py_uses(f, f->nodes[at].sym, loop); py_take(&use);)
            if (py_def_at(f, use.n) != 0)
                return true;
    }
    return false;
}

bool rounds_reach(const struct py_file *f, uint32_t n, uint32_t loop)
{
    enum { DEFS_MAX = 8 };

    for (uint32_t at = n; at < f->nodes[n].after; at++)
        for (struct py_defs d = py_reaching(f, f->nodes[at].field != FIELD_ATTRIBUTE ? at : 0, DEFS_MAX);
             py_take_def(&d);)
            if (py_inside(f, d.def->node, loop))
                return true;
    return false;
}

bool rounds_ask(const struct py_file *f, uint32_t n, uint32_t within)
{
    for (uint32_t up = n; up > within; up = py_parent(f, up))
        if (f->nodes[up].field == FIELD_CONDITION || py_kind(f, up) == PY_COMPARISON)
            return true;
    return false;
}

/* --- steps of an environment --- */

enum { CALLERS_DEEP = 3 };

/* state, reward, done, info = env.step(action): that many names, and no step of an optimizer. */
static bool steps_environment(const struct py_file *f, uint32_t assignment)
{
    enum { PARTS_MIN = 4, PARTS_MAX = 5 };
    uint32_t left = py_child(f, assignment, FIELD_LEFT), right = py_child(f, assignment, FIELD_RIGHT);
    size_t parts = 0;

    if (py_method(f, py_bare(f, right), "step") == 0 || py_kind(f, left) == PY_IDENTIFIER)
        return false;
    for (uint32_t c = py_first(f, left); c != 0; c = py_next(f, c))
        parts++;
    return parts >= PARTS_MIN && parts <= PARTS_MAX;
}

/* Does each round of the loop, not of one in it, step an environment? */
static bool plays(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_ASSIGNMENT && steps_environment(f, n) && fact_loop(p, f, n).node == loop)
            return true;
    return false;
}

/* if done: …, if steps % 1000 == 0: …: not at every step? */
static bool at_the_end(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n, up = py_parent(f, n); up != 0 && at != loop; at = up, up = py_parent(f, up)) {
        uint32_t test = py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_CONSEQUENCE
                            ? py_child(f, up, FIELD_CONDITION)
                            : 0;
        if (test != 0 && span_has_word(py_text(f, test), "done terminal terminated finished dead game_over %") &&
            !span_has(py_text(f, test), "not "))
            return true;
    }
    return false;
}

/* The loop around n, or around a call that leads to n, that steps an environment; 0: none is seen. */
static uint32_t loop_around(struct project *p, const struct py_file *f, uint32_t n, int depth,
                            const struct py_file **where)
{
    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_first_time(f, n, loop.node) || at_the_end(f, n, loop.node))
            return 0;
        if (fact_once(p, f, loop.node, plays)) {
            *where = f;
            return loop.node;
        }
    }
    uint32_t function = py_function_of(f, n);
    for (struct call_sites site = fact_callers(p, f, depth < CALLERS_DEEP ? function : 0); fact_take(&site);) {
        uint32_t loop = loop_around(p, site.file, site.call, depth + 1, where);
        if (loop != 0)
            return loop;
    }
    return 0;
}

uint32_t rounds_in_environment(struct project *p, const struct py_file *f, uint32_t n, const struct py_file **where)
{
    return loop_around(p, f, n, 0, where);
}
