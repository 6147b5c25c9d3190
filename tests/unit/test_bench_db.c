/* db: results of the benchmark and their views, read as a user's shell does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/store/store.h"
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

static struct bench_run run(size_t place, double metric, struct bench_numbers lists[3])
{
    return (struct bench_run){
        .warm_up = place == 1,
        .peak_kb = 5,
        .sampled_peak_kb = 6,
        .n_out = 7,
        .n_err = 8,
        .metric = metric,
        .wall = 1.5,
        .user_seconds = 1,
        .system_seconds = 0.25,
        .work_seconds = metric,
        .work_rss_before_kb = NAN,
        .work_peak_rss_kb = NAN,
        .ready = NAN,
        .digest = "sha256:aa",
        .values = lists[0],
        .samples_at = lists[1],
        .samples_kb = lists[2],
    };
}

/* What a record and its machine are here; texts of the record are "" else. */
struct setup {
    const char *machine, *kernel, *versions;
};

static const struct setup laptop = {"laptop", "", "{\"python\":\"3.11.2\",\"tensorflow-cpu\":\"2.15.1\"}"};

/* With two runs of each side; the last run of fixed ended so. */
static enum status put_ending(struct db *db, struct setup setup, const char *identity, const char *problem,
                              const char *date, double ratio, enum bench_end end, bool *known)
{
    double values[] = {1, 2.5}, at[] = {0.02, 0.04}, kb[] = {100, 300};
    struct bench_numbers lists[] = {{values, 2, 2}, {at, 2, 2}, {kb, 2, 2}};
    struct bench_run buggy[] = {run(1, 9, lists), run(2, ratio, lists)};
    struct bench_run fixed[] = {run(1, 9, lists), run(2, 1, lists)};
    struct bench_record r = {
        .problem_id = problem,
        .date = date,
        .why = "why",
        .machine = setup.machine,
        .processor = "P",
        .os = "",
        .kernel = setup.kernel,
        .architecture = "",
        .memory_limit = "",
        .processors = 2,
        .memory_kb = 1000,
        .load_after = NAN,
        .metric = BENCH_WORK_TIME,
        .limit_seconds = 10,
        .limit_memory_mb = 100,
        .result = {.verdict = BENCH_REPRODUCED,
                   .medians = {ratio, 1},
                   .ratio = {ratio, ratio - 1, ratio + 1},
                   .runs = {buggy, fixed},
                   .n_runs = {2, 2},
                   .seed = 1},
    };

    fixed[1].end = end;
    buf_add_text(&r.versions, setup.versions);
    buf_add_text(&r.identity, identity);
    enum status status = bench_store_put(db, &r, NULL, known, &e);
    buf_clear(&r.versions);
    buf_clear(&r.identity);
    return status;
}

static enum status put(struct db *db, struct setup setup, const char *identity, const char *problem, const char *date,
                       double ratio, bool *known)
{
    return put_ending(db, setup, identity, problem, date, ratio, BENCH_EXITED, known);
}

static void a_result_stands_once(void **state)
{
    struct db *db = new_db();
    struct setup later = laptop;
    bool known;

    (void)state;
    OK(put(db, laptop, "a", "12", "2026-01-01T00:00:00.000Z", 3, &known));
    assert_false(known);
    OK(put(db, laptop, "a", "12", "2026-01-01T00:00:00.000Z", 3, &known));
    assert_true(known);
    later.kernel = "6.1";
    OK(put(db, later, "b", "12", "2026-01-02T00:00:00.000Z", 4, &known));
    OK(put(db, later, "c", "13", "2026-01-01T00:00:00.000Z", 5, &known));
    db_close(db);
    expect("SELECT machine, kernel, processors, system FROM bench_setup", "laptop||2|\nlaptop|6.1|2|");
    expect("SELECT length(sha256), setup_id, buggy, fixed, ratio, load_after FROM bench_result",
           "64|1|3.0|1.0|3.0|\n64|2|4.0|1.0|4.0|\n64|2|5.0|1.0|5.0|");
    expect(
        "SELECT side, place, warm_up, metric, ready_seconds, out_bytes, err_bytes, peak_kb,"
        " sampled_peak_kb, wall_seconds, system_seconds, digest, computed, step_seconds, samples"
        " FROM bench_run WHERE result_id = 1",
        "buggy|1|1|9.0||7|8|5|6|1.5|0.25|sha256:aa|[1,2.5]|[]|[[0.0200,100],[0.0400,300]]\nbuggy|2|0|3.0||7|8|5|6|1.5|0.25|sha256:aa|[1,2.5]|[]|[[0.0200,100],[0.0400,300]]\n"
        "fixed|1|1|9.0||7|8|5|6|1.5|0.25|sha256:aa|[1,2.5]|[]|[[0.0200,100],[0.0400,300]]\nfixed|2|0|1.0||7|8|5|6|1.5|0.25|sha256:aa|[1,2.5]|[]|[[0.0200,100],[0.0400,300]]");
}

