/* Reads posts from NDJSON. */
#include "fetch/fetch.h"

#include <jansson.h>

/* The first of the names that the object has; NULL when it has none. */
static const json_t *member(const json_t *object, const char *const names[])
{
    for (; *names != NULL; names++) {
        const json_t *value = json_object_get(object, *names);
        if (value != NULL && !json_is_null(value))
            return value;
    }
    return NULL;
}

static struct span text_of(const json_t *value, struct arena *arena)
{
    if (!json_is_string(value))
        return (struct span){0};
    return arena_copy(arena, (struct span){json_string_value(value), json_string_length(value)});
}

static bool read_id(const json_t *object, struct post *out, const char **why)
{
    static const char *const names[] = {"id", "post_id", "question_id", "answer_id", "Id", NULL};
    const json_t *id = member(object, names);
    const json_t *answer = json_object_get(object, "answer_id");

    /* An answer of the API carries the id of its question too. */
    if (json_is_integer(answer))
        id = answer;
    out->post_id = json_is_integer(id) ? (int64_t)json_integer_value(id) : 0;
    if (json_is_string(id) && !span_i64(span_of(json_string_value(id)), &out->post_id))
        out->post_id = 0;
    *why = "no id (a number from 1 to 2147483647)";
    return out->post_id >= 1 && out->post_id <= POST_ID_MAX;
}

bool ndjson_post(struct span line, struct arena *arena, struct post *out, const char **why)
{
    static const char *const titles[] = {"title", "Title", NULL};
    static const char *const bodies[] = {"body_html", "body", "Body", NULL};
    json_error_t error;
    json_t *object = json_loadb(line.ptr, line.len, JSON_ALLOW_NUL, &error);

    *out = post_empty();
    *why = "no JSON object";
    bool usable = json_is_object(object) && read_id(object, out, why);
    if (usable) {
        out->title = text_of(member(object, titles), arena);
        out->body_html = text_of(member(object, bodies), arena);
    }
    json_decref(object);
    return usable;
}
