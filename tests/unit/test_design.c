/* stat/design: intervals of shares cover the census as often as they say. */
#include "base/stat/stat.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* What a census would count in a stratum; a random sample of `drawn` is taken. */
struct part {
    uint64_t population, among, with, drawn;
};

/* X of Hypergeometric(population, marked, drawn), item by item. */
static uint64_t draw(struct random *random, uint64_t population, uint64_t marked, uint64_t drawn)
{
    uint64_t seen = 0;

    for (uint64_t i = 0; i < drawn; i++)
        seen += random_below(random, population - i) < marked - seen;
    return seen;
}

static double coverage(const struct part *parts, size_t n, size_t trials, uint64_t seed)
{
    struct random random;
    double with = 0, among = 0, covered = 0;

    random_seed(&random, seed);
    for (size_t i = 0; i < n; i++) {
        with += (double)parts[i].with;
        among += (double)parts[i].among;
    }
    for (size_t trial = 0; trial < trials; trial++) {
        struct design_stratum strata[4];
        struct design_share share;
        for (size_t i = 0; i < n; i++) {
            const struct part *p = &parts[i];
            uint64_t counted = draw(&random, p->population, p->among, p->drawn);
            strata[i] = (struct design_stratum){
                p->population, p->drawn, counted,
                p->among > 0 ? draw(&random, p->among, p->with, counted) : 0};
        }
        design_ratio(strata, n, 0.95, &share);
        covered += share.low <= with / among && with / among <= share.high;
    }
    return covered / (double)trials;
}

static void intervals_cover_a_census(void **state)
{
    /* A share of all posts; recall of keywords after screening, with unread posts with and without a
     * hit; codes among problems of two strata; recall of a screening. */
    static const struct {
        const char *name;
        size_t n;
        struct part parts[3];
    } cases[] = {
        {"share of 20 %", 1, {{5000, 5000, 1000, 300}}},
        {"share of 5 %", 1, {{5000, 5000, 250, 400}}},
        {"half of it drawn", 1, {{600, 600, 240, 300}}},
        {"a domain", 1, {{4000, 800, 320, 500}}},
        {"two strata", 2, {{300, 300, 90, 300}, {8000, 8000, 800, 300}}},
        {"unequal weights", 2, {{500, 500, 250, 200}, {9000, 9000, 1800, 300}}},
        {"recall of keywords", 3, {{400, 250, 170, 400}, {500, 150, 150, 150}, {6000, 400, 0, 400}}},
        {"codes of problems", 2, {{500, 300, 120, 500}, {5000, 500, 100, 600}}},
        {"recall of a screening", 2, {{800, 300, 300, 800}, {5000, 300, 0, 600}}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double share = coverage(cases[i].parts, cases[i].n, 4000, 7 + i);
        if (share < 0.93 || share > 0.97)
            fail_msg("%s: %.4f of the intervals cover the census", cases[i].name, share);
    }
}

/* The estimate is unbiased up to the ratio, and its variance that of all samples of a small population:
 * 3 of 6, of which 4 are counted and 2 are with it. */
static void estimates_are_those_of_all_samples(void **state)
{
    static const bool among[] = {1, 1, 1, 1, 0, 0}, with[] = {1, 1, 0, 0, 0, 0};
    double total = 0, n = 0;

    (void)state;
    for (int set = 0; set < 64; set++) {
        struct design_stratum s = {.population = 6};
        struct design_share share;
        for (int i = 0; i < 6; i++)
            if (set >> i & 1) {
                s.drawn++;
                s.among += among[i];
                s.with += with[i];
            }
        if (s.drawn != 3)
            continue;
        design_ratio(&s, 1, 0.95, &share);
        assert_true(fabs(share.with - 2.0 * (double)s.with) < 1e-12);
        assert_true(share.reason == STATISTIC_OK && share.low <= share.share);
        assert_true(share.share <= share.high);
        total += share.with;
        n++;
    }
    assert_true(n == 20 && fabs(total / n - 2) < 1e-12);
}

static void edges(void **state)
{
    struct design_stratum whole[] = {{10, 10, 8, 2}, {5, 5, 0, 0}};
    struct design_stratum nothing = {100, 20, 0, 0}, none[] = {{50, 50, 30, 30}, {1000, 200, 0, 0}};
    struct design_share share;

    (void)state;
    design_ratio(whole, 2, 0.95, &share);
    assert_true(share.share == 0.25 && share.low == 0.25 && share.high == 0.25);
    design_ratio(&nothing, 1, 0.95, &share);
    assert_int_equal(share.reason, STATISTIC_NO_DATA);
    design_ratio(NULL, 0, 0.95, &share);
    assert_int_equal(share.reason, STATISTIC_NO_DATA);
    /* Nothing was found in 200 of 1000: at most so many are there. */
    design_ratio(none, 2, 0.95, &share);
    struct count_interval left = hypergeometric_interval(1000, 200, 0, 0.95, 0.5);
    assert_int_equal(left.low, 0);
    assert_true(hypergeometric_at_most(1000, left.high, 200, 0) / 2 > 0.025);
    assert_true(hypergeometric_at_most(1000, left.high + 1, 200, 0) / 2 <= 0.025);
    assert_true(share.share == 1 && share.high == 1);
    assert_true(fabs(share.low - 30 / (30 + (double)left.high)) < 1e-12);
    /* The same of two samples. */
    struct design_stratum two[] = {{50, 50, 30, 15}, {1000, 200, 0, 0}, {1000, 200, 0, 0}};
    design_ratio(two, 3, 0.95, &share);
    double missed = 2 * (double)left.high;
    assert_true(fabs(share.low - 15 / (30 + missed)) < 1e-12);
    assert_true(fabs(share.high - (15 + missed) / (30 + missed)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_cover_a_census),
        cmocka_unit_test(estimates_are_those_of_all_samples),
        cmocka_unit_test(edges),
    };

    return cmocka_run_group_tests_name("design", tests, NULL, NULL);
}
