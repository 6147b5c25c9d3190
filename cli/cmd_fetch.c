/* fetch: posts from the Stack Exchange API into the database, made to be run from cron. */
#include "cli/options.h"
#include "fetch/crawl/crawl.h"
#include "fetch/crawl/answers.h"
#include "fetch/forge.h"
#include "db/study.h"
#include "base/log.h"
#include "base/signals.h"

#include <errno.h>
#include <signal.h>

enum { IMAGE_RATE_DEFAULT = 2, FORGE_RATE_DEFAULT = 5 }; /* requests in a second */
#define DAY_SECONDS 86400

/* What the command line asks for. */
struct asked {
    struct crawl_plan plan;
    struct buf key, token;
    struct ARRAY_OF(int64_t) ids;
    bool as_json;
};

/* --- the plan --- */

static enum status MUST_USE read_date(const char *option, const char *text, int64_t *seconds, bool is_end,
                                      struct err *e)
{
    if (text[0] == '\0')
        return ST_OK;
    if (!api_time_of(span_of(text), seconds))
        return err_set(e, ST_USAGE, "fetch: --%s '%s' is not a date such as 2018-01-31", option, text);
    if (is_end && strlen(text) == 10) /* the whole day */
        *seconds += DAY_SECONDS - 1;
    return ST_OK;
}

static enum status take_id(void *ctx, const struct id_row *row, struct err *e)
{
    struct asked *a = ctx;

    if (study_id_code(row->post_id) != 0)
        return err_set(e, ST_INPUT, "%.*s: fetch asks for posts of the study's own site", SPAN_ARG(row->id));
    array_add(&a->ids, row->post_id);
    return ST_OK;
}

static enum status MUST_USE check_tag(const char *tag, struct err *e)
{
    size_t n = 1;

    for (const char *p = tag; *p != '\0'; p++) {
        n += *p == ';';
        if (*p == '*' || *p == ',' || *p == '|' || (unsigned char)*p <= ' ')
            return err_set(e, ST_USAGE, "fetch: --tag '%s' is not a tag; give each tag with a --tag", tag);
    }
    if (n > API_TAGS_MAX)
        return err_set(e, ST_USAGE,
                       "fetch: --tag '%s': %zu tags at once find nothing, the API takes %d; for"
                       " questions with any of them, give each its own --tag",
                       tag, n, API_TAGS_MAX);
    if (tag[0] == '\0' || tag[0] == ';' || tag[strlen(tag) - 1] == ';')
        return err_set(e, ST_USAGE, "fetch: --tag '%s' is not a tag", tag);
    return ST_OK;
}

static enum status MUST_USE read_modes(struct asked *a, const struct invocation *in, struct err *e)
{
    const char *ids = in->values.ids;
    size_t kept = 0;
    enum status status = ST_OK;

    a->plan.refresh = in->values.refresh;
    a->plan.n_tags = in->values.tag.n;
    a->plan.tags = in->values.tag.at;
    if ((ids != NULL) + a->plan.refresh + (a->plan.n_tags > 0) > 1)
        return usage_error(in, e, "--tag, --ids and --refresh are three different runs");
    for (size_t i = 0; i < a->plan.n_tags && status == ST_OK; i++)
        status = check_tag(a->plan.tags[i], e);
    if (status == ST_OK && ids != NULL)
        status = id_rows_each(ids, NULL, NULL, take_id, a, e);
    array_sort(&a->ids, number_order);
    for (size_t i = 0; i < a->ids.n; i++) /* each once */
        if (i == 0 || a->ids.at[i] != a->ids.at[i - 1])
            a->ids.at[kept++] = a->ids.at[i];
    a->ids.n = kept;
    a->plan.ids = a->ids.at;
    a->plan.n_ids = kept;
    return status;
}

static enum status MUST_USE read_asked(struct asked *a, const struct invocation *in, struct err *e)
{
    enum status status = read_modes(a, in, e);

    a->plan.from = 0;
    a->plan.to = DB_TIME_MAX;
    THEN(status, read_date("from", option_or(in->values.from, a->plan.study.from), &a->plan.from, false, e));
    THEN(status, read_date("to", option_or(in->values.to, a->plan.study.to), &a->plan.to, true, e));
    if (status == ST_OK && a->plan.from > a->plan.to)
        status = usage_error(in, e, "--from is later than --to");
    THEN(status, option_json(in, &a->as_json, e));
    THEN(status, secret_read(&a->key, in->values.key_file, "PPMINE_API_KEY", e));
    THEN(status, secret_read(&a->token, in->values.token_file, "PPMINE_API_TOKEN", e));
    a->plan.options = (struct api_options){
        .url = in->values.api_url,
        .site = a->plan.study.site,
        .key = a->key.len > 0 ? buf_cstr(&a->key) : NULL,
        .token = a->token.len > 0 ? buf_cstr(&a->token) : NULL,
        .key_in_query = in->values.key_in_query,
        .rate = (double)in->values.rate,
        .quota_reserve = (int64_t)in->values.quota_reserve,
        .max_wait = (int64_t)in->values.max_wait,
    };
    return status;
}

