/* match_crew: threads that make stems, hits and facts of posts. */
#include "match/corpus/match_crew.h"

#include "base/map.h"
#include "base/ring.h"

enum {
    THREADS_MAX = 64,
    BATCHES_A_THREAD = 4,
    BATCH_POSTS = 512,
    BATCH_BYTES = 1 << 20,
    WORDS_MAX = 1 << 20,  /* different words, as they are written, that are remembered */
    STEMS_MAX = 64 << 20, /* bytes of their stems */
    FREQUENT_BITS = 15,   /* of the place of a frequent word; such places fit into a processor's cache */
    SHORT_BYTES = 16      /* of a short word, at most */
};

/* What a word, as it is written, comes to. */
struct word {
    uint32_t number;            /* in the keyword set; 0: in no keyword */
    uint32_t stem_at, stem_len; /* in the reader's stems, with a blank */
};

/* A short word, with zeros after it, which no word has in it. */
struct short_word {
    uint64_t first, last;
};

static bool same_short(struct short_word a, struct short_word b)
{
    return a.first == b.first && a.last == b.last;
}

#define MAP_NAME short_map
#define MAP_KEY struct short_word
#define MAP_VALUE struct word
#define MAP_HASH(key, secret) map_hash_number(map_hash_number((key).first, secret) + (key).last, secret)
#define MAP_EQUAL(a, b) same_short(a, b)
#include "base/map.h"

#define MAP_NAME long_map
#define MAP_KEY struct span
#define MAP_VALUE struct word
#include "base/map.h"

struct raw_post {
    int64_t post_id;
    size_t title_len, body_len; /* in the batch's `raw`, one after the other */
    bool may_be_candidate;
};

/* Of a post that was read: where its texts, stems, hits and facts end in those of the batch. */
struct made_post {
    size_t text_end[FIELDS], stems_end[FIELDS], hit_end[FIELDS], fact_end;
    struct hint_losses losses;
};

struct batch {
    struct ARRAY_OF(struct raw_post) posts;
    struct buf raw, text, stems;
    struct arena arena;
    struct ARRAY_OF(struct hit) hits;
    struct ARRAY_OF(struct hint_fact) facts; /* their texts are in the arena */
    struct ARRAY_OF(struct made_post) made;
    enum status status; /* of reading it */
    struct err err;
};

struct reader {
    struct matcher *matcher;
    struct stemmer *stemmer;
    struct post_hints hints;
    bool has_hints;
    struct short_map shorts;
    struct short_map_entry *frequent; /* some of these, each at the only place where it can be */
    struct long_map longs;
    struct arena arena; /* of the long words */
    struct buf stems;   /* of all words, each once for each way it is written */
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

static struct word make_word(struct reader *r, const struct match_set *set, struct span written)
{
    struct span stem = stemmer_stem(r->stemmer, written);
    size_t at = r->stems.len;

    buf_add_span(&r->stems, stem);
    buf_add_char(&r->stems, ' ');
    return (struct word){match_set_number(set, stem), (uint32_t)at, (uint32_t)stem.len + 1};
}

/* Memory is slower than all that is done with a word, so that words are cut in advance, and what is known of
 * them is fetched meanwhile. */
enum { AHEAD = 64 };

struct cut_word {
    struct token token;
    struct span written;
    struct short_word key;
    struct short_map_entry *frequent; /* where it is if it is frequent; NULL: it is a long word */
    struct word word;
    bool is_known;
};

/* SHORT_BYTES can be read from the start of each word on. */
static size_t cut_words(struct reader *r, struct token_reader *tokens, struct cut_word *words)
{
    static const unsigned char ones[2 * SHORT_BYTES] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                        255, 255, 255, 255, 255, 255, 255, 255};
    struct short_word mask;
    size_t n = 0;

    for (; n < AHEAD && token_next(tokens, &words[n].token); n++) {
        struct cut_word *w = &words[n];
        w->written = (struct span){tokens->text.ptr + w->token.start, w->token.end - w->token.start};
        w->frequent = NULL;
        w->is_known = false;
        if (w->written.len > SHORT_BYTES)
            continue;
        memcpy(&w->key, w->written.ptr, SHORT_BYTES);
        memcpy(&mask, ones + SHORT_BYTES - w->written.len, SHORT_BYTES);
        w->key.first &= mask.first;
        w->key.last &= mask.last;
        uint64_t mixed = (w->key.first ^ w->key.last * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
        w->frequent = &r->frequent[mixed >> (64 - FREQUENT_BITS)];
        __builtin_prefetch(w->frequent, 1);
    }
    return n;
}

/* Most words of a text are few: one is compared with the last one that had its place. */
static void know_frequent(const struct reader *r, struct cut_word *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct cut_word *w = &words[i];
        if (w->frequent == NULL)
            continue;
        w->is_known = same_short(w->frequent->key, w->key);
        w->word = w->frequent->value;
        if (!w->is_known)
            short_map_fetch(&r->shorts, w->key);
    }
}

static struct word find_word(struct reader *r, const struct match_set *set, const struct cut_word *w)
{
    struct short_map_entry *entry;

