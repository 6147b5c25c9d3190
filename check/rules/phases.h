/* phases: PyTorch functions that train or evaluate by a parameter: run_epoch(model, loader, train=False). For
 * check/rules. */
#pragma once

#include "check/facts/facts.h"

/* Does the call have such a function evaluate, where a graph is recorded all the same? */
bool phases_evaluates(struct project *p, const struct py_file *f, uint32_t call);
/* Is the call of a module the first in a loop over phases, or in a function that such a loop tells its phase, and does
 * it record a graph in each phase? */
bool phases_records_in_each(struct project *p, const struct py_file *f, uint32_t call);
