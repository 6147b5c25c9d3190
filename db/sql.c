/* Runs statements: prepares each when it is first used, binds its parameters by name, reads columns. */
#include "db/sql.h"

#include "base/log.h"
#include "base/signals.h"

#include <errno.h>
#include <math.h>

/* Places are given for the whole process. */
static atomic_int places, kinds;

static size_t place_of(atomic_int *place, atomic_int *last)
{
    int at = atomic_load(place), none = 0;

    if (at != 0)
        return (size_t)at;
    at = atomic_fetch_add(last, 1) + 1;
    return (size_t)(atomic_compare_exchange_strong(place, &none, at) ? at : none);
}

/* The first time. NULL: it cannot be prepared; the reason is that of the connection. */
static struct sql_statement *prepare(struct db *db, const struct sql *which, size_t place)
{
    struct span text = span_of(which->text);
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v3(db->handle, which->text, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
        return NULL;
    int n_names = sqlite3_bind_parameter_count(stmt);
    while (db->statements.n <= place)
        array_add(&db->statements, (struct sql_statement){0});
    db->statements.at[place] = (struct sql_statement){
        .stmt = stmt,
        .names = mem_zero((size_t)n_names + 1, sizeof(const char *)),
        .n_names = n_names,
        .must_change = span_starts(text, SPAN("INSERT")) || span_starts(text, SPAN("UPDATE")) ||
                       span_starts(text, SPAN("REPLACE")),
    };
    return &db->statements.at[place];
}

static struct sql_statement *statement_of(struct db *db, struct sql *which)
{
    size_t place = place_of(&which->place, &places);

    if (place < db->statements.n && db->statements.at[place].stmt != NULL)
        return &db->statements.at[place];
    return prepare(db, which, place);
}

static sqlite3_stmt *stmt_of(struct db *db, struct sql *which)
{
    const struct sql_statement *s = statement_of(db, which);

    return s != NULL ? s->stmt : NULL;
}

void sql_finalize(struct db *db)
{
    for (size_t i = 0; i < db->statements.n; i++) {
        sqlite3_finalize(db->statements.at[i].stmt);
        mem_free(db->statements.at[i].names);
    }
    array_clear(&db->statements);
}

extern struct sql *const __start_statements[], *const __stop_statements[];

void sql_each(void (*each)(void *ctx, const struct sql *which), void *ctx)
{
    for (struct sql *const *which = __start_statements; which < __stop_statements; which++)
        each(ctx, *which);
}

enum status sql_prepare_naming(struct db *db, const char *words, struct err *e)
{
    enum status status = ST_OK;

    for (struct sql *const *which = __start_statements; which < __stop_statements && status == ST_OK; which++)
        if (strstr((*which)->text, words) != NULL)
            status = statement_of(db, *which) != NULL ? ST_OK : sql_fail(db, e);
    return status;
}

/* --- what is kept with a connection --- */

void *sql_kept(const struct db *db, struct sql_kind *kind)
{
    size_t place = place_of(&kind->place, &kinds);

    return place < db->kept.n ? db->kept.at[place].what : NULL;
}

void sql_keep(struct db *db, struct sql_kind *kind, void *what)
{
    size_t place = place_of(&kind->place, &kinds);

    while (db->kept.n <= place)
        array_add(&db->kept, (struct sql_thing){0});
    struct sql_thing before = db->kept.at[place];
    db->kept.at[place] = (struct sql_thing){what, kind};
    if (before.what != NULL && before.what != what)
        kind->drop(before.what);
}

static void forget(struct db *db, bool what_lasts)
{
    for (size_t i = 0; i < db->kept.n; i++) {
        struct sql_thing thing = db->kept.at[i];
        if (thing.what == NULL || (thing.kind->lasts && !what_lasts))
            continue;
        db->kept.at[i].what = NULL;
        thing.kind->drop(thing.what);
    }
}

void sql_forget(struct db *db)
{
    forget(db, false);
}

void sql_forget_all(struct db *db)
{
    forget(db, true);
}

void sql_rollback_forgets_all(struct db *db)
{
    db->forgets_all = true;
}

SQL(DATA_VERSION, "PRAGMA data_version");

enum status db_data_version(struct db *db, int64_t *version, struct err *e)
{
    return sql_one_int(db, SQL_DATA_VERSION, version, e);
}

enum status sql_refresh(struct db *db, struct err *e)
{
    int64_t now;
    enum status status = db_data_version(db, &now, e);

