/* counted: reads judgements and labels into memory. */
#include "label/coding/counted.h"

#include "label/fragments.h"
#include "label/coding/labels.h"
#include "db/sql.h"
#include "label/label.h"

static void drop_counted(void *what)
{
    struct counted *c = what;

    array_clear(&c->rows);
    array_clear(&c->coders);
    arena_clear(&c->arena);
    buf_clear(&c->mark.id);
    buf_clear(&c->mark.rest);
    mem_free(c);
}

enum {
    ROWS_KEPT_MAX = 500000, /* by a connection that waits: 40 MB */
    POSTS_MAX = 100         /* that are read again one by one */
};

/* What a transaction reads goes with it when it is rolled back. */
static struct sql_kind of_all = {.drop = drop_counted, .lasts = true}, of_post = {.drop = drop_counted},
                       of_transaction = {.drop = drop_counted};

void db_labels_rest(struct db *db)
{
    const struct counted *c = sql_kept(db, &of_all);

    if (c != NULL && c->rows.n > ROWS_KEPT_MAX)
        sql_keep(db, &of_all, NULL);
    sql_keep(db, &of_post, NULL);
    sql_keep(db, &of_transaction, NULL);
}

/* What models say is looked up, where the study has a model: iif, since OR looks at both sides. */
SQL(COUNTED_JUDGEMENTS,
    "SELECT 1 FROM judgement AS j WHERE post_id BETWEEN ifnull(:post_id, -9e18) AND ifnull(:post_id, 9e18)"
    " AND tell(post_id, coder, is_problem, decided_at, iif(:no_model OR " IS_PERSON(
        "coder") ", 1, EXISTS"
                 "  (SELECT 1 FROM counted_judgement AS n WHERE n.post_id = j.post_id AND n.coder = j.coder)))"
                 " ORDER BY post_id, coder");

SQL(COUNTED_LABELS,
    "SELECT 1 FROM label AS l WHERE subject >= ifnull(:id, '') AND subject < ifnull(:id || '`', '{')"
    " AND tell(post_id, coder, code_id, decided_at, iif(:no_model OR " IS_PERSON(
        "coder") ", 1, EXISTS"
                 "  (SELECT 1 FROM counted_label AS n WHERE n.subject = l.subject AND n.facet = l.facet AND n.coder = l.coder"
                 "    AND n.place = l.place)), subject, facet, place, spelling)"
                 " ORDER BY subject, facet, coder, place");

enum { POST_ID, CODER, CODE_ID, DECIDED_AT, IS_COUNTED, SUBJECT, FACET, PLACE, SPELLING };

struct reading {
    struct counted *c;
    const struct facets *facets;
    bool judgements, any_model;
    int64_t post_id;    /* 0: all */
    size_t first;       /* row of this reading */
    struct span *times; /* of each coder the last one: an act has one for several facets */
};

static struct span copied(struct counted *c, struct span text, struct span last)
{
    return span_eq(text, last) ? last : arena_copy(&c->arena, text);
}

static void add_label(struct reading *r, sqlite3_value **values, struct counted_row *row, struct span last)
{
    struct span facet = sql_value_text(values[FACET]);

    row->facet = (uint8_t)items_find(r->facets->items, r->facets->n, name, facet);
    row->subject = copied(r->c, sql_value_text(values[SUBJECT]), last);
    row->place = (uint8_t)sqlite3_value_int(values[PLACE]);
    if (sqlite3_value_type(values[SPELLING]) != SQLITE_NULL) {
        struct span *spelling = arena_alloc(&r->c->arena, sizeof *spelling);
        *spelling = arena_copy(&r->c->arena, sql_value_text(values[SPELLING]));
        row->spelling = spelling;
    }
}

static void add_row(void *ctx, sqlite3_value **values)
{
    struct reading *r = ctx;
    struct counted *c = r->c;
    const struct counted_row *last = c->rows.n > r->first ? &c->rows.at[c->rows.n - 1] : NULL;
    struct counted_row row = {
        .post_id = sqlite3_value_int64(values[POST_ID]),
        .code_id = sqlite3_value_type(values[CODE_ID]) != SQLITE_NULL ? sqlite3_value_int64(values[CODE_ID])
                                                                      : POST_ABSENT,
        .facet = FACET_JUDGES,
        .place = 1,
        .counts = sqlite3_value_int(values[IS_COUNTED]) != 0,
    };
    struct span coder = sql_value_text(values[CODER]);

    if (r->post_id != 0 && r->post_id != row.post_id)
        return;
    while (row.coder < c->coders.n && !span_eq(c->coders.at[row.coder].coder, coder))
        row.coder++;
    if (!r->judgements) {
        add_label(r, values, &row, last != NULL ? last->subject : (struct span){0});
    } else if (last != NULL && last->post_id == row.post_id) {
        row.subject = last->subject;
    } else {
        char id[POST_ID_TEXT_SIZE];
        row.subject = arena_copy(&c->arena, span_of(post_id_text(row.post_id, id)));
    }
    if (row.coder == c->coders.n || row.facet == r->facets->n)
        return;
    r->times[row.coder] = copied(c, sql_value_text(values[DECIDED_AT]), r->times[row.coder]);
    row.decided_at = r->times[row.coder];
    array_add(&c->rows, row);
}

