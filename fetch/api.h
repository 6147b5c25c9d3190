/* api: posts from the Stack Exchange API 2.3 (https://api.stackexchange.com/docs), a part of fetch.h, which others
 * include. Times are Unix seconds. Absent values are POST_ABSENT, or spans with ptr NULL. */
#pragma once

#include "base/base.h"
#include "base/files.h"
#include "base/post/post.h"

/* --- requests --- */

enum api_method {
    API_FILTER_CREATE,
    API_TAGS,
    API_QUESTIONS,
    API_QUESTIONS_BY_ID,
    API_QUESTION_ANSWERS, /* from here on, what posts have: store.c compares */
    API_QUESTION_COMMENTS,
    API_ANSWER_COMMENTS,
    API_METHODS
};

enum {
    API_IDS_MAX = 100,   /* ids in one request */
    API_PAGE_SIZE = 100, /* items in one answer */
    API_PAGES_MAX = 25,  /* a later page is refused without a key */
    API_TAGS_MAX = 5     /* tags that are asked for at once, all of them: more find nothing */
};

/* As the documentation writes them: "/questions/{ids}/answers"; the unit of `backoff`, too. */
const char *api_method_name(enum api_method method);

struct api_request {
    enum api_method method;
    struct span ids;   /* "1;2;3", for a method with {ids} */
    struct span query; /* "order=asc&sort=activity"; site, filter and key are added on the way */
};

/* "/questions/1;2/answers?order=asc": what is kept of a request. No key is ever in it. */
void api_request_write(const struct api_request *request, struct buf *out);
/* The same back; *out points into the text. False when it is not one. */
bool api_request_read(struct span text, struct api_request *out);
/* A number of the query; POST_ABSENT when it has none of that name. */
int64_t api_query_number(struct span query, const char *name);
/* Appends "name=value" with '&' where needed; the value is percent-encoded. */
void api_query_add(struct buf *query, const char *name, struct span value);
void api_query_add_number(struct buf *query, const char *name, int64_t value);

/* --- answers --- */

struct api_answer; /* a JSON document of items */

/* False, with *why (static text) and *out NULL, for what is not an answer of the API. Keeps nothing of the bytes. */
bool api_answer_read(struct api_answer **out, struct span bytes, const char **why);
void api_answer_free(struct api_answer *a);

size_t api_answer_items(const struct api_answer *a);
bool api_answer_has_more(const struct api_answer *a);
/* `creation_date`, `last_activity_date`, … of an item by its place. */
int64_t api_answer_number(const struct api_answer *a, size_t item, const char *field);
/* `name`, `filter`, … of an item; lives as long as the answer. */
struct span api_answer_text(const struct api_answer *a, size_t item, const char *field);
/* An array of strings: filters have "included_fields". False when it has not that one. */
bool api_answer_lists(const struct api_answer *a, size_t item, const char *field, const char *value);

/* Counts and the like that the API no longer gives: a post is placed without them. */
struct api_missed {
    const char *names[8]; /* static texts */
    size_t n;
};

/* The name (static text) of a field that every item must have, and one of these lacks or has in another type; NULL: the
 * answer is whole. An absent field in `missed` is not a fault. *may_be_missed: the field could be added to it. */
const char *api_answer_faulty_field(const struct api_answer *a, enum api_method method, const struct api_missed *missed,
                                    bool *may_be_missed);
void api_missed_add(struct api_missed *missed, const char *name);

struct api_wrapper {                    /* what is around the items */
    int64_t quota_max, quota_remaining; /* the latter may be -1 */
    int64_t backoff;                    /* seconds, rounded up; 0: none */
    int64_t error_id;                   /* 0: none */
    struct span error_name, error_message;
};

struct api_wrapper api_answer_wrapper(const struct api_answer *a);

/* `site` as in struct post. */
struct api_author {
    struct span site;
    int64_t user_id;
    struct span display_name, link;
};

struct api_comment {
    struct span site;
    int64_t comment_id, post_id;
    int64_t user_id, reply_to_user_id;
    struct span user_display_name;
    int64_t score, edited; /* 0 or 1 */
    struct span created_at, deleted_at, content_license, body_html;
};

