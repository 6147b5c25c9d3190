/*
 * What GitHub and Discourse say, and when they may be asked.
 *
 * - Each answer of GitHub tells the rest of the quota of its resource, and when it is full again. 403 and 429 say that
 *   it is used up or, with Retry-After or in words, that requests came too fast (the "secondary" limit): nothing is
 *   sent for that time or, if none is told, for a minute, doubled each time.
 * - A redirect is requested once under its new name, on the same server only, since the token is for that one.
 * - 404, 410, 451, and 403 about something itself, are answers: the caller names what cannot be had.
 * - All else is tried again, later each time.
 */
#include "fetch/forge.h"

#include "base/signals.h"
#include "fetch/api_client.h"
#include "fetch/forms.h"
#include "fetch/json.h"

#include <ctype.h>
#include <inttypes.h>

#define MAP_NAME post_set
#define MAP_KEY int64_t
#include "base/map.h"

enum { SECONDARY = 60, NEXT_MAX = 2000 };

/* --- one request --- */

static int64_t header_number(struct api *api, const char *name)
{
    int64_t number;

    return span_i64(http_header(api->http, name), &number) ? number : POST_ABSENT;
}

/* True when none is left, so that a refusal is about that. */
static bool note_quota(struct api *api, int64_t now)
{
    int64_t left = header_number(api, "x-ratelimit-remaining"), reset = header_number(api, "x-ratelimit-reset");

    if (left < 0)
        return false;
    api->state.quota_remaining = left;
    api->state.quota_at = now;
    if (left <= 0 || left <= api->quota_reserve)
        judge_note_wait(api, &api->state.not_before[api->method],
                        reset > now && reset < now + QUOTA_SECONDS ? reset + MARGIN : now + SECONDARY);
    return left == 0;
}

/* Where a redirect leads to, for people: its object's link. */
static enum status MUST_USE ask_where(struct api *api, const struct forge_ask *ask, struct forge_reply *r,
                                      struct err *e)
{
    struct span to = http_header(api->http, "Location"), base = buf_span(&api->url);
    AT_END(forge_reply_clear) struct forge_reply second = {0};
    AT_END(buf_clear) struct buf path = {0};

    buf_add_text(&r->why, "moved to another place");
    if (ask->is_second || !span_starts(to, base) || to.len == base.len || to.ptr[base.len] != '/')
        return ST_OK;
    to = (struct span){to.ptr + base.len, to.len - base.len};
    size_t id = sizeof "/repositories/" - 1;
    if (ask->is_list && span_starts(to, SPAN("/repositories/"))) /* of what it is a list of */
        to.len = id + strspn(to.ptr + id, "0123456789");
    buf_add_span(&path, to);
    struct forge_ask again = {.path = buf_span(&path), .is_second = true};
    enum status status = forge_ask(api, &again, &second, e);
    struct span link = json_text(second.root, "html_url");
    if (status == ST_OK && link.len > 0) {
        buf_reset(&r->why);
        buf_add_text(&r->why, "moved to ");
        judge_add_clean(api, &r->why, link);
    }
    r->at = second.at;
    return status;
}

static enum verdict judge_limit(struct api *api, const struct http_reply *got, unsigned throttles, bool used_up,
                                int64_t now)
{
    if (got->retry_after > 0)
        judge_note_wait(api, &api->state.all_not_before, now + got->retry_after + MARGIN);
    else if (!used_up)
        judge_note_wait(api, &api->state.all_not_before, now + judge_penalty(throttles));
    return THROTTLED;
}

static enum verdict refuse(struct api *api, struct forge_reply *r, const char *words, struct span message)
{
    buf_addf(&r->why, "%s (%ld)", words, r->code);
    if (message.len > 0) {
        buf_add_text(&r->why, ": ");
        judge_add_clean(api, &r->why, message);
    }
    return GOOD;
}

