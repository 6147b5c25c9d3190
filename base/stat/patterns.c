/* patterns: items with the same ratings, counted together. */
#include "base/stat/patterns.h"

#include "base/map.h"

struct values {
    const int32_t *at;
    size_t n;
};

static uint64_t hash_values(struct values v, const struct map_secret *secret)
{
    uint64_t hash = v.n;

    for (size_t i = 0; i < v.n; i++)
        hash = map_hash_number(hash + (uint32_t)v.at[i], secret);
    return hash;
}

#define MAP_NAME count_map
#define MAP_KEY struct values
#define MAP_VALUE uint64_t /* items */
#define MAP_HASH(values, secret) hash_values(values, secret)
#define MAP_EQUAL(a, b) ((a).n == (b).n && memcmp((a).at, (b).at, (a).n * sizeof *(a).at) == 0)
#include "base/map.h"

static int compare(const void *a, const void *b)
{
    const struct pattern *x = a, *y = b;

    for (size_t i = 0; i < x->n && i < y->n; i++)
        if (x->values[i] != y->values[i])
            return x->values[i] < y->values[i] ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n);
}

void patterns_take(struct patterns *p, const struct ratings *r, bool sorted)
{
    AT_END(mem_end) int32_t *values = mem_resize(NULL, r->n_coders, sizeof *values);
    AT_END(count_map_clear) struct count_map counts = {0};
    struct count_map_entry *entry;

    for (size_t i = 0; i < r->n_items; i++) {
        const int32_t *codes = r->codes + i * r->n_coders;
        size_t n = 0; /* the ratings that are there; coders are few */
        for (size_t c = 0; c < r->n_coders; c++) {
            size_t at = n;
            if (codes[c] < 0)
                continue;
            for (; sorted && at > 0 && values[at - 1] > codes[c]; at--)
                values[at] = values[at - 1];
            values[at] = codes[c];
            n++;
        }
        if (n == 0)
            continue;
        if (count_map_add(&counts, (struct values){values, n}, &entry)) {
            struct span bytes = {(const char *)values, n * sizeof *values};
            entry->key.at = (const void *)arena_copy(&p->arena, bytes).ptr;
        }
        entry->value++;
        p->n_items++;
    }
    for (size_t i = 0; i < counts.n; i++) {
        struct values kept = counts.at[i].key;
        array_add(&p->list, {.values = kept.at, .n = kept.n, .count = counts.at[i].value});
    }
    array_sort(&p->list, compare);
}

void patterns_clear(struct patterns *p)
{
    array_clear(&p->list);
    arena_clear(&p->arena);
    *p = (struct patterns){0};
}
