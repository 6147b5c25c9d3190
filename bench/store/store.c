/* bench_store: results of the benchmark into the database, and the last ones out of it. */
#include "base/files.h"
#include "bench/store/store.h"
#include "db/sql.h"

#include <unistd.h>

/* --- into the database --- */

/* NULL for "". */
static struct span some_text(const char *text)
{
    return text[0] != '\0' ? span_of(text) : (struct span){0};
}

/* An absent number is 0. */
static int64_t some_count(uint64_t value)
{
    return value != 0 ? (int64_t)value : POST_ABSENT;
}

static enum status MUST_USE find_setup(struct db *db, struct sql *which, const struct bench_record *r,
                                       const char *machine, int64_t *setup_id, struct err *e)
{
    sql_bind(db, which, BIND(":machine", some_text(machine)), BIND(":processor", some_text(r->processor)),
             BIND(":processors", some_count(r->processors)), BIND(":memory_kb", some_count(r->memory_kb)),
             BIND(":system", some_text(r->os)), BIND(":kernel", some_text(r->kernel)),
             BIND(":architecture", some_text(r->architecture)), BIND(":memory_limit", some_text(r->memory_limit)),
             BIND(":versions", buf_span(&r->versions)));
    return sql_one_int(db, which, setup_id, e);
}

SQL(BENCH_SETUP_FIND, "SELECT setup_id FROM bench_setup WHERE machine = :machine AND processor IS :processor"
                      "  AND processors IS :processors AND memory_kb IS :memory_kb AND system IS :system"
                      " AND kernel IS :kernel"
                      "  AND architecture IS :architecture AND memory_limit IS :memory_limit AND versions = :versions");

SQL(BENCH_SETUP_PUT, "INSERT INTO bench_setup (machine, processor, processors, memory_kb, system, kernel,"
                     "  architecture, memory_limit, versions) VALUES (:machine, :processor, :processors, :memory_kb,"
                     " :system, :kernel, :architecture, :memory_limit, :versions)"
                     " RETURNING setup_id");

SQL(BENCH_RESULT_PUT,
    "INSERT INTO bench_result (sha256, problem_id, finished_at, verdict, why, metric, unit,"
    "  case_sha256, buggy, fixed, ratio, ratio_low, ratio_high, load_after, setup_id, seed, limit_seconds,"
    "  limit_memory_mb)"
    " VALUES (:sha256, :problem_id, :finished_at, :verdict, :why, :metric, :unit, :case_sha256,"
    " :buggy, :fixed, :ratio, :ratio_low, :ratio_high, :load_after, :setup_id, :seed,"
    " :limit_seconds, :limit_memory_mb)");

static enum status MUST_USE put_result(struct db *db, const struct bench_record *r, struct span sha256,
                                       int64_t setup_id, int64_t *result_id, struct err *e)
{
    struct sql *which = SQL_BENCH_RESULT_PUT;
    const struct bench_result *result = &r->result;

    enum status status = sql_run(
        db, which, e, BIND(":sha256", sha256), BIND(":problem_id", span_of(r->problem_id)),
        BIND(":finished_at", span_of(r->date)), BIND(":verdict", span_of(bench_verdict_names[result->verdict])),
        BIND(":why", span_of(r->why)), BIND(":metric", span_of(bench_metric_names[r->metric])),
        BIND(":unit", span_of(bench_metric_units[r->metric])), BIND(":case_sha256", some_text(result->case_sha256)),
        BIND(":buggy", result->medians[BENCH_BUGGY]), BIND(":fixed", result->medians[BENCH_FIXED]),
        BIND(":ratio", result->ratio.ratio), BIND(":ratio_low", result->ratio.low),
        BIND(":ratio_high", result->ratio.high), BIND(":load_after", r->load_after), BIND(":setup_id", setup_id),
        BIND(":seed", (int64_t)result->seed), BIND(":limit_seconds", (int64_t)r->limit_seconds),
        BIND(":limit_memory_mb", (int64_t)r->limit_memory_mb));
    *result_id = sqlite3_last_insert_rowid(db->handle);
    return status;
}

