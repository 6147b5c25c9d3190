/* copy: copies of a database, and what of them is published. */
#include "db/copy.h"
#include "db/schema.h"
#include "db/fragments.h"
#include "db/sql.h"
#include "base/log.h"

struct span db_schema(void)
{
    return (struct span){schema_sql, schema_sql_len};
}

int db_schema_version(void)
{
    return SCHEMA_VERSION;
}

/* --- the file --- */

/* A file that is made here and cannot be written is not a fault of the database. */
static enum status failed(const struct db *db, struct err *e)
{
    int code = sqlite3_errcode(db->handle) & 0xff;

    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN)
        e->status = ST_IO;
    return e->status;
}

SQL(COPY, "VACUUM INTO :path");

static const char SQL_QUERY_ONLY[] = "PRAGMA query_only";

static const char SQL_COPY_BEGIN[] = "PRAGMA query_only = OFF";

static const char SQL_COPY_END[] = "PRAGMA query_only = ON";

enum status db_copy(struct db *db, const char *path, struct err *e)
{
    /* So that a name like "file:x" is not a URI. */
    AT_END(mem_end) char *name = mem_addf("%s%s", path[0] == '/' ? "" : "./", path);
    struct err ignored;
    int64_t only_reads;
    enum status status = sql_integers(db, SQL_QUERY_ONLY, &only_reads, 1, e);

    THEN(status, sql_exec(db, SQL_COPY_BEGIN, e));
    if (status == ST_OK && sql_run(db, SQL_COPY, e, BIND(":path", span_of(name))) != ST_OK)
        status = failed(db, e);
    if (only_reads && sql_exec(db, SQL_COPY_END, &ignored) != ST_OK)
        log_debug("%s", ignored.text);
    return status;
}

static const char SQL_COPY_STRIP[] =
    "DELETE FROM note;"
    "DELETE FROM message WHERE NOT EXISTS (SELECT 1 FROM study WHERE key = 'settling_opened');"
    /* The last words of a script may have somebody's paths in them. */
    "UPDATE bench_run SET said = '' WHERE said <> '';"
    "UPDATE bench_result SET why = substr(why, 1, instr(why || ': ', ': ') - 1)"
    " WHERE verdict = 'broken' AND instr(why, ': ') > 0;"
    "UPDATE run SET source = " RUN_SOURCE ", parameters = " RUN_PARAMETERS ";";

/* Versions that differ in the title alone become one. */
static const char SQL_COPY_STRIP_TEXT[] = "DELETE FROM post_text;"
                                          "DELETE FROM image;"
                                          "UPDATE OR REPLACE revision SET title = NULL, body_html = NULL;"
                                          "UPDATE post SET title = NULL, body_html = NULL;"
                                          /* A model was sent the text, and quotes it. */
                                          "UPDATE model_request SET request ="
                                          " iif(json_valid(request), json_remove(request, '$.messages[1]'), '');"
                                          "UPDATE model_answer SET answer = '', why = NULL;";

static const char SQL_COPY_STRIP_MEMOS[] = "DELETE FROM memo;";

static const char SQL_COPY_PACK[] = "VACUUM";

enum status db_copy_strip(struct db *copy, bool with_text, bool with_memos, struct err *e)
{
    enum status status = sql_exec(copy, SQL_BEGIN, e);

    THEN(status, sql_exec(copy, SQL_SEARCH_DROP, e));
    THEN(status, sql_exec(copy, SQL_COPY_STRIP, e));
    if (status == ST_OK && !with_memos)
        status = sql_exec(copy, SQL_COPY_STRIP_MEMOS, e);
    if (status == ST_OK && !with_text)
        status = sql_exec(copy, SQL_COPY_STRIP_TEXT, e);
    THEN(status, sql_exec(copy, SQL_COMMIT, e));
    THEN(status, sql_exec(copy, SQL_COPY_PACK, e));
    if (status == ST_OK)
        return ST_OK;
    status = failed(copy, e);
    db_rollback(copy);
    return status;
}
