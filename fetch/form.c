/* Reads objects by the table of forms. */
#include "fetch/forms.h"

#include "base/csv.h"
#include "base/files.h"
#include "base/log.h"
#include "fetch/json.h"

#include <ctype.h>
#include <md4c-html.h>
#include <strings.h>

struct reading {
    const struct api_reader *reader;
    struct arena arena;
    struct ndjson_file *file;
    const char *why; /* the object cannot be used */
    bool skipped;    /* it is not a post, and nobody misses it */
    bool is_comment;
    bool null_is_empty; /* a text of the tracker that is null was left empty */
    bool is_versioned;  /* with members of another version, which need not be known */
    struct err *e;
};

/* --- paths --- */

static const json_t *step(const json_t *value, struct span name)
{
    if (json_is_array(value))
        return name.len == 1 && *name.ptr == '0' ? json_array_get(value, 0) : NULL;
    return json_object_getn(value, name.ptr, name.len);
}

/* Of {"$date": "2019-05-01T10:00:00Z"}, as MongoDB writes what JSON has no type for, the text. */
static const json_t *unwrapped(const json_t *value)
{
    void *member = json_object_size(value) == 1 ? json_object_iter((json_t *)value) : NULL; /* NOLINT: only read */

    return member != NULL && *json_object_iter_key(member) == '$' ? unwrapped(json_object_iter_value(member)) : value;
}

json_t *form_at(const json_t *object, const char *path, struct span *name)
{
    struct span paths = span_of(path), one, part;

    while (span_cut(&paths, '|', &one)) {
        const json_t *value = json_object_getn(object, one.ptr, one.len); /* as tables name a column, too */
        struct span rest = one;
        if (value == NULL && memchr(one.ptr, '.', one.len) != NULL)
            for (value = object; value != NULL && span_cut(&rest, '.', &part);)
                value = step(value, part);
        value = unwrapped(value);
        if (value == NULL || json_is_null(value))
            continue;
        if (name != NULL)
            *name = one;
        return (json_t *)value; /* NOLINT: what jansson gives of a const object is not const */
    }
    return NULL;
}

/* --- values --- */

static void not_a(struct reading *r, struct span name, const char *what)
{
    if (r->why == NULL)
        r->why = arena_addf(&r->arena, "%.*s is not %s", (int)name.len, name.ptr, what).ptr;
}

/* "105", and "105.0", as tables of numbers with gaps have it. */
static bool whole_number(struct span text, int64_t *number)
{
    size_t point = span_find(text, SPAN("."));

    for (size_t i = point; i != SIZE_MAX && i < text.len; i++)
        if (text.ptr[i] != (i == point ? '.' : '0'))
            return false;
    if (point != SIZE_MAX)
        text.len = point;
    return span_i64(text, number);
}

static int64_t read_number(struct reading *r, const struct json_value *value, struct span name)
{
    double real = value->type == JSON_REAL ? value->real : 0.5;
    int64_t number = POST_ABSENT;

    if (value->type == JSON_INTEGER)
        return value->integer;
    if (real > -9e15 && real < 9e15 && real == (double)(int64_t)real)
        return (int64_t)real;
    if (value->type == JSON_REAL ? real <= -9e15 || real >= 9e15
                                 : span_is_digits(value->text) && !span_i64(value->text, &number))
        r->why = r->why != NULL ? r->why : arena_addf(&r->arena, "%.*s is too large", (int)name.len, name.ptr).ptr;
    else if (value->type != JSON_STRING || !whole_number(value->text, &number))
        not_a(r, name, "a whole number");
    return number;
}

static struct span read_text(struct reading *r, const struct json_value *value, struct span name)
{
    if (value->type == JSON_STRING)
        return json_without_nul(&r->arena, value->text);
    not_a(r, name, "a string");
    return (struct span){0};
}

/* A short text can repeat a long link very often; no text that people write grows so much. */
enum { GROWTH_MAX = 16, GROWTH_FREE = 64 * 1024, TEXT_MAX = 8 << 20 };

struct markdown {
    struct buf *out;
    size_t limit; /* of out->len */
    bool too_long;
};

static void take_html(const char *bytes, unsigned len, void *ctx)
{
    struct markdown *o = ctx;

    o->too_long = o->too_long || o->out->len + len > o->limit;
    if (!o->too_long)
        buf_add(o->out, bytes, len);
}

/* The HTML of a text in GitHub's Markdown (valid UTF-8), by MD4C; keeps HTML inside. A text that would become many
 * times longer stays, escaped, in one <p>. */
static struct span read_markdown(struct reading *r, struct span text)
{
    AT_END(buf_clear) struct buf html = {0};
    struct markdown o = {.out = &html, .limit = GROWTH_FREE + GROWTH_MAX * text.len};
    bool failed = text.len > TEXT_MAX ||
                  md_html(text.ptr, (unsigned)text.len, take_html, &o, MD_DIALECT_GITHUB, 0) != 0;

    if (failed || o.too_long) {
        buf_reset(&html);
        buf_add_text(&html, "<p>");
        for (size_t i = 0; i < text.len; i++)
            if (text.ptr[i] == '<')
                buf_add_text(&html, "&lt;");
            else if (text.ptr[i] == '&')
                buf_add_text(&html, "&amp;");
            else
                buf_add_char(&html, text.ptr[i]);
        buf_add_text(&html, "</p>");
    }
    return arena_copy(&r->arena, html.len > 0 ? buf_span(&html) : SPAN(""));
}

/* The paragraphs of a text that is not HTML, those of a comment without <p>, as the API has them; Jira's {code} and
 * {noformat} mark code. */
static struct span read_lines(struct reading *r, struct span text)
{
    static const char *const marks[] = {"{code", "{noformat"};
    AT_END(buf_clear) struct buf html = {0};
    bool in_code = false;

