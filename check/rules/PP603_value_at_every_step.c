/* PP603: a tensor's value is fetched at each step of training with PyTorch, or in a forward(). */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rounds.h"
#include "check/rules/rule.h"

enum { NODES_MAX = 20000 };

static bool is_loss_name(const struct py_file *f, uint32_t n)
{
    static const char words[] = "loss err";

    while (n != 0 && (py_kind(f, n) == PY_ATTRIBUTE || py_kind(f, n) == PY_CALL || py_kind(f, n) == PY_SUBSCRIPT)) {
        if (py_kind(f, n) == PY_ATTRIBUTE && guess_word(py_name(f, n), words))
            return true;
        n = py_kind(f, n) == PY_CALL        ? py_child(f, n, FIELD_FUNCTION)
            : py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE)
                                            : py_child(f, n, FIELD_OBJECT);
    }
    return n != 0 && py_kind(f, n) == PY_IDENTIFIER && guess_word(py_text(f, n), words);
}

/* p.grad.norm(2), torch.sum(p.grad ** 2)? */
static bool holds_gradient(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_ATTRIBUTE && span_eq(py_name(f, at), SPAN("grad")))
            return true;
    return false;
}

/* torch.rand(1), torch.tensor(3), or an element, or a name that it is bound to: made on the host, of what is written there. */
static bool is_made_of_literals(struct project *p, const struct py_file *f, uint32_t n)
{
    while (py_kind(f, n) == PY_SUBSCRIPT)
        n = py_child(f, n, FIELD_VALUE);
    if (py_kind(f, n) == PY_IDENTIFIER)
        n = py_assigned(f, n);
    uint32_t data = py_kind(f, n) == PY_CALL ? py_argument(f, n, 0) : 0;
    if (data == 0 || fact_mentions(p, f, "set_default_device") || py_keyword(f, n, "device") != 0 ||
        !(fact_has(p, f, n, TRAIT_FROM_LIST) ||
          span_is_word(fact_name(p, f, n), "torch.rand torch.randn torch.randint")))
        return false;
    for (uint32_t at = data; at < f->nodes[data].after; at++)
        if (py_is_named(f, at) || py_kind(f, at) == PY_CALL)
            return false;
    return true;
}

static bool is_on_device(struct project *p, const struct py_file *f, uint32_t n)
{
    if (is_made_of_literals(p, f, n))
        return false;
    if (is_loss_name(f, n) || holds_gradient(f, n) || fact_torch_tensor(p, f, n) != NOT_SEEN)
        return true;
    return py_kind(f, n) == PY_IDENTIFIER &&
           (fact_backward_of(f, n, py_function_of(f, n)) || fact_backward_through(p, f, n, py_function_of(f, n)));
}

/* def to_cpu(x): return x.detach().cpu(): does the function only fetch what it gets first? */
static bool only_fetches(const struct py_file *f, uint32_t function)
{
    uint32_t body = py_child_of(f, function, PY_FUNCTION, FIELD_BODY);
    uint32_t statement = body != 0 ? py_first(f, body) : 0;
    uint32_t n = statement != 0 && py_kind(f, statement) == PY_RETURN && py_next(f, statement) == 0
                     ? py_first(f, statement)
                     : 0;
    bool fetches = false;

    while (n != 0 && py_kind(f, n) == PY_CALL) {
        fetches = fetches || (py_argument(f, n, 0) == 0 && py_method(f, n, "cpu item tolist") != 0);
        n = py_argument(f, n, 0) == 0 ? py_receiver(f, n, NULL) : 0;
    }
    uint32_t list = py_child(f, function, FIELD_PARAMETERS), first = list != 0 ? py_first(f, list) : 0;
    return fetches && py_kind(f, n) == PY_IDENTIFIER && py_kind(f, first) == PY_IDENTIFIER &&
           f->nodes[n].sym == f->nodes[first].sym;
}

/* The tensor whose value the call fetches, whether or not it is on the device. */
static uint32_t fetched_by_call(struct project *p, const struct py_file *f, uint32_t call, const char **how)
{
    uint32_t receiver = py_receiver(f, call, NULL), first = py_argument(f, call, 0);

    if (first == 0 && py_method(f, call, "item tolist cpu") != 0) {
        *how = py_method(f, call, "item") != 0 ? ".item()" : py_method(f, call, "cpu") != 0 ? ".cpu()" : ".tolist()";
        return receiver;
    }
    struct function to;
    if (first != 0 && receiver == 0 && fact_callee(p, f, call, &to) && only_fetches(to.f, to.n)) {
        *how = "the copy to the host";
        return first;
    }
    *how = "float()";
    return first != 0 && receiver == 0 && fact_is(p, f, call, "builtins.float") ? first : 0;
}

