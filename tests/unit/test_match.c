/* match: keyword sets, hits, and that the prefilter never hides one. Deriving keywords is tested
 * against another program in tests/scripts/derive-oracle.sh. */
#include "match/match.h"

#include "fetch/fetch.h"
#include "match/set.h"
#include "base/study/study.h"

#include <stdlib.h>

#include "base/files.h"
#include "base/utf8.h"
#include "tests/unit/unit.h"

static struct match_set *load_with(struct span content, const char *algorithm, enum match_options options)
{
    struct match_set *set;
    struct err e = {0};

    if (match_set_load(&set, content, "k.txt", span_of(algorithm), options, &e) != ST_OK)
        fail_msg("%s", e.text);
    return set;
}

static struct match_set *load(const char *content)
{
    return load_with(span_of(content), "nltk", MATCH_STEMMED);
}

/* --- loading --- */

static void assert_keyword(const struct match_set *set, size_t index, const char *text, const char *stems,
                           size_t n_words)
{
    const struct keyword *k = match_set_keyword(set, index);
    char *seen = mem_text(k->text), *seen_stems = mem_text(k->stems);

    assert_string_equal(seen, text);
    assert_string_equal(seen_stems, stems);
    assert_int_equal(k->n_words, n_words);
    mem_free(seen);
    mem_free(seen_stems);
}

TEST(loads_the_published_format)
{
    struct match_set *set = load("\xef\xbb\xbf# words\r\n\r\nSlowly  # how \r\n\tvery   slow\n"
                                 "slowly\nSLOWLY\n   # nothing\nrun slow#note\nlast");

    assert_int_equal(match_set_size(set), 6);
    assert_keyword(set, 0, "Slowly", "slowli", 1);
    assert_keyword(set, 1, "very slow", "veri slow", 2);
    assert_keyword(set, 2, "slowly", "slowli", 1); /* another text, though the same stem */
    assert_keyword(set, 3, "SLOWLY", "slowli", 1);
    assert_keyword(set, 4, "run slow", "run slow", 2);
    assert_true(span_eq(match_set_keyword(set, 0)->note, SPAN("how")));
    assert_true(span_eq(match_set_keyword(set, 4)->note, SPAN("note")));
    match_set_free(set);
    match_set_free(NULL);
}

TEST(takes_a_keyword_once)
{
    struct match_set *set = load("a\nb  c\na # again\nb c\n");

    assert_int_equal(match_set_size(set), 2);
    assert_null(match_set_keyword(set, 0)->note.ptr);
    match_set_free(set);
}

TEST(says_what_is_wrong_with_a_set_and_where)
{
    static const struct {
        struct span content;
        const char *said;
    } bad[] = {
        {{"", 0}, "k.txt: no keyword in it"},
        {{"# a\n\n  \n", 8}, "k.txt: no keyword in it"},
        {{"a\nb\tc\n", 6}, "k.txt:2: a tab in a keyword"},
        {{"a\n1 2 3 4 5 6 7 8 9\n", 20}, "k.txt:2: more than 8 words"},
        {{"a\n\n\xff\n", 5}, "k.txt:3: not UTF-8"},
        {{"a\nb\xc3\n\xa9", 6}, "k.txt:2: not UTF-8"},
        {{"a\0b\n", 4}, "k.txt:1: not UTF-8"},
    };

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct match_set *set;
        struct err e = {0};
        assert_int_equal(match_set_load(&set, bad[i].content, "k.txt", SPAN("nltk"), MATCH_STEMMED, &e), ST_INPUT);
        assert_null(set);
        if (strncmp(e.text, bad[i].said, strlen(bad[i].said)) != 0)
            fail_msg("said '%s' where '%s' was expected", e.text, bad[i].said);
    }
    struct match_set *set;
    struct err e = {0};
    assert_int_equal(match_set_load(&set, SPAN("a\n"), "k.txt", SPAN("klingon"), MATCH_STEMMED, &e), ST_USAGE);
}

