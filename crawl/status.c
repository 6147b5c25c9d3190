/* status: how far a crawl got, the quota, and posts by year. */
#include "crawl/status.h"

#include <inttypes.h>

#include "crawl/work.h"
#include "db/api.h"

struct windows {
    struct buf out;
    bool as_json;
    size_t n, n_done;
};

static void add_time(struct buf *out, int64_t seconds, bool as_json)
{
    char text[TIME_TEXT_SIZE];
    const char *quote = as_json ? "\"" : "";

    if (seconds == POST_ABSENT || seconds >= DB_TIME_MAX || !api_time_text(seconds, text))
        buf_add_text(out, as_json ? "null" : "-");
    else
        buf_addf(out, "%s%.19sZ%s", quote, text, quote);
}

static void add_window(void *ctx, const struct db_window *w)
{
    struct windows *all = ctx;
    struct buf *out = &all->out;

    all->n++;
    all->n_done += w->caught_up_at != POST_ABSENT;
    if (all->as_json) {
        buf_add_text(out, all->n > 1 ? ",{\"tag\":" : "{\"tag\":");
        buf_add_json(out, w->tag);
        buf_add_text(out, ",\"from\":");
    } else {
        buf_addf(out, "  %-24.*s ", (int)w->tag.len, w->tag.ptr);
    }
    add_time(out, w->from, all->as_json);
    buf_add_text(out, all->as_json ? ",\"to\":" : " to ");
    add_time(out, w->to, all->as_json);
    buf_add_text(out, all->as_json ? ",\"active_until\":" : ", seen until ");
    add_time(out, w->active_until, all->as_json);
    buf_add_text(out, all->as_json ? ",\"caught_up_at\":" : ", caught up ");
    add_time(out, w->caught_up_at, all->as_json);
    buf_add_char(out, all->as_json ? '}' : '\n');
}

struct years {
    struct buf out;
    bool as_json;
    size_t n;
};

static void add_year(void *ctx, struct span year, int64_t questions, int64_t answers)
{
    struct years *all = ctx;

    if (all->as_json)
        buf_addf(&all->out, "%s{\"year\":\"%.*s\",\"questions\":%" PRId64 ",\"answers\":%" PRId64 "}",
                 all->n > 0 ? "," : "", (int)year.len, year.ptr, questions, answers);
    else
        buf_addf(&all->out, "  %-7.*s %9" PRId64 " questions %9" PRId64 " answers\n",
                 year.len > 0 ? (int)year.len : 7, year.len > 0 ? year.ptr : "unknown", questions,
                 answers);
    all->n++;
}

/* When a request may be sent again: 0 is at once. */
static int64_t next_request(const struct api_state *state)
{
    int64_t next = state->all_not_before > state->quota_until ? state->all_not_before
                                                              : state->quota_until;

    if (state->not_before[API_QUESTIONS] > next)
        next = state->not_before[API_QUESTIONS];
    return next;
}

static void print_json(const struct windows *w, const struct years *y,
                       const struct api_state *state, int64_t answers)
{
    struct buf next = {0};

    add_time(&next, next_request(state) > 0 ? next_request(state) : POST_ABSENT, true);
    printf("{\"windows\":%zu,\"windows_done\":%zu,\"quota_remaining\":", w->n, w->n_done);
    if (state->quota_remaining == POST_ABSENT)
        printf("null");
    else
        printf("%" PRId64, state->quota_remaining);
    printf(",\"next_request\":%s,\"answers_kept\":%" PRId64 ",\"tags\":[%.*s],\"years\":[%.*s]}\n",
           buf_cstr(&next), answers, (int)w->out.len, w->out.ptr != NULL ? w->out.ptr : "",
           (int)y->out.len, y->out.ptr != NULL ? y->out.ptr : "");
    buf_clear(&next);
}

static void print_text(const struct windows *w, const struct years *y,
                       const struct api_state *state, int64_t answers)
{
    struct buf times = {0};

    printf("windows done: %zu of %zu\n%.*s", w->n_done, w->n, (int)w->out.len,
           w->out.ptr != NULL ? w->out.ptr : "");
    add_time(&times, state->quota_at, false);
    if (state->quota_remaining == POST_ABSENT)
        printf("quota left: unknown\n");
    else
        printf("quota left: %" PRId64 " of %" PRId64 ", at %s\n", state->quota_remaining,
               state->quota_max == POST_ABSENT ? 0 : state->quota_max, buf_cstr(&times));
    buf_reset(&times);
    add_time(&times, next_request(state) > 0 ? next_request(state) : POST_ABSENT, false);
    printf("next request: %s\n", next_request(state) > 0 ? buf_cstr(&times) : "at any time");
    printf("answers kept: %" PRId64 "\n", answers);
    printf("posts by year:\n%.*s", (int)y->out.len, y->out.ptr != NULL ? y->out.ptr : "");
    buf_clear(&times);
}

enum status fetch_status_print(struct db *db, bool as_json, struct err *e)
{
    struct windows w = {.as_json = as_json};
    struct years y = {.as_json = as_json};
    struct api_state state;
    int64_t answers = 0;
    enum status status = fetch_state_load(db, &state, e);

    if (status == ST_OK)
        status = db_window_each(db, add_window, &w, e);
    if (status == ST_OK)
        status = db_year_each(db, add_year, &y, e);
    if (status == ST_OK)
        status = db_api_answer_count(db, &answers, e);
    if (status == ST_OK)
        (as_json ? print_json : print_text)(&w, &y, &state, answers);
    buf_clear(&w.out);
    buf_clear(&y.out);
    return status;
}
