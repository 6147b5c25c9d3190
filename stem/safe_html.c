/* From HTML to HTML that a page of ours can contain: written from libxml2's tree by a closed list. Nothing outside of
 * the list comes out; what comes out is balanced. */
#include "base/host.h"
#include "base/visible.h"
#include "stem/code_pieces.h"
#include "stem/marks.h"
#include "stem/stem.h"

enum { DEPTH_MAX = 200 }; /* of elements; deeper ones are passed over */

enum kind { CHILDREN, ELEMENT, RENAMED, EMPTY, PRE, IMAGE, LINK, HIDDEN };

/* Any other element gives way to what is in it. */
static const struct element {
    const char *name;
    enum kind kind;
} elements[] = {
    {"p", ELEMENT},          {"br", EMPTY},        {"hr", EMPTY},       {"h1", RENAMED},      {"h2", RENAMED},
    {"h3", RENAMED},         {"h4", RENAMED},      {"h5", RENAMED},     {"h6", ELEMENT},      {"ul", ELEMENT},
    {"ol", ELEMENT},         {"li", ELEMENT},      {"dl", ELEMENT},     {"dt", ELEMENT},      {"dd", ELEMENT},
    {"blockquote", ELEMENT}, {"div", ELEMENT},     {"pre", PRE},        {"code", ELEMENT},    {"kbd", ELEMENT},
    {"em", ELEMENT},         {"i", RENAMED},       {"strong", ELEMENT}, {"b", RENAMED},       {"s", ELEMENT},
    {"strike", RENAMED},     {"del", RENAMED},     {"sub", ELEMENT},    {"sup", ELEMENT},     {"table", ELEMENT},
    {"thead", ELEMENT},      {"tbody", ELEMENT},   {"tr", ELEMENT},     {"th", ELEMENT},      {"td", ELEMENT},
    {"img", IMAGE},          {"a", LINK},          {"script", HIDDEN},  {"style", HIDDEN},    {"title", HIDDEN},
    {"template", HIDDEN},    {"noscript", HIDDEN}, {"iframe", HIDDEN},  {"textarea", HIDDEN},
};

static const struct {
    const char *name, *becomes;
} renamed[] = {
    {"h1", "h3"}, {"h2", "h4"},    {"h3", "h5"},    {"h4", "h6"}, {"h5", "h6"},
    {"i", "em"},  {"b", "strong"}, {"strike", "s"}, {"del", "s"},
};

struct writer {
    struct buf *out;
    struct span base_url;
    struct mark_walk marks;
    bool counts_code; /* the marks count text in <pre> too */
    size_t pre_depth;
    bool in_link;
    const struct text_page *page; /* NULL: any */
    struct buf clean, url;
};

/* --- texts --- */

static void add_escaped(struct writer *w, struct span text)
{
    buf_reset(&w->clean);
    buf_add_clean_lines(&w->clean, text);
    for (size_t i = 0; i < w->clean.len; i++)
        buf_add_markup(w->out, w->clean.ptr[i]);
}

static void add_text(struct writer *w, struct span text)
{
    bool counted = w->pre_depth == 0 || w->counts_code, inside;

    while (counted && text.len > 0 && mark_walk_has_more(&w->marks)) {
        struct span part = mark_walk_cut(&w->marks, &text, &inside);
        buf_add_text(w->out, inside ? "<mark>" : "");
        add_escaped(w, part);
        buf_add_text(w->out, inside ? "</mark>" : "");
    }
    if (counted)
        mark_walk_pass(&w->marks, text);
    if (w->pre_depth > 0) {
        /* Code, coloured: the style sheet says how. */
        static const char *const classes[] = {
            [CODE_WORD] = "word", [CODE_TEXT] = "text", [CODE_NUMBER] = "number", [CODE_COMMENT] = "comment"};
        struct span piece;
        while (text.len > 0) {
            enum code_piece kind = code_piece(&text, &piece);
            if (kind != CODE_PLAIN)
                buf_addf(w->out, "<span class=\"%s\">", classes[kind]);
            add_escaped(w, piece);
            buf_add_text(w->out, kind != CODE_PLAIN ? "</span>" : "");
        }
    } else {
        add_escaped(w, text);
    }
}

/* --- links --- */

static bool starts_caseless(struct span s, const char *prefix)
{
    struct span start = span_of(prefix);

    return s.len >= start.len && span_eq_any_case((struct span){s.ptr, start.len}, start);
}

/* Appends an address of http or https; false for any other, and nothing is added. */
static bool add_url(struct buf *out, struct span base_url, struct span url)
{
    static const char hex[] = "0123456789ABCDEF";

    while (url.len > 0 && (unsigned char)url.ptr[0] <= ' ')
        url = (struct span){url.ptr + 1, url.len - 1};
    if (starts_caseless(url, "//"))
        buf_add_text(out, "https:");
    else if (starts_caseless(url, "/"))
        buf_add_span(out, base_url);
    else if (!starts_caseless(url, "http://") && !starts_caseless(url, "https://"))
        return false;
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.ptr[i];
        if (c <= ' ' || c >= 0x7f || strchr("\"'<>`\\{}|^", c) != NULL) {
            buf_add_char(out, '%');
            buf_add_char(out, hex[c >> 4]);
            buf_add_char(out, hex[c & 15]);
        } else {
            buf_add_char(out, (char)c);
        }
    }
    return true;
}

struct span text_origin(struct span url)
{
    size_t slashes = 0, i = 0;

    while (i < url.len && (url.ptr[i] != '/' || ++slashes < 3))
        i++;
    return (struct span){url.ptr, i};
}

