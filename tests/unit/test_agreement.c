/* label: agreement of coders, against the figures of tests/reference/agreement_reference.py. */
#include "base/stat/agreement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "tests/unit/golden.h"

static void assert_reason(const struct golden *g, enum agreement_reason got, struct span want)
{
    /* clang-format off */
    static const char *const names[] = {
        [AGREEMENT_OK] = "ok", [AGREEMENT_NO_ITEMS] = "no_items",
        [AGREEMENT_NO_COMPLETE] = "no_complete", [AGREEMENT_FEW_ITEMS] = "few_items",
        [AGREEMENT_ONE_CODE_ONLY] = "one_code_only", [AGREEMENT_TOO_LARGE] = "",
    };
    /* clang-format on */

    if ((size_t)got >= ARRAY_LEN(names) || names[got] == NULL || !span_eq(span_of(names[got]), want))
        fail_msg("row %zu: reason %s", g->n_rows, agreement_words(got));
}

/* Of the value: few items have one, too, and no interval. */
static void assert_value_reason(const struct golden *g, const struct coefficient *c, struct span want)
{
    bool few = c->n_items < AGREEMENT_INTERVAL_MIN && span_eq(want, SPAN("ok"));

    assert_reason(g, c->reason, few ? SPAN("few_items") : want);
    assert_true(isnan(c->low) == (c->reason != AGREEMENT_OK) && isnan(c->low) == isnan(c->high));
}

static size_t count_char(struct span s, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == c;
    return n;
}

/* "ab./abc": one string per coder. The caller frees the codes. */
static struct ratings ratings_of(struct span text, size_t n_codes)
{
    size_t n_coders = count_char(text, '/') + 1, n_items = (text.len - (n_coders - 1)) / n_coders;
    int32_t *codes = mem_resize(NULL, n_items * n_coders, sizeof *codes);

    for (size_t c = 0; c < n_coders; c++)
        for (size_t i = 0; i < n_items; i++) {
            char letter = text.ptr[c * (n_items + 1) + i];
            codes[i * n_coders + c] = letter == '.' ? -1 : letter - 'a';
        }
    return (struct ratings){n_items, n_coders, n_codes, codes};
}

static uint64_t mask_of(struct span word)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < word.len; i++)
        mask |= word.ptr[i] == '.' ? 0 : UINT64_C(1) << (word.ptr[i] - 'a');
    return mask;
}

/* Each different set as one code, numbered by ascending mask; -1: no set. Returns how many codes. */
static size_t codes_of_sets(const struct set_ratings *r, int32_t *codes)
{
    size_t n = r->n_items * r->n_coders, n_codes = 0;
    uint64_t last = 0;

    for (size_t i = 0; i < n; i++)
        codes[i] = -1;
    for (;;) {
        uint64_t next = UINT64_MAX;
        for (size_t i = 0; i < n; i++)
            if (r->sets[i] > last && r->sets[i] < next)
                next = r->sets[i];
        if (next == UINT64_MAX)
            return n_codes;
        for (size_t i = 0; i < n; i++)
            if (r->sets[i] == next)
                codes[i] = (int32_t)n_codes;
        last = next;
        n_codes++;
    }
}

/* "ab . c/a b c": words of letters. The caller frees the sets. */
static struct set_ratings sets_of(struct span text)
{
    size_t n_coders = count_char(text, '/') + 1, n_items = 0;
    struct span rest = text, coder, word;

    while (span_cut(&rest, '/', &coder) && coder.len > 0 && n_items == 0)
        n_items = count_char(coder, ' ') + 1;
    uint64_t *sets = mem_zero(n_items * n_coders, sizeof *sets);
    rest = text;
    for (size_t c = 0; c < n_coders && span_cut(&rest, '/', &coder); c++)
        for (size_t i = 0; i < n_items && span_cut(&coder, ' ', &word); i++)
            sets[i * n_coders + c] = mask_of(word);
    return (struct set_ratings){n_items, n_coders, sets};
}

static void check_codes(const struct golden *g, const uint64_t *matrix, size_t n_codes)
{
    struct code_agreement codes[16];
    struct span rest = g->cell[10], pair, specific = {0};

    code_agreement(matrix, n_codes, codes);
    for (size_t c = 0; span_cut(&rest, ' ', &pair); c++) {
        assert_true(c < n_codes && span_cut(&pair, ':', &specific));
        golden_near(g, "specific agreement", codes[c].specific, golden_double(specific));
        golden_near(g, "kappa of a code", codes[c].kappa, golden_double(pair));
        assert_true(isnan(codes[c].kappa) == (codes[c].reason != AGREEMENT_OK));
    }
}

