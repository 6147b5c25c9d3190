/* sevenzip: headers of 7z archives, byte by byte. */
#include "fetch/sevenzip.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include <lzma.h>

/* Of the header itself: an end of streams is not looked for. P is what is said of what is packed. */
#define P "06 00 01 09 05 00"
#define PACKED(pos, size) "17 06 " pos " 01 09 " size " 00"

struct header {
    const char *bytes; /* hexadecimal */
    bool known;
    uint64_t mb;
};

static void add_hex(struct buf *out, const char *hex)
{
    for (struct span rest = span_of(hex), byte; span_cut(&rest, ' ', &byte);)
        if (byte.len == 2)
            buf_add_char(out, (char)(hex_digit(byte.ptr[0]) * 16 + hex_digit(byte.ptr[1])));
}

static void add_number(struct buf *out, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        buf_add_char(out, (char)(value >> 8 * i));
}

/* An archive: what is packed, and the header, which is said to be at a place and of a size. */
static bool ask_of(struct span packed, struct span header, uint64_t at, uint64_t size, uint64_t *bytes)
{
    struct buf file = {0};
    int fd = memfd_create("archive", MFD_CLOEXEC);

    buf_add(&file, "7z\xbc\xaf\x27\x1c\0\4\0\0\0\0", 12);
    add_number(&file, at);
    add_number(&file, size);
    add_hex(&file, "00 00 00 00");
    buf_add_span(&file, packed);
    buf_add_span(&file, header);
    assert_true(fd >= 0 && write(fd, file.ptr, file.len) == (ssize_t)file.len);
    bool known = sevenzip_memory(fd, bytes, NULL, 0, NULL);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), file.len); /* the place stays */
    close(fd);
    buf_clear(&file);
    return known;
}

static bool ask(struct span packed, struct span header, uint64_t *bytes)
{
    return ask_of(packed, header, packed.len, header.len, bytes);
}

static void check(const struct header *h, size_t n, struct span packed)
{
    for (size_t i = 0; i < n; i++) {
        struct buf header = {0};
        uint64_t bytes, cut_bytes;
        add_hex(&header, h[i].bytes);
        bool known = ask(packed, buf_span(&header), &bytes);
        if (known != h[i].known || bytes >> 20U != h[i].mb)
            fail_msg("%s: %d, %llu MB", h[i].bytes, known, (unsigned long long)(bytes >> 20U));
        /* Cut anywhere, it is not known, and no more is said than before. */
        for (size_t len = 0; known && len < header.len; len++)
            if (ask(packed, (struct span){header.ptr, len}, &cut_bytes) || cut_bytes > bytes)
                fail_msg("%s: known from %zu bytes", h[i].bytes, len);
        buf_clear(&header);
    }
}

TEST(adds_up_what_coders_need)
{
    static const struct header headers[] = {
        {"01 04 " P " 07 0b 01 00 01 21 21 01 22 0c 05", true, 512},
        {"01 04 " P " 07 0b 01 00 01 21 21 01 1f 0c 05", true, 192},
        {"01 04 " P " 07 0b 01 00 01 21 21 01 28 0c 05", true, 4095},
        {"01 04 " P " 07 0b 01 00 01 21 21 01 ff 0c 05", true, 4095},
        {"01 04 " P " 07 0b 01 00 01 23 03 01 01 05 5d 00 00 00 20 0c 05", true, 512},
        {"01 04 " P " 07 0b 01 00 01 23 03 04 01 05 06 00 00 00 30 0c 05", true, 768},
        {"01 04 " P " 07 0b 01 00 01 03 04 02 02 0c 05", true, 0}, /* bzip2 */
        {"01 04 " P " 07 0b 01 00 01 01 00 0c 05", true, 0},       /* not packed */
        /* The larger of two folders; the sum of what is chained in one, a filter among them. */
        {"01 04 " P " 07 0b 02 00 01 21 21 01 20 01 21 21 01 1e 0c 05", true, 256},
        {"01 04 " P " 07 0b 02 00 01 01 00 01 21 21 01 20 0c 05", true, 256},
        {"01 04 " P " 07 0b 01 00 03 21 21 01 1e 21 21 01 1e 04 03 03 01 03 00 01 01 02 0c 05", true, 256},
        /* One coder of four streams. */
        {"01 04 " P " 07 0b 01 00 01 14 03 03 01 1b 04 01 00 01 02 03 0c 05", true, 0},
        /* Numbers of more than one byte. */
        {"01 04 06 80 01 02 09 05 05 00 07 0b 01 00 01 21 21 01 22 0c bf ff", true, 512},
        {"01 04 06 ff 01 02 03 04 05 06 07 08 01 09 05 00 07 0b 01 00 01 21 21 01 22 0c 05", true, 512},
    };

    check(headers, ARRAY_LEN(headers), (struct span){0});
}

