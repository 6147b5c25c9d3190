/* same_text: whether two texts say the same, with numbers that may differ by a little. For bench only. */
#pragma once

#include "base/base.h"

/* Texts are compared byte by byte, but for numbers with a point or an exponent, nan and inf among them: those may
 * differ by `tolerance` of the larger one. Integers, and digits inside of names, must be the same. With NUL bytes in
 * one of them, all bytes must be the same. *at: where the first one differs; may be NULL. */
bool same_text(struct span a, struct span b, double tolerance, size_t *at);
