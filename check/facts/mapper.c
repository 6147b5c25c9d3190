/* What a function does that is mapped over a data set. */
#include "check/facts/project.h"

enum { DEPTH_MAX = 4, NODES_MAX = 20000 };

struct look {
    struct project *p;
    struct {
        const struct py_file *file;
        uint32_t function;
    } within[DEPTH_MAX + 2]; /* functions that are being looked at, one calling the next */
    struct mapper *m;
    unsigned nodes;
    unsigned light, heavy; /* what it does, of each sort */
    unsigned arithmetic;   /* of the light: on every number of what is there */
    bool works;            /* one of the heavy is known to take time */
    unsigned patterns;     /* of the heavy: search a text for one */
    unsigned records;      /* of the heavy: take records or lines apart, which is seldom much */
    bool pictures;         /* a name in it speaks of images or sound: every number is many */
    bool columns;          /* a list of them was read */
    bool parses, one_only; /* records are parsed; something else that takes one element only */
};

static void look_at(struct look *l, const struct py_file *f, uint32_t function, int depth);

/* Calls that take no time: they pack, pick or tell shapes. */
static const char *const packing[] = {
    "builtins.dict",  "builtins.tuple", "builtins.list",      "builtins.len",
    "builtins.zip",   "builtins.range", "builtins.isinstance", "builtins.enumerate",
    "builtins.sorted", "tf.ensure_shape", "tf.TensorShape",    "tf.constant",
    "tf.identity",    "tf.shape",       "collections.OrderedDict", "builtins.int",
    "builtins.set",   "tf.convert_to_tensor", "tf.nest.map_structure", "builtins.getattr",
    "builtins.hasattr", "builtins.type", "builtins.str",      "builtins.all", "builtins.any",
    "builtins.callable", "builtins.super", "tf.nest.assert_same_structure", "tf.name_scope",
    "tf.nest.is_nested", "tf.logging.info", "tf.logging.warning",
    "keras.utils.pack_x_y_sample_weight", "keras.utils.unpack_x_y_sample_weight",
};
static const char *const packing_methods[] = {
    "items", "keys", "values", "get", "pop", "update", "copy", "as_list",
    "get_shape", "append", "extend", "merge_with", "_asdict", "_replace", "format", "startswith",
    "endswith", "set_shape", "setdefault",
};
/* Calls that move or relabel what is there, and look at one row. */
static const char *const light[] = {
    "tf.cast",      "tf.reshape",  "tf.expand_dims", "tf.squeeze",      "tf.to_float",
    "tf.to_int32",  "tf.to_int64", "tf.saturate_cast", "tf.stop_gradient", "tf.bitcast",
    "tf.zeros",     "tf.ones",     "tf.fill",        "tf.size",         "tf.rank",
    "tf.stack",     "tf.dtypes.cast", "tf.one_hot",  "tf.zeros_like",   "tf.ones_like",
    "tf.gather",    "tf.concat",   "tf.range",       "tf.split",        "tf.unstack",
    "tf.argmax",    "tf.slice",    "tf.strided_slice", "tf.as_string",  "tf.strings.as_string",
    "tf.strings.to_number", "tf.string_to_number", "tf.strings.join",   "tf.strings.length",
    "tf.strings.to_hash_bucket_fast", "tf.strings.to_hash_bucket", "tf.nest.flatten",
    "tf.nest.pack_sequence_as", "tf.logical_and", "tf.logical_or", "tf.logical_not", "tf.equal",
    "tf.not_equal", "tf.greater",  "tf.greater_equal", "tf.less",       "tf.less_equal",
    "tf.math.equal", "tf.math.logical_and", "tf.math.logical_or", "tf.math.logical_not",
    "tf.math.argmax", "tf.transpose", "tf.where",    "tf.cond",         "tf.tile",
    "tf.decode_raw", "tf.io.decode_raw", "tf.decode_base64", "tf.io.decode_base64",
    "tf.strings.unicode_decode",
    "tf.sparse.to_dense", "tf.RaggedTensor.from_tensor", "tf.debugging.assert_equal",
    "numpy.expand_dims", "numpy.ones", "numpy.zeros", "numpy.reshape",
};
/* Calls that go once over all numbers, as the operators do. */
static const char *const arithmetic[] = {
    "tf.abs",      "tf.add",       "tf.divide",      "tf.multiply",     "tf.subtract",
    "tf.negative", "tf.maximum",   "tf.minimum",     "tf.clip_by_value", "tf.round",
    "tf.floor",    "tf.square",    "tf.sqrt",        "tf.truediv",      "tf.math.add",
    "tf.math.divide", "tf.math.multiply", "tf.math.subtract", "tf.math.maximum",
    "tf.math.minimum", "tf.math.abs", "tf.math.floor", "tf.math.round", "tf.math.square",
    "tf.reduce_sum", "tf.reduce_mean", "tf.reduce_max", "tf.reduce_min", "tf.reduce_all",
    "tf.reduce_any", "tf.reduce_prod", "tf.math.reduce_sum", "tf.math.reduce_mean",
    "tf.math.reduce_max", "tf.math.reduce_min", "tf.math.reduce_all", "tf.math.reduce_any",
    "tf.math.count_nonzero",
};
/* The same on one element and on a batch of them, element by element. */
static const char *const elementwise[] = {
    "tf.abs",      "tf.add",      "tf.cast",     "tf.ceil",     "tf.clip_by_value", "tf.divide",
    "tf.dtypes.cast", "tf.equal", "tf.exp",      "tf.floor",    "tf.greater",       "tf.identity",
    "tf.less",     "tf.log",      "tf.logical_and", "tf.logical_not", "tf.logical_or",
    "tf.maximum",  "tf.minimum",  "tf.mod",      "tf.multiply", "tf.negative",      "tf.pow",
    "tf.round",    "tf.rsqrt",    "tf.sigmoid",  "tf.sign",     "tf.sqrt",          "tf.square",
    "tf.subtract", "tf.tanh",     "tf.to_float", "tf.to_int32", "tf.to_int64",      "tf.truediv",
    "tf.zeros_like", "tf.ones_like", "tf.one_hot", "tf.image.convert_image_dtype",
    "tf.image.rgb_to_grayscale",  "tf.image.grayscale_to_rgb", "tf.image.flip_left_right",
    "tf.image.adjust_brightness", "tf.image.resize", "tf.nn.relu", "tf.constant",
    "tf.math.log", "tf.math.exp", "tf.math.sqrt", "tf.math.abs", "tf.math.multiply",
    "tf.math.divide", "tf.math.add", "tf.math.subtract", "tf.math.floor",
};

