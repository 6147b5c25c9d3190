/* The dictionaries that the header of a 7z archive asks for. */
#define _GNU_SOURCE /* pread */
#include "fetch/sevenzip_memory.h"

#include <ctype.h>
#include <lzma.h>
#include <unistd.h>

/* The format is described in 7zFormat.txt of the LZMA SDK. */
enum {
    SIGNATURE_SIZE = 32,
    HEADER_MAX = 256 << 10, /* a header names files, here thousands; for a bit of it libarchive may take 88 bytes */
    PACKED_HEADERS_MAX = 4, /* a packed header may contain another one */
    CODERS_MAX = 32,
};

enum id {
    ID_END = 0x00,
    ID_HEADER = 0x01,
    ID_PROPERTIES = 0x02,
    ID_STREAMS = 0x04,
    ID_FILES = 0x05,
    ID_PACKED = 0x06,
    ID_UNPACKED = 0x07,
    ID_SIZE = 0x09,
    ID_DIGESTS = 0x0a,
    ID_FOLDERS = 0x0b,
    ID_UNPACKED_SIZE = 0x0c,
    ID_PACKED_HEADER = 0x17,
};

enum method { METHOD_OTHER, METHOD_COPY, METHOD_LZMA, METHOD_LZMA2, METHOD_PPMD };

/* Of streams: what is needed to unpack all, and to unpack the first here. */
struct streams {
    uint64_t memory; /* of the folder that takes most */
    uint64_t packed_at, packed_size, size;
    enum method method; /* of the only coder of the first folder; other: there are more */
    struct span properties;
};

/* --- pieces --- */

static bool MUST_USE take(struct span *rest, uint64_t size, struct span *out)
{
    if (size > rest->len)
        return false;
    *out = (struct span){rest->ptr, (size_t)size};
    rest->ptr += size;
    rest->len -= (size_t)size;
    return true;
}

static bool MUST_USE take_byte(struct span *rest, uint8_t *out)
{
    struct span byte;

    if (!take(rest, 1, &byte))
        return false;
    *out = (uint8_t)*byte.ptr;
    return true;
}

/* As many bytes follow the first as it has leading ones; its other bits are the highest. */
static bool MUST_USE take_number(struct span *rest, uint64_t *out)
{
    uint8_t first, byte;

    *out = 0;
    if (!take_byte(rest, &first))
        return false;
    for (unsigned i = 0, mask = 0x80; i < 8; i++, mask >>= 1U) {
        if ((first & mask) == 0) {
            *out |= (uint64_t)(first & (mask - 1)) << 8 * i;
            return true;
        }
        if (!take_byte(rest, &byte))
            return false;
        *out |= (uint64_t)byte << 8 * i;
    }
    return true;
}

static bool MUST_USE skip_numbers(struct span *rest, uint64_t n)
{
    uint64_t number;

    while (n > 0 && take_number(rest, &number))
        n--;
    return n == 0;
}

static uint64_t little(struct span bytes)
{
    uint64_t value = 0;

    for (size_t i = bytes.len; i > 0; i--)
        value = value << 8U | (uint8_t)bytes.ptr[i - 1];
    return value;
}

/* --- coders --- */

static enum method method_of(struct span id)
{
    static const struct {
        struct span id;
        enum method method;
    } methods[] = {
        {{"\x00", 1}, METHOD_COPY},
        {{"\x03\x01\x01", 3}, METHOD_LZMA},
        {{"\x21", 1}, METHOD_LZMA2},
        {{"\x03\x04\x01", 3}, METHOD_PPMD},
    };

    for (size_t i = 0; i < ARRAY_LEN(methods); i++)
        if (span_eq(id, methods[i].id))
            return methods[i].method;
    return METHOD_OTHER;
}

static uint64_t memory_of(enum method method, struct span properties)
{
    if ((method == METHOD_LZMA || method == METHOD_PPMD) && properties.len == 5)
        return little((struct span){properties.ptr + 1, 4});
    if (method == METHOD_LZMA2 && properties.len == 1) {
        unsigned bits = (uint8_t)properties.ptr[0];
        return bits >= 40 ? UINT32_MAX : (uint64_t)(2U | (bits & 1U)) << (bits / 2 + 11);
    }
    return 0; /* bzip2, Deflate and filters take a few megabytes at most */
}

struct coder {
    enum method method;
    struct span properties;
    uint64_t n_in, n_out;
};

static bool MUST_USE take_coder(struct span *rest, struct coder *c)
{
    uint8_t flags;
    uint64_t size;
    struct span id;

    *c = (struct coder){.n_in = 1, .n_out = 1};
    if (!take_byte(rest, &flags) || !take(rest, flags & 0x0fU, &id))
        return false;
    c->method = method_of(id);
    if ((flags & 0x10U) != 0 && (!take_number(rest, &c->n_in) || !take_number(rest, &c->n_out)))
        return false;
    if (c->n_in > CODERS_MAX || c->n_out > CODERS_MAX)
        return false;
    if ((flags & 0x20U) != 0)
        return take_number(rest, &size) && take(rest, size, &c->properties);
    return true;
}

