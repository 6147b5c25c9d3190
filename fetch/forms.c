/* The table of forms; docs/posts.md lists them. */
#include "fetch/forms.h"

#include "fetch/json.h"

#define TO(member) offsetof(struct taken, post.member)
/* clang-format off */
#define END {0, AS_TEXT, NULL, NULL}
/* clang-format on */

/* --- docs/posts.md --- */

static const struct form_rule own_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "comment_id", NULL},
    {TO(owner_user_id), AS_NUMBER, "user_id", NULL},
    {TO(owner_display_name), AS_TEXT, "user_display_name", NULL},
    {offsetof(struct taken, reply_to), AS_NUMBER, "reply_to_user_id", NULL},
    {offsetof(struct taken, edited), AS_FLAG, "edited", NULL},
    {TO(score), AS_NUMBER, "score", NULL},
    {TO(created_at), AS_ISO_DATE, "created_at", NULL},
    {TO(deleted_at), AS_ISO_DATE, "deleted_at", NULL},
    {TO(content_license), AS_TEXT, "content_license", NULL},
    {TO(body_html), AS_HTML, "body_html", NULL},
    END,
};
static const struct form own_comment = {.name = "a comment", .type = FORM_COMMENT, .rules = own_comment_rules};

static const struct form_rule own_author_rules[] = {
    {TO(owner_user_id), AS_NUMBER, "user_id", NULL},
    {TO(owner_display_name), AS_TEXT, "display_name", NULL},
    {offsetof(struct taken, author_link), AS_TEXT, "link", NULL},
    END,
};
static const struct form own_author = {.name = "an author", .type = FORM_AUTHOR, .rules = own_author_rules};

/* clang-format off */
#define AS_IT_IS(member, kind, attribute) {TO(member), AS_##kind, #member, NULL},
static const struct form_rule own_rules[] = {
    {TO(post_id), AS_NUMBER, "post_id|id", NULL},
    {0, AS_VERSION, "v", NULL},
    {TO(site), AS_TEXT, "site", NULL},
    {TO(type), AS_TYPE_NAME, "post_type", NULL},
    POST_MEMBERS(AS_IT_IS)
    {TO(url), AS_TEXT, "url", NULL},
    {TO(body_html), AS_HTML, "body_html|body", NULL},
    {TO(body_html), AS_MARKDOWN, "body_markdown", NULL},
    {0, AS_LIST, "comments", &own_comment},
    {0, AS_LIST, "authors", &own_author},
    END,
};
/* clang-format on */

/* --- Stack Exchange: the API --- */

/* clang-format off */
#define API_OWNER \
    {TO(owner_user_id), AS_NUMBER, "owner.user_id", NULL}, {TO(owner_display_name), AS_PLAIN, "owner.display_name", NULL}, \
    {offsetof(struct taken, author_link), AS_TEXT, "owner.link", NULL}
#define API_BODY {TO(body_html), AS_HTML, "body", NULL}, {TO(body_html), AS_PLAIN_MARKDOWN, "body_markdown", NULL}
#define API_POST \
    {TO(site), AS_STACK_SITE, "perceval_origin", NULL}, {TO(site), AS_HOST, "link", NULL}, \
    {TO(score), AS_NUMBER, "score", NULL}, {TO(comment_count), AS_NUMBER, "comment_count", NULL}, \
    {TO(created_at), AS_EPOCH, "creation_date", NULL}, {TO(last_edited_at), AS_EPOCH, "last_edit_date", NULL}, \
    {TO(last_activity_at), AS_EPOCH, "last_activity_date", NULL}, \
    {TO(community_owned_at), AS_EPOCH, "community_owned_date", NULL}, API_BODY, \
    {TO(content_license), AS_TEXT, "content_license", NULL}, API_OWNER, \
    {TO(last_editor_user_id), AS_NUMBER, "last_editor.user_id", NULL}, \
    {TO(last_editor_display_name), AS_PLAIN, "last_editor.display_name", NULL}, \
    {offsetof(struct taken, editor_link), AS_TEXT, "last_editor.link", NULL}, {0, AS_LIST, "comments", &api_comment}
/* clang-format on */

