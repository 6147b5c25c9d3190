/* Merging the copies of two coders: any order gives the same database. */
#include "label/facet_table.h"
#include "label/code_table.h"
#include "label/coding/decisions.h"
#include "label/coding/disputes.h"
#include "label/merge/merge.h"
#include "db/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/files.h"
#include "db/sql.h" /* and with it sqlite3.h */

/* --- two copies of a study --- */

struct place {
    char folder[64];
    char ours[96], theirs[96];
    struct db *db;
};

enum { SLOW = 1, HANG, LEAK, TRAINING };

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

static struct db *open_db(const char *path, enum db_mode mode)
{
    struct db *db = NULL;

    OK(db_open(&db, path, mode, &e));
    assert_non_null(db);
    return db;
}

static struct db *new_db(const char *path)
{
    struct db *db = NULL;

    OK(study_db_create(&db, path, &e));
    return db;
}

static void fill(const char *path, const char *coder)
{
    const struct db_code codes[] = {
        {.facet = SPAN("symptom"), .name = SPAN("slow")},
        {.facet = SPAN("symptom"), .name = SPAN("hang")},
        {.facet = SPAN("symptom"), .name = SPAN("leak")},
        {.facet = SPAN("stage"), .name = SPAN("training")},
    };
    struct db *db = new_db(path);
    int64_t id;

    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        OK(db_code_put(db, &codes[i], &id, &e));
        assert_int_equal(id, i + 1);
    }
    OK(db_setting_put(db, "name", SPAN("two copies"), &e));
    OK(db_setting_put(db, "codebook_version", SPAN("1"), &e));
    OK(db_coder_put(db, span_of(coder), false, &e));
    db_close(db);
}

static int set_up(void **state)
{
    struct place *place = mem_zero(1, sizeof *place);

    snprintf(place->folder, sizeof place->folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->ours, sizeof place->ours, "%s/ours.db", place->folder);
    snprintf(place->theirs, sizeof place->theirs, "%s/their?s%%20#.db", place->folder);
    setenv("PPMINE_BUSY_TIMEOUT_MS", "0", 1);
    setenv("PPMINE_NOW", "2026-01-02T03:04:05.000Z", 1);
    fill(place->ours, "ann");
    fill(place->theirs, "bob");
    place->db = open_db(place->ours, DB_WRITE);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    static const char *const endings[] = {"", "-wal", "-shm"};

    db_close(place->db);
    for (size_t i = 0; i < 2 * ARRAY_LEN(endings); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", i % 2 ? place->ours : place->theirs, endings[i / 2]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    unsetenv("PPMINE_NOW");
    mem_free(place);
    return 0;
}

enum { SYMPTOM = FACET_JUDGES + 1 }; /* of a new database */

static void label(struct db *db, const char *coder, const char *subject, int64_t code1, int64_t code2, const char *at)
{
    int64_t ids[] = {code1, code2};
    struct db_decision decision = {
        .coder = span_of(coder),
        .subject = span_of(subject),
        .post_id = strtol(subject, NULL, 10),
        .facet = SYMPTOM,
        .codes = {ids, code2 != 0 ? 2 : code1 != 0},
        .decided_at = span_of(at),
    };

    if (at == NULL)
        decision.decided_at = (struct span){0};
    OK(db_decision_put(db, &decision, &e));
}

static void label_there(const struct place *place, const char *coder, const char *subject, int64_t code1,
                        const char *at)
{
    struct db *db = open_db(place->theirs, DB_WRITE);

    OK(db_coder_put(db, span_of(coder), false, &e));
    label(db, coder, subject, code1, 0, at);
    db_close(db);
}

static int64_t count(struct db *db, const char *sql)
{
    int64_t n;

    OK(sql_integers(db, sql, &n, 1, &e));
    return n;
}

/* Row after row "coder new known notes". */
static void expect_merge(struct place *place, struct db_merge_how how, const char *rows)
{
    struct db_merged merged;
    struct buf out = {0};

    OK(db_merge(place->db, place->theirs, &how, &merged, &e));
    for (size_t i = 0; i < merged.coders.n; i++)
        buf_addf(&out, "%.*s %lld %lld %lld\n", (int)merged.coders.at[i].coder.len, merged.coders.at[i].coder.ptr,
                 (long long)merged.coders.at[i].new_decisions, (long long)merged.coders.at[i].known_decisions,
                 (long long)merged.coders.at[i].new_notes);
    assert_string_equal(buf_cstr(&out), rows);
    assert_int_equal(merged.codebook, DB_CODEBOOK_SAME);
    buf_clear(&out);
    db_merged_clear(&merged);
}

static void refuses(struct place *place, enum status expected, const char *words)
{
    struct db_merge_how how = {0};
    struct db_merged merged;

    assert_int_equal(db_merge(place->db, place->theirs, &how, &merged, &e), expected);
    assert_non_null(strstr(e.text, place->theirs));
    if (strstr(e.text, words) == NULL)
        fail_msg("\"%s\" is not in: %s", words, e.text);
    db_merged_clear(&merged);
}

static void change_there(const struct place *place, const char *sql)
{
    struct db *db = open_db(place->theirs, DB_WRITE);

    OK(sql_exec(db, sql, &e));
    db_close(db);
}

/* --- merging --- */

static void merges_and_again(void **state)
{
    struct place *place = *state;

    label(place->db, "ann", "7", SLOW, 0, NULL);
    label_there(place, "bob", "7", HANG, NULL);
    label_there(place, "bob", "8_1", LEAK, NULL);
    expect_merge(place, (struct db_merge_how){.dry_run = true}, "bob 2 0 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM decision"), 1);
    assert_int_equal(count(place->db, "SELECT count(*) FROM label"), 1);
    expect_merge(place, (struct db_merge_how){0}, "bob 2 0 0\n");
    expect_merge(place, (struct db_merge_how){0}, "bob 0 2 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM label WHERE code_id IS NOT NULL"), 3);
    /* The connection is as it was: it writes, and what was merged counts. */
    label(place->db, "bob", "7", SLOW, 0, NULL);
    assert_int_equal(count(place->db, "SELECT code_id FROM label WHERE coder = 'bob'"
                                      " AND subject = '7'"),
                     SLOW);
}

