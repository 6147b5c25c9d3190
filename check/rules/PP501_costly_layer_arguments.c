/* PP501: arguments of layers that cost time for nothing, or keep the fast kernel out. */
#include "check/facts/shape.h"
#include "check/rules/rule.h"

/* The name behind "keras.layers.", or behind "tf.layers.". */
static struct span layer_name(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_LAYER) || fact_has(p, f, call, TRAIT_LAYER_FUNCTION)
               ? span_after_last(fact_name(p, f, call), '.')
               : (struct span){"", 0};
}

/* --- LSTM and GRU without cuDNN --- */

/* "relu", tf.nn.relu, keras.activations.relu: is it another one? */
static bool other_than(struct project *p, const struct py_file *f, uint32_t n, const char *text)
{
    const struct py_file *file = f;
    uint32_t literal = n != 0 ? fact_literal(p, f, n, &file) : 0;

    if (literal != 0)
        return !fact_string_is(file, literal, text) &&
               (py_kind(file, literal) == PY_STRING || py_kind(file, literal) == PY_NONE_LITERAL);
    return n != 0 && py_kind(f, n) != PY_CALL && fact_has(p, f, n, TRAIT_MAY_ACTIVATE) &&
           !span_eq(span_after_last(fact_name(p, f, n), '.'), span_of(text));
}

static bool is_number_above_zero(struct project *p, const struct py_file *f, uint32_t n)
{
    const struct py_file *file;
    uint32_t literal = n != 0 ? fact_literal(p, f, n, &file) : 0;

    if (literal == 0 || (py_kind(file, literal) != PY_FLOAT && py_kind(file, literal) != PY_INTEGER))
        return false;
    struct span text = py_text(file, literal);
    for (size_t i = 0; i < text.len && text.ptr[i] != 'e'; i++)
        if (text.ptr[i] >= '1' && text.ptr[i] <= '9')
            return true;
    return false;
}

static bool keyword_is(struct project *p, const struct py_file *f, uint32_t call, const char *name, enum py_kind kind)
{
    uint32_t given = py_keyword(f, call, name);
    const struct py_file *file = f;
    uint32_t literal = given != 0 ? fact_literal(p, f, given, &file) : 0;

    return py_kind(file, literal) == kind;
}

/* Why the layer cannot run on cuDNN's kernel; NULL: nothing is seen. */
static const char *kept_out(struct project *p, const struct py_file *f, uint32_t call, bool gru)
{
    if (is_number_above_zero(p, f, py_keyword(f, call, "recurrent_dropout")))
        return "recurrent_dropout";
    if (other_than(p, f, py_argument_or(f, call, 1, "activation"), "tanh"))
        return "activation other than tanh";
    if (other_than(p, f, py_argument_or(f, call, 2, "recurrent_activation"), "sigmoid"))
        return "recurrent_activation other than sigmoid";
    if (keyword_is(p, f, call, "use_bias", PY_FALSE))
        return "use_bias=False";
    if (gru && keyword_is(p, f, call, "reset_after", PY_FALSE))
        return "reset_after=False";
    return keyword_is(p, f, call, "unroll", PY_TRUE) ? "unroll=True" : NULL;
}

static void check_recurrent(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = layer_name(p, f, call);
    enum mode mode = fact_mode(p, f);
    const char *reason = NULL;

    if (!span_is_word(name, "GRU LSTM RNN") ||
        !rule_needs(r, call, call, mode != MODE_GRAPH && fact_word(p, f, call)->framework == FRAMEWORK_KERAS,
                    "it is not a layer of Keras that could run on cuDNN's kernel"))
        return;
    bool cell = span_eq(name, SPAN("RNN"));
    if (cell) { /* which could be given up for the layer of its name: LSTM for LSTMCell */
        uint32_t given = py_argument_or(f, call, 0, "cell");
        name = py_kind(f, given) == PY_CALL ? layer_name(p, f, given) : (struct span){"", 0};
        if (span_is_word(name, "GRUCell LSTMCell") && !py_has_splat(f, given) &&
            kept_out(p, f, given, span_eq(name, SPAN("GRUCell"))) == NULL)
            reason = "a cell in keras.layers.RNN";
        name.len -= reason != NULL ? strlen("Cell") : 0;
    } else {
        reason = kept_out(p, f, call, span_eq(name, SPAN("GRU")));
    }
    if (!rule_needs(r, call, call, reason != NULL, "nothing is seen that alone keeps it off cuDNN's kernel"))
        return;
    bool weak = span_eq(span_of(reason), SPAN("unroll=True")); /* it may have been worth it */
    rule_report(r, call, weak || mode == MODE_UNKNOWN ? CHECK_LOW : CHECK_MEDIUM,
                "%s keeps this %.*s off cuDNN's kernel", reason, SPAN_ARG(name));
    if (span_eq(span_of(reason), SPAN("recurrent_dropout")) && fact_has_call(p, f, 1, TRAIT_FITS))
        rule_sure(r); /* dropout says nothing of how the model learns, as an activation may */
    rule_why(r, "On a GPU it runs step by step, several times slower.");
    rule_advice(r, "%s", cell ? "Use the layer of that name." : "Leave it at its default, if the model allows it.");
}

