/* lift: could code for one element of a batch work on all at once? Yes when its ops work element by element, or along
 * axes that can be named, or have a batch form. For check only; rules ask it beside check/facts/facts.h. */
#pragma once

#include "check/facts/facts.h"

enum { LIFT_NAMES_MAX = 24, LIFT_FLAGS_MAX = 8 };

/* A parameter that is True, False or None in this call, and is bound nowhere else. */
struct lift_flag {
    uint32_t sym;
    enum py_kind literal;
};

/* What is asked, and what was seen on the way. */
struct lift {
    struct project *p;
    const struct py_file *f;
    uint32_t loop;                  /* the loop or comprehension whose rounds are the elements; 0: a function */
    uint32_t place;                 /* sym of its counter, which picks elements: x[i]; 0: none */
    uint32_t names[LIFT_NAMES_MAX]; /* syms of variables that have an element, or comes from one */
    size_t n_names;
    unsigned ops; /* that work on elements */
    unsigned nodes;
    bool picks;   /* an element was picked by the counter */
    bool unsure;  /* out of something that may not be a tensor */
    bool tensors; /* an element is known to be a tensor: it was one, or goes into an op */
    bool guessed; /* through a function that asks for the rank of what it is given: it seems to take
                     * batches as well, and was not looked into; in loops that is not taken */
    bool strict;  /* below a loop */
    struct lift_flag flags[LIFT_FLAGS_MAX];
    size_t n_flags;
};

/* Treats the name (a sym) as a variable that has an element. */
void lift_name(struct lift *l, uint32_t sym);
/* Does the expression depend on an element, or on the counter? */
bool lift_depends(const struct lift *l, uint32_t n);
/* Could the expression be computed for all elements at once? False when it is not known. */
bool lift_expression(struct lift *l, uint32_t n);
/* The same for a function's result, with its parameters in l->names: assignments to its own names, then return. */
bool lift_function(struct lift *l, uint32_t function);
/* The same for a loop's body: assignments to its names, branches, `total += …`, `all.append(…)`; *kept: how many of the
 * last two. */
bool lift_block(struct lift *l, uint32_t block, unsigned *kept);

/* The project's function that an expression, passed as one, runs; *bound: how many parameters are bound before the
 * call: self. */
bool lift_function_of(struct lift *l, uint32_t n, struct function *function, unsigned *bound);
/* Is it tf.matmul() of sparse matrices, which multiplies two, and no batches of them? */
bool lift_of_two(const struct py_file *f, uint32_t call);

/* --- of lift.c and lift_call.c alone --- */

/* Is the name (a sym) that of a variable with an element? */
bool lift_holds_element(const struct lift *l, uint32_t sym);
/* What a call runs: by the function's name, or as a method of an object of a known class. */
bool lift_follows(struct lift *l, uint32_t call, struct function *function, unsigned *bound);
/* Prepares *inner for the called function: parameters with elements, or True, False, None. False: the arguments do not
 * fit. */
bool lift_bind(const struct lift *l, uint32_t call, uint32_t function, unsigned bound, struct lift *inner);
/* What the condition is for the flags: 1 true, 0 false, -1 not known. */
int lift_truth(const struct lift *l, uint32_t condition);
/* A call with the same result each time and no effect: an op, a Python function that only looks, or a project function
 * of these. */
bool lift_pure(const struct lift *l, uint32_t call);
/* Does the function ask of a parameter in inner->names whether it has one rank or another? */
bool lift_asks_rank(const struct lift *inner, uint32_t function);
