/* screen: what screening reads, and how each post came to be read. */
#pragma once

#include "db/db.h"
#include "label/coding/queue.h"
#include "label/screening_words.h"

/* A question that can be read. */
struct db_screen_post {
    int64_t post_id;
    struct span title, body_html, tags; /* tags with blanks between them */
};

/* Walks as sql_next does. Ordered by post id. */
bool db_screen_post_next(struct db *db, struct db_screen_post *post, enum status *status, struct err *e);
/* A candidate's hits of keywords; ordered by post id. */
struct db_screen_hits {
    int64_t post_id, n;
};
bool db_screen_hit_next(struct db *db, struct db_screen_hits *hits, enum status *status, struct err *e);
/* Appends what changes whenever posts do; *settled: no run is changing them now. */
enum status MUST_USE db_screen_state(struct db *db, struct buf *state, bool *settled, struct err *e);

enum db_screen_answer { DB_SCREEN_NO, DB_SCREEN_YES, DB_SCREEN_UNSURE, DB_SCREEN_ANSWERS };
/* How a post came to be read; by hand: without screening. */
enum db_screen_stratum { DB_SCREEN_RANKED, DB_SCREEN_RANDOM, DB_SCREEN_KEYWORD, DB_SCREEN_HAND, DB_SCREEN_STRATA };

struct db_screen_read {
    int64_t post_id;
    enum db_screen_answer answer;
    enum db_screen_stratum stratum;
    /* To be put alone: */
    double score;      /* NAN: none */
    int64_t n_learned; /* answers that the model had learned from */
    struct span model;
    int64_t seed;
};

/* The current answer; the judgement itself is a decision, see decisions.h. */
enum status MUST_USE db_screen_read_put(struct db *db, struct span coder, const struct db_screen_read *read,
                                        struct err *e);
/* Another answer about a post that was read: how it came to be read, and when, stays as it was. */
enum status MUST_USE db_screen_read_change(struct db *db, struct span coder, int64_t post_id,
                                           enum db_screen_answer answer, struct err *e);
/* What the coder has read, by screening or by hand, in that order: db_screen_reads begins the walk. */
void db_screen_reads(struct db *db, struct span coder);
bool db_screen_read_next(struct db *db, struct db_screen_read *read, enum status *status, struct err *e);

/* How posts came to be read, by any coder. */
struct db_screen_strata {
    int64_t n_posts, n_ranked;
    int64_t n_keyword; /* by keyword in screening, or as candidates without screening; and not by ranking */
    int64_t n_picked;  /* by ranking or keyword in screening */
};

/* Of posts with problems. */
enum status MUST_USE db_screen_problems(struct db *db, struct db_screen_strata *out, struct err *e);
/* Of posts that several coders read, merged ones not counted. */
enum status MUST_USE db_screen_shared(struct db *db, struct db_screen_strata *out, struct err *e);
/* Posts that were read at random alone, by each coder who read them; ascending. */
enum status MUST_USE db_screen_random(struct db *db, struct queue_list *out, struct err *e);
/* Posts whose problems have a code of the facet: code by code, each post once. */
enum status MUST_USE db_screen_code_each(struct db *db, struct span facet,
                                         void (*each)(void *ctx, struct span code, int64_t post_id), void *ctx,
                                         struct err *e);
