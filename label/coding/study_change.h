/* study_change: changes of a study that is under way: its tags, dates, hints, facets, keywords. Each is one transaction
 * with its rows of history: who, when, why, and the file as it was. */
#pragma once

#include "db/study.h"
#include "label/facets.h"

struct study_changed {
    size_t n;              /* files that are others now */
    bool facets, keywords; /* these among them */
};

/* Takes over what differs in `study`, which was read and checked, with its facets. ST_INPUT, and nothing is changed,
 * for another name of the study; a codebook that differs (codebook add and the like change that, and keep what became
 * of codes) or published labels; a facet that is gone or of another kind although coders decided about it; the first
 * facet by another name. Files that the folder lacks go, but for those of the codebook and of published labels. */
enum status MUST_USE study_change(struct db *db, const struct study *study, const struct facets *facets, struct span by,
                                  struct span why, struct study_changed *changed, struct err *e);

/* The settings that follow from study.ini. */
enum status MUST_USE study_put_settings(struct db *db, const struct study *study, struct err *e);
