/* What coders did, act by act: to read it, to undo it, to go on where a coder stopped. */
#include "label/code_table.h"
#include "label/coding/decisions.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/coding/names.h"
#include "base/files.h"

/* --- undo --- */

struct act {
    struct act *next;
    struct span decision_id, decided_at, subject, facet, value;
    int64_t post_id;
};

/* The newest that counts, and all of the same time about the same post: they were one act. */
SQL(DECISION_ACT,
    "WITH act (post_id, decided_at) AS (SELECT iif(:post_id IS NULL AND decided_at IN"
    "   (SELECT json_extract(counts, '$.decided_at') FROM run"
    "    WHERE command = 'label import' AND json_extract(parameters, '$.coder') = :coder),"
    "   NULL, post_id) AS post, decided_at FROM decision AS d"
    "  WHERE coder = :coder AND (:post_id IS NULL OR post_id = :post_id) AND " COUNTS
    "  GROUP BY post, decided_at ORDER BY decided_at DESC, max(decision_id) DESC LIMIT 1 OFFSET :offset)"
    " SELECT d.decision_id, d.decided_at, d.subject, d.facet, d.value, d.post_id FROM act CROSS JOIN decision AS d"
    " WHERE d.coder = :coder AND (act.post_id IS NULL OR d.post_id = act.post_id) AND d.decided_at = act.decided_at"
    "  AND d." COUNTS " ORDER BY d.subject, d.facet");

SQL(DECISION_UNDO, "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
                   "  codebook_version, undoes) VALUES (:decision_id, :decided_at, :coder, :subject, :post_id,"
                   " :facet, :value, :codebook_version, :undoes)");

static enum status MUST_USE put_undo(struct db *db, const struct act *act, struct span coder, struct err *e)
{
    char now[TIME_TEXT_SIZE], id[SHA256_TEXT_SIZE];
    AT_END(buf_clear) struct buf value = {0};
    int64_t version;
    enum status status = db_codebook_version(db, &version, e);

    if (status != ST_OK)
        return status;
    time_now(now);
    buf_addf(&value, "{\"undoes\":\"%.*s\"}", SPAN_ARG(act->decision_id));
    db_decision_id(coder, act->subject, act->facet, buf_span(&value), span_of(now), id);
    return sql_run(db, SQL_DECISION_UNDO, e, BIND(":decision_id", span_of(id)), BIND(":decided_at", span_of(now)),
                   BIND(":coder", coder), BIND(":subject", act->subject), BIND(":post_id", act->post_id),
                   BIND(":facet", act->facet), BIND(":value", buf_span(&value)), BIND(":codebook_version", version),
                   BIND(":undoes", act->decision_id));
}

SQL(JUDGEMENT_CLEAR, "DELETE FROM judgement WHERE post_id = :post_id AND coder = :coder");

SQL(JUDGEMENT_REFILL,
    SQL_OR_NOTHING JUDGEMENT_FILL("subject = " PUBLIC_ID(":post_id") " AND post_id = :post_id AND +coder = :coder"));

SQL(LABEL_REFILL, SQL_OR_NOTHING LABEL_FILL(SUBJECTS_OF(":post_id") " AND +coder = :coder"));

/* What counts now of what the coder said about a post. */
static enum status MUST_USE refill(struct db *db, int64_t post_id, struct span coder, struct err *e)
{
    static struct sql *steps[] = {SQL_JUDGEMENT_CLEAR, SQL_JUDGEMENT_REFILL, SQL_LABEL_REFILL};
    enum status status = labels_clear(db, post_id, coder, SPAN("~"), e); /* of any time */

    for (size_t i = 0; i < ARRAY_LEN(steps) && status == ST_OK; i++)
        status = sql_run(db, steps[i], e, BIND(":post_id", post_id), BIND(":coder", coder));
    return status == ST_OK ? labels_put_problems(db, post_id, e) : status;
}

