/* PP409: a Python loop over the elements of a tensor, where an op takes all of them. */
#include "check/rules/batched.h"

/* --- tf.stack([f(x[i]) for i in range(batch_size)]) --- */

static bool is_batch_range(struct project *p, const struct py_file *f, uint32_t over)
{
    if (py_kind(f, over) != PY_CALL)
        return false;
    if (fact_has(p, f, over, TRAIT_SPLITS))
        return py_argument(f, over, 1) == 0 && py_keyword(f, over, "axis") == 0;
    if (!fact_has(p, f, over, TRAIT_RANGE))
        return false;
    return span_has_word(py_text(f, over), "batch BATCH");
}

/* The elements are x[i] of a tensor x. */
static bool picks_rows(const struct batched_body *b, uint32_t n)
{
    bool any = false;

    for (uint32_t at = n; at < b->f->nodes[n].after; at++) {
        if (py_kind(b->f, at) != PY_IDENTIFIER || b->f->nodes[at].sym != b->sym)
            continue;
        uint32_t around = py_parent(b->f, at);
        if (py_kind(b->f, around) != PY_SUBSCRIPT || b->f->nodes[at].field != FIELD_SUBSCRIPT ||
            py_kind(b->f, py_child(b->f, around, FIELD_VALUE)) != PY_IDENTIFIER)
            return false;
        any = true;
    }
    return any;
}

static const char *row_op(const struct batched_body *b, bool rows)
{
    const struct py_file *f = b->f;
    uint32_t first = py_kind(f, b->expression) == PY_CALL ? py_argument(f, b->expression, 0) : 0;

    if (lift_of_two(f, b->expression) || (rows && !picks_rows(b, b->expression)) ||
        (rows ? py_kind(f, first) != PY_SUBSCRIPT : !batched_is_parameter(b, first)))
        return NULL;
    for (uint32_t a = py_next(f, first); a != 0; a = py_next(f, a)) {
        uint32_t value = py_kind(f, a) == PY_KEYWORD_ARGUMENT ? py_child(f, a, FIELD_VALUE) : a;
        if (py_mentions(b->f, value, b->sym) && py_kind(f, value) != PY_SUBSCRIPT)
            return NULL;
    }
    const struct word *w = fact_word(b->p, f, b->expression);
    if (batched_instead(w) != NULL)
        return batched_instead(w);
    return word_has(w, TRAIT_ELEMENTWISE) ? "it takes the whole tensor" : NULL;
}

/* One tensor, whose elements have one shape; some ops give lists of tensors. */
static bool is_tensor(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);

    return (v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE) &&
           !word_has(fact_name_word(p, v.name), TRAIT_GIVES_MANY);
}

/* A name that is read nowhere else in its function: what it holds is not changed on the way. */
static bool read_once(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n), seen = 0;

    for (uint32_t at = function; at < f->nodes[function].after; at++)
        seen += py_kind(f, at) == PY_IDENTIFIER && f->nodes[at].sym == f->nodes[n].sym;
    return seen <= 2; /* where it is bound, and here */
}

/* [… for target in over], with nothing else. */
struct rounds {
    uint32_t loop, target, over, body;
};

static bool comprehension(const struct py_file *f, uint32_t list, struct rounds *rounds)
{
    uint32_t clauses = 0;

    if (py_kind(f, list) == PY_IDENTIFIER)
        list = read_once(f, list) ? py_assigned(f, list) : 0;
    if (py_kind(f, list) != PY_LIST_COMPREHENSION)
        return false;
    *rounds = (struct rounds){.loop = list, .body = py_child(f, list, FIELD_BODY)};
    for (uint32_t c = py_first(f, list); c != 0; c = py_next(f, c)) {
        if (py_kind(f, c) == PY_FOR_IN) {
            rounds->over = py_child(f, c, FIELD_RIGHT);
            rounds->target = py_child(f, c, FIELD_LEFT);
        }
        clauses += py_kind(f, c) == PY_FOR_IN || py_kind(f, c) == PY_IF_CLAUSE;
    }
    return clauses == 1 && rounds->target != 0;
}

/* What the loop's variable holds: elements of a tensor, or a counter that picks them. */
static bool begin(struct project *p, const struct py_file *f, const struct rounds *rounds, struct lift *l)
{
    uint32_t over = rounds->over, targets = rounds->target;

    *l = (struct lift){.p = p, .f = f, .loop = rounds->loop};
    if (py_kind(f, targets) == PY_IDENTIFIER) {
        bool rows = is_tensor(p, f, over) && !fact_has(p, f, over, TRAIT_COUNTS);
        if (rows)
            lift_name(l, f->nodes[targets].sym);
        else
            l->place = f->nodes[targets].sym;
        return true;
    }
    if (py_kind(f, over) != PY_CALL || !fact_has(p, f, over, TRAIT_ZIPS))
        return false;
    uint32_t target = py_first(f, targets);
    for (size_t i = 0; target != 0; i++, target = py_next(f, target)) {
        uint32_t of = py_argument(f, over, i);
        if (of == 0 || py_kind(f, target) != PY_IDENTIFIER || !is_tensor(p, f, of))
            return false;
        lift_name(l, f->nodes[target].sym);
    }
    return l->n_names > 0;
}

/* range(batch_size), range(x.shape[0]): the rounds go over a batch. */
static bool over_batch(struct project *p, const struct py_file *f, uint32_t over)
{
    if (is_batch_range(p, f, over))
        return true;
    return py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_COUNTS) && span_has(py_text(f, over), "shape");
}

