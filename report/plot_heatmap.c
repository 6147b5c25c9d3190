/* plot_heatmap: how often the codes of two facets come together. */
#include "report/plot.h"

struct axis {
    size_t *codes; /* the used ones of a facet */
    size_t n;
};

static void axis_make(struct axis *a, const struct drawing *d, size_t facet)
{
    *a = (struct axis){.codes = mem_zero(d->data->n_codes + 1, sizeof *a->codes)};
    for (size_t i = 0; i < d->data->n_codes; i++)
        if (d->data->codes[i].list == d->data->facets->items[facet].list &&
            d->counts->all.of[facet].by[true].first[i] > 0)
            a->codes[a->n++] = i;
}

static void add_tics(struct drawing *d, const struct axis *a, const char *command)
{
    buf_addf(&d->commands, "%s (", command);
    for (size_t i = 0; i < a->n; i++) {
        buf_add_text(&d->commands, i > 0 ? ", " : "");
        add_quoted_tic(&d->commands, d->data->codes[a->codes[i]].name);
        buf_addf(&d->commands, " %zu", i);
    }
    buf_add_text(&d->commands, ")\n");
}

/* Thin lines between categories. */
static void add_lines(struct drawing *d, const struct axis *a, bool vertical)
{
    const struct report_code *codes = d->data->codes;

    for (size_t i = 1; i < a->n; i++)
        if (codes[a->codes[i]].category != codes[a->codes[i - 1]].category)
            buf_addf(&d->commands,
                     vertical ? "set arrow from first %.1f, graph 0 to first %.1f, graph 1 nohead "
                                "front lw 1 lc rgb '#777777'\n"
                              : "set arrow from graph 0, first %.1f to graph 1, first %.1f nohead "
                                "front lw 1 lc rgb '#777777'\n",
                     (double)i - 0.5, (double)i - 0.5);
}

void draw_heatmap(struct drawing *d)
{
    const struct report_data *data = d->data;
    AT_END(mem_end) uint64_t *counts = mem_zero(data->n_codes * data->n_codes + 1, sizeof *counts);
    struct axis rows, columns;
    uint64_t most = 1;

    for (size_t i = 0; i < data->n_problems; i++) {
        const struct report_codes *row = &data->problems[i].of[d->what->rows];
        const struct report_codes *column = &data->problems[i].of[d->what->columns];
        if (row->n > 0 && column->n > 0)
            counts[(size_t)row->at[0] * data->n_codes + (size_t)column->at[0]]++;
    }
    axis_make(&rows, d, d->what->rows);
    axis_make(&columns, d, d->what->columns);
    for (size_t i = 0; i < rows.n; i++)
        for (size_t k = 0; k < columns.n; k++) {
            uint64_t n = counts[rows.codes[i] * data->n_codes + columns.codes[k]];
            buf_addf(&d->points, "%zu %zu %llu\n", k, i, (unsigned long long)n);
            most = n > most ? n : most;
        }
    buf_add_text(&d->commands, "unset key\nunset colorbox\nset rmargin 1\n"
                               "set border 15 lw 1 lc rgb '#777777'\n"
                               "set palette defined (0 '#ffffff', 0.02 '#e8f0f8', 0.5 '#6f9fcb', "
                               "1 '#1f4e79')\n");
    buf_addf(&d->commands, "set cbrange [0:%llu]\n", (unsigned long long)most);
    add_tics(d, &columns, "set xtics scale 0 rotate by 40 right offset 0.6,-0.1 textcolor rgb '#000000'");
    add_tics(d, &rows, "set ytics scale 0 textcolor rgb '#000000'");
    add_lines(d, &rows, false);
    add_lines(d, &columns, true);
    buf_addf(&d->commands, "set xrange [-0.5:%.1f]\nset yrange [%.1f:-0.5]\n", (double)columns.n - 0.5,
             (double)rows.n - 0.5);
    /* One plot of all labels: gnuplot 5.4 dies of one whose points are all undefined. */
    buf_addf(&d->commands,
             "plot '%s.dat' using 1:2:(0.5):(0.5):3 with boxxyerror fs solid noborder fc palette, "
             "\\\n  '' using 1:2:($3>0?sprintf('%%d',$3):''):($3>%llu?0xffffff:0x222222) with labels "
             "textcolor rgb variable\n",
             d->name, (unsigned long long)(most / 2));
    d->width = 220 + 30 * (int)columns.n;
    d->height = 180 + 24 * (int)rows.n;
    mem_free(rows.codes);
    mem_free(columns.codes);
}
