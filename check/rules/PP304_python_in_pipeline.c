/* PP304: Python code in a data-set pipeline where TensorFlow has a native path. */
#include "check/rules/python_work.h"

/* Things that keep the function from being rewritten as ops at once. */
static bool has_python_flow(const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_FOR || kind == PY_WHILE || kind == PY_IF || kind == PY_TRY ||
            kind == PY_WITH || kind == PY_DICTIONARY || kind == PY_GLOBAL || kind == PY_NONLOCAL ||
            kind == PY_LIST_COMPREHENSION || kind == PY_GENERATOR || kind == PY_INTERPOLATION)
            return true;
    }
    return false;
}

/* --- py_function, numpy_function --- */

static void report_text(struct rule_run *r, uint32_t call, struct span caller,
                        const struct python_work *seen)
{
    enum { LENGTH_MAX = 60 };
    size_t length = seen->turns.len <= LENGTH_MAX ? seen->turns.len : LENGTH_MAX;

    if (memchr(seen->turns.ptr, '\n', length) != NULL)
        length = 0;
    struct rule_finding *found =
        rule_report(r, call, CHECK_LOW, "%.*s turns text to numbers or back in Python%s%.*s",
                    (int)caller.len, caller.ptr, length > 0 ? ": " : "", (int)length,
                    seen->turns.ptr);
    rule_advice(found, "In TensorFlow %s that.", seen->text);
}

static void check_py_function(struct rule_run *r, struct project *p, const struct py_file *f,
                              uint32_t call)
{
    struct span name = fact_name(p, f, call);
    uint32_t argument = py_argument_or(f, call, 0, "func"), function;
    const struct py_file *file;
    struct python_work seen = {0};

    uint32_t inputs = py_argument_or(f, call, 1, "inp");
    /* Given nothing, it feeds no data set: a metric, a hook. */
    if (argument == 0 || !fact_certain(f, argument) ||
        (inputs != 0 && py_kind(f, inputs) == PY_LIST && py_first(f, inputs) == 0))
        return;
    if (!fact_function(p, f, argument, &file, &function)) {
        struct span direct = fact_name(p, f, argument);
        const struct word *w = fact_word(p, f, argument);
        const struct python_reader *reader = python_reader(w);
        if (reader != NULL)
            python_report_reader(r, call, name,
                          &(struct python_work){.instead = reader->instead, .reader = direct});
        if (w->framework == FRAMEWORK_NUMPY && word_has(w, TRAIT_HAS_OP))
            rule_report(r, call, CHECK_MEDIUM, "%.*s runs %.*s in Python", (int)name.len, name.ptr,
                        (int)direct.len, direct.ptr);
        return;
    }
    fact_visit_calls_of(p, f, argument, PYTHON_CALLS_DEEP, python_look, &seen);
    if (seen.instead != NULL)
        python_report_reader(r, call, name, &seen);
    else if (seen.text != NULL)
        report_text(r, call, name, &seen);
    else if (seen.simple > 0 && seen.other == 0 && !has_python_flow(file, function))
        rule_report(r, call, CHECK_MEDIUM, "%.*s runs %s in Python", (int)name.len, name.ptr,
                    RULE_TEXT(f, argument));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    if (fact_has(p, f, call, TRAIT_LEAVES_FRAMEWORK))
        check_py_function(r, p, f, call);
}

const struct rule rule_PP304 = {
    .about = {
        .id = "PP304",
        .name = "python-in-pipeline",
        .summary = "A pipeline calls Python where TensorFlow has a native path",
        .why = "Python runs one call at a time, under the interpreter's lock, however many "
               "processors there are.",
        .advice = "Use the op that TensorFlow has for it.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_LIKELY,
        .on = true,
    },
    .call = check_call,
};
