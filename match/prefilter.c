/*
 * Most posts contain no keyword, and finding that out need not decode them.
 *
 * Claim: when prefilter_possible is false for bytes, no text made of them (XML references decoded, then HTML) has words
 * as one of the rules wants them.
 *
 * Proof. Text is made from the bytes by leaving out markup and by decoding character references; other bytes stay as
 * they are and in order. So for the letters of a literal in the text, either (a) they are the same letters, neighbours
 * in the bytes, or (b) at least one of them comes from a reference, or a dropped reference was between them.
 *
 * (a) The word begins at the literal, so the byte before it is not an ASCII letter or digit in the text. In the bytes
 * it is that same byte, or the last of markup ('>' or, escaped, ';'), or the last of a reference: ';', or a digit when
 * a numeric reference lacks its semicolon, which makes the answer true like (b). So a search for the literal after a
 * byte that is not an ASCII letter or digit finds it. Where only plain separators (ASCII, none of & ; < > ") are
 * between it and the letters and digits beside it, nothing was left out between, and those are the word beside it, or
 * the end of one that is not a stem of ASCII letters; otherwise the answer is true.
 *
 * (b) Only numeric references give ASCII letters or digits (no named one of HTML 4 or XML does), or U+212A, which
 * lower-cases to 'k', or are dropped: those that name no character, or have no digits. The search looks for all of
 * them, after a '&' or the ';' of "&amp;", and they make the answer true. So does a reference to '#', as that could
 * begin one. Markup between two letters ends a word, so nothing else joins them. (Of İ, which lower-cases to "i̇", no
 * literal has the 'i'.)
 *
 * The search looks at three neighbouring bytes of 32 places at once, after the "Teddy" algorithm of Hyperscan (Wang et
 * al., NSDI 2019): two table look-ups per byte, by its low and high four bits, give the groups of literals
 * that may begin there.
 */
#include "match/prefilter.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define HAVE_AVX2_CODE 1
#endif

enum { ANYWHERE = 0x80, GROUPS = 7, LOOK = 3, STEP = 32 };

static unsigned char fold(char c)
{
    return (unsigned char)((unsigned char)c | 0x20);
}

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z');
}

/* --- building --- */

static struct prefilter_literal literal_of(struct span text)
{
    struct prefilter_literal literal = {.len = 0};

    /* U+0130, the capital I with a dot, lower-cases to two characters. */
    while (literal.len < text.len && literal.len < PREFILTER_LITERAL_MAX && is_alnum(text.ptr[literal.len]) &&
           !span_starts(span_after(text, literal.len), SPAN("i\xcc\x87"))) {
        literal.bytes[literal.len] = (unsigned char)text.ptr[literal.len];
        literal.len++;
    }
    return literal;
}

void prefilter_add(struct prefilter *f, struct span word, struct span beside, bool beside_is_before)
{
    struct prefilter_rule rule = {literal_of(word), literal_of(beside), beside_is_before};

    f->off = f->off || rule.word.len == 0 || f->n_rules == PREFILTER_LITERALS;
    if (!f->off)
        f->rules[f->n_rules++] = rule;
}

static void allow(struct prefilter_masks *masks, size_t place, unsigned char byte, unsigned char group)
{
    /* Both halves of a 32-byte register look up in their own copy of the table. */
    for (size_t half = 0; half < 32; half += 16) {
        masks->low[place][half + (byte & 15)] |= group;
        masks->high[place][half + (byte >> 4)] |= group;
    }
}

static void allow_any(struct prefilter_masks *masks, size_t place, unsigned char group)
{
    for (size_t i = 0; i < 32; i++) {
        masks->low[place][i] |= group;
        masks->high[place][i] |= group;
    }
}

