/* posts: the posts that the database contains, and the populations that samples are drawn from. */
#pragma once

#include "db/db.h"
#include "base/post/post.h"

struct table;

enum db_put {
    DB_PUT_NEW,
    DB_PUT_CHANGED, /* updated; a different title, body or tags became a revision */
    DB_PUT_SAME,
    DB_PUT_OLDER, /* what is stored is newer: kept, and this body became a revision */
    DB_PUT_BACK,  /* it was gone, and is there again */
    DB_PUT_KINDS
};

/* Where a state of a post comes from, and how new it is. */
struct db_origin {
    int64_t run_id;
    struct span as_of; /* ISO date of the source: an answer of the API, a dump; ptr NULL: not known,
                        * or not yet, so that the last date in the post says it */
    bool is_run_date;  /* as_of is, or will be, that of the run: db_run_as_of */
};

/* Keeps a post, or what is new about it. The dates of the sources, to the second, decide which of two states is newer,
 * not the order of calls. If these are equal, last_edited_at (or created_at) decides, then last_activity_at; if no date
 * does, the later call wins. An absent value does not delete a stored one, but for the exceptions that posts.c lists.
 * Marks the post as deleted when a later listing of the API lacks it. ST_INPUT for a post without id or type. */
enum status MUST_USE db_post_put(struct db *db, const struct post *post, const struct db_origin *origin,
                                 enum db_put *what, struct err *e);
/* Whether the API has listed anything whole, so that a new post may already be known as gone. */
bool db_knows_listings(struct db *db, struct err *e);
/* Calls back for each post's id and PostTypeId, in order of id. */
enum status MUST_USE db_post_each_id(struct db *db, void (*each)(void *ctx, int64_t post_id, int64_t type), void *ctx,
                                     struct err *e);
/* Calls back for each post, in order of id, with post_id, type, title and body_html set; a status other than ST_OK ends
 * the walk and is returned. */
typedef enum status db_take_post(void *ctx, const struct post *post, struct err *e);
enum status MUST_USE db_post_each_text(struct db *db, db_take_post *each, void *ctx, struct err *e);
/* The same for the candidates, and for one post (no call when it is not stored). */
enum status MUST_USE db_candidate_each_text(struct db *db, db_take_post *each, void *ctx, struct err *e);
enum status MUST_USE db_post_text(struct db *db, int64_t post_id, db_take_post *each, void *ctx, struct err *e);
/* The title, appended or as a cell; nothing for a post without one, or not stored. */
enum status MUST_USE db_post_title(struct db *db, int64_t post_id, struct buf *out, struct err *e);
enum status MUST_USE db_post_title_cell(struct db *db, int64_t post_id, struct table *t, struct err *e);
/* Calls back for a question, then its answers: the accepted one, then by score; each with its url. */
enum status MUST_USE db_thread_each(struct db *db, int64_t question_id,
                                    void (*each)(void *ctx, const struct post *post), void *ctx, struct err *e);
/* A comment on a post. */
struct db_remark {
    struct span created_at, author; /* ptr NULL: unknown */
    int64_t score;                  /* or POST_ABSENT */
    struct span body_html;          /* ptr NULL: unknown */
};

/* A walk over the comments on the post that are not gone, the oldest first. */
struct sql *db_remarks(struct db *db, int64_t post_id);
bool db_remark_next(struct db *db, struct sql *walk, struct db_remark *comment, enum status *status, struct err *e);
/* Calls back for each link of the post (0: of all posts), as PostLinks.xml of a dump had them. */
enum status MUST_USE db_post_link_each(struct db *db, int64_t post_id,
                                       void (*each)(void *ctx, int64_t post_id, int64_t other_id, bool is_duplicate),
                                       void *ctx, struct err *e);
enum status MUST_USE db_post_count(struct db *db, int64_t *questions, int64_t *answers, int64_t *others, struct err *e);

/* Whether the study has the site of an id. */
enum status MUST_USE db_has_site(struct db *db, int64_t post_id, bool *has, struct err *e);

/* How many of the posts of a JSON array of ids are not held. */
enum status MUST_USE db_posts_absent(struct db *db, struct span posts, int64_t *n, struct err *e);

/* What a stored post is to coders. */
struct db_standing {
    int64_t post_id;
    bool is_answer, is_candidate;
    int64_t question_id; /* of an answer; 0: unknown */
};

/* A walk, by id, over the stored posts of a JSON array of ids (ptr NULL: all that are judged or coded). */
struct sql *db_standings(struct db *db, struct span posts);
bool db_standing_next(struct db *db, struct sql *walk, struct db_standing *post, enum status *status, struct err *e);

/* What samples are drawn from, as of the last match. DB_OUTSIDE: questions that are not candidates, and have no answer
 * that is one. */
enum db_population { DB_CANDIDATES, DB_QUESTIONS, DB_PROBLEMS, DB_OUTSIDE, DB_POPULATIONS };

struct db_item {
    struct span item_id; /* the post's id; of a problem its own */
    int64_t post_id;
    struct span created_at; /* ptr NULL when unknown */
    struct span tags;       /* with blanks between them; ptr NULL when unknown */
    struct span url;
};

/* Ordered by post id, then suffix. */
enum status MUST_USE db_population_each(struct db *db, enum db_population population,
                                        void (*each)(void *ctx, const struct db_item *item), void *ctx, struct err *e);

/* --- where keywords are in a post, as match/corpus stored them --- */

/* A keyword's place in a post: bytes start to end (the end is exclusive) of the text of the field. */
struct db_hit_text {
    struct span field, keyword, text;
    size_t start, end;
};

/* A walk over those of a post: title, then body, in the order of their places. */
struct sql *db_hits(struct db *db, int64_t post_id);
bool db_hit_next(struct db *db, struct sql *walk, struct db_hit_text *hit, enum status *status, struct err *e);
