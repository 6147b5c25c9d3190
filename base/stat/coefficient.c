/* coefficient: agreement beyond chance, score intervals of it, and items with the same ratings. */
#include "base/stat/coefficient.h"

#include "base/map.h"
#include "base/stat/statistics.h"

#include <math.h>

enum { HALVINGS = 60 };

/* Means over items of their agreement, and of what they add to the agreement expected by chance. */
struct moments {
    double weight; /* of the items, before they are means */
    double a, e, aa, ae, ee;
};

struct work {
    const struct pattern *items;
    size_t n, n_codes;
    enum chance chance;
    const double *weights;
    double *shares, *by_a, *by_b; /* of the codes: of all ratings; of each coder, for CHANCE_OWN */
    double *gain_a, *gain_b;      /* what a rating adds to what is expected, by coder; else both are the same */
    size_t n_used;                /* codes */
    double sum_weights;           /* of used codes */
    struct moments seen, agree, differ;
};

static double weight_of(const struct work *w, size_t a, size_t b)
{
    return w->weights == NULL ? a == b : w->weights[a * w->n_codes + b];
}

static double item_weight(const struct work *w, const struct pattern *item)
{
    return (double)item->count * (w->chance == CHANCE_PAIRED ? (double)item->n : 1);
}

/* --- shares --- */

static void find_shares(struct work *w)
{
    double total = 0;

    for (size_t i = 0; i < w->n; i++) {
        const struct pattern *item = &w->items[i];
        if (item->n < 2 && !(w->chance == CHANCE_GWET || w->chance == CHANCE_EVEN))
            continue;
        total += item_weight(w, item);
        for (size_t k = 0; k < item->n; k++)
            w->shares[item->values[k]] += item_weight(w, item) / (double)item->n;
        if (w->chance == CHANCE_OWN) {
            w->by_a[item->values[0]] += (double)item->count;
            w->by_b[item->values[1]] += (double)item->count;
        }
    }
    for (size_t c = 0; c < w->n_codes && total > 0; c++) {
        w->n_used += w->shares[c] > 0;
        w->shares[c] /= total;
        w->by_a[c] /= total;
        w->by_b[c] /= total;
    }
    w->sum_weights = w->weights == NULL ? (double)w->n_used : 0;
    for (size_t a = 0; w->weights != NULL && a < w->n_codes; a++)
        for (size_t b = 0; b < w->n_codes; b++)
            if (w->shares[a] > 0 && w->shares[b] > 0)
                w->sum_weights += weight_of(w, a, b);
    if (w->n_used == 1) { /* who rates can say two things at least */
        w->n_used = 2;
        w->sum_weights = 2;
    }
}

/* --- what is expected --- */

/* The sum of w p q; each rating's part in it goes to gain, when that is not NULL. */
static double expected_of(const struct work *w, const double *p, const double *q, double *gain)
{
    double sum = 0;

    for (size_t a = 0; a < w->n_codes; a++) {
        double of_code = w->weights == NULL ? q[a] : 0;
        for (size_t b = 0; w->weights != NULL && b < w->n_codes; b++)
            of_code += weight_of(w, a, b) * q[b];
        sum += p[a] * of_code;
        gain[a] = 2 * of_code;
    }
    return sum;
}

static double find_expected(struct work *w, double ratings)
{
    double q = (double)w->n_used;

    if (w->chance == CHANCE_NONE)
        return 0;
    if (w->chance == CHANCE_EVEN)
        return w->sum_weights / (q * q);
    if (w->chance == CHANCE_GWET) {
        double scale = w->sum_weights / (q * (q - 1)), sum = 0;

        for (size_t c = 0; c < w->n_codes; c++) {
            sum += w->shares[c] * (1 - w->shares[c]);
            w->gain_a[c] = w->gain_b[c] = scale * (1 - 2 * w->shares[c]);
        }
        return scale * sum;
    }
    if (w->chance != CHANCE_OWN) {
        /* Of pairs of different ratings: those with itself, whose weight is 1, are taken out. */
        double with_itself = expected_of(w, w->shares, w->shares, w->gain_a);

        memcpy(w->gain_b, w->gain_a, w->n_codes * sizeof *w->gain_a);
        return w->chance == CHANCE_PAIRED ? (ratings * with_itself - 1) / (ratings - 1) : with_itself;
    }
    expected_of(w, w->by_b, w->by_a, w->gain_b);
    return expected_of(w, w->by_a, w->by_b, w->gain_a);
}

