/* Any bytes as an answer of the API: read, judged, walked with both kinds of filter. */
#include "base/utf8.h"
#include "fetch/fetch.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(struct span s)
{
    if (utf8_valid_prefix(s) < s.len || (s.len > 0 && memchr(s.ptr, '\0', s.len) != NULL))
        abort();
}

static enum status take_post(void *ctx, const struct post *post, struct err *e)
{
    (void)ctx, (void)e;
    if (post->post_id < 1 || post->post_id > POST_ID_MAX)
        abort();
    if (post->type == POST_ANSWER && (post->parent_id < 1 || post->parent_id > POST_ID_MAX))
        abort();
    check(post->title);
    check(post->body_html);
    check(post->owner_display_name);
    return ST_OK;
}

static enum status take_comment(void *ctx, const struct api_comment *comment, struct err *e)
{
    (void)ctx, (void)e;
    if (comment->comment_id < 1 || comment->post_id < 1)
        abort();
    check(comment->body_html);
    return ST_OK;
}

static enum status take_author(void *ctx, const struct api_author *author, struct err *e)
{
    (void)ctx, (void)e;
    check(author->link);
    return ST_OK;
}

static enum status take_list(void *ctx, const struct api_list *list, struct err *e)
{
    (void)ctx, (void)e;
    for (size_t i = 0; i < list->n; i++)
        if (list->ids[i] < 1)
            abort();
    return ST_OK;
}

/* A walk never goes back, whatever the answers say. */
static void walk(const struct api_answer *a)
{
    /* clang-format off */
    struct api_walk w = {.tag = SPAN("keras"), .from = 1514764800, .to = POST_ABSENT,
                         .cursor = 1514764800, .tie_from = POST_ABSENT, .tie_to = POST_ABSENT,
                         .page = 1};
    /* clang-format on */
    struct buf query = {0};
    struct err e;

    for (int i = 0; i < 4 && !w.is_done; i++) {
        int64_t before = w.cursor;
        api_walk_query(&w, &query);
        if (api_walk_advance(&w, a, 1700000000, &e) != ST_OK)
            break;
        if (w.cursor < before || w.page < 1 || w.page > API_PAGES_MAX)
            abort();
    }
    buf_clear(&query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct api_reader reader = {.post = take_post, .comment = take_comment, .author = take_author, .list = take_list};
    struct api_answer *a = NULL;
    const char *why = NULL;
    struct err e;

    if (!api_answer_read(&a, (struct span){(const char *)data, size}, &why)) {
        if (a != NULL || why == NULL)
            abort();
        return 0;
    }
    api_answer_wrapper(a);
    for (enum api_method m = 0; m < API_METHODS; m++) {
        struct api_missed missed = {.n = 0};
        bool may_be_missed;
        reader.safe_filter = m % 2 == 0;
        api_answer_faulty_field(a, m, &missed, &may_be_missed);
        if (api_answer_each(a, m, &reader, &e) != ST_OK)
            abort();
    }
    walk(a);
    api_answer_free(a);
    return 0;
}
