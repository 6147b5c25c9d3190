/* state: what a client of the API remembers, from and to the database. */
#include "fetch/crawl/work.h"
#include "fetch/crawl/answers.h"

#include <inttypes.h>

static const struct {
    const char *key;
    size_t offset;
} numbers[] = {
    {"quota_max", offsetof(struct api_state, quota_max)},
    {"quota_remaining", offsetof(struct api_state, quota_remaining)},
    {"quota_of", offsetof(struct api_state, quota_of)},
    {"quota_at", offsetof(struct api_state, quota_at)},
    {"quota_since", offsetof(struct api_state, quota_since)},
    {"quota_until", offsetof(struct api_state, quota_until)},
    {"filter_fields", offsetof(struct api_state, filter_fields)},
    {"not_before", offsetof(struct api_state, all_not_before)},
};

#define METHOD_PREFIX "not_before "

static void load_method(struct api_state *state, struct span key, struct span value)
{
    struct span prefix = SPAN(METHOD_PREFIX);

    if (!span_starts(key, prefix))
        return;
    key = (struct span){key.ptr + prefix.len, key.len - prefix.len};
    for (enum api_method m = 0; m < API_METHODS; m++)
        if (span_eq(key, span_of(api_method_name(m))) && !span_i64(value, &state->not_before[m]))
            state->not_before[m] = 0;
}

struct setting {
    const char *key;
    struct buf *value;
    bool *found;
};

static void read_setting(void *ctx, struct span key, struct span value)
{
    const struct setting *s = ctx;

    if (!span_eq(key, span_of(s->key)))
        return;
    *s->found = true;
    buf_add_span(s->value, value);
}

enum status crawl_setting(struct db *db, const char *key, struct buf *value, bool *found, struct err *e)
{
    struct setting s = {key, value, found};

    *found = false;
    return db_api_state_each(db, read_setting, &s, e);
}

struct loaded {
    struct api_state *state;
    struct span of;
};

static void load_one(void *ctx, struct span key, struct span value)
{
    const struct loaded *l = ctx;
    struct api_state *state = l->state;
    int64_t number;

    if (!span_starts(key, l->of))
        return;
    key = (struct span){key.ptr + l->of.len, key.len - l->of.len};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (span_eq(key, span_of(numbers[i].key)) && span_i64(value, &number))
            *(int64_t *)(void *)((char *)state + numbers[i].offset) = number;
    load_method(state, key, value);
    if (span_eq(key, SPAN("filter")) && value.len < API_FILTER_TEXT)
        snprintf(state->filter, sizeof state->filter, "%.*s", SPAN_ARG(value));
    if (span_eq(key, SPAN("filter_is_safe")))
        state->filter_is_safe = span_eq(value, SPAN("1"));
}

enum status crawl_state_load(struct db *db, const char *of, struct api_state *state, struct err *e)
{
    struct loaded l = {state, span_of(of)};

    *state = api_state_empty();
    return db_api_state_each(db, load_one, &l, e);
}

static enum status MUST_USE save_number(struct db *db, const char *of, const char *name, int64_t number, struct err *e)
{
    char text[32], key[80];

    if (number == POST_ABSENT)
        return ST_OK;
    snprintf(text, sizeof text, "%" PRId64, number);
    snprintf(key, sizeof key, "%s%s", of, name);
    return db_api_state_put(db, key, span_of(text), e);
}

enum status crawl_state_save(struct db *db, const char *of, const struct api_state *state, struct err *e)
{
    enum status status = ST_OK;
    char key[64];

    for (size_t i = 0; i < ARRAY_LEN(numbers) && status == ST_OK; i++)
        status = save_number(db, of, numbers[i].key,
                             *(const int64_t *)(const void *)((const char *)state + numbers[i].offset), e);
    for (enum api_method m = 0; m < API_METHODS && status == ST_OK; m++) {
        snprintf(key, sizeof key, METHOD_PREFIX "%s", api_method_name(m));
        if (state->not_before[m] != 0)
            status = save_number(db, of, key, state->not_before[m], e);
    }
    if (status == ST_OK && *of == '\0')
        status = db_api_state_put(db, "filter", span_of(state->filter), e);
    if (status == ST_OK && *of == '\0')
        status = save_number(db, of, "filter_is_safe", state->filter_is_safe, e);
    return status;
}
