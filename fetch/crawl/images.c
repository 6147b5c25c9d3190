/* images: what the posts show that coders may see, one after the other, each kept as it comes. */
#include "db/fragments.h"
#include "db/images.h"
#include "db/sql.h"

#include <inttypes.h>
#include <time.h>

#include "base/files.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/run_lock.h"
#include "base/signals.h"
#include "fetch/crawl/crawl.h"
#include "db/study.h"
#include "fetch/image.h"
#include "stem/stem.h"

enum {
    TRIES_MAX = 3,       /* runs that ask again for an image whose failure may pass */
    WAITS_MAX = 3,       /* in a run, for a server that asks to wait */
    WAIT_DEFAULT = 10,   /* seconds, when it does not say how long */
    UNANSWERED_MAX = 10, /* in a row: then there is no network */
    URLS_MAX = 1000000,
};

#define MAP_NAME url_set
#define MAP_KEY struct span
#include "base/map.h"

struct imaging {
    struct db *db;
    const struct crawl_image_plan *plan;
    struct image_client *client;
    struct arena arena;
    struct url_set seen, resting;              /* addresses of images; servers that are not asked again in this run */
    struct ARRAY_OF(struct span) first, again; /* to be asked for: never asked before, and failed */
    struct span base_url;                      /* of the post that is read */
    int64_t bytes;                             /* that all images have */
    uint64_t kept, failed, put_off, n_known;
    unsigned unanswered;
    bool is_full;
    struct progress progress;
};

/* --- which images --- */

static void take_url(void *ctx, struct span url)
{
    struct imaging *m = ctx;

    if (m->seen.n < URLS_MAX && !url_set_has(&m->seen, url))
        url_set_add(&m->seen, arena_copy(&m->arena, url), NULL);
}

/* The posts of threads that a coder may be shown, if there may be an image in them. */
SQL(IMAGE_POST_EACH, "WITH coded (post_id) AS (SELECT post_id FROM candidate_post UNION SELECT post_id FROM judgement),"
                     " thread (thread_id) AS (SELECT DISTINCT ifnull(q.parent_id, q.post_id)"
                     "                        FROM coded JOIN post AS q USING (post_id))"
                     " SELECT p.body_html, " POST_URL(
                         "p.post_id") " FROM thread JOIN post AS p ON p.post_id = thread_id OR p.parent_id = thread_id"
                                      " WHERE p.body_html LIKE '%<img%' ORDER BY p.post_id");

SQL(IMAGE_BYTES, "SELECT ifnull(sum(length(bytes)), 0) FROM image");

/* --- one image --- */

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

    if (seconds > 0 && !signals_stop_asked())
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL); /* a signal ends it */
}

static enum status MUST_USE keep(struct imaging *m, struct span url, const struct image_reply *reply, struct err *e)
{
    char now[TIME_TEXT_SIZE];
    bool failed = reply->failed != NULL;

    time_now(now);
    const struct db_image image = {
        .url = url,
        .asked_at = span_of(now),
        .failed = failed ? span_of(reply->failed) : (struct span){0},
        .may_pass = reply->may_pass,
        .type = failed ? (struct span){0} : span_of(reply->look.type),
        .bytes = reply->bytes,
        .width = reply->look.width,
        .height = reply->look.height,
    };
    m->kept += !failed;
    m->failed += failed;
    m->bytes += (int64_t)reply->bytes.len;
    if (failed)
        log_debug("no image: %.*s: %s", SPAN_ARG(url), reply->failed);
    enum status status = db_begin(m->db, e);
    THEN(status, db_image_put(m->db, &image, e));
    return status == ST_OK ? db_commit(m->db, e) : status;
}

/* Asks, and waits as the server asks. False when it asks for more than the plan allows: all images of this server then
 * wait for another run. */
static bool MUST_USE get(struct imaging *m, const char *url, struct image_reply *reply)
{
    for (unsigned waits = 0;; waits++) {
        image_get(m->client, url, reply);
        if (!reply->asks_to_wait || signals_stop_asked())
            return true;
        long wait = reply->retry_after > 0 ? reply->retry_after : (long)WAIT_DEFAULT << waits;
        if (wait > m->plan->max_wait || waits == WAITS_MAX)
            return false;
        log_debug("the server of %s asks to wait %ld s", url, wait);
        pause_for((double)wait);
    }
}

static enum status MUST_USE stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(), "stopped; the next run continues");
}

static enum status MUST_USE ask(struct imaging *m, struct span url, struct err *e)
{
    struct span host = text_origin(url);
    struct image_reply reply;

