/* Walks over what a function or loop runs, for rules that judge by it. */
#include "check/facts/project.h"

enum { NODES_MAX = 20000, DEPTH_MAX = 6, GUARDS_MAX = 1000 };
enum { REACH_LEVELS_MAX = 5, REACH_CALLS_MAX = 20000 };

/* --- the calls of a function --- */

struct visit {
    struct project *p;
    fact_visitor *visit;
    void *ctx;
    unsigned nodes;
};

/* What a call runs. In a method run for `self`, an object of a derived class, self.f is that class's. *next: the object
 * that it runs for, if that is known. */
static bool runs(struct visit *v, const struct py_file *f, uint32_t call, struct value self, struct function *function,
                 struct value *next)
{
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    uint32_t object = py_child_of(f, callee, PY_ATTRIBUTE, FIELD_OBJECT);

    *next = (struct value){0};
    if (self.kind == VALUE_INSTANCE && object != 0 && py_is(f, object, "self")) {
        struct span name = py_text(f, py_child(f, callee, FIELD_ATTRIBUTE));
        struct value own = class_member(v->p, v->p->files[self.file], self.node, name);
        if (own.kind == VALUE_FUNCTION) {
            *function = (struct function){v->p->files[own.file], own.node};
            *next = self;
            return true;
        }
    }
    return fact_callee(v->p, f, call, function);
}

static bool visit_function(struct visit *v, const struct py_file *f, uint32_t function, struct value self,
                           unsigned depth)
{
    uint32_t body = py_child(f, function, FIELD_BODY);
    struct function callee;
    struct value next;

    for (uint32_t n = body; n < f->nodes[body].after; n++) {
        if (v->nodes++ > NODES_MAX)
            return true;
        if (py_kind(f, n) != PY_CALL)
            continue;
        if (!v->visit(v->ctx, v->p, f, n))
            return false;
        if (depth > 0 && runs(v, f, n, self, &callee, &next) && !visit_function(v, callee.f, callee.n, next, depth - 1))
            return false;
    }
    return true;
}

bool fact_visit_calls(struct project *p, const struct py_file *f, uint32_t function, unsigned depth,
                      fact_visitor *visit, void *ctx)
{
    struct visit v = {.p = p, .visit = visit, .ctx = ctx};

    return visit_function(&v, f, function, (struct value){0}, depth < DEPTH_MAX ? depth : DEPTH_MAX);
}

bool fact_visit_calls_of(struct project *p, const struct py_file *f, uint32_t n, unsigned depth, fact_visitor *visit,
                         void *ctx)
{
    struct visit v = {.p = p, .visit = visit, .ctx = ctx};
    struct value self = {0};
    struct function to;

    if (!fact_function(p, f, n, &to))
        return true;
    if (py_kind(f, n) == PY_ATTRIBUTE)
        self = fact_value(p, f, py_child(f, n, FIELD_OBJECT));
    return visit_function(&v, to.f, to.n, self, depth < DEPTH_MAX ? depth : DEPTH_MAX);
}

/* --- is there such a call? --- */

bool fact_has_call(struct project *p, const struct py_file *f, uint32_t n, enum trait trait)
{
    const struct file_methods *methods = names_methods(p, f);

    for (size_t i = 0; i < methods->n; i++) {
        if (!word_has(methods->at[i].word, trait))
            continue;
        for (struct py_nodes use = py_uses(f, methods->at[i].sym, n); py_take(&use);) {
            uint32_t callee = f->nodes[use.n].field == FIELD_ATTRIBUTE ? py_parent(f, use.n) : use.n;
            uint32_t call = f->nodes[callee].field == FIELD_FUNCTION ? py_parent(f, callee) : 0;
            if (py_kind(f, use.n) == PY_IDENTIFIER && call >= n && py_kind(f, call) == PY_CALL)
                return true;
        }
    }
    return false;
}

/* --- is there one in what is called? --- */

struct search {
    struct project *p;
    bool (*test)(struct project *, const struct py_file *, uint32_t call);
    struct seen seen;
    size_t n_calls;
};

static bool reaches(struct search *s, const struct py_file *f, uint32_t n, int level)
{
    for (uint32_t c = n; c < f->nodes[n].after; c++) {
        struct function to;
        if (py_kind(f, c) != PY_CALL)
            continue;
        if (s->n_calls++ > REACH_CALLS_MAX)
            return false;
        if (s->test(s->p, f, c))
            return true;
        if (level < REACH_LEVELS_MAX && fact_callee(s->p, f, c, &to) && !seen_before(&s->seen, to.f, to.n) &&
            reaches(s, to.f, to.n, level + 1))
            return true;
    }
    return false;
}

