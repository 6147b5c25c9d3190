/* guard: which requests are answered at all, and for whom. */
#include <sys/random.h>

#include "base/log.h"
#include "web/site.h"

enum { TOKEN_BYTES = 32, TOKEN_DIGITS = 2 * TOKEN_BYTES };

/* --- secrets --- */

void guard_draw(struct buf *token, char sha256[65])
{
    unsigned char bytes[TOKEN_BYTES];

    /* Not interrupted, never short: so getrandom() says of up to 256 bytes. */
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        log_error("the system does not provide random numbers");
        abort();
    }
    buf_reset(token);
    for (size_t i = 0; i < sizeof bytes; i++)
        buf_addf(token, "%02x", bytes[i]);
    sha256_of(buf_span(token), sha256);
}

bool same_hash(const char *a, const char *b)
{
    unsigned differ = 0;

    for (size_t i = 0; i < 64; i++)
        differ |= (unsigned)(unsigned char)a[i] ^ (unsigned char)b[i];
    return differ == 0 && a[0] != '\0';
}

/* --- hosts --- */

static void add_host(struct web *w, const char *name, bool with_port)
{
    AT_END(buf_clear) struct buf host = {0};

    buf_addf(&host, strchr(name, ':') != NULL && name[0] != '[' && with_port ? "[%s]" : "%s", name);
    if (with_port)
        buf_addf(&host, ":%u", (unsigned)w->port);
    array_add(&w->hosts, arena_copy(&w->arena, buf_span(&host)));
}

void guard_open(struct web *w)
{
    static const char *const loopback[] = {"127.0.0.1", "localhost", "[::1]"};

    w->hosts.n = 0;
    for (size_t i = 0; i < ARRAY_LEN(loopback); i++)
        add_host(w, loopback[i], true);
    if (w->options.address != NULL)
        add_host(w, w->options.address, true);
    for (size_t i = 0; w->options.hosts != NULL && w->options.hosts[i] != NULL; i++)
        add_host(w, w->options.hosts[i], false);
}

/* The page that asks is at the host that the request names, by http or, at a proxy, https. */
static bool is_our_origin(const struct web_request *r)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
        if (span_starts(r->origin, span_of(schemes[i])) && span_eq(span_after(r->origin, strlen(schemes[i])), r->host))
            return true;
    return false;
}

/* Browsers send one of the two with every write, and scripts cannot forge them. Our policy no-referrer makes the origin
 * of our forms "null"; then Sec-Fetch-Site must say that it is ours. */
static bool is_from_our_page(const struct web_request *r)
{
    if (r->fetch_site.len == 0)
        return is_our_origin(r);
    return span_eq(r->fetch_site, SPAN("same-origin")) &&
           (r->origin.len == 0 || span_eq(r->origin, SPAN("null")) || is_our_origin(r));
}

/* --- sessions --- */

static void cookie_name(const struct web *w, char *out, size_t size)
{
    snprintf(out, size, "ppmine_%u", (unsigned)w->port);
}

/* Whose link it is; "": the launch link's. */
static bool know_coder(struct visit *v, const char link_sha256[65])
{
    struct web *w = v->web;

    if (link_sha256[0] != '\0')
        return w->team != NULL && team_find(w->team, link_sha256, &v->arena, &v->coder, &v->is_owner);
    v->coder = buf_span(&w->coder);
    v->is_owner = true;
    return true;
}

bool guard_find_session(struct visit *v)
{
    struct span rest = v->request->cookie, part, name, token = {0};
    char sha256[65], ours[24];
    bool found = false;

    cookie_name(v->web, ours, sizeof ours);
    while (token.ptr == NULL && span_cut(&rest, ';', &part)) {
        part = span_trim(part);
        if (span_cut(&part, '=', &name) && span_eq(name, span_of(ours)))
            token = part;
    }
    if (token.len != TOKEN_DIGITS)
        return false;
    sha256_of(token, sha256);
    pthread_mutex_lock(&v->web->lock);
    for (size_t i = 0; i < SESSIONS_MAX && !found; i++)
        if (same_hash(v->web->sessions[i].sha256, sha256) && v->web->sessions[i].user == v->request->user) {
            v->session = i;
            found = know_coder(v, v->web->sessions[i].link_sha256);
            if (!found) /* the link was revoked */
                v->web->sessions[i].sha256[0] = '\0';
        }
    pthread_mutex_unlock(&v->web->lock);
    return found;
}

