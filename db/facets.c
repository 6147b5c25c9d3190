/* facets: the table facet, and the views that follow from it. */
#include "db/facets.h"

#include "db/facet_views.h"
#include "db/sql.h"

/* --- reading --- */

/* Names as the database has them, whose places are the enums. */
static size_t place_in(const char *const *names, struct span text)
{
    size_t i = 0;

    while (names[i] != NULL && !span_eq(span_of(names[i]), text))
        i++;
    return i;
}

struct reading {
    struct ARRAY_OF(struct facet) items;
    struct ARRAY_OF(struct span) lists;
    struct arena arena;
};

static struct span kept(struct reading *r, sqlite3_stmt *stmt, int column)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    size_t len = text == NULL ? 0 : (size_t)sqlite3_column_bytes(stmt, column);

    return text == NULL ? (struct span){0} : arena_copy(&r->arena, (struct span){text, len});
}

static const struct span RANGE_TO = {" to ", 4};

/* "0 to 600"; either may be missing. */
static void read_range(struct span range, struct facet *facet)
{
    size_t at = span_find(range, RANGE_TO);

    if (range.len == 0 || at == SIZE_MAX)
        return;
    facet->least = (struct span){range.ptr, at};
    facet->greatest = (struct span){range.ptr + at + RANGE_TO.len, range.len - at - RANGE_TO.len};
}

static enum status MUST_USE add_row(struct reading *r, sqlite3_stmt *stmt, struct err *e)
{
    struct span name = kept(r, stmt, 0);
    size_t about = place_in(facet_about_names, kept(r, stmt, 1));
    size_t kind = place_in(facet_kind_names, kept(r, stmt, 2));
    size_t benchmark = place_in(facet_benchmark_names, kept(r, stmt, 10));

    if (facet_about_names[about] == NULL || facet_kind_names[kind] == NULL ||
        facet_benchmark_names[benchmark] == NULL)
        return err_set(e, ST_DATABASE, "the facet '%.*s' is of a kind that this ppmine does not know",
                       (int)name.len, name.ptr);
    struct facet facet = {
        .name = name,
        .about = (enum facet_about)about,
        .kind = (enum facet_kind)kind,
        .most = (size_t)sqlite3_column_int(stmt, 3),
        .required = sqlite3_column_int(stmt, 5) != 0,
        .title = kept(r, stmt, 6),
        .plural = kept(r, stmt, 7),
        .option = kept(r, stmt, 8),
        .asks = kept(r, stmt, 9),
        .benchmark = (enum facet_benchmark)benchmark,
        .problem_place = (size_t)sqlite3_column_int(stmt, 11),
    };
    if (!facet_measures_read(&facet, kept(r, stmt, 12), &facet.measures))
        return err_set(e, ST_DATABASE, "the facet '%.*s' asks for a measure of agreement that this"
                       " ppmine does not know", (int)name.len, name.ptr);
    read_range(kept(r, stmt, 13), &facet);
    array_add(&r->items, facet);
    array_add(&r->lists, kept(r, stmt, 4));
    return ST_OK;
}

static const char SQL_FACETS[] =
    "SELECT facet, about, kind, most, list, required, title, plural, option, asks, benchmark,"
    " problem_place, agreement, (SELECT value FROM study WHERE key = 'range ' || facet) FROM facet ORDER BY place";

/* Not one of the prepared statements: it is needed before the views are there that they name. */
static enum status MUST_USE read_rows(struct db *db, struct reading *r, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    enum status status = ST_OK;
    int rc = sqlite3_prepare_v2(db->handle, SQL_FACETS, -1, &stmt, NULL);

    while (rc == SQLITE_OK && status == ST_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        status = add_row(r, stmt, e);
        rc = SQLITE_OK;
    }
    if (status == ST_OK && rc != SQLITE_DONE)
        status = sql_fail(db, e);
    sqlite3_finalize(stmt);
    return status;
}

void facets_forget(struct db *db)
{
    if (db->facets == NULL)
        return;
    facets_clear(db->facets);
    mem_free(db->facets);
    db->facets = NULL;
}

enum status db_facets(struct db *db, const struct facets **out, struct err *e)
{
    struct reading r = {.arena = {0}};
    struct err why = {0};
    enum status status = ST_OK;

    *out = db->facets;
    if (db->facets != NULL)
        return ST_OK;
    struct facets *facets = mem_zero(1, sizeof *facets);
    status = read_rows(db, &r, e);
    if (status == ST_OK && facets_make(facets, r.items.at, r.lists.at, r.items.n, &why) != ST_OK)
        status = err_set(e, ST_DATABASE, "%s: the table of facets is damaged: %s", db->path,
                         why.text);
    array_clear(&r.items);
    array_clear(&r.lists);
    arena_clear(&r.arena);
    db->facets = facets;
    if (status != ST_OK)
        facets_forget(db);
    *out = db->facets;
    return status;
}

/* --- writing --- */

static void bind(sqlite3_stmt *stmt, int parameter, struct span text)
{
    if (text.ptr == NULL)
        sqlite3_bind_null(stmt, parameter);
    else
        sqlite3_bind_text(stmt, parameter, text.ptr, (int)text.len, SQLITE_STATIC);
}

