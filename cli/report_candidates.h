/*
 * report_candidates: the candidates of the database, printed. Of cli only.
 */
#ifndef CLI_REPORT_CANDIDATES_H
#define CLI_REPORT_CANDIDATES_H

#include "cli/command.h"

/* Reads --limit and --format. */
enum status MUST_USE report_candidates(struct invocation *in, struct err *e);

#endif
