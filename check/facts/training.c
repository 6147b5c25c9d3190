/* How often code runs, what for, and where: repetition, context, device. */
#include "check/facts/training.h"

#include "check/facts/guess.h"
#include "check/facts/project.h"

enum { CALLS_DEEP = 8, SITES_MAX = 16, TENSORS_DEEP = 12, DEFS_MAX = 4, ROOT = 1 };

/* --- repetition --- */

uint32_t fact_loader(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t over = py_child_of(f, loop, PY_FOR, FIELD_RIGHT);

    /* Without what shows progress, numbers or cuts it. */
    for (int depth = 0; depth < CALLS_DEEP && py_kind(f, over) == PY_CALL; depth++) {
        const struct word *w = fact_word(p, f, over);
        bool hands_on = word_has(w, TRAIT_PASSES_ON) || word_has(w, TRAIT_ITERATOR) || word_has(w, TRAIT_PROGRESS);
        uint32_t inner = hands_on ? py_argument(f, over, 0) : 0;
        if (inner == 0)
            break;
        over = inner;
    }
    if (over == 0)
        return 0;
    /* Does it give batches: a loader of PyTorch? By its name, too. */
    struct value v = fact_value(p, f, over);
    if (v.kind == VALUE_OBJECT && word_has(fact_name_word(p, v.name), TRAIT_LOADER))
        return over;
    if (v.kind == VALUE_OBJECT && span_has(fact_name_text(p, v.name), "Dataset")) /* test_loader = Dataset(…): items */
        return 0;
    uint32_t last = py_kind(f, over) == PY_SUBSCRIPT ? py_child(f, over, FIELD_VALUE) : over;
    if (py_kind(f, last) == PY_CALL)
        last = py_child(f, last, FIELD_FUNCTION);
    return guess_word(py_name(f, last), "loader dataloader") ? over : 0;
}

/* Is it a loop over epochs or runs around another one, perhaps in a called function, that goes through the steps? */
static bool holds_steps(struct project *p, const struct py_file *f, uint32_t loop)
{
    bool epochs = fact_epoch_loop(f, loop);

    if (fact_loader(p, f, loop) != 0) /* it may tell its epoch in a progress bar */
        return false;
    if (epochs && fact_once_in_epoch(p, f, loop))
        return true;
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct function to;
        if (py_kind(f, n) != PY_CALL || !fact_callee(p, f, n, &to))
            continue;
        /* One over batches; that trains, where this one is not over epochs. */
        for (uint32_t c = to.n; c < to.f->nodes[to.n].after; c++)
            if (py_kind(to.f, c) == PY_FOR && fact_loader(p, to.f, c) != 0 &&
                (epochs || fact_goes_backward(p, to.f, c)))
                return true;
    }
    return false;
}

bool fact_epoch_of_steps(struct project *p, const struct py_file *f, uint32_t loop)
{
    return fact_once(p, f, loop, holds_steps);
}

/* Is each round of the loop a step? */
static enum certainty is_step_loop(struct project *p, const struct py_file *f, struct loop loop)
{
    if (loop.trip == TRIP_SHORT)
        return NOT_SEEN;
    if (fact_loader(p, f, loop.node) != 0 || fact_trains(p, f, loop.node) == CERTAIN)
        return CERTAIN;
    if (!py_is_loop(f, loop.node))
        return NOT_SEEN;
    if (fact_goes_backward(p, f, loop.node))
        return LIKELY;
    return loop.trip == TRIP_STEPS ? LIKELY : NOT_SEEN;
}

struct steps_search {
    struct project *p;
    struct steps *out;
    struct seen seen;
};

static enum certainty search_steps(struct steps_search *s, const struct py_file *f, uint32_t n, unsigned depth);

/* The callers of the function: one of them in a loop of steps is enough; one that trains is better. */
static enum certainty called_in_steps(struct steps_search *s, const struct py_file *f, uint32_t function,
                                      unsigned depth)
{
    struct steps best = {0};
    enum certainty best_sure = NOT_SEEN;

    if (depth >= CALLS_DEEP || seen_before(&s->seen, f, function))
        return NOT_SEEN;
    for (struct call_sites site = fact_callers(s->p, f, function); site.taken < SITES_MAX && fact_take(&site);) {
        *s->out = (struct steps){0};
        if (fact_only_tests(s->p, f, site.file))
            continue;
        enum certainty sure = search_steps(s, site.file, site.call, depth + 1);
        if (sure == NOT_SEEN)
            continue;
        if (s->out->entry == 0) {
            s->out->entry_file = site.file;
            s->out->entry = site.call;
        }
        bool trains = fact_goes_backward(s->p, s->out->file, s->out->loop.node);
        if (trains || best_sure == NOT_SEEN) {
            best = *s->out;
            best_sure = sure;
        }
        if (trains)
            break;
    }
    *s->out = best;
    return best_sure;
}

