/* record: reads a result as JSON from any sender: checks all figures, and recomputes what follows from the runs. */
#include "bench/results.h"

#include "base/day.h"
#include "base/files.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>

enum { TEXT_MAX = 4096, NAME_MAX_LEN = 200, RUNS_MAX = 2048, VERSIONS_MAX = 64 };

/* The first fault counts; behind it nothing is looked at. */
struct reader {
    const char *name; /* of the file, for messages */
    struct arena *arena;
    struct err *e;
    enum status status;
};

static PRINTF_LIKE(2, 3) void fault(struct reader *r, const char *fmt, ...)
{
    char text[512];
    va_list arguments;

    if (r->status != ST_OK)
        return;
    va_start(arguments, fmt);
    vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    r->status = err_set(r->e, ST_INPUT, "%s: %s; not a result as 'bench run' writes it", r->name, text);
}

/* --- texts --- */

/* One that is missing is "". */
static const char *text_of(struct reader *r, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    if (value == NULL || json_is_null(value))
        return "";
    if (!json_is_string(value) || json_string_length(value) > TEXT_MAX) {
        fault(r, "'%s' is not a text of at most %d bytes", key, TEXT_MAX);
        return "";
    }
    return arena_text(r->arena, (struct span){json_string_value(value), json_string_length(value)});
}

/* The place of a text in a list; the list's length when it is none of them. */
static size_t place_of(struct reader *r, const json_t *o, const char *key, const char *const *names, size_t n)
{
    const char *text = text_of(r, o, key);
    size_t place = span_place(span_of(text), names, n);

    if (place == n)
        fault(r, "'%s' has the unknown value '%.40s'", key, text);
    return place;
}

/* --- numbers --- */

/* NAN for null or none. */
static double real_of(struct reader *r, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    if (value == NULL || json_is_null(value))
        return NAN;
    if (!json_is_number(value) || json_number_value(value) < 0)
        fault(r, "'%s' is not a number from 0", key);
    return json_number_value(value);
}

static uint64_t integer_of(struct reader *r, const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    if (!json_is_integer(value) || json_integer_value(value) < 0) {
        fault(r, "'%s' is not a whole number from 0", key);
        return 0;
    }
    return (uint64_t)json_integer_value(value);
}

static void numbers_of(struct reader *r, const json_t *o, const char *key, size_t max, bool signs,
                       struct bench_numbers *out)
{
    const json_t *list = json_object_get(o, key), *value;
    size_t n = json_array_size(list), i;

    if (!json_is_array(list) || n > max) {
        fault(r, "'%s' is not a list of at most %zu numbers", key, max);
        return;
    }
    array_reserve(out, n);
    json_array_foreach(list, i, value) {
        if (!json_is_number(value) || (!signs && json_number_value(value) < 0))
            fault(r, "'%s' has something else than a number%s", key, signs ? "" : " from 0");
        array_add(out, json_number_value(value));
    }
}

/* --- a run --- */

static void read_field(struct reader *r, const json_t *o, const struct bench_run_field *f, struct bench_run *run)
{
    const json_t *value = json_object_get(o, f->name);
    void *at = (char *)run + f->at;
    const char *text;

    switch (f->kind) {
    case BENCH_FLAG:
        if (f->rule != BENCH_OPTIONAL && !json_is_boolean(value))
            fault(r, "'%s' is neither true nor false", f->name);
        *(bool *)at = json_is_true(value);
        break;
    case BENCH_COUNT:
        *(uint64_t *)at = integer_of(r, o, f->name);
        break;
    case BENCH_REAL:
        *(double *)at = real_of(r, o, f->name);
        if (f->rule == BENCH_NEEDED && isnan(*(double *)at))
            fault(r, "'%s' is missing", f->name);
        break;
    case BENCH_TEXT:
        text = text_of(r, o, f->name);
        if (strlen(text) >= f->max)
            fault(r, "'%s' is too long", f->name);
        snprintf(at, f->max, "%s", text);
        break;
    case BENCH_LIST:
        numbers_of(r, o, f->name, f->max, f->rule == BENCH_SIGNED, at);
        break;
    }
}

static void read_run(struct reader *r, const json_t *o, struct bench_run *run)
{
    const json_t *code = json_object_get(o, "code");

    run->end = (enum bench_end)place_of(r, o, "end", bench_end_names, BENCH_STOPPED);
    if (!json_is_integer(code) || json_integer_value(code) < 0 || json_integer_value(code) > 255)
        fault(r, "'code' is not a number from 0 to 255");
    run->code = (int)json_integer_value(code);
    for (const struct bench_run_field *f = bench_run_fields; f->name != NULL; f++)
        read_field(r, o, f, run);
    run->work_rounds = json_object_get(o, "work_rounds") != NULL ? integer_of(r, o, "work_rounds") : 1;
    if (run->samples_at.n != run->samples_kb.n)
        fault(r, "'sample_seconds' and 'sample_kb' are not of one length");
}

