/* Answers of the API. Every field may be absent ("the API makes a best effort to fill all fields"), so an item is
 * unusable only without what a post needs: its id, and an answer's question. */
#include "base/files.h"
#include "base/utf8.h"
#include "fetch/forms.h"
#include "fetch/json.h"
#include "fetch/row.h"

struct api_answer {
    json_t *root;
    const json_t *items;
};

/* --- the document --- */

bool api_answer_read(struct api_answer **out, struct span bytes, const char **why)
{
    static const struct span mark = {"\xef\xbb\xbf", 3};

    *out = NULL;
    if (span_starts(bytes, mark))
        bytes = (struct span){bytes.ptr + mark.len, bytes.len - mark.len};
    bool invalid_utf8 = false;
    json_t *root = bytes.len > 0 ? json_read(bytes, &invalid_utf8) : NULL;
    if (invalid_utf8) { /* one byte must not make a hundred posts unreadable */
        AT_END(buf_clear) struct buf valid = {0};
        while (bytes.len > 0)
            buf_add_span(&valid, utf8_cut(&bytes));
        root = json_read(buf_span(&valid), NULL);
    }
    const json_t *items = json_object_get(root, "items");
    *why = root == NULL            ? "no JSON, or cut off"
           : !json_is_object(root) ? "JSON, but no object"
                                   : "an object without items and without an error";
    if (!json_is_array(items) && json_number(root, "error_id") <= 0) {
        json_decref(root);
        return false;
    }
    *out = mem_zero(1, sizeof **out);
    **out = (struct api_answer){root, json_is_array(items) ? items : NULL};
    return true;
}

void api_answer_free(struct api_answer *a)
{
    if (a == NULL)
        return;
    json_decref(a->root);
    mem_free(a);
}

size_t api_answer_items(const struct api_answer *a)
{
    return json_array_size(a->items);
}

bool api_answer_has_more(const struct api_answer *a)
{
    return json_is_true(json_object_get(a->root, "has_more"));
}

int64_t api_answer_number(const struct api_answer *a, size_t item, const char *field)
{
    return json_number(json_array_get(a->items, item), field);
}

struct span api_answer_text(const struct api_answer *a, size_t item, const char *field)
{
    return json_text(json_array_get(a->items, item), field);
}

bool api_answer_lists(const struct api_answer *a, size_t item, const char *field, const char *value)
{
    const json_t *list = json_object_get(json_array_get(a->items, item), field), *element;
    size_t i;

    json_array_foreach(list, i, element)
        if (json_is_string(element) && strcmp(json_string_value(element), value) == 0)
            return true;
    return false;
}

#define BACKOFF_MAX (INT64_C(30) * 86400)

struct api_wrapper api_answer_wrapper(const struct api_answer *a)
{
    int64_t backoff = json_number(a->root, "backoff"), error_id = json_number(a->root, "error_id");

    return (struct api_wrapper){
        .quota_max = json_number(a->root, "quota_max"),
        .quota_remaining = json_number(a->root, "quota_remaining"),
        .backoff = backoff <= 0            ? 0
                   : backoff < BACKOFF_MAX ? backoff
                                           : BACKOFF_MAX,
        .error_id = error_id > 0 ? error_id : 0,
        .error_name = json_text(a->root, "error_name"),
        .error_message = json_text(a->root, "error_message"),
    };
}

/* --- what a whole item has --- */

enum kind { NUMBER, DATE, TEXT, PLAIN, YES_OR_NO, TAGS, USER, ANSWERS, COMMENTS };

struct field {
    const char *name;                       /* NULL ends a table */
    enum kind kind;                         /* PLAIN: see plain_text */
    enum { OPTIONAL, MISSED, NEEDED } need; /* MISSED: every item has it, and a post can do without */
    size_t to;                              /* in struct taken, of what has no parts */
};

#define TO(member) offsetof(struct taken, post.member)
#define END \
    { \
        NULL, NUMBER, OPTIONAL, 0 \
    }

