/* features: from texts to a matrix, in two passes: which features there are, then the rows. */
#include "screen/matrix.h"

#include <math.h>

enum {
    TEXTS_MIN = 2,           /* a feature of one text alone says nothing of another */
    LEARN_TEXTS_MAX = 100000 /* of more texts, about so many say which features there are */
};

#define COMMON_SHARE 0.95 /* a feature of more texts than this share says nothing either */

#define MAP_NAME feature_map
#define MAP_KEY uint64_t
#define MAP_VALUE uint32_t
#include "base/map.h"

struct screen_builder {
    struct crew *crew;
    bool adding;              /* the second pass */
    size_t stride, n_seen;    /* of the first pass: every stride-th text is learned from */
    struct feature_map found; /* texts that have the feature */
    struct screen_matrix m;   /* fingerprints alone, until the end */
    uint32_t *texts;          /* rows that have the feature */
    struct ARRAY_OF(uint64_t) starts;
    struct ARRAY_OF(uint32_t) entries;
};

/* --- the matrix --- */

/* The directory has a bucket for each value of the first bits of a fingerprint, about as many as there are features;
 * fingerprints are even over their range. */
void matrix_prepare(struct screen_matrix *m)
{
    unsigned bits = 1;

    for (size_t i = 0; i < ENTRY_COUNT_MAX; i++)
        m->levels[i] = (float)(1 + log((double)i + 1));
    while ((size_t)1 << bits < m->n_features)
        bits++;
    size_t n_buckets = (size_t)1 << bits, feature = 0;
    m->directory_bits = bits;
    m->directory = mem_zero(n_buckets + 1, sizeof *m->directory);
    for (size_t bucket = 0; bucket <= n_buckets; bucket++) {
        while (feature < m->n_features && m->fingerprints[feature] >> (64 - bits) < bucket)
            feature++;
        m->directory[bucket] = (uint32_t)feature;
    }
}

/* The feature of a fingerprint; SIZE_MAX: none. */
static size_t find_feature(const struct screen_matrix *m, uint64_t fingerprint)
{
    uint64_t bucket = fingerprint >> (64 - m->directory_bits);
    size_t end = m->directory[bucket + 1];

    for (size_t i = m->directory[bucket]; i < end && m->fingerprints[i] <= fingerprint; i++)
        if (m->fingerprints[i] == fingerprint)
            return m->numbers[i];
    return SIZE_MAX;
}

enum { AHEAD = 8 }; /* features that are asked for before they are looked at */

/* Tables are far larger than the caches of a processor: without this, each feature waits for memory twice. */
static void ask_ahead(const struct screen_matrix *m, const struct word_count *counts, size_t n, size_t i)
{
    unsigned shift = 64 - m->directory_bits;

    if (i + 2 * AHEAD < n)
        __builtin_prefetch(&m->directory[counts[i + 2 * AHEAD].fingerprint >> shift]);
    if (i + AHEAD < n) {
        uint32_t first = m->directory[counts[i + AHEAD].fingerprint >> shift];
        __builtin_prefetch(&m->fingerprints[first]);
        __builtin_prefetch(&m->numbers[first]);
    }
}

static uint32_t entry_of(size_t feature, uint32_t count)
{
    uint32_t most = ENTRY_COUNT_MAX;

    return (uint32_t)feature << ENTRY_COUNT_BITS | ((count < most ? count : most) - 1);
}

size_t matrix_entries(const struct screen_matrix *m, const struct word_count *counts, size_t n, uint32_t *entries)
{
    size_t n_entries = 0;

    for (size_t i = 0; i < n; i++) {
        ask_ahead(m, counts, n, i);
        size_t feature = find_feature(m, counts[i].fingerprint);
        if (feature != SIZE_MAX)
            entries[n_entries++] = entry_of(feature, counts[i].count);
    }
    return n_entries;
}

float matrix_scale(const struct screen_matrix *m, const uint32_t *entries, size_t n)
{
    double square = 0;

    for (size_t i = 0; i < n; i++) {
        double weight = (double)entry_weight(m, entries[i]);
        square += weight * weight;
    }
    return square > 0 ? (float)(1 / sqrt(square)) : 0;
}

size_t screen_matrix_rows(const struct screen_matrix *m)
{
    return m->n_rows;
}

/* --- the first pass --- */

static void take(void *ctx, const struct word_count *counts, size_t n);

enum status screen_builder_new(struct screen_builder **out, const struct screen_reading *reading, size_t n_texts,
                               struct err *e)
{
    struct screen_builder *b = mem_zero(1, sizeof *b);
    enum status status = crew_new(&b->crew, reading, take, b, e);

    b->stride = 1 + n_texts / LEARN_TEXTS_MAX;
    *out = b;
    if (status != ST_OK) {
        screen_builder_free(b);
        *out = NULL;
    }
    return status;
}

void screen_builder_free(struct screen_builder *b)
{
    if (b == NULL)
        return;
    crew_free(b->crew);
    feature_map_clear(&b->found);
    mem_free((void *)b->m.fingerprints);
    mem_free((void *)b->m.numbers);
    mem_free(b->m.directory);
    mem_free(b->texts);
    array_clear(&b->starts);
    array_clear(&b->entries);
    mem_free(b);
}

void screen_learn(struct screen_builder *b, const struct screen_text *text)
{
    if (b->n_seen++ % b->stride == 0)
        crew_add(b->crew, text);
}

/* --- between the passes --- */

struct found {
    uint64_t fingerprint;
    uint32_t texts, number;
};

