/* forge: repositories of GitHub, and a list of links to issues, pull requests and topics, into the database. Keeps each
 * answer with the place after it in one transaction; the place of a link, after all of its answers. */
#include "base/run_lock.h"
#include "fetch/crawl/crawl.h"
#include "fetch/crawl/work.h"
#include "fetch/crawl/answers.h"
#include "db/study.h"
#include "fetch/forge.h"
#include "base/files.h"
#include "base/log.h"

#include <inttypes.h>

#define MAP_NAME link_set
#define MAP_KEY struct span
#include "base/map.h"

#define STATE_OF "github " /* how keys of the client's state begin */

enum { LINKS_FILE_MAX = 64 << 20 };

struct forge_run {
    struct db *db;
    const struct crawl_forge_plan *plan;
    struct api *github, *topics;
    struct buf topics_base; /* whose client `topics` is */
    struct crawl_store store;
    struct refused left, links_left; /* posts; links */
    struct progress progress;
    uint64_t n_links, n_links_kept, n_read; /* of n_links */
    uint64_t n_bad;                         /* repositories that are not to be had */
    uint64_t requests;                      /* of clients that are closed */
    int64_t pause_until;
    const char *pause_why;
};

/* --- keeping --- */

/* What is kept under a key of api_state in the transaction of an answer. */
struct place {
    const char *key;
    struct span value;
};

/* In a transaction; `r` NULL: only the place. */
static enum status MUST_USE keep(struct forge_run *f, const char *method, struct span request,
                                 const struct forge_reply *r, const struct place *place, struct err *e)
{
    struct crawl_counts before = f->store.counts;
    char note[96];
    enum status status = db_begin(f->db, e);

    if (status == ST_OK && r != NULL) {
        AT_END(buf_clear) struct buf packed = {0};
        api_pack(r->body, &packed);
        struct db_api_answer answer = {
            .answered_at = r->at,
            .method = span_of(method),
            .request = request,
            .n_items = (int64_t)forge_count(r),
            .quota_remaining = f->github != NULL ? api_state(f->github)->quota_remaining : POST_ABSENT,
            .body_zstd = buf_span(&packed),
        };
        status = db_api_answer_put(f->db, &answer, f->store.run_id, e);
        THEN(status, crawl_store_records(&f->store, &f->plan->study, &f->left, request, r->body, r->at, e));
    }
    if (status == ST_OK && place != NULL)
        status = db_api_state_put(f->db, place->key, place->value, e);
    if (status == ST_OK && f->github != NULL)
        status = crawl_state_save(f->db, STATE_OF, api_state(f->github), e);
    THEN(status, db_commit(f->db, e));
    if (status != ST_OK) {
        db_rollback(f->db);
        f->store.counts = before;
        return status;
    }
    snprintf(note, sizeof note, "%" PRIu64 " posts", f->store.counts.questions + f->store.counts.answers);
    progress_update(&f->progress, f->n_read, note);
    return ST_OK;
}

/* --- parts of threads --- */

/* Asks for a list of a thread, page by page, and keeps what comes. */
static enum status MUST_USE ask_parts(struct forge_run *f, struct span repository, int64_t number, const char *part,
                                      struct forge_reply *r, struct err *e)
{
    AT_END(buf_clear) struct buf path = {0};
    enum status status = ST_OK;
    bool more = true;

    buf_addf(&path, "/repos/%.*s/", SPAN_ARG(repository));
    buf_addf(&path, part, number);
    buf_add_text(&path, "?per_page=100");
    for (unsigned pages = 0; status == ST_OK && more; pages++) {
        struct forge_ask ask = {.path = buf_span(&path), .is_list = true};
        status = forge_ask(f->github, &ask, r, e);
        if (status != ST_OK || r->code != 200)
            return status;
        status = keep(f, STORED_GITHUB, ask.path, r, NULL, e);
        more = status == ST_OK && r->next.len > 0;
        if (more) {
            path.len = span_find(ask.path, SPAN("?")) + 1;
            buf_add_span(&path, buf_span(&r->next));
        }
        if (pages == 100000)
            status = err_set(e, ST_NETWORK, "%s: pages without an end", buf_cstr(&path));
    }
    return status;
}

