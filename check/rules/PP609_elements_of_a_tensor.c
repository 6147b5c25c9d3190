/* PP609: Python goes through the elements of a PyTorch tensor one by one. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { BODY_MAX = 400, INDEXED_MIN = 2 };

/* What range(…), or that from its end, counts to, or down from, without what is taken off; 0: it is not a range. */
static uint32_t limit_of(struct project *p, const struct py_file *f, uint32_t over)
{
    if (over != 0 && py_kind(f, over) == PY_CALL && fact_is(p, f, over, "builtins.reversed"))
        over = py_argument(f, over, 0);
    if (over == 0 || py_kind(f, over) != PY_CALL || !fact_has(p, f, over, TRAIT_RANGE))
        return 0;
    uint32_t step = py_argument(f, over, 2);
    bool down = step != 0 && py_kind(f, step) == PY_UNARY_OPERATOR;
    uint32_t limit = py_argument(f, over, !down && py_argument(f, over, 1) != 0 ? 1 : 0);
    uint32_t right = py_child_of(f, limit, PY_BINARY_OPERATOR, FIELD_RIGHT);
    if (right == 0 || py_kind(f, right) != PY_INTEGER)
        return limit;
    uint32_t left = py_child(f, limit, FIELD_LEFT);
    return span_is_word(py_between(f, left, right), "- +") ? left : 0;
}

/* The tensor whose size the number is; 0: none. `part`: of x.size() or x.shape one of several is bound. *sure: its size
 * says that it is one. */
static uint32_t sized_by(struct project *p, const struct py_file *f, uint32_t number, bool part, bool *sure)
{
    uint32_t tensor = 0;

    if (py_kind(f, number) == PY_CALL) {
        uint32_t first = py_argument(f, number, 0);
        tensor = py_receiver(f, number, NULL);
        if (tensor != 0) { /* x.size(0), or x.size() where its parts are bound */
            *sure = py_method(f, number, "size") != 0 && (part || first != 0);
            return *sure ? tensor : 0;
        }
        tensor = !part && first != 0 && fact_is(p, f, number, "builtins.len") ? first : 0;
    } else { /* x.shape[0], x.shape */
        uint32_t shape = part ? number : py_child_of(f, number, PY_SUBSCRIPT, FIELD_VALUE);
        if (py_kind(f, shape) == PY_ATTRIBUTE && span_eq(py_name(f, shape), SPAN("shape")))
            tensor = py_child(f, shape, FIELD_OBJECT);
    }
    return tensor != 0 && fact_torch_tensor(p, f, tensor) != NOT_SEEN ? tensor : 0;
}

/* Is the node in the subtree an index by the name alone? */
static bool is_indexed_by(const struct py_file *f, uint32_t n, uint32_t sym)
{
    uint32_t object = py_child_of(f, n, PY_SUBSCRIPT, FIELD_VALUE);
    uint32_t index = object != 0 ? py_child(f, n, FIELD_SUBSCRIPT) : 0;

    return index != 0 && py_kind(f, index) == PY_IDENTIFIER && f->nodes[index].sym == sym;
}

/* Does the body only compute with elements: x[i] = r[i] + g * m[i]? */
static bool only_computes(struct project *p, const struct py_file *f, uint32_t body, uint32_t sym)
{
    unsigned n = 0;

    for (uint32_t at = body; at < f->nodes[body].after; at++) {
        enum py_kind kind = py_kind(f, at);
        if (kind == PY_FOR || kind == PY_WHILE || kind == PY_WITH || kind == PY_TRY || kind == PY_YIELD ||
            kind == PY_LAMBDA || kind == PY_FUNCTION || kind == PY_LIST_COMPREHENSION)
            return false;
        /* a method of tensors, or a function of Python; no module, no code that is not seen */
        if (kind == PY_CALL && ((fact_method(f, at, TRAIT_TENSOR_METHOD) == 0 && py_method(f, at, "item") == 0 &&
                                 fact_word(p, f, at)->framework != FRAMEWORK_PYTHON) ||
                                fact_module_run(p, f, at) != 0))
            return false;
        n += is_indexed_by(f, at, sym);
    }
    return n >= INDEXED_MIN;
}

