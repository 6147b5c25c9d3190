/* screening: one coder's screening of a database. */
#include "base/stat/stat.h"
#include "screen/screening.h"

#include "label/coding/act.h"
#include "screen/labelled.h"
#include "screen/ranked.h"
#include "screen/topic.h"
#include "db/posts.h"
#include "base/signals.h"

#include <math.h>
#include <unistd.h>

struct reader {
    uint32_t row;
    enum db_screen_answer answer;
    enum db_screen_stratum stratum;
};

struct screening {
    struct db *db;
    const struct screening_how *how;
    struct screen_matrix *matrix;
    const int64_t *ids; /* of each row, ascending */
    struct ARRAY_OF(int64_t) own_ids;
    uint32_t *hits;                 /* of each row */
    struct screen_prior *priors[2]; /* of the study, and of labelled texts */
    size_t n_priors;
    struct stored_codebook book;
    size_t n_rows;
    bool *open;                           /* rows that were not read */
    bool *limit;                          /* rows of screening_limit; NULL: all */
    struct ARRAY_OF(struct reader) reads; /* in order */
    struct ranked *ranked;                /* has them too, without unsure ones */
    size_t n_elsewhere;                   /* read, and not one of the questions */
    char key[SHA256_TEXT_SIZE];           /* of the posts, as they were read */
    uint64_t *numbers;                    /* of the random order; NULL until it is asked for */
    int64_t version;                      /* of the database when it was followed last; 0: follow it again */
};

/* --- posts --- */

static enum status MUST_USE build(struct screening *s, const struct screen_reading *reading, struct err *e)
{
    struct screen_builder *builder = NULL;
    struct db_screen_post post;
    int64_t questions, answers, others;
    enum status status = db_post_count(s->db, &questions, &answers, &others, e);

    THEN(status, screen_builder_new(&builder, reading, (size_t)questions, e));
    for (int pass = 0; pass < 2 && status == ST_OK; pass++)
        while (db_screen_post_next(s->db, &post, &status, e)) {
            struct screen_text text = {post.title, post.body_html, post.tags, SCREEN_HTML};
            if (signals_stop_asked()) {
                status = err_set(e, (enum status)signals_exit_code(), "stopped");
            } else if (pass == 0) {
                screen_learn(builder, &text);
            } else {
                screen_add(builder, &text);
                array_add(&s->own_ids, post.post_id);
            }
        }
    if (status != ST_OK) {
        screen_builder_free(builder);
        return status;
    }
    s->matrix = screen_builder_end(builder);
    s->ids = s->own_ids.at;
    return ST_OK;
}

/* What the matrix is made from, in short. */
static enum status MUST_USE make_key(const struct screening *s, char key[SHA256_TEXT_SIZE], bool *settled,
                                     struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};
    const struct screen_settings *settings = &s->how->settings;

    buf_addf(&text, "%s %.*s %d %g %g ", SCREENING_MODEL, SPAN_ARG(s->how->study->stemmer), s->how->study->include_code,
             settings->title_count, settings->body_words);
    enum status status = db_screen_state(s->db, &text, settled, e);
    sha256_of(buf_span(&text), key);
    return status;
}

static void explain(struct buf *why, const char *fault, const char *result)
{
    if (why != NULL)
        buf_addf(why, "%s%s; %s", why->len > 0 ? "; " : "", fault, result);
}

static enum status MUST_USE get_matrix(struct screening *s, const struct screen_reading *reading, struct buf *why,
                                       struct err *e)
{
    struct err cache_error = {0};
    bool settled = false, cached = s->how->cache != NULL;
    bool exists = cached && !s->how->refresh && access(s->how->cache, F_OK) == 0;
    enum status status = make_key(s, s->key, &settled, e);
    struct span short_key = {s->key, SHA256_TEXT_SIZE - 1};

