/* facets: the table facet, and the views that follow from it. */
#include "label/facet_table.h"

#include "db/fragments.h"
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
    struct span range = kept(r, db, 13); /* "0 to 600"; either may be missing */
    size_t at = range.len > 0 ? span_find(range, RANGE_TO) : SIZE_MAX;
    if (at != SIZE_MAX) {
        facet.least = (struct span){range.ptr, at};
        facet.greatest = span_after(range, at + RANGE_TO.len);
    }
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

/* --- the views whose columns follow from the facets: problem_label, coding, counts of codes --- */

/* The code_id at a place of a problem's facet. The file may be a stranger's, and in views of an untrusted schema SQLite
 * refuses json_extract, but not the table function json_each. */
static void add_code_id(struct buf *sql, const struct facet *facet, size_t place)
{
    buf_addf(sql, "(SELECT v.value FROM json_each(l.labels, '$.\"%s\"') AS v WHERE v.key = %zu)", facet->name.ptr,
             place);
}

static void add_problem_label(struct buf *sql, const struct facets *f)
{
    buf_add_text(sql, "CREATE VIEW problem_label (problem_id, post_id, url, created_at");
    for (size_t i = 0; i < f->n_columns; i++)
        for (size_t k = 0; k < f->items[f->columns[i]].most; k++) {
            buf_add_text(sql, ", \"");
            facet_column(&f->items[f->columns[i]], k, sql);
            buf_add_char(sql, '"');
        }
    buf_add_text(sql, ") AS SELECT l.problem_id, l.post_id, " URL_OF(
                          "p.post_type", "l.post_id") ","
                                                      " coalesce(l.created_at, p.created_at)");
    for (size_t i = 0; i < f->n_columns; i++)
        for (size_t k = 0; k < f->items[f->columns[i]].most; k++) {
            buf_add_text(sql, ", (SELECT c.name FROM code AS c WHERE c.code_id = ");
            add_code_id(sql, &f->items[f->columns[i]], k);
            buf_add_char(sql, ')');
        }
    buf_add_text(sql, " FROM problem AS l LEFT JOIN post AS p ON p.post_id = l.post_id;");
}

/* As many columns of codes as the facet that may have most. */
static void add_coding(struct buf *sql, const struct facets *f)
{
    size_t most = 1;

    for (size_t i = 0; i < f->n; i++)
        most = f->items[i].most > most ? f->items[i].most : most;
    buf_add_text(sql, "CREATE VIEW coding (problem_id, post_id, coder, is_merged, facet");
    for (size_t k = 1; k <= most; k++)
        buf_addf(sql, ", code%zu", k);
    buf_add_text(sql, ", spelling, decided_at, codebook_version) AS SELECT l.subject, l.post_id,"
                      " l.coder, c.is_merged, l.facet");
    for (size_t k = 1; k <= most; k++)
        buf_addf(sql,
                 ", (SELECT k.name FROM label AS m JOIN code AS k USING (code_id)"
                 " WHERE m.subject = l.subject AND m.facet = l.facet AND m.coder = l.coder"
                 " AND m.place = %zu)",
                 k);
    buf_add_text(sql, ", l.spelling, l.decided_at, l.codebook_version"
                      " FROM label AS l JOIN coder AS c USING (coder) WHERE l.place = 1;");
}

static void add_count_name(struct buf *sql, struct span list)
{
    buf_add_char(sql, '"');
    facet_add_underscored(list, sql);
    buf_add_text(sql, "_count\"");
}

/* How often each code is the first one of its facet. */
static void add_count(struct buf *sql, const struct facets *f, const struct facet *facet)
{
    buf_add_text(sql, "CREATE VIEW ");
    add_count_name(sql, f->lists[facet->list]);
    buf_add_text(sql, " (category, code, n, share) AS"
                      " SELECT c.category, c.name, count(*), count(*) * 1.0 / sum(count(*)) OVER ()"
                      " FROM problem AS l JOIN code AS c ON c.code_id = ");
    add_code_id(sql, facet, 0);
    buf_add_text(sql, " GROUP BY c.code_id ORDER BY count(*) DESC, c.code_id;");
}

