/* Reads one row of a dump. */
#include "fetch/row.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* clang-format off */
#define NAME(text) {(text), sizeof(text) - 1}
#define MEMBER(member, kind, attribute) {NAME(#attribute), POST_MEMBER(member, kind)},
static const struct {
    struct span name;
    struct post_member member; /* that the attribute becomes */
} attributes[ATTR_COUNT] = {{.name = NAME("Id")}, {.name = NAME("PostTypeId")},
                            MEMBER(body_html, TEXT, Body) POST_MEMBERS(MEMBER)};
/* clang-format on */

/* --- attributes --- */

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && ascii_is_data_space(*p))
        p++;
    return p;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ':' || (unsigned char)c >= 0x80;
}

enum attribute_step row_next_attribute(struct span *rest, struct span *name, struct span *value)
{
    const char *end = rest->ptr + rest->len;
    const char *p = skip_space(rest->ptr, end);
    bool spaced = p > rest->ptr;

    if (end - p >= 2 && p[0] == '/' && p[1] == '>') {
        *rest = (struct span){p + 2, (size_t)(end - p) - 2};
        return ATTRIBUTE_END;
    }
    name->ptr = p;
    while (p < end && is_name_byte(*p))
        p++;
    name->len = (size_t)(p - name->ptr);
    p = skip_space(p, end);
    if (name->len == 0 || !spaced || p == end || *p != '=')
        return ATTRIBUTE_BROKEN;
    p = skip_space(p + 1, end);
    if (p == end || (*p != '"' && *p != '\''))
        return ATTRIBUTE_BROKEN;
    char quote = *p++;
    const char *close = memchr(p, quote, (size_t)(end - p));
    if (close == NULL)
        return ATTRIBUTE_BROKEN;
    *value = (struct span){p, (size_t)(close - p)};
    *rest = (struct span){close + 1, (size_t)(end - close) - 1};
    return ATTRIBUTE_FOUND;
}

/* The place of a name in the dump schema, ATTR_COUNT for another one. */
static enum attribute attribute_named(struct span name)
{
    for (size_t i = 0; i < ATTR_COUNT; i++)
        /* asked of each attribute of a dump, so lengths are compared here */
        if (attributes[i].name.len == name.len && memcmp(attributes[i].name.ptr, name.ptr, name.len) == 0)
            return (enum attribute)i;
    return ATTR_COUNT;
}

bool row_attributes(struct span raw, struct span values[ATTR_COUNT], size_t *len, bool *twice)
{
    struct span rest = raw, name, value;
    enum attribute_step step;

    memset(values, 0, sizeof *values * ATTR_COUNT);
    *twice = false;
    if (!span_starts(rest, SPAN("<row")))
        return false;
    rest = span_after(rest, 4);
    while ((step = row_next_attribute(&rest, &name, &value)) == ATTRIBUTE_FOUND) {
        enum attribute which = attribute_named(name);
        if (which == ATTR_COUNT)
            continue;
        *twice = *twice || values[which].ptr != NULL;
        values[which] = value;
    }
    *len = raw.len - rest.len;
    return step == ATTRIBUTE_END;
}

struct span row_attribute(const struct row *row, enum attribute which)
{
    struct span values[ATTR_COUNT];
    size_t len;
    bool twice;

    if (!row_attributes(row->raw, values, &len, &twice))
        return (struct span){0};
    return values[which];
}

int64_t row_first_id(struct span raw)
{
    struct span rest = raw, name, value;
    int64_t id = 0;

    if (!span_starts(rest, SPAN("<row")))
        return 0;
    rest = span_after(rest, 4);
    while (row_next_attribute(&rest, &name, &value) == ATTRIBUTE_FOUND)
        if (span_eq(name, attributes[ATTR_Id].name))
            return span_i64(value, &id) && id > 0 && id <= POST_ID_MAX ? id : 0;
    return 0;
}

/* --- character references --- */

