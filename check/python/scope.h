/* scope: which names a file binds, and where. For check only. */
#pragma once

#include "check/python/python.h"

/* Fills the scopes and definitions of a file whose nodes are there. */
void scope_build(struct py_file *f);

/* uses.c: orders what scope_build found, and lists where each name stands. */
void uses_build(struct py_file *f);
/* Definitions of `first`'s name in its scope, no attributes, that bind a node before `node`, in the order of nodes: *n
 * of them, which stay the file's. */
const uint32_t *py_defs_before(const struct py_file *f, uint32_t first, uint32_t node, size_t *n);
