/* assess_file: measured assessments as JSON. */
#include "base/files.h"
#include "bench/results.h"

#include <math.h>
#include <stddef.h>

enum { FORMAT = 1 };

static const char *const way_names[BENCH_WAYS] = {"none", "small", "clusters", "functions", "profiled"};
static const char *const run_names[3] = {"buggy_runs", "fixed_runs", "xla_runs"};

void assess_init(struct bench_assessment *a)
{
    *a = (struct bench_assessment){.entry = "", .date = ""};
    a->xla.compilations = a->xla.compile_seconds = NAN;
    a->xla.buggy = a->xla.fixed = a->xla.fixed_worst = a->xla.figure = a->xla.net = NAN;
    a->xla.buggy_work = a->xla.work = NAN;
}

void bench_assessment_clear(struct bench_assessment *a)
{
    for (size_t i = 0; i < ARRAY_LEN(a->xla.runs); i++)
        array_clear(&a->xla.runs[i]);
    for (int side = 0; side < BENCH_SIDES; side++) {
        mem_free(a->profiles[side].entries);
        arena_clear(&a->profiles[side].arena);
    }
    assess_init(a);
}

/* --- writing --- */

static json_t *opinion_object(const struct bench_opinion *o)
{
    return json_pack("{s:s,s:o}", "status", bench_grade_names[o->grade], "why", result_text(o->why));
}

/* clang-format off */
#define AT(member) offsetof(struct bench_xla, member)
static const struct {
    const char *name;
    size_t at;
} figures[] = {
    {"compilations", AT(compilations)}, {"compile_seconds", AT(compile_seconds)}, {"buggy", AT(buggy)},
    {"fixed", AT(fixed)}, {"fixed_worst", AT(fixed_worst)}, {"figure", AT(figure)}, {"net", AT(net)},
    {"buggy_work_seconds", AT(buggy_work)}, {"work_seconds", AT(work)}};
/* clang-format on */

static json_t *xla_object(const struct bench_assessment *a)
{
    const struct bench_xla *x = &a->xla;
    json_t *o = opinion_object(&a->xla_opinion);
    json_object_set_new(o, "way", json_string(way_names[x->way]));
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        json_object_set_new(o, figures[i].name, result_real(*(const double *)((const char *)x + figures[i].at)));
    for (size_t i = 0; i < ARRAY_LEN(x->runs); i++) {
        json_t *list = json_array();
        for (size_t k = 0; k < x->runs[i].n; k++)
            json_array_append_new(list, result_real(x->runs[i].at[k]));
        json_object_set_new(o, run_names[i], list);
    }
    return o;
}

/* Later entries are noise, and many. */
enum { ENTRIES_KEPT = 25 };

static const char *const entries_names[BENCH_SIDES] = {"entries", "fixed_entries"};

/* null: there is no profile. */
static json_t *entries_list(const struct bench_profile *p)
{
    json_t *list = p->ran ? json_array() : json_null();

    for (size_t i = 0; i < p->n && i < ENTRIES_KEPT; i++)
        json_array_append_new(list,
                              json_pack("{s:o,s:o,s:I}", "name", result_text(p->entries[i].name), "seconds",
                                        result_real(p->entries[i].seconds), "count", (json_int_t)p->entries[i].count));
    return list;
}

enum status assess_write(const struct bench_assessment *a, const struct bench_case *c, const struct bench_setting *s,
                         struct err *e)
{
    AT_END(buf_clear) struct buf json = {0};
    char now[TIME_TEXT_SIZE];

    json_t *profiler = opinion_object(&a->profile_opinion);
    json_object_set_new(profiler, "place", a->place > 0 ? json_integer((json_int_t)a->place) : json_null());
    json_object_set_new(profiler, "entry", result_text(a->entry));
    for (int side = 0; side < BENCH_SIDES; side++)
        json_object_set_new(profiler, entries_names[side], entries_list(&a->profiles[side]));
    time_now(now);
    AT_END(mem_end) char *dir = mem_addf("%s/assessment", s->results_dir);
    json_auto_t *o = json_pack("{s:i,s:o,s:s,s:s,s:s,s:s,s:o,s:o,s:o,s:o}", "format", FORMAT, "problem_id",
                               result_text(c->id), "metric", bench_metric_names[c->metric], "unit",
                               bench_metric_units[c->metric], "date", now, "case_sha256", a->case_sha256, "machine",
                               result_machine(s->machine, result_limit(a->n_runs, a->n_grouped)), "versions",
                               result_versions(s), "xla", xla_object(a), "profiler", profiler);
    return result_write(o, dir, c->id, &json, e);
}

