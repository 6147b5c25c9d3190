/* The database: opening, posts, revisions, full-text search, limits. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/facet_table.h"
#include "db/sql.h" /* and with it sqlite3.h: the tests read as a user's shell does */
#include "fetch/crawl/answers.h"
#include "label/code_table.h"
#include "label/coding/memo.h"
#include "label/coding/decisions.h"
#include "match/corpus/derived.h"
#include "label/coding/labels.h"
#include "db/posts.h"
#include "db/copy.h"
#include "report/published.h"
#include "db/study.h"
#include "db/text.h"
#include "label/label.h"
#include "base/files.h"
#include "base/signals.h"

/* --- a folder of its own for every test --- */

struct place {
    char folder[64];
    char file[96];
};

static int set_up(void **state)
{
    struct place *place = mem_zero(1, sizeof *place);

    snprintf(place->folder, sizeof place->folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/a?b#c%%20.db", place->folder);
    setenv("PPMINE_BUSY_TIMEOUT_MS", "0", 1);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", place->file, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    mem_free(place);
    return 0;
}

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

static struct db *open_db(const struct place *place, enum db_mode mode)
{
    struct db *db = NULL;

    OK(db_open(&db, place->file, mode, &e));
    assert_non_null(db);
    return db;
}

static struct db *new_db(const struct place *place)
{
    struct db *db = NULL;

    OK(study_db_create(&db, place->file, &e));
    assert_non_null(db);
    return db;
}

static void refused(const struct place *place, const struct db *db, const char *words)
{
    assert_null(db);
    assert_non_null(strstr(e.text, place->file));
    if (strstr(e.text, words) == NULL)
        fail_msg("\"%s\" is not in: %s", words, e.text);
}

static void refuses(const struct place *place, enum db_mode mode, const char *words)
{
    struct db *db = NULL;

    assert_int_equal(db_open(&db, place->file, mode, &e), ST_DATABASE);
    refused(place, db, words);
}

static void refuses_new(const struct place *place, const char *words)
{
    struct db *db = NULL;

    assert_int_equal(study_db_create(&db, place->file, &e), ST_DATABASE);
    refused(place, db, words);
}

static int64_t new_run(struct db *db, const char *source)
{
    struct db_run run = {.command = "load", .parameters = SPAN("{\"x\":1}"), .source = span_of(source)};
    int64_t run_id;

    OK(db_run_begin(db, &run, &run_id, &e));
    assert_true(run_id > 0);
    return run_id;
}

/* A second connection, as a reader with the plain shell has it. */
static sqlite3 *plain(const struct place *place)
{
    sqlite3 *handle = NULL;
    char uri[160];

    snprintf(uri, sizeof uri, "file:%s/a%%3fb%%23c%%2520.db", place->folder);
    assert_int_equal(sqlite3_open_v2(uri, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL), SQLITE_OK);
    return handle;
}

/* The result of a query, columns joined by '|', rows by '\n'. */
static void query_rows(sqlite3 *handle, const char *sql, struct buf *out)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        if (out->len > 0)
            buf_add_char(out, '\n');
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            if (i > 0)
                buf_add_char(out, '|');
            buf_add_span(out, span_of((const char *)sqlite3_column_text(stmt, i)));
        }
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
}

static void expect_rows(const struct place *place, const char *sql, const char *rows)
{
    sqlite3 *handle = plain(place);
    struct buf out = {0};

    query_rows(handle, sql, &out);
    assert_string_equal(buf_cstr(&out), rows);
    buf_clear(&out);
    sqlite3_close(handle);
}

static void run_sql(const struct place *place, const char *sql)
{
    sqlite3 *handle = plain(place);

    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

static void write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

/* --- a file of somebody else --- */

static void runs_no_trigger(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    run_sql(place, "CREATE TRIGGER a BEFORE INSERT ON run BEGIN SELECT RAISE(IGNORE); END;"
                   "CREATE TRIGGER b AFTER INSERT ON run BEGIN DELETE FROM run; END;");
    struct db *db = open_db(place, DB_WRITE);
    new_run(db, "one.xml");
    db_close(db);
    expect_rows(place, "SELECT source FROM run", "one.xml");
}

static enum status put_note(struct db *db)
{
    OK(db_begin(db, &e));
    enum status status = db_coder_put(db, SPAN("ann"), false, &e);
    if (status == ST_OK)
        status = db_note_put(
            db, DB_NOTE, &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("7"), .text = SPAN("a note")}, 7, &e);
    if (status == ST_OK)
        status = db_commit(db, &e);
    else
        db_rollback(db);
    return status;
}

#define IGNORES_NULL(table, column) \
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '" column "'," \
    " '" column " CHECK (1) NOT NULL ON CONFLICT IGNORE') WHERE name = '" table "';" \
    "PRAGMA schema_version = 99999;"

static void refuses_changed_tables(void **state)
{
    static const struct {
        const char *sql, *words;
    } cases[] = {
        {"DROP VIEW candidate; CREATE VIEW candidate AS SELECT 1 AS post_id", "its view candidate is not as ppmine"},
        {"DROP VIEW problem_label; CREATE VIEW problem_label AS SELECT 1", "its view problem_label is not as"},
        {"DROP INDEX decision_coder", "its index decision_coder is missing"},
        {"CREATE UNIQUE INDEX mine ON note (coder)", "its index mine is not one of ppmine's"},
        {IGNORES_NULL("decision", "spelling         TEXT"), "its table decision is not as ppmine makes it"},
        {"DROP TABLE note; CREATE VIEW note AS SELECT 1 AS note_id", "its table note is not as ppmine"},
        {"ALTER TABLE note ADD COLUMN more TEXT", "its table note is not as ppmine makes it"},
        {"ALTER TABLE note RENAME TO other", "its table note is missing"},
        /* SQLite reads no further than NUL, so that the view has no condition. */
        {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'WHERE substr(coder',"
         " '/* ' || char(0) || ' */ WHERE substr(coder') WHERE name = 'counted_judgement';"
         "PRAGMA schema_version = 99999;",
         "its view counted_judgement is not as ppmine makes it"},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        db_close(new_db(place));
        run_sql(place, cases[i].sql);
        refuses(place, DB_WRITE, cases[i].words);
        refuses(place, DB_READ, cases[i].words);
        unlink(place->file);
    }
    db_close(new_db(place));
    run_sql(place, "CREATE VIEW mine AS SELECT 1; CREATE TABLE more (x UNIQUE); CREATE INDEX i ON note (text)");
    db_close(open_db(place, DB_WRITE));
}

/* Somebody replaces a table while it is open: nothing is said to be stored that is not. */
static void refuses_tables_changed_since(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    struct db *db = open_db(place, DB_WRITE);
    OK(put_note(db));
    run_sql(place, IGNORES_NULL("image", "type     TEXT"));
    assert_int_equal(db_begin(db, &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "its table image is not as ppmine makes it"));
    run_sql(place, "BEGIN IMMEDIATE; COMMIT"); /* no transaction is left, so that somebody can mend it */
    db_close(db);
}

/* Nothing is said to be stored in a file that is gone, or that another one has taken the place of. */
static void stores_nothing_in_a_file_that_moved(void **state)
{
    struct place *place = *state;
    AT_END(buf_clear) struct buf other = {0};

    buf_addf(&other, "%s-other", place->file);
    db_close(new_db(place));
    struct db *db = open_db(place, DB_WRITE);
    OK(put_note(db));
    assert_int_equal(rename(place->file, buf_cstr(&other)), 0);
    assert_int_equal(db_begin(db, &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "was moved, removed or replaced while it was open, so nothing is stored"));
    assert_int_equal(rename(buf_cstr(&other), place->file), 0);
    OK(db_begin(db, &e)); /* it is back */
    OK(db_note_put(db, DB_NOTE, &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("9"), .text = SPAN("kept")}, 9,
                   &e));
    OK(db_end(db, ST_OK, &e));
    OK(db_begin(db, &e));
    OK(db_note_put(db, DB_NOTE, &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("8"), .text = SPAN("lost")}, 8,
                   &e));
    assert_int_equal(rename(place->file, buf_cstr(&other)), 0);
    assert_int_equal(db_end(db, ST_OK, &e), ST_DATABASE);
    assert_int_equal(rename(buf_cstr(&other), place->file), 0);
    expect_rows(place, "SELECT group_concat(text) FROM (SELECT text FROM note ORDER BY post_id)", "a note,kept");
    unlink(place->file);
    assert_int_equal(db_begin(db, &e), ST_DATABASE);
    db_close(db);
}

/* The last line of defence, after the comparison of the tables: a row that is not there is not said to be. */
static void says_what_was_not_stored(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    struct db *db = open_db(place, DB_WRITE);
    OK(put_note(db));
    run_sql(place, IGNORES_NULL("note", "text       TEXT NOT NULL") "PRAGMA writable_schema = RESET;");
    /* Outside of a transaction, so that nobody looks at the tables again. */
    assert_int_equal(
        db_note_put(db, DB_NOTE,
                    &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("7"), .text = (struct span){0}}, 7, &e),
        ST_DATABASE);
    assert_non_null(strstr(e.text, "a row was not stored"));
    run_sql(place, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql,"
                   " 'outcome      TEXT', 'outcome TEXT NOT NULL ON CONFLICT IGNORE') WHERE name = 'run';"
                   " PRAGMA schema_version = 99998;");
    struct db_run run = {.command = "load", .parameters = SPAN("{}"), .source = SPAN("x")};
    int64_t run_id;
    assert_int_equal(db_run_begin(db, &run, &run_id, &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "a row was not stored"));
    db_close(db);
}

/* --- told to end --- */

static void tell_to_end(int signal_number)
{
    (void)signal_number;
    raise(SIGTERM);
}

/* In a process of its own: one that was told to end stays so. 0: it ended as it should. */
static int run_without_end(const struct place *place)
{
    static const char forever[] =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    struct db *db = open_db(place, DB_WRITE);
    int64_t count;

    setenv("PPMINE_STOP_UNHURRIED", "1", 1); /* it is SQLite that ends, not the process */
    signals_catch();
    signal(SIGALRM, tell_to_end);
    alarm(1);
    double start = time_monotonic();
    enum status status = sql_integers(db, forever, &count, 1, &e);
    bool in_time = time_monotonic() - start < 2.5;
    new_run(db, "one.xml"); /* what is short is not ended */
    db_close(db);
    return status == (enum status)(128 + SIGTERM) && in_time ? 0 : 1;
}