    buf_add_text(&html, text.len > 0 && !r->is_comment ? "<p>" : "");
    for (size_t i = 0; i < text.len; i++) {
        struct span rest = {text.ptr + i, text.len - i};
        size_t close = *rest.ptr == '{' ? span_find(rest, SPAN("}")) : SIZE_MAX;
        if (close < 40 && !r->is_comment &&
            (span_starts(rest, span_of(marks[0])) || span_starts(rest, span_of(marks[1])))) {
            buf_add_text(&html, in_code ? "</code></pre><p>" : "</p><pre><code>");
            in_code = !in_code;
            i += close;
        } else if (*rest.ptr == '<') {
            buf_add_text(&html, "&lt;");
        } else if (*rest.ptr == '&') {
            buf_add_text(&html, "&amp;");
        } else if (!in_code && !r->is_comment && span_starts(rest, SPAN("\n\n"))) {
            buf_add_text(&html, "</p>\n<p>");
            i++;
        } else {
            buf_add_char(&html, *rest.ptr);
        }
    }
    buf_add_text(&html, text.len == 0 || r->is_comment ? "" : in_code ? "</code></pre>" : "</p>");
    return arena_copy(&r->arena, html.len > 0 ? buf_span(&html) : SPAN(""));
}

/* --- dates --- */

static struct span keep_date(struct reading *r, const char date[TIME_TEXT_SIZE])
{
    return arena_copy(&r->arena, (struct span){date, TIME_TEXT_SIZE - 1});
}

/* Seconds that a zone such as +0200, +02:00, Z, UTC or nothing is east of Greenwich. */
static bool zone_seconds(struct span zone, int64_t *seconds)
{
    zone = span_trim(zone);
    *seconds = 0;
    if (zone.len == 0 || span_eq(zone, SPAN("Z")) || span_eq(zone, SPAN("UTC")) || span_eq(zone, SPAN("GMT")))
        return true;
    size_t minutes = zone.len == 6 && zone.ptr[3] == ':' ? 4 : 3;
    uint64_t h, m = 0;
    if ((*zone.ptr != '+' && *zone.ptr != '-') || (zone.len != minutes + 2 && zone.len != 3) ||
        !span_u64((struct span){zone.ptr + 1, 2}, 14, &h) ||
        (zone.len > 3 && !span_u64((struct span){zone.ptr + minutes, 2}, 59, &m)))
        return false;
    *seconds = ((int64_t)h * 60 + (int64_t)m) * 60 * (*zone.ptr == '-' ? -1 : 1);
    return true;
}

/* "2019-05-01 10:00:00 UTC", "2019-05-01T10:00:00.000+0200", "2019-05-01". */
static bool any_date(struct span text, char out[TIME_TEXT_SIZE])
{
    enum { DAY = 10, SECONDS = 19 };
    char plain[TIME_TEXT_SIZE + 8];
    int64_t east, at;
    size_t end = SECONDS;

    text = span_trim(text);
    if (text.len == DAY)
        return date_read(text, out);
    if (text.len < SECONDS || (text.ptr[DAY] != 'T' && text.ptr[DAY] != ' '))
        return false;
    while (end < text.len && (text.ptr[end] == '.' || isdigit((unsigned char)text.ptr[end])))
        end++;
    if (!zone_seconds((struct span){text.ptr + end, text.len - end}, &east))
        return false;
    size_t kept = end < SECONDS + 4 ? end : SECONDS + 4; /* milliseconds */
    snprintf(plain, sizeof plain, "%.*s", (int)kept, text.ptr);
    plain[DAY] = 'T';
    if (!date_read(span_of(plain), out))
        return false;
    if (east == 0)
        return true;
    char fraction[6];
    memcpy(fraction, out + SECONDS, 5);
    fraction[5] = '\0';
    if (!api_time_of((struct span){out, TIME_TEXT_SIZE - 1}, &at) || !api_time_text(at - east, out))
        return false;
    memcpy(out + SECONDS, fraction, 5);
    return true;
}

#define MILLISECONDS_FROM INT64_C(100000000000) /* as seconds, the year 5138 */

static struct span read_date(struct reading *r, const struct json_value *value, struct span name, enum form_as as)
{
    char date[TIME_TEXT_SIZE];
    struct span text = value->text;
    double real = value->type == JSON_INTEGER ? (double)value->integer : value->real;
    bool is_text = value->type == JSON_STRING;
    bool in_range = (value->type == JSON_INTEGER || value->type == JSON_REAL) && real > -1e15 && real < 1e15;
    int64_t seconds = in_range ? (int64_t)real : 0;

    if (as == AS_EPOCH && (in_range || whole_number(text, &seconds))) {
        seconds = seconds > MILLISECONDS_FROM ? seconds / 1000 : seconds;
        if (api_time_text(seconds, date))
            return keep_date(r, date);
    }
    if (is_text && (as == AS_ISO_DATE ? date_read(text, date) : any_date(text, date)))
        return keep_date(r, date);
    if (is_text || as != AS_ISO_DATE)
        not_a(r, name, "a date such as 2018-01-02T03:04:05Z");
    else
        not_a(r, name, "a string");
    return (struct span){0};
}

/* --- tags --- */

static void add_tag(struct buf *out, struct span tag)
{
    tag = span_trim(tag);
    if (tag.len > 1 && *tag.ptr == '"' && tag.ptr[tag.len - 1] == '"')
        tag = (struct span){tag.ptr + 1, tag.len - 2};
    if (tag.len == 0)
        return;
    buf_add_char(out, out->len == 0 ? '[' : ',');
    buf_add_json_kept(out, tag);
}

static void add_tag_list(struct reading *r, struct buf *out, const json_t *list, struct span name)
{
    const json_t *tag;
    size_t i;

    json_array_foreach(list, i, tag) {
        if (json_is_object(tag))
            tag = form_at(tag, "name|title|node.name", NULL);
        if (!json_is_string(tag))
            not_a(r, name, "a list of strings");
        else
            add_tag(out, (struct span){json_string_value(tag), json_string_length(tag)});
    }
}

/* "<a><b>", "|a|b|", "a|b", "a,b", "{a,b}", or a list as text. Blanks may be in a tag, or between two. */
static void add_tag_text(struct reading *r, struct buf *out, struct span text, struct span name)
{
    static const char separators[] = {'|', ',', ';'};
    struct span rest = text = span_trim(text), tag;
    char separator = '\0';

    if (span_starts(text, SPAN("&lt;"))) /* escaped once more */
        rest = text = api_unescape(&r->arena, text);

    if (span_starts(text, SPAN("["))) {
        json_t *list = json_read(text, NULL);
        if (!json_is_array(list))
            not_a(r, name, "a list of strings");
        add_tag_list(r, out, list, name);
        json_decref(list);
        return;
    }
    if (span_starts(text, SPAN("{")) && text.ptr[text.len - 1] == '}') /* as PostgreSQL writes a list */
        rest = text = (struct span){text.ptr + 1, text.len - 2};
    if (span_starts(text, SPAN("<"))) {
        while (post_tag_next(&rest, &tag))
            add_tag(out, tag);
        return;
    }
    for (size_t i = 0; i < sizeof separators && separator == '\0'; i++)
        if (memchr(text.ptr, separators[i], text.len) != NULL)
            separator = separators[i];
    if (separator == '\0' && memchr(text.ptr, ' ', text.len) != NULL)
        not_a(r, name, "a list: blanks may be in a tag or between two");
    while (span_cut(&rest, separator, &tag))
        add_tag(out, tag);
}

