/*
 * search: the full-text index, made from stems without SQLite's tokenizer, by several threads. What is made is
 * what FTS5 keeps in its tables (format 4); search.c is the one file that knows that format.
 *
 * Why not INSERT: FTS5 then sums up the words in the one thread that writes, and match takes 1.2 times the time of
 * processors on two (250 MB: 9.4 to 10.5 s, not 7.8 to 8.4) and twice that of the writing thread (1.5 s, not 0.7,
 * each 100 MB), which more processors wait for. Neither the size of its hash (1 MB to 1 GB), its pages nor merging
 * later changes that.
 */
#pragma once

#include "db/db.h"

enum { SEARCH_COLUMNS = 2 /* title and body */ };

/* Collects the words of posts. One per thread; it needs no database. */
struct search_builder;

struct search_builder *search_builder_new(void);
void search_builder_free(struct search_builder *b);

/* The number of a stem, the same each time until search_build. */
uint32_t MUST_USE search_term(struct search_builder *b, struct span stem);
/* Posts come by id, words in their order within a column, columns in theirs. */
void search_begin_post(struct search_builder *b, int64_t post_id);
void search_add(struct search_builder *b, unsigned column, const uint32_t *terms, size_t n);
/* How many words the last post has so far, in each of the SEARCH_COLUMNS columns; until the next call of
 * search_begin_post or search_build. */
const uint32_t *MUST_USE search_sizes(const struct search_builder *b);
/* About how many bytes the words take so far. */
size_t MUST_USE search_bytes(const struct search_builder *b);

/* A part of the index: some posts. */
struct search_segment;

/* What was collected, as a part; the builder is empty after that. NULL when there was no post. */
struct search_segment *MUST_USE search_build(struct search_builder *b);
void search_segment_free(struct search_segment *segment);
