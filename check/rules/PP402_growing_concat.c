/* PP402, PP419: a tensor or array that grows in a loop is copied as a whole in each round. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

static bool same_name(const struct py_file *f, uint32_t a, uint32_t b)
{
    return py_kind(f, a) == py_kind(f, b) &&
           (py_kind(f, a) == PY_IDENTIFIER || py_kind(f, a) == PY_ATTRIBUTE || py_kind(f, a) == PY_SUBSCRIPT) &&
           span_eq(py_text(f, a), py_text(f, b));
}

/* Is the target itself handed over? */
static bool joins_itself(const struct py_file *f, uint32_t call, uint32_t target, bool list)
{
    uint32_t first = py_argument(f, call, 0);

    if (first == 0)
        first = py_keyword(f, call, "values");
    if (!list)
        return same_name(f, first, target);
    if (is_sequence(f, first))
        for (uint32_t c = py_first(f, first); c != 0; c = py_next(f, c))
            if (same_name(f, py_bare(f, c), target))
                return true;
    return false;
}

static bool is_target(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at != loop && at != 0; at = py_parent(f, at))
        if (f->nodes[at].field == FIELD_LEFT &&
            (py_kind(f, py_parent(f, at)) == PY_ASSIGNMENT || py_kind(f, py_parent(f, at)) == PY_AUGMENTED_ASSIGNMENT))
            return true;
    return false;
}

struct uses {
    bool rebound; /* bound to something else in the loop: it starts anew, or is cut */
    bool read;    /* what has grown is needed in the loop */
};

/* beams = tf.gather(beams, best, axis=1), grown by tf.concat([beams, y], axis=-1): other beams, as long as before. */
static bool picks_across(struct project *p, const struct py_file *f, uint32_t target, uint32_t join)
{
    uint32_t assignment = py_up(f, target, PY_ASSIGNMENT);
    uint32_t value = assignment != 0 ? py_child(f, assignment, FIELD_RIGHT) : 0;

    if (value == 0 || py_child(f, assignment, FIELD_LEFT) != target || py_kind(f, value) != PY_CALL ||
        !fact_has(p, f, value, TRAIT_GATHERS))
        return false;
    uint32_t first = py_argument_or(f, value, 0, "params"), along = py_keyword(f, value, "axis");
    uint32_t grown = py_argument_or(f, join, 1, "axis");
    return along != 0 && same_name(f, first, target) && !span_eq(py_text(f, along), py_text(f, grown));
}

static struct uses uses_in(struct project *p, const struct py_file *f, uint32_t loop, uint32_t call, uint32_t target)
{
    struct uses u = {false, false};
    uint32_t body = py_body(f, loop), statement = py_statement(f, call);
    /* parts = [] makes parts[i] another thing as well. */
    uint32_t whole = py_child_of(f, target, PY_SUBSCRIPT, FIELD_VALUE);

    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        bool part = py_kind(f, py_parent(f, n)) == PY_SUBSCRIPT;
        bool same = same_name(f, n, target) || (whole != 0 && !part && same_name(f, n, whole));
        if (py_inside(f, n, statement) || !same)
            continue;
        if (is_target(f, n, loop) && !part && !picks_across(p, f, n, call))
            u.rebound = true;
        else
            u.read = true;
    }
    return u;
}

/* A question whether this is the first round. */
static bool asks_first(struct span test)
{
    return span_has(test, "None") || span_has(test, "== 0") || span_has(test, "first") || span_has(test, "len(") ||
           span_has(test, "> 0");
}

/* Where x = y if x is None else tf.concat([x, y], 0) binds the call's result; or the call itself. 0: the other branch
 * does something else with x, such as cutting it to a window. */
static uint32_t bound_value(const struct py_file *f, uint32_t call)
{
    uint32_t at = call, up;

    for (up = py_parent(f, at); py_kind(f, up) == PY_PARENTHESIZED; up = py_parent(f, at))
        at = up;
    if (py_kind(f, up) != PY_CONDITIONAL)
        return at;
    uint32_t yes = py_first(f, up), test = py_next(f, yes);
    uint32_t no = py_next(f, test);
    uint32_t other = at == yes ? no : yes;
    if (at == test || !asks_first(py_text(f, test)))
        return 0;
    for (at = up; py_kind(f, py_parent(f, at)) == PY_PARENTHESIZED;)
        at = py_parent(f, at);
    uint32_t target = py_child(f, py_parent(f, at), FIELD_LEFT);
    for (uint32_t n = other; n < f->nodes[other].after; n++)
        if (same_name(f, n, target))
            return 0;
    return at;
}