static void read_side(struct reader *r, const json_t *root, int side, struct bench_record *out)
{
    const json_t *o = json_object_get(root, bench_side_names[side]);
    const json_t *runs = json_object_get(o, "runs"), *run;
    struct bench_result *result = &out->result;
    size_t i;

    if (!json_is_array(runs) || json_array_size(runs) > RUNS_MAX) {
        fault(r, "'%s' has no list of at most %d runs", bench_side_names[side], RUNS_MAX);
        return;
    }
    result->medians[side] = real_of(r, o, "median");
    result->runs[side] = mem_zero(json_array_size(runs) + 1, sizeof *result->runs[side]);
    json_array_foreach(runs, i, run)
        if (r->status == ST_OK)
            read_run(r, run, &result->runs[side][result->n_runs[side]++]);
}

/* --- do the figures follow from the runs? --- */

static bool is_near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-6 * fabs(b); /* nine digits are written */
}

static void check_figures(struct reader *r, struct bench_record *out)
{
    struct bench_result *given = &out->result, made = *given;

    made.medians[BENCH_BUGGY] = made.medians[BENCH_FIXED] = NAN;
    made.ratio = (struct stat_ratio){NAN, NAN, NAN};
    if (given->verdict != BENCH_REPRODUCED && given->verdict != BENCH_NOT_REPRODUCED)
        return;
    if (bench_is_failure(out->metric))
        bench_judge_failure(out->metric, &made);
    else
        bench_judge_ratio(&made);
    for (int side = 0; side < BENCH_SIDES; side++)
        if (!is_near(given->medians[side], made.medians[side]))
            fault(r, "the median of %s is not that of its runs", bench_side_names[side]);
    if (!is_near(given->ratio.ratio, made.ratio.ratio) || !is_near(given->ratio.low, made.ratio.low) ||
        !is_near(given->ratio.high, made.ratio.high))
        fault(r, "the ratio and its interval are not those of the runs and the seed");
    if (given->verdict != made.verdict)
        fault(r, "the verdict does not follow from the runs");
}

/* --- the whole --- */

static void read_versions(struct reader *r, json_t *o, struct bench_record *out)
{
    json_t *value;
    const char *key;

    if (!json_is_object(o) || json_object_size(o) > VERSIONS_MAX) {
        fault(r, "'versions' is not an object of at most %d texts", VERSIONS_MAX);
        return;
    }
    json_object_foreach(o, key, value)
        if (!json_is_string(value) || json_string_length(value) > NAME_MAX_LEN)
            fault(r, "the version of '%.40s' is not a short text", key);
    bench_dump(o, JSON_COMPACT | JSON_SORT_KEYS, &out->versions);
}

bool bench_is_machine(const char *name)
{
    struct span s = span_of(name);

    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0 && s.len <= NAME_MAX_LEN && utf8_valid_prefix(s) == s.len;
}

const char *bench_machine_name(const json_t *machine, struct arena *arena)
{
    const char *name = json_string_value(json_object_get(machine, "name"));
    const char *model = json_string_value(json_object_get(machine, "processor"));
    const char *architecture = json_string_value(json_object_get(machine, "architecture"));
    double gigabytes = json_number_value(json_object_get(machine, "memory_kb")) / 1048576;
    if (name != NULL && name[0] != '\0')
        return arena_text(arena, span_of(name));
    return arena_addf(arena, "%s, %lld processors, %.0f GB",
                      model != NULL && model[0] != '\0'                 ? model
                      : architecture != NULL && architecture[0] != '\0' ? architecture
                                                                        : "unknown processor",
                      (long long)json_integer_value(json_object_get(machine, "processors")), gigabytes)
        .ptr;
}

static void read_machine(struct reader *r, const json_t *o, struct bench_record *out)
{
    if (!json_is_object(o)) {
        fault(r, "there is no 'machine'");
        return;
    }
    (void)text_of(r, o, "name");
    out->processor = text_of(r, o, "processor");
    out->os = text_of(r, o, "system");
    out->kernel = text_of(r, o, "kernel");
    out->architecture = text_of(r, o, "architecture");
    out->memory_limit = text_of(r, o, "memory_limit");
    out->processors = integer_of(r, o, "processors");
    out->memory_kb = integer_of(r, o, "memory_kb");
    out->load_after = real_of(r, o, "load_after");
    out->machine = bench_machine_name(o, r->arena);
    if (!bench_is_machine(out->machine))
        fault(r, "the name of the machine is longer than %d bytes, or has control characters", NAME_MAX_LEN);
}