static void notes_come_unless_they_stay(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place->theirs, DB_WRITE);

    OK(db_note_put(db, DB_NOTE,
                   &(struct db_note){.coder = SPAN("bob"), .subject = SPAN("7_2"), .text = SPAN("a \"word\"\nof mine")},
                   7, &e));
    db_close(db);
    expect_merge(place, (struct db_merge_how){.no_notes = true}, "bob 0 0 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM note"), 0);
    expect_merge(place, (struct db_merge_how){0}, "bob 0 0 1\n");
    expect_merge(place, (struct db_merge_how){0}, "bob 0 0 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM note WHERE subject = '7_2'"), 1);
}

static void messages_come_also_without_notes(void **state)
{
    struct place *place = *state;
    struct db *db = open_db(place->theirs, DB_WRITE);

    OK(db_note_put(
        db, DB_MESSAGE,
        &(struct db_note){.coder = SPAN("bob"), .subject = SPAN("7_2"), .text = SPAN("look at the \"log\"\n")}, 7, &e));
    db_close(db);
    expect_merge(place, (struct db_merge_how){.no_notes = true}, "bob 0 0 0\n");
    expect_merge(place, (struct db_merge_how){0}, "bob 0 0 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM message WHERE subject = '7_2'"), 1);
    change_there(place, "UPDATE message SET text = 'x'");
    refuses(place, ST_INPUT, "the id is not that of its content");
}

static void a_refused_file_leaves_nothing(void **state)
{
    struct place *place = *state;

    label_there(place, "bob", "7", HANG, NULL);
    label_there(place, "bob", "8", HANG, NULL);
    change_there(place, "UPDATE decision SET value = '[\"slow\"]' WHERE subject = '8'");
    for (int i = 0; i < 3; i++) /* it is detached each time */
        refuses(place, ST_INPUT, "the id is not that of its content");
    assert_int_equal(count(place->db, "SELECT count(*) FROM decision"), 0);
    assert_int_equal(count(place->db, "SELECT count(*) FROM coder"), 1);
    change_there(place, "DELETE FROM decision WHERE subject = '8'");
    expect_merge(place, (struct db_merge_how){0}, "bob 1 0 0\n");
}

/* Without a word of db/, which would not open what comes of it. */
static void change_there_by_hand(const struct place *place, const char *sql)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open(place->theirs, &handle), SQLITE_OK);
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

/* A view, a virtual table and a computed column run what the file says. None of these has columns that are
 * hidden, or other columns than the table had. */
