/* Cells of CSV as they are written: quotes, and a guard for what a spreadsheet would compute. */
#include "base/base.h"
#include "base/csv.h"

/* Spreadsheets strip these off, or take the cell for a text and forget them when it is saved. */
static size_t stripped_len(struct span s)
{
    size_t i = 0;

    for (;;)
        if (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\'' || s.ptr[i] == '"'))
            i++;
        else if (i + 1 < s.len && memcmp(s.ptr + i, "\xc2\xa0", 2) == 0) /* no-break space */
            i += 2;
        else
            return i;
}

static size_t digits_len(struct span s, size_t from)
{
    size_t i = from;

    while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
        i++;
    return i - from;
}

/* "-1.5", "+.5e-3", "-20%" */
static bool is_number(struct span s)
{
    size_t i = s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+');
    size_t whole = digits_len(s, i), part = 0;

    i += whole;
    if (i < s.len && s.ptr[i] == '.') {
        part = digits_len(s, i + 1);
        i += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        i += 1 + (i + 1 < s.len && (s.ptr[i + 1] == '-' || s.ptr[i + 1] == '+'));
        size_t exponent = digits_len(s, i);
        if (exponent == 0)
            return false;
        i += exponent;
    }
    i += i < s.len && s.ptr[i] == '%';
    return i == s.len;
}

bool csv_is_formula(struct span s)
{
    /* The last ones are full-width, which some keyboards and spreadsheets take for the same. */
    static const char *const starts[] = {
        "=", "+", "-", "@", "\t", "\r", "\n", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    size_t len = stripped_len(s);

    if (len == s.len) /* an empty one may have no address */
        return false;
    struct span rest = {s.ptr + len, s.len - len};
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (span_starts(rest, span_of(starts[i])))
            return !is_number(s);
    return false;
}

struct span csv_unguarded(struct span field)
{
    if (field.len < 2 || field.ptr[0] != '\'')
        return field;
    struct span rest = {field.ptr + 1, field.len - 1};
    return csv_is_formula(rest) ? rest : field;
}

/* `special`: the delimiters that are quoted. */
static void add_cell(struct buf *out, struct span s, struct span special, bool guarded)
{
    size_t plain = 0;

    while (plain < s.len && memchr(special.ptr, s.ptr[plain], special.len) == NULL && s.ptr[plain] != '"' &&
           s.ptr[plain] != '\r' && s.ptr[plain] != '\n')
        plain++;
    if (plain < s.len)
        buf_add_char(out, '"');
    if (guarded && csv_is_formula(s))
        buf_add_char(out, '\'');
    buf_add(out, s.ptr, plain);
    for (size_t i = plain; i < s.len; i++) {
        if (s.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, s.ptr[i]);
    }
    if (plain < s.len)
        buf_add_char(out, '"');
}

void buf_add_csv(struct buf *out, struct span s)
{
    add_cell(out, s, SPAN(","), true);
}

void buf_add_csv_with(struct buf *out, struct span s, char delimiter)
{
    add_cell(out, s, (struct span){&delimiter, 1}, true);
}

void buf_add_csv_name(struct buf *out, struct span s, char delimiter)
{
    char special[] = {delimiter, ',', ';', '\t'};

    add_cell(out, s, (struct span){special, sizeof special}, true);
}

void buf_add_csv_raw(struct buf *out, struct span s)
{
    add_cell(out, s, SPAN(","), false);
}
