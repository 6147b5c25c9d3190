/* Tests of web: requests as data, without a socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/facet_table.h"
#include "label/exchange/published.h"
#include "match/corpus/derived.h"
#include "label/coding/decisions.h"
#include "db/posts.h"
#include "db/study.h"
#include "web/web.h"
#include "base/files.h"

static struct err e;

#define OK(call) expect_ok((call), __LINE__)

static void expect_ok(enum status status, int line)
{
    if (status != ST_OK)
        fail_msg("line %d: status %d: %s", line, (int)status, e.text);
}

/* --- a database with posts, and the pages on it --- */

struct place {
    char folder[64], file[96];
    struct web *web;
    struct buf cookie;
    struct web_answer answer;
};

static void put_post(struct db *db, int64_t run, int64_t id, const char *title, const char *body)
{
    struct post post = post_empty();
    enum db_put what;

    post.post_id = id;
    post.type = POST_QUESTION;
    post.title = span_of(title);
    post.body_html = span_of(body);
    post.owner_display_name = SPAN("<i onclick=\"x\">who</i>");
    post.tags = SPAN("[\"keras\",\"<b>\"]");
    OK(db_post_put(db, &post, &(struct db_origin){.run_id = run}, &what, &e));
}

static void put_study(struct db *db)
{
    struct study study;
    struct facets facets;
    struct codebook book;

    OK(study_load(&study, NULL, &e));
    OK(facets_of_study(&facets, &study, &e));
    OK(codebook_of_study(&book, &facets, &study, &e));
    for (size_t i = 0; i < study.n_files; i++)
        OK(db_study_file_put(db, study.files[i].name, study.files[i].content, &e));
    OK(published_put(db, &study, &facets, &book, NULL, &e));
    codebook_clear(&book);
    facets_clear(&facets);
    study_clear(&study);
}

static void make_database(const char *path)
{
    struct db *db;
    struct db_run run = {.command = "load", .parameters = SPAN("{}")};
    int64_t run_id;

    OK(study_db_create(&db, path, &e));
    OK(db_begin(db, &e));
    put_study(db);
    OK(db_run_begin(db, &run, &run_id, &e));
    put_post(db, run_id, 1, "<script>alert(1)</script>", "<p>a<script>alert(1)</script></p>");
    put_post(db, run_id, 2, "two", "<p>b</p>");
    OK(db_commit(db, &e));
    db_close(db);
}

