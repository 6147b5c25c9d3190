/* counter: how many texts of a part have each feature, in lines that can be added up. */
#include "screen/words.h"

#include <inttypes.h>

#define MAP_NAME text_map
#define MAP_KEY uint64_t
#define MAP_VALUE uint64_t
#include "base/map.h"

struct screen_counter {
    struct words *words;
    struct text_map texts; /* that have the feature */
};

enum status screen_counter_new(struct screen_counter **out, const struct screen_reading *reading, struct err *e)
{
    struct screen_counter *c = mem_zero(1, sizeof *c);
    enum status status = words_new(&c->words, reading, e);

    *out = c;
    if (status != ST_OK) {
        screen_counter_free(c);
        *out = NULL;
    }
    return status;
}

void screen_counter_free(struct screen_counter *c)
{
    if (c == NULL)
        return;
    words_free(c->words);
    text_map_clear(&c->texts);
    mem_free(c);
}

void screen_counter_add(struct screen_counter *c, const struct screen_text *text)
{
    struct text_map_entry *entry;
    const struct word_count *counts;
    size_t n = words_read(c->words, text, &counts);

    for (size_t i = 0; i < n; i++) {
        text_map_add(&c->texts, counts[i].fingerprint, &entry);
        entry->value++;
    }
}

size_t screen_counter_size(const struct screen_counter *c)
{
    return c->texts.n;
}

void screen_counter_write(struct screen_counter *c, struct buf *out)
{
    for (size_t i = 0; i < c->texts.n; i++)
        buf_addf(out, "%016" PRIx64 "\t%" PRIu64 "\n", c->texts.at[i].key, c->texts.at[i].value);
    text_map_reset(&c->texts);
}
