/* queue: which post a coder judges next, and how far the coder is. */
#include "label/coding/queue.h"

#include "label/coding/decisions.h"
#include "label/label.h"

const char queue_unsure[] = "#unsure";

enum status queue_list_read(struct queue_list *out, const char *path, struct err *e)
{
    struct id_list list = {0};
    enum status status = id_list_read(&list, path, e);

    for (size_t i = 0; i < list.n && status == ST_OK; i++) {
        int64_t id;
        struct span item = list.ids[list.order[i]];
        if (problem_id_read(item, &id) && (out->n == 0 || out->at[out->n - 1] != id))
            array_add(out, id);
    }
    id_list_clear(&list);
    return status;
}

/* --- posts that the coder was unsure about --- */

#define MAP_NAME post_set
#define MAP_KEY int64_t
#include "base/map.h"

static void add_unsure(void *ctx, const struct db_note *note)
{
    int64_t id;

    if (span_eq(note->text, span_of(queue_unsure)) && problem_id_read(note->subject, &id))
        post_set_add(ctx, id, NULL);
}

/* --- the next post --- */

struct search {
    const struct queue *q;
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
    const struct queue *q = s->q;
    enum status status = ST_OK;
    bool judged, is_problem;

    *post_id = 0;
    for (size_t i = after != 0 ? queue_place(q, after) : 0;
         i < q->n_list && status == ST_OK && *post_id == 0; i++) {
        int64_t id = q->list[i];
        status = db_is_judged(q->db, q->coder, id, &judged, &is_problem, e);
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
        status = db_candidate_next(s->q->db, s->q->coder, false, after, post_id, e);
        after = *post_id;
    } while (status == ST_OK && *post_id != 0 && !is_wanted(s, *post_id));
    return status;
}

enum status queue_next(const struct queue *q, int64_t after, int64_t *post_id, struct err *e)
{
    struct search s = {.q = q};
    enum status status = db_note_each(q->db, q->coder, 0, add_unsure, &s.unsure, e);

    *post_id = 0;
    for (int round = 0; round < 4 && status == ST_OK && *post_id == 0; round++) {
        int64_t from = round % 2 == 0 ? after : 0;
        s.takes_unsure = round >= 2;
        if (round % 2 == 1 && after == 0)
            continue;
        status = q->n_list > 0 ? next_listed(&s, from, post_id, e)
                               : next_candidate(&s, from, post_id, e);
    }
    post_set_clear(&s.unsure);
    return status;
}

/* --- how far --- */

enum status queue_progress(const struct queue *q, int64_t *judged, int64_t *total, struct err *e)
{
    enum status status = ST_OK;
    bool is_judged, is_problem;

    if (q->n_list == 0)
        return db_coder_progress(q->db, q->coder, total, judged, e);
    *total = (int64_t)q->n_list;
    *judged = 0;
    for (size_t i = 0; i < q->n_list && status == ST_OK; i++) {
        status = db_is_judged(q->db, q->coder, q->list[i], &is_judged, &is_problem, e);
        *judged += status == ST_OK && is_judged;
    }
    return status;
}

size_t queue_place(const struct queue *q, int64_t post_id)
{
    size_t i = 0;

    while (i < q->n_list && q->list[i] != post_id)
        i++;
    return i < q->n_list ? i + 1 : 0;
}
