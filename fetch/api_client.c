/*
 * The client: what it may send when, what it makes of answers that are none, and what it remembers.
 *
 * - An error has HTTP status 400 and its own number in the body; both are read before it is judged.
 * - `backoff` is for a method (the path with {ids}), comes with good answers, and is obeyed with
 *   MARGIN seconds on top, as the bare number was seen to be too short. A throttled answer that
 *   names seconds closes all methods for so long. Both are in the state, which is kept with the
 *   answer that brought it, before the next request is sent.
 * - The quota is full again 24 hours after the first request at the latest, whichever of the two
 *   rules that are told (a rolling day, midnight UTC) is true, so that is when it goes on.
 * - Whatever else comes (no connection, 5xx, HTML, a stream that is cut off, JSON without items,
 *   items without what every item has, no items but more of them) is asked for again, later each
 *   time, up to TRIES times.
 */
#define _GNU_SOURCE
#include "fetch/api_http.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    MARGIN = 2,         /* seconds on top of what the API asks for */
    TRIES = 8,          /* of a request without an answer */
    TRIES_ODD = 5,      /* of one whose answer is odd, but may be meant so */
    THROTTLES = 20,     /* in a row */
    DELAY_MAX = 60,     /* seconds between two tries */
    EDGE_SECONDS = 30,  /* after a page of the edge, which bans for so long at least */
    PENALTY = 60,       /* seconds after a throttled answer that names none; doubled each time */
    PENALTY_MAX = 3840,
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
    struct buf taken_request, bytes; /* of the answer that is handed out */
    double least_delay;              /* before the next try */
};

struct api_state api_state_empty(void)
{
    return (struct api_state){
        .quota_max = POST_ABSENT,
        .quota_remaining = POST_ABSENT,
        .quota_at = POST_ABSENT,
        .quota_since = POST_ABSENT,
    };
}

/* --- time --- */

/* The clock of a test server: its time is read from there, and sleeping is told to it. */
static enum status MUST_USE ask_clock(struct api *api, const char *query, double *now,
                                      struct err *e)
{
    struct buf url = {0};
    struct http_reply reply;

    buf_addf(&url, "%s%s", buf_cstr(&api->clock_url), query);
    http_start(api->clock_http, buf_cstr(&url), 0);
    http_finish(api->clock_http, &reply);
    size_t at = reply.failed == NULL ? span_find(reply.body, SPAN("\"now\":")) : SIZE_MAX;
    char text[32] = "";
    if (at != SIZE_MAX)
        snprintf(text, sizeof text, "%.*s", (int)(reply.body.len - at - 6), reply.body.ptr + at + 6);
    char *end = text;
    *now = strtod(text, &end);
    if (end == text)
        err_set(e, ST_NETWORK, "%s: no clock answers there: %s", buf_cstr(&url),
                reply.failed != NULL ? reply.failed : "not the answer of one");
    buf_clear(&url);
    return end == text ? ST_NETWORK : ST_OK;
}

static enum status MUST_USE read_clock(struct api *api, double *now, struct err *e)
{
    struct timespec time;

    if (api->clock_http != NULL)
        return ask_clock(api, "", now, e);
    clock_gettime(CLOCK_REALTIME, &time);
    *now = (double)time.tv_sec + (double)time.tv_nsec / 1e9;
    return ST_OK;
}

enum status api_now(struct api *api, int64_t *now, struct err *e)
{
    double seconds = 0;
    enum status status = read_clock(api, &seconds, e);

    *now = (int64_t)seconds;
    return status;
}

static enum status stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(),
                   "stopped; what was fetched so far is kept: the same command again goes on");
}

static enum status MUST_USE sleep_for(struct api *api, double seconds, struct err *e)
{
    char query[64];

