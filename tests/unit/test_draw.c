/* stat/draw: samples are those that anybody can draw again, and fair. */
#include "base/stat/draw.h"
#include "base/stat/statistics.h"

#include "tests/unit/unit.h"

enum { ITEMS = 100, DRAWN = 20, SEEDS = 4000 };

static uint64_t numbers[ITEMS];

static void number_items(uint64_t seed)
{
    char id[24];

    for (size_t i = 0; i < ITEMS; i++) {
        snprintf(id, sizeof id, "%zu", 1000 + i);
        numbers[i] = draw_number(seed, span_of(id));
    }
}

/* hashlib.sha256(b"1:65160023").hexdigest()[:16] of Python, and so on. */
TEST(numbers_are_sha256)
{
    assert_true(draw_number(1, SPAN("65160023")) == UINT64_C(0x29a6607167c89fba));
    assert_true(draw_number(7, SPAN("48068013_1")) == UINT64_C(0xacad1fbbfdd42587));
    assert_true(draw_number(UINT64_MAX, SPAN("1")) == UINT64_C(0xb392641637a9a655));
}

TEST(larger_samples_begin_with_smaller_ones)
{
    size_t all[ITEMS], some[ITEMS];
    bool seen[ITEMS] = {false};

    number_items(3);
    uint64_t share = ITEMS;
    assert_int_equal(draw_items(numbers, NULL, ITEMS, &share, all), ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_false(seen[all[i]]);
        seen[all[i]] = true;
        share = i;
        assert_int_equal(draw_items(numbers, NULL, ITEMS, &share, some), i);
        assert_memory_equal(some, all, i * sizeof *all);
    }
    share = ITEMS + 1;
    assert_int_equal(draw_items(numbers, NULL, ITEMS, &share, some), ITEMS);
    assert_int_equal(draw_items(numbers, NULL, 0, &share, some), 0);
}

TEST(equal_numbers_keep_their_order)
{
    static const uint64_t equal[] = {5, 5, 1, 5};
    static const size_t expected[] = {2, 0, 1, 3};
    uint64_t share = ARRAY_LEN(equal);
    size_t out[ARRAY_LEN(equal)];

    assert_int_equal(draw_items(equal, NULL, ARRAY_LEN(equal), &share, out), ARRAY_LEN(equal));
    assert_memory_equal(out, expected, sizeof expected);
}

/* Each stratum's items are those that would be drawn from it alone. */
TEST(strata_have_their_shares)
{
    uint32_t stratum[ITEMS];
    uint64_t shares[] = {7, 0, 50, 3}, own;
    size_t out[ITEMS], alone[ITEMS], places[ITEMS];
    uint64_t own_numbers[ITEMS];

    number_items(11);
    for (size_t i = 0; i < ITEMS; i++)
        stratum[i] = (uint32_t)(i % 4);
    assert_int_equal(draw_items(numbers, stratum, ITEMS, shares, out), 7 + 25 + 3);
    for (uint32_t h = 0; h < 4; h++) {
        size_t n = 0, at = 0;
        for (size_t i = h; i < ITEMS; i += 4) {
            own_numbers[n] = numbers[i];
            places[n++] = i;
        }
        own = h == 0 ? 7 : h == 1 ? 0 : h == 2 ? 50 : 3;
        size_t drawn = draw_items(own_numbers, NULL, n, &own, alone);
        for (size_t i = 0; i < 7 + 25 + 3; i++)
            if (stratum[out[i]] == h)
                assert_int_equal(out[i], places[alone[at++]]);
        assert_int_equal(at, drawn);
    }
}

/* Upper tail of chi-square. */
static double tail(double statistic, double df)
{
    return gamma_upper(df / 2, statistic / 2);
}

/* How often each of 100 items is among 20, over 4000 seeds: counts of draws without replacement
 * vary less than Poisson ones, by 1 - 20/100, and have 99 degrees of freedom. The seeds are fixed,
 * so this passes always or never; too even would be as suspicious as too uneven. */
TEST(every_item_is_as_likely)
{
    const double p = (double)DRAWN / ITEMS, expected = SEEDS * p;
    size_t counts[ITEMS] = {0}, first[ITEMS] = {0}, out[ITEMS];
    double statistic = 0, of_first = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t share = DRAWN;
        number_items(seed);
        assert_int_equal(draw_items(numbers, NULL, ITEMS, &share, out), DRAWN);
        for (size_t i = 0; i < DRAWN; i++)
            counts[out[i]]++;
        first[out[0]]++;
    }
    for (size_t i = 0; i < ITEMS; i++) {
        double by = (double)counts[i] - expected, by_first = (double)first[i] - SEEDS / 100.0;
        statistic += by * by / (expected * (1 - p)) * (ITEMS - 1) / ITEMS;
        of_first += by_first * by_first / (SEEDS / 100.0);
    }
    assert_true(tail(statistic, ITEMS - 1) > 0.01 && tail(statistic, ITEMS - 1) < 0.99);
    assert_true(tail(of_first, ITEMS - 1) > 0.01 && tail(of_first, ITEMS - 1) < 0.99);
}

/* Pairs of neighbours, i and i + 1, come together as often as others: 20/100 * 19/99. */
TEST(neighbours_are_not_drawn_together)
{
    const double p = (double)DRAWN / ITEMS * (DRAWN - 1) / (ITEMS - 1);
    size_t out[ITEMS], pairs = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t share = DRAWN;
        bool in[ITEMS + 1] = {false};
        number_items(seed);
        assert_int_equal(draw_items(numbers, NULL, ITEMS, &share, out), DRAWN);
        for (size_t i = 0; i < DRAWN; i++)
            in[out[i]] = true;
        for (size_t i = 0; i + 1 < ITEMS; i++)
            pairs += in[i] && in[i + 1];
    }
    /* Three per cent are more than three standard deviations, about sqrt(SEEDS * 99 * p) = 123. */
    double expected = SEEDS * (ITEMS - 1) * p;
    assert_true((double)pairs > 0.97 * expected && (double)pairs < 1.03 * expected);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
