/* figures: tables on a page, and as a file in every format. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "web/figures.h"

#include <stdio.h>

#include "report/report.h"

enum { ROWS_MAX = 200 }; /* of a table on a page */

/* --- on the page --- */

static void add_file(struct figures *f, const struct table *t, const char *format)
{
    page_text(f->v->out, "<a href=\"", span_of(f->path), "/");
    page_text(f->v->out, "", span_of(t->id), ".");
    buf_addf(f->v->out, "%s%s", format, f->query.len > 0 ? "?" : "");
    page_text(f->v->out, "", f->query, "\">");
    buf_addf(f->v->out, "%s</a> ", format);
}

void figures_add(struct figures *f, const struct table *t)
{
    struct table shown = *t;

    if (table_rows(t) > ROWS_MAX)
        shown.n_cells = ROWS_MAX * t->n_columns;
    table_add_html_linked(f->v->out, &shown, f->links);
    if (table_rows(t) > ROWS_MAX)
        buf_addf(f->v->out, "<p>The first %d of %zu rows; the files have all.</p>\n", ROWS_MAX, table_rows(t));
    figures_add_files(f, t);
}

void figures_add_files(struct figures *f, const struct table *t)
{
    buf_add_text(f->v->out, "<p class=\"files\">");
    for (size_t k = 0; table_formats[k] != NULL; k++)
        add_file(f, t, table_formats[k]);
    buf_add_text(f->v->out, "</p>\n");
}

void figures_add_charts(struct visit *v)
{
    buf_add_text(v->out,
                 "<script defer src=\"/d3.min.js\"></script>\n<script defer src=\"/plot.umd.min.js\"></script>\n"
                 "<script defer src=\"/charts.js\"></script>\n");
}

void figures_add_settled(struct visit *v, const struct report_data *d)
{
    AT_END(buf_clear) struct buf text = {0};
    enum status status = ST_OK;

    if (d != NULL && d->settled != NULL)
        report_settled_add(&text, d->facets, d->settled, NULL, ". ");
    else
        status = report_settled_text(v->worker->db, &text, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else if (text.len > 0)
        page_text(v->out, "<p><strong>What is settled.</strong> ", buf_span(&text), ".</p>\n");
}

/* --- files --- */

static const char *type_of(enum table_format format)
{
    switch (format) {
    case TABLE_AS_CSV:
        return "text/csv; charset=utf-8";
    case TABLE_AS_JSON:
        return "application/json";
    case TABLE_AS_NDJSON:
        return "application/x-ndjson";
    case TABLE_AS_HTML:
        return "text/html; charset=utf-8";
    case TABLE_AS_XLSX:
        return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    default:
        return "text/plain; charset=utf-8";
    }
}

/* An HTML file has a style of its own, which no page of ours may have: it is saved, not shown. */
static void send_table(struct visit *v, struct table *t, enum table_format format)
{
    char *bytes = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&bytes, &n);
    struct table_output out = {.format = format, .file = file};
    struct table *one[] = {t};
    const struct table_list list = {.tables = one, .n = 1};

    if (file == NULL) {
        answer_refuse(v, 500, "no memory");
        return;
    }
    table_list_print(&list, &out);
    bool done = fclose(file) == 0;
    answer_begin(v, 200, type_of(format));
    if (done)
        buf_add(v->out, bytes, n);
    else
        answer_refuse(v, 500, "no memory");
    v->answer->save = format == TABLE_AS_HTML || format == TABLE_AS_XLSX;
    mem_free(bytes);
}

void figures_send(struct figures *f)
{
    size_t skip = strlen(f->path) + 1, format = 0;
    struct span rest = {f->v->path.ptr + skip, f->v->path.len - skip}, id = {0};
    struct table *found = NULL;
    bool named = span_cut(&rest, '.', &id);

    while (table_formats[format] != NULL && !span_eq(rest, span_of(table_formats[format])))
        format++;
    for (size_t i = 0; named && i < f->tables.n; i++)
        if (span_eq(id, span_of(f->tables.tables[i]->id)))
            found = f->tables.tables[i];
    if (found == NULL || table_formats[format] == NULL)
        answer_refuse(f->v, 404, "There is no such table or format.");
    else
        send_table(f->v, found, (enum table_format)format);
}
