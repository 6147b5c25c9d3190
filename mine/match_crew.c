/* match_crew: threads that make words, hits and parts of the full-text index of posts. */
#include "mine/match_crew.h"

#include "base/ring.h"

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
};

struct reader {
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
    size_t n_readers;
    struct batch *batches; /* one for each slot of the ring */
    size_t n_batches;
    struct ring *ring;
};

/* --- a post --- */

static struct word look_up(struct reader *r, const struct match_set *set, struct span written)
{
    struct word_map_entry *entry;

    if (word_map_add(&r->words, written, &entry)) {
        struct span stem = stemmer_stem(r->stemmer, written);
        entry->key = arena_copy(&r->arena, written);
        entry->value = (struct word){match_set_number(set, stem),
                                     search_term(r->builder, stem)};
    }
    return entry->value;
}

static void read_words(struct reader *r, const struct match_crew_work *work, struct batch *b,
                       enum field field, struct span text)
{
    static const unsigned bits[] = {[FIELD_TITLE] = KEYWORD_IN_TITLE, [FIELD_BODY] = KEYWORD_IN_BODY};
    const struct study *study = work->study;
    bool matched = field == FIELD_TITLE ? study->match_title : study->match_body;
    struct token_reader tokens = token_reader(text);
    struct token token;
    const struct hit *hits;

    matcher_begin(r->matcher, bits[field]);
    while (token_next(&tokens, &token)) {
        struct word word = look_up(r, work->set, (struct span){text.ptr + token.start, token.end - token.start});
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

static void read_batch(void *ctx, size_t reader, size_t slot)
{
    struct match_crew *c = ctx;
    struct reader *r = &c->readers[reader];
    struct batch *b = &c->batches[slot];
    const struct match_crew_work *work = c->work;
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
            read_words(r, work, b, field, (struct span){b->text.ptr + start, b->text.len - start});
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

static void build_last(void *ctx, size_t reader)
{
    struct match_crew *c = ctx;

    c->readers[reader].segment = search_build(c->readers[reader].builder);
}

/* --- filling and taking --- */

static void empty(struct batch *b)
{
    search_segment_free(b->segment);
    b->segment = NULL;
    b->posts.n = b->made.n = b->hits.n = b->n_bytes = 0;
    buf_reset(&b->text);
    arena_reset(&b->arena);
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

static enum status MUST_USE take_batch(struct match_crew *c, struct err *e)
{
    struct batch *b = &c->batches[ring_oldest(c->ring)];
    enum status status = take_posts(c, b, e);

    if (status == ST_OK && b->segment != NULL)
        status = c->taker->take_segment(c->taker->ctx, b->segment, e);
    empty(b);
    ring_taken(c->ring);
    return status;
}

enum status match_crew_add(struct match_crew *c, const struct post *post, struct err *e)
{
    enum status status = ST_OK;

    if (ring_is_full(c->ring))
        status = take_batch(c, e);
    if (status != ST_OK)
        return status;
    struct batch *b = &c->batches[ring_slot(c->ring)];
    array_add(&b->posts, (struct raw_post){.post_id = post->post_id,
                                           .title = arena_copy(&b->arena, post->title),
                                           .body_html = arena_copy(&b->arena, post->body_html)});
    b->n_bytes += post->title.len + post->body_html.len;
    if (b->posts.n == BATCH_POSTS || b->n_bytes >= BATCH_BYTES)
        ring_hand_over(c->ring);
    return ST_OK;
}

enum status match_crew_end(struct match_crew *c, struct err *e)
{
    enum status status = ST_OK;

    if (!ring_is_full(c->ring) && c->batches[ring_slot(c->ring)].posts.n > 0)
        ring_hand_over(c->ring);
    ring_close(c->ring);
    while (status == ST_OK && !ring_is_empty(c->ring))
        status = take_batch(c, e);
    ring_join(c->ring);
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        if (c->readers[i].segment != NULL)
            status = c->taker->take_segment(c->taker->ctx, c->readers[i].segment, e);
    return status;
}

/* --- the crew --- */

static enum status MUST_USE reader_init(struct match_crew *c, struct reader *r, struct err *e)
{
    r->matcher = matcher_new(c->work->set);
    r->builder = search_builder_new();
    return stemmer_new(&r->stemmer, c->work->study->stemmer, e);
}

enum status match_crew_new(struct match_crew **out, const struct match_crew_work *work,
                           const struct match_crew_taker *taker, struct err *e)
{
    struct match_crew *c = mem_zero(1, sizeof *c);
    enum status status = ST_OK;

    c->work = work;
    c->taker = taker;
    c->n_readers = ring_readers(THREADS_MAX);
    c->n_batches = BATCHES_A_THREAD * c->n_readers;
    c->batches = mem_zero(c->n_batches, sizeof *c->batches);
    *out = c;
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++)
        status = reader_init(c, &c->readers[i], e);
    if (status != ST_OK)
        return status;
    /* In turn, so that the index is the same each time. */
    return ring_new(&c->ring, &(struct ring_work){
        .ctx = c, .read = read_batch, .end = build_last, .n_slots = c->n_batches,
        .n_readers = c->n_readers, .in_turn = true}, e);
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
    ring_free(c->ring);
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
    mem_free(c);
}
