/* PP601: a module of PyTorch runs with the graph for gradients, where nothing goes backward. */
#include "check/facts/training.h"
#include "check/rules/phases.h"
#include "check/rules/rule.h"

enum { NAMES_DEEP = 4, NAMES_MAX = 8, USES_MAX = 500 };

/* --- what becomes of the result --- */

/* A search for what becomes of a tensor, and the bindings of names that it went through. */
struct search {
    struct project *p;
    const struct py_file *f;
    uint32_t names[NAMES_MAX];
    size_t n_names;
    bool returned; /* it is the result of a function, as its callers see it */
};

static bool is_dropped(struct search *s, uint32_t n, int depth);

/* May the name at `use` have the value that it is bound to at `name`? */
static bool has_value_of(const struct py_file *f, uint32_t use, uint32_t name)
{
    enum { DEFS_MAX = 8 };
    uint32_t bound = py_def_at(f, name);
    struct py_defs d = py_reaching(f, use, DEFS_MAX);

    while (py_take_def(&d))
        if (d.number == bound)
            return true;
    return d.all == DEFS_MAX || bound == 0;
}

/* Is it a name that is read, and no keyword? */
static bool is_read(const struct py_file *f, uint32_t use)
{
    return py_is_variable(f, use) && py_def_at(f, use) == 0;
}

/* Is each use of what the name is bound to here, in its own function, one without a graph; and is there one? */
static bool name_is_dropped(struct search *s, uint32_t name, int depth)
{
    const struct py_file *f = s->f;
    uint32_t function = py_function_of(f, name), def = py_def_of(f, name);
    size_t read = 0;

    for (size_t i = 0; i < s->n_names; i++)
        if (s->names[i] == name) /* in a loop */
            return true;
    if (s->n_names < NAMES_MAX)
        s->names[s->n_names++] = name;
    if (depth > NAMES_DEEP * 2 || def == 0 || f->defs[def].attribute ||
        (f->defs[def].scope == ROOT && function != ROOT))
        return false;
    struct py_nodes use = py_uses(f, f->nodes[name].sym, function);
    if (use.all > USES_MAX) /* nobody wrote that by hand */
        return false;
    bool augmented = false; /* x += y, anywhere in the function */
    for (struct py_nodes all = use; py_take(&all);) {
        uint32_t bound = py_def_at(f, all.n);
        augmented = augmented || (bound != 0 && f->defs[bound].kind == DEF_AUGMENT);
    }
    while (py_take(&use)) {
        if (!is_read(f, use.n) || (!augmented && !has_value_of(f, use.n, name)))
            continue;
        read++;
        if (!is_dropped(s, use.n, depth + 1))
            return false;
    }
    return read > 0;
}

/* Is the name read only by the run whose result it is a part of: a state that goes from round to round, or begins anew in each? */
static bool is_state(struct search *s, uint32_t name)
{
    const struct py_file *f = s->f;
    size_t read = 0;
    struct py_nodes use = py_uses(f, f->nodes[name].sym, py_function_of(f, name));

    while (py_take(&use)) {
        if (!is_read(f, use.n) || !has_value_of(f, use.n, name))
            continue;
        read++;
        if (py_kind(f, py_parent(f, use.n)) != PY_ARGUMENT_LIST || py_statement(f, use.n) != py_statement(f, name))
            return false;
    }
    return read > 0 || (use.all > 1 && fact_loop(s->p, f, name).node != 0);
}

/* The list that the call adds to: outputs.append(x); 0: another call. */
static uint32_t list_of(const struct py_file *f, uint32_t call)
{
    uint32_t list = py_method(f, call, "append");

    return py_kind(f, list) == PY_IDENTIFIER && py_def_of(f, list) != 0 &&
                   py_kind(f, py_parent(f, call)) == PY_EXPRESSION_STATEMENT
               ? list
               : 0;
}

