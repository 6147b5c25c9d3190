/* agreement: how far coders agree beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha. */
#include "base/stat/agreement.h"

#include "base/stat/summary.h"

#include "base/stat/patterns.h"
#include "base/stat/resample.h"

#include <math.h>
#include <stdlib.h>

static const double Z_95 = 1.959963984540054; /* normal quantile of 0.975 */

const char *agreement_words(enum agreement_reason reason)
{
    static const char *const words[] = {
        [AGREEMENT_OK] = "defined",
        [AGREEMENT_TOO_FEW_CODERS] = "there are fewer than two coders",
        [AGREEMENT_BAD_CODE] = "a code is out of range",
        [AGREEMENT_TOO_LARGE] = "there are too many to count exactly",
        [AGREEMENT_NO_ITEMS] = "no item was rated by two coders",
        [AGREEMENT_MISSING] = "a rating is missing",
        [AGREEMENT_CODE_UNUSED] = "no coder used the code",
        [AGREEMENT_ONE_CODE_ONLY] = "all ratings are the same code",
        [AGREEMENT_CONSTANT_CODER] = "one coder gave the same code to all",
        [AGREEMENT_NO_SHARED_CODE] = "no code was used by both coders",
        [AGREEMENT_FEW_RESAMPLES] = "too few resamples have a value",
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

/* The different sets but the empty one, ascending; the caller frees them. */
static uint64_t *different_sets(const struct set_ratings *r, size_t *n_different)
{
    size_t n = r->n_items * r->n_coders, used = 0, different = 0;
    uint64_t *masks = mem_resize(NULL, n, sizeof *masks);

    for (size_t i = 0; i < n; i++)
        if (r->sets[i] != 0)
            masks[used++] = r->sets[i];
    qsort(masks, used, sizeof *masks, compare_masks);
    for (size_t i = 0; i < used; i++)
        if (different == 0 || masks[different - 1] != masks[i])
            masks[different++] = masks[i];
    *n_different = different;
    return masks;
}

static void number_sets(const struct set_ratings *r, const uint64_t *masks, size_t n_masks,
                        int32_t *codes)
{
    for (size_t i = 0; i < r->n_items * r->n_coders; i++) {
        const uint64_t *found = bsearch(&r->sets[i], masks, n_masks, sizeof *masks, compare_masks);
        codes[i] = found != NULL ? (int32_t)(found - masks) : -1;
    }
}

/* --- resampling --- */

/* The coefficient, or NAN, of a resample that has so many of each kind. */
typedef double resample_fn(const void *context, const uint64_t *drawn);

static bool plan_is_good(const struct bootstrap_plan *plan, struct bootstrap *out)
{
    *out = (struct bootstrap){AGREEMENT_FEW_RESAMPLES, NAN, NAN, 0};
    if (plan->n_resamples == 0 || !(plan->confidence > 0 && plan->confidence < 1))
        return false;
    if (plan->n_resamples > AGREEMENT_RESAMPLES_MAX) {
        out->reason = AGREEMENT_TOO_LARGE;
        return false;
    }
    return true;
}

/* `kinds` says how many items of each kind there are. */
static void bootstrap_run(const struct bootstrap_plan *plan, const uint64_t *kinds, size_t n_kinds,
                          resample_fn *coefficient, const void *context, struct bootstrap *out)
{
    size_t n = 0;
    struct random random;
    struct resample resample;

    if (!plan_is_good(plan, out))
        return;
    double *values = mem_resize(NULL, plan->n_resamples, sizeof *values);
    random_seed(&random, plan->seed);
    resample_init(&resample, kinds, n_kinds, RESAMPLE_ITEMS_MAX);
    for (size_t i = 0; i < plan->n_resamples; i++) {
        resample_draw(&resample, &random);
        values[n] = coefficient(context, resample.drawn);
        n += !isnan(values[n]);
    }
    out->n_undefined = plan->n_resamples - n;
    if (out->n_undefined <= plan->n_resamples / 20) {
        stat_sort(values, n);
        out->reason = AGREEMENT_OK;
        out->low = stat_quantile(values, n, (1 - plan->confidence) / 2);
        out->high = stat_quantile(values, n, (1 + plan->confidence) / 2);
    }
    resample_clear(&resample);
    mem_free(values);
}

static void bootstrap_none(struct bootstrap *out, enum agreement_reason reason)
{
    *out = (struct bootstrap){reason, NAN, NAN, 0};
}

/* --- two coders --- */

enum agreement_reason confusion_matrix(const struct ratings *r, size_t a, size_t b,
                                       uint64_t *matrix)
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

static uint64_t chance_of(const struct sums *s, size_t n_codes)
{
    uint64_t chance = 0;

    for (size_t c = 0; c < n_codes; c++)
        chance += s->by_a[c] * s->by_b[c];
    return chance;
}

/*
 * The published sum, A + B - C, is the variance over items of
 *   w[i][j] = (1 if i = j) - (1 - kappa) (share of i by b + share of j by a),
 * whose mean is kappa - expected (1 - kappa); summing squares of differences cannot end below 0.
 */
static double variance_of_kappa(const uint64_t *matrix, size_t n_codes, const struct sums *s,
                                const struct kappa *k)
{
    double n = (double)s->n, rest = 1 - k->expected, sum = 0;
    double mean = k->kappa - k->expected * (1 - k->kappa);

    for (size_t i = 0; i < n_codes; i++)
        for (size_t j = 0; j < n_codes; j++) {
            if (matrix[i * n_codes + j] == 0)
                continue;
            double w = (i == j) - (1 - k->kappa) * (double)(s->by_b[i] + s->by_a[j]) / n;
            sum += (double)matrix[i * n_codes + j] * (w - mean) * (w - mean);
        }
    return sum / n / (rest * rest) / n;
}

/* Whether chance or the coders leave nothing for kappa to measure. */
static enum agreement_reason variation_of(const struct sums *s, size_t n_codes)
{
    bool constant = false;

    for (size_t c = 0; c < n_codes; c++) {
        if (s->by_a[c] == s->n && s->by_b[c] == s->n)
            return AGREEMENT_ONE_CODE_ONLY;
        constant |= s->by_a[c] == s->n || s->by_b[c] == s->n;
    }
    if (constant)
        return AGREEMENT_CONSTANT_CODER;
    return chance_of(s, n_codes) == 0 ? AGREEMENT_NO_SHARED_CODE : AGREEMENT_OK;
}

void cohen_kappa(const uint64_t *matrix, size_t n_codes, struct kappa *out)
{
    struct sums s;

    *out = (struct kappa){.observed = NAN, .expected = NAN, .kappa = NAN, .se = NAN, .low = NAN,
                          .high = NAN};
    out->reason = sum_matrix(matrix, n_codes, &s);
    if (out->reason == AGREEMENT_OK) {
        uint64_t chance = chance_of(&s, n_codes);
        out->n = s.n;
        out->observed = (double)s.agreed / (double)s.n;
        out->expected = (double)chance / ((double)s.n * (double)s.n);
        out->reason = variation_of(&s, n_codes);
    }
    if (out->reason == AGREEMENT_OK) {
        out->kappa = kappa_of_counts(s.n, s.agreed, chance_of(&s, n_codes));
        out->se = sqrt(variance_of_kappa(matrix, n_codes, &s, out));
        out->low = fmax(out->kappa - Z_95 * out->se, -1);
        out->high = fmin(out->kappa + Z_95 * out->se, 1);
    }
    mem_free(s.by_a);
}

static void agreement_on_code(uint64_t n, struct code_agreement *c)
{
    uint64_t used = c->by_a + c->by_b, agreed = n - used + 2 * c->both;

    if (used == 0) {
        c->reason = AGREEMENT_CODE_UNUSED;
        return;
    }
    c->specific = 2 * (double)c->both / (double)used;
    c->kappa = kappa_of_counts(n, agreed, c->by_a * c->by_b + (n - c->by_a) * (n - c->by_b));
    if (isnan(c->kappa))
        c->reason = AGREEMENT_ONE_CODE_ONLY;
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
        agreement_on_code(s.n, &out[c]);
    }
    mem_free(s.by_a);
}

/* The cells of a confusion matrix that are not 0. */
struct cells {
    uint64_t n; /* items */
    size_t n_codes, n_cells;
    struct cell {
        uint32_t a, b;
    } *cells;
    uint64_t *counts;
    uint64_t *by_a, *by_b; /* scratch: n_codes each */
};

static double kappa_of_cells(const void *context, const uint64_t *drawn)
{
    const struct cells *c = context;
    uint64_t agreed = 0, chance = 0;

    memset(c->by_a, 0, c->n_codes * sizeof *c->by_a);
    memset(c->by_b, 0, c->n_codes * sizeof *c->by_b);
    for (size_t i = 0; i < c->n_cells; i++) {
        struct cell cell = c->cells[i];
        agreed += cell.a == cell.b ? drawn[i] : 0;
        c->by_a[cell.a] += drawn[i];
        c->by_b[cell.b] += drawn[i];
    }
    for (size_t i = 0; i < c->n_codes; i++)
        chance += c->by_a[i] * c->by_b[i];
    return kappa_of_counts(c->n, agreed, chance);
}

/* In the order of the matrix; at most as many as it has items. */
static void cells_take(struct cells *c, const uint64_t *matrix)
{
    size_t n = c->n_codes, capacity = n * n < c->n ? n * n : c->n;

    c->cells = mem_resize(NULL, capacity, sizeof *c->cells);
    c->counts = mem_resize(NULL, capacity, sizeof *c->counts);
    for (size_t i = 0; i < n * n; i++)
        if (matrix[i] > 0) {
            c->cells[c->n_cells] = (struct cell){(uint32_t)(i / n), (uint32_t)(i % n)};
            c->counts[c->n_cells++] = matrix[i];
        }
}

void cohen_kappa_bootstrap(const uint64_t *matrix, size_t n_codes,
                           const struct bootstrap_plan *plan, struct bootstrap *out)
{
    struct sums s;
    enum agreement_reason reason = sum_matrix(matrix, n_codes, &s);

    if (reason == AGREEMENT_OK)
        reason = variation_of(&s, n_codes);
    bootstrap_none(out, reason);
    if (reason == AGREEMENT_OK) {
        struct cells c = {.n = s.n, .n_codes = n_codes, .by_a = s.by_a, .by_b = s.by_b};
        cells_take(&c, matrix);
        bootstrap_run(plan, c.counts, c.n_cells, kappa_of_cells, &c, out);
        mem_free(c.cells);
        mem_free(c.counts);
    }
    mem_free(s.by_a);
}

/* --- any number of coders --- */

/* The items with two ratings or more, by pattern. Fleiss' kappa and alpha are both 1 - observed /
 * expected disagreement; they differ only in whether a rating may be paired with itself by chance. */
struct units {
    struct patterns patterns;
    uint64_t *items;        /* of each pattern */
    double *disagreement;   /* of one item: distances of its ordered pairs / (its ratings - 1) */
    size_t n_values;        /* values are below it */
    const double *distance; /* n_values x n_values; NULL: 0 for equal values, 1 for others */
    bool with_itself;       /* Fleiss */
    uint64_t *counts;       /* scratch: of each value */
};

struct disagreement {
    uint64_t total; /* ratings */
    double observed, expected;
    double coefficient; /* NAN when expected is 0 */
};

static double distance_of(const struct units *u, int32_t a, int32_t b)
{
    if (u->distance == NULL)
        return a != b;
    return u->distance[(size_t)a * u->n_values + (size_t)b];
}

static double disagreement_within(const struct units *u, const int32_t *values, size_t n)
{
    double sum = 0;

    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++)
            sum += distance_of(u, values[i], values[j]);
    return 2 * sum / (double)(n - 1);
}

