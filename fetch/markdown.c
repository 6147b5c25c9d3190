/* markdown: GitHub's Markdown to HTML, by MD4C. */
#include "fetch/forms.h"

#include <md4c-html.h>

/* A short text can repeat a long link very often; no text that people write grows so much. */
enum { GROWTH_MAX = 16, GROWTH_FREE = 64 * 1024, TEXT_MAX = 8 << 20 };

struct output {
    struct buf *out;
    size_t limit; /* of out->len */
    bool too_long;
};

static void take(const char *bytes, unsigned len, void *ctx)
{
    struct output *o = ctx;

    o->too_long = o->too_long || o->out->len + len > o->limit;
    if (!o->too_long)
        buf_add(o->out, bytes, len);
}

void markdown_to_html(struct buf *out, struct span text)
{
    size_t before = out->len;
    struct output o = {.out = out, .limit = before + GROWTH_FREE + GROWTH_MAX * text.len};
    bool failed = text.len > TEXT_MAX || md_html(text.ptr, (unsigned)text.len, take, &o, MD_DIALECT_GITHUB, 0) != 0;

    if (!failed && !o.too_long)
        return;
    out->len = before;
    buf_add_text(out, "<p>");
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '<')
            buf_add_text(out, "&lt;");
        else if (c == '&')
            buf_add_text(out, "&amp;");
        else
            buf_add_char(out, c);
    }
    buf_add_text(out, "</p>");
}
