/* PP406: a tensor's value is fetched at every step, which makes Python wait for the device. */
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

/* A counter of steps is kept on the host. */
static bool is_counter(const struct py_file *f, uint32_t n)
{
    return py_kind(f, n) != PY_CALL && span_has_word(py_text(f, n), "step iter epoch");
}

/* The value that the call waits for, and the words for it; 0: it is no such call. */
static uint32_t fetched(struct project *p, const struct py_file *f, uint32_t call, const char **how)
{
    struct span name = fact_name(p, f, call);
    uint32_t receiver = py_method(f, call, "numpy"), first = py_argument(f, call, 0);

    if (receiver != 0 && name.len == 0 && first == 0) {
        struct value v = fact_value(p, f, receiver);
        *how = ".numpy()";
        bool other = span_has_word(py_text(f, receiver),
                                   "cpu() detach()") || /* another library's tensors have it, too */
                     fact_mentions(p, f, "import torch|import mxnet|import paddle");
        return v.kind == VALUE_TENSOR || (v.kind == VALUE_UNKNOWN && !other) ? receiver : 0;
    }
    if (first == 0 || py_kind(f, first) == PY_KEYWORD_ARGUMENT)
        return 0;
    if (fact_has(p, f, call, TRAIT_FETCHES)) {
        *how = span_ends(name, SPAN("eval")) ? "K.eval()" : "K.get_value()";
        return first;
    }
    *how = span_ends(name, SPAN("int")) ? "int()" : "float()";
    return fact_has(p, f, call, TRAIT_PYTHON_NUMBER) && fact_value(p, f, first).kind == VALUE_TENSOR ? first : 0;
}

/* What print shows: an argument that is a tensor, or a tensor in a string that is filled in. */
static uint32_t printed(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = list; n < f->nodes[list].after; n++) {
        enum py_kind kind = py_kind(f, n), around = py_kind(f, py_parent(f, n));
        if (kind == PY_LAMBDA || kind == PY_ATTRIBUTE || kind == PY_CALL) {
            if (py_method(f, n, "format") == 0)
                n = f->nodes[n].after - 1; /* .shape, len(…): no value is fetched, or it is told
                                              elsewhere */
            continue;
        }
        if (kind == PY_IDENTIFIER && (around == PY_ARGUMENT_LIST || around == PY_INTERPOLATION || around == PY_TUPLE) &&
            fact_value(p, f, n).kind == VALUE_TENSOR)
            return n;
    }
    return 0;
}

/* The loop talks to a world outside TensorFlow that needs the value: a game, a simulator. */
static bool needs_values(struct project *p, const struct py_file *f, uint32_t loop)
{
    (void)p;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t receiver = py_receiver(f, n, NULL);
        if (fact_method(f, n, TRAIT_ACTS) != 0 ||
            (receiver != 0 && span_has_word(py_text(f, receiver), "env environment simulator game world gym")))
            return true;
    }
    return false;
}

/* The name that the value is assigned to; 0 for none. */
static uint32_t assigned_to(const struct py_file *f, uint32_t n)
{
    uint32_t statement = py_statement(f, n);

    for (uint32_t at = n; at != statement && at != 0; at = py_parent(f, at)) {
        uint32_t up = py_parent(f, at);
        uint32_t left = py_kind(f, up) == PY_ASSIGNMENT && f->nodes[at].field == FIELD_RIGHT
                            ? py_child(f, up, FIELD_LEFT)
                            : 0;
        if (left != 0)
            return f->nodes[left].sym;
    }
    return 0;
}

/* Does the loop decide by what the name holds; in each of its rounds? */
static bool decides_by(const struct py_file *f, uint32_t loop, uint32_t sym, bool always)
{
    for (struct py_nodes use = py_uses(f, sym, loop); py_take(&use);)
        if (py_kind(f, use.n) == PY_IDENTIFIER && rounds_ask(f, use.n, loop) &&
            !(always && fact_guarded(f, use.n, loop)))
            return true;
    return false;
}

