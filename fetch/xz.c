/* Unpacks xz, one stream after another, in bounded memory. */
#include "fetch/xz.h"

#include <lzma.h>

struct xz {
    lzma_stream stream;
    lzma_action action;
    lzma_ret result; /* of the last step */
};

struct xz *xz_new(void)
{
    struct xz *x = mem_zero(1, sizeof *x);

    x->stream = (lzma_stream)LZMA_STREAM_INIT;
    x->action = LZMA_RUN;
    if (lzma_stream_decoder(&x->stream, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK) {
        mem_free(x);
        return NULL;
    }
    return x;
}

void xz_free(struct xz *x)
{
    if (x == NULL)
        return;
    lzma_end(&x->stream);
    mem_free(x);
}

void xz_feed(struct xz *x, struct span compressed)
{
    x->stream.next_in = (const uint8_t *)compressed.ptr;
    x->stream.avail_in = compressed.len;
}

void xz_finish(struct xz *x)
{
    x->action = LZMA_FINISH;
}

bool xz_is_complete(const struct xz *x)
{
    return x->result == LZMA_STREAM_END;
}

uint64_t xz_needs(const struct xz *x)
{
    return x->result == LZMA_MEMLIMIT_ERROR ? lzma_memusage(&x->stream) : 0;
}

bool xz_read(struct xz *x, char *bytes, size_t size, size_t *got)
{
    bool moved = true;

    *got = 0;
    if (x->result == LZMA_STREAM_END)
        return true;
    while (*got == 0 && moved) {
        size_t left = x->stream.avail_in;
        x->stream.next_out = (uint8_t *)bytes;
        x->stream.avail_out = size;
        lzma_ret result = lzma_code(&x->stream, x->action);
        *got = size - x->stream.avail_out;
        moved = x->stream.avail_in != left;
        if (result == LZMA_BUF_ERROR) /* nothing to do before more is fed */
            return true;
        x->result = result;
        if (result == LZMA_STREAM_END)
            return true;
        if (result != LZMA_OK)
            return *got > 0; /* what comes before the damage is good; next time it shows */
    }
    return true;
}
