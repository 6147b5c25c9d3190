/*
 * search_segment: a part of the full-text index, ready to be stored. Internal to match/corpus.
 */
#pragma once

#include "match/corpus/search.h"

/* What leads to a page: the first bytes of its first term. */
struct search_lead {
    size_t page; /* from 1 */
    size_t end;  /* in first_terms; it begins where the one before ends */
};

struct search_segment {
    struct buf pages; /* one after the other */
    struct ARRAY_OF(size_t) page_ends;
    struct buf first_terms;
    struct ARRAY_OF(struct search_lead) leads;
};

/* An SQLite varint; how many bytes, at most 9. */
size_t search_put_varint(unsigned char *to, uint64_t value);
