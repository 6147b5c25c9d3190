/* What a crawl keeps: answers, windows, lists, due questions, the API's state, runs. */
#include "fetch/crawl/answers.h"
#include "db/fragments.h"
#include "db/sql.h"

/* Between Unix seconds and the dates of the file. */
#define ISO(seconds) "strftime('%Y-%m-%dT%H:%M:%fZ', " seconds ", 'unixepoch')"
/* A row that was seen at `as_of` and, as is known since, was gone at `seconds`; the first such time
 * is kept. */
#define GONE_AT(seconds, as_of) "(deleted_at IS NULL OR deleted_at > " ISO(seconds) ") AND " as_of " <= " ISO(seconds)
#define POST_AS_OF \
    "coalesce((SELECT s.as_of FROM post_state AS s WHERE s.post_id = post.post_id)," \
    " (SELECT r.as_of FROM run AS r WHERE r.run_id = post.first_run_id), last_activity_at, '')"
#define SECONDS(date) "CAST(strftime('%s', " date ") AS INTEGER)"

SQL(API_ANSWER_PUT, "INSERT INTO api_answer (run_id, answered_at, method, request, n_items, quota_remaining,"
                    "  safe_filter, body_zstd)"
                    " VALUES (:run_id, " ISO(":answered_at") ", :method, :request, :n_items, :quota_remaining,"
                                                             " :safe_filter, :body_zstd)");

/* --- answers --- */

enum status db_api_answer_put(struct db *db, const struct db_api_answer *answer, int64_t run_id, struct err *e)
{
    sql_bind(db, SQL_API_ANSWER_PUT, BIND(":run_id", run_id), BIND(":answered_at", answer->answered_at),
             BIND(":method", answer->method), BIND(":request", answer->request), BIND(":n_items", answer->n_items),
             BIND(":quota_remaining", answer->quota_remaining), BIND(":safe_filter", answer->safe_filter));
    sql_bind_blob(db, SQL_API_ANSWER_PUT, ":body_zstd", answer->body_zstd);
    return sql_done(db, SQL_API_ANSWER_PUT, e);
}

SQL(API_ANSWER_EACH, "SELECT " SECONDS("answered_at") ", method, request, n_items, quota_remaining, safe_filter,"
                                                      "  body_zstd FROM api_answer ORDER BY answer_id");

enum status db_api_answer_each(struct db *db,
                               enum status (*each)(void *ctx, const struct db_api_answer *answer, struct err *e),
                               void *ctx, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_API_ANSWER_EACH, &status, e)) {
        struct db_api_answer answer = {.answered_at = sql_int(db, SQL_API_ANSWER_EACH, 0),
                                       .method = sql_text(db, SQL_API_ANSWER_EACH, 1),
                                       .request = sql_text(db, SQL_API_ANSWER_EACH, 2),
                                       .n_items = sql_int(db, SQL_API_ANSWER_EACH, 3),
                                       .quota_remaining = sql_int(db, SQL_API_ANSWER_EACH, 4),
                                       .safe_filter = sql_int(db, SQL_API_ANSWER_EACH, 5) == 1,
                                       .body_zstd = sql_blob(db, SQL_API_ANSWER_EACH, 6)};
        status = each(ctx, &answer, e);
    }
    return status;
}

SQL(API_ANSWER_COUNT, "SELECT count(*) FROM api_answer");

enum status db_api_answer_count(struct db *db, int64_t *n, struct err *e)
{
    return sql_one_int(db, SQL_API_ANSWER_COUNT, n, e);
}

SQL(WINDOW_PUT,
    "UPDATE api_window SET tag = :tag, created_from = " ISO(
        ":created_from") ","
                         " created_to = " ISO(
                             ":created_to") ","
                                            "  active_until = " ISO(":active_until") ", tie_from = " ISO(
                                                ":tie_from") ","
                                                             " tie_to = " ISO(
                                                                 ":tie_to") ","
                                                                            "  page = :page, caught_up_at = " ISO(
                                                                                ":caught_up_at") " WHERE window_id = :window_id");

SQL(WINDOW_NEW, "INSERT INTO api_window (tag, created_from, created_to, active_until, tie_from, tie_to,"
                "  page, caught_up_at) VALUES (:tag, " ISO(":created_from") ", " ISO(
                    ":created_to") ","
                                   " " ISO(":active_until") ","
                                                            "  " ISO(":tie_from") ", " ISO(":tie_to") ", :page, " ISO(
                                                                ":caught_up_at") ")");

/* --- windows --- */

