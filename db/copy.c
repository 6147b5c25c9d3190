/* copy: what of a database is published, as tables and as a file. */
#include "db/publish.h"
#include "db/schema.h"
#include "db/sql.h"

struct span db_schema(void)
{
    return (struct span){schema_sql, schema_sql_len};
}

int db_schema_version(void)
{
    return SCHEMA_VERSION;
}

/* --- tables --- */

/* Whether posts have more than what follows from their ids: a site of several, or a URL. */
static bool has_sites(struct db *db)
{
    struct err ignored;
    bool row, has = false;

    if (sql_row(db, SQL_HAS_SITES, &row, &ignored) == ST_OK && row) {
        has = sql_int_or_zero(db, SQL_HAS_SITES, 0) != 0;
        sql_reset(db, SQL_HAS_SITES);
    }
    return has;
}

static enum sql query_of(struct db *db, enum db_table table)
{
    if (table == DB_TABLE_POSTS && has_sites(db))
        return SQL_POSTS_OF_SITES;
    return (enum sql)((int)SQL_TABLES + (int)table);
}

const char *db_table_column(struct db *db, enum db_table table, size_t column)
{
    sqlite3_stmt *stmt = db->stmts[query_of(db, table)];

    return column < (size_t)sqlite3_column_count(stmt) ? sqlite3_column_name(stmt, (int)column)
                                                       : NULL;
}

enum { COLUMNS_MAX = 32 };

enum status db_table_each(struct db *db, enum db_table table,
                          enum status (*each)(void *ctx, const struct span *cells, size_t n,
                                              struct err *e),
                          void *ctx, struct err *e)
{
    enum sql query = query_of(db, table);
    int n = sqlite3_column_count(db->stmts[query]);
    struct span cells[COLUMNS_MAX];
    enum status status = ST_OK;

    n = n < COLUMNS_MAX ? n : COLUMNS_MAX;
    while (status == ST_OK) {
        bool row;
        status = sql_row(db, query, &row, e);
        if (!row)
            return status;
        for (int i = 0; i < n; i++)
            cells[i] = sql_text(db, query, i);
        status = each(ctx, cells, (size_t)n, e);
    }
    sql_reset(db, query);
    return status;
}

enum status db_table_is_empty(struct db *db, enum db_table table, bool *empty, struct err *e)
{
    bool row;
    enum status status = sql_row(db, query_of(db, table), &row, e);

    *empty = !row;
    sql_reset(db, query_of(db, table));
    return status;
}

/* --- the file --- */

/* A file that is made here and cannot be written is no fault of the database. */
static enum status fail(const struct db *db, struct err *e)
{
    int code = sqlite3_errcode(db->handle) & 0xff;
    enum status status = sql_fail(db, e);

    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
        status = e->status = ST_IO;
    return status;
}

static int run_copy(struct db *db, const char *path)
{
    sqlite3_stmt *stmt = NULL;
    struct buf name = {0};
    int rc = sqlite3_prepare_v2(db->handle, SQL_COPY, -1, &stmt, NULL);

    /* So that a name like "file:x" is no URI. */
    buf_addf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
    if (rc == SQLITE_OK)
        sqlite3_bind_text(stmt, 1, buf_cstr(&name), -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    buf_clear(&name);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

enum status db_copy(struct db *db, const char *path, struct err *e)
{
    struct err ignored;
    int64_t only_reads;
    enum status status = sql_integers(db, SQL_QUERY_ONLY, &only_reads, 1, e);

    if (status == ST_OK)
        status = sql_exec(db, SQL_COPY_BEGIN, e);
    if (status == ST_OK && run_copy(db, path) != SQLITE_OK)
        status = fail(db, e);
    if (only_reads && sql_exec(db, SQL_COPY_END, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
    return status;
}

static enum status MUST_USE strip(struct db *copy, bool with_text, struct err *e)
{
    enum status status = sql_exec(copy, SQL_BEGIN, e);

    if (status == ST_OK)
        status = sql_exec(copy, SQL_SEARCH_DROP, e);
    if (status == ST_OK)
        status = sql_exec(copy, SQL_COPY_STRIP, e);
    if (status == ST_OK && !with_text)
        status = sql_exec(copy, SQL_COPY_STRIP_TEXT, e);
    if (status == ST_OK)
        status = sql_exec(copy, SQL_COMMIT, e);
    return status == ST_OK ? sql_exec(copy, SQL_COPY_PACK, e) : status;
}

enum status db_copy_strip(struct db *copy, bool with_text, struct err *e)
{
    if (strip(copy, with_text, e) == ST_OK)
        return ST_OK;
    enum status status = fail(copy, e);

    db_rollback(copy);
    return status;
}