/* --- what layers cost by their sizes: weights, results, kernels --- */

enum { DEPTH_MAX = 20 };

/* Numbers of four bytes each. VGG: the largest dense layer has 103 million weights, the widest convolution gives 3.2
 * million numbers for an image. */
enum {
    WEIGHTS_NOTE = 24 << 20,
    WEIGHTS_WARN = 256 << 20,
    RESULTS_NOTE = 16 << 20,
    KERNEL_NOTE = 11,
    WORDS_MIN = 1000,
    CLASSES_MIN = 256
};

static const struct shape unknown = {0, {0}};

/* "Dense" of keras.layers.Dense. */
static struct span layer(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_LAYER) && !py_has_splat(f, call) ? span_after_last(fact_name(p, f, call), '.')
                                                                       : (struct span){"", 0};
}

/* The number that is given as one integer or as two of the same; 0: not known. */
static int64_t side(struct project *p, const struct py_file *f, uint32_t n, size_t i, int64_t usual)
{
    if (n == 0)
        return usual;
    struct shape s = shape_from(p, f, n);
    if (s.rank == 1 && py_kind(f, py_bare(f, n)) != PY_TUPLE && py_kind(f, py_bare(f, n)) != PY_LIST)
        return s.dims[0] > 0 ? s.dims[0] : 0;
    return s.rank == 2 && s.dims[i] > 0 ? s.dims[i] : 0;
}

static struct shape window(struct project *p, const struct py_file *f, uint32_t call, struct shape s, bool pool)
{
    uint32_t size = pool ? py_argument_or(f, call, 0, "pool_size") : py_argument_or(f, call, 1, "kernel_size");
    uint32_t strides = pool ? py_argument_or(f, call, 1, "strides") : py_argument_or(f, call, 2, "strides");
    uint32_t padding = pool ? py_argument_or(f, call, 2, "padding") : py_argument_or(f, call, 3, "padding");
    int64_t filters = pool ? s.dims[2] : -1;

    if (s.rank != 3 || py_keyword(f, call, "data_format") != 0 || py_keyword(f, call, "dilation_rate") != 0)
        return unknown;
    if (!pool && !shape_integer(p, f, py_argument_or(f, call, 0, "filters"), &filters))
        return unknown;
    bool same = padding != 0 && (fact_string_is(f, padding, "same") || fact_string_is(f, padding, "SAME"));
    for (size_t i = 0; i < 2; i++) { /* one side of an image behind a window that is moved over it */
        int64_t wide = side(p, f, size, i, pool ? 2 : 0), step = side(p, f, strides, i, pool ? wide : 1);
        bool known = s.dims[i] >= (same ? 0 : wide) && wide > 0 && step > 0;
        s.dims[i] = known ? (s.dims[i] - (same ? 1 : wide) + step) / step : -1;
    }
    s.dims[2] = filters;
    return s;
}

/* What input_shape=…, shape=… say. */
static struct shape given_shape(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t given = py_keyword(f, call, "input_shape");
    bool input = fact_has(p, f, call, TRAIT_INPUT_LAYER);

    if (given == 0 && input)
        given = py_argument_or(f, call, 0, "shape");
    return given != 0 ? shape_from(p, f, given) : unknown;
}

/* What the layer gives when it gets s, without the axis of the batch. */
static struct shape apply(struct project *p, const struct py_file *f, uint32_t call, struct shape s)
{
    struct span name = layer(p, f, call);
    struct shape given = given_shape(p, f, call);
    int64_t units;

