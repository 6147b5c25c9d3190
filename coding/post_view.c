/* post_view: a post as a coder reads it, as text or as JSON. */
#include "coding/post_view.h"

#include "db/derived.h"
#include "db/posts.h"
#include "stem/stem.h"

#include <inttypes.h>

enum { AROUND_HIT = 40 }; /* bytes of text on either side of a hit */

struct writing {
    const struct post_view *view;
    struct buf *out;
    int64_t post_id;   /* the one that is judged */
    size_t n_posts, n_hits;
    struct buf text;   /* of the moment */
    struct buf title, body; /* of the post that is judged, for hints */
    bool found;
};

/* --- small parts --- */

static void add_json_field(struct buf *out, const char *name, struct span value)
{
    buf_addf(out, ",\"%s\":", name);
    if (value.ptr == NULL)
        buf_add_text(out, "null");
    else
        buf_add_json(out, value);
}

static void add_json_number(struct buf *out, const char *name, int64_t value)
{
    if (value == POST_ABSENT)
        buf_addf(out, ",\"%s\":null", name);
    else
        buf_addf(out, ",\"%s\":%" PRId64, name, value);
}

static void add_url(const struct writing *w, const struct post *post, struct buf *out)
{
    buf_addf(out, "%.*s%s%" PRId64, (int)w->view->base_url.len, w->view->base_url.ptr,
             post->type == POST_ANSWER ? "/a/" : "/questions/", post->post_id);
}

static void keep_for_hints(struct writing *w, const struct post *post)
{
    if (post->post_id != w->post_id)
        return;
    w->found = true;
    buf_add_span(&w->title, post->title);
    buf_add_span(&w->body, post->body_html);
}

static bool is_shown(const struct writing *w, const struct post *post)
{
    return w->view->with_answers || post->type != POST_ANSWER || post->post_id == w->post_id;
}

/* --- posts for people --- */

/* ["tensorflow","keras"] becomes tensorflow, keras. Tags hold no quotes. */
static void add_tags(struct writing *w, struct span tags)
{
    buf_reset(&w->text);
    for (size_t i = 0; i < tags.len; i++)
        if (tags.ptr[i] == ',')
            buf_add_text(&w->text, ", ");
        else if (tags.ptr[i] != '"' && tags.ptr[i] != '[' && tags.ptr[i] != ']')
            buf_add_char(&w->text, tags.ptr[i]);
    buf_add_clean(w->out, buf_span(&w->text));
}

static void add_head(struct writing *w, const struct post *post)
{
    static const char *const marks[] = {"", " <- to be judged"};
    size_t day = post->created_at.len < 10 ? post->created_at.len : 10;

    buf_addf(w->out, "%s %" PRId64, post->type == POST_ANSWER ? "answer" : "post", post->post_id);
    buf_addf_clean(w->out, ", %.*s", (int)day, day > 0 ? post->created_at.ptr : "");
    if (post->score != POST_ABSENT)
        buf_addf(w->out, ", score %" PRId64, post->score);
    if (post->owner_display_name.len > 0) {
        buf_add_text(w->out, ", by ");
        buf_add_clean(w->out, post->owner_display_name);
    }
    if (post->content_license.len > 0)
        buf_addf_clean(w->out, " (%.*s)", (int)post->content_license.len,
                       post->content_license.ptr);
    if (post->deleted_at.len > 0)
        buf_add_text(w->out, ", deleted");
    buf_addf(w->out, "%s\n", marks[post->post_id == w->post_id && w->n_posts > 0]);
    buf_reset(&w->text);
    add_url(w, post, &w->text);
    buf_add_clean(w->out, buf_span(&w->text));
    buf_add_char(w->out, '\n');
}

static void add_post_text(void *ctx, const struct post *post)
{
    struct writing *w = ctx;

    if (!is_shown(w, post))
        return;
    keep_for_hints(w, post);
    if (w->n_posts > 0)
        buf_add_text(w->out, "\n----\n");
    add_head(w, post);
    w->n_posts++;
    if (post->title.len > 0) {
        buf_add_char(w->out, '\n');
        buf_add_clean(w->out, post->title);
        buf_add_text(w->out, "\n\n");
    }
    if (post->tags.len > 0) {
        buf_add_text(w->out, "tags: ");
        add_tags(w, post->tags);
        buf_add_text(w->out, "\n\n");
    }
    text_readable(w->out, post->body_html, w->view->width);
}

