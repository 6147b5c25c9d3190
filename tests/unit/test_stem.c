/* stem: text from HTML and titles, tokens, stems, and what is promised of their first letters. */
#include "stem/stem.h"

#include <stdlib.h>

#include "base/files.h"
#include "base/utf8.h"
#include "tests/unit/unit.h"

/* --- text --- */

struct sample {
    const char *html, *text;
};

static void assert_text(struct span html, enum text_options options, const char *expected)
{
    struct buf out = {0};

    text_from_html(&out, html, options);
    if (strcmp(buf_cstr(&out), expected) != 0 || strlen(expected) != out.len)
        print_error("text of: %.*s\n", (int)html.len, html.ptr);
    assert_string_equal(buf_cstr(&out), expected);
    assert_int_equal(out.len, strlen(expected));
    buf_clear(&out);
}

static void assert_texts(const struct sample *samples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_text(span_of(samples[i].html), TEXT_PLAIN, samples[i].text);
}

TEST(reads_running_text)
{
    static const struct sample samples[] = {
        {"", ""},
        {"plain", "plain"},
        {"<p>", ""},
        {" \n <p> it \t\r\n runs\v\f slow </p>\n\n<p>why</p> ", "it runs slow\nwhy"},
        {"<p>a</p><p>b</p>", "a\nb"},
        {"a<br>b<br/>c<BR >d", "a\nb\nc\nd"},
        {"a<hr>b<h3>c</h3>d<li>e<td>f", "a\nb\nc\nd\ne\nf"},
        {"a <div> <b>b</b></div>c", "a\nb\nc"},
        {"<blockquote>a</blockquote>b<figcaption>c", "a\nb\nc"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(ends_a_word_at_every_tag)
{
    static const struct sample samples[] = {
        {"s<b>low</b>er", "s low er"},
        {"<b></b>slow<i></i>", "slow"},
        {"run <em>very</em>, slow", "run very , slow"},
        {"a<img src='x'>b", "a b"},
        {"a<o:b>b</o:b>c", "a b c"},
        {"a<o:li>b</o:li>c", "a\nb\nc"}, /* of a prefixed name, what is behind the prefix */
        {"a<longer-than-any-element>b", "a b"},
        {"a<BLOCKQUOTES>b", "a b"},
        {"s<!-- x -->low", "s low"},
        {"s<?php echo 'x' ?>low", "s low"},
        {"s</>low", "s >low"},
        {"a </b> b", "a b"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(keeps_a_bracket_that_begins_no_tag)
{
    static const struct sample samples[] = {
        {"a < b", "a < b"}, {"a<1", "a<1"},       {"a <- b", "a <- b"}, {"a<<b>c", "a< c"},
        {"a<", "a<"},       {"a <= b", "a <= b"}, {"a<!b>c", "a<!b>c"}, {"a > b >c", "a > b >c"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(passes_over_attributes)
{
    static const struct sample samples[] = {
        {"a<i title=\"x > y\">b", "a b"},
        {"a<i title = 'x > y' >b", "a b"},
        {"a<i title=it's>b", "a b"}, /* a quote inside an unquoted value is a letter */
        {"a<i title=x/>b", "a b"},
        {"a<i x y=\"1\"z='>'>b", "a b"},
        {"a<i \"x>b", "a b"}, /* a quote with no name before it is no value */
        {"a<i =\">b", "a b"},
        {"a<i $=\"x>b", "a b"},
        {"a<i x==\"y>b", "a b"},
        {"a<i / x=\"y>z\">b", "a b"},
        {"a<i x=\n\"y>z\">b", "a b"},
        {"a<i\n>b", "a b"},
        {"a<p\tclass=x>b", "a\nb"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(leaves_out_code_blocks_unless_asked)
{
    struct span html = SPAN("<p>a <code>b</code></p><pre><code>c &lt; d\ne</code></pre><p>f");

    assert_text(html, TEXT_PLAIN, "a b\nf");
    assert_text(html, TEXT_INCLUDE_CODE, "a b\nc < d e\nf");
    assert_text(html, TEXT_ONLY_CODE, "c < d e");
    assert_text(SPAN("a<pre>b<pre>c</pre>d</pre>e"), TEXT_PLAIN, "a\ne");
    assert_text(SPAN("a<pre>b<pre>c</pre>d</pre>e<pre>f"), TEXT_ONLY_CODE, "b\nc\nd\nf");
    assert_text(SPAN("a</pre>b<PRE class=x>c</PRE>d"), TEXT_PLAIN, "a\nb\nd");
    assert_text(SPAN("a<pre/>b"), TEXT_PLAIN, "a\nb");
    assert_text(SPAN("a<pre x='/'>b"), TEXT_PLAIN, "a");
    assert_text(SPAN("a<pretty>b</pretty>"), TEXT_PLAIN, "a b");
}

TEST(leaves_out_scripts_always)
{
    static const struct sample samples[] = {
        {"a<script>if (x < y) s = '<p>slow'</script>b", "a\nb"},
        {"a<style>p > i { }</style>b", "a\nb"},
        {"a<SCRIPT>x</sCrIpT >b", "a\nb"},
        {"a<script>x</style>y</scrip></script>b", "a\nb"},
        {"a<script>x</scripts>y</script>b", "a\nb"},
        {"a<script>x</script", "a"},
        {"a<script/>b", "a\nb"},
        {"a<script src=x/>b</script>c", "a\nc"}, /* the '/' belongs to the value */
        {"a</script>b", "a\nb"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
    assert_text(SPAN("a<script>x</script>b"), TEXT_INCLUDE_CODE, "a\nb");
}

TEST(ends_comments_where_they_end)
{
    static const struct sample samples[] = {
        {"a<!-- <p>x</p> -->b", "a b"},    {"a<!---->b", "a b"},         {"a<!-->x-->b", "a b"},
        {"a<!--->x-->b", "a b"}, /* dashes are not shared */
        {"a<!-- x -- y > z --->b", "a b"}, {"a<!-- x --!>b", "a b"},     {"a<!-- x --!b -->c", "a c"},
        {"a<!- x ->b", "a<!- x ->b"},      {"a<!DOCTYPE html>b", "a b"}, {"a<!doctypE html>b", "a b"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(survives_what_is_never_closed)
{
    static const struct sample samples[] = {
        {"a<b", "a"},        {"a<b x", "a"},   {"a<b x=", "a"},     {"a<b x=\"y>z", "a"}, {"a</", "a"},
        {"a</b", "a"},       {"a<!--b", "a"},  {"a<!", "a<!"},      {"a<?b", "a"},        {"a<!--b--", "a"},
        {"a<script>b", "a"}, {"a<pre>b", "a"}, {"a&", "a&"},        {"a&#", "a"},         {"a&#x", "a"},
        {"a&amp", "a&amp"},  {"a<b/", "a"},    {"a<!doctype", "a"}, {"a<script></", "a"}, {"a<b x='", "a"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(decodes_character_references)
{
    static const struct sample samples[] = {
        {"a &lt;b&gt; &amp;amp; &quot;&apos;", "a <b> &amp; \"'"},
        {"caf&eacute;", "caf\xc3\xa9"},
        {"&thetasym;", "\xcf\x91"},
        {"a&nbsp;b", "a\xc2\xa0"
                     "b"}, /* no white space; still no letter */
        {"&#115;low &#x73;&#X6c;ow", "slow slow"},
        {"&#115low &#x73zz", "slow szz"},
        {"&#8490;", "\xe2\x84\xaa"},
        {"a&#32;b&#10;c&#13;d&#x9;e", "a b c d e"},
        {"&#128512;", "\xf0\x9f\x98\x80"},
        {"&bogus; &Eacute &AMP; &; & &a.b;", "&bogus; &Eacute &AMP; &; & &a.b;"},
        {"&longer-than-every-name-there-is;", "&longer-than-every-name-there-is;"},
        {"&lt;p&gt;", "<p>"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(drops_references_to_no_character)
{
    static const struct sample samples[] = {
        {"s&#0;low", "slow"},       {"s&#1;low", "slow"},
        {"s&#xD800;low", "slow"},   {"s&#xfffe;low", "slow"},
        {"s&#x110000;low", "slow"}, {"s&#;low", "slow"},
        {"s&#x;low", "slow"},       {"s&#99999999999999999999;low", "slow"},
        {"a &#0; b", "a b"},
    };

    assert_texts(samples, ARRAY_LEN(samples));
}

TEST(takes_nul_for_white_space)
{
    assert_text(SPAN("\0a\0\0b<i\0>c\0"), TEXT_PLAIN, "a b c");
    assert_text((struct span){0}, TEXT_PLAIN, "");
}

TEST(appends_without_joining)
{
    struct buf out = {0};

    buf_add_text(&out, "before");
    text_from_html(&out, SPAN(" <p>a "), TEXT_PLAIN);
    assert_string_equal(buf_cstr(&out), "beforea");
    buf_clear(&out);
}

TEST(keeps_offsets_of_titles)
{
    struct buf out = {0};

    text_from_title(&out, SPAN(" a\tb\r\nc\v\f&lt;<p>\0d "));
    assert_int_equal(out.len, 19);
    assert_memory_equal(out.ptr, " a b  c  &lt;<p> d ", 19);
    buf_reset(&out);
    text_from_title(&out, (struct span){0});
    assert_int_equal(out.len, 0);
    buf_clear(&out);
}

/* Megabytes that look like the beginning of something to the very end: time has to stay linear. */
TEST(reads_hostile_html_in_linear_time)
{
    /* clang-format off */
    static const char *const pieces[] = {
        "<", "&", "<!--", "<!-- --", "<!-->", "<!---->", "</script", "<a '", "<a x='", "<a x='y'>",
        "<a ", "</", "</a", "<?", "<?>", "<!", "&#", "&#x", "&a", "&aaaaaaaaaaaa", "<pre>", "<script>", "<script></scrip", "-", "<!doctype",
        "<a x=", "<a/", "<b>", "\xc3\xa9<", "<style></style"
    };
    /* clang-format on */
    enum { SIZE = 8 << 20 };
    struct buf html = {0}, out = {0};

    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        buf_reset(&html);
        buf_reset(&out);
        if (pieces[i][0] == '-')
            buf_add_text(&html, "<!--a");
        while (html.len < SIZE)
            buf_add_text(&html, pieces[i]);
        double begin = time_monotonic();
        text_from_html(&out, buf_span(&html), TEXT_INCLUDE_CODE);
        double took = time_monotonic() - begin;
        if (took > 20)
            print_error("8 MB of %s took %.1f s\n", pieces[i], took);
        assert_true(took <= 20);
        assert_true(out.len <= html.len + 1);
    }
    buf_clear(&html);
    buf_clear(&out);
}

/* --- tokens --- */

static void assert_readable(const char *html, size_t width, const char *expected)
{
    struct buf out = {0};

    text_readable(&out, span_of(html), width);
    assert_string_equal(buf_cstr(&out), expected);
    buf_clear(&out);
}

TEST(shows_posts_to_people)
{
    assert_readable("", 40, "");
    assert_readable("<p>one</p><p>two <b>th</b>ree</p>", 40, "one\n\ntwo three\n");
    assert_readable("<p>one two three four five six</p>", 20, "one two three four\nfive six\n");
    assert_readable("<p>a <a href=\"http://x.y/\">link</a>, <img src=\"p.png\"></p>", 40,
                    "a link [http://x.y/], [image p.png]\n");
    assert_readable("<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>", 40, "- one\n\n  - two\n- three\n");
    assert_readable("<p>so:</p><pre><code>if x:\n\ty = &lt;1&gt;\n\nz</code></pre><p>a <code>b</code></p>", 40,
                    "so:\n\n    if x:\n        y = <1>\n    \n    z\n\na `b`\n");
    assert_readable("<blockquote><p>said</p></blockquote>a<br>b", 40, "> said\n\na\nb\n");
    assert_readable("<p>a<script>b</script><style>c</style>d</p>", 40, "ad\n");
    assert_readable("<p>\xc3\xa4\xc2\x9b x &#x202e;y\x1b[31m</p>", 40, "\xc3\xa4? x ?y[31m\n");
}

/* Each byte that is marked, as *…*; places are those of the text of the HTML. */
static void assert_marked(const char *html, const char *word, const char *expected)
{
    struct buf out = {0}, text = {0};
    struct text_mark at[8];
    struct text_marks marks = {.at = at};

    text_from_html(&text, span_of(html), TEXT_PLAIN);
    for (const char *hit = strstr(buf_cstr(&text), word); hit != NULL && marks.n < ARRAY_LEN(at);
         hit = strstr(hit + 1, word)) {
        size_t start = (size_t)(hit - text.ptr);
        at[marks.n++] = (struct text_mark){start, start + strlen(word)};
    }
    marks.text = buf_span(&text);
    text_readable_marked(&out, span_of(html), 20, &marks, "*", "*");
    assert_string_equal(buf_cstr(&out), expected);
    buf_clear(&out);
    buf_clear(&text);
}

TEST(marks_words_for_people)
{
    assert_marked("<p>it is slow, <b>slow</b>er</p><pre>slow</pre><p>and `slow`</p>", "slow",
                  "it is *slow*, *slow*er\n\n    slow\n\nand `*slow*`\n");
    assert_marked("<p>one two three four <i>out of memory</i> now</p>", "out of memory",
                  "one two three four\n*out* *of* *memory* now\n");
    assert_marked("<ul><li>a <code>b</code><li>b <img src=\"b.png\"></ul>b", "b",
                  "- a `*b*`\n- *b* [image b.png]\n\n*b*\n");
    /* Of another text: nothing is marked. */
    struct buf out = {0};
    const struct text_mark at = {0, 4};
    const struct text_marks other = {SPAN("slow it is"), &at, 1};
    text_readable_marked(&out, SPAN("<p>it is slow</p>"), 40, &other, "*", "*");
    assert_string_equal(buf_cstr(&out), "it is slow\n");
    buf_clear(&out);
}

TEST(shows_deep_posts)
{
    struct buf html = {0}, out = {0};

    for (int i = 0; i < 100000; i++)
        buf_add_text(&html, "<ul><li>");
    buf_add_text(&html, "deep");
    text_readable(&out, buf_span(&html), 40);
    assert_true(utf8_valid_prefix(buf_span(&out)) == out.len);
    buf_clear(&html);
    buf_clear(&out);
}

static void assert_tokens(struct span text, const char *expected)
{
    struct token_reader reader = token_reader(text);
    struct token token;
    struct buf seen = {0};

    while (token_next(&reader, &token))
        buf_addf(&seen, "%s%zu-%zu%s%s", seen.len > 0 ? " " : "", token.start, token.end, token.ascii ? "" : "u",
                 token.new_line ? "n" : "");
    assert_string_equal(buf_cstr(&seen), expected);
    assert_false(token_next(&reader, &token)); /* and it stays so */
    buf_clear(&seen);
}

TEST(finds_words)
{
    assert_tokens((struct span){0}, "");
    assert_tokens(SPAN(" ., \n"), "");
    assert_tokens(SPAN("a"), "0-1");
    assert_tokens(SPAN("GPU-RAM, it's 2x"), "0-3 4-7 9-11 12-13 14-16");
    assert_tokens(SPAN("a_b@c[d`e{f/g:h"), "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
    assert_tokens(SPAN("a\0b"), "0-1 2-3");
}

TEST(knows_letters_beyond_ascii)
{
    assert_tokens(SPAN("\xc3\xa9t\xc3\xa9 x"), "0-5u 6-7"); /* été */
    assert_tokens(SPAN("slow\xc3\xa9"), "0-6u");
    assert_tokens(SPAN("a\xc2\xa0"
                       "b"),
                  "0-1 3-4");                         /* no-break space */
    assert_tokens(SPAN("a\xe2\x80\x99s"), "0-1 4-5"); /* ’ */
    assert_tokens(SPAN("a\xcc\x81"
                       "b"),
                  "0-1 3-4");                                             /* a combining accent */
    assert_tokens(SPAN("x\xc2\xb2 \xd9\xa3"), "0-1");                     /* ² and ٣ are no ASCII digits */
    assert_tokens(SPAN("\xe6\x85\xa2\xe9\x80\x9f"), "0-6u");              /* 慢速 */
    assert_tokens(SPAN("\xf0\x90\x90\x80\xf0\x9f\x98\x80z"), "0-4u 8-9"); /* 𐐀😀z */
}

TEST(flags_line_breaks_between_words)
{
    assert_tokens(SPAN("\na b\nc . \n . d e"), "1-2n 3-4 5-6n 13-14n 15-16");
    assert_tokens(SPAN("a\xe2\x80\x94\n\xe2\x80\x94"
                       "b c"),
                  "0-1 8-9n 10-11");
}

/* --- stems --- */

static struct stemmer *stemmer(const char *algorithm)
{
    struct stemmer *s;
    struct err e = {0};

    assert_int_equal(stemmer_new(&s, span_of(algorithm), &e), ST_OK);
    return s;
}

static void assert_stems(const char *algorithm, const char *const (*pairs)[2], size_t n)
{
    struct stemmer *s = stemmer(algorithm);

    for (size_t i = 0; i < n; i++) {
        char *stem = mem_text(stemmer_stem(s, span_of(pairs[i][0])));
        if (strcmp(stem, pairs[i][1]) != 0)
            print_error("%s stem of %s\n", algorithm, pairs[i][0]);
        assert_string_equal(stem, pairs[i][1]);
        mem_free(stem);
    }
    stemmer_free(s);
}

TEST(stems_as_nltk_does)
{
    /* clang-format off */
    static const char *const pairs[][2] = {
        {"try", "tri"}, {"tries", "tri"}, {"tied", "tie"}, {"dying", "die"}, {"Dying", "die"},
        {"is", "is"}, {"AS", "as"}, {"s", "s"}, {"say", "say"}, {"enjoy", "enjoy"},
        {"slowly", "slowli"}, {"hangs", "hang"}, {"very", "veri"}, {"skies", "sky"},
        {"news", "news"}, {"proceed", "proceed"}, {"efficiency", "effici"}, {"flies", "fli"},
        {"spied", "spi"}, {"died", "die"}, {"analogously", "analog"}, {"memories", "memori"},
        {"yyyy", "yyyi"}, {"2020s", "2020"}, {"xs", "xs"}, {"abc123ing", "abc123"}, {"", ""},
    };
    /* clang-format on */

    assert_stems("nltk", pairs, ARRAY_LEN(pairs));
}

TEST(stems_as_snowball_does)
{
    static const char *const porter[][2] = {
        {"try", "try"},  {"dying", "dy"}, {"as", "a"}, {"slowly", "slowli"},
        {"news", "new"}, {"s", "s"},      {"S", "s"}, /* libstemmer leaves nothing of it */
    };
    static const char *const english[][2] = {
        {"try", "tri"},   {"dying", "die"},           {"as", "as"},     {"slowly", "slowli"},
        {"news", "news"}, {"generously", "generous"}, {"skies", "sky"},
    };
    static const char *const german[][2] = {{"H\xc3\xa4user", "haus"}, {"SCHNELLER", "schnell"}};

    assert_stems("porter", porter, ARRAY_LEN(porter));
    assert_stems("english", english, ARRAY_LEN(english));
    assert_stems("german", german, ARRAY_LEN(german));
}

TEST(lowers_as_python_does)
{
    /* clang-format off */
    static const char *const pairs[][2] = {
        {"GPU2", "gpu2"}, {"\xc3\x89T\xc3\x89", "\xc3\xa9t\xc3\xa9"}, /* ÉTÉ */
        {"\xe2\x84\xaa", "k"}, {"\xe2\x84\xaa" "ERAS", "keras"},      /* Kelvin sign */
        {"\xc4\xb0x", "i\xcc\x87x"},                                  /* İ */
        {"\xce\xa3\xce\xa3", "\xcf\x83\xcf\x82"},                     /* ΣΣ: the last one is ς */
        {"\xce\xa3", "\xcf\x83"}, {"\xe1\xba\x9e", "\xc3\x9f"},       /* ẞ */
        {"\xf0\x90\x90\x80", "\xf0\x90\x90\xa8"}, {"\xc5\xbf", "\xc5\xbf"}, {"", ""},
    };
    /* clang-format on */
    struct stemmer *s = stemmer("nltk");

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        char *lowered = mem_text(stemmer_lower(s, span_of(pairs[i][0])));
        assert_string_equal(lowered, pairs[i][1]);
        mem_free(lowered);
    }
    stemmer_free(s);
}

TEST(refuses_an_unknown_algorithm)
{
    static const char *const names[] = {"", "klingon", "NLTK", "nltk "};
    struct stemmer *s;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct err e = {0};
        assert_int_equal(stemmer_new(&s, span_of(names[i]), &e), ST_USAGE);
        assert_null(s);
        assert_non_null(strstr(e.text, "nltk, "));
        assert_non_null(strstr(e.text, "english"));
    }
    assert_string_equal(stemmer_names()[0], "nltk");
    stemmer_free(NULL);
}

TEST(stems_words_of_any_length)
{
    struct stemmer *s = stemmer("nltk");
    struct buf word = {0};

    while (word.len < 4 << 20)
        buf_add_text(&word, "y\xc3\xa9");
    buf_add_text(&word, "ing");
    assert_int_equal(stemmer_stem(s, buf_span(&word)).len, word.len - 3);
    buf_reset(&word);
    while (word.len < 4 << 20)
        buf_add_char(&word, 'y');
    assert_int_equal(stemmer_stem(s, buf_span(&word)).len, word.len);
    buf_clear(&word);
    stemmer_free(s);
}

/* --- the sure prefix --- */

/* Deterministic, and the same everywhere: xorshift64. */
static uint64_t chance_below(uint64_t *seed, uint64_t n)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed % n;
}

static void check_sure_prefix(struct stemmer *s, const char *algorithm, struct span word)
{
    struct span stem = stemmer_stem(s, word);
    char *kept = mem_text(stem);
    size_t sure = stemmer_sure_prefix(s, stem);
    struct span lowered = stemmer_lower(s, word);

    if (sure > lowered.len || memcmp(kept, lowered.ptr, sure) != 0)
        fail_msg("%s: '%.*s' has the stem '%s', but does not start with %zu bytes of it", algorithm, (int)word.len,
                 word.ptr, kept, sure);
    mem_free(kept);
}

static void random_word(uint64_t *seed, struct buf *word)
{
    static const char *const parts[] = {
        "s",     "es",       "sses",         "ies",      "ied",     "ss",    "ed",      "eed",     "ing",   "edly",
        "at",    "bl",       "iz",           "tt",       "ll",      "y",     "ational", "tional",  "enci",  "anci",
        "izer",  "bli",      "abli",         "alli",     "entli",   "eli",   "ousli",   "ization", "ation", "ator",
        "alism", "iveness",  "fulness",      "ousness",  "aliti",   "iviti", "biliti",  "ability", "fulli", "logi",
        "icate", "ative",    "alize",        "iciti",    "ical",    "ful",   "ness",    "al",      "ance",  "ence",
        "er",    "ic",       "able",         "ible",     "ant",     "ement", "ment",    "ent",     "sion",  "tion",
        "ou",    "ism",      "ate",          "iti",      "ous",     "ive",   "ize",     "e",       "le",    "li",
        "ly",    "ically",   "bility",       "dying",    "lying",   "tying", "skies",   "sky",     "ski",   "skis",
        "news",  "\xc3\xa9", "\xe2\x84\xaa", "\xc4\xb0", "\xc3\x89"};
    static const char letters[] = "aeiouybcdlstxzwAEIYS1";

    buf_reset(word);
    for (uint64_t n = chance_below(seed, 6); n > 0; n--)
        buf_add_char(word, letters[chance_below(seed, sizeof letters - 1)]);
    for (uint64_t n = chance_below(seed, 4); n > 0; n--)
        buf_add_text(word, parts[chance_below(seed, ARRAY_LEN(parts))]);
}

static void check_random_words(struct stemmer *s, const char *algorithm)
{
    uint64_t seed = 0x5eed0001;
    struct buf word = {0};

    for (size_t i = 0; i < 400000; i++) {
        random_word(&seed, &word);
        check_sure_prefix(s, algorithm, buf_span(&word));
    }
    buf_clear(&word);
}

/* The word list of the system, when it has one. */
static void check_known_words(struct stemmer *s, const char *algorithm)
{
    static const char *const lists[] = {"/usr/share/dict/british-english-huge", "/usr/share/dict/words"};
    struct buf content = {0};
    struct err e;

    for (size_t i = 0; i < ARRAY_LEN(lists) && content.len == 0; i++)
        if (file_read(lists[i], (size_t)64 << 20, &content, &e) != ST_OK)
            buf_reset(&content);
    if (utf8_valid_prefix(buf_span(&content)) < content.len)
        buf_reset(&content);
    struct token_reader reader = token_reader(buf_span(&content));
    struct token token;
    while (token_next(&reader, &token))
        check_sure_prefix(s, algorithm, (struct span){content.ptr + token.start, token.end - token.start});
    buf_clear(&content);
}

TEST(every_word_starts_with_its_sure_prefix)
{
    static const char *const algorithms[] = {"nltk", "porter", "english", "german"};

    for (size_t i = 0; i < ARRAY_LEN(algorithms); i++) {
        struct stemmer *s = stemmer(algorithms[i]);
        check_random_words(s, algorithms[i]);
        check_known_words(s, algorithms[i]);
        stemmer_free(s);
    }
}

TEST(the_sure_prefix_is_of_use)
{
    struct stemmer *s = stemmer("nltk");

    assert_int_equal(stemmer_sure_prefix(s, SPAN("hang")), 4);
    assert_int_equal(stemmer_sure_prefix(s, SPAN("slowli")), 5);
    assert_int_equal(stemmer_sure_prefix(s, SPAN("memori")), 5);
    assert_int_equal(stemmer_sure_prefix(s, SPAN("die")), 1);
    assert_int_equal(stemmer_sure_prefix(s, SPAN("")), 0);
    stemmer_free(s);
    s = stemmer("german"); /* nothing is known of it */
    assert_int_equal(stemmer_sure_prefix(s, SPAN("haus")), 0);
    stemmer_free(s);
}

int main(void)
{
    return unit_run(NULL, NULL, NULL, NULL);
}
