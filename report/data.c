/* data: codes, problems and assessments in memory, with codes as places in one array. */
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

size_t report_data_places(const struct report_data *d, size_t facet, struct db_codes codes, int32_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < codes.n && d->n_codes > 0; i++) {
        const struct report_code *code = bsearch(&codes.ids[i], d->codes, d->n_codes, sizeof *code, number_order);
        bool again = code == NULL || code->list != d->facets->items[facet].list;
        for (size_t k = 0; k < n; k++)
            again |= d->codes + out[k] == code;
        if (!again)
            out[n++] = (int32_t)(code - d->codes);
    }
    return n;
}

void report_data_problem(struct report_data *d, const struct db_problem *problem)
{
    d->problems = array_room(d->problems, d->n_problems, 1, &d->problems_capacity, sizeof *d->problems);
    struct report_problem *p = &d->problems[d->n_problems++];
    uint64_t year = 0;
    bool dated = problem->created_at.len >= 4 && span_u64((struct span){problem->created_at.ptr, 4}, 9999, &year);
    *p = (struct report_problem){
        .problem_id = arena_copy(&d->arena, problem->problem_id),
        .post_id = problem->post_id,
        .year = dated ? (int32_t)year : 0,
        .of = arena_alloc(&d->arena, d->facets->n * sizeof *p->of),
    };
    for (size_t i = 0; i < d->facets->n; i++) {
        int32_t *at = arena_alloc(&d->arena, (problem->codes[i].n + 1) * sizeof *at);
        p->of[i] = (struct report_codes){at, report_data_places(d, i, problem->codes[i], at)};
    }
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
