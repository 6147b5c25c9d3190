/* PP404: a tf.function gets other Python values, or other shapes, in each call, and retraces. */
#include "check/rules/rule.h"

/* The tf.function(…) that made what is called, or its decorator; 0: it is not a tf.function. */
static uint32_t wrapper_of(struct project *p, const struct py_file *f, uint32_t call, const struct py_file **file)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), value = py_bare(f, py_assigned(f, callee));
    struct function to;

    *file = f;
    if (py_kind(f, value) == PY_CALL && fact_has(p, f, value, TRAIT_GRAPH_FUNCTION))
        return value;
    if (py_kind(f, callee) == PY_CALL && fact_has(p, f, callee, TRAIT_GRAPH_FUNCTION))
        return 0; /* tf.function(f)(x) */
    if (!fact_callee(p, f, call, &to) || py_kind(to.f, to.n) != PY_FUNCTION)
        return 0;
    *file = to.f;
    return fact_graph_decorator(p, *file, to.n);
}

static bool binds_number(const struct py_file *f, const struct py_def *def, enum def_kind kind)
{
    enum py_kind value = def->value != 0 ? py_kind(f, def->value) : PY_OTHER;

    return def->kind == kind && (value == PY_INTEGER || value == PY_FLOAT);
}

/* step = 0, before the loop. */
static bool starts_number(const struct py_file *f, const struct py_def *def, uint32_t loop)
{
    return binds_number(f, def, DEF_ASSIGN) && !py_inside(f, def->node, loop);
}

/* The name is a Python number that the loop adds to. */
static bool is_running_number(const struct py_file *f, uint32_t n, uint32_t loop)
{
    enum { DEFS_MAX = 4 };
    struct py_defs d = py_reaching(f, n, DEFS_MAX);
    bool starts = false, adds = false;

    if (d.all >= DEFS_MAX)
        return false;
    while (py_take_def(&d)) {
        bool start = starts_number(f, d.def, loop);
        /* step += 1, in the loop */
        bool add = binds_number(f, d.def, DEF_AUGMENT) && py_inside(f, d.def->node, loop);
        if (!start && !add)
            return false;
        starts = starts || start;
        adds = adds || add;
    }
    /* When it is read after the `+=`, only that one reaches it. */
    for (uint32_t other = py_def_of(f, n); adds && !starts && other != 0; other = f->defs[other].next)
        starts = starts_number(f, &f->defs[other], loop);
    return starts && adds;
}

/* Such a name, or what the loop counts with: `for i in range(n)`, `for i, x in enumerate(…)`. */
static bool varies(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    const struct py_def *def = py_bound(f, n);
    uint32_t over = def != NULL ? py_bare(f, def->value) : 0;

    if (def != NULL && def->kind == DEF_FOR && py_inside(f, def->node, loop) && py_kind(f, over) == PY_CALL &&
        ((fact_has(p, f, over, TRAIT_RANGE) && def->index == -2) ||
         (fact_has(p, f, over, TRAIT_ENUMERATES) && def->index == 0)))
        return true;
    return is_running_number(f, n, loop);
}

/* Arithmetic of Python numbers, one of which varies; no tensor or array is in it. */
static bool varying_number(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    bool found = false;

    n = py_bare(f, n);
    switch (py_kind(f, n)) {
    case PY_IDENTIFIER:
        return varies(p, f, n, loop);
    case PY_BINARY_OPERATOR:
        for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
            uint32_t bare = py_bare(f, c);
            enum py_kind kind = py_kind(f, bare);
            if (varying_number(p, f, bare, loop))
                found = true;
            else if ((kind != PY_INTEGER && kind != PY_FLOAT) || py_is(f, bare, "0"))
                return false;
        }
        return found && !span_has(py_text(f, n), "%") && !span_has(py_text(f, n), "//");
    case PY_CALL:
        return fact_has(p, f, n, TRAIT_PYTHON_NUMBER) ? varying_number(p, f, py_argument(f, n, 0), loop)
                                                      : fact_has(p, f, n, TRAIT_DIFFERS);
    default:
        return false;
    }
}

