/* What a crawl keeps: answers, windows, lists, due questions, the API's state, runs. */
#include "db/api.h"
#include "db/sql.h"

/* --- answers --- */

enum status db_api_answer_put(struct db *db, const struct db_api_answer *answer, int64_t run_id,
                              struct err *e)
{
    sql_bind_int(db, SQL_API_ANSWER_PUT, 1, run_id);
    sql_bind_int(db, SQL_API_ANSWER_PUT, 2, answer->answered_at);
    sql_bind_text(db, SQL_API_ANSWER_PUT, 3, answer->method);
    sql_bind_text(db, SQL_API_ANSWER_PUT, 4, answer->request);
    sql_bind_int(db, SQL_API_ANSWER_PUT, 5, answer->n_items);
    sql_bind_int(db, SQL_API_ANSWER_PUT, 6, answer->quota_remaining);
    sql_bind_int(db, SQL_API_ANSWER_PUT, 7, answer->safe_filter);
    sql_bind_blob(db, SQL_API_ANSWER_PUT, 8, answer->body_zstd);
    return sql_done(db, SQL_API_ANSWER_PUT, e);
}

enum status db_api_answer_each(struct db *db,
                               enum status (*each)(void *ctx, const struct db_api_answer *answer,
                                                   struct err *e),
                               void *ctx, struct err *e)
{
    enum status status = ST_OK;

    while (status == ST_OK) {
        bool row;
        status = sql_row(db, SQL_API_ANSWER_EACH, &row, e);
        if (!row)
            return status;
        struct db_api_answer answer = {
            .answered_at = sql_int(db, SQL_API_ANSWER_EACH, 0),
            .method = sql_text(db, SQL_API_ANSWER_EACH, 1),
            .request = sql_text(db, SQL_API_ANSWER_EACH, 2),
            .n_items = sql_int(db, SQL_API_ANSWER_EACH, 3),
            .quota_remaining = sql_int(db, SQL_API_ANSWER_EACH, 4),
            .safe_filter = sql_int(db, SQL_API_ANSWER_EACH, 5) == 1,
            .body_zstd = sql_blob(db, SQL_API_ANSWER_EACH, 6),
        };
        status = each(ctx, &answer, e);
    }
    sql_reset(db, SQL_API_ANSWER_EACH);
    return status;
}

/* The integer of a statement's first row; POST_ABSENT when it has none. */
static enum status MUST_USE one_int(struct db *db, enum sql which, int64_t *value, struct err *e)
{
    bool row;

    *value = POST_ABSENT;
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    *value = sql_int(db, which, 0);
    sql_reset(db, which);
    return ST_OK;
}

enum status db_api_answer_count(struct db *db, int64_t *n, struct err *e)
{
    return one_int(db, SQL_API_ANSWER_COUNT, n, e);
}

/* --- windows --- */

enum status db_window_put(struct db *db, struct db_window *window, struct err *e)
{
    enum sql which = window->window_id == 0 ? SQL_WINDOW_NEW : SQL_WINDOW_PUT;

    if (which == SQL_WINDOW_PUT)
        sql_bind_int(db, which, 1, window->window_id);
    sql_bind_text(db, which, 2, window->tag);
    sql_bind_int(db, which, 3, window->from);
    sql_bind_int(db, which, 4, window->to);
    sql_bind_int(db, which, 5, window->active_until);
    sql_bind_int(db, which, 6, window->tie_from);
    sql_bind_int(db, which, 7, window->tie_to);
    sql_bind_int(db, which, 8, window->page);
    sql_bind_int(db, which, 9, window->caught_up_at);
    enum status status = sql_done(db, which, e);
    if (status == ST_OK && which == SQL_WINDOW_NEW)
        window->window_id = sqlite3_last_insert_rowid(db->handle);
    return status;
}

enum status db_window_delete(struct db *db, int64_t window_id, struct err *e)
{
    sql_bind_int(db, SQL_WINDOW_DELETE, 1, window_id);
    return sql_done(db, SQL_WINDOW_DELETE, e);
}

enum status db_window_each(struct db *db, void (*each)(void *ctx, const struct db_window *window),
                           void *ctx, struct err *e)
{
    enum sql which = SQL_WINDOW_EACH;

    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        struct db_window window = {
            .window_id = sql_int(db, which, 0),
            .tag = sql_text(db, which, 1),
            .from = sql_int(db, which, 2),
            .to = sql_int(db, which, 3),
            .active_until = sql_int(db, which, 4),
            .tie_from = sql_int(db, which, 5),
            .tie_to = sql_int(db, which, 6),
            .page = sql_int(db, which, 7),
            .caught_up_at = sql_int(db, which, 8),
        };
        each(ctx, &window);
    }
}

/* --- lists of ids --- */

enum status db_list_get(struct db *db, const char *name, int64_t *position, struct err *e)
{
    sql_bind_text(db, SQL_LIST_GET, 1, span_of(name));
    return one_int(db, SQL_LIST_GET, position, e);
}

