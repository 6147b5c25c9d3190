/* Reads one row of a dump. */
#include "fetch/row.h"

#include "base/files.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Sorted by nothing: the order of enum attribute. */
static const struct span names[ATTR_COUNT] = {
    [ATTR_ID] = {"Id", 2},
    [ATTR_POST_TYPE_ID] = {"PostTypeId", 10},
    [ATTR_ACCEPTED_ANSWER_ID] = {"AcceptedAnswerId", 16},
    [ATTR_PARENT_ID] = {"ParentId", 8},
    [ATTR_CREATION_DATE] = {"CreationDate", 12},
    [ATTR_DELETION_DATE] = {"DeletionDate", 12},
    [ATTR_SCORE] = {"Score", 5},
    [ATTR_VIEW_COUNT] = {"ViewCount", 9},
    [ATTR_BODY] = {"Body", 4},
    [ATTR_OWNER_USER_ID] = {"OwnerUserId", 11},
    [ATTR_OWNER_DISPLAY_NAME] = {"OwnerDisplayName", 16},
    [ATTR_LAST_EDITOR_USER_ID] = {"LastEditorUserId", 16},
    [ATTR_LAST_EDITOR_DISPLAY_NAME] = {"LastEditorDisplayName", 21},
    [ATTR_LAST_EDIT_DATE] = {"LastEditDate", 12},
    [ATTR_LAST_ACTIVITY_DATE] = {"LastActivityDate", 16},
    [ATTR_TITLE] = {"Title", 5},
    [ATTR_TAGS] = {"Tags", 4},
    [ATTR_ANSWER_COUNT] = {"AnswerCount", 11},
    [ATTR_COMMENT_COUNT] = {"CommentCount", 12},
    [ATTR_FAVORITE_COUNT] = {"FavoriteCount", 13},
    [ATTR_CLOSED_DATE] = {"ClosedDate", 10},
    [ATTR_COMMUNITY_OWNED_DATE] = {"CommunityOwnedDate", 18},
    [ATTR_CONTENT_LICENSE] = {"ContentLicense", 14},
};

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
        if (names[i].len == name.len && memcmp(names[i].ptr, name.ptr, name.len) == 0)
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
        if (span_eq(name, names[ATTR_ID]))
            return span_i64(value, &id) && id > 0 && id <= POST_ID_MAX ? id : 0;
    return 0;
}

/* --- character references --- */

/* The character a reference stands for; `name` is what is between '&' and ';'. 0: unknown. */
static uint32_t reference(struct span name)
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

/* Writes the character of the reference at p ('&') to *out and returns what follows it; the '&'
 * itself where it begins none. */
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

/* Copies up to where something is to be decoded, sixteen bytes at a time where the processor has
 * that; *out may be written to up to fifteen bytes beyond what is copied. */
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
    /* A reference is never shorter than what it stands for: "&lt;" is the shortest of all but
     * "&#9;", and no character needs more than four bytes. */
    char *start = arena_alloc(arena, escaped.len + 16), *out = start;
    while ((p = copy_plain(p, end, &out)) < end) {
        if (*p == '&') {
            p = decode_reference(p, end, &out);
        } else {
            /* XML 1.0, 3.3.3: white space that is not written as a reference becomes a blank; a
             * CR LF pair is one line end (2.11). */
            if (!(*p == '\r' && p + 1 < end && p[1] == '\n'))
                *out++ = ' ';
            p++;
        }
    }
    return (struct span){start, (size_t)(out - start)};
}

/* --- the whole row --- */

struct decoder {
    struct span values[ATTR_COUNT];
    struct arena *arena;
    const char *why;
};

static struct span decode_text(struct decoder *d, enum attribute which)
{
    struct span value = d->values[which];

    if (value.ptr == NULL)
        return value;
    value = row_unescape(d->arena, value);
    if (utf8_valid_prefix(value) < value.len)
        d->why = "invalid UTF-8";
    return value;
}

static int64_t decode_number(struct decoder *d, enum attribute which)
{
    int64_t number = POST_ABSENT;

    if (d->values[which].len > 0 && !span_i64(d->values[which], &number))
        d->why = "an invalid number";
    return number;
}