/* What needs the value of the name where it is: a call that writes it, "%f" % loss, f"{loss}"; NULL: nothing. */
static const char *written(struct project *p, const struct py_file *f, uint32_t name)
{
    uint32_t up = py_parent(f, name);

    if (py_kind(f, up) == PY_INTERPOLATION)
        return "a string";
    while (py_kind(f, up) == PY_TUPLE || py_kind(f, up) == PY_PARENTHESIZED || py_kind(f, up) == PY_KEYWORD_ARGUMENT ||
           py_kind(f, up) == PY_PAIR || py_kind(f, up) == PY_DICTIONARY)
        up = py_parent(f, up);
    if (py_kind(f, up) == PY_BINARY_OPERATOR) {
        uint32_t left = py_child(f, up, FIELD_LEFT);
        return py_kind(f, left) == PY_STRING ? "a string" : NULL;
    }
    uint32_t call = py_parent(f, up);
    if (py_kind(f, up) != PY_ARGUMENT_LIST || py_kind(f, call) != PY_CALL)
        return NULL;
    /* methods of loggers and writers, too: writer.add_scalar("loss", loss) */
    return fact_has(p, f, call, TRAIT_PRINTS) ||
                   span_is_word(py_called(f, call),
                                "add_scalar add_scalars format info set_postfix set_description scalar")
               ? "a line of text"
               : NULL;
}

/* The tensor whose value the node waits for, and the words for it; otherwise 0. */
static uint32_t fetched(struct project *p, const struct py_file *f, uint32_t n, const char **how)
{
    uint32_t what = 0;

    if (py_kind(f, n) == PY_CALL) {
        what = fetched_by_call(p, f, n, how);
    } else if (py_kind(f, n) == PY_SUBSCRIPT) { /* loss.data[0], for releases before 0.4 */
        uint32_t data = py_child(f, n, FIELD_VALUE), index = py_child(f, n, FIELD_SUBSCRIPT);
        *how = ".data[0]";
        if (py_kind(f, data) == PY_ATTRIBUTE && py_is(f, index, "0") && py_next(f, index) == 0 &&
            span_eq(py_name(f, data), SPAN("data")))
            what = py_child(f, data, FIELD_OBJECT);
    } else if (py_kind(f, n) == PY_IDENTIFIER && is_loss_name(f, n)) {
        uint32_t loop = fact_loop(p, f, n).node;
        *how = written(p, f, n);
        bool tensor = *how != NULL && loop != 0 &&
                      (fact_backward_of(f, n, loop) || fact_torch_tensor(p, f, n) != NOT_SEEN);
        return tensor ? n : 0;
    }
    return what != 0 && is_on_device(p, f, what) ? what : 0;
}

/* A world outside PyTorch needs the value: a game, a simulator; or the host decides by it. */
static bool needs_values(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after && n - loop < NODES_MAX; n++) {
        uint32_t receiver = py_receiver(f, n, NULL);
        if (receiver != 0 && fact_module(p, f, receiver) != CERTAIN &&
            (guess_word(py_text(f, receiver), "env simulator game gym agent") ||
             (fact_method(f, n, TRAIT_ACTS) != 0 && !py_is(f, receiver, "self")))) /* self.act(x), a net */
            return true;
    }
    return false;
}

/* Is n in the loop's block that calls backward(): does it run at each step, whatever the block waits for? */
static bool is_beside_backward(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("backward")), loop); py_take(&use);) {
        uint32_t block = py_parent(f, py_statement(f, use.n));
        if (py_parent(f, py_statement(f, n)) == block)
            return !fact_now_and_then(f, n, py_statement(f, n));
    }
    return false;
}

