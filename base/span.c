/* Spans: comparing, cutting, searching, numbers, lines. */
#include "base/base.h"

struct span span_of(const char *text)
{
    return (struct span){text, text != NULL ? strlen(text) : 0};
}

bool span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool span_eq_any_case(struct span a, struct span b)
{
    return a.len == b.len && span_find_any_case(a, b) == 0;
}

int span_order(struct span a, struct span b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len > 0 ? memcmp(a.ptr, b.ptr, len) : 0; /* an empty span may have no address */

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

struct span span_after_last(struct span s, char c)
{
    size_t from = s.len;

    while (from > 0 && s.ptr[from - 1] != c)
        from--;
    return span_after(s, from);
}

bool span_starts(struct span s, struct span prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

bool span_ends(struct span s, struct span suffix)
{
    return s.len >= suffix.len && span_eq(span_after(s, s.len - suffix.len), suffix);
}

struct span span_trim(struct span s)
{
    while (s.len > 0 && ascii_is_space(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && ascii_is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

bool span_cut(struct span *rest, char delimiter, struct span *part)
{
    if (rest->len == 0)
        return false;
    const char *found = memchr(rest->ptr, delimiter, rest->len);
    size_t len = found != NULL ? (size_t)(found - rest->ptr) : rest->len;
    *part = (struct span){rest->ptr, len};
    size_t used = found != NULL ? len + 1 : len;
    rest->ptr += used;
    rest->len -= used;
    return true;
}

bool span_u64(struct span s, uint64_t max, uint64_t *value)
{
    uint64_t v = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        unsigned digit = (unsigned char)s.ptr[i] - (unsigned)'0';
        if (digit > 9 || digit > max || v > (max - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

bool span_is_digits(struct span s)
{
    size_t n = 0;

    while (n < s.len && s.ptr[n] >= '0' && s.ptr[n] <= '9')
        n++;
    return n > 0 && n == s.len;
}

bool span_is_hex(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (hex_digit(s.ptr[i]) < 0 || (s.ptr[i] >= 'A' && s.ptr[i] <= 'F'))
            return false;
    return s.len > 0;
}

bool span_i64(struct span s, int64_t *value)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    uint64_t magnitude;

    if (negative) {
        s.ptr++;
        s.len--;
    }
    if (!span_u64(s, INT64_MAX, &magnitude))
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

size_t span_find(struct span s, struct span needle)
{
    if (needle.len == 0)
        return 0;
    if (s.len < needle.len)
        return SIZE_MAX;
    const char *found = memmem(s.ptr, s.len, needle.ptr, needle.len);
    return found != NULL ? (size_t)(found - s.ptr) : SIZE_MAX;
}

size_t span_find_any_case(struct span s, struct span needle)
{
    for (size_t at = 0, same; at + needle.len <= s.len; at++) {
        for (same = 0; same < needle.len && ascii_lower(s.ptr[at + same]) == ascii_lower(needle.ptr[same]); same++) {
        }
        if (same == needle.len)
            return at;
    }
    return SIZE_MAX;
}

bool span_has(struct span s, const char *text)
{
    return span_find(s, span_of(text)) != SIZE_MAX;
}

int text_order(const void *a, const void *b)
{
    return span_order(*(const struct span *)a, *(const struct span *)b);
}

int number_order(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

size_t span_place_of(struct span s, const void *items, size_t n, size_t size, size_t offset)
{
    size_t i = 0;

    while (i < n && !span_eq(s, *(const struct span *)(const void *)((const char *)items + i * size + offset)))
        i++;
    return i;
}

size_t span_among(struct span s, const struct span *texts, size_t n)
{
    return span_place_of(s, texts, n, sizeof *texts, 0);
}

struct span span_folded(struct arena *arena, struct span s)
{
    char *out = arena_alloc(arena, s.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++) {
        char c = ascii_lower(s.ptr[i]);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
            out[n++] = c;
    }
    return (struct span){out, n};
}

size_t span_place(struct span s, const char *const *texts, size_t n)
{
    size_t place = 0;

    while (place < n && !span_eq(s, span_of(texts[place])))
        place++;
    return place;
}

bool span_is_any(struct span s, const char *const *texts, size_t n)
{
    return span_place(s, texts, n) < n;
}

bool span_has_any(struct span s, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (span_has(s, texts[i]))
            return true;
    return false;
}

/* Takes the next of the words, which one blank each separates. */
static struct span next_word(const char **words)
{
    struct span word = {*words, (size_t)(strchrnul(*words, ' ') - *words)};

    *words += word.len + ((*words)[word.len] == ' ');
    return word;
}

bool span_is_word(struct span s, const char *words)
{
    while (*words != '\0')
        if (span_eq(s, next_word(&words)))
            return true;
    return false;
}

bool span_has_word(struct span s, const char *words)
{
    while (*words != '\0')
        if (span_find(s, next_word(&words)) != SIZE_MAX)
            return true;
    return false;
}

uint32_t *span_lines(struct span s, uint32_t *n)
{
    const char *end = s.len > 0 ? s.ptr + s.len : s.ptr, *p;
    size_t count = 1;

    for (p = s.ptr; p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        count++;
    uint32_t *starts = mem_alloc(count * sizeof *starts);
    starts[0] = 0;
    *n = 1;
    for (p = s.ptr; p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        starts[(*n)++] = (uint32_t)(p + 1 - s.ptr);
    return starts;
}

uint32_t span_line_at(const uint32_t *starts, uint32_t n, size_t offset)
{
    uint32_t low = 0, high = n;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20); /* lower case */
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t span_hash(struct span s)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < s.len; i++)
        hash = (hash ^ (unsigned char)s.ptr[i]) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32);
}

/* --- the name that a mistyped one was meant to be --- */

enum { WORD_MAX = 40 };

/* Levenshtein distance, row by row. Names that are longer than WORD_MAX are near to nothing. */
static size_t distance(struct span a, struct span b)
{
    size_t row[WORD_MAX + 1];

    if (a.len > WORD_MAX || b.len > WORD_MAX)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t replaced = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < other ? replaced : other;
        }
    }
    return row[b.len];
}

const char *span_nearest(struct span typed, const char *const *names, size_t n)
{
    const char *nearest = NULL;
    size_t best = typed.len / 3 + 2; /* one slip in short words, more in long ones */

    for (size_t i = 0; i < n; i++) {
        struct span name = span_of(names[i]);
        size_t apart = typed.len > name.len ? typed.len - name.len : name.len - typed.len;
        size_t d = apart < best ? distance(typed, name) : SIZE_MAX; /* it is not less */
        if (typed.len >= 3 && span_starts(name, typed))
            d = 1;
        if (d < best && d < name.len) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
