/* PP617: boxes that overlap are suppressed one by one, in Python. */
#include "check/facts/guess.h"
#include "check/rules/rule.h"

enum { NODES_MAX = 4000 };

static bool is_overlap_name(struct span name)
{
    return guess_word(name, "iou overlap jaccard intersection_over");
}

static bool is_suppression_name(struct span name)
{
    return guess_word(name, "nms non_max nonmax suppress");
}

/* Of kinds for which no operation is there; or a test. */
static bool is_other_name(struct span name)
{
    return guess_word(name, "soft 3d rotat poly oriented test weighted matrix");
}

/* The name of what is indexed in the subtree: boxes, of boxes[i + 1:, :4]; 0: nothing is. */
static uint32_t indexed_sym(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        uint32_t object = py_child_of(f, at, PY_SUBSCRIPT, FIELD_VALUE);
        while (object != 0 && py_kind(f, object) == PY_SUBSCRIPT)
            object = py_child(f, object, FIELD_VALUE);
        if (object != 0 && py_kind(f, object) == PY_IDENTIFIER)
            return f->nodes[object].sym;
    }
    return 0;
}

/* One box with the others: box_iou(boxes[i], boxes[i + 1:]); or bbox_iou(kept[-1], boxes[1:]), after which boxes =
 * boxes[1:][ious < threshold] keeps those that are left. What a caller gives may compare boxes of any kind. */
static bool compares_one(const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) != PY_CALL || !is_overlap_name(py_called(f, n)))
        return false;
    uint32_t def = py_def_of(f, py_child(f, n, FIELD_FUNCTION));
    uint32_t second = def != 0 && f->defs[def].kind == DEF_PARAM ? 0 : py_argument(f, n, 1);
    uint32_t sym = second != 0 ? indexed_sym(f, py_argument(f, n, 0)) : 0;

    return (sym != 0 && sym == indexed_sym(f, second) && span_has(py_text(f, second), ":")) ||
           (py_kind(f, second) == PY_SUBSCRIPT && py_is(f, py_child(f, second, FIELD_SUBSCRIPT), "1:"));
}

/* boxes = [b for b in boxes if … iou(chosen, b) < threshold]: each round filters the list by one of it. */
static bool filters_list(const struct py_file *f, uint32_t n)
{
    uint32_t up = py_parent(f, n), left = py_child_of(f, up, PY_ASSIGNMENT, FIELD_LEFT);

    if (py_kind(f, n) != PY_LIST_COMPREHENSION || left == 0 || py_kind(f, left) != PY_IDENTIFIER)
        return false;
    bool same = false, overlap = false;
    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        uint32_t over = py_child_of(f, at, PY_FOR_IN, FIELD_RIGHT);
        same = same || (py_kind(f, over) == PY_IDENTIFIER && f->nodes[over].sym == f->nodes[left].sym);
        overlap = overlap || is_overlap_name(py_called(f, at));
    }
    return same && overlap;
}

/* Does each round compare one box with those left? *named: the function's name says that it suppresses. */
static bool suppresses(const struct py_file *f, uint32_t loop, bool named)
{
    unsigned corners = 0;

    for (uint32_t n = loop; n < f->nodes[loop].after && n - loop < NODES_MAX; n++) {
        /* np.maximum(x1[i], x1[order[1:]]): a corner of what two boxes have in common */
        corners += py_kind(f, n) == PY_CALL && span_is_word(py_called(f, n), "maximum minimum max min clamp");
        if (compares_one(f, n) || (py_kind(f, loop) == PY_WHILE && filters_list(f, n)))
            return true;
    }
    return named && corners >= 2;
}

/* The innermost loop that does it has the finding. */
static bool is_inside_another(const struct py_file *f, uint32_t loop, bool named)
{
    for (uint32_t n = loop + 1; n < f->nodes[loop].after; n++)
        if (py_is_loop(f, n) && suppresses(f, n, named))
            return true;
    return false;
}

/* Boxes of NumPy are on the host: a round waits for no device. */
static bool uses_numpy(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_CALL && span_starts(fact_name(p, f, n), SPAN("numpy.")))
            return true;
    return false;
}

static void check_loop(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t loop)
{
    if (!py_is_loop(f, loop))
        return;
    uint32_t function = py_function_of(f, loop), around = py_parent(f, function);
    struct span text = py_title(f, function);
    bool named = is_suppression_name(text);
    bool compiled = py_kind(f, around) == PY_DECORATED && span_has(py_text(f, py_first(f, around)), "jit");
    struct loop own = fact_loop(p, f, py_body(f, loop));
    if (!rule_needs(named ? r : NULL, loop, loop, !is_other_name(text) && !compiled,
                    "it is compiled, or suppresses what torchvision has no operation for") ||
        !rule_needs(named ? r : NULL, loop, loop, suppresses(f, loop, named),
                    "its rounds do not compare one box with the others and keep what is left") ||
        is_inside_another(f, loop, named) || !rule_needs(r, loop, loop, !is_handful(own), "a handful of rounds"))
        return;
    rule_report(r, loop, uses_numpy(p, f, loop) ? CHECK_LOW : CHECK_HIGH, "the loop suppresses boxes one by one");
}

/* --- one suppression for each class --- */

/* A function of the project, by hand or around a kernel, that suppresses the boxes of one class in each round. */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span name = py_called(f, call);
    struct function to;

    if (!is_suppression_name(name) || is_other_name(name) || py_argument(f, call, 1) == 0 ||
        !fact_callee(p, f, call, &to))
        return;
    struct loop loop = fact_loop(p, f, call);
    uint32_t over = py_child_of(f, loop.node, PY_FOR, FIELD_RIGHT);
    bool classes = false; /* for c in range(1, n_classes), for label in labels.unique() */
    for (uint32_t n = over; n < f->nodes[over].after; n++)
        classes = classes ||
                  (py_kind(f, n) == PY_IDENTIFIER && guess_word(py_text(f, n), "class classes cls labels unique"));
    if (!rule_needs(r, call, loop.node, classes, "no loop over classes is seen that calls it") ||
        !rule_needs(r, call, loop.node, !is_handful(loop), "a handful of rounds"))
        return;
    rule_report(r, call, uses_numpy(p, to.f, to.n) ? CHECK_LOW : CHECK_MEDIUM,
                "%s() suppresses the boxes of each class by themselves",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
    rule_why(r, "Each class is a selection, a sort and a suppression of a few boxes, with a wait for each.");
    rule_advice(r, "Suppress the boxes of all classes at once by torchvision.ops.batched_nms().");
}

const struct rule_looks rule_PP617 = {.node = check_loop, .call = check_call};
