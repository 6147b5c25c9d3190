/* bench_store: results of the benchmark into the database, and the last ones out of it. */
#include "base/files.h"
#include "bench/store/rows.h"
#include "bench/store/store.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* --- a result, as the database has it --- */

static struct span copy_of(struct arena *arena, struct buf *text)
{
    struct span copy = arena_copy(arena, buf_span(text));

    buf_reset(text);
    return copy;
}

static struct span list_of(struct arena *arena, const struct bench_numbers *list)
{
    struct buf text = {0};

    buf_add_char(&text, '[');
    for (size_t i = 0; i < list->n; i++)
        buf_addf(&text, "%s%.9g", i > 0 ? "," : "", list->at[i]);
    buf_add_char(&text, ']');
    struct span copy = copy_of(arena, &text);
    buf_clear(&text);
    return copy;
}

/* Sampled every 20 ms: more than four decimals say nothing. */
static struct span samples_of(struct arena *arena, const struct bench_run *run)
{
    struct buf text = {0};

    buf_add_char(&text, '[');
    for (size_t i = 0; i < run->samples_at.n; i++)
        buf_addf(&text, "%s[%.4f,%.0f]", i > 0 ? "," : "", run->samples_at.at[i], run->samples_kb.at[i]);
    buf_add_char(&text, ']');
    struct span copy = copy_of(arena, &text);
    buf_clear(&text);
    return copy;
}

static struct db_bench_run run_of(const struct bench_run *run, int side, size_t i, struct arena *arena)
{
    static const char *const ends[] = {"exited", "signalled", "timed out", "out of memory"};

    return (struct db_bench_run){
        .fixed = side == BENCH_FIXED,
        .place = (int64_t)i + 1,
        .warm_up = run->warm_up,
        .lacked_memory = run->lacked_memory,
        .ended = span_of(ends[run->end]),
        .code = run->code,
        .peak_kb = (int64_t)run->peak_kb,
        .sampled_peak_kb = (int64_t)run->sampled_peak_kb,
        .out_bytes = (int64_t)run->n_out,
        .err_bytes = (int64_t)run->n_err,
        .metric = run->metric,
        .wall_seconds = run->wall,
        .user_seconds = run->user_seconds,
        .system_seconds = run->system_seconds,
        .work_seconds = run->work_seconds,
        .work_rss_before_kb = run->work_rss_before_kb,
        .work_peak_rss_kb = run->work_peak_rss_kb,
        .ready_seconds = run->ready,
        .digest = span_of(run->digest),
        .said = span_of(run->said),
        .computed = list_of(arena, &run->values),
        .step_seconds = list_of(arena, &run->step_seconds),
        .step_rss_kb = list_of(arena, &run->step_rss_kb),
        .samples = samples_of(arena, run),
    };
}

/* ptr NULL for "". */
static struct span or_absent(const char *text)
{
    return text[0] != '\0' ? span_of(text) : (struct span){0};
}

static struct db_bench_setup setup_of(const struct bench_record *r, const char *machine)
{
    return (struct db_bench_setup){
        .machine = span_of(machine != NULL ? machine : r->machine),
        .processor = or_absent(r->processor),
        .os = or_absent(r->os),
        .kernel = or_absent(r->kernel),
        .architecture = or_absent(r->architecture),
        .memory_limit = or_absent(r->memory_limit),
        .processors = (int64_t)r->processors,
        .memory_kb = (int64_t)r->memory_kb,
        .versions = buf_span(&r->versions),
    };
}

static struct db_bench_result result_of(const struct bench_record *r)
{
    const struct bench_result *result = &r->result;

    return (struct db_bench_result){
        .problem_id = span_of(r->problem_id),
        .finished_at = span_of(r->date),
        .verdict = span_of(bench_verdict_names[result->verdict]),
        .why = span_of(r->why),
        .metric = span_of(bench_metric_names[r->metric]),
        .unit = span_of(bench_metric_units[r->metric]),
        .case_sha256 = or_absent(result->case_sha256),
        .buggy = result->medians[BENCH_BUGGY],
        .fixed = result->medians[BENCH_FIXED],
        .ratio = result->ratio.ratio,
        .ratio_low = result->ratio.low,
        .ratio_high = result->ratio.high,
        .load_after = r->load_after,
        .seed = (int64_t)result->seed,
        .limit_seconds = (int64_t)r->limit_seconds,
        .limit_memory_mb = (int64_t)r->limit_memory_mb,
    };
}

enum status bench_store_put(struct db *db, const struct bench_record *record, const char *machine, bool *known,
                            struct err *e)
{
    const struct bench_result *from = &record->result;
    struct db_bench_result result = result_of(record);
    struct arena arena = {0};
    char sha256[SHA256_TEXT_SIZE];
    size_t n = from->n_runs[BENCH_BUGGY] + from->n_runs[BENCH_FIXED];
    struct db_bench_run *runs = mem_zero(n + 1, sizeof *runs);

    db_sha256(buf_span(&record->identity), sha256);
    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < from->n_runs[side]; i++)
            runs[result.n_runs++] = run_of(&from->runs[side][i], side, i, &arena);
    result.sha256 = span_of(sha256);
    result.setup = setup_of(record, machine);
    result.runs = runs;
    enum status status = db_bench_put(db, &result, known, e);
    mem_free(runs);
    arena_clear(&arena);
    return status;
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
    struct bench_record record;
    struct db *db = NULL;
    bool known;
    enum status status = bench_record_read(&record, json, "the result", e);

    if (status == ST_OK)
        status = db_open(&db, s->path, DB_WRITE, e);
    if (status == ST_OK)
        status = bench_store_put(db, &record, NULL, &known, e);
    db_close(db);
    bench_record_clear(&record);
    return status;
}

