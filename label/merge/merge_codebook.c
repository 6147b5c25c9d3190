/* merge_codebook: two copies of a codebook, each with its history. Where one history is the beginning of the other, the
 * longer one counts, if its changes lead from the shorter one's codes to its own. */
#include "label/fragments.h"
#include "db/study.h"
#include "label/merge/merging.h"

/* Facets and names that changes behind a version (:version) are about. */
#define MENTIONED(schema) \
    "SELECT facet, code FROM " schema ".code_change NOT INDEXED WHERE codebook_version > :version" \
    " UNION ALL SELECT h.facet, j.value FROM " schema ".code_change AS h NOT INDEXED, json_each(h.became) AS j" \
    "  WHERE h.codebook_version > :version AND j.type = 'text'"
/* Part and name of the first row of either codebook that the changes of `newer` do not explain. A code that they do not
 * name must be as in `older`, except that the code it was merged into may have been merged further. A code that they
 * name must still have its list and its old name, the name at least as an alias. Codes that they do not name must have
 * the same aliases and rules in both, and no alias may be lost. */
/* clang-format off */
#define CODE_ROWS(schema) \
    " (SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into FROM " schema \
    ".code NOT INDEXED WHERE " IN_CODEBOOK ")"
#define RULE_ROW "code_id, versus_id, rule"
#define LACKED(columns, of, by, table) \
    " (SELECT " columns " FROM " of table " EXCEPT SELECT " columns " FROM " by table ")"
#define STRAYS(older, newer) \
    "WITH o AS MATERIALIZED" CODE_ROWS(older) ", n AS MATERIALIZED" CODE_ROWS(newer) \
    ", said (facet, name) AS MATERIALIZED (" MENTIONED(newer) ")" \
    ", changed AS MATERIALIZED (SELECT n.code_id FROM n LEFT JOIN o USING (code_id)" \
    "   WHERE (n.facet, n.name) IN said OR (n.facet, o.name) IN said)" \
    ", n_alias AS MATERIALIZED (SELECT code_id, alias FROM " newer ".code_alias)" \
    " SELECT 0 AS part, n.name AS name, 0 AS step, n.code_id AS code_id, 0 AS then_by FROM n LEFT JOIN o USING (code_id)" \
    "  WHERE CASE WHEN o.code_id IS NULL THEN n.code_id NOT IN changed" \
    "   WHEN n.code_id IN changed THEN o.facet <> n.facet" \
    "    OR (o.name <> n.name AND (o.code_id, o.name) NOT IN n_alias)" \
    "   ELSE (o.facet, o.category, o.name, o.short_name, o.definition, o.retired_in)" \
    "     IS NOT (n.facet, n.category, n.name, n.short_name, n.definition, n.retired_in)" \
    "    OR (o.merged_into IS NOT n.merged_into AND ifnull(o.merged_into NOT IN changed, true)) END" \
    " UNION ALL SELECT 0, name, 1, code_id, 0 FROM o WHERE code_id NOT IN (SELECT code_id FROM n)" \
    " UNION ALL SELECT 1, alias, 0, code_id, alias FROM" LACKED("code_id, alias", older, newer, ".code_alias") \
    " UNION ALL SELECT 1, alias, 1, code_id, alias FROM" LACKED("code_id, alias", newer, older, ".code_alias") \
    "  WHERE code_id NOT IN changed" \
    " UNION ALL SELECT 2, rule, 0, code_id, versus_id FROM" LACKED(RULE_ROW, older, newer, ".disambiguation") \
    "  WHERE code_id NOT IN changed AND versus_id NOT IN changed" \
    " UNION ALL SELECT 2, rule, 1, code_id, versus_id FROM" LACKED(RULE_ROW, newer, older, ".disambiguation") \
    "  WHERE code_id NOT IN changed AND versus_id NOT IN changed" \
    " ORDER BY part, step, code_id, then_by LIMIT 1"
