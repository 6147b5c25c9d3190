/* store: an answer of the API into the database, fresh (`fetch`) or kept (`rebuild`). */
#pragma once

#include "db/posts.h"
#include "fetch/fetch.h"
#include "base/study/study.h"

struct crawl_counts {
    uint64_t n_put[DB_PUT_KINDS]; /* posts */
    uint64_t questions, answers, comments, comments_changed;
    uint64_t gone, back; /* posts and comments that are no longer there; posts that are again */
    uint64_t refused, escaped_twice;
};

struct crawl_store {
    struct db *db;
    int64_t run_id;
    bool is_replay; /* nothing is noted as due */
    struct crawl_counts counts;
    struct refused *left; /* items of answers that are not kept; may be NULL */
};

/* As the database takes them: with ids of the site that has this code, see study_id; texts are borrowed. */
struct post stored_post(const struct post *post, int64_t code);
struct api_comment stored_comment(const struct api_comment *c, int64_t code);

/* Stores the posts, comments and authors of an answer, and what it tells about those that it lacks; in the caller's
 * transaction. `request` is what api_request_write wrote. */
enum status MUST_USE crawl_store_answer(struct crawl_store *store, struct span request, const struct api_answer *answer,
                                        bool safe_filter, int64_t now, struct err *e);

/* The same for a tracker (GitHub, Discourse), whose posts name a site of the study. What is not kept is also counted in
 * `left`. */
enum status MUST_USE crawl_store_records(struct crawl_store *store, const struct study *study, struct refused *left,
                                         struct span request, struct span body, int64_t now, struct err *e);

/* How requests to trackers begin in api_answer.method. */
#define STORED_GITHUB "github"
#define STORED_DISCOURSE "discourse"

/* Members of a JSON object, without braces. */
void crawl_counts_json(const struct crawl_counts *counts, struct buf *out);
