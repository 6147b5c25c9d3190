/* Matching a database: whatever the number of threads and the size of the index's parts, what is written is the
 * same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/facet_table.h"
#include "match/corpus/derived.h"
#include "db/posts.h"
#include "db/sql.h" /* and with it sqlite3.h: the test reads as a user's shell does */
#include "db/study.h"
#include "match/corpus/mine.h"
#include "base/random.h"

enum { POSTS = 4000 };

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

struct place {
    char folder[64], file[96];
    struct db *db;
};

/* --- posts of words that are frequent and rare, short and long, with hits and facts --- */

static void add_word(struct buf *out, struct random *random)
{
    /* clang-format off */
    static const char *const frequent[] = {
        "slow", "Slow", "slower", "the", "loop", "training", "<b>memory</b>", "leak", "na\u00EFve", "\u738b", "GPU",
        "tensorflow 1.15", "batch size 64", "RTX 2080", "Tesla K80", "<pre>slow code</pre>", "fifteenletters1",
        "sixteen_letters1", "sixteenletters16", "sixteenletters17", "seventeenletters1", "seventeenletters2"
    };
    /* clang-format on */
    uint64_t kind = random_below(random, 10);

    if (kind < 7)
        buf_add_text(out, frequent[random_below(random, ARRAY_LEN(frequent))]);
    else if (kind < 9)
        buf_addf(out, "w%d", (int)random_below(random, 30000)); /* more than there are places for frequent words */
    else
        buf_addf(out, "longwordlongword%d", (int)random_below(random, 1000));
    buf_add_text(out, random_below(random, 9) == 0 ? "<p>" : " ");
}

static void put_posts(struct db *db)
{
    struct db_run run = {.command = "load", .parameters = SPAN("{}")};
    struct buf title = {0}, body = {0};
    struct random random;
    int64_t run_id;

    random_seed(&random, 7);
    OK(db_run_begin(db, &run, &run_id, &e));
    for (int64_t id = 1; id <= POSTS; id++) {
        struct post post = post_empty();
        enum db_put what;
        buf_reset(&title);
        buf_reset(&body);
        for (uint64_t n = random_below(&random, 8); n > 0; n--)
            add_word(&title, &random);
        for (uint64_t n = random_below(&random, 60); n > 0; n--)
            add_word(&body, &random);
        post.post_id = id * 3;
        post.type = id % 3 == 0 ? POST_ANSWER : POST_QUESTION;
        post.title = id % 3 == 0 ? (struct span){0} : span_of(buf_cstr(&title));
        post.body_html = span_of(buf_cstr(&body));
        OK(db_post_put(db, &post, &(struct db_origin){.run_id = run_id}, &what, &e));
    }
    buf_clear(&title);
    buf_clear(&body);
}

static int set_up(void **state)
{
    struct place *place = mem_zero(1, sizeof *place);
    struct study study;

    snprintf(place->folder, sizeof place->folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/x.db", place->folder);
    OK(study_db_create(&place->db, place->file, &e));
    OK(db_begin(place->db, &e));
    OK(study_load(&study, NULL, &e));
    for (size_t i = 0; i < study.n_files; i++)
        OK(db_study_file_put(place->db, study.files[i].name, study.files[i].content, &e));
    study_clear(&study);
    put_posts(place->db);
    OK(db_commit(place->db, &e));
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};

    db_close(place->db);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", place->file, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    mem_free(place);
    return 0;
}

/* --- what was written --- */

static void add_rows(sqlite3 *handle, const char *sql, struct buf *out)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    buf_addf(out, "%s\n", sql);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            const char *text = (const char *)sqlite3_column_text(stmt, i);
            buf_addf(out, "%s|", text != NULL ? text : "NULL");
        }
        buf_add_char(out, '\n');
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
}

static void read_all(const struct place *place, struct buf *out)
{
    /* clang-format off */
    static const char *const queries[] = {
        "SELECT * FROM keyword", "SELECT * FROM post_text", "SELECT * FROM hit", "SELECT * FROM candidate_post",
        "SELECT * FROM post_fact", "SELECT id, hex(sz) FROM post_search_docsize",
        "SELECT hex(block) FROM post_search_data WHERE id = 1", "SELECT * FROM words",
        "SELECT rowid, rank FROM post_search WHERE post_search MATCH 'slow OR w7' ORDER BY rowid",
    };
    /* clang-format on */
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open_v2(place->file, &handle, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(handle,
                     "CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, post_search, instance);"
                     "INSERT INTO post_search (post_search) VALUES ('integrity-check')",
                     NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(handle));
    buf_reset(out);
    for (size_t i = 0; i < ARRAY_LEN(queries); i++)
        add_rows(handle, queries[i], out);
    sqlite3_close(handle);
}

/* Facts are those of the post itself, and each candidate that names a GPU has one. */
static void check_facts(const struct place *place)
{
    struct buf rows = {0};
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open_v2(place->file, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    add_rows(handle,
             "SELECT count(*) FROM post_fact JOIN post USING (post_id)"
             " WHERE instr(ifnull(title, '') || body_html, value) = 0"
             " UNION ALL SELECT count(*) FROM post_fact WHERE post_id NOT IN (SELECT post_id FROM candidate_post)"
             " UNION ALL SELECT count(*) FROM candidate_post JOIN post USING (post_id)"
             " WHERE body_html LIKE '%Tesla K80%'"
             " AND post_id NOT IN (SELECT post_id FROM post_fact WHERE value = 'Tesla K80')"
             " UNION ALL SELECT count(*) FROM pragma_foreign_key_check",
             &rows);
    assert_non_null(strstr(buf_cstr(&rows), "\n0|\n0|\n0|\n0|\n"));
    sqlite3_close(handle);
    buf_clear(&rows);
}

/* Match does without it, and nobody else. */
static void references_are_checked_again(struct db *db)
{
    struct db_hit hit = {.post_id = 1, .field = "body", .keyword_id = 1}; /* there is no post 1 */

    assert_int_equal(db_hit_put(db, &hit, &e), ST_DATABASE);
}

static void any_number_of_threads(void **state)
{
    struct place *place = *state;
    static const unsigned threads[] = {1, 2, 3, 7};
    struct buf first = {0}, other = {0};

    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        struct mine_how how = {.threads = threads[i]};
        struct mine_counts counts;
        OK(mine_database(place->db, &how, &counts, &e));
        assert_true(counts.posts == POSTS && counts.hits > 1000 && counts.candidates > 500 && counts.facts > 500);
        check_facts(place);
        references_are_checked_again(place->db);
        read_all(place, i == 0 ? &first : &other);
        if (i > 0 && !span_eq(buf_span(&first), buf_span(&other)))
            fail_msg("%u threads: something else is written", how.threads);
    }
    buf_clear(&first);
    buf_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(any_number_of_threads, set_up, tear_down)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
