/*
 * load: posts of a data dump into the database.
 *
 * Questions are chosen by the study's tags and dates, answers by their question. An answer whose
 * question was not seen yet is written to a temporary file and looked at again at the end; in the
 * public dumps, ordered by Id, that happens to none, so a dump is read once and in bounded memory,
 * whatever its order.
 */
#include "crawl/crawl.h"
#include "db/study.h"

#include <errno.h>
#include <inttypes.h>

struct load {
    struct db *db;
    struct study study;
    struct crawl_load_how how;

    struct bitset held;      /* in the database before this file */
    struct bitset wanted;    /* questions whose answers are wanted */
    struct bitset questions; /* questions seen in this file, or held */
    struct bitset stored;    /* posts stored from this file */
    int64_t run_id;
    struct source *source;
    struct dump_block *block; /* being taken; NULL: answers that waited are */
    struct refused refused;
    struct arena arena;
    FILE *deferred; /* answers that came before their question; NULL while there are none */
    struct progress progress;
    void (*done)(void *ctx, struct span counts);
    void *done_ctx;
    struct buf counts;

    uint64_t n_put[DB_PUT_KINDS];
    uint64_t n_questions, n_answers, n_others, n_deferred, n_orphans;
    uint64_t n_batch; /* posts in the open transaction */
};

/* --- which posts --- */

/* Tags of the row that the study asks for. */
static bool has_study_tag(const struct load *l, const struct row *row, struct arena *arena)
{
    if (row->tags.len == 0 || !study_may_have_tag(&l->study, row->tags))
        return false;
    struct span rest = row_unescape(arena, row->tags), tag;
    while (post_tag_next(&rest, &tag))
        if (study_has_tag(&l->study, tag))
            return true;
    return false;
}

static bool is_of_study(const struct load *l, struct dump_block *b, const struct row *row)
{
    if (!has_study_tag(l, row, &b->arena))
        return false;
    struct span date = row_attribute(row, ATTR_CREATION_DATE);
    return study_has_date(&l->study, date);
}

/* Any thread. Keeps every question and answer, since the answers' questions are known only when the
 * blocks come in order; other posts where they are wanted. */
static void scan_block(void *ctx, unsigned worker, struct dump_block *b)
{
    const struct load *l = ctx;
    struct row row;

    (void)worker;
    while (dump_next(b, &row)) {
        row.wanted = l->how.all_tags || bitset_has(&l->held, (uint32_t)row.id) ||
                     (row.type == POST_QUESTION && is_of_study(l, b, &row));
        if (row.wanted || row.type == POST_QUESTION || row.type == POST_ANSWER)
            dump_keep(b, &row);
    }
}

/* --- storing --- */

static enum status stopped(struct err *e)
{
    return err_set(e, (enum status)signals_exit_code(),
                   "stopped; what was loaded so far is kept: the same command again goes on");
}

/* A transaction is open before and after. */
static enum status commit_batch(struct load *l, struct err *e)
{
    l->n_batch = 0;
    enum status status = db_commit(l->db, e);
    if (status == ST_OK)
        status = db_begin(l->db, e);
    return status == ST_OK && signals_stop_asked() ? stopped(e) : status;
}

static void refuse(struct load *l, const struct row *row, const char *why)
{
    if (l->block != NULL)
        dump_refuse(l->block, row, why);
    else
        refused_add(&l->refused, row->offset, row->id, why);
}

static enum status store(struct load *l, const struct row *row, struct err *e)
{
    struct post post;
    const char *why;
    enum db_put what;

