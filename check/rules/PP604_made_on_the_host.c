/* PP604: a tensor of PyTorch is made on the host at every step, and copied to the device. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { NUMBERS_MIN = 4096 }; /* of fewer, nobody sees what the copy costs */

/* x.to(device), x.cuda(), x.type_as(y): is it a move? */
static bool moves(const struct py_file *f, uint32_t call, uint32_t *receiver)
{
    struct span method;

    *receiver = py_receiver(f, call, &method);
    return span_is_word(method, "cuda type_as") ||
           (span_eq(method, SPAN("to")) &&
            span_has_word(py_text(f, py_argument_or(f, call, 0, "device")), "dev DEV cuda gpu rank"));
}

/* x.size(), x.shape, x.size() + (n,), torch.Size(…) */
static bool is_shape(struct project *p, const struct py_file *f, uint32_t n)
{
    n = py_bare(f, n);
    if (py_kind(f, n) == PY_BINARY_OPERATOR)
        n = py_child(f, n, FIELD_LEFT);
    if (py_kind(f, n) == PY_ATTRIBUTE)
        return span_eq(py_name(f, n), SPAN("shape"));
    return py_kind(f, n) == PY_CALL &&
           (fact_is(p, f, n, "torch.Size") || (py_method(f, n, "size") != 0 && py_argument(f, n, 0) == 0));
}

/* torch.zeros(…), torch.Tensor(n, 4), torch.FloatTensor(x.size()): of a shape, not of numbers that the host has. */
static bool is_from_shape(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);

    if (fact_is(p, f, call, "torch.normal")) /* of numbers; of tensors it is where they are */
        return py_argument_or(f, call, 2, "size") != 0;
    if (!fact_has(p, f, call, TRAIT_FROM_LIST))
        return true;
    return !fact_is(p, f, call, "torch.tensor") && (py_argument(f, call, 1) != 0 || is_shape(p, f, first));
}

/* The call that made the tensor of the expression, by a function that could make it on the device. */
static uint32_t maker(struct project *p, const struct py_file *f, uint32_t n)
{
    for (int depth = 0; n != 0 && depth < 8; depth++) {
        n = py_bare(f, n);
        if (py_kind(f, n) == PY_IDENTIFIER) {
            uint32_t value = py_assigned(f, n);
            n = value != 0 && py_function_of(f, value) == py_function_of(f, n) ? value : 0;
            continue;
        }
        if (py_kind(f, n) != PY_CALL)
            return 0;
        if (fact_has(p, f, n, TRAIT_MAKES_TENSOR))
            return py_keyword(f, n, "device") == 0 && is_from_shape(p, f, n) ? n : 0;
        n = fact_has(p, f, n, TRAIT_WRAPS_MODULE) ? py_argument(f, n, 0) : fact_method(f, n, TRAIT_TENSOR_METHOD);
    }
    return 0;
}

/* The innermost loop, or the function, that runs n anew. */
static bool runs_at_steps(struct project *p, const struct py_file *f, uint32_t n, struct steps *steps)
{
    struct loop loop = fact_loop(p, f, n);

    if (fact_steps(p, f, n, steps) == NOT_SEEN || (loop.node != 0 && fact_guarded(f, n, loop.node)))
        return false;
    return steps->entry == 0 || steps->entry_file != steps->file ||
           !fact_now_and_then(steps->file, steps->entry, steps->loop.node);
}

/* How many numbers it has, at a guess: a length that is not written counts as 32, and so does the shape of another
 * tensor; torch.linspace(0, n, n).repeat(m, 1) has as many again for each time that it is repeated. */
