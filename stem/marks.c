/* marks: places of a text, found again in the HTML that the text was taken from. */
#include "stem/marks.h"

#include <libxml/HTMLparser.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

size_t text_solid(struct span text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += !is_space(text.ptr[i]);
    return n;
}

/* --- reading --- */

static int compare_ranges(const void *a, const void *b)
{
    const struct mark_range *left = a, *right = b;

    return (left->start > right->start) - (left->start < right->start);
}

/* None unless the marks are of the text of this HTML. */
static void read_ranges(struct mark_ranges *out, struct span html, const struct text_marks *marks)
{
    AT_END(buf_clear) struct buf text = {0};
    bool same = false;

    *out = (struct mark_ranges){.n_solid = 0};
    for (int with_code = 0; with_code < 2 && marks->n > 0 && !same; with_code++) {
        buf_reset(&text);
        text_from_html(&text, html, with_code == 1 ? TEXT_INCLUDE_CODE : TEXT_PLAIN);
        same = span_eq(buf_span(&text), marks->text);
        out->count_code = with_code == 1;
    }
    if (!same)
        return;
    for (size_t i = 0; i < marks->n; i++) {
        const struct text_mark *m = &marks->at[i];
        if (m->start > m->end || m->end > marks->text.len)
            continue;
        size_t start = text_solid((struct span){marks->text.ptr, m->start});
        size_t n = text_solid((struct span){marks->text.ptr + m->start, m->end - m->start});
        array_add(&out->of, ((struct mark_range){start, start + n}));
    }
    array_sort(&out->of, compare_ranges);
    size_t kept = 0;
    for (size_t i = 0; i < out->of.n; i++) {
        struct mark_range *last = kept > 0 ? &out->of.at[kept - 1] : NULL;
        if (last == NULL || out->of.at[i].start >= last->end)
            out->of.at[kept++] = out->of.at[i];
        else if (out->of.at[i].end > last->end)
            last->end = out->of.at[i].end;
    }
    out->of.n = kept;
    out->n_solid = text_solid(marks->text);
}

void marks_write(struct span html, const struct text_marks *marks, struct buf *out,
                 bool (*write)(void *ctx, const xmlNode *root, const struct mark_ranges *ranges), void *ctx)
{
    struct mark_ranges ranges;
    size_t before = out->len;

    if (html.len == 0 || html.len > INT32_MAX)
        return;
    xmlDoc *doc = htmlReadMemory(html.ptr, (int)html.len, NULL, "UTF-8",
                                 HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    const xmlNode *root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    read_ranges(&ranges, html, marks);
    if (root != NULL && !write(ctx, root, &ranges)) {
        out->len = before;
        write(ctx, root, &(struct mark_ranges){.n_solid = 0});
    }
    array_clear(&ranges.of);
    xmlFreeDoc(doc);
}

/* --- walking --- */

struct mark_walk mark_walk(const struct mark_ranges *ranges)
{
    return (struct mark_walk){.ranges = ranges};
}

/* Marks that were passed are left behind, also those that lie in one text and are empty. */
static size_t next_place(const struct mark_walk *w)
{
    size_t place = w->place;

    while (place < w->ranges->of.n && w->ranges->of.at[place].end <= w->n_solid)
        place++;
    return place;
}

bool mark_walk_has_more(const struct mark_walk *w)
{
    return next_place(w) < w->ranges->of.n;
}

struct span mark_walk_cut(struct mark_walk *w, struct span *text, bool *inside)
{
    w->place = next_place(w);
    const struct mark_range *mark = &w->ranges->of.at[w->place];
    *inside = w->n_solid >= mark->start;
    /* Takes `n` solid bytes, and the white space after them when a mark comes next. */
    size_t n = (*inside ? mark->end : mark->start) - w->n_solid;
    size_t i = 0;
    for (; i < text->len && (n > 0 || (!*inside && is_space(text->ptr[i]))); i++)
        if (!is_space(text->ptr[i])) {
            n--;
            w->n_solid++;
        }
    struct span part = {text->ptr, i};
    *text = (struct span){text->ptr + i, text->len - i};
    return part;
}

void mark_walk_pass(struct mark_walk *w, struct span text)
{
    w->n_solid += text_solid(text);
}

bool mark_walk_is_whole(const struct mark_walk *w)
{
    return w->ranges->of.n == 0 || w->n_solid == w->ranges->n_solid;
}
