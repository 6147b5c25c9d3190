/*
 * match: a keyword set and where its n-grams stand in a text. May include base and stem.
 */
#ifndef MATCH_H
#define MATCH_H

#include "base/base.h"
#include "stem/stem.h"

enum {
    KEYWORD_WORDS_MAX = 8,   /* the n of an n-gram */
    KEYWORDS_MAX = 100000
};

struct keyword {
    struct span text;   /* as the study prints it, words joined by one blank */
    struct span stems;  /* what is compared, words joined by one blank */
    size_t n_words;
    struct span dead;   /* why it can never match; ptr NULL when it can */
    struct span note;   /* something to know about it; ptr NULL when there is nothing */
};

enum match_options {
    MATCH_STEMMED = 0,
    MATCH_VERBATIM = 1 /* compare the words as printed, not their stems */
};

/* A keyword set; constant once loaded, so threads may share it. */
struct match_set;

/*
 * Loads the published format: one n-gram per line, `#` starts a comment; a comment behind a keyword
 * is its note. `name` is used in errors (file:line). *algorithm as for stemmer_new.
 */
enum status MUST_USE match_set_load(struct match_set **out, struct span content, const char *name,
                                    struct span algorithm, enum match_options options,
                                    struct err *e);
void match_set_free(struct match_set *set);
size_t match_set_size(const struct match_set *set);
const struct keyword *match_set_keyword(const struct match_set *set, size_t index);

struct hit {
    uint32_t keyword; /* index in the set */
    size_t start, end; /* bytes in the text: of the first word, behind the last */
};

/* Finds the hits of one text after another; one per thread. */
struct matcher;

struct matcher *matcher_new(const struct match_set *set); /* borrows the set */
void matcher_free(struct matcher *m);

/* The hits of one field's text, ordered by start, then number of words, then place in the set;
 * *hits lives until the next call. */
size_t matcher_find(struct matcher *m, struct span text, const struct hit **hits);

/*
 * False only when no text made from these bytes can hold a hit: raw HTML, HTML escaped for XML or
 * JSON-decoded text. Much faster than finding out; proof in prefilter.c.
 */
bool match_possible(const struct match_set *set, struct span raw);

#endif