/* Takes r's items into *u, whose n_values and distance are set; release with units_clear. */
static void units_fill(struct units *u, const struct ratings *r)
{
    patterns_take(&u->patterns, r);
    u->counts = mem_zero(u->n_values, sizeof *u->counts);
    u->items = mem_resize(NULL, u->patterns.list.n, sizeof *u->items);
    u->disagreement = mem_resize(NULL, u->patterns.list.n, sizeof *u->disagreement);
    for (size_t i = 0; i < u->patterns.list.n; i++) {
        const struct pattern *p = &u->patterns.list.at[i];
        u->items[i] = p->count;
        u->disagreement[i] = disagreement_within(u, p->values, p->n);
    }
}

static void units_clear(struct units *u)
{
    patterns_clear(&u->patterns);
    mem_free(u->counts);
    mem_free(u->items);
    mem_free(u->disagreement);
}

/* Distances summed over all ordered pairs of ratings, of whatever items. */
static double pairs_by_chance(const struct units *u, const uint64_t *counts, uint64_t total)
{
    uint64_t equal = 0;
    double sum = 0;

    for (size_t a = 0; a < u->n_values; a++) {
        equal += counts[a] * counts[a];
        for (size_t b = 0; u->distance != NULL && counts[a] > 0 && b < a; b++) {
            double term = 2 * (double)(counts[a] * counts[b]);
            term *= u->distance[a * u->n_values + b];
            sum += term;
        }
    }
    return u->distance != NULL ? sum : (double)(total * total - equal);
}