/* A hundred thousand keywords are the most there can be, and no reason to wait. */
TEST(loads_the_largest_set_at_once)
{
    struct buf content = {0};
    struct match_set *set;
    struct err e = {0};

    for (size_t i = 0; i < KEYWORDS_MAX; i++)
        buf_addf(&content, "w%zu q%zu\n", i, i % 7);
    double begin = time_monotonic();
    set = load_with(buf_span(&content), "nltk", MATCH_STEMMED);
    assert_true(time_monotonic() - begin < 20);
    assert_int_equal(match_set_size(set), KEYWORDS_MAX);
    match_set_free(set);
    buf_add_text(&content, "w0 q0\nand one more\n");
    assert_int_equal(match_set_load(&set, buf_span(&content), "k.txt", SPAN("nltk"), MATCH_STEMMED, &e), ST_INPUT);
    assert_string_equal(e.text, "k.txt:100002: more than 100000 keywords");
    buf_clear(&content);
}

static void assert_dead(const struct match_set *set, size_t index, const char *expected)
{
    struct span dead = match_set_keyword(set, index)->dead;
    char *seen = mem_text(dead);

    if (expected == NULL)
        assert_null(dead.ptr);
    else
        assert_string_equal(seen, expected);
    mem_free(seen);
}

TEST(marks_dead_keywords)
{
    static const char content[] = "hangs\nvery slow\nslowi tri # dead: a typo\nc++\nslow\nxies\n"
                                  "\xc4\xb0x\n";
    struct match_set *set = load(content);

    assert_dead(set, 0, NULL); /* stemming on load repairs it */
    assert_true(span_eq(match_set_keyword(set, 0)->note, SPAN("'hangs' is compared by its stem 'hang'")));
    assert_dead(set, 1, NULL);
    assert_dead(set, 2, "a typo");
    assert_null(match_set_keyword(set, 2)->note.ptr);
    assert_dead(set, 3, "'c++' is not one word; a word is letters and digits");
    assert_dead(set, 4, NULL);
    assert_dead(set, 6, NULL);
    match_set_free(set);

    set = load_with(SPAN(content), "nltk", MATCH_VERBATIM);
    assert_dead(set, 0, "the stem of 'hangs' is 'hang'; only a word such as 'hangse' has this one");
    assert_dead(set, 1, "the stem of 'very' is 'veri'; only a word such as 'verye' has this one");
    assert_dead(set, 2, "a typo");
    assert_dead(set, 3, "'c++' is not one word; a word is letters and digits");
    assert_dead(set, 4, NULL);
    assert_dead(set, 6, NULL); /* one word, though its lower case holds a combining dot */
    match_set_free(set);
}

/* --- hits --- */

/* The hits as "keyword@start-end …". */
static void print_hits(struct buf *out, struct matcher *m, const struct match_set *set, struct span text)
{
    const struct hit *hits;
    size_t n = matcher_find(m, text, &hits);

    buf_reset(out);
    for (size_t i = 0; i < n; i++) {
        struct span keyword = match_set_keyword(set, hits[i].keyword)->text;
        buf_addf(out, "%s%.*s@%zu-%zu", i > 0 ? " " : "", (int)keyword.len, keyword.ptr, hits[i].start, hits[i].end);
    }
}

static void assert_hits(const struct match_set *set, const char *text, const char *expected)
{
    struct matcher *m = matcher_new(set);
    struct buf seen = {0};

    print_hits(&seen, m, set, span_of(text));
    if (strcmp(buf_cstr(&seen), expected) != 0)
        print_error("hits in: %s\n", text);
    assert_string_equal(buf_cstr(&seen), expected);
    buf_clear(&seen);
    matcher_free(m);
}

TEST(finds_stems)
{
    struct match_set *set = load("slowly\nhangs\noom\n");

    assert_hits(set, "", "");
    assert_hits(set, "It SLOWLY hanged, hanging; hang",
                "slowly@3-9 hangs@10-16 hangs@18-25 "
                "hangs@27-31");
    assert_hits(set, "slow OOMs o om", "oom@5-9");
    assert_hits(set, "xslowly slowlyx slowly2 \xc3\xa9slowly slowly\xc3\xa9", "");
    assert_hits(set, "slowly", "slowly@0-6");
    match_set_free(set);
}

