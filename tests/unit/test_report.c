/* report: what is counted, who agrees with whom, and what tables are made of it. */
#include "base/files.h"
#include "label/code_table.h"
#include "label/coding/labels.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct table_list report;
static struct facets facets;    /* of the study that is built in */
static struct report_plan plan; /* likewise */

enum { SYMPTOM = FACET_JUDGES + 1, ROOT_CAUSE, INTRODUCING_STAGE, EXPOSING_STAGE, N_FACETS };

#define assert_near(actual, expected) assert_true(fabs((actual) - (expected)) < 1e-12)

/* --- data --- */

static void add_code(struct report_data *d, int64_t id, const char *facet, const char *category, const char *name)
{
    struct db_code code = {
        .code_id = id, .facet = span_of(facet), .category = span_of(category), .name = span_of(name)};

    report_data_code(d, &code);
}

static void add_codes(struct report_data *d)
{
    add_code(d, 10, "symptom", "Time", "slow");
    add_code(d, 11, "symptom", "Time", "hang");
    add_code(d, 12, "symptom", "Memory", "leak");
    add_code(d, 20, "root cause", "API", "api");
    add_code(d, 21, "root cause", "Data", "data");
    add_code(d, 30, "stage", NULL, "early");
    add_code(d, 31, "stage", NULL, "late");
    add_code(d, 32, "stage", NULL, "Unknown");
    add_code(d, 40, "mood", NULL, "of no facet");
}

struct row {
    int64_t post_id, symptom1, symptom2, cause, from, to;
    const char *date, *tags;
};

static void add_rows(struct report_data *d, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct row *row = &rows[i];
        int64_t symptoms[] = {row->symptom1, row->symptom2};
        struct db_problem p = {
            .post_id = row->post_id,
            .created_at = span_of(row->date),
            .tags = span_of(row->tags),
            .codes = {[SYMPTOM] = {symptoms, row->symptom2 != 0 ? 2 : row->symptom1 != 0},
                      [ROOT_CAUSE] = {&row->cause, row->cause != 0},
                      [INTRODUCING_STAGE] = {&row->from, 1},
                      [EXPOSING_STAGE] = {&row->to, 1}},
        };
        report_data_problem(d, &p);
    }
}

static const struct row rows[] = {
    {1, 10, 11, 20, 30, 31, "2020-01-01T00:00:00.000Z", "[\"keras\",\"c++\"]"},
    {1, 10, 12, 20, 30, 30, "2020-01-01T00:00:00.000Z", "[\"keras\",\"c++\"]"},
    {2, 12, 10, 21, 31, 30, "2019-05-01", "[\"keras\"]"},
    {3, 10, 10, 0, 32, 32, NULL, "[]"},
    {4, 0, 0, 21, 32, 31, "soon", NULL},
};

static const struct table *tables_of(const char *id, enum report_by by)
{
    struct report_data d = {.facets = &facets};
    struct report_wanted wanted = {.questions = ~0U, .table = id, .by = by, .confidence = 0.95};

    table_list_clear(&report);
    add_codes(&d);
    add_rows(&d, rows, ARRAY_LEN(rows));
    report_study(&report, &d, &plan, &wanted);
    report_data_clear(&d);
    assert_int_equal(report.n, 1);
    assert_string_equal(report.tables[0]->id, id);
    return report.tables[0];
}

static size_t column(const struct table *t, const char *name)
{
    size_t i = 0;

    while (i < t->n_columns && strcmp(t->columns[i].name, name) != 0)
        i++;
    assert_true(i < t->n_columns);
    return i;
}

static int64_t number(const struct table *t, size_t row, const char *name)
{
    assert_true(row < table_rows(t));
    return table_cell_at(t, row, column(t, name))->integer;
}

#define assert_text(t, row, name, expected) \
    assert_true(span_eq(table_cell_at((t), (row), column((t), (name)))->text, span_of(expected)))

