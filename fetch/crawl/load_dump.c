/*
 * load: posts of a data dump into the database.
 *
 * The study's tags and dates choose questions; questions choose their answers. What cannot be decided yet goes to a
 * temporary file until the end, so a dump of any order is read once, in bounded memory: an answer before its question
 * (never in the public dumps, ordered by Id), and a post that is stored already, since the newer state depends on the
 * date of the dump, the last activity in it.
 */
#include "base/bitset.h"
#include "base/files.h"
#include "fetch/crawl/loading.h"
#include "fetch/crawl/store.h"

struct dump_load {
    struct loading *loading;
    struct bitset held;       /* in the database before this file */
    struct bitset wanted;     /* questions whose answers are wanted */
    struct bitset questions;  /* questions seen in this file, or held */
    struct bitset stored;     /* posts stored from this file */
    struct dump_block *block; /* being taken; NULL: answers that waited are */
    struct waiting waiting;   /* rows that wait for the end */
    struct arena arena;
    char now[TIME_TEXT_SIZE];
    bool waits;     /* for the date of the dump: held posts do, */
    bool waits_all; /* and all others where the API said what is gone */
};

/* --- how new the dump is --- */

#define SECONDS_LEN 19 /* of a date, without fraction and Z */

/* Moves `latest` to the row's LastActivityDate (near the end of a row in the public dumps) if that is later. Ignores
 * dates in the future, which are mistakes. */
static void note_activity(const struct dump_load *l, const struct row *row, char latest[TIME_TEXT_SIZE])
{
    enum { TAIL = 768 };
    struct span name = SPAN(" LastActivityDate=\""), tail = row->raw, text = {0};
    char date[TIME_TEXT_SIZE];

    if (tail.len > TAIL)
        tail = span_after(tail, tail.len - TAIL);
    size_t found = span_find(tail, name);
    if (found == SIZE_MAX) {
        text = row_attribute(row, ATTR_LastActivityDate);
    } else {
        tail = span_after(tail, found + name.len);
        if (!span_cut(&tail, '"', &text))
            return;
    }
    if (text.len < SECONDS_LEN || memcmp(text.ptr, latest, SECONDS_LEN) < 0)
        return;
    if (date_read(text, date) && strcmp(date, latest) > 0 && strcmp(date, l->now) <= 0)
        memcpy(latest, date, TIME_TEXT_SIZE);
}

/* --- which posts --- */

/* Why a question is not of the study; NULL: it is. */
static const char *why_not(const struct dump_load *l, struct dump_block *b, const struct row *row)
{
    bool has_tag = false;
    struct span rest = {0}, tag;
    if (row->tags.len > 0 && study_may_have_tag(&l->loading->study, row->tags))
        rest = row_unescape(&b->arena, row->tags);
    while (!has_tag && post_tag_next(&rest, &tag))
        has_tag = study_has_tag(&l->loading->study, tag);
    if (!has_tag)
        return LEFT_TAG;
    struct span date = row_attribute(row, ATTR_CreationDate);
    char text[TIME_TEXT_SIZE];
    if (date.len > 0 && !date_read(date, text))
        return NULL; /* so that it is refused with words, and not taken for one of another time */
    return loading_why_date(l->loading, date);
}

/* Any thread. Keeps every question and answer, since an answer's question is known only when the blocks come in order;
 * other posts if wanted. */
static void scan_block(void *ctx, unsigned worker, struct dump_block *b)
{
    const struct dump_load *l = ctx;
    char latest[TIME_TEXT_SIZE] = "";
    struct row row;

    (void)worker;
    while (dump_next(b, &row)) {
        note_activity(l, &row, latest);
        row.wanted = l->loading->how.all_tags || bitset_has(&l->held, (uint32_t)row.id);
        if (!row.wanted && row.type == POST_QUESTION)
            row.wanted = (row.why = why_not(l, b, &row)) == NULL;
        else if (!row.wanted && row.type != POST_ANSWER)
            row.why = LEFT_TYPE;
        array_add(&b->rows, row);
    }
    buf_add(&b->out, latest, strlen(latest));
}

/* --- storing --- */

static void refuse(struct dump_load *l, const struct row *row, const char *why)
{
    if (l->block != NULL)
        dump_refuse(l->block, row, why);
    else
        refused_add(&l->loading->refused, row->offset, row->id, why);
}

static enum status put(struct dump_load *l, const struct row *row, bool dated, struct err *e)
{
    struct post post;
    const char *why;

    if (bitset_has(&l->stored, (uint32_t)row->id)) {
        refuse(l, row, "its Id came before in this file; the first row counts");
        return ST_OK;
    }
    arena_reset(&l->arena);
    if (!row_post(row, &l->arena, &post, &why)) {
        refuse(l, row, why);
        return ST_OK;
    }
    bitset_add(&l->stored, (uint32_t)row->id);
    post = stored_post(&post, l->loading->code);
    return loading_put(l->loading, &post, dated, e);
}

/* --- rows that wait --- */

static enum status defer(struct dump_load *l, const struct row *row, bool is_wanted, struct err *e)
{
    struct waiting_head head = {row->offset, row->raw.len, row->id, row->type, row->parent_id, is_wanted};

