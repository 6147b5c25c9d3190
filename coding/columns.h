/*
 * coding: what `label export` and `label import` share: the columns of a sheet, and the coder of
 * the command line.
 */
#ifndef CODING_COLUMNS_H
#define CODING_COLUMNS_H

#include "coding/stored_codebook.h"
#include "db/decisions.h"

/* In the order in which they are exported. */
enum coding_column {
    CODING_PROBLEM_ID,
    CODING_POST_ID,
    CODING_CODER,
    CODING_IS_PROBLEM,
    CODING_SYMPTOM1,
    CODING_SYMPTOM2,
    CODING_ROOT_CAUSE,
    CODING_INTRODUCING,
    CODING_EXPOSING,
    CODING_DECIDED_AT,
    CODING_URL,
    CODING_TITLE,
    CODING_ERROR, /* what import says of a bad row */
    CODING_COLUMNS
};

struct coding_spec {
    const char *name;
    const char *codes;   /* the facet of the codebook; NULL: not a column of codes */
    enum db_facet facet; /* of a column of codes, and DB_IDENTIFICATION of is_problem */
    size_t place;        /* in db_coding.codes[facet] */
    double width;        /* in a workbook, in characters */
};

extern const struct coding_spec coding_specs[CODING_COLUMNS];

/* stored_codebook_load, but a database may have no codebook: posts can be judged without. */
enum status MUST_USE coding_codebook(struct stored_codebook *out, struct db *db, struct err *e);

#endif
