/*
 * python_work: what Python code does for a pipeline, for the rules on it. For check/rules only.
 */
#pragma once

#include "check/rules/rule.h"

enum { PYTHON_CALLS_DEEP = 2 };

/* What reads or decodes in Python, and what does it in TensorFlow. */
struct python_reader {
    enum trait python;
    const char *instead;
};
const struct python_reader *python_reader(const struct word *w); /* NULL: it is not one */

/* What a Python function does, as far as the rule asks. */
struct python_work {
    const char *instead; /* of the first reader that it calls */
    struct span reader;
    size_t other; /* calls of what TensorFlow has no op for */
};

/* A fact_visitor; ctx: the struct above, to which it adds the call. */
bool python_look(void *ctx, struct project *p, const struct py_file *f, uint32_t call);
void python_report_reader(struct rule_run *r, uint32_t call, struct span caller, const struct python_work *seen);

/* Does the call read, decode, scale or augment a picture or a sound in Python: what takes time for each
 * item? Not what shows, draws on, or writes one. */
bool python_prepares(struct project *p, const struct py_file *f, uint32_t call);
/* The same of the calls that the function runs, through functions of the project. */
bool python_calls_prepare(struct project *p, const struct py_file *f, uint32_t function);

/* [… for … in …] or the same as a generator, with nothing else: what each round gives, and over
 * what. */
bool python_comprehension(const struct py_file *f, uint32_t n, uint32_t *body, uint32_t *target, uint32_t *over);
/* Does it come from NumPy, or from Keras' data sets? */
bool python_is_array(struct project *p, const struct py_file *f, uint32_t n);
