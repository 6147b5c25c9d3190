/*
 * map: a hash map, or a set, with keys of one type. A template for any room: name its parts, then include it in a .c
 * file or a private header.
 *
 *     #define MAP_NAME word_map          the type, struct word_map, and the prefix of its functions
 *     #define MAP_KEY struct span
 *     #define MAP_VALUE uint64_t         leave it out for a set
 *     #include "base/map.h"
 *
 * gives, where E is struct word_map_entry { MAP_KEY key; MAP_VALUE value; }:
 *
 *     E *word_map_find(const struct word_map *m, MAP_KEY key)        NULL: the key is not in m
 *     bool word_map_has(const struct word_map *m, MAP_KEY key)
 *     bool word_map_add(struct word_map *m, MAP_KEY key, E **entry)  true: the key is new, its value all zero bits.
 *                                        *entry is the key's entry, new or not. `entry` may be NULL
 *     void word_map_fetch(const struct word_map *m, MAP_KEY key)     only for speed: prefetches the memory that a find
 *                                        or an add of the key soon reads
 *     void word_map_reset(struct word_map *m)                        empties it, keeps the memory
 *     void word_map_clear(struct word_map *m)                        frees
 *
 * All-zero is a valid empty map. The entries are m->at[0] .. m->at[m->n - 1], in the order in which they were added, so
 * output never depends on hashes. An entry's place never changes and can serve as its number. Pointers to entries live
 * until the next add. Nothing can be removed.
 *
 * Keys are spans, or integers of 32 or 64 bits. For other types define MAP_HASH(key, secret), which gives a uint64_t,
 * and MAP_EQUAL(a, b); an earlier include of this header without MAP_NAME gives the functions that they build on. The
 * map borrows the bytes of a span: they must live as long as the map, or set entry->key to a copy after the add.
 *
 * Hash flooding: strangers choose many of the keys, but cannot choose keys that fall into one slot, because hashes
 * depend on a random secret of the process. Spans are hashed by SipHash-1-3, which was made against such floods,
 * integers by multiplications with the secret. A map has at most MAP_MAX entries; one more ends the process, as lack of
 * memory does, so callers cap their input first.
 *
 * Inside: linear probing over slots of 8 bytes, at least half of them free. A slot keeps the hash, so few keys are
 * compared and none is hashed again when the map grows.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/base.h"

#define MAP_MAX (UINT32_C(1) << 31) /* entries */

struct map_secret {
    uint64_t k0, k1;
};

struct map_slot {
    uint32_t hash, place; /* 1 + the entry's place; 0: free */
};

struct map_index {
    struct map_slot *slots;
    size_t n_slots; /* a power of two, or 0 */
    const struct map_secret *secret;
};

/* SipHash-1-3 (Aumasson & Bernstein, INDOCRYPT 2012) of the bytes. */
uint64_t map_hash_span(struct span key, const struct map_secret *secret);
/* Two multiplications with the secret, the upper half of each product folded into the lower, as in
 * wyhash. For MAP_HASH of what is made of several numbers: hash(hash(a) + b). */
static inline uint64_t map_hash_number(uint64_t key, const struct map_secret *secret)
{
    __extension__ typedef unsigned __int128 wide;
    wide once = (wide)(key ^ secret->k0) * (secret->k1 | 1);
    wide twice = (wide)((uint64_t)once ^ secret->k0) * ((uint64_t)(once >> 64) ^ secret->k1);

    return (uint64_t)twice ^ (uint64_t)(twice >> 64);
}

static inline bool map_same_number(uint64_t a, uint64_t b)
{
    return a == b;
}

/* At least twice as many slots, the n entries in them; at first also the secret. */
void map_grow(struct map_index *index, size_t n);
void map_index_reset(struct map_index *index);

#define MAP_JOIN_(a, b) a##_##b
#define MAP_JOIN(a, b) MAP_JOIN_(a, b)

#endif

#ifdef MAP_NAME

#ifndef MAP_HASH
#define MAP_HASH(key, secret) \
    _Generic((key), struct span \
             : map_hash_span, uint32_t \
             : map_hash_number, int32_t \
             : map_hash_number, uint64_t \
             : map_hash_number, int64_t \
             : map_hash_number)(key, secret)
#endif
#ifndef MAP_EQUAL
#define MAP_EQUAL(a, b) _Generic((a), struct span : span_eq, default : map_same_number)(a, b)
#endif

#define MAP_ENTRY MAP_JOIN(MAP_NAME, entry)
#define MAP_FN(verb) MAP_JOIN(MAP_NAME, verb)

struct MAP_ENTRY {
    MAP_KEY key;
#ifdef MAP_VALUE
    MAP_VALUE value;
#endif
};

struct MAP_NAME {
    struct MAP_ENTRY *at;
    size_t n, capacity;
    struct map_index index;
};

/* The key's slot, or the free one where it belongs. */
static inline struct map_slot *MAP_FN(slot)(const struct MAP_NAME *m, MAP_KEY key, uint32_t hash)
{
    struct map_slot *slots = m->index.slots;
    size_t mask = m->index.n_slots - 1, i = hash & mask;

    while (slots[i].place != 0 && (slots[i].hash != hash || !MAP_EQUAL(m->at[slots[i].place - 1].key, key)))
        i = (i + 1) & mask;
    return &slots[i];
}

static inline struct MAP_ENTRY *MAP_FN(find)(const struct MAP_NAME *m, MAP_KEY key)
{
    if (m->n == 0)
        return NULL;
    uint32_t place = MAP_FN(slot)(m, key, (uint32_t)MAP_HASH(key, m->index.secret))->place;
    return place != 0 ? &m->at[place - 1] : NULL;
}

static inline void MAP_FN(fetch)(const struct MAP_NAME *m, MAP_KEY key)
{
    if (m->n > 0)
        __builtin_prefetch(&m->index.slots[(uint32_t)MAP_HASH(key, m->index.secret) & (m->index.n_slots - 1)]);
}

static inline bool MAP_FN(has)(const struct MAP_NAME *m, MAP_KEY key)
{
    return MAP_FN(find)(m, key) != NULL;
}

static inline bool MAP_FN(add)(struct MAP_NAME *m, MAP_KEY key, struct MAP_ENTRY **entry)
{
    if (m->n >= m->index.n_slots / 2)
        map_grow(&m->index, m->n);
    uint32_t hash = (uint32_t)MAP_HASH(key, m->index.secret);
    struct map_slot *slot = MAP_FN(slot)(m, key, hash);
    bool is_new = slot->place == 0;
    if (is_new) {
        array_add(m, (struct MAP_ENTRY){.key = key});
        *slot = (struct map_slot){hash, (uint32_t)m->n};
    }
    if (entry != NULL)
        *entry = &m->at[slot->place - 1];
    return is_new;
}

static inline void MAP_FN(reset)(struct MAP_NAME *m)
{
    m->n = 0;
    map_index_reset(&m->index);
}

static inline void MAP_FN(clear)(struct MAP_NAME *m)
{
    mem_free(m->at);
    mem_free(m->index.slots);
    *m = (struct MAP_NAME){0};
}

#undef MAP_ENTRY
#undef MAP_FN
#undef MAP_EQUAL
#undef MAP_HASH
#undef MAP_NAME
#undef MAP_KEY
#undef MAP_VALUE

#endif
