/*
 * agreement: how far coders agree on nominal codes, beyond chance. May include base. Pure
 * computation: no I/O, no state; safe to call from several threads.
 *
 * All arrays are the caller's and are borrowed for the call. What has no value is NAN, and the
 * `reason` beside it says why: a coefficient is a number only when its reason is AGREEMENT_OK.
 */
#ifndef STAT_AGREEMENT_H
#define STAT_AGREEMENT_H

#include "base/base.h"

/* In the order in which they are looked for. */
enum agreement_reason {
    AGREEMENT_OK,
    AGREEMENT_TOO_FEW_CODERS, /* fewer than two columns, or a column that does not exist */
    AGREEMENT_BAD_CODE,       /* a code that is neither -1 nor below n_codes */
    AGREEMENT_TOO_LARGE,      /* above one of the limits below */
    AGREEMENT_NO_ITEMS,       /* no item was rated twice */
    AGREEMENT_MISSING,        /* a rating is missing where all are needed (Fleiss) */
    AGREEMENT_CODE_UNUSED,    /* neither coder used this code */
    AGREEMENT_ONE_CODE_ONLY,  /* all ratings are the same code: agreement by chance is 1 */
    AGREEMENT_CONSTANT_CODER, /* one coder always gave the same code, the other did not */
    AGREEMENT_NO_SHARED_CODE, /* no code was used by both coders */
    AGREEMENT_FEW_RESAMPLES   /* no resamples wanted, or undefined in more than one of twenty */
};

/* The reason as the end of a sentence ("undefined: …"); static text, never NULL. */
const char *agreement_words(enum agreement_reason reason);