/* Of so many items of each pattern; u->counts are those of their values afterwards. */
static struct disagreement disagreement_of(const struct units *u, const uint64_t *items)
{
    struct disagreement d = {0};
    double within = 0;

    memset(u->counts, 0, u->n_values * sizeof *u->counts);
    for (size_t i = 0; i < u->patterns.list.n; i++) {
        const struct pattern *p = &u->patterns.list.at[i];
        double term = (double)items[i];
        term *= u->disagreement[i];
        within += term;
        d.total += items[i] * p->n;
        for (size_t k = 0; k < p->n; k++)
            u->counts[p->values[k]] += items[i];
    }
    double by_chance = pairs_by_chance(u, u->counts, d.total);
    double partners = (double)(u->with_itself ? d.total : d.total - 1);
    d.observed = within / (double)d.total;
    d.expected = by_chance / ((double)d.total * partners);
    d.coefficient = by_chance > 0 ? 1 - within * partners / by_chance : NAN;
    return d;
}

static double coefficient_of_units(const void *context, const uint64_t *drawn)
{
    return disagreement_of(context, drawn).coefficient;
}

static void bootstrap_units(const struct bootstrap_plan *plan, const struct units *u,
                            struct bootstrap *out)
{
    bootstrap_run(plan, u->items, u->patterns.list.n, coefficient_of_units, u, out);
}