/* Adds the rows of a post (0: of all), which are in order among themselves. */
static enum status MUST_USE read_rows(struct db *db, struct reading *r, int64_t post_id, struct err *e)
{
    char id[POST_ID_TEXT_SIZE];

    r->post_id = post_id;
    r->first = r->c->rows.n;
    r->judgements = true;
    sql_bind(db, SQL_COUNTED_JUDGEMENTS, BIND(":post_id", post_id != 0 ? post_id : POST_ABSENT),
             BIND(":no_model", !r->any_model));
    enum status status = sql_tell(db, SQL_COUNTED_JUDGEMENTS, add_row, r, e);
    r->judgements = false;
    if (status != ST_OK)
        return status;
    sql_bind(db, SQL_COUNTED_LABELS, BIND(":id", post_id != 0 ? span_of(post_id_text(post_id, id)) : (struct span){0}),
             BIND(":no_model", !r->any_model));
    status = sql_tell(db, SQL_COUNTED_LABELS, add_row, r, e);
    r->c->n_read += r->c->rows.n - r->first;
    return status;
}

/* --- what was read before --- */

/* What is said of a post follows from the decisions about it, and from coders, facets and codes. Decisions are only
 * ever added. So rows stay true, but for posts with a later decision, while the decision that was the last is there and
 * the rest is unchanged. Comparing the number of rows with the database's guards against other changes. */
SQL(COUNTED_MARK,
    "SELECT max(rowid), decision_id, (SELECT decision_id FROM decision WHERE rowid = :last),"
    " (SELECT count(*) FROM judgement) + (SELECT count(*) FROM label),"
    " (SELECT json_group_array(json_array(coder, is_merged)) FROM coder)"
    "  || (SELECT json_group_array(json_array(facet, place, kind, list, model_codes)) FROM facet)"
    "  || (SELECT json_group_array(json_array(code_id, facet, name, merged_into)) FROM code WHERE " IN_CODEBOOK ")"
    "  || (SELECT json_group_array(json_array(code_id, alias)) FROM code_alias)"
    " FROM decision");

/* *goes_on: of what was read with the mark before, the rows of other posts than those of later decisions are true. */
static enum status MUST_USE read_mark(struct db *db, const struct facets *facets, struct counted_mark *mark,
                                      bool *goes_on, struct err *e)
{
    struct sql *which = SQL_COUNTED_MARK;
    AT_END(buf_clear) struct buf rest = {0};
    enum status status = ST_OK;

    for (size_t i = 0; i < facets->n; i++) /* the places in rows are of those that this connection has */
        buf_add_span(&rest, facets->items[i].name);
    sql_bind_int(db, which, ":last", mark->last);
    while (sql_next(db, which, &status, e)) {
        buf_add_span(&rest, sql_text(db, which, 4));
        *goes_on = span_eq(sql_text(db, which, 2), buf_span(&mark->id));
        *goes_on &= span_eq(buf_span(&rest), buf_span(&mark->rest));
        mark->last = sql_int(db, which, 0);
        mark->n_rows = sql_int(db, which, 3);
        buf_set(&mark->id, sql_text(db, which, 1));
        buf_set(&mark->rest, buf_span(&rest));
    }
    return status;
}

SQL(COUNTED_POSTS, "SELECT DISTINCT post_id FROM decision WHERE rowid > ifnull(:last, -9e18) ORDER BY post_id");

static bool is_before(const struct reading *r, const struct counted_row *a, const struct counted_row *b)
{
    const struct facet *facets = r->facets->items;

    if ((a->facet == FACET_JUDGES) != (b->facet == FACET_JUDGES))
        return a->facet == FACET_JUDGES;
    if (a->facet == FACET_JUDGES)
        return a->post_id != b->post_id ? a->post_id < b->post_id : a->coder < b->coder;
    int order = span_order(a->subject, b->subject);
    if (order == 0 && a->facet != b->facet)
        order = span_order(facets[a->facet].name, facets[b->facet].name);
    if (order == 0 && a->coder != b->coder)
        order = a->coder < b->coder ? -1 : 1;
    return order != 0 ? order < 0 : a->place < b->place;
}

