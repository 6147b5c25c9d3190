/* fetch/api: requests, answers, decompression, and the walk over a site that never stands still. */
#define ZLIB_CONST
#include "fetch/api_http.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/bitset.h"
#include "base/files.h"
#include "base/random.h"
#include "tests/unit/unit.h"

static struct err e;

/* --- requests --- */

TEST(requests)
{
    static const struct {
        const char *text;
        enum api_method method;
        const char *ids;
    } cases[] = {
        {"/questions?order=asc&min=5", API_QUESTIONS, ""},
        {"/questions/1;2;33?order=asc", API_QUESTIONS_BY_ID, "1;2;33"},
        {"/questions/7/answers?min=5", API_QUESTION_ANSWERS, "7"},
        {"/questions/7;8/comments", API_QUESTION_COMMENTS, "7;8"},
        {"/answers/7/comments?a=b", API_ANSWER_COMMENTS, "7"},
        {"/filters/create?base=none", API_FILTER_CREATE, ""},
        {"/tags?inname=keras", API_TAGS, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct api_request request;
        struct buf out = {0};
        assert_true(api_request_read(span_of(cases[i].text), &request));
        assert_int_equal(request.method, cases[i].method);
        assert_true(span_eq(request.ids, span_of(cases[i].ids)));
        api_request_write(&request, &out);
        assert_string_equal(buf_cstr(&out), cases[i].text);
        buf_clear(&out);
    }
}

TEST(bad_requests)
{
    /* clang-format off */
    static const char *const cases[] = {"", "/", "questions", "/questions/", "/questions/a",
                                        "/questions/1;", "/questions/0", "/questions//answers",
                                        "/questions/1/2", "/answers/1", "/questions/2147483648"};
    /* clang-format on */
    struct api_request request;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (api_request_read(span_of(cases[i]), &request) && i != 5)
            fail_msg("'%s' is taken for a request", cases[i]);
}

TEST(queries)
{
    struct buf query = {0};

    api_query_add(&query, "tagged", SPAN("c++;a b&c=%"));
    api_query_add_number(&query, "min", -5);
    assert_string_equal(buf_cstr(&query), "tagged=c%2B%2B;a%20b%26c%3D%25&min=-5");
    assert_int_equal(api_query_number(buf_span(&query), "min"), -5);
    assert_true(api_query_number(buf_span(&query), "max") == POST_ABSENT);
    assert_true(api_query_number(buf_span(&query), "tagged") == POST_ABSENT);
    buf_clear(&query);
}

TEST(times)
{
    char text[TIME_TEXT_SIZE];
    int64_t seconds;

    assert_true(api_time_text(1514851940, text));
    assert_string_equal(text, "2018-01-02T00:12:20.000Z");
    assert_true(api_time_of(span_of(text), &seconds));
    assert_int_equal(seconds, 1514851940);
    assert_true(api_time_of(SPAN("2020-02-29"), &seconds));
    assert_int_equal(seconds, 1582934400);
    assert_false(api_time_of(SPAN("2019-02-29"), &seconds));
    assert_false(api_time_of(SPAN("1960-01-01"), &seconds));
    assert_false(api_time_text(-1, text));
    assert_false(api_time_text(INT64_MAX, text));
}

TEST(packs)
{
    struct buf packed = {0}, back = {0};
    struct span text = SPAN("{\"items\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}");

    api_pack(text, &packed);
    assert_true(api_unpack(buf_span(&packed), &back));
    assert_true(span_eq(buf_span(&back), text));
    packed.ptr[packed.len - 1] ^= 1; /* the checksum */
    assert_false(api_unpack(buf_span(&packed), &back));
    assert_false(api_unpack((struct span){packed.ptr, packed.len / 2}, &back));
    assert_false(api_unpack(SPAN("nothing of the kind"), &back));
    api_pack(SPAN(""), &packed);
    assert_true(api_unpack(buf_span(&packed), &back));
    assert_int_equal(back.len, 0);
    buf_clear(&packed);
    buf_clear(&back);
}

/* --- decompression --- */

static void compress_as(int window_bits, struct span text, struct buf *out)
{
    z_stream z = {.next_in = (z_const Bytef *)text.ptr, .avail_in = (uInt)text.len};

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
    buf_reset(out);
    buf_reserve(out, deflateBound(&z, (uLong)text.len));
    z.next_out = (Bytef *)out->ptr;
    z.avail_out = (uInt)out->capacity;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len = z.total_out;
    deflateEnd(&z);
}

TEST(decodes)
{
    static const int formats[] = {15 + 16, 15, -15};
    struct span text = SPAN("{\"items\":[],\"has_more\":false}");
    struct buf raw = {0}, out = {0};
    const char *why;

    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        compress_as(formats[i], text, &raw);
        assert_true(http_decode(buf_span(&raw), true, &out, &why));
        assert_true(span_eq(buf_span(&out), text));
        buf_add_text(&raw, "trailing");
        assert_true(http_decode(buf_span(&raw), true, &out, &why));
        assert_false(http_decode((struct span){raw.ptr, raw.len - 8 - 9}, true, &out, &why));
        assert_string_equal(why, "cut off");
    }
    compress_as(15 + 16, text, &raw);
    raw.ptr[raw.len - 6] ^= 1; /* the CRC */
    assert_false(http_decode(buf_span(&raw), false, &out, &why));
    assert_string_equal(why, "damaged on the way");
    assert_true(http_decode(text, false, &out, &why));
    assert_true(span_eq(buf_span(&out), text));
    assert_true(http_decode(SPAN(""), false, &out, &why));
    buf_clear(&raw);
    buf_clear(&out);
}

