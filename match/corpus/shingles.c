/* shingles: a post as the set of its shingles, and what finds similar sets. */
#include "match/corpus/shingles.h"

enum {
    SHINGLE = 3,
    ROWS = 4 /* of a band: with 32 bands, a pair with 70 % in common is missed once in 5,000 */
};

struct shingler {
    struct stemmer *stemmer;
    enum text_options text_options;
    struct buf text;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

enum status shingler_new(struct shingler **out, const struct study *study, struct err *e)
{
    struct shingler *s = mem_zero(1, sizeof *s);
    enum status status = stemmer_new(&s->stemmer, study->stemmer, e);

    s->text_options = study->include_code ? TEXT_INCLUDE_CODE : TEXT_PLAIN;
    *out = s;
    return status;
}

void shingler_free(struct shingler *s)
{
    if (s == NULL)
        return;
    stemmer_free(s->stemmer);
    buf_clear(&s->text);
    mem_free(s);
}

static int compare_shingles(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Adds the shingles of the text; a text of fewer stems is one. */
static void add_shingles(struct shingler *s, struct shingles *out)
{
    struct token_reader reader = token_reader(buf_span(&s->text));
    uint64_t last[SHINGLE] = {0};
    struct token token;
    size_t n = 0, before = out->n;

    while (token_next(&reader, &token)) {
        struct span word = {s->text.ptr + token.start, token.end - token.start};
        memmove(last, last + 1, (SHINGLE - 1) * sizeof *last);
        struct span stem = stemmer_stem(s->stemmer, word);
        uint64_t hash = 14695981039346656037U; /* FNV-1a */
        for (size_t i = 0; i < stem.len; i++)
            hash = (hash ^ (unsigned char)stem.ptr[i]) * 1099511628211U;
        last[SHINGLE - 1] = mix(hash);
        if (++n >= SHINGLE)
            array_add(out, (uint32_t)(mix(mix(last[0] * 3 + last[1]) * 3 + last[2]) >> 32));
    }
    if (n > 0 && out->n == before)
        array_add(out, (uint32_t)(mix(mix(last[0] * 3 + last[1]) * 3 + last[2]) >> 32));
}

size_t shingler_read(struct shingler *s, const struct post *post, struct shingles *out)
{
    size_t first = out->n;

    buf_reset(&s->text);
    text_from_title(&s->text, post->title);
    buf_add_char(&s->text, '\n');
    text_from_html(&s->text, post->body_html, s->text_options);
    add_shingles(s, out);
    size_t n = out->n - first, kept = 0;
    uint32_t *at = out->at + first;
    if (n > 1)
        qsort(at, n, sizeof *at, compare_shingles);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || at[kept - 1] != at[i])
            at[kept++] = at[i];
    out->n = first + kept;
    return kept;
}

uint64_t shingles_content(const uint32_t *at, size_t n)
{
    uint64_t content = 0;

    for (size_t i = 0; i < n; i++)
        content = mix(content + at[i] + 1);
    return content;
}

uint64_t shingles_band(const uint32_t *at, size_t n, unsigned band)
{
    uint64_t seeds[ROWS], least[ROWS], key = 0;

    for (unsigned row = 0; row < ROWS; row++)
        seeds[row] = mix(band * ROWS + row + 1);
    memset(least, 0xff, sizeof least);
    for (size_t i = 0; i < n; i++)
        for (unsigned row = 0; row < ROWS; row++) {
            uint64_t hash = mix(at[i] ^ seeds[row]);
            least[row] = hash < least[row] ? hash : least[row];
        }
    for (unsigned row = 0; row < ROWS; row++)
        key = mix(key + least[row]);
    return key;
}
