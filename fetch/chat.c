/* chat: one request to the server of a language model. */
#include "fetch/chat.h"

#include "fetch/api_http.h"

struct chat {
    struct http *http;
    struct buf url;
};

enum status chat_open(struct chat **out, const char *url, const char *key, struct err *e)
{
    struct span all = span_of(url);
    bool plain = span_starts(all, SPAN("http://")), safe = span_starts(all, SPAN("https://"));
    bool is_odd = !plain && !safe;
    struct span rest = is_odd ? all : span_after(all, safe ? 8 : 7);

    *out = NULL;
    for (size_t i = 0; i < all.len; i++)
        is_odd = is_odd || (unsigned char)all.ptr[i] <= ' ' || all.ptr[i] == '@' || (unsigned char)all.ptr[i] >= 0x7f;
    if (is_odd || rest.len == 0 || strchr("/?#:", rest.ptr[0]) != NULL)
        return err_set(e, ST_USAGE,
                       "'%s': expected https://…, or http://127.0.0.1:PORT/… of a server on this"
                       " machine, without a user's name",
                       url);
    if (plain && !http_is_local(all))
        return err_set(e, ST_USAGE, "'%s': posts and keys are sent over https, or to this machine", url);
    struct chat *c = mem_zero(1, sizeof *c);
    while (all.len > 0 && all.ptr[all.len - 1] == '/')
        all.len--;
    buf_add_span(&c->url, all);
    if (span_find(all, SPAN("/chat/completions")) == SIZE_MAX)
        buf_add_text(&c->url, "/chat/completions");
    enum status status = http_open(&c->http, plain, key, e);
    if (status == ST_OK)
        *out = c;
    else
        chat_close(c);
    return status;
}

void chat_close(struct chat *c)
{
    if (c == NULL)
        return;
    http_close(c->http);
    buf_clear(&c->url);
    mem_free(c);
}

void chat_start(struct chat *c, struct span json, double delay)
{
    http_post(c->http, buf_cstr(&c->url), json, delay);
}

bool chat_take(struct chat *c, struct chat_reply *reply)
{
    struct http_reply r;

    if (!http_is_done(c->http))
        return false;
    http_finish(c->http, &r);
    bool busy = r.code == 408 || r.code == 409 || r.code == 429 || r.code >= 500;
    *reply = (struct chat_reply){
        .failed = r.failed != NULL ? r.failed
                  : r.code == 200  ? NULL
                                   : "the server refuses",
        .may_pass = r.failed != NULL ? !r.is_final : busy,
        .code = r.code,
        .retry_after = r.retry_after,
        .body = r.failed != NULL ? (struct span){"", 0} : r.body,
    };
    return true;
}
