/* state: what a client of the API remembers, from and to the database. */
#include "fetch/crawl/work.h"
#include "fetch/crawl/answers.h"
#include "db/sql.h"

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

SQL(API_STATE_GET, "SELECT value FROM api_state WHERE key = :key");

enum status crawl_setting(struct db *db, const char *key, struct buf *value, bool *found, struct err *e)
{
    sql_bind_text(db, SQL_API_STATE_GET, ":key", span_of(key));
    enum status status = sql_row(db, SQL_API_STATE_GET, found, e);
    if (*found)
        buf_add_span(value, sql_text(db, SQL_API_STATE_GET, 0));
    sql_reset(db, SQL_API_STATE_GET);
    return status;
}

SQL(API_STATE_EACH, "SELECT key, value FROM api_state ORDER BY key");

enum status crawl_state_load(struct db *db, const char *of, struct api_state *state, struct err *e)
{
    struct span prefix = SPAN(METHOD_PREFIX), method;
    enum status status = ST_OK;
    int64_t number;

    *state = api_state_empty();
    while (sql_next(db, SQL_API_STATE_EACH, &status, e)) {
        struct span key = sql_text(db, SQL_API_STATE_EACH, 0), value = sql_text(db, SQL_API_STATE_EACH, 1);
        if (!span_starts(key, span_of(of)))
            continue;
        key = span_after(key, strlen(of));
        for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
            if (span_eq(key, span_of(numbers[i].key)) && span_i64(value, &number))
                *(int64_t *)(void *)((char *)state + numbers[i].offset) = number;
        method = span_starts(key, prefix) ? span_after(key, prefix.len) : (struct span){0};
        for (enum api_method m = 0; m < API_METHODS; m++)
            if (span_eq(method, span_of(api_method_name(m))) && !span_i64(value, &state->not_before[m]))
                state->not_before[m] = 0;
        if (span_eq(key, SPAN("filter")) && value.len < API_FILTER_TEXT)
            snprintf(state->filter, sizeof state->filter, "%.*s", SPAN_ARG(value));
        if (span_eq(key, SPAN("filter_is_safe")))
            state->filter_is_safe = span_eq(value, SPAN("1"));
    }
    return status;
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
