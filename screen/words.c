/* words: stems and pairs of stems of a text, as fingerprints; and the text of a body. */
#include "screen/words.h"

#include "base/map.h"
#include "stem/stem.h"

enum {
    RECENT_BITS = 16, /* places for short words */
    SHORT_WORD = 16   /* bytes */
};

/* A short word, filled up with zeros, which no word contains; all zero: none. */
struct recent {
    uint64_t head, tail, fingerprint;
};

struct words {
    struct stemmer *stemmer;
    bool include_code;
    uint32_t title_count;
    size_t body_words;
    struct recent *recent; /* each place has the last word that belongs there */
    struct buf text;
    struct ARRAY_OF(struct word_count) counts, scratch;
};

/* Fingerprints are kept in files and must never depend on the process. */
static const struct map_secret fixed = {UINT64_C(0x70706d696e652d31), UINT64_C(0x73637265656e2d31)};

/* What a feature is of: equal words are different features in different places. */
enum place { PLACE_TEXT = 0, PLACE_PAIR, PLACE_CODE, PLACE_TAG };

static uint64_t mix(uint64_t a, uint64_t b)
{
    return map_hash_number(map_hash_number(a, &fixed) + b, &fixed);
}

enum status words_new(struct words **out, const struct screen_reading *reading, struct err *e)
{
    struct words *w = mem_zero(1, sizeof *w);
    enum status status = stemmer_new(&w->stemmer, reading->stemmer, e);

    w->include_code = reading->include_code;
    w->title_count = (uint32_t)reading->settings.title_count;
    w->body_words = (size_t)reading->settings.body_words;
    w->recent = mem_zero((size_t)1 << RECENT_BITS, sizeof *w->recent);
    *out = w;
    return status;
}

void words_free(struct words *w)
{
    if (w == NULL)
        return;
    stemmer_free(w->stemmer);
    buf_clear(&w->text);
    array_clear(&w->counts);
    array_clear(&w->scratch);
    mem_free(w->recent);
    mem_free(w);
}

/* --- words --- */

/* Most words of a text are short and frequent. A place for each of them, in the place of a hash map, takes
 * one walk to memory and never grows; to stem a rare word again costs less than to look it up. */
static uint64_t stem_fingerprint(struct words *w, struct span word)
{
    uint64_t head = 0, tail = 0;

    if (word.len > SHORT_WORD)
        return map_hash_span(stemmer_stem(w->stemmer, word), &fixed);
    memcpy(&head, word.ptr, word.len < sizeof head ? word.len : sizeof head);
    if (word.len > sizeof head)
        memcpy(&tail, word.ptr + sizeof head, word.len - sizeof head);
    struct recent *recent = &w->recent[mix(head, tail) >> (64 - RECENT_BITS)];
    if (recent->head != head || recent->tail != tail)
        *recent = (struct recent){head, tail, map_hash_span(stemmer_stem(w->stemmer, word), &fixed)};
    return recent->fingerprint;
}

static void count(struct words *w, uint64_t fingerprint, uint32_t times)
{
    array_add(&w->counts, (struct word_count){fingerprint, times});
}

/* Stems of a text, and pairs of those that no line end parts. */
static void count_text(struct words *w, struct span text, uint32_t times, size_t most)
{
    struct token_reader reader = token_reader(text);
    struct token token;
    uint64_t before = 0;

    for (size_t n = 0; n < most && token_next(&reader, &token); n++) {
        struct span word = {text.ptr + token.start, token.end - token.start};
        uint64_t stem = stem_fingerprint(w, word);
        count(w, mix(PLACE_TEXT, stem), times);
        if (n > 0 && !token.new_line)
            count(w, mix(before + PLACE_PAIR, stem), times);
        before = stem;
    }
}

static struct span body_of(struct words *w, const struct screen_text *text, bool only_code)
{
    buf_reset(&w->text);
    screen_body(text, only_code, &w->text);
    return buf_span(&w->text);
}

/* --- features --- */

static int compare_counts(const void *a, const void *b)
{
    const struct word_count *left = a, *right = b;

    return (left->fingerprint > right->fingerprint) - (left->fingerprint < right->fingerprint);
}

enum { PART_BITS = 9, PARTS = 1 << PART_BITS, PART_MOST = 32 };

/* Fingerprints are even over their range, so their first bits nearly sort them. False: a part is too large to move one
 * by one. */
