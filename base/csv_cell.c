/* Cells of CSV as they are written: quotes, and a guard for what a spreadsheet would compute. */
#include "base/csv.h"

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

/* What a formula begins with. The full-width ones some keyboards and spreadsheets take for the same; the last ones
 * count at the begin of a cell only. */
static const char *const starts[] = {
    "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0", "\t", "\r", "\n"};
enum { STARTS_WITHIN = 8 };

static bool begins_formula(struct span s, size_t n_starts)
{
    size_t len = 0;

    for (;;) /* Spreadsheets strip these off, or take the cell for a text and forget them when it is saved. */
        if (len < s.len && (s.ptr[len] == ' ' || s.ptr[len] == '\'' || s.ptr[len] == '"'))
            len++;
        else if (len + 1 < s.len && memcmp(s.ptr + len, "\xc2\xa0", 2) == 0) /* no-break space */
            len += 2;
        else
            break;
    if (len == s.len) /* an empty one may have no address */
        return false;
    struct span rest = {s.ptr + len, s.len - len};
    for (size_t i = 0; i < n_starts; i++)
        if (span_starts(rest, span_of(starts[i])))
            return true;
    return false;
}

bool csv_is_formula(struct span s)
{
    return begins_formula(s, ARRAY_LEN(starts)) && !is_number(s);
}

/* Is the byte between two cells for some spreadsheets, and the second one a formula? */
static bool parts_formula(struct span s, size_t at)
{
    return (s.ptr[at] == ';' || s.ptr[at] == '\t') &&
           begins_formula((struct span){s.ptr + at + 1, s.len - at - 1}, STARTS_WITHIN);
}

struct span csv_unguarded(struct span field)
{
    if (field.len < 2 || field.ptr[0] != '\'')
        return field;
    struct span rest = {field.ptr + 1, field.len - 1};
    return csv_is_formula(rest) ? rest : field;
}

bool buf_add_unguarded_within(struct buf *out, struct span field)
{
    bool any = false;

    for (size_t i = 0; i + 1 < field.len && !any; i++)
        any = field.ptr[i + 1] == '\'' && parts_formula(field, i);
    for (size_t i = 0; any && i < field.len; i++) {
        buf_add_char(out, field.ptr[i]);
        i += i + 1 < field.len && field.ptr[i + 1] == '\'' && parts_formula(field, i);
    }
    return any;
}

/* `special`: the delimiters that are quoted. */
static void add_cell(struct buf *out, struct span s, struct span special, bool guarded)
{
    bool quoted = false;

    for (size_t i = 0; i < s.len && !quoted; i++)
        quoted = s.ptr[i] == '"' || s.ptr[i] == '\r' || s.ptr[i] == '\n' ||
                 memchr(special.ptr, s.ptr[i], special.len) != NULL;
    if (quoted)
        buf_add_char(out, '"');
    if (guarded && csv_is_formula(s))
        buf_add_char(out, '\'');
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            buf_add_char(out, '"');
        buf_add_char(out, s.ptr[i]);
        if (guarded && parts_formula(s, i))
            buf_add_char(out, '\'');
    }
    if (quoted)
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

/* --- numbers of people --- */

/* The mark between digits, '\'' for all that only separate groups; '\0': there is none. */
static char mark_at(struct span s, size_t *len)
{
    static const char *const groups[] = {" ", "'", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99"};

    *len = 1;
    if (s.ptr[0] == '.' || s.ptr[0] == ',')
        return s.ptr[0];
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (span_starts(s, span_of(groups[i]))) {
            *len = strlen(groups[i]);
            return '\'';
        }
    return '\0';
}

/* What is between the digits of a number. */
struct marks {
    size_t n, lead, last_digits; /* digits before the first mark and after the last one */
    size_t last_at;              /* the last one, in the digits without marks */
    char first, last;
};

static bool read_marks(struct span s, struct marks *m, struct buf *digits)
{
    *m = (struct marks){0};
    while (s.len > 0) {
        size_t len = digits_len(s, 0);
        buf_add(digits, s.ptr, len);
        m->last_digits = len;
        s = (struct span){s.ptr + len, s.len - len};
        if (s.len == 0)
            return len > 0;
        char mark = mark_at(s, &len);
        if (mark == '\0' || m->last_digits == 0 || (m->n > 0 && (m->last_digits != 3 || m->last != m->first)))
            return false;
        m->lead = m->n++ == 0 ? m->last_digits : m->lead;
        m->first = m->n == 1 ? mark : m->first;
        m->last = mark;
        m->last_at = digits->len;
        s = (struct span){s.ptr + len, s.len - len};
    }
    return false;
}

/* Is the last mark the decimal sign? */
static enum csv_number judge(char delimiter, const struct marks *m, bool leading_zero, bool *decimal)
{
    char sign = delimiter == ';' ? ',' : '.';
    bool groups = m->lead <= 3 && !leading_zero;

    *decimal = m->n > 0 && m->last != '\'' && (m->n == 1 || m->last != m->first);
    if (m->n == 0)
        return CSV_NUMBER;
    if (m->n > 1 || m->last == '\'')
        return groups && (*decimal || m->last_digits == 3) ? CSV_NUMBER : CSV_NO_NUMBER;
    if (groups && m->last_digits == 3)
        return delimiter != '\t' && m->last == sign ? CSV_NUMBER : CSV_NUMBER_UNCLEAR;
    return m->last == '.' || delimiter != ',' ? CSV_NUMBER : CSV_NO_NUMBER;
}

enum csv_number csv_number(char delimiter, struct span text, struct buf *out)
{
    bool minus = span_starts(text, SPAN("-")), decimal = false;
    struct span s = {text.ptr + minus, text.len - minus};
    AT_END(buf_clear) struct buf digits = {0};
    struct marks marks;
    enum csv_number kind = CSV_NO_NUMBER;

    if (read_marks(s, &marks, &digits))
        kind = judge(delimiter, &marks, *s.ptr == '0', &decimal);
    if (kind == CSV_NUMBER) {
        size_t whole = decimal ? marks.last_at : digits.len;
        buf_addf(out, "%s%.*s%s%.*s", minus ? "-" : "", (int)whole, digits.ptr, decimal ? "." : "",
                 (int)(digits.len - whole), digits.ptr + whole);
    }
    return kind;
}

bool csv_is_na(struct span text)
{
    static const char *const words[] = {"na", "n/a", "nan", "null", "none", "#n/a"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (span_eq_any_case(text, span_of(words[i])))
            return true;
    return false;
}