    if (given.rank > 0)
        s = given;
    if (s.rank == 0 || fact_has(p, f, call, TRAIT_INPUT_LAYER) || fact_has(p, f, call, TRAIT_KEEPS_SHAPE))
        return s;
    if (span_is_word(name, "Conv2D SeparableConv2D"))
        return window(p, f, call, s, false);
    if (span_is_word(name, "MaxPooling2D AveragePooling2D MaxPool2D"))
        return window(p, f, call, s, true);
    if (span_eq(name, SPAN("Flatten"))) {
        int64_t numbers = shape_numbers(s);
        return numbers > 0 ? (struct shape){1, {numbers}} : unknown;
    }
    if (span_is_word(name, "GlobalAveragePooling2D GlobalMaxPooling2D"))
        return s.rank == 3 ? (struct shape){1, {s.dims[2]}} : unknown;
    if (span_eq(name, SPAN("Dense")) && shape_integer(p, f, py_argument_or(f, call, 0, "units"), &units)) {
        s.dims[s.rank - 1] = units;
        return s;
    }
    return unknown;
}

/* --- what comes before a layer --- */

/* The array that the model, whose name is bound to `made`, is fitted to, without the first axis. */
static struct shape fitted(struct project *p, const struct py_file *f, uint32_t made)
{
    uint32_t around = py_parent(f, made);
    uint32_t left = py_child_of(f, around, PY_ASSIGNMENT, FIELD_LEFT);

    for (struct py_nodes call = fact_calls(p, f); left != 0 && py_take(&call);) {
        uint32_t receiver = call.n > made ? py_method(f, call.n, "fit") : 0;
        if (receiver == 0 || !span_eq(py_text(f, receiver), py_text(f, left)))
            continue;
        struct shape s = shape_of(p, f, py_argument_or(f, call.n, 0, "x")), rest = unknown;
        for (unsigned k = 1; k < s.rank; k++)
            rest.dims[rest.rank++] = s.dims[k];
        return rest;
    }
    return unknown;
}

/* The layer that the statement adds to what `object` is called: o.add(layer); 0: none. */
static uint32_t added(const struct py_file *f, uint32_t statement, struct span *object)
{
    uint32_t call = py_kind(f, statement) == PY_EXPRESSION_STATEMENT ? py_first(f, statement) : 0;
    uint32_t model = py_method(f, call, "add");

    if (model != 0)
        *object = py_text(f, model);
    return model != 0 ? py_argument(f, call, 0) : 0;
}

/* Of a tensor of the functional API. */
static struct shape of_tensor(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = n != 0 ? py_bare(f, n) : 0;
    if (n == 0 || depth > DEPTH_MAX)
        return unknown;
    if (py_kind(f, n) != PY_CALL)
        return of_tensor(p, f, py_assigned(f, n), depth + 1);
    uint32_t callee = py_child(f, n, FIELD_FUNCTION);
    struct shape given = given_shape(p, f, n);
    if (given.rank > 0 || py_kind(f, callee) != PY_CALL)
        return given;
    return apply(p, f, callee, of_tensor(p, f, py_argument(f, n, 0), depth + 1));
}

/* What the layer gets. */
static struct shape before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t around = py_parent(f, call), statement = py_statement(f, call);
    struct span object = {"", 0};
    struct shape s = given_shape(p, f, call);

    if (s.rank > 0)
        return s;
    if (py_kind(f, around) == PY_CALL && f->nodes[call].field == FIELD_FUNCTION)
        return of_tensor(p, f, py_argument(f, around, 0), 0);
    uint32_t model = py_kind(f, around) == PY_LIST ? py_up(f, around, PY_CALL) : 0;
    if (model != 0 && fact_has(p, f, model, TRAIT_SEQUENTIAL)) { /* the layers before it in Sequential([…]) */
        s = fitted(p, f, model);
        for (uint32_t n = py_first(f, around); n != 0 && n != call; n = py_next(f, n)) {
            if (py_kind(f, n) != PY_CALL)
                return unknown;
            s = apply(p, f, n, s);
        }
        return s;
    }
    s = unknown;
    if (added(f, statement, &object) != call)
        return s;
    for (uint32_t n = py_first(f, py_parent(f, statement)); n != 0 && n != statement; n = py_next(f, n)) {
        struct span other = {"", 0};
        uint32_t one = added(f, n, &other);
        if (one != 0 && span_eq(other, object))
            s = py_kind(f, one) == PY_CALL ? apply(p, f, one, s) : unknown;
    }
    return s;
}

/* --- findings --- */

