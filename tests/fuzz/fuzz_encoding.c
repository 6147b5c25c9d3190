/*
 * The encoding of a dump. 'r' and bytes: they are a file; one with a mark of UTF-16, or of UTF-32 with the little
 * end first, becomes what a decoder of a few lines makes of it, or is refused. 'e' and UTF-8: as UTF-16 of either order of bytes it has the
 * same rows.
 */
#include "base/log.h"
#include "base/utf8.h"
#include "fetch/encoding.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static struct source *open_bytes(struct span content)
{
    static int fd = -1;
    struct source *s;
    struct err e = {0};
    char path[64];

    if (fd < 0)
        fd = memfd_create("dump", MFD_CLOEXEC);
    require(fd >= 0 && ftruncate(fd, 0) == 0);
    require(pwrite(fd, content.ptr, content.len, 0) == (ssize_t)content.len);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (source_open(&s, path, &e) == ST_OK)
        return s;
    require(e.text[0] != '\0'); /* it begins like something compressed */
    return NULL;
}

/* --- the decoder --- */

static uint32_t unit_at(struct span s, size_t i, bool big)
{
    unsigned char first = (unsigned char)s.ptr[i], second = (unsigned char)s.ptr[i + 1];

    return big ? first << 8U | second : second << 8U | first;
}

static void add_character(struct buf *out, uint32_t c)
{
    if (c < 0x80) {
        buf_add_char(out, (char)c);
        return;
    }
    if (c < 0x800) {
        buf_add_char(out, (char)(0xC0U | c >> 6U));
    } else {
        if (c < 0x10000) {
            buf_add_char(out, (char)(0xE0U | c >> 12U));
        } else {
            buf_add_char(out, (char)(0xF0U | c >> 18U));
            buf_add_char(out, (char)(0x80U | (c >> 12U & 0x3FU)));
        }
        buf_add_char(out, (char)(0x80U | (c >> 6U & 0x3FU)));
    }
    buf_add_char(out, (char)(0x80U | (c & 0x3FU)));
}

/* False at the first pair of surrogates that is none, and at half a unit. */
static bool decode(struct buf *out, struct span s)
{
    bool big = s.ptr[0] == '\xfe';

    for (size_t i = 2; i < s.len; i += 2) {
        if (i + 1 == s.len)
            return false;
        uint32_t c = unit_at(s, i, big);
        if (c >= 0xD800 && c < 0xDC00 && i + 3 < s.len) {
            uint32_t low = unit_at(s, i + 2, big);
            if (low < 0xDC00 || low > 0xDFFF)
                return false;
            c = 0x10000 + ((c - 0xD800) << 10U) + (low - 0xDC00);
            i += 2;
        } else if (c >= 0xD800 && c < 0xE000) {
            return false;
        }
        add_character(out, c);
    }
    return true;
}

/* The same of UTF-32, whose mark of little end first begins like that of UTF-16. */
static bool decode_four(struct buf *out, struct span s)
{
    for (size_t i = 4; i < s.len; i += 4) {
        if (i + 4 > s.len)
            return false;
        uint32_t c = unit_at(s, i, false) | unit_at(s, i + 2, false) << 16U;
        if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
            return false;
        add_character(out, c);
    }
    return true;
}

/* --- any file --- */

static enum status read_all(struct source *source, struct buf *out, struct err *e)
{
    struct encoded_source s;
    size_t got = 1;
    enum status status = encoded_open(&s, source, e);

    while (status == ST_OK && got > 0) {
        buf_reserve(out, 700);
        status = encoded_read(&s, out->ptr + out->len, 700, &got, e);
        if (status == ST_OK)
            out->len += got;
    }
    encoded_close(&s);
    return status;
}

static void check_file(struct span content)
{
    struct buf text = {0}, expected = {0};
    struct err e = {0};
    struct source *source = open_bytes(content);

    if (source == NULL)
        return;
    enum status status = read_all(source, &text, &e);
    source_close(source);
    require(status == ST_OK || (status == ST_INPUT && e.text[0] != '\0'));
    if (span_starts(content, SPAN("\xff\xfe")) || span_starts(content, SPAN("\xfe\xff"))) {
        bool is_four = span_starts(content, SPAN("\xff\xfe\0\0"));
        bool whole = is_four ? decode_four(&expected, content) : decode(&expected, content);
        require(whole == (status == ST_OK));
        /* What came before the fault was handed out, and was right. */
        require(whole ? span_eq(buf_span(&text), buf_span(&expected))
                      : span_starts(buf_span(&expected), buf_span(&text)));
    }
    buf_clear(&text);
    buf_clear(&expected);
}

