/* Unpacks gzip, one member after another. */
#include "fetch/gzip.h"

#include <limits.h>
#include <zlib.h>

struct gzip {
    z_stream stream;
    bool in_member; /* its end, with length and check, has not come yet */
    bool has_more;  /* of what was fed, as there was no room left */
};

struct gzip *gzip_new(void)
{
    struct gzip *g = mem_zero(1, sizeof *g);

    /* 16: a gzip header is wanted. It fails for want of memory only. */
    if (inflateInit2(&g->stream, 16 + MAX_WBITS) != Z_OK) {
        mem_free(g);
        return NULL;
    }
    return g;
}

void gzip_free(struct gzip *g)
{
    if (g == NULL)
        return;
    inflateEnd(&g->stream);
    mem_free(g);
}

void gzip_feed(struct gzip *g, struct span compressed)
{
    g->stream.next_in = (z_const Bytef *)compressed.ptr;
    g->stream.avail_in = (uInt)compressed.len;
}

bool gzip_is_complete(const struct gzip *g)
{
    return !g->in_member;
}

/* Between members: true when another begins here. */
static bool begins_member(struct gzip *g)
{
    while (g->stream.avail_in > 0 && *g->stream.next_in == 0) {
        g->stream.next_in++;
        g->stream.avail_in--;
    }
    return g->stream.avail_in > 0;
}

bool gzip_read(struct gzip *g, char *bytes, size_t size, size_t *got)
{
    uInt room = size < UINT_MAX ? (uInt)size : UINT_MAX;

    *got = 0;
    while (*got == 0) {
        if (!g->in_member && !begins_member(g))
            return true;
        if (g->stream.avail_in == 0 && !g->has_more)
            return true;
        g->in_member = true;
        g->stream.next_out = (Bytef *)bytes;
        g->stream.avail_out = room;
        int result = inflate(&g->stream, Z_NO_FLUSH);
        *got = room - g->stream.avail_out;
        g->has_more = g->stream.avail_out == 0;
        if (result == Z_STREAM_END) {
            g->in_member = false;
            inflateReset(&g->stream);
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return *got > 0; /* what comes before the damage is good; next time it shows */
        }
    }
    return true;
}
