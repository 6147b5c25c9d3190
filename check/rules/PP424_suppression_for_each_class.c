/* PP424: boxes are suppressed class by class, with ops of their own for each class in the graph. */
#include "check/rules/rule.h"

enum { ROOT = 1, FEW = 3 };

/* The Python loop that repeats n, of n's function or of a function that calls it in the same file; node 0: none. */
static struct loop loop_of_classes(struct project *p, const struct py_file *f, uint32_t n)
{
    struct loop loop = fact_loop(p, f, n);
    uint32_t function = py_function_of(f, n);
    size_t n_sites = 0;

    if (loop.node != 0 || function <= ROOT)
        return loop;
    const struct call_site *sites = fact_callers(p, f, function, &n_sites);
    for (size_t i = 0; i < n_sites; i++)
        if (sites[i].file == f->number && (loop = fact_loop(p, f, sites[i].call)).node != 0)
            return loop;
    return (struct loop){0};
}

/* for c in range(n_classes), for c in range(scores.shape[1]) */
static bool goes_over_classes(const struct py_file *f, struct loop loop)
{
    struct span text = py_text(f, loop.node);
    size_t end = span_find(text, SPAN("\n"));
    struct span head = {text.ptr, end == SIZE_MAX || py_kind(f, loop.node) != PY_FOR ? text.len : end};

    return span_has(head, "class") || span_has(head, "label") || span_has(head, "shape[");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = fact_name(p, f, call);

    if (!span_starts(name, SPAN("tf.image.non_max_suppression")))
        return;
    struct loop loop = loop_of_classes(p, f, call);
    if (loop.node == 0 || (loop.rounds >= 0 && loop.rounds <= FEW) || !goes_over_classes(f, loop))
        return;
    rule_report(r, call, CHECK_MEDIUM, "boxes are suppressed class by class, by the loop in %s",
                RULE_PLACE(f, f, loop.node));
}

const struct rule rule_PP424 = {
    .about = {
        .id = "PP424",
        .name = "suppression-for-each-class",
        .summary = "Boxes are suppressed class by class",
        .why = "Each class has its own ops, which go over all boxes, for each image.",
        .advice = "Use tf.image.combined_non_max_suppression(), or shift the boxes of each class apart and call it once.",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .call = check_call,
};