    if (status == ST_OK && exists && settled) {
        if (screen_matrix_load(&s->matrix, short_key, &s->ids, s->how->cache, &cache_error) == ST_OK)
            return ST_OK;
        explain(why, cache_error.text, "it is made again from the posts");
    }
    THEN(status, build(s, reading, e));
    if (status != ST_OK || !cached || !settled)
        return status;
    if (screen_matrix_save(s->matrix, short_key, s->ids, s->how->cache, &cache_error) != ST_OK)
        explain(why, cache_error.text, "the next start reads the posts again (--no-cache: without this file)");
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

static enum status MUST_USE take_hits(struct screening *s, struct err *e)
{
    enum status status = ST_OK;
    struct db_screen_hits hits;

    while (db_screen_hit_next(s->db, &hits, &status, e)) {
        size_t row = row_of(s, hits.post_id);
        if (row != SIZE_MAX)
            s->hits[row] = (uint32_t)hits.n;
    }
    return status;
}

static void note_read(struct screening *s, size_t row, enum db_screen_answer answer, enum db_screen_stratum stratum)
{
    if (row == SIZE_MAX || !s->open[row])
        return;
    s->open[row] = false;
    array_add(&s->reads, (struct reader){(uint32_t)row, answer, stratum});
    if (answer != DB_SCREEN_UNSURE)
        ranked_judge(s->ranked, (struct screen_judged){(uint32_t)row, answer == DB_SCREEN_YES});
}

static enum status MUST_USE take_reads(struct screening *s, struct err *e)
{
    enum status status = ST_OK;
    struct db_screen_read read;

    s->n_elsewhere = 0;
    db_screen_reads(s->db, s->how->coder);
    while (db_screen_read_next(s->db, &read, &status, e)) {
        size_t row = row_of(s, read.post_id);
        s->n_elsewhere += row == SIZE_MAX;
        note_read(s, row, read.answer, read.stratum);
    }
    return status;
}

static enum status MUST_USE know_topic(struct screening *s, const struct screen_reading *reading, struct err *e)
{
    AT_END(topic_clear) struct topic topic;
    enum status status = topic_init(&topic, s->how->study, e);

    THEN(status, topic_prior(&topic, s->matrix, reading, s->hits, &s->priors[0], e));
    s->n_priors += s->priors[0] != NULL;
    if (status == ST_OK && s->how->learn_from != NULL) {
        status = labelled_prior(s->how->learn_from, s->matrix, reading, &s->priors[s->n_priors], e);
        s->n_priors += status == ST_OK;
    }
    return status;
}

enum status screening_open(struct screening **out, struct db *db, const struct screening_how *how, struct buf *why,
                           struct err *e)
{
    struct screening *s = mem_zero(1, sizeof *s);
    const struct screen_reading reading = {
        .stemmer = how->study->stemmer, .include_code = how->study->include_code, .settings = how->settings};

