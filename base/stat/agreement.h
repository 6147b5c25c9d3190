/* agreement: how far coders agree on nominal codes, beyond chance. May include base. Pure computation: no I/O, no
 * state; safe to call from several threads. All arrays are the caller's and are borrowed for the call. What has no
 * value is NAN, and the `reason` beside it says why: a coefficient is a number only with AGREEMENT_OK or
 * AGREEMENT_FEW_ITEMS. */
#pragma once

#include "base/base.h"

/* In the order in which they are looked for. */
enum agreement_reason {
    AGREEMENT_OK,
    AGREEMENT_TOO_FEW_CODERS, /* fewer than two columns, or a column that does not exist */
    AGREEMENT_BAD_CODE,       /* a code that is neither -1 nor below n_codes */
    AGREEMENT_TOO_LARGE,      /* above one of the limits below */
    AGREEMENT_NO_ORDER,       /* the measure needs codes in an order, or numbers, and there is none */
    AGREEMENT_NEGATIVE,       /* a ratio scale needs numbers from 0 on */
    AGREEMENT_NO_ITEMS,       /* no item was rated twice */
    AGREEMENT_NO_COMPLETE,    /* no item was rated by all coders */
    AGREEMENT_FEW_COMPLETE,   /* fewer than two items were */
    AGREEMENT_FEW_ITEMS,      /* the value is a number; fewer than AGREEMENT_INTERVAL_MIN items give no interval */
    AGREEMENT_CODE_UNUSED,    /* neither coder used this code */
    AGREEMENT_ONE_CODE_ONLY   /* all ratings are the same code: agreement by chance is 1, and 0 / 0 has no value */
};

/* The reason as the end of a sentence ("undefined: …"); static text; NULL for a value that is defined. */
const char *agreement_words(enum agreement_reason reason);

enum {
    AGREEMENT_RATINGS_MAX = 1 << 30, /* below it sums of squared counts are exact */
    AGREEMENT_INTERVAL_MIN = 20,     /* items: below, fewer than 94 in 100 intervals have the true value in them
                                  * (docs/intervals.md) */
    AGREEMENT_SETS_MAX = 1024        /* different sets, or codes with weights, in one call */
};

/* --- what goes in --- */

struct ratings {
    size_t n_items, n_coders, n_codes;
    const int32_t *codes; /* n_items x n_coders, item after item; 0 .. n_codes-1, -1: missing */
};

/* Ratings of up to 64 codes at once: bit c is set when the coder gave code c. 0 is missing; that
 * "no code applies" was said is not the same, and needs its own code. */
struct set_ratings {
    size_t n_items, n_coders;
    const uint64_t *sets; /* n_items x n_coders, item after item */
};

/* --- two coders: Cohen's kappa --- */

/* Counts the items that both columns rated: matrix[i * n_codes + j] is how often `a` said i and `b` said j. All n_codes
 * x n_codes counts are overwritten (all 0 unless AGREEMENT_OK). a == b is allowed. */
enum agreement_reason MUST_USE confusion_matrix(const struct ratings *r, size_t a, size_t b, uint64_t *matrix);

/* A measure of agreement. The interval is at 95 %; see base/stat/coefficient.h for what it is. */
struct coefficient {
    enum agreement_reason reason;
    uint64_t n_items, n_ratings; /* that count: of items with two ratings or more */
    double observed, expected;   /* agreement, 0..1, and that by chance; numbers when there are such items */
    double value, low, high;     /* -1..1 */
};

/* Cohen, Educ. Psychol. Meas. 20, 1960. 0 where only one coder gave a single code, or where no code is in common. */
void cohen_kappa(const uint64_t *matrix, size_t n_codes, struct coefficient *out);

struct code_agreement {
    enum agreement_reason reason; /* of kappa */
    uint64_t both, by_a, by_b;    /* items that got the code by both, by a, by b */
    double specific;              /* 2 both / (by_a + by_b), 0..1; NAN only when neither used the code */
    double kappa;                 /* of the 2 x 2 table: this code or another */
};

/* One row for each code. Specific (positive) agreement: Dice 1945; Cicchetti & Feinstein, J. Clin. Epidemiol. 43, 1990.
 * `out` has n_codes rows. */
void code_agreement(const uint64_t *matrix, size_t n_codes, struct code_agreement *out);

/* --- measures --- */

enum agreement_measure {
    AGREEMENT_PERCENT, /* the share of pairs of ratings that agree */
    AGREEMENT_KAPPA,   /* Cohen's; two coders */
    AGREEMENT_PI,      /* Scott's pi; of two coders or more */
    AGREEMENT_PABAK,   /* prevalence- and bias-adjusted kappa (Byrt, Bishop & Carlin, J. Clin. Epidemiol. 46,
                        * 1993), of more codes Brennan & Prediger's (Educ. Psychol. Meas. 41, 1981): for the codes that
                        * were used */
    AGREEMENT_AC1,     /* Gwet's; with an order AC2 */
    AGREEMENT_FLEISS,  /* Fleiss' kappa, of the items that every coder rated */
    AGREEMENT_ALPHA    /* Krippendorff's; also of items that some coders did not rate */
};

/* How far apart two codes are, when it is not all or nothing. v: the value of a code, of all those used. */
enum agreement_scale {
    SCALE_NOMINAL,
    SCALE_LINEAR,    /* |v - w| */
    SCALE_QUADRATIC, /* (v - w)^2: for alpha Krippendorff's interval metric */
    SCALE_ORDINAL,   /* Krippendorff's ordinal metric: the ratings from v to w, those two by half, squared */
    SCALE_RATIO      /* ((v - w) / (v + w))^2 */
};

/* values: of each code, ascending or not; NULL: the codes have no order, and scales but the nominal one are
 * AGREEMENT_NO_ORDER. Not nominal: r->n_codes is at most AGREEMENT_SETS_MAX. */
void agreement_of(const struct ratings *r, enum agreement_measure which, enum agreement_scale scale,
                  const double *values, struct coefficient *out);

/* --- sets of codes --- */

/* MASI distance of two sets, not both empty (Passonneau, LREC 2006): 1 - J * M. J is |intersection| / |union|. M is 1
 * for equal sets, 2/3 when one contains the other, 1/3 when they overlap, 0 when they do not. */
double masi_distance(uint64_t a, uint64_t b);

/* Jaccard's distance, 1 - |intersection| / |union|. */
double jaccard_distance(uint64_t a, uint64_t b);

/* Krippendorff's alpha of sets, by one of the distances above (MASI: as nltk.agreement): half-agreement counts
 * in part. For single codes the same as nominal alpha. */
void alpha_of_sets(const struct set_ratings *r, double (*distance)(uint64_t a, uint64_t b), struct coefficient *out);
