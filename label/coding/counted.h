/* counted: judgements and labels in memory, all of one moment or those about one post. They are read once for all who
 * ask; after a decision only those about its post are read again. Internal to label/coding. */
#pragma once

#include "label/coding/decisions.h"

struct counted_coder {
    struct span coder;
    bool is_merged, is_model;
};

/* One code of a label; of a judgement the code is 1 or 0, yes or no. */
struct counted_row {
    struct span subject, decided_at;
    const struct span *spelling; /* NULL: none */
    int64_t post_id, code_id;    /* POST_ABSENT: no code */
    uint16_t coder;              /* its place */
    uint8_t facet, place;        /* as in the tables; of a judgement FACET_JUDGES and 1 */
    bool counts;                 /* it is in counted_judgement or counted_label */
};

/* Judgements by post and coder, then labels by subject, facet, coder, place, in byte order. Skips unknown coders and
 * facets. */
struct counted {
    struct ARRAY_OF(struct counted_row) rows;
    struct ARRAY_OF(struct counted_coder) coders; /* by name */
    struct arena arena;
    int64_t post_id, version, changes; /* whose they are, and of which moment */
    struct counted_mark {
        int64_t last;        /* the rowid of the last decision; POST_ABSENT: there is none */
        int64_t n_rows;      /* that are to be read */
        struct buf id, rest; /* of that decision; and all but decisions that rows follow from */
    } mark;
    size_t n_read; /* rows, with those that later ones replaced, whose texts are there still */
};

/* Of a post (0: of all). *out lives until the next call for a post, or for all; or until something is written. */
enum status MUST_USE counted_read(struct db *db, int64_t post_id, const struct counted **out, struct err *e);