    l->loading->n_deferred += !is_wanted;
    return waiting_add(&l->waiting, &head, row->raw, e);
}

static enum status store(struct dump_load *l, const struct row *row, struct err *e)
{
    if (l->waits && (l->waits_all || bitset_has(&l->held, (uint32_t)row->id)))
        return defer(l, row, true, e);
    return put(l, row, !l->waits, e);
}

/* Puts what waited; an answer, if its question came after all. */
static enum status reconsider(void *ctx, const struct waiting_head *head, struct span raw, struct err *e)
{
    struct dump_load *l = ctx;
    struct row row = {
        .raw = raw, .offset = head->offset, .id = head->id, .type = head->type, .parent_id = head->parent_id};

    if (head->is_wanted || bitset_has(&l->wanted, (uint32_t)row.parent_id))
        return put(l, &row, true, e);
    bool is_here = bitset_has(&l->questions, (uint32_t)row.parent_id);
    l->loading->n_orphans += !is_here;
    refused_leave(&l->loading->refused, row.offset, row.id, is_here ? LEFT_ANSWER : LEFT_ORPHAN);
    return ST_OK;
}

/* --- taking blocks in order --- */

static enum status take_answer(struct dump_load *l, const struct row *row, struct err *e)
{
    bool has_parent = row->parent_id >= 1 && row->parent_id <= POST_ID_MAX;

    if (!row->wanted && !has_parent) {
        refuse(l, row, "an answer without the Id of its question");
        return ST_OK;
    }
    if (row->wanted || bitset_has(&l->wanted, (uint32_t)row->parent_id))
        return store(l, row, e);
    if (!bitset_has(&l->questions, (uint32_t)row->parent_id))
        return defer(l, row, false, e);
    refused_leave(&l->loading->refused, row->offset, row->id, LEFT_ANSWER);
    return ST_OK;
}

static enum status take_block(void *ctx, struct dump_block *b, struct err *e)
{
    struct dump_load *l = ctx;
    enum status status = ST_OK;

    l->block = b;
    loading_saw(l->loading, buf_span(&b->out));
    for (size_t i = 0; i < b->rows.n; i++) {
        const struct row *row = &b->rows.at[i];
        if (row->type != POST_QUESTION)
            continue;
        bitset_add(&l->questions, (uint32_t)row->id);
        if (row->wanted)
            bitset_add(&l->wanted, (uint32_t)row->id);
    }
    for (size_t i = 0; i < b->rows.n && status == ST_OK; i++) {
        const struct row *row = &b->rows.at[i];
        if (row->type == POST_ANSWER)
            status = take_answer(l, row, e);
        else if (row->wanted)
            status = store(l, row, e);
        else
            refused_leave(&l->loading->refused, row->offset, row->id, row->why);
    }
    l->block = NULL;
    return status == ST_OK ? loading_step(l->loading, e) : status;
}

static void refuse_row(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    refused_add(&((struct dump_load *)ctx)->loading->refused, offset, id, why);
}

/* --- one file --- */

static void hold(void *ctx, int64_t post_id, int64_t type)
{
    struct dump_load *l = ctx;
    int64_t number = study_id_number(post_id);

    if (study_id_code(post_id) != l->loading->code || number > POST_ID_MAX)
        return;
    bitset_add(&l->held, (uint32_t)number);
    if (type != POST_QUESTION)
        return;
    bitset_add(&l->wanted, (uint32_t)number);
    bitset_add(&l->questions, (uint32_t)number);
}

enum status load_dump(struct loading *loading, struct err *e)
{
    struct dump_load l = {.loading = loading, .waiting = waiting_in(loading->how.temporary)};
    enum status status = loading_begin(loading, e);

    THEN(status, db_post_each_id(loading->db, hold, &l, e));
    l.waits = loading->how.as_of.ptr == NULL;
    l.waits_all = status == ST_OK && db_knows_listings(loading->db, e);
    time_now(l.now);
    if (status == ST_OK) {
        struct dump_options options = {.threads = loading->how.threads};
        struct dump_handler handler = {.ctx = &l, .scan = scan_block, .take = take_block, .refused = refuse_row};
        struct dump_stats stats;
        /* Decompression takes most of the time then, scanning little; and it is faster with its window in one
         * processor's cache (zstd, 1 GB: 1.7 s, not 2.0 s). */
        if (options.threads == 0 && source_decompresses(loading->source))
            options.threads = 1;
        status = dump_read(loading->source, &options, &handler, &stats, e);
        loading->read = stats.rows;
        loading->bytes = stats.bytes;
        loading->watermarks = stats.watermarks;
    }
    THEN(status, loading_note_as_of(loading, e));
    THEN(status, waiting_each(&l.waiting, reconsider, &l, e));
    status = loading_end(loading, status, e);
    waiting_clear(&l.waiting);
    struct bitset *const sets[] = {&l.held, &l.wanted, &l.questions, &l.stored};
    for (size_t i = 0; i < ARRAY_LEN(sets); i++)
        bitset_clear(sets[i]);
    arena_clear(&l.arena);
    return status;
}
