/* Posts as JSON: in the form of docs/posts.md, and as Perceval has them. */
#include "base/files.h"
#include "fetch/fetch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what a record holds, as lines --- */

static enum status tell_post(void *ctx, const struct post *post, struct err *e)
{
    (void)e;
    buf_add_text(ctx, "post {");
    post_add_json(ctx, post);
    buf_add_text(ctx, "}\n");
    return ST_OK;
}

static enum status tell_comment(void *ctx, const struct api_comment *c, struct err *e)
{
    (void)e;
    buf_addf(ctx, "comment %.*s %lld of %lld by %lld %.*s, edited %lld, at %.*s: %.*s\n", (int)c->site.len, c->site.ptr,
             (long long)c->comment_id, (long long)c->post_id, (long long)c->user_id, (int)c->user_display_name.len,
             c->user_display_name.ptr, (long long)c->edited, (int)c->created_at.len, c->created_at.ptr,
             (int)c->body_html.len, c->body_html.ptr);
    return ST_OK;
}

static enum status tell_author(void *ctx, const struct api_author *author, struct err *e)
{
    (void)e;
    buf_addf(ctx, "author %.*s %lld %.*s %.*s\n", (int)author->site.len, author->site.ptr, (long long)author->user_id,
             (int)author->display_name.len, author->display_name.ptr, (int)author->link.len, author->link.ptr);
    return ST_OK;
}

static void tell_refused(void *ctx, int64_t id, const char *why)
{
    buf_addf(ctx, "refused %lld: %s\n", (long long)id, why);
}

static void read_record(struct span record, struct buf *out)
{
    struct api_reader reader = {
        .ctx = out,
        .post = tell_post,
        .comment = tell_comment,
        .author = tell_author,
        .refused = tell_refused,
    };
    struct err e;

    assert_int_equal(ndjson_read(record, &reader, NULL, &e), ST_OK);
}

static void expect(const char *record, const char *lines)
{
    struct buf out = {0};

    read_record(span_of(record), &out);
    assert_string_equal(buf_cstr(&out), lines);
    buf_clear(&out);
}

/* --- the form of docs/posts.md --- */

static void reads_posts(void **state)
{
    (void)state;
    expect("{\"id\": 5, \"title\": \"t\", \"body_html\": \"<p>b</p>\"}",
           "post {\"v\":1,\"post_id\":5,\"post_type\":\"question\",\"title\":\"t\","
           "\"body_html\":\"<p>b</p>\"}\n");
    expect("{\"post_id\": \"5\", \"parent_id\": 4, \"body\": \"b\"}",
           "post {\"v\":1,\"post_id\":5,\"post_type\":\"answer\",\"parent_id\":4,"
           "\"body_html\":\"b\"}\n");
    expect("{\"question_id\": 5, \"title\": \"caf\\u00e9\", \"body\": null}",
           "post {\"v\":1,\"post_id\":5,\"post_type\":\"question\",\"title\":\"caf\xc3\xa9\"}\n");
    expect("{\"question_id\": 5, \"answer_id\": 6, \"body\": \"\"}",
           "post {\"v\":1,\"post_id\":6,\"post_type\":\"answer\",\"parent_id\":5,\"body_html\":\"\"}\n");
    expect("{\"Id\": 9007199254740991, \"Title\": \"t\", \"Body\": \"b\"}",
           "post {\"v\":1,\"post_id\":9007199254740991,\"post_type\":\"question\",\"title\":\"t\","
           "\"body_html\":\"b\"}\n");
    expect("{\"id\": 5, \"body_markdown\": \"It is *slow*.\\n\\n```\\ncode\\n```\"}",
           "post {\"v\":1,\"post_id\":5,\"post_type\":\"question\",\"body_html\":"
           "\"<p>It is <em>slow</em>.</p>\\n<pre><code>code\\n</code></pre>\\n\"}\n");
    /* Half of a surrogate pair, as Python writes it; a NUL. */
    expect("{\"id\": 5, \"title\": \"a\\ud83db\\u0000c\"}",
           "post {\"v\":1,\"post_id\":5,\"post_type\":\"question\",\"title\":"
           "\"a\xef\xbf\xbd"
           "b\xef\xbf\xbd"
           "c\"}\n");
}

