/* PP613: losses are added up or kept with their graphs. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

/* loss = loss.detach(): is the name bound, before it is kept, to what has no graph? */
static bool is_bound_without(const struct py_file *f, uint32_t n)
{
    enum { DEFS_MAX = 4 };

    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);)
        if (d.def->value != 0 &&
            span_has_word(py_text(f, d.def->value), "detach() .item() .data float( .numpy() .tolist()"))
            return true;
    return false;
}

/* return loss: in a function that calls loss.backward()? `index`: which part of what it returns, or -1. */
static bool returns_loss(const struct py_file *f, uint32_t function, int index)
{
    for (uint32_t n = function; n < f->nodes[function].after; n++) {
        uint32_t given = py_part(f, py_returned(f, n, function), index);
        if (given != 0 && py_kind(f, given) == PY_IDENTIFIER && !is_bound_without(f, given) &&
            fact_backward_of(f, given, function))
            return true;
    }
    return false;
}

/* Is the expression the loss with its graph: a name on which the loop, or a step that it calls, calls backward()? */
static bool is_loss_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    struct function to;

    n = py_bare(f, n);
    if (py_kind(f, n) == PY_BINARY_OPERATOR && py_child(f, n, FIELD_LEFT) != 0)
        n = py_child(f, n, FIELD_LEFT); /* loss * batch_size */
    if (py_kind(f, n) != PY_IDENTIFIER || is_bound_without(f, n))
        return false;
    if (fact_backward_of(f, n, loop))
        return true;
    const struct py_def *def = py_bound(f, n); /* loss = train_step(x, y), of the project */
    return def != NULL && (def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK) && py_kind(f, def->value) == PY_CALL &&
           fact_callee(p, f, def->value, &to) && py_kind(to.f, to.n) == PY_FUNCTION &&
           returns_loss(to.f, to.n, def->kind == DEF_UNPACK ? (int)def->index : -1);
}

/* What the assignment total = total + x adds; 0: it is another one. */
static uint32_t added(const struct py_file *f, uint32_t assignment)
{
    uint32_t left = py_child(f, assignment, FIELD_LEFT), right = py_bare(f, py_child(f, assignment, FIELD_RIGHT));
    uint32_t sum = py_child(f, right, FIELD_LEFT), part = py_child(f, right, FIELD_RIGHT);

    return left != 0 && py_kind(f, assignment) == PY_ASSIGNMENT && py_kind(f, right) == PY_BINARY_OPERATOR &&
                   span_eq(py_text(f, sum), py_text(f, left)) && span_has(py_between(f, sum, part), "+")
               ? part
               : 0;
}

static bool adds_to(const struct py_file *f, uint32_t name)
{
    return added(f, py_up(f, name, PY_ASSIGNMENT)) != 0;
}

/* Is the sum used for backward() as well, or set anew in the loop? */
static bool goes_backward_itself(const struct py_file *f, uint32_t sum, uint32_t loop)
{
    if (fact_backward_of(f, sum, loop))
        return true;
    for (struct py_nodes use = py_uses(f, f->nodes[sum].sym, loop); py_take(&use);) {
        uint32_t def = py_kind(f, use.n) == PY_IDENTIFIER ? py_def_at(f, use.n) : 0;
        if (def != 0 && f->defs[def].kind == DEF_ASSIGN && !adds_to(f, f->defs[def].node))
            return true;
    }
    return false;
}

static uint32_t step_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    struct loop loop = fact_loop(p, f, n);

    return loop.node != 0 && loop.trip != TRIP_SHORT && !fact_epoch_of_steps(p, f, loop.node) ? loop.node : 0;
}

/* Is the sum (a name) only used as a number: in item(), float() or a format? A tensor's text names its graph. */
static bool only_numbers(const struct py_file *f, uint32_t sum)
{
    for (struct py_nodes use = py_uses(f, f->nodes[sum].sym, py_function_of(f, sum)); py_take(&use);) {
        uint32_t n = use.n, up = py_parent(f, n);
        if ((py_kind(f, n) == PY_IDENTIFIER && py_def_at(f, n) != 0) || adds_to(f, n))
            continue;
        for (; py_kind(f, up) == PY_BINARY_OPERATOR || py_kind(f, up) == PY_PARENTHESIZED; up = py_parent(f, n))
            n = up;
        bool number = py_kind(f, up) == PY_ARGUMENT_LIST &&
                      py_is(f, py_child(f, py_parent(f, up), FIELD_FUNCTION), "float");
        bool item = py_kind(f, up) == PY_ATTRIBUTE && py_is(f, py_child(f, up, FIELD_ATTRIBUTE), "item");
        bool formatted = py_kind(f, up) == PY_INTERPOLATION && f->code.ptr[f->nodes[n].end] == ':';
        if (py_kind(f, use.n) != PY_IDENTIFIER || !(number || item || formatted))
            return false;
    }
    return py_kind(f, sum) == PY_IDENTIFIER && py_function_of(f, sum) > 1;
}

