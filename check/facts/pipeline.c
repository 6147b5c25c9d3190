/* Data-set pipelines: what comes before a data set, and what becomes of it. */
#include "check/facts/project.h"

enum { FOLLOW_MAX = 200, CALLS_MAX = 16, CALLERS_MAX = 6, USES_MAX = 32, GONE_MAX = 256 };

bool fact_stage(struct project *p, const struct py_file *f, uint32_t call, struct stage *stage)
{
    struct span method;
    uint32_t receiver = py_receiver(f, call, &method);

    *stage = (struct stage){.file = f, .call = call, .made = vocabulary_method(method)};
    if (receiver == 0 || !stage_of_method(method, &stage->kind) || fact_name(p, f, call).len > 0 ||
        fact_value(p, f, call).kind != VALUE_DATASET)
        return false;
    stage->method = method;
    if (!span_eq(method, SPAN("apply")))
        return true;
    uint32_t applied = py_argument(f, call, 0);
    if (applied != 0 && py_kind(f, applied) == PY_CALL && stage_of(fact_word(p, f, applied), &stage->kind))
        return true;
    /* Functions of others, by their names: stateless_cache_dataset, my_prefetch. */
    stage->kind = span_has(py_text(f, applied), "cache")      ? STAGE_CACHE
                  : span_has(py_text(f, applied), "prefetch") ? STAGE_PREFETCH
                                                              : STAGE_OTHER;
    return true;
}

/* --- upstream --- */

/* Where the walk is, and the calls it went into, so that it comes out of the same ones. */
struct walk {
    struct project *p;
    const struct py_file *f;
    uint32_t n;
    struct {
        const struct py_file *file;
        uint32_t call;
    } entered[CALLS_MAX];
    size_t n_entered;
    int part; /* of what a function returns, several in a tuple */
};

static bool enter_function(struct walk *w)
{
    struct function to;
    uint32_t best = 0;

    if (w->n_entered >= CALLS_MAX || !fact_callee(w->p, w->f, w->n, &to) || py_kind(to.f, to.n) == PY_LAMBDA)
        return false;
    uint32_t body = py_child(to.f, to.n, FIELD_BODY);
    for (uint32_t at = body; at < to.f->nodes[body].after; at++) {
        uint32_t value = py_returned(to.f, at, to.n);
        if (py_kind(to.f, value) == PY_EXPRESSION_LIST || py_kind(to.f, value) == PY_TUPLE)
            value = py_part(to.f, value, w->part);
        if (value != 0 && fact_value(w->p, to.f, value).kind == VALUE_DATASET)
            best = value;
    }
    if (best == 0)
        return false;
    w->entered[w->n_entered].file = w->f;
    w->entered[w->n_entered++].call = w->n;
    w->f = to.f;
    w->n = best;
    return true;
}

static bool follow_parameter(struct walk *w, const struct py_def *def)
{
    struct call_sites site = fact_callers(w->p, w->f, w->f->scopes[def->scope].node);

    if (w->n_entered > 0) {
        site.file = w->entered[--w->n_entered].file;
        site.call = w->entered[w->n_entered].call;
    } else if (!fact_take(&site)) {
        return false;
    }
    uint32_t argument = fact_argument(site.file, site.call, w->f, def);
    if (argument == 0)
        return false;
    w->f = site.file;
    w->n = argument;
    return true;
}

static bool follow_identifier(struct walk *w)
{
    const struct py_def *last = NULL; /* of several, the last before the use: it is the longest line */

    for (struct py_defs d = py_reaching(w->f, w->n, USES_MAX); py_take_def(&d);)
        last = d.def->node < w->n ? d.def : last;
    if (last != NULL && last->kind == DEF_PARAM)
        return follow_parameter(w, last);
    if (last == NULL || (last->kind != DEF_ASSIGN && last->kind != DEF_UNPACK))
        return false;
    w->n = last->value;
    w->part = last->kind == DEF_UNPACK && last->index > 0 ? last->index : 0;
    return w->n != 0;
}

static bool follow_attribute(struct walk *w)
{
    uint32_t object = py_child(w->f, w->n, FIELD_OBJECT);
    struct value v = fact_value(w->p, w->f, object);

    if (v.kind != VALUE_INSTANCE)
        return false;
    const struct py_file *file = w->p->files[v.file];
    uint32_t scope = file->nodes[v.node].sym;
    uint32_t sym = py_sym(file, w->f->syms[w->f->nodes[w->n].sym]);
    for (uint32_t d = py_def_in(file, scope, sym); d != 0; d = file->defs[d].next) {
        if (file->defs[d].kind != DEF_ASSIGN || fact_value(w->p, file, file->defs[d].value).kind != VALUE_DATASET)
            continue;
        w->f = file;
        w->n = file->defs[d].value;
        return true;
    }
    return false;
}