enum status db_window_put(struct db *db, struct db_window *window, struct err *e)
{
    struct sql *which = window->window_id == 0 ? SQL_WINDOW_NEW : SQL_WINDOW_PUT;

    if (which == SQL_WINDOW_PUT)
        sql_bind_int(db, which, ":window_id", window->window_id);
    enum status status = sql_run(db, which, e, BIND(":tag", window->tag), BIND(":created_from", window->from),
                                 BIND(":created_to", window->to), BIND(":active_until", window->active_until),
                                 BIND(":tie_from", window->tie_from), BIND(":tie_to", window->tie_to),
                                 BIND(":page", window->page), BIND(":caught_up_at", window->caught_up_at));
    if (status == ST_OK && which == SQL_WINDOW_NEW)
        window->window_id = sqlite3_last_insert_rowid(db->handle);
    return status;
}

SQL(WINDOW_DELETE, "DELETE FROM api_window WHERE window_id = :window_id");

enum status db_window_delete(struct db *db, int64_t window_id, struct err *e)
{
    return sql_run(db, SQL_WINDOW_DELETE, e, BIND(":window_id", window_id));
}

SQL(WINDOW_EACH,
    "SELECT window_id, tag, " SECONDS("created_from") ", " SECONDS(
        "created_to") ","
                      "  " SECONDS("active_until") ", " SECONDS("tie_from") ", " SECONDS(
                          "tie_to") ", page,"
                                    "  " SECONDS("caught_up_at") " FROM api_window ORDER BY tag, created_from");

enum status db_window_each(struct db *db, void (*each)(void *ctx, const struct db_window *window), void *ctx,
                           struct err *e)
{
    struct sql *which = SQL_WINDOW_EACH;
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e)) {
        struct db_window window = {.window_id = sql_int(db, which, 0),
                                   .tag = sql_text(db, which, 1),
                                   .from = sql_int(db, which, 2),
                                   .to = sql_int(db, which, 3),
                                   .active_until = sql_int(db, which, 4),
                                   .tie_from = sql_int(db, which, 5),
                                   .tie_to = sql_int(db, which, 6),
                                   .page = sql_int(db, which, 7),
                                   .caught_up_at = sql_int(db, which, 8)};
        each(ctx, &window);
    }
    return status;
}

SQL(LIST_GET, "SELECT position FROM api_list WHERE name = :name");

/* --- lists of ids --- */

enum status db_list_get(struct db *db, const char *name, int64_t *position, struct err *e)
{
    sql_bind_text(db, SQL_LIST_GET, ":name", span_of(name));
    return sql_one_int(db, SQL_LIST_GET, position, e);
}

SQL(LIST_PUT, "INSERT INTO api_list (name, position, started_at) VALUES (:name, :position, " ISO(
                  ":started_at") ")"
                                 " ON CONFLICT (name) DO UPDATE SET position = excluded.position");

enum status db_list_put(struct db *db, const char *name, int64_t position, int64_t now, struct err *e)
{
    return sql_run(db, SQL_LIST_PUT, e, BIND(":name", span_of(name)), BIND(":position", position),
                   BIND(":started_at", now));
}

SQL(LIST_DELETE, "DELETE FROM api_list WHERE name = :name");

enum status db_list_delete(struct db *db, const char *name, struct err *e)
{
    return sql_run(db, SQL_LIST_DELETE, e, BIND(":name", span_of(name)));
}

SQL(QUESTION_IDS, "SELECT post_id FROM post WHERE post_id > :after AND post_type = 'question'"
                  " AND post_id <= " ID_MASK " ORDER BY post_id LIMIT :limit");

enum status db_question_ids(struct db *db, int64_t after, int64_t *ids, size_t limit, size_t *n, struct err *e)
{
    enum status status = ST_OK;

    *n = 0;
    sql_bind(db, SQL_QUESTION_IDS, BIND(":after", after), BIND(":limit", (int64_t)limit));
    while (sql_next(db, SQL_QUESTION_IDS, &status, e))
        ids[(*n)++] = sql_int(db, SQL_QUESTION_IDS, 0);
    return status;
}

SQL(DUE_PUT, "INSERT INTO api_due (method, post_id, expected, since, page) VALUES (:method, :post_id,"
             " :expected, :since, :page)"
             " ON CONFLICT (method, post_id) DO UPDATE SET expected = excluded.expected,"
             "  since = excluded.since, page = excluded.page");

