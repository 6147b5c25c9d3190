/* What a function does that is mapped over a data set. */
#include "check/project.h"

enum { DEPTH_MAX = 4, NODES_MAX = 20000 };

struct look {
    struct project *p;
    struct mapper *m;
    unsigned nodes;
    unsigned light, heavy; /* calls of each sort */
    bool unknown_call;
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
};
static const char *const packing_methods[] = {
    "set_shape", "items", "keys", "values", "get", "pop", "update", "copy", "as_list",
    "get_shape", "append", "extend", "merge_with",
};
/* Calls that move or relabel what is there. */
static const char *const light[] = {
    "tf.cast",      "tf.reshape",  "tf.expand_dims", "tf.squeeze",      "tf.to_float",
    "tf.to_int32",  "tf.to_int64", "tf.saturate_cast", "tf.stop_gradient", "tf.bitcast",
    "tf.zeros",     "tf.ones",     "tf.fill",        "tf.size",         "tf.rank",
    "tf.stack",     "tf.dtypes.cast",
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

static bool among(struct span name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_eq(name, span_of(list[i])))
            return true;
    return false;
}
#define AMONG(name, list) among(name, list, ARRAY_LEN(list))

/* Files, formats, and code outside TensorFlow: work of each element on its own. */
static bool reads_or_decodes(struct span name)
{
    static const char *const parts[] = {"read_file", "decode_", "parse_", "py_func",
                                        "numpy_function", "tf.io.", "tf.audio."};

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (span_find(name, span_of(parts[i])) != SIZE_MAX)
            return true;
    return false;
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
    return span_find(name, SPAN("random")) != SIZE_MAX ||
           span_find(name, SPAN("dropout")) != SIZE_MAX ||
           span_find(name, SPAN("jitter")) != SIZE_MAX ||
           span_find(name, SPAN("augment")) != SIZE_MAX ||
           span_find(name, SPAN("distort")) != SIZE_MAX;
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
    if (AMONG(name, light))
        l->light++;
    else
        l->heavy++;
    if (reads_or_decodes(name))
        m->reads = true;
    if (parses_batches(name))
        l->parses = true;
    else if (!AMONG(name, light) && !AMONG(name, elementwise) && !is_format(name))
        l->one_only = true;
    if (span_starts(name, SPAN("tf.data.")))
        m->nested = true;
    if (op == OP_STATEFUL || span_eq(name, SPAN("builtins.print")) ||
        span_eq(name, SPAN("builtins.next")))
        m->stateful = true;
    if (!AMONG(name, elementwise))
        m->elementwise = false;
}

static void look_at_call(struct look *l, const struct py_file *f, uint32_t call, int depth)
{
    struct span name = fact_name(l->p, f, call), method = {"", 0};
    const struct py_file *file;
    uint32_t function, callee = py_child(f, call, FIELD_FUNCTION);

    if (name.len > 0) {
        look_at_named_call(l, name);
        return;
    }
    if (callee != 0 && sounds_random(py_text(f, callee)))
        l->m->random = true;
    if (fact_callee(l->p, f, call, &file, &function)) {
        look_at(l, file, function, depth + 1);
        return;
    }
    if (py_receiver(f, call, &method) != 0 && AMONG(method, packing_methods))
        return;
    l->m->elementwise = false;
    l->unknown_call = true;
    l->one_only = true;
    l->heavy++;
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
    case PY_GLOBAL:
    case PY_NONLOCAL:
        m->stateful = true;
        break;
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
        left = py_child(f, n, FIELD_LEFT);
        if (left != 0 && py_kind(f, left) == PY_ATTRIBUTE)
            m->stateful = true;
        break;
    case PY_FOR:
    case PY_WHILE:
        l->heavy++;
        m->elementwise = false;
        l->one_only = l->one_only || py_kind(f, n) == PY_WHILE || !about_features(f, n);
        break;
    case PY_BINARY_OPERATOR:
        l->heavy++; /* arithmetic on what may be large */
        break;
    case PY_SUBSCRIPT: {
        uint32_t index = py_child(f, n, FIELD_SUBSCRIPT);
        if (index != 0 && py_kind(f, index) != PY_STRING && py_kind(f, index) != PY_INTEGER)
            m->elementwise = false;
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

    if (depth > DEPTH_MAX || body == 0) {
        l->unknown_call = true;
        l->heavy++;
        l->m->elementwise = false;
        l->one_only = true;
        return;
    }
    for (uint32_t n = body; n < f->nodes[body].after && l->nodes < NODES_MAX; n++, l->nodes++)
        look_at_node(l, f, n, depth);
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
            m.parses = l.parses && !l.one_only;
        }
        m.random = m.random || sounds_random(py_text(f, function));
        return m;
    }
    m.known = true;
    look_at(&l, file, found, 0);
    m.trivial = l.heavy == 0 && l.light == 0 && !m.reads && !m.nested;
    m.light = l.heavy == 0 && l.light <= 3 && !m.reads && !m.nested;
    m.parses = l.parses && !l.one_only && !m.random && !m.nested && !m.stateful;
    m.elementwise = m.elementwise && !m.reads && !m.random && !m.nested && !m.stateful;
    return m;
}
