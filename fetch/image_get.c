/* image_get: asks strangers' servers for images, with libcurl, and no server but those of the internet. */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/signals.h"
#include "fetch/image.h"

/* clang-format off */
enum { CONNECT_SECONDS = 15, TOTAL_SECONDS = 60, SLOW_SECONDS = 20, SLOW_BYTES = 100,
       REDIRECTS_MAX = 5, RETRY_AFTER_MAX = 86400 };
/* clang-format on */

struct image_client {
    CURL *curl;
    struct sockaddr_in test_server; /* sin_port 0: none */
    struct buf bytes;
    bool refused_address, too_large;
    char words[64];
};

/* --- which addresses --- */

struct range {
    unsigned char start[16];
    unsigned bits;
};

/* IANA's registry of special addresses, those that are not of a server of the internet. */
/* clang-format off */
static const struct range special_v4[] = {
    {{0}, 8},             {{10}, 8},            {{100, 64}, 10},    {{127}, 8},
    {{169, 254}, 16},     {{172, 16}, 12},      {{192, 0, 0}, 24},  {{192, 0, 2}, 24},
    {{192, 88, 99}, 24},  {{192, 168}, 16},     {{198, 18}, 15},    {{198, 51, 100}, 24},
    {{203, 0, 113}, 24},  {{224}, 4},           {{240}, 4},
};
/* clang-format on */
/* Within 2000::/3, the only public range: IETF's own, documentation, and 6to4, which hides an address of version 4. */
static const struct range special_v6[] = {
    {{0x20, 0x01, 0x00}, 23},
    {{0x20, 0x01, 0x0d, 0xb8}, 32},
    {{0x20, 0x02}, 16},
    {{0x3f, 0xff, 0x00}, 20},
};
static const struct range public_v6 = {{0x20}, 3};
/* What a network with version 6 alone makes of an address of version 4. */
static const struct range nat64 = {{0x00, 0x64, 0xff, 0x9b}, 96};

static bool is_in(const unsigned char *address, const struct range *r)
{
    for (unsigned bit = 0; bit < r->bits; bit += 8) {
        unsigned rest = r->bits - bit;
        unsigned char mask = rest >= 8 ? 0xff : (unsigned char)(0xff00U >> rest);
        if (((address[bit / 8] ^ r->start[bit / 8]) & mask) != 0)
            return false;
    }
    return true;
}

static bool is_special(const unsigned char *address, const struct range *ranges, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_in(address, &ranges[i]))
            return true;
    return false;
}

static bool is_public(const struct sockaddr *address)
{
    const unsigned char *bytes;

    if (address->sa_family == AF_INET) {
        bytes = (const unsigned char *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;
        return !is_special(bytes, special_v4, ARRAY_LEN(special_v4));
    }
    if (address->sa_family != AF_INET6)
        return false;
    bytes = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr;
    if (is_in(bytes, &nat64))
        return !is_special(bytes + 12, special_v4, ARRAY_LEN(special_v4));
    return is_in(bytes, &public_v6) && !is_special(bytes, special_v6, ARRAY_LEN(special_v6));
}

static uint16_t port_of(const struct sockaddr *address)
{
    return ntohs(address->sa_family == AF_INET6 ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_port
                                                : ((const struct sockaddr_in *)(const void *)address)->sin_port);
}

bool image_may_ask(const struct sockaddr *address)
{
    return is_public(address) && (port_of(address) == 80 || port_of(address) == 443);
}

/* Called with the address of each connection, so neither a name that changes its address nor a redirect evades it. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct image_client *c = ctx;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)&address->addr, *test = &c->test_server;
    bool is_test = test->sin_port != 0 && v4->sin_family == AF_INET && v4->sin_port == test->sin_port &&
                   v4->sin_addr.s_addr == test->sin_addr.s_addr;

    (void)purpose;
    if (!is_test && !image_may_ask(&address->addr)) {
        c->refused_address = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* --- the exchange --- */

static size_t on_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
    struct image_client *c = ctx;

    c->too_large = c->bytes.len + size * n > (size_t)IMAGE_BYTES_MAX;
    if (c->too_large)
        return 0;
    buf_add(&c->bytes, bytes, size * n);
    return size * n;
}

