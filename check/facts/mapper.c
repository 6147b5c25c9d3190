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

static bool sounds_random(struct span name)
{
    return span_has_word(name, "random dropout jitter augment distort");
}

/* What sort of work the call is, of those that are counted. */
static void count_work(struct look *l, const struct word *w, struct span name)
{
    if (word_has(w, TRAIT_ARITHMETIC)) {
        l->arithmetic++;
    } else if (word_has(w, TRAIT_LIGHT)) {
        l->light++;
    } else {
        /* Some ops always take time; of the others here it is not known. An op that goes once over one element's bytes,
         * or draws a few numbers, takes as long as its call. */
        bool sounds_so = span_has_word(name, "image signal token lookup scan linalg matmul einsum resize sort unique "
                                             "decode_ read_file") &&
                         !span_has_word(name, "record example decode_raw _flip flip_");
        l->heavy++;
        l->works = l->works || word_has(w, TRAIT_TAKES_TIME) ||
                   (sounds_so && w->framework == FRAMEWORK_OTHER && w->name.len == 0);
        l->records += word_has(w, TRAIT_PARSES_RECORDS);
        l->patterns += word_has(w, TRAIT_MATCHES_PATTERN);
    }
}

static void look_at_named_call(struct look *l, const struct word *w, struct span name)
{
    struct mapper *m = l->m;
    bool either = word_has(w, TRAIT_ELEMENTWISE) || word_has(w, TRAIT_TAKES_BATCHES); /* one element, or a batch */

    m->random = m->random || w->op == OP_RANDOM || sounds_random(name);
    if (word_has(w, TRAIT_PACKS))
        return;
    if (word_has(w, TRAIT_LEAVES_FRAMEWORK)) {
        m->python = l->one_only = true;
        m->elementwise = false;
        return;
    }
    count_work(l, w, name);
    l->columns = l->columns || word_has(w, TRAIT_GIVES_COLUMNS);
    if (word_has(w, TRAIT_PARSES_BATCHES))
        l->parses = true;
    else if (!either && !word_has(w, TRAIT_LIGHT) && !word_has(w, TRAIT_RECORD_FORMAT))
        l->one_only = true;
    m->elementwise = m->elementwise && either;
    m->model = m->model || word_has(w, TRAIT_TAPE) || word_has(w, TRAIT_BACKWARD);
    m->reads = m->reads || word_has(w, TRAIT_READS_FORMAT);
    m->nested = m->nested || word_has(w, TRAIT_DATA_MODULE);
    m->stateful = m->stateful ||
                  ((w->op == OP_STATEFUL || word_has(w, TRAIT_HAS_EFFECT)) && !word_has(w, TRAIT_HARMLESS));
}

/* A class by its name: calling it packs. */
static bool names_class(const struct py_file *f, uint32_t callee)
{
    struct span name = py_name(f, callee);
    size_t at = 0;

    while (at < name.len && name.ptr[at] == '_')
        at++;
    return at + 1 < name.len && name.ptr[at] >= 'A' && name.ptr[at] <= 'Z' && name.ptr[at + 1] >= 'a' &&
           name.ptr[at + 1] <= 'z';
}

/* `self.model(x)`, `net.predict(x)`: the work of a model. */
static bool runs_model(struct look *l, const struct py_file *f, uint32_t callee)
{
    struct span name = py_name(f, callee);

    if (callee == 0)
        return false;
    if (py_kind(f, callee) == PY_ATTRIBUTE && vocabulary_method_has(name, TRAIT_APPLIES_MODEL))
        return true;
    struct value v = fact_value(l->p, f, callee);
    const struct word *class = fact_name_word(l->p, v.name);
    /* Layers, and chains of them, prepare data as often. */
    return span_ends(name, SPAN("model")) ||
           (v.kind == VALUE_MODEL && (word_has(class, TRAIT_FUNCTIONAL_MODEL) || word_has(class, TRAIT_LOADS_MODEL)));
}

/* Something that is read on and on, which calls at the same time would share. */
static bool given_resource(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = list; n < f->nodes[list].after; n++)
        if (span_ends(py_name(f, n), SPAN("resource")))
            return true;
    return false;
}

