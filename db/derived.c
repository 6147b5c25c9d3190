/* What can be dropped and computed again: plain text, facts, keywords, hits, candidates. */
#include "db/derived.h"
#include "db/sql.h"

#include <inttypes.h>

static enum status MUST_USE require_text(const struct db *db, struct err *e)
{
    if (db->has_text)
        return ST_OK;
    return err_set(e, ST_DATABASE, "%s: the full-text index needs the function stem"
                   " (db_use_text was not called)", db->path);
}

/* Older files have an index with the tokenizer ppmine, and SQLite cannot drop it without that. */
static enum status MUST_USE drop_search(struct db *db, struct err *e)
{
    bool exists;
    enum status status = sql_row(db, SQL_SEARCH_EXISTS, &exists, e);

    if (!exists)
        return status;
    sql_reset(db, SQL_SEARCH_EXISTS);
    status = require_text(db, e);
    return status == ST_OK ? sql_exec(db, SQL_SEARCH_DROP, e) : status;
}

enum status db_trust_references(struct db *db, bool trust, struct err *e)
{
    return sql_exec(db, trust ? SQL_REFERENCES_TRUST : SQL_REFERENCES_CHECK, e);
}

enum status db_derived_clear(struct db *db, struct err *e)
{
    /* Hits refer to keywords, so they go first. */
    static const enum sql clears[] = {SQL_CLEAR_FACT, SQL_CLEAR_HIT, SQL_CLEAR_CANDIDATE, SQL_CLEAR_TEXT,
                                      SQL_CLEAR_KEYWORD};
    enum status status = drop_search(db, e);

    for (size_t i = 0; i < ARRAY_LEN(clears) && status == ST_OK; i++)
        status = sql_done(db, clears[i], e);
    return status;
}

enum status db_keyword_put(struct db *db, const struct db_keyword *keyword, struct err *e)
{
    sql_bind_int(db, SQL_KEYWORD_PUT, 1, keyword->keyword_id);
    sql_bind_text(db, SQL_KEYWORD_PUT, 2, keyword->keyword);
    sql_bind_text(db, SQL_KEYWORD_PUT, 3, keyword->stems);
    sql_bind_int(db, SQL_KEYWORD_PUT, 4, keyword->n_words);
    sql_bind_text(db, SQL_KEYWORD_PUT, 5, keyword->dead);
    sql_bind_text(db, SQL_KEYWORD_PUT, 6, keyword->note);
    return sql_done(db, SQL_KEYWORD_PUT, e);
}

enum status db_text_put(struct db *db, int64_t post_id, struct span title, struct span body,
                        struct err *e)
{
    sql_bind_int(db, SQL_TEXT_PUT, 1, post_id);
    sql_bind_text(db, SQL_TEXT_PUT, 2, title);
    sql_bind_text(db, SQL_TEXT_PUT, 3, body);
    return sql_done(db, SQL_TEXT_PUT, e);
}

enum status db_hit_put(struct db *db, const struct db_hit *hit, struct err *e)
{
    sql_bind_int(db, SQL_HIT_PUT, 1, hit->post_id);
    sql_bind_text(db, SQL_HIT_PUT, 2, span_of(hit->field));
    sql_bind_int(db, SQL_HIT_PUT, 3, hit->start);
    sql_bind_int(db, SQL_HIT_PUT, 4, hit->end);
    sql_bind_int(db, SQL_HIT_PUT, 5, hit->keyword_id);
    return sql_done(db, SQL_HIT_PUT, e);
}

enum status db_fact_put(struct db *db, const struct db_fact *fact, struct err *e)
{
    sql_bind_int(db, SQL_FACT_PUT, 1, fact->post_id);
    sql_bind_text(db, SQL_FACT_PUT, 2, fact->fact);
    sql_bind_text(db, SQL_FACT_PUT, 3, fact->value);
    sql_bind_text(db, SQL_FACT_PUT, 4, fact->words);
    sql_bind_text(db, SQL_FACT_PUT, 5, fact->field);
    return sql_done(db, SQL_FACT_PUT, e);
}

enum status db_derived_finish(struct db *db, bool answers_too, struct err *e)
{
    enum status status = sql_done(db, SQL_CLEAR_CANDIDATE, e);

    if (status != ST_OK)
        return status;
    sql_bind_int(db, SQL_CANDIDATE_FILL, 1, answers_too);
    return sql_done(db, SQL_CANDIDATE_FILL, e);
}

/* --- reading --- */

enum status db_candidate_each(struct db *db, int64_t limit,
                              void (*each)(void *ctx, const struct db_candidate *c), void *ctx,
                              struct err *e)
{
    const enum sql which = SQL_CANDIDATE_EACH;

    sql_bind_int(db, which, 1, limit < 0 ? -1 : limit);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_candidate candidate = {
            .post_id = sql_int(db, which, 0),
            .title = sql_text(db, which, 1),
            .url = sql_text(db, which, 2),
            .created_at = sql_text(db, which, 3),
            .n_hits = sql_int(db, which, 4),
            .keywords = sql_text(db, which, 5),
        };
        each(ctx, &candidate);
    }
}

enum status db_candidate_each_keyword(struct db *db,
                                      void (*each)(void *ctx, int64_t post_id, int64_t keyword_id),
                                      void *ctx, struct err *e)
{
    return sql_each_pair(db, SQL_CANDIDATE_EACH_KEYWORD, each, ctx, e);
}

static enum status MUST_USE count_rows(struct db *db, enum sql which, int64_t *n, struct err *e)
{
    bool row;
    enum status status = sql_row(db, which, &row, e);

