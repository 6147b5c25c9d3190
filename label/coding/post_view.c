/* post_view: a post as a coder reads it, as text or as JSON. */
#include "label/coding/post_view.h"

#include "base/day.h"
#include "label/coding/said.h"
#include "label/coding/subject.h"
#include "db/posts.h"
#include "stem/stem.h"
#include "base/visible.h"

#include <inttypes.h>

enum { AROUND_HIT = 40 }; /* bytes of text on either side of a hit */

/* Hits of a field of the post that is judged. */
struct marked {
    struct buf text; /* that they are places of */
    struct ARRAY_OF(struct text_mark) at;
};

struct writing {
    const struct post_view *view;
    struct buf *out;
    int64_t post_id; /* the one that is judged */
    int64_t accepted_id;
    size_t n_posts, n_hits;
    struct buf text;                         /* of the moment */
    struct buf title, body;                  /* of the post that is judged, for hints */
    struct marked marked_title, marked_body; /* empty unless hits are marked */
    bool found;
    enum status status; /* of the comments */
    struct err error;
};

/* --- small parts --- */

static void add_json_number(struct buf *out, const char *name, int64_t value)
{
    if (value == POST_ABSENT)
        buf_addf(out, ",\"%s\":null", name);
    else
        buf_addf(out, ",\"%s\":%" PRId64, name, value);
}

/* The question comes first, then its answers. False: the post is not shown. */
static bool begin_post(struct writing *w, const struct post *post)
{
    if (post->type != POST_ANSWER)
        w->accepted_id = post->accepted_answer_id;
    if (post->post_id == w->post_id) {
        w->found = true;
        buf_add_span(&w->title, post->title);
        buf_add_span(&w->body, post->body_html);
    }
    return w->view->with_answers || post->type != POST_ANSWER || post->post_id == w->post_id;
}

static bool is_accepted(const struct writing *w, const struct post *post)
{
    return post->type == POST_ANSWER && post->post_id == w->accepted_id;
}

/* --- posts for people --- */

static void add_head(struct writing *w, const struct post *post)
{
    buf_add_text(w->out, post->type == POST_ANSWER ? "answer " : "post ");
    post_id_add(w->out, post->post_id);
    buf_add_text(w->out, is_accepted(w, post) ? ", accepted" : "");
    buf_add_text(w->out, ", ");
    buf_add_clean(w->out, day_of(post->created_at));
    if (post->score != POST_ABSENT)
        buf_addf(w->out, ", score %" PRId64, post->score);
    if (post->owner_display_name.len > 0)
        buf_addf_clean(w->out, ", by %.*s", SPAN_ARG(post->owner_display_name));
    if (post->content_license.len > 0)
        buf_addf_clean(w->out, " (%.*s)", SPAN_ARG(post->content_license));
    if (post->deleted_at.len > 0)
        buf_add_text(w->out, ", deleted");
    buf_add_text(w->out, post->post_id == w->post_id && w->n_posts > 0 ? " <- to be judged\n" : "\n");
    buf_add_clean(w->out, post->url);
    buf_add_char(w->out, '\n');
}

/* --- keywords, marked where they are --- */

/* A title is not HTML; its hits come in order, and may share bytes. */
static void add_title_text(struct writing *w, const struct post *post)
{
    const struct marked *m = &w->marked_title;
    struct span title = post->title;
    bool marks = post->post_id == w->post_id && span_eq(title, buf_span(&m->text));
    size_t at = 0;

    buf_add_char(w->out, '\n');
    for (size_t i = 0; marks && i < m->at.n; i++) {
        struct text_mark hit = m->at.at[i];
        if (hit.end > title.len || hit.start < at)
            continue;
        buf_add_clean(w->out, (struct span){title.ptr + at, hit.start - at});
        buf_add_text(w->out, w->view->before_mark);
        buf_add_clean(w->out, (struct span){title.ptr + hit.start, hit.end - hit.start});
        buf_add_text(w->out, w->view->after_mark);
        at = hit.end;
    }
    buf_add_clean(w->out, (struct span){title.ptr + at, title.len - at});
    buf_add_text(w->out, "\n\n");
}

/* --- comments --- */

static void add_comment_text(struct writing *w, const struct db_remark *comment, size_t nth)
{
    struct buf *text = &w->text;

    buf_add_text(w->out, nth == 0 ? "\nComments\n" : "");
    buf_reset(text);
    buf_add_clean(text, day_of(comment->created_at));
    buf_add_text(text, comment->author.len > 0 ? ", " : "");
    buf_add_clean(text, comment->author);
    buf_add_text(text, ": ");
    text_readable(text, comment->body_html, w->view->width);
    buf_add_wrapped(w->out, buf_span(text), 2, w->view->width);
}

