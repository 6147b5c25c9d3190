/* Cuts text into words. */
#include "base/utf8.h"
#include "stem/lower.h"
#include "stem/stem.h"

enum { BYTE_SEPARATOR, BYTE_LINE, BYTE_WORD, BYTE_UNICODE };

#define X16(kind) kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind, kind

/* Digits and letters make words; what a byte >= 0x80 is, its character tells. */
/* clang-format off */
static const unsigned char byte_kind[256] = {
    ['\n'] = BYTE_LINE,
    ['0'] = BYTE_WORD, ['1'] = BYTE_WORD, ['2'] = BYTE_WORD, ['3'] = BYTE_WORD, ['4'] = BYTE_WORD,
    ['5'] = BYTE_WORD, ['6'] = BYTE_WORD, ['7'] = BYTE_WORD, ['8'] = BYTE_WORD, ['9'] = BYTE_WORD,
    ['A'] = X16(BYTE_WORD), BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD,
    BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD,
    ['a'] = X16(BYTE_WORD), BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD,
    BYTE_WORD, BYTE_WORD, BYTE_WORD, BYTE_WORD,
    [0x80] = X16(BYTE_UNICODE), X16(BYTE_UNICODE), X16(BYTE_UNICODE), X16(BYTE_UNICODE),
    X16(BYTE_UNICODE), X16(BYTE_UNICODE), X16(BYTE_UNICODE), X16(BYTE_UNICODE)
};
/* clang-format on */

static unsigned char kind_of(char byte)
{
    return byte_kind[(unsigned char)byte];
}

struct token_reader token_reader(struct span text)
{
    return (struct token_reader){.text = text};
}

/* Length of the character at p, which begins with a byte >= 0x80; *letter: it belongs to a word. */
static size_t unicode_character(const char *p, const char *end, bool *letter)
{
    uint32_t code_point;
    size_t len = utf8_decode(p, end, &code_point);

    *letter = is_letter(code_point);
    return len;
}

/* Moves over separators to where a word starts; the end when none does. */
static const char *find_word(const char *p, const char *end, bool *new_line)
{
    for (; p < end; p++) {
        unsigned char kind = kind_of(*p);
        if (kind == BYTE_SEPARATOR)
            continue;
        if (kind == BYTE_WORD)
            break;
        if (kind == BYTE_LINE) {
            *new_line = true;
            continue;
        }
        bool letter;
        size_t len = unicode_character(p, end, &letter);
        if (letter)
            break;
        p += len - 1;
    }
    return p;
}

static const char *find_word_end(const char *p, const char *end, bool *ascii)
{
    for (;;) {
        while (p < end && kind_of(*p) == BYTE_WORD)
            p++;
        if (p == end || kind_of(*p) != BYTE_UNICODE)
            return p;
        bool letter;
        size_t len = unicode_character(p, end, &letter);
        if (!letter)
            return p;
        *ascii = false;
        p += len;
    }
}

bool token_next(struct token_reader *r, struct token *out)
{
    const char *text = r->text.ptr != NULL ? r->text.ptr : ""; /* to add 0 to NULL is undefined */
    const char *end = text + r->text.len;

    *out = (struct token){.ascii = true};
    const char *start = find_word(text + r->at, end, &out->new_line);
    const char *stop = find_word_end(start, end, &out->ascii);
    r->at = (size_t)(stop - text);
    out->start = (size_t)(start - text);
    out->end = r->at;
    return stop > start;
}

bool token_is_whole(struct span text)
{
    struct token_reader reader = token_reader(text);
    struct token token;

    return token_next(&reader, &token) && token.start == 0 && token.end == text.len;
}
