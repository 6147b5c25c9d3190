/* threads: what coders say to each other about a post, as JSON; until the settling is open, one's own. */
#include <jansson.h>

#include "label/coding/discussion.h"
#include "web/site.h"

struct messages {
    struct buf *out;
    size_t n;
};

static void add_message(void *ctx, const struct db_note *message)
{
    struct messages *m = ctx;

    json(m->out,
         m->n++ == 0 ? "{'written_at':?,'coder':?,'subject':?,'text':?}"
                     : ",{'written_at':?,'coder':?,'subject':?,'text':?}",
         message->written_at, message->coder, message->subject, message->text);
}

static enum status MUST_USE thread_json(struct visit *v, int64_t post_id)
{
    struct messages messages = {.out = v->out};
    bool open;
    enum status status = discussion_is_open(v->worker->db, &open, &v->error);

    answer_begin(v, 200, "application/json");
    buf_add_text(v->out, "{\"post_id\":");
    post_id_add_json(v->out, post_id);
    buf_addf(v->out, ",\"open\":%s,\"messages\":[", status == ST_OK && open ? "true" : "false");
    if (status == ST_OK)
        status = discussion_each(v->worker->db, v->coder, post_id, add_message, &messages, &v->error);
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
    AT_END(body_end) json_t *body = api_body(v);
    int64_t post_id = 0;

    if (body == NULL)
        return ST_OK;
    struct span about = body_text(body, "subject");
    pthread_mutex_lock(&v->web->writing);
    enum status status = discussion_say(v->worker->db, v->coder, about, body_text(body, "text"), &v->error);
    pthread_mutex_unlock(&v->web->writing);
    if (status == ST_OK && problem_id_read(about, &post_id))
        status = answer_after(v, thread_json(v, post_id));
    return status;
}
