/* same_text: whether two texts say the same, with numbers that may differ by a little. For bench only. */
#pragma once

#include "base/base.h"

/* Compares bytes, except numbers with a point or an exponent, nan and inf: they may differ by `tolerance` of the
 * larger. Integers, digits in names, and texts with a NUL must be equal. *at: the first difference; may be NULL. */
bool same_text(struct span a, struct span b, double tolerance, size_t *at);