static enum certainty search_steps(struct steps_search *s, const struct py_file *f, uint32_t n, unsigned depth)
{
    for (struct loop loop = fact_loop(s->p, f, n); loop.node != 0; loop = fact_outer_loop(s->p, f, loop)) {
        if (fact_epoch_of_steps(s->p, f, loop.node))
            return NOT_SEEN;
        enum certainty sure = is_step_loop(s->p, f, loop);
        if (sure == NOT_SEEN)
            continue;
        s->out->file = f;
        s->out->loop = loop;
        return sure;
    }
    uint32_t function = py_function_of(f, n);
    return function > ROOT ? called_in_steps(s, f, function, depth) : NOT_SEEN;
}

bool fact_in_module(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t class = py_class_of(f, function);

    return class != 0 && fact_derives(p, f, class, TRAIT_LAYER);
}

enum certainty fact_steps(struct project *p, const struct py_file *f, uint32_t n, struct steps *where)
{
    struct steps_search s = {.p = p, .out = where};
    uint32_t function = py_function_of(f, n);

    *where = (struct steps){0};
    enum certainty sure = search_steps(&s, f, n, 0);
    bool forward = span_eq(py_title(f, function), SPAN("forward")) && fact_in_module(p, f, function);
    if (sure != NOT_SEEN && (!forward || fact_goes_backward(p, where->file, where->loop.node)))
        return sure;
    *where = (struct steps){.file = f}; /* the loop that trains the module is not seen */
    return forward ? LIKELY : NOT_SEEN;
}

/* Does the `if` decide the same in all rounds: on names that the loop does not bind, and not on being verbose? */
static bool is_setting(const struct py_file *f, uint32_t branch, uint32_t loop)
{
    uint32_t test = py_child(f, branch, FIELD_CONDITION);

    if (guess_word(py_text(f, test), "debug verbose log print profile vis plot %"))
        return false;
    for (uint32_t n = test; n < f->nodes[test].after; n++) {
        if (py_kind(f, n) == PY_CALL)
            return false;
        for (struct py_nodes use = py_uses(f, py_is_named(f, n) ? f->nodes[n].sym : 0, loop); py_take(&use);)
            if (py_def_at(f, use.n) != 0)
                return false;
    }
    return true;
}

bool fact_now_and_then(const struct py_file *f, uint32_t n, uint32_t loop)
{
    uint32_t from = n; /* n, or the condition of the last `if` around it, which decides whether n runs */

    for (uint32_t at = n, up; at > loop; at = up) {
        up = py_parent(f, at);
        if (py_kind(f, up) != PY_IF || f->nodes[at].field == FIELD_CONDITION)
            continue;
        if (py_kind(f, at) == PY_ELIF || !is_setting(f, up, loop))
            break;
        if (fact_guarded(f, from, at))
            return true;
        from = py_child(f, up, FIELD_CONDITION);
    }
    return fact_guarded(f, from, loop);
}

uint32_t fact_training_run(struct project *p, const struct py_file *f, uint32_t loop)
{
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        uint32_t receiver = py_method(f, n, "run");
        if (receiver != 0 && fact_runs_session(p, f, n) &&
            (fact_fetches_training(f, py_argument_or(f, n, 0, "fetches")) || fact_fetches_training(f, receiver)))
            return n;
    }
    return 0;
}

static bool trains_in_rounds(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t run = fact_training_run(p, f, loop);

    if ((run != 0 && fact_loop(p, f, run).node == loop) || fact_trains(p, f, loop) == CERTAIN ||
        fact_trains_within(p, f, loop))
        return true;
    /* Does what it calls, directly, run a session that trains? */
    for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
        struct function to;
        if (py_kind(f, n) == PY_CALL && fact_loop(p, f, n).node == loop && fact_callee(p, f, n, &to) &&
            fact_training_run(p, to.f, to.n) != 0)
            return true;
    }
    return false;
}

enum certainty fact_training_steps(struct project *p, const struct py_file *f, struct loop loop)
{
    bool steps = loop.trip != TRIP_SHORT && !fact_epoch_of_steps(p, f, loop.node) && py_is_loop(f, loop.node);

    return steps && fact_once(p, f, loop.node, trains_in_rounds) ? CERTAIN : NOT_SEEN;
}

/* --- context --- */

bool fact_backward_of(const struct py_file *f, uint32_t name, uint32_t within)
{
    for (struct py_nodes use = py_uses(f, f->nodes[name].sym, within); py_take(&use);) {
        uint32_t attribute = py_parent(f, use.n), call = py_parent(f, attribute);
        if (py_kind(f, attribute) == PY_ATTRIBUTE && py_method(f, call, "backward") == use.n)
            return true;
    }
    return false;
}

/* The parameter of the function that gets the argument at that place of the call, by its position; 0: none. */
static uint32_t parameter_at(const struct py_file *f, uint32_t function, uint32_t at)
{
    uint32_t list = py_child(f, function, FIELD_PARAMETERS), n = py_first(f, list);

    if (py_is(f, n, "self"))
        n = py_next(f, n);
    while (n != 0 && at-- > 0)
        n = py_next(f, n);
    return n != 0 && py_kind(f, n) != PY_IDENTIFIER ? py_first(f, n) : n;
}

