/* A result as JSON, and from JSON. */
#include "base/files.h"
#include "base/output_file.h"
#include "bench/results.h"
#include "bench/runs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

const char *const bench_end_names[] = {"exited", "signalled", "timed out", "out of memory", "stopped"};
const char *const bench_side_names[] = {"buggy", "fixed"};

/* --- writing --- */

/* null for NAN. */
json_t *result_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Texts that are not UTF-8 come out as "". */
json_t *result_text(const char *s)
{
    json_t *value = json_string(s);

    return value != NULL ? value : json_string("");
}

/* clang-format off */
#define AT(member) offsetof(struct bench_run, member)
#define TEXT(member) AT(member), sizeof((struct bench_run *)0)->member
const struct bench_run_field bench_run_fields[] = {
    {"warm_up", BENCH_FLAG, BENCH_ANY, AT(warm_up), 0, ":warm_up"},
    {"disturbed", BENCH_FLAG, BENCH_OPTIONAL, AT(disturbed), 0, NULL},
    {"small", BENCH_FLAG, BENCH_OPTIONAL, AT(small), 0, NULL},
    {"others_processors", BENCH_REAL, BENCH_ANY, AT(others), 0, NULL},
    {"metric", BENCH_REAL, BENCH_ANY, AT(metric), 0, ":metric"},
    {"wall_seconds", BENCH_REAL, BENCH_NEEDED, AT(wall), 0, ":wall_seconds"},
    {"user_seconds", BENCH_REAL, BENCH_NEEDED, AT(user_seconds), 0, ":user_seconds"},
    {"system_seconds", BENCH_REAL, BENCH_NEEDED, AT(system_seconds), 0, ":system_seconds"},
    {"peak_kb", BENCH_COUNT, BENCH_ANY, AT(peak_kb), 0, ":peak_kb"},
    {"sampled_peak_kb", BENCH_COUNT, BENCH_ANY, AT(sampled_peak_kb), 0, ":sampled_peak_kb"},
    {"out_bytes", BENCH_COUNT, BENCH_ANY, AT(n_out), 0, ":out_bytes"},
    {"err_bytes", BENCH_COUNT, BENCH_ANY, AT(n_err), 0, ":err_bytes"},
    {"lacked_memory", BENCH_FLAG, BENCH_ANY, AT(lacked_memory), 0, ":lacked_memory"},
    {"work_seconds", BENCH_REAL, BENCH_ANY, AT(work_seconds), 0, ":work_seconds"},
    {"work_rss_before_kb", BENCH_REAL, BENCH_ANY, AT(work_rss_before_kb), 0, ":work_rss_before_kb"},
    {"work_peak_rss_kb", BENCH_REAL, BENCH_ANY, AT(work_peak_rss_kb), 0, ":work_peak_rss_kb"},
    {"ready_seconds", BENCH_REAL, BENCH_ANY, AT(ready), 0, ":ready_seconds"},
    {"digest", BENCH_TEXT, BENCH_ANY, TEXT(digest), ":digest"},
    {"exact", BENCH_TEXT, BENCH_OPTIONAL, TEXT(exact), NULL},
    {"values", BENCH_LIST, BENCH_SIGNED, AT(values), BENCH_VALUES_MAX, ":computed"},
    {"step_seconds", BENCH_LIST, BENCH_ANY, AT(step_seconds), BENCH_STEPS_MAX, ":step_seconds"},
    {"step_rss_kb", BENCH_LIST, BENCH_ANY, AT(step_rss_kb), BENCH_STEPS_MAX, ":step_rss_kb"},
    {"sample_seconds", BENCH_LIST, BENCH_ANY, AT(samples_at), BENCH_SAMPLES_MAX, NULL},
    {"sample_kb", BENCH_LIST, BENCH_ANY, AT(samples_kb), BENCH_SAMPLES_MAX, NULL},
    {"said", BENCH_TEXT, BENCH_ANY, TEXT(said), ":said"},
    {NULL, BENCH_FLAG, BENCH_ANY, 0, 0, NULL},
};
/* clang-format on */

/* NULL: it is not in the file. */
static json_t *field_value(const struct bench_run *run, const struct bench_run_field *f)
{
    const void *at = (const char *)run + f->at;
    const struct bench_numbers *list = at;
    bool optional = f->rule == BENCH_OPTIONAL;
    json_t *array;

    switch (f->kind) {
    case BENCH_FLAG:
        return optional && !*(const bool *)at ? NULL : json_boolean(*(const bool *)at);
    case BENCH_COUNT:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case BENCH_REAL:
        return result_real(*(const double *)at);
    case BENCH_TEXT:
        return optional && *(const char *)at == '\0' ? NULL : result_text(at);
    case BENCH_LIST:
        array = json_array();
        for (size_t i = 0; i < list->n; i++)
            json_array_append_new(array, json_real(list->at[i]));
        return array;
    }
    return NULL;
}

