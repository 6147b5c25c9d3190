/* PP408, PP409: map_fn, or a loop of Python, over elements of a tensor, where an op takes all of them. */
#include "check/facts/lift.h"
#include "check/facts/shape.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

/* --- ops that take a batch as well as an element --- */

/* Ops on one element (the first argument) that take a batch too, or have a twin that does. What to write instead. */
static const struct {
    enum trait trait;
    const char *instead;
} batched[] = {
    {TRAIT_BATCHES_IMAGES, "it takes batches of images"},
    {TRAIT_MULTIPLIES_BATCHES, "it multiplies batches of matrices"},
    {TRAIT_BATCHES_MATRICES, "it takes batches of matrices"},
    {TRAIT_TAKES_LEADING_AXES, "it takes batches"},
    {TRAIT_TWIN_DIAG, "tf.linalg.diag takes batches"},
    {TRAIT_TWIN_DIAG_PART, "tf.linalg.diag_part takes batches"},
    {TRAIT_LONGER_PERM, "it takes batches, with a longer perm"},
    {TRAIT_GIVEN_AXIS, "give it the axis of the element"},
    {TRAIT_LAST_AXIS, "it works on the last axis of a batch"},
    {TRAIT_SORTS_LAST_AXIS, "it sorts along the last axis of a batch"},
    {TRAIT_BATCH_DIMS, "it takes batch_dims"},
    {TRAIT_BATCH_SHAPE, "it has batch_shape"},
};

/* NULL: it does not work on a batch in one of these ways. */
static const char *instead_of(const struct word *w)
{
    for (size_t i = 0; i < ARRAY_LEN(batched); i++)
        if (word_has(w, batched[i].trait))
            return batched[i].instead;
    return NULL;
}

/* The same, or that it goes over the numbers of any tensor. */
static const char *instead_of_any(const struct word *w)
{
    const char *instead = instead_of(w);

    return instead == NULL && word_has(w, TRAIT_ELEMENTWISE) ? "it takes the whole tensor" : instead;
}

/* What is done to each element. */
struct body {
    struct project *p;
    const struct py_file *f;
    uint32_t expression; /* what it gives */
    uint32_t sym;        /* its only parameter */
    bool tuple;          /* the parameter is a tuple of tensors: x[0] picks one */
};

/* What the argument gives, by position or name. */
static uint32_t given_by(const struct py_file *f, uint32_t argument)
{
    return py_kind(f, argument) == PY_KEYWORD_ARGUMENT ? py_child(f, argument, FIELD_VALUE) : argument;
}

static bool is_parameter(const struct body *b, uint32_t n)
{
    if (py_kind(b->f, n) == PY_IDENTIFIER)
        return !b->tuple && b->f->nodes[n].sym == b->sym;
    return b->tuple && py_kind(b->f, n) == PY_SUBSCRIPT && b->f->nodes[py_child(b->f, n, FIELD_VALUE)].sym == b->sym &&
           py_kind(b->f, py_child(b->f, n, FIELD_SUBSCRIPT)) == PY_INTEGER;
}

/* --- map_fn --- */

/* A number, a type, a name in capitals: nothing that broadcasts otherwise for a batch. */
static bool is_scalar(const struct body *b, uint32_t n)
{
    struct value v = fact_value(b->p, b->f, n);

    if (py_kind(b->f, n) == PY_UNARY_OPERATOR || py_kind(b->f, n) == PY_PARENTHESIZED)
        return py_first(b->f, n) != 0 && is_scalar(b, py_first(b->f, n));
    return v.kind == VALUE_CONSTANT || v.kind == VALUE_NAME;
}

static bool acts_by_element(const struct body *b, uint32_t n, int depth);

/* Do all operands, or all arguments, act by element? */
static bool all_act_by_element(const struct body *b, uint32_t first, int depth)
{
    for (uint32_t c = first; c != 0; c = py_next(b->f, c))
        if (!acts_by_element(b, given_by(b->f, c), depth + 1))
            return false;
    return true;
}

/* Only element-wise operations of the parameter and of scalars. */
static bool acts_by_element(const struct body *b, uint32_t n, int depth)
{
    const struct py_file *f = b->f;
    enum py_kind kind = py_kind(f, n);

    if (depth > 12)
        return false;
    if (is_parameter(b, n))
        return true;
    if (!py_mentions(b->f, n, b->sym))
        return is_scalar(b, n);
    if (kind == PY_PARENTHESIZED || kind == PY_UNARY_OPERATOR ||
        (kind == PY_BINARY_OPERATOR && !span_has(py_text(f, n), "@")))
        return all_act_by_element(b, py_first(f, n), depth);
    return kind == PY_CALL && fact_has(b->p, f, n, TRAIT_ELEMENTWISE) &&
           all_act_by_element(b, py_first(f, py_child(f, n, FIELD_ARGUMENTS)), depth);
}

