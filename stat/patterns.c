/* patterns: items with the same ratings, counted together. */
#include "stat/patterns.h"

#define MAP_NAME value_map
#define MAP_KEY struct span /* the bytes of the values */
#define MAP_VALUE uint64_t  /* items */
#include "base/map.h"

static void count_item(struct patterns *p, struct value_map *counts, const int32_t *values,
                       size_t n)
{
    struct span key = {(const char *)values, n * sizeof *values};
    struct value_map_entry *entry;

    if (value_map_add(counts, key, &entry))
        entry->key = arena_copy(&p->arena, key);
    entry->value++;
    p->n_items++;
}

/* The ratings that are there, ascending; coders are few. */
static size_t sorted_values(const int32_t *codes, size_t n_coders, int32_t *values)
{
    size_t n = 0;

    for (size_t c = 0; c < n_coders; c++) {
        size_t at = n;
        if (codes[c] < 0)
            continue;
        for (; at > 0 && values[at - 1] > codes[c]; at--)
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

void patterns_take(struct patterns *p, const struct ratings *r)
{
    int32_t *values = mem_resize(NULL, r->n_coders, sizeof *values);
    struct value_map counts = {0};

    for (size_t i = 0; i < r->n_items; i++) {
        size_t n = sorted_values(r->codes + i * r->n_coders, r->n_coders, values);
        if (n > 1)
            count_item(p, &counts, values, n);
    }
    for (size_t i = 0; i < counts.n; i++) {
        struct span key = counts.at[i].key;
        array_add(&p->list, {.values = (const void *)key.ptr,
                             .n = key.len / sizeof *values,
                             .count = counts.at[i].value});
    }
    array_sort(&p->list, compare);
    value_map_clear(&counts);
    mem_free(values);
}

void patterns_clear(struct patterns *p)
{
    array_clear(&p->list);
    arena_clear(&p->arena);
    *p = (struct patterns){0};
}
