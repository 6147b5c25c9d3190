/* Unpacks gzip, xz, bzip2 and zstd, one stream after another. */
#include "fetch/unpack.h"

#include <bzlib.h>
#include <limits.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { ZSTD_WINDOW_LOG_MAX = 27, XZ_PADDING = 4 };

enum step { STEP_MORE, STEP_END, STEP_DAMAGED, STEP_MEMORY };

struct form {
    const char *name, *unpack; /* the command that unpacks it */
    struct span magic;
    bool is_padded; /* zeros between streams and after them, in multiples of XZ_PADDING, are not an error */
    bool (*begin)(struct unpacker *u); /* a stream, the first or another; false for want of memory */
    /* Goes on with the stream: takes off u->in, and puts *got bytes out. */
    enum step (*step)(struct unpacker *u, char *bytes, size_t size, size_t *got);
    void (*end)(struct unpacker *u); /* all streams; fine when none was begun */
};

struct unpacker {
    const struct form *form;
    union {
        z_stream gzip;
        lzma_stream xz;
        bz_stream bzip2;
        ZSTD_DCtx *zstd;
    } as;
    struct span in;     /* fed, and not used yet */
    uint64_t used;      /* bytes before `in` */
    uint64_t stream_at; /* where the stream begins */
    uint64_t padding;   /* zeros since the last stream */
    uint64_t streams;   /* that ended */
    enum step result;   /* of the last step */
    bool in_stream;     /* its end has not come yet */
    bool has_more;      /* of what was fed, as there was no room left */
    bool has_made;      /* something came out of this stream */
};

static void take(struct unpacker *u, size_t left)
{
    size_t n = u->in.len - left;

    u->used += n;
    u->in.ptr += n;
    u->in.len = left;
}

