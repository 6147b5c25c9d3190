/* derived: what is computed from posts: text, keyword hits, candidates, facts, the full-text index. */
#pragma once

#include "db/db.h"
#include "db/text.h"

struct db_keyword {
    int64_t keyword_id; /* place in the set, from 1 */
    struct span keyword, stems;
    int64_t n_words;
    struct span dead, note; /* ptr NULL for none */
};

struct db_hit {
    int64_t post_id;
    const char *field; /* "title" or "body" */
    int64_t start, end;
    int64_t keyword_id;
};

/* What a candidate says about its setting: see the table post_fact. */
struct db_fact {
    int64_t post_id;
    struct span fact, value, words, field;
};

/* Drops everything derived; within the caller's transaction and outside the walks of the _each functions. */
enum status MUST_USE db_derived_clear(struct db *db, struct err *e);
enum status MUST_USE db_keyword_put(struct db *db, const struct db_keyword *keyword, struct err *e);
enum status MUST_USE db_text_put(struct db *db, int64_t post_id, struct span title, struct span body, struct err *e);
/* An empty full-text index, after db_derived_clear; then each post once: the stems of its fields, blanks between. */
enum status MUST_USE db_index_begin(struct db *db, struct err *e);
enum status MUST_USE db_index_put(struct db *db, int64_t post_id, struct span title, struct span body, struct err *e);
enum status MUST_USE db_hit_put(struct db *db, const struct db_hit *hit, struct err *e);
/* Fills candidate_post from the hits (questions; answers too when asked). */
enum status MUST_USE db_derived_finish(struct db *db, bool answers_too, struct err *e);

/* A fact and value that the post has already is not a second one. */
enum status MUST_USE db_fact_put(struct db *db, const struct db_fact *fact, struct err *e);

struct db_candidate {
    int64_t post_id;
    struct span title, url, created_at;
    int64_t n_hits;
    struct span keywords;
};

/* The candidates, most hits first, at most `limit` (< 0: all). */
enum status MUST_USE db_candidate_each(struct db *db, int64_t limit,
                                       void (*each)(void *ctx, const struct db_candidate *c), void *ctx, struct err *e);
enum status MUST_USE db_candidate_count(struct db *db, int64_t *n, struct err *e);
/* ST_INPUT while there are questions that no match has read: without them nothing is known of the questions
 * that are not candidates. */
enum status MUST_USE db_require_matched(struct db *db, struct err *e);

/* Each keyword of the last match with the posts and hits it has. */
enum status MUST_USE db_keyword_each(struct db *db,
                                     void (*each)(void *ctx, const struct db_keyword *k, int64_t candidates,
                                                  int64_t posts, int64_t hits),
                                     void *ctx, struct err *e);

/* Which posts are looked for; ptr NULL, or what is said: not asked. */
struct db_search {
    struct span coder;         /* whose judgements and labels these are */
    struct span words;         /* posts that have all of them, by stem */
    struct span tag, from, to; /* days */
    int64_t judged;            /* -1: not judged; 0: no problem; 1: a problem; POST_ABSENT: any */
    int64_t code_id;           /* given by the coder; 0: any */
    bool all;                  /* posts that are not candidates too */
    int64_t after, limit;      /* ids above this one, at most so many */
};

struct db_match {
    int64_t post_id;
    struct span title, created_at; /* ptr NULL: unknown */
    int64_t n_hits, judged;        /* POST_ABSENT: no candidate, not judged */
    struct span text;              /* title and body, as they were matched; ptr NULL: no words are looked for */
};

/* Calls back for each post by id. Needs db_use_text; ST_INPUT while there is no full-text index. */
enum status MUST_USE db_search_each(struct db *db, const struct db_search *search,
                                    void (*each)(void *ctx, const struct db_match *found), void *ctx, struct err *e);
/* How many these are, up to the search's limit. */
enum status MUST_USE db_search_count(struct db *db, const struct db_search *search, int64_t *n, struct err *e);
