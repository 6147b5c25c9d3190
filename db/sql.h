/* sql: a connection, and the verbs with which rooms run their statements. For files that store something; schema.sql
 * has the tables. */
#pragma once

#include <sqlite3.h>
#include <stdatomic.h>

#include "db/db.h"
#include "base/post/post.h"

/*
 * A statement is beside the function that uses it, with named parameters:
 *
 *     SQL(SETTING_GET, "SELECT value FROM study WHERE key = :key");
 *     sql_bind_text(db, SQL_SETTING_GET, ":key", key);
 *     enum status status = sql_row(db, SQL_SETTING_GET, &row, e);
 *
 * A connection prepares it at first use and keeps it until it is closed. sql_each lists all statements, for tests.
 */
struct sql {
    const char *name, *text;
    atomic_int place; /* of its statement in each connection, from 1; 0: not used yet */
};

/* SQL_name, and its place in the list of all statements, a section of the program that the linker puts together. */
#define SQL(name, ...) \
    static struct sql SQL_##name[1] = {{#name, __VA_ARGS__, 0}}; \
    static struct sql *const sql_listed_##name __attribute__((used, section("statements"))) = SQL_##name

/* Begins an INSERT or UPDATE that may change nothing: what it would write is there already, or newer, or there is
 * nothing of the kind. All others must change a row, see sql_done. */
#define SQL_OR_NOTHING "/* or nothing */ "

void sql_each(void (*each)(void *ctx, const struct sql *which), void *ctx);

/* For sql_exec, in several files. */
extern const char SQL_BEGIN[];
extern const char SQL_COMMIT[];
extern const char SQL_SEARCH_DROP[];

/* A statement of a connection, with its names. Compares a caller's name by address first: it is nearly always the same
 * literal, and mostly the one after the last. */
struct sql_statement {
    sqlite3_stmt *stmt; /* NULL: not prepared yet */
    const char **names; /* as callers wrote them last, by position - 1 */
    int n_names, next;
    bool must_change; /* a row, or it is an error: see SQL_OR_NOTHING */
};

/*
 * What a room reads once and keeps with a connection, such as the names of codes. One of each kind:
 *
 *     static struct sql_kind names = {.drop = drop_names};
 *     struct names *n = sql_kept(db, &names);
 *
 * Freed when the connection is closed; unless it lasts, also by db_rollback, by sql_forget, and by db_begin and
 * sql_refresh after another connection wrote.
 */
struct sql_kind {
    void (*drop)(void *what);
    bool lasts;
    atomic_int place; /* as that of struct sql */
};

void *sql_kept(const struct db *db, struct sql_kind *kind); /* NULL: nothing is kept */
/* Takes `what` over; what was kept is freed. NULL keeps nothing. */
void sql_keep(struct db *db, struct sql_kind *kind, void *what);
void sql_forget(struct db *db);
void sql_forget_all(struct db *db); /* what lasts, too */
enum status MUST_USE sql_refresh(struct db *db, struct err *e);
/* This transaction writes what lasts: a rollback frees that as well. */
void sql_rollback_forgets_all(struct db *db);

struct sql_thing {
    void *what;
    const struct sql_kind *kind;
};

struct db {
    sqlite3 *handle;
    struct sql_listener {
        void (*each)(void *ctx, sqlite3_value **row);
        void *ctx;
    } listener;                                       /* of the sql_tell that runs */
    char *path;                                       /* as the user wrote it, for messages */
    struct ARRAY_OF(struct sql_statement) statements; /* by struct sql.place */
    bool expects_held;                                /* the last post that was put was stored already */
    enum { LISTINGS_UNKNOWN, LISTINGS_NONE, LISTINGS_SOME } listings; /* as of db_begin */
    bool fills;                                                       /* db_fill_begin turned the write-ahead log off */
    int written_fd; /* of the file, to start its way to the disk; -1: none; see sql_write_behind */
    uint64_t n_put; /* posts since db_fill_begin */
    struct ARRAY_OF(struct sql_thing) kept; /* by struct sql_kind.place */
    int64_t data_version;                   /* of the file when something was kept that does not last */
    bool forgets_all;                       /* at a rollback of this transaction */
    bool lacks_locks;                       /* the file system has none: no use to wait for them */
    double busy_since;                      /* when it began to wait for a lock */
    int64_t schema_version;                 /* of the file when it was compared with ours; 0: not yet */
    double stop_seen_at;                    /* when the statement that runs saw the signal; 0: not yet */
};

