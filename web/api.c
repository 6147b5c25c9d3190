/* api: the same as the pages, as JSON. */
#include <inttypes.h>
#include <jansson.h>

#include "base/visible.h"
#include "label/coding/discussion.h"
#include "label/coding/post_view.h"
#include "label/coding/said.h"
#include "web/site.h"

enum { VIEW_WIDTH = 100 };

/* --- reading --- */

enum status api_next(struct visit *v)
{
    int64_t after = 0, post_id = 0;
    const struct queue queue = queue_of(v);
    struct span text = field_of(&v->query, "after");

    if (text.len > 0 && !post_id_read(text, &after))
        return answer_refuse(v, 400, "'after' is the id of a post");
    enum status status = queue_next(&queue, after, &post_id, &v->error);
    answer_begin_of(v, "{\"post_id\":", post_id);
    buf_add_text(v->out, "}\n");
    return status;
}

enum status api_post(struct visit *v)
{
    struct worker *k = v->worker;
    struct post_view view = {
        .db = k->db,
        .book = &k->book,
        .hints = k->hints.hints != NULL ? &k->hints : NULL,
        .width = VIEW_WIDTH,
        .with_answers = true,
        .coder = v->coder,
    };
    int64_t post_id;

    if (!post_id_read(web_rest(v, "/api/posts/"), &post_id))
        return answer_refuse(v, 404, "this is not the id of a post");
    view.related = relations_of(v);
    answer_begin(v, 200, "application/json");
    buf_add_char(v->out, '{');
    enum status status = post_view_json(&view, post_id, v->out, &v->error);
    buf_add_text(v->out, "}\n");
    return status == ST_INPUT ? answer_refuse(v, 404, "the database has no such post") : status;
}

enum status api_progress(struct visit *v)
{
    struct progress_state progress;
    enum status status = progress_read(v, &progress, &v->error);

    answer_begin(v, 200, "application/json");
    buf_add_jsonf(v->out, "{'coder':?,", v->coder);
    progress_json(v->out, &progress);
    buf_add_text(v->out, "}\n");
    return status;
}

enum status api_codebook(struct visit *v)
{
    const struct codebook *c = &v->worker->book.codebook;
    size_t n;
    const struct facet *facets = act_facets(&v->worker->book, &n);

    answer_begin(v, 200, "application/json");
    buf_addf(v->out, "{\"version\":%" PRId64 ",\"facets\":[", v->worker->book.version);
    for (size_t i = 0; i < n; i++) {
        buf_add_jsonf(v->out, i > 0 ? ",{'facet':?,'list':?,'kind':?" : "{'facet':?,'list':?,'kind':?", facets[i].name,
                      act_list(&v->worker->book, &facets[i]), span_of(facet_kind_names[facets[i].kind]));
        buf_addf(v->out, ",\"most\":%zu}", facets[i].most);
    }
    buf_add_text(v->out, "],\"codes\":[");
    for (size_t i = 0; i < c->n_codes; i++)
        buf_add_jsonf(v->out,
                      i > 0 ? ",{'list':?,'category':?,'code':?,'definition':?}"
                            : "{'list':?,'category':?,'code':?,'definition':?}",
                      c->codes[i].facet, c->codes[i].category, c->codes[i].name, c->codes[i].definition);
    buf_add_text(v->out, "],\"guide\":[");
    for (size_t i = 0; i < c->n_rules; i++)
        buf_add_jsonf(v->out, i > 0 ? ",{'code':?,'versus':?,'rule':?}" : "{'code':?,'versus':?,'rule':?}",
                      c->codes[c->rules[i].code].name, c->codes[c->rules[i].versus].name, c->rules[i].rule);
    buf_add_text(v->out, "]}\n");
    return ST_OK;
}

/* --- writing --- */

bool body_post_id(const json_t *body, int64_t *post_id)
{
    const json_t *member = json_object_get(body, "post_id");

    *post_id = json_integer_value(member);
    return json_is_integer(member)
               ? *post_id > 0
               : post_id_read((struct span){json_string_value(member), json_string_length(member)}, post_id);
}

/* What each address takes; post_id is a number or a text. Without this, a slip in a name would be "saved". */
static const struct body_members {
    const char *path, *texts, *flags, *others;
} bodies[] = {
    {"/api/decide", "problem_id reason reason_for note state act_id", "is_problem unsure shown", "post_id codes"},
    {"/api/screen", "answer order state act_id", "", "post_id"},
    {"/api/undo", "state act_id", "", "post_id"},
    {"/api/quote", "quote", "", "post_id"},
    {"/api/keys", "what key", "reset", ""},
    {"/api/threads", "subject text", "", ""},
};

