/* PP612: a module of PyTorch runs for one item at a time, in a loop over many. */
#include "check/facts/guess.h"
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEEP_MAX = 6, DEFS_MAX = 3 };

/* tokenizer(text, return_tensors="pt"), tokenizer.encode(text, …): of one text, as far as its name says? */
static bool tokenizes_one(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0), callee = py_child(f, call, FIELD_FUNCTION);

    if (first == 0 || py_keyword(f, call, "return_tensors") == 0 || fact_has(p, f, call, TRAIT_FROM_LIST))
        return false;
    if (py_method(f, call, "encode") != 0)
        return py_kind(f, first) != PY_LIST;
    struct span name = py_name(f, first);
    return span_has(py_text(f, callee), "tokenizer") && py_kind(f, first) == PY_IDENTIFIER &&
           !guess_word(name, "batch chunk list texts sentences pairs") &&
           (name.len == 1 || name.ptr[name.len - 1] != 's');
}

/* x.unsqueeze(0), x[None], torch.tensor([x]): a batch of one. */
static bool makes_one(struct project *p, const struct py_file *f, uint32_t n)
{
    uint32_t index = py_child(f, n, FIELD_SUBSCRIPT);

    if (py_kind(f, n) == PY_SUBSCRIPT)
        return py_kind(f, index) == PY_NONE_LITERAL || py_is(f, index, "np.newaxis");
    if (py_kind(f, n) != PY_CALL)
        return false;
    if (tokenizes_one(p, f, n))
        return true;
    uint32_t first = py_argument(f, n, 0), receiver = py_receiver(f, n, NULL);
    if (receiver != 0 && fact_name(p, f, n).len == 0)
        return py_method(f, n, "unsqueeze") != 0 && py_is(f, first, "0");
    if (first == 0)
        return false;
    if (fact_is(p, f, n, "torch.unsqueeze") || fact_is(p, f, n, "numpy.expand_dims"))
        return py_argument(f, n, 1) != 0 && py_is(f, py_argument(f, n, 1), "0");
    uint32_t only = fact_has(p, f, n, TRAIT_FROM_LIST) && py_kind(f, first) == PY_LIST ? py_first(f, first) : 0;
    return only != 0 && py_next(f, only) == 0 && py_kind(f, only) != PY_LIST_COMPREHENSION;
}

/* Is the argument a batch of one, as it was made in the same function; and not joined with others? */
static bool is_one(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = n != 0 ? py_bare(f, n) : 0;
    if (n == 0 || depth > DEEP_MAX)
        return false;
    if (makes_one(p, f, n))
        return true;
    uint32_t part = 0, key = py_child_of(f, n, PY_SUBSCRIPT, FIELD_SUBSCRIPT);
    if (key != 0 && fact_string_is(f, key, "input_ids")) /* inputs["input_ids"], inputs.input_ids */
        part = py_child(f, n, FIELD_VALUE);
    if (py_kind(f, n) == PY_ATTRIBUTE &&
        span_is_word(py_name(f, n), "input_ids pixel_values input_values input_features"))
        part = py_child(f, n, FIELD_OBJECT);
    if (py_kind(f, n) == PY_CALL) /* one.to(device), torch.cat((one, …)): still one */
        part = fact_has(p, f, n, TRAIT_WRAPS_MODULE) || fact_has(p, f, n, TRAIT_GIVES_TENSOR) ? py_argument(f, n, 0)
               : py_method(f, n, "repeat expand") == 0 ? fact_method(f, n, TRAIT_TENSOR_METHOD)
                                                       : 0;
    if (part != 0)
        return is_one(p, f, part, depth + 1);
    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);)
        if (d.def->kind == DEF_ASSIGN && d.def->node < n && py_function_of(f, d.def->node) == py_function_of(f, n) &&
            is_one(p, f, d.def->value, depth + 1))
            return true;
    return false;
}

/* Does the loop act in a world, or follow a camera, whose items come one after the other? */
static bool comes_one_by_one(const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t receiver = py_receiver(f, n, NULL);
        if (fact_method(f, n, TRAIT_ACTS) != 0 ||
            (fact_method(f, n, TRAIT_ONE_BY_ONE) != 0 && py_method(f, n, "open") == 0) ||
            (receiver != 0 && guess_word(py_text(f, receiver), "env cap camera stream game socket agent")))
            return true;
    }
    return py_kind(f, loop) == PY_WHILE;
}