static struct span read_tags(struct reading *r, const struct json_value *value, struct span name)
{
    AT_END(buf_clear) struct buf out = {0};
    struct span text = value->text, tag;

    if (value->type == JSON_ARRAY && value->json != NULL)
        add_tag_list(r, &out, value->json, name);
    else if (value->type == JSON_ARRAY) /* of strings without escapes: what is between quotes */
        for (bool within = false; span_cut(&text, '"', &tag); within = !within)
            add_tag(&out, within ? tag : (struct span){0});
    else if (value->type == JSON_STRING && text.len > 0)
        add_tag_text(r, &out, text, name);
    else if (value->type != JSON_STRING)
        not_a(r, name, "a list of strings");
    if (out.len > 0)
        buf_add_char(&out, ']');
    return out.len > 0 ? arena_copy(&r->arena, buf_span(&out)) : (struct span){0};
}

/* --- sites --- */

static struct span without_scheme(struct span url)
{
    size_t scheme = span_find(url, SPAN("://"));

    return scheme == SIZE_MAX ? url : (struct span){url.ptr + scheme + 3, url.len - scheme - 3};
}

/* "https://host/owner/name/issues/7" as "host/owner/name". */
static struct span project_of(struct reading *r, struct span url)
{
    static const char *const within[] = {"/-/", "/issues/", "/pull/", "/discussions/", "/merge_requests/", "/browse/"};
    struct span api = SPAN("api.github.com/repos/"), site = without_scheme(url);

    for (size_t i = 0; i < ARRAY_LEN(within); i++) {
        size_t at = span_find(site, span_of(within[i]));
        if (at != SIZE_MAX)
            site.len = at;
    }
    while (site.len > 0 && site.ptr[site.len - 1] == '/')
        site.len--;
    if (!span_starts(site, api))
        return site;
    return arena_addf(&r->arena, "github.com/%.*s", (int)(site.len - api.len), site.ptr + api.len);
}

/* The API's name of a site: "stackoverflow", "ru.stackoverflow", "datascience", "mathoverflow.net". */
static struct span stack_site(struct reading *r, struct span name)
{
    static const char *const own_domain[] = {"stackoverflow", "serverfault", "superuser",
                                             "askubuntu",     "stackapps",   "stackexchange"};
    struct span last, rest = project_of(r, name), part;

    name = last = rest;
    while (span_cut(&rest, '.', &part))
        last = part;
    if (span_eq(last, SPAN("com")) || span_eq(last, SPAN("net")))
        return name;
    return arena_addf(&r->arena, "%.*s%s", (int)name.len, name.ptr,
                      span_eq(name, SPAN("mathoverflow"))                    ? ".net"
                      : span_is_any(last, own_domain, ARRAY_LEN(own_domain)) ? ".com"
                                                                             : ".stackexchange.com");
}

static struct span read_site(struct reading *r, struct span text, enum form_as as)
{
    struct span site = as == AS_STACK_SITE ? stack_site(r, text)
                       : as == AS_HOST     ? without_scheme(text)
                                           : project_of(r, text);
    const char *slash = as == AS_HOST && site.ptr != NULL ? memchr(site.ptr, '/', site.len) : NULL;

    if (slash != NULL)
        site.len = (size_t)(slash - site.ptr);
    return site.len > 0 ? site : (struct span){0};
}

/* --- rules --- */

static void *at(struct taken *t, const struct form_rule *rule)
{
    return (char *)t + rule->to;
}

static void read_whole(struct reading *r, struct taken *t, const struct form_rule *rule, const struct json_value *value,
                       struct span name)
{
    int64_t *to = at(t, rule), down, limit = INT64_C(1) << 53;
    bool is_flag = value->type == JSON_TRUE || value->type == JSON_FALSE;

    switch (rule->as) {
    case AS_MINUS:
        down = read_number(r, value, name);
        *to = *to >= 0 && *to < limit && down >= 0 && down < limit ? *to - down : POST_ABSENT;
        break;
    case AS_TYPE_NAME:
        *to = post_type_of(read_text(r, value, name));
        if (*to == POST_ABSENT)
            not_a(r, name, "one of docs/posts.md");
        break;
    case AS_LAST_NUMBER:
        if (*to == POST_ABSENT) {
            struct span text = read_text(r, value, name);
            size_t digits = text.len;
            int64_t number = POST_ABSENT;

            while (digits > 0 && isdigit((unsigned char)text.ptr[digits - 1]))
                digits--;
            if (!span_i64((struct span){text.ptr + digits, text.len - digits}, &number))
                not_a(r, name, "a link that ends in a number");
            *to = number;
        }
        break;
    case AS_FLAG:
        if (!is_flag)
            not_a(r, name, "true or false");
        *to = value->type == JSON_TRUE;
        break;
    case AS_SKIP:
        if (!is_flag)
            not_a(r, name, "true or false");
        r->skipped = r->skipped || value->type == JSON_TRUE;
        break;
    case AS_VERSION: /* another one may mean other things by the same names */
        if (read_number(r, value, name) != POST_JSON_VERSION)
            r->why = "a version of the form that is not known (\"v\" is not 1)";
        break;
    default:
        if (*to == POST_ABSENT)
            *to = read_number(r, value, name);
        if (rule->as == AS_TYPE && post_type_name(*to) == NULL && (*to < 1 || *to > 64))
            not_a(r, name, "the number of a type of post");
    }
}

static struct span read_words(struct reading *r, const struct json_value *value, struct span name, enum form_as as)
{
    struct span text = read_text(r, value, name);

