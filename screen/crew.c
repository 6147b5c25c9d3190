/*
 * crew: batches of texts are filled in order, read by any thread, and taken in order.
 *
 *   free --fill--> filled --read--> done --take--> free
 *
 * The caller's thread fills and takes; each other thread reads one batch at a time.
 */
#include "screen/crew.h"

#include <pthread.h>
#include <unistd.h>

enum { BATCH_TEXTS = 128, BATCH_BYTES = 1 << 20, THREADS_MAX = 16 };

enum batch_state { BATCH_FREE, BATCH_FILLED, BATCH_DONE };

struct batch {
    enum batch_state state;
    struct arena arena; /* owns what the texts say */
    struct ARRAY_OF(struct screen_text) texts;
    size_t n_bytes;
    struct ARRAY_OF(struct word_count) counts;
    struct ARRAY_OF(size_t) ends; /* of each text's features in `counts` */
};

struct reader {
    struct crew *crew;
    struct words *words;
    pthread_t thread;
};

struct crew {
    void (*take)(void *ctx, const struct word_count *counts, size_t n);
    void *ctx;
    size_t (*sift)(const void *ctx, struct word_count *counts, size_t n); /* may be NULL */
    const void *sift_ctx;
    struct reader readers[THREADS_MAX];
    size_t n_readers, n_started;
    struct batch *batches; /* a ring: batch i is at i % n_batches */
    size_t n_batches;
    pthread_mutex_t lock; /* guards the rest, and the states of batches */
    pthread_cond_t filled, done;
    uint64_t n_filled, n_begun, n_taken;
    bool stop;
};

/* --- reading --- */

static void read_batch(const struct crew *c, struct words *words, struct batch *b)
{
    const struct word_count *counts;

    b->counts.n = b->ends.n = 0;
    for (size_t i = 0; i < b->texts.n; i++) {
        size_t n = words_read(words, &b->texts.at[i], &counts);
        array_reserve(&b->counts, n);
        struct word_count *copy = b->counts.at + b->counts.n;
        if (n > 0)
            memcpy(copy, counts, n * sizeof *counts);
        b->counts.n += c->sift != NULL ? c->sift(c->sift_ctx, copy, n) : n;
        array_add(&b->ends, b->counts.n);
    }
}

static void *read_batches(void *arg)
{
    struct reader *r = arg;
    struct crew *c = r->crew;

    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (!c->stop && c->n_begun == c->n_filled)
            pthread_cond_wait(&c->filled, &c->lock);
        if (c->stop)
            break;
        struct batch *b = &c->batches[c->n_begun++ % c->n_batches];
        pthread_mutex_unlock(&c->lock);
        read_batch(c, r->words, b);
        pthread_mutex_lock(&c->lock);
        b->state = BATCH_DONE;
        pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* --- filling and taking --- */

/* Waits for the oldest batch and takes it. */
static void take_batch(struct crew *c)
{
    struct batch *b = &c->batches[c->n_taken % c->n_batches];
    size_t start = 0;

    pthread_mutex_lock(&c->lock);
    while (b->state != BATCH_DONE)
        pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < b->ends.n; i++) {
        c->take(c->ctx, b->counts.at + start, b->ends.at[i] - start);
        start = b->ends.at[i];
    }
    b->texts.n = b->n_bytes = 0;
    arena_reset(&b->arena);
    b->state = BATCH_FREE; /* nobody else looks at it until it is filled */
    c->n_taken++;
}

static void hand_over(struct crew *c, struct batch *b)
{
    pthread_mutex_lock(&c->lock);
    b->state = BATCH_FILLED;
    c->n_filled++;
    pthread_cond_signal(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

void crew_add(struct crew *c, const struct screen_text *text)
{
    struct batch *b = &c->batches[c->n_filled % c->n_batches];

    if (c->n_filled - c->n_taken == c->n_batches)
        take_batch(c);
    array_add(&b->texts, (struct screen_text){
        .title = arena_copy(&b->arena, text->title),
        .body = arena_copy(&b->arena, text->body),
        .tags = arena_copy(&b->arena, text->tags),
        .markup = text->markup});
    b->n_bytes += text->title.len + text->body.len + text->tags.len;
    if (b->texts.n == BATCH_TEXTS || b->n_bytes >= BATCH_BYTES)
        hand_over(c, b);
}

void crew_end(struct crew *c)
{
    struct batch *b = &c->batches[c->n_filled % c->n_batches];

    if (b->texts.n > 0 && c->n_filled - c->n_taken < c->n_batches)
        hand_over(c, b);
    while (c->n_taken < c->n_filled)
        take_batch(c);
}

/* Threads that read look at it after they have found a batch under the lock. */
void crew_sift(struct crew *c,
               size_t (*sift)(const void *ctx, struct word_count *counts, size_t n),
               const void *ctx)
{
    pthread_mutex_lock(&c->lock);
    c->sift = sift;
    c->sift_ctx = ctx;
    pthread_mutex_unlock(&c->lock);
}

/* --- the crew --- */

static enum status MUST_USE start(struct crew *c, const struct screen_reading *reading,
                                  struct err *e)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    enum status status = ST_OK;

    c->n_readers = n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (size_t)n;
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        status = words_new(&c->readers[i].words, reading, e);
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++, c->n_started++) {
        struct reader *r = &c->readers[i];
        r->crew = c;
        if (pthread_create(&r->thread, NULL, read_batches, r) == 0)
            continue;
        return i > 0 ? ST_OK : err_set(e, ST_IO, "cannot start a thread");
    }
    return status;
}

enum status crew_new(struct crew **out, const struct screen_reading *reading,
                     void (*take)(void *ctx, const struct word_count *counts, size_t n), void *ctx,
                     struct err *e)
{
    struct crew *c = mem_zero(1, sizeof *c);

    c->take = take;
    c->ctx = ctx;
    c->n_batches = 2 * THREADS_MAX;
    c->batches = mem_zero(c->n_batches, sizeof *c->batches);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->filled, NULL);
    pthread_cond_init(&c->done, NULL);
    enum status status = start(c, reading, e);
    *out = c;
    if (status != ST_OK) {
        crew_free(c);
        *out = NULL;
    }
    return status;
}

void crew_free(struct crew *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->filled);
    pthread_mutex_unlock(&c->lock);
    while (c->n_started > 0)
        pthread_join(c->readers[--c->n_started].thread, NULL);
    for (size_t i = 0; i < c->n_readers; i++)
        words_free(c->readers[i].words);
    for (size_t i = 0; i < c->n_batches; i++) {
        arena_clear(&c->batches[i].arena);
        array_clear(&c->batches[i].texts);
        array_clear(&c->batches[i].counts);
        array_clear(&c->batches[i].ends);
    }
    mem_free(c->batches);
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->filled);
    pthread_mutex_destroy(&c->lock);
    mem_free(c);
}
