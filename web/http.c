/* http: libmicrohttpd before web_answer: a thread for each connection, so that nobody waits for a slow one. */
#include <arpa/inet.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <microhttpd.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/files.h"
#include "web/site.h"

enum { THREAD_STACK = 1 << 20, HEADER_MEMORY = 48 * 1024, PAGE_MEMORY = 64 << 20 };

struct connection {
    uint64_t from;  /* the address: of IPv6 its network */
    double started; /* of the request that is on its way; 0: none is */
    double seen;    /* when it came, or a request of it began or ended */
    int64_t user;   /* of peer.h */
    int fd;         /* -1: free */
    bool known;     /* a session came by it */
    bool whole;     /* the head of the request that is on its way is */
    bool ended;     /* by us; its thread will notice */
};

struct server {
    struct MHD_Daemon *daemon;
    pthread_mutex_t lock;
    struct connection connections[WEB_CONNECTIONS_MAX];
};

/* A request that comes in. */
struct coming {
    struct span target;
    uintptr_t target_at; /* where libmicrohttpd has it */
    struct buf body;
    bool begun, too_large;
    struct arena arena;
};

enum noted { REQUEST_BEGINS, HEAD_CAME, REQUEST_ENDS };

/* --- connections --- */

static uint64_t address_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *at = info != NULL ? info->client_addr : NULL;
    uint64_t network = 0;

    if (at != NULL && at->sa_family == AF_INET)
        network = ((const struct sockaddr_in *)at)->sin_addr.s_addr;
    else if (at != NULL && at->sa_family == AF_INET6)
        memcpy(&network, &((const struct sockaddr_in6 *)at)->sin6_addr, sizeof network);
    return network;
}

/* That on_connection gave it; NULL: none. */
static struct connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info != NULL ? info->socket_context : NULL;
}

/* A request of it begins, its head came whole, or it ended. */
static void note(struct server *s, struct connection *c, enum noted what, bool known)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&s->lock);
    c->whole = what == HEAD_CAME;
    if (what == HEAD_CAME) {
        c->known = known;
    } else {
        c->seen = time_monotonic();
        c->started = what == REQUEST_BEGINS ? c->seen : 0;
    }
    pthread_mutex_unlock(&s->lock);
}

/* Of the connections without a session, one of the address (perhaps a proxy's) with most of them, the longest waiting.
 * A session's connection goes only when all have one, and between requests. NULL: all are at work. */
static struct connection *find_least(struct server *s)
{
    struct connection *least = NULL;
    size_t most = 0;

    for (size_t i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        struct connection *c = &s->connections[i];
        size_t n = 0; /* without a session, of its address */
        if (c->fd < 0 || c->ended || (c->known && c->started > 0))
            continue;
        for (size_t k = 0; k < WEB_CONNECTIONS_MAX && !c->known; k++) {
            const struct connection *other = &s->connections[k];
            n += other->fd >= 0 && !other->ended && !other->known && other->from == c->from;
        }
        if (least == NULL || n > most || (n == most && c->seen < least->seen)) {
            least = c;
            most = n;
        }
    }
    return least;
}

static void end_connection(struct connection *c)
{
    c->ended = true;
    shutdown(c->fd, SHUT_RDWR);
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **socket_context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct server *s = ctx;
    struct connection *c = *socket_context, *least = NULL;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    double now = time_monotonic();
    int fd = info != NULL ? info->connect_fd : -1;
    bool comes = what == MHD_CONNECTION_NOTIFY_STARTED;
    int64_t user = comes ? peer_user(fd) : PEER_ELSEWHERE;
    size_t n = 0;

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; comes && i < WEB_CONNECTIONS_MAX && c == NULL; i++)
        c = s->connections[i].fd < 0 ? &s->connections[i] : NULL;
    /* A first request has begun with the connection: its head must come soon. */
    if (c != NULL)
        *c = comes ? (struct connection){.fd = fd,
                                         .from = address_of(connection),
                                         .started = now,
                                         .seen = now,
                                         .user = user}
                   : (struct connection){.fd = -1};
    for (size_t i = 0; i < WEB_CONNECTIONS_MAX; i++)
        n += s->connections[i].fd >= 0 && !s->connections[i].ended;
    /* When few places are left, the least one is ended, so that the next connection finds one. */
    if (comes && n > WEB_CONNECTIONS_MAX - WEB_CONNECTIONS_SPARE)
        least = find_least(s);
    if (least != NULL)
        end_connection(least);
    *socket_context = comes ? c : NULL;
    pthread_mutex_unlock(&s->lock);
}

