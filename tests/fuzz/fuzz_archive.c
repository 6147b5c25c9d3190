/*
 * Archives. 'r' and bytes: they are a file. A letter of `forms`, a kind of damage, a place (two bytes) and a
 * text: the text packed in this form comes back as it is; cut short or with a bit changed the file is
 * refused, or the text still comes back whole. What is read in one piece is what is read in small ones,
 * up to a damage.
 */
#include "base/log.h"
#include "fetch/fetch.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* More is a bomb: the reader goes on to its end in constant memory, which takes time here. */
enum { TEXT_MAX = 8 << 20, PACKED_MAX = 1 << 20 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* --- reading --- */

/* ST_OK at the end, or after TEXT_MAX bytes. */
static enum status read_file(struct span content, size_t piece, struct buf *out, struct err *e)
{
    static int fd = -1;
    struct source *s;
    size_t got = 1;
    char path[64];

    if (fd < 0)
        fd = memfd_create("archive", MFD_CLOEXEC);
    require(fd >= 0 && ftruncate(fd, 0) == 0);
    require(pwrite(fd, content.ptr, content.len, 0) == (ssize_t)content.len);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum status status = source_open(&s, path, e);
    if (status != ST_OK)
        return status;
    require(source_head(s).len <= TEXT_MAX);
    while (status == ST_OK && got > 0 && out->len < TEXT_MAX) {
        buf_reserve(out, piece);
        status = source_read(s, out->ptr + out->len, piece, &got, e);
        if (status == ST_OK)
            out->len += got;
    }
    source_close(s);
    return status;
}

static void check_file(struct span content)
{
    struct buf large = {0}, small = {0};
    struct err e = {0};
    enum status status = read_file(content, (size_t)1 << 18, &large, &e);

    require(status == ST_OK || ((status == ST_INPUT || status == ST_IO) && e.text[0] != '\0'));
    if (large.len < 4096) {
        require(read_file(content, 7, &small, &e) == status);
        /* Just before a damage, how much comes out depends on how much was asked for. */
        struct span a = buf_span(&small), b = buf_span(&large);
        require(status == ST_OK ? span_eq(a, b) : span_starts(a, b) || span_starts(b, a));
    }
    buf_clear(&large);
    buf_clear(&small);
}

/* --- packing --- */

static const struct {
    char letter;
    int format, filter;
    bool checked; /* has a checksum of its text */
    bool bounded; /* says where it ends */
} forms[] = {
    {'7', ARCHIVE_FORMAT_7ZIP, ARCHIVE_FILTER_NONE, true, true},
    {'x', ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_XZ, true, true},
    {'b', ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_BZIP2, true, true},
    {'g', ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_GZIP, true, true},
    {'z', ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_ZSTD, false, true},
};

static size_t pack(size_t form, struct span text, char *out)
{
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    size_t used = 0;

    require(archive_write_set_format(a, forms[form].format) == ARCHIVE_OK);
    require(archive_write_add_filter(a, forms[form].filter) == ARCHIVE_OK);
    if (forms[form].filter == ARCHIVE_FILTER_XZ)
        archive_write_set_options(a, "xz:compression-level=0");
    if (forms[form].format == ARCHIVE_FORMAT_7ZIP)
        archive_write_set_options(a, text.len % 2 == 0 ? "compression=bzip2" : "compression=deflate");
    require(archive_write_open_memory(a, out, PACKED_MAX, &used) == ARCHIVE_OK);
    archive_entry_set_pathname(entry, "Posts.xml");
    archive_entry_set_size(entry, (la_int64_t)text.len);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    require(archive_write_header(a, entry) == ARCHIVE_OK);
    require(archive_write_data(a, text.ptr, text.len) == (la_ssize_t)text.len);
    require(archive_write_close(a) == ARCHIVE_OK);
    archive_entry_free(entry);
    archive_write_free(a);
    return used;
}

enum damage { WHOLE, CUT, CHANGED, DAMAGES };

/* What is packed twice is refused. */
static bool is_packed(struct span text)
{
    /* clang-format off */
    static const struct span starts[] = {{"BZh", 3}, {"\x28\xb5\x2f\xfd", 4}, {"\x1f\x8b", 2}, {"\xfd" "7zXZ", 5},
                                         {"7z\xbc\xaf\x27\x1c", 6}, {"PK\x03\x04", 4}};
    /* clang-format on */

    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (span_starts(text, starts[i]))
            return true;
    return text.len > 262 && memcmp(text.ptr + 257, "ustar", 5) == 0;
}

static void check_packed(size_t form, enum damage damage, size_t place, struct span text)
{
    static char packed[PACKED_MAX];
    struct buf found = {0};
    struct err e = {0};

    size_t len = pack(form, text, packed);
    if (damage == CUT)
        len = place % len;
    if (damage == CHANGED)
        packed[place % len] ^= (char)(1U << (place / len) % 8);
    enum status status = read_file((struct span){packed, len}, (size_t)1 << 16, &found, &e);
    bool same = status == ST_OK && span_eq(buf_span(&found), text);
    require(status == ST_OK || e.text[0] != '\0');
    require(damage != WHOLE || same || (forms[form].letter == '7' && text.len == 0));
    /* The first bytes say what it is: without them it is a file of another kind. */
    require(damage != CUT || len < 6 || (forms[form].bounded && (status == ST_INPUT || same)));
    require(damage != CHANGED || place % len < 6 || !forms[form].checked || status == ST_INPUT || same);
    buf_clear(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    log_set_level(LOG_QUIET);
    setenv("PATH", "/nonexistent", 1); /* not by the program 7z, which is no target */
    if (size > 0 && data[0] == 'r')
        check_file((struct span){(const char *)data + 1, size - 1});
    if (size < 4 || size > PACKED_MAX / 2)
        return 0;
    struct span text = {(const char *)data + 4, size - 4};
    for (size_t i = 0; i < ARRAY_LEN(forms) && !is_packed(text); i++)
        if ((char)data[0] == forms[i].letter)
            check_packed(i, (enum damage)(data[1] % DAMAGES), data[2] << 8U | data[3], text);
    return 0;
}
