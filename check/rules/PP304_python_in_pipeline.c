/* PP304: Python code in a data-set pipeline where TensorFlow has a native path. */
#include "check/rules/rule.h"
#include "check/facts/shape.h"

enum { DEPTH = 2 };

/* What reads or decodes in Python, and what does it in TensorFlow. */
static const struct native {
    enum trait python;
    const char *instead;
} readers[] = {
    {TRAIT_READS_IMAGE, "tf.io.read_file and tf.io.decode_image in map()"},
    {TRAIT_DECODES_IMAGE, "tf.io.decode_image in map()"},
    {TRAIT_READS_RECORDS, "tf.data.TFRecordDataset"},
    {TRAIT_READS_SOUND, "tf.io.read_file and tf.audio.decode_wav in map()"},
};

/* What a Python function does, as far as the rule asks. */
struct seen {
    const char *instead; /* of the first reader that it calls */
    struct span reader;
    const char *text;    /* turns text to numbers or back: what does it in TensorFlow */
    struct span turns;   /* that call */
    size_t simple;       /* calls of numpy that have a twin */
    size_t other;        /* calls of anything else */
};

static const struct native *reader_of(const struct word *w)
{
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        if (word_has(w, readers[i].python))
            return &readers[i];
    return NULL;
}

/* bytes(x).decode(…), chr(x), ord(x): the numbers of characters, and text. */
static const char *turns_text(const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver != 0 && py_kind(f, receiver) == PY_CALL && span_eq(method, SPAN("decode"))) {
        uint32_t made = py_child(f, receiver, FIELD_FUNCTION);
        bool bytes = py_argument(f, receiver, 0) != 0 &&
                     (py_is(f, made, "bytes") || py_is(f, made, "bytearray"));
        return bytes && py_def_of(f, made) == 0
                   ? "tf.gather from a table of the bytes and tf.strings.reduce_join do"
                   : NULL;
    }
    if (callee == 0 || py_kind(f, callee) != PY_IDENTIFIER || py_def_of(f, callee) != 0)
        return NULL;
    if (py_is(f, callee, "chr") || py_is(f, callee, "unichr"))
        return "tf.strings.unicode_encode does";
    return py_is(f, callee, "ord") ? "tf.strings.unicode_decode does" : NULL;
}

/* Has TensorFlow an op for it? */
static void count(struct seen *seen, struct project *p, const struct py_file *f, uint32_t call,
                  const struct word *w)
{
    struct span name = fact_name(p, f, call), method;
    const struct py_file *file;
    uint32_t callee;

    if (w->framework == FRAMEWORK_NUMPY) {
        *(word_has(w, TRAIT_HAS_OP) ? &seen->simple : &seen->other) += 1;
    } else if (name.len > 0) {
        seen->other += !word_has(w, TRAIT_HAS_OP);
    } else if (!fact_callee(p, f, call, &file, &callee)) {
        bool known =
            py_receiver(f, call, &method) != 0 && vocabulary_method_has(method, TRAIT_HAS_OP);
        *(known ? &seen->simple : &seen->other) += 1;
    }
}

static bool look(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    struct seen *seen = ctx;
    const struct word *w = fact_word(p, f, call);
    const struct native *reader = reader_of(w);
    const char *text = turns_text(f, call);

    if (text != NULL && seen->text == NULL) {
        seen->text = text;
        seen->turns = py_text(f, call);
    }
    if (reader == NULL) {
        count(seen, p, f, call, w);
    } else if (seen->instead == NULL) {
        seen->instead = reader->instead;
        seen->reader = fact_name(p, f, call);
    }
    return true;
}

/* Things that keep the function from being rewritten as ops at once. */
static bool has_python_flow(const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_FOR || kind == PY_WHILE || kind == PY_IF || kind == PY_TRY ||
            kind == PY_WITH || kind == PY_DICTIONARY || kind == PY_GLOBAL || kind == PY_NONLOCAL ||
            kind == PY_LIST_COMPREHENSION || kind == PY_GENERATOR || kind == PY_INTERPOLATION)
            return true;
    }
    return false;
}

/* --- py_function, numpy_function --- */

static void report_reader(struct rule_run *r, uint32_t call, struct span caller,
                          const struct seen *seen)
{
    rule_report(r, call, seen->other > 2 ? CHECK_NOTE : CHECK_WARNING,
                "%.*s calls %.*s in Python, one call at a time under the interpreter's lock; use"
                " %s%s",
                (int)caller.len, caller.ptr, (int)seen->reader.len, seen->reader.ptr, seen->instead,
                seen->other > 2 ? ", and leave the rest where it is" : "");
}

