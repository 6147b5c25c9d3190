/* design: shares of a population of which parts were read or sampled, with their intervals. */
#include "base/stat/design.h"

#include <math.h>

enum { HALVINGS = 44, STEPS = 2000 };

/* --- distributions of a count --- */

/* The probability of first, first + 1, … */
struct spread {
    uint64_t first;
    size_t n;
    double *p;
};

static struct spread spread_of_one(uint64_t count)
{
    struct spread s = {count, 1, mem_zero(1, sizeof *s.p)};

    s.p[0] = 1;
    return s;
}

/* p(k + 1) / p(k) of spread_high. */
static double ratio_at(const struct design_part *d, double k)
{
    double N = (double)d->population, n = (double)d->drawn, x = (double)d->seen;

    return (k + 1) * (N - k - n + x) / ((k + 1 - x) * (N - k - 1));
}

/* Numbers whose probability would not change the sum are left out. */
static struct spread spread_around(const struct design_part *d, uint64_t mode)
{
    struct spread s = {mode, 1, NULL};
    uint64_t last = d->population - d->drawn + d->seen, high = mode;
    double term = 1, sum = 1;

    for (uint64_t k = mode; k > d->seen && term > sum * 1e-18; s.first = --k)
        sum += term /= ratio_at(d, (double)(k - 1));
    term = 1;
    for (uint64_t k = mode; k < last && term > sum * 1e-18; high = ++k)
        sum += term *= ratio_at(d, (double)k);
    s.n = (size_t)(high - s.first + 1);
    s.p = mem_zero(s.n, sizeof *s.p);
    size_t at = (size_t)(mode - s.first);
    s.p[at] = 1 / sum;
    for (size_t i = at; i > 0; i--)
        s.p[i - 1] = s.p[i] / ratio_at(d, (double)(s.first + i - 1));
    for (size_t i = at; i + 1 < s.n; i++)
        s.p[i + 1] = s.p[i] * ratio_at(d, (double)(s.first + i));
    return s;
}

/* How many are marked, so that P(count >= k) is the probability of as few as were seen when k are marked: its quantiles
 * are the upper bounds of exact intervals. P(k), that probability for k less that for k + 1, is C(k, seen) C(N - k - 1,
 * drawn - seen - 1) / C(N, drawn). */
static struct spread spread_high(const struct design_part *d)
{
    if (d->seen == d->drawn)
        return spread_of_one(d->population);
    if (d->drawn == d->population)
        return spread_of_one(d->seen);
    double others = (double)(d->drawn - 1), last = (double)(d->population - d->drawn + d->seen);
    double mode = others > 0 ? floor((double)d->seen * (double)d->population / others) : 0;
    return spread_around(d, (uint64_t)fmin(mode, last));
}

/* So that P(count <= k) is the probability of as many as were seen: the lower bounds. */
static struct spread spread_low(const struct design_part *d)
{
    /* The same of those that are not marked. */
    struct design_part other = {d->population, d->drawn, d->drawn - d->seen};
    struct spread s = spread_high(&other);

    s.first = d->population - (s.first + s.n - 1);
    for (size_t i = 0; i < s.n / 2; i++) {
        double kept = s.p[i];
        s.p[i] = s.p[s.n - 1 - i];
        s.p[s.n - 1 - i] = kept;
    }
    return s;
}

/* Of the counts of all parts together. */
static struct spread spread_of_sum(const struct design_part *parts, size_t n,
                                   struct spread (*of)(const struct design_part *))
{
    struct spread all = spread_of_one(0);

    for (size_t part = 0; part < n; part++) {
        struct spread a = all, b = of(&parts[part]);
        all = (struct spread){a.first + b.first, a.n + b.n - 1, NULL};
        all.p = mem_zero(all.n, sizeof *all.p);
        for (size_t i = 0; i < a.n; i++)
            for (size_t k = 0; k < b.n; k++)
                all.p[i + k] += a.p[i] * b.p[k];
        mem_free(a.p);
        mem_free(b.p);
    }
    return all;
}

