/* Databases of older versions are brought up to date whole or not at all, wherever that is stopped. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/sql.h" /* and with it sqlite3.h: the test stops statements */

static struct err e;
static char folder[64], file[96];

/* --- stopping at a statement --- */

static struct {
    size_t seen;    /* statements that began since the file was opened */
    size_t stop_at; /* 0: none */
} statements;

static int on_statement(unsigned kind, void *handle, void *stmt, void *sql)
{
    (void)kind;
    (void)stmt;
    (void)sql;
    if (++statements.seen == statements.stop_at)
        sqlite3_interrupt(handle);
    return 0;
}

static int watch(sqlite3 *handle, const char **message, const void *api)
{
    (void)message;
    (void)api;
    return sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, on_statement, handle);
}

/* --- files --- */

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/old.db", folder);
    return 0;
}

static void remove_files(void)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", file, endings[i]);
        unlink(path);
    }
}

static int tear_down(void **state)
{
    (void)state;
    remove_files();
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static sqlite3 *plain(void)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open(file, &handle), SQLITE_OK);
    return handle;
}

static void make_file(const char *sql)
{
    sqlite3 *handle;

    remove_files();
    handle = plain();
    if (sqlite3_exec(handle, "PRAGMA synchronous = OFF", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

static void add_rows(sqlite3 *handle, const char *sql, struct buf *out)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    while (sqlite3_step(stmt) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const char *text = (const char *)sqlite3_column_text(stmt, i);
            buf_add_text(out, text != NULL ? text : "(null)");
            buf_add_char(out, i + 1 < sqlite3_column_count(stmt) ? '|' : '\n');
        }
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
}

/* All that a file says: its version, and the rows of each table. */
static void read_all(struct buf *out)
{
    sqlite3 *handle = plain();
    struct buf tables = {0};
    struct span rest, name;

    buf_reset(out);
    add_rows(handle, "PRAGMA user_version", out);
    add_rows(handle, "PRAGMA foreign_key_check", out);
    add_rows(handle, "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2", out);
    add_rows(handle, "SELECT name FROM sqlite_schema WHERE type = 'table'"
                     " AND sql NOT LIKE '%VIRTUAL%' ORDER BY 1", &tables);
    rest = buf_span(&tables);
    while (span_cut(&rest, '\n', &name)) {
        /* Table by table: of the whole file, SQLite 3.44 and later would ask for the tokenizer of old files. */
        char *check = sqlite3_mprintf("PRAGMA integrity_check(\"%.*w\")", (int)name.len, name.ptr);
        char *sql = sqlite3_mprintf("SELECT * FROM \"%.*w\"", (int)name.len, name.ptr);
        add_rows(handle, check, out);
        sqlite3_free(check);
        buf_addf(out, "%s\n", sql);
        add_rows(handle, sql, out);
        sqlite3_free(sql);
    }
    buf_clear(&tables);
    sqlite3_close(handle);
}

/* --- the test --- */

static enum status open_stopped_at(size_t statement)
{
    struct db *db = NULL;

    statements.seen = 0;
    statements.stop_at = statement;
    sqlite3_auto_extension((void (*)(void))watch);
    enum status status = db_open(&db, file, DB_WRITE, &e);
    sqlite3_cancel_auto_extension((void (*)(void))watch);
    statements.stop_at = 0;
    if (db != NULL)
        db_close(db);
    return status;
}

static void read_data(const char *name, struct buf *sql)
{
    struct buf path = {0};

    buf_addf(&path, "%s/tests/data/%s", getenv("ROOT") != NULL ? getenv("ROOT") : ".", name);
    assert_int_equal(file_read(buf_cstr(&path), 1 << 20, sql, &e), ST_OK);
    buf_clear(&path);
}

/* What is stopped leaves the old file as it was, and is done the next time as if nothing had happened. */
static void is_whole_or_nothing(const char *name)
{
    struct buf sql = {0}, before = {0}, after = {0}, now = {0};
    size_t n_stopped = 0;

    read_data(name, &sql);
    make_file(buf_cstr(&sql));
    read_all(&before);
    assert_int_equal(open_stopped_at(0), ST_OK);
    size_t n = statements.seen;
    read_all(&after);
    make_file(buf_cstr(&sql));
    for (size_t statement = 1; statement <= n; statement++) {
        enum status status = open_stopped_at(statement);
        n_stopped += status != ST_OK;
        read_all(&now);
        if (strcmp(buf_cstr(&now), buf_cstr(status == ST_OK ? &after : &before)) != 0)
            fail_msg("%s, stopped at statement %zu of %zu: neither old nor new", name, statement, n);
        if (status != ST_OK && statement % 16 == 0) {
            assert_int_equal(open_stopped_at(0), ST_OK);
            read_all(&now);
            assert_string_equal(buf_cstr(&now), buf_cstr(&after));
            status = ST_OK;
        }
        if (status == ST_OK)
            make_file(buf_cstr(&sql));
    }
    print_message("%s: stopped at %zu of %zu statements\n", name, n_stopped, n);
    assert_true(n_stopped > n / 2);
    buf_clear(&sql);
    buf_clear(&before);
    buf_clear(&after);
    buf_clear(&now);
}

static void version_1(void **state)
{
    (void)state;
    is_whole_or_nothing("schema-1.sql");
}

static void version_4(void **state)
{
    (void)state;
    is_whole_or_nothing("schema-4.sql");
}

static void version_5(void **state)
{
    (void)state;
    is_whole_or_nothing("study-5.sql");
}

static void version_8(void **state)
{
    (void)state;
    is_whole_or_nothing("study-8.sql");
}

static void version_2(void **state)
{
    (void)state;
    is_whole_or_nothing("study-2.sql");
}

static void version_6(void **state)
{
    (void)state;
    is_whole_or_nothing("study-6.sql");
}

static void version_10(void **state)
{
    (void)state;
    is_whole_or_nothing("study-10.sql");
}

static void version_3(void **state)
{
    (void)state;
    is_whole_or_nothing("study-3.sql");
}

static void version_7(void **state)
{
    (void)state;
    is_whole_or_nothing("study-7.sql");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(version_1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_4, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_5, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_8, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_6, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_10, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_3, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_7, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
