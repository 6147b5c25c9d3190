/* From HTML to what a person reads on a terminal: paragraphs that are wrapped, code that is not. Bodies come from
 * strangers: what could control a terminal is left out. */
#include "base/visible.h"
#include "stem/marks.h"
#include "stem/stem.h"

enum {
    DEPTH_MAX = 200, /* of elements; deeper ones are passed over */
    INDENT = 4,
    INDENT_MAX = 40,
    WIDTH_MIN = 20
};

struct page {
    struct buf *out;
    size_t start, width;
    size_t indent;      /* of the lines of this block */
    size_t column;      /* of the terminal, on the line; 0: nothing yet */
    const char *bullet; /* to stand before the next line; "" for none */
    bool quoted;        /* lines begin with "> " */
    bool blank;         /* white space before the next word */
    bool gap;           /* an empty line before the next block */
    bool in_pre;
    struct mark_walk marks;
    const char *before_mark, *after_mark;
    bool counted; /* the marks count what is being added */
};

/* --- marks --- */

static void add_marked(struct page *p, struct span text)
{
    bool inside;

    while (p->counted && text.len > 0 && mark_walk_has_more(&p->marks)) {
        struct span part = mark_walk_cut(&p->marks, &text, &inside);
        buf_add_text(p->out, inside ? p->before_mark : "");
        buf_add_clean(p->out, part);
        buf_add_text(p->out, inside ? p->after_mark : "");
    }
    if (p->counted)
        mark_walk_pass(&p->marks, text);
    buf_add_clean(p->out, text);
}

/* --- lines --- */

static void end_line(struct page *p)
{
    if (p->column > 0)
        buf_add_char(p->out, '\n');
    p->column = 0;
    p->blank = false;
}

static void begin_line(struct page *p)
{
    size_t taken = strlen(p->bullet);

    if (p->gap && p->out->len > p->start)
        buf_add_char(p->out, '\n');
    p->gap = false;
    for (size_t i = taken; i < p->indent; i++)
        buf_add_char(p->out, ' ');
    buf_add_text(p->out, p->bullet);
    buf_add_text(p->out, p->quoted ? "> " : "");
    p->column = (p->indent > taken ? p->indent : taken) + (p->quoted ? 2 : 0);
    p->bullet = "";
}

static void add_word(struct page *p, struct span word)
{
    size_t n = text_width(word);

    if (p->column > 0 && p->blank && p->column + 1 + n > p->width)
        end_line(p);
    if (p->column == 0)
        begin_line(p);
    else if (p->blank)
        buf_add_char(p->out, ' ');
    p->column += n + (p->blank ? 1 : 0);
    p->blank = false;
    add_marked(p, word);
}

static void add_flowing(struct page *p, struct span text)
{
    size_t i = 0;

    while (i < text.len) {
        size_t word = i;
        if (ascii_is_space(text.ptr[i])) {
            p->blank = p->column > 0;
            i++;
            continue;
        }
        while (i < text.len && !ascii_is_space(text.ptr[i]))
            i++;
        add_word(p, (struct span){text.ptr + word, i - word});
    }
}

/* Line by line, as it is. */
static void add_verbatim(struct page *p, struct span text)
{
    struct span line, part;

    for (bool first = true; text.len > 0 || first; first = false) {
        size_t end = 0;
        while (end < text.len && text.ptr[end] != '\n')
            end++;
        line = (struct span){text.ptr, end > 0 && text.ptr[end - 1] == '\r' ? end - 1 : end};
        if (p->column == 0)
            begin_line(p);
        while (span_cut(&line, '\t', &part)) {
            add_marked(p, part);
            if (part.ptr + part.len < text.ptr + end && part.ptr[part.len] == '\t')
                buf_add_text(p->out, "    ");
        }
        if (end == text.len)
            return;
        end_line(p);
        text = (struct span){text.ptr + end + 1, text.len - end - 1};
    }
}

/* --- elements --- */

enum kind { INLINE, BLOCK, ITEM, QUOTE, PRE, BREAK, RULE, CODE, IMAGE, LINK, HIDDEN };