void web_watch(struct web *w)
{
    struct server *s = w->server;
    double now = time_monotonic();

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < WEB_CONNECTIONS_MAX; i++) {
        struct connection *c = &s->connections[i];
        int most = c->whole ? WEB_SECONDS_MAX : WEB_HEAD_SECONDS;
        if (c->fd >= 0 && !c->ended && c->started > 0 && now - c->started > most)
            end_connection(c);
    }
    pthread_mutex_unlock(&s->lock);
    checkpoint_run(w);
}

/* --- whether the head of a request is whole, and reads the same for us as for a proxy before us --- */

enum { HEAD_BLANKS_MAX = 16 }; /* between a colon and the value */

/* The first line as libmicrohttpd has it in its memory. */
struct head_line {
    const char *method, *version;
    uintptr_t target; /* where it was before it was decoded */
    size_t target_size;
};

/* libmicrohttpd 0.9 skips a NUL and what follows, drops folded lines, and accepts a lone LF as a line end and a blank
 * before a colon as part of the name. It cuts the head in place, so each piece must begin where the last one ended, and
 * the last must end with the head. From 1.0 on it refuses all of this, and its pieces have any layout. */
static bool lies_in_place(void)
{
    return strncmp(MHD_get_version(), "0.9.", 4) == 0;
}

struct reading {
    uintptr_t next; /* where the next piece must begin */
    bool right, chunked;
    unsigned n_lengths, n_encodings;
};

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_of(const char *text, size_t size, const char *allowed)
{
    return size > 0 && strspn(text, allowed) == size;
}

static bool is_value(const char *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)value[i] < ' ' && value[i] != '\t') || value[i] == 0x7F)
            return false;
    return true;
}

static bool is_called(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && strncasecmp(name, wanted, size) == 0;
}

static enum MHD_Result take_line(void *ctx, enum MHD_ValueKind kind, const char *name, size_t name_size,
                                 const char *value, size_t value_size)
{
    struct reading *r = ctx;
    uintptr_t after_colon = (uintptr_t)name + name_size + 1;

    (void)kind;
    if (value == NULL)
        value = "", value_size = 0;
    r->right &= is_of(name, name_size, LETTERS DIGITS "!#$%&'*+-.^_`|~") && is_value(value, value_size);
    if (lies_in_place())
        r->right &= (uintptr_t)name == r->next && (uintptr_t)value >= after_colon &&
                    (uintptr_t)value - after_colon <= HEAD_BLANKS_MAX;
    r->next = (uintptr_t)value + value_size + strlen("\r\n");
    if (is_called(name, name_size, "Content-Length")) {
        r->n_lengths++;
        r->right &= is_of(value, value_size, DIGITS);
    } else if (is_called(name, name_size, "Transfer-Encoding")) {
        r->n_encodings++;
        r->chunked = is_called(value, value_size, "chunked");
    }
    return MHD_YES;
}

/* One length, or chunks by a client that can know them: a second opinion is how requests are smuggled. */
static bool says_one_length(const struct reading *r, const char *version)
{
    if (r->n_encodings == 0)
        return r->n_lengths <= 1;
    return r->n_encodings == 1 && r->n_lengths == 0 && r->chunked && strcmp(version, "HTTP/1.1") == 0;
}

/* False: a forbidden control character or blank, a folded line, two lengths, a length and chunks, or a version other
 * than HTTP/1.0 and 1.1. For use before the body is read. */
