/* shingles: a post as the set of its shingles: three consecutive stems of its title and body, as numbers. Of mine only;
 * similar.c says what they are for. */
#pragma once

#include "base/post/post.h"
#include "stem/stem.h"
#include "base/study/study.h"

enum { SHINGLE_BANDS = 32 };

struct shingles ARRAY_OF(uint32_t);

/* Reads one post after another; for one thread. */
struct shingler;

/* ST_USAGE for an unknown stemmer. *out needs shingler_free in either case. */
enum status MUST_USE shingler_new(struct shingler **out, const struct study *study, struct err *e);
void shingler_free(struct shingler *s);
/* Adds the shingles of the post, sorted, each once; returns how many. A text of fewer stems is one. */
size_t shingler_read(struct shingler *s, const struct post *post, struct shingles *out);

/* A number that equal sets share. */
uint64_t shingles_content(const uint32_t *at, size_t n);
/* The key of a band: the least hash of the set under each of several functions. Similar sets share some keys. */
uint64_t shingles_band(const uint32_t *at, size_t n, unsigned band);