static void add_comments(struct writing *w, const struct post *post,
                         void (*add)(struct writing *w, const struct db_remark *comment, size_t nth))
{
    struct sql *walk = db_remarks(w->view->db, post->post_id);
    struct db_remark comment;

    for (size_t n = 0; db_remark_next(w->view->db, walk, &comment, &w->status, &w->error); n++)
        add(w, &comment, n);
}

static void add_post_text(void *ctx, const struct post *post)
{
    struct writing *w = ctx;

    if (!begin_post(w, post))
        return;
    if (w->n_posts > 0)
        buf_add_text(w->out, "\n----\n");
    add_head(w, post);
    w->n_posts++;
    if (post->title.len > 0)
        add_title_text(w, post);
    if (post->tags.len > 0) {
        buf_reset(&w->text); /* ["tensorflow","keras"] becomes tensorflow, keras. Tags hold no quotes. */
        for (size_t i = 0; i < post->tags.len; i++)
            if (post->tags.ptr[i] == ',')
                buf_add_text(&w->text, ", ");
            else if (strchr("\"[]", post->tags.ptr[i]) == NULL)
                buf_add_char(&w->text, post->tags.ptr[i]);
        buf_addf_clean(w->out, "tags: %.*s", SPAN_ARG(buf_span(&w->text)));
        buf_add_text(w->out, "\n\n");
    }
    const struct marked *m = &w->marked_body;
    struct text_marks marks = {buf_span(&m->text), m->at.at, m->at.n};
    if (post->post_id == w->post_id && marks.n > 0)
        text_readable_marked(w->out, post->body_html, w->view->width, &marks, w->view->before_mark,
                             w->view->after_mark);
    else
        text_readable(w->out, post->body_html, w->view->width);
    add_comments(w, post, add_comment_text);
}

/* A hit in the words around it: …the training *hangs* after… */
static void add_hit_text(struct writing *w, const struct db_hit_text *hit)
{
    size_t from = hit->start > AROUND_HIT ? hit->start - AROUND_HIT : 0;
    size_t to = hit->end + AROUND_HIT < hit->text.len ? hit->end + AROUND_HIT : hit->text.len;

    while (from > 0 && from < hit->start && (hit->text.ptr[from] & 0xc0) == 0x80)
        from++;
    while (to < hit->text.len && (hit->text.ptr[to] & 0xc0) == 0x80)
        to++;
    if (w->n_hits++ == 0)
        buf_add_text(w->out, "\nKeywords\n");
    buf_addf_clean(w->out, "  %.*s, %.*s: ", SPAN_ARG(hit->keyword), SPAN_ARG(hit->field));
    buf_reset(&w->text);
    buf_addf(&w->text, "%s%.*s*%.*s*%.*s%s", from > 0 ? "…" : "", (int)(hit->start - from), hit->text.ptr + from,
             (int)(hit->end - hit->start), hit->text.ptr + hit->start, (int)(to - hit->end), hit->text.ptr + hit->end,
             to < hit->text.len ? "…" : "");
    for (size_t i = 0; i < w->text.len; i++)
        w->text.ptr[i] = w->text.ptr[i] == '\n' ? ' ' : w->text.ptr[i];
    buf_add_clean(w->out, buf_span(&w->text));
    buf_add_char(w->out, '\n');
}

static void add_hints_text(struct writing *w, const struct hint_list *list)
{
    if (list->n_suggestions > 0)
        buf_add_text(w->out, "\nHints: words that suggest codes; they decide nothing\n");
    for (size_t i = 0; i < list->n_suggestions; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        buf_addf_clean(w->out, "  %.*s: %.*s (%u): ", SPAN_ARG(s->facet), SPAN_ARG(s->name), s->weight);
        buf_add_clean(w->out, s->words);
        buf_add_char(w->out, '\n');
    }
    if (list->n_facts > 0)
        buf_add_text(w->out, "\nFacts\n");
    for (size_t i = 0; i < list->n_facts; i++) {
        buf_addf_clean(w->out, "  %.*s: ", SPAN_ARG(list->facts[i].fact));
        buf_add_clean(w->out, list->facts[i].value);
        buf_add_char(w->out, '\n');
    }
}