static bool by_value(struct project *p, const struct py_file *f, uint32_t loop, uint32_t sym)
{
    (void)p;
    return decides_by(f, loop, sym, false);
}

static bool by_tensor(struct project *p, const struct py_file *f, uint32_t loop, uint32_t sym)
{
    (void)p;
    return decides_by(f, loop, sym, true);
}

/* What the loop decides by has to be fetched: the value, its name, or elsewhere the tensor. */
static bool decides(struct project *p, const struct py_file *f, uint32_t n, uint32_t what, uint32_t loop)
{
    uint32_t statement = py_statement(f, n), sym = assigned_to(f, n);
    uint32_t tensor = py_kind(f, what) == PY_IDENTIFIER ? f->nodes[what].sym : 0;

    if (rounds_ask(f, n, statement) || py_kind(f, statement) == PY_IF || py_kind(f, statement) == PY_WHILE)
        return true;
    return fact_once_of(p, f, loop, sym, by_value) || fact_once_of(p, f, loop, tensor, by_tensor);
}

/* Is a call, other than one that shows or keeps what it gets, given the value? */
static bool handed_to_code(const struct py_file *f, uint32_t n, uint32_t statement)
{
    uint32_t call = py_up(f, py_parent(f, n), PY_CALL);
    uint32_t callee = call > statement ? py_child(f, call, FIELD_FUNCTION) : 0;
    struct span name = py_name(f, callee);

    return name.len > 0 && !py_inside(f, n, callee) &&
           !span_has_word(name,
                          "print append write log info format float str round scalar update debug set_ add extend "
                          "record item mean sum warn isnan len int");
}

/* The loop goes on to compute with the value on the host, more than a sum or a line of a log. */
static bool computes_with(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t sym = assigned_to(f, n), statement = py_statement(f, n);

    if (handed_to_code(f, n, statement))
        return true;
    if (py_up(f, n, PY_DICTIONARY) > statement) /* of figures, by their names */
        return false;
    for (struct py_nodes use = py_uses(f, sym, loop); py_take(&use);) {
        uint32_t at = use.n;
        if (py_kind(f, at) != PY_IDENTIFIER || py_statement(f, at) == statement)
            continue;
        if (handed_to_code(f, at, py_statement(f, at)))
            return true;
        if (py_up(f, at, PY_CALL) <= loop && py_kind(f, py_parent(f, at)) == PY_BINARY_OPERATOR &&
            py_up(f, at, PY_ASSIGNMENT) > loop)
            return true;
    }
    return false;
}

/* Does the loop decide by a value in each round, and so wait for the device in any case? */
static bool waits_anyway(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        const char *how;
        if (py_kind(f, n) != PY_CALL || fact_guarded(f, n, loop))
            continue;
        uint32_t what = fetched(p, f, n, &how);
        if ((what != 0 && !is_counter(f, what) && decides(p, f, n, what, loop)) ||
            (fact_op(p, f, n) == OP_PURE && rounds_ask(f, n, loop)))
            return true;
    }
    return false;
}

/* for i, (loss, words) in enumerate(steps()): takes all that a function gives, whatever the parts are called. */
static bool over_call(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t over = py_child_of(f, loop, PY_FOR, FIELD_RIGHT);
    uint32_t target = py_child_of(f, loop, PY_FOR, FIELD_LEFT);

    if (over != 0 && py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_ENUMERATES))
        over = py_argument(f, over, 0);
    return over != 0 && py_kind(f, target) != PY_IDENTIFIER && py_kind(f, over) == PY_CALL &&
           fact_name(p, f, over).len == 0 && py_receiver(f, over, NULL) == 0;
}