    if (status != ST_OK || now != db->data_version)
        sql_forget(db);
    db->data_version = now;
    return status;
}

/* --- failures --- */

static bool is_full(int code, int os_error)
{
    return code == SQLITE_FULL || os_error == ENOSPC || os_error == EDQUOT || os_error == EFBIG;
}

/* What went wrong and what to do, for the kinds of failure that are not the program's fault. */
static const char *advice(int code, int os_error)
{
    if (is_full(code, os_error))
        return "no space left on the disk, or over a quota or limit; nothing of the last"
               " transaction was kept: free some space and run the command again";
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "locked by another process; wait until that ends and run the command again";
    case SQLITE_READONLY:
        return "cannot be written; check the permissions of the file and of its folder";
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return "cannot be opened; check that the folder is there and the permissions of both";
    case SQLITE_NOTADB:
        return "not an SQLite database; give the right file with -d";
    case SQLITE_CORRUPT:
        return "the database is damaged; restore a copy, or save what can be read with `sqlite3 FILE .recover`";
    case SQLITE_IOERR:
        return "the operating system could not read or write the file";
    case SQLITE_TOOBIG:
        return "a text is larger than SQLite can contain";
    case SQLITE_NOMEM:
        return "out of memory";
    default:
        return NULL;
    }
}

enum status sql_fail(const struct db *db, struct err *e)
{
    int last_errno = errno;
    int extended = sqlite3_extended_errcode(db->handle);
    int code = extended & 0xff;
    bool system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL;
    int os_error = system ? sqlite3_system_errno(db->handle) : 0;

    if (code == SQLITE_BUSY && (db->lacks_locks || last_errno == ENOLCK))
        return err_set(e, ST_DATABASE,
                       "%s: the file system has no locks (NFS without its lock service?);"
                       " copy the database to a disk of this machine",
                       db->path);
    if (signals_stop_asked() && (code == SQLITE_INTERRUPT || code == SQLITE_BUSY))
        return err_set(e, (enum status)signals_exit_code(), "stopped");
    if (code == SQLITE_IOERR && os_error == 0) /* SQLite forgets it when a commit fails */
        os_error = last_errno;
    const char *text = advice(code, os_error);
    enum status status = is_full(code, os_error) ? ST_IO : ST_DATABASE;

    if (text == NULL)
        return err_set(e, ST_DATABASE, "%s: %s (SQLite code %d)", db->path, sqlite3_errmsg(db->handle), extended);
    if (os_error != 0)
        return err_set(e, status, "%s: %s (%s)", db->path, text, strerror(os_error));
    return err_set(e, status, "%s: %s", db->path, text);
}