    if (signals_stop_asked())
        return stopped(e);
    if (seconds <= 0)
        return ST_OK;
    if (api->clock_http != NULL) {
        double now;
        snprintf(query, sizeof query, "?sleep=%.3f", seconds);
        return ask_clock(api, query, &now, e);
    }
    for (double end = time_monotonic() + seconds; time_monotonic() < end;) {
        double left = end - time_monotonic(), piece = left < 0.5 ? left : 0.5;
        struct timespec time = {0, (long)(piece * 1e9)};
        if (piece > 0)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        if (signals_stop_asked())
            return stopped(e);
    }
    return ST_OK;
}

/* --- leave to send --- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t leave_at(const struct api *api, enum api_method method, const char **why)
{
    const struct api_state *s = &api->state;
    int64_t asked = later(s->not_before[method], s->all_not_before);

    *why = s->quota_until > asked ? "the quota is used up" : "the API asked to wait";
    return later(asked, s->quota_until);
}

/* Waits until a method may be used; ST_NO when that is too long. */
static enum status MUST_USE await_leave(struct api *api, enum api_method method, struct err *e)
{
    const char *why;
    double now;
    int64_t until = leave_at(api, method, &why);

    if (until == 0 && api->pause == 0)
        return signals_stop_asked() ? stopped(e) : ST_OK;
    enum status status = read_clock(api, &now, e);
    if (status != ST_OK)
        return status;
    until = later(until, api->pause > 0 ? (int64_t)now + api->pause : 0);
    api->pause = 0;
    double left = (double)until - now;
    if (left <= 0)
        return signals_stop_asked() ? stopped(e) : ST_OK;
    if (left > (double)api->max_wait) {
        api->pause_until = until;
        api->pause_why = why;
        return err_set(e, ST_NO, "%s", why);
    }
    log_debug("waiting %.0f s: %s", left, why);
    return sleep_for(api, left, e);
}

int64_t api_pause(const struct api *api, const char **why)
{
    *why = api->pause_why != NULL ? api->pause_why : "";
    return api->pause_until;
}

/* Seconds until the next request may start by the rate alone. A request starts when the thread has
 * slept so long; with a test's clock, that is told to it instead. */
static enum status MUST_USE pace(struct api *api, double *delay, struct err *e)
{
    double now = time_monotonic();
    enum status status = ST_OK;

    *delay = 0;
    if (api->gap <= 0)
        return ST_OK;
    if (api->clock_http != NULL)
        status = read_clock(api, &now, e);
    /* Another process may have sent the last one just now. */
    if (status == ST_OK)
        *delay = api->has_started ? api->last_start + api->gap - now : api->gap;
    if (*delay < 0)
        *delay = 0;
    api->last_start = now + *delay;
    api->has_started = true;
    if (status == ST_OK && api->clock_http != NULL) {
        status = sleep_for(api, *delay, e);
        *delay = 0;
    }
    return status;
}

/* --- sending --- */

static void add_parameters(const struct api *api, const struct api_request *request,
                           struct buf *query)
{
    bool has_filter = request->method != API_FILTER_CREATE && request->method != API_TAGS;

    buf_add_span(query, request->query);
    if (request->method != API_FILTER_CREATE)
        api_query_add(query, "site", buf_span(&api->site));
    if (has_filter && api->state.filter[0] != '\0')
        api_query_add(query, "filter", span_of(api->state.filter));
}

static void add_secret(struct buf *url, const char *name, const char *secret)
{
    struct buf parameter = {0};

    if (secret == NULL)
        return;
    api_query_add(&parameter, name, span_of(secret));
    buf_add_char(url, memchr(url->ptr, '?', url->len) != NULL ? '&' : '?');
    buf_add_span(url, buf_span(&parameter));
    buf_clear(&parameter);
}

/* What is kept goes to api->request, what is sent to api->full_url. */
static void compose(struct api *api, const struct api_request *request)
{
    struct buf query = {0};
    struct api_request whole = *request;

    add_parameters(api, request, &query);
    whole.query = buf_span(&query);
    buf_reset(&api->request);
    api_request_write(&whole, &api->request);
    buf_clear(&query);
    buf_reset(&api->full_url);
    buf_add_span(&api->full_url, buf_span(&api->url));
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
    double delay = 0;
    enum status status = await_leave(api, api->method, e);

    if (status == ST_OK)
        status = pace(api, &delay, e);
    if (status != ST_OK)
        return status;
    api->requests++;
    http_start(api->http, buf_cstr(&api->full_url), delay);
    return ST_OK;
}

