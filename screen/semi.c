/* semi: a guess at how many relevant texts there are, from the scores of those that were not read. */
#include "screen/screen.h"

#include <math.h>

enum { ROUNDS_MAX = 100, NEWTON_STEPS = 50 };

struct scored_row {
    float score;
    uint32_t row;
};

static int compare_scores(const void *a, const void *b)
{
    const struct scored_row *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* P(relevant) = 1 / (1 + exp(-(slope score + level))) */
struct curve {
    double slope, level;
};

static double at_score(const struct curve *c, float score)
{
    return 1 / (1 + exp(-(c->slope * (double)score + c->level)));
}

/* The least of slope² / 2 + cost times the logistic loss, by Newton's method from a flat curve. */
static struct curve fit(const struct scored_row *rows, const bool *relevant, size_t n, double cost)
{
    struct curve c = {0, 0};

    for (int step = 0; step < NEWTON_STEPS; step++) {
        double g1 = c.slope, g0 = 0, h11 = 1, h10 = 0, h00 = 1e-12;
        for (size_t i = 0; i < n; i++) {
            double x = (double)rows[i].score, p = at_score(&c, rows[i].score);
            double wrong = cost * (p - relevant[rows[i].row]), weight = cost * p * (1 - p);
            g1 += wrong * x;
            g0 += wrong;
            h11 += weight * x * x;
            h10 += weight * x;
            h00 += weight;
        }
        double det = h11 * h00 - h10 * h10;
        double slope = (h00 * g1 - h10 * g0) / det, level = (h11 * g0 - h10 * g1) / det;
        if (!isfinite(slope) || !isfinite(level))
            break;
        c.slope -= slope;
        c.level -= level;
        if (fabs(slope) + fabs(level) < 1e-9)
            break;
    }
    return c;
}

/* Down the order of scores, the first row of each whole one that the probabilities add up to. */
static size_t guess_relevant(const struct scored_row *rows, const bool *is_judged, size_t n, const struct curve *c,
                             bool *relevant)
{
    double sum = 0;
    size_t first = SIZE_MAX, n_relevant = 0;

    for (size_t i = 0; i < n; i++) {
        if (is_judged[rows[i].row])
            continue;
        relevant[rows[i].row] = false;
        sum += at_score(c, rows[i].score);
        first = first == SIZE_MAX ? rows[i].row : first;
        if (sum < 1)
            continue;
        relevant[first] = true;
        n_relevant++;
        sum--;
        first = SIZE_MAX;
    }
    return n_relevant;
}

size_t screen_semi(const float *scores, size_t n_rows, const struct screen_judged *judged, size_t n_judged)
{
    AT_END(mem_end) struct scored_row *rows = mem_zero(n_rows + 1, sizeof *rows);
    AT_END(mem_end) bool *relevant = mem_zero(n_rows + 1, sizeof *relevant);
    AT_END(mem_end) bool *is_judged = mem_zero(n_rows + 1, sizeof *is_judged);
    size_t n_found = 0, guessed = 0, before = SIZE_MAX;

    for (size_t i = 0; i < n_judged; i++) {
        relevant[judged[i].row] = judged[i].relevant;
        is_judged[judged[i].row] = true;
        n_found += judged[i].relevant;
    }
    for (size_t i = 0; i < n_rows; i++)
        rows[i] = (struct scored_row){scores[i], (uint32_t)i};
    qsort(rows, n_rows, sizeof *rows, compare_scores);
    bool both = n_found > 0 && n_found < n_judged;
    for (int round = 0; both && round < ROUNDS_MAX && guessed != before; round++) {
        before = guessed;
        double cost = (double)(n_found + guessed) / (double)(n_judged - n_found);
        struct curve c = fit(rows, relevant, n_rows, cost);
        guessed = guess_relevant(rows, is_judged, n_rows, &c, relevant);
    }
    return both ? n_found + guessed : SIZE_MAX;
}