/* Of a dump: a post links to another, or was closed as its duplicate. */
struct api_link {
    int64_t post_id, other_id;
    bool is_duplicate;
    struct span created_at;
};

/* The answers of a question, or the comments of a post, as an item lists them. */
struct api_list {
    enum { API_LIST_ANSWERS, API_LIST_COMMENTS } what;
    int64_t post_id, post_type;
    const int64_t *ids;
    size_t n;
    int64_t expected; /* how many there are by the count in the list */
    bool complete;    /* n is not less than that */
};

/* Spans live for the call. A status other than ST_OK ends the walk and is returned. */
struct api_reader {
    void *ctx;
    /* False skips a question with its answers and comments; may be NULL. The question has only its id and dates set. */
    bool (*wants)(void *ctx, const struct post *question);
    enum status (*post)(void *ctx, const struct post *post, struct err *e);
    enum status (*comment)(void *ctx, const struct api_comment *comment, struct err *e);
    enum status (*author)(void *ctx, const struct api_author *author, struct err *e);
    enum status (*link)(void *ctx, const struct api_link *link, struct err *e);
    enum status (*list)(void *ctx, const struct api_list *list, struct err *e);
    /* An item that cannot be used, by its id (0: unknown); why is static text. */
    void (*refused)(void *ctx, int64_t id, const char *why);
    /* Text that was escaped twice, by the id of the post or user that it belongs to. */
    void (*escaped_twice)(void *ctx, int64_t id, struct span text);
    bool safe_filter; /* the filter escapes text for HTML: titles and names are decoded once */
};

/* All posts, comments and authors of the items of an answer to `method`, questions before their answers. */
enum status MUST_USE api_answer_each(const struct api_answer *a, enum api_method method,
                                     const struct api_reader *reader, struct err *e);

struct api_glance {
    int64_t quota_remaining, last_activity; /* the latter of any post in it */
};

/* Fills *out from the bytes of an answer that says that there is more and asks for no wait. False when that is not so,
 * or not obvious. May be wrong about an answer that is not from the API. */
bool api_glance(struct span bytes, struct api_glance *out);

/* --- walks: which request comes next; api_walk.c tells why nothing is lost --- */

/* The questions with a tag that were created in a span of time, by their last activity. */
struct api_walk {
    struct span tag;          /* or several, joined by ';': questions that have all of them */
    int64_t from, to;         /* of creation, both inclusive; POST_ABSENT: open */
    int64_t cursor;           /* what was active before this second was seen; POST_ABSENT: none */
    int64_t tie_from, tie_to; /* of creation: the part of a crowded second that is asked for */
    int64_t page;             /* 1, but in a crowded second that cannot be divided */
    bool is_done;             /* nothing newer is there */
    bool is_stuck;            /* the API gives it no way on */
};

/* *query is emptied first. */
void api_walk_query(const struct api_walk *w, struct buf *query);
/* Where the walk most likely continues after an answer that was only glanced at; false: hard to say. */
bool api_walk_guess(const struct api_walk *w, const struct api_glance *glance, struct api_walk *next);
/* Moves on after an answer that came at `now`. ST_NETWORK when it is stuck. */
enum status MUST_USE api_walk_advance(struct api_walk *w, const struct api_answer *a, int64_t now, struct err *e);
/* From 0 to 1: how far the walk is at `now`. */
double api_walk_share(const struct api_walk *w, int64_t now);

/* --- the client --- */

enum { API_FILTER_TEXT = 128 };

enum api_quota_of { API_QUOTA_ADDRESS, API_QUOTA_KEY, API_QUOTA_TOKEN };

/* What has to outlive the process, so that a restarted one is as polite as an old one. */
struct api_state {
    int64_t quota_max, quota_remaining; /* of the last answer; POST_ABSENT: unknown */
    int64_t quota_at;                   /* when that was; POST_ABSENT: never */
    int64_t quota_of;                   /* whose that is, see enum api_quota_of; POST_ABSENT: unknown */
    int64_t quota_since;                /* when the quota was last seen to be filled up */
    int64_t quota_until;                /* none is left before this; 0: some is */
    int64_t not_before[API_METHODS];    /* 0: at any time */
    int64_t all_not_before;             /* of every method */
    char filter[API_FILTER_TEXT];       /* "": none was made yet */
    bool filter_is_safe;
    int64_t filter_fields; /* a hash of what was asked to be in the filter */
};