static const struct form_rule api_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "comment_id", NULL},
    {TO(parent_id), AS_NUMBER, "post_id", NULL},
    {TO(site), AS_HOST, "link", NULL},
    {TO(score), AS_NUMBER, "score", NULL},
    {TO(created_at), AS_EPOCH, "creation_date", NULL},
    {offsetof(struct taken, edited), AS_FLAG, "edited", NULL},
    {offsetof(struct taken, reply_to), AS_NUMBER, "reply_to_user.user_id", NULL},
    {TO(content_license), AS_TEXT, "content_license", NULL},
    API_BODY,
    API_OWNER,
    END,
};
static const struct form api_comment = {
    .name = "a comment", .type = FORM_COMMENT, .rules = api_comment_rules, .authors = true};

static const struct form_rule api_answer_rules[] = {
    {TO(post_id), AS_NUMBER, "answer_id", NULL},
    {TO(parent_id), AS_NUMBER, "question_id", NULL},
    API_POST,
    END,
};
static const struct form api_answer = {
    .name = "an answer", .type = POST_ANSWER, .rules = api_answer_rules, .authors = true, .licensed = true};

static const struct form_rule api_question_rules[] = {
    {TO(post_id), AS_NUMBER, "question_id", NULL},
    {TO(title), AS_PLAIN, "title", NULL},
    {TO(tags), AS_TAGS, "tags", NULL},
    {TO(accepted_answer_id), AS_NUMBER, "accepted_answer_id", NULL},
    {TO(view_count), AS_NUMBER, "view_count", NULL},
    {TO(answer_count), AS_NUMBER, "answer_count", NULL},
    {TO(favorite_count), AS_NUMBER, "favorite_count", NULL},
    {TO(closed_at), AS_EPOCH, "closed_date", NULL},
    API_POST,
    {0, AS_LIST, "answers", &api_answer},
    END,
};

/* --- Stack Exchange: a dump, and what databases made of it --- */

/* clang-format off */
#define DUMP_NUMBER AS_NUMBER
#define DUMP_TEXT AS_TEXT
#define DUMP_TAGS AS_TAGS
#define DUMP_ISO_DATE AS_DATE
#define DUMP_RULE(member, kind, attribute) {TO(member), DUMP_##kind, #attribute, NULL},
static const struct form_rule dump_rules[] = {
    {TO(post_id), AS_NUMBER, "Id", NULL},
    {TO(type), AS_TYPE, "PostTypeId", NULL},
    {TO(body_html), AS_HTML, "Body", NULL},
    POST_MEMBERS(DUMP_RULE)
    END,
};
/* clang-format on */

static const struct form_rule dump_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "Id", NULL},
    {TO(parent_id), AS_NUMBER, "PostId", NULL},
    {TO(score), AS_NUMBER, "Score", NULL},
    {TO(body_html), AS_LINES, "Text", NULL},
    {TO(created_at), AS_DATE, "CreationDate", NULL},
    {TO(owner_user_id), AS_NUMBER, "UserId", NULL},
    {TO(owner_display_name), AS_TEXT, "UserDisplayName", NULL},
    {TO(content_license), AS_TEXT, "ContentLicense", NULL},
    END,
};

static const struct form_rule dump_link_rules[] = {
    {TO(post_id), AS_NUMBER, "PostId", NULL},
    {TO(parent_id), AS_NUMBER, "RelatedPostId", NULL},
    {TO(type), AS_NUMBER, "LinkTypeId", NULL},
    {TO(created_at), AS_DATE, "CreationDate", NULL},
    END,
};

static const struct form_rule bigquery_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {TO(type), AS_TYPE, "post_type_id", NULL},
    {TO(parent_id), AS_NUMBER, "parent_id", NULL},
    {TO(accepted_answer_id), AS_NUMBER, "accepted_answer_id", NULL},
    {TO(title), AS_TEXT, "title", NULL},
    {TO(body_html), AS_HTML, "body", NULL},
    {TO(tags), AS_TAGS, "tags", NULL},
    {TO(score), AS_NUMBER, "score", NULL},
    {TO(view_count), AS_NUMBER, "view_count", NULL},
    {TO(answer_count), AS_NUMBER, "answer_count", NULL},
    {TO(comment_count), AS_NUMBER, "comment_count", NULL},
    {TO(favorite_count), AS_NUMBER, "favorite_count", NULL},
    {TO(created_at), AS_EPOCH, "creation_date", NULL},
    {TO(last_edited_at), AS_EPOCH, "last_edit_date", NULL},
    {TO(last_activity_at), AS_EPOCH, "last_activity_date", NULL},
    {TO(community_owned_at), AS_EPOCH, "community_owned_date", NULL},
    {TO(owner_user_id), AS_NUMBER, "owner_user_id", NULL},
    {TO(owner_display_name), AS_TEXT, "owner_display_name", NULL},
    {TO(last_editor_user_id), AS_NUMBER, "last_editor_user_id", NULL},
    {TO(last_editor_display_name), AS_TEXT, "last_editor_display_name", NULL},
    END,
};

