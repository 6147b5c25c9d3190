/*
 * report_candidates: the candidates of the database, printed. Of cli only.
 */
#ifndef CLI_REPORT_CANDIDATES_H
#define CLI_REPORT_CANDIDATES_H

#include "cli/command.h"

struct report {
    struct table_output out;
    uint64_t limit; /* 0: all */
};

/* Reads --limit and --format; before the work, so that a mistake in them costs nothing. */
enum status MUST_USE report_read(struct report *out, const struct invocation *in, struct err *e);
enum status MUST_USE report_candidates(const struct invocation *in, const struct report *report,
                                       struct err *e);

#endif