static void ends_a_statement_without_end(void **state)
{
    struct place *place = *state;
    int result = -1;

    db_close(new_db(place));
    pid_t child = fork();
    if (child == 0)
        _exit(run_without_end(place));
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    expect_rows(place, "SELECT source FROM run", "one.xml");
}

/* --- opening --- */

static void create_and_open(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    expect_rows(place,
                "SELECT * FROM pragma_journal_mode, pragma_application_id,"
                " pragma_user_version",
                "wal|1886416177|6");
    refuses_new(place, "exists already");
    db_close(open_db(place, DB_WRITE));
    db_close(open_db(place, DB_READ));
}

static void create_over_an_empty_file(void **state)
{
    struct place *place = *state;

    write_file(place->file, "");
    refuses(place, DB_WRITE, "empty");
    db_close(new_db(place));
}

static void missing_file(void **state)
{
    struct place *place = *state;

    refuses(place, DB_READ, "ppmine init");
    refuses(place, DB_WRITE, "ppmine init");
    assert_int_not_equal(access(place->file, F_OK), 0); /* nothing was made */
}

static void missing_folder(void **state)
{
    struct place *place = *state;
    struct place inside = *place;

    snprintf(inside.file, sizeof inside.file, "%s/none/x.db", place->folder);
    refuses_new(&inside, "folder");
}

static void not_a_database(void **state)
{
    struct place *place = *state;

    write_file(place->file, "These are 100 bytes that no database begins with, and some more of"
                            " them, so that they are more than a header has.");
    refuses(place, DB_READ, "not an SQLite database");
    refuses(place, DB_WRITE, "not an SQLite database");
    refuses_new(place, "exists already");
}

static void database_of_another_program(void **state)
{
    struct place *place = *state;

    write_file(place->file, "");
    run_sql(place, "CREATE TABLE t (x); PRAGMA application_id = 7");
    refuses(place, DB_READ, "another program");
    refuses(place, DB_WRITE, "another program");
    refuses_new(place, "exists already");
}

static void other_versions(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    run_sql(place, "PRAGMA user_version = 99");
    refuses(place, DB_READ, "newer ppmine");
    refuses(place, DB_WRITE, "newer ppmine");
    run_sql(place, "PRAGMA user_version = 0");
    refuses(place, DB_READ, "schema version 0 is unknown");
    refuses(place, DB_WRITE, "schema version 0 is unknown");
    expect_rows(place, "PRAGMA user_version", "0"); /* nothing was changed */
    run_sql(place, "PRAGMA application_id = 0x70706d69");
    for (int version = 0; version < 15; version++) {
        char sql[48];
        snprintf(sql, sizeof sql, "PRAGMA user_version = %d", version);
        run_sql(place, sql);
        refuses(place, DB_READ, "before the first release");
        refuses(place, DB_WRITE, "before the first release");
        refuses_new(place, "exists already");
    }
    expect_rows(place, "PRAGMA user_version", "14");
}

static void damaged_file(void **state)
{
    struct place *place = *state;
    static const char junk[16384] = "junk";

    db_close(new_db(place));
    FILE *f = fopen(place->file, "r+");
    assert_non_null(f);
    fseek(f, 100, SEEK_SET);
    fwrite(junk, 1, sizeof junk - 100, f);
    fclose(f);
    refuses(place, DB_READ, "damaged");
}

static void locked_by_another(void **state)
{
    struct place *place = *state;
    struct db *a = new_db(place);
    struct db *b = open_db(place, DB_WRITE);

    OK(db_begin(a, &e));
    assert_int_equal(db_begin(b, &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "locked by another process"));
    OK(db_commit(a, &e));
    OK(db_begin(b, &e));
    db_close(b); /* rolls back */
    OK(db_begin(a, &e));
    db_rollback(a);
    db_close(a);
}

static void reading_writes_nothing(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    struct db *db = open_db(place, DB_READ);
    assert_int_equal(db_setting_put(db, "a", SPAN("b"), &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "cannot be written"));
    db_close(db);
}

/* Root may write everywhere, so these tests become somebody else. */
static void without_permission(void **state)
{
    struct place *place = *state;
    uid_t me = geteuid();

    db_close(new_db(place));
    chmod(place->file, 0444);
    chmod(place->folder, 0555);
    if (me == 0)
        assert_int_equal(seteuid(65534), 0);
    refuses(place, DB_WRITE, "");
    struct db *db = NULL;
    enum status status = db_open(&db, place->file, DB_READ, &e);
    int64_t n = -1;
    if (status == ST_OK)
        status = db_candidate_count(db, &n, &e);
    db_close(db);
    if (me == 0)
        assert_int_equal(seteuid(me), 0);
    chmod(place->folder, 0755);
    OK(status);
    assert_int_equal(n, 0);
}

SQL(CODE_RETURNED, "INSERT INTO code (code_id, facet, name) VALUES (1, 'x', :name) RETURNING code_id");

/* A full disk cannot be had without root; a limit on the size of files is much like it. */
static void no_room_to_write(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct rlimit before, small = {64 * 1024, RLIM_INFINITY};
    char *value = mem_zero(1, 1 << 20);
    struct span megabyte = {value, 1 << 20};
    struct err of_returned;
    int64_t code_id;

    memset(value, 'x', megabyte.len);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    enum status status = db_setting_put(db, "a", megabyte, &e);
    sql_bind_text(db, SQL_CODE_RETURNED, ":name", megabyte);
    enum status returned = sql_one_int(db, SQL_CODE_RETURNED, &code_id, &of_returned);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, ST_IO);
    assert_non_null(strstr(e.text, "no space left"));
    assert_int_equal(returned, ST_IO); /* SQLite gives the row before it commits */
    assert_non_null(strstr(of_returned.text, "no space left"));
    OK(db_setting_put(db, "a", megabyte, &e)); /* the connection is good for more */
    db_close(db);
    mem_free(value);
}

/* --- the study --- */

static void collect_file(void *ctx, struct span name, struct span content)
{
    struct buf *out = ctx;

    buf_addf(out, "%.*s=%.*s;", (int)name.len, name.ptr, (int)content.len, content.ptr);
}

static void study(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf files = {0};
    struct arena arena = {0};
    struct span value;

    OK(db_study_file_put(db, SPAN("b.txt"), SPAN("two"), &e));
    OK(db_study_file_put(db, SPAN("a.txt"), SPAN("one"), &e));
    OK(db_study_file_put(db, SPAN("b.txt"), SPAN("three"), &e));
    OK(db_study_file_put(db, SPAN("c.txt"), (struct span){0}, &e));
    OK(db_study_file_each(db, collect_file, &files, &e));
    assert_string_equal(buf_cstr(&files), "a.txt=one;b.txt=three;c.txt=;");
    OK(db_setting_put(db, "site", SPAN("x"), &e));
    OK(db_setting_put(db, "site", SPAN("example.org"), &e));
    OK(db_setting_get(db, "site", &arena, &value, &e));
    assert_true(span_eq(value, SPAN("example.org")));
    OK(db_setting_get(db, "none", &arena, &value, &e));
    assert_null(value.ptr);
    buf_clear(&files);
    arena_clear(&arena);
    db_close(db);
    expect_rows(place, "SELECT base_url FROM site", "https://example.org");
}

static void unchanged_study_file_keeps_its_date(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    setenv("PPMINE_NOW", "2026-01-01T00:00:00.000Z", 1);
    OK(db_study_file_put(db, SPAN("a"), SPAN("one"), &e));
    setenv("PPMINE_NOW", "2026-02-02T00:00:00.000Z", 1);
    OK(db_study_file_put(db, SPAN("a"), SPAN("one"), &e));
    OK(db_study_file_put(db, SPAN("b"), SPAN("abc"), &e));
    unsetenv("PPMINE_NOW");
    db_close(db);
    expect_rows(place, "SELECT changed_at FROM study_file", "2026-01-01T00:00:00.000Z\n2026-02-02T00:00:00.000Z");
}