enum status db_due_put(struct db *db, const char *method, const struct db_due *due, struct err *e)
{
    return sql_run(db, SQL_DUE_PUT, e, BIND(":method", span_of(method)), BIND(":post_id", due->post_id),
                   BIND(":expected", due->expected), BIND(":since", due->since), BIND(":page", due->page));
}

SQL(DUE_DELETE, "DELETE FROM api_due WHERE method = :method AND post_id = :post_id");

enum status db_due_delete(struct db *db, const char *method, int64_t post_id, struct err *e)
{
    return sql_run(db, SQL_DUE_DELETE, e, BIND(":method", span_of(method)), BIND(":post_id", post_id));
}

SQL(DUE_EACH, "SELECT post_id, expected, since, page FROM api_due WHERE method = :method"
              " ORDER BY since DESC, page DESC, post_id LIMIT :limit");

enum status db_due_each(struct db *db, const char *method, size_t limit,
                        void (*each)(void *ctx, const struct db_due *due), void *ctx, struct err *e)
{
    sql_bind(db, SQL_DUE_EACH, BIND(":method", span_of(method)), BIND(":limit", (int64_t)limit));
    enum status status = ST_OK;
    while (sql_next(db, SQL_DUE_EACH, &status, e)) {
        struct db_due due = {sql_int(db, SQL_DUE_EACH, 0), sql_int(db, SQL_DUE_EACH, 1), sql_int(db, SQL_DUE_EACH, 2),
                             sql_int(db, SQL_DUE_EACH, 3)};
        each(ctx, &due);
    }
    return status;
}

SQL(API_STATE_PUT,
    SQL_OR_NOTHING "INSERT INTO api_state (key, value) VALUES (:key, :value)"
                   " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value");

/* --- what a client remembers --- */

enum status db_api_state_put(struct db *db, const char *key, struct span value, struct err *e)
{
    return sql_run(db, SQL_API_STATE_PUT, e, BIND(":key", span_of(key)), BIND(":value", value));
}

SQL(API_STATE_EACH, "SELECT key, value FROM api_state ORDER BY key");

enum status db_api_state_each(struct db *db, void (*each)(void *ctx, struct span key, struct span value), void *ctx,
                              struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_API_STATE_EACH, &status, e))
        each(ctx, sql_text(db, SQL_API_STATE_EACH, 0), sql_text(db, SQL_API_STATE_EACH, 1));
    return status;
}

SQL(RUN_KILLED, "SELECT finished_at IS NULL FROM run WHERE command = :command ORDER BY run_id DESC LIMIT 1");

enum status db_run_was_killed(struct db *db, const char *command, bool *killed, struct err *e)
{
    int64_t value;

    sql_bind_text(db, SQL_RUN_KILLED, ":command", span_of(command));
    enum status status = sql_one_int(db, SQL_RUN_KILLED, &value, e);
    *killed = value == 1;
    return status;
}

/* --- comments, authors --- */

static enum status MUST_USE changes(struct db *db, struct sql *which, int64_t *n, struct err *e)
{
    enum status status = sql_done(db, which, e);

    *n = status == ST_OK ? sqlite3_changes64(db->handle) : 0;
    return status;
}

SQL(COMMENT_PUT, SQL_OR_NOTHING
    "INSERT INTO comment (comment_id, post_id, user_id, user_display_name, reply_to_user_id,"
    "  score, edited, created_at, content_license, run_id, body_html, as_of, deleted_at)"
    " SELECT :comment_id, :post_id, :user_id, :user_display_name, :reply_to_user_id, :score,"
    " :edited, :created_at, :content_license, :run_id, :body_html, " ISO(
        ":as_of") ","
                  "  ifnull(:deleted_at, (SELECT min(listed_at) FROM api_listing WHERE post_id = :post_id"
                  " AND what = 'comments'"
                  "   AND listed_at > ifnull(" ISO(
                      ":as_of") ", '')"
                                "   AND created_from <= ifnull(:created_at, '') AND created_to > ifnull(:created_at, '')))"
                                " WHERE true"
                                " ON CONFLICT (comment_id) DO UPDATE SET post_id = excluded.post_id,"
                                "  user_id = excluded.user_id, user_display_name = excluded.user_display_name,"
                                "  reply_to_user_id = excluded.reply_to_user_id, score = excluded.score,"
                                "  edited = excluded.edited, created_at = excluded.created_at,"
                                "  deleted_at = excluded.deleted_at, content_license = excluded.content_license,"
                                "  run_id = excluded.run_id, body_html = excluded.body_html, as_of = excluded.as_of"
                                " WHERE ifnull(as_of, '') <= ifnull(excluded.as_of, '')"
                                "  AND (post_id, user_id, user_display_name, reply_to_user_id, score, edited, created_at,"
                                "  deleted_at, content_license, body_html) IS NOT (excluded.post_id, excluded.user_id,"
                                "  excluded.user_display_name, excluded.reply_to_user_id, excluded.score,"
                                "  excluded.edited, excluded.created_at, excluded.deleted_at, excluded.content_license,"
                                "  excluded.body_html)");

