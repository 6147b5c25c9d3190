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

static bool same_values(struct values a, struct values b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n * sizeof *a.at) == 0;
}

#define MAP_NAME count_map
#define MAP_KEY struct values
#define MAP_VALUE uint64_t /* items */
#define MAP_HASH(values, secret) hash_values(values, secret)
#define MAP_EQUAL(a, b) same_values(a, b)
#include "base/map.h"

static void count_item(struct patterns *p, struct count_map *counts, struct values values)
{
    struct count_map_entry *entry;

    if (count_map_add(counts, values, &entry)) {
        struct span bytes = {(const char *)values.at, values.n * sizeof *values.at};
        entry->key.at = (const void *)arena_copy(&p->arena, bytes).ptr;
    }
    entry->value++;
    p->n_items++;
}

/* The ratings that are there; coders are few. */
static size_t values_of(const int32_t *codes, size_t n_coders, bool sorted, int32_t *values)
{
    size_t n = 0;

    for (size_t c = 0; c < n_coders; c++) {
        size_t at = n;
        if (codes[c] < 0)
            continue;
        for (; sorted && at > 0 && values[at - 1] > codes[c]; at--)
            values[at] = values[at - 1];
        values[at] = codes[c];
        n++;
    }
    return n;
}

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

    for (size_t i = 0; i < r->n_items; i++) {
        size_t n = values_of(r->codes + i * r->n_coders, r->n_coders, sorted, values);
        if (n > 0)
            count_item(p, &counts, (struct values){values, n});
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