/* `sum`: the name that the loss is added to, 0: something else keeps it. Where nobody could go backward from the sum, a
 * fix; otherwise a proposal. */
static void report(struct rule_run *r, const struct py_file *f, uint32_t n, uint32_t loss, uint32_t sum)
{
    rule_report(r, n, CHECK_MEDIUM, "%s is kept with its graph in each round", RULE_TEXT(f, loss));

    if (py_kind(f, loss) != PY_IDENTIFIER) /* loss * n */
        loss = py_child(f, py_bare(f, loss), FIELD_LEFT);
    rule_edit(r, f->nodes[loss].end, f->nodes[loss].end, ".detach()");
    if (sum != 0 && only_numbers(f, sum))
        rule_fix(r, "keep the loss without its graph");
    else
        rule_propose(r, "keep the loss without its graph");
}

/* total += loss, total = total + loss, sums["all"] += loss */
static void check_sum(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = py_child(f, n, FIELD_LEFT);
    uint32_t right = py_kind(f, n) == PY_ASSIGNMENT ? added(f, n) : py_child(f, n, FIELD_RIGHT);
    uint32_t loop = right != 0 ? step_loop(p, f, n) : 0;

    while (loop != 0 && py_kind(f, left) == PY_SUBSCRIPT)
        left = py_child(f, left, FIELD_VALUE);
    if (loop == 0 || !py_is_named(f, left) ||
        !rule_needs(r, n, right, is_loss_of(p, f, right, loop), "it is not seen to be a tensor that goes backward") ||
        !rule_needs(r, n, left, !goes_backward_itself(f, left, loop), "backward() is called on the sum") ||
        !rule_needs(r, n, n, !fact_without_grad(p, f, n), "it runs without gradients"))
        return;
    report(r, f, n, right, left);
}

/* self.sum += value * n, self.values.append(value): is the parameter, of a method, kept as it is? */
static bool keeps_parameter(const struct py_file *f, uint32_t function, uint32_t sym)
{
    for (struct py_nodes use = py_uses(f, sym, function); py_take(&use);) {
        uint32_t up = py_parent(f, use.n);
        if (py_def_at(f, use.n) != 0 && f->defs[py_def_at(f, use.n)].kind != DEF_PARAM)
            return false; /* value = float(value) */
        if (py_kind(f, up) == PY_BINARY_OPERATOR)
            up = py_parent(f, up);
        uint32_t left = py_child_of(f, up, PY_AUGMENTED_ASSIGNMENT, FIELD_LEFT);
        if (left != 0 && span_starts(py_text(f, left), SPAN("self.")))
            return true;
    }
    return false;
}

/* meter.update(loss, n): of a class of the project that adds it to what it has? */
static bool is_added_by(struct project *p, const struct py_file *f, uint32_t call, uint32_t argument)
{
    struct function to;

    if (py_argument(f, call, 0) != argument || !fact_callee(p, f, call, &to) || py_kind(to.f, to.n) != PY_FUNCTION)
        return false;
    uint32_t list = py_child(to.f, to.n, FIELD_PARAMETERS), self = py_first(to.f, list);
    uint32_t first = py_is(to.f, self, "self") ? py_next(to.f, self) : 0;
    return first != 0 && py_kind(to.f, first) == PY_IDENTIFIER && keeps_parameter(to.f, to.n, to.f->nodes[first].sym);
}

/* losses.append(loss), meter.update(loss) */
static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver = py_receiver(f, call, NULL), first = py_argument(f, call, 0);
    bool keeps = receiver != 0 && first != 0 && (py_method(f, call, "append") != 0 || is_added_by(p, f, call, first));
    uint32_t loop = keeps ? step_loop(p, f, call) : 0;

    if (loop == 0 || py_kind(f, first) != PY_IDENTIFIER ||
        !rule_needs(r, call, first, is_loss_of(p, f, first, loop),
                    "it is not seen to be a tensor that goes backward") ||
        !rule_needs(r, call, receiver, !py_is_named(f, receiver) || !goes_backward_itself(f, receiver, loop),
                    "backward() is called on what is kept"))
        return;
    report(r, f, call, first, 0);
}

/* --- a state that goes from step to step --- */

/* Is the name, in the loop, bound by nothing but the assignment, and detached nowhere? */
static bool stays_attached(const struct py_file *f, uint32_t name, uint32_t loop)
{
    for (struct py_nodes use = py_uses(f, f->nodes[name].sym, loop); py_take(&use);) {
        uint32_t up = py_parent(f, use.n);
        if (use.n != name && py_kind(f, use.n) == PY_IDENTIFIER && py_def_at(f, use.n) != 0)
            return false;
        if (py_kind(f, up) == PY_ATTRIBUTE && span_is_word(py_name(f, up), "detach detach_ data"))
            return false;
        if (py_kind(f, up) == PY_FOR || py_kind(f, up) == PY_FOR_IN) /* for s in state: s.detach_() */
            return false;
    }
    return true;
}

