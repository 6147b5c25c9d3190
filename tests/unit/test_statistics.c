/* report: statistics, against the figures of tests/reference/agreement_reference.py. */
#include "base/stat/statistics.h"

#include <stdlib.h>

#include "tests/unit/unit.h"

#include "base/random.h"
#include "tests/unit/golden.h"

static const struct fisher_plan PLAN = {1, 10000, 1000};

static void assert_reason(const struct golden *g, enum statistic_reason got, struct span want)
{
    /* clang-format off */
    static const char *const names[] = {
        [STATISTIC_OK] = "ok", [STATISTIC_BAD_ARGUMENT] = "", [STATISTIC_NO_DATA] = "no_data",
        [STATISTIC_ONE_LINE] = "one_line", [STATISTIC_EMPTY_LINE] = "empty_line",
        [STATISTIC_TOO_LARGE] = "",
    };
    /* clang-format on */

    if (!span_eq(span_of(names[got]), want))
        fail_msg("row %zu: reason %s", g->n_rows, statistic_words(got));
}

/* Numbers with blanks between them; returns how many. */
static size_t numbers_of(struct span text, uint64_t *numbers, size_t max)
{
    struct span word;
    size_t n = 0;

    while (span_cut(&text, ' ', &word)) {
        assert_true(n < max);
        numbers[n++] = golden_u64(word);
    }
    return n;
}

static void near_relative(const struct golden *g, const char *name, double got, double want)
{
    golden_check(g, name, got, want, 1e-9, true);
}

static void check_fisher(const struct golden *g, const uint64_t *counts, size_t rows, size_t cols)
{
    struct fisher f;

    if (g->cell[11].len == 0 && span_eq(g->cell[3], SPAN("ok"))) /* too many tables for the file */
        return;
    fisher_exact(counts, rows, cols, &PLAN, &f);
    assert_reason(g, f.reason, g->cell[3]);
    assert_true(isnan(f.p) == (f.reason != STATISTIC_OK));
    if (g->cell[11].len == 0)
        return;
    assert_int_equal(f.method, FISHER_EXACT);
    near_relative(g, rows * cols == 4 ? "p of Fisher, 2 x 2" : "p of Fisher, r x c", f.p, golden_double(g->cell[11]));
    near_relative(g, "odds ratio", f.odds_ratio, golden_double(g->cell[12]));
}

TEST(agrees_on_tables)
{
    struct golden g;
    struct chi_square c;
    uint64_t counts[64];

    golden_open(&g, "tables.csv");
    while (golden_next(&g, 200)) {
        size_t rows = golden_u64(g.cell[0]), cols = golden_u64(g.cell[1]);
        assert_int_equal(numbers_of(g.cell[2], counts, 64), rows * cols);
        chi_square_test(counts, rows, cols, &c, NULL);
        assert_reason(&g, c.reason, g.cell[3]);
        golden_near(&g, "chi-square", c.statistic, golden_double(g.cell[4]));
        near_relative(&g, "p of chi-square", c.p, golden_double(g.cell[6]));
        golden_near(&g, "smallest expected", c.expected_min, golden_double(g.cell[7]));
        golden_near(&g, "V", c.cramers_v, golden_double(g.cell[9]));
        golden_near(&g, "V, corrected", c.cramers_v_corrected, golden_double(g.cell[10]));
        if (c.reason == STATISTIC_OK) {
            assert_int_equal(c.df, golden_u64(g.cell[5]));
            assert_int_equal(c.n_expected_below_5, golden_u64(g.cell[8]));
        }
        check_fisher(&g, counts, rows, cols);
    }
}

TEST(agrees_on_distributions)
{
    struct golden g;

    golden_open(&g, "distributions.csv");
    while (golden_next(&g, 100)) {
        double a = golden_double(g.cell[1]), x = golden_double(g.cell[2]);
        double want = golden_double(g.cell[3]);
        if (span_eq(g.cell[0], SPAN("gamma")))
            golden_check(&g, "gamma_upper", gamma_upper(a, x), want, 1e-12, true);
        else
            golden_check(&g, "normal_quantile", normal_quantile(a), want, 1e-14, fabs(want) > 1);
    }
    assert_true(isnan(normal_quantile(0)) && isnan(normal_quantile(1)));
    assert_true(isnan(normal_quantile(NAN)));
    assert_true(isnan(gamma_upper(0, 1)) && isnan(gamma_upper(1, -1)) && gamma_upper(2, 0) == 1);
    assert_true(gamma_upper(1, 1e6) == 0);
}