TEST(wants_the_words_of_an_ngram_side_by_side)
{
    struct match_set *set = load("memory leak\n");

    assert_hits(set, "memory leaks", "memory leak@0-12");
    assert_hits(set, "Memories -- (leaking)!", "memory leak@0-20");
    assert_hits(set, "memory \xe2\x80\x94 leak", "memory leak@0-15");
    assert_hits(set, "memory\nleak", "");
    assert_hits(set, "memory . \n . leak", "");
    assert_hits(set, "memory and leak", "");
    assert_hits(set, "memory 1 leak", "");
    assert_hits(set, "leak memory", "");
    assert_hits(set, "memory memory leak leak", "memory leak@7-18");
    assert_hits(set, "memory\nmemory leak", "memory leak@7-18");
    assert_hits(set, "memory leak\nleak", "memory leak@0-11");
    match_set_free(set);
}

TEST(finds_overlapping_ngrams_in_order)
{
    struct match_set *set = load("a a\na\nb a b\na b\nb\nA\n");

    assert_hits(set, "a b a b a a",
                "a@0-1 A@0-1 a b@0-3 b@2-3 b a b@2-7 a@4-5 A@4-5 a b@4-7 b@6-7 a@8-9 A@8-9 "
                "a a@8-11 a@10-11 A@10-11");
    match_set_free(set);
}

TEST(finds_ngrams_up_to_eight_words)
{
    struct match_set *set = load("1 2 3 4 5 6 7 8\n8 1\n2 3 4 5 6 7\nx x x x x x x x\n");

    assert_hits(set, "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8@0-15 2 3 4 5 6 7@2-13");
    assert_hits(set, "8 1 2 3 4 5 6 7 8 1",
                "8 1@0-3 1 2 3 4 5 6 7 8@2-17 2 3 4 5 6 7@4-15 "
                "8 1@16-19");
    assert_hits(set, "2 3 4 5 6 7 8 1", "2 3 4 5 6 7@0-11 8 1@12-15");
    assert_hits(set, "x x x x x x x", "");
    assert_hits(set, "x x x x x x x x x", "x x x x x x x x@0-15 x x x x x x x x@2-17");
    assert_hits(set, "x x x x\nx x x x x x x x", "x x x x x x x x@8-23");
    match_set_free(set);
}

TEST(finds_words_beyond_ascii)
{
    struct match_set *set = load("\xc3\xa9t\xc3\xa9 chaud\n\xe6\x85\xa2\nkeras\n");

    assert_hits(set, "\xc3\x89T\xc3\x89 chaud", "\xc3\xa9t\xc3\xa9 chaud@0-11");
    assert_hits(set, "\xe6\x85\xa2\xe2\x80\x94\xe6\x85\xa2\xe9\x80\x9f", "\xe6\x85\xa2@0-3");
    assert_hits(set,
                "\xe2\x84\xaa"
                "eras",
                "keras@0-7"); /* the Kelvin sign is a capital K */
    match_set_free(set);
}

TEST(compares_verbatim_when_asked)
{
    struct match_set *set = load_with(SPAN("hangs\nSlowli\nveri slow\n"), "nltk", MATCH_VERBATIM);

    assert_hits(set, "hangs slowly, very slow", "Slowli@6-12 veri slow@14-23");
    match_set_free(set);
    set = load_with(SPAN("s run\nrun s\n"), "porter", MATCH_STEMMED);
    assert_hits(set, "it's running's", "s run@3-12 run s@5-14");
    match_set_free(set);
}

TEST(keeps_nothing_from_one_text_to_the_next)
{
    struct match_set *set = load("a b\n");
    struct matcher *m = matcher_new(set);
    struct buf seen = {0};

    print_hits(&seen, m, set, SPAN("b a"));
    assert_string_equal(buf_cstr(&seen), "");
    print_hits(&seen, m, set, SPAN("b a"));
    assert_string_equal(buf_cstr(&seen), "");
    print_hits(&seen, m, set, SPAN("a b"));
    assert_string_equal(buf_cstr(&seen), "a b@0-3");
    print_hits(&seen, m, set, (struct span){0});
    assert_string_equal(buf_cstr(&seen), "");
    buf_clear(&seen);
    matcher_free(m);
    matcher_free(NULL);
    match_set_free(set);
}

/* --- the prefilter --- */

/* Deterministic, and the same everywhere: xorshift64. */
static uint64_t seed;

static size_t below(size_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed % n);
}

static const char *one_of(const char *const *texts, size_t n)
{
    return texts[below(n)];
}

#define ONE_OF(texts) one_of((texts), ARRAY_LEN(texts))

static size_t calm; /* one in so many places is odd */

