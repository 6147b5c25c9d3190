/* Sends a request to the API with libcurl, on a thread of its own. */
#define ZLIB_CONST
#include "fetch/api_http.h"

#include "base/signals.h"

#include <curl/curl.h>
#include <errno.h>
#include <time.h>
#include <zlib.h>

/* clang-format off */
enum { CONNECT_SECONDS = 30, TOTAL_SECONDS = 300, POST_SECONDS = 600, SLOW_SECONDS = 60, SLOW_BYTES = 10,
       RETRY_AFTER_MAX = 86400, STOP_CHECK_NS = 50000000, NS_PER_SECOND = 1000000000 };
/* clang-format on */

struct http {
    CURL *curl;
    struct curl_slist *headers, *once; /* of all requests; of the one that http_ask sends */
    pthread_t thread;
    bool busy;
    double delay;
    /* Of the thread while busy: */
    struct buf raw, body;
    bool too_large;
    struct http_reply reply;

    struct buf previous_body;
};

/* --- decompression --- */

/* Of a stream in the format of window_bits; ignores bytes after its end, which servers and proxies leave there. */
static const char *inflate_all(struct span raw, int window_bits, struct buf *out)
{
    z_stream z = {.next_in = (z_const Bytef *)raw.ptr, .avail_in = (uInt)raw.len};
    int rc = inflateInit2(&z, window_bits);

    while (rc == Z_OK) {
        buf_reserve(out, raw.len < 4096 ? 16384 : raw.len * 4);
        z.next_out = (Bytef *)out->ptr + out->len;
        z.avail_out = (uInt)(out->capacity - out->len);
        rc = inflate(&z, Z_NO_FLUSH);
        out->len = out->capacity - z.avail_out;
        if (out->len > HTTP_BODY_MAX)
            rc = Z_MEM_ERROR;
        if (rc == Z_BUF_ERROR && z.avail_out == 0)
            rc = Z_OK;
    }
    inflateEnd(&z);
    return rc == Z_STREAM_END  ? NULL
           : rc == Z_MEM_ERROR ? "larger than any answer of the API"
           : rc == Z_BUF_ERROR ? "cut off"
                               : "damaged on the way";
}

bool http_decode(struct span raw, bool said_deflate, struct buf *out, const char **why)
{
    enum { GZIP = 15 + 16, ZLIB = 15, RAW = -15 };
    unsigned first = raw.len > 1 ? (unsigned char)raw.ptr[0] : 0;
    unsigned second = raw.len > 1 ? (unsigned char)raw.ptr[1] : 0;
    int format = first == 0x1f && second == 0x8b                          ? GZIP
                 : (first & 0x0f) == 8 && (first << 8 | second) % 31 == 0 ? ZLIB
                 : said_deflate                                           ? RAW
                                                                          : 0;

    buf_reset(out);
    *why = NULL;
    if (format == 0)
        buf_add_span(out, raw);
    else
        *why = inflate_all(raw, format, out);
    return *why == NULL;
}

/* --- the exchange --- */

static size_t on_bytes(char *bytes, size_t size, size_t n, void *ctx)
{
    struct http *h = ctx;

    h->too_large = h->raw.len + size * n > HTTP_BODY_MAX;
    if (h->too_large)
        return 0;
    buf_add(&h->raw, bytes, size * n);
    return size * n;
}

static int on_progress(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)ctx, (void)a, (void)b, (void)c, (void)d;
    return signals_stop_asked();
}

static void *exchange(void *ctx)
{
    struct http *h = ctx;
    curl_off_t retry_after = 0;

    struct timespec time = {(time_t)h->delay, (long)((h->delay - (double)(time_t)h->delay) * 1e9)};
    if (h->delay > 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    CURLcode rc = curl_easy_perform(h->curl);
    curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &h->reply.code);
    curl_easy_getinfo(h->curl, CURLINFO_RETRY_AFTER, &retry_after);
    /* libcurl takes any number, and dates of any year. */
    h->reply.retry_after = retry_after < 0 ? 0 : retry_after < RETRY_AFTER_MAX ? (long)retry_after : RETRY_AFTER_MAX;
    if (rc != CURLE_OK) {
        /* curl_easy_strerror has words for each, none of which holds a URL. */
        h->reply.is_final = rc == CURLE_PEER_FAILED_VERIFICATION || rc == CURLE_SSL_CACERT_BADFILE ||
                            rc == CURLE_URL_MALFORMAT || rc == CURLE_UNSUPPORTED_PROTOCOL;
        h->reply.failed = h->too_large ? "larger than any answer of the API" : curl_easy_strerror(rc);
    } else {
        bool said_deflate = span_eq(http_header(h, "Content-Encoding"), SPAN("deflate"));
        if (http_decode(buf_span(&h->raw), said_deflate, &h->body, &h->reply.failed))
            h->reply.body = buf_span(&h->body);
    }
    return NULL;
}

void http_start(struct http *h, const char *url, double delay)
{
    struct buf swapped = h->previous_body;

    h->previous_body = h->body;
    h->body = swapped;
    h->reply = (struct http_reply){0};
    buf_reset(&h->raw);
    buf_reset(&h->body);
    h->too_large = false;
    h->delay = delay;
    curl_easy_setopt(h->curl, CURLOPT_URL, url); /* copied */
    h->busy = true;
    if (pthread_create(&h->thread, NULL, exchange, h) != 0) {
        h->busy = false;
        h->reply.failed = "no thread can be made";
    }
}

