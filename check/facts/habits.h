/*
 * habits: how programs that use TensorFlow are usually written, and what that tells: what runs a
 * session, what is a model, what happens the first time only, what depends on what. Of check only;
 * rules ask it beside check/facts/facts.h. As there, what is not known is not guessed: unless said
 * otherwise, false means "not seen".
 */
#ifndef CHECK_HABITS_H
#define CHECK_HABITS_H

#include "check/facts/facts.h"

/* Does n, inside the loop or function `within`, run for the first time only, or seldom: behind
 * `if x is None`, `if not hasattr(…)`, `if key not in cache`, `if i == 0`, in an except, behind
 * `if built: return`, or before a break or return of its own branch? */
bool habit_first_time(const struct py_file *f, uint32_t n, uint32_t within);
/* Is it a loop over epochs in which another one goes through the steps, so that what stands in it alone
 * runs seldom? */
bool habit_once_in_epoch(struct project *p, const struct py_file *f, uint32_t loop);
/* Is what the function gives kept: lru_cache, cached_property, …? */
bool habit_cached(const struct py_file *f, uint32_t function);
/* Does the call run a TF1 graph: session.run, op.eval, op.run, keras.backend.eval? */
bool habit_runs_session(struct project *p, const struct py_file *f, uint32_t call);
/* What the question says of the node, which is asked once. */
bool habit_once(struct project *p, const struct py_file *f, uint32_t n,
                bool (*question)(struct project *p, const struct py_file *f, uint32_t n));
/* The same with a name, of which the question is asked for that node. */
bool habit_once_of(struct project *p, const struct py_file *f, uint32_t n, uint32_t sym,
                   bool (*question)(struct project *p, const struct py_file *f, uint32_t n,
                                    uint32_t sym));
/* Is there a call for which `test` holds in n (a loop or function), or in what n calls, a few
 * levels deep? Bounded: false when the search became too long. */
bool habit_reaches(struct project *p, const struct py_file *f, uint32_t n,
                   bool (*test)(struct project *, const struct py_file *, uint32_t call));
/* May the value of n in one round of the loop depend on what the call `on`, in the loop, gave in
 * this or an earlier round? Through assignments, methods of objects and elements. */
bool habit_depends(const struct py_file *f, uint32_t n, uint32_t on, uint32_t loop);
/* Is it a Keras model? Unsure: only its name, in a file that uses Keras and no other library that
 * has models, says so. */
enum habit_model { HABIT_NO_MODEL, HABIT_UNSURE_MODEL, HABIT_MODEL };
enum habit_model habit_model(struct project *p, const struct py_file *f, uint32_t n);
/* Does the name, in any case, have one of the words in it? `words` ends in NULL. */
bool habit_word(struct span name, const char *const *words);
/* The block of the loop that runs in each round. */
uint32_t habit_body(const struct py_file *f, uint32_t loop);
/* Is there a call in n of a method, or of a function, whose last name has the trait? */
bool habit_calls(struct project *p, const struct py_file *f, uint32_t n, enum trait trait);

#endif