static void agrees_on_kappa(void **state)
{
    struct golden g;
    uint64_t matrix[16 * 16];
    struct coefficient k;

    (void)state;
    golden_open(&g, "kappa.csv");
    while (golden_next(&g, 200)) {
        struct ratings r = ratings_of(g.cell[1], golden_u64(g.cell[0]));
        assert_reason(&g, confusion_matrix(&r, 0, 1, matrix),
                      span_eq(g.cell[2], SPAN("no_items")) ? g.cell[2] : SPAN("ok"));
        cohen_kappa(matrix, r.n_codes, &k);
        assert_value_reason(&g, &k, g.cell[2]);
        assert_int_equal(k.n_items, golden_u64(g.cell[3]));
        golden_near(&g, "observed", k.observed, golden_double(g.cell[4]));
        golden_near(&g, "expected", k.expected, golden_double(g.cell[5]));
        golden_near(&g, "kappa", k.value, golden_double(g.cell[6]));
        check_codes(&g, matrix, r.n_codes);
        mem_free((void *)r.codes);
    }
}

static void agrees_on_alpha_and_fleiss(void **state)
{
    struct golden g;
    struct coefficient c;

    (void)state;
    golden_open(&g, "alpha.csv");
    while (golden_next(&g, 200)) {
        struct ratings r = ratings_of(g.cell[2], golden_u64(g.cell[1]));
        assert_int_equal(r.n_coders, golden_u64(g.cell[0]));
        agreement_of(&r, AGREEMENT_ALPHA, SCALE_NOMINAL, NULL, &c);
        assert_value_reason(&g, &c, g.cell[3]);
        assert_int_equal(c.n_items, golden_u64(g.cell[4]));
        assert_int_equal(c.n_ratings, golden_u64(g.cell[5]));
        golden_near(&g, "alpha", c.value, golden_double(g.cell[6]));
        agreement_of(&r, AGREEMENT_FLEISS, SCALE_NOMINAL, NULL, &c);
        if (!span_eq(g.cell[7], SPAN("no_items")))
            assert_value_reason(&g, &c, g.cell[7]);
        golden_near(&g, "fleiss", c.value, golden_double(g.cell[8]));
        mem_free((void *)r.codes);
    }
}

static void agrees_on_numbers(void **state)
{
    static const double values[] = {0, 1, 2, 3, 5, 8, -1, 0.5, 100, 0.25};
    struct golden g;
    struct coefficient a;

    (void)state;
    golden_open(&g, "numbers.csv");
    while (golden_next(&g, 80)) {
        struct ratings r = ratings_of(g.cell[2], golden_u64(g.cell[1]));
        assert_int_equal(r.n_coders, golden_u64(g.cell[0]));
        assert_int_equal(r.n_codes, ARRAY_LEN(values));
        agreement_of(&r, AGREEMENT_ALPHA, SCALE_QUADRATIC, values, &a);
        assert_value_reason(&g, &a, g.cell[3]);
        golden_near(&g, "alpha of numbers", a.value, golden_double(g.cell[4]));
        mem_free((void *)r.codes);
    }
}

/* Each pair of three codes once: agreement by chance alone, in sums of thirds that are not exact. And coders who agree. */
static void nothing_beyond_chance_is_zero(void **state)
{
    static const enum agreement_measure measures[] = {AGREEMENT_AC1, AGREEMENT_PI, AGREEMENT_PABAK, AGREEMENT_KAPPA};
    int32_t each[18], same[18];
    struct coefficient c;

    (void)state;
    for (int32_t i = 0; i < 9; i++) {
        each[2 * i] = i / 3;
        each[2 * i + 1] = i % 3;
        same[2 * i] = same[2 * i + 1] = i % 3;
    }
    for (size_t m = 0; m < ARRAY_LEN(measures); m++) {
        agreement_of(&(struct ratings){9, 2, 3, each}, measures[m], SCALE_NOMINAL, NULL, &c);
        assert_true(c.value >= 0 && c.value <= 0 && !signbit(c.value));
        agreement_of(&(struct ratings){9, 2, 3, same}, measures[m], SCALE_NOMINAL, NULL, &c);
        assert_true(c.value >= 1 && c.value <= 1);
    }
}

