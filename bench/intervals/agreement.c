/* How often intervals of agreement have the true value in them: simulated, with a seed, as a table. */
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

enum { CODES_MAX = 5, CODERS_MAX = 3, KINDS_MAX = CODES_MAX * CODES_MAX * CODES_MAX, ITEMS_MAX = 500 };

/* Items on which coders say the same with a probability, and else each what the shares say; `near`: else the second and
 * third say a code beside it, as on a scale. `bias`: the second coder's first code is as much more frequent. */
struct model {
    const char *name;
    size_t n_codes, n_coders;
    double shares[CODES_MAX], bias;
    bool near;
};

static const struct model models[] = {
    {"2 codes, even", 2, 2, {.5, .5}, 0, false},
    {"2 codes, 80 to 20", 2, 2, {.8, .2}, 0, false},
    {"2 codes, 95 to 5", 2, 2, {.95, .05}, 0, false},
    {"2 codes, coders differ", 2, 2, {.6, .4}, .2, false},
    {"5 codes, even", 5, 2, {.2, .2, .2, .2, .2}, 0, false},
    {"5 codes, skewed", 5, 2, {.6, .2, .1, .07, .03}, 0, false},
    {"5 codes in an order", 5, 2, {.3, .25, .2, .15, .1}, 0, true},
    {"3 coders, 2 codes, 70 to 30", 2, 3, {.7, .3}, 0, false},
    {"3 coders, 5 codes, skewed", 5, 3, {.5, .2, .15, .1, .05}, 0, false},
};

static const double agreed[] = {0, .4, .6, .8, .9, .95};

struct population {
    const struct model *model;
    size_t n_kinds;
    int32_t codes[KINDS_MAX][CODERS_MAX];
    double chance[KINDS_MAX]; /* up to and with this kind */
};

/* How likely a coder that does not agree says the code. */
static double other_chance(const struct model *m, size_t coder, int32_t first, int32_t code)
{
    if (!m->near || coder == 0) {
        double share = m->shares[code];

        if (coder == 1 && m->bias > 0)
            share = code == 0 ? share + m->bias : share * (1 - m->shares[0] - m->bias) / (1 - m->shares[0]);
        return share;
    }
    if (first == 0 || first + 1 == (int32_t)m->n_codes)
        return code == (first == 0 ? 1 : first - 1);
    return abs(code - first) == 1 ? 0.5 : 0;
}

static void population_make(struct population *p, const struct model *m, double same)
{
    double sum = 0;

    *p = (struct population){.model = m, .n_kinds = 1};
    for (size_t c = 0; c < m->n_coders; c++)
        p->n_kinds *= m->n_codes;
    for (size_t i = 0; i < p->n_kinds; i++) {
        size_t rest = i;
        bool equal = true;
        double apart = 1;
        for (size_t c = 0; c < m->n_coders; c++, rest /= m->n_codes)
            p->codes[i][c] = (int32_t)(rest % m->n_codes);
        for (size_t c = 0; c < m->n_coders; c++) {
            equal &= p->codes[i][c] == p->codes[i][0];
            apart *= other_chance(m, c, p->codes[i][0], p->codes[i][c]);
        }
        sum += (equal ? same * m->shares[p->codes[i][0]] : 0) + (1 - same) * apart;
        p->chance[i] = sum;
    }
}

struct method {
    const char *name;
    enum agreement_measure measure;
    enum agreement_scale scale;
    bool wald; /* plus or minus 1.96 standard errors (Fleiss, Cohen & Everitt 1969) instead */
};

static const double values[CODES_MAX] = {1, 2, 3, 4, 5};

static void wald(const struct ratings *r, struct coefficient *c)
{
    double n = (double)r->n_items, by[2][CODES_MAX] = {{0}}, sum = 0;
    double mean = c->value - c->expected * (1 - c->value);

    for (size_t i = 0; i < r->n_items * 2; i++)
        by[i % 2][r->codes[i]] += 1 / n;
    for (size_t i = 0; i < r->n_items; i++) {
        const int32_t *pair = r->codes + 2 * i;
        double w = (pair[0] == pair[1]) - (1 - c->value) * (by[1][pair[0]] + by[0][pair[1]]);
        sum += (w - mean) * (w - mean);
    }
    double error = sqrt(sum) / n / (1 - c->expected);
    c->low = c->value - 1.96 * error;
    c->high = c->value + 1.96 * error;
}

