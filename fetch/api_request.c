/* The URL of each request to the API. */
#include "base/files.h"
#include "fetch/fetch.h"

#include <inttypes.h>
#include <time.h>
#include <zstd.h>

#define IDS "{ids}"

const char *api_method_name(enum api_method method)
{
    static const char *const names[API_METHODS] = {
        [API_FILTER_CREATE] = "/filters/create",
        [API_TAGS] = "/tags",
        [API_QUESTIONS] = "/questions",
        [API_QUESTIONS_BY_ID] = "/questions/" IDS,
        [API_QUESTION_ANSWERS] = "/questions/" IDS "/answers",
        [API_QUESTION_COMMENTS] = "/questions/" IDS "/comments",
        [API_ANSWER_COMMENTS] = "/answers/" IDS "/comments",
    };

    return names[method];
}

void api_request_write(const struct api_request *request, struct buf *out)
{
    struct span name = span_of(api_method_name(request->method));
    size_t at = span_find(name, SPAN(IDS));

    if (at != SIZE_MAX) {
        buf_add(out, name.ptr, at);
        buf_add_span(out, request->ids);
        name = span_after(name, at + sizeof IDS - 1);
    }
    buf_add_span(out, name);
    if (request->query.len > 0) {
        buf_add_char(out, '?');
        buf_add_span(out, request->query);
    }
}

static bool are_ids(struct span ids)
{
    struct span id;
    uint64_t number;

    if (ids.len == 0)
        return false;
    while (span_cut(&ids, ';', &id))
        if (!span_u64(id, POST_ID_MAX, &number) || number == 0)
            return false;
    return true;
}

static bool is_path_of(enum api_method method, struct span path, struct span *ids)
{
    struct span name = span_of(api_method_name(method));
    size_t at = span_find(name, SPAN(IDS));

    *ids = (struct span){0};
    if (at == SIZE_MAX)
        return span_eq(path, name);
    struct span before = {name.ptr, at}, behind = span_after(name, at + sizeof IDS - 1);
    if (path.len < before.len + behind.len || !span_starts(path, before))
        return false;
    *ids = (struct span){path.ptr + before.len, path.len - before.len - behind.len};
    return span_eq(span_after(path, before.len + ids->len), behind) && are_ids(*ids);
}

bool api_request_read(struct span text, struct api_request *out)
{
    struct span path;

    if (!span_cut(&text, '?', &path))
        return false;
    out->query = text;
    for (out->method = 0; out->method < API_METHODS; out->method++)
        if (is_path_of(out->method, path, &out->ids))
            return true;
    return false;
}

int64_t api_query_number(struct span query, const char *name)
{
    struct span part, key;
    int64_t number;

    while (span_cut(&query, '&', &part))
        if (span_cut(&part, '=', &key) && span_eq(key, span_of(name)) && span_i64(part, &number))
            return number;
    return POST_ABSENT;
}

void api_query_add(struct buf *query, const char *name, struct span value)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~;!*()";

    if (query->len > 0)
        buf_add_char(query, '&');
    buf_addf(query, "%s=", name);
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if (c != '\0' && strchr(plain, c) != NULL)
            buf_add_char(query, (char)c);
        else
            buf_addf(query, "%%%02X", (unsigned)c);
    }
}

void api_query_add_number(struct buf *query, const char *name, int64_t value)
{
    if (query->len > 0)
        buf_add_char(query, '&');
    buf_addf(query, "%s=%" PRId64, name, value);
}

/* --- keeping answers --- */

void api_pack(struct span bytes, struct buf *out)
{
    enum { LEVEL = 3 }; /* 100 questions of 400 KB: 60 KB in 3 ms */

    ZSTD_CCtx *context = ZSTD_createCCtx();

    if (context == NULL)
        mem_lacking(1);
    buf_reset(out);
    buf_reserve(out, ZSTD_compressBound(bytes.len));
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t len = ZSTD_compress2(context, out->ptr, out->capacity, bytes.ptr, bytes.len);
    ZSTD_freeCCtx(context);
    out->len = ZSTD_isError(len) ? 0 : len; /* cannot be, with room for the worst case */
}

/* An answer of the API is 1 MB at most, as posts end at 30,000 characters. */
#define UNPACKED_MAX ((size_t)256 << 20)

bool api_unpack(struct span packed, struct buf *out)
{
    unsigned long long len = ZSTD_getFrameContentSize(packed.ptr, packed.len);

    buf_reset(out);
    if (len > UNPACKED_MAX) /* also the values for "unknown" and "no such thing" */
        return false;
    buf_reserve(out, (size_t)len + 1);
    size_t got = ZSTD_decompress(out->ptr, out->capacity, packed.ptr, packed.len);
    if (ZSTD_isError(got) || got != len)
        return false;
    out->len = got;
    return true;
}

/* --- time --- */

#define YEAR_10000 INT64_C(253402300800)

bool api_time_text(int64_t seconds, char out[TIME_TEXT_SIZE])
{
    time_t time = (time_t)seconds;
    struct tm utc;

    if (seconds < 0 || seconds >= YEAR_10000 || gmtime_r(&time, &utc) == NULL)
        return false;
    return strftime(out, TIME_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S.000Z", &utc) == TIME_TEXT_SIZE - 1;
}

bool api_time_of(struct span text, int64_t *seconds)
{
    char date[TIME_TEXT_SIZE];
    struct tm utc = {0};

    if (!date_read(text, date) || strptime(date, "%Y-%m-%dT%H:%M:%S", &utc) == NULL)
        return false;
    *seconds = (int64_t)timegm(&utc);
    return *seconds >= 0;
}
