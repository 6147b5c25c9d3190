/* PP303: transformations of a data set in an order that wastes work or memory. */
#include "check/rules/stages.h"

/* The stage follows the other: what that does, why it matters, what to do. */
static void say(struct rule_run *r, const struct stage *at, enum check_impact impact, const struct stage *other,
                const char *harm, const char *why, const char *advice)
{
    rule_report(r, at->call, impact, "%.*s() follows line %u: %s", SPAN_ARG(at->method), stage_line(other), harm);
    rule_why(r, "%s", why);
    rule_advice(r, "%s", advice);
    rule_point_at_method(r, at->call);
}

/* Do the names around it say evaluation? That wants one frozen view, and order does not matter. */
static bool evaluates(const struct py_file *f, uint32_t call)
{
    uint32_t statement = py_statement(f, call), first = call;
    uint32_t assignment = py_kind(f, statement) == PY_ASSIGNMENT ? statement : py_first(f, statement);

    while (py_kind(f, first) == PY_CALL && py_receiver(f, first, NULL) != 0)
        first = py_receiver(f, first, NULL);
    struct span names[] = {py_text(f, py_child_of(f, assignment, PY_ASSIGNMENT, FIELD_LEFT)), py_text(f, first),
                           py_title(f, py_function_of(f, call))};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].len < 100 && span_has_word(names[i], "val test eval dev_ predict infer"))
            return true;
    return false;
}

/* Each of the two stands in a branch that the other does not: `if cache:` and `if not cache:` may never meet. */
static bool branches_apart(const struct stage *a, const struct stage *b)
{
    bool apart[2] = {false, false};

    if (a->file != b->file)
        return false;
    for (int side = 0; side < 2; side++) {
        uint32_t at = side == 0 ? a->call : b->call, other = side == 0 ? b->call : a->call;
        for (; at != 0 && py_kind(a->file, at) != PY_FUNCTION; at = py_parent(a->file, at)) {
            enum py_kind kind = py_kind(a->file, at);
            if ((kind == PY_IF || kind == PY_ELSE || kind == PY_ELIF) && !py_inside(a->file, other, at))
                apart[side] = true;
        }
    }
    return apart[0] && apart[1];
}

/* --- cache --- */

/* What the function itself draws is sure; a name that sounds random is a guess. */
static bool draws(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_op(p, f, call) == OP_RANDOM;
}

static bool endless(const struct stage *s)
{
    uint32_t count = py_argument_or(s->file, s->call, 0, "count");
    int64_t n;

    return s->kind == STAGE_REPEAT && span_eq(s->method, SPAN("repeat")) && !py_has_splat(s->file, s->call) &&
           (count == 0 || py_kind(s->file, count) == PY_NONE_LITERAL || (py_integer(s->file, count, &n) && n < 0));
}

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
            say(r, cache, CHECK_HIGH, &up[i], "the cache of an endless repeat() never fills",
                "It grows until memory ends, and nothing is read from it.", "Put cache() before repeat().");
            return;
        }
        if (up[i].kind == STAGE_CACHE)
            return; /* an earlier one; this one is judged by what lies between */
        if (up[i].kind == STAGE_MAP && stage_calls(p, &up[i], draws)) {
            say(r, cache, CHECK_MEDIUM, &up[i], "the random numbers of that map() are kept",
                "They are drawn once, so every epoch sees the same.", "Put cache() before the random map().");
            return;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (up[i].kind == STAGE_SHUFFLE && !has_kind(flow, STAGE_SHUFFLE) && !taken && !branches_apart(&up[i], cache)) {
            say(r, cache, CHECK_LOW, &up[i], "the cache keeps one order for all epochs",
                "What shuffle() gave in the first epoch comes in each of them.", "Put cache() before shuffle().");
            return;
        }
    rule_lacks(r, cache->call, cache->call, "no endless repeat(), random map() or shuffle() is seen before it");
}