static const struct form_rule bigquery_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {TO(parent_id), AS_NUMBER, "post_id", NULL},
    {TO(score), AS_NUMBER, "score", NULL},
    {TO(body_html), AS_LINES, "text", NULL},
    {TO(created_at), AS_EPOCH, "creation_date", NULL},
    {TO(owner_user_id), AS_NUMBER, "user_id", NULL},
    {TO(owner_display_name), AS_TEXT, "user_display_name", NULL},
    END,
};

/* --- GitHub, as REST answers and Perceval have it --- */

/* Issues and pull requests of a repository share one row of numbers; their comments, comments on code, reviews
 * and comments on discussions have a row of ids each, so that two of them may have the same. */
enum { ROW_COMMENT = 1, ROW_CODE_COMMENT, ROW_REVIEW, ROW_MERGE_REQUEST };

#define REST_POST \
    {TO(site), AS_SITE, "perceval_origin|html_url|repository_url|issue_url", NULL}, \
        {TO(score), AS_NUMBER, "reactions.+1", NULL}, {TO(score), AS_MINUS, "reactions.-1", NULL}, \
        {TO(last_activity_at), AS_DATE, "updated_at", NULL}, {TO(body_html), AS_MARKDOWN, "body", NULL}, \
        {TO(url), AS_TEXT, "html_url", NULL}, {TO(owner_user_id), AS_NUMBER, "user.id", NULL}, \
        {TO(owner_display_name), AS_TEXT, "user.login", NULL}, \
    { \
        offsetof(struct taken, author_link), AS_TEXT, "user.html_url", NULL \
    }

static const struct form_rule rest_answer_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {TO(parent_id), AS_LAST_NUMBER, "issue_url|pull_request_url", NULL},
    {TO(created_at), AS_DATE, "created_at|submitted_at", NULL},
    REST_POST,
    END,
};
#define REST_ANSWER(words, of_row, ...) \
    { \
        .name = (words), .family = "GitHub's REST answers", .type = POST_ANSWER, .row = (of_row), \
        .rules = rest_answer_rules, .authors = true, .tracker = true, __VA_ARGS__ \
    }
static const struct form rest_comment = REST_ANSWER("a comment", ROW_COMMENT, .known = NULL);
static const struct form rest_code_comment = REST_ANSWER("a comment", ROW_CODE_COMMENT, .known = NULL);
static const struct form rest_review = REST_ANSWER("a review", ROW_REVIEW, .needs_text = true);

static const struct form_rule rest_rules[] = {
    {TO(post_id), AS_NUMBER, "number", NULL},
    {TO(title), AS_TEXT, "title", NULL},
    {TO(tags), AS_TAGS, "labels", NULL},
    {TO(answer_count), AS_NUMBER, "comments", NULL},
    {TO(created_at), AS_DATE, "created_at", NULL},
    {TO(closed_at), AS_DATE, "closed_at", NULL},
    REST_POST,
    {0, AS_LIST, "comments_data|comments", &rest_comment},
    {0, AS_LIST, "review_comments_data", &rest_code_comment},
    {0, AS_LIST, "reviews_data", &rest_review},
    END,
};

/* --- GitHub, as GraphQL and `gh --json` have it --- */

/* A score is the thumbs up without those down; a list without a kind has none of it. A list in which a group is
 * not what it should be says nothing. */
static void count_reactions(json_t *object)
{
    static const char *const kinds[] = {"THUMBS_UP", "THUMBS_DOWN", "LAUGH",  "HOORAY",
                                        "CONFUSED",  "HEART",       "ROCKET", "EYES"};
    static const char *const members[] = {"up", "down"};
    const json_t *groups = json_object_get(object, "reactionGroups"), *group;
    int64_t counts[] = {0, 0};
    size_t n;

    json_array_foreach(groups, n, group) {
        int64_t count = json_number(form_at(group, "users|reactors", NULL), "totalCount");
        struct span content = json_text(group, "content");
        if (!span_is_any(content, kinds, ARRAY_LEN(kinds)) || count < 0)
            return;
        for (size_t k = 0; k < ARRAY_LEN(counts); k++)
            counts[k] = span_eq(content, span_of(kinds[k])) ? count : counts[k];
    }
    for (size_t k = 0; k < ARRAY_LEN(counts) && json_is_array(groups); k++)
        json_object_set_new(object, members[k], json_integer(counts[k]));
}

