/* ranked: the next row, from all rows or from a short list of the best ones. */
#include "screen/ranked.h"

#include <math.h>

enum {
    MANY_ROWS = 50000,
    LIST_ROWS = 4000,
    LIST_STEP = 16, /* answers between two lists, at the least */
    STEP_PARTS = 50 /* a step of so many parts of the answers before it */
};

/* The best rows by a model of the first n answers. */
struct list {
    const struct ranked *ranked;
    struct screen_judged *judged; /* a copy, as answers go on */
    size_t n;
    uint32_t *rows;
    size_t n_rows;
    bool made, running;
    const atomic_bool *dropped; /* the one of `ranked`; NULL: made in the thread that waits for it */
    pthread_t thread;
};

struct ranked {
    struct screen_question question;
    size_t n_rows;
    bool *wanted;
    struct ARRAY_OF(struct screen_judged) judged;
    struct list now, next;
    atomic_bool dropped; /* the list that a thread makes is not wanted any more */
    float *scores;       /* -INFINITY: not scored */
    size_t n_learned;    /* the model that they are of; SIZE_MAX: none */
};

struct ranked *ranked_new(const struct screen_question *question)
{
    struct ranked *r = mem_zero(1, sizeof *r);

    r->question = *question;
    r->n_rows = screen_matrix_rows(question->matrix);
    r->wanted = mem_zero(r->n_rows + 1, sizeof *r->wanted);
    memset(r->wanted, 1, r->n_rows);
    r->scores = mem_zero(r->n_rows + 1, sizeof *r->scores);
    r->n_learned = SIZE_MAX;
    return r;
}

struct screen_question ranked_question(const struct ranked *r)
{
    struct screen_question q = r->question;

    q.judged = r->judged.at;
    q.n_judged = r->judged.n;
    return q;
}

void ranked_judge(struct ranked *r, struct screen_judged judged)
{
    array_add(&r->judged, judged);
}

/* --- lists --- */

static void *make_list(void *arg)
{
    struct list *l = arg;
    const struct ranked *r = l->ranked;
    struct screen_question q = r->question;
    AT_END(mem_end) float *scores = mem_zero(r->n_rows + 1, sizeof *scores);
    AT_END(mem_end) bool *open = mem_zero(r->n_rows + 1, sizeof *open);

    q.judged = l->judged;
    q.n_judged = l->n;
    q.dropped = l->dropped;
    memcpy(open, r->wanted, r->n_rows * sizeof *open);
    for (size_t i = 0; i < l->n; i++)
        open[l->judged[i].row] = false;
    screen_scores(&q, scores);
    l->n_rows = screen_best_of(scores, open, r->n_rows, q.seed, l->rows, LIST_ROWS);
    return NULL;
}

static void await_list(struct list *l)
{
    if (l->running)
        pthread_join(l->thread, NULL);
    l->running = false;
}

static void clear_list(struct list *l)
{
    await_list(l);
    mem_free(l->judged);
    mem_free(l->rows);
    *l = (struct list){0};
}

/* In this thread, or in one of its own. */
static void begin_list(struct ranked *r, struct list *l, size_t n, bool beside)
{
    clear_list(l);
    *l = (struct list){.ranked = r, .n = n, .made = true, .dropped = beside ? &r->dropped : NULL};
    l->judged = mem_zero(n + 1, sizeof *l->judged);
    l->rows = mem_zero(LIST_ROWS, sizeof *l->rows);
    if (n > 0)
        memcpy(l->judged, r->judged.at, n * sizeof *l->judged);
    l->running = beside && pthread_create(&l->thread, NULL, make_list, l) == 0;
    if (!l->running)
        make_list(l);
}

static bool is_list_of(const struct list *l, size_t n)
{
    return l->made && l->n == n;
}

/* The last of the steps up to n, and the one before it. */
static size_t last_step(size_t n, size_t least, size_t *before)
{
    size_t at = *before = 0;

    for (size_t next; (next = at + least + at / STEP_PARTS) <= n; at = next)
        *before = at;
    return at;
}

static void drop_lists(struct ranked *r)
{
    atomic_store(&r->dropped, true);
    clear_list(&r->now);
    clear_list(&r->next);
    atomic_store(&r->dropped, false);
    r->n_learned = SIZE_MAX;
}

void ranked_limit(struct ranked *r, const bool *wanted)
{
    drop_lists(r);
    memcpy(r->wanted, wanted, r->n_rows * sizeof *wanted);
}

void ranked_forget(struct ranked *r)
{
    drop_lists(r);
    r->judged.n = 0;
}

void ranked_free(struct ranked *r)
{
    if (r == NULL)
        return;
    drop_lists(r);
    array_clear(&r->judged);
    mem_free(r->wanted);
    mem_free(r->scores);
    mem_free(r);
}

/* --- the next row --- */

bool ranked_next(struct ranked *r, const bool *open, struct ranked_row *out)
{
    bool many = r->n_rows >= MANY_ROWS;
    struct screen_question q = ranked_question(r);
    size_t before, n = last_step(r->judged.n, 1, &before);

    q.n_judged = n;
    if (many) {
        /* The list in use is the last but one; the last one is made beside. */
        size_t in_use, last = last_step(r->judged.n, LIST_STEP, &in_use);

        if (is_list_of(&r->next, in_use)) {
            clear_list(&r->now);
            await_list(&r->next);
            r->now = r->next;
            r->next = (struct list){0};
            r->n_learned = SIZE_MAX;
        }
        if (!is_list_of(&r->now, in_use)) {
            begin_list(r, &r->now, in_use, false);
            r->n_learned = SIZE_MAX;
        }
        if (last != in_use && !is_list_of(&r->next, last))
            begin_list(r, &r->next, last, true);
    }
    if (r->n_learned != n && many) {
        AT_END(mem_end) float *scores = mem_zero(r->now.n_rows + 1, sizeof *scores);
        screen_scores_of(&q, r->now.rows, r->now.n_rows, scores);
        for (size_t row = 0; row < r->n_rows; row++)
            r->scores[row] = -INFINITY;
        for (size_t i = 0; i < r->now.n_rows; i++)
            r->scores[r->now.rows[i]] = scores[i];
    } else if (r->n_learned != n) {
        screen_scores(&q, r->scores);
    }
    r->n_learned = n;
    size_t row = screen_best(r->scores, open, r->n_rows, q.seed);
    if (row != SIZE_MAX && isinf(r->scores[row])) { /* the list is used up */
        screen_scores(&q, r->scores);
        row = screen_best(r->scores, open, r->n_rows, q.seed);
    }
    if (row != SIZE_MAX)
        *out = (struct ranked_row){row, r->scores[row], n};
    return row != SIZE_MAX;
}
