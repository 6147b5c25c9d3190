/* code_pieces: where keywords, texts, numbers and comments of Python code begin and end. */
#include "stem/code_pieces.h"

static const char *const words[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                    "else",   "except", "finally", "for",      "from",     "global", "if",
                                    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static size_t name_end(struct span s, size_t i)
{
    while (i < s.len && (is_letter(s.ptr[i]) || is_digit(s.ptr[i])))
        i++;
    return i;
}

/* The end of the text whose quotation mark is at i; i where there is no other end. */
static size_t text_end(struct span s, size_t i)
{
    char mark = s.ptr[i];
    bool three = s.len - i >= 3 && s.ptr[i + 1] == mark && s.ptr[i + 2] == mark;

    for (size_t at = i + (three ? 3 : 1); at < s.len && (three || s.ptr[at] != '\n'); at++) {
        if (s.ptr[at] == '\\')
            at++;
        else if (s.ptr[at] == mark && !three)
            return at + 1;
        else if (s.ptr[at] == mark && s.len - at >= 3 && s.ptr[at + 1] == mark && s.ptr[at + 2] == mark)
            return at + 3;
    }
    return i;
}

/* What begins at i, and where it ends; plain code ends where it began. */
static enum code_piece piece_at(struct span s, size_t i, size_t *end)
{
    char c = s.ptr[i];

    *end = i;
    if (c == '#') {
        const char *line_end = memchr(s.ptr + i, '\n', s.len - i);
        *end = line_end != NULL ? (size_t)(line_end - s.ptr) : s.len;
        return CODE_COMMENT;
    }
    if (c == '"' || c == '\'') {
        *end = text_end(s, i);
        return *end > i ? CODE_TEXT : CODE_PLAIN;
    }
    if (is_digit(c)) { /* 1e-3, 0x1f, 1_000.5 */
        for (; *end < s.len; ++*end) {
            char d = s.ptr[*end];
            bool sign = (d == '-' || d == '+') && *end > i && (s.ptr[*end - 1] | 0x20) == 'e';
            if (!is_letter(d) && !is_digit(d) && d != '.' && !sign)
                break;
        }
        return CODE_NUMBER;
    }
    if (is_letter(c)) {
        size_t after = name_end(s, i);
        if (span_is_any((struct span){s.ptr + i, after - i}, words, ARRAY_LEN(words))) {
            *end = after;
            return CODE_WORD;
        }
    }
    return CODE_PLAIN;
}

enum code_piece code_piece(struct span *code, struct span *piece)
{
    size_t i = 0, end = 0;
    enum code_piece kind = piece_at(*code, 0, &end);

    while (kind == CODE_PLAIN && i < code->len) {
        /* What a '\' escapes begins no text, so an end is sought once for each mark: hostile code costs no more than
         * other code. */
        if (is_letter(code->ptr[i]))
            i = name_end(*code, i);
        else
            i += code->ptr[i] == '\\' && code->len - i > 1 ? 2 : 1;
        if (i < code->len && piece_at(*code, i, &end) != CODE_PLAIN)
            break;
    }
    end = kind == CODE_PLAIN ? i : end;
    *piece = (struct span){code->ptr, end};
    *code = (struct span){code->ptr + end, code->len - end};
    return kind;
}
