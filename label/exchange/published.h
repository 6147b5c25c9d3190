/* published: a study's codebook and published labels, from the files of the study into a new database. */
#pragma once

#include "db/db.h"
#include "label/label.h"
#include "base/study/study.h"

struct published_counts {
    size_t judgements, codings, problems, assessments; /* rows of the four files */
};

/* Writes facets, codebook and, with *counts set, the published labels, within the caller's transaction.
 * ST_INPUT with file:line (the file without a folder) for labels that are wrong. */
enum status MUST_USE published_put(struct db *db, const struct study *s, const struct facets *facets,
                                   const struct codebook *codebook, struct published_counts *counts, struct err *e);
