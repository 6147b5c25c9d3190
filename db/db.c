/* Opens a database, and begins, commits and rolls back transactions. */
#include "db/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/log.h"
#include "base/signals.h"
#include "db/schema.h"
#include "db/text.h"

static const char SQL_FILE_KIND[] = "SELECT application_id, user_version, page_count "
                                    "FROM pragma_application_id, pragma_user_version, pragma_page_count";

static enum status MUST_USE read_kind(struct db *db, struct file_kind *kind, struct err *e)
{
    int64_t values[3];
    enum status status = sql_integers(db, SQL_FILE_KIND, values, ARRAY_LEN(values), e);

    *kind = (struct file_kind){values[0], values[1], values[2]};
    return status;
}

/* --- opening --- */

void sql_add_uri(struct buf *uri, const char *path, enum uri_mode mode)
{
    static const char *const parameters[] = {
        [URI_WRITE] = "", [URI_READ] = "?mode=ro", [URI_IMMUTABLE] = "?immutable=1"};

    buf_add_text(uri, path[0] == '/' ? "file://" : "file:./");
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '%' || *p == '?' || *p == '#')
            buf_addf(uri, "%%%02X", (unsigned)(unsigned char)*p);
        else
            buf_add_char(uri, *p);
    }
    buf_add_text(uri, parameters[mode]);
}

#define BUSY_TIMEOUT_MS 5000
#define BUSY_TIMEOUT_MAX_MS UINT64_C(86400000)

/* Large pages: a post is 1.5 KB, and fewer pages mean less to log and look up (a load of 23,000 posts: 0.3 s, with
 * pages of 4 KB 0.4 s). The log moves into the file every 2000 pages (32 MB). FULL syncs the log at each commit: with
 * NORMAL, a power cut takes answers that serve has confirmed, and what a command wrote while another had the database
 * open. Debian's SQLite zeroes freed pages by default, which public posts do not need. */
static const char SQL_OPEN_SETTINGS[] = "PRAGMA foreign_keys = ON;"
                                        "PRAGMA trusted_schema = OFF;"
                                        "PRAGMA temp_store = MEMORY;"
                                        "PRAGMA mmap_size = 0;"
                                        "PRAGMA cache_size = -8192;";

/* --- waiting, and being told to end --- */

enum { STEPS_BETWEEN_LOOKS = 10000 }; /* of SQLite's machine: about a millisecond */
#define STOP_AFTER_SECONDS 0.2

/* Ends a statement that runs long after a signal; a short one may be the commit of a command that ends in order. */
static int on_progress(void *ctx)
{
    struct db *db = ctx;

    if (!signals_stop_asked())
        return 0;
    if (db->stop_seen_at == 0)
        db->stop_seen_at = time_monotonic();
    return time_monotonic() - db->stop_seen_at > STOP_AFTER_SECONDS;
}

/* Waits for a lock of another process as sqlite3_busy_timeout does; a signal ends it. */
static int on_busy(void *ctx, int n)
{
    struct db *db = ctx;
    db->lacks_locks = errno == ENOLCK; /* of the call that just failed; SQLite tells nobody */
    long milliseconds = n < 10 ? 1 + n : 20;
    const struct timespec pause = {0, milliseconds * 1000000};
    const char *text = getenv("PPMINE_BUSY_TIMEOUT_MS");
    uint64_t timeout = BUSY_TIMEOUT_MS;

    if (text != NULL && !span_u64(span_of(text), BUSY_TIMEOUT_MAX_MS, &timeout))
        timeout = BUSY_TIMEOUT_MS;
    if (n == 0)
        db->busy_since = time_monotonic();
    if (db->lacks_locks || signals_stop_asked() || time_monotonic() - db->busy_since >= (double)timeout / 1000)
        return 0;
    nanosleep(&pause, NULL);
    return 1;
}