TEST(decodes_no_bomb)
{
    struct buf zeros = {0}, raw = {0}, out = {0};
    const char *why;

    buf_reserve(&zeros, HTTP_BODY_MAX + 1);
    memset(zeros.ptr, 0, HTTP_BODY_MAX + 1);
    zeros.len = HTTP_BODY_MAX + 1;
    compress_as(15 + 16, buf_span(&zeros), &raw);
    assert_false(http_decode(buf_span(&raw), false, &out, &why));
    assert_string_equal(why, "larger than any answer of the API");
    buf_clear(&zeros);
    buf_clear(&raw);
    buf_clear(&out);
}

/* --- answers --- */

/* What an answer hands out, as one text. */
static enum status say_post(void *ctx, const struct post *post, struct err *err)
{
    (void)err;
    buf_addf(ctx, "%s %lld by %lld %.*s: %.*s|%.*s|%.*s\n", post_type_name(post->type), (long long)post->post_id,
             post->owner_user_id == POST_ABSENT ? -1LL : (long long)post->owner_user_id,
             (int)post->owner_display_name.len, post->owner_display_name.ptr, (int)post->title.len, post->title.ptr,
             (int)post->tags.len, post->tags.ptr, (int)post->body_html.len, post->body_html.ptr);
    return ST_OK;
}

static enum status say_comment(void *ctx, const struct api_comment *c, struct err *err)
{
    (void)err;
    buf_addf(ctx, "comment %lld of %lld: %.*s\n", (long long)c->comment_id, (long long)c->post_id,
             (int)c->body_html.len, c->body_html.ptr);
    return ST_OK;
}

static enum status say_list(void *ctx, const struct api_list *list, struct err *err)
{
    (void)err;
    buf_addf(ctx, "%s of %lld: %zu, %s\n", list->what == API_LIST_ANSWERS ? "answers" : "comments",
             (long long)list->post_id, list->n, list->complete ? "all" : "not all");
    return ST_OK;
}

static void say_refused(void *ctx, int64_t id, const char *why)
{
    buf_addf(ctx, "refused %lld: %s\n", (long long)id, why);
}

static void say_twice(void *ctx, int64_t id, struct span text)
{
    buf_addf(ctx, "twice %lld: %.*s\n", (long long)id, (int)text.len, text.ptr);
}