/* A character in one of the ways in which a row can write it. */
static void add_character(struct buf *raw, unsigned char c)
{
    static const char *const forms[] = {"&#%u;",    "&#x%x;",        "&amp;#%u;",     "&amp;#X%X;",
                                        "&amp;#%u", "&amp;&#35;%u;", "&#38;#%u;",     "&#x26;#%u;",
                                        "&#%u",     "&amp;#%u&#59;", "&#000000000%u;"};
    static const char *const dropped[] = {"&amp;#;", "&amp;#0;",   "&#0;",     "&amp;#x;", "&amp;#xd800;",
                                          "&amp;#",  "&#xFFFFFF;", "&amp;#5;", "&#;"};
    static const char *const kelvins[] = {"\xe2\x84\xaa", "&amp;#8490;", "&#x212A;"};
    size_t how = below(calm);

    if (how == 0) {
        buf_addf(raw, ONE_OF(forms), c);
        return;
    }
    if (how == 1)
        buf_add_text(raw, ONE_OF(dropped));
    if (how == 2 && (c == 'k' || c == 'K'))
        buf_add_text(raw, ONE_OF(kelvins));
    else if (how == 2 && (c == 'i' || c == 'I'))
        buf_add_text(raw, "\xc4\xb0");
    else if (how < 8 && c >= 'a' && c <= 'z')
        buf_add_char(raw, (char)(c - 0x20));
    else
        buf_add_char(raw, (char)c);
}

static void add_word(struct buf *raw, struct span word)
{
    static const char *const endings[] = {"",    "",   "",         "s",  "ed",   "ing",     "e", "y",
                                          "ies", "ly", "\xc3\xa9", "er", "able", "ability", "X", "1"};
    static const char *const glued[] = {"\xc3\xa9", "x", "2", "\xe2\x84\xaa"};
    struct span ending = span_of(below(calm) < 20 ? ONE_OF(endings) : "");

    if (below(calm) == 0)
        buf_add_text(raw, ONE_OF(glued));
    if (word.len > 2 && below(calm) < 4) /* "memori" -> "memory" */
        word.len--;
    for (size_t i = 0; i < word.len; i++)
        add_character(raw, (unsigned char)word.ptr[i]);
    for (size_t i = 0; i < ending.len; i++)
        add_character(raw, (unsigned char)ending.ptr[i]);
}

static void add_separator(struct buf *raw)
{
    /* clang-format off */
    static const char *const separators[] = {
        " ", " ", " ", " ", ", ", "-", "'", "\n", "\r\n", "&#xA;", "&lt;b&gt;", "&lt;/b&gt; ",
        "&lt;!-- x --&gt;", "<i>", "\xe2\x80\x94", "&amp;nbsp;", "&quot;", "\x11", "\x19", "_",
        "&lt;br&gt;", "(", " &amp;#32; ", "&amp;lt;", "&lt;a title=&quot;run&quot;&gt;", "@", "[",
        "&lt;pre&gt;x&lt;/pre&gt;", " \xcc\x81 ", "&amp;#", "#", " # ", "/", "&lt;", "\x01", "\xff"
    };
    /* clang-format on */

    buf_add_text(raw, below(calm) < 40 ? ONE_OF(separators) : " ");
}

static void add_filler(struct buf *raw, size_t len)
{
    static const char bytes[] = "zqj ,.&#;-\"<>\x10\x19 ";

    for (size_t i = 0; i < len; i++)
        buf_add_char(raw, bytes[below(sizeof bytes - 1)]);
}

/* Bytes like those of a row, with words of the set. About half are near a length at which the
 * search changes its way. */
static void random_row(struct buf *raw, const struct match_set *set)
{
    size_t wanted = (const size_t[]){0, 32, 35, 64, 67}[below(5)] + below(5);

    buf_reset(raw);
    calm = below(2) == 0 ? 40 : 400;
    add_filler(raw, below(2) == 0 ? 0 : below(80));
    if (below(2) == 0)
        add_separator(raw);
    for (size_t n = 1 + below(3); n > 0; n--) {
        struct span rest = match_set_keyword(set, below(match_set_size(set)))->text, word;
        while (span_cut(&rest, ' ', &word)) {
            add_word(raw, word);
            add_separator(raw);
        }
    }
    if (below(4) == 0)
        raw->len--; /* may cut a character; what is not UTF-8 is left out below */
    if (below(2) == 0 && raw->len < wanted)
        add_filler(raw, wanted - raw->len);
}

