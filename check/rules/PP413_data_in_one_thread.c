/* PP413: one thread of Python prepares the data of fit() while the model waits. */
#include "check/rules/rule.h"

enum { RESOLVE_MAX = 4, CALLS_DEEP = 5 };

/* What takes time for an item: pictures and sounds that are read, decoded, scaled, augmented. */
static bool takes_time(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const modules[] = {"cv2",     "PIL",    "skimage",        "imageio",
                                          "librosa", "imgaug", "albumentations", "soundfile"};
    static const char *const methods[] = {"imread", "read_image", "load_image", "augment_image",
                                          "augment_images", "random_transform"};
    const struct word *w = fact_word(p, f, call);
    struct span name = fact_name(p, f, call), module = {"", 0}, method = {"", 0};

    if (word_has(w, TRAIT_READS_IMAGE) || word_has(w, TRAIT_DECODES_IMAGE) || word_has(w, TRAIT_READS_SOUND))
        return true;
    if (span_cut(&name, '.', &module) && name.len > 0 && span_is_any(module, modules, ARRAY_LEN(modules)))
        return true;
    return py_receiver(f, call, &method) != 0 && span_is_any(method, methods, ARRAY_LEN(methods));
}

static bool look(void *found, struct project *p, const struct py_file *f, uint32_t call)
{
    *(bool *)found = takes_time(p, f, call);
    return !*(bool *)found;
}

/* Through what the function calls. */
static bool calls_take_time(struct project *p, const struct py_file *f, uint32_t function)
{
    bool found = false;

    fact_visit_calls(p, f, function, CALLS_DEEP, look, &found);
    return found;
}

/* The expression that a name is bound to, once; n itself when it is no such name. */
static uint32_t bound(const struct py_file *f, uint32_t n)
{
    for (int depth = 0; n != 0 && py_kind(f, n) == PY_IDENTIFIER && depth < RESOLVE_MAX; depth++) {
        uint32_t defs[2];
        if (py_reaching(f, n, defs, 2) != 1 || f->defs[defs[0]].kind != DEF_ASSIGN)
            return n;
        n = py_bare(f, f->defs[defs[0]].value);
    }
    return n;
}

/* datagen.flow_from_directory(…), of Keras' ImageDataGenerator. */
static bool is_image_flow(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);
    struct value v = receiver != 0 ? fact_value(p, f, receiver) : (struct value){0};

    return v.kind == VALUE_OBJECT && span_starts(method, SPAN("flow")) &&
           word_has(fact_name_word(p, v.name), TRAIT_AUGMENTS_IMAGES);
}

/* Of a class of items: what gives a batch. */
static bool batches_take_time(struct project *p, struct value v)
{
    const struct py_file *f = fact_file(p, v.file);
    uint32_t def = py_def_in(f, f->nodes[v.node].sym, py_sym(f, SPAN("__getitem__")));
    uint32_t function = def != 0 && f->defs[def].kind == DEF_FUNCTION ? f->defs[def].value : 0;

    return function != 0 && calls_take_time(p, f, function);
}

static bool yields(const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++)
        if (py_kind(f, n) == PY_YIELD)
            return true;
    return false;
}

/* Is it a generator, or a Sequence, whose batches take time? `any`: what is no generator by its own code
 * is one all the same. */
static bool is_slow_source(struct project *p, const struct py_file *f, uint32_t n, bool any)
{
    const struct py_file *file;
    uint32_t function;

    n = bound(f, n);
    struct value v = fact_value(p, f, n);
    if (v.kind == VALUE_INSTANCE)
        return fact_derives(p, fact_file(p, v.file), v.node, TRAIT_SEQUENCE_CLASS) && batches_take_time(p, v);
    if (py_kind(f, n) != PY_CALL)
        return false;
    return is_image_flow(p, f, n) ||
           (fact_callee(p, f, n, &file, &function) && py_kind(file, function) == PY_FUNCTION &&
            v.kind != VALUE_DATASET && (any || yields(file, function)) &&
            calls_take_time(p, file, function));
}

/* workers=4, or a number that is not seen. */
static bool has_workers(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t workers = py_keyword(f, call, "workers");
    const struct py_file *file;
    int64_t n;

    if (py_has_splat(f, call))
        return true;
    uint32_t literal = workers != 0 ? fact_literal(p, f, workers, &file) : 0;
    return workers != 0 && !(literal != 0 && py_integer(file, literal, &n) && n <= 1);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);
    bool generator = receiver != 0 && span_eq(method, SPAN("fit_generator"));

    if (!generator && !(receiver != 0 && span_eq(method, SPAN("fit")) && fact_model(p, f, receiver) == CERTAIN))
        return;
    uint32_t data = py_argument_or(f, call, 0, generator ? "generator" : "x");
    if (data == 0 || has_workers(p, f, call) || !is_slow_source(p, f, data, generator))
        return;
    rule_report(r, call, CHECK_HIGH, "one thread prepares the data of %.*s() from %s", (int)method.len,
                method.ptr, RULE_TEXT(f, data));
}

const struct rule rule_PP413 = {
    .about = {
        .id = "PP413",
        .name = "data-in-one-thread",
        .summary = "One thread of Python prepares the batches of fit()",
        .why = "It reads and transforms pictures in Python, on one processor, while the model waits.",
        .advice = "Use tf.data with map(num_parallel_calls=...), or a keras.utils.Sequence with workers and "
                  "use_multiprocessing=True.",
        .impact = CHECK_HIGH,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