/* Of an HTTP status that is neither 200 nor 304. */
static enum verdict judge_status(struct api *api, const struct http_reply *got, struct forge_reply *r,
                                 unsigned throttles, bool used_up, struct err *e)
{
    static const char *const limits[] = {"rate limit", "abuse"};
    json_t *root = json_read(got->body, NULL);
    struct span message = json_text(root, "message");
    enum verdict verdict = GOOD;

    err_set(e, ST_NETWORK, "%s: HTTP status %ld", buf_cstr(&api->request), got->code);
    if (got->code == 429 ||
        (got->code == 403 && (got->retry_after > 0 || used_up || span_has_any(message, limits, ARRAY_LEN(limits)))))
        verdict = judge_limit(api, got, throttles, used_up, r->at);
    else if (got->code == 404)
        refuse(api, r, "not there, or private", (struct span){0});
    else if (got->code == 410)
        refuse(api, r, "deleted", (struct span){0});
    else if (got->code == 403 || got->code == 451)
        refuse(api, r, "not allowed", message);
    else if (got->code == 401)
        verdict = REFUSED;
    else if (got->code >= 400 && got->code < 500)
        refuse(api, r, "refused", message);
    else if (got->code >= 500 && got->code != 502 && got->code != 504)
        verdict = AGAIN;
    else if (got->code >= 500) /* a thread of GraphQL that takes too long: see forge_narrow */
        verdict = api->method == API_QUESTIONS ? GOOD : AGAIN;
    if (verdict == REFUSED)
        err_set(e, ST_INPUT, "%s: the token is not valid any more, or not for this server; check --token-file",
                buf_cstr(&api->url));
    json_decref(root);
    return verdict;
}

/* Of an answer of GraphQL, whose errors have the status 200. */
static enum verdict judge_graph(struct api *api, const struct http_reply *got, struct forge_reply *r,
                                unsigned throttles, struct err *e)
{
    const json_t *error = form_at(r->root, "errors.0", NULL);
    struct span type = json_text(error, "type"), message = json_text(error, "message");

    if (json_is_object(form_at(
            r->root,
            "data.repository.issues|data.repository.pullRequests|data.repository.discussions|data.repository.discussion",
            NULL)))
        return GOOD;
    err_set(e, ST_NETWORK, "%s: an answer of GraphQL without data", buf_cstr(&api->request));
    if (span_eq(type, SPAN("RATE_LIMITED")) || span_has(message, "rate limit"))
        return judge_limit(api, got, throttles, note_quota(api, r->at), r->at);
    if (!span_eq(type, SPAN("NOT_FOUND")) && !span_eq(type, SPAN("FORBIDDEN")))
        return AGAIN;
    r->code = span_eq(type, SPAN("FORBIDDEN")) ? 403 : 404;
    return refuse(api, r, r->code == 403 ? "not allowed" : "not there, or private",
                  r->code == 403 ? message : (struct span){0});
}

static enum verdict judge_reply(struct api *api, const struct forge_ask *ask, const struct http_reply *got,
                                struct forge_reply *r, unsigned throttles, struct err *e)
{
    api->least_delay = 0;
    if (got->failed != NULL) {
        err_set(e, ST_NETWORK, "%s: %s", buf_cstr(&api->url), got->failed);
        return got->is_final ? REFUSED : AGAIN;
    }
    bool used_up = note_quota(api, r->at);
    r->code = got->code;
    if (got->code == 304 && ask->etag.len > 0)
        return GOOD;
    if (got->code != 200)
        return judge_status(api, got, r, throttles, used_up, e);
    r->root = json_read(got->body, NULL);
    if (ask->is_list ? json_is_array(r->root) : json_is_object(r->root)) {
        r->body = got->body;
        buf_add_span(&r->etag, http_header(api->http, "ETag"));
        struct span rest = http_header(api->http, "Link"), link;
        while (span_cut(&rest, ',', &link)) {
            size_t query = span_find(link, SPAN("?")), end = span_find(link, SPAN(">"));
            if (span_has(link, "rel=\"next\"") && query < end && end != SIZE_MAX && end - query < NEXT_MAX)
                buf_add_span(&r->next, (struct span){link.ptr + query + 1, end - query - 1});
        }
        return ask->query.ptr != NULL ? judge_graph(api, got, r, throttles, e) : GOOD;
    }
    err_set(e, ST_NETWORK, "%s: an answer that is not a JSON %s", buf_cstr(&api->request),
            ask->is_list ? "list" : "object");
    return AGAIN;
}

