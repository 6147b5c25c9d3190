/* answers: what is kept of the Stack Exchange API: answers, how far each tag was fetched, comments. Times are Unix
 * seconds here, and ISO dates in the file; POST_ABSENT is NULL there. */
#pragma once

#include "db/db.h"
#include "base/post/post.h"
#include "fetch/fetch.h"

/* Between Unix seconds and the dates of the file: ISO ":now" UNIX, SECONDS "created_to" INTEGER. */
#define ISO "strftime('%Y-%m-%dT%H:%M:%fZ', "
#define UNIX ", 'unixepoch')"
#define SECONDS "CAST(strftime('%s', "
#define INTEGER ") AS INTEGER)"

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
/* Walks as sql_next does, by tag, then time. */
bool db_window_next(struct db *db, struct db_window *window, enum status *status, struct err *e);

struct db_due {
    int64_t post_id, expected, since, page;
};

enum status MUST_USE db_due_put(struct db *db, const char *method, const struct db_due *due, struct err *e);
enum status MUST_USE db_api_state_put(struct db *db, const char *key, struct span value, struct err *e);

/* Adds the value that is kept in the database under a key. */
enum status MUST_USE crawl_setting(struct db *db, const char *key, struct buf *value, bool *found, struct err *e);

/* What the client remembers, from and to the database. `of`: how its keys begin there, "" for Stack Exchange. */
enum status MUST_USE crawl_state_load(struct db *db, const char *of, struct api_state *state, struct err *e);
enum status MUST_USE crawl_state_save(struct db *db, const char *of, const struct api_state *state, struct err *e);

/* --- what only the API brings --- */

/* `comment` has the ids of the database, see stored_comment. The later answer (`now`) wins; in the same second, the
 * later call. *changed: the row has changed. A comment that was gone is back, unless it has a deleted_at. */
enum status MUST_USE db_comment_put(struct db *db, const struct api_comment *comment, int64_t now, int64_t run_id,
                                    bool *changed, struct err *e);
/* The same. What the API leaves out this time (NULL spans) is kept: CC BY-SA asks for name and link. */
enum status MUST_USE db_author_put(struct db *db, int64_t user_id, struct span display_name, struct span link,
                                   int64_t now, struct err *e);
