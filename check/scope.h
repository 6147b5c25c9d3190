/* scope: which names a file binds, and where. Of check only. */
#ifndef CHECK_SCOPE_H
#define CHECK_SCOPE_H

#include "check/py.h"

/* Fills the scopes and definitions of a file whose nodes are there. */
void scope_build(struct py_file *f);

#endif
