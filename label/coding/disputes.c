/* Where coders say different things, and what was settled. */
#include "label/coding/decisions.h"
#include "label/coding/counted.h"
#include "label/coding/disputes.h"
#include "db/fragments.h"
#include "label/fragments.h"
#include "db/sql.h"
#include "label/coding/names.h"
#include "label/label.h"
#include "base/maps.h"

static struct span kept(struct arena *arena, struct span s)
{
    return s.ptr != NULL ? arena_copy(arena, s) : s;
}

/* --- what each said, subject by subject --- */

/* What one of them says of a subject and a facet. */
struct voice {
    const struct counted_coder *who;
    int64_t codes[FACET_CODES_MAX];
    size_t n; /* 0: a merged coder left the problem out */
    bool is_problem;
    struct span decided_at;
};

/* All that is said of a subject and a facet, with what follows from it. */
struct group {
    size_t facet;
    struct span subject;
    int64_t post_id;
    struct ARRAY_OF(struct voice) voices; /* by coder */
    struct span said_at, settled_at;      /* ptr NULL: no coder, no merged one */
    size_t coders;                        /* but merged ones */
    bool differ, any_differ;              /* coders, also from merged ones */
    bool has_model;                       /* that counts beside a person: see the view counted_label */
    bool is_reopened;
};

/* One walk through judgements and labels, in the order of their keys, so that nothing is sorted. */
struct walk {
    struct db *db;
    const struct facets *facets;
    struct id_set no_problem; /* posts that a merged coder judged to be none */
    struct group group;
    void (*each)(struct walk *w, const struct group *g);
    void *ctx;
};

static bool says_same(const struct voice *a, const struct voice *b)
{
    return a->is_problem == b->is_problem && a->n == b->n && memcmp(a->codes, b->codes, a->n * sizeof *a->codes) == 0;
}

static struct span later(struct span a, struct span b)
{
    return a.ptr == NULL || span_order(b, a) > 0 ? b : a;
}

SQL(DISPUTE_SAID_ELSE,
    "SELECT EXISTS (SELECT 1 FROM decision AS d INDEXED BY decision_subject"
    " WHERE d.subject = :subject AND d.facet = ifnull(:facet, d.facet) AND d.decided_at > :since"
    "  AND d.coder IN (SELECT coder FROM coder WHERE NOT is_merged AND " IS_PERSON(
        "coder") ")"
                 "  AND d." COUNTS " AND d.value IS NOT"
                 "   (SELECT b.value FROM decision AS b INDEXED BY decision_subject"
                 "    WHERE b.subject = d.subject AND b.facet = d.facet AND b.coder = d.coder AND b.decided_at <= :since"
                 "     AND b.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM decision AS u WHERE u.undoes = b.decision_id)"
                 "    ORDER BY b.decided_at DESC, b.decision_id DESC LIMIT 1))");

enum status db_said_else(struct db *db, struct span subject, struct span facet, struct span since, bool *said_else,
                         struct err *e)
{
    int64_t is = 0;

    sql_bind(db, SQL_DISPUTE_SAID_ELSE, BIND(":subject", subject), BIND(":facet", facet), BIND(":since", since));
    enum status status = sql_one_int(db, SQL_DISPUTE_SAID_ELSE, &is, e);
    *said_else = is == 1;
    return status;
}

static enum status MUST_USE end_group(struct walk *w, struct err *e)
{
    struct group *g = &w->group;
    const struct voice *first = NULL;
    enum status status = ST_OK;