/* Is all that becomes of the list of its function without a graph: torch.cat(outputs).numpy()? */
static bool list_is_dropped(struct search *s, uint32_t list, int depth)
{
    const struct py_file *f = s->f;
    uint32_t function = py_function_of(f, list), def = py_def_of(f, list);
    size_t read = 0;

    if (depth > NAMES_DEEP * 2 || (f->defs[def].scope == ROOT && function != ROOT) || f->defs[def].kind == DEF_PARAM)
        return false;
    for (struct py_nodes use = py_uses(f, f->nodes[list].sym, function); py_take(&use);) {
        uint32_t call = py_parent(f, py_parent(f, use.n));
        if (!is_read(f, use.n) || (py_kind(f, call) == PY_CALL && list_of(f, call) == use.n))
            continue;
        read++;
        if (!is_dropped(s, use.n, depth + 1))
            return false;
    }
    return read > 0;
}

/* _, i = torch.max(out, 1); out.topk(5)[1]: where the largest are. */
static bool asks_where(const struct py_file *f, uint32_t call, struct span name)
{
    uint32_t around = py_parent(f, call), left = py_child(f, around, FIELD_LEFT);

    if (!span_is_word(name, "max min topk sort"))
        return false;
    if (py_kind(f, around) == PY_SUBSCRIPT)
        return span_has(py_text(f, around), "[1]");
    return py_kind(f, around) == PY_ASSIGNMENT && left != 0 && py_is(f, py_first(f, left), "_");
}

/* y, h = net(x, h): is each part that is used dropped, but for what goes into the next run? */
static bool parts_are_dropped(struct search *s, uint32_t left, int depth)
{
    size_t dropped = 0;

    for (uint32_t n = py_first(s->f, left); n != 0; n = py_next(s->f, n)) {
        if (py_kind(s->f, n) != PY_IDENTIFIER)
            return false;
        if (py_is(s->f, n, "_") || is_state(s, n))
            continue;
        dropped++;
        if (!name_is_dropped(s, n, depth))
            return false;
    }
    return dropped > 0;
}

static bool call_drops(struct search *s, uint32_t call, uint32_t n, int depth)
{
    const struct py_file *f = s->f;
    struct span name = py_called(f, call);

    /* it shows or writes what it gets, or gives whole numbers */
    if (span_is_word(name,
                     "print save_image make_grid imsave imshow add_image add_images to_pil_image multinomial argmax "
                     "argmin tensor_to_np tensor2im len plot_images save_images print_ show_images tensor_to_image "
                     "imsave_grid") ||
        asks_where(f, call, name))
        return true;
    if (span_starts(name, SPAN("pack_"))) /* .data of a packed sequence has the graph */
        return false;
    if (n == py_argument(f, call, 0) && list_of(f, call) != 0)
        return list_is_dropped(s, list_of(f, call), depth);
    if (fact_module_run(s->p, f, call) != 0) /* critic(actor(x)).detach() */
        return is_dropped(s, call, depth);
    return n == py_argument(f, call, 0) && fact_torch_tensor(s->p, f, call) == CERTAIN && is_dropped(s, call, depth);
}

static bool attribute_drops(struct search *s, uint32_t attribute, int depth)
{
    const struct py_file *f = s->f;
    uint32_t call = py_parent(f, attribute);
    struct span name = py_name(f, attribute);

    /* it gives something without a graph */
    if (span_is_word(name, "detach data item tolist argmax argmin eq ge gt lt le shape size dtype dim detach_"))
        return true;
    return py_kind(f, call) == PY_CALL && f->nodes[attribute].field == FIELD_FUNCTION &&
           (asks_where(f, call, name) ||
            (vocabulary_method_has(name, TRAIT_TENSOR_METHOD) && is_dropped(s, call, depth)));
}

/* Is the function called by the project's programs alone, and each time for what has no graph? */
static bool result_is_dropped(struct search *s, uint32_t function, int depth)
{
    enum { SITES_MAX = 6 };
    struct call_sites site = fact_callers(s->p, s->f, function);

    if (s->returned || py_kind(s->f, py_parent(s->f, function)) == PY_DECORATED || site.all > SITES_MAX)
        return false;
    while (fact_take(&site)) {
        struct search caller = {.p = s->p, .f = site.file, .returned = true};
        if (!fact_in_program(s->p, caller.f, site.call) || !is_dropped(&caller, site.call, depth + 1))
            return false;
    }
    return site.all > 0;
}

