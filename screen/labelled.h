/* labelled: texts of a table (CSV, xlsx) whose answers are known: id, title, body, included. */
#pragma once

#include "screen/screen.h"

enum { LABELLED_BYTES_MAX = 1 << 30, LABELLED_TEXTS_MAX = 10000000 };

struct labelled {
    struct ARRAY_OF(struct screen_text) texts; /* of each row */
    struct ARRAY_OF(struct span) ids;
    struct ARRAY_OF(bool) included;
    size_t n_included;
    struct arena arena;
};

/* Reads the file ("-": standard input); skips other columns. `included`: 1 or 0, yes or no, true or false. ST_INPUT
 * with file:line for a missing or repeated column, another answer, no rows. *out always needs labelled_clear. */
enum status MUST_USE labelled_read(struct labelled *out, const char *path, struct err *e);
void labelled_clear(struct labelled *l);

/* What the texts of such a file, of another study, say of each row of a matrix: how much more it is like
 * the included ones than like the others. ST_INPUT as above, and when none is included. */
enum status MUST_USE labelled_prior(const char *path, const struct screen_matrix *m,
                                    const struct screen_reading *reading, struct screen_prior **out, struct err *e);
