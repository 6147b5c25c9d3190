/* thread: a post as its site shows it, with its question, answers, comments and images; keywords are marked. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/day.h"
#include "base/host.h"
#include "db/images.h"
#include "db/posts.h"
#include "stem/stem.h"
#include "base/table/table.h"
#include "web/site.h"

enum { MARKS_MAX = 1000 };

struct marked_text {
    struct span text;
    struct text_mark at[MARKS_MAX];
    size_t n;
};

struct writing {
    struct visit *v;
    struct buf *out;
    int64_t post_id, accepted_id, thread_id;
    bool found;
    struct marked_text title, body; /* of the post that is judged */
    struct thread_post *post;
    const struct thread_quotes *quotes; /* NULL: keywords are marked */
    struct text_page page, page_of_comments;
    struct buf image_path;
    enum status status; /* of comments and images */
};

/* --- what reasons quote --- */

static int compare_marks(const void *a, const void *b)
{
    size_t x = ((const struct text_mark *)a)->start, y = ((const struct text_mark *)b)->start;

    return (x > y) - (x < y);
}

/* In order; marks that share bytes become one. */
static void add_quotes(struct writing *w, const char *field, struct span text, struct marked_text *to)
{
    *to = (struct marked_text){.text = text};
    for (size_t i = 0; w->quotes != NULL && i < w->quotes->n; i++) {
        struct span rest = w->quotes->at[i];
        struct quote quote;
        while (to->n < MARKS_MAX && quote_next(&rest, &quote)) {
            struct text_mark *mark = &to->at[to->n];
            to->n += span_eq(quote.field, span_of(field)) && quote_find(&quote, text, &mark->start, &mark->end);
        }
    }
    qsort(to->at, to->n, sizeof *to->at, compare_marks);
    size_t kept = 0;
    for (size_t i = 0; i < to->n; i++)
        if (kept > 0 && to->at[i].start <= to->at[kept - 1].end)
            to->at[kept - 1].end = to->at[i].end > to->at[kept - 1].end ? to->at[i].end : to->at[kept - 1].end;
        else
            to->at[kept++] = to->at[i];
    to->n = kept;
}

/* A title is text; its hits come in order, and may share bytes. */
static void add_title(struct writing *w, struct span title)
{
    size_t at = 0;

    if (!span_eq(title, w->title.text))
        w->title.n = 0;
    for (size_t i = 0; i < w->title.n; i++) {
        size_t start = w->title.at[i].start, end = w->title.at[i].end;
        if (end > title.len || start < at)
            continue;
        table_escape_html(w->out, (struct span){title.ptr + at, start - at});
        page_text(w->out, "<mark>", (struct span){title.ptr + start, end - start}, "</mark>");
        at = end;
    }
    table_escape_html(w->out, (struct span){title.ptr + at, title.len - at});
}

/* Where it is from, and its tags. */
static void add_facts(struct writing *w, const struct post *post)
{
    struct span tags = post->tags, tag;
    char id[POST_ID_TEXT_SIZE];
    bool link = text_may_lead(post->url, &w->page);

    buf_add_text(w->out, "<p class=\"facts\">");
    if (link)
        page_text(w->out, "<a href=\"", post->url, "\" target=\"_blank\" rel=\"noopener noreferrer\">");
    buf_addf(w->out, "%s %s%s", post->type == POST_ANSWER ? "answer" : "post", post_id_text(post->post_id, id),
             link ? "</a>" : "");
    if (post->post_id == w->accepted_id)
        buf_add_text(w->out, " <strong class=\"accepted\">✓ accepted</strong>");
    if (post->post_id == w->post_id)
        buf_add_text(w->out, " <strong>this is judged</strong>");
    page_text(w->out, ", ", day_of(post->created_at), "");
    if (post->score != POST_ABSENT)
        buf_addf(w->out, ", score %" PRId64, post->score);
    if (post->owner_display_name.len > 0)
        page_text(w->out, ", by ", post->owner_display_name, "");
    if (post->content_license.len > 0)
        page_text(w->out, " (", post->content_license, ")");
    buf_add_text(w->out, post->deleted_at.len > 0 ? ", deleted</p>\n" : "</p>\n");
    if (tags.len == 0)
        return;
    buf_add_text(w->out, "<p class=\"tags\">");
    while (span_cut(&tags, '"', &tag))
        if (tag.len > 0 && tag.ptr[0] != '[' && tag.ptr[0] != ',' && tag.ptr[0] != ']')
            page_text(w->out, "<span class=\"tag\">", tag, "</span> ");
    buf_add_text(w->out, "</p>\n");
}

