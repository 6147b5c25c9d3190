/* stat/design: intervals of shares cover the census at least as often as they say, rare or not. */
#include "base/stat/stat.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "tests/unit/unit.h"

static const double LEAST = 0.94, SLACK = 1e-9;

/* --- all that a sample may show --- */

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* P(a sample of `drawn` has x of the marked). */
static double chance(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t x)
{
    if (x > marked || x > drawn || drawn - x > population - marked)
        return 0;
    return exp(log_choose((double)marked, (double)x) + log_choose((double)(population - marked), (double)(drawn - x)) -
               log_choose((double)population, (double)drawn));
}

/* How often an interval is printed, and how often it has the truth in it. */
struct coverage {
    double printed, covered;
};

static void add(struct coverage *c, double p, const struct design_share *share, double truth)
{
    if (isnan(share->low) != isnan(share->high))
        fail_msg("half an interval");
    if (isnan(share->low))
        return;
    c->printed += p;
    if (share->low - SLACK <= truth && truth <= share->high + SLACK)
        c->covered += p;
}

static void expect(const char *what, const struct coverage *c, uint64_t a, uint64_t b, uint64_t drawn)
{
    if (c->covered < LEAST * c->printed)
        fail_msg("%s: %.4f of the intervals cover the truth, %llu and %llu, %llu drawn", what, c->covered / c->printed,
                 (unsigned long long)a, (unsigned long long)b, (unsigned long long)drawn);
}

static const double shares_drawn[] = {0.01, 0.05, 0.2, 0.5, 0.9, 1};
static const uint64_t truths[] = {0, 1, 3, 10, 30, 120, UINT64_MAX};

static uint64_t truth_of(size_t i, uint64_t population)
{
    return truths[i] > population / 2 ? population / 2 : truths[i];
}

static uint64_t drawn_of(uint64_t population, double share)
{
    return (uint64_t)fmax(1, floor(share * (double)population));
}

/* --- shares of all --- */

/* One part, whatever is seen; the bounds do not depend on the truth. */
static void one_part(uint64_t population, uint64_t drawn)
{
    struct coverage sums[ARRAY_LEN(truths)] = {{0}};

    for (uint64_t x = 0; x <= drawn; x++) {
        struct design_share share;
        design_share(&(struct design_part){population, drawn, x}, 1, 0.95, &share);
        for (size_t t = 0; t < ARRAY_LEN(truths); t++) {
            uint64_t marked = truth_of(t, population);
            add(&sums[t], chance(population, marked, drawn, x), &share, (double)marked / (double)population);
        }
    }
    for (size_t t = 0; t < ARRAY_LEN(truths); t++)
        expect("a share", &sums[t], truth_of(t, population), 0, drawn);
}

TEST(shares_of_one_part)
{
    for (size_t i = 0; i < ARRAY_LEN(shares_drawn); i++) {
        one_part(260, drawn_of(260, shares_drawn[i]));
        one_part(1500, drawn_of(1500, shares_drawn[i]));
    }
}

/* X of a sample, item by item. */
static uint64_t draw(struct random *random, uint64_t population, uint64_t marked, uint64_t drawn)
{
    uint64_t seen = 0;

    for (uint64_t i = 0; i < drawn; i++)
        seen += random_below(random, population - i) < marked - seen;
    return seen;
}

static void several_parts(size_t n, double part_drawn, size_t truth, uint64_t seed)
{
    static const uint64_t sizes[] = {200, 120, 60, 30};
    struct design_part parts[ARRAY_LEN(sizes)];
    uint64_t marked[ARRAY_LEN(sizes)], all = 0, with = 0, left;
    struct coverage sum = {0, 0};
    struct random random;

    random_seed(&random, seed);
    for (size_t i = 0; i < n; i++)
        all += sizes[i];
    left = truth_of(truth, all);
    for (size_t i = n; i-- > 0;) { /* most of them where fewest are */
        marked[i] = i == 0 ? left : left < sizes[i] / 2 ? left - left / 3 : sizes[i] / 2;
        left -= marked[i];
        with += marked[i];
    }
    for (size_t trial = 0; trial < 400; trial++) {
        struct design_share share;
        for (size_t i = 0; i < n; i++) {
            uint64_t drawn = drawn_of(sizes[i], i % 2 == 1 && part_drawn < 0.5 ? 2 * part_drawn : part_drawn);
            parts[i] = (struct design_part){sizes[i], drawn, draw(&random, sizes[i], marked[i], drawn)};
        }
        design_share(parts, n, 0.95, &share);
        add(&sum, 1, &share, (double)with / (double)all);
    }
    expect("a share of several parts", &sum, with, n, (uint64_t)(100 * part_drawn));
}