    s->db = db;
    s->how = how;
    enum status status = get_matrix(s, &reading, why, e);
    if (status == ST_OK) {
        s->n_rows = screen_matrix_rows(s->matrix);
        s->hits = mem_zero(s->n_rows + 1, sizeof *s->hits);
        s->open = mem_zero(s->n_rows + 1, sizeof *s->open);
        memset(s->open, 1, s->n_rows);
        status = s->n_rows > 0 ? take_hits(s, e) : ST_NO;
    }
    THEN(status, know_topic(s, &reading, e));
    if (status == ST_OK) {
        const struct screen_question question = {.matrix = s->matrix,
                                                 .settings = how->settings,
                                                 .priors = (const struct screen_prior *const *)s->priors,
                                                 .n_priors = s->n_priors,
                                                 .seed = how->seed};
        s->ranked = ranked_new(&question);
        status = stored_codebook_load(&s->book, db, e);
    }
    THEN(status, take_reads(s, e));
    *out = s;
    if (status != ST_OK) {
        screening_close(s);
        *out = NULL;
    }
    return status;
}

struct screening_how screening_how_default(void)
{
    return (struct screening_how){
        .settings = screen_settings_default(), .rule = {.recall = 0.95, .confidence = 0.95}, .seed = 1};
}

bool screening_is_open(const struct screening *s, int64_t post_id)
{
    size_t row = row_of(s, post_id);

    return row != SIZE_MAX && s->open[row];
}

/* --- the next post --- */

static size_t next_random(struct screening *s)
{
    size_t best = SIZE_MAX;

    if (s->numbers == NULL) {
        char id[POST_ID_TEXT_SIZE];
        s->numbers = mem_zero(s->n_rows + 1, sizeof *s->numbers);
        for (size_t row = 0; row < s->n_rows; row++) {
            post_id_text(s->ids[row], id);
            s->numbers[row] = draw_number(s->how->seed, span_of(id));
        }
    }
    for (size_t row = 0; row < s->n_rows; row++)
        if (s->open[row] && (best == SIZE_MAX || s->numbers[row] < s->numbers[best]))
            best = row;
    return best;
}

static void apply_limit(struct screening *s)
{
    for (size_t row = 0; row < s->n_rows && s->limit != NULL; row++)
        s->open[row] = s->open[row] && s->limit[row];
}

void screening_limit(struct screening *s, const int64_t *post_ids, size_t n)
{
    mem_free(s->limit);
    s->limit = mem_zero(s->n_rows + 1, sizeof *s->limit);
    for (size_t i = 0; i < n; i++) {
        size_t row = row_of(s, post_ids[i]);
        if (row != SIZE_MAX)
            s->limit[row] = true;
    }
    apply_limit(s);
    ranked_limit(s->ranked, s->limit);
}

/* Whether the coder has read what is known, and nothing else. Of posts that are not questions: as many. */
static enum status MUST_USE compare_reads(struct screening *s, bool *same, struct err *e)
{
    enum status status = ST_OK;
    struct db_screen_read read;
    size_t n = 0, elsewhere = 0;

    *same = true;
    db_screen_reads(s->db, s->how->coder);
    while (db_screen_read_next(s->db, &read, &status, e)) {
        size_t row = row_of(s, read.post_id);
        elsewhere += row == SIZE_MAX;
        if (row == SIZE_MAX || !*same)
            continue;
        const struct reader *known = n < s->reads.n ? &s->reads.at[n++] : NULL;
        *same = known != NULL && known->row == row && known->answer == read.answer && known->stratum == read.stratum;
    }
    *same = *same && n == s->reads.n && elsewhere == s->n_elsewhere;
    return status;
}

static enum status MUST_USE read_again(struct screening *s, struct err *e)
{
    ranked_forget(s->ranked);
    s->reads.n = 0;
    memset(s->open, 1, s->n_rows);
    enum status status = take_reads(s, e);
    apply_limit(s);
    return status;
}

enum status screening_follow(struct screening *s, bool *has_other_posts, struct err *e)
{
    char key[SHA256_TEXT_SIZE];
    int64_t before = s->version;
    bool same = true, settled;
    enum status status = db_data_version(s->db, &s->version, e);