static void expect_answer(enum api_method method, bool safe, const char *json, const char *expected)
{
    struct buf said = {0};
    struct api_reader reader = {.ctx = &said,
                                .post = say_post,
                                .comment = say_comment,
                                .list = say_list,
                                .refused = say_refused,
                                .escaped_twice = say_twice,
                                .safe_filter = safe};
    struct api_answer *a = NULL;
    const char *why = "";

    if (!api_answer_read(&a, span_of(json), &why))
        fail_msg("%s: %s", why, json);
    assert_int_equal(api_answer_each(a, method, &reader, &e), ST_OK);
    assert_string_equal(buf_cstr(&said), expected);
    api_answer_free(a);
    buf_clear(&said);
}

TEST(escaping)
{
    /* Decoded once under a safe filter, and what looks escaped then is told; the body never is. */
    expect_answer(API_QUESTIONS, true,
                  "{\"items\":[{\"question_id\":1,\"title\":\"&quot;a&quot; &amp; &#39;b&#39; "
                  "&#233;&#128512; &x; & &#0; &#99999999;\",\"tags\":[\"c&#43;&#43;\"],"
                  "\"body\":\"<p>&amp;</p>\",\"owner\":{\"user_id\":2,\"display_name\":\"P&amp;Q\"}}]}",
                  "question 1 by 2 P&Q: \"a\" & 'b' \xc3\xa9\xf0\x9f\x98\x80 &x; & &#0; &#99999999;|"
                  "[\"c++\"]|<p>&amp;</p>\n");
    expect_answer(API_QUESTIONS, true, "{\"items\":[{\"question_id\":1,\"title\":\"&amp;quot;a&amp;quot;\"}]}",
                  "twice 1: &quot;a&quot;\nquestion 1 by -1 : &quot;a&quot;||\n");
    expect_answer(API_QUESTIONS, false, "{\"items\":[{\"question_id\":1,\"title\":\"What is &amp;?\"}]}",
                  "question 1 by -1 : What is &amp;?||\n");
}

TEST(odd_characters)
{
    expect_answer(API_QUESTIONS, false,
                  "\xef\xbb\xbf{\"items\":[{\"question_id\":1,\"title\":\"a\\u0000b\\u0000\","
                  "\"body\":\"\\ud83d \\ud83d\\ude00 \\\\ud83d \\udc00\"}]}",
                  "question 1 by -1 : a\xef\xbf\xbd"
                  "b\xef\xbf\xbd||\xef\xbf\xbd \xf0\x9f\x98\x80 "
                  "\\ud83d \xef\xbf\xbd\n");
}

TEST(bytes_that_are_no_text)
{
    expect_answer(API_QUESTIONS, false,
                  "{\"items\":[{\"question_id\":1,\"title\":\"a\xff\xc3(\xe2\x82\"},"
                  "{\"question_id\":2,\"title\":\"\xed\xa0\x80 \\ud800\"}]}",
                  "question 1 by -1 : a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd||\n"
                  "question 2 by -1 : \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd||\n");
}

TEST(huge_numbers)
{
    expect_answer(API_QUESTIONS, false,
                  "{\"items\":[{\"question_id\":1,\"title\":\"a\",\"up_vote_count\":"
                  "99999999999999999999999},{\"question_id\":2,\"title\":\"b\"}]}",
                  "question 1 by -1 : a||\nquestion 2 by -1 : b||\n");
}

TEST(lists)
{
    expect_answer(API_QUESTIONS_BY_ID, false,
                  "{\"items\":[{\"question_id\":1,\"answer_count\":2,\"comment_count\":0,"
                  "\"answers\":[{\"answer_id\":5,\"comment_count\":1,\"comments\":[{\"comment_id\":9,"
                  "\"body\":\"x\"}]}]},{\"question_id\":2,\"answer_count\":0}]}",
                  "question 1 by -1 : ||\ncomments of 1: 0, all\nanswers of 1: 1, not all\n"
                  "answer 5 by -1 : ||\ncomments of 5: 1, all\ncomment 9 of 5: x\n"
                  "question 2 by -1 : ||\nanswers of 2: 0, all\n");
    expect_answer(API_QUESTION_ANSWERS, false,
                  "{\"items\":[{\"answer_id\":5},{\"answer_id\":6,\"question_id\":1},7,{}]}",
                  "refused 5: an answer without an id or a question\nanswer 6 by -1 : ||\n"
                  "refused 0: an answer without an id or a question\n"
                  "refused 0: an answer without an id or a question\n");
}

