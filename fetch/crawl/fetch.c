/* fetch: a run of the crawler, which follows a plan of chains (windows of tags, lists of ids). Keeps each answer with
 * the place after it in one transaction, so after any end (a signal, a used-up quota, a power cut) the next run
 * continues. */
#include "base/run_lock.h"
#include "fetch/crawl/crawl.h"
#include "fetch/crawl/work.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"
#include "db/study.h"
#include "base/files.h"
#include "base/log.h"
#include "base/progress.h"

#include <inttypes.h>

enum {
    TAG_DAYS = 7,         /* after so many days the tags of a pattern are asked for again */
    REST_AFTER_KILL = 30, /* seconds; see rest_if_killed */
    REST_WITHIN = 3600,
    DAY_SECONDS = 86400,
};

/* --- which tags --- */

static void add_tag(struct buf *list, struct span tag)
{
    struct span rest = buf_span(list), held;

    while (span_cut(&rest, '|', &held))
        if (span_eq(held, tag))
            return;
    buf_add_char(list, '|');
    buf_add_span(list, tag);
}

/* Requests the names that match a pattern of the study. If the API has no such list, keeps the names in the pattern. */
static enum status MUST_USE expand_pattern(struct crawl *f, struct span pattern, struct err *e)
{
    AT_END(buf_clear) struct buf names = {0};
    struct span rest, name, literal;

    if (memchr(pattern.ptr, '*', pattern.len) == NULL) {
        add_tag(&f->tag_list, pattern);
        return ST_OK;
    }
    enum status status = crawl_tags(f, pattern, &names, e);
    if (status == ST_INPUT) {
        log_warn("cannot ask for the tags that match %.*s (%s); asking for the name without `*`", SPAN_ARG(pattern),
                 e->text);
        literal = pattern;
        while (span_cut(&literal, '*', &name))
            if (name.len > 0)
                add_tag(&f->tag_list, name);
        status = ST_OK;
    }
    rest = buf_span(&names);
    while (status == ST_OK && span_cut(&rest, ';', &name))
        if (name.len > 0 && study_has_tag(&f->plan->study, name))
            add_tag(&f->tag_list, name);
    return status;
}

static enum status MUST_USE study_tags(struct crawl *f, struct err *e)
{
    const struct crawl_plan *p = f->plan;
    AT_END(buf_clear) struct buf at = {0};
    bool has_tags = false, ignored;
    int64_t now, then = 0;
    enum status status = api_now(f->api, &now, e);

    THEN(status, crawl_setting(f->db, "tags", &f->tag_list, &has_tags, e));
    THEN(status, crawl_setting(f->db, "tags_at", &at, &ignored, e));
    bool fresh = has_tags && span_i64(buf_span(&at), &then) && now - then < (int64_t)TAG_DAYS * DAY_SECONDS;
    if (status != ST_OK || fresh)
        return status;
    buf_reset(&f->tag_list);
    for (size_t i = 0; i < p->study.n_tags && status == ST_OK; i++)
        status = expand_pattern(f, p->study.tags[i], e);
    buf_reset(&at);
    buf_addf(&at, "%" PRId64, now);
    THEN(status, db_api_state_put(f->db, "tags", buf_span(&f->tag_list), e));
    return status == ST_OK ? db_api_state_put(f->db, "tags_at", buf_span(&at), e) : status;
}

/* --- which windows of creation dates --- */

struct windows {
    struct ARRAY_OF(struct db_window) list;
    struct arena arena; /* of the tags */
};

static void add_window(struct windows *w, const struct db_window *window)
{
    array_add(&w->list, *window)->tag = arena_copy(&w->arena, window->tag);
}

static enum status MUST_USE read_held(struct windows *held, struct db *db, struct err *e)
{
    struct db_window window;
    enum status status = ST_OK;

    while (db_window_next(db, &window, &status, e))
        add_window(held, &window);
    return status;
}

static void windows_clear(struct windows *w)
{
    array_clear(&w->list);
    arena_clear(&w->arena);
    *w = (struct windows){0};
}

static enum status MUST_USE add_new(struct windows *w, struct db *db, struct span tag, int64_t from, int64_t to,
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
        add_window(w, &window);
    return status;
}

/* Adds the windows that cover the questions with a tag created from `from` to `to`; stores new ones if there are
 * none. */
static enum status MUST_USE add_windows(struct windows *w, struct db *db, struct span tag, int64_t from, int64_t to,
                                        struct err *e)
{
    AT_END(windows_clear) struct windows held = {0};
    int64_t next = from; /* the first second that no window has */
    enum status status = read_held(&held, db, e);

