/* progress: how far a coder is, how fast, and which posts came before. */
#include <inttypes.h>

#include "base/files.h"
#include "label/coding/decisions.h"
#include "web/site.h"

enum {
    PAUSE_SECONDS = 600, /* longer ones are not work on a post */
    LEAST_SECONDS = 60,  /* less says little about an hour */
    COUNTED_SECONDS = 2  /* candidates change only with a match, and take long to count */
};

struct queue queue_of(const struct visit *v)
{
    return (struct queue){.db = v->worker->db, .coder = v->coder, .list = queue_lists_of(&v->web->lists, v->coder)};
}

/* --- how far --- */

/* To count 100,000 candidates takes as long as all else that a save needs. */
static enum status MUST_USE count_candidates(struct visit *v, struct progress_state *p, struct err *e)
{
    struct web *w = v->web;
    double now = time_monotonic();

    pthread_mutex_lock(&w->lock);
    bool fresh = w->counted > 0 && now - w->counted < COUNTED_SECONDS;
    p->total = w->n_candidates;
    pthread_mutex_unlock(&w->lock);
    enum status status = db_coder_progress(v->worker->db, v->coder, fresh ? NULL : &p->total, &p->judged, e);
    if (status != ST_OK || fresh)
        return status;
    pthread_mutex_lock(&w->lock);
    w->n_candidates = p->total;
    w->counted = now;
    pthread_mutex_unlock(&w->lock);
    return ST_OK;
}

enum status progress_read(struct visit *v, struct progress_state *out, struct err *e)
{
    const struct queue queue = queue_of(v);

    *out = (struct progress_state){0};
    enum status status = queue.list != NULL ? queue_progress(&queue, &out->judged, &out->total, e)
                                            : count_candidates(v, out, e);
    pthread_mutex_lock(&v->web->lock);
    const struct session *s = &v->web->sessions[v->session];
    if (s->busy_seconds > LEAST_SECONDS)
        out->per_hour = (double)s->n_judged / s->busy_seconds * 3600;
    pthread_mutex_unlock(&v->web->lock);
    if (out->per_hour > 0 && out->total > out->judged)
        out->hours_left = (double)(out->total - out->judged) / out->per_hour;
    return status;
}

enum status progress_of_team(struct visit *v, struct err *e)
{
    AT_END(array_end) struct coder_names names = {0};
    const struct queue_lists *lists = &v->web->lists;
    struct queue queue = {.db = v->worker->db};
    enum status status = ST_OK;
    int64_t judged, total;

    if (!v->is_owner)
        return ST_OK;
    for (size_t i = 0; i < lists->of.n; i++)
        if (lists->of.at[i].coder.ptr != NULL)
            array_add(&names, lists->of.at[i].coder);
    if (names.n == 0 && v->web->team != NULL) {
        pthread_mutex_lock(&v->web->lock);
        team_coders(v->web->team, &names, &v->arena);
        pthread_mutex_unlock(&v->web->lock);
    }
    if (names.n > 0)
        html(v->out, SPAN("team"));
    for (size_t i = 0; i < names.n && status == ST_OK; i++) {
        queue.coder = names.at[i];
        queue.list = queue_lists_of(&v->web->lists, queue.coder);
        status = queue_progress(&queue, &judged, &total, e);
        html(v->out, SPAN("team-row"), queue.coder, html_number(v, judged), html_number(v, total));
    }
    buf_add_text(v->out, names.n > 0 ? "</tbody></table>\n" : "");
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

/* As a browser keeps its history: who went back and then elsewhere goes back to where that was. */
void trail_add(struct visit *v, int64_t post_id)
{
    pthread_mutex_lock(&v->web->lock);
    struct session *s = &v->web->sessions[v->session];
    bool is_back = s->n_trail > 1 && s->trail[s->n_trail - 2] == post_id;
    if (is_back)
        s->n_trail--;
    else if (s->n_trail == 0 || s->trail[s->n_trail - 1] != post_id) {
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
    size_t i = s->n_trail;
    while (i > 0 && s->trail[i - 1] != post_id)
        i--;
    if (i == 0) /* of a page that was left */
        i = s->n_trail + 1;
    if (i >= 2)
        before = s->trail[i - 2];
    pthread_mutex_unlock(&v->web->lock);
    return before;
}
