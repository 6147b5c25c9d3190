/* PP435: an array of labels is compared with one class after the other, where one pass does for all of them. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { ROUNDS_MIN = 5, CALLS_MAX = 6 };

/* One loop over classes. */
struct classes {
    struct project *p;
    const struct py_file *f;
    uint32_t loop;
    uint32_t target; /* the name of the class */
};

/* --- the loop --- */

static bool holds_name(const struct py_file *f, uint32_t n, uint32_t sym)
{
    size_t uses;

    (void)py_uses(f, sym, n, &uses);
    return uses > 0;
}

/* for c in range(n), for c, color in enumerate(colors), for c, color in colors.items(): its c; 0: another loop. */
static uint32_t target_of(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t over = py_child(f, loop, FIELD_RIGHT), left = py_child(f, loop, FIELD_LEFT);
    struct span method = {"", 0};

    if (py_kind(f, over) != PY_CALL)
        return 0;
    if (fact_has(p, f, over, TRAIT_RANGE))
        return py_kind(f, left) == PY_IDENTIFIER ? left : 0;
    bool pairs = py_is(f, py_child(f, over, FIELD_FUNCTION), "enumerate") ||
                 (py_receiver(f, over, &method) != 0 && span_eq(method, SPAN("items")));
    uint32_t first = pairs && py_kind(f, left) != PY_IDENTIFIER ? py_first(f, left) : 0;
    return first != 0 && py_kind(f, first) == PY_IDENTIFIER ? first : 0;
}

/* A call that is not work beside the passes over the array. */
static bool is_light_call(struct project *p, const struct py_file *f, uint32_t call)
{
    static const char *const methods[] = {"astype", "float", "long",    "int",     "bool",     "byte", "sum",
                                          "item",   "cpu",   "append",  "mean",    "any",      "all",  "max",
                                          "min",    "to",    "type",    "detach",  "numpy",    "view", "copy",
                                          "size",   "clone", "flatten", "squeeze", "unsqueeze"};
    static const char *const builtins[] = {"int",   "float", "max",   "min", "range", "len",
                                           "tuple", "list",  "print", "str", "round"};
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    struct span name = fact_name(p, f, call), method = {"", 0};

    if (fact_word(p, f, call)->framework == FRAMEWORK_NUMPY || span_starts(name, SPAN("numpy.")))
        return !span_has(name, "random");
    if (span_starts(name, SPAN("torch.")))
        return !span_starts(name, SPAN("torch.nn."));
    if (py_kind(f, callee) == PY_IDENTIFIER)
        return span_is_any(py_text(f, callee), builtins, ARRAY_LEN(builtins));
    return py_receiver(f, call, &method) != 0 && span_is_any(method, methods, ARRAY_LEN(methods));
}

/* Does the loop do nothing but such passes, once for each class? */
static bool only_passes(const struct classes *c)
{
    uint32_t body = py_body(c->f, c->loop);

    for (uint32_t n = body; n < c->f->nodes[body].after; n++) {
        enum py_kind kind = py_kind(c->f, n);
        bool leaves = kind == PY_BREAK || kind == PY_RETURN || kind == PY_YIELD || kind == PY_FOR || kind == PY_WHILE ||
                      kind == PY_WITH || kind == PY_LIST_COMPREHENSION;
        if (leaves || (kind == PY_CALL && !is_light_call(c->p, c->f, n)))
            return false;
    }
    return true;
}

/* --- masks --- */