bool fact_backward_through(struct project *p, const struct py_file *f, uint32_t name, uint32_t within)
{
    for (struct py_nodes use = py_uses(f, f->nodes[name].sym, within); py_take(&use);) {
        uint32_t argument = use.n, list = py_parent(f, argument), call, at = 0;
        struct function to;
        if (py_kind(f, list) == PY_UNARY_OPERATOR) { /* update(optimizer, -gain) */
            argument = list;
            list = py_parent(f, list);
        }
        call = py_parent(f, list);
        if (py_kind(f, list) != PY_ARGUMENT_LIST || py_kind(f, call) != PY_CALL || !fact_callee(p, f, call, &to) ||
            py_kind(to.f, to.n) != PY_FUNCTION)
            continue;
        for (uint32_t c = py_first(f, list); c != 0 && c != argument; c = py_next(f, c))
            at++;
        uint32_t parameter = parameter_at(to.f, to.n, at);
        if (parameter != 0 && py_kind(to.f, parameter) == PY_IDENTIFIER && fact_backward_of(to.f, parameter, to.n))
            return true;
    }
    return false;
}

/* The last node of the function before n that is the method of a call, x.name(…); 0: none. */
static uint32_t last_call(const struct py_file *f, uint32_t n, const char *name)
{
    uint32_t function = py_function_of(f, n), last = 0;

    for (struct py_nodes use = py_uses(f, py_sym(f, span_of(name)), function); py_take(&use) && use.n < n;)
        if (py_kind(f, use.n) == PY_ATTRIBUTE && py_kind(f, py_parent(f, use.n)) == PY_CALL &&
            py_function_of(f, use.n) == function)
            last = use.n;
    return last;
}

bool fact_evaluates(struct project *p, const struct py_file *f, struct loop loop)
{
    if (loop.trip == TRIP_SHORT || py_kind(f, loop.node) != PY_FOR || fact_goes_backward(p, f, loop.node))
        return false;
    uint32_t eval = last_call(f, loop.node, "eval");
    return fact_loader(p, f, loop.node) != 0 ||
           (eval != 0 && eval > last_call(f, loop.node, "train") && eval > last_call(f, loop.node, "backward"));
}

static bool search_program(struct project *p, struct seen *seen, const struct py_file *f, uint32_t n, unsigned depth)
{
    uint32_t function = py_function_of(f, n);

    /* tf.app.run() and the like call main(). */
    if (function <= ROOT || py_is(f, py_child(f, function, FIELD_NAME), "main"))
        return true;
    if (depth >= CALLS_DEEP || seen_before(seen, f, function))
        return false;
    for (struct call_sites site = fact_callers(p, f, function); site.taken < SITES_MAX && fact_take(&site);)
        if (search_program(p, seen, site.file, site.call, depth + 1))
            return true;
    return false;
}

bool fact_in_program(struct project *p, const struct py_file *f, uint32_t n)
{
    struct seen seen = {0};

    return search_program(p, &seen, f, n, 0);
}

/* DataLoader(data, collate_fn=…), in any file, of this function? */
static bool is_given_to_loader(struct project *p, const struct py_file *f, uint32_t function)
{
    for (size_t i = 0; i < p->n_files; i++) {
        struct function to;
        const struct py_file *file = p->files[i];
        for (struct py_nodes use = py_uses(file, py_sym(file, SPAN("collate_fn")), ROOT); py_take(&use);) {
            uint32_t value = py_child_of(file, use.n, PY_KEYWORD_ARGUMENT, FIELD_VALUE);
            if (value != 0 && fact_function(p, file, value, &to) && to.f == f && to.n == function)
                return true;
        }
    }
    return false;
}

static bool collates(struct project *p, const struct py_file *f, uint32_t function)
{
    struct seen seen = {0};

    while (!is_given_to_loader(p, f, function)) {
        struct call_sites site = fact_callers(p, f, function);
        if (site.all != 1 || !fact_take(&site) || seen_before(&seen, f, function))
            return false;
        f = site.file;
        function = py_function_of(f, site.call);
        if (function <= ROOT)
            return false;
    }
    return true;
}

bool fact_collates(struct project *p, const struct py_file *f, uint32_t function)
{
    static const char words[] = "collate batch samples examples instances items";

    /* Its name, or that of what it gets, must say so: all files are searched for who gives it to a loader. */
    return function > ROOT &&
           (guess_word(py_text(f, py_child(f, function, FIELD_NAME)), words) ||
            guess_word(py_text(f, py_child(f, function, FIELD_PARAMETERS)), words)) &&
           fact_once(p, f, function, collates);
}

static bool ends_graph(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), first = py_argument(f, call, 0);
    struct span name = py_name(f, callee);

    if (first != 0 && py_kind(f, first) == (span_eq(name, SPAN("set_grad_enabled")) ? PY_TRUE : PY_FALSE))
        return false;
    return vocabulary_method_has(name, TRAIT_WITHOUT_GRAD) || fact_has(p, f, call, TRAIT_WITHOUT_GRAD) ||
           guess_word(name, "no_grad"); /* torchNo_grad, a name of the project's for it */
}