/* --- what an answer says about the next one --- */

static void note_quota(struct api *api, const struct api_wrapper *w, int64_t now)
{
    struct api_state *s = &api->state;

    if (w->quota_remaining == POST_ABSENT)
        return;
    if (s->quota_since == POST_ABSENT || s->quota_remaining == POST_ABSENT ||
        w->quota_remaining > s->quota_remaining || now - s->quota_since >= QUOTA_SECONDS)
        s->quota_since = now;
    s->quota_remaining = w->quota_remaining;
    if (w->quota_max != POST_ABSENT)
        s->quota_max = w->quota_max;
    s->quota_at = now;
    bool none_left = w->quota_remaining <= 0 || w->quota_remaining <= api->quota_reserve;
    s->quota_until = none_left ? s->quota_since + QUOTA_SECONDS + MARGIN : 0;
    api->state_changed = true;
}

static void note_wait(struct api *api, int64_t *not_before, int64_t until)
{
    if (until > *not_before)
        *not_before = until;
    api->state_changed = true;
}

/* The number in "more requests available in 46472 seconds"; 0 when there is none. */
static int64_t seconds_in(struct span message)
{
    size_t at = span_find(message, SPAN(" second"));
    uint64_t seconds;

    if (at == SIZE_MAX)
        return 0;
    size_t start = at;
    while (start > 0 && message.ptr[start - 1] >= '0' && message.ptr[start - 1] <= '9')
        start--;
    struct span digits = {message.ptr + start, at - start};
    return span_u64(digits, 30 * QUOTA_SECONDS, &seconds) ? (int64_t)seconds : 0;
}

/* --- judging an answer --- */

enum verdict { GOOD, AGAIN, ODD, THROTTLED, REFUSED };

/* Text of a server for a message: without what a terminal would obey, and without the secrets. */
static void add_clean(const struct api *api, struct buf *out, struct span text)
{
    const char *const secrets[] = {api->key, api->token};
    size_t start = out->len;

    buf_add_span(out, (struct span){text.ptr, text.len < 300 ? text.len : 300});
    for (size_t i = start; i < out->len; i++)
        if ((unsigned char)out->ptr[i] < 0x20 || (unsigned char)out->ptr[i] > 0x7e)
            out->ptr[i] = '?';
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        if (secrets[i] == NULL || secrets[i][0] == '\0')
            continue;
        size_t len = strlen(secrets[i]), at;
        while ((at = span_find((struct span){out->ptr + start, out->len - start},
                               span_of(secrets[i]))) != SIZE_MAX) {
            memset(out->ptr + start + at, '*', len);
            start += at + len;
        }
    }
}

static enum verdict judge_throttle(struct api *api, struct span message, unsigned throttles,
                                   int64_t now)
{
    int64_t seconds = seconds_in(message);
    int64_t penalty = PENALTY;

    if (seconds > 0) {
        note_wait(api, &api->state.all_not_before, now + seconds + MARGIN);
        return THROTTLED;
    }
    for (unsigned i = 0; i < throttles && penalty < PENALTY_MAX; i++)
        penalty *= 2;
    note_wait(api, &api->state.not_before[api->method], now + penalty);
    return THROTTLED;
}

static const char *advice_on_parameter(struct api *api, struct span message)
{
    if (span_find(message, SPAN("key")) != SIZE_MAX)
        return "check $PPMINE_API_KEY, or --key-file; keys are made on stackapps.com";
    if (span_find(message, SPAN("ite")) != SIZE_MAX) /* "site", "No site found", "Site" */
        return "check `site` in the study.ini of the study";
    if (span_find(message, SPAN("filter")) != SIZE_MAX) {
        api->state.filter[0] = '\0';
        api->state_changed = true;
        return "the next run makes a new filter";
    }
    return "check the tags and dates that were given";
}

