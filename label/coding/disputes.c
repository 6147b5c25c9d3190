/* Where coders say different things, and what was settled. */
#include "label/coding/decisions.h"
#include "label/coding/disputes.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/coding/names.h"
#include "label/label.h"

enum { FACET, SUBJECT, POST_ID, CODER, IS_MERGED, CODES, DECIDED_AT, REASON };

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

/* A row l of label that says something: a code, or (of a merged coder) that there is no such problem. */
#define SAYS "(l.code_id IS NOT NULL OR (l.place = 1 AND l.value IS NULL AND merged))"
#define OF_CODERS "FILTER (WHERE NOT merged)"

/* Of each subject and facet (:facet and :post_id, or NULL: all) how many coders said something, and whether it differs;
 * models: above 0 where one counts beside a person (see the view counted_label).
 * All said the same codes in the same order when each pair of code and place is said by every one of them. The tables
 * are read in the order of their keys, so that nothing is sorted; 16 is above FACET_CODES_MAX. */
/* clang-format off */
#define ONE \
    "WITH who (coder, merged) AS (SELECT coder, is_merged FROM coder)," \
    " one (place, facet, subject, post_id, said_at, settled_at, coders, models, differ, any_differ) AS MATERIALIZED" \
    " (SELECT 1, " JUDGING ", " PUBLIC_ID("j.post_id") ", j.post_id, max(decided_at) " OF_CODERS "," \
    " max(decided_at) FILTER (WHERE merged), count(*) " OF_CODERS ", total(NOT " IS_PERSON("coder") ")," \
    " min(is_problem) " OF_CODERS " <> max(is_problem) " OF_CODERS ", min(is_problem) <> max(is_problem)" \
    " FROM counted_judgement AS j CROSS JOIN who USING (coder)" \
    " WHERE j.post_id BETWEEN ifnull(:post_id, -9e18) AND ifnull(:post_id, 9e18) AND :judged GROUP BY j.post_id" \
    " UNION ALL" \
    " SELECT f.place, l.facet, l.subject, max(l.post_id), max(decided_at) " OF_CODERS "," \
    " max(decided_at) FILTER (WHERE merged), total(l.place = 1) " OF_CODERS ", total(NOT " IS_PERSON("coder") ")," \
    " count(*) " OF_CODERS " <> count(DISTINCT 16 * l.code_id + l.place) " OF_CODERS " * total(l.place = 1) " OF_CODERS "," \
    " count(*) <> count(DISTINCT 16 * ifnull(l.code_id, 0) + l.place) * total(l.place = 1)" \
    " FROM counted_label AS l CROSS JOIN who USING (coder) CROSS JOIN facet AS f USING (facet)" \
    " WHERE l.subject >= ifnull(:id, '') AND l.subject < ifnull(:id || '`', '{')" \
    " AND (:post_id IS NULL OR l.post_id = :post_id) AND (:facet IS NULL OR l.facet = :facet) AND " SAYS \
    " GROUP BY l.subject, l.facet)"
/* clang-format on */
/* Of a row o of one: a merged coder judged the post to be no problem. */
#define IS_NO_PROBLEM \
    "(o.place <> 1 AND o.post_id IN (SELECT j.post_id FROM judgement AS j JOIN coder AS c USING (coder)" \
    " WHERE c.is_merged AND NOT j.is_problem))"

#define IS_REOPENED "(settled_at < said_at AND " SAID_ELSE("o.subject", "o.facet", "settled_at") ")"

/* Of a row o of one: it is of the kind that is asked for, by its place in enum db_dispute_kind. */
#define IS_WANTED \
    "CASE WHEN :which = 3 THEN coders > 0 WHEN settled_at IS NOT NULL AND NOT " IS_REOPENED " THEN 0" \
    " WHEN :which = 0 THEN differ" \
    " WHEN :which = 1 THEN coders > 1 AND NOT differ AND (settled_at IS NULL OR any_differ)" \
    " ELSE coders = 1 END AND (:which = 3 OR NOT " IS_NO_PROBLEM ")"

