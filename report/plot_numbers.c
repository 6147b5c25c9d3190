/* plot_numbers: quartiles and medians of a number, in all and by the codes of another facet. */
#include "report/plot.h"
#include "report/tables.h"

/* Whiskers end at the least and the greatest. */
static void add_box(struct drawing *d, int row, struct span name, const double *values, size_t n)
{
    struct numbers_summary sum;

    numbers_summarize(values, n, 0.95, &sum);
    buf_add_text(&d->commands, row > 0 ? ", " : "");
    buf_addf(&d->points, "%d %.15g %.15g %.15g %.15g %.15g \"n = %zu\"\n", row, sum.low, sum.quartile1, sum.median,
             sum.quartile3, sum.high, n);
    add_quoted_tic(&d->commands, name);
    buf_addf(&d->commands, " %d", row);
}

void draw_numbers(struct drawing *d)
{
    const struct report_data *data = d->data;
    bool by_code = d->what->kind == REPORT_MEDIANS;
    const struct facet *facet = &data->facets->items[by_code ? d->what->columns : d->what->rows];
    AT_END(mem_end) double *values = mem_zero(data->n_problems + 1, sizeof *values);
    struct span name;
    int row = 0;

    buf_add_text(&d->commands, "set border 1\nset xtics nomirror out\nset ytics nomirror scale 0\n"
                               "set key off\nset ytics (");
    for (size_t i = 0; by_code && i < data->n_codes + data->n_categories; i++) {
        size_t n = numbers_line(data, d->what, i, &name) ? numbers_of(data, d->what, i, values) : 0;
        if (n > 0)
            add_box(d, row++, name, values, n);
    }
    size_t n = numbers_of(data, d->what, NUMBERS_OF_ALL, values);
    add_box(d, row++, SPAN("all"), values, n);
    /* With room for the words after the greatest. */
    struct numbers_summary sum;

    numbers_summarize(values, n, 0.95, &sum);
    double width = sum.high > sum.low ? sum.high - sum.low : 1;
    buf_addf(&d->commands, ")\nset yrange [%.1f:-0.6]\nset xrange [%.15g:%.15g]\nset xlabel ", row - 0.4,
             sum.low - 0.03 * width, sum.high + 0.2 * width);
    add_quoted(&d->commands, facet->title);
    buf_addf(&d->commands,
             "\nplot \\\n"
             "  '%s.dat' using 4:1:2:6 with xerrorbars pt -1 lw 1 lc rgb '#222222', \\\n"
             "  '' using (($3+$5)/2):1:(($5-$3)/2):(0.3) with boxxyerror fs solid border lc rgb '#a9c6e3', \\\n"
             "  '' using 4:1 with points pt 7 ps 0.8 lc rgb '#3b6fa0', \\\n"
             "  '' using 6:1:7 with labels left offset char 0.6,0\n",
             d->name);
    d->width = 640;
    d->height = 90 + 26 * row;
}
