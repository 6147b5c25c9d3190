/*
 * search: the parts of a full-text index as FTS5 keeps them.
 *
 * A segment is a run of leaf pages: terms in order, each with its doclist. The format is described in
 * fts5_index.c and fts5Int.h of SQLite, where it is version 4, which every FTS5 since 2016 reads:
 *
 *   page      2 bytes: where the first post is that belongs to a term of an earlier page (0: none);
 *             2 bytes: where the terms' places begin; content; the places of the terms, as varints, each
 *             as the distance from the one before
 *   term      varint: how many bytes it shares with the one before (not for the first on a page);
 *             varint: how many follow; these. All begin with '0', for the main index
 *   doclist   for each post a varint, the id less that of the post before (the first on a page: the
 *             id); a varint, twice the bytes of the position list; that list
 *   positions varints: 2 + the distance from the position before; 1 and a column begin the next column
 *
 * Here as there, a position list may go on on the next page; a varint never does.
 */
#include "match/corpus/search.h"
#include "match/corpus/search_segment.h"

#include <stdlib.h>

enum {
    PAGE_SIZE = 4050, /* FTS5's default */
    HEADER_SIZE = 4,
    TERM_MAX = 32768, /* bytes that FTS5 keeps of a word */
    VARINT_MAX = 9,
    COLUMN_MARK = 1,
    MAIN_INDEX = '0'
};

#define MAP_NAME term_map
#define MAP_KEY struct span
#include "base/map.h"

/* The doclist of a term. The position list of its last post lacks its size, for which a byte is kept. */
struct postings {
    unsigned char *bytes;
    uint32_t len, capacity;
    uint32_t size_at;
    uint32_t position;
    int64_t post_id;
    unsigned column;
};

struct search_builder {
    struct term_map terms; /* a term's place is its number */
    struct ARRAY_OF(struct postings) postings;
    struct arena arena;
    size_t n_bytes;
    int64_t post_id;
    uint32_t n_words[SEARCH_COLUMNS]; /* of that post */
    struct search_segment *segment;   /* NULL: no post yet */
};

struct search_builder *search_builder_new(void)
{
    return mem_zero(1, sizeof(struct search_builder));
}

static void forget(struct search_builder *b)
{
    for (size_t i = 0; i < b->postings.n; i++)
        mem_free(b->postings.at[i].bytes);
    b->postings.n = 0;
    b->n_bytes = 0;
    term_map_reset(&b->terms);
    arena_reset(&b->arena);
}

void search_builder_free(struct search_builder *b)
{
    if (b == NULL)
        return;
    forget(b);
    search_segment_free(b->segment);
    array_clear(&b->postings);
    term_map_clear(&b->terms);
    arena_clear(&b->arena);
    mem_free(b);
}

void search_segment_free(struct search_segment *s)
{
    if (s == NULL)
        return;
    buf_clear(&s->pages);
    buf_clear(&s->first_terms);
    array_clear(&s->page_ends);
    array_clear(&s->leads);
    mem_free(s);
}

/* --- collecting --- */

uint32_t search_term(struct search_builder *b, struct span stem)
{
    struct term_map_entry *entry;

    stem.len = stem.len < TERM_MAX ? stem.len : TERM_MAX;
    if (term_map_add(&b->terms, stem, &entry)) {
        entry->key = arena_copy(&b->arena, stem);
        array_add(&b->postings, (struct postings){.bytes = NULL});
        b->n_bytes += sizeof(struct postings) + stem.len;
    }
    return (uint32_t)(entry - b->terms.at);
}

/* SQLite's: seven bits in each byte, the highest first; the ninth byte has eight. */
size_t search_put_varint(unsigned char *to, uint64_t value)
{
    unsigned char bytes[VARINT_MAX + 1];
    size_t n = 0;

    if (value < 0x80) {
        to[0] = (unsigned char)value;
        return 1;
    }
    if (value >> 56 != 0) {
        to[VARINT_MAX - 1] = (unsigned char)value;
        value >>= 8;
        for (size_t i = VARINT_MAX - 1; i > 0; i--, value >>= 7)
            to[i - 1] = (unsigned char)(value & 0x7f) | 0x80;
        return VARINT_MAX;
    }
    for (; value > 0; value >>= 7)
        bytes[n++] = (unsigned char)(value & 0x7f) | 0x80;
    bytes[0] &= 0x7f;
    for (size_t i = 0; i < n; i++)
        to[i] = bytes[n - 1 - i];
    return n;
}

/* Nearly all numbers here are small. */
static inline size_t put_number(unsigned char *to, uint64_t value)
{
    if (value >= 0x80)
        return search_put_varint(to, value);
    to[0] = (unsigned char)value;
    return 1;
}

static inline size_t get_varint(const unsigned char *from, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < VARINT_MAX - 1; i++) {
        *value = *value << 7 | (from[i] & 0x7f);
        if (from[i] < 0x80)
            return i + 1;
    }
    *value = *value << 8 | from[VARINT_MAX - 1];
    return VARINT_MAX;
}

enum { PLACE_MAX = 5 * VARINT_MAX /* bytes of a post, a column and a position */ };

