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

static int order_of(const struct memo *memo, struct span list, struct span code)
{
    int order = span_order(memo->list, list);

    return order != 0 ? order : span_order(memo->code, code);
}

/* By what they are about, then in the order of time. */
static int compare_memos(const void *a, const void *b)
{
    const struct memo *x = a, *y = b;
    int order = order_of(x, y->list, y->code);

    if (order == 0)
        order = span_order(x->written_at, y->written_at);
    return order != 0 ? order : span_order(x->text, y->text);
}

/* Memos of the whole team about a code or (code empty) about the study, and a form for another one. */
static void add_memos(struct visit *v, const struct memos *m, struct span list, struct span code)
{
    struct buf *out = v->out;
    size_t from = 0;

    for (size_t to = m->items.n, middle; from < to;) { /* the first one, by halves */
        middle = from + (to - from) / 2;
        if (order_of(&m->items.at[middle], list, code) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (size_t i = from; i < m->items.n; i++) {
        const struct memo *memo = &m->items.at[i];
        if (order_of(memo, list, code) != 0)
            break;
        if (memo->undone)
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

enum status codebook_page(struct visit *v)
{
    const struct stored_codebook *book = &v->worker->book;
    const struct facets *facets = book->facets;
    AT_END(memos_clear) struct memos memos = {.arena = {0}};
    size_t n = 0;

    if (field_of(&v->query, "facet").len > 0)
        return code_change_page(v);
    enum status status = memos_read(&memos, v->worker->db, &v->error);
    array_sort(&memos.items, compare_memos);
    page_begin(v, "Codebook", "codebook");
    buf_addf(v->out, "<p>Version %lld</p>\n", (long long)book->version);
    for (size_t l = 0; l < facets->n_lists; l++) {
        if (!facets_has_codes(facets, l))
            continue;
        n++;
        page_text(v->out, "<h2>", facets->lists[l], "</h2>\n<dl>\n");
        for (size_t i = 0; i < book->codebook.n_codes; i++)
            if (span_eq(book->codebook.codes[i].facet, facets->lists[l]))
                add_code(v, &book->codebook, &memos, i);
        buf_add_text(v->out, "</dl>\n");
        if (v->is_owner) { /* a list without a code has nothing but this */
            add_link(v->out, facets->lists[l], SPAN(""));
            page_text(v->out, "Add a code to ", facets->lists[l], "</a></p>\n");
        }
    }
    buf_add_text(v->out, n == 0 ? "<p>The study has no codebook.</p>\n" : "<h2>The study</h2>\n");
    add_memos(v, &memos, SPAN(""), SPAN(""));
    THEN(status, codebook_history(v, &v->error));
    page_end(v);
    return status;
}
