/* gradients: which modules of PyTorch a loss goes back through, and which an optimizer steps. Of
 * check/rules. */
#ifndef CHECK_RULES_GRADIENTS_H
#define CHECK_RULES_GRADIENTS_H

#include "check/facts/facts.h"

enum { GRADIENT_MODULES_MAX = 32 };

/* Calls that run modules, on which an expression depends with its graph. */
struct gradient_flow {
    uint32_t calls[GRADIENT_MODULES_MAX];
    size_t n;
};

/* What backward() of the expression goes through: by names of its function, not by what is detached or
 * made without a graph. */
void gradient_flow_of(struct project *p, const struct py_file *f, uint32_t n, struct gradient_flow *out);
/* The text of the module that the call runs: "self.net". */
struct span gradient_module(struct project *p, const struct py_file *f, uint32_t call);

/* What is run again and again with the call of backward(): its loop, or the function that makes one step, called
 * in a loop, perhaps of another file, or a step by its name; 0: nothing is. */
uint32_t gradient_round(struct project *p, const struct py_file *f, uint32_t backward);

/* An optimizer of a file. */
struct gradient_optimizer {
    uint32_t call;    /* torch.optim.Adam(…) */
    struct span name; /* what it is bound to: "self.optimizer_d" */
    uint32_t weights; /* what it is given */
    bool known;       /* all of it: modules by parameters(), or tensors */
};
enum { OPTIMIZERS_MAX = 16 };
/* The file's, at most that many. */
size_t gradient_optimizers(struct project *p, const struct py_file *f, struct gradient_optimizer out[OPTIMIZERS_MAX]);
/* Does it step the weights of the module with this text? */
bool gradient_steps(const struct py_file *f, const struct gradient_optimizer *o, struct span module);

#endif
