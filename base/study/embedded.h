/* The study compiled in: what scripts/embed-studies writes into build/studies.S; and study.ini. For study only. */
#pragma once

#include "base/study/study.h"

extern const struct study_file study_embedded_files[];
extern const size_t study_embedded_count;
/* Studies of others; "green-gpt/mapping.ini". */
extern const struct study_file study_library_files[];
extern const size_t study_library_count;

/* Fills *s from the `content` of study.ini, which outlives *s; `path` is for errors. Checks all that needs no other
 * file. */
enum status MUST_USE ini_read(struct study *s, struct span content, const char *path, struct err *e);
