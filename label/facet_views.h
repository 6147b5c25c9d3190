/* facet_views: the SQL of the views whose columns follow from the facets. Internal to label. */
#ifndef LABEL_FACET_VIEWS_H
#define LABEL_FACET_VIEWS_H

#include "label/facets.h"

/* Appended, each statement with its ';'. */
void facet_views_drop(struct buf *sql, const struct facets *f);
void facet_views_create(struct buf *sql, const struct facets *f);

#endif