static void check_after_cache(struct rule_run *r, struct project *p, const struct stage *cache, const struct flow *flow)
{
    for (size_t i = 0; i < flow->n_stages; i++) {
        const struct stage *s = &flow->stages[i];
        if (s->kind == STAGE_CACHE)
            return;
        if (s->kind != STAGE_MAP || s->file != cache->file)
            continue;
        struct mapper m = stage_mapper(p, s);
        if (!m.known || m.random || m.stateful)
            return; /* what follows sees something else in each epoch */
        bool files = stage_opens_files(p, s);
        if (m.trivial || m.light || !(files || m.reads || m.python))
            continue;
        say(r, s, files && !evaluates(s->file, s->call) ? CHECK_MEDIUM : CHECK_LOW, cache,
            files ? "only names of files are in the cache" : "each epoch does this work again",
            files ? "Each epoch reads and decodes the files again."
                  : "The cache contains what comes before it, not the result of this map().",
            "Put cache() after this map(), where memory suffices.");
        return;
    }
    rule_lacks(r, cache->call, cache->call, "no map() is seen after it that reads or works, the same in each epoch");
}

/* --- shuffle --- */

/* The batch that is shuffled as a whole, unless that is meant. */
static const struct stage *shuffled_batch(const struct stage *shuffle, const struct stage *up, size_t n)
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
            uint32_t size = py_argument_or(s->file, s->call, 0, "batch_size");
            struct span text = py_text(s->file, size);
            /* batch(num_frames) and batch(seq_length + 1) cut a stream into sequences, which are the elements; what is
             * a batch says so, or is a number. */
            if (!span_is_word(s->method, "batch padded_batch") || stage_counts_one(s->file, size) ||
                span_has_word(text, "seq len window step chunk time horizon block context bptt unroll frame") ||
                (py_kind(s->file, size) != PY_INTEGER && !span_has_word(text, "batch BATCH Batch bs BS bsz")))
                return NULL;
            batch = s;
        }
    }
    return batch;
}

static bool decodes(void *ctx, struct project *p, const struct py_file *f, uint32_t call)
{
    const struct word *w = fact_word(p, f, call);
    bool *found = ctx;

    *found = word_has(w, TRAIT_DECODES_IMAGE) || word_has(w, TRAIT_READS_IMAGE) ||
             span_starts(fact_name(p, f, call), SPAN("tf.image.decode_")) ||
             span_starts(fact_name(p, f, call), SPAN("tf.io.decode_"));
    return !*found;
}

/* The map() before it that decodes images out of files whose names could be shuffled; NULL: none. */
static bool decodes_files(struct project *p, const struct stage *stages, size_t n, struct stage *decoder)
{
    bool found = false;

    for (size_t i = 0; i < n && !found; i++) {
        const struct stage *s = &stages[i];
        uint32_t argument = s->kind == STAGE_MAP ? py_argument_or(s->file, s->call, 0, "map_func") : 0;
        if (s->kind != STAGE_MAP && s->kind != STAGE_SOURCE && s->kind != STAGE_PREFETCH)
            return false;
        if (argument != 0 && stage_opens_files(p, s))
            fact_visit_calls_of(p, s->file, argument, STAGES_CALLS_DEEP, decodes, &found);
        *decoder = *s;
    }
    return found;
}

/* The same, of the parts of Dataset.zip((images, labels)) as well. */
static bool shuffles_images(struct project *p, const struct stage *up, size_t n, struct stage *decoder)
{
    const struct stage *source = n > 0 ? &up[n - 1] : NULL;

    if (decodes_files(p, up, n, decoder))
        return true;
    if (source == NULL || !word_has(source->made, TRAIT_ZIPS_DATASETS))
        return false;
    uint32_t tuple = py_argument(source->file, source->call, 0);
    uint32_t part = py_kind(source->file, tuple) == PY_TUPLE ? py_first(source->file, tuple) : 0;
    for (; part != 0; part = py_next(source->file, part)) {
        struct stage stages[STAGES_MAX];
        size_t n_stages = fact_upstream(p, source->file, part, stages);
        if (decodes_files(p, stages, n_stages, decoder))
            return true;
    }
    return false;
}

/* A shuffle after a repeat. An endless one is the usual way to do without a pause between epochs; where the shuffle
 * asks for another order in each iteration, in so many words, it is not. */
static void check_repeats(struct rule_run *r, const struct stage *shuffle, const struct stage *up, size_t n)
{
    uint32_t again = py_argument_or(shuffle->file, shuffle->call, 2, "reshuffle_each_iteration");

    for (size_t i = 0; i < n && up[i].kind != STAGE_SHUFFLE; i++) {
        bool ends = !endless(&up[i]);
        if (up[i].kind == STAGE_REPEAT && span_eq(up[i].method, SPAN("repeat")) && !branches_apart(&up[i], shuffle) &&
            (ends || py_kind(shuffle->file, again) == PY_TRUE))
            say(r, shuffle, CHECK_LOW, &up[i], ends ? "epochs run into one another" : "it never shuffles again",
                ends ? "Some elements come twice before others come once."
                     : "After an endless repeat() there is one iteration: reshuffle_each_iteration does nothing, and of"
                       " few elements the buffer holds several copies.",
                "Put shuffle() before repeat().");
    }
}

