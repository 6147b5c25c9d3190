/* overruled: where it was settled otherwise than the coder who asks had said, by whom, and why. */
#include "base/day.h"
#include "label/coding/decisions.h"
#include "report/report.h"
#include "web/site.h"

enum { LISTED_MAX = 500 };

/* The columns of the table of disagreements. */
enum { FACET, CODER_A, CODER_B, SUBJECT, CODE_A, CODE_B };

struct overruled {
    struct visit *v;
    struct report_ratings names; /* its coders: the visitor, then merged ones */
    const struct facets *facets;
    size_t n;
};

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

static enum status MUST_USE add_row(struct overruled *o, const struct table *t, size_t row, struct err *e)
{
    struct buf *out = o->v->out;
    struct span subject = table_cell_at(t, row, SUBJECT)->text;
    const struct facet *facet = &o->facets->items[facets_find(o->facets, table_cell_at(t, row, FACET)->text)];
    struct why w = {table_cell_at(t, row, CODER_B)->text, subject, facet->name, &o->v->arena, {0}, {0}};
    int64_t post_id;

    if (!problem_id_read(subject, &post_id))
        return ST_OK;
    enum status status = db_event_each(o->v->worker->db, w.coder, post_id, keep_reason, &w, e);
    (void)page_subject(out, "<tr><td>", subject, "</td>");
    html(out, SPAN("overruled"), facet->title, table_cell_at(t, row, CODE_A)->text, table_cell_at(t, row, CODE_B)->text,
         w.reason, day_of(w.at));
    return status;
}

/* --- the page --- */

static enum status MUST_USE add_rows(struct overruled *o, const struct table_list *tables, struct err *e)
{
    enum status status = ST_OK;

    page_table(o->v->out, "Of;Facet;I said;Settled as;Why;When");
    for (size_t i = 0; i < tables->n; i++) {
        const struct table *t = tables->tables[i];
        for (size_t row = 0; strcmp(t->id, "disagreements") == 0 && row < table_rows(t); row++)
            if (span_eq(table_cell_at(t, row, CODER_A)->text, o->v->coder) && o->n++ < LISTED_MAX && status == ST_OK)
                status = add_row(o, t, row, e);
    }
    buf_addf(o->v->out, "</tbody></table>\n<p>%zu settled against your decision%s.</p>\n", o->n,
             o->n > LISTED_MAX ? ", the first ones of which are shown" : "");
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

static enum status MUST_USE add_gaps(struct overruled *o, struct err *e)
{
    struct gaps g = {.out = o->v->out};
    enum status status = db_event_each_because(o->v->worker->db, span_of(settling_gap), add_gap, &g, e);

    buf_add_text(g.out, g.n > 0 ? "</ul>\n" : "");
    if (g.n > LISTED_MAX)
        buf_addf(g.out, "<p>and %zu more</p>\n", g.n - LISTED_MAX);
    return status;
}

void overruled_page(struct visit *v)
{
    struct overruled o = {.v = v};
    AT_END(table_list_clear) struct table_list tables = {0};
    bool common;

    (void)report_ratings_coder(&o.names, v->coder);
    enum status status = report_merged_load(&o.names, v->worker->db, &v->error);
    if (status == ST_OK)
        status = db_facets(v->worker->db, &o.facets, &v->error);
    const struct report_rated rated = {.coders = o.names.coders, .n_coders = o.names.n_coders, .ignore_spelling = true};
    if (status == ST_OK && o.names.n_coders > 1) /* what the visitor said and what was settled, where these differ */
        status = report_agree_load(&tables, v->worker->db, &rated, &(struct report_agreement){.disagreements = true},
                                   &common, &v->error);
    if (status == ST_OK) {
        page_begin(v, "Settled otherwise", "settle");
        buf_add_text(v->out, "<p>What you said and what was settled, where these differ. <a href=\"/settle\">"
                             "What is left to settle</a></p>\n");
        status = add_rows(&o, &tables, &v->error);
        if (status == ST_OK)
            status = add_gaps(&o, &v->error);
        page_end(v);
    }
    if (status != ST_OK)
        answer_fault(v, status);
    report_ratings_clear(&o.names);
}
