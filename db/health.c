/* health: looks at the file as a whole, with statements of their own. */
#include "db/health.h"
#include "db/sql.h"

static enum status MUST_USE prepare(struct db *db, const char *text, sqlite3_stmt **stmt, struct err *e)
{
    return sqlite3_prepare_v2(db->handle, text, -1, stmt, NULL) == SQLITE_OK ? ST_OK : sql_fail(db, e);
}

static struct span column(sqlite3_stmt *stmt, int i)
{
    const char *bytes = sqlite3_column_blob(stmt, i);

    return (struct span){bytes, bytes != NULL ? (size_t)sqlite3_column_bytes(stmt, i) : 0};
}

/* Steps to the next row; *rc is what SQLite says. */
static bool next(sqlite3_stmt *stmt, int *rc)
{
    *rc = sqlite3_step(stmt);
    return *rc == SQLITE_ROW;
}

static enum status end(const struct db *db, sqlite3_stmt *stmt, int rc, struct err *e)
{
    enum status status = rc == SQLITE_DONE || rc == SQLITE_ROW ? ST_OK : sql_fail(db, e);

    sqlite3_finalize(stmt);
    return status;
}

/* See health.c. */
static const char SQL_INTEGRITY[] = "PRAGMA integrity_check(20)";

static const char SQL_REFERENCES[] =
    "SELECT coalesce('row ' || rowid, 'a row') || ' of ' || \"table\" || ' refers to a row of ' || parent"
    "  || ' that is not there' FROM pragma_foreign_key_check LIMIT 20";

enum status db_integrity_each(struct db *db, void (*each)(void *ctx, struct span what), void *ctx, struct err *e)
{
    const char *const queries[] = {SQL_INTEGRITY, SQL_REFERENCES};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(queries) && status == ST_OK; i++) {
        sqlite3_stmt *stmt = NULL;
        int rc;
        status = prepare(db, queries[i], &stmt, e);
        if (status != ST_OK)
            return status;
        while (next(stmt, &rc))
            /* Since 3.44 SQLite looks into full-text indices too. Such an index can be made again:
             * db_search_is_whole tells of it. */
            if (!span_eq(column(stmt, 0), SPAN("ok")) && !span_has(column(stmt, 0), "inverted index for FTS5 table"))
                each(ctx, column(stmt, 0));
        status = end(db, stmt, rc, e);
    }
    return status;
}

static const char SQL_HAS_SEARCH[] = "SELECT count(*) FROM sqlite_schema WHERE name = 'post_search'";

static const char SQL_SEARCH_CHECK[] = "INSERT INTO post_search (post_search) VALUES ('integrity-check')";

enum status db_search_is_whole(struct db *db, bool *whole, struct err *e)
{
    int64_t exists;
    enum status status = sql_integers(db, SQL_HAS_SEARCH, &exists, 1, e);

    *whole = true;
    if (status != ST_OK || exists == 0)
        return status;
    int rc = sqlite3_exec(db->handle, SQL_SEARCH_CHECK, NULL, NULL, NULL);
    *whole = (rc & 0xff) != SQLITE_CORRUPT;
    return rc == SQLITE_OK || !*whole ? ST_OK : sql_fail(db, e);
}

/* --- what is derived --- */

static const struct derived_table {
    const char *name, *query;
} derived_tables[DB_DERIVED] = {
    {"keyword", "SELECT * FROM keyword ORDER BY keyword_id"},
    {"post_text", "SELECT * FROM post_text ORDER BY post_id"},
    {"hit", "SELECT * FROM hit ORDER BY post_id, field, start, \"end\", keyword_id"},
    {"candidate_post", "SELECT * FROM candidate_post ORDER BY post_id"},
    {"post_fact", "SELECT * FROM post_fact ORDER BY post_id, fact, value"},
    {"judgement", "SELECT * FROM judgement ORDER BY post_id, coder"},
    {"label", "SELECT * FROM label ORDER BY subject, facet, coder, place"},
    {"problem", "SELECT * FROM problem ORDER BY problem_id"},
};

const char *db_derived_name(size_t table)
{
    return derived_tables[table].name;
}

enum status db_derived_digest(struct db *db, size_t table, char out[SHA256_TEXT_SIZE], struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    struct sha256_ctx sha;
    int rc;
    enum status status = prepare(db, derived_tables[table].query, &stmt, e);

    if (status != ST_OK)
        return status;
    sha256_init(&sha);
    while (next(stmt, &rc)) {
        /* Each cell with its type and length, so that no two rows give the same bytes. */
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            char head[48];
            int type = sqlite3_column_type(stmt, i);
            struct span cell = column(stmt, i);
            int len = snprintf(head, sizeof head, "%d:%zu:", type, cell.len);
            sha256_add(&sha, (struct span){head, (size_t)len});
            sha256_add(&sha, cell);
        }
    }
    sha256_text(&sha, out);
    return end(db, stmt, rc, e);
}

static const char SQL_LAST_MATCH[] = "SELECT parameters FROM run WHERE command = 'match' AND outcome = 'done'"
                                     " ORDER BY run_id DESC LIMIT 1";

enum status db_last_match(struct db *db, struct arena *arena, struct span *parameters, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    int rc;
    enum status status = prepare(db, SQL_LAST_MATCH, &stmt, e);

    *parameters = (struct span){0};
    if (status != ST_OK)
        return status;
    if (next(stmt, &rc))
        *parameters = arena_copy(arena, column(stmt, 0));
    return end(db, stmt, rc, e);
}
