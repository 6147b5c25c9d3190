/* acts: what forms and the API have in common when a coder decides, undoes, or adds a problem. */
#include <inttypes.h>

#include "db/decisions.h"
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

enum status web_undo(struct visit *v, int64_t *post_id, struct err *e)
{
    *post_id = 0;
    pthread_mutex_lock(&v->web->writing);
    enum status status = db_decision_undo(v->worker->db, v->coder, 0, keep_post, post_id, e);
    pthread_mutex_unlock(&v->web->writing);
    return status;
}

/* Of a post whose one problem has the post's id, that one gets _1 first. */
enum status web_other_problem(struct visit *v, int64_t post_id, struct buf *subject, struct err *e)
{
    struct act_said said = {0};
    uint64_t last = 1;

    pthread_mutex_lock(&v->web->writing);
    enum status status = act_number(v->worker->db, &v->worker->book, v->coder, post_id, e);
    pthread_mutex_unlock(&v->web->writing);
    if (status == ST_OK)
        status = act_said_read(&said, v->worker->db, &v->worker->book, v->coder, post_id, e);
    for (size_t i = 0; i < said.problems.n; i++) {
        struct span id = said.problems.at[i].subject, head;
        uint64_t number;
        if (span_cut(&id, '_', &head) && span_u64(id, 1000000, &number) && number > last)
            last = number;
    }
    if (said.problems.n == 0)
        buf_addf(subject, "%" PRId64, post_id);
    else
        buf_addf(subject, "%" PRId64 "_%" PRIu64, post_id, last + 1);
    act_said_clear(&said);
    return status;
}
