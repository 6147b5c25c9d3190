/* ndjson: posts from lines of JSON, in the form of docs/posts.md. */
#include "fetch/fetch.h"
#include "fetch/json.h"
#include "fetch/markdown.h"
#include "fetch/perceval.h"

/* --- records --- */

enum { CHUNK = 256 * 1024 };

struct records {
    const struct ndjson_handler *handler;
    struct buf in;
    uint64_t offset; /* of `in` */
    size_t record;   /* where the record begins in `in` */
    size_t done;     /* the lines before it were looked at */
    bool in_block;   /* the record is an indented one, of several lines */
    bool too_long;   /* the rest of the record is passed over */
};

/* Without a byte order mark. */
static struct span without_mark(struct span text)
{
    if (span_starts(text, SPAN("\xef\xbb\xbf")))
        return (struct span){text.ptr + 3, text.len - 3};
    return text;
}

bool ndjson_begins(struct span head)
{
    head = span_trim(without_mark(head));
    return head.len > 0 && head.ptr[0] == '{';
}

static enum status take_record(struct records *r, size_t end, struct err *e)
{
    struct span record = {r->in.ptr + r->record, end - r->record};
    uint64_t offset = r->offset + r->record;
    bool too_long = r->too_long;

    r->in_block = r->too_long = false;
    if (offset == 0)
        record = without_mark(record);
    if (too_long || span_trim(record).len == 0)
        return ST_OK;
    return r->handler->record(r->handler->ctx, span_trim(record), offset, e);
}

/* Takes a line, which ends the record but within an indented one. */
static enum status take_line(struct records *r, size_t end, struct err *e)
{
    struct span line = {r->in.ptr + r->done, end - r->done};
    enum status status = ST_OK;

    if (r->offset + r->done == 0)
        line = without_mark(line);
    while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
        line.len--;
    if (!r->in_block && span_eq(line, SPAN("{")))
        r->in_block = true;
    else if (!r->in_block || span_eq(line, SPAN("}")))
        status = take_record(r, end, e);
    r->done = end + 1;
    if (!r->in_block)
        r->record = r->done;
    return status;
}

/* Notes a record that grew too long, and forgets what is there of it. */
static void bound_record(struct records *r)
{
    if (r->in.len - r->record <= NDJSON_RECORD_MAX && !r->too_long)
        return;
    if (!r->too_long)
        r->handler->refused(r->handler->ctx, r->offset + r->record, "longer than 64 MiB");
    r->too_long = true;
    r->record = r->done; /* the line is kept until it ends, or is as long as that */
    if (r->in.len - r->done > NDJSON_RECORD_MAX)
        r->record = r->done = r->in.len;
}

/* Takes the whole lines off the input; `from` is where no line end was looked for yet. */
static enum status take_lines(struct records *r, size_t from, struct err *e)
{
    enum status status = ST_OK;
    const char *end;

    while (status == ST_OK && from < r->in.len &&
           (end = memchr(r->in.ptr + from, '\n', r->in.len - from)) != NULL) {
        from = (size_t)(end - r->in.ptr) + 1;
        status = take_line(r, from - 1, e);
    }
    bound_record(r);
    memmove(r->in.ptr, r->in.ptr + r->record, r->in.len - r->record);
    r->in.len -= r->record;
    r->offset += r->record;
    r->done -= r->record;
    r->record = 0;
    return status;
}

/* The last record, after which no line ends. */
static enum status take_last(struct records *r, const char *name, struct err *e)
{
    struct span record = span_trim((struct span){r->in.ptr + r->record, r->in.len - r->record});

    if (r->offset + r->record == 0)
        record = span_trim(without_mark(record));
    uint64_t end = r->offset + r->in.len;

    if (!r->too_long && json_is_cut(record))
        return err_set(e, ST_INPUT, "%s: ends in the middle of a record: the file is truncated (byte %llu)", name,
                       (unsigned long long)end);
    return take_record(r, r->in.len, e);
}

enum status ndjson_each(struct source *s, const struct ndjson_handler *handler, uint64_t *bytes,
                        struct err *e)
{
    struct records r = {.handler = handler};
    enum status status = ST_OK;
    size_t got = 1;

    while (status == ST_OK && got > 0) {
        buf_reserve(&r.in, CHUNK);
        status = source_read(s, r.in.ptr + r.in.len, CHUNK, &got, e);
        if (status != ST_OK)
            break;
        size_t from = r.in.len;
        r.in.len += got;
        status = take_lines(&r, from, e);
    }
    if (status == ST_OK)
        status = take_last(&r, source_name(s), e);
    if (bytes != NULL)
        *bytes = r.offset + r.in.len;
    buf_clear(&r.in);
    return status;
}

/* --- a post --- */

