/*
 * How to walk the questions of a tag so that none is lost, and none is requested in vain.
 *
 * While a crawl runs for hours or days, questions are asked, edited, answered, deleted, undeleted, tagged and untagged.
 * With pages (1, 2, 3, …), each deletion in the pages that were read moves the first question of the next page into
 * them, and that question is lost. So there are no pages here. Each request asks for the first 100 questions whose last
 * activity is not before the cursor, a second (sort=activity&order=asc&min=…), and the cursor moves to the last
 * activity seen. A place in this order is a date, not a number, so changes of other questions cannot move a question
 * past the reader:
 *
 * - new, edited, answered and retagged questions go to the end of the order, and are read, again or for the first time,
 *   before the walk can end;
 * - a question that is deleted before the cursor reaches it is not there to be read; one that is deleted later stays in
 *   the database as it was, until a refresh asks for it by id;
 * - none is in the database twice, since posts are kept by id.
 *
 * The walk is done when an answer says that there is no more. The next run continues from its cursor: it costs one
 * request where nothing happened, and finds new and edited questions in the same order. A run guarantees, for every
 * question with the tag that was active since the last run, the version of its last activity. Changes without activity
 * (votes, comments, closing, deletion) need a refresh.
 *
 * A window is a tag and a span of creation dates (fromdate, todate), which bounds the requests; its cursor begins where
 * the window does, as nothing is active before it exists. Windows may be large: each answer closes the part up to its
 * cursor, and needs no second page, while pages after the 25th are refused without a key. There is one exception. When
 * over 100 questions were active within two seconds (a tag is renamed, a bot edits), an answer does not get past the
 * cursor. Then that second is divided by creation date: the window is halved until an answer contains a whole part,
 * then the next part follows. Only parts of one second that are still too large are paged, 25 pages at most.
 *
 * It is not documented whether `min` and `fromdate` include their second: all bounds are one second wider than needed.
 * And answers come from caches, which may lack the last minutes: the cursor of a finished walk stays LAG seconds before
 * the present, but for no more than OVERLAP questions, so that the next run still needs only one request.
 */
#include "fetch/fetch.h"

enum { LAG = 120, OVERLAP = 50 };

/* The parts of a crowded second take the next one with them, and ask for one more, see above. */
enum { TIE_SECONDS = 2 };

#define FAR_FUTURE INT64_C(4102444800) /* 2100-01-01, where a window is open */
#define TIME_MAX INT64_C(253402300799) /* a date behind the year 9999 is none */

static bool is_tie(const struct api_walk *w)
{
    return w->tie_from != POST_ABSENT;
}

void api_walk_query(const struct api_walk *w, struct buf *query)
{
    int64_t from = is_tie(w) ? w->tie_from : w->from, to = is_tie(w) ? w->tie_to : w->to;

    buf_reset(query);
    buf_add_text(query, "order=asc&sort=activity");
    if (w->cursor != POST_ABSENT)
        api_query_add_number(query, "min", w->cursor > 0 ? w->cursor - 1 : 0);
    if (is_tie(w))
        api_query_add_number(query, "max", w->cursor + TIE_SECONDS);
    if (from != POST_ABSENT)
        api_query_add_number(query, "fromdate", from > 0 ? from - 1 : 0);
    if (to != POST_ABSENT)
        api_query_add_number(query, "todate", to + 1);
    if (w->page > 1)
        api_query_add_number(query, "page", w->page);
    api_query_add_number(query, "pagesize", API_PAGE_SIZE);
    api_query_add(query, "tagged", w->tag);
}

/* --- the activity of the items --- */

