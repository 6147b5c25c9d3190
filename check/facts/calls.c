/* The call graph: who calls a function of the project. */
#include "check/facts/project.h"

struct caller_list ARRAY_OF(struct call_site);

#define MAP_NAME caller_map
#define MAP_KEY uint64_t
#define MAP_VALUE struct caller_list
#include "base/map.h"

struct calls {
    struct caller_map callers; /* of each function that is called */
};

void calls_new(struct project *p)
{
    p->calls = mem_zero(1, sizeof *p->calls);
}

void calls_free(struct project *p)
{
    struct caller_map *map = &p->calls->callers;

    for (size_t i = 0; i < map->n; i++)
        array_clear(&map->at[i].value);
    caller_map_clear(map);
    mem_free(p->calls);
}

void calls_add(struct project *p, const struct py_file *f, uint32_t call, const struct py_file *callee_file,
               uint32_t callee)
{
    struct caller_map_entry *entry;

    caller_map_add(&p->calls->callers, place_key(callee_file, callee), &entry);
    array_add(&entry->value, {f->number, call});
}

const struct call_site *fact_callers(struct project *p, const struct py_file *f, uint32_t function, size_t *n)
{
    const struct caller_map_entry *entry = caller_map_find(&p->calls->callers, place_key(f, function));

    *n = entry != NULL ? entry->value.n : 0;
    return entry != NULL ? entry->value.at : NULL;
}