    *has_other_posts = false;
    if (status != ST_OK || s->version == before)
        return status;
    status = make_key(s, key, &settled, e);
    *has_other_posts = status == ST_OK && strcmp(key, s->key) != 0;
    THEN(status, compare_reads(s, &same, e));
    if (status == ST_OK && !same)
        status = read_again(s, e);
    if (status != ST_OK)
        s->version = 0;
    return status;
}

bool screening_next(struct screening *s, enum db_screen_stratum stratum, struct screening_next *out)
{
    struct ranked_row best;
    size_t row = SIZE_MAX;

    *out = (struct screening_next){.stratum = stratum, .score = NAN};
    if (stratum == DB_SCREEN_RANDOM) {
        row = next_random(s);
    } else if (stratum == DB_SCREEN_KEYWORD) {
        for (size_t i = 0; i < s->n_rows; i++)
            if (s->open[i] && s->hits[i] > (row == SIZE_MAX ? 0 : s->hits[row]))
                row = i;
    } else if (ranked_next(s->ranked, s->open, &best)) {
        row = best.row;
        out->score = (double)best.score;
        out->n_learned = best.n_learned;
    }
    out->post_id = row != SIZE_MAX ? s->ids[row] : 0;
    return row != SIZE_MAX;
}

/* The judgement and how the post came to be read, which another answer (`is_read`) does not change: both or neither. */
static enum status MUST_USE write_answer(struct screening *s, const struct screening_next *post,
                                         enum db_screen_answer answer, bool is_read, struct err *e)
{
    static const enum act_judgement says[] = {
        [DB_SCREEN_NO] = ACT_SAYS_NO, [DB_SCREEN_YES] = ACT_SAYS_YES, [DB_SCREEN_UNSURE] = ACT_SAYS_NOTHING};
    struct db_screen_read read = {.post_id = post->post_id,
                                  .answer = answer,
                                  .stratum = post->stratum,
                                  .score = post->score,
                                  .n_learned = (int64_t)post->n_learned,
                                  .model = SPAN(SCREENING_MODEL),
                                  .seed = (int64_t)s->how->seed};
    AT_END(buf_clear) struct buf subject = {0};

    post_id_add(&subject, post->post_id);
    struct act act = {
        .coder = s->how->coder, .subject = buf_span(&subject), .post_id = post->post_id, .judgement = says[answer]};
    enum status status = db_begin(s->db, e);
    THEN(status, act_write(s->db, &s->book, &act, e));
    THEN(status, is_read ? db_screen_read_change(s->db, s->how->coder, post->post_id, answer, e)
                         : db_screen_read_put(s->db, s->how->coder, &read, e));
    status = db_end(s->db, status, e);
    s->version = 0;
    return status;
}

enum status screening_answer(struct screening *s, const struct screening_next *post, enum db_screen_answer answer,
                             struct err *e)
{
    size_t row = row_of(s, post->post_id);
    char id[POST_ID_TEXT_SIZE];

    if (row == SIZE_MAX)
        return err_set(e, ST_INPUT, "%s is not a question of this database", post_id_text(post->post_id, id));
    const struct reader *before = NULL;
    for (size_t i = 0; i < s->reads.n && before == NULL; i++)
        before = s->reads.at[i].row == row ? &s->reads.at[i] : NULL;
    if (before != NULL && before->answer != DB_SCREEN_UNSURE && answer == DB_SCREEN_UNSURE)
        return err_set(e, ST_INPUT, "You answered %s already. Take that back with Undo first.",
                       db_screen_answers[before->answer]);
    enum status status = write_answer(s, post, answer, before != NULL, e);
    if (status == ST_OK && before != NULL)
        status = read_again(s, e);
    else if (status == ST_OK)
        note_read(s, row, answer, post->stratum);
    return status;
}

/* --- how far it is --- */

/* Only when the random posts are the last ones. */
static size_t random_needed(const struct screen_reads *r, const bool *random, const struct screen_rule *rule)
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
    AT_END(mem_end) bool *relevant = mem_zero(s->reads.n + 1, sizeof *relevant);
    AT_END(mem_end) bool *random = mem_zero(s->reads.n + 1, sizeof *random);
    struct screen_reads r = {.n_texts = s->n_rows, .relevant = relevant};

