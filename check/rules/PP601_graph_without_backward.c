/* PP601: a module of PyTorch runs with the graph for gradients, where nothing goes backward. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { NAMES_DEEP = 4, ROOT = 1, NAMES_MAX = 8 };

/* --- what becomes of the result --- */

static bool is_one_of(struct span name, const char *const *words, size_t n)
{
    return name.len > 0 && span_is_any(name, words, n);
}

/* Attributes and methods of a tensor that give something without a graph. */
static bool ends_graph(struct span name)
{
    static const char *const words[] = {"detach", "data",  "item",  "tolist", "argmax", "argmin",
                                        "eq",     "ge",    "gt",    "lt",     "le",     "shape",
                                        "size",   "dtype", "numpy", "dim",    "detach_"};

    return is_one_of(name, words, ARRAY_LEN(words));
}

/* Functions that show or write what they get, or give whole numbers. */
static bool shows(struct span name)
{
    static const char *const words[] = {"print",     "save_image", "make_grid",     "imsave",
                                        "imshow",    "add_image",  "add_images",    "to_pil_image",
                                        "argmax",    "argmin",     "tensor_to_np",  "tensor2im",
                                        "len",       "plot_images", "save_images",  "print_",
                                        "show_images", "tensor_to_image", "imsave_grid"};

    return is_one_of(name, words, ARRAY_LEN(words));
}

/* A search for what becomes of a tensor, and the names that it went through. */
struct search {
    struct project *p;
    const struct py_file *f;
    uint32_t syms[NAMES_MAX];
    size_t n_syms;
};

static bool is_dropped(struct search *s, uint32_t n, int depth);

static bool was_at(struct search *s, uint32_t sym)
{
    for (size_t i = 0; i < s->n_syms; i++)
        if (s->syms[i] == sym)
            return true;
    if (s->n_syms < NAMES_MAX)
        s->syms[s->n_syms++] = sym;
    return false;
}

/* Is each use of the name, after n in its own function, one without a graph; and is there one? */
static bool name_is_dropped(struct search *s, uint32_t name, int depth)
{
    const struct py_file *f = s->f;
    uint32_t function = py_function_of(f, name), def = py_def_of(f, name);
    size_t n, read = 0;

    if (was_at(s, f->nodes[name].sym)) /* x = x.cpu(): its other uses are looked at already */
        return true;
    if (depth > NAMES_DEEP * 2 || def == 0 || f->defs[def].attribute ||
        (f->defs[def].scope == ROOT && function != ROOT))
        return false;
    const uint32_t *uses = py_uses(f, f->nodes[name].sym, function, &n);
    for (size_t i = 0; i < n; i++) {
        uint32_t use = uses[i];
        enum py_kind around = py_kind(f, py_parent(f, use));
        if (py_kind(f, use) != PY_IDENTIFIER || py_def_at(f, use) != 0 ||
            f->nodes[use].field == FIELD_ATTRIBUTE ||
            (around == PY_KEYWORD_ARGUMENT && f->nodes[use].field == FIELD_NAME))
            continue;
        read++;
        if (!is_dropped(s, use, depth + 1))
            return false;
    }
    return read > 0;
}

/* _, i = torch.max(out, 1); out.topk(5)[1]: where the largest are. */
static bool asks_where(const struct py_file *f, uint32_t call, struct span name)
{
    static const char *const words[] = {"max", "min", "topk", "sort"};
    uint32_t around = py_parent(f, call), left = py_child(f, around, FIELD_LEFT);

    if (!is_one_of(name, words, ARRAY_LEN(words)))
        return false;
    if (py_kind(f, around) == PY_SUBSCRIPT)
        return span_has(py_text(f, around), "[1]");
    return py_kind(f, around) == PY_ASSIGNMENT && left != 0 && py_is(f, py_first(f, left), "_");
}