static void look_at_unknown_call(struct look *l, const struct py_file *f, uint32_t call, uint32_t callee)
{
    struct span method = {"", 0};

    l->m->stateful = l->m->stateful || given_resource(f, call);
    if (py_receiver(f, call, &method) != 0 && vocabulary_method_has(method, TRAIT_PACKS))
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

static void look_at_call(struct look *l, const struct py_file *f, uint32_t call, int depth)
{
    struct span name = fact_name(l->p, f, call);
    const struct word *w = fact_word(l->p, f, call);
    struct function to;
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);

    if (runs_model(l, f, callee))
        l->m->model = true;
    if (name.len > 0 && (w->framework == FRAMEWORK_TENSORFLOW || !names_class(f, callee))) {
        l->m->stateful = l->m->stateful || given_resource(f, call);
        if (word_has(w, TRAIT_RESIZES) &&
            (span_has(name, "nearest") ||
             span_has_word(py_text(f, py_child(f, call, FIELD_ARGUMENTS)), "NEAREST nearest"))) {
            l->light++; /* to the nearest pixel: they are picked, not reckoned with */
            l->m->elementwise = false;
        } else {
            look_at_named_call(l, w, name);
        }
        return;
    }
    if (sounds_random(py_text(f, callee)))
        l->m->random = true;
    if (fact_callee(l->p, f, call, &to))
        look_at(l, to.f, to.n, depth + 1);
    else
        look_at_unknown_call(l, f, call, callee);
}

/* `if t.dtype == tf.int64`, and loops over the features of a record: they hold for a batch too. */
static bool about_features(const struct py_file *f, uint32_t n)
{
    uint32_t head = py_kind(f, n) == PY_FOR ? py_child(f, n, FIELD_RIGHT) : py_child(f, n, FIELD_CONDITION);
    struct span text = py_text(f, head);

    return span_find(text, py_kind(f, n) == PY_FOR ? SPAN(".keys()") : SPAN("dtype")) != SIZE_MAX;
}

static void look_at_node(struct look *l, const struct py_file *f, uint32_t n, int depth)
{
    static const char pictures[] = "image img frame pixel video audio waveform spectrogram volume Image";
    struct mapper *m = l->m;

    switch (py_kind(f, n)) {
    case PY_CALL:
        look_at_call(l, f, n, depth);
        break;
    case PY_IDENTIFIER:
    case PY_STRING:
        l->pictures = l->pictures || span_has_word(py_text(f, n), pictures);
        break;
    case PY_GLOBAL:
    case PY_NONLOCAL:
        m->stateful = true;
        break;
    case PY_ASSIGNMENT:
    case PY_AUGMENTED_ASSIGNMENT:
        if (py_kind(f, py_child(f, n, FIELD_LEFT)) == PY_ATTRIBUTE && !in_constructor(f, n))
            m->stateful = true;
        break;
    case PY_FOR:
        /* Over fields when the graph is made: the body shows the work. Over numbers: it is done many times. */
        l->heavy += py_kind(f, py_child(f, n, FIELD_RIGHT)) == PY_CALL &&
                    fact_has(l->p, f, py_child(f, n, FIELD_RIGHT), TRAIT_COUNTS);
        l->one_only = l->one_only || !about_features(f, n);
        m->elementwise = false;
        break;
    case PY_WHILE:
    case PY_CONDITIONAL:
        l->heavy += py_kind(f, n) == PY_WHILE;
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
    if (depth > DEPTH_MAX) {
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
    m->light = !handles && !m->python && l->light + l->arithmetic <= LITTLE && !(l->pictures && l->arithmetic > 0);
}

struct mapper fact_mapper(struct project *p, const struct py_file *f, uint32_t function)
{
    struct mapper m = {.elementwise = true};
    struct look l = {.p = p, .m = &m};
    struct function to;

    if (function == 0)
        return (struct mapper){0};
    if (!fact_function(p, f, function, &to)) {
        /* A function of a library: tf.io.decode_raw, or a bound method that is not known. */
        const struct word *w = fact_word(p, f, function);
        m.elementwise = false;
        if (w->framework == FRAMEWORK_TENSORFLOW || w->framework == FRAMEWORK_KERAS) {
            m.known = true;
            m.elementwise = true;
            look_at_named_call(&l, w, fact_name(p, f, function));
            judge(&l);
        }
        m.random = m.random || sounds_random(py_text(f, function));
        m.model = m.model || runs_model(&l, f, function);
        return m;
    }
    m.known = true;
    look_at(&l, to.f, to.n, 0);
    judge(&l);
    m.elementwise = m.elementwise && !m.reads && !m.python && !m.random && !m.nested && !m.stateful;
    return m;
}
