/* PP307: a data set whose only element is everything, so that fit() takes all of it for one batch. */
#include "check/facts/shape.h"
#include "check/rules/rule.h"

enum { ONE_BATCH_MAX = 512 }; /* rows */

/* from_tensors((images, labels)) that goes to fit() as it is: all of it is one batch. */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool one = fact_has(p, f, call, TRAIT_ONE_ELEMENT);
    uint32_t given = one ? py_argument_or(f, call, 0, "tensors") : 0;
    struct flow flow;

    if (given != 0 && py_kind(f, given) == PY_TUPLE)
        given = py_first(f, given);
    struct shape s = given != 0 ? shape_of(p, f, given) : (struct shape){0};
    if (s.rank == 0 || s.dims[0] < ONE_BATCH_MAX)
        return;
    fact_downstream(p, f, call, &flow);
    if (flow.n_stages > 0 || flow.consumer != CONSUMER_FIT)
        return;
    uint32_t fit = py_up(flow.consumer_file, py_parent(flow.consumer_file, flow.consumed), PY_CALL);
    if (py_method(flow.consumer_file, fit, "fit") != 0)
        rule_report(r, call, CHECK_HIGH, "the data set has one element, of %lld rows", (long long)s.dims[0]);
}

const struct rule_looks rule_PP307 = {.call = check_call};
