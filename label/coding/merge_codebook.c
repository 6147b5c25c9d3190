/*
 * Two copies of a codebook. Each has its history; where one history is the beginning of the other,
 * the longer one counts, if its codes come out of the shorter one's by what its changes name.
 */
#include "label/code_table.h"
#include "label/fragments.h"
#include "label/coding/merge.h"
#include "db/study.h"
#include "label/coding/merge_book.h"

#define CODES(schema) \
    "SELECT code_id, facet, category, name, short_name, definition, retired_in, merged_into" \
    " FROM " schema ".code NOT INDEXED WHERE " IN_CODEBOOK " ORDER BY code_id"
#define ALIASES(schema) "SELECT code_id, alias FROM " schema ".code_alias ORDER BY code_id, alias"
#define RULES(schema) "SELECT code_id, versus_id, rule FROM " schema ".disambiguation ORDER BY code_id, versus_id"
#define CHANGES(schema) \
    "SELECT codebook_version, changed_at, changed_by, action, facet, code, became, reason," \
    "  look_again FROM " schema ".code_change NOT INDEXED ORDER BY codebook_version"
/* Facets and names that changes behind a version (:version) are about. */
#define MENTIONED(schema) \
    "SELECT facet, code FROM " schema ".code_change NOT INDEXED WHERE codebook_version > :version" \
    " UNION ALL SELECT h.facet, j.value FROM " schema ".code_change AS h NOT INDEXED, json_each(h.became) AS j" \
    "  WHERE h.codebook_version > :version AND j.type = 'text'"

SQL(BOOK_CODES, CODES("main"));

SQL(BOOK_ALIASES, ALIASES("main"));

SQL(BOOK_RULES, RULES("main"));

SQL(BOOK_CHANGES, CHANGES("main"));

SQL(OTHER_CODES, CODES("other"));

SQL(OTHER_ALIASES, ALIASES("other"));

SQL(OTHER_RULES, RULES("other"));

SQL(OTHER_CHANGES, CHANGES("other"));

SQL(CODES_CLEAR, "DELETE FROM code WHERE " IN_CODEBOOK);

SQL(ALIASES_CLEAR, "DELETE FROM code_alias");

SQL(RULES_CLEAR, "DELETE FROM disambiguation");

SQL(CHANGES_CLEAR, "DELETE FROM code_change");

SQL(CODES_FILL, "INSERT INTO code (code_id, facet, category, name, short_name, definition, retired_in,"
                "  merged_into) VALUES (:code_id, :facet, :category, :name, :short_name, :definition,"
                " :retired_in, :merged_into)");

SQL(ALIASES_FILL, "INSERT INTO code_alias (code_id, alias) VALUES (:code_id, :alias)");

SQL(RULES_FILL, "INSERT INTO disambiguation (code_id, versus_id, rule) VALUES (:code_id, :versus_id, :rule)");

SQL(CHANGES_FILL, "INSERT INTO code_change (codebook_version, changed_at, changed_by, action, facet, code,"
                  "  became, reason, look_again) VALUES (:codebook_version, :changed_at, :changed_by, :action,"
                  " :facet, :code, :became, :reason, :look_again)");