/* --- reading --- */

static bool read_opinion(struct bench_opinion *out, const json_t *o)
{
    const char *name = json_string_value(json_object_get(o, "status"));
    const char *why = json_string_value(json_object_get(o, "why"));

    snprintf(out->why, sizeof out->why, "%s", why != NULL ? why : "");
    out->grade = (enum bench_grade)span_place(span_of(name), bench_grade_names, BENCH_GRADES);
    return out->grade < BENCH_GRADES;
}

static void read_entries(struct bench_profile *p, const json_t *list)
{
    size_t n = json_array_size(list);

    p->entries = mem_zero(BENCH_ENTRIES_MAX, sizeof *p->entries);
    for (; p->n < n && p->n < BENCH_ENTRIES_MAX; p->n++) {
        const json_t *o = json_array_get(list, p->n);
        p->entries[p->n] = (struct bench_entry){result_kept_text(o, "name", &p->arena),
                                                result_number(json_object_get(o, "seconds")),
                                                (uint64_t)json_integer_value(json_object_get(o, "count"))};
    }
    p->ran = json_is_array(list);
}

/* Earlier versions profiled buggy alone, and a place in one profile is not a grade. */
static bool has_one_profile(const json_t *profiler)
{
    return json_array_size(json_object_get(profiler, "entries")) > 0 &&
           json_object_get(profiler, "fixed_entries") == NULL;
}

/* *root is NULL or the caller's. */
static enum status load(struct bench_assessment *out, json_t **root, const char *results_dir, const char *id,
                        struct err *e)
{
    AT_END(mem_end) char *dir = mem_addf("%s/assessment", results_dir);
    enum status status = result_load(root, dir, id, e);

    assess_init(out);
    if (status != ST_OK)
        return status;
    const json_t *o = *root, *xla = json_object_get(o, "xla"), *profiler = json_object_get(o, "profiler");
    if (json_integer_value(json_object_get(o, "format")) != FORMAT || !read_opinion(&out->xla_opinion, xla) ||
        !read_opinion(&out->profile_opinion, profiler))
        return err_set(e, ST_INPUT,
                       "%s/%s.json: not an assessment of this program; move it away and run"
                       " 'bench assess --run' again",
                       dir, id);
    size_t way = span_place(span_of(json_string_value(json_object_get(xla, "way"))), way_names, BENCH_WAYS);

    out->xla.way = way < BENCH_WAYS ? (enum bench_way)way : BENCH_PLAIN;
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        *(double *)((char *)&out->xla + figures[i].at) = result_number(json_object_get(xla, figures[i].name));
    out->place = (size_t)json_integer_value(json_object_get(profiler, "place"));
    out->entry = result_kept_text(profiler, "entry", &out->profiles[BENCH_BUGGY].arena);
    for (int side = 0; side < BENCH_SIDES; side++)
        read_entries(&out->profiles[side], json_object_get(profiler, entries_names[side]));
    out->date = result_kept_text(o, "date", &out->profiles[BENCH_BUGGY].arena);
    snprintf(out->case_sha256, sizeof out->case_sha256, "%s",
             result_kept_text(o, "case_sha256", &out->profiles[BENCH_BUGGY].arena));
    if (has_one_profile(profiler))
        out->profile_opinion = (struct bench_opinion){BENCH_NOT_APPLICABLE,
                                                      "fixed.py was not profiled; run 'bench assess --run' again"};
    return ST_OK;
}

enum status bench_assessment_read(struct bench_assessment *out, const char *results_dir, const char *id, struct err *e)
{
    json_auto_t *o = NULL;

    return load(out, &o, results_dir, id, e);
}

bool assess_stands(const struct bench_case *c, const struct bench_setting *s)
{
    AT_END(bench_assessment_clear) struct bench_assessment a;
    struct err e;
    json_auto_t *o = NULL;

    /* One that cannot be read is made anew. */
    return load(&a, &o, s->results_dir, c->id, &e) == ST_OK && result_same_case(o, c, s) &&
           !has_one_profile(json_object_get(o, "profiler"));
}