/* Programs that pass a result on write 3.0 as 3. The parser limits how deep it goes. */
static void make_whole(json_t *o)
{
    const size_t n = json_array_size(o);
    json_t *value;
    const char *key;
    void *next;

    json_object_foreach_safe(o, next, key, value) {
        double number = json_real_value(value);
        make_whole(value);
        if (json_is_real(value) && number == floor(number) && fabs(number) < 0x1p53)
            json_object_set_new(o, key, json_integer((json_int_t)number));
    }
    for (size_t i = 0; i < n; i++)
        make_whole(json_array_get(o, i));
}

/* The result stays the same with another machine name, thinned lists over time or rounded times; the metric counts. */
static void read_identity(json_t *root, struct bench_record *out)
{
    static const char *const passed_over[] = {"wall_seconds",  "user_seconds",  "system_seconds", "work_seconds",
                                              "ready_seconds", "values",        "step_seconds",   "step_rss_kb",
                                              "sample_kb",     "sample_seconds"};
    json_t *run;
    size_t i;

    for (int side = 0; side < BENCH_SIDES; side++)
        json_array_foreach(json_object_get(json_object_get(root, bench_side_names[side]), "runs"), i, run)
            for (size_t k = 0; k < ARRAY_LEN(passed_over); k++)
                json_object_del(run, passed_over[k]);
    json_object_del(json_object_get(root, "machine"), "name");
    make_whole(root);
    bench_dump(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(9), &out->identity);
}

enum status bench_record_read(struct bench_record *out, struct span json, const char *name, struct err *e)
{
    json_error_t where;
    struct reader r = {.name = name, .arena = &out->arena, .e = e, .status = ST_OK};
    char date[TIME_TEXT_SIZE];

    *out = (struct bench_record){.problem_id = ""};
    json_auto_t *root = json_loadb(json.ptr, json.len, JSON_REJECT_DUPLICATES, &where);
    if (root == NULL)
        return err_set(e, ST_INPUT, "%s:%d: %s", name, where.line, where.text);
    if (json_integer_value(json_object_get(root, "format")) != BENCH_RESULT_FORMAT)
        fault(&r, "'format' is not %d", BENCH_RESULT_FORMAT);
    out->problem_id = text_of(&r, root, "problem_id");
    out->date = text_of(&r, root, "date");
    out->why = text_of(&r, root, "why");
    out->metric = (enum bench_metric)place_of(&r, root, "metric", bench_metric_names, BENCH_METRICS);
    out->result.verdict = (enum bench_verdict)place_of(&r, root, "verdict", bench_verdict_names, BENCH_VERDICTS);
    out->result.ratio = (struct stat_ratio){real_of(&r, root, "ratio"), real_of(&r, root, "ratio_low"),
                                            real_of(&r, root, "ratio_high")};
    out->result.seed = integer_of(&r, root, "seed");
    const char *sha256 = text_of(&r, root, "case_sha256");
    if (sha256[0] != '\0' && !(strlen(sha256) == SHA256_TEXT_SIZE - 1 && span_is_hex(span_of(sha256))))
        fault(&r, "'case_sha256' is not a SHA-256");
    snprintf(out->result.case_sha256, sizeof out->result.case_sha256, "%s", sha256);
    out->limit_seconds = integer_of(&r, root, "limit_seconds");
    out->limit_memory_mb = integer_of(&r, root, "limit_memory_mb");
    if (!bench_is_id(out->problem_id))
        fault(&r, "'problem_id' is not the name of a case");
    if (strlen(out->date) != TIME_TEXT_SIZE - 1 || !day_or_time_read(span_of(out->date), date))
        fault(&r, "'date' is not a date as 2026-01-02T03:04:05.678Z");
    read_machine(&r, json_object_get(root, "machine"), out);
    read_versions(&r, json_object_get(root, "versions"), out);
    for (int side = 0; side < BENCH_SIDES; side++)
        read_side(&r, root, side, out);
    if (r.status == ST_OK)
        check_figures(&r, out);
    if (r.status == ST_OK)
        read_identity(root, out);
    return r.status;
}

enum status bench_record_load(struct bench_record *out, const char *path, struct err *e)
{
    AT_END(buf_clear) struct buf content = {0};
    enum status status = file_read(path, BENCH_RESULT_MAX, &content, e);

    *out = (struct bench_record){.problem_id = ""};
    return status == ST_OK ? bench_record_read(out, buf_span(&content), path, e) : status;
}

void bench_record_clear(struct bench_record *r)
{
    bench_result_clear(&r->result);
    buf_clear(&r->versions);
    buf_clear(&r->identity);
    arena_clear(&r->arena);
    *r = (struct bench_record){.problem_id = ""};
}
