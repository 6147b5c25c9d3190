/* Where coders say different things, and what was settled. */
#include "label/coding/decisions.h"
#include "label/coding/disputes.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/coding/names.h"
#include "label/label.h"

enum { FACET, SUBJECT, POST_ID, CODER, IS_MERGED, CODES, DECIDED_AT, REASON, TITLE, URL };

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

/* What everybody said about a subject, :facet and :post_id, with what the others said beside it. */
#define OPINIONS \
    "WITH said (place, facet, subject, post_id, coder, codes, decided_at) AS MATERIALIZED" \
    " (SELECT 1, " JUDGING ", " PUBLIC_ID( \
        "post_id") ", post_id, coder, CAST(is_problem AS TEXT)," \
                   "   decided_at FROM judgement WHERE (:post_id IS NULL OR post_id = :post_id) AND " IS_PERSON( \
                       "coder") "  UNION ALL" \
                                "  SELECT f.place, l.facet, l.subject, max(l.post_id), l.coder," \
                                "   group_concat(l.code_id, ' '), max(l.decided_at)" \
                                "  FROM (SELECT l.* FROM label AS l JOIN coder AS c USING (coder)" \
                                "        WHERE (code_id IS NOT NULL OR " IS_DISMISSED \
                                ") AND (:post_id IS NULL OR post_id = :post_id)" \
                                "        AND " IS_PERSON( \
                                    "coder") "        ORDER BY subject, facet, coder, place) AS l JOIN facet AS f USING (facet)" \
                                             "  GROUP BY l.subject, l.facet, l.coder)," \
                                             " one AS MATERIALIZED" \
                                             " (SELECT place, facet, subject, max(post_id) AS post_id," \
                                             "   max(decided_at) FILTER (WHERE NOT is_merged) AS said_at," \
                                             "   max(decided_at) FILTER (WHERE is_merged) AS settled_at," \
                                             "   count(*) FILTER (WHERE NOT is_merged) AS coders," \
                                             "   min(codes) FILTER (WHERE NOT is_merged) <> max(codes) FILTER (WHERE NOT is_merged) AS differ," \
                                             "   min(ifnull(codes, '')) <> max(ifnull(codes, '')) AS any_differ" \
                                             "  FROM said JOIN coder USING (coder) WHERE :facet IS NULL OR facet = :facet" \
                                             "  GROUP BY subject, place)"
/* Of a row o of one: a merged coder judged the post to be no problem. */
#define IS_NO_PROBLEM \
    "(o.place <> 1 AND o.post_id IN (SELECT j.post_id FROM judgement AS j JOIN coder AS c USING (coder)" \
    "  WHERE c.is_merged AND NOT j.is_problem))"

/* A coder said something else than they had said when it was settled: not the same again, for another reason or under
 * another codebook. */
#define IS_REOPENED \
    "(settled_at < said_at AND EXISTS" \
    " (SELECT 1 FROM decision AS d INDEXED BY decision_subject JOIN coder AS c USING (coder)" \
    "  WHERE d.subject = o.subject AND d.facet = o.facet AND NOT c.is_merged AND d.decided_at > settled_at" \
    "   AND d." COUNTS " AND d.value IS NOT" \
    "    (SELECT b.value FROM decision AS b INDEXED BY decision_subject" \
    "     WHERE b.subject = d.subject AND b.facet = d.facet AND b.coder = d.coder AND b.decided_at <= settled_at" \
    "      AND b.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = b.decision_id)" \
    "     ORDER BY b.decided_at DESC, b.decision_id DESC LIMIT 1)))"

