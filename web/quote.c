/* quote: where the words that a coder selected are in a post and its thread, in bytes. */

#include "db/posts.h"
#include "label/label.h"
#include "stem/stem.h"
#include "web/site.h"

enum { QUOTE_MAX = 2000 }; /* bytes */

struct looking {
    struct visit *v;
    struct span words;
    int64_t post_id, thread_id; /* the post that is judged; its question */
    struct buf text;
    bool is_there, with_comments, found;
    enum status status; /* of comments */
};

/* `kind`: "body" and "title" are of the judged post; of others it is said which: "answer 12", "comment 2 of 12". */
static void look(struct looking *l, const char *kind, int64_t post_id)
{
    AT_END(buf_clear) struct buf evidence = {0};
    bool is_field = strcmp(kind, "body") == 0 || strcmp(kind, "title") == 0;
    char place[80], id[POST_ID_TEXT_SIZE];
    size_t start, end;

    if (l->found || !words_find(buf_span(&l->text), l->words, &start, &end))
        return;
    l->found = true;
    snprintf(place, sizeof place, "%s%s%s", kind, is_field ? "" : " ", is_field ? "" : post_id_text(post_id, id));
    buf_addf(&evidence, "“%.*s” [%s %zu-%zu]", SPAN_ARG(l->words), place, start, end);
    buf_addf(l->v->out, "{\"field\":\"%s\",\"start\":%zu,\"end\":%zu,", place, start, end);
    buf_add_jsonf(l->v->out, "'evidence':?}\n", buf_span(&evidence));
}

static void look_in_post(void *ctx, const struct post *post)
{
    struct looking *l = ctx;
    bool is_own = post->post_id == l->post_id, is_answer = post->type == POST_ANSWER;

    buf_reset(&l->text);
    text_from_html(&l->text, post->body_html, TEXT_INCLUDE_CODE);
    look(l, is_own ? "body" : is_answer ? "answer" : "question", post->post_id);
    buf_reset(&l->text);
    text_from_title(&l->text, post->title);
    look(l, is_own ? "title" : "title of", post->post_id);
    if (l->found || !l->with_comments)
        return;
    struct sql *walk = db_remarks(l->v->worker->db, post->post_id);
    struct db_remark comment;
    for (size_t n = 1; db_remark_next(l->v->worker->db, walk, &comment, &l->status, &l->v->error); n++) {
        char kind[40];
        buf_reset(&l->text);
        text_from_html(&l->text, comment.body_html, TEXT_INCLUDE_CODE);
        snprintf(kind, sizeof kind, "comment %zu of", n);
        look(l, kind, post->post_id);
    }
}

static void look_in_own(void *ctx, const struct post *post)
{
    struct looking *l = ctx;

    if (post->post_id != l->post_id)
        return;
    l->is_there = true;
    if (post->parent_id != POST_ABSENT)
        l->thread_id = post->parent_id;
    look_in_post(l, post);
}

/* {"post_id": …, "quote": "…"} */
enum status api_quote(struct visit *v)
{
    struct looking l = {.v = v};

    if (!body_post_id(v->body, &l.post_id))
        l.post_id = 0;
    l.words = body_text(v->body, "quote");
    l.thread_id = l.post_id;
    if (l.words.len == 0 || l.words.len > QUOTE_MAX)
        return err_set(&v->error, ST_INPUT, "quote: expected 1 to %d bytes", QUOTE_MAX);
    answer_begin(v, 200, "application/json");
    enum status status = db_thread_each(v->worker->db, l.post_id, look_in_own, &l, &v->error);
    if (status == ST_OK && !l.is_there)
        status = err_set(&v->error, ST_INPUT, "post_id: the database has no such post");
    l.with_comments = true;
    if (status == ST_OK && !l.found)
        status = db_thread_each(v->worker->db, l.thread_id, look_in_post, &l, &v->error);
    THEN(status, l.status);
    if (status == ST_OK && !l.found)
        answer_refuse(v, 400, "these words are not in the post, its answers or comments");
    buf_clear(&l.text);
    return status;
}
