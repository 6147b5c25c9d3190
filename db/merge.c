/*
 * Taking another coder's database into this one. What it holds is looked at row by row: it may have
 * been written by anybody. All is read and written in one transaction; rows that both have are
 * settled by rules that do not ask which side they came from, so that order makes no difference.
 */
#define _GNU_SOURCE /* st_mtim */
#include "db/sql.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "db/schema.h"

/* Largest texts that are taken; own commands write shorter ones. */
enum { SHORT_MAX = 1000, TEXT_MAX = 1 << 20 };

struct undo {
    struct undo *next;
    struct span decision_id;
};

struct merge {
    struct db *db;
    const char *path;
    bool no_notes;
    struct db_merged *out;
    int64_t their_version;
    struct undo *undos; /* decisions of the other file that undo others */
    size_t coder_capacity;
    struct arena arena;
    struct err *e;
};

/* --- the other file --- */

static bool is_there(const char *path, const char *ending, off_t *size)
{
    struct buf name = {0};
    struct stat info;

    buf_addf(&name, "%s%s", path, ending);
    bool there = stat(buf_cstr(&name), &info) == 0;
    *size = there ? info.st_size : 0;
    buf_clear(&name);
    return there;
}

/* Words about the other file, not about ours. */
static enum status other_fails(const struct merge *m)
{
    char *path = mem_text(span_of(m->path));
    struct db shadow = {.handle = m->db->handle, .path = path};
    enum status status = sql_fail(&shadow, m->e);

    mem_free(path);
    return status;
}

static enum status MUST_USE attach_as(const struct merge *m, enum uri_mode mode)
{
    struct buf uri = {0};
    sqlite3_stmt *stmt = NULL;
    int64_t kind;