    for (size_t i = 0; i < held.list.n && status == ST_OK; i++) {
        const struct db_window *window = &held.list.at[i];
        if (!span_eq(window->tag, tag) || window->to < from || window->from > to)
            continue;
        if (window->from > next)
            status = add_new(w, db, tag, next, window->from - 1, e);
        if (status == ST_OK)
            add_window(w, window);
        next = window->to < DB_TIME_MAX ? window->to + 1 : DB_TIME_MAX;
    }
    if (status == ST_OK && next <= to && next < DB_TIME_MAX)
        status = add_new(w, db, tag, next, to, e);
    return status;
}

SQL(WINDOW_DELETE, "DELETE FROM api_window WHERE window_id = :window_id");

/* Joins windows of one tag that lie side by side and are caught up: one request does for both. */
static enum status MUST_USE join_windows(struct db *db, struct err *e)
{
    AT_END(windows_clear) struct windows held = {0};
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

/* --- the run --- */

static enum status MUST_USE run_tags(struct crawl *f, struct err *e)
{
    const struct crawl_plan *p = f->plan;
    AT_END(windows_clear) struct windows windows = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < p->n_tags; i++)
        add_tag(&f->tag_list, span_of(p->tags[i]));
    if (p->n_tags == 0)
        status = study_tags(f, e);
    struct span rest = buf_span(&f->tag_list), tag;
    while (status == ST_OK && span_cut(&rest, '|', &tag))
        if (tag.len > 0)
            status = add_windows(&windows, f->db, tag, p->from, p->to, e);
    f->n_windows = windows.list.n;
    for (size_t i = 0; i < windows.list.n && status == ST_OK; i++)
        status = crawl_window(f, &windows.list.at[i], e);
    THEN(status, crawl_due(f, e));
    THEN(status, join_windows(f->db, e));
    if (status == ST_OK && f->n_stuck > 0)
        status = err_set(e, ST_NETWORK,
                         "%" PRIu64 " of %" PRIu64
                         " windows are incomplete, as the API does not show all their questions; see"
                         " the warnings above",
                         f->n_stuck, f->n_windows);
    return status;
}

static enum status MUST_USE run_ids(struct crawl *f, struct err *e)
{
    const struct crawl_plan *p = f->plan;
    char sha256[SHA256_TEXT_SIZE], name[SHA256_TEXT_SIZE + 8] = "refresh";

    f->n_windows = 1;
    if (!p->refresh) {
        sha256_of((struct span){(const char *)p->ids, p->n_ids * sizeof *p->ids}, sha256);
        snprintf(name, sizeof name, "ids %s", sha256);
    }
    enum status status = crawl_ids(f, name, p->refresh ? NULL : p->ids, p->n_ids, e);
    if (!p->refresh && f->n_ids > f->store.counts.questions)
        log_info("%" PRIu64 " of %" PRIu64 " requested ids are not questions: deleted, or ids of answers",
                 f->n_ids - f->store.counts.questions, f->n_ids);
    return status == ST_OK ? crawl_due(f, e) : status;
}

/* Whether the last run never ended. */
SQL(RUN_KILLED, "SELECT finished_at IS NULL FROM run WHERE command = 'fetch' ORDER BY run_id DESC LIMIT 1");

/* The lost answer to a killed process's request may have said `backoff`, usually 10 seconds. */
static enum status MUST_USE rest_if_killed(struct crawl *f, const struct api_state *state, struct err *e)
{
    int64_t killed, now;
    enum status status = sql_one_int(f->db, SQL_RUN_KILLED, &killed, e);

    THEN(status, api_now(f->api, &now, e));
    if (status != ST_OK || killed != 1 || (state->quota_at != POST_ABSENT && now - state->quota_at > REST_WITHIN))
        return status;
    log_debug("the last run was killed: waiting %d s, as the API may have asked to", REST_AFTER_KILL);
    api_rest(f->api, REST_AFTER_KILL);
    return ST_OK;
}

static enum status MUST_USE end_run(struct crawl *f, enum status status, struct buf *counts, struct err *e)
{
    AT_END(buf_clear) struct buf end = {0};
    const struct api_state *state = api_state(f->api);
    const struct crawl_counts *c = &f->store.counts;
    const char *why;
    char until[TIME_TEXT_SIZE], quota[32] = "unknown";
    int64_t pause = api_pause(f->api, &why);

