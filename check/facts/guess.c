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

bool guess_part(struct span name, const char *words)
{
    struct span part, word;

    while (span_cut(&name, '_', &part))
        for (struct span rest = span_of(words); span_cut(&rest, ' ', &word);) {
            if (part.len < word.len || !span_eq_any_case((struct span){part.ptr, word.len}, word))
                continue;
            struct span more = span_after(part, word.len); /* of a plural: batches, losses */
            if (more.len == 0 || span_eq_any_case(more, SPAN("s")) || span_eq_any_case(more, SPAN("es")))
                return true;
        }
    return false;
}

/* --- of a value --- */

bool guess_trained(struct span name)
{
    return span_has_word(name, "weight var param loss model grad theta bias kernel embedding net");
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
    return span_is_word(span_after_last(name, '_'), "dataset ds datasets Dataset");
}