    if (w->is_known)
        return w->word;
    if (w->frequent == NULL) {
        struct long_map_entry *entry_of_long;
        if (long_map_add(&r->longs, w->written, &entry_of_long)) {
            entry_of_long->key = arena_copy(&r->arena, w->written);
            entry_of_long->value = make_word(r, set, w->written);
        }
        return entry_of_long->value;
    }
    if (short_map_add(&r->shorts, w->key, &entry))
        entry->value = make_word(r, set, w->written);
    *w->frequent = *entry;
    return entry->value;
}

/* SHORT_BYTES can be read after the end of the text. */
static void read_words(struct reader *r, const struct match_crew_work *work, struct batch *b, enum field field,
                       struct span text)
{
    static const unsigned bits[] = {[FIELD_TITLE] = KEYWORD_IN_TITLE, [FIELD_BODY] = KEYWORD_IN_BODY};
    const struct study *study = work->study;
    bool matched = field == FIELD_TITLE ? study->match_title : study->match_body;
    struct token_reader tokens = token_reader(text);
    struct cut_word words[AHEAD];
    const struct hit *hits;
    size_t n;

    matcher_begin(r->matcher, bits[field]);
    while ((n = cut_words(r, &tokens, words)) > 0) {
        know_frequent(r, words, n);
        for (size_t i = 0; i < n; i++) {
            struct word word = find_word(r, work->set, &words[i]);
            buf_add(&b->stems, r->stems.ptr + word.stem_at, word.stem_len);
            if (matched)
                matcher_word(r->matcher, word.number, &words[i].token);
        }
    }
    n = matcher_end(r->matcher, &hits);
    array_reserve(&b->hits, n);
    for (size_t i = 0; i < n; i++)
        array_add(&b->hits, hits[i]);
}

/* --- the facts of a candidate --- */

static void read_facts(struct reader *r, const struct match_crew_work *work, struct batch *b, struct span title,
                       struct span body_html, struct made_post *made)
{
    /* Patterns take time to compile, and few posts may be candidates. That they can be compiled is known. */
    if (b->status == ST_OK && !r->has_hints) {
        r->has_hints = true;
        b->status = post_hints_init(&r->hints, work->study, NULL, &b->err);
    }
    if (b->status != ST_OK || r->hints.hints == NULL)
        return;
    const struct hint_list *list = post_hints_find(&r->hints, HINT_FACTS, title, body_html);
    for (size_t i = 0; i < list->n_facts; i++) {
        const struct hint_fact *fact = &list->facts[i];
        array_add(&b->facts, (struct hint_fact){.fact = fact->fact,
                                                .value = arena_copy(&b->arena, fact->value),
                                                .words = arena_copy(&b->arena, fact->words),
                                                .field = fact->field});
    }
    made->losses = list->losses;
}

/* --- a batch --- */

/* `raw`: the post's title and its HTML, one after the other. */
static void read_post(struct reader *r, const struct match_crew_work *work, struct batch *b,
                      const struct raw_post *post, const char *raw)
{
    struct span title = {raw, post->title_len}, body_html = {raw + post->title_len, post->body_len};
    enum text_options options = work->study->include_code ? work->text | TEXT_INCLUDE_CODE : work->text;
    struct made_post made = {.losses = {.row = SIZE_MAX}};
    size_t n_hits = b->hits.n;

    for (enum field field = FIELD_TITLE; field < FIELDS; field++) {
        size_t start = b->text.len;
        if (field == FIELD_TITLE)
            text_from_title(&b->text, title);
        else
            text_from_html(&b->text, body_html, options);
        buf_reserve(&b->text, SHORT_BYTES);
        read_words(r, work, b, field, (struct span){b->text.ptr + start, b->text.len - start});
        made.text_end[field] = b->text.len;
        made.stems_end[field] = b->stems.len;
        made.hit_end[field] = b->hits.n;
    }
    if (post->may_be_candidate && b->hits.n > n_hits)
        read_facts(r, work, b, title, body_html, &made);
    made.fact_end = b->facts.n;
    array_add(&b->made, made);
}

static void read_batch(void *ctx, size_t reader, size_t slot)
{
    struct match_crew *c = ctx;
    struct reader *r = &c->readers[reader];
    struct batch *b = &c->batches[slot];
    const char *raw = buf_span(&b->raw).ptr;

    for (size_t i = 0; i < b->posts.n; i++) {
        const struct raw_post *post = &b->posts.at[i];
        read_post(r, c->work, b, post, raw);
        raw += post->title_len + post->body_len;
    }
    if (r->shorts.n + r->longs.n >= WORDS_MAX || r->stems.len >= STEMS_MAX) {
        memset(r->frequent, 0, sizeof *r->frequent << FREQUENT_BITS);
        short_map_reset(&r->shorts);
        long_map_reset(&r->longs);
        arena_reset(&r->arena);
        buf_reset(&r->stems);
    }
}

/* --- filling and taking --- */

static void empty(struct batch *b)
{
    b->posts.n = b->made.n = b->hits.n = b->facts.n = 0;
    b->status = ST_OK;
    buf_reset(&b->raw);
    buf_reset(&b->text);
    buf_reset(&b->stems);
    arena_reset(&b->arena);
}

