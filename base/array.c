/* array: makes room in a growing array. */
#include "base/base.h"

void *array_grow(void *at, size_t n, size_t more, size_t *capacity, size_t size)
{
    enum { AT_FIRST = 8 };
    size_t needed = more <= SIZE_MAX - n ? n + more : SIZE_MAX;
    size_t wanted = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : SIZE_MAX;

    if (wanted < needed)
        wanted = needed;
    if (wanted < AT_FIRST)
        wanted = AT_FIRST;
    at = mem_resize(at, wanted, size);
    *capacity = wanted;
    return at;
}
