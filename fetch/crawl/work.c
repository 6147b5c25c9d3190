/* work: chains of requests, each with its place in the database. */
#include "fetch/crawl/work.h"

#include "base/log.h"
#include "base/signals.h"
#include "db/fragments.h"
#include "db/sql.h"
#include "db/study.h"

#include <inttypes.h>

/* A chain of requests: api_job asks it, and keeps its place with each answer. It begins the struct that is `ctx`. */
struct work {
    struct crawl *f;
    struct api_job job; /* next, guess, seen; run sets the others */
    /* Within the transaction of the answer; says in `share` how much of the work is done. */
    enum status (*keep)(struct work *w, int64_t now, struct err *e);
    double share;       /* for progress */
    enum status failed; /* next could not read the database */
    struct err why;
};

/* --- keeping --- */

/* Answer, posts and place in one transaction: after a kill all are there, or none, and the request is sent again. */
static enum status work_take(void *ctx, const struct api_take *taken, struct err *e)
{
    struct work *w = ctx;
    struct crawl_counts before = w->f->store.counts;

    enum status status = db_begin(w->f->db, e);
    if (status == ST_OK) {
        struct crawl *f = w->f;
        struct db_api_answer answer = {
            .answered_at = taken->answered_at,
            .method = span_of(api_method_name(taken->method)),
            .request = taken->request,
            .n_items = (int64_t)api_answer_items(taken->answer),
            .quota_remaining = api_answer_wrapper(taken->answer).quota_remaining,
            .safe_filter = taken->state->filter_is_safe,
            .body_zstd = taken->packed,
        };
        status = db_api_answer_put(f->db, &answer, f->store.run_id, e);
        THEN(status, crawl_store_answer(&f->store, taken->request, taken->answer, taken->state->filter_is_safe,
                                        taken->answered_at, e));
        if (status == ST_OK && w->keep != NULL)
            status = w->keep(w, taken->answered_at, e);
        THEN(status, crawl_state_save(f->db, "", taken->state, e));
    }
    THEN(status, db_commit(w->f->db, e));
    if (status != ST_OK) {
        db_rollback(w->f->db);
        w->f->store.counts = before;
        return status;
    }
    enum { PER_WINDOW = 1000 };
    struct crawl *f = w->f;
    const struct crawl_counts *c = &f->store.counts;
    const struct api_state *state = api_state(f->api);
    char note[128];
    f->progress.total = f->n_windows * PER_WINDOW;
    snprintf(note, sizeof note, "%" PRIu64 "/%" PRIu64 " windows, %" PRIu64 " posts, quota %" PRId64, f->n_done,
             f->n_windows, c->questions + c->answers,
             state->quota_remaining == POST_ABSENT ? 0 : state->quota_remaining);
    progress_update(&f->progress, f->n_done * PER_WINDOW + (uint64_t)(w->share * PER_WINDOW), note);
    return ST_OK;
}

static enum status work_save(void *ctx, const struct api_state *state, struct err *e)
{
    struct work *w = ctx;
    enum status status = db_begin(w->f->db, e);

    THEN(status, crawl_state_save(w->f->db, "", state, e));
    return db_end(w->f->db, status, e);
}

static enum status MUST_USE run(struct work *w, struct err *e)
{
    w->job.ctx = w;
    w->job.take = work_take;
    w->job.save = work_save;
    enum status status = api_run(w->f->api, &w->job, e);

    if (status == ST_OK && w->failed != ST_OK) {
        *e = w->why;
        status = w->failed;
    }
    return status;
}

enum status crawl_filter(struct crawl *f, struct err *e)
{
    struct work w = {.f = f};
    struct api_job keeper = {.ctx = &w, .take = work_take, .save = work_save};

    return api_filter(f->api, &keeper, e);
}

/* --- a window of a tag --- */

struct window_work {
    struct work base;
    struct db_window *window;
    struct api_walk walk;
    struct buf query, guessed;
};

static bool window_next(void *ctx, struct api_request *out)
{
    struct window_work *w = ctx;

    if (w->walk.is_done)
        return false;
    api_walk_query(&w->walk, &w->query);
    *out = (struct api_request){.method = API_QUESTIONS, .query = buf_span(&w->query)};
    return true;
}

static bool window_guess(void *ctx, const struct api_glance *glance, struct api_request *out)
{
    struct window_work *w = ctx;
    struct api_walk walk;

    if (!api_walk_guess(&w->walk, glance, &walk))
        return false;
    api_walk_query(&walk, &w->guessed);
    *out = (struct api_request){.method = API_QUESTIONS, .query = buf_span(&w->guessed)};
    return true;
}