    buf_addf(counts, "{\"done\":%s,", status == ST_OK ? "true" : "false");
    if (pause > 0 && api_time_text(pause, until))
        buf_addf(counts, "\"goes_on_at\":\"%.19sZ\",", until);
    buf_addf(counts, "\"requests\":%" PRIu64 ",", api_requests(f->api));
    crawl_counts_json(c, counts);
    buf_add_text(counts, ",\"left_out\":");
    refused_json(f->store.left, counts);
    if (state->quota_remaining != POST_ABSENT) {
        snprintf(quota, sizeof quota, "%" PRId64, state->quota_remaining);
        buf_addf(counts, ",\"quota_remaining\":%s", quota);
    }
    buf_add_char(counts, '}');

    crawl_describe_end(&end, status, pause, why);
    status = crawl_run_end(f->db, f->store.run_id, status, buf_span(counts), e);
    log_info("fetch: %" PRIu64 " requests, %" PRIu64 " questions, %" PRIu64 " answers, %" PRIu64 " comments: %" PRIu64
             " posts new, %" PRIu64 " changed, %" PRIu64 " deleted; quota left %s; %s",
             api_requests(f->api), c->questions, c->answers, c->comments, c->n_put[DB_PUT_NEW],
             c->n_put[DB_PUT_CHANGED], c->gone, quota, buf_cstr(&end));
    refused_say(f->store.left);
    return status;
}

/* The site of the posts that are held, once there are some of the API. */
static enum status MUST_USE check_site(struct crawl *f, const char *path, struct err *e)
{
    const struct crawl_plan *p = f->plan;
    AT_END(buf_clear) struct buf held = {0};
    bool has_site;
    enum status status = crawl_setting(f->db, "site", &held, &has_site, e);

    if (status == ST_OK && p->study.site.len == 0)
        status = err_set(e, ST_INPUT, "%s: the study names no site; put `site = stackoverflow.com` into its study.ini",
                         path);
    if (status == ST_OK && study_code_of(&p->study, p->study.site) > 0)
        status = err_set(e, ST_INPUT,
                         "%s: ids of %.*s have a short name in this study, and fetch is for"
                         " a site without; leave it out of `sites` in study.ini",
                         path, SPAN_ARG(p->study.site));
    if (status == ST_OK && has_site && !span_eq(buf_span(&held), p->study.site))
        status = err_set(e, ST_DATABASE,
                         "%s: contains posts of %.*s, and the study is about %.*s now; use a database for each site",
                         path, SPAN_ARG(held), SPAN_ARG(p->study.site));
    if (status == ST_OK && !has_site)
        status = db_api_state_put(f->db, "site", p->study.site, e);
    return status;
}

static enum status MUST_USE run_plan(struct crawl *f, const char *path, struct buf *counts, struct err *e)
{
    const struct crawl_plan *p = f->plan;
    struct api_state state;
    enum status status = check_site(f, path, e);

    THEN(status, crawl_state_load(f->db, "", &state, e));
    THEN(status, api_open(&f->api, &p->options, &state, e));
    THEN(status, rest_if_killed(f, &state, e));
    if (status == ST_OK) {
        AT_END(buf_clear) struct buf parameters = {0};
        struct db_run run = {.command = "fetch", .source = span_of(p->options.url != NULL ? p->options.url : API_URL)};
        buf_addf(&parameters, "{\"mode\":\"%s\",\"tags\":[", p->refresh ? "refresh" : p->n_ids > 0 ? "ids" : "tags");
        for (size_t i = 0; i < p->n_tags; i++) {
            buf_add_text(&parameters, i > 0 ? "," : "");
            buf_add_json(&parameters, span_of(p->tags[i]));
        }
        buf_addf(&parameters, "],\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"ids\":%zu}", p->from, p->to, p->n_ids);
        run.parameters = buf_span(&parameters);
        status = db_run_begin(f->db, &run, &f->store.run_id, e);
    }
    if (status != ST_OK)
        return status;
    progress_begin(&f->progress, "fetch", 1);
    status = crawl_filter(f, e);
    THEN(status, p->refresh || p->n_ids > 0 ? run_ids(f, e) : run_tags(f, e));
    progress_end(&f->progress);
    return end_run(f, status, counts, e);
}

enum status crawl_fetch(struct db *db, const char *path, const struct crawl_plan *plan, struct buf *counts,
                        struct err *e)
{
    struct refused left = {.source = "answers of the API"};
    struct crawl f = {.db = db, .plan = plan, .store = {.db = db, .left = &left}};
    int lock = -1;
    enum status status = api_check(&plan->options, e);

    THEN(status, run_lock_take(path, "fetch-lock", &lock, e));

    if (status == ST_NO) {
        log_info("%s; nothing was done", e->text);
        return ST_OK;
    }
    THEN(status, run_plan(&f, path, counts, e));
    api_close(f.api);
    run_lock_release(lock);
    refused_clear(&left);
    buf_clear(&f.tag_list);
    return status;
}