/* What is read, and why it cannot be used. */
struct reading {
    const json_t *object;
    const struct api_reader *reader;
    struct arena arena;
    struct span site;
    const char *why;
};

/* The first of the names that the object has; NULL when it has none, or null. */
static const char *name_of(const json_t *object, const char *const names[])
{
    for (; *names != NULL; names++) {
        const json_t *value = json_object_get(object, *names);
        if (value != NULL && !json_is_null(value))
            return *names;
    }
    return NULL;
}

static bool has(const json_t *object, const char *name)
{
    return name_of(object, (const char *const[]){name, NULL}) != NULL;
}

static void not_a(struct reading *r, const char *name, const char *what)
{
    struct buf why = {0};

    buf_addf(&why, "%s is not %s", name, what);
    buf_add_char(&why, '\0');
    r->why = arena_copy(&r->arena, buf_span(&why)).ptr;
    buf_clear(&why);
}

static int64_t read_number(struct reading *r, const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    int64_t number = POST_ABSENT;

    if (json_is_integer(value))
        return (int64_t)json_integer_value(value);
    if (value == NULL || json_is_null(value))
        return POST_ABSENT;
    if (!json_is_string(value) || !span_i64(json_text(object, name), &number))
        not_a(r, name, "a whole number");
    return number;
}

static struct span read_text(struct reading *r, const json_t *object, const char *name)
{
    if (name == NULL || !has(object, name))
        return (struct span){0};
    struct span text = json_whole_text(&r->arena, object, name);
    if (text.ptr == NULL)
        not_a(r, name, "a string");
    return text;
}

static struct span read_date(struct reading *r, const json_t *object, const char *name)
{
    struct span value = read_text(r, object, name);
    char date[TIME_TEXT_SIZE];

    if (value.ptr == NULL)
        return value;
    if (!post_date(value, date)) {
        not_a(r, name, "a date such as 2018-01-02T03:04:05Z");
        return (struct span){0};
    }
    return arena_copy(&r->arena, (struct span){date, TIME_TEXT_SIZE - 1});
}

static struct span read_tags(struct reading *r, const json_t *object, const char *name)
{
    const json_t *list = json_object_get(object, name), *tag;
    struct buf out = {0};
    size_t i;

    if (has(object, name) && !json_is_array(list))
        not_a(r, name, "a list of strings");
    json_array_foreach(list, i, tag) {
        if (!json_is_string(tag))
            not_a(r, name, "a list of strings");
        buf_add_char(&out, i == 0 ? '[' : ',');
        buf_add_json_kept(&out, (struct span){json_string_value(tag), json_string_length(tag)});
    }
    if (out.len > 0)
        buf_add_char(&out, ']');
    struct span tags = out.len > 0 ? arena_copy(&r->arena, buf_span(&out)) : (struct span){0};
    buf_clear(&out);
    return tags;
}

static struct span read_body(struct reading *r)
{
    static const char *const html[] = {"body_html", "body", "Body", NULL};
    const char *name = name_of(r->object, html);
    struct buf out = {0};

    if (name != NULL)
        return read_text(r, r->object, name);
    struct span markdown = read_text(r, r->object, "body_markdown");
    if (markdown.ptr == NULL)
        return markdown;
    markdown_to_html(&out, markdown);
    markdown = arena_copy(&r->arena, buf_span(&out));
    buf_clear(&out);
    return markdown;
}

static void read_member(struct reading *r, const struct post_member *m, struct post *post)
{
    switch (m->kind) {
    case MEMBER_NUMBER:
        *post_number_at(post, m) = read_number(r, r->object, m->name);
        break;
    case MEMBER_TEXT:
        *post_text_at(post, m) = read_text(r, r->object, m->name);
        break;
    case MEMBER_DATE:
        *post_text_at(post, m) = read_date(r, r->object, m->name);
        break;
    case MEMBER_TAGS:
        *post_text_at(post, m) = read_tags(r, r->object, m->name);
        break;
    }
}

#define NO_ID "no id (a number from 1 to 9007199254740991)"

static void read_id(struct reading *r, struct post *post)
{
    /* An answer of the Stack Exchange API carries the id of its question too. */
    static const char *const names[] = {"post_id", "id", "answer_id", "question_id", "Id", NULL};
    const char *name = name_of(r->object, names);

    post->post_id = name != NULL ? read_number(r, r->object, name) : 0;
    if (post->post_id < 1 || post->post_id > POST_LONG_ID_MAX)
        r->why = NO_ID;
}

static void read_type(struct reading *r, struct post *post)
{
    bool is_answer = post->parent_id != POST_ABSENT || has(r->object, "answer_id");

    post->type = is_answer ? POST_ANSWER : POST_QUESTION;
    if (has(r->object, "post_type"))
        post->type = post_type_of(read_text(r, r->object, "post_type"));
    if (post->type == POST_ABSENT)
        not_a(r, "post_type", "one of docs/posts.md");
}

