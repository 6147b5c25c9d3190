/* From HTML to running words, in one pass. Tags, comments and references are those of libxml2's HTML parser (2.9),
 * whose tree gives the same words. But no tree is built: hostile markup cannot make a linear reader nest, repair or
 * allocate. */
#include "base/utf8.h"
#include "stem/stem.h"

#include <libxml/HTMLparser.h>

enum separator { SEPARATOR_NONE, SEPARATOR_BLANK, SEPARATOR_LINE };

struct reader {
    const char *p, *end;
    struct buf *out;
    size_t start;                 /* of this text in *out */
    enum separator separator;     /* seen since the last word */
    size_t pre_depth;             /* open <pre> elements */
    bool keeps_words, keeps_code; /* the text outside, inside of <pre> */
};

enum { CLASS_WORD, CLASS_SPACE, CLASS_TAG, CLASS_REFERENCE };

/* NUL is white space here: it has no place in HTML, and SQLite's shell would end a text there. */
static const unsigned char byte_class[256] = {
    [0] = CLASS_SPACE,    ['\t'] = CLASS_SPACE, ['\n'] = CLASS_SPACE, ['\v'] = CLASS_SPACE,    ['\f'] = CLASS_SPACE,
    ['\r'] = CLASS_SPACE, [' '] = CLASS_SPACE,  ['<'] = CLASS_TAG,    ['&'] = CLASS_REFERENCE,
};

static void separate(struct reader *r, enum separator separator)
{
    if (separator > r->separator)
        r->separator = separator;
}

/* There is room: a reference is longer than its text, and a separator is for white space or markup. */
static void add_word_bytes(struct reader *r, const char *bytes, size_t len)
{
    if (!(r->pre_depth > 0 ? r->keeps_code : r->keeps_words))
        return;
    char *end = r->out->ptr + r->out->len;
    if (r->separator != SEPARATOR_NONE && r->out->len > r->start)
        *end++ = r->separator == SEPARATOR_LINE ? '\n' : ' ';
    r->separator = SEPARATOR_NONE;
    memcpy(end, bytes, len);
    r->out->len = (size_t)(end - r->out->ptr) + len;
}

/* --- tags --- */

static bool is_name_start(char c)
{
    return ascii_is_letter(c) || c == '_' || c == ':';
}

