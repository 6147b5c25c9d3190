/* grow: arrays that get longer. For report only. */
#pragma once

#include "base/base.h"

/* The array with room for one more after the first n. */
static inline void *grow(void *array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity > 0 ? 2 * *capacity : 64;
    return mem_resize(array, *capacity, size);
}