#define AMONG(name, list) span_is_any(name, list, ARRAY_LEN(list))

/* Files and formats: work of each element on its own. */
static bool reads_or_decodes(struct span name)
{
    static const char *const parts[] = {"read_file", "decode_", "parse_", "tf.io.", "tf.audio."};

    return span_has_any(name, parts, ARRAY_LEN(parts));
}

/* Ops that take time whatever they are given; of others that are not light it is not known. What goes
 * over the bytes of one element once, or draws a few numbers, takes as long as calling it. */
static bool takes_time(struct span name)
{
    static const char *const words[] = {
        "image",  "signal", "tf.audio",         "token",  "tensorflow_text", "lookup",
        "vectorized_map",   "scan",   "while",  "linalg", "matmul", "einsum", "nn.conv",
        "resize", "sort",   "top_k",  "unique", "keras.layers",
        "tensorflow_addons", "read_file",       "decode_", "raw_ops.Decode",
    };
    static const char *const not_these[] = {
        "decode_raw", "unicode_decode", "decode_base64", "convert_image_dtype", "rgb_to_grayscale",
        "grayscale_to_rgb", "convert_to_tensor", "decode_csv", "_flip", "flip_", "rot90",
        "random_crop", "central_crop", "crop_or_pad", "to_bounding_box", "image.transpose",
        "extract_jpeg_shape", "is_jpeg", "record", "example", "embedding_lookup",
    };

    return span_has_any(name, words, ARRAY_LEN(words)) &&
           !span_has_any(name, not_these, ARRAY_LEN(not_these));
}

/* Takes features out of records, columns out of lines: microseconds for each, but for large ones. */
static bool takes_apart(struct span name)
{
    static const char *const words[] = {"parse_", "decode_csv"};

    return span_has_any(name, words, ARRAY_LEN(words));
}

