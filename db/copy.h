/* copy: copies of a database, and what is taken out of them before they are published. */
#pragma once

#include "db/db.h"

/* Writes a snapshot of the database to a new file. ST_IO when the folder is full; the caller removes the rest. */
enum status MUST_USE db_copy(struct db *db, const char *path, struct err *e);
/* Removes from a DB_COPY what is not published: private notes, messages of blind coding, the folders that runs read
 * from, what failing runs of the benchmark said, the full-text index (`ppmine match` makes it again); unless with_text,
 * titles, bodies and plain texts of posts and their revisions; unless with_memos, memos. Packs the file, so that
 * nothing can be recovered. ST_IO when the file cannot be written. */
enum status MUST_USE db_copy_strip(struct db *copy, bool with_text, bool with_memos, struct err *e);
