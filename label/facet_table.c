/* facets: the table facet, and the views that follow from it. */
#include "label/facet_table.h"

#include "label/facet_views.h"
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

SQL(FACETS, "SELECT facet, about, kind, most, list, required, title, plural, option, asks, benchmark,"
            " problem_place, agreement, (SELECT value FROM study WHERE key = 'range ' || facet), model_codes"
            " FROM facet ORDER BY place");

static struct span kept(struct reading *r, struct db *db, int column)
{
    struct span text = sql_text(db, SQL_FACETS, column);

    return text.ptr == NULL ? text : arena_copy(&r->arena, text);
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

static enum status MUST_USE add_row(struct reading *r, struct db *db, struct err *e)
{
    struct span name = kept(r, db, 0);
    size_t about = place_in(facet_about_names, kept(r, db, 1));
    size_t kind = place_in(facet_kind_names, kept(r, db, 2));
    size_t benchmark = place_in(facet_benchmark_names, kept(r, db, 10));

    if (facet_about_names[about] == NULL || facet_kind_names[kind] == NULL || facet_benchmark_names[benchmark] == NULL)
        return err_set(e, ST_DATABASE, "the facet '%.*s' is of a kind that this ppmine does not know", SPAN_ARG(name));
    struct facet facet = {.name = name,
                          .about = (enum facet_about)about,
                          .kind = (enum facet_kind)kind,
                          .most = (size_t)sql_int(db, SQL_FACETS, 3),
                          .required = sql_int(db, SQL_FACETS, 5) != 0,
                          .title = kept(r, db, 6),
                          .plural = kept(r, db, 7),
                          .option = kept(r, db, 8),
                          .asks = kept(r, db, 9),
                          .benchmark = (enum facet_benchmark)benchmark,
                          .problem_place = (size_t)sql_int(db, SQL_FACETS, 11),
                          .model_codes = sql_int(db, SQL_FACETS, 14) != 0};
    if (!facet_measures_read(&facet, kept(r, db, 12), &facet.measures))
        return err_set(e, ST_DATABASE,
                       "the facet '%.*s' asks for a measure of agreement that this ppmine does not know",
                       SPAN_ARG(name));
    read_range(kept(r, db, 13), &facet);
    array_add(&r->items, facet);
    array_add(&r->lists, kept(r, db, 4));
    return ST_OK;
}

static void drop_facets(void *what)
{
    facets_clear(what);
    mem_free(what);
}

static struct sql_kind facets_kind = {.drop = drop_facets, .lasts = true};

const struct facets *facets_kept(const struct db *db)
{
    return sql_kept(db, &facets_kind);
}

/* *out is for drop_facets; NULL on error. */
static enum status MUST_USE read_facets(struct db *db, struct facets **out, struct err *e)
{
    struct reading r = {.arena = {0}};
    struct err why = {0};
    struct facets *facets = mem_zero(1, sizeof *facets);
    enum status status = ST_OK;

    while (sql_next(db, SQL_FACETS, &status, e))
        status = add_row(&r, db, e);
    if (status == ST_OK && facets_make(facets, r.items.at, r.lists.at, r.items.n, &why) != ST_OK)
        status = err_set(e, ST_DATABASE, "%s: the table of facets is damaged: %s", db->path, why.text);
    array_clear(&r.items);
    array_clear(&r.lists);
    arena_clear(&r.arena);
    if (status != ST_OK)
        drop_facets(facets);
    *out = status == ST_OK ? facets : NULL;
    return status;
}

enum status db_facets(struct db *db, const struct facets **out, struct err *e)
{
    struct facets *facets;

    *out = facets_kept(db);
    if (*out != NULL)
        return ST_OK;
    enum status status = read_facets(db, &facets, e);
    if (status == ST_OK)
        sql_keep(db, &facets_kind, facets);
    *out = facets;
    return status;
}

/* Not from the facets that are kept: another process may have put others. */
static enum status MUST_USE add_views(struct db *db, struct buf *sql, struct err *e)
{
    struct facets *facets;
    enum status status = read_facets(db, &facets, e);

    if (status != ST_OK)
        return status;
    if (facets->n > 0)
        facet_views_create(sql, facets);
    drop_facets(facets);
    return ST_OK;
}

__attribute__((constructor)) static void tell_of_views(void)
{
    schema_views = add_views;
}

/* --- writing --- */

SQL(FACET_PUT, "INSERT INTO facet (facet, about, kind, most, list, required, title, plural, option, asks,"
               " benchmark, problem_place, place, agreement, model_codes)"
               " VALUES (:facet, :about, :kind, :most, :list, :required, :title, :plural, :option, :asks,"
               " :benchmark, :problem_place, :place, :agreement, :model_codes)");

static enum status MUST_USE put_facet(struct db *db, const struct facets *f, size_t place, struct err *e)
{
    const struct facet *facet = &f->items[place];
    struct sql *which = SQL_FACET_PUT;
    AT_END(buf_clear) struct buf agreement = {0};
    unsigned usual;