    if (bitset_has(&l->stored, (uint32_t)row->id)) {
        refuse(l, row, "its Id came before in this file; the first row counts");
        return ST_OK;
    }
    arena_reset(&l->arena);
    if (!row_post(row, &l->arena, &post, &why)) {
        refuse(l, row, why);
        return ST_OK;
    }
    enum status status = db_post_put(l->db, &post, l->run_id, &what, e);
    if (status != ST_OK)
        return status;
    bitset_add(&l->stored, (uint32_t)row->id);
    l->n_put[what]++;
    l->n_questions += row->type == POST_QUESTION;
    l->n_answers += row->type == POST_ANSWER;
    l->n_others += row->type != POST_QUESTION && row->type != POST_ANSWER;
    if (++l->n_batch >= l->how.batch || signals_stop_asked())
        return commit_batch(l, e);
    return ST_OK;
}

/* --- answers before their questions --- */

static enum status deferred_failed(struct err *e)
{
    return err_set(e, ST_IO, "temporary file for answers that come before their questions: %s",
                   strerror(errno));
}

/* A row in the temporary file; its raw bytes follow. */
struct deferred_row {
    uint64_t offset, len;
    int64_t id, parent_id;
};

static enum status defer(struct load *l, const struct row *row, struct err *e)
{
    struct deferred_row head = {row->offset, row->raw.len, row->id, row->parent_id};

    if (l->deferred == NULL)
        l->deferred = tmpfile();
    if (l->deferred == NULL)
        return deferred_failed(e);
    l->n_deferred++;
    if (fwrite(&head, sizeof head, 1, l->deferred) != 1 ||
        fwrite(row->raw.ptr, 1, row->raw.len, l->deferred) != row->raw.len)
        return deferred_failed(e);
    return ST_OK;
}

/* Stores an answer if its question came after all. */
static enum status reconsider(struct load *l, const struct deferred_row *head, struct span raw,
                              struct err *e)
{
    struct row row = {.raw = raw,
                      .offset = head->offset,
                      .id = head->id,
                      .type = POST_ANSWER,
                      .parent_id = head->parent_id};

    if (bitset_has(&l->wanted, (uint32_t)row.parent_id))
        return store(l, &row, e);
    l->n_orphans += !bitset_has(&l->questions, (uint32_t)row.parent_id);
    return ST_OK;
}

static enum status store_deferred(struct load *l, struct err *e)
{
    struct deferred_row head;
    struct buf raw = {0};
    enum status status = ST_OK;

    if (l->deferred == NULL)
        return ST_OK;
    if (fseek(l->deferred, 0, SEEK_SET) != 0) /* which writes what is buffered */
        return deferred_failed(e);
    while (status == ST_OK && fread(&head, sizeof head, 1, l->deferred) == 1) {
        buf_reset(&raw);
        buf_reserve(&raw, head.len);
        raw.len = fread(raw.ptr, 1, head.len, l->deferred);
        if (raw.len != head.len) {
            status = deferred_failed(e);
            break;
        }
        status = reconsider(l, &head, buf_span(&raw), e);
    }
    if (status == ST_OK && ferror(l->deferred) != 0)
        status = deferred_failed(e);
    buf_clear(&raw);
    return status;
}

/* --- taking blocks in order --- */

static void note_questions(struct load *l, const struct dump_block *b)
{
    for (size_t i = 0; i < b->rows.n; i++) {
        const struct row *row = &b->rows.at[i];
        if (row->type != POST_QUESTION)
            continue;
        bitset_add(&l->questions, (uint32_t)row->id);
        if (row->wanted)
            bitset_add(&l->wanted, (uint32_t)row->id);
    }
}

static enum status take_answer(struct load *l, const struct row *row, struct err *e)
{
    bool has_parent = row->parent_id >= 1 && row->parent_id <= POST_ID_MAX;

    if (!row->wanted && !has_parent) {
        refuse(l, row, "an answer without the Id of its question");
        return ST_OK;
    }
    if (row->wanted || bitset_has(&l->wanted, (uint32_t)row->parent_id))
        return store(l, row, e);
    if (!bitset_has(&l->questions, (uint32_t)row->parent_id))
        return defer(l, row, e);
    return ST_OK;
}

