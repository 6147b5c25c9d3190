/* ranked: of many rows, the next one is the best of a short list, and depends on the answers alone. */
#include "screen/ranked.h"

#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "tests/unit/unit.h"

enum { ROWS = 50000, RELEVANT_PARTS = 100, WORDS = 400, ANSWERS = 60, LIST_ROWS = 4000 };

static struct screen_matrix *matrix; /* of all tests: it is made once */
static float prior[ROWS];
static struct screen_prior *known;

/* One row in a hundred is relevant; three words are more frequent in them. */
static bool is_relevant(size_t row)
{
    return row % RELEVANT_PARTS == 7;
}

static void make_text(struct random *random, bool relevant, struct buf *out)
{
    buf_reset(out);
    for (size_t i = 0; i < 8; i++)
        buf_addf(out, "word%d ", (int)random_below(random, WORDS));
    for (size_t i = 0; i < 3; i++)
        if (random_below(random, 100) < (relevant ? 60 : 3))
            buf_addf(out, "mark%d ", (int)i);
}

static int make_matrix(void **state)
{
    struct screen_reading how = {.stemmer = SPAN("nltk"), .settings = screen_settings_default()};
    struct screen_builder *b;
    struct buf text = {0};
    struct err e;

    (void)state;
    if (screen_builder_new(&b, &how, ROWS, &e) != ST_OK)
        return -1;
    for (int pass = 0; pass < 2; pass++) {
        struct random random;
        random_seed(&random, 3);
        for (size_t row = 0; row < ROWS; row++) {
            make_text(&random, is_relevant(row), &text);
            prior[row] = (float)random_below(&random, 1000) + (is_relevant(row) ? 300.0f : 0.0f);
            (pass == 0 ? screen_learn
                       : screen_add)(b, &(struct screen_text){.body = buf_span(&text), .markup = SCREEN_PLAIN});
        }
    }
    buf_clear(&text);
    matrix = screen_builder_end(b);
    known = screen_prior_new(prior, ROWS);
    return 0;
}

static int free_matrix(void **state)
{
    (void)state;
    screen_prior_free(known);
    screen_matrix_free(matrix);
    return 0;
}

static struct screen_question question(void)
{
    return (struct screen_question){.matrix = matrix,
                                    .settings = screen_settings_default(),
                                    .priors = (const struct screen_prior *const *)&known,
                                    .n_priors = 1,
                                    .seed = 5};
}

/* A screening: rows in the order of reading. */
struct reading {
    struct ranked *ranked;
    bool open[ROWS];
    struct ranked_row rows[ANSWERS];
    size_t n;
};

static void begin(struct reading *r)
{
    struct screen_question q = question();

    r->ranked = ranked_new(&q);
    memset(r->open, 1, sizeof r->open);
    for (size_t i = 0; i < r->n; i++) {
        uint32_t row = (uint32_t)r->rows[i].row;
        r->open[row] = false;
        ranked_judge(r->ranked, (struct screen_judged){row, is_relevant(row)});
    }
}

static void answer(struct reading *r)
{
    struct ranked_row *next = &r->rows[r->n];

    assert_true(ranked_next(r->ranked, r->open, next));
    assert_true(r->open[next->row]);
    r->open[next->row] = false;
    ranked_judge(r->ranked, (struct screen_judged){(uint32_t)next->row, is_relevant(next->row)});
    r->n++;
}

static struct reading *read_all(size_t restart_after)
{
    struct reading *r = mem_zero(1, sizeof *r);

    begin(r);
    while (r->n < ANSWERS) {
        answer(r);
        if (restart_after > 0 && r->n % restart_after == 0) {
            ranked_free(r->ranked);
            begin(r);
        }
    }
    ranked_free(r->ranked);
    return r;
}

/* --- what is next --- */

TEST(a_restart_changes_nothing)
{
    static const size_t restarts[] = {1, 7, 16, 33};
    struct reading *whole = read_all(0);
    size_t found = 0;

    for (size_t i = 0; i < ARRAY_LEN(restarts); i++) {
        struct reading *again = read_all(restarts[i]);
        for (size_t k = 0; k < ANSWERS; k++) {
            assert_int_equal(again->rows[k].row, whole->rows[k].row);
            assert_true(again->rows[k].score == whole->rows[k].score);
            assert_int_equal(again->rows[k].n_learned, whole->rows[k].n_learned);
        }
        mem_free(again);
    }
    for (size_t k = 0; k < ANSWERS; k++) {
        found += is_relevant(whole->rows[k].row);
        assert_in_range(whole->rows[k].n_learned, k - k / 50, k);
    }
    assert_true(found > ANSWERS / 2); /* by chance: 1 in 100 */
    mem_free(whole);
}

/* Without answers, the first row again. */
TEST(answers_can_be_taken_back)
{
    struct reading *r = mem_zero(1, sizeof *r);
    struct ranked_row again;

    begin(r);
    while (r->n < 20)
        answer(r);
    ranked_forget(r->ranked);
    memset(r->open, 1, sizeof r->open);
    assert_true(ranked_next(r->ranked, r->open, &again));
    assert_int_equal(again.row, r->rows[0].row);
    assert_int_equal(again.n_learned, 0);
    ranked_free(r->ranked);
    mem_free(r);
}