enum status db_decision_undo(struct db *db, struct span coder, int64_t post_id, size_t before,
                             void (*each)(void *ctx, const struct db_act *act), void *ctx, struct err *e)
{
    AT_END(arena_clear) struct arena arena = {0};
    struct act row, *act = NULL, **end = &act;
    enum status status = db_begin(db, e);

    sql_forget(db); /* there is something undone from now on */
    sql_bind(db, SQL_DECISION_ACT, BIND(":coder", coder), BIND(":post_id", post_id != 0 ? post_id : POST_ABSENT),
             BIND(":offset", before));
    /* The act is read first: its rows change while they are undone. */
    while (sql_next_into(db, SQL_DECISION_ACT, &status, e, INTO(row.decision_id), INTO(row.decided_at),
                         INTO(row.subject), INTO(row.facet), INTO(row.value), INTO(row.post_id))) {
        *end = arena_alloc(&arena, sizeof **end);
        **end = (struct act){NULL,
                             arena_copy(&arena, row.decision_id),
                             arena_copy(&arena, row.decided_at),
                             arena_copy(&arena, row.subject),
                             arena_copy(&arena, row.facet),
                             arena_copy(&arena, row.value),
                             row.post_id};
        end = &(*end)->next;
    }
    if (status == ST_OK && act == NULL)
        status = ST_NO;
    for (; act != NULL && status == ST_OK; act = act->next) {
        status = put_undo(db, act, coder, e);
        if (status == ST_OK && (act->next == NULL || act->next->post_id != act->post_id))
            status = refill(db, act->post_id, coder, e);
        struct db_act undone = {act->decided_at, act->subject, act->facet, act->value};
        if (status == ST_OK)
            each(ctx, &undone);
    }
    return db_end(db, status, e);
}

SQL(DECISION_AFTER, "SELECT max(:now, ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', max(decided_at), '+0.001 seconds'),"
                    "  '')) FROM decision WHERE coder = :coder");

enum status db_decision_after(struct db *db, struct span coder, char now[TIME_TEXT_SIZE], struct err *e)
{
    enum status status = ST_OK;

    time_now(now);
    sql_bind(db, SQL_DECISION_AFTER, BIND(":coder", coder), BIND(":now", span_of(now)));
    while (sql_next(db, SQL_DECISION_AFTER, &status, e)) {
        struct span time = sql_text(db, SQL_DECISION_AFTER, 0);
        if (time.len == TIME_TEXT_SIZE - 1)
            memcpy(now, time.ptr, time.len);
    }
    return status;
}

#define DECIDED "SELECT ' ' || count(*) || ' ' || ifnull(max(decided_at), '') FROM decision WHERE "
SQL(STATE_READ, "SELECT ifnull(:coder, '') || ' ' || :post_id"
                "  || (" DECIDED SUBJECTS_OF(
                    ":post_id") " AND (:coder IS NULL OR +coder = :coder))"
                                "  || (SELECT ' ' || count(*) FROM note WHERE post_id = :post_id AND coder = :coder),"
                                " ifnull(:coder, '') || (" DECIDED "coder = :coder)");

enum status db_coder_state_read(struct db *db, struct span coder, int64_t post_id, struct db_coder_state *out,
                                struct err *e)
{
    enum status status = ST_OK;

    *out = (struct db_coder_state){0};
    sql_bind(db, SQL_STATE_READ, BIND(":coder", coder), BIND(":post_id", post_id));
    while (sql_next(db, SQL_STATE_READ, &status, e)) {
        sha256_of(sql_text(db, SQL_STATE_READ, 0), out->of_post);
        sha256_of(sql_text(db, SQL_STATE_READ, 1), out->last);
    }
    return status;
}

#define EVENT \
    "SELECT decided_at, coder, subject, facet, value, codebook_version, reason, assisted_by," \
    "  EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id) FROM decision AS d "
#define EVENT_ORDER " ORDER BY decided_at, decision_id"

/* Of one coder by the index of coders; any text is less than x''. */
SQL(DECISION_EACH, EVENT "WHERE coder BETWEEN ifnull(:coder, '') AND ifnull(:coder, x'')" EVENT_ORDER);

SQL(DECISION_OF_POST, EVENT
    "INDEXED BY decision_subject WHERE " SUBJECTS_OF(":post_id") " AND (:coder IS NULL OR coder = :coder)" EVENT_ORDER);

SQL(DECISION_SETTLED_BECAUSE, EVENT "WHERE coder IN (SELECT coder FROM coder WHERE is_merged)"
                                    " AND instr(reason, :words)" EVENT_ORDER);

/* --- the history --- */

struct sql *db_events(struct db *db, struct span coder, int64_t post_id)
{
    struct sql *which = post_id != 0 ? SQL_DECISION_OF_POST : SQL_DECISION_EACH;

    sql_bind_text(db, which, ":coder", coder);
    if (post_id != 0)
        sql_bind_int(db, which, ":post_id", post_id);
    return which;
}

struct sql *db_events_because(struct db *db, struct span words)
{
    sql_bind_text(db, SQL_DECISION_SETTLED_BECAUSE, ":words", words);
    return SQL_DECISION_SETTLED_BECAUSE;
}

bool db_event_next(struct db *db, struct sql *events, struct db_event *event, enum status *status, struct err *e)
{
    return sql_next_into(db, events, status, e, INTO(event->decided_at), INTO(event->coder), INTO(event->subject),
                         INTO(event->facet), INTO(event->value), INTO(event->codebook_version), INTO(event->reason),
                         INTO(event->assisted_by), INTO(event->undone));
}

