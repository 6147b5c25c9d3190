/*
 * The client: what it may send when, how it treats bad answers, and what it remembers.
 *
 * - An error has HTTP status 400 and its own number in the body; both are read before it is judged.
 * - `backoff` applies to a method (the path with {ids}) and comes with good answers; it is obeyed with MARGIN seconds
 *   on top, since the bare number proved too short. A throttled answer with seconds closes all methods for so long. The
 *   state has both, and is kept with the answer, before the next request.
 * - The quota is full again at most 24 hours after the first request, by either stated rule (a rolling day, midnight
 *   UTC); then the client continues.
 * - One request is under way at a time. The next one is sent as soon as it is known, while the last answer is read and
 *   stored.
 * - After all other faults (no connection, 5xx, HTML, a stream that is cut off, JSON without items, items without a
 *   field that every item has, no items but more of them) it sends the request again, later each time, up to TRIES
 *   times.
 */
#include "fetch/api_client.h"

#include "base/log.h"
#include "base/signals.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

enum {
    TRIES_ODD = 5,  /* of a request whose answer is odd, but may be meant so */
    TRIES = 8,      /* of a request without an answer */
    THROTTLES = 20, /* in a row */
    DELAY_MAX = 60, /* seconds between two tries */
};

struct api_state api_state_empty(void)
{
    return (struct api_state){
        .quota_max = POST_ABSENT,
        .quota_remaining = POST_ABSENT,
        .quota_of = POST_ABSENT,
        .quota_at = POST_ABSENT,
        .quota_since = POST_ABSENT,
    };
}

/* --- sending --- */

static void add_secret(struct buf *url, const char *name, const char *secret)
{
    AT_END(buf_clear) struct buf parameter = {0};

    if (secret == NULL)
        return;
    api_query_add(&parameter, name, span_of(secret));
    buf_add_char(url, memchr(url->ptr, '?', url->len) != NULL ? '&' : '?');
    buf_add_span(url, buf_span(&parameter));
}

/* What is kept goes to api->request, what is sent to api->full_url. */
static void compose(struct api *api, const struct api_request *request)
{
    AT_END(buf_clear) struct buf query = {0};
    struct api_request whole = *request;

    bool has_filter = request->method != API_FILTER_CREATE && request->method != API_TAGS;
    buf_add_span(&query, request->query);
    if (request->method != API_FILTER_CREATE)
        api_query_add(&query, "site", buf_span(&api->site));
    if (has_filter && api->state.filter[0] != '\0')
        api_query_add(&query, "filter", span_of(api->state.filter));
    whole.query = buf_span(&query);
    buf_reset(&api->request);
    api_request_write(&whole, &api->request);
    buf_set(&api->full_url, buf_span(&api->url));
    buf_add_span(&api->full_url, buf_span(&api->request));
    if (api->key_in_query) {
        add_secret(&api->full_url, "key", api->key);
        add_secret(&api->full_url, "access_token", api->token);
    }
    api->method = request->method;
}

/* Sends what compose made. */
static enum status MUST_USE send_it(struct api *api, struct err *e)
{
    double delay;
    enum status status = pace_await_turn(api, &delay, e);

    if (status == ST_OK)
        http_start(api->http, buf_cstr(&api->full_url), delay);
    return status;
}

/* --- one request until it has its answer --- */

enum status client_go_on(struct api *api, enum verdict verdict, unsigned *tries, unsigned *throttles, struct err *e)
{
    if (verdict == REFUSED)
        return e->status;
    if (verdict == THROTTLED)
        return ++*throttles < THROTTLES
                   ? ST_OK
                   : err_set(e, ST_NETWORK, "the API throttles again and again; run it again later");
    if (++*tries >= TRIES) {
        struct err why = *e;
        return err_set(e, ST_NETWORK, "%.900s; gave up after %u tries. What was fetched is kept: run it again later",
                       why.text, *tries);
    }
    double delay = ldexp(1, (int)*tries - 1);
    double jitter = 0.5 + (double)random_below(&api->random, 1000) / 1000;

