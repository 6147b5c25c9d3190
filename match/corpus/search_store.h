/*
 * search_store: the full-text index of a database, written part by part.
 */
#pragma once

#include "match/corpus/search.h"

struct search_store {
    struct db *db;
    struct ARRAY_OF(size_t) n_pages; /* of each part */
    uint64_t n_posts, n_words[SEARCH_COLUMNS];
};

/* Makes an empty index, within the caller's transaction, in which it is written to the end; after
 * db_derived_clear. The posts of the parts differ. *s needs search_store_clear in either case. */
enum status MUST_USE search_store_begin(struct search_store *s, struct db *db, struct err *e);
/* A post, with search_sizes of the builder that it was given to; posts come by id, in any order with the parts. */
enum status MUST_USE search_store_put_post(struct search_store *s, int64_t post_id, const uint32_t *n_words,
                                           struct err *e);
enum status MUST_USE search_store_put(struct search_store *s, const struct search_segment *segment, struct err *e);
enum status MUST_USE search_store_end(struct search_store *s, struct err *e);
void search_store_clear(struct search_store *s);