static void grow(struct search_builder *b, struct postings *p)
{
    enum { FIRST = 48 };
    uint32_t grown = p->capacity == 0 ? FIRST : p->capacity + p->capacity / 2 + PLACE_MAX;
    p->bytes = mem_resize(p->bytes, grown, 1);
    b->n_bytes += grown - p->capacity;
    p->capacity = grown;
}

static inline void reserve(struct search_builder *b, struct postings *p)
{
    if (p->capacity - p->len < PLACE_MAX)
        grow(b, p);
}

/* Writes the size of the last position list in front of it. */
static void end_list(struct postings *p)
{
    unsigned char size[VARINT_MAX];
    uint32_t start = p->size_at + 1, len = p->len - start;

    if (len < 0x40) {
        p->bytes[p->size_at] = (unsigned char)(len * 2);
        return;
    }
    size_t n = search_put_varint(size, (uint64_t)len * 2);
    memmove(p->bytes + p->size_at + n, p->bytes + start, len);
    memcpy(p->bytes + p->size_at, size, n);
    p->len += (uint32_t)n - 1;
}

void search_begin_post(struct search_builder *b, int64_t post_id)
{
    if (b->segment == NULL)
        b->segment = mem_zero(1, sizeof *b->segment);
    b->post_id = post_id;
    memset(b->n_words, 0, sizeof b->n_words);
}

static void begin_list(struct search_builder *b, struct postings *p)
{
    if (p->len > 0) {
        end_list(p);
        reserve(b, p);
    }
    p->len += (uint32_t)put_number(p->bytes + p->len, (uint64_t)b->post_id - (uint64_t)p->post_id);
    p->post_id = b->post_id;
    p->size_at = p->len++;
    p->column = 0;
    p->position = 0;
}

static inline void add_place(struct search_builder *b, struct postings *p, unsigned column, uint32_t position)
{
    reserve(b, p);
    if (p->len == 0 || p->post_id != b->post_id)
        begin_list(b, p);
    if (column != p->column) {
        p->bytes[p->len++] = COLUMN_MARK;
        p->len += (uint32_t)put_number(p->bytes + p->len, column);
        p->column = column;
        p->position = 0;
    }
    p->len += (uint32_t)put_number(p->bytes + p->len, (uint64_t)position - p->position + 2);
    p->position = position;
}

/* The postings of all words are more than a processor's cache: those of the next words are fetched, all at once,
 * before they are written. */
static void fetch_ahead(const struct search_builder *b, const uint32_t *terms, size_t n)
{
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(&b->postings.at[terms[i]], 1);
    for (size_t i = 0; i < n; i++) {
        const struct postings *p = &b->postings.at[terms[i]];
        if (p->bytes == NULL)
            continue;
        __builtin_prefetch(p->bytes + p->size_at, 1);
        __builtin_prefetch(p->bytes + p->len, 1);
    }
}

void search_add(struct search_builder *b, unsigned column, const uint32_t *terms, size_t n)
{
    enum { AHEAD = 64 };
    uint32_t position = b->n_words[column];

    for (size_t i = 0; i < n; i++) {
        if (i % AHEAD == 0)
            fetch_ahead(b, terms + i, n - i < AHEAD ? n - i : AHEAD);
        add_place(b, &b->postings.at[terms[i]], column, position++);
    }
    b->n_words[column] = position;
}

const uint32_t *search_sizes(const struct search_builder *b)
{
    return b->n_words;
}

size_t search_bytes(const struct search_builder *b)
{
    return b->n_bytes;
}

/* --- pages --- */

struct pages {
    struct search_segment *out;
    unsigned char *page; /* that is being filled */
    size_t len, capacity;
    struct buf places; /* of its terms, for its end */
    size_t last_place;
    struct span last_term;
    bool no_term, no_post; /* on this page, yet */
};

static void begin_page(struct pages *p)
{
    memset(p->page, 0, HEADER_SIZE);
    p->len = HEADER_SIZE;
    buf_reset(&p->places);
    p->last_place = 0;
    p->no_term = true;
    p->no_post = true;
}

static void put_16(unsigned char *to, size_t value)
{
    to[0] = (unsigned char)(value >> 8);
    to[1] = (unsigned char)value;
}

static void end_page(struct pages *p)
{
    put_16(p->page + 2, p->len);
    buf_add(&p->out->pages, (const char *)p->page, p->len);
    buf_add_span(&p->out->pages, buf_span(&p->places));
    array_add(&p->out->page_ends, p->out->pages.len);
    begin_page(p);
}

static void make_room(struct pages *p, size_t more)
{
    if (p->capacity - p->len >= more)
        return;
    p->capacity = p->len + more;
    p->page = mem_resize(p->page, p->capacity, 1);
}

static void add_term_place(struct pages *p)
{
    unsigned char varint[VARINT_MAX];
    size_t n = put_number(varint, p->len - p->last_place);

    buf_add(&p->places, (const char *)varint, n);
    p->last_place = p->len;
}

