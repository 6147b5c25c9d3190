/* A search for the first letters of keywords in bytes that were not decoded yet; private to match. */
#pragma once

#include "base/base.h"

enum {
    PREFILTER_LITERALS = 64, /* more keywords than that: no prefilter */
    PREFILTER_LITERAL_MAX = 12
};

struct prefilter_literal {
    unsigned char bytes[PREFILTER_LITERAL_MAX]; /* lower-case ASCII letters and digits */
    size_t len;
};

/* A text can contain a keyword only where a word starts with `word` and, unless `beside` is empty, the word before (or
 * after) it starts with that. */
struct prefilter_rule {
    struct prefilter_literal word, beside;
    bool beside_is_before;
};

/* For three neighbouring bytes, which groups of literals have a byte with these low and these high
 * four bits there. Bit 7 is for what may begin anywhere, bits 0–6 for what begins a word. */
struct prefilter_masks {
    unsigned char low[3][32];
    unsigned char high[3][32];
};

struct prefilter {
    bool off; /* everything is possible */
    struct prefilter_rule rules[PREFILTER_LITERALS];
    size_t n_rules;
    uint64_t rules_of[32]; /* by the low five bits of a word's first byte: bits of rules */
    struct prefilter_masks masks;
};

/* Adds the rule of a keyword. An empty `word` turns the filter off. */
void prefilter_add(struct prefilter *f, struct span word, struct span beside, bool beside_is_before);
/* To be called once after the last rule. */
void prefilter_finish(struct prefilter *f);
bool prefilter_possible(const struct prefilter *f, struct span raw);
/* The same answer without AVX2. */
bool prefilter_possible_scalar(const struct prefilter *f, struct span raw);