/* Does the function make one step of training, whatever its name: are gradients applied in none of its own loops? */
static bool makes_step(struct project *p, const struct py_file *f, uint32_t function)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        if (py_kind(f, n) == PY_CALL && vocabulary_method_has(py_called(f, n), TRAIT_TRAIN_STEP) &&
            py_function_of(f, n) == function && fact_loop(p, f, n).node == 0)
            return true;
    }
    return false;
}

static bool calls_step(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct function to;
        if (py_kind(f, n) == PY_CALL && fact_loop(p, f, n).node == loop && fact_callee(p, f, n, &to) &&
            makes_step(p, to.f, to.n))
            return true;
    }
    return false;
}

/* The loop of steps that runs n in each round. *surely: a tape, or the called function's name or code, shows
 * training. */
static bool step_loop(struct project *p, const struct py_file *f, uint32_t n, struct loop *loop, bool *surely)
{
    *loop = fact_loop(p, f, n);
    uint32_t over = py_child_of(f, loop->node, PY_FOR, FIELD_RIGHT);
    /* for name, value in metrics.items(), six.iteritems(metrics): a handful of rounds within a step */
    if (py_kind(f, over) == PY_CALL && !fact_guarded(f, n, loop->node) &&
        (fact_has(p, f, over, TRAIT_ITERATES_ITEMS) || fact_method(f, over, TRAIT_ITERATES_ITEMS) != 0))
        *loop = fact_outer_loop(p, f, *loop);
    bool few = loop->trip == TRIP_SHORT && (loop->rounds >= 0 || !over_call(p, f, loop->node));
    if (loop->node == 0 || few || fact_epoch_loop(f, loop->node) || fact_guarded(f, n, loop->node))
        return false;
    if (!py_is_loop(f, loop->node))
        return false;
    *surely = fact_trains(p, f, loop->node) >= LIKELY || fact_once(p, f, loop->node, calls_step);
    return *surely || fact_trains_within(p, f, loop->node);
}

/* Is another value fetched before it in the same call of print? That one has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t shown = py_up(f, py_parent(f, call), PY_CALL);
    const char *how;

    while (shown != 0 && !fact_has(p, f, shown, TRAIT_PRINTS))
        shown = py_up(f, py_parent(f, shown), PY_CALL);
    for (uint32_t n = shown; shown != 0 && n < call; n++)
        if (py_kind(f, n) == PY_CALL && n != shown && fetched(p, f, n, &how) != 0)
            return true;
    return false;
}

/* Does the loop wait for an earlier value in each round? Reads only the beginning of a loop that nobody wrote by
 * hand. */
static bool waits_before(struct project *p, const struct py_file *f, uint32_t call, uint32_t loop)
{
    enum { NODES_MAX = 20000 };
    const char *how;

    for (uint32_t n = loop; n < call && n - loop < NODES_MAX; n++) {
        bool other = py_kind(f, n) == PY_CALL && f->nodes[n].after <= call;
        uint32_t what = other ? fetched(p, f, n, &how) : 0;
        if (what != 0 && !is_counter(f, what) && fact_loop(p, f, n).node == loop && !fact_guarded(f, n, loop))
            return true;
    }
    return false;
}

static bool writes_summaries(struct project *p, const struct py_file *f, uint32_t loop)
{
    (void)p;
    return span_has(py_text(f, loop), "summary.");
}

/* Does a file of the project make a tf.function of the method: self.step = tf.function(self.step) in a base class? */
static bool compiled_elsewhere(struct project *p, struct span method)
{
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        if (!fact_mentions(p, f, "tf.function(self."))
            continue;
        for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
            uint32_t first = py_argument(f, call.n, 0);
            if (first != 0 && py_kind(f, first) == PY_ATTRIBUTE && span_eq(py_name(f, first), method) &&
                fact_has(p, f, call.n, TRAIT_GRAPH_FUNCTION))
                return true;
        }
    }
    return false;
}

