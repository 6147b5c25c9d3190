/* facet_views: the SQL of the views whose columns follow from the facets. Internal to label. */
#pragma once

#include "label/facets.h"

/* Appended, each statement with its ';'. */
void facet_views_drop(struct buf *sql, const struct facets *f);
void facet_views_create(struct buf *sql, const struct facets *f);