/* Fleiss, Nee & Landis 1979: p and q = 1 - p are the shares of a code and of the others. */
static double fleiss_se_null(const struct ratings *r, const uint64_t *counts)
{
    double items = (double)r->n_items, coders = (double)r->n_coders, sum = 0, skew = 0;

    for (size_t c = 0; c < r->n_codes; c++) {
        double p = (double)counts[c] / (items * coders), q = 1 - p;
        sum += p * q;
        skew += p * q * (q - p);
    }
    return sqrt(2 * fmax(sum * sum - skew, 0) / (items * coders * (coders - 1))) / sum;
}

static enum agreement_reason check_complete(const struct ratings *r)
{
    enum agreement_reason reason = check_ratings(r);

    if (reason == AGREEMENT_OK && r->n_items == 0)
        return AGREEMENT_NO_ITEMS;
    for (size_t i = 0; reason == AGREEMENT_OK && i < r->n_items * r->n_coders; i++)
        if (r->codes[i] < 0)
            return AGREEMENT_MISSING;
    return reason;
}

void fleiss_kappa(const struct ratings *r, struct fleiss *out, const struct bootstrap_plan *plan,
                  struct bootstrap *interval)
{
    struct units u = {.n_values = r->n_codes, .with_itself = true};

    *out = (struct fleiss){check_complete(r), r->n_items, r->n_coders, NAN, NAN, NAN, NAN};
    if (out->reason == AGREEMENT_OK) {
        units_fill(&u, r);
        struct disagreement d = disagreement_of(&u, u.items);
        out->observed = 1 - d.observed;
        out->expected = 1 - d.expected;
        out->kappa = d.coefficient;
        if (isnan(out->kappa))
            out->reason = AGREEMENT_ONE_CODE_ONLY;
        else
            out->se_null = fleiss_se_null(r, u.counts);
        if (interval != NULL && out->reason == AGREEMENT_OK)
            bootstrap_units(plan, &u, interval);
        units_clear(&u);
    }
    if (interval != NULL && out->reason != AGREEMENT_OK)
        bootstrap_none(interval, out->reason);
}