static void bind_list(struct db *db, struct sql *which, const char *parameter, const struct bench_numbers *list,
                      struct arena *arena)
{
    AT_END(buf_clear) struct buf text = {0};

    for (size_t i = 0; i < list->n; i++)
        buf_addf(&text, "%c%.9g", i > 0 ? ',' : '[', list->at[i]);
    buf_add_text(&text, list->n > 0 ? "]" : "[]");
    sql_bind_text(db, which, parameter, arena_copy(arena, buf_span(&text)));
}

SQL(BENCH_RUN_PUT, "INSERT INTO bench_run (result_id, place, warm_up, lacked_memory, code, peak_kb,"
                   "  sampled_peak_kb, out_bytes, err_bytes, metric, wall_seconds, user_seconds,"
                   "  system_seconds, work_seconds, work_rss_before_kb, work_peak_rss_kb, ready_seconds, side,"
                   "  ended, digest, said, computed, step_seconds, step_rss_kb, samples)"
                   " VALUES (:result_id, :place, :warm_up, :lacked_memory, :code, :peak_kb, :sampled_peak_kb,"
                   " :out_bytes, :err_bytes, :metric, :wall_seconds, :user_seconds, :system_seconds,"
                   " :work_seconds, :work_rss_before_kb, :work_peak_rss_kb, :ready_seconds, :side,"
                   "  :ended, :digest, :said, :computed, :step_seconds, :step_rss_kb, :samples)");

static enum status MUST_USE put_run(struct db *db, const struct bench_run *run, int side, size_t place,
                                    int64_t result_id, struct err *e)
{
    struct sql *which = SQL_BENCH_RUN_PUT;
    AT_END(arena_clear) struct arena lists = {0};

    sql_bind(db, which, BIND(":result_id", result_id), BIND(":place", (int64_t)place), BIND(":code", run->code),
             BIND(":side", span_of(bench_side_names[side])), BIND(":ended", span_of(bench_end_names[run->end])));
    /* Sampled every 20 ms: more than four decimals say nothing. */
    AT_END(buf_clear) struct buf text = {0};

    for (size_t i = 0; i < run->samples_at.n; i++)
        buf_addf(&text, "%c[%.4f,%.0f]", i > 0 ? ',' : '[', run->samples_at.at[i], run->samples_kb.at[i]);
    buf_add_text(&text, run->samples_at.n > 0 ? "]" : "[]");
    sql_bind_text(db, which, ":samples", arena_copy(&lists, buf_span(&text)));
    for (const struct bench_run_field *f = bench_run_fields; f->name != NULL; f++)
        if (f->parameter != NULL) {
            const void *at = (const char *)run + f->at;

            if (f->kind == BENCH_FLAG)
                sql_bind_int(db, which, f->parameter, *(const bool *)at);
            else if (f->kind == BENCH_COUNT)
                sql_bind_int(db, which, f->parameter, (int64_t) * (const uint64_t *)at);
            else if (f->kind == BENCH_REAL)
                sql_bind_real(db, which, f->parameter, *(const double *)at);
            else if (f->kind == BENCH_TEXT)
                sql_bind_text(db, which, f->parameter, span_of(at));
            else
                bind_list(db, which, f->parameter, at, &lists);
        }
    return sql_done(db, which, e);
}

SQL(BENCH_RESULT_KNOWN, "SELECT 1 FROM bench_result WHERE sha256 = :sha256");

static enum status MUST_USE put_all(struct db *db, const struct bench_record *r, const char *machine, bool *known,
                                    struct err *e)
{
    char sha256[SHA256_TEXT_SIZE];
    int64_t one, setup_id, result_id = 0;

    sha256_of(buf_span(&r->identity), sha256);
    sql_bind_text(db, SQL_BENCH_RESULT_KNOWN, ":sha256", span_of(sha256));
    enum status status = sql_one_int(db, SQL_BENCH_RESULT_KNOWN, &one, e);

