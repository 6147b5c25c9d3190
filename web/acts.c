/* acts: what forms and the API have in common when a coder decides, undoes, or adds a problem. */
#include <inttypes.h>

#include "label/coding/decisions.h"
#include "web/site.h"

enum status web_act(struct visit *v, const struct act *act, struct err *e)
{
    bool before = false, is_problem, after = false;

    pthread_mutex_lock(&v->web->writing);
    enum status status = db_is_judged(v->worker->db, v->coder, act->post_id, &before, &is_problem, e);
    if (status == ST_OK)
        status = act_put(v->worker->db, &v->worker->book, act, e);
    if (status == ST_OK)
        status = db_is_judged(v->worker->db, v->coder, act->post_id, &after, &is_problem, e);
    pthread_mutex_unlock(&v->web->writing);
    if (status == ST_OK && after && !before)
        progress_count(v);
    return status;
}

static void keep_post(void *ctx, const struct db_act *act)
{
    int64_t *post_id = ctx;
    int64_t id;

    if (problem_id_read(act->subject, &id))
        *post_id = id;
}

enum status web_undo(struct visit *v, int64_t of, int64_t *post_id, struct err *e)
{
    *post_id = 0;
    pthread_mutex_lock(&v->web->writing);
    enum status status = db_decision_undo(v->worker->db, v->coder, of, 0, keep_post, post_id, e);
    pthread_mutex_unlock(&v->web->writing);
    return status;
}

enum status web_other_problem(struct visit *v, int64_t post_id, struct buf *subject, struct err *e)
{
    pthread_mutex_lock(&v->web->writing);
    enum status status =
        act_other_problem(v->worker->db, &v->worker->book, v->coder, post_id, subject, e);
    pthread_mutex_unlock(&v->web->writing);
    return status;
}
