/*
 * hints: what the words of a post suggest, by the patterns of a study's hints.csv: codes of the codebook, with the
 * words that suggest them, and facts that coders look for, such as versions. A hint is not a decision: nothing here is
 * stored as a label. May include base and the rest of label.
 *
 * Patterns are PCRE2's, caseless, in UTF-8; "." is any character but a line feed, \d \w \s \b know ASCII only unless
 * the pattern begins with (*UCP). They cannot hang the program: texts are searched in pieces of HINT_PIECE_MAX bytes, a
 * search ends after HINT_STEPS_MAX steps, and after HINT_MATCHES_MAX matches of a pattern in a text. With PPMINE_NO_JIT
 * in the environment patterns are interpreted: slower, with the same matches.
 */
#pragma once

#include "base/base.h"

struct codebook;

enum {
    HINT_WEIGHT_MAX = 3,
    HINT_ROWS_MAX = 4096,    /* of hints.csv */
    HINT_PATTERN_MAX = 4096, /* bytes */
    HINT_PIECE_MAX = 8192,   /* bytes; cut at white space where there is some */
    HINT_STEPS_MAX = 10000,  /* PCRE2's match limit, and its limit of depth */
    HINT_HEAP_MAX = 1024,    /* KiB, for one search */
    HINT_MATCHES_MAX = 100,  /* of one row in one text */
    HINT_WORDS_MAX = 12      /* different words that are kept for one code */
};

/* A row of hints.csv. */
struct hint {
    struct span facet; /* a list of codes, or "fact" */
    size_t list;       /* the list's place in the codebook; of a fact the number of lists */
    size_t code;       /* of the codebook; SIZE_MAX for a fact */
    struct span name;  /* of the code as the codebook has it, or of the fact */
    struct span pattern;
    unsigned weight; /* 1 .. HINT_WEIGHT_MAX: how strongly the words suggest the code */
    size_t line;     /* of the file */
};

/* The patterns, compiled. For one thread: it contains what a search works in. */
struct hints;

/* Reads hints.csv: facet, code, pattern, weight. A code may be written as codebook_find takes it; of a fact `code` is
 * its name, and the pattern has a group (?P<value>…). *c must outlive *out. ST_INPUT with hints.csv:line for a missing
 * or unknown column, facet, code or weight, a pattern that does not compile or can match the empty text, a fact without
 * its group, a repeated row. *out is NULL then, and for the empty span too. */
enum status MUST_USE hints_load(struct hints **out, const struct codebook *c, struct span csv, struct err *e);
/* From now on the rows suggest codes of *now, which the codebook became: each the code that has the row's code as its
 * name or an alias. Skips rows without one. *now must outlive *h. */
void hints_follow(struct hints *h, const struct codebook *now);
void hints_free(struct hints *h); /* NULL does nothing */
size_t hints_count(const struct hints *h);
const struct hint *hints_row(const struct hints *h, size_t row);

/* --- searching --- */

struct hint_text {
    const char *field; /* "title", "body", "code" */
    struct span text;  /* any bytes; invalid UTF-8 matches nothing, what is around it does */
};

enum hint_kinds { HINT_CODES = 1, HINT_FACTS = 2, HINT_ALL = 3 };

struct hint_match {
    size_t row; /* of hints.csv, from 0 */
    const struct hint *hint;
    size_t text;       /* index into texts[] */
    size_t start, end; /* bytes of that text; end is exclusive */
    struct span words; /* texts[text], from start to end */
    struct span value; /* of a fact: a part of the text, never empty; else ptr NULL */
};

/* What the limits above cost: searches of a pattern in a text that were broken off. */
struct hint_losses {
    size_t given_up; /* too many steps, or too much memory */
    size_t capped;   /* too many matches */
    size_t row;      /* the first that was given up; SIZE_MAX: none */
};

/* Calls back for each match of these kinds, by row, text, place; matches of a row do not overlap. Adds to *losses. */
void hints_find(struct hints *h, enum hint_kinds kinds, const struct hint_text *texts, size_t n,
                void (*each)(void *ctx, const struct hint_match *match), void *ctx, struct hint_losses *losses);

/* --- what comes out of it --- */

struct hint_suggestion {
    struct span facet; /* as in struct hint */
    size_t code;
    struct span name;
    unsigned weight;   /* the sum over the patterns that match, each once however often it does */
    struct span words; /* that do, each once, joined by "; "; white space in them is one blank */
};

struct hint_fact {
    struct span fact, value; /* white space in the value is one blank */
    struct span words;       /* around the value; of the first place where it stands */
    const char *field;       /* of that place */
};

struct hint_list {
    struct hint_suggestion *suggestions; /* by facet, then heaviest first, then as in the codebook */
    size_t n_suggestions;
    struct hint_fact *facts; /* by row of hints.csv, then place; each value of a fact once, in any ASCII case */
    size_t n_facts, fact_capacity;
    struct hint_losses losses;
    struct arena arena; /* owns the texts above, but for facet, name, fact and field */
};

/* Fills *out, which is all zero or filled before: its memory is reused. It needs hint_list_clear, and *h to live. */
void hints_suggest(struct hints *h, enum hint_kinds kinds, const struct hint_text *texts, size_t n,
                   struct hint_list *out);
void hint_list_clear(struct hint_list *list);