/* labels == c: the labels; 0: another comparison, or of a table of pandas, or of what the loop changes. */
static uint32_t compared(const struct classes *c, uint32_t n, bool equal)
{
    const struct py_file *f = c->f;
    uint32_t left = py_first(f, n), right = py_next(f, left);

    if (py_next(f, right) != 0)
        return 0;
    uint32_t from = f->nodes[left].end, to = f->nodes[right].start;
    struct span sign = span_trim((struct span){f->code.ptr + from, to - from});
    if (!span_eq(sign, SPAN("==")) && (equal || !span_eq(sign, SPAN("!="))))
        return 0;
    bool second = py_kind(f, right) == PY_IDENTIFIER && f->nodes[right].sym == f->nodes[c->target].sym;
    uint32_t labels = second ? left : right, other = second ? right : left;
    if (py_kind(f, other) != PY_IDENTIFIER || f->nodes[other].sym != f->nodes[c->target].sym ||
        holds_name(f, labels, f->nodes[c->target].sym))
        return 0;
    enum py_kind kind = py_kind(f, labels);
    if (kind != PY_IDENTIFIER && kind != PY_SUBSCRIPT && kind != PY_ATTRIBUTE)
        return 0;
    for (uint32_t at = labels; at < f->nodes[labels].after; at++)
        if (py_kind(f, at) == PY_STRING)
            return 0;
    return fact_invariant(c->p, f, labels, c->loop) != NOT_SEEN ? labels : 0;
}

static uint32_t mask_of(const struct classes *c, uint32_t n, bool equal, unsigned depth);

/* Of (labels == c).astype(int), np.where(labels == c, 1, 0), np.logical_and(a == c, b == c). */
static uint32_t mask_of_call(const struct classes *c, uint32_t call, bool equal, unsigned depth)
{
    static const char *const casts[] = {"astype", "float", "long", "int", "bool", "byte", "to", "type", "cpu"};
    static const char *const functions[] = {"numpy.where",       "torch.where",       "numpy.float32",
                                            "numpy.uint8",       "numpy.array",       "numpy.asarray",
                                            "numpy.logical_and", "torch.logical_and", "numpy.multiply"};
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(c->f, call, &method);

    if (span_is_any(fact_name(c->p, c->f, call), functions, ARRAY_LEN(functions)))
        return mask_of(c, py_argument(c->f, call, 0), equal, depth);
    return receiver != 0 && span_is_any(method, casts, ARRAY_LEN(casts)) ? mask_of(c, receiver, equal, depth) : 0;
}

/* The labels that n is a mask of, true where they are the class; 0: it is something else. */
static uint32_t mask_of(const struct classes *c, uint32_t n, bool equal, unsigned depth)
{
    const struct py_file *f = c->f;
    uint32_t defs[2], at = py_bare(f, n);

    if (depth == CALLS_MAX)
        return 0;
    switch (py_kind(f, at)) {
    case PY_COMPARISON:
        return compared(c, at, equal);
    case PY_IDENTIFIER:
        if (py_reaching(f, at, defs, 2) != 1 || f->defs[defs[0]].kind != DEF_ASSIGN ||
            !py_inside(f, f->defs[defs[0]].value, c->loop))
            return 0;
        return mask_of(c, f->defs[defs[0]].value, equal, depth + 1);
    case PY_CALL:
        return mask_of_call(c, at, equal, depth + 1);
    case PY_SUBSCRIPT: /* one mask picks of another */
    case PY_BINARY_OPERATOR: {
        uint32_t first = py_first(f, at), second = py_next(f, first);
        uint32_t of = mask_of(c, first, equal, depth + 1), too = mask_of(c, second, equal, depth + 1);
        bool number = (py_kind(f, second) == PY_INTEGER || py_kind(f, second) == PY_FLOAT);
        return of != 0 && (too != 0 || (number && py_kind(f, at) == PY_BINARY_OPERATOR)) ? of : 0;
    }
    default:
        return 0;
    }
}

/* --- what is done with them --- */

enum idiom { NOTHING, ONE_HOT, LOOKED_UP, COUNTED };

/* Is it the same in each round, or of the class alone: color, colors[c], (0, 0, 255)? */
static bool is_of_class(const struct classes *c, uint32_t n)
{
    const struct py_file *f = c->f;
    uint32_t targets = py_child(f, c->loop, FIELD_LEFT);

    for (uint32_t at = n; at < f->nodes[n].after; at++) {
        if (py_kind(f, at) == PY_CALL && fact_word(c->p, f, at)->framework != FRAMEWORK_NUMPY)
            return false;
        if (py_kind(f, at) != PY_IDENTIFIER || f->nodes[at].field == FIELD_ATTRIBUTE ||
            holds_name(f, targets, f->nodes[at].sym))
            continue;
        if (fact_invariant(c->p, f, at, c->loop) == NOT_SEEN)
            return false;
    }
    return true;
}

