/* perceval: questions of Stack Exchange, issues of GitHub and topics of Discourse, as Perceval has
 * them. docs/posts.md tells which member becomes which. */
#include "fetch/perceval.h"

#include "fetch/api_item.h"
#include "fetch/json.h"
#include "fetch/markdown.h"

struct item {
    json_t *data;
    const char *origin; /* where it was fetched: a URL, or the name of a site */
    struct arena *arena;
    const struct api_reader *reader;
    struct span site;
    struct err *e;
};

static void refuse(const struct item *i, int64_t id, const char *why)
{
    if (i->reader->refused != NULL)
        i->reader->refused(i->reader->ctx, id > 0 ? id : 0, why);
}

static struct span whole_text(const struct item *i, const json_t *object, const char *name)
{
    return json_whole_text(i->arena, object, name);
}

static struct span date(const struct item *i, const json_t *object, const char *name)
{
    char text[TIME_TEXT_SIZE];

    if (!post_date(json_text(object, name), text))
        return (struct span){0};
    return arena_copy(i->arena, (struct span){text, TIME_TEXT_SIZE - 1});
}

/* Names in a list: texts, or objects that have a name. */
static struct span names(const struct item *i, const json_t *list)
{
    struct buf out = {0};
    const json_t *element;
    size_t n;

    json_array_foreach(list, n, element) {
        struct span name = json_is_object(element)
                               ? json_text(element, "name")
                               : (struct span){json_string_value(element),
                                               json_string_length(element)};
        if (name.len == 0)
            continue;
        buf_add_char(&out, out.len == 0 ? '[' : ',');
        buf_add_json_kept(&out, name);
    }
    if (out.len == 0)
        return (struct span){0};
    buf_add_char(&out, ']');
    struct span copy = arena_copy(i->arena, buf_span(&out));
    buf_clear(&out);
    return copy;
}

/* "https://host/path/" as "host/path". */
static struct span site_of_url(struct span url)
{
    size_t scheme = span_find(url, SPAN("://"));

    if (scheme != SIZE_MAX)
        url = (struct span){url.ptr + scheme + 3, url.len - scheme - 3};
    while (url.len > 0 && url.ptr[url.len - 1] == '/')
        url.len--;
    return url;
}

/* An author by name alone has no place in `authors`. */
static enum status MUST_USE tell_author(const struct item *i, int64_t user_id, struct span name,
                                        struct span link)
{
    struct api_author author = {i->site, user_id, name, link};

    if (user_id == POST_ABSENT || i->reader->author == NULL)
        return ST_OK;
    return i->reader->author(i->reader->ctx, &author, i->e);
}

static enum status MUST_USE tell_post(const struct item *i, const struct post *post)
{
    return i->reader->post(i->reader->ctx, post, i->e);
}

/* --- Stack Exchange --- */

/* The name by which the API knows a site: all but the oldest end in .stackexchange.com. */
static struct span stack_exchange_site(const struct item *i)
{
    static const char *const own_domain[] = {"stackoverflow", "serverfault", "superuser",
                                             "askubuntu", "stackapps"};
    struct span name = site_of_url(span_of(i->origin));
    struct buf site = {0};

    buf_add_span(&site, name);
    if (span_is_any(name, own_domain, ARRAY_LEN(own_domain)))
        buf_add_text(&site, ".com");
    else if (!span_has(name, "."))
        buf_add_text(&site, ".stackexchange.com");
    name = arena_copy(i->arena, buf_span(&site));
    buf_clear(&site);
    return name;
}

/* Perceval's filter asks for Markdown, which the API escapes for HTML once, as it does with titles. */
static void put_body(const struct item *i, json_t *post)
{
    struct span markdown = json_text(post, "body_markdown");
    struct buf html = {0};

    if (markdown.ptr == NULL || json_object_get(post, "body") != NULL)
        return;
    markdown_to_html(&html, api_unescape(i->arena, markdown));
    json_object_set_new(post, "body", json_stringn(html.len > 0 ? html.ptr : "", html.len));
    buf_clear(&html);
}

