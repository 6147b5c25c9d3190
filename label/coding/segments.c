/* Which problems coders see in a post, and where they see different ones. */
#include "label/coding/disputes.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/label.h"

enum { POST_ID, CODER, IS_MERGED, SUBJECT, DECIDED_AT };

/* A problem of a post, as a coder has it. */
struct seen {
    struct span coder, subject, decided_at;
    bool is_merged;
};

struct reading {
    enum db_dispute_kind kind;
    struct db_disputes *out;
    size_t capacity;
    struct ARRAY_OF(struct seen) seen; /* of the post that is read, by coder, merged ones last */
    int64_t post_id;
    struct arena arena;
};

/* Some coder of the post sees this problem, and another does not. */
static bool is_contested(const struct reading *r, struct span subject)
{
    size_t coders = 0, see = 0;

    for (size_t i = 0; i < r->seen.n; i++) {
        const struct seen *s = &r->seen.at[i];
        if (s->is_merged)
            continue;
        coders += i == 0 || !span_eq(r->seen.at[i - 1].coder, s->coder);
        see += span_eq(s->subject, subject);
    }
    return see > 0 && see < coders;
}

static void keep_latest(struct span *latest, struct span date)
{
    if (latest->ptr == NULL || memcmp(date.ptr, latest->ptr, date.len) > 0)
        *latest = date;
}

/* Coders see different problems, and nothing was settled about these, or some said something else since. */
static enum status MUST_USE read_is_open(const struct reading *r, struct db *db, bool *open, struct err *e)
{
    struct span settled_at = {0};
    enum status status = ST_OK;

    *open = false;
    for (size_t i = 0; i < r->seen.n; i++)
        if (r->seen.at[i].is_merged && is_contested(r, r->seen.at[i].subject))
            keep_latest(&settled_at, r->seen.at[i].decided_at);
    for (size_t i = 0; i < r->seen.n && !*open && status == ST_OK; i++) {
        const struct seen *s = &r->seen.at[i];
        if (s->is_merged || !is_contested(r, s->subject))
            continue;
        *open = settled_at.ptr == NULL;
        if (!*open && memcmp(settled_at.ptr, s->decided_at.ptr, s->decided_at.len) < 0)
            status = db_said_else(db, s->subject, (struct span){0}, settled_at, open, e);
    }
    return status;
}

static struct db_opinion *add_opinion(struct db_dispute *item, const struct seen *s, size_t most, struct arena *arena)
{
    struct db_opinion *opinion = arena_alloc(arena, sizeof *opinion), **end = &item->opinions;

    *opinion = (struct db_opinion){.coder = arena_copy(arena, s->coder)};
    opinion->names = arena_alloc(arena, most * sizeof *opinion->names);
    while (*end != NULL)
        end = &(*end)->next;
    *end = opinion;
    return opinion;
}

static void add_opinions(const struct reading *r, struct db_dispute *item, struct arena *arena)
{
    struct db_opinion *last = NULL;

    for (size_t i = 0; i < r->seen.n && !r->seen.at[i].is_merged; i++) {
        const struct seen *s = &r->seen.at[i];
        if (last == NULL || !span_eq(last->coder, s->coder))
            last = add_opinion(item, s, r->seen.n, arena);
        last->names[last->n_names++] = arena_copy(arena, s->subject);
        keep_latest(&last->decided_at, arena_copy(arena, s->decided_at));
    }
}

static enum status MUST_USE add_item(struct reading *r, struct db *db, struct err *e)
{
    struct arena *arena = &r->out->arena;
    struct db_dispute item = {
        .facet = DB_SEGMENTS,
        .post_id = r->post_id,
    };
    char post[POST_ID_TEXT_SIZE];

    item.subject = arena_copy(arena, span_of(post_id_text(r->post_id, post)));
    add_opinions(r, &item, arena);
    if (item.opinions == NULL)
        return ST_OK;
    enum status status = r->kind == DB_DISPUTED ? db_dispute_post(db, &item, arena, e) : ST_OK;
    r->out->items = array_room(r->out->items, r->out->n, 1, &r->capacity, sizeof *r->out->items);
    r->out->items[r->out->n++] = item;
    return status;
}

static enum status MUST_USE end_post(struct reading *r, struct db *db, struct err *e)
{
    bool counts = r->seen.n > 0;
    enum status status = counts && r->kind == DB_DISPUTED ? read_is_open(r, db, &counts, e) : ST_OK;

    if (status == ST_OK && counts)
        status = add_item(r, db, e);
    r->seen.n = 0;
    arena_reset(&r->arena);
    return status;
}

/* Coders see different problems only where one has a number of its own: :contested, no other posts are read. */
SQL(SEGMENT_EACH,
    "SELECT l.post_id, l.coder, c.is_merged, l.subject, max(l.decided_at)"
    " FROM label AS l JOIN coder AS c USING (coder)"
    " WHERE l.place = 1 AND (:post_id IS NULL OR l.post_id = :post_id)"
    "  AND (NOT :contested OR l.post_id IN (SELECT post_id FROM label WHERE instr(subject, '_')))"
    "  AND (" IS_SAID " OR " IS_DISMISSED ") AND " IS_PERSON(
        "l.coder") "  AND l.post_id NOT IN (SELECT j.post_id FROM judgement AS j JOIN coder AS k USING (coder)"
                   "   WHERE k.is_merged AND NOT j.is_problem)"
                   " GROUP BY l.post_id, l.coder, l.subject"
                   " ORDER BY l.post_id, c.is_merged, l.coder, length(l.subject), l.subject");

static enum status MUST_USE read_row(struct db *db, struct reading *r, struct err *e)
{
    struct sql *which = SQL_SEGMENT_EACH;
    int64_t post_id = sql_int(db, which, POST_ID);
    enum status status = post_id != r->post_id ? end_post(r, db, e) : ST_OK;

    r->post_id = post_id;
    array_add(&r->seen, (struct seen){.coder = arena_copy(&r->arena, sql_text(db, which, CODER)),
                                      .subject = arena_copy(&r->arena, sql_text(db, which, SUBJECT)),
                                      .decided_at = arena_copy(&r->arena, sql_text(db, which, DECIDED_AT)),
                                      .is_merged = sql_int(db, which, IS_MERGED) != 0});
    return status;
}

enum status db_segments_read(struct db *db, enum db_dispute_kind kind, int64_t post_id, struct db_disputes *out,
                             struct err *e)
{
    struct reading r = {.kind = kind, .out = out};
    enum status status = ST_OK;

    *out = (struct db_disputes){0};
    sql_bind_int(db, SQL_SEGMENT_EACH, ":post_id", post_id != 0 ? post_id : POST_ABSENT);
    sql_bind_int(db, SQL_SEGMENT_EACH, ":contested", kind == DB_DISPUTED);
    while (sql_next(db, SQL_SEGMENT_EACH, &status, e))
        status = read_row(db, &r, e);
    if (status == ST_OK)
        status = end_post(&r, db, e);
    array_clear(&r.seen);
    arena_clear(&r.arena);
    return status;
}
