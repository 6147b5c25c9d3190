/* agreement: how far coders agree: what is measured of which ratings. */
#include "base/stat/agreement.h"

#include "base/stat/coefficient.h"

#include <math.h>

static const double CONFIDENCE = 0.95;

/* A code, by its value. */
struct placed {
    double value;
    size_t place;
};

const char *agreement_words(enum agreement_reason reason)
{
    static const char *const words[] = {
        [AGREEMENT_TOO_FEW_CODERS] = "there are fewer than two coders",
        [AGREEMENT_BAD_CODE] = "a code is out of range",
        [AGREEMENT_TOO_LARGE] = "there are too many to count exactly",
        [AGREEMENT_NO_ORDER] = "the codes have no order",
        [AGREEMENT_NEGATIVE] = "a ratio needs numbers from 0 on",
        [AGREEMENT_NO_ITEMS] = "no item was rated by two coders",
        [AGREEMENT_NO_COMPLETE] = "no item was rated by all coders",
        [AGREEMENT_FEW_COMPLETE] = "fewer than two items were rated by all coders",
        [AGREEMENT_FEW_ITEMS] = "fewer than 20 items: no interval",
        [AGREEMENT_CODE_UNUSED] = "no coder used the code",
        [AGREEMENT_ONE_CODE_ONLY] = "all ratings are the same code",
    };

    return (size_t)reason < ARRAY_LEN(words) ? words[reason] : "unknown";
}

/* --- what goes in --- */

static enum agreement_reason check_ratings(const struct ratings *r)
{
    if (r->n_coders < 2)
        return AGREEMENT_TOO_FEW_CODERS;
    if (r->n_items > AGREEMENT_RATINGS_MAX / r->n_coders)
        return AGREEMENT_TOO_LARGE;
    for (size_t i = 0; i < r->n_items * r->n_coders; i++)
        if (r->codes[i] < -1 || (r->codes[i] >= 0 && (size_t)r->codes[i] >= r->n_codes))
            return AGREEMENT_BAD_CODE;
    return AGREEMENT_OK;
}

static int compare_masks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* --- two coders --- */

enum agreement_reason confusion_matrix(const struct ratings *r, size_t a, size_t b, uint64_t *matrix)
{
    enum agreement_reason reason = check_ratings(r);

    if (r->n_codes > 0)
        memset(matrix, 0, r->n_codes * r->n_codes * sizeof *matrix);
    if (a >= r->n_coders || b >= r->n_coders)
        reason = AGREEMENT_TOO_FEW_CODERS;
    if (reason != AGREEMENT_OK)
        return reason;
    reason = AGREEMENT_NO_ITEMS;
    for (size_t i = 0; i < r->n_items; i++) {
        int32_t by_a = r->codes[i * r->n_coders + a], by_b = r->codes[i * r->n_coders + b];
        if (by_a < 0 || by_b < 0)
            continue;
        matrix[(size_t)by_a * r->n_codes + (size_t)by_b]++;
        reason = AGREEMENT_OK;
    }
    return reason;
}

/* A confusion matrix in sums. */
struct sums {
    uint64_t n, agreed;
    uint64_t *by_a, *by_b; /* n_codes each, one block; the caller frees by_a */
};

static enum agreement_reason sum_matrix(const uint64_t *matrix, size_t n_codes, struct sums *s)
{
    *s = (struct sums){0};
    s->by_a = mem_zero(n_codes, 2 * sizeof *s->by_a);
    s->by_b = s->by_a + n_codes;
    for (size_t i = 0; i < n_codes; i++)
        for (size_t j = 0; j < n_codes; j++) {
            uint64_t count = matrix[i * n_codes + j];
            if (count > AGREEMENT_RATINGS_MAX - s->n)
                return AGREEMENT_TOO_LARGE;
            s->n += count;
            s->agreed += i == j ? count : 0;
            s->by_a[i] += count;
            s->by_b[j] += count;
        }
    return s->n > 0 ? AGREEMENT_OK : AGREEMENT_NO_ITEMS;
}

/* Kappa is (n agreed - chance) / (n^2 - chance), where `chance` is the sum of by_a[c] * by_b[c]:
 * whole numbers up to the division, so it is the same on every machine. NAN when chance is all. */
static double kappa_of_counts(uint64_t n, uint64_t agreed, uint64_t chance)
{
    uint64_t left = n * n - chance;

    return left > 0 ? (double)((int64_t)(n * agreed) - (int64_t)chance) / (double)left : NAN;
}

