/* health: whether a database is what it should be: the file, its references, what is derived from what. */
#pragma once

#include "db/db.h"

/* How the file's schema differs from this program's, compared word by word; the tables of FTS5 beside the full-text
 * index are left to db_search_is_whole. */
enum db_schema_state {
    DB_SCHEMA_EXTRA, /* a table, view or index of somebody else, which does no harm */
    DB_SCHEMA_CHANGED,
    DB_SCHEMA_MISSING,
    DB_SCHEMA_FOREIGN /* a trigger, or a unique index on one of our tables */
};
struct db_schema_difference {
    struct span type, name; /* "table", "view", "index", "trigger"; borrowed for the call */
    enum db_schema_state state;
    bool is_derived; /* match makes it */
};
enum status MUST_USE db_schema_each(struct db *db, void (*each)(void *ctx, const struct db_schema_difference *d),
                                    void *ctx, struct err *e);

/* Calls back for each fault in the file's structure, but for the full-text index; then for rows with dangling
 * references. */
enum status MUST_USE db_integrity_each(struct db *db, void (*each)(void *ctx, struct span what), void *ctx,
                                       struct err *e);
/* Is the structure of the full-text index whole, if there is one? Writes; for a copy. */
enum status MUST_USE db_search_is_whole(struct db *db, bool *whole, struct err *e);

/* The tables that are derived from the posts, then those from the decisions. */
enum { DB_DERIVED_OF_POSTS = 5, DB_DERIVED = 8 };
const char *db_derived_name(size_t table);
/* SHA-256 over all its rows, in the order of their keys. */
enum status MUST_USE db_derived_digest(struct db *db, size_t table, char out[SHA256_TEXT_SIZE], struct err *e);

/* Parameters (JSON) of the last match that was done; ptr NULL: there was none. In the arena. */
enum status MUST_USE db_last_match(struct db *db, struct arena *arena, struct span *parameters, struct err *e);
