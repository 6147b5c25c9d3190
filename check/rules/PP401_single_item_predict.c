/* PP401: a model is asked about, or trained on, one item at a time. */
#include "check/facts/guess.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"
#include "check/rules/single.h"
#include "check/facts/shape.h"
#include "check/facts/training.h"

enum { FEW = 32 /* items: less work than a call of predict() has of its own */ };

/* --- is it part of an array whose shape is known? --- */

/* A function that does nothing but `for item in items: yield item`? */
static bool passes_on(const struct py_file *file, uint32_t function)
{
    uint32_t parameter = py_first(file, py_child(file, function, FIELD_PARAMETERS)), yields = 0;

    for (uint32_t n = function; n < file->nodes[function].after; n++) {
        if (py_kind(file, n) != PY_YIELD)
            continue;
        uint32_t loop = py_up(file, n, PY_FOR);
        if (loop < function ||
            !span_eq(py_text(file, py_first(file, n)), py_text(file, py_child(file, loop, FIELD_LEFT))) ||
            !span_eq(py_text(file, py_child(file, loop, FIELD_RIGHT)), py_text(file, parameter)))
            return false;
        yields++;
    }
    return yields == 1;
}

/* Progress bars and the like hand on what they iterate over. *sure: it is known that they do; of a
 * function that is not seen, takes one thing, and is not called after batches, it may be thought. */
static uint32_t wrapped(struct project *p, const struct py_file *f, uint32_t over, bool *sure)
{
    struct span name = fact_name(p, f, over);
    uint32_t first = py_argument(f, over, 0), callee = py_child(f, over, FIELD_FUNCTION);
    struct function to;

    *sure = fact_has(p, f, over, TRAIT_PROGRESS) || span_has(name, "rogress");
    if (*sure)
        return first;
    if (fact_callee(p, f, over, &to)) {
        *sure = py_kind(to.f, to.n) == PY_FUNCTION && passes_on(to.f, to.n);
        return *sure ? first : 0;
    }
    bool alone = py_next(f, first) == 0 &&
                 !guess_word(py_text(f, callee), "batch chunk group window split slice gen load zip enumerate range");
    return alone && py_kind(f, first) == PY_IDENTIFIER ? first : 0;
}

/* How many items the loop's own variable holds: `for x in array`, where the array's shape is known,
 * by its second axis; 0: not known. */
static int64_t items_of_element(struct project *p, const struct py_file *f, uint32_t item, uint32_t loop, bool *sure)
{
    uint32_t target = py_child(f, loop, FIELD_LEFT), over = py_child(f, loop, FIELD_RIGHT);
    const struct py_def *def = py_bound(f, item);

    if (py_kind(f, loop) != PY_FOR || py_kind(f, target) != PY_IDENTIFIER || def == NULL || def->node != target)
        return 0;
    *sure = true;
    if (py_kind(f, over) == PY_CALL && shape_of(p, f, over).rank == 0) {
        uint32_t inner = wrapped(p, f, over, sure);
        over = inner != 0 ? inner : over;
    }
    struct shape s = shape_of(p, f, over);
    return s.rank >= 2 && s.rank <= SHAPE_RANK_MAX && s.dims[1] > 0 ? s.dims[1] : 0;
}

/* --- must it be one at a time? --- */

static bool comes_singly(struct project *p, const struct py_file *f, uint32_t loop)
{
    (void)p;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct span name = py_called(f, n);
        /* A clock beside it, or a file of a video: the items could be had several at a time. */
        bool measures = py_receiver(f, n, NULL) != 0 && span_is_word(name, "time read");
        if (name.len > 0 && vocabulary_method_has(name, TRAIT_ONE_BY_ONE) && !measures)
            return true;
    }
    return false;
}

/* while i < n: …; i += 1, which is a `for`. */
static bool counts_up(const struct py_file *f, uint32_t loop)
{
    uint32_t test = py_child(f, loop, FIELD_CONDITION), name = py_first(f, py_bare(f, test));
    size_t changes = 0;
    bool by_one = false;

    if (name == 0 || py_kind(f, py_bare(f, test)) != PY_COMPARISON || py_kind(f, name) != PY_IDENTIFIER)
        return false;
    for (struct py_nodes use = py_uses(f, f->nodes[name].sym, loop); py_take(&use);) {
        uint32_t def = py_def_at(f, use.n);
        if (def == 0)
            continue;
        changes++;
        by_one = f->defs[def].kind == DEF_AUGMENT && py_kind(f, f->defs[def].value) == PY_INTEGER &&
                 !fact_guarded(f, use.n, loop);
    }
    return changes == 1 && by_one;
}