/* Inlined for the rows of a dump, which have references everywhere. */
__attribute__((always_inline)) static inline uint32_t reference(struct span name)
{
    static const struct {
        struct span name;
        char character;
    } named[] = {
        {{"lt", 2}, '<'}, {{"gt", 2}, '>'}, {{"amp", 3}, '&'}, {{"quot", 4}, '"'}, {{"apos", 4}, '\''},
    };

    if (name.len > 1 && name.ptr[0] == '#') {
        struct span digits = span_after(name, 1);
        uint64_t value = 0;
        if (digits.len > 1 && (digits.ptr[0] == 'x' || digits.ptr[0] == 'X')) {
            for (size_t i = 1; i < digits.len; i++) {
                int digit = hex_digit(digits.ptr[i]);
                if (digit < 0 || value > 0x10ffff)
                    return 0;
                value = value * 16 + (unsigned)digit;
            }
        } else if (!span_u64(digits, 0x10ffff, &value)) {
            return 0;
        }
        return value <= 0x10ffff ? (uint32_t)value : 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(named); i++)
        if (span_eq(name, named[i].name))
            return (unsigned char)named[i].character;
    return 0;
}

uint32_t row_reference(struct span name)
{
    return reference(name);
}

/* Writes the character of the reference at p to *out and returns what follows; the '&' itself if it begins none. */
static const char *decode_reference(const char *p, const char *end, char **out)
{
    enum { REFERENCE_MAX = 10 };
    size_t left = (size_t)(end - p);
    const char *semicolon = memchr(p, ';', left < REFERENCE_MAX ? left : REFERENCE_MAX);

    if (semicolon != NULL) {
        uint32_t c = reference((struct span){p + 1, (size_t)(semicolon - p) - 1});
        size_t len = c != 0 ? utf8_put(c, *out) : 0;
        if (len > 0) {
            *out += len;
            return semicolon + 1;
        }
    }
    *(*out)++ = '&';
    return p + 1;
}

static const bool special[256] = {['&'] = true, ['\n'] = true, ['\t'] = true, ['\r'] = true};

/* Copies up to the next character to decode, sixteen bytes at a time if the processor can; may write up to fifteen
 * bytes more to *out. */
static const char *copy_plain(const char *p, const char *end, char **out)
{
#ifdef __SSE2__
    const __m128i ampersand = _mm_set1_epi8('&'), control = _mm_set1_epi8(0x1f);

    for (; end - p >= 16; p += 16, *out += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes);
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, ampersand), is_control);
        _mm_storeu_si128((__m128i *)(void *)*out, bytes);
        int mask = _mm_movemask_epi8(found);
        if (mask != 0) {
            int plain = __builtin_ctz((unsigned)mask);
            p += plain;
            *out += plain;
            break;
        }
    }
#endif
    while (p < end && !special[(unsigned char)*p])
        *(*out)++ = *p++;
    return p;
}

struct span row_unescape(struct arena *arena, struct span escaped)
{
    const char *p = escaped.ptr, *end = p + escaped.len;
    size_t plain = 0;

    while (plain < escaped.len && !special[(unsigned char)p[plain]])
        plain++;
    if (plain == escaped.len)
        return escaped;
    /* No reference is shorter than its character: "&lt;" is the shortest but "&#9;", and four bytes suffice for any. */
    char *start = arena_alloc(arena, escaped.len + 16), *out = start;
    while ((p = copy_plain(p, end, &out)) < end) {
        if (*p == '&') {
            p = decode_reference(p, end, &out);
        } else {
            /* XML 1.0, 3.3.3: literal white space becomes a blank; a CR LF pair is one line end (2.11). */
            if (!(*p == '\r' && p + 1 < end && p[1] == '\n'))
                *out++ = ' ';
            p++;
        }
    }
    return (struct span){start, (size_t)(out - start)};
}

/* --- the whole row --- */

