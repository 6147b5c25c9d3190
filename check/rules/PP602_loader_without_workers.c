/* PP602: a DataLoader reads and transforms its items in the process that trains. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { WRAPPED_MAX = 6, WORKERS_AT = 5 };

/* What takes time for an item: a picture, a sound, a file, a text that is cut into tokens. */
static bool takes_time(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span name = py_name(f, callee);

    return word_has(w, TRAIT_READS_IMAGE) || word_has(w, TRAIT_READS_SOUND) || word_has(w, TRAIT_LOADS_DATA) ||
           word_has(w, TRAIT_DECODES_IMAGE) ||
           span_is_word(name, "imread read_image load_wav read_csv tokenize encode_plus transform transforms tokenizer "
                              "load_image loader") ||
           (span_eq(name, SPAN("open")) && span_has(py_text(f, callee), "Image"));
}

/* Workers cannot share the device of the process that makes them. */
static bool uses_device(struct project *p, const struct py_file *f, uint32_t call)
{
    (void)p;
    return py_method(f, call, "cuda") != 0 ||
           (py_method(f, call, "to") != 0 && span_has(py_text(f, py_argument(f, call, 0)), "device"));
}

/* Subset(data, …), random_split(data, …), of the expression or of what its name is bound to: the data; otherwise 0. */
static uint32_t wrapped(struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) == PY_IDENTIFIER) {
        const struct py_def *def = py_bound(f, n);
        n = def != NULL && (def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK) ? def->value : 0;
    }
    return n != 0 && py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_WRAPS_ITEMS) ? py_argument(f, n, 0) : 0;
}

/* Does each item of the data set take time? *what: what it is made of, for the message. */
static bool costs(struct project *p, const struct py_file *f, uint32_t n, const char **what)
{
    for (int depth = 0; n != 0 && depth < WRAPPED_MAX; depth++) {
        struct value v = fact_value(p, f, n);
        if (v.kind == VALUE_INSTANCE) {
            *what = "its items";
            const struct py_file *of = fact_file(p, v.file);
            uint32_t gives = py_own_method(of, v.node, SPAN("__getitem__"));
            return gives != 0 && fact_reaches(p, of, gives, takes_time) && !fact_reaches(p, of, gives, uses_device);
        }
        if (v.kind == VALUE_OBJECT && word_has(fact_name_word(p, v.name), TRAIT_PICTURE_ITEMS)) {
            *what = "images";
            return true;
        }
        n = wrapped(p, f, n);
    }
    return false;
}

/* Does a part of the name speak of a test: test_loader, valloader, self.dev_data? */
static bool names_test(struct span name)
{
    struct span part, dotted;

    while (span_cut(&name, '.', &dotted))
        while (span_cut(&dotted, '_', &part))
            if (span_starts(part, SPAN("test")) || span_starts(part, SPAN("Test")) || span_starts(part, SPAN("eval")) ||
                (span_starts(part, SPAN("val")) && !span_starts(part, SPAN("value"))) || span_eq(part, SPAN("dev")))
                return true;
    return false;
}

/* Is the loader for a test, by its name, its data, its function, or MNIST(…, train=False)? It may be shuffled all the
 * same. */
static bool feeds_test(struct project *p, const struct py_file *f, uint32_t call, uint32_t left)
{
    uint32_t data = py_argument_or(f, call, 0, "dataset"), function = py_function_of(f, call);
    bool within = function > ROOT && !fact_goes_backward(p, f, function), test = false;
    struct span names[] = {py_text(f, left), py_text(f, py_is_named(f, data) ? data : 0),
                           py_title(f, within ? function : 0)};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (span_has(names[i], "train"))
            return false;
        test = test || names_test(names[i]);
    }
    uint32_t made = py_kind(f, data) == PY_CALL ? data : py_assigned(f, data);
    return test || py_kind(f, py_keyword(f, made, "train")) == PY_FALSE;
}