    switch (as) {
    case AS_PLAIN:
        return api_unescape(&r->arena, text);
    case AS_PLAIN_MARKDOWN:
        return read_markdown(r, api_unescape(&r->arena, text));
    case AS_MARKDOWN:
        return read_markdown(r, text);
    case AS_LINES:
        return read_lines(r, text);
    case AS_SITE:
    case AS_HOST:
    case AS_STACK_SITE:
        return read_site(r, text, as);
    case AS_HTML: /* of a row or item; what is stored is not what people wrote */
        if ((span_eq(name, SPAN("Body")) || span_eq(name, SPAN("body"))) &&
            (span_starts(text, SPAN("&lt;p&gt;")) || span_starts(text, SPAN("&lt;pre"))))
            not_a(r, name, "HTML as a site has it: it was escaped once more");
        return text;
    default:
        return text;
    }
}

/* The value is of the member `name`; with JSON_NULL there is none, but for a member that is null. */
static void read_value(struct reading *r, struct taken *t, const struct form_rule *rule, const struct json_value *value,
                       struct span name, bool is_null)
{
    struct span text = value->text, *to = at(t, rule);
    /* How tables write that there is none of a date or number, of which a text is none. */
    bool says_none = value->type == JSON_STRING && rule->as < AS_TEXT &&
                     (text.len == 0 || csv_is_na(text) || span_eq(text, SPAN("\\N")));

    if (value->type == JSON_NULL || says_none) {
        if (rule->as == AS_MINUS)
            *(int64_t *)at(t, rule) = POST_ABSENT;
        if (rule->as == AS_MARKDOWN && r->null_is_empty && is_null)
            *to = SPAN("");
    } else if (rule->as <= AS_VERSION) {
        /* Of a count, a list of what is counted is none. */
        if (rule->to != offsetof(struct taken, post.answer_count) || value->type != JSON_ARRAY)
            read_whole(r, t, rule, value, name);
    } else if (rule->as == AS_TAGS) {
        *to = read_tags(r, value, name);
    } else if (rule->as != AS_LIST && rule->as <= AS_EPOCH) {
        *to = read_date(r, value, name, rule->as);
    } else if (rule->as != AS_LIST && to->ptr == NULL) {
        *to = read_words(r, value, name, rule->as);
    }
}

/* --- which form --- */

static bool has_one(const json_t *object, struct span names)
{
    struct span name;

    while (span_cut(&names, '|', &name)) /* null too: it is a member */
        if (json_object_getn(object, name.ptr, name.len) != NULL)
            return true;
    return false;
}

/* The first missing or forbidden member; len 0: it is this form. *n: how many before it are right. */
static struct span missing(const char *known, const json_t *object, size_t *n)
{
    struct span rest = span_of(known), one;

    for (*n = 0; span_cut(&rest, ' ', &one); ++*n) {
        bool wanted = *one.ptr != '!';
        if (has_one(object, (struct span){one.ptr + !wanted, one.len - !wanted}) != wanted)
            return one;
    }
    return (struct span){0};
}

static bool has_rule(const struct form *form, const char *member)
{
    struct span name;

    for (const struct form_rule *rule = form->rules; rule->from != NULL; rule++) {
        if (strstr(rule->from, member) == NULL) /* fast: each member of a record is looked for */
            continue;
        struct span names = span_of(rule->from);
        while (span_cut(&names, '|', &name))
            if (span_eq(name, span_of(member)))
                return true;
    }
    return strcmp(member, "hits") == 0;
}

static bool has_unknown_member(const struct form *form, json_t *object)
{
    const char *member;
    json_t *value;

    if (form->closed || (form->texts != NULL && !has_one(object, span_of(form->texts))))
        json_object_foreach(object, member, value)
            if (!has_rule(form, member))
                return true;
    return false;
}

/* NULL, and r->why with the nearest one, where it is none. */
static const struct form *find_form(struct reading *r, json_t *object)
{
    const struct form *nearest = NULL;
    size_t n, most = 0;
    struct span lacks, nearest_lacks = {0};

    for (size_t i = 0; i < n_forms; i++) {
        lacks = missing(forms[i].known, object, &n);
        if (lacks.len == 0 && !has_unknown_member(&forms[i], object))
            return &forms[i];
        if (lacks.len == 0 && forms[i].texts != NULL)
            lacks = span_of(forms[i].texts);
        if (n >= most && n > 0 && lacks.len > 0 && *lacks.ptr != '!') {
            most = n; /* of two that are as near, the more general */
            nearest = &forms[i];
            nearest_lacks = lacks;
        }
    }
    AT_END(buf_clear) struct buf words = {0};
    struct span name;

    while (span_cut(&nearest_lacks, '|', &name))
        buf_addf(&words, "%s%.*s", words.len > 0 ? " or " : "", SPAN_ARG(name));
    if (nearest == NULL)
        r->why = json_object_get(object, "post_id") == NULL ? "no form that is known: no id, and no member that tells "
                                                              "what it is; see docs/posts.md"
                                                            : "no form that is known; see docs/posts.md";
    else
        r->why = arena_addf(&r->arena, "no form that is known; nearest: %s, which has %s%s", nearest->name,
                            buf_cstr(&words),
                            strstr(nearest->name, "docs/posts.md") != NULL
                                ? ""
                                : "; ours has post_id, title, body: see docs/posts.md")
                     .ptr;
    return NULL;
}

/* The form of what Perceval fetched. */
static const struct form *find_backend(const json_t *item)
{
    struct span name = json_text(item, "backend_name"), category = json_text(item, "category"), word;

    for (size_t i = 0; i < n_forms; i++) {
        struct span rest = span_of(forms[i].backend);
        if (!span_cut(&rest, ' ', &word) || !span_eq(word, name))
            continue;
        while (span_cut(&rest, ' ', &word))
            if (category.ptr == NULL || span_eq(word, category))
                return &forms[i];
    }
    return NULL;
}

/* --- objects --- */

static void refuse(const struct reading *r, int64_t id, const char *why)
{
    if (r->reader->refused != NULL)
        r->reader->refused(r->reader->ctx, id > 0 ? id : 0, why);
}

#define ROW_IDS INT64_C(100000000000)
enum { ROW_COMMENTS = 1, ROW_DISCUSSIONS = 4 };

static bool is_id(int64_t id)
{
    return id >= 1 && id <= POST_LONG_ID_MAX;
}