const struct part merge_parts[PARTS] = {
    [CODES] = {"code",
               SQL_BOOK_CODES,
               SQL_OTHER_CODES,
               SQL_CODES_CLEAR,
               SQL_CODES_FILL,
               {{"code_id", INTEGER, 0},
                {"facet", TEXT, SHORT_MAX},
                {"category", TEXT_OR_NULL, SHORT_MAX},
                {"name", TEXT, SHORT_MAX},
                {"short_name", TEXT_OR_NULL, SHORT_MAX},
                {"definition", TEXT_OR_NULL, TEXT_MAX},
                {"retired_in", INTEGER_OR_NULL, 0},
                {"merged_into", INTEGER_OR_NULL, 0}},
               8},
    [ALIASES] = {"code_alias",
                 SQL_BOOK_ALIASES,
                 SQL_OTHER_ALIASES,
                 SQL_ALIASES_CLEAR,
                 SQL_ALIASES_FILL,
                 {{"code_id", INTEGER, 0}, {"alias", TEXT, SHORT_MAX}},
                 2},
    [RULES] = {"disambiguation",
               SQL_BOOK_RULES,
               SQL_OTHER_RULES,
               SQL_RULES_CLEAR,
               SQL_RULES_FILL,
               {{"code_id", INTEGER, 0}, {"versus_id", INTEGER, 0}, {"rule", TEXT, TEXT_MAX}},
               3},
    [CHANGES] = {"code_change",
                 SQL_BOOK_CHANGES,
                 SQL_OTHER_CHANGES,
                 SQL_CHANGES_CLEAR,
                 SQL_CHANGES_FILL,
                 {{"codebook_version", INTEGER, 0},
                  {"changed_at", TEXT, SHORT_MAX},
                  {"changed_by", TEXT, SHORT_MAX},
                  {"action", TEXT, SHORT_MAX},
                  {"facet", TEXT, SHORT_MAX},
                  {"code", TEXT, SHORT_MAX},
                  {"became", TEXT, TEXT_MAX},
                  {"reason", TEXT, TEXT_MAX},
                  {"look_again", TEXT, TEXT_MAX}},
                 9},
};

bool merge_same_row(const struct grid *a, size_t i, const struct grid *b, size_t j)
{
    for (size_t k = 0; k < a->n_columns; k++)
        if (!same_cell(row_of(a, i)[k], row_of(b, j)[k]))
            return false;
    return true;
}

static void add_row(struct merge *m, struct grid *g, struct sql *which)
{
    for (size_t k = 0; k < g->n_columns; k++) {
        struct span text = sql_text(m->db, which, (int)k);
        array_add(&g->cells, text.ptr != NULL ? arena_copy(&m->arena, text) : text);
    }
    g->n++;
}

static enum status MUST_USE read_part(struct merge *m, const struct part *part, struct grid *g, bool theirs)
{
    struct sql *which = theirs ? part->theirs : part->ours;
    enum status status;
    bool row;

    g->n_columns = part->n_columns;
    for (;;) {
        status = theirs ? merge_next_row(m, which, &row) : sql_row(m->db, which, &row, m->e);
        if (status == ST_OK && row && theirs)
            status = merge_check_row(m, which, part->table, part->columns, part->n_columns);
        if (status != ST_OK || !row)
            break;
        add_row(m, g, which);
    }
    if (status != ST_OK)
        sql_reset(m->db, which);
    return status;
}

SQL(BOOK_MENTIONED, MENTIONED("main"));

SQL(OTHER_MENTIONED, MENTIONED("other"));

static enum status MUST_USE read_book(struct merge *m, struct book *book, bool theirs)
{
    enum status status = ST_OK;

    for (size_t i = 0; i < PARTS && status == ST_OK; i++)
        status = read_part(m, &merge_parts[i], &book->grids[i], theirs);
    if (status != ST_OK)
        return status;
    book->mentioned = theirs ? SQL_OTHER_MENTIONED : SQL_BOOK_MENTIONED;
    if (theirs)
        return merge_other_setting(m, "codebook_version", &book->version);
    return db_setting_get(m->db, "codebook_version", &m->arena, &book->version, m->e);
}

static void book_clear(struct book *book)
{
    for (size_t i = 0; i < PARTS; i++)
        array_clear(&book->grids[i].cells);
}

enum status merge_another_codebook(struct merge *m, size_t part, struct span name)
{
    name = merge_shown(m, name);
    return err_set(m->e, ST_INPUT,
                   "%s: its codebook is another one, and no change in its history says why: the table %s differs at"
                   " '%.*s'; agree on one codebook, or ask for the copy of the study that was handed out",
                   m->path, merge_parts[part].table, SPAN_ARG(name));
}