/* Items that come one by one, or whose order is not free. */
static bool one_by_one(struct project *p, const struct py_file *f, uint32_t loop)
{
    if ((py_kind(f, loop) == PY_WHILE && !counts_up(f, loop)) || fact_once(p, f, loop, comes_singly))
        return true;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_RETURN || kind == PY_YIELD || (kind == PY_BREAK && fact_loop(p, f, n).node == loop))
            return true;
    }
    return false;
}

/* Images as they are on disk have many sizes: no batch without a resize. */
static bool many_sizes(struct project *p, const struct py_file *f, uint32_t loop)
{
    struct span text = py_text(f, loop);

    return fact_has_call(p, f, loop, TRAIT_READS_PICTURE) && !span_has(text, "resize") &&
           !span_has(text, "target_size") && !span_has(text, "reshape");
}

/* Does the item come out of the loop's own variable, and out of nothing that a prediction gave? The same item in each
 * round is a measurement. */
static bool independent(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    return !fact_depends(f, list, call, loop) && fact_invariant(p, f, list, loop) == NOT_SEEN;
}

/* The loop in which the items could have been collected; false when there is none. */
static bool find_loop(struct project *p, const struct py_file *f, uint32_t call, struct loop *found)
{
    for (struct loop loop = fact_loop(p, f, call); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (one_by_one(p, f, loop.node) || !independent(p, f, call, loop.node) || fact_first_time(f, call, loop.node))
            return false;
        *found = loop;
        if (loop.trip != TRIP_SHORT)
            return true;
    }
    return false;
}

/* The model is made or trained anew in the loop: another one for each item. */
static bool model_changes(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop, bool trains)
{
    uint32_t model = py_child(f, call, FIELD_FUNCTION);
    uint32_t object = py_kind(f, model) == PY_ATTRIBUTE ? py_child(f, model, FIELD_OBJECT) : model;

    return (!trains && (fact_has_call(p, f, loop, TRAIT_TRAINS) || fact_has_call(p, f, loop, TRAIT_CHANGES_WEIGHTS) ||
                        fact_has_call(p, f, loop, TRAIT_REPLACES_MODEL))) ||
           rounds_reach(f, object, loop);
}

/* Does the same function ask the same model about batches elsewhere? Whoever wrote it knows of them,
 * and goes through single items where somebody wants to look at some. */
static bool asks_batches(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    enum { CALLS_MAX = 1000 }; /* who asks so often knows of batches */
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span asked = py_text(f, callee);
    struct py_nodes use = py_uses(f, py_is_named(f, callee) ? f->nodes[callee].sym : 0, py_function_of(f, call));

    while (use.all <= CALLS_MAX && py_take(&use)) {
        uint32_t n = py_parent(f, use.n);
        bool asks = f->nodes[use.n].field == FIELD_FUNCTION && py_kind(f, n) == PY_CALL && !py_inside(f, n, loop) &&
                    span_eq(py_text(f, use.n), asked);
        uint32_t item = asks ? py_argument_or(f, n, 0, "x") : 0;
        if (item != 0 && !single_item(p, f, item) && fact_loop(p, f, n).node != 0)
            return true;
    }
    return use.all > CALLS_MAX;
}

/* predict(x), where the loop's x is known to be one item, or few. The model itself or
 * predict_on_batch() would be the way to do that, and is not reported. */
static void check_element(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t item,
                          struct span method)
{
    struct loop loop = fact_loop(p, f, call);

    if (loop.node == 0 || loop.trip == TRIP_SHORT || span_eq(method, SPAN("predict_on_batch")) ||
        !span_starts(method, SPAN("predict")))
        return;
    bool sure;
    int64_t items = items_of_element(p, f, item, loop.node, &sure);
    if (items > 0 && items <= FEW && independent(p, f, call, loop.node) && !one_by_one(p, f, loop.node) &&
        !model_changes(p, f, call, loop.node, false)) {
        if (items == 1)
            rule_report(r, call, sure ? CHECK_HIGH : CHECK_LOW, "%s gets one item in each round of the loop in %s",
                        RULE_TEXT(f, call), RULE_PLACE(f, f, loop.node));
        else
            rule_report(r, call, CHECK_LOW, "%s gets %lld items in each round of the loop in %s", RULE_TEXT(f, call),
                        (long long)items, RULE_PLACE(f, f, loop.node));
    }
}

/* --- session.run(y, {x: item}) --- */