static void report_text(struct rule_run *r, uint32_t call, struct span caller,
                        const struct seen *seen)
{
    enum { LENGTH_MAX = 60 };
    size_t length = seen->turns.len <= LENGTH_MAX ? seen->turns.len : LENGTH_MAX;

    if (memchr(seen->turns.ptr, '\n', length) != NULL)
        length = 0;
    rule_report(r, call, CHECK_NOTE,
                "%.*s turns text to numbers or back in Python%s%.*s%s, under the interpreter's lock;"
                " %s that",
                (int)caller.len, caller.ptr, length > 0 ? " (" : "", (int)length, seen->turns.ptr,
                length > 0 ? ")" : "", seen->text);
}

static void check_py_function(struct rule_run *r, struct project *p, const struct py_file *f,
                              uint32_t call)
{
    struct span name = fact_name(p, f, call);
    uint32_t argument = py_argument_or(f, call, 0, "func"), function;
    const struct py_file *file;
    struct seen seen = {0};

    uint32_t inputs = py_argument_or(f, call, 1, "inp");
    /* Given nothing, it feeds no data set: a metric, a hook. */
    if (argument == 0 || !fact_certain(f, argument) ||
        (inputs != 0 && py_kind(f, inputs) == PY_LIST && py_first(f, inputs) == 0))
        return;
    if (!fact_function(p, f, argument, &file, &function)) {
        struct span direct = fact_name(p, f, argument);
        const struct word *w = fact_word(p, f, argument);
        const struct native *reader = reader_of(w);
        if (reader != NULL)
            report_reader(r, call, name,
                          &(struct seen){.instead = reader->instead, .reader = direct});
        if (w->framework == FRAMEWORK_NUMPY && word_has(w, TRAIT_HAS_OP))
            rule_report(r, call, CHECK_WARNING,
                        "%.*s runs %.*s in Python, under the interpreter's lock; TensorFlow has an"
                        " op for it",
                        (int)name.len, name.ptr, (int)direct.len, direct.ptr);
        return;
    }
    fact_visit_calls_of(p, f, argument, DEPTH, look, &seen);
    if (seen.instead != NULL)
        report_reader(r, call, name, &seen);
    else if (seen.text != NULL)
        report_text(r, call, name, &seen);
    else if (seen.simple > 0 && seen.other == 0 && !has_python_flow(file, function))
        rule_report(r, call, CHECK_WARNING,
                    "%.*s runs %s in Python, under the interpreter's lock; all that it calls has an"
                    " op in TensorFlow",
                    (int)name.len, name.ptr, RULE_TEXT(f, argument));
}

/* --- from_generator --- */

/* [… for … in …] or the same as a generator, with nothing else: what each round gives, and over
 * what. */
static bool comprehension(const struct py_file *f, uint32_t n, uint32_t *body, uint32_t *target,
                          uint32_t *over)
{
    size_t clauses = 0;

    if (n == 0 || (py_kind(f, n) != PY_LIST_COMPREHENSION && py_kind(f, n) != PY_GENERATOR))
        return false;
    *body = py_child(f, n, FIELD_BODY);
    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
        clauses += py_kind(f, c) == PY_FOR_IN || py_kind(f, c) == PY_IF_CLAUSE;
        if (py_kind(f, c) != PY_FOR_IN)
            continue;
        *target = py_child(f, c, FIELD_LEFT);
        *over = py_child(f, c, FIELD_RIGHT);
    }
    return clauses == 1 && *body != 0 && *target != 0 && *over != 0;
}

/* `for … in …: yield …` and no more: *loop, and what is yielded. */
static bool only_yields(const struct py_file *f, uint32_t function, uint32_t *loop, uint32_t *yield)
{
    uint32_t body = py_child(f, function, FIELD_BODY), inner = 0;

    *loop = *yield = 0;
    for (uint32_t s = body != 0 ? py_first(f, body) : 0; s != 0; s = py_next(f, s)) {
        if (py_kind(f, s) == PY_EXPRESSION_STATEMENT && py_first(f, s) != 0 &&
            py_kind(f, py_first(f, s)) == PY_STRING)
            continue; /* its documentation */
        if (py_kind(f, s) != PY_FOR || *loop != 0)
            return false;
        *loop = s;
    }
    inner = *loop != 0 ? py_child(f, *loop, FIELD_BODY) : 0;
    if (inner == 0 || py_first(f, inner) == 0 || py_next(f, py_first(f, inner)) != 0)
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
        if (kind != PY_TUPLE && kind != PY_EXPRESSION_LIST && kind != PY_IDENTIFIER &&
            kind != PY_SUBSCRIPT && kind != PY_PARENTHESIZED && kind != PY_ATTRIBUTE)
            return false;
    }
    uint32_t over = py_child(f, loop, FIELD_RIGHT);
    if (over != 0 && py_kind(f, over) == PY_IDENTIFIER)
        return true;
    return over != 0 && py_kind(f, over) == PY_CALL &&
           (fact_has(p, f, over, TRAIT_RANGE) || fact_has(p, f, over, TRAIT_ZIPS));
}