static unsigned at_most(size_t n)
{
    return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

/* --- gzip --- */

static bool begin_gzip(struct unpacker *u)
{
    if (u->streams > 0)
        return inflateReset(&u->as.gzip) == Z_OK;
    return inflateInit2(&u->as.gzip, 16 + MAX_WBITS) == Z_OK; /* 16: a gzip header is wanted */
}

static enum step step_gzip(struct unpacker *u, char *bytes, size_t size, size_t *got)
{
    z_stream *z = &u->as.gzip;

    z->next_in = (z_const Bytef *)u->in.ptr;
    z->avail_in = at_most(u->in.len);
    z->next_out = (Bytef *)bytes;
    z->avail_out = at_most(size);
    size_t later = u->in.len - z->avail_in, room = z->avail_out;
    int result = inflate(z, Z_NO_FLUSH);
    take(u, later + z->avail_in);
    *got = room - z->avail_out;
    if (result == Z_STREAM_END)
        return STEP_END;
    return result == Z_OK || result == Z_BUF_ERROR ? STEP_MORE : STEP_DAMAGED;
}

static void end_gzip(struct unpacker *u)
{
    inflateEnd(&u->as.gzip);
}

/* --- xz --- */

static bool begin_xz(struct unpacker *u)
{
    return lzma_stream_decoder(&u->as.xz, XZ_MEMORY_MAX, 0) == LZMA_OK; /* keeps its memory */
}

static enum step step_xz(struct unpacker *u, char *bytes, size_t size, size_t *got)
{
    lzma_stream *x = &u->as.xz;

    x->next_in = (const uint8_t *)u->in.ptr;
    x->avail_in = u->in.len;
    x->next_out = (uint8_t *)bytes;
    x->avail_out = size;
    lzma_ret result = lzma_code(x, LZMA_RUN);
    take(u, x->avail_in);
    *got = size - x->avail_out;
    if (result == LZMA_STREAM_END)
        return STEP_END;
    if (result == LZMA_MEMLIMIT_ERROR)
        return STEP_MEMORY;
    return result == LZMA_OK || result == LZMA_BUF_ERROR ? STEP_MORE : STEP_DAMAGED;
}

static void end_xz(struct unpacker *u)
{
    lzma_end(&u->as.xz);
}

/* --- bzip2 --- */

static void end_bzip2(struct unpacker *u)
{
    BZ2_bzDecompressEnd(&u->as.bzip2); /* an error when none was begun, which does nothing */
}

static bool begin_bzip2(struct unpacker *u)
{
    end_bzip2(u);
    u->as.bzip2 = (bz_stream){0};
    return BZ2_bzDecompressInit(&u->as.bzip2, 0, 0) == BZ_OK;
}

static enum step step_bzip2(struct unpacker *u, char *bytes, size_t size, size_t *got)
{
    bz_stream *b = &u->as.bzip2;

    b->next_in = (char *)u->in.ptr; /* the library only reads it */
    b->avail_in = at_most(u->in.len);
    b->next_out = bytes;
    b->avail_out = at_most(size);
    size_t later = u->in.len - b->avail_in, room = b->avail_out;
    int result = BZ2_bzDecompress(b);
    take(u, later + b->avail_in);
    *got = room - b->avail_out;
    if (result == BZ_STREAM_END)
        return STEP_END;
    return result == BZ_OK ? STEP_MORE : STEP_DAMAGED;
}

/* --- zstd --- */

static bool begin_zstd(struct unpacker *u)
{
    if (u->as.zstd == NULL)
        u->as.zstd = ZSTD_createDCtx();
    if (u->as.zstd == NULL)
        mem_lacking(1);
    return ZSTD_isError(ZSTD_DCtx_reset(u->as.zstd, ZSTD_reset_session_only)) == 0 &&
           ZSTD_isError(ZSTD_DCtx_setParameter(u->as.zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX)) == 0;
}

static enum step step_zstd(struct unpacker *u, char *bytes, size_t size, size_t *got)
{
    ZSTD_inBuffer in = {u->in.ptr, u->in.len, 0};
    ZSTD_outBuffer out = {.size = size};

    out.dst = bytes;
    size_t result = ZSTD_decompressStream(u->as.zstd, &out, &in);

    take(u, in.size - in.pos);
    *got = out.pos;
    if (result == 0)
        return STEP_END;
    if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
        return STEP_MEMORY;
    return ZSTD_isError(result) == 0 ? STEP_MORE : STEP_DAMAGED;
}

static void end_zstd(struct unpacker *u)
{
    ZSTD_freeDCtx(u->as.zstd);
}

/* --- all forms --- */

/* clang-format off */
static const struct form forms[] = {
    {"gzip", "gzip -d", {"\x1f\x8b", 2}, false, begin_gzip, step_gzip, end_gzip},
    {"xz", "xz -d", {"\xfd" "7zXZ", 5}, true, begin_xz, step_xz, end_xz},
    {"bzip2", "bzip2 -d", {"BZh", 3}, false, begin_bzip2, step_bzip2, end_bzip2},
    {"zstd", "zstd -d --long=31", {"\x28\xb5\x2f\xfd", 4}, false, begin_zstd, step_zstd, end_zstd},
};
/* clang-format on */

size_t unpack_form_of(struct span head)
{
    for (size_t i = 0; i < ARRAY_LEN(forms); i++)
        if (span_starts(head, forms[i].magic))
            return i;
    return SIZE_MAX;
}

struct unpacker *unpack_new(size_t form)
{
    struct unpacker *u = mem_zero(1, sizeof *u);

    u->form = &forms[form];
    u->in_stream = u->form->begin(u);
    if (u->in_stream)
        return u;
    unpack_free(u);
    return NULL;
}

void unpack_free(struct unpacker *u)
{
    if (u == NULL)
        return;
    u->form->end(u);
    mem_free(u);
}

void unpack_feed(struct unpacker *u, struct span compressed)
{
    u->in = compressed;
}

bool unpack_is_complete(const struct unpacker *u)
{
    return !u->in_stream && u->padding % XZ_PADDING == 0;
}

/* Between streams: over the padding, to where another begins; false: that is not here. */
static bool begin_another(struct unpacker *u)
{
    size_t n = 0;

    while (u->form->is_padded && n < u->in.len && u->in.ptr[n] == 0)
        n++;
    if (n > 0)
        take(u, u->in.len - n);
    u->padding += n;
    if (u->in.len == 0)
        return false;
    u->stream_at = u->used;
    u->in_stream = true;
    u->has_made = false;
    u->result = u->padding % XZ_PADDING == 0 && u->form->begin(u) ? STEP_MORE : STEP_DAMAGED;
    u->padding = 0;
    return true;
}

bool unpack_read(struct unpacker *u, char *bytes, size_t size, size_t *got)
{
    *got = 0;
    while (*got == 0) {
        if (!u->in_stream && !begin_another(u))
            return true;
        if (u->result == STEP_DAMAGED || u->result == STEP_MEMORY)
            return false;
        if (u->in.len == 0 && !u->has_more)
            return true;
        u->result = u->form->step(u, bytes, size, got);
        u->has_more = *got == size;
        u->has_made = u->has_made || *got > 0;
        u->in_stream = u->result != STEP_END;
        u->streams += u->result == STEP_END;
    }
    return true; /* what comes before a damage is good; next time it shows */
}

enum status unpack_failed(const struct unpacker *u, const char *name, struct err *e)
{
    if (u->result == STEP_MEMORY) {
        if (u->form->step != step_xz)
            return err_set(e, ST_INPUT,
                           "%s: needs more than %llu MB of memory to be decompressed; unpack it with"
                           " %s first, if you trust it",
                           name, (unsigned long long)(ZSTD_WINDOW_MAX >> 20U), u->form->unpack);
        return err_set(e, ST_INPUT,
                       "%s: needs %llu MB of memory to be decompressed, and at most %llu are used;"
                       " unpack it with %s first, if you trust it",
                       name, (unsigned long long)(lzma_memusage(&u->as.xz) >> 20U),
                       (unsigned long long)(XZ_MEMORY_MAX >> 20U), u->form->unpack);
    }
    if (u->streams > 0 && !u->has_made && u->result == STEP_DAMAGED)
        return err_set(e, ST_INPUT,
                       "%s: damaged or truncated archive: no %s from byte %llu on, after the end of what was unpacked",
                       name, u->form->name, (unsigned long long)u->stream_at);
    if (u->result == STEP_DAMAGED)
        return err_set(e, ST_INPUT, "%s: damaged or truncated archive near byte %llu", name,
                       (unsigned long long)u->used);
    return err_set(e, ST_INPUT, "%s: damaged or truncated archive: it ends at byte %llu", name,
                   (unsigned long long)u->used);
}