/* The dictionary that the expression is, or that the name was bound to in the loop; 0: not known. */
static uint32_t fed_dictionary(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t value = py_assigned(f, n);

    if (value != 0 && py_inside(f, value, loop))
        n = value;
    return py_kind(f, n) == PY_DICTIONARY ? n : 0;
}

/* rows[i * n:(i + 1) * n]: many, whatever is put around them. */
static bool holds_slice(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_SLICE && py_first(f, at) != 0 && py_next(f, py_first(f, at)) != 0 &&
            !single_is_slice(f, py_parent(f, at)))
            return true;
    return false;
}

/* Is what differs from round to round of all that is fed one item each? */
static bool feeds_single(struct project *p, const struct py_file *f, uint32_t dictionary, uint32_t loop)
{
    bool found = false;

    for (uint32_t c = py_first(f, dictionary); c != 0; c = py_next(f, c)) {
        uint32_t value = py_child_of(f, c, PY_PAIR, FIELD_VALUE);
        if (value == 0)
            return false;
        if (fact_invariant(p, f, value, loop))
            continue;
        if ((!single_item(p, f, value) && !single_in_list(f, value)) || holds_slice(f, value))
            return false;
        found = true;
    }
    return found;
}

/* Is anything fetched that trains or changes state, by its name? */
static bool fetches_update(const struct py_file *f, uint32_t fetches)
{
    return fact_fetches_training(f, fetches) || guess_word(py_text(f, fetches), "apply assign step init enqueue");
}

static void check_run(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t fetches = py_argument_or(f, call, 0, "fetches");
    uint32_t feed = py_argument_or(f, call, 1, "feed_dict");
    struct loop inner = fact_loop(p, f, call), loop = {0};

    if (fetches == 0 || feed == 0 || inner.node == 0 || !fact_runs_session(p, f, call) ||
        !rule_needs(r, call, fetches, !fetches_update(f, fetches), "it may change the weights"))
        return;
    uint32_t dictionary = fed_dictionary(f, py_bare(f, feed), inner.node);
    if (!rule_needs(r, call, feed, dictionary != 0 && feeds_single(p, f, dictionary, inner.node),
                    "it is not seen to be fed one item") ||
        !rule_needs(r, call, inner.node, find_loop(p, f, call, &loop) && !many_sizes(p, f, loop.node),
                    "a few rounds, a round needs the one before, or the items have many sizes"))
        return;
    bool program = fact_in_program(p, f, call);
    rule_report(r, call, program ? CHECK_MEDIUM : CHECK_LOW, "%s is fed one item in each round of the loop in %s",
                RULE_TEXT(f, call), RULE_PLACE(f, f, loop.node));
    rule_why(r, "Each run of the session costs far more than an item.");
    rule_advice(r, "Where the placeholder takes batches, feed it batches.");
    rule_unsure(r, !program);
}

static void check_single(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                         struct span method)
{
    bool fits = vocabulary_method_has(method, TRAIT_FITS);
    struct loop loop = {0};

    if (!rule_needs(r, call, call, find_loop(p, f, call, &loop),
                    "no loop over many items, each without what the one before gave, is seen around it") ||
        !rule_needs(r, call, loop.node, !model_changes(p, f, call, loop.node, fits),
                    "the loop may change the model's weights"))
        return;
    bool little = many_sizes(p, f, loop.node) || asks_batches(p, f, call, loop.node);
    rule_report(r, call, little ? CHECK_LOW : CHECK_HIGH, "%s gets one item in each round of the loop in %s",
                RULE_TEXT(f, call), RULE_PLACE(f, f, loop.node));
    rule_why(r, "Each call costs far more than an item.");
    rule_advice(r, "Collect the items in one array and %s.",
                fits ? "train on batches of them" : "pass it once, in batches");
    rule_unsure(r, !fact_in_program(p, f, call));
}

/* --- through functions of the project --- */

/* Does the function ask a model, or run a session, once for what it is given, as one item? */
static bool asks_for_one(struct project *p, const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        struct span method = {"", 0};
        uint32_t receiver = py_receiver(f, n, &method);
        if (receiver == 0 || fact_loop(p, f, n).node != 0 || py_function_of(f, n) != function)
            continue;
        bool run = span_eq(method, SPAN("run")) && fact_runs_session(p, f, n);
        uint32_t feed = run ? py_argument_or(f, n, 1, "feed_dict") : 0;
        uint32_t fed = feed != 0 ? fed_dictionary(f, py_bare(f, feed), function) : 0;
        uint32_t value = py_child_of(f, fed != 0 ? py_first(f, fed) : 0, PY_PAIR, FIELD_VALUE);
        if ((span_starts(method, SPAN("predict")) && fact_model(p, f, receiver) != NOT_SEEN &&
             single_item(p, f, py_argument_or(f, n, 0, "x"))) ||
            (value != 0 && single_item(p, f, value) && !holds_slice(f, value) &&
             !fetches_update(f, py_argument_or(f, n, 0, "fetches")))) /* no weight changes */
            return true;
    }
    return false;
}

