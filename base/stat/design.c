/* design: ratios of totals that strata estimate, with their intervals. */
#include "base/stat/design.h"

#include "base/stat/exact.h"

#include <math.h>

/* The part of what was seen that counts in each tail: intervals cover the truth with about their
 * confidence. */
static const double MID_P = 0.5;

/* --- ratios --- */

static double weight(const struct design_stratum *s)
{
    return s->drawn > 0 ? (double)s->population / (double)s->drawn : 0;
}

/* Of the stratum's total of with - share x among. */
static double variance_of_total(const struct design_stratum *s, double share)
{
    double n = (double)s->drawn, with = (double)s->with, others = (double)(s->among - s->with);
    double mean = (with * (1 - share) - others * share) / n;
    double squares = with * (1 - share) * (1 - share) + others * share * share - n * mean * mean;
    double part = n / (double)s->population;

    if (s->drawn < 2 || s->drawn == s->population)
        return 0;
    return (double)s->population * (double)s->population * (1 - part) * squares / (n - 1) / n;
}

/* Wilson's interval of a share with this many draws, which need not be a whole number. */
static void wilson_of(double share, double n, double confidence, struct design_share *out)
{
    double z = normal_quantile(1 - (1 - confidence) / 2), z2 = z * z;
    double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    double half = z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);

    out->low = centre > half ? centre - half : 0;
    out->high = centre + half < 1 ? centre + half : 1;
}

/* The stratum that is a sample; NULL when there is none, *several when there are more. */
static const struct design_stratum *only_sample(const struct design_stratum *strata, size_t n,
                                                bool *several)
{
    const struct design_stratum *found = NULL;

    *several = false;
    for (size_t i = 0; i < n; i++)
        if (strata[i].drawn < strata[i].population) {
            *several |= found != NULL;
            found = &strata[i];
        }
    return found;
}

/* Totals of the strata that were read whole, and of one that was not with `count` counted in it. */
static double share_with(const struct design_stratum *strata, size_t n,
                         const struct design_stratum *sample, uint64_t count)
{
    bool are_with = sample->with > 0;
    double with = are_with ? (double)count : 0, among = (double)count;

    for (size_t i = 0; i < n; i++)
        if (&strata[i] != sample) {
            with += (double)strata[i].with;
            among += (double)strata[i].among;
        }
    return among > 0 ? with / among : NAN;
}

static void by_count(const struct design_stratum *strata, size_t n,
                     const struct design_stratum *sample, double confidence,
                     struct design_share *out)
{
    struct count_interval range = hypergeometric_interval(
        sample->population, sample->drawn, sample->among, confidence, MID_P);
    double a = share_with(strata, n, sample, range.low);
    double b = share_with(strata, n, sample, range.high);

    out->low = a < b ? a : b;
    out->high = a < b ? b : a;
}

/* Draws that are worth as much as those among which something was counted: when all of them were the
 * same, there is no variance to go by. */
static double counted_draws(const struct design_stratum *strata, size_t n, double among)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++)
        if (strata[i].drawn < strata[i].population)
            squares += weight(&strata[i]) * weight(&strata[i]) * (double)strata[i].among;
    return squares > 0 ? among * among / squares : 0;
}

/* Nothing was counted in any sample: what they may have missed is all with it, or all without. */
static void by_what_is_missed(const struct design_stratum *strata, size_t n, double confidence,
                              struct design_share *out)
{
    double missed = 0;

    for (size_t i = 0; i < n; i++)
        if (strata[i].drawn < strata[i].population)
            missed += (double)hypergeometric_interval(strata[i].population, strata[i].drawn, 0,
                                                      confidence, MID_P).high;
    out->low = out->with / (out->among + missed);
    out->high = (out->with + missed) / (out->among + missed);
}

void design_ratio(const struct design_stratum *strata, size_t n, double confidence,
                  struct design_share *out)
{
    double variance = 0;
    bool several;
    const struct design_stratum *sample = only_sample(strata, n, &several);

    *out = (struct design_share){.reason = STATISTIC_OK, .share = NAN, .low = NAN, .high = NAN};
    for (size_t i = 0; i < n; i++) {
        out->with += weight(&strata[i]) * (double)strata[i].with;
        out->among += weight(&strata[i]) * (double)strata[i].among;
    }
    if (!(out->among > 0)) {
        out->reason = STATISTIC_NO_DATA;
        return;
    }
    out->share = out->low = out->high = out->with / out->among;
    for (size_t i = 0; i < n; i++)
        variance += variance_of_total(&strata[i], out->share);
    variance /= out->among * out->among;
    if (sample == NULL)
        return; /* all was read: nothing is uncertain */
    if (!several && (sample->with == 0 || sample->with == sample->among))
        by_count(strata, n, sample, confidence, out);
    else if (variance > 0 && out->share > 0 && out->share < 1)
        wilson_of(out->share, out->share * (1 - out->share) / variance, confidence, out);
    else if (counted_draws(strata, n, out->among) > 0)
        wilson_of(out->share, counted_draws(strata, n, out->among), confidence, out);
    else
        by_what_is_missed(strata, n, confidence, out);
}
