/* data: codes, problems and assessments in memory, with codes as places in one array. */
#include "db/codebook.h"
#include "db/labels.h"
#include "report/grow.h"
#include "report/report.h"

static const char *const facet_names[REPORT_FACETS] = {"symptom", "root cause", "stage"};

void report_data_clear(struct report_data *d)
{
    mem_free(d->codes);
    mem_free(d->categories);
    mem_free(d->problems);
    mem_free(d->assessments);
    arena_clear(&d->arena);
    *d = (struct report_data){0};
}

/* A facet without categories has one without a name. */
static int32_t category_of(struct report_data *d, enum report_facet facet, struct span name)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].facet == facet && span_eq(d->categories[i].name, name))
            return (int32_t)i;
    d->categories = grow(d->categories, d->n_categories, &d->categories_capacity,
                         sizeof *d->categories);
    d->categories[d->n_categories] =
        (struct report_category){facet, arena_copy(&d->arena, name)};
    return (int32_t)d->n_categories++;
}

void report_data_code(struct report_data *d, const struct db_code *code)
{
    int facet = 0;

    while (facet < REPORT_FACETS && !span_eq(span_of(facet_names[facet]), code->facet))
        facet++;
    if (facet == REPORT_FACETS)
        return;
    d->codes = grow(d->codes, d->n_codes, &d->codes_capacity, sizeof *d->codes);
    struct span short_name = code->short_name.len > 0 ? code->short_name : code->name;
    d->codes[d->n_codes++] = (struct report_code){
        .code_id = code->code_id,
        .facet = (enum report_facet)facet,
        .category = category_of(d, (enum report_facet)facet, code->category),
        .name = arena_copy(&d->arena, code->name),
        .short_name = arena_copy(&d->arena, short_name),
    };
}

/* A codebook has some dozens of codes. */
static int32_t place_of(const struct report_data *d, enum report_facet facet, int64_t code_id)
{
    for (size_t i = 0; code_id != 0 && i < d->n_codes; i++)
        if (d->codes[i].code_id == code_id && d->codes[i].facet == facet)
            return (int32_t)i;
    return REPORT_NO_CODE;
}

static int32_t year_of(struct span date)
{
    uint64_t year;

    if (date.len < 4 || !span_u64((struct span){date.ptr, 4}, 9999, &year))
        return 0;
    return (int32_t)year;
}

void report_data_problem(struct report_data *d, const struct db_problem *problem)
{
    d->problems = grow(d->problems, d->n_problems, &d->problems_capacity, sizeof *d->problems);
    struct report_problem *p = &d->problems[d->n_problems++];
    *p = (struct report_problem){
        .post_id = problem->post_id,
        .year = year_of(problem->created_at),
        .symptoms = {place_of(d, REPORT_SYMPTOM, problem->symptom1),
                     place_of(d, REPORT_SYMPTOM, problem->symptom2)},
        .root_cause = place_of(d, REPORT_ROOT_CAUSE, problem->root_cause),
        .introducing = place_of(d, REPORT_STAGE, problem->introducing_stage),
        .exposing = place_of(d, REPORT_STAGE, problem->exposing_stage),
    };
    if (problem->tags.ptr != NULL)
        p->tags = arena_copy(&d->arena, problem->tags);
    if (p->symptoms[1] == p->symptoms[0])
        p->symptoms[1] = REPORT_NO_CODE;
}

void report_data_assessment(struct report_data *d, const struct db_assessment *assessment)
{
    d->assessments = grow(d->assessments, d->n_assessments, &d->assessments_capacity,
                          sizeof *d->assessments);
    d->assessments[d->n_assessments++] = (struct report_assessment){
        arena_copy(&d->arena, assessment->problem_id),
        arena_copy(&d->arena, assessment->approach),
        arena_copy(&d->arena, assessment->status),
    };
}
