/* Finds the name that a mistyped one was meant to be. */
#include "base/base.h"

enum { WORD_MAX = 40 };

/* Levenshtein distance, row by row. Names that are longer than WORD_MAX are near to nothing. */
static size_t distance(struct span a, struct span b)
{
    size_t row[WORD_MAX + 1];

    if (a.len > WORD_MAX || b.len > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[b.len];
}

const char *span_nearest(struct span typed, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t best = typed.len / 3 + 2; /* one slip in short words, more in long ones */

    for (size_t i = 0; i < n; i++) {
        struct span name = span_of(names[i]);
        size_t apart = typed.len > name.len ? typed.len - name.len : name.len - typed.len;
        size_t d = apart < best ? distance(typed, name) : SIZE_MAX; /* it is not less */
        if (typed.len >= 3 && span_starts(name, typed))
            d = 1;
        if (d < best && d < name.len) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
