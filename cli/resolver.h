/*
 * resolver: settling what coders disagree on, for `label resolve`. Of cli only.
 *
 * A settled label is a decision of a merged coder (--as). Who settled it stands in its reason:
 * "by ann: …".
 */
#ifndef CLI_RESOLVER_H
#define CLI_RESOLVER_H

#include "cli/command.h"
#include "coding/stored_codebook.h"
#include "db/decisions.h"
#include "db/disputes.h"

struct resolver {
    struct invocation *in;
    struct stored_codebook book; /* empty when the database has none */
    struct buf as, by;           /* by: empty when nobody is named */
    bool as_is_known;            /* to the database */
};

/* Reads --as and --by (else $PPMINE_CODER) and the codebook of the open database. ST_USAGE for names
 * that nobody can have, ST_INPUT when --as is one of the coders. resolver_clear in any case. */
enum status MUST_USE resolver_open(struct resolver *r, struct invocation *in, struct err *e);
void resolver_clear(struct resolver *r);

/* What is settled: codes for the facets with codes, is_problem for identification. */
struct settlement {
    enum db_facet facet;
    struct span subject;
    int64_t post_id;
    bool is_problem;
    int64_t codes[DB_CODES_MAX];
};

/* What the coder of the opinion says. */
struct settlement settlement_of(const struct db_dispute *dispute,
                                const struct db_opinion *opinion);
/* Reads the names of codes, separated by ';', or yes and no, into *s, whose facet is set. ST_INPUT
 * with words on what is wrong. */
enum status MUST_USE settlement_read(const struct resolver *r, struct settlement *s,
                                     struct span text, struct err *e);
/* Is each code one that is still given? */
bool settlement_is_current(const struct resolver *r, const struct settlement *s);
/* Writes it, within the caller's transaction. */
enum status MUST_USE settlement_put(struct resolver *r, const struct settlement *s,
                                    struct span reason, struct err *e);
/* Why it was settled as `opinion` has it: "took ann's", and `reason` if there is one. */
void settlement_taken(struct buf *out, const struct db_opinion *opinion, struct span reason);

/* For people: who says what, and what the guide says about the codes. */
enum status MUST_USE dispute_print(const struct resolver *r, const struct db_dispute *dispute,
                                   FILE *out, struct err *e);

/* Asks about one after another: answers come line by line from `answers`, questions go to stderr. */
enum status MUST_USE resolver_ask(struct resolver *r, const struct db_disputes *disputes,
                                  FILE *answers, struct err *e);

#endif
