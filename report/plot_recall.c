/* plot_recall: the share of what is looked for that was found, over the share of texts that were read. */
#include "report/plot.h"

#include <math.h>

static void add_points(struct drawing *d)
{
    const struct report_recall *r = d->recall;

    for (size_t i = 0; i < r->n; i++)
        buf_addf(&d->points, "%.6g %.6g %.6g %.6g\n", r->points[i].read, r->points[i].mean, r->points[i].least,
                 r->points[i].most);
}

static void add_axes(struct buf *out)
{
    buf_add_text(out, "set border 3\nset xrange [0:1]\nset yrange [0:1]\n"
                      "set xtics nomirror out\nset ytics nomirror out\n"
                      "set xtics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)\n"
                      "set ytics ('0' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '95 %%' 0.95)\n"
                      "set xlabel 'texts read'\nset ylabel 'found of what is looked for'\n"
                      "set grid lt 1 lw 0.5 lc rgb '#e4e4e4'\n"
                      "set key bottom right reverse Left samplen 2\n");
}

static void add_stop(struct buf *out, double stopped)
{
    if (!isfinite(stopped))
        return;
    buf_addf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead lw 1 dt 3 lc rgb '#444444'\n", stopped, stopped);
    buf_addf(out,
             "set label 'may stop' at %g, graph 0.5 offset char -0.7,0 rotate by 90 center"
             " textcolor rgb '#444444'\n",
             stopped);
}

void draw_recall(struct drawing *d)
{
    struct buf *out = &d->commands;
    const struct report_recall *r = d->recall;

    add_points(d);
    add_axes(out);
    add_stop(out, r->stopped);
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