static const struct element {
    const char *name;
    enum kind kind;
} elements[] = {
    {"p", BLOCK},       {"div", BLOCK},    {"h1", BLOCK},  {"h2", BLOCK},         {"h3", BLOCK},  {"h4", BLOCK},
    {"h5", BLOCK},      {"h6", BLOCK},     {"ul", BLOCK},  {"ol", BLOCK},         {"dl", BLOCK},  {"dt", BLOCK},
    {"dd", BLOCK},      {"table", BLOCK},  {"tr", BLOCK},  {"blockquote", QUOTE}, {"li", ITEM},   {"pre", PRE},
    {"br", BREAK},      {"hr", RULE},      {"code", CODE}, {"kbd", CODE},         {"img", IMAGE}, {"a", LINK},
    {"script", HIDDEN}, {"style", HIDDEN},
};

static void add_children(struct page *p, const xmlNode *node, int depth);

static void add_block(struct page *p, const xmlNode *node, enum kind kind, int depth)
{
    struct page outer = *p;

    end_line(p);
    p->gap = outer.gap || kind != ITEM;
    if (kind == ITEM || kind == PRE)
        p->indent = p->indent < INDENT_MAX ? p->indent + (kind == ITEM ? 2 : INDENT) : p->indent;
    p->bullet = kind == ITEM ? "- " : outer.bullet;
    p->quoted |= kind == QUOTE;
    p->in_pre |= kind == PRE;
    add_children(p, node, depth);
    end_line(p);
    p->gap = kind != ITEM;
    p->indent = outer.indent;
    p->quoted = outer.quoted;
    p->in_pre = outer.in_pre;
    p->bullet = "";
}

static void add_attribute(struct page *p, const xmlNode *node, const char *before, const char *name)
{
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);

    if (value != NULL && value[0] != '\0') {
        p->blank = p->column > 0;
        add_flowing(p, span_of(before));
        add_flowing(p, span_of((const char *)value));
        add_flowing(p, SPAN("]"));
    }
    xmlFree(value);
}

static void add_element(struct page *p, const xmlNode *node, int depth)
{
    enum kind kind = INLINE;

    for (size_t i = 0; i < ARRAY_LEN(elements) && kind == INLINE; i++)
        if (xmlStrcasecmp(node->name, (const xmlChar *)elements[i].name) == 0)
            kind = elements[i].kind;
    switch (kind) {
    case HIDDEN:
        break;
    case BREAK:
        end_line(p);
        break;
    case RULE:
        end_line(p);
        add_word(p, SPAN("---"));
        end_line(p);
        break;
    case IMAGE:
        add_attribute(p, node, "[image ", "src");
        break;
    case INLINE:
    case LINK:
        add_children(p, node, depth);
        if (kind == LINK)
            add_attribute(p, node, "[", "href");
        break;
    case CODE:
        if (!p->in_pre)
            add_flowing(p, SPAN("`"));
        add_children(p, node, depth);
        if (!p->in_pre)
            add_flowing(p, SPAN("`"));
        break;
    default:
        add_block(p, node, kind, depth);
    }
}

static void add_children(struct page *p, const xmlNode *node, int depth)
{
    if (depth > DEPTH_MAX)
        return;
    for (const xmlNode *child = node->children; child != NULL; child = child->next) {
        bool is_text = child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE;
        p->counted = is_text && (!p->in_pre || p->marks.ranges->count_code);
        if (is_text && p->in_pre)
            add_verbatim(p, span_of((const char *)child->content));
        else if (is_text)
            add_flowing(p, span_of((const char *)child->content));
        else if (child->type == XML_ELEMENT_NODE)
            add_element(p, child, depth + 1);
        p->counted = false;
    }
}

static bool write_tree(void *ctx, const xmlNode *root, const struct mark_ranges *marks)
{
    struct page p = *(const struct page *)ctx;

    p.marks = mark_walk(marks);
    add_children(&p, root, 0);
    end_line(&p);
    return mark_walk_is_whole(&p.marks);
}

void text_readable_marked(struct buf *out, struct span html, size_t width, const struct text_marks *marks,
                          const char *before, const char *after)
{
    struct page p = {
        .out = out,
        .start = out->len,
        .width = width > WIDTH_MIN ? width : WIDTH_MIN,
        .bullet = "",
        .before_mark = before,
        .after_mark = after,
    };

    marks_write(html, marks, out, write_tree, &p);
}

void text_readable(struct buf *out, struct span html, size_t width)
{
    static const struct text_marks none = {.n = 0};

    text_readable_marked(out, html, width, &none, "", "");
}
