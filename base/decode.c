/* Text of spreadsheets, in UTF-8, UTF-16 or Windows-1252, becomes UTF-8. */
#include "base/base.h"

static void add_character(struct buf *out, uint32_t code_point)
{
    char bytes[4];

    buf_add(out, bytes, utf8_put(code_point, bytes));
}

static size_t lines_before(struct span s, size_t end)
{
    size_t lines = 0;

    for (size_t i = 0; i < end && i < s.len; i++)
        lines += s.ptr[i] == '\n';
    return lines;
}

/* --- UTF-16 --- */

static uint32_t unit_at(struct span s, size_t at, bool big)
{
    uint32_t first = (unsigned char)s.ptr[at], second = (unsigned char)s.ptr[at + 1];

    return big ? first << 8 | second : second << 8 | first;
}

static enum status MUST_USE decode_utf16(struct span s, bool big, const char *name,
                                         struct buf *out, struct err *e)
{
    for (size_t at = 0; at < s.len; at += 2) {
        uint32_t unit = at + 1 < s.len ? unit_at(s, at, big) : 0xdc00, low = 0;
        bool is_high = unit >= 0xd800 && unit < 0xdc00;
        if (is_high && at + 3 < s.len)
            low = unit_at(s, at + 2, big);
        bool is_pair = is_high && low >= 0xdc00 && low < 0xe000;
        if (unit >= 0xd800 && unit < 0xe000 && !is_pair)
            return err_set(e, ST_INPUT, "%s:%zu: half a character of UTF-16; was the file cut off?"
                           " Save it as CSV in UTF-8", name,
                           lines_before(buf_span(out), out->len) + 1);
        if (at > 0 || unit != 0xfeff) /* the byte order mark */
            add_character(out, is_pair ? 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00 : unit);
        at += is_pair ? 2 : 0;
    }
    return ST_OK;
}

/* --- Windows-1252 --- */

/* Of the bytes 80 to 9f, as in the WHATWG Encoding Standard; 0: the code page has nothing there. */
static const uint16_t windows_1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

static enum status MUST_USE decode_windows_1252(struct span s, const char *name, struct buf *out,
                                                struct err *e)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        uint32_t code_point = c >= 0x80 && c < 0xa0 ? windows_1252[c - 0x80] : c;
        if (code_point == 0 && c != 0)
            return err_set(e, ST_INPUT, "%s:%zu: the byte %02x is neither UTF-8 nor Windows-1252;"
                           " save the file as CSV in UTF-8", name, lines_before(s, i) + 1, c);
        add_character(out, code_point);
    }
    return ST_OK;
}

/* --- which one --- */

const char *const text_encoding_names[] = {"UTF-8", "UTF-8 with a byte order mark", "UTF-16",
                                           "Windows-1252"};

/* The first character of a table is ASCII, so that UTF-16 shows without its mark too. */
static bool is_utf16(struct span s, bool *big)
{
    if (s.len < 2)
        return false;
    *big = span_starts(s, SPAN("\xfe\xff")) || (s.ptr[0] == '\0' && s.ptr[1] != '\0');
    return *big || span_starts(s, SPAN("\xff\xfe")) || (s.ptr[0] != '\0' && s.ptr[1] == '\0');
}

enum status text_decode(struct span bytes, const char *name, struct buf *out,
                        enum text_encoding *encoding, struct err *e)
{
    bool big, marked = span_starts(bytes, SPAN("\xef\xbb\xbf"));

    if (is_utf16(bytes, &big)) {
        *encoding = TEXT_UTF16;
        return decode_utf16(bytes, big, name, out, e);
    }
    if (marked)
        bytes = (struct span){bytes.ptr + 3, bytes.len - 3};
    /* A file that says that it is UTF-8 is taken at its word, faults and all. */
    if (marked || utf8_valid_prefix(bytes) == bytes.len) {
        *encoding = marked ? TEXT_UTF8_MARKED : TEXT_UTF8;
        buf_add_span(out, bytes);
        return ST_OK;
    }
    *encoding = TEXT_WINDOWS_1252;
    return decode_windows_1252(bytes, name, out, e);
}
