/* PP303: transformations of a data set in an order that wastes work or memory. */
#include "check/rules/rule.h"
#include "check/facts/shape.h"

enum { DEPTH = 3, ONE_BATCH_MAX = 512 };

static struct rule_finding *say(struct rule_run *r, const struct stage *at,
                                enum check_severity severity, const char *what, uint32_t line)
{
    const struct py_file *f = at->file;
    uint32_t callee = py_child(f, at->call, FIELD_FUNCTION);
    uint32_t name = callee != 0 ? py_child(f, callee, FIELD_ATTRIBUTE) : 0;
    struct rule_finding *found =
        rule_report(r, at->call, severity, "%.*s() comes after what stands in line %u: %s",
                    (int)at->method.len, at->method.ptr, line, what);

    if (name != 0)
        rule_point_at(found, f->nodes[name].start, f->nodes[at->call].end);
    return found;
}

static uint32_t line_of(const struct stage *s)
{
    uint32_t callee = s->call != 0 ? py_child(s->file, s->call, FIELD_FUNCTION) : 0;
    uint32_t name = callee != 0 ? py_child(s->file, callee, FIELD_ATTRIBUTE) : 0;

    if (name != 0)
        return py_line(s->file, s->file->nodes[name].start);
    return s->call != 0 ? py_line(s->file, s->file->nodes[s->call].start) : 0;
}

static struct mapper mapper_of(struct project *p, const struct stage *s)
{
    return fact_mapper(p, s->file, py_argument_or(s->file, s->call, 0, "map_func"));
}

/* Is it for evaluation, as far as the names around it say? There, one frozen view is wanted, and
 * order does not matter. */
static bool evaluates(const struct py_file *f, uint32_t call)
{
    static const char *const words[] = {"val", "test", "eval", "dev_", "predict", "infer"};
    uint32_t statement = py_statement(f, call), function = py_function_of(f, call);
    struct span names[3] = {{"", 0}, {"", 0}, {"", 0}};
    uint32_t target = statement != 0 && py_first(f, statement) != 0 &&
                              py_kind(f, py_first(f, statement)) == PY_ASSIGNMENT
                          ? py_child(f, py_first(f, statement), FIELD_LEFT)
                          : 0;
    uint32_t first = call;

    if (statement != 0 && py_kind(f, statement) == PY_ASSIGNMENT)
        target = py_child(f, statement, FIELD_LEFT);
    while (py_kind(f, first) == PY_CALL && py_receiver(f, first, NULL) != 0)
        first = py_receiver(f, first, NULL);
    names[0] = target != 0 ? py_text(f, target) : names[0];
    names[1] = py_text(f, first);
    if (function > 1 && py_child(f, function, FIELD_NAME) != 0)
        names[2] = py_text(f, py_child(f, function, FIELD_NAME));
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].len < 100 && span_has_any(names[i], words, ARRAY_LEN(words)))
            return true;
    return false;
}

/* Each of the two stands in a branch that the other does not: `if cache:` and `if not cache:` may
 * never meet. */
static bool branches_apart(const struct stage *a, const struct stage *b)
{
    bool apart[2] = {false, false};

    if (a->file != b->file || a->call == 0)
        return false;
    for (int side = 0; side < 2; side++) {
        uint32_t at = side == 0 ? a->call : b->call, other = side == 0 ? b->call : a->call;
        for (; at != 0 && py_kind(a->file, at) != PY_FUNCTION; at = py_parent(a->file, at)) {
            enum py_kind kind = py_kind(a->file, at);
            if ((kind == PY_IF || kind == PY_ELSE || kind == PY_ELIF) &&
                !py_inside(a->file, other, at))
                apart[side] = true;
        }
    }
    return apart[0] && apart[1];
}

/* --- cache --- */

/* What the function itself draws is sure; a name that sounds random is a guess. */
static bool draws(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    bool *found = ctx;

    *found = fact_op(p, f, call) == OP_RANDOM;
    return !*found;
}

static bool surely_random(struct project *p, const struct stage *s)
{
    uint32_t argument = py_argument_or(s->file, s->call, 0, "map_func"), function;
    const struct py_file *file;
    bool found = false;

    if (argument != 0 && fact_function(p, s->file, argument, &file, &function))
        fact_visit_calls(p, file, function, DEPTH, draws, &found);
    return found;
}

