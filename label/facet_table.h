/* facets: what coders of the study decide, see label/facets.h. A new database has the built-in study's. */
#pragma once

#include "db/db.h"
#include "label/facets.h"

/* A new database with the facets of the study that is built in. */
enum status MUST_USE study_db_create(struct db **out, const char *path, struct err *e);

/* *out is read once, and lives until db_close or the next db_facets_put. */
enum status MUST_USE db_facets(struct db *db, const struct facets **out, struct err *e);
/* The same, where db_facets was called before; NULL: it was not. */
const struct facets *facets_kept(const struct db *db);
/* Replaces the facets and the views that follow from them, in the caller's transaction. ST_INPUT when a decision is
 * about a facet that would go. */
enum status MUST_USE db_facets_put(struct db *db, const struct facets *facets, struct err *e);