SQL(DISPUTE_EACH, OPINIONS
    " SELECT o.facet, o.subject, o.post_id, s.coder, is_merged, s.codes, s.decided_at,"
    "  (SELECT d.reason FROM decision AS d INDEXED BY decision_subject"
    "   WHERE d.subject = o.subject AND d.facet = o.facet"
    "    AND d.coder = s.coder AND d.decided_at = s.decided_at AND " COUNTS "   ORDER BY d.decision_id DESC LIMIT 1),"
    "  coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)),"
    "  " POST_URL(
        "o.post_id") " FROM one AS o CROSS JOIN said AS s ON s.subject = o.subject AND s.place = o.place"
                     " JOIN coder ON coder.coder = s.coder"
                     " LEFT JOIN post AS p ON p.post_id = o.post_id"
                     " WHERE CASE WHEN :which = 3 THEN coders > 0 WHEN settled_at IS NOT NULL AND NOT " IS_REOPENED
                     " THEN 0"
                     "  WHEN :which = 0 THEN differ"
                     "  WHEN :which = 1 THEN coders > 1 AND NOT differ AND (settled_at IS NULL OR any_differ)"
                     "  ELSE coders = 1 END"
                     " AND (:which = 3 OR NOT " IS_NO_PROBLEM ")"
                     " ORDER BY o.post_id, length(o.subject), o.subject, o.place, is_merged, s.coder");

/* The dispute that the row is about: the last one, or the next. */
static struct db_dispute *dispute_of_row(struct db *db, struct db_disputes *out, size_t *capacity)
{
    struct sql *which = SQL_DISPUTE_EACH;
    struct db_dispute *last = out->items != NULL && out->n > 0 ? &out->items[out->n - 1] : NULL;
    size_t facet = facets_find(facets_kept(db), sql_text(db, which, FACET));

    if (last != NULL && last->facet == facet && span_eq(last->subject, sql_text(db, which, SUBJECT)))
        return last;
    out->items = array_room(out->items, out->n, 1, capacity, sizeof *out->items);
    out->items[out->n] = (struct db_dispute){.facet = facet,
                                             .subject = kept(&out->arena, sql_text(db, which, SUBJECT)),
                                             .post_id = sql_int(db, which, POST_ID),
                                             .title = kept(&out->arena, sql_text(db, which, TITLE)),
                                             .url = kept(&out->arena, sql_text(db, which, URL))};
    return &out->items[out->n++];
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
    bool row = true;

    *out = (struct db_disputes){0};
    if (status != ST_OK)
        return status;
    sql_bind_text(db, which, ":facet",
                  facet < facets_kept(db)->n ? facets_kept(db)->items[facet].name : (struct span){0});
    sql_bind_int(db, which, ":post_id", post_id != 0 ? post_id : POST_ABSENT);
    sql_bind_int(db, which, ":which", (int64_t)kind);
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

/* --- how much is settled --- */

SQL(SETTLED_COUNT,
    OPINIONS " SELECT facet, count(*), count(settled_at), total(settled_at IS NULL AND differ),"
             "  total(settled_at IS NULL AND coders = 1), total(settled_at IS NULL AND coders > 1 AND NOT differ),"
             "  total(" IS_REOPENED " AND any_differ), total(differ AND (settled_at IS NULL OR " IS_REOPENED "))"
             " FROM one AS o WHERE NOT " IS_NO_PROBLEM " GROUP BY facet");

enum status db_settled_read(struct db *db, struct db_settled of[FACETS_MAX], struct err *e)
{
    struct sql *which = SQL_SETTLED_COUNT;
    const struct facets *facets = NULL;
    enum status status = db_facets(db, &facets, e);
    bool row = status == ST_OK;

    memset(of, 0, FACETS_MAX * sizeof *of);
    if (status != ST_OK)
        return status;
    sql_bind_text(db, which, ":facet", (struct span){0});
    sql_bind_int(db, which, ":post_id", POST_ABSENT);
    while (row && status == ST_OK) {
        status = sql_row(db, which, &row, e);
        size_t facet = row ? facets_find(facets, sql_text(db, which, 0)) : facets->n;
        if (facet < facets->n)
            of[facet] = (struct db_settled){sql_int(db, which, 1), sql_int(db, which, 2), sql_int(db, which, 3),
                                            sql_int(db, which, 4), sql_int(db, which, 5), sql_int(db, which, 6),
                                            sql_int(db, which, 7)};
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