    *known = one != POST_ABSENT;
    if (status != ST_OK || *known)
        return status;
    const char *called = machine != NULL ? machine : r->machine;
    status = find_setup(db, SQL_BENCH_SETUP_FIND, r, called, &setup_id, e);
    if (status == ST_OK && setup_id == POST_ABSENT)
        status = find_setup(db, SQL_BENCH_SETUP_PUT, r, called, &setup_id, e);
    THEN(status, put_result(db, r, span_of(sha256), setup_id, &result_id, e));
    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < r->result.n_runs[side] && status == ST_OK; i++)
            status = put_run(db, &r->result.runs[side][i], side, i + 1, result_id, e);
    return status;
}

enum status bench_store_put(struct db *db, const struct bench_record *record, const char *machine, bool *known,
                            struct err *e)
{
    *known = false;
    enum status status = db_begin(db, e);

    THEN(status, put_all(db, record, machine, known, e));
    return db_end(db, status, e);
}

/* --- while cases are run --- */

enum status bench_store_check(const struct bench_store *s, struct err *e)
{
    struct db *db;
    enum status status = db_open(&db, s->path, DB_WRITE, e);

    db_close(db);
    return status;
}

static enum status put_json(const struct bench_store *s, struct span json, struct err *e)
{
    AT_END(bench_record_clear) struct bench_record record;
    struct db *db = NULL;
    bool known;
    enum status status = bench_record_read(&record, json, "the result", e);

    THEN(status, db_open(&db, s->path, DB_WRITE, e));
    THEN(status, bench_store_put(db, &record, NULL, &known, e));
    db_close(db);
    return status;
}

enum status bench_store_add(const struct bench_store *s, const char *id, struct err *e)
{
    AT_END(buf_clear) struct buf json = {0};
    AT_END(mem_end) char *path = mem_addf("%s/%s.json", s->results_dir, id);

    if (access(path, F_OK) != 0)
        return ST_OK;
    enum status status = file_read(path, BENCH_RESULT_MAX, &json, e);
    return status == ST_OK && json.len > 0 ? put_json(s, buf_span(&json), e) : status;
}

enum status bench_store_keep(void *ctx, struct span json, struct err *e)
{
    const struct bench_store *s = ctx;
    enum status status = put_json(s, json, e);
    struct err why = *e;

    if (status != ST_OK)
        err_set(e, status, "%.700s; the result is in %s, from where 'bench import' takes it", why.text, s->results_dir);
    return status;
}

/* --- the last results --- */

static const char *kept(struct bench_results *r, struct span s)
{
    return arena_text(&r->arena, s);
}

SQL(BENCH_LAST_EACH,
    "SELECT problem_id, finished_at, verdict, why, metric, unit, buggy, fixed, ratio, ratio_low,"
    "  ratio_high, (SELECT r.case_sha256 FROM bench_result AS r WHERE r.result_id = bench_last.result_id)"
    " FROM bench_last WHERE machine = :machine ORDER BY problem_id");

/* Of a case or a verdict that is not known nothing is shown. */
static void fill_one(struct bench_results *out, const struct bench_cases *cases, struct db *db)
{
    struct sql *which = SQL_BENCH_LAST_EACH;
    const struct bench_case *c = bench_cases_find(cases, kept(out, sql_text(db, which, 0)));
    size_t verdict = span_place(sql_text(db, which, 2), bench_verdict_names, BENCH_VERDICTS);

    if (c == NULL || verdict == BENCH_VERDICTS)
        return;
    out->items[c - cases->items.at] = (struct bench_summary){
        .id = c->id,
        .date = kept(out, sql_text(db, which, 1)),
        .verdict = (enum bench_verdict)verdict,
        .why = kept(out, sql_text(db, which, 3)),
        .metric = kept(out, sql_text(db, which, 4)),
        .unit = kept(out, sql_text(db, which, 5)),
        .medians = {sql_real(db, which, 6), sql_real(db, which, 7)},
        .ratio = sql_real(db, which, 8),
        .low = sql_real(db, which, 9),
        .high = sql_real(db, which, 10),
        .case_sha256 = kept(out, sql_text(db, which, 11)),
        .machine = out->name,
    };
}

/* Machines of the database; wanted is NULL or a part of the name, in any case of ASCII letters. */
struct choice {
    struct bench_results *out;
    const char *wanted;
    const char *found; /* the one whose name it is, else the first that has it in its name */
    bool exact;
    size_t n, n_found;
    struct buf list;
};