static enum status take_block(void *ctx, struct dump_block *b, struct err *e)
{
    struct load *l = ctx;
    enum status status = ST_OK;
    char note[64];

    l->block = b;
    note_questions(l, b);
    for (size_t i = 0; i < b->rows.n && status == ST_OK; i++) {
        const struct row *row = &b->rows.at[i];
        if (row->type == POST_ANSWER)
            status = take_answer(l, row, e);
        else if (row->wanted)
            status = store(l, row, e);
    }
    l->block = NULL;
    snprintf(note, sizeof note, "%" PRIu64 " posts kept",
             l->n_questions + l->n_answers + l->n_others);
    progress_update(&l->progress, source_consumed(l->source), note);
    if (status == ST_OK && signals_stop_asked())
        status = commit_batch(l, e);
    return status;
}

static void refuse_row(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    refused_add(&((struct load *)ctx)->refused, offset, id, why);
}

/* --- one file --- */

static void hold(void *ctx, int64_t post_id, int64_t type)
{
    struct load *l = ctx;

    bitset_add(&l->held, (uint32_t)post_id);
    if (type != POST_QUESTION)
        return;
    bitset_add(&l->wanted, (uint32_t)post_id);
    bitset_add(&l->questions, (uint32_t)post_id);
}

static void forget_file(struct load *l)
{
    bitset_clear(&l->held);
    bitset_clear(&l->wanted);
    bitset_clear(&l->questions);
    bitset_clear(&l->stored);
    arena_clear(&l->arena);
    if (l->deferred != NULL)
        fclose(l->deferred);
    l->deferred = NULL;
    source_close(l->source);
    l->source = NULL;
}

static enum status begin_run(struct load *l, struct err *e)
{
    struct buf parameters = {0};
    struct db_run run = {.command = "load", .source = span_of(source_name(l->source))};

    buf_addf(&parameters, "{\"all_tags\":%s,\"strict\":%s}", l->how.all_tags ? "true" : "false",
             l->how.strict ? "true" : "false");
    run.parameters = buf_span(&parameters);
    enum status status = db_begin(l->db, e);
    if (status == ST_OK)
        status = db_run_begin(l->db, &run, &l->run_id, e);
    buf_clear(&parameters);
    return status;
}

static void add_counts(const struct load *l, const struct dump_stats *stats, struct buf *out)
{
    buf_addf(out,
             "{\"rows\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"questions\":%" PRIu64
             ",\"answers\":%" PRIu64 ",\"others\":%" PRIu64 ",\"new\":%" PRIu64
             ",\"changed\":%" PRIu64 ",\"same\":%" PRIu64 ",\"older\":%" PRIu64
             ",\"answers_before_their_question\":%" PRIu64 ",\"answers_without_question\":%" PRIu64
             ",\"watermarks\":%" PRIu64 ",\"refused\":%" PRIu64 "}",
             stats->rows, stats->bytes, l->n_questions, l->n_answers, l->n_others,
             l->n_put[DB_PUT_NEW], l->n_put[DB_PUT_CHANGED], l->n_put[DB_PUT_SAME],
             l->n_put[DB_PUT_OLDER], l->n_deferred, l->n_orphans, stats->watermarks,
             l->refused.n);
}

static void say_counts(const struct load *l, const struct dump_stats *stats)
{
    const char *name = source_name(l->source);

    log_info("%s: %" PRIu64 " rows read; kept %" PRIu64 " questions, %" PRIu64 " answers, %" PRIu64
             " others: %" PRIu64 " new, %" PRIu64 " changed, %" PRIu64 " as before, %" PRIu64
             " older than what is held",
             name, stats->rows, l->n_questions, l->n_answers, l->n_others, l->n_put[DB_PUT_NEW],
             l->n_put[DB_PUT_CHANGED], l->n_put[DB_PUT_SAME], l->n_put[DB_PUT_OLDER]);
    if (stats->watermarks > 0)
        log_info("%s: %" PRIu64 " fabricated watermark rows left out (Ids 1000000001, 1000000010)",
                 name, stats->watermarks);
    if (l->n_deferred > 0)
        log_info("%s: %" PRIu64 " answers came before their question and waited; %" PRIu64
                 " of them have no question here and were left out",
                 name, l->n_deferred, l->n_orphans);
}

