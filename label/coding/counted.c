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
    mem_free(c);
}

static struct sql_kind of_all = {.drop = drop_counted}, of_post = {.drop = drop_counted};

void db_labels_forget(struct db *db)
{
    sql_keep(db, &of_all, NULL);
    sql_keep(db, &of_post, NULL);
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
    struct span *times; /* of each coder the last one: an act has one for several facets */
};

static struct span copied(struct counted *c, struct span text, struct span last)
{
    return span_eq(text, last) ? last : arena_copy(&c->arena, text);
}

static void add_label(struct reading *r, sqlite3_value **values, struct counted_row *row, struct span last)
{
    struct span facet = sql_value_text(values[FACET]);

    while (row->facet < r->facets->n && !span_eq(r->facets->items[row->facet].name, facet))
        row->facet++;
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
    const struct counted_row *last = c->rows.n > 0 ? &c->rows.at[c->rows.n - 1] : NULL;
    struct counted_row row = {
        .post_id = sqlite3_value_int64(values[POST_ID]),
        .code_id = sqlite3_value_type(values[CODE_ID]) != SQLITE_NULL ? sqlite3_value_int64(values[CODE_ID])
                                                                      : POST_ABSENT,
        .facet = FACET_JUDGES,
        .place = 1,
        .counts = sqlite3_value_int(values[IS_COUNTED]) != 0,
    };
    struct span coder = sql_value_text(values[CODER]);

    if (c->post_id != 0 && c->post_id != row.post_id)
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

static void add_coder(void *ctx, struct span coder, bool is_merged)
{
    struct reading *r = ctx;
    bool is_model = coder_is_model(coder);

    r->any_model |= is_model;
    if (r->c->coders.n < UINT16_MAX)
        array_add(&r->c->coders, (struct counted_coder){arena_copy(&r->c->arena, coder), is_merged, is_model});
}

static enum status MUST_USE read_rows(struct db *db, struct counted *c, struct err *e)
{
    char id[POST_ID_TEXT_SIZE];
    struct reading r = {.c = c, .judgements = true};
    enum status status = db_facets(db, &r.facets, e);

    if (status == ST_OK)
        status = db_coder_each(db, add_coder, &r, e);
    r.times = mem_zero(c->coders.n + 1, sizeof *r.times);
    if (status == ST_OK) {
        sql_bind(db, SQL_COUNTED_JUDGEMENTS, BIND(":post_id", c->post_id != 0 ? c->post_id : POST_ABSENT),
                 BIND(":no_model", !r.any_model));
        status = sql_tell(db, SQL_COUNTED_JUDGEMENTS, add_row, &r, e);
    }
    r.judgements = false;
    if (status == ST_OK) {
        sql_bind(db, SQL_COUNTED_LABELS,
                 BIND(":id", c->post_id != 0 ? span_of(post_id_text(c->post_id, id)) : (struct span){0}),
                 BIND(":no_model", !r.any_model));
        status = sql_tell(db, SQL_COUNTED_LABELS, add_row, &r, e);
    }
    mem_free(r.times);
    return status;
}

enum status counted_read(struct db *db, int64_t post_id, const struct counted **out, struct err *e)
{
    struct sql_kind *kind = post_id != 0 ? &of_post : &of_all;
    struct counted *c = sql_kept(db, kind);
    int64_t version, changes = sqlite3_total_changes(db->handle);
    enum status status = db_data_version(db, &version, e);

    *out = c;
    if (status != ST_OK || (c != NULL && c->post_id == post_id && c->version == version && c->changes == changes))
        return status;
    c = mem_zero(1, sizeof *c);
    c->post_id = post_id;
    c->version = version;
    c->changes = changes;
    sql_keep(db, kind, c);
    *out = c;
    status = read_rows(db, c, e);
    if (status != ST_OK)
        sql_keep(db, kind, NULL);
    return status;
}
