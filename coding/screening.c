/* screening: one coder's screening of a database. */
#include "coding/screening.h"

#include "coding/act.h"
#include "coding/topic.h"
#include "db/decisions.h"
#include "db/posts.h"
#include "stat/stat.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    LAG_POSTS = 50000, /* from so many posts on the model learns beside the coder */
    LEARN_PARTS = 50   /* it learns again after 1/50 more answers */
};

struct reader {
    uint32_t row;
    enum db_screen_answer answer;
    enum db_screen_stratum stratum;
};

/* A model that is being learned, or was: `n` is how many answers it learns from. */
struct ranking {
    struct screening *s;
    size_t n;
    float *scores;
    bool running, done;
    pthread_t thread;
};

struct screening {
    struct db *db;
    const struct screening_how *how;
    struct screen_matrix *matrix;
    const int64_t *ids; /* of each row, ascending */
    struct ARRAY_OF(int64_t) own_ids;
    uint32_t *hits; /* of each row */
    struct screen_prior *prior;
    struct stored_codebook book;
    size_t n_rows;
    bool *open;                              /* rows that were not read */
    struct ARRAY_OF(struct reader) reads;    /* in order */
    struct ARRAY_OF(struct screen_judged) judged; /* without unsure ones */
    struct ranking now, next;
    uint64_t *numbers; /* of the random order; NULL until it is asked for */
};

/* --- posts --- */

struct building {
    struct screening *s;
    struct screen_builder *builder;
    bool adding;
};

static enum status read_post(void *ctx, const struct db_screen_post *post, struct err *e)
{
    struct building *b = ctx;
    struct screen_text text = {post->title, post->body_html, post->tags, SCREEN_HTML};

    if (signals_stop_asked())
        return err_set(e, (enum status)signals_exit_code(), "stopped");
    if (b->adding) {
        screen_add(b->builder, &text);
        array_add(&b->s->own_ids, post->post_id);
    } else
        screen_learn(b->builder, &text);
    return ST_OK;
}

static enum status MUST_USE build(struct screening *s, const struct screen_reading *reading,
                                  struct err *e)
{
    struct building b = {.s = s};
    int64_t questions, answers, others;
    enum status status = db_post_count(s->db, &questions, &answers, &others, e);

    if (status == ST_OK)
        status = screen_builder_new(&b.builder, reading, (size_t)questions, e);
    for (int pass = 0; pass < 2 && status == ST_OK; pass++) {
        b.adding = pass == 1;
        status = db_screen_post_each(s->db, read_post, &b, e);
    }
    if (status != ST_OK) {
        screen_builder_free(b.builder);
        return status;
    }
    s->matrix = screen_builder_end(b.builder);
    s->ids = s->own_ids.at;
    return ST_OK;
}

/* What the matrix is made from, in short. */
static enum status MUST_USE make_key(struct screening *s, char key[SHA256_TEXT_SIZE],
                                     bool *settled, struct err *e)
{
    struct buf text = {0};
    const struct screen_settings *settings = &s->how->settings;

    buf_addf(&text, "%s %.*s %d %g %g ", SCREENING_MODEL, (int)s->how->study->stemmer.len,
             s->how->study->stemmer.ptr, s->how->study->include_code, settings->title_count,
             settings->body_words);
    enum status status = db_screen_state(s->db, &text, settled, e);
    db_sha256(buf_span(&text), key);
    buf_clear(&text);
    return status;
}

static enum status MUST_USE get_matrix(struct screening *s, const struct screen_reading *reading,
                                       struct buf *why, struct err *e)
{
    char key[SHA256_TEXT_SIZE];
    struct err cache_error = {0};
    bool settled = false, cached = s->how->cache != NULL;
    enum status status = make_key(s, key, &settled, e);
    struct span short_key = {key, SHA256_TEXT_SIZE - 1};

