/* db: results of the benchmark and their views, read as a user's shell does. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/store/rows.h"
#include "label/facet_table.h"
#include "db/sql.h"

static struct err e;
static char folder[] = "/tmp/ppmine-test-XXXXXX", file[64];

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/x.db", folder);
    return 0;
}

static int tear_down(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char path[96];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        snprintf(path, sizeof path, "%s%s", file, endings[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static struct db *new_db(void)
{
    struct db *db = NULL;

    OK(study_db_create(&db, file, &e));
    return db;
}

/* Columns joined by '|', rows by '\n'. */
static void query(const char *sql, struct buf *out)
{
    sqlite3 *handle;
    sqlite3_stmt *stmt;

    assert_int_equal(sqlite3_open(file, &handle), SQLITE_OK);
    if (sqlite3_prepare_v2(handle, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
    while (sqlite3_step(stmt) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(stmt); i++) {
            buf_add_text(out, i > 0 ? "|" : out->len > 0 ? "\n" : "");
            buf_add_span(out, span_of((const char *)sqlite3_column_text(stmt, i)));
        }
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    sqlite3_close(handle);
}

static void expect(const char *sql, const char *rows)
{
    struct buf out = {0};

    query(sql, &out);
    if (strcmp(buf_cstr(&out), rows) != 0)
        fail_msg("%s\ngives:\n%s\nexpected:\n%s", sql, buf_cstr(&out), rows);
    buf_clear(&out);
}

/* --- results --- */

static struct db_bench_run run(bool fixed, int64_t place, double metric)
{
    return (struct db_bench_run){
        .fixed = fixed,
        .place = place,
        .warm_up = place == 1,
        .ended = SPAN("exited"),
        .peak_kb = 5,
        .sampled_peak_kb = 6,
        .out_bytes = 7,
        .err_bytes = 8,
        .metric = metric,
        .wall_seconds = 1.5,
        .user_seconds = 1,
        .system_seconds = 0.25,
        .work_seconds = metric,
        .work_rss_before_kb = NAN,
        .work_peak_rss_kb = NAN,
        .ready_seconds = NAN,
        .digest = SPAN("sha256:aa"),
        .said = SPAN(""),
        .computed = SPAN("[1,2.5]"),
        .step_seconds = SPAN("[]"),
        .step_rss_kb = SPAN("[]"),
        .samples = SPAN("[[0.0200,100],[0.0400,300]]"),
    };
}

static const char versions[] = "{\"python\":\"3.11.2\",\"tensorflow-cpu\":\"2.15.1\"}";
static const struct db_bench_setup laptop = {
    /* clang-format off */
    .machine = {"laptop", 6}, .processor = {"P", 1}, .processors = 2, .memory_kb = 1000,
    /* clang-format on */
    .versions = {versions, sizeof versions - 1},
};

/* With two runs of each side. */
static enum status put(struct db *db, struct db_bench_setup setup, const char *sha256, const char *problem,
                       const char *date, double ratio, bool *known)
{
    const struct db_bench_run runs[] = {run(false, 1, 9), run(true, 1, 9), run(false, 2, ratio), run(true, 2, 1)};
    /* clang-format off */
    struct db_bench_result r = {
        .sha256 = span_of(sha256), .setup = setup, .problem_id = span_of(problem),
        .finished_at = span_of(date), .verdict = SPAN("reproduced"), .why = SPAN("why"),
        .metric = SPAN("work_time"), .unit = SPAN("s"), .buggy = ratio, .fixed = 1,
        .ratio = ratio, .ratio_low = ratio - 1, .ratio_high = ratio + 1, .load_after = NAN,
        .seed = 1, .limit_seconds = 10, .limit_memory_mb = 100, .runs = runs,
        .n_runs = ARRAY_LEN(runs),
    };
    /* clang-format on */

    return db_bench_put(db, &r, known, &e);
}

static void a_result_stands_once(void **state)
{
    struct db *db = new_db();
    struct db_bench_setup later = laptop;
    bool known;

    (void)state;
    OK(put(db, laptop, "a", "12", "2026-01-01T00:00:00.000Z", 3, &known));
    assert_false(known);
    OK(put(db, laptop, "a", "12", "2026-01-01T00:00:00.000Z", 3, &known));
    assert_true(known);
    later.kernel = SPAN("6.1");
    OK(put(db, later, "b", "12", "2026-01-02T00:00:00.000Z", 4, &known));
    OK(put(db, later, "c", "13", "2026-01-01T00:00:00.000Z", 5, &known));
    db_close(db);
    expect("SELECT machine, kernel, processors, system FROM bench_setup", "laptop||2|\nlaptop|6.1|2|");
    expect("SELECT sha256, setup_id, buggy, fixed, ratio, load_after FROM bench_result",
           "a|1|3.0|1.0|3.0|\nb|2|4.0|1.0|4.0|\nc|2|5.0|1.0|5.0|");
    expect("SELECT side, place, warm_up, metric, ready_seconds, out_bytes, err_bytes, peak_kb,"
           " sampled_peak_kb, wall_seconds, system_seconds, computed"
           " FROM bench_run WHERE result_id = 1",
           "buggy|1|1|9.0||7|8|5|6|1.5|0.25|[1,2.5]\nbuggy|2|0|3.0||7|8|5|6|1.5|0.25|[1,2.5]\n"
           "fixed|1|1|9.0||7|8|5|6|1.5|0.25|[1,2.5]\nfixed|2|0|1.0||7|8|5|6|1.5|0.25|[1,2.5]");
}

static void a_result_is_there_with_its_runs_or_not(void **state)
{
    struct db *db = new_db();
    struct db_bench_run runs[] = {run(false, 1, 1), run(true, 1, 1)};
    /* clang-format off */
    struct db_bench_result r = {
        .sha256 = SPAN("a"), .setup = laptop, .problem_id = SPAN("1"), .finished_at = SPAN("d"),
        .verdict = SPAN("reproduced"), .why = SPAN(""), .metric = SPAN("time"), .unit = SPAN("s"),
        .runs = runs, .n_runs = 2};
    /* clang-format on */
    bool known;

    (void)state;
    runs[1].ended = SPAN("stopped"); /* what was stopped is no run */
    assert_int_equal(db_bench_put(db, &r, &known, &e), ST_DATABASE);
    runs[1].ended = SPAN("exited");
    r.verdict = SPAN("wonderful");
    assert_int_equal(db_bench_put(db, &r, &known, &e), ST_DATABASE);
    expect("SELECT (SELECT count(*) FROM bench_setup), (SELECT count(*) FROM bench_result),"
           " (SELECT count(*) FROM bench_run)",
           "0|0|0");
    r.verdict = SPAN("broken");
    OK(db_bench_put(db, &r, &known, &e));
    assert_false(known);
    db_close(db);
    expect("SELECT count(*) FROM bench_run", "2");
}

static void collect_machine(void *ctx, const struct db_bench_machine *m)
{
    buf_addf(ctx, "%.*s %lld %lld %.10s\n", (int)m->machine.len, m->machine.ptr, (long long)m->cases,
             (long long)m->results, m->last_at.ptr);
}

static void collect_last(void *ctx, const struct db_bench_result *r)
{
    buf_addf(ctx, "%.*s %.*s %.10s %.*s %g %g %g %g %g\n", (int)r->problem_id.len, r->problem_id.ptr,
             (int)r->setup.machine.len, r->setup.machine.ptr, r->finished_at.ptr, (int)r->verdict.len, r->verdict.ptr,
             r->buggy, r->fixed, r->ratio, r->ratio_low, r->ratio_high);
}

static void fill(struct db *db)
{
    struct db_bench_setup server = laptop;
    bool known;

    server.machine = SPAN("server");
    server.versions = SPAN("{\"tensorflow\":\"2.16.0\"}");
    OK(put(db, laptop, "a", "12", "2026-01-03T00:00:00.000Z", 3, &known));
    OK(put(db, laptop, "b", "12", "2026-01-02T00:00:00.000Z", 9, &known)); /* came later, is older */
    OK(put(db, laptop, "c", "13", "2026-01-01T00:00:00.000Z", 5, &known));
    OK(put(db, server, "d", "12", "2026-01-04T00:00:00.000Z", 8, &known));
    OK(put(db, server, "x", "13", "2026-01-04T00:00:00.000Z", 6, &known));
    OK(put(db, server, "f", "14", "2026-01-04T00:00:00.000Z", 6, &known));
}

static void the_last_results(void **state)
{
    struct db *db = new_db();
    struct buf out = {0};

    (void)state;
    fill(db);
    OK(db_bench_machine_each(db, collect_machine, &out, &e));
    OK(db_bench_last_each(db, SPAN("laptop"), collect_last, &out, &e));
    OK(db_bench_last_each(db, SPAN("nobody"), collect_last, &out, &e));
    assert_string_equal(buf_cstr(&out), "server 3 3 2026-01-04\nlaptop 2 3 2026-01-03\n"
                                        "12 laptop 2026-01-03 reproduced 3 1 3 2 4\n"
                                        "13 laptop 2026-01-01 reproduced 5 1 5 4 6\n");
    buf_clear(&out);
    db_close(db);
}

static void views(void **state)
{
    struct db *db = new_db();

    (void)state;
    fill(db);
    db_close(db);
    expect("SELECT machine, processors, memory_kb, cases, results, last_at FROM bench_machine",
           "laptop|2|1000|2|3|2026-01-03T00:00:00.000Z\nserver|2|1000|3|3|2026-01-04T00:00:00.000Z");
    expect("SELECT machine, problem_id, ratio, runs, tensorflow FROM bench_last ORDER BY 1, 2",
           "laptop|12|3.0|1|2.15.1\nlaptop|13|5.0|1|2.15.1\nserver|12|8.0|1|2.16.0\n"
           "server|13|6.0|1|2.16.0\nserver|14|6.0|1|2.16.0");
    expect("SELECT count(*) FROM bench_ratio", "6");
    expect("SELECT problem_id, ratio_a, ratio_b, same_verdict, apart FROM bench_compare"
           " WHERE machine_a = 'laptop' AND machine_b = 'server' ORDER BY 1",
           "12|3.0|8.0|1|1\n13|5.0|6.0|1|0");
    expect("SELECT count(*) FROM bench_compare", "4"); /* the other way round too */
    expect("SELECT * FROM bench_memory WHERE result_id = 1 AND side = 'fixed' AND place = 2",
           "1|fixed|2|0.02|100\n1|fixed|2|0.04|300");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_result_stands_once),
        TEST(a_result_is_there_with_its_runs_or_not),
        TEST(the_last_results),
        TEST(views),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
