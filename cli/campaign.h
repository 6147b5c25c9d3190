/*
 * campaign: what the commands `campaign …` share. Of cli only.
 */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "cli/command.h"

/* The name of --by, else of $PPMINE_CODER, as it is kept; ST_USAGE without one, and for a name that
 * nobody can have. The caller clears *name. */
enum status MUST_USE campaign_by(const struct invocation *in, struct buf *name, struct err *e);
/* --reason; ptr NULL without. ST_USAGE for one that is empty, too long or no UTF-8. */
enum status MUST_USE campaign_reason(const struct invocation *in, struct span *reason,
                                     struct err *e);

/*
 * Calls `act` for each finding that operands from `first` on name, whole ids handed in, within one
 * transaction: all or nothing. The database is opened here.
 */
enum status MUST_USE campaign_each_operand(struct invocation *in, size_t first,
                                           enum status (*act)(void *ctx, struct db *db,
                                                              const char *finding_id,
                                                              struct err *e),
                                           void *ctx, struct err *e);

#define CAMPAIGN_BY_OPTION {"by", '\0', "NAME", "who says so (default: $PPMINE_CODER)"}

#endif
