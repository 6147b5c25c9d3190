/* match_crew: threads that make words, hits and parts of the full-text index of posts. */
#include "mine/match_crew.h"

#include <pthread.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    BATCHES_A_THREAD = 4,
    BATCH_POSTS = 512,
    BATCH_BYTES = 1 << 20,
    SEGMENT_BYTES = 64 << 20, /* of words, before they become a part of the index */
    WORDS_MAX = 1 << 20       /* different words, as they are written, that are remembered */
};

/* What a word, as it is written, comes to. */
struct word {
    uint32_t number; /* in the keyword set; 0: in no keyword */
    uint32_t term;   /* in the index */
};

#define MAP_NAME word_map
#define MAP_KEY struct span
#define MAP_VALUE struct word
#include "base/map.h"

struct raw_post {
    int64_t post_id;
    struct span title, body_html;
};

/* Of a post that was read: where its texts and hits end in those of the batch. */
struct made_post {
    size_t text_end[FIELDS], hit_end[FIELDS];
};

struct batch {
    struct ARRAY_OF(struct raw_post) posts;
    struct arena arena;
    size_t n_bytes;
    struct buf text;
    struct ARRAY_OF(struct hit) hits;
    struct ARRAY_OF(struct made_post) made;
    struct search_segment *segment; /* one that was full after this batch, or NULL */
    enum { BATCH_FREE, BATCH_FILLED, BATCH_DONE } state;
};

struct reader {
    struct match_crew *crew;
    pthread_t thread;
    size_t next; /* the batch that it reads next: every n_readers-th, so that the index is the same each time */
    struct matcher *matcher;
    struct stemmer *stemmer;
    struct search_builder *builder;
    struct search_segment *segment; /* the last one */
    struct word_map words;
    struct arena arena; /* of the words */
};

struct match_crew {
    const struct match_crew_work *work;
    const struct match_crew_taker *taker;
    struct reader readers[THREADS_MAX];
    size_t n_readers, n_started;
    struct batch *batches;
    size_t n_batches;
    size_t n_filled, n_taken; /* batches so far */
    bool stop, finish;
    pthread_mutex_t lock;
    pthread_cond_t filled, done;
};

/* --- a post --- */

static struct word look_up(struct reader *r, struct span written)
{
    struct word_map_entry *entry;

    if (word_map_add(&r->words, written, &entry)) {
        struct span stem = stemmer_stem(r->stemmer, written);
        entry->key = arena_copy(&r->arena, written);
        entry->value = (struct word){match_set_number(r->crew->work->set, stem),
                                     search_term(r->builder, stem)};
    }
    return entry->value;
}

static void read_words(struct reader *r, struct batch *b, enum field field, struct span text)
{
    static const unsigned bits[] = {[FIELD_TITLE] = KEYWORD_IN_TITLE, [FIELD_BODY] = KEYWORD_IN_BODY};
    const struct study *study = r->crew->work->study;
    bool matched = field == FIELD_TITLE ? study->match_title : study->match_body;
    struct token_reader tokens = token_reader(text);
    struct token token;
    const struct hit *hits;

    matcher_begin(r->matcher, bits[field]);
    while (token_next(&tokens, &token)) {
        struct word word = look_up(r, (struct span){text.ptr + token.start, token.end - token.start});
        search_add(r->builder, (unsigned)field, word.term);
        if (matched)
            matcher_word(r->matcher, word.number, &token);
    }
    size_t n = matcher_end(r->matcher, &hits);
    array_reserve(&b->hits, n);
    for (size_t i = 0; i < n; i++)
        array_add(&b->hits, hits[i]);
}

/* Words that were remembered have numbers of the builder, so that both are forgotten together. */
static void forget_words(struct reader *r)
{
    word_map_reset(&r->words);
    arena_reset(&r->arena);
}

