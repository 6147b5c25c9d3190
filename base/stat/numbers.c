/* numbers: summaries and agreement of numbers, and the distributions that their intervals need. */
#include "base/stat/numbers.h"

#include "base/random.h"

#include <math.h>

/* --- distributions --- */

enum { FRACTION_STEPS = 10000, HALVINGS = 200 };

static double log_gamma(double x)
{
    int sign; /* lgamma() writes a global one */

    return lgamma_r(x, &sign);
}

/* One step of Lentz's method: the fraction so far, and its numerator and denominator ratios. */
struct lentz {
    double value, c, d;
};

static double lentz_step(struct lentz *l, double coefficient)
{
    static const double tiny = 1e-300;

    l->d = 1 + coefficient * l->d;
    l->d = 1 / (fabs(l->d) < tiny ? tiny : l->d);
    l->c = 1 + coefficient / l->c;
    l->c = fabs(l->c) < tiny ? tiny : l->c;
    l->value *= l->c * l->d;
    return fabs(l->c * l->d - 1);
}

/* Converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    struct lentz l = {1, 1, 0};
    double change = 1;

    l.d = 1 / (1 - (a + b) * x / (a + 1));
    l.value = l.d;
    for (int m = 1; m < FRACTION_STEPS && change > 1e-16; m++) {
        lentz_step(&l, m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
        change = lentz_step(&l, -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    }
    return l.value;
}

/* Regularised incomplete beta function I_x(a, b), a and b above 0, 0 <= x <= 1 (else NAN), to about 1e-12:
 * continued fraction (Lentz's method; Press et al., Numerical Recipes, 3rd ed. 2007, 6.4). */