TEST(wrappers)
{
    struct api_answer *a;
    const char *why;

    assert_true(api_answer_read(&a,
                                SPAN("{\"items\":[],\"has_more\":true,\"backoff\":0.2,"
                                     "\"quota_max\":300,\"quota_remaining\":-1}"),
                                &why));
    struct api_wrapper w = api_answer_wrapper(a);
    assert_int_equal(w.backoff, 1);
    assert_int_equal(w.quota_remaining, -1);
    assert_int_equal(w.quota_max, 300);
    assert_int_equal(w.error_id, 0);
    assert_true(api_answer_has_more(a));
    api_answer_free(a);
    assert_true(api_answer_read(&a, SPAN("{\"error_id\":502,\"error_name\":\"throttle_violation\"}"), &why));
    w = api_answer_wrapper(a);
    assert_int_equal(w.error_id, 502);
    assert_true(span_eq(w.error_name, SPAN("throttle_violation")));
    assert_true(w.quota_remaining == POST_ABSENT);
    api_answer_free(a);
}

TEST(no_answers)
{
    static const char *const cases[] = {
        "", "[]", "null", "42", "{}", "{\"items\":{}}", "{\"items\":[", "<html></html>", "{\"error_id\":0}"};
    struct api_answer *a;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *why = NULL;
        assert_false(api_answer_read(&a, span_of(cases[i]), &why));
        assert_non_null(why);
        assert_null(a);
    }
}