enum status db_list_put(struct db *db, const char *name, int64_t position, int64_t now,
                        struct err *e)
{
    sql_bind_text(db, SQL_LIST_PUT, 1, span_of(name));
    sql_bind_int(db, SQL_LIST_PUT, 2, position);
    sql_bind_int(db, SQL_LIST_PUT, 3, now);
    return sql_done(db, SQL_LIST_PUT, e);
}

enum status db_list_delete(struct db *db, const char *name, struct err *e)
{
    sql_bind_text(db, SQL_LIST_DELETE, 1, span_of(name));
    return sql_done(db, SQL_LIST_DELETE, e);
}

enum status db_question_ids(struct db *db, int64_t after, int64_t *ids, size_t limit, size_t *n,
                            struct err *e)
{
    bool row = true;

    *n = 0;
    sql_bind_int(db, SQL_QUESTION_IDS, 1, after);
    sql_bind_int(db, SQL_QUESTION_IDS, 2, (int64_t)limit);
    for (;;) {
        enum status status = sql_row(db, SQL_QUESTION_IDS, &row, e);
        if (!row)
            return status;
        ids[(*n)++] = sql_int(db, SQL_QUESTION_IDS, 0);
    }
}

enum status db_due_put(struct db *db, const char *method, const struct db_due *due, struct err *e)
{
    sql_bind_text(db, SQL_DUE_PUT, 1, span_of(method));
    sql_bind_int(db, SQL_DUE_PUT, 2, due->post_id);
    sql_bind_int(db, SQL_DUE_PUT, 3, due->expected);
    sql_bind_int(db, SQL_DUE_PUT, 4, due->since);
    sql_bind_int(db, SQL_DUE_PUT, 5, due->page);
    return sql_done(db, SQL_DUE_PUT, e);
}

enum status db_due_delete(struct db *db, const char *method, int64_t post_id, struct err *e)
{
    sql_bind_text(db, SQL_DUE_DELETE, 1, span_of(method));
    sql_bind_int(db, SQL_DUE_DELETE, 2, post_id);
    return sql_done(db, SQL_DUE_DELETE, e);
}

enum status db_due_each(struct db *db, const char *method, size_t limit,
                        void (*each)(void *ctx, const struct db_due *due), void *ctx,
                        struct err *e)
{
    sql_bind_text(db, SQL_DUE_EACH, 1, span_of(method));
    sql_bind_int(db, SQL_DUE_EACH, 2, (int64_t)limit);
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_DUE_EACH, &row, e);
        if (!row)
            return status;
        struct db_due due = {sql_int(db, SQL_DUE_EACH, 0), sql_int(db, SQL_DUE_EACH, 1),
                             sql_int(db, SQL_DUE_EACH, 2), sql_int(db, SQL_DUE_EACH, 3)};
        each(ctx, &due);
    }
}

/* --- what a client remembers --- */

enum status db_api_state_put(struct db *db, const char *key, struct span value, struct err *e)
{
    sql_bind_text(db, SQL_API_STATE_PUT, 1, span_of(key));
    sql_bind_text(db, SQL_API_STATE_PUT, 2, value);
    return sql_done(db, SQL_API_STATE_PUT, e);
}

enum status db_api_state_each(struct db *db,
                              void (*each)(void *ctx, struct span key, struct span value),
                              void *ctx, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_API_STATE_EACH, &row, e);
        if (!row)
            return status;
        each(ctx, sql_text(db, SQL_API_STATE_EACH, 0), sql_text(db, SQL_API_STATE_EACH, 1));
    }
}

enum status db_run_was_killed(struct db *db, const char *command, bool *killed, struct err *e)
{
    int64_t value;

    sql_bind_text(db, SQL_RUN_KILLED, 1, span_of(command));
    enum status status = one_int(db, SQL_RUN_KILLED, &value, e);
    *killed = value == 1;
    return status;
}

/* --- comments, authors --- */

static enum status MUST_USE changes(struct db *db, enum sql which, int64_t *n, struct err *e)
{
    enum status status = sql_done(db, which, e);

    *n = status == ST_OK ? sqlite3_changes64(db->handle) : 0;
    return status;
}

enum status db_comment_put(struct db *db, const struct db_comment *c, int64_t now, int64_t run_id,
                           bool *changed, struct err *e)
{
    int64_t n;

    sql_bind_int(db, SQL_COMMENT_PUT, 1, c->comment_id);
    sql_bind_int(db, SQL_COMMENT_PUT, 2, c->post_id);
    sql_bind_int(db, SQL_COMMENT_PUT, 3, c->user_id);
    sql_bind_text(db, SQL_COMMENT_PUT, 4, c->user_display_name);
    sql_bind_int(db, SQL_COMMENT_PUT, 5, c->reply_to_user_id);
    sql_bind_int(db, SQL_COMMENT_PUT, 6, c->score);
    sql_bind_int(db, SQL_COMMENT_PUT, 7, c->edited);
    sql_bind_text(db, SQL_COMMENT_PUT, 8, c->created_at);
    sql_bind_text(db, SQL_COMMENT_PUT, 9, c->content_license);
    sql_bind_int(db, SQL_COMMENT_PUT, 10, run_id);
    sql_bind_text(db, SQL_COMMENT_PUT, 11, c->body_html);
    sql_bind_text(db, SQL_COMMENT_PUT, 12, c->deleted_at);
    sql_bind_int(db, SQL_COMMENT_PUT, 13, now);
    enum status status = changes(db, SQL_COMMENT_PUT, &n, e);
    *changed = n > 0;
    if (status != ST_OK || *changed)
        return status;
    sql_bind_int(db, SQL_COMMENT_SEEN, 1, c->comment_id);
    sql_bind_int(db, SQL_COMMENT_SEEN, 2, now);
    return sql_done(db, SQL_COMMENT_SEEN, e);
}