static const char *advice(struct api *api, const struct api_wrapper *w)
{
    static const struct {
        int64_t id;
        const char *text;
    } table[] = {
        {401, "give an access token in $PPMINE_API_TOKEN"},
        {402, "the access token has ended; make a new one, or use a key"},
        {403, "a key ($PPMINE_API_KEY) may be needed"},
        {404, "check --api-url"},
        {405, "give a key in $PPMINE_API_KEY; keys are made on stackapps.com"},
        {406, "the access token was sent in the open and is revoked; make a new one"},
    };

    if (w->error_id == 400)
        return advice_on_parameter(api, w->error_message);
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        if (table[i].id == w->error_id)
            return table[i].text;
    return "see https://api.stackexchange.com/docs/error-handling";
}

static enum verdict judge_error(struct api *api, const struct api_wrapper *w, unsigned throttles,
                                int64_t now, struct err *e)
{
    struct buf text = {0};

    if (w->error_id == 502)
        return judge_throttle(api, w->error_message, throttles, now);
    buf_addf(&text, "%s answers error %" PRId64 " (", api_method_name(api->method), w->error_id);
    add_clean(api, &text, w->error_name);
    buf_add_text(&text, "): ");
    add_clean(api, &text, w->error_message);
    bool passes = w->error_id >= 500;
    err_set(e, passes ? ST_NETWORK : ST_INPUT, "%s%s%s", buf_cstr(&text), passes ? "" : "; ",
            passes ? "" : advice(api, w));
    buf_clear(&text);
    return passes ? AGAIN : REFUSED;
}

/* What stands in the place of an answer. */
static enum verdict judge_page(struct api *api, const struct http_reply *reply, const char *why,
                               int64_t now, struct err *e)
{
    if (reply->code == 403 || reply->code == 429)
        api->least_delay = EDGE_SECONDS;
    err_set(e, ST_NETWORK, "%s: HTTP status %ld, %s", api_method_name(api->method), reply->code,
            why);
    if (reply->retry_after <= 0)
        return AGAIN;
    note_wait(api, &api->state.all_not_before, now + reply->retry_after + MARGIN);
    return THROTTLED;
}

static enum verdict judge_items(const struct api *api, const struct api_answer *a, struct err *e)
{
    const char *field = api_answer_faulty_field(a, api->method);

    if (field == NULL && api_answer_items(a) == 0 && api_answer_has_more(a))
        field = "items";
    if (field == NULL)
        return GOOD;
    err_set(e, ST_NETWORK, "%s: an answer whose `%s` is missing or wrong",
            api_method_name(api->method), field);
    return ODD;
}

static enum verdict judge(struct api *api, const struct http_reply *reply, unsigned throttles,
                          int64_t now, struct api_answer **answer, struct err *e)
{
    const char *why = reply->failed;

    *answer = NULL;
    api->least_delay = 0;
    if (why != NULL) {
        err_set(e, ST_NETWORK, "%s: %s", buf_cstr(&api->url), why);
        return reply->is_final ? REFUSED : AGAIN;
    }
    if (!api_answer_read(answer, reply->body, &why))
        return judge_page(api, reply, why, now, e);
    struct api_wrapper w = api_answer_wrapper(*answer);
    note_quota(api, &w, now);
    if (w.backoff > 0)
        note_wait(api, &api->state.not_before[api->method], now + w.backoff + MARGIN);
    if (w.error_id != 0)
        return judge_error(api, &w, throttles, now, e);
    if (reply->code != 200)
        return judge_page(api, reply, "items all the same", now, e);
    return judge_items(api, *answer, e);
}

/* --- one request until it has its answer --- */

static enum status MUST_USE wait_and_send(struct api *api, unsigned tries, struct err *e)
{
    double delay = ldexp(1, (int)tries - 1);
    double jitter = 0.5 + (double)random_below(&api->random, 1000) / 1000;