/* What enters such a block: def smart_inference_mode(): …, as a decorator or around one; of another library by its name. */
static bool enters_without(struct project *p, const struct py_file *f, uint32_t what, bool by_name)
{
    struct function to;
    bool seen = fact_function(p, f, what, &to);

    return (seen || by_name) && span_has_word(seen ? py_text(to.f, to.n) : py_name(f, what), "inference_mode no_grad");
}

/* Is there such a call in the subtree, or one that the name there was bound to: context = torch.no_grad()? */
static bool has_call_without(struct project *p, const struct py_file *f, uint32_t n, bool names)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        if (py_kind(f, c) == PY_CALL &&
            (ends_graph(p, f, c) || enters_without(p, f, py_child(f, c, FIELD_FUNCTION), false)))
            return true;
        uint32_t value = names ? py_assigned(f, c) : 0;
        if (value != 0 && has_call_without(p, f, value, false))
            return true;
    }
    return false;
}

/* with torch.no_grad(), autocast(): */
static bool in_block_without(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_parent(f, n); at != 0; at = py_parent(f, at)) {
        if (py_kind(f, at) == PY_FUNCTION || py_kind(f, at) == PY_CLASS)
            return false;
        if (py_kind(f, at) != PY_WITH)
            continue;
        if (has_call_without(p, f, py_first(f, at), true))
            return true;
        for (uint32_t c = at; c < n; c++) /* in the block, before n: stack.enter_context(torch.no_grad()) */
            if (py_kind(f, c) == PY_CALL && span_eq(py_called(f, c), SPAN("enter_context")) &&
                ends_graph(p, f, py_argument(f, c, 0)))
                return true;
    }
    return false;
}

static bool is_without_decorator(struct project *p, const struct py_file *f, uint32_t function)
{
    for (uint32_t d = 0; (d = py_decorator(f, function, d)) != 0;) {
        uint32_t what = py_first(f, d), callee = py_child_of(f, what, PY_CALL, FIELD_FUNCTION);
        if ((callee != 0 ? ends_graph(p, f, what) : fact_has(p, f, what, TRAIT_WITHOUT_GRAD)) ||
            enters_without(p, f, callee != 0 ? callee : what, true))
            return true;
    }
    return false;
}

/* torch.set_grad_enabled(False), as a statement: from there on, everywhere. */
static bool switches_off(struct project *p, const struct py_file *f, uint32_t root)
{
    (void)root;
    for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
        uint32_t first = py_argument(f, call.n, 0);
        if (first != 0 && py_kind(f, first) == PY_FALSE &&
            py_kind(f, py_parent(f, call.n)) == PY_EXPRESSION_STATEMENT && ends_graph(p, f, call.n))
            return true;
    }
    return false;
}

static bool search_without(struct project *p, struct seen *seen, const struct py_file *f, uint32_t n, unsigned depth);

/* Is each use of the function's name in the project, whoever is called by it or given it, where no graph is recorded? */
static bool named_without(struct project *p, struct seen *seen, const struct py_file *f, uint32_t function,
                          unsigned depth)
{
    uint32_t name = py_child(f, function, FIELD_NAME);
    size_t all = 0;

    if (name == 0)
        return false;
    for (size_t i = 0; i < p->n_files; i++) {
        const struct py_file *other = p->files[i];
        for (struct py_nodes u = py_uses(other, py_sym(other, py_text(f, name)), ROOT); py_take(&u);) {
            if (py_def_at(other, u.n) != 0 || py_kind(other, u.n) == PY_KEYWORD_ARGUMENT ||
                py_kind(other, py_parent(other, u.n)) == PY_ATTRIBUTE) /* o.name: the attribute is the use */
                continue;
            if (++all > SITES_MAX || !search_without(p, seen, other, u.n, depth + 1))
                return false;
        }
    }
    return all > 0;
}

static bool search_without(struct project *p, struct seen *seen, const struct py_file *f, uint32_t n, unsigned depth)
{
    uint32_t function = py_function_of(f, n);

    if (in_block_without(p, f, n) || fact_once(p, f, ROOT, switches_off))
        return true;
    for (uint32_t at = function; at > ROOT; at = py_function_of(f, at))
        if (is_without_decorator(p, f, at) || in_block_without(p, f, at) ||
            (py_class_of(f, at) != 0 && /* methods that a trainer calls without gradients */
             span_is_word(
                 py_title(f, at),
                 "validation_step test_step predict_step validation_epoch_end test_epoch_end on_validation_epoch_end "
                 "on_test_epoch_end prediction_step evaluation_loop validation_step_end")))
            return true;
    if (function <= ROOT || depth >= CALLS_DEEP)
        return false;
    struct call_sites site = fact_callers(p, f, function);
    if (site.all > SITES_MAX)
        return false;
    bool called = false; /* by another function */
    while (fact_take(&site)) {
        if (site.file == f && py_function_of(f, site.call) == function)
            continue;
        called = true; /* what was seen is without gradients: the search would have ended there */
        if (seen->n == SEEN_MAX ||
            (!seen_before(seen, site.file, site.call) && !search_without(p, seen, site.file, site.call, depth + 1)))
            return false;
    }
    return called || named_without(p, seen, f, function, depth);
}

