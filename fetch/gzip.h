/*
 * gzip: decompression with the check of RFC 1952 that libarchive leaves out: a flipped bit changes
 * a post otherwise, and nobody is told. Private to fetch.
 */
#ifndef FETCH_GZIP_H
#define FETCH_GZIP_H

#include "base/base.h"

struct gzip;

struct gzip *gzip_new(void);
void gzip_free(struct gzip *g);
/* Hands in the next compressed bytes; they are borrowed until gzip_read asks for more. */
void gzip_feed(struct gzip *g, struct span compressed);
/* Decompresses into `bytes`; *got is 0 when all that was fed is used up. False for damaged data.
 * Several members one after another are one text; zeros after the last are padding. */
bool gzip_read(struct gzip *g, char *bytes, size_t size, size_t *got);
/* Whether the compressed bytes may end here. */
bool gzip_is_complete(const struct gzip *g);

#endif