/* --- a repository --- */

/* Of threads of GraphQL with more comments or reviews than came with them, all. */
static enum status MUST_USE ask_rest(struct forge_run *f, const struct forge_place *p, const struct forge_reply *r,
                                     struct err *e)
{
    AT_END(forge_reply_clear) struct forge_reply reply = {0};
    enum status status = ST_OK;
    const char *part;
    int64_t number;

    for (size_t i = 0; status == ST_OK && forge_cut_thread(p, r, &i, &number, &part);) {
        if (part != NULL) {
            status = ask_parts(f, p->repository, number, part, &reply, e);
            if (status == ST_OK && reply.code != 200) {
                refused_leave(&f->left, 0, number,
                              "comments or reviews after the first hundred or fifty, which are refused");
                log_warn("%.*s: %" PRId64 ": its further comments or reviews: %s", SPAN_ARG(p->repository), number,
                         buf_cstr(&reply.why));
            }
            continue;
        }
        refused_leave(&f->left, 0, number, "comments of a discussion after the first 50 in a row");
        log_warn("%.*s: discussion %" PRId64 ": GitHub shows the first 50 comments in a row only",
                 SPAN_ARG(p->repository), number);
    }
    return status;
}

/* A thread that GraphQL gives in part, however little is asked for at once. */
static void leave_part(struct forge_run *f, struct span repository, int64_t number, struct buf *why)
{
    refused_leave(&f->left, 0, number, "a part of a thread that GitHub does not show");
    AT_END(mem_end) char *which = number > 0 ? mem_addf("%" PRId64, number) : mem_addf("a thread");
    log_warn("%.*s: %s: GitHub does not show all of it: %s", SPAN_ARG(repository), which, buf_cstr(why));
}

/* Asks for the next part of a list, and keeps it with the place after it; all of it. */
static enum status MUST_USE run_page(struct forge_run *f, struct forge_place *p, const char *key, struct forge_reply *r,
                                     struct err *e)
{
    AT_END(buf_clear) struct buf request = {0}, query = {0}, value = {0}, why = {0};
    bool is_graph = forge_is_graph(p);

    buf_add_span(&request, buf_span(&p->request));
    if (is_graph)
        forge_graph_query(p, &query);
    struct forge_ask ask = {.path = buf_span(&request), .etag = buf_span(&p->etag), .is_list = !is_graph};
    if (is_graph)
        ask.query = buf_span(&query);
    enum status status = forge_ask(f->github, &ask, r, e);
    bool came = status == ST_OK && r->code == 200;
    if (status == ST_OK && r->code > 500 && !forge_narrow(p))
        status = err_set(e, ST_NETWORK, "%s: HTTP status %ld; run it again later", buf_cstr(&request), r->code);
    p->is_done = !came && r->code < 500;
    int64_t number = 0;
    bool lacks = came && is_graph && forge_lacks(f->github, r, &why, &number);
    p->grows = p->grows || lacks;
    if (lacks && forge_narrow(p))
        return status; /* fewer threads at once may come whole */
    if (came && p->grows)
        forge_widen(p);
    if (lacks) {
        leave_part(f, p->repository, number, &why);
        p->size = 0;
        p->grows = false;
    }
    if (came && is_graph) {
        status = keep(f, STORED_GITHUB, ask.path, r, NULL, e);
        status = status == ST_OK ? ask_rest(f, p, r, e) : status;
    }
    if (came && status == ST_OK)
        status = forge_advance(p, r, e);
    forge_place_write(p, &value);
    struct place place = {key, buf_span(&value)};
    if (came && status == ST_OK)
        status = keep(f, STORED_GITHUB, ask.path, is_graph ? NULL : r, &place, e);
    return status;
}

static enum status MUST_USE run_list(struct forge_run *f, struct span site, struct span repository, const char *list,
                                     struct buf *why, struct err *e)
{
    AT_END(forge_place_clear) struct forge_place place = {.repository = repository, .list = list};
    AT_END(forge_reply_clear) struct forge_reply reply = {0};
    AT_END(buf_clear) struct buf value = {0};
    bool found;