/* Of rows from `first` on, puts those from `middle` on among the others, both of which are in order. */
static void merge_rows(const struct reading *r, size_t first, size_t middle)
{
    struct counted_row *rows = r->c->rows.at;
    size_t i = middle, n = r->c->rows.n - middle, to = r->c->rows.n;
    AT_END(mem_end) struct counted_row *added = mem_resize(NULL, n + 1, sizeof *added);

    memcpy(added, rows + middle, n * sizeof *added);
    while (n > 0)
        if (i > first && is_before(r, &added[n - 1], &rows[i - 1]))
            rows[--to] = rows[--i];
        else
            rows[--to] = added[--n];
}

/* *done is false when all must be read anew. */
static enum status MUST_USE read_later(struct db *db, struct reading *r, bool *done, struct err *e)
{
    struct counted *c = r->c;
    bool goes_on = false;
    AT_END(array_end) struct ARRAY_OF(int64_t) posts = {0};
    size_t stay = 0;

    sql_bind_int(db, SQL_COUNTED_POSTS, ":last", c->mark.last);
    enum status status = read_mark(db, r->facets, &c->mark, &goes_on, e);
    while (goes_on && sql_next(db, SQL_COUNTED_POSTS, &status, e))
        if (posts.n <= POSTS_MAX)
            array_add(&posts, sql_int(db, SQL_COUNTED_POSTS, 0));
    if (!goes_on || posts.n > POSTS_MAX || c->n_read > 2 * c->rows.n || status != ST_OK)
        return status;
    for (size_t i = 0; i < c->rows.n; i++)
        if (posts.n == 0 || bsearch(&c->rows.at[i].post_id, posts.at, posts.n, sizeof *posts.at, number_order) == NULL)
            c->rows.at[stay++] = c->rows.at[i];
    c->rows.n = stay;
    for (size_t i = 0; i < posts.n && status == ST_OK; i++) {
        status = read_rows(db, r, posts.at[i], e);
        merge_rows(r, stay, r->first);
    }
    merge_rows(r, 0, stay);
    *done = (int64_t)c->rows.n == c->mark.n_rows;
    return status;
}

static enum status MUST_USE read_all(struct db *db, struct reading *r, struct err *e)
{
    struct counted *c = r->c;
    struct db_coder coder;
    bool goes_on;
    enum status status = ST_OK;

    if (c->post_id == 0) /* first: what is written meanwhile is later */
        status = read_mark(db, r->facets, &c->mark, &goes_on, e);
    while (db_coder_next(db, &coder, &status, e)) {
        bool is_model = coder_is_model(coder.coder);
        r->any_model |= is_model;
        if (c->coders.n < UINT16_MAX)
            array_add(&c->coders,
                      (struct counted_coder){arena_copy(&c->arena, coder.coder), coder.is_merged, is_model});
    }
    mem_free(r->times);
    r->times = mem_zero(c->coders.n + 1, sizeof *r->times);
    return status == ST_OK ? read_rows(db, r, c->post_id, e) : status;
}

static bool is_of(const struct counted *c, int64_t post_id, int64_t version, int64_t changes)
{
    return c != NULL && c->post_id == post_id && c->version == version && c->changes == changes;
}

enum status counted_read(struct db *db, int64_t post_id, const struct counted **out, struct err *e)
{
    bool inside = sqlite3_get_autocommit(db->handle) == 0, done = false;
    struct sql_kind *kind = post_id != 0 ? &of_post : &of_all;
    struct reading r = {.c = sql_kept(db, kind)};
    int64_t version, changes = sqlite3_total_changes(db->handle);
    enum status status = db_data_version(db, &version, e);

    if (status == ST_OK && inside && post_id == 0 && !is_of(r.c, post_id, version, changes)) {
        kind = &of_transaction;
        r.c = sql_kept(db, kind);
    }
    *out = r.c;
    if (status != ST_OK || is_of(r.c, post_id, version, changes))
        return status;
    status = db_facets(db, &r.facets, e);
    if (status == ST_OK && r.c != NULL && kind == &of_all) {
        r.times = mem_zero(r.c->coders.n + 1, sizeof *r.times);
        for (size_t i = 0; i < r.c->coders.n; i++)
            r.any_model |= r.c->coders.at[i].is_model;
        status = read_later(db, &r, &done, e);
    }
    if (!done) {
        r.c = mem_zero(1, sizeof *r.c);
        sql_keep(db, kind, r.c);
    }
    r.c->post_id = post_id;
    r.c->version = version;
    r.c->changes = changes;
    if (status == ST_OK && !done)
        status = read_all(db, &r, e);
    mem_free(r.times);
    if (status != ST_OK)
        sql_keep(db, kind, NULL);
    *out = r.c;
    return status;
}
