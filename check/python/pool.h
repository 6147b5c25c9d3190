/*
 * pool: memory for the parser library. For check only.
 *
 * Parsing allocates and frees millions of small blocks, all unused once the tree is read. A pool cuts them from large
 * pieces, reuses freed ones for the same size, and drops all at once. It belongs to one thread and needs no lock.
 */
#pragma once

#include "base/base.h"

struct pool;

/* The largest block: a list of 65,536 children. The library counts a node's children in 16 bits (0.20); error recovery
 * with more open brackets would truncate the list and free a wrong address, so it is stopped before. */
enum { POOL_BLOCK_MAX = 65536 * sizeof(void *) };

struct pool *pool_new(void);
void pool_free(struct pool *p); /* and all that came from it */
/* Runs work(ctx); the library's memory on this thread comes from p. If it asks for a larger block, or for more than
 * about bytes_max in all, work is left at once, wherever it is: false, and nothing from p may be used then. */
typedef void pool_work(void *ctx);
bool MUST_USE pool_run(struct pool *p, size_t bytes_max, pool_work *work, void *ctx);
/* Everything that came from p is gone; the first few megabytes are kept for what comes next. */
void pool_reset(struct pool *p);

/* For ts_set_allocator; outside of pool_run from the heap. Aligned for pointers and numbers; 0 bytes count as one. */
void *pool_malloc(size_t size);
void *pool_calloc(size_t count, size_t size);
void *pool_realloc(void *block, size_t size);
void pool_release(void *block);
