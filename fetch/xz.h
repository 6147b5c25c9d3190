/*
 * xz: decompression in a bounded amount of memory: the file says how much it needs, up to 4 GB, and
 * libarchive takes that. Private to fetch.
 */
#ifndef FETCH_XZ_H
#define FETCH_XZ_H

#include "base/base.h"

/* What is needed for the dictionary of `xz -9`, 64 MB, twice. */
#define XZ_MEMORY_MAX ((uint64_t)192 << 20)

struct xz;

struct xz *xz_new(void);
void xz_free(struct xz *x);
/* Hands in the next compressed bytes; they are borrowed until xz_read asks for more. */
void xz_feed(struct xz *x, struct span compressed);
/* Says that this was all. */
void xz_finish(struct xz *x);
/* Decompresses into `bytes`; *got is 0 when all that was fed is used up, or at the end. False for damaged
 * data, and where it needs more than XZ_MEMORY_MAX. Several streams one after another are one text. */
bool xz_read(struct xz *x, char *bytes, size_t size, size_t *got);
bool xz_is_complete(const struct xz *x);
/* After xz_read failed: the bytes of memory that it would need; 0: that is not the reason. */
uint64_t xz_needs(const struct xz *x);

#endif
