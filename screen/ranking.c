/* ranking: how promising each text is, by what was read and by what was known before. */
#include "screen/learner.h"

#include "base/map.h"

#include <math.h>

/* --- priors --- */

struct screen_prior {
    float *values; /* in standard deviations from their mean */
    float *places; /* the share of rows with smaller values, and half of those with equal ones */
};

/* Values of rows. Those from `sample` on show how far all rows' values are apart, except rows that are left out. */
struct scored {
    struct part part;
    size_t sample;
    const bool *leave_out; /* of each row of the matrix; may be NULL */
};

static bool is_sample(const struct scored *s, size_t i)
{
    return s->leave_out == NULL || !s->leave_out[s->part.rows != NULL ? s->part.rows[i] : i];
}

/* In place; all 0 when they do not differ. */
static void standardise(float *values, const struct scored *s)
{
    double sum = 0, squares = 0, counted = 0;

    for (size_t i = s->sample; i < s->part.n; i++)
        if (is_sample(s, i)) {
            sum += (double)values[i];
            counted++;
        }
    double mean = counted > 0 ? sum / counted : 0;
    for (size_t i = s->sample; i < s->part.n; i++)
        if (is_sample(s, i))
            squares += ((double)values[i] - mean) * ((double)values[i] - mean);
    double deviation = counted > 0 ? sqrt(squares / counted) : 0;
    /* Below this, differences are those of rounding. */
    bool differ = deviation > 1e-6 * (fabs(mean) + 1e-6);
    for (size_t i = 0; i < s->part.n; i++)
        values[i] = differ ? (float)(((double)values[i] - mean) / deviation) : 0;
}

struct placed {
    float value;
    uint32_t row;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *left = a, *right = b;

    return (left->value > right->value) - (left->value < right->value);
}

struct screen_prior *screen_prior_new(const float *values, size_t n_rows)
{
    struct screen_prior *p = mem_zero(1, sizeof *p);

    p->values = mem_zero(n_rows + 1, sizeof *p->values);
    p->places = mem_zero(n_rows + 1, sizeof *p->places);
    if (n_rows > 0)
        memcpy(p->values, values, n_rows * sizeof *values);
    standardise(p->values, &(struct scored){.part = {.n = n_rows}});

    AT_END(mem_end) struct placed *order = mem_zero(n_rows + 1, sizeof *order);
    for (size_t i = 0; i < n_rows; i++)
        order[i] = (struct placed){p->values[i], (uint32_t)i};
    qsort(order, n_rows, sizeof *order, compare_placed);
    for (size_t start = 0, end; start < n_rows; start = end) {
        for (end = start + 1; end < n_rows && order[end].value == order[start].value; end++)
            continue;
        float place = (float)((double)(start + end) / 2 / (double)n_rows);
        for (size_t i = start; i < end; i++)
            p->places[order[i].row] = place;
    }
    return p;
}

void screen_prior_free(struct screen_prior *p)
{
    if (p == NULL)
        return;
    mem_free(p->values);
    mem_free(p->places);
    mem_free(p);
}

/* 1 while all finds are at its top, 0 when in the middle or below; squared, so a weak prior has little weight. */
static double trust(const struct screen_question *q, const struct screen_prior *p)
{
    double finds = q->settings.prior_finds, places = finds;

    for (size_t i = 0; i < q->n_judged; i++)
        if (q->judged[i].relevant) {
            finds++;
            places += (double)p->places[q->judged[i].row];
        }
    double share = finds > 0 ? 2 * places / finds - 1 : 1;
    return share > 0 ? share * share : 0;
}

/* --- likeness --- */

