/* mine: candidates: which posts contain keywords, of a database or of a stream. Joins match with db and fetch; may
 * include base, post, study, stem, match, fetch, label, screen and db. */
#pragma once

#include "db/db.h"
#include "match/match.h"
#include "base/post/post.h"
#include "base/post/relations.h"
#include "base/study/study.h"

/* The study's keywords, or a file's (keywords_path not NULL). *content gets what was read; the caller clears it. */
enum status MUST_USE mine_set(struct match_set **out, const struct study *study, const char *keywords_path,
                              enum match_options options, struct buf *content, struct err *e);

struct mine_how {
    const char *keywords_path; /* NULL: the study's */
    enum match_options match;
    enum text_options text;
    unsigned threads; /* that match; 0: one for each processor */
};

struct mine_counts {
    int64_t posts, hits, candidates, facts;
    int64_t other_hits; /* hits in posts that are not candidates whatever is found, such as answers */
    size_t n_given_up;  /* searches for facts that took too many steps */
};

/* Fills everything derived (texts, hits, candidates, facts, full-text index) of the database again, in one transaction.
 * Stops at a signal, with 128 + its number, and leaves what there was. */
enum status MUST_USE mine_database(struct db *db, const struct mine_how *how, struct mine_counts *counts,
                                   struct err *e);

/* Candidates, the judged ones of them, and the problems of those: by the merged coder, else by any coder. */
struct mine_trial_count {
    size_t candidates, judged, problems;
};

struct mine_trial_keyword {
    struct span keyword;
    struct mine_trial_count before, after, gained, lost; /* candidates that have it */
};

struct mine_trial_post {
    int64_t post_id;
    struct span keywords;
    bool gained; /* else lost */
    bool judged, is_problem;
};

/* What another keyword set would do to the candidates of the last match. */
struct mine_trial {
    struct mine_trial_count before, after, both, gained, lost;
    struct ARRAY_OF(struct mine_trial_keyword) keywords; /* of the last match, then the other set's */
    struct ARRAY_OF(struct mine_trial_post) posts;       /* that would be gained or lost, by id */
    struct arena arena;
};

/* Compares, and writes nothing. *out needs mine_trial_clear in either case. */
enum status MUST_USE mine_try(struct db *db, const struct mine_how *how, struct mine_trial *out, struct err *e);
void mine_trial_clear(struct mine_trial *trial);
struct table_output;
/* Prints what the set would change; `limit` posts at most (0: all). */
void mine_trial_print(const struct mine_trial *trial, size_t limit, const struct table_output *out);
/* Says what replacing the candidates did to posts that are judged. */
void mine_trial_say(const struct mine_trial *trial);

/* What is counted for numbers that need the posts of all pieces, instead of hits. */
enum mine_part { MINE_PART_NONE, MINE_PART_NGRAMS, MINE_PART_SHINGLES, MINE_PART_FEATURES };

/* How screening counts features; handed in, because screen/ comes after this room. A counter is one thread's. */
struct mine_counter {
    enum status (*begin)(void **out, const struct study *study, struct err *e);
    void (*end)(void *counter);
    void (*add)(void *counter, const struct post *post);
    size_t (*size)(const void *counter);           /* entries in memory, which ... */
    void (*write)(void *counter, struct buf *out); /* ... this appends as lines, and forgets */
};

struct mine_stream_how {
    struct mine_how mine;
    enum mine_part part;
    const struct mine_counter *features;     /* for MINE_PART_FEATURES */
    const char *problems_path, *others_path; /* of n-grams: as in struct mine_derive_how */
    bool strict;                             /* a post that cannot be used is an error */
    bool whole_posts;                        /* print posts as docs/posts.md has them, with their hits */
    struct span site;                        /* of posts that do not say theirs; ptr NULL: they go without */
    const char *threads_path;                /* a file of questions: print these and their answers, with or without
                               * hits, and no others; NULL: posts with a hit */
    bool is_piece;                           /* standard input is a piece of a file, ... */
    uint64_t offset;                         /* ... which begins there, for messages ... */
    uint64_t length;                         /* ... and ends after so many bytes; UINT64_MAX: with the input */
    const char *counts_path;                 /* NULL, or a file for a line of JSON: what was read and found */
};

/* Reads dump rows or NDJSON posts from standard input and writes a line for each post with a hit to `out`. */
enum status MUST_USE mine_stream(const struct study *study, const struct mine_stream_how *how, FILE *out,
                                 struct err *e);

/* Two lists of posts whose n-grams are compared. */
struct table_list;
struct mine_derive_how {
    struct table_list *report; /* gets what became of the posts of each list */
    const char *problems;      /* a file with an id at the start of each line */
    const char *others;        /* NULL: every other question */
    const char *encoding;      /* of the lists; NULL: UTF-8, or what a byte order mark says */
    const char *outside; /* NULL, or a list of judged questions, drawn at random from those that are not candidates:
                           * the problems among them, which the keywords miss, are compared with the rest of it.
                           * They are in `problems`, or in the list's own column for the study's judgement, such as is_problem */
};

/* What such a list says of the keywords of the last match. */
struct mine_missed {
    uint64_t found;   /* candidates that are problems */
    uint64_t without; /* questions that are not candidates, */
    uint64_t drawn;   /* of these those that are listed, */
    uint64_t missed;  /* and of these those that are problems */
};

/* Counts the n-grams of both lists; *out is freed with derivation_free. *missed is filled where how->outside is
 * given. ST_INPUT also when a listed post is a candidate or no question, or a question was not matched. */
enum status MUST_USE mine_derive(struct db *db, const struct mine_derive_how *how, struct derivation **out,
                                 struct mine_missed *missed, struct err *e);

/* The same out of a file of lines that mine_stream wrote of parts (MINE_PART_NGRAMS). */
enum status MUST_USE mine_derive_counts(const char *path, struct derivation **out, struct err *e);

/* --- posts that say nearly the same --- */

struct mine_similar_how {
    bool candidates; /* compare these, else all questions */
    double least;    /* similarity of the pairs that are listed, 0.6 to 1; of those with 0.6 about 1 % are
                      * missed, with 0.7 and more none in practice */
};

struct mine_similar_pair {
    int64_t post_id, other_id; /* the smaller id first */
    double similarity;         /* the share of shingles of three stems that both have: 0 to 1 */
};

/* The most similar pairs first. Posts with the same words are each paired with the first of them; other pairs list only
 * the first. */
struct mine_similar {
    struct ARRAY_OF(struct mine_similar_pair) pairs;
    size_t n_posts;   /* that were compared */
    size_t n_crowded; /* posts, band by band, that were not compared because too many are alike */
};

/* *out needs mine_similar_clear in either case. */
enum status MUST_USE mine_similar(struct db *db, const struct mine_similar_how *how, struct mine_similar *out,
                                  struct err *e);
void mine_similar_clear(struct mine_similar *similar);

/* --- candidates that say nearly the same, or link to each other --- */

enum { MINE_RELATED_POSTS_MAX = 50000 }; /* candidates; of more than these none are related */

/* Anyone who codes one may want to see the other. Reads all candidates: 10,000 take about a second. *out needs
 * post_relations_clear in any case. */
enum status MUST_USE mine_related_read(struct post_relations *out, struct db *db, struct err *e);
