/* What names suggest where nothing else is known. */
#include "check/facts/guess.h"
#include "check/facts/project.h"

bool guess_word(struct span name, const char *words)
{
    char lower[64];
    size_t n = name.len < sizeof lower ? name.len : sizeof lower;

    for (size_t i = 0; i < n; i++)
        lower[i] = ascii_lower(name.ptr[i]);
    return span_has_word((struct span){lower, n}, words);
}

/* --- of a loop --- */

/* Words in names; a word counts where it is a whole part of a name_with_parts, or its plural. */
static const char step_words[] =
    "step epoch iter iteration batch episode sample example record frame dataset data loader stream minibatch "
    "image sentence line file time timestep rollout update trial generator queue event train query document "
    "token row niter nsteps input img video clip utterance sequence text word filename";
static const char short_words[] =
    "layer level block head scale corner stage stack unit filter hidden dim kernel gpu tower device replica axis "
    "depth loss metric output branch anchor param variable gradient grad var name cell feature key channel ndim "
    "rank fold component shard part config mode split size weight shape tensor column";

static bool word_fits(struct span part, struct span word)
{
    size_t n = word.len;
    bool plural = part.len == n + 1 && (part.ptr[n] | 0x20) == 's';

    plural = plural || (part.len == n + 2 && (part.ptr[n] | 0x20) == 'e' &&
                        (part.ptr[n + 1] | 0x20) == 's'); /* batches, losses */

    if (part.len != n && !plural)
        return false;
    for (size_t i = 0; i < n; i++)
        if ((part.ptr[i] | 0x20) != word.ptr[i])
            return false;
    return true;
}

static bool part_fits(struct span name, struct span words)
{
    struct span part, word;

    while (span_cut(&name, '_', &part))
        for (struct span rest = words; span_cut(&rest, ' ', &word);)
            if (word_fits(part, word))
                return true;
    return false;
}

bool guess_steps(struct span name)
{
    return part_fits(name, SPAN(step_words));
}

bool guess_few(struct span name)
{
    return part_fits(name, SPAN(short_words));
}

/* --- of a value --- */

bool guess_trained(struct span name)
{
    return span_has_word(name, "weight var param loss model grad theta bias kernel embedding net");
}

bool guess_number(struct span name)
{
    return span_has_word(name, "size dim num shape decay rate len n_ coef scale type name");
}

bool guess_options(struct span name)
{
    return span_has_word(name, "config Config hparams args FLAGS opt cfg conf options spec hps params");
}

bool guess_model(struct span name)
{
    return guess_word(name, "model network generator discriminator classifier encoder decoder");
}

bool guess_session(struct span text)
{
    return guess_word(text, "sess");
}

/* --- data sets --- */

bool guess_dataset_method(const struct py_file *f, uint32_t call, struct span method)
{
    if (vocabulary_method_has(method, TRAIT_SHOWS_DATASET))
        return true;
    if (span_eq(method, SPAN("map")))
        return py_keyword(f, call, "num_parallel_calls") != 0;
    if (span_eq(method, SPAN("batch")))
        return py_keyword(f, call, "drop_remainder") != 0;
    if (span_eq(method, SPAN("shuffle")))
        return py_keyword(f, call, "buffer_size") != 0 || py_keyword(f, call, "reshuffle_each_iteration") != 0;
    return false;
}

bool guess_dataset_chain(const struct py_file *f, uint32_t n)
{
    enum stage_kind kind;

    for (;;) {
        uint32_t attribute = py_parent(f, n), call = py_parent(f, attribute);
        struct span method;
        if (py_kind(f, attribute) != PY_ATTRIBUTE || f->nodes[n].field != FIELD_OBJECT || py_kind(f, call) != PY_CALL ||
            f->nodes[attribute].field != FIELD_FUNCTION)
            return false;
        py_receiver(f, call, &method);
        if (guess_dataset_method(f, call, method))
            return true;
        if (!stage_of_method(method, &kind))
            return false;
        n = call;
    }
}

bool guess_dataset(struct span name)
{
    static const char *const words[] = {"dataset", "ds", "datasets", "Dataset"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        size_t n = strlen(words[i]);
        if (span_ends(name, span_of(words[i])) && (name.len == n || name.ptr[name.len - n - 1] == '_'))
            return true;
    }
    return false;
}
