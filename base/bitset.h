/* bitset: a set of numbers. */
#pragma once

#include "base/base.h"

/* A set of 32-bit numbers, one bit each, in pages made when first needed. All-zero is empty. */
struct bitset {
    uint64_t **pages;
};

void bitset_add(struct bitset *b, uint32_t number);
bool MUST_USE bitset_has(const struct bitset *b, uint32_t number);
void bitset_clear(struct bitset *b);
