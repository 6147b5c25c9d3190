/* bench: cases, marks, and statistics against the figures of tests/reference/bench_reference.py. */
#include "bench/bench.h"

#include <stdlib.h>

#include "tests/unit/unit.h"

#include "tests/unit/golden.h"

/* --- statistics --- */

static size_t numbers_of(struct span text, double *out, size_t max)
{
    struct span word;
    size_t n = 0;

    while (span_cut(&text, ' ', &word)) {
        assert_true(n < max);
        out[n++] = golden_double(word);
    }
    return n;
}

TEST(slopes_are_scipys)
{
    struct golden g;
    double values[128];

    golden_open(&g, "../bench-slopes.csv");
    while (golden_next(&g, 48)) {
        size_t n = numbers_of(g.cell[0], values, ARRAY_LEN(values));
        golden_check(&g, "slope", stat_slope(values, n), golden_double(g.cell[1]), 1e-12, true);
    }
}

TEST(intervals_are_the_exact_ones)
{
    struct golden g;
    double over[16], under[16];

    golden_open(&g, "../bench-ratios.csv");
    while (golden_next(&g, 40)) {
        size_t n = numbers_of(g.cell[0], over, ARRAY_LEN(over));
        size_t m = numbers_of(g.cell[1], under, ARRAY_LEN(under));
        struct stat_ratio r = stat_ratio(over, n, under, m, golden_u64(g.cell[5]));
        golden_near(&g, "ratio", r.ratio, golden_double(g.cell[2]));
        golden_check(&g, "low", r.low, golden_double(g.cell[3]), 1e-12, true);
        golden_check(&g, "high", r.high, golden_double(g.cell[4]), 1e-12, true);
    }
}

TEST(says_nothing_of_nothing)
{
    const double one[] = {3};

    assert_true(isnan(stat_median(NULL, 0)));
    assert_true(isnan(stat_slope(NULL, 0)));
    assert_true(isnan(stat_slope(one, 1)));
    assert_true(isnan(stat_ratio(one, 1, NULL, 0, 1).ratio));
    assert_true(isnan(stat_ratio(NULL, 0, one, 1, 1).low));
}

/* A thinned line keeps its slope. */
TEST(thins_long_lists)
{
    enum { N = 16384 };
    double *values = mem_zero(N, sizeof *values);

    for (size_t i = 0; i < N; i++)
        values[i] = 5 + 0.25 * (double)i;
    assert_float_equal(stat_slope(values, N), 0.25, 1e-12);
    assert_float_equal(stat_slope(values, 1001), 0.25, 1e-12);
    mem_free(values);
}

/* --- marks --- */

static const char output[] =
    "noise ppcase work_seconds 7\nppcase work_seconds 1.5\r\nppcase work_seconds\n"
    "ppcase work_seconds nan\nppcase work_seconds -2\nppcase work_seconds 0x3\n"
    "ppcase step_seconds 0.5 x 0.25\nppcase work_rounds 12\nppcase ready 2\nppcase ready 3\nppcas\nppcase exact sha256:bb\nppcase digest "
    "sha256:aa\nppcase values -1 2e3\nppcase ready \xff\nppcase  ready 9\nppcase work_rss_before_kb 4";

static void check_output(const struct bench_marks *m)
{
    assert_float_equal(m->work_seconds, 1.5, 0);
    assert_float_equal(m->ready, 3, 0);
    assert_float_equal(m->work_rounds, 12, 0);
    assert_int_equal(m->step_seconds.n, 2);
    assert_float_equal(m->step_seconds.at[1], 0.25, 0);
    assert_int_equal(m->values.n, 2);
    assert_float_equal(m->values.at[1], 2000, 0);
    assert_string_equal(m->digest, "sha256:aa");
    assert_string_equal(m->exact, "sha256:bb");
    assert_true(isnan(m->work_rss_before_kb)); /* its line has not ended */
}

