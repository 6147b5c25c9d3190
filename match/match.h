/* match: a keyword set and where its n-grams are in a text. May include base and stem. */
#pragma once

#include "base/base.h"
#include "stem/stem.h"

enum {
    KEYWORD_WORDS_MAX = 8,     /* the n of an n-gram */
    KEYWORD_GAPS_MAX = 8,      /* words that all gaps of a keyword may reach over */
    KEYWORD_PATTERNS_MAX = 64, /* what its alternatives multiply to */
    KEYWORDS_MAX = 100000
};

/* The fields of a post that a keyword is looked for in; bits. */
enum keyword_fields { KEYWORD_IN_TITLE = 1, KEYWORD_IN_BODY = 2, KEYWORD_IN_ALL = 3 };

struct keyword {
    struct span text;  /* as the study prints it, words joined by one blank */
    struct span stems; /* what is compared, written in the same way */
    size_t n_words;    /* without gaps */
    unsigned fields;   /* of enum keyword_fields */
    struct span dead;  /* why it can never match; ptr NULL when it can */
    struct span note;  /* something to know about it; ptr NULL when there is nothing */
};

enum match_options {
    MATCH_STEMMED = 0,
    MATCH_VERBATIM = 1 /* compare the words as printed, not their stems */
};

/* A keyword set; constant once loaded, so threads may share it. */
struct match_set;

/*
 * Loads the published format: one n-gram per line, `#` starts a comment; a comment after a keyword is its note. `name`
 * is used in errors (file:line). *algorithm as for stemmer_new. Beyond that format, with characters that no word has:
 *
 *     gpu|cpu util          any of these words
 *     take *2 longer        at most two words between ("*": one), all on one line of the text
 *     title: slow           only there; or body:
 *     ! faster r-cnn        an exclusion: what a keyword finds inside of it is not a hit
 */
enum status MUST_USE match_set_load(struct match_set **out, struct span content, const char *name,
                                    struct span algorithm, enum match_options options, struct err *e);
void match_set_free(struct match_set *set);
size_t match_set_size(const struct match_set *set);
const struct keyword *match_set_keyword(const struct match_set *set, size_t index);
size_t match_set_exclusions(const struct match_set *set);                   /* how many */
struct span match_set_exclusion(const struct match_set *set, size_t index); /* its words */

#define MATCH_EXCLUSION UINT32_MAX

/* Words that a keyword or an exclusion looks for; with alternatives it has several. Spans live as long as the set. */
struct match_pattern {
    uint32_t keyword; /* or MATCH_EXCLUSION */
    size_t n_words;
    struct span stems[KEYWORD_WORDS_MAX]; /* one after the other, if not has_gap */
    bool has_gap;
};

size_t match_set_patterns(const struct match_set *set); /* how many */
struct match_pattern match_set_pattern(const struct match_set *set, size_t index);

struct hit {
    uint32_t keyword;  /* index in the set */
    size_t start, end; /* bytes in the text: from the first word to the last, exclusive */
};

/* Finds the hits of one text after another; one per thread. */
struct matcher;

struct matcher *matcher_new(const struct match_set *set); /* borrows the set */
void matcher_free(struct matcher *m);

/* The texts that follow are of these fields (enum keyword_fields); at first of all. */
void matcher_in(struct matcher *m, unsigned fields);
/* The hits of one field's text, ordered by start, number of words, place in the set. Of a keyword with gaps: the
 * shortest that ends at a word, the longest of those that begin at one word. *hits lives until the next call. */
size_t matcher_find(struct matcher *m, struct span text, const struct hit **hits);

/* The same for a caller who reads the words of a text by himself, and knows their numbers. */
uint32_t match_set_number(const struct match_set *set, struct span stem); /* 0: in no keyword */
void matcher_begin(struct matcher *m, unsigned fields);
void matcher_word(struct matcher *m, uint32_t number, const struct token *token);
size_t matcher_end(struct matcher *m, const struct hit **hits);

/* False only when no text made from these bytes can contain a hit: raw HTML, HTML escaped for XML or JSON-decoded text.
 * Much faster than finding out; proof in prefilter.c. */
bool match_possible(const struct match_set *set, struct span raw);

/* --- deriving a keyword set from judged posts --- */

/* Counts of the n-grams of the problem posts, n being 1 and 2. */
struct derivation;

/* ST_USAGE for an unknown algorithm. *out needs derivation_free in either case. */
enum status MUST_USE derivation_new(struct derivation **out, struct span algorithm, struct err *e);
void derivation_free(struct derivation *d);

/* Counts a post: first all problem posts (problem is true), then the others, of which only the
 * n-grams that a problem post has are counted, so memory depends on the problem posts alone. */
void derivation_add(struct derivation *d, const struct span *texts, size_t n_texts, bool problem);

/* Counts of a part of the posts, which can be added up: after derivation_part, n-grams that only other posts have are
 * counted too. derivation_write adds a line for each n-gram, "NGRAM TAB n TAB problems TAB others TAB occurrences",
 * after one with an empty NGRAM that counts the posts, and forgets them. So it may be called several times, between
 * posts, before memory grows (derivation_size: n-grams). derivation_read adds such a line's counts; false: it is
 * another. */
void derivation_part(struct derivation *d);
size_t derivation_size(const struct derivation *d);
void derivation_write(struct derivation *d, struct buf *out);
bool derivation_read(struct derivation *d, struct span line);
uint64_t derivation_posts(const struct derivation *d, bool problem); /* problem posts, or the others */

struct derived_ngram {
    struct span ngram; /* stems joined by a blank; lives as long as the derivation */
    size_t n;
    uint64_t problems, others; /* posts that contain it */
    uint64_t occurrences;      /* in problem posts */
    /* Occurrences in problem posts times ln(posts / posts that contain it): Salton and Buckley,
     * "Term-weighting approaches in automatic text retrieval", 1988 (raw term frequency). */
    double tf_idf;
    /* Log-likelihood ratio G2 of the 2x2 table (has it or not, problem or other), negative where the n-gram is rarer
     * among problems: Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", 1993, section 5. */
    double log_likelihood;
    double rank; /* the one of these that it was ranked by */
};

enum derivation_order { BY_TF_IDF, BY_LOG_LIKELIHOOD, BY_PROBLEMS };

/* Ranks the n-grams that at least min_posts problem posts contain; ties by text. n is 1, 2, or 0 for both. *ngrams is
 * the caller's to mem_free. */
size_t derivation_rank(const struct derivation *d, size_t n, uint64_t min_posts, enum derivation_order order,
                       struct derived_ngram **ngrams);