static void put_bodies(const struct item *i, json_t *post)
{
    json_t *comment;
    size_t n;

    put_body(i, post);
    json_array_foreach(json_object_get(post, "comments"), n, comment)
        put_body(i, comment);
}

static enum status MUST_USE read_stack_exchange(struct item *i)
{
    struct api_reader reader = *i->reader;
    json_t *answer;
    size_t n;

    reader.safe_filter = true;
    reader.list = NULL;
    reader.wants = NULL;
    i->site = stack_exchange_site(i);
    put_bodies(i, i->data);
    json_array_foreach(json_object_get(i->data, "answers"), n, answer)
        put_bodies(i, answer);
    return api_question_read(i->data, i->site, &reader, i->e);
}

/* --- GitHub --- */

/* Issues and pull requests of a repository share one row of numbers; their comments, comments on
 * code and reviews have a row of ids each, so that two of them may have the same. */
#define GITHUB_IDS INT64_C(100000000000)
enum github_row { GITHUB_ISSUE, GITHUB_COMMENT, GITHUB_CODE_COMMENT, GITHUB_REVIEW };

static int64_t github_id(const json_t *object, const char *name, enum github_row row)
{
    int64_t id = json_number(object, name);

    return id >= 1 && id < GITHUB_IDS ? id + (int64_t)row * GITHUB_IDS : 0;
}

static int64_t github_score(const json_t *object)
{
    const json_t *reactions = json_object_get(object, "reactions");
    int64_t up = json_number(reactions, "+1"), down = json_number(reactions, "-1");

    if (up == POST_ABSENT || down == POST_ABSENT)
        return POST_ABSENT;
    /* Counts: anything else is none. */
    return up >= 0 && down >= 0 && up < GITHUB_IDS && down < GITHUB_IDS ? up - down : POST_ABSENT;
}

static struct span html_of(const struct item *i, const json_t *object)
{
    struct buf html = {0};

    markdown_to_html(&html, whole_text(i, object, "body"));
    struct span body = arena_copy(i->arena, html.len > 0 ? buf_span(&html) : SPAN(""));
    buf_clear(&html);
    return body;
}

/* What issues and all that is said about them have in common. */
static enum status MUST_USE read_github_post(const struct item *i, const json_t *object,
                                             struct post *post)
{
    const json_t *user = json_object_get(object, "user");

    post->site = i->site;
    post->score = github_score(object);
    post->created_at = date(i, object, "created_at");
    post->last_activity_at = date(i, object, "updated_at");
    post->body_html = html_of(i, object);
    post->url = whole_text(i, object, "html_url");
    post->owner_user_id = json_number(user, "id");
    post->owner_display_name = whole_text(i, user, "login");
    enum status status = tell_author(i, post->owner_user_id, post->owner_display_name,
                                     whole_text(i, user, "html_url"));
    return status == ST_OK ? tell_post(i, post) : status;
}

/* A review that only approves has no text. */
static bool is_silent_review(const json_t *object, enum github_row row)
{
    return row == GITHUB_REVIEW && json_text(object, "body").len == 0;
}

static enum status MUST_USE read_github_answer(const struct item *i, json_t *object,
                                               int64_t issue, enum github_row row)
{
    struct post post = post_empty();

    if (is_silent_review(object, row))
        return ST_OK;
    post.type = POST_ANSWER;
    post.parent_id = issue;
    post.post_id = github_id(object, "id", row);
    if (post.post_id == 0) {
        refuse(i, issue, "a comment without an id");
        return ST_OK;
    }
    if (row == GITHUB_REVIEW)
        json_object_set(object, "created_at", json_object_get(object, "submitted_at"));
    return read_github_post(i, object, &post);
}