TEST(passes_over_what_it_does_not_need)
{
    static const struct header headers[] = {
        /* Properties of the archive; checksums of two packed streams, of one of them. */
        {"01 02 07 02 aa bb 08 00 00 04 " P " 07 0b 01 00 01 21 21 01 22 0c 05", true, 512},
        {"01 04 06 00 02 09 05 05 0a 01 11 11 11 11 22 22 22 22 00 07 0b 01 00 01 21 21 01 22 0c 05", true, 512},
        {"01 04 06 00 02 09 05 05 0a 00 80 11 11 11 11 00 07 0b 01 00 01 21 21 01 22 0c 05", true, 512},
        /* No file has content. */
        {"01 05", true, 0},
        {"01 00", true, 0},
    };

    check(headers, ARRAY_LEN(headers), (struct span){0});
}

TEST(says_what_it_cannot_read)
{
    static const struct header headers[] = {
        {"", false, 0},
        {"02", false, 0},
        {"01 03 " P " 07 0b 01 00 01 21 21 01 22 0c 05", false, 0},       /* further streams */
        {"01 04 07 00", false, 0},                                        /* nothing is packed */
        {"01 04 06 00 00 09 00 07", false, 0},                            /* no stream is */
        {"01 04 06 00 01 0b 05 00", false, 0},                            /* no sizes */
        {"01 04 06 00 01 09 05 05 00", false, 0},                         /* more sizes than streams */
        {"01 04 06 00 ff ff ff ff ff ff ff ff ff 09 05", false, 0},       /* streams without end */
        {"01 04 " P " 07 0b 01 01 00", false, 0},                         /* folders elsewhere */
        {"01 04 " P " 07 0b 00 00 0c", false, 0},                         /* none */
        {"01 04 " P " 07 0b 01 00 00 0c 05", false, 0},                   /* no coder */
        {"01 04 " P " 07 0b 01 00 21 21 21 01 22 0c 05", false, 0},       /* 33 */
        {"01 04 " P " 07 0b 01 00 01 11 21 21 01 0c 05", false, 0},       /* of 33 streams */
        {"01 04 " P " 07 0b 01 00 01 11 21 00 00 0c 05", false, 0},       /* of none */
        {"01 04 " P " 07 0b 01 00 01 11 21 00 02 00 00 0c 05", false, 0}, /* of more out than in */
        {"01 04 " P " 07 0b 01 00 01 21 21 01 22 0d 05", false, 512},     /* no sizes of what is unpacked */
        {"01 02 07 05 aa", false, 0},                                     /* a property that is cut */
        {PACKED("00", "05"), false, 0},
    };

    check(headers, ARRAY_LEN(headers), SPAN("12345"));
}

/* --- headers that are packed --- */