static void empty(struct forge_reply *r)
{
    json_decref(r->root);
    r->root = NULL;
    r->code = 0;
    buf_reset(&r->etag);
    buf_reset(&r->next);
    buf_reset(&r->why);
}

enum status forge_ask(struct api *api, const struct forge_ask *ask, struct forge_reply *r, struct err *e)
{
    unsigned tries = 0, throttles = 0;

    for (;;) {
        struct http_reply got;
        double delay;
        empty(r);
        api->method = ask->query.ptr != NULL ? API_QUESTIONS : API_TAGS; /* whose waits are those of the two APIs */
        enum status status = pace_await_turn(api, &delay, e);
        if (status != ST_OK)
            return status;
        buf_set(&api->request, ask->path);
        buf_reset(&api->full_url);
        buf_addf(&api->full_url, "%s%s", buf_cstr(&api->url),
                 ask->query.ptr != NULL ? "/graphql" : buf_cstr(&api->request));
        http_ask(api->http, buf_cstr(&api->full_url), ask->etag, ask->query, delay);
        http_finish(api->http, &got);
        status = api_now(api, &r->at, e);
        if (status == ST_OK && got.failed != NULL && signals_stop_asked())
            status = pace_stopped(e);
        if (status != ST_OK)
            return status;

        enum verdict verdict = judge_reply(api, ask, &got, r, throttles, e);
        if (verdict == GOOD)
            return r->code >= 300 && r->code < 400 && r->code != 304 ? ask_where(api, ask, r, e) : ST_OK;
        status = client_go_on(api, verdict, &tries, &throttles, e);
        if (status != ST_OK)
            return status;
    }
}

void forge_reply_clear(struct forge_reply *r)
{
    empty(r);
    buf_clear(&r->etag);
    buf_clear(&r->next);
    buf_clear(&r->why);
}

size_t forge_count(const struct forge_reply *r)
{
    return json_is_array(r->root) ? json_array_size(r->root) : r->root != NULL;
}

int64_t forge_number(const struct forge_reply *r, const char *member)
{
    return json_number(r->root, member);
}

bool forge_has(const struct forge_reply *r, const char *member)
{
    return json_is_object(json_object_get(r->root, member));
}

/* --- a topic --- */

enum {
    TOPIC_POSTS = 20, /* at once, as the pages of Discourse ask for them */
    TOPIC_BYTES_MAX = 48 << 20,
};

/* The next posts of the topic's list, from *i on, that neither came nor were asked for; false: there are none. */
static bool next_posts(const json_t *root, int64_t number, struct post_set *known, size_t *i, struct buf *path)
{
    const json_t *stream = form_at(root, "post_stream.stream", NULL);
    unsigned n = 0;

    buf_reset(path);
    for (; *i < json_array_size(stream) && n < TOPIC_POSTS; ++*i) {
        const json_t *id = json_array_get(stream, *i);
        if (!json_is_integer(id) || !post_set_add(known, json_integer_value(id), NULL))
            continue;
        if (n++ == 0)
            buf_addf(path, "/t/%" PRId64 "/posts.json", number);
        buf_addf(path, "%cpost_ids[]=%" PRId64, n == 1 ? '?' : '&', (int64_t)json_integer_value(id));
    }
    return n > 0;
}

