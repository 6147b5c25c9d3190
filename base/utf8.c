/* UTF-8: validity, characters; and other encodings, which become it. */
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <unistr.h>

size_t utf8_valid_prefix(struct span s)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    size_t i = 0;

    while (i < s.len) {
        uint64_t word;
        while (s.len - i >= sizeof word) { /* eight ASCII bytes at a time */
            memcpy(&word, p + i, sizeof word);
            if ((word & UINT64_C(0x8080808080808080)) != 0)
                break;
            i += sizeof word;
        }
        if (i == s.len)
            break;
        int len = p[i] < 0x80 ? 1 : u8_mblen(p + i, s.len - i); /* it returns 0 for a NUL */
        if (len <= 0)
            return i;
        i += (size_t)len;
    }
    return i;
}

size_t utf8_count(struct span s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.ptr[i] & 0xC0U) != 0x80;
    return n;
}

size_t utf8_whole(struct span s)
{
    for (size_t back = 1; back < 4 && back <= s.len; back++) {
        unsigned char c = (unsigned char)s.ptr[s.len - back];
        size_t needs = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
        if (c >= 0xc0)
            return s.len - (needs > back ? back : 0);
        if (c < 0x80)
            break;
    }
    return s.len;
}

struct span utf8_cut(struct span *rest)
{
    struct span part = {rest->ptr, utf8_valid_prefix(*rest)};
    size_t used = part.len;

    if (used == 0 && rest->len > 0) {
        part = SPAN("\xef\xbf\xbd");
        used = 1;
    }
    rest->ptr += used;
    rest->len -= used;
    return part;
}

size_t utf8_decode(const char *p, const char *end, uint32_t *code_point)
{
    static const unsigned char lead_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned char c = (unsigned char)p[0];
    size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    if ((size_t)(end - p) < len)
        len = 1;
    uint32_t value = c & lead_mask[len];
    for (size_t i = 1; i < len; i++)
        value = value << 6 | ((unsigned char)p[i] & 0x3f);
    *code_point = value;
    return len;
}

size_t utf8_put(uint32_t code_point, char out[4])
{
    int len = u8_uctomb((uint8_t *)out, code_point, 4);

    return len > 0 ? (size_t)len : 0;
}

/* --- text of spreadsheets, in UTF-8, UTF-16 or an encoding that is named, becomes UTF-8 --- */

static size_t lines_before(struct span s, size_t end)
{
    size_t lines = 0;

    for (size_t i = 0; i < end && i < s.len; i++)
        lines += s.ptr[i] == '\n';
    return lines;
}

/* `utf16`: nobody named the encoding. */
static enum status MUST_USE decode(struct span s, const char *encoding, bool utf16, const char *name, struct buf *out,
                                   struct err *e)
{
    iconv_t converter = iconv_open("UTF-8", encoding);
    /* iconv changes no input, but its type does not say so. */
    char *in;
    size_t left = s.len, done = 0;

    memcpy(&in, &s.ptr, sizeof in);
    if ((intptr_t)converter == -1)
        return err_set(e, ST_USAGE, "--encoding '%s' is not known; 'iconv -l' lists those that are", encoding);
    while (left > 0 && done != SIZE_MAX) {
        buf_reserve(out, left + 16);
        char *to = out->ptr + out->len;
        size_t room = left + 16;
        errno = 0;
        size_t result = iconv(converter, &in, &left, &to, &room);
        out->len = (size_t)(to - out->ptr);
        done = result == (size_t)-1 && errno != E2BIG ? SIZE_MAX : 0;
    }
    iconv_close(converter);
    if (done == 0)
        return ST_OK;
    if (utf16)
        return err_set(e, ST_INPUT, "%s:%zu: half a character of UTF-16; was the file cut off? Save it as CSV in UTF-8",
                       name, lines_before(buf_span(out), out->len) + 1);
    return err_set(e, ST_INPUT, "%s:%zu: the byte %02x is not %s", name, lines_before(s, s.len - left) + 1,
                   (unsigned char)*in, encoding);
}

/* --- which one --- */

/* The first character of a table is ASCII, so that UTF-16 shows without its mark too. */
static bool is_utf16(struct span s, bool *big)
{
    if (s.len < 2)
        return false;
    *big = span_starts(s, SPAN("\xfe\xff")) || (s.ptr[0] == '\0' && s.ptr[1] != '\0');
    return *big || span_starts(s, SPAN("\xff\xfe")) || (s.ptr[0] != '\0' && s.ptr[1] == '\0');
}

enum status text_decode(struct span bytes, const char *encoding, const char *name, struct buf *room, struct span *text,
                        enum text_encoding *found, struct err *e)
{
    bool big, marked = span_starts(bytes, SPAN("\xef\xbb\xbf")), utf16 = is_utf16(bytes, &big);
    enum status status;

    *text = marked ? (struct span){bytes.ptr + 3, bytes.len - 3} : bytes;
    if (encoding != NULL || utf16) {
        *found = encoding != NULL ? TEXT_NAMED : TEXT_UTF16;
        if (encoding == NULL && (span_starts(bytes, SPAN("\xfe\xff")) || span_starts(bytes, SPAN("\xff\xfe"))))
            bytes = span_after(bytes, 2);
        status = decode(bytes,
                        encoding != NULL ? encoding
                        : big            ? "UTF-16BE"
                                         : "UTF-16LE",
                        encoding == NULL, name, room, e);
        *text = buf_span(room);
        return status;
    }
    size_t valid = marked ? text->len : utf8_valid_prefix(*text);
    *found = marked ? TEXT_UTF8_MARKED : TEXT_UTF8;
    if (valid == text->len)
        return ST_OK;
    return err_set(e, ST_INPUT, /* a guess would store wrong letters */
                   "%s:%zu: the byte %02x is not UTF-8; save the file as CSV in UTF-8, or name its encoding"
                   " with --encoding, such as windows-1252, windows-1251 or macintosh",
                   name, lines_before(*text, valid) + 1, (unsigned char)text->ptr[valid]);
}
