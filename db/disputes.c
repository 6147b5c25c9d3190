/* Where coders say different things, and what was settled. */
#include "db/decisions.h"
#include "db/disputes.h"
#include "db/sql.h"

enum { FACET, SUBJECT, POST_ID, CODER, IS_MERGED, CODE1, CODE2, NAME1, NAME2, DECIDED_AT, REASON,
       TITLE, URL };

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

/* The dispute that the row is about: the last one, or the next. */
static struct db_dispute *dispute_of_row(struct db *db, struct db_disputes *out, size_t *capacity)
{
    const enum sql which = SQL_DISPUTE_EACH;
    bool any = out->items != NULL && out->n > 0;
    struct db_dispute *last = any ? &out->items[out->n - 1] : NULL;
    enum db_facet facet = DB_IDENTIFICATION;

    while (facet + 1 < DB_FACETS && !span_eq(sql_text(db, which, FACET), db_facet_name(facet)))
        facet++;
    if (last != NULL && last->facet == facet &&
        span_eq(last->subject, sql_text(db, which, SUBJECT)))
        return last;
    if (out->items == NULL || out->n == *capacity) {
        *capacity = *capacity > 0 ? 2 * *capacity : 64;
        out->items = mem_resize(out->items, *capacity, sizeof *out->items);
    }
    out->items[out->n] = (struct db_dispute){
        .facet = facet,
        .subject = kept(&out->arena, sql_text(db, which, SUBJECT)),
        .post_id = sql_int(db, which, POST_ID),
        .title = kept(&out->arena, sql_text(db, which, TITLE)),
        .url = kept(&out->arena, sql_text(db, which, URL)),
    };
    return &out->items[out->n++];
}

static void add_opinion(struct db *db, struct db_dispute *dispute, struct arena *arena)
{
    const enum sql which = SQL_DISPUTE_EACH;
    bool identifies = dispute->facet == DB_IDENTIFICATION;
    struct db_opinion *opinion = arena_alloc(arena, sizeof *opinion), **end = &dispute->opinions;

    *opinion = (struct db_opinion){
        .coder = kept(arena, sql_text(db, which, CODER)),
        .is_merged = sql_int(db, which, IS_MERGED) != 0,
        .is_problem = identifies && sql_int(db, which, CODE1) != 0,
        .decided_at = kept(arena, sql_text(db, which, DECIDED_AT)),
        .reason = kept(arena, sql_text(db, which, REASON)),
    };
    for (int i = 0; i < DB_CODES_MAX && !identifies; i++) {
        int64_t code = sql_int(db, which, CODE1 + i);
        opinion->codes[i] = code != POST_ABSENT ? code : 0;
        opinion->names[i] = kept(arena, sql_text(db, which, NAME1 + i));
    }
    if (identifies)
        opinion->names[0] = opinion->is_problem ? SPAN("yes") : SPAN("no");
    while (*end != NULL)
        end = &(*end)->next;
    *end = opinion;
}

enum status db_disputes_read(struct db *db, enum db_dispute_kind kind, enum db_facet facet,
                             int64_t post_id, struct db_disputes *out, struct err *e)
{
    const enum sql which = SQL_DISPUTE_EACH;
    size_t capacity = 0;

    *out = (struct db_disputes){0};
    sql_bind_text(db, which, 1, facet < DB_FACETS ? db_facet_name(facet) : (struct span){0});
    sql_bind_int(db, which, 2, post_id != 0 ? post_id : POST_ABSENT);
    sql_bind_int(db, which, 3, (int64_t)kind);
    for (;;) {
        bool row;
        enum status status = sql_row(db, which, &row, e);
        if (!row)
            return status;
        add_opinion(db, dispute_of_row(db, out, &capacity), &out->arena);
    }
}

void db_disputes_clear(struct db_disputes *disputes)
{
    mem_free(disputes->items);
    arena_clear(&disputes->arena);
    *disputes = (struct db_disputes){0};
}

enum status db_resolution_put(struct db *db, const struct db_decision *decision, struct err *e)
{
    const enum sql which = SQL_RESOLUTION_TIME;
    struct db_decision settled = *decision;
    char now[TIME_TEXT_SIZE], post[24];
    bool row;

    time_now(now);
    snprintf(post, sizeof post, "%lld", (long long)decision->post_id);
    sql_bind_text(db, which, 1, decision->coder);
    sql_bind_int(db, which, 2, decision->post_id);
    sql_bind_text(db, which, 3,
                  decision->facet == DB_IDENTIFICATION ? span_of(post) : decision->subject);
    sql_bind_text(db, which, 4, span_of(now));
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    if (sql_text(db, which, 0).len == TIME_TEXT_SIZE - 1)
        memcpy(now, sql_text(db, which, 0).ptr, TIME_TEXT_SIZE - 1);
    sql_reset(db, which);
    settled.decided_at = span_of(now);
    return db_decision_put(db, &settled, e);
}
