/* array: makes room in a growing array. */
#include "base/base.h"

void *array_grow(void *at, size_t n, size_t more, size_t *capacity, size_t size)
{
    enum { BYTES_AT_FIRST = 64 };
    size_t needed = more <= SIZE_MAX - n ? n + more : SIZE_MAX;
    size_t wanted = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;

    if (wanted < needed)
        wanted = needed;
    if (wanted * size < BYTES_AT_FIRST)
        wanted = BYTES_AT_FIRST / size;
    at = mem_resize(at, wanted, size);
    *capacity = wanted;
    return at;
}

void array_end(void *array)
{
    mem_end(array); /* its first member is the pointer to the elements */
}