static void sha256_vectors(void **state)
{
    char out[SHA256_TEXT_SIZE];

    (void)state;
    sha256_of(SPAN("abc"), out);
    assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_of((struct span){0}, out);
    assert_string_equal(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_of(SPAN("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), out);
    assert_string_equal(out, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* --- posts --- */

#define DAY(n) SPAN("2018-01-0" #n "T01:02:03.456Z")

static struct post question(int64_t id, struct span body)
{
    struct post p = post_empty();

    p.post_id = id;
    p.type = POST_QUESTION;
    p.title = SPAN("Slow training");
    p.tags = SPAN("[\"tensorflow\",\"keras\"]");
    p.body_html = body;
    p.created_at = DAY(1);
    p.last_activity_at = DAY(1);
    p.score = 5;
    p.content_license = SPAN("CC BY-SA 3.0");
    return p;
}

static struct post edited(int64_t id, struct span body, struct span edited_at)
{
    struct post p = question(id, body);

    p.last_edited_at = edited_at;
    p.last_activity_at = edited_at;
    return p;
}

static enum db_put put(struct db *db, int64_t run_id, struct post post)
{
    enum db_put what = DB_PUT_KINDS;
    struct db_origin origin = {.run_id = run_id};

    OK(db_post_put(db, &post, &origin, &what, &e));
    return what;
}

static void put_new_and_same(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t first = new_run(db, "one.xml");
    struct post p = question(7, SPAN("<p>body</p>"));

    p.view_count = 9;
    p.owner_display_name = SPAN("Ann");
    assert_int_equal(put(db, first, p), DB_PUT_NEW);
    assert_int_equal(put(db, new_run(db, "two.xml"), p), DB_PUT_SAME);
    db_close(db);
    expect_rows(place,
                "SELECT post_id, post_type, parent_id, title, score, view_count, created_at,"
                " owner_display_name, first_run_id, run_id, body_html, body_sha256"
                " FROM post",
                "7|question||Slow training|5|9|2018-01-01T01:02:03.456Z|Ann|1|1|<p>body</p>|"
                "3f1c9112099c37212c36275efee7d5af85eb2ded958ecd75ad3a74a607830370");
    expect_rows(place, "SELECT count(*) FROM revision", "0");
}

static void put_changed(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct post p = question(7, SPAN("old"));

    put(db, new_run(db, "one.xml"), p);
    p.score = 6;
    assert_int_equal(put(db, new_run(db, "two.xml"), p), DB_PUT_CHANGED);
    int64_t run_id = new_run(db, "three.xml");
    assert_int_equal(put(db, run_id, edited(7, SPAN("new"), DAY(3))), DB_PUT_CHANGED);
    OK(db_run_end(db, run_id, "ok", SPAN("{\"changed\":1}"), &e));
    db_close(db);
    expect_rows(place, "SELECT body_html, score, first_run_id, run_id FROM post", "new|5|1|3");
    expect_rows(place, "SELECT post_id, title, tags, body_html, edited_at, run_id FROM revision",
                "7|Slow training|[\"tensorflow\",\"keras\"]|old|2018-01-01T01:02:03.456Z|3");
    expect_rows(place,
                "SELECT source, command, first_loaded_at <= loaded_at, content_license"
                " FROM post_provenance",
                "three.xml|load|1|CC BY-SA 3.0");
    expect_rows(place,
                "SELECT outcome, counts, finished_at >= started_at, tool_version FROM run"
                " WHERE run_id = 3",
                "ok|{\"changed\":1}|1|" PPMINE_VERSION);
}

static void put_older(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct post old = question(7, SPAN("old"));

    old.view_count = 3;     /* a gap that the newer one leaves */
    old.closed_at = DAY(2); /* reopened since */
    put(db, new_run(db, "two.xml"), edited(7, SPAN("new"), DAY(3)));
    assert_int_equal(put(db, new_run(db, "one.xml"), old), DB_PUT_OLDER);
    assert_int_equal(put(db, new_run(db, "one.xml"), old), DB_PUT_OLDER);
    /* the same edit, known earlier */
    struct post earlier = edited(7, SPAN("new"), DAY(3));
    earlier.last_activity_at = DAY(2);
    earlier.score = 1;
    assert_int_equal(put(db, new_run(db, "x.xml"), earlier), DB_PUT_OLDER);
    db_close(db);
    expect_rows(place, "SELECT body_html, score, view_count, closed_at FROM post", "new|5|3|");
    expect_rows(place, "SELECT body_html FROM revision", "old");
}

/* Every order of four versions, the first and third of the same text, each loaded twice. */
static void order_makes_no_difference(void **state)
{
    struct place *place = *state;
    struct post versions[] = {question(1, SPAN("A")), edited(1, SPAN("B"), DAY(3)), edited(1, SPAN("A"), DAY(5)),
                              edited(1, SPAN("C"), DAY(7))};
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml");
    int64_t id = 0;

    versions[1].title = SPAN("Another title");
    OK(db_begin(db, &e));
    for (int n = 0; n < 4 * 4 * 4 * 4; n++) {
        int order[] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};
        if ((1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) != 15)
            continue;
        id++;
        for (size_t i = 0; i < 8; i++) {
            struct post p = versions[order[i % 4]];
            p.post_id = id;
            put(db, run_id, p);
        }
    }
    OK(db_commit(db, &e));
    db_close(db);
    assert_int_equal(id, 24);
    expect_rows(place,
                "SELECT body_html, title, tags, last_edited_at, count(*) FROM post"
                " GROUP BY 1, 2, 3, 4",
                "C|Slow training|[\"tensorflow\",\"keras\"]|2018-01-07T01:02:03.456Z|24");
    expect_rows(place,
                "SELECT body_html, title, edited_at, count(*) FROM revision"
                " GROUP BY 1, 2, 3",
                "A|Slow training|2018-01-05T01:02:03.456Z|24\n"
                "B|Another title|2018-01-03T01:02:03.456Z|24");
}

static void an_edit_taken_back_is_no_revision(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml");

    put(db, run_id, question(1, SPAN("A")));
    put(db, run_id, edited(1, SPAN("B"), DAY(3)));
    put(db, run_id, edited(1, SPAN("A"), DAY(5)));
    db_close(db);
    expect_rows(place, "SELECT body_html FROM post", "A");
    expect_rows(place, "SELECT body_html FROM revision", "B");
}

static void absent_values(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml");
    struct post full = question(1, SPAN("A")), bare = full;

    full.view_count = 1;
    full.favorite_count = 2;
    full.accepted_answer_id = 3;
    full.owner_user_id = 4;
    full.owner_display_name = SPAN("Ann");
    full.last_editor_user_id = 5;
    full.last_editor_display_name = SPAN("Bob");
    full.closed_at = full.deleted_at = full.community_owned_at = DAY(2);
    put(db, run_id, full);
    bare.title = bare.tags = (struct span){0};
    bare.owner_user_id = 4;                        /* as a dump has it: no name */
    bare.last_editor_display_name = SPAN("user5"); /* the account is gone */
    assert_int_equal(put(db, run_id, bare), DB_PUT_CHANGED);
    assert_int_equal(put(db, run_id, bare), DB_PUT_SAME);
    expect_rows(place,
                "SELECT title, view_count, favorite_count, accepted_answer_id,"
                " owner_user_id, owner_display_name, last_editor_user_id,"
                " last_editor_display_name, closed_at, deleted_at, community_owned_at"
                " FROM post",
                "Slow training|1|2||4|Ann||user5||2018-01-02T01:02:03.456Z|"
                "2018-01-02T01:02:03.456Z");
    bare.last_activity_at = DAY(4);
    put(db, run_id, bare);
    db_close(db);
    expect_rows(place, "SELECT deleted_at FROM post", "");
    expect_rows(place, "SELECT count(*) FROM revision", "0");
}

/* An edit by nobody that is known does not become one by who edited before. */
static void editor_of_another_edit(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml");
    struct post first = question(1, SPAN("A")), again;

    first.last_edited_at = DAY(2);
    first.last_editor_user_id = 5;
    first.last_editor_display_name = SPAN("Bob");
    put(db, run_id, first);
    again = first;
    again.last_editor_user_id = POST_ABSENT;
    again.last_editor_display_name = (struct span){0};
    assert_int_equal(put(db, run_id, again), DB_PUT_SAME);
    again.last_edited_at = DAY(3);
    assert_int_equal(put(db, run_id, again), DB_PUT_CHANGED);
    assert_int_equal(put(db, run_id, first), DB_PUT_OLDER);
    db_close(db);
    expect_rows(place, "SELECT last_editor_user_id, last_editor_display_name FROM post", "|");
}

/* The API's dates are in seconds. */
static void finer_dates_stay(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml");
    struct post dump = question(1, SPAN("A")), api = dump;

    api.created_at = api.last_activity_at = SPAN("2018-01-01T01:02:03.000Z");
    put(db, run_id, dump);
    assert_int_equal(put(db, run_id, api), DB_PUT_SAME);
    api.score = 6;
    assert_int_equal(put(db, run_id, api), DB_PUT_CHANGED);
    db_close(db);
    expect_rows(place, "SELECT created_at, score FROM post", "2018-01-01T01:02:03.456Z|6");
}

static void collect_id(void *ctx, int64_t post_id, int64_t type)
{
    buf_addf(ctx, "%lld:%lld ", (long long)post_id, (long long)type);
}

static enum status collect_text(void *ctx, const struct post *post, struct err *err)
{
    buf_addf(ctx, "%lld %.*s %.*s;", (long long)post->post_id, (int)post->title.len,
             post->title.len > 0 ? post->title.ptr : "", (int)post->body_html.len, post->body_html.ptr);
    return post->post_id == 2 ? err_set(err, ST_NO, "enough") : ST_OK;
}

static void reading_posts(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    int64_t run_id = new_run(db, "x.xml"), questions, answers, others;
    static const int64_t types[] = {99, POST_ANSWER, POST_QUESTION, 4};
    struct buf out = {0};

    for (int64_t i = 0; i < 4; i++) {
        struct post p = question(4 - i, SPAN("b"));
        p.type = types[i];
        put(db, run_id, p);
    }
    OK(db_post_each_id(db, collect_id, &out, &e));
    assert_string_equal(buf_cstr(&out), "1:4 2:1 3:2 4:99 ");
    OK(db_post_count(db, &questions, &answers, &others, &e));
    assert_int_equal(questions * 100 + answers * 10 + others, 112);
    for (int i = 0; i < 2; i++) { /* a walk that was ended begins anew */
        buf_reset(&out);
        assert_int_equal(db_post_each_text(db, collect_text, &out, &e), ST_NO);
        assert_string_equal(buf_cstr(&out), "1 Slow training b;2 Slow training b;");
    }
    struct post nothing = post_empty();
    enum db_put what;
    assert_int_equal(db_post_put(db, &nothing, &(struct db_origin){.run_id = run_id}, &what, &e), ST_INPUT);
    buf_clear(&out);
    db_close(db);
    expect_rows(place, "SELECT post_type FROM post ORDER BY post_id", "tag_wiki_excerpt\nquestion\nanswer\ntype_99");
    expect_rows(place, "SELECT tag FROM post_tag WHERE post_id = 2", "tensorflow\nkeras");
}

static void filling_an_empty_database(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    struct db *db = open_db(place, DB_WRITE);
    OK(db_fill_begin(db, &e));
    OK(db_begin(db, &e));
    put(db, new_run(db, "x.xml"), question(1, SPAN("b")));
    OK(db_commit(db, &e));
    expect_rows(place, "PRAGMA journal_mode", "delete"); /* as another connection names it */
    OK(db_checkpoint(db, &e));
    OK(db_fill_begin(db, &e)); /* not empty: nothing to do */
    expect_rows(place, "PRAGMA journal_mode", "wal");
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM post", "1");
}

static void filling_while_others_read(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    struct db *reader = open_db(place, DB_READ), *db = open_db(place, DB_WRITE);
    OK(db_fill_begin(db, &e));
    put(db, new_run(db, "x.xml"), question(1, SPAN("b")));
    db_close(db);
    db_close(reader);
    expect_rows(place, "PRAGMA journal_mode", "wal");
}

/* --- text: a toy tokenizer; words are runs of letters, the stem is the first three of them --- */

struct toy {
    int freed;
    bool bad_study;
    char keywords[32], stemmer[32];
};

static void toy_free(void *ctx)
{
    ((struct toy *)ctx)->freed++;
}

static int toy_tokens(void *ctx, struct span text, int (*each)(void *, struct span, size_t, size_t), void *each_ctx)
{
    size_t i = 0;

    (void)ctx;
    while (i < text.len) {
        size_t start = i;
        while (i < text.len && text.ptr[i] >= 'a' && text.ptr[i] <= 'z')
            i++;
        size_t len = i - start;
        int status = len == 0 ? 0 : each(each_ctx, (struct span){text.ptr + start, len < 3 ? len : 3}, start, i);
        if (status != 0)
            return status;
        i += len == 0;
    }
    return 0;
}

static bool toy_hits(void *ctx, struct span text, struct buf *out)
{
    const struct toy *toy = ctx;

    if (toy->keywords[0] == '\0')
        return false;
    buf_addf(out, "[\"%s\",%zu]", toy->keywords, text.len);
    return true;
}

static bool toy_use_study(void *ctx, struct span keywords, struct span stemmer)
{
    struct toy *toy = ctx;

    snprintf(toy->keywords, sizeof toy->keywords, "%.*s", (int)keywords.len, keywords.ptr);
    snprintf(toy->stemmer, sizeof toy->stemmer, "%.*s", (int)stemmer.len, stemmer.ptr);
    return !toy->bad_study;
}

static struct db_text toy_text(struct toy *toy)
{
    return (struct db_text){toy, toy_free, toy_tokens, toy_hits, NULL};
}

static void add_hit(struct db *db, int64_t post_id, const char *field, int64_t start, int64_t keyword)
{
    struct db_hit hit = {post_id, field, start, start + 4, keyword};

    OK(db_hit_put(db, &hit, &e));
}

/* Question 1 with its answer 2; question 3 without hits. */
static void fill_posts(struct db *db)
{
    int64_t run_id = new_run(db, "x.xml");
    struct post answer = question(2, SPAN("b"));

    answer.type = POST_ANSWER;
    answer.parent_id = 1;
    answer.title = answer.tags = (struct span){0};
    put(db, run_id, question(1, SPAN("b")));
    put(db, run_id, answer);
    put(db, run_id, question(3, SPAN("b")));
}

static void make_index(struct db *db)
{
    static const char *const stems[][2] = {{"slo tra", "it run out of mem"}, {"", "try bat"}, {"fas", "non"}};

    OK(db_index_begin(db, &e));
    for (size_t i = 0; i < ARRAY_LEN(stems); i++)
        OK(db_index_put(db, (int64_t)i + 1, span_of(stems[i][0]), span_of(stems[i][1]), &e));
}

static void derive(struct db *db, bool answers_too)
{
    struct db_keyword keywords[] = {
        {1, SPAN("slow"), SPAN("slow"), 1, {0}, {0}},
        {2, SPAN("hangs"), SPAN("hangs"), 1, SPAN("never"), SPAN("a note")},
        {3, SPAN("run out"), SPAN("run out"), 2, {0}, {0}},
    };

    OK(db_begin(db, &e));
    OK(db_derived_clear(db, &e));
    for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
        OK(db_keyword_put(db, &keywords[i], &e));
    OK(db_text_put(db, 1, SPAN("slowly training"), SPAN("it runs out of memory"), &e));
    OK(db_text_put(db, 2, (struct span){0}, SPAN("try batches"), &e));
    OK(db_text_put(db, 3, SPAN("fast"), SPAN("none"), &e));
    add_hit(db, 1, "body", 3, 3);
    add_hit(db, 1, "title", 0, 1);
    add_hit(db, 1, "body", 9, 1);
    add_hit(db, 2, "body", 0, 3);
    OK(db_derived_finish(db, answers_too, &e));
    make_index(db);
    OK(db_commit(db, &e));
}

static void collect_candidate(void *ctx, const struct db_candidate *c)
{
    buf_addf(ctx, "%lld %.*s %.*s %lld %.*s;", (long long)c->post_id, (int)c->title.len, c->title.ptr, (int)c->url.len,
             c->url.ptr, (long long)c->n_hits, (int)c->keywords.len, c->keywords.ptr);
}

static void collect_keyword(void *ctx, const struct db_keyword *k, int64_t candidates, int64_t posts, int64_t hits)
{
    buf_addf(ctx, "%.*s %s %lld %lld %lld;", (int)k->keyword.len, k->keyword.ptr,
             k->dead.ptr != NULL ? "dead" : "alive", (long long)candidates, (long long)posts, (long long)hits);
}

static void candidates(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct toy toy = {0};
    struct db_text text = toy_text(&toy);
    struct buf out = {0};
    int64_t n;

    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    OK(db_candidate_each(db, -1, collect_candidate, &out, &e));
    assert_string_equal(buf_cstr(&out), "1 Slow training https://stackoverflow.com/questions/1 3 slow, run out;");
    buf_reset(&out);
    OK(db_keyword_each(db, collect_keyword, &out, &e));
    assert_string_equal(buf_cstr(&out), "slow alive 1 1 2;hangs dead 0 0 0;run out alive 1 2 2;");
    derive(db, true); /* again, over what is there */
    buf_reset(&out);
    OK(db_candidate_each(db, 1, collect_candidate, &out, &e));
    OK(db_candidate_count(db, &n, &e));
    assert_int_equal(n, 2);
    db_close(db);
    assert_int_equal(toy.freed, 1);
    assert_string_equal(buf_cstr(&out), "1 Slow training https://stackoverflow.com/questions/1 3 slow, run out;");
    buf_clear(&out);
    expect_rows(place,
                "SELECT post_id, title, url, n_hits, keywords FROM candidate"
                " WHERE post_id = 2",
                "2|Slow training|https://stackoverflow.com/a/2|1|run out");
    expect_rows(place, "SELECT * FROM keyword_count", "slow|1|1|2\nhangs|0|0|0\nrun out|2|2|2");
}

static void full_text(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct toy toy = {0}, other = {.keywords = "default"};
    struct db_text text = toy_text(&toy), other_text = toy_text(&other);
    struct buf out = {0};

    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    db_close(db);
    sqlite3 *handle = plain(place);
    assert_int_equal(text_register(handle, &other_text), SQLITE_OK);
    query_rows(handle, "SELECT rowid FROM post_search WHERE post_search MATCH stem('slowest')", &out);
    query_rows(handle, "SELECT rowid FROM post_search WHERE post_search MATCH '\"run out\"'", &out);
    query_rows(handle, "SELECT title IS NULL FROM post_search WHERE rowid = 1", &out); /* it contains no text */
    query_rows(handle, "SELECT stem('batches are large'), stem(NULL) IS NULL, keyword_hits('abc')", &out);
    sqlite3_close(handle);
    assert_string_equal(buf_cstr(&out), "1\n1\n1\nbat are lar|1|[\"default\",3]");
    assert_int_equal(other.freed, 1);
    buf_clear(&out);
}

static void functions_without_keyword_set(void **state)
{
    struct toy toy = {0};
    struct db_text text = toy_text(&toy);
    struct buf out = {0};
    sqlite3 *handle = NULL;

    (void)state;
    text.use_study = toy_use_study; /* no study in this database */
    assert_int_equal(sqlite3_open(":memory:", &handle), SQLITE_OK);
    assert_int_equal(text_register(handle, &text), SQLITE_OK);
    query_rows(handle, "SELECT keyword_hits('abc') IS NULL, stem('') = ''", &out);
    assert_string_equal(buf_cstr(&out), "1|1");
    sqlite3_close(handle);
    buf_clear(&out);
}

/* As the loadable extension registers: the set is that of the database. */
static void functions_use_the_study(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct toy toy = {0}, bad = {.bad_study = true};
    struct db_text text = toy_text(&toy), bad_text = toy_text(&bad);
    struct buf out = {0};

    OK(db_study_file_put(db, SPAN("keywords.txt"), SPAN("slow"), &e));
    OK(db_setting_put(db, "stemmer", SPAN("nltk"), &e));
    db_close(db);
    text.use_study = bad_text.use_study = toy_use_study;
    sqlite3 *handle = plain(place);
    assert_int_equal(text_register(handle, &text), SQLITE_OK);
    query_rows(handle, "SELECT keyword_hits('abcd')", &out);
    assert_string_equal(buf_cstr(&out), "[\"slow\",4]");
    assert_string_equal(toy.stemmer, "nltk");
    sqlite3_close(handle);
    handle = plain(place);
    assert_int_equal(text_register(handle, &bad_text), SQLITE_OK);
    assert_int_equal(sqlite3_exec(handle, "SELECT stem('abcd')", NULL, NULL, NULL), SQLITE_ERROR);
    assert_non_null(strstr(sqlite3_errmsg(handle), "keywords.txt"));
    sqlite3_close(handle);
    buf_clear(&out);
}

static enum status collect_body(void *ctx, const struct post *post, struct err *err)
{
    (void)err;
    buf_addf(ctx, "%lld:%.*s\n", (long long)post->post_id, (int)post->body_html.len, post->body_html.ptr);
    return ST_OK;
}

static void keeps_facts_of_candidates(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct toy toy = {0};
    struct db_text text = toy_text(&toy);
    struct buf out = {0};

    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    OK(db_candidate_each_text(db, collect_body, &out, &e));
    OK(db_post_text(db, 3, collect_body, &out, &e));
    OK(db_post_text(db, 4, collect_body, &out, &e)); /* no such post: no call */
    assert_string_equal(buf_cstr(&out), "1:b\n3:b\n");
    buf_reset(&out);
    OK(db_fact_put(db, &(struct db_fact){1, SPAN("os"), SPAN("A"), SPAN("on A"), SPAN("body")}, &e));
    OK(db_fact_put(db, &(struct db_fact){1, SPAN("gpu"), SPAN("X"), SPAN("X"), SPAN("code")}, &e));
    OK(db_fact_put(db, &(struct db_fact){1, SPAN("os"), SPAN("A"), SPAN("A"), SPAN("title")}, &e));
    sqlite3 *handle = plain(place);
    query_rows(handle, "SELECT * FROM post_fact ORDER BY fact", &out);
    assert_string_equal(buf_cstr(&out), "1|gpu|X|X|code\n1|os|A|on A|body");
    buf_reset(&out);
    OK(db_derived_clear(db, &e));
    query_rows(handle, "SELECT * FROM post_fact", &out);
    assert_int_equal(out.len, 0);
    buf_clear(&out);
    sqlite3_close(handle);
    db_close(db);
}

/* The index is dropped by a connection that knows no function of words. */
static void derived_is_cleared_without_stems(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    OK(db_derived_clear(db, &e)); /* nothing there yet */
    fill_posts(db);
    derive(db, false);
    db_close(db);
    db = open_db(place, DB_WRITE);
    OK(db_derived_clear(db, &e));
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'post_search%'", "0");
}

/* --- the stored contract --- */

static void view_columns(void **state)
{
    static const struct {
        const char *view, *columns;
    } views[] = {
        {"site", "base_url,site_id,short,name"},
        {"post_site", "post_id,id,site,short,number,url"},
        {"candidate", "post_id,title,url,created_at,n_hits,keywords"},
        {"problem_label", "problem_id,post_id,url,created_at,introducing_stage,exposing_stage,"
                          "symptom1,symptom2,root_cause"},
        {"problem_code", "problem_id,post_id,facet,place,code_id,category,code"},
        {"coding", "problem_id,post_id,coder,is_merged,facet,code1,code2,spelling,decided_at,"
                   "codebook_version"},
        {"symptom_count", "category,code,n,share"},
        {"root_cause_count", "category,code,n,share"},
        {"stage_count", "role,stage,n,share"},
        {"counted_judgement", "post_id,coder,is_problem,decided_at"},
        {"counted_label", "subject,facet,coder,place,post_id,code_id,value,decided_at"},
        {"identification", "post_id,coder,is_problem"},
        {"agreement_pair", "facet,subject,coder_a,code_a,coder_b,code_b"},
        {"label_review", "problem_id,facet,coder,code,codebook_version,action,changed_at,"
                         "changed_by,reason"},
        {"code_memo", "memo_id,written_at,coder,facet,code,named,text,undone"},
        {"post_tag", "post_id,tag"},
        {"keyword_count", "keyword,candidates,posts,hits"},
        {"screening_read", "coder,place,post_id,answer,stratum,read_at"},
        {"post_provenance", "post_id,url,author,author_url,content_license,source,command,"
                            "parameters,tool_version,loaded_at,first_loaded_at,body_sha256"},
        {"bench_machine", "machine,processor,processors,memory_kb,kernel,versions,cases,results,"
                          "last_at"},
        {"bench_ratio", "result_id,machine,problem_id,finished_at,verdict,metric,unit,buggy,fixed,"
                        "ratio,ratio_low,ratio_high,runs,tensorflow,why"},
        {"bench_last", "result_id,machine,problem_id,finished_at,verdict,metric,unit,buggy,fixed,"
                       "ratio,ratio_low,ratio_high,runs,tensorflow,why"},
        {"bench_compare", "problem_id,machine_a,verdict_a,ratio_a,low_a,high_a,machine_b,verdict_b,"
                          "ratio_b,low_b,high_b,same_verdict,apart"},
        {"bench_memory", "result_id,side,place,at_seconds,resident_kb"},
        {"finding_current", "finding_id,project,rule,severity,file,line,cell,function,message,"
                            "seen,scan_id,commit_id,gone_since,gone_commit,tool_differs,returned,"
                            "is_shown,state,state_at,state_by,happened,url,reason"},
        {"campaign", "project,projects,projects_reported,findings,reported,confirmed,fixed,"
                     "refused,gone"},
        {"campaign_rule", "rule,findings,reported,confirmed,fixed,refused,gone"},
    };
    struct place *place = *state;

    db_close(new_db(place));
    for (size_t i = 0; i < ARRAY_LEN(views); i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT group_concat(name) FROM pragma_table_info('%s')", views[i].view);
        expect_rows(place, sql, views[i].columns);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", views[i].view);
        expect_rows(place, sql, i == 0 ? "1" : "0");
    }
    expect_rows(place, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'", "27");
    expect_rows(place,
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict"
                " AND name NOT LIKE 'sqlite%'",
                "");
}

static void label_views(void **state)
{
    struct place *place = *state;

    db_close(new_db(place));
    run_sql(place, "INSERT INTO code (code_id, facet, category, name) VALUES"
                   " (1, 'symptom', 'Time', 'slow'), (2, 'symptom', 'Memory', 'out of memory'),"
                   " (3, 'root cause', 'API', 'inefficient API'), (4, 'stage', NULL, 'training');"
                   "INSERT INTO problem VALUES ('10_1', 10, '2020-01-01T00:00:00.000Z',"
                   "  '{\"symptom\":[1,2],\"root cause\":[3],\"introducing stage\":[4],"
                   "    \"exposing stage\":[4]}'),"
                   " ('10_2', 10, NULL, '{\"symptom\":[1],\"root cause\":[3],\"introducing stage\":[4]}'),"
                   " ('11', 11, NULL, '{\"symptom\":[2],\"introducing stage\":[4]}');"
                   "INSERT INTO judgement VALUES (10, 'a', 1, ''), (10, 'b', 0, '');"
                   "INSERT INTO coder VALUES ('a', 0), ('b', 0);"
                   "INSERT INTO label VALUES ('10_1', 'symptom', 'a', 1, 10, 1, NULL, '', 1, NULL),"
                   " ('10_1', 'symptom', 'a', 2, 10, 2, NULL, '', 1, NULL),"
                   " ('10_1', 'symptom', 'b', 1, 10, 2, NULL, '', 1, NULL),"
                   " ('10_1', 'root cause', 'a', 1, 10, 3, NULL, '', 1, NULL),"
                   " ('10_1', 'root cause', 'b', 1, 10, NULL, NULL, '', 1, NULL),"
                   " ('10_2', 'symptom', 'b', 1, 10, 2, NULL, '', 1, NULL)");
    expect_rows(place, "SELECT * FROM problem_label WHERE problem_id = '10_1'",
                "10_1|10|https://stackoverflow.com/questions/10|2020-01-01T00:00:00.000Z|training|"
                "training|slow|out of memory|inefficient API");
    expect_rows(place,
                "SELECT facet, place, code FROM problem_code WHERE problem_id = '10_2'"
                " ORDER BY facet",
                "introducing stage|1|training\nroot cause|1|inefficient API\n"
                "symptom|1|slow");
    expect_rows(place, "SELECT problem_id, coder, facet, code1, code2 FROM coding ORDER BY 1, 2, 3",
                "10_1|a|root cause|inefficient API|\n10_1|a|symptom|slow|out of memory\n"
                "10_1|b|root cause||\n10_1|b|symptom|out of memory|\n"
                "10_2|b|symptom|out of memory|");
    expect_rows(place, "SELECT category, code, n, round(share, 3) FROM symptom_count",
                "Time|slow|2|0.667\nMemory|out of memory|1|0.333");
    expect_rows(place, "SELECT * FROM root_cause_count", "API|inefficient API|2|1.0");
    expect_rows(place, "SELECT * FROM stage_count", "introducing|training|3|1.0\nexposing|training|1|1.0");
    expect_rows(place, "SELECT * FROM identification", "10|a|1\n10|b|0");
    expect_rows(place, "SELECT * FROM agreement_pair",
                "identification|10|a|yes|b|no\nsymptom|10_1|a|slow|b|out of memory");
}

/* --- the codebook and what coders decide --- */

/* Ids of codes in the order in which fill_codebook puts them. */
enum { SLOW = 1, LEAK, MISUSE, TRAINING, TESTING };

static void fill_codebook(struct db *db)
{
    static const struct {
        const char *facet, *category, *name;
    } codes[] = {
        {"symptom", "Time", "slow"},     {"symptom", "Memory", "memory \"leak\""},
        {"root cause", "API", "misuse"}, {"stage", NULL, "training"},
        {"stage", NULL, "testing"},
    };

    OK(db_setting_put(db, "codebook_version", SPAN("1"), &e));
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct db_code code = {
            .facet = span_of(codes[i].facet),
            .category = span_of(codes[i].category),
            .name = span_of(codes[i].name),
        };
        int64_t code_id;
        OK(db_code_put(db, &code, &code_id, &e));
        assert_int_equal(code_id, i + 1);
        OK(db_code_put(db, &code, &code_id, &e));
        assert_int_equal(code_id, i + 1);
    }
    OK(db_code_alias_put(db, SLOW, SPAN("lame"), &e));
    OK(db_code_alias_put(db, SLOW, SPAN("lame"), &e));
    OK(db_disambiguation_put(db, SLOW, LEAK, SPAN("Look."), &e));
    OK(db_disambiguation_put(db, SLOW, LEAK, SPAN("Look again."), &e));
    OK(db_coder_put(db, SPAN("ann"), false, &e));
    OK(db_coder_put(db, SPAN("bob"), false, &e));
    OK(db_coder_put(db, SPAN("merged"), true, &e));
}

/* The facets of a new database. */
enum { IDENTIFICATION = FACET_JUDGES, SYMPTOM, ROOT_CAUSE, INTRODUCING_STAGE, EXPOSING_STAGE, N_FACETS };

/* Days of 2020, so that a later one counts; 0: now. */
static struct span day(int n)
{
    static char times[4][TIME_TEXT_SIZE];
    static size_t next;
    char *time = times[next++ % ARRAY_LEN(times)];

    if (n == 0)
        return (struct span){0};
    snprintf(time, TIME_TEXT_SIZE, "2020-01-%02uT00:00:00.000Z", (unsigned)n % 32);
    return span_of(time);
}

static enum status try_label(struct db *db, const char *coder, const char *subject, size_t facet, int64_t code1,
                             int64_t code2, int n)
{
    int64_t ids[] = {code1, code2};
    struct db_decision decision = {
        .coder = span_of(coder),
        .subject = span_of(subject),
        .post_id = strtol(subject, NULL, 10),
        .facet = facet,
        .codes = {ids, code2 != 0 ? 2 : code1 != 0},
        .decided_at = day(n),
    };

    return db_decision_put(db, &decision, &e);
}

static enum status try_judge(struct db *db, const char *coder, int64_t post_id, bool is_problem, int n)
{
    struct db_decision decision = {
        .coder = span_of(coder),
        .post_id = post_id,
        .is_problem = is_problem,
        .decided_at = day(n),
    };

    return db_decision_put(db, &decision, &e);
}

static void codebook(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf out = {0};
    struct db_code code;
    enum status status = ST_OK;

    fill_codebook(db);
    while (db_code_next(db, &code, &status, &e))
        buf_addf(&out, "%lld %.*s/%.*s/%.*s\n", (long long)code.code_id, (int)code.facet.len, code.facet.ptr,
                 (int)code.category.len, code.category.ptr != NULL ? code.category.ptr : "", (int)code.name.len,
                 code.name.ptr);
    OK(status);
    assert_string_equal(buf_cstr(&out), "1 symptom/Time/slow\n2 symptom/Memory/memory \"leak\"\n"
                                        "3 root cause/API/misuse\n4 stage//training\n5 stage//testing\n");
    buf_clear(&out);
    db_close(db);
    expect_rows(place, "SELECT * FROM code_alias", "1|lame");
    expect_rows(place, "SELECT * FROM disambiguation", "1|2|Look again.");
    expect_rows(place, "SELECT category IS NULL FROM code WHERE facet = 'stage'", "1\n1");
}

/* A code of a label; 0: it has not so many. */
static long long nth(struct db_codes codes, size_t place)
{
    return place < codes.n ? (long long)codes.ids[place] : 0;
}

struct collecting {
    struct buf out;
    size_t facet;
};

static void collect_label(struct collecting *c, const struct db_label *label)
{
    if (label->facet == c->facet)
        buf_addf(&c->out, "%.*s %lld %.*s %d %d %lld %lld\n", (int)label->subject.len, label->subject.ptr,
                 (long long)label->post_id, (int)label->coder.len, label->coder.ptr, label->coder_is_merged,
                 label->is_problem, nth(label->codes, 0), nth(label->codes, 1));
}

static void expect_labels(struct db *db, size_t facet, const char *rows)
{
    struct collecting c = {.facet = facet};
    struct db_labels walk;
    struct db_label label;

    OK(db_labels_read(&walk, db, &e));
    while (db_label_next(&walk, &label))
        collect_label(&c, &label);
    assert_string_equal(buf_cstr(&c.out), rows);
    buf_clear(&c.out);
}

static void collect_problem(struct buf *out, const struct db_problem *p)
{
    buf_addf(out, "%.*s %lld [%.*s] %lld %lld %lld %lld %lld\n", (int)p->problem_id.len, p->problem_id.ptr,
             (long long)p->post_id, (int)p->created_at.len, p->created_at.ptr != NULL ? p->created_at.ptr : "",
             nth(p->codes[INTRODUCING_STAGE], 0), nth(p->codes[EXPOSING_STAGE], 0), nth(p->codes[SYMPTOM], 0),
             nth(p->codes[SYMPTOM], 1), nth(p->codes[ROOT_CAUSE], 0));
}

static void collect_problems(struct db *db, struct buf *out)
{
    struct db_problem problem;
    enum status status = ST_OK;

    while (db_problem_next(db, &problem, &status, &e))
        collect_problem(out, &problem);
    OK(status);
}

static void expect_problems(struct db *db, const char *rows)
{
    struct buf out = {0};

    collect_problems(db, &out);
    assert_string_equal(buf_cstr(&out), rows);
    buf_clear(&out);
}

static void decisions(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf walked = {0};
    struct db_labels walk;
    struct db_label label;

    fill_codebook(db);
    OK(db_begin(db, &e));
    OK(try_judge(db, "ann", 100, true, 1));
    OK(try_judge(db, "bob", 100, false, 1));
    OK(try_judge(db, "bob", 9, true, 1));
    OK(try_judge(db, "ann", 100, false, 3));
    OK(try_judge(db, "ann", 100, true, 2)); /* comes later, and is older */
    OK(try_judge(db, "ann", 100, true, 1)); /* a second time */
    OK(try_label(db, "ann", "100_10", SYMPTOM, SLOW, LEAK, 1));
    OK(try_label(db, "merged", "100_10", SYMPTOM, LEAK, SLOW, 1));
    OK(try_label(db, "merged", "100_10", ROOT_CAUSE, MISUSE, 0, 1));
    OK(try_label(db, "merged", "100_2", INTRODUCING_STAGE, TRAINING, 0, 1));
    OK(try_label(db, "merged", "100_2", EXPOSING_STAGE, TESTING, 0, 1));
    OK(try_label(db, "merged", "100_2", EXPOSING_STAGE, TRAINING, 0, 2));
    OK(try_label(db, "merged", "9", SYMPTOM, SLOW, 0, 1));
    OK(try_label(db, "merged", "9", SYMPTOM, 0, 0, 2)); /* taken back */
    OK(db_problem_date_put(db, SPAN("9"), SPAN("2019-01-01"), &e));
    OK(db_commit(db, &e));
    expect_labels(db, IDENTIFICATION, "9 9 bob 0 1 0 0\n100 100 ann 0 0 0 0\n100 100 bob 0 0 0 0\n");
    expect_labels(db, SYMPTOM, "100_10 100 merged 1 0 2 1\n9 9 merged 1 0 0 0\n"); /* ann's later no withdrew hers */
    /* 9 has lost its last code, and is no problem any more. */
    expect_problems(db, "100_2 100 [] 4 4 0 0 0\n"
                        "100_10 100 [] 0 0 2 1 3\n");
    OK(db_labels_read(&walk, db, &e)); /* by bytes: 100_10 before 100_2 */
    while (db_label_next(&walk, &label))
        buf_addf(&walked, "%d %.*s %.*s\n", (int)label.facet, SPAN_ARG(label.subject), SPAN_ARG(label.coder));
    assert_string_equal(buf_cstr(&walked), "0 9 bob\n0 100 ann\n0 100 bob\n2 100_10 merged\n1 100_10 merged\n"
                                           "4 100_2 merged\n3 100_2 merged\n1 9 merged\n");
    buf_clear(&walked);
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM decision", "13");
    expect_rows(place, "SELECT DISTINCT value FROM decision ORDER BY 1",
                "[\"memory \\\"leak\\\"\",\"slow\"]\n[\"misuse\"]\n"
                "[\"slow\",\"memory \\\"leak\\\"\"]\n[\"slow\"]\n[\"testing\"]\n[\"training\"]\n[]\n"
                "false\ntrue");
    expect_rows(place, "SELECT DISTINCT codebook_version FROM decision", "1");
    /* printf '["ann","100","identification",true,"2020-01-01T00:00:00.000Z"]' | sha256sum */
    expect_rows(place,
                "SELECT decision_id FROM decision WHERE coder = 'ann' AND subject = '100'"
                " AND decided_at < '2020-01-02'",
                "aeb9324ecb2ec88b1b153de0ea08038b0efdfbb15517260b213980fa57176f4f");
}

static void decisions_of_now(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    setenv("PPMINE_NOW", "2020-02-29T23:59:59.999Z", 1);
    fill_codebook(db);
    OK(try_judge(db, "ann", 7, true, 0));
    OK(try_judge(db, "ann", 7, true, 0));  /* nothing new */
    OK(try_judge(db, "ann", 7, false, 0)); /* later, although the clock stands */
    OK(try_judge(db, "ann", 7, true, 0));
    OK(try_label(db, "ann", "8", SYMPTOM, SLOW, 0, 0));
    OK(try_label(db, "ann", "8", SYMPTOM, SLOW, 0, 0));
    OK(try_label(db, "ann", "8", SYMPTOM, SLOW, LEAK, 0));
    expect_labels(db, IDENTIFICATION, "7 7 ann 0 1 0 0\n");
    expect_labels(db, SYMPTOM, "8 8 ann 0 0 1 2\n");
    db_close(db);
    unsetenv("PPMINE_NOW");
    expect_rows(place, "SELECT facet, decided_at, value FROM decision ORDER BY facet, decided_at",
                "identification|2020-02-29T23:59:59.999Z|true\n"
                "identification|2020-03-01T00:00:00.000Z|false\n"
                "identification|2020-03-01T00:00:00.001Z|true\n"
                "symptom|2020-02-29T23:59:59.999Z|[\"slow\"]\n"
                "symptom|2020-03-01T00:00:00.000Z|[\"slow\",\"memory \\\"leak\\\"\"]");
}

static void refused_decisions(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct db_decision bad_date = {.coder = SPAN("ann"), .decided_at = SPAN("2020-01-01"), .post_id = 7};

    fill_codebook(db);
    assert_int_equal(try_judge(db, "eve", 7, true, 1), ST_INPUT);
    assert_non_null(strstr(e.text, "no coder 'eve'"));
    assert_int_equal(db_decision_put(db, &bad_date, &e), ST_INPUT);
    assert_non_null(strstr(e.text, "'2020-01-01' is not a time"));
    assert_int_equal(try_label(db, "ann", "", SYMPTOM, SLOW, 0, 1), ST_INPUT);
    assert_int_equal(try_label(db, "ann", "7", SYMPTOM, MISUSE, 0, 1), ST_INPUT);
    assert_non_null(strstr(e.text, "no code 3 of the facet 'symptom'"));
    assert_int_equal(try_label(db, "ann", "7", SYMPTOM, 99, 0, 1), ST_INPUT);
    assert_int_equal(try_label(db, "ann", "7", SYMPTOM, SLOW, SLOW, 1), ST_INPUT);
    assert_int_equal(try_label(db, "ann", "7", SYMPTOM, 0, SLOW, 1), ST_INPUT);
    assert_int_equal(try_label(db, "ann", "7", ROOT_CAUSE, MISUSE, MISUSE, 1), ST_INPUT);
    assert_int_equal(try_label(db, "ann", "7", EXPOSING_STAGE, TRAINING, TESTING, 1), ST_INPUT);
    assert_non_null(strstr(e.text, "at most 1 of the facet 'exposing stage'"));
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM decision", "0");
}

static void decisions_of_who_came_later(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place), *other;

    fill_codebook(db);
    OK(try_judge(db, "ann", 7, true, 1));
    other = open_db(place, DB_WRITE);
    OK(db_coder_put(other, SPAN("eve"), false, &e));
    db_close(other);
    OK(try_judge(db, "eve", 7, true, 1));
    OK(db_coder_put(db, SPAN("fay"), false, &e));
    OK(db_begin(db, &e));
    OK(db_coder_put(db, SPAN("gus"), false, &e));
    OK(try_judge(db, "gus", 7, true, 1));
    db_rollback(db);
    assert_int_equal(try_judge(db, "gus", 7, true, 1), ST_INPUT);
    OK(try_judge(db, "fay", 7, true, 1));
    expect_labels(db, IDENTIFICATION, "7 7 ann 0 1 0 0\n7 7 eve 0 1 0 0\n7 7 fay 0 1 0 0\n");
    db_close(db);
}

#define DERIVED_ROWS \
    "SELECT 'judgement', post_id, coder, is_problem, decided_at, '', '' FROM judgement" \
    " UNION ALL SELECT subject, post_id, coder, facet, place, code_id, decided_at FROM label" \
    " UNION ALL SELECT problem_id, post_id, created_at, labels, '', '', '' FROM problem" \
    " ORDER BY 1, 2, 3, 4, 5"

static void derived_rows(const struct place *place, struct buf *out)
{
    sqlite3 *handle = plain(place);

    buf_reset(out);
    query_rows(handle, DERIVED_ROWS, out);
    sqlite3_close(handle);
}

/* The next number of a fixed sequence, below n. */
static unsigned draw(unsigned n)
{
    static uint32_t state = 2020;

    state = state * 1664525 + 1013904223;
    return (state >> 16) % n;
}

static void decide_anything(struct db *db)
{
    static const char *const coders[] = {"ann", "bob", "merged", "second meeting"};
    static const char *const subjects[] = {"7", "8_1", "8_2", "10"};
    static const int64_t codes[N_FACETS][3] = {
        {0}, {0, SLOW, LEAK}, {0, MISUSE, MISUSE}, {0, TRAINING, TESTING}, {0, TRAINING, TESTING}};
    const char *coder = coders[draw(ARRAY_LEN(coders))];
    const char *subject = subjects[draw(ARRAY_LEN(subjects))];
    size_t facet = draw(N_FACETS);
    int64_t code1 = codes[facet][draw(3)];
    int n = 1 + (int)draw(9);

    if (facet == IDENTIFICATION)
        OK(try_judge(db, coder, strtol(subject, NULL, 10), draw(2) != 0, n));
    else
        OK(try_label(db, coder, subject, facet, code1, facet == SYMPTOM && code1 == SLOW && draw(2) != 0 ? LEAK : 0,
                     n));
}

/* What is kept current row by row is what comes out of all decisions at once. */
static void rebuild_changes_nothing(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf before = {0}, after = {0};

    fill_codebook(db);
    OK(db_coder_put(db, SPAN("second meeting"), true, &e));
    for (int round = 0; round < 30; round++) {
        OK(db_begin(db, &e));
        for (int i = 0; i < 20; i++)
            decide_anything(db);
        OK(db_problem_date_put(db, SPAN("8_2"), day(round + 1), &e));
        if (round % 7 == 3)
            OK(db_coder_put(db, SPAN("second meeting"), round % 2 == 0, &e));
        OK(db_commit(db, &e));
        derived_rows(place, &before);
        assert_true(before.len > 100);
        OK(db_labels_rebuild(db, &e));
        derived_rows(place, &after);
        assert_string_equal(buf_cstr(&before), buf_cstr(&after));
    }
    db_close(db);
    buf_clear(&before);
    buf_clear(&after);
}

/* An undone decision does not count, whether its undoing came before or after it. */
static void undone_decisions(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    fill_codebook(db);
    OK(try_judge(db, "ann", 7, true, 1));
    OK(try_judge(db, "ann", 7, false, 2));
    OK(try_label(db, "merged", "7", SYMPTOM, SLOW, 0, 1));
    db_close(db);
    run_sql(place, "INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value,"
                   " codebook_version, undoes) SELECT 'u' || rowid, '2020-01-09T00:00:00.000Z', coder, subject,"
                   " post_id, facet, '{\"undoes\":\"' || decision_id || '\"}', 1, decision_id FROM decision"
                   " WHERE decided_at LIKE '2020-01-02%' OR coder = 'merged'");
    db = open_db(place, DB_WRITE);
    OK(db_labels_rebuild(db, &e));
    expect_labels(db, IDENTIFICATION, "7 7 ann 0 1 0 0\n");
    expect_problems(db, "");
    db_close(db);
    run_sql(place, "DELETE FROM decision WHERE undoes IS NULL");
    db = open_db(place, DB_WRITE);
    OK(try_judge(db, "ann", 7, true, 1));
    OK(try_judge(db, "ann", 7, false, 2));
    OK(try_label(db, "merged", "7", SYMPTOM, SLOW, 0, 1));
    expect_labels(db, SYMPTOM, "");
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM problem", "0");
}

static void copy_decisions(const struct place *place, const char *from, const char *to)
{
    char sql[512];

    snprintf(sql, sizeof sql,
             "ATTACH '%s/%s' AS a; ATTACH '%s/%s' AS b;"
             "INSERT INTO b.decision SELECT * FROM a.decision WHERE 1 ON CONFLICT DO NOTHING;",
             place->folder, from, place->folder, to);
    run_sql(place, sql);
}

/* Two copies of a study, merged in either direction, are the same; and once more changes nothing. */
static void decisions_merge(void **state)
{
    static const char *const names[] = {"one", "two"};
    struct place *place = *state;
    struct buf rows[4] = {{0}};
    char path[128];

    db_close(new_db(place));
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct db *db = NULL;
        snprintf(path, sizeof path, "%s/%s", place->folder, names[i]);
        OK(study_db_create(&db, path, &e));
        fill_codebook(db);
        OK(db_coder_put(db, SPAN("second meeting"), true, &e));
        for (int n = 0; n < 60; n++)
            decide_anything(db);
        db_close(db);
    }
    copy_decisions(place, "one", "two");
    copy_decisions(place, "two", "one");
    copy_decisions(place, "one", "two");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct db *db = NULL;
        snprintf(path, sizeof path, "%s/%s", place->folder, names[i]);
        OK(db_open(&db, path, DB_WRITE, &e));
        OK(db_labels_rebuild(db, &e));
        query_rows(db->handle, DERIVED_ROWS, &rows[i]);
        query_rows(db->handle, "SELECT * FROM decision ORDER BY decision_id", &rows[i + 2]);
        db_close(db);
        unlink(path);
    }
    assert_string_equal(buf_cstr(&rows[0]), buf_cstr(&rows[1]));
    assert_string_equal(buf_cstr(&rows[2]), buf_cstr(&rows[3]));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        buf_clear(&rows[i]);
}

/* A code that has another name now is found by its old one, which is an alias. */
static void renamed_codes(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    fill_codebook(db);
    OK(try_label(db, "merged", "7", SYMPTOM, SLOW, LEAK, 1));
    db_close(db);
    run_sql(place, "UPDATE decision SET value = '[\"lame\",\"gone\"]'");
    db = open_db(place, DB_WRITE);
    OK(db_labels_rebuild(db, &e));
    expect_problems(db, "7 7 [] 0 0 1 0 0\n");
    db_close(db);
}

static void collect_assessment(struct buf *out, const struct db_assessment *a)
{
    buf_addf(out, "%.*s %.*s %.*s (%.*s)\n", (int)a->problem_id.len, a->problem_id.ptr, (int)a->approach.len,
             a->approach.ptr, (int)a->status.len, a->status.ptr, (int)a->library.len,
             a->library.ptr != NULL ? a->library.ptr : "");
}

static void assessments(void **state)
{
    static const struct db_assessment rows[] = {
        {{"100", 3}, {"xla", 3}, {"not solved", 10}, {"tf", 2}},
        {{"9_1", 3}, {"xla", 3}, {"not applied", 11}, {"", 0}},
        {{"9_1", 3}, {"profiler", 8}, {"not applied", 11}, {"", 0}},
        {{"100", 3}, {"xla", 3}, {"partially solved", 16}, {"tf", 2}},
    };
    struct db_assessment bad = {SPAN("9_1"), SPAN("xla"), SPAN("solved"), SPAN("")}, assessment;
    enum status status = ST_OK;
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        OK(db_assessment_put(db, &rows[i], &e));
    assert_int_equal(db_assessment_put(db, &bad, &e), ST_DATABASE);
    while (db_assessment_next(db, &assessment, &status, &e))
        collect_assessment(&out, &assessment);
    OK(status);
    assert_string_equal(buf_cstr(&out), "9_1 profiler not applied ()\n9_1 xla not applied ()\n"
                                        "100 xla partially solved (tf)\n");
    buf_clear(&out);
    db_close(db);
    expect_rows(place, "SELECT count(*) FROM assessment WHERE library IS NULL", "2");
}

/* --- databases of version 1 --- */

static void problem_has_tags(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct buf out = {0};

    fill_codebook(db);
    put(db, new_run(db, "x"), question(7, SPAN("b")));
    OK(try_label(db, "merged", "7", SYMPTOM, SLOW, 0, 1));
    collect_problems(db, &out);
    assert_true(span_starts(buf_span(&out), SPAN("7 7 [20"))); /* the date of the post */
    buf_clear(&out);
    db_close(db);
}

/* --- ids of several sites --- */

struct site_ids {
    struct db *db;
    int64_t last; /* that came */
    size_t n;
};

static void check_item(void *ctx, const struct db_item *item)
{
    struct site_ids *s = ctx;
    char id[POST_ID_TEXT_SIZE];

    assert_true(item->post_id > s->last);
    assert_true(span_eq(item->item_id, span_of(post_id_text(item->post_id, id))));
    s->last = item->post_id;
    s->n++;
}

static enum status check_assessment_row(void *ctx, const struct span *cells, size_t n, struct err *err)
{
    struct site_ids *s = ctx;
    int64_t id = 0, of = 0;

    (void)err;
    assert_int_equal(n, 5);
    assert_true(span_i64(cells[1], &id) && problem_id_read(cells[0], &of));
    assert_true(id == of && id > s->last);
    s->last = id;
    s->n++;
    return ST_OK;
}

/* SQL writes and reads the ids of each site as the program does, and orders them by site and number. */
static void ids_of_sites_in_sql(void **state)
{
    struct place *place = *state;
    struct site_ids items = {.db = new_db(place)}, rows = {.n = 0};
    struct buf sites = {0};
    int64_t run_id = new_run(items.db, "x");

    buf_add_text(&sites, "{");
    for (int64_t code = 0; code <= 962; code++) {
        char id[POST_ID_TEXT_SIZE], short_name[2] = "";
        int64_t post_id = study_id(code, 45 + code % 2);
        struct buf problem = {0};
        put(items.db, run_id, question(post_id, SPAN("b")));
        buf_addf(&problem, "%s_1", post_id_text(post_id, id));
        struct db_assessment assessment = {buf_span(&problem), SPAN("xla"), SPAN("not solved"), SPAN("")};
        OK(db_assessment_put(items.db, &assessment, &e));
        buf_clear(&problem);
        if (code > 0)
            buf_addf(&sites, "%s\"%.*s\":\"%d.org\"", code > 1 ? "," : "", (int)study_site_short(code, short_name),
                     short_name, (int)code);
    }
    buf_add_text(&sites, "}");
    OK(db_setting_put(items.db, "sites", buf_span(&sites), &e));
    buf_clear(&sites);
    OK(db_population_each(items.db, DB_QUESTIONS, check_item, &items, &e));
    OK(db_table_each(items.db, DB_TABLE_ASSESSMENT, check_assessment_row, &rows, &e));
    assert_int_equal(items.n, 963);
    assert_int_equal(rows.n, 963);
    db_close(items.db);
    expect_rows(place, "SELECT count(*) FROM site", "963");
    expect_rows(place,
                "SELECT group_concat(post_id || ' ' || id || ' ' || site, ', ') FROM post_site"
                " WHERE short IS NULL OR short IN ('a', 'a9', 'z9')",
                "45 45 stackoverflow.com, 9007199254741038 a:46 1.org, 333266372425416750 a9:46 37.org,"
                " 8664925683060834349 z9:45 962.org");
    expect_rows(place,
                "SELECT count(*) FROM post_site WHERE url <> 'https://' || site ||"
                " '/questions/' || number OR number NOT IN (45, 46)",
                "0");
}

/* --- what is published --- */

static enum status collect_cells(void *ctx, const struct span *cells, size_t n, struct err *error)
{
    struct buf *out = ctx;

    (void)error;
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%.*s%c", cells[i].ptr != NULL ? (int)cells[i].len : 1, cells[i].ptr != NULL ? cells[i].ptr : "-",
                 i + 1 < n ? '|' : '\n');
    return ST_OK;
}

