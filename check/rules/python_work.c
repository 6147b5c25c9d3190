/* What Python code does for a pipeline, and what does it in TensorFlow. */
#include "check/rules/python_work.h"

/* What reads or decodes in Python, and what does it in TensorFlow. */
static const struct python_reader readers[] = {
    {TRAIT_READS_IMAGE, "tf.io.read_file and tf.io.decode_image in map()"},
    {TRAIT_DECODES_IMAGE, "tf.io.decode_image in map()"},
    {TRAIT_READS_RECORDS, "tf.data.TFRecordDataset"},
    {TRAIT_READS_SOUND, "tf.io.read_file and tf.audio.decode_wav in map()"},
};

const struct python_reader *python_reader(const struct word *w)
{
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        if (word_has(w, readers[i].python))
            return &readers[i];
    return NULL;
}

/* np.load(name) of an item: in a loop, or in __getitem__(), not once for all. */
static bool reads_for_each(struct project *p, const struct py_file *f, uint32_t call, struct span name)
{
    if (!span_is_word(name, "numpy.load numpy.loadtxt numpy.genfromtxt pandas.read_csv scipy.io.loadmat "
                            "scipy.io.wavfile.read h5py.File"))
        return false;
    return fact_loop(p, f, call).node != 0 || span_eq(py_title(f, py_function_of(f, call)), SPAN("__getitem__"));
}

bool python_prepares(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    struct span name = fact_name(p, f, call), module = {"", 0};
    struct span last = py_called(f, call);

    if (word_has(w, TRAIT_READS_IMAGE) || word_has(w, TRAIT_DECODES_IMAGE) || word_has(w, TRAIT_READS_SOUND) ||
        reads_for_each(p, f, call, name))
        return true;
    if (span_cut(&name, '.', &module) && name.len > 0 &&
        span_is_word(module,
                     "cv2 PIL skimage imageio librosa imgaug albumentations soundfile nibabel SimpleITK pydicom "
                     "tifffile"))
        return !span_has_word(last, /* what is not preparation of data */
                              "write save show wait destroy window put draw rectangle circle line Video copy close "
                              "fromarray new font truetype");
    return span_is_word(last, "imread imresize read_image load_image augment_image augment_images random_transform");
}

bool python_calls_prepare(struct project *p, const struct py_file *f, uint32_t function)
{
    return fact_reaches(p, f, function, python_prepares);
}

/* Has TensorFlow an op for it? */
static void count(struct python_work *seen, struct project *p, const struct py_file *f, uint32_t call,
                  const struct word *w)
{
    struct span name = fact_name(p, f, call), method;
    const struct py_file *file;
    uint32_t callee;

    if (w->framework == FRAMEWORK_NUMPY || name.len > 0)
        seen->other += !word_has(w, TRAIT_HAS_OP);
    else if (!fact_callee(p, f, call, &file, &callee))
        seen->other += py_receiver(f, call, &method) == 0 || !vocabulary_method_has(method, TRAIT_HAS_OP);
}

bool python_look(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    struct python_work *seen = ctx;
    const struct word *w = fact_word(p, f, call);
    const struct python_reader *reader = python_reader(w);

    if (reader == NULL) {
        count(seen, p, f, call, w);
    } else if (seen->instead == NULL) {
        seen->instead = reader->instead;
        seen->reader = fact_name(p, f, call);
    }
    return true;
}

void python_report_reader(struct rule_run *r, uint32_t call, struct span caller, const struct python_work *seen)
{
    struct rule_finding *found = rule_report(r, call, seen->other > 2 ? CHECK_LOW : CHECK_MEDIUM,
                                             "%.*s calls %.*s in Python", SPAN_ARG(caller), SPAN_ARG(seen->reader));
    rule_why(found, "Python runs one call at a time, under the interpreter's lock.");
    rule_advice(found, "Use %s%s.", seen->instead, seen->other > 2 ? ", and leave the rest where it is" : "");
}

/* [… for … in …] or the same as a generator, with nothing else: what each round gives, and over
 * what. */
bool python_comprehension(const struct py_file *f, uint32_t n, uint32_t *body, uint32_t *target, uint32_t *over)
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

/* Arrays: what is sliced or zipped is known to come from numpy, or from Keras' data sets. Ragged
 * lists need a generator. */
bool python_is_array(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);
    const struct word *made = fact_name_word(p, v.name);
    uint32_t defs[4];

    if (v.kind == VALUE_OBJECT && made->framework == FRAMEWORK_NUMPY)
        return !word_has(made, TRAIT_MAPS_FILE); /* that may be larger than memory */
    if (py_kind(f, n) != PY_IDENTIFIER || py_reaching(f, n, defs, 4) != 1)
        return false;
    const struct py_def *def = &f->defs[defs[0]];
    if ((def->kind != DEF_ASSIGN && def->kind != DEF_UNPACK) || py_kind(f, def->value) != PY_CALL)
        return false;
    const struct word *from = fact_word(p, f, def->value);
    return from->framework == FRAMEWORK_NUMPY ||
           (from->framework == FRAMEWORK_KERAS && word_has(from, TRAIT_LOADS_DATA));
}
