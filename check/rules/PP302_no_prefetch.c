/* PP302: a pipeline that feeds training does not end in prefetch. */
#include "check/facts/training.h"
#include "check/rules/stages.h"

/* Is the function, or its class, there for something else, by its name? */
static bool named_otherwise(const struct py_file *f, uint32_t n)
{
    for (uint32_t at = py_parent(f, n); at > 1; at = py_parent(f, at)) {
        if (span_has(py_title(f, at), "train"))
            return false;
        if (span_has_word(
                py_title(f, at),
                "eval Eval infer predict Predict test Test export visuali plot dump benchmark Benchmark vocab"))
            return true;
    }
    return false;
}

/* tf.data.make_one_shot_iterator(ds): something in the program changes variables by what it gives. */
static bool updates(struct project *p, const struct py_file *f)
{
    return fact_has_call(p, f, 1, TRAIT_TRAINS) || fact_has_call(p, f, 1, TRAIT_ASSIGNS);
}

/* Is the function around n handed to an estimator's predict or evaluate, and to nothing that trains? */
static bool only_predicts(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;
    bool predicts = false;

    for (struct py_nodes use = py_uses(f, name != 0 ? f->nodes[name].sym : 0, 1); py_take(&use);) {
        struct span method = {"", 0};
        if (use.n == name || py_kind(f, use.n) != PY_IDENTIFIER)
            continue;
        uint32_t call = py_up(f, use.n, PY_CALL);
        bool other = call != 0 && py_receiver(f, call, &method) != 0 &&
                     (span_eq(method, SPAN("predict")) || span_starts(method, SPAN("eval")));
        if (!other)
            return false;
        predicts = true;
    }
    return predicts;
}

enum feeds { FEEDS_NOTHING, FEEDS_TRAINING, FEEDS_VALIDATION, FEEDS_CALLERS };

/* Is it training, not a look at the data, evaluation or prediction? Unknown if a function without seen callers returns
 * it. */
static enum feeds feeds_what(struct project *p, const struct flow *flow)
{
    const struct py_file *f = flow->consumer_file;
    uint32_t loop;

    switch (flow->consumer) {
    case CONSUMER_NONE:
        return flow->given_out ? FEEDS_CALLERS : FEEDS_NOTHING;
    case CONSUMER_LOOP: /* words show that it trains */
        loop = py_up(f, flow->consumed, PY_FOR);
        for (uint32_t n = loop; n < f->nodes[loop].after; n++) {
            struct span name = py_called(f, n);
            if (name.len > 0 && !span_has_word(name, "valid val_ test eval") &&
                (fact_has(p, f, n, TRAIT_TAPE) || fact_name_trains(name) != NOT_SEEN))
                return FEEDS_TRAINING;
        }
        return FEEDS_NOTHING;
    case CONSUMER_ITERATOR:
        return !named_otherwise(f, flow->consumed) &&
                       (!fact_has(p, f, py_up(f, flow->consumed, PY_CALL), TRAIT_MAKES_ITERATOR) || updates(p, f))
                   ? FEEDS_TRAINING
                   : FEEDS_NOTHING;
    case CONSUMER_FIT:
        break;
    }
    /* fit(ds), train(ds), and not evaluate(ds); or an input_fn. */
    uint32_t call = py_up(f, flow->consumed, PY_CALL), around = py_parent(f, flow->consumed);
    struct span method;
    if (call == flow->consumed)
        call = py_up(f, py_parent(f, call), PY_CALL);
    if (call == 0 || py_receiver(f, call, &method) == 0)
        return only_predicts(f, flow->consumed) ? FEEDS_NOTHING : FEEDS_TRAINING;
    if (!span_starts(method, SPAN("fit")) && !span_eq(method, SPAN("train")))
        return FEEDS_NOTHING;
    return py_kind(f, around) == PY_KEYWORD_ARGUMENT && py_is(f, py_child(f, around, FIELD_NAME), "validation_data")
               ? FEEDS_VALIDATION
               : FEEDS_TRAINING;
}

/* The work that could be done while the model trains. */
struct work {
    bool much; /* it takes time for sure */
    bool maps; /* a function that does more than pack or cast runs for each element */
    bool python;
    bool ahead; /* a parallel stage works ahead of the model by itself */
};

static struct work work_of(struct project *p, const struct stage *stages, size_t n);