static int64_t numbers(struct project *p, const struct py_file *f, uint32_t made, uint32_t call)
{
    enum { LENGTH = 32, ENOUGH = 1 << 20 };
    uint32_t list = py_child(f, made, FIELD_ARGUMENTS), first = py_argument_or(f, made, 0, "size");
    struct span way = {f->code.ptr + f->nodes[made].start, f->nodes[call].end - f->nodes[made].start};
    int64_t product = 1, n;

    for (size_t at; (at = span_find(way, SPAN(".repeat("))) != SIZE_MAX; way = span_after(way, at + 1))
        product *= LENGTH;
    if (span_is_word(fact_name(p, f, made), "torch.arange torch.linspace torch.range torch.randperm"))
        return product * LENGTH;
    if (is_sequence(f, first))
        list = first;
    for (uint32_t c = py_first(f, list); c != 0 && product < ENOUGH; c = py_next(f, c))
        product *= py_kind(f, c) == PY_KEYWORD_ARGUMENT ? 1 : py_integer(f, c, &n) ? n : LENGTH;
    return product;
}

/* Is there a second one that is large, in the same function, or a loop that makes [torch.zeros(n).to(device) for _ in
 * range(m)]? One copy is one wait at each step. */
static bool is_one_of_many(struct project *p, const struct py_file *f, uint32_t made, uint32_t call,
                           const struct steps *steps)
{
    struct loop loop = fact_loop(p, f, made);
    bool large = numbers(p, f, made, call) >= NUMBERS_MIN;

    if (loop.node != 0 && (loop.node != steps->loop.node || f != steps->file) && !fact_goes_backward(p, f, loop.node))
        return true;
    for (struct py_nodes move = fact_calls(p, f); large && py_take(&move);) {
        uint32_t receiver, other = 0;
        if (py_function_of(f, move.n) == py_function_of(f, call) && moves(f, move.n, &receiver))
            other = maker(p, f, receiver);
        if (other != 0 && other != made && numbers(p, f, other, move.n) >= NUMBERS_MIN)
            return true;
    }
    return false;
}

/* In a loop that goes backward, or in forward(), rather than now and then, to show or evaluate? */
static bool is_trained(struct project *p, const struct steps *steps)
{
    return steps->loop.node == 0 || fact_goes_backward(p, steps->file, steps->loop.node);
}

/* --- there and back --- */

/* Is it a value of a tensor that the device computed: x.item(), int(x), or the tensor itself? */
static bool is_fetched(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    if (depth > 3)
        return false;
    if (fact_torch_tensor(p, f, n) != NOT_SEEN)
        return true;
    uint32_t value = py_assigned(f, n);
    if (value != 0)
        return is_fetched(p, f, value, depth + 1);
    uint32_t receiver = py_receiver(f, n, NULL), first = py_argument(f, n, 0);
    if (py_method(f, n, "item") != 0 && first == 0)
        return fact_torch_tensor(p, f, receiver) != NOT_SEEN;
    return receiver == 0 && first != 0 && fact_has(p, f, n, TRAIT_PYTHON_NUMBER) &&
           fact_torch_tensor(p, f, first) != NOT_SEEN;
}

/* Does the loop need the value on the host besides: if word == end: break, text[word]? */
static bool is_needed(const struct py_file *f, uint32_t item, uint32_t loop)
{
    struct py_nodes use = py_uses(f, py_kind(f, item) == PY_IDENTIFIER ? f->nodes[item].sym : 0, loop);

    while (py_take(&use))
        if (py_kind(f, py_parent(f, use.n)) == PY_COMPARISON || f->nodes[use.n].field == FIELD_SUBSCRIPT)
            return true;
    return false;
}

/* Is n in what is done with an item that is no tensor: the else of isinstance(item, Tensor)? */
static bool is_for_others(const struct py_file *f, uint32_t n, uint32_t item)
{
    for (uint32_t at = n, up = py_parent(f, n); up != 0; at = up, up = py_parent(f, up)) {
        bool conditional = py_kind(f, up) == PY_CONDITIONAL && at == py_last(f, up);
        bool other = py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_ALTERNATIVE;
        uint32_t test = conditional ? py_next(f, py_first(f, up)) : other ? py_child(f, up, FIELD_CONDITION) : 0;
        uint32_t asked = py_argument(f, test, 0);
        if (asked != 0 && span_eq(py_called(f, test), SPAN("isinstance")) &&
            span_eq(py_text(f, asked), py_text(f, item)))
            return span_has(py_text(f, test), "Tensor");
    }
    return false;
}

