/* When a request may be sent: the clock, waits that the API asked for, the rate. */
#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "fetch/api_client.h"

#include <time.h>

/* --- time --- */

/* The clock of a test server: its time is read from there, and sleeping is told to it. */
static enum status MUST_USE ask_clock(struct api *api, const char *query, double *now, struct err *e)
{
    struct http_reply reply;

    AT_END(mem_end) char *url = mem_addf("%s%s", buf_cstr(&api->clock_url), query);
    http_start(api->clock_http, url, 0);
    http_finish(api->clock_http, &reply);
    size_t at = reply.failed == NULL ? span_find(reply.body, SPAN("\"now\":")) : SIZE_MAX;
    char text[32] = "";
    if (at != SIZE_MAX)
        snprintf(text, sizeof text, "%.*s", (int)(reply.body.len - at - 6), reply.body.ptr + at + 6);
    char *end = text;
    *now = strtod(text, &end);
    if (end == text)
        err_set(e, ST_NETWORK, "%s: no clock answers there: %s", url,
                reply.failed != NULL ? reply.failed : "not the answer of one");
    return end == text ? ST_NETWORK : ST_OK;
}

/* ST_NETWORK when a test's clock does not answer. */
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

enum status pace_stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(),
                   "stopped; what was fetched is kept: run the same command again to continue");
}

enum status pace_sleep(struct api *api, double seconds, struct err *e)
{
    char query[64];

    if (signals_stop_asked())
        return pace_stopped(e);
    if (seconds <= 0)
        return ST_OK;
    if (api->clock_http != NULL) {
        double now;
        snprintf(query, sizeof query, "?sleep=%.3f", seconds);
        return ask_clock(api, query, &now, e);
    }
    for (double end = time_monotonic() + seconds; time_monotonic() < end;) {
        double left = end - time_monotonic(), piece = left < 0.1 ? left : 0.1;
        struct timespec time = {0, (long)(piece * 1e9)};
        if (piece > 0)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
        if (signals_stop_asked())
            return pace_stopped(e);
    }
    return ST_OK;
}

/* --- leave to send --- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t pace_leave_at(const struct api *api, enum api_method method, const char **why)
{
    const struct api_state *s = &api->state;
    int64_t asked = later(s->not_before[method], s->all_not_before);

    *why = s->quota_until > asked ? "the quota is used up" : "the API asked to wait";
    return later(asked, s->quota_until);
}

/* ST_NO when it takes too long. */
static enum status MUST_USE await_leave(struct api *api, struct err *e)
{
    const char *why;
    double now;
    int64_t until = pace_leave_at(api, api->method, &why);

    if (until == 0 && api->pause == 0)
        return signals_stop_asked() ? pace_stopped(e) : ST_OK;
    enum status status = read_clock(api, &now, e);
    if (status != ST_OK)
        return status;
    until = later(until, api->pause > 0 ? (int64_t)now + api->pause : 0);
    api->pause = 0;
    double left = (double)until - now;
    if (left <= 0)
        return signals_stop_asked() ? pace_stopped(e) : ST_OK;
    if (left > (double)api->max_wait) {
        api->pause_until = until;
        api->pause_why = why;
        return err_set(e, ST_NO, "%s", why);
    }
    log_debug("waiting %.0f s: %s", left, why);
    return pace_sleep(api, left, e);
}

int64_t api_pause(const struct api *api, const char **why)
{
    *why = api->pause_why != NULL ? api->pause_why : "";
    return api->pause_until;
}

enum status pace_await_turn(struct api *api, double *delay, struct err *e)
{
    enum status status = await_leave(api, e);
    double now = time_monotonic();

    *delay = 0;
    if (status == ST_OK && api->gap > 0) {
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
            status = pace_sleep(api, *delay, e);
            *delay = 0;
        }
    }
    api->requests += status == ST_OK;
    return status;
}