/* Is it what the loop goes over: data, which the host has already? */
static bool is_data(const struct py_file *f, uint32_t what, uint32_t loop)
{
    enum { REACHING_MAX = 8 };
    uint32_t target = py_child_of(f, loop, PY_FOR, FIELD_LEFT);
    bool data = false;

    for (struct py_defs d = py_reaching(f, target != 0 ? what : 0, REACHING_MAX); py_take_def(&d);)
        if (py_inside(f, d.def->node, target))
            data = true;
        else if (d.def->node > target && d.def->node < py_statement(f, what))
            return false;
    return data;
}

/* Does the loop call a step that is compiled, or could be, by a tf.function that the file uses? A step that runs op by
 * op is slow by Python, and one more value changes little; a step that writes summaries waits for them. */
static bool compiled_step(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool compiled = py_uses(f, py_sym(f, SPAN("function")), ROOT).all > 0; /* in more than a comment */

    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct span method = {"", 0};
        struct function to;
        if (py_kind(f, n) != PY_CALL)
            continue;
        uint32_t receiver = py_receiver(f, n, &method);
        compiled = compiled || (receiver != 0 && span_eq(method, SPAN("train_on_batch"))) ||
                   (receiver != 0 && py_is(f, receiver, "self") && span_has(method, "step") &&
                    compiled_elsewhere(p, method));
        if (!fact_callee(p, f, n, &to))
            continue;
        if (span_has(py_text(to.f, to.n), "summary."))
            return false;
        compiled = compiled || fact_graph_decorator(p, to.f, to.n) != 0;
    }
    return compiled;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const char *how = "print()";
    struct loop loop;
    bool surely = false;
    uint32_t what = fact_has(p, f, call, TRAIT_PRINTS) ? printed(p, f, call) : fetched(p, f, call, &how);

    if (what == 0 || is_counter(f, what) ||
        !rule_needs(r, call, call, step_loop(p, f, call, &loop, &surely),
                    "no loop that trains is seen to run it at each step") ||
        !rule_needs(r, call, loop.node,
                    !fact_once(p, f, loop.node, needs_values) && !decides(p, f, call, what, loop.node) &&
                        !fact_in_graph_function(p, f, call) && !is_data(f, what, loop.node),
                    "the loop needs the value, or has it already") ||
        !rule_needs(r, call, loop.node, !said_before(p, f, call), "another line of the loop has the finding"))
        return;
    bool waits = fact_once(p, f, loop.node, waits_anyway);
    bool before = waits_before(p, f, call, loop.node);
    /* Somebody wants to see each step, or each step writes summaries, which wait for the values as well. */
    uint32_t callee = py_child_of(f, py_first(f, py_statement(f, call)), PY_CALL, FIELD_FUNCTION);
    bool shown = (callee != 0 && span_has_word(py_text(f, callee), "print set_postfix set_description progress bar")) ||
                 fact_once(p, f, loop.node, writes_summaries);
    uint32_t test = py_child_of(f, loop.node, PY_WHILE, FIELD_CONDITION);
    bool ends = test != 0 && py_kind(f, test) != PY_TRUE && py_kind(f, test) != PY_INTEGER; /* while error > limit */
    bool little = waits || before || shown || !surely || ends || computes_with(f, call, loop.node) ||
                  !fact_once(p, f, loop.node, compiled_step);
    rule_report(r, call, little ? CHECK_LOW : CHECK_MEDIUM, "%s fetches %s at every step of the loop in %s", how,
                RULE_TEXT(f, what), RULE_PLACE(f, f, loop.node));
    if (waits)
        rule_why(r, "Python waits for the device. The loop decides by another value, too, which makes"
                    " it wait as well.");
    else if (before)
        rule_why(r, "Python waits for the device. Another value of the same step is fetched before.");
    else if (shown)
        rule_why(r, "Python waits for the device. Each step is shown or written down, which makes it"
                    " wait as well.");
}

const struct rule_looks rule_PP406 = {.call = check_call};
