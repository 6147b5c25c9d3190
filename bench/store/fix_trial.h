/* fix_trial: what the fixes and proposals of check are worth to a command of the user: each is measured by itself, then
 * those that help together, which become a patch. */
#pragma once

#include "bench/command_pair.h"
#include "check/check.h"
#include "base/table/table.h"

struct fix_trial {
    const struct command_pair_spec *spec;
    const struct check_run *run; /* that is over */
    struct buf patch;            /* empty when nothing helps */
    size_t n_tried, n_helped;
};

/* Measures, and adds a row for each fix to *rows (see fix_trial_columns), and one for all that help together when there
 * are several. t->patch is for `git apply`, with a message before it; clear it. Says on stderr what it does. ST_NO when
 * a signal stopped it; ST_INPUT when nothing can be tried. */
enum status MUST_USE fix_trial(struct fix_trial *t, struct table *rows, struct err *e);
void fix_trial_columns(struct table *rows);