static enum status window_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    return api_walk_advance(&((struct window_work *)ctx)->walk, a, now, e);
}

static enum status window_keep(struct work *base, int64_t now, struct err *e)
{
    struct window_work *w = (struct window_work *)base;

    w->window->active_until = w->walk.cursor;
    w->window->tie_from = w->walk.tie_from;
    w->window->tie_to = w->walk.tie_to;
    w->window->page = w->walk.page;
    if (w->walk.is_done)
        w->window->caught_up_at = now;
    base->share = api_walk_share(&w->walk, now);
    return db_window_put(base->f->db, w->window, e);
}

enum status crawl_window(struct crawl *f, struct db_window *window, struct err *e)
{
    struct window_work w = {
        /* clang-format off */
        .base = {.f = f, .job = {.next = window_next, .guess = window_guess, .seen = window_seen},
                 .keep = window_keep},
        /* clang-format on */
        .window = window,
        .walk = {.tag = window->tag,
                 .from = window->from > 0 ? window->from : POST_ABSENT,
                 .to = window->to < DB_TIME_MAX ? window->to : POST_ABSENT,
                 .cursor = window->active_until,
                 .tie_from = window->tie_from,
                 .tie_to = window->tie_to,
                 .page = window->page},
    };

    if (w.walk.cursor == POST_ABSENT && window->from > 0)
        w.walk.cursor = window->from;
    enum status status = run(&w.base, e);
    f->n_done += status == ST_OK;
    if (status == ST_NETWORK && w.walk.is_stuck) { /* the other tags have nothing to do with it */
        log_warn("%s", e->text);
        f->n_stuck++;
        status = ST_OK;
    }
    buf_clear(&w.query);
    buf_clear(&w.guessed);
    return status;
}

/* --- a list of ids --- */

struct ids_work {
    struct work base;
    const char *name;
    const int64_t *ids; /* NULL: of the database */
    size_t n, at;
    int64_t position; /* up to here it is done */
    int64_t asked;    /* up to here it is on its way */
    bool is_last;
    size_t n_asked, n_batch; /* ids on their way, and in the answer that came last */
    struct buf text;
};

SQL(QUESTION_IDS, "SELECT post_id FROM post WHERE post_id > :after AND post_type = 'question'"
                  " AND post_id <= " ID_MASK " ORDER BY post_id LIMIT :limit");

static bool ids_next(void *ctx, struct api_request *out)
{
    struct ids_work *w = ctx;
    struct db *db = w->base.f->db;
    int64_t batch[API_IDS_MAX];
    size_t n = 0;

    if (w->ids == NULL) {
        sql_bind(db, SQL_QUESTION_IDS, BIND(":after", w->asked), BIND(":limit", API_IDS_MAX));
        while (sql_next(db, SQL_QUESTION_IDS, &w->base.failed, &w->base.why))
            batch[n++] = sql_int(db, SQL_QUESTION_IDS, 0);
        n = w->base.failed == ST_OK ? n : 0;
    }
    for (; w->ids != NULL && w->at < w->n && n < API_IDS_MAX; w->at++)
        if (w->ids[w->at] > w->asked)
            batch[n++] = w->ids[w->at];
    w->is_last = n == 0;
    if (n == 0)
        return false;
    buf_reset(&w->text);
    for (size_t i = 0; i < n; i++)
        buf_addf(&w->text, "%s%" PRId64, i > 0 ? ";" : "", batch[i]);
    w->asked = batch[n - 1];
    w->n_asked = n;
    *out = (struct api_request){API_QUESTIONS_BY_ID, buf_span(&w->text), SPAN("order=asc&sort=creation&pagesize=100")};
    return true;
}

static enum status ids_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    struct ids_work *w = ctx;

    (void)a, (void)now, (void)e;
    w->position = w->asked;
    w->n_batch = w->n_asked;
    return ST_OK;
}

SQL(LIST_PUT, "INSERT INTO api_list (name, position, started_at) VALUES (:name, :position, " ISO ":started_at" UNIX ")"
              " ON CONFLICT (name) DO UPDATE SET position = excluded.position");

SQL(LIST_DELETE, "DELETE FROM api_list WHERE name = :name");

static enum status ids_keep(struct work *base, int64_t now, struct err *e)
{
    const struct ids_work *w = (const struct ids_work *)base;