/* A chain of coders, which work at the same time. */
static bool MUST_USE take_folder(struct span *rest, struct streams *s, uint64_t *n_out)
{
    uint64_t n, n_in = 0, memory = 0;
    struct coder coder = {0};

    *n_out = 0;
    if (!take_number(rest, &n) || n == 0 || n > CODERS_MAX)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!take_coder(rest, &coder))
            return false;
        n_in += coder.n_in;
        *n_out += coder.n_out;
        memory += memory_of(coder.method, coder.properties);
    }
    if (*n_out == 0 || n_in + 1 < *n_out)
        return false;
    uint64_t bound = *n_out - 1, packed = n_in - bound;
    s->method = n == 1 ? coder.method : METHOD_OTHER;
    s->properties = coder.properties;
    s->memory = memory > s->memory ? memory : s->memory;
    return skip_numbers(rest, 2 * bound) && (packed == 1 || skip_numbers(rest, packed));
}

/* --- streams --- */

static bool MUST_USE take_id(struct span *rest, enum id wanted)
{
    uint8_t id;

    return take_byte(rest, &id) && id == wanted;
}

/* Checksums of n streams, or of those that a bit says have one. */
static bool MUST_USE skip_digests(struct span *rest, uint64_t n)
{
    uint8_t all;
    struct span bits, digests;
    uint64_t n_digests = 0;

    if (n > rest->len * 8 || !take_byte(rest, &all))
        return false;
    if (all != 0)
        return take(rest, 4 * n, &digests);
    if (!take(rest, (n + 7) / 8, &bits))
        return false;
    for (size_t i = 0; i < bits.len; i++)
        n_digests += (uint64_t)__builtin_popcount((uint8_t)bits.ptr[i]);
    return take(rest, 4 * n_digests, &digests);
}

static bool MUST_USE take_packed(struct span *rest, struct streams *s)
{
    uint8_t id;
    uint64_t n;

    if (!take_id(rest, ID_PACKED) || !take_number(rest, &s->packed_at) || !take_number(rest, &n) || n == 0)
        return false;
    if (!take_id(rest, ID_SIZE) || !take_number(rest, &s->packed_size) || !skip_numbers(rest, n - 1))
        return false;
    if (!take_byte(rest, &id) || (id == ID_DIGESTS && (!skip_digests(rest, n) || !take_byte(rest, &id))))
        return false;
    return id == ID_END;
}

static bool MUST_USE take_streams(struct span *rest, struct streams *s)
{
    uint8_t is_elsewhere;
    uint64_t n, n_out;
    struct streams folder = {0};

    *s = (struct streams){0};
    if (!take_packed(rest, s) || !take_id(rest, ID_UNPACKED) || !take_id(rest, ID_FOLDERS))
        return false;
    if (!take_number(rest, &n) || n == 0 || !take_byte(rest, &is_elsewhere) || is_elsewhere != 0)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!take_folder(rest, &folder, &n_out))
            return false;
        if (i == 0) {
            s->method = folder.method;
            s->properties = folder.properties;
        }
    }
    s->memory = folder.memory;
    return take_id(rest, ID_UNPACKED_SIZE) && take_number(rest, &s->size);
}

/* --- headers --- */

static bool MUST_USE read_at(int fd, uint64_t at, uint64_t size, struct buf *out)
{
    if (size > HEADER_MAX || at > INT64_MAX - SIGNATURE_SIZE)
        return false;
    buf_reset(out);
    buf_reserve(out, (size_t)size);
    while (out->len < size) {
        ssize_t got = pread(fd, out->ptr + out->len, (size_t)size - out->len, (off_t)(at + out->len));
        if (got <= 0)
            return false;
        out->len += (size_t)got;
    }
    return true;
}

/* LZMA2 needs no more than its dictionary; the first property of LZMA is three small numbers. */
static bool MUST_USE decode(const struct streams *s, struct span packed, struct buf *out)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_options_lzma options = {.dict_size = s->memory > LZMA_DICT_SIZE_MIN ? (uint32_t)s->memory
                                                                             : LZMA_DICT_SIZE_MIN};
    lzma_filter filters[] = {
        {s->method == METHOD_LZMA ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2, &options},
        {LZMA_VLI_UNKNOWN, NULL},
    };

    if (s->method == METHOD_LZMA) {
        unsigned packed_numbers = s->properties.len == 5 ? (uint8_t)s->properties.ptr[0] : UINT8_MAX;
        options.lc = packed_numbers % 9;
        options.lp = packed_numbers / 9 % 5;
        options.pb = packed_numbers / 45;
    }
    buf_reset(out);
    buf_reserve(out, (size_t)s->size);
    if (lzma_raw_decoder(&stream, filters) == LZMA_OK) {
        stream.next_in = (const uint8_t *)packed.ptr;
        stream.avail_in = packed.len;
        stream.next_out = (uint8_t *)out->ptr;
        stream.avail_out = (size_t)s->size;
        while (stream.avail_out > 0 && lzma_code(&stream, LZMA_RUN) == LZMA_OK)
            continue;
        out->len = (size_t)s->size - stream.avail_out;
    }
    lzma_end(&stream);
    return out->len == s->size;
}