    AT_END(mem_end) char *key = mem_addf(STATE_OF "%.*s %s", SPAN_ARG(site), list);
    enum status status = crawl_setting(f->db, key, &value, &found, e);
    forge_place_read(&place, found ? buf_span(&value) : (struct span){0});
    while (status == ST_OK && !place.is_done)
        status = run_page(f, &place, key, &reply, e);
    if (status == ST_OK)
        buf_add_span(why, buf_span(&reply.why));
    return status;
}

/* As the study writes it: GitHub does not look at capitals. ptr NULL: the study has no such site. */
static struct span site_of_study(const struct study *s, struct span site)
{
    for (size_t i = 0; i < s->n_sites; i++)
        if (span_eq_any_case(s->sites[i].name, site))
            return s->sites[i].name;
    if (span_eq_any_case(s->site, site))
        return s->site;
    return (struct span){0};
}

/* It needs a token; a server of one's own may know less than the one of GitHub. */
static bool uses_graph(const struct forge_run *f)
{
    return f->plan->options.token != NULL && !span_has(span_of(f->plan->options.url), "/api/v3");
}

static enum status MUST_USE run_repository(struct forge_run *f, const char *name, struct err *e)
{
    struct span host = forge_host(f->plan->options.url), site;
    AT_END(buf_clear) struct buf why = {0};
    enum status status = ST_OK;

    AT_END(mem_end) char *asked = mem_addf("%.*s/%s", SPAN_ARG(host), name);
    site = site_of_study(&f->plan->study, span_of(asked));
    if (site.ptr == NULL)
        status = err_set(e, ST_INPUT, "the study has no site %s; name it in `sites` of its study.ini", asked);
    for (const char *const *list = uses_graph(f) ? forge_token_lists : forge_lists;
         status == ST_OK && why.len == 0 && *list != NULL; list++)
        status = run_list(f, site, (struct span){site.ptr + host.len + 1, site.len - host.len - 1}, *list, &why, e);
    if (status == ST_OK && why.len > 0) {
        log_warn("%s: %s", asked, buf_cstr(&why));
        f->n_bad++;
    }
    f->n_read++;
    return status;
}

/* --- links --- */

/* An issue with its comments, a pull request with those on its code and its reviews, too. */
static enum status MUST_USE ask_issue(struct forge_run *f, const struct forge_link *link, struct span etag,
                                      struct forge_reply *r, struct buf *new_etag, struct err *e)
{
    static const char *const parts[] = {"issues/%" PRId64 "/comments", "pulls/%" PRId64 "/comments",
                                        "pulls/%" PRId64 "/reviews"};
    struct span repository = link->site, host;

    if (!span_cut(&repository, '/', &host))
        return ST_OK;
    AT_END(mem_end) char *path = mem_addf("/repos/%.*s/issues/%" PRId64, SPAN_ARG(repository), link->number);
    struct forge_ask ask = {.path = span_of(path), .etag = etag};
    enum status status = forge_ask(f->github, &ask, r, e);
    bool is_pull = forge_has(r, "pull_request"), has_comments = forge_number(r, "comments") != 0;
    buf_add_span(new_etag, buf_span(&r->etag));
    bool goes_on = status == ST_OK && r->code == 200;
    if (goes_on)
        status = keep(f, STORED_GITHUB, ask.path, r, NULL, e);
    for (size_t i = 0; i < ARRAY_LEN(parts) && goes_on && status == ST_OK && r->code == 200; i++)
        if (i == 0 ? has_comments : is_pull)
            status = ask_parts(f, repository, link->number, parts[i], r, e);
    return status;
}

static enum status MUST_USE ask_discussion(struct forge_run *f, const struct forge_link *link, struct forge_reply *r,
                                           struct err *e)
{
    struct forge_place p = {.list = "graphql discussions", .repository = link->site, .number = link->number};
    struct span host;
    AT_END(buf_clear) struct buf query = {0}, why = {0};

