/*
 * patterns: items that got the same ratings, counted together. Coefficients need only that of an item.
 * Internal to base/stat.
 */
#pragma once

#include "base/stat/agreement.h"

struct pattern {
    const int32_t *values; /* codes, of all coders that gave one */
    size_t n;              /* 1 or more */
    uint64_t count;        /* items */
};

/* Patterns ascend, by the first value that differs, then by n: so the order of items does not show. */
struct patterns {
    struct ARRAY_OF(struct pattern) list;
    uint64_t n_items;
    struct arena arena;
};

/* All-zero *p is filled; the ratings must be valid. `sorted`: whose the ratings are makes no difference, and
 * values ascend; else they are in the order of the coders. Items without ratings are left out. The caller
 * clears it. */
void patterns_take(struct patterns *p, const struct ratings *r, bool sorted);
void patterns_clear(struct patterns *p);
