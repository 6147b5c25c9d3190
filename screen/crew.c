/* crew: texts in, their features out, read by several threads. */
#include "screen/words.h"

#include "base/ring.h"

enum { BATCH_TEXTS = 128, BATCH_BYTES = 1 << 20, THREADS_MAX = 16 };

struct batch {
    struct arena arena; /* owns what the texts say */
    struct ARRAY_OF(struct screen_text) texts;
    size_t n_bytes;
    struct ARRAY_OF(struct word_count) counts;
    struct ARRAY_OF(size_t) ends; /* of each text's features in `counts` */
};

struct crew {
    void (*take)(void *ctx, const struct word_count *counts, size_t n);
    void *ctx;
    size_t (*sift)(const void *ctx, struct word_count *counts, size_t n); /* may be NULL */
    const void *sift_ctx;
    struct ring *ring;
    struct words *words[THREADS_MAX]; /* one for each reader */
    size_t n_readers;
    struct batch *batches; /* one for each slot of the ring */
    size_t n_batches;
};

/* --- reading --- */

static void read_batch(void *ctx, size_t reader, size_t slot)
{
    const struct crew *c = ctx;
    struct batch *b = &c->batches[slot];
    const struct word_count *counts;

    b->counts.n = b->ends.n = 0;
    for (size_t i = 0; i < b->texts.n; i++) {
        size_t n = words_read(c->words[reader], &b->texts.at[i], &counts);
        array_reserve(&b->counts, n);
        if (n > 0) {
            struct word_count *copy = &b->counts.at[b->counts.n];
            memcpy(copy, counts, n * sizeof *counts);
            b->counts.n += c->sift != NULL ? c->sift(c->sift_ctx, copy, n) : n;
        }
        array_add(&b->ends, b->counts.n);
    }
}

/* --- filling and taking --- */

static void take_batch(struct crew *c)
{
    struct batch *b = &c->batches[ring_oldest(c->ring)];
    size_t start = 0;

    for (size_t i = 0; i < b->ends.n; i++) {
        c->take(c->ctx, b->counts.at + start, b->ends.at[i] - start);
        start = b->ends.at[i];
    }
    b->texts.n = b->n_bytes = 0;
    arena_reset(&b->arena);
    ring_taken(c->ring);
}

void crew_add(struct crew *c, const struct screen_text *text)
{
    if (ring_is_full(c->ring))
        take_batch(c);
    struct batch *b = &c->batches[ring_slot(c->ring)];
    array_add(&b->texts, (struct screen_text){.title = arena_copy(&b->arena, text->title),
                                              .body = arena_copy(&b->arena, text->body),
                                              .tags = arena_copy(&b->arena, text->tags),
                                              .markup = text->markup});
    b->n_bytes += text->title.len + text->body.len + text->tags.len;
    if (b->texts.n == BATCH_TEXTS || b->n_bytes >= BATCH_BYTES)
        ring_hand_over(c->ring);
}

void crew_end(struct crew *c)
{
    if (!ring_is_full(c->ring) && c->batches[ring_slot(c->ring)].texts.n > 0)
        ring_hand_over(c->ring);
    while (!ring_is_empty(c->ring))
        take_batch(c);
}

/* No batch is with the readers now, and the ring's lock is between this and the next one. */
void crew_sift(struct crew *c, size_t (*sift)(const void *ctx, struct word_count *counts, size_t n), const void *ctx)
{
    c->sift = sift;
    c->sift_ctx = ctx;
}

/* --- the crew --- */

enum status crew_new(struct crew **out, const struct screen_reading *reading,
                     void (*take)(void *ctx, const struct word_count *counts, size_t n), void *ctx, struct err *e)
{
    struct crew *c = mem_zero(1, sizeof *c);

    c->take = take;
    c->ctx = ctx;
    c->n_readers = ring_readers(THREADS_MAX);
    c->n_batches = 2 * THREADS_MAX;
    c->batches = mem_zero(c->n_batches, sizeof *c->batches);
    enum status status = ST_OK;
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        status = words_new(&c->words[i], reading, e);
    const struct ring_work work = {.ctx = c, .read = read_batch, .n_slots = c->n_batches, .n_readers = c->n_readers};
    THEN(status, ring_new(&c->ring, &work, e));
    *out = c;
    return status;
}

void crew_free(struct crew *c)
{
    if (c == NULL)
        return;
    ring_free(c->ring);
    for (size_t i = 0; i < c->n_readers; i++)
        words_free(c->words[i]);
    for (size_t i = 0; i < c->n_batches; i++) {
        arena_clear(&c->batches[i].arena);
        array_clear(&c->batches[i].texts);
        array_clear(&c->batches[i].counts);
        array_clear(&c->batches[i].ends);
    }
    mem_free(c->batches);
    mem_free(c);
}