static const struct field user_fields[] = {
    {"user_id", NUMBER, OPTIONAL, 0},
    {"display_name", TEXT, OPTIONAL, 0},
    {"link", TEXT, OPTIONAL, 0},
    END,
};

/* clang-format off */
static const struct field comment_fields[] = {
    {"comment_id", NUMBER, NEEDED, TO(post_id)},              {"post_id", NUMBER, NEEDED, TO(parent_id)},
    {"creation_date", DATE, NEEDED, TO(created_at)},          {"body", TEXT, NEEDED, TO(body_html)},
    {"score", NUMBER, MISSED, TO(score)},                     {"edited", YES_OR_NO, MISSED, offsetof(struct taken, edited)},
    {"content_license", TEXT, OPTIONAL, TO(content_license)}, {"owner", USER, OPTIONAL, 0},
    {"reply_to_user", USER, OPTIONAL, 0},                     END,
};

static const struct field answer_fields[] = {
    {"answer_id", NUMBER, NEEDED, TO(post_id)},               {"question_id", NUMBER, NEEDED, TO(parent_id)},
    {"creation_date", DATE, NEEDED, TO(created_at)},          {"last_activity_date", DATE, NEEDED, TO(last_activity_at)},
    {"body", TEXT, NEEDED, TO(body_html)},                    {"score", NUMBER, MISSED, TO(score)},
    {"comment_count", NUMBER, MISSED, TO(comment_count)},     {"comments", COMMENTS, OPTIONAL, 0},
    {"last_edit_date", DATE, OPTIONAL, TO(last_edited_at)},   {"community_owned_date", DATE, OPTIONAL, TO(community_owned_at)},
    {"content_license", TEXT, OPTIONAL, TO(content_license)}, {"owner", USER, OPTIONAL, 0},
    {"last_editor", USER, OPTIONAL, 0},                       END,
};

static const struct field question_fields[] = {
    {"question_id", NUMBER, NEEDED, TO(post_id)},             {"creation_date", DATE, NEEDED, TO(created_at)},
    {"last_activity_date", DATE, NEEDED, TO(last_activity_at)}, {"title", PLAIN, NEEDED, TO(title)},
    {"body", TEXT, NEEDED, TO(body_html)},                    {"tags", TAGS, NEEDED, TO(tags)},
    {"score", NUMBER, MISSED, TO(score)},                     {"view_count", NUMBER, MISSED, TO(view_count)},
    {"answer_count", NUMBER, MISSED, TO(answer_count)},       {"comment_count", NUMBER, MISSED, TO(comment_count)},
    {"favorite_count", NUMBER, OPTIONAL, TO(favorite_count)}, {"accepted_answer_id", NUMBER, OPTIONAL, TO(accepted_answer_id)},
    {"last_edit_date", DATE, OPTIONAL, TO(last_edited_at)},   {"closed_date", DATE, OPTIONAL, TO(closed_at)},
    {"community_owned_date", DATE, OPTIONAL, TO(community_owned_at)}, {"content_license", TEXT, OPTIONAL, TO(content_license)},
    {"owner", USER, OPTIONAL, 0},                             {"last_editor", USER, OPTIONAL, 0},
    {"answers", ANSWERS, OPTIONAL, 0},                        {"comments", COMMENTS, OPTIONAL, 0},
    END,
};
/* clang-format on */

static const struct field *faulty_field(const json_t *object, const struct field *fields,
                                        const struct api_missed *missed);

static const struct field *faulty_value(const json_t *value, enum kind kind, const struct api_missed *missed)
{
    static const struct field no_field = {"", TEXT, NEEDED, 0}; /* of a value without fields */
    const struct field *faulty = NULL;
    const json_t *element;
    size_t i;

    if (kind == USER)
        return faulty_field(value, user_fields, missed);
    if (kind < TAGS) {
        bool fine = kind == NUMBER || kind == DATE  ? json_is_integer(value)
                    : kind == TEXT || kind == PLAIN ? json_is_string(value)
                                                    : json_is_boolean(value);
        return fine ? NULL : &no_field;
    }
    if (!json_is_array(value))
        return &no_field;
    json_array_foreach(value, i, element) {
        faulty = kind == TAGS ? faulty_value(element, TEXT, missed)
                              : faulty_field(element, kind == ANSWERS ? answer_fields : comment_fields, missed);
        if (faulty != NULL)
            break;
    }
    return faulty;
}

