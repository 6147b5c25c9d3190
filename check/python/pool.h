/*
 * pool: memory for the parser library. For check only.
 *
 * Parsing takes and gives back millions of small blocks, all of which are done with when the tree
 * was read. A pool hands them out from large pieces, keeps what comes back for blocks of the same
 * size, and drops everything at once; no lock is taken, since a pool belongs to one thread.
 */
#pragma once

#include "base/base.h"

struct pool;

/* No block is larger: a list of 65,536 children. The library counts the children of a node in 16
 * bits (0.20), and what error recovery gathers of a file with more open brackets than that, it
 * would cut off wrongly and release at a wrong address. It is stopped before. */
enum { POOL_BLOCK_MAX = 65536 * sizeof(void *) };

struct pool *pool_new(void);
void pool_free(struct pool *p); /* and all that came from it */
/* Runs work(ctx), and what the library takes on this thread during it comes from p. When it asks
 * for a larger block, or for more than about bytes_max in all, work is left at once, wherever it
 * stands, and false comes back: nothing that came from p may be used then. */
typedef void pool_work(void *ctx);
bool MUST_USE pool_run(struct pool *p, size_t bytes_max, pool_work *work, void *ctx);
/* Everything that came from p is gone; the first few megabytes are kept for what comes next. */
void pool_reset(struct pool *p);

/* For ts_set_allocator; outside of pool_run they take from the heap. Aligned for pointers and
 * numbers; 0 bytes are one. */
void *pool_malloc(size_t size);
void *pool_calloc(size_t count, size_t size);
void *pool_realloc(void *block, size_t size);
void pool_release(void *block);