/* The value in *post; false where it is not one of the member's kind. */
static bool decode_value(struct span value, const struct post_member *m, struct arena *arena, struct post *post)
{
    AT_END(buf_clear) struct buf json = {0};
    char date[TIME_TEXT_SIZE];
    struct span tag;

    if (value.ptr == NULL || (value.len == 0 && (m->kind == MEMBER_NUMBER || m->kind == MEMBER_ISO_DATE)))
        return true;
    if (m->kind == MEMBER_NUMBER)
        return span_i64(value, post_number_at(post, m));
    struct span text = m->kind == MEMBER_ISO_DATE ? value : row_unescape(arena, value);
    if (m->kind == MEMBER_ISO_DATE ? !date_read(text, date) : utf8_valid_prefix(text) < text.len)
        return false;
    if (m->kind == MEMBER_ISO_DATE)
        text = arena_copy(arena, span_of(date));
    if (m->kind == MEMBER_TAGS) {
        while (post_tag_next(&text, &tag)) {
            buf_add_char(&json, json.len == 0 ? '[' : ',');
            buf_add_json_kept(&json, tag);
        }
        if (json.len > 0)
            buf_add_char(&json, ']');
        text = json.len > 0 ? arena_copy(arena, buf_span(&json)) : (struct span){0};
    }
    *post_text_at(post, m) = text;
    return true;
}

/* Returns why the row cannot be read, or NULL. */
static const char *decode(const struct row *row, bool texts_only, struct arena *arena, struct post *post)
{
    /* Of each kind of member; the last counts. */
    static const char *const faults[] = {"an invalid number", "invalid UTF-8", "invalid UTF-8", "an invalid date"};
    struct span values[ATTR_COUNT];
    const char *why = NULL;
    size_t len, worst = 0;
    bool twice;

    *post = post_empty();
    if (!row_attributes(row->raw, values, &len, &twice))
        return "not well-formed XML";
    if (twice)
        return "an attribute is given twice";
    if (memchr(row->raw.ptr, '\0', row->raw.len) != NULL)
        return "a NUL byte";
    for (size_t i = ATTR_Body; i < ATTR_COUNT; i++) {
        const struct post_member *m = &attributes[i].member;
        if (texts_only && i != ATTR_Body && i != ATTR_Title)
            continue;
        if (!decode_value(values[i], m, arena, post) && m->kind >= worst)
            why = faults[worst = m->kind];
    }
    return why;
}

bool row_texts(const struct row *row, struct arena *arena, struct span *title, struct span *body, const char **why)
{
    struct post post;

    *why = decode(row, true, arena, &post);
    *title = post.title;
    *body = post.body_html;
    return *why == NULL;
}

bool row_post(const struct row *row, struct arena *arena, struct post *out, const char **why)
{
    *why = decode(row, false, arena, out);
    out->post_id = row->id;
    out->type = row->type;
    if (out->content_license.len == 0 && out->created_at.ptr != NULL)
        out->content_license = post_license_at(out->created_at);
    return *why == NULL;
}

/* --- the careful way: libxml2 reads what is not in the plain form --- */

static void be_silent(void *ctx, xmlErrorPtr error)
{
    (void)ctx, (void)error;
}

struct span row_rewrite(struct span text, struct arena *arena)
{
    AT_END(buf_clear) struct buf out = {0};
    struct span plain = {0};
    int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;

    if (text.len > DUMP_ROW_MAX)
        return plain;
    xmlSetStructuredErrorFunc(NULL, be_silent);
    xmlDoc *doc = xmlReadMemory(text.ptr, (int)text.len, NULL, "UTF-8", options);
    xmlNode *root = doc != NULL ? xmlDocGetRootElement(doc) : NULL;
    if (root != NULL && xmlStrcmp(root->name, (const xmlChar *)"row") == 0) {
        buf_add_text(&out, "<row");
        for (xmlAttr *attr = root->properties; attr != NULL; attr = attr->next) {
            xmlChar *value = xmlNodeListGetString(root->doc, attr->children, 1);
            buf_addf(&out, " %s=\"", (const char *)attr->name);
            /* Blanks that are written as they are become spaces in an attribute. */
            for (const char *c = value != NULL ? (const char *)value : ""; *c != '\0'; c++)
                if (*c == '\n' || *c == '\r' || *c == '\t')
                    buf_addf(&out, "&#%d;", *c);
                else
                    buf_add_markup(&out, *c);
            buf_add_char(&out, '"');
            xmlFree(value);
        }
        buf_add_text(&out, " />");
        plain = arena_copy(arena, buf_span(&out));
    }
    xmlFreeDoc(doc);
    return plain;
}

void row_rewrite_prepare(void)
{
    xmlInitParser();
}