/* The mistake's other face, `if x is None: x = y else: x = concat([x, y])`, binds it as well. */
static bool only_starts(const struct py_file *f, uint32_t loop, uint32_t statement, uint32_t target)
{
    uint32_t branch = py_up(f, statement, PY_IF);
    uint32_t body = py_body(f, loop);

    if (branch <= loop || !asks_first(py_text(f, py_child(f, branch, FIELD_CONDITION))))
        return false;
    uint32_t own = py_parent(f, statement);
    for (uint32_t n = body; n < f->nodes[body].after; n++)
        if (n != target && (!py_inside(f, n, branch) || py_inside(f, n, own)) && same_name(f, n, target) &&
            is_target(f, n, loop))
            return false;
    return true;
}

/* for tag in models: join(x, predictions[tag]): through a mapping's keys, of which there are few. */
static bool over_keys(const struct py_file *f, uint32_t loop)
{
    uint32_t target = py_child(f, loop, FIELD_LEFT), over = py_child(f, loop, FIELD_RIGHT);

    if (py_kind(f, loop) != PY_FOR || py_kind(f, over) == PY_CALL || py_kind(f, target) != PY_IDENTIFIER)
        return false;
    for (uint32_t n = py_body(f, loop); n < f->nodes[loop].after; n++) {
        uint32_t index = py_child_of(f, n, PY_SUBSCRIPT, FIELD_SUBSCRIPT);
        if (index != 0 && py_kind(f, index) == PY_IDENTIFIER && f->nodes[index].sym == f->nodes[target].sym)
            return true;
    }
    return false;
}

/* range(self.n_points): as many as somebody asks for, perhaps few. The last part of the name says what it counts. */
static bool counts_few(struct project *p, const struct py_file *f, struct loop loop)
{
    uint32_t over = py_child_of(f, loop.node, PY_FOR, FIELD_RIGHT);
    uint32_t n = over != 0 && py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_RANGE) ? py_argument(f, over, 0)
                                                                                               : 0;

    if (n == 0 || loop.rounds >= 0 || py_argument(f, over, 1) != 0)
        return false;
    if (py_kind(f, n) == PY_BINARY_OPERATOR)
        n = py_child(f, n, FIELD_LEFT);
    struct span name = f->syms[f->nodes[n].sym], last = span_after_last(name, '_');
    return last.len < name.len && last.len > 1 &&
           !guess_word(
               last,
               "step iter epoch len time sample frame batch token word row line image max total size record example "
               "file num");
}

/* for line in TextLineDataset(labels), in a function that is traced for one example: its own parts. */
static bool parts_of_example(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t over = py_child_of(f, loop, PY_FOR, FIELD_RIGHT);
    struct stage stages[STAGES_MAX];

    if (over == 0 || fact_value(p, f, over).kind != VALUE_DATASET || !fact_in_graph_function(p, f, call))
        return false;
    size_t n = fact_upstream(p, f, over, stages);
    const struct stage *source = n > 0 ? &stages[n - 1] : NULL;
    uint32_t path = source != NULL && source->call != 0 && source->file == f
                        ? py_argument_or(f, source->call, 0, "filenames")
                        : 0;
    uint32_t def = path != 0 && py_kind(f, path) == PY_IDENTIFIER ? py_def_of(f, path) : 0;
    return def != 0 && f->defs[def].kind == DEF_PARAM && py_function_of(f, source->call) == py_function_of(f, call);
}

/* The loop of most rounds in which the target grows; .node 0: there is none. *read: all of it is read there. */
static struct loop grown_in(struct project *p, const struct py_file *f, uint32_t call, uint32_t target, bool *read)
{
    uint32_t statement = py_statement(f, call), first = py_statement(f, target);
    struct loop grown = {0};