/* range(len(files)), range(images.size(0)), range(images.shape[0]): one round for each item that is there? */
static bool counts_items(struct project *p, const struct py_file *f, uint32_t range)
{
    uint32_t length = py_argument(f, range, 0);

    if (py_argument(f, range, 1) != 0)
        return false;
    if (py_kind(f, length) == PY_IDENTIFIER) /* n_images = len(data) */
        length = py_assigned(f, length);
    if (py_kind(f, length) == PY_SUBSCRIPT)
        return span_eq(py_name(f, py_child(f, length, FIELD_VALUE)), SPAN("shape")) &&
               py_is(f, py_child(f, length, FIELD_SUBSCRIPT), "0");
    if (py_kind(f, length) != PY_CALL)
        return false;
    return fact_is(p, f, length, "builtins.len") ||
           (py_method(f, length, "size") != 0 && py_is(f, py_argument(f, length, 0), "0"));
}

/* range(n), tqdm(range(n)), or a name for it? */
static bool counts(struct project *p, const struct py_file *f, uint32_t n)
{
    for (int depth = 0; n != 0 && depth < DEEP_MAX; depth++) {
        if (py_kind(f, n) == PY_IDENTIFIER)
            n = py_assigned(f, n);
        if (py_kind(f, n) != PY_CALL)
            return false;
        if (fact_has(p, f, n, TRAIT_RANGE))
            return !counts_items(p, f, n);
        n = fact_has(p, f, n, TRAIT_PROGRESS) || fact_has(p, f, n, TRAIT_PASSES_ON) ? py_argument(f, n, 0) : 0;
    }
    return false;
}

/* What a module gets: model(x), model(**inputs), model(input_ids=x); 0: none. */
static uint32_t given_to(const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0), list = py_child(f, call, FIELD_ARGUMENTS);

    if (first == 0)
        first = py_keyword(f, call, "input_ids");
    for (uint32_t n = py_first(f, list); n != 0 && first == 0; n = py_next(f, n))
        if (py_kind(f, n) == PY_DICTIONARY_SPLAT)
            return py_first(f, n);
    return first;
}

static bool runs_any(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_module_run(p, f, call) != 0;
}

/* Does the call run a module, of transformers by generate(), or of the project by a method of its own, too; not one
 * that is known to have no weights? */
static bool runs_module(struct project *p, const struct py_file *f, uint32_t call)
{
    struct function to;
    uint32_t receiver = py_receiver(f, call, NULL), module = fact_module_run(p, f, call);

    if (module != 0)
        return fact_value(p, f, module).kind != VALUE_INSTANCE || fact_has_weights(p, f, module);
    if (receiver == 0 || py_is(f, receiver, "self"))
        return false;
    return (py_method(f, call, "generate") != 0 && fact_module(p, f, receiver) != NOT_SEEN) ||
           (fact_module(p, f, receiver) == CERTAIN && fact_callee(p, f, call, &to) && fact_in_module(p, to.f, to.n) &&
            fact_reaches(p, to.f, to.n, runs_any));
}

/* The loop over items that runs the function at `call`, a few calls up; no inner one is a choice. */
static bool item_loop(struct project *p, const struct py_file *f, uint32_t n, int depth, const struct py_file **file,
                      uint32_t *loop)
{
    for (struct loop at = fact_loop(p, f, n); at.node != 0; at = fact_outer_loop(p, f, at)) {
        if (comes_one_by_one(f, at.node))
            return false;
        /* What it goes over: files, sentences, items of a data set, that are there beforehand? */
        bool items = py_kind(f, at.node) == PY_LIST_COMPREHENSION ||
                     (at.trip != TRIP_SHORT && fact_loader(p, f, at.node) == 0 &&
                      !counts(p, f, py_child_of(f, at.node, PY_FOR, FIELD_RIGHT)));
        if (!items)
            continue;
        uint32_t given = depth == 0 ? given_to(f, n) : 0;
        if (given != 0 && fact_depends(f, given, n, at.node)) /* a round needs what the one before gave */
            return false;
        *file = f;
        *loop = at.node;
        return true;
    }
    uint32_t function = py_function_of(f, n);
    for (struct call_sites site = fact_callers(p, f, depth < 3 ? function : 0); site.taken < 8 && fact_take(&site);)
        if (item_loop(p, site.file, site.call, depth + 1, file, loop))
            return true;
    return false;
}