/* The loop of steps, of n's own function, that runs n in each round and goes backward; 0: there is none. */
static uint32_t own_loop(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t steps = 0; /* a few steps in each round of a longer loop: the minibatches of a rollout */

    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if ((steps == 0 && fact_epoch_of_steps(p, f, loop.node)) || fact_evaluates(p, f, loop) ||
            (fact_now_and_then(f, n, loop.node) && !is_beside_backward(f, n, loop.node)))
            return 0;
        if (!py_is_loop(f, loop.node) || !fact_goes_backward(p, f, loop.node))
            continue;
        steps = steps != 0 ? steps : loop.node;
        if (loop.trip != TRIP_SHORT)
            return steps;
    }
    return 0;
}

/* In no loop, or in ones within a step (for p in model.parameters(), for c in range(classes)), not over its own
 * loader? */
static bool in_short_loops(struct project *p, const struct py_file *f, uint32_t n)
{
    for (struct loop loop = fact_loop(p, f, n); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        uint32_t over = py_child_of(f, loop.node, PY_FOR, FIELD_RIGHT);
        bool counts = over != 0 && py_kind(f, over) == PY_CALL && fact_has(p, f, over, TRAIT_RANGE) &&
                      py_argument(f, over, 1) == 0;
        if (loop.trip != TRIP_SHORT && !(counts && !fact_evaluates(p, f, loop)))
            return false;
    }
    return true;
}

/* Does the function make one step of training by its own code, whoever calls it: backward(), and a step of an
 * optimizer, in no loop? Not one for each episode, which is not a step of a loop over batches. */
static bool makes_step(struct project *p, const struct py_file *f, uint32_t function)
{
    bool backward = false, steps = false;

    if (span_has_word(py_text(f, function), "episode env. rewards LBFGS"))
        return false;
    for (uint32_t n = function; n < f->nodes[function].after && n - function < NODES_MAX; n++) {
        if (py_method(f, n, "backward step") == 0 || py_function_of(f, n) != function || fact_loop(p, f, n).node != 0)
            continue;
        backward = backward || py_method(f, n, "backward") != 0;
        steps = steps || span_has(py_text(f, py_method(f, n, "step")), "opt");
    }
    return backward && steps;
}

/* The loop that makes each round wait for n; node 0 where a function is a step, whose loop is not seen. */
static bool training_loop(struct project *p, const struct py_file *f, uint32_t n, struct steps *steps)
{
    uint32_t function = py_function_of(f, n), statement = py_statement(f, n);
    struct span name = py_title(f, function);

    *steps = (struct steps){.file = f, .loop.node = own_loop(p, f, n)};
    if (steps->loop.node != 0)
        return true;
    if (function <= ROOT || !in_short_loops(p, f, n) || name.len == 0 ||
        span_has_word(name, "eval valid test infer predict sample act log save"))
        return false;
    /* Does each call of the function run n, in no branch or in what the function gives? */
    bool given = py_kind(f, statement) == PY_RETURN && py_parent(f, statement) == py_child(f, function, FIELD_BODY);
    bool each = given || !fact_now_and_then(f, n, function);
    /* the loop of steps of a caller that runs n, of a function without loops, in each round and goes backward */
    if (each && fact_steps(p, f, n, steps) != NOT_SEEN && steps->entry != 0 && steps->entry_file == steps->file &&
        fact_goes_backward(p, steps->file, steps->loop.node) &&
        !fact_now_and_then(steps->file, steps->entry, steps->loop.node))
        return true;
    /* or the function makes a step, and is called where no loop is seen */
    return (each || is_beside_backward(f, n, function)) && fact_once(p, f, function, makes_step) &&
           fact_callers(p, f, function).all == 0;
}

/* Are the two in branches of one `if`, so that no round runs both? */
static bool exclude_each_other(const struct py_file *f, uint32_t a, uint32_t b)
{
    for (uint32_t at = a, up; at > 1; at = up) {
        up = py_parent(f, at);
        if (py_inside(f, b, up))
            return py_kind(f, up) == PY_IF && !py_inside(f, b, at) && f->nodes[at].field != FIELD_CONDITION &&
                   !py_inside(f, b, py_child(f, up, FIELD_CONDITION));
    }
    return false;
}

/* Is another value fetched between the two nodes, in the same loop, in rounds that run `beside`, too? */
static bool fetched_between(struct project *p, const struct py_file *f, uint32_t from, uint32_t to, uint32_t beside,
                            uint32_t loop)
{
    const char *how;
    struct steps steps;

    for (uint32_t n = from; n < to && n - from < NODES_MAX; n++)
        if (fetched(p, f, n, &how) != 0 && training_loop(p, f, n, &steps) && steps.loop.node == loop &&
            !exclude_each_other(f, n, beside) && !fact_switched_off(p, f, n, loop))
            return true;
    return false;
}