enum {
    AGREEMENT_RATINGS_MAX = 1 << 30, /* below it sums of squared counts are exact */
    AGREEMENT_SETS_MAX = 1024,       /* different sets in one call of alpha_masi */
    AGREEMENT_RESAMPLES_MAX = 1000000
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

/*
 * Counts the items that both columns rated: matrix[i * n_codes + j] is how often `a` said i and `b`
 * said j. n_codes x n_codes counts, overwritten (all 0 unless AGREEMENT_OK). a == b is allowed.
 */
enum agreement_reason MUST_USE confusion_matrix(const struct ratings *r, size_t a, size_t b,
                                                uint64_t *matrix);

struct kappa {
    enum agreement_reason reason;
    uint64_t n;      /* items that both rated */
    double observed; /* share of agreement, 0..1; a number when n > 0 */
    double expected; /* share of agreement by chance, 0..1; a number when n > 0 */
    double kappa;    /* -1..1 */
    double se;       /* standard error for n -> infinity */
    double low, high; /* kappa -/+ 1.96 se, cut to -1..1: the 95 % interval */
};

/*
 * Cohen's kappa (Cohen, Educ. Psychol. Meas. 20, 1960). Its variance is that of Fleiss, Cohen &
 * Everitt (Psychol. Bull. 72, 1969), the one that applies when kappa is not 0. It is 0 at
 * perfect agreement, which is the formula's, not certainty: Wilson's interval on `observed` says
 * more there. Where one coder gave one code only, or both used no code in common, the formula is 0
 * with a variance of 0, which is no measurement: AGREEMENT_CONSTANT_CODER, AGREEMENT_NO_SHARED_CODE.
 */
void cohen_kappa(const uint64_t *matrix, size_t n_codes, struct kappa *out);

struct code_agreement {
    enum agreement_reason reason; /* of kappa */
    uint64_t both, by_a, by_b;    /* items that got the code by both, by a, by b */
    double specific; /* 2 both / (by_a + by_b), 0..1; NAN only when neither used the code */
    double kappa;    /* of the 2 x 2 table: this code or another */
};

/* One row for each code. Specific (positive) agreement: Dice 1945; Cicchetti & Feinstein, J. Clin.
 * Epidemiol. 43, 1990. `out` has n_codes rows. */
void code_agreement(const uint64_t *matrix, size_t n_codes, struct code_agreement *out);

/* --- intervals by resampling --- */

struct bootstrap_plan {
    uint64_t seed;       /* of random_seed */
    size_t n_resamples;  /* 2000 is usual */
    double confidence;   /* above 0 and below 1, e.g. 0.95 */
};

struct bootstrap {
    enum agreement_reason reason;
    double low, high;
    size_t n_undefined; /* resamples with one code only; left out */
};

/*
 * Percentile intervals (Efron & Tibshirani 1993, ch. 13) of items drawn with replacement, as many
 * as there are, resample after resample. What is drawn is how many items of each kind come, cell of
 * the matrix or pattern of ratings, which is the same distribution (base/stat/resample.h); so the time
 * of a resample grows with the kinds and not with the items. The bounds are quantiles of type 7
 * (Hyndman & Fan, Am. Stat. 50, 1996; the default of R and NumPy). The same input, seed and plan
 * give the same resamples, whatever the order of the items; between machines see random_binomial.
 *
 * A confidence outside (0, 1) is AGREEMENT_FEW_RESAMPLES.
 */
void cohen_kappa_bootstrap(const uint64_t *matrix, size_t n_codes,
                           const struct bootstrap_plan *plan, struct bootstrap *out);

/* --- any number of coders --- */

struct fleiss {
    enum agreement_reason reason;
    size_t n_items, n_coders;
    double observed, expected; /* shares of agreeing pairs; numbers when there are items */
    double kappa;
    double se_null; /* standard error if kappa were 0: for the test z = kappa / se_null only */
};

/*
 * Fleiss' kappa (Fleiss, Psychol. Bull. 76, 1971): every coder rated every item; one missing
 * rating makes it undefined (see alpha_nominal). The standard error is that of Fleiss, Nee & Landis
 * (Psychol. Bull. 86, 1979), as R's irr::kappam.fleiss; statsmodels has none. It makes no interval:
 * for that there is the bootstrap. `plan` and `interval` may both be NULL.
 */
void fleiss_kappa(const struct ratings *r, struct fleiss *out, const struct bootstrap_plan *plan,
                  struct bootstrap *interval);

struct alpha {
    enum agreement_reason reason;
    size_t n_items;   /* items with two ratings or more; others are left out */
    size_t n_ratings; /* of those items */
    double observed, expected; /* disagreement, mean distance; numbers when there are items */
    double alpha;
};

/*
 * Krippendorff's alpha for nominal codes (Content Analysis, 4th ed. 2018, ch. 12; "Computing
 * Krippendorff's alpha-reliability", 2011). The interval is the percentile bootstrap above and not
 * Krippendorff's own algorithm, which draws pairs. `plan` and `interval` may both be NULL.
 */
void alpha_nominal(const struct ratings *r, struct alpha *out, const struct bootstrap_plan *plan,
                   struct bootstrap *interval);

/*
 * Krippendorff's alpha for numbers: the distance of two of them is their difference squared (the
 * "interval" metric of the same chapter). Code c of `r` is the number values[c]; r->n_codes is at most
 * AGREEMENT_SETS_MAX.
 */
void alpha_interval(const struct ratings *r, const double *values, struct alpha *out,
                    const struct bootstrap_plan *plan, struct bootstrap *interval);

/*
 * MASI distance of two sets, at least one of them not empty (Passonneau, LREC 2006):
 * 1 - J * M, where J is |intersection| / |union|, and M is 1 for equal sets, 2/3 when one contains the
 * other, 1/3 when they overlap, 0 when they do not.
 */
double masi_distance(uint64_t a, uint64_t b);

/* Krippendorff's alpha with MASI as the distance (as nltk.agreement): half-agreement counts in
 * part. For single codes the same as alpha_nominal. */
void alpha_masi(const struct set_ratings *r, struct alpha *out, const struct bootstrap_plan *plan,
                struct bootstrap *interval);
/* The same with Jaccard's distance, 1 - |intersection| / |union|. */
double jaccard_distance(uint64_t a, uint64_t b);
void alpha_jaccard(const struct set_ratings *r, struct alpha *out,
                   const struct bootstrap_plan *plan, struct bootstrap *interval);

#endif