/* An assignment to an element of what is not always the same, as where a mask is filled. */
static bool fills(const struct py_file *f, uint32_t body, uint32_t sym)
{
    for (uint32_t at = body; at < f->nodes[body].after; at++) {
        bool assigns = py_kind(f, at) == PY_ASSIGNMENT || py_kind(f, at) == PY_AUGMENTED_ASSIGNMENT;
        uint32_t left = assigns ? py_child(f, at, FIELD_LEFT) : 0;
        enum py_kind right = py_kind(f, py_child(f, at, FIELD_RIGHT));
        if (left != 0 && is_indexed_by(f, left, sym) && right != PY_INTEGER && right != PY_FLOAT && right != PY_TRUE &&
            right != PY_FALSE)
            return true;
    }
    return false;
}

/* losses = criterion(y), whose forward() returns several tensors: is it such a tuple, of a handful? */
static bool is_several(struct project *p, const struct py_file *f, uint32_t tensor)
{
    struct function to;
    uint32_t call = py_kind(f, tensor) == PY_IDENTIFIER ? py_assigned(f, tensor) : tensor;

    if (py_kind(f, call) != PY_CALL || !fact_callee(p, f, call, &to))
        return false;
    for (uint32_t n = to.n; n < to.f->nodes[to.n].after; n++) {
        enum py_kind given = py_kind(to.f, py_returned(to.f, n, to.n));
        if (given == PY_EXPRESSION_LIST || given == PY_TUPLE)
            return true;
    }
    return false;
}

/* Does the body take elements of the tensor? range(x.size(0)) may go through an array that is as long. */
static bool takes_elements(const struct py_file *f, uint32_t body, uint32_t tensor)
{
    for (uint32_t n = body; n < f->nodes[body].after; n++)
        if (py_kind(f, n) == PY_SUBSCRIPT && span_eq(py_text(f, py_child(f, n, FIELD_VALUE)), py_text(f, tensor)))
            return true;
    return false;
}

/* Is the loop in a function, but not seen at each step of a larger loop? Then it may not matter; at a program's top it
 * does. */
static bool runs_once(struct project *p, const struct py_file *f, uint32_t loop)
{
    struct steps steps;

    return py_function_of(f, loop) > 1 && fact_steps(p, f, loop, &steps) == NOT_SEEN;
}

/* The tensor of whose elements the loop computes, one by one: for i in reversed(range(x.size(0))), range(len(x)); 0:
 * none. *sure: its size says that it is one. */
static uint32_t computed_with(struct project *p, const struct py_file *f, uint32_t loop, bool *sure)
{
    uint32_t target = py_child(f, loop, FIELD_LEFT), body = py_child(f, loop, FIELD_BODY);
    uint32_t limit = py_kind(f, loop) == PY_FOR && body != 0 && py_kind(f, target) == PY_IDENTIFIER
                         ? limit_of(p, f, py_child(f, loop, FIELD_RIGHT))
                         : 0;
    const struct py_def *def = py_bound(f, limit);
    bool part = def != NULL && def->kind == DEF_UNPACK; /* n of n, _ = x.size() */
    uint32_t number = limit;
    if (py_kind(f, limit) == PY_IDENTIFIER)
        number = def != NULL && (def->kind == DEF_ASSIGN || part) ? def->value : 0;
    uint32_t tensor = sized_by(p, f, number, part, sure);

    if (tensor == 0 || f->nodes[body].after - body > BODY_MAX || !takes_elements(f, body, tensor))
        return 0;
    uint32_t sym = f->nodes[target].sym, statement = py_first(f, body);
    /* x[place[i]] = i: one place of many, in a tensor that nothing says is none */
    uint32_t left = py_child_of(f, py_first(f, statement), PY_ASSIGNMENT, FIELD_LEFT);
    uint32_t index = py_child_of(f, left, PY_SUBSCRIPT, FIELD_SUBSCRIPT);
    bool scatters = index != 0 && py_next(f, statement) == 0 && is_indexed_by(f, index, sym) &&
                    fact_torch_tensor(p, f, py_child(f, left, FIELD_VALUE)) != NOT_SEEN;
    return scatters || (fills(f, body, sym) && only_computes(p, f, body, sym)) ? tensor : 0;
}

