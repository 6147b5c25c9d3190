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
    void (*end)(void *ctx, size_t reader); /* after its last batch, if the ring was closed; may be NULL */
    size_t n_slots;                        /* 1 or more */
    size_t n_readers;                      /* 1 or more */
    /* Batch i is read by reader i % n_readers, so that each reader sees the same ones each time. Without it
     * any reader takes the next batch. */
    bool in_turn;
};

/* A thread for each processor, `max` at most. */
size_t ring_readers(size_t max);
/* ST_IO when a thread cannot be started: the first, or any where all are needed. *out is then NULL. */
enum status MUST_USE ring_new(struct ring **out, const struct ring_work *work, struct err *e);
/* The slot that is filled now. Only while the ring is not full. */
size_t ring_slot(const struct ring *r);
bool ring_is_full(const struct ring *r);
bool ring_is_empty(const struct ring *r);
void ring_hand_over(struct ring *r);
/* Waits until the oldest batch was read. Only while the ring is not empty. */
size_t ring_oldest(struct ring *r);
void ring_taken(struct ring *r);
/* The last batch was handed over; those that were handed over are read and can be taken. */
void ring_close(struct ring *r);
/* Waits for the readers of a ring that was closed. */
void ring_join(struct ring *r);
/* Ends the readers after the batch that each has; NULL is fine. */
void ring_free(struct ring *r);