/* One step towards the source; false at it. */
static bool step_up(struct walk *w)
{
    switch (py_kind(w->f, w->n)) {
    case PY_IDENTIFIER:
        return follow_identifier(w);
    case PY_ATTRIBUTE:
        return follow_attribute(w);
    case PY_PARENTHESIZED:
    case PY_CONDITIONAL:
        w->n = py_first(w->f, w->n);
        return w->n != 0;
    case PY_SUBSCRIPT:
    case PY_NAMED_EXPRESSION:
        w->n = py_child(w->f, w->n, FIELD_VALUE);
        return w->n != 0;
    case PY_CALL:
        return fact_name(w->p, w->f, w->n).len == 0 && enter_function(w);
    default:
        return false;
    }
}

uint32_t fact_parallel_calls(const struct stage *stage)
{
    return py_argument_or(stage->file, stage->call, stage->kind == STAGE_INTERLEAVE ? 3 : 1, "num_parallel_calls");
}

size_t fact_upstream(struct project *p, const struct py_file *f, uint32_t n, struct stage stages[STAGES_MAX])
{
    struct walk w = {.p = p, .f = f, .n = n};
    size_t count = 0;

    for (int i = 0; i < FOLLOW_MAX && count + 1 < STAGES_MAX; i++) {
        struct stage stage;
        if (py_kind(w.f, w.n) == PY_CALL && fact_stage(p, w.f, w.n, &stage)) {
            stages[count++] = stage;
            w.n = py_receiver(w.f, w.n, NULL);
            continue;
        }
        const struct py_file *before = w.f;
        uint32_t at = w.n;
        if (!step_up(&w)) {
            bool call = py_kind(before, at) == PY_CALL;
            stages[count++] = (struct stage){.file = before,
                                             .call = call ? at : 0,
                                             .kind = STAGE_SOURCE,
                                             .method = call ? fact_name(p, before, at) : (struct span){"", 0},
                                             .made = call ? fact_word(p, before, at) : fact_name_word(p, 0)};
            break;
        }
    }
    return count;
}

/* --- downstream --- */

struct down {
    struct project *p;
    struct flow *flow;
    unsigned steps, depth;
    int part; /* the place in the tuple that a function returns; -1: it is returned alone */
    struct gone {
        const struct py_file *file;
        uint32_t def;
        bool prefetched;
    } gone[GONE_MAX]; /* definitions that were followed: another way to one tells nothing new */
    size_t n_gone;
};

static void flow_from(struct down *d, const struct py_file *f, uint32_t n, bool prefetched);

/* How surely training takes the data set n: fit(ds), train(ds) most, validation_data less, evaluate and predict not. */
static int rank_of(const struct py_file *f, uint32_t n)
{
    uint32_t call = py_up(f, n, PY_CALL);
    struct span method = {"", 0};

    if (call == n)
        call = py_up(f, py_parent(f, call), PY_CALL);
    if (py_receiver(f, call, &method) == 0 || (!span_starts(method, SPAN("fit")) && !span_eq(method, SPAN("train"))))
        return 0;
    return py_kind(f, py_parent(f, n)) == PY_KEYWORD_ARGUMENT &&
                   py_is(f, py_child(f, py_parent(f, n), FIELD_NAME), "validation_data")
               ? 1
               : 2;
}

static void consume(struct down *d, const struct py_file *f, uint32_t n, int consumer, bool prefetched)
{
    struct flow *flow = d->flow;
    /* Of several that take it, the surest training counts. */
    bool better = flow->consumer == CONSUMER_FIT && consumer == CONSUMER_FIT &&
                  rank_of(flow->consumer_file, flow->consumed) < rank_of(f, n);

    if (prefetched) {
        if (flow->consumer == CONSUMER_NONE)
            flow->prefetched = true;
        return;
    }
    flow->prefetched = false;
    if (flow->consumer != CONSUMER_NONE && !better)
        return;
    flow->consumer = consumer;
    flow->consumer_file = f;
    flow->consumed = n;
}

