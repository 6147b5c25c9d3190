/* plot_bars: how often each code is given, under the names of the categories; quartiles of a number. */
#include "report/plot.h"

struct bars {
    struct drawing *d;
    int row;
    int64_t longest;
    bool second; /* some problems have a second label */
};

static bool is_used(const struct drawing *d, size_t code)
{
    return d->data->codes[code].list == d->data->facets->items[d->what->rows].list &&
           d->counts->all.of[d->what->rows].by[true].any[code] > 0;
}

static bool is_alone(const struct drawing *d, size_t category, struct span name)
{
    for (size_t i = 0; i < d->data->n_codes; i++)
        if ((size_t)d->data->codes[i].category == category && is_used(d, i) &&
            !span_eq_any_case(d->data->codes[i].name, name))
            return false;
    return true;
}

/* A category and its codes; one that is its only code has an empty heading. */
static void add_category(struct bars *b, size_t category, struct buf *headings)
{
    struct drawing *d = b->d;
    const struct facet_tally *t = &d->counts->all.of[d->what->rows];
    struct span name = d->data->categories[category].name;
    bool begun = false;

    for (size_t i = 0; i < d->data->n_codes; i++) {
        if ((size_t)d->data->codes[i].category != category || !is_used(d, i))
            continue;
        if (!begun && name.len > 0) {
            buf_add_text(headings, "set label ");
            add_quoted_bold(headings, is_alone(d, category, name) ? SPAN("") : name);
            buf_addf(headings, " at graph 0, first %d right offset char -1,0\n", b->row++);
        }
        begun = true;
        int64_t n = t->by[true].first[i], any = t->by[true].any[i], of = t->n_labelled;
        struct proportion p;
        wilson_interval((uint64_t)n, (uint64_t)of, 0.95, &p);
        int64_t high = (int64_t)(p.high * (double)of), longest = any > high ? any : high;
        buf_add_text(&d->commands, d->points.len > 0 ? ", " : "");
        buf_addf(&d->points, "%d %lld %lld %.4f %.4f \"%lld (%.1f%%)\"\n", b->row, (long long)n, (long long)any,
                 p.low * (double)of, p.high * (double)of, (long long)n, p.share * 100);
        add_quoted_tic(&d->commands, d->data->codes[i].name);
        buf_addf(&d->commands, " %d", b->row++);
        b->second |= any > n;
        b->longest = longest > b->longest ? longest : b->longest;
    }
}

static void add_plot(const struct bars *b)
{
    struct drawing *d = b->d;
    const struct facet *facet = &d->data->facets->items[d->what->rows];

    buf_addf(&d->commands, ")\nset yrange [%.1f:-0.6]\nset xrange [0:%.1f]\n", b->row - 0.4,
             (double)b->longest * 1.25 + 1);
    buf_add_text(&d->commands, "set xlabel 'problems'\n");
    buf_addf(&d->commands, "set key %s\n", b->second ? "above right horizontal reverse Left samplen 1.5" : "off");
    buf_add_text(&d->commands, "plot \\\n");
    if (b->second)
        buf_addf(&d->commands,
                 "  '%s.dat' using (($2+$3)/2):1:(($3-$2)/2):(0.36) with boxxyerror "
                 "fs solid noborder lc rgb '#a9c6e3' title '%s %s', \\\n",
                 d->name, facet->most == 2 ? "second" : "further", facet->name.ptr);
    buf_addf(&d->commands,
             "  '%s.dat' using ($2/2):1:($2/2):(0.36) with boxxyerror fs solid noborder "
             "lc rgb '#3b6fa0' title 'first %s', \\\n",
             d->name, facet->name.ptr);
    buf_addf(&d->commands, "  '' using 2:1:4:5 with xerrorbars pt -1 lw 1 lc rgb '#222222' title "
                           "'95%% interval', \\\n");
    buf_addf(&d->commands, "  '' using ($5>$3?$5:$3):1:6 with labels left offset char 0.6,0 notitle\n");
}

void draw_bars(struct drawing *d)
{
    struct bars b = {.d = d};
    AT_END(buf_clear) struct buf headings = {0};

    buf_add_text(&d->commands, "set border 1\nset xtics nomirror out\n"
                               "set ytics nomirror scale 0\nset ytics (");
    for (size_t i = 0; i < d->data->n_categories; i++)
        if (d->data->categories[i].list == d->data->facets->items[d->what->rows].list)
            add_category(&b, i, &headings);
    add_plot(&b);
    buf_add_span(&headings, buf_span(&d->commands));
    buf_set(&d->commands, buf_span(&headings));
    d->width = 640;
    d->height = 90 + 22 * b.row;
}

/* --- quartiles and medians of a number, in all and by the codes of another facet --- */

/* Whiskers end at the least and the greatest. */
static struct numbers_summary add_box(struct drawing *d, int row, struct span name, const double *values, size_t n)
{
    struct numbers_summary sum;

    numbers_summarize(values, n, 0.95, &sum);
    buf_add_text(&d->commands, row > 0 ? ", " : "");
    buf_addf(&d->points, "%d %.15g %.15g %.15g %.15g %.15g \"n = %zu\"\n", row, sum.low, sum.quartile1, sum.median,
             sum.quartile3, sum.high, n);
    add_quoted_tic(&d->commands, name);
    buf_addf(&d->commands, " %d", row);
    return sum;
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
            (void)add_box(d, row++, name, values, n);
    }
    size_t n = numbers_of(data, d->what, NUMBERS_OF_ALL, values);
    struct numbers_summary sum = add_box(d, row++, SPAN("all"), values, n);
    /* With room for the words after the greatest. */
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

/* --- how often the codes of two facets come together --- */

struct axis ARRAY_OF(size_t); /* the used codes of a facet */

static void axis_make(struct axis *a, const struct drawing *d, size_t facet)
{
    for (size_t i = 0; i < d->data->n_codes; i++)
        if (d->data->codes[i].list == d->data->facets->items[facet].list &&
            d->counts->all.of[facet].by[true].first[i] > 0)
            array_add(a, i);
}

static void add_tics(struct drawing *d, const struct axis *a, const char *command)
{
    buf_addf(&d->commands, "%s (", command);
    for (size_t i = 0; i < a->n; i++) {
        buf_add_text(&d->commands, i > 0 ? ", " : "");
        add_quoted_tic(&d->commands, d->data->codes[a->at[i]].name);
        buf_addf(&d->commands, " %zu", i);
    }
    buf_add_text(&d->commands, ")\n");
}

/* Thin lines between categories. */
static void add_lines(struct drawing *d, const struct axis *a, bool vertical)
{
    const struct report_code *codes = d->data->codes;

    for (size_t i = 1; i < a->n; i++)
        if (codes[a->at[i]].category != codes[a->at[i - 1]].category)
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
    AT_END(array_end) struct axis rows = {0}, columns = {0};
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
            uint64_t n = counts[rows.at[i] * data->n_codes + columns.at[k]];
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
}
