/* What is made of an answer: whether it is one, and what it says about the next request. */
#include "fetch/api_client.h"

#include <inttypes.h>

enum {
    EDGE_SECONDS = 30, /* after a page of the edge, which bans for so long at least */
    PENALTY = 60,      /* seconds after a throttled answer that names none; doubled each time */
    DOUBLINGS_MAX = 6, /* over an hour */
};

/* --- what an answer says about the next one --- */

static void note_quota(struct api *api, const struct api_wrapper *w, int64_t now)
{
    struct api_state *s = &api->state;

    if (w->quota_remaining == POST_ABSENT)
        return;
    if (s->quota_since == POST_ABSENT || s->quota_remaining == POST_ABSENT || w->quota_remaining > s->quota_remaining ||
        now - s->quota_since >= QUOTA_SECONDS)
        s->quota_since = now;
    s->quota_remaining = w->quota_remaining;
    if (w->quota_max != POST_ABSENT)
        s->quota_max = w->quota_max;
    s->quota_at = now;
    bool none_left = w->quota_remaining <= 0 || w->quota_remaining <= api->quota_reserve;
    s->quota_until = none_left ? s->quota_since + QUOTA_SECONDS + MARGIN : 0;
    api->state_changed = true;
}

void judge_note_wait(struct api *api, int64_t *not_before, int64_t until)
{
    if (until > *not_before)
        *not_before = until;
    api->state_changed = true;
}

int64_t judge_penalty(unsigned throttles)
{
    return (int64_t)PENALTY << (throttles < DOUBLINGS_MAX ? throttles : DOUBLINGS_MAX);
}

/* The number in "more requests available in 46472 seconds"; 0 when there is none. */
static int64_t seconds_in(struct span message)
{
    size_t at = span_find(message, SPAN(" second"));
    uint64_t seconds;

    if (at == SIZE_MAX)
        return 0;
    size_t start = at;
    while (start > 0 && message.ptr[start - 1] >= '0' && message.ptr[start - 1] <= '9')
        start--;
    struct span digits = {message.ptr + start, at - start};
    return span_u64(digits, 30 * QUOTA_SECONDS, &seconds) ? (int64_t)seconds : 0;
}

/* --- judging an answer --- */

/* The length of the character at the start of the text, plain or percent-encoded, perhaps repeatedly (%41, %2541); 0
 * when it is not there. */
static size_t encoded_char(struct span text, char c)
{
    const char *p = text.ptr;

    for (size_t at = 1; text.len > 0 && *p == '%' && at + 2 <= text.len; at += 2) {
        int high = hex_digit(p[at]), low = hex_digit(p[at + 1]);
        if (high >= 0 && low >= 0 && (char)(high * 16 + low) == c)
            return at + 2;
        if (high != 2 || low != 5)
            break;
    }
    return text.len > 0 && *p == c;
}

/* How many bytes at the start of the text are the secret; 0 when they are not. */
static size_t secret_len(struct span text, const char *secret)
{
    struct span rest = text;

    for (; *secret != '\0'; secret++) {
        size_t len = encoded_char(rest, *secret);
        if (len == 0)
            return 0;
        rest = span_after(rest, len);
    }
    return text.len - rest.len;
}

/* Puts asterisks over the secret (may be NULL) wherever it is after `start`. */
static void hide(struct buf *text, size_t start, const char *secret)
{
    for (size_t i = start; secret != NULL && i < text->len; i++)
        memset(text->ptr + i, '*', secret_len((struct span){text->ptr + i, text->len - i}, secret));
}

void judge_add_clean(const struct api *api, struct buf *out, struct span text)
{
    enum { SHOWN = 300, LOOKED_AT = 16384 };
    size_t start = out->len;

    buf_add_span(out, (struct span){text.ptr, text.len < LOOKED_AT ? text.len : LOOKED_AT});
    for (size_t i = start; i < out->len; i++)
        if ((unsigned char)out->ptr[i] < 0x20 || (unsigned char)out->ptr[i] > 0x7e)
            out->ptr[i] = '?';
    hide(out, start, api->key);
    hide(out, start, api->token);
    if (out->len - start > SHOWN) /* only now: the cut must not hide the end of a secret */
        out->len = start + SHOWN;
}

