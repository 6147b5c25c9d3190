/* sources: names and numbers of a post that neither script of a pair has. */
#pragma once

#include "base/base.h"

enum bench_word { BENCH_API, BENCH_NAME, BENCH_AMOUNT, BENCH_WORDS };

extern const char *const bench_word_names[]; /* "API", "name", "number"; NULL ends */

/* Calls back for each in the text, in order. An API is a dotted name ("tf.data.Dataset.map", ".fit"), or a name in
 * front of a bracket; a name is one with an underscore, a digit or a capital within, and in code also one that is
 * assigned. In code, other words are passed over, which may be output as well, and so is what is quoted. In running
 * text a dotted name begins with a library's, or has a bracket after it; addresses are passed over, and a comma may
 * part thousands. */
void bench_words_each(struct span text, bool is_code, void (*each)(void *ctx, enum bench_word kind, struct span words),
                      void *ctx);

/* What both scripts of a pair say, comments and docstrings aside. */
struct bench_shown;

struct bench_shown *MUST_USE bench_shown_new(const struct buf *texts, size_t n);
void bench_shown_free(struct bench_shown *s);
/* Are all of its words there, in any case of ASCII letters, and all of its numbers? Of a dotted name the last word. */
bool bench_shows(const struct bench_shown *s, enum bench_word kind, struct span words);
