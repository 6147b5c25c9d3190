/* PP301: map and interleave without num_parallel_calls process one element at a time. */
#include "check/rules/stages.h"

enum { TINY = 1000 }; /* elements */

/* [1, 2, 3]; of (x, y) and {"x": x} it is the parts that are sliced, each of which must be written out. */
static bool literal_items(const struct py_file *f, uint32_t n)
{
    n = py_bare(f, n);
    enum py_kind kind = py_kind(f, n);

    if (kind != PY_TUPLE && kind != PY_DICTIONARY)
        return kind == PY_LIST;
    for (uint32_t c = py_first(f, n); c != 0; c = py_next(f, c)) {
        uint32_t part = py_kind(f, c) == PY_PAIR ? py_child(f, c, FIELD_VALUE) : c;
        if (py_kind(f, py_bare(f, part)) != PY_LIST)
            return false;
    }
    return true;
}

/* A data set of a few elements, as far as the code says so. */
static bool is_tiny(struct project *p, const struct stage *stages, size_t n)
{
    bool repeated = false;

    for (size_t i = 0; i < n; i++) {
        const struct stage *s = &stages[i];
        int64_t count = 0;
        if (s->call == 0)
            continue;
        uint32_t first = py_argument(s->file, s->call, 0);
        if (s->kind == STAGE_TAKE && py_integer(s->file, first, &count) && count >= 0 && count <= TINY)
            return true;
        repeated = repeated || s->kind == STAGE_REPEAT;
        if (s->kind != STAGE_SOURCE)
            continue;
        bool range = word_has(s->made, TRAIT_RANGE_DATASET) && first != 0 && py_argument(s->file, s->call, 1) == 0;
        struct value v = range ? fact_value(p, s->file, first) : (struct value){0}; /* what range() counts to */
        if (v.kind == VALUE_CONSTANT && py_integer(fact_file(p, v.file), v.node, &count) && count >= 0)
            return count <= (repeated ? 1 : TINY);
        if (repeated)
            return false;
        if (word_has(s->made, TRAIT_ONE_ELEMENT))
            return true;
        if (word_has(s->made, TRAIT_SLICES))
            return literal_items(s->file, first);
    }
    return false;
}

/* A name for tf.data.AUTOTUNE that is in scope, else how to spell it here. */
static bool autotune_name(struct project *p, const struct py_file *f, uint32_t call, struct buf *out)
{
    static const char *const usual[] = {"AUTOTUNE", "AUTO", "autotune"};

    for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
        uint32_t def = py_def_for(f, call, py_sym(f, span_of(usual[i])));
        bool fits = def != 0 && f->defs[def].scope == 1 && f->nodes[f->defs[def].node].start < f->nodes[call].start;
        for (; def != 0; def = f->defs[def].next) /* it may be bound again, by another release's name */
            fits = fits && f->defs[def].kind == DEF_ASSIGN && fact_has(p, f, f->defs[def].value, TRAIT_AUTOTUNE);
        if (fits) {
            buf_add_text(out, usual[i]);
            return true;
        }
    }
    struct span tf = fact_tf_name(p, f, call);
    if (tf.len == 0)
        return false;
    buf_add_span(out, tf);
    buf_add_text(out, stage_autotune(p, f));
    return true;
}

/* Sums and differences over whole batches are work. */
static bool is_light(const struct mapper *m, const struct stage *before, size_t n)
{
    for (size_t i = 0; i < n && m->arithmetic; i++)
        if (before[i].kind == STAGE_BATCH)
            return false;
        else if (before[i].kind == STAGE_UNBATCH)
            break;
    return m->light;
}

static bool names_work(struct span name)
{
    return span_has_word(name, "decod augment token resiz") && !span_has_word(name, "record example label");
}

/* What `partial(f, …)`, `lambda x: f(x)` or `f` calls, by its name. */
static bool calls_work(struct project *p, const struct py_file *f, uint32_t function)
{
    uint32_t first = py_argument(f, function, 0);

    if (first != 0 && fact_has(p, f, function, TRAIT_PARTIAL))
        function = first;
    if (py_kind(f, function) != PY_LAMBDA)
        return names_work(py_text(f, function));
    for (uint32_t n = function; n < f->nodes[function].after; n++)
        if (names_work(py_text(f, py_child_of(f, n, PY_CALL, FIELD_FUNCTION))))
            return true;
    return false;
}

static bool writes_records(struct project *p, const struct py_file *f, uint32_t function)
{
    (void)p;
    return function > 1 && span_has(py_text(f, function), "TFRecordWriter");
}

/* Few elements pass, or each passes once: requests that are served, data that are prepared, shown. */
static bool runs_seldom(struct project *p, const struct py_file *f, uint32_t n)
{
    static const char words[] =
        "serving represent calibrat print visuali plot show inspect test _generate_examples benchmark debug _vis.";
    uint32_t left = py_child(f, py_statement(f, n), FIELD_LEFT);

    if (left == 0 && py_first(f, py_statement(f, n)) != 0)
        left = py_child(f, py_first(f, py_statement(f, n)), FIELD_LEFT);
    if (left != 0 && span_find(py_text(f, left), SPAN("test")) != SIZE_MAX)
        return true;
    for (uint32_t at = py_function_of(f, n); at > 1; at = py_function_of(f, py_parent(f, at)))
        if (span_has_word(py_title(f, at), words))
            return true;
    const char *slash = strrchr(f->path, '/');
    return fact_once(p, f, py_function_of(f, n), writes_records) ||
           span_has_word(span_of(slash != NULL ? slash : f->path), words) ||
           fact_mentions(p, f, "GeneratorBasedBuilder|apache_beam");
}