static int set_up(void **state)
{
    struct place *place = mem_zero(1, sizeof *place);
    struct web_options options = {.db_path = place->file, .coder = SPAN("ann"), .port = 8420};
    char list[96];

    snprintf(place->folder, sizeof place->folder, "/tmp/ppmine-test-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->file, sizeof place->file, "%s/a.db", place->folder);
    snprintf(list, sizeof list, "%s/list", place->folder);
    make_database(place->file);
    OK(file_write(list, true, SPAN("2\n1\n"), "list", &e));
    options.posts = list;
    OK(web_open(&place->web, &options, &e));
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    static const char *const endings[] = {"a.db", "a.db-wal", "a.db-shm", "a.db-screen", "list"};

    web_answer_clear(&place->answer);
    web_close(place->web);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", place->folder, endings[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(place->folder), 0);
    buf_clear(&place->cookie);
    mem_free(place);
    return 0;
}

/* --- requests --- */

static const char *ask(struct place *place, const struct web_request *request)
{
    web_answer_clear(&place->answer);
    web_answer(place->web, request, &place->answer);
    return buf_cstr(&place->answer.body);
}

static struct web_request get(struct place *place, const char *target)
{
    return (struct web_request){
        .method = SPAN("GET"),
        .target = span_of(target),
        .host = SPAN("127.0.0.1:8420"),
        .cookie = buf_span(&place->cookie),
    };
}

static struct web_request post(struct place *place, const char *target, const char *body)
{
    struct web_request request = get(place, target);

    request.method = SPAN("POST");
    request.origin = SPAN("http://127.0.0.1:8420");
    request.content_type = span_starts(request.target, SPAN("/api/")) ? SPAN("application/json")
                                                                      : SPAN("application/x-www-form-urlencoded");
    request.body = span_of(body);
    return request;
}

static unsigned code_of(struct place *place, struct web_request request)
{
    ask(place, &request);
    return place->answer.code;
}

static const char *page_of(struct place *place, const char *target)
{
    struct web_request request = get(place, target);
    const char *page = ask(place, &request);

    if (place->answer.code != 200)
        fail_msg("%s: %u: %s", target, place->answer.code, page);
    return page;
}

/* The launch link is exchanged for the cookie. */
static void let_in(struct place *place)
{
    struct buf link = {0};

    web_link(place->web, &link);
    struct web_request request = get(place, strstr(buf_cstr(&link), "/launch"));
    assert_int_equal(code_of(place, request), 200);
    buf_reset(&place->cookie);
    buf_add_span(&place->cookie, buf_span(&place->answer.cookie));
    assert_int_equal(code_of(place, request), 403); /* it works once */
    assert_int_equal(place->answer.cookie.len, 0);
    buf_clear(&link);
}

/* --- the tests --- */

static void lets_in_only_who_has_the_link(void **state)
{
    struct place *place = *state;

    assert_int_equal(code_of(place, get(place, "/code/1")), 401);
    assert_int_equal(code_of(place, get(place, "/style.css")), 200);
    assert_int_equal(code_of(place, get(place, "/launch?token=")), 403);
    buf_add_text(&place->cookie, "ppmine_8420=");
    assert_int_equal(code_of(place, get(place, "/code/1")), 401);
    buf_reset(&place->cookie);
    let_in(place);
    assert_int_equal(code_of(place, get(place, "/code/1")), 200);
    place->cookie.ptr[12] ^= 1; /* the first digit of its value */
    assert_int_equal(code_of(place, get(place, "/code/1")), 401);
}

static void answers_to_its_own_names_alone(void **state)
{
    struct place *place = *state;
    /* clang-format off */
    static const char *const others[] = {
        "", "127.0.0.1", "127.0.0.1:8421", "evil.example", "evil.example:8420", "127.0.0.1:8420.evil.example",
        "127.0.0.1:8420, evil.example", "0.0.0.0:8420", "LOCALHOST:8420x"
    };
    /* clang-format on */

    let_in(place);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct web_request request = get(place, "/code/1");
        request.host = span_of(others[i]);
        assert_int_equal(code_of(place, request), 403);
    }
    struct web_request twice = get(place, "/code/1");
    twice.malformed = true;
    assert_int_equal(code_of(place, twice), 400);
    struct web_request local = get(place, "/code/1");
    local.host = SPAN("localhost:8420");
    assert_int_equal(code_of(place, local), 200);
}

static void writes_only_for_its_own_pages(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *origin, *site;
        unsigned code;
    } cases[] = {
        {"", "", 403},
        {"http://evil.example", "", 403},
        {"null", "", 403},
        {"null", "cross-site", 403},
        {"null", "same-site", 403},
        {"http://127.0.0.1:8421", "", 403},
        {"http://127.0.0.1:8420", "cross-site", 403},
        {"http://127.0.0.1:8420", "same-site", 403},
        {"http://evil.example", "same-origin", 403},
        {"", "none", 403},
        {"http://127.0.0.1:8420", "", 200},
        {"http://127.0.0.1:8420", "same-origin", 200},
        {"", "same-origin", 200},
        {"null", "same-origin", 200},
    };

    let_in(place);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct web_request request = post(place, "/api/decide", "{\"post_id\":1,\"is_problem\":false}");
        request.origin = span_of(cases[i].origin);
        request.fetch_site = span_of(cases[i].site);
        if (code_of(place, request) != cases[i].code)
            fail_msg("case %zu: %u", i, place->answer.code);
    }
}

