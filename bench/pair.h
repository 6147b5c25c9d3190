/* pair: what sets the two scripts of a case apart. */
#pragma once

#include "base/base.h"

/* Appends the Python source without comments, and docstrings (statements of only a string) as "". Keeps line
 * numbers. */
void bench_strip(struct span python, struct buf *out);

struct bench_lines {
    size_t first, last; /* from 1, inclusive */
};

struct bench_places ARRAY_OF(struct bench_lines);

/* The labelled locations of a case, in order: the lines of buggy that fixed lacks, without comments, docstrings and
 * blank lines, as few as possible (longest common subsequence of lines). Where fixed only adds lines, the lines before
 * and after them. Scripts of more than 2^24 pairs of lines count as wholly changed. *out needs array_clear. */
void bench_fix_places(struct span buggy, struct span fixed, struct bench_places *out);
