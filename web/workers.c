/* workers: connections to the database, each for one request at a time. */
#include "base/log.h"
#include "label/code_table.h"
#include "db/study.h"
#include "label/coding/labels.h"
#include "web/site.h"

static void worker_close(struct worker *k)
{
    if (k->db == NULL)
        return;
    post_hints_clear(&k->hints);
    stored_codebook_clear(&k->book);
    study_clear(&k->study);
    db_close(k->db);
    k->db = NULL; /* `busy` is left alone: it has a lock */
    k->hints = (struct post_hints){0};
    k->book = (struct stored_codebook){0};
    k->study = (struct study){0};
    k->has_text = false;
}

static enum status MUST_USE worker_open(struct worker *k, const struct web *w, struct err *e)
{
    enum status status = db_open(&k->db, w->options.db_path, DB_WRITE, e);

    if (status != ST_OK) {
        k->db = NULL;
        return status;
    }
    status = db_study_load_unlabelled(&k->study, k->db, e);
    if (status == ST_OK && !w->options.blind && !k->study.blind)
        status = post_hints_init(&k->hints, &k->study, NULL, e);
    return status;
}

/* The codebook is read again when somebody changed it. */
static enum status MUST_USE worker_update(struct worker *k, struct err *e)
{
    int64_t version;
    enum status status = db_codebook_version(k->db, &version, e);

    if (status != ST_OK || (k->book.code_ids != NULL && version == k->book.version))
        return status;
    stored_codebook_clear(&k->book);
    status = stored_codebook_load_any(&k->book, k->db, e);
    if (status == ST_OK && k->hints.hints != NULL)
        hints_follow(k->hints.hints, &k->book.codebook);
    return status;
}

/* A visit that waits for a connection, on the stack of its thread. */
struct waiting {
    struct waiting *next;
    struct worker *given; /* NULL: not yet */
    pthread_cond_t turn;
};

enum status worker_take(struct visit *v, struct err *e)
{
    struct web *w = v->web;
    enum status status = ST_OK;

    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < WORKERS_MAX && v->worker == NULL; i++)
        if (!w->workers[i].busy)
            v->worker = &w->workers[i];
    if (v->worker == NULL) {
        /* The one that waits longest is next, so that no visit waits for those that came after it. */
        struct waiting self = {.next = NULL}, **end = &w->waiting;

        pthread_cond_init(&self.turn, NULL);
        while (*end != NULL)
            end = &(*end)->next;
        *end = &self;
        while (self.given == NULL)
            pthread_cond_wait(&self.turn, &w->lock);
        pthread_cond_destroy(&self.turn);
        v->worker = self.given;
    }
    v->worker->busy = true;
    pthread_mutex_unlock(&w->lock);
    if (v->worker->db == NULL)
        status = worker_open(v->worker, w, e);
    if (status == ST_OK && w->server != NULL) /* then checkpoint_run comes every second */
        db_checkpoint_late(v->worker->db);
    THEN(status, worker_update(v->worker, e));
    if (status != ST_OK) { /* the page that says so has no database to ask */
        worker_close(v->worker);
        worker_give(v);
    }
    return status;
}

void worker_give(struct visit *v)
{
    struct web *w = v->web;

    if (v->worker == NULL)
        return;
    if (v->worker->db != NULL)
        db_labels_rest(v->worker->db);
    pthread_mutex_lock(&w->lock);
    struct waiting *first = w->waiting;
    v->worker->busy = first != NULL; /* it goes from hand to hand */
    if (first != NULL) {
        w->waiting = first->next;
        first->given = v->worker;
        pthread_cond_signal(&first->turn);
    }
    v->worker = NULL;
    pthread_mutex_unlock(&w->lock);
}

void workers_close(struct web *w)
{
    for (size_t i = 0; i < WORKERS_MAX; i++)
        worker_close(&w->workers[i]);
    db_close(w->checkpointer);
}

enum { LOG_PAGES_MAX = 2000 }; /* more: then the log begins anew, for which saves wait a moment */

/* Nobody waits for the first pass, nearly all of the work; saves wait for the rest when the log became long. */
void checkpoint_run(struct web *w)
{
    struct err e;
    enum status status = ST_OK;
    int pages = 0;

    if (w->checkpointer == NULL)
        status = db_open(&w->checkpointer, w->options.db_path, DB_WRITE, &e);
    THEN(status, db_checkpoint_pages(w->checkpointer, &pages, &e));
    if (status == ST_OK && pages >= LOG_PAGES_MAX) {
        pthread_mutex_lock(&w->writing);
        status = db_checkpoint_pages(w->checkpointer, &pages, &e);
        pthread_mutex_unlock(&w->writing);
    }
    if (status != ST_OK) /* saves do it themselves once the log is very long */
        log_debug("%s", e.text);
}