#define GRAPH_POST \
    {TO(site), AS_SITE, "url", NULL}, {TO(score), AS_NUMBER, "up", NULL}, {TO(score), AS_MINUS, "down", NULL}, \
        {TO(created_at), AS_DATE, "createdAt|submittedAt", NULL}, {TO(last_edited_at), AS_DATE, "lastEditedAt", NULL}, \
        {TO(last_activity_at), AS_DATE, "updatedAt", NULL}, {TO(body_html), AS_HTML, "bodyHTML", NULL}, \
        {TO(body_html), AS_MARKDOWN, "body", NULL}, {TO(url), AS_TEXT, "url", NULL}, \
        {TO(owner_user_id), AS_NUMBER, "author.databaseId", NULL}, \
        {TO(owner_display_name), AS_TEXT, "author.login", NULL}, \
    { \
        offsetof(struct taken, author_link), AS_TEXT, "author.url", NULL \
    }

static const struct form_rule graph_reply_rules[] = {
    {TO(post_id), AS_NUMBER, "fullDatabaseId|databaseId", NULL},
    {TO(post_id), AS_LAST_NUMBER, "url", NULL},
    GRAPH_POST,
    END,
};
/* clang-format off */
#define GRAPH_ANSWER(words, of_row, by_rules, ...) \
    {.name = (words), .type = POST_ANSWER, .row = (of_row), .rules = (by_rules), .prepare = count_reactions, \
     .authors = true, __VA_ARGS__}
/* clang-format on */
static const struct form graph_reply = GRAPH_ANSWER("a comment", ROW_COMMENT, graph_reply_rules, .known = NULL);
static const struct form graph_review = GRAPH_ANSWER("a review", ROW_REVIEW, graph_reply_rules, .needs_text = true);

static const struct form_rule graph_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "fullDatabaseId|databaseId", NULL},
    {TO(post_id), AS_LAST_NUMBER, "url", NULL},
    GRAPH_POST,
    {0, AS_LIST, "replies.nodes|replies.edges", &graph_reply},
    END,
};
static const struct form graph_comment = GRAPH_ANSWER("a comment", ROW_COMMENT, graph_comment_rules, .known = NULL);

static const struct form_rule graph_rules[] = {
    {TO(post_id), AS_NUMBER, "number", NULL},
    {TO(title), AS_TEXT, "title", NULL},
    {TO(tags), AS_TAGS, "labels.nodes|labels", NULL},
    {TO(answer_count), AS_NUMBER, "comments.totalCount", NULL},
    {TO(closed_at), AS_DATE, "closedAt", NULL},
    GRAPH_POST,
    {0, AS_LIST, "comments.nodes|comments.edges|comments", &graph_comment},
    {0, AS_LIST, "reviews.nodes|reviews.edges|reviews", &graph_review},
    END,
};

/* --- GitLab --- */

static const struct form_rule gitlab_note_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {0, AS_SKIP, "system", NULL},
    {TO(created_at), AS_DATE, "created_at", NULL},
    {TO(last_activity_at), AS_DATE, "updated_at", NULL},
    {TO(body_html), AS_MARKDOWN, "body", NULL},
    {TO(owner_user_id), AS_NUMBER, "author.id", NULL},
    {TO(owner_display_name), AS_TEXT, "author.username", NULL},
    {offsetof(struct taken, author_link), AS_TEXT, "author.web_url", NULL},
    END,
};
static const struct form gitlab_note = {
    .name = "a note", .type = POST_ANSWER, .row = ROW_COMMENT, .rules = gitlab_note_rules, .authors = true};

