/* What usual ways to write a program tell; by names where nothing else is known. */
#include "check/facts/habits.h"
#include "check/facts/project.h"

enum { GUARDS_MAX = 1000, LEVELS_MAX = 5, CALLS_MAX = 20000, SEEN_MAX = 128, SLICE_DEPTH_MAX = 40 };

bool habit_word(struct span name, const char *const *words)
{
    char lower[64];
    size_t n = name.len < sizeof lower ? name.len : sizeof lower;

    for (size_t i = 0; i < n; i++)
        lower[i] = (char)(name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? name.ptr[i] + 32
                                                                   : name.ptr[i]);
    for (; *words != NULL; words++)
        if (span_has((struct span){lower, n}, *words))
            return true;
    return false;
}

uint32_t habit_body(const struct py_file *f, uint32_t loop)
{
    uint32_t body = py_child(f, loop, FIELD_BODY);

    return body != 0 ? body : loop;
}

/* The call, from `within` on, whose callee is the identifier or ends in it; otherwise 0. */
static uint32_t called_as(const struct py_file *f, uint32_t identifier, uint32_t within)
{
    uint32_t callee = f->nodes[identifier].field == FIELD_ATTRIBUTE ? py_parent(f, identifier) : identifier;
    uint32_t call = f->nodes[callee].field == FIELD_FUNCTION ? py_parent(f, callee) : 0;

    return call >= within && py_kind(f, call) == PY_CALL ? call : 0;
}

bool habit_calls(struct project *p, const struct py_file *f, uint32_t n, enum trait trait)
{
    const struct file_methods *methods = project_methods(p, f);

    for (size_t i = 0; i < methods->n; i++) {
        size_t n_uses = 0;
        const uint32_t *uses = word_has(methods->at[i].word, trait)
                                   ? py_uses(f, methods->at[i].sym, n, &n_uses)
                                   : NULL;
        for (size_t u = 0; u < n_uses; u++)
            if (py_kind(f, uses[u]) == PY_IDENTIFIER && called_as(f, uses[u], n) != 0)
                return true;
    }
    return false;
}

/* --- the first time --- */

/* Does the condition hold only until something was made? */
static bool says_not_yet(struct span test)
{
    static const char *const words[] = {" is None",     "not hasattr", " not in ", "not self.",
                                        "first",        "== None",     "not _",    "not built",
                                        "not isinstance", "is_initial", "len("};

    if (span_has_any(test, words, ARRAY_LEN(words)))
        return true;
    return span_has(test, "== 0") && !span_has(test, "%");
}

static bool says_already(struct span test)
{
    static const char *const words[] = {"is not None", "hasattr(", " in ",   "built",
                                        "initialized", "cache",    "exists", "loaded",
                                        "made",        "!= None"};

    /* if self._graph; but not if len(rows) != len(self._rows) */
    if (span_has(test, "self._") && !span_has(test, "=") && !span_has(test, "<") &&
        !span_has(test, ">"))
        return true;
    return span_has_any(test, words, ARRAY_LEN(words));
}

static uint32_t last_statement(const struct py_file *f, uint32_t block)
{
    return block != 0 ? py_last(f, block) : 0;
}

static bool leaves(const struct py_file *f, uint32_t block)
{
    uint32_t last = last_statement(f, block);
    enum py_kind kind = last != 0 ? py_kind(f, last) : PY_OTHER;

    return kind == PY_RETURN || kind == PY_BREAK || kind == PY_RAISE || kind == PY_CONTINUE;
}

/* `if built: return` before the statement, in its block. */
static bool behind_guard(const struct py_file *f, uint32_t statement)
{
    uint32_t block = py_parent(f, statement);
    unsigned looked_at = 0;

    for (uint32_t s = py_first(f, block); s != 0 && s < statement && looked_at++ < GUARDS_MAX;
         s = py_next(f, s)) {
        uint32_t test = py_kind(f, s) == PY_IF ? py_child(f, s, FIELD_CONDITION) : 0;
        if (test != 0 && leaves(f, py_child(f, s, FIELD_CONSEQUENCE)) &&
            says_already(py_text(f, test)) && !span_has(py_text(f, test), " not "))
            return true;
    }
    return false;
}

static bool branch_is_rare(const struct py_file *f, uint32_t n, uint32_t branch)
{
    enum py_kind kind = py_kind(f, branch);
    uint32_t test = py_child(f, branch, FIELD_CONDITION);

    if (kind == PY_EXCEPT || kind == PY_RAISE || kind == PY_ASSERT)
        return true;
    if ((kind != PY_IF && kind != PY_ELIF) || test == 0 || py_inside(f, n, test))
        return false;
    uint32_t then = py_child(f, branch, FIELD_CONSEQUENCE);
    return then != 0 && py_inside(f, n, then) ? says_not_yet(py_text(f, test))
                                              : says_already(py_text(f, test));
}

