/*
 * patterns: items that got the same ratings, by whichever coders, counted together. Coefficients of
 * any number of coders need only that of an item. Internal to stat/.
 */
#ifndef STAT_PATTERNS_H
#define STAT_PATTERNS_H

#include "base/stat/agreement.h"

struct pattern {
    const int32_t *values; /* codes, ascending; of all coders that gave one */
    size_t n;              /* 2 or more */
    uint64_t count;        /* items */
};

/* Patterns ascend, by the first value that differs, then by n: so the order of items does not show. */
struct patterns {
    struct ARRAY_OF(struct pattern) list;
    uint64_t n_items; /* with two ratings or more; others are left out */
    struct arena arena;
};

/* All-zero *p is filled; the ratings must be valid. The caller clears it. */
void patterns_take(struct patterns *p, const struct ratings *r);
void patterns_clear(struct patterns *p);

#endif