/* Ends the run's transaction with its outcome; after a failure with what was stored before it. */
static enum status end_run(struct load *l, const struct dump_stats *stats, const char *outcome,
                           struct err *e)
{
    buf_reset(&l->counts);
    add_counts(l, stats, &l->counts);
    enum status status = db_run_end(l->db, l->run_id, outcome, buf_span(&l->counts), e);
    if (status == ST_OK)
        status = db_commit(l->db, e);
    return status;
}

/* What was read before the input turned out bad, or a signal came, is good and kept. Returns `why`,
 * or what counts more. */
static enum status keep_what_was_read(struct load *l, const struct dump_stats *stats,
                                      enum status why, struct err *e)
{
    const char *outcome = signals_stop_asked() ? "stopped" : "failed";
    struct err second;

    if (why == ST_DATABASE)
        return why;
    if (end_run(l, stats, outcome, &second) != ST_OK) {
        log_warn("%s: what came after the last batch is not kept: %s", source_name(l->source),
                 second.text);
        return why;
    }
    return signals_stop_asked() ? stopped(e) : why;
}

static enum status read_file(struct load *l, struct err *e)
{
    struct dump_options options = {.threads = l->how.threads};
    struct dump_handler handler = {
        .ctx = l, .scan = scan_block, .take = take_block, .refused = refuse_row};
    struct dump_stats stats;

    /* Decompression takes most of the time then, and is faster where its window stays in one
     * processor's cache (zstd, 1 GB: 1.7 s, not 2.0 s); to scan is little beside it. */
    if (l->how.threads == 0 && source_decompresses(l->source))
        options.threads = 1;
    progress_begin(&l->progress, source_name(l->source), source_size(l->source));
    enum status status = dump_read(l->source, &options, &handler, &stats, e);
    progress_end(&l->progress);
    if (status == ST_OK)
        status = store_deferred(l, e);
    if (status == ST_OK)
        status = refused_end(&l->refused, l->how.strict, e);
    if (status == ST_OK)
        status = end_run(l, &stats, "done", e);
    else
        status = keep_what_was_read(l, &stats, status, e);
    if (status != ST_OK)
        return status;
    l->done(l->done_ctx, buf_span(&l->counts));
    say_counts(l, &stats);
    return status;
}

static void zero_counts(struct load *l)
{
    memset(l->n_put, 0, sizeof l->n_put);
    l->n_questions = l->n_answers = l->n_others = 0;
    l->n_deferred = l->n_orphans = l->n_batch = 0;
}

static enum status load_file(struct load *l, const char *path, struct err *e)
{
    zero_counts(l);
    enum status status = source_open(&l->source, path, e);
    if (status != ST_OK)
        return status;
    l->refused = (struct refused){.source = source_name(l->source)};
    status = db_post_each_id(l->db, hold, l, e);
    if (status == ST_OK)
        status = begin_run(l, e);
    if (status == ST_OK)
        status = read_file(l, e);
    db_rollback(l->db);
    forget_file(l);
    return status;
}

enum status crawl_load(struct db *db, char *const *paths, size_t n,
                       const struct crawl_load_how *how,
                       void (*done)(void *ctx, struct span counts), void *ctx, struct err *e)
{
    struct load l = {.db = db, .how = *how, .done = done, .done_ctx = ctx};
    enum status status = db_study_load(&l.study, db, e);

    if (status == ST_OK)
        status = db_fill_begin(db, e);
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = load_file(&l, paths[i], e);
    if (status == ST_OK)
        status = db_checkpoint(db, e);
    buf_clear(&l.counts);
    study_clear(&l.study);
    return status;
}