    g->said_at = g->settled_at = (struct span){0};
    g->coders = 0;
    g->differ = g->any_differ = g->has_model = g->is_reopened = false;
    for (size_t i = 0; i < g->voices.n; i++) {
        const struct voice *v = &g->voices.at[i];
        g->any_differ |= !says_same(&g->voices.at[0], v);
        if (v->who->is_merged) {
            g->settled_at = later(g->settled_at, v->decided_at);
            continue;
        }
        first = first != NULL ? first : v;
        g->differ |= !says_same(first, v);
        g->has_model |= v->who->is_model;
        g->coders++;
        g->said_at = later(g->said_at, v->decided_at);
    }
    if (g->settled_at.ptr != NULL && g->said_at.ptr != NULL && span_order(g->settled_at, g->said_at) < 0)
        status = db_said_else(w->db, g->subject, w->facets->items[g->facet].name, g->settled_at, &g->is_reopened, e);
    if (status == ST_OK && g->voices.n > 0)
        w->each(w, g);
    g->voices.n = 0;
    return status;
}

/* A row says something by a code or, of a merged coder, that there is no such problem. */
static void add_row(struct walk *w, const struct counted_coder *who, const struct counted_row *row)
{
    struct group *g = &w->group;
    bool no_code = row->code_id == POST_ABSENT;

    if (no_code && (!who->is_merged || row->place > 1))
        return;
    if (row->place == 1)
        array_add(&g->voices, (struct voice){.who = who, .decided_at = row->decided_at});
    struct voice *v = g->voices.n > 0 ? &g->voices.at[g->voices.n - 1] : NULL;
    if (v == NULL || v->who != who || v->n == FACET_CODES_MAX)
        return;
    if (row->facet == FACET_JUDGES)
        v->is_problem = row->code_id == 1;
    else if (!no_code)
        v->codes[v->n++] = row->code_id;
}

/* Of a facet (DB_ALL_FACETS: of all) and a post (0: of all). */
static enum status MUST_USE walk_all(struct walk *w, size_t facet, int64_t post_id, struct err *e)
{
    const struct counted *c = NULL;
    struct group *g = &w->group;
    enum status status = db_facets(w->db, &w->facets, e);

    THEN(status, counted_read(w->db, post_id, &c, e));
    for (size_t i = 0; status == ST_OK && i < c->rows.n; i++) {
        const struct counted_row *row = &c->rows.at[i];
        const struct counted_coder *who = &c->coders.at[row->coder];
        if (!row->counts)
            continue;
        if (row->facet == FACET_JUDGES && who->is_merged && row->code_id == 0)
            id_set_add(&w->no_problem, row->post_id, NULL);
        if (facet < w->facets->n && facet != row->facet)
            continue;
        if (row->facet != g->facet || !span_eq(row->subject, g->subject)) {
            status = end_group(w, e);
            g->facet = row->facet;
            g->subject = row->subject;
            g->post_id = row->post_id;
        }
        add_row(w, who, row);
    }
    THEN(status, end_group(w, e));
    array_clear(&g->voices);
    id_set_clear(&w->no_problem);
    return status;
}

/* Codes of a post that was judged not to be a problem. */
static bool is_left_out(const struct walk *w, const struct group *g)
{
    return g->facet != FACET_JUDGES && id_set_has(&w->no_problem, g->post_id);
}

static bool is_wanted(const struct walk *w, const struct group *g, enum db_dispute_kind kind)
{
    if (kind == DB_SAID)
        return g->coders > 0;
    if (is_left_out(w, g) || (g->settled_at.ptr != NULL && !g->is_reopened))
        return false;
    if (kind == DB_DISPUTED)
        return g->differ;
    return kind == DB_SINGLE ? g->coders == 1
                             : g->coders > 1 && !g->differ && (g->settled_at.ptr == NULL || g->any_differ);
}

/* --- disputes --- */

SQL(DISPUTE_POST, "SELECT coalesce(p.title, (SELECT q.title FROM post AS q WHERE q.post_id = p.parent_id)), " POST_URL(
                      ":post_id") " FROM (SELECT 1) LEFT JOIN post AS p ON p.post_id = :post_id");

enum status db_dispute_post(struct db *db, struct db_dispute *dispute, struct arena *arena, struct err *e)
{
    enum status status = ST_OK;