static json_t *run_object(const struct bench_run *run)
{
    json_t *o = json_pack("{s:s,s:i}", "end", bench_end_names[run->end], "code", run->code);

    for (const struct bench_run_field *f = bench_run_fields; f->name != NULL; f++) {
        json_t *value = field_value(run, f);
        if (value != NULL)
            json_object_set_new(o, f->name, value);
    }
    if (run->work_rounds > 1)
        json_object_set_new(o, "work_rounds", json_integer((json_int_t)run->work_rounds));
    if (run->grouped)
        json_object_set_new(o, "group_peak_kb", json_integer((json_int_t)run->group_peak_kb));
    if (run->n_gpu > 0) {
        json_object_set_new(o, "gpu_peak_kb", json_integer((json_int_t)run->gpu_peak_kb));
        json_object_set_new(o, "gpu_busy_percent", result_real(run->gpu_busy_percent));
    }
    return o;
}

/* Of lines "python 3.11.2". */
static void add_versions(json_t *o, struct span rest)
{
    struct span line, name;

    while (span_cut(&rest, '\n', &line))
        if (span_cut(&line, ' ', &name))
            json_object_setn_new(o, name.ptr, name.len, json_stringn(line.ptr, line.len));
}

static json_t *side_object(const struct bench_result *r, const struct bench_case *c, int side)
{
    bool own = r->versions[side].len > 0;
    json_t *runs = json_array(), *versions = own ? json_object() : NULL;

    for (size_t i = 0; i < r->n_runs[side]; i++)
        json_array_append_new(runs, run_object(&r->runs[side][i]));
    add_versions(versions, buf_span(&r->versions[side]));
    return json_pack("{s:o*,s:o*,s:o,s:o}", "environment", own ? result_text(c->environments[side]) : NULL, "versions",
                     versions, "median", result_real(r->medians[side]), "runs", runs);
}

/* What /proc/cpuinfo has after "model name : "; "" when it does not say. */
static void processor_model(char *out, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];

    out[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct span rest = span_of(line), name;
        if (!span_starts(rest, SPAN("model name")) || !span_cut(&rest, ':', &name))
            continue;
        rest = span_trim(rest);
        snprintf(out, size, "%.*s", (int)rest.len, rest.ptr);
        break;
    }
    if (file != NULL)
        fclose(file);
}

json_t *result_machine(const char *called, const char *limit)
{
    struct utsname name = {0};
    char model[256];
    double load;

    processor_model(model, sizeof model);
    (void)uname(&name);
    if (getloadavg(&load, 1) != 1)
        load = NAN;
    return json_pack("{s:o*,s:o,s:I,s:I,s:o,s:o,s:o,s:o,s:s}", "name", called != NULL ? result_text(called) : NULL,
                     "processor", result_text(model), "processors", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
                     "memory_kb", (json_int_t)sysconf(_SC_PHYS_PAGES) * (sysconf(_SC_PAGESIZE) / 1024), "system",
                     result_text(name.sysname), "kernel", result_text(name.release), "architecture",
                     result_text(name.machine), "load_after", result_real(load), "memory_limit", limit);
}

json_t *result_versions(const struct bench_setting *s)
{
    json_t *o = json_pack("{s:s}", "ppmine", PPMINE_VERSION);

    add_versions(o, buf_span(&s->versions));
    return o;
}

const char *result_limit(size_t n_runs, size_t n_grouped)
{
    if (n_grouped == 0)
        return "sampled resident memory";
    return n_grouped == n_runs ? "memory.max of a cgroup" : "memory.max of a cgroup, in part sampled resident memory";
}

