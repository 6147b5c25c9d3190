/* words: what the model sees of a text: its stems and pairs of neighbouring stems, each as a fingerprint, and how
 * often. For screen only. */
#pragma once

#include "screen/screen.h"

struct word_count {
    uint64_t fingerprint;
    uint32_t count; /* words of the title count several times */
};

/* Reads one text after another; for one thread. */
struct words;

/* ST_USAGE for a stemmer that does not exist. *out needs words_free in either case. */
enum status MUST_USE words_new(struct words **out, const struct screen_reading *reading, struct err *e);
void words_free(struct words *w);
/* The features of a text, each once, in ascending order of their fingerprints; *counts lives until the next call. */
size_t words_read(struct words *w, const struct screen_text *text, const struct word_count **counts);

/* --- by several threads: texts in, their features out --- */

struct crew;

/* `take` gets the features of each text, in the order of texts, in the thread that calls crew_add and crew_end.
 * ST_USAGE for an unknown stemmer; ST_IO when no thread can be started. *out needs crew_free in either case. */
enum status MUST_USE crew_new(struct crew **out, const struct screen_reading *reading,
                              void (*take)(void *ctx, const struct word_count *counts, size_t n), void *ctx,
                              struct err *e);
/* From now on the threads that read give the features of each text to `sift`, which may change them in place and
 * returns how many are left to take. After crew_end, before more texts. *ctx must be constant while texts are read. */
void crew_sift(struct crew *c, size_t (*sift)(const void *ctx, struct word_count *counts, size_t n), const void *ctx);
/* Copies the text. */
void crew_add(struct crew *c, const struct screen_text *text);
/* Takes what is not taken yet; more texts may follow. */
void crew_end(struct crew *c);
void crew_free(struct crew *c);
