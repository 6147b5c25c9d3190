/* codebook: the codes with their definitions and the guide, to read. */
#include "web/site.h"

static void add_rules(struct buf *out, const struct codebook *c, size_t code)
{
    for (size_t i = 0; i < c->n_rules; i++) {
        const struct disambiguation *rule = &c->rules[i];
        if (rule->code != code && rule->versus != code)
            continue;
        page_text(out, "<p class=\"rule\">or <em>",
                  c->codes[rule->code == code ? rule->versus : rule->code].name, "</em>? ");
        page_text(out, "", rule->rule, "</p>\n");
    }
}

static void add_code(struct buf *out, const struct codebook *c, size_t i)
{
    const struct code *code = &c->codes[i];

    page_text(out, "<dt>", code->name, "");
    if (code->category.len > 0)
        page_text(out, " <small>", code->category, "</small>");
    page_text(out, "</dt>\n<dd><p>", code->definition, "</p>\n");
    if (code->aliases.len > 0)
        page_text(out, "<p><small>also: ", code->aliases, "</small></p>\n");
    add_rules(out, c, i);
    buf_add_text(out, "</dd>\n");
}

void codebook_page(struct visit *v)
{
    const struct stored_codebook *book = &v->worker->book;
    const struct codebook *c = &book->codebook;

    page_begin(v, "Codebook", "codebook");
    buf_addf(v->out, "<p>Version %lld. It is changed on the command line: <code>ppmine label"
             " add-code</code>, <code>define-code</code>, <code>rename-code</code>,"
             " <code>merge-codes</code>, <code>split-code</code>.</p>\n", (long long)book->version);
    for (size_t i = 0; i < c->n_codes; i++) {
        if (i == 0 || !span_eq(c->codes[i].facet, c->codes[i - 1].facet)) {
            buf_add_text(v->out, i > 0 ? "</dl>\n" : "");
            page_text(v->out, "<h2>", c->codes[i].facet, "</h2>\n<dl>\n");
        }
        add_code(v->out, c, i);
    }
    buf_add_text(v->out, c->n_codes > 0 ? "</dl>\n" : "<p>The study has no codebook.</p>\n");
    page_end(v);
}
