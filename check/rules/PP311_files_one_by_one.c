/* PP311: files that are read and decoded one after the other, outside of a pipeline. */
#include "check/rules/python_work.h"

static bool reads_a_file(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return word_has(w, TRAIT_READS_FILE) && w->framework == FRAMEWORK_TENSORFLOW;
}

/* tf.stack([decoded(name) for name in names]), outside of a pipeline. */
static void check_files(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;

    if (!python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) ||
        (fact_loop(p, f, body).rounds >= 0 && fact_loop(p, f, body).trip == TRIP_SHORT) ||
        !fact_reaches(p, f, body, reads_a_file))
        return;
    rule_report(r, call, CHECK_LOW, "the files are read and decoded one after the other in Python");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    if (w->framework == FRAMEWORK_TENSORFLOW && (word_has(w, TRAIT_STACKS) || word_has(w, TRAIT_FROM_LIST)))
        check_files(r, p, f, call);
}

const struct rule_looks rule_PP311 = {.call = check_call};
