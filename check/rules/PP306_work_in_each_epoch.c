/* PP306: each round of repeat() decodes again what is in memory. */
#include "check/rules/stages.h"

/* A function that decodes or scales images: worth keeping what it gives. */
static bool scales(struct project *p, const struct py_file *f, uint32_t call)
{
    return fact_has(p, f, call, TRAIT_SCALES);
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
        enum stage_kind kind = up[i].kind;
        if (kind == STAGE_CACHE || kind == STAGE_REPEAT || kind == STAGE_INTERLEAVE || kind == STAGE_FLAT_MAP)
            return NULL;
        if (kind != STAGE_MAP)
            continue;
        if (differs(p, &up[i], repeat))
            map = NULL;
        else if (map == NULL && stage_calls(p, &up[i], scales))
            map = &up[i];
    }
    return map;
}

/* from_tensor_slices(x).map(decode).repeat(n): each epoch decodes again what is in memory. */
static void check_repeat(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call)
{
    struct stage repeat, up[STAGES_MAX];

    if (py_method(f, call, "repeat") == 0 || !fact_stage(p, f, call, &repeat) ||
        stage_counts_one(f, py_argument_or(f, call, 0, "count")))
        return;
    size_t n = fact_upstream(p, f, py_receiver(f, call, NULL), up);
    const struct stage *map = n > 0 && word_has(up[n - 1].made, TRAIT_SLICES) ? costly_map(p, &repeat, up, n) : NULL;
    if (map == NULL)
        return;
    rule_point_at_method(
        rule_report(r, call, CHECK_LOW, "each round repeats the work of the map() in line %u", stage_line(map)), f,
        call);
}

const struct rule_looks rule_PP306 = {.call = check_repeat};