/* What of the processors others used while the figures were measured. */
static json_t *others_object(const struct bench_result *r, const struct bench_setting *s)
{
    static const char *const names[] = {"refuse", "when idle", "anyway"};
    double seconds = 0, used = 0, most = NAN;
    json_int_t n_over = 0, n_aside = 0;

    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < r->n_runs[side]; i++) {
            const struct bench_run *run = &r->runs[side][i];
            n_aside += run->disturbed;
            if (run->warm_up || isnan(run->others))
                continue;
            seconds += run->wall;
            used += run->others * run->wall;
            most = most > run->others ? most : run->others;
            n_over += run->others > MACHINE_OTHERS_MOST;
        }
    return json_pack("{s:s,s:o,s:o,s:I,s:I}", "measured", names[s->when], "mean_processors",
                     result_real(seconds > 0 ? used / seconds : NAN), "most_processors", result_real(most),
                     "runs_disturbed", n_over, "runs_put_aside", n_aside);
}

/* What the scripts were told besides what is the same everywhere. */
static json_t *environment_object(const struct bench_setting *s)
{
    json_t *o = json_pack("{s:I}", "threads", (json_int_t)run_threads(s));

    for (size_t i = 0; i < s->n_variables; i++) {
        const char *given = s->variables[i], *equals = strchr(given, '=');
        size_t len = equals != NULL ? (size_t)(equals - given) : strlen(given);
        const char *value = equals != NULL ? equals + 1 : getenv(given);
        if (value != NULL)
            json_object_setn_new(o, given, len, result_text(value));
    }
    return o;
}

static int add_bytes(const char *bytes, size_t n, void *out)
{
    buf_add(out, bytes, n);
    return 0;
}

void bench_dump(const json_t *o, size_t flags, struct buf *out)
{
    json_dump_callback(o, add_bytes, out, flags);
}

enum status result_write(const json_t *o, const char *dir, const char *id, struct buf *json, struct err *e)
{
    enum status status = folders_make(dir, e);

    AT_END(mem_end) char *path = mem_addf("%s/%s.json", dir, id);
    bench_dump(o, JSON_INDENT(1) | JSON_REAL_PRECISION(9), json);
    buf_add_char(json, '\n');
    return status == ST_OK ? output_file_write(path, OUTPUT_REPLACE, buf_span(json), e) : status;
}

enum status bench_result_write(const struct bench_result *r, const struct bench_case *c, const struct bench_setting *s,
                               struct err *e)
{
    AT_END(buf_clear) struct buf json = {0};
    char now[TIME_TEXT_SIZE];
    size_t n = 0, n_grouped = 0;

    for (int side = 0; side < BENCH_SIDES; side++)
        for (size_t i = 0; i < r->n_runs[side]; i++, n++)
            n_grouped += r->runs[side][i].grouped;
    time_now(now);
    json_auto_t *o = json_pack(
        "{s:i,s:o,s:s,s:o,s:s,s:s,s:o,s:o,s:o,s:s,s:I,s:s,s:I,s:I,s:o,s:o,s:o,s:o}", "format", BENCH_RESULT_FORMAT,
        "problem_id", result_text(c->id), "verdict", bench_verdict_names[r->verdict], "why", result_text(r->why),
        "metric", bench_metric_names[c->metric], "unit", bench_metric_units[c->metric], "ratio",
        result_real(r->ratio.ratio), "ratio_low", result_real(r->ratio.low), "ratio_high", result_real(r->ratio.high),
        "date", now, "seed", (json_int_t)r->seed, "case_sha256", r->case_sha256, "limit_seconds",
        (json_int_t)c->seconds, "limit_memory_mb", (json_int_t)c->memory_mb, "machine",
        result_machine(s->machine, result_limit(n, n_grouped)), "others", others_object(r, s), "environment",
        environment_object(s), "versions", result_versions(s));
    for (int side = 0; side < BENCH_SIDES; side++)
        json_object_set_new(o, bench_side_names[side], side_object(r, c, side));
    enum status status = result_write(o, s->results_dir, c->id, &json, e);

    if (status == ST_OK && s->keep != NULL)
        status = s->keep(s->keep_ctx, buf_span(&json), e);
    return status;
}

/* --- reading --- */

const char *result_kept_text(const json_t *o, const char *key, struct arena *arena)
{
    const json_t *value = json_object_get(o, key);

    return arena_text(arena, (struct span){json_string_value(value), json_string_length(value)});
}

