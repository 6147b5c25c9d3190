/* Decompresses 7z archives by the program 7z, on all processors; before that, the memory that an archive asks for. */
#include "fetch/sevenzip.h"

#include "base/files.h"
#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, MEMORY_MAX = 1 << 30, MEMORY_PER_PROCESSOR = 64 << 20 };

/* sevenzip_memory checks what an archive asks for. This limits the rest, such as windows of newer methods; widely,
 * since 7z takes memory for each processor. Set just after the start, as posix_spawn sets no limits; Linux only. */
static void limit_memory(pid_t pid)
{
#ifdef __linux__
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    rlim_t most = (rlim_t)MEMORY_MAX + (rlim_t)(processors > 0 ? processors : 1) * MEMORY_PER_PROCESSOR;

    if (prlimit(pid, RLIMIT_DATA, &(struct rlimit){most, most}, NULL) != 0)
        log_debug("7z runs without a limit of memory: %s", strerror(errno));
#else
    (void)pid;
#endif
}

bool sevenzip_start(struct sevenzip *z, const char *path, const char *member)
{
    static const char *const programs[] = {"7z", "7zz", "7za"};
    bool started = false;
    int ends[2];

    *z = (struct sevenzip){.fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(programs) && !started; i++) {
        /* -so: to standard output; -spd: no wildcards in the member's name; -y: ask nothing. */
        const char *const argv[] = {programs[i], "e", "-so", "-spd", "-y", "--", path, member, NULL};
        started = program_start(argv, NULL, -1, ends[1], true, &z->pid) == 0;
    }
    close(ends[1]);
    if (!started) {
        close(ends[0]);
        z->pid = 0;
        return false;
    }
    limit_memory(z->pid);
    fcntl(ends[0], F_SETPIPE_SZ, PIPE_SIZE); /* fewer changes between the processes; no must */
    z->fd = ends[0];
    return true;
}

bool sevenzip_succeeded(struct sevenzip *z)
{
    pid_t pid = z->pid;

    z->pid = 0;
    return program_end(pid) == 0;
}

void sevenzip_close(struct sevenzip *z)
{
    if (z->pid != 0) {
        kill(z->pid, SIGTERM);
        close(z->fd);
        if (program_end(z->pid) != 0)
            log_debug("7z was ended before its end");
    } else if (z->fd > STDERR_FILENO) {
        close(z->fd);
    }
    *z = (struct sevenzip){.fd = -1};
}

/* --- the dictionaries that the header of an archive asks for --- */

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

/* What is left of a header. Once something is wrong with it, whatever is taken is empty or zero. */
struct header {
    struct span rest;
    bool is_bad;
};

static void check(struct header *h, bool fine)
{
    h->is_bad = h->is_bad || !fine;
}

static struct span take(struct header *h, uint64_t size)
{
    check(h, size <= h->rest.len);
    if (h->is_bad)
        return (struct span){0};
    struct span out = {h->rest.ptr, (size_t)size};
    h->rest = span_after(h->rest, out.len);
    return out;
}

static uint8_t take_byte(struct header *h)
{
    struct span byte = take(h, 1);

    return byte.len > 0 ? (uint8_t)*byte.ptr : 0;
}

static void take_id(struct header *h, enum id wanted)
{
    check(h, take_byte(h) == wanted);
}

/* As many bytes follow the first as it has leading ones; its other bits are the highest. */
static uint64_t take_number(struct header *h)
{
    uint64_t out = 0;
    uint8_t first = take_byte(h);

    for (unsigned i = 0, mask = 0x80; i < 8; i++, mask >>= 1U) {
        if ((first & mask) == 0)
            return out | (uint64_t)(first & (mask - 1)) << 8 * i;
        out |= (uint64_t)take_byte(h) << 8 * i;
    }
    return out;
}

static void skip_numbers(struct header *h, uint64_t n)
{
    for (; n > 0 && !h->is_bad; n--)
        take_number(h);
}

static uint64_t little(struct span bytes)
{
    uint64_t value = 0;

    for (size_t i = bytes.len; i > 0; i--)
        value = value << 8U | (uint8_t)bytes.ptr[i - 1];
    return value;
}

/* --- coders --- */

struct coder {
    enum method method;
    struct span properties;
    uint64_t n_in, n_out;
};

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

static uint64_t memory_of(const struct coder *c)
{
    if ((c->method == METHOD_LZMA || c->method == METHOD_PPMD) && c->properties.len == 5)
        return little((struct span){c->properties.ptr + 1, 4});
    if (c->method == METHOD_LZMA2 && c->properties.len == 1) {
        unsigned bits = (uint8_t)c->properties.ptr[0];
        return bits >= 40 ? UINT32_MAX : (uint64_t)(2U | (bits & 1U)) << (bits / 2 + 11);
    }
    return 0; /* bzip2, Deflate and filters take a few megabytes at most */
}