static size_t place_of(struct span word, const char *const *names, size_t n)
{
    size_t i = 0;

    while (i < n && !span_eq(word, span_of(names[i])))
        i++;
    assert_true(i < n);
    return i;
}

/* All measures on all scales, with their bounds. */
static void agrees_on_measures(void **state)
{
    static const char *const measures[] = {"percent", "kappa", "pi", "pabak", "ac1", "fleiss", "alpha"};
    static const char *const scales[] = {"nominal", "linear", "quadratic", "ordinal", "ratio"};
    static const double values[] = {1, 2, 4, 5, 8};
    struct golden g;
    struct coefficient c;

    (void)state;
    golden_open(&g, "measures.csv");
    while (golden_next(&g, 900)) {
        struct ratings r = ratings_of(g.cell[2], golden_u64(g.cell[1]));
        agreement_of(&r, (enum agreement_measure)place_of(g.cell[3], measures, ARRAY_LEN(measures)),
                     (enum agreement_scale)place_of(g.cell[4], scales, ARRAY_LEN(scales)), values, &c);
        assert_reason(&g, c.reason, g.cell[5]);
        assert_int_equal(c.n_items, golden_u64(g.cell[6]));
        golden_near(&g, "observed of a measure", c.observed, golden_double(g.cell[7]));
        golden_near(&g, "expected of a measure", c.expected, golden_double(g.cell[8]));
        golden_near(&g, "a measure", c.value, golden_double(g.cell[9]));
        golden_check(&g, "low of a measure", c.low, golden_double(g.cell[10]), 1e-9, false);
        golden_check(&g, "high of a measure", c.high, golden_double(g.cell[11]), 1e-9, false);
        mem_free((void *)r.codes);
    }
}

static void agrees_on_sets(void **state)
{
    struct golden g;
    struct coefficient a;

    (void)state;
    golden_open(&g, "masi.csv");
    while (golden_next(&g, 80)) {
        struct set_ratings sets = sets_of(g.cell[1]);
        int32_t *codes = mem_resize(NULL, sets.n_items * sets.n_coders, sizeof *codes);
        assert_int_equal(sets.n_coders, golden_u64(g.cell[0]));
        alpha_of_sets(&sets, masi_distance, &a);
        assert_value_reason(&g, &a, g.cell[2]);
        golden_near(&g, "alpha with MASI", a.value, golden_double(g.cell[3]));
        struct ratings r = {sets.n_items, sets.n_coders, codes_of_sets(&sets, codes), codes};
        agreement_of(&r, AGREEMENT_ALPHA, SCALE_NOMINAL, NULL, &a);
        assert_value_reason(&g, &a, g.cell[2]);
        golden_near(&g, "alpha of exact sets", a.value, golden_double(g.cell[4]));
        mem_free(codes);
        mem_free((void *)sets.sets);
    }
}

/* R, irr 0.84: kappam.fleiss(diagnoses), the data of Fleiss 1971. */
static void agrees_with_the_published_kappa(void **state)
{
    static const char counts[30][6] = {"00060", "03003", "01401", "00006", "03030", "20400", "00402", "20310",
                                       "20040", "00006", "10050", "11040", "03300", "10050", "02031", "00501",
                                       "30012", "51000", "02040", "10203", "00006", "01050", "02013", "20040",
                                       "10041", "05010", "40002", "02040", "10500", "00006"};
    int32_t codes[30 * 6], *next = codes;
    struct ratings r = {30, 6, 5, codes};
    struct coefficient f;

    (void)state;
    for (int i = 0; i < 30; i++)
        for (int c = 0; c < 5; c++)
            for (int n = 0; n < counts[i][c] - '0'; n++)
                *next++ = c;
    agreement_of(&r, AGREEMENT_FLEISS, SCALE_NOMINAL, NULL, &f);
    assert_true(fabs(f.value - 0.4302445) < 5e-8 && f.n_items == 30);
}

