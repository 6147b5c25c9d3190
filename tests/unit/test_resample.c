/* label: counts drawn by kind are those of items drawn one by one. Seeds are fixed, so what holds
 * here holds always; limits are those that a good sampler passes 9,999 times of 10,000. */
#include "base/stat/resample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static double binomial_pmf(double n, double p, double k)
{
    return exp(log_choose(n, k) + k * log(p) + (n - k) * log1p(-p));
}

/* Pearson's sum over cells, those with less than 5 expected taken together; as a normal deviate
 * (Wilson & Hilferty 1931). */
static double deviate(const uint64_t *seen, const double *expected, size_t n)
{
    double sum = 0, rest_seen = 0, rest = 0;
    size_t cells = 0;

    for (size_t i = 0; i < n; i++) {
        if (expected[i] < 5) {
            rest_seen += (double)seen[i];
            rest += expected[i];
            continue;
        }
        sum += ((double)seen[i] - expected[i]) * ((double)seen[i] - expected[i]) / expected[i];
        cells++;
    }
    if (rest >= 1) {
        sum += (rest_seen - rest) * (rest_seen - rest) / rest;
        cells++;
    }
    assert_true(cells > 1);
    double df = (double)(cells - 1), spread = 2 / (9 * df);
    return (cbrt(sum / df) - (1 - spread)) / sqrt(spread);
}

enum { SMALL_N = 14 };

/* All outcomes of 14 items of three kinds, two of them frequent and one rare, one without items. */
static void draws_the_multinomial(uint64_t items_max)
{
    enum { DRAWS = 400000, SIDE = SMALL_N + 1 };
    const uint64_t counts[] = {7, 0, 5, 2};
    uint64_t seen[SIDE * SIDE] = {0};
    double expected[SIDE * SIDE] = {0};
    struct resample s;
    struct random random;

    random_seed(&random, 7);
    resample_init(&s, counts, ARRAY_LEN(counts), items_max);
    for (int i = 0; i < DRAWS; i++) {
        resample_draw(&s, &random);
        assert_true(s.drawn[1] == 0 && s.drawn[0] + s.drawn[2] + s.drawn[3] == SMALL_N);
        seen[s.drawn[0] * SIDE + s.drawn[2]]++;
    }
    resample_clear(&s);
    for (int a = 0; a <= SMALL_N; a++)
        for (int b = 0; a + b <= SMALL_N; b++)
            expected[a * SIDE + b] = DRAWS * exp(log_choose(SMALL_N, a) + a * log(7.0 / 14) +
                                                 log_choose(SMALL_N - a, b) + b * log(5.0 / 14) +
                                                 (SMALL_N - a - b) * log(2.0 / 14));
    assert_true(fabs(deviate(seen, expected, SIDE * SIDE)) < 3.9);
}

static void draws_the_multinomial_by_tables(void **state)
{
    (void)state;
    draws_the_multinomial(0);
}

static void draws_the_multinomial_by_items(void **state)
{
    (void)state;
    draws_the_multinomial(SMALL_N);
}

/* One after the other, as random_below has them. */
static void draws_items_as_random_below(void **state)
{
    const uint64_t counts[] = {3, 30, 1, 0, 7};
    uint64_t n = 41, drawn[5] = {0};
    struct random random, again;
    struct resample s;

    (void)state;
    random_seed(&random, 99);
    random_seed(&again, 99);
    resample_init(&s, counts, ARRAY_LEN(counts), RESAMPLE_ITEMS_MAX);
    for (int i = 0; i < 50; i++) {
        memset(drawn, 0, sizeof drawn);
        for (uint64_t k = 0; k < n; k++) {
            uint64_t item = random_below(&again, n), kind = 0;
            for (; item >= counts[kind]; kind++)
                item -= counts[kind];
            drawn[kind]++;
        }
        resample_draw(&s, &random);
        assert_memory_equal(s.drawn, drawn, sizeof drawn);
    }
    resample_clear(&s);
}

/* What each kind gets is binomial: a rare one, one of a few items, one of most. */
static void each_kind_is_binomial(void **state)
{
    enum { DRAWS = 100000, N = 2000 };
    const uint64_t counts[] = {3, 1, 40, 1500, 440, 16};
    static uint64_t seen[ARRAY_LEN(counts)][N + 1];
    static double expected[N + 1];
    struct resample s;
    struct random random;

    (void)state;
    random_seed(&random, 1);
    resample_init(&s, counts, ARRAY_LEN(counts), RESAMPLE_ITEMS_MAX);
    assert_true(s.n == N && !s.by_item);
    for (int i = 0; i < DRAWS; i++) {
        resample_draw(&s, &random);
        for (size_t k = 0; k < ARRAY_LEN(counts); k++)
            seen[k][s.drawn[k]]++;
    }
    resample_clear(&s);
    for (size_t k = 0; k < ARRAY_LEN(counts); k++) {
        for (int i = 0; i <= N; i++)
            expected[i] = DRAWS * binomial_pmf(N, (double)counts[k] / N, i);
        double off = deviate(seen[k], expected, N + 1);
        if (!(fabs(off) < 3.9))
            fail_msg("kind %zu: %g standard deviations", k, off);
    }
}

