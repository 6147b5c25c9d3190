/* screen_page: posts to screen, with yes, no and unsure, in the order of a ranking or of a sample. */
#include <math.h>

#include "screen/screening.h"
#include "label/coding/decisions.h"
#include "web/site.h"

/* --- orders --- */

enum order { ORDER_RANKED, ORDER_RANDOM, ORDER_KEYWORD, ORDER_SAMPLE };

static const struct order_name {
    const char *name, *title;
} orders[] = {
    [ORDER_RANKED] = {"ranked", "Most promising"},
    [ORDER_RANDOM] = {"random", "Random"},
    [ORDER_KEYWORD] = {"keyword", "Most keywords"},
    [ORDER_SAMPLE] = {"sample", "Order of the list"},
};

/* The order of the list is there only with one. */
static size_t order_count(const struct visit *v)
{
    return v->web->lists.any ? ARRAY_LEN(orders) : ORDER_SAMPLE;
}

/* Of a list the first post that was not read; where the random order has it next too, it is a random one. */
static bool find_next(const struct visit *v, struct screening *s, enum order order, struct screening_next *out)
{
    static const enum db_screen_stratum strata[] = {DB_SCREEN_RANKED, DB_SCREEN_RANDOM, DB_SCREEN_KEYWORD};
    const struct queue_list *list = queue_lists_of(&v->web->lists, v->coder);
    size_t i = 0;

    if (order != ORDER_SAMPLE)
        return screening_next(s, strata[order], out);
    while (i < list->n && !screening_is_open(s, list->at[i]))
        i++;
    if (i < list->n && (!screening_next(s, DB_SCREEN_RANDOM, out) || out->post_id != list->at[i]))
        *out = (struct screening_next){list->at[i], DB_SCREEN_HAND, NAN, 0};
    return i < list->n;
}

/* --- the page --- */

struct showing {
    struct visit *v;
    struct screening *screening;
    enum order order;
    int64_t post_id;
    char on[WEB_STATE_SIZE]; /* what answers of the page are made on */
};

static void add_state(const struct showing *s)
{
    struct screening_state now;
    struct buf *out = s->v->out;

    screening_state(s->screening, &now);
    size_t n = now.is_limited ? now.n_listed : now.n_posts;
    size_t read = now.is_limited ? now.n_listed_read : now.n_read;
    buf_addf(out,
             "<p class=\"progress\"><progress aria-label=\"posts read\" max=\"%zu\" value=\"%zu\">"
             "</progress> %zu of %zu read",
             n, read, read, n);
    if (now.is_limited)
        buf_addf(out, " of the list; of all questions %zu of %zu", now.n_read, now.n_posts);
    buf_addf(out, ", %zu yes, %zu unsure</p>\n", now.n_found, now.n_unsure);
    if (now.n_elsewhere > 0)
        buf_addf(out, "<p>Not counted: %zu posts that you judged and that are deleted or not in the database.</p>\n",
                 now.n_elsewhere);
    if (now.n_found > 0)
        buf_addf(out, "<p>At least %.0f %% of all yes posts are found (95 %% confidence).%s</p>\n",
                 100 * now.recall_least, now.may_stop ? " <strong>You may stop.</strong>" : "");
}

static void add_orders(const struct showing *s)
{
    struct buf *out = s->v->out;

    buf_add_text(out, "<nav aria-label=\"Order\">Order:\n");
    for (size_t i = 0; i < order_count(s->v); i++)
        buf_addf(out, "<a href=\"/screen?order=%s\"%s>%s</a>\n", orders[i].name,
                 i == s->order ? " aria-current=\"true\"" : "", orders[i].title);
    buf_add_text(out, "</nav>\n");
}

struct wanted_answer {
    const struct showing *s;
    const char *answer; /* NULL: not read */
};

static void take_answer(void *ctx, const struct screening_post *post)
{
    struct wanted_answer *wanted = ctx;

    if (post->post_id == wanted->s->post_id && post->is_read)
        wanted->answer = db_screen_answers[post->answer];
}

