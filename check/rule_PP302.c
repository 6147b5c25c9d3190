/* PP302: a pipeline that feeds training does not end in prefetch. */
#include "check/habits.h"
#include "check/rule.h"

/* Words that show that a loop over the data set trains. */
static bool loop_trains(struct project *p, const struct py_file *f, uint32_t consumed)
{
    static const char *const words[] = {"train", "apply_gradients", "minimize", "fit", "learn",
                                        "optimize", "update_", "step"};
    uint32_t loop = py_up(f, consumed, PY_FOR);

    for (uint32_t n = loop; loop != 0 && n < f->nodes[loop].after; n++) {
        uint32_t callee = py_kind(f, n) == PY_CALL ? py_child(f, n, FIELD_FUNCTION) : 0;
        if (callee == 0)
            continue;
        if (fact_is(p, f, n, "tf.GradientTape"))
            return true;
        uint32_t sym = f->nodes[callee].sym;
        if (sym != 0 && span_has_any(f->syms[sym], words, ARRAY_LEN(words)))
            return true;
    }
    return false;
}

/* Is the function, or its class, there for something else, by its name? */
static bool named_otherwise(const struct py_file *f, uint32_t n)
{
    static const char *const words[] = {"eval", "Eval", "infer", "predict", "Predict", "test",
                                        "Test", "export", "visuali", "plot", "dump", "benchmark",
                                        "Benchmark", "vocab"};

    for (uint32_t at = py_parent(f, n); at > 1; at = py_parent(f, at)) {
        if (py_kind(f, at) != PY_FUNCTION && py_kind(f, at) != PY_CLASS)
            continue;
        uint32_t name = py_child(f, at, FIELD_NAME);
        if (name != 0 && span_find(py_text(f, name), SPAN("train")) != SIZE_MAX)
            return false;
        if (name != 0 && span_has_any(py_text(f, name), words, ARRAY_LEN(words)))
            return true;
    }
    return false;
}

/* tf.data.make_one_shot_iterator(ds): something in the program changes variables by what it gives. */
static bool updates(const struct py_file *f)
{
    static const char *const names[] = {"minimize", "apply_gradients", "assign", "assign_add",
                                        "assign_sub", "scatter_update", "train_on_batch", "fit",
                                        "create_train_op", NULL};

    return habit_calls(f, 1, names);
}

/* Is the function around n handed to an estimator's predict or evaluate, and to nothing that trains? */
static bool only_predicts(const struct py_file *f, uint32_t n)
{
    uint32_t function = py_function_of(f, n);
    uint32_t name = function > 1 ? py_child(f, function, FIELD_NAME) : 0;
    bool predicts = false;

    for (uint32_t at = 1; name != 0 && at < f->n_nodes; at++) {
        struct span method = {"", 0};
        if (at == name || py_kind(f, at) != PY_IDENTIFIER || f->nodes[at].sym != f->nodes[name].sym)
            continue;
        uint32_t call = py_up(f, at, PY_CALL);
        bool other = call != 0 && py_receiver(f, call, &method) != 0 &&
                     (span_eq(method, SPAN("predict")) || span_starts(method, SPAN("eval")));
        if (!other)
            return false;
        predicts = true;
    }
    return predicts;
}

/* Is it training, and not a look at the data, an evaluation, a prediction? */
static bool feeds_training(struct project *p, const struct flow *flow)
{
    const struct py_file *f = flow->consumer_file;
    uint32_t call;
    struct span method;

    switch (flow->consumer) {
    case CONSUMER_NONE:
        return false;
    case CONSUMER_LOOP:
        return loop_trains(p, f, flow->consumed);
    case CONSUMER_ITERATOR:
        if (named_otherwise(f, flow->consumed))
            return false;
        call = py_up(f, flow->consumed, PY_CALL);
        return call == 0 || !span_starts(fact_name(p, f, call), SPAN("tf.data.make_")) ||
               updates(f);
    case CONSUMER_FIT:
        break;
    }
    call = py_up(f, flow->consumed, PY_CALL);
    if (call == flow->consumed)
        call = py_up(f, py_parent(f, call), PY_CALL);
    if (call == 0 || py_receiver(f, call, &method) == 0)
        return !only_predicts(f, flow->consumed); /* an input_fn */
    bool validation = py_kind(f, py_parent(f, flow->consumed)) == PY_KEYWORD_ARGUMENT &&
                      py_is(f, py_child(f, py_parent(f, flow->consumed), FIELD_NAME),
                            "validation_data");
    return (span_starts(method, SPAN("fit")) || span_eq(method, SPAN("train"))) && !validation;
}

/* The work that could be done while the model trains. */
struct work {
    bool much;  /* it takes time for sure */
    bool python;
    bool ahead; /* a parallel stage works ahead of the model by itself */
};

