/*
 * refused: posts of an input that cannot be used are counted and named, and do not stop a run,
 * unless it is strict.
 */
#ifndef FETCH_REFUSED_H
#define FETCH_REFUSED_H

#include "base/base.h"

struct refused {
    const char *source; /* for messages */
    uint64_t n;
};

/* Says the first few, then only counts. id 0: unknown. */
void refused_add(struct refused *r, uint64_t offset, int64_t id, const char *why);
/* Says how many there were; ST_INPUT when `strict` and there were any. */
enum status MUST_USE refused_end(const struct refused *r, bool strict, struct err *e);

#endif
