/* stopping: may one stop reading, and how much was found at least. */
#include "base/stat/stat.h"
#include "screen/screen.h"

#include <math.h>

/* --- the test of all past moments --- */

/*
 * Let `total` be how many relevant texts there are. Of the texts that were not read when the first i had been, total -
 * found(i) are relevant, and what was read since is taken for a sample of them. So P(X <= found since) is the p value
 * of `total` or more, at that moment.
 *
 * Of the moments between two finds the first has the smallest p: one more irrelevant text in the sample is more
 * evidence against many that are left. So only the very first moment and those after a find are looked at. The search
 * ends once p is below `enough`: no caller needs its exact value then.
 */
static double p_of_total(const struct screen_reads *r, uint64_t total, double odds, double enough)
{
    double least = 1;
    size_t found = 0;

    for (size_t i = 0; i <= r->n && least > 0 && least >= enough; i++) {
        bool find = i > 0 && r->relevant[i - 1];
        found += find;
        if (i > 0 && !find)
            continue;
        double p = hypergeometric_odds_at_most(r->n_texts - i, total - found, r->n - i, r->n_found - found, odds);
        least = p < least ? p : least;
    }
    return least;
}

#define ODDS_CONFIDENCE 0.95
#define ODDS_MAX 2.0
#define UNSHOWN_FACTOR 3 /* on p, when an order may be no better than chance */

/* The odds of a relevant text to have been read, over those of another: as the rule says, or else as the reading
 * itself shows. The part of the reading that followed half of the finds is cut in two halves; the ratio of the finds
 * in the first and in the second one, at its lower 95 % bound (binomial_least), shows the odds. Its cube root is
 * taken, and 2 at most: simulations (bench/screen/README.md) say that this keeps the promise in any order. 1 when
 * nothing is shown. */
static double odds_of_reading(const struct screen_reads *r, const struct screen_rule *rule)
{
    size_t half = (r->n_found + 1) / 2, found = 0, start = 0, finds[2] = {0};

    if (rule->odds > 0)
        return rule->odds;
    while (start < r->n && found < half)
        found += r->relevant[start++];
    for (size_t i = start; i < r->n; i++)
        finds[i >= start + (r->n - start) / 2] += r->relevant[i];
    double share = binomial_least(finds[0], finds[0] + finds[1], ODDS_CONFIDENCE);
    if (share <= 0.5)
        return 1;
    double odds = cbrt(share / (1 - share));
    return odds < ODDS_MAX ? odds : ODDS_MAX;
}

static double p_by_rule(const struct screen_reads *r, const struct screen_rule *rule, double odds, uint64_t total,
                        double enough)
{
    double factor = rule->odds <= 0 && odds <= 1 ? UNSHOWN_FACTOR : 1;

    if (total - r->n_found > r->n_texts - r->n)
        return 0; /* there are not so many texts left */
    double p = factor * p_of_total(r, total, odds, enough / factor);
    return p < 1 ? p : 1;
}

/* The fewest relevant texts with which `found` are less than the share `recall` of them. */
static uint64_t fewest_missed(size_t found, double recall)
{
    return (uint64_t)floor((double)found / recall + 1e-9) + 1;
}

double screen_stop_p(const struct screen_reads *r, const struct screen_rule *rule)
{
    return p_by_rule(r, rule, odds_of_reading(r, rule), fewest_missed(r->n_found, rule->recall), 0);
}

double screen_recall_least(const struct screen_reads *r, const struct screen_rule *rule)
{
    uint64_t low = r->n_found, high = r->n_found + (r->n_texts - r->n);
    double odds = odds_of_reading(r, rule), refused = 1 - rule->confidence;

    /* The largest total that is not refused; more is less probable. */
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (p_by_rule(r, rule, odds, middle, refused) >= refused)
            low = middle;
        else
            high = middle - 1;
    }
    return low > 0 ? (double)r->n_found / (double)low : 0;
}

static bool may_stop(const struct screen_reads *r, size_t n, size_t found, const struct screen_rule *rule)
{
    struct screen_reads then = *r;

    then.n = n;
    then.n_found = found;
    return screen_stop_p(&then, rule) < 1 - rule->confidence;
}

/* From find to find, p falls with each text, and the odds that are shown rise. */
size_t screen_stop_at(const struct screen_reads *r, const struct screen_rule *rule)
{
    size_t found = 0;

    for (size_t start = 0, end; start < r->n; start = end) {
        found += r->relevant[start];
        for (end = start + 1; end < r->n && !r->relevant[end]; end++)
            continue;
        if (!may_stop(r, end, found, rule))
            continue;
        size_t low = start + 1, high = end;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (may_stop(r, middle, found, rule))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    return 0;
}

/* --- random reading --- */

#define FIRST_ATTEMPT_SHARE 0.75

/* The fewest draws without a find that refuse `marked` or more relevant ones among `left`. */
static size_t draws_needed(size_t left, uint64_t marked, double error)
{
    size_t low = 0, high = left;

    if (marked > left)
        return 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hypergeometric_at_most(left, marked, middle, 0) < error)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t screen_random_needed(const struct screen_reads *r, const bool *draws, size_t n_draws,
                            const struct screen_rule *rule)
{
    double error = (1 - rule->confidence) * FIRST_ATTEMPT_SHARE, recall = rule->recall;
    size_t read = r->n, found = r->n_found, since = 0;
    size_t needed = draws_needed(r->n_texts - read, fewest_missed(found, recall) - found, error);

    for (size_t i = 0; i < n_draws && since < needed; i++) {
        since++;
        if (!draws[i])
            continue;
        read += since;
        found++;
        since = 0;
        error *= 1 - FIRST_ATTEMPT_SHARE;
        needed = draws_needed(r->n_texts - read, fewest_missed(found, recall) - found, error);
    }
    return needed - since;
}

/* --- a guess at how many relevant texts there are, from the scores of those that were not read --- */

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