enum status sql_exec(struct db *db, const char *text, struct err *e)
{
    db->stop_seen_at = 0;
    if (sqlite3_exec(db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
        return sql_fail(db, e);
    return ST_OK;
}

enum status sql_integers(struct db *db, const char *text, int64_t *values, size_t n, struct err *e)
{
    sqlite3_stmt *stmt = NULL;

    db->stop_seen_at = 0;
    for (size_t i = 0; i < n; i++)
        values[i] = 0;
    if (sqlite3_prepare_v2(db->handle, text, -1, &stmt, NULL) != SQLITE_OK)
        return sql_fail(db, e);
    int rc = sqlite3_step(stmt);
    for (size_t i = 0; i < n && rc == SQLITE_ROW; i++)
        values[i] = sqlite3_column_int64(stmt, (int)i);
    enum status status = rc == SQLITE_ROW || rc == SQLITE_DONE ? ST_OK : sql_fail(db, e);
    sqlite3_finalize(stmt);
    return status;
}

static enum status MUST_USE not_stored(const struct db *db, struct err *e)
{
    return err_set(e, ST_DATABASE,
                   "%s: a row was not stored, and nothing of this act is; `ppmine doctor` says"
                   " whether the tables are as they should be",
                   db->path);
}

/* At the end of a statement. */
static enum status MUST_USE check_done(const struct db *db, const struct sql_statement *s, int rc, struct err *e)
{
    if (rc != SQLITE_DONE)
        return sql_fail(db, e);
    return s->must_change && sqlite3_changes(db->handle) == 0 ? not_stored(db, e) : ST_OK;
}

enum status sql_row(struct db *db, struct sql *which, bool *row, struct err *e)
{
    const struct sql_statement *s = statement_of(db, which);

    *row = false;
    if (s == NULL)
        return sql_fail(db, e);
    db->stop_seen_at = 0;
    int rc = sqlite3_step(s->stmt);
    *row = rc == SQLITE_ROW;
    if (*row)
        return ST_OK;
    enum status status = check_done(db, s, rc, e);
    sql_reset(db, which);
    return status;
}

bool sql_next(struct db *db, struct sql *which, enum status *status, struct err *e)
{
    bool row = false;

    if (*status == ST_OK)
        *status = sql_row(db, which, &row, e);
    else
        sql_reset(db, which);
    return row;
}

bool sql_next_into_all(struct db *db, struct sql *which, enum status *status, struct err *e,
                       const struct sql_into *into)
{
    bool row = sql_next(db, which, status, e);

    for (int i = 0; row && into[i].at != NULL; i++)
        if (into[i].kind == INTO_TEXT)
            *(struct span *)into[i].at = sql_text(db, which, i);
        else if (into[i].kind == INTO_INT)
            *(int64_t *)into[i].at = sql_int(db, which, i);
        else if (into[i].kind == INTO_SIZE)
            *(size_t *)into[i].at = (size_t)sql_int(db, which, i);
        else if (into[i].kind == INTO_BOOL)
            *(bool *)into[i].at = sql_int(db, which, i) > 0; /* not of NULL */
        else
            *(double *)into[i].at = sql_real(db, which, i);
    return row;
}

enum status sql_one_int(struct db *db, struct sql *which, int64_t *value, struct err *e)
{
    bool row;
    enum status status = sql_row(db, which, &row, e);

    *value = row ? sql_int(db, which, 0) : POST_ABSENT;
    /* Outside of a transaction, an INSERT with RETURNING is committed after its row. */
    if (sqlite3_reset(stmt_of(db, which)) != SQLITE_OK && status == ST_OK)
        status = sql_fail(db, e);
    return status;
}

enum status sql_tell(struct db *db, struct sql *which, void (*each)(void *ctx, sqlite3_value **row), void *ctx,
                     struct err *e)
{
    struct sql_listener before = db->listener;

    db->listener = (struct sql_listener){each, ctx};
    enum status status = sql_done(db, which, e);
    db->listener = before;
    return status;
}

enum status sql_done(struct db *db, struct sql *which, struct err *e)
{
    const struct sql_statement *s = statement_of(db, which);

    db->stop_seen_at = 0;
    enum status status = s == NULL ? sql_fail(db, e) : check_done(db, s, sqlite3_step(s->stmt), e);
    sql_reset(db, which);
    return status;
}

enum status sql_put_once(struct db *db, struct sql *put, struct sql *has, struct span id, bool *is_new, struct err *e)
{
    bool there = true;
    enum status status = sql_done(db, put, e);

    *is_new = status == ST_OK && sqlite3_changes(db->handle) > 0;
    if (status != ST_OK || *is_new)
        return status;
    sql_bind_text_at(db, has, 1, id);
    status = sql_row(db, has, &there, e);
    sql_reset(db, has);
    return status == ST_OK && !there ? not_stored(db, e) : status;
}

void sql_reset(struct db *db, struct sql *which)
{
    sqlite3_reset(stmt_of(db, which));
}

/* A failed bind (over 1 GB of text, memory) leaves NULL and its code on the connection; callers cap inputs far below,
 * so it is not checked. */
void sql_bind_text_at(struct db *db, struct sql *which, int nth, struct span text)
{
    if (text.ptr == NULL)
        sqlite3_bind_null(stmt_of(db, which), nth);
    else
        sqlite3_bind_text64(stmt_of(db, which), nth, text.ptr, text.len, SQLITE_STATIC, SQLITE_UTF8);
}

void sql_bind_int_at(struct db *db, struct sql *which, int nth, int64_t value)
{
    if (value == POST_ABSENT)
        sqlite3_bind_null(stmt_of(db, which), nth);
    else
        sqlite3_bind_int64(stmt_of(db, which), nth, value);
}

/* The position of a name; 0, which SQLite refuses, without a statement. Ends the program for a name that the text
 * lacks, a bug: the statement would run with NULL. */
static int position(struct db *db, struct sql *which, const char *parameter)
{
    struct sql_statement *s = statement_of(db, which);

    if (s == NULL)
        return 0;
    for (int i = 0; i < s->n_names; i++) {
        int at = (s->next + i) % s->n_names;
        if (s->names[at] == parameter) {
            s->next = at + 1;
            return at + 1;
        }
    }
    int found = sqlite3_bind_parameter_index(s->stmt, parameter);
    if (found == 0) {
        log_error("statement %s has no parameter %s", which->name, parameter);
        abort();
    }
    s->names[found - 1] = parameter;
    s->next = found;
    return found;
}

void sql_bind_text(struct db *db, struct sql *which, const char *parameter, struct span text)
{
    sql_bind_text_at(db, which, position(db, which, parameter), text);
}

void sql_bind_int(struct db *db, struct sql *which, const char *parameter, int64_t value)
{
    sql_bind_int_at(db, which, position(db, which, parameter), value);
}

void sql_bind_real(struct db *db, struct sql *which, const char *parameter, double value)
{
    sqlite3_bind_double(stmt_of(db, which), position(db, which, parameter), value); /* SQLite takes NAN for NULL */
}

void sql_bind_all(struct db *db, struct sql *which, const struct sql_bound *values)
{
    for (; values->parameter != NULL; values++)
        if (values->kind == BOUND_TEXT)
            sql_bind_text(db, which, values->parameter, values->text);
        else if (values->kind == BOUND_INT)
            sql_bind_int(db, which, values->parameter, values->number);
        else
            sql_bind_real(db, which, values->parameter, values->real);
}

enum status sql_run_all(struct db *db, struct sql *which, const struct sql_bound *values, struct err *e)
{
    sql_bind_all(db, which, values);
    return sql_done(db, which, e);
}

void sql_bind_blob(struct db *db, struct sql *which, const char *parameter, struct span bytes)
{
    sqlite3_bind_blob64(stmt_of(db, which), position(db, which, parameter), bytes.ptr, bytes.len, SQLITE_STATIC);
}

int sql_columns(struct db *db, struct sql *which)
{
    return sqlite3_column_count(stmt_of(db, which));
}

int sql_column_type(struct db *db, struct sql *which, int column)
{
    return sqlite3_column_type(stmt_of(db, which), column);
}

const char *sql_column_name(struct db *db, struct sql *which, int column)
{
    return column < sql_columns(db, which) ? sqlite3_column_name(stmt_of(db, which), column) : NULL;
}

struct span sql_blob(struct db *db, struct sql *which, int column)
{
    const char *bytes = sqlite3_column_blob(stmt_of(db, which), column);

    return (struct span){bytes, (size_t)sqlite3_column_bytes(stmt_of(db, which), column)};
}

struct span sql_value_text(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);

    return (struct span){text, text == NULL ? 0 : (size_t)sqlite3_value_bytes(value)};
}

struct span sql_text(struct db *db, struct sql *which, int column)
{
    sqlite3_stmt *stmt = stmt_of(db, which);
    const char *text = (const char *)sqlite3_column_text(stmt, column);

    return (struct span){text, text == NULL ? 0 : (size_t)sqlite3_column_bytes(stmt, column)};
}

int64_t sql_int(struct db *db, struct sql *which, int column)
{
    sqlite3_stmt *stmt = stmt_of(db, which);

    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return POST_ABSENT;
    return sqlite3_column_int64(stmt, column);
}

int64_t sql_int_or_zero(struct db *db, struct sql *which, int column)
{
    return sqlite3_column_int64(stmt_of(db, which), column);
}

double sql_real(struct db *db, struct sql *which, int column)
{
    sqlite3_stmt *stmt = stmt_of(db, which);

    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? NAN : sqlite3_column_double(stmt, column);
}
