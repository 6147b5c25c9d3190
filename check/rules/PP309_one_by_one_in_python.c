/* PP309 to PP312: Python, element by element, instead of TensorFlow or NumPy: generators, copied rows, files,
 * counts. */
#include "check/facts/shape.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

enum { CALLS_DEEP = 2 };

/* Arrays: the sliced or zipped values surely come from numpy or Keras' data sets. Ragged lists need a generator. */
static bool is_array(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);
    const struct word *made = fact_name_word(p, v.name);

    if (v.kind == VALUE_OBJECT && made->framework == FRAMEWORK_NUMPY)
        return !word_has(made, TRAIT_MAPS_FILE); /* that may be larger than memory */
    const struct py_def *def = py_bound(f, n);
    if (def == NULL || (def->kind != DEF_ASSIGN && def->kind != DEF_UNPACK) || py_kind(f, def->value) != PY_CALL)
        return false;
    const struct word *from = fact_word(p, f, def->value);
    return from->framework == FRAMEWORK_NUMPY ||
           (from->framework == FRAMEWORK_KERAS && word_has(from, TRAIT_LOADS_DATA));
}

/* --- PP309: from_generator --- */

/* `for … in …: yield …` and no more: *loop, and what is yielded. */
static bool only_yields(const struct py_file *f, uint32_t function, uint32_t *loop, uint32_t *yield)
{
    uint32_t body = py_child(f, function, FIELD_BODY), inner = 0;

    *loop = *yield = 0;
    for (uint32_t s = py_first(f, body); s != 0; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_first(f, s) != 0 && py_kind(f, py_first(f, s)) == PY_STRING)
            continue; /* its documentation */
        if (py_kind(f, s) != PY_FOR || *loop != 0)
            return false;
        *loop = s;
    }
    inner = *loop != 0 ? py_child(f, *loop, FIELD_BODY) : 0;
    if (py_first(f, inner) == 0 || py_next(f, py_first(f, inner)) != 0)
        return false;
    *yield = py_first(f, inner);
    if (py_kind(f, *yield) == PY_EXPRESSION_STATEMENT)
        *yield = py_first(f, *yield);
    return *yield != 0 && py_kind(f, *yield) == PY_YIELD;
}

/* `for i in range(len(x)): yield x[i]`, `for a in zip(x, y): yield a`, `for a in x: yield a`: the
 * arrays are there, from_tensor_slices takes them. */
static bool only_slices(struct project *p, const struct py_file *f, uint32_t loop, uint32_t yield)
{
    for (uint32_t n = yield + 1; n < f->nodes[yield].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind != PY_TUPLE && kind != PY_EXPRESSION_LIST && kind != PY_IDENTIFIER && kind != PY_SUBSCRIPT &&
            kind != PY_PARENTHESIZED && kind != PY_ATTRIBUTE)
            return false;
    }
    uint32_t over = py_child(f, loop, FIELD_RIGHT);
    if (py_kind(f, over) == PY_IDENTIFIER)
        return true;
    return py_kind(f, over) == PY_CALL && (fact_has(p, f, over, TRAIT_RANGE) || fact_has(p, f, over, TRAIT_ZIPS));
}

static bool slices_arrays(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool any = false;
    uint32_t over = py_child(f, loop, FIELD_RIGHT);

    if (py_kind(f, over) == PY_IDENTIFIER)
        return is_array(p, f, over);
    if (fact_has(p, f, over, TRAIT_ZIPS)) {
        for (size_t i = 0; py_argument(f, over, i) != 0; i++, any = true)
            if (!is_array(p, f, py_argument(f, over, i)))
                return false;
        return any;
    }
    for (uint32_t n = py_child(f, loop, FIELD_BODY); n < f->nodes[loop].after; n++) {
        if (py_kind(f, n) != PY_SUBSCRIPT)
            continue;
        if (!is_array(p, f, py_child(f, n, FIELD_VALUE)))
            return false;
        any = true;
    }
    return any;
}

/* --- readers --- */

/* What reads or decodes in Python, and what does it in TensorFlow. */
static const struct python_reader {
    enum trait python;
    const char *instead;
} readers[] = {
    {TRAIT_READS_IMAGE, "tf.io.read_file and tf.io.decode_image in map()"},
    {TRAIT_DECODES_IMAGE, "tf.io.decode_image in map()"},
    {TRAIT_READS_RECORDS, "tf.data.TFRecordDataset"},
    {TRAIT_READS_SOUND, "tf.io.read_file and tf.audio.decode_wav in map()"},
};

/* What a Python function does, as far as the rule asks. */
struct python_work {
    const char *instead; /* of the first reader that it calls */
    struct span reader;
    size_t other; /* calls of what TensorFlow has no op for */
};

/* A fact_visitor; ctx: the struct above, to which it adds the call. */
static bool look(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    struct python_work *seen = ctx;
    const struct word *w = fact_word(p, f, call);
    const struct python_reader *reader = NULL;

    for (size_t i = 0; i < ARRAY_LEN(readers) && reader == NULL; i++)
        reader = word_has(w, readers[i].python) ? &readers[i] : NULL;
    if (reader != NULL && seen->instead == NULL) {
        seen->instead = reader->instead;
        seen->reader = fact_name(p, f, call);
    }
    if (reader == NULL && (w->framework == FRAMEWORK_NUMPY || fact_name(p, f, call).len > 0))
        seen->other += !word_has(w, TRAIT_HAS_OP);
    else if (reader == NULL && !fact_callee(p, f, call, NULL))
        seen->other += fact_method(f, call, TRAIT_HAS_OP) == 0;
    return true;
}

