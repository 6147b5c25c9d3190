/* shape: integers and shapes of arrays in the source text, never guessed. For rules, beside check/facts/facts.h. */
#pragma once

#include "check/facts/facts.h"

enum { SHAPE_RANK_MAX = 8 };

/* Of an array or tensor: rank 0 when nothing is known; -1: a dimension that is not known. */
struct shape {
    unsigned rank;
    int64_t dims[SHAPE_RANK_MAX];
};

/* An integer expression's value: literals, arithmetic, names bound once, len(x), x.shape[i], parts of constant tuples.
 * false: not known, or larger than SHAPE_NUMBER_MAX. */
#define SHAPE_NUMBER_MAX ((int64_t)1 << 50)
bool shape_integer(struct project *p, const struct py_file *f, uint32_t n, int64_t *value);
/* Of an expression: made by numpy or TensorFlow with a given shape, sliced, reshaped, given new axes, cast;
 * arithmetic. */
struct shape shape_of(struct project *p, const struct py_file *f, uint32_t n);
/* A tuple or list of integers, or one integer, as a shape; None is -1. */
struct shape shape_from(struct project *p, const struct py_file *f, uint32_t n);
/* How many numbers an array of this shape has; -1: not known. */
int64_t shape_numbers(struct shape s);