    sql_add_uri(&uri, m->path, mode);
    int rc = sqlite3_prepare_v2(m->db->handle, SQL_ATTACH, -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text64(stmt, 1, uri.ptr, uri.len, SQLITE_STATIC, SQLITE_UTF8);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    enum status status = rc == SQLITE_DONE ? ST_OK : other_fails(m);
    sqlite3_finalize(stmt);
    buf_clear(&uri);
    if (status != ST_OK)
        return status;
    /* The file is only looked at when something is read. */
    if (sql_integers(m->db, SQL_OTHER_KIND, &kind, 1, m->e) == ST_OK)
        return ST_OK;
    status = other_fails(m);
    int code = sqlite3_extended_errcode(m->db->handle);
    struct err ignored;
    if (sql_exec(m->db, SQL_DETACH, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
    /* The caller asks why. */
    return (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY ? ST_NO : status;
}

/*
 * A file with nothing beside it is read as one that nobody changes: nothing is written beside it
 * then, and it may be on a medium that cannot be written. With a log it is read with the log.
 */
static enum status MUST_USE attach(const struct merge *m)
{
    off_t log_size, size;
    bool has_log = is_there(m->path, "-wal", &log_size);
    bool alone = !has_log && !is_there(m->path, "-journal", &size);

    if (!is_there(m->path, "", &size))
        return err_set(m->e, ST_DATABASE, "%s: %s; give the file of the other coder", m->path,
                       strerror(errno));
    if (size == 0)
        return err_set(m->e, ST_DATABASE, "%s: the file is empty; give the file of the other coder",
                       m->path);
    enum status status = attach_as(m, alone ? URI_IMMUTABLE : URI_READ);
    if (status == ST_NO && !alone && log_size == 0)
        status = attach_as(m, URI_IMMUTABLE);
    if (status == ST_NO && has_log && log_size > 0)
        return err_set(m->e, ST_DATABASE, "%s: what was written last is in the log beside it,"
                       " %s-wal, which cannot be read where it is; copy both into a folder that can"
                       " be written, and merge that", m->path, m->path);
    return status == ST_NO ? ST_DATABASE : status;
}

static enum status MUST_USE check_kind(const struct merge *m)
{
    int64_t application_id = 0, version = 0, tables = 0;
    enum status status = sql_integers(m->db, SQL_OTHER_KIND, &application_id, 1, m->e);

    if (status == ST_OK && application_id != SCHEMA_APPLICATION_ID)
        return err_set(m->e, ST_DATABASE, "%s: an SQLite database of another program; give the file"
                       " of the other coder", m->path);
    if (status == ST_OK)
        status = sql_integers(m->db, SQL_OTHER_VERSION, &version, 1, m->e);
    if (status == ST_OK && version > SCHEMA_VERSION)
        return err_set(m->e, ST_DATABASE, "%s: made by a newer ppmine (schema version %lld, known"
                       " here: %d); merge with that one", m->path, (long long)version,
                       SCHEMA_VERSION);
    if (status == ST_OK && version < SCHEMA_VERSION)
        return err_set(m->e, ST_DATABASE, "%s: made by an older ppmine (schema version %lld, here:"
                       " %d); any command that writes brings it up to date: `ppmine -d FILE label"
                       " undo --coder nobody`", m->path, (long long)version, SCHEMA_VERSION);
    if (status == ST_OK)
        status = sql_integers(m->db, SQL_OTHER_TABLES, &tables, 1, m->e);
    if (status == ST_OK && tables != OTHER_TABLES)
        return err_set(m->e, ST_DATABASE, "%s: tables are missing, or are not what they should be;"
                       " ask the other coder for another copy", m->path);
    return status == ST_OK ? ST_OK : other_fails(m);
}

/* Has the file changed while it was read as one that nobody changes? */
struct identity {
    struct stat info;
    bool has_log;
};

static struct identity identify(const struct merge *m)
{
    struct identity id = {0};
    off_t size;

    if (stat(m->path, &id.info) != 0)
        id.info.st_size = -1;
    id.has_log = is_there(m->path, "-wal", &size);
    return id;
}

static enum status MUST_USE check_unchanged(const struct merge *m, const struct identity *before)
{
    struct identity now = identify(m);

    if (now.info.st_size == before->info.st_size && now.has_log == before->has_log &&
        now.info.st_mtim.tv_sec == before->info.st_mtim.tv_sec &&
        now.info.st_mtim.tv_nsec == before->info.st_mtim.tv_nsec)
        return ST_OK;
    return err_set(m->e, ST_DATABASE, "%s: was written while it was read; nothing was merged: run"
                   " the command again when the other program has ended", m->path);
}

/* --- rows of the other file --- */

enum kind { TEXT, TEXT_OR_NULL, INTEGER, INTEGER_OR_NULL };

struct column {
    const char *name;
    enum kind kind;
    size_t max; /* bytes of a text */
};

/* A text of the other file for a message: short, and without what moves a terminal's cursor. */
static struct span shown(struct merge *m, struct span s)
{
    enum { SHOWN_MAX = 80 };
    struct span cut = {s.ptr, s.len < SHOWN_MAX ? s.len : SHOWN_MAX};

    cut.len = utf8_valid_prefix(cut);
    char *copy = arena_alloc(&m->arena, cut.len);

    for (size_t i = 0; i < cut.len; i++) {
        unsigned char c = (unsigned char)cut.ptr[i];
        bool second = c == 0xc2 && i + 1 < cut.len && (unsigned char)cut.ptr[i + 1] < 0xa0;
        copy[i] = c < 0x20 || c == 0x7f || second ? '?' : cut.ptr[i];
        if (second)
            copy[++i] = '?';
    }
    return (struct span){copy, cut.len};
}

/* The next row of a walk over the other file. */
static enum status MUST_USE next_row(const struct merge *m, enum sql which, bool *row)
{
    if (sql_row(m->db, which, row, m->e) == ST_OK)
        return ST_OK;
    return other_fails(m);
}

static enum status wrong_row(struct merge *m, enum sql which, const char *table, const char *what)
{
    struct span key = shown(m, sql_text(m->db, which, 0));

    return err_set(m->e, ST_INPUT, "%s: %s '%.*s': %s; nothing was merged", m->path, table,
                   (int)key.len, key.ptr, what);
}

static bool fits(struct db *db, enum sql which, int place, const struct column *column)
{
    int type = sqlite3_column_type(db->stmts[which], place);
    bool may_be_null = column->kind == TEXT_OR_NULL || column->kind == INTEGER_OR_NULL;

    if (type == SQLITE_NULL)
        return may_be_null;
    if (column->kind == INTEGER || column->kind == INTEGER_OR_NULL)
        return type == SQLITE_INTEGER;
    if (type != SQLITE_TEXT ||
        (size_t)sqlite3_column_bytes(db->stmts[which], place) > column->max)
        return false;
    struct span text = sql_text(db, which, place);
    return utf8_valid_prefix(text) == text.len && memchr(text.ptr, '\0', text.len) == NULL;
}

static enum status MUST_USE check_row(struct merge *m, enum sql which, const char *table,
                                      const struct column *columns, size_t n)
{
    char what[120];

    for (size_t i = 0; i < n; i++) {
        if (fits(m->db, which, (int)i, &columns[i]))
            continue;
        if (columns[i].kind == INTEGER || columns[i].kind == INTEGER_OR_NULL)
            snprintf(what, sizeof what, "the column %s is no integer", columns[i].name);
        else
            snprintf(what, sizeof what, "the column %s is no text of at most %zu bytes",
                     columns[i].name, columns[i].max);
        return wrong_row(m, which, table, what);
    }
    return ST_OK;
}

/* --- the study --- */

static enum status MUST_USE other_setting(struct merge *m, const char *key, struct span *value)
{
    static const struct column column = {"value", TEXT, SHORT_MAX};
    bool row;

    *value = (struct span){0};
    sql_bind_text(m->db, SQL_OTHER_SETTING, 1, span_of(key));
    enum status status = next_row(m, SQL_OTHER_SETTING, &row);
    if (!row)
        return status;
    status = check_row(m, SQL_OTHER_SETTING, "the setting", &column, 1);
    if (status == ST_OK)
        *value = arena_copy(&m->arena, sql_text(m->db, SQL_OTHER_SETTING, 0));
    sql_reset(m->db, SQL_OTHER_SETTING);
    return status;
}

static enum status MUST_USE check_study(struct merge *m)
{
    static const char *const same[] = {"name", "site"};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(same) && status == ST_OK; i++) {
        struct span ours, theirs;
        status = db_setting_get(m->db, same[i], &m->arena, &ours, m->e);
        if (status == ST_OK)
            status = other_setting(m, same[i], &theirs);
        if (status == ST_OK && !span_eq(ours, theirs)) {
            theirs = shown(m, theirs);
            status = err_set(m->e, ST_INPUT, "%s: another study: its %s is '%.*s', here it is"
                             " '%.*s'; only copies of one study are merged", m->path, same[i],
                             (int)theirs.len, theirs.ptr, (int)ours.len, ours.ptr);
        }
    }
    return status;
}

/* --- codebooks --- */

/* A table of a codebook: what is in it, and how it is replaced. */
struct part {
    const char *table;
    enum sql ours, theirs, clear, fill;
    struct column columns[9];
    size_t n_columns;
};

enum { CODES, ALIASES, RULES, CHANGES, PARTS };
enum { CODE_ID, FACET, CATEGORY, NAME, SHORT_NAME, DEFINITION, RETIRED_IN, MERGED_INTO };
enum { VERSION, CHANGED_AT, CHANGED_BY, ACTION, CHANGE_FACET, CHANGE_CODE, BECAME, REASON };

static const struct part parts[PARTS] = {
    [CODES] = {"code", SQL_BOOK_CODES, SQL_OTHER_CODES, SQL_CODES_CLEAR, SQL_CODES_FILL,
               {{"code_id", INTEGER, 0}, {"facet", TEXT, SHORT_MAX},
                {"category", TEXT_OR_NULL, SHORT_MAX}, {"name", TEXT, SHORT_MAX},
                {"short_name", TEXT_OR_NULL, SHORT_MAX}, {"definition", TEXT_OR_NULL, TEXT_MAX},
                {"retired_in", INTEGER_OR_NULL, 0}, {"merged_into", INTEGER_OR_NULL, 0}}, 8},
    [ALIASES] = {"code_alias", SQL_BOOK_ALIASES, SQL_OTHER_ALIASES, SQL_ALIASES_CLEAR,
                 SQL_ALIASES_FILL, {{"code_id", INTEGER, 0}, {"alias", TEXT, SHORT_MAX}}, 2},
    [RULES] = {"disambiguation", SQL_BOOK_RULES, SQL_OTHER_RULES, SQL_RULES_CLEAR, SQL_RULES_FILL,
               {{"code_id", INTEGER, 0}, {"versus_id", INTEGER, 0}, {"rule", TEXT, TEXT_MAX}}, 3},
    [CHANGES] = {"code_change", SQL_BOOK_CHANGES, SQL_OTHER_CHANGES, SQL_CHANGES_CLEAR,
                 SQL_CHANGES_FILL,
                 {{"codebook_version", INTEGER, 0}, {"changed_at", TEXT, SHORT_MAX},
                  {"changed_by", TEXT, SHORT_MAX}, {"action", TEXT, SHORT_MAX},
                  {"facet", TEXT, SHORT_MAX}, {"code", TEXT, SHORT_MAX},
                  {"became", TEXT, TEXT_MAX}, {"reason", TEXT, TEXT_MAX},
                  {"look_again", TEXT, TEXT_MAX}}, 9},
};

/* Rows as text, integers too; ptr NULL is NULL. */
struct grid {
    struct span *cells;
    size_t n, capacity; /* rows */
    size_t n_columns;
};

struct book {
    struct grid grids[PARTS];
    struct span version; /* the setting; ptr NULL: no codebook */
    enum sql mentioned;
};

static struct span *row_of(const struct grid *g, size_t row)
{
    return g->cells + row * g->n_columns;
}

static bool same_cell(struct span a, struct span b)
{
    return (a.ptr == NULL) == (b.ptr == NULL) && span_eq(a, b);
}

static bool same_row(const struct grid *a, size_t i, const struct grid *b, size_t j)
{
    for (size_t k = 0; k < a->n_columns; k++)
        if (!same_cell(row_of(a, i)[k], row_of(b, j)[k]))
            return false;
    return true;
}

static void add_row(struct merge *m, struct grid *g, enum sql which)
{
    if (g->n == g->capacity) {
        g->capacity = g->capacity > 0 ? 2 * g->capacity : 64;
        g->cells = mem_resize(g->cells, g->capacity * g->n_columns, sizeof *g->cells);
    }
    struct span *row = row_of(g, g->n++);
    for (size_t k = 0; k < g->n_columns; k++) {
        struct span text = sql_text(m->db, which, (int)k);
        row[k] = text.ptr != NULL ? arena_copy(&m->arena, text) : text;
    }
}

static enum status MUST_USE read_book(struct merge *m, struct book *book, bool theirs)
{
    for (size_t i = 0; i < PARTS; i++) {
        const struct part *part = &parts[i];
        enum sql which = theirs ? part->theirs : part->ours;
        book->grids[i].n_columns = part->n_columns;
        for (;;) {
            bool row;
            enum status status = theirs ? next_row(m, which, &row) : sql_row(m->db, which, &row, m->e);
            if (status == ST_OK && row && theirs)
                status = check_row(m, which, part->table, part->columns, part->n_columns);
            if (status != ST_OK)
                sql_reset(m->db, which);
            if (status != ST_OK)
                return status;
            if (!row)
                break;
            add_row(m, &book->grids[i], which);
        }
    }
    book->mentioned = theirs ? SQL_OTHER_MENTIONED : SQL_BOOK_MENTIONED;
    if (theirs)
        return other_setting(m, "codebook_version", &book->version);
    return db_setting_get(m->db, "codebook_version", &m->arena, &book->version, m->e);
}

static void book_clear(struct book *book)
{
    for (size_t i = 0; i < PARTS; i++)
        mem_free(book->grids[i].cells);
}

static enum status another_codebook(struct merge *m, size_t part, struct span name)
{
    name = shown(m, name);
    return err_set(m->e, ST_INPUT, "%s: its codebook is another one, and no change in its history"
                   " says why: the table %s differs at '%.*s'; agree on one codebook, or ask for the"
                   " copy of the study that was handed out", m->path, parts[part].table,
                   (int)name.len, name.ptr);
}

static enum status MUST_USE same_books(struct merge *m, const struct book *a, const struct book *b)
{
    for (size_t i = 0; i < PARTS; i++) {
        const struct grid *x = &a->grids[i], *y = &b->grids[i];
        size_t name = i == CODES ? NAME : parts[i].n_columns - 1;
        for (size_t row = 0; row < x->n || row < y->n; row++)
            if (row >= x->n || row >= y->n || !same_row(x, row, y, row))
                return another_codebook(m, i, row_of(row < x->n ? x : y, row)[name]);
    }
    if (!same_cell(a->version, b->version))
        return err_set(m->e, ST_INPUT, "%s: its codebook has version '%.*s', here it is '%.*s', and"
                       " no change in the history says why", m->path, (int)b->version.len,
                       b->version.ptr, (int)a->version.len, a->version.ptr);
    return ST_OK;
}

/* Is the name in what changed in `newer` behind `version`? */
static enum status MUST_USE is_mentioned(struct merge *m, const struct book *newer,
                                         struct span facet, struct span name, int64_t version,
                                         bool *mentioned)
{
    bool row;

    sql_bind_text(m->db, newer->mentioned, 1, facet);
    sql_bind_int(m->db, newer->mentioned, 2, version);
    sql_bind_text(m->db, newer->mentioned, 3, name);
    enum status status = next_row(m, newer->mentioned, &row);
    *mentioned = row && sql_int(m->db, newer->mentioned, 0) == 1;
    sql_reset(m->db, newer->mentioned);
    return status;
}

static size_t find_key(const struct grid *g, struct span key)
{
    for (size_t i = 0; i < g->n; i++)
        if (span_eq(row_of(g, i)[0], key))
            return i;
    return SIZE_MAX;
}

/* Has the code this alias? */
static bool has_alias(const struct book *book, struct span code_id, struct span alias)
{
    const struct grid *g = &book->grids[ALIASES];

    for (size_t i = 0; i < g->n; i++)
        if (span_eq(row_of(g, i)[0], code_id) && span_eq(row_of(g, i)[1], alias))
            return true;
    return false;
}

/* What the codes of a newer codebook are to those of an older one. */
struct lead {
    const struct book *older, *newer;
    int64_t version; /* of the older one */
    bool *changed;   /* of each code of the newer one: it is in the changes */
};

static enum status MUST_USE find_changed(struct merge *m, const struct lead *l)
{
    const struct grid *codes = &l->newer->grids[CODES], *was = &l->older->grids[CODES];

    for (size_t i = 0; i < codes->n; i++) {
        const struct span *row = row_of(codes, i);
        size_t old = find_key(was, row[CODE_ID]);
        enum status status =
            is_mentioned(m, l->newer, row[FACET], row[NAME], l->version, &l->changed[i]);
        if (status == ST_OK && !l->changed[i] && old != SIZE_MAX)
            status = is_mentioned(m, l->newer, row[FACET], row_of(was, old)[NAME], l->version,
                                  &l->changed[i]);
        if (status != ST_OK)
            return status;
    }
    return ST_OK;
}

static bool changed(const struct lead *l, struct span code_id)
{
    size_t i = find_key(&l->newer->grids[CODES], code_id);

    return i != SIZE_MAX && l->changed[i];
}

/* A code that the changes do not name is as it was, but that what it was merged into may have been
 * merged further; one that they name has its old name still, as an alias at least. */
static bool code_follows(const struct lead *l, size_t old, size_t new)
{
    const struct span *was = row_of(&l->older->grids[CODES], old);
    const struct span *is = row_of(&l->newer->grids[CODES], new);

    if (l->changed[new])
        return span_eq(was[FACET], is[FACET]) &&
               (span_eq(was[NAME], is[NAME]) || has_alias(l->newer, was[CODE_ID], was[NAME]));
    for (size_t k = 0; k < MERGED_INTO; k++)
        if (!same_cell(was[k], is[k]))
            return false;
    return same_cell(was[MERGED_INTO], is[MERGED_INTO]) ||
           (was[MERGED_INTO].ptr != NULL && changed(l, was[MERGED_INTO]));
}

static enum status MUST_USE check_codes(struct merge *m, const struct lead *l)
{
    const struct grid *was = &l->older->grids[CODES], *is = &l->newer->grids[CODES];

    for (size_t i = 0; i < is->n; i++) {
        size_t old = find_key(was, row_of(is, i)[CODE_ID]);
        if (old == SIZE_MAX ? !l->changed[i] : !code_follows(l, old, i))
            return another_codebook(m, CODES, row_of(is, i)[NAME]);
    }
    for (size_t i = 0; i < was->n; i++)
        if (find_key(is, row_of(was, i)[CODE_ID]) == SIZE_MAX)
            return another_codebook(m, CODES, row_of(was, i)[NAME]);
    return ST_OK;
}

/* Of codes that the changes do not name, all rows of `a` are in `b`; no alias is ever lost. */
static enum status MUST_USE check_rows(struct merge *m, const struct lead *l, size_t part,
                                       const struct grid *a, const struct grid *b, bool from_older)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct span *row = row_of(a, i);
        bool free = changed(l, row[0]) || (part == RULES && changed(l, row[1]));
        bool found = free && !(part == ALIASES && from_older);
        for (size_t j = 0; j < b->n && !found; j++)
            found = same_row(a, i, b, j);
        if (!found)
            return another_codebook(m, part, row[parts[part].n_columns - 1]);
    }
    return ST_OK;
}

/* Does the newer codebook come out of the older one by its changes? */
static enum status MUST_USE check_lead(struct merge *m, const struct book *older,
                                       const struct book *newer)
{
    struct lead l = {.older = older, .newer = newer};

    if (older->version.ptr == NULL || !span_i64(older->version, &l.version))
        return another_codebook(m, CODES, SPAN("version"));
    l.changed = mem_zero(newer->grids[CODES].n, sizeof *l.changed);
    enum status status = find_changed(m, &l);
    if (status == ST_OK)
        status = check_codes(m, &l);
    for (size_t part = ALIASES; part <= RULES && status == ST_OK; part++) {
        status = check_rows(m, &l, part, &older->grids[part], &newer->grids[part], true);
        if (status == ST_OK)
            status = check_rows(m, &l, part, &newer->grids[part], &older->grids[part], false);
    }
    mem_free(l.changed);
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

/* Both sides changed theirs since row `from` of the history. */
static enum status MUST_USE parted(struct merge *m, const struct grid *ours,
                                   const struct grid *theirs, size_t from)
{
    struct db_merged *out = m->out;
    size_t n = (ours->n > theirs->n ? ours->n : theirs->n) - from;

    out->conflicts = arena_alloc(&out->arena, n * sizeof *out->conflicts);
    for (size_t i = 0; i < n; i++) {
        struct db_code_change sides[2] = {change_of(ours, from + i), change_of(theirs, from + i)};
        for (size_t k = 0; k < ARRAY_LEN(sides); k++) {
            struct span *texts[] = {&sides[k].changed_at, &sides[k].changed_by, &sides[k].action,
                                    &sides[k].facet, &sides[k].code, &sides[k].became,
                                    &sides[k].reason};
            for (size_t t = 0; t < ARRAY_LEN(texts); t++)
                *texts[t] = arena_copy(&out->arena, shown(m, *texts[t]));
        }
        out->conflicts[out->n_conflicts++] = (struct db_conflict){sides[0], sides[1]};
    }
    return err_set(m->e, ST_INPUT, "%s: the codebook was changed here and there since the copies"
                   " parted; nothing was merged: make the changes of one side on a copy of the other,"
                   " or ask that its decisions are made with this codebook", m->path);
}

/* What follows from a row of the history must be there, and be a number. */
static enum status MUST_USE check_versions(struct merge *m, const struct book *book)
{
    const struct grid *g = &book->grids[CHANGES];

    m->their_version = 0;
    if (book->version.ptr != NULL &&
        (!span_i64(book->version, &m->their_version) || m->their_version < 0))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is no number", m->path);
    if (g->n > 0 && !span_eq(row_of(g, g->n - 1)[VERSION], book->version))
        return err_set(m->e, ST_INPUT, "%s: the setting codebook_version is not that of the last"
                       " change in code_change", m->path);
    return ST_OK;
}

static enum status MUST_USE adopt(struct merge *m, const struct book *theirs)
{
    static const size_t order[] = {RULES, ALIASES, CHANGES, CODES};
    enum status status = sql_exec(m->db, SQL_DEFER_KEYS, m->e);

    for (size_t i = 0; i < ARRAY_LEN(order) && status == ST_OK; i++)
        status = sql_done(m->db, parts[order[i]].clear, m->e);
    for (size_t i = 0; i < PARTS && status == ST_OK; i++) {
        const struct grid *g = &theirs->grids[i];
        for (size_t row = 0; row < g->n && status == ST_OK; row++) {
            for (size_t k = 0; k < g->n_columns; k++)
                sql_bind_text(m->db, parts[i].fill, (int)k + 1, row_of(g, row)[k]);
            status = sql_done(m->db, parts[i].fill, m->e);
        }
    }
    if (status == ST_OK)
        status = db_setting_put(m->db, "codebook_version", theirs->version, m->e);
    m->out->codebook = DB_CODEBOOK_ADOPTED;
    return status;
}

static enum status MUST_USE compare_books(struct merge *m, const struct book *ours,
                                          const struct book *theirs)
{
    const struct grid *a = &ours->grids[CHANGES], *b = &theirs->grids[CHANGES];
    size_t common = 0;
    enum status status = check_versions(m, theirs);

    if (status != ST_OK)
        return status;
    while (common < a->n && common < b->n && same_row(a, common, b, common))
        common++;
    if (common < a->n && common < b->n)
        return parted(m, a, b, common);
    m->out->codebook = a->n == b->n ? DB_CODEBOOK_SAME : DB_CODEBOOK_OLDER;
    if (a->n == b->n)
        return same_books(m, ours, theirs);
    if (a->n > b->n)
        return check_lead(m, theirs, ours);
    status = check_lead(m, ours, theirs);
    return status == ST_OK ? adopt(m, theirs) : status;
}

static enum status MUST_USE merge_codebook(struct merge *m)
{
    struct book ours = {0}, theirs = {0};
    enum status status = read_book(m, &ours, false);

    if (status == ST_OK)
        status = read_book(m, &theirs, true);
    if (status == ST_OK)
        status = compare_books(m, &ours, &theirs);
    book_clear(&ours);
    book_clear(&theirs);
    return status;
}

/* --- coders --- */

/* Names are printed to terminals. */
static bool is_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool second = c == 0xc2 && i + 1 < s.len && (unsigned char)s.ptr[i + 1] < 0xa0;
        if (c < 0x20 || c == 0x7f || second)
            return false;
    }
    return s.len > 0;
}