static void refuses_what_is_malformed(void **state)
{
    struct place *place = *state;
    static const struct {
        const char *target, *body;
        unsigned code;
    } cases[] = {
        {"/code/1", "problem=1&go=%", 400},
        {"/code/1", "problem=1&go=%0", 400},
        {"/code/1", "problem=%00", 400},
        {"/code/1", "problem=1&go=no&reason=a%00b", 400},
        {"/code/1", "problem=%ff", 400},
        {"/code/1", "problem=2", 400},
        {"/code/1", "problem=1&codes%3Asymptom=nonsense", 400},
        {"/code/0", "problem=1", 404},
        {"/code/99999999999999999999", "problem=1", 404},
        {"/codebook", "", 400},
        {"/codebook", "go=add&why=x", 400},
        {"/search", "", 405},
        {"/nothing", "", 404},
        {"/api/decide", "", 400},
        {"/api/decide", "[]", 400},
        {"/api/decide", "{\"post_id\":1,\"post_id\":2}", 400},
        {"/api/decide", "{\"post_id\":1.5}", 400},
        {"/api/decide", "{\"post_id\":-1}", 400},
        {"/api/decide", "{\"post_id\":1,\"codes\":{\"symptom\":[1]}}", 400},
        {"/api/decide", "{\"post_id\":1,\"codes\":{\"symptom\":[\"a\",\"b\",\"c\"]}}", 400},
        {"/api/quote", "{\"post_id\":1,\"quote\":\"\"}", 400},
        {"/api/quote", "{\"post_id\":1,\"quote\":\"not there\"}", 400},
        {"/api/undo", "{}", 409},
    };

    let_in(place);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (code_of(place, post(place, cases[i].target, cases[i].body)) != cases[i].code)
            fail_msg("%s %s: %u: %s", cases[i].target, cases[i].body, place->answer.code,
                     buf_cstr(&place->answer.body));
    assert_int_equal(code_of(place, get(place, "/code/1?problem=%zz")), 400);
    assert_int_equal(code_of(place, get(place, "code")), 400);
    assert_int_equal(code_of(place, get(place, "")), 400);
    assert_int_equal(code_of(place, get(place, "/api/decide")), 405);
}

static void shows_what_strangers_wrote_as_text(void **state)
{
    struct place *place = *state;

    let_in(place);
    const char *page = page_of(place, "/code/1");
    assert_non_null(strstr(page, "<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>"));
    assert_non_null(strstr(page, "by &lt;i onclick=&quot;x&quot;&gt;who&lt;/i&gt;"));
    assert_non_null(strstr(page, "<span class=\"tag\">&lt;b&gt;</span>"));
    assert_non_null(strstr(page, "<p>a</p>"));
    assert_null(strstr(page, "<script>"));
    assert_null(strstr(page, "alert(1)</p>"));
}

static void codes_a_post(void **state)
{
    struct place *place = *state;

    let_in(place);
    assert_int_equal(code_of(place, get(place, "/code")), 303);
    assert_string_equal(buf_cstr(&place->answer.location), "/code/2"); /* the list's order */
    assert_int_equal(code_of(place, post(place, "/code/2", "problem=2&codes%3Asymptom=memory+leak&go=next")), 303);
    assert_string_equal(buf_cstr(&place->answer.location), "/code?after=2");
    assert_non_null(strstr(page_of(place, "/code/2"), "value=\"memory leak\" checked"));
    assert_non_null(strstr(page_of(place, "/api/posts/2"), "\"symptom\":[\"memory leak\"]"));
    assert_int_equal(code_of(place, get(place, "/code?after=2")), 303);
    assert_string_equal(buf_cstr(&place->answer.location), "/code/1");
    assert_int_equal(code_of(place, post(place, "/code/1", "problem=1&go=no")), 303);
    assert_non_null(strstr(page_of(place, "/code?after=1"), "You have judged every post"));
    assert_int_equal(code_of(place, post(place, "/api/undo", "{}")), 200);
    assert_non_null(strstr(page_of(place, "/api/next"), "{\"post_id\":1}"));
    /* A "no" takes the codes back, and one undo brings them again. */
    assert_int_equal(code_of(place, post(place, "/code/2", "problem=2&go=no")), 303);
    assert_null(strstr(page_of(place, "/code/2"), "value=\"memory leak\" checked"));
    assert_int_equal(code_of(place, post(place, "/api/undo", "{}")), 200);
    assert_non_null(strstr(page_of(place, "/code/2"), "value=\"memory leak\" checked"));
}

