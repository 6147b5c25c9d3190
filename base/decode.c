/* Text of spreadsheets, in UTF-8, UTF-16 or an encoding that is named, becomes UTF-8. */
#include "base/base.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>

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

static enum status MUST_USE decode_utf16(struct span s, bool big, const char *name, struct buf *out, struct err *e)
{
    for (size_t at = 0; at < s.len; at += 2) {
        uint32_t unit = at + 1 < s.len ? unit_at(s, at, big) : 0xdc00, low = 0;
        bool is_high = unit >= 0xd800 && unit < 0xdc00;
        if (is_high && at + 3 < s.len)
            low = unit_at(s, at + 2, big);
        bool is_pair = is_high && low >= 0xdc00 && low < 0xe000;
        if (unit >= 0xd800 && unit < 0xe000 && !is_pair)
            return err_set(e, ST_INPUT,
                           "%s:%zu: half a character of UTF-16; was the file cut off? Save it as CSV in UTF-8", name,
                           lines_before(buf_span(out), out->len) + 1);
        if (at > 0 || unit != 0xfeff) { /* the byte order mark */
            char bytes[4];
            buf_add(out, bytes, utf8_put(is_pair ? 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00 : unit, bytes));
        }
        at += is_pair ? 2 : 0;
    }
    return ST_OK;
}

/* --- one that is named --- */

static enum status MUST_USE decode_named(struct span s, const char *encoding, const char *name, struct buf *out,
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

/* A guess would store wrong letters. */
static enum status not_utf8(struct span s, size_t at, const char *name, struct err *e)
{
    return err_set(e, ST_INPUT,
                   "%s:%zu: the byte %02x is not UTF-8; save the file as CSV in UTF-8, or name its encoding"
                   " with --encoding, such as windows-1252, windows-1251 or macintosh",
                   name, lines_before(s, at) + 1, (unsigned char)s.ptr[at]);
}

enum status text_decode(struct span bytes, const char *encoding, const char *name, struct buf *room, struct span *text,
                        enum text_encoding *found, struct err *e)
{
    bool big, marked = span_starts(bytes, SPAN("\xef\xbb\xbf")), utf16 = is_utf16(bytes, &big);
    enum status status;

    *text = marked ? (struct span){bytes.ptr + 3, bytes.len - 3} : bytes;
    if (encoding != NULL || utf16) {
        *found = encoding != NULL ? TEXT_NAMED : TEXT_UTF16;
        status = encoding != NULL ? decode_named(bytes, encoding, name, room, e)
                                  : decode_utf16(bytes, big, name, room, e);
        *text = buf_span(room);
        return status;
    }
    size_t valid = marked ? text->len : utf8_valid_prefix(*text);
    *found = marked ? TEXT_UTF8_MARKED : TEXT_UTF8;
    return valid < text->len ? not_utf8(*text, valid, name, e) : ST_OK;
}
