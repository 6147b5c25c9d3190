/* The inside of a keyword set, shared by the files of match only. Each distinct stem of the set has a word number: 1 +
 * its place in `stems` (0: a word that no keyword has). A pattern is a sequence of word numbers; a keyword has one
 * pattern, or with alternatives several consecutive ones. */
#pragma once

#include "match/match.h"
#include "match/prefilter.h"

enum {
    PATTERN_SPAN_MAX = KEYWORD_WORDS_MAX + KEYWORD_GAPS_MAX /* words of a text that one reaches over */
};

#define NO_KEYWORD MATCH_EXCLUSION

struct pattern {
    uint32_t keyword;
    uint32_t n_words;
    uint32_t words[KEYWORD_WORDS_MAX];
    unsigned char gaps[KEYWORD_WORDS_MAX]; /* words of a text that may be before this one */
};

struct pattern_list ARRAY_OF(uint32_t);

#define MAP_NAME stem_map
#define MAP_KEY struct span
#define MAP_VALUE struct pattern_list /* those that end in this stem */
#include "base/map.h"

/* Refuses most words by their first three letters, before they are stemmed: [first][second] has the possible third
 * letters as bits. Letters are taken by their low five bits, which folds case; a missing letter has bits 0. */
typedef uint32_t letter_table[32][32];

struct match_set {
    struct ARRAY_OF(struct keyword) keywords;
    struct ARRAY_OF(struct pattern) patterns;
    struct ARRAY_OF(struct span) exclusions; /* as they are printed */
    bool has_gaps;                           /* some pattern reaches over words that no keyword has */
    struct stem_map stems;
    letter_table letters;
    struct prefilter prefilter;
    struct span algorithm;
    struct arena arena;
};
