/*
 * From HTML to HTML that a page of ours can contain: written anew from libxml2's tree by a closed list.
 * What is not in the list does not come out, whatever it is; what comes out is balanced.
 */
#include "stem/stem.h"

#include <libxml/HTMLparser.h>

enum { DEPTH_MAX = 200 }; /* of elements; deeper ones are passed over */

enum kind { CHILDREN, ELEMENT, EMPTY, PRE, IMAGE, LINK, HIDDEN };

/* Any other element gives way to what is in it. */
static const struct element {
    const char *name;
    enum kind kind;
    const char *becomes;
} elements[] = {
    {"p", ELEMENT, "p"},           {"br", EMPTY, "br"},       {"hr", EMPTY, "hr"},
    {"h1", ELEMENT, "h3"},         {"h2", ELEMENT, "h4"},     {"h3", ELEMENT, "h5"},
    {"h4", ELEMENT, "h6"},         {"h5", ELEMENT, "h6"},     {"h6", ELEMENT, "h6"},
    {"ul", ELEMENT, "ul"},         {"ol", ELEMENT, "ol"},     {"li", ELEMENT, "li"},
    {"dl", ELEMENT, "dl"},         {"dt", ELEMENT, "dt"},     {"dd", ELEMENT, "dd"},
    {"blockquote", ELEMENT, "blockquote"},                    {"div", ELEMENT, "div"},
    {"pre", PRE, "pre"},           {"code", ELEMENT, "code"}, {"kbd", ELEMENT, "kbd"},
    {"em", ELEMENT, "em"},         {"i", ELEMENT, "em"},      {"strong", ELEMENT, "strong"},
    {"b", ELEMENT, "strong"},      {"s", ELEMENT, "s"},       {"strike", ELEMENT, "s"},
    {"del", ELEMENT, "s"},         {"sub", ELEMENT, "sub"},   {"sup", ELEMENT, "sup"},
    {"table", ELEMENT, "table"},   {"thead", ELEMENT, "thead"}, {"tbody", ELEMENT, "tbody"},
    {"tr", ELEMENT, "tr"},         {"th", ELEMENT, "th"},     {"td", ELEMENT, "td"},
    {"img", IMAGE, ""},            {"a", LINK, "a"},          {"script", HIDDEN, ""},
    {"style", HIDDEN, ""},         {"title", HIDDEN, ""},     {"template", HIDDEN, ""},
    {"noscript", HIDDEN, ""},      {"iframe", HIDDEN, ""},    {"textarea", HIDDEN, ""},
};

/* A range in bytes of a text that are no white space: the one count that a text and the HTML that it
 * was taken from have in common. */
struct range {
    size_t start, end;
};

struct writer {
    struct buf *out;
    struct span base_url;
    const struct range *marks;
    size_t n_marks, at_mark;
    size_t n_solid;     /* bytes of text so far that are no white space */
    bool counts_code;   /* the marks count text in <pre> too */
    size_t pre_depth;
    bool in_link;
    struct buf clean;
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/* --- texts --- */

static void add_escaped(struct writer *w, struct span text)
{
    buf_reset(&w->clean);
    buf_add_clean_lines(&w->clean, text);
    for (size_t i = 0; i < w->clean.len; i++) {
        switch (w->clean.ptr[i]) {
        case '&':
            buf_add_text(w->out, "&amp;");
            break;
        case '<':
            buf_add_text(w->out, "&lt;");
            break;
        case '>':
            buf_add_text(w->out, "&gt;");
            break;
        case '"':
            buf_add_text(w->out, "&quot;");
            break;
        case '\'':
            buf_add_text(w->out, "&#39;");
            break;
        default:
            buf_add_char(w->out, w->clean.ptr[i]);
        }
    }
}

/* Cuts off *text what comes before `n` solid bytes were seen, with white space behind them when
 * `spaces`. */
static struct span cut_solid(struct writer *w, struct span *text, size_t n, bool spaces)
{
    size_t i = 0;

