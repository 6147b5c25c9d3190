/* PP627: gradients go back twice through the same part of a graph, where once would do. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { CALLS_MAX = 400 };

/* --- PyTorch: a.backward(retain_graph=True); b.backward() --- */

static bool keeps_graph(const struct py_file *f, uint32_t call)
{
    uint32_t keeps = py_keyword(f, call, "retain_graph");

    if (keeps == 0)
        keeps = py_keyword(f, call, "retain_variables");
    return keeps != 0 && py_kind(f, keeps) == PY_TRUE && py_keyword(f, call, "create_graph") == 0;
}

/* The loss, a name, on which backward() is called without a gradient that it is given; 0: another call. */
static uint32_t backward_of(const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t loss = py_kind(f, call) == PY_CALL ? py_receiver(f, call, &method) : 0,
             first = loss != 0 ? py_argument(f, call, 0) : 0;
    bool alone = first == 0 || py_kind(f, first) == PY_KEYWORD_ARGUMENT;

    return loss != 0 && span_eq(method, SPAN("backward")) && alone && py_kind(f, loss) == PY_IDENTIFIER &&
                   py_keyword(f, call, "gradient") == 0
               ? loss
               : 0;
}

/* Does what stands between two statements use gradients, change weights, or choose which have gradients? */
static bool comes_between(const struct py_file *f, uint32_t from, uint32_t to)
{
    static const char *const words[] = {"step(", "zero_grad", ".grad",   "requires_grad",
                                        "clip",  "backward",  "no_sync", "update"};
    uint32_t start = f->nodes[from].end, end = f->nodes[to].start;

    return end > start && span_has_any((struct span){f->code.ptr + start, end - start}, words, ARRAY_LEN(words));
}

/* The next backward() in the block after the call's statement, with nothing between that matters; 0: none. */
static uint32_t next_backward(const struct py_file *f, uint32_t call)
{
    uint32_t statement = py_statement(f, call);

    for (uint32_t s = py_next(f, statement); s != 0; s = py_next(f, s)) {
        uint32_t next = py_kind(f, s) == PY_EXPRESSION_STATEMENT ? py_first(f, s) : 0;
        if (next != 0 && backward_of(f, next) != 0)
            return comes_between(f, statement, s) ? 0 : next;
        if (py_kind(f, s) != PY_EXPRESSION_STATEMENT && py_kind(f, s) != PY_ASSIGNMENT &&
            py_kind(f, s) != PY_AUGMENTED_ASSIGNMENT)
            return 0; /* who knows what it does */
    }
    return 0;
}

/* Is the other loss there before the first backward(): bound before it? */
static bool is_there(const struct py_file *f, uint32_t loss, uint32_t call)
{
    uint32_t defs[4];
    size_t n = py_reaching(f, loss, defs, 4);

    for (size_t i = 0; i < n; i++)
        if (f->defs[defs[i]].node > call)
            return false;
    return n > 0;
}

/* for loss in losses: loss.backward(retain_graph=True) */
static bool is_whole_loop(const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t body = loop != 0 && py_kind(f, loop) == PY_FOR ? py_child(f, loop, FIELD_BODY) : 0;
    uint32_t target = body != 0 ? py_child(f, loop, FIELD_LEFT) : 0, loss = backward_of(f, call);

    return target != 0 && py_statement(f, call) == py_first(f, body) && py_next(f, py_first(f, body)) == 0 &&
           py_kind(f, target) == PY_IDENTIFIER && f->nodes[target].sym == f->nodes[loss].sym;
}

/* Is it the next one of a backward() before it, which has the finding? */
static bool said_before(const struct py_file *f, uint32_t call)
{
    uint32_t statement = py_statement(f, call);

    for (uint32_t s = py_first(f, py_parent(f, statement)); s != 0 && s < statement; s = py_next(f, s)) {
        uint32_t other = py_kind(f, s) == PY_EXPRESSION_STATEMENT ? py_first(f, s) : 0;
        if (other != 0 && backward_of(f, other) != 0 && keeps_graph(f, other) && next_backward(f, other) == call)
            return true;
    }
    return false;
}