/* While a database is filled: lets the system begin to write what SQLite gave it, without waiting, so that commits wait
 * less. */
void sql_write_behind(const struct db *db);

struct file_kind {
    int64_t application_id, version, pages;
};

/* ST_DATABASE unless a file of this kind is a current database of this program. Its words end with if_foreign for a
 * file of another program or of an unknown, older version, with if_newer for a newer one. */
enum status MUST_USE sql_check_kind(const char *path, const struct file_kind *kind, const char *if_foreign,
                                    const char *if_newer, struct err *e);

/* Of schema_check.c: refuses a file whose tables and views are not this program's. Looks again only after changes. */
enum status MUST_USE schema_verify(struct db *db, struct err *e);
/* Adds the statements that make the views that follow from rows; their room sets it before main. */
extern enum status (*schema_views)(struct db *db, struct buf *sql, struct err *e);

/* The path as a URI, so that no name (":memory:", "file:…", "a?b") means anything else. */
enum uri_mode { URI_WRITE, URI_READ, URI_IMMUTABLE };
void sql_add_uri(struct buf *uri, const char *path, enum uri_mode mode);

/* Of ids.c: value_id(list, value) for SQL, and tell(…) of sql_tell. */
int sql_register_functions(struct db *db);

/* Prepares all statements whose text has the words: those that read what was attached, for one. */
enum status MUST_USE sql_prepare_naming(struct db *db, const char *words, struct err *e);
void sql_finalize(struct db *db);

/* Turns the last error of the connection into words. */
enum status sql_fail(const struct db *db, struct err *e);

/* Runs text of several statements that give no rows. */
enum status MUST_USE sql_exec(struct db *db, const char *text, struct err *e);
/* Runs one statement of a row with integers, not one of the table; fewer than n columns: zeros. */
enum status MUST_USE sql_integers(struct db *db, const char *text, int64_t *values, size_t n, struct err *e);

/* Steps to the next row; *row is false, and the statement reset, after the last or on error. */
enum status MUST_USE sql_row(struct db *db, struct sql *which, bool *row, struct err *e);
/* Walks over the rows: true at each; false after the last one or on an error in *status, which the caller may set, too:
 * then the walk is at its end. *status is ST_OK before the first. */
bool sql_next(struct db *db, struct sql *which, enum status *status, struct err *e);
/*
 * The same, and stores the columns, in their order, in variables: a span, an int64_t, a size_t, a bool or a double.
 * NULL becomes what sql_text and the others give for it; in a bool, false.
 *
 *     while (sql_next_into(db, SQL_NOTE_EACH, &status, e, INTO(note.coder), INTO(note.post_id)))
 */
struct sql_into {
    void *at;
    enum { INTO_TEXT, INTO_INT, INTO_SIZE, INTO_BOOL, INTO_REAL } kind;
};
/* clang-format off */
#define INTO(variable) \
    {&(variable), _Generic((variable), struct span : INTO_TEXT, int64_t : INTO_INT, size_t : INTO_SIZE, \
                           bool : INTO_BOOL, double : INTO_REAL)}
/* clang-format on */
#define sql_next_into(db, which, status, e, ...) \
    sql_next_into_all(db, which, status, e, (const struct sql_into[]){__VA_ARGS__, {NULL, INTO_TEXT}})
bool sql_next_into_all(struct db *db, struct sql *which, enum status *status, struct err *e,
                       const struct sql_into *into); /* at NULL ends them */
/* The integer of the first row, and ends the walk; POST_ABSENT when there is none, or NULL. */
enum status MUST_USE sql_one_int(struct db *db, struct sql *which, int64_t *value, struct err *e);
/* Calls back with each row of "SELECT 1 FROM post WHERE tell(post_id, title) ORDER BY post_id", which returns no row:
 * SQLite does not stop at each, which halves the time of sql_next. The values live for the call. */
