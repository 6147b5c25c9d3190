/* PP408: map_fn where an op takes the whole batch. */
#include "check/facts/lift.h"
#include "check/rules/batched.h"

/* A number, a type, a name in capitals: nothing that broadcasts otherwise for a batch. */
static bool is_scalar(const struct batched_body *b, uint32_t n)
{
    struct value v = fact_value(b->p, b->f, n);

    if (py_kind(b->f, n) == PY_UNARY_OPERATOR || py_kind(b->f, n) == PY_PARENTHESIZED)
        return py_first(b->f, n) != 0 && is_scalar(b, py_first(b->f, n));
    return v.kind == VALUE_CONSTANT || v.kind == VALUE_NAME;
}

static bool acts_by_element(const struct batched_body *b, uint32_t n, int depth);

/* Do all operands, or all arguments, act by element? */
static bool all_act_by_element(const struct batched_body *b, uint32_t first, int depth)
{
    for (uint32_t c = first; c != 0; c = py_next(b->f, c)) {
        bool keyword = py_kind(b->f, c) == PY_KEYWORD_ARGUMENT;
        uint32_t value = keyword ? py_child(b->f, c, FIELD_VALUE) : c;
        if (!acts_by_element(b, value, depth + 1))
            return false;
    }
    return true;
}

/* Only element-wise operations of the parameter and of scalars. */
static bool acts_by_element(const struct batched_body *b, uint32_t n, int depth)
{
    const struct py_file *f = b->f;
    enum py_kind kind = py_kind(f, n);

    if (depth > 12)
        return false;
    if (batched_is_parameter(b, n))
        return true;
    if (!py_mentions(b->f, n, b->sym))
        return is_scalar(b, n);
    if (kind == PY_PARENTHESIZED || kind == PY_UNARY_OPERATOR)
        return all_act_by_element(b, py_first(f, n), depth);
    if (kind == PY_BINARY_OPERATOR)
        return !span_has(py_text(f, n), "@") && all_act_by_element(b, py_first(f, n), depth);
    if (kind != PY_CALL || !fact_has(b->p, f, n, TRAIT_ELEMENTWISE))
        return false;
    uint32_t list = py_child(f, n, FIELD_ARGUMENTS);
    return all_act_by_element(b, py_first(f, list), depth);
}

/* One op on the parameter, and what else it takes does not depend on the parameter, or is one as
 * well. NULL: it is not. */
static const char *one_op(const struct batched_body *b)
{
    const struct py_file *f = b->f;
    uint32_t list;

    if (py_kind(f, b->expression) != PY_CALL || !fact_certain(f, b->expression))
        return NULL;
    list = py_child(f, b->expression, FIELD_ARGUMENTS);
    uint32_t first = py_argument(f, b->expression, 0);
    if (first == 0 || py_kind(f, list) != PY_ARGUMENT_LIST || !batched_is_parameter(b, first) ||
        lift_of_two(f, b->expression))
        return NULL;
    for (uint32_t a = py_next(f, first); a != 0; a = py_next(f, a)) {
        uint32_t value = py_kind(f, a) == PY_KEYWORD_ARGUMENT ? py_child(f, a, FIELD_VALUE) : a;
        if (py_mentions(b->f, value, b->sym) && !batched_is_parameter(b, value))
            return NULL;
    }
    return batched_instead(fact_word(b->p, f, b->expression));
}

/* A lambda of one parameter, or a function that only returns. */
static bool body_of(struct project *p, const struct py_file *f, uint32_t function, struct batched_body *b)
{
    uint32_t parameters = py_child(f, function, FIELD_PARAMETERS);
    uint32_t body = py_child(f, function, FIELD_BODY), first, statement = 0;

    first = py_first(f, parameters);
    if (py_next(f, first) != 0 || py_kind(f, first) != PY_IDENTIFIER)
        return false;
    *b = (struct batched_body){.p = p, .f = f, .sym = f->nodes[first].sym, .expression = body};
    if (py_kind(f, function) == PY_LAMBDA)
        return true;
    for (uint32_t s = py_first(f, body); s != 0; s = py_next(f, s)) {
        bool text = py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_first(f, s) != 0 &&
                    py_kind(f, py_first(f, s)) == PY_STRING;
        if (text)
            continue;
        if (statement != 0)
            return false;
        statement = s;
    }
    if (py_kind(f, statement) != PY_RETURN || py_first(f, statement) == 0)
        return false;
    b->expression = py_first(f, statement);
    return true;
}

/* Are the elements known to be a handful, or parts of one element of a data set, beside whose reading and
 * decoding they are little? */