enum status forge_topic(struct api *api, int64_t number, struct span etag, struct forge_reply *r, struct buf *whole,
                        size_t *missing, struct err *e)
{
    AT_END(forge_reply_clear) struct forge_reply more = {0};
    AT_END(post_set_clear) struct post_set known = {0};
    AT_END(buf_clear) struct buf path = {0};
    size_t i = 0, bytes = 0;
    const json_t *post;

    *missing = 0;
    buf_addf(&path, "/t/%" PRId64 ".json", number);
    struct forge_ask ask = {.path = buf_span(&path), .etag = etag};
    enum status status = forge_ask(api, &ask, r, e);
    json_t *posts = form_at(r->root, "post_stream.posts", NULL);
    json_array_foreach(posts, i, post)
        post_set_add(&known, json_number(post, "id"), NULL);
    i = 0;
    while (status == ST_OK && r->code == 200 && json_is_array(posts) && bytes < TOPIC_BYTES_MAX &&
           next_posts(r->root, number, &known, &i, &path)) {
        ask = (struct forge_ask){.path = buf_span(&path)};
        status = forge_ask(api, &ask, &more, e);
        bytes += more.body.len;
        buf_reset(&r->etag); /* which says nothing of these */
        json_array_extend(posts, form_at(more.root, "post_stream.posts", NULL));
    }
    size_t listed = json_array_size(form_at(r->root, "post_stream.stream", NULL)), came = json_array_size(posts);
    int64_t n_posts = json_number(r->root, "posts_count");
    if (listed == 0 && n_posts > 0) /* of over 10,000 posts there is no list */
        listed = (size_t)n_posts;
    *missing = listed > came ? listed - came : 0;
    AT_END(mem_end) char *text = status == ST_OK && r->code == 200 ? json_dumps(r->root, JSON_COMPACT) : NULL;
    buf_add_text(whole, text != NULL ? text : "");
    r->at = more.at > r->at ? more.at : r->at;
    return status;
}

/* --- lists of a repository --- */

const char *const forge_lists[] = {"issues", "issues/comments", "pulls/comments", NULL};
/* REST first, as it says when a repository moved; GraphQL takes the new one without a word. */
const char *const forge_token_lists[] = {"pulls/comments", "graphql issues", "graphql pullRequests",
                                         "graphql discussions", NULL};
#define GRAPH "graphql "

bool forge_is_graph(const struct forge_place *p)
{
    return span_starts(span_of(p->list), SPAN(GRAPH));
}

/* The request for what changed since then. */
static void add_request(const struct forge_place *p, struct buf *out)
{
    char date[TIME_TEXT_SIZE];

    if (forge_is_graph(p)) {
        buf_addf(out, "/graphql?%s&%.*s&", p->list + sizeof GRAPH - 1, SPAN_ARG(p->repository));
        return;
    }
    buf_addf(out, "/repos/%.*s/%s?%ssort=updated&direction=asc&per_page=100", SPAN_ARG(p->repository), p->list,
             strcmp(p->list, "issues") == 0 ? "state=all&" : "");
    if (p->since != POST_ABSENT && api_time_text(p->since, date))
        buf_addf(out, "&since=%.19sZ", date);
}

static void compose(struct forge_place *p)
{
    buf_reset(&p->request);
    buf_reset(&p->etag);
    add_request(p, &p->request);
}

void forge_place_read(struct forge_place *p, struct span text)
{
    struct span since, request;

    p->since = p->top = POST_ABSENT;
    if (!span_cut(&text, '\n', &since) || !span_cut(&text, '\n', &request) || request.len == 0) {
        compose(p);
        return;
    }
    if (!span_i64(since, &p->since))
        p->since = POST_ABSENT;
    buf_add_span(&p->request, request);
    if (!forge_is_graph(p))
        buf_add_span(&p->etag, text);
    else if (!span_i64(text, &p->top))
        p->top = POST_ABSENT;
}

void forge_place_write(const struct forge_place *p, struct buf *out)
{
    if (p->since != POST_ABSENT)
        buf_addf(out, "%" PRId64, p->since);
    buf_add_char(out, '\n');
    buf_add_span(out, buf_span(&p->request));
    buf_add_char(out, '\n');
    buf_add_span(out, buf_span(&p->etag));
    if (forge_is_graph(p) && p->top != POST_ABSENT)
        buf_addf(out, "%" PRId64, p->top);
}

/* --- GraphQL --- */