void prefilter_finish(struct prefilter *f)
{
    for (size_t i = 0; i < f->n_rules; i++) {
        const struct prefilter_literal *word = &f->rules[i].word;
        unsigned char group = (unsigned char)(1U << i % GROUPS);
        for (size_t place = 0; place < LOOK; place++) {
            if (place < word->len)
                allow(&f->masks, place, word->bytes[place] | 0x20, group);
            else
                allow_any(&f->masks, place, group);
        }
        f->rules_of[word->bytes[0] & 31] |= UINT64_C(1) << i;
    }
    allow(&f->masks, 0, '&', ANYWHERE); /* "&#39", "&amp;#x27" */
    allow(&f->masks, 0, ';', ANYWHERE);
    allow(&f->masks, 1, '#', ANYWHERE);
    allow_any(&f->masks, 2, ANYWHERE);
    allow(&f->masks, 0, 0xe2, ANYWHERE); /* U+212A, E2 84 AA, as folded */
    allow(&f->masks, 1, 0x84 | 0x20, ANYWHERE);
}

/* --- looking closer at a place --- */

static bool literal_at(const struct prefilter_literal *literal, const char *p, const char *end)
{
    size_t len = 0;

    while (len < literal->len && p + len < end && fold(p[len]) == literal->bytes[len])
        len++;
    return len == literal->len;
}

/* Nothing that this byte could be part of is left out of the text, nor does it make a word. */
static bool is_plain_separator(char c)
{
    return (unsigned char)c < 0x80 && !is_alnum(c) && c != '&' && c != ';' && c != '<' && c != '>' && c != '"';
}

/* Whether the word before p, behind plain separators, may start with the literal. */
static bool may_stand_before(const struct prefilter_literal *literal, const char *begin, const char *p)
{
    const char *end = p;

    while (end > begin && is_plain_separator(end[-1]))
        end--;
    if (end == begin || !is_alnum(end[-1]))
        return true;
    const char *word = end;
    while (word > begin && is_alnum(word[-1]))
        word--;
    return literal_at(literal, word, end);
}

/* The same for the word behind the one at p. */
static bool may_stand_behind(const struct prefilter_literal *literal, const char *p, const char *end)
{
    while (p < end && is_alnum(*p))
        p++;
    while (p < end && is_plain_separator(*p))
        p++;
    return p == end || !is_alnum(*p) || literal_at(literal, p, end);
}

/* A place where a word starts. */
static bool rule_applies(const struct prefilter *f, const char *begin, const char *p, const char *end)
{
    for (uint64_t left = f->rules_of[*p & 31]; left != 0; left &= left - 1) {
        const struct prefilter_rule *rule = &f->rules[__builtin_ctzll(left)];
        if (!literal_at(&rule->word, p, end))
            continue;
        if (rule->beside.len == 0)
            return true;
        if (rule->beside_is_before ? may_stand_before(&rule->beside, begin, p)
                                   : may_stand_behind(&rule->beside, p, end))
            return true;
    }
    return false;
}

/* Whether a reference adds to a word, joins two, or (a '#') begins another reference. */
static bool character_matters(uint32_t value)
{
    bool space = value == '\t' || value == '\n' || value == '\r';
    bool dropped = (value < 0x20 && !space) || (value >= 0xd800 && value <= 0xdfff) || value == 0xfffe ||
                   value == 0xffff || value > 0x10ffff;

    return dropped || value == 0x212a || value == '#' || (value < 0x80 && is_alnum((char)value));
}

/* The same after "&#". Without semicolon one also hides where a word begins; without digits it is dropped, as is 0. */
static bool reference_matters(const char *p, const char *end)
{
    unsigned base = p < end && fold(*p) == 'x' ? 16 : 10;
    uint32_t value = 0;

    if (base == 16)
        p++;
    for (; p < end && (unsigned)hex_digit(*p) < base; p++)
        if (value < 0x110000)
            value = value * base + (unsigned)hex_digit(*p);
    return p == end || *p != ';' || character_matters(value);
}

/* Whether the byte at p is a '&', or the last of what may be an escaped one: "&amp;", "&#38;", "&#x26;". */
static bool may_be_ampersand(const char *begin, const char *p)
{
    if (*p == '&')
        return true;
    return *p == ';' && p > begin &&
           (p[-1] == '8' || p[-1] == '6' || (p - begin >= 4 && memcmp(p - 4, "&amp", 4) == 0));
}

/* A place where something of the group ANYWHERE may begin. */
static bool anywhere_matters(const char *begin, const char *p, const char *end)
{
    if (end - p >= 2 && p[1] == '#')
        return may_be_ampersand(begin, p) && reference_matters(p + 2, end);
    return end - p >= 3 && memcmp(p, "\xe2\x84\xaa", 3) == 0;
}