static bool varying_text(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    n = py_bare(f, n);
    bool format = py_kind(f, py_method(f, n, "format")) == PY_STRING;
    bool str = py_kind(f, n) == PY_CALL && fact_has(p, f, n, TRAIT_PYTHON_STRING);
    if (py_kind(f, n) != PY_STRING && py_kind(f, n) != PY_CONCATENATED_STRING && !format && !str)
        return false;
    for (uint32_t c = n; c < f->nodes[n].after; c++)
        if (py_kind(f, c) == PY_IDENTIFIER && varies(p, f, c, loop))
            return true;
    return false;
}

/* x[:i], x[i:]: another length for each i. */
static bool varying_length(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    n = py_bare(f, n);
    if (py_kind(f, n) != PY_SUBSCRIPT)
        return false;
    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) { /* x[:, :i] has two */
        uint32_t bound = py_kind(f, c) == PY_SLICE ? py_first(f, c) : 0;
        if (bound != 0 && py_next(f, bound) == 0 && varying_number(p, f, bound, loop))
            return true;
    }
    return false;
}

/* What differs, and what to do; all-zero: nothing does. */
struct advice {
    const char *what, *instead;
};

static struct advice what_varies(struct project *p, const struct py_file *f, uint32_t argument, uint32_t loop,
                                 bool shapes)
{
    if (py_kind(f, argument) == PY_KEYWORD_ARGUMENT)
        argument = py_child(f, argument, FIELD_VALUE);
    if (argument == 0)
        return (struct advice){NULL, NULL};
    if (varying_number(p, f, argument, loop))
        return (struct advice){"is another Python number", "Pass a tensor (tf.constant), or count in a tf.Variable."};
    if (varying_text(p, f, argument, loop))
        return (struct advice){"is another Python string", "Pass a tensor, or keep the text out of the function."};
    if (shapes && varying_length(p, f, argument, loop))
        return (struct advice){"has another length", "Pad it, or give an input_signature with None as its size."};
    return (struct advice){NULL, NULL};
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *file;
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);
    struct loop loop = fact_loop(p, f, call);

    while (loop.node != 0 && loop.trip == TRIP_SHORT)
        loop = fact_outer_loop(p, f, loop);
    uint32_t wrapper = list != 0 ? wrapper_of(p, f, call, &file) : 0;
    if (wrapper == 0 || !rule_needs(r, call, call, loop.node != 0, "no loop of more than a few rounds is around it"))
        return;
    bool made = py_kind(file, wrapper) == PY_CALL;
    /* A signature makes tensors of Python numbers. */
    bool signed_so = made && (py_keyword(file, wrapper, "input_signature") != 0 || py_has_splat(file, wrapper) ||
                              py_argument(file, wrapper, 1) != 0);
    bool relaxes = made && (py_keyword(file, wrapper, "reduce_retracing") != 0 ||
                            py_keyword(file, wrapper, "experimental_relax_shapes") != 0);
    if (!rule_needs(r, call, call, !signed_so, "the tf.function has an input_signature") ||
        !rule_needs(r, call, call, !fact_in_graph_function(p, f, call) && !fact_first_time(f, call, loop.node),
                    "it runs in a graph, or in the first round only"))
        return;
    for (uint32_t a = py_first(f, list); a != 0; a = py_next(f, a)) {
        struct advice advice = what_varies(p, f, a, loop.node, !relaxes);
        if (advice.what == NULL)
            continue;
        bool many = loop.trip == TRIP_STEPS;
        rule_report(r, a, many ? CHECK_HIGH : CHECK_LOW, "%s %s in each round of the loop in %s", RULE_TEXT(f, a),
                    advice.what, RULE_PLACE(f, f, loop.node));
        rule_why(r, "The tf.function in %s is traced again for each of them.%s", RULE_PLACE(f, file, wrapper),
                 many ? "" : " With a few rounds there is little to gain.");
        rule_advice(r, "%s", advice.instead);
        return;
    }
    rule_needs(r, call, loop.node, false, "no argument is seen to be another Python number or text in its rounds");
}

const struct rule_looks rule_PP404 = {.call = check_call};
