/* What several parts of a crawl keep: answers, windows, what is due, the API's state, comments, authors. */
#include "fetch/crawl/answers.h"
#include "db/sql.h"

#include <inttypes.h>

SQL(API_ANSWER_PUT, "INSERT INTO api_answer (run_id, answered_at, method, request, n_items, quota_remaining,"
                    "  safe_filter, body_zstd)"
                    " VALUES (:run_id, " ISO ":answered_at" UNIX ", :method, :request, :n_items, :quota_remaining,"
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

SQL(API_ANSWER_COUNT, "SELECT count(*) FROM api_answer");

enum status db_api_answer_count(struct db *db, int64_t *n, struct err *e)
{
    return sql_one_int(db, SQL_API_ANSWER_COUNT, n, e);
}

/* --- windows --- */

SQL(WINDOW_PUT,
    "INSERT INTO api_window (window_id, tag, created_from, created_to, active_until, tie_from, tie_to, page,"
    "  caught_up_at) VALUES (:window_id, :tag, " ISO ":created_from" UNIX ", " ISO ":created_to" UNIX ","
    " " ISO ":active_until" UNIX ", " ISO ":tie_from" UNIX ", " ISO ":tie_to" UNIX ", :page,"
    " " ISO ":caught_up_at" UNIX ")"
    " ON CONFLICT (window_id) DO UPDATE SET"
    " (tag, created_from, created_to, active_until, tie_from, tie_to, page, caught_up_at)"
    " = (excluded.tag, excluded.created_from, excluded.created_to, excluded.active_until, excluded.tie_from,"
    "  excluded.tie_to, excluded.page, excluded.caught_up_at) RETURNING window_id");

enum status db_window_put(struct db *db, struct db_window *window, struct err *e)
{
    sql_bind(db, SQL_WINDOW_PUT, BIND(":window_id", window->window_id > 0 ? window->window_id : POST_ABSENT),
             BIND(":tag", window->tag), BIND(":created_from", window->from), BIND(":created_to", window->to),
             BIND(":active_until", window->active_until), BIND(":tie_from", window->tie_from),
             BIND(":tie_to", window->tie_to), BIND(":page", window->page), BIND(":caught_up_at", window->caught_up_at));
    return sql_one_int(db, SQL_WINDOW_PUT, &window->window_id, e);
}

SQL(WINDOW_EACH,
    "SELECT window_id, tag, " SECONDS "created_from" INTEGER ", " SECONDS "created_to" INTEGER ","
    "  " SECONDS "active_until" INTEGER ", " SECONDS "tie_from" INTEGER ", " SECONDS "tie_to" INTEGER ", page,"
    "  " SECONDS "caught_up_at" INTEGER " FROM api_window ORDER BY tag, created_from");

bool db_window_next(struct db *db, struct db_window *window, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_WINDOW_EACH, status, e, INTO(window->window_id), INTO(window->tag), INTO(window->from),
                         INTO(window->to), INTO(window->active_until), INTO(window->tie_from), INTO(window->tie_to),
                         INTO(window->page), INTO(window->caught_up_at));
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

SQL(API_STATE_PUT,
    SQL_OR_NOTHING "INSERT INTO api_state (key, value) VALUES (:key, :value)"
                   " ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value");

/* --- what a client remembers --- */

enum status db_api_state_put(struct db *db, const char *key, struct span value, struct err *e)
{
    return sql_run(db, SQL_API_STATE_PUT, e, BIND(":key", span_of(key)), BIND(":value", value));
}

static const struct {
    const char *key;
    size_t offset;
} numbers[] = {
    {"quota_max", offsetof(struct api_state, quota_max)},
    {"quota_remaining", offsetof(struct api_state, quota_remaining)},
    {"quota_of", offsetof(struct api_state, quota_of)},
    {"quota_at", offsetof(struct api_state, quota_at)},
    {"quota_since", offsetof(struct api_state, quota_since)},
    {"quota_until", offsetof(struct api_state, quota_until)},
    {"filter_fields", offsetof(struct api_state, filter_fields)},
    {"not_before", offsetof(struct api_state, all_not_before)},
};

#define METHOD_PREFIX "not_before "

SQL(API_STATE_GET, "SELECT value FROM api_state WHERE key = :key");

enum status crawl_setting(struct db *db, const char *key, struct buf *value, bool *found, struct err *e)
{
    sql_bind_text(db, SQL_API_STATE_GET, ":key", span_of(key));
    enum status status = sql_row(db, SQL_API_STATE_GET, found, e);
    if (*found)
        buf_add_span(value, sql_text(db, SQL_API_STATE_GET, 0));
    sql_reset(db, SQL_API_STATE_GET);
    return status;
}

SQL(API_STATE_EACH, "SELECT key, value FROM api_state ORDER BY key");

enum status crawl_state_load(struct db *db, const char *of, struct api_state *state, struct err *e)
{
    struct span prefix = SPAN(METHOD_PREFIX), method;
    enum status status = ST_OK;
    int64_t number;

    *state = api_state_empty();
    while (sql_next(db, SQL_API_STATE_EACH, &status, e)) {
        struct span key = sql_text(db, SQL_API_STATE_EACH, 0), value = sql_text(db, SQL_API_STATE_EACH, 1);
        if (!span_starts(key, span_of(of)))
            continue;
        key = span_after(key, strlen(of));
        for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
            if (span_eq(key, span_of(numbers[i].key)) && span_i64(value, &number))
                *(int64_t *)(void *)((char *)state + numbers[i].offset) = number;
        method = span_starts(key, prefix) ? span_after(key, prefix.len) : (struct span){0};
        for (enum api_method m = 0; m < API_METHODS; m++)
            if (span_eq(method, span_of(api_method_name(m))) && !span_i64(value, &state->not_before[m]))
                state->not_before[m] = 0;
        if (span_eq(key, SPAN("filter")) && value.len < API_FILTER_TEXT)
            snprintf(state->filter, sizeof state->filter, "%.*s", SPAN_ARG(value));
        if (span_eq(key, SPAN("filter_is_safe")))
            state->filter_is_safe = span_eq(value, SPAN("1"));
    }
    return status;
}

static enum status MUST_USE save_number(struct db *db, const char *of, const char *name, int64_t number, struct err *e)
{
    char text[32], key[80];

    if (number == POST_ABSENT)
        return ST_OK;
    snprintf(text, sizeof text, "%" PRId64, number);
    snprintf(key, sizeof key, "%s%s", of, name);
    return db_api_state_put(db, key, span_of(text), e);
}

enum status crawl_state_save(struct db *db, const char *of, const struct api_state *state, struct err *e)
{
    enum status status = ST_OK;
    char key[64];

    for (size_t i = 0; i < ARRAY_LEN(numbers) && status == ST_OK; i++)
        status = save_number(db, of, numbers[i].key,
                             *(const int64_t *)(const void *)((const char *)state + numbers[i].offset), e);
    for (enum api_method m = 0; m < API_METHODS && status == ST_OK; m++) {
        snprintf(key, sizeof key, METHOD_PREFIX "%s", api_method_name(m));
        if (state->not_before[m] != 0)
            status = save_number(db, of, key, state->not_before[m], e);
    }
    if (status == ST_OK && *of == '\0')
        status = db_api_state_put(db, "filter", span_of(state->filter), e);
    if (status == ST_OK && *of == '\0')
        status = save_number(db, of, "filter_is_safe", state->filter_is_safe, e);
    return status;
}

/* --- comments, authors --- */

SQL(COMMENT_PUT,
    SQL_OR_NOTHING "INSERT INTO comment (comment_id, post_id, user_id, user_display_name, reply_to_user_id,"
                   "  score, edited, created_at, content_license, run_id, body_html, as_of, deleted_at)"
                   " SELECT :comment_id, :post_id, :user_id, :user_display_name, :reply_to_user_id, :score,"
                   " :edited, :created_at, :content_license, :run_id, :body_html, " ISO ":as_of" UNIX ","
                   "  ifnull(:deleted_at, (SELECT min(listed_at) FROM api_listing WHERE post_id = :post_id"
                   " AND what = 'comments'"
                   "   AND listed_at > ifnull(" ISO ":as_of" UNIX ", '')"
                   "   AND created_from <= ifnull(:created_at, '') AND created_to > ifnull(:created_at, '')))"
                   " WHERE true"
                   " ON CONFLICT (comment_id) DO UPDATE SET post_id = excluded.post_id,"
                   "  user_id = excluded.user_id, user_display_name = excluded.user_display_name,"
                   "  reply_to_user_id = excluded.reply_to_user_id, score = ifnull(excluded.score, score),"
                   "  edited = ifnull(excluded.edited, edited), created_at = ifnull(excluded.created_at, created_at),"
                   "  deleted_at = excluded.deleted_at,"
                   "  content_license = ifnull(excluded.content_license, content_license),"
                   "  run_id = excluded.run_id, body_html = ifnull(excluded.body_html, body_html),"
                   "  as_of = excluded.as_of"
                   " WHERE ifnull(as_of, '') <= ifnull(excluded.as_of, '')"
                   "  AND (post_id, user_id, user_display_name, reply_to_user_id, score, edited, created_at,"
                   "  deleted_at, content_license, body_html) IS NOT (excluded.post_id, excluded.user_id,"
                   "  excluded.user_display_name, excluded.reply_to_user_id, ifnull(excluded.score, score),"
                   "  ifnull(excluded.edited, edited), ifnull(excluded.created_at, created_at), excluded.deleted_at,"
                   "  ifnull(excluded.content_license, content_license), ifnull(excluded.body_html, body_html))");

SQL(COMMENT_SEEN, SQL_OR_NOTHING "UPDATE comment SET as_of = " ISO ":as_of" UNIX
                                 " WHERE comment_id = :comment_id AND ifnull(as_of, '') < " ISO ":as_of" UNIX);

enum status db_comment_put(struct db *db, const struct api_comment *c, int64_t now, int64_t run_id, bool *changed,
                           struct err *e)
{
    sql_bind(db, SQL_COMMENT_PUT, BIND(":comment_id", c->comment_id), BIND(":post_id", c->post_id),
             BIND(":user_id", c->user_id), BIND(":user_display_name", c->user_display_name),
             BIND(":reply_to_user_id", c->reply_to_user_id), BIND(":score", c->score), BIND(":edited", c->edited),
             BIND(":created_at", c->created_at), BIND(":content_license", c->content_license), BIND(":run_id", run_id),
             BIND(":body_html", c->body_html), BIND(":deleted_at", c->deleted_at), BIND(":as_of", now));
    enum status status = sql_done(db, SQL_COMMENT_PUT, e);
    *changed = status == ST_OK && sqlite3_changes(db->handle) > 0;
    if (status != ST_OK || *changed)
        return status;
    return sql_run(db, SQL_COMMENT_SEEN, e, BIND(":comment_id", c->comment_id), BIND(":as_of", now));
}

SQL(AUTHOR_PUT,
    SQL_OR_NOTHING "INSERT INTO author (user_id, display_name, link, as_of) VALUES (:user_id, :display_name,"
                   " :link, " ISO ":as_of" UNIX ")"
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
