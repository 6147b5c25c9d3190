/* map: the slots, the secret and the hash that all maps share. */
#include "base/map.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* --- the secret --- */

static struct map_secret of_process;

/* Where the kernel gives no random bytes, what others cannot foresee so easily. */
static void draw_secret(void)
{
    struct timespec now;

    if (getrandom(&of_process, sizeof of_process, GRND_NONBLOCK) == (ssize_t)sizeof of_process)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    of_process.k0 = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)&now;
    of_process.k1 = map_hash_number((uint64_t)getpid(), &of_process);
}

/* --- slots --- */

void map_grow(struct map_index *index, size_t n)
{
    enum { AT_FIRST = 16 };
    struct map_index old = *index;

    if (n >= MAP_MAX)
        mem_exceeded("entries in one table", MAP_MAX);
    index->n_slots = old.n_slots == 0 ? AT_FIRST : 2 * old.n_slots;
    index->slots = mem_zero(index->n_slots, sizeof *index->slots);
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, draw_secret);
    index->secret = &of_process;
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].place != 0) {
            size_t mask = index->n_slots - 1, k = old.slots[i].hash & mask;

            while (index->slots[k].place != 0)
                k = (k + 1) & mask;
            index->slots[k] = old.slots[i];
        }
    mem_free(old.slots);
}

void map_index_reset(struct map_index *index)
{
    if (index->n_slots > 0)
        memset(index->slots, 0, index->n_slots * sizeof *index->slots);
}

/* --- SipHash-1-3 --- */

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] = rotate_left(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[2] = rotate_left(v[2], 32);
}

static inline void sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

/* Numbers in the order of bytes that SipHash wants, which is that of nearly all machines. */
static inline uint64_t load8(const char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

static inline uint64_t load4(const char *bytes)
{
    uint32_t word;

    memcpy(&word, bytes, sizeof word);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap32(word);
}

/* The last n < 8 bytes of a key as a number, without a loop: loads that may overlap. */
static inline uint64_t load_rest(struct span key, size_t n)
{
    const char *rest = key.ptr + key.len - n;

    if (n == 0)
        return 0;
    if (key.len >= 8)
        return load8(key.ptr + key.len - 8) >> (64 - 8 * n);
    if (n >= 4)
        return load4(rest) | load4(rest + n - 4) << (8 * n - 32);
    return (uint64_t)(unsigned char)rest[0] | (uint64_t)(unsigned char)rest[n / 2] << 8 * (n / 2) |
           (uint64_t)(unsigned char)rest[n - 1] << 8 * (n - 1);
}

uint64_t map_hash_span(struct span key, const struct map_secret *secret)
{
    uint64_t v[4] = {secret->k0 ^ UINT64_C(0x736f6d6570736575), secret->k1 ^ UINT64_C(0x646f72616e646f6d),
                     secret->k0 ^ UINT64_C(0x6c7967656e657261), secret->k1 ^ UINT64_C(0x7465646279746573)};
    size_t at = 0;

    for (; at + 8 <= key.len; at += 8)
        sip_word(v, load8(key.ptr + at));
    sip_word(v, (uint64_t)key.len << 56 | load_rest(key, key.len - at));
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
