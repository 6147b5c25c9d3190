/* unit: the tests of a file. TEST defines one, which gets `state`, and unit_run runs all in their order. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { UNIT_TESTS_MAX = 100 };

static struct CMUnitTest unit_tests[UNIT_TESTS_MAX];
static size_t n_unit_tests;

static void unit_add(struct CMUnitTest test)
{
    assert_true(n_unit_tests < UNIT_TESTS_MAX);
    unit_tests[n_unit_tests++] = test;
}

/* With what is done before and after it; NULL: what unit_run says. */
#define TEST_WITH(name, set_up, tear_down) \
    static void name(void **state); \
    __attribute__((constructor)) static void add_##name(void) \
    { \
        unit_add((struct CMUnitTest){#name, name, set_up, tear_down, NULL}); \
    } \
    static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* `first` and `last` are called once, the others before and after each test; any may be NULL. */
static int unit_run(CMFixtureFunction first, CMFixtureFunction last, CMFixtureFunction set_up,
                    CMFixtureFunction tear_down)
{
    for (size_t i = 0; i < n_unit_tests; i++) {
        if (unit_tests[i].setup_func == NULL)
            unit_tests[i].setup_func = set_up;
        if (unit_tests[i].teardown_func == NULL)
            unit_tests[i].teardown_func = tear_down;
    }
    return _cmocka_run_group_tests("tests", unit_tests, n_unit_tests, first, last);
}