static void symptoms(void **state)
{
    const struct table *t = tables_of("rq1-category", REPORT_BY_NOTHING);

    (void)state;
    assert_int_equal(table_rows(t), 2);
    assert_text(t, 0, "category", "Time");
    assert_int_equal(number(t, 0, "n"), 3);
    assert_int_equal(number(t, 0, "any"), 4);    /* slow + hang of one problem is one */
    assert_int_equal(number(t, 0, "labels"), 5); /* slow, slow again is one label */
    assert_int_equal(number(t, 1, "n"), 1);
    assert_int_equal(number(t, 1, "any"), 2);
    /* Of the four problems that have a symptom. */
    assert_near(table_cell_at(t, 0, column(t, "share"))->real, 0.75);
    assert_near(table_cell_at(t, 0, column(t, "any_share"))->real, 1);
    assert_true(span_find(t->note, SPAN("no label: 1.")) != SIZE_MAX);

    t = tables_of("rq1-code", REPORT_BY_NOTHING);
    assert_text(t, 1, "code", "hang"); /* nobody's first symptom, but somebody's second */
    assert_int_equal(number(t, 1, "n"), 0);
    assert_int_equal(number(t, 1, "any"), 1);
}

static void stages(void **state)
{
    const struct table *t = tables_of("rq3-order", REPORT_BY_NOTHING);
    static const int64_t expected[][2] = {{2, 5}, {1, 3}, {1, 3}, {1, 3}, {2, 5}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        assert_int_equal(number(t, i, "n"), expected[i][0]);
        assert_int_equal(number(t, i, "of"), expected[i][1]);
    }
    t = tables_of("rq3-matrix", REPORT_BY_NOTHING);
    assert_int_equal(number(t, 0, "early"), 1);
    assert_int_equal(number(t, 0, "late"), 1);
    assert_int_equal(number(t, 2, "late"), 1);
    assert_int_equal(number(t, 2, "total"), 2);
}

static void groups(void **state)
{
    const struct table *t = tables_of("rq2-category", REPORT_BY_TAG);

    (void)state;
    assert_text(t, 0, "tag", "keras"); /* the largest group first */
    assert_text(t, 0, "category", "API");
    assert_int_equal(number(t, 0, "n"), 2);
    assert_text(t, 1, "category", "Data");
    assert_text(t, 2, "tag", "c++");
    assert_text(t, 3, "tag", "(unknown)");
    assert_int_equal(table_rows(t), 4); /* what has no tags at all has no root cause */

    t = tables_of("rq2-category", REPORT_BY_YEAR);
    assert_text(t, 0, "year", "(unknown)");
    assert_text(t, 2, "year", "2019");
    assert_int_equal(number(t, 2, "n"), 0); /* a year has a row for each category */
    assert_int_equal(table_rows(t), 6);

    t = tables_of("year", REPORT_BY_NOTHING);
    assert_text(t, 2, "year", "2020");
    assert_int_equal(number(t, 2, "n"), 2);
    assert_int_equal(number(t, 2, "posts"), 1);
}

static void approaches(void **state)
{
    static const char *const given[][3] = {
        {"1", "tool", "not applied"},      {"1", "documentation", "not solved"},
        {"2_1", "tool", "not solved"},     {"2_1", "documentation", "not solved"},
        {"2", "tool", "partially solved"}, {"2", "documentation", "partially solved"},
    };
    struct report_data d = {.facets = &facets};
    struct report_wanted wanted = {.questions = 1U << 4, .confidence = 0.95};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(given); i++) {
        struct db_assessment a = {
            .problem_id = span_of(given[i][0]), .approach = span_of(given[i][1]), .status = span_of(given[i][2])};
        report_data_assessment(&d, &a);
    }
    table_list_clear(&report);
    report_study(&report, &d, &plan, &wanted);
    const struct table *t = report.tables[0];
    assert_int_equal(number(t, 0, "applied"), 2);
    assert_int_equal(number(t, 0, "partially_solved"), 1);
    assert_int_equal(number(t, 1, "applied"), 1); /* it says something about one problem */
    assert_text(t, 2, "approach", "any approach");
    assert_int_equal(number(t, 2, "problems"), 3);
    assert_int_equal(number(t, 2, "not_applied"), 1);
    assert_int_equal(number(t, 2, "not_solved"), 1);
    report_data_clear(&d);
}

static void count_one(void *ctx, struct span problem_id, int64_t post_id)
{
    (void)problem_id;
    (void)post_id;
    ++*(size_t *)ctx;
}

/* Such an approach may come from another database; its cells have each problem once. */
static void approach_called_any(void **state)
{
    static const char *const problems[] = {"1", "2", "3"};
    struct report_data d = {.facets = &facets};
    struct report_wanted wanted = {.questions = 1U << 4, .confidence = 0.95};
    struct report_cell cell;
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(problems); i++)
        report_data_assessment(&d, &(struct db_assessment){.problem_id = span_of(problems[i]),
                                                           .approach = SPAN("any approach"),
                                                           .status = SPAN("not solved")});
    table_list_clear(&report);
    report_study(&report, &d, &plan, &wanted);
    assert_true(report_cell_find(&cell, &d, &plan, REPORT_BY_NOTHING, report.tables[0], 0, SPAN("problems")));
    report_cell_each(&d, &cell, count_one, &n);
    assert_int_equal(n, 3);
    report_data_clear(&d);
}