    delay = (delay < DELAY_MAX ? delay : DELAY_MAX) * jitter;
    if (delay < api->least_delay)
        delay = api->least_delay * (1 + jitter / 4);
    log_debug("%s; trying again in %.1f s", e->text, delay);
    enum status status = sleep_for(api, delay, e);
    return status == ST_OK ? send_it(api, e) : status;
}

static enum status gave_up(unsigned tries, struct err *e)
{
    char text[sizeof e->text];

    memcpy(text, e->text, sizeof text);
    return err_set(e, ST_NETWORK,
                   "%.900s; gave up after %u tries. What was fetched is kept: run it again later",
                   text, tries);
}

static enum status MUST_USE save_state(struct api *api, const struct api_job *job, struct err *e)
{
    if (!api->state_changed)
        return ST_OK;
    api->state_changed = false;
    return job->save(job->ctx, &api->state, e);
}

/* After what is no good answer: ST_OK when the request is under way again. */
static enum status MUST_USE recover(struct api *api, const struct api_job *job,
                                    enum verdict verdict, unsigned *tries, unsigned *throttles,
                                    struct err *e)
{
    struct err why = *e;
    enum status status = save_state(api, job, e);

    if (status != ST_OK)
        return status;
    *e = why;
    if (verdict == REFUSED)
        return e->status;
    if (verdict == THROTTLED) {
        if (++*throttles < THROTTLES)
            return send_it(api, e);
        return err_set(e, ST_NETWORK, "the API throttles again and again; run it again later");
    }
    if (++*tries >= TRIES)
        return gave_up(*tries, e);
    return wait_and_send(api, *tries, e);
}

/* The request was sent. The answer is the caller's; its bytes are in api->bytes. */
static enum status MUST_USE await_answer(struct api *api, const struct api_job *job,
                                         struct api_answer **answer, int64_t *now, struct err *e)
{
    unsigned tries = 0, throttles = 0, odd = 0;

    for (;;) {
        struct http_reply reply;
        http_finish(api->http, &reply);
        enum status status = api_now(api, now, e);
        if (status == ST_OK && reply.failed != NULL && signals_stop_asked())
            status = stopped(e);
        if (status != ST_OK)
            return status;
        enum verdict verdict = judge(api, &reply, throttles, *now, answer, e);
        if (verdict == ODD && ++odd >= TRIES_ODD) {
            log_warn("%s; taken as it is after %u tries", e->text, odd);
            verdict = GOOD;
        }
        if (verdict == GOOD) {
            buf_reset(&api->bytes);
            buf_add_span(&api->bytes, reply.body);
            return ST_OK;
        }
        api_answer_free(*answer);
        *answer = NULL;
        status = recover(api, job, verdict, &tries, &throttles, e);
        if (status != ST_OK)
            return status;
    }
}

/* --- a chain of them --- */

static void keep_request(struct api *api)
{
    struct buf swapped = api->taken_request;

    api->taken_request = api->request;
    api->request = swapped;
}

/* Whether the next request can be sent before the answer is kept: not when its answer asked to
 * wait, as that must not be forgotten. */
static bool may_go_on_at_once(const struct api *api, enum api_method method, int64_t now)
{
    const char *why;

    return leave_at(api, method, &why) <= now && !signals_stop_asked();
}

static enum status MUST_USE take(struct api *api, const struct api_job *job, enum api_method method,
                                 const struct api_answer *answer, int64_t now, struct err *e)
{
    struct api_take taken = {
        .request = buf_span(&api->taken_request),
        .answer = answer,
        .bytes = buf_span(&api->bytes),
        .method = method,
        .answered_at = now,
        .state = &api->state,
    };

    api->state_changed = false;
    return job->take(job->ctx, &taken, e);
}

enum status api_run(struct api *api, const struct api_job *job, struct err *e)
{
    struct api_request request;
    bool has_next = job->next(job->ctx, &request);
    enum status status = ST_OK;