static const struct form_rule gitlab_rules[] = {
    {TO(post_id), AS_NUMBER, "iid", NULL},
    {TO(site), AS_SITE, "perceval_origin|web_url", NULL},
    {TO(title), AS_TEXT, "title", NULL},
    {TO(body_html), AS_MARKDOWN, "description", NULL},
    {TO(tags), AS_TAGS, "labels", NULL},
    {TO(score), AS_NUMBER, "upvotes", NULL},
    {TO(score), AS_MINUS, "downvotes", NULL},
    {TO(answer_count), AS_NUMBER, "user_notes_count", NULL},
    {TO(created_at), AS_DATE, "created_at", NULL},
    {TO(last_activity_at), AS_DATE, "updated_at", NULL},
    {TO(closed_at), AS_DATE, "closed_at", NULL},
    {TO(url), AS_TEXT, "web_url", NULL},
    {TO(owner_user_id), AS_NUMBER, "author.id", NULL},
    {TO(owner_display_name), AS_TEXT, "author.username", NULL},
    {offsetof(struct taken, author_link), AS_TEXT, "author.web_url", NULL},
    {0, AS_LIST, "notes_data|notes", &gitlab_note},
    END,
};

/* --- Discourse --- */

enum { DISCOURSE_REGULAR = 1, DISCOURSE_MODERATOR = 2, DISCOURSE_LIKE = 2 };

/* The post of a topic that has this number in it; NULL when there is none. */
static json_t *numbered(json_t *posts, int64_t number)
{
    json_t *post;
    size_t n;

    json_array_foreach(posts, n, post)
        if (number != POST_ABSENT && json_number(post, "post_number") == number)
            return post;
    return NULL;
}

/* Small actions ("closed this topic") and whispers are not posts that people read; the first post is the
 * question; likes are a list of actions; a link is the topic's, with the post's number. */
static void prepare_topic(json_t *topic)
{
    json_t *posts = form_at(topic, "post_stream.posts", NULL), *post, *first = numbered(posts, 1), *action;
    const json_t *solution = numbered(posts, json_number(json_object_get(topic, "accepted_answer"), "post_number"));
    struct span origin = json_text(topic, "perceval_origin");
    int64_t n_posts = json_number(topic, "posts_count");
    size_t n, m;

    while (origin.len > 0 && origin.ptr[origin.len - 1] == '/')
        origin.len--;
    json_array_foreach(posts, n, post) {
        int64_t type = json_number(post, "post_type");
        const json_t *actions = json_object_get(post, "actions_summary");
        if (post == first || (type != POST_ABSENT && type != DISCOURSE_REGULAR && type != DISCOURSE_MODERATOR))
            json_object_set_new(post, "skip", json_true());
        if (post != first && type == POST_ABSENT && json_object_get(post, "post_type") != NULL)
            json_object_set(post, "skip", json_object_get(post, "post_type")); /* which is refused */
        if (json_is_array(actions))
            json_object_set_new(post, "likes", json_integer(0));
        json_array_foreach(actions, m, action) {
            if (!json_is_integer(json_object_get(action, "id")) || json_object_get(action, "count") == NULL)
                json_object_set_new(post, "likes", json_null()); /* nobody knows */
            else if (json_number(action, "id") == DISCOURSE_LIKE)
                json_object_set(post, "likes", json_object_get(action, "count"));
        }
        if (origin.len > 0)
            json_object_set_new(post, "url",
                                json_sprintf("%.*s/t/%lld/%lld", (int)origin.len, origin.ptr,
                                             (long long)json_number(topic, "id"),
                                             (long long)json_number(post, "post_number")));
        /* Of a post that was flagged, or deleted by who wrote it, `cooked` is a notice of the forum. */
        bool is_taken_back = json_is_true(json_object_get(post, "user_deleted"));
        if (is_taken_back || json_is_true(json_object_get(post, "cooked_hidden")))
            json_object_del(post, "cooked");
        if (is_taken_back && !json_is_string(json_object_get(post, "deleted_at")))
            json_object_set(post, "deleted_at", json_object_get(post, "updated_at"));
        if (json_number(post, "version") > 1)
            json_object_set(post, "edited_at", json_object_get(post, "updated_at"));
    }
    if (first != NULL)
        json_object_set(topic, "first", first);
    if (solution != NULL)
        json_object_set(topic, "solution", json_object_get(solution, "id"));
    if (n_posts > 0)
        json_object_set_new(topic, "answers", json_integer(n_posts - 1));
}