bool fact_without_grad(struct project *p, const struct py_file *f, uint32_t n)
{
    struct seen seen = {0};

    return search_without(p, &seen, f, n, 0);
}

static bool is_backward(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(f, call, &method);

    if (fact_has(p, f, call, TRAIT_GOES_BACKWARD))
        return true;
    if (receiver == 0)
        return false;
    return vocabulary_method_has(method, TRAIT_GOES_BACKWARD) || fact_name_steps(method) >= LIKELY ||
           (span_eq(method, SPAN("step")) && guess_word(py_text(f, receiver), "optim scaler solver"));
}

bool fact_goes_backward(struct project *p, const struct py_file *f, uint32_t n)
{
    return fact_reaches(p, f, n, is_backward);
}

/* What calls of these names run, where nothing is known of them. */
static bool is_module_name(struct span name)
{
    return span_is_word(
               name, "model net netG netD network encoder decoder policy actor critic backbone discriminator generator "
                     "policy_net value_net target_net") ||
           (name.len == 4 && span_starts(name, SPAN("net")) && name.ptr[3] >= 'A' && name.ptr[3] <= 'Z') || /* netE */
           (name.len > 6 && span_ends(name, SPAN("_model"))) || (name.len > 4 && span_ends(name, SPAN("_net")));
}

/* Is something of the name asked in the file for its weights or parts, or set to evaluate: net.eval()? */
static bool handled_as_module(struct project *p, const struct py_file *f, uint32_t root, uint32_t sym)
{
    (void)p;
    for (struct py_nodes use = py_uses(f, sym, root); py_take(&use);) {
        uint32_t attribute = py_parent(f, use.n);
        if (py_kind(f, attribute) == PY_ATTRIBUTE && py_child(f, attribute, FIELD_OBJECT) == use.n &&
            py_kind(f, py_parent(f, attribute)) == PY_CALL && !py_is(f, use.n, "self") &&
            span_is_word(py_name(f, attribute),
                         "eval parameters named_parameters named_modules children modules load_state_dict"))
            return true;
    }
    return false;
}

enum certainty fact_module(struct project *p, const struct py_file *f, uint32_t n)
{
    struct value v = fact_value(p, f, n);

    if (n == 0)
        return NOT_SEEN;
    if (value_is_module(p, v))
        return CERTAIN;
    /* Nothing is known of it but that code outside the project made it: build_model(args), or what reads a file. */
    const struct word *made = fact_name_word(p, v.name);
    bool elsewhere = v.kind == VALUE_OBJECT ? word_has(made, TRAIT_LOADS_DATA) || made->framework == FRAMEWORK_OTHER
                                            : v.kind == VALUE_UNKNOWN;
    if (!elsewhere || !py_is_named(f, n))
        return NOT_SEEN;
    return is_module_name(py_name(f, n)) || fact_once_of(p, f, ROOT, f->nodes[n].sym, handled_as_module) ? LIKELY
                                                                                                         : NOT_SEEN;
}

uint32_t fact_module_run(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), receiver = py_method(f, call, "forward module");

    if (callee != 0 && fact_module(p, f, callee) != NOT_SEEN)
        return callee;
    return receiver != 0 && fact_module(p, f, receiver) != NOT_SEEN ? receiver : 0;
}

static bool makes_weights(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);

    return w->framework == FRAMEWORK_TORCH &&
           ((word_has(w, TRAIT_LAYER) && !word_has(w, TRAIT_WEIGHTLESS) && !word_has(w, TRAIT_WRAPS_MODULE) &&
             !span_has(fact_name(p, f, call), "Loss")) ||
            span_eq(w->name, SPAN("torch.nn.Parameter")));
}

/* self.encoder(x), where the constructor was given the encoder: what has weights, or is not known. */
static bool runs_given(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION), class = py_up(f, call, PY_CLASS);
    uint32_t object = py_child_of(f, callee, PY_ATTRIBUTE, FIELD_OBJECT);

    if (object == 0 || class == 0 || !py_is(f, object, "self") ||
        guess_word(py_name(f, callee), "loss crit metric match act"))
        return false;
    uint32_t def = py_def_in(f, f->nodes[class].sym, f->nodes[callee].sym);
    bool assigned = def != 0 && f->defs[def].attribute && f->defs[def].kind == DEF_ASSIGN;
    const struct py_def *given = assigned ? py_bound(f, f->defs[def].value) : NULL;
    if (given == NULL || given->kind != DEF_PARAM || fact_module(p, f, callee) == NOT_SEEN)
        return false;
    struct value v = fact_value(p, f, callee);
    return v.kind == VALUE_UNKNOWN || (v.kind == VALUE_MODEL && fact_has_weights(p, f, callee)) ||
           (v.kind == VALUE_INSTANCE && fact_reaches(p, fact_file(p, v.file), v.node, makes_weights));
}