static void clear_asked(struct asked *a)
{
    if (a->key.ptr != NULL)
        explicit_bzero(a->key.ptr, a->key.len);
    if (a->token.ptr != NULL)
        explicit_bzero(a->token.ptr, a->token.len);
    buf_clear(&a->key);
    buf_clear(&a->token);
    array_clear(&a->ids);
    study_clear(&a->plan.study);
}

/* --- images --- */

static enum status MUST_USE fetch_images(struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    AT_END(buf_clear) struct buf counts = {0};
    bool as_json = false;
    /* They come from servers that are not the API's, which the other options are about. */
    const void *const others[] = {&o->tag,        &o->from,         &o->to,     &o->ids,           &o->refresh,
                                  &o->github,     &o->urls,         &o->status, &o->quota_reserve, &o->key_file,
                                  &o->token_file, &o->key_in_query, &o->api_url};
    const char *other = option_first(in, others, ARRAY_LEN(others));
    struct crawl_image_plan plan = {
        .again = o->again,
        .rate = option_setting(in, &o->rate) != NULL ? (double)o->rate : IMAGE_RATE_DEFAULT,
        .max_wait = (int64_t)o->max_wait,
        .bytes_max = (int64_t)o->max_images << 20,
        .test_server = getenv("PPMINE_IMAGE_TEST_SERVER"),
    };

    if (other != NULL)
        return usage_error(in, e, "--images and --%s do not go together", other);
    enum status status = option_json(in, &as_json, e);
    if (status == ST_OK && plan.rate <= 0 && plan.test_server == NULL)
        status = usage_error(in, e, "--rate 0 is for a server on this machine");
    if (status == ST_OK && plan.test_server != NULL)
        log_warn("$PPMINE_IMAGE_TEST_SERVER lets images come from %s, which need not be public", plan.test_server);

    THEN(status, invocation_open_db(in, DB_WRITE, e));
    if (status != ST_OK)
        return status;
    signals_catch();
    signal(SIGPIPE, SIG_IGN);
    status = crawl_images(in->db, in->db_path, &plan, &counts, e);
    if (as_json && counts.len > 0)
        printf("%s\n", buf_cstr(&counts));
    return status;
}

/* --- GitHub and Discourse --- */

static enum status MUST_USE fetch_forge(struct invocation *in, struct err *e)
{
    const struct option_values *o = &in->values;
    const void *const others[] = {&o->tag,     &o->from,   &o->to,       &o->ids,
                                  &o->refresh, &o->status, &o->key_file, &o->key_in_query};
    const char *other = option_first(in, others, ARRAY_LEN(others));
    AT_END(buf_clear) struct buf token = {0}, counts = {0};
    bool as_json = false;
    enum status status = option_json(in, &as_json, e);

    if (other != NULL)
        status = usage_error(in, e, "--github and --urls do not go together with --%s", other);
    for (size_t i = 0; i < o->github.n && status == ST_OK; i++)
        if (!forge_is_repository(span_of(o->github.at[i])))
            status = usage_error(in, e, "--github '%s' is not a repository such as owner/name", o->github.at[i]);
    THEN(status, secret_read(&token, o->token_file, "PPMINE_GITHUB_TOKEN", e));
    struct crawl_forge_plan plan = {
        .repositories = o->github.at,
        .n_repositories = o->github.n,
        .urls = o->urls,
        .options = {.url = option_or(o->api_url, FORGE_URL),
                    .token = token.len > 0 ? buf_cstr(&token) : NULL,
                    .rate = option_setting(in, &o->rate) != NULL ? (double)o->rate : FORGE_RATE_DEFAULT,
                    .quota_reserve = (int64_t)o->quota_reserve,
                    .max_wait = (int64_t)o->max_wait},
    };
    THEN(status, invocation_open_db(in, DB_WRITE, e));
    THEN(status, db_study_load(&plan.study, in->db, e));
    if (status == ST_OK) {
        signals_catch();
        signal(SIGPIPE, SIG_IGN);
        status = crawl_forge(in->db, in->db_path, &plan, &counts, e);
    }
    if (as_json && counts.len > 0)
        printf("%s\n", buf_cstr(&counts));
    if (token.ptr != NULL)
        explicit_bzero(token.ptr, token.len);
    study_clear(&plan.study);
    return status;
}

static enum status fetch_posts(struct invocation *in, struct err *e)
{
    AT_END(clear_asked) struct asked a = {.as_json = false};
    AT_END(buf_clear) struct buf out = {0};
    bool show = in->values.status;
    enum status status = invocation_open_db(in, show ? DB_READ : DB_WRITE, e);