/* The address of the attribute, into w->url; false: there is none that may be followed. */
static bool read_url(struct writer *w, const xmlNode *node, const char *attribute)
{
    xmlChar *url = xmlGetProp(node, (const xmlChar *)attribute);

    buf_reset(&w->url);
    bool read = url != NULL && add_url(&w->url, w->base_url, span_of((const char *)url));
    xmlFree(url);
    return read;
}

bool text_may_lead(struct span url, const struct text_page *page)
{
    struct span host = host_of_url(url);

    return host.len > 0 && !host_is_this_machine(host) &&
           (page == NULL || page->is_ours == NULL || !page->is_ours(page->ctx, host));
}

/* The start tag of a link to the attribute's address; false: there is none that may be followed. */
static bool open_link(struct writer *w, const xmlNode *node, const char *attribute, const char *class)
{
    if (w->in_link || !read_url(w, node, attribute) || !text_may_lead(buf_span(&w->url), w->page))
        return false;
    buf_add_text(w->out, "<a href=\"");
    add_escaped(w, buf_span(&w->url));
    buf_addf(w->out, "\" target=\"_blank\" rel=\"noopener noreferrer nofollow\"%s>", class);
    return true;
}

/* An image that is kept is shown. Any other is a link with its words: posts are coded offline, and
 * strangers' servers see nobody. */
static void add_image(struct writer *w, const xmlNode *node)
{
    xmlChar *words = xmlGetProp(node, (const xmlChar *)"alt");
    struct span alt = words != NULL && words[0] != '\0' ? span_of((const char *)words) : SPAN("without words");
    struct text_image image;
    bool kept = w->page != NULL && w->page->find != NULL && read_url(w, node, "src") &&
                w->page->find(w->page->ctx, buf_span(&w->url), &image);
    bool link = open_link(w, node, "src", " class=\"image\"");

    if (kept) {
        /* Its size is said, so that nothing moves when it comes. */
        buf_add_text(w->out, "<img src=\"");
        add_escaped(w, image.src);
        buf_addf(w->out, "\" width=\"%u\" height=\"%u\" loading=\"lazy\" alt=\"", image.width, image.height);
        add_escaped(w, alt);
        buf_add_text(w->out, "\">");
    } else {
        buf_add_text(w->out, link ? "image: " : "<span class=\"image\">image: ");
        add_escaped(w, alt);
    }
    buf_add_text(w->out, link ? "</a>" : kept ? "" : "</span>");
    xmlFree(words);
}

/* --- elements --- */

static void add_children(struct writer *w, const xmlNode *node, int depth);

static void add_element(struct writer *w, const xmlNode *node, int depth)
{
    size_t place = 0;
    bool outer = w->in_link, link;

    while (place < ARRAY_LEN(elements) && xmlStrcasecmp(node->name, (const xmlChar *)elements[place].name) != 0)
        place++;
    enum kind kind = place < ARRAY_LEN(elements) ? elements[place].kind : CHILDREN;
    const char *name = place < ARRAY_LEN(elements) ? elements[place].name : "";
    switch (kind) {
    case HIDDEN:
        break;
    case CHILDREN:
        add_children(w, node, depth);
        break;
    case EMPTY:
        buf_addf(w->out, "<%s>", name);
        break;
    case IMAGE:
        add_image(w, node);
        break;
    case LINK:
        link = open_link(w, node, "href", "");
        w->in_link |= link;
        add_children(w, node, depth);
        buf_add_text(w->out, link ? "</a>" : "");
        w->in_link = outer;
        break;
    default:
        for (size_t i = 0; i < ARRAY_LEN(renamed) && kind == RENAMED; i++)
            name = strcmp(renamed[i].name, elements[place].name) == 0 ? renamed[i].becomes : name;
        w->pre_depth += kind == PRE;
        buf_addf(w->out, "<%s>%s", name, kind == PRE ? "\n" : "");
        add_children(w, node, depth);
        buf_addf(w->out, "</%s>", name);
        w->pre_depth -= kind == PRE;
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

/* --- the whole --- */

/* False: marks are of another text than the tree has. */
static bool write_tree(void *ctx, const xmlNode *root, const struct mark_ranges *marks)
{
    struct writer *w = ctx;

    w->marks = mark_walk(marks);
    w->counts_code = marks->count_code;
    add_children(w, root, 0);
    return mark_walk_is_whole(&w->marks);
}

void text_safe_html(struct buf *out, struct span html, struct span base_url, const struct text_marks *marks,
                    const struct text_page *page)
{
    struct writer w = {.out = out, .base_url = base_url, .page = page};

    marks_write(html, marks, out, write_tree, &w);
    buf_clear(&w.clean);
    buf_clear(&w.url);
}

/* --- the images alone --- */

struct asking {
    void (*each)(void *ctx, struct span url);
    void *ctx;
};

static bool tell_image(void *ctx, struct span url, struct text_image *out)
{
    const struct asking *a = ctx;

    (void)out;
    a->each(a->ctx, url);
    return false;
}

void text_image_each(struct span html, struct span base_url, void (*each)(void *ctx, struct span url), void *ctx)
{
    static const struct text_marks none = {.n = 0};
    struct asking asking = {each, ctx};
    const struct text_page page = {.find = tell_image, .ctx = &asking};
    AT_END(buf_clear) struct buf unused = {0};

    /* What a page shows, and nothing else: an image in a script is none. */
    text_safe_html(&unused, html, base_url, &none, &page);
}