static enum status MUST_USE same_books(struct merge *m, const struct book *a, const struct book *b)
{
    for (size_t i = 0; i < PARTS; i++) {
        const struct grid *x = &a->grids[i], *y = &b->grids[i];
        size_t name = i == CODES ? NAME : merge_parts[i].n_columns - 1;
        for (size_t row = 0; row < x->n || row < y->n; row++)
            if (row >= x->n || row >= y->n || !merge_same_row(x, row, y, row))
                return merge_another_codebook(m, i, row_of(row < x->n ? x : y, row)[name]);
    }
    if (!same_cell(a->version, b->version))
        return err_set(m->e, ST_INPUT,
                       "%s: its codebook has version '%.*s', here it is '%.*s', and no change in the history says why",
                       m->path, SPAN_ARG(b->version), SPAN_ARG(a->version));
    return ST_OK;
}

size_t merge_find_key(const struct grid *g, struct span key)
{
    for (size_t i = 0; i < g->n; i++)
        if (span_eq(row_of(g, i)[0], key))
            return i;
    return SIZE_MAX;
}

/* Has the code this alias? */
bool merge_has_alias(const struct book *book, struct span code_id, struct span alias)
{
    const struct grid *g = &book->grids[ALIASES];

    for (size_t i = 0; i < g->n; i++)
        if (span_eq(row_of(g, i)[0], code_id) && span_eq(row_of(g, i)[1], alias))
            return true;
    return false;
}

#define MAP_NAME row_map
#define MAP_KEY struct span /* cells, with what is between them */
#define MAP_VALUE size_t    /* the first row */
#include "base/map.h"

/* What the codes of a newer codebook are to those of an older one. */
struct lead {
    const struct book *older, *newer;
    int64_t version;          /* of the older one */
    bool *changed;            /* of each code of the newer one: it is in the changes */
    struct row_map was, is;   /* by the ids of codes */
    struct row_map mentioned; /* facets and names in the changes */
    struct row_map aliases;   /* of the newer one: ids of codes and aliases */
    struct buf key;
};

static void lead_clear(struct lead *l)
{
    mem_free(l->changed);
    row_map_clear(&l->was);
    row_map_clear(&l->is);
    row_map_clear(&l->mentioned);
    row_map_clear(&l->aliases);
    buf_clear(&l->key);
}

static struct span key_of(struct buf *key, const struct span *cells, size_t n)
{
    buf_reset(key);
    for (size_t k = 0; k < n; k++) {
        buf_addf(key, "%zu%c", cells[k].len, cells[k].ptr != NULL ? ' ' : '-');
        buf_add_span(key, cells[k]);
    }
    return buf_span(key);
}

static void map_cells(struct merge *m, struct row_map *map, struct buf *key, const struct span *cells, size_t n,
                      size_t row)
{
    struct row_map_entry *entry;
    struct span text = key_of(key, cells, n);

    if (row_map_add(map, text, &entry)) {
        entry->key = arena_copy(&m->arena, text);
        entry->value = row;
    }
}

static void map_rows(struct merge *m, struct row_map *map, struct buf *key, const struct grid *g, size_t n_columns)
{
    for (size_t i = 0; i < g->n; i++)
        map_cells(m, map, key, row_of(g, i), n_columns, i);
}

static size_t find_row(struct lead *l, const struct row_map *map, struct span one)
{
    const struct row_map_entry *entry = row_map_find(map, key_of(&l->key, &one, 1));

    return entry != NULL ? entry->value : SIZE_MAX;
}

static bool is_mentioned(struct lead *l, struct span facet, struct span name)
{
    return row_map_has(&l->mentioned, key_of(&l->key, (const struct span[]){facet, name}, 2));
}

static enum status MUST_USE find_changed(struct merge *m, struct lead *l)
{
    const struct grid *codes = &l->newer->grids[CODES], *was = &l->older->grids[CODES];
    struct sql *which = l->newer->mentioned;
    enum status status;
    bool row = true;