/* range(x.shape[0]), range(tf.shape(x)[0]): the shape of what is a tensor. */
static bool over_tensor(struct project *p, const struct py_file *f, uint32_t over)
{
    for (uint32_t n = over; n < f->nodes[over].after; n++) {
        uint32_t of = py_kind(f, n) == PY_ATTRIBUTE ? py_first(f, n) : 0;
        if (py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_ASKS_SHAPE))
            return true;
        if (of != 0 && span_eq(py_name(f, n), SPAN("shape")))
            return is_tensor(p, f, of);
    }
    return false;
}

static enum check_impact impact_of(struct project *p, const struct py_file *f, const struct rounds *rounds,
                                   const struct lift *l)
{
    struct loop loop = fact_loop(p, f, rounds->body);
    bool batch = over_batch(p, f, rounds->over);
    bool sure = !l->unsure || is_batch_range(p, f, rounds->over) || over_tensor(p, f, rounds->over);
    bool many = sure && (loop.trip == TRIP_STEPS || batch) && !fact_in_mapper(p, f, rounds->loop);

    return many ? CHECK_MEDIUM : CHECK_LOW;
}

/* A handful of rounds, by their number, or by what the loop's names say. */
static bool is_short(struct project *p, const struct py_file *f, const struct rounds *rounds, bool picks)
{
    struct loop loop = fact_loop(p, f, rounds->body);

    if (loop.rounds >= 0)
        return loop.trip == TRIP_SHORT;
    return loop.trip == TRIP_SHORT && !picks && !over_batch(p, f, rounds->over);
}

/* tf.stack([… for x in …]), where what is done to each could be done to all. */
static void check_elements(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                           const struct rounds *rounds)
{
    struct lift l;

    if (!begin(p, f, rounds, &l) || !lift_depends(&l, rounds->body) ||
        !rule_needs(r, call, rounds->body, lift_expression(&l, rounds->body) && (l.tensors || l.n_names > 0),
                    "a part of it is not known to work on a whole tensor as on one element") ||
        (l.unsure && !over_batch(p, f, rounds->over)) || (l.place != 0 && !l.picks) ||
        !rule_needs(r, call, rounds->over, !is_short(p, f, rounds, l.ops == 0 && l.picks), "a handful of rounds"))
        return;
    if (l.ops == 0 && l.place != 0)
        rule_advice(rule_report(r, call, impact_of(p, f, rounds, &l), "%s is picked slice by slice",
                                RULE_TEXT(f, rounds->body)),
                    "Use tf.gather, with axis or batch_dims: it takes all places at once.");
    else if (l.ops > 0)
        rule_report(r, call, impact_of(p, f, rounds, &l), "%s is computed for one element after the other",
                    RULE_TEXT(f, rounds->body));
}

static void check_stack(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t list = py_argument_or(f, call, 0, "values");
    struct rounds rounds;

    if (!comprehension(f, list, &rounds))
        return;
    bool plain = py_kind(f, list) == PY_LIST_COMPREHENSION && py_argument(f, call, 1) == 0 &&
                 py_keyword(f, call, "axis") == 0 && py_kind(f, rounds.target) == PY_IDENTIFIER &&
                 is_batch_range(p, f, rounds.over);
    struct batched_body b = {.p = p, .f = f, .sym = f->nodes[rounds.target].sym, .expression = rounds.body};
    bool rows = !fact_has(p, f, rounds.over, TRAIT_SPLITS);
    const char *instead = plain ? row_op(&b, rows) : NULL;
    if (instead != NULL)
        rule_advice(rule_report(r, call, CHECK_MEDIUM, "%s is called for one element after the other",
                                RULE_TEXT(f, py_child(f, rounds.body, FIELD_FUNCTION))),
                    "Call it once: %s.", instead);
    else
        check_elements(r, p, f, call, &rounds);
}

/* for i in range(n): total += f(x[i]) */
static void check_for(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t loop)
{
    struct rounds rounds = {loop, py_child(f, loop, FIELD_LEFT), py_child(f, loop, FIELD_RIGHT),
                            py_child(f, loop, FIELD_BODY)};
    unsigned kept = 0;
    struct lift l;

    if (rounds.target == 0 || rounds.over == 0 || rounds.body == 0 ||
        !rule_needs(r, loop, rounds.over, !is_short(p, f, &rounds, false), "a handful of rounds") ||
        !begin(p, f, &rounds, &l) ||
        !rule_needs(r, loop, loop, lift_block(&l, rounds.body, &kept) && kept > 0 && l.ops > 0 && l.tensors,
                    "a statement in it is not known to work on a whole tensor as on one element") ||
        (l.place != 0 && !l.picks) || (l.unsure && !over_batch(p, f, rounds.over)))
        return;
    rule_report(r, loop, impact_of(p, f, &rounds, &l), "the loop works on one element of a tensor after the other");
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++) {
        const struct word *w = fact_word(p, f, calls[i]);
        if (word_has(w, TRAIT_STACKS) && w->framework == FRAMEWORK_TENSORFLOW)
            check_stack(r, p, f, calls[i]);
    }
    for (uint32_t node = 1; node < f->n_nodes; node++)
        if (py_kind(f, node) == PY_FOR)
            check_for(r, p, f, node);
}

const struct rule_looks rule_PP409 = {.says_lacks = true, .run = run};