static void check_loop(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t loop)
{
    bool sure = false;
    uint32_t tensor = computed_with(p, f, loop, &sure);

    if (tensor == 0 || !rule_needs(r, loop, tensor, !is_several(p, f, tensor), "it is a tuple of a few tensors"))
        return;
    rule_report(r, loop, CHECK_HIGH, "the loop computes with the elements of %s one by one", RULE_TEXT(f, tensor));
    rule_unsure(r, !sure && runs_once(p, f, loop));
}

/* --- values that are fetched for each element --- */

/* The tensor of which the call fetches one element: int(x[i]), x[i, 2].item(); otherwise 0. */
static uint32_t element_of(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);
    bool number = first != 0 && py_receiver(f, call, NULL) == 0 && fact_has(p, f, call, TRAIT_PYTHON_NUMBER);
    uint32_t what = py_bare(f, number ? first : first == 0 ? py_method(f, call, "item") : 0);

    if (what == 0 || py_kind(f, what) != PY_SUBSCRIPT)
        return 0;
    uint32_t tensor = py_child(f, what, FIELD_VALUE);
    /* Nothing is known of it that speaks against a tensor, whose elements have item(); arrays have it, too. */
    struct span name = py_name(f, tensor);
    bool may_be = !number && py_is_named(f, tensor) && fact_value(p, f, tensor).kind == VALUE_UNKNOWN &&
                  !span_has(name, "list") && !span_is_word(name, "values loc iloc at iat");
    return may_be || fact_torch_tensor(p, f, tensor) != NOT_SEEN ? tensor : 0;
}

/* Does the loop draw or print what it fetches, for somebody to look at? */
static bool draws(const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (span_has_word(py_called(f, n), "rectangle putText draw_ imshow add_patch imwrite"))
            return true;
    return false;
}

/* Where the device is not waited for, as after x = y.cpu(), somebody looks at the result, an object is made, or few of
 * the rounds of a loop around it run it, there is little to gain. */
static enum check_impact impact_of(struct project *p, const struct py_file *f, uint32_t tensor, uint32_t loop)
{
    const struct py_def *def = py_bound(f, tensor);
    uint32_t value = def != NULL && (def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK) ? def->value : 0;
    /* Few: torch.topk()'s places; on the host: a packed sequence's lengths, numbers drawn without a device. */
    bool few = py_kind(f, value) == PY_CALL &&
               (span_is_word(py_called(f, value), "topk pad_packed_sequence") ||
                fact_is(p, f, value, "torch.nn.utils.rnn.pad_packed_sequence") ||
                (fact_is(p, f, value, "torch.randint") && py_keyword(f, value, "device") == 0));
    bool little = py_method(f, py_assigned(f, tensor), "cpu") != 0 || few || draws(f, loop) ||
                  span_eq(py_title(f, py_function_of(f, loop)), SPAN("__init__")) ||
                  (fact_loop(p, f, loop).node != 0 && fact_seldom(p, f, loop)) ||
                  fact_switched_off(p, f, loop, py_function_of(f, loop));

    return fact_on_device(p, f) && !little ? CHECK_MEDIUM : CHECK_LOW;
}

/* A loop of no known steps, in which the element changes and the tensor does not. */
static bool moves_in(struct project *p, const struct py_file *f, uint32_t tensor, uint32_t call, uint32_t loop)
{
    if (!fact_invariant(p, f, tensor, loop) || fact_guarded(f, call, loop))
        return false;
    for (uint32_t n = f->nodes[tensor].after; n < f->nodes[call].after; n++)
        if (py_kind(f, n) == PY_IDENTIFIER && py_mentions(f, py_child_of(f, loop, PY_FOR, FIELD_LEFT), f->nodes[n].sym))
            return true;
    return false;
}

