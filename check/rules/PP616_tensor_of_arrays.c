/* PP616: a tensor of PyTorch is made of a list of NumPy arrays, number by number. */
#include "check/facts/training.h"
#include "check/rules/rule.h"

enum { DEFS_MAX = 4, DEEP_MAX = 6 };

/* What an environment gives as an array: states, observations; not actions, rewards. */
static bool is_state_name(struct span name)
{
    return span_is_word(name,
                        "state states obs observation observations s_lst s_prime_lst next_state next_states "
                        "batch_state batch_next_state state_batch next_state_batch states_batch obs_batch next_obs "
                        "s_prime batch_states batch_next_states frames");
}

enum array { ARRAY_NO, ARRAY_NAMED, ARRAY_KNOWN };

/* s = env.reset(), s2, reward, done, info = env.step(a): is the name bound to a state of an environment? */
static bool is_state_of_env(const struct py_file *f, uint32_t n)
{
    bool state = false;

    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);) {
        uint32_t call = py_bare(f, d.def->value);
        uint32_t env = d.def->kind == DEF_UNPACK && d.def->index == 0 ? py_method(f, call, "step")
                       : d.def->kind == DEF_ASSIGN                    ? py_method(f, call, "reset")
                                                                      : 0;
        state = state || (env != 0 && span_has(py_text(f, env), "env"));
    }
    return state;
}

static enum array list_of(struct project *p, const struct py_file *f, uint32_t n, int depth);

/* Is the item an array? */
static enum array item_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = py_bare(f, n);
    if (py_kind(f, n) == PY_BINARY_OPERATOR) /* np.asarray(image) / 255 */
        n = py_bare(f, py_child(f, n, FIELD_LEFT));
    if (depth > DEEP_MAX)
        return ARRAY_NO;
    if (span_is_word(py_called(f, n), "array asarray zeros ones concatenate stack imread load") ||
        py_kind(f, n) == PY_IDENTIFIER) {
        struct value v = fact_value(p, f, n);
        struct span name = fact_name_text(p, v.name);
        if (v.kind == VALUE_OBJECT && fact_name_word(p, v.name)->framework == FRAMEWORK_NUMPY &&
            !span_starts(name, SPAN("numpy.random.rand")) &&
            !span_has_word(name, "float int mean sum numpy.random.choice max min log sqrt"))
            return ARRAY_KNOWN;
    }
    if ((py_is_named(f, n) && is_state_name(py_name(f, n))) || is_state_of_env(f, n))
        return ARRAY_NAMED;
    uint32_t bound = py_kind(f, n) == PY_IDENTIFIER ? py_def_of(f, n) : 0; /* perhaps after n, in a comprehension */
    const struct py_def *def = bound != 0 ? &f->defs[bound] : NULL;
    return def != NULL && def->next == 0 && def->kind == DEF_FOR && def->index == -2
               ? list_of(p, f, def->value, depth + 1)
               : ARRAY_NO;
}

/* What is appended to the list, in the function of n. */
static enum array appended(struct project *p, const struct py_file *f, uint32_t list)
{
    enum array found = ARRAY_NO;

    for (struct py_nodes use = py_uses(f, f->nodes[list].sym, py_function_of(f, list)); py_take(&use);) {
        uint32_t attribute = py_parent(f, use.n), call = py_parent(f, attribute);
        if (py_method(f, call, "append") != use.n)
            continue;
        enum array item = item_of(p, f, py_argument(f, call, 0), 0);
        found = item > found ? item : found;
    }
    return found;
}

/* The call zip(*batch), a tuple of columns, in map(list, zip(*batch)) and the like; 0: not found. */
static uint32_t columns_in(struct project *p, const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_CALL && fact_is(p, f, at, "builtins.zip") && py_has_splat(f, at))
            return at;
    return 0;
}

/* The rows that the expression is, or is a sample of: through random.sample(memory, n), memory.sample(n), names that
 * are bound once, and parameters of functions that are called in one place. */
