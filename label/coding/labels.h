/* labels: the decisions that count: labels, codings, problems; and the assessments of RQ4. */
#pragma once

#include "label/coding/decisions.h"

/* A decision that counts. */
struct db_label {
    struct span subject;
    int64_t post_id;
    struct span coder;
    bool coder_is_merged;
    size_t facet; /* as in db_decision */
    bool is_problem;
    struct db_codes codes;
    struct span spelling; /* as in db_decision */
    struct span decided_at;
};

/* A walk over judgements, by post and coder; then over stored labels, by the subject's bytes, the facet's name, the
 * coder. Nobody may write decisions or coders during it. The connection keeps what is read: another walk is short.
 * All-zero is a walk over nothing. */
struct db_labels {
    const struct counted *counted;
    size_t at;
    int64_t ids[FACET_CODES_MAX]; /* of the last one */
};
enum status MUST_USE db_labels_read(struct db_labels *walk, struct db *db, struct err *e);
bool db_label_next(struct db_labels *walk, struct db_label *label);
/* The connection is not used for a while: frees what is kept of one post, and of all where that is much. */
void db_labels_rest(struct db *db);

/* All that counts of what one coder says about one subject: a problem with any code, or a judged post that has none.
 * By post id (or the order of a list of posts), suffix, coder. */
struct db_coding {
    struct span subject; /* a problem's id, or the post's */
    int64_t post_id;
    struct span coder;
    bool is_judged, is_problem;        /* is_problem only of posts that were judged */
    struct db_codes codes[FACETS_MAX]; /* of each facet; of FACET_JUDGES none */
    struct span decided_at;            /* the newest of its codes, else of the judgement; ptr NULL: neither */
    struct span url;
    struct span title; /* of an answer its question's; ptr NULL: not held */
    int64_t ids[FACETS_MAX][FACET_CODES_MAX];
    char newest[TIME_TEXT_SIZE];
};

struct db_coding_query {
    struct span coder; /* ptr NULL: every coder */
    bool unjudged;     /* also posts about which `coder` said nothing yet: the candidates, or */
    struct span posts; /* … those of this JSON array of post ids, and only these posts; ptr NULL: no such list */
    bool noted;        /* also what `coder` only wrote a note about */
};

/* The second is of one coder about one post; in a time that does not depend on how much others coded. */
struct sql *db_codings(struct db *db, const struct db_coding_query *query);
struct sql *db_codings_of_post(struct db *db, struct span coder, int64_t post_id);
/* *coding has its codes, so it is not copied. */
bool db_coding_next(struct db *db, struct sql *walk, struct db_coding *coding, enum status *status, struct err *e);

/* The final problems: those that a merged coder labelled. Ordered as labels. */
struct db_problem {
    struct span problem_id;
    int64_t post_id;
    struct span created_at;            /* of the post; ptr NULL when unknown */
    struct span tags;                  /* JSON array; ptr NULL when the post is not held */
    struct span site;                  /* its name; ptr NULL: the study no longer has it */
    struct db_codes codes[FACETS_MAX]; /* of each facet */
    int64_t ids[FACETS_MAX][FACET_CODES_MAX];
};

bool db_problem_next(struct db *db, struct db_problem *problem, enum status *status, struct err *e);
/* Says when the post of a problem was created, for posts that are not held. */
enum status MUST_USE db_problem_date_put(struct db *db, struct span problem_id, struct span created_at, struct err *e);

/* RQ4: what became of a benchmark problem under an approach ("profiler", "xla", "documentation"):
 * "not applied", "not solved", "partially solved". */
struct db_assessment {
    struct span problem_id, approach, status, library;
};

enum status MUST_USE db_assessment_put(struct db *db, const struct db_assessment *assessment, struct err *e);
bool db_assessment_next(struct db *db, struct db_assessment *assessment, enum status *status, struct err *e);
