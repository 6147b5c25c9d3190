/*
 * migrations: how a file of an older program becomes one of this. Included by db.c and by tests.
 */
#ifndef DB_MIGRATIONS_H
#define DB_MIGRATIONS_H

#include <stdint.h>

/* SQL that takes a database of a version to the next, and says so in user_version: texts up to a
 * NULL, to be run in their order. NULL when there is none. They may call decision_id(), see
 * labels_register_id. */
const char *const *migration_from(int64_t version);

#endif