/* The call that n is an argument of, by position or name; otherwise 0. */
static uint32_t argument_of(const struct py_file *f, uint32_t n)
{
    uint32_t up = py_parent(f, n);

    if (py_kind(f, up) == PY_KEYWORD_ARGUMENT)
        up = py_parent(f, up);
    return py_kind(f, up) == PY_ARGUMENT_LIST && py_kind(f, py_parent(f, up)) == PY_CALL
               ? py_parent(f, up)
               : 0;
}

static bool call_drops(struct search *s, uint32_t call, uint32_t n, int depth)
{
    const struct py_file *f = s->f;
    struct span name = py_name(f, py_child(f, call, FIELD_FUNCTION));

    if (shows(name) || asks_where(f, call, name))
        return true;
    return n == py_argument(f, call, 0) && fact_torch_tensor(s->p, f, call) == CERTAIN &&
           is_dropped(s, call, depth);
}

static bool attribute_drops(struct search *s, uint32_t attribute, int depth)
{
    const struct py_file *f = s->f;
    uint32_t call = py_parent(f, attribute);
    struct span name = py_name(f, attribute);

    if (ends_graph(name))
        return true;
    return py_kind(f, call) == PY_CALL && f->nodes[attribute].field == FIELD_FUNCTION &&
           (asks_where(f, call, name) ||
            (vocabulary_method_has(name, TRAIT_TENSOR_METHOD) && is_dropped(s, call, depth)));
}

/* Does the graph of the tensor, an expression, end in all that becomes of it? */
static bool is_dropped(struct search *s, uint32_t n, int depth)
{
    const struct py_file *f = s->f;
    uint32_t up = py_parent(f, n), call = argument_of(f, n), left;

    if (depth > NAMES_DEEP * 4)
        return false;
    if (call != 0)
        return call_drops(s, call, n, depth + 1);
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
        return f->nodes[n].field == FIELD_RIGHT && left != 0 && py_kind(f, left) == PY_IDENTIFIER &&
               name_is_dropped(s, left, depth + 1);
    default:
        return false;
    }
}

/* --- is it an evaluation? --- */

static bool names_evaluation(const struct py_file *f, uint32_t function)
{
    static const char *const words[] = {"test",   "eval",     "valid",  "predict", "infer",
                                        "sample", "generate", "translate", "detect", "visualize"};
    static const char *const others[] = {"train", "loss", "fit", "attack", "adv"};
    uint32_t name = function > ROOT ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && span_has_any(py_text(f, name), words, ARRAY_LEN(words)) &&
           !span_has_any(py_text(f, name), others, ARRAY_LEN(others));
}

/* Is .eval() called on the module in the function that n is of, before n; the last such call, not one of
 * .train()? */
static bool set_to_eval(const struct py_file *f, uint32_t module, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    size_t n_uses, n_trains;
    const uint32_t *uses = py_uses(f, py_sym(f, SPAN("eval")), function, &n_uses);
    const uint32_t *trains = py_uses(f, py_sym(f, SPAN("train")), function, &n_trains);
    uint32_t last = 0;

    for (size_t i = 0; i < n_uses; i++) {
        uint32_t object = py_kind(f, uses[i]) == PY_ATTRIBUTE ? py_child(f, uses[i], FIELD_OBJECT) : 0;
        if (object != 0 && uses[i] < n && span_eq(py_text(f, object), py_text(f, module)) &&
            py_function_of(f, uses[i]) == function)
            last = uses[i];
    }
    for (size_t i = 0; i < n_trains; i++)
        if (trains[i] > last && trains[i] < n && py_kind(f, trains[i]) == PY_ATTRIBUTE &&
            py_function_of(f, trains[i]) == function)
            return false;
    return last != 0;
}

static bool in_module_class(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t scope = function > ROOT ? f->scopes[f->nodes[function].sym].parent : 0;

    return scope != 0 && f->scopes[scope].kind == SCOPE_CLASS &&
           fact_derives(p, f, f->scopes[scope].node, TRAIT_LAYER);
}