static int compare_coders(const void *a, const void *b)
{
    const struct db_merged_coder *x = a, *y = b;
    size_t len = x->coder.len < y->coder.len ? x->coder.len : y->coder.len;
    int order = len > 0 ? memcmp(x->coder.ptr, y->coder.ptr, len) : 0;

    return order != 0 ? order : (x->coder.len > y->coder.len) - (x->coder.len < y->coder.len);
}

static struct db_merged_coder *find_coder(const struct merge *m, struct span coder)
{
    struct db_merged_coder key = {.coder = coder};

    if (m->out->n_coders == 0)
        return NULL;
    return bsearch(&key, m->out->coders, m->out->n_coders, sizeof key, compare_coders);
}

static enum status MUST_USE merge_coder(struct merge *m)
{
    static const struct column columns[] = {{"coder", TEXT, SHORT_MAX}, {"is_merged", INTEGER, 0}};
    const enum sql which = SQL_OTHER_CODERS;
    struct db_merged *out = m->out;
    enum status status = check_row(m, which, "coder", columns, ARRAY_LEN(columns));

    if (status != ST_OK)
        return status;
    struct span coder = sql_text(m->db, which, 0);
    int64_t is_merged = sql_int(m->db, which, 1);
    if (!is_name(coder) || (is_merged != 0 && is_merged != 1))
        return wrong_row(m, which, "coder", "no name, or is_merged is neither 0 nor 1");
    if (out->n_coders == m->coder_capacity) {
        m->coder_capacity = m->coder_capacity > 0 ? 2 * m->coder_capacity : 16;
        out->coders = mem_resize(out->coders, m->coder_capacity, sizeof *out->coders);
    }
    out->coders[out->n_coders++] =
        (struct db_merged_coder){.coder = arena_copy(&out->arena, coder)};
    sql_bind_text(m->db, SQL_MERGE_CODER, 1, coder);
    sql_bind_int(m->db, SQL_MERGE_CODER, 2, is_merged);
    return sql_done(m->db, SQL_MERGE_CODER, m->e);
}

