/* bench_study: what the study that is built in says of the problems of the benchmark. */
#include "results/bench.h"
#include "study/study.h"

enum { PROBLEM_ID, PROBLEM_SYMPTOM, PROBLEM_ROOT_CAUSE, PROBLEM_COLUMNS = 8 };
static const char *const problem_columns[PROBLEM_COLUMNS] = {
    "problem_id",       "symptom1",       "root_cause", "symptom2", "post_id", "created_at",
    "introducing_stage", "exposing_stage",
};

enum { ASSESSED_ID, ASSESSED_PROFILER, ASSESSED_COLUMNS = 6 };
static const char *const assessed_columns[ASSESSED_COLUMNS] = {
    "problem_id", "profiler", "xla", "documentation", "post_id", "library",
};

static struct bench_problem *problem_of(struct bench_study *s, struct span id)
{
    struct bench_problem_map_entry *entry;

    if (bench_problem_map_add(&s->problems, id, &entry))
        entry->value.id = entry->key = arena_copy(&s->arena, id);
    return &entry->value;
}

static void add_problem(struct bench_study *s, const struct csv_reader *r, const size_t *columns)
{
    struct bench_problem *p = problem_of(s, r->fields.at[columns[PROBLEM_ID]]);

    p->symptom = arena_copy(&s->arena, r->fields.at[columns[PROBLEM_SYMPTOM]]);
    p->root_cause = arena_copy(&s->arena, r->fields.at[columns[PROBLEM_ROOT_CAUSE]]);
}

static void add_assessment(struct bench_study *s, const struct csv_reader *r,
                           const size_t *columns)
{
    struct bench_problem *p = problem_of(s, r->fields.at[columns[ASSESSED_ID]]);

    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        p->approaches[i] = arena_copy(&s->arena, r->fields.at[columns[ASSESSED_PROFILER + i]]);
}

static enum status read_file(struct bench_study *s, const struct study *study, const char *name,
                             const char *const *names, size_t n,
                             void (*add)(struct bench_study *, const struct csv_reader *,
                                         const size_t *),
                             struct err *e)
{
    struct csv_reader r;
    size_t columns[PROBLEM_COLUMNS];

    csv_open_verbatim(&r, study_file(study, name), name);
    enum status status = csv_header(&r, names, n, columns, e);
    while (status == ST_OK && (status = csv_record(&r, e)) == ST_OK)
        add(s, &r, columns);
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}

enum status bench_study_load(struct bench_study *out, struct err *e)
{
    struct study study;
    enum status status = study_load(&study, NULL, e);

    *out = (struct bench_study){0};
    if (status == ST_OK)
        status = read_file(out, &study, "problems.csv", problem_columns, PROBLEM_COLUMNS,
                           add_problem, e);
    if (status == ST_OK)
        status = read_file(out, &study, "assessment.csv", assessed_columns, ASSESSED_COLUMNS,
                           add_assessment, e);
    study_clear(&study);
    return status;
}

void bench_study_clear(struct bench_study *s)
{
    bench_problem_map_clear(&s->problems);
    arena_clear(&s->arena);
    *s = (struct bench_study){0};
}

struct bench_problem bench_study_find(const struct bench_study *s, const char *id)
{
    const struct bench_problem_map_entry *found =
        bench_problem_map_find(&s->problems, span_of(id));

    return found != NULL ? found->value : (struct bench_problem){.id = span_of(id)};
}