#define WRITTEN \
    "author{login url ...on User{databaseId} ...on Bot{databaseId} ...on Mannequin{databaseId} " \
    "...on Organization{databaseId}} body url updatedAt lastEditedAt " \
    "reactionGroups{content reactors{totalCount}}"
#define THREAD "number title createdAt closedAt labels(first:100){nodes{name}} " WRITTEN
#define COMMENTS "comments(first:100){totalCount nodes{fullDatabaseId createdAt " WRITTEN "}}"

static const struct graph_list {
    const char *name, *fields;
    unsigned size; /* the most threads at once */
} graph_lists[] = {
    {"issues", THREAD " " COMMENTS, 100},
    {"pullRequests", THREAD " " COMMENTS " reviews(first:50){totalCount nodes{fullDatabaseId submittedAt " WRITTEN "}}",
     50},
    {"discussions",
     THREAD " comments(first:50){totalCount nodes{databaseId createdAt " WRITTEN
            " replies(first:50){totalCount nodes{databaseId createdAt " WRITTEN "}}}}",
     25},
};

static const struct graph_list *graph_list(const struct forge_place *p)
{
    size_t i = 0;

    while (i + 1 < ARRAY_LEN(graph_lists) && strcmp(p->list + sizeof GRAPH - 1, graph_lists[i].name) != 0)
        i++;
    return &graph_lists[i];
}

void forge_graph_query(const struct forge_place *p, struct buf *out)
{
    const struct graph_list *list = graph_list(p);
    struct span cursor = buf_span(&p->request), name = p->repository, owner = {0}, skipped;

    if (!span_cut(&name, '/', &owner) || !span_cut(&cursor, '&', &skipped) || !span_cut(&cursor, '&', &skipped))
        cursor.len = 0;
    buf_addf(out, "{\"query\":\"query($o:String!,$n:String!,$k:Int!%s){repository(owner:$o,name:$n){",
             p->number > 0 ? "" : ",$c:String");
    if (p->number > 0)
        buf_addf(out, "discussion(number:$k){%s}", list->fields);
    else
        buf_addf(out,
                 "%s(first:$k,after:$c,orderBy:{field:UPDATED_AT,direction:DESC}){pageInfo{hasNextPage endCursor}"
                 " nodes{%s}}",
                 list->name, list->fields);
    buf_addf(out, "}}\",\"variables\":{\"o\":\"%.*s\",\"n\":\"%.*s\",\"k\":%" PRId64, SPAN_ARG(owner), SPAN_ARG(name),
             p->number > 0 ? p->number
             : p->size > 0 ? p->size
                           : (int64_t)list->size);
    if (p->number <= 0 && cursor.len > 0) {
        buf_add_text(out, ",\"c\":");
        buf_add_json(out, cursor);
    }
    buf_add_text(out, "}}");
}

bool forge_narrow(struct forge_place *p)
{
    unsigned size = p->size > 0 ? p->size : graph_list(p)->size;

    p->size = size / 2;
    return p->size > 0;
}

void forge_widen(struct forge_place *p)
{
    p->grows = p->size * 2 < graph_list(p)->size;
    p->size = p->grows ? p->size * 2 : 0;
}

static const json_t *connection(const struct forge_place *p, const struct forge_reply *r)
{
    return json_object_get(form_at(r->root, "data.repository", NULL), graph_list(p)->name);
}

bool forge_lacks(struct api *api, const struct forge_reply *r, struct buf *why, int64_t *number)
{
    const json_t *error = form_at(r->root, "errors.0", NULL);

    *number = json_number(form_at(r->root,
                                  "data.repository.issues.nodes.0|data.repository.pullRequests.nodes.0|"
                                  "data.repository.discussions.nodes.0|data.repository.discussion",
                                  NULL),
                          "number");
    judge_add_clean(api, why, json_text(error, "message"));
    return error != NULL;
}

static bool is_cut(const json_t *thread, const char *list)
{
    const json_t *of = json_object_get(thread, list);

    return json_number(of, "totalCount") > (int64_t)json_array_size(json_object_get(of, "nodes"));
}