/* One op on the parameter; its other arguments do not depend on it, or are a parameter as well. NULL: it is not. */
static const char *one_op(const struct body *b)
{
    const struct py_file *f = b->f;
    uint32_t list = py_child(f, b->expression, FIELD_ARGUMENTS), first = py_argument(f, b->expression, 0);

    if (py_kind(f, b->expression) != PY_CALL || !fact_certain(f, b->expression) || first == 0 ||
        py_kind(f, list) != PY_ARGUMENT_LIST || !is_parameter(b, first) || lift_of_two(f, b->expression))
        return NULL;
    for (uint32_t a = py_next(f, first); a != 0; a = py_next(f, a))
        if (py_mentions(f, given_by(f, a), b->sym) && !is_parameter(b, given_by(f, a)))
            return NULL;
    return instead_of(fact_word(b->p, f, b->expression));
}

/* A lambda of one parameter, or a function that only returns. */
static bool body_of(struct project *p, const struct py_file *f, uint32_t function, struct body *b)
{
    uint32_t first = py_first(f, py_child(f, function, FIELD_PARAMETERS));
    uint32_t body = py_child(f, function, FIELD_BODY), statement = 0;

    if (py_next(f, first) != 0 || py_kind(f, first) != PY_IDENTIFIER)
        return false;
    *b = (struct body){.p = p, .f = f, .sym = f->nodes[first].sym, .expression = body};
    if (py_kind(f, function) == PY_LAMBDA)
        return true;
    for (uint32_t s = py_first(f, body); s != 0; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_kind(f, py_first(f, s)) == PY_STRING)
            continue;
        if (statement != 0)
            return false;
        statement = s;
    }
    b->expression = py_first(f, statement);
    return py_kind(f, statement) == PY_RETURN && b->expression != 0;
}

/* A function of several steps that all work on batches. map_fn is for ragged tensors: rows of many lengths. */
static void check_steps(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                        enum check_impact impact, const struct py_file *file, uint32_t function)
{
    uint32_t mapped = py_argument_or(f, call, 0, "fn");
    uint32_t parameters = py_child(file, function, FIELD_PARAMETERS), self = 0;
    struct lift here = {.p = p, .f = f}, l = {.p = p, .f = file};
    unsigned bound = 0;

    struct function to;
    if (lift_function_of(&here, mapped, &to, &bound) && bound > 0)
        self = py_first(file, parameters);
    for (uint32_t n = parameters; n < file->nodes[parameters].after; n++)
        if (py_kind(file, n) == PY_IDENTIFIER && n != self)
            lift_name(&l, file->nodes[n].sym);
    if (l.n_names == 0 || span_has(py_text(f, call), "agged") ||
        !rule_needs(r, call, mapped, lift_function(&l, function) && l.ops > 0,
                    "a part of it is not known to work on a whole batch as on one element"))
        return;
    rule_report(r, call, l.guessed ? CHECK_LOW : impact,
                "map_fn() takes elements one by one; %s of it can be done to the whole tensor",
                l.guessed ? "most" : "all");
}

/* tf.map_fn(tf.reduce_sum, x) */
static void report_op(struct rule_run *r, uint32_t call, enum check_impact impact, struct span op, const char *instead)
{
    rule_report(r, call, impact, "map_fn() calls %.*s for one element after the other", SPAN_ARG(op));
    rule_advice(r, "Call it once: %s.", instead);
}

/* Of a function that does one thing: does that take the whole tensor? */
static bool check_expression(struct rule_run *r, uint32_t call, const struct body *b, enum check_impact impact)
{
    const char *instead = one_op(b);

    if (instead != NULL) {
        report_op(r, call, impact, fact_name(b->p, b->f, b->expression), instead);
        return true;
    }
    if (is_parameter(b, b->expression) || !py_mentions(b->f, b->expression, b->sym) ||
        !acts_by_element(b, b->expression, 0))
        return false;
    rule_report(r, call, impact, "map_fn() takes elements one by one; %s takes the whole tensor",
                RULE_TEXT(b->f, b->expression));
    return true;
}

static void check_map_fn(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_argument_or(f, call, 0, "fn");
    uint32_t elements = py_argument_or(f, call, 1, "elems");
    struct function to;
    struct body b;

    if (!fact_has(p, f, call, TRAIT_MAPS_ELEMENTS) || function == 0 || elements == 0 ||
        !rule_needs(r, call, function, fact_certain(f, function), "it is bound more than once, or a parameter"))
        return;
    if (!fact_function(p, f, function, &to)) {
        const char *instead = instead_of_any(fact_word(p, f, function));
        if (instead != NULL)
            report_op(r, call, CHECK_MEDIUM, fact_name(p, f, function), instead);
        return;
    }
    /* Are the elements a handful, or parts of a data set's element, little beside its reading and decoding? */
    enum { HANDFUL = 10 };
    struct shape s = shape_of(p, f, elements);
    bool few = s.rank > 0 && s.dims[0] >= 0 && s.dims[0] <= HANDFUL;
    bool named = (py_kind(f, elements) == PY_IDENTIFIER || py_kind(f, elements) == PY_LIST) &&
                 span_has_word(py_text(f, elements), "padding boxes keypoints landmarks anchors");
    struct span name = py_text(to.f, py_first(to.f, py_child(to.f, to.n, FIELD_PARAMETERS)));
    bool box = span_ends(name, SPAN("box")) || span_ends(name, SPAN("keypoint")) || span_ends(name, SPAN("landmark"));
    enum check_impact impact = few || named || box || fact_in_mapper(p, f, elements) ? CHECK_LOW : CHECK_MEDIUM;
    bool one = body_of(p, to.f, to.n, &b);
    uint32_t value = py_assigned(f, elements);
    enum py_kind kind = py_kind(f, py_bare(f, value != 0 ? value : elements));
    b.tuple = one && (kind == PY_TUPLE || kind == PY_LIST);
    if (!one || !check_expression(r, call, &b, impact))
        check_steps(r, p, f, call, impact, to.f, to.n);
}