/* Adds up on the device, with the 64 bits of a Python number, and fetches the sum after the loop. */
static void propose_sum(struct rule_run *r, const struct py_file *f, uint32_t call, uint32_t loop)
{
    uint32_t tensor = py_method(f, call, "item"), after = py_next(f, loop);
    uint32_t sum = py_child_of(f, py_parent(f, call), PY_AUGMENTED_ASSIGNMENT, FIELD_LEFT);
    AT_END(buf_clear) struct buf line = {0};

    /* total += loss.item(), where the loop uses the sum for nothing else */
    if (tensor == 0 || py_kind(f, sum) != PY_IDENTIFIER || !span_eq(py_between(f, sum, call), SPAN("+=")) ||
        py_uses(f, f->nodes[sum].sym, loop).all != 1 || after == 0 || py_kind(f, loop) != PY_FOR)
        return;
    struct span name = py_text(f, sum);
    buf_addf(&line, "%.*s = float(%.*s)", SPAN_ARG(name), SPAN_ARG(name));
    rule_edit(r, f->nodes[tensor].end, f->nodes[call].end, ".detach().double()");
    rule_statement(r, after, buf_span(&line));
    rule_propose(r, "add up on the device, fetch the sum once");
}

/* value = loss.item(), and the loop asks for the value: if not isfinite(value): … Who decides by it waits for it. */
static bool decides(const struct py_file *f, uint32_t n, uint32_t within)
{
    uint32_t assignment = py_first(f, py_statement(f, n));
    uint32_t left = py_child_of(f, assignment, PY_ASSIGNMENT, FIELD_LEFT);
    struct py_nodes use = py_uses(f, py_kind(f, left) == PY_IDENTIFIER ? f->nodes[left].sym : 0, within);

    while (py_take(&use))
        for (uint32_t up = use.n > n ? use.n : within; up > within; up = py_parent(f, up))
            if (f->nodes[up].field == FIELD_CONDITION)
                return true;
    return false;
}

static void check_node(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    const char *how = "";
    uint32_t statement = py_statement(f, n);
    struct steps steps;

    if (fetched(p, f, n, &how) == 0) {
        uint32_t what = rule_asked(r, n) && py_kind(f, n) == PY_CALL ? fetched_by_call(p, f, n, &how) : 0;
        rule_needs(r, n, what, what == 0, "it is not known to be a tensor that the device computes");
        return;
    }
    if (!rule_needs(r, n, n, training_loop(p, f, n, &steps),
                    "no loop that goes backward is seen to run it at each step") ||
        !rule_needs(r, n, n, !only_fetches(f, py_function_of(f, n)), "the calls of its function have the finding"))
        return;
    bool own = steps.entry == 0;
    uint32_t loop = steps.loop.node, from = own && loop != 0 ? loop : py_function_of(f, n);
    if (!rule_needs(r, n, n, !fact_without_grad(p, f, n) || (own && loop != 0), "it is in an evaluation") ||
        !rule_needs(r, n, n, !rounds_ask(f, n, from), "a condition needs the value") ||
        !rule_needs(r, n, n, !fetched_between(p, f, statement, n, n, loop), "its statement has the finding") ||
        !rule_needs(r, n, own && loop != 0 ? loop : n,
                    !fact_once(p, loop != 0 ? steps.file : f, loop != 0 ? loop : from, needs_values),
                    "a game or a simulator in the loop needs values"))
        return;
    bool before = fetched_between(p, f, from, statement, n, loop);
    bool off = fact_switched_off(p, f, n, from); /* a round by default does not come here */
    rule_report(r, n, before || off || decides(f, n, from) ? CHECK_LOW : CHECK_MEDIUM,
                "%s waits for the device at every step of %s", how,
                loop != 0 ? RULE_PLACE(f, steps.file, loop) : "training");
    if (own && loop != 0)
        propose_sum(r, f, n, loop);
}

/* --- values that conditions wait for: assert (a == b).all(), if mask.sum() == 0, if torch.isnan(loss) --- */

