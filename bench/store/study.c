/* bench_study: what the study that is built in says of the problems of the benchmark. */
#include "bench/store/store.h"
#include "base/study/study.h"
#include "base/csv.h"

enum { PROBLEM_ID, PROBLEM_POST, PROBLEM_CREATED, PROBLEM_GROUP, PROBLEM_SHOWN, PROBLEM_FIXED };

enum { ASSESSED_ID, ASSESSED_PROFILER, ASSESSED_COLUMNS = 6 };
static const char *const assessed_columns[ASSESSED_COLUMNS] = {"problem_id",    "profiler", "xla",
                                                               "documentation", "post_id",  "library"};

static struct bench_problem *problem_of(struct bench_study *s, struct span id)
{
    struct bench_problem_map_entry *entry;

    if (bench_problem_map_add(&s->problems, id, &entry))
        entry->value.id = entry->key = arena_copy(&s->arena, id);
    return &entry->value;
}

static void add_problem(struct bench_study *s, const struct csv_reader *r)
{
    struct bench_problem *p = problem_of(s, csv_cell(r, PROBLEM_ID));

    p->group = arena_copy(&s->arena, csv_cell(r, PROBLEM_GROUP));
    p->shown = arena_copy(&s->arena, csv_cell(r, PROBLEM_SHOWN));
}

static void add_assessment(struct bench_study *s, const struct csv_reader *r)
{
    struct bench_problem *p = problem_of(s, csv_cell(r, ASSESSED_ID));

    for (size_t i = 0; i < BENCH_APPROACHES; i++)
        p->approaches[i] = arena_copy(&s->arena, csv_cell(r, ASSESSED_PROFILER + i));
    /* It is read and not run: the artefact says where it applies, which the data write as these. */
    if (span_eq(p->approaches[BENCH_DOCUMENTATION], SPAN("partially solved")))
        p->approaches[BENCH_DOCUMENTATION] = SPAN("applied");
    else if (span_eq(p->approaches[BENCH_DOCUMENTATION], SPAN("not solved")))
        p->approaches[BENCH_DOCUMENTATION] = SPAN("not applied");
}

static enum status read_file(struct bench_study *s, const struct study *study, const char *name,
                             const char *const *names, size_t n,
                             void (*add)(struct bench_study *, const struct csv_reader *), struct err *e)
{
    struct csv_reader r;
    enum status status = ST_OK;

    csv_open_verbatim(&r, study_file(study, name), name);
    while (csv_walk(&r, names, n, &status, e))
        add(s, &r);
    return status;
}

/* The name of a facet's column in problems.csv. */
static const char *column_of(struct bench_study *s, const struct facet *facet, size_t place)
{
    AT_END(buf_clear) struct buf name = {0};

    facet_column(facet, place, &name);
    return arena_text(&s->arena, buf_span(&name));
}

static struct bench_facet find_facet(struct bench_study *s, enum facet_benchmark wanted)
{
    for (size_t i = 0; i < s->facets.n; i++) {
        const struct facet *facet = &s->facets.items[i];
        if (facet->benchmark != wanted)
            continue;
        char *name = arena_text(&s->arena, facet->typed);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)(*c == '-' ? '_' : *c);
        return (struct bench_facet){facet, name};
    }
    return (struct bench_facet){0};
}

enum status bench_study_load(struct bench_study *out, struct err *e)
{
    AT_END(study_clear) struct study study;
    enum status status = study_load(&study, NULL, e);

    *out = (struct bench_study){0};
    if (status == ST_OK) {
        status = facets_of_study(&out->facets, &study, e);
        out->group = find_facet(out, FACET_GROUPS);
        out->shown = find_facet(out, FACET_SHOWN);
        if (status == ST_OK && (out->group.facet == NULL || out->shown.facet == NULL))
            status = err_set(e, ST_INPUT, "facets.csv: the column benchmark says of no facet '%s'",
                             facet_benchmark_names[out->group.facet == NULL ? FACET_GROUPS : FACET_SHOWN]);
    }
    if (status == ST_OK) {
        const struct facets *f = &out->facets;
        const char *names[FACETS_MAX * FACET_CODES_MAX + PROBLEM_FIXED] = {
            [PROBLEM_ID] = "problem_id",
            [PROBLEM_POST] = "post_id",
            [PROBLEM_CREATED] = "created_at",
            [PROBLEM_GROUP] = column_of(out, out->group.facet, 0),
            [PROBLEM_SHOWN] = column_of(out, out->shown.facet, 0)};
        size_t n = PROBLEM_FIXED;

        for (size_t i = 0; i < f->n_columns; i++) {
            const struct facet *facet = &f->items[f->columns[i]];
            bool known = facet == out->group.facet || facet == out->shown.facet;
            for (size_t k = known ? 1 : 0; k < facet->most; k++)
                names[n++] = column_of(out, facet, k);
        }
        status = read_file(out, &study, "problems.csv", names, n, add_problem, e);
    }
    return status == ST_OK
               ? read_file(out, &study, "assessment.csv", assessed_columns, ASSESSED_COLUMNS, add_assessment, e)
               : status;
}

void bench_study_clear(struct bench_study *s)
{
    bench_problem_map_clear(&s->problems);
    facets_clear(&s->facets);
    arena_clear(&s->arena);
    *s = (struct bench_study){0};
}

struct bench_problem bench_study_find(const struct bench_study *s, const char *id)
{
    const struct bench_problem_map_entry *found = bench_problem_map_find(&s->problems, span_of(id));

    return found != NULL ? found->value : (struct bench_problem){.id = span_of(id)};
}

enum status bench_study_labels(const char *id, void (*each)(void *ctx, struct span column, struct span value),
                               void *ctx, struct err *e)
{
    AT_END(study_clear) struct study study;
    struct csv_reader r;
    AT_END(arena_clear) struct arena arena = {0};
    AT_END(array_end) struct ARRAY_OF(struct span) columns = {0};
    enum status status = study_load(&study, NULL, e);

    csv_open_verbatim(&r, status == ST_OK ? study_file(&study, "problems.csv") : (struct span){0}, "problems.csv");
    THEN(status, csv_next(&r, e));
    for (size_t i = 0; status == ST_OK && i < r.fields.n; i++)
        array_add(&columns, arena_copy(&arena, r.fields.at[i]));
    while (status == ST_OK && (status = csv_next(&r, e)) == ST_OK)
        if (r.fields.n == columns.n && span_eq(r.fields.at[0], span_of(id))) {
            for (size_t i = 0; i < columns.n; i++)
                each(ctx, columns.at[i], r.fields.at[i]);
            break;
        }
    csv_close(&r);
    return status == ST_NO ? ST_OK : status;
}