    if (status == ST_OK && cached && settled && !s->how->refresh &&
        screen_matrix_load(&s->matrix, short_key, &s->ids, s->how->cache, &cache_error) == ST_OK)
        return ST_OK;
    if (status == ST_OK)
        status = build(s, reading, e);
    if (status != ST_OK || !cached || !settled)
        return status;
    if (screen_matrix_save(s->matrix, short_key, s->ids, s->how->cache, &cache_error) != ST_OK &&
        why != NULL)
        buf_add_text(why, cache_error.text);
    return ST_OK;
}

/* SIZE_MAX for a post that is none of the questions. */
static size_t row_of(const struct screening *s, int64_t post_id)
{
    size_t low = 0, high = s->n_rows;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->ids[middle] < post_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_rows && s->ids[low] == post_id ? low : SIZE_MAX;
}

/* --- what is known --- */

static void take_hit(void *ctx, int64_t post_id, int64_t n_hits)
{
    struct screening *s = ctx;
    size_t row = row_of(s, post_id);

    if (row != SIZE_MAX)
        s->hits[row] = (uint32_t)n_hits;
}

static void note_read(struct screening *s, size_t row, enum db_screen_answer answer,
                      enum db_screen_stratum stratum)
{
    if (row == SIZE_MAX || !s->open[row])
        return;
    s->open[row] = false;
    array_add(&s->reads, (struct reader){(uint32_t)row, answer, stratum});
    if (answer != DB_SCREEN_UNSURE)
        array_add(&s->judged, (struct screen_judged){(uint32_t)row, answer == DB_SCREEN_YES});
}

static void take_read(void *ctx, const struct db_screen_read *read)
{
    struct screening *s = ctx;

    note_read(s, row_of(s, read->post_id), read->answer, read->stratum);
}

static enum status MUST_USE know_topic(struct screening *s, const struct screen_reading *reading,
                                       struct err *e)
{
    struct topic topic;
    enum status status = topic_init(&topic, s->how->study, e);

    if (status == ST_OK)
        status = topic_prior(&topic, s->matrix, reading, s->hits, &s->prior, e);
    topic_clear(&topic);
    return status;
}

enum status screening_open(struct screening **out, struct db *db, const struct screening_how *how,
                           struct buf *why, struct err *e)
{
    struct screening *s = mem_zero(1, sizeof *s);
    const struct screen_reading reading = {.stemmer = how->study->stemmer,
                                           .include_code = how->study->include_code,
                                           .settings = how->settings};

    s->db = db;
    s->how = how;
    enum status status = get_matrix(s, &reading, why, e);
    if (status == ST_OK) {
        s->n_rows = screen_matrix_rows(s->matrix);
        s->hits = mem_zero(s->n_rows + 1, sizeof *s->hits);
        s->open = mem_zero(s->n_rows + 1, sizeof *s->open);
        memset(s->open, 1, s->n_rows);
        status = s->n_rows > 0 ? db_screen_hit_each(db, take_hit, s, e) : ST_NO;
    }
    if (status == ST_OK)
        status = know_topic(s, &reading, e);
    if (status == ST_OK)
        status = stored_codebook_load(&s->book, db, e);
    if (status == ST_OK)
        status = db_screen_read_each(db, how->coder, take_read, s, e);
    *out = s;
    if (status != ST_OK) {
        screening_close(s);
        *out = NULL;
    }
    return status;
}

/* --- the ranking --- */

static void *learn(void *arg)
{
    struct ranking *r = arg;
    struct screening *s = r->s;
    struct screen_question q = {
        .matrix = s->matrix, .settings = s->how->settings,
        .priors = (const struct screen_prior *const *)&s->prior, .n_priors = s->prior != NULL,
        .seed = s->how->seed, .judged = s->judged.at, .n_judged = r->n};

    screen_scores(&q, r->scores);
    return NULL;
}