/* --- estimates --- */

/* What a part of which nothing was drawn is estimated by: all samples. NAN: there are none. */
static double rate_of_samples(const struct design_part *parts, size_t n, uint64_t *drawn, uint64_t *seen)
{
    for (size_t i = 0; i < n; i++)
        if (parts[i].drawn < parts[i].population) {
            *drawn += parts[i].drawn;
            *seen += parts[i].seen;
        }
    return *drawn > 0 ? (double)*seen / (double)*drawn : NAN;
}

static double estimated(const struct design_part *parts, size_t n, double rate)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        if (parts[i].population > 0)
            sum += (double)parts[i].population *
                   (parts[i].drawn > 0 ? (double)parts[i].seen / (double)parts[i].drawn : rate);
    return sum;
}

static bool all_read(const struct design_part *parts, size_t n)
{
    bool all = true;

    for (size_t i = 0; i < n; i++)
        all &= parts[i].drawn == parts[i].population;
    return all;
}

/* --- shares --- */

/* The number below which, or above which, the probability is no more than `tail`. */
static double end_of_sum(const struct design_part *parts, size_t n, bool high, double tail)
{
    struct spread s = spread_of_sum(parts, n, high ? spread_high : spread_low);
    size_t last = s.n - 1, i = 0;
    double sum = s.p[high ? last : 0];

    while (sum <= tail && i < last) {
        i++;
        sum += s.p[high ? last - i : i];
    }
    mem_free(s.p);
    return (double)(s.first + (high ? last - i : i));
}

void design_share(const struct design_part *parts, size_t n, double confidence, struct design_share *out)
{
    uint64_t drawn = 0, seen = 0;
    double rate = rate_of_samples(parts, n, &drawn, &seen), tail = (1 - confidence) / 2;

    *out = (struct design_share){STATISTIC_NO_DATA, NAN, NAN, NAN, 0, 0};
    for (size_t i = 0; i < n; i++)
        out->among += (double)parts[i].population;
    if (!(out->among > 0))
        return;
    out->with = estimated(parts, n, rate);
    out->share = out->with / out->among;
    out->reason = all_read(parts, n) ? STATISTIC_COUNTED : isnan(out->share) ? STATISTIC_NOT_DRAWN : STATISTIC_OK;
    if (out->reason == STATISTIC_COUNTED)
        return;
    out->low = end_of_sum(parts, n, false, tail) / out->among;
    out->high = end_of_sum(parts, n, true, tail) / out->among;
}

/* --- recall --- */

/* P(found (1 - share) <= missed share); `at_least[i]`: that missed.first + i or more are missed. */
static double at_most_share(const struct spread *found, const struct spread *missed, const double *at_least,
                            double share)
{
    double sum = 0;

    for (size_t i = 0; i < found->n; i++) {
        double least = ceil((double)(found->first + i) * (1 - share) / share - 1e-9);
        if (least > (double)(missed->first + missed->n - 1))
            break; /* and so are all that follow */
        sum += found->p[i] * (least <= (double)missed->first ? 1 : at_least[(size_t)(least - (double)missed->first)]);
    }
    return sum;
}

/* The least share that is not refused: by halving, as the probability grows with the share. */
static double low_of_recall(const struct design_part *found, size_t n_found, const struct design_part *missed,
                            size_t n_missed, double tail)
{
    struct spread f = spread_of_sum(found, n_found, spread_low);
    struct spread m = spread_of_sum(missed, n_missed, spread_high);
    double *at_least = mem_zero(m.n, sizeof *at_least), low = 0, high = 1;

    for (size_t i = m.n; i > 0; i--)
        at_least[i - 1] = m.p[i - 1] + (i < m.n ? at_least[i] : 0);
    if (f.n == 1) { /* found is known: one over the other, without rounding */
        size_t i = m.n - 1;
        while (i > 0 && at_least[i] <= tail)
            i--;
        double count = (double)f.first, all = count + (double)(m.first + i);
        low = all > 0 ? count / all : 0;
    }
    for (int i = 0; i < HALVINGS && f.n > 1; i++) {
        double middle = (low + high) / 2;
        if (at_most_share(&f, &m, at_least, middle) <= tail)
            low = middle;
        else
            high = middle;
    }
    mem_free(at_least);
    mem_free(f.p);
    mem_free(m.p);
    return low;
}

