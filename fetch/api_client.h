/* api_client: what the parts of the client share; for fetch/api_*.c only. api_client.c explains the rules. */
#pragma once

#include "base/random.h"
#include "fetch/api_http.h"

enum {
    MARGIN = 2, /* seconds on top of what the API asks for */
    QUOTA_SECONDS = 86400,
};

struct api {
    struct http *http, *clock_http;
    struct buf url, clock_url; /* the bases */
    struct buf site;
    char *key, *token;
    bool local, key_in_query;
    double gap; /* seconds between two requests */
    int64_t quota_reserve, max_wait, pause;
    struct api_state state;
    bool state_changed; /* since it was kept */
    struct random random;
    uint64_t requests;

    int64_t pause_until;
    const char *pause_why;

    double last_start; /* of the clock that paces: see pace */
    bool has_started;
    enum api_method method; /* of the request that is under way */
    struct buf request, full_url;
    struct buf taken_request, packed; /* of the answer that is handed out */
    bool is_ahead;                    /* a guessed request is under way while the answer before it is read */
    struct buf guessed;               /* its query */
    double least_delay;               /* before the next try */
    struct api_missed missed;         /* fields that were absent from all tries of a page */
    const char *lacks;                /* of the last answer that was odd: such a field, or NULL */
};

/* --- api_pace.c: time, and leave to send --- */

/* The status of the signal that asked to stop. */
enum status pace_stopped(struct err *e);
enum status MUST_USE pace_sleep(struct api *api, double seconds, struct err *e);
/* When a method may be used again; 0: now. */
int64_t pace_leave_at(const struct api *api, enum api_method method, const char **why);
/* Waits until the next request may use api->method; ST_NO when that takes too long. *delay: seconds that the rate still
 * asks for after this sleep; a test's clock gets them instead. */
enum status MUST_USE pace_await_turn(struct api *api, double *delay, struct err *e);

/* --- api_judge.c: what is made of an answer --- */

/* Appends a server's text for a message: in ASCII without control characters, and without our secrets, which it may
 * repeat, plain or percent-encoded. */
void judge_add_clean(const struct api *api, struct buf *out, struct span text);
/* A server asks to wait: no request before `until`. `not_before` is one of the two in api->state. */
void judge_note_wait(struct api *api, int64_t *not_before, int64_t until);

enum verdict {
    GOOD,
    AGAIN,     /* ask once more, later each time */
    ODD,       /* the same, but it may be meant so */
    THROTTLED, /* ask once more; api->state says when */
    REFUSED,
};

/* Seconds to wait after an answer that asks for it and names none, when so many came before it. */
int64_t judge_penalty(unsigned throttles);
/* `throttles` in a row came before. *answer is the caller's, NULL if there is none; *e is set unless it is GOOD. */
enum verdict judge(struct api *api, const struct http_reply *reply, unsigned throttles, int64_t now,
                   struct api_answer **answer, struct err *e);

/* --- api_client.c: what all clients do --- */

/* After a bad answer, which *e explains: waits, longer after each try. ST_OK: it may be sent again. */
enum status MUST_USE client_go_on(struct api *api, enum verdict verdict, unsigned *tries, unsigned *throttles,
                                  struct err *e);