static void read_batch(struct reader *r, struct batch *b)
{
    const struct match_crew_work *work = r->crew->work;
    enum text_options options =
        work->study->include_code ? work->text | TEXT_INCLUDE_CODE : work->text;

    for (size_t i = 0; i < b->posts.n; i++) {
        const struct raw_post *post = &b->posts.at[i];
        struct made_post made;
        search_begin_post(r->builder, post->post_id);
        for (enum field field = FIELD_TITLE; field < FIELDS; field++) {
            size_t start = b->text.len;
            if (field == FIELD_TITLE)
                text_from_title(&b->text, post->title);
            else
                text_from_html(&b->text, post->body_html, options);
            read_words(r, b, field, (struct span){b->text.ptr + start, b->text.len - start});
            made.text_end[field] = b->text.len;
            made.hit_end[field] = b->hits.n;
        }
        array_add(&b->made, made);
    }
    if (search_bytes(r->builder) < SEGMENT_BYTES && r->words.n < WORDS_MAX)
        return;
    b->segment = search_build(r->builder);
    forget_words(r);
}

static void *read_batches(void *arg)
{
    struct reader *r = arg;
    struct match_crew *c = r->crew;

    pthread_mutex_lock(&c->lock);
    for (;;) {
        while (!c->stop && !c->finish && r->next >= c->n_filled)
            pthread_cond_wait(&c->filled, &c->lock);
        if (c->stop || r->next >= c->n_filled)
            break;
        struct batch *b = &c->batches[r->next % c->n_batches];
        r->next += c->n_readers;
        pthread_mutex_unlock(&c->lock);
        read_batch(r, b);
        pthread_mutex_lock(&c->lock);
        b->state = BATCH_DONE;
        pthread_cond_signal(&c->done);
    }
    bool finish = !c->stop;
    pthread_mutex_unlock(&c->lock);
    if (finish)
        r->segment = search_build(r->builder);
    return NULL;
}

/* --- filling and taking --- */

static void empty(struct batch *b)
{
    search_segment_free(b->segment);
    b->segment = NULL;
    b->posts.n = b->made.n = b->hits.n = b->n_bytes = 0;
    buf_reset(&b->text);
    arena_reset(&b->arena);
    b->state = BATCH_FREE; /* nobody else looks at it until it is filled */
}

static enum status MUST_USE take_posts(const struct match_crew *c, const struct batch *b, struct err *e)
{
    enum status status = ST_OK;
    size_t text = 0, hit = 0;

    for (size_t i = 0; i < b->made.n && status == ST_OK; i++) {
        const struct made_post *made = &b->made.at[i];
        struct match_crew_post post = {.post_id = b->posts.at[i].post_id};
        for (size_t field = 0; field < FIELDS; field++) {
            post.text[field] = (struct span){b->text.ptr + text, made->text_end[field] - text};
            post.hits[field] = b->hits.at + hit;
            post.n_hits[field] = made->hit_end[field] - hit;
            text = made->text_end[field];
            hit = made->hit_end[field];
        }
        status = c->taker->take(c->taker->ctx, &post, e);
    }
    return status;
}

/* Waits for the oldest batch and takes it. */
static enum status MUST_USE take_batch(struct match_crew *c, struct err *e)
{
    struct batch *b = &c->batches[c->n_taken % c->n_batches];

    pthread_mutex_lock(&c->lock);
    while (b->state != BATCH_DONE)
        pthread_cond_wait(&c->done, &c->lock);
    pthread_mutex_unlock(&c->lock);
    enum status status = take_posts(c, b, e);
    if (status == ST_OK && b->segment != NULL)
        status = c->taker->take_segment(c->taker->ctx, b->segment, e);
    empty(b);
    c->n_taken++;
    return status;
}

