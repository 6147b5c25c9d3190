/* learner: linear models of judged rows. For screen only. */
#pragma once

#include "screen/matrix.h"

/* What two models say of a feature, in one place of memory; idf is in it already. */
struct weight {
    float machine, bayes;
};

/* A row's value by a model is bias + scale(row) x the sum of weight(feature) level(entry). */
struct linear {
    struct weight *weights; /* of all features; zero when models are made */
    double bias;            /* of the machine */
};

size_t count_relevant(const struct screen_question *q); /* among the judged rows */

/* For rows of both classes. The primal solver of liblinear, unlike the dual ones, draws no random numbers: the same
 * rows give the same model. */
void learn_svm(const struct screen_question *q, struct linear *out);
/* The same with naive Bayes: log ratios of the classes' sums. */
void learn_bayes(const struct screen_question *q, struct linear *out);
/* Of rows of one class, in the place of the machine: mean of them less mean of all rows, or the reverse. */
void learn_class(const struct screen_question *q, bool relevant, struct linear *out);

/* Rows in the order in which their values are. */
struct part {
    const uint32_t *rows; /* NULL: rows 0 to n - 1 */
    size_t n;
    const atomic_bool *dropped; /* as in struct screen_question */
};

/* Values of each row by the machine and by naive Bayes (NULL: not wanted) in one walk, as memory is what takes the
 * time. Many rows are shared out to a thread for each processor, but for one that is left to others. */
void linear_values(const struct screen_matrix *m, const struct linear *models, const struct part *part, float *machine,
                   float *bayes);
