/* screen: features, models and stopping are what their formulas say, computed another way. */
#include "screen/learner.h"
#include "base/stat/stat.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const struct screen_text texts[] = {
    {.title = {"Training is slow", 16}, .body = {"slow epochs, slow loading", 25}},
    {.title = {"Import error", 12}, .body = {"the import fails", 16}},
    {.title = {"Slow loading", 12}, .body = {"training epochs and training", 28}},
    {.title = {"Import of a layer", 17}, .body = {"error in the layer", 18}},
    {.title = {"the layer fails", 15}, .body = {"an error", 8}},
    {.title = {"the", 3}, .body = {"", 0}},
};

enum { N = ARRAY_LEN(texts) };

static struct screen_reading reading(void)
{
    return (struct screen_reading){.stemmer = SPAN("nltk"), .settings = screen_settings_default()};
}

static struct screen_matrix *make_matrix(const struct screen_text *from, size_t n)
{
    struct screen_reading how = reading();
    struct screen_builder *b;
    struct err e;

    assert_int_equal(screen_builder_new(&b, &how, n, &e), ST_OK);
    for (size_t i = 0; i < n; i++)
        screen_learn(b, &from[i]);
    for (size_t i = 0; i < n; i++)
        screen_add(b, &from[i]);
    return screen_builder_end(b);
}

/* --- bodies --- */

static void check_body(const char *body, bool only_code, const char *expected)
{
    struct screen_text text = {.body = span_of(body)};
    struct buf out = {0};

    screen_body(&text, only_code, &out);
    assert_string_equal(buf_cstr(&out), expected);
    buf_clear(&out);
}

static void bodies_are_html_or_markdown(void **state)
{
    (void)state;
    check_body("one\ntwo\n\nthree", false, "one two \nthree ");
    check_body("a\r\n```\nx = 1\n```\nb", false, "a \n\nb ");
    check_body("a\n```\nx = 1\n```\nb", true, "\nx = 1\n\n");
    check_body("a <!-- what\nyou see --> b", false, "a   b ");
    check_body("<p>a</p><pre>x</pre>", false, "a");
    check_body("", false, "");
}

/* --- features --- */

static double value_at(const struct screen_matrix *m, size_t row, size_t feature)
{
    for (uint64_t i = m->starts[row]; i < m->starts[row + 1]; i++)
        if (entry_feature(m->entries[i]) == feature)
            return (double)m->scale[row] * (double)entry_weight(m, m->entries[i]);
    return 0;
}

/* Of the first text: "train", "slow" (title: 3 each), "is" once in a title is in one text alone and
 * not a feature; "epoch", "load". Worked out by hand from the formula. */
static void features_are_tf_idf(void **state)
{
    struct screen_matrix *m = make_matrix(texts, N);
    double square = 0, train = 1 + log(3), slow = 1 + log(5), once = 1;
    double idf2 = log(7.0 / 3) + 1;

    (void)state;
    /* slow, train, epoch, load, slow load; import, error, the, layer, fail: in two texts or more */
    assert_int_equal(screen_matrix_rows(m), N);
    assert_int_equal(m->n_features, 11);
    double expected[] = {train * idf2, slow * idf2, once * idf2, once * idf2, once * idf2};
    double length = 0;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        length += expected[i] * expected[i];
    double found = 0, largest = 0;
    for (size_t f = 0; f < m->n_features; f++) {
        double value = value_at(m, 0, f);
        square += value * value;
        found += value;
        largest = value > largest ? value : largest;
    }
    assert_true(fabs(square - 1) < 1e-6);
    assert_true(fabs(largest - slow * idf2 / sqrt(length)) < 1e-6);
    double sum = 0;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        sum += expected[i] / sqrt(length);
    assert_true(fabs(found - sum) < 1e-5);
    screen_matrix_free(m);
}

/* --- models --- */

static const struct screen_judged judged[] = {{0, true}, {1, false}, {2, true}, {3, false}, {4, false}};

static struct screen_question question(const struct screen_matrix *m)
{
    return (struct screen_question){
        .matrix = m, .settings = screen_settings_default(), .seed = 1, .judged = judged, .n_judged = ARRAY_LEN(judged)};
}