TEST(reads_marks_cut_anywhere)
{
    const size_t len = sizeof output - 1;

    for (size_t cut = 0; cut <= len; cut++) {
        struct bench_marks m;
        bench_marks_init(&m);
        bench_marks_feed(&m, (struct span){output, cut});
        bench_marks_feed(&m, (struct span){output + cut, len - cut});
        check_output(&m);
        bench_marks_clear(&m);
    }
}

TEST(holds_no_endless_line)
{
    struct bench_marks m;
    struct buf block = {0};

    bench_marks_init(&m);
    buf_add_text(&block, "ppcase values ");
    while (block.len < 100000)
        buf_add_text(&block, "1 ");
    for (int i = 0; i < 100; i++)
        bench_marks_feed(&m, buf_span(&block));
    assert_true(m.line.capacity <= 4 * BENCH_LINE_MAX);
    bench_marks_feed(&m, SPAN("\nppcase ready 1\n"));
    assert_int_equal(m.values.n, 0);
    assert_float_equal(m.ready, 1, 0);
    bench_marks_clear(&m);
    buf_clear(&block);
}

/* --- cases --- */

static const char whole[] =
    "# a case\n[case]\nproblem_id = 12_1\nsummary = s\nfix = f\n[measure]\nmetric = hang\n[needs]\n"
    "tensorflow = 1\ngpu = no\nreason =\n[limits]\nseconds = 7\nmemory_mb = 9\n[digest]\n"
    "tolerance = 1e-4\n";

TEST(reads_a_case)
{
    struct bench_case c;
    struct arena arena = {0};
    struct err e;

    assert_int_equal(bench_case_read(&c, "12_1", SPAN(whole), "case.ini", &arena, &e), ST_OK);
    assert_string_equal(c.id, "12_1");
    assert_int_equal(c.metric, BENCH_HANG);
    assert_int_equal(c.tensorflow, 1);
    assert_int_equal(c.seconds, 7);
    assert_int_equal(c.memory_mb, 9);
    assert_false(c.exact);
    assert_string_equal(c.costly, "");
    assert_float_equal(c.tolerance, 1e-4, 0);
    arena_clear(&arena);
}

TEST(reads_a_case_for_pytorch)
{
    static const char *const lines[] = {"", "pytorch = 1\n", "pytorch = 2\n"};

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        struct bench_case c;
        struct arena arena = {0};
        struct err e;
        struct buf text = {0};
        buf_addf(&text, "%s[needs]\n%s", whole, lines[i]);
        assert_int_equal(bench_case_read(&c, "12_1", buf_span(&text), "case.ini", &arena, &e), ST_OK);
        assert_int_equal(c.pytorch, i);
        buf_clear(&text);
        arena_clear(&arena);
    }
}

TEST(reads_where_a_case_is_from)
{
    static const char *const origins[][2] = {
        {"", NULL},
        {"[origin]\nfidelity = faithful\ncertainty = high\nmade_from = title\n", NULL},
        {"[origin]\nfidelity = stand-in\nreason = another release\n", NULL},
        {"[origin]\nfidelity = stand-in\n", "case.ini: a stand-in needs a reason"},
        {"[origin]\nfidelity = likely\n", "case.ini:18: fidelity = likely: expected faithful or"},
        {"[origin]\ncertainty = 9\n", "case.ini:18: certainty = 9: expected high, medium or low"},
    };
    static const enum bench_fidelity wanted[] = {BENCH_FIDELITY_UNKNOWN, BENCH_FAITHFUL, BENCH_STAND_IN, 0, 0, 0};

    for (size_t i = 0; i < ARRAY_LEN(origins); i++) {
        struct bench_case c = {.id = ""};
        struct arena arena = {0};
        struct err e = {0};
        struct buf text = {0};
        buf_addf(&text, "%s%s", whole, origins[i][0]);
        enum status status = bench_case_read(&c, "12_1", buf_span(&text), "case.ini", &arena, &e);
        if (origins[i][1] == NULL) {
            assert_int_equal(status, ST_OK);
            assert_int_equal(c.fidelity, wanted[i]);
        } else {
            assert_int_equal(status, ST_INPUT);
            assert_int_equal(strncmp(e.text, origins[i][1], strlen(origins[i][1])), 0);
        }
        buf_clear(&text);
        arena_clear(&arena);
    }
}