/* From the last stage back to the source; what is before a parallel one, or a cache, is done by then. */
static struct work work_of(struct project *p, const struct stage *stages, size_t n)
{
    static const char *const readers[] = {"Record", "TextLine", "from_directory"};
    struct work w = {0};

    for (size_t i = 0; i < n && !w.ahead; i++) {
        const struct stage *s = &stages[i];
        if (s->kind == STAGE_CACHE)
            break; /* from memory, after the first epoch */
        if (s->kind == STAGE_INTERLEAVE || s->kind == STAGE_MAP)
            w.ahead = fact_parallel_calls(s) != 0;
        if (s->kind == STAGE_MAP && !w.ahead) {
            struct mapper m =
                fact_mapper(p, s->file, py_argument_or(s->file, s->call, 0, "map_func"));
            w.much = w.much || m.works;
            w.python = w.python || m.python;
        }
        if (s->kind == STAGE_SOURCE) {
            w.python = w.python || span_find(s->method, SPAN("from_generator")) != SIZE_MAX;
            w.much = w.much || span_has_any(s->method, readers, ARRAY_LEN(readers));
        }
    }
    w.much = w.much || w.python;
    return w;
}

/* Whoever reads an iterator may do anything; where variables are updated beside it, it trains. */
static bool surely_trains(const struct flow *flow)
{
    return flow->consumer == CONSUMER_FIT || flow->consumer == CONSUMER_LOOP ||
           updates(flow->consumer_file);
}

/* What is to be thought of; "" when nothing is. */
static const char *remark(const struct work *w, bool had)
{
    return had       ? " (the one that is there comes earlier)"
           : w->ahead ? " (the parallel stage works ahead by itself: what comes after it is all there is"
                        " to gain)"
           : !w->much ? " (worth it where making a batch takes time, which is not seen from here)"
                      : "";
}

/* Behind the prefetch, nothing but repeat and the like: the batches are ready all the same. */
static bool ends_prefetched(const struct stage *stages, size_t n)
{
    size_t i = 0;

    while (i < n && (stages[i].kind == STAGE_REPEAT || stages[i].kind == STAGE_TAKE))
        i++;
    return i < n && stages[i].kind == STAGE_PREFETCH;
}

static bool prefetched_earlier(const struct stage *stages, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (stages[i].kind == STAGE_PREFETCH)
            return true;
    return false;
}

static void add_fix(struct rule_finding *found, struct project *p, const struct py_file *f,
                    uint32_t call)
{
    struct span tf = fact_tf_name(p, f, call);

    if (tf.len == 0)
        return;
    bool old = fact_mode(p, f) == MODE_GRAPH ||
               span_find(f->code, SPAN("experimental.AUTOTUNE")) != SIZE_MAX;
    rule_fix(found, "add prefetch");
    rule_edit(found, f->nodes[call].end, f->nodes[call].end, ".prefetch(%.*s.data.%sAUTOTUNE)",
              (int)tf.len, tf.ptr, old ? "experimental." : "");
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    struct stage own, stages[STAGES_MAX];
    struct flow flow;

    if (!fact_stage(p, f, call, &own) || own.kind == STAGE_PREFETCH || own.kind == STAGE_CACHE ||
        span_eq(own.method, SPAN("with_options")))
        return;
    fact_downstream(p, f, call, &flow);
    if (flow.n_stages > 0 || !feeds_training(p, &flow))
        return;
    size_t n = fact_upstream(p, f, call, stages);
    if (ends_prefetched(stages, n))
        return;
    struct work work = work_of(p, stages, n);
    bool had = prefetched_earlier(stages, n);
    /* map_and_batch makes the next batches ahead by itself. */
    if (span_find(py_text(f, call), SPAN("map_and_batch(")) != SIZE_MAX &&
        span_eq(own.method, SPAN("apply")))
        work.ahead = true;
    bool sure = work.much && !work.ahead && !had && (work.python || surely_trains(&flow)) &&
                fact_role(p, flow.consumer_file) != ROLE_TEST;
    uint32_t callee = py_child(f, call, FIELD_FUNCTION);
    uint32_t name = callee != 0 ? py_child(f, callee, FIELD_ATTRIBUTE) : 0;
    struct rule_finding *found = rule_report(
        r, call, sure ? CHECK_WARNING : CHECK_NOTE,
        "the pipeline ends in %.*s() and feeds training in %s; prefetch() at its end makes"
        " the next batch while the model works on this one%s",
        (int)own.method.len, own.method.ptr,
        RULE_PLACE(f, flow.consumer_file, flow.consumed), remark(&work, had));
    if (name != 0)
        rule_point_at(found, f->nodes[name].start, f->nodes[call].end);
    add_fix(found, p, f, call);
}

const struct rule rule_PP302 = {
    .about = {
        .id = "PP302",
        .name = "no-prefetch",
        .summary = "A pipeline that feeds training does not end in prefetch",
        .severity = CHECK_WARNING,
        .on = true,
        .fixable = true,
    },
    .call = check_call,
};