bool fact_has_weights(struct project *p, const struct py_file *f, uint32_t module)
{
    struct value v = fact_value(p, f, module);

    if (v.kind == VALUE_INSTANCE) {
        const struct py_file *file = fact_file(p, v.file);
        uint32_t bases = py_child(file, v.node, FIELD_SUPERCLASSES);
        bool own = !py_is(file, bases, "(Module)");
        for (uint32_t base = py_first(file, bases); base != 0; base = py_next(file, base))
            own = own && !fact_is(p, file, base, "torch.nn.Module");
        return (own || fact_reaches(p, file, v.node, makes_weights) || fact_reaches(p, file, v.node, runs_given)) &&
               !span_has(py_text(file, v.node), "requires_grad");
    }
    return v.kind == VALUE_MODEL && !span_has(fact_name_text(p, v.name), "Loss") &&
           !span_has(fact_name_text(p, v.name), ".transforms.") && /* of sounds and pictures */
           !word_has(fact_name_word(p, v.name), TRAIT_WEIGHTLESS) &&
           fact_name_word(p, v.name)->framework == FRAMEWORK_TORCH;
}

/* Is the name bound to what comes of a module, or of an operation on such? */
static enum certainty bound_tensor(struct project *p, const struct py_file *f, uint32_t n, int depth);
static enum certainty tensor_of(struct project *p, const struct py_file *f, uint32_t n, int depth);

/* Is it a batch that a loop over a loader takes, under any name, or an entry of one, batch["image"]? */
static bool is_of_batch(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    while (py_kind(f, n) == PY_SUBSCRIPT)
        n = py_child(f, n, FIELD_VALUE);
    for (struct py_defs d = py_reaching(f, depth < TENSORS_DEEP ? n : 0, DEFS_MAX); py_take_def(&d);) {
        const struct py_def *def = d.def;
        uint32_t loop = def->kind == DEF_FOR ? py_up(f, def->node, PY_FOR) : 0;
        bool value = (def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK) && def->node < n;
        if ((loop != 0 && fact_loader(p, f, loop) != 0) || (value && is_of_batch(p, f, def->value, depth + 1)))
            return true;
    }
    return false;
}

/* Does a function of the project return a tensor; at that place of a tuple, but for -1? */
static enum certainty returned_tensor(struct project *p, const struct py_file *f, uint32_t call, int index, int depth)
{
    enum { RETURN_COSTS = 3 };
    struct function to;

    if (!fact_callee(p, f, call, &to) || py_kind(to.f, to.n) != PY_FUNCTION)
        return NOT_SEEN;
    for (uint32_t n = to.n; n < to.f->nodes[to.n].after; n++) {
        uint32_t given = py_part(to.f, py_returned(to.f, n, to.n), index);
        if (given != 0 && tensor_of(p, to.f, given, depth + RETURN_COSTS) != NOT_SEEN)
            return LIKELY;
    }
    return NOT_SEEN;
}

/* net(x), x.view(-1), batch["image"].to(device), loss_of(x): of a module, a method of a tensor, or of what a loader
 * gives, a function of the project. */
static enum certainty called_tensor(struct project *p, const struct py_file *f, uint32_t call, int depth)
{
    if (fact_module_run(p, f, call) != 0 || returned_tensor(p, f, call, -1, depth) != NOT_SEEN)
        return LIKELY;
    uint32_t moved = py_method(f, call, "to cuda"), tensor = fact_method(f, call, TRAIT_TENSOR_METHOD);
    /* Categorical(logits=x).log_prob(a) */
    struct value v = fact_value(p, f, py_method(f, call, "log_prob sample rsample entropy"));
    if ((moved != 0 && is_of_batch(p, f, moved, depth)) ||
        (v.kind == VALUE_OBJECT && span_starts(fact_name_text(p, v.name), SPAN("torch.distributions."))))
        return LIKELY;
    return tensor != 0 ? tensor_of(p, f, tensor, depth + 1) : NOT_SEEN;
}

static enum certainty tensor_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    enum certainty sure = NOT_SEEN;

    n = py_bare(f, n);
    if (n == 0 || depth > TENSORS_DEEP)
        return NOT_SEEN;
    struct value v = fact_value(p, f, n);
    if (v.kind == VALUE_TENSOR && fact_name_word(p, v.name)->framework == FRAMEWORK_TORCH)
        return CERTAIN;
    if (v.kind != VALUE_UNKNOWN)
        return NOT_SEEN;
    switch (py_kind(f, n)) {
    case PY_CALL:
        return called_tensor(p, f, n, depth);
    case PY_SUBSCRIPT:
        return tensor_of(p, f, py_child(f, n, FIELD_VALUE), depth + 1);
    case PY_IDENTIFIER:
        return bound_tensor(p, f, n, depth + 1);
    case PY_ATTRIBUTE:
        return span_is_word(py_name(f, n), "data grad T mT") /* x.data is a tensor, where x is one */
                   ? tensor_of(p, f, py_child(f, n, FIELD_OBJECT), depth + 1)
                   : NOT_SEEN;
    case PY_BINARY_OPERATOR:
    case PY_UNARY_OPERATOR:
    case PY_COMPARISON:
        for (uint32_t c = py_first(f, n); c != 0 && sure == NOT_SEEN; c = py_next(f, c))
            sure = tensor_of(p, f, c, depth + 1);
        return sure;
    default:
        return NOT_SEEN;
    }
}