TEST(shares_of_several_parts)
{
    for (size_t n = 2; n <= 4; n++)
        for (size_t i = 0; i < ARRAY_LEN(shares_drawn); i++)
            for (size_t t = 0; t < ARRAY_LEN(truths); t++)
                several_parts(n, shares_drawn[i], t, 1000 * n + 100 * i + t);
}

/* --- recall --- */

/* `known` are found in a part that was read whole; of each of two samples all that may be seen. */
static void one_recall(uint64_t known, const uint64_t population[2], const uint64_t drawn[2], const uint64_t marked[2])
{
    double truth = (double)(known + marked[0]) / (double)(known + marked[0] + marked[1]);
    struct coverage sum = {0, 0};

    for (uint64_t x = 0; x <= drawn[0] && x <= marked[0]; x++)
        for (uint64_t y = 0; y <= drawn[1] && y <= marked[1]; y++) {
            double p = chance(population[0], marked[0], drawn[0], x) * chance(population[1], marked[1], drawn[1], y);
            struct design_part found[] = {{known, known, known}, {population[0], drawn[0], x}};
            struct design_part missed = {population[1], drawn[1], y};
            struct design_share share;
            if (p < 1e-7)
                continue;
            design_recall(found, 2, &missed, 1, 0.95, &share);
            add(&sum, p, &share, truth);
        }
    expect("recall", &sum, known + marked[0], marked[1], drawn[1]);
}

TEST(recalls)
{
    static const uint64_t population[] = {60, 300};

    for (size_t i = 0; i < ARRAY_LEN(shares_drawn); i++)
        for (size_t found = 0; found < 5; found++)
            for (size_t missed = 0; missed < ARRAY_LEN(truths); missed++) {
                uint64_t drawn[] = {drawn_of(60, shares_drawn[i]), drawn_of(300, shares_drawn[i])};
                uint64_t marked[] = {truth_of(found, 60), truth_of(missed, 300)};
                uint64_t whole[] = {60, drawn[1]};
                if (marked[0] + marked[1] > 0)
                    one_recall(0, population, drawn, marked);
                if (marked[0] + marked[1] > 0)
                    one_recall(0, population, whole, marked);
                one_recall(30, population, drawn, marked);
            }
}

/* --- codes --- */

/* `among` of the population count, `with` of them have the code; of others that were read whole too. */
static void one_domain(struct design_domain d, uint64_t among, uint64_t with)
{
    double truth = (double)(d.known_with + with) / (double)(d.known_among + among);
    struct coverage sum = {0, 0};

    for (d.among = 0; d.among <= d.drawn && d.among <= among; d.among++)
        for (d.with = 0; d.with <= d.among && d.with <= with; d.with++) {
            double p = chance(d.population, among, d.drawn, d.among) * chance(among, with, d.among, d.with);
            struct design_share share;
            if (p < 1e-5)
                continue;
            design_domain_share(&d, 0.95, &share);
            add(&sum, p, &share, truth);
        }
    expect("a code", &sum, among, with, d.drawn);
}

TEST(shares_of_codes)
{
    static const uint64_t among[] = {3, 12, 60}, with[] = {0, 1, 3, 10, 30};

    for (size_t i = 0; i < ARRAY_LEN(shares_drawn); i++)
        for (size_t a = 0; a < ARRAY_LEN(among); a++)
            for (size_t w = 0; w < ARRAY_LEN(with) && with[w] <= among[a]; w++) {
                struct design_domain d = {.population = 120, .drawn = drawn_of(120, shares_drawn[i])};
                one_domain(d, among[a], with[w]);
                d.known_among = 40;
                d.known_with = 2 * (w % 2);
                one_domain(d, among[a], with[w]);
            }
}

/* --- values --- */

/* Estimates are those of all samples of a small population: 3 of 6, of which 4 count and 2 of them have it. */
TEST(estimates_are_those_of_all_samples)
{
    static const bool among[] = {1, 1, 1, 1, 0, 0}, with[] = {1, 1, 0, 0, 0, 0};
    double total = 0, n = 0;

    for (int set = 0; set < 64; set++) {
        struct design_domain d = {.population = 6};
        struct design_share share;
        for (int i = 0; i < 6; i++)
            if (set >> i & 1) {
                d.drawn++;
                d.among += among[i];
                d.with += with[i];
            }
        if (d.drawn != 3)
            continue;
        design_domain_share(&d, 0.95, &share);
        assert_true(fabs(share.with - 2.0 * (double)d.with) < 1e-12);
        assert_true(share.reason == STATISTIC_OK && share.low <= share.share);
        assert_true(share.share <= share.high);
        total += share.with;
        n++;
    }
    assert_true(n == 20 && fabs(total / n - 2) < 1e-12);
}