SQL(COMMENT_SEEN, SQL_OR_NOTHING "UPDATE comment SET as_of = " ISO(
                      ":as_of") " WHERE comment_id = :comment_id AND ifnull(as_of, '') < " ISO(":as_of"));

enum status db_comment_put(struct db *db, const struct db_comment *c, int64_t now, int64_t run_id, bool *changed,
                           struct err *e)
{
    int64_t n;

    sql_bind(db, SQL_COMMENT_PUT, BIND(":comment_id", c->comment_id), BIND(":post_id", c->post_id),
             BIND(":user_id", c->user_id), BIND(":user_display_name", c->user_display_name),
             BIND(":reply_to_user_id", c->reply_to_user_id), BIND(":score", c->score), BIND(":edited", c->edited),
             BIND(":created_at", c->created_at), BIND(":content_license", c->content_license), BIND(":run_id", run_id),
             BIND(":body_html", c->body_html), BIND(":deleted_at", c->deleted_at), BIND(":as_of", now));
    enum status status = changes(db, SQL_COMMENT_PUT, &n, e);
    *changed = n > 0;
    if (status != ST_OK || *changed)
        return status;
    return sql_run(db, SQL_COMMENT_SEEN, e, BIND(":comment_id", c->comment_id), BIND(":as_of", now));
}

SQL(AUTHOR_PUT, SQL_OR_NOTHING
    "INSERT INTO author (user_id, display_name, link, as_of) VALUES (:user_id, :display_name,"
    " :link, " ISO(
        ":as_of") ")"
                  " ON CONFLICT (user_id) DO UPDATE SET"
                  "  display_name = iif(ifnull(excluded.as_of, '') >= ifnull(as_of, ''),"
                  "   ifnull(excluded.display_name, display_name), ifnull(display_name, excluded.display_name)),"
                  "  link = iif(ifnull(excluded.as_of, '') >= ifnull(as_of, ''),"
                  "   ifnull(excluded.link, link), ifnull(link, excluded.link)),"
                  "  as_of = nullif(max(ifnull(excluded.as_of, ''), ifnull(as_of, '')), '')"
                  " WHERE excluded.as_of > ifnull(as_of, '') OR display_name IS NULL OR link IS NULL"
                  "  OR (excluded.as_of IS as_of AND (display_name, link) IS NOT"
                  "      (ifnull(excluded.display_name, display_name), ifnull(excluded.link, link)))");

enum status db_author_put(struct db *db, int64_t user_id, struct span display_name, struct span link, int64_t now,
                          struct err *e)
{
    return sql_run(db, SQL_AUTHOR_PUT, e, BIND(":user_id", user_id), BIND(":display_name", display_name),
                   BIND(":link", link), BIND(":as_of", now));
}

SQL(LISTING_PUT, "INSERT INTO api_listing (post_id, what, listed_at, created_from, created_to)"
                 " VALUES (:post_id, :what, " ISO(":listed_at") ", " ISO(":created_from") ", " ISO(
                     ":created_to") ")"
                                    " ON CONFLICT DO UPDATE SET created_to = max(created_to, excluded.created_to)");

/* --- what is gone --- */

static enum status MUST_USE put_listing(struct db *db, const char *what, int64_t post_id, int64_t from, int64_t to,
                                        int64_t now, struct err *e)
{
    sql_bind(db, SQL_LISTING_PUT, BIND(":post_id", post_id), BIND(":what", span_of(what)), BIND(":listed_at", now),
             BIND(":created_from", from), BIND(":created_to", to));
    db->listings = LISTINGS_SOME;
    return sql_done(db, SQL_LISTING_PUT, e);
}

/* `held` finds whether there is anything that could be marked, which for most posts is not so: they
 * are new. It costs a tenth of the other statement. */
static enum status MUST_USE mark_others(struct db *db, const char *what, struct sql *held, struct sql *which,
                                        const struct db_present *present, int64_t run_id, int64_t *n_gone,
                                        struct err *e)
{
    AT_END(buf_clear) struct buf ids = {0};
    int64_t any;