static uint32_t rows_of(struct project *p, const struct py_file **file, uint32_t n)
{
    for (int depth = 0; depth < DEEP_MAX; depth++) {
        const struct py_file *f = *file;
        n = py_bare(f, n);
        if (py_kind(f, n) == PY_CALL) {
            uint32_t memory = py_method(f, n, "sample");
            if (memory == 0)
                return 0;
            n = fact_is(p, f, n, "random.sample") ? py_argument(f, n, 0) : memory;
            continue;
        }
        const struct py_def *def = py_bound(f, n);
        if (def == NULL)
            return n;
        uint32_t value = def->kind == DEF_ASSIGN ? py_bare(f, def->value) : 0;
        if (py_method(f, value, "sample") != 0) {
            n = value;
            continue;
        }
        if (value != 0 && py_kind(f, value) == PY_ATTRIBUTE)
            return value;
        if (def->kind != DEF_PARAM || def->index < 0)
            return n;
        uint32_t function = f->scopes[def->scope].node;
        struct call_sites site = fact_callers(p, f, function);
        if (site.all != 1 || !fact_take(&site))
            return 0;
        bool method_of = py_up(f, function, PY_CLASS) != 0 && def->index > 0;
        *file = site.file;
        n = py_argument(*file, site.call, (size_t)def->index - (method_of ? 1 : 0));
    }
    return 0;
}

/* views, moves = zip(*rows): is the column with this number one of arrays, by what is appended to the rows? */
static enum array column_of(struct project *p, const struct py_file *f, uint32_t value, int index)
{
    uint32_t splat = py_first(f, py_child(f, columns_in(p, f, value), FIELD_ARGUMENTS));
    enum array found = ARRAY_NO;

    uint32_t rows = py_kind(f, splat) == PY_LIST_SPLAT && index >= 0 ? rows_of(p, &f, py_first(f, splat)) : 0;
    for (struct py_nodes call = fact_calls(p, f); rows != 0 && py_take(&call);) {
        uint32_t receiver = py_method(f, call.n, "append"), item = py_argument(f, call.n, 0);
        if (receiver == 0 || py_kind(f, item) != PY_TUPLE || !span_eq(py_text(f, receiver), py_text(f, rows)))
            continue;
        item = py_first(f, item);
        for (int k = 0; k < index; k++)
            item = py_next(f, item);
        enum array kind = item_of(p, f, item, 0);
        if (kind == ARRAY_NO)
            return ARRAY_NO;
        found = kind > found ? kind : found;
    }
    return found;
}

/* states, actions = memory.sample(n): what the function of the project returns at this place. */
static enum array returned(struct project *p, const struct py_file *f, uint32_t call, int index, int depth)
{
    struct function to;

    if (py_kind(f, call) != PY_CALL || index < 0 || !fact_callee(p, f, call, &to))
        return ARRAY_NO;
    for (uint32_t n = to.n; n < to.f->nodes[to.n].after; n++) {
        uint32_t given = py_part(to.f, py_returned(to.f, n, to.n), index);
        if (given != 0)
            return list_of(p, to.f, given, depth + 1);
    }
    return ARRAY_NO;
}

/* Of a name: how is it bound? */
static enum array bound_list(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);) {
        const struct py_def *def = d.def;
        uint32_t value = def->value != 0 ? py_bare(f, def->value) : 0;
        if (value == 0 || (def->kind != DEF_ASSIGN && def->kind != DEF_UNPACK))
            return ARRAY_NO;
        bool empty = py_kind(f, value) == PY_LIST && py_first(f, value) == 0;
        bool lists = py_kind(f, value) == PY_EXPRESSION_LIST || py_kind(f, value) == PY_TUPLE; /* a, b = [], [] */
        if (empty || (def->kind == DEF_UNPACK && lists))
            return appended(p, f, n);
        bool maps = def->kind == DEF_UNPACK && py_kind(f, value) == PY_CALL && fact_is(p, f, value, "builtins.map");
        if (maps &&
            span_starts(fact_name(p, f, py_argument(f, value, 0)), SPAN("numpy."))) /* map(np.stack, …): arrays */
            return ARRAY_NO;
        if (def->kind == DEF_UNPACK && columns_in(p, f, value) != 0) {
            enum array column = column_of(p, f, value, def->index);
            return column != ARRAY_NO ? column : is_state_name(py_name(f, n)) ? ARRAY_NAMED : ARRAY_NO;
        }
        if (def->kind == DEF_UNPACK)
            return returned(p, f, value, def->index, depth);
        return list_of(p, f, value, depth + 1);
    }
    return ARRAY_NO;
}