/* "Related: 123 is similar (82 %); 456 is linked": one line, and nothing when there are none. */
static void add_related_text(struct writing *w)
{
    size_t n;
    const struct post_relation *r = post_relations_of(w->view->related, w->post_id, &n);

    for (size_t i = 0; i < n; i++) {
        buf_add_text(w->out, i == 0 ? "\nRelated: " : "; ");
        post_id_add(w->out, r[i].other_id);
        buf_addf(w->out, " is %s", r[i].kind == POST_DUPLICATE ? "a duplicate" : post_relation_names[r[i].kind]);
        if (r[i].kind == POST_SIMILAR)
            buf_addf(w->out, " (%.0f %%)", 100 * r[i].similarity);
    }
    buf_add_text(w->out, n > 0 ? "\n" : "");
}

/* "  symptom: slow execution time; …", wrapped. */
static void add_codes_text(struct writing *w)
{
    const struct codebook *c = &w->view->book->codebook;

    buf_add_text(w->out, "\nCodes\n");
    for (size_t f = 0; f < c->n_lists; f++) {
        size_t line = c->lists[f].len + 3;
        const char *separator = "";
        buf_addf(w->out, "  %s:", c->lists[f].ptr);
        for (size_t i = 0; i < c->n_codes; i++) {
            struct span name = c->codes[i].name;
            if (!span_eq(c->codes[i].facet, c->lists[f]))
                continue;
            buf_add_text(w->out, separator);
            size_t width = text_width(name);
            if (line + width + 2 > w->view->width) {
                buf_add_text(w->out, "\n   ");
                line = 3;
            }
            buf_addf_clean(w->out, " %.*s", SPAN_ARG(name));
            line += width + 2;
            separator = ";";
        }
        buf_add_char(w->out, '\n');
    }
}

/* --- the whole --- */

static enum status MUST_USE add_posts(struct writing *w, void (*each)(void *ctx, const struct post *post),
                                      struct err *e)
{
    struct db_standing post;
    bool held;
    char id[POST_ID_TEXT_SIZE];
    enum status status = subject_standing(w->view->db, w->post_id, &post, &held, e);

    if (status == ST_OK && !held)
        return err_set(e, ST_INPUT, "%s: the database does not have this post; load a dump that has it, or fetch it",
                       post_id_text(w->post_id, id));
    w->accepted_id = POST_ABSENT;
    if (status == ST_OK)
        status = db_thread_each(w->view->db, post.question_id != 0 ? post.question_id : w->post_id, each, w, e);
    if (status == ST_OK && w->status != ST_OK)
        *e = w->error;
    return status == ST_OK ? w->status : status;
}

static void writing_clear(struct writing *w)
{
    buf_clear(&w->text);
    buf_clear(&w->title);
    buf_clear(&w->body);
    buf_clear(&w->marked_title.text);
    array_clear(&w->marked_title.at);
    buf_clear(&w->marked_body.text);
    array_clear(&w->marked_body.at);
}

enum status post_view_text(const struct post_view *v, int64_t post_id, struct buf *out, struct err *e)
{
    AT_END(writing_clear) struct writing w = {.view = v, .out = out, .post_id = post_id};
    struct db_hit_text hit;
    enum status status = ST_OK;

    if (v->before_mark != NULL)
        for (struct sql *hits = db_hits(v->db, post_id); db_hit_next(v->db, hits, &hit, &status, e);) {
            struct marked *to = span_eq(hit.field, SPAN("title")) ? &w.marked_title : &w.marked_body;
            if (to->at.n == 0)
                buf_add_span(&to->text, hit.text);
            array_add(&to->at, ((struct text_mark){hit.start, hit.end}));
        }
    THEN(status, add_posts(&w, add_post_text, e));
    for (struct sql *hits = db_hits(v->db, post_id); db_hit_next(v->db, hits, &hit, &status, e);)
        add_hit_text(&w, &hit);
    if (status == ST_OK && v->related != NULL)
        add_related_text(&w);
    if (status == ST_OK && v->hints != NULL)
        add_hints_text(&w, post_hints_find(v->hints, HINT_ALL, buf_span(&w.title), buf_span(&w.body)));
    if (status == ST_OK && v->coder.ptr != NULL)
        status = said_text(v->db, v->book, v->coder, post_id, out, e);
    if (status == ST_OK && !v->without_codes)
        add_codes_text(&w);
    return status;
}

/* --- for programs --- */

static void add_comment_json(struct writing *w, const struct db_remark *comment, size_t nth)
{
    struct buf *out = w->out;

    buf_add_text(out, nth == 0 ? "" : ",");
    buf_add_jsonf(out, "{'author':!,'created_at':!", comment->author, comment->created_at);
    add_json_number(out, "score", comment->score);
    buf_add_jsonf(out, ",'body_html':!}", comment->body_html);
}