    delay = (delay < DELAY_MAX ? delay : DELAY_MAX) * jitter;
    if (delay < api->least_delay)
        delay = api->least_delay * (1 + jitter / 4);
    log_debug("%s; trying again in %.1f s", e->text, delay);
    return pace_sleep(api, delay, e);
}

/* After what is not a good answer: ST_OK when the request is under way again. */
static enum status MUST_USE recover(struct api *api, const struct api_job *job, enum verdict verdict, unsigned *tries,
                                    unsigned *throttles, struct err *e)
{
    struct err why = *e;
    enum status status = api->state_changed ? job->save(job->ctx, &api->state, e) : ST_OK;

    api->state_changed = false;
    if (status != ST_OK)
        return status;
    *e = why;
    status = client_go_on(api, verdict, tries, throttles, e);
    return status == ST_OK ? send_it(api, e) : status;
}

/* --- a request that goes ahead ---
 *
 * To read an answer takes a good part of the time in which the server makes the next one. So where a
 * glance shows what will be asked for, that is sent before the answer is read. When the answer then
 * says something else (or is to be asked for again), what comes ahead is thrown away, but for what it
 * says about waiting; nothing is lost by a wrong guess but one request. */

static void keep_request(struct api *api)
{
    struct buf swapped = api->taken_request;

    api->taken_request = api->request;
    api->request = swapped;
}

/* Whether the next request can be sent before the answer is kept: not after a wait, which must not be forgotten. */
static bool may_go_on_at_once(const struct api *api, enum api_method method, int64_t now)
{
    const char *why;

    return pace_leave_at(api, method, &why) <= now && !signals_stop_asked();
}

static enum status MUST_USE go_ahead(struct api *api, const struct api_job *job, const struct http_reply *reply,
                                     int64_t now, struct err *e)
{
    struct api_glance glance;
    struct api_request guess;

    if (job->guess == NULL || reply->failed != NULL || reply->code != 200 ||
        !may_go_on_at_once(api, api->method, now) || !api_glance(reply->body, &glance) ||
        glance.quota_remaining <= api->quota_reserve || !job->guess(job->ctx, &glance, &guess) ||
        guess.method != api->method)
        return ST_OK;
    buf_set(&api->guessed, guess.query);
    keep_request(api);
    compose(api, &guess);
    api->is_ahead = true;
    return send_it(api, e);
}

/* What is under way was not to be sent. */
static void call_back(struct api *api, int64_t now)
{
    struct http_reply reply;
    struct api_answer *answer;
    struct err ignored;

    http_finish(api->http, &reply);
    judge(api, &reply, 0, now, &answer, &ignored);
    api_answer_free(answer);
    api->is_ahead = false;
}

/* The request was sent. The caller owns the answer; *body lives until the next http_start but one, the first of which
 * may be that of a guess. */
static enum status MUST_USE await_answer(struct api *api, const struct api_job *job, const struct api_request *request,
                                         struct api_answer **answer, struct span *body, int64_t *now, struct err *e)
{
    unsigned tries = 0, throttles = 0, odd = 0;

    for (;;) {
        struct http_reply reply;
        http_finish(api->http, &reply);
        enum status status = api_now(api, now, e);
        if (status == ST_OK && reply.failed != NULL && signals_stop_asked())
            status = pace_stopped(e);
        THEN(status, go_ahead(api, job, &reply, *now, e));
        if (status != ST_OK)
            return status;
        enum verdict verdict = judge(api, &reply, throttles, *now, answer, e);
        if (verdict == ODD && ++odd >= TRIES_ODD) {
            log_warn("%s; taken as it is after %u tries%s", e->text, odd,
                     api->lacks != NULL ? ", and so are all later answers of this run" : "");
            if (api->lacks != NULL)
                api_missed_add(&api->missed, api->lacks);
            verdict = GOOD;
        }
        if (verdict == GOOD) {
            *body = reply.body;
            return ST_OK;
        }
        api_answer_free(*answer);
        *answer = NULL;
        if (api->is_ahead) {
            call_back(api, *now);
            compose(api, request);
        }
        status = recover(api, job, verdict, &tries, &throttles, e);
        if (status != ST_OK)
            return status;
    }
}

