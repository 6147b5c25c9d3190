/* Compares texts whose numbers may differ by a little. */
#include "bench/same_text.h"

#include <ctype.h>
#include <math.h>

enum { NUMBER_MAX = 64 };

static bool is_digit(struct span s, size_t at)
{
    return at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool begins_with(struct span s, size_t at, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i < len; i++)
        if (at + i >= s.len || tolower((unsigned char)s.ptr[at + i]) != word[i])
            return false;
    return at + len == s.len || !is_name(s.ptr[at + len]);
}

/* The length of a real number that begins here; 0: none does, or it is an integer. */
static size_t real_at(struct span s, size_t at)
{
    size_t i = at;
    bool real = false;

    if (at > 0 && (is_name(s.ptr[at - 1]) || s.ptr[at - 1] == '.'))
        return 0;
    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
        i++;
    if (begins_with(s, i, "nan") || begins_with(s, i, "inf"))
        return i + 3 - at;
    if (!is_digit(s, i) && !(i < s.len && s.ptr[i] == '.' && is_digit(s, i + 1)))
        return 0;
    while (is_digit(s, i))
        i++;
    if (i < s.len && s.ptr[i] == '.') {
        real = true;
        i++;
        while (is_digit(s, i))
            i++;
        if (i < s.len && s.ptr[i] == '.')
            return 0; /* a version: 2.15.1 */
    }
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        size_t k = i + 1 + (i + 1 < s.len && (s.ptr[i + 1] == '-' || s.ptr[i + 1] == '+'));
        if (is_digit(s, k)) {
            real = true;
            for (i = k; is_digit(s, i);)
                i++;
        }
    }
    return real && i - at < NUMBER_MAX ? i - at : 0;
}

static double number(struct span s, size_t at, size_t len)
{
    char text[NUMBER_MAX + 1];

    memcpy(text, s.ptr + at, len);
    text[len] = '\0';
    return strtod(text, NULL);
}

static bool is_close(double a, double b, double tolerance)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return a == b;
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

bool same_text(struct span a, struct span b, double tolerance, size_t *at)
{
    size_t ignored, i = 0, k = 0;

    if (at == NULL)
        at = &ignored;
    bool binary = a.len > 0 && b.len > 0 && (memchr(a.ptr, '\0', a.len) != NULL || memchr(b.ptr, '\0', b.len) != NULL);
    while (i < a.len && k < b.len) {
        size_t n = binary ? 0 : real_at(a, i), m = n > 0 ? real_at(b, k) : 0;
        *at = i;
        if (n > 0 && m > 0) {
            if (!is_close(number(a, i, n), number(b, k, m), tolerance))
                return false;
            i += n;
            k += m;
        } else if (a.ptr[i++] != b.ptr[k++]) {
            return false;
        }
    }
    *at = i;
    return i == a.len && k == b.len;
}