/* The derivative of |w|² / 2 + |b|² / 2 + Σ C_i max(0, 1 - y_i (w x_i + b))² is 0 at its least value. */
static void svm_is_at_its_optimum(void **state)
{
    struct screen_matrix *m = make_matrix(texts, N);
    size_t n_features = m->n_features;
    struct screen_question q = question(m);
    struct linear model = {.weights = mem_zero(n_features, sizeof(struct weight))};
    double *gradient = mem_zero(n_features + 1, sizeof *gradient), ratio = q.settings.ratio;
    double find = sqrt(2.0 / 5), other = 2 / (ratio * 3), largest = 0;

    (void)state;
    learn_svm(&q, &model);
    for (size_t f = 0; f < n_features; f++)
        gradient[f] = (double)model.weights[f].machine / (double)m->idf[f];
    gradient[n_features] = model.bias;
    for (size_t i = 0; i < ARRAY_LEN(judged); i++) {
        double y = judged[i].relevant ? 1 : -1, value = model.bias;
        double cost = q.settings.cost * find * (judged[i].relevant ? 1 : other);
        for (size_t f = 0; f < n_features; f++)
            value += (double)model.weights[f].machine / (double)m->idf[f] * value_at(m, judged[i].row, f);
        double margin = 1 - y * value;
        assert_true(margin > 0); /* with so small a C */
        for (size_t f = 0; f <= n_features; f++)
            gradient[f] -= 2 * cost * margin * y * (f == n_features ? 1 : value_at(m, judged[i].row, f));
    }
    for (size_t f = 0; f <= n_features; f++)
        largest = fabs(gradient[f]) > largest ? fabs(gradient[f]) : largest;
    assert_true(largest < 1e-3);
    mem_free(gradient);
    mem_free(model.weights);
    screen_matrix_free(m);
}

static void bayes_is_the_ratio_of_sums(void **state)
{
    struct screen_matrix *m = make_matrix(texts, N);
    size_t n_features = m->n_features;
    struct screen_question q = question(m);
    struct linear model = {.weights = mem_zero(n_features, sizeof(struct weight))};
    double smooth = q.settings.bayes_smooth, weight = 2 / (q.settings.bayes_ratio * 3);
    double sums[2] = {0, 0};

    (void)state;
    learn_bayes(&q, &model);
    for (int class = 0; class < 2; class ++)
        for (size_t f = 0; f < n_features; f++) {
            sums[class] += smooth;
            for (size_t i = 0; i < ARRAY_LEN(judged); i++)
                if (judged[i].relevant == (class == 1))
                    sums[class] += (class == 1 ? 1 : weight) * value_at(m, judged[i].row, f);
        }
    for (size_t f = 0; f < n_features; f++) {
        double of[2] = {smooth, smooth};
        for (size_t i = 0; i < ARRAY_LEN(judged); i++)
            of[judged[i].relevant] += (judged[i].relevant ? 1 : weight) * value_at(m, judged[i].row, f);
        double expected = log(of[1] / sums[1]) - log(of[0] / sums[0]);
        assert_true(fabs((double)model.weights[f].bayes / (double)m->idf[f] - expected) < 1e-5);
    }
    mem_free(model.weights);
    screen_matrix_free(m);
}

/* --- the order --- */

static void scores_do_not_depend_on_the_order_of_judging(void **state)
{
    struct screen_matrix *m = make_matrix(texts, N);
    struct screen_question q = question(m);
    struct screen_judged reversed[3];
    float scores[N], again[N];

    (void)state;
    q.n_judged = ARRAY_LEN(reversed);
    for (size_t i = 0; i < ARRAY_LEN(reversed); i++)
        reversed[i] = judged[ARRAY_LEN(reversed) - 1 - i];
    screen_scores(&q, scores);
    q.judged = reversed;
    screen_scores(&q, again);
    assert_memory_equal(scores, again, sizeof scores);
    assert_true(scores[0] > scores[1] && scores[2] > scores[3]);
    screen_matrix_free(m);
}

/* Of so few rows, all say how far scores are apart: a part scores exactly as it does among them. */
static void a_part_scores_as_among_all(void **state)
{
    static const uint32_t rows[] = {5, 2, 3};
    struct screen_matrix *m = make_matrix(texts, N);
    struct screen_question q = question(m);
    float scores[N], of[ARRAY_LEN(rows)];

    (void)state;
    for (q.n_judged = 0; q.n_judged <= 3; q.n_judged++) {
        screen_scores(&q, scores);
        screen_scores_of(&q, rows, ARRAY_LEN(rows), of);
        for (size_t i = 0; i < ARRAY_LEN(rows); i++)
            assert_true(of[i] == scores[rows[i]]);
    }
    screen_matrix_free(m);
}