/* Nobody asks SQLite how much memory it uses: counting takes a lock of all threads at each allocation. */
static void count_no_memory(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Closes what was opened before, if anything. */
static enum status MUST_USE connect(struct db *db, int flags, bool immutable, struct err *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    AT_END(buf_clear) struct buf uri = {0};

    (void)pthread_once(&once, count_no_memory);
    sqlite3_close(db->handle);
    sql_add_uri(&uri, db->path, immutable ? URI_IMMUTABLE : URI_WRITE);
    int rc = sqlite3_open_v2(buf_cstr(&uri), &db->handle,
                             flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (rc == SQLITE_OK)
        rc = sql_register_functions(db);
    if (rc != SQLITE_OK)
        return sql_fail(db, e);
    sqlite3_busy_handler(db->handle, on_busy, db);
    sqlite3_progress_handler(db->handle, STEPS_BETWEEN_LOOKS, on_progress, db);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL); /* we have none */
    return sql_exec(db, SQL_OPEN_SETTINGS, e);
}

enum status sql_check_kind(const char *path, const struct file_kind *kind, const char *if_foreign, const char *if_newer,
                           struct err *e)
{
    if (kind->application_id == SCHEMA_UNRELEASED_ID)
        return err_set(e, ST_DATABASE,
                       "%s: made by a ppmine before the first release, whose databases"
                       " are not read: make a new one with `ppmine init`; to keep the labels, run"
                       " `label export` with that ppmine and `label import` with this one",
                       path);
    if (kind->application_id != SCHEMA_APPLICATION_ID)
        return err_set(e, ST_DATABASE, "%s: an SQLite database of another program; %s", path, if_foreign);
    if (kind->version > SCHEMA_VERSION)
        return err_set(e, ST_DATABASE, "%s: made by a newer ppmine (schema version %lld, known here: %d); %s", path,
                       (long long)kind->version, SCHEMA_VERSION, if_newer);
    /* When there is a second version, a file of the first is brought up to date here. */
    if (kind->version < SCHEMA_VERSION)
        return err_set(e, ST_DATABASE, "%s: schema version %lld is unknown; %s", path, (long long)kind->version,
                       if_foreign);
    return ST_OK;
}

/* SQLite reads a file that it cannot write, but with a write-ahead log it needs an index beside it. If that cannot be
 * made, and the log is empty, the file is read as one that nobody changes. */
static enum status MUST_USE connect_existing(struct db *db, enum db_mode mode, struct file_kind *kind, struct err *e)
{
    struct err first = {0};
    enum status status = connect(db, SQLITE_OPEN_READWRITE, false, &first);

    THEN(status, read_kind(db, kind, &first));
    if (status == ST_OK)
        return ST_OK;
    AT_END(mem_end) char *log = mem_addf("%s-wal", db->path);
    struct stat info;
    bool has_log = stat(log, &info) == 0 && info.st_size > 0;
    /* No place for the log's index beside the file: the folder cannot be written, or its disk is full. */
    int extended = sqlite3_extended_errcode(db->handle), code = extended & 0xff;
    bool lacks_place = code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_FULL ||
                       extended == SQLITE_IOERR_SHMSIZE || extended == SQLITE_IOERR_SHMOPEN;
    if ((mode == DB_READ || mode == DB_LOOK) && lacks_place && !has_log) {
        status = connect(db, SQLITE_OPEN_READONLY, true, e);
        THEN(status, read_kind(db, kind, e));
    }
    if (status != ST_OK)
        *e = first;
    return status;
}

static const char SQL_READ_SETTINGS[] = "PRAGMA query_only = ON;";

static const char SQL_WRITE_SETTINGS[] = "PRAGMA journal_mode = WAL;"
                                         "PRAGMA synchronous = FULL;"
                                         "PRAGMA secure_delete = OFF;"
                                         "PRAGMA wal_autocheckpoint = 2000;";

/* No log beside the file, which stays as it is when somebody only reads it. */
static const char SQL_COPY_SETTINGS[] = "PRAGMA journal_mode = DELETE;"
                                        "PRAGMA synchronous = OFF;"
                                        "PRAGMA secure_delete = ON;";

static enum status MUST_USE open_existing(struct db *db, enum db_mode mode, struct err *e)
{
    struct file_kind kind = {0};
    struct stat info;

    if (stat(db->path, &info) != 0)
        return err_set(e, ST_DATABASE, "%s: %s; make the database with `ppmine init`, or give another with -d",
                       db->path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return err_set(e, ST_DATABASE, "%s: not a file; give a database with -d", db->path);
    enum status status = connect_existing(db, mode, &kind, e);
    if (status == ST_OK && kind.pages == 0)
        status = err_set(e, ST_DATABASE, "%s: the file is empty; make the database with `ppmine init`", db->path);
    THEN(status, sql_check_kind(db->path, &kind, "give the right file with -d", "use that one", e));
    if (status != ST_OK)
        return status;
    if (mode == DB_READ || mode == DB_LOOK) {
        status = sql_exec(db, SQL_READ_SETTINGS, e);
        return status == ST_OK && mode == DB_READ ? schema_verify(db, e) : status;
    }
    if (sqlite3_db_readonly(db->handle, "main") == 1)
        return err_set(e, ST_DATABASE, "%s: cannot be written; check the permissions of the file", db->path);
    status = schema_verify(db, e); /* before anything of the file changes */
    return status == ST_OK ? sql_exec(db, mode == DB_COPY ? SQL_COPY_SETTINGS : SQL_WRITE_SETTINGS, e) : status;
}

/* --- creating --- */

static enum status MUST_USE refuse_existing(const struct db *db, struct err *e)
{
    return err_set(e, ST_DATABASE, "%s: exists already; remove it first, or give another with -d", db->path);
}

const char SQL_BEGIN[] = "BEGIN IMMEDIATE";

const char SQL_COMMIT[] = "COMMIT";

static const char SQL_TABLE_COUNT[] = "SELECT count(*) FROM sqlite_schema";

/* In one transaction: a killed process leaves an empty file, which can be made again; of two processes, one is
 * refused. */
static enum status MUST_USE create_tables(struct db *db, enum status (*fill)(struct db *db, struct err *e),
                                          struct err *e)
{
    int64_t tables;
    enum status status = sql_exec(db, SQL_BEGIN, e);

    THEN(status, sql_integers(db, SQL_TABLE_COUNT, &tables, 1, e));
    if (status == ST_OK && tables != 0)
        status = refuse_existing(db, e);
    if (status == ST_OK) {
        /* Runs the part of schema.sql that is not made by match. */
        struct span schema = {schema_sql, schema_sql_len};
        size_t end = span_find(schema, span_of(SCHEMA_MADE_BY_MATCH));
        AT_END(mem_end) char *text = mem_text((struct span){schema.ptr, end == SIZE_MAX ? schema.len : end});
        status = sql_exec(db, text, e);
    }
    if (status == ST_OK && fill != NULL)
        status = fill(db, e);
    THEN(status, sql_exec(db, SQL_COMMIT, e));
    if (status != ST_OK)
        db_rollback(db);
    return status;
}

static const char SQL_CREATE_SETTINGS[] = "PRAGMA page_size = 16384;"
                                          "PRAGMA cache_size = -65536;" /* decisions have a random key */
                                          "PRAGMA encoding = 'UTF-8';";

static enum status MUST_USE open_new(struct db *db, enum status (*fill)(struct db *db, struct err *e), struct err *e)
{
    struct file_kind kind = {0};
    enum status status = connect(db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, e);

    THEN(status, read_kind(db, &kind, e));
    /* Whatever it is that stands there, it is not ours to overwrite. */
    if (status != ST_OK && (sqlite3_errcode(db->handle) & 0xff) == SQLITE_NOTADB)
        return refuse_existing(db, e);
    if (status == ST_OK && kind.pages != 0)
        return refuse_existing(db, e);
    THEN(status, sql_exec(db, SQL_CREATE_SETTINGS, e));
    THEN(status, create_tables(db, fill, e));
    if (status == ST_OK) /* only now: changing the journal mode writes the file */
        status = sql_exec(db, SQL_WRITE_SETTINGS, e);
    return status;
}

/* --- transactions --- */

static const char SQL_ROLLBACK[] = "ROLLBACK";

void db_rollback(struct db *db)
{
    struct err ignored; /* a full disk has rolled back already; only the first error counts */

    sql_forget(db);
    if (db->forgets_all)
        sql_forget_all(db);
    db->forgets_all = false;
    if (db->handle != NULL && sqlite3_get_autocommit(db->handle) == 0 && sql_exec(db, SQL_ROLLBACK, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
}

/* What goes into a file that has lost its name is lost, and the file that took its place would get its log. */
static enum status MUST_USE check_in_place(const struct db *db, struct err *e)
{
    int has_moved = 0;

    sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
    if (has_moved)
        return err_set(e, ST_DATABASE,
                       "%s: was moved, removed or replaced while it was open, so nothing is stored; put it back with"
                       " what is beside it, or begin again",
                       db->path);
    return ST_OK;
}

enum status db_begin(struct db *db, struct err *e)
{
    db->listings = LISTINGS_UNKNOWN;
    enum status status = sql_exec(db, SQL_BEGIN, e);

    if (status != ST_OK)
        return status;
    status = check_in_place(db, e);
    THEN(status, schema_verify(db, e));
    THEN(status, sql_refresh(db, e));
    if (status != ST_OK)
        db_rollback(db);
    return status;
}

enum status db_commit(struct db *db, struct err *e)
{
    enum status status = check_in_place(db, e);

    db->forgets_all = false;
    return status == ST_OK ? sql_exec(db, SQL_COMMIT, e) : status;
}

enum status db_end(struct db *db, enum status status, struct err *e)
{
    THEN(status, db_commit(db, e));
    if (status != ST_OK)
        db_rollback(db);
    return status;
}

static const char SQL_FILL_SETTINGS[] = "PRAGMA journal_mode = TRUNCATE;"
                                        "PRAGMA synchronous = FULL;";

static const char SQL_HAS_POSTS[] = "SELECT EXISTS (SELECT 1 FROM post)";

/* --- filling an empty database --- */

enum status db_fill_begin(struct db *db, struct err *e)
{
    int64_t has_posts;
    enum status status = sql_integers(db, SQL_HAS_POSTS, &has_posts, 1, e);

    if (status != ST_OK || has_posts)
        return status;
    status = sql_exec(db, SQL_FILL_SETTINGS, e);
    db->fills = status == ST_OK;
    db->n_put = 0;
    if (db->fills && db->written_fd < 0)
        db->written_fd = open(db->path, O_RDONLY | O_CLOEXEC);
    if (status != ST_OK && (sqlite3_errcode(db->handle) & 0xff) == SQLITE_BUSY)
        return ST_OK; /* somebody reads: then with the log */
    return status;
}

void sql_write_behind(const struct db *db)
{
    if (db->fills && db->written_fd >= 0)
        sync_file_range(db->written_fd, 0, 0, SYNC_FILE_RANGE_WRITE);
}

static enum status MUST_USE fill_end(struct db *db, struct err *e)
{
    if (!db->fills)
        return ST_OK;
    db->fills = false;
    return sql_exec(db, SQL_WRITE_SETTINGS, e);
}

enum status db_checkpoint(struct db *db, struct err *e)
{
    int pages;

    return db->fills ? fill_end(db, e) : db_checkpoint_pages(db, &pages, e);
}

enum status db_checkpoint_pages(struct db *db, int *pages, struct err *e)
{
    int rc = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, pages, NULL);

    /* Another process checkpoints, or is in recovery: then it does the work. */
    return rc == SQLITE_OK || (rc & 0xff) == SQLITE_BUSY ? ST_OK : sql_fail(db, e);
}

void db_checkpoint_late(struct db *db)
{
    enum { PAGES = 16000 }; /* 256 MB, which are never reached while the other one works */

    sqlite3_wal_autocheckpoint(db->handle, PAGES);
}

/* --- the connection --- */

static struct db *connection(const char *path)
{
    struct db *db = mem_zero(1, sizeof *db);

    db->path = mem_text(span_of(path));
    db->written_fd = -1;
    return db;
}

static enum status no_name(struct err *e)
{
    return err_set(e, ST_DATABASE, "no database given; name one with -d FILE");
}

static enum status opened(struct db **out, struct db *db, enum status status)
{
    *out = status == ST_OK ? db : NULL;
    if (status != ST_OK)
        db_close(db);
    return status;
}

enum status db_open(struct db **out, const char *path, enum db_mode mode, struct err *e)
{
    struct db *db = connection(path);

    return opened(out, db, path[0] == '\0' ? no_name(e) : open_existing(db, mode, e));
}

enum status db_create(struct db **out, const char *path, enum status (*fill)(struct db *db, struct err *e),
                      struct err *e)
{
    struct db *db = connection(path);

    return opened(out, db, path[0] == '\0' ? no_name(e) : open_new(db, fill, e));
}

void db_close(struct db *db)
{
    if (db == NULL)
        return;
    struct err e;
    db_rollback(db);
    sql_forget_all(db);
    array_clear(&db->kept);
    if (fill_end(db, &e) != ST_OK) /* the next DB_WRITE turns the log on */
        log_debug("%s", e.text);
    sql_finalize(db);
    sqlite3_close(db->handle);
    /* Not before: closing any descriptor of a file gives up the process's POSIX locks on it. */
    if (db->written_fd >= 0)
        close(db->written_fd);
    mem_free(db->path);
    mem_free(db);
}

enum status db_use_text(struct db *db, const struct db_text *text, struct err *e)
{
    if (text_register(db->handle, text) != SQLITE_OK)
        return err_set(e, ST_DATABASE, "%s: full-text search cannot be set up: %s", db->path,
                       sqlite3_errmsg(db->handle));
    return ST_OK;
}
