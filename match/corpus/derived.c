/* What can be dropped and computed again: plain text, facts, keywords, hits, candidates. */
#include "match/corpus/derived.h"
#include "db/fragments.h"
#include "db/schema.h"
#include "db/sql.h"

#include <inttypes.h>

const char SQL_SEARCH_DROP[] = "DROP TABLE IF EXISTS post_search";

/* Hits refer to keywords, so they go first. */
enum status db_derived_clear(struct db *db, struct err *e)
{
    enum status status = sql_exec(db, SQL_SEARCH_DROP, e);

    THEN(status, sql_exec(db,
                          "DELETE FROM post_fact; DELETE FROM hit; DELETE FROM candidate_post;"
                          " DELETE FROM post_text; DELETE FROM keyword",
                          e));
    return status;
}

SQL(KEYWORD_PUT, "INSERT INTO keyword (keyword_id, keyword, stems, n_words, dead, note)"
                 " VALUES (:keyword_id, :keyword, :stems, :n_words, :dead, :note)"
                 " ON CONFLICT (keyword_id) DO UPDATE SET keyword = excluded.keyword,"
                 "  stems = excluded.stems, n_words = excluded.n_words, dead = excluded.dead,"
                 "  note = excluded.note");

enum status db_keyword_put(struct db *db, const struct db_keyword *keyword, struct err *e)
{
    return sql_run(db, SQL_KEYWORD_PUT, e, BIND(":keyword_id", keyword->keyword_id), BIND(":keyword", keyword->keyword),
                   BIND(":stems", keyword->stems), BIND(":n_words", keyword->n_words), BIND(":dead", keyword->dead),
                   BIND(":note", keyword->note));
}

SQL(TEXT_PUT, "INSERT INTO post_text (post_id, title, body) VALUES (:post_id, :title, :body)"
              " ON CONFLICT (post_id) DO UPDATE SET title = excluded.title, body = excluded.body");

enum status db_text_put(struct db *db, int64_t post_id, struct span title, struct span body, struct err *e)
{
    return sql_run(db, SQL_TEXT_PUT, e, BIND(":post_id", post_id), BIND(":title", title), BIND(":body", body));
}

/* FTS5 sums up words in so many bytes before it writes a part; with its own 1 MB, and parts merged at once, match takes
 * 1.1 times the processor time. */
static const char SQL_SEARCH_TUNE[] = "INSERT INTO post_search (post_search, rank) VALUES ('hashsize', 16777216);"
                                      "INSERT INTO post_search (post_search, rank) VALUES ('automerge', 0)";

/* Runs the part of schema.sql that is made by match. */
enum status db_index_begin(struct db *db, struct err *e)
{
    struct span schema = {schema_sql, schema_sql_len};
    size_t start = span_find(schema, span_of(SCHEMA_MADE_BY_MATCH));

    if (start == SIZE_MAX)
        return err_set(e, ST_DATABASE, "schema.sql: the line before the full-text index is missing");
    char *text = mem_text((struct span){schema.ptr + start, schema.len - start});
    enum status status = sql_exec(db, text, e);
    mem_free(text);
    return status == ST_OK ? sql_exec(db, SQL_SEARCH_TUNE, e) : status;
}

SQL(INDEX_PUT, "INSERT INTO post_search (rowid, title, body) VALUES (:post_id, :title, :body)");

enum status db_index_put(struct db *db, int64_t post_id, struct span title, struct span body, struct err *e)
{
    return sql_run(db, SQL_INDEX_PUT, e, BIND(":post_id", post_id), BIND(":title", title), BIND(":body", body));
}

SQL(HIT_PUT, "INSERT INTO hit (post_id, field, \"start\", \"end\", keyword_id)"
             " VALUES (:post_id, :field, :start, :end, :keyword_id)"
             " ON CONFLICT (post_id, field, \"start\", keyword_id) DO UPDATE"
             "  SET \"end\" = excluded.\"end\"");

enum status db_hit_put(struct db *db, const struct db_hit *hit, struct err *e)
{
    return sql_run(db, SQL_HIT_PUT, e, BIND(":post_id", hit->post_id), BIND(":field", span_of(hit->field)),
                   BIND(":start", hit->start), BIND(":end", hit->end), BIND(":keyword_id", hit->keyword_id));
}