/* `old` becomes `new` in the case; the words of the error begin with `wanted`. */
TEST(refuses_bad_cases)
{
    static const char *const changes[][3] = {
        {"12_1", "12_2", "case.ini:3: problem_id = 12_2: expected the name of the folder"},
        {"metric = hang", "metric = hangs", "case.ini:7: metric = hangs: expected one of cpu_time"},
        {"[needs]", "[need]", "case.ini:8: unknown section [need]"},
        {"gpu = no", "gpu = maybe", "case.ini:10: gpu = maybe: expected yes or no"},
        {"tensorflow = 1", "pytorch = 3", "case.ini:9: pytorch = 3: expected 1 or 2"},
        {"tensorflow = 1", "tensorflow = 3", "case.ini:9: tensorflow = 3: expected 1 or 2"},
        {"gpu = no", "cpu = no", "case.ini:10: unknown key 'cpu' in [needs]; its keys are: tens"},
        {"seconds = 7", "seconds = 0", "case.ini:13: seconds = 0: expected whole seconds"},
        {"seconds = 7", "seconds = 99999999999999999999", "case.ini:13: seconds = 9999"},
        {"memory_mb = 9", "seconds = 9", "case.ini:14: 'seconds' is given twice"},
        {"memory_mb = 9", "", "case.ini: 'memory_mb' is missing"},
        {"fix = f", "fix =", "case.ini:5: 'fix' has no value"},
        {"fix = f", "fix", "case.ini:5: expected '[section]'"},
        {"# a case\n[case]", "a = b", "case.ini:1: expected '[section]'"},
        {"1e-4", "1", "case.ini:16: tolerance = 1: expected exact"},
        {"1e-4", "nan", "case.ini:16: tolerance = nan: expected exact"},
        {"# a case", "# \xff", "case.ini: not UTF-8 text"},
        {"tolerance = 1e-4", "small = 9", "case.ini:16: small = 9: expected NAME = VALUE"},
    };

    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        struct bench_case c;
        struct arena arena = {0};
        struct err e = {0};
        struct buf text = {0};
        size_t at = span_find(SPAN(whole), span_of(changes[i][0]));
        buf_add(&text, whole, at);
        buf_add_text(&text, changes[i][1]);
        buf_add_text(&text, whole + at + strlen(changes[i][0]));
        assert_int_equal(bench_case_read(&c, "12_1", buf_span(&text), "case.ini", &arena, &e), ST_INPUT);
        if (strncmp(e.text, changes[i][2], strlen(changes[i][2])) != 0)
            fail_msg("%s\nexpected: %s…", e.text, changes[i][2]);
        arena_clear(&arena);
        buf_clear(&text);
    }
}

/* --- verdicts --- */

TEST(judges_by_the_interval)
{
    /* The medians' ratio is 2 each time; the second's interval reaches below 1.2. */
    static const double buggy[2][3] = {{2, 2.1, 1.9}, {2, 1, 3}};
    static const enum bench_verdict wanted[] = {BENCH_REPRODUCED, BENCH_NOT_REPRODUCED};
    const struct bench_case c = {.id = "1", .metric = BENCH_TIME, .exact = true};

    for (int k = 0; k < 2; k++) {
        struct bench_result r = {.seed = 1};
        for (int side = 0; side < BENCH_SIDES; side++) {
            r.runs[side] = mem_zero(3, sizeof *r.runs[side]);
            r.n_runs[side] = 3;
            for (int i = 0; i < 3; i++) {
                r.runs[side][i].metric = side == BENCH_BUGGY ? buggy[k][i] : 1;
                memcpy(r.runs[side][i].digest, "a", 2);
            }
        }
        bench_judge(&c, &r);
        assert_float_equal(r.ratio.ratio, 2, 0);
        assert_int_equal(r.verdict, wanted[k]);
        bench_result_clear(&r);
    }
}

