/*
 * db: the study's SQLite file, see schema.sql. May include base; only this room includes sqlite3.h. Higher rooms run
 * their statements through db/sql.h.
 *
 * Every write can be repeated without harm. Functions that fail return ST_DATABASE unless they say otherwise, and *e
 * says what to do (locked, read-only, foreign, full). Connections are for one thread.
 */
#pragma once

#include "base/base.h"
#include "base/sha256.h"

struct db;
struct sql; /* a statement, and a walk over its rows; see db/sql.h */

enum db_mode {
    DB_READ,  /* must exist; also on a medium that cannot be written */
    DB_LOOK,  /* the same, whatever its tables are: for what health.h has, nothing else */
    DB_WRITE, /* must exist */
    DB_COPY   /* must exist; written without a log beside it: for a copy that is only ours */
};

enum status MUST_USE db_open(struct db **out, const char *path, enum db_mode mode, struct err *e);
/* Makes a database with schema.sql; the file must not exist, or be empty. `fill` (NULL: none) adds the first rows in
 * the same transaction. label/facet_table.h has those of a study. */
enum status MUST_USE db_create(struct db **out, const char *path, enum status (*fill)(struct db *db, struct err *e),
                               struct err *e);
void db_close(struct db *db); /* rolls an open transaction back */

enum status MUST_USE db_begin(struct db *db, struct err *e); /* IMMEDIATE: takes the write lock */
enum status MUST_USE db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db);
/* Commits if `status` is ST_OK; otherwise, or when that fails, rolls back. Returns the first failure. */
enum status MUST_USE db_end(struct db *db, enum status status, struct err *e);
/* Changes when another connection wrote since the last call; for a connection that writes nothing. */
enum status MUST_USE db_data_version(struct db *db, int64_t *version, struct err *e);
/* Moves the write-ahead log into the database file, as far as readers allow. */
enum status MUST_USE db_checkpoint(struct db *db, struct err *e);
/* The same; *pages is how long the log is. */
enum status MUST_USE db_checkpoint_pages(struct db *db, int *pages, struct err *e);
/* Lets commits of this connection move the log only when it is very long: another connection does it regularly. */
void db_checkpoint_late(struct db *db);

/* Announces a bulk load. Fills a database without posts without a write-ahead log, which would write every page twice
 * (23,000 posts: 0.20 s, not 0.29 s). Transactions stay safe, but readers wait during commits. db_checkpoint and
 * db_close turn the log on again. Does nothing when there are posts, or another process has the file open. */
enum status MUST_USE db_fill_begin(struct db *db, struct err *e);

/* schema.sql, and its version. */
struct span db_schema(void);
int db_schema_version(void);