    if (has_next) {
        compose(api, &request);
        status = send_it(api, e);
    }
    while (has_next && status == ST_OK) {
        struct api_answer *answer = NULL;
        enum api_method method = api->method;
        int64_t now;
        bool sent = false;
        status = await_answer(api, job, &answer, &now, e);
        if (status == ST_OK)
            status = job->seen(job->ctx, answer, now, e);
        if (status == ST_OK) {
            keep_request(api);
            has_next = job->next(job->ctx, &request);
            if (has_next)
                compose(api, &request);
            if (has_next && may_go_on_at_once(api, request.method, now)) {
                status = send_it(api, e);
                sent = true;
            }
        }
        if (status == ST_OK)
            status = take(api, job, method, answer, now, e);
        api_answer_free(answer);
        if (status == ST_OK && has_next && !sent)
            status = send_it(api, e);
    }
    if (http_is_busy(api->http)) {
        struct http_reply ignored;
        http_finish(api->http, &ignored);
    }
    return status;
}

/* --- the filter --- */

static const char *const wanted_fields[] = {
    ".items", ".has_more", ".quota_remaining", ".quota_max", ".backoff", ".error_id",
    ".error_name", ".error_message",
    "question.question_id", "question.title", "question.body", "question.tags", "question.owner",
    "question.last_editor", "question.score", "question.view_count", "question.answer_count",
    "question.comment_count", "question.favorite_count", "question.creation_date",
    "question.last_activity_date", "question.last_edit_date", "question.closed_date",
    "question.closed_reason", "question.locked_date", "question.protected_date",
    "question.community_owned_date", "question.accepted_answer_id", "question.content_license",
    "question.link", "question.answers", "question.comments",
    "answer.answer_id", "answer.question_id", "answer.body", "answer.owner", "answer.last_editor",
    "answer.score", "answer.is_accepted", "answer.comment_count", "answer.creation_date",
    "answer.last_activity_date", "answer.last_edit_date", "answer.community_owned_date",
    "answer.content_license", "answer.comments",
    "comment.comment_id", "comment.post_id", "comment.body", "comment.owner",
    "comment.reply_to_user", "comment.score", "comment.edited", "comment.creation_date",
    "comment.content_license",
    "shallow_user.user_id", "shallow_user.display_name", "shallow_user.link",
    "shallow_user.user_type",
};

struct filter_job {
    const struct api_job *keeper;
    struct api_state *state;
    struct buf query;
    bool asked;
};

static bool filter_next(void *ctx, struct api_request *out)
{
    struct filter_job *f = ctx;
    struct buf fields = {0};

    if (f->asked)
        return false;
    f->asked = true;
    for (size_t i = 0; i < ARRAY_LEN(wanted_fields); i++)
        buf_addf(&fields, "%s%s", i > 0 ? ";" : "", wanted_fields[i]);
    api_query_add(&f->query, "base", SPAN("none"));
    api_query_add(&f->query, "include", buf_span(&fields));
    /* Text as it is, and not as it would stand in a page: nothing is to be decoded then. */
    api_query_add(&f->query, "unsafe", SPAN("true"));
    buf_clear(&fields);
    *out = (struct api_request){.method = API_FILTER_CREATE, .query = buf_span(&f->query)};
    return true;
}

/* Names that the API does not know are left out without a word, so it is asked which are in. */
static enum status filter_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    struct filter_job *f = ctx;
    struct span name = api_answer_text(a, 0, "filter"), type = api_answer_text(a, 0, "filter_type");

    (void)now;
    if (name.len == 0 || name.len >= API_FILTER_TEXT ||
        memchr(name.ptr, '\0', name.len) != NULL)
        return err_set(e, ST_NETWORK, "/filters/create: an answer without a filter");
    for (size_t i = 0; i < ARRAY_LEN(wanted_fields); i++)
        if (!api_answer_lists(a, 0, "included_fields", wanted_fields[i]))
            return err_set(e, ST_NETWORK,
                           "/filters/create: the API has no field %s; this version of ppmine and"
                           " that of the API do not go together", wanted_fields[i]);
    memcpy(f->state->filter, name.ptr, name.len);
    f->state->filter[name.len] = '\0';
    f->state->filter_is_safe = !span_eq(type, SPAN("unsafe"));
    return ST_OK;
}