void cohen_kappa(const uint64_t *matrix, size_t n_codes, struct coefficient *out)
{
    struct sums s;
    enum agreement_reason reason = sum_matrix(matrix, n_codes, &s);

    *out = (struct coefficient){reason, 0, 0, NAN, NAN, NAN, NAN, NAN};
    if (reason == AGREEMENT_OK) {
        /* The cells that are not 0, as items that the coders rated so. */
        size_t most = n_codes * n_codes < s.n ? n_codes * n_codes : (size_t)s.n, n = 0;
        AT_END(mem_end) struct pattern *cells = mem_resize(NULL, most, sizeof *cells);
        AT_END(mem_end) int32_t *values = mem_resize(NULL, most, 2 * sizeof *values);
        uint64_t chance = 0;

        for (size_t i = 0; i < n_codes * n_codes; i++)
            if (matrix[i] > 0) {
                int32_t *pair = values + 2 * n;
                pair[0] = (int32_t)(i / n_codes);
                pair[1] = (int32_t)(i % n_codes);
                cells[n++] = (struct pattern){pair, 2, matrix[i]};
            }
        for (size_t c = 0; c < n_codes; c++)
            chance += s.by_a[c] * s.by_b[c];
        coefficient_of(cells, n, n_codes, CHANCE_OWN, NULL, CONFIDENCE, AGREEMENT_INTERVAL_MIN, out);
        out->observed = (double)s.agreed / (double)s.n;
        out->expected = (double)chance / ((double)s.n * (double)s.n);
        out->value = kappa_of_counts(s.n, s.agreed, chance);
    }
    mem_free(s.by_a);
}

void code_agreement(const uint64_t *matrix, size_t n_codes, struct code_agreement *out)
{
    struct sums s;
    enum agreement_reason reason = sum_matrix(matrix, n_codes, &s);

    for (size_t c = 0; c < n_codes; c++) {
        out[c] = (struct code_agreement){.reason = reason, .specific = NAN, .kappa = NAN};
        if (reason != AGREEMENT_OK)
            continue;
        out[c].both = matrix[c * n_codes + c];
        out[c].by_a = s.by_a[c];
        out[c].by_b = s.by_b[c];
        uint64_t a = s.by_a[c], b = s.by_b[c], both = out[c].both;
        if (a + b == 0) {
            out[c].reason = AGREEMENT_CODE_UNUSED;
            continue;
        }
        out[c].specific = 2 * (double)both / (double)(a + b);
        out[c].kappa = kappa_of_counts(s.n, s.n - (a + b) + 2 * both, a * b + (s.n - a) * (s.n - b));
        if (isnan(out[c].kappa))
            out[c].reason = AGREEMENT_ONE_CODE_ONLY;
    }
    mem_free(s.by_a);
}

/* --- scales --- */