/* Does a cache() follow that no setting switches off? */
static bool is_cached(struct project *p, const struct stage *stage)
{
    struct flow flow;

    fact_downstream(p, stage->file, stage->call, &flow);
    for (size_t i = 0; i < flow.n_stages; i++) {
        const struct stage *s = &flow.stages[i];
        uint32_t choice = s->kind == STAGE_CACHE ? py_up(s->file, s->call, PY_IF) : 0;
        if (s->kind == STAGE_CACHE &&
            (choice == 0 || (s->file == stage->file && py_inside(s->file, stage->call, choice))))
            return true;
    }
    return false;
}

/* Why there may be little to gain. */
struct doubts {
    bool tiny, seldom, cached, light;
    bool unseen; /* it is not seen that the function takes time */
};

/* What is to be thought of; NULL: nothing. */
static const char *remark(const struct doubts *d, const struct mapper *m)
{
    return m->trivial                ? "The function only picks or packs: next to nothing to gain."
           : d->tiny                 ? "The data set is small here: little to gain."
           : d->seldom               ? "It seems to run once, or for a few elements: little to gain."
           : d->cached               ? "The result is cached, so this runs in the first epoch only."
           : d->light                ? "The function does little: little to gain."
           : m->python               ? "It calls Python, which runs one call at a time unless it reads files or leaves"
                                       " the interpreter."
           : m->model                ? "The function runs a model, which uses all processors already."
           : d->unseen && m->records ? "It only parses records: worth it where they are large, or very many."
           : d->unseen               ? "Worth it where the function takes time; the code does not show whether it does."
                                     : NULL;
}

/* What changes with the order in which elements come; NULL: nothing. */
static const char *remark_on_order(const struct mapper *m)
{
    if (m->random && m->stateful)
        return "The function draws random numbers and has side effects: the same seed gives other numbers, and the"
               " order of the effects changes; deterministic=True keeps the order of the elements.";
    if (m->random)
        return "The function draws random numbers: the same seed gives other numbers;"
               " deterministic=True keeps the order of the elements.";
    return m->stateful ? "The function has side effects, whose order changes; deterministic=True keeps"
                         " the order of the elements."
                       : NULL;
}

static void report(struct rule_run *r, struct project *p, const struct stage *stage, const struct mapper *m,
                   uint32_t none)
{
    const struct py_file *f = stage->file;
    struct stage before[STAGES_MAX];
    size_t n = fact_upstream(p, f, py_receiver(f, stage->call, NULL), before);
    /* The files behind an interleave are work, but where the data sets are there already (lambda d: d); of what is not
     * seen it is not known. */
    bool work = (stage->kind == STAGE_INTERLEAVE && !m->trivial) || m->works ||
                ((!m->known || m->unknown) && calls_work(p, f, py_argument_or(f, stage->call, 0, "map_func")));
    struct doubts d = {.tiny = is_tiny(p, before, n),
                       .seldom = runs_seldom(p, f, stage->call),
                       .cached = is_cached(p, stage),
                       .light = is_light(m, before, n),
                       .unseen = !work};
    bool little = d.tiny || d.seldom || d.cached || d.light || d.unseen || m->stateful || m->model || m->python;
    const char *doubt = remark(&d, m), *order = remark_on_order(m);
    /* What reads files or decodes takes the most time of all. */
    rule_report(r, stage->call,
                little     ? CHECK_LOW
                : m->reads ? CHECK_HIGH
                           : CHECK_MEDIUM,
                "%.*s() processes one element at a time%s", SPAN_ARG(stage->method),
                none != 0 ? " with num_parallel_calls=None" : "");
    if (doubt != NULL || order != NULL)
        rule_why(r, "%s%s%s", doubt != NULL ? doubt : "", doubt != NULL && order != NULL ? " " : "",
                 order != NULL ? order : "");
    rule_point_at_method(r, stage->call);
    AT_END(buf_clear) struct buf name = {0};
    if (m->random || m->stateful || m->trivial || py_has_splat(f, stage->call) ||
        !autotune_name(p, f, stage->call, &name))
        return;
    rule_fix(r, "add num_parallel_calls");
    if (none != 0)
        rule_edit(r, f->nodes[none].start, f->nodes[none].end, "%s", buf_cstr(&name));
    else
        rule_add_argument(r, stage->call, "num_parallel_calls=%s", buf_cstr(&name));
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage stage;
    uint32_t data = py_method(f, call, "map interleave map_with_legacy_function");

    if (data == 0 || py_has_splat(f, call) ||
        !rule_needs(r, call, data, fact_stage(p, f, call, &stage), "it is not known to be a tf.data.Dataset"))
        return;
    uint32_t given = fact_parallel_calls(&stage);
    uint32_t function = py_argument_or(f, call, 0, "map_func");
    int64_t files; /* interleave(…, cycle_length=1): one after the other, as was asked for */
    bool one_by_one = stage.kind == STAGE_INTERLEAVE &&
                      py_integer(f, py_argument_or(f, call, 1, "cycle_length"), &files) && files == 1;
    if (function == 0 ||
        !rule_needs(r, call, given != 0 ? given : call,
                    (given == 0 || py_kind(f, given) == PY_NONE_LITERAL) &&
                        py_keyword(f, call, "num_threads") == 0 /* of tf.contrib.data */ && !one_by_one,
                    "the number of parallel calls is given"))
        return;
    struct mapper m = fact_mapper(p, f, function);
    if (stage.kind == STAGE_INTERLEAVE) /* its work is in the data sets that it reads */
        m.light = m.random = m.model = m.python = false;
    report(r, p, &stage, &m, given);
}

const struct rule_looks rule_PP301 = {.call = check_call};
