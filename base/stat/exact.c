/* exact: probabilities and intervals of counts, without approximation. */
#define _DEFAULT_SOURCE /* lgamma_r */
#include "base/stat/exact.h"

#include <math.h>

/* lgamma() writes a global sign. */
static double log_factorial(double n)
{
    int sign;

    return lgamma_r(n + 1, &sign);
}

static double log_choose(double n, double k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/* P(X = k) + P(X = k - 1) + … + P(X = low), each from the one before: p(k-1)/p(k) is
 * k (N-K-n+k) / ((K-k+1) (n-k+1)). */
static double sum_down(double N, double K, double n, double k, double low)
{
    double term = exp(log_choose(K, k) + log_choose(N - K, n - k) - log_choose(N, n)), sum = 0;

    while (k >= low && term > sum * 1e-17) {
        sum += term;
        term *= k * (N - K - n + k) / ((K - k + 1) * (n - k + 1));
        k -= 1;
    }
    return sum;
}

double hypergeometric_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k)
{
    double N = (double)population, K = (double)marked, n = (double)drawn;

    if (marked > population || drawn > population)
        return NAN;
    uint64_t high = marked < drawn ? marked : drawn;
    uint64_t low = drawn > population - marked ? drawn - (population - marked) : 0;
    if (k >= high)
        return 1;
    if (k < low)
        return 0;
    double sum = (double)k * N <= n * K ? sum_down(N, K, n, (double)k, (double)low)
                                        /* X of them are marked when n - X are not: the other tail, downwards too */
                                        : 1 - sum_down(N, N - K, n, n - (double)k - 1, n - (double)high);
    return sum < 0 ? 0 : sum > 1 ? 1 : sum;
}

/* Terms relative to that of X = k, downwards and upwards, each from the one before. */
double hypergeometric_odds_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k, double odds)
{
    double N = (double)population, K = (double)marked, n = (double)drawn;
    double high = K < n ? K : n, low = n > N - K ? n - (N - K) : 0, at = (double)k;
    double below = 0, above = 0, term = 1;

    if (marked > population || drawn > population || !(odds > 0))
        return NAN;
    if (at >= high)
        return 1;
    if (at < low)
        return 0;
    double x = at;
    while (x >= low && term > below * 1e-17) {
        below += term;
        if (below > 1e300)
            return 1;
        term *= x * (N - K - n + x) / ((K - x + 1) * (n - x + 1) * odds);
        x -= 1;
    }
    x = at;
    term = 1;
    while (x < high && term > above * 1e-17) {
        term *= (K - x) * (n - x) * odds / ((x + 1) * (N - K - n + x + 1));
        above += term;
        if (above > 1e300)
            return 0;
        x += 1;
    }
    return below / (below + above);
}

/* P(X >= seen) of a share, from the largest term on. */
static double binomial_at_least(uint64_t seen, uint64_t n, double share)
{
    double sum = 0;

    for (uint64_t k = seen; k <= n; k++) {
        double term = exp(log_choose((double)n, (double)k) + (double)k * log(share) + (double)(n - k) * log1p(-share));
        sum += term;
        if (term < sum * 1e-17 && (double)k > share * (double)n)
            break;
    }
    return sum;
}

double binomial_least(uint64_t seen, uint64_t n, double confidence)
{
    double low = 0, high = 1;

    if (seen == 0 || seen > n)
        return seen > n ? NAN : 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (binomial_at_least(seen, n, middle) < 1 - confidence)
            low = middle;
        else
            high = middle;
    }
    return low;
}