/* Tables of a study without labels are empty, and every test says why there is none. */
static void nothing(void **state)
{
    struct report_data d = {.facets = &facets};
    struct report_wanted wanted = {.questions = ~0U, .confidence = 0.95};

    (void)state;
    table_list_clear(&report);
    report_study(&report, &d, &plan, &wanted);
    for (size_t i = 0; plan.ids[i] != NULL; i++) {
        assert_string_equal(report.tables[i]->id, plan.ids[i]);
        assert_int_equal(report.tables[i]->n_cells % report.tables[i]->n_columns, 0);
    }
    const struct table *t = report.tables[11];
    assert_string_equal(t->id, "tests");
    assert_int_equal(table_cell_at(t, 0, column(t, "chi_square_p"))->is, TABLE_ABSENT);
    assert_true(table_cell_at(t, 0, column(t, "used"))->text.len > 0);
}

/* --- agreement --- */

static void rate(struct report_ratings *r, const char *subject, const char *coder, int first, int second)
{
    size_t at = report_ratings_subject(r, span_of(subject));
    int32_t codes[] = {first, second};

    report_ratings_add(r, at, report_ratings_coder(r, span_of(coder)), codes, second >= 0 ? 2 : 1);
}

static void sets_of_symptoms(void **state)
{
    struct report_ratings r = {.facet = "symptom", .plural = SPAN("Symptoms"), .most = 2};
    struct report_agreement wanted = {.confusion = true, .disagreements = true};

    (void)state;
    table_list_clear(&report);
    for (int i = 0; i < 3; i++)
        report_ratings_code(&r, span_of(&"a\0b\0c"[2 * i]));
    rate(&r, "1", "x", 0, 1);
    rate(&r, "1", "y", 1, 0); /* the same set */
    rate(&r, "2", "x", 0, 1);
    rate(&r, "2", "y", 0, -1); /* half */
    rate(&r, "3", "x", 2, 2);
    rate(&r, "3", "y", 2, -1);
    rate(&r, "4", "x", 2, -1);
    assert_true(report_agree(&report, &r, 1, &wanted));
    const struct table *t = report.tables[0];
    assert_int_equal(number(t, 0, "n"), 3);
    assert_near(table_cell_at(t, 0, column(t, "observed"))->real, 2.0 / 3);
    assert_true(span_find(t->note, SPAN("any order")) != SIZE_MAX);
    t = report.tables[1];
    assert_string_equal(t->id, "measures");
    assert_text(t, 0, "measure", "percent agreement");
    assert_text(t, 1, "measure", "Gwet's AC1");
    t = report.tables[2];
    assert_string_equal(t->id, "coders");
    assert_int_equal(table_rows(t), 3); /* Fleiss of complete subjects, alpha, and with MASI */
    assert_int_equal(number(t, 0, "subjects"), 3);
    assert_int_equal(number(t, 0, "left_out"), 1);
    assert_text(t, 2, "measure", "alpha, MASI distance");
    assert_true(table_cell_at(t, 2, column(t, "value"))->real > table_cell_at(t, 1, column(t, "value"))->real);
    t = report.tables[3];
    assert_string_equal(t->id, "disagreements");
    assert_int_equal(table_rows(t), 1);
    assert_text(t, 0, "code_a", "a + b");
    assert_string_equal(report.tables[4]->id, "confusion-symptom");
    report_ratings_clear(&r);
}

static void expect_order(const struct span *texts, size_t n, const char *wanted)
{
    struct buf order = {0};

    for (size_t i = 0; i < n; i++)
        buf_addf(&order, "%.*s ", (int)texts[i].len, texts[i].ptr);
    assert_string_equal(buf_cstr(&order), wanted);
    buf_clear(&order);
}

