/* post_counter: how many posts of a part have each feature. */
#include "screen/post_counter.h"

#include "base/post/post.h"
#include "screen/screen.h"

#include <jansson.h>

struct post_counter {
    struct screen_counter *features;
    struct buf tags;
};

static void post_counter_free(void *counter)
{
    struct post_counter *c = counter;

    screen_counter_free(c->features);
    buf_clear(&c->tags);
    mem_free(c);
}

static enum status post_counter_new(void **out, const struct study *study, struct err *e)
{
    const struct screen_reading reading = {
        .stemmer = study->stemmer, .include_code = study->include_code, .settings = screen_settings_default()};
    struct post_counter *c = mem_zero(1, sizeof *c);
    enum status status = screen_counter_new(&c->features, &reading, e);

    *out = c;
    if (status != ST_OK) {
        post_counter_free(c);
        *out = NULL;
    }
    return status;
}

static void post_counter_add(void *counter, const struct post *post)
{
    struct post_counter *c = counter;

    buf_reset(&c->tags);
    if (post->tags.len > 0) {
        /* With blanks between them, as the database gives them to screening. */
        json_t *list = json_loadb(post->tags.ptr, post->tags.len, 0, NULL), *tag;
        size_t i;

        json_array_foreach(list, i, tag)
        {
            if (i > 0)
                buf_add_char(&c->tags, ' ');
            buf_add(&c->tags, json_string_value(tag), json_string_length(tag));
        }
        json_decref(list);
    }
    screen_counter_add(c->features,
                       &(struct screen_text){post->title, post->body_html, buf_span(&c->tags), SCREEN_HTML});
}

static size_t post_counter_size(const void *counter)
{
    const struct post_counter *c = counter;

    return screen_counter_size(c->features);
}

static void post_counter_write(void *counter, struct buf *out)
{
    struct post_counter *c = counter;

    screen_counter_write(c->features, out);
}

const struct mine_counter screen_post_counter = {post_counter_new, post_counter_free, post_counter_add,
                                                 post_counter_size, post_counter_write};