SQL(FACT_PUT,
    SQL_OR_NOTHING "INSERT INTO post_fact (post_id, fact, value, words, field) VALUES (:post_id, :fact, :value,"
                   " :words, :field)"
                   " ON CONFLICT (post_id, fact, value) DO NOTHING");

enum status db_fact_put(struct db *db, const struct db_fact *fact, struct err *e)
{
    return sql_run(db, SQL_FACT_PUT, e, BIND(":post_id", fact->post_id), BIND(":fact", fact->fact),
                   BIND(":value", fact->value), BIND(":words", fact->words), BIND(":field", fact->field));
}

SQL(CLEAR_CANDIDATE, "DELETE FROM candidate_post");

SQL(CANDIDATE_FILL, SQL_OR_NOTHING "INSERT INTO candidate_post (post_id, n_hits, keywords)"
                                   " SELECT h.post_id, count(*),"
                                   "  (SELECT group_concat(keyword, ', ') FROM"
                                   "    (SELECT DISTINCT k.keyword_id, k.keyword FROM hit AS o JOIN keyword AS k"
                                   "     USING (keyword_id) WHERE o.post_id = h.post_id ORDER BY k.keyword_id))"
                                   " FROM hit AS h JOIN post AS p USING (post_id)"
                                   " WHERE p.post_type = 'question' OR (:answers AND p.post_type = 'answer')"
                                   " GROUP BY h.post_id");

enum status db_derived_finish(struct db *db, bool answers_too, struct err *e)
{
    enum status status = sql_done(db, SQL_CLEAR_CANDIDATE, e);

    if (status != ST_OK)
        return status;
    return sql_run(db, SQL_CANDIDATE_FILL, e, BIND(":answers", answers_too));
}

SQL(CANDIDATE_EACH, "SELECT post_id, title, url, created_at, n_hits, keywords FROM candidate"
                    " ORDER BY n_hits DESC, post_id LIMIT :limit");

/* --- reading --- */

enum status db_candidate_each(struct db *db, int64_t limit, void (*each)(void *ctx, const struct db_candidate *c),
                              void *ctx, struct err *e)
{
    struct sql *which = SQL_CANDIDATE_EACH;

    sql_bind_int(db, which, ":limit", limit < 0 ? -1 : limit);
    enum status status = ST_OK;
    struct db_candidate candidate;
    while (sql_next_into(db, which, &status, e, INTO(candidate.post_id), INTO(candidate.title), INTO(candidate.url),
                         INTO(candidate.created_at), INTO(candidate.n_hits), INTO(candidate.keywords)))
        each(ctx, &candidate);
    return status;
}

SQL(CANDIDATE_COUNT, "SELECT count(*) FROM candidate_post");

enum status db_candidate_count(struct db *db, int64_t *n, struct err *e)
{
    return sql_one_int(db, SQL_CANDIDATE_COUNT, n, e);
}

SQL(UNMATCHED_COUNT, "SELECT count(*) FROM post WHERE post_type = 'question'"
                     " AND post_id NOT IN (SELECT post_id FROM post_text)");

enum status db_require_matched(struct db *db, struct err *e)
{
    int64_t n = 0;
    enum status status = sql_one_int(db, SQL_UNMATCHED_COUNT, &n, e);

    if (status != ST_OK || n == 0)
        return status;
    return err_set(e, ST_INPUT,
                   "%s: the keywords were not looked for in %" PRId64 " of its questions; run `ppmine match` first",
                   db->path, n);
}

SQL(KEYWORD_EACH, "SELECT k.keyword_id, k.keyword, k.stems, k.n_words, k.dead, k.note,"
                  "  count(DISTINCT c.post_id), count(DISTINCT h.post_id), count(h.post_id)"
                  " FROM keyword AS k LEFT JOIN hit AS h USING (keyword_id)"
                  " LEFT JOIN candidate_post AS c ON c.post_id = h.post_id"
                  " GROUP BY k.keyword_id ORDER BY k.keyword_id");