static void add_panel(const struct showing *s)
{
    struct buf *out = s->v->out;
    struct wanted_answer wanted = {.s = s};
    char id[POST_ID_TEXT_SIZE];

    post_id_text(s->post_id, id);
    html(out, SPAN("screening"), span_of(id), span_of(orders[s->order].name), span_of(id),
         span_of(orders[s->order].name), span_of(s->on));
    add_state(s);
    html(out, SPAN("state"));
    add_orders(s);
    if (!screening_is_open(s->screening, s->post_id)) /* it is shown again */
        screening_each(s->screening, take_answer, &wanted);
    if (wanted.answer != NULL)
        buf_addf(out, "<p>Your answer: <strong>%s</strong></p>\n", wanted.answer);
    buf_addf(out, "<p><a href=\"/code/%s\">Give codes to this post</a></p>\n", id);
    keys_add(s->v, KEYS_SCREEN);
    html(out, SPAN("screening-end"));
}

static enum status MUST_USE show_post(struct showing *s)
{
    struct visit *v = s->v;
    AT_END(thread_post_clear) struct thread_post post = {0};
    char title[40], id[POST_ID_TEXT_SIZE];

    snprintf(title, sizeof title, "Screen post %s", post_id_text(s->post_id, id));
    page_begin(v, title, "screen");
    enum status status = keys_read(v, &v->error);
    THEN(status, web_state(v, STATE_OF_POST, s->post_id, s->on, &v->error));
    THEN(status, thread_write(v, s->post_id, NULL, &post, &v->error));
    if (status == ST_NO)
        return answer_refuse(v, 404, v->error.text);
    if (status != ST_OK)
        return status;
    add_panel(s);
    page_end(v);
    trail_add(v, s->post_id);
    return ST_OK;
}

/* screening NULL, and the answer is set, while posts are being read. */
static enum status MUST_USE begin(struct showing *s, struct visit *v, struct span order)
{
    size_t i = 0;

    *s = (struct showing){.v = v, .order = v->web->lists.any ? ORDER_SAMPLE : ORDER_RANKED};
    while (order.len > 0 && i < order_count(v) && !span_eq(order, span_of(orders[i].name)))
        i++;
    if (i == order_count(v))
        return err_set(&v->error, ST_INPUT, "The order is ranked, random, keyword or, with a list of posts, sample.");
    if (order.len > 0)
        s->order = (enum order)i;
    enum status status = screening_take(v, &s->screening, &v->error);
    if (status != ST_NO)
        return status;
    if (v->wants_json) {
        answer_refuse(v, 503, "the posts are still being read; try again in a moment");
        v->answer->retry = true;
    } else { /* a page that asks again: reading a million posts takes a minute */
        page_begin(v, "The posts are being read", "screened");
        html(v->out, SPAN("opening"));
        page_end(v);
        v->answer->refresh = true;
    }
    return ST_OK;
}

static enum status see_post(struct visit *v, int64_t post_id, enum order order)
{
    char id[POST_ID_TEXT_SIZE];

    return answer_see(v, "/screen/%s?order=%s", post_id_text(post_id, id), orders[order].name);
}

enum status screen_page(struct visit *v)
{
    struct showing s;
    struct screening_next next;
    enum status status = begin(&s, v, field_of(&v->query, "order"));

    if (status != ST_OK || s.screening == NULL)
        return status;
    if (!span_eq(v->path, SPAN("/screen")))
        return post_id_read(web_rest(v, "/screen/"), &s.post_id)
                   ? show_post(&s)
                   : answer_refuse(v, 404, "This is not the id of a post.");
    if (find_next(v, s.screening, s.order, &next))
        return see_post(v, next.post_id, s.order);
    page_begin(v, "Nothing is left to screen", "screened");
    add_state(&s);
    add_orders(&s);
    page_end(v);
    return ST_OK;
}

/* --- answers --- */

static enum status MUST_USE read_answer(struct span text, enum db_screen_answer *out, struct err *e)
{
    for (size_t i = 0; db_screen_answers[i] != NULL; i++)
        if (span_eq(text, span_of(db_screen_answers[i]))) {
            *out = (enum db_screen_answer)i;
            return ST_OK;
        }
    return err_set(e, ST_INPUT, "answer: expected yes, no or unsure");
}

/* An answer to a post that is not the next one of the order is by hand. */
static enum status MUST_USE save(const struct showing *s, enum db_screen_answer answer, const struct act_on *on,
                                 struct err *e)
{
    struct screening_next next;
    bool judged = false, is_problem;
    enum status status = db_is_judged(s->v->worker->db, s->v->coder, s->post_id, &judged, &is_problem, e);