/* The name, of those that the assignment binds, that the call gets as well: out, h = model(x, h); 0: none. */
static uint32_t handed_on(const struct py_file *f, uint32_t left, uint32_t call, uint32_t loop)
{
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);

    for (uint32_t n = left; n < f->nodes[left].after; n++) {
        if (py_kind(f, n) != PY_IDENTIFIER)
            continue;
        for (struct py_nodes use = py_uses(f, f->nodes[n].sym, list); py_take(&use);)
            if (py_kind(f, use.n) == PY_IDENTIFIER && f->nodes[use.n].field != FIELD_NAME && stays_attached(f, n, loop))
                return n;
    }
    return 0;
}

/* Does the loop keep the graph after backward(), as it must where the next step goes back through it? */
static bool retains(const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t value = py_child_of(f, n, PY_KEYWORD_ARGUMENT, FIELD_VALUE);
        if (value != 0 && py_kind(f, value) == PY_TRUE && span_is_word(py_name(f, n), "retain_graph retain_variables"))
            return true;
    }
    return false;
}

static void report_state(struct rule_run *r, const struct py_file *f, uint32_t n, uint32_t state, const char *advice)
{
    rule_report(r, n, CHECK_HIGH, "%s goes to the next step with its graph, which grows", RULE_TEXT(f, state));
    rule_why(r, "Each backward() goes through all steps so far, and their graphs stay in memory.");
    rule_advice(r, "%s", advice);
}

/* out, h = model(x, h) at each step, and loss.backward(retain_graph=True): keeps all steps' graphs, and goes back
 * through them. */
static void check_state(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), call = py_child(f, n, FIELD_RIGHT);
    uint32_t loop = call != 0 && py_kind(f, call) == PY_CALL && py_kind(f, left) == PY_PATTERN_LIST ? step_loop(p, f, n)
                                                                                                    : 0;

    if (loop == 0 || !fact_has_call(p, f, loop, TRAIT_GOES_BACKWARD) ||
        !rule_needs(r, n, loop, retains(f, loop), "its backward() does not retain the graph") ||
        !rule_needs(r, n, n, !fact_without_grad(p, f, n), "it runs without gradients"))
        return;
    uint32_t name = handed_on(f, left, call, loop);
    if (rule_needs(r, n, left, name != 0, "no state is seen to go to the next step with its graph"))
        report_state(r, f, n, name, "Detach the state before each step, and call backward() without retain_graph.");
}

/* Is the attribute, in its class, set elsewhere but in __init__, or detached? */
static bool is_set_anew(const struct py_file *f, uint32_t assignment, struct span attribute)
{
    uint32_t class = py_up(f, assignment, PY_CLASS);

    for (uint32_t n = class; n < f->nodes[class].after; n++) {
        if (py_kind(f, n) != PY_ATTRIBUTE || !span_eq(py_text(f, n), attribute) || py_inside(f, n, assignment))
            continue;
        if (!span_eq(py_title(f, py_function_of(f, n)), SPAN("__init__")))
            return true;
    }
    return span_has(py_text(f, class), "detach");
}

/* features, self.state = self.lstm(x, self.state) in forward(): what comes of itself has the graphs of all calls
 * before. It runs at all only where backward() keeps them: a loop of the project says retain_graph=True. */
static void check_own_state(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t left = py_child(f, n, FIELD_LEFT), call = py_child(f, n, FIELD_RIGHT), state = 0;

    if (py_kind(f, call) != PY_CALL || !span_eq(py_title(f, py_function_of(f, n)), SPAN("forward")) ||
        py_up(f, n, PY_CLASS) == 0 || fact_without_grad(p, f, n))
        return;
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS);
    for (uint32_t at = left; at < f->nodes[left].after; at++)
        if (py_kind(f, at) == PY_ATTRIBUTE && span_starts(py_text(f, at), SPAN("self.")))
            state = at;
    if (state == 0 || !fact_derives(p, f, py_up(f, n, PY_CLASS), TRAIT_LAYER))
        return;
    bool given = false;
    for (uint32_t at = list; at < f->nodes[list].after && !given; at++)
        given = py_kind(f, at) == PY_ATTRIBUTE && span_eq(py_text(f, at), py_text(f, state));
    if (given && fact_any_mentions(p, "retain_graph=True") && !is_set_anew(f, n, py_text(f, state)))
        report_state(r, f, n, state,
                     "Keep the state detached, or begin with zeros, and call backward() without retain_graph.");
}

static void check_node(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) == PY_AUGMENTED_ASSIGNMENT || py_kind(f, n) == PY_ASSIGNMENT)
        check_sum(r, p, f, n);
    if (py_kind(f, n) == PY_ASSIGNMENT) {
        check_state(r, p, f, n);
        check_own_state(r, p, f, n);
    }
}

const struct rule_looks rule_PP613 = {.node = check_node, .call = check_call};
