/*
 * ranked: the ranking of a screening: which row is next by the answers so far. Of screening only.
 *
 * Below 50,000 rows each model scores all. For more rows that would take too long between two answers: a thread scores
 * all of them now and then and keeps a short list of the best ones, and each model scores this list alone. The list in
 * use is always the last but one that the answers call for, so the next row depends on the answers and the seed, never
 * on how fast a thread is.
 */
#pragma once

#include "screen/screen.h"

struct ranked;

/* Copies the question without its judged rows; borrows what it points to until ranked_free, which accepts NULL. */
struct ranked *ranked_new(const struct screen_question *question);
void ranked_free(struct ranked *r);
/* From now on only rows of the mask are wanted; it is copied. */
void ranked_limit(struct ranked *r, const bool *wanted);
/* An answer; no row twice. */
void ranked_judge(struct ranked *r, struct screen_judged judged);
/* Takes all answers back. */
void ranked_forget(struct ranked *r);
/* The question with all answers, until the next one. */
struct screen_question ranked_question(const struct ranked *r);

struct ranked_row {
    size_t row;
    float score;
    size_t n_learned; /* answers that the model learned from: the first so many */
};

/* The best row that is open; false: none is. */
bool ranked_next(struct ranked *r, const bool *open, struct ranked_row *out);