/* --- moments --- */

static void moments_add(struct moments *m, double weight, double a, double e)
{
    m->weight += weight;
    m->a += weight * a;
    m->e += weight * e;
    m->aa += weight * a * a;
    m->ae += weight * a * e;
    m->ee += weight * e * e;
}

static void moments_end(struct moments *m)
{
    if (!(m->weight > 0)) /* items that differ, of one code: nothing is agreed on */
        return;
    m->a /= m->weight;
    m->e /= m->weight;
    m->aa /= m->weight;
    m->ae /= m->weight;
    m->ee /= m->weight;
}

static void find_moments(struct work *w)
{
    for (size_t item = 0; item < w->n; item++) {
        const struct pattern *p = &w->items[item];
        double n = (double)p->n, agreed = 0, gain = 0;
        if (p->n < 2)
            continue;
        for (size_t i = 0; i < p->n; i++) {
            size_t value = (size_t)p->values[i];
            gain += i == 0 ? w->gain_a[value] : w->gain_b[value];
            for (size_t k = 0; k < i; k++)
                agreed += 2 * weight_of(w, value, (size_t)p->values[k]);
        }
        moments_add(&w->seen, item_weight(w, p), agreed / (n * (n - 1)), gain / n);
    }
    for (size_t a = 0; a < w->n_codes; a++)
        for (size_t b = 0; b < w->n_codes && w->shares[a] > 0; b++) {
            if (!(w->shares[b] > 0))
                continue;
            struct moments *m = a == b ? &w->agree : &w->differ;
            double weight = a == b ? w->shares[a] : w->shares[a] * w->shares[b];
            moments_add(m, weight, weight_of(w, a, b), (w->gain_a[a] + w->gain_b[b]) / 2);
        }
    moments_end(&w->seen);
    moments_end(&w->agree);
    moments_end(&w->differ);
}

/* --- the interval --- */

/* The variance of an item when the coefficient is `value`: of the items mixed so that it is. */
static double variance_at(const struct work *w, const struct coefficient *c, double value)
{
    double observed = c->expected + value * (1 - c->expected), rest = 1 - value;
    const struct moments *s = &w->seen, *q = value > c->value ? &w->agree : &w->differ;
    double apart = q->a - s->a, t = apart != 0 ? (observed - s->a) / apart : 0;

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double a = (1 - t) * s->a + t * q->a, e = (1 - t) * s->e + t * q->e;
    double aa = (1 - t) * s->aa + t * q->aa, ae = (1 - t) * s->ae + t * q->ae;
    double ee = (1 - t) * s->ee + t * q->ee, mean = a - rest * e;
    double variance = aa - 2 * rest * ae + rest * rest * ee - mean * mean;
    return variance > 0 ? variance : 0;
}

/* The value that is furthest from the coefficient, towards `end`, and not refused. */
static double bound_towards(const struct work *w, const struct coefficient *c, double end, double z)
{
    double n = (double)c->n_items, rest = 1 - c->expected, near = c->value, far = end;
    double correction = 1 / ((double)c->n_ratings * rest);

    for (int i = 0; i < HALVINGS; i++) {
        double middle = (near + far) / 2;
        double error = sqrt(variance_at(w, c, middle) / n) / rest;
        if (fabs(c->value - middle) - correction <= z * error)
            near = middle;
        else
            far = middle;
    }
    return near;
}

/* Sums of fractions err in their last digits: what is nearer is the same, so that a coefficient is 0 or 1, and nothing beside it. */
static double difference(double a, double b)
{
    return fabs(a - b) < 1e-13 ? 0 : a - b;
}