static void equal_scores_are_drawn_by_the_seed(void **state)
{
    float scores[1000] = {0};
    bool open[1000] = {false};
    uint32_t first[1000], other[1000];

    (void)state;
    assert_int_equal(screen_best(scores, open, 1000, 1), SIZE_MAX);
    assert_int_equal(screen_best_of(scores, NULL, 1000, 1, first, 1000), 1000);
    assert_int_equal(screen_best_of(scores, NULL, 1000, 2, other, 1000), 1000);
    assert_memory_not_equal(first, other, sizeof first);
    for (size_t i = 0; i < 1000; i++)
        open[first[i]] = true; /* each once */
    for (size_t i = 0; i < 1000; i++)
        assert_true(open[i]);
    /* Of a part, the same first ones. */
    assert_int_equal(screen_best_of(scores, NULL, 1000, 1, other, 7), 7);
    assert_memory_equal(first, other, 7 * sizeof *first);
    scores[321] = 1;
    assert_int_equal(screen_best(scores, NULL, 1000, 1), 321);
}

static void one_class_and_no_text_have_an_order(void **state)
{
    static const struct screen_text nothing[3];
    static const struct screen_judged yes[] = {{0, true}, {2, true}}, no[] = {{1, false}};
    struct screen_matrix *m = make_matrix(texts, N), *empty = make_matrix(nothing, 3);
    struct screen_matrix *none = make_matrix(NULL, 0);
    struct screen_question q = question(m);
    float scores[N];

    (void)state;
    q.judged = yes;
    q.n_judged = 2;
    screen_scores(&q, scores);
    assert_true(scores[0] > scores[1] && scores[2] > scores[4]);
    q.judged = no;
    q.n_judged = 1;
    screen_scores(&q, scores);
    assert_true(scores[0] > scores[1] && scores[2] > scores[3]);
    q = question(empty);
    q.n_judged = 2; /* of both classes, without a feature */
    screen_scores(&q, scores);
    for (size_t i = 0; i < 3; i++)
        assert_true(scores[i] == 0);
    q = question(none);
    q.n_judged = 0;
    screen_scores(&q, scores);
    assert_int_equal(screen_best(scores, NULL, 0, 1), SIZE_MAX);
    screen_matrix_free(m);
    screen_matrix_free(empty);
    screen_matrix_free(none);
}

/* --- the file --- */

static void spoil(const char *path, long at, unsigned char byte)
{
    FILE *f = fopen(path, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    fputc(byte, f);
    fclose(f);
}

static void check_refused(const char *path, const char *key, const char *why)
{
    struct screen_matrix *m;
    const int64_t *ids;
    struct err e;

    assert_int_equal(screen_matrix_load(&m, span_of(key), &ids, path, &e), ST_NO);
    assert_null(m);
    assert_non_null(strstr(e.text, why));
}

enum { HEAD_SIZE = 112 }; /* of the file; its counts are the last 24 bytes */

/* A number of the file that leads out of it, or is in no order, while all sizes are right. */
static void check_number(const char *path, const struct screen_matrix *m, const int64_t *ids, long at, size_t size,
                         uint64_t value)
{
    struct err e;

    assert_int_equal(screen_matrix_save(m, SPAN("key"), ids, path, &e), ST_OK);
    for (size_t i = 0; i < size; i++)
        spoil(path, at + (long)i, (unsigned char)(value >> 8 * i));
    check_refused(path, "key", "damaged");
}

static long padded(size_t size)
{
    return (long)((size + 7) / 8 * 8);
}

static void check_parts(const char *path, const struct screen_matrix *m, const int64_t *ids)
{
    const size_t n_rows = screen_matrix_rows(m), n_features = m->n_features;
    const long starts = HEAD_SIZE, entries = starts + padded((n_rows + 1) * sizeof(uint64_t));
    uint64_t n_entries = 0;
    struct err e;

    assert_int_equal(screen_matrix_save(m, SPAN("key"), ids, path, &e), ST_OK);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, HEAD_SIZE - (long)sizeof n_entries, SEEK_SET), 0);
    assert_int_equal(fread(&n_entries, sizeof n_entries, 1, f), 1);
    fclose(f);
    const long prints = entries + padded(n_entries * sizeof(uint32_t));
    const long numbers = prints + padded(n_features * sizeof(uint64_t));
    check_number(path, m, ids, starts, 8, 1);                 /* the first row begins later */
    check_number(path, m, ids, starts + 8, 8, n_entries + 1); /* a row ends behind all */
    check_number(path, m, ids, starts + 8, 8, UINT64_MAX / 4);
    check_number(path, m, ids, starts + 8 * (long)n_rows, 8, n_entries + 1);
    check_number(path, m, ids, starts + 8 * (long)n_rows, 8, n_entries - 1);
    check_number(path, m, ids, entries, 4, (uint64_t)n_features << 8);
    check_number(path, m, ids, entries, 4, UINT32_MAX);
    check_number(path, m, ids, prints, 8, UINT64_MAX);
    check_number(path, m, ids, prints + 8, 8, 0);
    check_number(path, m, ids, numbers, 4, n_features);
    check_number(path, m, ids, numbers + 4 * ((long)n_features - 1), 4, UINT32_MAX);
}

