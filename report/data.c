/* data: codes, problems and assessments in memory, with codes as places in one array. */
#include "label/code_table.h"
#include "label/coding/labels.h"
#include "report/report.h"

void report_data_clear(struct report_data *d)
{
    mem_free(d->codes);
    mem_free(d->categories);
    mem_free(d->problems);
    mem_free(d->assessments);
    arena_clear(&d->arena);
    *d = (struct report_data){.facets = d->facets};
}

/* A list without categories has one without a name. */
static int32_t category_of(struct report_data *d, size_t list, struct span name)
{
    for (size_t i = 0; i < d->n_categories; i++)
        if (d->categories[i].list == list && span_eq(d->categories[i].name, name))
            return (int32_t)i;
    d->categories = array_room(d->categories, d->n_categories, 1, &d->categories_capacity, sizeof *d->categories);
    d->categories[d->n_categories] = (struct report_category){list, arena_copy(&d->arena, name)};
    return (int32_t)d->n_categories++;
}

void report_data_code(struct report_data *d, const struct db_code *code)
{
    size_t list = facets_list(d->facets, code->facet);

    if (list == d->facets->n_lists)
        return;
    d->codes = array_room(d->codes, d->n_codes, 1, &d->codes_capacity, sizeof *d->codes);
    struct span short_name = code->short_name.len > 0 ? code->short_name : code->name;
    d->codes[d->n_codes++] = (struct report_code){
        .code_id = code->code_id,
        .list = list,
        .category = category_of(d, list, category_at(code->category, d->level)),
        .name = arena_copy(&d->arena, code->name),
        .short_name = arena_copy(&d->arena, short_name),
        .retired = code->retired_in > 0,
    };
}

static int compare_id(const void *key, const void *element)
{
    int64_t id = *(const int64_t *)key, other = ((const struct report_code *)element)->code_id;

    return (id > other) - (id < other);
}

static int32_t place_of(const struct report_data *d, size_t list, int64_t code_id)
{
    const struct report_code *code = d->n_codes > 0 ? bsearch(&code_id, d->codes, d->n_codes, sizeof *code, compare_id)
                                                    : NULL;

    return code != NULL && code->list == list ? (int32_t)(code - d->codes) : REPORT_NO_CODE;
}

static int32_t year_of(struct span date)
{
    uint64_t year;

    if (date.len < 4 || !span_u64((struct span){date.ptr, 4}, 9999, &year))
        return 0;
    return (int32_t)year;
}

/* Each code once. */
static struct report_codes codes_of(struct report_data *d, size_t facet, struct db_codes codes)
{
    int32_t *at = codes.n > 0 ? arena_alloc(&d->arena, codes.n * sizeof *at) : NULL;
    size_t n = 0;

    for (size_t i = 0; i < codes.n; i++) {
        int32_t place = place_of(d, d->facets->items[facet].list, codes.ids[i]);
        bool again = place == REPORT_NO_CODE;
        for (size_t k = 0; k < n; k++)
            again |= at[k] == place;
        if (!again)
            at[n++] = place;
    }
    return (struct report_codes){at, n};
}

void report_data_problem(struct report_data *d, const struct db_problem *problem)
{
    d->problems = array_room(d->problems, d->n_problems, 1, &d->problems_capacity, sizeof *d->problems);
    struct report_problem *p = &d->problems[d->n_problems++];
    *p = (struct report_problem){
        .problem_id = arena_copy(&d->arena, problem->problem_id),
        .post_id = problem->post_id,
        .year = year_of(problem->created_at),
        .of = arena_alloc(&d->arena, d->facets->n * sizeof *p->of),
    };
    for (size_t i = 0; i < d->facets->n; i++)
        p->of[i] = codes_of(d, i, problem->codes[i]);
    if (problem->site.ptr != NULL)
        p->site = arena_copy(&d->arena, problem->site);
    if (problem->tags.ptr != NULL)
        p->tags = arena_copy(&d->arena, problem->tags);
}

void report_data_assessment(struct report_data *d, const struct db_assessment *assessment)
{
    d->assessments = array_room(d->assessments, d->n_assessments, 1, &d->assessments_capacity, sizeof *d->assessments);
    d->assessments[d->n_assessments++] = (struct report_assessment){
        arena_copy(&d->arena, assessment->problem_id),
        arena_copy(&d->arena, assessment->approach),
        arena_copy(&d->arena, assessment->status),
    };
}
