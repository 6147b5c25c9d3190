/*
 * environment: loops of agents, each round of which steps an environment. For check/rules only.
 */
#pragma once

#include "check/facts/facts.h"

/* The loop around n, or around a call that leads to n, that steps an environment, and n runs in each round but the
 * first ones: not at the end of an episode only; 0: none is seen. *where: the file of the loop. */
uint32_t environment_loop(struct project *p, const struct py_file *f, uint32_t n, const struct py_file **where);
