/* PP407: a whole data set is fed through feed_dict in every round of a loop. */
#include "check/rules/rule.h"
#include "check/facts/shape.h"

enum {
    REACHING_MAX = 4,
    DEPTH_MAX = 4,
    LARGE = 1 << 20 /* numbers that take longer to hand over than a small step takes */
};

/* Loaders give whole data sets. */
static bool is_loader(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_LOADS_DATA) || span_has(fact_name(p, f, call), "read_data_sets");
}

/* Names that people give to all of a data set: X_train, train_images, mnist.test.labels. */
static bool sounds_whole(struct span name)
{
    static const char *const parts[] = {"train", "Train", "test", "Test", "valid", "Valid"};
    static const char *const things[] = {"x_", "X_", "y_", "Y_", "_x", "_X", "_y", "_Y", "image",
                                         "label", "data", "feature", "target", "input", "Data"};
    static const char *const pieces[] = {"batch", "Batch", "mini", "_step", "phase", "is_", "size",
                                         "prob", "rate", "mode", "flag", "_i", "chunk", "sample",
                                         "drop", "len", "Is", "ing"};
    bool part = false, thing = false;

    for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
        if (span_has(name, pieces[i]) && !span_has(name, "images") && !span_has(name, "_inputs"))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        part = part || span_has(name, parts[i]);
    for (size_t i = 0; i < ARRAY_LEN(things); i++)
        thing = thing || span_has(name, things[i]);
    return part && thing;
}

/* The expression that the name stands for, when it is bound once; else 0. */
static uint32_t bound_to(const struct py_file *f, uint32_t n)
{
    uint32_t defs[REACHING_MAX];

    if (py_kind(f, n) != PY_IDENTIFIER || py_reaching(f, n, defs, REACHING_MAX) != 1)
        return 0;
    const struct py_def *def = &f->defs[defs[0]];
    return def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK ? def->value : 0;
}

/* Does what is there come from a loader: through slices with fixed bounds, methods, arithmetic? */
static bool from_loader(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    uint32_t inner = 0;

    if (n == 0 || depth > DEPTH_MAX)
        return false;
    switch (py_kind(f, n)) {
    case PY_CALL:
        if (is_loader(p, f, n))
            return true;
        if (fact_word(p, f, n)->framework == FRAMEWORK_NUMPY)
            inner = py_argument(f, n, 0);
        else
            inner = py_receiver(f, n, NULL);
        break;
    case PY_ATTRIBUTE:
        inner = py_child(f, n, FIELD_OBJECT);
        break;
    case PY_SUBSCRIPT:
        inner = py_child(f, n, FIELD_VALUE);
        break;
    case PY_IDENTIFIER:
        inner = bound_to(f, n);
        break;
    case PY_BINARY_OPERATOR:
    case PY_PARENTHESIZED:
        inner = py_first(f, n);
        break;
    default:
        break;
    }
    return inner != 0 && from_loader(p, f, inner, depth + 1);
}

/* An array written out in the program is small. */
static bool is_written_out(const struct py_file *f, uint32_t n, int depth)
{
    uint32_t value = n != 0 && depth < DEPTH_MAX ? bound_to(f, n) : 0;

    if (value == 0)
        return false;
    enum py_kind kind = py_kind(f, value);
    if (kind == PY_CALL)
        value = py_argument(f, value, 0);
    if (value == 0)
        return false;
    kind = py_kind(f, value);
    return kind == PY_LIST || kind == PY_TUPLE || kind == PY_INTEGER || kind == PY_FLOAT ||
           is_written_out(f, value, depth + 1);
}

/* The name by which the array is known: of an attribute, its last two parts. */
static bool is_whole(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t kind = py_kind(f, n);

    if ((kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) || is_written_out(f, n, 0) ||
        !fact_invariant(p, f, n, loop))
        return false;
    struct value v = fact_value(p, f, n);
    if (v.kind == VALUE_TENSOR || v.kind == VALUE_CONSTANT || v.kind == VALUE_FUNCTION)
        return false;
    struct span text = py_text(f, n);
    if (text.len > 60)
        return false;
    return sounds_whole(text) || from_loader(p, f, n, 0);
}

/* The dictionary that is fed: written in the call, or bound to a name once. */
static uint32_t fed(const struct py_file *f, uint32_t call)
{
    uint32_t feed = py_argument_or(f, call, 1, "feed_dict");

    if (feed != 0 && py_kind(f, feed) == PY_IDENTIFIER)
        feed = bound_to(f, feed);
    return feed != 0 && py_kind(f, feed) == PY_DICTIONARY ? feed : 0;
}

static bool is_session_run(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver == 0 || !span_eq(method, SPAN("run")))
        return false;
    struct value v = fact_value(p, f, receiver);
    if (v.kind == VALUE_SESSION)
        return true;
    return v.kind == VALUE_UNKNOWN && span_has(py_text(f, receiver), "sess");
}

/* An array that is known to be large, whatever its name: the same in each round. */
static bool is_large(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    return py_kind(f, n) == PY_IDENTIFIER && fact_value(p, f, n).kind != VALUE_TENSOR &&
           shape_numbers(shape_of(p, f, n)) >= LARGE && fact_invariant(p, f, n, loop);
}

/* The first value of the feed that is a whole data set; 0: there is none. */
static uint32_t whole_value(struct project *p, const struct py_file *f, uint32_t feed,
                            uint32_t loop, bool evaluation)
{
    for (uint32_t pair = py_first(f, feed); pair != 0; pair = py_next(f, pair)) {
        uint32_t value = py_kind(f, pair) == PY_PAIR ? py_child(f, pair, FIELD_VALUE) : 0;
        if (value != 0 &&
            (is_large(p, f, value, loop) || (!evaluation && is_whole(p, f, value, loop))))
            return value;
    }
    return 0;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    uint32_t feed = is_session_run(p, f, call) ? fed(f, call) : 0;

    if (feed == 0)
        return;
    struct loop loop = fact_loop(p, f, call);
    if (loop.node == 0 || loop.trip == TRIP_SHORT || fact_guarded(f, call, loop.node))
        return;
    bool train = fact_fetches_training(f, py_argument_or(f, call, 0, "fetches"));
    bool evaluation = !train && fact_epoch_loop(f, loop.node); /* once for each epoch */
    uint32_t value = whole_value(p, f, feed, loop.node, evaluation);
    if (value == 0)
        return;
    bool sure = train || (!evaluation && is_large(p, f, value, loop.node));
    rule_report(r, call, sure ? CHECK_HIGH : CHECK_LOW, "all of %s is fed in each round of the loop in %s",
                RULE_TEXT(f, value), RULE_PLACE(f, f, loop.node));
}

const struct rule rule_PP407 = {
    .about = {
        .id = "PP407",
        .name = "whole-data-set-fed",
        .summary = "A whole data set is fed through feed_dict in a loop",
        .why = "It is copied to the device each time, and has to fit there.",
        .advice = "Feed batches of it, from a tf.data.Dataset for example, or keep it on the "
                  "device.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