/* Runs under valgrind with the rest; what it shows is tested against ppmine screen elsewhere. */
static void screens_posts(void **state)
{
    struct place *place = *state;

    let_in(place);
    for (int i = 0; i < 60 && code_of(place, get(place, "/screen")) == 200; i++)
        assert_true(place->answer.refresh); /* the posts are being read: slow under valgrind */
    assert_int_equal(place->answer.code, 303);
    assert_string_equal(buf_cstr(&place->answer.location), "/screen/2?order=sample");
    assert_non_null(
        strstr(page_of(place, "/screen/2?order=sample"), "0 of 2 read of the list; of all questions 0 of 2, 0 yes"));
    assert_int_equal(code_of(place, post(place, "/screen", "post=2&order=sample&go=yes")), 303);
    assert_non_null(strstr(page_of(place, "/api/screen?order=ranked"), "\"post_id\":1,\"stratum\":\"ranked\""));
    assert_int_equal(code_of(place, post(place, "/api/screen", "{\"post_id\":1,\"answer\":\"unsure\"}")), 200);
    assert_non_null(
        strstr(page_of(place, "/screen"), "2 of 2 read of the list; of all questions 2 of 2, 1 yes, 1 unsure"));
    assert_int_equal(code_of(place, post(place, "/screen", "post=2&order=sample&go=undo")), 303);
    assert_non_null(
        strstr(page_of(place, "/screen/1"), "1 of 2 read of the list; of all questions 1 of 2, 0 yes, 1 unsure"));
    assert_int_equal(code_of(place, post(place, "/screen", "post=2&order=best&go=yes")), 400);
    assert_int_equal(code_of(place, post(place, "/screen", "post=9&go=yes")), 400);
    assert_int_equal(code_of(place, get(place, "/screen/9")), 404);
}

static void let_by_link(struct place *place, const struct buf *token, unsigned expected)
{
    struct buf target = {0}, copy = {0};

    buf_addf(&target, "/launch?token=");
    buf_add_span(&target, buf_span(token));
    buf_reset(&place->cookie);
    assert_int_equal(code_of(place, get(place, buf_cstr(&target))), expected);
    buf_add_span(&copy, buf_span(&place->answer.cookie));
    buf_add_span(&place->cookie, buf_span(&copy));
    buf_clear(&copy);
    buf_clear(&target);
}

static void lets_in_by_links_until_they_are_revoked(void **state)
{
    struct place *place = *state;
    struct buf bob = {0}, eve = {0};
    char team[96];

    snprintf(team, sizeof team, "%s/team", place->folder);
    OK(web_invite(team, SPAN("bob"), false, &bob, &e));
    OK(web_invite(team, SPAN("eve"), true, &eve, &e));
    web_close(place->web);
    struct web_options options = {.db_path = place->file, .coders = team, .port = 8420};
    OK(web_open(&place->web, &options, &e));
    let_by_link(place, &bob, 200);
    assert_non_null(strstr(page_of(place, "/settle"), "bob"));
    assert_null(strstr(page_of(place, "/settle"), "Open the settling"));
    let_by_link(place, &eve, 200);
    assert_non_null(strstr(page_of(place, "/settle"), "Open the settling"));
    OK(web_revoke(team, SPAN("eve"), &e));
    assert_int_equal(code_of(place, get(place, "/settle")), 401);
    let_by_link(place, &eve, 403);
    assert_int_equal(web_revoke(team, SPAN("eve"), &e), ST_NO);
    let_by_link(place, &bob, 200);
    OK(file_write(team, false, SPAN("x\n"), "team", &e));
    assert_int_equal(code_of(place, get(place, "/settle")), 401);
    unlink(team);
    buf_clear(&bob);
    buf_clear(&eve);
}