/* 100 items of which two coders call 90 the same and each finds 5 others: kappa is below 0, AC1 is not. */
static void one_frequent_code_hides_agreement_from_kappa(void **state)
{
    static const uint64_t matrix[] = {90, 5, 5, 0};
    int32_t codes[200];
    struct ratings r = {100, 2, 2, codes};
    struct coefficient c;

    (void)state;
    for (size_t i = 0, n = 0; i < 4; i++)
        for (uint64_t k = 0; k < matrix[i]; k++, n++) {
            codes[2 * n] = (int32_t)(i / 2);
            codes[2 * n + 1] = (int32_t)(i % 2);
        }
    agreement_of(&r, AGREEMENT_KAPPA, SCALE_NOMINAL, NULL, &c);
    assert_true(fabs(c.value + 0.0526) < 5e-5 && c.low < c.value && c.value < c.high);
    agreement_of(&r, AGREEMENT_AC1, SCALE_NOMINAL, NULL, &c);
    assert_true(fabs(c.value - 0.8895) < 5e-5);
    agreement_of(&r, AGREEMENT_PERCENT, SCALE_NOMINAL, NULL, &c);
    assert_true(fabs(c.value - 0.9) < 1e-12);
}

/* Intervals that hold: of 20 and 50 items that two or three coders rate with a true kappa of 0.9 and one code in
 * 20 or one in two; 2,000 draws each. */
static void intervals_have_the_truth_in_them(void **state)
{
    static const struct {
        size_t items, coders;
        double rare;
    } cases[] = {{20, 2, .5}, {20, 2, .05}, {50, 2, .05}, {20, 3, .5}, {50, 3, .05}};
    struct random random;
    int32_t codes[150];

    (void)state;
    random_seed(&random, 33);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double there = 0, covered = 0;
        for (size_t trial = 0; trial < 2000; trial++) {
            struct ratings r = {cases[i].items, cases[i].coders, 2, codes};
            struct coefficient c;
            bool same = false; /* all say the same of nine items in ten, else each what comes */
            for (size_t k = 0; k < r.n_items * r.n_coders; k++) {
                bool first = k % r.n_coders == 0;
                bool rare = (double)random_below(&random, 1000) < 1000 * cases[i].rare;
                same = first ? random_below(&random, 1000) < 900 : same;
                codes[k] = !first && same ? codes[k - 1] : rare;
            }
            agreement_of(&r, AGREEMENT_PI, SCALE_NOMINAL, NULL, &c);
            there += c.reason == AGREEMENT_OK;
            covered += c.reason == AGREEMENT_OK && c.low <= 0.9 && 0.9 <= c.high;
        }
        if (covered < 0.94 * there)
            fail_msg("case %zu: %.4f", i, covered / there);
    }
}

static void says_why_there_is_no_number(void **state)
{
    static const int32_t codes[] = {0, 1, -2, 0, 0, 2};
    struct ratings one = {2, 1, 2, codes}, negative = {2, 2, 3, codes}, high = {3, 2, 2, codes};
    struct ratings good = {1, 2, 2, codes}, large = {SIZE_MAX / 2, 2, 2, codes};
    struct set_ratings sets = {1, 1, (uint64_t[]){1}};
    struct coefficient c;
    uint64_t matrix[9];

    (void)state;
    assert_int_equal(confusion_matrix(&one, 0, 1, matrix), AGREEMENT_TOO_FEW_CODERS);
    assert_int_equal(confusion_matrix(&good, 0, 2, matrix), AGREEMENT_TOO_FEW_CODERS);
    assert_int_equal(confusion_matrix(&negative, 0, 1, matrix), AGREEMENT_BAD_CODE);
    agreement_of(&high, AGREEMENT_ALPHA, SCALE_NOMINAL, NULL, &c);
    assert_true(c.reason == AGREEMENT_BAD_CODE && isnan(c.value) && isnan(c.low) && isnan(c.high));
    agreement_of(&large, AGREEMENT_FLEISS, SCALE_NOMINAL, NULL, &c);
    assert_true(c.reason == AGREEMENT_TOO_LARGE && isnan(c.value));
    alpha_of_sets(&sets, masi_distance, &c);
    assert_int_equal(c.reason, AGREEMENT_TOO_FEW_CODERS);
    agreement_of(&good, AGREEMENT_AC1, SCALE_QUADRATIC, NULL, &c);
    assert_int_equal(c.reason, AGREEMENT_NO_ORDER);
    agreement_of(&good, AGREEMENT_ALPHA, SCALE_RATIO, (double[]){1, -1}, &c);
    assert_int_equal(c.reason, AGREEMENT_NEGATIVE);
    assert_null(agreement_words(AGREEMENT_OK));
    for (int i = AGREEMENT_OK + 1; i <= AGREEMENT_ONE_CODE_ONLY; i++)
        assert_true(strlen(agreement_words((enum agreement_reason)i)) > 0);
}