static enum status MUST_USE read_github_answers(const struct item *i, int64_t issue)
{
    static const struct {
        const char *name;
        enum github_row row;
    } lists[] = {{"comments_data", GITHUB_COMMENT},
                 {"review_comments_data", GITHUB_CODE_COMMENT},
                 {"reviews_data", GITHUB_REVIEW}};
    enum status status = ST_OK;
    json_t *answer;
    size_t n;

    for (size_t l = 0; l < ARRAY_LEN(lists); l++)
        json_array_foreach(json_object_get(i->data, lists[l].name), n, answer)
            if (status == ST_OK)
                status = read_github_answer(i, answer, issue, lists[l].row);
    return status;
}

static enum status MUST_USE read_github(struct item *i)
{
    struct post post = post_empty();

    i->site = site_of_url(span_of(i->origin));
    post.type = POST_QUESTION;
    post.post_id = github_id(i->data, "number", GITHUB_ISSUE);
    if (post.post_id == 0) {
        refuse(i, 0, "no issue or pull request: it has no number");
        return ST_OK;
    }
    post.title = whole_text(i, i->data, "title");
    post.tags = names(i, json_object_get(i->data, "labels"));
    post.answer_count = json_number(i->data, "comments");
    post.closed_at = date(i, i->data, "closed_at");
    enum status status = read_github_post(i, i->data, &post);
    return status == ST_OK ? read_github_answers(i, post.post_id) : status;
}

/* --- Discourse --- */

enum { DISCOURSE_REGULAR = 1, DISCOURSE_MODERATOR = 2, DISCOURSE_LIKE = 2 };

/* Small actions ("closed this topic") and whispers are no posts that people read. */
static bool is_discourse_post(const json_t *object)
{
    int64_t type = json_number(object, "post_type");

    return type == POST_ABSENT || type == DISCOURSE_REGULAR || type == DISCOURSE_MODERATOR;
}

static int64_t discourse_score(const json_t *object)
{
    const json_t *actions = json_object_get(object, "actions_summary"), *action;
    size_t n;

    json_array_foreach(actions, n, action)
        if (json_number(action, "id") == DISCOURSE_LIKE)
            return json_number(action, "count");
    return json_is_array(actions) ? 0 : POST_ABSENT;
}

static struct span discourse_url(const struct item *i, const json_t *object)
{
    struct buf url = {0};
    struct span base = span_of(i->origin);

    while (base.len > 0 && base.ptr[base.len - 1] == '/')
        base.len--;
    buf_add_span(&url, base);
    buf_addf(&url, "/t/%lld/%lld", (long long)json_number(i->data, "id"),
             (long long)json_number(object, "post_number"));
    struct span copy = arena_copy(i->arena, buf_span(&url));
    buf_clear(&url);
    return copy;
}

static enum status MUST_USE read_discourse_post(const struct item *i, const json_t *object,
                                                struct post *post)
{
    post->site = i->site;
    post->score = discourse_score(object);
    post->created_at = date(i, object, "created_at");
    post->deleted_at = date(i, object, "deleted_at");
    post->last_activity_at = date(i, object, "updated_at");
    if (json_number(object, "version") > 1)
        post->last_edited_at = post->last_activity_at;
    post->body_html = whole_text(i, object, "cooked");
    post->url = discourse_url(i, object);
    post->owner_user_id = json_number(object, "user_id");
    post->owner_display_name = whole_text(i, object, "username");
    enum status status = tell_author(i, post->owner_user_id, post->owner_display_name,
                                     (struct span){0});
    return status == ST_OK ? tell_post(i, post) : status;
}

static int64_t discourse_id(const json_t *object)
{
    int64_t id = json_number(object, "id");

    return id >= 1 && id <= POST_LONG_ID_MAX ? id : 0;
}

