/*
 * learner: linear models of judged rows. Of screen only.
 */
#ifndef SCREEN_LEARNER_H
#define SCREEN_LEARNER_H

#include "screen/matrix.h"

/* A row's value is bias + scale(row) x the sum of weights[feature] level(entry): idf is in the
 * weights already. */
struct linear {
    float *weights; /* of all features; zero when the model is made */
    double bias;
};

/* Of rows of both classes. The primal solver of liblinear draws no random numbers, other than the
 * dual ones: the same rows give the same model. */
void learn_svm(const struct screen_question *q, struct linear *out);
/* The same with naive Bayes: log ratios of the classes' sums. */
void learn_bayes(const struct screen_question *q, struct linear *out);
/* Of rows of one class: mean of them less mean of all rows, or the reverse. */
void learn_class(const struct screen_question *q, bool relevant, struct linear *out);

/* One value for each row and of two models in one walk, as memory is what takes the time. */
void linear_values(const struct screen_matrix *m, const struct linear *a, const struct linear *b,
                   float *values_a, float *values_b);

#endif
