/* rebuild: posts again out of the answers of the API that were kept. No network is used. */
#include "cli/command.h"
#include "crawl/store.h"
#include "db/api.h"
#include "db/posts.h"
#include "db/study.h"
#include "mine/study_set.h"

#include <inttypes.h>

struct rebuild {
    struct fetch_store store;
    struct progress progress;
    struct buf body;
    uint64_t n_done;
};

static enum status MUST_USE stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(), "stopped; nothing was changed");
}

static enum status replay(void *ctx, const struct db_api_answer *kept, struct err *e)
{
    struct rebuild *r = ctx;
    struct api_answer *answer = NULL;
    const char *why = "it cannot be unpacked";

    if (signals_stop_asked())
        return stopped(e);
    if (!api_unpack(kept->body_zstd, &r->body) ||
        !api_answer_read(&answer, buf_span(&r->body), &why))
        return err_set(e, ST_DATABASE, "answer %" PRIu64 " (%.*s) is damaged: %s", r->n_done + 1,
                       (int)(kept->request.len < 200 ? kept->request.len : 200),
                       kept->request.ptr, why);
    enum status status = fetch_store_answer(&r->store, kept->request, answer, kept->safe_filter,
                                            kept->answered_at, e);
    api_answer_free(answer);
    progress_update(&r->progress, ++r->n_done, "answers");
    return status;
}

static enum status MUST_USE begin(struct rebuild *r, const char *from, struct err *e)
{
    struct db_run run = {.command = "rebuild", .source = span_of(from)};

    if (from == NULL)
        run.source = (struct span){0};
    return db_run_begin(r->store.db, &run, &r->store.run_id, e);
}

static enum status MUST_USE end(struct rebuild *r, bool as_json, struct err *e)
{
    struct buf counts = {0};
    const struct fetch_counts *c = &r->store.counts;

    buf_addf(&counts, "{\"api_answers\":%" PRIu64 ",", r->n_done);
    fetch_counts_json(c, &counts);
    buf_add_char(&counts, '}');
    enum status status = db_run_end(r->store.db, r->store.run_id, "done", buf_span(&counts), e);
    if (status == ST_OK)
        status = db_commit(r->store.db, e);
    if (status == ST_OK && as_json)
        printf("%.*s\n", (int)counts.len, counts.ptr);
    if (status == ST_OK)
        log_info("rebuild: %" PRIu64 " answers of the API: %" PRIu64 " posts new, %" PRIu64
                 " changed, %" PRIu64 " deleted", r->n_done, c->n_put[DB_PUT_NEW],
                 c->n_put[DB_PUT_CHANGED], c->gone);
    buf_clear(&counts);
    return status;
}

/* Which site the kept answers of a database are of; found is false when it has none. */
struct site {
    struct buf name;
    bool found;
};

static void read_site(void *ctx, struct span key, struct span value)
{
    struct site *s = ctx;

    if (!span_eq(key, SPAN("site")))
        return;
    s->found = true;
    buf_add_span(&s->name, value);
}

/* Ids of two sites must not get into one database. The first answers decide its site, as with
 * fetch. */
static enum status MUST_USE same_site(struct db *db, struct db *source, const char *from,
                                      struct err *e)
{
    struct site ours = {0}, theirs = {0};
    struct study study = {0};
    enum status status = db_api_state_each(source, read_site, &theirs, e);

    if (status == ST_OK)
        status = db_api_state_each(db, read_site, &ours, e);
    if (status == ST_OK)
        status = db_study_load(&study, db, e);
    struct span site = ours.found ? buf_span(&ours.name) : study.site;
    if (status == ST_OK && theirs.found && !span_eq(site, buf_span(&theirs.name)))
        status = err_set(e, ST_DATABASE,
                         "%s: holds posts of %.*s, and this study is about %.*s; use a database"
                         " for each site", from, (int)theirs.name.len, theirs.name.ptr,
                         (int)site.len, site.len > 0 ? site.ptr : "");
    if (status == ST_OK && theirs.found && !ours.found)
        status = db_api_state_put(db, "site", buf_span(&theirs.name), e);
    buf_clear(&ours.name);
    buf_clear(&theirs.name);
    study_clear(&study);
    return status;
}

static enum status MUST_USE rebuild_from(struct rebuild *r, struct db *source, const char *from,
                                         bool as_json, struct err *e)
{
    int64_t n;
    enum status status = db_api_answer_count(source, &n, e);

    if (status == ST_OK)
        status = db_begin(r->store.db, e);
    if (status == ST_OK && source != r->store.db)
        status = same_site(r->store.db, source, from, e);
    if (status == ST_OK)
        status = begin(r, from, e);
    if (status == ST_OK) {
        progress_begin(&r->progress, "rebuild", (uint64_t)n);
        status = db_api_answer_each(source, replay, r, e);
        progress_end(&r->progress);
    }
    if (status == ST_OK)
        status = end(r, as_json, e);
    if (status != ST_OK)
        db_rollback(r->store.db);
    return status;
}

static enum status run_rebuild(struct invocation *in, struct err *e)
{
    static const char *const formats[] = {"text", "json", NULL};
    const char *from = in->n_operands > 0 ? in->operands[0] : NULL;
    struct rebuild r = {.store = {.db = in->db, .is_replay = true}};
    struct db *source = NULL;
    size_t format = 0;
    enum status status = option_choice(in, "format", formats, &format, e);

    signals_catch();
    if (status == ST_OK && from != NULL)
        status = db_open(&source, from, DB_READ, e);
    if (status == ST_OK)
        status = rebuild_from(&r, source != NULL ? source : in->db, from, format == 1, e);
    db_close(source);
    buf_clear(&r.body);
    return status;
}

static const struct option_spec options[] = {
    {"format", 'f', "FORMAT", "text, or json: the counts on stdout"},
    {NULL, '\0', NULL, NULL},
};

static const struct example examples[] = {
    {"ppmine rebuild", "again, with a version that reads more out of the same answers"},
    {"ppmine -d new.db rebuild old.db", "into another database"},
    {NULL, NULL},
};

const struct command command_rebuild = {
    .name = "rebuild",
    .summary = "Make posts again from the kept answers of the API",
    .operands = "FROM",
    .max_operands = 1,
    .options = options,
    .description =
        "Reads every answer that `ppmine fetch` kept, in the order in which they came, and stores\n"
        "the posts, comments and authors in it, and what it said about deleted ones. FROM is the\n"
        "database with the answers; default is the one that is written. Without the network, in one\n"
        "transaction. What is held already stays as it is.",
    .examples = examples,
    .needs = NEEDS_DB_WRITE,
    .run = run_rebuild,
};