/* As bytes have them, to the order of posts and problems; each rating keeps what it says. */
static void sorts_subjects_and_coders(void **state)
{
    static const char *const subjects[] = {"1000_10", "1000_2", "1000_9", "20", "9", "", "x", "009"};
    struct report_ratings r = {.facet = "symptom"};

    (void)state;
    report_ratings_sort(&r, false); /* nothing yet */
    for (int i = 0; i < (int)ARRAY_LEN(subjects); i++) {
        rate(&r, subjects[i], "y", i, -1);
        rate(&r, subjects[i], "b", i, -1);
    }
    rate(&r, "30", "", 8, -1);
    report_ratings_sort(&r, true);
    expect_order(r.subjects, r.n_subjects, " x 9 009 20 30 1000_2 1000_9 1000_10 ");
    expect_order(r.coders, r.n_coders, "y b  ");
    report_ratings_sort(&r, false);
    expect_order(r.subjects, r.n_subjects, " x 9 009 20 30 1000_2 1000_9 1000_10 ");
    expect_order(r.coders, r.n_coders, " b y ");
    for (size_t i = 0; i < r.n_ratings; i++) {
        const struct report_rating *rating = &r.ratings[i];
        int32_t code = r.sets[rating->set].codes[0];
        const char *subject = code < 8 ? subjects[code] : "30";
        assert_true(span_eq(r.subjects[rating->subject], span_of(subject)));
        const char *coder = code == 8 ? "" : i % 2 == 0 ? "y" : "b";
        assert_true(span_eq(r.coders[rating->coder], span_of(coder)));
    }
    report_ratings_clear(&r);
}

static void nobody_agrees(void **state)
{
    struct report_ratings r = {.facet = "symptom"};
    struct report_agreement wanted = {.measures = 0};

    (void)state;
    table_list_clear(&report);
    assert_false(report_agree(&report, &r, 1, &wanted));
    assert_int_equal(table_rows(report.tables[0]), 0);
    report_ratings_code(&r, SPAN("a"));
    rate(&r, "1", "x", 0, -1);
    table_list_clear(&report);
    assert_false(report_agree(&report, &r, 1, &wanted));
    report_ratings_clear(&r);
}

static void limits(void **state)
{
    struct report_ratings r = {.facet = "symptom"};
    char name[16];

    (void)state;
    for (int i = 0; i < REPORT_RATED_CODES_MAX; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_int_equal(report_ratings_code(&r, span_of(name)), i);
    }
    assert_int_equal(report_ratings_code(&r, SPAN("one more")), SIZE_MAX);
    assert_int_equal(report_ratings_code(&r, SPAN("7")), 7);
    report_ratings_clear(&r);
}

/* --- many --- */

static void many_problems(void **state)
{
    struct report_data d = {.facets = &facets};
    struct report_wanted wanted = {.questions = ~0U, .confidence = 0.95};

    (void)state;
    add_codes(&d);
    for (int i = 0; i < 100000; i++) {
        /* clang-format off */
        struct row row = {i / 2, 10 + i % 3, i % 7 ? 0 : 11, 20 + i % 2, 30 + i % 3, 30 + i % 2,
                          i % 5 ? "2019-05-01" : "2020-05-01", "[\"keras\",\"python\",\"gpu\"]"};
        /* clang-format on */
        add_rows(&d, &row, 1);
    }
    double start = time_monotonic();
    table_list_clear(&report);
    report_study(&report, &d, &plan, &wanted);
    assert_int_equal(number(report.tables[0], 0, "n"), 100000);
    assert_int_equal(number(report.tables[0], 1, "n"), 50000);
    wanted.by = REPORT_BY_TAG;
    report_study(&report, &d, &plan, &wanted);
    if (getenv("TEST_WRAPPER") == NULL || getenv("TEST_WRAPPER")[0] == '\0')
        assert_true(time_monotonic() - start < 5); /* 0.1 s where nothing else runs */
    report_data_clear(&d);
}

static int prepare(void **state)
{
    struct study none = {0};
    struct err e;

    (void)state;
    return facets_of_study(&facets, &none, &e) == ST_OK && report_plan_of_db(&plan, NULL, &e) == ST_OK ? 0 : -1;
}

static int clean(void **state)
{
    (void)state;
    report_plan_clear(&plan);
    facets_clear(&facets);
    table_list_clear(&report);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symptoms),
        cmocka_unit_test(stages),
        cmocka_unit_test(groups),
        cmocka_unit_test(approaches),
        cmocka_unit_test(approach_called_any),
        cmocka_unit_test(nothing),
        cmocka_unit_test(sets_of_symptoms),
        cmocka_unit_test(nobody_agrees),
        cmocka_unit_test(limits),
        cmocka_unit_test(many_problems),
        cmocka_unit_test(sorts_subjects_and_coders),
    };

    return cmocka_run_group_tests_name("report", tests, prepare, clean);
}