static enum status give_up(void *ctx, const struct span *cells, size_t n, struct err *error)
{
    (void)cells;
    (void)n;
    ++*(int *)ctx;
    return err_set(error, ST_IO, "enough");
}

/* A name or link that the API leaves out is kept: the licence asks for both. */
static void an_author_keeps_name_and_link(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct span none = {0};

    OK(db_author_put(db, 7, SPAN("Ann"), SPAN("https://example.org/7"), 1, &e));
    OK(db_author_put(db, 7, SPAN("Anna"), none, 1, &e));
    OK(db_author_put(db, 7, none, none, 1, &e));
    OK(db_author_put(db, 8, none, SPAN("https://example.org/8"), 1, &e));
    OK(db_author_put(db, 8, SPAN("Bo"), none, 1, &e));
    db_close(db);
    expect_rows(place, "SELECT user_id, display_name, link FROM author ORDER BY 1",
                "7|Anna|https://example.org/7\n8|Bo|https://example.org/8");
}

static void tables_that_are_published(void **state)
{
    struct db *db = new_db(*state);
    struct buf out = {0};
    int rows = 0;

    OK(db_setting_put(db, "b", SPAN("2"), &e));
    OK(db_setting_put(db, "a", SPAN("1"), &e));
    new_run(db, "/home/me/x y/Posts.xml");
    new_run(db, "https://example.org/a/b");
    new_run(db, NULL);
    assert_string_equal(db_table_column(db, DB_TABLE_SETTINGS, 1), "value");
    assert_null(db_table_column(db, DB_TABLE_SETTINGS, 2));
    OK(db_table_each(db, DB_TABLE_SETTINGS, collect_cells, &out, &e));
    assert_string_equal(buf_cstr(&out), "a|1\nb|2\n");
    buf_reset(&out);
    OK(db_table_each(db, DB_TABLE_RUNS, collect_cells, &out, &e));
    assert_non_null(strstr(buf_cstr(&out), "{\"x\":1}|Posts.xml|"));
    assert_non_null(strstr(buf_cstr(&out), "|https://example.org/a/b|"));
    assert_null(strstr(buf_cstr(&out), "home"));
    assert_int_equal(db_table_each(db, DB_TABLE_SETTINGS, give_up, &rows, &e), ST_IO);
    assert_int_equal(rows, 1);
    assert_int_equal(db_table_each(db, DB_TABLE_SETTINGS, give_up, &rows, &e), ST_IO);
    assert_int_equal(rows, 2); /* from the beginning again */
    buf_clear(&out);
    db_close(db);
}