/* One run of each side has no interval, and nothing is called reproduced. */
TEST(does_not_judge_by_one_run)
{
    static const enum bench_metric metrics[] = {BENCH_TIME, BENCH_HANG};

    for (size_t k = 0; k < ARRAY_LEN(metrics); k++) {
        const struct bench_case c = {.id = "1", .metric = metrics[k], .exact = true};
        struct bench_result r = {.seed = 1};
        for (int side = 0; side < BENCH_SIDES; side++) {
            struct bench_run run = {.metric = side == BENCH_BUGGY ? 9 : 1, .digest = "a"};
            if (side == BENCH_BUGGY && metrics[k] == BENCH_HANG)
                run.end = BENCH_TIMED_OUT;
            r.runs[side] = mem_zero(1, sizeof run);
            r.runs[side][r.n_runs[side]++] = run;
        }
        bench_judge(&c, &r);
        assert_int_equal(r.verdict, BENCH_NOT_REPRODUCED);
        assert_true(isnan(r.ratio.low) && isnan(r.ratio.high));
        assert_non_null(strstr(r.why, "a verdict needs at least 2 runs of each"));
        bench_result_clear(&r);
    }
}

/* A tolerance is on what floating point rounds: not on how many numbers there are, nor on a count. */
TEST(compares_what_is_exact_exactly)
{
    const struct bench_case c = {.id = "1", .tolerance = 0.1};
    double one[] = {1, 2}, other[] = {1.05, 2};
    struct bench_run a = {.digest = "a", .exact = "x", .values = {.at = one, .n = 2}};
    struct bench_run b = {.digest = "b", .exact = "x", .values = {.at = other, .n = 2}};

    assert_true(bench_runs_agree(&c, &a, &b));
    b.exact[0] = 'y';
    assert_false(bench_runs_agree(&c, &a, &b));
}

/* What is timed for less than 0.2 s in all its rounds is said to be little. */
TEST(notes_what_is_too_short)
{
    static const struct {
        double seconds;
        uint64_t rounds;
        bool is_short;
    } fixed[] = {{0.19, 1, true}, {0.2, 1, false}, {0.001, 199, true}, {0.001, 201, false}};
    const struct bench_case c = {.id = "1", .metric = BENCH_WORK_TIME, .exact = true};

    for (size_t k = 0; k < ARRAY_LEN(fixed); k++) {
        struct bench_result r = {.seed = 1};
        for (int side = 0; side < BENCH_SIDES; side++) {
            struct bench_run run = {.metric = 2 - side, .digest = "a", .work_rounds = 1, .work_seconds = 3};
            if (side == BENCH_FIXED) {
                run.work_seconds = fixed[k].seconds;
                run.work_rounds = fixed[k].rounds;
            }
            r.runs[side] = mem_zero(1, sizeof run);
            r.runs[side][r.n_runs[side]++] = run;
        }
        bench_judge(&c, &r);
        assert_int_equal(strstr(r.why, "s of fixed.py are timed") != NULL, fixed[k].is_short);
        bench_result_clear(&r);
    }
}

/* A time below a millisecond is noise, unless many of them were timed. */
TEST(a_time_of_many_rounds_has_a_lower_floor)
{
    struct bench_process p = {.marks = {.work_seconds = 0.0003, .work_rounds = NAN}};

    assert_float_equal(bench_metric_of(BENCH_WORK_TIME, &p), 0.001, 0);
    p.marks.work_rounds = 600;
    assert_float_equal(bench_metric_of(BENCH_WORK_TIME, &p), 0.0003, 0);
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