/* --- notes and messages --- */

#define NOTE_PUTS(table, id) \
    SQL_OR_NOTHING "INSERT INTO " table " (" id ", written_at, coder, subject, post_id, text)" \
                   " VALUES (:id, :written_at, :coder, :subject, :post_id, :text) ON CONFLICT (" id ") DO NOTHING"
#define NOTE_EACHES(table, id) \
    "SELECT written_at, coder, subject, text FROM " table " WHERE (:coder IS NULL OR coder = :coder)" \
    " AND (:post_id IS NULL OR post_id = :post_id) ORDER BY written_at, " id
SQL(NOTE_HAS, "SELECT 1 FROM note WHERE note_id = :note_id");
SQL(NOTE_PUT, NOTE_PUTS("note", "note_id"));
SQL(NOTE_EACH, NOTE_EACHES("note", "note_id"));
SQL(MESSAGE_HAS, "SELECT 1 FROM message WHERE message_id = :message_id");
SQL(MESSAGE_PUT, NOTE_PUTS("message", "message_id"));
SQL(MESSAGE_EACH, NOTE_EACHES("message", "message_id"));

/* name: in the ids */
static const struct {
    const char *name;
    struct sql *has, *put, *each;
} notes[] = {[DB_NOTE] = {"note", SQL_NOTE_HAS, SQL_NOTE_PUT, SQL_NOTE_EACH},
             [DB_MESSAGE] = {"message", SQL_MESSAGE_HAS, SQL_MESSAGE_PUT, SQL_MESSAGE_EACH}};

enum status db_note_put(struct db *db, enum db_note_kind kind, const struct db_note *note, int64_t post_id,
                        struct err *e)
{
    bool is_new;
    char id[SHA256_TEXT_SIZE], now[TIME_TEXT_SIZE];
    AT_END(buf_clear) struct buf value = {0};

    time_now(now);
    struct span at = note->written_at.len > 0 ? note->written_at : span_of(now);
    buf_add_json_kept(&value, note->text);
    db_decision_id(note->coder, note->subject, span_of(notes[kind].name), buf_span(&value), at, id);
    sql_bind(db, notes[kind].put, BIND(":id", span_of(id)), BIND(":written_at", at), BIND(":coder", note->coder),
             BIND(":subject", note->subject), BIND(":post_id", post_id), BIND(":text", note->text));
    return sql_put_once(db, notes[kind].put, notes[kind].has, span_of(id), &is_new, e);
}

struct sql *db_notes(struct db *db, enum db_note_kind kind, struct span coder, int64_t post_id)
{
    sql_bind(db, notes[kind].each, BIND(":coder", coder), BIND(":post_id", post_id != 0 ? post_id : POST_ABSENT));
    return notes[kind].each;
}

bool db_note_next(struct db *db, struct sql *walk, struct db_note *note, enum status *status, struct err *e)
{
    return sql_next_into(db, walk, status, e, INTO(note->written_at), INTO(note->coder), INTO(note->subject),
                         INTO(note->text));
}

/* --- where a coder stands --- */

/* The next id of a walk, or INT64_MAX behind the last. */
static enum status MUST_USE next_id(struct db *db, struct sql *which, int64_t *id, struct err *e)
{
    bool row;
    enum status status = sql_row(db, which, &row, e);

    *id = row ? sql_int(db, which, 0) : INT64_MAX;
    return status;
}

SQL(CANDIDATE_IDS, "SELECT post_id FROM candidate_post WHERE post_id > :after ORDER BY post_id");

SQL(JUDGED_IDS, "SELECT post_id FROM judgement WHERE coder = :coder AND post_id > :after ORDER BY post_id");

/* A post that is judged to be a problem, and lacks a required label of the coder. */
SQL(UNFINISHED_NEXT,
    "SELECT post_id FROM judgement AS j WHERE coder = :coder AND post_id > :after AND is_problem"
    " AND (SELECT count(*) FROM label JOIN facet AS f USING (facet)"
    "       WHERE " SUBJECTS_OF("j.post_id") " AND coder = :coder AND label.place = 1 AND f.required)"
                                             "  < (SELECT count(*) FROM facet WHERE place > 1 AND required)"
                                             "    * max(1, (SELECT count(DISTINCT subject) FROM label"
                                             "       WHERE " SUBJECTS_OF(
                                                 "j.post_id") " AND coder = :coder)) ORDER BY post_id LIMIT 1");

enum status db_candidate_next(struct db *db, struct span coder, bool unfinished, int64_t after, int64_t *post_id,
                              struct err *e)
{
    int64_t judged = 0;
    enum status status;