static bool endless(const struct stage *s)
{
    uint32_t count = py_argument_or(s->file, s->call, 0, "count");
    int64_t n;

    return s->kind == STAGE_REPEAT && span_eq(s->method, SPAN("repeat")) &&
           !py_has_splat(s->file, s->call) &&
           (count == 0 || py_kind(s->file, count) == PY_NONE_LITERAL ||
            (py_integer(s->file, count, &n) && n < 0));
}

/* Does each round over the data set end early: cache().take(1)? Then it was not for training. */
static bool has_kind(const struct flow *flow, enum stage_kind kind)
{
    for (size_t i = 0; i < flow->n_stages; i++)
        if (flow->stages[i].kind == kind)
            return true;
    return false;
}

static void check_before_cache(struct rule_run *r, struct project *p, const struct stage *cache,
                               const struct flow *flow)
{
    struct stage up[STAGES_MAX];
    size_t n = fact_upstream(p, cache->file, py_receiver(cache->file, cache->call, NULL), up);
    bool taken = false;

    for (size_t i = 0; i < n; i++) {
        taken = taken || up[i].kind == STAGE_TAKE;
        if (branches_apart(&up[i], cache))
            continue;
        if (endless(&up[i]) && !taken) {
            say(r, cache, CHECK_WARNING,
                "an endless repeat() never fills the cache, which grows until memory ends; put"
                " cache() before repeat()",
                line_of(&up[i]));
            return;
        }
        if (up[i].kind == STAGE_CACHE)
            return; /* an earlier one; this one is judged by what lies between */
        if (up[i].kind == STAGE_MAP && surely_random(p, &up[i])) {
            say(r, cache, CHECK_WARNING,
                "the random numbers of that map() are drawn once and kept, so every epoch sees the"
                " same; put cache() before it",
                line_of(&up[i]));
            return;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (up[i].kind == STAGE_SHUFFLE && !has_kind(flow, STAGE_SHUFFLE) && !taken &&
            !branches_apart(&up[i], cache)) {
            say(r, cache, CHECK_NOTE,
                "the cache keeps one order for all epochs; put cache() before shuffle()",
                line_of(&up[i]));
            return;
        }
    }
}

static bool reads_file(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    bool *found = ctx;

    *found = fact_has(p, f, call, TRAIT_READS_FILE);
    return !*found;
}

/* Before it, there are only names of files: the cache keeps nothing that took time to make. */
static bool opens_files(struct project *p, const struct stage *s)
{
    uint32_t argument = py_argument_or(s->file, s->call, 0, "map_func"), function;
    const struct py_file *file;
    bool found = false;

    if (argument != 0 && fact_function(p, s->file, argument, &file, &function))
        fact_visit_calls(p, file, function, DEPTH, reads_file, &found);
    else if (argument != 0)
        found = fact_has(p, s->file, argument, TRAIT_READS_FILE);
    return found;
}

static void check_after_cache(struct rule_run *r, struct project *p, const struct stage *cache,
                              const struct flow *flow)
{
    for (size_t i = 0; i < flow->n_stages; i++) {
        const struct stage *s = &flow->stages[i];
        if (s->kind == STAGE_CACHE)
            return;
        if (s->kind != STAGE_MAP || s->file != cache->file)
            continue;
        struct mapper m = mapper_of(p, s);
        if (!m.known || m.random || m.stateful)
            return; /* what follows sees something else in each epoch */
        if (m.trivial || m.light)
            continue;
        bool files = opens_files(p, s);
        if (!files && !m.reads && !m.python)
            continue;
        say(r, s, files && !evaluates(s->file, s->call) ? CHECK_WARNING : CHECK_NOTE,
            files ? "only names of files are in the cache, and each epoch reads and decodes the"
                    " files again; put cache() after this map()"
                  : "each epoch does this work again; cache() after this map() would keep its"
                    " result, where memory suffices",
            line_of(cache));
        return;
    }
}

/* --- shuffle --- */

/* batch(num_frames) and batch(seq_length + 1) cut a stream into sequences, which are the elements;
 * what is a batch says so, or is a number. */
static bool cuts_sequences(const struct stage *batch)
{
    static const char *const words[] = {"seq", "len", "window", "step", "chunk", "time", "horizon",
                                        "block", "context", "bptt", "unroll", "frame"};
    static const char *const batches[] = {"batch", "BATCH", "Batch", "bs", "BS", "bsz"};
    const struct py_file *f = batch->file;
    uint32_t size = py_argument_or(f, batch->call, 0, "batch_size");
    struct span text = size != 0 ? py_text(f, size) : (struct span){"", 0};

    if (span_has_any(text, words, ARRAY_LEN(words)))
        return true;
    if (size != 0 && py_kind(f, size) == PY_INTEGER)
        return false;
    return !span_has_any(text, batches, ARRAY_LEN(batches));
}

static bool is_one(const struct py_file *f, uint32_t n)
{
    int64_t value;

    return n != 0 && py_integer(f, n, &value) && value <= 1;
}

/* The batch that is shuffled as a whole, unless that is meant. */
static const struct stage *shuffled_batch(const struct stage *shuffle, const struct stage *up,
                                          size_t n)
{
    const struct stage *batch = NULL;

    for (size_t i = 0; i < n; i++) {
        const struct stage *s = &up[i];
        if (s->kind == STAGE_UNBATCH || s->kind == STAGE_FLAT_MAP || s->kind == STAGE_INTERLEAVE ||
            s->kind == STAGE_WINDOW)
            return batch;
        if (s->kind == STAGE_SHUFFLE)
            return NULL; /* elements were shuffled, then batches as well */
        if (s->kind == STAGE_BATCH && batch == NULL && !branches_apart(s, shuffle)) {
            if (!span_eq(s->method, SPAN("batch")) && !span_eq(s->method, SPAN("padded_batch")))
                return NULL;
            if (cuts_sequences(s) ||
                is_one(s->file, py_argument_or(s->file, s->call, 0, "batch_size")))
                return NULL;
            batch = s;
        }
    }
    return batch;
}

/* It asks for another order in each iteration, in so many words. */
static bool reshuffles(const struct stage *shuffle)
{
    uint32_t again = py_argument_or(shuffle->file, shuffle->call, 2, "reshuffle_each_iteration");

    return again != 0 && py_kind(shuffle->file, again) == PY_TRUE;
}

static void check_shuffle(struct rule_run *r, struct project *p, const struct stage *shuffle)
{
    const struct py_file *f = shuffle->file;
    struct stage up[STAGES_MAX];
    struct flow flow;
    size_t n = fact_upstream(p, f, py_receiver(f, shuffle->call, NULL), up);

    if (!span_eq(shuffle->method, SPAN("shuffle")) ||
        is_one(f, py_argument_or(f, shuffle->call, 0, "buffer_size")))
        return;
    fact_downstream(p, f, shuffle->call, &flow);
    bool elements = has_kind(&flow, STAGE_BATCH) || has_kind(&flow, STAGE_UNBATCH) ||
                    has_kind(&flow, STAGE_FLAT_MAP); /* what was batched are sequences, say */
    const struct stage *batch = elements ? NULL : shuffled_batch(shuffle, up, n);
    if (batch != NULL) {
        /* Some batches at random are taken: that is meant. */
        bool meant = evaluates(f, shuffle->call) || has_kind(&flow, STAGE_TAKE);
        say(r, shuffle, meant ? CHECK_NOTE : CHECK_WARNING,
            "whole batches are shuffled, each with the same elements in every epoch, and the buffer"
            " holds that many batches; put shuffle() before batch()",
            line_of(batch));
        return;
    }
    for (size_t i = 0; i < n && up[i].kind != STAGE_SHUFFLE; i++) {
        /* An endless one is the usual way to do without a pause between epochs. */
        bool repeats = up[i].kind == STAGE_REPEAT && span_eq(up[i].method, SPAN("repeat"));
        if (repeats && endless(&up[i]) && !branches_apart(&up[i], shuffle) && reshuffles(shuffle))
            say(r, shuffle, CHECK_NOTE,
                "behind an endless repeat() there is one iteration, and reshuffle_each_iteration does"
                " nothing; epochs run into one another, and of few elements the buffer holds several"
                " copies; put shuffle() before repeat()",
                line_of(&up[i]));
        if (repeats && !endless(&up[i]) && !branches_apart(&up[i], shuffle))
            say(r, shuffle, CHECK_NOTE,
                "epochs run into one another: some elements come twice before others come once;"
                " shuffle() before repeat() keeps them apart",
                line_of(&up[i]));
    }
}

/* --- repeat --- */

static bool scales(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    bool *found = ctx;

    *found = fact_has(p, f, call, TRAIT_SCALES);
    return !*found;
}

/* A function that decodes or scales images: worth keeping what it gives. */
static bool is_costly(struct project *p, const struct stage *s)
{
    uint32_t argument = py_argument_or(s->file, s->call, 0, "map_func"), function;
    const struct py_file *file;
    bool found = false;

    if (argument != 0 && fact_function(p, s->file, argument, &file, &function))
        fact_visit_calls(p, file, function, DEPTH, scales, &found);
    return found;
}

/* from_tensor_slices(x).map(decode).repeat(n): each epoch decodes again what is in memory. */
static void check_repeat(struct rule_run *r, struct project *p, const struct stage *repeat)
{
    struct stage up[STAGES_MAX];
    size_t n = fact_upstream(p, repeat->file, py_receiver(repeat->file, repeat->call, NULL), up);
    const struct stage *map = NULL;

    if (is_one(repeat->file, py_argument_or(repeat->file, repeat->call, 0, "count")) ||
        n == 0 || !word_has(up[n - 1].made, TRAIT_SLICES))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct stage *s = &up[i];
        if (s->kind == STAGE_CACHE || s->kind == STAGE_REPEAT || s->kind == STAGE_INTERLEAVE ||
            s->kind == STAGE_FLAT_MAP)
            return;
        if (s->kind != STAGE_MAP)
            continue;
        struct mapper m = mapper_of(p, s);
        if (m.random || m.stateful || !m.known || m.nested || opens_files(p, s) ||
            s->file != repeat->file)
            map = NULL; /* what comes before it may be kept */
        else if (is_costly(p, s) && map == NULL)
            map = s;
    }
    if (map == NULL)
        return;
    const struct py_file *f = repeat->file;
    uint32_t name = py_child(f, py_child(f, repeat->call, FIELD_FUNCTION), FIELD_ATTRIBUTE);
    struct rule_finding *found = rule_report(
        r, repeat->call, CHECK_NOTE,
        "each round does the work of the map() in line %u again, on data that is in memory; cache()"
        " right behind it would keep the results, where memory suffices",
        line_of(map));
    if (name != 0)
        rule_point_at(found, f->nodes[name].start, f->nodes[repeat->call].end);
}

