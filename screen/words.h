/*
 * words: what the model sees of a text: its stems and pairs of neighbouring stems, each as a
 * fingerprint, and how often. For screen only.
 */
#pragma once

#include "screen/screen.h"

struct word_count {
    uint64_t fingerprint;
    uint32_t count; /* words of the title count several times */
};

/* Reads one text after another; for one thread. */
struct words;

/* ST_USAGE for a stemmer that does not exist. */
enum status MUST_USE words_new(struct words **out, const struct screen_reading *reading, struct err *e);
void words_free(struct words *w);
/* The features of a text, each once, in ascending order of their fingerprints; *counts lives until
 * the next call. */
size_t words_read(struct words *w, const struct screen_text *text, const struct word_count **counts);
