/*
 * said: what one coder said about a post, to read: labels and notes. Never what another coder says.
 */
#pragma once

#include "label/coding/act.h"

/* "105: problem yes; symptom slow execution time; memory leak"; a line for the post and each problem,
 * appended with `indent` before each. */
void said_add_text(struct buf *out, const struct stored_codebook *book, const struct act_said *said, int64_t post_id,
                   const char *indent);
/* The labels of one problem: "symptom slow execution time; root cause others". */
void said_add_problem(struct buf *out, const struct stored_codebook *book, const struct act_problem *problem);

/* Appends the sections "Your labels" and "Your notes", each if there are any. */
enum status MUST_USE said_text(struct db *db, const struct stored_codebook *book, struct span coder, int64_t post_id,
                               struct buf *out, struct err *e);
/* "is_problem":…,"problems":[…],"notes":[…] */
enum status MUST_USE said_json(struct db *db, const struct stored_codebook *book, struct span coder, int64_t post_id,
                               struct buf *out, struct err *e);