static void a_result_is_there_with_its_runs_or_not(void **state)
{
    struct db *db = new_db();
    bool known;

    (void)state;
    /* What was stopped is no run. */
    assert_int_equal(put_ending(db, laptop, "a", "1", "d", 3, BENCH_STOPPED, &known), ST_DATABASE);
    expect("SELECT (SELECT count(*) FROM bench_setup), (SELECT count(*) FROM bench_result),"
           " (SELECT count(*) FROM bench_run)",
           "0|0|0");
    OK(put(db, laptop, "a", "1", "d", 3, &known));
    assert_false(known);
    db_close(db);
    expect("SELECT count(*) FROM bench_run", "4");
}

static void fill(struct db *db)
{
    struct setup server = laptop;
    bool known;

    server.machine = "server";
    server.versions = "{\"tensorflow\":\"2.16.0\"}";
    OK(put(db, laptop, "a", "12", "2026-01-03T00:00:00.000Z", 3, &known));
    OK(put(db, laptop, "b", "12", "2026-01-02T00:00:00.000Z", 9, &known)); /* came later, is older */
    OK(put(db, laptop, "c", "13", "2026-01-01T00:00:00.000Z", 5, &known));
    OK(put(db, server, "d", "12", "2026-01-04T00:00:00.000Z", 8, &known));
    OK(put(db, server, "x", "13", "2026-01-04T00:00:00.000Z", 6, &known));
    OK(put(db, server, "f", "14", "2026-01-04T00:00:00.000Z", 6, &known));
}

static void load(struct db *db, const char *machine, struct buf *out)
{
    struct bench_cases cases = {.dir = NULL};
    struct bench_results results;

    for (size_t i = 0; i < 3; i++)
        array_add(&cases.items, (struct bench_case){.id = (const char *const[]){"12", "13", "14"}[i]});
    const struct bench_results_wanted wanted = {.db_path = file, .machine = machine};
    enum status status = bench_results_load(&results, &cases, &wanted, &db, &e);
    buf_addf(out, "%s: %d, %zu others\n", machine, (int)status, results.n_others);
    for (size_t i = 0; i < 3 && status == ST_OK; i++) {
        const struct bench_summary *r = &results.items[i];
        if (r->metric[0] != '\0')
            buf_addf(out, "%s %s %.10s %s %g %g %g %g %g\n", r->id, r->machine, r->date,
                     bench_verdict_names[r->verdict], r->medians[0], r->medians[1], r->ratio, r->low, r->high);
    }
    bench_results_clear(&results);
    bench_cases_clear(&cases);
}

static void the_last_results(void **state)
{
    struct db *db = new_db();
    struct buf out = {0};

    (void)state;
    fill(db);
    load(db, "laptop", &out);
    load(db, "nobody", &out);
    assert_string_equal(buf_cstr(&out), "laptop: 0, 1 others\n"
                                        "12 laptop 2026-01-03 reproduced 3 1 3 2 4\n"
                                        "13 laptop 2026-01-01 reproduced 5 1 5 4 6\n"
                                        "nobody: 2, 1 others\n");
    assert_string_equal(e.text, "no machine 'nobody'; there are: 'server', 'laptop'");
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