static void add_comments(struct writing *w, const struct post *post, struct span base_url)
{
    static const struct text_marks none = {0};
    struct sql *walk = db_remarks(w->v->worker->db, post->post_id);
    const char *before = "<details class=\"comments\"><summary>Comments</summary>\n", *after = "";
    struct db_remark comment;

    while (db_remark_next(w->v->worker->db, walk, &comment, &w->status, &w->v->error)) {
        buf_addf(w->out, "%s<div class=\"comment\">", before);
        text_safe_html(w->out, comment.body_html, base_url, &none, &w->page_of_comments);
        page_text(w->out, "<p class=\"facts\">", comment.author, "");
        page_text(w->out, " ", day_of(comment.created_at), "</p></div>\n");
        before = "";
        after = "</details>\n";
    }
    buf_add_text(w->out, after);
}

/* The names under which we are reached, and the one that this visitor took. */
static bool is_ours(void *ctx, struct span host)
{
    const struct writing *w = ctx;
    const struct web *web = w->v->web;
    AT_END(buf_clear) struct buf url = {0};
    bool ours = false;

    for (size_t i = 0; i <= web->hosts.n && !ours; i++) {
        struct span name = i < web->hosts.n ? web->hosts.at[i] : w->v->request->host;
        buf_reset(&url);
        buf_addf(&url, "http://%.*s", (int)name.len, name.ptr);
        ours = span_eq_any_case(host_of_url(buf_span(&url)), host);
    }
    return ours;
}

static bool find_image(void *ctx, struct span url, struct text_image *out)
{
    struct writing *w = ctx;
    struct db_image_known known;

    if (w->status == ST_OK)
        w->status = db_image_find(w->v->worker->db, url, &known, &w->v->error);
    if (w->status != ST_OK || !known.is_kept)
        return false;
    buf_reset(&w->image_path);
    buf_addf(&w->image_path, "/images/%" PRId64, known.image_id);
    *out = (struct text_image){buf_span(&w->image_path), (unsigned)known.width, (unsigned)known.height};
    return true;
}

static void add_post(void *ctx, const struct post *post)
{
    struct writing *w = ctx;
    struct span base_url = text_origin(post->url);
    struct text_marks marks = {0};
    AT_END(buf_clear) struct buf title = {0}, body = {0};
    bool is_answer = post->type == POST_ANSWER;

    if (!is_answer && post->post_id == w->thread_id)
        w->accepted_id = post->accepted_answer_id;
    if (post->post_id == w->post_id) {
        w->found = true;
        buf_add_span(&w->post->title, post->title);
        buf_add_span(&w->post->body, post->body_html);
    }
    if (post->post_id == w->post_id && w->quotes != NULL) { /* what reasons quote of it */
        text_from_title(&title, post->title);
        text_from_html(&body, post->body_html, TEXT_INCLUDE_CODE);
        add_quotes(w, "title", arena_copy(&w->v->arena, buf_span(&title)), &w->title);
        add_quotes(w, "body", arena_copy(&w->v->arena, buf_span(&body)), &w->body);
    }
    buf_addf(w->out, "<article class=\"%s%s\">\n", is_answer ? "answer" : "question",
             post->post_id == w->accepted_id ? " is-accepted" : "");
    if (post->title.len > 0) {
        buf_add_text(w->out, "<h1>");
        add_title(w, post->title);
        buf_add_text(w->out, "</h1>\n");
    }
    if (is_answer)
        buf_add_text(w->out, "<details open><summary>Answer</summary>\n");
    add_facts(w, post);
    if (post->post_id == w->post_id)
        marks = (struct text_marks){w->body.text, w->body.at, w->body.n};
    buf_add_text(w->out, "<div class=\"body\">\n");
    text_safe_html(w->out, post->body_html, base_url, &marks, &w->page);
    buf_add_text(w->out, "\n</div>\n");
    add_comments(w, post, base_url);
    buf_add_text(w->out, is_answer ? "</details>\n</article>\n" : "</article>\n");
}