#define DISCOURSE_POST(at) \
    {TO(post_id), AS_NUMBER, at "id", NULL}, {TO(score), AS_NUMBER, at "likes", NULL}, \
        {TO(created_at), AS_DATE, at "created_at", NULL}, {TO(deleted_at), AS_DATE, at "deleted_at", NULL}, \
        {TO(last_edited_at), AS_DATE, at "edited_at", NULL}, {TO(last_activity_at), AS_DATE, at "updated_at", NULL}, \
        {TO(body_html), AS_HTML, at "cooked", NULL}, {TO(url), AS_TEXT, at "url", NULL}, \
        {TO(owner_user_id), AS_NUMBER, at "user_id", NULL}, \
    { \
        TO(owner_display_name), AS_TEXT, at "username", NULL \
    }

static const struct form_rule discourse_post_rules[] = {
    DISCOURSE_POST(""),
    {0, AS_SKIP, "skip", NULL},
    END,
};
static const struct form discourse_post = {
    .name = "a post", .type = POST_ANSWER, .rules = discourse_post_rules, .authors = true};

static const struct form_rule discourse_rules[] = {
    DISCOURSE_POST("first."),
    {TO(site), AS_SITE, "perceval_origin", NULL},
    {TO(title), AS_TEXT, "title", NULL},
    {TO(tags), AS_TAGS, "tags", NULL},
    {TO(view_count), AS_NUMBER, "views", NULL},
    {TO(answer_count), AS_NUMBER, "answers", NULL},
    {TO(accepted_answer_id), AS_NUMBER, "solution", NULL},
    {0, AS_LIST, "post_stream.posts", &discourse_post},
    END,
};

/* --- Jira, Bugzilla --- */

static const struct form_rule jira_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {TO(created_at), AS_DATE, "created", NULL},
    {TO(last_activity_at), AS_DATE, "updated", NULL},
    {TO(body_html), AS_HTML, "renderedBody", NULL},
    {TO(body_html), AS_LINES, "body", NULL},
    {TO(owner_display_name), AS_TEXT, "author.displayName|author.name", NULL},
    END,
};
static const struct form jira_comment = {
    .name = "a comment", .type = POST_ANSWER, .row = ROW_COMMENT, .rules = jira_comment_rules};

/* A link to what people read, where `self` is one for programs. */
static void link_issue(json_t *issue)
{
    struct span self = json_text(issue, "self");
    size_t rest = span_find(self, SPAN("/rest/api/"));
    const char *key = json_string_value(json_object_get(issue, "key"));

    if (rest != SIZE_MAX && key != NULL)
        json_object_set_new(issue, "browse", json_sprintf("%.*s/browse/%s", (int)rest, self.ptr, key));
}

static const struct form_rule jira_rules[] = {
    {TO(post_id), AS_NUMBER, "id", NULL},
    {TO(site), AS_SITE, "perceval_origin|browse", NULL},
    {TO(title), AS_TEXT, "fields.summary", NULL},
    {TO(body_html), AS_HTML, "renderedFields.description", NULL},
    {TO(body_html), AS_LINES, "fields.description", NULL},
    {TO(tags), AS_TAGS, "fields.labels", NULL},
    {TO(score), AS_NUMBER, "fields.votes.votes", NULL},
    {TO(answer_count), AS_NUMBER, "fields.comment.total", NULL},
    {TO(created_at), AS_DATE, "fields.created", NULL},
    {TO(last_activity_at), AS_DATE, "fields.updated", NULL},
    {TO(closed_at), AS_DATE, "fields.resolutiondate", NULL},
    {TO(url), AS_TEXT, "browse", NULL},
    {TO(owner_display_name), AS_TEXT, "fields.creator.displayName|fields.creator.name", NULL},
    {TO(owner_display_name), AS_TEXT, "fields.reporter.displayName|fields.reporter.name", NULL},
    {0, AS_LIST, "comments_data|fields.comment.comments", &jira_comment},
    END,
};

/* The first comment is the text of the bug. */
static void prepare_bug(json_t *bug)
{
    json_t *list = form_at(bug, "comments|long_desc", NULL), *first = json_array_get(list, 0);
    const char *base = json_string_value(json_object_get(bug, "perceval_origin"));
    json_t *id = form_at(bug, "id|bug_id.0.__text__", NULL);

    if (first != NULL) {
        json_object_set(bug, "first", first);
        json_object_set_new(first, "skip", json_true());
    }
    if (base != NULL && json_is_integer(id))
        json_object_set_new(bug, "url_of_bug",
                            json_sprintf("%s/show_bug.cgi?id=%lld", base, (long long)json_integer_value(id)));
    else if (base != NULL && json_is_string(id))
        json_object_set_new(bug, "url_of_bug", json_sprintf("%s/show_bug.cgi?id=%s", base, json_string_value(id)));
}