    if (!span_cut(&p.repository, '/', &host))
        return ST_OK;
    forge_graph_query(&p, &query);
    AT_END(mem_end) char *path = mem_addf("/graphql?discussion&%.*s&%" PRId64, SPAN_ARG(p.repository), p.number);
    struct forge_ask ask = {.path = span_of(path), .query = buf_span(&query)};
    enum status status = forge_ask(f->github, &ask, r, e);
    bool came = status == ST_OK && r->code == 200;
    int64_t number;
    if (came && forge_lacks(f->github, r, &why, &number))
        leave_part(f, p.repository, link->number, &why);
    if (came)
        status = keep(f, STORED_GITHUB, ask.path, r, NULL, e);
    if (status == ST_OK && came)
        status = ask_rest(f, &p, r, e);
    return status;
}

static void note_pause(struct forge_run *f, const struct api *api)
{
    const char *why;

    if (api == NULL)
        return;
    f->requests += api_requests(api);
    if (api_pause(api, &why) > 0) {
        f->pause_until = api_pause(api, &why);
        f->pause_why = why;
    }
}

/* A client for the server of the topic, which never gets the token. */
static enum status MUST_USE open_topics(struct forge_run *f, struct span base, struct err *e)
{
    struct api_options options = f->plan->options;
    struct api_state state = api_state_empty();
    size_t scheme = span_find(base, SPAN("://"));

    if (f->topics != NULL && span_eq(base, buf_span(&f->topics_base)))
        return ST_OK;
    note_pause(f, f->topics);
    api_close(f->topics);
    buf_set(&f->topics_base, base);
    AT_END(mem_end)
    char *url = mem_addf("https%.*s", (int)(base.len - scheme),
                         base.ptr + scheme); /* also where the link is an old one */
    options.url = span_starts(base, SPAN("http://127.0.0.1")) ? buf_cstr(&f->topics_base) : url;
    options.token = NULL;
    return api_open(&f->topics, &options, &state, e);
}

static enum status MUST_USE ask_topic(struct forge_run *f, const struct forge_link *link, struct span etag,
                                      struct forge_reply *r, struct buf *new_etag, struct err *e)
{
    AT_END(buf_clear) struct buf whole = {0};
    size_t missing;
    enum status status = open_topics(f, link->base, e);

    if (status != ST_OK)
        return status;
    status = forge_topic(f->topics, link->number, etag, r, &whole, &missing, e);
    AT_END(mem_end) char *request = mem_addf("https://%.*s/t/%" PRId64, SPAN_ARG(link->site), link->number);
    if (status == ST_OK && r->code == 200) {
        r->body = buf_span(&whole);
        status = keep(f, STORED_DISCOURSE, span_of(request), r, NULL, e);
    }
    if (missing > 0)
        log_warn("%s: %zu posts of the topic did not come", request, missing);
    for (; missing > 0; missing--)
        refused_leave(&f->left, 0, link->number, "a post of a topic that did not come");
    buf_add_span(new_etag, buf_span(&r->etag));
    return status;
}

static enum status MUST_USE ask_link(struct forge_run *f, const struct forge_link *link, struct buf *why, struct err *e)
{
    AT_END(forge_reply_clear) struct forge_reply reply = {0};
    AT_END(buf_clear) struct buf etag = {0}, new_etag = {0};
    bool found;

    AT_END(mem_end) char *key = mem_addf(STATE_OF "%.*s %" PRId64, SPAN_ARG(link->site), link->number);
    enum status status = crawl_setting(f->db, key, &etag, &found, e);
    THEN(status, link->kind == FORGE_DISCUSSION ? ask_discussion(f, link, &reply, e)
                 : link->kind == FORGE_TOPIC    ? ask_topic(f, link, buf_span(&etag), &reply, &new_etag, e)
                                                : ask_issue(f, link, buf_span(&etag), &reply, &new_etag, e));
    if (status == ST_OK && reply.code == 200 && new_etag.len > 0) {
        struct place place = {key, buf_span(&new_etag)};
        status = keep(f, NULL, (struct span){0}, NULL, &place, e);
    }
    buf_add_span(why, buf_span(&reply.why));
    return status;
}

/* Names the link; those that moved are one reason, wherever they went. */
static void leave_link(struct forge_run *f, struct span link, size_t offset, const char *why)
{
    bool moved = span_starts(span_of(why), SPAN("moved to "));

    refused_leave(&f->links_left, offset, 0, moved ? "moved to another place" : why);
    log_warn("%s: byte %zu: %.*s: %s", f->plan->urls, offset, (int)(link.len < 300 ? link.len : 300), link.ptr, why);
}