static bool is_missed(const struct api_missed *missed, const char *name)
{
    return span_is_any(span_of(name), missed->names, missed->n);
}

/* The field that is missing or of another type; NULL when there is none. */
static const struct field *faulty_field(const json_t *object, const struct field *fields,
                                        const struct api_missed *missed)
{
    if (!json_is_object(object))
        return &fields[0];
    for (; fields->name != NULL; fields++) {
        const json_t *value = json_object_get(object, fields->name);
        const struct field *within = value != NULL ? faulty_value(value, fields->kind, missed) : NULL;
        if (value == NULL && fields->need != OPTIONAL && !(fields->need == MISSED && is_missed(missed, fields->name)))
            return fields;
        if (within != NULL) /* of a list, the field of an element, if it is that alone */
            return within->need == MISSED ? within : fields;
    }
    return NULL;
}

const char *api_answer_faulty_field(const struct api_answer *a, enum api_method method, const struct api_missed *missed,
                                    bool *may_be_missed)
{
    static const struct field *const tables[API_METHODS] = {
        [API_QUESTIONS] = question_fields,      [API_QUESTIONS_BY_ID] = question_fields,
        [API_QUESTION_ANSWERS] = answer_fields, [API_QUESTION_COMMENTS] = comment_fields,
        [API_ANSWER_COMMENTS] = comment_fields,
    };
    const json_t *item;
    size_t i;

    *may_be_missed = false;
    if (!json_is_boolean(json_object_get(a->root, "has_more")))
        return "has_more";
    if (tables[method] == NULL)
        return NULL;
    json_array_foreach(a->items, i, item) {
        const struct field *faulty = faulty_field(item, tables[method], missed);
        if (faulty == NULL)
            continue;
        *may_be_missed = faulty->need == MISSED;
        return faulty->name;
    }
    return NULL;
}

void api_missed_add(struct api_missed *missed, const char *name)
{
    if (missed->n < ARRAY_LEN(missed->names) && !is_missed(missed, name))
        missed->names[missed->n++] = name;
}

/* --- items --- */

struct walker {
    const struct api_reader *reader;
    struct arena arena;
    struct err *e;
};

static bool is_id(int64_t id)
{
    return id >= 1 && id <= POST_ID_MAX;
}

/* Why one of them is none that can be kept. */
static const char *why_no_id(int64_t a, int64_t b, const char *missing)
{
    return a > POST_ID_MAX || b > POST_ID_MAX ? "an id larger than 2147483647, the largest that is kept" : missing;
}

static struct span date(struct walker *w, const json_t *object, const char *field)
{
    char out[TIME_TEXT_SIZE];
    int64_t seconds = json_number(object, field);

    if (seconds == POST_ABSENT || !api_time_text(seconds, out))
        return (struct span){0};
    return arena_copy(&w->arena, (struct span){out, TIME_TEXT_SIZE - 1});
}

static struct span whole_text(struct walker *w, const json_t *object, const char *field)
{
    return json_without_nul(&w->arena, json_text(object, field));
}

/* The bytes that the reference at s.ptr ('&') takes, and its character; 0: it is none that the API writes. */
static size_t read_reference(struct span s, uint32_t *character)
{
    enum { REFERENCE_MAX = 11 };
    const char *end = memchr(s.ptr, ';', s.len < REFERENCE_MAX ? s.len : REFERENCE_MAX);
    struct span name = {s.ptr + 1, end != NULL ? (size_t)(end - s.ptr) - 1 : 0};

    if (name.len == 0 || span_eq(name, SPAN("apos")) || span_starts(name, SPAN("#x")) || span_starts(name, SPAN("#X")))
        return 0;
    *character = row_reference(name);
    return *character != 0 ? name.len + 2 : 0;
}

