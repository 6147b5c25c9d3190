/*
 * exact: probabilities and bounds of counts, without approximation. May include base. Pure
 * computation: no I/O, no state; safe to call from several threads.
 */
#pragma once

#include "base/base.h"

/*
 * P(X <= k), where X counts the marked items among `drawn` of a `population` that has `marked` of
 * them: the hypergeometric distribution; to about 1e-9 relative below a population of 10^7. NAN when
 * marked or drawn are above the population.
 */
double hypergeometric_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k);

/* The same when the odds of a marked item to be drawn are `odds` (above 0) times those of another:
 * Fisher's noncentral distribution (Fog, Commun. Stat. Simul. Comput. 37, 2008). 1 is the above. */
double hypergeometric_odds_at_most(uint64_t population, uint64_t marked, uint64_t drawn, uint64_t k, double odds);

/* The one-sided lower bound of a share, `seen` of n: the largest that a test at 1 - confidence still
 * refuses from below (Clopper & Pearson, Biometrika 26, 1934). 0 when nothing was seen. */
double binomial_least(uint64_t seen, uint64_t n, double confidence);