    *n_gone = 0;
    enum status status = put_listing(db, what, present->post_id, present->from, present->to, present->now, e);
    if (status != ST_OK)
        return status;
    sql_bind_int_at(db, held, 1, present->post_id);
    status = sql_one_int(db, held, &any, e);
    if (status != ST_OK || any == POST_ABSENT)
        return status;

    buf_add_char(&ids, '[');
    for (size_t i = 0; i < present->n; i++)
        buf_addf(&ids, "%s%lld", i > 0 ? "," : "", (long long)present->ids[i]);
    buf_add_char(&ids, ']');
    sql_bind(db, which, BIND(":post_id", present->post_id), BIND(":ids", buf_span(&ids)), BIND(":now", present->now),
             BIND(":created_from", present->from), BIND(":created_to", present->to), BIND(":run_id", run_id));
    status = changes(db, which, n_gone, e);
    return status;
}

SQL(ANSWERS_HELD, "SELECT 1 FROM post WHERE parent_id = :parent_id AND post_type = 'answer' LIMIT 1");

SQL(ANSWERS_PRESENT,
    SQL_OR_NOTHING "UPDATE post SET deleted_at = " ISO(
        ":now") ", run_id = :run_id"
                " WHERE parent_id = :post_id AND post_type = 'answer' AND " GONE_AT(
                    ":now",
                    POST_AS_OF) "  AND post_id NOT IN (SELECT value FROM json_each(:ids))"
                                "  AND ifnull(created_at, '') >= " ISO(":created_from") " AND ifnull(created_at,"
                                                                                        " '') < " ISO(":created_to"));

enum status db_answers_present(struct db *db, const struct db_present *present, int64_t run_id, int64_t *n_gone,
                               struct err *e)
{
    return mark_others(db, "answers", SQL_ANSWERS_HELD, SQL_ANSWERS_PRESENT, present, run_id, n_gone, e);
}

SQL(COMMENTS_HELD, "SELECT 1 FROM comment WHERE post_id = :post_id LIMIT 1");

SQL(COMMENTS_PRESENT,
    SQL_OR_NOTHING "UPDATE comment SET deleted_at = " ISO(
        ":now") ", run_id = :run_id"
                " WHERE post_id = :post_id AND " GONE_AT(
                    ":now", "ifnull(as_of, '')") "  AND comment_id NOT IN (SELECT value FROM json_each(:ids))"
                                                 "  AND ifnull(created_at, '') >= " ISO(
                                                     ":created_from") " AND ifnull(created_at,"
                                                                      " '') < " ISO(":created_to"));

enum status db_comments_present(struct db *db, const struct db_present *present, int64_t run_id, int64_t *n_gone,
                                struct err *e)
{
    return mark_others(db, "comments", SQL_COMMENTS_HELD, SQL_COMMENTS_PRESENT, present, run_id, n_gone, e);
}

SQL(POST_GONE, SQL_OR_NOTHING "UPDATE post SET deleted_at = " ISO(
                   ":now") ", run_id = :run_id"
                           " WHERE (post_id = :post_id OR (parent_id = :post_id AND post_type = 'answer'))"
                           "  AND " GONE_AT(":now", POST_AS_OF));

enum status db_post_gone(struct db *db, int64_t post_id, int64_t now, int64_t run_id, int64_t *n_gone, struct err *e)
{
    enum status status = put_listing(db, "post", post_id, 0, DB_TIME_MAX, now, e);

    *n_gone = 0;
    if (status != ST_OK)
        return status;
    sql_bind(db, SQL_POST_GONE, BIND(":post_id", post_id), BIND(":now", now), BIND(":run_id", run_id));
    return changes(db, SQL_POST_GONE, n_gone, e);
}

SQL(YEAR_EACH, "SELECT ifnull(substr(created_at, 1, 4), '') AS year,"
               "  count(*) FILTER (WHERE post_type = 'question'),"
               "  count(*) FILTER (WHERE post_type = 'answer')"
               " FROM post WHERE deleted_at IS NULL GROUP BY year ORDER BY year");

/* --- for a look at it --- */

enum status db_year_each(struct db *db, void (*each)(void *ctx, struct span year, int64_t questions, int64_t answers),
                         void *ctx, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_YEAR_EACH, &status, e))
        each(ctx, sql_text(db, SQL_YEAR_EACH, 0), sql_int(db, SQL_YEAR_EACH, 1), sql_int(db, SQL_YEAR_EACH, 2));
    return status;
}
