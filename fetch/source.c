/* The bytes of a dump: plain, compressed, an archive's member, standard input. */
#include "base/signals.h"
#include "base/zip.h"
#include "fetch/fetch.h"
#include "fetch/sevenzip.h"
#include "fetch/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_SIZE = 512, CHUNK = 256 * 1024, STOP_CHECK_MS = 100 };

struct source {
    char *name;
    int fd;
    bool seekable;
    uint64_t size;
    uint64_t left;                  /* of what may be read; UINT64_MAX: all */
    atomic_uint_least64_t consumed; /* asked for by other threads than the one that reads */
    struct buf head;                /* bytes looked at, to be handed out first: of the file while an archive is
                      * being opened, of what it holds afterwards */
    size_t head_used;
    struct archive *archive;   /* NULL: plain bytes */
    bool has_format;           /* libarchive found one: only then may it be asked about entries */
    char *chunk;               /* for the archive */
    struct span block;         /* out of the archive, not handed out yet */
    bool ended;                /* the member was read */
    bool drained;              /* the unpacker has all bytes of the file */
    int failed;                /* errno of a read inside the archive's callback */
    struct unpacker *unpacker; /* NULL: not of a compressed stream */
    char *inner;               /* for a tar within it */
    enum source_member member; /* of an archive that is read */
    unsigned others;           /* bits of the other members that were seen */
    bool any_member;           /* the first file of a tar or zip is read, as none before it is Posts.xml */
    struct sevenzip sevenzip;  /* in place of the archive, where the program is there */
};

const char *source_name(const struct source *s)
{
    return s->name;
}

uint64_t source_consumed(const struct source *s)
{
    return s->consumed;
}

uint64_t source_size(const struct source *s)
{
    return s->size;
}