/* The same for each of the facets that share a list. */
static void add_role_count(struct buf *sql, const struct facets *f, size_t list)
{
    const char *before = "";

    buf_add_text(sql, "CREATE VIEW ");
    add_count_name(sql, f->lists[list]);
    buf_add_text(sql, " (role, \"");
    facet_add_underscored(f->lists[list], sql);
    buf_add_text(sql, "\", n, share) AS SELECT s.role, c.name, count(*),"
                      " count(*) * 1.0 / sum(count(*)) OVER (PARTITION BY s.role) FROM (");
    for (size_t i = 0; i < f->n; i++) {
        if (f->items[i].list != list)
            continue;
        buf_addf(sql, "%sSELECT %zu AS place, '", before, i);
        facet_role(f, &f->items[i], sql);
        buf_add_text(sql, "' AS role, ");
        add_code_id(sql, &f->items[i], 0);
        buf_add_text(sql, " AS code_id FROM problem AS l");
        before = " UNION ALL ";
    }
    buf_add_text(sql, ") AS s JOIN code AS c USING (code_id)"
                      " GROUP BY s.place, c.code_id ORDER BY s.place, count(*) DESC, c.code_id;");
}

static void drop_views(struct buf *sql, const struct facets *f)
{
    buf_add_text(sql, "DROP VIEW IF EXISTS problem_label; DROP VIEW IF EXISTS coding;");
    for (size_t list = 0; list < f->n_lists; list++) {
        buf_add_text(sql, "DROP VIEW IF EXISTS ");
        add_count_name(sql, f->lists[list]);
        buf_add_char(sql, ';');
    }
}

static void create_views(struct buf *sql, const struct facets *f)
{
    add_problem_label(sql, f);
    add_coding(sql, f);
    for (size_t i = 0; i < f->n; i++) {
        size_t list = f->items[i].list, first = 0;
        while (f->items[first].list != list)
            first++;
        if (list == SIZE_MAX || first < i)
            continue;
        if (facets_share(f, list) > 1)
            add_role_count(sql, f, list);
        else
            add_count(sql, f, &f->items[i]);
    }
}

/* Not from the facets that are kept: another process may have put others. */
static enum status MUST_USE add_views(struct db *db, struct buf *sql, struct err *e)
{
    struct facets *facets;
    enum status status = read_facets(db, &facets, e);

    if (status != ST_OK)
        return status;
    if (facets->n > 0)
        create_views(sql, facets);
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

SQL(FACET_RANGE_PUT, "INSERT INTO study (key, value) VALUES ('range ' || :facet, :range)");

static enum status MUST_USE put_facet(struct db *db, const struct facets *f, size_t place, struct err *e)
{
    const struct facet *facet = &f->items[place];
    AT_END(buf_clear) struct buf agreement = {0}, range = {0};
    unsigned usual;

    if (!facet_measures_read(facet, SPAN(""), &usual) || usual != facet->measures)
        facet_measures_add(facet->measures, &agreement);
    enum status status = sql_run(
        db, SQL_FACET_PUT, e, BIND(":facet", facet->name), BIND(":about", span_of(facet_about_names[facet->about])),
        BIND(":kind", span_of(facet_kind_names[facet->kind])), BIND(":most", (int64_t)facet->most),
        BIND(":list", facet->list != SIZE_MAX ? f->lists[facet->list] : (struct span){0}),
        BIND(":required", facet->required), BIND(":title", facet->title), BIND(":plural", facet->plural),
        BIND(":option", facet->option), BIND(":asks", facet->asks),
        BIND(":benchmark", span_of(facet_benchmark_names[facet->benchmark])),
        BIND(":problem_place", (int64_t)facet->problem_place), BIND(":place", (int64_t)place + 1),
        BIND(":agreement", span_of(buf_cstr(&agreement))), BIND(":model_codes", facet->model_codes));
    if (status != ST_OK || (facet->least.len == 0 && facet->greatest.len == 0))
        return status;
    buf_add_span(&range, facet->least);
    buf_add_span(&range, RANGE_TO);
    buf_add_span(&range, facet->greatest);
    return sql_run(db, SQL_FACET_RANGE_PUT, e, BIND(":facet", facet->name), BIND(":range", buf_span(&range)));
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
    THEN(status, db_facets(db, &f, e));
    if (status != ST_OK)
        return status;
    drop_views(&sql, f);
    create_views(&sql, f);
    return sql_exec(db, buf_cstr(&sql), e);
}

SQL(FACETS_DECIDED, "SELECT DISTINCT facet FROM decision");

enum status db_facets_put(struct db *db, const struct facets *facets, struct err *e)
{
    const struct facets *before;
    AT_END(buf_clear) struct buf sql = {0};
    enum status status = db_facets(db, &before, e);

    while (sql_next(db, SQL_FACETS_DECIDED, &status, e)) {
        struct span name = sql_text(db, SQL_FACETS_DECIDED, 0);
        if (facets_find(facets, name) == facets->n)
            status = err_set(e, ST_INPUT, "coders decided about the facet '%.*s', which the study no longer has",
                             SPAN_ARG(name));
    }
    if (status == ST_OK) {
        drop_views(&sql, before);
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