/* Does the graph of the tensor, an expression, end in all that becomes of it? */
static bool is_dropped(struct search *s, uint32_t n, int depth)
{
    const struct py_file *f = s->f;
    uint32_t up = py_parent(f, n), left;

    if (depth > NAMES_DEEP * 4)
        return false;
    uint32_t list = py_kind(f, up) == PY_KEYWORD_ARGUMENT ? py_parent(f, up) : up;
    if (py_kind(f, list) == PY_ARGUMENT_LIST && py_kind(f, py_parent(f, list)) == PY_CALL)
        return call_drops(s, py_parent(f, list), n, depth + 1);
    switch (py_kind(f, up)) {
    case PY_ATTRIBUTE:
        return attribute_drops(s, up, depth + 1);
    case PY_COMPARISON:
    case PY_INTERPOLATION:
        return true;
    case PY_SUBSCRIPT:
    case PY_PARENTHESIZED:
    case PY_BINARY_OPERATOR:
    case PY_UNARY_OPERATOR:
        return f->nodes[n].field != FIELD_SUBSCRIPT && is_dropped(s, up, depth + 1);
    case PY_ASSIGNMENT:
        left = py_child(f, up, FIELD_LEFT);
        if (f->nodes[n].field != FIELD_RIGHT)
            return false;
        if (py_kind(f, left) == PY_IDENTIFIER)
            return name_is_dropped(s, left, depth + 1);
        return (py_kind(f, left) == PY_PATTERN_LIST || py_kind(f, left) == PY_TUPLE_PATTERN) &&
               parts_are_dropped(s, left, depth + 1);
    case PY_LIST_COMPREHENSION:
        return f->nodes[n].field == FIELD_BODY && is_dropped(s, up, depth + 1);
    case PY_RETURN:
        return result_is_dropped(s, py_function_of(f, n), depth + 1);
    default:
        return false;
    }
}

/* --- is it an evaluation? --- */

static bool names_evaluation(const struct py_file *f, uint32_t function)
{
    struct span name = py_title(f, function);

    return span_has_word(name, "test eval valid predict infer demo accura sample generate translate detect visualize "
                               "beam greedy") &&
           !span_has_word(name, "train loss fit attack adv");
}

/* Is .eval() called on the module in the function that n is of, before n; the last such call, not one of .train()? */
static bool set_to_eval(const struct py_file *f, struct span module, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    uint32_t last = 0;

    for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("eval")), function); py_take(&use);) {
        uint32_t object = py_child_of(f, use.n, PY_ATTRIBUTE, FIELD_OBJECT);
        if (object != 0 && use.n < n && span_eq(py_text(f, object), module) && py_function_of(f, use.n) == function)
            last = use.n;
    }
    for (struct py_nodes u = py_uses(f, py_sym(f, SPAN("train")), function); py_take(&u);)
        if (u.n > last && u.n < n && py_kind(f, u.n) == PY_ATTRIBUTE && py_function_of(f, u.n) == function)
            return false;
    return last != 0;
}

/* Does the function give anything but numbers and what has no graph? */
static bool gives_tensors(const struct py_file *f, uint32_t function)
{
    uint32_t body = function > ROOT ? py_child(f, function, FIELD_BODY) : 0;

    for (uint32_t n = body; body != 0 && n < f->nodes[body].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_FUNCTION || kind == PY_LAMBDA || kind == PY_CLASS)
            n = f->nodes[n].after - 1;
        else if (kind == PY_YIELD ||
                 (kind == PY_RETURN && py_first(f, n) != 0 && py_kind(f, py_first(f, n)) != PY_NONE_LITERAL))
            return true;
    }
    return false;
}

/* Is the call in a loop over data, in which nothing goes backward? */
static bool in_evaluating_loop(struct project *p, const struct py_file *f, uint32_t call)
{
    for (struct loop loop = fact_loop(p, f, call); loop.node != 0; loop = fact_outer_loop(p, f, loop)) {
        if (fact_goes_backward(p, f, loop.node))
            return false;
        if (fact_evaluates(p, f, loop))
            return true;
    }
    return false;
}