    sql_bind_int(m->db, which, ":version", l->version);
    while ((status = merge_next_row(m, which, &row)) == ST_OK && row)
        map_cells(m, &l->mentioned, &l->key,
                  (const struct span[]){sql_text(m->db, which, 0), sql_text(m->db, which, 1)}, 2, 0);
    if (status != ST_OK)
        sql_reset(m->db, which);
    for (size_t i = 0; i < codes->n && status == ST_OK; i++) {
        const struct span *is = row_of(codes, i);
        size_t old = find_row(l, &l->was, is[CODE_ID]);
        l->changed[i] = is_mentioned(l, is[FACET], is[NAME]) ||
                        (old != SIZE_MAX && is_mentioned(l, is[FACET], row_of(was, old)[NAME]));
    }
    return status;
}

static bool changed(struct lead *l, struct span code_id)
{
    size_t i = find_row(l, &l->is, code_id);

    return i != SIZE_MAX && l->changed[i];
}

/* A code that the changes do not name is as it was, but that what it was merged into may have been
 * merged further; one that they name has its old name still, as an alias at least. */
static bool code_follows(struct lead *l, size_t old, size_t new)
{
    const struct span *was = row_of(&l->older->grids[CODES], old);
    const struct span *is = row_of(&l->newer->grids[CODES], new);

    if (l->changed[new])
        return span_eq(was[FACET], is[FACET]) &&
               (span_eq(was[NAME], is[NAME]) ||
                row_map_has(&l->aliases, key_of(&l->key, (const struct span[]){was[CODE_ID], was[NAME]}, 2)));
    for (size_t k = 0; k < MERGED_INTO; k++)
        if (!same_cell(was[k], is[k]))
            return false;
    return same_cell(was[MERGED_INTO], is[MERGED_INTO]) ||
           (was[MERGED_INTO].ptr != NULL && changed(l, was[MERGED_INTO]));
}

static enum status MUST_USE check_codes(struct merge *m, struct lead *l)
{
    const struct grid *was = &l->older->grids[CODES], *is = &l->newer->grids[CODES];

    for (size_t i = 0; i < is->n; i++) {
        size_t old = find_row(l, &l->was, row_of(is, i)[CODE_ID]);
        if (old == SIZE_MAX ? !l->changed[i] : !code_follows(l, old, i))
            return merge_another_codebook(m, CODES, row_of(is, i)[NAME]);
    }
    for (size_t i = 0; i < was->n; i++)
        if (find_row(l, &l->is, row_of(was, i)[CODE_ID]) == SIZE_MAX)
            return merge_another_codebook(m, CODES, row_of(was, i)[NAME]);
    return ST_OK;
}

/* Of codes that the changes do not name, all rows of `a` are in `b`; no alias is ever lost. */
static enum status MUST_USE check_rows(struct merge *m, struct lead *l, size_t part, const struct grid *a,
                                       const struct grid *b, bool from_older)
{
    AT_END(row_map_clear) struct row_map rows = {0};

    map_rows(m, &rows, &l->key, b, b->n_columns);
    for (size_t i = 0; i < a->n; i++) {
        const struct span *row = row_of(a, i);
        bool free = changed(l, row[0]) || (part == RULES && changed(l, row[1]));
        bool may_differ = free && !(part == ALIASES && from_older);
        if (!may_differ && !row_map_has(&rows, key_of(&l->key, row, a->n_columns)))
            return merge_another_codebook(m, part, row[merge_parts[part].n_columns - 1]);
    }
    return ST_OK;
}

/* Does the newer codebook come out of the older one by its changes? */
static enum status MUST_USE check_lead(struct merge *m, const struct book *older, const struct book *newer)
{
    AT_END(lead_clear) struct lead l = {.older = older, .newer = newer};