/* Is the expression a list of arrays? */
static enum array list_of(struct project *p, const struct py_file *f, uint32_t n, int depth)
{
    n = py_bare(f, n);
    if (depth > DEEP_MAX)
        return ARRAY_NO;
    if (py_kind(f, n) == PY_LIST && py_first(f, n) != 0) {
        enum array item = item_of(p, f, py_first(f, n), depth);
        /* Of a single item: where it is a picture, so that it has thousands of numbers. */
        return py_next(f, py_first(f, n)) != 0 || (item == ARRAY_NAMED && fact_sees_pictures(p, f)) ? item : ARRAY_NO;
    }
    if (py_kind(f, n) == PY_LIST_COMPREHENSION)
        return item_of(p, f, py_child(f, n, FIELD_BODY), depth + 1);
    if (py_kind(f, n) == PY_CALL && fact_is(p, f, n, "builtins.list")) { /* list(map(lambda e: e.state, memory)) */
        uint32_t map = py_argument(f, n, 0), lambda = fact_is(p, f, map, "builtins.map") ? py_argument(f, map, 0) : 0;
        return py_kind(f, lambda) == PY_LAMBDA ? item_of(p, f, py_child(f, lambda, FIELD_BODY), depth + 1) : ARRAY_NO;
    }
    if (py_kind(f, n) == PY_ATTRIBUTE) { /* Transition(*zip(*transitions)).state */
        struct span object = py_text(f, py_child(f, n, FIELD_OBJECT));
        return is_state_name(py_name(f, n)) && span_eq(object, SPAN("batch")) ? ARRAY_NAMED : ARRAY_NO;
    }
    return py_kind(f, n) == PY_IDENTIFIER ? bound_list(p, f, n, depth) : ARRAY_NO;
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    uint32_t first = py_argument(f, call, 0);

    if (first == 0 || !fact_has(p, f, call, TRAIT_FROM_LIST) || fact_word(p, f, call)->framework != FRAMEWORK_TORCH)
        return;
    enum array list = list_of(p, f, first, 0);
    /* The states of an environment of gym's kind are arrays. */
    bool gym = list == ARRAY_NAMED && fact_any_mentions(p, "import gym|from gym|env.step(");
    if (!rule_needs(r, call, first, gym || list == ARRAY_KNOWN, "it is not known to be a list of NumPy arrays"))
        return;
    bool once = py_function_of(f, call) == ROOT && fact_loop(p, f, call).node == 0;
    rule_report(r, call, once ? CHECK_LOW : CHECK_MEDIUM, "%s() converts a list of arrays number by number",
                RULE_TEXT(f, py_child(f, call, FIELD_FUNCTION)));
    rule_advice(r, "Join the arrays first: torch.from_numpy(np.stack(%s)).", RULE_TEXT(f, first));
    uint32_t np = py_def_in(f, ROOT, py_sym(f, SPAN("np")));
    if (np == 0 || f->defs[np].kind != DEF_IMPORT)
        return;
    rule_edit(r, f->nodes[first].start, f->nodes[first].start, "np.array(");
    rule_edit(r, f->nodes[first].end, f->nodes[first].end, ")");
    rule_propose(r, "join the arrays first");
}

const struct rule_looks rule_PP616 = {.call = check_call};
