/*
 * statistics: proportions, contingency tables, samples and counts. May include base. Pure computation: no I/O, no
 * state; safe to call from several threads.
 *
 * All arrays are the caller's and are borrowed for the call. What has no value is NAN, and the `reason` beside it says
 * why: a result is a number only when its reason is STATISTIC_OK. A confidence is above 0 and below 1, e.g. 0.95.
 */
#pragma once

#include "base/base.h"

enum statistic_reason {
    STATISTIC_OK,
    STATISTIC_BAD_ARGUMENT, /* a confidence, margin or share out of range */
    STATISTIC_NO_DATA,      /* nothing was counted */
    STATISTIC_ONE_LINE,     /* a table with fewer than two rows or columns */
    STATISTIC_EMPTY_LINE,   /* a row or a column sums to 0: leave it out first */
    STATISTIC_TOO_LARGE,    /* above one of the limits below */
    STATISTIC_COUNTED,      /* everything was read: a share, and nothing uncertain about it */
    STATISTIC_NOT_DRAWN     /* nothing was drawn that says something about it */
};

/* The reason as the end of a sentence ("undefined: …"); static text; NULL for a value that is defined. */
const char *statistic_words(enum statistic_reason reason);

enum {
    STATISTIC_TOTAL_MAX = 1 << 30, /* the sum of a table */
    STATISTIC_LINES_MAX = 4096,    /* rows or columns of a table */
    FISHER_TOTAL_MAX = 10000000,   /* the sum of a table in fisher_exact */
    FISHER_CELLS_MAX = 10000,      /* the cells of a table in fisher_exact */
};

/* --- distributions --- */

/* 0 < p < 1 (else NAN), to about 1e-16: algorithm AS 241, PPND16 (Wichura, Appl. Stat. 37, 1988). */
double normal_quantile(double p);

/* Upper regularised incomplete gamma function Q(a, x), a > 0, x >= 0 (else NAN), to about 1e-12 relative for a up to
 * 1000: series below x = a + 1, else Lentz's continued fraction (Press et al., Numerical Recipes, 3rd ed. 2007,
 * 6.2). */
double gamma_upper(double a, double x);

/* --- proportions --- */

struct proportion {
    enum statistic_reason reason;
    double share, low, high; /* 0..1 */
};

/* Score interval (Wilson, J. Am. Stat. Assoc. 22, 1927), without continuity correction. */
void wilson_interval(uint64_t successes, uint64_t n, double confidence, struct proportion *out);

/* How many of `population` items to draw so that a proportion is known within +/- margin (0..1, e.g. 0.05) whatever it
 * is (share 1/2 is assumed, the worst case): n0 = z^2 / (4 margin^2), finite population correction n0 / (1 + (n0 - 1) /
 * population), rounded up (Cochran, Sampling Techniques, 3rd ed. 1977, 4.4). Never above the population. */
enum statistic_reason MUST_USE sample_size(double confidence, double margin, uint64_t population, uint64_t *n);

/* --- contingency tables: rows x cols counts, row after row --- */

struct chi_square {
    enum statistic_reason reason;
    uint64_t n;
    double statistic;
    size_t df; /* (rows - 1) (cols - 1) */
    double p;
    double expected_min;        /* smallest expected count */
    size_t n_expected_below_5;  /* cells with an expected count under 5 */
    double cramers_v;           /* 0..1, biased upwards */
    double cramers_v_corrected; /* 0..1; NAN in a table too small to correct, else a number */
};

/* Pearson's chi-square test of independence, without Yates' correction. Cramér's V is sqrt(chi2 / n / (min(rows, cols)
 * - 1)), corrected as in Bergsma, J. Korean Stat. Soc. 42, 2013. `expected` has rows x cols counts, or is NULL; written
 * only when the reason is STATISTIC_OK. */
void chi_square_test(const uint64_t *counts, size_t rows, size_t cols, struct chi_square *out, double *expected);

enum fisher_method { FISHER_EXACT, FISHER_MONTE_CARLO };

struct fisher_plan {
    uint64_t seed;       /* of random_seed; for Monte Carlo only */
    uint64_t max_tables; /* most tables to enumerate before it turns to Monte Carlo */
    uint64_t n_samples;  /* 1 .. 2^32 */
};

struct fisher {
    enum statistic_reason reason;
    enum fisher_method method;
    uint64_t n_tables; /* that were enumerated, or sampled */
    double p;          /* two-sided */
    double p_se;       /* of Monte Carlo: sqrt(p (1 - p) / n_samples); else 0 */
    double odds_ratio; /* 2 x 2 only, else NAN; a d / (b c), as observed; INFINITY when b c = 0 */
};

/*
 * Fisher's exact test (2 x 2, two-sided as scipy.stats.fisher_exact) and its extension to r x c (Freeman & Halton,
 * Biometrika 38, 1951): the probability, given all row and column sums, of the tables that are at most as probable as
 * this one. Probabilities that differ by less than 1e-10 of themselves count as equal, because of rounding.
 *
 * 2 x 2 is always exact. Other tables are enumerated while there are at most plan->max_tables of them; else
 * plan->n_samples are drawn by shuffling one variable against the other, in n_samples x n steps, and p is (tables at
 * most as probable + 1) / (n_samples + 1) (Phipson & Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010). Unlike scipy, an
 * empty row or column gives no p. A p below 1e-300 may come out as 0.
 */
void fisher_exact(const uint64_t *counts, size_t rows, size_t cols, const struct fisher_plan *plan, struct fisher *out);

/* --- samples --- */

/* Shares n among strata in proportion to their sizes, by largest remainder (Hamilton); ties: the earlier stratum. The
 * sum of shares is the smaller of n and the sum of sizes, no share is above its size. STATISTIC_TOO_LARGE for sums
 * above STATISTIC_TOTAL_MAX. */
enum statistic_reason MUST_USE stratum_shares(const uint64_t *sizes, size_t n_strata, uint64_t n, uint64_t *shares);

/* --- probabilities and bounds of counts, without approximation --- */

/* P(X <= k) of the hypergeometric distribution: X counts the marked items among `drawn` of a `population` with `marked`
 * ones. To about 1e-9 relative below a population of 10^7. NAN when marked or drawn are above the population. */
double hypergeometric_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k);

/* The same when the odds of a marked item to be drawn are `odds` (above 0) times those of another:
 * Fisher's noncentral distribution (Fog, Commun. Stat. Simul. Comput. 37, 2008). 1 is the above. */
double hypergeometric_odds_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k, double odds);

/* The one-sided lower bound of a share, `seen` of n: the largest that a test at 1 - confidence still
 * refuses from below (Clopper & Pearson, Biometrika 26, 1934). 0 when nothing was seen. */
double binomial_least(uint64_t seen, uint64_t n, double confidence);
