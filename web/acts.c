/* acts: what forms and the API have in common when a coder decides or undoes: each on the state that the coder saw. */
#include <inttypes.h>

#include "label/coding/decisions.h"
#include "web/site.h"

enum { STATE_DIGITS = 12, STATE_HASHES = 2 * STATE_DIGITS + 1 }; /* of each of its two hashes; of both */

enum status web_state(struct visit *v, enum web_state_of of, int64_t post_id, char out[WEB_STATE_SIZE], struct err *e)
{
    struct db_coder_state state;
    struct span coder = of == STATE_OF_ALL ? (struct span){0} : v->coder;
    enum status status = db_coder_state_read(v->worker->db, coder, post_id, &state, e);

    snprintf(out, WEB_STATE_SIZE, "%.*s-%.*s-%" PRId64, STATE_DIGITS, state.of_post, STATE_DIGITS, state.last,
             v->seen_version != 0 ? v->seen_version : v->worker->book.version);
    return status;
}

int64_t web_state_version(struct span state)
{
    int64_t version;

    return state.len > STATE_HASHES + 1 && span_i64(span_after(state, STATE_HASHES + 1), &version) ? version : 0;
}

enum status web_state_check(struct visit *v, enum web_state_of of, int64_t post_id, struct span state, struct err *e)
{
    char now[WEB_STATE_SIZE];
    enum status status = state.ptr != NULL ? web_state(v, of, post_id, now, e) : ST_OK;

    if (status != ST_OK || state.ptr == NULL ||
        span_starts(state, (struct span){now, of == STATE_OF_POST ? STATE_DIGITS + 1 : STATE_HASHES}))
        return status;
    return err_set(e, ST_NO, "%s after this page was made. Nothing was saved.",
                   of == STATE_OF_ALL ? "Somebody decided about the post"
                                      : "What you said was changed in another tab or by a command");
}

enum status answer_stale(struct visit *v, const char *link)
{
    static const char *const texts[] = {"reason", "note", "other"};

    page_begin(v, "Not saved", "");
    v->answer->code = 409;
    page_text(v->out, "<p class=\"fault\" role=\"alert\">", span_of(v->error.text), "</p>\n");
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct span text = field_text(&v->form, texts[i]);
        if (text.len > 0)
            page_text(v->out, "<p>You typed:</p>\n<pre>", text, "</pre>\n");
    }
    page_text(v->out, "<p><a href=\"", span_of(link), "\">The post as it is now</a></p>\n");
    page_end(v);
    return ST_OK;
}

bool web_is_again(struct visit *v, const struct act_on *on)
{
    return on->act_id.len > 0 && span_eq(on->act_id, span_of(v->web->sessions[v->session].act_id));
}

void web_keep_act(struct visit *v, const struct act_on *on)
{
    struct session *s = &v->web->sessions[v->session];

    if (on->act_id.len > 0 && on->act_id.len < sizeof s->act_id)
        snprintf(s->act_id, sizeof s->act_id, "%.*s", (int)on->act_id.len, on->act_id.ptr);
}

enum status web_act(struct visit *v, const struct act *act, const struct act_on *on, struct err *e)
{
    struct db *db = v->worker->db;
    bool before = false, is_problem, after = false;

    pthread_mutex_lock(&v->web->writing);
    if (web_is_again(v, on)) {
        pthread_mutex_unlock(&v->web->writing);
        return ST_OK;
    }
    enum status status = db_begin(db, e);
    THEN(status, web_state_check(v, STATE_OF_POST, act->post_id, on->state, e));
    THEN(status, db_is_judged(db, v->coder, act->post_id, &before, &is_problem, e));
    THEN(status, act_write(db, &v->worker->book, act, e));
    THEN(status, db_is_judged(db, v->coder, act->post_id, &after, &is_problem, e));
    THEN(status, db_commit(db, e));
    if (status == ST_OK)
        web_keep_act(v, on);
    else
        db_rollback(db);
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

enum status web_undo(struct visit *v, int64_t of, const struct act_on *on, int64_t *post_id, struct err *e)
{
    int64_t *undone = &v->web->sessions[v->session].undone;
    enum status status = ST_OK;

    *post_id = 0;
    pthread_mutex_lock(&v->web->writing);
    if (web_is_again(v, on)) {
        *post_id = *undone;
    } else {
        status = web_state_check(v, STATE_OF_ANY, on->post_id, on->state, e);
        if (status == ST_OK) {
            status = db_decision_undo(v->worker->db, v->coder, of, 0, keep_post, post_id, e);
            if (status == ST_NO)
                err_set(e, ST_NO, "There is nothing to undo.");
        }
        if (status == ST_OK) {
            web_keep_act(v, on);
            *undone = *post_id;
        }
    }
    pthread_mutex_unlock(&v->web->writing);
    return status;
}
