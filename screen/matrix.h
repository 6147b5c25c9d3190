/*
 * matrix: texts as rows of weighted features. For screen only.
 *
 * An entry is 32 bits: the feature and how often the text has it. Its weight is (1 + ln count) idf(feature) / length of
 * the row, so that rows have length 1: TF-IDF with sublinear counts (Salton & Buckley, "Term-weighting approaches in
 * automatic text retrieval", 1988). idf is ln((1 + rows) / (1 + rows with the feature)) + 1.
 *
 * Features are numbered by how many texts have them, the most frequent first, so that what a model says of most entries
 * is close together in memory.
 */
#pragma once

#include "screen/screen.h"
#include "screen/words.h"

enum {
    ENTRY_COUNT_BITS = 8,
    ENTRY_COUNT_MAX = 1 << ENTRY_COUNT_BITS, /* larger counts are cut to it */
    FEATURES_MAX = 1 << (32 - ENTRY_COUNT_BITS)
};

struct screen_matrix {
    size_t n_rows, n_features;
    const uint64_t *starts;       /* n_rows + 1 places in `entries` */
    const uint32_t *entries;      /* feature << ENTRY_COUNT_BITS | count - 1; in no order */
    const uint64_t *fingerprints; /* of the features, ascending */
    const uint32_t *numbers;      /* which feature each of them is */
    const float *idf;             /* of the features; 0: too common to say anything */
    const float *mean;            /* of the features: weight in the mean row, without idf */
    const float *scale;           /* of the rows: 1 / length; 0 for an empty one */
    const void *mapped;           /* the file that all of them are in; NULL: they are our own */
    size_t mapped_len;
    uint32_t *directory; /* to find a feature */
    unsigned directory_bits;
    float levels[ENTRY_COUNT_MAX]; /* 1 + ln count */
};

static inline uint32_t entry_feature(uint32_t entry)
{
    return entry >> ENTRY_COUNT_BITS;
}

/* 1 + ln count */
static inline float entry_level(const struct screen_matrix *m, uint32_t entry)
{
    return m->levels[entry & (ENTRY_COUNT_MAX - 1)];
}

/* The weight of an entry, without the scale of its row. */
static inline float entry_weight(const struct screen_matrix *m, uint32_t entry)
{
    return entry_level(m, entry) * m->idf[entry_feature(entry)];
}

/* Fills what does not come from a file: levels, and the directory, which finds features. */
void matrix_prepare(struct screen_matrix *m);
/* Those of the features that the matrix has, as entries; room for n. Returns how many. */
size_t matrix_entries(const struct screen_matrix *m, const struct word_count *counts, size_t n, uint32_t *entries);
/* 1 / length of a row of these entries. */
float matrix_scale(const struct screen_matrix *m, const uint32_t *entries, size_t n);