/* Dataset.zip((images, labels)): the work of each. */
static void add_zipped(struct work *w, struct project *p, const struct stage *zip)
{
    enum { ZIPPED_MAX = 4 };
    uint32_t tuple = py_argument(zip->file, zip->call, 0);
    uint32_t part = py_kind(zip->file, tuple) == PY_TUPLE ? py_first(zip->file, tuple) : 0;

    for (int i = 0; part != 0 && i < ZIPPED_MAX; part = py_next(zip->file, part), i++) {
        struct stage stages[STAGES_MAX];
        size_t n = fact_upstream(p, zip->file, part, stages);
        if (n > 0 && word_has(stages[n - 1].made, TRAIT_ZIPS_DATASETS))
            continue;
        struct work own = work_of(p, stages, n);
        w->much = w->much || own.much;
        w->maps = w->maps || own.maps;
        w->python = w->python || own.python;
    }
}

/* From the last stage back to the source; what is before a parallel one, or a cache, is done by then. */
static struct work work_of(struct project *p, const struct stage *stages, size_t n)
{
    struct work w = {0};

    for (size_t i = 0; i < n && !w.ahead; i++) {
        const struct stage *s = &stages[i];
        if (s->kind == STAGE_CACHE)
            break; /* from memory, after the first epoch */
        if (s->kind == STAGE_INTERLEAVE || s->kind == STAGE_MAP)
            w.ahead = fact_parallel_calls(s) != 0;
        if (s->kind == STAGE_MAP) {
            struct mapper m = stage_mapper(p, s);
            w.maps = w.maps || (m.known && !m.trivial && !m.light);
            w.much = w.much || ((m.works || m.records) && !w.ahead);
            w.python = w.python || (m.python && !w.ahead);
        }
        if (s->kind == STAGE_SOURCE) {
            w.python = w.python || word_has(s->made, TRAIT_FROM_GENERATOR);
            w.much = w.much || word_has(s->made, TRAIT_FILE_DATASET);
            if (word_has(s->made, TRAIT_ZIPS_DATASETS))
                add_zipped(&w, p, s);
        }
    }
    w.much = w.much || w.python;
    return w;
}

static bool is_generated(struct project *p, const struct py_file *f, const struct py_def *def)
{
    return def->kind == DEF_ASSIGN && fact_has(p, f, def->value, TRAIT_FROM_GENERATOR);
}

/* Does a generator in Python make the elements, in one of the branches that bind what the pipeline begins with? */
static bool may_be_generated(struct project *p, const struct py_file *f, uint32_t call)
{
    enum { DEFS_MAX = 8 };
    uint32_t n = call;

    while (py_kind(f, n) == PY_CALL && py_receiver(f, n, NULL) != 0)
        n = py_receiver(f, n, NULL);
    for (struct py_defs d = py_reaching(f, n, DEFS_MAX); py_take_def(&d);)
        if (is_generated(p, f, d.def))
            return true;
    if (py_kind(f, n) != PY_ATTRIBUTE)
        return false;
    struct value v = fact_value(p, f, py_child(f, n, FIELD_OBJECT));
    if (v.kind != VALUE_INSTANCE)
        return false;
    const struct py_file *file = fact_file(p, v.file);
    uint32_t sym = py_sym(file, f->syms[f->nodes[n].sym]);
    for (uint32_t d = py_def_in(file, file->nodes[v.node].sym, sym); d != 0; d = file->defs[d].next)
        if (is_generated(p, file, &file->defs[d]))
            return true;
    return false;
}

/* --- a function that gives batches to whoever asks --- */

/* Is a function of that name called in a file that speaks of prefetch? What it gives may be prefetched there. */
static bool prefetched_by_callers(struct project *p, struct span name)
{
    for (size_t i = 0; i < fact_n_files(p); i++) {
        const struct py_file *f = fact_file(p, i);
        uint32_t sym = py_sym(f, name);
        if (sym == 0 || !fact_mentions(p, f, "prefetch"))
            continue;
        for (struct py_nodes call = fact_calls(p, f); py_take(&call);) {
            uint32_t callee = py_child(f, call.n, FIELD_FUNCTION);
            if (f->nodes[callee].sym == sym)
                return true;
        }
    }
    return false;
}

/* Are the batches clearly for training: shuffled, of the caller's size, after work for each element? */
static bool gives_batches(struct project *p, const struct py_file *f, uint32_t call, const struct stage *stages,
                          size_t n, const struct work *work)
{
    uint32_t function = py_function_of(f, call);
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;
    uint32_t left = py_child_of(f, py_parent(f, call), PY_ASSIGNMENT, FIELD_LEFT); /* test = test.batch(n) */
    bool other = left != 0 && span_has_word(py_text(f, left), "test Test val_ valid eval Eval");
    bool batches = false, shuffles = false;

    for (size_t i = 0; i < n; i++) {
        uint32_t size = stages[i].kind == STAGE_BATCH
                            ? py_argument_or(stages[i].file, stages[i].call, 0, "batch_size")
                            : 0; /* batch(self.batch_size): as many as the one who asks for it wants */
        batches = batches || (size != 0 && span_has(py_name(stages[i].file, py_bare(stages[i].file, size)), "batch"));
        shuffles = shuffles || stages[i].kind == STAGE_SHUFFLE;
    }
    return batches && shuffles && (work->much || work->maps) && fact_role(p, f) == ROLE_CODE &&
           !named_otherwise(f, call) && !other && !prefetched_by_callers(p, py_text(f, name));
}

