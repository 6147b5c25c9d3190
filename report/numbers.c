/* numbers: the tables of a facet whose values are numbers, in all and by the codes of another one. */
#include "report/tables.h"

size_t numbers_of(const struct report_data *d, const struct report_statistic *what, size_t line, double *out)
{
    size_t facet = what->kind == REPORT_MEDIANS ? what->columns : what->rows, n = 0;

    for (size_t i = 0; i < d->n_problems; i++) {
        const struct report_problem *p = &d->problems[i];
        const struct report_codes *codes = &p->of[what->rows];
        bool here = what->kind == REPORT_NUMBERS || line == NUMBERS_OF_ALL;
        for (size_t k = 0; k < codes->n && !here; k++)
            here = line == (what->rows_by_code ? (size_t)codes->at[k] : (size_t)d->codes[codes->at[k]].category);
        if (here && p->of[facet].n > 0)
            out[n++] = facet_number(d->codes[p->of[facet].at[0]].name);
    }
    return n;
}

bool numbers_line(const struct report_data *d, const struct report_statistic *what, size_t line, struct span *name)
{
    if (line >= lines_of(d, what->rows_by_code) ||
        line_at(d, what->rows_by_code, line).list != d->facets->items[what->rows].list)
        return false;
    *name = line_at(d, what->rows_by_code, line).name;
    return true;
}

static void add_row(const struct tables *s, struct table *t, const double *values, size_t n)
{
    struct numbers_summary sum;

    numbers_summarize(values, n, s->wanted->confidence, &sum);
    table_add_row(t, table_int((int64_t)n), table_real(sum.low), table_real(sum.quartile1), table_real(sum.median),
                  table_real(sum.quartile3), table_real(sum.high), table_real(sum.mean), table_real(sum.mean_low),
                  table_real(sum.mean_high), table_real(sum.deviation));
}

void add_numbers(const struct tables *s, const struct report_statistic *what)
{
    const struct report_data *d = s->data;
    const struct facet *rows = &d->facets->items[what->rows];
    struct table *t = table_list_add(s->report, what->id, what->title);
    AT_END(mem_end) double *values = mem_zero(d->n_problems + 1, sizeof *values);

    table_column_add(t, what->kind == REPORT_MEDIANS ? rows->name.ptr : "of", NULL, TABLE_TEXT);
    table_columns(t,
                  "n int; least real; quartile1 real = quartile 1; median real; quartile3 real = quartile 3;"
                  " greatest real; mean real; mean_low real = %g%% from; mean_high real = to; deviation real",
                  s->wanted->confidence * 100);
    /* The codes of a facet, or its categories, that problems with a number have. */
    for (size_t i = 0; what->kind == REPORT_MEDIANS && i < lines_of(d, what->rows_by_code); i++) {
        struct span name;
        size_t n_here = numbers_line(d, what, i, &name) ? numbers_of(d, what, i, values) : 0;
        if (n_here == 0)
            continue;
        table_add_text(t, name);
        add_row(s, t, values, n_here);
    }
    size_t n = numbers_of(d, what, NUMBERS_OF_ALL, values);
    if (n > 0) {
        table_add_text(t, SPAN("all"));
        add_row(s, t, values, n);
        table_note(t, "Quartiles by linear interpolation. Interval of the mean: Student's t.");
        if (d->n_problems > n)
            table_note(t, "Left out, because they have no number: %zu.", d->n_problems - n);
        if (what->kind == REPORT_MEDIANS && rows->most > 1)
            table_note(t, "A problem is in the line of each %s that it has.", rows->name.ptr);
    }
}