/* Takes back what the API does to text under a safe filter: one layer of references. */
struct span api_unescape(struct arena *arena, struct span s)
{
    if (s.len == 0 || memchr(s.ptr, '&', s.len) == NULL)
        return s;
    char *start = arena_alloc(arena, s.len), *out = start; /* references are never shorter */
    while (s.len > 0) {
        uint32_t character;
        char bytes[4];
        size_t taken = *s.ptr == '&' ? read_reference(s, &character) : 0;
        size_t len = taken > 0 ? utf8_put(character, bytes) : 0;
        if (len == 0) {
            bytes[0] = *s.ptr;
            len = taken = 1;
        }
        memcpy(out, bytes, len);
        out += len;
        s = (struct span){s.ptr + taken, s.len - taken};
    }
    return (struct span){start, (size_t)(out - start)};
}

/* A title, tag or name: escaped for HTML once under a safe filter. A bug of the site escapes some twice, but a title
 * about "&amp;" looks the same: decodes once, and reports what is left. */
static struct span plain_text(struct walker *w, const json_t *object, const char *field, int64_t id)
{
    struct span s = whole_text(w, object, field);

    if (!w->reader->safe_filter || s.ptr == NULL)
        return s;
    s = api_unescape(&w->arena, s);
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    if (w->reader->escaped_twice != NULL && span_has_any(s, names, ARRAY_LEN(names)))
        w->reader->escaped_twice(w->reader->ctx, id, s);
    return s;
}

static struct span tags(struct walker *w, const json_t *object)
{
    const json_t *list = json_object_get(object, "tags"), *tag;
    struct buf out = {0};
    size_t i;

    json_array_foreach(list, i, tag) {
        if (!json_is_string(tag))
            continue;
        struct span name = {json_string_value(tag), json_string_length(tag)};
        buf_add_char(&out, out.len == 0 ? '[' : ',');
        buf_add_json_kept(&out, w->reader->safe_filter ? api_unescape(&w->arena, name) : name);
    }
    if (out.len == 0)
        return (struct span){0};
    buf_add_char(&out, ']');
    struct span copy = arena_copy(&w->arena, buf_span(&out));
    buf_clear(&out);
    return copy;
}

static enum status MUST_USE read_person(struct walker *w, const json_t *object, const char *field, int64_t *id,
                                        struct span *name)
{
    const json_t *person = json_object_get(object, field);

    *id = json_number(person, "user_id");
    *name = plain_text(w, person, "display_name", *id);
    return form_tell_author(
        w->reader, &(struct api_author){.user_id = *id, .display_name = *name, .link = whole_text(w, person, "link")},
        w->e);
}

static void refuse(const struct walker *w, int64_t id, const char *why)
{
    if (w->reader->refused != NULL)
        w->reader->refused(w->reader->ctx, id > 0 ? id : 0, why);
}

/* What has no parts; the license that it has by its date, if no other. */
static void read_fields(struct walker *w, const json_t *object, const struct field *fields, struct taken *t)
{
    for (; fields->name != NULL; fields++) {
        void *to = (char *)t + fields->to;
        if (fields->kind == NUMBER)
            *(int64_t *)to = json_number(object, fields->name);
        else if (fields->kind == DATE)
            *(struct span *)to = date(w, object, fields->name);
        else if (fields->kind == TEXT)
            *(struct span *)to = whole_text(w, object, fields->name);
        else if (fields->kind == PLAIN)
            *(struct span *)to = plain_text(w, object, fields->name, t->post.post_id);
        else if (fields->kind == TAGS)
            *(struct span *)to = tags(w, object);
        else if (fields->kind == YES_OR_NO && json_is_boolean(json_object_get(object, fields->name)))
            *(int64_t *)to = json_is_true(json_object_get(object, fields->name));
    }
    if (t->post.content_license.ptr == NULL && t->post.created_at.ptr != NULL)
        t->post.content_license = post_license_at(t->post.created_at);
}