enum status screen_likeness(const struct screen_matrix *m, const struct screen_reading *reading,
                            const struct screen_text *texts, size_t n_texts, float *values, struct err *e)
{
    const struct word_count *counts;
    AT_END(array_end) struct ARRAY_OF(uint32_t) entries = {0};
    AT_END(mem_end) struct weight *weights = mem_zero(m->n_features + 1, sizeof *weights);
    struct linear all = {.weights = weights};
    struct words *words;
    enum status status = words_new(&words, reading, e);

    for (size_t i = 0; i < n_texts && status == ST_OK; i++) {
        size_t n = words_read(words, &texts[i], &counts);
        entries.n = 0;
        array_reserve(&entries, n + 1);
        n = matrix_entries(m, counts, n, entries.at);
        double scale = (double)matrix_scale(m, entries.at, n) / (double)n_texts;
        for (size_t k = 0; k < n; k++) {
            uint32_t feature = entry_feature(entries.at[k]);
            all.weights[feature].machine += (float)(scale * (double)entry_weight(m, entries.at[k]) *
                                                    (double)m->idf[feature]);
        }
    }
    if (status == ST_OK)
        linear_values(m, &all, &(struct part){.n = m->n_rows}, values, NULL);
    words_free(words);
    return status;
}

/* --- scores --- */

static int compare_judged(const void *a, const void *b)
{
    const struct screen_judged *left = a, *right = b;

    return (left->row > right->row) - (left->row < right->row);
}

/* With both classes, a machine and naive Bayes share the score; with one, likeness is all of it. */
static void learn(const struct screen_question *q, const struct scored *s, float *scores)
{
    const struct screen_matrix *m = q->matrix;
    struct linear models = {.weights = mem_zero(m->n_features + 1, sizeof *models.weights)};
    AT_END(mem_end) float *values = mem_zero(s->part.n + 1, sizeof *values);
    double share = q->settings.bayes_share;
    size_t n_relevant = count_relevant(q);

    if (n_relevant == 0 || n_relevant == q->n_judged) {
        learn_class(q, n_relevant > 0, &models);
        share = 0;
    } else {
        double finds = (double)n_relevant / (double)q->n_judged, from = q->settings.bayes_from;
        if (finds < from)
            share *= finds / from * (finds / from);
        learn_svm(q, &models);
        learn_bayes(q, &models);
    }
    linear_values(m, &models, &s->part, scores, values);
    standardise(scores, s);
    standardise(values, s);
    for (size_t i = 0; i < s->part.n; i++)
        scores[i] = (float)((1 - share) * (double)scores[i] + share * (double)values[i]);
    mem_free(models.weights);
}

static void score(const struct screen_question *q, struct scored s, float *scores)
{
    struct screen_question sorted = *q;
    AT_END(mem_end) struct screen_judged *judged = mem_zero(q->n_judged + 1, sizeof *judged);
    AT_END(mem_end) bool *is_judged = mem_zero(q->matrix->n_rows + 1, sizeof *is_judged);

    s.leave_out = is_judged;
    memset(scores, 0, s.part.n * sizeof *scores);
    for (size_t i = 0; i < q->n_judged; i++) {
        judged[i] = q->judged[i];
        is_judged[judged[i].row] = true;
    }
    qsort(judged, q->n_judged, sizeof *judged, compare_judged);
    sorted.judged = judged;
    if (q->n_judged > 0)
        learn(&sorted, &s, scores);
    for (size_t i = 0; i < sorted.n_priors; i++) {
        const struct screen_prior *p = sorted.priors[i];
        double weight = sorted.settings.prior * trust(&sorted, p);
        for (size_t k = 0; k < s.part.n && weight > 0; k++)
            scores[k] += (float)(weight * (double)p->values[s.part.rows != NULL ? s.part.rows[k] : k]);
    }
}

void screen_scores(const struct screen_question *q, float *scores)
{
    score(q, (struct scored){.part = {.n = q->matrix->n_rows, .dropped = q->dropped}}, scores);
}

enum { SPREAD_ROWS = 2048 };

void screen_scores_of(const struct screen_question *q, const uint32_t *rows, size_t n, float *scores)
{
    size_t n_rows = q->matrix->n_rows, n_spread = n_rows < SPREAD_ROWS ? n_rows : SPREAD_ROWS;
    AT_END(mem_end) uint32_t *all = mem_zero(n + n_spread + 1, sizeof *all);
    AT_END(mem_end) float *values = mem_zero(n + n_spread + 1, sizeof *values);

    if (n > 0)
        memcpy(all, rows, n * sizeof *rows);
    for (size_t i = 0; i < n_spread; i++)
        all[n + i] = (uint32_t)(n_rows * i / n_spread);
    score(q, (struct scored){.part = {.rows = all, .n = n + n_spread}, .sample = n}, values);
    if (n > 0)
        memcpy(scores, values, n * sizeof *scores);
}

