/* Texts that must stay the same while a change is measured. */
#include "bench/same_text.h"

#include <stdlib.h>

#include "tests/unit/unit.h"

static bool same(const char *a, const char *b, double tolerance)
{
    return same_text(span_of(a), span_of(b), tolerance, NULL);
}

TEST(test_real_numbers_may_differ_a_little)
{
    assert_true(same("loss: 0.5000 acc 1.0", "loss: 0.5001 acc 1.0", 0.001));
    assert_false(same("loss: 0.5000", "loss: 0.5100", 0.001));
    assert_true(same("loss: 5e-3", "loss: 5.0001e-3", 0.001));
    assert_true(same("-0.5", "-.5", 0));
    assert_false(same("-0.5", "0.5", 0.5));
    assert_true(same("1.0", "1.5", 0.4));
    assert_false(same("1.0", "1.5", 0.3));
    assert_true(same("nan", "nan", 0));
    assert_false(same("nan", "0.1", 1));
    assert_false(same("inf", "1e308", 1));
    assert_true(same("-inf", "-inf", 0));
}

TEST(test_integers_and_names_may_not)
{
    assert_false(same("step 10000", "step 10001", 0.5));
    assert_false(same("epoch 1 loss 0.5", "epoch 2 loss 0.5", 0.5));
    assert_false(same("conv1.5", "conv1.6", 0.5));
    assert_false(same("version 2.15.1", "version 2.15.2", 0.5));
    assert_false(same("0.5", "1", 0.9));
    assert_false(same("0.5 s", "0.5 ms", 0.9));
    assert_false(same("0.5", "0.5 0.5", 0.9));
    assert_false(same("", "0.5", 0.9));
    assert_true(same("", "", 0));
    assert_false(same("nano", "nanu", 1));
}

TEST(test_bytes_are_compared_as_they_are)
{
    /* clang-format off */
    const struct span a = {"\0" "0.50", 5}, b = {"\0" "0.51", 5};
    /* clang-format on */
    size_t at;

    assert_false(same_text(a, b, 0.5, &at));
    assert_true(same_text(a, a, 0, NULL));
}

TEST(test_first_difference_is_told)
{
    size_t at = 0;

    assert_false(same_text(SPAN("a 0.1\nb 0.2\n"), SPAN("a 0.1\nb 0.3\n"), 0.01, &at));
    assert_int_equal(at, 8);
    assert_false(same_text(SPAN("abc"), SPAN("ab"), 0, &at));
    assert_int_equal(at, 2);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