struct api_state api_state_empty(void);

struct api_options {
    const char *url; /* NULL: API_URL */
    struct span site;
    const char *key, *token; /* NULL for none; copied. The token goes first */
    bool key_in_query;       /* send them as parameters, not as header */
    double rate;             /* requests in a second, at most API_RATE_MAX; 0: no limit */
    int64_t quota_reserve;   /* requests that are left to others */
    int64_t max_wait;        /* seconds to wait for leave to go on; longer: stop */
};

#define API_URL "https://api.stackexchange.com/2.3"
#define API_RATE_MAX 25

struct api;

/* ST_USAGE for a URL that is not one, plain http to another machine, or no limit for one. */
enum status MUST_USE api_check(const struct api_options *options, struct err *e);
/* Checks them, too. The state is copied. */
enum status MUST_USE api_open(struct api **out, const struct api_options *options, const struct api_state *state,
                              struct err *e);
void api_close(struct api *api);
const struct api_state *api_state(const struct api *api);
enum status MUST_USE api_now(struct api *api, int64_t *now, struct err *e);
/* Sends nothing for so many seconds from the next request on. */
void api_rest(struct api *api, int64_t seconds);

struct api_take {
    struct span request; /* as api_request_write writes it, with site and filter */
    const struct api_answer *answer;
    struct span packed; /* the answer as it came, by api_pack */
    enum api_method method;
    int64_t answered_at;
    const struct api_state *state;
};

/* A chain of requests. */
struct api_job {
    void *ctx;
    /* The next request; its spans live until the next call. False: there is none. Called once for each request, after
     * `seen` of the last one. */
    bool (*next)(void *ctx, struct api_request *out);
    /* Guesses the request that `next` will give after such an answer; changes nothing. Spans live until the next call.
     * False, or NULL: unknown. */
    bool (*guess)(void *ctx, const struct api_glance *glance, struct api_request *out);
    /* An answer came; moves the job's state, which `next` and `take` look at. */
    enum status (*seen)(void *ctx, const struct api_answer *a, int64_t now, struct err *e);
    /* Keeps an answer with the state that `seen` made, in one transaction. The next request may already be sent. */
    enum status (*take)(void *ctx, const struct api_take *take, struct err *e);
    /* Keeps the client's state, after an answer that brought no items. */
    enum status (*save)(void *ctx, const struct api_state *state, struct err *e);
};

/* Sends the requests of a job one after the other; waits and repeats as the API asks. ST_NO: the quota is used up, or
 * the API asks for a longer wait than max_wait: see api_pause. ST_NETWORK: gave up after several tries. ST_INPUT: the
 * API refuses key, site or parameters. A signal ends it with its exit code. Always keeps what was taken before. */
enum status MUST_USE api_run(struct api *api, const struct api_job *job, struct err *e);

/* Makes the filter that all other requests need, unless the state has one. Calls only take and save of `keeper`. */
enum status MUST_USE api_filter(struct api *api, const struct api_job *keeper, struct err *e);

/* After ST_NO: when it may go on, and why not now (static text). */
int64_t api_pause(const struct api *api, const char **why);
uint64_t api_requests(const struct api *api); /* sent so far, repeated ones too */

/* --- keeping answers --- */

/* Zstandard, with a checksum. */
void api_pack(struct span bytes, struct buf *out);
/* False for what api_pack did not write. */
bool api_unpack(struct span packed, struct buf *out);

/* --- time --- */

/* "2018-01-02T03:04:05.000Z"; false outside the years 1970 to 9999. */
bool api_time_text(int64_t seconds, char out[TIME_TEXT_SIZE]);
/* Of "2018-01-02" or an ISO date as date_read takes it; false when it is not one. */
bool api_time_of(struct span text, int64_t *seconds);
