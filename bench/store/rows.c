/* Results of the benchmark. */
#include "bench/store/rows.h"
#include "db/sql.h"

/* --- writing --- */

/* An absent number is 0. */
static void bind_count(struct db *db, struct sql *which, const char *parameter, int64_t value)
{
    sql_bind_int(db, which, parameter, value != 0 ? value : POST_ABSENT);
}

static enum status MUST_USE find_setup(struct db *db, struct sql *which, const struct db_bench_setup *s,
                                       int64_t *setup_id, struct err *e)
{
    bool row;

    sql_bind_text(db, which, ":machine", s->machine);
    sql_bind_text(db, which, ":processor", s->processor);
    bind_count(db, which, ":processors", s->processors);
    bind_count(db, which, ":memory_kb", s->memory_kb);
    sql_bind_text(db, which, ":system", s->os);
    sql_bind_text(db, which, ":kernel", s->kernel);
    sql_bind_text(db, which, ":architecture", s->architecture);
    sql_bind_text(db, which, ":memory_limit", s->memory_limit);
    sql_bind_text(db, which, ":versions", s->versions);
    enum status status = sql_row(db, which, &row, e);
    if (row) {
        *setup_id = sql_int(db, which, 0);
        sql_reset(db, which);
    }
    return status;
}

SQL(BENCH_SETUP_FIND, "SELECT setup_id FROM bench_setup WHERE machine = :machine AND processor IS :processor"
                      "  AND processors IS :processors AND memory_kb IS :memory_kb AND system IS :system"
                      " AND kernel IS :kernel"
                      "  AND architecture IS :architecture AND memory_limit IS :memory_limit AND versions = :versions");

SQL(BENCH_SETUP_PUT, "INSERT INTO bench_setup (machine, processor, processors, memory_kb, system, kernel,"
                     "  architecture, memory_limit, versions) VALUES (:machine, :processor, :processors, :memory_kb,"
                     " :system, :kernel, :architecture, :memory_limit, :versions)"
                     " RETURNING setup_id");

static enum status MUST_USE put_setup(struct db *db, const struct db_bench_setup *s, int64_t *setup_id, struct err *e)
{
    *setup_id = 0;
    enum status status = find_setup(db, SQL_BENCH_SETUP_FIND, s, setup_id, e);

    if (status == ST_OK && *setup_id == 0)
        status = find_setup(db, SQL_BENCH_SETUP_PUT, s, setup_id, e);
    return status;
}

SQL(BENCH_RESULT_PUT,
    "INSERT INTO bench_result (sha256, problem_id, finished_at, verdict, why, metric, unit,"
    "  case_sha256, buggy, fixed, ratio, ratio_low, ratio_high, load_after, setup_id, seed, limit_seconds,"
    "  limit_memory_mb)"
    " VALUES (:sha256, :problem_id, :finished_at, :verdict, :why, :metric, :unit, :case_sha256,"
    " :buggy, :fixed, :ratio, :ratio_low, :ratio_high, :load_after, :setup_id, :seed,"
    " :limit_seconds, :limit_memory_mb)");

static enum status MUST_USE put_result(struct db *db, const struct db_bench_result *r, int64_t setup_id,
                                       int64_t *result_id, struct err *e)
{
    struct sql *which = SQL_BENCH_RESULT_PUT;
    const struct span texts[] = {r->sha256, r->problem_id, r->finished_at, r->verdict,
                                 r->why,    r->metric,     r->unit,        r->case_sha256};
    const double reals[] = {r->buggy, r->fixed, r->ratio, r->ratio_low, r->ratio_high, r->load_after};
    const int64_t integers[] = {setup_id, r->seed, r->limit_seconds, r->limit_memory_mb};
    int parameter = 1;

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        sql_bind_text_at(db, which, parameter++, texts[i]);
    for (size_t i = 0; i < ARRAY_LEN(reals); i++)
        sql_bind_real_at(db, which, parameter++, reals[i]);
    for (size_t i = 0; i < ARRAY_LEN(integers); i++)
        sql_bind_int_at(db, which, parameter++, integers[i]);
    enum status status = sql_done(db, which, e);
    *result_id = sqlite3_last_insert_rowid(db->handle);
    return status;
}

SQL(BENCH_RUN_PUT, "INSERT INTO bench_run (result_id, place, warm_up, lacked_memory, code, peak_kb,"
                   "  sampled_peak_kb, out_bytes, err_bytes, metric, wall_seconds, user_seconds,"
                   "  system_seconds, work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds, side,"
                   "  ended, digest, said, computed, step_seconds, step_rss_kb, samples)"
                   " VALUES (:result_id, :place, :warm_up, :lacked_memory, :code, :peak_kb, :sampled_peak_kb,"
                   " :out_bytes, :err_bytes, :metric, :wall_seconds, :user_seconds, :system_seconds,"
                   " :work_seconds, :work_rss_before_kb, :work_peak_rss_kb, :ready_seconds, :side,"
                   "  :ended, :digest, :said, :computed, :step_seconds, :step_rss_kb, :samples)");