bool habit_first_time(const struct py_file *f, uint32_t n, uint32_t within)
{
    bool loop = py_kind(f, within) == PY_FOR || py_kind(f, within) == PY_WHILE;

    for (uint32_t at = n, up; at != 0 && at != within; at = up) {
        up = py_parent(f, at);
        if (branch_is_rare(f, n, at))
            return true;
        if (py_kind(f, up) != PY_BLOCK)
            continue;
        if (behind_guard(f, at))
            return true;
        uint32_t last = loop ? last_statement(f, up) : 0;
        if (last != 0 && (py_kind(f, last) == PY_RETURN || py_kind(f, last) == PY_BREAK))
            return true;
    }
    return false;
}

bool habit_once_in_epoch(struct project *p, const struct py_file *f, uint32_t loop)
{
    uint32_t body = habit_body(f, loop);

    if (!fact_epoch_loop(f, loop))
        return false;
    for (uint32_t n = body; body != 0 && n < f->nodes[body].after; n++) {
        bool inner = py_kind(f, n) == PY_FOR || py_kind(f, n) == PY_WHILE;
        uint32_t first = inner ? py_first(f, habit_body(f, n)) : 0;
        if (first != 0 && fact_loop(p, f, first).trip != TRIP_SHORT)
            return true;
    }
    return false;
}

bool habit_cached(const struct py_file *f, uint32_t function)
{
    uint32_t around = function > 1 ? py_parent(f, function) : 0;

    if (around == 0 || py_kind(f, around) != PY_DECORATED)
        return false;
    for (uint32_t d = py_first(f, around); d != 0; d = py_next(f, d))
        if (py_kind(f, d) == PY_DECORATOR &&
            (span_has(py_text(f, d), "cache") || span_has(py_text(f, d), "memoize") ||
             span_has(py_text(f, d), "lazy")))
            return true;
    return false;
}

/* --- sessions --- */

bool habit_runs_session(struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    if (receiver == 0)
        return false;
    bool run = span_eq(method, SPAN("run")), eval = span_eq(method, SPAN("eval"));
    if (!run && !eval && !span_eq(method, SPAN("get_value")))
        return false;
    if (fact_name(p, f, call).len > 0)
        return fact_has(p, f, call, TRAIT_FETCHES);
    if (py_keyword(f, call, "feed_dict") != 0 || py_keyword(f, call, "session") != 0)
        return run || eval;
    struct value v = fact_value(p, f, receiver);
    if (run && v.kind != VALUE_UNKNOWN && v.kind != VALUE_OBJECT)
        return v.kind == VALUE_SESSION;
    if (eval)
        return v.kind == VALUE_TENSOR || v.kind == VALUE_VARIABLE;
    static const char *const words[] = {"sess", NULL};
    return run && v.kind != VALUE_OBJECT && habit_word(py_text(f, receiver), words);
}

/* --- what is reached --- */

struct search {
    struct project *p;
    bool (*test)(struct project *, const struct py_file *, uint32_t call);
    uint64_t seen[SEEN_MAX];
    size_t n_seen, n_calls;
};

static bool reaches(struct search *s, const struct py_file *f, uint32_t n, int level)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        const struct py_file *file;
        uint32_t callee;
        if (py_kind(f, c) != PY_CALL)
            continue;
        if (s->n_calls++ > CALLS_MAX)
            return false;
        if (s->test(s->p, f, c))
            return true;
        if (level < LEVELS_MAX && fact_callee(s->p, f, c, &file, &callee) &&
            !seen_before(s->seen, &s->n_seen, SEEN_MAX, file, callee) &&
            reaches(s, file, callee, level + 1))
            return true;
    }
    return false;
}

bool habit_reaches(struct project *p, const struct py_file *f, uint32_t n,
                   bool (*test)(struct project *, const struct py_file *, uint32_t call))
{
    struct search s = {.p = p, .test = test};
    bool found;

    if (n == 0 || answer_find(p, (uintptr_t)test, f, n, 0, &found))
        return n != 0 && found;
    found = reaches(&s, f, n, 0);
    answer_keep(p, (uintptr_t)test, f, n, 0, found);
    return found;
}

bool habit_once(struct project *p, const struct py_file *f, uint32_t n,
                bool (*question)(struct project *p, const struct py_file *f, uint32_t n))
{
    bool yes;

    if (answer_find(p, (uintptr_t)question, f, n, 0, &yes))
        return yes;
    yes = question(p, f, n);
    answer_keep(p, (uintptr_t)question, f, n, 0, yes);
    return yes;
}

bool habit_once_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym,
                   bool (*question)(struct project *p, const struct py_file *f, uint32_t n,
                                    uint32_t sym))
{
    bool yes;

    if (answer_find(p, (uintptr_t)question, f, n, sym, &yes))
        return yes;
    yes = question(p, f, n, sym);
    answer_keep(p, (uintptr_t)question, f, n, sym, yes);
    return yes;
}

/* --- what depends on what --- */

struct slice {
    const struct py_file *f;
    uint32_t on, loop;
    struct bitset defs, syms;
};

static bool follow(struct slice *s, uint32_t n, int depth);

