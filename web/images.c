/* images: those that `ppmine fetch --images` kept, from here and not from strangers' servers. */
#include "db/images.h"

#include "web/site.h"

/* What is sent as a type that a browser shows; the text lives as long as the program. */
static const char *const types[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};

static void send(void *ctx, struct span type, struct span bytes)
{
    struct visit *v = ctx;

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (span_eq(type, span_of(types[i]))) {
            answer_begin(v, 200, types[i]);
            v->answer->save = true; /* in a post it is shown; it is never a page of its own */
            buf_add_span(v->out, bytes);
            return;
        }
    answer_refuse(v, 404, "There is no such image.");
}

/* "/images/17" */
enum status image_file(struct visit *v)
{
    uint64_t id;
    enum status status = ST_NO;

    if (span_u64(web_rest(v, "/images/"), INT64_MAX, &id))
        status = db_image_get(v->worker->db, (int64_t)id, send, v, &v->error);
    return status == ST_NO ? answer_refuse(v, 404, "There is no such image.") : status;
}
