/* training: how often, why and where code runs: is a remark on training right? For check/facts and check/rules. */
#pragma once

#include "check/facts/facts.h"

/* --- repetition --- */

/* A loop of steps that runs an expression in each of its rounds. */
struct steps {
    const struct py_file *file; /* of the loop */
    struct loop loop;           /* node 0: a forward(), whose loop is not seen */
    const struct py_file *entry_file;
    uint32_t entry; /* the call in the loop that leads to the expression; 0: it is in the loop */
};
/* Does n run at each step: in a loop over batches, records, steps, or in a function that one calls, to any depth? Not
 * once for each epoch. Certain: the loop goes over a data set or loader, or trains. Likely: by names, or in a
 * forward(). */
enum certainty fact_steps(struct project *p, const struct py_file *f, uint32_t n, struct steps *where);
/* Is it a loop over epochs whose steps are in an inner loop, perhaps in a called function? Its own code runs seldom. */
bool fact_epoch_of_steps(struct project *p, const struct py_file *f, uint32_t loop);
/* The loader of batches that the loop goes over, through enumerate() and the like; 0: none is seen. */
uint32_t fact_loader(struct project *p, const struct py_file *f, uint32_t loop);
/* Does n run in some rounds only? As fact_guarded, but an `if` that asks the same each time does not count: if
 * args.distributed. */
bool fact_now_and_then(const struct py_file *f, uint32_t n, uint32_t loop);

/* The session's run that trains in each round of the loop or an inner one: session.run(train_op), train_op.run();
 * or 0. */
uint32_t fact_training_run(struct project *p, const struct py_file *f, uint32_t loop);
/* Is it a loop of steps, not epochs, that trains a TensorFlow or Keras model: by a session, tape, train_on_batch(), or
 * a function that does? */
enum certainty fact_training_steps(struct project *p, const struct py_file *f, struct loop loop);

/* --- context --- */

/* Does the loop go over data, with nothing backward: over a loader, or after eval()? */
bool fact_evaluates(struct project *p, const struct py_file *f, struct loop loop);
/* Is backward() called on the name (a node) in the loop or block: is it a loss, with its graph? */
bool fact_backward_of(const struct py_file *f, uint32_t name, uint32_t within);
/* The same by a function of the project that the name is given to: update(optimizer, loss)? */
bool fact_backward_through(struct project *p, const struct py_file *f, uint32_t name, uint32_t within);
/* Does a program of the project run n: at a file's top, or in a function that such code reaches? Else: a library. */
bool fact_in_program(struct project *p, const struct py_file *f, uint32_t n);

/* Is the function given to a loader of PyTorch, to put items into a batch; or does only such a function call it? */
bool fact_collates(struct project *p, const struct py_file *f, uint32_t function);

/* Does PyTorch record no graph at n: in a no_grad() or inference_mode() block or function, or called only from such? */
bool fact_without_grad(struct project *p, const struct py_file *f, uint32_t n);
/* Do gradients come of n, a function, loop or block, or of what it calls: backward(), autograd.grad()? */
bool fact_goes_backward(struct project *p, const struct py_file *f, uint32_t n);
/* Is the function a method of a module's class? */
bool fact_in_module(struct project *p, const struct py_file *f, uint32_t function);
/* Is the expression a module of PyTorch? Likely when only its name says so. */
enum certainty fact_module(struct project *p, const struct py_file *f, uint32_t n);
/* The module that the call runs: model(x), self.net.forward(x); 0: none. */
uint32_t fact_module_run(struct project *p, const struct py_file *f, uint32_t call);
/* Has the module weights that want gradients: no loss, no activation, no class that makes none? */
bool fact_has_weights(struct project *p, const struct py_file *f, uint32_t module);
/* Are the layers of the module dense ones alone, as far as it is known what it is? */
bool fact_only_dense(struct project *p, const struct py_file *f, uint32_t module);
/* Is it a tensor of PyTorch? Likely when it is computed from what a module gave, or handled so. */
enum certainty fact_torch_tensor(struct project *p, const struct py_file *f, uint32_t n);

/* Does a network of PyTorch in the file, or in one of its folder, look at pictures: has it convolutions? */
bool fact_sees_pictures(struct project *p, const struct py_file *f);

/* --- device --- */

/* Does the program use an accelerator: this file, one beside, above or below it? Or does another file set its
 * device? */
bool fact_on_device(struct project *p, const struct py_file *f);