static void a_file_is_the_same_matrix_or_refused(void **state)
{
    static const char path[] = "matrix.screen";
    static const int64_t wanted[N] = {7, 8, 9, 10, 11, 12};
    struct screen_matrix *m = make_matrix(texts, N), *again;
    struct screen_question q = question(m);
    float scores[N], scores_again[N];
    const int64_t *ids;
    struct err e;

    (void)state;
    unlink(path);
    check_refused(path, "key", "No such file");
    assert_int_equal(screen_matrix_save(m, SPAN("key"), wanted, path, &e), ST_OK);
    assert_int_equal(screen_matrix_load(&again, SPAN("key"), &ids, path, &e), ST_OK);
    assert_memory_equal(ids, wanted, sizeof wanted);
    screen_scores(&q, scores);
    q.matrix = again;
    screen_scores(&q, scores_again);
    assert_memory_equal(scores, scores_again, sizeof scores);
    screen_matrix_free(again);
    check_refused(path, "other", "posts or settings changed since it was made");
    spoil(path, 16, 99);
    check_refused(path, "key", "made by another version");
    assert_int_equal(screen_matrix_save(m, SPAN("key"), wanted, path, &e), ST_OK);
    spoil(path, 88 + 16 + 7, 0xff); /* in `starts` */
    check_refused(path, "key", "damaged");
    check_parts(path, m, wanted);
    assert_int_equal(screen_matrix_save(m, SPAN("key"), wanted, path, &e), ST_OK);
    assert_int_equal(truncate(path, 200), 0);
    check_refused(path, "key", "damaged");
    assert_int_equal(truncate(path, 3), 0);
    check_refused(path, "key", "not a file of ppmine screen");
    unlink(path);
    screen_matrix_free(m);
}

/* --- counts without approximation --- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-15;
}

/* scipy.stats.hypergeom.cdf(k, N, K, n) and nchypergeom_fisher.cdf(k, N, K, n, odds) of SciPy 1.17 */
static void distributions_are_those_of_scipy(void **state)
{
    (void)state;
    assert_true(is_near(hypergeometric_at_most(100, 10, 20, 0), 0.09511627243078839));
    assert_true(is_near(hypergeometric_at_most(100, 10, 20, 3), 0.8904281490407234));
    assert_true(is_near(hypergeometric_at_most(2304, 120, 1500, 70), 0.06805092627281337));
    assert_true(is_near(hypergeometric_odds_at_most(100, 10, 20, 3, 1), 0.8904281490407234));
    assert_true(is_near(hypergeometric_odds_at_most(100, 10, 20, 3, 2.5), 0.4803377925139053));
    assert_true(hypergeometric_at_most(10, 4, 8, 1) == 0);
    assert_true(hypergeometric_at_most(10, 4, 3, 3) == 1);
    assert_true(isnan(hypergeometric_at_most(10, 11, 3, 3)));
    assert_true(binomial_least(0, 10, 0.95) == 0);
    assert_true(fabs(binomial_least(10, 10, 0.95) - pow(0.05, 0.1)) < 1e-12);
}

/* --- stopping --- */

/* In an order that is drawn, the rule errs in no more than 5 % of all cases. */
static void stopping_keeps_its_promise_by_chance_alone(void **state)
{
    enum { TEXTS = 700, RELEVANT = 44, TRIALS = 1000 };
    struct screen_rule rule = {.recall = 0.95, .confidence = 0.95};
    bool relevant[TEXTS];
    struct random random;
    size_t errors = 0;

    (void)state;
    random_seed(&random, 11);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        size_t found = 0;
        for (size_t i = 0; i < TEXTS; i++)
            relevant[i] = i < RELEVANT;
        for (size_t i = TEXTS; i-- > 1;) {
            size_t k = (size_t)random_below(&random, i + 1);
            bool swapped = relevant[i];
            relevant[i] = relevant[k];
            relevant[k] = swapped;
        }
        struct screen_reads r = {TEXTS, relevant, TEXTS, RELEVANT};
        size_t at = screen_stop_at(&r, &rule);
        for (size_t i = 0; i < (at > 0 ? at : TEXTS); i++)
            found += relevant[i];
        errors += (double)found < 0.95 * RELEVANT;
    }
    assert_true(errors <= TRIALS / 20);
}

