/*
 * mine: candidates: which posts contain keywords, of a database or of a stream. Joins match with db and
 * fetch; may include base, post, study, stem, match, fetch, label and db.
 */
#ifndef MINE_H
#define MINE_H

#include "db/db.h"
#include "match/match.h"
#include "study/study.h"

/* The study's keywords, or those of a file (keywords_path not NULL). With *content set, it gets
 * what was read; the caller clears it. */
enum status MUST_USE mine_set(struct match_set **out, const struct study *study,
                              const char *keywords_path, enum match_options options,
                              struct buf *content, struct err *e);

struct mine_how {
    const char *keywords_path; /* NULL: the study's */
    enum match_options match;
    enum text_options text;
};

struct mine_counts {
    int64_t posts, hits, candidates, facts;
    size_t n_given_up; /* searches for facts that took too many steps */
};

/*
 * Fills everything derived (texts, hits, candidates, facts, full-text index) of the database again, in
 * one transaction. Stops at a signal, with 128 + its number, and leaves what there was.
 */
enum status MUST_USE mine_database(struct db *db, const struct mine_how *how,
                                   struct mine_counts *counts, struct err *e);

struct mine_stream_how {
    struct mine_how mine;
    unsigned threads;         /* that match; 0: one for each processor */
    bool strict;              /* a post that cannot be used is an error */
    bool whole_posts;         /* print posts as docs/posts.md has them, with their hits */
    struct span site;         /* of posts that do not say theirs; ptr NULL: they go without */
    const char *threads_path; /* a file of questions: print these and their answers, with or without
                               * hits, and no others; NULL: posts with a hit */
    bool is_piece;            /* standard input is a piece of a file, ... */
    uint64_t offset;          /* ... which begins there, for messages ... */
    uint64_t length;          /* ... and ends after so many bytes; UINT64_MAX: with the input */
    const char *counts_path;  /* NULL, or a file for a line of JSON: what was read and found */
};

/* Reads dump rows or NDJSON posts from standard input and writes a line for each post with a hit to
 * `out`. */
enum status MUST_USE mine_stream(const struct study *study, const struct mine_stream_how *how,
                                 FILE *out, struct err *e);

/* Two lists of posts whose n-grams are compared. */
struct mine_derive_how {
    const char *problems; /* a file with an id at the start of each line */
    const char *others;   /* NULL: every other question */
};

/* Counts the n-grams of both lists; *out is freed with derivation_free. */
enum status MUST_USE mine_derive(struct db *db, const struct mine_derive_how *how,
                                 struct derivation **out, struct err *e);

#endif