static void report(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call, bool sure,
                   enum feeds feeds, const struct flow *flow, struct span method, const char *remarks)
{
    struct span tf = fact_tf_name(p, f, call);
    AT_END(buf_clear) struct buf fed = {0};

    if (feeds == FEEDS_CALLERS)
        buf_addf(&fed, "is what %s() returns to code that trains on it",
                 RULE_TEXT(f, py_child(f, py_function_of(f, call), FIELD_NAME)));
    else
        buf_addf(&fed, "feeds %s in %s", feeds == FEEDS_TRAINING ? "training" : "validation",
                 RULE_PLACE(f, flow->consumer_file, flow->consumed));
    rule_report(r, call, sure ? CHECK_MEDIUM : CHECK_LOW, "the pipeline ends in %.*s(), without prefetch()",
                SPAN_ARG(method));
    rule_why(r, "It %s, which waits while each batch is made.%s%s", buf_cstr(&fed), *remarks != '\0' ? " " : "",
             remarks);
    rule_point_at_method(r, call);
    if (feeds != FEEDS_CALLERS && tf.len > 0) { /* who knows what they do with it */
        rule_fix(r, "add prefetch");
        rule_edit(r, f->nodes[call].end, f->nodes[call].end, ".prefetch(%.*s%s)", SPAN_ARG(tf), stage_autotune(p, f));
    }
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage stages[STAGES_MAX], own;
    struct flow flow;

    if (!fact_stage(p, f, call, &own) || own.kind == STAGE_PREFETCH || own.kind == STAGE_CACHE ||
        span_eq(own.method, SPAN("with_options")))
        return;
    fact_downstream(p, f, call, &flow);
    enum feeds feeds = feeds_what(p, &flow);
    if (!rule_needs(r, call, call, flow.n_stages == 0, "another stage follows") ||
        !rule_needs(r, call, call, feeds != FEEDS_NOTHING, "nothing that trains is seen to take the data set"))
        return;
    size_t n = fact_upstream(p, f, call, stages); /* what comes before, and the call */
    size_t last = 0; /* behind a prefetch, nothing but repeat and the like: the batches are ready all the same */
    while (last < n && (stages[last].kind == STAGE_REPEAT || stages[last].kind == STAGE_TAKE))
        last++;
    if (!rule_needs(r, call, call, last == n || stages[last].kind != STAGE_PREFETCH, "it is prefetched"))
        return;
    struct work work = work_of(p, stages, n);
    bool had = false; /* a prefetch earlier */
    for (size_t i = 1; i < n; i++)
        had = had || stages[i].kind == STAGE_PREFETCH;
    /* map_and_batch makes the next batches ahead by itself. */
    if (span_has(py_text(f, call), "map_and_batch(") && span_eq(own.method, SPAN("apply")))
        work.ahead = true;
    bool little = false; /* for those who are fed, to speak of */
    if (feeds == FEEDS_VALIDATION)
        little = (!work.much && !may_be_generated(p, f, call)) || work.ahead || had;
    if (feeds == FEEDS_CALLERS)
        little = had || !gives_batches(p, f, call, stages, n, &work);
    if (!rule_needs(r, call, call, !little,
                    "little work in the pipeline is seen, or it is not seen that the batches are for training"))
        return;
    /* Whoever reads an iterator may do anything; where variables are updated beside it, it trains. */
    bool sure = feeds == FEEDS_TRAINING && work.much && !work.ahead && !had &&
                (work.python || flow.consumer == CONSUMER_FIT || flow.consumer == CONSUMER_LOOP ||
                 updates(p, flow.consumer_file)) &&
                fact_role(p, flow.consumer_file) != ROLE_TEST;
    const char *remark = had          ? "There is a prefetch() earlier."
                         : work.ahead ? "The parallel stage works ahead by itself: only what follows it is to gain."
                         : !work.much
                             ? "Worth it where making a batch takes time; the code does not show whether it does."
                             : "";
    report(r, p, f, call, sure, feeds, &flow, own.method, remark);
    if (sure && flow.consumer != CONSUMER_ITERATOR && fact_in_program(p, flow.consumer_file, flow.consumed))
        rule_sure(r);
}

const struct rule_looks rule_PP302 = {.call = check_call};