static void check_generator(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t argument = py_argument_or(f, call, 0, "generator"), loop, yield;
    struct function to;
    struct python_work seen = {0};

    if (!fact_has(p, f, call, TRAIT_FROM_GENERATOR) ||
        !rule_needs(r, call, argument, fact_certain(f, argument) && fact_function(p, f, argument, &to),
                    "its code is not found"))
        return;
    if (py_kind(to.f, to.n) == PY_LAMBDA) {
        uint32_t body = py_child(to.f, to.n, FIELD_BODY);
        if (!rule_needs(r, call, argument, py_kind(to.f, body) == PY_CALL && fact_callee(p, to.f, body, &to),
                        "the code of what it calls is not found"))
            return;
    }
    if (only_yields(to.f, to.n, &loop, &yield) && only_slices(p, to.f, loop, yield) && slices_arrays(p, to.f, loop)) {
        rule_report(r, call, CHECK_MEDIUM, "the generator only takes arrays apart in Python, one element at a time");
        return;
    }
    fact_visit_calls(p, to.f, to.n, CALLS_DEEP, look, &seen);
    if (!rule_needs(r, call, argument, seen.instead != NULL,
                    "it is not seen to only take arrays apart, nor to read or decode what TensorFlow can"))
        return;
    rule_report(r, call, seen.other > 2 ? CHECK_LOW : CHECK_MEDIUM, "the generator calls %.*s in Python",
                SPAN_ARG(seen.reader));
    rule_why(r, "Python runs one call at a time, under the interpreter's lock.");
    rule_advice(r, "Use %s%s.", seen.instead, seen.other > 2 ? ", and leave the rest where it is" : "");
}

const struct rule_looks rule_PP309 = {.call = check_generator};

/* --- PP310 to PP312: comprehensions --- */

/* Does the call make one array or tensor of a list? */
static bool joins(const struct word *w, enum framework framework)
{
    return w->framework == framework && (word_has(w, TRAIT_STACKS) || word_has(w, TRAIT_FROM_LIST));
}

/* np.array([codes[i] for i in rows]) for each batch: an array takes all the rows at once. */
static void check_rows(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct rounds of;

    if (!joins(fact_word(p, f, call), FRAMEWORK_NUMPY) || !rounds_of(f, py_argument(f, call, 0), &of) ||
        !rule_needs(r, call, of.body, py_kind(f, of.body) == PY_SUBSCRIPT, "it is not a row of an array"))
        return;
    uint32_t function = py_function_of(f, call), class = function > ROOT ? py_up(f, function, PY_CLASS) : 0;
    bool batches = class != 0 && span_eq(py_title(f, function), SPAN("__getitem__"))
                       ? fact_derives(p, f, class, TRAIT_SEQUENCE_CLASS) /* of Keras */
                       : function > ROOT && py_has(f, function, PY_YIELD);
    if (!rule_needs(r, call, call, batches, "it is not seen to make each batch"))
        return;
    uint32_t array = py_child(f, of.body, FIELD_VALUE), index = py_child(f, of.body, FIELD_SUBSCRIPT);
    bool bound = py_kind(f, index) == PY_IDENTIFIER && py_mentions(f, of.target, f->nodes[index].sym);
    if (!rule_needs(r, call, index, bound && py_next(f, index) == 0, "it is not the number of a row") ||
        !rule_needs(r, call, array,
                    py_kind(f, array) == PY_IDENTIFIER && (is_array(p, f, array) || shape_of(p, f, array).rank != 0),
                    "it is not known to be an array"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s is copied row by row in Python for each batch", RULE_TEXT(f, array));
    rule_advice(r, "Take all rows at once: %s[rows], or tf.gather in a tf.data.Dataset.", RULE_TEXT(f, array));
}

const struct rule_looks rule_PP310 = {.call = check_rows};

static bool reads_a_file(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return word_has(w, TRAIT_READS_FILE) && w->framework == FRAMEWORK_TENSORFLOW;
}

/* tf.stack([decoded(name) for name in names]), outside of a pipeline. */
static void check_files(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct rounds of;

    if (joins(fact_word(p, f, call), FRAMEWORK_TENSORFLOW) && rounds_of(f, py_argument(f, call, 0), &of) &&
        rule_needs(r, call, of.over, !is_handful(fact_loop(p, f, of.body)), "a handful of rounds") &&
        rule_needs(r, call, of.body, fact_reaches(p, f, of.body, reads_a_file),
                   "it is not seen to read a file by TensorFlow"))
        rule_report(r, call, CHECK_LOW, "the files are read and decoded one after the other in Python");
}

const struct rule_looks rule_PP311 = {.call = check_files};

/* sum(1 for _ in dataset): the data set comes to Python, element by element, to be counted. */
static void check_count(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct rounds of;
    int64_t one;

    if (fact_has(p, f, call, TRAIT_SUMS) && rounds_of(f, py_argument(f, call, 0), &of) &&
        py_integer(f, of.body, &one) && one == 1 &&
        rule_needs(r, call, of.over,
                   fact_value(p, f, of.over).kind == VALUE_DATASET ||
                       (py_kind(f, of.over) == PY_CALL && fact_has(p, f, of.over, TRAIT_READS_RECORDS)),
                   "it is not known to be a tf.data.Dataset"))
        rule_report(r, call, CHECK_LOW, "each element goes to Python only to be counted");
}

const struct rule_looks rule_PP312 = {.call = check_count};