/* --- a chain of them --- */

/* Sends the next request (NULL: none). *sent: it is on its way; else it waits until the last answer is kept. */
static enum status MUST_USE send_next(struct api *api, const struct api_request *next, int64_t now, bool *sent,
                                      struct err *e)
{
    bool ahead = api->is_ahead;

    *sent = ahead && next != NULL && next->method == api->method && next->ids.len == 0 &&
            span_eq(next->query, buf_span(&api->guessed));
    api->is_ahead = false;
    if (*sent)
        return ST_OK;
    if (ahead)
        call_back(api, now);
    else
        keep_request(api);
    if (next == NULL)
        return ST_OK;
    compose(api, next);
    if (ahead || !may_go_on_at_once(api, next->method, now))
        return ST_OK;
    *sent = true;
    return send_it(api, e);
}

enum status api_run(struct api *api, const struct api_job *job, struct err *e)
{
    struct api_request request;
    bool has_next = job->next(job->ctx, &request);
    enum status status = ST_OK;
    int64_t now = 0;

    if (has_next) {
        compose(api, &request);
        status = send_it(api, e);
    }
    while (has_next && status == ST_OK) {
        struct api_answer *answer = NULL;
        struct span body;
        enum api_method method = api->method;
        bool sent = false;
        status = await_answer(api, job, &request, &answer, &body, &now, e);
        THEN(status, job->seen(job->ctx, answer, now, e));
        if (status == ST_OK) {
            has_next = job->next(job->ctx, &request);
            status = send_next(api, has_next ? &request : NULL, now, &sent, e);
        }
        if (status == ST_OK) {
            api_pack(body, &api->packed);
            struct api_take taken = {.request = buf_span(&api->taken_request),
                                     .answer = answer,
                                     .packed = buf_span(&api->packed),
                                     .method = method,
                                     .answered_at = now,
                                     .state = &api->state};
            api->state_changed = false;
            status = job->take(job->ctx, &taken, e);
        }
        api_answer_free(answer);
        if (status == ST_OK && has_next && !sent)
            status = send_it(api, e);
    }
    if (http_is_busy(api->http))
        call_back(api, now);
    api->is_ahead = false;
    return status;
}

/* --- opening --- */

static struct span base_of(const struct api_options *options)
{
    struct span text = span_of(options->url != NULL ? options->url : API_URL);

    while (text.len > 0 && text.ptr[text.len - 1] == '/')
        text.len--;
    return text;
}

enum status api_check(const struct api_options *options, struct err *e)
{
    struct span text = base_of(options);

    if (http_is_local(text))
        return ST_OK;
    if (options->rate <= 0)
        return err_set(e, ST_USAGE, "fetch: --rate 0 is for a server on this machine");
    if (span_starts(text, SPAN("http://")))
        return err_set(e, ST_USAGE,
                       "plain http would show the key and let others change the answers; use https,"
                       " or http://127.0.0.1 for a test server");
    struct span scheme = SPAN("https://");
    if (!span_starts(text, scheme) || text.len == scheme.len || memchr(text.ptr, '?', text.len) != NULL ||
        memchr(text.ptr, '@', text.len) != NULL)
        return err_set(e, ST_USAGE, "'%s' is not a URL such as " API_URL, options->url);
    return ST_OK;
}

/* If the clock was ahead when the state was kept, moves the state's times back: otherwise all runs would wait until the
 * time that it showed. Waits keep their intended length. */
