/* PP101: an op in a loop whose result is the same in every round. */
#include "check/rule.h"

/* An expression, and the loop before which it could stand. */
struct place {
    uint32_t node, loop;
    enum trip trip;
    bool comprehension;
};

static bool is_scope(enum py_kind kind)
{
    return kind == PY_FUNCTION || kind == PY_LAMBDA || kind == PY_CLASS;
}

/* Is the call only part of a larger expression that is invariant as well, or of one that makes
 * state from it: tf.Variable(tf.zeros([3]))? Then that one is judged. */
static bool part_of_other(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = py_parent(f, n); at != 0 && at != loop; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_BLOCK || is_scope(kind))
            return false;
        if (kind != PY_CALL)
            continue;
        struct span name = fact_name(p, f, at);
        enum op_kind op = fact_op(name);
        struct value v = fact_value(p, f, at);
        if (op == OP_STATEFUL || v.kind == VALUE_MODEL || v.kind == VALUE_SESSION)
            return true;
        if ((op == OP_PURE || op == OP_CHEAP) && fact_invariant(p, f, at, loop))
            return true;
        struct span method;
        if (py_receiver(f, at, &method) != 0 && span_eq(method, SPAN("run")))
            return true; /* PP103 speaks of it */
    }
    return false;
}

/* A branch between the loop and the node that runs in few rounds, or for the first time only. */
static bool in_rare_branch(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = py_parent(f, n); at != 0 && at != loop; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_EXCEPT || kind == PY_RAISE || kind == PY_ASSERT || kind == PY_RETURN)
            return true;
        if (kind == PY_CONDITIONAL || kind == PY_IF || kind == PY_ELIF || kind == PY_MATCH)
            return true;
    }
    return false;
}

static bool in_with_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop,
                       const char *name)
{
    for (uint32_t at = py_parent(f, n); at != 0 && at != loop; at = py_parent(f, at)) {
        uint32_t clause = py_kind(f, at) == PY_WITH ? py_first(f, at) : 0;
        for (uint32_t c = clause; clause != 0 && c < f->nodes[clause].after; c++)
            if (py_kind(f, c) == PY_CALL && (name == NULL || fact_is(p, f, c, name)))
                return true;
    }
    return false;
}

/* Does the loop run a session: is it the loop of steps of a TF1 program? */
static bool runs_session(const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct span method;
        uint32_t receiver =
            py_kind(f, n) == PY_CALL ? py_receiver(f, n, &method) : 0;
        if (receiver != 0 && span_eq(method, SPAN("run")) &&
            span_find(py_text(f, receiver), SPAN("sess")) != SIZE_MAX)
            return true;
    }
    return false;
}

/* The outermost loop of the function in which the expression is invariant; all between must be. */
static bool find_place(struct project *p, const struct py_file *f, uint32_t n, struct place *place)
{
    bool found = false;

    for (struct loop loop = fact_loop(p, f, n); loop.node != 0;
         loop = fact_outer_loop(p, f, loop)) {
        if (!fact_invariant(p, f, n, loop.node) || in_rare_branch(f, n, loop.node) ||
            fact_own_graph(p, f, n, loop.node) ||
            in_with_of(p, f, n, loop.node, "tf.GradientTape") ||
            part_of_other(p, f, n, loop.node))
            break;
        enum py_kind kind = py_kind(f, loop.node);
        bool comprehension = kind != PY_FOR && kind != PY_WHILE;
        if (!found || loop.trip >= place->trip)
            place->trip = loop.trip;
        place->comprehension = (found ? place->comprehension : true) && comprehension;
        place->node = n;
        place->loop = loop.node;
        found = true;
    }
    return found;
}

/* Is there an op in it whose work grows faster than what goes in? */
static bool is_costly(struct project *p, const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"matmul", "tensordot", "einsum", "linalg.", "eye", "band_part",
                                        "cholesky", "svd", "inverse", "conv", "fft", "meshgrid",
                                        "sequence_mask", "sort", "top_k"};

    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        struct span op = py_kind(f, at) == PY_CALL ? fact_name(p, f, at) : (struct span){"", 0};
        for (size_t i = 0; op.len > 0 && i < ARRAY_LEN(words); i++)
            if (span_find(op, span_of(words[i])) != SIZE_MAX)
                return true;
    }
    return false;
}

static enum check_severity severity_of(struct project *p, const struct py_file *f,
                                       const struct place *at, enum op_kind op, const char **why)
{
    *why = "";
    if (at->trip == TRIP_SHORT)
        *why = "; the loop is short, so there is little to gain";
    else if (op == OP_CHEAP)
        *why = "; it is cheap, so there is little to gain";
    else if (fact_in_graph_function(p, f, at->node))
        *why = "; in a graph function the optimizer may share it";
    else if (fact_mode(p, f) == MODE_GRAPH && !runs_session(f, at->loop))
        *why = "; this runs while the graph is built, so there is little to gain";
    else if (at->trip != TRIP_STEPS && !is_costly(p, f, at->node))
        *why = "; the loop may be short, or run only once: then there is little to gain";
    else if (at->comprehension)
        *why = "; one tensor could serve all elements";
    return **why != '\0' ? CHECK_NOTE : CHECK_WARNING;
}

