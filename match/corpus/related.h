/*
 * related: candidates that say nearly the same, or link to each other: who codes one may want to see the
 * other. Nothing is left out because of it.
 */
#ifndef MATCH_CORPUS_RELATED_H
#define MATCH_CORPUS_RELATED_H

#include "db/db.h"

enum mine_relation_kind {
    MINE_SIMILAR,   /* of mine_similar, with 70 % and more in common */
    MINE_LINKED,    /* the body of one links to the other */
    MINE_DUPLICATE  /* the same, as a duplicate: its body begins so */
};

struct mine_relation {
    int64_t post_id, other_id;
    enum mine_relation_kind kind;
    double similarity; /* of MINE_SIMILAR */
};

/* Each relation from both sides, by post_id. */
struct mine_related {
    struct ARRAY_OF(struct mine_relation) all;
};

enum { MINE_RELATED_POSTS_MAX = 50000 }; /* candidates; of more than these none are related */

/* Reads all candidates: 10,000 take about a second. *out needs mine_related_clear in any case. */
enum status MUST_USE mine_related_read(struct mine_related *out, struct db *db, struct err *e);
void mine_related_clear(struct mine_related *r);
/* Those of a post: *n of them; NULL when there are none. */
const struct mine_relation *mine_related_of(const struct mine_related *r, int64_t post_id, size_t *n);

extern const char *const mine_relation_names[]; /* by kind: "similar", "linked", "duplicate" */

#endif