static struct span part_of(const struct buf *b, size_t from, size_t to)
{
    return to > from ? (struct span){b->ptr + from, to - from} : SPAN("");
}

static enum status MUST_USE take_posts(const struct match_crew *c, const struct batch *b, struct err *e)
{
    enum status status = ST_OK;
    size_t text = 0, stems = 0, hit = 0, fact = 0;

    for (size_t i = 0; i < b->made.n && status == ST_OK; i++) {
        const struct made_post *made = &b->made.at[i];
        struct match_crew_post post = {.post_id = b->posts.at[i].post_id,
                                       .may_be_candidate = b->posts.at[i].may_be_candidate,
                                       .facts = made->fact_end > fact ? &b->facts.at[fact] : NULL,
                                       .n_facts = made->fact_end - fact,
                                       .losses = made->losses};
        for (size_t field = 0; field < FIELDS; field++) {
            post.text[field] = part_of(&b->text, text, made->text_end[field]);
            post.n_hits[field] = made->hit_end[field] - hit;
            post.hits[field] = post.n_hits[field] > 0 ? &b->hits.at[hit] : NULL;
            post.stems[field] = part_of(&b->stems, stems, made->stems_end[field]);
            text = made->text_end[field];
            stems = made->stems_end[field];
            hit = made->hit_end[field];
        }
        fact = made->fact_end;
        status = c->taker->take(c->taker->ctx, &post, e);
    }
    return status;
}

static enum status MUST_USE take_batch(struct match_crew *c, struct err *e)
{
    struct batch *b = &c->batches[ring_oldest(c->ring)];
    enum status status = b->status;

    if (status == ST_OK)
        status = take_posts(c, b, e);
    else
        *e = b->err;
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
    bool may_be_candidate = post->type == POST_QUESTION ||
                            (post->type == POST_ANSWER && c->work->study->candidate_answers);
    array_add(&b->posts, (struct raw_post){.post_id = post->post_id,
                                           .title_len = post->title.len,
                                           .body_len = post->body_html.len,
                                           .may_be_candidate = may_be_candidate});
    buf_reserve(&b->raw, post->title.len + post->body_html.len + 1);
    buf_add_span(&b->raw, post->title);
    buf_add_span(&b->raw, post->body_html);
    if (b->posts.n == BATCH_POSTS || b->raw.len >= BATCH_BYTES)
        ring_hand_over(c->ring);
    return ST_OK;
}

enum status match_crew_end(struct match_crew *c, struct err *e)
{
    enum status status = ST_OK;

    if (!ring_is_full(c->ring) && c->batches[ring_slot(c->ring)].posts.n > 0)
        ring_hand_over(c->ring);
    while (status == ST_OK && !ring_is_empty(c->ring))
        status = take_batch(c, e);
    return status;
}

/* --- the crew --- */

enum status match_crew_new(struct match_crew **out, const struct match_crew_work *work,
                           const struct match_crew_taker *taker, struct err *e)
{
    struct match_crew *c = mem_zero(1, sizeof *c);
    enum status status = ST_OK;

    c->work = work;
    c->taker = taker;
    c->n_readers = work->threads > 0 && work->threads <= THREADS_MAX ? work->threads : ring_readers(THREADS_MAX);
    c->n_batches = BATCHES_A_THREAD * c->n_readers;
    c->batches = mem_zero(c->n_batches, sizeof *c->batches);
    *out = c;
    for (size_t i = 0; i < c->n_readers && status == ST_OK; i++) {
        struct reader *r = &c->readers[i];
        r->matcher = matcher_new(c->work->set);
        r->frequent = mem_zero((size_t)1 << FREQUENT_BITS, sizeof *r->frequent);
        status = stemmer_new(&r->stemmer, c->work->study->stemmer, e);
    }
    if (status != ST_OK)
        return status;
    return ring_new(
        &c->ring, &(struct ring_work){.ctx = c, .read = read_batch, .n_slots = c->n_batches, .n_readers = c->n_readers},
        e);
}

void match_crew_free(struct match_crew *c)
{
    if (c == NULL)
        return;
    ring_free(c->ring);
    for (size_t i = 0; i < c->n_readers; i++) {
        struct reader *r = &c->readers[i];
        matcher_free(r->matcher);
        stemmer_free(r->stemmer);
        post_hints_clear(&r->hints);
        short_map_clear(&r->shorts);
        long_map_clear(&r->longs);
        mem_free(r->frequent);
        arena_clear(&r->arena);
        buf_clear(&r->stems);
    }
    for (size_t i = 0; i < c->n_batches; i++) {
        struct batch *b = &c->batches[i];
        empty(b);
        array_clear(&b->posts);
        array_clear(&b->hits);
        array_clear(&b->facts);
        array_clear(&b->made);
        buf_clear(&b->raw);
        buf_clear(&b->text);
        buf_clear(&b->stems);
        arena_clear(&b->arena);
    }
    mem_free(c->batches);
    mem_free(c);
}
