/* plot_ratios: ratios with their intervals on a logarithmic axis, under the names of their groups; and recall. */
#include "base/utf8.h"
#include "report/plot.h"

#include <math.h>

enum { ROW_PIXELS = 19, NAME_MAX_LEN = 70, COLUMN = 20 /* characters, of figures */ };

static const char *const colours[REPORT_SERIES_MAX] = {"#3b6fa0", "#cc6677"};

/* Rows that are drawn, in their order. */
struct rows {
    struct drawing *d;
    double at, least, most; /* y of the next row; range of x */
    bool hollow, fails;
};

static bool is_ratio(const struct report_ratio *r, size_t series)
{
    return isfinite(r->of[series].ratio) && r->of[series].ratio > 0;
}

/* Infinite for what fails; 0: nothing is drawn. */
static double largest_of(const struct report_ratio *r, size_t n_series)
{
    double largest = 0;

    for (size_t i = 0; i < n_series; i++)
        if (r->of[i].fails)
            largest = INFINITY;
        else if (is_ratio(r, i) && r->of[i].ratio > largest)
            largest = r->of[i].ratio;
    return largest;
}

bool has_ratio(const struct report_ratios *ratios)
{
    for (size_t i = 0; i < ratios->n; i++)
        if (largest_of(&ratios->items[i], ratios->n_series) > 0)
            return true;
    return false;
}

/* --- the order --- */

struct place {
    const struct report_ratio *item;
    size_t group_size;
    double largest;
};

static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->group_size != y->group_size)
        return x->group_size < y->group_size ? 1 : -1;
    int group = span_order(x->item->group, y->item->group);
    if (group != 0)
        return group;
    if (x->largest != y->largest)
        return x->largest < y->largest ? 1 : -1;
    return span_order(x->item->name, y->item->name);
}

/* --- the axis --- */

static void widen(struct rows *r, double x)
{
    if (isfinite(x) && x > 0) {
        r->least = x < r->least ? x : r->least;
        r->most = x > r->most ? x : r->most;
    }
}

static void add_axis(struct rows *r)
{
    struct buf *out = &r->d->commands;
    double line = r->d->ratios->least;

    buf_addf(out,
             "set border 1\nset logscale x 10\nset xrange [%g:%g]\nset yrange [%.1f:-0.8]\n"
             "set xtics nomirror out\nset ytics nomirror scale 0\n"
             "set lmargin 15\nset rmargin %d\n"
             "set grid ytics lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
             "set xlabel 'buggy over fixed: medians with 95 %% intervals (logarithmic)'\n",
             r->least, r->most, r->at - 0.4, COLUMN * (int)r->d->ratios->n_series);
    /* 1, 2, 5, 10, …, or decades alone where there are many. */
    static const double steps[] = {1, 2, 5};
    size_t n_steps = log10(r->most / r->least) > 3.5 ? 1 : ARRAY_LEN(steps);
    bool first = true;
    buf_add_text(out, "set xtics (");
    for (int power = (int)floor(log10(r->least)); pow(10, power) <= r->most; power++)
        for (size_t i = 0; i < n_steps; i++) {
            double x = steps[i] * pow(10, power);
            if (x < r->least || x > r->most)
                continue;
            buf_addf(out, "%s'%g' %g", first ? "" : ", ", x, x);
            first = false;
        }
    buf_add_text(out, ")\n");
    buf_add_text(out, "set arrow from 1, graph 0 to 1, graph 1 nohead lw 1 lc rgb '#999999' back\n");
    if (line > r->least && line < r->most)
        buf_addf(out,
                 "set arrow from %g, graph 0 to %g, graph 1 nohead lw 1 dt 3 lc rgb '#999999'"
                 " back\n",
                 line, line);
}

/* --- rows --- */

