/* Any bytes as a record: a post of docs/posts.md, or an item of Perceval. The second record like it is read as the first. */
#include "base/utf8.h"
#include "fetch/fetch.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(struct span text)
{
    if (utf8_valid_prefix(text) < text.len || (text.len > 0 && memchr(text.ptr, '\0', text.len) != NULL))
        abort();
}

static enum status take_post(void *ctx, const struct post *post, struct err *e)
{
    struct buf *out = ctx;

    (void)e;
    if (post->post_id < 1 || post->post_id > POST_LONG_ID_MAX || post->type == POST_ABSENT)
        abort();
    check_text(post->site);
    check_text(post->title);
    check_text(post->body_html);
    check_text(post->url);
    buf_reset(out);
    buf_add_char(out, '{');
    post_add_json(out, post);
    buf_add_char(out, '}');
    return ST_OK;
}

static enum status take_comment(void *ctx, const struct api_comment *c, struct err *e)
{
    (void)ctx;
    (void)e;
    if (c->comment_id < 1)
        abort();
    check_text(c->body_html);
    return ST_OK;
}

static void refuse(void *ctx, int64_t id, const char *why)
{
    (void)ctx;
    (void)id;
    if (why == NULL)
        abort();
}

/* All that is told of a record. */
static enum status note_post(void *ctx, const struct post *post, struct err *e)
{
    (void)e;
    post_add_json(ctx, post);
    return ST_OK;
}

static enum status note_comment(void *ctx, const struct api_comment *c, struct err *e)
{
    (void)e;
    buf_addf(ctx, "%lld %lld %lld %lld %lld ", (long long)c->comment_id, (long long)c->post_id, (long long)c->user_id,
             (long long)c->score, (long long)c->edited);
    buf_add_span(ctx, c->created_at);
    buf_add_span(ctx, c->body_html);
    return ST_OK;
}

static enum status note_author(void *ctx, const struct api_author *author, struct err *e)
{
    (void)e;
    buf_addf(ctx, "%lld ", (long long)author->user_id);
    buf_add_span(ctx, author->display_name);
    buf_add_span(ctx, author->link);
    return ST_OK;
}

static enum status note_link(void *ctx, const struct api_link *link, struct err *e)
{
    (void)e;
    buf_addf(ctx, "%lld %lld %d", (long long)link->post_id, (long long)link->other_id, link->is_duplicate);
    return ST_OK;
}

static void note_refused(void *ctx, int64_t id, const char *why)
{
    buf_addf(ctx, "%lld %s", (long long)id, why);
}

static void read_twice(struct span record)
{
    struct buf first = {0}, second = {0};
    struct api_reader reader = {.ctx = &first,
                                .post = note_post,
                                .comment = note_comment,
                                .author = note_author,
                                .link = note_link,
                                .refused = note_refused};
    struct ndjson_file file = {0};
    struct err e;

    if (ndjson_read(record, &reader, &file, &e) == ST_OK) {
        reader.ctx = &second;
        if (ndjson_read(record, &reader, &file, &e) != ST_OK || !span_eq(buf_span(&first), buf_span(&second)))
            abort();
    }
    ndjson_file_clear(&file);
    buf_clear(&first);
    buf_clear(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf last = {0}, again = {0};
    struct api_reader reader = {.ctx = &last, .post = take_post, .comment = take_comment, .refused = refuse};
    struct err e;

    read_twice((struct span){(const char *)data, size});
    if (ndjson_read((struct span){(const char *)data, size}, &reader, NULL, &e) != ST_OK)
        abort();
    if (last.len > 0) { /* what was written reads as the same */
        reader.ctx = &again;
        reader.comment = NULL;
        if (ndjson_read(buf_span(&last), &reader, NULL, &e) != ST_OK || !span_eq(buf_span(&last), buf_span(&again)))
            abort();
    }
    buf_clear(&last);
    buf_clear(&again);
    return 0;
}