/* Means, variances and covariances of a hundred million items. */
static void has_the_moments_of_many_items(void **state)
{
    enum { DRAWS = 40000, KINDS = 5 };
    const uint64_t counts[KINDS] = {60000000, 39000000, 999900, 97, 3};
    double n = 1e8, sums[KINDS] = {0}, products[KINDS][KINDS] = {{0}};
    struct resample s;
    struct random random;

    (void)state;
    random_seed(&random, 5);
    resample_init(&s, counts, KINDS, RESAMPLE_ITEMS_MAX);
    assert_true((double)s.n == n);
    for (int i = 0; i < DRAWS; i++) {
        double off[KINDS];
        resample_draw(&s, &random);
        for (int k = 0; k < KINDS; k++) {
            off[k] = (double)s.drawn[k] - (double)counts[k];
            sums[k] += off[k];
            for (int j = 0; j <= k; j++)
                products[k][j] += off[k] * off[j];
        }
    }
    resample_clear(&s);
    for (int k = 0; k < KINDS; k++) {
        double p = (double)counts[k] / n, variance = n * p * (1 - p);
        assert_true(fabs(sums[k] / DRAWS) < 3.9 * sqrt(variance / DRAWS));
        double kurtosis = 3 + (1 - 6 * p * (1 - p)) / variance;
        double error = variance * sqrt((kurtosis - 1) / DRAWS);
        assert_true(fabs(products[k][k] / DRAWS - variance) < 3.9 * error);
        for (int j = 0; j < k; j++) {
            double q = (double)counts[j] / n, covariance = -n * p * q;
            error = sqrt((variance * n * q * (1 - q) + covariance * covariance + n * p * q) / DRAWS);
            assert_true(fabs(products[k][j] / DRAWS - covariance) < 3.9 * error);
        }
    }
}

static void does_with_few_kinds(void **state)
{
    const uint64_t one[] = {5000}, odd[] = {0, 4999, 1}, many = 3000;
    uint64_t *singles = mem_resize(NULL, many, sizeof *singles);
    struct resample s;
    struct random random;

    (void)state;
    random_seed(&random, 0);
    resample_init(&s, one, 1, RESAMPLE_ITEMS_MAX);
    resample_draw(&s, &random);
    assert_int_equal(s.drawn[0], 5000);
    resample_clear(&s);
    resample_init(&s, odd, 3, RESAMPLE_ITEMS_MAX);
    for (int i = 0; i < 1000; i++) {
        resample_draw(&s, &random);
        assert_true(s.drawn[0] == 0 && s.drawn[1] + s.drawn[2] == 5000);
    }
    resample_clear(&s);
    for (uint64_t i = 0; i < many; i++) /* each item a kind of its own */
        singles[i] = 1;
    resample_init(&s, singles, many, RESAMPLE_ITEMS_MAX);
    for (int i = 0; i < 100; i++) {
        uint64_t sum = 0;
        resample_draw(&s, &random);
        for (uint64_t k = 0; k < many; k++)
            sum += s.drawn[k];
        assert_int_equal(sum, many);
    }
    resample_clear(&s);
    resample_init(&s, one, 0, 0); /* nothing at all */
    resample_draw(&s, &random);
    resample_clear(&s);
    mem_free(singles);
}

/* Written down once: a change of these is a change of every interval that was published. */
static void stays_as_it_is(void **state)
{
    const uint64_t counts[] = {900, 600, 450, 40, 6, 3, 1};
    struct random random;
    struct resample s;
    struct buf text = {0};

    (void)state;
    random_seed(&random, 1);
    resample_init(&s, counts, ARRAY_LEN(counts), RESAMPLE_ITEMS_MAX);
    for (int i = 0; i < 2; i++) {
        resample_draw(&s, &random);
        for (size_t k = 0; k < ARRAY_LEN(counts); k++)
            buf_addf(&text, "%llu ", (unsigned long long)s.drawn[k]);
    }
    resample_clear(&s);
    assert_string_equal(buf_cstr(&text), "933 554 457 41 6 5 4 870 600 490 34 4 2 0 ");
    buf_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_the_multinomial_by_tables),
        cmocka_unit_test(draws_the_multinomial_by_items),
        cmocka_unit_test(draws_items_as_random_below),
        cmocka_unit_test(each_kind_is_binomial),
        cmocka_unit_test(has_the_moments_of_many_items),
        cmocka_unit_test(does_with_few_kinds),
        cmocka_unit_test(stays_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
