/* plot: writes data and commands, and runs gnuplot over them. */
#include "report/plot.h"

#include "base/files.h"

#include <errno.h>
#include <sys/stat.h>

/* tic: gnuplot takes it for the format of a number. */
static void add_between(struct buf *out, const char *begin, struct span text, const char *end, bool tic)
{
    buf_add_text(out, begin);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '\'') { /* gnuplot reads two of them as one, but not everywhere */
            buf_add_text(out, "\xe2\x80\x99");
            continue;
        }
        if (strchr("\\_^{}@&~", c) != NULL)
            buf_add_char(out, '\\'); /* it means something in enhanced text */
        else if (tic && c == '%')
            buf_add_char(out, '%');
        buf_add_char(out, c < 0x20 || c == 0x7f ? ' ' : (char)c);
    }
    buf_add_text(out, end);
}

void add_quoted(struct buf *out, struct span text)
{
    add_between(out, "'", text, "'", false);
}

void add_quoted_tic(struct buf *out, struct span text)
{
    add_between(out, "'", text, "'", true);
}

void add_quoted_bold(struct buf *out, struct span text)
{
    add_between(out, "'{/:Bold ", text, "}'", false);
}

/* --- files --- */

static enum status write_file(const char *folder, const char *name, const char *end, struct span content, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};

    buf_addf(&path, "%s/%s.%s", folder, name, end);
    return file_write(buf_cstr(&path), false, content, buf_cstr(&path), e);
}

/* --- the process --- */

/* Standard output is ours, for data; -d: without the user's settings. */
static enum status run_gnuplot(const char *folder, const char *name, struct err *e)
{
    AT_END(buf_clear) struct buf script = {0};
    pid_t pid;

    buf_addf(&script, "%s.gp", name);
    const char *const argv[] = {"gnuplot", "-d", buf_cstr(&script), NULL};
    int error = program_start(argv, folder, -1, -1, false, &pid);
    if (error == ENOENT)
        return err_set(e, ST_IO,
                       "plots need the program gnuplot, which is not installed (Debian: apt-get install gnuplot-nox)");
    if (error != 0)
        return err_set(e, ST_IO, "gnuplot: %s", strerror(error));
    int ended = program_end(pid);
    return ended == 0
               ? ST_OK
               : err_set(e, ST_IO, "gnuplot %s on %s/%s.gp", ended < 0 ? "died" : "failed, see above,", folder, name);
}

bool report_can_plot(void)
{
    return program_is_there("gnuplot");
}

/* --- all plots --- */

enum { LINE_HEIGHT = 18 }; /* pixels, of a caption */

/* What is not counted, above the picture. Pictures are narrow: they break after sentences and semicolons. */
static void add_caption(struct drawing *d)
{
    bool wanted[FACETS_MAX] = {false};
    AT_END(buf_clear) struct buf lines = {0}, title = {0};

    if (d->saturation != NULL) {
        buf_add_span(&lines, buf_span(&d->saturation->caveat));
    } else if (d->data != NULL && d->data->settled != NULL) {
        report_settled_of(d->data->facets, d->what, wanted);
        report_settled_add(&lines, d->data->facets, d->data->settled, wanted, ". ");
    }
    for (size_t i = 1; i < lines.len; i++)
        if (lines.ptr[i] == ' ' && (lines.ptr[i - 1] == ';' || lines.ptr[i - 1] == '.'))
            lines.ptr[i] = '\n';
    struct span rest = buf_span(&lines), line;
    for (; span_cut(&rest, '\n', &line); d->height += LINE_HEIGHT) {
        buf_add_text(&title, title.len > 0 ? ".\"\\n\"." : "set title ");
        add_quoted(&title, line);
    }
    if (title.len > 0) {
        buf_add_text(&title, " font ',10'\n");
        buf_add_span(&title, buf_span(&d->commands));
        buf_set(&d->commands, buf_span(&title));
    }
}

static enum status make_folder(const char *folder, struct err *e)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return err_set(e, ST_IO, "%s: %s", folder, strerror(errno));
    return ST_OK;
}

static enum status plot(struct drawing *d, void (*draw)(struct drawing *), const char *folder, bool pdf, struct err *e)
{
    enum status status = make_folder(folder, e);

    draw(d);
    add_caption(d);
    THEN(status, write_file(folder, d->name, "dat", buf_span(&d->points), e));
    /* The same picture once or twice; SVG counts in pixels, PDF in inches and points. */
    AT_END(buf_clear) struct buf script = {0};
    buf_addf(&script,
             "set encoding utf8\nset terminal svg enhanced size %d,%d font 'Helvetica,12' "
             "background '#ffffff'\n"
             "set output '%s.svg'\n",
             d->width, d->height, d->name);
    buf_add_span(&script, buf_span(&d->commands));
    if (pdf) {
        buf_addf(&script,
                 "\nreset\nset terminal pdfcairo enhanced size %.3fin,%.3fin"
                 " font 'Helvetica,9'\nset output '%s.pdf'\n",
                 d->width / 96.0, d->height / 96.0, d->name);
        buf_add_span(&script, buf_span(&d->commands));
    }
    THEN(status, write_file(folder, d->name, "gp", buf_span(&script), e));
    THEN(status, run_gnuplot(folder, d->name, e));
    buf_clear(&d->points);
    buf_clear(&d->commands);
    return status;
}

static bool is_labelled(const struct drawing *d, size_t facet)
{
    return facet == SIZE_MAX || d->counts->all.of[facet].n_labelled > 0;
}

enum status report_plot_ratios(const struct report_ratios *ratios, const char *folder, bool pdf, struct err *e)
{
    struct drawing d = {.name = "bench-ratios", .ratios = ratios};

    return has_ratio(ratios) ? plot(&d, draw_ratios, folder, pdf, e) : ST_NO;
}

enum status report_plot_recall(const struct report_recall *recall, const char *folder, bool pdf, struct err *e)
{
    struct drawing d = {.name = "screen-recall", .recall = recall};

    return plot(&d, draw_recall, folder, pdf, e);
}

enum status report_plot_saturation(const struct report_saturation *saturation, const char *folder, struct err *e)
{
    struct drawing d = {.name = "saturation", .saturation = saturation};

    return plot(&d, draw_saturation, folder, true, e);
}

/* Of the others there is no drawing. */
static void (*const drawings[])(struct drawing *) = {
    [REPORT_CODES] = draw_bars, [REPORT_CROSSTAB] = draw_heatmap, [REPORT_MATRIX] = draw_flow,
    [REPORT_ASSESSMENT] = NULL, [REPORT_NUMBERS] = draw_numbers,  [REPORT_MEDIANS] = draw_numbers,
};

enum status report_plot(const struct report_data *data, const struct report_plan *plan, const char *folder, bool pdf,
                        struct err *e)
{
    AT_END(counts_clear) struct counts counts = {0};
    enum status status = make_folder(folder, e);

    if (status != ST_OK)
        return status;
    counts_take(&counts, data, plan, REPORT_BY_NOTHING);
    for (size_t i = 0; i < plan->n && status == ST_OK; i++) {
        const struct report_statistic *what = &plan->items[i];
        struct drawing d = {
            .name = what->plot, .data = data, .counts = &counts, .what = what, .pairs = &counts.pairs[i]};
        if (what->plot != NULL && drawings[what->kind] != NULL && is_labelled(&d, what->rows) &&
            is_labelled(&d, what->columns))
            status = plot(&d, drawings[what->kind], folder, pdf, e);
    }
    return status;
}