SQL(DISPUTE_EACH,
    ONE ", wanted AS MATERIALIZED (SELECT place, facet, subject, post_id FROM one AS o WHERE " IS_WANTED "),"
        " said (place, facet, subject, post_id, coder, codes, decided_at) AS"
        " (SELECT o.place, facet, subject, o.post_id, coder, CAST(is_problem AS TEXT), decided_at"
        " FROM wanted AS o CROSS JOIN counted_judgement USING (post_id) WHERE o.place = 1"
        " UNION ALL"
        " SELECT nth, facet, subject, max(post_id), coder, group_concat(code_id, ' '),"
        " max(decided_at)"
        " FROM (SELECT o.place AS nth, l.* FROM wanted AS o CROSS JOIN counted_label AS l USING (subject, facet)"
        " CROSS JOIN who USING (coder) WHERE " SAYS " ORDER BY l.subject, l.facet, l.coder, l.place)"
        " GROUP BY subject, facet, coder)"
        " SELECT o.facet, o.subject, o.post_id, o.coder, merged, o.codes, o.decided_at,"
        " (SELECT d.reason FROM decision AS d INDEXED BY decision_subject"
        " WHERE d.subject = o.subject AND d.facet = o.facet"
        " AND d.coder = o.coder AND d.decided_at = o.decided_at AND " COUNTS " ORDER BY d.decision_id DESC LIMIT 1)"
        " FROM said AS o JOIN who USING (coder)"
        " ORDER BY o.post_id, length(o.subject), o.subject, o.place,"
        " merged, o.coder");

SQL(DISPUTE_NEXT, ONE " SELECT count(*), coalesce(min(post_id) FILTER (WHERE post_id > :after), min(post_id), 0)"
                      " FROM one AS o WHERE " IS_WANTED);

SQL(DISPUTE_POST, "SELECT coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)), " POST_URL(
                      ":post_id") " FROM (SELECT 1) LEFT JOIN post AS p ON p.post_id = :post_id");

enum status db_dispute_post(struct db *db, struct db_dispute *dispute, struct arena *arena, struct err *e)
{
    struct sql *which = SQL_DISPUTE_POST;
    bool row;

    sql_bind_int(db, which, ":post_id", dispute->post_id);
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    dispute->title = kept(arena, sql_text(db, which, 0));
    dispute->url = kept(arena, sql_text(db, which, 1));
    sql_reset(db, which);
    return ST_OK;
}

/* What every statement with ONE takes; `id` until it ran. */
static void bind_one(struct db *db, struct sql *which, size_t facet, int64_t post_id, char id[POST_ID_TEXT_SIZE])
{
    const struct facets *facets = facets_kept(db);
    bool all = facet >= facets->n;

    sql_bind_text(db, which, ":facet", all ? (struct span){0} : facets->items[facet].name);
    sql_bind_int(db, which, ":judged", all || facet == FACET_JUDGES);
    sql_bind_int(db, which, ":post_id", post_id != 0 ? post_id : POST_ABSENT);
    sql_bind_text(db, which, ":id", post_id != 0 ? span_of(post_id_text(post_id, id)) : (struct span){0});
}

/* The dispute that the row is about: the last one, or the next. */
static enum status MUST_USE find_dispute(struct db *db, struct db_disputes *out, size_t *capacity, struct err *e)
{
    struct sql *which = SQL_DISPUTE_EACH;
    struct db_dispute *last = out->n > 0 ? &out->items[out->n - 1] : NULL;
    struct db_dispute next = {.facet = facets_find(facets_kept(db), sql_text(db, which, FACET)),
                              .subject = sql_text(db, which, SUBJECT),
                              .post_id = sql_int(db, which, POST_ID)};
    enum status status = ST_OK;

    if (last != NULL && last->facet == next.facet && span_eq(last->subject, next.subject))
        return ST_OK;
    next.subject = kept(&out->arena, next.subject);
    if (last != NULL && last->post_id == next.post_id) {
        next.title = last->title;
        next.url = last->url;
    } else {
        status = db_dispute_post(db, &next, &out->arena, e);
    }
    out->items = array_room(out->items, out->n, 1, capacity, sizeof *out->items);
    out->items[out->n++] = next;
    return status;
}

/* "12 17" */
static void add_codes(const struct db *db, struct db_opinion *opinion, struct span codes, struct arena *arena)
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
    struct sql *which = SQL_DISPUTE_EACH;
    struct db_opinion *opinion = arena_alloc(arena, sizeof *opinion), **end = &dispute->opinions;
    struct span codes = sql_text(db, which, CODES);

    *opinion = (struct db_opinion){.coder = kept(arena, sql_text(db, which, CODER)),
                                   .is_merged = sql_int(db, which, IS_MERGED) != 0,
                                   .decided_at = kept(arena, sql_text(db, which, DECIDED_AT)),
                                   .reason = kept(arena, sql_text(db, which, REASON))};
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

enum status db_disputes_read(struct db *db, enum db_dispute_kind kind, size_t facet, int64_t post_id,
                             struct db_disputes *out, struct err *e)
{
    struct sql *which = SQL_DISPUTE_EACH;
    size_t capacity = 0;
    enum status status = labels_read_names(db, e);
    char id[POST_ID_TEXT_SIZE];
    bool row = true;

