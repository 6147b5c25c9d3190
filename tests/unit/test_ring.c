/* base: the ring of batches that several threads read. */
#include "base/ring.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

enum { SLOTS = 5, READERS = 3, BATCHES = 2000 };

/* Batch i holds the number i; a reader writes its square and its own number beside it. */
struct squares {
    struct slot {
        uint64_t number, square;
        size_t reader;
    } slots[SLOTS];
    atomic_size_t n_read;
    uint64_t sum[READERS]; /* of what each reader has read */
};

static void square(void *ctx, size_t reader, size_t at)
{
    struct squares *s = ctx;
    struct slot *slot = &s->slots[at];

    slot->square = slot->number * slot->number;
    slot->reader = reader;
    s->sum[reader] += slot->number;
    atomic_fetch_add(&s->n_read, 1);
}

static struct ring *new_ring(struct squares *s)
{
    struct ring *r;
    const struct ring_work work = {.ctx = s, .read = square, .n_slots = SLOTS, .n_readers = READERS};

    assert_int_equal(ring_new(&r, &work, &(struct err){0}), ST_OK);
    return r;
}

static void take(struct ring *r, const struct squares *s, uint64_t number)
{
    const struct slot *slot = &s->slots[ring_oldest(r)];

    assert_int_equal(slot->number, number);
    assert_int_equal(slot->square, number * number);
    assert_true(slot->reader < READERS);
    ring_taken(r);
}

TEST(gives_batches_in_order)
{
    struct squares s = {0};
    struct ring *r = new_ring(&s);
    uint64_t n_taken = 0, sum = 0;

    assert_true(ring_is_empty(r));
    for (uint64_t i = 0; i < BATCHES; i++) {
        if (ring_is_full(r))
            take(r, &s, n_taken++);
        s.slots[ring_slot(r)] = (struct slot){.number = i};
        ring_hand_over(r);
    }
    while (!ring_is_empty(r))
        take(r, &s, n_taken++);
    ring_free(r);
    assert_int_equal(n_taken, BATCHES);
    assert_int_equal(s.n_read, BATCHES);
    for (size_t i = 0; i < READERS; i++)
        sum += s.sum[i];
    assert_int_equal(sum, (uint64_t)BATCHES * (BATCHES - 1) / 2);
}

TEST(can_be_left_with_batches_in_it)
{
    for (int round = 0; round < 50; round++) {
        struct squares s = {0};
        struct ring *r = new_ring(&s);
        for (int i = 0; i < SLOTS; i++)
            ring_hand_over(r);
        assert_true(ring_is_full(r));
        ring_free(r);
        assert_true(s.n_read <= SLOTS);
    }
}

TEST(has_a_reader_at_least)
{
    assert_int_equal(ring_readers(1), 1);
    assert_in_range(ring_readers(64), 1, 64);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