static void add_post_json(void *ctx, const struct post *post)
{
    struct writing *w = ctx;
    struct span tags = post->tags.ptr != NULL ? post->tags : SPAN("[]");

    if (!begin_post(w, post))
        return;
    buf_addf(w->out, "%s{\"post_id\":", w->n_posts++ > 0 ? "," : "");
    post_id_add_json(w->out, post->post_id);
    buf_addf(w->out, ",\"is_answer\":%s", post->type == POST_ANSWER ? "true" : "false");
    buf_addf(w->out, ",\"is_accepted\":%s", is_accepted(w, post) ? "true" : "false");
    buf_add_jsonf(w->out, ",'url':!,'title':!,'tags':", post->url, post->title);
    buf_add_json_text(w->out, tags);
    add_json_number(w->out, "score", post->score);
    buf_add_jsonf(w->out, ",'created_at':!,'deleted_at':!,'author':!,'content_license':!,'body_html':!,'comments':[",
                  post->created_at, post->deleted_at, post->owner_display_name, post->content_license, post->body_html);
    add_comments(w, post, add_comment_json);
    buf_add_text(w->out, "]}");
}

static void add_hints_json(struct writing *w, const struct hint_list *list)
{
    buf_add_text(w->out, ",\"hints\":[");
    for (size_t i = 0; i < list->n_suggestions; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        buf_addf(w->out, "%s{\"weight\":%u", i > 0 ? "," : "", s->weight);
        buf_add_jsonf(w->out, ",'facet':!,'code':!,'words':!}", s->facet, s->name, s->words);
    }
    buf_add_text(w->out, "],\"facts\":[");
    for (size_t i = 0; i < list->n_facts; i++) {
        buf_add_text(w->out, i > 0 ? "," : "");
        buf_add_jsonf(w->out, "{'fact':?,'value':!}", list->facts[i].fact, list->facts[i].value);
    }
    buf_add_char(w->out, ']');
}

static void add_related_json(struct writing *w)
{
    size_t n;
    const struct post_relation *r = post_relations_of(w->view->related, w->post_id, &n);

    buf_add_text(w->out, ",\"related\":[");
    for (size_t i = 0; i < n; i++) {
        buf_add_text(w->out, i > 0 ? ",{\"post_id\":" : "{\"post_id\":");
        post_id_add_json(w->out, r[i].other_id);
        buf_addf(w->out, ",\"kind\":\"%s\"", post_relation_names[r[i].kind]);
        if (r[i].kind == POST_SIMILAR)
            buf_addf(w->out, ",\"similarity\":%.3f", r[i].similarity);
        buf_add_char(w->out, '}');
    }
    buf_add_char(w->out, ']');
}

enum status post_view_json(const struct post_view *v, int64_t post_id, struct buf *out, struct err *e)
{
    AT_END(writing_clear) struct writing w = {.view = v, .out = out, .post_id = post_id};
    const char *before = "";
    struct db_hit_text hit;

    buf_add_text(out, "\"post_id\":");
    post_id_add_json(out, post_id);
    buf_add_text(out, ",\"posts\":[");
    enum status status = add_posts(&w, add_post_json, e);
    buf_add_text(out, "],\"keywords\":[");
    for (struct sql *hits = db_hits(v->db, post_id); db_hit_next(v->db, hits, &hit, &status, e); before = ",") {
        buf_add_text(out, before);
        buf_add_jsonf(out, "{'keyword':?,'field':!,'words':!}", hit.keyword, hit.field,
                      (struct span){hit.text.ptr + hit.start, hit.end - hit.start});
    }
    buf_add_char(out, ']');
    if (status == ST_OK && v->related != NULL)
        add_related_json(&w);
    if (status == ST_OK && v->hints != NULL)
        add_hints_json(&w, post_hints_find(v->hints, HINT_ALL, buf_span(&w.title), buf_span(&w.body)));
    for (size_t i = 0; status == ST_OK && !v->without_codes && i < v->book->codebook.n_codes; i++) {
        const struct code *c = &v->book->codebook.codes[i];
        buf_add_text(out, i == 0 ? ",\"codes\":[" : ",");
        buf_add_jsonf(out, "{'facet':?,'category':!,'code':!}", c->facet,
                      c->category.len > 0 ? c->category : (struct span){0}, c->name);
    }
    if (status == ST_OK && !v->without_codes)
        buf_add_text(out, v->book->codebook.n_codes > 0 ? "]" : ",\"codes\":[]");
    if (status == ST_OK && v->coder.ptr != NULL) {
        buf_add_text(out, ",\"said\":{");
        status = said_json(v->db, v->book, v->coder, post_id, out, e);
        buf_add_char(out, '}');
    }
    return status;
}
