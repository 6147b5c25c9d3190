/* sources: names and numbers of a post that neither script of a pair has. */
#pragma once

#include "base/base.h"

enum bench_word { BENCH_API, BENCH_NAME, BENCH_AMOUNT, BENCH_WORDS };

extern const char *const bench_word_names[]; /* "API", "name", "number"; NULL ends */

/* Calls back for each in the text, in order. An API is a dotted name ("tf.data.Dataset.map", ".fit"), or a name before
 * a bracket; a name has an underscore, a digit or an inner capital, or in code is assigned. In code, skips quoted text
 * and other words, which may be output. In running text a dotted name begins with a library's, or a bracket follows it;
 * skips addresses, and commas may separate thousands. */
void bench_words_each(struct span text, bool is_code, void (*each)(void *ctx, enum bench_word kind, struct span words),
                      void *ctx);

/* What both scripts of a pair say, comments and docstrings aside. */
struct bench_shown;

struct bench_shown *MUST_USE bench_shown_new(const struct buf *texts, size_t n);
void bench_shown_free(struct bench_shown *s);
/* Are all of its words there, in any case of ASCII letters, and all of its numbers? Of a dotted name the last word. */
bool bench_shows(const struct bench_shown *s, enum bench_word kind, struct span words);
