/* lift: could code that is written for one element of a batch work on all of them at once? It can when it consists of
 * ops that act element by element, or along axes that can be named, or have a form for batches. For check only; rules
 * ask it beside check/facts/facts.h. */
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
/* The same for what a function gives, whose parameters are in l->names: assignments to names of its
 * own, then return. */
bool lift_function(struct lift *l, uint32_t function);
/* The same for the body of the loop: assignments to its names, `total += …`,
 * `all.append(…)`, and branches between such. *kept: so many of the last two. */
bool lift_block(struct lift *l, uint32_t block, unsigned *kept);

/* The function of the project that an expression, which is handed on as one, runs; *bound: so many of
 * its parameters are bound before it is called: self. */
bool lift_function_of(struct lift *l, uint32_t n, struct function *function, unsigned *bound);
/* Is it tf.matmul() of sparse matrices, which multiplies two, and no batches of them? */
bool lift_of_two(const struct py_file *f, uint32_t call);

/* --- of lift.c and lift_call.c alone --- */

/* Is the name (a sym) that of a variable with an element? */
bool lift_holds_element(const struct lift *l, uint32_t sym);
/* What a call runs: by the function's name, or as a method of an object of a known class. */
bool lift_follows(struct lift *l, uint32_t call, struct function *function, unsigned *bound);
/* Readies *inner for the function that the call runs: its parameters that get elements, and those
 * that get True, False or None. False when the arguments do not fit. */
bool lift_bind(const struct lift *l, uint32_t call, uint32_t function, unsigned bound, struct lift *inner);
/* What the condition is for the flags: 1 true, 0 false, -1 not known. */
int lift_truth(const struct lift *l, uint32_t condition);
/* A call that gives the same each time and has no effect: an op, a function of Python that only
 * looks, or one of the project that calls nothing else. */
bool lift_pure(const struct lift *l, uint32_t call);
/* Does the function ask of a parameter in inner->names whether it has one rank or another? */
bool lift_asks_rank(const struct lift *inner, uint32_t function);