/* The list after 40 answers is that of the first 16: its best row by the model of all 40. */
TEST(next_is_the_best_of_the_list)
{
    struct reading *r = mem_zero(1, sizeof *r);
    struct screen_question q = question();
    float *scores = mem_zero(ROWS, sizeof *scores), *of_list = mem_zero(LIST_ROWS, sizeof *of_list);
    uint32_t *list = mem_zero(LIST_ROWS, sizeof *list);
    bool *open = mem_zero(ROWS, sizeof *open);

    begin(r);
    while (r->n < 41)
        answer(r);
    q.judged = ranked_question(r->ranked).judged;
    q.n_judged = 16;
    screen_scores(&q, scores);
    memset(open, 1, ROWS);
    for (size_t i = 0; i < 16; i++)
        open[q.judged[i].row] = false;
    assert_int_equal(screen_best_of(scores, open, ROWS, q.seed, list, LIST_ROWS), LIST_ROWS);
    q.n_judged = 40;
    screen_scores_of(&q, list, LIST_ROWS, of_list);
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < LIST_ROWS; i++) {
        bool is_read = false;
        for (size_t k = 0; k < 40; k++)
            is_read |= r->rows[k].row == list[i];
        if (!is_read && (best == SIZE_MAX || of_list[i] > of_list[best]))
            best = i;
    }
    assert_true(of_list[best] == r->rows[40].score);
    assert_int_equal(r->rows[40].row, list[best]);
    ranked_free(r->ranked);
    mem_free(r);
    mem_free(scores);
    mem_free(of_list);
    mem_free(list);
    mem_free(open);
}

/* Rows that were read without a judgement are in the list still; when all of it is read, others come. */
TEST(a_list_that_is_used_up_is_replaced)
{
    struct screen_question q = question();
    struct ranked *r = ranked_new(&q);
    bool *open = mem_zero(ROWS, sizeof *open);
    struct ranked_row next;
    size_t n = 0;

    memset(open, 1, ROWS);
    for (; n < LIST_ROWS + 10; n++) {
        assert_true(ranked_next(r, open, &next));
        assert_true(open[next.row] && isfinite(next.score));
        open[next.row] = false;
    }
    memset(open, 0, ROWS);
    assert_false(ranked_next(r, open, &next));
    /* Of a list that is wanted, all come. */
    for (size_t row = 0; row < ROWS; row += 5000)
        open[row] = true;
    ranked_limit(r, open);
    for (n = 0; ranked_next(r, open, &next); n++) {
        assert_int_equal(next.row % 5000, 0);
        open[next.row] = false;
    }
    assert_int_equal(n, ROWS / 5000);
    ranked_free(r);
    mem_free(open);
}

/* What a part of the rows scores is near to what it scores among all of them. */
TEST(a_part_scores_as_the_whole)
{
    static struct screen_judged judged[100];
    struct screen_question q = question();
    float *scores = mem_zero(ROWS, sizeof *scores);
    uint32_t rows[500];
    float of[500];

    for (uint32_t i = 0; i < ARRAY_LEN(judged); i++)
        judged[i] = (struct screen_judged){i * 50 + 7, is_relevant(i * 50 + 7)};
    q.judged = judged;
    for (q.n_judged = 1; q.n_judged <= ARRAY_LEN(judged); q.n_judged += 33) {
        screen_scores(&q, scores);
        for (uint32_t i = 0; i < ARRAY_LEN(rows); i++)
            rows[i] = i * 97;
        screen_scores_of(&q, rows, ARRAY_LEN(rows), of);
        for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
            double whole = (double)scores[rows[i]];
            assert_true(fabs((double)of[i] - whole) < 0.2 + 0.15 * fabs(whole));
        }
    }
    mem_free(scores);
}

/* Beside other work the scores are the same; those that are dropped are not computed. */
TEST(scores_can_be_dropped)
{
    static const struct screen_judged judged[] = {{7, true}, {8, false}, {107, true}};
    struct screen_question q = question();
    float *scores = mem_zero(ROWS, sizeof *scores), *beside = mem_zero(ROWS, sizeof *beside);
    atomic_bool dropped = false;

    q.n_priors = 0;
    q.judged = judged;
    q.n_judged = ARRAY_LEN(judged);
    screen_scores(&q, scores);
    q.dropped = &dropped;
    screen_scores(&q, beside);
    assert_memory_equal(scores, beside, ROWS * sizeof *scores);
    assert_true(scores[207] > scores[208]);
    atomic_store(&dropped, true);
    screen_scores(&q, beside);
    for (size_t row = 0; row < ROWS; row++)
        assert_true(beside[row] == 0);
    mem_free(scores);
    mem_free(beside);
}

int main(void)
{
    return unit_run(make_matrix, free_matrix, NULL, NULL);
}