typedef bool asks_fn(struct project *p, const struct py_file *f, uint32_t function);

/* Does the function call one that asks, in no loop? */
static bool calls_one_that(asks_fn *asks, struct project *p, const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        struct function to;
        if (py_kind(f, n) == PY_CALL && fact_loop(p, f, n).node == 0 && fact_callee(p, f, n, &to) &&
            fact_once(p, to.f, to.n, asks))
            return true;
    }
    return false;
}

static bool calls_asker(struct project *p, const struct py_file *f, uint32_t function)
{
    return calls_one_that(asks_for_one, p, f, function);
}

/* Through two calls. */
static bool calls_caller(struct project *p, const struct py_file *f, uint32_t function)
{
    return calls_one_that(calls_asker, p, f, function);
}

/* detect(image), in a loop over images. */
static void check_through(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct loop loop = fact_loop(p, f, call);
    struct function to;

    if (loop.node == 0 || py_argument(f, call, 0) == 0 || !fact_callee(p, f, call, &to) ||
        py_kind(to.f, to.n) != PY_FUNCTION ||
        (!fact_once(p, to.f, to.n, asks_for_one) && !fact_once(p, to.f, to.n, calls_asker) &&
         !fact_once(p, to.f, to.n, calls_caller)) ||
        !find_loop(p, f, call, &loop) || fact_has_call(p, f, loop.node, TRAIT_TRAINS) ||
        fact_training_run(p, f, loop.node) != 0)
        return;
    rule_report(r, call, many_sizes(p, f, loop.node) ? CHECK_LOW : CHECK_MEDIUM,
                "%s asks the model about one item in each round of the loop in %s",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)), RULE_PLACE(f, f, loop.node));
    rule_why(r, "The model gets one item at a time, and waits while the next one is prepared.");
    rule_advice(r, "Let the function take several items, and pass them to the model as one batch.");
    rule_unsure(r, !fact_in_program(p, f, call));
}

/* --- transitions of a memory --- */

/* predict(next_state) for each transition that is drawn of a memory, and fit() after all: all of them could be
 * asked about at once. With fit() in the loop PP423 says it. */
static bool check_transition(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call,
                             uint32_t item, struct span method)
{
    const struct py_def *def = py_bound(f, item); /* for state, action, reward in … */
    uint32_t loop = def != NULL && def->kind == DEF_FOR && def->index >= 0 ? py_up(f, def->node, PY_FOR) : 0;

    if (loop == 0 || !span_eq(method, SPAN("predict")) || !single_draws_sample(f, py_child(f, loop, FIELD_RIGHT)))
        return false;
    if (!independent(p, f, call, loop) || model_changes(p, f, call, loop, false))
        return true;
    rule_report(r, call, CHECK_HIGH, "%s gets one transition in each round of the loop in %s", RULE_TEXT(f, call),
                RULE_PLACE(f, f, loop));
    rule_why(r, "Each call makes a data set, an iterator and callbacks for one state.");
    rule_advice(r, "Stack the states of the sample and pass them once, before the loop.");
    return true;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method), item = py_argument_or(f, call, 0, "x");
    bool is_method = receiver != 0 && vocabulary_method_has(method, TRAIT_ASKS_MODEL);

    if (py_method(f, call, "run") != 0)
        check_run(r, p, f, call);
    check_through(r, p, f, call);
    uint32_t callee = py_child(f, call, FIELD_FUNCTION); /* model(x), eager */
    if (item == 0 || (!is_method && (fact_model(p, f, callee) != CERTAIN || fact_mode(p, f) == MODE_GRAPH)) ||
        fact_in_graph_function(p, f, call))
        return;
    enum certainty sure = is_method ? fact_model(p, f, receiver) : CERTAIN;
    if (!rule_needs(r, call, is_method ? receiver : call, sure != NOT_SEEN, "it is not known to be a Keras model"))
        return;
    if (rule_needs(r, call, item, single_item(p, f, item), "it is not seen to be a batch of one item"))
        check_single(r, p, f, call, method);
    else if (!check_transition(r, p, f, call, item, method))
        check_element(r, p, f, call, item, method);
}

const struct rule_looks rule_PP401 = {.call = check_call};