static bool is_name_byte(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

/* Elements that stand on lines of their own, sorted. */
static const char *const block_elements[] = {
    "address",    "article", "aside",   "blockquote", "body",     "br",       "caption", "center",   "col",
    "colgroup",   "dd",      "details", "dialog",     "dir",      "div",      "dl",      "dt",       "fieldset",
    "figcaption", "figure",  "footer",  "form",       "frameset", "h1",       "h2",      "h3",       "h4",
    "h5",         "h6",      "head",    "header",     "hgroup",   "hr",       "html",    "isindex",  "legend",
    "li",         "main",    "menu",    "nav",        "noframes", "noscript", "ol",      "optgroup", "option",
    "p",          "pre",     "script",  "section",    "select",   "style",    "summary", "table",    "tbody",
    "td",         "tfoot",   "th",      "thead",      "title",    "tr",       "ul"};

enum { TAG_NAME_SIZE = 12 };

struct tag {
    char name[TAG_NAME_SIZE]; /* lower-case; "" for one that no rule here knows */
    bool closing;
};

static bool tag_is(const struct tag *tag, const char *name)
{
    return tag->name[0] == name[0] && strcmp(tag->name, name) == 0;
}

static bool is_block(const struct tag *tag)
{
    size_t low = 0, high = ARRAY_LEN(block_elements);

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = tag->name[0] - block_elements[middle][0];
        if (order == 0)
            order = strcmp(tag->name, block_elements[middle]);
        if (order == 0)
            return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* Of "o:p" the part behind the colon is the name, as in a document with namespaces. */
static void read_name(struct reader *r, struct tag *tag)
{
    size_t len = 0;

    for (; r->p < r->end && is_name_byte(*r->p); r->p++) {
        if (len < TAG_NAME_SIZE - 1)
            tag->name[len] = ascii_is_letter(*r->p) ? (char)(*r->p | 0x20) : *r->p;
        len = *r->p == ':' ? 0 : len + 1;
    }
    tag->name[len < TAG_NAME_SIZE ? len : 0] = '\0';
}

/* Moves behind the next such byte, or to the end when it does not come. */
static void skip_past(struct reader *r, char byte)
{
    const char *found = memchr(r->p, byte, (size_t)(r->end - r->p));

    r->p = found != NULL ? found + 1 : r->end;
}

static void skip_value(struct reader *r)
{
    while (r->p < r->end && ascii_is_data_space(*r->p))
        r->p++;
    if (r->p < r->end && (*r->p == '"' || *r->p == '\'')) {
        char quote = *r->p++;
        skip_past(r, quote);
        return;
    }
    while (r->p < r->end && *r->p != '>' && !ascii_is_data_space(*r->p))
        r->p++;
}

static bool is_empty_end(const struct reader *r)
{
    return *r->p == '/' && r->end - r->p > 1 && r->p[1] == '>';
}

/* From behind a start tag's name to behind its '>'; a '>' inside a quoted value does not end it.
 * True when it ends in "/>": libxml2 then takes any element for empty, even <pre/>. */
static bool skip_attributes(struct reader *r)
{
    while (r->p < r->end) {
        bool empty = is_empty_end(r);
        if (empty || *r->p == '>') {
            r->p += empty ? 2 : 1;
            return empty;
        }
        if (ascii_is_data_space(*r->p))
            r->p++;
        else if (is_name_start(*r->p) || *r->p == '.') {
            /* name, name=value, name="value" */
            while (r->p < r->end && is_name_byte(*r->p))
                r->p++;
            while (r->p < r->end && ascii_is_data_space(*r->p))
                r->p++;
            if (r->p < r->end && *r->p == '=') {
                r->p++;
                skip_value(r);
            }
        } else {
            /* What cannot be an attribute; quotes in it mean nothing. */
            while (r->p < r->end && !ascii_is_data_space(*r->p) && *r->p != '>' && !is_empty_end(r))
                r->p++;
        }
    }
    return false;
}

/* Whether "</name" stands at p, and the name ends there. */
static bool is_end_tag(const char *p, const char *end, const char *name)
{
    size_t len = strlen(name);

    if ((size_t)(end - p) < len + 2 || p[1] != '/')
        return false;
    for (size_t i = 0; i < len; i++)
        if ((p[i + 2] | 0x20) != name[i])
            return false;
    return p + len + 2 == end || !is_name_byte(p[len + 2]);
}

static void apply_tag(struct reader *r, const struct tag *tag)
{
    separate(r, is_block(tag) ? SEPARATOR_LINE : SEPARATOR_BLANK);
    if (tag_is(tag, "pre")) {
        if (!tag->closing)
            r->pre_depth++;
        else if (r->pre_depth > 0)
            r->pre_depth--;
    } else if (!tag->closing && (tag_is(tag, "script") || tag_is(tag, "style"))) {
        /* What stands between <script> and </script> is not text and contains no tags. */
        const char *p = r->p;
        while ((p = memchr(p, '<', (size_t)(r->end - p))) != NULL && !is_end_tag(p, r->end, tag->name))
            p++;
        r->p = p != NULL ? p : r->end;
    }
}

static void read_end_tag(struct reader *r)
{
    struct tag tag = {.closing = true};

    r->p += 2;
    separate(r, SEPARATOR_BLANK);
    if (r->p == r->end || (!is_name_start(*r->p) && *r->p != '.'))
        return; /* "</" before no name: dropped, what follows is text */
    read_name(r, &tag);
    skip_past(r, '>');
    apply_tag(r, &tag);
}

/* A comment ends at "-->" or "--!>", neither of which shares a dash with its "<!--". */
static bool ends_comment(const char *start, const char *bracket)
{
    if (bracket > start && bracket[-1] == '!')
        bracket--;
    return bracket - start >= 2 && bracket[-1] == '-' && bracket[-2] == '-';
}

static void read_markup(struct reader *r)
{
    const struct span rest = {r->p, (size_t)(r->end - r->p)}, doctype = SPAN("<!doctype");

    if (rest.len > 1 && ascii_is_letter(rest.ptr[1])) {
        struct tag tag = {.closing = false};
        r->p++;
        read_name(r, &tag);
        if (skip_attributes(r))
            separate(r, is_block(&tag) ? SEPARATOR_LINE : SEPARATOR_BLANK);
        else
            apply_tag(r, &tag);
    } else if (rest.len > 1 && rest.ptr[1] == '/') {
        read_end_tag(r);
    } else if (span_starts(rest, SPAN("<!--"))) {
        const char *start = r->p + 4;
        r->p = start;
        do
            skip_past(r, '>');
        while (r->p < r->end && !ends_comment(start, r->p - 1));
        separate(r, SEPARATOR_BLANK);
    } else if ((rest.len > 1 && rest.ptr[1] == '?') ||
               (rest.len >= doctype.len && span_eq_any_case((struct span){rest.ptr, doctype.len}, doctype))) {
        skip_past(r, '>');
        separate(r, SEPARATOR_BLANK);
    } else {
        add_word_bytes(r, r->p++, 1);
    }
}

/* --- character references --- */

static void add_character(struct reader *r, uint32_t code_point)
{
    char bytes[4];

    if (code_point < 0x80 && byte_class[code_point] == CLASS_SPACE) {
        separate(r, SEPARATOR_BLANK);
        return;
    }
    size_t len = utf8_put(code_point, bytes);
    if (len > 0)
        add_word_bytes(r, bytes, len);
}

/* "&#233;", "&#xe9;"; the semicolon may be missing. */
static void read_numeric_reference(struct reader *r)
{
    unsigned base = 10;
    uint32_t value = 0;

    r->p += 2;
    if (r->p < r->end && (*r->p | 0x20) == 'x') {
        base = 16;
        r->p++;
    }
    for (; r->p < r->end && (unsigned)hex_digit(*r->p) < base; r->p++)
        if (value < 0x110000)
            value = value * base + (unsigned)hex_digit(*r->p);
    if (r->p < r->end && *r->p == ';')
        r->p++;
    /* A character of XML 1.0 (production 2); libxml2 drops references to any other. */
    if (value == 0x9 || value == 0xa || value == 0xd || (value >= 0x20 && value <= 0xd7ff) ||
        (value >= 0xe000 && value <= 0xfffd) || (value >= 0x10000 && value <= 0x10ffff))
        add_character(r, value);
}

static void read_reference(struct reader *r)
{
    const char *name = r->p + 1, *p = name;
    const htmlEntityDesc *found = NULL;
    char text[TAG_NAME_SIZE];

    if (p < r->end && *p == '#') {
        read_numeric_reference(r);
        return;
    }
    while (p < r->end && is_name_byte(*p))
        p++;
    size_t len = (size_t)(p - name);
    if (p < r->end && *p == ';' && len > 0 && len < sizeof text) {
        memcpy(text, name, len);
        text[len] = '\0';
        found = htmlEntityLookup((const xmlChar *)text);
    }
    if (found == NULL) {
        add_word_bytes(r, r->p++, 1); /* no reference: the '&' is text, and so is what follows */
        return;
    }
    r->p = p + 1;
    add_character(r, found->value);
}

/* --- the whole --- */

static bool is_class(const char *p, const char *end, unsigned char class)
{
    return p < end && byte_class[(unsigned char)*p] == class;
}

/* Words with single blanks between them are copied as they are. */
static void read_words(struct reader *r)
{
    const char *p = r->p;

    do {
        while (is_class(p, r->end, CLASS_WORD))
            p++;
    } while (is_class(p, r->end, CLASS_SPACE) && *p == ' ' && is_class(p + 1, r->end, CLASS_WORD) && ++p);
    add_word_bytes(r, r->p, (size_t)(p - r->p));
    r->p = p;
}

void text_from_html(struct buf *out, struct span html, enum text_options options)
{
    struct reader r = {.p = html.ptr,
                       .end = html.len > 0 ? html.ptr + html.len : html.ptr,
                       .out = out,
                       .start = out->len,
                       .keeps_words = (options & TEXT_ONLY_CODE) == 0,
                       .keeps_code = (options & (TEXT_INCLUDE_CODE | TEXT_ONLY_CODE)) != 0};

    buf_reserve(out, html.len + 1);
    while (r.p < r.end) {
        if (r.pre_depth > 0 && !r.keeps_code) {
            /* Of code that is left out, only the tags matter: white space and references separate no more than <pre> does. */
            const char *found = memchr(r.p, '<', (size_t)(r.end - r.p));
            r.p = found != NULL ? found : r.end;
        }
        if (r.p == r.end)
            break;
        switch (byte_class[(unsigned char)*r.p]) {
        case CLASS_SPACE:
            separate(&r, SEPARATOR_BLANK);
            r.p++;
            break;
        case CLASS_TAG:
            read_markup(&r);
            break;
        case CLASS_REFERENCE:
            read_reference(&r);
            break;
        default:
            read_words(&r);
        }
    }
}

void text_from_title(struct buf *out, struct span title)
{
    buf_reserve(out, title.len + 1);
    for (size_t i = 0; i < title.len; i++) {
        bool space = byte_class[(unsigned char)title.ptr[i]] == CLASS_SPACE;
        buf_add_char(out, space ? ' ' : title.ptr[i]);
    }
}