bool fact_reaches(struct project *p, const struct py_file *f, uint32_t n,
                  bool (*test)(struct project *, const struct py_file *, uint32_t call))
{
    struct search s = {.p = p, .test = test};
    bool found;

    if (answer_find(p, (uintptr_t)test, f, n, 0, &found))
        return found;
    return answer_keep(p, (uintptr_t)test, f, n, 0, reaches(&s, f, n, 0));
}

/* --- loops --- */

static bool says_epoch(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = n; at < f->nodes[n].after; at++)
        if (py_kind(f, at) == PY_IDENTIFIER && span_has_word(py_text(f, at), "epoch EPOCH Epoch"))
            return true;
    return false;
}

bool fact_epoch_loop(const struct py_file *f, uint32_t loop)
{
    if (loop == 0)
        return false;
    if (py_kind(f, loop) == PY_WHILE)
        return says_epoch(f, py_child(f, loop, FIELD_CONDITION));
    return py_kind(f, loop) == PY_FOR &&
           (says_epoch(f, py_child(f, loop, FIELD_LEFT)) || says_epoch(f, py_child(f, loop, FIELD_RIGHT)));
}

/* `if …: continue` or break, return among the statements before n in its block: n is not reached in each round. */
static bool skipped_before(const struct py_file *f, uint32_t n)
{
    unsigned looked_at = 0;

    for (uint32_t s = py_first(f, py_parent(f, n)); s != 0 && s < n && looked_at++ < GUARDS_MAX; s = py_next(f, s)) {
        uint32_t body = py_child_of(f, s, PY_IF, FIELD_CONSEQUENCE);
        for (uint32_t c = body != 0 ? py_first(f, body) : 0; c != 0; c = py_next(f, c))
            if (py_kind(f, c) == PY_CONTINUE)
                return true;
    }
    return false;
}

bool fact_guarded(const struct py_file *f, uint32_t n, uint32_t loop)
{
    for (uint32_t at = n; at != 0 && at != loop; at = py_parent(f, at)) {
        enum py_kind kind = py_kind(f, at), around = py_kind(f, py_parent(f, at));
        /* The condition of an `if` is asked in each round. */
        bool asked = around == PY_IF && f->nodes[at].field == FIELD_CONDITION;
        if (asked) {
            at = py_parent(f, at);
            kind = PY_OTHER;
        }
        if (kind == PY_IF || kind == PY_ELIF || kind == PY_ELSE || kind == PY_CONDITIONAL || kind == PY_EXCEPT ||
            kind == PY_FINALLY || kind == PY_MATCH || kind == PY_CASE || kind == PY_BOOLEAN_OPERATOR ||
            kind == PY_ASSERT || kind == PY_LAMBDA || kind == PY_FUNCTION || kind == PY_RETURN ||
            kind == PY_RAISE) /* return f(x), raise E(x): what follows ends the loop */
            return true;
        if (around == PY_BLOCK && skipped_before(f, at))
            return true;
    }
    return false;
}

/* --- values --- */

bool fact_certain(const struct py_file *f, uint32_t n)
{
    n = py_bare(f, n);
    while (py_kind(f, n) == PY_ATTRIBUTE || py_kind(f, n) == PY_CALL)
        n = py_kind(f, n) == PY_CALL ? py_child(f, n, FIELD_FUNCTION) : py_child(f, n, FIELD_OBJECT);
    if (py_kind(f, n) != PY_IDENTIFIER)
        return n != 0;
    uint32_t def = py_def_of(f, n);
    if (def == 0 || py_is(f, n, "self"))
        return true;
    enum def_kind kind = (enum def_kind)f->defs[def].kind;
    if (kind == DEF_IMPORT || kind == DEF_FROM)
        return true;
    const struct py_def *only = kind != DEF_PARAM ? py_bound(f, n) : NULL;
    return only != NULL && (kind != DEF_ASSIGN || py_kind(f, only->value) != PY_CONDITIONAL);
}

bool fact_string_is(const struct py_file *f, uint32_t n, const char *text)
{
    struct span s = py_text(f, n);

    if (py_kind(f, n) != PY_STRING)
        return false;
    while (s.len > 0 && *s.ptr != '"' && *s.ptr != '\'') /* r, b, u */
        s = span_after(s, 1);
    size_t quotes = s.len >= 6 && s.ptr[0] == s.ptr[1] && s.ptr[1] == s.ptr[2] ? 3 : 1;
    if (s.len < quotes * 2)
        return false;
    return span_eq((struct span){s.ptr + quotes, s.len - quotes * 2}, span_of(text));
}

uint32_t fact_literal(struct project *p, const struct py_file *f, uint32_t n, const struct py_file **literal_file)
{
    struct value v = fact_value(p, f, py_bare(f, n));

    if (v.kind != VALUE_CONSTANT)
        return 0;
    *literal_file = p->files[v.file];
    return v.node;
}
