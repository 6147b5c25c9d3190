/* settle: settles disputes of coders, as decisions of a merged coder. The reason says who settled it: "by ann: …". */
#pragma once

#include "label/coding/stored_codebook.h"
#include "label/coding/decisions.h"
#include "label/coding/disputes.h"

struct settler {
    struct db *db;
    struct stored_codebook book; /* empty when the database has none */
    struct buf as, by;           /* by: empty when nobody is named */
    bool in_bulk;                /* see struct act */
    struct span now;             /* … of what is settled in bulk, where no clock is ahead of it; ptr NULL: its own */
};

/* Names as of coder_name_check; `by` may be empty. ST_INPUT when `as` is a coder or `by`. settler_clear in any case. */
enum status MUST_USE settler_open(struct settler *s, struct db *db, struct span as, struct span by, struct err *e);
void settler_clear(struct settler *s);

/* What is settled: codes for the facets with codes, is_problem for FACET_JUDGES. */
struct settlement {
    size_t facet;
    struct span subject;
    int64_t post_id;
    bool is_problem;
    int64_t codes[FACET_CODES_MAX];
    size_t n_codes;
};

/* What the coder of the opinion says. */
struct settlement settlement_of(const struct db_dispute *dispute, const struct db_opinion *opinion);
/* Reads codes with ';' between them, a written value, or yes or no into *out, whose facet is set. ST_INPUT says why. */
enum status MUST_USE settlement_read(struct settler *s, struct settlement *out, struct span text, struct err *e);
/* Writes it, within the caller's transaction. */
enum status MUST_USE settlement_put(struct settler *s, const struct settlement *settlement, struct span reason,
                                    struct err *e);
/* Why it was settled: as `opinion` has it, "took ann's", and `reason` if there is one; NULL: `reason`, or "settled". */
void settlement_reason(struct buf *out, const struct db_opinion *opinion, struct span reason);

/* Settles, in the caller's transaction, that a post has the problems that the coder of `taken` sees; `post` is of
 * db_segments_read. Of problems that not all coders see, the taken ones get the codes that are not in dispute; the
 * others are left out. *n: how many decisions that are. */
enum status MUST_USE settle_segments(struct settler *s, const struct db_dispute *post, const struct db_opinion *taken,
                                     struct span reason, size_t *n, struct err *e);

/* What is settled at once, because nobody disputes it. */
struct settle_bulk {
    enum db_dispute_kind kind; /* DB_AGREED: what two coders or more say; DB_SINGLE: what `coder` alone said */
    struct span coder;
    size_t facet; /* as in db_disputes_read */
    int64_t post_id;
    struct span reason;                                     /* for DB_SINGLE; may be empty */
    bool only_looks;                                        /* nothing is written: what would be settled */
    void (*each)(void *ctx, const struct db_dispute *what); /* NULL, or of each that is settled, without reasons */
    void (*left_out)(void *ctx, struct span subject);       /* NULL, or of each whose code is no longer given */
    void *ctx;
};

struct settle_count {
    size_t n, of[FACETS_MAX]; /* settled, and of each facet */
    size_t disputed;          /* left out: codes of posts with disputed problems or (DB_SINGLE) a disputed judgement */
    size_t retired;           /* left out: a code that is no longer given */
};

/* Settles all of it or, when it fails, nothing, in its own transaction. */
enum status MUST_USE settle_bulk(struct settler *s, const struct settle_bulk *how, struct settle_count *count,
                                 struct err *e);