/* The mask among the indices of image[labels == c], image[labels == c, :]; 0: there is none. */
static uint32_t mask_index(const struct classes *c, uint32_t subscript)
{
    uint32_t value = py_child(c->f, subscript, FIELD_VALUE), of = 0;

    for (uint32_t n = py_first(c->f, subscript); n != 0 && of == 0; n = py_next(c->f, n)) {
        uint32_t first = py_kind(c->f, n) == PY_TUPLE ? py_first(c->f, n) : n;
        of = n != value ? mask_of(c, first, true, 0) : 0;
    }
    return of;
}

/* The name that a subscript is of: image of image[i][:, j]. */
static struct span base_of(const struct py_file *f, uint32_t n)
{
    while (py_kind(f, n) == PY_SUBSCRIPT)
        n = py_child(f, n, FIELD_VALUE);
    return py_text(f, n);
}

static enum idiom assigned(const struct classes *c, uint32_t n, uint32_t *labels)
{
    const struct py_file *f = c->f;
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);

    if (py_kind(f, left) != PY_SUBSCRIPT || span_has(base_of(f, left), ".loc") || span_has(base_of(f, left), ".iloc"))
        return NOTHING;
    if ((*labels = mask_of(c, right, true, 0)) != 0)
        return holds_name(f, left, f->nodes[c->target].sym) ? ONE_HOT : NOTHING;
    if ((*labels = mask_index(c, left)) != 0)
        return is_of_class(c, right) && !span_eq(base_of(f, left), base_of(f, *labels)) ? LOOKED_UP : NOTHING;
    return NOTHING;
}

/* image += (labels == c) * colors[c] */
static enum idiom added(const struct classes *c, uint32_t n, uint32_t *labels)
{
    const struct py_file *f = c->f;
    uint32_t left = py_child(f, n, FIELD_LEFT), right = py_child(f, n, FIELD_RIGHT);
    uint32_t product = py_bare(f, right);

    while (product != 0 && py_kind(f, product) == PY_CALL) { /* (…).astype("uint8") */
        struct span method = {"", 0};
        uint32_t receiver = py_receiver(f, product, &method);
        product = receiver != 0 && span_eq(method, SPAN("astype")) ? py_bare(f, receiver) : 0;
    }
    if (product == 0 || py_kind(f, product) != PY_BINARY_OPERATOR || holds_name(f, left, f->nodes[c->target].sym))
        return NOTHING;
    uint32_t first = py_first(f, product), second = py_next(f, first);
    *labels = mask_of(c, first, true, 0);
    if (*labels != 0 && is_of_class(c, second))
        return LOOKED_UP;
    *labels = mask_of(c, second, true, 0);
    return *labels != 0 && is_of_class(c, first) ? LOOKED_UP : NOTHING;
}

/* np.sum(labels == c), ((a == c) & (b == c)).sum() */
static enum idiom counted(const struct classes *c, uint32_t call, uint32_t *labels)
{
    static const char *const functions[] = {"numpy.sum", "torch.sum", "numpy.count_nonzero", "torch.count_nonzero"};
    struct span method = {"", 0};
    uint32_t receiver = py_receiver(c->f, call, &method), of = 0;

    if (span_is_any(fact_name(c->p, c->f, call), functions, ARRAY_LEN(functions)))
        of = py_argument(c->f, call, 0);
    else if (receiver != 0 && span_eq(method, SPAN("sum")) && py_argument(c->f, call, 0) == 0)
        of = receiver;
    *labels = of != 0 ? mask_of(c, of, false, 0) : 0;
    return *labels != 0 ? COUNTED : NOTHING;
}

/* Is the mask n only counted, or given a name; does it pick nothing? */
static bool is_only_counted(const struct classes *c, uint32_t n)
{
    uint32_t labels;

    for (uint32_t up = py_parent(c->f, n); up > c->loop; up = py_parent(c->f, up)) {
        if (py_kind(c->f, up) == PY_CALL && counted(c, up, &labels) == COUNTED)
            return true;
        if (py_kind(c->f, up) == PY_ASSIGNMENT)
            return py_kind(c->f, py_child(c->f, up, FIELD_LEFT)) == PY_IDENTIFIER;
    }
    return false;
}

