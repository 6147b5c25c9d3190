/* queue: which post a coder judges next, and how far the coder is. */
#include "label/coding/queue.h"

#include "label/coding/decisions.h"
#include "label/label.h"
#include "base/maps.h"

const char queue_unsure[] = "#unsure";

enum status queue_list_read(struct queue_list *out, const char *path, struct span coder, struct err *e)
{
    AT_END(id_list_clear) struct id_list list = {0};
    enum status status = id_list_read_of(&list, path, coder, e);

    for (size_t i = 0; i < list.n && status == ST_OK; i++) {
        int64_t id;
        if (problem_id_read(list.ids[list.order[i]], &id) && (out->n == 0 || out->at[out->n - 1] != id))
            array_add(out, id);
    }
    return status;
}

/* --- of several coders --- */

enum status queue_lists_read(struct queue_lists *out, const char *path, struct err *e)
{
    AT_END(id_list_clear) struct id_list all = {0};
    enum status status = id_list_read_of(&all, path, (struct span){0}, e);
    size_t n = all.coders.n > 0 ? all.coders.n : 1;

    *out = (struct queue_lists){.any = true};
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        struct queue_of_coder of = {0};
        if (all.coders.n > 0)
            of.coder = arena_copy(&out->arena, all.coders.at[i]);
        status = queue_list_read(&of.list, path, of.coder, e);
        array_add(&out->of, of);
    }
    return status;
}

void queue_lists_clear(struct queue_lists *l)
{
    for (size_t i = 0; i < l->of.n; i++)
        array_clear(&l->of.at[i].list);
    array_clear(&l->of);
    arena_clear(&l->arena);
    *l = (struct queue_lists){0};
}

const struct queue_list *queue_lists_of(const struct queue_lists *l, struct span coder)
{
    static const struct queue_list nothing;

    for (size_t i = 0; i < l->of.n; i++)
        if (l->of.at[i].coder.ptr == NULL || span_eq(l->of.at[i].coder, coder))
            return &l->of.at[i].list;
    return l->any ? &nothing : NULL;
}

/* --- the next post --- */

enum status queue_next(const struct queue *q, int64_t after, int64_t *post_id, struct err *e)
{
    AT_END(id_set_clear) struct id_set unsure = {0}; /* posts that the coder was unsure about */
    struct sql *notes = db_notes(q->db, DB_NOTE, q->coder, 0);
    enum status status = ST_OK;
    struct db_note note;
    bool judged, is_problem;
    int64_t id;

    while (db_note_next(q->db, notes, &note, &status, e))
        if (span_eq(note.text, span_of(queue_unsure)) && problem_id_read(note.subject, &id))
            id_set_add(&unsure, id, NULL);
    *post_id = 0;
    for (int round = 0; round < 4 && status == ST_OK && *post_id == 0; round++) {
        int64_t from = round % 2 == 0 ? after : 0; /* behind it, then all; in the end those that are unsure */
        bool takes_unsure = round >= 2;
        if (round % 2 == 1 && after == 0)
            continue;
        for (size_t i = from != 0 ? queue_place(q, from) : 0;
             q->list != NULL && i < q->list->n && status == ST_OK && *post_id == 0; i++) {
            id = q->list->at[i];
            status = db_is_judged(q->db, q->coder, id, &judged, &is_problem, e);
            if (status == ST_OK && !judged && id_set_has(&unsure, id) == takes_unsure)
                *post_id = id;
        }
        if (q->list != NULL)
            continue;
        do {
            status = db_candidate_next(q->db, q->coder, false, from, post_id, e);
            from = *post_id;
        } while (status == ST_OK && from != 0 && id_set_has(&unsure, from) != takes_unsure);
    }
    return status;
}

/* --- how far --- */

enum status queue_progress(const struct queue *q, int64_t *judged, int64_t *total, struct err *e)
{
    enum status status = ST_OK;
    bool is_judged, is_problem;

    if (q->list == NULL)
        return db_coder_progress(q->db, q->coder, total, judged, e);
    *total = (int64_t)q->list->n;
    *judged = 0;
    for (size_t i = 0; i < q->list->n && status == ST_OK; i++) {
        status = db_is_judged(q->db, q->coder, q->list->at[i], &is_judged, &is_problem, e);
        *judged += status == ST_OK && is_judged;
    }
    return status;
}

size_t queue_place(const struct queue *q, int64_t post_id)
{
    for (size_t i = 0; q->list != NULL && i < q->list->n; i++)
        if (q->list->at[i] == post_id)
            return i + 1;
    return 0;
}