    THEN(status, db_study_load(&a.plan.study, in->db, e));
    THEN(status, read_asked(&a, in, e));
    if (status == ST_OK && show) {
        status = crawl_status(in->db, a.as_json, &out, e);
        if (status == ST_OK)
            fwrite(out.ptr, 1, out.len, stdout);
    } else if (status == ST_OK) {
        signals_catch();
        signal(SIGPIPE, SIG_IGN); /* of a connection that is gone */
        status = crawl_fetch(in->db, in->db_path, &a.plan, &out, e);
        if (a.as_json && out.len > 0)
            printf("%s\n", buf_cstr(&out));
    }
    return status;
}

static enum status run_fetch(struct invocation *in, struct err *e)
{
    if (in->values.images)
        return fetch_images(in, e);
    if (in->values.again || option_setting(in, &in->values.max_images) != NULL)
        return usage_error(in, e, "--again and --max-images are about --images");
    return in->values.github.n > 0 || in->values.urls != NULL ? fetch_forge(in, e) : fetch_posts(in, e);
}

const struct command command_fetch = {
    .name = "fetch",
    .summary = "Fetch posts from the Stack Exchange API",
    .options = OPTIONS(
        TEXTS("tag", tag, "TAG…", "fetch questions with this tag (default: the study's tags)", 't'),
        TEXT("from", from, "DATE", "fetch questions created on this day or later (default: the study's)"),
        TEXT("to", to, "DATE", "fetch questions created on this day or earlier (default: the study's)"),
        TEXT("ids", ids, "FILE", "fetch questions by id; FILE lists them"),
        FLAG("refresh", refresh, "fetch all stored questions again: edits, votes, deletions", 'r'),
        TEXTS("github", github, "OWNER/NAME…", "fetch issues, pull requests and comments of this repository", 'g'),
        TEXT("urls", urls, "FILE", "fetch the issues, pull requests and topics whose links are in FILE", 'u'),
        FLAG("images", images, "fetch the images in posts that coders are shown, for `ppmine serve`", 'i'),
        FLAG("again", again, "with --images: also those that could not be had"),
        NUMBER("max-images", max_images, "MIB", 1, 1000000, 2048,
               "with --images: keep at most so many MiB of them (default: 2048)"),
        FLAG("status", status, "print progress, quota and posts by year", 's'),
        NUMBER("quota-reserve", quota_reserve, "N", 0, 1000000, 10,
               "leave N requests of the quota unused (default: 10)"),
        NUMBER("max-wait", max_wait, "SECONDS", 0, 1000000, 600,
               "end the run when a wait is longer than this (default: 600)"),
        NUMBER("rate", rate, "N", 0, API_RATE_MAX, 20,
               "send at most N requests a second, N up to 25 (default: 20, GitHub 5, images 2)"),
        TEXT("key-file", key_file, "FILE", "file with the API key, mode 0600 (default: $PPMINE_API_KEY)"),
        TEXT("token-file", token_file, "FILE",
             "file with an access token, mode 0600 (default: $PPMINE_API_TOKEN, $PPMINE_GITHUB_TOKEN)"),
        FLAG("key-in-query", key_in_query, "send key and token in the URL, not in headers"),
        TEXT("api-url", api_url, "URL", "another server (default: " API_URL ")"),
        TEXT("format", format, "FORMAT", "print text, or json: one object with counts or status", 'f')),
    .description = "Fetches questions with their answers and comments, and keeps each response of the API\n"
                   "unchanged. It is made for cron: it continues where the last run stopped, even if that run\n"
                   "was killed. It obeys the API's limits. When the quota is used up it ends with exit code 0\n"
                   "and says when it can continue. A second run at the same time does nothing. Deleted posts\n"
                   "are marked. The older body of an edited post is kept in the table `revision`.\n"
                   "With --github or --urls it fetches issues, pull requests and discussions from GitHub, and topics\n"
                   "from Discourse, with their comments. Repositories and forums are sites of the study.\n"
                   "With --images it keeps the images of candidates and judged posts, with their threads, in the\n"
                   "table `image`: PNG, JPEG, GIF and WebP, each of at most 4 MiB and 32 million pixels, from\n"
                   "public addresses only. An image that could not be had is remembered with the reason.",
    .examples = EXAMPLES({"ppmine fetch", "the study's tags and dates, from where the last run stopped"},
                         {"ppmine fetch --tag tensorflow --tag keras --from 2018-01-01 --to 2021-03-03", NULL},
                         {"ppmine fetch --ids ids.txt", "questions by their ids, 100 in a request"},
                         {"ppmine fetch --refresh", "edits and deletions of what is stored"},
                         {"ppmine fetch --github keras-team/keras", "a site of the study: github.com/keras-team/keras"},
                         {"ppmine fetch --urls links.csv", "issues, pull requests and topics of other studies"},
                         {"ppmine fetch --images", "images of candidates, so that pages show them offline"},
                         {"ppmine fetch --status", NULL}),
    .needs = NEEDS_DB_PATH,
    .online = true,
    .run = run_fetch,
};
