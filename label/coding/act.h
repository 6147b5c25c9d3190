/*
 * act: what one coder says about a post and its problems, and how that changes.
 *
 * An act is all that is decided at once; label undo takes it back as a whole.
 */
#ifndef LABEL_CODING_ACT_H
#define LABEL_CODING_ACT_H

#include "label/coding/stored_codebook.h"

enum {
    ACT_FACETS_MAX = FACETS_MAX,
    ACT_CODES_MAX = FACET_CODES_MAX,
    ACT_PROBLEMS_MAX = 20, /* of a post */
    ACT_TEXT_MAX = 10000   /* bytes of a reason or a note */
};

/* The facets of problems whose codes are given, in their order, *n of them. */
const struct facet *act_facets(const struct stored_codebook *book, size_t *n);
/* The list of codes of one of them. */
struct span act_list(const struct stored_codebook *book, const struct facet *facet);

/* The codes of a facet as places in the codebook. */
struct act_codes {
    size_t at[ACT_CODES_MAX];
    size_t n;
};

struct act_problem {
    struct span subject; /* "65160023_1" */
    struct act_codes codes[ACT_FACETS_MAX];
    bool has[ACT_FACETS_MAX]; /* a code, even one that is no longer given */
};

/* The current decisions of a coder. */
struct act_said {
    bool is_judged, is_problem;
    struct ARRAY_OF(struct act_problem) problems; /* those with a code, by suffix */
    struct arena arena;
};

/* *out needs act_said_clear in any case. Codes that are no longer given are left out. */
enum status MUST_USE act_said_read(struct act_said *out, struct db *db,
                                   const struct stored_codebook *book, struct span coder,
                                   int64_t post_id, struct err *e);
void act_said_clear(struct act_said *said);

enum act_judgement { ACT_SAYS_NOTHING, ACT_SAYS_NO, ACT_SAYS_YES };

struct act {
    struct span coder, subject; /* subject: of the post or a problem of it */
    int64_t post_id;
    enum act_judgement judgement;
    bool given[ACT_FACETS_MAX]; /* the facets that are decided; without codes: taken back */
    struct act_codes codes[ACT_FACETS_MAX];
    struct span reason, note; /* ptr NULL: none */
    bool apart; /* later than all that the coder decided, so that undo takes it back alone */
};

/*
 * Writes it in its own transaction. Who gives a code says that the post is a problem; who says
 * that it is not a problem takes all its codes back. ST_INPUT for a coder of merged labels, an answer that
 * is not judged itself (label/coding/subject.h), and a text that is too long.
 */
enum status MUST_USE act_put(struct db *db, const struct stored_codebook *book,
                             const struct act *act, struct err *e);
/* The same within the caller's transaction. */
enum status MUST_USE act_write(struct db *db, const struct stored_codebook *book,
                               const struct act *act, struct err *e);

/* Of a post whose only problem has the id of the post: that gets _1, so that there can be another one; that
 * is a separate act, and nothing is done for other posts. Appends the id of the next problem to *subject:
 * "65160023_2"; of a post without problems its own. */
enum status MUST_USE act_other_problem(struct db *db, const struct stored_codebook *book,
                                       struct span coder, int64_t post_id, struct buf *subject,
                                       struct err *e);

#endif