static void find_thread(void *ctx, const struct post *post)
{
    struct writing *w = ctx;

    if (post->post_id == w->post_id && post->parent_id != POST_ABSENT)
        w->thread_id = post->parent_id;
}

/* The question with its answers; the judged one alone when its question is not held. */
enum status thread_write(struct visit *v, int64_t post_id, const struct thread_quotes *reasons,
                         struct thread_post *post, struct err *e)
{
    AT_END(mem_end) struct writing *w = mem_zero(1, sizeof *w);
    struct db *db = v->worker->db;
    char id[POST_ID_TEXT_SIZE];

    w->v = v;
    w->out = v->out;
    w->post_id = w->thread_id = post_id;
    w->accepted_id = POST_ABSENT;
    w->post = post;
    w->quotes = reasons;
    w->page = (struct text_page){find_image, is_ours, w};
    w->page_of_comments = (struct text_page){NULL, is_ours, w};
    buf_add_text(v->out, "<div class=\"thread\" tabindex=\"0\" role=\"region\" aria-label=\"post\">\n");
    struct sql *hits = db_hits(db, post_id);
    struct db_hit_text hit;
    enum status status = ST_OK;
    while (w->quotes == NULL && db_hit_next(db, hits, &hit, &status, e)) {
        struct marked_text *to = span_eq(hit.field, SPAN("title")) ? &w->title : &w->body;
        if (to->n == MARKS_MAX)
            continue;
        if (to->n == 0)
            to->text = arena_copy(&w->v->arena, hit.text);
        to->at[to->n++] = (struct text_mark){hit.start, hit.end};
    }
    THEN(status, db_thread_each(db, post_id, find_thread, w, e));
    THEN(status, db_thread_each(db, w->thread_id, add_post, w, e));
    THEN(status, w->status);
    buf_add_text(v->out, "</div>\n");
    if (status == ST_OK && !w->found)
        status = err_set(e, ST_NO, "The database has no post %s.", post_id_text(post_id, id));
    buf_clear(&w->image_path);
    return status;
}

void thread_post_clear(struct thread_post *post)
{
    buf_clear(&post->title);
    buf_clear(&post->body);
}

/* --- images: from here, as `ppmine fetch --images` kept them, and not from servers of strangers --- */

/* What is sent as a type that a browser shows; the text lives as long as the program. */
static const char *const types[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};

static void send(void *ctx, struct span type, struct span bytes)
{
    struct visit *v = ctx;
    size_t place = span_place(type, types, ARRAY_LEN(types));

    if (place == ARRAY_LEN(types)) {
        answer_refuse(v, 404, "There is no such image.");
        return;
    }
    answer_begin(v, 200, types[place]);
    v->answer->save = true; /* in a post it is shown; it is never a page of its own */
    buf_add_span(v->out, bytes);
}

/* "/images/17" */
enum status image_file(struct visit *v)
{
    uint64_t id;
    enum status status = ST_NO;

    if (span_u64(web_rest(v, "/images/"), INT64_MAX, &id))
        status = db_image_get(v->worker->db, (int64_t)id, send, v, &v->error);
    return status == ST_NO ? answer_refuse(v, 404, "There is no such image.") : status;
}