/* `distance`: of the r->n_codes codes, or NULL. */
static void alpha_of(const struct ratings *r, const double *distance, struct alpha *out,
                     const struct bootstrap_plan *plan, struct bootstrap *interval)
{
    struct units u = {.n_values = r->n_codes, .distance = distance};

    units_fill(&u, r);
    out->n_items = u.patterns.n_items;
    if (out->n_items == 0) {
        out->reason = AGREEMENT_NO_ITEMS;
    } else {
        struct disagreement d = disagreement_of(&u, u.items);
        out->n_ratings = d.total;
        out->observed = d.observed;
        out->expected = d.expected;
        out->alpha = d.coefficient;
        if (isnan(out->alpha))
            out->reason = AGREEMENT_ONE_CODE_ONLY;
        else if (interval != NULL)
            bootstrap_units(plan, &u, interval);
    }
    units_clear(&u);
}

void alpha_nominal(const struct ratings *r, struct alpha *out, const struct bootstrap_plan *plan,
                   struct bootstrap *interval)
{
    *out = (struct alpha){check_ratings(r), 0, 0, NAN, NAN, NAN};
    if (out->reason == AGREEMENT_OK)
        alpha_of(r, NULL, out, plan, interval);
    if (interval != NULL && out->reason != AGREEMENT_OK)
        bootstrap_none(interval, out->reason);
}

/* --- numbers --- */

void alpha_interval(const struct ratings *r, const double *values, struct alpha *out,
                    const struct bootstrap_plan *plan, struct bootstrap *interval)
{
    *out = (struct alpha){check_ratings(r), 0, 0, NAN, NAN, NAN};
    if (out->reason == AGREEMENT_OK && r->n_codes > AGREEMENT_SETS_MAX)
        out->reason = AGREEMENT_TOO_LARGE;
    if (out->reason == AGREEMENT_OK) {
        double *distance = mem_resize(NULL, r->n_codes * r->n_codes + 1, sizeof *distance);
        for (size_t i = 0; i < r->n_codes; i++)
            for (size_t j = 0; j < r->n_codes; j++)
                distance[i * r->n_codes + j] = (values[i] - values[j]) * (values[i] - values[j]);
        alpha_of(r, distance, out, plan, interval);
        mem_free(distance);
    }
    if (interval != NULL && out->reason != AGREEMENT_OK)
        bootstrap_none(interval, out->reason);
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

typedef double distance_fn(uint64_t a, uint64_t b);

static double *set_distances(const uint64_t *masks, size_t n, distance_fn *distance_of_sets)
{
    double *distance = mem_resize(NULL, n * n, sizeof *distance);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            distance[i * n + j] = distance_of_sets(masks[i], masks[j]);
    return distance;
}

static void alpha_of_sets(const struct set_ratings *r, distance_fn *apart, struct alpha *out,
                          const struct bootstrap_plan *plan, struct bootstrap *interval)
{
    size_t n_masks;
    uint64_t *masks = different_sets(r, &n_masks);

    if (n_masks > AGREEMENT_SETS_MAX) {
        out->reason = AGREEMENT_TOO_LARGE;
    } else {
        int32_t *codes = mem_resize(NULL, r->n_items * r->n_coders, sizeof *codes);
        double *distance = set_distances(masks, n_masks, apart);
        number_sets(r, masks, n_masks, codes);
        alpha_of(&(struct ratings){r->n_items, r->n_coders, n_masks, codes}, distance, out, plan,
                 interval);
        mem_free(distance);
        mem_free(codes);
    }
    mem_free(masks);
}

static void alpha_sets(const struct set_ratings *r, distance_fn *apart, struct alpha *out,
                       const struct bootstrap_plan *plan, struct bootstrap *interval)
{
    *out = (struct alpha){AGREEMENT_OK, 0, 0, NAN, NAN, NAN};
    if (r->n_coders < 2)
        out->reason = AGREEMENT_TOO_FEW_CODERS;
    else if (r->n_items > AGREEMENT_RATINGS_MAX / r->n_coders)
        out->reason = AGREEMENT_TOO_LARGE;
    else
        alpha_of_sets(r, apart, out, plan, interval);
    if (interval != NULL && out->reason != AGREEMENT_OK)
        bootstrap_none(interval, out->reason);
}

void alpha_masi(const struct set_ratings *r, struct alpha *out, const struct bootstrap_plan *plan,
                struct bootstrap *interval)
{
    alpha_sets(r, masi_distance, out, plan, interval);
}

void alpha_jaccard(const struct set_ratings *r, struct alpha *out,
                   const struct bootstrap_plan *plan, struct bootstrap *interval)
{
    alpha_sets(r, jaccard_distance, out, plan, interval);
}