static void check_dense(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    int64_t units;

    if (!rule_needs(r, call, call, shape_integer(p, f, py_argument_or(f, call, 0, "units"), &units) && units >= 32,
                    "it is not known to have many units"))
        return;
    struct shape s = before(p, f, call);
    int64_t inputs = s.rank > 0 ? s.dims[s.rank - 1] : -1;
    if (!rule_needs(r, call, call, inputs > 0 && inputs <= SHAPE_NUMBER_MAX / units && inputs * units >= WEIGHTS_NOTE,
                    "it is not known to get so much that it has many millions of weights"))
        return;
    rule_report(r, call, inputs * units >= WEIGHTS_WARN ? CHECK_MEDIUM : CHECK_LOW,
                "this Dense gets %lld numbers and has %lld units: %lld million weights", (long long)inputs,
                (long long)units, (long long)(inputs * units / 1000000));
    rule_why(r, "There are as many gradients, and as many moments of the optimizer.");
    rule_advice(r, "Shrink what comes in, by pooling or strides, or take fewer units.");
}

static void check_conv(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t kernel = py_argument_or(f, call, 1, "kernel_size");
    uint32_t strides = py_argument_or(f, call, 2, "strides");
    int64_t filters, high = side(p, f, kernel, 0, 0), wide = side(p, f, kernel, 1, 0);

    if (!rule_needs(r, call, call, shape_integer(p, f, py_argument_or(f, call, 0, "filters"), &filters),
                    "the number of its filters is not known"))
        return;
    if (high >= KERNEL_NOTE && wide >= KERNEL_NOTE && filters > 1 && side(p, f, strides, 0, 1) == 1 &&
        side(p, f, strides, 1, 1) == 1) {
        rule_report(r, call, CHECK_LOW, "a kernel of %lld x %lld moves by one: %lld times the work of 3 x 3",
                    (long long)high, (long long)wide, (long long)(high * wide / 9));
        rule_why(r, "Its cost grows with its area.");
        rule_advice(r, "Small kernels, one after the other, see as far.");
        return;
    }
    int64_t numbers = filters >= 64 ? shape_numbers(apply(p, f, call, before(p, f, call))) : 0;
    if (!rule_needs(r, call, call, numbers >= RESULTS_NOTE,
                    "it is not known to have a wide kernel, or to give many millions of numbers"))
        return;
    rule_report(r, call, CHECK_LOW, "this convolution gives %lld million numbers for each image (%lld MB)",
                (long long)(numbers / 1000000), (long long)(numbers / 250000));
    rule_why(r, "Training keeps them for the backward pass.");
    rule_advice(r, "Take fewer filters while the image is large, or make it smaller first.");
}

/* Reports the call when it makes a layer, or one-hot labels, of a size that is seldom meant: weights or results of many
 * millions, wide kernels, embeddings as wide as long. */
static void check_costs(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = layer(p, f, call);
    int64_t words, width, classes;

    if (span_eq(name, SPAN("Dense")))
        check_dense(r, p, f, call);
    else if (span_eq(name, SPAN("Conv2D")))
        check_conv(r, p, f, call);
    else if (span_eq(name, SPAN("Embedding"))) {
        if (rule_needs(r, call, call,
                       shape_integer(p, f, py_argument_or(f, call, 0, "input_dim"), &words) &&
                           shape_integer(p, f, py_argument_or(f, call, 1, "output_dim"), &width) && words == width &&
                           words >= WORDS_MIN,
                       "it is not known to be as wide as a long vocabulary")) {
            rule_report(r, call, CHECK_MEDIUM, "the embedding is as wide as its vocabulary: %lld million weights",
                        (long long)(words * width / 1000000));
            rule_advice(r, "Choose a smaller output_dim: some tens or hundreds are usual.");
        }
    } else if (fact_has(p, f, call, TRAIT_ONE_HOT_LABELS) &&
               rule_needs(
                   r, call, call,
                   fact_mentions(p, f, "\"categorical_crossentropy|'categorical_crossentropy|.CategoricalCrossentropy"),
                   "the file names no loss that has a form for the numbers of the classes") &&
               rule_needs(r, call, call,
                          shape_integer(p, f, py_argument_or(f, call, 1, "num_classes"), &classes) &&
                              classes >= CLASSES_MIN,
                          "it is not known to make hundreds of classes")) {
        /* for a loss that has a form for the numbers of the classes */
        rule_report(r, call, CHECK_LOW, "each label becomes a row of %lld numbers, of which one is not zero",
                    (long long)classes);
        rule_advice(r, "Use the sparse categorical cross-entropy, which takes the labels as they are.");
    }
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    check_recurrent(r, p, f, call);
    check_costs(r, p, f, call);
}

const struct rule_looks rule_PP501 = {.call = check_call};
