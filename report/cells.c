/* cells: which problems a count of a table is made of. */
#include "report/tables.h"

/* --- what a cell says --- */

/* A code by its name, or a category; false when the facet has none. */
static bool add_condition(struct report_cell *c, const struct report_data *d, size_t facet, bool by_code,
                          struct span name, bool any)
{
    size_t i = 0, n = lines_of(d, by_code);

    while (i < n &&
           (line_at(d, by_code, i).list != d->facets->items[facet].list || !span_eq(line_at(d, by_code, i).name, name)))
        i++;
    c->of[c->n_of++] = (struct report_condition){facet, i < n ? (int32_t)i : REPORT_NO_CODE, by_code, any};
    return i < n;
}

static void add_any_code(struct report_cell *c, size_t facet, bool by_code)
{
    c->of[c->n_of++] = (struct report_condition){facet, REPORT_NO_CODE, by_code, false};
}

static struct span text_at(const struct table *t, size_t row, const char *column)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (strcmp(t->columns[i].name, column) == 0 && table_cell_at(t, row, i)->is == TABLE_IS_TEXT)
            return table_cell_at(t, row, i)->text;
    return (struct span){0};
}

/* Rows of codes or categories. */
static bool find_facet(struct report_cell *c, const struct report_data *d, const struct table *t, size_t row)
{
    bool by_code = c->what->kind == REPORT_CODES;
    bool any = span_is_word(c->column, "any labels");

    if (!any && !span_eq(c->column, SPAN("n")))
        return false;
    if (c->by != REPORT_BY_NOTHING)
        c->group = text_at(t, row, report_by_names[c->by - 1]);
    return add_condition(c, d, c->what->rows, by_code, text_at(t, row, by_code ? "code" : "category"), any);
}

/* Rows and columns are codes or categories; the last column is the total. */
static bool find_pair(struct report_cell *c, const struct report_data *d, const struct table *t, size_t row)
{
    const struct report_statistic *s = c->what;
    struct span name = table_cell_at(t, row, 0)->text;

    if (!add_condition(c, d, s->rows, s->rows_by_code, name, false) || span_eq(c->column, span_of(t->columns[0].name)))
        return false;
    if (!span_eq(c->column, SPAN("total")))
        return add_condition(c, d, s->columns, s->columns_by_code, c->column, false);
    add_any_code(c, s->columns, s->columns_by_code);
    return true;
}

static bool find_role(struct report_cell *c, const struct report_data *d, const struct table *t, size_t row)
{
    size_t facets[] = {c->what->rows, c->what->columns};
    bool found = false;

    for (size_t i = 0; i < ARRAY_LEN(facets) && !found; i++) {
        AT_END(buf_clear) struct buf name = {0};
        facet_role(d->facets, &d->facets->items[facets[i]], &name);
        found = span_eq(buf_span(&name), c->column) &&
                add_condition(c, d, facets[i], true, table_cell_at(t, row, 0)->text, false);
    }
    return found;
}

/* Problems that have the number; the last row is of all, those before of a code or category. */
static bool find_numbers(struct report_cell *c, const struct report_data *d, const struct table *t, size_t row)
{
    const struct report_statistic *s = c->what;

    add_any_code(c, s->kind == REPORT_MEDIANS ? s->columns : s->rows, true);
    if (!span_eq(c->column, SPAN("n")))
        return false;
    return row + 1 == table_rows(t) ||
           add_condition(c, d, s->rows, s->rows_by_code, table_cell_at(t, row, 0)->text, true);
}

const struct report_statistic *report_tested(const struct report_data *d, const struct report_plan *plan, size_t row,
                                             bool *without_unknown)
{
    for (size_t i = 0; i < plan->n; i++) {
        size_t n = 1;
        if (plan->items[i].kind != REPORT_CROSSTAB)
            continue;
        n += tests_without_unknown(d, &plan->items[i]);
        if (row < n) {
            *without_unknown = row == 1;
            return &plan->items[i];
        }
        row -= n;
    }
    return NULL;
}

bool report_cell_find(struct report_cell *out, const struct report_data *d, const struct report_plan *plan,
                      enum report_by by, const struct table *t, size_t row, struct span column)
{
    const struct report_statistic *s;

