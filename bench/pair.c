/* What sets the two scripts of a case apart: the lines that the fix changes; scripts without comments. */
#include "bench/pair.h"

/* --- without comments --- */

struct scan {
    struct span in;
    size_t at;
    struct buf *out;
    size_t depth;      /* of open brackets */
    bool at_statement; /* nothing but blanks since a statement began */
};

static char peek(const struct scan *s, size_t ahead)
{
    return s->at + ahead < s->in.len ? s->in.ptr[s->at + ahead] : '\0';
}

static bool is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* How long the prefix of a string is that begins here; SIZE_MAX: none begins. */
static size_t string_prefix(const struct scan *s)
{
    size_t n = 0;

    if (s->at > 0 && is_name(s->in.ptr[s->at - 1]))
        return SIZE_MAX;
    while (n < 2 && peek(s, n) != '\0' && strchr("rRbBuUfF", peek(s, n)) != NULL)
        n++;
    return peek(s, n) == '"' || peek(s, n) == '\'' ? n : SIZE_MAX;
}

/* Where the string ends that begins after a prefix of n; one that never ends, ends with the text. */
static size_t string_end(const struct scan *s, size_t n)
{
    size_t at = s->at + n;
    char quote = s->in.ptr[at];
    bool is_long = at + 2 < s->in.len && s->in.ptr[at + 1] == quote && s->in.ptr[at + 2] == quote;
    size_t width = is_long ? 3 : 1;

    for (at += width; at < s->in.len; at++) {
        if (s->in.ptr[at] == '\\')
            at++;
        else if (!is_long && s->in.ptr[at] == '\n')
            return at;
        else if (s->in.ptr[at] == quote &&
                 (!is_long || (at + 2 < s->in.len && s->in.ptr[at + 1] == quote && s->in.ptr[at + 2] == quote)))
            return at + width;
    }
    return s->in.len;
}

static void take_string(struct scan *s, size_t prefix)
{
    size_t end = string_end(s, prefix), next = end;
    bool is_plain = true; /* bytes are not a docstring, and what an f-string computes may matter */

    for (size_t i = 0; i < prefix; i++)
        is_plain &= strchr("bBfF", peek(s, i)) == NULL;
    while (next < s->in.len && (s->in.ptr[next] == ' ' || s->in.ptr[next] == '\t' || s->in.ptr[next] == '\r'))
        next++;
    /* A statement ends with its line, a comment, or the text. */
    bool ends = next >= s->in.len || s->in.ptr[next] == '\n' || s->in.ptr[next] == '#';
    if (s->at_statement && s->depth == 0 && is_plain && ends) {
        buf_add_text(s->out, "\"\"");
        for (; s->at < end; s->at++)
            if (s->in.ptr[s->at] == '\n')
                buf_add_char(s->out, '\n');
    } else {
        buf_add(s->out, s->in.ptr + s->at, end - s->at);
        s->at = end;
    }
    s->at_statement = false;
}

static void take_character(struct scan *s)
{
    char c = s->in.ptr[s->at++];

    buf_add_char(s->out, c);
    if (c == '\\' && peek(s, 0) == '\n') {
        buf_add_char(s->out, s->in.ptr[s->at++]);
        return;
    }
    if (c == '(' || c == '[' || c == '{')
        s->depth++;
    if ((c == ')' || c == ']' || c == '}') && s->depth > 0)
        s->depth--;
    if (c == '\n' && s->depth == 0)
        s->at_statement = true;
    else if (c != ' ' && c != '\t' && c != '\r')
        s->at_statement = false;
}

void bench_strip(struct span python, struct buf *out)
{
    struct scan s = {.in = python, .out = out, .at_statement = true};

    while (s.at < s.in.len) {
        size_t prefix = string_prefix(&s);
        if (prefix != SIZE_MAX) {
            take_string(&s, prefix);
        } else if (peek(&s, 0) == '#') {
            while (s.at < s.in.len && s.in.ptr[s.at] != '\n')
                s.at++;
            while (s.out->len > 0 && (s.out->ptr[s.out->len - 1] == ' ' || s.out->ptr[s.out->len - 1] == '\t'))
                s.out->len--;
        } else {
            take_character(&s);
        }
    }
}

/* --- the lines that the fix changes --- */

struct line {
    struct span text;
    size_t number;
    bool kept; /* fixed has it, too */
};

struct lines ARRAY_OF(struct line);

/* The lines with code. */
static void code_lines(struct span python, struct buf *stripped, struct lines *out)
{
    struct span text;
    size_t number = 1;

    bench_strip(python, stripped);
    for (struct span rest = buf_span(stripped); span_cut(&rest, '\n', &text); number++) {
        struct span bare = span_trim(text);
        if (bare.len > 0 && !span_eq(bare, SPAN("\"\"")))
            array_add(out, {text, number, false});
    }
}

/* Lengths of common subsequences that are computed at most; longer scripts count as wholly changed. */
enum { CELLS_MAX = 1 << 24 };

/* Marks a longest common subsequence in both. */
static void mark_common(struct lines *a, struct lines *b)
{
    size_t width = b->n + 1, i = 0, k = 0;

    if ((a->n + 1) > CELLS_MAX / width)
        return;
    AT_END(mem_end) uint32_t *best = mem_zero((a->n + 1) * width, sizeof *best);

    for (i = a->n; i-- > 0;)
        for (k = b->n; k-- > 0;) {
            uint32_t down = best[(i + 1) * width + k], right = best[i * width + k + 1];
            best[i * width + k] = span_eq(a->at[i].text, b->at[k].text) ? best[(i + 1) * width + k + 1] + 1
                                                                        : (down > right ? down : right);
        }
    for (i = k = 0; i < a->n && k < b->n;)
        if (span_eq(a->at[i].text, b->at[k].text))
            a->at[i++].kept = b->at[k++].kept = true;
        else if (best[(i + 1) * width + k] >= best[i * width + k + 1])
            i++;
        else
            k++;
}

static void add_place(struct bench_places *out, size_t first, size_t last)
{
    if (out->n > 0 && first <= out->at[out->n - 1].last)
        out->at[out->n - 1].last = last > out->at[out->n - 1].last ? last : out->at[out->n - 1].last;
    else
        array_add(out, {first, last});
}

void bench_fix_places(struct span buggy, struct span fixed, struct bench_places *out)
{
    AT_END(buf_clear) struct buf stripped_a = {0}, stripped_b = {0};
    AT_END(array_end) struct lines a = {0}, b = {0};
    size_t i = 0, k = 0;

    code_lines(buggy, &stripped_a, &a);
    code_lines(fixed, &stripped_b, &b);
    mark_common(&a, &b);
    while (i < a.n || k < b.n) {
        size_t first = i, before = k;
        while (i < a.n && !a.at[i].kept)
            i++;
        while (k < b.n && !b.at[k].kept)
            k++;
        if (i > first || k > before) {
            /* The dropped lines of buggy, first to before i; where lines were only added, the lines around. */
            if (first < i)
                add_place(out, a.at[first].number, a.at[i - 1].number);
            else if (a.n > 0)
                add_place(out, a.at[first > 0 ? first - 1 : 0].number, a.at[first < a.n ? first : a.n - 1].number);
        }
        i += i < a.n;
        k += k < b.n;
    }
}