/* for images, labels in loader, in a function that goes backward; or by its name or shuffling. */
static bool feeds_training(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t shuffle = py_argument_or(f, call, 2, "shuffle"), statement = py_statement(f, call);
    uint32_t left = py_child_of(f, py_first(f, statement), PY_ASSIGNMENT, FIELD_LEFT);

    /* if __name__ == "__main__", in a file that trains nothing: it tries out its data set. */
    uint32_t test = py_child(f, py_up(f, call, PY_IF), FIELD_CONDITION);
    if ((span_has(py_text(f, test), "__name__") && !fact_goes_backward(p, f, ROOT)) || feeds_test(p, f, call, left))
        return false;
    if (shuffle != 0)
        return py_kind(f, shuffle) != PY_FALSE;
    return py_keyword(f, call, "sampler") != 0 || span_has(py_text(f, left), "train");
}

/* Does each item become the same tensor in each epoch: is the data set in memory, as bytes, and its transform without
 * chance? *small: digits of 28 by 28, an item takes microseconds to compute with, and far longer to convert. */
static bool converts_again(struct project *p, const struct py_file *f, uint32_t n, bool *small)
{
    for (int depth = 0; n != 0 && depth < WRAPPED_MAX; depth++) {
        struct value v = fact_value(p, f, n);
        uint32_t made = n;
        if (v.kind == VALUE_OBJECT && word_has(fact_name_word(p, v.name), TRAIT_MEMORY_ITEMS)) {
            *small = span_has(fact_name_text(p, v.name), "MNIST");
            const struct py_def *def = py_bound(f, n);
            if (py_kind(f, n) == PY_IDENTIFIER)
                made = def != NULL ? def->value : 0;
            return made != 0 && span_has(py_text(f, made), "transform") && !fact_mentions(p, f, "Random|ColorJitter");
        }
        n = wrapped(p, f, n);
    }
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const char *what = "";
    bool small = false;
    uint32_t data = fact_has(p, f, call, TRAIT_LOADER) ? py_argument_or(f, call, 0, "dataset") : 0;

    if (data == 0 ||
        !rule_needs(r, call, data, costs(p, f, data, &what),
                    "its items are not seen to take time: no __getitem__ that"
                    " reads files or decodes, or one that uses the device") ||
        !rule_needs(r, call, data, !fact_is(p, f, py_argument_or(f, call, 1, "batch_size"), "builtins.len"),
                    "its only batch is all of them"))
        return;
    uint32_t workers = py_argument_or(f, call, WORKERS_AT, "num_workers"), zero = workers;
    if (py_kind(f, workers) == PY_ATTRIBUTE) { /* an option, whose default it is */
        uint32_t option = fact_option(p, f, py_name(f, workers));
        zero = option != 0 ? py_keyword(f, option, "default") : 0;
    }
    int64_t n;
    if (py_kind(f, zero) != PY_INTEGER || !py_integer(f, zero, &n) || n != 0)
        zero = 0;
    bool none = !py_has_splat(f, call) && (workers == 0 || zero != 0);
    if (rule_needs(r, call, call, none, "it has workers")) {
        rule_report(r, call, feeds_training(p, f, call) ? CHECK_HIGH : CHECK_LOW,
                    "the DataLoader prepares %s in the process that trains", what);
        /* Two: the fewest that prepare a batch while another one is trained on. */
        if (zero != 0)
            rule_edit(r, f->nodes[zero].start, f->nodes[zero].end, "2");
        else
            rule_add_argument(r, call, "num_workers=2");
        rule_propose(r, "prepare items in two workers");
    } else if (converts_again(p, f, data, &small)) {
        rule_report(r, call, feeds_training(p, f, call) ? CHECK_MEDIUM : CHECK_LOW,
                    "each image is converted again in each epoch, to the same tensor");
        rule_unsure(r, !small);
        rule_why(r, "The data set lies in memory, but each item goes through PIL and the transforms.");
        rule_advice(r, "Convert all images to one tensor once, and take batches of that.");
    }
}

const struct rule_looks rule_PP602 = {.call = check_call};
