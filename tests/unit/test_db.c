#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/sql.h" /* and with it sqlite3.h: the tests read as a user's shell does */
#include "db/text.h"

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

static void refuses(const struct place *place, enum db_mode mode, const char *words)
{
    struct db *db = NULL;

    assert_int_equal(db_open(&db, place->file, mode, &e), ST_DATABASE);
    assert_null(db);
    assert_non_null(strstr(e.text, place->file));
    if (strstr(e.text, words) == NULL)
        fail_msg("\"%s\" is not in: %s", words, e.text);
}

static int64_t new_run(struct db *db, const char *source)
{
    struct db_run run = {.command = "load", .parameters = SPAN("{\"x\":1}"),
                         .source = span_of(source)};
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
    assert_int_equal(sqlite3_open_v2(uri, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL),
                     SQLITE_OK);
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

/* --- opening --- */

static void create_and_open(void **state)
{
    struct place *place = *state;

    db_close(open_db(place, DB_CREATE));
    expect_rows(place, "SELECT * FROM pragma_journal_mode, pragma_application_id,"
                       " pragma_user_version", "wal|1886416233|1");
    refuses(place, DB_CREATE, "exists already");
    db_close(open_db(place, DB_WRITE));
    db_close(open_db(place, DB_READ));
}

static void create_over_an_empty_file(void **state)
{
    struct place *place = *state;

    write_file(place->file, "");
    refuses(place, DB_WRITE, "empty");
    db_close(open_db(place, DB_CREATE));
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
    refuses(&inside, DB_CREATE, "folder");
}

static void not_a_database(void **state)
{
    struct place *place = *state;

    write_file(place->file, "These are 100 bytes that no database begins with, and some more of"
                            " them, so that they are more than a header has.");
    refuses(place, DB_READ, "not an SQLite database");
    refuses(place, DB_WRITE, "not an SQLite database");
    refuses(place, DB_CREATE, "exists already");
}

static void database_of_another_program(void **state)
{
    struct place *place = *state;

    write_file(place->file, "");
    run_sql(place, "CREATE TABLE t (x); PRAGMA application_id = 7");
    refuses(place, DB_READ, "another program");
    refuses(place, DB_WRITE, "another program");
    refuses(place, DB_CREATE, "exists already");
}

static void other_versions(void **state)
{
    struct place *place = *state;

    db_close(open_db(place, DB_CREATE));
    run_sql(place, "PRAGMA user_version = 2");
    refuses(place, DB_READ, "newer ppmine");
    refuses(place, DB_WRITE, "newer ppmine");
    run_sql(place, "PRAGMA user_version = 0");
    refuses(place, DB_READ, "older ppmine");
    refuses(place, DB_WRITE, "schema version 0 is unknown");
    expect_rows(place, "PRAGMA user_version", "0"); /* nothing was changed */
}

static void damaged_file(void **state)
{
    struct place *place = *state;
    static const char junk[16384] = "junk";

    db_close(open_db(place, DB_CREATE));
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
    struct db *a = open_db(place, DB_CREATE);
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

    db_close(open_db(place, DB_CREATE));
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

    db_close(open_db(place, DB_CREATE));
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

/* A full disk cannot be had without root; a limit on the size of files is much like it. */
static void no_room_to_write(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    struct rlimit before, small = {64 * 1024, RLIM_INFINITY};
    char *value = mem_zero(1, 1 << 20);
    struct span megabyte = {value, 1 << 20};

    memset(value, 'x', megabyte.len);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    enum status status = db_setting_put(db, "a", megabyte, &e);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, ST_DATABASE);
    assert_non_null(strstr(e.text, "no space left"));
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
    struct db *db = open_db(place, DB_CREATE);
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
    struct db *db = open_db(place, DB_CREATE);

    setenv("PPMINE_NOW", "2026-01-01T00:00:00.000Z", 1);
    OK(db_study_file_put(db, SPAN("a"), SPAN("one"), &e));
    setenv("PPMINE_NOW", "2026-02-02T00:00:00.000Z", 1);
    OK(db_study_file_put(db, SPAN("a"), SPAN("one"), &e));
    OK(db_study_file_put(db, SPAN("b"), SPAN("abc"), &e));
    unsetenv("PPMINE_NOW");
    db_close(db);
    expect_rows(place, "SELECT changed_at FROM study_file",
                "2026-01-01T00:00:00.000Z\n2026-02-02T00:00:00.000Z");
}

static void sha256_vectors(void **state)
{
    char out[SHA256_TEXT_SIZE];

    (void)state;
    db_sha256(SPAN("abc"), out);
    assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    db_sha256((struct span){0}, out);
    assert_string_equal(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    db_sha256(SPAN("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), out);
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

    OK(db_post_put(db, &post, run_id, &what, &e));
    return what;
}

static void put_new_and_same(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    int64_t first = new_run(db, "one.xml");
    struct post p = question(7, SPAN("<p>body</p>"));

    p.view_count = 9;
    p.owner_display_name = SPAN("Ann");
    assert_int_equal(put(db, first, p), DB_PUT_NEW);
    assert_int_equal(put(db, new_run(db, "two.xml"), p), DB_PUT_SAME);
    db_close(db);
    expect_rows(place, "SELECT post_id, post_type, parent_id, title, score, view_count, created_at,"
                       " owner_display_name, first_run_id, run_id, body_html, body_sha256"
                       " FROM post",
                "7|question||Slow training|5|9|2018-01-01T01:02:03.456Z|Ann|1|1|<p>body</p>|"
                "3f1c9112099c37212c36275efee7d5af85eb2ded958ecd75ad3a74a607830370");
    expect_rows(place, "SELECT count(*) FROM revision", "0");
}

static void put_changed(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
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
    expect_rows(place, "SELECT source, command, first_loaded_at <= loaded_at, content_license"
                       " FROM post_provenance", "three.xml|load|1|CC BY-SA 3.0");
    expect_rows(place, "SELECT outcome, counts, finished_at >= started_at, tool_version FROM run"
                       " WHERE run_id = 3", "ok|{\"changed\":1}|1|" PPMINE_VERSION);
}

static void put_older(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    struct post old = question(7, SPAN("old"));

    old.view_count = 3; /* a gap that the newer one leaves */
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
    struct post versions[] = {
        question(1, SPAN("A")),
        edited(1, SPAN("B"), DAY(3)),
        edited(1, SPAN("A"), DAY(5)),
        edited(1, SPAN("C"), DAY(7)),
    };
    struct db *db = open_db(place, DB_CREATE);
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
    expect_rows(place, "SELECT body_html, title, tags, last_edited_at, count(*) FROM post"
                       " GROUP BY 1, 2, 3, 4",
                "C|Slow training|[\"tensorflow\",\"keras\"]|2018-01-07T01:02:03.456Z|24");
    expect_rows(place, "SELECT body_html, title, edited_at, count(*) FROM revision"
                       " GROUP BY 1, 2, 3",
                "A|Slow training|2018-01-05T01:02:03.456Z|24\n"
                "B|Another title|2018-01-03T01:02:03.456Z|24");
}

static void an_edit_taken_back_is_no_revision(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
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
    struct db *db = open_db(place, DB_CREATE);
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
    expect_rows(place, "SELECT title, view_count, favorite_count, accepted_answer_id,"
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

/* The API's dates are in seconds. */
static void finer_dates_stay(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
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
             post->title.len > 0 ? post->title.ptr : "", (int)post->body_html.len,
             post->body_html.ptr);
    return post->post_id == 2 ? err_set(err, ST_NO, "enough") : ST_OK;
}

static void reading_posts(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
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
    assert_int_equal(db_post_put(db, &nothing, run_id, &what, &e), ST_INPUT);
    buf_clear(&out);
    db_close(db);
    expect_rows(place, "SELECT post_type FROM post ORDER BY post_id",
                "tag_wiki_excerpt\nquestion\nanswer\ntype_99");
    expect_rows(place, "SELECT tag FROM post_tag WHERE post_id = 2", "tensorflow\nkeras");
}

static void filling_an_empty_database(void **state)
{
    struct place *place = *state;

    db_close(open_db(place, DB_CREATE));
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

    db_close(open_db(place, DB_CREATE));
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

static int toy_tokens(void *ctx, struct span text,
                      int (*each)(void *, struct span, size_t, size_t), void *each_ctx)
{
    size_t i = 0;

    (void)ctx;
    while (i < text.len) {
        size_t start = i;
        while (i < text.len && text.ptr[i] >= 'a' && text.ptr[i] <= 'z')
            i++;
        size_t len = i - start;
        int status = len == 0 ? 0 : each(each_ctx, (struct span){text.ptr + start,
                                                                 len < 3 ? len : 3}, start, i);
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

static void add_hit(struct db *db, int64_t post_id, const char *field, int64_t start,
                    int64_t keyword)
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
    OK(db_commit(db, &e));
}

static void collect_candidate(void *ctx, const struct db_candidate *c)
{
    buf_addf(ctx, "%lld %.*s %.*s %lld %.*s;", (long long)c->post_id, (int)c->title.len,
             c->title.ptr, (int)c->url.len, c->url.ptr, (long long)c->n_hits, (int)c->keywords.len,
             c->keywords.ptr);
}

static void collect_keyword(void *ctx, const struct db_keyword *k, int64_t candidates,
                            int64_t posts, int64_t hits)
{
    buf_addf(ctx, "%.*s %s %lld %lld %lld;", (int)k->keyword.len, k->keyword.ptr,
             k->dead.ptr != NULL ? "dead" : "alive", (long long)candidates, (long long)posts,
             (long long)hits);
}

static void candidates(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    struct toy toy = {0};
    struct db_text text = toy_text(&toy);
    struct buf out = {0};
    int64_t n;

    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    OK(db_candidate_each(db, -1, collect_candidate, &out, &e));
    assert_string_equal(buf_cstr(&out),
                        "1 Slow training https://stackoverflow.com/questions/1 3 slow, run out;");
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
    assert_string_equal(buf_cstr(&out),
                        "1 Slow training https://stackoverflow.com/questions/1 3 slow, run out;");
    buf_clear(&out);
    expect_rows(place, "SELECT post_id, title, url, n_hits, keywords FROM candidate"
                       " WHERE post_id = 2",
                "2|Slow training|https://stackoverflow.com/a/2|1|run out");
    expect_rows(place, "SELECT * FROM keyword_count", "slow|1|1|2\nhangs|0|0|0\nrun out|2|2|2");
}

static void full_text(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    struct toy toy = {0}, other = {.keywords = "default"};
    struct db_text text = toy_text(&toy), other_text = toy_text(&other);
    struct buf out = {0};

    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    db_close(db);
    sqlite3 *handle = plain(place);
    assert_int_equal(text_register(handle, &other_text), SQLITE_OK);
    query_rows(handle, "SELECT rowid, snippet(post_search, 0, '[', ']', '', 9) FROM post_search"
                       " WHERE post_search MATCH 'slowest'", &out);
    query_rows(handle, "SELECT rowid FROM post_search WHERE post_search MATCH '\"run out\"'", &out);
    query_rows(handle, "SELECT stem('batches are large'), stem(NULL) IS NULL, keyword_hits('abc')",
               &out);
    sqlite3_close(handle);
    assert_string_equal(buf_cstr(&out), "1|[slowly] training\n1\nbat are lar|1|[\"default\",3]");
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
    struct db *db = open_db(place, DB_CREATE);
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

static void derived_needs_the_tokenizer(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place, DB_CREATE);
    struct toy toy = {0};
    struct db_text text = toy_text(&toy);

    OK(db_derived_clear(db, &e)); /* nothing there yet */
    assert_int_equal(db_derived_finish(db, false, &e), ST_DATABASE);
    fill_posts(db);
    OK(db_use_text(db, &text, &e));
    derive(db, false);
    db_close(db);
    db = open_db(place, DB_WRITE);
    assert_int_equal(db_derived_clear(db, &e), ST_DATABASE);
    assert_non_null(strstr(e.text, "tokenizer"));
    db_close(db);
}

/* --- the stored contract --- */

static void view_columns(void **state)
{
    static const struct {
        const char *view, *columns;
    } views[] = {
        {"site", "base_url"},
        {"candidate", "post_id,title,url,created_at,n_hits,keywords"},
        {"problem_label", "problem_id,post_id,url,created_at,introducing_stage,exposing_stage,"
                          "symptom1,symptom2,root_cause"},
        {"symptom_count", "category,code,n,share"},
        {"root_cause_count", "category,code,n,share"},
        {"stage_count", "role,stage,n,share"},
        {"post_tag", "post_id,tag"},
        {"keyword_count", "keyword,candidates,posts,hits"},
        {"post_provenance", "post_id,url,author,author_url,content_license,source,command,"
                            "parameters,tool_version,loaded_at,first_loaded_at,body_sha256"},
    };
    struct place *place = *state;

    db_close(open_db(place, DB_CREATE));
    for (size_t i = 0; i < ARRAY_LEN(views); i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT group_concat(name) FROM pragma_table_info('%s')",
                 views[i].view);
        expect_rows(place, sql, views[i].columns);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", views[i].view);
        expect_rows(place, sql, i == 0 ? "1" : "0");
    }
    expect_rows(place, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'", "9");
    expect_rows(place, "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict"
                       " AND name NOT LIKE 'sqlite%'", "");
}

static void label_views(void **state)
{
    struct place *place = *state;

    db_close(open_db(place, DB_CREATE));
    run_sql(place,
            "INSERT INTO code (code_id, facet, category, name) VALUES"
            " (1, 'symptom', 'Time', 'slow'), (2, 'symptom', 'Memory', 'out of memory'),"
            " (3, 'root cause', 'API', 'inefficient API'), (4, 'stage', NULL, 'training');"
            "INSERT INTO problem VALUES"
            " ('10_1', 10, '2020-01-01T00:00:00.000Z', 4, 4, 1, 2, 3),"
            " ('10_2', 10, NULL, 4, NULL, 1, NULL, 3), ('11', 11, NULL, 4, NULL, 2, NULL, NULL);"
            "INSERT INTO coder VALUES ('a', 0), ('merged', 1);"
            "INSERT INTO judgement VALUES (10, 'a', 1, NULL), (10, 'merged', 1, NULL)");
    expect_rows(place, "SELECT * FROM problem_label WHERE problem_id = '10_1'",
                "10_1|10|https://stackoverflow.com/questions/10|2020-01-01T00:00:00.000Z|training|"
                "training|slow|out of memory|inefficient API");
    expect_rows(place, "SELECT category, code, n, round(share, 3) FROM symptom_count",
                "Time|slow|2|0.667\nMemory|out of memory|1|0.333");
    expect_rows(place, "SELECT * FROM root_cause_count", "API|inefficient API|2|1.0");
    expect_rows(place, "SELECT * FROM stage_count",
                "introducing|training|3|1.0\nexposing|training|1|1.0");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        TEST(finer_dates_stay),
        TEST(reading_posts),
        TEST(filling_an_empty_database),
        TEST(filling_while_others_read),
        TEST(candidates),
        TEST(full_text),
        TEST(functions_without_keyword_set),
        TEST(functions_use_the_study),
        TEST(derived_needs_the_tokenizer),
        TEST(view_columns),
        TEST(label_views),
    };

    return cmocka_run_group_tests_name("db", tests, NULL, NULL);
}