/* --- the fix --- */

/* Every name in the expression is known to hold a tensor, a literal or a module, and was bound
 * before the loop. */
static bool names_are_safe(struct project *p, const struct py_file *f, const struct place *at)
{
    for (uint32_t n = at->node; n < f->nodes[at->node].after; n++) {
        uint32_t defs[8];
        if (py_kind(f, n) == PY_LAMBDA || py_kind(f, n) == PY_FOR_IN)
            return false;
        if (py_kind(f, n) != PY_IDENTIFIER || f->nodes[n].field == FIELD_ATTRIBUTE ||
            py_kind(f, py_parent(f, n)) == PY_KEYWORD_ARGUMENT)
            continue;
        struct value v = fact_value(p, f, n);
        if (v.kind != VALUE_TENSOR && v.kind != VALUE_CONSTANT && v.kind != VALUE_NAME)
            return false;
        size_t count = py_reaching(f, n, defs, ARRAY_LEN(defs));
        for (size_t i = 0; i < count; i++)
            if (f->nodes[f->defs[defs[i]].node].start >= f->nodes[at->loop].start)
                return false;
    }
    return true;
}

static bool one_line(struct span text)
{
    return text.len > 0 && memchr(text.ptr, '\n', text.len) == NULL;
}

/* The indentation of the loop, when the loop is the first thing on its line. */
static bool indentation(const struct py_file *f, uint32_t loop, struct span *indent)
{
    uint32_t start = f->nodes[loop].start, line = f->lines[py_line(f, start) - 1];

    *indent = (struct span){f->code.ptr + line, start - line};
    return span_trim(*indent).len == 0;
}

static void fresh_name(const struct py_file *f, struct span op, struct buf *out)
{
    size_t from = op.len;

    while (from > 0 && op.ptr[from - 1] != '.')
        from--;
    for (int i = 1; i < 100; i++) {
        buf_reset(out);
        buf_add(out, op.ptr + from, op.len - from);
        buf_add_text(out, "_once");
        if (i > 1)
            buf_addf(out, "%d", i);
        if (py_sym(f, buf_span(out)) == 0)
            return;
    }
}

static void add_fix(struct rule_finding *found, struct project *p, const struct py_file *f,
                    const struct place *at, struct span op)
{
    struct buf name = {0};
    struct span indent, text = py_text(f, at->node);
    bool crlf = f->lines[0] + 1 < f->code.len && f->n_lines > 1 && f->lines[1] > 1 &&
                f->code.ptr[f->lines[1] - 2] == '\r';

    if (!one_line(text) || text.len > 500 || !indentation(f, at->loop, &indent) ||
        in_with_of(p, f, at->node, at->loop, NULL) ||
        py_up(f, at->node, PY_TRY) > at->loop || !names_are_safe(p, f, at) ||
        (py_kind(f, at->loop) != PY_FOR && py_kind(f, at->loop) != PY_WHILE))
        return;
    fresh_name(f, op, &name);
    uint32_t start = f->nodes[at->loop].start;
    rule_fix(found, "compute it once before the loop");
    rule_edit(found, start, start, "%s = %.*s%s%.*s", buf_cstr(&name), (int)text.len, text.ptr,
              crlf ? "\r\n" : "\n", (int)indent.len, indent.ptr);
    rule_edit(found, f->nodes[at->node].start, f->nodes[at->node].end, "%s", buf_cstr(&name));
    buf_clear(&name);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    struct span name = fact_name(p, f, call);
    enum op_kind op = fact_op(name);
    struct place at = {0};
    const char *why;

    if ((op != OP_PURE && op != OP_CHEAP) || !find_place(p, f, call, &at))
        return;
    enum check_severity severity = severity_of(p, f, &at, op, &why);
    struct rule_finding *found = rule_report(
        r, call, severity,
        "%s is the same in every round of the loop in %s; compute it once, before the loop%s",
        RULE_TEXT(f, call), RULE_PLACE(f, f, at.loop), why);
    if (severity != CHECK_NOTE)
        add_fix(found, p, f, &at, name);
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++)
        check_call(r, p, f, calls[i]);
}

const struct rule rule_PP101 = {
    .about = {
        .id = "PP101",
        .name = "loop-invariant-op",
        .summary = "An op in a loop gives the same in every round",
        .severity = CHECK_WARNING,
        .on = true,
        .fixable = true,
    },
    .run = run,
};