static int compare_values(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* Krippendorff's ordinal metric; `counts`: the ratings of each code. */
static void ordinal_distances(const double *values, const double *counts, size_t n, double *distance)
{
    AT_END(mem_end) struct placed *codes = mem_resize(NULL, n + 1, sizeof *codes);

    for (size_t i = 0; i < n; i++)
        codes[i] = (struct placed){values[i], i};
    if (n > 0)
        qsort(codes, n, sizeof *codes, compare_values);
    for (size_t i = 0; i < n; i++) {
        double between = counts[codes[i].place] / 2;
        for (size_t k = i + 1; k < n; k++) {
            double half = counts[codes[k].place] / 2, apart = between + half;
            distance[codes[i].place * n + codes[k].place] = apart * apart;
            distance[codes[k].place * n + codes[i].place] = apart * apart;
            between += 2 * half;
        }
    }
}

/* The caller frees them. */
static double *weights_on(enum agreement_scale scale, enum chance chance, const double *values,
                          const struct pattern *items, size_t n_items, size_t n)
{
    /* Krippendorff, of whom the ordinal distance is, counts ratings that make pairs; Gwet's codes are those of all items. */
    bool pairs = chance == CHANCE_PAIRED || scale == SCALE_ORDINAL;
    AT_END(mem_end) double *counts = mem_zero(n + 1, sizeof *counts); /* ratings, by code */
    double *distance = mem_zero(n * n + 1, sizeof *distance);

    for (size_t i = 0; i < n_items; i++)
        for (size_t k = 0; k < items[i].n && items[i].n >= (pairs ? 2 : 1); k++)
            counts[items[i].values[k]] += (double)items[i].count;
    if (scale == SCALE_ORDINAL)
        ordinal_distances(values, counts, n, distance);
    for (size_t i = 0; i < n * n && scale != SCALE_ORDINAL; i++) {
        double v = values[i / n], w = values[i % n], apart = fabs(v - w);
        if (scale == SCALE_RATIO)
            apart = v + w > 0 ? apart / (v + w) : 0;
        distance[i] = scale == SCALE_LINEAR ? apart : apart * apart;
    }
    /* 1 - distance / the largest distance of two codes that were used. */
    double most = 0;

    for (size_t i = 0; i < n * n; i++)
        if (counts[i / n] > 0 && counts[i % n] > 0)
            most = fmax(most, distance[i]);
    for (size_t i = 0; i < n * n; i++)
        distance[i] = most > 0 ? fmax(0, 1 - distance[i] / most) : i / n == i % n;
    return distance;
}

static enum agreement_reason check_scale(const struct ratings *r, enum agreement_scale scale, const double *values)
{
    if (scale == SCALE_NOMINAL)
        return AGREEMENT_OK;
    if (values == NULL)
        return AGREEMENT_NO_ORDER;
    if (r->n_codes > AGREEMENT_SETS_MAX)
        return AGREEMENT_TOO_LARGE;
    for (size_t i = 0; i < r->n_codes && scale == SCALE_RATIO; i++)
        if (values[i] < 0)
            return AGREEMENT_NEGATIVE;
    return AGREEMENT_OK;
}

/* --- measures --- */

static const enum chance chances[] = {
    [AGREEMENT_PERCENT] = CHANCE_NONE, [AGREEMENT_KAPPA] = CHANCE_OWN, [AGREEMENT_PI] = CHANCE_POOLED,
    [AGREEMENT_PABAK] = CHANCE_EVEN,   [AGREEMENT_AC1] = CHANCE_GWET,  [AGREEMENT_FLEISS] = CHANCE_POOLED,
    [AGREEMENT_ALPHA] = CHANCE_PAIRED,
};

void agreement_of(const struct ratings *r, enum agreement_measure which, enum agreement_scale scale,
                  const double *values, struct coefficient *out)
{
    enum agreement_reason reason = check_ratings(r);

    if (reason == AGREEMENT_OK && which == AGREEMENT_KAPPA && r->n_coders != 2)
        reason = AGREEMENT_TOO_FEW_CODERS;
    if (reason == AGREEMENT_OK)
        reason = check_scale(r, scale, values);
    *out = (struct coefficient){reason, 0, 0, NAN, NAN, NAN, NAN, NAN};
    if (reason != AGREEMENT_OK)
        return;
    bool complete = which == AGREEMENT_FLEISS || which == AGREEMENT_KAPPA;
    AT_END(patterns_clear) struct patterns p = {.n_items = 0};
    patterns_take(&p, r, which != AGREEMENT_KAPPA);
    size_t n = 0;
    for (size_t i = 0; i < p.list.n; i++) /* of `complete` those that every coder rated are all that is left */
        if (!complete || p.list.at[i].n == r->n_coders)
            p.list.at[n++] = p.list.at[i];
    AT_END(mem_end)
    double *weights = scale == SCALE_NOMINAL ? NULL
                                             : weights_on(scale, chances[which], values, p.list.at, n, r->n_codes);
    coefficient_of(p.list.at, n, r->n_codes, chances[which], weights, CONFIDENCE, AGREEMENT_INTERVAL_MIN, out);
    if (out->reason == AGREEMENT_NO_ITEMS && complete)
        out->reason = AGREEMENT_NO_COMPLETE;
}

/* --- sets --- */

double masi_distance(uint64_t a, uint64_t b)
{
    uint64_t shared = a & b;
    int intersection = __builtin_popcountll(shared), size = __builtin_popcountll(a | b);
    int thirds = a == b ? 3 : shared == a || shared == b ? 2 : 1; /* M; disjoint: J is 0 anyway */

    return (double)(3 * size - thirds * intersection) / (3 * size);
}

double jaccard_distance(uint64_t a, uint64_t b)
{
    return 1 - (double)__builtin_popcountll(a & b) / __builtin_popcountll(a | b);
}

void alpha_of_sets(const struct set_ratings *r, double (*distance)(uint64_t a, uint64_t b), struct coefficient *out)
{
    size_t n_masks = 0, n = 0, n_cells = r->n_items * r->n_coders;

    *out = (struct coefficient){AGREEMENT_TOO_LARGE, 0, 0, NAN, NAN, NAN, NAN, NAN};
    if (r->n_coders < 2)
        out->reason = AGREEMENT_TOO_FEW_CODERS;
    if (r->n_coders < 2 || r->n_items > AGREEMENT_RATINGS_MAX / r->n_coders)
        return;
    AT_END(mem_end) uint64_t *masks = mem_resize(NULL, n_cells, sizeof *masks); /* but the empty one, ascending */
    for (size_t i = 0; i < n_cells; i++)
        if (r->sets[i] != 0)
            masks[n++] = r->sets[i];
    qsort(masks, n, sizeof *masks, compare_masks);
    for (size_t i = 0; i < n; i++)
        if (n_masks == 0 || masks[n_masks - 1] != masks[i])
            masks[n_masks++] = masks[i];
    if (n_masks <= AGREEMENT_SETS_MAX) {
        AT_END(mem_end) double *weights = mem_resize(NULL, n_masks * n_masks, sizeof *weights);
        AT_END(mem_end) int32_t *codes = mem_resize(NULL, n_cells, sizeof *codes);
        struct ratings numbered = {r->n_items, r->n_coders, n_masks, codes};
        AT_END(patterns_clear) struct patterns p = {.n_items = 0};

        for (size_t i = 0; i < n_masks; i++)
            for (size_t j = 0; j < n_masks; j++)
                weights[i * n_masks + j] = 1 - distance(masks[i], masks[j]);
        for (size_t i = 0; i < n_cells; i++) {
            const uint64_t *found = bsearch(&r->sets[i], masks, n_masks, sizeof *masks, compare_masks);
            codes[i] = found != NULL ? (int32_t)(found - masks) : -1;
        }
        patterns_take(&p, &numbered, true);
        coefficient_of(p.list.at, p.list.n, n_masks, CHANCE_PAIRED, weights, CONFIDENCE, AGREEMENT_INTERVAL_MIN, out);
    }
}
