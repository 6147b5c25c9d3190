/* quote: where the words that a coder selected are in a post, in bytes. */
#include <inttypes.h>
#include <jansson.h>

#include "db/posts.h"
#include "stem/stem.h"
#include "web/site.h"

enum { QUOTE_MAX = 2000 }; /* bytes */

struct post_texts {
    struct buf title, body;
};

static enum status take_texts(void *ctx, const struct post *post, struct err *e)
{
    struct post_texts *texts = ctx;

    (void)e;
    buf_reset(&texts->title);
    buf_reset(&texts->body);
    text_from_title(&texts->title, post->title);
    text_from_html(&texts->body, post->body_html, TEXT_INCLUDE_CODE);
    return ST_OK;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The end of `words` at `start` of the text, white space apart; 0: they are not there. */
static size_t match_at(struct span text, size_t start, struct span words)
{
    size_t i = start;

    for (size_t k = 0; k < words.len; k++) {
        if (is_space(words.ptr[k]))
            continue;
        while (i < text.len && i > start && is_space(text.ptr[i]))
            i++;
        if (i == text.len || text.ptr[i] != words.ptr[k])
            return 0;
        i++;
    }
    return i;
}

static bool find(struct span text, struct span words, size_t *start, size_t *end)
{
    for (*start = 0; *start < text.len; (*start)++) {
        *end = match_at(text, *start, words);
        if (*end > *start)
            return true;
    }
    return false;
}

static bool add_evidence(struct buf *out, const char *field, struct span text, struct span words)
{
    size_t start, end;
    struct buf evidence = {0};

    if (!find(text, words, &start, &end))
        return false;
    buf_addf(&evidence, "“%.*s” [%s %zu-%zu]", (int)words.len, words.ptr, field, start, end);
    buf_addf(out, "{\"field\":\"%s\",\"start\":%zu,\"end\":%zu,\"evidence\":", field, start, end);
    buf_add_json(out, buf_span(&evidence));
    buf_add_text(out, "}\n");
    buf_clear(&evidence);
    return true;
}

/* {"post_id": …, "quote": "…"} */
void api_quote(struct visit *v)
{
    json_t *body = api_body(v);
    struct post_texts texts = {0};

    if (body == NULL)
        return;
    int64_t post_id;
    if (!body_post_id(body, &post_id))
        post_id = 0;
    const json_t *quote = json_object_get(body, "quote");
    struct span words = {json_string_value(quote), json_string_length(quote)};
    words = span_trim(words);
    enum status status =
        words.len == 0 || words.len > QUOTE_MAX
            ? err_set(&v->error, ST_INPUT, "quote: expected 1 to %d bytes", QUOTE_MAX)
            : db_post_text(v->worker->db, post_id, take_texts, &texts, &v->error);
    answer_begin(v, 200, "application/json");
    if (status != ST_OK)
        answer_fault(v, status);
    else if (!add_evidence(v->out, "body", buf_span(&texts.body), words) &&
             !add_evidence(v->out, "title", buf_span(&texts.title), words))
        answer_refuse(v, 400, "these words are not in the title or body of the post");
    buf_clear(&texts.title);
    buf_clear(&texts.body);
    json_decref(body);
}