static bool MUST_USE head_is_right(struct MHD_Connection *connection, const struct head_line *line)
{
    struct reading r = {.next = (uintptr_t)line->version + strlen(line->version) + strlen("\r\n"), .right = true};
    const union MHD_ConnectionInfo *size = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);

    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_line, &r);
    if (lies_in_place())
        r.right &= line->target == (uintptr_t)line->method + strlen(line->method) + 1 &&
                   (uintptr_t)line->version == line->target + line->target_size + 1 && size != NULL &&
                   r.next + strlen("\r\n") == (uintptr_t)line->method + size->header_size;
    return r.right && says_one_length(&r, line->version) &&
           (strcmp(line->version, "HTTP/1.1") == 0 || strcmp(line->version, "HTTP/1.0") == 0);
}

/* --- a request --- */

static void *on_target(void *ctx, const char *target, struct MHD_Connection *connection)
{
    struct web *w = ctx;
    struct coming *c = mem_zero(1, sizeof *c);

    note(w->server, connection_of(connection), REQUEST_BEGINS, false);
    c->target_at = (uintptr_t)target;
    c->target = arena_copy(&c->arena, span_of(target));
    return c;
}

static void on_end(void *ctx, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode why)
{
    struct web *w = ctx;
    struct coming *c = *request;

    (void)why;
    note(w->server, connection_of(connection), REQUEST_ENDS, false);
    if (c == NULL)
        return;
    buf_clear(&c->body);
    arena_clear(&c->arena);
    mem_free(c);
    *request = NULL;
}

static enum MHD_Result take_header(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct web_request *r = ctx;
    const struct {
        const char *name;
        struct span *to;
    } wanted[] = {
        {"Host", &r->host},
        {"Origin", &r->origin},
        {"Sec-Fetch-Site", &r->fetch_site},
        {"Cookie", &r->cookie},
        {"Accept", &r->accept},
        {"Content-Type", &r->content_type},
        {"X-Forwarded-Proto", &r->forwarded_proto},
    };

    (void)kind;
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
        if (strcasecmp(name, wanted[i].name) == 0) {
            r->malformed |= wanted[i].to->ptr != NULL;
            *wanted[i].to = span_of(value != NULL ? value : "");
        }
    return MHD_YES;
}

static enum MHD_Result answer_request(struct web *w, struct MHD_Connection *connection,
                                      const struct web_request *request)
{
    AT_END(web_answer_clear) struct web_answer answer = {0};

    web_answer(w, request, &answer);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer.body.len, answer.body.ptr != NULL ? answer.body.ptr : "", MHD_RESPMEM_MUST_COPY);

    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; web_headers[i][0] != NULL; i++)
        MHD_add_response_header(response, web_headers[i][0], web_headers[i][1]);
    MHD_add_response_header(response, "Content-Type", answer.type);
    if (answer.location.len > 0)
        MHD_add_response_header(response, "Location", buf_cstr(&answer.location));
    if (answer.cookie.len > 0)
        MHD_add_response_header(response, "Set-Cookie", buf_cstr(&answer.cookie));
    MHD_add_response_header(response, "Cache-Control", answer.keep ? "private, max-age=86400" : "no-store");
    if (answer.save)
        MHD_add_response_header(response, "Content-Disposition", "attachment");
    if (answer.refresh)
        MHD_add_response_header(response, "Refresh", "2");
    if (answer.retry)
        MHD_add_response_header(response, "Retry-After", "1");
    if (answer.code == 400) /* what follows may be part of it */
        MHD_add_response_header(response, "Connection", "close");
    if (answer.code == 405)
        MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
    enum MHD_Result result = MHD_queue_response(connection, answer.code, response);
    MHD_destroy_response(response);
    return result;
}