    for (; i < text->len && (n > 0 || (spaces && is_space(text->ptr[i]))); i++)
        if (!is_space(text->ptr[i])) {
            n--;
            w->n_solid++;
        }
    struct span part = {text->ptr, i};
    *text = (struct span){text->ptr + i, text->len - i};
    return part;
}

static void add_text(struct writer *w, struct span text)
{
    bool counted = w->pre_depth == 0 || w->counts_code;

    while (counted && text.len > 0) {
        while (w->at_mark < w->n_marks && w->marks[w->at_mark].end <= w->n_solid)
            w->at_mark++;
        if (w->at_mark == w->n_marks) {
            add_escaped(w, cut_solid(w, &text, SIZE_MAX, false));
            return;
        }
        const struct range *mark = &w->marks[w->at_mark];
        bool inside = w->n_solid >= mark->start;
        struct span part =
            cut_solid(w, &text, (inside ? mark->end : mark->start) - w->n_solid, !inside);
        buf_add_text(w->out, inside ? "<mark>" : "");
        add_escaped(w, part);
        buf_add_text(w->out, inside ? "</mark>" : "");
    }
    add_escaped(w, text);
}

/* --- links --- */

static bool starts_caseless(struct span s, const char *prefix)
{
    size_t n = strlen(prefix);

    if (s.len < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = s.ptr[i] >= 'A' && s.ptr[i] <= 'Z' ? (char)(s.ptr[i] | 0x20) : s.ptr[i];
        if (c != prefix[i])
            return false;
    }
    return true;
}

/* Appends an address of http or https; false for any other, and nothing is added. */
static bool add_url(struct writer *w, struct span url)
{
    static const char hex[] = "0123456789ABCDEF";

    while (url.len > 0 && (unsigned char)url.ptr[0] <= ' ')
        url = (struct span){url.ptr + 1, url.len - 1};
    if (starts_caseless(url, "//"))
        buf_add_text(w->out, "https:");
    else if (starts_caseless(url, "/"))
        buf_add_span(w->out, w->base_url);
    else if (!starts_caseless(url, "http://") && !starts_caseless(url, "https://"))
        return false;
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.ptr[i];
        if (c <= ' ' || c >= 0x7f || strchr("\"'<>`\\{}|^", c) != NULL) {
            buf_add_char(w->out, '%');
            buf_add_char(w->out, hex[c >> 4]);
            buf_add_char(w->out, hex[c & 15]);
        } else {
            buf_add_text(w->out, c == '&' ? "&amp;" : "");
            if (c != '&')
                buf_add_char(w->out, (char)c);
        }
    }
    return true;
}

/* The start tag of a link to the attribute's address; false: there is none that may be followed. */
static bool open_link(struct writer *w, const xmlNode *node, const char *attribute,
                      const char *class)
{
    xmlChar *url = xmlGetProp(node, (const xmlChar *)attribute);
    size_t before = w->out->len;

    buf_add_text(w->out, "<a href=\"");
    bool done = url != NULL && !w->in_link && add_url(w, span_of((const char *)url));
    if (done)
        buf_addf(w->out, "\" target=\"_blank\" rel=\"noopener noreferrer nofollow\"%s>", class);
    else
        w->out->len = before;
    xmlFree(url);
    return done;
}

/* An image is a link with its words: posts are coded offline, and strangers' servers see nobody. */
static void add_image(struct writer *w, const xmlNode *node)
{
    xmlChar *alt = xmlGetProp(node, (const xmlChar *)"alt");
    bool link = open_link(w, node, "src", " class=\"image\"");

    buf_add_text(w->out, link ? "image: " : "<span class=\"image\">image: ");
    add_escaped(w, alt != NULL && alt[0] != '\0' ? span_of((const char *)alt)
                                                 : SPAN("without words"));
    buf_add_text(w->out, link ? "</a>" : "</span>");
    xmlFree(alt);
}

/* --- elements --- */

static const struct element *element_of(const xmlNode *node)
{
    static const struct element other = {"", CHILDREN, ""};

    for (size_t i = 0; i < ARRAY_LEN(elements); i++)
        if (xmlStrcasecmp(node->name, (const xmlChar *)elements[i].name) == 0)
            return &elements[i];
    return &other;
}

static void add_children(struct writer *w, const xmlNode *node, int depth);

static void add_link(struct writer *w, const xmlNode *node, int depth)
{
    bool outer = w->in_link, link = open_link(w, node, "href", "");

    w->in_link |= link;
    add_children(w, node, depth);
    buf_add_text(w->out, link ? "</a>" : "");
    w->in_link = outer;
}

