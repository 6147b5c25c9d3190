/* PP413: one thread of Python prepares the data of fit() while the model waits. */
#include "check/rules/rule.h"

enum { RESOLVE_MAX = 4 };

/* Does the call read, decode, scale or augment a picture or a sound in Python: what takes time for each item? Not what
 * shows, draws on, or writes one. */
static bool prepares(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    struct span name = fact_name(p, f, call), module = {"", 0};
    struct span last = py_called(f, call);

    if (word_has(w, TRAIT_READS_IMAGE) || word_has(w, TRAIT_DECODES_IMAGE) || word_has(w, TRAIT_READS_SOUND))
        return true;
    if (span_is_word(name, "numpy.load numpy.loadtxt numpy.genfromtxt pandas.read_csv scipy.io.loadmat "
                           "scipy.io.wavfile.read h5py.File") && /* of an item, not once for all */
        (fact_loop(p, f, call).node != 0 || span_eq(py_title(f, py_function_of(f, call)), SPAN("__getitem__"))))
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

/* Is it a generator, or a Sequence, whose batches take time? `any`: what is not a generator by its own code
 * is one all the same. */
static bool is_slow_source(struct project *p, const struct py_file *f, uint32_t n, bool any)
{
    struct function to;
    struct span method;

    for (int depth = 0; depth < RESOLVE_MAX && py_assigned(f, n) != 0; depth++)
        n = py_bare(f, py_assigned(f, n));
    struct value v = fact_value(p, f, n);
    if (v.kind == VALUE_INSTANCE) {
        const struct py_file *of = fact_file(p, v.file);
        return fact_derives(p, of, v.node, TRAIT_SEQUENCE_CLASS) &&
               fact_reaches(p, of, py_own_method(of, v.node, SPAN("__getitem__")), prepares); /* it gives a batch */
    }
    if (py_kind(f, n) != PY_CALL)
        return false;
    uint32_t receiver = py_receiver(f, n, &method); /* datagen.flow_from_directory(…), of Keras' ImageDataGenerator */
    struct value of = receiver != 0 ? fact_value(p, f, receiver) : (struct value){0};
    bool images = of.kind == VALUE_OBJECT && span_starts(method, SPAN("flow")) &&
                  word_has(fact_name_word(p, of.name), TRAIT_AUGMENTS_IMAGES);
    return images || (fact_callee(p, f, n, &to) && py_kind(to.f, to.n) == PY_FUNCTION && v.kind != VALUE_DATASET &&
                      (any || py_has(to.f, to.n, PY_YIELD)) && fact_reaches(p, to.f, to.n, prepares));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = py_called(f, call);
    bool generator = py_method(f, call, "fit_generator") != 0;
    uint32_t fitted = py_method(f, call, "fit");

    if (!generator && (fitted == 0 || !rule_needs(r, call, fitted, fact_model(p, f, fitted) == CERTAIN,
                                                  "it is not known to be a Keras model")))
        return;
    uint32_t data = py_argument_or(f, call, 0, generator ? "generator" : "x"), workers = py_keyword(f, call, "workers");
    if (!rule_needs(r, call, workers, workers == 0 && !py_has_splat(f, call), "it is told how many workers") ||
        !rule_needs(r, call, data, is_slow_source(p, f, data, generator),
                    "it is not seen to read or transform pictures or sounds in Python for each batch"))
        return;
    rule_report(r, call, CHECK_HIGH, "one thread prepares the data of %.*s() from %s", SPAN_ARG(method),
                RULE_TEXT(f, data));
}

const struct rule_looks rule_PP413 = {.call = check_call};