/* --- the order --- */

struct ranked {
    float score;
    uint32_t row;
    uint64_t lot;
};

/* Even over rows, whatever the seed. */
static uint64_t draw_lot(uint64_t seed, size_t row)
{
    struct map_secret secret = {seed, seed};

    return map_hash_number(map_hash_number(row, &secret) + seed, &secret);
}

/* Is it before the other? */
static bool is_better(const struct ranked *a, const struct ranked *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->lot != b->lot ? a->lot < b->lot : a->row < b->row;
}

static int compare_ranked(const void *a, const void *b)
{
    return is_better(a, b) ? -1 : is_better(b, a);
}

/* A heap of the best so far, the worst of them at its top. */
static void sink(struct ranked *heap, size_t n, size_t i)
{
    for (;;) {
        size_t worst = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
            if (is_better(&heap[worst], &heap[child]))
                worst = child;
        if (worst == i)
            return;
        struct ranked swapped = heap[i];
        heap[i] = heap[worst];
        heap[worst] = swapped;
        i = worst;
    }
}

size_t screen_best_of(const float *scores, const bool *open, size_t n_rows, uint64_t seed, uint32_t *rows, size_t n)
{
    AT_END(mem_end) struct ranked *heap = mem_zero(n + 1, sizeof *heap);
    size_t kept = 0;

    for (size_t row = 0; row < n_rows && n > 0; row++) {
        if (open != NULL && !open[row])
            continue;
        if (kept == n && scores[row] < heap[0].score)
            continue;
        struct ranked ranked = {scores[row], (uint32_t)row, draw_lot(seed, row)};
        if (kept < n) {
            heap[kept++] = ranked;
            for (size_t i = kept / 2; kept == n && i-- > 0;)
                sink(heap, kept, i);
        } else if (is_better(&ranked, &heap[0])) {
            heap[0] = ranked;
            sink(heap, kept, 0);
        }
    }
    qsort(heap, kept, sizeof *heap, compare_ranked);
    for (size_t i = 0; i < kept; i++)
        rows[i] = heap[i].row;
    return kept;
}

size_t screen_best(const float *scores, const bool *open, size_t n_rows, uint64_t seed)
{
    uint32_t row;

    return screen_best_of(scores, open, n_rows, seed, &row, 1) == 1 ? row : SIZE_MAX;
}

/* --- doubt --- */

enum status screen_doubt(const struct screen_question *q, size_t folds, float *scores, struct err *e)
{
    AT_END(mem_end) size_t *parts = mem_zero(q->n_judged + 1, sizeof *parts);
    AT_END(mem_end) struct ranked *order = mem_zero(q->n_judged + 1, sizeof *order);
    size_t n_relevant = count_relevant(q), n[2] = {0, 0};

    if (n_relevant < folds || q->n_judged - n_relevant < folds)
        return err_set(e, ST_NO, "%zu yes and %zu no; at least %zu of each are needed", n_relevant,
                       q->n_judged - n_relevant, folds);
    /* The part of each judged row: those of a class in turn, in an order that the seed draws. */
    for (size_t i = 0; i < q->n_judged; i++)
        order[i] = (struct ranked){0, (uint32_t)i, draw_lot(q->seed, q->judged[i].row)};
    qsort(order, q->n_judged, sizeof *order, compare_ranked);
    for (size_t i = 0; i < q->n_judged; i++)
        parts[order[i].row] = n[q->judged[order[i].row].relevant]++ % folds;

    for (size_t part = 0; part < folds; part++) {
        struct screen_question others = *q;
        AT_END(mem_end) struct screen_judged *judged = mem_zero(q->n_judged + 1, sizeof *judged);
        AT_END(mem_end) float *all = mem_zero(q->matrix->n_rows + 1, sizeof *all);

        others.judged = judged;
        others.n_judged = 0;
        for (size_t i = 0; i < q->n_judged; i++)
            if (parts[i] != part)
                judged[others.n_judged++] = q->judged[i];
        screen_scores(&others, all);
        for (size_t i = 0; i < q->n_judged; i++)
            if (parts[i] == part)
                scores[i] = all[q->judged[i].row];
    }
    return ST_OK;
}