    sql_bind_int(db, SQL_DISPUTE_POST, ":post_id", dispute->post_id);
    while (sql_next(db, SQL_DISPUTE_POST, &status, e)) {
        dispute->title = kept(arena, sql_text(db, SQL_DISPUTE_POST, 0));
        dispute->url = kept(arena, sql_text(db, SQL_DISPUTE_POST, 1));
    }
    return status;
}

SQL(DISPUTE_REASON,
    "SELECT d.reason FROM decision AS d INDEXED BY decision_subject"
    " WHERE d.subject = :subject AND d.facet = :facet AND d.coder = :coder AND d.decided_at = :decided_at"
    "  AND " COUNTS " ORDER BY d.decision_id DESC LIMIT 1");

enum status db_dispute_reasons(struct db *db, struct db_dispute *d, struct arena *arena, struct err *e)
{
    struct sql *which = SQL_DISPUTE_REASON;
    const struct facets *facets;
    enum status status = db_facets(db, &facets, e);

    for (struct db_opinion *o = d->opinions; o != NULL && status == ST_OK; o = o->next) {
        sql_bind(db, which, BIND(":subject", d->subject), BIND(":facet", facets->items[d->facet].name),
                 BIND(":coder", o->coder), BIND(":decided_at", o->decided_at));
        while (sql_next(db, which, &status, e))
            o->reason = kept(arena, sql_text(db, which, 0));
    }
    return status;
}

static struct db_opinion *opinion_of(const struct db *db, size_t facet, const struct voice *v, struct arena *arena)
{
    struct db_opinion *opinion = arena_alloc(arena, sizeof *opinion);

    *opinion = (struct db_opinion){.coder = arena_copy(arena, v->who->coder),
                                   .is_merged = v->who->is_merged,
                                   .decided_at = arena_copy(arena, v->decided_at),
                                   .names = arena_alloc(arena, FACET_CODES_MAX * sizeof *opinion->names)};
    if (facet == FACET_JUDGES) {
        opinion->is_problem = v->is_problem;
        opinion->names[opinion->n_names++] = opinion->is_problem ? SPAN("yes") : SPAN("no");
        return opinion;
    }
    int64_t *ids = arena_alloc(arena, FACET_CODES_MAX * sizeof *ids);
    for (size_t i = 0; i < v->n; i++) {
        ids[i] = v->codes[i];
        opinion->names[i] = kept(arena, labels_code_name(db, v->codes[i]));
    }
    opinion->n_names = v->n;
    opinion->codes = (struct db_codes){ids, v->n};
    return opinion;
}

struct listing {
    enum db_dispute_kind kind;
    struct db_disputes *out;
    size_t capacity;
};

/* Coders, then merged ones. */
static void add_dispute(struct walk *w, const struct group *g)
{
    struct listing *l = w->ctx;
    struct db_disputes *out = l->out;
    struct db_dispute item = {.facet = g->facet, .post_id = g->post_id};
    struct db_opinion **end = &item.opinions;

    if (!is_wanted(w, g, l->kind))
        return;
    item.subject = arena_copy(&out->arena, g->subject);
    for (int merged = 0; merged < 2; merged++)
        for (size_t i = 0; i < g->voices.n; i++) {
            if (g->voices.at[i].who->is_merged != (merged == 1))
                continue;
            *end = opinion_of(w->db, g->facet, &g->voices.at[i], &out->arena);
            end = &(*end)->next;
        }
    out->items = array_room(out->items, out->n, 1, &l->capacity, sizeof *out->items);
    out->items[out->n++] = item;
}

static int compare_disputes(const void *a, const void *b)
{
    const struct db_dispute *x = a, *y = b;

    if (x->post_id != y->post_id)
        return x->post_id < y->post_id ? -1 : 1;
    if (x->subject.len != y->subject.len)
        return x->subject.len < y->subject.len ? -1 : 1;
    int order = memcmp(x->subject.ptr, y->subject.ptr, x->subject.len);
    return order != 0 ? order : (x->facet > y->facet) - (x->facet < y->facet);
}