static enum status MUST_USE take_link(struct forge_run *f, struct link_set *seen, struct arena *arena, struct span url,
                                      size_t offset, struct err *e)
{
    struct forge_link link;
    AT_END(buf_clear) struct buf why = {0};
    enum status status = ST_OK;

    f->n_read++;
    if (!forge_link_read(&link, url, forge_host(f->plan->options.url))) {
        leave_link(f, url, offset, "not a link to an issue, a pull request or a topic");
        return ST_OK;
    }
    struct span site = site_of_study(&f->plan->study, link.site);
    if (site.ptr != NULL)
        link.site = site; /* as the study writes it, so that one link is known again */
    AT_END(mem_end) char *text = mem_addf("%.*s %" PRId64, SPAN_ARG(link.site), link.number);
    if (!link_set_add(seen, arena_copy(arena, span_of(text)), NULL)) {
        buf_add_text(&why, "named before in the list");
    } else if (site.ptr == NULL) {
        buf_addf(&why, "of the site %.*s, which the study does not have", SPAN_ARG(link.site));
    } else if (link.kind == FORGE_DISCUSSION && !uses_graph(f)) {
        buf_add_text(&why, "a discussion, and GitHub shows those only with a token");
    } else {
        status = ask_link(f, &link, &why, e);
    }
    if (status == ST_OK && why.len > 0)
        leave_link(f, url, offset, buf_cstr(&why));
    else if (status == ST_OK)
        f->n_links_kept++;
    return status;
}

/* The next link of a text, which may be a list, a table or prose. */
static struct span next_link(struct span text, size_t *from)
{
    static const char ends[] = " \t\r\n\"'<>,;|)]}";

    for (size_t i = *from; i < text.len; i++) {
        struct span rest = {text.ptr + i, text.len - i};
        if (!span_starts(rest, SPAN("http://")) && !span_starts(rest, SPAN("https://")))
            continue;
        for (rest.len = 0; i + rest.len < text.len && memchr(ends, rest.ptr[rest.len], sizeof ends) == NULL;)
            rest.len++;
        *from = i + rest.len;
        while (strchr(".:!?*`", rest.ptr[rest.len - 1]) != NULL) /* a sentence ends here, and no link does */
            rest.len--;
        return rest;
    }
    return (struct span){0};
}

static enum status MUST_USE run_links(struct forge_run *f, struct err *e)
{
    AT_END(buf_clear) struct buf text = {0};
    AT_END(link_set_clear) struct link_set seen = {0};
    AT_END(arena_clear) struct arena arena = {0};
    size_t from = 0;
    enum status status = file_read(f->plan->urls, LINKS_FILE_MAX, &text, e);

    while (status == ST_OK && next_link(buf_span(&text), &from).ptr != NULL)
        f->n_links++;
    f->progress.total = f->n_links;
    from = 0;
    for (struct span url; status == ST_OK && (url = next_link(buf_span(&text), &from)).ptr != NULL;)
        status = take_link(f, &seen, &arena, url, (size_t)(url.ptr - text.ptr), e);
    if (status == ST_OK && f->n_links == 0)
        status = err_set(e, ST_INPUT, "%s: no links (https://github.com/owner/name/issues/1, …) in it", f->plan->urls);
    if (status == ST_OK && f->n_links_kept == 0)
        status = err_set(e, ST_INPUT, "%s: none of the %" PRIu64 " links could be fetched (see above)", f->plan->urls,
                         f->n_links);
    return status;
}

/* --- the run --- */

static enum status MUST_USE end_run(struct forge_run *f, enum status status, struct buf *counts, struct err *e)
{
    const struct crawl_counts *c = &f->store.counts;
    uint64_t kept = c->questions + c->answers;
    AT_END(buf_clear) struct buf end = {0};
    char until[TIME_TEXT_SIZE];

