/* PP201: a function mapped over elements that are batched right afterwards. */
#include "check/rules/stages.h"

static void report(struct rule_run *r, struct project *p, const struct py_file *f, const struct stage *map,
                   const struct stage *batch)
{
    uint32_t function = py_argument_or(map->file, map->call, 0, "map_func");
    struct mapper m = fact_mapper(p, map->file, function);

    if (map->file != f || function == 0 || !rule_needs(r, map->call, function, m.known, "its code is not found") ||
        !rule_needs(r, map->call, function,
                    !(m.trivial || (m.reads && !m.parses) || m.python || m.random || m.nested || m.stateful),
                    "it only packs, or reads files, draws, calls Python or keeps state: none takes a batch"))
        return;

    rule_report(r, map->call, CHECK_MEDIUM, "the function is called for each element, before batch() in %s",
                batch->file == map->file ? RULE_PLACE(f, batch->file, batch->call) : "another file");
    if (m.parses)
        rule_advice(r, "Put batch() before map() and parse whole batches: tf.io.parse_example does what"
                       " parse_single_example does for one.");
    else if (m.elementwise)
        rule_advice(r, "Call batch() before map(): the function works element by element, and can take"
                       " whole batches as it is.");
    rule_point_at_method(r, map->call);
}

static void check_batch(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage batch, before[STAGES_MAX];

    if (py_method(f, call, "batch") == 0 ||
        !rule_needs(r, call, py_receiver(f, call, NULL), fact_stage(p, f, call, &batch),
                    "it is not known to be a tf.data.Dataset") ||
        !rule_needs(r, call, call, !stage_counts_one(f, py_argument_or(f, call, 0, "batch_size")), "batches of one"))
        return;
    size_t n = fact_upstream(p, f, py_receiver(f, call, NULL), before);
    for (size_t i = 0; i < n; i++)
        if (before[i].kind == STAGE_BATCH || before[i].kind == STAGE_WINDOW)
            return; /* what is batched here are batches, or windows */
    for (size_t i = 0; i < n; i++) {
        if (before[i].kind == STAGE_MAP && span_eq(before[i].method, SPAN("map")))
            report(r, p, f, &before[i], &batch);
        else if (before[i].kind != STAGE_SHUFFLE && before[i].kind != STAGE_REPEAT && before[i].kind != STAGE_CACHE &&
                 before[i].kind != STAGE_PREFETCH && before[i].kind != STAGE_OTHER)
            break; /* the elements could not be batched before it as well as after it */
    }
}

const struct rule_looks rule_PP201 = {.call = check_batch};