static void random_reading_ends(void **state)
{
    static const bool nothing[100];
    bool find[] = {false, false, true};
    struct screen_rule rule = {.recall = 0.95, .confidence = 0.95};
    struct screen_reads r = {.n_texts = 120, .n = 20, .n_found = 19};

    (void)state;
    /* 19 of 20 would be 95 %: two more or more must be refused among 100, at 3/4 of 5 %. */
    size_t needed = screen_random_needed(&r, nothing, 0, &rule);
    assert_true(hypergeometric_at_most(100, 2, needed, 0) < 0.0375);
    assert_true(hypergeometric_at_most(100, 2, needed - 1, 0) >= 0.0375);
    assert_int_equal(screen_random_needed(&r, nothing, 10, &rule), needed - 10);
    assert_int_equal(screen_random_needed(&r, nothing, needed, &rule), 0);
    /* After a find, all over again and stricter: 20 found, two more among 97 at 1/16 of 15 %. */
    needed = screen_random_needed(&r, find, 3, &rule);
    assert_true(hypergeometric_at_most(97, 2, needed, 0) < 0.05 * 0.75 * 0.25);
    assert_true(hypergeometric_at_most(97, 2, needed - 1, 0) >= 0.05 * 0.75 * 0.25);
}

/* --- a guess --- */

static double next_share(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 33) / 2147483648.0;
}

static const float *sorted_by;

static int compare_rows(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    if (sorted_by[*x] != sorted_by[*y])
        return sorted_by[*x] > sorted_by[*y] ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* Scores are a sum of four random numbers, higher where a row is relevant; the best ones and 20 others
 * are judged. `expected`: the same with LogisticRegression of scikit-learn 1.5.2. */
static void check_guess(uint64_t seed, size_t n, double share, double gap, size_t n_best, size_t expected)
{
    float *scores = mem_zero(n, sizeof *scores);
    bool *relevant = mem_zero(n, sizeof *relevant), *is_judged = mem_zero(n, sizeof *is_judged);
    uint32_t *order = mem_zero(n, sizeof *order);
    struct screen_judged *all = mem_zero(n, sizeof *all);
    size_t n_judged = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = -2;
        relevant[i] = next_share(&seed) < share;
        for (int k = 0; k < 4; k++)
            sum += next_share(&seed);
        scores[i] = (float)(sum + (relevant[i] ? gap : 0));
        order[i] = (uint32_t)i;
    }
    sorted_by = scores;
    qsort(order, n, sizeof *order, compare_rows);
    for (size_t i = 0; i < n_best + 20; i++) {
        uint32_t row = i < n_best ? order[i] : (uint32_t)((i - n_best) * 37 % n);
        if (!is_judged[row])
            all[n_judged++] = (struct screen_judged){row, relevant[row]};
        is_judged[row] = true;
    }
    assert_int_equal(screen_semi(scores, n, all, n_judged), expected);
    mem_free(scores);
    mem_free(relevant);
    mem_free(is_judged);
    mem_free(order);
    mem_free(all);
}

static void guesses_are_those_of_scikit_learn(void **state)
{
    static const float alike[4] = {1, 1, 1, 1};
    static const struct screen_judged two[] = {{0, true}, {1, false}};

    (void)state;
    check_guess(1, 400, 0.1, 1.0, 60, 57);
    check_guess(2, 1000, 0.05, 1.5, 50, 48);
    check_guess(3, 2000, 0.02, 0.7, 200, 64);
    check_guess(4, 300, 0.3, 0.3, 100, 94);
    assert_int_equal(screen_semi(alike, 4, two, 1), SIZE_MAX);
    assert_int_equal(screen_semi(alike, 4, two, 0), SIZE_MAX);
    assert_in_range(screen_semi(alike, 4, two, 2), 1, 4); /* no slope at all */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_html_or_markdown),
        cmocka_unit_test(features_are_tf_idf),
        cmocka_unit_test(svm_is_at_its_optimum),
        cmocka_unit_test(bayes_is_the_ratio_of_sums),
        cmocka_unit_test(scores_do_not_depend_on_the_order_of_judging),
        cmocka_unit_test(a_part_scores_as_among_all),
        cmocka_unit_test(equal_scores_are_drawn_by_the_seed),
        cmocka_unit_test(one_class_and_no_text_have_an_order),
        cmocka_unit_test(a_file_is_the_same_matrix_or_refused),
        cmocka_unit_test(distributions_are_those_of_scipy),
        cmocka_unit_test(stopping_keeps_its_promise_by_chance_alone),
        cmocka_unit_test(random_reading_ends),
        cmocka_unit_test(guesses_are_those_of_scikit_learn),
    };

    return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
