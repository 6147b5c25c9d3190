/* draw: samples that depend on the seed and the ids alone, so that anybody can draw them again. */
#include "base/stat/draw.h"

#include <inttypes.h>
#include <nettle/sha2.h>

uint64_t draw_number(uint64_t seed, struct span id)
{
    AT_END(buf_clear) struct buf text = {0};
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    uint64_t number = 0;

    buf_addf(&text, "%" PRIu64 ":", seed);
    buf_add_span(&text, id);
    sha256_init(&hash);
    sha256_update(&hash, text.len, (const uint8_t *)text.ptr);
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof number; i++)
        number = number << 8 | digest[i];
    return number;
}

struct drawn {
    uint64_t number;
    size_t place;
};

static int compare_drawn(const void *a, const void *b)
{
    const struct drawn *left = a, *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

size_t draw_items(const uint64_t *numbers, const uint32_t *stratum, size_t n_items, uint64_t *shares, size_t *out)
{
    AT_END(mem_end) struct drawn *order = mem_zero(n_items + 1, sizeof *order);
    size_t taken = 0;

    for (size_t i = 0; i < n_items; i++)
        order[i] = (struct drawn){numbers[i], i};
    qsort(order, n_items, sizeof *order, compare_drawn);
    for (size_t i = 0; i < n_items; i++) {
        uint64_t *share = &shares[stratum != NULL ? stratum[order[i].place] : 0];
        if (*share == 0)
            continue;
        --*share;
        out[taken++] = order[i].place;
    }
    return taken;
}