/* Waits for a pipe or terminal; false when a signal asked to stop. */
static bool wait_for_bytes(const struct source *s)
{
    struct pollfd wanted = {.fd = s->fd, .events = POLLIN};

    while (!signals_stop_asked()) {
        int ready = poll(&wanted, 1, STOP_CHECK_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true; /* read(2) says what is wrong */
    }
    return false;
}

/* read(2), counted; -1 with errno, which is EINTR only when a signal asked to stop. */
static ssize_t read_fd(struct source *s, char *bytes, size_t size)
{
    ssize_t got;

    if (s->left == 0)
        return 0;
    do {
        if (!s->seekable && !wait_for_bytes(s)) {
            errno = EINTR;
            return -1;
        }
        got = read(s->fd, bytes, size < s->left ? size : s->left);
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
        s->consumed += (uint64_t)got;
        s->left -= s->left < UINT64_MAX ? (uint64_t)got : 0;
    }
    return got;
}

static enum status read_failed(const struct source *s, int error, struct err *e)
{
    return err_set(e, ST_IO, "%s: %s", s->name, error == EINTR ? "stopped" : strerror(error));
}

/* Fills the chunk with the next compressed bytes; -1 with errno. */
static ssize_t next_chunk(struct source *s)
{
    if (s->head_used == s->head.len)
        return read_fd(s, s->chunk, CHUNK);
    size_t len = s->head.len - s->head_used;
    memcpy(s->chunk, s->head.ptr + s->head_used, len);
    s->head_used = s->head.len;
    return (ssize_t)len;
}

/* --- archives, by libarchive --- */

static enum status read_unpacked(struct source *s, char *bytes, size_t size, size_t *got, struct err *e);

/* Of a tar that is compressed as a whole. */
static la_ssize_t archive_wants_unpacked(struct archive *a, void *ctx, const void **bytes)
{
    struct source *s = ctx;
    size_t got = 0, head = s->head.len - s->head_used;
    struct err e;

    *bytes = s->inner;
    if (head > 0) {
        memcpy(s->inner, s->head.ptr + s->head_used, head);
        s->head_used = s->head.len;
        return (la_ssize_t)head;
    }
    if (read_unpacked(s, s->inner, CHUNK, &got, &e) == ST_OK)
        return (la_ssize_t)got;
    archive_set_error(a, EIO, "%s", e.text);
    return -1;
}

static la_ssize_t archive_wants(struct archive *a, void *ctx, const void **bytes)
{
    struct source *s = ctx;
    ssize_t got = next_chunk(s);

    *bytes = s->chunk;
    if (got < 0) {
        s->failed = errno;
        archive_set_error(a, errno, "%s", strerror(errno));
    }
    return got;
}

static la_int64_t archive_seeks(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
    struct source *s = ctx;
    off_t place = lseek(s->fd, offset, whence);

    if (place < 0) {
        archive_set_error(a, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    s->head_used = s->head.len;
    s->consumed = (uint64_t)place;
    return place;
}

static enum status refuse_encrypted(const struct source *s, struct err *e)
{
    return err_set(e, ST_INPUT, "%s: an encrypted archive; decrypt it first with 7z e", s->name);
}

static enum status archive_failed(struct source *s, struct err *e)
{
    const char *why = archive_error_string(s->archive);

    if (s->failed != 0)
        return read_failed(s, s->failed, e);
    if (s->has_format && archive_read_has_encrypted_entries(s->archive) == 1)
        return refuse_encrypted(s, e);
    if (s->inner != NULL) /* the unpacker's own words */
        return err_set(e, ST_INPUT, "%s", why != NULL ? why : s->name);
    return err_set(e, ST_INPUT, "%s: damaged or truncated archive near byte %llu%s%s", s->name,
                   (unsigned long long)s->consumed, why != NULL ? ": " : "", why != NULL ? why : "");
}

static const char *const members[] = {
    [SOURCE_POSTS] = "Posts.xml", [SOURCE_COMMENTS] = "Comments.xml", [SOURCE_LINKS] = "PostLinks.xml"};

unsigned source_others(const struct source *s)
{
    return s != NULL ? s->others & ~(1U << SOURCE_POSTS) : 0;
}

const char *source_member_name(enum source_member member)
{
    return members[member];
}

/* Is the path that of the member that is read? Others are noted. */
static bool is_wanted(struct source *s, const char *path)
{
    const char *slash = strrchr(path, '/');

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        if (strcasecmp(slash != NULL ? slash + 1 : path, members[i]) == 0) {
            s->others |= 1U << i;
            return i == (size_t)s->member;
        }
    return false;
}

/* Other files of a dump, and what programs put beside files. */
static bool is_beside_posts(const char *path)
{
    static const char *const names[] = {"Badges.xml", "Comments.xml", "PostHistory.xml", "PostLinks.xml", "Tags.xml",
                                        "Users.xml",  "Votes.xml",    "license.txt",     "readme.txt",    "readme.md"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return *name == '.' || strstr(path, "__MACOSX/") != NULL;
}

/* Moves to the wanted member of the archive or, with `any`, to its first file; *found stays NULL if there is none.
 * *n_files: how many were seen. */
static enum status find_posts(struct source *s, bool any, struct archive_entry **found, size_t *n_files, struct err *e)
{
    struct archive_entry *entry;
    int result;

    *n_files = 0;
    while ((result = archive_read_next_header(s->archive, &entry)) == ARCHIVE_OK || result == ARCHIVE_WARN) {
        const char *path = archive_entry_pathname(entry);
        if (archive_entry_filetype(entry) == AE_IFDIR)
            continue;
        ++*n_files;
        bool is_it = path == NULL || is_wanted(s, path);
        if (any ? path == NULL || !is_beside_posts(path) : is_it) {
            *found = entry;
            return ST_OK;
        }
    }
    return result == ARCHIVE_EOF ? ST_OK : archive_failed(s, e);
}

/* Goes on with the program 7z, if there is one, instead of libarchive. */
static void hand_to_7z(struct source *s, const char *path, struct archive_entry *entry)
{
    const char *member = archive_entry_pathname(entry);
    la_int64_t size = archive_entry_size(entry);

    if (s->fd == STDIN_FILENO || member == NULL || !sevenzip_start(&s->sevenzip, path, member))
        return;
    s->size = size > 0 ? (uint64_t)size : 0;
    s->left = size > 0 ? s->size : UINT64_MAX; /* 7z goes on with further members of the name */
    s->consumed = 0;
    archive_read_free(s->archive);
    s->archive = NULL;
    close(s->fd);
    s->fd = s->sevenzip.fd;
    s->seekable = false;
    s->sevenzip.fd = -1;
}

static enum status begin_archive(struct source *s, struct err *e)
{
    s->archive = archive_read_new();
    if (s->archive == NULL)
        mem_lacking(1);
    archive_read_support_format_7zip(s->archive);
    archive_read_support_format_tar(s->archive);
    archive_read_support_format_zip(s->archive);
    archive_read_set_callback_data(s->archive, s);
    archive_read_set_read_callback(s->archive, s->unpacker != NULL ? archive_wants_unpacked : archive_wants);
    if (s->unpacker == NULL && s->seekable)
        archive_read_set_seek_callback(s->archive, archive_seeks);
    /* Reads another tar after the end of a tar; anything else there is an error. So a compressed tar is read to its
     * checksum. */
    archive_read_set_format_option(s->archive, "tar", "read_concatenated_archives", "1");
    s->has_format = archive_read_open1(s->archive) == ARCHIVE_OK;
    return s->has_format ? ST_OK : archive_failed(s, e);
}

/* Neither libarchive nor 7z bounds the memory of an archive. A header that cannot be read is damaged; if libarchive
 * reads it all the same, its needs are unknown. */
static enum status check_7z(struct source *s, bool *known, struct err *e)
{
    uint64_t needs;
    size_t n_of[ARRAY_LEN(members)];

    if (!s->seekable)
        return err_set(e, ST_INPUT,
                       "%s: a 7z archive cannot be read from a pipe; save it to a file, or pipe what 7z e -so writes",
                       s->name);
    *known = sevenzip_memory(s->fd, &needs, members, ARRAY_LEN(members), n_of);
    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        s->others |= n_of[i] > 0 ? 1U << i : 0;
    if (n_of[s->member] > 1)
        return err_set(e, ST_INPUT, "%s: contains %zu files %s; extract the one that you mean with 7z x", s->name,
                       n_of[s->member], members[s->member]);
    if (needs > SEVENZIP_MEMORY_MAX)
        return err_set(e, ST_INPUT,
                       "%s: needs %llu MB of memory to be decompressed, and at most %llu are"
                       " used; unpack it with 7z x first, if you trust it",
                       s->name, (unsigned long long)(needs >> 20U), (unsigned long long)(SEVENZIP_MEMORY_MAX >> 20U));

    /* libarchive and 7z ignore another archive after this one; a part of a split archive lacks its end. */
    uint64_t wanted, size = s->size;
    if (!sevenzip_size(s->fd, &wanted) || wanted == size)
        return ST_OK;
    if (wanted > size)
        return err_set(e, ST_INPUT,
                       "%s: damaged or truncated archive, or the first part of one that was split: it ends at byte"
                       " %llu, and should at byte %llu; join parts with cat x.7z.001 x.7z.002 … > x.7z",
                       s->name, (unsigned long long)size, (unsigned long long)wanted);
    return err_set(e, ST_INPUT,
                   "%s: damaged archive, or two files in one: it says that it ends at byte %llu,"
                   " and goes on to byte %llu",
                   s->name, (unsigned long long)wanted, (unsigned long long)size);
}

/* Nothing says which file of a tar or zip is meant, so that it may have one beside those of a dump. */
static enum status open_archive(struct source *s, const char *path, bool of_7z, struct err *e)
{
    struct archive_entry *found = NULL;
    size_t n_files;
    bool known = true;
    enum status status = of_7z ? check_7z(s, &known, e) : ST_OK;

    if (status != ST_OK)
        return status;
    s->any_member = !of_7z && s->member == SOURCE_POSTS;
    if (s->chunk == NULL)
        s->chunk = mem_alloc(CHUNK);
    if (s->unpacker != NULL)
        s->inner = mem_alloc(CHUNK);
    status = begin_archive(s, e);
    THEN(status, find_posts(s, s->any_member, &found, &n_files, e));
    if (status == ST_OK && of_7z && found == NULL && n_files == 1 && s->member == SOURCE_POSTS) {
        /* Begins again with an archive whose only file has another name than Posts.xml. */
        archive_read_free(s->archive);
        s->archive = NULL;
        if (lseek(s->fd, 0, SEEK_SET) != 0)
            return read_failed(s, errno, e);
        status = begin_archive(s, e);
        THEN(status, find_posts(s, true, &found, &n_files, e));
    }
    if (status == ST_OK && found == NULL)
        return err_set(e, ST_INPUT, "%s: an archive of %zu files, none of them %s", s->name, n_files,
                       of_7z ? "Posts.xml" : "with posts");
    if (status == ST_OK && archive_entry_is_encrypted(found))
        return refuse_encrypted(s, e);
    if (status == ST_OK && !known)
        return err_set(
            e, ST_INPUT,
            "%s: the archive does not say how much memory it needs; unpack it with 7z x first, if you trust it",
            s->name);
    if (status == ST_OK && of_7z)
        hand_to_7z(s, path, found);
    return status;
}

/* --- what is inside --- */

static enum status refuse_second(const struct source *s, struct err *e)
{
    return err_set(e, ST_INPUT,
                   "%s: contains more than one file %s, and only the first was read; extract the one that"
                   " you mean with %s",
                   s->name, s->any_member ? "of posts" : members[s->member], s->any_member ? "bsdtar -xf" : "7z x");
}

/* --- compressed streams --- */

static enum status read_unpacked(struct source *s, char *bytes, size_t size, size_t *got, struct err *e)
{
    for (;;) {
        if (!unpack_read(s->unpacker, bytes, size, got))
            return unpack_failed(s->unpacker, s->name, e);
        if (*got > 0 || (s->drained && unpack_is_complete(s->unpacker)))
            return ST_OK;
        if (s->drained)
            return unpack_failed(s->unpacker, s->name, e);
        ssize_t n = next_chunk(s);
        if (n < 0)
            return read_failed(s, errno, e);
        s->drained = n == 0;
        unpack_feed(s->unpacker, (struct span){s->chunk, (size_t)n});
    }
}

/* Block by block: archive_read_data keeps to itself what it has read before an error. */
static enum status read_inside(struct source *s, char *bytes, size_t size, size_t *got, struct err *e)
{
    if (s->unpacker != NULL && s->archive == NULL)
        return read_unpacked(s, bytes, size, got, e);
    if (s->archive == NULL) {
        ssize_t n = read_fd(s, bytes, size);
        if (n < 0)
            return read_failed(s, errno, e);
        *got = (size_t)n;
        if (n > 0 || s->sevenzip.pid == 0)
            return ST_OK;
        char more;
        s->left = 1;
        if (read_fd(s, &more, 1) > 0) /* 7z writes more than the member has */
            return refuse_second(s, e);
        if (!sevenzip_succeeded(&s->sevenzip))
            return err_set(e, ST_INPUT, "%s: damaged or truncated archive: 7z failed after byte %llu of the posts",
                           s->name, (unsigned long long)s->consumed);
        return ST_OK;
    }
    while (s->block.len == 0 && !s->ended) {
        const void *block;
        la_int64_t offset;
        int result = archive_read_data_block(s->archive, &block, &s->block.len, &offset);
        s->block.ptr = block;
        if (result != ARCHIVE_OK)
            s->block.len = 0;
        if (result == ARCHIVE_EOF) {
            s->ended = true;
            /* After the member: libarchive looks at the others only now, as it would decompress them before. */
            struct archive_entry *second = NULL;
            size_t n_files;
            enum status status = find_posts(s, s->any_member, &second, &n_files, e);
            return status == ST_OK && second != NULL ? refuse_second(s, e) : status;
        }
        if (result != ARCHIVE_OK)
            return archive_failed(s, e);
    }
    *got = s->block.len < size ? s->block.len : size;
    if (*got == 0) /* the end: there is no block to copy of */
        return ST_OK;
    memcpy(bytes, s->block.ptr, *got);
    s->block.ptr += *got;
    s->block.len -= *got;
    return ST_OK;
}

/* --- opening --- */

/* The head of what is inside, so that source_head speaks of it. */
static enum status read_archive_head(struct source *s, struct err *e)
{
    char head[HEAD_SIZE]; /* not s->head yet: next_chunk would take it for compressed bytes */
    size_t len = 0, got = 1;
    enum status status = ST_OK;

    buf_reset(&s->head);
    s->head_used = 0;
    while (status == ST_OK && len < HEAD_SIZE && got > 0) {
        got = 0;
        status = read_inside(s, head + len, HEAD_SIZE - len, &got, e);
        len += got;
    }
    buf_add(&s->head, head, len);
    return status;
}

static bool is_7z(struct span head)
{
    return span_starts(head, SPAN("7z\xbc\xaf\x27\x1c"));
}

static bool is_tar(struct span head)
{
    enum { MAGIC_AT = 257 };

    return head.len > MAGIC_AT + 5 && memcmp(head.ptr + MAGIC_AT, "ustar", 5) == 0;
}

#define PICKLE "a pickle of Python; write it as NDJSON first, with pandas' to_json(orient=\"records\", lines=True)"
#define R_DATA "data of R; write it as NDJSON first, with jsonlite's stream_out"
#define WEB_PAGE "a page of the web, not posts: what was downloaded may be a log-in or an error"

/* What is not read, and what helps. */
static enum status refuse_others(const struct source *s, struct err *e)
{
    static const struct {
        struct span magic;
        const char *why;
    } others[] = {
        {{"version https://git-lfs", 23}, "a pointer of Git LFS, not the file itself; git lfs pull brings it"},
        {{"/annex/objects/", 15}, "a pointer of git-annex, not the file itself; git annex get brings it"},
        {{"Rar!\x1a", 5}, "a RAR archive; unpack it with unar first"},
        {{"LZIP", 4}, "compressed by lzip; lzip -dc FILE | ppmine load - reads it"},
        {{"\x04\x22\x4d\x18", 4}, "compressed by lz4; lz4 -dc FILE | ppmine load - reads it"},
        {{"\x1f\x9d", 2}, "compressed by compress; zcat FILE | ppmine load - reads it"},
        {{"SQLite format 3", 15}, "a SQLite database, not posts; ppmine -d opens those of ppmine"},
        {{"PAR1", 4}, "a Parquet file; write it as NDJSON first, with duckdb or pandas"},
        {{"ARROW1", 6}, "a Feather or Arrow file; write it as NDJSON first, with pandas"},
        {{"Obj\x01", 4}, "an Avro file; write it as NDJSON first, with avro-tools tojson"},
        {{"\x80\x03", 2}, PICKLE},
        {{"\x80\x04", 2}, PICKLE},
        {{"\x80\x05", 2}, PICKLE},
        {{"RDX", 3}, R_DATA},
        {{"X\n\0\0\0", 5}, R_DATA},
        {{"<!DOCTYPE html", 14}, WEB_PAGE},
        {{"<!doctype html", 14}, WEB_PAGE},
        {{"<html", 5}, WEB_PAGE},
        {{"%PDF", 4}, "a PDF, not posts"},
    };
    size_t len = strlen(s->name);
    const char *end = s->name + (len > 4 ? len - 4 : 0);

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (span_starts(buf_span(&s->head), others[i].magic))
            return err_set(e, ST_INPUT, "%s: %s", s->name, others[i].why);
    if (len > 4 && end[0] == '.' && strspn(end + 1, "0123456789") == 3 && !is_7z(buf_span(&s->head)))
        return err_set(e, ST_INPUT, "%s: a part of an archive that was split; join all parts with cat %.*s.* > %.*s",
                       s->name, (int)(len - 4), s->name, (int)(len - 4), s->name);
    return ST_OK;
}

/* How a file is compressed shows in its first bytes. */
static enum status open_inside(struct source *s, const char *path, struct err *e)
{
    struct span head = buf_span(&s->head);
    size_t form = unpack_form_of(head);

    if (s->left < UINT64_MAX)
        return ST_OK;
    enum status status = refuse_others(s, e);
    if (status != ST_OK || (form == SIZE_MAX && !is_7z(head) && !zip_begins(head) && !is_tar(head)))
        return status;
    if (form == SIZE_MAX) {
        status = open_archive(s, path, is_7z(head), e);
    } else {
        s->chunk = mem_alloc(CHUNK);
        s->unpacker = unpack_new(form);
        if (s->unpacker == NULL)
            return err_set(e, ST_IO, "%s: cannot begin to decompress", s->name);
        unpack_feed(s->unpacker, (struct span){s->chunk, (size_t)next_chunk(s)}); /* the head */
    }
    THEN(status, read_archive_head(s, e));
    if (status == ST_OK && s->unpacker != NULL && is_tar(buf_span(&s->head))) {
        status = open_archive(s, path, false, e);
        THEN(status, read_archive_head(s, e));
    }
    if (status != ST_OK)
        return status;

    /* The text of a compressed file is posts, and no archive: that would be read as text. */
    head = buf_span(&s->head);
    bool is_compressed = unpack_form_of(head) != SIZE_MAX;
    if (!is_compressed && !is_7z(head) && !zip_begins(head) && !is_tar(head))
        return ST_OK;
    return err_set(e, ST_INPUT, "%s: contains %s again; unpack it once first, with 7z x", s->name,
                   is_compressed ? "a compressed file" : "an archive");
}

static enum status open_file(struct source *s, const char *path, struct err *e)
{
    struct stat info;

    /* A FIFO without a writer is waited for in wait_for_bytes, where a signal is seen. */
    s->fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (s->fd < 0)
        return err_set(e, ST_IO, "%s: %s", s->name, strerror(errno));
    if (s->fd != STDIN_FILENO)
        fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) & ~O_NONBLOCK);
    if (fstat(s->fd, &info) != 0)
        return err_set(e, ST_IO, "%s: %s", s->name, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return err_set(e, ST_IO, "%s: is a directory; name the Posts.xml or .7z file in it", s->name);
    s->seekable = S_ISREG(info.st_mode);
    s->size = s->seekable ? (uint64_t)info.st_size : 0;
    if (s->left < s->size)
        s->size = s->left;
    buf_reserve(&s->head, HEAD_SIZE);
    for (ssize_t got = 1; got > 0 && s->head.len < HEAD_SIZE; s->head.len += (size_t)got) {
        got = read_fd(s, s->head.ptr + s->head.len, HEAD_SIZE - s->head.len);
        if (got < 0)
            return read_failed(s, errno, e);
    }
    return open_inside(s, path, e);
}

enum status source_open(struct source **out, const char *path, struct err *e)
{
    return source_open_part(out, path, UINT64_MAX, e);
}

static enum status open_source(struct source *s, const char *path, struct source **out, struct err *e)
{
    enum status status = open_file(s, path, e);

    *out = status == ST_OK ? s : NULL;
    if (status != ST_OK)
        source_close(s);
    return status;
}

static struct source *new_source(struct span name, uint64_t bytes)
{
    struct source *s = mem_zero(1, sizeof *s);

    s->left = bytes;
    s->fd = -1;
    s->sevenzip.fd = -1;
    s->name = mem_text(name);
    return s;
}

struct source *source_of_text(struct span text, const char *name)
{
    struct source *s = new_source(span_of(name), 0);

    buf_add_span(&s->head, text);
    return s;
}

enum status source_open_part(struct source **out, const char *path, uint64_t bytes, struct err *e)
{
    struct source *s = new_source(strcmp(path, "-") == 0 ? SPAN("standard input") : span_of(path), bytes);

    return open_source(s, path, out, e);
}

enum status source_open_member(struct source **out, const char *path, enum source_member member, struct err *e)
{
    AT_END(mem_end) char *name = mem_addf("%s/%s", path, members[member]);
    struct source *s = new_source(span_of(name), UINT64_MAX);
    s->member = member;
    return open_source(s, path, out, e);
}

void source_close(struct source *s)
{
    if (s == NULL)
        return;
    if (s->archive != NULL)
        archive_read_free(s->archive);
    unpack_free(s->unpacker);
    if (s->fd > STDERR_FILENO)
        close(s->fd); /* before 7z is waited for, which may wait for us to read */
    sevenzip_close(&s->sevenzip);
    buf_clear(&s->head);
    mem_free(s->chunk);
    mem_free(s->inner);
    mem_free(s->name);
    mem_free(s);
}

/* --- reading --- */

bool source_decompresses(const struct source *s)
{
    return s->archive != NULL || s->unpacker != NULL;
}

struct span source_head(const struct source *s)
{
    return buf_span(&s->head);
}

enum status source_read(struct source *s, char *bytes, size_t size, size_t *got, struct err *e)
{
    *got = 0;
    if (s->head_used < s->head.len) {
        size_t left = s->head.len - s->head_used;
        *got = left < size ? left : size;
        memcpy(bytes, s->head.ptr + s->head_used, *got);
        s->head_used += *got;
        return ST_OK;
    }
    return read_inside(s, bytes, size, got, e);
}