struct exact_interval {
    uint64_t low, high; /* how many are marked, both inclusive */
};

/* All numbers that a test at (1 - confidence) / 2 on either side does not refuse. */
static struct exact_interval exact_interval(uint64_t population, uint64_t drawn, uint64_t seen, double confidence)
{
    struct exact_interval found = {seen, population - (drawn - seen)};
    double tail = (1 - confidence) / 2;

    while (found.low < found.high && hypergeometric_at_most(population, found.high, drawn, seen) <= tail)
        found.high--;
    while (found.low < found.high && seen > 0 &&
           1 - hypergeometric_at_most(population, found.low, drawn, seen - 1) <= tail)
        found.low++;
    return found;
}

/* For one part: the exact interval of equal tails, by other means. */
TEST(one_part_is_the_exact_interval)
{
    for (uint64_t drawn = 0; drawn <= 97; drawn += 3)
        for (uint64_t x = 0; x <= drawn; x += 1 + drawn / 9) {
            struct design_share share;
            struct exact_interval exact = exact_interval(97, drawn, x, 0.9);
            design_share(&(struct design_part){97, drawn, x}, 1, 0.9, &share);
            assert_true(fabs(97 * share.low - (double)exact.low) < 1e-9);
            assert_true(fabs(97 * share.high - (double)exact.high) < 1e-9);
        }
}

/* 100 posts with a keyword were read, 30 of them yes; 200 of the other 900 are a sample without any. */
TEST(nothing_seen_is_not_nothing_there)
{
    struct design_part hit = {100, 100, 30}, rest = {900, 200, 0};
    struct design_part all[] = {hit, rest};
    struct design_share share;
    uint64_t most = exact_interval(900, 200, 0, 0.95).high;

    assert_true(hypergeometric_at_most(900, most, 200, 0) > 0.025);
    assert_true(hypergeometric_at_most(900, most + 1, 200, 0) <= 0.025);
    design_share(all, 2, 0.95, &share);
    assert_true(share.share == 0.03 && share.low == 0.03);
    assert_true(fabs(share.high - (30 + (double)most) / 1000) < 1e-12 && most == 14);
    design_recall(&hit, 1, &rest, 1, 0.95, &share);
    assert_true(share.share == 1 && share.high == 1);
    assert_true(fabs(share.low - 30 / (30 + (double)most)) < 1e-12);
}

TEST(edges)
{
    struct design_part whole[] = {{10, 10, 2}, {5, 5, 1}}, unread = {3, 0, 0}, none = {100, 20, 0};
    struct design_part nowhere = {50, 50, 0}, some[] = {{10, 10, 2}, {3, 0, 0}, {100, 20, 5}};
    struct design_share share;

    design_share(whole, 2, 0.95, &share);
    assert_int_equal(share.reason, STATISTIC_COUNTED);
    assert_true(share.share == 0.2 && isnan(share.low) && isnan(share.high));
    design_recall(&whole[0], 1, &whole[1], 1, 0.95, &share);
    assert_true(share.reason == STATISTIC_COUNTED && isnan(share.low));
    assert_true(fabs(share.share - 2.0 / 3) < 1e-12);
    design_share(NULL, 0, 0.95, &share);
    assert_int_equal(share.reason, STATISTIC_NO_DATA);
    design_recall(&nowhere, 1, &none, 1, 0.95, &share);
    assert_true(share.reason == STATISTIC_NO_DATA && isnan(share.low));
    design_share(&unread, 1, 0.95, &share);
    assert_int_equal(share.reason, STATISTIC_NOT_DRAWN);
    assert_true(isnan(share.share) && share.low == 0 && share.high == 1);
    /* A part of which nothing was drawn: any of it may be yes; the others estimate it. */
    design_share(some, 3, 0.95, &share);
    assert_true(share.reason == STATISTIC_OK && fabs(share.with - (2 + 3 * 0.25 + 25)) < 1e-12);
    design_recall(some, 2, &some[2], 1, 0.95, &share);
    assert_true(share.low < 2 / 27.75 && share.high > 5.0 / 30 && share.reason == STATISTIC_OK);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