/* The name that an object goes by: x of x, o.x, x[i]; 0 for others. */
static uint32_t key_of(const struct py_file *f, uint32_t n)
{
    while (n != 0 && (py_kind(f, n) == PY_SUBSCRIPT || py_kind(f, n) == PY_PARENTHESIZED))
        n = py_kind(f, n) == PY_SUBSCRIPT ? py_child(f, n, FIELD_VALUE) : py_first(f, n);
    if (n == 0 || (py_kind(f, n) != PY_IDENTIFIER && py_kind(f, n) != PY_ATTRIBUTE))
        return 0;
    return f->nodes[n].sym;
}

/* What a statement of the loop does to the thing that goes by the name, other than binding it. */
static uint32_t change_of(const struct py_file *f, uint32_t n, uint32_t sym)
{
    enum py_kind kind = py_kind(f, n);

    if (kind == PY_CALL) {
        uint32_t receiver = py_receiver(f, n, NULL);
        if (receiver != 0 && key_of(f, receiver) == sym)
            return py_child(f, n, FIELD_ARGUMENTS);
    } else if (kind == PY_ASSIGNMENT || kind == PY_AUGMENTED_ASSIGNMENT) {
        uint32_t left = py_child(f, n, FIELD_LEFT);
        for (uint32_t c = left; left != 0 && c < f->nodes[left].after; c++)
            if ((py_kind(f, c) == PY_SUBSCRIPT || py_kind(f, c) == PY_ATTRIBUTE) &&
                key_of(f, c) == sym)
                return py_child(f, n, FIELD_RIGHT);
    }
    return 0;
}

static bool follow_changes(struct slice *s, uint32_t sym, int depth)
{
    if (sym == 0 || bitset_has(&s->syms, sym))
        return false;
    bitset_add(&s->syms, sym);
    size_t n_uses;
    const uint32_t *uses = py_uses(s->f, sym, s->loop, &n_uses);
    for (size_t i = 0; i < n_uses; i++)
        for (uint32_t at = uses[i]; at > s->loop; at = py_parent(s->f, at)) {
            uint32_t change = change_of(s->f, at, sym);
            if (change != 0 && follow(s, change, depth + 1))
                return true;
        }
    return false;
}

static bool follow_name(struct slice *s, uint32_t n, int depth)
{
    uint32_t defs[16];
    size_t count = py_reaching(s->f, n, defs, ARRAY_LEN(defs));

    for (size_t i = 0; i < count; i++) {
        const struct py_def *def = &s->f->defs[defs[i]];
        if (!py_inside(s->f, def->node, s->loop) || bitset_has(&s->defs, defs[i]))
            continue;
        bitset_add(&s->defs, defs[i]);
        if (def->value != 0 && def->kind != DEF_FUNCTION && def->kind != DEF_CLASS &&
            follow(s, def->value, depth + 1))
            return true;
    }
    return follow_changes(s, s->f->nodes[n].sym, depth);
}

static bool follow(struct slice *s, uint32_t n, int depth)
{
    if (py_inside(s->f, s->on, n))
        return true;
    if (depth > SLICE_DEPTH_MAX)
        return true; /* who knows */
    for (uint32_t c = n; c < s->f->nodes[n].after; c++) {
        if (py_kind(s->f, c) == PY_IDENTIFIER && s->f->nodes[c].field != FIELD_ATTRIBUTE &&
            !(py_kind(s->f, py_parent(s->f, c)) == PY_KEYWORD_ARGUMENT &&
              s->f->nodes[c].field == FIELD_NAME) &&
            follow_name(s, c, depth))
            return true;
        if (py_kind(s->f, c) == PY_ATTRIBUTE && follow_changes(s, s->f->nodes[c].sym, depth))
            return true;
    }
    return false;
}

bool habit_depends(const struct py_file *f, uint32_t n, uint32_t on, uint32_t loop)
{
    struct slice s = {.f = f, .on = on, .loop = loop};
    bool found = follow(&s, n, 0);

    bitset_clear(&s.defs);
    bitset_clear(&s.syms);
    return found;
}

/* --- models --- */

static bool keras_alone(struct project *p, const struct py_file *f)
{
    return fact_mentions(p, f, "keras") && !fact_mentions(p, f, "sklearn") &&
           !fact_mentions(p, f, "import torch") && !fact_mentions(p, f, "xgboost") &&
           !fact_mentions(p, f, "lightgbm");
}

enum habit_model habit_model(struct project *p, const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"model", "network", "generator", "discriminator",
                                        "classifier", "encoder", "decoder", NULL};
    struct value v = fact_value(p, f, n);

    if (v.kind == VALUE_MODEL)
        return HABIT_MODEL;
    if (v.kind == VALUE_INSTANCE)
        return fact_derives_from(p, fact_file(p, v.file), v.node, FRAMEWORK_KERAS) ? HABIT_MODEL
                                                                                : HABIT_NO_MODEL;
    enum py_kind kind = py_kind(f, n);
    if (v.kind != VALUE_UNKNOWN || (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE) ||
        !keras_alone(p, f))
        return HABIT_NO_MODEL;
    return habit_word(f->syms[f->nodes[n].sym], words) ? HABIT_UNSURE_MODEL : HABIT_NO_MODEL;
}
