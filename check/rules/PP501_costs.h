/*
 * costs: what layers cost by their sizes, for PP501. For check only.
 */
#pragma once

#include "check/rules/rule.h"

/* Reports the call when it makes a layer, or one-hot labels, of a size that is seldom meant: weights
 * or results of many millions, wide kernels, embeddings as wide as long. */
void costs_check(struct rule_run *r, struct project *p, const struct py_file *f, uint32_t call);
