/* Every statement of the program is prepared on an empty database, so that a typo fails here and not on the
 * first post of a user. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/facet_table.h"
#include "report/published.h"
#include "db/schema.h"
#include "db/sql.h"
#include "match/corpus/text_functions.h"
#include "base/log.h"

struct tried {
    struct db *db;
    size_t n, failed;
};

static void try_one(void *ctx, const struct sql *which)
{
    struct tried *tried = ctx;
    sqlite3_stmt *stmt = NULL;

    tried->n++;
    if (sqlite3_prepare_v2(tried->db->handle, which->text, -1, &stmt, NULL) != SQLITE_OK) {
        print_error("%s: %s\n", which->name, sqlite3_errmsg(tried->db->handle));
        tried->failed++;
    }
    for (int i = 1; i <= sqlite3_bind_parameter_count(stmt); i++)
        if (sqlite3_bind_parameter_name(stmt, i) == NULL || sqlite3_bind_parameter_name(stmt, i)[0] != ':') {
            print_error("%s: parameter %d has no name\n", which->name, i);
            tried->failed++;
        }
    sqlite3_finalize(stmt);
}

/* With the full-text index, the words of match, and another database attached as for a merge. */
static struct db *open_whole(const char *path, const char *other)
{
    struct err e = {0};
    struct db_text text = text_functions();
    struct db *db;

    assert_int_equal(study_db_create(&db, other, &e), ST_OK);
    db_close(db);
    assert_int_equal(study_db_create(&db, path, &e), ST_OK);
    assert_int_equal(db_use_text(db, &text, &e), ST_OK);
    char *schema = mem_text(db_schema());
    assert_int_equal(sql_exec(db, strstr(schema, SCHEMA_MADE_BY_MATCH), &e), ST_OK);
    mem_free(schema);
    struct buf attach = {0};
    buf_addf(&attach, "ATTACH '%s' AS other", other);
    assert_int_equal(sql_exec(db, buf_cstr(&attach), &e), ST_OK);
    buf_clear(&attach);
    return db;
}

static void remove_all(const char *const *paths, size_t n)
{
    static const char *const endings[] = {"", "-wal", "-shm"};

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < ARRAY_LEN(endings); k++) {
            char path[128];
            snprintf(path, sizeof path, "%s%s", paths[i], endings[k]);
            unlink(path);
        }
}

static void all_statements_are_prepared(void **state)
{
    char folder[] = "/tmp/ppmine-test-XXXXXX", path[64], other[64];
    (void)state;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.db", folder);
    snprintf(other, sizeof other, "%s/b.db", folder);
    struct tried tried = {.db = open_whole(path, other)};
    sql_each(try_one, &tried);
    for (size_t i = 0; i < DB_TABLES; i++)
        try_one(&tried, db_table_statement((enum db_table)i));
    db_close(tried.db);
    remove_all((const char *const[]){path, other}, 2);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(tried.failed, 0);
    assert_true(tried.n > 200); /* all files are linked: see WHOLE in the Makefile */
}

/* A name that a statement lacks ends the program, so that no row is written with NULL in its place. */
static void names_are_looked_up(void **state)
{
    char folder[] = "/tmp/ppmine-test-XXXXXX", path[64], other[64];
    struct err e = {0};
    SQL(TEST, "SELECT :b, :a, :b");
    (void)state;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.db", folder);
    snprintf(other, sizeof other, "%s/b.db", folder);
    struct db *db = open_whole(path, other);
    for (int round = 0; round < 3; round++) {
        bool row;
        sql_bind_int(db, SQL_TEST, ":a", round);
        sql_bind_int(db, SQL_TEST, ":b", 10 + round);
        assert_int_equal(sql_row(db, SQL_TEST, &row, &e), ST_OK);
        assert_int_equal(sql_int(db, SQL_TEST, 0), 10 + round);
        assert_int_equal(sql_int(db, SQL_TEST, 1), round);
        assert_int_equal(sql_int(db, SQL_TEST, 2), 10 + round);
        sql_reset(db, SQL_TEST);
        sql_bind_int_at(db, SQL_TEST, 2, 7);
        assert_int_equal(sql_row(db, SQL_TEST, &row, &e), ST_OK);
        assert_int_equal(sql_int(db, SQL_TEST, 1), 7);
        sql_reset(db, SQL_TEST);
    }
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        log_set_level(LOG_QUIET);
        sql_bind_int(db, SQL_TEST, ":c", 1);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
    db_close(db);
    remove_all((const char *const[]){path, other}, 2);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_statements_are_prepared),
        cmocka_unit_test(names_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