/* torch.tensor([[best]]), in a loop, of a value that a module gave in it. */
static void check_return(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t item = fact_has(p, f, call, TRAIT_FROM_LIST) ? py_argument(f, call, 0) : 0;
    item = py_kind(f, item) == PY_LIST ? item : 0;
    for (int depth = 0; py_kind(f, item) == PY_LIST && depth < 3; depth++) /* the only item of [x], [[x]] */
        item = py_next(f, py_first(f, item)) == 0 ? py_first(f, item) : 0;
    struct loop loop = item != 0 && is_fetched(p, f, item, 0) ? fact_loop(p, f, call) : (struct loop){0};

    if (loop.node == 0 || is_handful(loop) || !fact_on_device(p, f) ||
        fact_invariant(p, f, item, loop.node) != NOT_SEEN || is_for_others(f, call, item))
        return;
    rule_report(r, call, is_needed(f, item, loop.node) ? CHECK_LOW : CHECK_MEDIUM,
                "%s goes to the host and back in each round", RULE_TEXT(f, item));
    rule_advice(r, "Keep the tensor: index or reshape it on the device, with detach() if need be.");
}

/* What the array was made from, one call or subscript back; 0: nothing that PyTorch does as well. */
static uint32_t before(struct project *p, const struct py_file *f, uint32_t n)
{
    enum { DEFS_MAX = 4 };
    const struct py_def *last = NULL;

    if (py_kind(f, n) == PY_SUBSCRIPT)
        return py_child(f, n, FIELD_VALUE);
    if (py_kind(f, n) == PY_IDENTIFIER) { /* what the assignment before it, of the same function, gave */
        for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);)
            if (d.def->kind == DEF_ASSIGN && d.def->node < n && d.def->value < n && !py_inside(f, n, d.def->value) &&
                (last == NULL || d.def->node > last->node))
                last = d.def;
        return last != NULL ? last->value : 0;
    }
    /* functions of NumPy, and methods of arrays, that PyTorch has too, on the device */
    uint32_t of = py_method(f, n,
                            "copy reshape transpose astype squeeze flip fliplr flipud ascontiguousarray array "
                            "asarray clip expand_dims rot90 swapaxes");
    return of != 0 && span_starts(fact_name(p, f, n), SPAN("numpy.")) ? py_argument(f, n, 0) : of;
}

/* x.cpu().numpy(), x.detach().cpu().numpy() */
static bool is_from_device(const struct py_file *f, uint32_t n)
{
    return py_method(f, py_method(f, n, "numpy"), "cpu") != 0;
}

/* The array of torch.from_numpy(array).float().to(device); 0: the call moves none. */
static uint32_t moved_array(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t n = 0;

    if (!moves(f, call, &n))
        return 0;
    for (int depth = 0; n != 0 && depth < 6 && py_kind(f, n) == PY_CALL; depth++) {
        if (fact_has(p, f, n, TRAIT_FROM_LIST) && fact_word(p, f, n)->framework == FRAMEWORK_TORCH)
            return py_argument(f, n, 0);
        n = fact_method(f, n, TRAIT_TENSOR_METHOD);
    }
    return 0;
}

/* torch.from_numpy(np.flip(x.cpu().numpy(), 3)).to(device): an array of a tensor's numbers that goes back. */
static bool check_array(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t n = moved_array(p, f, call);
    struct repeated where;

    for (int depth = 0; n != 0 && depth < 8 && !is_from_device(f, n); depth++)
        n = before(p, f, py_bare(f, n));
    if (n == 0 || !is_from_device(f, n) || !fact_on_device(p, f))
        return false;
    rule_report(r, call, fact_repeated(p, f, call, &where) ? CHECK_MEDIUM : CHECK_LOW, "%s goes to the host and back",
                RULE_TEXT(f, n));
    rule_why(r, "Both copies make Python wait for the device, and the work between them is done on the host.");
    rule_advice(r, "Keep the tensor: PyTorch has these functions, torch.flip() for a reversed slice.");
    return true;
}

/* --- items that are moved one by one --- */

