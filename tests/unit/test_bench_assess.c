/* bench: the grades of approaches, by tables; the log of compilations. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

/* --- XLA --- */

/* Figures are buggy, fixed, the worst of fixed, with XLA, and that without compiling. */
static const struct {
    enum bench_metric metric;
    enum bench_grade wanted;
    double buggy, fixed, worst, figure, net, buggy_work, work;
    const char *why; /* a part of it */
} xla_rows[] = {
    /* As good as fixed; 1.2 times it is, too, and what is above is not. */
    {BENCH_WORK_TIME, BENCH_SOLVED, 9, 1, 1, 1, 1, 9, 1, "9.00 times better"},
    {BENCH_WORK_TIME, BENCH_SOLVED, 9, 1, 1, 1.2, 1.2, 9, 1, "fixed: 9.00"},
    {BENCH_WORK_TIME, BENCH_PARTLY_SOLVED, 9, 1, 1, 1.21, 1.21, 9, 1, ""},
    /* The slowest of fixed may be further away. */
    {BENCH_WORK_TIME, BENCH_SOLVED, 9, 1, 1.5, 1.5, 1.5, 9, 1, ""},
    /* A third of the way from 8 to 1, on a log scale, is 4. */
    {BENCH_WORK_TIME, BENCH_PARTLY_SOLVED, 8, 1, 1, 3.99, 3.99, 8, 1, "2.01 times better"},
    {BENCH_WORK_TIME, BENCH_NOT_SOLVED, 8, 1, 1, 4.01, 4.01, 8, 1, ""},
    {BENCH_WORK_TIME, BENCH_NOT_SOLVED, 8, 1, 1, 16, 16, 8, 1, "0.50 times better"},
    /* Compiling took most of it: at a third of the way it is still solved, behind that in part. */
    {BENCH_WORK_TIME, BENCH_SOLVED, 8, 1, 1, 3.99, 1, 8, 4, "8.00 times better with XLA, 2.01 with"},
    {BENCH_WORK_TIME, BENCH_PARTLY_SOLVED, 8, 1, 1, 20, 1, 8, 20, "0.40 with its compiling"},
    /* Nothing to solve. */
    {BENCH_WORK_TIME, BENCH_NOT_APPLICABLE, 1.4, 1, 1, 1, 1, 1, 1, "1.40 here"},
    {BENCH_WORK_TIME, BENCH_NOT_APPLICABLE, 1, 2, 2, 1, 1, 1, 1, "0.50 here"},
    {BENCH_PEAK_MEMORY, BENCH_SOLVED, 8000, 1000, 1000, 1000, 1000, 1, 50, ""},
    /* Steps that are all slow do not grow. */
    {BENCH_STEP_GROWTH, BENCH_SOLVED, 4, 1, 1, 1, 1, 10, 11.9, ""},
    {BENCH_STEP_GROWTH, BENCH_NOT_SOLVED, 4, 1, 1, 1, 1, 10, 12.1, "takes 1.2 times as long"},
    {BENCH_MEMORY_GROWTH, BENCH_NOT_SOLVED, 4, 1, 1, 1, 1, 10, 90, "takes 9.0 times as long"},
    /* Figures that are none. */
    {BENCH_WORK_TIME, BENCH_NOT_APPLICABLE, 8, 1, 1, NAN, NAN, 8, 1, "no figures"},
    {BENCH_WORK_TIME, BENCH_NOT_APPLICABLE, NAN, 1, 1, 1, 1, 8, 1, "nothing to solve"},
};

static void check_opinion(size_t row, struct bench_opinion got, enum bench_grade wanted, const char *why)
{
    if (got.grade != wanted || strstr(got.why, why) == NULL)
        fail_msg("row %zu: %s (%s), expected: %s (…%s…)", row, bench_grade_names[got.grade], got.why,
                 bench_grade_names[wanted], why);
}

TEST(grades_xla_by_its_figures)
{
    for (size_t i = 0; i < ARRAY_LEN(xla_rows); i++) {
        const struct bench_case c = {.metric = xla_rows[i].metric};
        /* clang-format off */
        const struct bench_xla x = {
            .way = BENCH_XLA_CLUSTERS, .compilations = 2, .buggy = xla_rows[i].buggy,
            .fixed = xla_rows[i].fixed, .fixed_worst = xla_rows[i].worst,
            .figure = xla_rows[i].figure, .net = xla_rows[i].net,
            .buggy_work = xla_rows[i].buggy_work, .work = xla_rows[i].work,
        };
        /* clang-format on */
        check_opinion(i, bench_judge_xla(&c, &x), xla_rows[i].wanted, xla_rows[i].why);
    }
}

