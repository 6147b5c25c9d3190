/*
 * coding: what `label export` and `label import` share: the columns of a sheet, the codes of the
 * database, the coder of the command line. Of cli only.
 */
#ifndef CLI_CODING_H
#define CLI_CODING_H

#include "cli/command.h"
#include "label/label.h"

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

/* The codes as the database numbers them. All-zero is a valid empty one. */
struct coding_codes {
    struct coding_code {
        int64_t code_id;
        struct span facet, name;
    } *codes; /* in the order of the codebook */
    size_t n, capacity;
    struct arena arena;
};

enum status MUST_USE coding_codes_read(struct coding_codes *out, struct db *db, struct err *e);
void coding_codes_clear(struct coding_codes *c);
struct span coding_code_name(const struct coding_codes *c, int64_t code_id); /* ptr NULL: none */
/* 0: none. */
int64_t coding_code_id(const struct coding_codes *c, const char *facet, struct span name);

/* The value of --coder, as it is kept; ST_USAGE for a name that nobody can have. */
enum status MUST_USE coder_option(const struct invocation *in, struct buf *name, struct err *e);

#endif