/* Into Python, where one call at a time runs. */
static bool leaves_tensorflow(struct span name)
{
    return span_find(name, SPAN("py_func")) != SIZE_MAX ||
           span_find(name, SPAN("numpy_function")) != SIZE_MAX;
}

/* Formats whose ops take a batch of strings as they take one, or have a twin that does. */
static bool parses_batches(struct span name)
{
    static const char *const names[] = {
        "tf.io.parse_single_example", "tf.parse_single_example", "tf.io.decode_csv",
        "tf.decode_csv", "tf.io.decode_raw", "tf.decode_raw", "tf.strings.to_number",
        "tf.string_to_number",
    };

    return AMONG(name, names);
}

static bool sounds_random(struct span name)
{
    static const char *const words[] = {"random", "dropout", "jitter", "augment", "distort"};

    return span_has_any(name, words, ARRAY_LEN(words));
}

/* What only tells the format. */
static bool is_format(struct span name)
{
    return span_starts(name, SPAN("tf.FixedLen")) || span_starts(name, SPAN("tf.io.FixedLen"));
}

static void look_at_named_call(struct look *l, struct span name)
{
    struct mapper *m = l->m;
    enum op_kind op = fact_op(name);

    if (sounds_random(name) || op == OP_RANDOM)
        m->random = true;
    if (AMONG(name, packing))
        return;
    if (leaves_tensorflow(name)) {
        m->python = l->one_only = true;
        m->elementwise = false;
        return;
    }
    bool is_light = AMONG(name, light), is_elementwise = AMONG(name, elementwise);
    if (AMONG(name, arithmetic)) {
        l->arithmetic++;
    } else if (is_light) {
        l->light++;
    } else {
        l->heavy++;
        l->works = l->works || takes_time(name);
        l->records += takes_apart(name);
        l->patterns += span_has(name, "regex");
    }
    if (span_eq(name, SPAN("tf.GradientTape")) || span_eq(name, SPAN("tf.gradients")))
        m->model = true;
    if (reads_or_decodes(name))
        m->reads = true;
    l->columns = l->columns || span_find(name, SPAN("decode_csv")) != SIZE_MAX;
    if (parses_batches(name))
        l->parses = true;
    else if (!is_light && !is_elementwise && !is_format(name))
        l->one_only = true;
    if (span_starts(name, SPAN("tf.data.")))
        m->nested = true;
    if (op == OP_STATEFUL || span_eq(name, SPAN("builtins.print")) ||
        span_eq(name, SPAN("builtins.next")))
        m->stateful = true;
    m->elementwise = m->elementwise && is_elementwise;
}

/* What it sets is its own. */
static bool in_constructor(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && py_is(f, name, "__init__");
}

/* A class by its name: calling it packs. */
static bool names_class(const struct py_file *f, uint32_t callee)
{
    struct span name = py_name(f, callee);
    size_t at = 0;

    while (at < name.len && name.ptr[at] == '_')
        at++;
    return at + 1 < name.len && name.ptr[at] >= 'A' && name.ptr[at] <= 'Z' &&
           name.ptr[at + 1] >= 'a' && name.ptr[at + 1] <= 'z';
}

/* `self.model(x)`, `net.predict(x)`: the work of a model. */
static bool runs_model(struct look *l, const struct py_file *f, uint32_t callee)
{
    static const char *const methods[] = {"predict", "predict_on_batch", "batch_jacobian"};
    struct span name = py_name(f, callee);

    if (callee == 0)
        return false;
    if (py_kind(f, callee) == PY_ATTRIBUTE && AMONG(name, methods))
        return true;
    bool named = name.len >= 5 && memcmp(name.ptr + name.len - 5, "model", 5) == 0;
    struct value v = fact_value(l->p, f, callee);
    struct span class = fact_name_text(l->p, v.name);
    /* Layers, and chains of them, prepare data as often. */
    return named || (v.kind == VALUE_MODEL && (span_starts(class, SPAN("keras.Model")) ||
                                               span_starts(class, SPAN("keras.models.load")) ||
                                               span_starts(class, SPAN("keras.applications."))));
}