/* Does the function that n is of call backward() itself? */
static bool has_backward(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);

    for (struct py_nodes use = py_uses(f, py_sym(f, SPAN("backward")), function); py_take(&use);)
        if (py_function_of(f, use.n) == function)
            return true;
    return false;
}

/* May the function's result go backward: through code that calls backward(), or a module? *seen: a call of it is
 * seen. */
static bool goes_on(struct project *p, const struct py_file *f, uint32_t function, bool *seen)
{
    enum { SITES_MAX = 12 };
    struct call_sites site = fact_callers(p, f, function);

    *seen = site.all > 0;
    while (site.taken < SITES_MAX && fact_take(&site))
        if (py_kind(site.file, py_parent(site.file, site.call)) != PY_EXPRESSION_STATEMENT &&
            (has_backward(site.file, site.call) || fact_in_module(p, site.file, py_function_of(site.file, site.call))))
            return true;
    return false;
}

/* Do only functions that say they evaluate call this one, as far as seen? No method that bases of its class may
 * call. */
static bool serves_evaluation(struct project *p, const struct py_file *f, uint32_t function)
{
    enum { SITES_MAX = 6 };
    uint32_t class = function > ROOT ? py_up(f, function, PY_CLASS) : 0;
    uint32_t bases = class != 0 ? py_child(f, class, FIELD_SUPERCLASSES) : 0;
    bool own = bases == 0 || py_is(f, bases, "(object)");
    struct call_sites site = fact_callers(p, f, function);

    if (!own || site.all > SITES_MAX)
        return false;
    while (fact_take(&site)) {
        uint32_t around = py_function_of(site.file, site.call);
        if (!names_evaluation(site.file, around) || fact_in_module(p, site.file, around) ||
            fact_goes_backward(p, site.file, around))
            return false;
    }
    return site.all > 0;
}

/* self, self.encoder */
static bool is_own(const struct py_file *f, uint32_t module)
{
    return py_is(f, module, "self") || span_starts(py_text(f, module), SPAN("self."));
}

static bool is_evaluation(struct project *p, const struct py_file *f, uint32_t call, uint32_t module)
{
    uint32_t function = py_function_of(f, call);
    bool method = fact_in_module(p, f, function);
    bool named = names_evaluation(f, function) || (!method && serves_evaluation(p, f, function)), seen;

    if (py_kind(f, function) == PY_LAMBDA)
        return false;
    bool eval = !method && set_to_eval(f, py_text(f, module), call);
    if (fact_goes_backward(p, f, function))
        return eval && in_evaluating_loop(p, f, call);
    if (eval && (named || !gives_tensors(f, function) || in_evaluating_loop(p, f, call)))
        return true;
    /* In a function that says by its name that it evaluates or generates: nobody goes backward from what it gives. Or
     * self.eval(), and the module runs itself, or a part: a method that does not end in self.train(). */
    struct loop loop = fact_loop(p, f, call);
    return named && loop.node != 0 && loop.trip != TRIP_SHORT && !goes_on(p, f, function, &seen) &&
           (seen || (!method && !gives_tensors(f, function)) ||
            (is_own(f, module) && set_to_eval(f, SPAN("self"), call)));
}

/* --- which call says it --- */

/* model(x).cpu().numpy(): PyTorch refuses that where there is a graph, so that there is none. */
static bool gives_array(const struct py_file *f, uint32_t call)
{
    for (uint32_t attribute = py_parent(f, call); py_kind(f, attribute) == PY_ATTRIBUTE;) {
        struct span name = py_name(f, attribute);
        if (span_eq(name, SPAN("numpy")))
            return true;
        uint32_t up = py_parent(f, attribute);
        if (!span_is_word(name, "cpu squeeze float to flatten") || py_kind(f, up) != PY_CALL)
            return false;
        attribute = py_parent(f, up);
    }
    return false;
}

