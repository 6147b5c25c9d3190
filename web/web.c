/* web: opens, and answers a request: who asks, for which page, and what came of it. */
#include "web/web.h"

#include <jansson.h>

#include "base/log.h"
#include "web/site.h"

const char *const web_headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
     " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Frame-Options", "DENY"},
    {NULL, NULL},
};

/* --- opening --- */

enum status web_open(struct web **out, const struct web_options *options, struct err *e)
{
    struct web *w = mem_zero(1, sizeof *w);
    enum status status = ST_OK;

    w->options = *options;
    buf_add_span(&w->coder, options->coder);
    pthread_mutex_init(&w->lock, NULL);
    pthread_mutex_init(&w->writing, NULL);
    if (options->coder.len > 0)
        guard_draw(&w->launch, w->launch_sha256);
    web_set_port(w, options->port);
    if (options->coders != NULL)
        status = team_open(&w->team, options->coders, e);
    if (status == ST_OK && options->posts != NULL)
        status = queue_lists_read(&w->lists, w->options.posts, e);
    kept_open(w);
    screenings_open(w);
    relations_open(w);
    /* What is wrong with the database is said at once, not on the first page. */
    if (status == ST_OK) {
        AT_END(mem_end) struct visit *v = mem_zero(1, sizeof *v);

        v->web = w;
        status = worker_take(v, e);
        worker_give(v);
    }
    *out = status == ST_OK ? w : NULL;
    if (status != ST_OK)
        web_close(w);
    return status;
}

void web_set_port(struct web *w, uint16_t port)
{
    w->port = port;
    guard_open(w);
}

void web_close(struct web *w)
{
    if (w == NULL)
        return;
    server_stop(w);
    kept_close(w);
    screenings_close(w);
    relations_close(w);
    workers_close(w);
    team_close(w->team);
    buf_clear(&w->coder);
    buf_clear(&w->launch);
    queue_lists_clear(&w->lists);
    array_clear(&w->hosts);
    arena_clear(&w->arena);
    pthread_mutex_destroy(&w->lock);
    pthread_mutex_destroy(&w->writing);
    mem_free(w);
}

void web_address(const struct web *w, struct buf *out)
{
    buf_addf(out, "http://%.*s/", (int)w->hosts.at[w->options.address != NULL ? 3 : 0].len,
             w->hosts.at[w->options.address != NULL ? 3 : 0].ptr);
}

void web_link(const struct web *w, struct buf *out)
{
    if (w->launch.len == 0)
        return;
    web_address(w, out);
    buf_addf(out, "launch?token=%.*s", (int)w->launch.len, w->launch.ptr);
}

bool web_link_is_used(struct web *w)
{
    pthread_mutex_lock(&w->lock);
    bool used = w->launch_sha256[0] == '\0';
    pthread_mutex_unlock(&w->lock);
    return used;
}

/* --- answers --- */

void answer_begin(struct visit *v, unsigned code, const char *type)
{
    v->answer->code = code;
    v->answer->type = type;
    buf_reset(&v->answer->body);
}

void answer_begin_of(struct visit *v, const char *before, int64_t post_id)
{
    answer_begin(v, 200, "application/json");
    buf_add_text(v->out, before);
    if (post_id != 0)
        post_id_add_json(v->out, post_id);
    else
        buf_add_text(v->out, "null");
}

enum status answer_see(struct visit *v, const char *fmt, ...)
{
    va_list args;

    answer_begin(v, 303, "text/plain; charset=utf-8");
    va_start(args, fmt);
    buf_addv(&v->answer->location, fmt, args);
    va_end(args);
    return ST_OK;
}

enum status answer_refuse(struct visit *v, unsigned code, const char *why)
{
    if (v->wants_json) {
        answer_begin(v, code, "application/json");
        buf_add_jsonf(v->out, "{'error':?}\n", span_of(why));
        return ST_OK;
    }
    page_begin(v, code == 404 ? "Not found" : "Refused", "");
    v->answer->code = code;
    page_text(v->out, "<p class=\"fault\" role=\"alert\">", span_of(why), "</p>\n");
    page_end(v);
    return ST_OK;
}

/* For a status other than ST_OK, with v->error. ST_NO: nothing was done, as the request was made on another state. */
static void answer_fault(struct visit *v, enum status status)
{
    v->answer->retry = status == ST_DATABASE && span_has(span_of(v->error.text), "locked by another");
    if (v->answer->retry) {
        answer_refuse(v, 503, "Another program is writing to the database. Nothing was saved; try again in a moment.");
        return;
    }
    if (status != ST_INPUT && status != ST_NO)
        log_error("%s", v->error.text);
    answer_refuse(v, status == ST_INPUT ? 400 : status == ST_NO ? 409 : 500, v->error.text);
}