static const struct form_rule bug_comment_rules[] = {
    {TO(post_id), AS_NUMBER, "id|commentid.0.__text__", NULL},
    {0, AS_SKIP, "skip", NULL},
    {TO(created_at), AS_DATE, "creation_time|time|bug_when.0.__text__", NULL},
    {TO(body_html), AS_LINES, "text|thetext.0.__text__", NULL},
    {TO(owner_display_name), AS_TEXT, "creator|who.0.name|who.0.__text__", NULL},
    END,
};
static const struct form bug_comment = {
    .name = "a comment", .type = POST_ANSWER, .row = ROW_COMMENT, .rules = bug_comment_rules};

static const struct form_rule bug_rules[] = {
    {TO(post_id), AS_NUMBER, "id|bug_id.0.__text__", NULL},
    {TO(site), AS_SITE, "perceval_origin", NULL},
    {TO(title), AS_TEXT, "summary|short_desc.0.__text__", NULL},
    {TO(body_html), AS_LINES, "first.text|first.thetext.0.__text__|description", NULL},
    {TO(tags), AS_TAGS, "keywords", NULL},
    {TO(score), AS_NUMBER, "votes.0.__text__|votes", NULL},
    {TO(created_at), AS_DATE, "creation_time|creation_ts.0.__text__", NULL},
    {TO(last_activity_at), AS_DATE, "last_change_time|delta_ts.0.__text__", NULL},
    {TO(closed_at), AS_DATE, "cf_last_resolved", NULL},
    {TO(url), AS_TEXT, "url_of_bug", NULL},
    {TO(owner_display_name), AS_TEXT, "creator_detail.real_name|creator|reporter.0.name|reporter.0.__text__", NULL},
    {0, AS_LIST, "comments|long_desc", &bug_comment},
    END,
};

/* --- all of them, the more special before the more general --- */

#define API_FAMILY "items of the Stack Exchange API"
#define DUMP_FAMILY "rows of a data dump"