static void takes_tables_only(void **state)
{
    struct place *place = *state;
    static const char *const changes[] = {
        "DROP TABLE message; CREATE VIEW message AS SELECT '' AS message_id, '' AS written_at, '' AS coder,"
        " '' AS subject, 0 AS post_id, '' AS text WHERE 0",
        "DROP VIEW message; CREATE VIRTUAL TABLE message USING rtree (message_id, low, high, +written_at, +coder,"
        " +subject, +post_id, +text)",
        "DROP TABLE message",
        "CREATE TABLE message (message_id TEXT, written_at TEXT, coder TEXT, subject TEXT, post_id INTEGER,"
        " text TEXT AS (upper(subject)))",
        "DROP TABLE message; CREATE TABLE message (message_id TEXT, written_at TEXT, coder TEXT, subject TEXT,"
        " post_id INTEGER, text TEXT AS (upper(subject)) STORED)",
    };

    label_there(place, "bob", "7", HANG, NULL);
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        change_there_by_hand(place, changes[i]);
        refuses(place, ST_DATABASE, "tables are missing, or are not what they should be");
        assert_int_equal(count(place->db, "SELECT count(*) FROM decision"), 0);
    }
    change_there_by_hand(place,
                         "DROP TABLE message; CREATE TABLE message (message_id TEXT, written_at TEXT, coder TEXT,"
                         " subject TEXT, post_id INTEGER, text TEXT)");
    expect_merge(place, (struct db_merge_how){0}, "bob 1 0 0\n");
}

/* It may have been written without the checks of the schema. */
static void wrong_screening_is_refused(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *row, *words;
    } cases[] = {
        {"'bob', 7, 1, 'yes', 'ranked', '2026-01-01', NULL, 0, 'm', 1", "of no time"},
        {"'bob', -7, 1, 'yes', 'ranked', '2026-01-01T00:00:00.000Z', NULL, 0, 'm', 1", "no post"},
        {"'cam', 7, 1, 'yes', 'ranked', '2026-01-01T00:00:00.000Z', NULL, 0, 'm', 1", "of nobody"},
        {"'bob', 7, 1, 'maybe', 'ranked', '2026-01-01T00:00:00.000Z', NULL, 0, 'm', 1", "an unknown answer or stratum"},
        {"'bob', 7, 1, 'no', 'by luck', '2026-01-01T00:00:00.000Z', NULL, 0, 'm', 1", "an unknown answer or stratum"},
    };

    label_there(place, "bob", "7", HANG, NULL);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf sql = {0};
        buf_addf(&sql,
                 "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
                 " DELETE FROM screening; INSERT INTO screening VALUES (%s)",
                 cases[i].row);
        change_there(place, buf_cstr(&sql));
        refuses(place, ST_INPUT, cases[i].words);
        buf_clear(&sql);
    }
    change_there(place, "UPDATE screening SET stratum = 'ranked', score = 0.5");
    expect_merge(place, (struct db_merge_how){0}, "bob 1 0 0\n");
    assert_int_equal(count(place->db, "SELECT count(*) FROM screening WHERE stratum = 'ranked'"), 1);
}

static void another_codebook(void **state)
{
    struct place *place = *state;

    change_there(place, "UPDATE code SET definition = 'long' WHERE code_id = 1");
    refuses(place, ST_INPUT, "the table code differs at 'slow'");
    change_there(place, "UPDATE code SET definition = NULL; INSERT INTO code_alias VALUES (2, 'x')");
    refuses(place, ST_INPUT, "the table code_alias differs at 'x'");
    change_there(place, "UPDATE study SET value = 'else' WHERE key = 'name'");
    refuses(place, ST_INPUT, "another study: its name is 'else'");
}

/* A file that another process has open is read with what that has committed, and no more. */
static void while_another_writes(void **state)
{
    struct place *place = *state;

    label_there(place, "bob", "7", HANG, NULL);
    struct db *writer = open_db(place->theirs, DB_WRITE);
    label(writer, "bob", "8", HANG, 0, NULL);
    OK(db_begin(writer, &e));
    label(writer, "bob", "9", HANG, 0, NULL);
    expect_merge(place, (struct db_merge_how){0}, "bob 2 0 0\n");
    OK(db_commit(writer, &e));
    expect_merge(place, (struct db_merge_how){0}, "bob 1 2 0\n");
    db_close(writer);
}

/* --- disputes --- */

static void expect_disputes(struct db *db, enum db_dispute_kind kind, const char *rows)
{
    struct db_disputes disputes;
    struct buf out = {0};

    const struct facets *facets;

    OK(db_facets(db, &facets, &e));
    OK(db_disputes_read(db, kind, DB_ALL_FACETS, 0, &disputes, &e));
    for (size_t i = 0; i < disputes.n; i++) {
        const struct db_dispute *d = &disputes.items[i];
        struct span facet = facets->items[d->facet].name;
        buf_addf(&out, "%.*s %.*s:", (int)d->subject.len, d->subject.ptr, (int)facet.len, facet.ptr);
        for (const struct db_opinion *o = d->opinions; o != NULL; o = o->next)
            buf_addf(&out, " %.*s%s=%.*s,%lld", (int)o->coder.len, o->coder.ptr, o->is_merged ? "*" : "",
                     (int)o->names[0].len, o->names[0].ptr, o->codes.n > 1 ? (long long)o->codes.ids[1] : 0);
        buf_add_char(&out, '\n');
    }
    assert_string_equal(buf_cstr(&out), rows);
    buf_clear(&out);
    db_disputes_clear(&disputes);
}