/* --- the same dump twice --- */

struct seen {
    struct buf rows; /* ids and texts */
    uint64_t refused;
};

static void scan_row(void *ctx, unsigned worker, struct dump_block *b)
{
    struct row row;

    (void)ctx;
    (void)worker;
    while (dump_next(b, &row))
        array_add(&b->rows, row);
}

static enum status take_rows(void *ctx, struct dump_block *b, struct err *e)
{
    struct seen *seen = ctx;
    struct arena arena = {0};
    struct span title, body;
    const char *why;

    (void)e;
    for (size_t i = 0; i < b->rows.n; i++) {
        buf_addf(&seen->rows, "%lld %lld ", (long long)b->rows.at[i].id, (long long)b->rows.at[i].type);
        if (row_texts(&b->rows.at[i], &arena, &title, &body, &why)) {
            buf_add_span(&seen->rows, title);
            buf_add_span(&seen->rows, body);
        }
    }
    arena_clear(&arena);
    return ST_OK;
}

static void refuse_row(void *ctx, uint64_t offset, int64_t id, const char *why)
{
    struct seen *seen = ctx;

    (void)offset;
    (void)id;
    require(why != NULL);
    seen->refused++;
}

static enum status read_rows(struct span content, struct seen *seen)
{
    const struct dump_options options = {.threads = 1};
    const struct dump_handler handler = {seen, scan_row, take_rows, refuse_row};
    struct dump_stats stats;
    struct err e = {0};
    struct source *source = open_bytes(content);

    if (source == NULL)
        return ST_IO;
    enum status status = dump_read(source, &options, &handler, &stats, &e);
    source_close(source);
    require(status == ST_OK || e.text[0] != '\0');
    return status;
}

static void add_unit(struct buf *out, uint32_t unit, bool big)
{
    buf_add_char(out, (char)(big ? unit >> 8U : unit));
    buf_add_char(out, (char)(big ? unit : unit >> 8U));
}

static void encode(struct buf *out, struct span text, bool big)
{
    add_unit(out, 0xFEFF, big);
    for (size_t i = 0; i < text.len;) {
        unsigned char c = (unsigned char)text.ptr[i++];
        uint32_t more = c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3; /* NOLINT: as the table of RFC 3629 */
        uint32_t point = more == 0 ? c : c & (0x3FU >> more);
        while (more-- > 0)
            point = point << 6U | ((unsigned char)text.ptr[i++] & 0x3FU);
        if (point < 0x10000) {
            add_unit(out, point, big);
        } else {
            add_unit(out, 0xD800 + ((point - 0x10000) >> 10U), big);
            add_unit(out, 0xDC00 + ((point - 0x10000) & 0x3FFU), big);
        }
    }
}

static void check_equal(struct span text)
{
    struct seen expected = {0}, found = {0};
    struct buf encoded = {0};

    text.len = utf8_valid_prefix(text);
    /* A name of an encoding is for the form that the file has, and so are zeros among the first letters; a mark is none
     * of its text. */
    if (span_find(text, SPAN("encoding")) != SIZE_MAX || span_starts(text, SPAN("\xef\xbb\xbf")) ||
        memchr(text.ptr, '\0', text.len < 4 ? text.len : 4) != NULL)
        return;
    enum status status = read_rows(text, &expected);
    for (int big = 0; big < 2 && status != ST_IO; big++) {
        encode(&encoded, text, big);
        require(read_rows(buf_span(&encoded), &found) == status);
        require(found.refused == expected.refused);
        require(span_eq(buf_span(&found.rows), buf_span(&expected.rows)));
        buf_reset(&encoded);
        buf_reset(&found.rows);
        found.refused = 0;
    }
    buf_clear(&expected.rows);
    buf_clear(&found.rows);
    buf_clear(&encoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    log_set_level(LOG_QUIET);
    if (size == 0)
        return 0;
    struct span rest = {(const char *)data + 1, size - 1};
    if (data[0] == 'r')
        check_file(rest);
    else if (data[0] == 'e')
        check_equal(rest);
    return 0;
}
