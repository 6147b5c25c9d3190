/* screenings: the screening of each coder, opened beside the requests: that may take a minute. */
#include <time.h>

#include "screen/screening.h"
#include "db/study.h"
#include "web/site.h"

enum { PATIENCE_SECONDS = 2 }; /* that a request waits for it */

enum opening { OPENING_NONE, OPENING_RUNS, OPENING_DONE, OPENING_FAILED };

struct screening_place {
    struct buf coder; /* len 0: free */
    struct screening_how how;
    struct study study;
    struct db *db;
    struct screening *screening;
    enum opening opening;
    bool is_outdated;   /* there are other posts now: it is opened again when nobody uses it */
    enum status status; /* of an opening that failed */
    struct err error;
    pthread_t thread;
    pthread_mutex_t in_use;
    uint64_t used; /* in the order of uses */
    size_t n_users;
    struct screenings *all;
};

struct screenings {
    const struct web *web;
    struct buf cache;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_uses;
    struct screening_place places[SCREENINGS_MAX];
};

/* --- opening --- */

static void close_place(struct screening_place *p)
{
    screening_close(p->screening);
    p->screening = NULL;
    study_clear(&p->study);
    p->study = (struct study){0};
    db_close(p->db);
    p->db = NULL;
    buf_reset(&p->coder);
    p->opening = OPENING_NONE;
    p->is_outdated = false;
}

static void *run_opening(void *arg)
{
    struct screening_place *p = arg;
    struct screenings *all = p->all;
    struct err *e = &p->error;
    enum status status = db_open(&p->db, all->web->options.db_path, DB_WRITE, e);

    p->db = status == ST_OK ? p->db : NULL;
    THEN(status, db_study_load_unlabelled(&p->study, p->db, e));
    p->how = screening_how_default();
    p->how.coder = buf_span(&p->coder);
    p->how.study = &p->study;
    p->how.cache = buf_cstr(&all->cache);
    THEN(status, screening_open(&p->screening, p->db, &p->how, NULL, e));
    const struct queue_list *list = queue_lists_of(&all->web->lists, p->how.coder);
    if (status == ST_OK && list != NULL)
        screening_limit(p->screening, list->at, list->n);
    if (status == ST_NO)
        status = err_set(e, ST_INPUT, "The database has no questions yet: ppmine load or ppmine fetch brings some.");
    pthread_mutex_lock(&p->all->lock);
    p->status = status;
    p->opening = status == ST_OK ? OPENING_DONE : OPENING_FAILED;
    pthread_cond_broadcast(&p->all->changed);
    pthread_mutex_unlock(&p->all->lock);
    return NULL;
}

/* --- places --- */

/* That of the coder, else a free one, else the one that was not used for longest; NULL: all are used. */
static struct screening_place *find_place(struct screenings *all, struct span coder)
{
    struct screening_place *best = NULL;

    for (size_t i = 0; i < SCREENINGS_MAX; i++) {
        struct screening_place *p = &all->places[i];
        if (p->coder.len > 0 && span_eq(buf_span(&p->coder), coder))
            return p;
        bool is_free = p->n_users == 0 && p->opening != OPENING_RUNS;
        if (is_free && (best == NULL || p->used < best->used))
            best = p;
    }
    return best;
}

/* The place of the visit's coder, used from now on. ST_NO: it is still being opened. */
static enum status MUST_USE take_place(struct visit *v, struct screening_place **out, struct err *e)
{
    struct screenings *all = v->web->screenings;
    enum status status = ST_NO;
    struct timespec until;

    pthread_mutex_lock(&all->lock);
    struct screening_place *p = find_place(all, v->coder);
    /* It is opened for this coder, or again. The next request tries again an opening that failed. */
    if (p != NULL && (!span_eq(buf_span(&p->coder), v->coder) || p->opening == OPENING_FAILED ||
                      (p->opening == OPENING_DONE && p->is_outdated && p->n_users == 0))) {
        if (p->opening != OPENING_NONE) {
            pthread_join(p->thread, NULL);
            close_place(p);
        }
        buf_add_span(&p->coder, v->coder);
        p->opening = OPENING_RUNS;
        if (pthread_create(&p->thread, NULL, run_opening, p) != 0) {
            p->opening = OPENING_NONE;
            buf_reset(&p->coder);
        }
    }
    if (p != NULL) {
        p->used = ++all->n_uses;
        p->n_users++;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += PATIENCE_SECONDS;
        for (int trouble = 0; p->opening == OPENING_RUNS && trouble == 0;)
            trouble = pthread_cond_timedwait(&all->changed, &all->lock, &until);
        if (p->opening == OPENING_FAILED) {
            status = p->status;
            *e = p->error;
        } else if (p->opening == OPENING_DONE) {
            status = ST_OK;
        }
        p->n_users -= status != ST_OK;
    }
    pthread_mutex_unlock(&all->lock);
    *out = p;
    return status;
}

enum status screening_take(struct visit *v, struct screening **out, struct err *e)
{
    enum status status = ST_OK;

    *out = NULL;
    /* The second time, the posts of now are read, unless another request of the coder uses those of before. */
    for (int turn = 0; turn < 2 && status == ST_OK; turn++) {
        struct screening_place *p;
        bool has_other_posts = false;

        status = take_place(v, &p, e);
        if (status != ST_OK)
            break;
        pthread_mutex_lock(&p->in_use);
        v->screening = p;
        status = screening_follow(p->screening, &has_other_posts, e);
        pthread_mutex_lock(&p->all->lock);
        p->is_outdated |= has_other_posts;
        bool again = p->is_outdated && turn == 0 && status == ST_OK;
        pthread_mutex_unlock(&p->all->lock);
        *out = p->screening;
        if (!again)
            break;
        screening_give(v);
        *out = NULL;
    }
    return status;
}

void screening_give(struct visit *v)
{
    struct screening_place *p = v->screening;

    if (p == NULL)
        return;
    pthread_mutex_unlock(&p->in_use);
    pthread_mutex_lock(&p->all->lock);
    p->n_users--;
    pthread_mutex_unlock(&p->all->lock);
    v->screening = NULL;
}

/* --- all of them --- */

void screenings_open(struct web *w)
{
    struct screenings *all = mem_zero(1, sizeof *all);

    all->web = w;
    buf_addf(&all->cache, "%s-screen", w->options.db_path);
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->changed, NULL);
    for (size_t i = 0; i < SCREENINGS_MAX; i++) {
        all->places[i].all = all;
        pthread_mutex_init(&all->places[i].in_use, NULL);
    }
    w->screenings = all;
}

void screenings_close(struct web *w)
{
    struct screenings *all = w->screenings;

    if (all == NULL)
        return;
    for (size_t i = 0; i < SCREENINGS_MAX; i++) {
        struct screening_place *p = &all->places[i];
        if (p->opening != OPENING_NONE)
            pthread_join(p->thread, NULL);
        close_place(p);
        buf_clear(&p->coder);
        pthread_mutex_destroy(&p->in_use);
    }
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->changed);
    buf_clear(&all->cache);
    mem_free(all);
    w->screenings = NULL;
}