static void check_shuffle(struct rule_run *r, struct project *p, const struct stage *shuffle)
{
    const struct py_file *f = shuffle->file;
    struct stage up[STAGES_MAX];
    struct flow flow;
    size_t n = fact_upstream(p, f, py_receiver(f, shuffle->call, NULL), up);

    if (!span_eq(shuffle->method, SPAN("shuffle")) ||
        !rule_needs(r, shuffle->call, shuffle->call,
                    !stage_counts_one(f, py_argument_or(f, shuffle->call, 0, "buffer_size")), "a buffer of one"))
        return;
    fact_downstream(p, f, shuffle->call, &flow);
    bool elements = has_kind(&flow, STAGE_BATCH) || has_kind(&flow, STAGE_UNBATCH) ||
                    has_kind(&flow, STAGE_FLAT_MAP); /* what was batched are sequences, say */
    const struct stage *batch = elements ? NULL : shuffled_batch(shuffle, up, n);
    if (batch != NULL) {
        /* Some batches at random are taken: that is meant. */
        bool meant = evaluates(f, shuffle->call) || has_kind(&flow, STAGE_TAKE);
        say(r, shuffle, meant ? CHECK_LOW : CHECK_MEDIUM, batch, "whole batches are shuffled",
            "Each batch has the same elements in every epoch, and the buffer holds that many batches.",
            "Put shuffle() before batch().");
        return;
    }
    struct stage decoder;
    if (shuffles_images(p, up, n, &decoder) && has_kind(&flow, STAGE_BATCH)) {
        say(r, shuffle, CHECK_MEDIUM, &decoder, "decoded images are shuffled",
            "The buffer holds images, not their names: it takes that much memory, and filling it delays the first"
            " batch.",
            "Put shuffle() before the map() that decodes.");
        rule_sure(r);
        return;
    }
    rule_lacks(r, shuffle->call, shuffle->call,
               "it is not seen to shuffle batches that stay whole, or decoded images before batch()");
    check_repeats(r, shuffle, up, n);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage stage;
    struct flow flow;
    uint32_t data = py_method(f, call, "cache shuffle prefetch");

    if (data == 0 ||
        !rule_needs(r, call, data, fact_stage(p, f, call, &stage), "it is not known to be a tf.data.Dataset"))
        return;
    if (stage.kind == STAGE_SHUFFLE)
        check_shuffle(r, p, &stage);
    if (stage.kind != STAGE_PREFETCH && (stage.kind != STAGE_CACHE || !span_eq(stage.method, SPAN("cache"))))
        return;
    fact_downstream(p, f, call, &flow);
    if (stage.kind == STAGE_CACHE) {
        if (!evaluates(f, call))
            check_before_cache(r, p, &stage, &flow);
        check_after_cache(r, p, &stage, &flow);
        return;
    }
    /* prefetch() before shuffle() and batch(), and none at the end: these run while the model waits. */
    if (!rule_needs(r, call, call,
                    has_kind(&flow, STAGE_SHUFFLE) && !flow.prefetched && has_kind(&flow, STAGE_BATCH) &&
                        !has_kind(&flow, STAGE_PREFETCH) &&
                        (flow.consumer == CONSUMER_FIT || flow.consumer == CONSUMER_LOOP),
                    "no shuffle() and batch() follow it, without another prefetch(), up to a loop or fit()"))
        return;
    rule_report(r, call, CHECK_MEDIUM, "prefetch() precedes shuffle() and batch(), which run while the model waits");
    rule_point_at(r, f->nodes[call].end - 1, f->nodes[call].end);
    rule_sure(r);
    rule_why(r, "Elements wait in its buffer and in that of shuffle(), and no batch is ready when a step ends.");
    rule_advice(r, "Move prefetch() to the end of the pipeline, and shuffle before reading where that suffices.");
}

const struct rule_looks rule_PP303 = {.call = check_call};