/* Called with the head, then for each part of the body, then at its end. */
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *size, void **request)
{
    struct web *w = ctx;
    struct coming *c = *request;
    struct web_request r = {.method = span_of(method)};

    (void)url;
    if (c == NULL)
        return MHD_NO;
    c->too_large |= *size > WEB_BODY_MAX - c->body.len;
    if (!c->too_large)
        buf_add(&c->body, data, *size);
    bool more = *size > 0, begins = !c->begun;
    *size = 0;
    c->begun = true;
    if (more && !begins)
        return MHD_YES;
    r.target = c->target;
    r.user = connection_of(connection) != NULL ? connection_of(connection)->user : PEER_ELSEWHERE;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &r);
    if (begins) {
        const struct head_line line = {method, version, c->target_at, c->target.len};
        r.malformed |= !head_is_right(connection, &line);
        if (r.malformed) /* a head with two meanings is refused, and nothing after it is read */
            return answer_request(w, connection, &r);
        note(w->server, connection_of(connection), HEAD_CAME, web_knows(w, &r));
        return MHD_YES;
    }
    r.body = buf_span(&c->body);
    if (c->too_large)
        r.body.len = WEB_BODY_MAX + 1; /* the guard refuses it, and reads none of it */
    return answer_request(w, connection, &r);
}

/* --- listening --- */

static bool MUST_USE read_address(const char *text, uint16_t port, struct sockaddr_storage *out)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)out;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;

    *out = (struct sockaddr_storage){0};
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        return true;
    }
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    return inet_pton(AF_INET6, text, &v6->sin6_addr) == 1;
}

/* A socket that listens there, or -1. */
static int MUST_USE listen_at(const struct sockaddr_storage *at)
{
    int on = 1, fd = socket(at->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t size = at->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);

    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (at->ss_family != AF_INET6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
        bind(fd, (const struct sockaddr *)at, size) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    close(fd);
    return -1;
}

/* The daemon owns the socket from now on, even if it does not start. */
static struct MHD_Daemon *start(struct web *w, int fd)
{
    return MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, on_request,
                            w, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)WEB_CONNECTIONS_MAX,
                            MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)WEB_IDLE_SECONDS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_MEMORY, MHD_OPTION_THREAD_STACK_SIZE,
                            (size_t)THREAD_STACK, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK,
                            on_target, w, MHD_OPTION_NOTIFY_COMPLETED, on_end, w, MHD_OPTION_NOTIFY_CONNECTION,
                            on_connection, w->server, MHD_OPTION_END);
}

/* Keeps memory for the next page of figures: to return it and get it again takes a tenth of the page's time. As many
 * arenas as pages are made at once. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, WORKERS_MAX);
    mallopt(M_MMAP_THRESHOLD, PAGE_MEMORY / 2);
    mallopt(M_TRIM_THRESHOLD, PAGE_MEMORY);
#endif
}

enum status web_listen(struct web *w, struct err *e)
{
    const char *address = w->options.address != NULL ? w->options.address : "127.0.0.1";
    struct sockaddr_storage at;

    if (!read_address(address, w->options.port, &at))
        return err_set(e, ST_USAGE, "'%s' is not an IP address", address);
    w->server = mem_zero(1, sizeof *w->server);
    pthread_mutex_init(&w->server->lock, NULL);
    for (size_t i = 0; i < WEB_CONNECTIONS_MAX; i++)
        w->server->connections[i].fd = -1;
    keep_memory();
    int fd = listen_at(&at);
    if (fd < 0)
        return err_set(e, ST_IO, "cannot listen on %s port %u; is it taken? Give another --port", address,
                       (unsigned)w->options.port);
    /* The system chose a port for port 0. It is set before the first request, which reads it in another thread. */
    socklen_t size = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &size) == 0)
        web_set_port(w, ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                                       : ((struct sockaddr_in *)&at)->sin_port));
    w->server->daemon = start(w, fd);
    return w->server->daemon != NULL ? ST_OK : err_set(e, ST_IO, "cannot start a thread");
}

void server_stop(struct web *w)
{
    if (w->server == NULL)
        return;
    if (w->server->daemon != NULL)
        MHD_stop_daemon(w->server->daemon);
    pthread_mutex_destroy(&w->server->lock);
    mem_free(w->server);
    w->server = NULL;
}
