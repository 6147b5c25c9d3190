/*
 * coders: who is known to the database as a coder.
 */
#pragma once

#include "db/db.h"

/*
 * What the database knows of the coder. *is_merged: it is not a person but the labels that coders
 * agreed on, which `label resolve` writes; "merged" always is. `near` gets a known name that is close
 * to one that is not known: a slip of the pen would make another coder.
 */
enum status MUST_USE coder_known(struct db *db, struct span coder, bool *is_merged, struct buf *near, struct err *e);

/* ST_INPUT when the database has no such coder. */
enum status MUST_USE coder_must_exist(struct db *db, struct span coder, struct err *e);
