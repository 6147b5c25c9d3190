/* Any request to the pages, with and without a session: the answer has one of the known codes, no
 * script but ours, and nothing of what another coder wrote; JSON can be read, and an image is what it is
 * called. Input: lines method, target, host, origin, site, content type, and the body; a target that begins
 * with '!' has the session's cookie. With '~' the first line of the body is the cookie header, in which '@'
 * is the session's cookie: nobody else is let in. */
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "label/facet_table.h"
#include "label/exchange/published.h"
#include "label/coding/decisions.h"
#include "db/images.h"
#include "db/posts.h"
#include "db/study.h"
#include "web/web.h"
#include "base/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1";
static const char mark[] = "MARKER-OF-ANOTHER";
static char folder[] = "/tmp/ppmine-fuzz-XXXXXX", file[64];
static struct web *web;
static struct buf cookie;

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void remove_files(void)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-screen"};

    web_close(web);
    buf_clear(&cookie);
    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        char path[80];
        snprintf(path, sizeof path, "%s%s", file, endings[i]);
        unlink(path);
    }
    rmdir(folder);
}

static enum status MUST_USE put_posts(struct db *db, struct err *e)
{
    struct db_run run = {.command = "load", .parameters = SPAN("{}")};
    /* clang-format off */
    struct db_decision decision = {
        .coder = span_of(mark), .post_id = 1, .facet = FACET_JUDGES, .is_problem = true,
        .reason = span_of(mark),
    };
    /* clang-format on */
    int64_t run_id;
    enum db_put what;
    enum status status = db_run_begin(db, &run, &run_id, e);

    for (int64_t id = 1; id <= 3 && status == ST_OK; id++) {
        struct post post = post_empty();
        post.post_id = id;
        post.type = POST_QUESTION;
        post.title = SPAN("slow <b>");
        post.body_html = SPAN("<p>it is slow</p><img src=\"https://i.example/1.png\">");
        status = db_post_put(db, &post, &(struct db_origin){.run_id = run_id}, &what, e);
    }
    /* clang-format off */
    const struct db_image image = {
        .url = SPAN("https://i.example/1.png"), .asked_at = SPAN("2026-01-01T00:00:00.000Z"),
        .type = SPAN("image/png"), .bytes = {png, sizeof png - 1}, .width = 1, .height = 1,
    };
    /* clang-format on */
    if (status == ST_OK)
        status = db_image_put(db, &image, e);
    if (status == ST_OK)
        status = db_coder_put(db, decision.coder, false, e);
    return status == ST_OK ? db_decision_put(db, &decision, e) : status;
}

static enum status MUST_USE fill(struct db *db, struct err *e)
{
    struct study study;
    struct facets facets = {0};
    struct codebook book = {0};
    enum status status = study_load(&study, NULL, e);

    if (status == ST_OK)
        status = facets_of_study(&facets, &study, e);
    if (status == ST_OK)
        status = codebook_of_study(&book, &facets, &study, e);
    for (size_t i = 0; i < study.n_files && status == ST_OK; i++)
        status = db_study_file_put(db, study.files[i].name, study.files[i].content, e);
    if (status == ST_OK)
        status = published_put(db, &study, &facets, &book, NULL, e);
    if (status == ST_OK)
        status = put_posts(db, e);
    codebook_clear(&book);
    facets_clear(&facets);
    study_clear(&study);
    return status;
}

static void let_in(void)
{
    struct buf link = {0};
    struct web_answer answer = {0};

    web_link(web, &link);
    struct web_request request = {
        .method = SPAN("GET"), .host = SPAN("127.0.0.1:8420"), .target = span_of(strstr(buf_cstr(&link), "/launch"))};
    web_answer(web, &request, &answer);
    require(answer.code == 200 && answer.cookie.len > 0);
    buf_add_span(&cookie, buf_span(&answer.cookie));
    web_answer_clear(&answer);
    buf_clear(&link);
}

static void begin(void)
{
    struct db *db = NULL;
    struct err e;

    log_set_level(LOG_QUIET);
    require(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/a.db", folder);
    require(study_db_create(&db, file, &e) == ST_OK && db_begin(db, &e) == ST_OK);
    require(fill(db, &e) == ST_OK && db_commit(db, &e) == ST_OK);
    db_close(db);
    struct web_options options = {.db_path = file, .coder = SPAN("ann"), .port = 8420};
    require(web_open(&web, &options, &e) == ST_OK);
    let_in();
    atexit(remove_files);
}

/* The cookie header of the input, cut off its body. */
static void cut_cookie(struct span *body, struct buf *header)
{
    struct span line, part;
    bool first = true;

    if (!span_cut(body, '\n', &line))
        return;
    while (span_cut(&line, '@', &part)) {
        if (!first)
            buf_add_span(header, buf_span(&cookie));
        buf_add_span(header, part);
        first = false;
    }
}

static void check_answer(const struct web_answer *answer, bool session)
{
    static const unsigned codes[] = {200, 303, 400, 401, 403, 404, 405, 409, 413, 414, 415, 503};
    bool known = false;

    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        known |= answer->code == codes[i];
    require(known);
    require(session || answer->code != 303);
    /* In JSON it is text: nosniff. */
    require(strstr(answer->type, "html") == NULL || !span_has(buf_span(&answer->body), "<script>"));
    if (strcmp(answer->type, "application/json") == 0 && answer->body.len > 0) {
        json_t *json = json_loadb(answer->body.ptr, answer->body.len, JSON_DECODE_ANY, NULL);
        require(json != NULL);
        json_decref(json);
    }
    if (strncmp(answer->type, "image/p", 7) == 0)
        require(session && answer->save && span_eq(buf_span(&answer->body), (struct span){png, sizeof png - 1}));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span rest = {(const char *)data, size}, lines[6] = {0};
    struct web_answer answer = {0};
    struct buf header = {0};
    static bool opened;

    if (web == NULL)
        begin();
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        if (!span_cut(&rest, '\n', &lines[i]))
            break;
    struct span target = lines[1];
    bool session = target.len > 0 && target.ptr[0] == '!';
    bool own_cookie = target.len > 0 && target.ptr[0] == '~';
    if (session || own_cookie)
        target = (struct span){target.ptr + 1, target.len - 1};
    if (session)
        buf_add_span(&header, buf_span(&cookie));
    if (own_cookie)
        cut_cookie(&rest, &header);
    /* clang-format off */
    struct web_request request = {
        .method = lines[0], .target = target, .host = lines[2], .origin = lines[3],
        .fetch_site = lines[4], .content_type = lines[5], .body = rest, .cookie = buf_span(&header)
    };
    /* clang-format on */
    /* Its name and value, whatever is around them. */
    session |= span_find(request.cookie, (struct span){cookie.ptr, span_find(buf_span(&cookie), SPAN(";"))}) !=
               SIZE_MAX;
    web_answer(web, &request, &answer);
    check_answer(&answer, session);
    /* What the settling hides, until a request opened it with all that this takes. */
    opened |= span_has(request.body, "open");
    require(opened || span_has((struct span){(const char *)data, size}, mark) ||
            !span_has(buf_span(&answer.body), mark));
    web_answer_clear(&answer);
    buf_clear(&header);
    return 0;
}