/* A hit in the words around it: …the training *hangs* after… */
static void add_hit_text(void *ctx, const struct db_hit_text *hit)
{
    struct writing *w = ctx;
    size_t from = hit->start > AROUND_HIT ? hit->start - AROUND_HIT : 0;
    size_t to = hit->end + AROUND_HIT < hit->text.len ? hit->end + AROUND_HIT : hit->text.len;

    while (from > 0 && from < hit->start && (hit->text.ptr[from] & 0xc0) == 0x80)
        from++;
    while (to < hit->text.len && (hit->text.ptr[to] & 0xc0) == 0x80)
        to++;
    if (w->n_hits++ == 0)
        buf_add_text(w->out, "\nKeywords\n");
    buf_addf_clean(w->out, "  %.*s, %.*s: ", (int)hit->keyword.len, hit->keyword.ptr,
                   (int)hit->field.len, hit->field.ptr);
    buf_reset(&w->text);
    buf_addf(&w->text, "%s%.*s*%.*s*%.*s%s", from > 0 ? "…" : "", (int)(hit->start - from),
             hit->text.ptr + from, (int)(hit->end - hit->start), hit->text.ptr + hit->start,
             (int)(to - hit->end), hit->text.ptr + hit->end, to < hit->text.len ? "…" : "");
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
        buf_addf_clean(w->out, "  %.*s: %.*s (%u): ", (int)s->facet.len, s->facet.ptr,
                       (int)s->name.len, s->name.ptr, s->weight);
        buf_add_clean(w->out, s->words);
        buf_add_char(w->out, '\n');
    }
    if (list->n_facts > 0)
        buf_add_text(w->out, "\nFacts\n");
    for (size_t i = 0; i < list->n_facts; i++) {
        buf_addf_clean(w->out, "  %.*s: ", (int)list->facts[i].fact.len, list->facts[i].fact.ptr);
        buf_add_clean(w->out, list->facts[i].value);
        buf_add_char(w->out, '\n');
    }
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
            buf_addf_clean(w->out, " %.*s", (int)name.len, name.ptr);
            line += width + 2;
            separator = ";";
        }
        buf_add_char(w->out, '\n');
    }
}

/* --- the whole --- */

struct parent {
    int64_t post_id;
    bool found;
};

static void find_parent(void *ctx, const struct post *post)
{
    struct parent *p = ctx;

    if (post->post_id != p->post_id || p->found)
        return;
    p->found = true;
    if (post->parent_id != POST_ABSENT)
        p->post_id = post->parent_id;
}

static enum status MUST_USE add_posts(struct writing *w,
                                      void (*each)(void *ctx, const struct post *post),
                                      struct err *e)
{
    struct parent thread = {.post_id = w->post_id};
    enum status status = db_thread_each(w->view->db, w->post_id, find_parent, &thread, e);

    if (status == ST_OK && !thread.found)
        return err_set(e, ST_INPUT, "%" PRId64 ": the database does not have this post; load a dump"
                       " that has it, or fetch it", w->post_id);
    return status == ST_OK ? db_thread_each(w->view->db, thread.post_id, each, w, e) : status;
}

static void writing_clear(struct writing *w)
{
    buf_clear(&w->text);
    buf_clear(&w->title);
    buf_clear(&w->body);
}

enum status post_view_text(const struct post_view *v, int64_t post_id, struct buf *out,
                           struct err *e)
{
    struct writing w = {.view = v, .out = out, .post_id = post_id};
    enum status status = add_posts(&w, add_post_text, e);

    if (status == ST_OK)
        status = db_hit_each(v->db, post_id, add_hit_text, &w, e);
    if (status == ST_OK && v->hints != NULL)
        add_hints_text(&w, post_hints_find(v->hints, HINT_ALL, buf_span(&w.title),
                                           buf_span(&w.body)));
    if (status == ST_OK)
        add_codes_text(&w);
    writing_clear(&w);
    return status;
}

