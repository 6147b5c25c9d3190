/* health: looks at the file as a whole. */
#include "db/health.h"
#include "db/sql.h"

SQL(INTEGRITY, "PRAGMA integrity_check(20)");

SQL(REFERENCES, "SELECT coalesce('row ' || rowid, 'a row') || ' of ' || \"table\" || ' refers to a row of ' || parent"
                "  || ' that is not there' FROM pragma_foreign_key_check LIMIT 20");

enum status db_integrity_each(struct db *db, void (*each)(void *ctx, struct span what), void *ctx, struct err *e)
{
    struct sql *const queries[] = {SQL_INTEGRITY, SQL_REFERENCES};
    enum status status = ST_OK;

    for (size_t i = 0; i < ARRAY_LEN(queries); i++)
        while (sql_next(db, queries[i], &status, e)) {
            struct span what = sql_text(db, queries[i], 0);
            /* SQLite 3.44 and later check full-text indices too, which can be made again: see db_search_is_whole. */
            if (!span_eq(what, SPAN("ok")) && !span_has(what, "inverted index for FTS5 table"))
                each(ctx, what);
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

/* Each by the name of its table. */
static struct sql derived_tables[DB_DERIVED] = {
    {"keyword", "SELECT * FROM keyword ORDER BY keyword_id", 0},
    {"post_text", "SELECT * FROM post_text ORDER BY post_id", 0},
    {"hit", "SELECT * FROM hit ORDER BY post_id, field, start, \"end\", keyword_id", 0},
    {"candidate_post", "SELECT * FROM candidate_post ORDER BY post_id", 0},
    {"post_fact", "SELECT * FROM post_fact ORDER BY post_id, fact, value", 0},
    {"judgement", "SELECT * FROM judgement ORDER BY post_id, coder", 0},
    {"label", "SELECT * FROM label ORDER BY subject, facet, coder, place", 0},
    {"problem", "SELECT * FROM problem ORDER BY problem_id", 0},
};

const char *db_derived_name(size_t table)
{
    return derived_tables[table].name;
}

enum status db_derived_digest(struct db *db, size_t table, char out[SHA256_TEXT_SIZE], struct err *e)
{
    struct sql *which = &derived_tables[table];
    struct sha256_ctx sha;
    enum status status = ST_OK;

    sha256_init(&sha);
    while (sql_next(db, which, &status, e)) {
        /* Each cell with its type and length, so that no two rows give the same bytes. */
        for (int i = 0; i < sql_columns(db, which); i++) {
            char head[48];
            int type = sql_column_type(db, which, i);
            struct span cell = sql_blob(db, which, i);
            int len = snprintf(head, sizeof head, "%d:%zu:", type, cell.len);
            sha256_add(&sha, (struct span){head, (size_t)len});
            sha256_add(&sha, cell);
        }
    }
    sha256_text(&sha, out);
    return status;
}

SQL(LAST_MATCH, "SELECT parameters FROM run WHERE command = 'match' AND outcome = 'done'"
                " ORDER BY run_id DESC LIMIT 1");

enum status db_last_match(struct db *db, struct arena *arena, struct span *parameters, struct err *e)
{
    enum status status = ST_OK;

    *parameters = (struct span){0};
    while (sql_next(db, SQL_LAST_MATCH, &status, e))
        *parameters = arena_copy(arena, sql_text(db, SQL_LAST_MATCH, 0));
    return status;
}