static enum status MUST_USE put_run(struct db *db, const struct db_bench_run *r, int64_t result_id, struct err *e)
{
    struct sql *which = SQL_BENCH_RUN_PUT;
    const int64_t integers[] = {result_id,  r->place,           r->warm_up,   r->lacked_memory, r->code,
                                r->peak_kb, r->sampled_peak_kb, r->out_bytes, r->err_bytes};
    const double reals[] = {r->metric,       r->wall_seconds,       r->user_seconds,     r->system_seconds,
                            r->work_seconds, r->work_rss_before_kb, r->work_peak_rss_kb, r->ready_seconds};
    const struct span texts[] = {r->fixed ? SPAN("fixed") : SPAN("buggy"),
                                 r->ended,
                                 r->digest,
                                 r->said,
                                 r->computed,
                                 r->step_seconds,
                                 r->step_rss_kb,
                                 r->samples};
    int parameter = 1;

    for (size_t i = 0; i < ARRAY_LEN(integers); i++)
        sql_bind_int_at(db, which, parameter++, integers[i]);
    for (size_t i = 0; i < ARRAY_LEN(reals); i++)
        sql_bind_real_at(db, which, parameter++, reals[i]);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        sql_bind_text_at(db, which, parameter++, texts[i]);
    return sql_done(db, which, e);
}

SQL(BENCH_RESULT_KNOWN, "SELECT 1 FROM bench_result WHERE sha256 = :sha256");

static enum status MUST_USE is_known(struct db *db, struct span sha256, bool *known, struct err *e)
{
    sql_bind_text(db, SQL_BENCH_RESULT_KNOWN, ":sha256", sha256);
    enum status status = sql_row(db, SQL_BENCH_RESULT_KNOWN, known, e);

    if (*known)
        sql_reset(db, SQL_BENCH_RESULT_KNOWN);
    return status;
}

static enum status MUST_USE put_all(struct db *db, const struct db_bench_result *r, bool *known, struct err *e)
{
    int64_t setup_id, result_id;
    enum status status = is_known(db, r->sha256, known, e);

    if (status != ST_OK || *known)
        return status;
    status = put_setup(db, &r->setup, &setup_id, e);
    if (status == ST_OK)
        status = put_result(db, r, setup_id, &result_id, e);
    for (size_t i = 0; i < r->n_runs && status == ST_OK; i++)
        status = put_run(db, &r->runs[i], result_id, e);
    return status;
}

enum status db_bench_put(struct db *db, const struct db_bench_result *result, bool *known, struct err *e)
{
    *known = false;
    enum status status = db_begin(db, e);

    if (status == ST_OK)
        status = put_all(db, result, known, e);
    if (status == ST_OK)
        status = db_commit(db, e);
    if (status != ST_OK)
        db_rollback(db);
    return status;
}

SQL(BENCH_MACHINE_EACH, "SELECT machine, cases, results, last_at FROM bench_machine ORDER BY last_at DESC, machine");

/* --- reading --- */

enum status db_bench_machine_each(struct db *db, void (*each)(void *ctx, const struct db_bench_machine *machine),
                                  void *ctx, struct err *e)
{
    struct sql *which = SQL_BENCH_MACHINE_EACH;
    enum status status = ST_OK;

    while (sql_next(db, which, &status, e)) {
        struct db_bench_machine machine = {.machine = sql_text(db, which, 0),
                                           .cases = sql_int(db, which, 1),
                                           .results = sql_int(db, which, 2),
                                           .last_at = sql_text(db, which, 3)};
        each(ctx, &machine);
    }
    return status;
}

SQL(BENCH_LAST_EACH,
    "SELECT problem_id, finished_at, verdict, why, metric, unit, buggy, fixed, ratio, ratio_low,"
    "  ratio_high, (SELECT r.case_sha256 FROM bench_result AS r WHERE r.result_id = bench_last.result_id)"
    " FROM bench_last WHERE machine = :machine ORDER BY problem_id");

enum status db_bench_last_each(struct db *db, struct span machine,
                               void (*each)(void *ctx, const struct db_bench_result *result), void *ctx, struct err *e)
{
    struct sql *which = SQL_BENCH_LAST_EACH;

    sql_bind_text(db, which, ":machine", machine);
    enum status status = ST_OK;
    while (sql_next(db, which, &status, e)) {
        struct db_bench_result result = {.problem_id = sql_text(db, which, 0),
                                         .finished_at = sql_text(db, which, 1),
                                         .verdict = sql_text(db, which, 2),
                                         .why = sql_text(db, which, 3),
                                         .metric = sql_text(db, which, 4),
                                         .unit = sql_text(db, which, 5),
                                         .buggy = sql_real(db, which, 6),
                                         .fixed = sql_real(db, which, 7),
                                         .ratio = sql_real(db, which, 8),
                                         .ratio_low = sql_real(db, which, 9),
                                         .ratio_high = sql_real(db, which, 10),
                                         .case_sha256 = sql_text(db, which, 11)};
        result.setup.machine = machine;
        each(ctx, &result);
    }
    return status;
}