    *out = (struct screening_state){.n_posts = s->n_rows, .n_read = s->reads.n, .n_elsewhere = s->n_elsewhere};
    /* The reading order as the stopping rule sees it: unsure ones as not read. */
    for (size_t i = 0; i < s->reads.n; i++)
        if (s->reads.at[i].answer != DB_SCREEN_UNSURE) {
            random[r.n] = s->reads.at[i].stratum == DB_SCREEN_RANDOM;
            relevant[r.n++] = s->reads.at[i].answer == DB_SCREEN_YES;
        }
    for (size_t i = 0; i < r.n; i++) {
        r.n_found += relevant[i];
        out->n_since_find = relevant[i] ? 0 : out->n_since_find + 1;
    }
    for (size_t i = 0; i < s->reads.n; i++)
        out->n_of[s->reads.at[i].stratum][s->reads.at[i].answer]++;
    out->n_found = r.n_found;
    out->n_unsure = s->reads.n - r.n;
    out->p = screen_stop_p(&r, &s->how->rule);
    out->recall_least = screen_recall_least(&r, &s->how->rule);
    out->most_left = out->recall_least > 0 ? (size_t)llround((double)r.n_found / out->recall_least) - r.n_found
                                           : s->n_rows - r.n;
    out->random_needed = random_needed(&r, random, &s->how->rule);
    out->may_stop = r.n == s->n_rows || out->p < 1 - s->how->rule.confidence || out->random_needed == 0;
    out->is_limited = s->limit != NULL;
    for (size_t row = 0; row < s->n_rows && out->is_limited; row++)
        out->n_listed += s->limit[row];
    for (size_t i = 0; i < s->reads.n && out->is_limited; i++)
        out->n_listed_read += s->limit[s->reads.at[i].row];
}

size_t screening_guess(const struct screening *s)
{
    const struct screen_question q = ranked_question(s->ranked);
    AT_END(mem_end) float *scores = mem_zero(s->n_rows + 1, sizeof *scores);

    screen_scores(&q, scores);
    return screen_semi(scores, s->n_rows, q.judged, q.n_judged);
}

void screening_each(const struct screening *s, void (*each)(void *ctx, const struct screening_post *post), void *ctx)
{
    AT_END(mem_end) struct reader *of = mem_zero(s->n_rows + 1, sizeof *of);
    char id[POST_ID_TEXT_SIZE];

    for (size_t i = 0; i < s->reads.n; i++)
        of[s->reads.at[i].row] = s->reads.at[i];
    for (size_t row = 0; row < s->n_rows; row++) {
        post_id_text(s->ids[row], id);
        struct screening_post post = {.post_id = s->ids[row],
                                      .has_hit = s->hits[row] > 0,
                                      .is_read = !s->open[row],
                                      .answer = of[row].answer,
                                      .stratum = of[row].stratum,
                                      .number = draw_number(s->how->seed, span_of(id))};
        each(ctx, &post);
    }
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

enum status screening_doubts(const struct screening *s, struct screening_doubt **out, size_t *n, struct err *e)
{
    const struct screen_question q = ranked_question(s->ranked);
    AT_END(mem_end) float *scores = mem_zero(q.n_judged + 1, sizeof *scores);
    struct screening_doubt *doubts = mem_zero(q.n_judged + 1, sizeof *doubts);
    enum status status = screen_doubt(&q, FOLDS, scores, e);

    for (size_t i = 0; i < q.n_judged; i++)
        doubts[i] = (struct screening_doubt){s->ids[q.judged[i].row], q.judged[i].relevant, (double)scores[i], 0};
    if (status == ST_OK) {
        measure_doubts(doubts, q.n_judged, true);
        measure_doubts(doubts, q.n_judged, false);
        qsort(doubts, q.n_judged, sizeof *doubts, compare_doubts);
    }
    *out = doubts;
    *n = status == ST_OK ? q.n_judged : 0;
    return status;
}

void screening_close(struct screening *s)
{
    if (s == NULL)
        return;
    ranked_free(s->ranked);
    for (size_t i = 0; i < s->n_priors; i++)
        screen_prior_free(s->priors[i]);
    screen_matrix_free(s->matrix);
    stored_codebook_clear(&s->book);
    mem_free(s->hits);
    mem_free(s->open);
    mem_free(s->limit);
    mem_free(s->numbers);
    array_clear(&s->own_ids);
    array_clear(&s->reads);
    mem_free(s);
}
