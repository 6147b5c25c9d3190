/* rebuild: posts again out of the answers of the API that were kept. No network is used. */
#include "fetch/crawl/crawl.h"
#include "fetch/crawl/store.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"
#include "db/study.h"
#include "base/log.h"
#include "base/progress.h"
#include "base/signals.h"

#include <inttypes.h>

struct rebuild {
    struct crawl_store store;
    struct progress progress;
    struct buf body;
    struct study study;
    uint64_t n_done;
};

static enum status MUST_USE replay(struct rebuild *r, const struct db_api_answer *kept, struct err *e)
{
    struct api_answer *answer = NULL;
    const char *why = "it cannot be unpacked";

    if (signals_stop_asked())
        return err_set(e, (enum status)signals_exit_code(), "stopped; nothing was changed");
    bool is_whole = api_unpack(kept->body_zstd, &r->body);
    if (is_whole && (span_starts(kept->method, SPAN(STORED_GITHUB)) || span_eq(kept->method, SPAN(STORED_DISCOURSE)))) {
        progress_update(&r->progress, ++r->n_done, "answers");
        return crawl_store_records(&r->store, &r->study, NULL, kept->request, buf_span(&r->body), kept->answered_at, e);
    }
    if (!is_whole || !api_answer_read(&answer, buf_span(&r->body), &why))
        return err_set(e, ST_DATABASE, "answer %" PRIu64 " (%.*s) is damaged: %s", r->n_done + 1,
                       (int)(kept->request.len < 200 ? kept->request.len : 200), kept->request.ptr, why);
    enum status status = crawl_store_answer(&r->store, kept->request, answer, kept->safe_filter, kept->answered_at, e);
    api_answer_free(answer);
    progress_update(&r->progress, ++r->n_done, "answers");
    return status;
}

static enum status MUST_USE end(struct rebuild *r, struct buf *counts, struct err *e)
{
    const struct crawl_counts *c = &r->store.counts;

    buf_addf(counts, "{\"api_answers\":%" PRIu64 ",", r->n_done);
    crawl_counts_json(c, counts);
    buf_add_text(counts, ",\"left_out\":");
    refused_json(r->store.left, counts);
    buf_add_char(counts, '}');
    enum status status = db_run_end(r->store.db, r->store.run_id, "done", buf_span(counts), e);
    THEN(status, db_commit(r->store.db, e));
    refused_say(r->store.left);
    if (status == ST_OK)
        log_info("rebuild: %" PRIu64 " answers of the API: %" PRIu64 " posts new, %" PRIu64 " changed, %" PRIu64
                 " deleted",
                 r->n_done, c->n_put[DB_PUT_NEW], c->n_put[DB_PUT_CHANGED], c->gone);
    return status;
}

/* Ids of two sites must not get into one database. The first answers decide its site, as with fetch. */
static enum status MUST_USE same_site(struct rebuild *r, struct db *source, const char *from, struct err *e)
{
    struct db *db = r->store.db;
    AT_END(buf_clear) struct buf ours = {0}, theirs = {0};
    bool has_ours = false, has_theirs = false;
    enum status status = crawl_setting(source, "site", &theirs, &has_theirs, e);

    THEN(status, crawl_setting(db, "site", &ours, &has_ours, e));
    struct span site = has_ours ? buf_span(&ours) : r->study.site;
    if (status == ST_OK && has_theirs && !span_eq(site, buf_span(&theirs)))
        status = err_set(e, ST_DATABASE,
                         "%s: contains posts of %.*s, and this study is about %.*s; use a database for each site", from,
                         SPAN_ARG(theirs), (int)site.len, site.len > 0 ? site.ptr : "");
    if (status == ST_OK && has_theirs && !has_ours)
        status = db_api_state_put(db, "site", buf_span(&theirs), e);
    return status;
}

SQL(API_ANSWER_EACH, "SELECT " SECONDS "answered_at" INTEGER ", method, request, safe_filter,"
                     "  body_zstd FROM api_answer ORDER BY answer_id");

enum status crawl_rebuild(struct db *db, struct db *source, const char *from, struct buf *counts, struct err *e)
{
    AT_END(refused_clear) struct refused left = {.source = "answers of the API"};
    struct rebuild r = {.store = {.db = db, .is_replay = true, .left = &left}};
    int64_t n;
    enum status status = db_api_answer_count(source, &n, e);
    THEN(status, db_begin(r.store.db, e));
    THEN(status, db_study_load(&r.study, r.store.db, e));
    if (status == ST_OK && source != r.store.db)
        status = same_site(&r, source, from, e);
    if (status == ST_OK) {
        struct db_run run = {.command = "rebuild", .source = from != NULL ? span_of(from) : (struct span){0}};
        status = db_run_begin(r.store.db, &run, &r.store.run_id, e);
    }
    if (status == ST_OK) {
        progress_begin(&r.progress, "rebuild", (uint64_t)n);
        struct db_api_answer answer = {0};
        while (sql_next_into(source, SQL_API_ANSWER_EACH, &status, e, INTO(answer.answered_at), INTO(answer.method),
                             INTO(answer.request), INTO(answer.safe_filter))) {
            answer.body_zstd = sql_blob(source, SQL_API_ANSWER_EACH, 4);
            status = replay(&r, &answer, e);
        }
        progress_end(&r.progress);
    }
    THEN(status, end(&r, counts, e));
    if (status != ST_OK)
        db_rollback(db);
    buf_clear(&r.body);
    study_clear(&r.study);
    return status;
}