/* *why says what is wrong with it. */
static void check_member(const struct body_members *m, const char *name, const json_t *value, struct buf *why)
{
    struct span called = span_of(name);
    bool is_text = span_is_word(called, m->texts), is_flag = span_is_word(called, m->flags);

    if (is_text ? json_is_string(value) : is_flag ? json_is_boolean(value) : span_is_word(called, m->others))
        return;
    buf_add_clean(why, called);
    if (is_text || is_flag)
        buf_add_text(why, is_text ? ": expected a text" : ": expected true or false");
    else
        buf_addf(why, ": there is no such member; there are %s%s%s%s%s", m->others, m->others[0] != '\0' ? " " : "",
                 m->texts, m->flags[0] != '\0' ? " " : "", m->flags);
}

bool api_body_read(struct visit *v)
{
    const struct web_request *r = v->request;
    AT_END(buf_clear) struct buf why = {0};
    const char *name;
    json_t *value;
    json_error_t fault;

    if (!span_starts(r->content_type, SPAN("application/json"))) {
        answer_refuse(v, 415, "send application/json");
        return false;
    }
    v->body = json_loadb(r->body.len > 0 ? r->body.ptr : "", r->body.len, JSON_REJECT_DUPLICATES, &fault);
    if (!json_is_object(v->body))
        buf_add_text(&why, "the body is not a JSON object");
    for (size_t i = 0; i < ARRAY_LEN(bodies); i++)
        json_object_foreach(v->body, name, value)
            if (why.len == 0 && span_eq(v->path, span_of(bodies[i].path)))
                check_member(&bodies[i], name, value, &why);
    if (why.len > 0)
        answer_refuse(v, 400, buf_cstr(&why));
    return why.len == 0;
}

struct span body_text(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);

    return json_is_string(value) ? span_trim((struct span){json_string_value(value), json_string_length(value)})
                                 : (struct span){0};
}

static enum status MUST_USE read_codes(struct visit *v, const struct facet *facet, const json_t *names,
                                       struct act_codes *out, struct err *e)
{
    struct span list = act_list(&v->worker->book, facet);
    enum status status = ST_OK;

    if (!json_is_array(names) || json_array_size(names) > facet->most)
        return err_set(e, ST_INPUT, "%.*s: expected an array of at most %zu names of codes", (int)facet->name.len,
                       facet->name.ptr, facet->most);
    for (size_t i = 0; i < json_array_size(names) && status == ST_OK; i++) {
        const json_t *name = json_array_get(names, i);
        struct span text = {json_string_value(name), json_string_length(name)};
        size_t place = text.ptr == NULL ? SIZE_MAX : stored_codebook_find(&v->worker->book, list, text, e);
        if (place != SIZE_MAX)
            out->at[out->n++] = place;
        else
            status = text.ptr != NULL ? ST_INPUT : err_set(e, ST_INPUT, "a code is a text");
    }
    return status;
}

static enum status MUST_USE read_facets(struct visit *v, json_t *codes, struct act *act, struct err *e)
{
    size_t n, n_known = 0;
    const struct facet *facets = act_facets(&v->worker->book, &n);
    enum status status = ST_OK;

    if (codes == NULL)
        return ST_OK;
    for (size_t i = 0; i < n && status == ST_OK; i++) {
        AT_END(buf_clear) struct buf name = {0};
        buf_add_span(&name, facets[i].name);
        const json_t *names = json_object_get(codes, buf_cstr(&name));
        act->given[i] = names != NULL;
        n_known += names != NULL;
        if (names != NULL)
            status = read_codes(v, &facets[i], names, &act->codes[i], e);
    }
    if (status == ST_OK && (!json_is_object(codes) || json_object_size(codes) != n_known))
        return err_set(e, ST_INPUT,
                       "codes: expected an object with a member for each facet that is"
                       " decided; GET /api/codebook lists the facets");
    return status;
}

static enum status MUST_USE answer_act(struct visit *v, enum status status, int64_t post_id)
{
    struct progress_state progress;
    char state[WEB_STATE_SIZE];

    if (status != ST_OK)
        return status;
    answer_begin_of(v, "{\"saved\":true,\"post_id\":", post_id);
    status = web_state(v, STATE_OF_POST, post_id, state, &v->error);
    buf_addf(v->out, ",\"state\":\"%s\",", status == ST_OK ? state : "");
    THEN(status, said_json(v->worker->db, &v->worker->book, v->coder, post_id, v->out, &v->error));
    THEN(status, progress_read(v, &progress, &v->error));
    buf_add_char(v->out, ',');
    if (status == ST_OK)
        progress_json(v->out, &progress);
    buf_add_text(v->out, "}\n");
    return answer_after(v, status);
}