static void settle(struct db *db, const char *subject, int64_t code)
{
    char now[TIME_TEXT_SIZE];
    struct db_decision decision = {
        .coder = SPAN("merged"),
        .subject = span_of(subject),
        .post_id = strtol(subject, NULL, 10),
        .facet = SYMPTOM,
        .codes = {&code, code != 0},
        .reason = SPAN("by cam: x"),
        .decided_at = {now, TIME_TEXT_SIZE - 1},
    };

    OK(db_coder_put(db, SPAN("merged"), true, &e));
    OK(db_resolution_after(db, SPAN("merged"), span_of(subject), decision.post_id, now, &e));
    OK(db_decision_put(db, &decision, &e));
}

static void disputes_open_and_close(void **state)
{
    struct place *place = *state;
    struct db *db = place->db;

    OK(db_coder_put(db, SPAN("bob"), false, &e));
    label(db, "ann", "7_10", SLOW, 0, NULL);
    label(db, "bob", "7_10", SLOW, LEAK, NULL);
    label(db, "ann", "7_2", SLOW, 0, NULL);
    label(db, "bob", "7_2", HANG, 0, "2027-01-01T00:00:00.000Z"); /* a clock that is fast */
    label(db, "ann", "8", SLOW, 0, NULL);
    label(db, "bob", "8", SLOW, 0, NULL);
    label(db, "bob", "9", SLOW, 0, NULL);
    label(db, "ann", "9", 0, 0, NULL);
    expect_disputes(db, DB_DISPUTED,
                    "7_2 symptom: ann=slow,0 bob=hang,0\n"
                    "7_10 symptom: ann=slow,0 bob=slow,3\n");
    expect_disputes(db, DB_AGREED, "8 symptom: ann=slow,0 bob=slow,0\n");
    expect_disputes(db, DB_SINGLE, "9 symptom: bob=slow,0\n");
    settle(db, "7_2", LEAK);
    settle(db, "7_10", SLOW);
    settle(db, "8", SLOW);
    expect_disputes(db, DB_DISPUTED, "");
    expect_disputes(db, DB_AGREED, "");
    setenv("PPMINE_NOW", "2027-01-02T00:00:00.000Z", 1);
    label(db, "ann", "7_2", LEAK, 0, NULL);
    label(db, "ann", "8", SLOW, LEAK, NULL);
    expect_disputes(db, DB_DISPUTED,
                    "7_2 symptom: ann=leak,0 bob=hang,0 merged*=leak,0\n"
                    "8 symptom: ann=slow,3 bob=slow,0 merged*=slow,0\n");
    settle(db, "7_2", LEAK); /* the same once more closes it */
    expect_disputes(db, DB_DISPUTED, "8 symptom: ann=slow,3 bob=slow,0 merged*=slow,0\n");
    label(db, "bob", "8", SLOW, LEAK, NULL);
    expect_disputes(db, DB_DISPUTED, "");
    expect_disputes(db, DB_AGREED, "8 symptom: ann=slow,3 bob=slow,3 merged*=slow,0\n");
}

static void ignore_act(void *ctx, const struct db_act *act)
{
    (void)act;
    ++*(int *)ctx;
}

/* However fast one settles, each is undone alone, and can be settled again in the same way. */
static void each_is_an_act(void **state)
{
    struct place *place = *state;
    int acts = 0;

    settle(place->db, "7_1", SLOW);
    settle(place->db, "7_2", SLOW);
    OK(db_decision_undo(place->db, SPAN("merged"), 7, 0, ignore_act, &acts, &e));
    assert_int_equal(acts, 1);
    assert_int_equal(count(place->db, "SELECT count(*) FROM problem WHERE problem_id = '7_1'"), 1);
    assert_int_equal(count(place->db, "SELECT count(*) FROM problem"), 1);
    settle(place->db, "7_2", SLOW);
    assert_int_equal(count(place->db, "SELECT count(*) FROM problem_code WHERE facet = 'symptom' AND code_id = 1"), 2);
    assert_int_equal(count(place->db, "SELECT count(DISTINCT decided_at) FROM decision"
                                      " WHERE undoes IS NULL"),
                     3);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(merges_and_again),
        TEST(notes_come_unless_they_stay),
        TEST(messages_come_also_without_notes),
        TEST(wrong_screening_is_refused),
        TEST(a_refused_file_leaves_nothing),
        TEST(takes_tables_only),
        TEST(another_codebook),
        TEST(while_another_writes),
        TEST(disputes_open_and_close),
        TEST(each_is_an_act),
    };

    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