/* clang-format off */
const struct form forms[] = {
    {.name = "a link of a data dump", .family = DUMP_FAMILY, .known = "PostId RelatedPostId LinkTypeId", .type = FORM_LINK,
     .rules = dump_link_rules},
    {.name = "a row of Votes.xml", .family = DUMP_FAMILY, .known = "PostId VoteTypeId",
     .refused = "a vote of Votes.xml, which is not kept: posts have their score"},
    {.name = "a row of PostHistory.xml", .family = DUMP_FAMILY, .known = "PostId PostHistoryTypeId",
     .refused = "a row of PostHistory.xml, which is not read"},
    {.name = "a comment of a data dump", .family = DUMP_FAMILY, .known = "Id PostId Text", .type = FORM_COMMENT,
     .rules = dump_comment_rules, .licensed = true},
    {.name = "a row of a data dump", .family = DUMP_FAMILY, .known = "Id PostTypeId|Title|Body|ParentId !PostId",
     .rules = dump_rules, .licensed = true},
    {.name = "a comment of the Stack Exchange API", .family = API_FAMILY, .known = "comment_id post_id body|body_markdown|creation_date|owner !parent_id",
     .type = FORM_COMMENT, .rules = api_comment_rules, .authors = true},
    {.name = "an answer of the Stack Exchange API", .family = API_FAMILY, .known = "answer_id question_id body|body_markdown|creation_date|owner|is_accepted",
     .type = POST_ANSWER, .rules = api_answer_rules, .authors = true, .licensed = true},
    {.name = "a question of the Stack Exchange API", .family = API_FAMILY, .backend = "StackExchange question",
     .known = "question_id title !answer_id !post_id", .type = POST_QUESTION, .rules = api_question_rules, .authors = true,
     .licensed = true},
    {.name = "an event of GH Archive", .family = "GH Archive events", .known = "type actor repo payload",
     .within = "payload.issue payload.pull_request payload.comment payload.review"},
    {.name = "an issue of GitLab", .family = "GitLab's answers", .backend = "GitLab issue",
     .known = "iid title web_url|project_id !merge_status !source_branch", .type = POST_QUESTION, .rules = gitlab_rules, .tracker = true,
     .authors = true},
    {.name = "a merge request of GitLab", .family = "GitLab's answers", .backend = "GitLab merge_request",
     .known = "iid title web_url|project_id merge_status|source_branch", .type = POST_QUESTION,
     .row = ROW_MERGE_REQUEST, .rules = gitlab_rules, .tracker = true, .authors = true},
    {.name = "an issue of Jira", .family = "Jira's answers", .backend = "Jira issue", .known = "id key fields",
     .type = POST_QUESTION, .rules = jira_rules, .tracker = true, .prepare = link_issue},
    {.name = "a topic of Discourse", .family = "Discourse's answers", .backend = "Discourse topic",
     .known = "id title post_stream", .type = POST_QUESTION, .rules = discourse_rules, .tracker = true, .prepare = prepare_topic,
     .authors = true},
    {.name = "a bug of Bugzilla", .family = "Bugzilla's answers", .backend = "BugzillaREST bug",
     .known = "id summary product component", .type = POST_QUESTION, .rules = bug_rules, .tracker = true, .prepare = prepare_bug},
    {.name = "a bug of Bugzilla", .family = "Bugzilla's answers", .backend = "Bugzilla bug",
     .known = "bug_id short_desc", .type = POST_QUESTION, .rules = bug_rules, .tracker = true, .prepare = prepare_bug},
    REST_ANSWER("a comment on code of GitHub", ROW_CODE_COMMENT,
                .known = "id body pull_request_url diff_hunk|path"),
    REST_ANSWER("a review of GitHub", ROW_REVIEW, .known = "id body pull_request_url submitted_at", .needs_text = true),
    REST_ANSWER("a comment of GitHub", ROW_COMMENT, .known = "id body issue_url"),
    {.name = "an issue of GitHub", .family = "GitHub's REST answers", .backend = "GitHub issue pull_request",
     .known = "number title html_url|repository_url|node_id !createdAt", .type = POST_QUESTION, .rules = rest_rules, .tracker = true,
     .authors = true},
    {.name = "an issue of GitHub's GraphQL, or of gh --json", .family = "GitHub's GraphQL answers",
     .known = "number title body|bodyHTML|createdAt|author !node_id", .type = POST_QUESTION, .rules = graph_rules, .tracker = true,
     .prepare = count_reactions, .authors = true},
    {.name = "a comment of BigQuery's tables", .family = "rows of BigQuery", .known = "id post_id text",
     .type = FORM_COMMENT, .rules = bigquery_comment_rules, .licensed = true},
    {.name = "a row of BigQuery's tables", .family = "rows of BigQuery",
     .known = "id creation_date|post_type_id|last_activity_date !post_id !number !owner", .rules = bigquery_rules,
     .texts = "body", .licensed = true},
    {.name = "a post of docs/posts.md", .family = OWN_FAMILY,
     .known = "post_id !comment_id !text !owner !creation_date !question_id", .rules = own_rules,
     .texts = "body_html|body|body_markdown|v"},
    {.name = "a post of docs/posts.md", .family = OWN_FAMILY,
     .known = "id title|body|body_html|body_markdown", .rules = own_rules, .closed = true}
};
/* clang-format on */
const size_t n_forms = ARRAY_LEN(forms);

const struct form_wrapper form_wrappers[] = {
    {"items has_more|quota_remaining|quota_max|total_count|page", "items"},
    {"issues total|startAt|maxResults|isLast|nextPageToken", "issues"},
    {"bugs", "bugs"},
    {"data !backend_name !id !post_id !Id",
     "data.repository.issues.nodes|data.repository.pullRequests.nodes"
     "|data.repository.discussions.nodes|data.search.nodes|data.nodes|data.repository.issues.edges"
     "|data.repository.pullRequests.edges|data.repository.discussions.edges|data.search.edges"
     "|data.repository.issue|data.repository.pullRequest|data.repository.discussion|data.node"},
    {"items !id !post_id !Id", "items"},
    {"posts !id !post_id !Id !title", "posts.row"},
    {"comments !id !post_id !Id !title", "comments.row"},
    {"_source _index|_id", "_source"},
    {"rows features|num_rows_total", "rows"},
};
const size_t n_form_wrappers = ARRAY_LEN(form_wrappers);
