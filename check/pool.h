/*
 * pool: memory for the parser library. Of check only.
 *
 * Parsing takes and gives back millions of small blocks, all of which are done with when the tree
 * was read. A pool hands them out from large pieces, keeps what comes back for blocks of the same
 * size, and drops everything at once; no lock is taken, since a pool belongs to one thread.
 */
#ifndef CHECK_POOL_H
#define CHECK_POOL_H

#include "base/base.h"

struct pool;

struct pool *pool_new(void);
void pool_free(struct pool *p); /* and all that came from it */
/* What the library takes on this thread comes from p from now on; NULL: from the heap. */
void pool_use(struct pool *p);
/* Everything that came from p is gone; the first few megabytes are kept for what comes next. */
void pool_reset(struct pool *p);

/* For ts_set_allocator. Aligned for pointers and numbers; 0 bytes are one. */
void *pool_malloc(size_t size);
void *pool_calloc(size_t count, size_t size);
void *pool_realloc(void *block, size_t size);
void pool_release(void *block);

#endif
