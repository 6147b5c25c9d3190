/* forge: issues, pull requests and topics from the APIs of GitHub and Discourse. For fetch/crawl; sends through the
 * client of api.h, with its rate, waits and clock. ndjson_read reads the answers. */
#pragma once

#include "fetch/fetch.h"

#define FORGE_URL "https://api.github.com"

struct json_t;

/* --- one request --- */

struct forge_ask {
    struct span path;  /* with its query; follows the API's URL */
    struct span etag;  /* of the answer that came before; len 0: none */
    struct span query; /* of GraphQL, JSON that is posted; ptr NULL: none */
    bool is_list;      /* the answer is an array, not an object */
    bool is_second;    /* it was sent on by another */
};

/* All-zero at first; forge_reply_clear frees it. */
struct forge_reply {
    long code; /* 200; 304: as it was; else it is not to be had, and `why` says why not */
    int64_t at;
    struct span body;    /* lives until the next request */
    struct json_t *root; /* of 200 */
    struct buf etag;     /* of 200; empty: none */
    struct buf next;     /* the query of the next page of a list; empty: this is the last */
    struct buf why;
};

/* Sends it until there is an answer, and waits as the server asks. The statuses are those of api_run. */
enum status MUST_USE forge_ask(struct api *api, const struct forge_ask *ask, struct forge_reply *reply, struct err *e);
void forge_reply_clear(struct forge_reply *r);
size_t forge_count(const struct forge_reply *r); /* elements of a list; of an object 1 */
/* A member of the object that was answered; POST_ABSENT, false. */
int64_t forge_number(const struct forge_reply *r, const char *member);
bool forge_has(const struct forge_reply *r, const char *member);

/* A topic of Discourse with all posts: *whole is the first answer, which has only the first posts, with the others
 * added. *missing: posts that the topic lists and that did not come. */
enum status MUST_USE forge_topic(struct api *api, int64_t number, struct span etag, struct forge_reply *r,
                                 struct buf *whole, size_t *missing, struct err *e);

/* --- lists of a repository --- */

/* Requests lists in the order of change, each page from the last change seen: what changes in between comes again at
 * the end, and nothing moves to a page that was read. Follows the server's own pages only where one second fills a
 * page. A finished list stays at its last request, whose ETag tells next time that nothing is new. */
struct forge_place {
    struct span repository; /* "owner/name" */
    const char *list;       /* of forge_lists */
    struct buf request, etag;
    int64_t since;  /* POST_ABSENT: the beginning */
    int64_t top;    /* of GraphQL: where this reading began */
    unsigned size;  /* of GraphQL: threads at once; 0: as many as it allows */
    int64_t number; /* of GraphQL: only this discussion; 0: the list */
    bool grows;     /* size was made less for one thread, and is doubled after each answer that is whole */
    bool is_done;
};

/* "issues" (with pull requests), "issues/comments", "pulls/comments"; NULL ends. With a token: the lists of GraphQL,
 * and the last of these. */
extern const char *const forge_lists[], *const forge_token_lists[];

/* GraphQL gives whole threads in a request, but pages them by place: reads from the last change back to where the last
 * reading began. What changes in between is newer, so the next reading gets it. */
bool forge_is_graph(const struct forge_place *p);
/* The JSON to post for p->request. */
void forge_graph_query(const struct forge_place *p, struct buf *out);
/* Half as many threads at once, as the server did not get ready; false: it cannot be less. */
bool forge_narrow(struct forge_place *p);
/* Twice as many, or as many as it allows. */
void forge_widen(struct forge_place *p);
/* Whether GraphQL could not fill some fields of an answer. *why: its words. *number: the first thread of the answer, or
 * POST_ABSENT. */
bool forge_lacks(struct api *api, const struct forge_reply *r, struct buf *why, int64_t *number);
/* The next thread of an answer, from *i on, with more comments or reviews than came, and the REST list that has them
 * all ("issues/%d/comments"); NULL: no list has. False: no such thread. */
bool forge_cut_thread(const struct forge_place *p, const struct forge_reply *r, size_t *i, int64_t *number,
                      const char **part);

/* From what forge_place_write wrote, or, with ptr NULL, at the beginning. */
void forge_place_read(struct forge_place *p, struct span text);
void forge_place_write(const struct forge_place *p, struct buf *out);
/* After an answer. ST_NETWORK when the server's pages go round in a circle. */
enum status MUST_USE forge_advance(struct forge_place *p, const struct forge_reply *r, struct err *e);
void forge_place_clear(struct forge_place *p);

/* --- links --- */

enum forge_kind { FORGE_NONE, FORGE_ISSUE, FORGE_DISCUSSION, FORGE_TOPIC };

struct forge_link {
    enum forge_kind kind; /* of an issue, a pull request may come */
    struct span site;     /* "github.com/owner/name", "discuss.pytorch.org"; in the URL */
    struct span base;     /* of a topic: "https://discuss.pytorch.org", in the URL */
    int64_t number;
};

/* "owner/name", as GitHub allows it. */
bool forge_is_repository(struct span name);
/* The host of links for an API: "github.com"; borrowed. */
struct span forge_host(const char *api_url);
/* False for what is no such link. */
bool forge_link_read(struct forge_link *out, struct span url, struct span github_host);