/* The method that gives an item of a data set, which has a length, and is no mapping. */
static bool gives_items(const struct py_file *f, uint32_t function)
{
    uint32_t class = span_eq(py_title(f, function), SPAN("__getitem__")) ? py_up(f, function, PY_CLASS) : 0;

    return class != 0 && py_def_in(f, f->nodes[class].sym, py_sym(f, SPAN("__len__"))) != 0 &&
           !span_has_word(py_text(f, py_child(f, class, FIELD_SUPERCLASSES)), "Mapping UserDict (dict") &&
           !span_has(py_text(f, py_child(f, function, FIELD_PARAMETERS)), ": str");
}

/* x.to(device), torch.tensor(tokens, device=device) of what the host has. */
static bool copies_item(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver, device = fact_has(p, f, call, TRAIT_FROM_LIST) ? py_keyword(f, call, "device") : 0;

    return (device != 0 && fact_word(p, f, call)->framework == FRAMEWORK_TORCH && !fact_string_is(f, device, "cpu")) ||
           (moves(f, call, &receiver) && !span_has(py_text(f, call), "type_as"));
}

/* x.cuda() in the __getitem__ of a class with __len__, or in a loop over items that makes a batch. */
static void check_item(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = copies_item(p, f, call) ? py_function_of(f, call) : 0;

    if (function <= 1 || !fact_on_device(p, f) ||
        !(gives_items(f, function) || (fact_loop(p, f, call).node != 0 && fact_collates(p, f, function))))
        return;
    for (uint32_t n = function; n < call; n++)
        if (py_kind(f, n) == PY_CALL && copies_item(p, f, n) &&
            (gives_items(f, function) || fact_loop(p, f, n).node != 0))
            return; /* it has the finding */
    rule_report(r, call, CHECK_MEDIUM, "each item is copied to the device by itself");
    rule_why(r, "Many small copies take longer than one of a batch, and workers cannot make them.");
    rule_advice(r, "Give items on the host, and move the batch in the loop.");
}

/* --- x.type(torch.LongTensor) --- */

/* torch.from_numpy(y).long(): does the chain of methods begin with a function of PyTorch, which makes it on the host? */
static bool begins_on_host(struct project *p, const struct py_file *f, uint32_t n)
{
    for (int depth = 0; depth < 8 && py_kind(f, n) == PY_CALL; depth++, n = py_receiver(f, n, NULL))
        if (span_starts(fact_name(p, f, n), SPAN("torch.")))
            return true;
    return false;
}

/* Is n in what is done where a tensor, or the program, is not on a device: the else of `if x.is_cuda`? */
static bool is_for_host(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n, up = py_parent(f, n); up != 0; at = up, up = py_parent(f, up))
        if (py_kind(f, up) == PY_IF && f->nodes[at].field == FIELD_ALTERNATIVE &&
            span_has_word(py_text(f, py_child(f, up, FIELD_CONDITION)), "is_cuda is_available"))
            return true;
    return false;
}

/* x.type(torch.LongTensor): is it a type of the host's tensors, not torch.cuda.LongTensor or torch.long? */
static bool types_for_host(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t type = py_method(f, call, "type") != 0 ? py_argument(f, call, 0) : 0;
    struct span name = type != 0 ? fact_name(p, f, type) : (struct span){"", 0}, module = {"", 0};

    return span_cut(&name, '.', &module) && span_eq(module, SPAN("torch")) && !span_has(name, ".") && name.len > 6 &&
           span_ends(name, SPAN("Tensor"));
}

/* Of a parameter, or of what is a tensor, in a forward() or step: it is copied to the host; a statement has one
 * finding. What is made there, of NumPy or by torch.zeros(), is there already. */