    if (older->version.ptr == NULL || !span_i64(older->version, &l.version))
        return merge_another_codebook(m, CODES, SPAN("version"));
    l.changed = mem_zero(newer->grids[CODES].n, sizeof *l.changed);
    map_rows(m, &l.was, &l.key, &older->grids[CODES], 1);
    map_rows(m, &l.is, &l.key, &newer->grids[CODES], 1);
    map_rows(m, &l.aliases, &l.key, &newer->grids[ALIASES], 2);
    enum status status = find_changed(m, &l);
    if (status == ST_OK)
        status = check_codes(m, &l);
    for (size_t part = ALIASES; part <= RULES && status == ST_OK; part++) {
        status = check_rows(m, &l, part, &older->grids[part], &newer->grids[part], true);
        if (status == ST_OK)
            status = check_rows(m, &l, part, &newer->grids[part], &older->grids[part], false);
    }
    return status;
}

static struct db_code_change change_of(const struct grid *g, size_t row)
{
    struct db_code_change change = {0};

    if (row >= g->n)
        return change;
    const struct span *cells = row_of(g, row);
    if (!span_i64(cells[VERSION], &change.version))
        change.version = 0;
    change.changed_at = cells[CHANGED_AT];
    change.changed_by = cells[CHANGED_BY];
    change.action = cells[ACTION];
    change.facet = cells[CHANGE_FACET];
    change.code = cells[CHANGE_CODE];
    change.became = cells[BECAME];
    change.reason = cells[REASON];
    return change;
}

struct db_code_change merge_change_shown(struct merge *m, const struct grid *g, size_t row)
{
    struct db_code_change change = change_of(g, row);
    struct span *texts[] = {&change.changed_at, &change.changed_by, &change.action, &change.facet,
                            &change.code,       &change.became,     &change.reason};

    for (size_t t = 0; t < ARRAY_LEN(texts); t++)
        *texts[t] = arena_copy(&m->out->arena, merge_shown(m, *texts[t]));
    return change;
}

/* What follows from a row of the history must be there, and be a number. */
static enum status MUST_USE check_versions(struct merge *m, const struct book *book)
{
    const struct grid *g = &book->grids[CHANGES];

    m->their_version = 0;
    if (book->version.ptr != NULL && (!span_i64(book->version, &m->their_version) || m->their_version < 0))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is not a number", m->path);
    if (g->n > 0 && !span_eq(row_of(g, g->n - 1)[VERSION], book->version))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is not that of the last change in code_change",
                       m->path);
    return ST_OK;
}

static const char SQL_DEFER_KEYS[] = "PRAGMA defer_foreign_keys = ON";

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
    if (status == ST_OK)
        status = db_setting_put(m->db, "codebook_version", theirs->version, m->e);
    m->out->codebook = DB_CODEBOOK_ADOPTED;
    return status;
}

static enum status MUST_USE compare_books(struct merge *m, struct book *ours, struct book *theirs)
{
    struct book *const books[SIDES] = {ours, theirs};
    const struct grid *a = &ours->grids[CHANGES], *b = &theirs->grids[CHANGES];
    size_t common = 0;
    enum status status = check_versions(m, theirs);

    if (status != ST_OK)
        return status;
    status = merge_names_align(m, books);
    if (status != ST_OK)
        return status;
    while (common < a->n && common < b->n && merge_same_row(a, common, b, common))
        common++;
    if ((common < a->n && common < b->n) || m->names[OURS].n > 0 || m->names[THEIRS].n > 0)
        return merge_join(m, books);
    m->out->codebook = a->n == b->n ? DB_CODEBOOK_SAME : DB_CODEBOOK_OLDER;
    if (a->n == b->n)
        return same_books(m, ours, theirs);
    if (a->n > b->n)
        return check_lead(m, theirs, ours);
    status = check_lead(m, ours, theirs);
    return status == ST_OK ? merge_adopt(m, theirs) : status;
}

enum status merge_codebook(struct merge *m)
{
    AT_END(book_clear) struct book ours = {0}, theirs = {0};
    enum status status = read_book(m, &ours, false);

    if (status == ST_OK)
        status = read_book(m, &theirs, true);
    if (status == ST_OK)
        status = compare_books(m, &ours, &theirs);
    return status;
}