/* Arrays: what is sliced or zipped is known to come from numpy, or from Keras' data sets. Ragged
 * lists need a generator. */
static bool is_array(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);
    const struct word *made = fact_name_word(p, v.name);
    uint32_t defs[4];

    if (v.kind == VALUE_OBJECT && made->framework == FRAMEWORK_NUMPY)
        return !word_has(made, TRAIT_MAPS_FILE); /* that may be larger than memory */
    if (py_kind(f, n) != PY_IDENTIFIER || py_reaching(f, n, defs, 4) != 1)
        return false;
    const struct py_def *def = &f->defs[defs[0]];
    if (def->kind != DEF_ASSIGN && def->kind != DEF_UNPACK)
        return false;
    if (py_kind(f, def->value) != PY_CALL)
        return false;
    const struct word *from = fact_word(p, f, def->value);
    return from->framework == FRAMEWORK_NUMPY ||
           (from->framework == FRAMEWORK_KERAS && word_has(from, TRAIT_LOADS_DATA));
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

/* Packs parts of what the loop's variable holds: x, x["image"], tuple(x[key] for key in keys). */
static bool only_packs(struct project *p, const struct py_file *f, uint32_t yield)
{
    for (uint32_t n = yield + 1; n < f->nodes[yield].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_BINARY_OPERATOR || kind == PY_UNARY_OPERATOR || kind == PY_CONDITIONAL ||
            kind == PY_LAMBDA || kind == PY_IF_CLAUSE || kind == PY_AWAIT)
            return false;
        if (kind == PY_CALL && !fact_has(p, f, n, TRAIT_CONTAINER))
            return false;
    }
    return py_first(f, yield) != 0;
}

/* list(dataset), list(iter(dataset)), [x for x in dataset] */
static bool lists_dataset(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t of = 0, body = 0, target = 0;

    if (n != 0 && py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_CONTAINER)) {
        of = py_argument(f, n, 0);
        if (of != 0 && py_kind(f, of) == PY_CALL && fact_has(p, f, of, TRAIT_ITERATOR))
            of = py_argument(f, of, 0);
    } else if (!comprehension(f, n, &body, &target, &of) ||
               !span_eq(py_text(f, body), py_text(f, target))) {
        return false;
    }
    return of != 0 && fact_value(p, f, of).kind == VALUE_DATASET;
}

/* Is the list that the loop goes over known to hold all of a data set: bound so once, to a name of
 * the function around the generator or to an attribute there, and not changed by it otherwise?
 * *made: where. */
static bool holds_dataset(struct project *p, const struct py_file *f, uint32_t over, uint32_t *made)
{
    uint32_t around = py_function_of(f, py_parent(f, py_function_of(f, over)));
    enum py_kind kind = py_kind(f, over);
    enum { AROUND_MAX = 20000 };
    size_t bound = 0;

    if ((kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) ||
        f->nodes[around].after - around > AROUND_MAX)
        return false;
    for (uint32_t n = around; n < f->nodes[around].after; n++) {
        struct span method;
        if (py_kind(f, n) == PY_CALL && py_receiver(f, n, &method) != 0 &&
            span_eq(py_text(f, py_receiver(f, n, NULL)), py_text(f, over)))
            return false; /* shuffled, sorted, appended to */
        uint32_t left = py_kind(f, n) == PY_ASSIGNMENT ? py_child(f, n, FIELD_LEFT) : 0;
        if (left == 0 || !span_eq(py_text(f, left), py_text(f, over)))
            continue;
        if (bound++ > 0 || !lists_dataset(p, f, py_child(f, n, FIELD_RIGHT)))
            return false;
        *made = n;
    }
    return bound == 1;
}

static void check_generator(struct rule_run *r, struct project *p, const struct py_file *f,
                            uint32_t call)
{
    uint32_t argument = py_argument_or(f, call, 0, "generator"), function, loop, yield, made = 0;
    const struct py_file *file;
    struct seen seen = {0};

    if (argument == 0 || !fact_certain(f, argument))
        return;
    if (!fact_function(p, f, argument, &file, &function))
        return;
    if (py_kind(file, function) == PY_LAMBDA) {
        uint32_t body = py_child(file, function, FIELD_BODY);
        if (body == 0 || py_kind(file, body) != PY_CALL ||
            !fact_callee(p, file, body, &file, &function))
            return;
    }
    bool yields = only_yields(file, function, &loop, &yield);
    if (yields && only_slices(p, file, loop, yield) && slices_arrays(p, file, loop)) {
        rule_report(r, call, CHECK_WARNING,
                    "the generator only takes arrays apart, in Python, one element at a time; use"
                    " tf.data.Dataset.from_tensor_slices");
        return;
    }
    if (yields && only_packs(p, file, yield) &&
        holds_dataset(p, file, py_child(file, loop, FIELD_RIGHT), &made)) {
        rule_report(r, call, CHECK_NOTE,
                    "the generator only hands out, in Python, the elements of a data set that %s put"
                    " into a list; cache() keeps them in memory inside the pipeline",
                    RULE_PLACE(f, file, made));
        return;
    }
    fact_visit_calls(p, file, function, DEPTH, look, &seen);
    if (seen.instead != NULL)
        report_reader(r, call, SPAN("the generator"), &seen);
}

