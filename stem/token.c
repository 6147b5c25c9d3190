#include "stem/lower.h"
#include "stem/stem.h"

enum { BYTE_SEPARATOR, BYTE_WORD, BYTE_LINE, BYTE_UNICODE };

/* Digits and letters make words; what a byte >= 0x80 is, its character tells. */
static unsigned char byte_kind(char byte)
{
    unsigned char c = (unsigned char)byte;

    if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
        return BYTE_WORD;
    return c >= 0x80 ? BYTE_UNICODE : c == '\n' ? BYTE_LINE : BYTE_SEPARATOR;
}

struct token_reader token_reader(struct span text)
{
    return (struct token_reader){.text = text};
}

/* Length of the word character at `at`, 0 when there is none. */
static size_t word_character(struct span text, size_t at, bool *ascii)
{
    uint32_t code_point;

    if (at == text.len)
        return 0;
    unsigned char kind = byte_kind(text.ptr[at]);
    if (kind == BYTE_WORD)
        return 1;
    if (kind != BYTE_UNICODE)
        return 0;
    size_t len = utf8_decode(text.ptr + at, text.ptr + text.len, &code_point);
    if (!is_letter(code_point))
        return 0;
    *ascii = false;
    return len;
}

/* Moves over separators to the next word character; its length, or 0 at the end of the text. */
static size_t find_word(struct token_reader *r, struct token *out)
{
    while (r->at < r->text.len) {
        size_t len = word_character(r->text, r->at, &out->ascii);
        if (len > 0)
            return len;
        if (r->text.ptr[r->at] == '\n')
            out->new_line = true;
        uint32_t code_point;
        r->at += utf8_decode(r->text.ptr + r->at, r->text.ptr + r->text.len, &code_point);
    }
    return 0;
}

bool token_next(struct token_reader *r, struct token *out)
{
    *out = (struct token){.ascii = true};
    size_t len = find_word(r, out);
    if (len == 0)
        return false;
    out->start = r->at;
    while (len > 0) {
        r->at += len;
        len = word_character(r->text, r->at, &out->ascii);
    }
    out->end = r->at;
    return true;
}
