/* codebook: the codes with their definitions and the guide. */
#include "web/site.h"

/* To the forms for a code, or for a new one of the list. */
static void add_link(struct buf *out, struct span list, struct span code)
{
    AT_END(buf_clear) struct buf query = {0};

    buf_add_text(&query, "/codebook?facet=");
    page_encoded(&query, list);
    buf_add_text(&query, code.len > 0 ? "&code=" : "&new=1");
    page_encoded(&query, code);
    page_text(out, "<p><a href=\"", buf_span(&query), "\">");
}

static void add_code(struct visit *v, const struct codebook *c, size_t i)
{
    struct buf *out = v->out;
    const struct code *code = &c->codes[i];

    page_text(out, "<dt>", code->name, "");
    if (code->category.len > 0)
        page_text(out, " <small>", code->category, "</small>");
    page_text(out, "</dt>\n<dd><p>", code->definition, "</p>\n");
    if (code->aliases.len > 0)
        page_text(out, "<p><small>also: ", code->aliases, "</small></p>\n");
    page_rules(out, c, i);
    if (v->is_owner) {
        add_link(out, code->facet, code->name);
        buf_add_text(out, "Change</a></p>\n");
    }
    buf_add_text(out, "</dd>\n");
}

static void end_list(struct visit *v, struct span list)
{
    buf_add_text(v->out, "</dl>\n");
    if (v->is_owner) {
        add_link(v->out, list, SPAN(""));
        page_text(v->out, "Add a code to ", list, "</a></p>\n");
    }
}

/* Lists without a code have nothing but the link to add one. */
static void add_list(struct visit *v, const struct codebook *c, struct span list)
{
    page_text(v->out, "<h2>", list, "</h2>\n<dl>\n");
    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list))
            add_code(v, c, i);
    end_list(v, list);
}

void codebook_page(struct visit *v)
{
    const struct stored_codebook *book = &v->worker->book;
    const struct facets *facets = book->facets;

    if (field_of(&v->query, "facet").len > 0) {
        code_change_page(v);
        return;
    }
    page_begin(v, "Codebook", "codebook");
    buf_addf(v->out, "<p>Version %lld</p>\n", (long long)book->version);
    size_t n = 0;
    for (size_t i = 0; i < facets->n_lists; i++) {
        if (!facets_has_codes(facets, i))
            continue;
        add_list(v, &book->codebook, facets->lists[i]);
        n++;
    }
    buf_add_text(v->out, n == 0 ? "<p>The study has no codebook.</p>\n" : "");
    enum status status = codebook_history(v, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else
        page_end(v);
}