static void hand_over(struct match_crew *c, struct batch *b)
{
    pthread_mutex_lock(&c->lock);
    b->state = BATCH_FILLED;
    c->n_filled++;
    pthread_cond_broadcast(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

enum status match_crew_add(struct match_crew *c, const struct post *post, struct err *e)
{
    struct batch *b = &c->batches[c->n_filled % c->n_batches];
    enum status status = ST_OK;

    if (c->n_filled - c->n_taken == c->n_batches)
        status = take_batch(c, e);
    if (status != ST_OK)
        return status;
    array_add(&b->posts, (struct raw_post){.post_id = post->post_id,
                                           .title = arena_copy(&b->arena, post->title),
                                           .body_html = arena_copy(&b->arena, post->body_html)});
    b->n_bytes += post->title.len + post->body_html.len;
    if (b->posts.n == BATCH_POSTS || b->n_bytes >= BATCH_BYTES)
        hand_over(c, b);
    return ST_OK;
}

static void join(struct match_crew *c)
{
    while (c->n_started > 0)
        pthread_join(c->readers[--c->n_started].thread, NULL);
}

enum status match_crew_end(struct match_crew *c, struct err *e)
{
    struct batch *b = &c->batches[c->n_filled % c->n_batches];
    enum status status = ST_OK;

    if (b->posts.n > 0 && c->n_filled - c->n_taken < c->n_batches)
        hand_over(c, b);
    pthread_mutex_lock(&c->lock);
    c->finish = true;
    pthread_cond_broadcast(&c->filled);
    pthread_mutex_unlock(&c->lock);
    while (status == ST_OK && c->n_taken < c->n_filled)
        status = take_batch(c, e);
    join(c);
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        if (c->readers[i].segment != NULL)
            status = c->taker->take_segment(c->taker->ctx, c->readers[i].segment, e);
    return status;
}

/* --- the crew --- */

static enum status MUST_USE reader_init(struct match_crew *c, size_t number, struct err *e)
{
    struct reader *r = &c->readers[number];

    r->crew = c;
    r->next = number;
    r->matcher = matcher_new(c->work->set);
    r->builder = search_builder_new();
    return stemmer_new(&r->stemmer, c->work->study->stemmer, e);
}

/* Each batch has its reader, so that all must start. */
static enum status MUST_USE start(struct match_crew *c, struct err *e)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    enum status status = ST_OK;

    c->n_readers = n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (size_t)n;
    c->n_batches = BATCHES_A_THREAD * c->n_readers;
    c->batches = mem_zero(c->n_batches, sizeof *c->batches);
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        status = reader_init(c, i, e);
    for (; c->n_started < c->n_readers && status == ST_OK; c->n_started++) {
        struct reader *r = &c->readers[c->n_started];
        if (pthread_create(&r->thread, NULL, read_batches, r) != 0)
            return err_set(e, ST_IO, "cannot start a thread");
    }
    return status;
}

enum status match_crew_new(struct match_crew **out, const struct match_crew_work *work, const struct match_crew_taker *taker,
                     struct err *e)
{
    struct match_crew *c = mem_zero(1, sizeof *c);

    c->work = work;
    c->taker = taker;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->filled, NULL);
    pthread_cond_init(&c->done, NULL);
    *out = c;
    return start(c, e);
}

static void reader_clear(struct reader *r)
{
    matcher_free(r->matcher);
    stemmer_free(r->stemmer);
    search_builder_free(r->builder);
    search_segment_free(r->segment);
    word_map_clear(&r->words);
    arena_clear(&r->arena);
}

void match_crew_free(struct match_crew *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->filled);
    pthread_mutex_unlock(&c->lock);
    join(c);
    for (size_t i = 0; i < c->n_readers; i++)
        reader_clear(&c->readers[i]);
    for (size_t i = 0; i < c->n_batches; i++) {
        struct batch *b = &c->batches[i];
        empty(b);
        array_clear(&b->posts);
        array_clear(&b->hits);
        array_clear(&b->made);
        buf_clear(&b->text);
        arena_clear(&b->arena);
    }
    mem_free(c->batches);
    pthread_cond_destroy(&c->filled);
    pthread_cond_destroy(&c->done);
    pthread_mutex_destroy(&c->lock);
    mem_free(c);
}
