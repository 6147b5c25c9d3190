/*
 * lift: could code that is written for one element of a batch work on all of them at once? It can
 * when it consists of ops that act element by element, or along axes that can be named, or have a
 * form for batches. Of check only; rules ask it beside check/facts.h.
 */
#ifndef CHECK_LIFT_H
#define CHECK_LIFT_H

#include "check/facts.h"

enum { LIFT_NAMES_MAX = 24 };

/* What is asked, and what was seen on the way. */
struct lift {
    struct project *p;
    const struct py_file *f;
    uint32_t loop;  /* the loop or comprehension whose rounds are the elements; 0: a function */
    uint32_t place; /* sym of its counter, which picks elements: x[i]; 0: none */
    uint32_t names[LIFT_NAMES_MAX]; /* syms of what holds an element, or comes from one */
    size_t n_names;
    unsigned ops;   /* that work on elements */
    unsigned nodes;
    bool picks;     /* an element was picked by the counter */
    bool unsure;    /* out of something that may not be a tensor */
    bool tensors;   /* an element is known to be a tensor: it was one, or goes into an op */
};

/* Is it an op that acts on each number alike, whatever axes stand before it? */
bool lift_elementwise(struct span name);
/* Takes the name (a sym) for one that holds an element. */
void lift_name(struct lift *l, uint32_t sym);
/* Does the expression depend on an element, or on the counter? */
bool lift_depends(const struct lift *l, uint32_t n);
/* Could the expression be computed for all elements at once? False when it is not known. */
bool lift_expression(struct lift *l, uint32_t n);
/* The same for what a function gives, whose parameters are in l->names: assignments to names of its
 * own, then return. */
bool lift_function(struct lift *l, uint32_t function);
/* The same for the body of the loop: assignments to names of its own, `total += …`,
 * `all.append(…)`, and branches between such. *kept: so many of the last two. */
bool lift_block(struct lift *l, uint32_t block, unsigned *kept);

#endif
