/* plot_flow: each problem is a thread of one width, from the stage that introduces it to the one that exposes it. */
#include "report/plot.h"

#include <math.h>

enum { STEPS = 48, PIXELS = 460 };

/* Of P. Tol's "muted" scheme: told apart by colour-blind readers too. */
static const char *const colours[] = {"#332288", "#88ccee", "#44aa99", "#117733", "#999933",
                                      "#ddcc77", "#cc6677", "#882255", "#aa4499"};

/* One side: blocks from the top down, y growing downwards, in problems. */
struct side {
    double *top;  /* of each code's block */
    double *next; /* where its next thread begins */
    double end;
};

struct flow {
    struct drawing *d;
    struct side left, right;
    double gap;
    size_t n_curves;
};

static const char *colour_of(const struct drawing *d, size_t code)
{
    size_t place = 0;

    if (is_unknown(d->data->codes[code].name))
        return "#bbbbbb";
    for (size_t i = 0; i < code; i++)
        place += d->data->codes[i].list == d->data->codes[code].list;
    return colours[place % ARRAY_LEN(colours)];
}

static int64_t height_of(const struct flow *f, size_t code, bool left)
{
    size_t n = f->d->data->n_codes;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += left ? pairs_at(f->d->pairs, code, i) : pairs_at(f->d->pairs, i, code);
    return (int64_t)sum;
}

static void side_make(struct flow *f, struct side *s, bool left)
{
    size_t n = f->d->data->n_codes;
    double at = 0;

    s->top = mem_zero(n + 1, sizeof *s->top);
    s->next = mem_zero(n + 1, sizeof *s->next);
    for (size_t i = 0; i < n; i++) {
        int64_t height = height_of(f, i, left);
        if (height == 0)
            continue;
        s->top[i] = s->next[i] = at;
        at += (double)height + f->gap;
    }
    s->end = at - f->gap;
}

/* Blocks, and names beside them; names of thin blocks make room for each other. */
static void add_side(struct flow *f, const struct side *s, bool left, double pixel)
{
    struct drawing *d = f->d;
    double line = 14 * pixel, free_from = -line;

    for (size_t i = 0; i < d->data->n_codes; i++) {
        int64_t height = height_of(f, i, left);
        if (height == 0)
            continue;
        double middle = s->top[i] + (double)height / 2;
        double at = middle < free_from ? free_from : middle;
        struct span name = d->data->codes[i].name;
        AT_END(buf_clear) struct buf text = {0};
        free_from = at + line;
        buf_addf(&d->commands, "set object rect from %s,%.3f to %s,%.3f fs solid noborder fc rgb '%s' front\n",
                 left ? "-0.03" : "1", s->top[i], left ? "0" : "1.03", s->top[i] + (double)height, colour_of(d, i));
        buf_addf(&text, "%.*s  %lld", SPAN_ARG(name), (long long)height);
        buf_add_text(&d->commands, "set label ");
        add_quoted(&d->commands, buf_span(&text));
        buf_addf(&d->commands, " at %s,%.3f %s\n", left ? "-0.05" : "1.05", at, left ? "right" : "left");
    }
}

static void add_thread(struct flow *f, size_t from, size_t to, double width)
{
    struct drawing *d = f->d;
    double left = f->left.next[from], right = f->right.next[to];

    for (int i = 0; i <= STEPS; i++) {
        double x = (double)i / STEPS, bend = x * x * (3 - 2 * x);
        double y = left + (right - left) * bend;
        buf_addf(&d->points, "%.4f %.4f %.4f\n", x, y, y + width);
    }
    buf_add_text(&d->points, "\n\n");
    f->left.next[from] += width;
    f->right.next[to] += width;
    buf_addf(&d->commands,
             "%s '%s.dat' index %zu using 1:2:3 with filledcurves fs transparent solid %s noborder fc rgb '%s'",
             f->n_curves > 0 ? ", \\\n " : "plot", d->name, f->n_curves, from == to ? "0.35" : "0.6",
             colour_of(d, from));
    f->n_curves++;
}

void draw_flow(struct drawing *d)
{
    struct flow f = {.d = d};
    size_t n = d->data->n_codes;
    double total = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            total += (double)pairs_at(d->pairs, i, k);
    f.gap = total * 0.035;
    side_make(&f, &f.left, true);
    side_make(&f, &f.right, false);
    double end = fmax(f.left.end, f.right.end), pixel = end / PIXELS;
    buf_addf(&d->commands,
             "unset key\nunset border\nunset tics\nset lmargin at screen 0.3\n"
             "set rmargin at screen 0.7\nset xrange [-0.03:1.03]\nset yrange [%.3f:%.3f]\n"
             "set label '{/:Bold introduced in}' at -0.05,%.3f right\n"
             "set label '{/:Bold exposed in}' at 1.05,%.3f left\n"
             "set label 'pale: exposed in the stage that introduced it' at 0.5,%.3f center "
             "textcolor rgb '#555555'\n",
             end + 30 * pixel, -30 * pixel, -20 * pixel, -20 * pixel, end + 18 * pixel);
    add_side(&f, &f.left, true, pixel);
    add_side(&f, &f.right, false, pixel);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (pairs_at(d->pairs, i, k) > 0)
                add_thread(&f, i, k, (double)pairs_at(d->pairs, i, k));
    buf_add_char(&d->commands, '\n');
    d->width = 680;
    d->height = PIXELS + 80;
    mem_free(f.left.top);
    mem_free(f.left.next);
    mem_free(f.right.top);
    mem_free(f.right.next);
}
