/* refused: counts what an input has and is not kept, by reason. Unusable things are also named, and stop only a strict
 * run; what nobody asked for is only counted. */
#pragma once

#include "base/base.h"

struct refused_reason {
    const char *given; /* as it came; only to compare */
    char *why;
    uint64_t n, offset; /* of the first one */
    int64_t id;
    bool is_part; /* of something that is kept */
};

struct refused {
    const char *source; /* for messages */
    const char *unit;   /* what an offset counts; NULL: "byte" */
    uint64_t n;         /* what cannot be used */
    uint64_t n_left;    /* posts that are not kept, whatever the reason */
    struct ARRAY_OF(struct refused_reason) reasons;
};

/* Why a dump goes on after its end: a note, of which nothing is left out. */
#define SECOND_DOCUMENT "a second document begins here; its rows are read too"

#define REFUSED_NO_BYTE UINT64_MAX /* for `offset`: it is not in a file */

/* Of something that cannot be used. Says the first few, then only counts. id 0: unknown. */
void refused_add(struct refused *r, uint64_t offset, int64_t id, const char *why);
/* The same of a part, such as a comment, of a post that is kept. */
void refused_add_part(struct refused *r, uint64_t offset, int64_t id, const char *why);
/* Of a post that can be used, and that nobody asked for. */
void refused_leave(struct refused *r, uint64_t offset, int64_t id, const char *why);
/* Says how many could not be used; ST_INPUT when `strict` and there were any, or when nothing was `kept` and everything
 * that was read was unusable. */
enum status MUST_USE refused_end(const struct refused *r, bool strict, uint64_t kept, struct err *e);
/* Says the commonest reasons; with LOG_VERBOSE all. */
void refused_say(struct refused *r);
/* Says before them how many `things` were read, kept and left out; warns when none was kept. */
void refused_account(struct refused *r, const char *things, uint64_t kept);
/* Adds a JSON array of all reasons. */
void refused_json(struct refused *r, struct buf *out);
void refused_clear(struct refused *r);
