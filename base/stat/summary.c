/* summary: medians, slopes, and ratios of medians with their intervals. */
#include "base/stat/summary.h"

#include "base/random.h"

#include <math.h>

enum { BOOTSTRAP_TIMES = 10000, SLOPE_VALUES_MAX = 1000 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void stat_sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, by_value);
}

double stat_quantile(const double *sorted, size_t n, double p)
{
    double place = (double)(n - 1) * p;
    size_t below = (size_t)place;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - (double)below);
}

/* Sorts the values. */
static double median_in_place(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    stat_sort(values, n);
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double stat_median(const double *values, size_t n)
{
    AT_END(mem_end) double *copy = mem_zero(n + 1, sizeof *copy);

    for (size_t i = 0; i < n; i++)
        copy[i] = values[i];
    return median_in_place(copy, n);
}

double stat_slope(const double *values, size_t n)
{
    size_t stride = n / SLOPE_VALUES_MAX + (n % SLOPE_VALUES_MAX != 0);
    size_t kept = n < 2 ? 0 : (n + stride - 1) / stride, n_slopes = 0;
    AT_END(mem_end) double *slopes = mem_zero(kept * kept / 2 + 1, sizeof *slopes);

    for (size_t i = 0; i + 1 < kept; i++)
        for (size_t j = i + 1; j < kept; j++)
            slopes[n_slopes++] = (values[j * stride] - values[i * stride]) / (double)((j - i) * stride);
    return median_in_place(slopes, n_slopes);
}

static double drawn_median(const double *values, size_t n, double *scratch, struct random *random)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = values[random_below(random, n)];
    return median_in_place(scratch, n);
}

struct stat_ratio stat_ratio(const double *over, size_t n_over, const double *under, size_t n_under, uint64_t seed)
{
    struct stat_ratio r = {NAN, NAN, NAN};
    struct random random;

    if (n_over == 0 || n_under == 0)
        return r;
    r.ratio = stat_median(over, n_over) / stat_median(under, n_under);
    random_seed(&random, seed);
    AT_END(mem_end) double *scratch = mem_zero(n_over > n_under ? n_over : n_under, sizeof *scratch);
    AT_END(mem_end) double *ratios = mem_zero(BOOTSTRAP_TIMES, sizeof *ratios);
    for (size_t i = 0; i < BOOTSTRAP_TIMES; i++) {
        double a = drawn_median(over, n_over, scratch, &random);
        ratios[i] = a / drawn_median(under, n_under, scratch, &random);
    }
    qsort(ratios, BOOTSTRAP_TIMES, sizeof *ratios, by_value);
    r.low = ratios[BOOTSTRAP_TIMES / 40 - 1];
    r.high = ratios[BOOTSTRAP_TIMES - BOOTSTRAP_TIMES / 40];
    return r;
}