    if (!facet_measures_read(facet, SPAN(""), &usual) || usual != facet->measures)
        facet_measures_add(facet->measures, &agreement);
    return sql_run(db, which, e, BIND(":facet", facet->name), BIND(":about", span_of(facet_about_names[facet->about])),
                   BIND(":kind", span_of(facet_kind_names[facet->kind])), BIND(":most", (int64_t)facet->most),
                   BIND(":list", facet->list != SIZE_MAX ? f->lists[facet->list] : (struct span){0}),
                   BIND(":required", facet->required), BIND(":title", facet->title), BIND(":plural", facet->plural),
                   BIND(":option", facet->option), BIND(":asks", facet->asks),
                   BIND(":benchmark", span_of(facet_benchmark_names[facet->benchmark])),
                   BIND(":problem_place", (int64_t)facet->problem_place), BIND(":place", (int64_t)place + 1),
                   BIND(":agreement", span_of(buf_cstr(&agreement))), BIND(":model_codes", facet->model_codes));
}

SQL(FACET_RANGE_PUT, "INSERT INTO study (key, value) VALUES ('range ' || :facet, :range)");

static enum status MUST_USE put_range(struct db *db, const struct facet *facet, struct err *e)
{
    AT_END(buf_clear) struct buf range = {0};

    if (facet->least.len == 0 && facet->greatest.len == 0)
        return ST_OK;
    buf_add_span(&range, facet->least);
    buf_add_span(&range, RANGE_TO);
    buf_add_span(&range, facet->greatest);
    return sql_run(db, SQL_FACET_RANGE_PUT, e, BIND(":facet", facet->name), BIND(":range", buf_span(&range)));
}

SQL(FACETS_DECIDED, "SELECT DISTINCT facet FROM decision");

/* Facets that decisions are about have to stay. */
static enum status MUST_USE check_decided(struct db *db, const struct facets *f, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_FACETS_DECIDED, &status, e)) {
        struct span name = sql_text(db, SQL_FACETS_DECIDED, 0);
        if (facets_find(f, name) == f->n)
            status = err_set(e, ST_INPUT, "coders decided about the facet '%.*s', which the study no longer has",
                             SPAN_ARG(name));
    }
    return status;
}

static const char SQL_FACETS_CLEAR[] =
    "PRAGMA defer_foreign_keys = ON; DELETE FROM facet; DELETE FROM study WHERE key GLOB 'range *';";

static enum status MUST_USE put_all(struct db *db, const struct facets *facets, struct err *e)
{
    const struct facets *f;
    AT_END(buf_clear) struct buf sql = {0};
    enum status status = sql_exec(db, SQL_FACETS_CLEAR, e);

    sql_keep(db, &facets_kind, NULL);
    for (size_t i = 0; i < facets->n && status == ST_OK; i++)
        status = put_facet(db, facets, i, e);
    for (size_t i = 0; i < facets->n && status == ST_OK; i++)
        status = put_range(db, &facets->items[i], e);
    THEN(status, db_facets(db, &f, e));
    if (status != ST_OK)
        return status;
    facet_views_drop(&sql, f);
    facet_views_create(&sql, f);
    return sql_exec(db, buf_cstr(&sql), e);
}

enum status db_facets_put(struct db *db, const struct facets *facets, struct err *e)
{
    const struct facets *before;
    AT_END(buf_clear) struct buf sql = {0};
    enum status status = db_facets(db, &before, e);

    THEN(status, check_decided(db, facets, e));
    if (status == ST_OK) {
        facet_views_drop(&sql, before);
        status = sql_exec(db, buf_cstr(&sql), e);
    }
    sql_forget(db);
    sql_rollback_forgets_all(db);
    return status == ST_OK ? put_all(db, facets, e) : status;
}

/* --- a new database --- */

static enum status MUST_USE put_built_in(struct db *db, struct err *e)
{
    AT_END(study_clear) struct study study;
    AT_END(facets_clear) struct facets facets = {0};
    enum status status = study_load(&study, NULL, e);

    THEN(status, facets_of_study(&facets, &study, e));
    THEN(status, put_all(db, &facets, e));
    return status;
}

enum status study_db_create(struct db **out, const char *path, struct err *e)
{
    return db_create(out, path, put_built_in, e);
}