/* Ids that are counted by themselves get numbers of their own. */
static void place_id(struct reading *r, const struct form *form, struct taken *t)
{
    int64_t row = form->row;

    if (row == ROW_COMMENTS && span_has(t->post.url, "#discussioncomment-"))
        row = ROW_DISCUSSIONS;
    if (t->post.post_id > POST_LONG_ID_MAX)
        r->why = "its id is too large: the largest is 9007199254740991";
    else if (!is_id(t->post.post_id) || (row > 0 && t->post.post_id >= ROW_IDS))
        r->why = form->type == POST_ANSWER || form->type == FORM_COMMENT
                     ? arena_addf(&r->arena, "%s without an id", form->name).ptr
                     : "no id (a number from 1 to 9007199254740991)";
    else
        t->post.post_id += row * ROW_IDS;
}

/* Ids of other posts and of people. Where a table has no gaps, 0 is one. */
static void check_ids(struct reading *r, struct post *post)
{
    int64_t *const posts[] = {&post->parent_id, &post->accepted_answer_id};
    const int64_t people[] = {post->owner_user_id, post->last_editor_user_id};

    for (size_t i = 0; i < ARRAY_LEN(posts); i++) {
        if (*posts[i] == 0)
            *posts[i] = POST_ABSENT;
        if (*posts[i] != POST_ABSENT && !is_id(*posts[i]))
            r->why = i == 0 ? "the id of its parent is not an id" : "the id of its accepted answer is not an id";
    }
    for (size_t i = 0; i < ARRAY_LEN(people); i++)
        if (people[i] != POST_ABSENT && (people[i] > POST_LONG_ID_MAX || people[i] < -POST_LONG_ID_MAX))
            r->why = "the id of who wrote it is too large";
}

static void place_type(struct reading *r, const struct form *form, struct post *post)
{
    if (form->type != FORM_ANY_TYPE)
        post->type = form->type;
    else if (post->type == POST_ABSENT && post->parent_id != POST_ABSENT)
        post->type = POST_ANSWER;
    else if (post->type == POST_ABSENT && (form->rules[1].as != AS_TYPE || post->title.len > 0))
        post->type = POST_QUESTION;
    if (post->type == POST_ABSENT)
        r->why = arena_addf(&r->arena, "neither %s nor a parent nor a title: it may be a question or an answer",
                            form->rules[1].from)
                     .ptr;
    if (post->type == POST_ANSWER && csv_is_na(post->title)) /* in a table */
        post->title = (struct span){0};
    if (form->type == POST_ANSWER && r->why == NULL && !is_id(post->parent_id))
        r->why = arena_addf(&r->arena, "%s without the id of its question", form->name).ptr;
}

enum status form_tell_author(const struct api_reader *reader, const struct api_author *author, struct err *e)
{
    return author->user_id == POST_ABSENT || reader->author == NULL ? ST_OK : reader->author(reader->ctx, author, e);
}

enum status form_tell_comment(const struct api_reader *reader, const struct taken *t, struct err *e)
{
    struct api_comment c = {
        .site = t->post.site,
        .comment_id = t->post.post_id,
        .post_id = t->post.parent_id,
        .user_id = t->post.owner_user_id,
        .reply_to_user_id = t->reply_to,
        .user_display_name = t->post.owner_display_name,
        .score = t->post.score,
        .edited = t->edited,
        .created_at = t->post.created_at,
        .deleted_at = t->post.deleted_at,
        .content_license = t->post.content_license,
        .body_html = t->post.body_html,
    };

    return reader->comment != NULL ? reader->comment(reader->ctx, &c, e) : ST_OK;
}

enum { LINK_LINKED = 1, LINK_DUPLICATE = 3 };

static enum status MUST_USE tell(struct reading *r, const struct form *form, const struct taken *t)
{
    const struct post *post = &t->post;
    enum status status = ST_OK;

    if (form->authors || form->type == FORM_AUTHOR)
        status = form_tell_author(
            r->reader, &(struct api_author){post->site, post->owner_user_id, post->owner_display_name, t->author_link},
            r->e);
    if (form->authors && status == ST_OK)
        status = form_tell_author(
            r->reader,
            &(struct api_author){post->site, post->last_editor_user_id, post->last_editor_display_name, t->editor_link},
            r->e);
    if (form->type == FORM_AUTHOR || status != ST_OK)
        return status;
    if (form->type == FORM_LINK)
        return r->reader->link(
            r->reader->ctx,
            &(struct api_link){post->post_id, post->parent_id, post->type == LINK_DUPLICATE, post->created_at}, r->e);
    return form->type == FORM_COMMENT ? form_tell_comment(r->reader, t, r->e)
                                      : r->reader->post(r->reader->ctx, post, r->e);
}

static void check(struct reading *r, const struct form *form, struct taken *t)
{
    if (r->why != NULL || r->skipped)
        return;
    if (form->type == FORM_AUTHOR) {
        r->why = t->post.owner_user_id == POST_ABSENT ? "an author without an id" : NULL;
        return;
    }
    if (t->post.site.len == 0)
        t->post.site = (struct span){0};
    if (form->tracker && t->post.site.ptr == NULL && r->file != NULL && r->file->is_of_stack) {
        r->why = arena_addf(&r->arena, "%s that does not say where it is from (no link); give --site", form->name).ptr;
        return;
    }
    check_ids(r, &t->post);
    if (r->why == NULL)
        place_id(r, form, t);
    if (r->why != NULL)
        return;
    if (form->type >= FORM_ANY_TYPE)
        place_type(r, form, &t->post);
    else if (form->type == FORM_LINK && t->post.type != LINK_LINKED && t->post.type != LINK_DUPLICATE)
        r->why = "a link whose LinkTypeId is neither 1 nor 3";
    else if (!is_id(t->post.parent_id))
        r->why = form->type == FORM_LINK ? "a link without the id of the other post"
                                         : "a comment without the id of its post";
    if (form->licensed && t->post.content_license.len == 0 && t->post.created_at.ptr != NULL)
        t->post.content_license = post_license_at(t->post.created_at);
}

static struct taken begin(struct reading *r, const struct form *form)
{
    r->why = NULL;
    r->skipped = false;
    r->is_comment = form->type == FORM_COMMENT;
    r->null_is_empty = form->type != FORM_ANY_TYPE;
    return (struct taken){.post = post_empty(), .edited = POST_ABSENT, .reply_to = POST_ABSENT};
}