static void bind_facet(sqlite3_stmt *stmt, const struct facets *f, size_t place)
{
    const struct facet *facet = &f->items[place];

    bind(stmt, 1, facet->name);
    bind(stmt, 2, span_of(facet_about_names[facet->about]));
    bind(stmt, 3, span_of(facet_kind_names[facet->kind]));
    sqlite3_bind_int64(stmt, 4, (sqlite3_int64)facet->most);
    bind(stmt, 5, facet->list != SIZE_MAX ? f->lists[facet->list] : (struct span){0});
    sqlite3_bind_int(stmt, 6, facet->required);
    bind(stmt, 7, facet->title);
    bind(stmt, 8, facet->plural);
    bind(stmt, 9, facet->option);
    bind(stmt, 10, facet->asks);
    bind(stmt, 11, span_of(facet_benchmark_names[facet->benchmark]));
    sqlite3_bind_int64(stmt, 12, (sqlite3_int64)facet->problem_place);
    sqlite3_bind_int64(stmt, 13, (sqlite3_int64)place + 1);
}

static const char SQL_FACET_PUT[] =
    "INSERT INTO facet (facet, about, kind, most, list, required, title, plural, option, asks,"
    " benchmark, problem_place, place, agreement)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

static enum status MUST_USE put_rows(struct db *db, const struct facets *f, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, SQL_FACET_PUT, -1, &stmt, NULL);

    for (size_t i = 0; i < f->n && rc == SQLITE_OK; i++) {
        struct buf agreement = {0};
        unsigned usual;
        bind_facet(stmt, f, i);
        if (!facet_measures_read(&f->items[i], SPAN(""), &usual) || usual != f->items[i].measures)
            facet_measures_add(f->items[i].measures, &agreement);
        bind(stmt, 14, span_of(buf_cstr(&agreement)));
        sqlite3_step(stmt);
        rc = sqlite3_reset(stmt);
        buf_clear(&agreement);
    }
    sqlite3_finalize(stmt);
    return rc == SQLITE_OK ? ST_OK : sql_fail(db, e);
}

static const char SQL_FACET_RANGE_PUT[] = "INSERT INTO study (key, value) VALUES ('range ' || ?1, ?2)";

static enum status MUST_USE put_ranges(struct db *db, const struct facets *f, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db->handle, SQL_FACET_RANGE_PUT, -1, &stmt, NULL);

    for (size_t i = 0; i < f->n && rc == SQLITE_OK; i++) {
        const struct facet *facet = &f->items[i];
        struct buf range = {0};
        if (facet->least.len == 0 && facet->greatest.len == 0)
            continue;
        buf_add_span(&range, facet->least);
        buf_add_span(&range, RANGE_TO);
        buf_add_span(&range, facet->greatest);
        bind(stmt, 1, facet->name);
        bind(stmt, 2, buf_span(&range));
        sqlite3_step(stmt);
        rc = sqlite3_reset(stmt);
        buf_clear(&range);
    }
    sqlite3_finalize(stmt);
    return rc == SQLITE_OK ? ST_OK : sql_fail(db, e);
}

static const char SQL_FACETS_DECIDED[] = "SELECT DISTINCT facet FROM decision";

/* Facets that decisions are about have to stay. */
static enum status MUST_USE check_decided(struct db *db, const struct facets *f, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    enum status status = ST_OK;
    int rc = sqlite3_prepare_v2(db->handle, SQL_FACETS_DECIDED, -1, &stmt, NULL);

    while (rc == SQLITE_OK && status == ST_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        struct span name = {(const char *)sqlite3_column_text(stmt, 0),
                            (size_t)sqlite3_column_bytes(stmt, 0)};
        if (facets_find(f, name) == f->n)
            status = err_set(e, ST_INPUT, "coders decided about the facet '%.*s', which the study no"
                             " longer has", (int)name.len, name.ptr);
        rc = SQLITE_OK;
    }
    if (status == ST_OK && rc != SQLITE_DONE)
        status = sql_fail(db, e);
    sqlite3_finalize(stmt);
    return status;
}

enum status facets_make_views(struct db *db, struct err *e)
{
    const struct facets *f;
    struct buf sql = {0};
    enum status status = db_facets(db, &f, e);

    if (status == ST_OK) {
        facet_views_drop(&sql, f);
        facet_views_create(&sql, f);
        status = sql_exec(db, buf_cstr(&sql), e);
    }
    buf_clear(&sql);
    return status;
}

static const char SQL_FACETS_CLEAR[] =
    "PRAGMA defer_foreign_keys = ON; DELETE FROM facet; DELETE FROM study WHERE key GLOB 'range *';";

enum status facets_put(struct db *db, const struct facets *facets, struct err *e)
{
    struct buf sql = {0};

    facets_forget(db);
    buf_add_text(&sql, SQL_FACETS_CLEAR);
    enum status status = sql_exec(db, buf_cstr(&sql), e);
    if (status == ST_OK)
        status = put_rows(db, facets, e);
    if (status == ST_OK)
        status = put_ranges(db, facets, e);
    buf_clear(&sql);
    return status == ST_OK ? facets_make_views(db, e) : status;
}

enum status db_facets_put(struct db *db, const struct facets *facets, struct err *e)
{
    const struct facets *before;
    struct buf sql = {0};
    enum status status = db_facets(db, &before, e);

    if (status == ST_OK)
        status = check_decided(db, facets, e);
    if (status == ST_OK) {
        facet_views_drop(&sql, before);
        status = sql_exec(db, buf_cstr(&sql), e);
    }
    buf_clear(&sql);
    labels_forget(db);
    db->puts_facets = true;
    return status == ST_OK ? facets_put(db, facets, e) : status;
}
