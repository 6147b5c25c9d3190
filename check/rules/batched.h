/*
 * batched: ops that take a batch as well as an element, for the rules on work on one element after the
 * other. For check/rules only.
 */
#pragma once

#include "check/facts/lift.h"
#include "check/facts/shape.h"
#include "check/rules/rule.h"

/* What to write instead of the op on each element; NULL: it does not work on a batch in one of the ways
 * that are known. */
const char *batched_instead(const struct word *w);

/* What is done to each element. */
struct batched_body {
    struct project *p;
    const struct py_file *f;
    uint32_t expression; /* what it gives */
    uint32_t sym;        /* its only parameter */
    bool tuple;          /* the parameter is a tuple of tensors: x[0] picks one */
};

bool batched_is_parameter(const struct batched_body *b, uint32_t n);