/* A header that is packed, and is not too much itself: *header becomes what it is unpacked. */
static bool MUST_USE unpack_header(int fd, const struct streams *s, struct buf *packed, struct buf *header)
{
    if (s->memory > SEVENZIP_MEMORY_MAX || s->size > HEADER_MAX)
        return false;
    if (s->method != METHOD_COPY && s->method != METHOD_LZMA && s->method != METHOD_LZMA2)
        return false;
    if (s->packed_at > INT64_MAX - SIGNATURE_SIZE ||
        !read_at(fd, SIGNATURE_SIZE + s->packed_at, s->packed_size, packed))
        return false;
    if (s->method != METHOD_COPY)
        return decode(s, buf_span(packed), header);
    buf_set(header, buf_span(packed));
    return true;
}

static bool MUST_USE skip_properties(struct span *rest)
{
    uint64_t size;
    struct span bytes;
    uint8_t id;

    while (take_byte(rest, &id) && id != ID_END)
        if (!take_number(rest, &size) || !take(rest, size, &bytes))
            return false;
    return true;
}

/* A header that is not packed. */
static bool MUST_USE read_header(struct span rest, struct streams *s)
{
    uint8_t id;

    if (!take_byte(&rest, &id))
        return false;
    if (id == ID_PROPERTIES && (!skip_properties(&rest) || !take_byte(&rest, &id)))
        return false;
    if (id == ID_FILES || id == ID_END) /* files without content have no streams */
        return true;
    return id == ID_STREAMS && take_streams(&rest, s);
}

static bool MUST_USE read_first_header(int fd, struct buf *packed, struct buf *header)
{
    if (!read_at(fd, 0, SIGNATURE_SIZE, packed))
        return false;
    uint64_t at = little((struct span){packed->ptr + 12, 8}), size = little((struct span){packed->ptr + 20, 8});
    return at < INT64_MAX - SIGNATURE_SIZE && read_at(fd, SIGNATURE_SIZE + at, size, header);
}

bool sevenzip_size(int fd, uint64_t *bytes)
{
    AT_END(buf_clear) struct buf start = {0};
    bool fine = read_at(fd, 0, SIGNATURE_SIZE, &start);
    uint64_t at = fine ? little((struct span){start.ptr + 12, 8}) : UINT64_MAX;
    uint64_t size = fine ? little((struct span){start.ptr + 20, 8}) : UINT64_MAX;

    fine = at < INT64_MAX - SIGNATURE_SIZE && size < INT64_MAX - SIGNATURE_SIZE - at;
    *bytes = fine ? SIGNATURE_SIZE + at + size : 0;
    return fine;
}

/* How often a file has this name: the header writes names in UTF-16, each with a NUL behind it. */
static size_t count_name(struct span header, const char *name)
{
    size_t len = strlen(name), found = 0;

    for (size_t at = 2; at + 2 * len + 2 <= header.len; at++) {
        const char *p = header.ptr + at;
        size_t i = 0;
        while (i < len && (p[2 * i] | 0x20) == (name[i] | 0x20) && p[2 * i + 1] == '\0')
            i++;
        bool begins = p[-1] == '\0' && (p[-2] == '/' || p[-2] == '\\' || !isalnum((unsigned char)p[-2]));
        found += i == len && begins && p[2 * len] == '\0' && p[2 * len + 1] == '\0';
    }
    return found;
}

bool sevenzip_memory(int fd, uint64_t *bytes, const char *const *names, size_t n_names, size_t *n_of)
{
    AT_END(buf_clear) struct buf header = {0}, packed = {0};
    bool done = false, fine = read_first_header(fd, &packed, &header);

    *bytes = 0;
    for (int i = 0; fine && !done && i <= PACKED_HEADERS_MAX; i++) {
        struct span rest = buf_span(&header);
        struct streams streams = {0};
        uint8_t id = ID_END;
        fine = take_byte(&rest, &id);
        done = id == ID_HEADER;
        if (done)
            fine = read_header(rest, &streams);
        else
            fine = fine && id == ID_PACKED_HEADER && take_streams(&rest, &streams);
        *bytes = streams.memory > *bytes ? streams.memory : *bytes;
        fine = fine && (done || unpack_header(fd, &streams, &packed, &header));
    }
    for (size_t i = 0; i < n_names; i++)
        n_of[i] = fine && done ? count_name(buf_span(&header), names[i]) : 0;
    return fine && done;
}
