/* PP416: predict() at every step of an environment, whose next state depends on the answer. */
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

/* The Keras model whose predict() is called; 0: it is no such call. */
static uint32_t called_model(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t model = py_method(f, call, "predict");

    return model != 0 && py_argument_or(f, call, 0, "x") != 0 && fact_model(p, f, model) != NOT_SEEN ? model : 0;
}

/* The call that is all that the function does with what it gets, def ask(x): return model.predict(x); 0: it is none such. */
static uint32_t only_gives(const struct py_file *f, uint32_t function)
{
    uint32_t first = py_kind(f, function) == PY_FUNCTION ? py_first(f, py_body(f, function)) : 0;
    uint32_t given = first != 0 && py_kind(f, first) == PY_RETURN ? py_first(f, first) : 0;

    uint32_t what = given != 0 && py_kind(f, given) == PY_CALL ? py_argument_or(f, given, 0, "x") : 0;
    const struct py_def *def = py_bound(f, what);

    return def != NULL && def->kind == DEF_PARAM ? given : 0;
}

/* The model that is asked; also by a function that does nothing but ask it: the call of that one says what is asked,
 * and has the finding. *where: the model's file. */
static uint32_t asked_model(struct project *p, const struct py_file *f, uint32_t call, const struct py_file **where)
{
    struct function to;
    uint32_t asks;

    *where = f;
    if (only_gives(f, py_function_of(f, call)) == call)
        return 0;
    uint32_t model = called_model(p, f, call);
    if (model != 0 || !fact_callee(p, f, call, &to) || (asks = only_gives(to.f, to.n)) == 0)
        return model;
    *where = to.f;
    return called_model(p, *where, asks);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *where = f, *file, *ignored;
    uint32_t model = asked_model(p, f, call, &file), function = py_function_of(f, call);
    bool said = false; /* A call of predict() before it in the same function has the finding. */

    if (model == 0 && py_method(f, call, "predict") != 0)
        rule_lacks(r, call, py_method(f, call, "predict"),
                   "it is not known to be a Keras model, or its function only asks it: calls of that one count");
    if (model == 0 || !rule_needs(r, call, call, fact_mode(p, f) != MODE_GRAPH && !fact_in_graph_function(p, f, call),
                                  "it is part of a graph"))
        return;
    uint32_t loop = rounds_in_environment(p, f, call, &where);
    uint32_t within = function > ROOT ? function : where == f ? loop : ROOT;
    for (uint32_t n = within; loop != 0 && n < call && !said; n++)
        said = py_kind(f, n) == PY_CALL && py_function_of(f, n) == function && asked_model(p, f, n, &ignored) != 0 &&
               py_inside(f, n, within);
    if (!rule_needs(r, call, call, loop != 0, "no loop that steps an environment is seen to run it in each round") ||
        !rule_needs(r, call, call, !said, "a call before it is reported"))
        return;
    rule_report(r, call, fact_mode(p, f) == MODE_EAGER ? CHECK_HIGH : CHECK_MEDIUM,
                "predict() of %s runs at every step of the environment in %s", RULE_TEXT(file, model),
                RULE_PLACE(f, where, loop));
}

const struct rule_looks rule_PP416 = {.call = check_call};
