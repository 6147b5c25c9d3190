/* relations: which candidates say nearly the same or link to each other; read beside the visits, for all of them. */
#include <time.h>

#include "base/files.h"
#include "base/log.h"
#include "match/corpus/derived.h"
#include "match/corpus/mine.h"
#include "web/site.h"

enum {
    COUNTED_SECONDS = 60,          /* candidates change only with a match, and take long to count */
    FIRST_NANOSECONDS = 250000000, /* that visits wait for the first reading: enough for a small study */
};

/* What was read is kept until the server ends: a visit may still use it. */
struct reading {
    struct reading *before;
    int64_t n_candidates;
    struct post_relations related;
};

struct relations {
    struct web *web;
    pthread_mutex_t lock; /* of all below; never kept while something is read */
    pthread_cond_t changed;
    struct reading *last;
    pthread_t thread;
    bool was_started, runs;      /* the thread: was it ever started, and not joined; is it at work */
    struct timespec first_until; /* until then visits wait for the first reading */
    double looked;               /* when the thread ended last */
};

void relations_open(struct web *w)
{
    w->relations = mem_zero(1, sizeof *w->relations);
    w->relations->web = w;
    pthread_mutex_init(&w->relations->lock, NULL);
    pthread_cond_init(&w->relations->changed, NULL);
}

void relations_close(struct web *w)
{
    struct relations *all = w->relations;

    if (all == NULL)
        return;
    if (all->was_started)
        pthread_join(all->thread, NULL);
    for (struct reading *r = all->last, *before; r != NULL; r = before) {
        before = r->before;
        post_relations_clear(&r->related);
        mem_free(r);
    }
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->changed);
    mem_free(all);
    w->relations = NULL;
}

/* --- reading, on a thread with a connection of its own --- */

static void *run_reading(void *arg)
{
    struct relations *all = arg;
    struct reading *r = mem_zero(1, sizeof *r);
    struct db *db = NULL;
    struct err e;

    pthread_mutex_lock(&all->lock);
    int64_t n_before = all->last != NULL ? all->last->n_candidates : -1;
    pthread_mutex_unlock(&all->lock);
    enum status status = db_open(&db, all->web->options.db_path, DB_READ, &e);
    THEN(status, db_candidate_count(db, &r->n_candidates, &e));
    bool is_new = status == ST_OK && r->n_candidates != n_before;
    if (is_new)
        status = mine_related_read(&r->related, db, &e);
    db_close(db);
    if (status != ST_OK)
        log_error("%s", e.text);
    pthread_mutex_lock(&all->lock);
    if (is_new && status == ST_OK) {
        r->before = all->last;
        all->last = r;
    } else { /* visits are shown what there was */
        post_relations_clear(&r->related);
        mem_free(r);
    }
    all->looked = time_monotonic();
    all->runs = false;
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* --- visits; all->lock is taken --- */

const struct post_relations *relations_of(struct visit *v)
{
    struct relations *all = v->web->relations;

    pthread_mutex_lock(&all->lock);
    bool old = all->looked <= 0 || time_monotonic() - all->looked >= COUNTED_SECONDS;
    if (!all->runs && old) {
        if (all->was_started) {
            pthread_join(all->thread, NULL); /* it has ended */
        } else {
            clock_gettime(CLOCK_REALTIME, &all->first_until);
            all->first_until.tv_nsec += FIRST_NANOSECONDS;
            all->first_until.tv_sec += all->first_until.tv_nsec / 1000000000;
            all->first_until.tv_nsec %= 1000000000;
        }
        all->runs = pthread_create(&all->thread, NULL, run_reading, all) == 0;
        all->was_started = all->runs;
    }
    for (int trouble = 0; all->runs && all->last == NULL && trouble == 0;)
        trouble = pthread_cond_timedwait(&all->changed, &all->lock, &all->first_until);
    const struct post_relations *related = all->last != NULL ? &all->last->related : NULL;
    pthread_mutex_unlock(&all->lock);
    return related;
}