    base->share = w->n > 0 ? (double)w->at / (double)w->n : 0;
    base->f->n_ids += w->n_batch;
    if (w->base.failed != ST_OK)
        return ST_OK; /* told when the chain ends */
    if (w->is_last)
        return sql_run(base->f->db, SQL_LIST_DELETE, e, BIND(":name", span_of(w->name)));
    return sql_run(base->f->db, SQL_LIST_PUT, e, BIND(":name", span_of(w->name)), BIND(":position", w->position),
                   BIND(":started_at", now));
}

/* How far a list came that is not done. */
SQL(LIST_GET, "SELECT position FROM api_list WHERE name = :name");

enum status crawl_ids(struct crawl *f, const char *name, const int64_t *ids, size_t n, struct err *e)
{
    struct ids_work w = {
        .base = {.f = f, .job = {.next = ids_next, .seen = ids_seen}, .keep = ids_keep},
        .name = name,
        .ids = ids,
        .n = n,
    };

    sql_bind_text(f->db, SQL_LIST_GET, ":name", span_of(name));
    enum status status = sql_one_int(f->db, SQL_LIST_GET, &w.position, e);
    if (status != ST_OK)
        return status;
    if (w.position == POST_ABSENT)
        w.position = 0;
    w.asked = w.position;
    status = run(&w.base, e);
    f->n_done += status == ST_OK;
    buf_clear(&w.text);
    return status;
}

/* --- what is due --- */

struct due_work {
    struct work base;
    enum api_method method;
    struct db_due batch[API_IDS_MAX];
    size_t n;
    int64_t n_items; /* that are expected */
    bool asked, has_more;
    int64_t last; /* creation date of the last item that came */
    struct buf ids, query;
};

static bool due_next(void *ctx, struct api_request *out)
{
    struct due_work *w = ctx;

    if (w->asked)
        return false;
    w->asked = true;
    buf_reset(&w->ids);
    buf_reset(&w->query);
    for (size_t i = 0; i < w->n; i++)
        buf_addf(&w->ids, "%s%" PRId64, i > 0 ? ";" : "", w->batch[i].post_id);
    buf_add_text(&w->query, "order=asc&sort=creation");
    if (w->batch[0].since > 0)
        api_query_add_number(&w->query, "min", w->batch[0].since - 1);
    if (w->batch[0].page > 1)
        api_query_add_number(&w->query, "page", w->batch[0].page);
    api_query_add_number(&w->query, "pagesize", API_PAGE_SIZE);
    *out = (struct api_request){w->method, buf_span(&w->ids), buf_span(&w->query)};
    return true;
}

static enum status due_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    struct due_work *w = ctx;

    (void)now, (void)e;
    w->has_more = api_answer_has_more(a);
    w->last = 0;
    for (size_t i = 0; i < api_answer_items(a); i++) {
        int64_t created = api_answer_number(a, i, "creation_date");
        if (created > w->last && created < DB_TIME_MAX)
            w->last = created;
    }
    return ST_OK;
}

SQL(DUE_DELETE, "DELETE FROM api_due WHERE method = :method AND post_id = :post_id");

static enum status due_keep(struct work *base, int64_t now, struct err *e)
{
    struct due_work *w = (struct due_work *)base;
    const char *method = api_method_name(w->method);
    enum status status = ST_OK;

    (void)now;
    for (size_t i = 0; i < w->n && status == ST_OK; i++) {
        struct db_due *due = &w->batch[i];
        bool is_crowded = w->has_more && due->page >= API_PAGES_MAX && w->last <= due->since;
        if (is_crowded)
            log_warn("%s of post %" PRId64
                     ": more than %d in one second; the API does not show the rest, which is left out",
                     method, due->post_id, API_PAGES_MAX * API_PAGE_SIZE);
        if (!w->has_more || is_crowded) {
            status = sql_run(base->f->db, SQL_DUE_DELETE, e, BIND(":method", span_of(method)),
                             BIND(":post_id", due->post_id));
            continue;
        }
        due->page = w->last > due->since ? 1 : due->page + 1;
        due->since = w->last > due->since ? w->last : due->since;
        status = db_due_put(base->f->db, method, due, e);
    }
    return status;
}

/* Those that were begun come first. */
SQL(DUE_EACH, "SELECT post_id, expected, since, page FROM api_due WHERE method = :method"
              " ORDER BY since DESC, page DESC, post_id LIMIT :limit");

static enum status MUST_USE fetch_due_of(struct crawl *f, enum api_method method, struct err *e)
{
    enum { LOOK_AT = 1000 };