/* Does a caller give a tensor for the parameter of a function that is not a method? */
static bool given_tensor(struct project *p, const struct py_file *f, const struct py_def *param, int depth)
{
    enum { ASKED_MAX = 3 };
    uint32_t function = f->scopes[param->scope].node;

    if (param->index < 0 || py_class_of(f, function) != 0)
        return false;
    for (struct call_sites site = fact_callers(p, f, function); site.taken < ASKED_MAX && fact_take(&site);) {
        uint32_t argument = py_argument(site.file, site.call, (size_t)param->index);
        if (argument != 0 && tensor_of(p, site.file, argument, depth + 1) != NOT_SEEN)
            return true;
    }
    return false;
}

/* Methods that tensors of PyTorch have, and hardly anything else. */
static const char tensor_only[] =
    "unsqueeze unsqueeze_ detach contiguous permute view_as expand_as type_as masked_fill masked_fill_ "
    "scatter_ gather index_select masked_select numel requires_grad_ softmax log_softmax";

/* Does the chain of methods that begins with the name have one of tensors only: x.unsqueeze(0),
 * x.data.view(-1).detach()? */
static bool begins_tensor_chain(const struct py_file *f, uint32_t name)
{
    /* mask.eq(1).float(): after another method of tensors, no module does. */
    uint32_t n = name;
    bool of_tensor = false;

    for (int depth = 0; depth < TENSORS_DEEP; depth++) {
        uint32_t attribute = py_parent(f, n), call = py_parent(f, attribute);
        if (py_kind(f, attribute) != PY_ATTRIBUTE || py_child(f, attribute, FIELD_OBJECT) != n)
            return false;
        struct span method = py_name(f, attribute);
        bool called = py_kind(f, call) == PY_CALL && f->nodes[attribute].field == FIELD_FUNCTION;
        if (called &&
            (span_is_word(method, tensor_only) || (span_eq(method, SPAN("size")) && py_argument(f, call, 0) != 0) ||
             (of_tensor && span_is_word(method, "float long byte double half bool int"))))
            return true;
        of_tensor = of_tensor || (called && !vocabulary_method_has(method, TRAIT_MODULE_METHOD));
        if (called ? !vocabulary_method_has(method, TRAIT_TENSOR_METHOD) : !span_eq(method, SPAN("data")))
            return span_eq(method, SPAN("is_cuda"));
        n = called ? call : attribute;
    }
    return false;
}

/* heat = heat.reshape(-1, n).clone(): does the name get what a chain of its own methods gives? */
static bool is_bound_to_itself(const struct py_file *f, const struct py_def *def)
{
    uint32_t n = def->kind == DEF_ASSIGN ? def->value : 0;

    for (int depth = 0; depth < TENSORS_DEEP && py_kind(f, n) == PY_CALL; depth++) {
        uint32_t callee = py_child(f, n, FIELD_FUNCTION);
        n = py_child_of(f, callee, PY_ATTRIBUTE, FIELD_OBJECT);
    }
    return py_kind(f, n) == PY_IDENTIFIER && f->nodes[n].sym == def->sym;
}

/* Does the function treat its parameter, before it binds the name to something else, as only tensors can be? */
static bool handled_as_tensor(struct project *p, const struct py_file *f, uint32_t function, uint32_t sym)
{
    for (struct py_nodes use = py_uses(f, sym, function); py_take(&use);) {
        uint32_t list = py_parent(f, use.n), call = py_parent(f, list);
        const struct py_def *def;
        if (py_kind(f, use.n) != PY_IDENTIFIER || f->nodes[use.n].field == FIELD_ATTRIBUTE)
            continue;
        bool handled = begins_tensor_chain(f, use.n) ||
                       (py_kind(f, list) == PY_ARGUMENT_LIST && py_kind(f, call) == PY_CALL && /* F.relu(x) */
                        py_argument(f, call, 0) == use.n &&
                        span_starts(fact_name(p, f, call), SPAN("torch.nn.functional.")));
        if (handled && (def = py_bound(f, use.n)) != NULL && (def->kind == DEF_PARAM || is_bound_to_itself(f, def)))
            return true;
    }
    return false;
}

static enum certainty bound_tensor(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);) {
        const struct py_def *def = d.def;
        bool value = def->kind == DEF_ASSIGN || def->kind == DEF_UNPACK;
        bool annotated = span_is_word(span_trim(py_text(f, def->type)),
                                      "Tensor torch.Tensor th.Tensor torch.FloatTensor torch.LongTensor");
        bool part = def->kind == DEF_UNPACK && def->index >= 0 && py_kind(f, def->value) == PY_CALL;
        if ((value && tensor_of(p, f, def->value, depth) != NOT_SEEN) ||
            (part && returned_tensor(p, f, def->value, def->index, depth) != NOT_SEEN) ||
            (def->kind == DEF_PARAM && (annotated || given_tensor(p, f, def, depth) ||
                                        fact_once_of(p, f, f->scopes[def->scope].node, def->sym, handled_as_tensor))) ||
            (def->kind == DEF_FOR && def->index == -2 && tensor_of(p, f, def->value, depth) != NOT_SEEN))
            return LIKELY;
    }
    return NOT_SEEN;
}