static void copy_without_what_is_private(void **state)
{
    const struct place *place = *state;
    struct db *db = new_db(place), *copy = NULL;
    struct toy toy = {0}, other = {0};
    struct db_text text = toy_text(&toy), other_text = toy_text(&other);
    struct buf path = {0}, bytes = {0};

    OK(db_use_text(db, &other_text, &e));
    fill_posts(db);
    derive(db, true);
    put(db, new_run(db, "x"), question(7, SPAN("MARKBODY")));
    OK(db_coder_put(db, SPAN("ann"), false, &e));
    OK(db_note_put(db, DB_NOTE, &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("7"), .text = SPAN("MARKNOTE")},
                   7, &e));
    OK(db_note_put(db, DB_MESSAGE,
                   &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("7"), .text = SPAN("MARKMESSAGE")}, 7, &e));
    OK(memo_record(db, &(struct memo){.coder = SPAN("ann"), .text = SPAN("MARKMEMO")}, (struct span){0}, &e));
    buf_addf(&path, "%s/none/copy.db", place->folder);
    assert_int_equal(db_copy(db, buf_cstr(&path), &e), ST_IO);
    buf_reset(&path);
    buf_addf(&path, "%s/file:copy?mode=ro.db", place->folder); /* a name like any other */
    OK(db_copy(db, buf_cstr(&path), &e));
    OK(db_open(&copy, buf_cstr(&path), DB_COPY, &e));
    OK(db_use_text(copy, &text, &e));
    OK(db_copy_strip(copy, false, false, &e));
    db_close(copy);
    OK(db_note_put(db, DB_NOTE,
                   &(struct db_note){.coder = SPAN("ann"), .subject = SPAN("7"), .text = SPAN("still open")}, 7, &e));
    db_close(db);
    OK(file_read(buf_cstr(&path), 1 << 24, &bytes, &e));
    assert_true(span_find(buf_span(&bytes), SPAN("MARK")) == SIZE_MAX);
    assert_true(span_find(buf_span(&bytes), SPAN("it runs out of")) == SIZE_MAX); /* a text */
    assert_true(span_find(buf_span(&bytes), SPAN("post_search_data")) == SIZE_MAX);
    assert_int_equal(bytes.ptr[18], 1); /* no log beside it */
    assert_int_equal(unlink(buf_cstr(&path)), 0);
    buf_clear(&path);
    buf_clear(&bytes);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(runs_no_trigger),
        TEST(refuses_changed_tables),
        TEST(refuses_tables_changed_since),
        TEST(stores_nothing_in_a_file_that_moved),
        TEST(says_what_was_not_stored),
        TEST(ends_a_statement_without_end),
        TEST(create_and_open),
        TEST(create_over_an_empty_file),
        TEST(missing_file),
        TEST(missing_folder),
        TEST(not_a_database),
        TEST(database_of_another_program),
        TEST(other_versions),
        TEST(damaged_file),
        TEST(locked_by_another),
        TEST(reading_writes_nothing),
        TEST(without_permission),
        TEST(no_room_to_write),
        TEST(study),
        TEST(unchanged_study_file_keeps_its_date),
        TEST(sha256_vectors),
        TEST(put_new_and_same),
        TEST(put_changed),
        TEST(put_older),
        TEST(order_makes_no_difference),
        TEST(an_edit_taken_back_is_no_revision),
        TEST(absent_values),
        TEST(editor_of_another_edit),
        TEST(finer_dates_stay),
        TEST(reading_posts),
        TEST(filling_an_empty_database),
        TEST(filling_while_others_read),
        TEST(candidates),
        TEST(full_text),
        TEST(functions_without_keyword_set),
        TEST(functions_use_the_study),
        TEST(keeps_facts_of_candidates),
        TEST(derived_is_cleared_without_stems),
        TEST(view_columns),
        TEST(label_views),
        TEST(codebook),
        TEST(decisions),
        TEST(decisions_of_now),
        TEST(refused_decisions),
        TEST(decisions_of_who_came_later),
        TEST(rebuild_changes_nothing),
        TEST(undone_decisions),
        TEST(decisions_merge),
        TEST(renamed_codes),
        TEST(assessments),
        TEST(problem_has_tags),
        TEST(ids_of_sites_in_sql),
        TEST(an_author_keeps_name_and_link),
        TEST(tables_that_are_published),
        TEST(copy_without_what_is_private),
    };

    return cmocka_run_group_tests_name("db", tests, NULL, NULL);
}