    *n = row ? sql_int(db, which, 0) : 0;
    sql_reset(db, which);
    return status;
}

enum status db_candidate_count(struct db *db, int64_t *n, struct err *e)
{
    return count_rows(db, SQL_CANDIDATE_COUNT, n, e);
}

enum status db_require_matched(struct db *db, struct err *e)
{
    int64_t n = 0;
    enum status status = count_rows(db, SQL_UNMATCHED_COUNT, &n, e);

    if (status != ST_OK || n == 0)
        return status;
    return err_set(e, ST_INPUT, "%s: the keywords were not looked for in %" PRId64 " of its questions; run"
                   " `ppmine match` first", db->path, n);
}

enum status db_keyword_each(struct db *db,
                            void (*each)(void *ctx, const struct db_keyword *k, int64_t candidates,
                                         int64_t posts, int64_t hits),
                            void *ctx, struct err *e)
{
    const enum sql which = SQL_KEYWORD_EACH;

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_keyword keyword = {
            .keyword_id = sql_int(db, which, 0),
            .keyword = sql_text(db, which, 1),
            .stems = sql_text(db, which, 2),
            .n_words = sql_int(db, which, 3),
            .dead = sql_text(db, which, 4),
            .note = sql_text(db, which, 5),
        };
        each(ctx, &keyword, sql_int(db, which, 6), sql_int(db, which, 7), sql_int(db, which, 8));
    }
}

enum status db_hit_each(struct db *db, int64_t post_id,
                        void (*each)(void *ctx, const struct db_hit_text *hit), void *ctx,
                        struct err *e)
{
    const enum sql which = SQL_HIT_EACH;

    sql_bind_int(db, which, 1, post_id);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_hit_text hit = {
            .field = sql_text(db, which, 0),
            .keyword = sql_text(db, which, 1),
            .text = sql_text(db, which, 2),
            .start = (size_t)sql_int(db, which, 3),
            .end = (size_t)sql_int(db, which, 4),
        };
        if (hit.start <= hit.end && hit.end <= hit.text.len) /* people may write these rows too */
            each(ctx, &hit);
    }
}

/* --- searching --- */

enum status db_match_is_current(struct db *db, bool include_code, struct span stemmer, bool *current,
                                struct err *e)
{
    const enum sql which = SQL_MATCH_IS_CURRENT;
    bool row;

    sql_bind_int(db, which, 1, include_code);
    sql_bind_text(db, which, 2, stemmer);
    enum status status = sql_row(db, which, &row, e);
    *current = row && sql_int(db, which, 0) == 1;
    sql_reset(db, which);
    return status;
}

enum status db_search_each_id(struct db *db, struct span query, bool answers_too,
                              void (*each)(void *ctx, int64_t post_id), void *ctx, struct err *e)
{
    const enum sql which = SQL_SEARCH_IDS;
    bool row = true;
    enum status status = sql_prepare_ids(db, e);

    if (status != ST_OK)
        return status;
    sql_bind_text(db, which, 1, query);
    sql_bind_int(db, which, 2, answers_too);
    while ((status = sql_row(db, which, &row, e)) == ST_OK && row)
        each(ctx, sql_int(db, which, 0));
    return status;
}

enum status db_matched_text(struct db *db, int64_t post_id,
                            void (*each)(void *ctx, int64_t post_id, struct span title,
                                         struct span body),
                            void *ctx, struct err *e)
{
    const enum sql which = SQL_MATCHED_TEXT;
    bool row;

    sql_bind_int(db, which, 1, post_id);
    enum status status = sql_row(db, which, &row, e);
    if (row)
        each(ctx, post_id, sql_text(db, which, 0), sql_text(db, which, 1));
    sql_reset(db, which);
    return status;
}

static void bind_search(struct db *db, const struct db_search *s)
{
    const enum sql which = SQL_SEARCH_EACH;

    sql_bind_text(db, which, 1, s->coder);
    sql_bind_int(db, which, 2, s->after);
    sql_bind_int(db, which, 3, s->all);
    sql_bind_text(db, which, 4, s->words);
    sql_bind_text(db, which, 5, s->tag);
    sql_bind_text(db, which, 6, s->from);
    sql_bind_text(db, which, 7, s->to);
    sql_bind_int(db, which, 8, s->judged);
    sql_bind_int(db, which, 9, s->code_id != 0 ? s->code_id : POST_ABSENT);
    sql_bind_int(db, which, 10, s->limit);
}

enum status db_search_each(struct db *db, const struct db_search *search,
                           void (*each)(void *ctx, const struct db_match *found), void *ctx,
                           struct err *e)
{
    const enum sql which = SQL_SEARCH_EACH;
    bool row;
    enum status status = sql_row(db, SQL_SEARCH_EXISTS, &row, e);

    if (status == ST_OK && (!row || sql_int(db, SQL_SEARCH_EXISTS, 0) == 0))
        return err_set(e, ST_INPUT, "there is no full-text index yet: ppmine match makes it");
    sql_reset(db, SQL_SEARCH_EXISTS);
    if (status == ST_OK)
        status = sql_prepare_search(db, e);
    if (status != ST_OK)
        return status;
    bind_search(db, search);
    for (;;) {
        status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_match found = {
            .post_id = sql_int(db, which, 0),
            .title = sql_text(db, which, 1),
            .created_at = sql_text(db, which, 2),
            .n_hits = sql_int(db, which, 3),
            .judged = sql_int(db, which, 4),
        };
        each(ctx, &found);
    }
}