    for (struct loop loop = fact_loop(p, f, call); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        enum py_kind kind = py_kind(f, loop.node);
        struct uses u = uses_in(p, f, loop.node, call, target);
        if ((kind != PY_FOR && kind != PY_WHILE) || /* parts[i], in a loop over i: in each round another one */
            py_shares_name(f, py_child(f, loop.node, FIELD_LEFT), target))
            continue;
        bool starts = u.rebound && only_starts(f, loop.node, statement, target);
        if (!starts && (u.rebound || fact_first_time(f, first, loop.node)))
            break;
        *read = *read || (u.read && !starts);
        if (grown.node == 0 || loop.trip > grown.trip)
            grown = loop;
        if (starts)
            break; /* it starts anew in each round of the next one around */
    }
    return grown;
}

/* It joins part by part on purpose: the parts and the whole at once take more. */
static bool frees_memory(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_is(p, f, call, "gc.collect");
}

static void check_join(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t target,
                       bool tensor)
{
    bool read = false;
    struct loop grown = grown_in(p, f, call, target, &read);

    if (!rule_needs(r, call, target, grown.node != 0, "no loop is seen in which it grows from round to round") ||
        !rule_needs(r, call, grown.node, grown.trip != TRIP_SHORT, "a handful of rounds"))
        return;
    /* `for i in range(len(x))`, `for t in range(max_length)`: not a handful, by its name */
    bool length = span_has(py_text(f, py_child(f, grown.node, FIELD_RIGHT)), "len");
    bool many = grown.trip == TRIP_STEPS || length;
    if (!rule_needs(r, call, grown.node, tensor || many, "it is not seen to make many rounds"))
        return;
    bool torch = fact_word(p, f, call)->framework == FRAMEWORK_TORCH;
    bool builds = fact_mode(p, f) == MODE_GRAPH || fact_in_graph_function(p, f, call);
    bool brief = over_keys(f, grown.node) || counts_few(p, f, grown) || parts_of_example(p, f, call, grown.node) ||
                 (builds && grown.trip != TRIP_STEPS) || fact_reaches(p, f, grown.node, frees_memory);
    bool sure = !read && many && !brief;
    bool item = word_has(fact_word(p, f, call), TRAIT_APPENDS) && fact_in_program(p, f, call);
    /* one for an item */
    bool little = torch && py_is_named(f, target) &&
                  guess_word(py_name(f, target), "label target index indices loss _id");
    rule_report(r, call, sure && (tensor || item) && !little ? CHECK_MEDIUM : CHECK_LOW,
                "%s is copied whole in each round of the loop in %s", RULE_TEXT(f, target),
                RULE_PLACE(f, f, grown.node));
    /* PyTorch runs eagerly: what grows in a loop over a loader, or over all that is counted, is copied in each round. */
    if (sure && torch && (fact_loader(p, f, grown.node) != 0 || length))
        rule_sure(r);
    rule_advice(r, "%s",
                read               ? "If the whole is needed in each round, write into a buffer of full size."
                : tensor && !torch ? "Write to a tf.TensorArray, or append to a list, and join once after the loop."
                                   : "Append to a list, and join once after the loop.");
}

/* Does the call bind what it joins to one of the parts? `numpy`: of NumPy, in a file of a framework. */
static void check_growth(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, bool numpy)
{
    const struct word *w = fact_word(p, f, call);
    bool joins = word_has(w, TRAIT_JOINS);
    uint32_t value = joins || word_has(w, TRAIT_APPENDS) ? bound_value(f, call) : 0;
    uint32_t assignment = py_parent(f, value);

    if (value == 0 || py_kind(f, assignment) != PY_ASSIGNMENT || f->nodes[value].field != FIELD_RIGHT ||
        (w->framework == FRAMEWORK_NUMPY) != numpy)
        return;
    uint32_t target = py_child(f, assignment, FIELD_LEFT);
    if (target != 0 &&
        rule_needs(r, call, target, joins_itself(f, call, target, joins), "it is not one of the parts that are joined"))
        check_join(r, p, f, call, target, !numpy);
}

static void check_tensor(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    check_growth(r, p, f, call, false);
}

static void check_array(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (fact_mentions(p, f, "tensorflow|keras|torch"))
        check_growth(r, p, f, call, true);
}

const struct rule_looks rule_PP402 = {.call = check_tensor};

const struct rule_looks rule_PP419 = {.call = check_array};