static enum check_impact worth(struct project *p, const struct py_file *f, uint32_t elements,
                               const struct py_file *file, uint32_t function)
{
    enum { HANDFUL = 10 };
    struct shape s = shape_of(p, f, elements);
    bool few = s.rank > 0 && s.dims[0] >= 0 && s.dims[0] <= HANDFUL;
    bool named = py_kind(f, elements) == PY_IDENTIFIER &&
                 span_has_word(py_text(f, elements), "padding boxes keypoints landmarks anchors");

    struct span name = py_text(file, py_first(file, py_child(file, function, FIELD_PARAMETERS)));
    bool box = span_ends(name, SPAN("box")) || span_ends(name, SPAN("keypoint")) || span_ends(name, SPAN("landmark"));
    return few || named || box || fact_in_mapper(p, f, elements) ? CHECK_LOW : CHECK_MEDIUM;
}

/* A function of several steps, all of which work on batches. Ragged tensors are what map_fn is for:
 * they have rows of many lengths. */
static void check_steps(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                        enum check_impact impact, const struct py_file *file, uint32_t function)
{
    uint32_t mapped = py_argument_or(f, call, 0, "fn");
    uint32_t parameters = py_child(file, function, FIELD_PARAMETERS), self = 0;
    struct lift here = {.p = p, .f = f}, l = {.p = p, .f = file};
    unsigned bound = 0;

    if (lift_function_of(&here, mapped, &file, &function, &bound) && bound > 0)
        self = py_first(file, parameters);
    for (uint32_t n = parameters; n < file->nodes[parameters].after; n++)
        if (py_kind(file, n) == PY_IDENTIFIER && n != self)
            lift_name(&l, file->nodes[n].sym);
    if (l.n_names == 0 || span_has(py_text(f, call), "agged") ||
        !rule_needs(r, call, mapped, lift_function(&l, function) && l.ops > 0,
                    "a part of it is not known to work on a whole batch as on one element"))
        return;
    if (l.guessed)
        rule_report(r, call, CHECK_LOW,
                    "map_fn() takes elements one by one; most of it can be done to the whole tensor");
    else
        rule_report(r, call, impact, "map_fn() takes elements one by one; all of it can be done to the whole tensor");
}

/* tf.map_fn(tf.reduce_sum, x) */
static void check_op(struct rule_run *r, uint32_t call, const struct word *w, struct span name)
{
    const char *instead = batched_instead(w);

    if (instead == NULL && !word_has(w, TRAIT_ELEMENTWISE))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM,
                                             "map_fn() calls %.*s for one element after the other", SPAN_ARG(name));
    if (instead != NULL)
        rule_advice(found, "Call it once: %s.", instead);
    else
        rule_advice(found, "Call it once: it takes the whole tensor.");
}

/* Of a function that does one thing: does that take the whole tensor? */
static bool check_expression(struct rule_run *r, uint32_t call, const struct batched_body *b, enum check_impact impact)
{
    const char *instead = one_op(b);

    if (instead != NULL) {
        struct span name = fact_name(b->p, b->f, b->expression);
        struct rule_finding *found = rule_report(r, call, impact, "map_fn() calls %.*s for one element after the other",
                                                 SPAN_ARG(name));
        rule_advice(found, "Call it once: %s.", instead);
        return true;
    }
    if (batched_is_parameter(b, b->expression) || !py_mentions(b->f, b->expression, b->sym) ||
        !acts_by_element(b, b->expression, 0))
        return false;
    rule_report(r, call, impact, "map_fn() takes elements one by one; %s takes the whole tensor",
                RULE_TEXT(b->f, b->expression));
    return true;
}

static void check_map_fn(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_argument_or(f, call, 0, "fn"), found;
    uint32_t elements = py_argument_or(f, call, 1, "elems");
    const struct py_file *file;
    struct batched_body b;

    if (!fact_has(p, f, call, TRAIT_MAPS_ELEMENTS) || function == 0 || elements == 0 ||
        !rule_needs(r, call, function, fact_certain(f, function), "it is bound more than once, or a parameter"))
        return;
    if (!fact_function(p, f, function, &file, &found)) {
        check_op(r, call, fact_word(p, f, function), fact_name(p, f, function));
        return;
    }
    enum check_impact impact = worth(p, f, elements, file, found);
    bool one = body_of(p, file, found, &b);
    uint32_t value = py_assigned(f, elements);
    enum py_kind kind = py_kind(f, py_bare(f, value != 0 ? value : elements));
    b.tuple = one && (kind == PY_TUPLE || kind == PY_LIST);
    if (!one || !check_expression(r, call, &b, impact))
        check_steps(r, p, f, call, impact, file, found);
}

const struct rule_looks rule_PP408 = {.says_lacks = true, .call = check_map_fn};