/* Something that is read on and on, which calls at the same time would share. */
static bool given_resource(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = list; list != 0 && n < f->nodes[list].after; n++) {
        struct span name = py_name(f, n);
        if (name.len >= 8 && memcmp(name.ptr + name.len - 8, "resource", 8) == 0)
            return true;
    }
    return false;
}

static void look_at_unknown_call(struct look *l, const struct py_file *f, uint32_t call,
                                 uint32_t callee)
{
    struct span method = {"", 0};

    l->m->stateful = l->m->stateful || given_resource(f, call);
    if (py_receiver(f, call, &method) != 0 && AMONG(method, packing_methods))
        return;
    if (names_class(f, callee)) {
        l->light++;
        return;
    }
    l->m->stateful = l->m->stateful || span_eq(method, SPAN("get_next"));
    l->m->elementwise = false;
    l->one_only = true;
    l->heavy++;
}

/* Resizing to the nearest pixel: they are picked, not reckoned with. */
static bool copies_pixels(const struct py_file *f, uint32_t call, struct span name)
{
    static const char *const words[] = {"NEAREST", "nearest"};

    return span_find(name, SPAN("image.resize")) != SIZE_MAX &&
           (span_find(name, SPAN("nearest")) != SIZE_MAX ||
            span_has_any(py_text(f, py_child(f, call, FIELD_ARGUMENTS)), words, ARRAY_LEN(words)));
}

static void look_at_call(struct look *l, const struct py_file *f, uint32_t call, int depth)
{
    struct span name = fact_name(l->p, f, call);
    const struct py_file *file;
    uint32_t function, callee = py_child(f, call, FIELD_FUNCTION);

    if (runs_model(l, f, callee))
        l->m->model = true;
    if (name.len > 0 && (span_starts(name, SPAN("tf.")) || !names_class(f, callee))) {
        l->m->stateful = l->m->stateful || given_resource(f, call);
        look_at_named_call(l, copies_pixels(f, call, name) ? SPAN("tf.gather") : name);
        return;
    }
    if (callee != 0 && sounds_random(py_text(f, callee)))
        l->m->random = true;
    if (fact_callee(l->p, f, call, &file, &function))
        look_at(l, file, function, depth + 1);
    else
        look_at_unknown_call(l, f, call, callee);
}

/* Over fields, one after the other, when the graph is made; the body tells what is done. Over
 * numbers it is done many times. */
static bool counts_rounds(struct look *l, const struct py_file *f, uint32_t loop)
{
    uint32_t over = py_child(f, loop, FIELD_RIGHT);

    return over == 0 || (py_kind(f, over) == PY_CALL && (fact_is(l->p, f, over, "tf.range") ||
                                                         fact_is(l->p, f, over, "builtins.range")));
}

static bool speaks_of_pictures(struct span name)
{
    static const char *const words[] = {"image", "img", "frame", "pixel", "video", "audio",
                                        "waveform", "spectrogram", "volume", "Image"};

    return span_has_any(name, words, ARRAY_LEN(words));
}

/* `if t.dtype == tf.int64`, and loops over the features of a record: they hold for a batch too. */
static bool about_features(const struct py_file *f, uint32_t n)
{
    uint32_t head = py_kind(f, n) == PY_FOR ? py_child(f, n, FIELD_RIGHT)
                                            : py_child(f, n, FIELD_CONDITION);
    struct span text = head != 0 ? py_text(f, head) : (struct span){"", 0};

    return span_find(text, py_kind(f, n) == PY_FOR ? SPAN(".keys()") : SPAN("dtype")) != SIZE_MAX;
}