enum status api_decide(struct visit *v)
{
    AT_END(mem_end) struct act *act = mem_zero(1, sizeof *act);
    const json_t *body = v->body, *judgement = json_object_get(body, "is_problem");
    struct span of = body_text(body, "reason_for"), state = body_text(body, "state");
    char own[POST_ID_TEXT_SIZE];
    struct err *e = &v->error;
    int64_t about;

    if (!body_post_id(body, &act->post_id))
        return err_set(e, ST_INPUT, "post_id: expected the id of a post, such as 65160023");
    act->subject = body_text(body, "problem_id");
    if (act->subject.len == 0)
        act->subject = arena_copy(&v->arena, span_of(post_id_text(act->post_id, own)));
    if (!problem_id_read(act->subject, &about) || about != act->post_id)
        return err_set(e, ST_INPUT, "problem_id: expected the id of the post, or with _1, _2, …");
    act->coder = v->coder;
    act->judgement = judgement == NULL ? ACT_SAYS_NOTHING : json_is_true(judgement) ? ACT_SAYS_YES : ACT_SAYS_NO;
    act->reason = body_text(body, "reason");
    if (act->reason.len == 0)
        act->reason = (struct span){0};
    act->assisted = json_is_true(json_object_get(body, "shown"));
    act->unsure = json_is_true(json_object_get(body, "unsure"));
    act->note = body_text(body, "note");
    act->reason_of_one = of.len > 0;
    act->reason_facet = facets_find(v->worker->book.facets, of);
    if (of.len > 0 && act->reason_facet >= v->worker->book.facets->n)
        return err_set(e, ST_INPUT, "reason_for: the study has no facet '%.*s'", SPAN_ARG(of));
    act->seen_version = v->seen_version = web_state_version(state);
    enum status status = read_facets(v, json_object_get(body, "codes"), act, e);
    if (status == ST_OK && !act_says(act))
        status = err_set(e, ST_INPUT, "nothing is said: expected is_problem, codes, a reason, a note or unsure");
    const struct act_on on = {act->post_id, state, body_text(body, "act_id")};
    THEN(status, web_act(v, act, &on, e));
    return answer_act(v, status, act->post_id);
}

enum status api_undo(struct visit *v)
{
    int64_t post_id = 0, of = 0;

    if (json_object_get(v->body, "post_id") != NULL && !body_post_id(v->body, &of))
        return err_set(&v->error, ST_INPUT, "post_id: expected the id of a post, such as 65160023");
    const struct act_on on = {of, body_text(v->body, "state"), body_text(v->body, "act_id")};
    enum status status = web_undo(v, 0, &on, &post_id, &v->error);

    return answer_act(v, status, post_id);
}

/* --- what coders say to each other about a post; until the settling is open, one's own --- */

static enum status MUST_USE thread_json(struct visit *v, int64_t post_id)
{
    const char *form = "{'written_at':?,'coder':?,'subject':?,'text':?}";
    struct sql *messages = NULL;
    struct db_note message;
    bool open;
    enum status status = discussion_is_open(v->worker->db, &open, &v->error);

    answer_begin_of(v, "{\"post_id\":", post_id);
    buf_addf(v->out, ",\"open\":%s,\"messages\":[", status == ST_OK && open ? "true" : "false");
    THEN(status, discussion_messages(v->worker->db, v->coder, post_id, &messages, &v->error));
    while (status == ST_OK && db_note_next(v->worker->db, messages, &message, &status, &v->error)) {
        buf_add_jsonf(v->out, form, message.written_at, message.coder, message.subject, message.text);
        form = ",{'written_at':?,'coder':?,'subject':?,'text':?}";
    }
    buf_add_text(v->out, "]}\n");
    return status;
}

enum status api_thread(struct visit *v)
{
    int64_t post_id;

    if (!post_id_read(web_rest(v, "/api/threads/"), &post_id))
        return answer_refuse(v, 404, "this is not the id of a post");
    return thread_json(v, post_id);
}

/* {"subject": "65160023_1", "text": "…"} */
enum status api_say(struct visit *v)
{
    struct span about = body_text(v->body, "subject");
    int64_t post_id = 0;

    pthread_mutex_lock(&v->web->writing);
    enum status status = discussion_say(v->worker->db, v->coder, about, body_text(v->body, "text"), &v->error);
    pthread_mutex_unlock(&v->web->writing);
    if (status == ST_OK && problem_id_read(about, &post_id))
        status = answer_after(v, thread_json(v, post_id));
    return status;
}

/* --- how to use it --- */

enum status api_page(struct visit *v)
{
    page_begin(v, "API", "api");
    html(v->out, SPAN("api"));
    page_end(v);
    return ST_OK;
}
