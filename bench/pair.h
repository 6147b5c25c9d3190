/* pair: what sets the two scripts of a case apart. */
#pragma once

#include "base/base.h"

/* Appends the Python source without its comments, and with every docstring (a statement that is nothing but a string)
 * as "". Each line keeps its number. */
void bench_strip(struct span python, struct buf *out);

struct bench_lines {
    size_t first, last; /* from 1, inclusive */
};

struct bench_places ARRAY_OF(struct bench_lines);

/* The labelled locations of a case. Appends the lines of buggy that fixed does not have, comments, docstrings and blank
 * lines aside: the fewest there can be (longest common subsequence of lines). Where fixed only adds lines, the place is
 * the lines before and after them. Scripts of more than 2^24 pairs of lines count as wholly changed. In order; *out
 * needs array_clear. */
void bench_fix_places(struct span buggy, struct span fixed, struct bench_places *out);