static void end_ranking(struct ranking *r)
{
    if (r->running)
        pthread_join(r->thread, NULL);
    r->done |= r->running;
    r->running = false;
}

/* In this thread, or in one of its own. The answers must not move meanwhile: see screening_answer. */
static void begin_ranking(struct screening *s, struct ranking *r, size_t n, bool beside)
{
    end_ranking(r);
    r->s = s;
    r->n = n;
    r->done = false;
    if (r->scores == NULL)
        r->scores = mem_zero(s->n_rows + 1, sizeof *r->scores);
    r->running = beside && pthread_create(&r->thread, NULL, learn, r) == 0;
    if (!r->running)
        learn(r);
    r->done = !r->running;
}

/* How many answers the model learns from when there are n of them, and the next such number. */
static size_t learned_from(size_t n, size_t *next, bool lags)
{
    size_t before = 0, at = 0;

    for (;;) {
        *next = at + 1 + at / LEARN_PARTS;
        if (*next > n)
            break;
        before = at;
        at = *next;
    }
    if (lags) {
        *next = at;
        return before;
    }
    return at;
}

/* Scores of the model that is used now; the next one is begun. */
static void update(struct screening *s)
{
    bool lags = s->n_rows >= LAG_POSTS;
    size_t next, n = learned_from(s->judged.n, &next, lags);

    if (s->next.scores != NULL && s->next.n == n && !(s->now.done && s->now.n == n)) {
        end_ranking(&s->next);
        struct ranking swapped = s->now;
        s->now = s->next;
        s->next = swapped;
    }
    if (!s->now.done || s->now.n != n)
        begin_ranking(s, &s->now, n, false);
    if (lags && next != n && (s->next.scores == NULL || s->next.n != next))
        begin_ranking(s, &s->next, next, true);
}

/* --- the next post --- */

static size_t next_random(struct screening *s)
{
    size_t best = SIZE_MAX;

    if (s->numbers == NULL) {
        char id[24];
        s->numbers = mem_zero(s->n_rows + 1, sizeof *s->numbers);
        for (size_t row = 0; row < s->n_rows; row++) {
            snprintf(id, sizeof id, "%" PRId64, s->ids[row]);
            s->numbers[row] = draw_number(s->how->seed, span_of(id));
        }
    }
    for (size_t row = 0; row < s->n_rows; row++)
        if (s->open[row] && (best == SIZE_MAX || s->numbers[row] < s->numbers[best]))
            best = row;
    return best;
}

static size_t next_with_keyword(const struct screening *s)
{
    size_t best = SIZE_MAX;

    for (size_t row = 0; row < s->n_rows; row++)
        if (s->open[row] && s->hits[row] > (best == SIZE_MAX ? 0 : s->hits[best]))
            best = row;
    return best;
}

void screening_limit(struct screening *s, const int64_t *post_ids, size_t n)
{
    bool *open = mem_zero(s->n_rows + 1, sizeof *open);

    for (size_t i = 0; i < n; i++) {
        size_t row = row_of(s, post_ids[i]);
        if (row != SIZE_MAX)
            open[row] = s->open[row];
    }
    mem_free(s->open);
    s->open = open;
}

bool screening_next(struct screening *s, enum db_screen_stratum stratum,
                    struct screening_next *out)
{
    size_t row;

    *out = (struct screening_next){.stratum = stratum, .score = NAN};
    if (stratum == DB_SCREEN_RANDOM)
        row = next_random(s);
    else if (stratum == DB_SCREEN_KEYWORD)
        row = next_with_keyword(s);
    else {
        update(s);
        row = screen_best(s->now.scores, s->open, s->n_rows, s->how->seed);
        out->score = row != SIZE_MAX ? (double)s->now.scores[row] : NAN;
        out->n_learned = s->now.n;
    }
    out->post_id = row != SIZE_MAX ? s->ids[row] : 0;
    return row != SIZE_MAX;
}

