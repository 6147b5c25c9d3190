/* progress: which post comes next, which came before, and how far a coder is. */
#include <inttypes.h>

#include "db/decisions.h"
#include "web/site.h"

enum { PAUSE_SECONDS = 600 }; /* longer ones are no work on a post */

const char unsure_mark[] = "#unsure";

/* --- posts that the coder was unsure about --- */

#define MAP_NAME post_set
#define MAP_KEY int64_t
#include "base/map.h"

static void add_unsure(void *ctx, struct span written_at, struct span subject, struct span text)
{
    int64_t id;

    (void)written_at;
    if (span_eq(text, span_of(unsure_mark)) && problem_id_read(subject, &id))
        post_set_add(ctx, id, NULL);
}

/* --- the next post --- */

struct search {
    struct visit *v;
    struct post_set unsure;
    bool takes_unsure; /* those alone */
};

static bool is_wanted(const struct search *s, int64_t id)
{
    return post_set_has(&s->unsure, id) == s->takes_unsure;
}

/* The first of the list behind `after` (0: of all). */
static enum status MUST_USE next_listed(const struct search *s, int64_t after, int64_t *post_id,
                                        struct err *e)
{
    const struct web *w = s->v->web;
    enum status status = ST_OK;
    size_t i = 0;
    bool judged, is_problem;

    *post_id = 0;
    while (after != 0 && i < w->list.n && w->list.at[i] != after)
        i++;
    for (i = after != 0 && i < w->list.n ? i + 1 : 0;
         i < w->list.n && status == ST_OK && *post_id == 0; i++) {
        int64_t id = w->list.at[i];
        status = db_is_judged(s->v->worker->db, s->v->coder, id, &judged, &is_problem, e);
        if (status == ST_OK && !judged && is_wanted(s, id))
            *post_id = id;
    }
    return status;
}

static enum status MUST_USE next_candidate(const struct search *s, int64_t after, int64_t *post_id,
                                           struct err *e)
{
    enum status status;

    do {
        status = db_candidate_next(s->v->worker->db, s->v->coder, false, after, post_id, e);
        after = *post_id;
    } while (status == ST_OK && *post_id != 0 && !is_wanted(s, *post_id));
    return status;
}

static enum status MUST_USE search_on(const struct search *s, int64_t after, int64_t *post_id,
                                      struct err *e)
{
    return s->v->web->list.n > 0 ? next_listed(s, after, post_id, e)
                                 : next_candidate(s, after, post_id, e);
}

/* Behind this post, then from the beginning: those that were passed over; at last the unsure ones. */
enum status next_post(struct visit *v, int64_t after, int64_t *post_id, struct err *e)
{
    struct search s = {.v = v};
    enum status status = db_note_each(v->worker->db, v->coder, 0, add_unsure, &s.unsure, e);

    *post_id = 0;
    for (int round = 0; round < 4 && status == ST_OK && *post_id == 0; round++) {
        s.takes_unsure = round >= 2;
        if (round % 2 == 1 && after == 0)
            continue;
        status = search_on(&s, round % 2 == 0 ? after : 0, post_id, e);
    }
    post_set_clear(&s.unsure);
    return status;
}

/* --- how far --- */

static enum status MUST_USE count_listed(struct visit *v, struct progress_state *p, struct err *e)
{
    enum status status = ST_OK;
    bool judged, is_problem;

    p->total = (int64_t)v->web->list.n;
    p->judged = 0;
    for (size_t i = 0; i < v->web->list.n && status == ST_OK; i++) {
        status = db_is_judged(v->worker->db, v->coder, v->web->list.at[i], &judged, &is_problem, e);
        p->judged += status == ST_OK && judged;
    }
    return status;
}

enum status progress_read(struct visit *v, struct progress_state *out, struct err *e)
{
    enum status status;

    *out = (struct progress_state){0};
    if (v->web->list.n > 0)
        status = count_listed(v, out, e);
    else
        status = db_coder_progress(v->worker->db, v->coder, &out->total, &out->judged, e);
    pthread_mutex_lock(&v->web->lock);
    const struct session *s = &v->web->sessions[v->session];
    if (s->n_judged > 0 && s->busy_seconds > 0)
        out->per_hour = (double)s->n_judged / s->busy_seconds * 3600;
    pthread_mutex_unlock(&v->web->lock);
    if (out->per_hour > 0 && out->total > out->judged)
        out->hours_left = (double)(out->total - out->judged) / out->per_hour;
    return status;
}

void progress_json(struct buf *out, const struct progress_state *p)
{
    buf_addf(out, "\"judged\":%" PRId64 ",\"total\":%" PRId64, p->judged, p->total);
    if (p->per_hour > 0)
        buf_addf(out, ",\"posts_per_hour\":%.1f,\"hours_left\":%.2f", p->per_hour, p->hours_left);
    else
        buf_add_text(out, ",\"posts_per_hour\":null,\"hours_left\":null");
}

void progress_count(struct visit *v)
{
    double now = time_monotonic();

    pthread_mutex_lock(&v->web->lock);
    struct session *s = &v->web->sessions[v->session];
    if (s->last_judged > 0 && now - s->last_judged < PAUSE_SECONDS) {
        s->busy_seconds += now - s->last_judged;
        s->n_judged++;
    }
    s->last_judged = now;
    pthread_mutex_unlock(&v->web->lock);
}

/* --- the way back --- */

void trail_add(struct visit *v, int64_t post_id)
{
    pthread_mutex_lock(&v->web->lock);
    struct session *s = &v->web->sessions[v->session];
    size_t i = 0;
    while (i < s->n_trail && s->trail[i] != post_id)
        i++;
    if (i == s->n_trail) {
        if (s->n_trail == TRAIL_MAX)
            memmove(s->trail, s->trail + 1, (size_t)--s->n_trail * sizeof *s->trail);
        s->trail[s->n_trail++] = post_id;
    }
    pthread_mutex_unlock(&v->web->lock);
}

int64_t trail_back(struct visit *v, int64_t post_id)
{
    int64_t before = 0;

    pthread_mutex_lock(&v->web->lock);
    const struct session *s = &v->web->sessions[v->session];
    for (size_t i = 1; i < s->n_trail; i++)
        if (s->trail[i] == post_id)
            before = s->trail[i - 1];
    pthread_mutex_unlock(&v->web->lock);
    return before;
}
