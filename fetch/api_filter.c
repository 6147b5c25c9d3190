/* The filter: the list of fields that the API is to answer with, made once and kept by its name. */
#include "base/log.h"
#include "fetch/api_client.h"

/* Without one of these a post would be told wrong: what is absent from an answer has a meaning then. */
/* clang-format off */
static const char *const needed_fields[] = {
    ".items", ".has_more", ".quota_remaining", ".backoff", ".error_id",
    "question.question_id", "question.title", "question.body", "question.tags", "question.owner",
    "question.last_editor", "question.score", "question.view_count", "question.answer_count",
    "question.comment_count", "question.creation_date", "question.last_activity_date",
    "question.last_edit_date", "question.closed_date", "question.community_owned_date",
    "question.accepted_answer_id", "question.answers", "question.comments",
    "answer.answer_id", "answer.question_id", "answer.body", "answer.owner", "answer.last_editor",
    "answer.score", "answer.comment_count", "answer.creation_date", "answer.last_activity_date",
    "answer.last_edit_date", "answer.community_owned_date", "answer.comments",
    "comment.comment_id", "comment.post_id", "comment.body", "comment.owner", "comment.score",
    "comment.edited", "comment.creation_date",
    "shallow_user.user_id", "shallow_user.display_name",
};
/* clang-format on */

/* The crawl goes on without these. */
/* clang-format off */
static const char *const optional_fields[] = {
    ".quota_max", ".error_name", ".error_message",
    "question.favorite_count", "question.closed_reason", "question.locked_date",
    "question.protected_date", "question.content_license", "question.link",
    "answer.is_accepted", "answer.content_license",
    "comment.reply_to_user", "comment.content_license",
    "shallow_user.link", "shallow_user.user_type",
};
/* clang-format on */

struct filter_job {
    const struct api_job *keeper;
    struct api_state *state;
    struct buf query;
    bool asked;
};

static void add_fields(struct buf *fields)
{
    for (size_t i = 0; i < ARRAY_LEN(needed_fields); i++)
        buf_addf(fields, "%s%s", i > 0 ? ";" : "", needed_fields[i]);
    for (size_t i = 0; i < ARRAY_LEN(optional_fields); i++)
        buf_addf(fields, ";%s", optional_fields[i]);
}

/* Another version of this program, with other fields, needs another filter. */
static int64_t hash_of_fields(void)
{
    AT_END(buf_clear) struct buf fields = {0};

    add_fields(&fields);
    return (int64_t)(span_hash(buf_span(&fields)) >> 1);
}

static bool filter_next(void *ctx, struct api_request *out)
{
    struct filter_job *f = ctx;
    AT_END(buf_clear) struct buf fields = {0};

    if (f->asked)
        return false;
    f->asked = true;
    add_fields(&fields);
    api_query_add(&f->query, "base", SPAN("none"));
    api_query_add(&f->query, "include", buf_span(&fields));
    /* Text as it is, and not as it would stand in a page: nothing is to be decoded then. */
    api_query_add(&f->query, "unsafe", SPAN("true"));
    *out = (struct api_request){.method = API_FILTER_CREATE, .query = buf_span(&f->query)};
    return true;
}

/* Names that the API does not know are left out without a word, so it is asked which are in. */
static enum status filter_seen(void *ctx, const struct api_answer *a, int64_t now, struct err *e)
{
    struct filter_job *f = ctx;
    struct span name = api_answer_text(a, 0, "filter"), type = api_answer_text(a, 0, "filter_type");

    (void)now;
    if (name.len == 0 || name.len >= API_FILTER_TEXT || memchr(name.ptr, '\0', name.len) != NULL)
        return err_set(e, ST_NETWORK, "/filters/create: an answer without a filter");
    for (size_t i = 0; i < ARRAY_LEN(needed_fields); i++)
        if (!api_answer_lists(a, 0, "included_fields", needed_fields[i]))
            return err_set(e, ST_NETWORK,
                           "/filters/create: the API has no field %s; this version of ppmine and"
                           " that of the API do not go together",
                           needed_fields[i]);
    /* Said once: the filter is kept. */
    AT_END(buf_clear) struct buf unknown = {0};
    for (size_t i = 0; i < ARRAY_LEN(optional_fields); i++)
        if (!api_answer_lists(a, 0, "included_fields", optional_fields[i]))
            buf_addf(&unknown, "%s%s", unknown.len > 0 ? ", " : "", optional_fields[i]);
    if (unknown.len > 0)
        log_warn("the API no longer knows %s; posts are fetched without", buf_cstr(&unknown));
    memcpy(f->state->filter, name.ptr, name.len);
    f->state->filter[name.len] = '\0';
    f->state->filter_is_safe = !span_eq(type, SPAN("unsafe"));
    f->state->filter_fields = hash_of_fields();
    return ST_OK;
}

static enum status filter_take(void *ctx, const struct api_take *taken, struct err *e)
{
    struct filter_job *f = ctx;

    return f->keeper->take(f->keeper->ctx, taken, e);
}

static enum status filter_save(void *ctx, const struct api_state *state, struct err *e)
{
    struct filter_job *f = ctx;

    return f->keeper->save(f->keeper->ctx, state, e);
}

enum status api_filter(struct api *api, const struct api_job *keeper, struct err *e)
{
    struct filter_job f = {.keeper = keeper, .state = &api->state};
    struct api_job job = {
        .ctx = &f, .next = filter_next, .seen = filter_seen, .take = filter_take, .save = filter_save};

    if (api->state.filter[0] != '\0' && api->state.filter_fields == hash_of_fields())
        return ST_OK;
    enum status status = api_run(api, &job, e);
    buf_clear(&f.query);
    return status;
}