static enum status MUST_USE look_at_clock(struct api *api, struct err *e)
{
    enum { LEEWAY = 300 };
    struct api_state *s = &api->state;
    int64_t now, *const times[] = {&s->quota_since, &s->quota_until, &s->all_not_before};
    enum status status = api_now(api, &now, e);
    int64_t ahead = status == ST_OK && s->quota_at != POST_ABSENT ? s->quota_at - now : 0;

    if (ahead <= LEEWAY)
        return status;
    log_warn("the clock was set back by %" PRId64 " s since the last run", ahead);
    s->quota_at = now;
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        if (*times[i] > ahead)
            *times[i] -= ahead;
    for (enum api_method m = 0; m < API_METHODS; m++)
        if (s->not_before[m] > ahead)
            s->not_before[m] -= ahead;
    return ST_OK;
}

enum status api_open(struct api **out, const struct api_options *options, const struct api_state *state, struct err *e)
{
    struct api *api = mem_zero(1, sizeof *api);
    const char *secret = options->token != NULL ? options->token : options->key;
    const char *clock = getenv("PPMINE_API_CLOCK");

    *out = NULL;
    api->state = *state;
    api->key = options->key != NULL ? mem_text(span_of(options->key)) : NULL;
    api->token = options->token != NULL ? mem_text(span_of(options->token)) : NULL;
    api->key_in_query = options->key_in_query;
    /* A little over, as requests may be delayed on their way, and then come closer together. */
    api->gap = options->rate > 0 ? 1.1 / options->rate : 0;
    api->quota_reserve = options->quota_reserve;
    api->max_wait = options->max_wait;
    buf_add_span(&api->site, options->site);
    random_seed(&api->random, (uint64_t)(time_monotonic() * 1e6) ^ (uint64_t)getpid());
    buf_add_span(&api->url, base_of(options));
    api->local = http_is_local(buf_span(&api->url));
    enum status status = api_check(options, e);
    THEN(status, http_open(&api->http, api->local, options->key_in_query ? NULL : secret, e));
    if (status == ST_OK && clock != NULL && api->local && http_is_local(span_of(clock))) {
        buf_add_text(&api->clock_url, clock);
        status = http_open(&api->clock_http, true, NULL, e);
    }
    THEN(status, look_at_clock(api, e));
    /* A quota that another key used up, or more of which was to be left than now, stops nobody. */
    struct api_state *s = &api->state;
    int64_t quota_of = api->token != NULL ? API_QUOTA_TOKEN : api->key != NULL ? API_QUOTA_KEY : API_QUOTA_ADDRESS;

    if (s->quota_of != POST_ABSENT && s->quota_of != quota_of) {
        s->quota_max = s->quota_remaining = s->quota_since = POST_ABSENT;
        s->quota_until = 0;
    }
    s->quota_of = quota_of;
    if (s->quota_remaining > 0 && s->quota_remaining > api->quota_reserve)
        s->quota_until = 0;
    if (status == ST_OK)
        *out = api;
    else
        api_close(api);
    return status;
}

static void forget(char *secret)
{
    if (secret != NULL)
        explicit_bzero(secret, strlen(secret));
    mem_free(secret);
}

void api_close(struct api *api)
{
    if (api == NULL)
        return;
    http_close(api->http);
    http_close(api->clock_http);
    forget(api->key);
    forget(api->token);
    struct buf *const bufs[] = {&api->url,      &api->clock_url,     &api->site,   &api->request,
                                &api->full_url, &api->taken_request, &api->packed, &api->guessed};
    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        buf_clear(bufs[i]);
    mem_free(api);
}

const struct api_state *api_state(const struct api *api)
{
    return &api->state;
}

void api_rest(struct api *api, int64_t seconds)
{
    api->pause = seconds;
}

uint64_t api_requests(const struct api *api)
{
    return api->requests;
}