double result_number(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* BENCH_VERDICTS: it is not a result of this program. */
static enum bench_verdict verdict_of(const json_t *o)
{
    const char *name = json_string_value(json_object_get(o, "verdict"));

    return json_integer_value(json_object_get(o, "format")) == BENCH_RESULT_FORMAT
               ? (enum bench_verdict)span_place(span_of(name), bench_verdict_names, BENCH_VERDICTS)
               : BENCH_VERDICTS;
}

enum status result_load(json_t **out, const char *dir, const char *id, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    AT_END(mem_end) char *path = mem_addf("%s/%s.json", dir, id);
    json_error_t fault;

    *out = NULL;
    if (access(path, F_OK) != 0)
        return ST_NO;
    enum status status = file_read_regular(path, BENCH_RESULT_MAX, &content, e);
    if (status != ST_OK)
        return status;
    *out = json_loadb(content.ptr, content.len, JSON_REJECT_DUPLICATES, &fault);
    return *out != NULL
               ? ST_OK
               : err_set(e, ST_INPUT, "%s:%d: %s; move it away and run the case again", path, fault.line, fault.text);
}

struct bench_summary bench_summary_none(const char *id)
{
    struct bench_summary s = {.id = id, .medians = {NAN, NAN}, .ratio = NAN, .low = NAN, .high = NAN};

    s.machine = s.case_sha256 = s.why = s.metric = s.unit = s.date = "";
    return s;
}

bool bench_summary_is(const struct bench_summary *s)
{
    return s->metric[0] != '\0';
}

enum status bench_summary_read(struct bench_summary *out, const char *dir, const char *id, struct arena *arena,
                               struct err *e)
{
    json_auto_t *o = NULL;
    enum status status = result_load(&o, dir, id, e);

    *out = bench_summary_none(id);
    if (status != ST_OK)
        return status;
    out->verdict = verdict_of(o);
    if (out->verdict == BENCH_VERDICTS)
        return err_set(e, ST_INPUT, "%s/%s.json: not a result of this program; move it away and run the case again",
                       dir, id);
    if (json_is_object(json_object_get(o, "machine")))
        out->machine = bench_machine_name(json_object_get(o, "machine"), arena);
    out->why = result_kept_text(o, "why", arena);
    out->metric = result_kept_text(o, "metric", arena);
    out->unit = result_kept_text(o, "unit", arena);
    out->case_sha256 = result_kept_text(o, "case_sha256", arena);
    out->date = result_kept_text(o, "date", arena);
    for (int side = 0; side < BENCH_SIDES; side++)
        out->medians[side] = result_number(json_object_get(json_object_get(o, bench_side_names[side]), "median"));
    out->ratio = result_number(json_object_get(o, "ratio"));
    out->low = result_number(json_object_get(o, "ratio_low"));
    out->high = result_number(json_object_get(o, "ratio_high"));
    return ST_OK;
}

/* --- does it stand? --- */

static bool same_setting(const json_t *o, const struct bench_setting *s)
{
    static const char *const keys[] = {"processor", "processors", "architecture"};
    const json_t *machine = json_object_get(o, "machine");
    json_t *environment = json_object_get(o, "environment");
    json_auto_t *here = result_machine(NULL, ""), *versions = result_versions(s), *given = environment_object(s);
    bool same = json_equal(versions, json_object_get(o, "versions"));

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        same = same && json_equal(json_object_get(here, keys[i]), json_object_get(machine, keys[i]));
    /* Results of earlier releases do not say it: they had the defaults. */
    if (environment == NULL)
        return same && json_object_size(given) == 1 && run_threads(s) == BENCH_THREADS;
    return same && json_equal(given, environment);
}

static bool has_runs(const json_t *side, uint64_t n_runs)
{
    const json_t *runs = json_object_get(side, "runs"), *run;
    uint64_t n = 0;
    size_t i;

    json_array_foreach(runs, i, run)
        n += json_is_false(json_object_get(run, "warm_up"));
    return n >= n_runs;
}

bool result_same_case(const json_t *o, const struct bench_case *c, const struct bench_setting *s)
{
    const char *then = json_string_value(json_object_get(o, "case_sha256"));

    return bench_case_is(c, s->cases_dir, then != NULL ? then : "");
}

bool bench_result_stands(const struct bench_case *c, const struct bench_setting *s)
{
    struct err e;
    json_auto_t *o = NULL;

    /* One that cannot be read is made anew. */
    if (result_load(&o, s->results_dir, c->id, &e) != ST_OK)
        return false;
    enum bench_verdict verdict = verdict_of(o);
    return (verdict == BENCH_REPRODUCED || verdict == BENCH_NOT_REPRODUCED) &&
           json_integer_value(json_object_get(o, "seed")) == (json_int_t)s->seed && same_setting(o, s) &&
           has_runs(json_object_get(o, "buggy"), s->n_runs) && has_runs(json_object_get(o, "fixed"), s->n_runs) &&
           result_same_case(o, c, s);
}
