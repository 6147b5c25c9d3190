/* ring: batches that one thread fills and takes, in order, and other threads read. */
#include "base/ring.h"

#include <unistd.h>

struct reader {
    struct ring *ring;
    pthread_t thread;
};

struct ring {
    struct ring_work work;
    struct reader *readers;
    size_t n_started;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t filled, done;
    bool *read; /* of each slot: whether its batch was read */
    uint64_t n_filled, n_begun, n_taken;
    bool stop;
};

size_t ring_readers(size_t max)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (size_t)n > max ? max : (size_t)n;
}

static void *read_batches(void *arg)
{
    struct reader *reader = arg;
    struct ring *r = reader->ring;

    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (!r->stop && r->n_begun >= r->n_filled)
            pthread_cond_wait(&r->filled, &r->lock);
        if (r->stop)
            break;
        size_t slot = (size_t)(r->n_begun++ % r->work.n_slots);
        pthread_mutex_unlock(&r->lock);
        r->work.read(r->work.ctx, (size_t)(reader - r->readers), slot);
        pthread_mutex_lock(&r->lock);
        r->read[slot] = true;
        pthread_cond_signal(&r->done);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

enum status ring_new(struct ring **out, const struct ring_work *work, struct err *e)
{
    struct ring *r = mem_zero(1, sizeof *r);

    r->work = *work;
    r->readers = mem_zero(work->n_readers, sizeof *r->readers);
    r->read = mem_zero(work->n_slots, sizeof *r->read);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->filled, NULL);
    pthread_cond_init(&r->done, NULL);
    for (; r->n_started < work->n_readers; r->n_started++) {
        struct reader *reader = &r->readers[r->n_started];
        reader->ring = r;
        if (pthread_create(&reader->thread, NULL, read_batches, reader) != 0)
            break;
    }
    *out = r;
    if (r->n_started > 0)
        return ST_OK;
    ring_free(r);
    *out = NULL;
    return err_set(e, ST_IO, "cannot start a thread");
}

/* n_filled and n_taken are changed by the caller's thread alone, so it reads them without the lock. */

size_t ring_slot(const struct ring *r)
{
    return (size_t)(r->n_filled % r->work.n_slots);
}

bool ring_is_full(const struct ring *r)
{
    return r->n_filled - r->n_taken == r->work.n_slots;
}

bool ring_is_empty(const struct ring *r)
{
    return r->n_filled == r->n_taken;
}

void ring_hand_over(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    r->read[ring_slot(r)] = false;
    r->n_filled++;
    pthread_cond_signal(&r->filled);
    pthread_mutex_unlock(&r->lock);
}

size_t ring_oldest(struct ring *r)
{
    size_t slot = (size_t)(r->n_taken % r->work.n_slots);

    pthread_mutex_lock(&r->lock);
    while (!r->read[slot])
        pthread_cond_wait(&r->done, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return slot;
}

void ring_taken(struct ring *r)
{
    r->n_taken++;
}

void ring_free(struct ring *r)
{
    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->filled);
    pthread_mutex_unlock(&r->lock);
    while (r->n_started > 0)
        pthread_join(r->readers[--r->n_started].thread, NULL);
    pthread_cond_destroy(&r->done);
    pthread_cond_destroy(&r->filled);
    pthread_mutex_destroy(&r->lock);
    mem_free(r->read);
    mem_free(r->readers);
    mem_free(r);
}
