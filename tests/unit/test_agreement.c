/* label: agreement of coders, against the figures of tests/reference/agreement_reference.py. */
#include "base/stat/agreement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/golden.h"

static void assert_reason(const struct golden *g, enum agreement_reason got, struct span want)
{
    static const char *const names[] = {
        [AGREEMENT_OK] = "ok", [AGREEMENT_NO_ITEMS] = "no_items", [AGREEMENT_MISSING] = "missing",
        [AGREEMENT_ONE_CODE_ONLY] = "one_code_only", [AGREEMENT_FEW_RESAMPLES] = "few_resamples",
        [AGREEMENT_TOO_LARGE] = "", [AGREEMENT_CONSTANT_CODER] = "",
        [AGREEMENT_NO_SHARED_CODE] = "",
    };

    if (!span_eq(span_of(names[got]), want))
        fail_msg("row %zu: reason %s", g->n_rows, agreement_words(got));
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

/* Whether one of two columns has one code only, of the items that both have. */
static bool is_constant(const struct ratings *r)
{
    bool same[2] = {true, true};
    const int32_t *first = NULL;

    for (size_t i = 0; i < r->n_items; i++) {
        const int32_t *pair = r->codes + 2 * i;
        if (pair[0] < 0 || pair[1] < 0)
            continue;
        first = first == NULL ? pair : first;
        same[0] &= pair[0] == first[0];
        same[1] &= pair[1] == first[1];
    }
    return same[0] || same[1];
}

/* The reference does not cut its intervals. NAN stays. */
static double within_kappa(double bound)
{
    return bound < -1 ? -1 : bound > 1 ? 1 : bound;
}

static void agrees_on_kappa(void **state)
{
    struct golden g;
    uint64_t matrix[16 * 16];
    struct kappa k;

    (void)state;
    golden_open(&g, "kappa.csv");
    while (golden_next(&g, 200)) {
        struct ratings r = ratings_of(g.cell[1], golden_u64(g.cell[0]));
        assert_reason(&g, confusion_matrix(&r, 0, 1, matrix),
                      span_eq(g.cell[2], SPAN("no_items")) ? g.cell[2] : SPAN("ok"));
        cohen_kappa(matrix, r.n_codes, &k);
        bool constant = span_eq(g.cell[2], SPAN("ok")) && golden_double(g.cell[6]) == 0 &&
                        golden_double(g.cell[7]) == 0;
        if (constant) /* the formula's 0 with an error of 0 is not told as a measurement */
            assert_int_equal(k.reason, is_constant(&r) ? AGREEMENT_CONSTANT_CODER
                                                       : AGREEMENT_NO_SHARED_CODE);
        else
            assert_reason(&g, k.reason, g.cell[2]);
        assert_int_equal(k.n, golden_u64(g.cell[3]));
        golden_near(&g, "observed", k.observed, golden_double(g.cell[4]));
        golden_near(&g, "expected", k.expected, golden_double(g.cell[5]));
        if (constant) {
            assert_true(isnan(k.kappa) && isnan(k.se) && isnan(k.low) && isnan(k.high));
        } else {
            golden_near(&g, "kappa", k.kappa, golden_double(g.cell[6]));
            golden_near(&g, "se of kappa", k.se, golden_double(g.cell[7]));
            golden_near(&g, "low of kappa", k.low, within_kappa(golden_double(g.cell[8])));
            golden_near(&g, "high of kappa", k.high, within_kappa(golden_double(g.cell[9])));
        }
        check_codes(&g, matrix, r.n_codes);
        mem_free((void *)r.codes);
    }
}

static void agrees_on_alpha_and_fleiss(void **state)
{
    struct golden g;
    struct alpha a;
    struct fleiss f;

    (void)state;
    golden_open(&g, "alpha.csv");
    while (golden_next(&g, 200)) {
        struct ratings r = ratings_of(g.cell[2], golden_u64(g.cell[1]));
        assert_int_equal(r.n_coders, golden_u64(g.cell[0]));
        alpha_nominal(&r, &a, NULL, NULL);
        assert_reason(&g, a.reason, g.cell[3]);
        assert_int_equal(a.n_items, golden_u64(g.cell[4]));
        assert_int_equal(a.n_ratings, golden_u64(g.cell[5]));
        golden_near(&g, "alpha", a.alpha, golden_double(g.cell[6]));
        fleiss_kappa(&r, &f, NULL, NULL);
        assert_reason(&g, f.reason, g.cell[7]);
        golden_near(&g, "fleiss", f.kappa, golden_double(g.cell[8]));
        golden_near(&g, "se of fleiss", f.se_null, golden_double(g.cell[9]));
        if (f.reason == AGREEMENT_OK)
            golden_near(&g, "fleiss of its parts", (f.observed - f.expected) / (1 - f.expected),
                        f.kappa);
        mem_free((void *)r.codes);
    }
}

static void agrees_on_numbers(void **state)
{
    static const double values[] = {0, 1, 2, 3, 5, 8, -1, 0.5, 100, 0.25};
    struct golden g;
    struct alpha a;

    (void)state;
    golden_open(&g, "numbers.csv");
    while (golden_next(&g, 80)) {
        struct ratings r = ratings_of(g.cell[2], golden_u64(g.cell[1]));
        assert_int_equal(r.n_coders, golden_u64(g.cell[0]));
        assert_int_equal(r.n_codes, ARRAY_LEN(values));
        alpha_interval(&r, values, &a, NULL, NULL);
        assert_reason(&g, a.reason, g.cell[3]);
        golden_near(&g, "alpha of numbers", a.alpha, golden_double(g.cell[4]));
        mem_free((void *)r.codes);
    }
}

static void agrees_on_sets(void **state)
{
    struct golden g;
    struct alpha a;

    (void)state;
    golden_open(&g, "masi.csv");
    while (golden_next(&g, 80)) {
        struct set_ratings sets = sets_of(g.cell[1]);
        int32_t *codes = mem_resize(NULL, sets.n_items * sets.n_coders, sizeof *codes);
        assert_int_equal(sets.n_coders, golden_u64(g.cell[0]));
        alpha_masi(&sets, &a, NULL, NULL);
        assert_reason(&g, a.reason, g.cell[2]);
        golden_near(&g, "alpha with MASI", a.alpha, golden_double(g.cell[3]));
        struct ratings r = {sets.n_items, sets.n_coders, codes_of_sets(&sets, codes), codes};
        alpha_nominal(&r, &a, NULL, NULL);
        assert_reason(&g, a.reason, g.cell[2]);
        golden_near(&g, "alpha of exact sets", a.alpha, golden_double(g.cell[4]));
        mem_free(codes);
        mem_free((void *)sets.sets);
    }
}

/* The interval of a row of bootstrap.csv. */
static struct bootstrap interval_of(const struct golden *g)
{
    struct bootstrap_plan plan = {golden_u64(g->cell[3]), golden_u64(g->cell[4]),
                                  golden_double(g->cell[5])};
    struct bootstrap b;
    struct alpha alpha;
    struct fleiss fleiss;
    uint64_t matrix[16 * 16];

    if (span_eq(g->cell[0], SPAN("masi"))) {
        struct set_ratings sets = sets_of(g->cell[2]);
        alpha_masi(&sets, &alpha, &plan, &b);
        mem_free((void *)sets.sets);
        return b;
    }
    struct ratings r = ratings_of(g->cell[2], golden_u64(g->cell[1]));
    if (span_eq(g->cell[0], SPAN("alpha"))) {
        alpha_nominal(&r, &alpha, &plan, &b);
    } else if (span_eq(g->cell[0], SPAN("fleiss"))) {
        fleiss_kappa(&r, &fleiss, &plan, &b);
    } else {
        assert_int_equal(confusion_matrix(&r, 0, 1, matrix), AGREEMENT_OK);
        cohen_kappa_bootstrap(matrix, r.n_codes, &plan, &b);
    }
    mem_free((void *)r.codes);
    return b;
}

static void repeats_the_same_resamples(void **state)
{
    struct golden g;

    (void)state;
    golden_open(&g, "bootstrap.csv");
    while (golden_next(&g, 60)) {
        struct bootstrap b = interval_of(&g);
        if (b.reason == AGREEMENT_CONSTANT_CODER) { /* where the reference has resampled 0 or nothing */
            assert_true(isnan(b.low) && isnan(b.high) && !(fabs(golden_double(g.cell[8])) > 0));
            continue;
        }
        assert_reason(&g, b.reason, g.cell[6]);
        golden_near(&g, "bootstrap", b.low, golden_double(g.cell[7]));
        golden_near(&g, "bootstrap", b.high, golden_double(g.cell[8]));
        assert_int_equal(b.n_undefined, golden_u64(g.cell[9]));
    }
}

/* "ab/a/.:300 a/a/b:2": so many items with these ratings. The caller frees the sets. */
static struct set_ratings sets_of_patterns(struct span text, size_t n_coders)
{
    struct span rest = text, word, part;
    size_t n = 0, capacity = 0;
    uint64_t *sets = NULL;

    while (span_cut(&rest, ' ', &word)) {
        uint64_t masks[8];
        struct span pattern;
        assert_true(span_cut(&word, ':', &pattern) && n_coders <= ARRAY_LEN(masks));
        uint64_t count = golden_u64(word);
        for (size_t c = 0; c < n_coders; c++) {
            assert_true(span_cut(&pattern, '/', &part));
            masks[c] = mask_of(part);
        }
        while (n + count > capacity)
            capacity = 2 * capacity + 1024;
        sets = mem_resize(sets, capacity * n_coders, sizeof *sets);
        for (; count > 0; count--, n++)
            memcpy(sets + n * n_coders, masks, n_coders * sizeof *masks);
    }
    return (struct set_ratings){n, n_coders, sets};
}

/* Of a row of multinomial.csv, with a seed of the test's. */
static struct bootstrap interval_of_many(const struct golden *g, const struct set_ratings *sets)
{
    struct bootstrap_plan plan = {20261121, golden_u64(g->cell[4]), 0.95};
    int32_t *codes = mem_resize(NULL, sets->n_items * sets->n_coders, sizeof *codes);
    struct ratings r = {sets->n_items, sets->n_coders, codes_of_sets(sets, codes), codes};
    struct bootstrap b;
    struct alpha alpha;
    struct fleiss fleiss;
    uint64_t matrix[32 * 32];

    if (span_eq(g->cell[0], SPAN("masi"))) {
        alpha_masi(sets, &alpha, &plan, &b);
    } else if (span_eq(g->cell[0], SPAN("alpha"))) {
        alpha_nominal(&r, &alpha, &plan, &b);
    } else if (span_eq(g->cell[0], SPAN("fleiss"))) {
        fleiss_kappa(&r, &fleiss, &plan, &b);
    } else {
        assert_true(r.n_codes <= 32);
        assert_int_equal(confusion_matrix(&r, 0, 1, matrix), AGREEMENT_OK);
        cohen_kappa_bootstrap(matrix, r.n_codes, &plan, &b);
    }
    mem_free(codes);
    return b;
}

/* Two estimates of a percentile differ by less than four standard errors of their difference,
 * 15,999 times of 16,000; the seed is fixed, so this either holds or not. */
static void resamples_many_items_as_others_do(void **state)
{
    struct golden g;

    (void)state;
    golden_open(&g, "multinomial.csv");
    while (golden_next(&g, 24)) {
        struct set_ratings sets = sets_of_patterns(g.cell[3], golden_u64(g.cell[1]));
        struct bootstrap b = interval_of_many(&g, &sets);
        assert_int_equal(b.reason, AGREEMENT_OK);
        golden_check(&g, "low, in standard errors", (b.low - golden_double(g.cell[5])) /
                     golden_double(g.cell[7]), 0, 4, false);
        golden_check(&g, "high, in standard errors", (b.high - golden_double(g.cell[6])) /
                     golden_double(g.cell[8]), 0, 4, false);
        mem_free((void *)sets.sets);
    }
}

/* R, irr 0.84: kappam.fleiss(diagnoses), the data of Fleiss 1971, z = 17.65183. */
static void agrees_with_the_published_z(void **state)
{
    static const char counts[30][6] = {
        "00060", "03003", "01401", "00006", "03030", "20400", "00402", "20310", "20040", "00006",
        "10050", "11040", "03300", "10050", "02031", "00501", "30012", "51000", "02040", "10203",
        "00006", "01050", "02013", "20040", "10041", "05010", "40002", "02040", "10500", "00006"};
    int32_t codes[30 * 6], *next = codes;
    struct ratings r = {30, 6, 5, codes};
    struct fleiss f;

    (void)state;
    for (int i = 0; i < 30; i++)
        for (int c = 0; c < 5; c++)
            for (int n = 0; n < counts[i][c] - '0'; n++)
                *next++ = c;
    fleiss_kappa(&r, &f, NULL, NULL);
    assert_true(fabs(f.kappa - 0.4302445) < 5e-8);
    assert_true(fabs(f.kappa / f.se_null - 17.65183) < 5e-6);
}

static void says_why_there_is_no_number(void **state)
{
    static const int32_t codes[] = {0, 1, -2, 0, 0, 2};
    struct ratings one = {2, 1, 2, codes}, negative = {2, 2, 3, codes}, high = {3, 2, 2, codes};
    struct ratings good = {1, 2, 2, codes}, large = {SIZE_MAX / 2, 2, 2, codes};
    struct set_ratings sets = {1, 1, (uint64_t[]){1}};
    struct bootstrap_plan plan = {1, 10, 0.95}, none = {1, 0, 0.95}, sure = {1, 10, 1};
    struct alpha a;
    struct fleiss f;
    struct bootstrap b;
    uint64_t matrix[9];

    (void)state;
    assert_int_equal(confusion_matrix(&one, 0, 1, matrix), AGREEMENT_TOO_FEW_CODERS);
    assert_int_equal(confusion_matrix(&good, 0, 2, matrix), AGREEMENT_TOO_FEW_CODERS);
    assert_int_equal(confusion_matrix(&negative, 0, 1, matrix), AGREEMENT_BAD_CODE);
    alpha_nominal(&high, &a, &plan, &b);
    assert_true(a.reason == AGREEMENT_BAD_CODE && isnan(a.alpha));
    assert_true(b.reason == AGREEMENT_BAD_CODE && isnan(b.low) && isnan(b.high));
    fleiss_kappa(&large, &f, &plan, &b);
    assert_true(f.reason == AGREEMENT_TOO_LARGE && isnan(f.kappa) && isnan(b.low));
    alpha_masi(&sets, &a, &plan, &b);
    assert_true(a.reason == AGREEMENT_TOO_FEW_CODERS && b.reason == AGREEMENT_TOO_FEW_CODERS);
    alpha_nominal(&good, &a, &none, &b);
    assert_true(a.reason == AGREEMENT_OK && b.reason == AGREEMENT_FEW_RESAMPLES);
    alpha_nominal(&good, &a, &sure, &b);
    assert_true(b.reason == AGREEMENT_FEW_RESAMPLES);
    for (int i = AGREEMENT_OK; i <= AGREEMENT_FEW_RESAMPLES; i++)
        assert_true(strlen(agreement_words((enum agreement_reason)i)) > 0);
}

static void counts_no_more_than_it_can(void **state)
{
    const uint64_t full[4] = {AGREEMENT_RATINGS_MAX, 0, 0, 1};
    const uint64_t most[4] = {AGREEMENT_RATINGS_MAX / 2, 0, 0, AGREEMENT_RATINGS_MAX / 2};
    const uint64_t overflow[4] = {UINT64_MAX, 1, 0, 0};
    struct bootstrap_plan plan = {1, 10, 0.95};
    struct code_agreement codes[2];
    struct bootstrap b;
    struct kappa k;

    (void)state;
    cohen_kappa(full, 2, &k);
    assert_true(k.reason == AGREEMENT_TOO_LARGE && isnan(k.kappa) && isnan(k.observed));
    cohen_kappa(most, 2, &k);
    assert_true(k.reason == AGREEMENT_OK && k.kappa == 1 && k.se == 0);
    code_agreement(overflow, 2, codes);
    assert_true(codes[1].reason == AGREEMENT_TOO_LARGE && isnan(codes[1].specific));
    cohen_kappa_bootstrap(overflow, 2, &plan, &b);
    assert_true(b.reason == AGREEMENT_TOO_LARGE && isnan(b.low));
    cohen_kappa(NULL, 0, &k);
    assert_int_equal(k.reason, AGREEMENT_NO_ITEMS);
}

static void measures_sets(void **state)
{
    (void)state;
    assert_true(masi_distance(3, 3) == 0);
    assert_true(masi_distance(1, 2) == 1);
    assert_true(fabs(masi_distance(1, 3) - 2.0 / 3) < 1e-15);        /* J 1/2, M 2/3 */
    assert_true(fabs(masi_distance(3, 15) - 2.0 / 3) < 1e-15);       /* as in NLTK's manual */
    assert_true(fabs(masi_distance(3, 6) - 8.0 / 9) < 1e-15);        /* J 1/3, M 1/3 */
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
        cmocka_unit_test(repeats_the_same_resamples),
        cmocka_unit_test(resamples_many_items_as_others_do),
        cmocka_unit_test(agrees_with_the_published_z),
        cmocka_unit_test(says_why_there_is_no_number),
        cmocka_unit_test(counts_no_more_than_it_can),
        cmocka_unit_test(measures_sets),
    };

    return cmocka_run_group_tests(tests, NULL, report);
}