    *out = (struct report_cell){.by = by, .row = row, .column = column};
    for (size_t i = 0; i < plan->n && out->what == NULL; i++)
        out->what = strcmp(plan->items[i].id, t->id) == 0 ? &plan->items[i] : NULL;
    if (out->what == NULL || row >= table_rows(t))
        return false;
    switch (out->what->kind) {
    case REPORT_TOTALS:
        return span_eq(column, SPAN("n"));
    case REPORT_YEARS:
        out->by = REPORT_BY_YEAR;
        out->group = text_at(t, row, "year");
        return span_eq(column, SPAN("n")) || span_eq(column, SPAN("posts"));
    case REPORT_CATEGORIES:
    case REPORT_CODES:
        return find_facet(out, d, t, row);
    case REPORT_CROSSTAB:
    case REPORT_MATRIX:
        return find_pair(out, d, t, row);
    case REPORT_ROLES:
        return find_role(out, d, t, row);
    case REPORT_ORDER:
        return span_eq(column, SPAN("n")) || span_eq(column, SPAN("of"));
    case REPORT_ASSESSMENT:
        out->approach = table_cell_at(t, row, 0)->text;
        return (assessment_is_any(out->approach) ||
                items_find(d->assessments, d->n_assessments, approach, out->approach) < d->n_assessments) &&
               span_is_word(column, "problems not_applied not_solved partially_solved applied");
    case REPORT_NUMBERS:
    case REPORT_MEDIANS:
        return find_numbers(out, d, t, row);
    case REPORT_TESTS:
        s = report_tested(d, plan, row, &out->without_unknown);
        if (s == NULL || !span_eq(column, SPAN("n")))
            return false;
        add_any_code(out, s->rows, s->rows_by_code);
        add_any_code(out, s->columns, s->columns_by_code);
        return true;
    }
    return false;
}

/* --- which problems those are --- */

static bool has_code(const struct report_data *d, const struct report_problem *p, const struct report_cell *c,
                     size_t condition)
{
    struct report_codes codes = p->of[c->of[condition].facet];
    int32_t place = c->of[condition].place;
    bool by_code = c->of[condition].by_code;

    /* Of its first code, as the tables of two facets count it. */
    if (place == REPORT_NO_CODE || codes.n == 0)
        return codes.n > 0 &&
               !(c->without_unknown && is_unknown(line_at(d, by_code, line_of(d, &codes, by_code)).name));
    if (!c->of[condition].any)
        return line_of(d, &codes, by_code) == (size_t)place;
    for (size_t i = 0; i < codes.n; i++)
        if ((by_code ? codes.at[i] : d->codes[codes.at[i]].category) == place)
            return true;
    return false;
}

/* A row of the order of two facets: the same code; of known ones the same, a later, an earlier; one unknown. */
static bool is_in_order(const struct report_data *d, const struct report_problem *p, const struct report_cell *c)
{
    struct report_codes a = p->of[c->what->rows], b = p->of[c->what->columns];

    if (a.n == 0 || b.n == 0)
        return false;
    bool known = !is_unknown(d->codes[a.at[0]].name) && !is_unknown(d->codes[b.at[0]].name);
    bool rows[] = {a.at[0] == b.at[0], known && a.at[0] == b.at[0], known && b.at[0] > a.at[0],
                   known && b.at[0] < a.at[0], !known};
    if (span_eq(c->column, SPAN("of")))
        return c->row == 0 || c->row == ARRAY_LEN(rows) - 1 || known;
    return c->row < ARRAY_LEN(rows) && rows[c->row];
}

/* A row of totals: problems, posts, posts with several problems, then each facet that allows several codes. */
static bool is_in_total(const struct report_data *d, size_t problem, size_t row)
{
    if (row < 2)
        return true;
    if (row == 2)
        return is_one_of_several(d, problem);
    for (size_t i = 0, n = 3; i < d->facets->n; i++)
        if (d->facets->items[i].most != 1 && n++ == row)
            return d->problems[problem].of[i].n > 1;
    return false;
}

static bool is_counted(const struct report_data *d, size_t problem, const struct report_cell *c)
{
    const struct report_problem *p = &d->problems[problem];

    if (c->what->kind == REPORT_TOTALS)
        return is_in_total(d, problem, c->row);
    if (c->what->kind == REPORT_ORDER)
        return is_in_order(d, p, c);
    for (size_t i = 0; i < c->n_of; i++)
        if (!has_code(d, p, c, i))
            return false;
    bool found = c->group.ptr == NULL;
    struct group_walk walk = {.problem = p, .by = c->by};
    for (struct span name = {0}; !found && group_next(&walk, &name);)
        found = span_eq(name, c->group);
    return found;
}

void report_cell_each(const struct report_data *d, const struct report_cell *cell,
                      void (*each)(void *ctx, struct span problem_id, int64_t post_id), void *ctx)
{
    bool assessed = cell->what->kind == REPORT_ASSESSMENT, any = assessed && assessment_is_any(cell->approach);
    AT_END(mem_end) struct span *ids = mem_zero(d->n_assessments + 1, sizeof *ids);
    size_t n = any ? assessment_any(d, cell->column, ids) : 0;
    int64_t post_id;

    for (size_t i = 0; i < d->n_assessments && assessed && !any; i++)
        if (span_eq(d->assessments[i].approach, cell->approach) && assessment_is_in(&d->assessments[i], cell->column))
            ids[n++] = d->assessments[i].problem_id;
    for (size_t i = 0; i < n; i++)
        if (problem_id_read(ids[i], &post_id))
            each(ctx, ids[i], post_id);
    for (size_t i = 0; i < d->n_problems && !assessed; i++)
        if (is_counted(d, i, cell))
            each(ctx, d->problems[i].problem_id, d->problems[i].post_id);
}
