/*
 * design: shares of a population of which some parts were read whole and random samples of others,
 * each post weighted by how it came to be read. May include base. Pure computation.
 */
#ifndef STAT_DESIGN_H
#define STAT_DESIGN_H

#include "base/stat/statistics.h"

/* A part of the population, and a simple random sample of it. */
struct design_stratum {
    uint64_t population, drawn; /* equal: read whole; drawn 0 only for an empty one */
    uint64_t among, with;       /* of the drawn: those that are counted, and those of them with what is
                                 * asked for; with <= among <= drawn */
};

struct design_share {
    enum statistic_reason reason; /* STATISTIC_NO_DATA: nothing to be counted was drawn */
    double share, low, high;
    double among, with; /* estimated for the population */
};

/*
 * The share of those `with` among those that are counted: the separate totals of all strata,
 * population / drawn times what was drawn, one over the other. Its variance is by linearisation, with
 * the correction for finite populations (Cochran, Sampling Techniques, 3rd ed. 1977, 6.11). The
 * interval is Wilson's for as many independent draws as have that variance (Korn & Graubard,
 * Surv. Methodol. 24, 1998, with Wilson's in the place of the exact one, which covers too much).
 *
 * Where one stratum alone was sampled, and its items can only be counted and not be `with`, or are `with`
 * whenever they are counted, the only unknown is how many there are: the interval follows from
 * hypergeometric_interval. Where no sample had anything to count, the bounds are the shares when all that
 * the samples may have missed is with it, or all without.
 */
void design_ratio(const struct design_stratum *strata, size_t n, double confidence,
                  struct design_share *out);

#endif