/* Of a population so large that it is the truth: as many items of each kind as it is likely. */
static double truth_of(const struct population *p, const struct method *m)
{
    enum { N = 400000 };
    size_t coders = p->model->n_coders;
    AT_END(mem_end) int32_t *codes = mem_resize(NULL, (size_t)N * coders, sizeof *codes);
    struct ratings r = {N, coders, p->model->n_codes, codes};
    struct coefficient c;

    for (size_t i = 0, kind = 0; i < N; i++) {
        while (kind + 1 < p->n_kinds && ((double)i + .5) / N > p->chance[kind])
            kind++;
        memcpy(codes + i * coders, p->codes[kind], coders * sizeof *codes);
    }
    agreement_of(&r, m->measure, m->scale, values, &c);
    return c.value;
}

/* The share of intervals with the truth in them, of those that there are; their mean width. */
static double cover(const struct population *p, const struct method *m, size_t n, size_t trials, double *width)
{
    int32_t codes[ITEMS_MAX * CODERS_MAX];
    struct ratings r = {n, p->model->n_coders, p->model->n_codes, codes};
    double truth = truth_of(p, m), there = 0, covered = 0;
    struct random random;

    *width = 0;
    random_seed(&random, 1 + n);
    for (size_t trial = 0; trial < trials; trial++) {
        struct coefficient c;
        for (size_t i = 0; i < n; i++) {
            double at = (double)(random_next(&random) >> 11) * 0x1p-53;
            size_t kind = 0;
            while (kind + 1 < p->n_kinds && at > p->chance[kind])
                kind++;
            memcpy(codes + i * r.n_coders, p->codes[kind], r.n_coders * sizeof *codes);
        }
        agreement_of(&r, m->measure, m->scale, values, &c);
        if (c.reason != AGREEMENT_OK)
            continue;
        if (m->wald)
            wald(&r, &c);
        there++;
        covered += c.low <= truth + 1e-9 && truth - 1e-9 <= c.high;
        *width += c.high - c.low;
    }
    *width /= there;
    return covered / there;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {2, 5, 10, 20};
    static const struct method methods[] = {
        {"kappa, plus or minus 1.96 errors", AGREEMENT_KAPPA, SCALE_NOMINAL, true},
        {"kappa", AGREEMENT_KAPPA, SCALE_NOMINAL, false},
        {"percent agreement", AGREEMENT_PERCENT, SCALE_NOMINAL, false},
        {"AC1", AGREEMENT_AC1, SCALE_NOMINAL, false},
        {"PABAK", AGREEMENT_PABAK, SCALE_NOMINAL, false},
        {"pi, Fleiss' kappa", AGREEMENT_PI, SCALE_NOMINAL, false},
        {"alpha", AGREEMENT_ALPHA, SCALE_NOMINAL, false},
        {"kappa, quadratic", AGREEMENT_KAPPA, SCALE_QUADRATIC, false},
        {"AC2, quadratic", AGREEMENT_AC1, SCALE_QUADRATIC, false},
        {"alpha, ordinal", AGREEMENT_ALPHA, SCALE_ORDINAL, false},
    };
    size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    bool all = argc > 2;

    printf("| measure |");
    for (size_t s = 0; s < ARRAY_LEN(sizes); s++)
        printf(" %zu%s |", sizes[s], s == 0 ? " items" : "");
    printf("\n|---|---|---|---|---|\n");
    for (size_t k = 0; k < ARRAY_LEN(methods); k++) {
        printf("| %s |", methods[k].name);
        for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
            double least = 1, widths = 0, width, points = 0;
            for (size_t i = 0; i < ARRAY_LEN(models) * ARRAY_LEN(agreed); i++) {
                static struct population p;
                const struct model *m = &models[i / ARRAY_LEN(agreed)];
                if ((m->n_coders > 2 && methods[k].measure == AGREEMENT_KAPPA) ||
                    m->near != (methods[k].scale != SCALE_NOMINAL))
                    continue;
                population_make(&p, m, agreed[i % ARRAY_LEN(agreed)]);
                double share = cover(&p, &methods[k], sizes[s], trials, &width);
                if (all)
                    fprintf(stderr, "%s, %s, %g, n %zu: %.3f, %.3f\n", methods[k].name, m->name,
                            agreed[i % ARRAY_LEN(agreed)], sizes[s], share, width);
                least = fmin(least, share);
                widths += width;
                points++;
            }
            printf(" %.1f (%.2f) |", 100 * least, widths / points);
            fflush(stdout);
        }
        printf("\n");
    }
    return 0;
}
