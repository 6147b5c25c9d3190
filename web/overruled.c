/* overruled: where it was settled otherwise than the coder who asks had said, by whom, and why. */
#include "base/day.h"
#include "label/coding/decisions.h"
#include "report/report.h"
#include "web/site.h"

enum { LISTED_MAX = 500 };

/* The columns of the table of disagreements. */
enum { FACET, CODER_A, CODER_B, SUBJECT, CODE_A, CODE_B };

/* --- why --- */

static enum status MUST_USE add_row(struct visit *v, const struct facets *facets, const struct table *t, size_t row,
                                    struct err *e)
{
    struct span subject = table_cell_at(t, row, SUBJECT)->text;
    const struct facet *facet = &facets->items[facets_find(facets, table_cell_at(t, row, FACET)->text)];
    struct span coder = table_cell_at(t, row, CODER_B)->text, reason = {0}, at = {0}; /* of the last decision */
    struct db_event event;
    enum status status = ST_OK;
    int64_t post_id;

    if (!problem_id_read(subject, &post_id))
        return ST_OK;
    for (struct sql *all = db_events(v->worker->db, coder, post_id);
         db_event_next(v->worker->db, all, &event, &status, e);) {
        if (event.undone || !span_eq(event.coder, coder) || !span_eq(event.facet, facet->name) ||
            !span_eq(event.subject, subject))
            continue;
        reason = event.reason.ptr != NULL ? arena_copy(&v->arena, event.reason) : (struct span){0};
        at = arena_copy(&v->arena, event.decided_at);
    }
    (void)page_subject(v->out, "<tr><td>", subject, "</td>");
    html(v->out, SPAN("overruled"), facet->title, table_cell_at(t, row, CODE_A)->text,
         table_cell_at(t, row, CODE_B)->text, reason, day_of(at));
    return status;
}

/* --- gaps of the guide, as those who settled marked them --- */

static enum status MUST_USE add_gaps(struct visit *v)
{
    struct sql *gaps = db_events_because(v->worker->db, span_of(settling_gap));
    struct db_event event;
    enum status status = ST_OK;
    size_t n = 0;

    while (db_event_next(v->worker->db, gaps, &event, &status, &v->error)) {
        if (event.undone)
            continue;
        if (n++ == 0)
            buf_add_text(v->out, "<h2>Gaps of the guide</h2>\n<ul class=\"gaps\">\n");
        if (n > LISTED_MAX || !page_subject(v->out, "<li>", event.subject, " "))
            continue;
        page_text(v->out, "", event.facet, ": ");
        page_text(v->out, "", event.reason, "</li>\n");
    }
    buf_add_text(v->out, n > 0 ? "</ul>\n" : "");
    if (n > LISTED_MAX)
        buf_addf(v->out, "<p>and %zu more</p>\n", n - LISTED_MAX);
    return status;
}

/* --- the page --- */

enum status overruled_page(struct visit *v)
{
    AT_END(report_ratings_clear) struct report_ratings names = {0}; /* its coders: the visitor, then merged ones */
    AT_END(table_list_clear) struct table_list tables = {0};
    const struct facets *facets = NULL;
    size_t n = 0;
    bool common;

    (void)report_ratings_coder(&names, v->coder);
    enum status status = report_merged_load(&names, v->worker->db, &v->error);
    THEN(status, db_facets(v->worker->db, &facets, &v->error));
    const struct report_rated rated = {.coders = names.coders, .n_coders = names.n_coders, .ignore_spelling = true};
    const struct report_agreement wanted = {.measures = FACET_KAPPA, .disagreements = true, .with = v->coder};
    if (status == ST_OK && names.n_coders > 1) /* what the visitor said and what was settled, where these differ */
        status = report_agree_load(&tables, v->worker->db, &rated, &wanted, &common, &v->error);
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
    THEN(status, add_gaps(v));
    page_end(v);
    return status;
}