/* Does the function give anything but numbers and what has no graph? */
static bool gives_tensors(const struct py_file *f, uint32_t function)
{
    uint32_t body = function > ROOT ? py_child(f, function, FIELD_BODY) : 0;

    for (uint32_t n = body; body != 0 && n < f->nodes[body].after; n++) {
        enum py_kind kind = py_kind(f, n);
        if (kind == PY_FUNCTION || kind == PY_LAMBDA || kind == PY_CLASS)
            n = f->nodes[n].after - 1;
        else if (kind == PY_YIELD || (kind == PY_RETURN && py_first(f, n) != 0 &&
                                      py_kind(f, py_first(f, n)) != PY_NONE_LITERAL))
            return true;
    }
    return false;
}

static bool is_evaluation(struct project *p, const struct py_file *f, uint32_t call, uint32_t module)
{
    uint32_t function = py_function_of(f, call);
    bool named = names_evaluation(f, function);

    if (py_kind(f, function) == PY_LAMBDA || in_module_class(p, f, function) ||
        fact_goes_backward(p, f, function))
        return false;
    return set_to_eval(f, module, call) && (named || !gives_tensors(f, function));
}

/* --- which call says it --- */

/* Are the weights frozen in the file, so that there may be no graph? */
static bool freezes(struct project *p, const struct py_file *f)
{
    return fact_mentions(p, f, "requires_grad_(False") || fact_mentions(p, f, ".requires_grad = False") ||
           fact_mentions(p, f, ".requires_grad=False");
}

static bool graph_is_dropped(struct project *p, const struct py_file *f, uint32_t call)
{
    struct search s = {.p = p, .f = f};

    return !in_module_class(p, f, py_function_of(f, call)) && is_dropped(&s, call, 0);
}

/* Where it is known what the module is, it makes weights, itself or by a base that is not seen. */
static bool has_weights(struct project *p, const struct py_file *f, uint32_t module)
{
    struct value v = fact_value(p, f, module);

    return (v.kind != VALUE_INSTANCE && v.kind != VALUE_MODEL) || fact_has_weights(p, f, module);
}

static bool records_for_nothing(struct project *p, const struct py_file *f, uint32_t call,
                                enum certainty *sure)
{
    uint32_t module = fact_module_run(p, f, call, sure);

    return module != 0 && has_weights(p, f, module) && !freezes(p, f) && !fact_without_grad(p, f, call) &&
           (is_evaluation(p, f, call, module) || graph_is_dropped(p, f, call));
}

/* Of a function that evaluates the first call has the finding. */
static bool said_before(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t function = py_function_of(f, call);
    enum certainty sure;
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    if (function == ROOT || fact_goes_backward(p, f, function))
        return false;
    for (size_t i = 0; i < n && calls[i] < call; i++)
        if (calls[i] > function && py_function_of(f, calls[i]) == function &&
            records_for_nothing(p, f, calls[i], &sure))
            return true;
    return false;
}

/* model(torch.randn(1, 3, 32, 32)): somebody tries it out. */
static bool tries_out(struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);
    struct value v = first != 0 ? fact_value(p, f, first) : (struct value){0};

    return first == 0 || (v.kind == VALUE_TENSOR && word_has(fact_name_word(p, v.name), TRAIT_MAKES_TENSOR));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    enum certainty sure;
    struct steps steps;

    if (!records_for_nothing(p, f, call, &sure) || said_before(p, f, call))
        return;
    bool often = fact_steps(p, f, call, &steps) != NOT_SEEN;
    if (!often && tries_out(p, f, call))
        return;
    bool once = !often && py_function_of(f, call) == ROOT;
    rule_report(r, call, once ? CHECK_LOW : CHECK_MEDIUM,
                "%s() records a graph, but nothing goes backward",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
}

const struct rule rule_PP601 = {
    .about = {
        .id = "PP601",
        .name = "graph-without-backward",
        .summary = "A PyTorch module records a graph for gradients that nobody computes",
        .why = "It takes time and memory for gradients that nobody computes.",
        .advice = "Run it in torch.no_grad() or torch.inference_mode().",
        .impact = CHECK_MEDIUM,
        .certainty = CHECK_CERTAIN,
        .on = true,
    },
    .uses = USES_TORCH,
    .call = check_call,
};
