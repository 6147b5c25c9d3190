/* PP312: a data set that comes to Python, element by element, to be counted. */
#include "check/rules/python_work.h"

/* sum(1 for _ in dataset): the data set comes to Python, element by element, to be counted. */
static void check_count(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t body = 0, target = 0, over = 0;
    int64_t one;

    if (!python_comprehension(f, py_argument(f, call, 0), &body, &target, &over) || !py_integer(f, body, &one) ||
        one != 1)
        return;
    if (fact_value(p, f, over).kind == VALUE_DATASET ||
        (py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_READS_RECORDS)))
        rule_report(r, call, CHECK_LOW, "each element goes to Python only to be counted");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    if (fact_has(p, f, call, TRAIT_SUMS))
        check_count(r, p, f, call);
}

const struct rule_looks rule_PP312 = {.call = check_call};