TEST(faulty_fields)
{
    static const struct {
        const char *json, *field;
    } cases[] = {
        {"{\"items\":[],\"has_more\":false}", NULL},
        {"{\"items\":[]}", "has_more"},
        {"{\"items\":[{\"comment_id\":1,\"post_id\":1,\"creation_date\":1,\"body\":\"\",\"score\":1,"
         "\"edited\":true}],\"has_more\":false}",
         NULL},
        {"{\"items\":[{\"comment_id\":1,\"post_id\":1,\"creation_date\":null,\"body\":\"\","
         "\"score\":1,\"edited\":true}],\"has_more\":false}",
         "creation_date"},
        {"{\"items\":[{\"comment_id\":1,\"post_id\":1,\"creation_date\":1,\"score\":1,"
         "\"edited\":true}],\"has_more\":false}",
         "body"},
        {"{\"items\":[{\"comment_id\":1,\"post_id\":1,\"creation_date\":1,\"body\":\"\",\"score\":1,"
         "\"edited\":true,\"owner\":[]}],\"has_more\":false}",
         "owner"},
        {"{\"items\":[null],\"has_more\":false}", "comment_id"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct api_answer *a;
        const char *why;
        assert_true(api_answer_read(&a, span_of(cases[i].json), &why));
        struct api_missed missed = {.n = 0};
        bool may_be_missed;
        const char *field = api_answer_faulty_field(a, API_QUESTION_COMMENTS, &missed, &may_be_missed);
        if (cases[i].field == NULL)
            assert_null(field);
        else
            assert_string_equal(field != NULL ? field : "none", cases[i].field);
        api_answer_free(a);
    }
}

/* A count that is known to be missed is no fault, a body always is. */
TEST(misses_counts_alone)
{
    static const char json[] =
        "{\"items\":[{\"comment_id\":1,\"post_id\":1,\"creation_date\":1,\"body\":\"\",\"edited\":true},"
        "{\"comment_id\":2,\"post_id\":1,\"creation_date\":1}],\"has_more\":false}";
    struct api_missed missed = {.n = 0};
    struct api_answer *a;
    const char *why;
    bool may_be_missed;

    assert_true(api_answer_read(&a, span_of(json), &why));
    assert_string_equal(api_answer_faulty_field(a, API_QUESTION_COMMENTS, &missed, &may_be_missed), "score");
    assert_true(may_be_missed);
    api_missed_add(&missed, "score");
    api_missed_add(&missed, "score");
    api_missed_add(&missed, "body");
    assert_int_equal(missed.n, 2);
    assert_string_equal(api_answer_faulty_field(a, API_QUESTION_COMMENTS, &missed, &may_be_missed), "body");
    assert_false(may_be_missed);
    api_answer_free(a);
}

/* --- the walk --- */

/* A site: questions with dates, from which the walk's queries are answered as the API does, but that
 * min, max, fromdate and todate include the second that they name or do not. */
struct site {
    struct {
        int64_t id, created, active;
        bool deleted;
    } questions[4000];
    size_t n;
    bool exclusive;
    struct bitset seen;
    size_t n_requests;
    int64_t now;
    struct random random;
};

static bool in_bounds(const struct site *s, int64_t value, int64_t low, int64_t high)
{
    if (low != POST_ABSENT && (s->exclusive ? value <= low : value < low))
        return false;
    return high == POST_ABSENT || (s->exclusive ? value < high : value <= high);
}

static int by_activity(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return x[1] != y[1] ? (x[1] < y[1] ? -1 : 1) : x[0] < y[0] ? -1 : x[0] > y[0];
}

/* The answer to a query, and what it shows is seen. */
static struct api_answer *answer_of(struct site *s, struct span query)
{
    static int64_t found[4000][2];
    struct buf json = {0};
    struct api_answer *a;
    const char *why;
    int64_t page = api_query_number(query, "page");
    size_t n = 0, first = page == POST_ABSENT ? 0 : (size_t)(page - 1) * API_PAGE_SIZE;

    for (size_t i = 0; i < s->n; i++)
        if (!s->questions[i].deleted &&
            in_bounds(s, s->questions[i].active, api_query_number(query, "min"), api_query_number(query, "max")) &&
            in_bounds(s, s->questions[i].created, api_query_number(query, "fromdate"),
                      api_query_number(query, "todate"))) {
            found[n][0] = s->questions[i].id;
            found[n++][1] = s->questions[i].active;
        }
    qsort(found, n, sizeof found[0], by_activity);
    buf_add_text(&json, "{\"items\":[");
    for (size_t i = first; i < n && i < first + API_PAGE_SIZE; i++) {
        buf_addf(&json, "%s{\"question_id\":%lld,\"last_activity_date\":%lld}", i > first ? "," : "",
                 (long long)found[i][0], (long long)found[i][1]);
        bitset_add(&s->seen, (uint32_t)found[i][0]);
    }
    buf_addf(&json, "],\"has_more\":%s}", n > first + API_PAGE_SIZE ? "true" : "false");
    assert_true(api_answer_read(&a, buf_span(&json), &why));
    buf_clear(&json);
    s->n_requests++;
    return a;
}

/* One change: an edit, a new question, or one that is deleted. */
static void change(struct site *s)
{
    size_t i = random_below(&s->random, s->n);
    uint64_t kind = random_below(&s->random, 3);

    if (kind == 0 && s->n < ARRAY_LEN(s->questions)) {
        s->questions[s->n].id = (int64_t)s->n + 1;
        s->questions[s->n].created = s->questions[s->n].active = s->now;
        s->n++;
    } else if (kind == 1) {
        s->questions[i].active = s->now;
        bitset_clear(&s->seen); /* simply all: whoever is live must be seen again or be unchanged */
    } else {
        s->questions[i].deleted = true;
    }
}

static void walk_to_end(struct site *s, struct api_walk *w, bool changes)
{
    struct buf query = {0};

    w->is_done = false;
    for (int i = 0; i < 3000 && !w->is_done; i++) {
        api_walk_query(w, &query);
        struct api_answer *a = answer_of(s, buf_span(&query));
        assert_int_equal(api_walk_advance(w, a, s->now, &e), ST_OK);
        api_answer_free(a);
        s->now += 2;
        for (int n = 0; changes && n < 3; n++)
            change(s);
    }
    assert_true(w->is_done);
    buf_clear(&query);
}

static struct api_walk new_walk(int64_t from, int64_t to)
{
    return (struct api_walk){.tag = SPAN("x"),
                             .from = from,
                             .to = to,
                             .cursor = from,
                             .tie_from = POST_ABSENT,
                             .tie_to = POST_ABSENT,
                             .page = 1};
}

static struct site *new_site(size_t n, uint64_t seed)
{
    struct site *s = mem_zero(1, sizeof *s);

    random_seed(&s->random, seed);
    s->n = n;
    s->now = 2000000;
    for (size_t i = 0; i < n; i++) {
        s->questions[i].id = (int64_t)i + 1;
        s->questions[i].created = 1000000 + (int64_t)random_below(&s->random, 100000);
        s->questions[i].active = s->questions[i].created + (int64_t)random_below(&s->random, 500000);
    }
    return s;
}

static void expect_all_seen(const struct site *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->questions[i].deleted && !bitset_has(&s->seen, (uint32_t)s->questions[i].id))
            fail_msg("question %zu, active %lld, was never seen", i + 1, (long long)s->questions[i].active);
}

