/* resample: the counts of a bootstrap, drawn by kind and not item by item. */
#include "base/stat/resample.h"

#include <math.h>
#include <stdlib.h>

/* --- tables --- */

/* Columns without a weight are filled by others. `weights` has room for 2^bits, and is used up. */
static void alias_fill(struct alias *a, double *weights)
{
    size_t n = (size_t)1 << a->bits, small = 0, large = n;
    size_t *list = mem_resize(NULL, n, sizeof *list); /* less than a share; from the end: more */
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    for (size_t i = 0; i < n; i++) {
        weights[i] *= (double)n / sum;
        a->columns[i] = (struct alias_column){UINT64_MAX, i};
        list[weights[i] < 1 ? small++ : --large] = i;
    }
    while (small > 0 && large < n) {
        size_t i = list[--small], other = list[large];
        a->columns[i] = (struct alias_column){(uint64_t)(fmax(weights[i], 0) * 0x1p64), other};
        weights[other] -= 1 - weights[i];
        if (weights[other] < 1) {
            large++;
            list[small++] = other;
        }
    }
    mem_free(list);
}

/* Room for n weights, which are 0. */
static double *alias_begin(struct alias *a, uint64_t first, size_t n)
{
    a->first = first;
    a->bits = 1;
    while ((size_t)1 << a->bits < n)
        a->bits++;
    a->columns = mem_resize(NULL, (size_t)1 << a->bits, sizeof *a->columns);
    return mem_zero((size_t)1 << a->bits, sizeof(double));
}

/* A product of probabilities, each from the one before; their sum need not be 1. */
static void alias_poisson(struct alias *a, double mean)
{
    double spread = 10 * sqrt(mean) + 10;
    uint64_t first = mean > spread ? (uint64_t)(mean - spread) : 0, mode = (uint64_t)mean;
    size_t n = (size_t)(mode - first + (uint64_t)spread + 1);
    double *weights = alias_begin(a, first, n);

    weights[mode - first] = 1;
    for (size_t i = mode - first; i > 0; i--)
        weights[i - 1] = weights[i] * (double)(first + i) / mean;
    for (size_t i = mode - first + 1; i < n; i++)
        weights[i] = weights[i - 1] * mean / (double)(first + i);
    alias_fill(a, weights);
    mem_free(weights);
}

static void alias_counts(struct alias *a, const uint64_t *counts, size_t n)
{
    double *weights = alias_begin(a, 0, n);

    for (size_t i = 0; i < n; i++)
        weights[i] = (double)counts[i];
    alias_fill(a, weights);
    mem_free(weights);
}

static inline uint64_t alias_draw(const struct alias *a, struct random *random)
{
    uint64_t bits = random_next(random), place = bits >> (64 - a->bits);
    const struct alias_column *column = &a->columns[place];

    return a->first + (bits << a->bits < column->keep ? place : column->other);
}

/* --- making --- */

/* The kinds of these counts, so that equal counts stand together. */
struct kind {
    uint64_t count;
    size_t kind;
};

static int compare_kinds(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void add_frequent(struct resample *s, const struct kind *kinds, size_t n, double shrink)
{
    s->frequent = mem_resize(NULL, n, sizeof *s->frequent);
    s->tables = mem_resize(NULL, n, sizeof *s->tables);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || kinds[i - 1].count != kinds[i].count)
            alias_poisson(&s->tables[s->n_tables++], (double)kinds[i].count * shrink);
        s->frequent[s->n_frequent++] = (struct frequent){kinds[i].kind, s->n_tables - 1};
    }
}

/* The kind of each item of kinds up to `most`. */
static void list_items(struct resample *s, uint64_t most)
{
    size_t n = 1;

    for (size_t i = 0; i < s->n_kinds; i++)
        s->n_items += s->counts[i] <= most ? s->counts[i] : 0;
    while (n < s->n_items)
        n *= 2;
    s->items = mem_resize(NULL, n, sizeof *s->items);
    uint32_t *next = s->items;
    for (size_t i = 0; i < s->n_kinds; i++)
        for (uint64_t k = 0; s->counts[i] <= most && k < s->counts[i]; k++)
            *next++ = (uint32_t)i;
    while (next < s->items + n)
        *next++ = (uint32_t)s->n_kinds;
}

static void make_tables(struct resample *s)
{
    double n = (double)s->n, shrink = (n - sqrt(n)) / n;
    struct kind *kinds = mem_resize(NULL, s->n_kinds, sizeof *kinds);
    size_t frequent = 0;

    for (size_t i = 0; i < s->n_kinds; i++)
        if (s->counts[i] > RESAMPLE_RARE_MAX)
            kinds[frequent++] = (struct kind){s->counts[i], i};
    qsort(kinds, frequent, sizeof *kinds, compare_kinds);
    add_frequent(s, kinds, frequent, shrink);
    mem_free(kinds);
    list_items(s, RESAMPLE_RARE_MAX);
    if (s->n_items > 0)
        alias_poisson(&s->rare, (double)s->n_items * shrink);
    alias_counts(&s->kinds, s->counts, s->n_kinds);
}

void resample_init(struct resample *s, const uint64_t *counts, size_t n_kinds, uint64_t items_max)
{
    *s = (struct resample){.n_kinds = n_kinds, .counts = counts};
    s->drawn = mem_zero(n_kinds + 1, sizeof *s->drawn);
    for (size_t i = 0; i < n_kinds; i++)
        s->n += counts[i];
    s->by_item = s->n <= items_max;
    if (s->by_item)
        list_items(s, UINT64_MAX);
    else
        make_tables(s);
}

void resample_clear(struct resample *s)
{
    for (size_t i = 0; i < s->n_tables; i++)
        mem_free(s->tables[i].columns);
    mem_free(s->tables);
    mem_free(s->rare.columns);
    mem_free(s->kinds.columns);
    mem_free(s->frequent);
    mem_free(s->drawn);
    mem_free(s->items);
}

/* --- drawing --- */

/*
 * What random_below does for each of `left` items, without a branch that goes either way: where it
 * would draw again, the place is behind the last item, and counts for no kind. A branch there is
 * mispredicted so often that it takes four times as long.
 */
static void draw_items(struct resample *s, struct random *random, uint64_t left)
{
    if (s->n_items <= 1) {
        s->drawn[s->items[0]] += left;
        return;
    }
    int unused = __builtin_clzll(s->n_items - 1);
    while (left > 0) {
        uint64_t place = random_next(random) >> unused;
        s->drawn[s->items[place]]++;
        left -= place < s->n_items;
    }
}

/* All kinds' Poisson counts, of rare ones together; returns the sum. */
static uint64_t draw_counts(struct resample *s, struct random *random, uint64_t *rare)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < s->n_frequent; i++) {
        uint64_t count = alias_draw(&s->tables[s->frequent[i].table], random);
        s->drawn[s->frequent[i].kind] = count;
        sum += count;
    }
    *rare = s->n_items > 0 ? alias_draw(&s->rare, random) : 0;
    return sum + *rare;
}

void resample_draw(struct resample *s, struct random *random)
{
    uint64_t sum, rare;

    memset(s->drawn, 0, (s->n_kinds + 1) * sizeof *s->drawn);
    if (s->by_item) {
        draw_items(s, random, s->n);
        return;
    }
    do
        sum = draw_counts(s, random, &rare);
    while (sum > s->n);
    draw_items(s, random, rare);
    for (; sum < s->n; sum++)
        s->drawn[alias_draw(&s->kinds, random)]++;
}