/* Codes 1, 2 and 3; the first is given to an item of one coder alone, and is as far from the others as ever: irrCAC has 0.678571429. */
static void codes_of_one_coder_alone_stretch_weights(void **state)
{
    static const int32_t codes[] = {2, 1, 2, 2, 0, -1};
    struct ratings r = {3, 2, 3, codes};
    struct coefficient c;

    (void)state;
    agreement_of(&r, AGREEMENT_AC1, SCALE_QUADRATIC, (double[]){1, 2, 3}, &c);
    assert_true(fabs(c.observed - 0.875) < 1e-9 && fabs(c.value - 0.678571428571) < 1e-9);
}

/* yes yes yes yes against yes yes no no: 0, and not undefined. */
static void one_constant_coder_is_no_reason(void **state)
{
    static const uint64_t matrix[] = {0, 0, 2, 2}, all[] = {4, 0, 0, 0}, apart[] = {0, 4, 0, 0};
    struct coefficient k;

    (void)state;
    cohen_kappa(matrix, 2, &k);
    assert_true(k.reason == AGREEMENT_FEW_ITEMS && k.value == 0 && isnan(k.low));
    cohen_kappa(apart, 2, &k);
    assert_true(k.value == 0);
    cohen_kappa(all, 2, &k);
    assert_true(k.reason == AGREEMENT_ONE_CODE_ONLY && isnan(k.value));
}

static void counts_no_more_than_it_can(void **state)
{
    const uint64_t full[4] = {AGREEMENT_RATINGS_MAX, 0, 0, 1};
    const uint64_t most[4] = {AGREEMENT_RATINGS_MAX / 2, 0, 0, AGREEMENT_RATINGS_MAX / 2};
    const uint64_t overflow[4] = {UINT64_MAX, 1, 0, 0};
    struct code_agreement codes[2];
    struct coefficient k;

    (void)state;
    cohen_kappa(full, 2, &k);
    assert_true(k.reason == AGREEMENT_TOO_LARGE && isnan(k.value) && isnan(k.observed));
    cohen_kappa(most, 2, &k);
    assert_true(k.reason == AGREEMENT_OK && k.value == 1 && k.high == 1 && k.low < 1);
    code_agreement(overflow, 2, codes);
    assert_true(codes[1].reason == AGREEMENT_TOO_LARGE && isnan(codes[1].specific));
    cohen_kappa(NULL, 0, &k);
    assert_int_equal(k.reason, AGREEMENT_NO_ITEMS);
}

static void measures_sets(void **state)
{
    (void)state;
    assert_true(masi_distance(3, 3) == 0);
    assert_true(masi_distance(1, 2) == 1);
    assert_true(fabs(masi_distance(1, 3) - 2.0 / 3) < 1e-15);  /* J 1/2, M 2/3 */
    assert_true(fabs(masi_distance(3, 15) - 2.0 / 3) < 1e-15); /* as in NLTK's manual */
    assert_true(fabs(masi_distance(3, 6) - 8.0 / 9) < 1e-15);  /* J 1/3, M 1/3 */
    assert_true(fabs(masi_distance(UINT64_MAX, 1) - (1 - 2.0 / 192)) < 1e-15);
}

static int report(void **state)
{
    (void)state;
    golden_report();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_kappa),
        cmocka_unit_test(agrees_on_alpha_and_fleiss),
        cmocka_unit_test(agrees_on_numbers),
        cmocka_unit_test(agrees_on_sets),
        cmocka_unit_test(nothing_beyond_chance_is_zero),
        cmocka_unit_test(agrees_on_measures),
        cmocka_unit_test(agrees_with_the_published_kappa),
        cmocka_unit_test(one_frequent_code_hides_agreement_from_kappa),
        cmocka_unit_test(codes_of_one_coder_alone_stretch_weights),
        cmocka_unit_test(one_constant_coder_is_no_reason),
        cmocka_unit_test(intervals_have_the_truth_in_them),
        cmocka_unit_test(says_why_there_is_no_number),
        cmocka_unit_test(counts_no_more_than_it_can),
        cmocka_unit_test(measures_sets),
    };

    return cmocka_run_group_tests(tests, NULL, report);
}