static bool sort_by_parts(struct word_count *counts, size_t n, struct word_count *scratch)
{
    uint32_t ends[PARTS] = {0}, most = 0;

    for (size_t i = 0; i < n; i++)
        ends[counts[i].fingerprint >> (64 - PART_BITS)]++;
    for (size_t part = 0, end = 0; part < PARTS; part++) {
        most = ends[part] > most ? ends[part] : most;
        ends[part] = (uint32_t)(end += ends[part]);
    }
    if (most > PART_MOST)
        return false;
    for (size_t i = 0; i < n; i++)
        scratch[--ends[counts[i].fingerprint >> (64 - PART_BITS)]] = counts[i];
    for (size_t i = 0; i < n; i++) {
        size_t to = i;
        for (; to > 0 && counts[to - 1].fingerprint > scratch[i].fingerprint; to--)
            counts[to] = counts[to - 1];
        counts[to] = scratch[i];
    }
    return true;
}

size_t words_read(struct words *w, const struct screen_text *text, const struct word_count **counts)
{
    w->counts.n = 0;
    buf_reset(&w->text);
    text_from_title(&w->text, text->title);
    count_text(w, buf_span(&w->text), w->title_count, SIZE_MAX);
    count_text(w, body_of(w, text, false), 1, w->body_words);
    struct span code = w->include_code ? body_of(w, text, true) : SPAN(""), tags = text->tags, tag;
    struct token_reader reader = token_reader(code);
    struct token token;
    /* Single stems, as features of their own. */
    for (size_t n = 0; n < w->body_words && token_next(&reader, &token); n++) {
        struct span word = {code.ptr + token.start, token.end - token.start};
        count(w, mix(PLACE_CODE, stem_fingerprint(w, word)), 1);
    }
    while (span_cut(&tags, ' ', &tag))
        if (tag.len > 0)
            count(w, mix(PLACE_TAG, map_hash_span(tag, &fixed)), 1);
    array_reserve(&w->scratch, w->counts.n);
    struct word_count *all = w->counts.at;
    size_t n = w->counts.n, merged = 0;
    if (n > 0 && !sort_by_parts(all, n, w->scratch.at))
        qsort(all, n, sizeof *all, compare_counts);
    for (size_t i = 0; i < n; i++)
        if (merged > 0 && all[merged - 1].fingerprint == all[i].fingerprint)
            all[merged - 1].count += all[i].count;
        else
            all[merged++] = all[i];
    *counts = all;
    return w->counts.n = merged;
}

/* --- the text of a body that is HTML, or what people write into issue trackers --- */

/* Appends what follows of it up to "<!--", and leaves the comment out; *inside: it goes on. */
static void add_uncommented(struct buf *out, struct span line, bool *inside)
{
    while (line.len > 0) {
        struct span mark = *inside ? SPAN("-->") : SPAN("<!--");
        size_t at = span_find(line, mark), end = at == SIZE_MAX ? line.len : at;
        if (!*inside)
            buf_add(out, line.ptr, end);
        if (at == SIZE_MAX)
            return;
        end += mark.len;
        line = (struct span){line.ptr + end, line.len - end};
        *inside = !*inside;
    }
}

/* Lines of a paragraph become one; a blank line ends it. Fenced code is left out or all that is
 * kept, and comments of issue templates are left out. */
static void text_from_plain(struct buf *out, struct span plain, bool only_code)
{
    bool code = false, comment = false;
    struct span line;

    while (span_cut(&plain, '\n', &line)) {
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        struct span text = span_trim(line);
        bool fence = span_starts(text, SPAN("```")) || span_starts(text, SPAN("~~~"));
        if (!comment && fence) {
            code = !code;
            buf_add_char(out, '\n');
        } else if (code == only_code && code) {
            buf_add_span(out, line);
            buf_add_char(out, '\n');
        } else if (code == only_code) {
            add_uncommented(out, line, &comment);
            buf_add_char(out, text.len == 0 ? '\n' : ' ');
        }
    }
}

void screen_body(const struct screen_text *text, bool only_code, struct buf *out)
{
    /* Tags that a body made of HTML has, and other texts have not. */
    static const char *const tags[] = {"<p>", "</p>", "<br>", "<br/>", "<br />", "<pre>", "<code>", "</li>", "</a>"};

    if (text->markup == SCREEN_HTML ||
        (text->markup == SCREEN_MARKUP_UNKNOWN && span_has_any(text->body, tags, ARRAY_LEN(tags))))
        text_from_html(out, text->body, only_code ? TEXT_ONLY_CODE : TEXT_PLAIN);
    else
        text_from_plain(out, text->body, only_code);
}