static void keep_cookie(const struct place *place, struct buf *out)
{
    buf_reset(out);
    buf_add_span(out, buf_span(&place->cookie));
}

static unsigned code_with(struct place *place, const struct buf *cookie)
{
    struct web_request request = get(place, "/code/1");

    request.cookie = buf_span(cookie);
    return code_of(place, request);
}

/* Only a form and JSON write: a page of a stranger can send plain text without being asked for leave. */
static void takes_forms_and_json_alone(void **state)
{
    static const char *const types[] = {"", "text/plain", "multipart/form-data; boundary=x",
                                        "text/plain;application/json"};
    struct place *place = *state;

    let_in(place);
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct web_request request = post(place, "/api/decide", "{\"post_id\":1,\"is_problem\":false}");
        request.content_type = span_of(types[i]);
        assert_int_equal(code_of(place, request), 415);
        request = post(place, "/code/1", "problem=1&go=no");
        request.content_type = span_of(types[i]);
        assert_int_equal(code_of(place, request), 400);
    }
    assert_int_equal(code_of(place, post(place, "/api/undo", "{}")), 409); /* nothing was done */
}

static void decide_as_another(const struct place *place)
{
    const struct db_decision decision = {
        .coder = SPAN("zoe"), .post_id = 1, .facet = FACET_JUDGES, .is_problem = true, .reason = SPAN("MARK-OF-ZOE")};
    struct db *db;

    OK(db_open(&db, place->file, DB_WRITE, &e));
    OK(db_begin(db, &e));
    OK(db_coder_put(db, SPAN("zoe"), false, &e));
    OK(db_decision_put(db, &decision, &e));
    OK(db_note_put(db, DB_NOTE,
                   &(struct db_note){.coder = SPAN("zoe"), .subject = SPAN("1"), .text = SPAN("MARK-OF-ZOE")}, 1, &e));
    OK(db_note_put(db, DB_MESSAGE,
                   &(struct db_note){.coder = SPAN("zoe"), .subject = SPAN("1"), .text = SPAN("MARK-OF-ZOE")}, 1, &e));
    OK(db_commit(db, &e));
    db_close(db);
}

/* Until the settling is open nobody sees what others said; an owner opens it, and says that all are done. */
static void shows_nothing_of_others_before_the_settling(void **state)
{
    static const char *const pages[] = {"/code/1",      "/code/2",        "/settle",           "/overruled",
                                        "/agreement",   "/results",       "/results/problems", "/benchmark",
                                        "/campaign",    "/codebook",      "/search?all=yes",   "/screen/1",
                                        "/api/posts/1", "/api/threads/1", "/api/progress"};
    struct place *place = *state;
    size_t seen = 0;

    decide_as_another(place);
    let_in(place);
    /* What both coded is compared on pages of figures. */
    assert_int_equal(code_of(place, post(place, "/api/decide", "{\"post_id\":1,\"is_problem\":false}")), 200);
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct web_request request = get(place, pages[i]);
        const char *page = ask(place, &request);
        if (strstr(page, "MARK-OF-ZOE") != NULL || (strstr(page, "zoe") != NULL && strcmp(pages[i], "/settle") != 0))
            fail_msg("%s: %s", pages[i], page);
    }
    assert_int_equal(code_of(place, post(place, "/settle", "go=agreed")), 400);
    assert_int_equal(code_of(place, post(place, "/settle", "go=open")), 400);
    assert_int_equal(code_of(place, post(place, "/settle", "go=open&sure=yes")), 303);
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct web_request request = get(place, pages[i]);
        seen += strstr(ask(place, &request), "MARK-OF-ZOE") != NULL;
    }
    assert_true(seen > 0); /* else this test would find nothing */
}

