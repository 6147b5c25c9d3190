/*
 * columns: the columns of a sheet of codings, as export writes and import reads them. They follow from
 * the facets.
 */
#pragma once

#include "label/facets.h"

/* In the order in which they are exported; of CODING_CODE there are as many as the facets have. */
enum coding_kind {
    CODING_PROBLEM_ID,
    CODING_POST_ID,
    CODING_CODER,
    CODING_JUDGEMENT,
    CODING_CODE,
    CODING_REASON, /* of what the row decides */
    CODING_NOTE,   /* of the coder, private */
    CODING_DECIDED_AT,
    CODING_URL,
    CODING_TITLE,
    CODING_ERROR, /* what import says of a bad row */
    CODING_KINDS
};

struct coding_column {
    const char *name;
    enum coding_kind kind;
    size_t facet, place; /* of CODING_CODE: place in the facet's codes; facet also of the judgement */
    double width;        /* in a workbook, in characters */
};

struct coding_columns {
    const struct facets *facets;
    struct coding_column *items;
    size_t n;
    size_t at[CODING_KINDS]; /* the first column of each kind; SIZE_MAX: none */
    struct arena arena;
};

/* The facets must outlive *out. */
void coding_columns_make(struct coding_columns *out, const struct facets *facets);
void coding_columns_clear(struct coding_columns *c);
