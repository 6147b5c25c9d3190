/* status: how far a crawl got, the quota, and posts by year. */
#include <inttypes.h>

#include "fetch/crawl/crawl.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"
#include "base/files.h"
#include "base/visible.h"

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

static void add_window(struct windows *all, const struct db_window *w)
{
    struct buf *out = &all->out;

    all->n++;
    all->n_done += w->caught_up_at != POST_ABSENT;
    if (all->as_json) {
        buf_add_text(out, all->n > 1 ? ",{\"tag\":" : "{\"tag\":");
        buf_add_json(out, w->tag);
        buf_add_text(out, ",\"from\":");
    } else {
        AT_END(buf_clear) struct buf tag = {0};
        buf_add_clean(&tag, w->tag);
        buf_add_text(out, "  ");
        buf_add_padded(out, buf_span(&tag), 25, false);
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

/* When a request may be sent again: 0 is at once. */
static int64_t next_request(const struct api_state *state)
{
    int64_t next = state->all_not_before > state->quota_until ? state->all_not_before : state->quota_until;

    if (state->not_before[API_QUESTIONS] > next)
        next = state->not_before[API_QUESTIONS];
    return next;
}

static void add_json(const struct windows *w, const struct buf *years, const struct api_state *state, int64_t answers,
                     struct buf *out)
{
    buf_addf(out, "{\"windows\":%zu,\"windows_done\":%zu,\"quota_remaining\":", w->n, w->n_done);
    if (state->quota_remaining == POST_ABSENT)
        buf_add_text(out, "null");
    else
        buf_addf(out, "%" PRId64, state->quota_remaining);
    buf_add_text(out, ",\"next_request\":");
    add_time(out, next_request(state) > 0 ? next_request(state) : POST_ABSENT, true);
    buf_addf(out, ",\"answers_kept\":%" PRId64 ",\"tags\":[", answers);
    buf_add_span(out, buf_span(&w->out));
    buf_add_text(out, "],\"years\":[");
    buf_add_span(out, buf_span(years));
    buf_add_text(out, "]}\n");
}

static void add_text(const struct windows *w, const struct buf *years, const struct api_state *state, int64_t answers,
                     struct buf *out)
{
    buf_addf(out, "windows done: %zu of %zu\n", w->n_done, w->n);
    buf_add_span(out, buf_span(&w->out));
    if (state->quota_remaining == POST_ABSENT) {
        buf_add_text(out, "quota left: unknown\n");
    } else {
        buf_addf(out, "quota left: %" PRId64 " of %" PRId64 ", at ", state->quota_remaining,
                 state->quota_max == POST_ABSENT ? 0 : state->quota_max);
        add_time(out, state->quota_at, false);
        buf_add_char(out, '\n');
    }
    buf_add_text(out, "next request: ");
    if (next_request(state) > 0)
        add_time(out, next_request(state), false);
    else
        buf_add_text(out, "at any time");
    buf_addf(out, "\nanswers kept: %" PRId64 "\nposts by year:\n", answers);
    buf_add_span(out, buf_span(years));
}

/* Posts that are gone are left out; year "" for unknown. */
SQL(YEAR_EACH, "SELECT ifnull(substr(created_at, 1, 4), '') AS year,"
               "  count(*) FILTER (WHERE post_type = 'question'),"
               "  count(*) FILTER (WHERE post_type = 'answer')"
               " FROM post WHERE deleted_at IS NULL GROUP BY year ORDER BY year");

enum status crawl_status(struct db *db, bool as_json, struct buf *out, struct err *e)
{
    struct windows w = {.as_json = as_json};
    struct db_window window;
    AT_END(buf_clear) struct buf years = {0};
    struct api_state state;
    int64_t answers = 0;
    enum status status = crawl_state_load(db, "", &state, e);

    while (db_window_next(db, &window, &status, e))
        add_window(&w, &window);
    struct span year; /* the beginning of what a source gave as a date */
    int64_t n_questions, n_answers;
    while (sql_next_into(db, SQL_YEAR_EACH, &status, e, INTO(year), INTO(n_questions), INTO(n_answers))) {
        AT_END(buf_clear) struct buf clean = {0};
        if (as_json) {
            buf_add_text(&years, years.len > 0 ? ",{\"year\":" : "{\"year\":");
            buf_add_json(&years, year);
            buf_addf(&years, ",\"questions\":%" PRId64 ",\"answers\":%" PRId64 "}", n_questions, n_answers);
        } else {
            buf_add_clean(&clean, year.len > 0 ? year : SPAN("unknown"));
            buf_add_text(&years, "  ");
            buf_add_padded(&years, buf_span(&clean), 7, false);
            buf_addf(&years, " %9" PRId64 " questions %9" PRId64 " answers\n", n_questions, n_answers);
        }
    }
    THEN(status, db_api_answer_count(db, &answers, e));
    if (status == ST_OK)
        (as_json ? add_json : add_text)(&w, &years, &state, answers, out);
    buf_clear(&w.out);
    return status;
}
