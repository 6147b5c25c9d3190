/*
 * ring: batches that one thread fills and takes, in order, and other threads read.
 *
 *   free --fill--> filled --read--> done --take--> free
 *
 * The batches are the caller's: a ring knows their slots only, 0 to n_slots - 1. Between ring_slot and
 * ring_hand_over a slot is the caller's to fill, between ring_oldest and ring_taken it is the caller's to take.
 */
#pragma once

#include "base/base.h"

struct ring;

struct ring_work {
    void *ctx;
    /* Run by reader number `reader`; never twice at once for one reader or one slot. */
    void (*read)(void *ctx, size_t reader, size_t slot);
    size_t n_slots;   /* 1 or more */
    size_t n_readers; /* 1 or more */
};

/* A thread for each processor, `max` at most. */
size_t ring_readers(size_t max);
/* ST_IO when no thread can be started. *out is then NULL. */
enum status MUST_USE ring_new(struct ring **out, const struct ring_work *work, struct err *e);
/* The slot that is filled now. Only while the ring is not full. */
size_t ring_slot(const struct ring *r);
bool ring_is_full(const struct ring *r);
bool ring_is_empty(const struct ring *r);
void ring_hand_over(struct ring *r);
/* Waits until the oldest batch was read. Only while the ring is not empty. */
size_t ring_oldest(struct ring *r);
void ring_taken(struct ring *r);
/* Ends the readers after the batch that each has; NULL is fine. */
void ring_free(struct ring *r);
