/*
 * stem: from HTML to words. May include base only.
 *
 * text    what a reader of the post sees as running words, one line per block
 * token   a maximal run of letters and digits in such a text
 * stem    a token lower-cased and stemmed
 */
#pragma once

#include "base/base.h"

/* --- text --- */

enum text_options {
    TEXT_PLAIN = 0,
    TEXT_INCLUDE_CODE = 1, /* keep what is inside <pre> */
    TEXT_ONLY_CODE = 2     /* keep nothing else */
};

/* Appends to *out the text of an HTML body (valid UTF-8, any tag soup). Every tag or comment ends a word; a tag of a
 * block element, and <br>, ends the line too. White space (ASCII) and markup between words become one '\n' where they
 * have such a tag, else one ' '; none at the ends. Text in <pre>, <script> and <style> is left out (<pre>: unless
 * TEXT_INCLUDE_CODE or TEXT_ONLY_CODE). Character references are decoded as libxml2's HTML parser does. */
void text_from_html(struct buf *out, struct span html, enum text_options options);

/* Appends an HTML body as a person reads it on a terminal: blocks apart, lines of at most `width` characters but for
 * code and long words, code indented, the targets of links and images after them. Cleaned as buf_add_clean does. */
void text_readable(struct buf *out, struct span html, size_t width);

/* Bytes of a text, as text_from_html gives it. */
struct text_mark {
    size_t start, end;
};

struct text_marks {
    struct span text; /* what they are places of; unless it is that of the HTML, nothing is marked */
    const struct text_mark *at;
    size_t n;
};

/* The same, with `before` and `after` around each marked word; a mark over several lines is marked line by line. */
void text_readable_marked(struct buf *out, struct span html, size_t width, const struct text_marks *marks,
                          const char *before, const char *after);

/* An image that is kept: where a page has it from, and its size in pixels. */
struct text_image {
    struct span src; /* lives until the next call */
    unsigned width, height;
};

/* The page on which HTML is shown. */
struct text_page {
    /* Whether the image of this address is kept. Addresses are whole and in ASCII. NULL: none is. */
    bool (*find)(void *ctx, struct span url, struct text_image *out);
    /* Whether the page is served under this host: a cookie goes to every port of it, so no link leads there.
     * NULL: it is not served. */
    bool (*is_ours)(void *ctx, struct span host);
    void *ctx;
};

/* Whether a link may lead there: http and https, no server on this machine (base/host.h). `page` may be NULL. */
bool text_may_lead(struct span url, const struct text_page *page);

/* Appends an HTML body as HTML that a page can contain: rewritten by a closed list of elements, balanced; other
 * elements become text. The only attribute is the target of links, http and https alone (`base_url` is put before "/…")
 * and as text_may_lead allows. Images that are kept become <img> from our own address, others links with their words.
 * Scripts, styles and the like are dropped with their content; texts are cleaned as buf_add_clean_lines does. The
 * marked words are in <mark>. In <pre>, what is not marked has <span> around parts of code: class word (keywords),
 * text, number or comment. `page` may be NULL. */
void text_safe_html(struct buf *out, struct span html, struct span base_url, const struct text_marks *marks,
                    const struct text_page *page);

/* Scheme and host of an address: the base_url of what is written there. */
struct span text_origin(struct span url);

/* Tells the addresses of all images that text_safe_html would ask for, in their order. */
void text_image_each(struct span html, struct span base_url, void (*each)(void *ctx, struct span url), void *ctx);

/* How many bytes are not white space: those that a text and the HTML that it was taken from have in common. */
size_t MUST_USE text_solid(struct span text);

/* Appends a title: plain text, in which control white space becomes blanks one for one. */
void text_from_title(struct buf *out, struct span title);

/* --- tokens --- */

struct token {
    size_t start, end; /* bytes in the text */
    bool ascii;        /* no byte >= 0x80 */
    bool new_line;     /* a '\n' is between the token before and this one */
};

struct token_reader {
    struct span text;
    size_t at;
};

/* *text is valid UTF-8 and outlives the reader. */
struct token_reader token_reader(struct span text);
bool token_next(struct token_reader *r, struct token *out);
/* Is the text one word, and nothing else? */
bool MUST_USE token_is_whole(struct span text);

/* --- stems --- */

struct stemmer;

/* "nltk" (the default of the studies: nltk.stem.PorterStemmer() of NLTK 3.8, byte for byte), or a
 * name that libstemmer knows ("porter", "english", "german", …). ST_USAGE for any other name. */
enum status MUST_USE stemmer_new(struct stemmer **out, struct span algorithm, struct err *e);
void stemmer_free(struct stemmer *s);

/* Lower-cases (full Unicode mapping) and stems one token; the result, never empty for a token that is not, lives until
 * the next call. A stemmer is for one thread. */
struct span stemmer_stem(struct stemmer *s, struct span token);

/* Only lower-cases. Same lifetime. */
struct span stemmer_lower(struct stemmer *s, struct span token);

/* The first bytes of every token with this stem, once lower-cased; may be empty. For prefilters: sound, not tight. */
size_t stemmer_sure_prefix(const struct stemmer *s, struct span stem);

/* Names that stemmer_new takes, NULL-terminated. */
const char *const *stemmer_names(void);