static enum status filter_take(void *ctx, const struct api_take *taken, struct err *e)
{
    struct filter_job *f = ctx;

    return f->keeper->take(f->keeper->ctx, taken, e);
}

static enum status filter_save(void *ctx, const struct api_state *state, struct err *e)
{
    struct filter_job *f = ctx;

    return f->keeper->save(f->keeper->ctx, state, e);
}

enum status api_filter(struct api *api, const struct api_job *keeper, struct err *e)
{
    struct filter_job f = {.keeper = keeper, .state = &api->state};
    struct api_job job = {&f, filter_next, filter_seen, filter_take, filter_save};

    if (api->state.filter[0] != '\0')
        return ST_OK;
    enum status status = api_run(api, &job, e);
    buf_clear(&f.query);
    return status;
}

/* --- opening --- */

/* "http://127.0.0.1:8080/2.3": the host is this machine. */
static bool is_loopback(struct span url)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
    struct span scheme = SPAN("http://");

    if (!span_starts(url, scheme))
        return false;
    url = (struct span){url.ptr + scheme.len, url.len - scheme.len};
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        size_t len = strlen(hosts[i]);
        if (span_starts(url, span_of(hosts[i])) &&
            (url.len == len || url.ptr[len] == ':' || url.ptr[len] == '/'))
            return memchr(url.ptr, '@', url.len) == NULL; /* "http://localhost:x@elsewhere" */
    }
    return false;
}

static enum status MUST_USE set_url(struct api *api, const char *url, struct err *e)
{
    struct span text = span_of(url != NULL ? url : API_URL);

    while (text.len > 0 && text.ptr[text.len - 1] == '/')
        text.len--;
    api->local = is_loopback(text);
    buf_add_span(&api->url, text);
    if (api->local)
        return ST_OK;
    if (span_starts(text, SPAN("http://")))
        return err_set(e, ST_USAGE,
                       "plain http would show the key and let others change the answers; use https,"
                       " or http://127.0.0.1 for a test server");
    struct span scheme = SPAN("https://");
    if (!span_starts(text, scheme) || text.len == scheme.len ||
        memchr(text.ptr, '?', text.len) != NULL || memchr(text.ptr, '@', text.len) != NULL)
        return err_set(e, ST_USAGE, "'%s' is no URL such as " API_URL, url);
    return ST_OK;
}

static enum status MUST_USE open_clock(struct api *api, struct err *e)
{
    const char *url = getenv("PPMINE_API_CLOCK");

    if (url == NULL || !api->local || !is_loopback(span_of(url)))
        return ST_OK;
    buf_add_text(&api->clock_url, url);
    return http_open(&api->clock_http, true, NULL, e);
}

enum status api_open(struct api **out, const struct api_options *options,
                     const struct api_state *state, struct err *e)
{
    struct api *api = mem_zero(1, sizeof *api);
    const char *secret = options->token != NULL ? options->token : options->key;

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
    enum status status = set_url(api, options->url, e);
    if (status == ST_OK)
        status = http_open(&api->http, api->local, options->key_in_query ? NULL : secret, e);
    if (status == ST_OK)
        status = open_clock(api, e);
    if (status == ST_OK)
        *out = api;
    else
        api_close(api);
    return status;
}

static void forget(char *secret)
{
    if (secret != NULL)
        memset(secret, 0, strlen(secret));
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
    struct buf *const bufs[] = {&api->url, &api->clock_url, &api->site, &api->request,
                                &api->full_url, &api->taken_request, &api->bytes};
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

bool api_is_local(const struct api *api)
{
    return api->local;
}

uint64_t api_requests(const struct api *api)
{
    return api->requests;
}