/* Does the loop fetch an element before the node `end`; of another tensor than `but`, if it is not 0? */
static bool fetches_before(struct project *p, const struct py_file *f, uint32_t loop, uint32_t end, uint32_t but)
{
    for (uint32_t n = loop; n < end; n++) {
        uint32_t tensor = py_kind(f, n) == PY_CALL ? element_of(p, f, n) : 0;
        if (tensor != 0 && fact_loop(p, f, n).node == loop && moves_in(p, f, tensor, n, loop) &&
            (but == 0 || !span_eq(py_text(f, tensor), py_text(f, but))))
            return true;
    }
    return false;
}

static void check_element(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n, uint32_t tensor)
{
    struct loop loop = tensor != 0 ? fact_loop(p, f, n) : (struct loop){0};
    bool sure;

    if (tensor == 0 || !rule_needs(r, n, n, loop.node != 0, "no loop of its function is around it") ||
        !rule_needs(r, n, loop.node, !is_handful(loop), "a handful of rounds") ||
        !rule_needs(r, n, tensor, moves_in(p, f, tensor, n, loop.node),
                    "the loop changes it, does not change the index, or takes the element in some rounds only") ||
        !rule_needs(r, n, loop.node,
                    !fetches_before(p, f, loop.node, n, 0) && computed_with(p, f, loop.node, &sure) == 0,
                    "another line of the loop has the finding"))
        return;
    rule_report(r, n, impact_of(p, f, tensor, loop.node), "the loop fetches the elements of %s one by one",
                RULE_TEXT(f, tensor));
    rule_unsure(r, runs_once(p, f, loop.node) && !fetches_before(p, f, loop.node, f->nodes[loop.node].after, tensor));
    rule_advice(r, "Call tolist() once before the loop, or use an operation on the whole tensor.");
}

/* The definition of the parameter of its function that the node is, a name; NULL: it is none. */
static const struct py_def *parameter(const struct py_file *f, uint32_t n)
{
    const struct py_def *def = py_bound(f, n);

    return def != NULL && def->kind == DEF_PARAM && def->index >= 0 &&
                   f->scopes[def->scope].node == py_function_of(f, n)
               ? def
               : NULL;
}

/* Does the call, in a loop, give the same tensor in each round, with another index? */
static bool moves_by_call(struct project *p, const struct py_file *f, uint32_t call, int tensor, int index)
{
    struct loop loop = fact_loop(p, f, call);
    uint32_t same = py_argument(f, call, (size_t)tensor), moved = py_argument(f, call, (size_t)index);

    return loop.node != 0 && !is_handful(loop) && same != 0 && moved != 0 && !py_has_splat(f, call) &&
           py_kind(f, moved) == PY_IDENTIFIER &&
           py_mentions(f, py_child_of(f, loop.node, PY_FOR, FIELD_LEFT), f->nodes[moved].sym) &&
           fact_invariant(p, f, same, loop.node) && !fact_guarded(f, call, loop.node);
}

/* def one(x, i): x[i].item(), where a loop calls one(x, i) with each i: *site is that call. */
static bool moved_by_caller(struct project *p, const struct py_file *f, uint32_t call, uint32_t tensor,
                            struct call_sites *site)
{
    enum { SITES_MAX = 4 };
    uint32_t up = py_parent(f, tensor), function = py_function_of(f, call);
    const struct py_def *of = parameter(f, tensor), *at = parameter(f, py_child(f, up, FIELD_SUBSCRIPT));

    if (of == NULL || at == NULL || py_kind(f, py_parent(f, function)) == PY_DECORATED ||
        py_up(f, function, PY_CLASS) != 0)
        return false;
    for (*site = fact_callers(p, f, function); site->taken < SITES_MAX && fact_take(site);)
        if (moves_by_call(p, site->file, site->call, (int)of->index, (int)at->index))
            return true;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t tensor = element_of(p, f, call);
    struct call_sites site, other;