const struct rule_looks rule_PP408 = {.call = check_map_fn};

/* --- tf.stack([f(x[i]) for i in range(batch_size)]) --- */

static bool is_batch_range(struct project *p, const struct py_file *f, uint32_t over)
{
    if (py_kind(f, over) != PY_CALL)
        return false;
    if (fact_has(p, f, over, TRAIT_SPLITS))
        return py_argument(f, over, 1) == 0 && py_keyword(f, over, "axis") == 0;
    return fact_has(p, f, over, TRAIT_RANGE) && span_has_word(py_text(f, over), "batch BATCH");
}

/* The elements are x[i] of a tensor x. */
static bool picks_rows(const struct body *b, uint32_t n)
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

static const char *row_op(const struct body *b, bool rows)
{
    const struct py_file *f = b->f;
    uint32_t first = py_kind(f, b->expression) == PY_CALL ? py_argument(f, b->expression, 0) : 0;

    if (lift_of_two(f, b->expression) || (rows && !picks_rows(b, b->expression)) ||
        (rows ? py_kind(f, first) != PY_SUBSCRIPT : !is_parameter(b, first)))
        return NULL;
    for (uint32_t a = py_next(f, first); a != 0; a = py_next(f, a))
        if (py_mentions(f, given_by(f, a), b->sym) && py_kind(f, given_by(f, a)) != PY_SUBSCRIPT)
            return NULL;
    return instead_of_any(fact_word(b->p, f, b->expression));
}

/* One tensor, whose elements have one shape; some ops give lists of tensors. */
static bool is_tensor(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);

    return (v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE) &&
           !word_has(fact_name_word(p, v.name), TRAIT_GIVES_MANY);
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
    return is_batch_range(p, f, over) ||
           (py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_COUNTS) && span_has(py_text(f, over), "shape"));
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
    if (l.ops == 0 && l.place == 0)
        return;
    rule_report(r, call, impact_of(p, f, rounds, &l),
                l.ops > 0 ? "%s is computed for one element after the other" : "%s is picked slice by slice",
                RULE_TEXT(f, rounds->body));
    if (l.ops == 0)
        rule_advice(r, "Use tf.gather, with axis or batch_dims: it takes all places at once.");
}

static void check_stack(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t values = py_argument_or(f, call, 0, "values"), list = values;
    struct rounds rounds;

    if (py_kind(f, values) ==
        PY_IDENTIFIER) { /* read nowhere else in its function: what it has is not changed on the way */
        size_t seen = 0;
        for (struct py_nodes use = py_uses(f, f->nodes[values].sym, py_function_of(f, values)); py_take(&use);)
            seen += py_kind(f, use.n) == PY_IDENTIFIER;
        list = seen <= 2 ? py_assigned(f, values) : 0; /* where it is bound, and here */
    }
    if (py_kind(f, list) != PY_LIST_COMPREHENSION || !rounds_of(f, list, &rounds))
        return;
    bool plain = list == values && py_argument(f, call, 1) == 0 && py_keyword(f, call, "axis") == 0 &&
                 py_kind(f, rounds.target) == PY_IDENTIFIER && is_batch_range(p, f, rounds.over);
    struct body b = {.p = p, .f = f, .sym = f->nodes[rounds.target].sym, .expression = rounds.body};
    bool rows = !fact_has(p, f, rounds.over, TRAIT_SPLITS);
    const char *instead = plain ? row_op(&b, rows) : NULL;
    if (instead == NULL) {
        check_elements(r, p, f, call, &rounds);
        return;
    }
    rule_report(r, call, CHECK_MEDIUM, "%s is called for one element after the other",
                RULE_TEXT(f, py_child(f, rounds.body, FIELD_FUNCTION)));
    rule_advice(r, "Call it once: %s.", instead);
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
    for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
        const struct word *w = fact_word(p, f, call.n);
        if (word_has(w, TRAIT_STACKS) && w->framework == FRAMEWORK_TENSORFLOW)
            check_stack(r, p, f, call.n);
    }
    for (uint32_t node = 1; node < f->n_nodes; node++)
        if (py_kind(f, node) == PY_FOR)
            check_for(r, p, f, node);
}

const struct rule_looks rule_PP409 = {.run = run};
