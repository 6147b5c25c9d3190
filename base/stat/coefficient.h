/*
 * coefficient: agreement beyond chance, (observed - expected) / (1 - expected), with an interval that is valid for few
 * items too. Internal to base/stat.
 *
 * The coefficients differ in what is expected by chance. q is how many codes were used (2 where it was one), w their
 * weights (1 on the diagonal; all 0 beside it for codes without an order), p their shares, W the sum of the weights.
 *
 * The interval is a score interval (Wilson, J. Am. Stat. Assoc. 22, 1927; for kappa: Lee & Tu, Biom. J. 36, 1994): all
 * values that a test at 1 - confidence does not refuse, with the variance under the tested value and a continuity
 * correction of one rating (Newcombe, Stat. Med. 17, 1998). The data under that value are the items as they are, mixed
 * with items on which all agree or on which two codes differ, both with the shares of the codes. The variance is by
 * linearisation, as Fleiss, Cohen & Everitt (Psychol. Bull. 72, 1969) do it for kappa. Where all agree the interval
 * does not shrink to nothing, unlike bootstrap percentiles and plus or minus 1.96 standard errors. docs/intervals.md
 * has the measured coverage.
 */
#pragma once

#include "base/stat/agreement.h"

/* --- items that got the same ratings, counted together: coefficients need only that of an item --- */

struct pattern {
    const int32_t *values; /* codes, of all coders that gave one */
    size_t n;              /* 1 or more */
    uint64_t count;        /* items */
};

/* Patterns ascend, by the first value that differs, then by n: so the order of items does not show. */
struct patterns {
    struct ARRAY_OF(struct pattern) list;
    uint64_t n_items;
    struct arena arena;
};

/* All-zero *p is filled; the ratings must be valid. `sorted`: whose the ratings are makes no difference, and values
 * ascend; else they are in the order of the coders. Items without ratings are left out. The caller clears it. */
void patterns_take(struct patterns *p, const struct ratings *r, bool sorted);
void patterns_clear(struct patterns *p);

/* --- coefficients --- */

enum chance {
    CHANCE_NONE,   /* percent agreement: 0 */
    CHANCE_EVEN,   /* W / q^2: Bennett, Alpert & Goldstein (Public Opin. Q. 18, 1954); of two codes PABAK */
    CHANCE_OWN,    /* the sum of w p(coder A) p(coder B): Cohen (Educ. Psychol. Meas. 20, 1960); weighted:
                    * Cohen (Psychol. Bull. 70, 1968) */
    CHANCE_POOLED, /* the sum of w p p: Scott (Public Opin. Q. 19, 1955), Fleiss (Psychol. Bull. 76, 1971) */
    CHANCE_PAIRED, /* the same without pairs of a rating with itself, items weighted by their ratings:
                    * Krippendorff (Content Analysis, 4th ed. 2018, ch. 12) */
    CHANCE_GWET    /* W / (q (q - 1)) times the sum of p (1 - p): AC1 (Br. J. Math. Stat. Psychol. 61,
                    * 2008); with weights AC2 (Handbook of Inter-Rater Reliability, 4th ed. 2014) */
};

/* Items with one rating count only for shares of codes of CHANCE_GWET and CHANCE_EVEN, as in irrCAC. For CHANCE_OWN
 * each item has two ratings, the first by coder A. weights: n_codes x n_codes, or NULL. Under `least` items: no
 * interval. */
void coefficient_of(const struct pattern *items, size_t n, size_t n_codes, enum chance chance, const double *weights,
                    double confidence, uint64_t least, struct coefficient *out);