TEST(grades_xla_without_figures)
{
    static const struct {
        enum bench_metric metric;
        enum bench_grade wanted;
        struct bench_xla x;
        const char *why;
    } rows[] = {
        {BENCH_WORK_TIME, BENCH_NOT_APPLICABLE, {.way = BENCH_PLAIN}, "XLA compiled nothing"},
        {BENCH_HANG, BENCH_NOT_APPLICABLE, {.way = BENCH_PLAIN, .fails_so = true}, "nothing"},
        {BENCH_WORK_TIME,
         BENCH_NOT_APPLICABLE,
         {.way = BENCH_PLAIN, .failed = true, .said = "signal 11"},
         "failed under XLA: signal 11"},
        {BENCH_HANG,
         BENCH_NOT_SOLVED,
         {.way = BENCH_XLA_FUNCTIONS, .fails_so = true},
         "runs into the time limit as well"},
        {BENCH_HANG, BENCH_SOLVED, {.way = BENCH_XLA_FUNCTIONS}, "no longer"},
        {BENCH_EXHAUSTION, BENCH_NOT_SOLVED, {.way = BENCH_XLA_CLUSTERS, .fails_so = true}, "lacks memory as well"},
        {BENCH_WORK_TIME,
         BENCH_NOT_SOLVED,
         {.way = BENCH_XLA_CLUSTERS, .differs = true, .buggy = 9, .fixed = 1},
         "something else"},
        {BENCH_STEP_GROWTH,
         BENCH_NOT_SOLVED,
         {.way = BENCH_XLA_CLUSTERS, .too_long = true, .compilations = 70, .said = "still running after 9 s"},
         "still running after 9 s, after 70 compilations"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct bench_case c = {.metric = rows[i].metric};
        check_opinion(i, bench_judge_xla(&c, &rows[i].x), rows[i].wanted, rows[i].why);
    }
}

/* --- the Profiler --- */

enum { SEEN_MAX = 13 };

TEST(grades_the_profiler_by_places)
{
    static const struct {
        const char *costly, *entries; /* separated by blanks; "_" in `eager_execution` is a blank */
        enum bench_grade wanted;
        size_t place;
    } rows[] = {
        {"MatMul", "MatMul Relu", BENCH_SOLVED, 1},
        {"MatMul", "A B _MklNativeFusedMatMul", BENCH_SOLVED, 3},
        {"MatMul", "A B C _FusedMatMul", BENCH_PARTLY_SOLVED, 4},
        {"Iterator::Map, MatMul", "A B C D E F G H I MatMul", BENCH_PARTLY_SOLVED, 10},
        {"MatMul", "A B C D E F G H I J MatMul", BENCH_NOT_SOLVED, 11},
        {"MatMul", "BatchMatMulV2 MatMulGrad A B", BENCH_NOT_SOLVED, 0},
        {"RandomUniform", "RandomUniformInt A B StatelessRandomUniformV2", BENCH_NOT_SOLVED, 0},
        {"StatelessRandomUniform", "A StatelessRandomUniformV2", BENCH_SOLVED, 2},
        {"GatherV2", "Gather", BENCH_SOLVED, 1},
        {"Conv2D", "Conv2DBackpropFilter A B C D E F G H I J Conv2D", BENCH_NOT_SOLVED, 12},
        /* What is a stage is no operation, and the other way round. */
        {"Iterator::Map", "Map MapDataset A Iterator::ParallelMapV2", BENCH_PARTLY_SOLVED, 4},
        {"Iterator::Map", "Iterator::MapAndBatch", BENCH_SOLVED, 1},
        {"Iterator::Map", "Iterator::FlatMap", BENCH_NOT_SOLVED, 0},
        {"Map", "Iterator::Map", BENCH_NOT_SOLVED, 0},
        /* The sum takes no place, unless it is what is looked for. */
        {"MatMul", "A eager_execution B MatMul", BENCH_SOLVED, 3},
        {"eager execution", "A eager_execution B", BENCH_SOLVED, 2},
        {"MatMul,", "A", BENCH_NOT_SOLVED, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct bench_case c = {.costly = rows[i].costly, .metric = BENCH_WORK_TIME};
        struct bench_entry entries[SEEN_MAX];
        char names[SEEN_MAX][40];
        struct bench_profile p = {.ran = true, .entries = entries}, nothing = {.ran = true};
        struct span rest = span_of(rows[i].entries), name;
        while (span_cut(&rest, ' ', &name)) {
            bool sum = span_eq(name, SPAN("eager_execution"));
            snprintf(names[p.n], sizeof names[0], "%.*s", (int)name.len, name.ptr);
            entries[p.n] = (struct bench_entry){sum ? "eager execution" : names[p.n], 1, 1};
            p.n++;
        }
        size_t place = 99;
        check_opinion(i, bench_judge_profiles(&c, &p, &nothing, &place, NULL), rows[i].wanted, "");
        if (place != rows[i].place)
            fail_msg("row %zu: place %zu, expected %zu", i, place, rows[i].place);
    }
}

TEST(grades_no_profile)
{
    struct bench_profile p = {.said = "still running after 9 s"};

    check_opinion(0, bench_judge_profiles(&(struct bench_case){.costly = ""}, &p, &p, NULL, NULL), BENCH_NOT_APPLICABLE,
                  "neither an operation nor a stage");
    check_opinion(1, bench_judge_profiles(&(struct bench_case){.costly = "Sum"}, &p, &p, NULL, NULL),
                  BENCH_NOT_APPLICABLE, "no profile: still running after 9 s");
    check_opinion(
        2, bench_judge_profiles(&(struct bench_case){.costly = "Sum", .metric = BENCH_PEAK_MEMORY}, &p, &p, NULL, NULL),
        BENCH_NOT_APPLICABLE, "the symptom is memory");
}

/* What the Profiler lists of both scripts is not the mistake. */
TEST(grades_the_profiler_on_both_sides)
{
    static const struct {
        size_t buggy, fixed; /* places of the costly entry; 0: none */
        enum bench_grade wanted;
    } rows[] = {
        {1, 0, BENCH_SOLVED},         {3, 4, BENCH_SOLVED},      {3, 3, BENCH_NOT_SOLVED}, {1, 2, BENCH_NOT_SOLVED},
        {4, 11, BENCH_PARTLY_SOLVED}, {4, 10, BENCH_NOT_SOLVED}, {0, 1, BENCH_NOT_SOLVED}, {11, 0, BENCH_NOT_SOLVED},
    };
    const struct bench_case c = {.costly = "Sum", .metric = BENCH_WORK_TIME};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bench_entry entries[BENCH_SIDES][SEEN_MAX];
        struct bench_profile p[BENCH_SIDES];
        for (int side = 0; side < BENCH_SIDES; side++) {
            size_t place = side == BENCH_BUGGY ? rows[i].buggy : rows[i].fixed;
            p[side] = (struct bench_profile){.ran = true, .entries = entries[side], .n = SEEN_MAX};
            for (size_t k = 0; k < SEEN_MAX; k++)
                entries[side][k] = (struct bench_entry){k + 1 == place ? "Sum" : "Relu", 1, 1};
        }
        check_opinion(i, bench_judge_profiles(&c, &p[0], &p[1], NULL, NULL), rows[i].wanted, "");
    }
}

/* --- a checker --- */

/* "W1 n2": a warning of rule 1, a note of rule 2. */
static struct bench_finding *findings(const char *text, size_t *n)
{
    static const char *const rules[] = {"R0", "R1", "R2", "R3"};
    struct bench_finding *list = mem_zero(strlen(text) + 1, sizeof *list);
    struct span rest = span_of(text), word;

    for (*n = 0; span_cut(&rest, ' ', &word); (*n)++)
        list[*n] = (struct bench_finding){rules[word.ptr[1] - '0'], word.ptr[0] == 'W'};
    return list;
}

TEST(grades_a_checker_by_what_tells_the_two_apart)
{
    static const struct {
        const char *buggy, *fixed;
        enum bench_grade wanted;
        const char *rule; /* NULL: none */
    } rows[] = {
        {"", "", BENCH_NOT_SOLVED, NULL},           {"W1", "", BENCH_SOLVED, "R1"},
        {"n2 W1", "", BENCH_SOLVED, "R1"},          {"W1", "n2", BENCH_SOLVED, "R1"},
        {"W1", "n1", BENCH_SOLVED, "R1"},           {"W1", "W1", BENCH_NOT_SOLVED, NULL},
        {"W1 W1", "W1", BENCH_PARTLY_SOLVED, "R1"}, {"W1", "W2", BENCH_PARTLY_SOLVED, "R1"},
        {"W2 W1", "W2", BENCH_PARTLY_SOLVED, "R1"}, {"n1", "", BENCH_PARTLY_SOLVED, "R1"},
        {"n1", "W2", BENCH_PARTLY_SOLVED, "R1"},    {"n1", "n1", BENCH_NOT_SOLVED, NULL},
        {"", "W1", BENCH_NOT_SOLVED, NULL},         {"n3", "n3 n3", BENCH_NOT_SOLVED, NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bench_findings f = {{NULL, NULL}, {0, 0}, false};
        const char *rule = "?";
        f.items[BENCH_BUGGY] = findings(rows[i].buggy, &f.n[BENCH_BUGGY]);
        f.items[BENCH_FIXED] = findings(rows[i].fixed, &f.n[BENCH_FIXED]);
        check_opinion(i, bench_judge_findings(&f, &rule), rows[i].wanted, "");
        if (rows[i].rule == NULL ? rule != NULL : rule == NULL || strcmp(rule, rows[i].rule) != 0)
            fail_msg("row %zu: rule %s", i, rule != NULL ? rule : "none");
        f.unreadable = true;
        check_opinion(i, bench_judge_findings(&f, NULL), BENCH_NOT_APPLICABLE, "not be read");
        mem_free(f.items[BENCH_BUGGY]);
        mem_free(f.items[BENCH_FIXED]);
    }
}

/* --- the log --- */

static const char log_text[] =
    "2026-11-21 15:52:59.466049: I tensorflow/x.cc:269] disabling\n"
    "I0000 00:00:1795276379.726835 26048 device_compiler.h:186] Compiled cluster using XLA!\n"
    "2026-11-21 15:52:59.727985: I ./tensorflow/compiler/jit/device_compiler.h:465] Compilation of XLA"
    " executable time: 269 ms (cumulative: 269 ms, max: 269 ms, #called: 1)\n"
    "2026-11-21 15:53:01.000000: I x] Compilation of XLA executable time: 1.5 s (cumulative: 2 s)\n"
    "Compilation of XLA executable time: 83.6 us (at no time)\n"
    "2026-13-99 15:53:01.000000: I x] Compilation of XLA executable time: nonsense\n"
    "2026-11-21 15:53:01.000000: I x] Compilation of XLA executable time: 9 s, but no end of line";

TEST(reads_compilations_cut_anywhere)
{
    size_t len = strlen(log_text);

    for (size_t cut = 0; cut <= len; cut++) {
        struct bench_marks m;
        bench_marks_init(&m);
        bench_marks_feed_log(&m, (struct span){log_text, cut});
        bench_marks_feed_log(&m, (struct span){log_text + cut, len - cut});
        assert_int_equal(m.compile_seconds.n, 4);
        assert_int_equal(m.compiled_at.n, 4);
        assert_float_equal(m.compile_seconds.at[0], 0.269, 1e-12);
        assert_float_equal(m.compile_seconds.at[1], 1.5, 0);
        assert_float_equal(m.compile_seconds.at[2], 83.6e-6, 1e-12);
        assert_float_equal(m.compile_seconds.at[3], 0, 0);
        /* date -u -d '2026-11-21 15:52:59' +%s */
        assert_float_equal(m.compiled_at.at[0], 1795276379.727985, 1e-6);
        assert_true(isnan(m.compiled_at.at[2]));
        bench_marks_clear(&m);
    }
}

/* Gigabytes without an end of line are held for a line's length only. */
TEST(passes_over_long_lines)
{
    struct bench_marks m;
    struct buf block = {0};

    bench_marks_init(&m);
    for (int i = 0; i < 4096; i++)
        buf_addf(&block, "%016d", i);
    for (int i = 0; i < 200; i++)
        bench_marks_feed_log(&m, buf_span(&block));
    assert_true(m.log_line.capacity < 65536);
    bench_marks_feed_log(&m, SPAN("\nCompilation of XLA executable time: 2 s\n"));
    assert_int_equal(m.compile_seconds.n, 1);
    buf_clear(&block);
    bench_marks_clear(&m);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