static int on_progress(void *ctx, curl_off_t a, curl_off_t b, curl_off_t now, curl_off_t d)
{
    (void)ctx, (void)a, (void)b, (void)now, (void)d;
    return signals_stop_asked();
}

static bool may_pass(CURLcode rc)
{
    static const CURLcode passing[] = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,  CURLE_OPERATION_TIMEDOUT,
                                       CURLE_GOT_NOTHING,          CURLE_SEND_ERROR,       CURLE_RECV_ERROR,
                                       CURLE_PARTIAL_FILE,         CURLE_SSL_CONNECT_ERROR};
    size_t i = 0;

    while (i < ARRAY_LEN(passing) && passing[i] != rc)
        i++;
    return i < ARRAY_LEN(passing);
}

void image_get(struct image_client *c, const char *url, struct image_reply *reply)
{
    curl_off_t retry_after = 0;
    long code = 0;

    *reply = (struct image_reply){0};
    buf_reset(&c->bytes);
    c->refused_address = c->too_large = false;
    curl_easy_setopt(c->curl, CURLOPT_URL, url); /* copied */
    CURLcode rc = curl_easy_perform(c->curl);
    curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &code);
    if (rc != CURLE_OK) {
        if (c->refused_address) {
            reply->failed = "not a public address, or not port 80 or 443";
        } else if (c->too_large || rc == CURLE_FILESIZE_EXCEEDED) {
            reply->failed = "larger than 4 MiB";
        } else {
            reply->failed = curl_easy_strerror(rc); /* static, without the URL */
            reply->may_pass = may_pass(rc);
            reply->unanswered = rc == CURLE_COULDNT_RESOLVE_HOST || rc == CURLE_COULDNT_CONNECT ||
                                rc == CURLE_OPERATION_TIMEDOUT;
        }
    } else if (code != 200) {
        curl_easy_getinfo(c->curl, CURLINFO_RETRY_AFTER, &retry_after);
        snprintf(c->words, sizeof c->words, "HTTP %ld", code);
        reply->failed = c->words;
        reply->asks_to_wait = code == 429 || code == 503;
        reply->may_pass = code == 408 || code == 425 || code == 429 || code >= 500;
        reply->retry_after = retry_after < 0 ? 0 : retry_after < RETRY_AFTER_MAX ? (long)retry_after : RETRY_AFTER_MAX;
    } else if (image_look(buf_span(&c->bytes), &reply->look, &reply->failed)) {
        reply->bytes = buf_span(&c->bytes);
    }
}

/* --- setting up --- */

static void set_options(struct image_client *c)
{
    CURL *curl = c->curl;

    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)REDIRECTS_MAX);
    /* A proxy would look names up itself, so that nobody could say which address is asked. */
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, c);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "ppmine/" PPMINE_VERSION);
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)IMAGE_BYTES_MAX);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TOTAL_SECONDS);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
}

static bool MUST_USE read_test_server(struct sockaddr_in *out, const char *text)
{
    struct span rest = span_of(text), host;
    char address[INET_ADDRSTRLEN];
    uint64_t port;

    if (!span_cut(&rest, ':', &host) || host.len >= sizeof address || !span_u64(rest, UINT16_MAX, &port) || port == 0)
        return false;
    snprintf(address, sizeof address, "%.*s", SPAN_ARG(host));
    *out = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return inet_pton(AF_INET, address, &out->sin_addr) == 1;
}

enum status image_client_open(struct image_client **out, const char *test_server, struct err *e)
{
    static bool is_set_up;
    struct image_client *c = mem_zero(1, sizeof *c);

    *out = NULL;
    if (test_server != NULL && !read_test_server(&c->test_server, test_server)) {
        mem_free(c);
        return err_set(e, ST_USAGE, "'%s' is not an address and a port, as 127.0.0.1:8420 is", test_server);
    }
    if (!is_set_up)
        curl_global_init(CURL_GLOBAL_DEFAULT);
    is_set_up = true;
    c->curl = curl_easy_init();
    if (c->curl == NULL) {
        mem_free(c);
        return err_set(e, ST_IO, "libcurl cannot be set up");
    }
    set_options(c);
    *out = c;
    return ST_OK;
}

void image_client_close(struct image_client *c)
{
    if (c == NULL)
        return;
    curl_easy_cleanup(c->curl);
    buf_clear(&c->bytes);
    mem_free(c);
}