/* The post of a topic that has this number in it; NULL when there is none. */
static const json_t *discourse_numbered(const json_t *posts, int64_t number)
{
    const json_t *post;
    size_t n;

    json_array_foreach(posts, n, post)
        if (number != POST_ABSENT && json_number(post, "post_number") == number)
            return post;
    return NULL;
}

static enum status MUST_USE read_discourse_question(const struct item *i, const json_t *posts,
                                                    const json_t *first)
{
    struct post post = post_empty();
    const json_t *accepted = json_object_get(i->data, "accepted_answer");
    int64_t solution =
        discourse_id(discourse_numbered(posts, json_number(accepted, "post_number")));
    int64_t n_posts = json_number(i->data, "posts_count");

    post.type = POST_QUESTION;
    post.post_id = discourse_id(first);
    post.title = whole_text(i, i->data, "title");
    post.tags = names(i, json_object_get(i->data, "tags"));
    post.view_count = json_number(i->data, "views");
    post.answer_count = n_posts > 0 ? n_posts - 1 : POST_ABSENT;
    post.accepted_answer_id = solution > 0 ? solution : POST_ABSENT;
    return read_discourse_post(i, first, &post);
}

static enum status MUST_USE read_discourse_answer(const struct item *i, const json_t *object,
                                                  int64_t question)
{
    struct post post = post_empty();

    post.type = POST_ANSWER;
    post.parent_id = question;
    post.post_id = discourse_id(object);
    if (post.post_id == 0) {
        refuse(i, question, "a post without an id");
        return ST_OK;
    }
    return read_discourse_post(i, object, &post);
}

static enum status MUST_USE read_discourse(struct item *i)
{
    const json_t *posts = json_object_get(json_object_get(i->data, "post_stream"), "posts"), *post;
    const json_t *first = discourse_numbered(posts, 1);
    int64_t question = discourse_id(first);
    size_t n;

    i->site = site_of_url(span_of(i->origin));
    if (question == 0) {
        refuse(i, 0, "a topic without its first post");
        return ST_OK;
    }
    enum status status = read_discourse_question(i, posts, first);
    json_array_foreach(posts, n, post)
        if (status == ST_OK && post != first && is_discourse_post(post))
            status = read_discourse_answer(i, post, question);
    return status;
}

/* --- the envelope --- */

static const struct backend {
    const char *name, *category;
    enum status (*read)(struct item *i);
} backends[] = {
    {"StackExchange", "question", read_stack_exchange},
    {"GitHub", "issue", read_github},
    {"GitHub", "pull_request", read_github},
    {"Discourse", "topic", read_discourse},
};

bool perceval_is_item(const json_t *object)
{
    return json_is_string(json_object_get(object, "backend_name")) &&
           json_object_get(object, "data") != NULL;
}

static const struct backend *find_backend(const json_t *item)
{
    struct span name = json_text(item, "backend_name"), category = json_text(item, "category");

    for (size_t b = 0; b < ARRAY_LEN(backends); b++)
        if (span_eq(name, span_of(backends[b].name)) &&
            (category.ptr == NULL || span_eq(category, span_of(backends[b].category))))
            return &backends[b];
    return NULL;
}

enum status perceval_read(json_t *item, struct arena *arena, const struct api_reader *reader,
                          struct err *e)
{
    struct item i = {
        .data = json_object_get(item, "data"),
        .origin = json_string_value(json_object_get(item, "origin")),
        .arena = arena,
        .reader = reader,
        .e = e,
    };
    const struct backend *backend = find_backend(item);

    if (backend == NULL)
        refuse(&i, 0, "an item of Perceval that is no question of StackExchange, issue or pull "
                      "request of GitHub, or topic of Discourse");
    else if (!json_is_object(i.data) || i.origin == NULL ||
             site_of_url(span_of(i.origin)).len == 0)
        refuse(&i, 0, "an item of Perceval without data or origin");
    else
        return backend->read(&i);
    return ST_OK;
}