/* The one that was measured last first. */
SQL(BENCH_MACHINE_EACH, "SELECT machine FROM bench_machine ORDER BY last_at DESC, machine");

static enum status choose(struct choice *c, struct db *db, const char *db_path, struct err *e)
{
    enum status status = ST_OK;

    while (sql_next(db, SQL_BENCH_MACHINE_EACH, &status, e)) {
        struct span machine = sql_text(db, SQL_BENCH_MACHINE_EACH, 0);
        bool exact = c->wanted != NULL && span_eq(machine, span_of(c->wanted));
        buf_addf(&c->list, "%s'%.*s'", c->n++ > 0 ? ", " : "", SPAN_ARG(machine));
        if (c->wanted != NULL && !exact && span_find_any_case(machine, span_of(c->wanted)) == SIZE_MAX)
            continue;
        c->n_found++;
        if (c->found == NULL || exact)
            c->found = kept(c->out, machine);
        c->exact |= exact;
    }
    if (status != ST_OK || c->wanted == NULL)
        return status;
    if (c->n == 0)
        return err_set(e, ST_USAGE, "%s contains no result of any machine; 'bench import' brings them in", db_path);
    if (c->n_found == 0)
        return err_set(e, ST_USAGE, "no machine '%.100s'; there are: %.700s", c->wanted, buf_cstr(&c->list));
    if (c->n_found > 1 && !c->exact)
        return err_set(e, ST_USAGE, "'%.100s' is in several names; there are: %.700s", c->wanted, buf_cstr(&c->list));
    return ST_OK;
}

/* out->name stays NULL when the database holds no result. */
static enum status load_database(struct bench_results *out, const struct bench_cases *cases,
                                 const struct bench_results_wanted *wanted, struct db **db, struct err *e)
{
    struct choice c = {.out = out, .wanted = wanted->machine};
    enum status status = *db != NULL ? ST_OK : db_open(db, wanted->db_path, DB_READ, e);

    THEN(status, choose(&c, *db, wanted->db_path, e));
    out->name = c.found;
    out->n_others = c.n > 0 ? c.n - 1 : 0;
    if (status == ST_OK && c.found != NULL) {
        /* The last result of each case on a machine. */
        sql_bind_text(*db, SQL_BENCH_LAST_EACH, ":machine", span_of(out->name));
        while (sql_next(*db, SQL_BENCH_LAST_EACH, &status, e))
            fill_one(out, cases, *db);
    }
    buf_clear(&c.list);
    return status;
}

enum status bench_results_load(struct bench_results *out, const struct bench_cases *cases,
                               const struct bench_results_wanted *wanted, struct db **db, struct err *e)
{
    const char *dir = wanted->dir;
    enum status status = ST_OK;

    *out = (struct bench_results){.name = NULL};
    out->items = mem_zero(cases->items.n + 1, sizeof *out->items);
    for (size_t i = 0; i < cases->items.n; i++)
        out->items[i] = bench_summary_none(cases->items.at[i].id);
    if (dir == NULL && wanted->machine != NULL && wanted->db_path == NULL)
        return err_set(e, ST_USAGE, "machines have their names in a database; give it with -d");
    if (dir == NULL && wanted->db_path != NULL)
        status = load_database(out, cases, wanted, db, e);
    if (status == ST_OK && out->name == NULL) {
        const char *folder = dir != NULL ? dir : BENCH_RESULTS_DIR;
        out->name = folder;
        for (size_t i = 0; i < cases->items.n && status == ST_OK; i++) {
            status = bench_summary_read(&out->items[i], folder, cases->items.at[i].id, &out->arena, e);
            status = status == ST_NO ? ST_OK : status; /* metric "": none */
            if (out->items[i].machine[0] != '\0')
                out->name = out->items[i].machine;
        }
    }
    return status;
}

void bench_results_clear(struct bench_results *r)
{
    mem_free(r->items);
    arena_clear(&r->arena);
    *r = (struct bench_results){.name = NULL};
}
