/* Scans, findings and states in the database; what .git says; days. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "label/facet_table.h"
#include "check/check.h"
#include "base/day.h"
#include "check/campaign/findings.h"
#include "check/campaign/git.h"
#include "base/files.h"

struct place {
    char folder[64];
    char file[96];
};

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

static int set_up(void **state)
{
    struct place *place = mem_zero(1, sizeof *place);

    snprintf(place->folder, sizeof place->folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/c.db", place->folder);
    setenv("PPMINE_BUSY_TIMEOUT_MS", "0", 1);
    *state = place;
    return 0;
}

/* Takes away what a test made, two folders deep and no deeper. */
static int tear_down(void **state)
{
    struct place *place = *state;
    /* clang-format off */
    static const char *const made[] = {
        "c.db", "c.db-wal", "c.db-shm", "t/.git/HEAD", "t/.git/config", "t/.git/packed-refs",
        "t/.git/refs/heads/main", "t/.git/refs/heads", "t/.git/refs", "t/.git", "t", "w/HEAD",
        "w/commondir", "w", "u/.git", "u/d", "u"};
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        char path[160];
        snprintf(path, sizeof path, "%s/%s", place->folder, made[i]);
        if (unlink(path) != 0)
            rmdir(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    mem_free(place);
    return 0;
}

/* --- the database --- */

static struct db *new_db(const struct place *place)
{
    struct db *db = NULL;

    OK(study_db_create(&db, place->file, &e));
    return db;
}

static void expect_rows(const struct place *place, const char *sql, const char *expected)
{
    struct buf out = {0};
    sqlite3_stmt *stmt = NULL;
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open_v2(place->file, &handle, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        if (out.len > 0)
            buf_add_char(&out, '\n');
        for (int i = 0; i < sqlite3_column_count(stmt); i++)
            buf_addf(&out, "%s%s", i > 0 ? "|" : "",
                     sqlite3_column_text(stmt, i) != NULL ? (const char *)sqlite3_column_text(stmt, i) : "");
    }
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    sqlite3_close(handle);
    if (strcmp(buf_cstr(&out), expected) != 0)
        fail_msg("%s\nexpected:\n%s\nis:\n%s", sql, expected, buf_cstr(&out));
    buf_clear(&out);
}

static void run_sql(const struct place *place, const char *sql)
{
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open_v2(place->file, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
                     SQLITE_OK);
    if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    sqlite3_close(handle);
}

/* What scan() finds: a letter is a finding of that name; behind it '-' ignored, '+' in
 * the baseline. */
static struct db_scanned scan_with(struct db *db, const char *project, const char *commit, const char *day,
                                   const char *options, const char *found, const char *unread)
{
    static const char *const names[] = {"a.py", "b.py", "c.py", "d.py", "e.py", "f.py"};
    struct db_found all[8];
    struct span files[8];
    size_t n = 0, n_unread = 0;
    char code_at[TIME_TEXT_SIZE];
    struct db_scanned out;

    for (const char *p = found; *p != '\0'; p++) {
        assert_true(*p >= 'a' && *p <= 'f');
        all[n] = (struct db_found){.fingerprint = (uint64_t)*p,
                                   .rule = SPAN("PP101"),
                                   .file = span_of(names[*p - 'a']),
                                   .severity = SPAN("warning"),
                                   .message = SPAN("slow"),
                                   .line = 7};
        if (p[1] == '-' || p[1] == '+')
            all[n].how = *++p == '-' ? DB_SEEN_IGNORED : DB_SEEN_BASELINE;
        n++;
    }
    for (; unread[n_unread] != '\0'; n_unread++)
        files[n_unread] = span_of(names[unread[n_unread] - 'a']);
    /* clang-format off */
    struct db_scan scan = {.project = span_of(project), .commit = span_of(commit),
                           .options = span_of(options), .files = 6, .unread = (int64_t)n_unread};
    /* clang-format on */
    if (day[0] != '\0') {
        snprintf(code_at, sizeof code_at, "%.10sT00:00:00.000Z", day);
        scan.code_at = span_of(code_at);
    }
    OK(db_scan_put(db, &scan, all, n, files, n_unread, &out, &e));
    return out;
}

static struct db_scanned scan(struct db *db, const char *commit, const char *found)
{
    return scan_with(db, "p", commit, "", "{}", found, "");
}

static void expect_scanned(struct db_scanned s, bool known, int n_new, int n_gone, int n_back)
{
    assert_int_equal(s.known, known);
    assert_int_equal(s.n_new, n_new);
    assert_int_equal(s.n_gone, n_gone);
    assert_int_equal(s.n_back, n_back);
}

#define SEEN "SELECT substr(file, 1, 1), seen, gone_since, returned FROM finding_current ORDER BY file"

static void findings_come_and_go(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    expect_scanned(scan(db, "1", "abc"), false, 3, 0, 0);
    expect_scanned(scan(db, "1", "abc"), true, 0, 0, 0);
    expect_scanned(scan(db, "2", "ab"), false, 0, 1, 0);
    expect_scanned(scan(db, "3", "b"), false, 0, 1, 0);
    expect_rows(place, SEEN, "a|gone|3|0\nb|found||0\nc|gone|2|0");
    expect_scanned(scan(db, "4", "bcd"), false, 1, 0, 1);
    expect_rows(place, SEEN, "a|gone|3|0\nb|found||0\nc|found||1\nd|found||0");
    expect_scanned(scan(db, "1", "abc"), true, 0, 0, 0); /* an old version again says nothing new */
    expect_rows(place, "SELECT count(*) FROM scan", "4");
    expect_scanned(scan(db, "4", "bc"), false, 0, 1, 0); /* the same commit, but another finding */
    expect_rows(place, SEEN, "a|gone|3|0\nb|found||0\nc|found||1\nd|gone|5|0");
    expect_scanned(scan_with(db, "q", "1", "", "{}", "a", ""), false, 1, 0, 0);
    expect_rows(place, "SELECT project, findings, gone FROM campaign", "p|4|2\nq|1|0\n|5|2");
    db_close(db);
    expect_rows(place, "PRAGMA foreign_key_check", "");
}

static void other_options_say_nothing(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    scan_with(db, "p", "1", "", "{\"a\":1}", "abc", "");
    expect_scanned(scan_with(db, "p", "2", "", "{\"a\":2}", "a", ""), false, 0, 0, 0);
    expect_rows(place, SEEN, "a|found||0\nb|found||0\nc|found||0");
    expect_scanned(scan_with(db, "p", "3", "", "{\"a\":1}", "bc", ""), false, 0, 1, 0);
    expect_rows(place, SEEN, "a|gone|3|0\nb|found||0\nc|found||0");
    db_close(db);
}

static void versions_in_any_order(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    scan_with(db, "p", "3", "2021-03-01", "{}", "bc", "");
    scan_with(db, "p", "1", "2019-03-01", "{}", "ab", "");
    expect_rows(place, SEEN, "a|gone|1|0\nb|found||0\nc|found||0");
    expect_scanned(scan_with(db, "p", "2", "2020-03-01", "{}", "c", ""), false, 0, 2, 0);
    expect_rows(place, SEEN, "a|gone|3|0\nb|found||1\nc|found||0");
    db_close(db);
}

static void what_is_held_back(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    scan(db, "1", "a-b+c");
    expect_rows(place, SEEN, "a|ignored||0\nb|baseline||0\nc|found||0");
    expect_rows(place, "SELECT findings FROM campaign", "1\n1");
    scan(db, "2", "abc-");
    expect_rows(place, SEEN, "a|found||0\nb|found||0\nc|ignored||0");
    expect_rows(place, "SELECT findings, gone FROM campaign_rule", "3|0");
    scan(db, "3", "d-");
    expect_rows(place, "SELECT findings, gone FROM campaign_rule", "3|3");
    db_close(db);
}

static void files_that_cannot_be_read(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);

    scan(db, "1", "abc");
    scan(db, "2", "bc"); /* a is gone before its file cannot be read */
    expect_scanned(scan_with(db, "p", "3", "", "{}", "b", "ac"), false, 0, 0, 0);
    expect_rows(place, SEEN, "a|gone|2|0\nb|found||0\nc|unread||0");
    expect_rows(place, "SELECT severity, line, message FROM finding_seen WHERE how = 'unread'", "warning|7|slow");
    expect_scanned(scan(db, "4", "b"), false, 0, 1, 0);
    expect_rows(place, SEEN, "a|gone|2|0\nb|found||0\nc|gone|4|0");
    db_close(db);
}

