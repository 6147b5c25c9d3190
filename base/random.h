/* random: random numbers, the same from the same seed on every machine; not for secrets. */
#pragma once

#include "base/base.h"

/* xoshiro256** 1.0 (Blackman & Vigna, ACM Trans. Math. Softw. 47(4), 2021), its state filled from
 * the seed by SplitMix64 (Steele, Lea & Flood, OOPSLA 2014), so that every seed, 0 too, is good. */
struct random {
    uint64_t state[4]; /* never all zero */
};

void random_seed(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r); /* 64 random bits */
/* Even over 0 .. n-1: the top bits of random_next, drawn again until below n. n <= 1: 0, and nothing is drawn. */
uint64_t MUST_USE random_below(struct random *r, uint64_t n);