/* What the rules took is told, or refused, which *told says. */
static enum status MUST_USE finish(struct reading *r, const struct form *form, struct taken *t,
                                   const struct post *parent, bool *told)
{
    if (parent != NULL) {
        t->post.site = parent->site;
        if (t->post.parent_id == POST_ABSENT)
            t->post.parent_id = parent->post_id;
    }
    r->skipped = r->skipped || (form->needs_text && t->post.body_html.len == 0);
    check(r, form, t);
    *told = !r->skipped && r->why == NULL;
    if (r->why != NULL && !r->skipped)
        refuse(r, parent != NULL ? parent->post_id : t->post.post_id, r->why);
    return *told ? tell(r, form, t) : ST_OK;
}

/* --- what is not read --- */

/* Names, once each. */
static void note_unread(struct buf *names, struct span within, struct span name)
{
    enum { UNREAD_BYTES_MAX = 200 };
    struct span rest = buf_span(names), told;
    AT_END(buf_clear) struct buf whole = {0};

    buf_addf(&whole, "%.*s%s%.*s", SPAN_ARG(within), within.len > 0 ? "." : "", SPAN_ARG(name));
    while (span_cut(&rest, ',', &told))
        if (span_eq(span_trim(told), buf_span(&whole)))
            return;
    if (names->len < UNREAD_BYTES_MAX)
        buf_addf(names, "%s%.*s", names->len > 0 ? ", " : "", SPAN_ARG(buf_span(&whole)));
}

/* Of {"node": {…}}, as an edge of GraphQL is written, what is in it. */
static json_t *element_at(const json_t *list, size_t place)
{
    json_t *element = json_array_get(list, place), *node = json_object_get(element, "node");

    return json_is_object(node) ? node : element;
}

/* A list of objects of which one has a text. */
static bool is_list_of_texts(const json_t *value)
{
    static const char texts[] = "body|body_html|bodyHTML|bodyText|body_markdown|text|cooked|raw|note|message|comment";

    for (size_t i = 0; i < json_array_size(value); i++)
        if (json_string_length(form_at(element_at(value, i), texts, NULL)) > 0)
            return true;
    return false;
}

static bool is_list_of(const struct form *form, struct span path)
{
    struct span one;

    for (const struct form_rule *rule = form->rules; rule->from != NULL; rule++)
        for (struct span paths = span_of(rule->from); rule->as == AS_LIST && span_cut(&paths, '|', &one);)
            if (span_eq(one, path))
                return true;
    return false;
}

/* Lists of texts that no rule takes, such as comments by another name. */
static void note_lists(struct reading *r, const struct form *form, json_t *object, struct span within, struct span path)
{
    enum { DEPTH_MAX = 200 }; /* bytes */
    const char *member;
    json_t *value;

    json_object_foreach(object, member, value) {
        bool is_list = is_list_of_texts(value);
        if (!is_list && !json_is_object(value))
            continue;
        struct span at = arena_addf(&r->arena, "%.*s%s%s", SPAN_ARG(path), path.len > 0 ? "." : "", member);
        if (is_list && !is_list_of(form, at))
            note_unread(&r->file->unread_lists, within, at);
        else if (!is_list && at.len < DEPTH_MAX)
            note_lists(r, form, value, within, at);
    }
}

/* Names unknown members: all, in a file that somebody wrote for us; only lists of texts in other programs' answers,
 * which have many members that no post has. */
static void note_members(struct reading *r, const struct form *form, json_t *object, struct span within)
{
    const char *member;
    json_t *value;

    if (r->file == NULL)
        return;
    if (r->file->family == NULL || strcmp(r->file->family, OWN_FAMILY) != 0) {
        note_lists(r, form, object, within, (struct span){0});
        return;
    }
    json_object_foreach(object, member, value)
        if (!r->is_versioned && !json_is_null(value) && !has_rule(form, member))
            note_unread(&r->file->unread, within, span_of(member));
}

/* --- an object and its lists --- */

static enum status read_object(struct reading *r, const struct form *form, json_t *object, const struct post *parent,
                               struct span within);

static enum status MUST_USE read_list(struct reading *r, const struct form_rule *rule, json_t *object,
                                      const struct post *post, int64_t given_id, struct span within)
{
    struct span name = {0};
    const json_t *list = form_at(object, rule->from, &name);
    json_t *around = json_object_getn(object, rule->from, strcspn(rule->from, ".|"));
    const json_t *all = json_object_get(around, "stream"); /* the ids of all posts of a topic */
    bool is_part = json_is_true(form_at(around, "pageInfo.hasNextPage", NULL)) ||
                   json_number(around, "totalCount") > (int64_t)json_array_size(list) ||
                   json_array_size(all) > json_array_size(list);
    enum status status = ST_OK;

    if (is_part && r->file != NULL)
        refuse(r, given_id, "not all of its comments are in the file: ask for their next page, too");
    if (json_array_size(list) > 0)
        within = arena_addf(&r->arena, "%.*s%s%.*s", SPAN_ARG(within), within.len > 0 ? "." : "", SPAN_ARG(name));
    for (size_t n = 0; n < json_array_size(list) && status == ST_OK; n++)
        status = read_object(r, rule->each, element_at(list, n), post, within);
    return status;
}

/* `parent`: the post that the object is in a list of, which is `within`; NULL for none. What cannot be used is refused
 * with its lists; an element of a list does not make its post unusable. */
static enum status read_object(struct reading *r, const struct form *form, json_t *object, const struct post *parent,
                               struct span within)
{
    struct taken t = begin(r, form);
    bool told;

    if (parent == NULL)
        r->is_versioned = json_object_get(object, "v") != NULL;
    note_members(r, form, object, within);
    if (form->prepare != NULL)
        form->prepare(object);
    for (const struct form_rule *rule = form->rules; rule->from != NULL; rule++) {
        struct span name = {0};
        struct json_value value = json_value_of(form_at(object, rule->from, &name));
        read_value(r, &t, rule, &value, name,
                   rule->as == AS_MARKDOWN && json_is_null(json_object_get(object, rule->from)));
    }
    enum status status = finish(r, form, &t, parent, &told);
    if (!told)
        return status;
    int64_t given_id = t.post.post_id;
    if (parent != NULL && form->type == POST_ANSWER && form->row > 0) /* replies are answers to the question */
        t.post.post_id = parent->post_id;
    for (const struct form_rule *rule = form->rules; rule->from != NULL; rule++)
        if (rule->as == AS_LIST && status == ST_OK)
            status = read_list(r, rule, object, &t.post, given_id, within);
    return status;
}

/* --- records --- */

static enum status MUST_USE check_family(struct reading *r, const char *family)
{
    struct ndjson_file *file = r->file;