struct filtering {
    const struct match_set *set;
    struct matcher *matcher;
    struct arena arena;
    struct buf raw, text;
    const char *kind;
    size_t n_hits;
};

/* The same, as what is made of the row: a hit in it must not be hidden. */
static void check_text(struct filtering *f, bool possible, const char *made)
{
    const struct hit *hits;

    if (matcher_find(f->matcher, buf_span(&f->text), &hits) == 0)
        return;
    f->n_hits++;
    if (!possible)
        fail_msg("%s keywords: a hit in the %s is hidden; raw: %s\ntext: %s", f->kind, made, buf_cstr(&f->raw),
                 buf_cstr(&f->text));
}

static void check_row(struct filtering *f)
{
    struct span raw = buf_span(&f->raw);
    bool possible = match_possible(f->set, raw);

    if (possible != prefilter_possible_scalar(&f->set->prefilter, raw))
        fail_msg("%s keywords: with and without AVX2 differ; raw: %s", f->kind, buf_cstr(&f->raw));
    arena_reset(&f->arena);
    struct span unescaped = row_unescape(&f->arena, raw);
    if (utf8_valid_prefix(unescaped) < unescaped.len)
        return;
    buf_reset(&f->text);
    text_from_html(&f->text, unescaped, TEXT_INCLUDE_CODE);
    check_text(f, possible, "body");
    buf_reset(&f->text);
    text_from_title(&f->text, unescaped);
    check_text(f, possible, "title");
    buf_reset(&f->text);
    text_from_html(&f->text, raw, TEXT_PLAIN);
    check_text(f, possible, "bytes taken for HTML");
}

static void check_set(const char *kind, struct span content, const char *algorithm, enum match_options options)
{
    struct match_set *set = load_with(content, algorithm, options);
    struct filtering f = {.set = set, .matcher = matcher_new(set), .kind = kind};
    enum { ROWS = 60000 };

    seed = 0x5eed0002;
    for (size_t i = 0; i < ROWS; i++) {
        random_row(&f.raw, set);
        check_row(&f);
    }
    if (f.n_hits < ROWS / 10)
        fail_msg("%s keywords: only %zu hits; the rows are no test", kind, f.n_hits);
    arena_clear(&f.arena);
    buf_clear(&f.raw);
    buf_clear(&f.text);
    matcher_free(f.matcher);
    match_set_free(set);
}