static void check_backward(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t loss = backward_of(f, call), loop = loss != 0 ? fact_loop(p, f, call).node : 0;

    if (loss == 0 || !keeps_graph(f, call))
        return;
    if (is_whole_loop(f, call, loop)) {
        rule_report(r, call, CHECK_MEDIUM, "backward() goes through the graph once for each of %s",
                    RULE_TEXT(f, py_child(f, loop, FIELD_RIGHT)));
        return;
    }
    uint32_t next = next_backward(f, call), other = next != 0 ? backward_of(f, next) : 0;
    if (other == 0 || f->nodes[other].sym == f->nodes[loss].sym || !is_there(f, other, call) || said_before(f, call))
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s and %s go back one after the other, through the same graph",
                RULE_TEXT(f, loss), RULE_TEXT(f, other));
}

/* --- TensorFlow: tape.gradient(loss, a); tape.gradient(loss, b) --- */

/* The tape of tape.gradient(loss, variables), with two arguments; 0: another call. */
static uint32_t tape_of(const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t tape = py_kind(f, call) == PY_CALL ? py_receiver(f, call, &method) : 0;

    return tape != 0 && span_eq(method, SPAN("gradient")) && py_kind(f, tape) == PY_IDENTIFIER &&
                   py_argument(f, call, 1) != 0
               ? tape
               : 0;
}

/* Is the gradient of the same loss, a name, asked of the same tape before the call, in its function, after both were bound? */
static bool asked_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t tape)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);
    uint32_t loss = py_argument(f, call, 0), function = py_function_of(f, call), defs[2];

    if (py_kind(f, loss) != PY_IDENTIFIER || py_reaching(f, loss, defs, 2) != 1)
        return false;
    for (size_t i = 0; i < n && i < CALLS_MAX && calls[i] < call; i++) {
        uint32_t other = calls[i] > function ? tape_of(f, calls[i]) : 0;
        if (other == 0 || f->nodes[other].sym != f->nodes[tape].sym || py_function_of(f, calls[i]) != function)
            continue;
        uint32_t first = py_argument(f, calls[i], 0), bound[2];
        if (py_kind(f, first) == PY_IDENTIFIER && f->nodes[first].sym == f->nodes[loss].sym &&
            py_reaching(f, first, bound, 2) == 1 && bound[0] == defs[0] &&
            py_parent(f, py_statement(f, calls[i])) == py_parent(f, py_statement(f, call)) &&
            !span_eq(py_text(f, py_argument(f, calls[i], 1)), py_text(f, py_argument(f, call, 1))))
            return true;
    }
    return false;
}

static void check_tape(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t tape = tape_of(f, call);

    if (tape == 0 || !asked_before(p, f, call, tape))
        return;
    struct rule_finding *found = rule_report(r, call, CHECK_MEDIUM, "%s goes back through the graph of %s once more",
                                             RULE_TEXT(f, tape), RULE_TEXT(f, py_argument(f, call, 0)));
    rule_why(found,
             "A gradient goes through all ops between the loss and its variables; what both share is done twice.");
    rule_advice(found,
                "Ask once for both lists, tape.gradient(loss, a + b), and split what it gives; persistent can go.");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    check_backward(r, p, f, call);
    check_tape(r, p, f, call);
}

const struct rule rule_PP627 = {
    .about =
        {
            .id = "PP627",
            .name = "backward-twice",
            .summary = "Gradients go back twice through the same part of a graph",
            .why = "Each goes through all that the losses share, and the graph is kept in memory for the next.",
            .advice = "Add the losses up, and call backward() once.",
            .impact = CHECK_MEDIUM,
            .certainty = CHECK_CERTAIN,
            .on = true,
        },
    .uses = USES_TENSORFLOW | USES_TORCH,
    .call = check_call,
};