enum status MUST_USE sql_tell(struct db *db, struct sql *which, void (*each)(void *ctx, sqlite3_value **row), void *ctx,
                              struct err *e);
struct span sql_value_text(sqlite3_value *value); /* NULL: NULL ptr */
/* Runs a statement that gives no rows. ST_DATABASE when an INSERT or UPDATE without SQL_OR_NOTHING changed nothing; the
 * same holds for sql_row with RETURNING. */
enum status MUST_USE sql_done(struct db *db, struct sql *which, struct err *e);
/* The same, but keeps a row that is there: `has` finds it by its id, the only parameter. */
enum status MUST_USE sql_put_once(struct db *db, struct sql *put, struct sql *has, struct span id, bool *is_new,
                                  struct err *e);
/* Ends a walk before its last row. */
void sql_reset(struct db *db, struct sql *which);

/* `parameter` is as in the text: ":key". Borrows text until the statement ran; ptr NULL and POST_ABSENT become NULL. */
void sql_bind_text(struct db *db, struct sql *which, const char *parameter, struct span text);
void sql_bind_int(struct db *db, struct sql *which, const char *parameter, int64_t value);
void sql_bind_real(struct db *db, struct sql *which, const char *parameter, double value); /* NAN: NULL */

/*
 * Several at once, and then sql_done; a value is a span, a double, or an integer of any type:
 *
 *     sql_bind(db, SQL_DRAFT_GET, BIND(":coder", coder), BIND(":post_id", post_id));
 *     return sql_run(db, SQL_CODER_PUT, e, BIND(":coder", coder), BIND(":is_merged", is_merged));
 */
struct sql_bound {
    const char *parameter;
    enum { BOUND_TEXT, BOUND_INT, BOUND_REAL } kind;
    struct span text;
    int64_t number;
    double real;
};

static inline struct sql_bound bound_text(const char *parameter, struct span text)
{
    return (struct sql_bound){.parameter = parameter, .kind = BOUND_TEXT, .text = text};
}

static inline struct sql_bound bound_int(const char *parameter, int64_t number)
{
    return (struct sql_bound){.parameter = parameter, .kind = BOUND_INT, .number = number};
}

static inline struct sql_bound bound_real(const char *parameter, double real)
{
    return (struct sql_bound){.parameter = parameter, .kind = BOUND_REAL, .real = real};
}

#define BIND(parameter, ...) \
    _Generic((__VA_ARGS__), struct span : bound_text, double : bound_real, default : bound_int)(parameter, __VA_ARGS__)
#define sql_bind(db, which, ...) sql_bind_all(db, which, (const struct sql_bound[]){__VA_ARGS__, {0}})
#define sql_run(db, which, e, ...) sql_run_all(db, which, (const struct sql_bound[]){__VA_ARGS__, {0}}, e)
void sql_bind_all(struct db *db, struct sql *which, const struct sql_bound *values); /* parameter NULL ends them */
enum status MUST_USE sql_run_all(struct db *db, struct sql *which, const struct sql_bound *values, struct err *e);

/* The nth of the names in the order in which the text first has them, from 1: for rows that a loop binds. */
void sql_bind_text_at(struct db *db, struct sql *which, int nth, struct span text);
void sql_bind_int_at(struct db *db, struct sql *which, int nth, int64_t value);

/* How many columns the rows have, and the name of each; NULL: there is no such column. */
int sql_columns(struct db *db, struct sql *which);
const char *sql_column_name(struct db *db, struct sql *which, int column);
int sql_column_type(struct db *db, struct sql *which, int column); /* SQLITE_TEXT, ... */

/* Columns count from 0. Spans live until the statement's next step or reset. */
void sql_bind_blob(struct db *db, struct sql *which, const char *parameter, struct span bytes);
struct span sql_blob(struct db *db, struct sql *which, int column);
struct span sql_text(struct db *db, struct sql *which, int column); /* NULL: NULL ptr */
int64_t sql_int(struct db *db, struct sql *which, int column);      /* NULL: POST_ABSENT */
int64_t sql_int_or_zero(struct db *db, struct sql *which, int column);
double sql_real(struct db *db, struct sql *which, int column); /* NULL: NAN */