void design_recall(const struct design_part *found, size_t n_found, const struct design_part *missed, size_t n_missed,
                   double confidence, struct design_share *out)
{
    uint64_t drawn = 0, seen = 0;
    double tail = (1 - confidence) / 2;

    rate_of_samples(found, n_found, &drawn, &seen);
    double rate = rate_of_samples(missed, n_missed, &drawn, &seen);
    *out = (struct design_share){STATISTIC_NO_DATA, NAN, NAN, NAN, 0, 0};
    out->with = estimated(found, n_found, rate);
    out->among = out->with + estimated(missed, n_missed, rate);
    if (out->among <= 0)
        return;
    out->share = out->with / out->among;
    out->reason = all_read(found, n_found) && all_read(missed, n_missed) ? STATISTIC_COUNTED
                  : isnan(out->share)                                    ? STATISTIC_NOT_DRAWN
                                                                         : STATISTIC_OK;
    if (out->reason == STATISTIC_COUNTED)
        return;
    out->low = low_of_recall(found, n_found, missed, n_missed, tail);
    out->high = 1 - low_of_recall(missed, n_missed, found, n_found, tail);
}

/* --- shares of those that count --- */

/* P(share <= `share`) when the sample says the least of those with it: given how many count, by `counted`, taken in
 * steps where there are many. */
static double at_most_in_domain(const struct design_domain *d, const struct spread *counted, double share)
{
    size_t step = counted->n / STEPS + 1;
    double sum = 0;

    for (size_t from = 0; from < counted->n; from += step) {
        size_t to = from + step < counted->n ? from + step : counted->n;
        uint64_t among = counted->first + (from + to - 1) / 2;
        double with = floor(share * (double)(d->known_among + among) + 1e-9) - (double)d->known_with;
        double p = 0;
        for (size_t i = from; i < to; i++)
            p += counted->p[i];
        if (with < (double)d->with)
            continue;
        with = fmin(with, (double)among);
        if (d->with > 0)
            p *= 1 - hypergeometric_at_most(among, (uint64_t)with, d->among, d->with - 1);
        sum += p;
    }
    return sum;
}

static double low_in_domain(const struct design_domain *d, struct spread counted, double tail)
{
    double low = 0, high = 1;

    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (at_most_in_domain(d, &counted, middle) <= tail)
            low = middle;
        else
            high = middle;
    }
    mem_free(counted.p);
    return low;
}

/* Whether more that count make the share less or more depends on the share: the worse one. */
static double low_of_domain(const struct design_domain *d, double tail)
{
    struct design_part rest = {d->population, d->drawn, d->among};
    double few = low_in_domain(d, spread_low(&rest), tail);
    double many = low_in_domain(d, spread_high(&rest), tail);

    return few < many ? few : many;
}

void design_domain_share(const struct design_domain *d, double confidence, struct design_share *out)
{
    double weight = d->drawn > 0 ? (double)d->population / (double)d->drawn : 0;
    double tail = (1 - confidence) / 2;
    struct design_domain others = *d;

    others.known_with = d->known_among - d->known_with;
    others.with = d->among - d->with;
    *out = (struct design_share){STATISTIC_NO_DATA, NAN, NAN, NAN, 0, 0};
    out->with = (double)d->known_with + weight * (double)d->with;
    out->among = (double)d->known_among + weight * (double)d->among;
    if (!(out->among > 0))
        return;
    out->share = out->with / out->among;
    out->reason = d->drawn == d->population ? STATISTIC_COUNTED : STATISTIC_OK;
    if (out->reason == STATISTIC_COUNTED)
        return;
    out->low = low_of_domain(d, tail);
    out->high = 1 - low_of_domain(&others, tail);
}
