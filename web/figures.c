/* figures: tables on a page, and as a file in every format. */
#include "web/figures.h"

enum { ROWS_MAX = 200 }; /* of a table on a page */

/* --- on the page --- */

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
    struct buf *out = f->v->out;

    buf_add_text(out, "<p class=\"files\">");
    for (size_t k = 0; table_formats[k] != NULL; k++)
        html(out, SPAN("file"), span_of(f->path), span_of(t->id), span_of(table_formats[k]),
             html_if(f->query.len > 0, "?"), f->query, span_of(table_formats[k]));
    buf_add_text(out, "</p>\n");
}

void figures_add_charts(struct visit *v)
{
    buf_add_text(v->out,
                 "<script defer src=\"/d3.min.js\"></script>\n<script defer src=\"/plot.umd.min.js\"></script>\n"
                 "<script defer src=\"/charts.js\"></script>\n");
}

enum status figures_add_settled(struct visit *v, const struct report_data *d)
{
    AT_END(buf_clear) struct buf text = {0};
    enum status status = ST_OK;

    if (d != NULL && d->settled != NULL)
        report_settled_add(&text, d->facets, d->settled, NULL, ". ");
    else
        status = report_settled_text(v->worker->db, &text, &v->error);
    if (status == ST_OK && text.len > 0)
        page_text(v->out, "<p><strong>What is settled.</strong> ", buf_span(&text), ".</p>\n");
    return status;
}

/* --- files --- */

enum status figures_send(struct figures *f)
{
    static const char text[] = "text/plain; charset=utf-8";
    static const char *const types[] = {
        [TABLE_AS_TEXT] = text,
        [TABLE_AS_CSV] = "text/csv; charset=utf-8",
        [TABLE_AS_JSON] = "application/json",
        [TABLE_AS_NDJSON] = "application/x-ndjson",
        [TABLE_AS_MARKDOWN] = text,
        [TABLE_AS_LATEX] = text,
        [TABLE_AS_HTML] = "text/html; charset=utf-8",
        [TABLE_AS_XLSX] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    };
    struct visit *v = f->v;
    struct table_list one = {.n = 1};
    char *bytes = NULL;
    size_t format = 0, n = 0;
    struct span rest = span_after(v->path, strlen(f->path) + 1), id = {0};
    bool named = span_cut(&rest, '.', &id);

    while (table_formats[format] != NULL && !span_eq(rest, span_of(table_formats[format])))
        format++;
    for (size_t i = 0; named && table_formats[format] != NULL && i < f->tables.n && one.tables == NULL; i++)
        if (span_eq(id, span_of(f->tables.tables[i]->id)))
            one.tables = &f->tables.tables[i];
    if (one.tables == NULL)
        return answer_refuse(v, 404, "There is no such table or format.");
    FILE *file = open_memstream(&bytes, &n);
    if (file == NULL)
        return answer_refuse(v, 500, "no memory");
    table_list_print(&one, &(struct table_output){.format = (enum table_format)format, .file = file});
    bool done = fclose(file) == 0;
    answer_begin(v, 200, types[format]);
    if (done)
        buf_add(v->out, bytes, n);
    else
        answer_refuse(v, 500, "no memory");
    /* An HTML file has a style of its own, which no page of ours may have: it is saved, not shown. */
    v->answer->save = format == TABLE_AS_HTML || format == TABLE_AS_XLSX;
    mem_free(bytes);
    return ST_OK;
}