/* --- a data set of one element --- */

/* from_tensors((images, labels)) that goes to fit() as it is: all of it is one batch. */
static void check_one_element(struct rule_run *r, struct project *p, const struct py_file *f,
                              uint32_t call)
{
    uint32_t given = py_argument_or(f, call, 0, "tensors");
    struct flow flow;
    struct span method;

    if (given != 0 && py_kind(f, given) == PY_TUPLE)
        given = py_first(f, given);
    struct shape s = given != 0 ? shape_of(p, f, given) : (struct shape){0};
    if (s.rank == 0 || s.dims[0] < ONE_BATCH_MAX)
        return;
    fact_downstream(p, f, call, &flow);
    if (flow.n_stages > 0 || flow.consumer != CONSUMER_FIT)
        return;
    uint32_t fit = py_up(flow.consumer_file, py_parent(flow.consumer_file, flow.consumed), PY_CALL);
    if (fit == 0 || py_receiver(flow.consumer_file, fit, &method) == 0 ||
        !span_eq(method, SPAN("fit")))
        return;
    rule_report(r, call, CHECK_WARNING,
                "the data set has one element, of %lld rows, and fit() takes each element for a batch:"
                " all goes through the model at once; use from_tensor_slices() and batch()",
                (long long)s.dims[0]);
}