/* A discussion and its comments have no other list than this one. */
static bool is_cut_within(const json_t *thread)
{
    const json_t *comment;
    size_t i;

    json_array_foreach(form_at(thread, "comments.nodes", NULL), i, comment)
        if (is_cut(comment, "replies"))
            return true;
    return false;
}

bool forge_cut_thread(const struct forge_place *p, const struct forge_reply *r, size_t *i, int64_t *number,
                      const char **part)
{
    static const char *const lists[] = {"comments", "reviews"};
    static const char *const parts[] = {"issues/%" PRId64 "/comments", "pulls/%" PRId64 "/reviews"};
    const json_t *one = form_at(r->root, "data.repository.discussion", NULL);
    const json_t *nodes = json_object_get(connection(p, r), "nodes");
    bool is_discussion = graph_list(p) == &graph_lists[ARRAY_LEN(graph_lists) - 1];
    size_t n = one != NULL ? 1 : json_array_size(nodes);

    for (; *i < n * ARRAY_LEN(lists); ++*i) {
        const json_t *thread = one != NULL ? one : json_array_get(nodes, *i / ARRAY_LEN(lists));
        size_t which = *i % ARRAY_LEN(lists);
        if (!is_cut(thread, lists[which]) && (which > 0 || !is_cut_within(thread)))
            continue;
        *number = json_number(thread, "number");
        *part = is_discussion ? NULL : parts[which];
        ++*i;
        return true;
    }
    return false;
}

static int64_t changed_at(const json_t *nodes, size_t i)
{
    int64_t at;

    return api_time_of(json_text(json_array_get(nodes, i), "updatedAt"), &at) ? at : POST_ABSENT;
}

static enum status MUST_USE advance_graph(struct forge_place *p, const struct forge_reply *r, struct err *e)
{
    const json_t *of = connection(p, r), *nodes = json_object_get(of, "nodes"), *page = json_object_get(of, "pageInfo");
    size_t n = json_array_size(nodes);
    struct span cursor = json_text(page, "endCursor");
    AT_END(buf_clear) struct buf first = {0};

    add_request(p, &first);
    if (span_eq(buf_span(&first), buf_span(&p->request)))
        p->top = n > 0 ? changed_at(nodes, 0) : p->since;
    int64_t last = n > 0 ? changed_at(nodes, n - 1) : POST_ABSENT;
    bool reached = p->since != POST_ABSENT && last != POST_ABSENT && last < p->since;
    p->is_done = reached || !json_is_true(json_object_get(page, "hasNextPage"));
    buf_addf(&first, "%.*s", p->is_done ? 0 : (int)cursor.len, cursor.len > 0 ? cursor.ptr : "");
    bool same = !p->is_done &&
                (cursor.len == 0 || cursor.len > NEXT_MAX || memchr(cursor.ptr, '\n', cursor.len) != NULL ||
                 span_eq(buf_span(&first), buf_span(&p->request)));
    buf_set(&p->request, buf_span(&first));
    if (p->is_done && p->top != POST_ABSENT)
        p->since = p->top;
    return same ? err_set(e, ST_NETWORK, "%s: GraphQL names no next page", buf_cstr(&p->request)) : ST_OK;
}

enum status forge_advance(struct forge_place *p, const struct forge_reply *r, struct err *e)
{
    const json_t *last = json_array_get(r->root, json_array_size(r->root) - 1);
    AT_END(buf_clear) struct buf first = {0};
    int64_t changed;

    if (forge_is_graph(p))
        return advance_graph(p, r, e);
    if (r->next.len > 0 && api_time_of(json_text(last, "updated_at"), &changed) && changed - 1 > p->since) {
        p->since = changed - 1; /* in this second there may be more */
        compose(p);
        return ST_OK;
    }
    if (r->next.len > 0) {
        /* The server's own next page. */
        buf_addf(&first, "/repos/%.*s/%s?%.*s", SPAN_ARG(p->repository), p->list, SPAN_ARG(r->next));
        bool same = span_eq(buf_span(&first), buf_span(&p->request));
        buf_reset(&p->etag);
        buf_set(&p->request, buf_span(&first));
        return same ? err_set(e, ST_NETWORK, "%s: the next page is the same page", buf_cstr(&p->request)) : ST_OK;
    }
    p->is_done = true;
    add_request(p, &first);
    bool is_first = span_eq(buf_span(&p->request), buf_span(&first));
    compose(p);
    if (is_first)
        buf_add_span(&p->etag, buf_span(&r->etag));
    return ST_OK;
}

