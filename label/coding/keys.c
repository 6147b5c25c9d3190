/* keys: the keys of codes, in reach of the left hand; the other letters are for commands, and q quits. */
#include "label/coding/keys.h"

static const char *const code_keys[] = {"1", "2", "3", "4", "5", "6", "w", "e", "r", "t", "a", "s",
                                        "d", "f", "g", "z", "x", "c", "v", "b", "7", "W", "E", "R",
                                        "T", "A", "S", "D", "F", "G", "Z", "X", "C", "V", "B"};

const char *code_key(size_t n)
{
    return n < ARRAY_LEN(code_keys) ? code_keys[n] : "";
}

size_t code_of_key(struct span key)
{
    for (size_t i = 0; i < ARRAY_LEN(code_keys); i++)
        if (span_eq(key, span_of(code_keys[i])))
            return i;
    return SIZE_MAX;
}