enum status screening_answer(struct screening *s, const struct screening_next *post,
                             enum db_screen_answer answer, struct err *e)
{
    size_t row = row_of(s, post->post_id);
    struct db_screen_read read = {.post_id = post->post_id, .answer = answer,
                                  .stratum = post->stratum, .score = post->score,
                                  .n_learned = (int64_t)post->n_learned,
                                  .model = SPAN(SCREENING_MODEL), .seed = (int64_t)s->how->seed};
    struct buf subject = {0};
    enum status status = ST_OK;

    if (row == SIZE_MAX)
        return err_set(e, ST_INPUT, "%" PRId64 " is no question of this database", post->post_id);
    buf_addf(&subject, "%" PRId64, post->post_id);
    struct act act = {.coder = s->how->coder, .subject = buf_span(&subject),
                      .post_id = post->post_id,
                      .judgement = answer == DB_SCREEN_YES ? ACT_SAYS_YES : ACT_SAYS_NO};
    if (answer != DB_SCREEN_UNSURE)
        status = act_put(s->db, &s->book, &act, e);
    if (status == ST_OK && answer == DB_SCREEN_UNSURE)
        status = db_coder_put(s->db, s->how->coder, false, e);
    if (status == ST_OK)
        status = db_screen_read_put(s->db, s->how->coder, &read, e);
    buf_clear(&subject);
    if (status == ST_OK) {
        /* An array that grows moves, and a model may be reading it. */
        if (s->judged.n == s->judged.capacity) {
            end_ranking(&s->next);
            array_reserve(&s->judged, 1);
        }
        note_read(s, row, answer, post->stratum);
    }
    return status;
}

/* --- how far it is --- */

/* The reading order as the stopping rule sees it: unsure ones as not read. */
static size_t order_of(const struct screening *s, bool *relevant, bool *random)
{
    size_t n = 0;

    for (size_t i = 0; i < s->reads.n; i++)
        if (s->reads.at[i].answer != DB_SCREEN_UNSURE) {
            random[n] = s->reads.at[i].stratum == DB_SCREEN_RANDOM;
            relevant[n++] = s->reads.at[i].answer == DB_SCREEN_YES;
        }
    return n;
}

/* Only when the random posts are the last ones. */
static size_t random_needed(const struct screen_reads *r, const bool *random,
                            const struct screen_rule *rule)
{
    struct screen_reads before = *r;
    size_t start = r->n;

    while (start > 0 && random[start - 1])
        start--;
    before.n = start;
    before.n_found = 0;
    for (size_t i = 0; i < start; i++) {
        if (random[i])
            return SIZE_MAX;
        before.n_found += r->relevant[i];
    }
    return screen_random_needed(&before, r->relevant + start, r->n - start, rule);
}

void screening_state(const struct screening *s, struct screening_state *out)
{
    bool *relevant = mem_zero(s->reads.n + 1, sizeof *relevant);
    bool *random = mem_zero(s->reads.n + 1, sizeof *random);
    struct screen_reads r = {.n_texts = s->n_rows, .relevant = relevant};

    *out = (struct screening_state){.n_posts = s->n_rows, .n_read = s->reads.n};
    r.n = order_of(s, relevant, random);
    for (size_t i = 0; i < r.n; i++) {
        r.n_found += relevant[i];
        out->n_since_find = relevant[i] ? 0 : out->n_since_find + 1;
    }
    for (size_t i = 0; i < s->reads.n; i++)
        out->n_of[s->reads.at[i].stratum]++;
    out->n_found = r.n_found;
    out->n_unsure = s->reads.n - r.n;
    out->p = screen_stop_p(&r, &s->how->rule);
    out->recall_least = screen_recall_least(&r, &s->how->rule);
    out->most_left = out->recall_least > 0
                         ? (size_t)llround((double)r.n_found / out->recall_least) - r.n_found
                         : s->n_rows - r.n;
    out->random_needed = random_needed(&r, random, &s->how->rule);
    out->may_stop = r.n == s->n_rows || out->p < 1 - s->how->rule.confidence ||
                    out->random_needed == 0;
    mem_free(relevant);
    mem_free(random);
}

