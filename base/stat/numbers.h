/* numbers: summaries and agreement of measured or estimated numbers. May include base. Pure computation: no I/O, no
 * state; safe to call from several threads. */
#pragma once

#include "base/stat/agreement.h"

struct numbers_summary {
    size_t n;
    double low, high;                    /* the least and the greatest */
    double median, quartile1, quartile3; /* by linear interpolation: type 7 (Hyndman & Fan 1996) */
    double mean, deviation;              /* deviation: with n - 1; NAN for n < 2 */
    double mean_low, mean_high;          /* Student's interval; NAN for n < 2 */
};

/* All NAN but n for no values. */
void numbers_summarize(const double *values, size_t n, double confidence, struct numbers_summary *out);

struct icc {
    enum agreement_reason reason;
    size_t n_items; /* that every coder rated; others are left out */
    double icc;
    double low, high; /* NAN without a reason too, where coders differ by a constant */
};

/* ICC(2,1): two-way random effects, absolute agreement, one coder (Shrout & Fleiss, Psychol. Bull. 86, 1979), with the
 * interval of McGraw & Wong (Psychol. Methods 1, 1996). values: item by item, the number of each coder, NAN without
 * one. AGREEMENT_FEW_COMPLETE below two items; AGREEMENT_ONE_CODE_ONLY when all numbers are the same. */
void icc_single(const double *values, size_t n_items, size_t n_coders, double confidence, struct icc *out);

/* --- medians, slopes and ratios of measured values --- */

double stat_median(const double *values, size_t n); /* NAN for none */
/* Median of the slopes of all pairs against the places 0, 1, … (Theil 1950; Sen, J. Am. Stat. Assoc. 63, 1968). More
 * than 1000 values are thinned evenly to 1000 at most, at their places. NAN for fewer than two. */
double stat_slope(const double *values, size_t n);

struct stat_ratio {
    double ratio;     /* median of the one over median of the other */
    double low, high; /* 95 % interval */
};

/* Percentile bootstrap (Efron, Ann. Stat. 7, 1979), 10000 times: both samples are drawn again, the one
 * independently of the other. The same from the same seed. NAN when one is empty. All values are above 0. */
struct stat_ratio stat_ratio(const double *over, size_t n_over, const double *under, size_t n_under, uint64_t seed);
