/* relations: posts that say nearly the same, or link to each other. match/corpus finds them. */
#pragma once

#include "base/base.h"

enum post_relation_kind {
    POST_SIMILAR,  /* of mine_similar, with 70 % and more in common */
    POST_LINKED,   /* the body of one links to the other */
    POST_DUPLICATE /* the same, as a duplicate: its body begins so */
};

struct post_relation {
    int64_t post_id, other_id;
    enum post_relation_kind kind;
    double similarity; /* of POST_SIMILAR */
};

/* Each relation from both sides, by post_id. */
struct post_relations {
    struct ARRAY_OF(struct post_relation) all;
};

void post_relations_clear(struct post_relations *r);
/* Those of a post: *n of them; NULL when there are none. */
const struct post_relation *post_relations_of(const struct post_relations *r, int64_t post_id, size_t *n);

extern const char *const post_relation_names[]; /* by kind: "similar", "linked", "duplicate" */