enum certainty fact_torch_tensor(struct project *p, const struct py_file *f, uint32_t n)
{
    return tensor_of(p, f, n, 0);
}

/* A layer that goes over pictures or sequences, or a network of a library. */
static bool makes_large(struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    struct span name = fact_name(p, f, call);

    return makes_weights(p, f, call)
               ? !span_is_word(name, "torch.nn.Linear torch.nn.Parameter torch.nn.Sequential torch.nn.LayerNorm "
                                     "torch.nn.BatchNorm1d")
               : w->framework == FRAMEWORK_TORCH && span_has(name, ".models.");
}

static bool makes_dense(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_is(p, f, call, "torch.nn.Linear");
}

/* Are the layers of the class dense alone, its bases' included? *dense: it has one. */
static bool class_is_dense(struct project *p, const struct py_file *f, uint32_t class, bool *dense, int depth)
{
    enum { BASES_DEEP = 4 };
    struct value base;

    *dense = *dense || fact_reaches(p, f, class, makes_dense);
    if (depth == BASES_DEEP || fact_reaches(p, f, class, makes_large) || fact_reaches(p, f, class, runs_given))
        return false;
    for (size_t i = 0; fact_base(p, f, class, i, &base); i++)
        if (base.kind == VALUE_CLASS && !class_is_dense(p, fact_file(p, base.file), base.node, dense, depth + 1))
            return false;
    return true;
}

bool fact_only_dense(struct project *p, const struct py_file *f, uint32_t module)
{
    struct value v = fact_value(p, f, module);
    bool dense = false;

    return v.kind == VALUE_INSTANCE && class_is_dense(p, fact_file(p, v.file), v.node, &dense, 0) && dense;
}

static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

bool fact_sees_pictures(struct project *p, const struct py_file *f)
{
    size_t folder = folder_len(f->path);

    for (size_t i = 0; i < p->n_files; i++) {
        const char *path = p->files[i]->path;
        if (strncmp(path, f->path, folder) == 0 && strchr(path + folder, '/') == NULL &&
            fact_mentions(p, p->files[i], "Conv2d("))
            return true;
    }
    return false;
}

/* --- device --- */

static const char accelerators[] =
    "cuda|\"mps\"|'mps'|torch.accelerator|xla_device|accelerator='gpu'|accelerator=\"gpu\"";

static bool moves_beside(struct project *p, const struct py_file *f, uint32_t root)
{
    size_t own = folder_len(f->path);
    const struct py_file *before = f->number > 0 ? fact_file(p, f->number - 1) : NULL;
    bool yes;

    /* The files of a folder stand one after the other, and have one answer. */
    if (before != NULL && folder_len(before->path) == own && strncmp(f->path, before->path, own) == 0 &&
        answer_find(p, (uintptr_t)moves_beside, before, root, 0, &yes))
        return yes;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *other = fact_file(p, i);
        size_t n = folder_len(other->path);
        if (strncmp(f->path, other->path, n < own ? n : own) == 0 && fact_mentions(p, other, accelerators))
            return true;
    }
    return false;
}

/* import x, from x import y: of a file of the project? */
static bool imports_own(struct project *p, const struct py_file *f, uint32_t n)
{
    if (py_kind(f, n) == PY_IMPORT_FROM) {
        struct span module = py_text(f, py_child(f, n, FIELD_MODULE_NAME));
        return span_starts(module, SPAN(".")) || module_find(p, f, module) != NULL;
    }
    for (uint32_t c = py_kind(f, n) == PY_IMPORT ? py_first(f, n) : 0; c != 0; c = py_next(f, c))
        if (module_find(p, f, py_text(f, py_kind(f, c) == PY_ALIASED_IMPORT ? py_first(f, c) : c)) != NULL)
            return true;
    return false;
}

/* Is the file a program that trains at its top without the project's other files? Programs beside it do not count. */
static bool is_alone(struct project *p, const struct py_file *f, uint32_t root)
{
    bool trains = false;

    for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("backward")), root); !trains && py_take(&use);)
        trains = py_function_of(f, use.n) == root;
    for (uint32_t at = root; trains && at < f->n_nodes; at++)
        trains = !imports_own(p, f, at);
    return trains && !fact_mentions(p, f, "ccelerator|ightning|set_default_");
}

bool fact_on_device(struct project *p, const struct py_file *f)
{
    if (fact_role(p, f) == ROLE_NOTEBOOK || fact_once(p, f, ROOT, is_alone)) /* what it does not say, it does not do */
        return fact_mentions(p, f, accelerators);
    return fact_mentions(p, f, accelerators) || fact_once(p, f, ROOT, moves_beside) ||
           /* x.to(device), of a file whose project has an accelerator elsewhere */
           (fact_mentions(p, f, ".to(device|.to(self.device|device=device|device=self.device") &&
            fact_any_mentions(p, accelerators));
}