    if (tensor == 0 || py_function_of(f, call) <= 1 || fact_loop(p, f, call).node != 0 ||
        !moved_by_caller(p, f, call, tensor, &site)) {
        check_element(r, p, f, call, tensor);
        return;
    }
    for (uint32_t n = py_function_of(f, call); n < call; n++) {
        uint32_t before = py_kind(f, n) == PY_CALL ? element_of(p, f, n) : 0;
        if (before != 0 && fact_loop(p, f, n).node == 0 && moved_by_caller(p, f, n, before, &other))
            return; /* it has the finding */
    }
    rule_report(r, call, fact_on_device(p, f) ? CHECK_MEDIUM : CHECK_LOW,
                "the elements of %s are fetched one by one, in the loop of %s", RULE_TEXT(f, tensor),
                RULE_PLACE(f, site.file, fact_loop(p, site.file, site.call).node));
    rule_advice(r, "Call tolist() once before the loop, or use an operation on the whole tensor.");
}

/* --- a loop over a tensor --- */

/* Is it compared with text, so that it is the key of a dictionary? */
static bool has_text(const struct py_file *f, uint32_t comparison)
{
    for (uint32_t n = py_first(f, comparison); n != 0; n = py_next(f, n))
        if (py_kind(f, n) == PY_STRING)
            return true;
    return false;
}

/* Is the element asked for its value: compared, made a number? */
static bool is_asked(struct project *p, const struct py_file *f, uint32_t use)
{
    uint32_t up = py_parent(f, use);

    while (py_kind(f, up) == PY_SUBSCRIPT && f->nodes[use].field == FIELD_VALUE) { /* int(box[0]) */
        use = up;
        up = py_parent(f, use);
    }
    uint32_t call = py_parent(f, up);
    if (py_kind(f, up) == PY_COMPARISON)
        return !has_text(f, up) &&
               (py_kind(f, py_parent(f, up)) == PY_IF_CLAUSE || f->nodes[up].field == FIELD_CONDITION);
    if (py_kind(f, up) == PY_ARGUMENT_LIST)
        return py_kind(f, call) == PY_CALL && fact_has(p, f, call, TRAIT_PYTHON_NUMBER) &&
               py_receiver(f, call, NULL) == 0;
    return py_method(f, call, "item") == use;
}

/* for word in words: if word == end: …, [w for w in words if w != end], where words is a tensor. */
static void check_walk(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t head)
{
    uint32_t tensor = py_child(f, head, FIELD_RIGHT), element = py_child(f, head, FIELD_LEFT);
    uint32_t within = py_kind(f, head) == PY_FOR ? head : py_parent(f, head);

    if (py_kind(f, tensor) == PY_CALL && fact_has(p, f, tensor, TRAIT_ENUMERATES)) {
        tensor = py_argument(f, tensor, 0);
        element = py_last(f, element);
    }
    if (tensor == 0 || py_kind(f, element) != PY_IDENTIFIER ||
        !rule_needs(r, within, tensor, fact_torch_tensor(p, f, tensor) != NOT_SEEN, "it is not known to be a tensor") ||
        !rule_needs(r, within, tensor, !is_several(p, f, tensor), "it is a tuple of a few tensors"))
        return;
    for (struct py_nodes u = py_uses(f, f->nodes[element].sym, within); py_take(&u);) {
        if (u.n == element || !is_asked(p, f, u.n))
            continue;
        rule_report(r, within, impact_of(p, f, tensor, within), "the loop fetches the elements of %s one by one",
                    RULE_TEXT(f, tensor));
        rule_unsure(r, runs_once(p, f, within));
        rule_advice(r, "Go through tolist(), or use an operation on the whole tensor.");
        return;
    }
    rule_needs(r, within, element, false, "the loop does not compare it, or make it a number");
}