enum status db_author_put(struct db *db, int64_t user_id, struct span display_name,
                          struct span link, int64_t now, struct err *e)
{
    sql_bind_int(db, SQL_AUTHOR_PUT, 1, user_id);
    sql_bind_text(db, SQL_AUTHOR_PUT, 2, display_name);
    sql_bind_text(db, SQL_AUTHOR_PUT, 3, link);
    sql_bind_int(db, SQL_AUTHOR_PUT, 4, now);
    return sql_done(db, SQL_AUTHOR_PUT, e);
}

/* --- what is gone --- */

static enum status MUST_USE put_listing(struct db *db, const char *what, int64_t post_id,
                                        int64_t from, int64_t to, int64_t now, struct err *e)
{
    sql_bind_int(db, SQL_LISTING_PUT, 1, post_id);
    sql_bind_text(db, SQL_LISTING_PUT, 2, span_of(what));
    sql_bind_int(db, SQL_LISTING_PUT, 3, now);
    sql_bind_int(db, SQL_LISTING_PUT, 4, from);
    sql_bind_int(db, SQL_LISTING_PUT, 5, to);
    db->listings = LISTINGS_SOME;
    return sql_done(db, SQL_LISTING_PUT, e);
}

/* `held` finds whether there is anything that could be marked, which for most posts is not so: they
 * are new. It costs a tenth of the other statement. */
static enum status MUST_USE mark_others(struct db *db, const char *what, enum sql held,
                                        enum sql which, const struct db_present *present,
                                        int64_t run_id, int64_t *n_gone, struct err *e)
{
    struct buf ids = {0};
    int64_t any;

    *n_gone = 0;
    enum status status = put_listing(db, what, present->post_id, present->from, present->to,
                                     present->now, e);
    if (status != ST_OK)
        return status;
    sql_bind_int(db, held, 1, present->post_id);
    status = one_int(db, held, &any, e);
    if (status != ST_OK || any == POST_ABSENT)
        return status;

    buf_add_char(&ids, '[');
    for (size_t i = 0; i < present->n; i++)
        buf_addf(&ids, "%s%lld", i > 0 ? "," : "", (long long)present->ids[i]);
    buf_add_char(&ids, ']');
    sql_bind_int(db, which, 1, present->post_id);
    sql_bind_text(db, which, 2, buf_span(&ids));
    sql_bind_int(db, which, 3, present->now);
    sql_bind_int(db, which, 4, present->from);
    sql_bind_int(db, which, 5, present->to);
    sql_bind_int(db, which, 6, run_id);
    status = changes(db, which, n_gone, e);
    buf_clear(&ids);
    return status;
}

enum status db_answers_present(struct db *db, const struct db_present *present, int64_t run_id,
                               int64_t *n_gone, struct err *e)
{
    return mark_others(db, "answers", SQL_ANSWERS_HELD, SQL_ANSWERS_PRESENT, present, run_id,
                       n_gone, e);
}

enum status db_comments_present(struct db *db, const struct db_present *present, int64_t run_id,
                                int64_t *n_gone, struct err *e)
{
    return mark_others(db, "comments", SQL_COMMENTS_HELD, SQL_COMMENTS_PRESENT, present, run_id,
                       n_gone, e);
}

enum status db_post_gone(struct db *db, int64_t post_id, int64_t now, int64_t run_id,
                         int64_t *n_gone, struct err *e)
{
    enum status status = put_listing(db, "post", post_id, 0, DB_TIME_MAX, now, e);

    *n_gone = 0;
    if (status != ST_OK)
        return status;
    sql_bind_int(db, SQL_POST_GONE, 1, post_id);
    sql_bind_int(db, SQL_POST_GONE, 2, now);
    sql_bind_int(db, SQL_POST_GONE, 3, run_id);
    return changes(db, SQL_POST_GONE, n_gone, e);
}

/* --- for a look at it --- */

enum status db_year_each(struct db *db,
                         void (*each)(void *ctx, struct span year, int64_t questions,
                                      int64_t answers),
                         void *ctx, struct err *e)
{
    for (;;) {
        bool row;
        enum status status = sql_row(db, SQL_YEAR_EACH, &row, e);
        if (!row)
            return status;
        each(ctx, sql_text(db, SQL_YEAR_EACH, 0), sql_int(db, SQL_YEAR_EACH, 1),
             sql_int(db, SQL_YEAR_EACH, 2));
    }
}
