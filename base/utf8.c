/* UTF-8: validity, characters. */
#include "base/base.h"
#include "base/utf8.h"

/* Bytes of the sequence that this byte begins; 0: it begins none. */
static size_t length_of(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/* The ranges are those of table 3-7 of the Unicode standard, which RFC 3629 repeats. */
static bool second_fits(unsigned char lead, unsigned char second)
{
    unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

    return second >= low && second <= high;
}

/* Length of the valid sequence at p, or 0. */
static size_t sequence(const unsigned char *p, size_t left)
{
    size_t len = length_of(p[0]);

    if (len <= 1)
        return len;
    if (left < len || !second_fits(p[0], p[1]))
        return 0;
    for (size_t i = 2; i < len; i++)
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
    return len;
}

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
        size_t len = sequence(p + i, s.len - i);
        if (len == 0)
            return i;
        i += len;
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
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xc0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3f));
        return 2;
    }
    if (code_point > 0x10ffff || (code_point >= 0xd800 && code_point <= 0xdfff))
        return 0;
    if (code_point < 0x10000) {
        out[0] = (char)(0xe0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code_point & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code_point & 0x3f));
    return 4;
}
