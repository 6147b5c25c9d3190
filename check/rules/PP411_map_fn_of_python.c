/* PP411: map_fn that goes to Python and back for each element. */
#include "check/rules/rule.h"

/* Each element goes to Python and back on its own. Of an image, which it gives, that is little beside
 * what is done there. */
static bool leaves_tensorflow(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t gives = py_argument_or(f, call, 2, "Tout");

    return fact_has(p, f, call, TRAIT_LEAVES_FRAMEWORK) && !(gives != 0 && fact_has(p, f, gives, TRAIT_BYTE_TYPE));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool maps = fact_has(p, f, call, TRAIT_MAPS_ELEMENTS);
    uint32_t mapped = maps ? py_argument_or(f, call, 0, "fn") : 0, function;
    const struct py_file *file;

    if (mapped == 0 || py_argument_or(f, call, 1, "elems") == 0 || !fact_certain(f, mapped) ||
        !fact_function(p, f, mapped, &file, &function))
        return;
    if (fact_reaches(p, file, function, leaves_tensorflow))
        rule_report(r, call, CHECK_LOW, "map_fn() goes to Python and back for each element");
}

const struct rule_looks rule_PP411 = {.call = check_call};