/* Is the number that of the rows of an array: by value, or as len(array), array.shape[0]? */
static bool counts_rows(struct project *p, const struct py_file *f, uint32_t number,
                        const struct py_file *g, uint32_t array)
{
    struct shape s = shape_of(p, g, array);
    int64_t value;
    uint32_t of = 0;

    if (s.rank > 0 && s.dims[0] > 1 && shape_integer(p, f, number, &value) && value == s.dims[0])
        return true;
    if (py_kind(f, number) == PY_CALL && fact_has(p, f, number, TRAIT_ASKS_LENGTH))
        of = py_argument(f, number, 0);
    if (py_kind(f, number) == PY_SUBSCRIPT && py_kind(f, py_first(f, number)) == PY_ATTRIBUTE &&
        py_is(f, py_child(f, py_first(f, number), FIELD_ATTRIBUTE), "shape") &&
        py_is(f, py_child(f, number, FIELD_SUBSCRIPT), "0"))
        of = py_child(f, py_first(f, number), FIELD_OBJECT);
    return of != 0 && f == g && py_kind(f, of) == PY_IDENTIFIER &&
           span_eq(py_text(f, of), py_text(g, array));
}

/* fit(dataset, steps_per_epoch=number of examples), where the data set holds batches of them. */
static void check_steps(struct rule_run *r, struct project *p, const struct py_file *f,
                        uint32_t call)
{
    uint32_t steps = py_keyword(f, call, "steps_per_epoch"), data = py_argument_or(f, call, 0, "x");
    struct stage up[STAGES_MAX];
    bool batched = false;

    if (steps == 0 || data == 0 || fact_value(p, f, data).kind != VALUE_DATASET)
        return;
    size_t n = fact_upstream(p, f, data, up);
    for (size_t i = 0; i < n; i++) {
        if (up[i].kind == STAGE_UNBATCH || up[i].kind == STAGE_FLAT_MAP ||
            up[i].kind == STAGE_WINDOW || up[i].kind == STAGE_INTERLEAVE)
            return;
        batched = batched || (up[i].kind == STAGE_BATCH && span_eq(up[i].method, SPAN("batch")) &&
                              !is_one(up[i].file, py_argument_or(up[i].file, up[i].call, 0,
                                                                 "batch_size")));
    }
    if (!batched || n == 0 || !word_has(up[n - 1].made, TRAIT_SLICES))
        return;
    const struct py_file *g = up[n - 1].file;
    uint32_t given = py_argument_or(g, up[n - 1].call, 0, "tensors");
    bool several = given != 0 && py_kind(g, given) == PY_TUPLE;
    for (uint32_t a = several ? py_first(g, given) : given; a != 0;
         a = several ? py_next(g, a) : 0) {
        if (!counts_rows(p, f, steps, g, a))
            continue;
        rule_report(r, steps, CHECK_WARNING,
                    "%s is the number of examples, but a step takes a batch of them: an epoch goes"
                    " through the data as often as a batch is large; divide it by the size of a"
                    " batch",
                    RULE_TEXT(f, steps));
        return;
    }
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f,
                       uint32_t call)
{
    struct stage stage;
    struct flow flow;

    if (!fact_stage(p, f, call, &stage))
        return;
    if (stage.kind == STAGE_REPEAT && span_eq(stage.method, SPAN("repeat")))
        check_repeat(r, p, &stage);
    if (stage.kind == STAGE_SHUFFLE)
        check_shuffle(r, p, &stage);
    if (stage.kind != STAGE_CACHE || !span_eq(stage.method, SPAN("cache")))
        return;
    fact_downstream(p, f, call, &flow);
    if (!evaluates(f, call))
        check_before_cache(r, p, &stage, &flow);
    check_after_cache(r, p, &stage, &flow);
}

static void run(struct rule_run *r, struct project *p, const struct py_file *f)
{
    size_t n;
    const uint32_t *calls = fact_calls(p, f, &n);

    for (size_t i = 0; i < n; i++) {
        struct span method;
        if (py_receiver(f, calls[i], &method) != 0 &&
            (span_eq(method, SPAN("cache")) || span_eq(method, SPAN("shuffle")) ||
             span_eq(method, SPAN("repeat"))))
            check_call(r, p, f, calls[i]);
        else if (py_receiver(f, calls[i], &method) != 0 && span_eq(method, SPAN("fit")))
            check_steps(r, p, f, calls[i]);
        else if (fact_has(p, f, calls[i], TRAIT_ONE_ELEMENT))
            check_one_element(r, p, f, calls[i]);
    }
}

const struct rule rule_PP303 = {
    .about = {
        .id = "PP303",
        .name = "pipeline-order",
        .summary = "cache, shuffle or repeat stands where it wastes work",
        .severity = CHECK_NOTE,
        .on = true,
    },
    .run = run,
};