TEST(agrees_on_proportions)
{
    struct golden g;
    struct proportion p;
    uint64_t n;

    golden_open(&g, "wilson.csv");
    while (golden_next(&g, 100)) {
        wilson_interval(golden_u64(g.cell[0]), golden_u64(g.cell[1]), golden_double(g.cell[2]), &p);
        assert_int_equal(p.reason, STATISTIC_OK);
        golden_near(&g, "Wilson", p.low, golden_double(g.cell[3]));
        golden_near(&g, "Wilson", p.high, golden_double(g.cell[4]));
    }
    golden_open(&g, "sample_size.csv");
    while (golden_next(&g, 100)) {
        assert_int_equal(sample_size(golden_double(g.cell[0]), golden_double(g.cell[1]), golden_u64(g.cell[2]), &n),
                         STATISTIC_OK);
        assert_int_equal(n, golden_u64(g.cell[3]));
    }
}

TEST(says_why_there_is_no_number)
{
    const uint64_t large[4] = {STATISTIC_TOTAL_MAX, 1, 1, 1}, many[4] = {FISHER_TOTAL_MAX, 1, 1, 1};
    const uint64_t overflow[4] = {UINT64_MAX, 2, 1, 1}, good[4] = {1, 2, 3, 4};
    struct fisher_plan none = {1, 0, 0};
    struct proportion p;
    struct chi_square c;
    struct fisher f;
    uint64_t n = 1;

    wilson_interval(0, 0, 0.95, &p);
    assert_true(p.reason == STATISTIC_NO_DATA && isnan(p.share) && isnan(p.low));
    wilson_interval(2, 1, 0.95, &p);
    assert_int_equal(p.reason, STATISTIC_BAD_ARGUMENT);
    wilson_interval(1, 2, 1, &p);
    assert_int_equal(p.reason, STATISTIC_BAD_ARGUMENT);
    assert_int_equal(sample_size(0.95, 0, 10, &n), STATISTIC_BAD_ARGUMENT);
    assert_true(sample_size(0.95, 0.05, 0, &n) == STATISTIC_OK && n == 0);
    chi_square_test(large, 2, 2, &c, NULL);
    assert_true(c.reason == STATISTIC_TOO_LARGE && isnan(c.p) && isnan(c.statistic));
    chi_square_test(overflow, 2, 2, &c, NULL);
    assert_int_equal(c.reason, STATISTIC_TOO_LARGE);
    fisher_exact(many, 2, 2, &PLAN, &f);
    assert_true(f.reason == STATISTIC_TOO_LARGE && isnan(f.p));
    fisher_exact(good, 2, 2, &none, &f);
    assert_true(f.reason == STATISTIC_BAD_ARGUMENT && isnan(f.odds_ratio));
    fisher_exact(NULL, 0, 5, &PLAN, &f);
    assert_int_equal(f.reason, STATISTIC_ONE_LINE);
    assert_null(statistic_words(STATISTIC_OK));
    for (int i = STATISTIC_OK + 1; i <= STATISTIC_TOO_LARGE; i++)
        assert_true(strlen(statistic_words((enum statistic_reason)i)) > 0);
}

TEST(hands_out_expected_counts)
{
    const uint64_t counts[6] = {1, 2, 3, 4, 5, 5};
    const double want[6] = {1.5, 2.1, 2.4, 3.5, 4.9, 5.6};
    double expected[6];
    struct chi_square c;

    chi_square_test(counts, 2, 3, &c, expected);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(expected[i] - want[i]) < 1e-12);
    assert_int_equal(c.n_expected_below_5, 5);
}

/* The same table, enumerated and sampled; and the same sample twice. */
TEST(samples_what_is_too_much_to_enumerate)
{
    static const uint64_t tables[][9] = {
        {8, 2, 3, 1, 5, 4, 2, 2, 3}, {3, 3, 3, 3, 3, 3, 3, 3, 3}, {5, 0, 1, 1, 5, 0, 0, 1, 5}};
    struct fisher_plan few = {42, 10, 5000};
    struct fisher exact, sampled, again;

    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        fisher_exact(tables[i], 3, 3, &PLAN, &exact);
        fisher_exact(tables[i], 3, 3, &few, &sampled);
        fisher_exact(tables[i], 3, 3, &few, &again);
        assert_true(exact.method == FISHER_EXACT && exact.n_tables > 10 && exact.p_se == 0);
        assert_true(sampled.method == FISHER_MONTE_CARLO && sampled.n_tables == 5000);
        assert_true(fabs(sampled.p - exact.p) < 4 * sampled.p_se + 1e-4);
        assert_true(sampled.p == again.p && isnan(sampled.odds_ratio));
    }
}