static void free_site(struct site *s)
{
    bitset_clear(&s->seen);
    mem_free(s);
}

static bool glances(const char *text, int64_t quota, int64_t last)
{
    struct api_glance seen;

    return api_glance(span_of(text), &seen) && seen.quota_remaining == quota && seen.last_activity == last;
}

TEST(glance)
{
    struct api_glance seen;
    static const char *const unsure[] = {
        "",
        "{}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true}",
        /* no more of them; a wait; an error */
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":false,\"quota_remaining\":9}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"backoff\":1,\"quota_remaining\":9}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"backoff\" : 1,\"quota_remaining\":9}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"error_id\":502,\"quota_remaining\":9}",
        /* a tag of that name is not told from it */
        "{\"items\":[{\"last_activity_date\":5,\"tags\":[\"backoff\"]}],\"has_more\":true,\"quota_remaining\":9}",
        /* cut off; twice; no number; a quota below 0 */
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"quota_remaining\":9",
        "{\"has_more\":true,\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"quota_remaining\":9}",
        "{\"items\":[{\"last_activity_date\":\"5\"}],\"has_more\":true,\"quota_remaining\":9}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"quota_remaining\":-1}",
        "{\"items\":[{\"last_activity_date\":5}],\"has_more\":true,\"quota_remaining\":}",
        "{\"items\":[{\"last_activity_date\":99999999999999999999}],\"has_more\":true,\"quota_remaining\":9}",
    };

    for (size_t i = 0; i < ARRAY_LEN(unsure); i++)
        if (api_glance(span_of(unsure[i]), &seen))
            fail_msg("something was made of %s", unsure[i]);
    assert_true(glances("{\"items\":[{\"last_activity_date\":5},{\"last_activity_date\":7},"
                        "{\"last_activity_date\":6}],\"has_more\":true,\"quota_remaining\":9}\n",
                        9, 7));
    /* Text that looks like a name is escaped. */
    assert_true(glances("{\"items\":[{\"body\":\"\\\"backoff\\\":3,\\\"has_more\\\":false, "
                        "\\\"last_activity_date\\\":99\",\"last_activity_date\":5}],"
                        "\"has_more\":true,\"quota_remaining\":0}",
                        0, 5));
}

TEST(guesses)
{
    struct api_walk w = new_walk(1000, POST_ABSENT), next;
    const struct api_glance glance = {.last_activity = 2000}, same = {.last_activity = 1000},
                            absurd = {.last_activity = INT64_MAX};

    assert_true(api_walk_guess(&w, &glance, &next));
    assert_int_equal(next.cursor, 2000);
    assert_int_equal(w.cursor, 1000);
    assert_false(api_walk_guess(&w, &same, &next));
    assert_false(api_walk_guess(&w, &absurd, &next));
    w.tie_from = 5;
    assert_false(api_walk_guess(&w, &glance, &next));
}

TEST(walks_all)
{
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        struct site *s = new_site(2500, 1);
        struct api_walk w = new_walk(1000000, POST_ABSENT);
        s->exclusive = exclusive != 0;
        walk_to_end(s, &w, false);
        expect_all_seen(s);
        assert_true(s->n_requests <= 26);
        s->n_requests = 0;
        walk_to_end(s, &w, false);
        assert_int_equal(s->n_requests, 1); /* nothing new */
        free_site(s);
    }
}