    note_pause(f, f->github);
    note_pause(f, f->topics);
    buf_addf(counts, "{\"done\":%s,", status == ST_OK ? "true" : "false");
    if (status == ST_NO && api_time_text(f->pause_until, until))
        buf_addf(counts, "\"goes_on_at\":\"%.19sZ\",", until);
    buf_addf(counts, "\"requests\":%" PRIu64 ",", f->requests);
    if (f->plan->urls != NULL) {
        buf_addf(counts, "\"links\":{\"read\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"left_out\":", f->n_read,
                 f->n_links_kept);
        refused_json(&f->links_left, counts);
        buf_add_text(counts, "},");
    }
    buf_addf(counts, "\"read\":%" PRIu64 ",\"kept\":%" PRIu64 ",\"left_out\":", kept + f->left.n_left, kept);
    refused_json(&f->left, counts);
    buf_add_char(counts, ',');
    crawl_counts_json(c, counts);
    buf_add_char(counts, '}');

    crawl_describe_end(&end, status, f->pause_until, f->pause_why);
    status = crawl_run_end(f->db, f->store.run_id, status, buf_span(counts), e);
    if (f->plan->urls != NULL)
        log_info("%s: %" PRIu64 " links read; kept %" PRIu64 ", left out %" PRIu64, f->plan->urls, f->n_read,
                 f->n_links_kept, f->links_left.n_left);
    refused_say(&f->links_left);
    log_info("fetch: %" PRIu64 " requests, %" PRIu64 " questions, %" PRIu64 " answers: %" PRIu64 " posts new, %" PRIu64
             " changed, %" PRIu64 " left out; %s",
             f->requests, c->questions, c->answers, c->n_put[DB_PUT_NEW], c->n_put[DB_PUT_CHANGED], f->left.n_left,
             buf_cstr(&end));
    return status;
}

static enum status MUST_USE run_plan(struct forge_run *f, struct buf *counts, struct err *e)
{
    const struct crawl_forge_plan *p = f->plan;
    AT_END(buf_clear) struct buf parameters = {0};
    struct db_run run = {.command = "fetch", .source = span_of(p->options.url)};
    struct api_state state;
    enum status status = crawl_state_load(f->db, STATE_OF, &state, e);

    THEN(status, api_open(&f->github, &p->options, &state, e));
    buf_addf(&parameters, "{\"mode\":\"%s\",\"github\":[", p->urls != NULL ? "urls" : "github");
    for (size_t i = 0; i < p->n_repositories; i++) {
        buf_add_text(&parameters, i > 0 ? "," : "");
        buf_add_json(&parameters, span_of(p->repositories[i]));
    }
    buf_add_text(&parameters, "]}");
    run.parameters = buf_span(&parameters);
    THEN(status, db_run_begin(f->db, &run, &f->store.run_id, e));
    if (status != ST_OK)
        return status;
    progress_begin(&f->progress, "fetch", p->n_repositories);
    for (size_t i = 0; i < p->n_repositories && status == ST_OK; i++)
        status = run_repository(f, p->repositories[i], e);
    if (status == ST_OK && p->urls != NULL)
        status = run_links(f, e);
    progress_end(&f->progress);
    if (status == ST_NO) { /* so that the next run does not ask too early */
        struct err why = *e;
        status = keep(f, NULL, (struct span){0}, NULL, NULL, e);
        *e = status == ST_OK ? why : *e;
        status = status == ST_OK ? ST_NO : status;
    }
    if (status == ST_OK && f->n_bad > 0)
        status = err_set(e, ST_INPUT, "%" PRIu64 " of %zu repositories could not be fetched (see above)", f->n_bad,
                         p->n_repositories);
    return end_run(f, status, counts, e);
}

enum status crawl_forge(struct db *db, const char *path, const struct crawl_forge_plan *plan, struct buf *counts,
                        struct err *e)
{
    struct forge_run f = {.db = db, .plan = plan, .store = {.db = db}};
    int lock = -1;
    enum status status = api_check(&plan->options, e);

    THEN(status, run_lock_take(path, "fetch-lock", &lock, e));

    f.left.source = f.links_left.source = plan->urls != NULL ? plan->urls : "fetch";
    if (status == ST_NO) {
        log_info("%s; nothing was done", e->text);
        return ST_OK;
    }
    THEN(status, run_plan(&f, counts, e));
    api_close(f.github);
    api_close(f.topics);
    run_lock_release(lock);
    refused_clear(&f.left);
    refused_clear(&f.links_left);
    buf_clear(&f.topics_base);
    return status;
}
