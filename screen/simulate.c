/* simulate: a screening of texts whose answers are known. */
#include "base/random.h"
#include "screen/screen.h"

#include <math.h>

enum { BATCH_PARTS = 50 }; /* the model learns again after 1/50 more was read */

struct reading {
    const struct screen_trial *trial;
    uint32_t *order;
    struct screen_judged *judged;
    bool *open;
    float *scores;
    size_t n_rows, n_read, n_found, n_relevant;
};

static void read_row(struct reading *r, size_t row)
{
    bool relevant = r->trial->relevant[row];

    r->judged[r->n_read] = (struct screen_judged){(uint32_t)row, relevant};
    r->order[r->n_read++] = (uint32_t)row;
    r->open[row] = false;
    r->n_found += relevant;
}

/* A row of the class, each with the same chance. */
static void read_any(struct reading *r, bool relevant, struct random *random)
{
    size_t n = relevant ? r->n_relevant : r->n_rows - r->n_relevant;
    uint64_t nth = random_below(random, n);

    for (size_t row = 0; row < r->n_rows && n > 0; row++)
        if (r->trial->relevant[row] == relevant && nth-- == 0) {
            read_row(r, row);
            return;
        }
}

static void read_all(struct reading *r)
{
    struct random random;

    random_seed(&random, r->trial->seed);
    if (r->trial->pair) {
        read_any(r, true, &random);
        read_any(r, false, &random);
    }
    while (r->n_found < r->n_relevant && r->n_read < r->n_rows) {
        const struct screen_trial *t = r->trial;
        /* clang-format off */
        struct screen_question q = {
            .matrix = t->matrix, .settings = t->settings, .priors = t->priors, .n_priors = t->n_priors,
            .seed = t->seed, .judged = r->judged, .n_judged = r->n_read};
        /* clang-format on */
        size_t n = 1 + r->n_read / BATCH_PARTS;
        AT_END(mem_end) uint32_t *rows = mem_zero(n, sizeof *rows);

        screen_scores(&q, r->scores);
        n = screen_best_of(r->scores, r->open, r->n_rows, t->seed, rows, n);
        for (size_t i = 0; i < n; i++)
            read_row(r, rows[i]);
    }
    for (size_t row = 0; row < r->n_rows; row++)
        if (r->open[row])
            read_row(r, row);
}

/* --- measures --- */

double screen_recall_at(const struct screen_trial *t, const struct screen_outcome *o, size_t n)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        found += t->relevant[o->order[i]];
    return o->n_relevant > 0 ? (double)found / (double)o->n_relevant : NAN;
}

static void measure_discovery(const struct reading *r, struct screen_outcome *out)
{
    size_t wanted = (size_t)ceil(0.95 * (double)r->n_relevant - 1e-9), found = 0, skipped = 0;
    double places = 0, n = (double)r->n_rows;

    for (size_t i = 0; i < r->n_rows; i++) {
        if (!r->trial->relevant[r->order[i]])
            continue;
        found++;
        if (found == wanted)
            out->read_95 = i + 1;
        if (r->trial->pair && i == 0)
            skipped = 1;
        else
            places += (double)(i + 1) / n;
    }
    out->wss95 = r->n_relevant > 0 ? (n - (double)out->read_95) / n - 0.05 : NAN;
    out->atd = r->n_relevant > skipped ? places / (double)(r->n_relevant - skipped) : NAN;
}

void screen_simulate(const struct screen_trial *t, struct screen_outcome *out)
{
    size_t n = screen_matrix_rows(t->matrix);
    AT_END(mem_end) bool *relevant = mem_zero(n + 1, sizeof *relevant), *open = mem_zero(n + 1, sizeof *open);
    AT_END(mem_end) struct screen_judged *judged = mem_zero(n + 1, sizeof *judged);
    AT_END(mem_end) float *scores = mem_zero(n + 1, sizeof *scores);
    struct reading r = {.trial = t, .order = out->order, .judged = judged, .open = open, .scores = scores, .n_rows = n};

    for (size_t row = 0; row < n; row++) {
        r.open[row] = true;
        r.n_relevant += t->relevant[row];
    }
    read_all(&r);
    out->n_relevant = r.n_relevant;
    out->read_95 = 0;
    measure_discovery(&r, out);
    struct screen_reads reads = {n, relevant, n, r.n_relevant};
    for (size_t i = 0; i < n; i++)
        relevant[i] = t->relevant[r.order[i]];
    size_t at = screen_stop_at(&reads, &t->rule);
    out->stopped_at = at > 0 ? at : n;
    out->stop_saved = n > 0 ? (double)(n - out->stopped_at) / (double)n : NAN;
    out->stop_recall = screen_recall_at(t, out, out->stopped_at);
}