/* All places where the definition's value is read. */
static void flow_from_def(struct down *d, const struct py_file *f, uint32_t number, bool prefetched)
{
    enum { OFTEN = 64 };
    const struct py_def *def = &f->defs[number];
    size_t uses = 0, bound = 0;

    for (size_t i = 0; i < d->n_gone; i++)
        if (d->gone[i].def == number && d->gone[i].file == f && d->gone[i].prefetched == prefetched)
            return;
    if (d->n_gone < GONE_MAX)
        d->gone[d->n_gone++] = (struct gone){f, number, prefetched};
    /* Nobody wrote a pipeline that binds a name so often; to find which binding reaches a use would take too long. */
    for (uint32_t other = py_def_in(f, def->scope, def->sym); other != 0 && bound <= OFTEN; other = f->defs[other].next)
        bound++;
    d->flow->escapes = d->flow->escapes || bound > OFTEN;
    if (bound > OFTEN)
        return;
    for (struct py_nodes use = py_uses(f, def->sym, f->scopes[def->scope].node); uses < USES_MAX && py_take(&use);) {
        uint32_t at = use.n;
        enum py_kind kind = py_kind(f, at);
        if (at == def->node)
            continue;
        if (def->attribute) {
            /* self.ds in `self.ds = self.ds.batch(32)`, or further up in the same function: an earlier value */
            bool before = py_function_of(f, at) == py_function_of(f, def->node) &&
                          (at < def->node || py_inside(f, at, py_statement(f, def->node)));
            if (kind != PY_ATTRIBUTE || before)
                continue;
        } else {
            if (kind != PY_IDENTIFIER || f->nodes[at].field == FIELD_ATTRIBUTE)
                continue;
            struct py_defs reaching = py_reaching(f, at, USES_MAX);
            while (py_take_def(&reaching) && reaching.number != number)
                ;
            if (reaching.number != number)
                continue;
        }
        uses++;
        flow_from(d, f, at, prefetched);
    }
}

static void flow_to_callers(struct down *d, const struct py_file *f, uint32_t n, bool prefetched)
{
    uint32_t function = py_function_of(f, n);
    struct call_sites site = fact_callers(d->p, f, function);

    if (site.all == 0) {
        uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;
        d->flow->escapes = true;
        d->flow->given_out = d->flow->given_out || (function > 1 && !prefetched);
        /* Estimators call it. */
        if (span_has(py_text(f, name), "input_fn"))
            consume(d, f, n, CONSUMER_FIT, prefetched);
    }
    while (site.taken < CALLERS_MAX && fact_take(&site))
        flow_from(d, site.file, site.call, prefetched);
}

/* The data set n of f is an argument of the call, which runs the function. */
static void flow_into_parameters(struct down *d, const struct py_file *f, uint32_t n, uint32_t call, struct function to,
                                 bool prefetched)
{
    uint32_t scope = to.f->nodes[to.n].sym, around = py_parent(f, n);
    uint32_t parameters = py_child(to.f, to.n, FIELD_PARAMETERS);
    bool keyword = py_kind(f, around) == PY_KEYWORD_ARGUMENT;
    int index = py_class_of(to.f, to.n) != 0 ? 1 : 0; /* self is before the dot */

    for (uint32_t at = py_first(f, py_child(f, call, FIELD_ARGUMENTS)); at != 0 && at != n; at = py_next(f, at))
        index++;
    for (uint32_t at = parameters; at < to.f->nodes[parameters].after; at++) {
        uint32_t i = py_kind(to.f, at) == PY_IDENTIFIER ? py_def_in(to.f, scope, to.f->nodes[at].sym) : 0;
        const struct py_def *def = &to.f->defs[i];
        if (i == 0 || def->node != at || def->kind != DEF_PARAM)
            continue;
        if (keyword ? span_eq(to.f->syms[def->sym], f->syms[f->nodes[around].sym]) : def->index == index)
            flow_from_def(d, to.f, i, prefetched);
    }
}

/* The data set n is an argument of the call. */
static void flow_into_call(struct down *d, const struct py_file *f, uint32_t n, uint32_t call, bool prefetched)
{
    const struct word *callee = fact_word(d->p, f, call);
    uint32_t taker = fact_method(f, call, TRAIT_TAKES_DATASET);
    struct function to;

    if (taker != 0 && fact_value(d->p, f, taker).kind != VALUE_DATASET)
        consume(d, f, n, CONSUMER_FIT, prefetched);
    else if (word_has(callee, TRAIT_MAKES_ITERATOR))
        consume(d, f, n, CONSUMER_ITERATOR, prefetched);
    else if (word_has(callee, TRAIT_ENUMERATES) || word_has(callee, TRAIT_ZIPS) || word_has(callee, TRAIT_PROGRESS) ||
             word_has(callee, TRAIT_ITERATOR))
        flow_from(d, f, call, prefetched);
    else if (fact_callee(d->p, f, call, &to))
        flow_into_parameters(d, f, n, call, to, prefetched);
    else
        d->flow->escapes = true;
}