    for (;;) {
        struct due_work w = {
            .base = {.f = f, .job = {.next = due_next, .seen = due_seen}, .keep = due_keep},
            .method = method,
        };
        enum status status = ST_OK;
        struct db_due due;
        sql_bind(f->db, SQL_DUE_EACH, BIND(":method", span_of(api_method_name(method))), BIND(":limit", LOOK_AT));
        while (sql_next_into(f->db, SQL_DUE_EACH, &status, e, INTO(due.post_id), INTO(due.expected), INTO(due.since),
                             INTO(due.page))) {
            /* What fits into one answer, or what is on its way together. */
            bool same = w.n == 0 || (due.since == w.batch[0].since && due.page == w.batch[0].page);
            bool fits = w.n == 0 || w.batch[0].since > 0 || w.batch[0].page > 1 ||
                        w.n_items + due.expected <= API_PAGE_SIZE;
            if (!same || !fits || w.n == API_IDS_MAX)
                continue;
            w.batch[w.n++] = due;
            w.n_items += due.expected;
        }
        if (status == ST_OK && w.n > 0)
            status = run(&w.base, e);
        buf_clear(&w.ids);
        buf_clear(&w.query);
        if (status != ST_OK || w.n == 0)
            return status;
    }
}

enum status crawl_due(struct crawl *f, struct err *e)
{
    static const enum api_method methods[] = {API_QUESTION_ANSWERS, API_QUESTION_COMMENTS, API_ANSWER_COMMENTS};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(methods) && status == ST_OK; i++)
        status = fetch_due_of(f, methods[i], e);
    return status;
}

/* --- the tags of a pattern --- */

struct tags_work {
    struct work base;
    struct span part; /* that is in every such name */
    int64_t page;
    bool is_done, has_key;
    struct buf query, *tags;
};

static bool tags_next(void *ctx, struct api_request *out)
{
    struct tags_work *w = ctx;

    if (w->is_done)
        return false;
    buf_reset(&w->query);
    api_query_add(&w->query, "inname", w->part);
    buf_add_text(&w->query, "&order=asc&sort=name");
    api_query_add_number(&w->query, "page", w->page);
    api_query_add_number(&w->query, "pagesize", API_PAGE_SIZE);
    *out = (struct api_request){.method = API_TAGS, .query = buf_span(&w->query)};
    return true;
}

static enum status tags_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    struct tags_work *w = ctx;

    (void)now;
    for (size_t i = 0; i < api_answer_items(a); i++) {
        struct span name = api_answer_text(a, i, "name");
        if (name.len == 0 || memchr(name.ptr, ';', name.len) != NULL)
            continue;
        buf_add_char(w->tags, ';');
        buf_add_span(w->tags, name);
    }
    w->is_done = !api_answer_has_more(a);
    if (!w->is_done && w->page++ >= API_PAGES_MAX && !w->has_key)
        return err_set(e, ST_NETWORK,
                       "more than %d tags have '%.*s' in their name, and without a key the API does not show them"
                       " all: name the tags with --tag or in study.ini, or use a key",
                       API_PAGES_MAX * API_PAGE_SIZE, SPAN_ARG(w->part));
    return ST_OK;
}

enum status crawl_tags(struct crawl *f, struct span pattern, struct buf *tags, struct err *e)
{
    struct tags_work w = {.base = {.f = f, .job = {.next = tags_next, .seen = tags_seen}},
                          .page = 1,
                          .has_key = f->plan->options.key != NULL || f->plan->options.token != NULL,
                          .tags = tags};
    struct span part;

    while (span_cut(&pattern, '*', &part)) /* the longest: "keras" of "keras*" */
        if (part.len > w.part.len)
            w.part = part;
    enum status status = run(&w.base, e);
    buf_clear(&w.query);
    return status;
}

/* --- the end of a run --- */

void crawl_describe_end(struct buf *out, enum status status, int64_t until, const char *why)
{
    char text[TIME_TEXT_SIZE];

    if (status == ST_NO && api_time_text(until, text))
        buf_addf(out, "%s: the next run can continue from %.19sZ", why, text);
    else
        buf_add_text(out, status == ST_OK ? "done" : "not done");
}

enum status crawl_run_end(struct db *db, int64_t run_id, enum status status, struct span counts, struct err *e)
{
    bool is_fine = status == ST_OK || status == ST_NO;
    struct err ignored;
    const char *outcome = status == ST_OK ? "done" : is_fine || signals_stop_asked() ? "stopped" : "failed";
    enum status ended = db_run_end(db, run_id, outcome, counts, is_fine ? e : &ignored);

    return is_fine ? ended : status;
}
