/*
 * study_set: the keyword set a command works with.
 */
#ifndef MINE_STUDY_SET_H
#define MINE_STUDY_SET_H

#include "match/match.h"
#include "study/study.h"

/* The study's keywords, or those of a file (keywords_path not NULL). With *content set, it gets
 * what was read; the caller clears it. */
enum status MUST_USE study_set(struct match_set **out, const struct study *study,
                               const char *keywords_path, enum match_options options,
                               struct buf *content, struct err *e);

#endif