/* y, series, ratio, low, high, kind (0 hollow, 1 filled, 2 fails), figures in words, y of the row */
static void add_point(struct rows *r, const struct report_ratio *item, size_t series)
{
    size_t n = r->d->ratios->n_series;
    double y = r->at + (n > 1 ? series == 0 ? -0.18 : 0.18 : 0), ratio = item->of[series].ratio;
    double low = item->of[series].low, high = item->of[series].high;
    bool fails = item->of[series].fails;
    struct buf *out = &r->d->points;

    if (!fails && !is_ratio(item, series))
        return;
    bool interval = isfinite(low) && isfinite(high);
    low = isfinite(low) && low > 0 ? low : ratio;
    high = isfinite(high) && high > 0 ? high : ratio;
    buf_addf(out, "%.2f %zu ", y, series);
    if (fails)
        buf_add_text(out, "1 1 1 2 \"");
    else
        buf_addf(out, "%.6g %.6g %.6g %d \"", ratio, low, high, item->of[series].clear);
    int decimals = ratio < 9.95 ? 2 : ratio < 99.5 ? 1 : 0;
    if (fails)
        buf_add_text(out, "fails");
    else if (interval) /* "12.3 (11.0–14.5)" */
        buf_addf(out, "%.*f (%.*f\xe2\x80\x93%.*f)", decimals, ratio, decimals, item->of[series].low, decimals,
                 item->of[series].high);
    else
        buf_addf(out, "%.*f", decimals, ratio);
    buf_addf(out, "\" %.2f\n", r->at);
    r->fails |= fails;
    r->hollow |= !fails && !item->of[series].clear;
    if (!fails) {
        widen(r, low);
        widen(r, high);
    }
}

static void add_rows(struct rows *r, const struct place *places, size_t n)
{
    struct drawing *d = r->d;
    AT_END(buf_clear) struct buf headings = {0}, tics = {0};

    for (size_t i = 0; i < n; i++) {
        const struct report_ratio *item = places[i].item;
        if (i == 0 || !span_eq(item->group, places[i - 1].item->group)) {
            r->at += r->at > 0 ? 0.3 : 0;
            buf_add_text(&headings, "set label ");
            add_quoted_bold(&headings, item->group.len > 0 ? item->group : SPAN("no root cause known"));
            buf_addf(&headings, " at screen 0.015, first %.2f left\n", r->at);
            r->at += r->d->ratios->n_series > 1 ? 1.15 : 1;
        }
        for (size_t k = 0; k < d->ratios->n_series; k++)
            add_point(r, item, k);
        buf_add_text(&tics, i > 0 ? ", " : "set ytics (");
        add_quoted_tic(&tics, item->name);
        buf_addf(&tics, " %.2f", r->at);
        r->at += d->ratios->n_series > 1 ? 1.2 : 1;
    }
    buf_add_text(&tics, ")\n");
    widen(r, 0.8);
    widen(r, 4);
    r->least /= 1.1;
    r->most *= r->fails ? 1.6 : 1.15;
    add_axis(r);
    buf_add_span(&d->commands, buf_span(&headings));
    buf_add_span(&d->commands, buf_span(&tics));
}

/* --- points --- */

/* Places of a series in the file, of one kind. */
static void add_layer(struct rows *r, size_t series, int kind, bool titled)
{
    struct buf *out = &r->d->commands;
    const char *colour = colours[series];

    if (kind == 2)
        buf_addf(out, "  '%s.dat' using ($2==%zu&&$6==2?%g:NaN):1 with points pt 9 ps 1 lc rgb '%s' ", r->d->name,
                 series, r->most / 1.12, colour);
    else
        buf_addf(out,
                 "  '%s.dat' using ($2==%zu&&$6==%d?$3:NaN):1:4:5 with xerrorbars pt %d ps 0.7 lw 1.3 lc rgb '%s' ",
                 r->d->name, series, kind, kind == 1 ? 7 : 6, colour);
    if (titled) {
        struct span name = r->d->ratios->series[series];
        bool cut = name.len > NAME_MAX_LEN;

        if (cut) {
            name.len = NAME_MAX_LEN;
            name.len = utf8_valid_prefix(name);
        }
        buf_add_text(out, "title ");
        add_quoted(out, name);
    } else if (series > 0)
        buf_add_text(out, "notitle");
    else
        buf_addf(out, "title '%s'", kind == 0 ? "not reproduced" : "buggy alone fails");
    buf_add_text(out, ", \\\n");
}