void screening_each(const struct screening *s,
                    void (*each)(void *ctx, const struct screening_post *post), void *ctx)
{
    struct reader *of = mem_zero(s->n_rows + 1, sizeof *of);
    char id[24];

    for (size_t i = 0; i < s->reads.n; i++)
        of[s->reads.at[i].row] = s->reads.at[i];
    for (size_t row = 0; row < s->n_rows; row++) {
        snprintf(id, sizeof id, "%" PRId64, s->ids[row]);
        struct screening_post post = {
            .post_id = s->ids[row], .has_hit = s->hits[row] > 0, .is_read = !s->open[row],
            .answer = of[row].answer, .stratum = of[row].stratum,
            .number = draw_number(s->how->seed, span_of(id))};
        each(ctx, &post);
    }
    mem_free(of);
}

/* --- doubtful answers --- */

enum { FOLDS = 5 };

static int compare_doubts(const void *a, const void *b)
{
    const struct screening_doubt *x = a, *y = b;

    if (x->doubt != y->doubt)
        return x->doubt > y->doubt ? -1 : 1;
    return (x->post_id > y->post_id) - (x->post_id < y->post_id);
}

/* Within yes and within no. */
static void measure_doubts(struct screening_doubt *doubts, size_t n, bool is_yes)
{
    double sum = 0, squares = 0, counted = 0;

    for (size_t i = 0; i < n; i++)
        if (doubts[i].is_yes == is_yes) {
            sum += doubts[i].score;
            squares += doubts[i].score * doubts[i].score;
            counted++;
        }
    double mean = sum / counted, deviation = sqrt(fmax(squares / counted - mean * mean, 0));
    for (size_t i = 0; i < n; i++)
        if (doubts[i].is_yes == is_yes && deviation > 0)
            doubts[i].doubt = (is_yes ? mean - doubts[i].score : doubts[i].score - mean) / deviation;
}

enum status screening_doubts(const struct screening *s, struct screening_doubt **out, size_t *n,
                             struct err *e)
{
    const struct screen_question q = {
        .matrix = s->matrix, .settings = s->how->settings,
        .priors = (const struct screen_prior *const *)&s->prior, .n_priors = s->prior != NULL,
        .seed = s->how->seed, .judged = s->judged.at, .n_judged = s->judged.n};
    float *scores = mem_zero(q.n_judged + 1, sizeof *scores);
    struct screening_doubt *doubts = mem_zero(q.n_judged + 1, sizeof *doubts);
    enum status status = screen_doubt(&q, FOLDS, scores, e);

    for (size_t i = 0; i < q.n_judged; i++)
        doubts[i] = (struct screening_doubt){s->ids[q.judged[i].row], q.judged[i].relevant,
                                             (double)scores[i], 0};
    if (status == ST_OK) {
        measure_doubts(doubts, q.n_judged, true);
        measure_doubts(doubts, q.n_judged, false);
        qsort(doubts, q.n_judged, sizeof *doubts, compare_doubts);
    }
    mem_free(scores);
    *out = doubts;
    *n = status == ST_OK ? q.n_judged : 0;
    return status;
}

void screening_close(struct screening *s)
{
    if (s == NULL)
        return;
    end_ranking(&s->now);
    end_ranking(&s->next);
    mem_free(s->now.scores);
    mem_free(s->next.scores);
    screen_prior_free(s->prior);
    screen_matrix_free(s->matrix);
    stored_codebook_clear(&s->book);
    mem_free(s->hits);
    mem_free(s->open);
    mem_free(s->numbers);
    array_clear(&s->own_ids);
    array_clear(&s->reads);
    array_clear(&s->judged);
    mem_free(s);
}
