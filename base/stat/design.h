/*
 * design: shares of a population of which some parts were read whole and simple random samples of others. May include
 * base. Pure computation: no I/O, no state; safe to call from several threads.
 *
 * What a sample says of the number of marked items in its part is kept as two distributions: one gives the lower bounds
 * of exact intervals at every confidence, one the upper bounds. An interval for something that several parts decide
 * follows from them as if they were independent draws: melded confidence intervals (Fay, Proschan & Brittain,
 * "Combining one-sample confidence procedures for inference in the two-sample case", Biometrics 71, 2015). For one part
 * it is the exact interval of equal tails (Buonaccorsi, "A note on confidence intervals for proportions in finite
 * populations", Am. Stat. 41, 1987), with all of the probability of what was seen in each tail. A part in which nothing
 * was seen is not taken for empty. docs/intervals.md has the measured coverage.
 */
#pragma once

#include "base/stat/statistics.h"

/* A part of the population, and a simple random sample of it. */
struct design_part {
    uint64_t population, drawn; /* equal: read whole; drawn 0: nothing is known of it */
    uint64_t seen;              /* of the drawn: those that are looked for */
};

/* STATISTIC_OK: all are numbers. STATISTIC_COUNTED: everything was read, so there is a share and no interval.
 * STATISTIC_NOT_DRAWN: what was read says nothing about the share, which is NAN; the bounds are those of all possible
 * values. STATISTIC_NO_DATA: there is nothing to count, or none was seen; all are NAN but `with` and `among`. */
struct design_share {
    enum statistic_reason reason;
    double share, low, high;
    double with, among; /* estimated for the population */
};

/* The share of all items of these parts that are looked for. A part of which nothing was drawn is
 * estimated by the samples of the others; its bounds are 0 and all of it. */
void design_share(const struct design_part *parts, size_t n, double confidence, struct design_share *out);

/* Of what is looked for, the share that is in the parts `found` and not in the parts `missed`. */
void design_recall(const struct design_part *found, size_t n_found, const struct design_part *missed, size_t n_missed,
                   double confidence, struct design_share *out);

/* A population of which one part was read whole and a sample of the rest; only some items count. */
struct design_domain {
    uint64_t known_among, known_with; /* of the part that was read whole: those that count, and those of
                                       * them with what is asked for */
    uint64_t population, drawn;       /* of the rest */
    uint64_t among, with;             /* of the drawn; with <= among <= drawn */
};

/* The share of those that count that are with what is asked for. How many count in the rest is one distribution; given
 * that number, those that count and were drawn are a sample of them, which is the other. */
void design_domain_share(const struct design_domain *d, double confidence, struct design_share *out);
