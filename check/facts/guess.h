/* guess: what names suggest where nothing else is known. For check/facts and check/rules, which report the answer as
 * LIKELY or POSSIBLE (check/facts/facts.h), never CERTAIN. */
#pragma once

#include "check/python/python.h"

/* Has the name, in any case, one of the words in it: "loss metric"? */
bool guess_word(struct span name, const char *words);

/* Is a whole part of the name_with_parts one of the words, or its plural? */
bool guess_part(struct span name, const char *words);
/* What training changes: weights, losses, models. */
bool guess_trained(struct span name);
/* A data set: by its name; by a method or argument that only data sets have; by a call in the expression's chain. */
bool guess_dataset(struct span name);
bool guess_dataset_method(const struct py_file *f, uint32_t call, struct span method);
bool guess_dataset_chain(const struct py_file *f, uint32_t n);