/* --- values as tables and other programs write them --- */

/* A row of a data dump with one member more: what it is in the post, or why the row is refused. */
static void reads_values_in_many_spellings(void **state)
{
    static const char begin[] = "{\"Id\":5,\"PostTypeId\":1,\"Title\":\"t\",";
    static const char post[] = "post {\"v\":1,\"post_id\":5,\"post_type\":\"question\",";
    static const char no_date[] = "CreationDate is not a date such as 2018-01-02T03:04:05Z";
    static const char no_tags[] = "Tags is not a list of strings";
    static const struct {
        const char *given, *read, *why;
    } values[] = {
        {"\"CreationDate\":\"2019-05-01\"", "2019-05-01T00:00:00.000Z", NULL},
        {"\"CreationDate\":\"2019-05-01 10:00:00 UTC\"", "2019-05-01T10:00:00.000Z", NULL},
        {"\"CreationDate\":\" 2019-05-01T10:00:00.25Z \"", "2019-05-01T10:00:00.250Z", NULL},
        {"\"CreationDate\":\"2019-05-01T23:30:00.1234567-0230\"", "2019-05-02T02:00:00.123Z", NULL},
        {"\"CreationDate\":\"2019-05-01 01:00:00+02\"", "2019-04-30T23:00:00.000Z", NULL},
        {"\"CreationDate\":\"2019-05-01T10:00:00 +05:30\"", "2019-05-01T04:30:00.000Z", NULL},
        {"\"CreationDate\":\"2019-05-01 10:00:00 CET\"", NULL, no_date},
        {"\"CreationDate\":\"2019-05-01 10:00:00+15\"", NULL, no_date},
        {"\"CreationDate\":\"2019-05-01 10:00:00+0260\"", NULL, no_date},
        {"\"CreationDate\":\"2019-05-01 10:00:00+02:0\"", NULL, no_date},
        {"\"CreationDate\":\"2019-05-01_10:00:00\"", NULL, no_date},
        {"\"CreationDate\":\"2019-02-30\"", NULL, no_date},
        {"\"CreationDate\":\"2019-02-30 10:00:00+02\"", NULL, no_date},
        {"\"CreationDate\":\"May 2019\"", NULL, no_date},
        {"\"CreationDate\":20190501", NULL, no_date},
        {"\"Tags\":\"<a><b c>\"", "[\"a\",\"b c\"]", NULL},
        {"\"Tags\":\"|a|b|\"", "[\"a\",\"b\"]", NULL},
        {"\"Tags\":\"a, b c,\"", "[\"a\",\"b c\"]", NULL},
        {"\"Tags\":\"{a,\\\"b c\\\"}\"", "[\"a\",\"b c\"]", NULL},
        {"\"Tags\":\"a;b\"", "[\"a\",\"b\"]", NULL},
        {"\"Tags\":\"[\\\"a\\\", \\\"b\\\"]\"", "[\"a\",\"b\"]", NULL},
        {"\"Tags\":[\"a\",{\"name\":\"b\"},{\"title\":\"c\"},{\"node\":{\"name\":\"d\"}}]", "[\"a\",\"b\",\"c\",\"d\"]",
         NULL},
        {"\"Tags\":\"a\"", "[\"a\"]", NULL},
        {"\"Tags\":\"a b\"", NULL, "Tags is not a list: blanks may be in a tag or between two"},
        {"\"Tags\":\"[a\"", NULL, no_tags},
        {"\"Tags\":\"[1]\"", NULL, no_tags},
        {"\"Tags\":[\"a\",2]", NULL, no_tags},
        {"\"Tags\":[{\"id\":1}]", NULL, no_tags},
        {"\"Tags\":5", NULL, no_tags},
        {"\"Score\":\"105.00\"", "105", NULL},
        {"\"Score\":-3.0", "-3", NULL},
        {"\"Score\":{\"$numberLong\":\"7\"}", "7", NULL},
        {"\"Score\":\"1.5\"", NULL, "Score is not a whole number"},
        {"\"Score\":2.5", NULL, "Score is not a whole number"},
        {"\"Score\":1e300", NULL, "Score is too large"},
        {"\"Score\":true", NULL, "Score is not a whole number"},
        {"\"Body\":5", NULL, "Body is not a string"},
        {"\"PostTypeId\":65", NULL, "PostTypeId is not the number of a type of post"},
        {"\"ParentId\":-1", NULL, "the id of its parent is not an id"},
        {"\"AcceptedAnswerId\":9007199254740992", NULL, "the id of its accepted answer is not an id"},
        {"\"OwnerUserId\":-9007199254740992", NULL, "the id of who wrote it is too large"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        struct buf record = {0}, said = {0};
        buf_addf(&record, "%s%s}", begin, values[i].given);
        read_record(buf_span(&record), &said);
        buf_reset(&record);
        if (values[i].why != NULL)
            buf_addf(&record, "refused 5: %s\n", values[i].why);
        bool right = values[i].why != NULL
                         ? strcmp(buf_cstr(&said), buf_cstr(&record)) == 0
                         : span_starts(buf_span(&said), span_of(post)) && span_has(buf_span(&said), values[i].read);
        if (!right)
            fail_msg("%s: %s", values[i].given, buf_cstr(&said));
        buf_clear(&record);
        buf_clear(&said);
    }
}

/* Records of which nothing is read: each has its reason. */
static void says_why_a_record_is_refused(void **state)
{
    static const struct {
        const char *record, *said;
    } records[] = {
        {"{\"Id\":0,\"PostTypeId\":1,\"Title\":\"t\"}", "0: no id (a number from 1 to 9007199254740991)"},
        {"{\"Id\":9007199254740992,\"Title\":\"t\"}",
         "9007199254740992: its id is too large: the largest is 9007199254740991"},
        {"{\"Id\":5,\"Body\":\"b\"}",
         "5: neither PostTypeId nor a parent nor a title: it may be a question or an answer"},
        {"{\"answer_id\":6,\"question_id\":0,\"body\":\"b\"}",
         "6: an answer of the Stack Exchange API without the id of its question"},
        {"{\"comment_id\":7,\"post_id\":0,\"body\":\"b\"}", "7: a comment without the id of its post"},
        {"{\"post_id\":5,\"title\":\"t\",\"v\":2}", "5: a version of the form that is not known (\"v\" is not 1)"},
        {"{\"post_id\":5,\"title\":\"t\",\"post_type\":\"poem\"}", "5: post_type is not one of docs/posts.md"},
        {"{\"id\":5,\"body\":\"b\",\"issue_url\":\"https://x/issues/\"}",
         "5: issue_url is not a link that ends in a number"},
        {"{\"type\":\"PushEvent\",\"actor\":{},\"repo\":{},\"payload\":{\"size\":1}}",
         "0: an event that is not of an issue, a pull request or a comment"},
        {"{\"error_id\":502,\"error_message\":\"slow down\"}",
         "0: an error that was answered in place of posts: slow down"},
        {"{\"message\":\"Not Found\",\"documentation_url\":\"u\"}",
         "0: an error that was answered in place of posts: Not Found"},
        {"{\"errors\":[{\"message\":\"no node\"}]}", "0: an error that was answered in place of posts: no node"},
        {"{\"PostId\":1,\"RelatedPostId\":2,\"LinkTypeId\":3}", "0: a link, and only posts are matched"},
        {"{\"PostId\":1,\"RelatedPostId\":2}",
         "0: no form that is known; nearest: a link of a data dump, which has LinkTypeId; ours has post_id, title, body: see docs/posts.md"},
        {"{\"PostId\":1,\"VoteTypeId\":2}", "0: a vote of Votes.xml, which is not kept: posts have their score"},
        {"{\"id\":5,\"title\":\"t\",\"body\":\"b\",\"colour\":\"red\"}",
         "5: no form that is known; nearest: a comment of GitHub, which has issue_url; ours has post_id, title, body: see docs/posts.md"},
        {"[5]", "0: an element of a list that is not an object"},
        {"5", "0: no JSON object"},
        {"{\"id\":\"\xc3\"}", "0: invalid UTF-8"},
        {"{\"backend_name\":\"GitLab\",\"category\":\"issue\",\"data\":{}}",
         "0: an item of Perceval without data or origin"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(records); i++) {
        char said[256];
        snprintf(said, sizeof said, "refused %s\n", records[i].said);
        expect(records[i].record, said);
    }
}

#define WHOLE_POST \
    "{\"v\":1,\"site\":\"github.com/a/b\",\"post_id\":7,\"post_type\":\"type_11\",\"parent_id\":6," \
    "\"accepted_answer_id\":8,\"title\":\"T \\\"q\\\"\",\"tags\":[\"a\",\"b c\"],\"score\":-2," \
    "\"view_count\":0,\"answer_count\":1,\"comment_count\":2,\"favorite_count\":3," \
    "\"created_at\":\"2018-01-02T03:04:05.678Z\",\"deleted_at\":\"2018-01-03T00:00:00.000Z\"," \
    "\"last_edited_at\":\"2018-01-04T00:00:00.000Z\"," \
    "\"last_activity_at\":\"2018-01-05T00:00:00.000Z\"," \
    "\"closed_at\":\"2018-01-06T00:00:00.000Z\"," \
    "\"community_owned_at\":\"2018-01-07T00:00:00.000Z\",\"owner_user_id\":-1," \
    "\"owner_display_name\":\"o\",\"last_editor_user_id\":9," \
    "\"last_editor_display_name\":\"e\",\"content_license\":\"CC BY-SA 4.0\"," \
    "\"url\":\"https://github.com/a/b/issues/7\",\"body_html\":\"<p>\\u001b\\u2028</p>\"}"

static void writes_what_it_reads(void **state)
{
    (void)state;
    expect(WHOLE_POST, "post " WHOLE_POST "\n");
}

static void reads_comments_and_authors(void **state)
{
    (void)state;
    expect("{\"site\": \"s\", \"post_id\": 1, \"comments\": [{\"comment_id\": 2, \"user_id\": 3,"
           " \"user_display_name\": \"u\", \"edited\": true,"
           " \"created_at\": \"2018-01-02T03:04:05\", \"body_html\": \"c\"}, {}, 7],"
           " \"authors\": [{\"user_id\": 3, \"display_name\": \"u\", \"link\": \"l\"}, {}]}",
           "post {\"v\":1,\"site\":\"s\",\"post_id\":1,\"post_type\":\"question\"}\n"
           "comment s 2 of 1 by 3 u, edited 1, at 2018-01-02T03:04:05.000Z: c\n"
           "refused 1: a comment without an id\n"
           "refused 1: a comment without an id\n"
           "author s 3 u l\n"
           "refused 1: an author without an id\n");
}

static void refuses_other_json(void **state)
{
    /* clang-format off */
    static const char *const lines[] = {
        "5", "[5]", "null", "{", "{}", "{\"id\": 0}", "{\"id\": -1}", "{\"id\": 9007199254740992}",
        "{\"id\": 1.5}", "{\"id\": \"x\"}", "{\"id\": true}", "{\"id\": null}", "{\"id\": 5} {}",
        "{\"id\": 99999999999999999999}", "{\"id\": 5, \"title\": \"\xff\"}", "\xff",
        "{\"id\": 5, \"title\": 7}", "{\"id\": 5, \"score\": \"many\"}",
        "{\"id\": 5, \"created_at\": \"yesterday\"}", "{\"id\": 5, \"created_at\": 1514862000}",
        "{\"id\": 5, \"tags\": \"a\"}", "{\"id\": 5, \"tags\": [1]}",
        "{\"id\": 5, \"post_type\": \"thing\"}", "{\"id\": 5, \"v\": 2}",
        "{\"id\": 5, \"body\": [\"b\"]}",
    };
    /* clang-format on */
    struct buf out = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        buf_reset(&out);
        read_record(span_of(lines[i]), &out);
        if (!span_starts(buf_span(&out), SPAN("refused ")) || span_has(buf_span(&out), "post {"))
            fail_msg("%s: %s", lines[i], buf_cstr(&out));
    }
    buf_clear(&out);
}

/* --- Perceval --- */

static void reads_issues_of_github(void **state)
{
    (void)state;
    expect("{\"backend_name\": \"GitHub\", \"category\": \"issue\","
           " \"origin\": \"https://github.com/a/b\", \"data\": {\"id\": 99, \"number\": 12,"
           " \"title\": \"Slow\", \"body\": \"It **hangs**.\", \"labels\": [{\"name\": \"perf\"}],"
           " \"user\": {\"id\": 3, \"login\": \"ann\", \"html_url\": \"https://github.com/ann\"},"
           " \"comments\": 2, \"created_at\": \"2020-01-02T03:04:05Z\","
           " \"updated_at\": \"2020-01-03T00:00:00Z\", \"closed_at\": null,"
           " \"html_url\": \"https://github.com/a/b/issues/12\","
           " \"reactions\": {\"+1\": 3, \"-1\": 1},"
           " \"comments_data\": [{\"id\": 12, \"body\": null, \"user\": null,"
           "  \"created_at\": \"2020-01-02T04:00:00Z\"}, {\"body\": \"no id\"}],"
           " \"review_comments_data\": [{\"id\": 12, \"body\": \"here\"}],"
           " \"reviews_data\": [{\"id\": 12, \"body\": \"\"}, {\"id\": 13, \"body\": \"fine\","
           "  \"submitted_at\": \"2020-01-02T05:00:00Z\"}]}}",
           "author github.com/a/b 3 ann https://github.com/ann\n"
           "post {\"v\":1,\"site\":\"github.com/a/b\",\"post_id\":12,\"post_type\":\"question\","
           "\"title\":\"Slow\",\"tags\":[\"perf\"],\"score\":2,\"answer_count\":2,"
           "\"created_at\":\"2020-01-02T03:04:05.000Z\","
           "\"last_activity_at\":\"2020-01-03T00:00:00.000Z\",\"owner_user_id\":3,"
           "\"owner_display_name\":\"ann\",\"url\":\"https://github.com/a/b/issues/12\","
           "\"body_html\":\"<p>It <strong>hangs</strong>.</p>\\n\"}\n"
           "post {\"v\":1,\"site\":\"github.com/a/b\",\"post_id\":100000000012,"
           "\"post_type\":\"answer\",\"parent_id\":12,"
           "\"created_at\":\"2020-01-02T04:00:00.000Z\",\"body_html\":\"\"}\n"
           "refused 12: a comment without an id\n"
           "post {\"v\":1,\"site\":\"github.com/a/b\",\"post_id\":200000000012,"
           "\"post_type\":\"answer\",\"parent_id\":12,\"body_html\":\"<p>here</p>\\n\"}\n"
           "post {\"v\":1,\"site\":\"github.com/a/b\",\"post_id\":300000000013,"
           "\"post_type\":\"answer\",\"parent_id\":12,"
           "\"created_at\":\"2020-01-02T05:00:00.000Z\",\"body_html\":\"<p>fine</p>\\n\"}\n");
}

static void reads_topics_of_discourse(void **state)
{
    (void)state;
    expect("{\"backend_name\": \"Discourse\", \"category\": \"topic\","
           " \"origin\": \"https://forum.example.org/\", \"data\": {\"id\": 40, \"title\": \"OOM\","
           " \"tags\": [\"gpu\", {\"id\": 1, \"name\": \"memory\"}], \"views\": 7,"
           " \"posts_count\": 4, \"accepted_answer\": {\"post_number\": 4, \"username\": \"bob\"},"
           " \"post_stream\": {\"posts\": ["
           "{\"id\": 101, \"post_number\": 1, \"post_type\": 1, \"cooked\": \"<p>Why?</p>\","
           " \"user_id\": 3, \"username\": \"ann\", \"created_at\": \"2020-01-02T03:04:05.678Z\","
           " \"updated_at\": \"2020-01-02T04:00:00.000Z\", \"version\": 2,"
           " \"actions_summary\": [{\"id\": 2, \"count\": 5}]},"
           "{\"id\": 102, \"post_number\": 2, \"post_type\": 3, \"cooked\": \"\"},"
           "{\"id\": 103, \"post_number\": 3, \"post_type\": 4, \"cooked\": \"psst\"},"
           "{\"id\": 104, \"post_number\": 4, \"cooked\": \"<p>So.</p>\","
           " \"actions_summary\": []}]}}}",
           "author forum.example.org 3 ann \n"
           "post {\"v\":1,\"site\":\"forum.example.org\",\"post_id\":101,"
           "\"post_type\":\"question\",\"accepted_answer_id\":104,\"title\":\"OOM\","
           "\"tags\":[\"gpu\",\"memory\"],\"score\":5,\"view_count\":7,\"answer_count\":3,"
           "\"created_at\":\"2020-01-02T03:04:05.678Z\","
           "\"last_edited_at\":\"2020-01-02T04:00:00.000Z\","
           "\"last_activity_at\":\"2020-01-02T04:00:00.000Z\",\"owner_user_id\":3,"
           "\"owner_display_name\":\"ann\",\"url\":\"https://forum.example.org/t/40/1\","
           "\"body_html\":\"<p>Why?</p>\"}\n"
           "post {\"v\":1,\"site\":\"forum.example.org\",\"post_id\":104,"
           "\"post_type\":\"answer\",\"parent_id\":101,\"score\":0,"
           "\"url\":\"https://forum.example.org/t/40/4\",\"body_html\":\"<p>So.</p>\"}\n");
}

static void reads_questions_of_stack_exchange(void **state)
{
    (void)state;
    expect("{\"backend_name\": \"StackExchange\", \"category\": \"question\","
           " \"origin\": \"datascience\", \"data\": {\"question_id\": 5, \"title\": \"a &lt; b\","
           " \"tags\": [\"keras\"], \"score\": 1, \"creation_date\": 1514862245,"
           " \"body_markdown\": \"if `a &lt; b`\", \"comment_count\": 1, \"answer_count\": 1,"
           " \"owner\": {\"user_id\": 3, \"display_name\": \"ann\", \"link\": \"l\"},"
           " \"comments\": [{\"comment_id\": 8, \"post_id\": 5, \"body_markdown\": \"*why*\"}],"
           " \"answers\": [{\"answer_id\": 6, \"question_id\": 5, \"body\": \"<p>so</p>\","
           "  \"body_markdown\": \"not this\"}]}}",
           "author datascience.stackexchange.com 3 ann l\n"
           "post {\"v\":1,\"site\":\"datascience.stackexchange.com\",\"post_id\":5,"
           "\"post_type\":\"question\",\"title\":\"a < b\",\"tags\":[\"keras\"],\"score\":1,"
           "\"answer_count\":1,\"comment_count\":1,\"created_at\":\"2018-01-02T03:04:05.000Z\","
           "\"owner_user_id\":3,\"owner_display_name\":\"ann\","
           "\"content_license\":\"CC BY-SA 3.0\","
           "\"body_html\":\"<p>if <code>a &lt; b</code></p>\\n\"}\n"
           "comment datascience.stackexchange.com 8 of 5 by -9223372036854775808 , edited"
           " -9223372036854775808, at : <p><em>why</em></p>\n\n"
           "post {\"v\":1,\"site\":\"datascience.stackexchange.com\",\"post_id\":6,"
           "\"post_type\":\"answer\",\"parent_id\":5,\"body_html\":\"<p>so</p>\"}\n");
}

static void refuses_other_items(void **state)
{
    (void)state;
#define NO_ITEM \
    "refused 0: an item of Perceval that is not of StackExchange, GitHub, GitLab, Discourse, Jira or Bugzilla, " \
    "or neither question, issue, pull request, topic nor bug\n"
    expect("{\"backend_name\": \"Git\", \"category\": \"commit\", \"data\": {}}", NO_ITEM);
    expect("{\"backend_name\": \"GitHub\", \"category\": \"repository\", \"origin\": \"o\","
           " \"data\": {}}",
           NO_ITEM);
    expect("{\"backend_name\": \"GitHub\", \"origin\": \"o\", \"data\": {\"number\": -1}}",
           "refused 0: no id (a number from 1 to 9007199254740991)\n");
    expect("{\"backend_name\": \"GitHub\", \"origin\": \"\", \"data\": {\"number\": 1}}",
           "refused 0: an item of Perceval without data or origin\n");
    expect("{\"backend_name\": \"Discourse\", \"origin\": \"o\", \"data\": {\"id\": 1}}",
           "refused 0: no id (a number from 1 to 9007199254740991)\n");
}

/* A short text that names a long link very often. */
static void bounds_what_markdown_grows_to(void **state)
{
    struct buf record = {0}, out = {0};

    (void)state;
    buf_add_text(&record, "{\"id\": 1, \"body_markdown\": \"[a]: http://");
    for (int i = 0; i < 20000; i++)
        buf_add_char(&record, 'x');
    buf_add_text(&record, "\\n\\n");
    for (int i = 0; i < 20000; i++)
        buf_add_text(&record, "[a]");
    buf_add_text(&record, "\"}");
    read_record(buf_span(&record), &out);
    assert_true(span_has(buf_span(&out), "[a][a]"));
    assert_true(out.len < 2 * record.len);
    buf_clear(&record);
    buf_clear(&out);
}

/* --- records of a file --- */

static char path[] = "ndjsonXXXXXX";

static enum status tell_record(void *ctx, struct span record, uint64_t offset, struct err *e)
{
    (void)e;
    buf_addf(ctx, "%llu: %.*s\n", (unsigned long long)offset, (int)(record.len < 40 ? record.len : 40), record.ptr);
    return ST_OK;
}

static void tell_unread(void *ctx, uint64_t offset, const char *why)
{
    buf_addf(ctx, "%llu: %s\n", (unsigned long long)offset, why);
}

static enum status read_records(struct span bytes, struct buf *out, uint64_t *n, struct err *e)
{
    struct ndjson_handler handler = {.ctx = out, .record = tell_record, .refused = tell_unread};
    struct source *source;

    assert_int_equal(file_write(path, false, bytes, path, e), ST_OK);
    assert_int_equal(source_open(&source, path, e), ST_OK);
    enum status status = ndjson_each(source, &handler, n, e);
    source_close(source);
    return status;
}

static void expect_records(struct span bytes, const char *lines)
{
    struct buf out = {0};
    uint64_t n;
    struct err e;

    assert_int_equal(read_records(bytes, &out, &n, &e), ST_OK);
    assert_int_equal(n, bytes.len);
    assert_string_equal(buf_cstr(&out), lines);
    buf_clear(&out);
}

static void takes_lines(void **state)
{
    (void)state;
    expect_records(SPAN(""), "");
    expect_records(SPAN("\n \n"), "");
    expect_records(SPAN("{\"id\":1}"), "0: {\"id\":1}\n");
    expect_records(SPAN("\xef\xbb\xbf{\"id\":1}\r\n\n{\"id\":2}\n"), "0: {\"id\":1}\n14: {\"id\":2}\n");
}

/* As Perceval prints items unless it is told otherwise. */
static void takes_indented_objects(void **state)
{
    (void)state;
    expect_records(SPAN("{\n    \"id\": 1,\n    \"x\": {\n    }\n}\n{\n    \"id\": 2\n}\n"),
                   "0: {\n    \"id\": 1,\n    \"x\": {\n    }\n}\n34: {\n    \"id\": 2\n}\n");
    expect_records(SPAN("\xef\xbb\xbf{\r\n  \"id\": 1\r\n}\r\n{\"id\":2}\n{\n\"id\":3\n}"),
                   "0: {\r\n  \"id\": 1\r\n}\n20: {\"id\":2}\n29: {\n\"id\":3\n}\n");
}

/* A record of which the end is missing ends the file in its middle; one that is broken is one record. */
static void names_a_cut(void **state)
{
    static const struct {
        const char *last;
        bool is_cut;
    } cases[] = {
        {"{", true},
        {"{\"id", true},
        {"{\"id\":", true},
        {"{\"id\":2", true},
        {"{\"id\":-", true},
        {"{\"id\":2,\"x\":tru", true},
        {"{\"x\":\"\\", true},
        {"{\"x\":\"\\u12", true},
        {"{\"x\":\"\\ud83d", true},
        {"{\"x\":\"\xc3", true},
        {"{\"x\":[1,", true},
        {"{\n\"x\":{\n}", true},
        {"{\"id\":2}", false},
        {"{\"id\":2,}", false},
        {"{\"id\":2} {", true},
        {"{\"id\":2} {\"id\":3}{\"id", true},
        {"{\"id\":2} {\"id\":3}", false},
        {"{\"id\":2} x", false},
        {"{}}", false},
        {"[1,", false},
        {"{\"x\":\"\xc3\"}", false},
        {"x", false},
        {"{\"id\":2 3}", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf file = {0}, out = {0};
        uint64_t n;
        struct err e;
        buf_addf(&file, "{\"id\":1}\n%s", cases[i].last);
        enum status status = read_records(buf_span(&file), &out, &n, &e);
        if (status != (cases[i].is_cut ? ST_INPUT : ST_OK))
            fail_msg("%s: %d", cases[i].last, status);
        assert_true(!cases[i].is_cut || strcmp(buf_cstr(&out), "0: {\"id\":1}\n") == 0);
        buf_clear(&file);
        buf_clear(&out);
    }
}

static void leaves_out_long_records(void **state)
{
    struct buf bytes = {0};
    size_t n = NDJSON_RECORD_MAX + 4096;

    (void)state;
    buf_add_text(&bytes, "{\"id\":1}\n{\"id\":2,\"x\":\"");
    buf_reserve(&bytes, n);
    memset(bytes.ptr + bytes.len, 'x', n);
    bytes.len += n;
    buf_add_text(&bytes, "\"}\n{\"id\":3}\n");
    expect_records(buf_span(&bytes), "0: {\"id\":1}\n9: longer than 64 MiB\n67112985: {\"id\":3}\n");
    bytes.ptr[bytes.len - 12] = '\n'; /* the same of an indented one */
    for (size_t i = 11; i < n; i += 100)
        bytes.ptr[i] = '\n';
    memcpy(bytes.ptr + 9, "{\n", 2);
    expect_records(buf_span(&bytes), "0: {\"id\":1}\n9: longer than 64 MiB\n67112985: {\"id\":3}\n");
    buf_clear(&bytes);
}

static int make_path(void **state)
{
    (void)state;
    return close(mkstemp(path));
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_posts),
        cmocka_unit_test(reads_values_in_many_spellings),
        cmocka_unit_test(says_why_a_record_is_refused),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(reads_comments_and_authors),
        cmocka_unit_test(refuses_other_json),
        cmocka_unit_test(reads_issues_of_github),
        cmocka_unit_test(reads_topics_of_discourse),
        cmocka_unit_test(reads_questions_of_stack_exchange),
        cmocka_unit_test(refuses_other_items),
        cmocka_unit_test(bounds_what_markdown_grows_to),
        cmocka_unit_test(takes_lines),
        cmocka_unit_test(takes_indented_objects),
        cmocka_unit_test(names_a_cut),
        cmocka_unit_test(leaves_out_long_records),
    };

    return cmocka_run_group_tests(tests, make_path, remove_path);
}