/* --- for programs --- */

static void add_post_json(void *ctx, const struct post *post)
{
    struct writing *w = ctx;
    struct span tags = post->tags.ptr != NULL ? post->tags : SPAN("[]");

    if (!is_shown(w, post))
        return;
    keep_for_hints(w, post);
    buf_addf(w->out, "%s{\"post_id\":%" PRId64 ",\"is_answer\":%s", w->n_posts++ > 0 ? "," : "",
             post->post_id, post->type == POST_ANSWER ? "true" : "false");
    buf_reset(&w->text);
    add_url(w, post, &w->text);
    add_json_field(w->out, "url", buf_span(&w->text));
    add_json_field(w->out, "title", post->title);
    buf_add_text(w->out, ",\"tags\":");
    buf_add_json_text(w->out, tags);
    add_json_number(w->out, "score", post->score);
    add_json_field(w->out, "created_at", post->created_at);
    add_json_field(w->out, "deleted_at", post->deleted_at);
    add_json_field(w->out, "author", post->owner_display_name);
    add_json_field(w->out, "content_license", post->content_license);
    add_json_field(w->out, "body_html", post->body_html);
    buf_add_char(w->out, '}');
}

static void add_hit_json(void *ctx, const struct db_hit_text *hit)
{
    struct writing *w = ctx;

    buf_addf(w->out, "%s{\"keyword\":", w->n_hits++ > 0 ? "," : "");
    buf_add_json(w->out, hit->keyword);
    add_json_field(w->out, "field", hit->field);
    add_json_field(w->out, "words",
                   (struct span){hit->text.ptr + hit->start, hit->end - hit->start});
    buf_add_char(w->out, '}');
}

static void add_hints_json(struct writing *w, const struct hint_list *list)
{
    buf_add_text(w->out, ",\"hints\":[");
    for (size_t i = 0; i < list->n_suggestions; i++) {
        const struct hint_suggestion *s = &list->suggestions[i];
        buf_addf(w->out, "%s{\"weight\":%u", i > 0 ? "," : "", s->weight);
        add_json_field(w->out, "facet", s->facet);
        add_json_field(w->out, "code", s->name);
        add_json_field(w->out, "words", s->words);
        buf_add_char(w->out, '}');
    }
    buf_add_text(w->out, "],\"facts\":[");
    for (size_t i = 0; i < list->n_facts; i++) {
        buf_addf(w->out, "%s{\"fact\":", i > 0 ? "," : "");
        buf_add_json(w->out, list->facts[i].fact);
        add_json_field(w->out, "value", list->facts[i].value);
        buf_add_char(w->out, '}');
    }
    buf_add_char(w->out, ']');
}

static void add_codes_json(struct writing *w)
{
    const struct codebook *c = &w->view->book->codebook;

    buf_add_text(w->out, ",\"codes\":[");
    for (size_t i = 0; i < c->n_codes; i++) {
        buf_addf(w->out, "%s{\"facet\":", i > 0 ? "," : "");
        buf_add_json(w->out, c->codes[i].facet);
        add_json_field(w->out, "category",
                       c->codes[i].category.len > 0 ? c->codes[i].category : (struct span){0});
        add_json_field(w->out, "code", c->codes[i].name);
        buf_add_char(w->out, '}');
    }
    buf_add_char(w->out, ']');
}

enum status post_view_json(const struct post_view *v, int64_t post_id, struct buf *out,
                           struct err *e)
{
    struct writing w = {.view = v, .out = out, .post_id = post_id};

    buf_addf(out, "\"post_id\":%" PRId64 ",\"posts\":[", post_id);
    enum status status = add_posts(&w, add_post_json, e);
    buf_add_text(out, "],\"keywords\":[");
    if (status == ST_OK)
        status = db_hit_each(v->db, post_id, add_hit_json, &w, e);
    buf_add_char(out, ']');
    if (status == ST_OK && v->hints != NULL)
        add_hints_json(&w, post_hints_find(v->hints, HINT_ALL, buf_span(&w.title),
                                           buf_span(&w.body)));
    if (status == ST_OK)
        add_codes_json(&w);
    writing_clear(&w);
    return status;
}
