/* single: is an expression a batch of one item? For the rules on models that are asked. For check/rules only. */
#pragma once

#include "check/facts/facts.h"

/* np.expand_dims(x, 0), x[None], np.array([x]), x.reshape(1, …), x[i:i + 1], and names that are bound to them. */
bool single_item(struct project *p, const struct py_file *f, uint32_t n);
/* A list or tuple of one thing that is not a list: [x]. */
bool single_in_list(const struct py_file *f, uint32_t list);
/* x[i:i + 1] */
bool single_is_slice(const struct py_file *f, uint32_t subscript);
/* random.sample(memory, n), memory.sample(n), or a name for it? */
bool single_draws_sample(const struct py_file *f, uint32_t n);