/* --- walking over the bytes --- */

static bool place_matters(const struct prefilter *f, const char *begin, const char *p, const char *end)
{
    const struct prefilter_masks *m = &f->masks;
    unsigned char c = fold(*p);
    unsigned char groups = m->low[0][c & 15] & m->high[0][c >> 4];

    if (groups != 0 && p + 1 < end) {
        c = fold(p[1]);
        groups &= m->low[1][c & 15] & m->high[1][c >> 4];
    }
    if ((groups & ANYWHERE) != 0 && anywhere_matters(begin, p, end))
        return true;
    return (groups & ~ANYWHERE) != 0 && (p == begin || !is_alnum(p[-1])) && rule_applies(f, begin, p, end);
}

static bool possible_scalar(const struct prefilter *f, const char *begin, const char *p, const char *end)
{
    for (; p < end; p++)
        if (place_matters(f, begin, p, end))
            return true;
    return false;
}

bool prefilter_possible_scalar(const struct prefilter *f, struct span raw)
{
    return f->off || (raw.len > 0 && possible_scalar(f, raw.ptr, raw.ptr, raw.ptr + raw.len));
}

#ifdef HAVE_AVX2_CODE

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i load_folded(const char *p)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)p);

    return _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
}

/* 0xff where a byte is from `first` to `last`. */
AVX2 static __m256i in_range(__m256i bytes, char first, char last)
{
    __m256i offset = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
    __m256i limit = _mm256_set1_epi8((char)(last - first));

    return _mm256_cmpeq_epi8(_mm256_min_epu8(offset, limit), offset);
}

AVX2 static __m256i groups_at(const struct prefilter_masks *m, size_t place, __m256i folded)
{
    __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)m->low[place]);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)m->high[place]);
    __m256i high_index = _mm256_and_si256(_mm256_srli_epi16(folded, 4), nibble);

    return _mm256_and_si256(_mm256_shuffle_epi8(low, _mm256_and_si256(folded, nibble)),
                            _mm256_shuffle_epi8(high, high_index));
}

AVX2 static bool possible_avx2(const struct prefilter *f, const char *begin, const char *end)
{
    const char *p = begin + 1; /* so that there is always a byte before */

    if (end - begin < STEP + LOOK)
        return possible_scalar(f, begin, begin, end);
    if (place_matters(f, begin, begin, end))
        return true;
    for (; end - p >= STEP + LOOK; p += STEP) {
        __m256i groups = groups_at(&f->masks, 0, load_folded(p));
        groups = _mm256_and_si256(groups, groups_at(&f->masks, 1, load_folded(p + 1)));
        groups = _mm256_and_si256(groups, groups_at(&f->masks, 2, load_folded(p + 2)));
        if (_mm256_testz_si256(groups, groups))
            continue;
        /* Folded, a control character would pass for a digit. */
        __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(p - 1));
        __m256i in_word = _mm256_or_si256(in_range(load_folded(p - 1), 'a', 'z'), in_range(before, '0', '9'));
        uint32_t anywhere = (uint32_t)_mm256_movemask_epi8(groups);
        __m256i anchored = _mm256_and_si256(groups, _mm256_set1_epi8(0x7f));
        uint32_t none = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(anchored, _mm256_setzero_si256()));
        uint32_t starts = ~none & ~(uint32_t)_mm256_movemask_epi8(in_word);
        for (; starts != 0; starts &= starts - 1)
            if (rule_applies(f, begin, p + __builtin_ctz(starts), end))
                return true;
        for (; anywhere != 0; anywhere &= anywhere - 1)
            if (anywhere_matters(begin, p + __builtin_ctz(anywhere), end))
                return true;
    }
    return possible_scalar(f, begin, p, end);
}

#endif

bool prefilter_possible(const struct prefilter *f, struct span raw)
{
#ifdef HAVE_AVX2_CODE
    if (!f->off && raw.len > 0 && __builtin_cpu_supports("avx2"))
        return possible_avx2(f, raw.ptr, raw.ptr + raw.len);
#endif
    return prefilter_possible_scalar(f, raw);
}