/* --- an element that decides --- */

/* Does a name in the index change from round to round? */
static bool index_moves(struct project *p, const struct py_file *f, uint32_t element, uint32_t loop)
{
    for (uint32_t n = f->nodes[py_child(f, element, FIELD_VALUE)].after; n < f->nodes[element].after; n++)
        if (py_kind(f, n) == PY_IDENTIFIER && f->nodes[n].field != FIELD_ATTRIBUTE &&
            fact_invariant(p, f, n, loop) == NOT_SEEN)
            return true;
    return false;
}

/* while x[0, i, j] > 0.5, if x[i] < y: a tensor's element that a branch or the loop asks for in each round; or 0. */
static uint32_t asked_in(struct project *p, const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t test = py_kind(f, n) == PY_IF || n == loop ? py_child(f, n, FIELD_CONDITION) : 0;

    test = test != 0 ? py_bare(f, test) : 0;
    uint32_t right = py_next(f, py_first(f, test)); /* of numbers; a is None, a in b ask a dictionary or a list */
    if (py_kind(f, test) != PY_COMPARISON || has_text(f, test) || py_kind(f, right) == PY_NONE_LITERAL ||
        !span_has_word(py_between(f, py_first(f, test), right), "< > ="))
        return 0;
    uint32_t element = py_bare(f, py_first(f, test));
    uint32_t tensor = py_child_of(f, element, PY_SUBSCRIPT, FIELD_VALUE);
    bool asks = tensor != 0 && fact_torch_tensor(p, f, tensor) != NOT_SEEN && fact_invariant(p, f, tensor, loop) &&
                !fact_guarded(f, test, loop) && index_moves(p, f, element, loop);
    return asks ? element : 0;
}

static void check_branch(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    struct loop loop = fact_loop(p, f, py_kind(f, n) == PY_WHILE ? py_body(f, n) : n);
    uint32_t element = loop.node != 0 && !is_handful(loop) ? asked_in(p, f, n, loop.node) : 0;

    if (element == 0 || fetches_before(p, f, loop.node, n, 0))
        return;
    for (uint32_t at = loop.node; at < n; at++) /* the first has the finding */
        if ((py_kind(f, at) == PY_IF || at == loop.node) && fact_loop(p, f, py_body(f, at)).node == loop.node &&
            asked_in(p, f, at, loop.node) != 0)
            return;
    rule_report(r, element, impact_of(p, f, py_child(f, element, FIELD_VALUE), loop.node),
                "the loop asks for the elements of %s one by one", RULE_TEXT(f, py_child(f, element, FIELD_VALUE)));
    rule_unsure(r, fact_outer_loop(p, f, loop).node == 0 && runs_once(p, f, loop.node));
    rule_advice(r, "Call tolist() once before the loop, or use an operation on the whole tensor.");
}

static void check_node(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) == PY_FOR)
        check_loop(r, p, f, n);
    if (py_kind(f, n) == PY_FOR || py_kind(f, n) == PY_FOR_IN)
        check_walk(r, p, f, n);
    if (py_kind(f, n) == PY_IF || py_kind(f, n) == PY_WHILE)
        check_branch(r, p, f, n);
    if (py_kind(f, n) == PY_SUBSCRIPT) { /* x[i].data[0], of releases before 0.4 */
        uint32_t data = py_child(f, n, FIELD_VALUE);
        bool old = py_kind(f, data) == PY_ATTRIBUTE && py_is(f, py_child(f, n, FIELD_SUBSCRIPT), "0") &&
                   span_eq(py_name(f, data), SPAN("data"));
        uint32_t tensor = py_child_of(f, old ? py_child(f, data, FIELD_OBJECT) : 0, PY_SUBSCRIPT, FIELD_VALUE);
        check_element(r, p, f, n, tensor != 0 && fact_torch_tensor(p, f, tensor) != NOT_SEEN ? tensor : 0);
    }
}

const struct rule_looks rule_PP609 = {.node = check_node, .call = check_call};
