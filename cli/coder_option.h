/*
 * coder_option: who codes. Of cli only.
 */
#ifndef CLI_CODER_OPTION_H
#define CLI_CODER_OPTION_H

#include "cli/command.h"

/* The name of --coder, else of $PPMINE_CODER, as it is kept; ST_USAGE without one, and for a name
 * that nobody can have. The caller clears *name. */
enum status MUST_USE coder_option(const struct invocation *in, struct buf *name, struct err *e);

/* What the database knows of the coder. Says on stderr when the name is new and near to one that is
 * known: a slip of the pen would make another coder. */
enum status MUST_USE coder_known(struct db *db, struct span coder, bool *known, bool *is_merged,
                                 struct err *e);

/* ST_INPUT when the database has no such coder. */
enum status MUST_USE coder_must_exist(struct db *db, struct span coder, struct err *e);

/* For the table of options. */
#define CODER_OPTION {"coder", 'c', "NAME", "who codes (default: $PPMINE_CODER)"}

#endif