static void check_type(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver = py_receiver(f, call, NULL), function = py_function_of(f, call);
    struct steps steps;

    if (!types_for_host(p, f, call) || !fact_on_device(p, f) || is_for_host(f, call))
        return;
    for (uint32_t n = py_statement(f, call); n < call; n++)
        if (types_for_host(p, f, n))
            return;
    bool forward = span_eq(py_title(f, function), SPAN("forward")) && fact_in_module(p, f, function);
    if ((!forward && fact_steps(p, f, call, &steps) == NOT_SEEN) || maker(p, f, receiver) != 0 ||
        begins_on_host(p, f, receiver) || fact_torch_tensor(p, f, receiver) == NOT_SEEN)
        return;
    rule_report(r, call, CHECK_MEDIUM, "%s goes to the host by its type", RULE_TEXT(f, receiver));
    rule_why(r, "torch.LongTensor and the like are types of the host: the copy makes Python wait for the device.");
    rule_advice(r, "Write .long(), .float() or .to(dtype), which stay on the device.");
    rule_unsure(r, !forward && !is_trained(p, &steps));
}

/* torch.zeros(…).to(device), torch.ones(…).cuda(): the same numbers are made on the device with device=. Not what
 * draws, which would draw others, nor what goes through another method between. */
static void add_fix(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, uint32_t made)
{
    struct span name = fact_name(p, f, made);
    uint32_t list = py_child(f, call, FIELD_ARGUMENTS), to = py_argument(f, call, 0);
    bool plain = py_receiver(f, call, NULL) == made &&
                 py_kind(f, py_child(f, made, FIELD_ARGUMENTS)) == PY_ARGUMENT_LIST &&
                 !word_has(vocabulary_find(name), TRAIT_FROM_LIST) && !py_has_splat(f, made) &&
                 py_keyword(f, made, "out") == 0 && py_keyword(f, made, "pin_memory") == 0 &&
                 py_keyword(f, made, "requires_grad") == 0;

    if (!plain || !span_is_word(name, "torch.zeros torch.ones torch.full torch.eye"))
        return;
    bool cuda = py_method(f, call, "cuda") != 0 && py_first(f, list) == 0;
    uint32_t given = py_assigned(f, to); /* x.device, or a name that torch.device() is bound to, and nothing else */
    bool device_to = py_kind(f, to) == PY_ATTRIBUTE
                         ? span_eq(py_name(f, to), SPAN("device"))
                         : py_kind(f, given) == PY_CALL && fact_is(p, f, given, "torch.device");
    if (!cuda && !(py_method(f, call, "to") != 0 && to != 0 && py_next(f, to) == 0 && device_to))
        return;
    struct span device = cuda ? SPAN("\"cuda\"") : py_text(f, to);
    rule_fix(r, "make it on the device");
    rule_add_argument(r, made, "device=%.*s", SPAN_ARG(device));
    rule_edit(r, f->nodes[made].end, f->nodes[call].end, "%s", "");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t receiver, made = moves(f, call, &receiver) ? maker(p, f, receiver) : 0;
    struct steps steps;

    check_return(r, p, f, call);
    check_item(r, p, f, call);
    check_type(r, p, f, call);
    if (check_array(r, p, f, call))
        return;
    if (made == 0) {
        rule_needs(r, call, receiver, !rule_asked(r, call) || !moves(f, call, &receiver),
                   "it is not seen to come of torch.zeros() or the like, in the same function, without device=");
        return;
    }
    if (!rule_needs(r, call, call, fact_on_device(p, f),
                    "the file, and those that call it, are not seen to use a device") ||
        !rule_needs(r, call, call, runs_at_steps(p, f, call, &steps) && runs_at_steps(p, f, made, &steps),
                    "no loop of steps is seen to run it in each round"))
        return;
    /* It, or the call that leads to it, may be in a branch that no program takes unless it is told to. */
    bool off = fact_switched_off(p, f, made, py_function_of(f, made)) ||
               (steps.entry != 0 && fact_switched_off(p, steps.entry_file, steps.entry, steps.loop.node));
    bool little = !is_one_of_many(p, f, made, call, &steps) || !is_trained(p, &steps) || off;
    rule_report(r, made, little ? CHECK_LOW : CHECK_MEDIUM, "%s() makes a tensor on the host at every step",
                RULE_TEXT(f, py_child(f, made, FIELD_FUNCTION)));
    add_fix(r, p, f, call, made);
}

const struct rule_looks rule_PP604 = {.call = check_call};