static void collect_finding(void *ctx, const struct db_finding *f)
{
    struct buf *out = ctx;

    buf_addf(out, "%.1s %.*s %.*s\n", f->file.ptr, (int)f->seen.len, f->seen.ptr,
             f->state.ptr != NULL ? (int)f->state.len : 1, f->state.ptr != NULL ? f->state.ptr : "-");
}

static void findings_are_chosen(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    struct db_finding_query queries[] = {{.seen = SPAN("gone")},
                                         {.project = SPAN("q")},
                                         {.rule = SPAN("PP1")},
                                         {.rule = SPAN("PP3")},
                                         {.state = SPAN("none"), .project = SPAN("p")},
                                         {.state = SPAN("reported")}};
    static const char *const expected[] = {"b gone -\n", "a found -\n",           "a found -\nb gone -\na found -\n",
                                           "",           "a found -\nb gone -\n", ""};

    scan(db, "1", "ab");
    scan(db, "2", "a");
    scan_with(db, "q", "1", "", "{}", "a", "");
    for (size_t i = 0; i < ARRAY_LEN(queries); i++) {
        struct buf out = {0};
        OK(db_finding_each(db, &queries[i], collect_finding, &out, &e));
        assert_string_equal(buf_cstr(&out), expected[i]);
        buf_clear(&out);
    }
    db_close(db);
}