static int compare_fingerprints(const void *a, const void *b)
{
    const struct found *left = a, *right = b;

    return (left->fingerprint > right->fingerprint) - (left->fingerprint < right->fingerprint);
}

/* The most frequent first. */
static int compare_texts(const void *a, const void *b)
{
    const struct found *left = a, *right = b;

    if (left->texts != right->texts)
        return left->texts > right->texts ? -1 : 1;
    return compare_fingerprints(a, b);
}

/* The fewest texts that a feature must be in, so that no more than FEATURES_MAX are kept. */
static uint32_t fewest_texts(const struct feature_map *found)
{
    for (uint32_t fewest = TEXTS_MIN;; fewest++) {
        size_t n = 0;
        for (size_t i = 0; i < found->n; i++)
            n += found->at[i].value >= fewest;
        if (n <= FEATURES_MAX)
            return fewest;
    }
}

static void number_features(struct screen_builder *b)
{
    uint32_t fewest = fewest_texts(&b->found);
    AT_END(array_end) struct ARRAY_OF(struct found) kept = {0};

    for (size_t i = 0; i < b->found.n; i++)
        if (b->found.at[i].value >= fewest)
            array_add(&kept, (struct found){b->found.at[i].key, b->found.at[i].value, 0});
    feature_map_clear(&b->found);
    uint64_t *fingerprints = mem_zero(kept.n + 1, sizeof *fingerprints);
    uint32_t *numbers = mem_zero(kept.n + 1, sizeof *numbers);
    array_sort(&kept, compare_texts);
    for (size_t i = 0; i < kept.n; i++)
        kept.at[i].number = (uint32_t)i;
    array_sort(&kept, compare_fingerprints);
    for (size_t i = 0; i < kept.n; i++) {
        fingerprints[i] = kept.at[i].fingerprint;
        numbers[i] = kept.at[i].number;
    }
    b->m.fingerprints = fingerprints;
    b->m.numbers = numbers;
    b->m.n_features = kept.n;
    b->texts = mem_zero(b->m.n_features + 1, sizeof *b->texts);
    matrix_prepare(&b->m);
    array_add(&b->starts, 0);
}

/* --- the second pass --- */

/* Leaves the features that the matrix has, with their numbers in the place of fingerprints. */
static size_t number_counts(const void *ctx, struct word_count *counts, size_t n)
{
    const struct screen_matrix *m = ctx;
    size_t n_known = 0;

    for (size_t i = 0; i < n; i++) {
        ask_ahead(m, counts, n, i);
        size_t feature = find_feature(m, counts[i].fingerprint);
        if (feature != SIZE_MAX)
            counts[n_known++] = (struct word_count){feature, counts[i].count};
    }
    return n_known;
}

void screen_add(struct screen_builder *b, const struct screen_text *text)
{
    if (!b->adding) {
        crew_end(b->crew);
        number_features(b);
        crew_sift(b->crew, number_counts, &b->m);
        b->adding = true;
    }
    crew_add(b->crew, text);
}

static void take(void *ctx, const struct word_count *counts, size_t n)
{
    struct screen_builder *b = ctx;

    if (b->adding) {
        array_reserve(&b->entries, n);
        uint32_t *entries = b->entries.at + b->entries.n;

        for (size_t i = 0; i < n; i++) {
            entries[i] = entry_of((size_t)counts[i].fingerprint, counts[i].count);
            b->texts[counts[i].fingerprint]++;
        }
        b->entries.n += n;
        array_add(&b->starts, b->entries.n);
    } else {
        struct feature_map_entry *entry;

        for (size_t i = 0; i < n; i++) {
            feature_map_add(&b->found, counts[i].fingerprint, &entry);
            entry->value++;
        }
    }
}

/* --- the end --- */

struct screen_matrix *screen_builder_end(struct screen_builder *b)
{
    struct screen_matrix *m = mem_zero(1, sizeof *m);

    crew_end(b->crew);
    if (!b->adding) /* there were no texts */
        number_features(b);
    *m = b->m;
    m->n_rows = b->starts.n - 1;
    m->starts = b->starts.at;
    m->entries = b->entries.at;
    float *idf = mem_zero(m->n_features + 1, sizeof *idf);
    float *scale = mem_zero(m->n_rows + 1, sizeof *scale);
    double rows = (double)m->n_rows;

    for (size_t i = 0; i < m->n_features; i++)
        if (b->texts[i] <= COMMON_SHARE * rows)
            idf[i] = (float)(log((1 + rows) / (1 + (double)b->texts[i])) + 1);
    m->idf = idf;
    for (size_t row = 0; row < m->n_rows; row++)
        scale[row] = matrix_scale(m, m->entries + m->starts[row], (size_t)(m->starts[row + 1] - m->starts[row]));
    m->scale = scale;

    float *mean = mem_zero(m->n_features + 1, sizeof *mean);
    AT_END(mem_end) double *sums = mem_zero(m->n_features + 1, sizeof *sums);
    for (size_t row = 0; row < m->n_rows; row++)
        for (uint64_t i = m->starts[row]; i < m->starts[row + 1]; i++)
            sums[entry_feature(m->entries[i])] += (double)m->scale[row] * (double)entry_level(m, m->entries[i]);
    for (size_t i = 0; i < m->n_features; i++)
        mean[i] = (float)(sums[i] / rows);
    m->mean = mean;
    b->m = (struct screen_matrix){0};
    b->starts.at = NULL;
    b->entries.at = NULL;
    screen_builder_free(b);
    return m;
}