TEST(never_hides_a_hit)
{
    static const struct {
        const char *kind, *content;
    } sets[] = {
        {"one-letter", "a\nk\nx y\n"},
        {"two-letter", "go\nis it\ntf ok\n"},
        {"numeric", "2x\n100 gb\n4 k\n0\n"},
        {"foreign", "\xc4\xb0stanbul\nx\xc4\xb0\n\xc3\xa9t\xc3\xa9\n\xe6\x85\xa2\n"
                    "caf\xc3\xa9 lent\n"},
        {"Kelvin", "keras\nkilo kilo\nleak\nskies\n"},
        {"long", "a b c d e f g h\nrun run run run run run run slow\nvery long chains of words\n"},
        {"irregular", "dying\nlying slowly\nsky\nability\nenable table\nhappy\n"},
        {"very-long-word", "internationalization of misunderstandings\nx internationalizations\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        check_set(sets[i].kind, span_of(sets[i].content), "nltk", MATCH_STEMMED);
        check_set(sets[i].kind, span_of(sets[i].content), "english", MATCH_STEMMED);
    }
}

TEST(never_hides_a_hit_of_the_published_set)
{
    struct study study;
    struct err e = {0};

    assert_int_equal(study_load(&study, NULL, &e), ST_OK);
    struct span content = study_file(&study, "keywords.txt");
    check_set("published", content, "nltk", MATCH_STEMMED);
    check_set("published, verbatim", content, "nltk", MATCH_VERBATIM);
    check_set("published, porter", content, "porter", MATCH_STEMMED);
    check_set("published, german", content, "german", MATCH_STEMMED);
    study_clear(&study);
}

TEST(never_hides_a_hit_of_a_large_set)
{
    struct buf content = {0};

    for (unsigned i = 0; i < 64; i++)
        buf_addf(&content, "w%c%c slow\n", 'a' + i / 26, 'a' + i % 26);
    check_set("64", buf_span(&content), "nltk", MATCH_STEMMED);
    buf_add_text(&content, "one more\n");
    check_set("65", buf_span(&content), "nltk", MATCH_STEMMED);
    buf_clear(&content);
}

static void assert_none_hidden(const char *keywords, const char *const *rows, size_t n)
{
    struct match_set *set = load(keywords);
    struct filtering f = {.set = set, .matcher = matcher_new(set), .kind = "odd"};

    for (size_t i = 0; i < n; i++) {
        f.n_hits = 0;
        buf_reset(&f.raw);
        buf_add_text(&f.raw, rows[i]);
        check_row(&f);
        if (f.n_hits == 0)
            fail_msg("no hit in %s", rows[i]);
    }
    arena_clear(&f.arena);
    buf_clear(&f.raw);
    buf_clear(&f.text);
    matcher_free(f.matcher);
    match_set_free(set);
}

#define KELVIN "\xe2\x84\xaa\x69lo" /* the sign and "ilo" */

/* Each of these was hidden once, or is next to something that was. */
TEST(finds_what_is_oddly_written)
{
    /* clang-format off */
    static const char *const rows[] = {
        "slow", "SLOW", "s&amp;#108;ow", "s&#108;ow", "s&amp;#;low", "s&amp;#0;low", "s&amp;#low",
        "s&amp;&#35;108;ow", "s&amp;#xD800;low", "&amp;#9slow", "&amp;#xslow",
        "\x11slow", "..........\x11slow.............................................",
        KELVIN, "&amp;#8490;ilo", "&#x212A;ilo", "s&#38;#108;ow", "s&#x26;#108;ow"
    };
    /* clang-format on */
    static const char *const dotted[] = {"\xc4\xb0x", "\xc4\xb0X a"};

    assert_none_hidden("slow\nkilo\n", rows, ARRAY_LEN(rows));
    assert_none_hidden("\xc4\xb0x\n", dotted, ARRAY_LEN(dotted));
}

/* A row as dumps have them, without a word of the set but with all that is common in posts. */
static void add_dull_row(struct buf *raw)
{
    static const char *const words[] = {
        "the",        "model",       "tensor",       "layer",    "error", "I",       "shape", "training",
        "how",        "of",          "to",           "speech",   "run",   "long",    "cpu",   "gpu",
        "memory",     "time",        "per",          "C#",       "#1",    "K&amp;R", "it's",  "&quot;x&quot;",
        "&amp;nbsp;", "caf\xc3\xa9", "\xe2\x80\x99", "&amp;gt;", "taken"};
    static const char *const marks[] = {
        " ", " ", " ", " ", "&lt;/p&gt;&#xA;&#xA;&lt;p&gt;", ". ", "&lt;code&gt;", "&#xD;&#xA;", "&#39;", "&#34;"};

    buf_add_text(raw, "<row Id=\"4\" PostTypeId=\"1\" Body=\"&lt;p&gt;");
    for (size_t i = 0; i < 150; i++) {
        buf_add_text(raw, ONE_OF(words));
        buf_add_text(raw, ONE_OF(marks));
    }
    buf_add_text(raw, "\" OwnerUserId=\"8\" Tags=\"&lt;keras&gt;\" />");
}

TEST(refuses_most_rows_without_a_hit)
{
    struct match_set *set = load("slower\nthroughput\nmemory leak\ngpu util\nper second\n");
    struct buf raw = {0};
    size_t possible = 0;

    seed = 0x5eed0003;
    for (size_t i = 0; i < 1000; i++) {
        buf_reset(&raw);
        add_dull_row(&raw);
        possible += match_possible(set, buf_span(&raw));
    }
    /* The rest: "memory" or "gpu" before markup or a quote, behind which anything may stand. */
    if (possible == 1000)
        fail_msg("all rows are possible: the filter is of no use");
    match_set_free(set);
    set = load("slower\nthroughput\nfaster\noverhead\n");
    for (size_t i = 0; i < 1000; i++) {
        buf_reset(&raw);
        add_dull_row(&raw);
        assert_false(match_possible(set, buf_span(&raw)));
    }
    assert_false(match_possible(set, (struct span){0}));
    buf_clear(&raw);
    match_set_free(set);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
