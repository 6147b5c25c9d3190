/* rounds: what differs from round to round of a loop. For check/rules only. */
#pragma once

#include "check/facts/facts.h"

/* [… for target in over], with nothing else, or the same as a generator. */
struct rounds {
    uint32_t loop, target, over, body;
};
bool rounds_of(const struct py_file *f, uint32_t comprehension, struct rounds *rounds);

/* Is a name in n bound anywhere in the loop? */
bool rounds_bind(const struct py_file *f, uint32_t n, uint32_t loop);
/* May a name in n, where it stands, have what the loop gave it? */
bool rounds_reach(const struct py_file *f, uint32_t n, uint32_t loop);
/* Is n in a condition or a comparison, up to `within`? */
bool rounds_ask(const struct py_file *f, uint32_t n, uint32_t within);

/* --- agents --- */

/* The loop that steps an environment, around n or a call that leads to n, where n runs in each round but the first
 * ones, not only at an episode's end; 0: none is seen. *where: the loop's file. */
uint32_t rounds_in_environment(struct project *p, const struct py_file *f, uint32_t n, const struct py_file **where);
