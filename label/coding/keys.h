/*
 * keys: the keys of codes, in the terminal, and on the page unless a coder changed them.
 */
#pragma once

#include "base/base.h"

/* The key of the nth code of a facet: "w", or "W" with shift; never "q", which quits; "" when they are used up. */
const char *code_key(size_t n);
/* The other way round; SIZE_MAX: it is the key of no code. */
size_t code_of_key(struct span key);