static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);

    for (struct py_nodes other = fact_calls(p, f); py_take(&other) && other.n < call;)
        if (other.n > function && py_function_of(f, other.n) == function && runs_module(p, f, other.n) &&
            is_one(p, f, given_to(f, other.n), 0))
            return true;
    return false;
}

/* --- a loader of batches of one --- */

/* Is it a loop over what the name stands for, a loader, that runs a module and trains none? */
static bool evaluates_with(struct project *p, const struct py_file *f, uint32_t loop, uint32_t sym)
{
    uint32_t over = py_kind(f, loop) == PY_FOR ? fact_loader(p, f, loop) : 0;

    if (over == 0 || py_kind(f, over) != PY_IDENTIFIER || f->nodes[over].sym != sym || fact_goes_backward(p, f, loop))
        return false;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++)
        if (py_kind(f, n) == PY_CALL && fact_module_run(p, f, n) != 0)
            return true;
    return false;
}

/* loader = DataLoader(data, batch_size=1), and a loop over it in the same function. Likely at most: different sizes may
 * be the reason for it. */
static void check_loader(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t size = fact_has(p, f, call, TRAIT_LOADER) ? py_argument_or(f, call, 1, "batch_size") : 0;
    uint32_t up = py_parent(f, call), left = py_child_of(f, up, PY_ASSIGNMENT, FIELD_LEFT);
    uint32_t function = py_function_of(f, call);

    if (size == 0 || left == 0 || !py_is(f, size, "1") || py_kind(f, left) != PY_IDENTIFIER)
        return;
    for (uint32_t n = call; n < f->nodes[function].after; n++) {
        if (!evaluates_with(p, f, n, f->nodes[left].sym) || py_function_of(f, n) != function)
            continue;
        rule_report(r, call, CHECK_MEDIUM, "the loader gives one item at a time to the module in %s",
                    RULE_PLACE(f, f, n));
        rule_unsure(r, true);
        return;
    }
}

/* Does the loop read pictures, and give them no other size than that of their files, or a part of it? */
static bool keeps_sizes(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool reads = false;

    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct span name = py_kind(f, n) == PY_CALL ? py_called(f, n) : (struct span){"", 0};
        bool scales = span_eq(name, SPAN("resize")) && py_kind(f, py_argument(f, n, 1)) == PY_NONE_LITERAL;
        reads = reads || span_eq(name, SPAN("imread")) || fact_has(p, f, n, TRAIT_READS_IMAGE);
        if (!scales && span_has_word(name, "size Size transform process prepare crop pad box"))
            return false;
    }
    return reads;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct py_file *file = NULL;
    uint32_t loop = 0;

    check_loader(r, p, f, call);
    if (!runs_module(p, f, call) || fact_in_module(p, f, py_function_of(f, call)) ||
        !rule_needs(r, call, given_to(f, call), is_one(p, f, given_to(f, call), 0),
                    "it is not seen to be a batch of one, made in the same function") ||
        !rule_needs(r, call, call, item_loop(p, f, call, 0, &file, &loop),
                    "no loop over items that are there beforehand is seen to run it") ||
        !rule_needs(r, call, call, !fact_goes_backward(p, file, loop), "the loop trains") ||
        !rule_needs(r, call, call, !said_before(p, f, call), "an earlier call of the function has the finding"))
        return;
    bool differ = file == f && py_inside(f, call, loop) && keeps_sizes(p, f, loop); /* no batch can be made of them */
    rule_report(r, call, differ ? CHECK_LOW : CHECK_HIGH, "%s() runs for one item at a time, in the loop in %s",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)), RULE_PLACE(f, file, loop));
}

const struct rule_looks rule_PP612 = {.call = check_call};