void forge_place_clear(struct forge_place *p)
{
    buf_clear(&p->request);
    buf_clear(&p->etag);
}

/* --- links --- */

static bool is_name(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!isalnum((unsigned char)name.ptr[i]) && strchr("-_.", name.ptr[i]) == NULL)
            return false;
    return name.len > 0 && name.len <= 100 && !span_eq(name, SPAN(".")) && !span_eq(name, SPAN(".."));
}

bool forge_is_repository(struct span name)
{
    struct span owner;

    return span_cut(&name, '/', &owner) && is_name(owner) && is_name(name);
}

struct span forge_host(const char *api_url)
{
    struct span url = span_of(api_url), host, scheme = SPAN("https://");

    if (!span_starts(url, scheme))
        return SPAN("github.com"); /* a test server */
    url = (struct span){url.ptr + scheme.len, url.len - scheme.len};
    if (!span_cut(&url, '/', &host) || span_eq(host, SPAN("api.github.com")))
        return SPAN("github.com");
    return host;
}

static bool read_number(struct span text, int64_t *number)
{
    return span_i64(text, number) && *number > 0 && *number <= POST_ID_MAX;
}

/* "…/t/a-title/45/3", "…/t/45". */
static bool read_topic(struct forge_link *out, struct span url, struct span rest)
{
    size_t at = span_find(rest, SPAN("/t/"));
    struct span part, host;

    if (at == SIZE_MAX || at == 0)
        return false;
    out->base = (struct span){url.ptr, (size_t)(rest.ptr + at - url.ptr)};
    host = out->site = (struct span){rest.ptr, at};
    rest = (struct span){rest.ptr + at + 3, rest.len - at - 3};
    if (span_cut(&host, ':', &part))
        out->site = part; /* a port is that of a test server */
    out->kind = FORGE_TOPIC;
    return span_cut(&rest, '/', &part) &&
           (read_number(part, &out->number) || (span_cut(&rest, '/', &part) && read_number(part, &out->number)));
}

bool forge_link_read(struct forge_link *out, struct span url, struct span github_host)
{
    static const char *const kinds[] = {"issues", "pull", "discussions"};
    size_t scheme = span_find(url, SPAN("://"));
    struct span rest, host, whole;

    *out = (struct forge_link){.kind = FORGE_NONE};
    for (size_t i = 0; i < url.len; i++)
        if (url.ptr[i] == '#' || url.ptr[i] == '?')
            url.len = i;
    if (scheme == SIZE_MAX || scheme > 5 || scheme + 3 > url.len)
        return false;
    rest = (struct span){url.ptr + scheme + 3, url.len - scheme - 3};
    if (span_starts(rest, SPAN("www.")))
        rest = (struct span){rest.ptr + 4, rest.len - 4};
    whole = rest;
    if (span_cut(&rest, '/', &host) && span_eq(host, github_host)) {
        struct span owner, name, kind, number;
        if (!span_cut(&rest, '/', &owner) || !span_cut(&rest, '/', &name) || !span_cut(&rest, '/', &kind) ||
            !span_cut(&rest, '/', &number) || !is_name(owner) || !is_name(name) ||
            !span_is_any(kind, kinds, ARRAY_LEN(kinds)) || !read_number(number, &out->number))
            return false;
        out->kind = span_eq(kind, SPAN("discussions")) ? FORGE_DISCUSSION : FORGE_ISSUE;
        out->site = (struct span){whole.ptr, (size_t)(name.ptr + name.len - whole.ptr)};
        return true;
    }
    return read_topic(out, url, whole);
}