/* Are all masks of the loop only counted? One that picks elements of another array needs more than bincount(). */
static bool only_counts(const struct classes *c)
{
    uint32_t body = py_body(c->f, c->loop);

    for (uint32_t n = body; n < c->f->nodes[body].after; n++) {
        bool may_be = py_kind(c->f, n) == PY_COMPARISON ||
                      (py_kind(c->f, n) == PY_IDENTIFIER && c->f->nodes[n].field != FIELD_LEFT);
        if (may_be && mask_of(c, n, false, 0) != 0 && !is_only_counted(c, n))
            return false;
    }
    return true;
}

static enum idiom idiom_of(const struct classes *c, uint32_t *labels)
{
    uint32_t body = py_body(c->f, c->loop);
    enum idiom found = NOTHING;

    for (uint32_t n = body; found == NOTHING && n < c->f->nodes[body].after; n++) {
        if (py_kind(c->f, n) == PY_ASSIGNMENT)
            found = assigned(c, n, labels);
        else if (py_kind(c->f, n) == PY_AUGMENTED_ASSIGNMENT)
            found = added(c, n, labels);
        else if (py_kind(c->f, n) == PY_CALL)
            found = counted(c, n, labels);
    }
    return found;
}

/* --- findings --- */

/* In __getitem__() of a data set, __call__() of a transform or update() of a metric, which run for each item. */
static bool is_for_each_item(const struct py_file *f, uint32_t n)
{
    static const char *const names[] = {"__getitem__", "__call__", "update", "add_batch", "addBatch", "update_state"};
    uint32_t function = py_function_of(f, n), name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;

    return name != 0 && span_is_any(py_text(f, name), names, ARRAY_LEN(names));
}

static const char *advice_of(enum idiom idiom, bool torch)
{
    if (idiom == ONE_HOT)
        return torch
                   ? "torch.nn.functional.one_hot() makes all classes at once; in NumPy np.eye(n, dtype=np.uint8)[labels]."
                   : "np.eye(n, dtype=np.uint8)[labels] makes all classes at once; a sparse loss needs none of it.";
    if (idiom == LOOKED_UP)
        return "Put the values into an array, one for each class, and look all of them up: values[labels].";
    return "bincount(n * truth + prediction, minlength=n * n) counts all pairs of classes in one pass.";
}

static void check_loop(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t loop)
{
    struct classes c = {.p = p, .f = f, .loop = loop, .target = target_of(p, f, loop)};
    uint32_t body = c.target != 0 ? py_first(f, py_body(f, loop)) : 0, labels = 0;
    struct loop rounds = body != 0 ? fact_loop(p, f, body) : (struct loop){0};

    if (body == 0 || (rounds.rounds >= 0 && rounds.rounds < ROUNDS_MIN))
        return;
    enum idiom idiom = idiom_of(&c, &labels);
    if (!rule_needs(r, loop, loop, idiom != NOTHING, "no array is seen that each round compares with the class") ||
        !rule_needs(r, loop, loop, only_passes(&c) && (idiom != COUNTED || only_counts(&c)),
                    "the rounds do more than pass over that array"))
        return;
    struct repeated where;
    bool repeated = fact_repeated(p, f, loop, &where), each = is_for_each_item(f, loop);
    if (!rule_needs(r, loop, loop, repeated || each, "it is not seen to run again and again"))
        return;
    struct rule_finding *found = rule_report(r, loop, CHECK_MEDIUM, "%s is gone through once for each class, in Python",
                                             RULE_TEXT(f, labels));
    rule_advice(found, "%s", advice_of(idiom, fact_mentions(p, f, "torch")));
    if (!each && !fact_in_program(p, f, loop))
        rule_unsure(found);
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    for (uint32_t n = 1; n < f->n_nodes; n++)
        if (py_kind(f, n) == PY_FOR)
            check_loop(r, p, f, n);
}

const struct rule_looks rule_PP435 = {.says_lacks = true, .run = run};