void http_post(struct http *h, const char *url, struct span json, double delay)
{
    /* Where a connection that is used again is gone, libcurl would send once more by itself: paid twice. */
    curl_easy_setopt(h->curl, CURLOPT_FORBID_REUSE, 1L);
    /* An answer that is being thought of sends no bytes. */
    curl_easy_setopt(h->curl, CURLOPT_LOW_SPEED_TIME, 0L);
    curl_easy_setopt(h->curl, CURLOPT_TIMEOUT, (long)POST_SECONDS);
    http_ask(h, url, (struct span){0}, json, delay);
}

void http_ask(struct http *h, const char *url, struct span etag, struct span json, double delay)
{
    curl_slist_free_all(h->once);
    h->once = NULL;
    for (const struct curl_slist *line = h->headers; line != NULL; line = line->next)
        h->once = curl_slist_append(h->once, line->data);
    AT_END(mem_end) char *condition = mem_addf("If-None-Match: %.*s", (int)etag.len, etag.len > 0 ? etag.ptr : "");
    if (etag.len > 0)
        h->once = curl_slist_append(h->once, condition);
    curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->once);
    curl_easy_setopt(h->curl, CURLOPT_HTTPGET, 1L);
    if (json.ptr != NULL) {
        curl_easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)json.len);
        curl_easy_setopt(h->curl, CURLOPT_POSTFIELDS, json.ptr);
        curl_easy_setopt(h->curl, CURLOPT_POST, 1L);
    }
    http_start(h, url, delay);
}

struct span http_header(struct http *h, const char *name)
{
    struct curl_header *header = NULL;

    return curl_easy_header(h->curl, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? span_of(header->value)
                                                                                      : (struct span){0};
}

void http_finish(struct http *h, struct http_reply *reply)
{
    struct timespec until;

    while (h->busy) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += STOP_CHECK_NS;
        until.tv_sec += until.tv_nsec / NS_PER_SECOND;
        until.tv_nsec %= NS_PER_SECOND;
        h->busy = pthread_timedjoin_np(h->thread, NULL, &until) == ETIMEDOUT;
        if (h->busy && signals_stop_asked())
            signals_wake(h->thread); /* libcurl looks at on_progress once a second by itself */
    }
    *reply = h->reply;
}

bool http_is_done(struct http *h)
{
    if (h->busy && pthread_tryjoin_np(h->thread, NULL) == 0)
        h->busy = false;
    if (h->busy && signals_stop_asked())
        signals_wake(h->thread);
    return !h->busy;
}

bool http_is_busy(const struct http *h)
{
    return h->busy;
}

/* --- setting up --- */

bool http_is_local(struct span url)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
    struct span scheme = SPAN("http://");

    if (!span_starts(url, scheme))
        return false;
    url = span_after(url, scheme.len);
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        size_t len = strlen(hosts[i]);
        if (span_starts(url, span_of(hosts[i])) && (url.len == len || url.ptr[len] == ':' || url.ptr[len] == '/'))
            return memchr(url.ptr, '@', url.len) == NULL; /* "http://localhost:x@elsewhere" */
    }
    return false;
}

static void set_options(struct http *h, bool local)
{
    CURL *c = h->curl;

    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, local ? "http" : "https");
    if (local) /* what is meant for this machine does not go through another one */
        curl_easy_setopt(c, CURLOPT_PROXY, "");
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L); /* the key is for one host */
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_USERAGENT, "ppmine/" PPMINE_VERSION);
    /* Decompressed here and not in libcurl, which takes a stream that is cut off for a whole one. */
    curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
    curl_easy_setopt(c, CURLOPT_HTTP_CONTENT_DECODING, 0L);
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)TOTAL_SECONDS);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
    curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_bytes);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, h);
    curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, h->headers);
}

enum status http_open(struct http **out, bool local, const char *secret, struct err *e)
{
    static bool is_set_up;
    struct http *h = mem_zero(1, sizeof *h);
    AT_END(buf_clear) struct buf header = {0};

    *out = NULL;
    if (!is_set_up)
        curl_global_init(CURL_GLOBAL_DEFAULT);
    is_set_up = true;
    h->curl = curl_easy_init();
    h->headers = curl_slist_append(NULL, "Accept: application/json");
    h->headers = curl_slist_append(h->headers, "Content-Type: application/json"); /* of http_post */
    h->headers = curl_slist_append(h->headers, "Expect:");                        /* no question before a long body */
    if (secret != NULL) {
        buf_addf(&header, "Authorization: Bearer %s", secret);
        h->headers = curl_slist_append(h->headers, buf_cstr(&header));
        memset(header.ptr, 0, header.len);
    }
    if (h->curl == NULL) {
        http_close(h);
        return err_set(e, ST_IO, "libcurl cannot be set up");
    }
    set_options(h, local);
    *out = h;
    return ST_OK;
}

void http_close(struct http *h)
{
    struct http_reply ignored;

    if (h == NULL)
        return;
    http_finish(h, &ignored);
    curl_easy_cleanup(h->curl);
    curl_slist_free_all(h->headers);
    curl_slist_free_all(h->once);
    buf_clear(&h->raw);
    buf_clear(&h->body);
    buf_clear(&h->previous_body);
    mem_free(h);
}
