/* image: images of posts from untrusted servers: only the bytes say what an image is. Include it beside fetch.h. */
#pragma once

#include "base/base.h"

struct sockaddr;

enum {
    IMAGE_BYTES_MAX = 4 << 20,
    IMAGE_PIXELS_MAX = 32 << 20, /* a browser needs four bytes for each */
};

/* --- what the bytes are --- */

struct image_look {
    const char *type; /* "image/png", "image/jpeg", "image/gif" or "image/webp" */
    uint32_t width, height;
};

/* False, with static *why, for other bytes (SVG too, which can contain programs) and for more than IMAGE_PIXELS_MAX. */
bool MUST_USE image_look(struct span bytes, struct image_look *out, const char **why);

/* --- getting one --- */

/* Whether an address may be asked: port 80 or 443 of a public server, never this machine or a network around it. */
bool image_may_ask(const struct sockaddr *address);

struct image_client;

/* `test_server`, such as "127.0.0.1:8420", is the one address that may be asked although not public; NULL: none. */
enum status MUST_USE image_client_open(struct image_client **out, const char *test_server, struct err *e);
void image_client_close(struct image_client *c); /* NULL does nothing */

struct image_reply {
    const char *failed; /* why there is no image; NULL: there is one. It lives until the next call */
    bool may_pass;      /* another time it may be there */
    bool unanswered;    /* no server was reached */
    bool asks_to_wait;  /* 429 or 503 */
    long retry_after;   /* seconds, a day at most; 0: the server did not say */
    struct span bytes;  /* lives until the next call */
    struct image_look look;
};

/* Follows redirects; each address on the way must be public. A signal ends it early. */
void image_get(struct image_client *c, const char *url, struct image_reply *reply);