static void look_at_node(struct look *l, const struct py_file *f, uint32_t n, int depth)
{
    struct mapper *m = l->m;
    uint32_t left;

    switch (py_kind(f, n)) {
    case PY_CALL:
        look_at_call(l, f, n, depth);
        break;
    case PY_IDENTIFIER:
        l->pictures = l->pictures || speaks_of_pictures(py_name(f, n));
        break;
    case PY_STRING:
        l->pictures = l->pictures || speaks_of_pictures(py_text(f, n));
        break;
    case PY_GLOBAL:
    case PY_NONLOCAL:
        m->stateful = true;
        break;
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
        left = py_child(f, n, FIELD_LEFT);
        if (left != 0 && py_kind(f, left) == PY_ATTRIBUTE && !in_constructor(f, n))
            m->stateful = true;
        break;
    case PY_FOR:
        l->heavy += counts_rounds(l, f, n);
        l->one_only = l->one_only || !about_features(f, n);
        m->elementwise = false;
        break;
    case PY_WHILE:
        l->heavy++;
        l->one_only = true;
        m->elementwise = false;
        break;
    case PY_BINARY_OPERATOR:
        l->arithmetic++;
        break;
    case PY_SUBSCRIPT: {
        uint32_t index = py_child(f, n, FIELD_SUBSCRIPT);
        l->light += index != 0 && py_kind(f, index) == PY_SLICE;
        if (index != 0 && py_kind(f, index) != PY_STRING && py_kind(f, index) != PY_INTEGER)
            m->elementwise = false;
        /* Of the columns of CSV it is the same in a batch; of an axis it is not. */
        l->one_only = l->one_only || (!l->columns && index != 0 && py_kind(f, index) == PY_SLICE);
        break;
    }
    case PY_CONDITIONAL:
        l->one_only = true;
        m->elementwise = false;
        break;
    case PY_IF:
        l->one_only = l->one_only || !about_features(f, n);
        m->elementwise = false;
        break;
    case PY_COMPARISON:
        m->elementwise = false;
        break;
    default:
        break;
    }
}

static void look_at(struct look *l, const struct py_file *f, uint32_t function, int depth)
{
    uint32_t body = py_child(f, function, FIELD_BODY);

    for (int i = 0; i < depth; i++)
        if (l->within[i].file == f && l->within[i].function == function)
            return; /* over the parts of what it got: the body was seen */
    if (depth > DEPTH_MAX || body == 0) {
        l->heavy++;
        l->m->elementwise = false;
        l->one_only = true;
        return;
    }
    l->within[depth].file = f;
    l->within[depth].function = function;
    for (uint32_t n = body; n < f->nodes[body].after && l->nodes < NODES_MAX; n++, l->nodes++) {
        if (py_kind(f, n) == PY_RAISE)
            n = f->nodes[n].after - 1;
        else
            look_at_node(l, f, n, depth);
    }
}

/* From what was seen to what rules ask. */
static void judge(const struct look *l)
{
    enum { LITTLE = 3, PATTERNS = 3 };
    struct mapper *m = l->m;
    bool handles = m->nested || l->heavy > 0;

    m->arithmetic = l->arithmetic > 0;
    m->trivial = !handles && !m->python && l->light == 0 && l->arithmetic == 0;
    m->works = l->works || l->patterns >= PATTERNS;
    m->records = l->records > 0 && !m->works;
    m->unknown = l->heavy > l->records;
    m->parses = l->parses && !l->one_only && !m->random && !m->nested && !m->stateful;
    m->light = !handles && !m->python && l->light + l->arithmetic <= LITTLE &&
               !(l->pictures && l->arithmetic > 0);
}

struct mapper fact_mapper(struct project *p, const struct py_file *f, uint32_t function)
{
    struct mapper m = {.elementwise = true};
    struct look l = {.p = p, .m = &m};
    const struct py_file *file;
    uint32_t found;

    if (function == 0)
        return (struct mapper){0};
    if (!fact_function(p, f, function, &file, &found)) {
        /* A function of a library: tf.io.decode_raw, or a bound method that is not known. */
        struct span name = fact_name(p, f, function);
        m.elementwise = false;
        if (span_starts(name, SPAN("tf.")) || span_starts(name, SPAN("keras."))) {
            m.known = true;
            m.elementwise = true;
            look_at_named_call(&l, name);
            judge(&l);
        }
        m.random = m.random || sounds_random(py_text(f, function));
        m.model = m.model || runs_model(&l, f, function);
        return m;
    }
    m.known = true;
    look_at(&l, file, found, 0);
    judge(&l);
    m.elementwise = m.elementwise && !m.reads && !m.python && !m.random && !m.nested && !m.stateful;
    return m;
}