    if (file == NULL)
        return ST_OK;
    if (file->family == NULL)
        file->family = family;
    if (strcmp(file->family, family) == 0)
        return ST_OK;
    return err_set(r->e, ST_INPUT,
                   "line %llu: the file has %s before it, and %s from here on; split it, and load"
                   " each by itself",
                   (unsigned long long)file->line, file->family, family);
}

static enum status read_known(struct reading *r, json_t *object);

static enum status MUST_USE read_within(struct reading *r, const struct form *form, const json_t *object)
{
    struct span rest = span_of(form->within), one;
    enum status status = ST_OK;
    char path[64];
    bool any = false;

    while (status == ST_OK && span_cut(&rest, ' ', &one)) {
        snprintf(path, sizeof path, "%.*s", (int)one.len, one.ptr);
        json_t *inner = form_at(object, path, NULL);
        struct reading part = {.reader = r->reader, .e = r->e}; /* of the family of events */
        if (!json_is_object(inner))
            continue;
        any = true;
        status = read_known(&part, inner);
        arena_clear(&part.arena);
    }
    if (!any)
        refuse(r, 0, "an event that is not of an issue, a pull request or a comment");
    return status;
}

static const char *not_asked_for(const struct reading *r, const struct form *form)
{
    if (form->type == FORM_COMMENT && r->reader->comment == NULL)
        return "a comment, and only posts are matched";
    return form->type == FORM_LINK && r->reader->link == NULL ? "a link, and only posts are matched" : NULL;
}

static bool has_other_names(const json_t *object)
{
    return json_object_get(object, "@Id") != NULL || json_object_get(object, "posttypeid") != NULL ||
           json_object_get(object, "creationdate") != NULL;
}

static enum status read_known(struct reading *r, json_t *object)
{
    if (has_other_names(object)) {
        /* "@Id" as Id: programs that read XML write its attributes so; databases write posttypeid. */
        json_t *value, *plain = json_object();
        const char *name;

        json_object_foreach(object, name, value) {
            if (*name == '@')
                json_object_set(plain, name + 1, value);
            for (size_t i = 0; i < n_forms; i++)
                for (const struct form_rule *rule = forms[i].rules; rule != NULL && rule->from != NULL; rule++)
                    if (isupper((unsigned char)*rule->from) && strcasecmp(name, rule->from) == 0)
                        json_object_set(plain, rule->from, value);
        }
        json_object_update_missing(object, plain);
        json_decref(plain);
    }
    const struct form *form = find_form(r, object);
    enum status status = form != NULL ? check_family(r, form->family) : ST_OK;

    if (status != ST_OK)
        return status;
    if (form == NULL || form->refused != NULL)
        refuse(r, json_number(object, "id"), form == NULL ? r->why : form->refused);
    else if (not_asked_for(r, form) != NULL)
        refuse(r, 0, not_asked_for(r, form));
    else if (form->within != NULL)
        return read_within(r, form, object);
    else
        return read_object(r, form, object, NULL, (struct span){0});
    return ST_OK;
}

static bool is_known_by(const json_t *object, const char *known)
{
    size_t n;

    return missing(known, object, &n).len == 0;
}

static enum status MUST_USE read_elements(struct reading *r, json_t *list)
{
    enum status status = ST_OK;
    json_t *element;
    size_t n;

    if (!json_is_array(list))
        return read_known(r, list);
    json_array_foreach(list, n, element) {
        json_t *node = form_at(element, "node|row", NULL);
        struct reading one = {.reader = r->reader, .file = r->file, .e = r->e};
        if (!json_is_object(element))
            refuse(&one, 0, "an element of a list that is not an object");
        else if (status == ST_OK)
            status = read_known(&one, json_is_object(node) ? node : element);
        arena_clear(&one.arena);
    }
    return status;
}

static enum status read_root(struct reading *r, json_t *root)
{
    if (json_is_string(json_object_get(root, "backend_name")) && json_object_get(root, "data") != NULL) {
        const struct form *form = find_backend(root);
        json_t *data = json_object_get(root, "data"), *origin = json_object_get(root, "origin");
        if (form == NULL) {
            refuse(r, 0,
                   "an item of Perceval that is not of StackExchange, GitHub, GitLab, Discourse, Jira or"
                   " Bugzilla, or neither question, issue, pull request, topic nor bug");
            return ST_OK;
        }
        if (!json_is_object(data) || json_string_length(origin) == 0) {
            refuse(r, 0, "an item of Perceval without data or origin");
            return ST_OK;
        }
        json_object_set(data, "perceval_origin", origin);
        enum status status = check_family(r, form->family);
        return status == ST_OK ? read_object(r, form, data, NULL, (struct span){0}) : status;
    }
    for (size_t i = 0; i < n_form_wrappers; i++) {
        json_t *list = form_at(root, form_wrappers[i].list, NULL);
        if (list != NULL && is_known_by(root, form_wrappers[i].known))
            return read_elements(r, list);
    }
    /* What says that there are no posts. */
    struct span text = json_text(root, "error_message");

    if (text.ptr == NULL && json_object_get(root, "documentation_url") != NULL)
        text = json_text(root, "message");
    if (text.ptr == NULL)
        text = json_text(form_at(root, "errors.0", NULL), "message");
    if (text.ptr == NULL)
        return read_known(r, root);
    refuse(r, 0,
           arena_addf(&r->arena, "an error that was answered in place of posts: %.*s",
                      (int)(text.len < 200 ? text.len : 200), text.ptr)
               .ptr);
    return ST_OK;
}

/* --- records like one that was read --- */

/* Which member a rule takes, of all records that have the same members in the same order. */
struct plan_step {
    const struct form_rule *rule;
    size_t member; /* SIZE_MAX: none is there, which AS_MINUS has to know */
    bool is_whole; /* the rule has no other name */
};
struct plan {
    const struct form *form; /* NULL: such records are read one by one */
    struct ARRAY_OF(struct plan_step) steps;
};

#define MAP_NAME plan_map
#define MAP_KEY struct span
#define MAP_VALUE struct plan
#include "base/map.h"

/* Orders of members are few, unless somebody wants to fill the memory. */
enum { PLANS_MAX = 1000 };

struct form_plans {
    struct json_flat flat;
    struct plan_map known;
    struct arena arena, of_record;
};

