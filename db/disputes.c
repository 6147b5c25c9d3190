/* Where coders say different things, and what was settled. */
#include "db/decisions.h"
#include "db/disputes.h"
#include "db/sql.h"
#include "label/label.h"

enum { FACET, SUBJECT, POST_ID, CODER, IS_MERGED, CODES, DECIDED_AT, REASON, TITLE, URL };

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

/* The dispute that the row is about: the last one, or the next. */
static struct db_dispute *dispute_of_row(struct db *db, struct db_disputes *out, size_t *capacity)
{
    const enum sql which = SQL_DISPUTE_EACH;
    struct db_dispute *last = out->items != NULL && out->n > 0 ? &out->items[out->n - 1] : NULL;
    size_t facet = facets_find(db->facets, sql_text(db, which, FACET));

    if (last != NULL && last->facet == facet &&
        span_eq(last->subject, sql_text(db, which, SUBJECT)))
        return last;
    out->items = array_room(out->items, out->n, 1, capacity, sizeof *out->items);
    out->items[out->n] = (struct db_dispute){
        .facet = facet,
        .subject = kept(&out->arena, sql_text(db, which, SUBJECT)),
        .post_id = sql_int(db, which, POST_ID),
        .title = kept(&out->arena, sql_text(db, which, TITLE)),
        .url = kept(&out->arena, sql_text(db, which, URL)),
    };
    return &out->items[out->n++];
}

/* "12 17" */
static void add_codes(const struct db *db, struct db_opinion *opinion, struct span codes,
                      struct arena *arena)
{
    int64_t *ids = arena_alloc(arena, FACET_CODES_MAX * sizeof *ids), id;
    struct span word;

    opinion->names = arena_alloc(arena, FACET_CODES_MAX * sizeof *opinion->names);
    while (span_cut(&codes, ' ', &word) && opinion->n_names < FACET_CODES_MAX) {
        if (!span_i64(word, &id))
            continue;
        ids[opinion->n_names] = id;
        opinion->names[opinion->n_names++] = kept(arena, labels_code_name(db, id));
    }
    opinion->codes = (struct db_codes){ids, opinion->n_names};
}

static void add_opinion(struct db *db, struct db_dispute *dispute, struct arena *arena)
{
    const enum sql which = SQL_DISPUTE_EACH;
    struct db_opinion *opinion = arena_alloc(arena, sizeof *opinion), **end = &dispute->opinions;
    struct span codes = sql_text(db, which, CODES);

    *opinion = (struct db_opinion){
        .coder = kept(arena, sql_text(db, which, CODER)),
        .is_merged = sql_int(db, which, IS_MERGED) != 0,
        .decided_at = kept(arena, sql_text(db, which, DECIDED_AT)),
        .reason = kept(arena, sql_text(db, which, REASON)),
    };
    if (dispute->facet == FACET_JUDGES) {
        opinion->is_problem = span_eq(codes, SPAN("1"));
        opinion->names = arena_alloc(arena, sizeof *opinion->names);
        opinion->names[opinion->n_names++] = opinion->is_problem ? SPAN("yes") : SPAN("no");
    } else {
        add_codes(db, opinion, codes, arena);
    }
    while (*end != NULL)
        end = &(*end)->next;
    *end = opinion;
}

enum status db_disputes_read(struct db *db, enum db_dispute_kind kind, size_t facet,
                             int64_t post_id, struct db_disputes *out, struct err *e)
{
    const enum sql which = SQL_DISPUTE_EACH;
    size_t capacity = 0;
    enum status status = labels_read_names(db, e);
    bool row = true;

    *out = (struct db_disputes){0};
    if (status != ST_OK)
        return status;
    sql_bind_text(db, which, 1,
                  facet < db->facets->n ? db->facets->items[facet].name : (struct span){0});
    sql_bind_int(db, which, 2, post_id != 0 ? post_id : POST_ABSENT);
    sql_bind_int(db, which, 3, (int64_t)kind);
    while (row && status == ST_OK) {
        status = sql_row(db, which, &row, e);
        if (row)
            add_opinion(db, dispute_of_row(db, out, &capacity), &out->arena);
    }
    return status;
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
    char now[TIME_TEXT_SIZE], post[POST_ID_TEXT_SIZE];
    bool row;

    time_now(now);
    post_id_text(decision->post_id, post);
    sql_bind_text(db, which, 1, decision->coder);
    sql_bind_int(db, which, 2, decision->post_id);
    sql_bind_text(db, which, 3,
                  decision->facet == FACET_JUDGES ? span_of(post) : decision->subject);
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