/* Has a class of the project that the method's class derives from a method without gradients, which may call it? */
static bool base_is_without(struct project *p, const struct py_file *f, uint32_t class, int depth)
{
    enum { BASES_DEEP = 4 };
    struct value base;

    for (size_t i = 0; depth < BASES_DEEP && fact_base(p, f, class, i, &base); i++) {
        const struct py_file *file = fact_file(p, base.file);
        if (base.kind == VALUE_CLASS &&
            (span_has_word(py_text(file, base.node), "@torch.no_grad @no_grad @torch.inference_mode") ||
             base_is_without(p, file, base.node, depth + 1)))
            return true;
    }
    return false;
}

/* Does a module of the project take gradients when it runs, such as forces of an energy? A penalty is for training. Asked of any file. */
static bool takes_gradients(struct project *p, const struct py_file *any, uint32_t root)
{
    (void)any;
    (void)root;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        bool may = fact_mentions(p, f, "autograd") && !fact_mentions(p, f, "enalty");
        struct py_nodes call = may ? fact_calls(p, f) : (struct py_nodes){0};
        while (py_take(&call))
            if (fact_is(p, f, call.n, "torch.autograd.grad") && fact_in_module(p, f, py_function_of(f, call.n)))
                return true;
    }
    return false;
}

/* Variable(x, volatile=True), in code for the releases where that records nothing: before 0.4, which have loss.data[0],
 * and no no_grad(). Or a function of the project decides it: volatile=evaluation. */
static bool is_volatile(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t loop = fact_loop(p, f, call).node, function = py_function_of(f, call);
    bool evaluates = function > ROOT && !fact_goes_backward(p, f, function); /* a state of before the loop is, too */
    uint32_t within = loop != 0 && !evaluates ? loop : function;
    bool said = within > ROOT && fact_mentions(p, f, "volatile=True") && span_has(py_text(f, within), "volatile=True");

    return (said || fact_any_mentions(p, "volatile=eval")) && fact_any_mentions(p, ".data[0]") &&
           !fact_any_mentions(p, "no_grad");
}

static bool runs_part(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t module = fact_module_run(p, f, call);

    return module != 0 && is_own(f, module) && !fact_without_grad(p, f, call);
}

/* A function that has the finding itself, or decides itself whether there is a graph. */
static bool answers_itself(const struct py_file *f, uint32_t function)
{
    if (span_has_word(py_text(f, function), "no_grad inference_mode set_grad_enabled"))
        return true;
    return names_evaluation(f, function) && (py_has(f, function, PY_FOR) || py_has(f, function, PY_WHILE));
}

/* Does one of the methods of the name run parts of its module, where all functions of the name are methods of modules? */
static bool modules_run_parts(struct project *p, const struct py_file *asking, uint32_t root, uint32_t sym)
{
    struct span method = asking->syms[sym];
    bool runs = false;

    (void)root;
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        for (struct py_nodes use = py_uses(f, py_sym(f, method), ROOT); py_take(&use);) {
            uint32_t function = py_parent(f, use.n);
            if (py_kind(f, use.n) != PY_IDENTIFIER || f->nodes[use.n].field != FIELD_NAME ||
                py_kind(f, function) != PY_FUNCTION)
                continue;
            if (!fact_in_module(p, f, function) || answers_itself(f, function) ||
                py_decorated(f, function, "inference grad", true)) /* it may decide it: @smart_no_grad */
                return false;
            runs = runs || fact_reaches(p, f, function, runs_part);
        }
    }
    return runs;
}

/* The module that the call runs, also by a method of its own that runs its parts, model.decode(x); otherwise 0. */
static uint32_t module_of(struct project *p, const struct py_file *f, uint32_t call)
{
    struct function to;
    struct span method = {"", 0};
    uint32_t module = fact_module_run(p, f, call), receiver = py_receiver(f, call, &method);

    if (module != 0 || receiver == 0 || py_is(f, receiver, "self") || fact_module(p, f, receiver) == NOT_SEEN)
        return module;
    bool runs = !fact_callee(p, f, call, &to)
                    ? !vocabulary_method_has(method, TRAIT_MODULE_METHOD) &&
                          fact_once_of(p, f, ROOT, py_sym(f, method), modules_run_parts)
                    : fact_module(p, f, receiver) == CERTAIN && fact_in_module(p, to.f, to.n) &&
                          !answers_itself(to.f, to.n) && fact_reaches(p, to.f, to.n, runs_part);
    return runs ? receiver : 0;
}