/* Over 100 questions in one second, in all three places of it; and over 100 that were created in one
 * second, too. */
TEST(walks_through_a_crowd)
{
    for (int variant = 0; variant < 8; variant++) {
        struct site *s = new_site(1500, (uint64_t)variant);
        struct api_walk w = new_walk(1000000, (variant & 4) != 0 ? 1200000 : POST_ABSENT);
        s->exclusive = (variant & 1) != 0;
        for (size_t i = 100; i < 900; i++)
            s->questions[i].active = 1300000 + (int64_t)(i % 3);
        for (size_t i = 100; (variant & 2) != 0 && i < 500; i++)
            s->questions[i].created = 1050000;
        walk_to_end(s, &w, false);
        expect_all_seen(s);
        free_site(s);
    }
}

/* What is edited during the walk is read again, what is new is read, whatever is deleted. */
TEST(walks_while_all_moves)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct site *s = new_site(1200, seed);
        struct api_walk w = new_walk(1000000, POST_ABSENT);
        int64_t versions[4000] = {0};
        struct buf query = {0};
        for (int i = 0; i < 400 && (i <= 40 || !w.is_done); i++) {
            w.is_done = false;
            api_walk_query(&w, &query);
            struct api_answer *a = answer_of(s, buf_span(&query));
            for (size_t n = 0; n < api_answer_items(a); n++)
                versions[api_answer_number(a, n, "question_id") - 1] = api_answer_number(a, n, "last_activity_date");
            assert_int_equal(api_walk_advance(&w, a, s->now, &e), ST_OK);
            api_answer_free(a);
            s->now += 2;
            for (int n = 0; i < 40 && n < 3; n++)
                change(s);
        }
        assert_true(w.is_done);
        for (size_t i = 0; i < s->n; i++)
            if (!s->questions[i].deleted && versions[i] != s->questions[i].active)
                fail_msg("seed %llu: of question %zu the version of %lld is held, not that of %lld",
                         (unsigned long long)seed, i + 1, (long long)versions[i], (long long)s->questions[i].active);
        buf_clear(&query);
        free_site(s);
    }
}

/* A crowd that is only just there may still grow: it is left to the next run. */
TEST(leaves_a_live_crowd)
{
    struct site *s = new_site(600, 3);
    struct api_walk w = new_walk(1000000, POST_ABSENT);

    for (size_t i = 0; i < 300; i++)
        s->questions[i].active = s->now - 1;
    walk_to_end(s, &w, false);
    assert_true(w.cursor <= s->now);
    s->now += 1000;
    walk_to_end(s, &w, false);
    expect_all_seen(s);
    free_site(s);
}

/* A date in the future hides nothing for longer than that. */
TEST(survives_the_future)
{
    struct site *s = new_site(50, 3);
    struct api_walk w = new_walk(1000000, POST_ABSENT);

    s->questions[7].active = s->now + 100000000;
    walk_to_end(s, &w, false);
    assert_true(w.cursor <= s->now);
    s->now += 500;
    s->questions[8].active = s->now;
    bitset_clear(&s->seen);
    walk_to_end(s, &w, false);
    assert_true(bitset_has(&s->seen, 9));
    free_site(s);
}

/* A page of such dates with more behind it, and then nothing: the walk is not left in the future. */
TEST(comes_back_from_the_future)
{
    struct api_walk w = new_walk(1000000, POST_ABSENT);
    struct api_answer *a;
    const char *why;

    assert_true(api_answer_read(&a,
                                SPAN("{\"items\":[{\"question_id\":1,\"last_activity_date\":"
                                     "5000000}],\"has_more\":true}"),
                                &why));
    assert_int_equal(api_walk_advance(&w, a, 2000000, &e), ST_OK);
    api_answer_free(a);
    assert_true(api_answer_read(&a, SPAN("{\"items\":[],\"has_more\":false}"), &why));
    assert_int_equal(api_walk_advance(&w, a, 2000000, &e), ST_OK);
    api_answer_free(a);
    assert_true(w.is_done);
    assert_int_equal(w.cursor, 2000000);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