/* max_tables is the largest number that is still enumerated. */
TEST(enumerates_up_to_the_bound)
{
    const uint64_t counts[6] = {1, 2, 1, 2, 1, 1};
    struct fisher_plan plan = PLAN;
    struct fisher f;

    fisher_exact(counts, 2, 3, &plan, &f);
    plan.max_tables = f.n_tables;
    fisher_exact(counts, 2, 3, &plan, &f);
    assert_int_equal(f.method, FISHER_EXACT);
    plan.max_tables--;
    fisher_exact(counts, 2, 3, &plan, &f);
    assert_int_equal(f.method, FISHER_MONTE_CARLO);
}

/* A table and its transpose, and one with many tables, do not fare differently. */
TEST(survives_long_and_large_tables)
{
    const uint64_t wide[10] = {3, 1, 0, 2, 5, 1, 4, 2, 0, 3};
    const uint64_t far[4] = {50000, 1000, 1000, 40000}, even[4] = {2000, 2000, 2000, 2000};
    uint64_t tall[10];
    struct fisher a, b;

    for (int i = 0; i < 10; i++)
        tall[i % 5 * 2 + i / 5] = wide[i];
    fisher_exact(wide, 2, 5, &PLAN, &a);
    fisher_exact(tall, 5, 2, &PLAN, &b);
    assert_true(a.n_tables == b.n_tables && fabs(a.p - b.p) < 1e-12);
    fisher_exact(far, 2, 2, &PLAN, &a);
    assert_true(a.reason == STATISTIC_OK && a.p >= 0 && a.p < 1e-300);
    fisher_exact(even, 2, 2, &PLAN, &a);
    assert_true(fabs(a.p - 1) < 1e-12);
}

/* Published: xoshiro256** of state 1, 2, 3, 4 (Rust, rand_xoshiro); SplitMix64 of 1234567. */
TEST(draws_the_published_numbers)
{
    static const uint64_t expected[] = {UINT64_C(11520),
                                        UINT64_C(0),
                                        UINT64_C(1509978240),
                                        UINT64_C(1215971899390074240),
                                        UINT64_C(1216172134540287360),
                                        UINT64_C(607988272756665600),
                                        UINT64_C(16172922978634559625),
                                        UINT64_C(8476171486693032832),
                                        UINT64_C(10595114339597558777),
                                        UINT64_C(2904607092377533576)};
    static const uint64_t seeded[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                      UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)};
    struct random r = {{1, 2, 3, 4}};

    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        assert_true(random_next(&r) == expected[i]);
    random_seed(&r, 1234567);
    assert_memory_equal(r.state, seeded, sizeof seeded);
    for (uint64_t n = 0; n < 70; n++)
        for (int i = 0; i < 50; i++)
            assert_true(random_below(&r, n) < (n > 0 ? n : 1));
    assert_true(random_below(&r, UINT64_MAX) < UINT64_MAX);
}

TEST(shares_by_largest_remainder)
{
    struct golden g;

    golden_open(&g, "shares.csv");
    while (golden_next(&g, 40)) {
        uint64_t sizes[8], expected[8], shares[8];
        size_t n_strata = numbers_of(g.cell[1], sizes, 8);
        assert_int_equal(numbers_of(g.cell[2], expected, 8), n_strata);
        assert_int_equal(stratum_shares(sizes, n_strata, golden_u64(g.cell[0]), shares), STATISTIC_OK);
        assert_memory_equal(shares, expected, n_strata * sizeof *shares);
    }
}

TEST(shares_what_there_is)
{
    const uint64_t sizes[3] = {2, 0, 1}, even[4] = {1, 1, 1, 1}, large[2] = {UINT64_MAX, 1};
    uint64_t shares[4];

    assert_int_equal(stratum_shares(sizes, 3, 100, shares), STATISTIC_OK);
    assert_memory_equal(shares, sizes, sizeof sizes);
    assert_int_equal(stratum_shares(even, 4, 2, shares), STATISTIC_OK);
    assert_true(shares[0] == 1 && shares[1] == 1 && shares[2] == 0 && shares[3] == 0);
    assert_int_equal(stratum_shares(large, 2, 2, shares), STATISTIC_TOO_LARGE);
    assert_int_equal(stratum_shares(NULL, 0, 2, NULL), STATISTIC_OK);
}

static int report(void **state)
{
    (void)state;
    golden_report();
    return 0;
}

int main(void)
{
    return unit_run(NULL, report, NULL, NULL);
}