    if (unfinished) {
        sql_bind(db, SQL_UNFINISHED_NEXT, BIND(":coder", coder), BIND(":after", after));
        status = sql_one_int(db, SQL_UNFINISHED_NEXT, post_id, e);
        *post_id = *post_id != POST_ABSENT ? *post_id : 0;
        return status;
    }
    /* Two walks side by side: to look for each of 100,000 candidates in the index takes twice as long. */
    sql_bind_int(db, SQL_CANDIDATE_IDS, ":after", after);
    sql_bind(db, SQL_JUDGED_IDS, BIND(":coder", coder), BIND(":after", after));
    status = next_id(db, SQL_CANDIDATE_IDS, post_id, e);
    while (status == ST_OK && *post_id != INT64_MAX && judged <= *post_id)
        if (judged == *post_id)
            status = next_id(db, SQL_CANDIDATE_IDS, post_id, e);
        else
            status = next_id(db, SQL_JUDGED_IDS, &judged, e);
    sql_reset(db, SQL_CANDIDATE_IDS);
    sql_reset(db, SQL_JUDGED_IDS);
    *post_id = *post_id != INT64_MAX ? *post_id : 0;
    return status;
}

SQL(JUDGED, "SELECT is_problem FROM judgement WHERE coder = :coder AND post_id = :post_id");

enum status db_is_judged(struct db *db, struct span coder, int64_t post_id, bool *judged, bool *is_problem,
                         struct err *e)
{
    sql_bind(db, SQL_JUDGED, BIND(":coder", coder), BIND(":post_id", post_id));
    enum status status = sql_row(db, SQL_JUDGED, judged, e);
    *is_problem = *judged && sql_int(db, SQL_JUDGED, 0) != 0;
    sql_reset(db, SQL_JUDGED);
    return status;
}

SQL(CODER_PROGRESS, "SELECT iif(:candidates, (SELECT count(*) FROM candidate_post), 0),"
                    "  (SELECT count(*) FROM judgement JOIN candidate_post USING (post_id) WHERE coder = :coder)");

enum status db_coder_progress(struct db *db, struct span coder, int64_t *candidates, int64_t *judged, struct err *e)
{
    int64_t of_all = 0;
    enum status status = ST_OK;

    *judged = 0;
    sql_bind(db, SQL_CODER_PROGRESS, BIND(":coder", coder), BIND(":candidates", candidates != NULL));
    while (sql_next_into(db, SQL_CODER_PROGRESS, &status, e, INTO(of_all), INTO(*judged)))
        if (candidates != NULL)
            *candidates = of_all;
    return status;
}

SQL(CODER_EACH, "SELECT coder, is_merged FROM coder ORDER BY coder");

bool db_coder_next(struct db *db, struct db_coder *coder, enum status *status, struct err *e)
{
    return sql_next_into(db, SQL_CODER_EACH, status, e, INTO(coder->coder), INTO(coder->is_merged));
}

/* --- who is known --- */

enum { CODERS_MAX = 1000 }; /* a slip is looked for among these */

/* *near gets a known name that is close to one that is not known. */
static enum status MUST_USE find_coder(struct db *db, struct span sought, bool *known, bool *is_merged,
                                       struct buf *near, struct err *e)
{
    AT_END(array_end) struct ARRAY_OF(const char *) names = {0};
    AT_END(arena_clear) struct arena arena = {0};
    struct db_coder coder;
    enum status status = ST_OK;

    *known = *is_merged = false;
    while (db_coder_next(db, &coder, &status, e)) {
        bool is = span_eq(coder.coder, sought);
        *known |= is;
        *is_merged |= is && coder.is_merged;
        if (names.n < CODERS_MAX)
            array_add(&names, arena_text(&arena, coder.coder));
    }
    if (status == ST_OK && !*known)
        buf_add_span(near, span_of(span_nearest(sought, names.at, names.n)));
    return status;
}

enum status coder_known(struct db *db, struct span coder, bool *is_merged, struct buf *near, struct err *e)
{
    bool known;
    enum status status = find_coder(db, coder, &known, is_merged, near, e);

    *is_merged |= !known && span_eq(coder, SPAN("merged"));
    return status;
}

enum status coder_must_exist(struct db *db, struct span coder, struct err *e)
{
    AT_END(buf_clear) struct buf near = {0};
    bool known, is_merged;
    enum status status = find_coder(db, coder, &known, &is_merged, &near, e);

    if (status != ST_OK || known)
        return status;
    return err_set(e, ST_INPUT, "there is no coder '%.*s'%s%s%s", SPAN_ARG(coder),
                   near.len > 0 ? " (did you mean '" : "", buf_cstr(&near), near.len > 0 ? "'?)" : "");
}