enum status db_keyword_each(struct db *db,
                            void (*each)(void *ctx, const struct db_keyword *k, int64_t candidates, int64_t posts,
                                         int64_t hits),
                            void *ctx, struct err *e)
{
    struct sql *which = SQL_KEYWORD_EACH;
    enum status status = ST_OK;

    struct db_keyword keyword;
    while (sql_next_into(db, which, &status, e, INTO(keyword.keyword_id), INTO(keyword.keyword), INTO(keyword.stems),
                         INTO(keyword.n_words), INTO(keyword.dead), INTO(keyword.note)))
        each(ctx, &keyword, sql_int(db, which, 6), sql_int(db, which, 7), sql_int(db, which, 8));
    return status;
}

/* --- searching --- */

#define SEARCHED \
    " FROM post AS p LEFT JOIN candidate_post AS c USING (post_id)" \
    " LEFT JOIN judgement AS j ON j.post_id = p.post_id AND j.coder = :coder" \
    " WHERE p.post_id > :after AND (:all OR c.post_id IS NOT NULL)" \
    "  AND (:words IS NULL OR p.post_id IN (SELECT rowid FROM post_search WHERE post_search MATCH stem(:words)))" \
    "  AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(p.tags) AS t WHERE t.value = :tag))" \
    "  AND (:first_day IS NULL OR p.created_at >= :first_day)" \
    " AND (:last_day IS NULL OR substr(p.created_at, 1, 10) <= :last_day)" \
    "  AND (:judged IS NULL OR ifnull(j.is_problem, -1) = :judged)" \
    "  AND (:code_id IS NULL OR EXISTS (SELECT 1 FROM label AS l" \
    "   WHERE l.subject >= " PUBLIC_ID("p.post_id") " AND l.subject < " PUBLIC_ID( \
        "p.post_id") " || '`'" \
                     "    AND l.post_id = p.post_id AND l.coder = :coder AND l.code_id = :code_id))"

SQL(SEARCH_EACH,
    "SELECT p.post_id, coalesce(p.title, (SELECT q.title FROM post AS q"
    "   WHERE q.post_id = p.parent_id)), p.created_at, c.n_hits, j.is_problem,"
    " iif(:words IS NULL, NULL, (SELECT t.title || char(10) || t.body FROM post_text AS t WHERE t.post_id = p.post_id))" SEARCHED
    " ORDER BY p.post_id LIMIT :limit");

SQL(SEARCH_COUNT, "SELECT count(*) FROM (SELECT 1" SEARCHED " LIMIT :limit)");

static void bind_search(struct db *db, struct sql *which, const struct db_search *s)
{
    sql_bind(db, which, BIND(":coder", s->coder), BIND(":after", s->after), BIND(":all", s->all),
             BIND(":words", s->words), BIND(":tag", s->tag), BIND(":first_day", s->from), BIND(":last_day", s->to),
             BIND(":judged", s->judged), BIND(":code_id", s->code_id != 0 ? s->code_id : POST_ABSENT),
             BIND(":limit", s->limit));
}

SQL(SEARCH_EXISTS, "SELECT 1 FROM sqlite_schema WHERE name = 'post_search'");

static enum status MUST_USE check_index(struct db *db, struct err *e)
{
    bool row;
    enum status status = sql_row(db, SQL_SEARCH_EXISTS, &row, e);

    if (status == ST_OK && !row)
        return err_set(e, ST_INPUT, "there is no full-text index yet: ppmine match makes it");
    sql_reset(db, SQL_SEARCH_EXISTS);
    return status;
}

enum status db_search_each(struct db *db, const struct db_search *search,
                           void (*each)(void *ctx, const struct db_match *found), void *ctx, struct err *e)
{
    struct sql *which = SQL_SEARCH_EACH;
    enum status status = check_index(db, e);

    if (status != ST_OK)
        return status;
    bind_search(db, which, search);
    struct db_match found;
    while (sql_next_into(db, which, &status, e, INTO(found.post_id), INTO(found.title), INTO(found.created_at),
                         INTO(found.n_hits), INTO(found.judged), INTO(found.text)))
        each(ctx, &found);
    return status;
}

enum status db_search_count(struct db *db, const struct db_search *search, int64_t *n, struct err *e)
{
    struct sql *which = SQL_SEARCH_COUNT;
    bool row = false;
    enum status status = check_index(db, e);

    if (status == ST_OK) {
        bind_search(db, which, search);
        status = sql_row(db, which, &row, e);
    }
    *n = row ? sql_int(db, which, 0) : 0;
    sql_reset(db, which);
    return status;
}