static double beta_regularized(double a, double b, double x)
{
    if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
        return NAN;
    if (x == 0 || x == 1)
        return x;
    double factor = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return factor * beta_fraction(a, b, x) / a;
    return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

/* The x for which I_x(a, b) is p. */
static double beta_quantile(double a, double b, double p)
{
    double low = 0, high = 1;

    for (int i = 0; i < HALVINGS && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (beta_regularized(a, b, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

static bool is_wanted(double p, double df)
{
    return p > 0 && p < 1 && df > 0;
}

/* Quantiles of Student's t and of the F distribution, 0 < p < 1 and degrees of freedom above 0 (else
 * NAN), to about 1e-9 relative: by bisection. Degrees of freedom need not be whole. */
static double student_quantile(double p, double df)
{
    if (!is_wanted(p, df))
        return NAN;
    if (p == 0.5)
        return 0;
    /* P(|T| > t) is I_x(df / 2, 1 / 2) with x = df / (df + t^2). */
    double x = beta_quantile(df / 2, 0.5, 2 * (p < 0.5 ? p : 1 - p));
    double t = sqrt(df * (1 - x) / x);
    return p < 0.5 ? -t : t;
}

static double f_quantile(double p, double df1, double df2)
{
    if (!is_wanted(p, df1) || !is_wanted(p, df2))
        return NAN;
    /* From the side where x is small, so that 1 - x loses nothing. */
    double y = beta_quantile(df2 / 2, df1 / 2, 1 - p);
    if (y < 0.5)
        return df2 * (1 - y) / (df1 * y);
    double x = beta_quantile(df1 / 2, df2 / 2, p);
    return df2 * x / (df1 * (1 - x));
}

/* --- a summary --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, by_value);
}

/* The quantile of p (0..1) of n > 0 sorted values: type 7 of Hyndman and Fan, Am. Stat. 50, 1996. */
static double quantile_of(const double *sorted, size_t n, double p)
{
    double place = (double)(n - 1) * p;
    size_t below = (size_t)place;

    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - (double)below);
}

static double mean_of(const double *values, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++) /* never larger than the values: no overflow */
        mean += (values[i] - mean) / (double)(i + 1);
    return mean;
}

void numbers_summarize(const double *values, size_t n, double confidence, struct numbers_summary *out)
{
    AT_END(mem_end) double *sorted = mem_zero(n + 1, sizeof *sorted);
    double squares = 0;

    *out = (struct numbers_summary){n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < n; i++)
        sorted[i] = values[i];
    if (n > 0) {
        sort(sorted, n);
        out->low = sorted[0];
        out->high = sorted[n - 1];
        out->median = quantile_of(sorted, n, 0.5);
        out->quartile1 = quantile_of(sorted, n, 0.25);
        out->quartile3 = quantile_of(sorted, n, 0.75);
        out->mean = mean_of(sorted, n);
    }
    for (size_t i = 0; i < n; i++)
        squares += (sorted[i] - out->mean) * (sorted[i] - out->mean);
    if (n > 1) {
        out->deviation = sqrt(squares / (double)(n - 1));
        double reach = student_quantile((1 + confidence) / 2, (double)(n - 1)) * out->deviation / sqrt((double)n);
        out->mean_low = out->mean - reach;
        out->mean_high = out->mean + reach;
    }
}

/* --- ICC(2,1) --- */

/* Mean squares of items, coders and what is left. */
struct squares {
    double n, k, items, coders, rest;
};

static void squares_of(const double *rows, size_t n, size_t k, struct squares *s)
{
    double mean = mean_of(rows, n * k), total = 0, items = 0, coders = 0;

    for (size_t i = 0; i < n * k; i++)
        total += (rows[i] - mean) * (rows[i] - mean);
    for (size_t i = 0; i < n; i++) {
        double apart = mean_of(rows + i * k, k) - mean;
        items += (double)k * apart * apart;
    }
    for (size_t c = 0; c < k; c++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += rows[i * k + c] - mean;
        coders += sum * sum / (double)n;
    }
    double rest = total - items - coders;
    *s = (struct squares){(double)n, (double)k, items / (double)(n - 1), coders / (double)(k - 1),
                          (rest > 0 ? rest : 0) / (double)((n - 1) * (k - 1))};
}

static void icc_interval(const struct squares *s, double confidence, struct icc *out)
{
    double n = s->n, k = s->k, icc = out->icc, f = s->coders / s->rest;
    double a = k * icc * f, b = n * (1 + (k - 1) * icc) - k * icc;
    double df = (k - 1) * (n - 1) * (a + b) * (a + b) / ((n - 1) * a * a + b * b);
    double upper = f_quantile((1 + confidence) / 2, n - 1, df);
    double lower = f_quantile((1 + confidence) / 2, df, n - 1);
    double both = k * s->coders + (k * n - k - n) * s->rest;

    out->low = n * (s->items - upper * s->rest) / (upper * both + n * s->items);
    out->high = n * (lower * s->items - s->rest) / (both + n * lower * s->items);
}

void icc_single(const double *values, size_t n_items, size_t n_coders, double confidence, struct icc *out)
{
    AT_END(mem_end) double *rows = mem_zero(n_items * n_coders + 1, sizeof *rows);
    size_t n = 0, k = n_coders;
    bool same = true;
    struct squares s;

    *out = (struct icc){.icc = NAN, .low = NAN, .high = NAN};
    for (size_t i = 0; i < n_items; i++) {
        bool complete = true;
        for (size_t c = 0; c < k; c++)
            complete &= !isnan(values[i * k + c]);
        if (complete)
            memcpy(rows + k * n++, values + i * k, k * sizeof *rows);
    }
    for (size_t i = 1; i < n * k; i++)
        same &= rows[i] == rows[0];
    out->n_items = n;
    out->reason = k < 2   ? AGREEMENT_TOO_FEW_CODERS
                  : n < 2 ? AGREEMENT_FEW_COMPLETE
                  : same  ? AGREEMENT_ONE_CODE_ONLY
                          : AGREEMENT_OK;
    if (out->reason == AGREEMENT_OK) {
        squares_of(rows, n, k, &s);
        out->icc = (s.items - s.rest) / (s.items + (s.k - 1) * s.rest + s.k * (s.coders - s.rest) / s.n);
        if (s.rest > 0)
            icc_interval(&s, confidence, out);
    }
}

/* --- medians, slopes, and ratios of medians with their intervals --- */

enum { BOOTSTRAP_TIMES = 10000, SLOPE_VALUES_MAX = 1000 };

/* Sorts the values. */
static double median_in_place(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    sort(values, n);
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
