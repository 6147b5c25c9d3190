/* PP306: each round of repeat() decodes again what is in memory. */
#include "check/rules/stages.h"

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

    if (fact_function(p, s->file, argument, &file, &function))
        fact_visit_calls(p, file, function, STAGES_CALLS_DEEP, scales, &found);
    return found;
}

static bool keeps_or_opens(enum stage_kind kind)
{
    return kind == STAGE_CACHE || kind == STAGE_REPEAT || kind == STAGE_INTERLEAVE || kind == STAGE_FLAT_MAP;
}

/* Is what the map gives another thing each time, or not known? Then only what follows may be kept. */
static bool differs(struct project *p, const struct stage *map, const struct stage *repeat)
{
    struct mapper m = stage_mapper(p, map);

    return m.random || m.stateful || !m.known || m.nested || stage_opens_files(p, map) || map->file != repeat->file;
}

/* The last map before the repeat whose costly work could be kept; NULL: there is none. */
static const struct stage *costly_map(struct project *p, const struct stage *repeat, const struct stage *up, size_t n)
{
    const struct stage *map = NULL;

    for (size_t i = 0; i < n; i++) {
        if (keeps_or_opens(up[i].kind))
            return NULL;
        if (up[i].kind != STAGE_MAP)
            continue;
        if (differs(p, &up[i], repeat))
            map = NULL;
        else if (map == NULL && is_costly(p, &up[i]))
            map = &up[i];
    }
    return map;
}

/* from_tensor_slices(x).map(decode).repeat(n): each epoch decodes again what is in memory. */
static void check_repeat(struct rule_run *r, struct project *p, const struct stage *repeat)
{
    const struct py_file *f = repeat->file;
    struct stage up[STAGES_MAX];
    size_t n = fact_upstream(p, f, py_receiver(f, repeat->call, NULL), up);

    if (stage_counts_one(f, py_argument_or(f, repeat->call, 0, "count")) || n == 0 ||
        !word_has(up[n - 1].made, TRAIT_SLICES))
        return;
    const struct stage *map = costly_map(p, repeat, up, n);
    if (map == NULL)
        return;
    uint32_t name = py_child(f, py_child(f, repeat->call, FIELD_FUNCTION), FIELD_ATTRIBUTE);
    struct rule_finding *found = rule_report(r, repeat->call, CHECK_LOW,
                                             "each round repeats the work of the map() in line %u", stage_line(map));
    if (name != 0)
        rule_point_at(found, f->nodes[name].start, f->nodes[repeat->call].end);
}

static void check_call(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct span method;
    struct stage stage;

    if (py_receiver(f, call, &method) != 0 && span_eq(method, SPAN("repeat")) && fact_stage(p, f, call, &stage))
        check_repeat(r, p, &stage);
}

const struct rule_looks rule_PP306 = {.call = check_call};