/* model(torch.randn(1, 3, 32, 32)): somebody tries it out. Not where a loop gives it something else in each round, such
 * as the word that it gave. */
static bool tries_out(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0), list = py_child(f, call, FIELD_ARGUMENTS);
    struct loop loop = fact_loop(p, f, call);

    if (loop.node != 0 && loop.trip != TRIP_SHORT && fact_invariant(p, f, list, loop.node) == NOT_SEEN)
        return false;
    struct value v = fact_value(p, f, first);

    const struct word *made = fact_name_word(p, v.name);
    return v.kind == VALUE_TENSOR && word_has(made, TRAIT_MAKES_TENSOR) && !word_has(made, TRAIT_FROM_LIST);
}

/* x.requires_grad_(), model(x): is an argument one that gradients are taken of? */
static bool takes_gradients_of(const struct py_file *f, uint32_t call)
{
    AT_END(buf_clear) struct buf text = {0};

    for (uint32_t n = py_first(f, py_child(f, call, FIELD_ARGUMENTS)); n != 0; n = py_next(f, n)) {
        uint32_t given = py_is_named(f, n) ? py_assigned(f, n) : 0;
        buf_reset(&text);
        buf_addf(&text, "%.*s.requires_grad_()", SPAN_ARG(py_text(f, n)));
        if ((given != 0 && span_has(py_text(f, given), "requires_grad_()")) ||
            span_find(f->code, buf_span(&text)) != SIZE_MAX)
            return true;
    }
    return false;
}

static bool records_for_nothing(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct search s = {.p = p, .f = f};
    struct steps steps;
    uint32_t module = module_of(p, f, call), receiver = py_receiver(f, call, NULL);

    if (module == 0) { /* of a call of nothing that is known it is worth saying */
        if (rule_asked(r, call) && (receiver == 0 || py_is(f, receiver, "self")) && !fact_callee(p, f, call, NULL) &&
            fact_name(p, f, call).len == 0)
            rule_lacks(r, call, py_child(f, call, FIELD_FUNCTION), "it is not known to be a module");
        return false;
    }
    /* Where it is known what the module is, it makes weights, itself or by a base that is not seen. */
    struct value v = fact_value(p, f, module);
    uint32_t class = py_class_of(f, py_function_of(f, call));
    bool known = v.kind == VALUE_INSTANCE || v.kind == VALUE_MODEL;
    bool any = !known || span_eq(fact_name_text(p, v.name), SPAN("torch.nn.Module")); /* model: nn.Module */
    return rule_needs(r, call, module, !known || fact_has_weights(p, f, module), "it is seen to have no weights") &&
           rule_needs(r, call, module, !any || !fact_once(p, fact_file(p, 0), ROOT, takes_gradients),
                      "modules of the project take gradients when they run, and it may be one") &&
           rule_needs(r, call, call,
                      !fact_mentions(p, f, "requires_grad_(False|.requires_grad = False|.requires_grad=False"),
                      "the file freezes weights, so that there may be no graph") &&
           rule_needs(r, call, call, !fact_without_grad(p, f, call), "it runs without gradients") &&
           rule_needs(r, call, call, !base_is_without(p, f, class, 0), "a base of its class enters no_grad()") &&
           rule_needs(r, call, call, py_first(f, py_child(f, call, FIELD_ARGUMENTS)) != 0, "it is given nothing") &&
           rule_needs(r, call, call, !gives_array(f, call), "numpy() refuses what has a graph") &&
           rule_needs(r, call, call, !fact_mentions(p, f, ".requires_grad_()") || !takes_gradients_of(f, call),
                      "gradients are taken of what it is given") &&
           rule_needs(r, call, call, !is_volatile(p, f, call), "volatile=True, of old releases") &&
           rule_needs(r, call, call,
                      is_evaluation(p, f, call, module) ||
                          ((!fact_in_module(p, f, py_function_of(f, call)) || has_backward(f, call)) &&
                           is_dropped(&s, call, 0)),
                      "it is not seen to evaluate, nor that all that becomes of its result drops the graph") &&
           rule_needs(r, call, call, fact_steps(p, f, call, &steps) != NOT_SEEN || !tries_out(p, f, call),
                      "it only tries the module out");
}

