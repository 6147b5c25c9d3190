/* codebook: the codes with their definitions and the guide. */
#include "label/coding/memo.h"
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

/* Memos of the whole team about a code or (code empty) about the study, and a form for another one. */
static void add_memos(struct visit *v, const struct memos *m, struct span list, struct span code)
{
    struct buf *out = v->out;

    for (size_t i = 0; i < m->items.n; i++) {
        const struct memo *memo = &m->items.at[i];
        if (memo->undone || !span_eq(memo->list, list) || !span_eq(memo->code, code))
            continue;
        html(out, SPAN("memo"), memo->coder, (struct span){memo->written_at.ptr, 10});
        for (struct span rest = memo->text, line; span_cut(&rest, '\n', &line);)
            page_text(out, "", span_trim(line), "<br>\n");
        buf_add_text(out, "</p>\n");
    }
    html(out, SPAN("memo-form"), list, code);
}

static void add_code(struct visit *v, const struct codebook *c, const struct memos *m, size_t i)
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
    add_memos(v, m, code->facet, code->name);
    if (v->is_owner) {
        add_link(out, code->facet, code->name);
        buf_add_text(out, "Change</a></p>\n");
    }
    buf_add_text(out, "</dd>\n");
}

/* Lists without a code have nothing but the link to add one. */
static void add_list(struct visit *v, const struct codebook *c, const struct memos *m, struct span list)
{
    page_text(v->out, "<h2>", list, "</h2>\n<dl>\n");
    for (size_t i = 0; i < c->n_codes; i++)
        if (span_eq(c->codes[i].facet, list))
            add_code(v, c, m, i);
    buf_add_text(v->out, "</dl>\n");
    if (v->is_owner) {
        add_link(v->out, list, SPAN(""));
        page_text(v->out, "Add a code to ", list, "</a></p>\n");
    }
}

void codebook_page(struct visit *v)
{
    const struct stored_codebook *book = &v->worker->book;
    const struct facets *facets = book->facets;

    if (field_of(&v->query, "facet").len > 0) {
        code_change_page(v);
        return;
    }
    AT_END(memos_clear) struct memos memos;
    enum status status = memos_read(&memos, v->worker->db, &v->error);
    page_begin(v, "Codebook", "codebook");
    buf_addf(v->out, "<p>Version %lld</p>\n", (long long)book->version);
    size_t n = 0;
    for (size_t i = 0; i < facets->n_lists; i++) {
        if (!facets_has_codes(facets, i))
            continue;
        add_list(v, &book->codebook, &memos, facets->lists[i]);
        n++;
    }
    buf_add_text(v->out, n == 0 ? "<p>The study has no codebook.</p>\n" : "<h2>The study</h2>\n");
    add_memos(v, &memos, SPAN(""), SPAN(""));
    if (status == ST_OK)
        status = codebook_history(v, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else
        page_end(v);
}