enum status bench_store_add(const struct bench_store *s, const char *id, struct err *e)
{
    struct buf path = {0}, json = {0};
    enum status status = ST_OK;

    buf_addf(&path, "%s/%s.json", s->results_dir, id);
    if (access(buf_cstr(&path), F_OK) == 0)
        status = file_read(buf_cstr(&path), BENCH_RESULT_MAX, &json, e);
    if (status == ST_OK && json.len > 0)
        status = put_json(s, buf_span(&json), e);
    buf_clear(&path);
    buf_clear(&json);
    return status;
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

static void clear_items(struct bench_results *out, const struct bench_cases *cases)
{
    out->items = mem_zero(cases->items.n + 1, sizeof *out->items);
    for (size_t i = 0; i < cases->items.n; i++)
        out->items[i] = (struct bench_summary){.id = cases->items.at[i].id,
                                               .why = "",
                                               .metric = "",
                                               .unit = "",
                                               .date = "",
                                               .machine = "",
                                               .case_sha256 = "",
                                               .medians = {NAN, NAN},
                                               .ratio = NAN,
                                               .low = NAN,
                                               .high = NAN};
}

bool bench_contains(struct span text, const char *part)
{
    size_t len = strlen(part), same;

    for (size_t i = 0; i + len <= text.len; i++) {
        for (same = 0; same < len && ascii_lower(text.ptr[i + same]) == ascii_lower(part[same]); same++) {
        }
        if (same == len)
            return true;
    }
    return false;
}

static enum status load_folder(struct bench_results *out, const struct bench_cases *cases, const char *dir,
                               struct err *e)
{
    enum status status = ST_OK;

    out->name = dir;
    for (size_t i = 0; i < cases->items.n && status == ST_OK; i++) {
        status = bench_summary_read(&out->items[i], dir, cases->items.at[i].id, &out->arena, e);
        status = status == ST_NO ? ST_OK : status; /* metric "": none */
        if (out->items[i].machine[0] != '\0')
            out->name = out->items[i].machine;
    }
    return status;
}

static const char *kept(struct bench_results *r, struct span s)
{
    return arena_text(&r->arena, s);
}

struct filling {
    struct bench_results *out;
    const struct bench_cases *cases;
};

static void fill_one(void *ctx, const struct db_bench_result *result)
{
    struct filling *f = ctx;
    const char *id = kept(f->out, result->problem_id);
    const struct bench_case *c = bench_cases_find(f->cases, id);
    int verdict = 0;

    while (bench_verdict_names[verdict] != NULL && !span_eq(span_of(bench_verdict_names[verdict]), result->verdict))
        verdict++;
    if (c == NULL || verdict == BENCH_VERDICTS)
        return;
    f->out->items[c - f->cases->items.at] = (struct bench_summary){
        .id = c->id,
        .why = kept(f->out, result->why),
        .metric = kept(f->out, result->metric),
        .unit = kept(f->out, result->unit),
        .date = kept(f->out, result->finished_at),
        .machine = f->out->name,
        .case_sha256 = kept(f->out, result->case_sha256),
        .verdict = (enum bench_verdict)verdict,
        .medians = {result->buggy, result->fixed},
        .ratio = result->ratio,
        .low = result->ratio_low,
        .high = result->ratio_high,
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

static void look_at(void *ctx, const struct db_bench_machine *machine)
{
    struct choice *c = ctx;
    bool exact = c->wanted != NULL && span_eq(machine->machine, span_of(c->wanted));

    buf_addf(&c->list, "%s'%.*s'", c->n++ > 0 ? ", " : "", (int)machine->machine.len, machine->machine.ptr);
    if (c->wanted != NULL && !exact && !bench_contains(machine->machine, c->wanted))
        return;
    c->n_found++;
    if (c->found == NULL || exact)
        c->found = kept(c->out, machine->machine);
    c->exact |= exact;
}

static enum status choose(struct choice *c, struct db *db, const char *db_path, struct err *e)
{
    enum status status = db_bench_machine_each(db, look_at, c, e);

    if (status != ST_OK || c->wanted == NULL)
        return status;
    if (c->n == 0)
        return err_set(e, ST_USAGE,
                       "%s contains no result of any machine; 'bench import' brings them"
                       " in",
                       db_path);
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
    struct filling f = {out, cases};
    enum status status = *db != NULL ? ST_OK : db_open(db, wanted->db_path, DB_READ, e);

    if (status == ST_OK)
        status = choose(&c, *db, wanted->db_path, e);
    out->name = c.found;
    out->n_others = c.n > 0 ? c.n - 1 : 0;
    if (status == ST_OK && c.found != NULL)
        status = db_bench_last_each(*db, span_of(c.found), fill_one, &f, e);
    buf_clear(&c.list);
    return status;
}

enum status bench_results_load(struct bench_results *out, const struct bench_cases *cases,
                               const struct bench_results_wanted *wanted, struct db **db, struct err *e)
{
    const char *dir = wanted->dir;
    enum status status = ST_OK;

    *out = (struct bench_results){.name = NULL};
    clear_items(out, cases);
    if (dir == NULL && wanted->machine != NULL && wanted->db_path == NULL)
        return err_set(e, ST_USAGE, "machines have their names in a database; give it with -d");
    if (dir == NULL && wanted->db_path != NULL)
        status = load_database(out, cases, wanted, db, e);
    if (status == ST_OK && out->name == NULL)
        status = load_folder(out, cases, dir != NULL ? dir : BENCH_RESULTS_DIR, e);
    return status;
}

void bench_results_clear(struct bench_results *r)
{
    mem_free(r->items);
    arena_clear(&r->arena);
    *r = (struct bench_results){.name = NULL};
}