/* --- decisions and notes --- */

/* "65160023" or "65160023_1", of the post with this id. */
static bool is_subject(struct span subject, int64_t post_id)
{
    char post[24];
    uint64_t number;

    snprintf(post, sizeof post, "%lld", (long long)post_id);
    if (post_id <= 0 || !span_starts(subject, span_of(post)))
        return false;
    struct span rest = {subject.ptr + strlen(post), subject.len - strlen(post)};
    if (rest.len == 0)
        return true;
    struct span digits = {rest.ptr + 1, rest.len - 1};
    return rest.ptr[0] == '_' && span_u64(digits, UINT32_MAX, &number) && digits.ptr[0] != '0';
}

struct decision {
    struct span id, decided_at, coder, subject;
    int64_t post_id;
    struct span facet, value;
    int64_t version;
    struct span undoes, spelling, reason, real_time;
};

static bool names_codes(struct span facet, struct span *codes, int64_t *most)
{
    static const struct {
        const char *facet, *codes;
        int64_t most;
    } facets[] = {
        {"symptom", "symptom", 2},
        {"root cause", "root cause", 1},
        {"introducing stage", "stage", 1},
        {"exposing stage", "stage", 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(facets); i++)
        if (span_eq(facet, span_of(facets[i].facet))) {
            *codes = span_of(facets[i].codes);
            *most = facets[i].most;
            return true;
        }
    return false;
}

/* What is wrong with the value, or NULL. */
static enum status MUST_USE check_value(struct merge *m, const struct decision *d,
                                        const char **wrong)
{
    bool identifies = span_eq(d->facet, SPAN("identification")), row;
    struct span codes;
    int64_t most;

    *wrong = NULL;
    if (!identifies && !names_codes(d->facet, &codes, &most))
        *wrong = "there is no such facet";
    else if (d->undoes.ptr != NULL)
        return ST_OK; /* looked at when all decisions are there */
    else if (identifies && !span_eq(d->value, SPAN("true")) && !span_eq(d->value, SPAN("false")))
        *wrong = "the value is neither true nor false";
    if (identifies || *wrong != NULL)
        return ST_OK;
    sql_bind_text(m->db, SQL_MERGE_VALUE, 1, d->value);
    sql_bind_text(m->db, SQL_MERGE_VALUE, 2, codes);
    enum status status = sql_row(m->db, SQL_MERGE_VALUE, &row, m->e);
    if (!row)
        return status;
    int64_t n = sql_int(m->db, SQL_MERGE_VALUE, 0);
    if (n != sql_int(m->db, SQL_MERGE_VALUE, 1) || n > most)
        *wrong = "the value names no code of the codebook, or too many";
    sql_reset(m->db, SQL_MERGE_VALUE);
    return ST_OK;
}

static bool is_undo(const struct decision *d)
{
    struct buf value = {0};

    buf_addf(&value, "{\"undoes\":\"%.*s\"}", (int)d->undoes.len, d->undoes.ptr);
    bool same = span_eq(buf_span(&value), d->value);
    buf_clear(&value);
    return same;
}

static enum status MUST_USE check_decision(struct merge *m, const struct decision *d,
                                           const char **wrong)
{
    char id[SHA256_TEXT_SIZE];

    labels_make_id(d->coder, d->subject, d->facet, d->value, d->decided_at, id);
    *wrong = NULL;
    if (!span_eq(d->id, span_of(id)))
        *wrong = "the id is not that of its content: it was changed by hand";
    else if (!span_eq(d->decided_at, d->real_time))
        *wrong = "decided_at is no time such as 2026-11-21T01:12:21.000Z";
    else if (find_coder(m, d->coder) == NULL)
        *wrong = "it is of nobody in the table coder";
    else if (!is_subject(d->subject, d->post_id))
        *wrong = "the subject does not begin with the id of the post";
    else if (span_eq(d->facet, SPAN("identification")) && memchr(d->subject.ptr, '_', d->subject.len))
        *wrong = "an identification is about a post, not about a problem";
    else if (d->version < 0 || d->version > m->their_version)
        *wrong = "there is no such version of the codebook";
    else if (d->undoes.ptr != NULL && !is_undo(d))
        *wrong = "it does not undo what its value says";
    if (*wrong != NULL)
        return ST_OK;
    return check_value(m, d, wrong);
}

static enum status MUST_USE has_id(const struct merge *m, enum sql which, struct span id, bool *has)
{
    sql_bind_text(m->db, which, 1, id);
    enum status status = sql_row(m->db, which, has, m->e);
    sql_reset(m->db, which);
    return status;
}

static enum status MUST_USE put_decision(struct merge *m, const struct decision *d)
{
    const enum sql which = SQL_MERGE_DECISION;
    struct db_merged_coder *coder = find_coder(m, d->coder);
    bool known;
    enum status status = has_id(m, SQL_MERGE_HAS_DECISION, d->id, &known);

    if (status != ST_OK)
        return status;
    if (known)
        coder->known_decisions++;
    else
        coder->new_decisions++;
    if (d->undoes.ptr != NULL) {
        struct undo *undo = arena_alloc(&m->arena, sizeof *undo);
        *undo = (struct undo){m->undos, arena_copy(&m->arena, d->id)};
        m->undos = undo;
    }
    const struct span texts[] = {d->id, d->decided_at, d->coder, d->subject, {0}, d->facet,
                                 d->value, {0}, d->undoes, d->spelling, d->reason};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        sql_bind_text(m->db, which, (int)i + 1, texts[i]);
    sql_bind_int(m->db, which, 5, d->post_id);
    sql_bind_int(m->db, which, 8, d->version);
    return sql_done(m->db, which, m->e);
}

static enum status MUST_USE merge_decision(struct merge *m)
{
    static const struct column columns[] = {
        {"decision_id", TEXT, SHA256_TEXT_SIZE - 1}, {"decided_at", TEXT, TIME_TEXT_SIZE - 1},
        {"coder", TEXT, SHORT_MAX}, {"subject", TEXT, SHORT_MAX}, {"post_id", INTEGER, 0},
        {"facet", TEXT, SHORT_MAX}, {"value", TEXT, 4 * SHORT_MAX},
        {"codebook_version", INTEGER, 0}, {"undoes", TEXT_OR_NULL, SHA256_TEXT_SIZE - 1},
        {"spelling", TEXT_OR_NULL, SHORT_MAX}, {"reason", TEXT_OR_NULL, TEXT_MAX},
    };
    const enum sql which = SQL_OTHER_DECISIONS;
    const char *wrong;
    enum status status = check_row(m, which, "decision", columns, ARRAY_LEN(columns));

    if (status != ST_OK)
        return status;
    struct decision d = {
        .id = sql_text(m->db, which, 0), .decided_at = sql_text(m->db, which, 1),
        .coder = sql_text(m->db, which, 2), .subject = sql_text(m->db, which, 3),
        .post_id = sql_int(m->db, which, 4), .facet = sql_text(m->db, which, 5),
        .value = sql_text(m->db, which, 6), .version = sql_int(m->db, which, 7),
        .undoes = sql_text(m->db, which, 8), .spelling = sql_text(m->db, which, 9),
        .reason = sql_text(m->db, which, 10), .real_time = sql_text(m->db, which, 11),
    };
    status = check_decision(m, &d, &wrong);
    if (status == ST_OK && wrong != NULL)
        return wrong_row(m, which, "decision", wrong);
    return status == ST_OK ? put_decision(m, &d) : status;
}

/* An undo is written beside what it undoes, by the same coder: else it would take back what others
 * decided. */
static enum status MUST_USE check_undos(struct merge *m)
{
    for (const struct undo *undo = m->undos; undo != NULL; undo = undo->next) {
        bool fine;
        enum status status = has_id(m, SQL_MERGE_UNDONE, undo->decision_id, &fine);
        if (status != ST_OK)
            return status;
        if (!fine)
            return err_set(m->e, ST_INPUT, "%s: decision '%.*s': it undoes what is not there, or what"
                           " another coder decided; nothing was merged", m->path,
                           (int)undo->decision_id.len, undo->decision_id.ptr);
    }
    return ST_OK;
}

static enum status MUST_USE merge_note(struct merge *m)
{
    static const struct column columns[] = {
        {"note_id", TEXT, SHA256_TEXT_SIZE - 1}, {"written_at", TEXT, TIME_TEXT_SIZE - 1},
        {"coder", TEXT, SHORT_MAX}, {"subject", TEXT, SHORT_MAX}, {"post_id", INTEGER, 0},
        {"text", TEXT, TEXT_MAX},
    };
    const enum sql which = SQL_OTHER_NOTES;
    char id[SHA256_TEXT_SIZE];
    struct span t[6];
    struct buf text = {0};
    bool known;
    enum status status = check_row(m, which, "note", columns, ARRAY_LEN(columns));

    if (status != ST_OK)
        return status;
    for (int i = 0; i < 6; i++)
        t[i] = i == 4 ? (struct span){0} : sql_text(m->db, which, i);
    int64_t post_id = sql_int(m->db, which, 4);
    struct db_merged_coder *coder = find_coder(m, t[2]);
    buf_add_json(&text, t[5]);
    labels_make_id(t[2], t[3], SPAN("note"), buf_span(&text), t[1], id);
    buf_clear(&text);
    if (!span_eq(t[0], span_of(id)))
        return wrong_row(m, which, "note", "the id is not that of its content");
    if (coder == NULL || !is_subject(t[3], post_id) || !span_eq(t[1], sql_text(m->db, which, 6)))
        return wrong_row(m, which, "note", "of nobody, about no post, or of no time");
    status = has_id(m, SQL_MERGE_HAS_NOTE, t[0], &known);
    coder->new_notes += status == ST_OK && !known;
    for (int i = 0; i < 6; i++)
        sql_bind_text(m->db, SQL_MERGE_NOTE, i + 1, t[i]);
    sql_bind_int(m->db, SQL_MERGE_NOTE, 5, post_id);
    return status == ST_OK ? sql_done(m->db, SQL_MERGE_NOTE, m->e) : status;
}

/* --- dates and the benchmark --- */

/* Is it the id of a problem? */
static bool is_problem_id(struct span text)
{
    struct span rest = text, head;
    int64_t post_id;

    return span_cut(&rest, '_', &head) && head.len > 0 && head.ptr[0] != '0' &&
           span_i64(head, &post_id) && is_subject(text, post_id);
}

/* "2018-01-02", and what else there is of the time. */
static bool is_date(struct span s)
{
    static const char form[] = "0000-00-00";

    for (size_t i = 0; i < s.len; i++) {
        bool digit = s.ptr[i] >= '0' && s.ptr[i] <= '9';
        if (i < sizeof form - 1 ? (form[i] == '0' ? !digit : s.ptr[i] != '-')
                                : !digit && strchr("T:.Z ", s.ptr[i]) == NULL)
            return false;
    }
    return s.len >= sizeof form - 1;
}

static enum status MUST_USE merge_date(struct merge *m)
{
    static const struct column columns[] = {{"problem_id", TEXT, SHORT_MAX},
                                            {"created_at", TEXT, TIME_TEXT_SIZE - 1}};
    const enum sql which = SQL_OTHER_DATES;
    enum status status = check_row(m, which, "problem_date", columns, ARRAY_LEN(columns));

    if (status != ST_OK)
        return status;
    struct span problem = sql_text(m->db, which, 0), date = sql_text(m->db, which, 1);
    if (!is_problem_id(problem) || !is_date(date))
        return wrong_row(m, which, "problem_date", "no problem's id, or no date");
    sql_bind_text(m->db, SQL_MERGE_DATE, 1, problem);
    sql_bind_text(m->db, SQL_MERGE_DATE, 2, date);
    return sql_done(m->db, SQL_MERGE_DATE, m->e);
}

static enum status MUST_USE merge_assessment(struct merge *m)
{
    static const struct column columns[] = {
        {"problem_id", TEXT, SHORT_MAX}, {"approach", TEXT, SHORT_MAX}, {"status", TEXT, SHORT_MAX},
        {"library", TEXT_OR_NULL, SHORT_MAX},
    };
    static const char *const statuses[] = {"not applied", "not solved", "partially solved"};
    const enum sql which = SQL_OTHER_ASSESSMENTS;
    bool known = false;
    enum status status = check_row(m, which, "assessment", columns, ARRAY_LEN(columns));

    if (status != ST_OK)
        return status;
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
        known |= span_eq(sql_text(m->db, which, 2), span_of(statuses[i]));
    if (!known || !is_problem_id(sql_text(m->db, which, 0)))
        return wrong_row(m, which, "assessment", "no problem's id, or an unknown status");
    for (int i = 0; i < 4; i++)
        sql_bind_text(m->db, SQL_MERGE_ASSESSMENT, i + 1, sql_text(m->db, which, i));
    return sql_done(m->db, SQL_MERGE_ASSESSMENT, m->e);
}

/* --- all of it --- */

static enum status MUST_USE walk(struct merge *m, enum sql which,
                                 enum status (*each)(struct merge *m))
{
    for (;;) {
        bool row;
        enum status status = next_row(m, which, &row);
        if (status == ST_OK && row)
            status = each(m);
        if (status != ST_OK)
            sql_reset(m->db, which);
        if (status != ST_OK || !row)
            return status;
    }
}

static enum status MUST_USE merge_rows(struct merge *m)
{
    static const struct {
        enum sql which;
        enum status (*each)(struct merge *m);
    } tables[] = {
        {SQL_OTHER_DECISIONS, merge_decision},
        {SQL_OTHER_DATES, merge_date},
        {SQL_OTHER_ASSESSMENTS, merge_assessment},
        {SQL_OTHER_NOTES, merge_note},
    };
    size_t n = ARRAY_LEN(tables) - m->no_notes;
    enum status status = walk(m, SQL_OTHER_CODERS, merge_coder);

    if (status == ST_OK && m->out->n_coders > 0)
        qsort(m->out->coders, m->out->n_coders, sizeof *m->out->coders, compare_coders);
    for (size_t i = 0; i < n && status == ST_OK; i++)
        status = walk(m, tables[i].which, tables[i].each);
    return status == ST_OK ? check_undos(m) : status;
}

static enum status MUST_USE merge_attached(struct merge *m)
{
    enum status status = sql_prepare_merge(m->db, m->e);

    if (status == ST_OK)
        status = check_study(m);
    if (status == ST_OK)
        status = merge_codebook(m);
    if (status == ST_OK)
        status = merge_rows(m);
    if (status == ST_OK && sql_integers(m->db, SQL_OTHER_POSTS, &m->out->posts_not_here, 1, m->e) !=
                               ST_OK)
        status = other_fails(m);
    if (status == ST_OK)
        status = db_labels_rebuild(m->db, m->e);
    return status;
}

enum status db_merge(struct db *db, const char *path, const struct db_merge_how *how,
                     struct db_merged *out, struct err *e)
{
    struct merge m = {.db = db, .path = path, .no_notes = how->no_notes, .out = out, .e = e};

    *out = (struct db_merged){0};
    enum status status = attach(&m);
    if (status != ST_OK)
        return status;
    struct identity before = identify(&m);
    status = check_kind(&m);
    if (status == ST_OK)
        status = db_begin(db, e);
    if (status == ST_OK)
        status = merge_attached(&m);
    if (status == ST_OK)
        status = check_unchanged(&m, &before);
    if (status == ST_OK && !how->dry_run)
        status = db_commit(db, e);
    if (status != ST_OK || how->dry_run)
        db_rollback(db);
    sql_finalize_merge(db);
    struct err ignored;
    if (sql_exec(db, SQL_DETACH, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
    labels_forget(db);
    arena_clear(&m.arena);
    return status;
}

void db_merged_clear(struct db_merged *merged)
{
    mem_free(merged->coders);
    arena_clear(&merged->arena);
    *merged = (struct db_merged){0};
}