static const char *advice(struct api *api, const struct api_wrapper *w)
{
    static const struct {
        int64_t id;
        const char *word; /* of the message; NULL: any */
        const char *text;
    } table[] = {
        {400, "key", "check $PPMINE_API_KEY, or --key-file; keys are made on stackapps.com"},
        {400, "ite", "check `site` in the study.ini of the study"}, /* "site", "No site found", "Site" */
        {400, "filter", "the next run makes a new filter"},
        {400, NULL, "check the tags and dates that were given"},
        {401, NULL, "give an access token in $PPMINE_API_TOKEN"},
        {402, NULL, "the access token has ended; make a new one, or use a key"},
        {403, NULL, "a key ($PPMINE_API_KEY) may be needed"},
        {404, NULL, "check --api-url"},
        {405, NULL, "give a key in $PPMINE_API_KEY; keys are made on stackapps.com"},
        {406, NULL, "the access token was sent in the open and is revoked; make a new one"},
    };
    size_t i = 0;

    while (i < ARRAY_LEN(table) &&
           (table[i].id != w->error_id || (table[i].word != NULL && !span_has(w->error_message, table[i].word))))
        i++;
    if (i < ARRAY_LEN(table) && span_eq(span_of(table[i].word), SPAN("filter"))) {
        api->state.filter[0] = '\0';
        api->state_changed = true;
    }
    return i < ARRAY_LEN(table) ? table[i].text : "see https://api.stackexchange.com/docs/error-handling";
}

static enum verdict judge_error(struct api *api, const struct api_wrapper *w, unsigned throttles, int64_t now,
                                struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};

    if (w->error_id == 502) {
        int64_t seconds = seconds_in(w->error_message);
        if (seconds > 0)
            judge_note_wait(api, &api->state.all_not_before, now + seconds + MARGIN);
        else
            judge_note_wait(api, &api->state.not_before[api->method], now + judge_penalty(throttles));
        return THROTTLED;
    }
    buf_addf(&text, "%s answers error %" PRId64 " (", api_method_name(api->method), w->error_id);
    judge_add_clean(api, &text, w->error_name);
    buf_add_text(&text, "): ");
    judge_add_clean(api, &text, w->error_message);
    bool passes = w->error_id >= 500;
    err_set(e, passes ? ST_NETWORK : ST_INPUT, "%s%s%s", buf_cstr(&text), passes ? "" : "; ",
            passes ? "" : advice(api, w));
    return passes ? AGAIN : REFUSED;
}

/* What stands in the place of an answer. */
static enum verdict judge_page(struct api *api, const struct http_reply *reply, const char *why, int64_t now,
                               struct err *e)
{
    if (reply->code == 403 || reply->code == 429)
        api->least_delay = EDGE_SECONDS;
    err_set(e, ST_NETWORK, "%s: HTTP status %ld, %s", api_method_name(api->method), reply->code, why);
    if (reply->retry_after <= 0)
        return AGAIN;
    judge_note_wait(api, &api->state.all_not_before, now + reply->retry_after + MARGIN);
    return THROTTLED;
}

enum verdict judge(struct api *api, const struct http_reply *reply, unsigned throttles, int64_t now,
                   struct api_answer **answer, struct err *e)
{
    const char *why = reply->failed;

    *answer = NULL;
    api->least_delay = 0;
    if (why != NULL) {
        err_set(e, ST_NETWORK, "%s: %s", buf_cstr(&api->url), why);
        return reply->is_final ? REFUSED : AGAIN;
    }
    if (!api_answer_read(answer, reply->body, &why))
        return judge_page(api, reply, why, now, e);
    struct api_wrapper w = api_answer_wrapper(*answer);
    note_quota(api, &w, now);
    if (w.backoff > 0)
        judge_note_wait(api, &api->state.not_before[api->method], now + w.backoff + MARGIN);
    if (w.error_id != 0)
        return judge_error(api, &w, throttles, now, e);
    if (reply->code != 200)
        return judge_page(api, reply, "items all the same", now, e);
    bool may_be_missed;
    const char *field = api_answer_faulty_field(*answer, api->method, &api->missed, &may_be_missed);
    api->lacks = may_be_missed ? field : NULL;
    if (field == NULL && api_answer_items(*answer) == 0 && api_answer_has_more(*answer))
        field = "items";
    if (field == NULL)
        return GOOD;
    err_set(e, ST_NETWORK, "%s: an answer whose `%s` is missing or wrong", api_method_name(api->method), field);
    return ODD;
}