static void add_element(struct writer *w, const xmlNode *node, int depth)
{
    const struct element *element = element_of(node);

    switch (element->kind) {
    case HIDDEN:
        break;
    case CHILDREN:
        add_children(w, node, depth);
        break;
    case EMPTY:
        buf_addf(w->out, "<%s>", element->becomes);
        break;
    case IMAGE:
        add_image(w, node);
        break;
    case LINK:
        add_link(w, node, depth);
        break;
    default:
        w->pre_depth += element->kind == PRE;
        buf_addf(w->out, "<%s>%s", element->becomes, element->kind == PRE ? "\n" : "");
        add_children(w, node, depth);
        buf_addf(w->out, "</%s>", element->becomes);
        w->pre_depth -= element->kind == PRE;
    }
}

static void add_children(struct writer *w, const xmlNode *node, int depth)
{
    if (depth > DEPTH_MAX)
        return;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        if (child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE)
            add_text(w, span_of((const char *)child->content));
        else if (child->type == XML_ELEMENT_NODE)
            add_element(w, child, depth + 1);
    }
}

/* --- marks --- */

static size_t count_solid(struct span text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += !is_space(text.ptr[i]);
    return n;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct range *left = a, *right = b;

    return (left->start > right->start) - (left->start < right->start);
}

struct ranges ARRAY_OF(struct range);

/* The marks, in order and without common bytes. */
static void read_marks(struct ranges *out, const struct text_marks *marks)
{
    size_t kept = 0;

    for (size_t i = 0; i < marks->n; i++) {
        const struct text_mark *m = &marks->at[i];
        if (m->start > m->end || m->end > marks->text.len)
            continue;
        size_t start = count_solid((struct span){marks->text.ptr, m->start});
        size_t n = count_solid((struct span){marks->text.ptr + m->start, m->end - m->start});
        array_add(out, (struct range){start, start + n});
    }
    array_sort(out, compare_ranges);
    for (size_t i = 0; i < out->n; i++) {
        if (kept > 0 && out->at[i].start < out->at[kept - 1].end) {
            if (out->at[i].end > out->at[kept - 1].end)
                out->at[kept - 1].end = out->at[i].end;
        } else {
            out->at[kept++] = out->at[i];
        }
    }
    out->n = kept;
}

/* Is it the text of this HTML? *code: with what is in <pre>. */
static bool is_text_of(struct span html, struct span text, bool *code)
{
    struct buf now = {0};
    bool same = false;

    for (int i = 0; i < 2 && !same; i++) {
        buf_reset(&now);
        text_from_html(&now, html, i == 0 ? TEXT_PLAIN : TEXT_INCLUDE_CODE);
        same = span_eq(buf_span(&now), text);
        *code = i == 1;
    }
    buf_clear(&now);
    return same;
}

/* --- the whole --- */

/* Returns how many bytes of text were written that marks count. */
static size_t write_tree(struct buf *out, const xmlNode *root, struct span base_url,
                         const struct ranges *marks, bool counts_code)
{
    struct writer w = {
        .out = out,
        .base_url = base_url,
        .marks = marks->at,
        .n_marks = marks->n,
        .counts_code = counts_code,
    };

    add_children(&w, root, 0);
    buf_clear(&w.clean);
    return w.n_solid;
}

void text_safe_html(struct buf *out, struct span html, struct span base_url,
                    const struct text_marks *marks)
{
    struct ranges ranges = {0};
    bool counts_code = false;
    size_t before = out->len;

    if (html.len == 0 || html.len > INT32_MAX)
        return;
    xmlDoc *doc = htmlReadMemory(html.ptr, (int)html.len, NULL, "UTF-8",
                                 HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                     HTML_PARSE_NONET);
    const xmlNode *root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    if (root != NULL) {
        if (marks->n > 0 && is_text_of(html, marks->text, &counts_code))
            read_marks(&ranges, marks);
        size_t n = write_tree(out, root, base_url, &ranges, counts_code);
        if (ranges.n > 0 && n != count_solid(marks->text)) {
            /* The tree has other words than the text: no mark rather than a wrong one. */
            out->len = before;
            array_clear(&ranges);
            write_tree(out, root, base_url, &ranges, counts_code);
        }
    }
    array_clear(&ranges);
    xmlFreeDoc(doc);
}