/* Of a function that evaluates the first call has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);

    if (function == ROOT || fact_goes_backward(p, f, function))
        return false;
    for (struct py_nodes other = fact_calls(p, f); py_take(&other) && other.n < call;)
        if (other.n > function && py_function_of(f, other.n) == function && records_for_nothing(NULL, p, f, other.n))
            return true;
    return false;
}

/* with torch.no_grad(): around the statement, where it is an assignment or a call that begins its line. */
static void propose_no_grad(struct rule_run *r, const struct py_file *f, uint32_t call)
{
    uint32_t statement = py_statement(f, call), torch = py_def_in(f, ROOT, py_sym(f, SPAN("torch")));
    uint32_t start = f->nodes[statement].start, assignment = py_first(f, statement);
    struct span before = rule_before(f, statement);

    if (torch == 0 || f->defs[torch].kind != DEF_IMPORT || py_kind(f, statement) != PY_EXPRESSION_STATEMENT ||
        py_line(f, start) != py_line(f, f->nodes[statement].end) || span_trim(before).len > 0)
        return;
    rule_edit(r, start, start, "with torch.no_grad():\n%.*s    ", SPAN_ARG(before));
    if (py_kind(f, assignment) == PY_ASSIGNMENT && /* x = model(y).detach(), and no more */
        py_method(f, py_child(f, assignment, FIELD_RIGHT), "detach") == call)
        rule_fix(r, "record no graph");
    else
        rule_propose(r, "record no graph");
}

/* One batch, of which its function makes a picture. */
static bool draws_once(const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);

    for (uint32_t n = function; function > ROOT && n < f->nodes[function].after; n++)
        if (span_is_word(py_called(f, n), "save_image make_grid imshow savefig imsave"))
            return !py_inside(f, call, py_up(f, call, PY_FOR)) || py_up(f, call, PY_FOR) < function;
    return false;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    bool told = phases_evaluates(p, f, call);
    if (told || phases_records_in_each(p, f, call)) { /* a function that trains or evaluates, as it is told */
        rule_report(r, call, CHECK_MEDIUM,
                    told ? "%s() records a graph here, but goes backward only to train"
                         : "%s() records a graph in each phase, but only training goes backward",
                    RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
        if (told)
            propose_no_grad(r, f, call);
        else
            rule_advice(r, "Run it in torch.set_grad_enabled(), with the test that guards backward().");
        return;
    }
    if (!records_for_nothing(r, p, f, call) ||
        !rule_needs(r, call, call, !said_before(p, f, call), "an earlier call of the function has the finding"))
        return;
    uint32_t callee = py_child(f, call, FIELD_FUNCTION); /* torch.nn.Conv2d(3, 8, 5)(x) asks for a shape */
    bool made = py_kind(f, callee) == PY_CALL && fact_value(p, f, callee).kind == VALUE_MODEL;
    /* A sequence that is made step by step, each of what the one before gave, for somebody to look at. */
    uint32_t loop = fact_loop(p, f, call).node;
    bool sample = loop != 0 && fact_depends(f, py_child(f, call, FIELD_ARGUMENTS), call, loop) &&
                  fact_only_shown(p, f, py_function_of(f, call));
    /* Does it cost next to nothing to record: a network of dense layers; one that is not known, by its name the target
     * of a game's, in a folder without convolutions? */
    uint32_t module = module_of(p, f, call);
    struct value v = fact_value(p, f, module);
    bool known = v.kind == VALUE_INSTANCE || v.kind == VALUE_MODEL;
    bool light = module != 0 && (known ? fact_only_dense(p, f, module)
                                       : span_has(py_name(f, module), "target") && !fact_sees_pictures(p, f));
    bool little = fact_seldom(p, f, call) || made || sample || light || draws_once(f, call);
    rule_report(r, call, little ? CHECK_LOW : CHECK_MEDIUM, "%s() records a graph, but nothing goes backward",
                RULE_TEXT(f, callee));
    propose_no_grad(r, f, call);
}

const struct rule_looks rule_PP601 = {.call = check_call};