/* Its place among the parts of a tuple that is returned; -1: it is not. */
static int part_returned(const struct py_file *f, uint32_t n)
{
    uint32_t tuple = py_parent(f, n);
    enum py_kind kind = py_kind(f, tuple);
    int part = 0;

    if ((kind != PY_TUPLE && kind != PY_EXPRESSION_LIST) || py_kind(f, py_parent(f, tuple)) != PY_RETURN)
        return -1;
    for (uint32_t c = py_first(f, tuple); c != 0 && c != n; c = py_next(f, c))
        part++;
    return part;
}

static void flow_to_name(struct down *d, const struct py_file *f, uint32_t assignment, bool prefetched)
{
    uint32_t left = py_child(f, assignment, FIELD_LEFT);
    uint32_t name = left;

    if (py_kind(f, left) != PY_IDENTIFIER && py_kind(f, left) != PY_ATTRIBUTE) { /* a, b = f(): that of its part */
        name = d->part >= 0 ? py_first(f, left) : 0;
        for (int i = 0; name != 0 && i < d->part; i++)
            name = py_next(f, name);
    }
    uint32_t def = name != 0 ? py_def_at(f, name) : 0;
    if (def != 0)
        flow_from_def(d, f, def, prefetched);
    else
        d->flow->escapes = true;
}

static void flow_to_parent(struct down *d, const struct py_file *f, uint32_t n, bool prefetched)
{
    uint32_t parent = py_parent(f, n);

    switch (py_kind(f, parent)) {
    case PY_PARENTHESIZED:
    case PY_CONDITIONAL:
    case PY_TUPLE:
    case PY_EXPRESSION_LIST:
    case PY_LIST:
        d->part = part_returned(f, n);
        flow_from(d, f, parent, prefetched);
        break;
    case PY_ASSIGNMENT:
        if (f->nodes[n].field == FIELD_RIGHT)
            flow_to_name(d, f, parent, prefetched);
        break;
    case PY_RETURN:
        flow_to_callers(d, f, n, prefetched);
        break;
    case PY_ARGUMENT_LIST:
        flow_into_call(d, f, n, py_parent(f, parent), prefetched);
        break;
    case PY_KEYWORD_ARGUMENT:
        flow_into_call(d, f, n, py_parent(f, py_parent(f, parent)), prefetched);
        break;
    case PY_FOR:
    case PY_FOR_IN:
        if (f->nodes[n].field == FIELD_RIGHT)
            consume(d, f, n, CONSUMER_LOOP, prefetched);
        break;
    default:
        break;
    }
}

static void flow_from(struct down *d, const struct py_file *f, uint32_t n, bool prefetched)
{
    uint32_t attribute = py_parent(f, n), call = py_parent(f, attribute);
    struct stage stage;
    struct span method;

    if (d->steps++ > FOLLOW_MAX || d->depth > CALLS_MAX * 4)
        return;
    d->depth++;
    if (py_kind(f, attribute) == PY_ATTRIBUTE && f->nodes[n].field == FIELD_OBJECT && py_kind(f, call) == PY_CALL &&
        f->nodes[attribute].field == FIELD_FUNCTION) {
        py_receiver(f, call, &method);
        if (fact_stage(d->p, f, call, &stage)) {
            /* ds.prefetch(1) as a statement: what it gives is dropped, and ds stays as it was. */
            if (py_kind(f, py_parent(f, call)) == PY_EXPRESSION_STATEMENT) {
                d->depth--;
                return;
            }
            if (d->flow->n_stages < STAGES_MAX)
                d->flow->stages[d->flow->n_stages++] = stage;
            /* with_options and the like keep what was prefetched ready. */
            flow_from(d, f, call,
                      stage.kind == STAGE_PREFETCH || (prefetched && span_eq(method, SPAN("with_options"))));
        } else if (span_starts(method, SPAN("make_"))) {
            consume(d, f, n, CONSUMER_ITERATOR, prefetched);
        }
    } else {
        flow_to_parent(d, f, n, prefetched);
    }
    d->depth--;
}

void fact_downstream(struct project *p, const struct py_file *f, uint32_t call, struct flow *flow)
{
    struct down d = {.p = p, .flow = flow, .part = -1};
    struct stage own;

    memset(flow, 0, sizeof *flow);
    flow_from(&d, f, call, fact_stage(p, f, call, &own) && own.kind == STAGE_PREFETCH);
}