void coefficient_of(const struct pattern *items, size_t n, size_t n_codes, enum chance chance, const double *weights,
                    double confidence, uint64_t least, struct coefficient *out)
{
    struct work w = {.items = items, .n = n, .n_codes = n_codes, .chance = chance, .weights = weights};

    *out = (struct coefficient){AGREEMENT_NO_ITEMS, 0, 0, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < w.n; i++)
        if (w.items[i].n > 1) {
            out->n_items += w.items[i].count;
            out->n_ratings += w.items[i].count * w.items[i].n;
        }
    if (out->n_items == 0)
        return;
    w.shares = mem_zero(5 * n_codes, sizeof *w.shares);
    w.by_a = w.shares + n_codes;
    w.by_b = w.by_a + n_codes;
    w.gain_a = w.by_b + n_codes;
    w.gain_b = w.gain_a + n_codes;
    find_shares(&w);
    out->expected = find_expected(&w, (double)out->n_ratings);
    find_moments(&w);
    out->observed = w.seen.a;
    out->reason = 1 - out->expected > 1e-12 ? AGREEMENT_OK : AGREEMENT_ONE_CODE_ONLY;
    if (out->reason == AGREEMENT_OK) {
        double z = normal_quantile((1 + confidence) / 2), rest = 1 - out->expected;
        if (difference(1, out->observed) <= 0)
            out->observed = 1;
        out->value = difference(out->observed, out->expected) / rest;
        if (out->n_items < least) {
            out->reason = AGREEMENT_FEW_ITEMS;
        } else {
            out->low = bound_towards(&w, out, fmin(out->value, fmax(-1, -out->expected / rest)), z);
            out->high = bound_towards(&w, out, 1, z);
        }
    }
    mem_free(w.shares);
}

/* --- patterns --- */

struct values {
    const int32_t *at;
    size_t n;
};

static uint64_t hash_values(struct values v, const struct map_secret *secret)
{
    uint64_t hash = v.n;

    for (size_t i = 0; i < v.n; i++)
        hash = map_hash_number(hash + (uint32_t)v.at[i], secret);
    return hash;
}

#define MAP_NAME count_map
#define MAP_KEY struct values
#define MAP_VALUE uint64_t /* items */
#define MAP_HASH(values, secret) hash_values(values, secret)
#define MAP_EQUAL(a, b) ((a).n == (b).n && memcmp((a).at, (b).at, (a).n * sizeof *(a).at) == 0)
#include "base/map.h"

static int compare(const void *a, const void *b)
{
    const struct pattern *x = a, *y = b;

    for (size_t i = 0; i < x->n && i < y->n; i++)
        if (x->values[i] != y->values[i])
            return x->values[i] < y->values[i] ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n);
}

void patterns_take(struct patterns *p, const struct ratings *r, bool sorted)
{
    AT_END(mem_end) int32_t *values = mem_resize(NULL, r->n_coders, sizeof *values);
    AT_END(count_map_clear) struct count_map counts = {0};
    struct count_map_entry *entry;

    for (size_t i = 0; i < r->n_items; i++) {
        const int32_t *codes = r->codes + i * r->n_coders;
        size_t n = 0; /* the ratings that are there; coders are few */
        for (size_t c = 0; c < r->n_coders; c++) {
            size_t at = n;
            if (codes[c] < 0)
                continue;
            for (; sorted && at > 0 && values[at - 1] > codes[c]; at--)
                values[at] = values[at - 1];
            values[at] = codes[c];
            n++;
        }
        if (n == 0)
            continue;
        if (count_map_add(&counts, (struct values){values, n}, &entry)) {
            struct span bytes = {(const char *)values, n * sizeof *values};
            entry->key.at = (const void *)arena_copy(&p->arena, bytes).ptr;
        }
        entry->value++;
        p->n_items++;
    }
    for (size_t i = 0; i < counts.n; i++) {
        struct values kept = counts.at[i].key;
        array_add(&p->list, {.values = kept.at, .n = kept.n, .count = counts.at[i].value});
    }
    array_sort(&p->list, compare);
}

void patterns_clear(struct patterns *p)
{
    array_clear(&p->list);
    arena_clear(&p->arena);
    *p = (struct patterns){0};
}
