/* database: hits, candidates and facts of the posts of a database. */
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "db/sql.h"
#include "db/study.h"
#include "match/corpus/match_crew.h"
#include "match/corpus/mine.h"
#include "base/files.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/signals.h"

#include <inttypes.h>

struct matching {
    struct db *db;
    struct match_crew *crew;
    struct post_hints hints;
    struct progress progress;
    struct mine_counts counts;
};

enum status mine_set(struct match_set **out, const struct study *study, const char *keywords_path,
                     enum match_options options, struct buf *content, struct err *e)
{
    *out = NULL;
    if (keywords_path == NULL) {
        buf_add_span(content, study_file(study, "keywords.txt"));
    } else {
        enum status status = file_read(keywords_path, STUDY_FILE_MAX, content, e);
        if (status != ST_OK)
            return status;
    }
    return match_set_load(out, buf_span(content), keywords_path != NULL ? keywords_path : "keywords.txt",
                          study->stemmer, options, e);
}

static enum status take_post(void *ctx, const struct match_crew_post *post, struct err *e)
{
    struct matching *m = ctx;
    enum status status = db_text_put(m->db, post->post_id, post->text[FIELD_TITLE], post->text[FIELD_BODY], e);

    THEN(status, db_index_put(m->db, post->post_id, post->stems[FIELD_TITLE], post->stems[FIELD_BODY], e));
    for (enum field field = FIELD_TITLE; status == ST_OK && field < FIELDS; field++) {
        for (size_t i = 0; i < post->n_hits[field] && status == ST_OK; i++) {
            const struct hit *found = &post->hits[field][i];
            struct db_hit hit = {.post_id = post->post_id,
                                 .field = field_name(field),
                                 .start = (int64_t)found->start,
                                 .end = (int64_t)found->end,
                                 .keyword_id = (int64_t)found->keyword + 1};
            status = db_hit_put(m->db, &hit, e);
        }
        m->counts.hits += (int64_t)post->n_hits[field];
        m->counts.other_hits += post->may_be_candidate ? 0 : (int64_t)post->n_hits[field];
    }
    if (status == ST_OK) {
        for (size_t i = 0; i < post->n_facts && status == ST_OK; i++) {
            struct db_fact fact = {.post_id = post->post_id,
                                   .fact = post->facts[i].fact,
                                   .value = post->facts[i].value,
                                   .words = post->facts[i].words,
                                   .field = span_of(post->facts[i].field)};
            status = db_fact_put(m->db, &fact, e);
        }
        m->counts.facts += (int64_t)post->n_facts;
        m->counts.n_given_up += post->losses.given_up;
        post_hints_tell_losses(&m->hints, &post->losses, post->post_id);
    }
    progress_update(&m->progress, (uint64_t)++m->counts.posts, "");
    if (status != ST_OK || !signals_stop_asked())
        return status;
    return err_set(e, (enum status)signals_exit_code(), "stopped; the database has the matches it had before");
}

static enum status add_post(void *ctx, const struct post *post, struct err *e)
{
    return match_crew_add(((struct matching *)ctx)->crew, post, e);
}

/* Makes everything derived again in one transaction, so nobody ever sees half of it, and nothing of another keyword set
 * stays. */
static enum status rebuild(struct matching *m, const struct match_crew_work *work, struct err *e)
{
    int64_t questions, answers, others;
    enum status status = db_derived_clear(m->db, e);

    for (size_t i = 0; status == ST_OK && i < match_set_size(work->set); i++) {
        const struct keyword *k = match_set_keyword(work->set, i);
        struct db_keyword row = {.keyword_id = (int64_t)i + 1,
                                 .keyword = k->text,
                                 .stems = k->stems,
                                 .n_words = (int64_t)k->n_words,
                                 .dead = k->dead,
                                 .note = k->note};
        status = db_keyword_put(m->db, &row, e);
    }
    THEN(status, db_post_count(m->db, &questions, &answers, &others, e));
    if (status != ST_OK)
        return status;
    progress_begin(&m->progress, "matching", (uint64_t)(questions + answers + others));
    /* Texts, hits, facts and the index: several threads read the words, and this one reads and writes the database. */
    const struct match_crew_taker taker = {m, take_post};
    status = db_index_begin(m->db, e);
    THEN(status, match_crew_new(&m->crew, work, &taker, e));
    THEN(status, db_post_each_text(m->db, add_post, m, e));
    THEN(status, match_crew_end(m->crew, e));
    match_crew_free(m->crew);
    progress_end(&m->progress);
    return status == ST_OK ? db_derived_finish(m->db, work->study->candidate_answers, e) : status;
}

static enum status match_in_transaction(struct matching *m, const struct match_crew_work *work,
                                        const struct mine_how *how, struct err *e)
{
    int64_t run_id;
    enum status status = db_begin(m->db, e);

    if (status == ST_OK) {
        AT_END(buf_clear) struct buf parameters = {0};
        struct db_run run = {.command = "match"};
        buf_addf(&parameters,
                 "{\"verbatim\":%s,\"include_code\":%s,\"stemmer\":", how->match & MATCH_VERBATIM ? "true" : "false",
                 how->text & TEXT_INCLUDE_CODE || work->study->include_code ? "true" : "false");
        buf_add_json(&parameters, work->study->stemmer);
        buf_add_text(&parameters, ",\"keywords\":");
        buf_add_json(&parameters, span_of(how->keywords_path ? how->keywords_path : "study"));
        buf_add_char(&parameters, '}');
        run.parameters = buf_span(&parameters);
        status = db_run_begin(m->db, &run, &run_id, e);
    }
    THEN(status, rebuild(m, work, e));
    if (status == ST_OK) {
        struct mine_counts *c = &m->counts;
        AT_END(buf_clear) struct buf counts = {0};
        status = db_candidate_count(m->db, &c->candidates, e);
        buf_addf(&counts,
                 "{\"posts\":%" PRId64 ",\"hits\":%" PRId64 ",\"candidates\":%" PRId64 ",\"facts\":%" PRId64 "}",
                 c->posts, c->hits, c->candidates, c->facts);
        THEN(status, db_run_end(m->db, run_id, "done", buf_span(&counts), e));
    }
    THEN(status, db_commit(m->db, e));
    return status == ST_OK ? db_checkpoint(m->db, e) : status;
}

enum status mine_database(struct db *db, const struct mine_how *how, struct mine_counts *counts, struct err *e)
{
    struct matching m = {.db = db};
    AT_END(study_clear) struct study study = {0};
    struct match_set *set = NULL;
    AT_END(buf_clear) struct buf content = {0};
    enum status status = db_study_load(&study, db, e);

    THEN(status, mine_set(&set, &study, how->keywords_path, how->match, &content, e));
    THEN(status, post_hints_init(&m.hints, &study, NULL, e));
    if (status == ST_OK) {
        const struct match_crew_work work = {set, &study, how->text, how->threads};
        struct err ignored;
        /* SQLite looks for no row that another row refers to: rows are written of posts that are read in the same
         * transaction. While it looks, it deletes row by row. */
        status = sql_exec(db, "PRAGMA foreign_keys = OFF", e);
        THEN(status, match_in_transaction(&m, &work, how, e));
        bool done = status == ST_OK;
        if (!done)
            db_rollback(db);
        enum status checked = sql_exec(db, "PRAGMA foreign_keys = ON", done ? e : &ignored);
        if (done)
            status = checked;
        else if (checked != ST_OK)
            log_debug("%s", ignored.text); /* only the first error counts */
    }
    *counts = m.counts;
    post_hints_clear(&m.hints);
    match_set_free(set);
    return status;
}
