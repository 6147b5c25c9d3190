/*
 * web: the pages on which a study is coded, settled and seen, and the same as JSON below /api/. May include all rooms
 * but cli, check and those that fetch posts, and of the benchmark only its results.
 *
 * web_answer answers a request as data, without a socket, for tests and fuzzers; web_listen adds libmicrohttpd.
 *
 * A request must name a host of the list, since a stranger's page could send a browser here under its own name (DNS
 * rebinding). It must bring a cookie, which only a launch link gives. A write must come from our page (Sec-Fetch-Site,
 * Origin). Nobody gets another coder's decisions before the settling is open.
 */
#pragma once

#include "base/base.h"

enum {
    WEB_BODY_MAX = 128 * 1024, /* bytes of a request's body */
    WEB_TARGET_MAX = 8 * 1024, /* of its path and query */
    WEB_CONNECTIONS_MAX = 128,
    WEB_CONNECTIONS_SPARE = 16, /* places that are kept free: connections without a session make room */
    WEB_HEAD_SECONDS = 10,      /* for the head of a request to come in */
    WEB_SECONDS_MAX = 30,       /* for a request to come in, and its answer to be taken */
    WEB_IDLE_SECONDS = 15       /* of a connection between requests */
};

struct web_options {
    const char *db_path;
    struct span coder;        /* an owner, who gets the launch link; len 0: nobody */
    const char *address;      /* to listen on; NULL: 127.0.0.1 */
    uint16_t port;            /* 0: any that is free */
    const char *const *hosts; /* names under which a proxy is reached, "study.example.org"; NULL ends */
    const char *posts;        /* a list of posts to be coded, in its order; NULL: the candidates */
    const char *coders;       /* a file of web_invite: coders with personal links; NULL: none */
    bool blind;               /* no hints */
};

struct web;

/* Opens the database once, so that what is wrong is said now. *options is copied, but for its texts. */
enum status MUST_USE web_open(struct web **out, const struct web_options *options, struct err *e);
void web_close(struct web *w); /* NULL does nothing */

/* --- coders with personal links --- */

/* Draws a link for this coder and writes its hash to the file, which it makes if needed; revokes the coder's older
 * link. *token: for "…/launch?token=". `coder` is a name as coder_name_check gives it. */
enum status MUST_USE web_invite(const char *path, struct span coder, bool is_owner, struct buf *token, struct err *e);
/* The link no longer works, nor does a session that it gave; a server that runs follows. ST_NO: there is none. */
enum status MUST_USE web_revoke(const char *path, struct span coder, struct err *e);

/* --- requests as data --- */

/* Headers that are missing are empty spans. All borrowed for the call. */
struct web_request {
    struct span method, target; /* target: the path and the query, as sent */
    struct span host, origin, fetch_site, cookie, content_type, accept, forwarded_proto;
    struct span body;
    int64_t user;   /* of this machine, who sent it; -1: from elsewhere, or not known */
    bool malformed; /* one of the headers above came twice, or the head is not as HTTP has it */
};

struct web_answer {
    unsigned code; /* 200, 303, … */
    const char *type;
    struct buf body, location, cookie; /* location and cookie may be empty */
    bool save;                         /* it is a file to be saved, not a page */
    bool keep;                         /* a browser may keep it for a day */
    bool refresh;                      /* the page is to be asked for again in a moment */
    bool retry;                        /* the database was busy: the same request may work soon */
};

/* The header lines that every answer has; NULL ends. */
extern const char *const web_headers[][2];

/* Answers; for any number of threads. *answer is all zero before; web_answer_clear. */
void web_answer(struct web *w, const struct web_request *request, struct web_answer *answer);
/* Does it have a session? */
bool web_knows(struct web *w, const struct web_request *request);
void web_answer_clear(struct web_answer *answer);

/* --- a server --- */

/* Listens and answers in its own threads until web_close. ST_IO when the port is taken. */
enum status MUST_USE web_listen(struct web *w, struct err *e);
/* Ends connections that take too long; moves saves from the write-ahead log into the file. The caller calls it about
 * once a second, from one thread. */
void web_watch(struct web *w);
/* The launch link, which works once; "" without a coder. Known after web_listen. */
void web_link(const struct web *w, struct buf *out);
bool web_link_is_used(struct web *w);
/* "http://127.0.0.1:8420/" */
void web_address(const struct web *w, struct buf *out);
/* Requests that data tests send come to this port. */
void web_set_port(struct web *w, uint16_t port);
