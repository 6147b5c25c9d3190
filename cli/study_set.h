/*
 * study_set: the keyword set a command works with, and the study it came from. Of cli only.
 */
#ifndef CLI_STUDY_SET_H
#define CLI_STUDY_SET_H

#include "db/db.h"
#include "match/match.h"
#include "study/study.h"

/* Reads the study that a database holds. *out needs study_clear in either case. */
enum status MUST_USE study_of_db(struct study *out, struct db *db, struct err *e);

/* The same without its labels, which are most of it: what is needed to look at a post. */
enum status MUST_USE study_of_db_unlabelled(struct study *out, struct db *db, struct err *e);

/* The study's keywords, or those of a file (keywords_path not NULL). With *content set, it gets
 * what was read; the caller clears it. */
enum status MUST_USE study_set(struct match_set **out, const struct study *study,
                               const char *keywords_path, enum match_options options,
                               struct buf *content, struct err *e);

#endif
