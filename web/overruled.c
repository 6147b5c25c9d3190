/* overruled: where it was settled otherwise than the coder who asks had said, by whom, and why. */
#include "base/day.h"
#include "label/coding/decisions.h"
#include "report/report.h"
#include "web/site.h"

enum { LISTED_MAX = 500 };

/* The columns of the table of disagreements. */
enum { FACET, CODER_A, CODER_B, SUBJECT, CODE_A, CODE_B };

/* --- why --- */

struct why {
    struct span coder, subject, facet;
    struct arena *arena;
    struct span reason, at; /* of the last decision */
};

static void keep_reason(void *ctx, const struct db_event *event)
{
    struct why *w = ctx;

    if (event->undone || !span_eq(event->coder, w->coder) || !span_eq(event->facet, w->facet) ||
        !span_eq(event->subject, w->subject))
        return;
    w->reason = event->reason.ptr != NULL ? arena_copy(w->arena, event->reason) : (struct span){0};
    w->at = arena_copy(w->arena, event->decided_at);
}

static enum status MUST_USE add_row(struct visit *v, const struct facets *facets, const struct table *t, size_t row,
                                    struct err *e)
{
    struct span subject = table_cell_at(t, row, SUBJECT)->text;
    const struct facet *facet = &facets->items[facets_find(facets, table_cell_at(t, row, FACET)->text)];
    struct why w = {table_cell_at(t, row, CODER_B)->text, subject, facet->name, &v->arena, {0}, {0}};
    int64_t post_id;

    if (!problem_id_read(subject, &post_id))
        return ST_OK;
    enum status status = db_event_each(v->worker->db, w.coder, post_id, keep_reason, &w, e);
    (void)page_subject(v->out, "<tr><td>", subject, "</td>");
    html(v->out, SPAN("overruled"), facet->title, table_cell_at(t, row, CODE_A)->text,
         table_cell_at(t, row, CODE_B)->text, w.reason, day_of(w.at));
    return status;
}

/* --- gaps of the guide, as those who settled marked them --- */

struct gaps {
    struct buf *out;
    size_t n;
};

static void add_gap(void *ctx, const struct db_event *event)
{
    struct gaps *g = ctx;

    if (event->undone)
        return;
    if (g->n++ == 0)
        buf_add_text(g->out, "<h2>Gaps of the guide</h2>\n<ul class=\"gaps\">\n");
    if (g->n > LISTED_MAX || !page_subject(g->out, "<li>", event->subject, " "))
        return;
    page_text(g->out, "", event->facet, ": ");
    page_text(g->out, "", event->reason, "</li>\n");
}

/* --- the page --- */

enum status overruled_page(struct visit *v)
{
    AT_END(report_ratings_clear) struct report_ratings names = {0}; /* its coders: the visitor, then merged ones */
    AT_END(table_list_clear) struct table_list tables = {0};
    struct gaps g = {.out = v->out};
    const struct facets *facets = NULL;
    size_t n = 0;
    bool common;

    (void)report_ratings_coder(&names, v->coder);
    enum status status = report_merged_load(&names, v->worker->db, &v->error);
    if (status == ST_OK)
        status = db_facets(v->worker->db, &facets, &v->error);
    const struct report_rated rated = {.coders = names.coders, .n_coders = names.n_coders, .ignore_spelling = true};
    if (status == ST_OK && names.n_coders > 1) /* what the visitor said and what was settled, where these differ */
        status = report_agree_load(&tables, v->worker->db, &rated, &(struct report_agreement){.disagreements = true},
                                   &common, &v->error);
    page_begin(v, "Settled otherwise", "settle");
    html(v->out, SPAN("settled-otherwise"));
    page_table(v->out, "Of;Facet;I said;Settled as;Why;When");
    for (size_t i = 0; i < tables.n; i++) {
        const struct table *t = tables.tables[i];
        for (size_t row = 0; strcmp(t->id, "disagreements") == 0 && row < table_rows(t); row++)
            if (span_eq(table_cell_at(t, row, CODER_A)->text, v->coder) && n++ < LISTED_MAX && status == ST_OK)
                status = add_row(v, facets, t, row, &v->error);
    }
    buf_addf(v->out, "</tbody></table>\n<p>%zu settled against your decision%s.</p>\n", n,
             n > LISTED_MAX ? ", the first ones of which are shown" : "");
    if (status == ST_OK)
        status = db_event_each_because(v->worker->db, span_of(settling_gap), add_gap, &g, &v->error);
    buf_add_text(v->out, g.n > 0 ? "</ul>\n" : "");
    if (g.n > LISTED_MAX)
        buf_addf(v->out, "<p>and %zu more</p>\n", g.n - LISTED_MAX);
    page_end(v);
    return status;
}