static struct taken nothing_taken(int64_t type)
{
    struct taken t = {.post = post_empty(), .edited = POST_ABSENT, .reply_to = POST_ABSENT};

    t.post.type = type;
    return t;
}

/* Of a comment or answer; `parent`: the post that lists it, where it does not say. False: it is refused. */
static bool has_ids(struct walker *w, struct taken *t, int64_t parent, const char *missing)
{
    struct post *post = &t->post;

    if (post->parent_id == POST_ABSENT)
        post->parent_id = parent;
    if (is_id(post->post_id) && is_id(post->parent_id))
        return true;
    refuse(w, post->post_id, why_no_id(post->post_id, post->parent_id, missing));
    return false;
}

static enum status MUST_USE read_comment(struct walker *w, const json_t *object, int64_t post_id)
{
    struct taken t = nothing_taken(POST_ABSENT);
    struct span ignored;

    read_fields(w, object, comment_fields, &t);
    if (!has_ids(w, &t, post_id, "a comment without an id or a post"))
        return ST_OK;
    enum status status = read_person(w, object, "owner", &t.post.owner_user_id, &t.post.owner_display_name);
    THEN(status, read_person(w, object, "reply_to_user", &t.reply_to, &ignored));
    return status == ST_OK ? form_tell_comment(w->reader, &t, w->e) : status;
}

static enum status MUST_USE read_answer(struct walker *w, const json_t *object, int64_t question);

/* What a post lists, with the count that goes with it; an absent list of none is a whole one. */
static enum status MUST_USE read_list(struct walker *w, const json_t *object, const struct post *post, bool are_answers)
{
    const json_t *list = json_object_get(object, are_answers ? "answers" : "comments"), *element;
    int64_t expected = are_answers ? post->answer_count : post->comment_count;
    size_t n = json_array_size(list), i;
    int64_t *ids = arena_alloc(&w->arena, (n + 1) * sizeof *ids);
    struct api_list told = {.what = are_answers ? API_LIST_ANSWERS : API_LIST_COMMENTS,
                            .post_id = post->post_id,
                            .post_type = post->type,
                            .ids = ids,
                            .expected = expected == POST_ABSENT ? (int64_t)n : expected};
    enum status status = ST_OK;

    json_array_foreach(list, i, element) {
        ids[told.n] = json_number(element, are_answers ? "answer_id" : "comment_id");
        told.n += is_id(ids[told.n]);
    }
    /* Without the count nobody knows whether the list is whole; without both it was not asked for. */
    told.complete = expected != POST_ABSENT && expected <= (int64_t)told.n;
    if ((list != NULL || expected != POST_ABSENT) && w->reader->list != NULL)
        status = w->reader->list(w->reader->ctx, &told, w->e);
    json_array_foreach(list, i, element)
        THEN(status, are_answers ? read_answer(w, element, post->post_id) : read_comment(w, element, post->post_id));
    return status;
}

/* --- posts --- */

/* After its fields. */
static enum status MUST_USE read_post(struct walker *w, const json_t *object, struct post *post)
{
    enum status status = read_person(w, object, "owner", &post->owner_user_id, &post->owner_display_name);

    THEN(status, read_person(w, object, "last_editor", &post->last_editor_user_id, &post->last_editor_display_name));
    THEN(status, w->reader->post(w->reader->ctx, post, w->e));
    return status == ST_OK ? read_list(w, object, post, false) : status;
}

static enum status MUST_USE read_answer(struct walker *w, const json_t *object, int64_t question)
{
    struct taken t = nothing_taken(POST_ANSWER);

    read_fields(w, object, answer_fields, &t);
    return has_ids(w, &t, question, "an answer without an id or a question") ? read_post(w, object, &t.post) : ST_OK;
}

static enum status MUST_USE read_question(struct walker *w, const json_t *object)
{
    struct taken t = nothing_taken(POST_QUESTION);
    struct post *post = &t.post;