static void add_plot(struct rows *r)
{
    struct buf *out = &r->d->commands;
    size_t n = r->d->ratios->n_series < REPORT_SERIES_MAX ? r->d->ratios->n_series : REPORT_SERIES_MAX;

    buf_add_text(out, "set key above left vertical reverse Left samplen 1.5\nplot \\\n");
    for (size_t series = 0; series < n; series++)
        add_layer(r, series, 1, true);
    for (size_t series = 0; series < n; series++) {
        if (r->hollow)
            add_layer(r, series, 0, false);
        if (r->fails)
            add_layer(r, series, 2, false);
    }
    for (size_t series = 0; series < n; series++)
        buf_addf(out,
                 "%s  '%s.dat' using ($2==%zu?%g:NaN):8:7 with labels left offset char %d,0 textcolor rgb '%s' notitle",
                 series > 0 ? ", \\\n" : "", r->d->name, series, r->most, 2 + COLUMN * (int)series,
                 n > 1 ? colours[series] : "#444444");
    buf_add_char(out, '\n');
}

void draw_ratios(struct drawing *d)
{
    AT_END(mem_end) struct place *places = mem_zero(d->ratios->n + 1, sizeof *places);
    struct rows r = {.d = d, .least = 1, .most = 1};
    size_t n = 0;

    for (size_t i = 0; i < d->ratios->n; i++) {
        const struct report_ratio *item = &d->ratios->items[i];
        places[n] = (struct place){.item = item, .largest = largest_of(item, d->ratios->n_series)};
        n += places[n].largest > 0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            places[i].group_size += span_eq(places[i].item->group, places[j].item->group);
    qsort(places, n, sizeof *places, compare);
    add_rows(&r, places, n);
    add_plot(&r);
    d->width = 700 + 160 * (int)d->ratios->n_series;
    d->height = 130 + (int)(ROW_PIXELS * r.at);
}

/* --- the share of what is looked for that was found, over the share of texts that were read --- */

void draw_recall(struct drawing *d)
{
    struct buf *out = &d->commands;
    const struct report_recall *r = d->recall;

    for (size_t i = 0; i < r->n; i++)
        buf_addf(&d->points, "%.6g %.6g %.6g %.6g\n", r->points[i].read, r->points[i].mean, r->points[i].least,
                 r->points[i].most);
    buf_add_text(out, "set border 3\nset xrange [0:1]\nset yrange [0:1]\n"
                      "set xtics nomirror out\nset ytics nomirror out\n"
                      "set xtics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)\n"
                      "set ytics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '95 %%' 0.95)\n"
                      "set xlabel 'texts read'\nset ylabel 'found of what is looked for'\n"
                      "set grid lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
                      "set key bottom right reverse Left samplen 2\n");
    if (isfinite(r->stopped))
        buf_addf(out,
                 "set arrow from %g, graph 0 to %g, graph 1 nohead lw 1 dt 3 lc rgb '#444444'\n"
                 "set label 'may stop' at %g, graph 0.5 offset char -0.7,0 rotate by 90 center"
                 " textcolor rgb '#444444'\n",
                 r->stopped, r->stopped, r->stopped);
    buf_addf(out,
             "plot '%s.dat' using 1:3:4 with filledcurves lc rgb '#cfdcea' title 'least and"
             " most of %zu screenings', \\\n",
             d->name, r->n_screenings);
    buf_addf(out, "  '%s.dat' using 1:2 with lines lw 2 lc rgb '#3b6fa0' title 'ranked (mean)', \\\n", d->name);
    buf_add_text(out, "  x with lines dt 2 lc rgb '#999999' title 'in any order'");
    if (isfinite(r->keywords_recall))
        buf_addf(out,
                 ", \\\n  '+' using (%g):(%g) every ::0::0 with points pt 7 ps 1 lc rgb '#cc6677'"
                 " title 'keywords'",
                 r->keywords_read, r->keywords_recall);
    buf_add_char(out, '\n');
    d->width = 620;
    d->height = 480;
}