static size_t shared_prefix(struct span a, struct span b)
{
    size_t n = 0;

    while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n])
        n++;
    return n;
}

/* The first term of a page leads to it from above, by its first bytes that tell it from the term before. */
static void add_lead(struct pages *p, struct span term)
{
    size_t page = p->out->page_ends.n + 1, n = 0;

    if (page > 1)
        n = 1 + shared_prefix(p->last_term, term);
    buf_add(&p->out->first_terms, term.ptr, n);
    array_add(&p->out->leads, (struct search_lead){.page = page, .end = p->out->first_terms.len});
}

/* `term` has the mark of the index in front. */
static void add_term(struct pages *p, struct span term)
{
    size_t shared = 0;

    if (p->len + p->places.len + term.len + 2 >= PAGE_SIZE && p->len > HEADER_SIZE)
        end_page(p);
    make_room(p, term.len + 2 * VARINT_MAX);
    add_term_place(p);
    if (p->no_term) {
        add_lead(p, term);
    } else {
        shared = shared_prefix(p->last_term, term);
        p->len += put_number(p->page + p->len, shared);
    }
    p->len += put_number(p->page + p->len, term.len - shared);
    memcpy(p->page + p->len, term.ptr + shared, term.len - shared);
    p->len += term.len - shared;
    p->last_term = term;
    p->no_term = false;
    p->no_post = false;
}

/* The bytes of whole varints that fit into `space`: at least one. */
static size_t fitting(const unsigned char *list, size_t len, size_t space)
{
    uint64_t value;
    size_t n = get_varint(list, &value);

    while (n < len) {
        size_t next = get_varint(list + n, &value);
        if (n + next > space)
            break;
        n += next;
    }
    return n;
}

/* A position list with its size in front. */
static void add_list(struct pages *p, const unsigned char *list, size_t len)
{
    for (size_t done = 0; done < len;) {
        size_t used = p->len + p->places.len, space = used < PAGE_SIZE ? PAGE_SIZE - used : 0;
        size_t n = len - done <= space ? len - done : fitting(list + done, len - done, space);
        make_room(p, n);
        memcpy(p->page + p->len, list + done, n);
        p->len += n;
        done += n;
        if (done < len || p->len + p->places.len >= PAGE_SIZE)
            end_page(p);
    }
}

static void add_postings(struct pages *p, const struct postings *postings)
{
    uint64_t id = 0, delta, size;

    for (size_t at = 0; at < postings->len;) {
        at += get_varint(postings->bytes + at, &delta);
        id += delta;
        make_room(p, VARINT_MAX);
        if (p->no_post)
            put_16(p->page, p->len);
        p->len += put_number(p->page + p->len, p->no_post ? id : delta);
        p->no_post = false;
        size_t n = get_varint(postings->bytes + at, &size);
        n += (size_t)size / 2;
        add_list(p, postings->bytes + at, n);
        at += n;
    }
}

/* --- a segment --- */

struct sorted_term {
    uint64_t start;   /* the first bytes of the stem, the first one highest: most terms differ there */
    struct span term; /* with its mark */
    uint32_t number;
};

static int compare_terms(const void *a, const void *b)
{
    const struct sorted_term *first = a, *second = b;

    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    return span_order(first->term, second->term);
}

static uint64_t start_of(struct span stem)
{
    uint64_t start = 0;

    for (size_t i = 0; i < sizeof start; i++)
        start = start << 8 | (i < stem.len ? (unsigned char)stem.ptr[i] : 0);
    return start;
}

static struct sorted_term *sort_terms(struct search_builder *b)
{
    size_t n = b->terms.n;
    struct sorted_term *terms = mem_zero(n + 1, sizeof *terms);

    for (size_t i = 0; i < n; i++) {
        struct span stem = b->terms.at[i].key;
        char *text = arena_alloc(&b->arena, stem.len + 1);
        text[0] = MAIN_INDEX;
        memcpy(text + 1, stem.ptr, stem.len);
        terms[i] = (struct sorted_term){start_of(stem), {text, stem.len + 1}, (uint32_t)i};
    }
    if (n > 1)
        qsort(terms, n, sizeof *terms, compare_terms);
    return terms;
}

static void add_terms(struct search_builder *b)
{
    struct pages p = {.out = b->segment, .page = mem_alloc(PAGE_SIZE), .capacity = PAGE_SIZE};
    struct sorted_term *terms = sort_terms(b);

    begin_page(&p);
    for (size_t i = 0; i < b->terms.n; i++) {
        struct postings *postings = &b->postings.at[terms[i].number];
        if (postings->len == 0)
            continue;
        end_list(postings);
        add_term(&p, terms[i].term);
        add_postings(&p, postings);
        mem_free(postings->bytes);
        postings->bytes = NULL;
    }
    if (p.len > HEADER_SIZE)
        end_page(&p);
    buf_clear(&p.places);
    mem_free(p.page);
    mem_free(terms);
}

struct search_segment *search_build(struct search_builder *b)
{
    struct search_segment *segment = b->segment;

    if (segment != NULL)
        add_terms(b);
    b->segment = NULL;
    forget(b);
    return segment;
}