    if (status == ST_OK && judged && answer == DB_SCREEN_UNSURE)
        return err_set(e, ST_INPUT, "You answered %s already. Take that back with Undo first.",
                       is_problem ? "yes" : "no");
    if (status != ST_OK)
        return status;
    if (!find_next(s->v, s->screening, s->order, &next) || next.post_id != s->post_id)
        next = (struct screening_next){s->post_id, DB_SCREEN_HAND, NAN, 0};
    pthread_mutex_lock(&s->v->web->writing);
    if (!web_is_again(s->v, on)) {
        status = web_state_check(s->v, STATE_OF_POST, s->post_id, on->state, e);
        THEN(status, screening_answer(s->screening, &next, answer, e));
        if (status == ST_OK)
            web_keep_act(s->v, on);
    }
    pthread_mutex_unlock(&s->v->web->writing);
    if (status == ST_OK && !judged)
        progress_count(s->v);
    return status;
}

/* Takes back what was said about this post or, when nothing was, about the one that was shown before. */
static enum status MUST_USE undo(const struct showing *s)
{
    struct visit *v = s->v;
    int64_t of = screening_is_open(s->screening, s->post_id) ? trail_back(v, s->post_id) : s->post_id;
    int64_t undone;
    const struct act_on on = {0};

    if (of == 0)
        return answer_refuse(v, 409, "There is nothing to undo.");
    enum status status = web_undo(v, of, &on, &undone, &v->error);
    /* Unsure is not an act: it is answered again. */
    return status == ST_OK || status == ST_NO ? see_post(v, of, s->order) : status;
}

enum status screen_form(struct visit *v)
{
    struct showing s;
    struct span go = field_of(&v->form, "go");
    const struct act_on on = {.state = field_of(&v->form, "on")};
    enum db_screen_answer answer = DB_SCREEN_NO;
    enum status status = begin(&s, v, field_of(&v->form, "order"));

    if (status != ST_OK || s.screening == NULL)
        return status;
    if (!post_id_read(field_of(&v->form, "post"), &s.post_id))
        return answer_refuse(v, 400, "There is no such post.");
    if (span_eq(go, SPAN("back"))) {
        int64_t back = trail_back(v, s.post_id);
        return see_post(v, back != 0 ? back : s.post_id, s.order);
    }
    if (span_eq(go, SPAN("undo")))
        return undo(&s);
    status = read_answer(go, &answer, &v->error);
    THEN(status, save(&s, answer, &on, &v->error));
    return status == ST_OK ? answer_see(v, "/screen?order=%s", orders[s.order].name) : status;
}

/* --- as JSON --- */

enum status api_screen(struct visit *v)
{
    struct showing s;
    struct screening_next next;
    struct screening_state now;
    enum status status = begin(&s, v, field_of(&v->query, "order"));

    if (status != ST_OK || s.screening == NULL)
        return status;
    bool found = find_next(v, s.screening, s.order, &next);
    screening_state(s.screening, &now);
    answer_begin_of(v, "{\"post_id\":", found ? next.post_id : 0);
    if (found)
        buf_addf(v->out, ",\"stratum\":\"%s\",\"learned_from\":%zu,\"score\":", db_screen_strata[next.stratum],
                 next.n_learned);
    else
        buf_add_text(v->out, ",\"stratum\":null,\"learned_from\":null,\"score\":");
    if (found && isfinite(next.score))
        buf_addf(v->out, "%.6g", next.score);
    else
        buf_add_text(v->out, "null");
    buf_addf(v->out, ",\"read\":%zu,\"found\":%zu,\"unsure\":%zu,\"posts\":%zu,\"may_stop\":%s}\n", now.n_read,
             now.n_found, now.n_unsure, now.n_posts, now.may_stop ? "true" : "false");
    return ST_OK;
}

enum status api_screen_answer(struct visit *v)
{
    struct showing s;
    enum db_screen_answer answer = DB_SCREEN_NO;
    enum status status = begin(&s, v, body_text(v->body, "order"));

    if (status != ST_OK || s.screening == NULL)
        return status;
    const struct act_on on = {.state = body_text(v->body, "state"), .act_id = body_text(v->body, "act_id")};
    status = read_answer(body_text(v->body, "answer"), &answer, &v->error);
    if (status == ST_OK && !body_post_id(v->body, &s.post_id))
        return err_set(&v->error, ST_INPUT, "post_id: expected the id of a post, such as 65160023");
    THEN(status, save(&s, answer, &on, &v->error));
    if (status != ST_OK)
        return status;
    answer_begin_of(v, "{\"saved\":true,\"post_id\":", s.post_id);
    buf_add_text(v->out, "}\n");
    return ST_OK;
}