/* What decides how a record is read must be its names alone. */
static const struct form *form_by_names(struct form_plans *plans, json_t *root)
{
    static const char *const others[] = {"backend_name", "error_message", "documentation_url", "errors"};
    struct reading r = {.reader = &(struct api_reader){0}, .arena = plans->of_record};
    bool by_names = !has_other_names(root) && json_object_size(root) == plans->flat.members.n;

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        by_names = by_names && json_object_get(root, others[i]) == NULL;
    for (size_t i = 0; i < n_form_wrappers; i++)
        by_names = by_names && !is_known_by(root, form_wrappers[i].known);
    const struct form *form = by_names ? find_form(&r, root) : NULL;
    plans->of_record = r.arena;
    return form == NULL || form->refused != NULL || form->within != NULL || form->prepare != NULL ? NULL : form;
}

void ndjson_say_unread(struct ndjson_file *file, const char *name)
{
    if (file->unread.len > 0)
        log_warn("%s: these members are not of the form of docs/posts.md, and are not read: %s", name,
                 buf_cstr(&file->unread));
    if (file->unread_lists.len > 0)
        log_warn("%s: these lists have texts, and are not read: %s", name, buf_cstr(&file->unread_lists));
}

static void plan_for(struct form_plans *plans, json_t *root)
{
    struct plan_map_entry *entry;
    struct span name;

    if (plans->known.n >= PLANS_MAX || !plan_map_add(&plans->known, buf_span(&plans->flat.names), &entry))
        return;
    entry->key = arena_copy(&plans->arena, entry->key);
    entry->value.form = form_by_names(plans, root);
    if (entry->value.form == NULL)
        return;
    for (const struct form_rule *rule = entry->value.form->rules; rule->from != NULL; rule++) {
        struct span names = span_of(rule->from);
        size_t before = entry->value.steps.n;
        while (span_cut(&names, '|', &name)) {
            struct plan_step step = {rule, 0, name.len == strlen(rule->from)};
            while (step.member < plans->flat.members.n && !span_eq(plans->flat.members.at[step.member].name, name))
                step.member++;
            if (step.member < plans->flat.members.n)
                array_add(&entry->value.steps, step);
        }
        if (rule->as == AS_MINUS && entry->value.steps.n == before)
            array_add(&entry->value.steps, (struct plan_step){.rule = rule, .member = SIZE_MAX});
    }
}

static enum status MUST_USE read_planned(struct reading *r, const struct plan *plan, const struct json_flat *flat)
{
    static const struct json_value none = {.type = JSON_NULL};
    enum status status = check_family(r, plan->form->family);
    struct taken t = begin(r, plan->form);
    bool told;

    if (status != ST_OK)
        return status;
    if (not_asked_for(r, plan->form) != NULL) {
        refuse(r, 0, not_asked_for(r, plan->form));
        return ST_OK;
    }
    for (size_t i = 0, next; i < plan->steps.n; i = next) {
        const struct plan_step *step = &plan->steps.at[i];
        const struct json_value *value = &none;
        struct span name = {0};
        for (next = i; next < plan->steps.n && plan->steps.at[next].rule == step->rule; next++) {
            size_t member = plan->steps.at[next].member;
            if (member == SIZE_MAX || value->type != JSON_NULL)
                continue;
            value = &flat->members.at[member].value;
            name = flat->members.at[member].name;
        }
        read_value(r, &t, step->rule, value, name, step->is_whole);
    }
    return finish(r, plan->form, &t, NULL, &told);
}

/* Reads a record with the members of an earlier one, in the same order; otherwise sets *plan_it, so that the next such
 * record can be. */
static bool read_like(struct form_plans *plans, struct span record, struct reading *r, bool *plan_it,
                      enum status *status)
{
    *plan_it = json_read_flat(&plans->flat, record);
    struct plan_map_entry *entry = *plan_it ? plan_map_find(&plans->known, buf_span(&plans->flat.names)) : NULL;
    if (entry == NULL || entry->value.form == NULL)
        return false;
    for (size_t i = 0; i < entry->value.steps.n; i++) {
        const struct plan_step *step = &entry->value.steps.at[i];
        if (step->rule->as == AS_LIST && span_trim(plans->flat.members.at[step->member].value.text).len > 0)
            return false; /* a list of posts or comments has to be read with its elements */
    }
    arena_reset(&plans->of_record);
    r->arena = plans->of_record;
    *status = read_planned(r, &entry->value, &plans->flat);
    plans->of_record = r->arena;
    return true;
}

void ndjson_file_clear(struct ndjson_file *file)
{
    struct form_plans *plans = file->plans;

    file->plans = NULL;
    buf_clear(&file->unread);
    buf_clear(&file->unread_lists);
    if (plans == NULL)
        return;
    for (size_t i = 0; i < plans->known.n; i++)
        array_clear(&plans->known.at[i].value.steps);
    plan_map_clear(&plans->known);
    json_flat_clear(&plans->flat);
    arena_clear(&plans->arena);
    arena_clear(&plans->of_record);
    mem_free(plans);
}

#define PYTHON "no JSON object, but a dict as Python prints it; json.dumps writes JSON"

enum status ndjson_read(struct span record, const struct api_reader *reader, struct ndjson_file *file, struct err *e)
{
    bool invalid_utf8, plan_it = false;
    enum status status = ST_OK;

    if (file != NULL && file->plans == NULL)
        file->plans = mem_zero(1, sizeof *file->plans);
    if (file != NULL &&
        read_like(file->plans, record, &(struct reading){.reader = reader, .file = file, .e = e}, &plan_it, &status))
        return status;
    json_t *root = json_read(record, &invalid_utf8);
    if (plan_it && json_is_object(root))
        plan_for(file->plans, root);
    /* Or several objects without a line between them, as `gh api --paginate` writes pages. */
    for (record.len = root != NULL ? 0 : record.len; root != NULL || record.len > 0; record = span_trim(record)) {
        struct reading r = {.reader = reader, .file = file, .e = e};
        if (root == NULL)
            root = json_read_first(&record);
        if (json_is_object(root))
            status = read_root(&r, root);
        else if (json_is_array(root))
            status = read_elements(&r, root);
        else
            refuse(&r, 0, invalid_utf8 ? "invalid UTF-8" : span_starts(record, SPAN("{'")) ? PYTHON : "no JSON object");
        record.len = json_is_object(root) || json_is_array(root) ? record.len : 0;
        arena_clear(&r.arena);
        json_decref(root);
        root = NULL;
        if (status != ST_OK)
            break;
    }
    return status;
}