static size_t count_sessions(const struct web *w, const char link_sha256[65])
{
    size_t n = 0;

    for (size_t i = 0; i < SESSIONS_MAX; i++)
        n += w->sessions[i].sha256[0] != '\0' && strcmp(w->sessions[i].link_sha256, link_sha256) == 0;
    return n;
}

static size_t oldest_session(const struct web *w, const char link_sha256[65])
{
    size_t oldest = SIZE_MAX;

    for (size_t i = 0; i < SESSIONS_MAX; i++)
        if (strcmp(w->sessions[i].link_sha256, link_sha256) == 0 &&
            (oldest == SIZE_MAX || w->sessions[i].began < w->sessions[oldest].began))
            oldest = i;
    return oldest;
}

/* The place of a new session of this link: its oldest one's when it has its share; else a free one; else the oldest of
 * the link with most. So nobody ends all sessions of the others. */
static size_t session_place(const struct web *w, const char link_sha256[65])
{
    size_t most = 0, greedy = 0;

    if (count_sessions(w, link_sha256) >= SESSIONS_OF_LINK)
        return oldest_session(w, link_sha256);
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        size_t n = count_sessions(w, w->sessions[i].link_sha256);
        if (w->sessions[i].sha256[0] == '\0')
            return i;
        greedy = n > most ? i : greedy;
        most = n > most ? n : most;
    }
    return oldest_session(w, w->sessions[greedy].link_sha256);
}

/* A launch link works once; that of a coder until it is revoked. */
bool guard_launch(struct visit *v, struct span token)
{
    struct web *w = v->web;
    AT_END(buf_clear) struct buf cookie = {0};
    char sha256[65], session_sha256[65], name[24];

    guard_draw(&cookie, session_sha256);
    sha256_of(token, sha256);
    pthread_mutex_lock(&w->lock);
    bool is_launch = token.len == TOKEN_DIGITS && same_hash(w->launch_sha256, sha256);
    bool right = is_launch || (token.len == TOKEN_DIGITS && know_coder(v, sha256));
    if (right) {
        struct session *s = &w->sessions[session_place(w, is_launch ? "" : sha256)];
        *s = (struct session){.began = ++w->n_sessions, .user = v->request->user};
        memcpy(s->sha256, session_sha256, sizeof s->sha256);
        if (!is_launch)
            memcpy(s->link_sha256, sha256, sizeof s->link_sha256);
        w->launch_sha256[0] = is_launch ? '\0' : w->launch_sha256[0];
    }
    pthread_mutex_unlock(&w->lock);
    if (right) {
        bool tls = span_eq(v->request->forwarded_proto, SPAN("https"));
        cookie_name(w, name, sizeof name);
        buf_addf(&v->answer->cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s", name, buf_cstr(&cookie),
                 tls ? "; Secure" : "");
    }
    return right;
}

/* --- all of it --- */

unsigned guard_check(struct visit *v, const char **why)
{
    static const char *const open[] = {"/launch", "/style.css", "/page.js", "/pick.js", "/icon.svg"};
    static const char *const methods[] = {"GET", "HEAD", "POST"};
    const struct web_request *r = v->request;
    bool ours = false;

    *why = "The request is malformed.";
    if (r->malformed || r->target.len == 0 || r->target.ptr[0] != '/')
        return 400;
    *why = "Only GET, HEAD and POST are answered.";
    if (!span_is_any(r->method, methods, ARRAY_LEN(methods)))
        return 405;
    *why = "The address is too long.";
    if (r->target.len > WEB_TARGET_MAX)
        return 414;
    *why = "The request is too large.";
    if (r->body.len > WEB_BODY_MAX)
        return 413;
    *why = "This server does not answer to this host name. Use the address that 'ppmine serve'"
           " printed; give the name of a proxy with --host.";
    for (size_t i = 0; i < v->web->hosts.n; i++)
        ours |= span_eq(v->web->hosts.at[i], r->host);
    if (!ours)
        return 403;
    *why = "Only pages of this server may change data. A program must send the header 'Origin'"
           " with this server's address.";
    if (span_eq(r->method, SPAN("POST")) && !is_from_our_page(r))
        return 403;
    *why = v->web->team != NULL ? "You have no session: the server was restarted, or your link was revoked. Open your"
                                  " link again."
                                : "You have no session, or the server was restarted. Open the link that 'ppmine serve'"
                                  " printed.";
    if (!guard_find_session(v) && !span_is_any(v->path, open, ARRAY_LEN(open)))
        return 401;
    return 0;
}