/* --- comprehensions --- */

/* __getitem__ of a Keras sequence, or a generator: it runs for each batch. */
static bool makes_batches(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t class = function > 1 ? py_up(f, function, PY_CLASS) : 0;
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    if (class != 0 && name != 0 && py_is(f, name, "__getitem__"))
        return fact_derives(p, f, class, TRAIT_SEQUENCE_CLASS);
    for (uint32_t n = function; function > 1 && n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD)
            return true;
    return false;
}

/* np.array([codes[i] for i in rows]): an array takes all the rows at once. */
static void check_rows(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (!comprehension(f, py_argument(f, call, 0), &body, &target, &over) ||
        py_kind(f, body) != PY_SUBSCRIPT || !makes_batches(p, f, py_function_of(f, call)))
        return;
    uint32_t array = py_child(f, body, FIELD_VALUE), index = py_child(f, body, FIELD_SUBSCRIPT);
    bool bound = false;
    for (uint32_t t = target; index != 0 && t < f->nodes[target].after; t++)
        bound = bound || (py_kind(f, t) == PY_IDENTIFIER && py_kind(f, index) == PY_IDENTIFIER &&
                          f->nodes[t].sym == f->nodes[index].sym);
    if (!bound || py_next(f, index) != 0 || py_kind(f, array) != PY_IDENTIFIER ||
        (!is_array(p, f, array) && shape_of(p, f, array).rank == 0))
        return;
    rule_report(r, call, CHECK_WARNING,
                "%s is copied row by row in Python for each batch; an array takes the numbers of all"
                " rows at once: %.*s[rows], or tf.gather in a tf.data.Dataset",
                RULE_TEXT(f, array), (int)py_text(f, array).len, py_text(f, array).ptr);
}

static bool reads_a_file(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return word_has(w, TRAIT_READS_FILE) && w->framework == FRAMEWORK_TENSORFLOW;
}

/* tf.stack([decoded(name) for name in names]), outside of a pipeline. */
static void check_files(struct rule_run *r, struct project *p, const struct py_file *f,
                        uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (!comprehension(f, py_argument(f, call, 0), &body, &target, &over) ||
        (fact_loop(p, f, body).rounds >= 0 && fact_loop(p, f, body).trip == TRIP_SHORT) ||
        !fact_reaches(p, f, body, reads_a_file))
        return;
    rule_report(r, call, CHECK_NOTE,
                "the files are read and decoded one after the other in Python; a tf.data.Dataset of"
                " their names, with map() and batch(), does it in threads, and what works on pixels"
                " can take batches");
}

/* sum(1 for _ in dataset): the data set comes to Python, element by element, to be counted. */
static void check_count(struct rule_run *r, struct project *p, const struct py_file *f,
                        uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;
    int64_t one;

    if (!comprehension(f, py_argument(f, call, 0), &body, &target, &over) ||
        !py_integer(f, body, &one) || one != 1)
        return;
    if (fact_value(p, f, over).kind == VALUE_DATASET ||
        (py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_READS_RECORDS)))
        rule_report(r, call, CHECK_NOTE,
                    "each element is handed to Python only to be counted; batch(1000) and reduce()"
                    " count inside the pipeline, and cardinality() where it is known");
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++) {
        const struct word *w = fact_word(p, f, calls[i]);
        bool array = word_has(w, TRAIT_STACKS) || word_has(w, TRAIT_FROM_LIST);
        if (word_has(w, TRAIT_LEAVES_FRAMEWORK))
            check_py_function(r, p, f, calls[i]);
        else if (word_has(w, TRAIT_FROM_GENERATOR))
            check_generator(r, p, f, calls[i]);
        else if (word_has(w, TRAIT_SUMS))
            check_count(r, p, f, calls[i]);
        else if (array && w->framework == FRAMEWORK_TENSORFLOW)
            check_files(r, p, f, calls[i]);
        else if (array && w->framework == FRAMEWORK_NUMPY)
            check_rows(r, p, f, calls[i]);
    }
}

const struct rule rule_PP304 = {
    .about = {
        .id = "PP304",
        .name = "python-in-pipeline",
        .summary = "Python code feeds a data set where TensorFlow has a native path",
        .severity = CHECK_NOTE,
        .on = true,
    },
    .run = run,
};
