/* said: what one coder said about a post, to read: labels and notes. Never what another person says; what models say
 * only where said_shows_models allows it. An act of a coder who was shown it has `assisted` set. */
#pragma once

#include "label/coding/act.h"

/* Appends "105: problem yes; symptom slow execution time; memory leak": a line for post and each problem, indented. */
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

/* May the coder who said `said` of a post, and looks at `subject`, see what models say of it? Always, where the study
 * shows it as suggestions; else once the post is coded: judged no, or all problems and `subject` are complete. */
bool said_shows_models(const struct stored_codebook *book, bool suggests, const struct act_said *said,
                       struct span subject);
/* Appends what each model says of the post, under its name; nothing where none coded it. */
enum status MUST_USE said_by_models(struct db *db, const struct stored_codebook *book, int64_t post_id, struct buf *out,
                                    struct err *e);
