/* relations: which candidates say nearly the same or link to each other; read once, for all visits. */
#include "db/derived.h"
#include "mine/related.h"
#include "web/site.h"

enum { COUNTED_SECONDS = 60 }; /* candidates change only with a match, and take long to count */

/* What was read is kept until the server ends: a visit may still use it. */
struct reading {
    struct reading *before;
    int64_t n_candidates;
    struct mine_related related;
};

struct relations {
    pthread_mutex_t lock;
    struct reading *last;
    double counted; /* when candidates were counted last */
};

void relations_open(struct web *w)
{
    w->relations = mem_zero(1, sizeof *w->relations);
    pthread_mutex_init(&w->relations->lock, NULL);
}

void relations_close(struct web *w)
{
    if (w->relations == NULL)
        return;
    for (struct reading *r = w->relations->last, *before; r != NULL; r = before) {
        before = r->before;
        mine_related_clear(&r->related);
        mem_free(r);
    }
    pthread_mutex_destroy(&w->relations->lock);
    mem_free(w->relations);
    w->relations = NULL;
}

static enum status MUST_USE read_anew(struct relations *all, struct db *db, int64_t n_candidates,
                                      struct err *e)
{
    struct reading *r = mem_zero(1, sizeof *r);
    enum status status = mine_related_read(&r->related, db, e);

    r->n_candidates = n_candidates;
    if (status != ST_OK) {
        mine_related_clear(&r->related);
        mem_free(r);
        return status;
    }
    r->before = all->last;
    all->last = r;
    return ST_OK;
}

static enum status MUST_USE follow(struct relations *all, struct db *db, struct err *e)
{
    double now = time_monotonic();
    int64_t n_candidates;

    if (all->last != NULL && now - all->counted < COUNTED_SECONDS)
        return ST_OK;
    enum status status = db_candidate_count(db, &n_candidates, e);
    if (status == ST_OK && (all->last == NULL || all->last->n_candidates != n_candidates))
        status = read_anew(all, db, n_candidates, e);
    all->counted = now;
    return status;
}

enum status relations_of(struct visit *v, const struct mine_related **out, struct err *e)
{
    struct relations *all = v->web->relations;

    pthread_mutex_lock(&all->lock);
    enum status status = follow(all, v->worker->db, e);
    if (status == ST_OK)
        *out = &all->last->related;
    pthread_mutex_unlock(&all->lock);
    return status;
}
