/* Random numbers that are the same from the same seed on every machine. */
#include "base/random.h"

void random_seed(struct random *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        r->state[i] = z ^ z >> 31;
    }
}

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

uint64_t random_next(struct random *r)
{
    uint64_t *s = r->state, result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t random_below(struct random *r, uint64_t n)
{
    uint64_t value;

    if (n <= 1)
        return 0;
    do
        value = random_next(r) >> __builtin_clzll(n - 1);
    while (value >= n);
    return value;
}