    *out = (struct db_disputes){0};
    if (status != ST_OK)
        return status;
    bind_one(db, which, facet, post_id, id);
    sql_bind_int(db, which, ":which", (int64_t)kind);
    while (row && status == ST_OK) {
        status = sql_row(db, which, &row, e);
        if (row && status == ST_OK)
            status = find_dispute(db, out, &capacity, e);
        if (row && status == ST_OK)
            add_opinion(db, &out->items[out->n - 1], &out->arena);
    }
    return status;
}

enum status db_disputes_next(struct db *db, int64_t after, size_t *n, int64_t *post_id, struct err *e)
{
    struct sql *which = SQL_DISPUTE_NEXT;
    const struct facets *facets;
    char id[POST_ID_TEXT_SIZE];
    bool row;
    enum status status = db_facets(db, &facets, e);

    if (status != ST_OK)
        return status;

    bind_one(db, which, DB_ALL_FACETS, 0, id);
    sql_bind_int(db, which, ":which", DB_DISPUTED);
    sql_bind_int(db, which, ":after", after);
    status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    *n = (size_t)sql_int(db, which, 0);
    *post_id = sql_int(db, which, 1);
    sql_reset(db, which);
    return ST_OK;
}

void db_disputes_clear(struct db_disputes *disputes)
{
    mem_free(disputes->items);
    arena_clear(&disputes->arena);
    *disputes = (struct db_disputes){0};
}

/* --- how much is settled --- */

SQL(SETTLED_COUNT,
    ONE " SELECT facet, count(*), count(settled_at), total(settled_at IS NULL AND differ),"
        "  total(settled_at IS NULL AND coders = 1), total(settled_at IS NULL AND coders > 1 AND NOT differ),"
        "  total(" IS_REOPENED " AND any_differ), total(differ AND (settled_at IS NULL OR " IS_REOPENED ")),"
        "  total(settled_at IS NOT NULL AND models > 0)"
        " FROM one AS o WHERE NOT " IS_NO_PROBLEM " GROUP BY facet");

enum status db_settled_read(struct db *db, struct db_settled of[FACETS_MAX], struct err *e)
{
    struct sql *which = SQL_SETTLED_COUNT;
    const struct facets *facets = NULL;
    enum status status = db_facets(db, &facets, e);
    char id[POST_ID_TEXT_SIZE];
    bool row = status == ST_OK;

    memset(of, 0, FACETS_MAX * sizeof *of);
    if (status != ST_OK)
        return status;
    bind_one(db, which, DB_ALL_FACETS, 0, id);
    while (row && status == ST_OK) {
        status = sql_row(db, which, &row, e);
        size_t facet = row ? facets_find(facets, sql_text(db, which, 0)) : facets->n;
        if (facet < facets->n)
            of[facet] = (struct db_settled){sql_int(db, which, 1), sql_int(db, which, 2), sql_int(db, which, 3),
                                            sql_int(db, which, 4), sql_int(db, which, 5), sql_int(db, which, 6),
                                            sql_int(db, which, 7), sql_int(db, which, 8)};
    }
    return status;
}

/* --- settling --- */

/* When a merged coder (:coder) settles something about a post (:post_id): now (:now), but not before what
 * was said about the subject (:subject), and later than all that this coder decided about the post, so
 * that each is an act of its own. */
SQL(RESOLUTION_TIME, "SELECT max(:now,"
                     "  ifnull((SELECT strftime('%Y-%m-%dT%H:%M:%fZ', max(decided_at), '+0.001 seconds')"
                     "          FROM decision INDEXED BY decision_subject"
                     "          WHERE " SUBJECTS_OF(
                         ":post_id") " AND coder = :coder), ''),"
                                     "  ifnull((SELECT max(decided_at) FROM decision WHERE subject = :subject), ''))");

enum status db_resolution_after(struct db *db, struct span coder, struct span subject, int64_t post_id,
                                char now[TIME_TEXT_SIZE], struct err *e)
{
    struct sql *which = SQL_RESOLUTION_TIME;
    bool row;

    time_now(now);
    sql_bind_text(db, which, ":coder", coder);
    sql_bind_int(db, which, ":post_id", post_id);
    sql_bind_text(db, which, ":subject", subject);
    sql_bind_text(db, which, ":now", span_of(now));
    enum status status = sql_row(db, which, &row, e);
    if (!row)
        return status;
    if (sql_text(db, which, 0).len == TIME_TEXT_SIZE - 1)
        memcpy(now, sql_text(db, which, 0).ptr, TIME_TEXT_SIZE - 1);
    sql_reset(db, which);
    return ST_OK;
}
