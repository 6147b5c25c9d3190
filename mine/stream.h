/*
 * match_stream: match without a database, posts in, hits out.
 */
#ifndef MINE_STREAM_H
#define MINE_STREAM_H

#include "match/match.h"
#include "study/study.h"

struct match_stream_options {
    const struct match_set *set;
    const struct study *study;
    enum text_options text;
    unsigned threads; /* 0: one for each processor */
    bool strict;      /* a post that cannot be used is an error */
};

/* Reads dump rows or NDJSON posts from standard input and writes a line for each post with a hit to
 * standard output. */
enum status MUST_USE match_stream(const struct match_stream_options *options, struct err *e);

#endif