enum status answer_after(struct visit *v, enum status status)
{
    if (status == ST_OK)
        return ST_OK;
    return err_set(&v->error, ST_IO, "saved, but what there is now cannot be read: %s", v->error.text);
}

void web_answer_clear(struct web_answer *answer)
{
    buf_clear(&answer->body);
    buf_clear(&answer->location);
    buf_clear(&answer->cookie);
    *answer = (struct web_answer){0};
}

/* --- what needs no database --- */

/* The file of that name; those that pages are filled from are not sent. */
static const struct web_file *file_of(struct span path)
{
    for (size_t i = 0; i < web_file_count; i++)
        if (path.len > 1 && span_eq(web_files[i].name, (struct span){path.ptr + 1, path.len - 1}) &&
            !span_eq(path, SPAN("/parts.html")))
            return &web_files[i];
    return NULL;
}

static enum status send_file(struct visit *v)
{
    const struct web_file *file = file_of(v->path);
    struct span name = file->name;

    answer_begin(v, 200,
                 name.ptr[name.len - 1] == 'g'   ? "image/svg+xml"
                 : name.ptr[name.len - 2] == 's' ? "text/css; charset=utf-8"
                                                 : "text/javascript; charset=utf-8");
    v->answer->keep = span_find(name, SPAN(".min.js")) != SIZE_MAX;
    buf_add_span(v->out, file->content);
    return ST_OK;
}

/* A page, not a redirect: a browser that another program sent here stores the cookie, but sends it only with requests
 * from our pages. */
static enum status launch(struct visit *v)
{
    bool is_known = v->coder.len > 0 && v->web->team == NULL; /* the link that was used, by who it let in */

    if (!guard_launch(v, field_of(&v->query, "token")) && !is_known)
        return answer_refuse(v, 403,
                             v->web->team != NULL
                                 ? "This link is wrong or was revoked. Ask the owner of the study for a new one."
                                 : "This link is wrong or was used before. Stop 'ppmine serve' and start it again for"
                                   " a new one.");
    answer_begin(v, 200, "text/html; charset=utf-8");
    html(v->out, SPAN("launch"), html_if(is_known, "You are logged in already, as "), v->coder,
         html_if(is_known, ". "));
    return ST_OK;
}

static enum status front(struct visit *v)
{
    return answer_see(v, "/code");
}

/* --- which page --- */

struct route {
    const char *path; /* "/code/" with more behind it, when it ends so */
    web_page *get, *post;
    bool no_database;
    const char *title, *here; /* of a page that shows what others decided: only when the settling is open */
};

static const struct route files = {"", send_file, NULL, true, NULL, NULL};

static const struct route routes[] = {
    {"/", front, NULL, true, NULL, NULL},
    {"/launch", launch, NULL, true, NULL, NULL},
    {"/code", code_page, NULL, false, NULL, NULL},
    {"/code/", code_page, code_form, false, NULL, NULL},
    {"/screen", screen_page, screen_form, false, NULL, NULL},
    {"/screen/", screen_page, NULL, false, NULL, NULL},
    {"/search", search_page, NULL, false, NULL, NULL},
    {"/images/", image_file, NULL, false, NULL, NULL},
    {"/settle", settle_page, settle_form, false, "Settle", "settle"},
    {"/overruled", overruled_page, NULL, false, "Settled otherwise", "settle"},
    {"/agreement", agreement_page, NULL, false, "Agreement", "agreement"},
    {"/agreement/", agreement_page, NULL, false, "Agreement", "agreement"},
    {"/results", results_page, NULL, false, "Results", "results"},
    {"/results/", results_file, NULL, false, "Results", "results"},
    {"/benchmark", benchmark_page, NULL, false, "Benchmark", "benchmark"},
    {"/benchmark/", benchmark_page, NULL, false, "Benchmark", "benchmark"},
    {"/campaign", campaign_page, NULL, false, "Campaign", "campaign"},
    {"/campaign/findings", campaign_findings, NULL, false, "Findings", "campaign"},
    {"/campaign/", campaign_page, NULL, false, "Campaign", "campaign"},
    {"/codebook", codebook_page, code_change_form, false, NULL, NULL},
    {"/keys", keys_page, NULL, false, NULL, NULL},
    {"/api", api_page, NULL, true, NULL, NULL},
    {"/api/next", api_next, NULL, false, NULL, NULL},
    {"/api/posts/", api_post, NULL, false, NULL, NULL},
    {"/api/progress", api_progress, NULL, false, NULL, NULL},
    {"/api/codebook", api_codebook, NULL, false, NULL, NULL},
    {"/api/decide", NULL, api_decide, false, NULL, NULL},
    {"/api/screen", api_screen, api_screen_answer, false, NULL, NULL},
    {"/api/undo", NULL, api_undo, false, NULL, NULL},
    {"/api/quote", NULL, api_quote, false, NULL, NULL},
    {"/api/keys", NULL, api_keys, false, NULL, NULL},
    {"/api/threads", NULL, api_say, false, NULL, NULL},
    {"/api/threads/", api_thread, NULL, false, NULL, NULL},
};