/* A browser sends a cookie of 127.0.0.1 to every port: another user's server gets it there. */
static void takes_a_session_from_its_user_alone(void **state)
{
    static const int64_t others[] = {1001, -1, 1};
    struct place *place = *state;

    let_in(place);
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        struct web_request request = get(place, "/code/1");
        request.user = others[i];
        assert_int_equal(code_of(place, request), 401);
        assert_false(web_knows(place->web, &request));
        request = post(place, "/api/decide", "{\"post_id\":1,\"is_problem\":false}");
        request.user = others[i];
        assert_int_equal(code_of(place, request), 401);
    }
    struct web_request own = get(place, "/code/1");
    assert_true(web_knows(place->web, &own));
    assert_int_equal(code_of(place, own), 200);
}

/* Who opens a link again and again ends their own sessions alone. */
static void one_coder_ends_no_session_of_others(void **state)
{
    enum { OPENED = 300, SHARE = 16 };
    struct place *place = *state;
    struct buf bob = {0}, eve = {0}, of_eve = {0}, own[OPENED] = {0};
    char team[96];

    snprintf(team, sizeof team, "%s/team", place->folder);
    OK(web_invite(team, SPAN("bob"), false, &bob, &e));
    OK(web_invite(team, SPAN("eve"), true, &eve, &e));
    web_close(place->web);
    struct web_options options = {.db_path = place->file, .coders = team, .port = 8420};
    OK(web_open(&place->web, &options, &e));
    let_by_link(place, &eve, 200);
    keep_cookie(place, &of_eve);
    for (size_t i = 0; i < OPENED; i++) {
        let_by_link(place, &bob, 200);
        keep_cookie(place, &own[i]);
    }
    assert_int_equal(code_with(place, &of_eve), 200);
    for (size_t i = 0; i < OPENED; i++) {
        assert_int_equal(code_with(place, &own[i]), i < OPENED - SHARE ? 401 : 200);
        buf_clear(&own[i]);
    }
    unlink(team);
    buf_clear(&bob);
    buf_clear(&eve);
    buf_clear(&of_eve);
}

/* More coders than there are places: the one with most sessions gives one. */
static void a_full_house_takes_from_who_has_most(void **state)
{
    enum { CODERS = 18, SHARE = 16 };
    struct place *place = *state;
    struct buf first = {0}, links[CODERS] = {0};
    char team[96], name[16];

    snprintf(team, sizeof team, "%s/team", place->folder);
    for (size_t i = 0; i < CODERS; i++) {
        snprintf(name, sizeof name, "coder%zu", i);
        OK(web_invite(team, span_of(name), false, &links[i], &e));
    }
    web_close(place->web);
    struct web_options options = {.db_path = place->file, .coders = team, .port = 8420};
    OK(web_open(&place->web, &options, &e));
    let_by_link(place, &links[0], 200);
    keep_cookie(place, &first);
    for (size_t i = 1; i < CODERS; i++)
        for (size_t k = 0; k < SHARE; k++)
            let_by_link(place, &links[i], 200);
    assert_int_equal(code_with(place, &first), 200);
    for (size_t i = 0; i < CODERS; i++)
        buf_clear(&links[i]);
    unlink(team);
    buf_clear(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lets_in_only_who_has_the_link, set_up, tear_down),
        cmocka_unit_test_setup_teardown(answers_to_its_own_names_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_only_for_its_own_pages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_malformed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shows_what_strangers_wrote_as_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(codes_a_post, set_up, tear_down),
        cmocka_unit_test_setup_teardown(screens_posts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lets_in_by_links_until_they_are_revoked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_forms_and_json_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shows_nothing_of_others_before_the_settling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_a_session_from_its_user_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_coder_ends_no_session_of_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_house_takes_from_who_has_most, set_up, tear_down)};

    unsetenv("PPMINE_NOW");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
