/* patterns: items with the same ratings, counted together. */
#include "stat/patterns.h"

#include <stdlib.h>

/* Open addressing; a slot is 1 + the place in the list, 0 is free. */
struct slots {
    uint32_t *at;
    size_t n; /* a power of two */
};

/* FNV-1a by whole values, folded since slots are taken from the low bits. */
static size_t hash_of(const int32_t *values, size_t n)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (uint32_t)values[i]) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 29 ^ hash >> 47);
}

static bool same(const struct pattern *p, const int32_t *values, size_t n)
{
    return p->n == n && memcmp(p->values, values, n * sizeof *values) == 0;
}

static uint32_t *slot_of(const struct slots *slots, const struct patterns *p,
                         const int32_t *values, size_t n)
{
    size_t at = hash_of(values, n) & (slots->n - 1);

    while (slots->at[at] != 0 && !same(&p->list[slots->at[at] - 1], values, n))
        at = (at + 1) & (slots->n - 1);
    return &slots->at[at];
}

/* Half of the slots stay free. */
static void enlarge(struct slots *slots, struct patterns *p)
{
    p->capacity = p->capacity > 0 ? 2 * p->capacity : 256;
    p->list = mem_resize(p->list, p->capacity, sizeof *p->list);
    mem_free(slots->at);
    slots->n = 2 * p->capacity;
    slots->at = mem_zero(slots->n, sizeof *slots->at);
    for (size_t i = 0; i < p->n; i++)
        *slot_of(slots, p, p->list[i].values, p->list[i].n) = (uint32_t)i + 1;
}

static void add(struct patterns *p, struct slots *slots, const int32_t *values, size_t n)
{
    if (p->n == p->capacity)
        enlarge(slots, p);
    uint32_t *slot = slot_of(slots, p, values, n);
    if (*slot == 0) {
        int32_t *kept = arena_alloc(&p->arena, n * sizeof *kept);
        memcpy(kept, values, n * sizeof *kept);
        p->list[p->n++] = (struct pattern){.values = kept, .n = n};
        *slot = (uint32_t)p->n;
    }
    p->list[*slot - 1].count++;
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
    struct slots slots = {0};

    enlarge(&slots, p);
    for (size_t i = 0; i < r->n_items; i++) {
        size_t n = sorted_values(r->codes + i * r->n_coders, r->n_coders, values);
        if (n > 1)
            add(p, &slots, values, n);
    }
    if (p->n > 0)
        qsort(p->list, p->n, sizeof *p->list, compare);
    mem_free(slots.at);
    mem_free(values);
}

void patterns_clear(struct patterns *p)
{
    mem_free(p->list);
    arena_clear(&p->arena);
    *p = (struct patterns){0};
}