static void read_post(struct reading *r, struct post *post)
{
    static const char *const titles[] = {"title", "Title", NULL};

    *post = post_empty();
    post->site = r->site;
    for (size_t i = 0; i < n_post_members; i++)
        read_member(r, &post_members[i], post);
    post->title = read_text(r, r->object, name_of(r->object, titles));
    post->body_html = read_body(r);
    read_type(r, post);
    read_id(r, post);
}

/* --- comments and authors --- */

static enum status MUST_USE read_comment(struct reading *r, const json_t *object, int64_t post_id,
                                         struct err *e)
{
    const json_t *edited = json_object_get(object, "edited");
    struct api_comment c = {
        .site = r->site,
        .post_id = post_id,
        .comment_id = read_number(r, object, "comment_id"),
        .user_id = read_number(r, object, "user_id"),
        .reply_to_user_id = read_number(r, object, "reply_to_user_id"),
        .score = read_number(r, object, "score"),
        .edited = json_is_boolean(edited) ? json_is_true(edited) : POST_ABSENT,
        .user_display_name = read_text(r, object, "user_display_name"),
        .created_at = read_date(r, object, "created_at"),
        .deleted_at = read_date(r, object, "deleted_at"),
        .content_license = read_text(r, object, "content_license"),
        .body_html = read_text(r, object, "body_html"),
    };

    if (c.comment_id < 1 || c.comment_id > POST_LONG_ID_MAX)
        r->why = "a comment without an id";
    if (r->why == NULL && r->reader->comment != NULL)
        return r->reader->comment(r->reader->ctx, &c, e);
    return ST_OK;
}

static enum status MUST_USE read_author(struct reading *r, const json_t *object, struct err *e)
{
    struct api_author author = {
        .site = r->site,
        .user_id = read_number(r, object, "user_id"),
        .display_name = read_text(r, object, "display_name"),
        .link = read_text(r, object, "link"),
    };

    if (author.user_id == POST_ABSENT)
        r->why = "an author without an id";
    if (r->why == NULL && r->reader->author != NULL)
        return r->reader->author(r->reader->ctx, &author, e);
    return ST_OK;
}

static void refuse(const struct reading *r, int64_t id, const char *why)
{
    if (r->reader->refused != NULL)
        r->reader->refused(r->reader->ctx, id, why);
}

/* A comment or author that cannot be used does not make its post one. */
static enum status MUST_USE read_lists(struct reading *r, const struct post *post, struct err *e)
{
    const json_t *comments = json_object_get(r->object, "comments");
    const json_t *authors = json_object_get(r->object, "authors"), *element;
    enum status status = ST_OK;
    size_t i;

    json_array_foreach(comments, i, element) {
        if (status == ST_OK)
            status = read_comment(r, element, post->post_id, e);
        if (r->why != NULL)
            refuse(r, post->post_id, r->why);
        r->why = NULL;
    }
    json_array_foreach(authors, i, element) {
        if (status == ST_OK)
            status = read_author(r, element, e);
        if (r->why != NULL)
            refuse(r, post->post_id, r->why);
        r->why = NULL;
    }
    return status;
}

/* --- the whole --- */

/* Another version may mean other things by the same names. */
static void read_version(struct reading *r)
{
    if (has(r->object, "v") && json_number(r->object, "v") != POST_JSON_VERSION)
        r->why = "a version of the form that is not known (\"v\" is not 1)";
}

static enum status MUST_USE read_own(struct reading *r, struct err *e)
{
    struct post post;

    r->site = read_text(r, r->object, "site");
    if (r->site.len == 0)
        r->site = (struct span){0};
    read_post(r, &post);
    read_version(r);
    if (r->why != NULL) {
        refuse(r, post.post_id > 0 ? post.post_id : 0, r->why);
        return ST_OK;
    }
    enum status status = r->reader->post(r->reader->ctx, &post, e);
    return status == ST_OK ? read_lists(r, &post, e) : status;
}

static const char *why_no_object(struct span record, bool invalid_utf8)
{
    if (invalid_utf8)
        return "invalid UTF-8";
    return *record.ptr == '[' ? "a list, not an object: jq -c '.[]' makes a line of each element"
                              : "no JSON object";
}

enum status ndjson_read(struct span record, const struct api_reader *reader, struct err *e)
{
    bool invalid_utf8;
    json_t *root = json_read(record, &invalid_utf8);
    struct reading r = {.object = root, .reader = reader};
    enum status status = ST_OK;

    if (!json_is_object(root))
        refuse(&r, 0, why_no_object(record, invalid_utf8));
    else if (perceval_is_item(root))
        status = perceval_read(root, &r.arena, reader, e);
    else
        status = read_own(&r, e);
    arena_clear(&r.arena);
    json_decref(root);
    return status;
}