/* Is what is compared, or asked for its truth, one number of a tensor: x, float(x), math.isnan(x)? Who writes x.item()
 * there decides by it, and knows. */
static bool is_number(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);

    n = py_bare(f, n);
    if (py_argument(f, n, 0) != 0 &&
        span_is_word(fact_name(p, f, n), "builtins.float builtins.abs math.isnan math.isfinite math.isinf"))
        n = py_bare(f, py_argument(f, n, 0));
    if (py_kind(f, n) == PY_IDENTIFIER) {
        if (fact_backward_of(f, n, function) || fact_backward_through(p, f, n, function))
            return true;
        n = py_assigned(f, n);
        if (n == 0 || py_function_of(f, n) != function)
            return false;
    }
    if (py_kind(f, n) != PY_CALL || fact_torch_tensor(p, f, n) == NOT_SEEN) {
        /* mask.nonzero().shape[0]: an array of NumPy gives a tuple there */
        uint32_t shape = py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE) : n;
        return py_kind(f, shape) == PY_ATTRIBUTE && span_eq(py_name(f, shape), SPAN("shape")) &&
               py_method(f, py_child(f, shape, FIELD_OBJECT), "nonzero") != 0;
    }
    return span_is_word(py_called(f, n), "sum max min mean norm any all isnan isfinite isinf");
}

static bool asks_all(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t receiver = py_bare(f, py_method(f, n, "all any item"));

    if (receiver != 0) {
        if (py_kind(f, receiver) == PY_COMPARISON)
            receiver = py_first(f, receiver);
        return fact_torch_tensor(p, f, receiver) != NOT_SEEN ||
               span_eq(py_title(f, py_function_of(f, n)), SPAN("forward"));
    }
    return fact_is(p, f, n, "torch.allclose") || fact_is(p, f, n, "torch.equal") || is_number(p, f, n);
}

/* The part of the condition that waits for a tensor's value; 0: none. */
static uint32_t waits_for(struct project *p, const struct py_file *f, uint32_t test)
{
    uint32_t left, right, found = 0;

    test = py_bare(f, test);
    switch (test != 0 ? py_kind(f, test) : PY_MODULE) {
    case PY_BOOLEAN_OPERATOR:
    case PY_NOT_OPERATOR:
        for (uint32_t n = py_first(f, test); n != 0 && found == 0; n = py_next(f, n))
            found = waits_for(p, f, n);
        return found;
    case PY_COMPARISON:
        left = py_first(f, test);
        right = py_next(f, left);
        return span_has_word(py_between(f, left, right), "< > =") /* not is, in */ &&
                       (is_number(p, f, left) || is_number(p, f, right))
                   ? left
                   : 0;
    case PY_CALL:
        return asks_all(p, f, test) ? test : 0;
    default:
        return 0;
    }
}

static void check_condition(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    bool asserts = py_kind(f, n) == PY_ASSERT;
    uint32_t test = asserts ? py_first(f, n) : py_child(f, n, FIELD_CONDITION), what = waits_for(p, f, test);
    uint32_t function = py_function_of(f, n);
    struct steps steps;

    if (what == 0 ||
        !rule_needs(r, n, what, fact_on_device(p, f),
                    "the file, and those that call it, are not seen to use a device") ||
        !rule_needs(r, n, n, !span_has(py_title(f, function), "test") && (asserts || !fact_without_grad(p, f, n)),
                    "it is in a test, or runs without gradients"))
        return;
    enum certainty sure = fact_steps(p, f, n, &steps);
    bool seen = sure != NOT_SEEN;
    if (!rule_needs(r, n, what, seen || (!asserts && is_loss_name(f, py_child(f, function, FIELD_NAME))),
                    "no loop that goes backward is seen to run it at each step"))
        return;
    if (asserts) {
        bool waits = span_has_word(py_text(f, function),
                                   ".cpu() .item() .tolist() masked_select nonzero( .any(): .all():");
        rule_report(r, n, waits ? CHECK_LOW : CHECK_MEDIUM, "assert needs a tensor's value at every step");
        rule_advice(r, "Compare shapes, or check values outside of the loop of steps.");
        return;
    }
    bool trained = seen && steps.loop.node != 0 && fact_goes_backward(p, steps.file, steps.loop.node);
    uint32_t own = seen && steps.entry == 0 && steps.loop.node != 0 ? steps.loop.node : function;
    size_t n_backward = 0;
    if (trained && own != function) /* once for the steps of a loop within is seldom */
        n_backward = py_uses(f, py_sym(f, SPAN("backward")), own).all;
    if (!rule_needs(r, n, what,
                    !fact_now_and_then(f, test, own) && (n_backward == 0 || is_beside_backward(f, test, own)),
                    "it runs now and then only") ||
        !rule_needs(r, n, what, !trained || !fact_once(p, steps.file, steps.loop.node, needs_values),
                    "a game or a simulator in the loop needs values"))
        return;
    /* A loop that tries one model after the other leads to backward(), too: does it call that itself? */
    if (trained && sure != CERTAIN)
        n_backward = py_uses(steps.file, py_sym(steps.file, SPAN("backward")), steps.loop.node).all;
    bool sound = trained && (sure == CERTAIN || n_backward > 0);
    rule_report(r, what, sound && !fact_switched_off(p, f, n, own) ? CHECK_MEDIUM : CHECK_LOW,
                "the branch waits for the device at every step");
    rule_unsure(r, !seen);
    rule_advice(r, "Compute without it: divide by count.clamp(min=1), or multiply by the mask.");
}

