/* http: one exchange at a time with the API's server, on its own thread, so that an answer is stored during the next
 * exchange. Private to fetch. */
#pragma once

#include "fetch/fetch.h"

/* No answer of the API comes near: what is larger is a bomb or another mistake. */
#define HTTP_BODY_MAX ((size_t)48 << 20)

struct http;

/* "http://127.0.0.1:8080/2.3": the host is this machine. */
bool http_is_local(struct span url);

/* `secret` goes into the header Authorization, unless it is NULL. ST_IO when libcurl cannot be set up. */
enum status MUST_USE http_open(struct http **out, bool local, const char *secret, struct err *e);
/* Waits for an exchange that is under way, and forgets it. */
void http_close(struct http *h);

/* Begins to get a URL, `delay` seconds from now. */
void http_start(struct http *h, const char *url, double delay);

/* The same, but posts a JSON text, which must live until http_finish; a server may take ten minutes to answer. */
void http_post(struct http *h, const char *url, struct span json, double delay);

/* Gets a URL, or posts `json` (ptr not NULL) there, which must live until http_finish. `etag` (len 0: none) of the last
 * answer: an unchanged one comes as 304. */
void http_ask(struct http *h, const char *url, struct span etag, struct span json, double delay);
/* A header of the answer; ptr NULL when it has none. Lives until the next exchange. */
struct span http_header(struct http *h, const char *name);

struct http_reply {
    const char *failed; /* why there is no answer (static text); NULL: there is one */
    bool is_final;      /* and trying again is of no use: the certificate is wrong */
    long code;          /* 200, … */
    long retry_after;   /* seconds, a day at most; 0: the server did not say */
    struct span body;   /* decompressed; lives until the next http_start but one */
};

/* Waits for the exchange. A signal ends it early. */
void http_finish(struct http *h, struct http_reply *reply);
bool http_is_busy(const struct http *h);
/* Whether http_finish would not wait. */
bool http_is_done(struct http *h);

/* Decompresses a body by its first bytes (gzip, zlib, raw deflate when `said_deflate`, plain otherwise). False with
 * *why when it is cut off, damaged or larger than HTTP_BODY_MAX. */
bool http_decode(struct span raw, bool said_deflate, struct buf *out, const char **why);
