/* windows: which windows of creation dates are fetched for a tag. */
#include "fetch/crawl/work.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"

static struct db_window *add(struct crawl_windows *w, const struct db_window *window)
{
    struct db_window *added = array_add(&w->list, *window);

    added->tag = arena_copy(&w->arena, window->tag);
    return added;
}

static enum status MUST_USE read_held(struct crawl_windows *held, struct db *db, struct err *e)
{
    struct db_window window;
    enum status status = ST_OK;

    while (db_window_next(db, &window, &status, e))
        add(held, &window);
    return status;
}

void crawl_windows_clear(struct crawl_windows *w)
{
    array_clear(&w->list);
    arena_clear(&w->arena);
    *w = (struct crawl_windows){0};
}

static enum status MUST_USE add_new(struct crawl_windows *w, struct db *db, struct span tag, int64_t from, int64_t to,
                                    struct err *e)
{
    struct db_window window = {.tag = tag,
                               .from = from,
                               .to = to,
                               .active_until = POST_ABSENT,
                               .tie_from = POST_ABSENT,
                               .tie_to = POST_ABSENT,
                               .page = 1,
                               .caught_up_at = POST_ABSENT};
    enum status status = db_window_put(db, &window, e);

    if (status == ST_OK)
        add(w, &window);
    return status;
}

enum status crawl_windows_add(struct crawl_windows *w, struct db *db, struct span tag, int64_t from, int64_t to,
                              struct err *e)
{
    AT_END(crawl_windows_clear) struct crawl_windows held = {0};
    int64_t next = from; /* the first second that no window has */
    enum status status = read_held(&held, db, e);

    for (size_t i = 0; i < held.list.n && status == ST_OK; i++) {
        const struct db_window *window = &held.list.at[i];
        if (!span_eq(window->tag, tag) || window->to < from || window->from > to)
            continue;
        if (window->from > next)
            status = add_new(w, db, tag, next, window->from - 1, e);
        if (status == ST_OK)
            add(w, window);
        next = window->to < DB_TIME_MAX ? window->to + 1 : DB_TIME_MAX;
    }
    if (status == ST_OK && next <= to && next < DB_TIME_MAX)
        status = add_new(w, db, tag, next, to, e);
    return status;
}

SQL(WINDOW_DELETE, "DELETE FROM api_window WHERE window_id = :window_id");

enum status crawl_windows_join(struct db *db, struct err *e)
{
    AT_END(crawl_windows_clear) struct crawl_windows held = {0};
    size_t last = 0;
    enum status status = read_held(&held, db, e);

    THEN(status, db_begin(db, e));
    for (size_t i = 1; i < held.list.n && status == ST_OK; i++) {
        struct db_window *a = &held.list.at[last], *b = &held.list.at[i];
        if (!span_eq(a->tag, b->tag) || a->to + 1 != b->from || a->caught_up_at == POST_ABSENT ||
            b->caught_up_at == POST_ABSENT || a->tie_from != POST_ABSENT || b->tie_from != POST_ABSENT) {
            last = i;
            continue;
        }
        /* What was active between the two places was seen of one of them, and is asked for again. */
        a->to = b->to;
        if (b->active_until == POST_ABSENT || a->active_until == POST_ABSENT)
            a->active_until = POST_ABSENT;
        else if (b->active_until < a->active_until)
            a->active_until = b->active_until;
        status = sql_run(db, SQL_WINDOW_DELETE, e, BIND(":window_id", b->window_id));
        THEN(status, db_window_put(db, a, e));
    }
    return db_end(db, status, e);
}
