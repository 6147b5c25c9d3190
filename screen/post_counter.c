/* post_counter: how many posts of a part have each feature, in lines that can be added up. */
#include "match/corpus/mine.h"
#include "screen/screening.h"

#include "base/post/post.h"
#include "screen/words.h"

#define MAP_NAME text_map
#define MAP_KEY uint64_t
#define MAP_VALUE uint64_t
#include "base/map.h"

#include <inttypes.h>
#include <jansson.h>

struct post_counter {
    struct words *words;
    struct text_map texts; /* that have the feature */
    struct buf tags;
};

static void post_counter_free(void *counter)
{
    struct post_counter *c = counter;

    words_free(c->words);
    text_map_clear(&c->texts);
    buf_clear(&c->tags);
    mem_free(c);
}

static enum status post_counter_new(void **out, const struct study *study, struct err *e)
{
    const struct screen_reading reading = {
        .stemmer = study->stemmer, .include_code = study->include_code, .settings = screen_settings_default()};
    struct post_counter *c = mem_zero(1, sizeof *c);

    *out = c; /* which part_free ends */
    return words_new(&c->words, &reading, e);
}

static void post_counter_add(void *counter, const struct post *post)
{
    struct post_counter *c = counter;

    buf_reset(&c->tags);
    if (post->tags.len > 0) {
        /* With blanks between them, as the database gives them to screening. */
        json_t *list = json_loadb(post->tags.ptr, post->tags.len, 0, NULL), *tag;
        size_t i;

        json_array_foreach(list, i, tag) {
            if (i > 0)
                buf_add_char(&c->tags, ' ');
            buf_add(&c->tags, json_string_value(tag), json_string_length(tag));
        }
        json_decref(list);
    }
    const struct word_count *counts;
    struct text_map_entry *entry;
    size_t n = words_read(
        c->words, &(struct screen_text){post->title, post->body_html, buf_span(&c->tags), SCREEN_HTML}, &counts);

    for (size_t i = 0; i < n; i++) {
        text_map_add(&c->texts, counts[i].fingerprint, &entry);
        entry->value++;
    }
}

static size_t post_counter_size(const void *counter)
{
    return ((const struct post_counter *)counter)->texts.n;
}

static void post_counter_write(void *counter, struct buf *out)
{
    struct post_counter *c = counter;

    for (size_t i = 0; i < c->texts.n; i++)
        buf_addf(out, "%016" PRIx64 "\t%" PRIu64 "\n", c->texts.at[i].key, c->texts.at[i].value);
    text_map_reset(&c->texts);
}

const struct mine_counter screen_post_counter = {post_counter_new, post_counter_free, post_counter_add,
                                                 post_counter_size, post_counter_write};
