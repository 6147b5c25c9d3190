/*
 * api: what is kept of the Stack Exchange API: answers, how far each tag was fetched, comments. A
 * part of db.h, in its own file for its size; others include db.h.
 *
 * Times are Unix seconds here, and ISO dates in the file; POST_ABSENT stands for NULL.
 */
#pragma once

#include "db/db.h"
#include "base/post/post.h"

/* --- answers, as they came --- */

struct db_api_answer {
    int64_t answered_at;
    struct span method, request;
    int64_t n_items, quota_remaining;
    bool safe_filter;
    struct span body_zstd;
};

enum status MUST_USE db_api_answer_put(struct db *db, const struct db_api_answer *answer, int64_t run_id,
                                       struct err *e);
/* In the order of the requests; a status other than ST_OK ends the walk and is returned. `each` may
 * write, but not answers. */
enum status MUST_USE db_api_answer_each(struct db *db,
                                        enum status (*each)(void *ctx, const struct db_api_answer *answer,
                                                            struct err *e),
                                        void *ctx, struct err *e);
enum status MUST_USE db_api_answer_count(struct db *db, int64_t *n, struct err *e);

/* --- where a crawl stands --- */

#define DB_TIME_MAX INT64_C(253402300799) /* the end of the year 9999: for ever */

struct db_window {
    int64_t window_id; /* 0: a new one */
    struct span tag;
    int64_t from, to; /* of creation, both inclusive, 0 to DB_TIME_MAX */
    int64_t active_until, tie_from, tie_to, page, caught_up_at;
};

enum status MUST_USE db_window_put(struct db *db, struct db_window *window, struct err *e);
enum status MUST_USE db_window_delete(struct db *db, int64_t window_id, struct err *e);
/* Ordered by tag, then time. */
enum status MUST_USE db_window_each(struct db *db, void (*each)(void *ctx, const struct db_window *window), void *ctx,
                                    struct err *e);

/* *position is POST_ABSENT for a list that is not begun, or done. */
enum status MUST_USE db_list_get(struct db *db, const char *name, int64_t *position, struct err *e);
enum status MUST_USE db_list_put(struct db *db, const char *name, int64_t position, int64_t now, struct err *e);
enum status MUST_USE db_list_delete(struct db *db, const char *name, struct err *e);
/* The ids of up to `limit` questions above `after`, ordered. */
enum status MUST_USE db_question_ids(struct db *db, int64_t after, int64_t *ids, size_t limit, size_t *n,
                                     struct err *e);

struct db_due {
    int64_t post_id, expected, since, page;
};

enum status MUST_USE db_due_put(struct db *db, const char *method, const struct db_due *due, struct err *e);
enum status MUST_USE db_due_delete(struct db *db, const char *method, int64_t post_id, struct err *e);
/* Up to `limit` posts, those that were begun first. */
enum status MUST_USE db_due_each(struct db *db, const char *method, size_t limit,
                                 void (*each)(void *ctx, const struct db_due *due), void *ctx, struct err *e);

enum status MUST_USE db_api_state_put(struct db *db, const char *key, struct span value, struct err *e);
enum status MUST_USE db_api_state_each(struct db *db, void (*each)(void *ctx, struct span key, struct span value),
                                       void *ctx, struct err *e);
/* Whether the last run of this command never ended: it was killed. */
enum status MUST_USE db_run_was_killed(struct db *db, const char *command, bool *killed, struct err *e);

/* --- what only the API brings --- */

struct db_comment {
    int64_t comment_id, post_id, user_id, reply_to_user_id, score, edited;
    struct span user_display_name, created_at, deleted_at, content_license, body_html;
};

/* The state of the later answer wins (`now`), of one second the later call; *changed says whether the
 * row is another now. One that was gone is back, unless it has a deleted_at. */
enum status MUST_USE db_comment_put(struct db *db, const struct db_comment *comment, int64_t now, int64_t run_id,
                                    bool *changed, struct err *e);
/* The same. What the API leaves out this time (NULL spans) is kept: CC BY-SA asks for name and
 * link. */
enum status MUST_USE db_author_put(struct db *db, int64_t user_id, struct span display_name, struct span link,
                                   int64_t now, struct err *e);

/* Of all that was created from `from` until before `to`, only these ids are there; the others, but
 * for what was seen later than `now`, are marked as deleted at `now`; also what is put later and
 * is older. */
struct db_present {
    int64_t post_id;
    const int64_t *ids;
    size_t n;
    int64_t from, to, now;
};

enum status MUST_USE db_answers_present(struct db *db, const struct db_present *present, int64_t run_id,
                                        int64_t *n_gone, struct err *e);
enum status MUST_USE db_comments_present(struct db *db, const struct db_present *present, int64_t run_id,
                                         int64_t *n_gone, struct err *e);
/* A question or answer is gone. A gone question takes its answers with it. */
enum status MUST_USE db_post_gone(struct db *db, int64_t post_id, int64_t now, int64_t run_id, int64_t *n_gone,
                                  struct err *e);

/* --- for a look at it --- */

/* Posts by year of creation, those that are gone left out; year "" for unknown. */
enum status MUST_USE db_year_each(struct db *db,
                                  void (*each)(void *ctx, struct span year, int64_t questions, int64_t answers),
                                  void *ctx, struct err *e);