/* The answer follows from the database and from who asks, and takes long. */
static bool is_kept(struct span path)
{
    return span_starts(path, SPAN("/agreement")) || span_starts(path, SPAN("/results"));
}

static void run(struct visit *v, const struct route *route, web_page *act)
{
    bool open = true;
    int64_t version = KEPT_NEVER;
    enum status status = ST_OK;

    if (is_kept(v->path) && kept_find(v, &version))
        return;
    if (!route->no_database && worker_take(v, &v->error) != ST_OK) {
        /* The database cannot be opened now; the file may come back, and descriptors and memory are given back. */
        AT_END(mem_end)
        char *why = mem_addf("The database cannot be read at the moment: %s. Nothing was saved.", v->error.text);
        log_error("%s", v->error.text);
        v->answer->retry = true;
        answer_refuse(v, 503, why);
        return;
    }
    if (route->title != NULL && act == route->get)
        status = settling_must_be_open(v, route->title, route->here, &open);
    if (act == route->post && v->wants_json && !api_body_read(v))
        open = false; /* answered */
    if (status == ST_OK && open)
        status = act(v);
    if (status != ST_OK)
        answer_fault(v, status);
    screening_give(v);
    worker_give(v);
    if (is_kept(v->path))
        kept_put(v, version);
}

static void dispatch(struct visit *v)
{
    const struct web_request *r = v->request;
    bool posts = span_eq(r->method, SPAN("POST"));
    const struct route *route = file_of(v->path) != NULL ? &files : NULL;

    for (size_t i = 0; i < ARRAY_LEN(routes) && route == NULL; i++) {
        struct span known = span_of(routes[i].path);
        bool folder = known.len > 1 && known.ptr[known.len - 1] == '/';
        if (folder ? span_starts(v->path, known) && v->path.len > known.len : span_eq(v->path, known))
            route = &routes[i];
    }
    web_page *act = route == NULL ? NULL : posts ? route->post : route->get;
    if (route == NULL)
        answer_refuse(v, 404, "There is no such page.");
    else if (act == NULL)
        answer_refuse(v, 405, posts ? "This page takes no POST." : "This address takes only POST.");
    else if (act == launch && !span_eq(r->method, SPAN("GET")))
        answer_refuse(v, 405, "Use GET for this link."); /* HEAD would use it up */
    else if (posts && !v->wants_json &&
             !(span_starts(r->content_type, SPAN("application/x-www-form-urlencoded")) &&
               fields_read(&v->form, r->body, &v->arena)))
        answer_refuse(v, 400, "The form is malformed.");
    else
        run(v, route, act);
}

void web_answer(struct web *w, const struct web_request *request, struct web_answer *answer)
{
    AT_END(mem_end) struct visit *v = mem_zero(1, sizeof *v);
    struct span target = request->target, query = {0};
    const char *why;

    v->web = w;
    v->request = request;
    v->answer = answer;
    v->out = &answer->body;
    v->path = target;
    size_t mark = span_find(target, SPAN("?"));
    if (mark != SIZE_MAX) {
        v->path.len = mark;
        query = (struct span){target.ptr + mark + 1, target.len - mark - 1};
    }
    v->wants_json = span_starts(v->path, SPAN("/api/"));
    unsigned code = guard_check(v, &why);
    if (code != 0)
        answer_refuse(v, code, why);
    else if (!fields_read(&v->query, query, &v->arena))
        answer_refuse(v, 400, "The address is malformed.");
    else
        dispatch(v);
    json_decref(v->keys);
    json_decref(v->body);
    arena_clear(&v->arena);
}

bool web_knows(struct web *w, const struct web_request *request)
{
    AT_END(mem_end) struct visit *v = mem_zero(1, sizeof *v);

    v->web = w;
    v->request = request;
    bool known = guard_find_session(v);
    arena_clear(&v->arena);
    return known;
}
