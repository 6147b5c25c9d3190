/*
 * summary: medians, slopes and ratios of measured values. May include base. Pure computation: no
 * I/O, no state; safe to call from several threads.
 */
#pragma once

#include "base/base.h"

void stat_sort(double *values, size_t n); /* ascending; there is no NAN among them */
/* The quantile of p (0..1) of n > 0 sorted values: type 7 of Hyndman and Fan, Am. Stat. 50, 1996. */
double stat_quantile(const double *sorted, size_t n, double p);
double stat_median(const double *values, size_t n); /* NAN for none */
/* Median of the slopes of all pairs against the places 0, 1, … (Theil 1950; Sen, J. Am. Stat.
 * Assoc. 63, 1968). More than 1000 values are thinned evenly to 1000 at most, at their places.
 * NAN for fewer than two. */
double stat_slope(const double *values, size_t n);

struct stat_ratio {
    double ratio;     /* median of the one over median of the other */
    double low, high; /* 95 % interval */
};

/* Percentile bootstrap (Efron, Ann. Stat. 7, 1979), 10000 times: both samples are drawn again, the one
 * independently of the other. The same from the same seed. NAN when one is empty. All values are above 0. */
struct stat_ratio stat_ratio(const double *over, size_t n_over, const double *under, size_t n_under, uint64_t seed);
