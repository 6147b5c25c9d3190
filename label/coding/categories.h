/* categories: what the categories of a codebook mean: the study's categories.csv (facet, category, definition), in the
 * folder and in the database. The history of the study records its changes. */
#pragma once

#include "base/csv.h"
#include "label/coding/codebook_file.h"
#include "base/maps.h"

enum { CATEGORY_FACET, CATEGORY_NAME, CATEGORY_DEFINITION, CATEGORY_CELLS }; /* of a row */

struct categories {
    struct csv_rows rows;
    struct text_numbers places; /* by facet and name */
};

/* Reads categories.csv; ptr NULL: there is none. ST_INPUT with file:line for other columns, and for a category
 * that occurs twice or has no name. *out needs categories_clear in either case. */
enum status MUST_USE categories_read(struct categories *out, struct span content, struct err *e);
/* ST_INPUT for a file that cannot be read; ptr NULL: there is no file. */
enum status MUST_USE categories_check(struct span content, struct err *e);
/* The same of the database's study. */
enum status MUST_USE categories_of_db(struct categories *out, struct db *db, struct err *e);
void categories_clear(struct categories *c);
/* The row of a category; NULL: it has no definition. */
struct csv_row *categories_find(const struct categories *c, struct span facet, struct span name);

/* Takes the new definitions of a file, within the caller's transaction. *n grows by how many. */
enum status MUST_USE categories_take(struct db *db, const struct codebook *book, const struct codebook_file *f,
                                     struct span by, struct span why, size_t *n, struct err *e);