    if (url_set_has(&m->resting, host)) {
        m->put_off++;
        return ST_OK;
    }
    if (!get(m, arena_text(&m->arena, url), &reply)) {
        log_warn("%.*s asks to wait longer than --max-wait; its other images are left to the next run", SPAN_ARG(host));
        url_set_add(&m->resting, host, NULL);
        m->put_off++;
        return ST_OK;
    }
    if (signals_stop_asked() && reply.failed != NULL)
        return stopped(e);
    enum status status = keep(m, url, &reply, e);
    m->unanswered = reply.unanswered ? m->unanswered + 1 : 0;
    if (status == ST_OK && m->unanswered >= UNANSWERED_MAX)
        status = err_set(e, ST_NETWORK, "no server was reached for %d images in a row (%s); try again later",
                         UNANSWERED_MAX, reply.failed);
    if (m->plan->rate > 0)
        pause_for(1 / m->plan->rate);
    return status;
}

static enum status MUST_USE ask_all(struct imaging *m, const struct span *urls, size_t n, struct err *e)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < n && status == ST_OK; i++) {
        m->is_full |= m->bytes >= m->plan->bytes_max;
        if (m->is_full)
            return ST_OK;
        status = signals_stop_asked() ? stopped(e) : ask(m, urls[i], e);
        progress_update(&m->progress, m->kept + m->failed + m->put_off, "");
    }
    return status;
}

/* --- the run --- */

static enum status MUST_USE end_run(struct imaging *m, int64_t run_id, enum status status, struct buf *counts,
                                    struct err *e)
{
    bool done = status == ST_OK && !m->is_full && m->put_off == 0;
    struct err ignored;

    buf_addf(counts,
             "{\"done\":%s,\"images\":%zu,\"known\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"failed\":%" PRIu64
             ",\"put_off\":%" PRIu64 ",\"bytes\":%" PRId64 "}",
             done ? "true" : "false", m->seen.n, m->n_known, m->kept, m->failed, m->put_off, m->bytes);
    enum status ended = db_run_end(m->db, run_id,
                                   done                                      ? "done"
                                   : status == ST_OK || signals_stop_asked() ? "stopped"
                                                                             : "failed",
                                   buf_span(counts), status == ST_OK ? e : &ignored);
    log_info("images: %zu in posts, %" PRIu64 " known before, %" PRIu64 " kept, %" PRIu64 " could not be had, %" PRIu64
             " put off; %.1f MiB in all%s",
             m->seen.n, m->n_known, m->kept, m->failed, m->put_off, (double)m->bytes / (1 << 20), done ? "; done" : "");
    if (m->is_full)
        log_warn("the limit of --max-images is reached; nothing more was asked for");
    return status == ST_OK ? ended : status;
}

static enum status MUST_USE run_images(struct imaging *m, struct buf *counts, struct err *e)
{
    struct db_run run = {.command = "fetch", .parameters = SPAN("{\"mode\":\"images\"}")};
    int64_t run_id;
    enum status status = image_client_open(&m->client, m->plan->test_server, e);

    if (status == ST_OK) {
        while (sql_next(m->db, SQL_IMAGE_POST_EACH, &status, e))
            text_image_each(sql_text(m->db, SQL_IMAGE_POST_EACH, 0),
                            text_origin(sql_text(m->db, SQL_IMAGE_POST_EACH, 1)), take_url, m);
        for (size_t i = 0; i < m->seen.n && status == ST_OK; i++) {
            struct db_image_known known;
            struct span url = m->seen.at[i].key;
            status = db_image_find(m->db, url, &known, e);
            if (status == ST_OK && known.image_id == 0)
                array_add(&m->first, url);
            else if (status == ST_OK && !known.is_kept &&
                     (m->plan->again || (known.may_pass && known.tries < TRIES_MAX)))
                array_add(&m->again, url);
            else
                m->n_known++;
        }
        THEN(status, sql_one_int(m->db, SQL_IMAGE_BYTES, &m->bytes, e));
    }
    THEN(status, db_run_begin(m->db, &run, &run_id, e));
    if (status != ST_OK)
        return status;
    progress_begin(&m->progress, "images", m->first.n + m->again.n);
    status = ask_all(m, m->first.at, m->first.n, e);
    THEN(status, ask_all(m, m->again.at, m->again.n, e));
    progress_end(&m->progress);
    return end_run(m, run_id, status, counts, e);
}

enum status crawl_images(struct db *db, const char *path, const struct crawl_image_plan *plan, struct buf *counts,
                         struct err *e)
{
    struct imaging m = {.db = db, .plan = plan};
    int lock;
    enum status status = run_lock_take(path, "fetch-lock", &lock, e);

    if (status == ST_NO) {
        log_info("%s; nothing was done", e->text);
        return ST_OK;
    }
    THEN(status, run_images(&m, counts, e));
    image_client_close(m.client);
    url_set_clear(&m.seen);
    url_set_clear(&m.resting);
    array_clear(&m.first);
    array_clear(&m.again);
    arena_clear(&m.arena);
    run_lock_release(lock);
    return status;
}
