/* quote: where the words that a coder selected are in a post and its thread, in bytes. */
#include <inttypes.h>
#include <jansson.h>

#include "db/posts.h"
#include "label/label.h"
#include "stem/stem.h"
#include "web/site.h"

enum { QUOTE_MAX = 2000 }; /* bytes */

struct looking {
    struct visit *v;
    struct span words;
    int64_t post_id, thread_id; /* the post that is judged; its question */
    int64_t commented_id;       /* the post whose comments are looked at */
    struct buf text;
    size_t n_comments;
    bool is_there, with_comments, found;
    enum status status; /* of comments */
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The end of `words` at `start` of the text, white space apart; 0: they are not there. */
static size_t match_at(struct span text, size_t start, struct span words)
{
    size_t i = start;

    for (size_t k = 0; k < words.len; k++) {
        if (is_space(words.ptr[k]))
            continue;
        while (i < text.len && i > start && is_space(text.ptr[i]))
            i++;
        if (i == text.len || text.ptr[i] != words.ptr[k])
            return 0;
        i++;
    }
    return i;
}

static bool find(struct span text, struct span words, size_t *start, size_t *end)
{
    for (*start = 0; *start < text.len; (*start)++) {
        *end = match_at(text, *start, words);
        if (*end > *start)
            return true;
    }
    return false;
}

/* `kind`: "body" and "title" are of the judged post; of others it is said which: "answer 12", "comment 2 of 12". */
static void look(struct looking *l, const char *kind, int64_t post_id)
{
    struct buf evidence = {0}, place = {0}, *out = l->v->out;
    bool is_field = strcmp(kind, "body") == 0 || strcmp(kind, "title") == 0;
    char id[POST_ID_TEXT_SIZE];
    size_t start, end;

    if (l->found || !find(buf_span(&l->text), l->words, &start, &end))
        return;
    l->found = true;
    buf_add_text(&place, kind);
    if (!is_field)
        buf_addf(&place, " %s", post_id_text(post_id, id));
    buf_addf(&evidence, "“%.*s” [%s %zu-%zu]", (int)l->words.len, l->words.ptr, buf_cstr(&place), start, end);
    buf_addf(out, "{\"field\":\"%s\",\"start\":%zu,\"end\":%zu,\"evidence\":", buf_cstr(&place), start, end);
    buf_add_json(out, buf_span(&evidence));
    buf_add_text(out, "}\n");
    buf_clear(&place);
    buf_clear(&evidence);
}

static void look_in_comment(void *ctx, const struct db_remark *comment)
{
    struct looking *l = ctx;
    char kind[40];

    buf_reset(&l->text);
    text_from_html(&l->text, comment->body_html, TEXT_INCLUDE_CODE);
    snprintf(kind, sizeof kind, "comment %zu of", ++l->n_comments);
    look(l, kind, l->commented_id);
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
    l->n_comments = 0;
    l->commented_id = post->post_id;
    if (l->status == ST_OK && !l->found && l->with_comments)
        l->status = db_remark_each(l->v->worker->db, post->post_id, look_in_comment, l, &l->v->error);
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

static enum status MUST_USE look_in_thread(struct looking *l, struct err *e)
{
    struct db *db = l->v->worker->db;

    if (l->words.len == 0 || l->words.len > QUOTE_MAX)
        return err_set(e, ST_INPUT, "quote: expected 1 to %d bytes", QUOTE_MAX);
    l->thread_id = l->post_id;
    enum status status = db_thread_each(db, l->post_id, look_in_own, l, e);
    if (status == ST_OK && !l->is_there)
        return err_set(e, ST_INPUT, "post_id: the database has no such post");
    l->with_comments = true;
    if (status == ST_OK && !l->found)
        status = db_thread_each(db, l->thread_id, look_in_post, l, e);
    return status == ST_OK ? l->status : status;
}

/* {"post_id": …, "quote": "…"} */
void api_quote(struct visit *v)
{
    json_t *body = api_body(v);
    struct looking l = {.v = v};

    if (body == NULL)
        return;
    if (!body_post_id(body, &l.post_id))
        l.post_id = 0;
    l.words = body_text(body, "quote");
    answer_begin(v, 200, "application/json");
    enum status status = look_in_thread(&l, &v->error);
    if (status != ST_OK)
        answer_fault(v, status);
    else if (!l.found)
        answer_refuse(v, 400, "these words are not in the post, its answers or comments");
    buf_clear(&l.text);
    json_decref(body);
}
