/*
 * draw: random samples that anybody can draw again.
 *
 * Each item gets a number that depends on the seed and on its own id alone, and the items with the smallest numbers are
 * the sample (bottom-k, or permanent random numbers: Ohlsson, "Coordination of samples using permanent random numbers",
 * in Business Survey Methods, 1995). Unlike in selection sampling, a larger sample contains the smaller one of the same
 * seed, an item that comes or goes changes the sample by one item, and the order of items does not matter.
 */
#pragma once

#include "base/base.h"

/* The first 64 bits, as a big-endian number, of the SHA-256 of "SEED:ID". */
uint64_t draw_number(uint64_t seed, struct span id);

/* Takes items in the order of their numbers (equal ones: as given) while their stratum has a share left; counts down
 * shares[stratum[i]]. Writes places of items in that order into `out`, which has room for the sum of the shares, and
 * returns how many: fewer when a stratum has fewer items than its share. `stratum` NULL: all are of stratum 0. */
size_t draw_items(const uint64_t *numbers, const uint32_t *stratum, size_t n_items, uint64_t *shares, size_t *out);