TEST(reads_headers_that_are_stored_as_they_are)
{
    struct buf inner = {0};
    static const struct header headers[] = {
        {PACKED("00", "13") " 07 0b 01 00 01 01 00 0c 13", true, 512},
        {PACKED("00", "40") " 07 0b 01 00 01 01 00 0c 40", false, 0}, /* behind the end of the file */
        {PACKED("ff ff ff ff ff ff ff ff ff", "13") " 07 0b 01 00 01 01 00 0c 13", false, 0},
        {PACKED("00", "f0 00 00 00 10") " 07 0b 01 00 01 01 00 0c 13", false, 0}, /* 256 MB of header */
        {PACKED("00", "13") " 07 0b 01 00 01 01 00 0c f0 00 00 00 10", false, 0},
        {PACKED("00", "13") " 07 0b 01 00 01 04 06 f1 07 01 0c 13", false, 0}, /* encrypted */
        /* What the header itself needs is too much; its method is refused before it is asked. */
        {PACKED("00", "13") " 07 0b 01 00 01 21 21 01 22 0c 13", false, 512},
        {PACKED("00", "13") " 07 0b 01 00 01 23 03 01 01 05 5d 00 00 00 20 0c 13", false, 512},
        /* It is no LZMA. */
        {PACKED("00", "13") " 07 0b 01 00 01 21 21 01 10 0c 13", false, 1},
        {PACKED("00", "13") " 07 0b 01 00 01 23 03 01 01 05 ff 00 00 01 00 0c 13", false, 0},
        {PACKED("00", "13") " 07 0b 01 00 01 23 03 01 01 01 5d 0c 13", false, 0},
    };

    add_hex(&inner, "01 04 " P " 07 0b 01 00 01 21 21 01 22 0c 05");
    assert_int_equal(inner.len, 0x13);
    check(headers, ARRAY_LEN(headers), buf_span(&inner));
    buf_clear(&inner);
}

TEST(ends_at_a_header_that_contains_itself)
{
    struct buf header = {0};
    uint64_t bytes;

    add_hex(&header, PACKED("00", "10") " 07 0b 01 00 01 01 00 0c 10");
    assert_int_equal(header.len, 0x10);
    assert_false(ask((struct span){0}, buf_span(&header), &bytes));
    assert_int_equal(bytes, 0);
    buf_clear(&header);
}

/* A header as 7z packs it: all of it is read, and it may be as long as a program for files writes it. */
TEST(unpacks_headers)
{
    lzma_options_lzma options;
    struct buf inner = {0}, header = {0};
    uint8_t packed[1 << 16];
    uint64_t bytes;

    assert_false(lzma_lzma_preset(&options, 0));
    options.dict_size = 1 << 20;
    add_hex(&inner, "01 04 " P " 07 0b 01 00 01 21 21 01 22 0c 05");
    for (int i = 0; i < 1000; i++)
        buf_addf(&inner, "file %d", i);
    for (int is_first = 0; is_first < 2; is_first++) {
        lzma_filter filters[] = {{is_first ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2, &options},
                                 {LZMA_VLI_UNKNOWN, NULL}};
        size_t len = 0;
        assert_int_equal(
            lzma_raw_buffer_encode(filters, NULL, (const uint8_t *)inner.ptr, inner.len, packed, &len, sizeof packed),
            LZMA_OK);
        assert_true(len < 0x3fff && inner.len < 0x3fff);
        buf_reset(&header);
        add_hex(&header, "17 06 00 01 09");
        buf_addf(&header, "%c%c", (char)(0x80 | len >> 8), (char)(len & 0xff));
        add_hex(&header,
                is_first ? "00 07 0b 01 00 01 23 03 01 01 05 5d 00 00 10 00 0c" : "00 07 0b 01 00 01 21 21 01 10 0c");
        buf_addf(&header, "%c%c", (char)(0x80 | inner.len >> 8), (char)(inner.len & 0xff));
        assert_true(ask((struct span){(char *)packed, len}, buf_span(&header), &bytes));
        assert_int_equal(bytes, 512 << 20);
        /* Damaged, or shorter than it says. */
        packed[len / 2] ^= 0xff;
        packed[len / 2 + 1] ^= 0xff;
        (void)ask((struct span){(char *)packed, len}, buf_span(&header), &bytes);
        header.ptr[header.len - 1]++;
        assert_false(ask((struct span){(char *)packed, len}, buf_span(&header), &bytes));
    }
    buf_clear(&inner);
    buf_clear(&header);
}

TEST(looks_for_the_header_inside_the_file)
{
    uint64_t bytes;

    assert_true(ask_of((struct span){0}, SPAN("\1\5"), 0, 2, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), 0, 3, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), 0, 0, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), 2, 2, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), 0, UINT64_MAX, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), UINT64_MAX, 2, &bytes));
    assert_false(ask_of((struct span){0}, SPAN("\1\5"), INT64_MAX, 2, &bytes));
    assert_false(sevenzip_memory(-1, &bytes, NULL, 0, NULL));
    assert_int_equal(bytes, 0);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