/* --- states --- */

static void id_of(const struct place *place, const char *file, char out[DB_FINDING_ID_LEN + 1])
{
    sqlite3_stmt *stmt = NULL;
    sqlite3 *handle = NULL;

    assert_int_equal(sqlite3_open_v2(place->file, &handle, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(handle, "SELECT finding_id FROM finding WHERE file = ?1", -1, &stmt, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(stmt, 1, file, -1, SQLITE_STATIC);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    snprintf(out, DB_FINDING_ID_LEN + 1, "%s", (const char *)sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
    sqlite3_close(handle);
}

static enum status try_state(struct db *db, const char *id, enum db_state wanted, bool *changed)
{
    struct db_state_change change = {.finding_id = id, .state = wanted, .by = SPAN("ann")};

    return db_state_put(db, &change, changed, &e);
}

/* Brings a finding that has no state to `state` (DB_STATES: none) in the way that is allowed. */
static void bring_to(struct db *db, const char *id, int state)
{
    bool changed;

    if (state == DB_STATES)
        return;
    OK(try_state(db, id, DB_REPORTED, &changed));
    assert_true(changed);
    if (state != DB_REPORTED)
        OK(try_state(db, id, (enum db_state)state, &changed));
}

static void which_state_follows_which(void **state)
{
    /* From (rows: reported, confirmed, fixed, refused, none) to; 's': the same, which adds nothing. */
    static const char *const moves[] = {"syyy", "nsyy", "ynsn", "yyys", "ynnn"};
    struct place *place = *state;
    struct db *db = new_db(place);
    char id[DB_FINDING_ID_LEN + 1];
    bool changed;

    scan(db, "1", "a");
    id_of(place, "a.py", id);
    for (int from = 0; from <= DB_STATES; from++)
        for (int to = 0; to < DB_STATES; to++) {
            OK(db_begin(db, &e));
            bring_to(db, id, from);
            enum status status = try_state(db, id, (enum db_state)to, &changed);
            char move = moves[from][to];
            if (status != (move == 'n' ? ST_INPUT : ST_OK) || changed != (move == 'y'))
                fail_msg("from %s to %s: status %d, changed %d", from < DB_STATES ? db_state_names[from] : "none",
                         db_state_names[to], (int)status, changed);
            db_rollback(db);
        }
    db_close(db);
}

static void states_only_grow(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    char id[DB_FINDING_ID_LEN + 1];
    const char *undone;
    bool changed;
    struct db_state_change change = {.finding_id = id, .by = SPAN("ann"), .url = SPAN("https://example.org/1")};

    setenv("PPMINE_NOW", "2026-01-02T03:04:05.678Z", 1); /* a clock that stands still */
    scan(db, "1", "a");
    id_of(place, "a.py", id);
    OK(db_begin(db, &e));
    OK(db_state_put(db, &change, &changed, &e));
    change = (struct db_state_change){
        .finding_id = id, .state = DB_FIXED, .by = SPAN("ben"), .happened = SPAN("2021-03-04")};
    OK(db_state_put(db, &change, &changed, &e));
    change.reason = SPAN("seen in the code");
    change.happened = (struct span){0};
    OK(db_state_put(db, &change, &changed, &e));
    assert_true(changed);
    OK(db_state_put(db, &change, &changed, &e));
    assert_false(changed);
    OK(db_commit(db, &e));
    expect_rows(place, "SELECT state, state_by, happened, url, reason FROM finding_current",
                "fixed|ben|2021-03-04|https://example.org/1|seen in the code");
    expect_rows(place, "SELECT reported, confirmed, fixed, refused FROM campaign_rule", "1|1|1|0");
    OK(db_begin(db, &e));
    for (int i = 0; i < 2; i++) {
        OK(db_state_undo(db, id, SPAN("cy"), (struct span){0}, &undone, &e));
        assert_string_equal(undone, "fixed");
    }
    OK(db_state_undo(db, id, SPAN("cy"), SPAN("a slip"), &undone, &e));
    assert_string_equal(undone, "reported");
    OK(db_state_undo(db, id, SPAN("cy"), (struct span){0}, &undone, &e));
    assert_null(undone);
    OK(db_commit(db, &e));
    expect_rows(place, "SELECT state, url FROM finding_current", "|");
    expect_rows(place, "SELECT state, set_at, set_by FROM finding_state ORDER BY set_at",
                "reported|2026-01-02T03:04:05.678Z|ann\nfixed|2026-01-02T03:04:05.679Z|ben\n"
                "fixed|2026-01-02T03:04:05.680Z|ben\nundo|2026-01-02T03:04:05.681Z|cy\n"
                "undo|2026-01-02T03:04:05.682Z|cy\nundo|2026-01-02T03:04:05.683Z|cy");
    db_close(db);
    unsetenv("PPMINE_NOW");
}

static void ids_by_their_beginning(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    char id[DB_FINDING_ID_LEN + 1], out[DB_FINDING_ID_LEN + 1];
    static const char *const wrong[] = {"", "xyz", "ABC", "0123456789abcdef0", "%", "'"};

    scan(db, "1", "abcdef");
    id_of(place, "c.py", id);
    OK(db_finding_find(db, span_of(id), out, &e));
    assert_string_equal(out, id);
    OK(db_finding_find(db, (struct span){id, 12}, out, &e));
    assert_string_equal(out, id);
    id[15] = id[15] == '0' ? '1' : '0';
    assert_int_equal(db_finding_find(db, span_of(id), out, &e), ST_INPUT);
    assert_non_null(strstr(e.text, "there is no finding"));
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_int_equal(db_finding_find(db, span_of(wrong[i]), out, &e), ST_INPUT);
    run_sql(place, "INSERT INTO finding VALUES ('00000000000000a1', 'p', '1', 'PP1', 'x', NULL),"
                   " ('00000000000000a2', 'p', '2', 'PP1', 'x', NULL)");
    assert_int_equal(db_finding_find(db, SPAN("00000000000000a"), out, &e), ST_INPUT);
    assert_non_null(strstr(e.text, "several findings"));
    db_close(db);
}

static void events_of_a_finding(void *ctx, const struct db_finding_event *event)
{
    struct buf *out = ctx;

    buf_addf(out, "%.*s %lld%s\n", (int)event->what.len, event->what.ptr, (long long)event->scan_id,
             event->undone ? " undone" : "");
}

static void history_is_in_order(void **state)
{
    struct place *place = *state;
    struct db *db = new_db(place);
    char id[DB_FINDING_ID_LEN + 1];
    struct buf out = {0};
    const char *undone;
    bool changed;

    scan_with(db, "p", "0", "2018-01-01", "{}", "b", "");
    scan_with(db, "p", "1", "2019-01-01", "{}", "ab", "");
    scan_with(db, "p", "2", "2020-01-01", "{}", "b", "");
    scan_with(db, "p", "2", "2020-02-01", "{\"x\":1}", "b", "");
    scan_with(db, "p", "3", "2021-01-01", "{}", "a-b", "");
    id_of(place, "a.py", id);
    OK(try_state(db, id, DB_REPORTED, &changed));
    OK(db_state_undo(db, id, SPAN("ann"), (struct span){0}, &undone, &e));
    OK(db_finding_event_each(db, span_of(id), events_of_a_finding, &out, &e));
    assert_string_equal(buf_cstr(&out), "found 2\ngone 3\nignored 5\nreported 0 undone\nundo 0\n");
    buf_reset(&out);
    OK(db_finding_event_each(db, (struct span){0}, events_of_a_finding, &out, &e));
    assert_string_equal(buf_cstr(&out), "reported 0 undone\nundo 0\n");
    buf_clear(&out);
    db_close(db);
}

/* --- days and times --- */

static void days(void **state)
{
    static const char *const good[] = {"2021-03-04", "2020-02-29", "2000-02-29", "0001-01-01"};
    static const char *const bad[] = {
        "",           "2021-3-4",   "2021-02-29",  "1900-02-29", "2021-13-01", "2021-00-10",
        "2021-04-31", "2021-01-00", "2021-01-01 ", "x021-01-01", "2021/01/01", "2021-01-01T00:00:00Z"};
    static const struct {
        const char *typed, *kept;
    } times[] = {{"2021-03-04", "2021-03-04T00:00:00.000Z"},
                 {"2021-03-04T23:59:59Z", "2021-03-04T23:59:59.000Z"},
                 {"2021-03-04T23:59:59.250Z", "2021-03-04T23:59:59.250Z"}};
    /* clang-format off */
    static const char *const no_times[] = {"", "2021-03-04T", "2021-03-04T24:00:00Z",
                                           "2021-03-04T23:60:00Z", "2021-03-04T23:00:60Z",
                                           "2021-03-04T23:00Z", "2021-03-04T23:00:00",
                                           "2021-02-30T23:00:00Z", "2021-03-04T23:00:00.1Z"};
    /* clang-format on */
    char out[TIME_TEXT_SIZE];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(day_is(span_of(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (day_is(span_of(bad[i])))
            fail_msg("'%s' is taken for a day", bad[i]);
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        assert_true(day_or_time_read(span_of(times[i].typed), out));
        assert_string_equal(out, times[i].kept);
    }
    for (size_t i = 0; i < ARRAY_LEN(no_times); i++)
        if (day_or_time_read(span_of(no_times[i]), out))
            fail_msg("'%s' is taken for a time", no_times[i]);
}

/* --- .git --- */

#define HASH "0123456789abcdef0123456789abcdef01234567"
#define OTHER "ffffffffffffffffffffffffffffffffffffffff"

static void make_folder(const struct place *place, const char *name)
{
    char path[160];

    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static void make_file(const struct place *place, const char *name, const char *content, size_t len)
{
    char path[160];

    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fwrite(content, 1, len, f);
    fclose(f);
}

#define FILE_OF(place, name, text) make_file(place, name, text, sizeof(text) - 1)

static void expect_commit(const struct place *place, const char *tree, const char *expected)
{
    struct buf top = {0}, commit = {0};

    buf_addf(&top, "%s/%s", place->folder, tree);
    enum status status = git_commit(buf_cstr(&top), &commit, &e);
    if (expected == NULL) {
        assert_int_equal(status, ST_INPUT);
        assert_non_null(strstr(e.text, "--commit"));
    } else {
        OK(status);
        assert_string_equal(buf_cstr(&commit), expected);
    }
    buf_clear(&top);
    buf_clear(&commit);
}

static void commits_of_trees(void **state)
{
    struct place *place = *state;

    make_folder(place, "t");
    make_folder(place, "t/.git");
    expect_commit(place, "t", NULL);
    FILE_OF(place, "t/.git/HEAD", "ref: refs/heads/main\n");
    expect_commit(place, "t", NULL); /* before the first commit */
    FILE_OF(place, "t/.git/packed-refs",
            "# pack-refs with: peeled fully-peeled sorted\n" OTHER " refs/heads/mainly\n" OTHER
            " refs/tags/main\n^" OTHER "\n" HASH " refs/heads/main\n" OTHER " refs/heads/main2");
    expect_commit(place, "t", HASH);
    make_folder(place, "t/.git/refs");
    make_folder(place, "t/.git/refs/heads");
    FILE_OF(place, "t/.git/refs/heads/main", OTHER "\n");
    expect_commit(place, "t", OTHER);         /* the loose one is newer */
    FILE_OF(place, "t/.git/HEAD", HASH HASH); /* no hash */
    expect_commit(place, "t", NULL);
    FILE_OF(place, "t/.git/HEAD", HASH);
    expect_commit(place, "t", HASH);
}

static void hostile_trees(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } heads[] = {
        {"ref: ../../t/.git/refs/heads/main", 33},
        {"ref: refs/../../x", 17},
        {"ref: /etc/passwd", 16},
        {"ref: refs/heads", 15},
        {"ref:", 4},
        {"", 0},
        {"ref: refs/heads/main\0x", 22},
        {"0123456789ABCDEF0123456789ABCDEF01234567", 40},
        {"\xff\xfe", 2},
    };
    struct place *place = *state;
    char path[160];

    make_folder(place, "t");
    make_folder(place, "t/.git");
    make_folder(place, "t/.git/refs");
    make_folder(place, "t/.git/refs/heads");
    FILE_OF(place, "t/.git/refs/heads/main", HASH);
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        make_file(place, "t/.git/HEAD", heads[i].text, heads[i].len);
        expect_commit(place, "t", NULL);
    }
    FILE_OF(place, "t/.git/HEAD", "ref: refs/heads/main");
    FILE_OF(place, "t/.git/refs/heads/main", "ref: refs/heads/main"); /* in a circle */
    expect_commit(place, "t", NULL);
    snprintf(path, sizeof path, "%s/t/.git/HEAD", place->folder);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not be waited for */
    expect_commit(place, "t", NULL);
}

static void further_trees(void **state)
{
    struct place *place = *state;
    struct buf link = {0}, top = {0}, folder = {0};

    make_folder(place, "t");
    make_folder(place, "t/.git");
    FILE_OF(place, "t/.git/packed-refs", HASH " refs/heads/side\n");
    FILE_OF(place, "t/.git/config", "[remote \"origin\"]\n\turl = https://example.org/a/b.git\n");
    make_folder(place, "w"); /* what .git/worktrees/w is */
    FILE_OF(place, "w/HEAD", "ref: refs/heads/side\n");
    FILE_OF(place, "w/commondir", "../t/.git\n");
    make_folder(place, "u");
    make_folder(place, "u/d");
    buf_addf(&link, "gitdir: %s/w\n", place->folder);
    make_file(place, "u/.git", link.ptr, link.len);
    expect_commit(place, "u", HASH);
    FILE_OF(place, "u/.git", "gitdir: ../w\n");
    expect_commit(place, "u", HASH);
    buf_addf(&folder, "%s/u/d", place->folder);
    assert_true(git_top(buf_cstr(&folder), &top));
    buf_reset(&link);
    git_url(buf_cstr(&top), &link);
    assert_string_equal(buf_cstr(&link), "https://example.org/a/b");
    FILE_OF(place, "u/.git", "gitdir ../w\n");
    expect_commit(place, "u", NULL);
    buf_clear(&link);
    buf_clear(&top);
    buf_clear(&folder);
}

static void addresses(void **state)
{
    static const struct {
        const char *config, *url, *name;
    } cases[] = {
        {"[remote \"origin\"]\nurl = https://github.com/o/r.git\n", "https://github.com/o/r", "o/r"},
        {"[remote \"origin\"]\n\turl=https://me:secret@github.com/o/r\n", "https://github.com/o/r", "o/r"},
        {"[remote \"origin\"]\nurl = https://token@host:8443/g/s/r.git/\n", "https://host:8443/g/s/r", "s/r"},
        {"[remote \"origin\"]\nurl = https://a@b@host/o/r?key=secret#x\n", "https://host/o/r", "o/r"},
        {"[remote \"origin\"]\nurl = git@github.com:o/r.git\n", "https://github.com/o/r", "o/r"},
        {"[remote \"origin\"]\nurl = ssh://git@host.org:2222/o/r.git\n", "https://host.org/o/r", "o/r"},
        {"[remote \"x\"]\nurl = https://h.org/x/y\n[remote \"origin\"]\nurl = https://h.org/o/r\n", "https://h.org/o/r",
         "o/r"},
        {"[remote \"x\"]\nurl = https://h.org/x/y\n[branch \"b\"]\nurl = https://h.org/o/r\n", "https://h.org/x/y",
         "x/y"},
        {"[remote \"origin\"]\nurl = \"https://h.org/r\"\n", "https://h.org/r", "r"},
        {"[remote \"origin\"]\nurl = /home/me/r.git\n", "", ""},
        {"[remote \"origin\"]\nurl = file:///home/me/r.git\n", "", ""},
        {"[remote \"origin\"]\nurl = ../r.git\n", "", ""},
        {"[remote \"origin\"]\nurl = C:\\r\n", "", ""},
        {"[remote \"origin\"]\nurl = https://h.org/a b\n", "", ""},
        {"[remote \"origin\"]\nurl = https://h.org/\xff\n", "", ""},
        {"[remote \"origin\"]\nurl = https://h.org\n", "https://h.org", ""},
        {"[remote \"origin\"]\nurl =\n", "", ""},
        {"[remote \"origin\"]\nurl = https://\n", "https:", ""},
        {"[core]\nbare = false\n", "", ""},
    };
    struct place *place = *state;
    struct buf top = {0}, url = {0};

    make_folder(place, "t");
    make_folder(place, "t/.git");
    buf_addf(&top, "%s/t", place->folder);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        make_file(place, "t/.git/config", cases[i].config, strlen(cases[i].config));
        git_url(buf_cstr(&top), &url);
        struct span name = git_url_name(buf_span(&url));
        if (strcmp(buf_cstr(&url), cases[i].url) != 0 || !span_eq(name, span_of(cases[i].name)))
            fail_msg("%s gives '%s', '%.*s'", cases[i].config, buf_cstr(&url), (int)name.len,
                     name.len > 0 ? name.ptr : "");
    }
    buf_clear(&top);
    buf_clear(&url);
}

static void paths_below_a_folder(void **state)
{
    static const struct {
        const char *root, *path, *below; /* NULL: not below */
    } cases[] = {
        {"/a", "/a/b/c.py", "b/c.py"},  {"/a", "/a", "."},
        {"/a", "/ab/c.py", NULL},       {"/a/", "/a//b/./c.py", "b/c.py"},
        {"/a", "/a/x/../b.py", "b.py"}, {"/a", "/a/../b.py", NULL},
        {"", "/a/b.py", "a/b.py"},      {"/a", "/../a/b.py", "b.py"},
    };
    struct buf space = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *below = check_below(cases[i].root, cases[i].path, &space);
        if ((below == NULL) != (cases[i].below == NULL) || (below != NULL && strcmp(below, cases[i].below) != 0))
            fail_msg("%s below %s is '%s'", cases[i].path, cases[i].root, below != NULL ? below : "(nothing)");
    }
    buf_clear(&space);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(findings_come_and_go),
        TEST(other_options_say_nothing),
        TEST(versions_in_any_order),
        TEST(what_is_held_back),
        TEST(files_that_cannot_be_read),
        TEST(findings_are_chosen),
        TEST(which_state_follows_which),
        TEST(states_only_grow),
        TEST(ids_by_their_beginning),
        TEST(history_is_in_order),
        TEST(days),
        TEST(commits_of_trees),
        TEST(hostile_trees),
        TEST(further_trees),
        TEST(addresses),
        TEST(paths_below_a_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