enum status db_disputes_list(struct db *db, enum db_dispute_kind kind, size_t facet, int64_t post_id,
                             struct db_disputes *out, struct err *e)
{
    struct listing l = {.kind = kind, .out = out};
    struct walk w = {.db = db, .each = add_dispute, .ctx = &l};
    enum status status = labels_know_names(db, e);

    *out = (struct db_disputes){0};
    THEN(status, walk_all(&w, facet, post_id, e));
    if (status == ST_OK && out->n > 0)
        qsort(out->items, out->n, sizeof *out->items, compare_disputes);
    return status;
}

enum status db_disputes_read(struct db *db, enum db_dispute_kind kind, size_t facet, int64_t post_id,
                             struct db_disputes *out, struct err *e)
{
    enum status status = db_disputes_list(db, kind, facet, post_id, out, e);

    for (size_t i = 0; i < out->n && status == ST_OK; i++) {
        struct db_dispute *d = &out->items[i];
        status = db_dispute_reasons(db, d, &out->arena, e);
        if (status != ST_OK)
            break;
        if (i > 0 && d[-1].post_id == d->post_id) {
            d->title = d[-1].title;
            d->url = d[-1].url;
        } else {
            status = db_dispute_post(db, d, &out->arena, e);
        }
    }
    return status;
}

struct next {
    int64_t after, first, next; /* posts; 0: none */
    size_t n;
};

static void find_next(struct walk *w, const struct group *g)
{
    struct next *next = w->ctx;

    if (!is_wanted(w, g, DB_DISPUTED))
        return;
    next->n++;
    if (next->first == 0 || g->post_id < next->first)
        next->first = g->post_id;
    if (g->post_id > next->after && (next->next == 0 || g->post_id < next->next))
        next->next = g->post_id;
}

enum status db_disputes_next(struct db *db, int64_t after, size_t *n, int64_t *post_id, struct err *e)
{
    struct next next = {.after = after};
    struct walk w = {.db = db, .each = find_next, .ctx = &next};
    enum status status = walk_all(&w, DB_ALL_FACETS, 0, e);

    *n = next.n;
    *post_id = next.next != 0 ? next.next : next.first;
    return status;
}

void db_disputes_clear(struct db_disputes *disputes)
{
    mem_free(disputes->items);
    arena_clear(&disputes->arena);
    *disputes = (struct db_disputes){0};
}

/* --- how much is settled --- */

static void count_settled(struct walk *w, const struct group *g)
{
    struct db_settled *s = (struct db_settled *)w->ctx + g->facet;
    bool is_open = g->settled_at.ptr == NULL;

    if (is_left_out(w, g))
        return;
    s->n++;
    s->settled += !is_open;
    s->disputed += is_open && g->differ;
    s->single += is_open && g->coders == 1;
    s->agreed += is_open && g->coders > 1 && !g->differ;
    s->reopened += g->is_reopened && g->any_differ;
    s->open += g->differ && (is_open || g->is_reopened);
    s->with_model += !is_open && g->has_model;
}

enum status db_settled_read(struct db *db, struct db_settled of[FACETS_MAX], struct err *e)
{
    struct walk w = {.db = db, .each = count_settled, .ctx = of};

    memset(of, 0, FACETS_MAX * sizeof *of);
    return walk_all(&w, DB_ALL_FACETS, 0, e);
}

/* --- settling --- */

/* When a merged coder (:coder) settles something about a post (:post_id): now (:now), but not before what was said
 * about the subject (:subject), and after all that this coder decided about the post: each is its own act. */
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
    enum status status = ST_OK;

    time_now(now);
    sql_bind(db, which, BIND(":coder", coder), BIND(":post_id", post_id), BIND(":subject", subject),
             BIND(":now", span_of(now)));
    while (sql_next(db, which, &status, e))
        if (sql_text(db, which, 0).len == TIME_TEXT_SIZE - 1)
            memcpy(now, sql_text(db, which, 0).ptr, TIME_TEXT_SIZE - 1);
    return status;
}