static struct span decode_date(struct decoder *d, enum attribute which)
{
    struct span value = d->values[which];
    char text[TIME_TEXT_SIZE];

    if (value.len == 0)
        return (struct span){0};
    if (!post_date(value, text)) {
        d->why = "an invalid date";
        return (struct span){0};
    }
    return arena_copy(d->arena, (struct span){text, TIME_TEXT_SIZE - 1});
}

static struct span decode_tags(struct decoder *d)
{
    struct span rest = decode_text(d, ATTR_TAGS), tag;
    struct buf json = {0};

    while (post_tag_next(&rest, &tag)) {
        buf_add_char(&json, json.len == 0 ? '[' : ',');
        buf_add_json_kept(&json, tag);
    }
    if (json.len == 0)
        return (struct span){0};
    buf_add_char(&json, ']');
    struct span copy = arena_copy(d->arena, buf_span(&json));
    buf_clear(&json);
    return copy;
}

static void find_attributes(struct decoder *d, const struct row *row)
{
    size_t len;
    bool twice;

    if (!row_attributes(row->raw, d->values, &len, &twice))
        d->why = "not well-formed XML";
    else if (twice)
        d->why = "an attribute is given twice";
    else if (memchr(row->raw.ptr, '\0', row->raw.len) != NULL)
        d->why = "a NUL byte";
}

bool row_texts(const struct row *row, struct arena *arena, struct span *title, struct span *body, const char **why)
{
    struct decoder d = {.arena = arena};

    find_attributes(&d, row);
    if (d.why == NULL) {
        *title = decode_text(&d, ATTR_TITLE);
        *body = decode_text(&d, ATTR_BODY);
    }
    *why = d.why;
    return d.why == NULL;
}

bool row_post(const struct row *row, struct arena *arena, struct post *out, const char **why)
{
    struct decoder d = {.arena = arena};

    find_attributes(&d, row);
    *out = post_empty();
    if (d.why == NULL) {
        out->post_id = row->id;
        out->type = row->type;
        out->accepted_answer_id = decode_number(&d, ATTR_ACCEPTED_ANSWER_ID);
        out->parent_id = decode_number(&d, ATTR_PARENT_ID);
        out->score = decode_number(&d, ATTR_SCORE);
        out->view_count = decode_number(&d, ATTR_VIEW_COUNT);
        out->owner_user_id = decode_number(&d, ATTR_OWNER_USER_ID);
        out->last_editor_user_id = decode_number(&d, ATTR_LAST_EDITOR_USER_ID);
        out->answer_count = decode_number(&d, ATTR_ANSWER_COUNT);
        out->comment_count = decode_number(&d, ATTR_COMMENT_COUNT);
        out->favorite_count = decode_number(&d, ATTR_FAVORITE_COUNT);
        out->body_html = decode_text(&d, ATTR_BODY);
        out->title = decode_text(&d, ATTR_TITLE);
        out->tags = decode_tags(&d);
        out->owner_display_name = decode_text(&d, ATTR_OWNER_DISPLAY_NAME);
        out->last_editor_display_name = decode_text(&d, ATTR_LAST_EDITOR_DISPLAY_NAME);
        out->content_license = decode_text(&d, ATTR_CONTENT_LICENSE);
        out->created_at = decode_date(&d, ATTR_CREATION_DATE);
        out->deleted_at = decode_date(&d, ATTR_DELETION_DATE);
        out->last_edited_at = decode_date(&d, ATTR_LAST_EDIT_DATE);
        out->last_activity_at = decode_date(&d, ATTR_LAST_ACTIVITY_DATE);
        out->closed_at = decode_date(&d, ATTR_CLOSED_DATE);
        out->community_owned_at = decode_date(&d, ATTR_COMMUNITY_OWNED_DATE);
        if (out->content_license.len == 0 && out->created_at.ptr != NULL)
            out->content_license = post_license_at(out->created_at);
    }
    *why = d.why;
    return d.why == NULL;
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