    post->post_id = json_number(object, "question_id");
    if (!is_id(post->post_id)) {
        refuse(w, post->post_id, why_no_id(post->post_id, 0, "a question without an id"));
        return ST_OK;
    }
    post->created_at = date(w, object, "creation_date");
    post->last_activity_at = date(w, object, "last_activity_date");
    if (w->reader->wants != NULL && !w->reader->wants(w->reader->ctx, post))
        return ST_OK;
    read_fields(w, object, question_fields, &t);
    enum status status = read_post(w, object, post);
    return status == ST_OK ? read_list(w, object, post, true) : status;
}

enum status api_answer_each(const struct api_answer *a, enum api_method method, const struct api_reader *reader,
                            struct err *e)
{
    struct walker w = {.reader = reader, .e = e};
    enum status status = ST_OK;
    const json_t *item;
    size_t i;

    json_array_foreach(a->items, i, item) {
        arena_reset(&w.arena);
        if (method == API_QUESTIONS || method == API_QUESTIONS_BY_ID)
            status = read_question(&w, item);
        else if (method == API_QUESTION_ANSWERS)
            status = read_answer(&w, item, POST_ABSENT);
        else if (method == API_QUESTION_COMMENTS || method == API_ANSWER_COMMENTS)
            status = read_comment(&w, item, POST_ABSENT); /* filters and tags have no posts */
        if (status != ST_OK)
            break;
    }
    arena_clear(&w.arena);
    return status;
}

/* --- a glance at the bytes of an answer, before it is read as JSON ---
 *
 * Within a string of JSON a quotation mark has a backslash before it. So the bytes "backoff" with a
 * mark at each end are either a name, or a string that holds nothing else; and with a colon behind
 * them a name. An answer in which a wrapper's name stands twice, or has blanks before its colon, or
 * is written with \u, is not one that the API writes; nothing is made of it.
 */

/* The digits behind the only such name; POST_ABSENT for any other text. */
static int64_t number_behind(struct span s, size_t at)
{
    size_t end = at;
    int64_t number;

    while (end < s.len && s.ptr[end] >= '0' && s.ptr[end] <= '9')
        end++;
    return span_i64((struct span){s.ptr + at, end - at}, &number) ? number : POST_ABSENT;
}

/* Where the value of a name begins that stands there once; SIZE_MAX otherwise. */
static size_t only_value(struct span s, struct span name)
{
    size_t at = span_find(s, name);

    if (at == SIZE_MAX || span_find(span_after(s, at + name.len), name) != SIZE_MAX)
        return SIZE_MAX;
    at += name.len;
    return at < s.len && s.ptr[at] == ':' ? at + 1 : SIZE_MAX;
}

bool api_glance(struct span bytes, struct api_glance *out)
{
    struct span text = span_trim(bytes);
    size_t more = only_value(text, SPAN("\"has_more\""));
    size_t quota = only_value(text, SPAN("\"quota_remaining\""));

    if (text.len == 0 || text.ptr[text.len - 1] != '}' || more == SIZE_MAX || quota == SIZE_MAX ||
        !span_starts(span_after(text, more), SPAN("true")) || span_find(text, SPAN("\"backoff\"")) != SIZE_MAX ||
        span_find(text, SPAN("\"error_id\"")) != SIZE_MAX)
        return false;
    out->quota_remaining = number_behind(text, quota);
    struct span rest = text, name = SPAN("\"last_activity_date\":");
    out->last_activity = POST_ABSENT; /* then the largest */
    for (size_t at; (at = span_find(rest, name)) != SIZE_MAX; rest = span_after(rest, at + name.len)) {
        int64_t number = number_behind(rest, at + name.len);
        if (number != POST_ABSENT && (out->last_activity == POST_ABSENT || number > out->last_activity))
            out->last_activity = number;
    }
    return out->quota_remaining != POST_ABSENT && out->last_activity != POST_ABSENT;
}