/* What a chain of coders, which work at the same time, needs. *last: its last coder, METHOD_OTHER if there are more. */
static uint64_t take_folder(struct header *h, struct coder *last)
{
    uint64_t n = take_number(h), n_in = 0, n_out = 0, memory = 0;

    check(h, n > 0 && n <= CODERS_MAX);
    for (uint64_t i = 0; i < n && !h->is_bad; i++) {
        uint8_t flags = take_byte(h);
        struct coder c = {.method = method_of(take(h, flags & 0x0fU)), .n_in = 1, .n_out = 1};

        if ((flags & 0x10U) != 0) {
            c.n_in = take_number(h);
            c.n_out = take_number(h);
        }
        check(h, c.n_in <= CODERS_MAX && c.n_out <= CODERS_MAX);
        if ((flags & 0x20U) != 0)
            c.properties = take(h, take_number(h));
        *last = c;
        n_in += last->n_in;
        n_out += last->n_out;
        memory += memory_of(last);
    }
    check(h, n_out > 0 && n_in + 1 >= n_out);
    if (h->is_bad)
        return 0;
    uint64_t bound = n_out - 1, packed = n_in - bound;
    last->method = n == 1 ? last->method : METHOD_OTHER;
    skip_numbers(h, 2 * bound + (packed == 1 ? 0 : packed));
    return memory;
}

/* --- streams --- */

/* Checksums of n streams, or of those that a bit says have one. */
static void skip_digests(struct header *h, uint64_t n)
{
    uint64_t n_digests = 0;

    check(h, n <= h->rest.len * 8);
    if (take_byte(h) != 0) {
        take(h, 4 * n);
        return;
    }
    struct span bits = take(h, (n + 7) / 8);
    for (size_t i = 0; i < bits.len; i++)
        n_digests += (uint64_t)__builtin_popcount((uint8_t)bits.ptr[i]);
    take(h, 4 * n_digests);
}

static struct streams take_streams(struct header *h)
{
    struct streams s = {0};
    struct coder coder = {0};
    uint64_t memory = 0;

    take_id(h, ID_PACKED);
    s.packed_at = take_number(h);
    uint64_t n = take_number(h);
    check(h, n > 0);
    take_id(h, ID_SIZE);
    s.packed_size = take_number(h);
    skip_numbers(h, n - 1);
    uint8_t id = take_byte(h);
    if (id == ID_DIGESTS) {
        skip_digests(h, n);
        id = take_byte(h);
    }
    check(h, id == ID_END);
    take_id(h, ID_UNPACKED);
    take_id(h, ID_FOLDERS);
    n = take_number(h);
    check(h, n > 0 && take_byte(h) == 0); /* they are here, not elsewhere */
    for (uint64_t i = 0; i < n && !h->is_bad; i++) {
        uint64_t needs = take_folder(h, &coder);
        memory = needs > memory ? needs : memory;
        if (i == 0) {
            s.method = coder.method;
            s.properties = coder.properties;
        }
    }
    s.memory = h->is_bad ? 0 : memory;
    take_id(h, ID_UNPACKED_SIZE);
    s.size = take_number(h);
    return s;
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

/* A header that is not packed. */
static struct streams read_header(struct header *h)
{
    uint8_t id = take_byte(h);

    if (id == ID_PROPERTIES) {
        while (take_byte(h) != ID_END)
            take(h, take_number(h));
        id = take_byte(h);
    }
    bool has_streams = id == ID_STREAMS;
    check(h, has_streams || id == ID_FILES || id == ID_END); /* files without content have no streams */
    return has_streams ? take_streams(h) : (struct streams){0};
}

/* Where the header is, and how long, as the first bytes say. */
static bool MUST_USE read_start(int fd, uint64_t *at, uint64_t *size)
{
    AT_END(buf_clear) struct buf start = {0};
    bool fine = read_at(fd, 0, SIGNATURE_SIZE, &start);

    *at = fine ? little((struct span){start.ptr + 12, 8}) : UINT64_MAX;
    *size = fine ? little((struct span){start.ptr + 20, 8}) : UINT64_MAX;
    return *at < INT64_MAX - SIGNATURE_SIZE && *size < INT64_MAX - SIGNATURE_SIZE - *at;
}

bool sevenzip_size(int fd, uint64_t *bytes)
{
    uint64_t at, size;
    bool fine = read_start(fd, &at, &size);

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
    uint64_t at, size;
    bool done = false, fine = read_start(fd, &at, &size) && read_at(fd, SIGNATURE_SIZE + at, size, &header);

    *bytes = 0;
    for (int i = 0; fine && !done && i <= PACKED_HEADERS_MAX; i++) {
        struct header h = {.rest = buf_span(&header)};
        uint8_t id = take_byte(&h);
        done = id == ID_HEADER;
        check(&h, done || id == ID_PACKED_HEADER);
        struct streams streams = done ? read_header(&h) : take_streams(&h);
        *bytes = streams.memory > *bytes ? streams.memory : *bytes;
        fine = !h.is_bad && (done || unpack_header(fd, &streams, &packed, &header));
    }
    for (size_t i = 0; i < n_names; i++)
        n_of[i] = fine && done ? count_name(buf_span(&header), names[i]) : 0;
    return fine && done;
}