/* The largest value that no more than `above` items lie above; items may stand in any order. */
static int64_t activity_at(const struct api_answer *a, size_t above)
{
    int64_t top[OVERLAP + 1];
    size_t n = 0;

    for (size_t i = 0; i < api_answer_items(a); i++) {
        int64_t value = api_answer_number(a, i, "last_activity_date");
        size_t at;
        if (value < 0 || value > TIME_MAX || (n > above && value <= top[n - 1]))
            continue;
        n += n <= above;
        for (at = n - 1; at > 0 && top[at - 1] < value; at--)
            top[at] = top[at - 1];
        top[at] = value;
    }
    return n == 0 ? POST_ABSENT : top[n - 1];
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* --- a crowded second --- */

static enum status MUST_USE next_page(struct api_walk *w, struct err *e)
{
    if (w->page < API_PAGES_MAX) {
        w->page++;
        return ST_OK;
    }
    w->is_stuck = true;
    return err_set(e, ST_NETWORK,
                   "more than %d questions tagged %.*s were active in one second and created in one:"
                   " the API does not show them all",
                   API_PAGES_MAX * API_PAGE_SIZE, SPAN_ARG(w->tag));
}

static enum status MUST_USE advance_tie(struct api_walk *w, bool has_more, struct err *e)
{
    int64_t end = w->to != POST_ABSENT ? w->to : FAR_FUTURE;
    int64_t length = w->tie_to - w->tie_from;

    if (has_more && length > 0 && w->page == 1) {
        w->tie_to = w->tie_from + length / 2;
        return ST_OK;
    }
    if (has_more)
        return next_page(w, e);
    w->page = 1;
    if (w->tie_to >= end) {
        w->tie_from = w->tie_to = POST_ABSENT;
        w->cursor += TIE_SECONDS; /* min is one less, which was seen */
        return ST_OK;
    }
    w->tie_from = w->tie_to + 1;
    /* Where one part was small enough, a part of twice its length may be. */
    w->tie_to = end - w->tie_from < length * 2 + 1 ? end : w->tie_from + length * 2 + 1;
    return ST_OK;
}

/* --- the walk --- */

/* The end for now; see LAG above. */
static void finish(struct api_walk *w, const struct api_answer *a, int64_t now)
{
    int64_t last = activity_at(a, 0), early = activity_at(a, OVERLAP);

    w->is_done = true;
    w->page = 1;
    if (w->cursor > now) /* a date that is wrong must not hide what comes until then */
        w->cursor = now;
    if (last == POST_ABSENT)
        return;
    int64_t cursor = last < now - LAG ? last : largest(now - LAG, early);
    if (cursor > last)
        cursor = last;
    if (w->cursor == POST_ABSENT || cursor > w->cursor)
        w->cursor = cursor < now ? cursor : now;
}

/* The ordinary case: the answer reaches behind the cursor. */
static bool step(struct api_walk *w, int64_t last)
{
    if (last == POST_ABSENT || (w->cursor != POST_ABSENT && last <= w->cursor))
        return false;
    w->cursor = last;
    w->page = 1;
    return true;
}

bool api_walk_guess(const struct api_walk *w, const struct api_glance *glance, struct api_walk *next)
{
    *next = *w;
    return !is_tie(w) && glance->last_activity <= TIME_MAX && step(next, glance->last_activity);
}

enum status api_walk_advance(struct api_walk *w, const struct api_answer *a, int64_t now, struct err *e)
{
    bool has_more = api_answer_has_more(a);
    int64_t last = activity_at(a, 0);

    w->is_done = false;
    if (is_tie(w))
        return advance_tie(w, has_more, e);
    if (!has_more) {
        finish(w, a, now);
        return ST_OK;
    }
    if (last == POST_ABSENT) /* nothing to be seen on this page, and more behind it */
        return next_page(w, e);
    if (step(w, last))
        return ST_OK;
    if (w->cursor > now - LAG) { /* a crowded second, which may still grow: left to the next run */
        w->is_done = true;
        return ST_OK;
    }
    int64_t from = w->from != POST_ABSENT ? w->from : 0;
    int64_t to = w->to != POST_ABSENT ? w->to : largest(now, from) + LAG;

    w->tie_from = from;
    w->tie_to = from + (to - from) / 2;
    w->page = 1;
    return ST_OK;
}

double api_walk_share(const struct api_walk *w, int64_t now)
{
    int64_t from = w->from != POST_ABSENT ? w->from : 0;

    if (w->is_done)
        return 1;
    if (w->cursor == POST_ABSENT || w->cursor <= from || now <= from)
        return 0;
    return w->cursor >= now ? 1 : (double)(w->cursor - from) / (double)(now - from);
}