/* --- .item() in the forward() of a compiled module --- */

/* Does an object of the class have one of the other, or is it one: by what the class makes? */
static bool has_part(struct project *p, struct value whole, struct value part, int depth)
{
    enum { PARTS_DEEP = 3 };
    const struct py_file *f = fact_file(p, whole.file);

    if (whole.file == part.file && whole.node == part.node)
        return true;
    for (uint32_t n = whole.node; n < f->nodes[whole.node].after && depth < PARTS_DEEP; n++) {
        struct value v = py_kind(f, n) == PY_CALL ? fact_value(p, f, n) : (struct value){0};
        if (v.kind == VALUE_INSTANCE && !(v.file == whole.file && v.node == whole.node) &&
            has_part(p, v, part, depth + 1))
            return true;
    }
    return false;
}

/* Is an object of the class, or one that has it, given to torch.compile()? */
static bool is_compiled(struct project *p, const struct py_file *f, uint32_t class)
{
    struct value part = {.kind = VALUE_INSTANCE, .file = f->number, .node = class};

    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *other = fact_file(p, i);
        if (!fact_mentions(p, other, "compile("))
            continue;
        for (struct py_nodes call = fact_calls(p, other); py_take(&call);) {
            uint32_t given = fact_is(p, other, call.n, "torch.compile") ? py_argument(other, call.n, 0) : 0;
            struct value v = given != 0 ? fact_value(p, other, given) : (struct value){0};
            if (v.kind == VALUE_INSTANCE && has_part(p, v, part, 0))
                return true;
        }
    }
    return false;
}

static void look(struct rule_run *r, struct project *p, const struct py_file *f)
{
    bool device = fact_on_device(p, f);
    const char *how;

    /* It ends the compiled graph, and waits for the device, at each call. */
    for (struct py_nodes c = fact_calls(p, f); py_take(&c);) {
        uint32_t function = py_function_of(f, c.n), class = py_up(f, c.n, PY_CLASS);
        if (py_method(f, c.n, "item") == 0 || class == 0 || function <= class ||
            !span_eq(py_title(f, function), SPAN("forward")) || fact_mentions(p, f, "capture_scalar_outputs") ||
            fact_guarded(f, c.n, function) || !fact_once(p, f, class, is_compiled))
            continue;
        rule_report(r, c.n, CHECK_MEDIUM, ".item() breaks the graph of a compiled module");
        rule_sure(r);
        rule_why(r, "torch.compile() ends its graph there, and Python waits for the value, at each call.");
        rule_advice(r, "Keep the tensor, or pass what the caller knows as a number.");
    }
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (device)
            check_node(r, p, f, n);
        else if (rule_asked(r, n) && py_kind(f, n) == PY_CALL && fetched_by_call(p, f, n, &how) != 0)
            rule_lacks(r, n, n, "the file, and those that call it, are not seen to use a device");
    for (uint32_t n = 1; n < f->n_nodes; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_ASSERT || kind == PY_IF || kind == PY_ELIF || kind == PY_WHILE)
            check_condition(r, p, f, n);
    }
}

const struct rule_looks rule_PP603 = {.run = look};