/* clang-format on */
SQL(BOOK_STRAYS, STRAYS("other", "main"));
SQL(OTHER_STRAYS, STRAYS("main", "other"));

/* The statements of a table: its rows here and there, and how they are replaced. */
#define PART(NAME, table, columns, parameters, where, order) \
    SQL(BOOK_##NAME, "SELECT " columns " FROM main." table where " ORDER BY " order); \
    SQL(OTHER_##NAME, "SELECT " columns " FROM other." table where " ORDER BY " order); \
    SQL(NAME##_CLEAR, "DELETE FROM main." table where); \
    SQL(NAME##_FILL, "INSERT INTO " table " (" columns ") VALUES (" parameters ")")

PART(CODES, "code", "code_id, facet, category, name, short_name, definition, retired_in, merged_into",
     ":code_id, :facet, :category, :name, :short_name, :definition, :retired_in, :merged_into",
     " NOT INDEXED WHERE " IN_CODEBOOK, "code_id");
PART(ALIASES, "code_alias", "code_id, alias", ":code_id, :alias", "", "code_id, alias");
PART(RULES, "disambiguation", "code_id, versus_id, rule", ":code_id, :versus_id, :rule", "", "code_id, versus_id");
PART(CHANGES, "code_change",
     "codebook_version, changed_at, changed_by, action, facet, code, became, reason, look_again",
     ":codebook_version, :changed_at, :changed_by, :action, :facet, :code, :became, :reason, :look_again",
     " NOT INDEXED", "codebook_version");

/* clang-format off */
const struct part merge_parts[PARTS] = {
    [CODES] = {"code", {SQL_BOOK_CODES, SQL_OTHER_CODES}, SQL_CODES_CLEAR, SQL_CODES_FILL, 8, {
        {":code_id", INTEGER, 0}, {":facet", TEXT, SHORT_MAX}, {":category", TEXT_OR_NULL, SHORT_MAX},
        {":name", TEXT, SHORT_MAX}, {":short_name", TEXT_OR_NULL, SHORT_MAX}, {":definition", TEXT_OR_NULL, TEXT_MAX},
        {":retired_in", INTEGER_OR_NULL, 0}, {":merged_into", INTEGER_OR_NULL, 0}}},
    [ALIASES] = {"code_alias", {SQL_BOOK_ALIASES, SQL_OTHER_ALIASES}, SQL_ALIASES_CLEAR, SQL_ALIASES_FILL, 2, {
        {":code_id", INTEGER, 0}, {":alias", TEXT, SHORT_MAX}}},
    [RULES] = {"disambiguation", {SQL_BOOK_RULES, SQL_OTHER_RULES}, SQL_RULES_CLEAR, SQL_RULES_FILL, 3, {
        {":code_id", INTEGER, 0}, {":versus_id", INTEGER, 0}, {":rule", TEXT, TEXT_MAX}}},
    [CHANGES] = {"code_change", {SQL_BOOK_CHANGES, SQL_OTHER_CHANGES}, SQL_CHANGES_CLEAR, SQL_CHANGES_FILL, 9, {
        {":codebook_version", INTEGER, 0}, {":changed_at", TEXT, SHORT_MAX}, {":changed_by", TEXT, SHORT_MAX},
        {":action", TEXT, SHORT_MAX}, {":facet", TEXT, SHORT_MAX}, {":code", TEXT, SHORT_MAX},
        {":became", TEXT, TEXT_MAX}, {":reason", TEXT, TEXT_MAX}, {":look_again", TEXT, TEXT_MAX}}},
};
/* clang-format on */

void merge_add_row(struct grid *g, const struct span *cells)
{
    for (size_t k = 0; k < g->n_columns; k++)
        array_add(&g->cells, cells[k]);
    g->n++;
}

void merge_book_clear(struct book *book)
{
    for (size_t i = 0; i < PARTS; i++)
        array_clear(&book->grids[i].cells);
}

static enum status MUST_USE read_book(struct merge *m, struct book *book, size_t side)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < PARTS && status == ST_OK; i++) {
        const struct part *part = &merge_parts[i];
        struct grid *g = &book->grids[i];
        struct sql *which = part->rows[side];
        g->n_columns = part->n_columns;
        while (side == THEIRS ? merge_next(m, which, &status) : sql_next(m->db, which, &status, m->e)) {
            if (side == THEIRS)
                status = merge_check_row(m, which, part->table, part->columns, part->n_columns);
            for (size_t k = 0; k < g->n_columns && status == ST_OK; k++) {
                struct span text = sql_text(m->db, which, (int)k);
                array_add(&g->cells, text.ptr != NULL ? arena_copy(&m->arena, text) : text);
            }
            g->n++;
        }
    }
    if (status != ST_OK)
        return status;
    if (side == THEIRS)
        return merge_other_setting(m, "codebook_version", &book->version);
    return db_setting_get(m->db, "codebook_version", &m->arena, &book->version, m->e);
}

enum status merge_another_codebook(struct merge *m, size_t part, struct span name)
{
    name = merge_shown(m, name);
    return err_set(m->e, ST_INPUT,
                   "%s: its codebook is another one, and no change in its history says why: the table %s differs at"
                   " '%.*s'; agree on one codebook, or ask for the copy of the study that was handed out",
                   m->path, merge_parts[part].table, SPAN_ARG(name));
}

static bool same_row(const struct grid *a, size_t i, const struct grid *b, size_t j)
{
    for (size_t k = 0; k < a->n_columns; k++)
        if (!same_cell(row_of(a, i)[k], row_of(b, j)[k]))
            return false;
    return true;
}

/* --- rows by their cells --- */

static struct span key_of(struct buf *key, const struct span *cells, size_t n)
{
    buf_reset(key);
    for (size_t k = 0; k < n; k++) {
        buf_addf(key, "%zu%c", cells[k].len, cells[k].ptr != NULL ? ' ' : '-');
        buf_add_span(key, cells[k]);
    }
    return buf_span(key);
}

size_t merge_row(struct rows *r, const struct span *cells, size_t n)
{
    const struct text_numbers_entry *entry = text_numbers_find(&r->map, key_of(&r->key, cells, n));

    return entry != NULL ? entry->value : NOWHERE;
}

size_t *merge_row_kept(struct merge *m, struct rows *r, const struct span *cells, size_t n)
{
    struct text_numbers_entry *entry;

    if (text_numbers_add(&r->map, key_of(&r->key, cells, n), &entry)) {
        entry->key = arena_copy(&m->arena, entry->key);
        entry->value = NOWHERE;
    }
    return &entry->value;
}

void merge_row_keep(struct merge *m, struct rows *r, const struct span *cells, size_t n, size_t row)
{
    size_t *kept = merge_row_kept(m, r, cells, n);

    *kept = *kept == NOWHERE ? row : *kept;
}

void merge_rows_keep(struct merge *m, struct rows *r, const struct grid *g, size_t n_columns)
{
    for (size_t i = 0; i < g->n; i++)
        merge_row_keep(m, r, row_of(g, i), n_columns, i);
}

void merge_rows_clear(struct rows *r)
{
    text_numbers_clear(&r->map);
    buf_clear(&r->key);
}

/* --- a codebook that comes out of another one --- */

static enum status MUST_USE check_lead(struct merge *m, const struct book *older, struct sql *strays)
{
    enum status status = ST_OK;
    int64_t version;

    if (older->version.ptr == NULL || !span_i64(older->version, &version))
        return merge_another_codebook(m, CODES, SPAN("version"));
    sql_bind_int(m->db, strays, ":version", version);
    while (merge_next(m, strays, &status))
        status = merge_another_codebook(m, (size_t)sql_int(m->db, strays, 0), sql_text(m->db, strays, 1));
    return status;
}

/* Each code that goes is searched in merged_into, for the foreign key. */
static const char SQL_DEFER_KEYS[] = "PRAGMA defer_foreign_keys = ON;"
                                     "CREATE INDEX merged_codes ON code (merged_into) WHERE merged_into IS NOT NULL";
static const char SQL_DROP_INDEX[] = "DROP INDEX merged_codes";

enum status merge_adopt(struct merge *m, const struct book *theirs)
{
    static const size_t order[] = {RULES, ALIASES, CHANGES, CODES};
    enum status status = sql_exec(m->db, SQL_DEFER_KEYS, m->e);

    for (size_t i = 0; i < ARRAY_LEN(order) && status == ST_OK; i++)
        status = sql_done(m->db, merge_parts[order[i]].clear, m->e);
    for (size_t i = 0; i < PARTS && status == ST_OK; i++) {
        const struct grid *g = &theirs->grids[i];
        for (size_t row = 0; row < g->n && status == ST_OK; row++) {
            for (size_t k = 0; k < g->n_columns; k++)
                sql_bind_text_at(m->db, merge_parts[i].fill, (int)k + 1, row_of(g, row)[k]);
            status = sql_done(m->db, merge_parts[i].fill, m->e);
        }
    }
    THEN(status, sql_exec(m->db, SQL_DROP_INDEX, m->e));
    THEN(status, db_setting_put(m->db, "codebook_version", theirs->version, m->e));
    m->out->codebook = DB_CODEBOOK_ADOPTED;
    return status;
}

static enum status MUST_USE compare_books(struct merge *m, struct book *ours, struct book *theirs)
{
    struct book *const books[SIDES] = {ours, theirs};
    const struct grid *a = &ours->grids[CHANGES], *b = &theirs->grids[CHANGES];
    size_t common = 0;

    /* What follows from a row of the history must be there, and be a number. */
    m->their_version = 0;
    if (theirs->version.ptr != NULL && (!span_i64(theirs->version, &m->their_version) || m->their_version < 0))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is not a number", m->path);
    if (b->n > 0 && !span_eq(row_of(b, b->n - 1)[VERSION], theirs->version))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is not that of the last change in code_change",
                       m->path);
    enum status status = merge_names_align(m, books);
    if (status != ST_OK)
        return status;
    while (common < a->n && common < b->n && same_row(a, common, b, common))
        common++;
    if ((common < a->n && common < b->n) || m->names[OURS].n > 0 || m->names[THEIRS].n > 0)
        return merge_join(m, books);
    m->out->codebook = a->n == b->n ? DB_CODEBOOK_SAME : DB_CODEBOOK_OLDER;
    if (a->n > b->n)
        return check_lead(m, theirs, SQL_BOOK_STRAYS);
    if (a->n < b->n) {
        status = check_lead(m, ours, SQL_OTHER_STRAYS);
        return status == ST_OK ? merge_adopt(m, theirs) : status;
    }
    for (size_t i = 0; i < PARTS; i++) {
        const struct grid *x = &ours->grids[i], *y = &theirs->grids[i];
        size_t name = i == CODES ? NAME : merge_parts[i].n_columns - 1;
        for (size_t row = 0; row < x->n || row < y->n; row++)
            if (row >= x->n || row >= y->n || !same_row(x, row, y, row))
                return merge_another_codebook(m, i, row_of(row < x->n ? x : y, row)[name]);
    }
    if (!same_cell(ours->version, theirs->version))
        return err_set(m->e, ST_INPUT,
                       "%s: its codebook has version '%.*s', here it is '%.*s', and no change in the history says why",
                       m->path, SPAN_ARG(theirs->version), SPAN_ARG(ours->version));
    return ST_OK;
}

enum status merge_codebook(struct merge *m)
{
    AT_END(merge_book_clear) struct book ours = {0}, theirs = {0};
    enum status status = read_book(m, &ours, OURS);

    THEN(status, read_book(m, &theirs, THEIRS));
    THEN(status, compare_books(m, &ours, &theirs));
    return status;
}
